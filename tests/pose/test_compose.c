/* SPDX-License-Identifier: MIT */
/* Matrices of a pose, the hierarchy down to model space, and the palette: values by hand, the bits of the
   single functions, and one test for each rule of the jobs. Rigs are in test_rig.c. */
#include "poses.h"

#define BONES 29

static const ember_quat turn_z90 = {0.0f, 0.0f, 0.70710678f, 0.70710678f};

static ember_transform pose[BONES];
static int16_t         parents[BONES];
static ember_mat34     out[BONES], before[BONES];

static void fresh(void)
{
    test_random r = {4711};
    test_pose(&r, TEST_REALISTIC, pose, BONES);
    test_parents(&r, parents, BONES);
    memset(out, 0x5a, sizeof(out));
    memcpy(before, out, sizeof(out));
}

static void check_untouched(void) { assert_memory_equal(out, before, sizeof(out)); }

static void check_floats(const float *got, const float *expected, size_t count, float tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabsf(got[i] - expected[i]) <= tolerance))
            fail_msg("float %zu is %.9g, expected %.9g", i, (double)got[i], (double)expected[i]);
}

/* ---- matrices ---- */

TEST(matrices_scale_turn_and_move)
{
    ember_transform    t = {turn_z90, {5.0f, 6.0f, 7.0f}, {2.0f, 3.0f, 4.0f}};
    ember_mat34        m;
    ember_matrices_job job = {&m, &t, 1};
    assert_int_equal(ember_matrices_run(&job), EMBER_OK);
    /* x goes to y, y to -x; the columns carry the scale */
    static const float expected[12] = {0.0f, -3.0f, 0.0f, 5.0f, 2.0f, 0.0f,
                                       0.0f, 6.0f,  0.0f, 0.0f, 4.0f, 7.0f};
    check_floats(m.m, expected, 12, 1e-6f);
}

TEST(matrices_have_the_bits_of_the_single_function)
{
    fresh();
    ember_matrices_job job = {out, pose, BONES};
    assert_int_equal(ember_matrices_run(&job), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_mat34 expected = ember_mat34_from_transform(&pose[i]);
        assert_memory_equal(&out[i], &expected, sizeof(expected));
    }
}

TEST(matrices_accept_no_bones)
{
    ember_matrices_job job = {0};
    assert_int_equal(ember_matrices_run(&job), EMBER_OK);
}

TEST(matrices_reject_missing_buffers)
{
    fresh();
    ember_matrices_job no_out = {NULL, pose, BONES}, no_pose = {out, NULL, BONES};
    assert_int_equal(ember_matrices_run(&no_out), EMBER_E_ARG);
    assert_int_equal(ember_matrices_run(&no_pose), EMBER_E_ARG);
    check_untouched();
}

/* ---- the hierarchy ---- */

TEST(hierarchy_is_valid_with_parents_first)
{
    static const int16_t good[5] = {-1, 0, 0, -1, 3};
    assert_true(ember_hierarchy_valid(good, 5));
    assert_true(ember_hierarchy_valid(good, 0));
    assert_true(ember_hierarchy_valid(NULL, 0));
    assert_false(ember_hierarchy_valid(NULL, 1));
}

/* One wrong parent at each place of a long list, as the check takes many at once. */
TEST(hierarchy_is_not_valid_otherwise)
{
    int16_t list[100];
    for (int i = 0; i < 100; i++)
        list[i] = (int16_t)(i - 1);
    assert_true(ember_hierarchy_valid(list, 100));
    for (int i = 0; i < 100; i++) {
        const int16_t bad[] = {(int16_t)i, (int16_t)(i + 1), 99, 32767, -2, -32768};
        int16_t       good = list[i];
        for (size_t k = 0; k < sizeof(bad) / sizeof(*bad); k++) {
            list[i] = bad[k];
            assert_int_equal(ember_hierarchy_valid(list, 100), bad[k] >= -1 && bad[k] < i);
        }
        list[i] = good;
    }
}

/* A parent is 16 bits wide, the number of bones is not. */
TEST(hierarchy_may_have_more_bones_than_parents_can_name)
{
    const uint32_t count = 40000;
    int16_t       *list = test_alloc(count * sizeof(*list));
    for (uint32_t i = 0; i < count; i++)
        list[i] = (int16_t)(i == 0 ? -1 : i <= 32767 ? (int)i - 1 : 32767);
    assert_true(ember_hierarchy_valid(list, count));
    list[32767] = 32767;
    assert_false(ember_hierarchy_valid(list, count));
    list[32767] = 32766;
    list[39999] = -2;
    assert_false(ember_hierarchy_valid(list, count));
    free(list);
}

/* ---- composing ---- */

static ember_compose_job good_compose(void)
{
    fresh();
    return (ember_compose_job){out, pose, parents, NULL, BONES};
}

static void check_compose_refused(const ember_compose_job *job)
{
    assert_int_equal(ember_compose_run(job), EMBER_E_ARG);
    check_untouched();
}

