/* SPDX-License-Identifier: MIT */
/* Size arithmetic that cannot wrap: false, and *out untouched, where the result does not fit. */
#ifndef EMBER_BASE_SIZES_H
#define EMBER_BASE_SIZES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool emberi_mul_size(size_t *out, size_t a, size_t b)
{
    if (a != 0 && b > SIZE_MAX / a)
        return false;
    *out = a * b;
    return true;
}

static inline bool emberi_add_size(size_t *out, size_t a, size_t b)
{
    if (b > SIZE_MAX - a)
        return false;
    *out = a + b;
    return true;
}

#endif
