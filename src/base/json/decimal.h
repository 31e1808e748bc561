/* SPDX-License-Identifier: MIT */
/* Decimal text to the nearest double, ties to even, in any locale and with the same bits everywhere. No C
   library is needed. */
#ifndef EMBER_BASE_DECIMAL_H
#define EMBER_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number as JSON writes it, -12.5e-3, from `text` on. Returns its bytes: 0 where none begins here, and
   in *out infinity, with the sign, where it is beyond the largest double. Never reads from `end` on. */
size_t emberi_decimal_read(double *out, const uint8_t *text, const uint8_t *end);

#endif
