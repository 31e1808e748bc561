/* SPDX-License-Identifier: MIT */
/* How far two words are apart, for messages that name what was most likely meant. */
#ifndef EMBER_BASE_NEAREST_H
#define EMBER_BASE_NEAREST_H

#include <stddef.h>

#define EMBERI_LONGEST_WORD 63u /* longer ones are near nothing */

/* Edits that make one word the other: a letter put in, left out or changed, or two neighbours swapped. */
unsigned emberi_word_distance(const char *a, size_t a_size, const char *b, size_t b_size);

/* How many edits a word of so many letters may be off and still be meant. */
unsigned emberi_word_tolerance(size_t size);

#endif
