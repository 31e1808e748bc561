/* SPDX-License-Identifier: MIT */
/* Mirroring on a symmetrical rig whose bones point their own axes anywhere, differently on the left and on
   the right. */
#include "exact.h"

#define BONES 11u

/* Hip, spine, head in the middle; the right side comes first for the arms and last for the legs. */
enum { HIP, SPINE, HEAD, ARM_R, ARM_L, HAND_L, HAND_R, LEG_L, FOOT_L, LEG_R, FOOT_R };

static const int16_t    rig_parents[BONES] = {-1,    HIP, SPINE, SPINE, SPINE, ARM_L,
                                              ARM_R, HIP, LEG_L, HIP,   LEG_R};
static const uint16_t   rig_pairs[BONES] = {HIP,    SPINE, HEAD,   ARM_L, ARM_R, HAND_R,
                                            HAND_L, LEG_R, FOOT_R, LEG_L, FOOT_L};
static const ember_vec3 rig_places[BONES] = {{0, 1, 0},           {0, 1.4f, 0.1f},     {0, 1.7f, 0.2f},
                                             {-0.3f, 1.5f, 0},    {0.3f, 1.5f, 0},     {0.8f, 1.1f, 0.3f},
                                             {-0.8f, 1.1f, 0.3f}, {0.15f, 0.9f, 0},    {0.2f, 0.1f, -0.1f},
                                             {-0.15f, 0.9f, 0},   {-0.2f, 0.1f, -0.1f}};

typedef struct rig {
    ember_transform  rest[BONES], pose[BONES], out[BONES];
    int16_t          parents[BONES];
    uint16_t         pairs[BONES];
    ember_mat34     *scratch;
    ember_mirror_job job;
} rig;

static double *coordinate(exact_vec *v, ember_axis axis)
{
    return axis == EMBER_AXIS_X ? &v->x : axis == EMBER_AXIS_Y ? &v->y : &v->z;
}

static exact_vec reflected(exact_vec v, ember_axis axis)
{
    *coordinate(&v, axis) *= -1.0;
    return v;
}

/* The local transform of a bone whose model-space place and orientation are given. */
static ember_transform local_of(ember_quat parent_turn, exact_vec parent_place, ember_quat turn, exact_vec at)
{
    ember_quat back = {-parent_turn.x, -parent_turn.y, -parent_turn.z, parent_turn.w};
    exact_vec  p = exact_rotate(back, exact_sub(at, parent_place));
    return (ember_transform){ember_quat_mul(back, turn), {(float)p.x, (float)p.y, (float)p.z}, {1, 1, 1}};
}

static void rig_make(rig *g, test_random *r, ember_axis axis)
{
    ember_quat turns[BONES];
    exact_vec  places[BONES];
    for (uint32_t i = 0; i < BONES; i++) {
        exact_vec p =
            /* made for x as the mirror's normal; the axes change places for the others */
            exact_from_vec3(rig_places[i]);
        double *x = coordinate(&p, EMBER_AXIS_X), *n = coordinate(&p, axis), swap = *x;
        *x = *n;
        *n = swap;
        g->parents[i] = rig_parents[i];
        g->pairs[i] = rig_pairs[i];
        turns[i] = random_rotation(r);
        places[i] = p;
        g->rest[i] = g->parents[i] < 0 ? local_of((ember_quat){0, 0, 0, 1}, (exact_vec){0, 0, 0}, turns[i], p)
                                       : local_of(turns[g->parents[i]], places[g->parents[i]], turns[i], p);
    }
    memcpy(g->pose, g->rest, sizeof g->pose);
    memset(g->out, 0x55, sizeof g->out);
    g->scratch = test_alloc(3 * BONES * sizeof *g->scratch);
    g->job = (ember_mirror_job){.out = g->out,
                                .pose = g->pose,
                                .rest = g->rest,
                                .parents = g->parents,
                                .pairs = g->pairs,
                                .scratch = g->scratch,
                                .axis = axis,
                                .bone_count = BONES};
}

