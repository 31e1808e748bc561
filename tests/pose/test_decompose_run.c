/* SPDX-License-Identifier: MIT */
/* A whole pose taken from model space back to local space. */
#include "exact.h"

#define BONES 12u

typedef struct rig {
    ember_transform     pose[BONES], out[BONES];
    ember_mat34         model[BONES];
    int16_t             parents[BONES];
    float               shear;
    ember_decompose_job job;
} rig;

static const int16_t rig_parents[BONES] = {-1, 0, 1, 1, 3, 4, 0, 6, 7, -1, 9, 9};

static void rig_make(rig *g, test_random *r, bool uniform)
{
    for (uint32_t i = 0; i < BONES; i++) {
        g->pose[i] = random_placed(r, 2.0f);
        g->pose[i].scale = random_in_box(r, 0.6f, 1.4f);
        if (uniform)
            g->pose[i].scale.y = g->pose[i].scale.z = g->pose[i].scale.x;
        g->parents[i] = rig_parents[i];
    }
    exact_mat model[BONES];
    exact_compose(model, g->pose, g->parents, BONES);
    for (uint32_t i = 0; i < BONES; i++)
        g->model[i] = exact_to_mat34(&model[i]);
    memset(g->out, 0x55, sizeof g->out);
    g->shear = -1.0f;
    g->job = (ember_decompose_job){.out = g->out,
                                   .model = g->model,
                                   .parents = g->parents,
                                   .shear = &g->shear,
                                   .bone_count = BONES};
}

TEST(decompose_run_gives_back_the_local_pose)
{
    test_random r = {16};
    rig         g;
    for (int i = 0; i < 200; i++) {
        rig_make(&g, &r, true);
        assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
        for (uint32_t b = 0; b < BONES; b++) {
            exact_mat expected = exact_from_transform(&g.pose[b]), got = exact_from_transform(&g.out[b]);
            assert_at_most(exact_difference(&got, &expected), 5e-5);
        }
        assert_near((double)g.shear, 0.0, 5e-6);
    }
}

/* Also under parents that are not scaled evenly: what is local is a TRS there too. */
TEST(decompose_run_undoes_parents_that_are_not_scaled_evenly)
{
    test_random r = {18};
    rig         g;
    for (int i = 0; i < 200; i++) {
        rig_make(&g, &r, false);
        assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
        for (uint32_t b = 0; b < BONES; b++) {
            exact_mat expected = exact_from_transform(&g.pose[b]), got = exact_from_transform(&g.out[b]);
            assert_at_most(exact_difference(&got, &expected), 1e-4);
        }
        assert_near((double)g.shear, 0.0, 2e-5);
    }
}

TEST(decompose_run_reports_the_largest_shear)
{
    ember_mat34 leaning = {{1, 0.6f, 0, 0, 0, 0.8f, 0, 0, 0, 0, 1, 0}};
    test_random r = {19};
    rig         g;
    rig_make(&g, &r, true);
    g.model[9] = leaning; /* a root, whose children do not lean with it */
    assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
    assert_true(g.shear >= 0.6f && g.shear <= 1.0f);
    g.parents[9] = g.parents[10] = g.parents[11] = EMBER_NO_PARENT;
    assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
    assert_near((double)g.shear, 0.6, 1e-6);
}

TEST(decompose_run_gives_identity_below_a_parent_without_inverse)
{
    const ember_transform expected = EMBER_TRANSFORM_IDENTITY;
    test_random           r = {20};
    rig                   g;
    rig_make(&g, &r, true);
    g.model[6].m[1] = g.model[6].m[5] = g.model[6].m[9] = 0.0f;
    assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
    assert_memory_equal(&g.out[7], &expected, sizeof expected);
    exact_mat eight = exact_from_transform(&g.out[8]), was = exact_from_transform(&g.pose[8]);
    assert_at_most(exact_difference(&eight, &was), 5e-5); /* its own parent is whole */
}

TEST(decompose_run_needs_no_place_for_the_shear)
{
    test_random r = {21};
    rig         g;
    rig_make(&g, &r, true);
    g.job.shear = NULL;
    assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
    assert_near((double)g.shear, -1.0, 0.0);
}

TEST(decompose_run_of_no_bones_needs_nothing)
{
    ember_decompose_job job = {0};
    float               shear = 5.0f;
    assert_int_equal(ember_decompose_run(&job), EMBER_OK);
    job.shear = &shear;
    assert_int_equal(ember_decompose_run(&job), EMBER_OK);
    assert_near((double)shear, 0.0, 0.0);
}

static void check_refused(rig *g)
{
    ember_transform before[BONES];
    memset(before, 0x55, sizeof before);
    assert_int_equal(ember_decompose_run(&g->job), EMBER_E_ARG);
    assert_memory_equal(g->out, before, sizeof before);
    assert_near((double)g->shear, -1.0, 0.0);
}

TEST(decompose_run_refuses_null)
{
    test_random r = {22};
    rig         g;
    rig_make(&g, &r, true);
    g.job.out = NULL;
    check_refused(&g);
    g.job.out = g.out;
    g.job.model = NULL;
    check_refused(&g);
    g.job.model = g.model;
    g.job.parents = NULL;
    check_refused(&g);
    g.job.parents = g.parents;
    assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
}

TEST(decompose_run_refuses_parents_that_are_not_valid)
{
    static const int16_t bad[] = {5, 6, 11, INT16_MAX, -2, INT16_MIN};
    test_random          r = {23};
    rig                  g;
    rig_make(&g, &r, true);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.parents[5] = bad[i];
        check_refused(&g);
    }
    g.parents[5] = 4;
    assert_int_equal(ember_decompose_run(&g.job), EMBER_OK);
}
