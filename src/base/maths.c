/* SPDX-License-Identifier: MIT */
/* Sine, cosine, arc cosine and arc tangent of floats: those of real.h, rounded once at the end. Any argument
   is allowed, and NaN is always the same quiet NaN. */
#include "base/maths.h"

#include "base/bytes.h"
#include "base/real.h"

const ember_transform ember_transform_identity = EMBER_TRANSFORM_IDENTITY;
const ember_mat34     ember_mat34_identity = EMBER_MAT34_IDENTITY;

static float maths_nan(void) { return emberi_float_of(0x7fc00000u); }

/* ---- sine and cosine ---- */

/* For finite |x| from 2^20 on: the 24 bits of x times those 96 bits of 2/pi that decide about the quadrant
   and the fraction. Bits above only add whole turns, bits below are too small to matter. */
static real_angle maths_reduce_large(float x)
{
    static const uint32_t two_over_pi[8] = {/* one word of zeros, then the fraction */
                                            0,           0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                            0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};
    uint32_t              bits = emberi_bits_of(x);
    uint32_t              exponent = (bits >> 23) & 0xffu; /* x = digits * 2^(exponent - 150) */
    uint64_t              digits = (bits & 0x7fffffu) | 0x800000u;
    /* 27..134: the bit that stands for 2 after the multiplication */
    uint32_t              start = exponent - 120u;
    const uint32_t       *word = two_over_pi + start / 32u;
    uint32_t              shift = start % 32u;
    uint32_t              window[3];
    for (int i = 0; i < 3; i++)
        window[i] = (uint32_t)((((uint64_t)word[i] << 32 | word[i + 1]) << shift) >> 32);

    uint64_t product = (digits * window[0] << 32) + digits * window[1] + (digits * window[2] >> 32);
    uint32_t quadrant = (uint32_t)(product >> 62);
    uint64_t fraction = product & (UINT64_MAX >> 2); /* of a quadrant, in 62 bits */
    double   rest;
    if (fraction >> 61 != 0) {
        quadrant++;
        rest = -(double)((UINT64_C(1) << 62) - fraction);
    } else {
        rest = (double)fraction;
    }
    rest *= EMBERI_REAL_HALF_PI * 0x1p-62;
    real_angle angle = {rest, quadrant};
    if (bits >> 31 != 0) {
        angle.rest = -rest;
        angle.quadrant = 0u - quadrant;
    }
    return angle;
}

/* Sine of x plus `turn` quarter turns. */
static float maths_sin_turned(float x, uint32_t turn)
{
    if (!emberi_is_finite(x))
        return maths_nan();
    real_angle angle = emberi_abs(x) <= 1048576.0f ? emberi_real_reduce((double)x) : maths_reduce_large(x);
    angle.quadrant += turn;
    return (float)emberi_real_angle_sin(angle);
}

float emberi_sin(float x) { return maths_sin_turned(x, 0); }

float emberi_cos(float x) { return maths_sin_turned(x, 1); }

/* ---- arc tangent and arc cosine ---- */

float emberi_acos(float x)
{
    if (x != x)
        return maths_nan();
    double cosine = (double)emberi_clamp(x, -1.0f, 1.0f);
    double sine = __builtin_sqrt((1.0 - cosine) * (1.0 + cosine));
    return (float)emberi_real_atan2(sine, cosine);
}

float emberi_atan2(float y, float x)
{
    if (x != x || y != y)
        return maths_nan();
    if (x == 0.0f && y == 0.0f)
        return 0.0f;
    /* Beside an infinity every finite number is nothing; two infinities point along the diagonal, as
       in C's atan2. */
    double dx = (double)x, dy = (double)emberi_abs(y);
    bool   far_x = !emberi_is_finite(x), far_y = !emberi_is_finite(y);
    if (far_x || far_y) {
        dx = far_x ? (x < 0.0f ? -1.0 : 1.0) : 0.0;
        dy = far_y ? 1.0 : 0.0;
    }
    float angle = (float)emberi_real_atan2(dy, dx);
    return emberi_bits_of(y) >> 31 != 0 ? -angle : angle;
}