/* Every bone turned, the hip moved, and sizes of whole branches changed. */
static void rig_pose(rig *g, test_random *r)
{
    for (uint32_t i = 0; i < BONES; i++) {
        g->pose[i] = g->rest[i];
        g->pose[i].rotation = ember_quat_mul(g->rest[i].rotation, random_rotation(r));
    }
    ember_vec3 step = random_vec3(r, 1.0f);
    float      s = test_random_float(r, 0.5f, 2.0f);
    g->pose[HIP].position.x += step.x;
    g->pose[HIP].position.y += step.y;
    g->pose[HIP].position.z += step.z;
    g->pose[ARM_L].scale = (ember_vec3){s, s, s};
}

static void rig_free(rig *g) { free(g->scratch); }

static double pose_difference(const rig *g, const ember_transform *a, const ember_transform *b)
{
    exact_mat ma[BONES], mb[BONES];
    double    worst = 0.0;
    exact_compose(ma, a, g->parents, BONES);
    exact_compose(mb, b, g->parents, BONES);
    for (uint32_t i = 0; i < BONES; i++)
        worst = fmax(worst, exact_difference(&ma[i], &mb[i]));
    return worst;
}

/* ---- what it does ---- */

TEST(mirror_gives_rest_back_as_rest)
{
    test_random r = {301};
    for (int i = 0; i < 150; i++) {
        rig g;
        rig_make(&g, &r, (ember_axis)(i % 3));
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        for (uint32_t b = 0; b < BONES; b++) { /* number by number: the hemisphere too */
            const float *x = &g.out[b].rotation.x, *y = &g.rest[b].rotation.x;
            for (int k = 0; k < 10; k++)
                assert_near((double)x[k], (double)y[k], 5e-6);
        }
        rig_free(&g);
    }
}

TEST(mirror_puts_every_joint_at_its_partners_reflection)
{
    test_random r = {302};
    for (int i = 0; i < 300; i++) {
        rig        g;
        ember_axis axis = (ember_axis)(i % 3);
        exact_mat  before[BONES], after[BONES];
        rig_make(&g, &r, axis);
        rig_pose(&g, &r);
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        exact_compose(before, g.pose, g.parents, BONES);
        exact_compose(after, g.out, g.parents, BONES);
        for (uint32_t b = 0; b < BONES; b++)
            assert_at_most(exact_distance(exact_column(&after[b], 3),
                                          reflected(exact_column(&before[rig_pairs[b]], 3), axis)),
                           2e-5);
        rig_free(&g);
    }
}

/* What is drawn: a point of the skin on one side goes where the mirror image of its partner on the
   other side went. */
TEST(mirror_moves_the_skin_to_its_reflection)
{
    test_random r = {303};
    for (int i = 0; i < 300; i++) {
        rig        g;
        ember_axis axis = (ember_axis)(i % 3);
        exact_mat  rest[BONES], before[BONES], after[BONES];
        rig_make(&g, &r, axis);
        rig_pose(&g, &r);
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        exact_compose(rest, g.rest, g.parents, BONES);
        exact_compose(before, g.pose, g.parents, BONES);
        exact_compose(after, g.out, g.parents, BONES);
        for (uint32_t b = 0; b < BONES; b++) {
            uint32_t  partner = rig_pairs[b];
            exact_mat bind = exact_inverse(&rest[b]), partner_bind = exact_inverse(&rest[partner]);
            exact_vec p = exact_from_vec3(random_vec3(&r, 2.0f)), q = reflected(p, axis);
            exact_vec here = exact_point(&after[b], exact_point(&bind, p));
            exact_vec there = exact_point(&before[partner], exact_point(&partner_bind, q));
            assert_at_most(exact_distance(here, reflected(there, axis)), 5e-5);
        }
        rig_free(&g);
    }
}

TEST(mirror_twice_gives_the_pose_back)
{
    test_random r = {304};
    for (int i = 0; i < 300; i++) {
        rig             g;
        ember_transform original[BONES];
        rig_make(&g, &r, (ember_axis)(i % 3));
        rig_pose(&g, &r);
        memcpy(original, g.pose, sizeof original);
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        assert_true(pose_difference(&g, g.out, original) > 0.1); /* it did something */
        memcpy(g.pose, g.out, sizeof g.pose);
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        assert_at_most(pose_difference(&g, g.out, original), 5e-5);
        rig_free(&g);
    }
}

