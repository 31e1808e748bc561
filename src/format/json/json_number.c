/* SPDX-License-Identifier: MIT */
/* Numbers as short decimal text that reads back to the same bits, in any locale. Floats of common size take a
   way of a few multiplications; all others ask the C library for digits and try them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "format/json/json_out.h"

/* Exact in double: the largest power of ten that is. */
#define NUMBER_POWERS 23
static const double number_powers[NUMBER_POWERS] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* d.ddd times ten to the exponent; digits without trailing zeros. */
typedef struct number_decimal {
    char digits[24];
    int  count;
    int  exponent;
} number_decimal;

static void number_trim(number_decimal *d)
{
    while (d->count > 1 && d->digits[d->count - 1] == '0')
        d->count--;
}

/* ---- any number, by the C library ---- */

/* Takes the digits out of "%.*e", so that it does not matter what the locale's decimal point is. */
static void number_parse(number_decimal *out, const char *text)
{
    out->count = 0;
    for (; *text != 'e'; text++)
        if (*text >= '0' && *text <= '9')
            out->digits[out->count++] = *text;
    out->exponent = (int)strtol(text + 1, NULL, 10);
    number_trim(out);
}

static void number_search_double(number_decimal *out, double value)
{
    char text[EMBERI_NUMBER_SIZE];
    int  digits = 1;
    do
        snprintf(text, sizeof(text), "%.*e", digits - 1, value);
    while (strtod(text, NULL) != value && ++digits <= 17);
    number_parse(out, text);
}

static void number_search_float(number_decimal *out, float value)
{
    char text[EMBERI_NUMBER_SIZE];
    int  digits = 1;
    do
        snprintf(text, sizeof(text), "%.*e", digits - 1, (double)value);
    while ((strtof(text, NULL) != value || (float)strtod(text, NULL) != value) && ++digits <= 17);
    number_parse(out, text);
}

/* ---- floats of common size ---- */

static int number_exponent(double value)
{
    int exponent = 0;
    while (exponent + 1 < NUMBER_POWERS && value >= number_powers[exponent + 1])
        exponent++;
    while (value * number_powers[-exponent < 0 ? 0 : -exponent] < 1.0)
        exponent--;
    return exponent;
}

/* With up to 9 digits the decimal is whole * 10^-shift where both are exact doubles, so that one
   multiplication or division is rounded just as a correct strtod rounds. Six digits come first: no float
   needs fewer digits than "%.5e" has without its zeros. Reading straight as a float gives the same: the two
   ways differ only where the double falls on the middle of two floats and the decimal does not, which no
   decimal of up to 8 digits does (all were tried), and the nearest one of 9 is closer. */
static bool number_quick_float(number_decimal *out, float value)
{
    double exact = (double)value;
    if (!(exact >= 1e-13 && exact < 1e15))
        return false;
    int exponent = number_exponent(exact);
    for (int digits = 6; digits <= 9; digits++) {
        int    shift = digits - 1 - exponent;
        double scaled = shift >= 0 ? exact * number_powers[shift] : exact / number_powers[-shift];
        long   whole = (long)(scaled + 0.5);
        double back =
            shift >= 0 ? (double)whole / number_powers[shift] : (double)whole * number_powers[-shift];
        if ((float)back != value)
            continue;
        out->count = snprintf(out->digits, sizeof(out->digits), "%ld", whole);
        out->exponent = out->count - 1 - shift;
        number_trim(out);
        return true;
    }
    return false;
}

/* ---- text ---- */

static size_t number_zeros(char *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = '0';
    return count > 0 ? (size_t)count : 0;
}

/* Plain where that is not longer than it has to be, otherwise with an exponent. */
static size_t number_format(char *out, const number_decimal *d, bool negative)
{
    char  *p = out;
    size_t count = (size_t)d->count;
    if (negative)
        *p++ = '-';
    if (d->exponent < -5 || d->exponent > 14) {
        *p++ = d->digits[0];
        if (count > 1)
            *p++ = '.';
        memcpy(p, d->digits + 1, count - 1);
        p += count - 1;
        p += snprintf(p, 8, "e%d", d->exponent);
        return (size_t)(p - out);
    }
    if (d->exponent < 0) {
        *p++ = '0';
        *p++ = '.';
        p += number_zeros(p, -d->exponent - 1);
        memcpy(p, d->digits, count);
        p += count;
    } else {
        size_t whole = (size_t)d->exponent + 1, first = whole < count ? whole : count;
        memcpy(p, d->digits, first);
        p += first;
        p += number_zeros(p, (int)(whole - first));
        if (count > whole) {
            *p++ = '.';
            memcpy(p, d->digits + whole, count - whole);
            p += count - whole;
        }
    }
    *p = '\0';
    return (size_t)(p - out);
}

static size_t number_zero_text(char *out, bool negative)
{
    const char *text = negative ? "-0.0" : "0";
    memcpy(out, text, strlen(text) + 1);
    return strlen(text);
}

size_t emberi_double_text(char out[EMBERI_NUMBER_SIZE], double value)
{
    number_decimal d;
    uint64_t       bits;
    memcpy(&bits, &value, sizeof(bits));
    bool negative = bits >> 63 != 0;
    if (value == 0.0)
        return number_zero_text(out, negative);
    number_search_double(&d, negative ? -value : value);
    return number_format(out, &d, negative);
}

size_t emberi_float_text(char out[EMBERI_NUMBER_SIZE], float value)
{
    number_decimal d;
    bool           negative = emberi_bits_of(value) >> 31 != 0;
    if (value == 0.0f)
        return number_zero_text(out, negative);
    float size = negative ? -value : value;
    if (!number_quick_float(&d, size))
        number_search_float(&d, size);
    return number_format(out, &d, negative);
}
