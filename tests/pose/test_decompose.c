/* SPDX-License-Identifier: MIT */
/* A matrix taken apart into rotation, position and scale. */
#include "matrices.h"

/* Matrix to TRS and back again, and the signs where they belong. Returns what it came apart into. */
static ember_transform check_round_trip(const ember_mat34 *m, double tolerance)
{
    ember_transform t;
    float           shear = ember_mat34_decompose(&t, m);
    exact_mat       expected = exact_from_mat34(m), got = exact_from_transform(&t);
    assert_at_most(exact_difference(&got, &expected), tolerance);
    assert_near((double)shear, 0.0, 2e-6);
    double length = (double)t.rotation.x * (double)t.rotation.x +
                    (double)t.rotation.y * (double)t.rotation.y +
                    (double)t.rotation.z * (double)t.rotation.z + (double)t.rotation.w * (double)t.rotation.w;
    assert_near(length, 1.0, 5e-7);
    assert_true(linear_determinant(m) < 0.0 ? t.scale.x < 0.0f : t.scale.x > 0.0f);
    assert_true(t.scale.y > 0.0f && t.scale.z > 0.0f);
    return t;
}

TEST(decompose_gives_back_random_transforms)
{
    test_random r = {6};
    for (int i = 0; i < 20000; i++) {
        ember_transform t = random_placed(&r, 9.0f);
        t.scale = random_in_box(&r, 0.1f, 4.0f);
        ember_mat34     m = ember_mat34_from_transform(&t);
        ember_transform u = check_round_trip(&m, 4e-6);
        float dot = t.rotation.x * u.rotation.x + t.rotation.y * u.rotation.y + t.rotation.z * u.rotation.z +
                    t.rotation.w * u.rotation.w;
        assert_near(fabs((double)dot), 1.0, 1e-6); /* either hemisphere: the matrix does not know */
        assert_near((double)u.scale.x, (double)t.scale.x, 4e-6);
        assert_near((double)u.scale.y, (double)t.scale.y, 4e-6);
        assert_near((double)u.scale.z, (double)t.scale.z, 4e-6);
        assert_memory_equal(&u.position, &t.position, sizeof t.position);
    }
}

/* Each component of the quaternion the largest once, by either sign, and all of them equal. */
TEST(decompose_finds_every_rotation)
{
    static const float small[] = {0.0f, 1e-7f, -1e-7f, 1e-4f, -0.3f, 0.5f};
    for (int largest = 0; largest < 4; largest++)
        for (int i = 0; i < 2 * 6 * 6 * 6; i++) {
            float q[4];
            int   at = i / 2;
            for (int k = 0; k < 4; k++) {
                q[k] = k == largest ? 1.0f : small[at % 6];
                at = k == largest ? at : at / 6;
            }
            if ((i & 1) != 0)
                q[largest] = -1.0f;
            ember_transform t = {ember_quat_normalize((ember_quat){q[0], q[1], q[2], q[3]}),
                                 {0, 0, 0},
                                 {1, 2, 0.5f}};
            ember_mat34     m = ember_mat34_from_transform(&t);
            check_round_trip(&m, 3e-6);
        }
}

TEST(decompose_finds_half_turns)
{
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                if (x == 0 && y == 0 && z == 0)
                    continue;
                ember_transform t = {ember_quat_normalize((ember_quat){(float)x, (float)y, (float)z, 0}),
                                     {1, 2, 3},
                                     {1, 3, 2}};
                ember_mat34     m = ember_mat34_from_transform(&t);
                check_round_trip(&m, 2e-6);
            }
}

TEST(decompose_keeps_a_mirror_in_x)
{
    test_random r = {8};
    for (int i = 0; i < 8000; i++) {
        float x = (i & 1) != 0 ? -1.0f : 1.0f, y = (i & 2) != 0 ? -1.5f : 1.5f,
              z = (i & 4) != 0 ? -0.5f : 0.5f;
        ember_transform t = random_placed(&r, 9.0f);
        t.scale = (ember_vec3){x, y, z};
        ember_mat34     m = ember_mat34_from_transform(&t);
        ember_transform u = check_round_trip(&m, 3e-6);
        assert_near((double)u.scale.x, x * y * z < 0.0f ? -1.0 : 1.0, 2e-6);
        assert_near((double)u.scale.y, 1.5, 3e-6);
        assert_near((double)u.scale.z, 0.5, 1e-6);
    }
}

