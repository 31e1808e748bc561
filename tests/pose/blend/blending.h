/* SPDX-License-Identifier: MIT */
/* What the tests of blending share: poses, what the jobs write to, and comparing with values by hand. */
#ifndef EMBER_TESTS_BLENDING_H
#define EMBER_TESTS_BLENDING_H

#include "pose/poses.h"

#define BONES 13

static const ember_quat      turn_none = {0.0f, 0.0f, 0.0f, 1.0f};
static const ember_quat      turn_z90 = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
static const ember_quat      turn_z45 = {0.0f, 0.0f, 0.38268343f, 0.92387953f};
static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;

static inline ember_transform make(ember_quat q, float position, float scale)
{
    return (ember_transform){q, {position, 2.0f * position, -position}, {scale, scale, 2.0f * scale}};
}

static inline void check_rotation(ember_quat got, ember_quat expected, float tolerance)
{
    assert_float_equal(got.x, expected.x, tolerance);
    assert_float_equal(got.y, expected.y, tolerance);
    assert_float_equal(got.z, expected.z, tolerance);
    assert_float_equal(got.w, expected.w, tolerance);
}

static inline void check_near(const ember_transform *got, const ember_transform *expected, float tolerance)
{
    const float *a = &got->rotation.x, *b = &expected->rotation.x;
    for (int i = 0; i < 10; i++)
        if (!(fabsf(a[i] - b[i]) <= tolerance))
            fail_msg("float %d of the transform is %.9g, expected %.9g", i, (double)a[i], (double)b[i]);
}

/* What the jobs below write to, and what was there before. */
static ember_transform out[BONES], before[BONES];
static ember_transform pose_a[BONES], pose_b[BONES], pose_c[BONES];
static float           weights[BONES];

static inline void fresh(void)
{
    test_random r = {42};
    test_pose(&r, TEST_REALISTIC, pose_a, BONES);
    test_pose(&r, TEST_REALISTIC, pose_b, BONES);
    test_pose(&r, TEST_REALISTIC, pose_c, BONES);
    for (int i = 0; i < BONES; i++)
        weights[i] = test_random_float(&r, 0.0f, 1.0f);
    memset(out, 0x5a, sizeof(out));
    memcpy(before, out, sizeof(out));
}

static inline void check_untouched(void) { assert_memory_equal(out, before, sizeof(out)); }

#endif
