/* SPDX-License-Identifier: MIT */
/* Matrices: their orders, products and inverses. */
#include "matrices.h"

#define ROOT_HALF 0.70710678118654752f

static void assert_mat(const ember_mat34 *m, const exact_mat *expected, double tolerance)
{
    exact_mat got = exact_from_mat34(m);
    assert_at_most(exact_difference(&got, expected), tolerance);
}

static ember_mat34 random_matrix(test_random *r)
{
    ember_mat34 m;
    for (int i = 0; i < 12; i++)
        m.m[i] = test_random_float(r, -2.0f, 2.0f);
    return m;
}

/* ---- orders ---- */

TEST(mat34_from_transform_is_rotation_times_scale_and_position)
{
    ember_transform t = {{0, 0, ROOT_HALF, ROOT_HALF}, {10, 20, 30}, {2, 3, 4}}; /* a quarter turn about z */
    exact_mat       expected = {{{0, -3, 0, 10}, {2, 0, 0, 20}, {0, 0, 4, 30}}};
    ember_mat34     m = ember_mat34_from_transform(&t);
    assert_mat(&m, &expected, 1e-6);

    test_random r = {1};
    for (int i = 0; i < 5000; i++) {
        ember_transform u = random_placed(&r, 9.0f);
        u.scale = random_vec3(&r, 3.0f);
        expected = exact_from_transform(&u);
        m = ember_mat34_from_transform(&u);
        assert_mat(&m, &expected, 3e-6);
    }
}

TEST(mat43_is_columns_of_three)
{
    static const ember_mat43 columns = {{1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12}};
    ember_mat43              there = ember_mat43_from_mat34(&counting);
    ember_mat34              back = ember_mat34_from_mat43(&columns);
    assert_memory_equal(&there, &columns, sizeof columns);
    assert_memory_equal(&back, &counting, sizeof counting);
}

TEST(mat44_is_columns_of_four_with_a_last_row)
{
    static const ember_mat44 columns = {{1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 12, 1}};
    ember_mat44              there = ember_mat44_from_mat34(&counting);
    ember_mat34              back = ember_mat34_from_mat44(&columns);
    assert_memory_equal(&there, &columns, sizeof columns);
    assert_memory_equal(&back, &counting, sizeof counting);
}

TEST(mat34_from_mat44_takes_the_last_row_for_granted)
{
    static const ember_mat44 columns = {{1, 5, 9, 77, 2, 6, 10, NAN, 3, 7, 11, -1, 4, 8, 12, 2}};
    ember_mat34              back = ember_mat34_from_mat44(&columns);
    assert_memory_equal(&back, &counting, sizeof counting);
}

/* ---- products ---- */

TEST(mat34_mul_is_first_b_then_a)
{
    ember_mat34 turn = {{0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7}},
                stretch = {{2, 0, 0, 1, 0, 3, 0, 1, 0, 0, 4, 1}};
    exact_mat   expected = {{{0, -3, 0, 4}, {2, 0, 0, 7}, {0, 0, 4, 8}}};
    ember_mat34 product = ember_mat34_mul(&turn, &stretch);
    assert_mat(&product, &expected, 0.0);

    test_random r = {2};
    for (int i = 0; i < 5000; i++) {
        ember_mat34 a = random_matrix(&r), b = random_matrix(&r);
        exact_mat   ea = exact_from_mat34(&a), eb = exact_from_mat34(&b);
        expected = exact_mul(&ea, &eb);
        product = ember_mat34_mul(&a, &b);
        assert_mat(&product, &expected, 3e-6);
    }
}

TEST(mat34_mul_has_the_bits_of_its_formula)
{
    test_random r = {3};
    for (int i = 0; i < 1000; i++) {
        ember_mat34 p = random_matrix(&r), l = random_matrix(&r), expected;
        for (int row = 0; row < 3; row++)
            for (int c = 0; c < 4; c++) {
                const float *a = p.m + 4 * row;
                float        last = c == 3 ? a[2] * l.m[8 + c] + a[3] : a[2] * l.m[8 + c];
                expected.m[4 * row + c] = (a[0] * l.m[c] + a[1] * l.m[4 + c]) + last;
            }
        ember_mat34 product = ember_mat34_mul(&p, &l);
        assert_memory_equal(&product, &expected, sizeof expected);
    }
}

TEST(mat34_moves_points_and_only_turns_directions)
{
    ember_vec3 v = {1, 10, 100}, p = ember_mat34_point(&counting, v), d = ember_mat34_direction(&counting, v);
    assert_near((double)p.x, 325, 0.0); /* 1 + 20 + 300 + 4 */
    assert_near((double)p.y, 773, 0.0);
    assert_near((double)p.z, 1221, 0.0);
    assert_near((double)d.x, 321, 0.0);
    assert_near((double)d.y, 765, 0.0);
    assert_near((double)d.z, 1209, 0.0);
}

