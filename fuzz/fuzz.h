/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: the checks on every error, memory that is counted, a walk over all of a model,
   and writing it out and reading it back. A target defines LLVMFuzzerTestOneInput and, where plain bytes
   would not get past a header, LLVMFuzzerCustomMutator; libFuzzer or replay.c bring the rest. */
#ifndef EMBER_FUZZ_H
#define EMBER_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ember/ember.h"

/* ---- libFuzzer's side ---- */

int    LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

/* ---- checks ---- */

/* A finding: says `what` and aborts, unless it holds. */
_Noreturn void fuzz_fail(const char *what);
#define fuzz_require(holds, what) ((holds) ? (void)0 : fuzz_fail(what))

/* A failure has its words in one line and in its status, a success has none. */
void fuzz_check_error(ember_status status, const ember_error *err);

/* A copy in a block of exactly that size, so that a sanitizer sees the first byte read beyond. Free it. */
uint8_t *fuzz_exact_copy(const void *data, size_t size);

/* Reads the bytes, so that a sanitizer sees what is not there. */
void fuzz_touch(const void *data, size_t size);
void fuzz_touch_text(const char *text); /* NULL is fine */

/* Takes every note or finding and looks at its texts. */
ember_notes    fuzz_notes(void);
ember_findings fuzz_findings(void);

/* ---- memory ---- */

/* What a reader may ask for: a small file stays small whatever its counts say, a large one may take more. */
#define FUZZ_SMALL_FILE 1024u
#define FUZZ_SMALL_MEMORY ((size_t)64 << 20)
#define FUZZ_MEMORY ((size_t)256 << 20)

/* Models up to this size are written out as well; larger ones would only cost time. */
#define FUZZ_WRITE_MEMORY ((size_t)1 << 20)

typedef struct fuzz_heap {
    size_t held, peak;
} fuzz_heap;

ember_allocator fuzz_allocator(fuzz_heap *heap);

/* Nothing is held any more, and a small file never took more than a small file may. */
void fuzz_heap_check(const fuzz_heap *heap, size_t file_size);

/* ---- models ---- */

/* Reads the file with the options (but for its notes), and checks what every reader promises. Free the arena
   in any case. */
ember_status fuzz_model_read(ember_model *out, const uint8_t *data, size_t size, ember_read_options options,
                             ember_arena *arena);

/* Every byte that a reader says is there. */
void fuzz_model_touch(const ember_model *model);

/* Writes the model as that format, and reads what was written: what Ember writes it must read, with the same
   clips and frames. False if the format does not take the model. */
bool fuzz_model_through(const ember_model *model, const ember_write_options *options,
                        const ember_read_options *back);

/* ---- numbers, the same everywhere ---- */

typedef struct fuzz_random {
    uint64_t state; /* never 0 */
} fuzz_random;

fuzz_random fuzz_random_seed(unsigned seed);
uint32_t    fuzz_random_below(fuzz_random *r, uint32_t limit); /* 0 for a limit of 0 */

#endif
