/* SPDX-License-Identifier: MIT */
/* Additive layers: values by hand, making and applying, and one test for each rule of the jobs. */
#include "pose/blend/blending.h"

TEST(additive_adds_turns_and_multiplies)
{
    ember_transform    base = make(turn_z45, 1.0f, 2.0f), delta = make(turn_z45, 0.5f, 3.0f), got;
    ember_additive_job job = {.out = &got, .base = &base, .delta = &delta, .weight = 1.0f, .bone_count = 1};
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    ember_transform expected = {turn_z90, {1.5f, 3.0f, -1.5f}, {6.0f, 6.0f, 24.0f}};
    check_near(&got, &expected, 1e-6f);
    job.weight = 0.5f;
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    /* half of it: position + 0.25, scale times 1 + (3-1)/2 = 2 and 1 + (6-1)/2 = 3.5, and 22.5 degrees more:
       67.5 in all */
    expected =
        (ember_transform){{0.0f, 0.0f, 0.55557023f, 0.83146961f}, {1.25f, 2.5f, -1.25f}, {4.0f, 4.0f, 14.0f}};
    check_near(&got, &expected, 1e-6f);
    job.weight = 0.0f;
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    check_near(&got, &base, 2e-7f);
    job.weight = -1.0f; /* taken away instead; a turn by nlerp beyond its ends */
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    assert_float_equal(got.position.x, 0.5f, 1e-6f);
    assert_true(got.rotation.z < turn_z45.z);
}

/* delta * base: the delta turns about the parent's axes, which shows where the two turn about
   different ones. */
TEST(additive_turns_after_the_base)
{
    ember_transform    base = identity, delta = identity, got;
    ember_additive_job job = {.out = &got, .base = &base, .delta = &delta, .weight = 1.0f, .bone_count = 1};
    base.rotation = turn_z90;
    delta.rotation = (ember_quat){0.70710678f, 0.0f, 0.0f, 0.70710678f};
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    /* to y by the base, to z by the delta */
    ember_vec3 x = ember_quat_rotate(got.rotation, (ember_vec3){1.0f, 0.0f, 0.0f});
    assert_float_equal(x.x, 0.0f, 1e-6f);
    assert_float_equal(x.y, 0.0f, 1e-6f);
    assert_float_equal(x.z, 1.0f, 1e-6f);
}

TEST(additive_of_the_other_sign_is_the_same)
{
    ember_transform    base = identity, delta = identity, got;
    ember_additive_job job = {.out = &got, .base = &base, .delta = &delta, .weight = 0.5f, .bone_count = 1};
    delta.rotation = (ember_quat){0.0f, 0.0f, -turn_z90.z, -turn_z90.w};
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    check_rotation(got.rotation, turn_z45, 1e-6f);
}

TEST(additive_made_and_applied_gives_the_pose_back)
{
    ember_transform delta[BONES];
    fresh();
    ember_additive_make_job take = {.out = delta, .pose = pose_a, .reference = pose_b, .bone_count = BONES};
    ember_additive_job      put = {.out = out,
                                   .base = pose_b,
                                   .delta = delta,
                                   .weight = 1.0f,
                                   .bone_count = BONES};
    assert_int_equal(ember_additive_make_run(&take), EMBER_OK);
    assert_int_equal(ember_additive_run(&put), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_quat *q = &out[i].rotation, *p = &pose_a[i].rotation;
        if (q->x * p->x + q->y * p->y + q->z * p->z + q->w * p->w < 0.0f)
            *q = (ember_quat){-q->x, -q->y, -q->z, -q->w};
        check_near(&out[i], &pose_a[i], 2e-6f);
    }
}

TEST(additive_make_takes_differences_and_quotients)
{
    ember_transform pose = {turn_z90, {5.0f, 6.0f, 7.0f}, {6.0f, 5.0f, -3.0f}},
                    reference = {turn_z45, {1.0f, 2.0f, 4.0f}, {2.0f, 0.0f, -0.0f}}, got;
    ember_additive_make_job job = {.out = &got, .pose = &pose, .reference = &reference, .bone_count = 1};
    assert_int_equal(ember_additive_make_run(&job), EMBER_OK);
    /* a reference of 0 gives 1 */
    ember_transform expected = {turn_z45, {4.0f, 4.0f, 3.0f}, {3.0f, 1.0f, 1.0f}};
    check_near(&got, &expected, 1e-6f);
}

TEST(additive_mask_is_each_bones_own_weight)
{
    fresh();
    ember_additive_job job =
        {.out = out, .base = pose_a, .delta = pose_b, .mask = weights, .weight = 0.5f, .bone_count = BONES};
    assert_int_equal(ember_additive_run(&job), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_transform    expected;
        ember_additive_job single = {.out = &expected,
                                     .base = &pose_a[i],
                                     .delta = &pose_b[i],
                                     .weight = 0.5f * weights[i],
                                     .bone_count = 1};
        assert_int_equal(ember_additive_run(&single), EMBER_OK);
        assert_memory_equal(&out[i], &expected, sizeof(expected));
    }
}

TEST(additive_accepts_no_bones)
{
    ember_additive_job      put = {0};
    ember_additive_make_job take = {0};
    assert_int_equal(ember_additive_run(&put), EMBER_OK);
    assert_int_equal(ember_additive_make_run(&take), EMBER_OK);
}

TEST(additive_rejects_missing_poses)
{
    fresh();
    ember_additive_job no_out = {.base = pose_a, .delta = pose_b, .bone_count = BONES};
    ember_additive_job no_base = {.out = out, .delta = pose_b, .bone_count = BONES};
    ember_additive_job no_delta = {.out = out, .base = pose_a, .bone_count = BONES};
    assert_int_equal(ember_additive_run(&no_out), EMBER_E_ARG);
    assert_int_equal(ember_additive_run(&no_base), EMBER_E_ARG);
    assert_int_equal(ember_additive_run(&no_delta), EMBER_E_ARG);
    check_untouched();
}

TEST(additive_rejects_a_weight_that_is_not_finite)
{
    static const float bad[] = {INFINITY, -INFINITY, NAN};
    fresh();
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        ember_additive_job job = {.out = out,
                                  .base = pose_a,
                                  .delta = pose_b,
                                  .weight = bad[i],
                                  .bone_count = BONES};
        assert_int_equal(ember_additive_run(&job), EMBER_E_ARG);
    }
    check_untouched();
}

TEST(additive_make_rejects_missing_poses)
{
    fresh();
    ember_additive_make_job no_out = {.pose = pose_a, .reference = pose_b, .bone_count = BONES};
    ember_additive_make_job no_pose = {.out = out, .reference = pose_b, .bone_count = BONES};
    ember_additive_make_job no_reference = {.out = out, .pose = pose_a, .bone_count = BONES};
    assert_int_equal(ember_additive_make_run(&no_out), EMBER_E_ARG);
    assert_int_equal(ember_additive_make_run(&no_pose), EMBER_E_ARG);
    assert_int_equal(ember_additive_make_run(&no_reference), EMBER_E_ARG);
    check_untouched();
}
