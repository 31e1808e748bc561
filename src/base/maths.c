/* SPDX-License-Identifier: MIT */
/* Sine, cosine, arc cosine and arc tangent. All of it is double arithmetic with + - * / and the square root
   in a fixed order, rounded to float once at the end; any argument is allowed, and NaN is always the same
   quiet NaN. */
#include "base/maths.h"

#include "base/bytes.h"

#define MATHS_PI 3.141592653589793
#define MATHS_HALF_PI 1.5707963267948966

static float maths_nan(void) { return emberi_float_of(0x7fc00000u); }

/* ---- sine and cosine ---- */

/* An angle as quadrant * pi/2 + rest, |rest| at most a hair over pi/4; only the quadrant's two
   lowest bits count. */
typedef struct maths_angle {
    double   rest;
    uint32_t quadrant;
} maths_angle;

/* For |x| up to 2^20. The high part of pi/2 has 33 bits, so that its product with a quadrant count of 20 bits
   is exact; the low part brings what is missing to 86 bits. */
static maths_angle maths_reduce(double x)
{
    const double high = 0x1.921fb544p+0, low = 0x1.0b4611a626331p-34;
    int32_t      quadrant = (int32_t)(x * 0.6366197723675814 + (x < 0.0 ? -0.5 : 0.5));
    double       n = (double)quadrant;
    maths_angle  angle = {(x - n * high) - n * low, (uint32_t)quadrant};
    return angle;
}

/* For finite |x| from 2^20 on: the 24 bits of x times those 96 bits of 2/pi that decide about the quadrant
   and the fraction. Bits above only add whole turns, bits below are too small to matter. */
static maths_angle maths_reduce_large(float x)
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
    rest *= MATHS_HALF_PI * 0x1p-62;
    maths_angle angle = {rest, quadrant};
    if (bits >> 31 != 0) {
        angle.rest = -rest;
        angle.quadrant = 0u - quadrant;
    }
    return angle;
}

/* The series of Taylor on |r| <= pi/4, far enough that what is left out is below a double's last bit. */
static double maths_sin_near_zero(double r)
{
    double z = r * r;
    double p = -1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r * (1.0 + z * p);
}

static double maths_cos_near_zero(double r)
{
    double z = r * r;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + z * p;
}

/* Sine of x plus `turn` quarter turns. */
static float maths_sin_turned(float x, uint32_t turn)
{
    if (!emberi_is_finite(x))
        return maths_nan();
    maths_angle angle = emberi_abs(x) <= 1048576.0f ? maths_reduce((double)x) : maths_reduce_large(x);
    uint32_t    quadrant = angle.quadrant + turn;
    double value = (quadrant & 1u) != 0 ? maths_cos_near_zero(angle.rest) : maths_sin_near_zero(angle.rest);
    return (float)((quadrant & 2u) != 0 ? -value : value);
}

float emberi_sin(float x) { return maths_sin_turned(x, 0); }

float emberi_cos(float x) { return maths_sin_turned(x, 1); }

/* ---- arc tangent and arc cosine ---- */

/* The angle of the point (x, y), 0..pi, for finite numbers that are not both zero and y >= 0. The point is
   mirrored into the lowest eighth of the circle and then turned back by the nearest of nine angles whose
   tangents are k/8, which leaves a tangent of at most 1/16 for the series. */
static double maths_angle_of(double y, double x)
{
    static const double steps[9] = {0.0,
                                    0x1.fd5ba9aac2f6ep-4,
                                    0x1.f5b75f92c80ddp-3,
                                    0x1.6f61941e4def1p-2,
                                    0x1.dac670561bb4fp-2,
                                    0x1.1e00babdefeb4p-1,
                                    0x1.4978fa3269ee1p-1,
                                    0x1.700a7c5784634p-1,
                                    0x1.921fb54442d18p-1};
    double              side = x < 0.0 ? -x : x;
    double              low = y < side ? y : side, high = y < side ? side : y;
    int                 step = (int)(low / high * 8.0 + 0.5);
    double              tangent = (double)step * 0.125;
    double              u = (low - tangent * high) / (high + tangent * low);
    double              z = u * u;
    double              p = 1.0 / 13.0;
    p = p * z - 1.0 / 11.0;
    p = p * z + 1.0 / 9.0;
    p = p * z - 1.0 / 7.0;
    p = p * z + 1.0 / 5.0;
    p = p * z - 1.0 / 3.0;
    double angle = steps[step] + u * (1.0 + z * p);
    if (y > side)
        angle = MATHS_HALF_PI - angle;
    return x < 0.0 ? MATHS_PI - angle : angle;
}

float emberi_acos(float x)
{
    if (x != x)
        return maths_nan();
    double cosine = (double)emberi_clamp(x, -1.0f, 1.0f);
    double sine = __builtin_sqrt((1.0 - cosine) * (1.0 + cosine));
    return (float)maths_angle_of(sine, cosine);
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
    float angle = (float)maths_angle_of(dy, dx);
    return emberi_bits_of(y) >> 31 != 0 ? -angle : angle;
}
