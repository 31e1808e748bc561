/* SPDX-License-Identifier: MIT */
/* Decimal to double. Up to 19 digits go through 64-bit products whose error is known: where that error could
   change the rounding, and only there, the number is compared with the middle between two doubles in exact
   integers. Any bytes may come; at most 770 digits are looked at one by one, all further ones only for not
   being zero. */
#include "base/json/decimal.h"

#include "base/check.h"

typedef struct decimal_power {
    uint64_t mantissa; /* its highest bit is set */
    int16_t  exponent; /* of two */
} decimal_power;

#include "base/json/decimal_powers.h"

#define DECIMAL_STEP 28
#define DECIMAL_FIRST (-13)

/* What is in the text. */
typedef struct decimal_text {
    const uint8_t *digits, *end; /* behind leading zeros; a point may be among them */
    uint64_t       mantissa;     /* the first digits, 19 at most */
    int64_t        exponent;     /* of ten, for the last of those */
    bool           cut;          /* there are more */
    bool           negative;
} decimal_text;

/* ---- the text ---- */

static bool decimal_is_digit(const uint8_t *at, const uint8_t *end)
{
    return at < end && (unsigned)(*at - '0') <= 9u;
}

/* Exponents beyond this are as good as this: no text is so long that its digits make up for it. */
#define DECIMAL_EXPONENT_END ((int64_t)1 << 40)

static const uint8_t *decimal_scan_exponent(decimal_text *out, const uint8_t *at, const uint8_t *end)
{
    const uint8_t *start = at;
    int64_t        value = 0;
    bool           negative = false;
    if (at == end || (*at | 0x20) != 'e')
        return at;
    at++;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (!decimal_is_digit(at, end))
        return start;
    for (; decimal_is_digit(at, end); at++)
        if (value < DECIMAL_EXPONENT_END)
            value = value * 10 + (*at - '0');
    out->exponent += negative ? -value : value;
    return at;
}

/* The digits from `at` on. Of the first 19 that count the mantissa is made. */
static const uint8_t *decimal_scan_digits(decimal_text *out, int *count, const uint8_t *at,
                                          const uint8_t *end, bool fraction)
{
    uint64_t mantissa = out->mantissa;
    int      taken = *count;
    for (; decimal_is_digit(at, end); at++) {
        if (taken < 19) {
            mantissa = mantissa * 10 + (uint64_t)(*at - '0');
            taken += mantissa != 0;
            out->exponent -= fraction;
        } else {
            out->cut = true;
            out->exponent += !fraction;
        }
    }
    out->mantissa = mantissa;
    *count = taken;
    return at;
}

static const uint8_t *decimal_scan(decimal_text *out, const uint8_t *text, const uint8_t *end)
{
    const uint8_t *at = text;
    int            count = 0;
    *out = (decimal_text){.digits = text};
    if (at < end && *at == '-') {
        out->negative = true;
        at++;
    }
    if (!decimal_is_digit(at, end))
        return NULL;
    out->digits = at;
    at = *at == '0' ? at + 1 : decimal_scan_digits(out, &count, at, end, false);
    out->end = at;
    if (at < end && *at == '.' && decimal_is_digit(at + 1, end)) {
        at = decimal_scan_digits(out, &count, at + 1, end, true);
        out->end = at;
    }
    return decimal_scan_exponent(out, at, end);
}

/* ---- exact integers ---- */

/* 2700 bits are the most that is needed: 770 digits, or 5^1095 times 54 bits. */
#define BIG_WORDS 96

typedef struct big {
    uint32_t count;
    uint32_t words[BIG_WORDS];
} big;

static void big_multiply_add(big *b, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (uint32_t i = 0; i < b->count; i++) {
        carry += (uint64_t)b->words[i] * factor;
        b->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        EMBERI_ASSERT(b->count < BIG_WORDS);
        b->words[b->count++] = (uint32_t)carry;
    }
}

static void big_multiply_by_fives(big *b, uint32_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(b, 1220703125u, 0);
    for (; power > 0; power--)
        big_multiply_add(b, 5, 0);
}

