/* SPDX-License-Identifier: MIT */
/* What reaching and looking refuse, each leaving the pose as it was. */
#include "ik_rig.h"

/* ---- reaching ---- */

static void check_refused(rig *g)
{
    g->reached = true;
    assert_int_equal(ember_ik_two_bone_run(&g->job), EMBER_E_ARG);
    assert_memory_equal(g->pose, g->before, sizeof g->pose);
    assert_true(g->reached);
    rig_jobs(g);
    g->job.target = (ember_vec3){0, 2, 0};
}

TEST(two_bone_refuses_null)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.pose = NULL;
    check_refused(&g);
    g.job.model = NULL;
    check_refused(&g);
    g.job.parents = NULL;
    check_refused(&g);
    assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
}

TEST(two_bone_refuses_bones_beyond_the_count)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.end = BONES;
    check_refused(&g);
    g.job.mid = BONES;
    check_refused(&g);
    g.job.start = UINT32_MAX;
    check_refused(&g);
    g.job.bone_count = END; /* the hand is the first that is not there */
    check_refused(&g);
    g.job.bone_count = 0;
    check_refused(&g);
}

TEST(two_bone_refuses_bones_that_are_not_in_one_line)
{
    static const uint32_t bad[][3] = {{MID, START, END},  {START, END, MID},   {START, START, END},
                                      {START, MID, MID},  {START, MID, OTHER}, {OTHER, MID, END},
                                      {ROLL, START, END}, {START, OTHER, END}};
    rig                   g;
    rig_plain(&g, 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.job.start = bad[i][0];
        g.job.mid = bad[i][1];
        g.job.end = bad[i][2];
        check_refused(&g);
    }
    static const int16_t parents[] = {WRIST, END, BONES, INT16_MAX, -2, INT16_MIN};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        g.parents[WRIST] = parents[i]; /* its own, later, outside, before none */
        check_refused(&g);
    }
    g.parents[WRIST] = MID;
    g.parents[START] = BONES;
    check_refused(&g);
    g.parents[START] = SPINE;
    assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
}

TEST(two_bone_refuses_weights_and_softening_outside_0_to_1)
{
    const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.job.weight = bad[i];
        check_refused(&g);
        g.job.soften = bad[i];
        check_refused(&g);
    }
}

TEST(two_bone_refuses_a_target_or_pole_that_is_not_finite)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.job.target.x = bad[i];
        check_refused(&g);
        g.job.target.y = bad[i];
        check_refused(&g);
        g.job.target.z = bad[i];
        check_refused(&g);
        g.job.pole.x = bad[i];
        check_refused(&g);
        g.job.pole.y = bad[i];
        check_refused(&g);
        g.job.pole.z = bad[i];
        check_refused(&g);
    }
}

/* ---- looking ---- */

static void check_aim_refused(rig *g)
{
    assert_int_equal(ember_ik_aim_run(&g->aim), EMBER_E_ARG);
    assert_memory_equal(g->pose, g->before, sizeof g->pose);
    rig_jobs(g);
    g->aim.target = (ember_vec3){0, 2, 0};
}

TEST(aim_refuses_null)
{
    rig g;
    rig_plain(&g, 0.3);
    g.aim.pose = NULL;
    check_aim_refused(&g);
    g.aim.model = NULL;
    check_aim_refused(&g);
    g.aim.parents = NULL;
    check_aim_refused(&g);
    assert_int_equal(ember_ik_aim_run(&g.aim), EMBER_OK);
}

TEST(aim_refuses_a_bone_beyond_the_count)
{
    rig g;
    rig_plain(&g, 0.3);
    g.aim.bone = BONES;
    check_aim_refused(&g);
    g.aim.bone_count = END;
    check_aim_refused(&g);
    g.aim.bone_count = 0;
    g.aim.bone = 0;
    check_aim_refused(&g);
    g.parents[END] = BONES; /* nor a parent there */
    check_aim_refused(&g);
    g.parents[END] = -2;
    check_aim_refused(&g);
}

TEST(aim_refuses_forward_zero)
{
    rig g;
    rig_plain(&g, 0.3);
    g.aim.forward = (ember_vec3){0, -0.0f, 0};
    check_aim_refused(&g);
}

TEST(aim_refuses_a_weight_outside_0_to_1)
{
    const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 0.3);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.aim.weight = bad[i];
        check_aim_refused(&g);
    }
}

TEST(aim_refuses_vectors_that_are_not_finite)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 0.3);
    for (int i = 0; i < 45; i++) {
        ember_vec3 *vectors[] = {&g.aim.target, &g.aim.forward, &g.aim.up, &g.aim.pole, &g.aim.offset};
        float      *numbers[] = {&vectors[i / 9]->x, &vectors[i / 9]->y, &vectors[i / 9]->z};
        *numbers[i % 3] = bad[i / 3 % 3];
        check_aim_refused(&g);
    }
}
