/* SPDX-License-Identifier: MIT */
/* Blending any number of poses: values by hand, masks, layers without weight, and one test for each rule of
   the job. */
#include "pose/blend/blending.h"

static void run_blend(const ember_blend_layer *layers, uint32_t layer_count, const ember_transform *rest,
                      uint32_t bone_count)
{
    ember_blend_job job = {.out = out,
                           .layers = layers,
                           .layer_count = layer_count,
                           .rest = rest,
                           .bone_count = bone_count};
    assert_int_equal(ember_blend_run(&job), EMBER_OK);
}

TEST(blend_is_the_weighted_mean)
{
    ember_transform a = make(turn_none, 1.0f, 1.0f), b = make(turn_none, 5.0f, 2.0f),
                    c = make(turn_none, 9.0f, 3.0f);
    /* weights 1, 2, 1: (1 + 10 + 9)/4 = 5; (1 + 4 + 3)/4 = 2 */
    const ember_blend_layer layers[3] = {{&a, 1.0f, NULL}, {&b, 2.0f, NULL}, {&c, 1.0f, NULL}};
    ember_transform         expected = make(turn_none, 5.0f, 2.0f);
    fresh();
    run_blend(layers, 3, NULL, 1);
    check_near(&out[0], &expected, 0.0f);
}

TEST(blend_mixes_rotations_of_any_sign)
{
    ember_transform a = identity, b = identity, c = identity;
    b.rotation = (ember_quat){0.0f, 0.0f, -turn_z90.z, -turn_z90.w};
    c.rotation = (ember_quat){0.0f, 0.0f, -turn_z45.z, -turn_z45.w};
    /* as much of nothing as of a quarter turn, and some of the middle */
    const ember_blend_layer layers[3] = {{&a, 1.0f, NULL}, {&b, 1.0f, NULL}, {&c, 0.5f, NULL}};
    fresh();
    run_blend(layers, 3, NULL, 1);
    check_rotation(out[0].rotation, turn_z45, 1e-6f);
}

TEST(blend_of_one_is_that_pose)
{
    fresh();
    const ember_blend_layer layers[3] = {{pose_c, 0.0f, NULL}, {pose_a, 0.3f, NULL}, {pose_b, 0.0f, NULL}};
    run_blend(layers, 3, NULL, BONES);
    for (int i = 0; i < BONES; i++) {
        assert_memory_equal(&out[i].position, &pose_a[i].position, 24);
        check_rotation(out[i].rotation, pose_a[i].rotation, 2e-7f);
    }
}

TEST(blend_needs_no_weights_that_sum_to_1)
{
    ember_transform         first[BONES];
    const ember_blend_layer small[2] = {{pose_a, 0.25f, NULL}, {pose_b, 0.75f, NULL}};
    const ember_blend_layer large[2] = {{pose_a, 1e30f, NULL}, {pose_b, 3e30f, NULL}};
    fresh();
    run_blend(small, 2, NULL, BONES);
    memcpy(first, out, sizeof(first));
    run_blend(large, 2, NULL, BONES);
    for (int i = 0; i < BONES; i++)
        check_near(&out[i], &first[i], 1e-6f);
}

/* A state machine's idle layers may hold anything. */
TEST(blend_does_not_look_at_layers_without_weight)
{
    ember_transform nothing[BONES], first[BONES];
    fresh();
    memset(nothing, 0xff, sizeof(nothing)); /* NaN */
    const ember_blend_layer alone[2] = {{pose_a, 1.0f, NULL}, {pose_b, 2.0f, NULL}};
    const ember_blend_layer beside[4] = {{nothing, 0.0f, NULL},
                                         {pose_a, 1.0f, NULL},
                                         {nothing, 0.0f, NULL},
                                         {pose_b, 2.0f, NULL}};
    run_blend(alone, 2, NULL, BONES);
    memcpy(first, out, sizeof(first));
    run_blend(beside, 4, NULL, BONES);
    assert_memory_equal(out, first, sizeof(first));
}

/* Few layers have loops of their own; layers without weight lead around them. */
TEST(blend_has_the_same_bits_for_few_layers_and_for_many)
{
    fresh();
    for (uint32_t count = 1; count <= 4; count++)
        for (int masked = 0; masked < 2; masked++) {
            const float      *mask = masked != 0 ? weights : NULL;
            ember_blend_layer layers[6] = {{pose_a, 0.5f, mask},
                                           {pose_b, 0.25f, mask},
                                           {pose_c, 1.25f, NULL},
                                           {pose_a, 0.125f, mask}};
            ember_transform   few[BONES];
            ember_blend_job   job = {.out = few, .layers = layers, .layer_count = count, .bone_count = BONES};
            assert_int_equal(ember_blend_run(&job), EMBER_OK);
            layers[count] = layers[count + 1] = (ember_blend_layer){pose_b, 0.0f, NULL};
            for (uint32_t i = count + 2; i < 6; i++)
                layers[i] = layers[count];
            job.out = out;
            job.layer_count = 6;
            assert_int_equal(ember_blend_run(&job), EMBER_OK);
            assert_memory_equal(out, few, sizeof(few));
        }
}