TEST(decompose_takes_tiny_and_huge_scales)
{
    static const float sizes[] = {1e-35f, 1e-20f, 1e-10f, 1e-3f, 1.0f, 1e3f, 1e10f, 1e20f, 1e37f};
    test_random        r = {9};
    for (int x = 0; x < 9; x++)
        for (int y = 0; y < 9; y++)
            for (int z = 0; z < 9; z++) {
                ember_transform t = {random_rotation(&r), {0, 0, 0}, {sizes[x], sizes[y], sizes[z]}}, u;
                ember_mat34     m = ember_mat34_from_transform(&t);
                assert_near((double)ember_mat34_decompose(&u, &m), 0.0, 2e-6);
                assert_near((double)u.scale.x / (double)t.scale.x, 1.0, 2e-6);
                assert_near((double)u.scale.y / (double)t.scale.y, 1.0, 2e-6);
                assert_near((double)u.scale.z / (double)t.scale.z, 1.0, 2e-6);
                float dot = t.rotation.x * u.rotation.x + t.rotation.y * u.rotation.y +
                            t.rotation.z * u.rotation.z + t.rotation.w * u.rotation.w;
                assert_near(fabs((double)dot), 1.0, 1e-6);
            }
}

TEST(decompose_takes_the_largest_floats)
{
    ember_mat34     m = {{0, -3.4e38f, 0, 3.4e38f, 2e38f, 0, 0, 0, 0, 0, 1e-45f, 0}};
    ember_transform t;
    assert_near((double)ember_mat34_decompose(&t, &m), 0.0, 0.0);
    assert_near((double)t.scale.x / 2e38, 1.0, 1e-6);
    assert_near((double)t.scale.y / 3.4e38, 1.0, 1e-6);
    assert_near((double)t.scale.z / (double)1e-45f, 1.0, 0.0);
    assert_near(fabs((double)t.rotation.z), sqrt(0.5), 1e-6);
}

TEST(decompose_reports_shear)
{
    static const double angles[] = {0.001, 0.1, 0.5, 1.0, 1.5};
    for (int i = 0; i < 5; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            /* z leans by the angle towards x, or away from it; lengths do not matter */
            ember_mat34     m = {{3, 0, (float)(sign * 5 * sin(angles[i])), 0, 0, 1, 0, 0, 0, 0,
                                  (float)(5 * cos(angles[i])), 0}};
            ember_transform t;
            assert_near((double)ember_mat34_decompose(&t, &m), sin(angles[i]), 3e-7);
        }
    ember_mat34     together = {{1, 0, 2, 0, 1, 0, 2, 0, 0, 1, 0, 0}};
    ember_transform t;
    assert_near((double)ember_mat34_decompose(&t, &together), 1.0, 2e-7);
    assert_near((double)ember_mat34_decompose(&t, &identity), 0.0, 0.0);
}

/* What is left of m when a rotation and the best scales for it are taken off, squared: what the nearest TRS
   has least of. */
static double left_over(const exact_mat *m, double basis[3][3])
{
    double left = 0.0;
    for (int i = 0; i < 3; i++) {
        double along = 0.0;
        for (int k = 0; k < 3; k++) {
            along += basis[k][i] * m->m[k][i];
            left += m->m[k][i] * m->m[k][i];
        }
        left -= along * along;
    }
    return fmax(left, 0.0);
}

/* The nearest rotation to a matrix (with a determinant above 0) by Newton's iteration: the mean of it and of
   the transpose of its inverse. */
