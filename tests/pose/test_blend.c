/* SPDX-License-Identifier: MIT */
/* Blending two poses, any number of poses, and additive layers: values by hand, agreement with the single
   functions, and one test for each rule of the jobs.
   Covers: additive.c. */
#include "poses.h"

#define BONES 13

static const ember_quat      turn_none = {0.0f, 0.0f, 0.0f, 1.0f};
static const ember_quat      turn_z90 = {0.0f, 0.0f, 0.70710678f, 0.70710678f};
static const ember_quat      turn_z45 = {0.0f, 0.0f, 0.38268343f, 0.92387953f};
static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;

static ember_transform make(ember_quat q, float position, float scale)
{
    return (ember_transform){q, {position, 2.0f * position, -position}, {scale, scale, 2.0f * scale}};
}

static void check_rotation(ember_quat got, ember_quat expected, float tolerance)
{
    assert_float_equal(got.x, expected.x, tolerance);
    assert_float_equal(got.y, expected.y, tolerance);
    assert_float_equal(got.z, expected.z, tolerance);
    assert_float_equal(got.w, expected.w, tolerance);
}

static void check_near(const ember_transform *got, const ember_transform *expected, float tolerance)
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

static void fresh(void)
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

static void check_untouched(void) { assert_memory_equal(out, before, sizeof(out)); }

/* ---- two poses ---- */

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

/* ---- any number of poses ---- */

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

/* ---- additive layers ---- */

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
