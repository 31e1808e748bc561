/* SPDX-License-Identifier: MIT */
/* Float arithmetic for predictions in model space: + - * / and roots in a fixed order, so that encoder and
   decoder agree on every machine. No input gives NaN or infinity here: halves of the largest exponent count
   as numbers, and offsets are bounded. */
#ifndef EMBER_SQUEEZE_MODEL_H
#define EMBER_SQUEEZE_MODEL_H

#include "squeeze/squeeze_parts.h"

#define SQUEEZE_UNIT 1446.7405f /* the length of a rotation in units of which 2 are a step of a field */

typedef struct squeeze_quat {
    float v[4]; /* x y z w */
} squeeze_quat;

typedef struct squeeze_vec {
    float v[3];
} squeeze_vec;

EMBERI_INLINE squeeze_quat squeeze_quat_of(uint32_t code)
{
    const float    scale = 1.0f / SQUEEZE_UNIT;
    const uint32_t index = code & 3u;
    const int32_t  u[3] = {2 * squeeze_field(code, 0) - 1023, 2 * squeeze_field(code, 1) - 1023,
                           2 * squeeze_field(code, 2) - 1023};
    const int32_t  rest = 2093058 - u[0] * u[0] - u[1] * u[1] - u[2] * u[2];
    const float    root = emberi_sqrt((float)(rest & ~(rest >> 31))) * scale;
    int32_t        kept[3], bits[4];
    squeeze_quat   q;
    for (int i = 0; i < 3; i++)
        kept[i] = (int32_t)emberi_bits_of((float)u[i] * scale);
    squeeze_spread(bits, index, kept, (int32_t)emberi_bits_of(root));
    for (int i = 0; i < 4; i++)
        q.v[i] = emberi_float_of((uint32_t)bits[i]);
    return q;
}

EMBERI_INLINE squeeze_quat squeeze_conjugate(squeeze_quat q)
{
    return (squeeze_quat){{-q.v[0], -q.v[1], -q.v[2], q.v[3]}};
}

EMBERI_INLINE squeeze_quat squeeze_multiply(squeeze_quat a, squeeze_quat b)
{
    squeeze_quat q;
    q.v[0] = ((a.v[3] * b.v[0] + a.v[0] * b.v[3]) + a.v[1] * b.v[2]) - a.v[2] * b.v[1];
    q.v[1] = ((a.v[3] * b.v[1] - a.v[0] * b.v[2]) + a.v[1] * b.v[3]) + a.v[2] * b.v[0];
    q.v[2] = ((a.v[3] * b.v[2] + a.v[0] * b.v[1]) - a.v[1] * b.v[0]) + a.v[2] * b.v[3];
    q.v[3] = ((a.v[3] * b.v[3] - a.v[0] * b.v[0]) - a.v[1] * b.v[1]) - a.v[2] * b.v[2];
    return q;
}

EMBERI_INLINE squeeze_vec squeeze_rotate(squeeze_quat q, squeeze_vec p)
{
    const float tx = 2.0f * (q.v[1] * p.v[2] - q.v[2] * p.v[1]);
    const float ty = 2.0f * (q.v[2] * p.v[0] - q.v[0] * p.v[2]);
    const float tz = 2.0f * (q.v[0] * p.v[1] - q.v[1] * p.v[0]);
    return (squeeze_vec){{(p.v[0] + q.v[3] * tx) + (q.v[1] * tz - q.v[2] * ty),
                          (p.v[1] + q.v[3] * ty) + (q.v[2] * tx - q.v[0] * tz),
                          (p.v[2] + q.v[3] * tz) + (q.v[0] * ty - q.v[1] * tx)}};
}

/* The half's value; infinity and NaN are read as if their exponent were one like the others. */
EMBERI_INLINE float squeeze_float(uint16_t half)
{
    const float magnitude = emberi_float_of((uint32_t)(half & 0x7fffu) << 13) * 0x1p112f;
    return emberi_float_of(emberi_bits_of(magnitude) | (uint32_t)(half & 0x8000u) << 16);
}

/* To the nearest half, ties to even, no larger than the largest. */
EMBERI_INLINE uint16_t squeeze_half_of(float value)
{
    const uint32_t bits = emberi_bits_of(value), sign = bits >> 16 & 0x8000u;
    uint32_t       magnitude = bits & 0x7fffffffu;
    if (magnitude >= 0x477fe000u)
        return (uint16_t)(sign | 0x7bffu);
    if (magnitude < 0x38800000u) /* a denormal: the addition rounds it to 2^-24 */
        return (uint16_t)(sign | (emberi_bits_of(emberi_float_of(magnitude) + 0.5f) - 0x3f000000u));
    magnitude += 0xc8000fffu + (magnitude >> 13 & 1u);
    return (uint16_t)(sign | magnitude >> 13);
}

EMBERI_INLINE squeeze_vec squeeze_position(const uint8_t *record)
{
    return (squeeze_vec){{squeeze_float(emberi_get_u16(record + 4)),
                          squeeze_float(emberi_get_u16(record + 6)),
                          squeeze_float(emberi_get_u16(record + 8))}};
}

/* A place in the parent's axes, by the parent's rotation and the difference of the positions. */
EMBERI_INLINE squeeze_vec squeeze_local_place(squeeze_quat parent, squeeze_vec parent_position,
                                              squeeze_vec position)
{
    squeeze_vec apart;
    for (int i = 0; i < 3; i++)
        apart.v[i] = position.v[i] - parent_position.v[i];
    return squeeze_rotate(squeeze_conjugate(parent), apart);
}

#endif