static void polar(double out[3][3], const double in[3][3])
{
    exact_mat x = {{{0}}};
    for (int i = 0; i < 9; i++)
        x.m[i / 3][i % 3] = in[i / 3][i % 3];
    for (int step = 0; step < 60; step++) {
        exact_mat back = exact_inverse(&x);
        for (int i = 0; i < 9; i++)
            x.m[i / 3][i % 3] = 0.5 * (x.m[i / 3][i % 3] + back.m[i % 3][i / 3]);
    }
    for (int i = 0; i < 9; i++)
        out[i / 3][i % 3] = x.m[i / 3][i % 3];
}

/* The least that can be left over, found another way than the library's: by turns the best rotation for the
   scales, and the best scales for the rotation, until nothing changes. */
static double least_left_over(const exact_mat *m)
{
    double basis[3][3], scaled[3][3], s[3] = {1, 1, 1};
    for (int round = 0; round < 400; round++) {
        for (int i = 0; i < 9; i++)
            scaled[i / 3][i % 3] = m->m[i / 3][i % 3] * s[i % 3];
        polar(basis, (const double(*)[3])scaled);
        for (int i = 0; i < 3; i++)
            s[i] = basis[0][i] * m->m[0][i] + basis[1][i] * m->m[1][i] + basis[2][i] * m->m[2][i];
    }
    return left_over(m, basis);
}

/* A bone of a scaled rig under a parent that is scaled by other factors: where shear comes from. */
static ember_mat34 sheared_matrix(test_random *r, float amount)
{
    ember_transform a = random_placed(r, 1.0f), b = random_placed(r, 1.0f);
    a.scale = random_in_box(r, 1.0f - amount, 1.0f + amount);
    b.scale = random_in_box(r, 1.0f - amount, 1.0f + amount);
    exact_mat ma = exact_from_transform(&a), mb = exact_from_transform(&b);
    ma = exact_mul(&ma, &mb);
    return exact_to_mat34(&ma);
}

TEST(decompose_leaves_the_least_that_can_be_left)
{
    static const float amounts[] = {0.05f, 0.3f, 0.7f};
    test_random        r = {10};
    for (int i = 0; i < 600; i++) {
        ember_mat34     m = sheared_matrix(&r, amounts[i % 3]);
        ember_transform t;
        ember_mat34_decompose(&t, &m);
        exact_mat source = exact_from_mat34(&m), got = exact_from_transform(&t);
        double    least = least_left_over(&source), left = 0.0;
        for (int k = 0; k < 9; k++) {
            double d = got.m[k / 3][k % 3] - source.m[k / 3][k % 3];
            left += d * d;
        }
        assert_at_most(sqrt(left), sqrt(least) * 1.0001 + 1e-6);
    }
}

/* The shear of a mirrored matrix is that of the matrix with its x turned round. */
TEST(decompose_of_a_mirrored_shear_is_the_mirrored_one)
{
    test_random r = {12};
    for (int i = 0; i < 500; i++) {
        ember_mat34     m = sheared_matrix(&r, 0.4f), n = m;
        ember_transform t, u;
        for (int row = 0; row < 3; row++)
            n.m[4 * row] = -n.m[4 * row];
        float shear = ember_mat34_decompose(&t, &m);
        assert_near((double)ember_mat34_decompose(&u, &n), (double)shear, 0.0);
        assert_memory_equal(&t.rotation, &u.rotation, sizeof t.rotation);
        assert_near((double)u.scale.x, -(double)t.scale.x, 0.0);
        assert_memory_equal(&t.scale.y, &u.scale.y, 2 * sizeof(float));
    }
}

TEST(decompose_with_a_zero_column_takes_the_rotation_from_the_others)
{
    test_random r = {14};
    for (int i = 0; i < 3000; i++) {
        ember_transform t = random_placed(&r, 9.0f), u;
        t.scale = (ember_vec3){1.5f, 2.5f, 0.5f};
        float *scales[] = {&t.scale.x, &t.scale.y, &t.scale.z},
              *found[] = {&u.scale.x, &u.scale.y, &u.scale.z};
        *scales[i % 3] = 0.0f;
        ember_mat34 m = ember_mat34_from_transform(&t);
        assert_near((double)ember_mat34_decompose(&u, &m), 0.0, 2e-6);
        assert_near((double)*found[i % 3], 0.0, 0.0);
        exact_mat expected = exact_from_mat34(&m), got = exact_from_transform(&u);
        assert_at_most(exact_difference(&got, &expected), 3e-6);
        float dot = t.rotation.x * u.rotation.x + t.rotation.y * u.rotation.y + t.rotation.z * u.rotation.z +
                    t.rotation.w * u.rotation.w;
        assert_near(fabs((double)dot), 1.0, 1e-6);
    }
}

