/* SPDX-License-Identifier: MIT */
/* WebAssembly's arithmetic where C's is not the same: bit counts, rounding, minima, NaNs. No call of libm,
   the same bits from every compiler; rounding is to nearest, as every entry into a game sets it. */
#ifndef EMBER_ENGINE_INTERP_NUMERIC_H
#define EMBER_ENGINE_INTERP_NUMERIC_H

#include "base/bytes.h"

/* NOLINTBEGIN(bugprone-macro-parentheses): types, operators and whole statements are arguments here */
#define EMBERI_SIGN64 UINT64_C(0x8000000000000000)
#define EMBERI_NAN32 0x7fc00000u
#define EMBERI_NAN64 UINT64_C(0x7ff8000000000000)

static inline double emberi_double_of(uint64_t bits)
{
    double value;
    emberi_copy(&value, &bits, sizeof(value));
    return value;
}

static inline uint64_t emberi_bits_of64(double value)
{
    uint64_t bits;
    emberi_copy(&bits, &value, sizeof(bits));
    return bits;
}

static inline uint32_t emberi_clz32(uint32_t x) { return x != 0 ? (uint32_t)__builtin_clz(x) : 32; }
static inline uint32_t emberi_ctz32(uint32_t x) { return x != 0 ? (uint32_t)__builtin_ctz(x) : 32; }
static inline uint64_t emberi_clz64(uint64_t x) { return x != 0 ? (uint64_t)__builtin_clzll(x) : 64; }
static inline uint64_t emberi_ctz64(uint64_t x) { return x != 0 ? (uint64_t)__builtin_ctzll(x) : 64; }

static inline uint32_t emberi_popcnt32(uint32_t x)
{
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

static inline uint64_t emberi_popcnt64(uint64_t x)
{
    return emberi_popcnt32((uint32_t)x) + emberi_popcnt32((uint32_t)(x >> 32));
}

/* Rounding, minimum and maximum for one type. Numbers of 2^BITS and more are whole; the sign of a zero stays;
   adding and taking away 2^BITS rounds to nearest, even. A NaN comes out as some NaN. */
#define EMBERI_NUMERIC(T, type, integer, bits, of, bits_type, LIMIT, SIGN)            \
    static inline type emberi_signed_##T(type value, type like)                       \
    {                                                                                 \
        return of((bits(value) & ~(bits_type)SIGN) | (bits(like) & (bits_type)SIGN)); \
    }                                                                                 \
    static inline type emberi_trunc_##T(type x)                                       \
    {                                                                                 \
        return x > -LIMIT && x < LIMIT ? emberi_signed_##T((type)(integer)x, x) : x;  \
    }                                                                                 \
    static inline type emberi_floor_##T(type x)                                       \
    {                                                                                 \
        type whole = emberi_trunc_##T(x);                                             \
        return whole > x ? whole - (type)1 : whole;                                   \
    }                                                                                 \
    static inline type emberi_ceil_##T(type x)                                        \
    {                                                                                 \
        type whole = emberi_trunc_##T(x);                                             \
        return whole < x ? emberi_signed_##T(whole + (type)1, x) : whole;             \
    }                                                                                 \
    static inline type emberi_nearest_##T(type x)                                     \
    {                                                                                 \
        volatile type shifted;                                                        \
        if (!(x > -LIMIT && x < LIMIT))                                               \
            return x;                                                                 \
        shifted = emberi_signed_##T(x, (type)1) + LIMIT;                              \
        return emberi_signed_##T(shifted - LIMIT, x);                                 \
    }                                                                                 \
    static inline type emberi_min_##T(type x, type y)                                 \
    {                                                                                 \
        return x < y ? x : y < x ? y : x == y ? of(bits(x) | bits(y)) : x + y;        \
    }                                                                                 \
    static inline type emberi_max_##T(type x, type y)                                 \
    {                                                                                 \
        return x < y ? y : y < x ? x : x == y ? of(bits(x) & bits(y)) : x + y;        \
    }

EMBERI_NUMERIC(F32, float, int32_t, emberi_bits_of, emberi_float_of, uint32_t, 8388608.0f, 0x80000000u)
EMBERI_NUMERIC(F64, double, int64_t, emberi_bits_of64, emberi_double_of, uint64_t, 4503599627370496.0,
               EMBERI_SIGN64)

static inline float  emberi_sqrt_F32(float x) { return __builtin_sqrtf(x); }
static inline double emberi_sqrt_F64(double x) { return __builtin_sqrt(x); }

/* NOLINTEND(bugprone-macro-parentheses) */

#endif
