/* SPDX-License-Identifier: MIT */
/* What every test program starts with: cmocka with the headers it wants, and a random number generator that
   gives the same numbers everywhere. */
#ifndef EMBER_TESTING_H
#define EMBER_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ember/ember.h"

/* xorshift64*; never seed with 0. */
typedef struct test_random {
    uint64_t state;
} test_random;

static inline uint32_t test_random_u32(test_random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return (uint32_t)((r->state * UINT64_C(0x2545F4914F6CDD1D)) >> 32);
}

/* In low..high, 24 bits of it. */
static inline float test_random_float(test_random *r, float low, float high)
{
    return low + (high - low) * ((float)(test_random_u32(r) >> 8) / 16777216.0f);
}

static inline void *test_alloc(size_t size)
{
    void *memory = malloc(size != 0 ? size : 1);
    assert_non_null(memory);
    return memory;
}

/* A copy in a block of exactly that size, so that a sanitizer or valgrind sees the first byte
   read beyond it. */
static inline uint8_t *test_exact_copy(const void *data, size_t size)
{
    uint8_t *copy = test_alloc(size);
    if (size != 0)
        memcpy(copy, data, size);
    return copy;
}

#endif
