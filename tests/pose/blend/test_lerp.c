/* SPDX-License-Identifier: MIT */
/* Blending two poses, by nlerp and by slerp: values by hand, agreement with the single functions, and one
   test for each rule of the job. Covers: blend.c. */
#include "pose/blend/blending.h"

static ember_lerp_job good_lerp(void)
{
    fresh();
    return (ember_lerp_job){.out = out, .a = pose_a, .b = pose_b, .t = 0.3f, .bone_count = BONES};
}

TEST(lerp_is_half_way_at_one_half)
{
    ember_transform a = make(turn_none, 1.0f, 1.0f), b = make(turn_z90, 3.0f, 2.0f), mid,
                    expected = make(turn_z45, 2.0f, 1.5f);
    ember_lerp_job job = {.out = &mid, .a = &a, .b = &b, .t = 0.5f, .bone_count = 1};
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    check_near(&mid, &expected, 1e-6f);
    job.method = EMBER_BLEND_SLERP;
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    check_near(&mid, &expected, 1e-6f);
}

TEST(lerp_takes_the_short_way)
{
    ember_transform a = identity, b = identity, mid;
    /* the same quarter turn with the other sign */
    b.rotation = (ember_quat){0.0f, 0.0f, -turn_z90.z, -turn_z90.w};
    ember_lerp_job job = {.out = &mid, .a = &a, .b = &b, .t = 0.5f, .bone_count = 1};
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    check_rotation(mid.rotation, turn_z45, 1e-6f);
    job.method = EMBER_BLEND_SLERP;
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    check_rotation(mid.rotation, turn_z45, 1e-6f);
}

/* A third of a half turn, where nlerp would be 4 degrees off. */
TEST(slerp_has_constant_speed)
{
    ember_transform a = identity, b = identity, third;
    b.rotation = (ember_quat){1.0f, 0.0f, 0.0f, 0.0f};
    ember_lerp_job job =
        {.out = &third, .a = &a, .b = &b, .t = 1.0f / 3.0f, .method = EMBER_BLEND_SLERP, .bone_count = 1};
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    /* 60 degrees about x */
    check_rotation(third.rotation, (ember_quat){0.5f, 0.0f, 0.0f, 0.8660254f}, 1e-6f);
}

/* Slerp by sines in double; the two are made to be on the same side. */
static void slerp_reference(double result[4], ember_quat p, ember_quat q, double t)
{
    double a[4] = {(double)p.x, (double)p.y, (double)p.z, (double)p.w},
           b[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    double la = 0.0, lb = 0.0, dot = 0.0, across = 0.0;
    for (int i = 0; i < 4; i++) {
        la += a[i] * a[i];
        lb += b[i] * b[i];
    }
    for (int i = 0; i < 4; i++) {
        a[i] /= sqrt(la);
        b[i] /= sqrt(lb);
        dot += a[i] * b[i];
    }
    double sign = dot < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) {
        double e = sign * b[i] - fabs(dot) * a[i];
        across += e * e;
    }
    double angle = atan2(sqrt(across), fabs(dot));
    double from = angle < 1e-9 ? 1.0 - t : sin((1.0 - t) * angle) / sin(angle),
           to = angle < 1e-9 ? t : sin(t * angle) / sin(angle);
    for (int i = 0; i < 4; i++)
        result[i] = from * a[i] + sign * to * b[i];
}