/* By hand: with all bones along the world's axes, an arm raised about z on the left is one raised about -z on
   the right. */
TEST(mirror_of_a_raised_arm_is_the_other_arm)
{
    rig         g;
    test_random r = {305};
    rig_make(&g, &r, EMBER_AXIS_X);
    for (uint32_t i = 0; i < BONES; i++) {
        int16_t    parent = rig_parents[i];
        ember_vec3 p = rig_places[i], q = parent < 0 ? (ember_vec3){0, 0, 0} : rig_places[parent];
        g.rest[i] = (ember_transform){{0, 0, 0, 1}, {p.x - q.x, p.y - q.y, p.z - q.z}, {1, 1, 1}};
    }
    memcpy(g.pose, g.rest, sizeof g.pose);
    g.pose[ARM_L].rotation = (ember_quat){0, 0, 0.6f, 0.8f};
    g.pose[HIP].position.x += 2.0f;
    assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
    assert_near((double)g.out[ARM_R].rotation.z, -0.6, 1e-6);
    assert_near((double)g.out[ARM_R].rotation.w, 0.8, 1e-6);
    assert_near((double)g.out[ARM_L].rotation.z, 0.0, 1e-6);
    assert_near((double)g.out[ARM_L].rotation.w, 1.0, 1e-6);
    assert_near((double)g.out[HIP].position.x, -2.0, 1e-6);
    assert_near((double)g.out[HIP].position.y, 1.0, 1e-6);
    rig_free(&g);
}

/* Of the ways to write a mirrored or turned bone, the rest pose's own is kept, or blends between the two
   would collapse. */
TEST(mirror_keeps_the_signs_of_the_rest_poses_scales)
{
    static const ember_vec3 signs[] = {{-1, -1, 1}, {1, -1, -1},  {-1, 1, -1},
                                       {1, -1, 1},  {-1, -1, -1}, {1, 1, -1}};
    test_random             r = {306};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        rig g;
        rig_make(&g, &r, EMBER_AXIS_X);
        /* at the end of a branch, where it bends nothing else */
        g.rest[HAND_L].scale = g.pose[HAND_L].scale = signs[i];
        g.rest[HAND_R].scale = g.pose[HAND_R].scale = signs[5 - i];
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        for (uint32_t b = 0; b < BONES; b++) {
            const float *x = &g.out[b].rotation.x, *y = &g.rest[b].rotation.x;
            for (int k = 0; k < 10; k++)
                assert_near((double)x[k], (double)y[k], 5e-6);
        }
        rig_free(&g);
    }
}

TEST(mirror_may_be_written_over_the_rest_pose)
{
    rig         g;
    test_random r = {307};
    rig_make(&g, &r, EMBER_AXIS_Y);
    rig_pose(&g, &r);
    assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
    g.job.out = g.rest;
    assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
    assert_memory_equal(g.rest, g.out, sizeof g.out);
    rig_free(&g);
}

TEST(mirror_of_bones_without_size_stays_finite)
{
    test_random r = {308};
    for (int i = 0; i < 2 * (int)BONES; i++) {
        rig g;
        rig_make(&g, &r, EMBER_AXIS_X);
        rig_pose(&g, &r);
        ember_transform *hidden = (i & 1) != 0 ? g.rest : g.pose;
        hidden[i / 2].scale = (ember_vec3){0, 0, 0};
        assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
        for (uint32_t b = 0; b < BONES; b++) {
            const float *x = &g.out[b].rotation.x;
            for (int k = 0; k < 10; k++)
                assert_true(isfinite(x[k]));
            if ((i & 1) == 0 && b == rig_pairs[i / 2])
                /* hidden still */
                assert_near((double)fabsf(g.out[b].scale.x) + (double)fabsf(g.out[b].scale.y), 0.0, 1e-6);
        }
        rig_free(&g);
    }
}