TEST(decompose_with_one_column_left_points_its_axis_there)
{
    test_random r = {15};
    for (int i = 0; i < 3000; i++) {
        ember_transform t = random_placed(&r, 9.0f), u;
        t.scale = (ember_vec3){0, 0, 0};
        float *scales[] = {&t.scale.x, &t.scale.y, &t.scale.z};
        *scales[i % 3] = 2.0f;
        ember_mat34 m = ember_mat34_from_transform(&t);
        assert_near((double)ember_mat34_decompose(&u, &m), 0.0, 0.0);
        exact_mat expected = exact_from_mat34(&m), got = exact_from_transform(&u);
        assert_at_most(exact_difference(&got, &expected), 3e-6);
    }
}

TEST(decompose_of_nothing_is_identity_with_scale_zero)
{
    ember_mat34     m = {{0, 0, 0, 1, 0, 0, -0.0f, 2, 0, 0, 0, 3}};
    ember_transform t, expected = {{0, 0, 0, 1}, {1, 2, 3}, {0, 0, 0}};
    assert_near((double)ember_mat34_decompose(&t, &m), 0.0, 0.0);
    assert_memory_equal(&t.rotation, &expected.rotation, sizeof t.rotation);
    assert_memory_equal(&t.position, &expected.position, sizeof t.position);
    assert_true(t.scale.x == 0.0f && t.scale.y == 0.0f && t.scale.z == 0.0f);
}

/* Columns that fall together have no nearest rotation of their own; it must still be one, and
   as near as any. */
TEST(decompose_of_columns_that_fall_together_stays_finite)
{
    static const ember_mat34 cases[] = {
        {{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}},          {{1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0}},
        {{1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0}},          {{1, 1, 1e-9f, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        {{1, -2, 3, 0, 1e-8f, 0, 0, 0, 0, 1e-8f, 0, 0}}, {{1, 0.8f, 0, 0, 0, 0, 0, 0, 0, 0, -0.5f, 0}},
        {{-2, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ember_transform t;
        assert_near((double)ember_mat34_decompose(&t, &cases[i]), 1.0, 2e-7);
        exact_mat got = exact_from_transform(&t), source = exact_from_mat34(&cases[i]);
        double    left = 0.0, all = 0.0, q = 0.0;
        for (int k = 0; k < 9; k++) {
            left += pow(got.m[k / 3][k % 3] - source.m[k / 3][k % 3], 2.0);
            all += pow(source.m[k / 3][k % 3], 2.0);
        }
        q = pow((double)t.rotation.x, 2) + pow((double)t.rotation.y, 2) + pow((double)t.rotation.z, 2) +
            pow((double)t.rotation.w, 2);
        assert_near(q, 1.0, 1e-6);
        assert_true(t.scale.x >= 0.0f && (i == 1 || i == 4 || t.scale.y >= 0.0f) && t.scale.z >= 0.0f);
        assert_at_most(left, 0.67 * all + 1e-6); /* three equal columns leave two thirds at the least */
    }
}

TEST(decompose_of_what_is_not_finite_is_identity)
{
    const float           bad[] = {NAN, INFINITY, -INFINITY};
    const ember_transform expected = EMBER_TRANSFORM_IDENTITY;
    for (int i = 0; i < 36; i++) {
        ember_mat34     m = counting;
        ember_transform t;
        m.m[i % 12] = bad[i / 12];
        assert_near((double)ember_mat34_decompose(&t, &m), 1.0, 0.0);
        assert_memory_equal(&t, &expected, sizeof t);
    }
}