/* Both hemispheres, near-parallel down to a millionth, near-opposite, and everything between. */
TEST(slerp_is_right_to_the_last_bits)
{
    test_random r = {77};
    for (int round = 0; round < 20000; round++) {
        ember_transform a = identity, b = identity, got;
        double          expected[4];
        float t = test_random_float(&r, 0.0f, 1.0f), spread = powf(10.0f, -test_random_float(&r, 0.0f, 6.0f));
        a.rotation = random_rotation(&r);
        b.rotation = random_rotation(&r);
        if (round % 2 != 0) { /* close to a, or to its opposite */
            ember_quat q = a.rotation, d = b.rotation;
            q = ember_quat_normalize(
                (ember_quat){q.x + spread * d.x, q.y + spread * d.y, q.z + spread * d.z, q.w + spread * d.w});
            b.rotation = round % 4 == 1 ? q : (ember_quat){-q.x, -q.y, -q.z, -q.w};
        }
        ember_lerp_job job =
            {.out = &got, .a = &a, .b = &b, .t = t, .method = EMBER_BLEND_SLERP, .bone_count = 1};
        assert_int_equal(ember_lerp_run(&job), EMBER_OK);
        slerp_reference(expected, a.rotation, b.rotation, (double)t);
        const float *q = &got.rotation.x;
        for (int i = 0; i < 4; i++)
            if (fabs((double)q[i] - expected[i]) > 3e-7)
                fail_msg("round %d, component %d: %.9g, expected %.9g", round, i, (double)q[i], expected[i]);
    }
}

TEST(lerp_has_the_bits_of_the_single_functions)
{
    ember_lerp_job job = good_lerp();
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_transform expected = ember_transform_lerp(&pose_a[i], &pose_b[i], 0.3f);
        assert_memory_equal(&out[i], &expected, sizeof(expected));
    }
    job.method = EMBER_BLEND_SLERP;
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_quat expected = ember_quat_slerp(pose_a[i].rotation, pose_b[i].rotation, 0.3f);
        assert_memory_equal(&out[i].rotation, &expected, sizeof(expected));
    }
}

TEST(lerp_by_bone_is_each_bones_own_lerp)
{
    for (int method = 0; method < 2; method++) {
        ember_lerp_job job = good_lerp();
        job.weights = weights;
        job.method = (ember_blend_method)method;
        assert_int_equal(ember_lerp_run(&job), EMBER_OK);
        for (int i = 0; i < BONES; i++) {
            ember_transform expected;
            ember_lerp_job  single = {.out = &expected,
                                      .a = &pose_a[i],
                                      .b = &pose_b[i],
                                      .t = weights[i],
                                      .method = job.method,
                                      .bone_count = 1};
            assert_int_equal(ember_lerp_run(&single), EMBER_OK);
            assert_memory_equal(&out[i], &expected, sizeof(expected));
        }
    }
}

TEST(lerp_is_exact_at_both_ends)
{
    ember_lerp_job job = good_lerp();
    for (int end = 0; end < 2; end++) {
        job.t = (float)end;
        assert_int_equal(ember_lerp_run(&job), EMBER_OK);
        for (int i = 0; i < BONES; i++) {
            const ember_transform *expected = end == 0 ? &pose_a[i] : &pose_b[i];
            assert_memory_equal(&out[i].position, &expected->position, 24); /* and the scale behind it */
        }
    }
}

TEST(lerp_accepts_no_bones)
{
    ember_lerp_job job = {0};
    assert_int_equal(ember_lerp_run(&job), EMBER_OK);
}

TEST(lerp_rejects_missing_poses)
{
    ember_lerp_job job = good_lerp();
    job.out = NULL;
    assert_int_equal(ember_lerp_run(&job), EMBER_E_ARG);
    job = good_lerp();
    job.a = NULL;
    assert_int_equal(ember_lerp_run(&job), EMBER_E_ARG);
    job = good_lerp();
    job.b = NULL;
    assert_int_equal(ember_lerp_run(&job), EMBER_E_ARG);
    check_untouched();
}

TEST(lerp_rejects_a_weight_outside_of_0_to_1)
{
    static const float bad[] = {-0.001f, 1.001f, INFINITY, NAN};
    ember_lerp_job     job = good_lerp();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        job.t = bad[i];
        assert_int_equal(ember_lerp_run(&job), EMBER_E_ARG);
    }
    check_untouched();
}

TEST(lerp_rejects_an_unknown_method)
{
    ember_lerp_job job = good_lerp();
    job.method = (ember_blend_method)2;
    assert_int_equal(ember_lerp_run(&job), EMBER_E_ARG);
    check_untouched();
}