TEST(compose_stacks_bones_on_their_parents)
{
    /* A quarter turn at the root, twice as large; the child 1 along x ends 2 along y, its own turn adds to a
       half turn. */
    ember_transform   local[2] = {{turn_z90, {10.0f, 0.0f, 0.0f}, {2.0f, 2.0f, 2.0f}},
                                  {turn_z90, {1.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 3.0f}}};
    int16_t           chain[2] = {-1, 0};
    ember_mat34       model[2];
    ember_compose_job job = {model, local, chain, NULL, 2};
    assert_int_equal(ember_compose_run(&job), EMBER_OK);
    static const float root[12] = {0.0f, -2.0f, 0.0f, 10.0f, 2.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 2.0f, 0.0f};
    static const float child[12] = {-2.0f, 0.0f, 0.0f, 10.0f, 0.0f, -2.0f,
                                    0.0f,  2.0f, 0.0f, 0.0f,  6.0f, 0.0f};
    check_floats(model[0].m, root, 12, 1e-5f);
    check_floats(model[1].m, child, 12, 1e-5f);
}

TEST(compose_has_the_bits_of_the_single_functions)
{
    ember_compose_job job = good_compose();
    assert_int_equal(ember_compose_run(&job), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_mat34 expected = ember_mat34_from_transform(&pose[i]);
        if (parents[i] >= 0)
            expected = ember_mat34_mul(&out[parents[i]], &expected);
        assert_memory_equal(&out[i], &expected, sizeof(expected));
    }
}

TEST(compose_accepts_no_bones)
{
    ember_compose_job job = {0};
    assert_int_equal(ember_compose_run(&job), EMBER_OK);
}

TEST(compose_rejects_missing_buffers)
{
    ember_compose_job job = good_compose();
    job.out = NULL;
    check_compose_refused(&job);
    job = good_compose();
    job.pose = NULL;
    check_compose_refused(&job);
    job = good_compose();
    job.parents = NULL;
    check_compose_refused(&job);
}

TEST(compose_rejects_parents_that_are_not_valid)
{
    ember_compose_job job = good_compose();
    parents[7] = 7;
    check_compose_refused(&job);
    parents[7] = -2;
    check_compose_refused(&job);
}

TEST(compose_rejects_more_bones_than_parents_can_name)
{
    const uint32_t   count = 32768;
    ember_transform *many = test_alloc(count * sizeof(*many));
    ember_mat34     *model = test_alloc(count * sizeof(*model));
    int16_t         *roots = test_alloc(count * sizeof(*roots));
    for (uint32_t i = 0; i < count; i++) {
        many[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        roots[i] = EMBER_NO_PARENT;
    }
    ember_compose_job job = {model, many, roots, NULL, count};
    assert_int_equal(ember_compose_run(&job), EMBER_E_ARG);
    job.bone_count--;
    assert_int_equal(ember_compose_run(&job), EMBER_OK);
    free(many);
    free(model);
    free(roots);
}

/* ---- the palette ---- */

TEST(palette_is_model_times_inverse_bind)
{
    test_random r = {8};
    ember_mat34 model[BONES], binds[BONES], rows[BONES];
    ember_mat44 columns[BONES];
    test_numbers(&r, TEST_REALISTIC, model[0].m, BONES * 12, -1.0f, 1.0f);
    test_numbers(&r, TEST_REALISTIC, binds[0].m, BONES * 12, -1.0f, 1.0f);
    ember_palette_job job = {rows, columns, model, binds, BONES, NULL};
    assert_int_equal(ember_palette_run(&job), EMBER_OK);
    for (int i = 0; i < BONES; i++) {
        ember_mat34 expected = ember_mat34_mul(&model[i], &binds[i]);
        assert_memory_equal(&rows[i], &expected, sizeof(expected));
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++) {
                float element = row < 3 ? expected.m[4 * row + column] : column == 3 ? 1.0f : 0.0f;
                assert_true(columns[i].m[4 * column + row] == element);
            }
    }
}

TEST(palette_writes_only_what_is_asked_for)
{
    test_random r = {9};
    ember_mat34 model[BONES], binds[BONES], rows[BONES], both_rows[BONES];
    ember_mat44 columns[BONES], both_columns[BONES];
    test_numbers(&r, TEST_REALISTIC, model[0].m, BONES * 12, -1.0f, 1.0f);
    test_numbers(&r, TEST_REALISTIC, binds[0].m, BONES * 12, -1.0f, 1.0f);
    ember_palette_job both = {both_rows, both_columns, model, binds, BONES, NULL};
    ember_palette_job only_rows = {rows, NULL, model, binds, BONES, NULL},
                      only_columns = {NULL, columns, model, binds, BONES, NULL};
    assert_int_equal(ember_palette_run(&both), EMBER_OK);
    assert_int_equal(ember_palette_run(&only_rows), EMBER_OK);
    assert_int_equal(ember_palette_run(&only_columns), EMBER_OK);
    assert_memory_equal(rows, both_rows, sizeof(rows));
    assert_memory_equal(columns, both_columns, sizeof(columns));
}

TEST(palette_accepts_no_bones)
{
    ember_palette_job job = {0};
    assert_int_equal(ember_palette_run(&job), EMBER_OK);
}

TEST(palette_rejects_missing_buffers)
{
    fresh();
    ember_mat34       in[BONES] = {{{0}}};
    ember_palette_job no_output = {NULL, NULL, in, in, BONES, NULL},
                      no_model = {out, NULL, NULL, in, BONES, NULL},
                      no_binds = {out, NULL, in, NULL, BONES, NULL};
    assert_int_equal(ember_palette_run(&no_output), EMBER_E_ARG);
    assert_int_equal(ember_palette_run(&no_model), EMBER_E_ARG);
    assert_int_equal(ember_palette_run(&no_binds), EMBER_E_ARG);
    check_untouched();
}
