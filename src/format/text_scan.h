/* SPDX-License-Identifier: MIT */
/* A cursor over text from a file, for formats made of words and numbers (BVH, OBJ). It never looks past its
   end, needs no zero byte there, knows nothing of locales, and can say in which line and column it stands. */
#ifndef EMBER_FORMAT_TEXT_SCAN_H
#define EMBER_FORMAT_TEXT_SCAN_H

#include "format/ops.h"

typedef struct emberi_scan {
    const char  *base;
    const char  *cursor;
    const char  *end;
    const char  *what; /* the format's name, which messages begin with */
    ember_error *err;
} emberi_scan;

/* A byte order mark is stepped over. */
emberi_scan emberi_scan_init(const uint8_t *data, size_t size, const char *what, ember_error *err);

typedef struct emberi_word {
    const char *text; /* not terminated */
    size_t      size;
} emberi_word;

/* Space, tab and carriage return; the second form also steps over line ends. */
void emberi_scan_blanks(emberi_scan *scan);
void emberi_scan_space(emberi_scan *scan);

static inline bool emberi_scan_at_end(const emberi_scan *scan) { return scan->cursor == scan->end; }

static inline bool emberi_scan_at_line_end(const emberi_scan *scan)
{
    return scan->cursor == scan->end || *scan->cursor == '\n';
}

/* The next run of bytes that are not white space; empty at the end. White space before it is the
   caller's business. */
emberi_word emberi_scan_word(emberi_scan *scan);

/* What is left of the line, without blanks at either end; the cursor stands at the line's end then. */
emberi_word emberi_scan_rest_of_line(emberi_scan *scan);

/* The same letters in any case. */
bool emberi_word_is(emberi_word word, const char *text);

/* A decimal number that ends at white space, a closing brace or the text's end: digits with at most one
   point, and an exponent. Finite, or it is refused. `digits`, if not NULL, is how many digits follow
   the point (less the exponent): how exactly the text says it. False, with the cursor where it was, if
   there is none. */
bool emberi_scan_number(emberi_scan *scan, double *out, int *digits);

/* A whole number without a point; `terminators` are bytes beside white space that may follow it. */
bool emberi_scan_integer(emberi_scan *scan, int64_t *out, const char *terminators);

/* emberi_failf with "line 12, column 3: " of the cursor before the text. */
ember_status emberi_scan_fail(const emberi_scan *scan, ember_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