/* ---- inverses ---- */

TEST(mat34_inverse_agrees_with_gauss_and_jordan)
{
    test_random r = {4};
    int         checked = 0;
    for (int i = 0; i < 5000; i++) {
        ember_mat34 m = random_matrix(&r), back;
        if (fabs(linear_determinant(&m)) < 0.1)
            continue;
        exact_mat expected = exact_from_mat34(&m);
        expected = exact_inverse(&expected);
        assert_true(ember_mat34_inverse(&back, &m));
        assert_mat(&back, &expected, 2e-5);
        checked++;
    }
    assert_true(checked > 4000);
}

TEST(mat34_inverse_works_at_any_size)
{
    static const float sizes[] = {1e-36f, 1e-20f, 1e-6f, 1.0f, 1e6f, 1e20f, 1e36f};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float       s = sizes[i];
        ember_mat34 m = {{0, -2 * s, 0, 4 * s, s, 0, 0, s, 0, 0, 8 * s, 0}}, back, product;
        assert_true(ember_mat34_inverse(&back, &m));
        product = ember_mat34_mul(&back, &m);
        exact_mat expected = exact_from_mat34(&identity);
        assert_mat(&product, &expected, 1e-6);
    }
}

TEST(mat34_inverse_takes_mirrors_and_thin_scales)
{
    ember_mat34 m = {{-1, 0, 0, 3, 0, 1e-12f, 0, 2, 0, 0, 1, 1}}, back;
    exact_mat   expected = {{{-1, 0, 0, 3}, {0, 1e12, 0, -2e12}, {0, 0, 1, -1}}};
    assert_true(ember_mat34_inverse(&back, &m));
    assert_mat(&back, &expected, 1e6);

    test_random r = {24};
    for (int i = 0; i < 500; i++) { /* thin along the bone's axis, then along the world's */
        ember_transform t = random_placed(&r, 1.0f);
        t.scale.y = 1e-8f;
        m = ember_mat34_from_transform(&t);
        assert_true(ember_mat34_inverse(&back, &m));
        t.scale.y = 1.0f;
        m = ember_mat34_from_transform(&t);
        for (int k = 0; k < 4; k++)
            m.m[4 + k] *= 1e-8f;
        assert_true(ember_mat34_inverse(&back, &m));
    }
}

TEST(mat34_inverse_may_be_written_over_its_input)
{
    ember_mat34 m = {{2, 0, 0, 4, 0, 4, 0, 4, 0, 0, 8, 4}};
    exact_mat   expected = {{{0.5, 0, 0, -2}, {0, 0.25, 0, -1}, {0, 0, 0.125, -0.5}}};
    assert_true(ember_mat34_inverse(&m, &m));
    assert_mat(&m, &expected, 0.0);
}

static void check_no_inverse(const ember_mat34 *m)
{
    ember_mat34 out = counting;
    assert_false(ember_mat34_inverse(&out, m));
    assert_memory_equal(&out, &identity, sizeof identity);
}

TEST(mat34_inverse_refuses_what_is_flat)
{
    static const ember_mat34 flat[] = {
        {{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3}},                            /* nothing left */
        {{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}},                            /* a scale of zero */
        {{1, 1, 0, 0, 2, 2, 0, 0, 3, 3, 1, 0}},                            /* two columns the same */
        {{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0}},                            /* a plane */
        {{0.1f, 0.3f, 0.4f, 0, 0.7f, 0.2f, 0.9f, 0, 0.5f, 0.6f, 1.1f, 0}}, /* a plane, up to rounding */
        {{1e-30f, 1e-30f, 0, 0, 1e-30f, 1e-30f, 0, 0, 0, 0, 1e-30f, 0}},   /* tiny and flat */
    };
    for (size_t i = 0; i < sizeof flat / sizeof *flat; i++)
        check_no_inverse(&flat[i]);

    /* a bone without thickness, turned: what composing leaves of a zero scale is rounding */
    test_random r = {5};
    for (int i = 0; i < 1000; i++) {
        ember_transform a = random_placed(&r, 3.0f), b = random_placed(&r, 3.0f);
        a.scale.y = 0.0f;
        b.scale.z = 3.0f;
        ember_mat34 ma = ember_mat34_from_transform(&a), mb = ember_mat34_from_transform(&b);
        ma = ember_mat34_mul(&ma, &mb);
        check_no_inverse(&ma);
    }
}

TEST(mat34_inverse_refuses_what_is_not_finite)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 36; i++) {
        ember_mat34 m = {{1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3}};
        m.m[i % 12] = bad[i / 12];
        check_no_inverse(&m);
    }
    /* its inverse is beyond the largest float */
    ember_mat34 tiny = {{1e-44f, 0, 0, 1, 0, 1e-44f, 0, 2, 0, 0, 1e-44f, 3}};
    check_no_inverse(&tiny);
}