TEST(blend_without_any_weight_is_the_rest_pose)
{
    fresh();
    const ember_blend_layer layers[2] = {{pose_a, 0.0f, NULL}, {pose_b, 0.0f, NULL}};
    run_blend(layers, 2, pose_c, BONES);
    assert_memory_equal(out, pose_c, sizeof(out));
    run_blend(layers, 2, NULL, BONES); /* no rest: the first layer's */
    assert_memory_equal(out, pose_a, sizeof(out));
}

TEST(blend_with_masks_of_1_is_blend_without)
{
    ember_transform first[BONES];
    float           ones[BONES];
    for (int i = 0; i < BONES; i++)
        ones[i] = 1.0f;
    fresh();
    ember_blend_layer layers[3] = {{pose_a, 0.7f, NULL}, {pose_b, 0.2f, NULL}, {pose_c, 1.3f, NULL}};
    run_blend(layers, 3, NULL, BONES);
    memcpy(first, out, sizeof(first));
    layers[0].mask = layers[2].mask = ones;
    run_blend(layers, 3, NULL, BONES);
    assert_memory_equal(out, first, sizeof(first));
}

/* Bone by bone: a where b is masked out, b where a is, the mean where both count, the rest pose
   where none does. */
TEST(blend_masks_single_bones)
{
    float mask_a[BONES] = {1.0f, 0.0f, 1.0f, 0.0f}, mask_b[BONES] = {0.0f, 1.0f, 3.0f, 0.0f};
    fresh();
    const ember_blend_layer layers[2] = {{pose_a, 0.5f, mask_a}, {pose_b, 0.5f, mask_b}};
    run_blend(layers, 2, pose_c, BONES);
    assert_memory_equal(&out[0].position, &pose_a[0].position, 24);
    assert_memory_equal(&out[1].position, &pose_b[1].position, 24);
    ember_transform quarter = ember_transform_lerp(&pose_a[2], &pose_b[2], 0.75f);
    check_near(&out[2], &quarter, 1e-6f);
    for (int i = 3; i < BONES; i++)
        assert_memory_equal(&out[i], &pose_c[i], sizeof(out[i]));
    run_blend(layers, 2, NULL, BONES); /* no rest: the first layer's */
    assert_memory_equal(&out[3], &pose_a[3], sizeof(out[3]));
}

TEST(blend_does_not_look_at_masked_bones)
{
    float mask[BONES];
    fresh();
    for (int i = 0; i < BONES; i++) {
        mask[i] = i % 2 == 0 ? 0.0f : 1.0f;
        if (i % 2 == 0)
            memset(&pose_b[i], 0xff, sizeof(pose_b[i]));
    }
    const ember_blend_layer layers[2] = {{pose_a, 0.5f, NULL}, {pose_b, 0.5f, mask}};
    run_blend(layers, 2, NULL, BONES);
    for (int i = 0; i < BONES; i += 2)
        check_near(&out[i], &pose_a[i], 2e-7f);
}

static ember_blend_layer good_layers[2];

static ember_blend_job good_blend(void)
{
    fresh();
    good_layers[0] = (ember_blend_layer){pose_a, 0.5f, NULL};
    good_layers[1] = (ember_blend_layer){pose_b, 0.5f, weights};
    return (ember_blend_job){.out = out, .layers = good_layers, .layer_count = 2, .bone_count = BONES};
}

static void check_blend_refused(const ember_blend_job *job)
{
    assert_int_equal(ember_blend_run(job), EMBER_E_ARG);
    check_untouched();
}

TEST(blend_accepts_what_the_rules_allow)
{
    ember_blend_job job = good_blend();
    assert_int_equal(ember_blend_run(&job), EMBER_OK);
    good_layers[0].pose = good_layers[1].pose = NULL;
    job.out = NULL;
    job.bone_count = 0;
    assert_int_equal(ember_blend_run(&job), EMBER_OK);
}

TEST(blend_rejects_a_missing_output)
{
    ember_blend_job job = good_blend();
    job.out = NULL;
    check_blend_refused(&job);
}

TEST(blend_rejects_missing_layers)
{
    ember_blend_job job = good_blend();
    job.layers = NULL;
    check_blend_refused(&job);
    job = good_blend();
    job.layer_count = 0;
    check_blend_refused(&job);
}

TEST(blend_rejects_a_missing_pose)
{
    ember_blend_job job = good_blend();
    good_layers[1].pose = NULL;
    check_blend_refused(&job);
}

TEST(blend_rejects_weights_that_are_none)
{
    static const float bad[] = {-0.001f, INFINITY, NAN};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        ember_blend_job job = good_blend();
        good_layers[1].weight = bad[i];
        check_blend_refused(&job);
    }
}

TEST(blend_rejects_a_sum_of_weights_that_is_infinite)
{
    ember_blend_job job = good_blend();
    good_layers[0].weight = good_layers[1].weight = 3e38f;
    check_blend_refused(&job);
}
