/* SPDX-License-Identifier: MIT */
/* What the parts of the shim share: which call is to go wrong (faults_calls.c), the books of memory
   (faults_memory.c), and the functions that stand before the system's (those and faults_files.c). */
#ifndef EMBER_TESTS_FAULTS_SHIM_H
#define EMBER_TESTS_FAULTS_SHIM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SHIM __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))

/* In the order of KINDS in server.py. */
enum kind { ALLOC, OPEN, READ, WRITE, SYNC, CLOSE, RENAME, LOOK, FOLDER, THREAD, CHANGE, KINDS };

enum act { FAIL = 1, FAIL_ON, SHORT, INTERRUPT, DIE_BEFORE, DIE_AFTER, TERM_BEFORE };

extern atomic_ulong  shim_counts[KINDS];
extern unsigned long shim_asked_n;    /* the number of the call that goes wrong */
extern bool          shim_named_only; /* no files without a name */

/* Looks for the command and its libraries among what is loaded. */
void      shim_find_own(void);
bool      shim_is_own(uintptr_t caller);
uintptr_t shim_program_start(void);

/* What goes wrong: "" or HOW:N. False: it is neither. */
bool     shim_ask(const char *how);
/* Counts a call; what is to happen to it, 0 for nothing. */
enum act shim_at(enum kind kind, uintptr_t caller);
/* A call that changes the disk, before and after. */
enum act shim_change_begin(uintptr_t caller);
void     shim_change_end(enum act act);

/* The function that ours stands before. */
void *shim_behind(const char *name);
#define BEHIND(result, name, ...)            \
    static result (*real)(__VA_ARGS__);      \
    if (real == NULL) {                      \
        void *found = shim_behind(name);     \
        memcpy(&real, &found, sizeof(real)); \
    }

/* ---- the books of memory ---- */

typedef struct shim_books {
    size_t peak, own_peak; /* bytes at most since the books were opened; Ember's alone */
    size_t live;           /* blocks of Ember's that were not freed */
    bool   left_by_exit;   /* the command called exit() in the middle */
} shim_books;

void       shim_books_open(void);
/* Also who asked for the first blocks that are live, as addresses in the program. */
shim_books shim_books_close(uint64_t *callers, int most);

#endif
