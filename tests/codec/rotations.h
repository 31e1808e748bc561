/* SPDX-License-Identifier: MIT */
/* Random rotations, how far apart two of them are, and such as no encoder may take. */
#ifndef EMBER_TESTS_ROTATIONS_H
#define EMBER_TESTS_ROTATIONS_H

#include "fixtures/rotation.h"

/* The angle of the rotation that leads from a to b, in degrees; both unit. By the chord, as the cosine of a
   small angle tells little. */
static inline double degrees_between(ember_quat a, ember_quat b)
{
    const double p[4] = {(double)a.x, (double)a.y, (double)a.z, (double)a.w};
    const double q[4] = {(double)b.x, (double)b.y, (double)b.z, (double)b.w};
    double       minus = 0.0, plus = 0.0;
    for (int i = 0; i < 4; i++) {
        minus += (p[i] - q[i]) * (p[i] - q[i]);
        plus += (p[i] + q[i]) * (p[i] + q[i]);
    }
    return 4.0 * asin(sqrt(minus < plus ? minus : plus) / 2.0) * (180.0 / 3.14159265358979323846);
}

static inline ember_quat quat_negated(ember_quat q) { return (ember_quat){-q.x, -q.y, -q.z, -q.w}; }

static inline ember_quat quat_times(ember_quat q, float s)
{
    return (ember_quat){q.x * s, q.y * s, q.z * s, q.w * s};
}

static inline bool quat_is_finite(ember_quat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

/* What no encoder may take. */
static const ember_quat bad_rotations[] = {
    {0.0f, 0.0f, 0.0f, 0.0f},    {-0.0f, 0.0f, -0.0f, 0.0f},   {NAN, 0.0f, 0.0f, 1.0f},
    {0.0f, 0.0f, 0.0f, NAN},     {INFINITY, 0.0f, 0.0f, 1.0f}, {0.0f, 1.0f, -INFINITY, 0.0f},
    {NAN, INFINITY, 0.0f, 0.0f}, {NAN, NAN, NAN, NAN},
};
#define BAD_ROTATION_COUNT (sizeof(bad_rotations) / sizeof(bad_rotations[0]))

#endif
