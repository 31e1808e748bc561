/* SPDX-License-Identifier: MIT */
/* Vectors and rotations one at a time, for the code of this room that is not lanes. Sums are associated as
   the kernels associate them; nothing here checks its input, and what is not finite stays so unless a
   function says otherwise. */
#ifndef EMBER_POSE_VEC_H
#define EMBER_POSE_VEC_H

#include "base/bytes.h"
#include "base/maths.h"
#include "ember/base.h"

/* ---- sign bits ---- */

/* x with the sign bit of y xored in: the lanes' way of choosing the shorter path, right for zeros of both
   signs too. */
EMBERI_INLINE float emberi_xor_sign(float x, float y)
{
    return emberi_float_of(emberi_bits_of(x) ^ (emberi_bits_of(y) & 0x80000000u));
}

EMBERI_INLINE bool emberi_sign_bit(float x) { return emberi_bits_of(x) >> 31 != 0; }

/* ---- vectors ---- */

EMBERI_INLINE ember_vec3 emberi_vec3(float x, float y, float z) { return (ember_vec3){x, y, z}; }

EMBERI_INLINE ember_vec3 emberi_vec3_add(ember_vec3 a, ember_vec3 b)
{
    return emberi_vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}
EMBERI_INLINE ember_vec3 emberi_vec3_sub(ember_vec3 a, ember_vec3 b)
{
    return emberi_vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}
EMBERI_INLINE ember_vec3 emberi_vec3_mul(ember_vec3 a, ember_vec3 b)
{
    return emberi_vec3(a.x * b.x, a.y * b.y, a.z * b.z);
}
EMBERI_INLINE ember_vec3 emberi_vec3_scale(ember_vec3 a, float k)
{
    return emberi_vec3(a.x * k, a.y * k, a.z * k);
}
EMBERI_INLINE ember_vec3 emberi_vec3_negate(ember_vec3 a) { return emberi_vec3(-a.x, -a.y, -a.z); }

EMBERI_INLINE float emberi_vec3_dot(ember_vec3 a, ember_vec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

EMBERI_INLINE ember_vec3 emberi_vec3_cross(ember_vec3 a, ember_vec3 b)
{
    return emberi_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

EMBERI_INLINE bool emberi_vec3_is_finite(ember_vec3 a)
{
    return emberi_is_finite(a.x) && emberi_is_finite(a.y) && emberi_is_finite(a.z);
}

EMBERI_INLINE bool emberi_vec3_is_zero(ember_vec3 a) { return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f; }

/* The power of two that brings a squared length back into the middle of a float's range; 1 for ordinary ones,
   so that they keep their bits. */
EMBERI_INLINE float emberi_square_guard(float squared)
{
    if (squared < 1e-20f)
        return 0x1p90f;
    return squared > 1e30f ? 0x1p-80f : 1.0f;
}

/* Right for tiny and for huge vectors, whose squares a float does not hold. */
EMBERI_INLINE float emberi_vec3_length(ember_vec3 a)
{
    float guard = emberi_square_guard(emberi_vec3_dot(a, a));
    a = emberi_vec3_scale(a, guard);
    return emberi_sqrt(emberi_vec3_dot(a, a)) / guard;
}

/* False, and *out as it was, where the vector is zero or not finite. */
EMBERI_INLINE bool emberi_vec3_unit(ember_vec3 *out, ember_vec3 a)
{
    a = emberi_vec3_scale(a, emberi_square_guard(emberi_vec3_dot(a, a)));
    float squared = emberi_vec3_dot(a, a);
    if (!(squared > 0.0f) || !emberi_is_finite(squared))
        return false;
    *out = emberi_vec3_scale(a, 1.0f / emberi_sqrt(squared));
    return true;
}

/* Some unit vector at a right angle to the unit vector a. The smaller of y and z is never more than its
   half, squared. */
EMBERI_INLINE ember_vec3 emberi_vec3_perpendicular(ember_vec3 a)
{
    bool       y = emberi_abs(a.y) <= emberi_abs(a.z);
    ember_vec3 axis = emberi_vec3(0.0f, y ? 1.0f : 0.0f, y ? 0.0f : 1.0f), out = axis;
    emberi_vec3_unit(&out, emberi_vec3_cross(axis, a));
    return out;
}

/* The direction of what of `v` stands at a right angle to the unit vector `axis`; false, and *out as it was,
   where that is less than a millionth of it. */
EMBERI_INLINE bool emberi_vec3_across(ember_vec3 *out, ember_vec3 v, ember_vec3 axis)
{
    ember_vec3 unit;
    if (!emberi_vec3_unit(&unit, v))
        return false;
    for (int pass = 0; pass < 2; pass++) { /* the second takes off what rounding left of the first */
        unit = emberi_vec3_sub(unit, emberi_vec3_scale(axis, emberi_vec3_dot(unit, axis)));
        if (emberi_vec3_dot(unit, unit) < 1e-12f || !emberi_vec3_unit(&unit, unit))
            return false;
    }
    *out = unit;
    return true;
}

/* ---- rotations ---- */

EMBERI_INLINE float emberi_quat_dot(ember_quat a, ember_quat b)
{
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

EMBERI_INLINE ember_quat emberi_quat_scale(ember_quat a, float k)
{
    return (ember_quat){a.x * k, a.y * k, a.z * k, a.w * k};
}

EMBERI_INLINE ember_quat emberi_quat_from_parts(ember_vec3 v, float w)
{
    return (ember_quat){v.x, v.y, v.z, w};
}

/* The cosine and sine of an angle become those of its half, in -90..90 degrees, without losing either where
   it is small. */
EMBERI_INLINE void emberi_half_angle(float *cosine, float *sine)
{
    if (*cosine >= 0.0f) {
        float half = emberi_sqrt(0.5f * (1.0f + *cosine));
        *sine = *sine / (half + half);
        *cosine = half;
    } else {
        float half = emberi_sqrt(0.5f * (1.0f - *cosine));
        *cosine = emberi_abs(*sine) / (half + half);
        *sine = emberi_xor_sign(half, *sine);
    }
}

/* ---- matrices ---- */

EMBERI_INLINE bool emberi_mat34_is_finite(const ember_mat34 *m)
{
    for (int i = 0; i < 12; i++)
        if (!emberi_is_finite(m->m[i]))
            return false;
    return true;
}

EMBERI_INLINE ember_vec3 emberi_mat34_translation(const ember_mat34 *m)
{
    return emberi_vec3(m->m[3], m->m[7], m->m[11]);
}

EMBERI_INLINE ember_vec3 emberi_mat34_column(const ember_mat34 *m, int i)
{
    return emberi_vec3(m->m[i], m->m[4 + i], m->m[8 + i]);
}

#endif
