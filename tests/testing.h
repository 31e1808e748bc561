/* SPDX-License-Identifier: MIT */
/* What every test program starts with: cmocka with the headers it wants, TEST(), and a random number
   generator that gives the same numbers everywhere. */
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

typedef struct test_entry {
    struct CMUnitTest  test;
    int                line;
    struct test_entry *next;
} test_entry;

void test_add(test_entry *entry);

/* TEST(name) { ... } defines a test and adds it to the program's; main is in testing.c. Tests run in the
   order of the file. TEST_WITH runs set_up before the test and tear_down after it, even where the test fails;
   what set_up stores at *state is at *state in the test. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)                                                             \
    static void                              name(void **state);                                       \
    __attribute__((constructor)) static void name##_add(void)                                          \
    {                                                                                                  \
        static test_entry entry = {cmocka_unit_test_setup_teardown(name, set_up, tear_down), __LINE__, \
                                   NULL};                                                              \
        test_add(&entry);                                                                              \
    }                                                                                                  \
    static void name(__attribute__((unused)) void **state)

/* A message contains these words; both are shown where it does not. */
static inline void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' does not say '%s'", text, part);
}

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
