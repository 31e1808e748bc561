/* SPDX-License-Identifier: MIT */
/* Rotations of Final Fantasy VII: triples of 4096ths of a turn, R = Ry Rx Rz, to quaternions and back;
   codec/ff7_bits.c reads the triples. In double precision with own mathematics, so that every machine gives
   the same numbers; whatever comes in, what comes out is finite. */
#include "base/real.h"
#include "format/ff7/ff7_parts.h"
#include "format/ff7/ff7_sines.h"

/* Below this the middle angle rounds to a quarter turn, where the other two are one. */
#define GIMBAL_COSINE 7e-4

/* ---- triples to quaternions ---- */

/* Sine and cosine of half the angle; the angle is in 0..4095, so its half is below half a turn. */
static void half_angle(double *sine, double *cosine, int16_t value)
{
    const int32_t quarter = EMBERI_FF7_TURN / 2;
    int32_t       angle = ember_ff7_int(value), fold = angle <= quarter ? angle : EMBERI_FF7_TURN - angle;
    double        rest = ff7_sines[quarter - fold];
    *sine = ff7_sines[fold];
    *cosine = angle <= quarter ? rest : -rest;
}

ember_quat ember_ff7_quat(ember_ff7_triple rotation)
{
    double sx, cx, sy, cy, sz, cz;
    half_angle(&sx, &cx, rotation.x);
    half_angle(&sy, &cy, rotation.y);
    half_angle(&sz, &cz, rotation.z);
    double x = cy * sx, y = sy * cx, z = -(sy * sx), w = cy * cx; /* Ry Rx */
    return (ember_quat){(float)(x * cz + y * sz), (float)(y * cz - x * sz), (float)(w * sz + z * cz),
                        (float)(w * cz - z * sz)};
}

/* ---- and back ---- */

static int32_t steps_of(double radians)
{
    double steps = radians * (EMBERI_FF7_TURN / (2.0 * EMBERI_REAL_PI));
    return (int32_t)(steps < 0.0 ? steps - 0.5 : steps + 0.5);
}

static ember_ff7_triple triple_near(int32_t x, int32_t y, int32_t z, ember_ff7_triple near)
{
    return (ember_ff7_triple){emberi_ff7_next_to(x, near.x), emberi_ff7_next_to(y, near.y),
                              emberi_ff7_next_to(z, near.z)};
}

static int32_t apart(int16_t a, int16_t b)
{
    int32_t difference = (a - b) & (EMBERI_FF7_TURN - 1);
    return difference >= EMBERI_FF7_TURN / 2 ? EMBERI_FF7_TURN - difference : difference;
}

static int32_t triple_apart(ember_ff7_triple a, ember_ff7_triple b)
{
    return apart(a.x, b.x) + apart(a.y, b.y) + apart(a.z, b.z);
}

ember_ff7_triple ember_ff7_from_quat(ember_quat rotation, ember_ff7_triple near)
{
    double q[4];
    emberi_real_quat_from(q, rotation);
    if (!emberi_real_quat_normalize(q))
        return near;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double m00 = 1.0 - 2.0 * (y * y + z * z), m01 = 2.0 * (x * y - z * w), m02 = 2.0 * (x * z + y * w);
    double m10 = 2.0 * (x * y + z * w), m11 = 1.0 - 2.0 * (x * x + z * z), m12 = 2.0 * (y * z - x * w);
    double m22 = 1.0 - 2.0 * (x * x + y * y);
    double cosine = emberi_real_sqrt(m10 * m10 + m11 * m11);
    if (cosine < GIMBAL_COSINE) {
        /* Only the sum or the difference of y and z counts: z stays what it was. */
        int32_t up = m12 < 0.0 ? 1 : -1;
        int32_t sum = up > 0 ? steps_of(emberi_real_atan2(m01, m00)) : steps_of(emberi_real_atan2(-m01, m00));
        return triple_near(up * (EMBERI_FF7_TURN / 4), sum + up * near.z, near.z, near);
    }
    int32_t a = steps_of(emberi_real_atan2(-m12, cosine)), b = steps_of(emberi_real_atan2(m02, m22)),
            c = steps_of(emberi_real_atan2(m10, m11));
    const int32_t    half = EMBERI_FF7_TURN / 2;
    ember_ff7_triple one = triple_near(a, b, c, near),
                     other = triple_near(half - a, b + half, c + half, near);
    return triple_apart(one, near) <= triple_apart(other, near) ? one : other;
}

double emberi_ff7_angle_between(ember_quat a, ember_quat b)
{
    double p[4], q[4], less, more;
    emberi_real_quat_from(p, a);
    emberi_real_quat_from(q, b);
    if (!emberi_real_quat_normalize(p) || !emberi_real_quat_normalize(q))
        return EMBERI_FF7_TURN / 2.0;
    emberi_real_quat_chords(&less, &more, p, q);
    double tangent = emberi_real_sqrt(less <= more ? less / more : more / less);
    return emberi_real_atan(tangent) * 4.0 * (EMBERI_FF7_TURN / (2.0 * EMBERI_REAL_PI));
}

/* ---- the half turn ---- */

ember_transform emberi_ff7_turned(const ember_transform *t)
{
    ember_quat q = t->rotation;
    return (
        ember_transform){{q.w, -q.z, q.y, -q.x}, {t->position.x, -t->position.y, -t->position.z}, t->scale};
}

ember_transform emberi_ff7_turned_back(const ember_transform *t)
{
    ember_quat q = t->rotation;
    return (
        ember_transform){{-q.w, q.z, -q.y, q.x}, {t->position.x, -t->position.y, -t->position.z}, t->scale};
}
