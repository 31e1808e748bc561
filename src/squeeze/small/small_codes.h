/* SPDX-License-Identifier: MIT */
/* The prefix codes of small blocks. They were trained once and are part of the format: they never change. */
#ifndef EMBER_SQUEEZE_SMALL_CODES_H
#define EMBER_SQUEEZE_SMALL_CODES_H

#include <stdint.h>

/* Golomb parameters of key rows, which choose one of them. */
extern const uint8_t emberi_small_key_parameters[4];

/* Three residuals of -1..1 in one symbol, by what is expected of them; the last symbol says that they are
   coded one by one, as they always are from the limit on. Of each code: the lengths of its symbols, and for
   decoding the symbol << 4 | length of every 8 bits. */
#define SMALL_TRIPLE_LIMIT 39
#define SMALL_TRIPLE_CODES 8u
#define SMALL_TRIPLE_SYMBOLS 28u
#define SMALL_TRIPLE_BITS 8u
extern const uint8_t  emberi_small_triple_class[SMALL_TRIPLE_LIMIT];
extern const uint8_t  emberi_small_triple_lengths[SMALL_TRIPLE_CODES][SMALL_TRIPLE_SYMBOLS];
extern const uint16_t emberi_small_triple_decode[SMALL_TRIPLE_CODES][1u << SMALL_TRIPLE_BITS];

/* One residual: the symbol is its size on a scale of half powers of two, plain bits follow; the last symbol
   is the escape to another index. */
#define SMALL_CLASSES 449u /* sixteenths of what is expected; 0 is not among them and has code 0 */
#define SMALL_SINGLE_CODES 8u
#define SMALL_SINGLE_SYMBOLS 33u
#define SMALL_SINGLE_BITS 9u
extern const uint8_t  emberi_small_single_class[SMALL_CLASSES];
extern const uint8_t  emberi_small_single_lengths[SMALL_SINGLE_CODES][SMALL_SINGLE_SYMBOLS];
extern const uint16_t emberi_small_single_decode[SMALL_SINGLE_CODES][1u << SMALL_SINGLE_BITS];

#endif