static void big_shift(big *b, uint32_t bits)
{
    uint32_t words = bits / 32;
    EMBERI_ASSERT(b->count + words <= BIG_WORDS);
    emberi_move(b->words + words, b->words, b->count * sizeof(b->words[0]));
    emberi_fill(b->words, 0, words * sizeof(b->words[0]));
    b->count += words;
    big_multiply_add(b, (uint32_t)1 << bits % 32, 0);
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

/* All digits as an integer, and its exponent of ten. More digits than 767 never decide but by being there. */
static int64_t big_read(big *out, const decimal_text *d)
{
    int64_t exponent = d->exponent;
    int     count = 0, taken = d->mantissa != 0 ? 19 : 0; /* how many the mantissa has, where it is cut */
    bool    more = false;
    out->count = 0;
    for (const uint8_t *at = d->digits; at < d->end; at++) {
        if (*at == '.' || (count == 0 && *at == '0'))
            continue;
        if (count == 769) {
            more = more || *at != '0';
            continue;
        }
        big_multiply_add(out, 10, (uint32_t)(*at - '0'));
        count++;
    }
    if (!d->cut)
        taken = count;
    if (more) {
        big_multiply_add(out, 10, 1);
        count++;
    }
    return exponent - (count - taken);
}

/* How the number compares with `odd` times two to the `power`. */
static int decimal_compare(const decimal_text *d, uint64_t odd, int32_t power)
{
    big     left, right = {.count = 2, .words = {(uint32_t)odd, (uint32_t)(odd >> 32)}};
    int32_t exponent = (int32_t)big_read(&left, d);
    right.count = odd >> 32 != 0 ? 2 : 1;
    if (exponent >= 0)
        big_multiply_by_fives(&left, (uint32_t)exponent);
    else
        big_multiply_by_fives(&right, (uint32_t)-exponent);
    if (exponent > power)
        big_shift(&left, (uint32_t)(exponent - power));
    else
        big_shift(&right, (uint32_t)(power - exponent));
    return big_compare(&left, &right);
}

/* ---- the double ---- */

static double decimal_from_bits(uint64_t bits)
{
    double value;
    emberi_copy(&value, &bits, sizeof(value));
    return value;
}

/* The upper 64 bits of a product. */
static uint64_t decimal_multiply(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* *mantissa times two to the returned exponent, times a power of five. */
static int32_t decimal_scale(uint64_t *mantissa, int32_t exponent, decimal_power power)
{
    uint64_t product = decimal_multiply(*mantissa, power.mantissa);
    uint32_t zeros = product >> 63 != 0 ? 0 : 1; /* both have their highest bit */
    *mantissa = product << zeros;
    return exponent + power.exponent + 64 - (int32_t)zeros;
}

static uint64_t decimal_round(const decimal_text *d)
{
    int32_t  ten = (int32_t)d->exponent, j = (ten - DECIMAL_FIRST * DECIMAL_STEP) / DECIMAL_STEP;
    uint32_t zeros = emberi_leading_zeros64(d->mantissa);
    uint64_t mantissa = d->mantissa << zeros;
    int32_t  two = ten - (int32_t)zeros;
    int32_t  small = ten - (j + DECIMAL_FIRST) * DECIMAL_STEP;
    two = decimal_scale(&mantissa, two, decimal_small[small]);
    two = decimal_scale(&mantissa, two, decimal_large[j]);
    /* Each product drops less than a unit, the large power is off by half a one, and each may be doubled on
       its way: 8 in all. Digits that were cut are less than one unit of 19 digits, which are 60 bits. */
    const uint64_t off = d->cut ? 8 + 64 : 8;
    /* Doubles are whole multiples of two to -1074, and have 53 bits. */
    int32_t        dropped = two + 11 < -1074 ? -1074 - two : 11;
    if (dropped > 70)
        return 0;
    uint64_t kept = dropped < 64 ? mantissa >> dropped : 0;
    bool     up;
    if (dropped < 64) {
        uint64_t half = (uint64_t)1 << (dropped - 1), rest = mantissa & (2 * half - 1);
        up = rest > half;
        if (rest + off >= half && rest <= half + off) {
            int order = decimal_compare(d, 2 * kept + 1, two + dropped - 1);
            up = order > 0 || (order == 0 && (kept & 1) != 0);
        }
    } else {
        up = decimal_compare(d, 1, -1075) > 0;
    }
    kept += up;
    /* A mantissa that reaches 2^53, or 2^52 from below, carries into the exponent by itself. */
    if (dropped > 11)
        return kept;
    int32_t  biased = two + 11 + 1075;
    uint64_t bits = kept + ((uint64_t)(biased - 1) << 52);
    return biased >= 2047 || bits >= UINT64_C(0x7ff0000000000000) ? UINT64_C(0x7ff0000000000000) : bits;
}

static double decimal_value(const decimal_text *d)
{
    /* Exact in double, as are integers up to 2^53: the one operation that follows rounds once. */
    static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->mantissa == 0)
        return 0.0;
    if (d->mantissa <= (uint64_t)1 << 53 && !d->cut && d->exponent >= -22 && d->exponent <= 22)
        return d->exponent < 0 ? (double)d->mantissa / powers[-d->exponent]
                               : (double)d->mantissa * powers[d->exponent];
    /* Less than half of the smallest, and more than the largest, with any 19 digits in front. */
    if (d->exponent < -345)
        return 0.0;
    if (d->exponent > 308)
        return decimal_from_bits(UINT64_C(0x7ff0000000000000));
    return decimal_from_bits(decimal_round(d));
}

size_t emberi_decimal_read(double *out, const uint8_t *text, const uint8_t *end)
{
    decimal_text   d;
    const uint8_t *behind = decimal_scan(&d, text, end);
    if (behind == NULL)
        return 0;
    *out = d.negative ? -decimal_value(&d) : decimal_value(&d);
    return (size_t)(behind - text);
}
