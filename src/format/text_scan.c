/* SPDX-License-Identifier: MIT */
/* Words and numbers out of text. Whatever the bytes are, the cursor stays between the text's beginning and
   end, and a number that is handed out is finite. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/text_scan.h"

emberi_scan emberi_scan_init(const uint8_t *data, size_t size, const char *what, ember_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char       *text = (const char *)data;
    size_t            skip = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    emberi_scan       scan = {text, text + skip, text + size, what, err};
    return scan;
}

static bool scan_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

static bool scan_is_space(char c) { return scan_is_blank(c) || c == '\n'; }

static bool scan_is_digit(char c) { return c >= '0' && c <= '9'; }

void emberi_scan_blanks(emberi_scan *scan)
{
    while (scan->cursor < scan->end && scan_is_blank(*scan->cursor))
        scan->cursor++;
}

void emberi_scan_space(emberi_scan *scan)
{
    while (scan->cursor < scan->end && scan_is_space(*scan->cursor))
        scan->cursor++;
}

emberi_word emberi_scan_word(emberi_scan *scan)
{
    emberi_word word = {scan->cursor, 0};
    while (scan->cursor < scan->end && !scan_is_space(*scan->cursor))
        scan->cursor++;
    word.size = (size_t)(scan->cursor - word.text);
    return word;
}

emberi_word emberi_scan_rest_of_line(emberi_scan *scan)
{
    emberi_scan_blanks(scan);
    emberi_word word = {scan->cursor, 0};
    while (!emberi_scan_at_line_end(scan))
        scan->cursor++;
    word.size = (size_t)(scan->cursor - word.text);
    while (word.size != 0 && scan_is_blank(word.text[word.size - 1]))
        word.size--;
    return word;
}

static char scan_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool emberi_word_is(emberi_word word, const char *text)
{
    for (size_t i = 0; i < word.size; i++)
        if (text[i] == '\0' || scan_lower(word.text[i]) != scan_lower(text[i]))
            return false;
    return text[word.size] == '\0';
}

/* ---- numbers ---- */

/* Up to 10^22 a double holds powers of ten exactly, so that numbers of 15 digits with small
   exponents come out correctly rounded; longer ones are off by a few units in the last place, far
   below what a float keeps. */
static double scan_times_power(double value, int32_t power)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    for (; power > 22 && value != 0.0 && value <= 1e300; power -= 22)
        value *= exact[22];
    for (; power < -22 && value != 0.0; power += 22)
        value /= exact[22];
    if (power > 22)
        return value == 0.0 ? 0.0 : value * 1e300; /* infinite, or nothing at all */
    return value == 0.0 ? 0.0 : power >= 0 ? value * exact[power] : value / exact[-power];
}

/* Digits with at most one point. Nineteen of them fit 64 bits; later ones only move the exponent. */
typedef struct scan_decimal {
    uint64_t mantissa;
    int32_t  power;
    int32_t  after_point;
    bool     any;
} scan_decimal;

#define SCAN_POWER_MAX 100000

static const char *scan_digits(scan_decimal *number, const char *p, const char *end)
{
    bool point = false;
    for (; p < end && (scan_is_digit(*p) || (*p == '.' && !point)); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        number->any = true;
        bool fits = number->mantissa <= (UINT64_MAX - 9) / 10;
        if (fits)
            number->mantissa = number->mantissa * 10 + (uint64_t)(*p - '0');
        if (point && number->after_point < SCAN_POWER_MAX)
            number->after_point++;
        if (point == fits && number->power > -SCAN_POWER_MAX && number->power < SCAN_POWER_MAX)
            number->power += fits ? -1 : 1;
    }
    return p;
}

static const char *scan_exponent(int32_t *out, const char *p, const char *end)
{
    const char *start = p++;
    bool        negative = p < end && *p == '-';
    int32_t     power = 0;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !scan_is_digit(*p))
        return start;
    for (; p < end && scan_is_digit(*p); p++)
        power = power < SCAN_POWER_MAX ? power * 10 + (*p - '0') : power;
    *out = negative ? -power : power;
    return p;
}

bool emberi_scan_number(emberi_scan *scan, double *out, int *digits)
{
    const char  *p = scan->cursor;
    bool         negative = p < scan->end && *p == '-';
    scan_decimal number = {0, 0, 0, false};
    int32_t      exponent = 0;
    if (p < scan->end && (*p == '-' || *p == '+'))
        p++;
    p = scan_digits(&number, p, scan->end);
    if (!number.any)
        return false;
    if (p < scan->end && (*p == 'e' || *p == 'E'))
        p = scan_exponent(&exponent, p, scan->end);
    if (p < scan->end && !scan_is_space(*p) && *p != '}')
        return false;
    double value = scan_times_power((double)number.mantissa, number.power + exponent);
    if (value - value != 0.0)
        return false;
    *out = negative ? -value : value;
    if (digits != NULL)
        *digits = number.after_point - exponent;
    scan->cursor = p;
    return true;
}

bool emberi_scan_integer(emberi_scan *scan, int64_t *out, const char *terminators)
{
    const char *p = scan->cursor;
    bool        negative = p < scan->end && *p == '-';
    int64_t     value = 0;
    if (p < scan->end && (*p == '-' || *p == '+'))
        p++;
    if (p == scan->end || !scan_is_digit(*p))
        return false;
    for (; p < scan->end && scan_is_digit(*p); p++) {
        if (value > (INT64_MAX - 9) / 10)
            return false;
        value = value * 10 + (*p - '0');
    }
    if (p < scan->end && !scan_is_space(*p) && (*p == '\0' || strchr(terminators, *p) == NULL))
        return false;
    *out = negative ? -value : value;
    scan->cursor = p;
    return true;
}

/* ---- where it went wrong ---- */

ember_status emberi_scan_fail(const emberi_scan *scan, ember_status status, const char *format, ...)
{
    char     text[sizeof(scan->err->text)];
    uint64_t line = 1, column = 1;
    va_list  arguments;
    for (const char *p = scan->base; p < scan->cursor; p++) {
        column = *p == '\n' ? 1 : column + 1;
        line += *p == '\n' ? 1u : 0u;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return emberi_failf(scan->err, status, (uint64_t)(scan->cursor - scan->base),
                        "%s: line %llu, column %llu: %s", scan->what, (unsigned long long)line,
                        (unsigned long long)column, text);
}
