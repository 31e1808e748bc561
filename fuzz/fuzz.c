/* SPDX-License-Identifier: MIT */
/* Checks, counted memory and numbers of the fuzz targets. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ---- */

_Noreturn void fuzz_fail(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

static void check_line(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        fuzz_require((unsigned char)*c >= 0x20 && *c != 0x7f, "a text is more than one line");
}

void fuzz_check_error(ember_status status, const ember_error *err)
{
    fuzz_require(status >= EMBER_OK && status < EMBER_STATUS_COUNT, "an unknown status");
    fuzz_require(err->status == status, "the error has another status");
    fuzz_require((status == EMBER_OK) == (err->text[0] == '\0'),
                 "a failure says nothing, or a success something");
    fuzz_require(memchr(err->text, '\0', sizeof(err->text)) != NULL, "the error's text does not end");
    fuzz_require(memchr(err->clip_name, '\0', sizeof(err->clip_name)) != NULL,
                 "the name of the error's clip does not end");
    fuzz_require(memchr(err->bone_name, '\0', sizeof(err->bone_name)) != NULL,
                 "the name of the error's bone does not end");
    char line[EMBER_ERROR_LINE_SIZE];
    fuzz_require(ember_error_format(line, sizeof(line), NULL, err) < sizeof(line),
                 "an error does not fit into its line");
    check_line(line);
}

uint8_t *fuzz_exact_copy(const void *data, size_t size)
{
    uint8_t *copy = malloc(size != 0 ? size : 1);
    fuzz_require(copy != NULL, "out of memory");
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

static volatile uint8_t touched;

void fuzz_touch(const void *data, size_t size)
{
    const uint8_t *bytes = data;
    uint8_t        sum = size != 0 ? bytes[size - 1] : 0;
    for (size_t i = 0; i < size; i += 4)
        sum = (uint8_t)(sum + bytes[i]);
    touched = sum;
}

void fuzz_touch_text(const char *text)
{
    if (text != NULL)
        fuzz_touch(text, strlen(text) + 1);
}

static void take_note(void *user, const ember_note *note)
{
    (void)user;
    fuzz_require(note->kind <= EMBER_NOTE_DETAIL, "a note of no kind");
    fuzz_require(note->text[0] != '\0', "a note that says nothing");
    check_line(note->text);
    fuzz_touch_text(note->clip);
    fuzz_touch_text(note->bone);
}

ember_notes fuzz_notes(void) { return (ember_notes){take_note, NULL}; }

static void take_finding(void *user, const ember_finding *finding)
{
    (void)user;
    fuzz_require(strlen(finding->code) == 6, "a code that is none");
    fuzz_require(finding->text[0] != '\0', "a finding that says nothing");
    check_line(finding->text);
    fuzz_touch_text(finding->clip);
    fuzz_touch_text(finding->bone);
}

ember_findings fuzz_findings(void) { return (ember_findings){take_finding, NULL}; }

/* ---- memory ---- */

static void *heap_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    fuzz_heap *heap = user;
    fuzz_require((memory != NULL || old_size == 0) && heap->held >= old_size,
                 "memory of a wrong size is given back");
    if (new_size == 0) {
        heap->held -= old_size;
        free(memory);
        return NULL;
    }
    void *resized = realloc(memory, new_size);
    if (resized != NULL) {
        heap->held += new_size - old_size;
        heap->peak = heap->held > heap->peak ? heap->held : heap->peak;
    }
    return resized;
}

ember_allocator fuzz_allocator(fuzz_heap *heap) { return (ember_allocator){heap_resize, heap}; }

void fuzz_heap_check(const fuzz_heap *heap, size_t file_size)
{
    fuzz_require(heap->held == 0, "memory is held that nobody owns");
    fuzz_require(file_size > FUZZ_SMALL_FILE || heap->peak <= FUZZ_SMALL_MEMORY,
                 "a small file took more than 64 MiB");
}

/* ---- numbers ---- */

fuzz_random fuzz_random_seed(unsigned seed)
{
    return (fuzz_random){((uint64_t)seed + 1) * UINT64_C(0x9E3779B97F4A7C15)};
}

uint32_t fuzz_random_below(fuzz_random *r, uint32_t limit)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    uint64_t bits = (r->state * UINT64_C(0x2545F4914F6CDD1D)) >> 32;
    return limit != 0 ? (uint32_t)(bits % limit) : 0;
}