/* How a bone moved from a rest without size cannot be told: it stays at rest. */
TEST(mirror_leaves_bones_without_size_at_rest)
{
    test_random r = {315};
    rig         g;
    rig_make(&g, &r, EMBER_AXIS_X);
    g.rest[HEAD].scale = g.pose[HEAD].scale = (ember_vec3){0, 0, 0};
    memset(g.scratch, 0x7f, 3 * BONES * sizeof *g.scratch);
    assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
    assert_at_most(pose_difference(&g, g.out, g.rest), 1e-5);
    rig_free(&g);
}

/* ---- rules ---- */

static void check_refused(rig *g)
{
    ember_transform before[BONES], pose[BONES];
    memset(before, 0x55, sizeof before);
    memcpy(pose, g->pose, sizeof pose);
    memset(g->scratch, 0x55, 3 * BONES * sizeof *g->scratch);
    assert_int_equal(ember_mirror_run(&g->job), EMBER_E_ARG);
    assert_memory_equal(g->out, before, sizeof before);
    assert_memory_equal(g->pose, pose, sizeof pose);
    for (size_t i = 0; i < 3 * BONES * sizeof *g->scratch; i++)
        assert_int_equal(((const uint8_t *)g->scratch)[i], 0x55);
}

TEST(mirror_refuses_null)
{
    rig         g;
    test_random r = {309};
    rig_make(&g, &r, EMBER_AXIS_X);
    const ember_mirror_job whole = g.job;
    g.job.out = NULL;
    check_refused(&g);
    g.job = whole;
    g.job.pose = NULL;
    check_refused(&g);
    g.job = whole;
    g.job.rest = NULL;
    check_refused(&g);
    g.job = whole;
    g.job.parents = NULL;
    check_refused(&g);
    g.job = whole;
    g.job.pairs = NULL;
    check_refused(&g);
    g.job = whole;
    g.job.scratch = NULL;
    check_refused(&g);
    g.job = whole;
    assert_int_equal(ember_mirror_run(&g.job), EMBER_OK);
    rig_free(&g);
}

TEST(mirror_of_no_bones_needs_nothing)
{
    ember_mirror_job job = {0};
    assert_int_equal(ember_mirror_run(&job), EMBER_OK);
}

TEST(mirror_refuses_parents_that_are_not_valid)
{
    static const int16_t bad[] = {FOOT_L, FOOT_R, BONES, INT16_MAX, -2, INT16_MIN};
    rig                  g;
    test_random          r = {310};
    rig_make(&g, &r, EMBER_AXIS_X);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.parents[FOOT_L] = bad[i];
        check_refused(&g);
    }
    rig_free(&g);
}

TEST(mirror_refuses_pairs_beyond_the_count)
{
    rig         g;
    test_random r = {311};
    rig_make(&g, &r, EMBER_AXIS_X);
    g.pairs[HEAD] = BONES;
    check_refused(&g);
    g.pairs[HEAD] = UINT16_MAX;
    check_refused(&g);
    rig_free(&g);
}

TEST(mirror_refuses_pairs_that_do_not_point_back)
{
    rig         g;
    test_random r = {312};
    rig_make(&g, &r, EMBER_AXIS_X);
    g.pairs[HEAD] = SPINE;
    check_refused(&g);
    g.pairs[HEAD] = HEAD;
    g.pairs[ARM_L] = ARM_L; /* while its partner still names it */
    check_refused(&g);
    rig_free(&g);
}

TEST(mirror_refuses_to_write_over_the_pose)
{
    rig         g;
    test_random r = {313};
    rig_make(&g, &r, EMBER_AXIS_X);
    g.job.out = g.pose;
    check_refused(&g);
    rig_free(&g);
}

TEST(mirror_refuses_an_axis_that_is_none)
{
    rig         g;
    test_random r = {314};
    rig_make(&g, &r, EMBER_AXIS_X);
    g.job.axis = (ember_axis)3;
    check_refused(&g);
    rig_free(&g);
}
