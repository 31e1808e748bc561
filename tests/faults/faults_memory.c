/* SPDX-License-Identifier: MIT */
/* The functions of memory, and the books of it: what Ember has not given back, how much it had at most. */
#define _GNU_SOURCE

#include "faults_shim.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void  __libc_free(void *memory);

/* The blocks that Ember's own calls have made and nobody has freed: an open table, by address. */
enum { BOOK_SIZE = 1 << 20 };
#define GONE ((void *)1)
static struct {
    void     *block;
    uintptr_t caller;
} book[BOOK_SIZE];
static pthread_mutex_t book_lock = PTHREAD_MUTEX_INITIALIZER;
static long            book_live;
static size_t          bytes_now, bytes_peak, bytes_before, own_now, own_peak;
static bool            left_by_exit;

static size_t book_slot(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * 0x9e3779b97f4a7c15u >> 44) % BOOK_SIZE;
}

static void book_add(void *block, uintptr_t caller)
{
    if (block == NULL)
        return;
    pthread_mutex_lock(&book_lock);
    bytes_now += malloc_usable_size(block);
    if (bytes_now > bytes_peak)
        bytes_peak = bytes_now;
    if (caller != 0) {
        size_t slot = book_slot(block);
        own_now += malloc_usable_size(block);
        if (own_now > own_peak)
            own_peak = own_now;
        while (book[slot].block != NULL && book[slot].block != GONE)
            slot = (slot + 1) % BOOK_SIZE;
        book[slot].block = block;
        book[slot].caller = caller;
        if (++book_live > BOOK_SIZE / 2)
            abort();
    }
    pthread_mutex_unlock(&book_lock);
}

/* The caller that had made the block; 0 if it was not Ember's. */
static uintptr_t book_drop(void *block)
{
    uintptr_t caller = 0;
    if (block == NULL)
        return 0;
    pthread_mutex_lock(&book_lock);
    size_t size = malloc_usable_size(block);
    bytes_now -= size < bytes_now ? size : bytes_now;
    for (size_t slot = book_slot(block); book[slot].block != NULL; slot = (slot + 1) % BOOK_SIZE) {
        if (book[slot].block != block)
            continue;
        caller = book[slot].caller;
        own_now -= size;
        book[slot].block = book[(slot + 1) % BOOK_SIZE].block == NULL ? NULL : GONE;
        book_live--;
        break;
    }
    pthread_mutex_unlock(&book_lock);
    return caller;
}

static bool no_memory(uintptr_t caller)
{
    if (shim_at(ALLOC, caller) == 0)
        return false;
    errno = ENOMEM;
    return true;
}

SHIM void *malloc(size_t size)
{
    uintptr_t caller = CALLER;
    if (no_memory(caller))
        return NULL;
    void *block = __libc_malloc(size);
    bool  ours = shim_is_own(caller);
    if (ours && block != NULL)
        memset(block, 0xa5, size < 4096 ? size : 4096); /* who reads what it has not written shall notice */
    book_add(block, ours ? caller : 0);
    return block;
}

SHIM void *calloc(size_t count, size_t size)
{
    uintptr_t caller = CALLER;
    if (no_memory(caller))
        return NULL;
    void *block = __libc_calloc(count, size);
    book_add(block, shim_is_own(caller) ? caller : 0);
    return block;
}

SHIM void *realloc(void *memory, size_t size)
{
    uintptr_t caller = CALLER;
    if (size != 0 && no_memory(caller))
        return NULL;
    uintptr_t before = book_drop(memory);
    void     *block = __libc_realloc(memory, size);
    if (block == NULL && size != 0)
        book_add(memory, before);
    else
        book_add(block, shim_is_own(caller) ? caller : before);
    return block;
}

SHIM void free(void *memory)
{
    int error = errno;
    if (book_drop(memory) != 0) {
        size_t size = malloc_usable_size(memory);
        memset(memory, 0x5a, size < 4096 ? size : 4096); /* who reads what it has freed, too */
    }
    __libc_free(memory);
    errno = error;
}

SHIM void exit(int code)
{
    BEHIND(void, "exit", int)
    left_by_exit = left_by_exit || shim_is_own(CALLER);
    real(code);
    abort();
}

void shim_books_open(void) { bytes_before = bytes_peak = bytes_now; }

shim_books shim_books_close(uint64_t *callers, int most)
{
    for (int slot = 0, shown = 0; slot < BOOK_SIZE && book_live > 0 && shown < most; slot++) {
        if (book[slot].block != NULL && book[slot].block != GONE)
            callers[shown++] = book[slot].caller - shim_program_start();
    }
    return (shim_books){bytes_peak - bytes_before, own_peak, (size_t)book_live, left_by_exit};
}
