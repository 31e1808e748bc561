/* SPDX-License-Identifier: MIT */
/* The distance of two words, in a few rows on the stack. Words may hold any bytes, and be as long
   as they like. */
#include "base/nearest.h"

unsigned emberi_word_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    unsigned row[3][EMBERI_LONGEST_WORD + 1];
    if (a_size > EMBERI_LONGEST_WORD || b_size > EMBERI_LONGEST_WORD)
        return EMBERI_LONGEST_WORD;
    for (size_t j = 0; j <= b_size; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_size; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_size; j++) {
            unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
            unsigned put = now[j - 1] + 1, drop = last[j] + 1;
            now[j] = change < put ? change : put;
            now[j] = now[j] < drop ? now[j] : drop;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < now[j])
                now[j] = before[j - 2] + 1;
        }
    }
    return row[a_size % 3][b_size];
}

unsigned emberi_word_tolerance(size_t size) { return size < 4 ? 1 : size < 7 ? 2 : 3; }
