/* SPDX-License-Identifier: MIT */
/* Single rotations and transforms, against hand-made values and double precision. */
#include "exact.h"
#include "pose/vec.h"

#define ROOT_HALF 0.70710678118654752f

static const ember_quat identity = {0.0f, 0.0f, 0.0f, 1.0f};

static double quat_distance(ember_quat a, ember_quat b)
{
    double d[4] = {(double)a.x - (double)b.x, (double)a.y - (double)b.y, (double)a.z - (double)b.z,
                   (double)a.w - (double)b.w};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]);
}

static double quat_length(ember_quat q) { return quat_distance(q, (ember_quat){0.0f, 0.0f, 0.0f, 0.0f}); }

static ember_quat negated(ember_quat q) { return (ember_quat){-q.x, -q.y, -q.z, -q.w}; }

static void assert_same_quat(ember_quat a, ember_quat b) { assert_memory_equal(&a, &b, sizeof a); }

static void assert_vec(ember_vec3 v, double x, double y, double z, double tolerance)
{
    assert_near((double)v.x, x, tolerance);
    assert_near((double)v.y, y, tolerance);
    assert_near((double)v.z, z, tolerance);
}

/* ---- rotations ---- */

TEST(quat_mul_is_hamiltons)
{
    ember_quat i = {1, 0, 0, 0}, j = {0, 1, 0, 0}, k = {0, 0, 1, 0};
    assert_at_most(quat_distance(ember_quat_mul(i, j), k), 0.0);
    assert_at_most(quat_distance(ember_quat_mul(j, i), negated(k)), 0.0);
    assert_at_most(quat_distance(ember_quat_mul(j, k), i), 0.0);
    assert_at_most(quat_distance(ember_quat_mul(k, i), j), 0.0);
    assert_at_most(quat_distance(ember_quat_mul(i, i), negated(identity)), 0.0);
}

TEST(quat_mul_turns_first_by_b_then_by_a)
{
    ember_quat about_x = {ROOT_HALF, 0, 0, ROOT_HALF}, about_y = {0, ROOT_HALF, 0, ROOT_HALF};
    /* y goes to z about x, then z to x about y */
    assert_vec(ember_quat_rotate(ember_quat_mul(about_y, about_x), (ember_vec3){0, 1, 0}), 1, 0, 0, 1e-6);
}

TEST(quat_conjugate_undoes_a_rotation)
{
    test_random r = {7};
    for (int i = 0; i < 1000; i++) {
        ember_quat q = random_rotation(&r);
        assert_at_most(quat_distance(ember_quat_mul(q, ember_quat_conjugate(q)), identity), 3e-7);
    }
}

TEST(quat_normalize_gives_length_one_in_the_same_direction)
{
    static const float sizes[] = {1e-44f, 1e-38f, 1e-30f, 1e-11f, 1e-3f,  1.0f,
                                  3.0f,   1e10f,  1e16f,  1e30f,  1.5e38f};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        float      s = sizes[i];
        ember_quat q = ember_quat_normalize((ember_quat){0.0f, -s, s, 2.0f * s});
        double     digit = i == 0 ? 0.1 : 1e-6; /* 1e-44 is seven times the least float */
        assert_near((double)q.y, -1.0 / sqrt(6.0), digit);
        assert_near((double)q.z, 1.0 / sqrt(6.0), digit);
        assert_near((double)q.w, 2.0 / sqrt(6.0), digit);
        assert_near(quat_length(q), 1.0, 2e-7);
    }
}

TEST(quat_normalize_gives_identity_for_zero_and_what_is_not_finite)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    assert_same_quat(ember_quat_normalize((ember_quat){0, 0, 0, 0}), identity);
    assert_same_quat(ember_quat_normalize((ember_quat){-0.0f, 0, -0.0f, 0}), identity);
    for (int i = 0; i < 12; i++) {
        float q[4] = {0.5f, 0.5f, 0.5f, 0.5f};
        q[i % 4] = bad[i / 4];
        assert_same_quat(ember_quat_normalize((ember_quat){q[0], q[1], q[2], q[3]}), identity);
    }
}

TEST(quat_rotate_agrees_with_rodrigues)
{
    test_random r = {11};
    for (int i = 0; i < 10000; i++) {
        ember_quat q = random_rotation(&r);
        ember_vec3 v = random_vec3(&r, 10.0f);
        exact_vec  expected = exact_rotate(q, exact_from_vec3(v));
        assert_at_most(exact_distance(exact_from_vec3(ember_quat_rotate(q, v)), expected), 5e-6);
    }
}

/* ---- between two rotations ---- */

/* By acos and sin in double, the short way. */
static ember_quat double_slerp(ember_quat a, ember_quat b, double t)
{
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                 (double)a.w * (double)b.w;
    double sign = dot < 0.0 ? -1.0 : 1.0, angle = acos(fmin(fabs(dot), 1.0)), u = 1.0 - t, v = t;
    if (angle > 1e-9) {
        u = sin((1.0 - t) * angle) / sin(angle);
        v = sin(t * angle) / sin(angle);
    }
    double q[4] = {u * (double)a.x + sign * v * (double)b.x, u * (double)a.y + sign * v * (double)b.y,
                   u * (double)a.z + sign * v * (double)b.z, u * (double)a.w + sign * v * (double)b.w};
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (ember_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                        (float)(q[3] / length)};
}

static ember_quat double_nlerp(ember_quat a, ember_quat b, double t)
{
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                 (double)a.w * (double)b.w;
    double u = 1.0 - t, v = dot < 0.0 ? -t : t;
    double q[4] = {u * (double)a.x + v * (double)b.x, u * (double)a.y + v * (double)b.y,
                   u * (double)a.z + v * (double)b.z, u * (double)a.w + v * (double)b.w};
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return (ember_quat){(float)(q[0] / length), (float)(q[1] / length), (float)(q[2] / length),
                        (float)(q[3] / length)};
}

/* A rotation beside q: `size` is about how far, in quaternion units. */
static ember_quat rotation_near(test_random *r, ember_quat q, float size)
{
    ember_vec3 v = random_vec3(r, size);
    ember_quat step = {v.x, v.y, v.z, 1};
    return ember_quat_normalize(ember_quat_mul(q, step));
}

TEST(quat_slerp_agrees_with_acos_and_sin)
{
    static const float sizes[] = {0.0f, 1e-7f, 1e-5f, 1e-3f, 0.1f, 1.0f, 100.0f};
    test_random        r = {3};
    for (int i = 0; i < 70000; i++) {
        ember_quat a = random_rotation(&r), b = rotation_near(&r, a, sizes[i % 7]);
        float      t = test_random_float(&r, 0, 1);
        if ((i & 1) != 0)
            b = negated(b);
        assert_at_most(quat_distance(ember_quat_slerp(a, b, t), double_slerp(a, b, (double)t)), 4e-7);
    }
}

TEST(quat_nlerp_agrees_with_double)
{
    static const float sizes[] = {0.0f, 1e-7f, 1e-5f, 1e-3f, 0.1f, 1.0f, 100.0f};
    test_random        r = {5};
    for (int i = 0; i < 70000; i++) {
        ember_quat a = random_rotation(&r), b = rotation_near(&r, a, sizes[i % 7]);
        float      t = test_random_float(&r, 0, 1);
        if ((i & 1) != 0)
            b = negated(b);
        assert_at_most(quat_distance(ember_quat_nlerp(a, b, t), double_nlerp(a, b, (double)t)), 4e-7);
    }
}

/* The formula of the kernels, written out: what a lane must give too. */
TEST(quat_nlerp_has_the_bits_of_its_formula)
{
    test_random r = {13};
    for (int i = 0; i < 10000; i++) {
        ember_quat a = random_rotation(&r), b = random_rotation(&r), q;
        float      t = test_random_float(&r, 0, 1), u = 1.0f - t;
        float      dot = (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w), ts = signbit(dot) ? -t : t;
        q = (ember_quat){a.x * u + b.x * ts, a.y * u + b.y * ts, a.z * u + b.z * ts, a.w * u + b.w * ts};
        float inverse = 1.0f / sqrtf((q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w));
        q = (ember_quat){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
        assert_same_quat(ember_quat_nlerp(a, b, t), q);
    }
}

TEST(quat_lerps_arrive_at_both_ends)
{
    test_random r = {17};
    for (int i = 0; i < 2000; i++) {
        ember_quat a = random_rotation(&r), b = random_rotation(&r);
        double     dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                     (double)a.w * (double)b.w;
        ember_quat end = dot < 0.0 ? negated(b) : b;
        assert_at_most(quat_distance(ember_quat_nlerp(a, b, 0.0f), a), 2e-7);
        assert_at_most(quat_distance(ember_quat_nlerp(a, b, 1.0f), end), 2e-7);
        assert_at_most(quat_distance(ember_quat_slerp(a, b, 0.0f), a), 2e-7);
        assert_at_most(quat_distance(ember_quat_slerp(a, b, 1.0f), end), 2e-7);
    }
}

TEST(quat_lerps_take_the_short_way)
{
    /* 45 degrees about z, from the far hemisphere */
    ember_quat a = identity, b = {0, 0, -0.38268343f, -0.92387953f};
    ember_quat half = {0, 0, 0.19509032f, 0.98078528f};
    assert_at_most(quat_distance(ember_quat_nlerp(a, b, 0.5f), half), 2e-7);
    assert_at_most(quat_distance(ember_quat_slerp(a, b, 0.5f), half), 2e-7);
    /* opposite signs: the same rotation */
    assert_at_most(quat_distance(ember_quat_slerp(a, negated(a), 0.5f), a), 2e-7);
    assert_at_most(quat_distance(ember_quat_nlerp(a, negated(a), 0.5f), a), 2e-7);
}

/* Half a turn apart both ways are equally long: the sign bit of the dot decides, also when it is a zero. */
TEST(quat_lerps_decide_half_turns_by_the_sign_bit)
{
    ember_quat a = {0, 0, 0, 1}, b = {1, 0, 0, 0}, minus = {-1.0f, -0.0f, -0.0f, -0.0f};
    ember_quat plus_way = {ROOT_HALF, 0, 0, ROOT_HALF};
    assert_at_most(quat_distance(ember_quat_nlerp(a, b, 0.5f), plus_way), 2e-7);
    assert_at_most(quat_distance(ember_quat_slerp(a, b, 0.5f), plus_way), 2e-7);
    /* 0*-1 + 0*-0 + 0*-0 + 1*-0 is a sum of negative zeros */
    assert_at_most(quat_distance(ember_quat_nlerp(a, minus, 0.5f), plus_way), 2e-7);
    assert_at_most(quat_distance(ember_quat_slerp(a, minus, 0.5f), plus_way), 2e-7);
}

TEST(quat_slerp_has_constant_speed)
{
    ember_quat a = identity, b = {0.98480775f, 0, 0, 0.17364818f}; /* 160 degrees about x */
    for (int i = 0; i <= 16; i++) {
        ember_quat q = ember_quat_slerp(a, b, (float)i / 16.0f);
        assert_near(2.0 * atan2((double)q.x, (double)q.w) * 180.0 / 3.14159265358979, 10.0 * i, 2e-5);
    }
}

TEST(quat_lerps_of_zeros_are_zero_and_of_nan_return)
{
    ember_quat zero = {0, 0, 0, 0}, nan = {NAN, NAN, NAN, NAN};
    assert_at_most(quat_length(ember_quat_nlerp(zero, zero, 0.5f)), 0.0);
    assert_at_most(quat_length(ember_quat_slerp(zero, zero, 0.5f)), 0.0);
    ember_quat q = ember_quat_slerp(nan, identity, 0.5f);
    assert_true(isnan(q.x) && isnan(q.w));
    q = ember_quat_nlerp(nan, identity, 0.5f);
    assert_true(isnan(q.x) && isnan(q.w));
}

/* ---- rotations from vectors ---- */

TEST(quat_from_axis_angle_is_half_the_angle)
{
    static const float angles[] = {0.0f, 1e-4f, 0.5f, 1.5707964f, 3.1415927f, -2.0f, 6.0f, 12.0f, -100.0f};
    static const float sizes[] = {1e-40f, 1e-20f, 0.3f, 1.0f, 7.0f, 1e20f, 1e38f};
    for (size_t i = 0; i < 9; i++)
        for (size_t k = 0; k < 7; k++) {
            ember_quat q =
                ember_quat_from_axis_angle((ember_vec3){sizes[k], 2 * sizes[k], -2 * sizes[k]}, angles[i]);
            double sine = sin((double)angles[i] / 2.0) / 3.0, tolerance = k == 0 ? 1e-4 : 3e-7;
            assert_near((double)q.x, sine, tolerance);
            assert_near((double)q.y, 2.0 * sine, tolerance);
            assert_near((double)q.z, -2.0 * sine, tolerance);
            assert_near((double)q.w, cos((double)angles[i] / 2.0), 3e-7);
        }
}

TEST(quat_from_axis_angle_without_an_axis_is_identity)
{
    assert_same_quat(ember_quat_from_axis_angle((ember_vec3){0, 0, 0}, 1.0f), identity);
    assert_same_quat(ember_quat_from_axis_angle((ember_vec3){NAN, 0, 0}, 1.0f), identity);
    assert_same_quat(ember_quat_from_axis_angle((ember_vec3){1, 0, 0}, NAN), identity);
    assert_same_quat(ember_quat_from_axis_angle((ember_vec3){1, 0, 0}, INFINITY), identity);
}

static void check_between(ember_vec3 from, ember_vec3 to, double tolerance)
{
    ember_quat q = ember_quat_between(from, to);
    exact_vec  a = exact_unit(exact_from_vec3(from)), b = exact_unit(exact_from_vec3(to));
    assert_near(quat_length(q), 1.0, 3e-7);
    assert_at_most(exact_distance(exact_rotate(q, a), b), tolerance);
    /* shortest arc: the rotation's angle is the one between the vectors */
    double angle =
        2.0 * atan2(exact_length((exact_vec){(double)q.x, (double)q.y, (double)q.z}), fabs((double)q.w));
    double wanted = 2.0 * atan2(exact_distance(a, b), exact_length(exact_sub(a, exact_scaled(b, -1.0))));
    assert_near(angle, wanted, tolerance);
}

TEST(quat_between_takes_one_direction_to_the_other)
{
    test_random r = {23};
    for (int i = 0; i < 10000; i++) {
        ember_vec3 from = random_vec3(&r, 10.0f), to = random_vec3(&r, 0.1f);
        check_between(from, to, 1e-6);
    }
}

TEST(quat_between_is_right_near_parallel_and_near_opposite)
{
    test_random r = {29};
    for (int i = 0; i < 9000; i++) {
        float      size = powf(10.0f, -(float)(i % 9));
        ember_vec3 a = random_vec3(&r, 1.0f), d = random_vec3(&r, size), b;
        float      sign = (i & 1) != 0 ? -2.0f : 2.0f;
        if (a.x * a.x + a.y * a.y + a.z * a.z < 0.01f)
            continue;
        b = (ember_vec3){sign * (a.x + d.x), sign * (a.y + d.y), sign * (a.z + d.z)};
        check_between(a, b, 1e-6);
    }
}

TEST(quat_between_opposites_is_a_half_turn)
{
    static const ember_vec3 axes[] = {{1, 0, 0},  {0, 1, 0}, {0, 0, 1},      {1, 1, 0},
                                      {0, 1, -1}, {1, 1, 1}, {-3, 0, 1e-6f}, {1e-30f, 2e-30f, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        ember_vec3 a = axes[i], b = {-2 * a.x, -2 * a.y, -2 * a.z};
        check_between(a, b, 1e-6);
        assert_near((double)ember_quat_between(a, b).w, 0.0, 1e-7);
    }
}

TEST(quat_between_the_same_is_identity)
{
    test_random r = {31};
    for (int i = 0; i < 1000; i++) {
        ember_vec3 v = random_vec3(&r, 1.0f);
        assert_at_most(quat_distance(ember_quat_between(v, v), identity), 1e-7);
    }
}

TEST(quat_between_zero_and_anything_is_identity)
{
    ember_vec3 zero = {0, 0, 0}, x = {1, 0, 0}, nan = {NAN, 0, 0}, infinite = {INFINITY, 0, 0};
    assert_same_quat(ember_quat_between(zero, x), identity);
    assert_same_quat(ember_quat_between(x, zero), identity);
    assert_same_quat(ember_quat_between(x, nan), identity);
    assert_same_quat(ember_quat_between(infinite, x), identity);
}

/* ---- helpers of the room ---- */

TEST(vec3_perpendicular_is_at_a_right_angle_to_everything)
{
    static const ember_vec3 axes[] =
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, ROOT_HALF, ROOT_HALF}, {ROOT_HALF, -ROOT_HALF, 0}};
    test_random r = {61};
    for (int i = 0; i < 1000; i++) {
        ember_vec3 a = {0}, b;
        assert_true(emberi_vec3_unit(&a, i < 6 ? axes[i] : random_vec3(&r, 1.0f)));
        b = emberi_vec3_perpendicular(a);
        assert_near(exact_length(exact_from_vec3(b)), 1.0, 2e-7);
        assert_near(exact_dot(exact_from_vec3(a), exact_from_vec3(b)), 0.0, 2e-7);
    }
}

/* Also of what lies so near the axis that most of it is rounding. */
TEST(vec3_across_is_at_a_right_angle_to_the_axis)
{
    test_random r = {67};
    for (int i = 0; i < 5000; i++) {
        ember_vec3 axis = {0}, out = {7, 7, 7}, v, aside = random_vec3(&r, powf(10.0f, -(float)(i % 6)));
        assert_true(emberi_vec3_unit(&axis, random_vec3(&r, 1.0f)));
        v = (ember_vec3){3 * axis.x + aside.x, 3 * axis.y + aside.y, 3 * axis.z + aside.z};
        if (emberi_vec3_across(&out, v, axis)) {
            assert_near(exact_length(exact_from_vec3(out)), 1.0, 2e-7);
            assert_near(exact_dot(exact_from_vec3(axis), exact_from_vec3(out)), 0.0, 2e-7);
        } else {
            assert_true(i % 6 >= 5 && out.x == 7.0f);
        }
        assert_false(emberi_vec3_across(&out, axis, axis));
    }
}

/* ---- transforms ---- */

static ember_transform random_transform(test_random *r, bool uniform)
{
    ember_transform t = random_placed(r, 5.0f);
    t.scale = random_in_box(r, 0.2f, 3.0f);
    if (uniform)
        t.scale.y = t.scale.z = t.scale.x;
    return t;
}

TEST(transform_lerp_mixes_each_part)
{
    ember_transform a = {{0, 0, 0, 1}, {0, 8, -4}, {1, 1, 1}}, b = {{0, 1, 0, 0}, {4, 0, -4}, {3, 1, 5}};
    ember_transform m = ember_transform_lerp(&a, &b, 0.25f);
    assert_vec(m.position, 1, 6, -4, 0.0);
    assert_vec(m.scale, 1.5, 1, 2, 0.0);
    assert_near((double)m.rotation.y, 0.25 / sqrt(0.625), 2e-7);
    assert_near((double)m.rotation.w, 0.75 / sqrt(0.625), 2e-7);
}

TEST(transform_lerp_is_exact_at_both_ends)
{
    test_random r = {37};
    for (int i = 0; i < 1000; i++) {
        ember_transform a = random_transform(&r, false), b = random_transform(&r, false);
        ember_transform low = ember_transform_lerp(&a, &b, 0.0f), high = ember_transform_lerp(&a, &b, 1.0f);
        assert_memory_equal(&low.position, &a.position, 2 * sizeof(ember_vec3));
        assert_memory_equal(&high.position, &b.position, 2 * sizeof(ember_vec3));
    }
}

TEST(transform_mul_equals_the_matrices_where_a_is_uniform)
{
    test_random r = {41};
    for (int i = 0; i < 5000; i++) {
        ember_transform a = random_transform(&r, true), b = random_transform(&r, false);
        if (i % 3 == 0)
            a.scale = (ember_vec3){-a.scale.x, -a.scale.y, -a.scale.z};
        ember_transform product = ember_transform_mul(&a, &b);
        exact_mat       left = exact_from_transform(&a), right = exact_from_transform(&b);
        exact_mat       expected = exact_mul(&left, &right), got = exact_from_transform(&product);
        assert_at_most(exact_difference(&got, &expected), 2e-5);
    }
}

/* A scale that is not uniform goes through turns about the axes by right angles without shear, its numbers
   change places. */
TEST(transform_mul_holds_what_a_trs_can_hold)
{
    ember_transform a = {{0, 0, 0, 1}, {1, 2, 3}, {2, 5, 7}},
                    b = {{0, 0, ROOT_HALF, ROOT_HALF}, {1, 1, 1}, {1, 1, 1}};
    ember_transform product = ember_transform_mul(&a, &b);
    assert_vec(product.position, 3, 7, 10, 1e-6);
    assert_vec(product.scale, 5, 2, 7, 1e-5); /* b's x axis points to a's y */
    assert_at_most(quat_distance(product.rotation, b.rotation), 1e-6);
}

TEST(transform_mul_keeps_the_position_under_shear)
{
    test_random r = {43};
    for (int i = 0; i < 2000; i++) {
        ember_transform a = random_transform(&r, false), b = random_transform(&r, false);
        ember_transform product = ember_transform_mul(&a, &b);
        exact_mat       left = exact_from_transform(&a);
        assert_at_most(exact_distance(exact_from_vec3(product.position),
                                      exact_point(&left, exact_from_vec3(b.position))),
                       2e-5);
        assert_near(quat_length(product.rotation), 1.0, 3e-7);
    }
}

TEST(transform_inverse_undoes_a_uniform_scale)
{
    test_random r = {47};
    for (int i = 0; i < 5000; i++) {
        ember_transform t = random_transform(&r, true), back = ember_transform_inverse(&t);
        exact_mat       expected = exact_from_transform(&t), got = exact_from_transform(&back);
        expected = exact_inverse(&expected);
        assert_at_most(exact_difference(&got, &expected), 2e-5);
    }
}

TEST(transform_inverse_undoes_what_a_trs_can_hold)
{
    ember_transform t = {{ROOT_HALF, 0, 0, ROOT_HALF}, {1, 2, 3}, {2, 4, -5}},
                    back = ember_transform_inverse(&t);
    exact_mat expected = exact_from_transform(&t), got = exact_from_transform(&back);
    expected = exact_inverse(&expected);
    assert_at_most(exact_difference(&got, &expected), 1e-6);
}

TEST(transform_inverse_keeps_the_position_under_shear)
{
    test_random r = {53};
    for (int i = 0; i < 2000; i++) {
        ember_transform t = random_transform(&r, false), back = ember_transform_inverse(&t);
        exact_mat       m = exact_from_transform(&t), expected = exact_inverse(&m);
        assert_at_most(exact_distance(exact_from_vec3(back.position), exact_column(&expected, 3)), 5e-5);
    }
}

TEST(transform_inverse_of_a_zero_scale_is_zero)
{
    ember_transform none = {{0, 0, 0, 1}, {1, 2, 3}, {0, 0, 0}},
                    flat = {{0, 0, 0, 1}, {1, 2, 3}, {2, 0, -0.0f}};
    none = ember_transform_inverse(&none);
    assert_vec(none.scale, 0, 0, 0, 0.0);
    assert_vec(none.position, 0, 0, 0, 0.0);
    flat = ember_transform_inverse(&flat);
    assert_vec(flat.scale, 0.5, 0, 0, 0.0);
    assert_vec(flat.position, -0.5, 0, 0, 0.0);
}

TEST(transform_point_scales_then_turns_then_moves)
{
    ember_transform t = {{0, 0, ROOT_HALF, ROOT_HALF}, {10, 20, 30}, {2, 3, 4}};
    assert_vec(ember_transform_point(&t, (ember_vec3){1, 1, 1}), 7, 22, 34, 1e-5);
    test_random r = {59};
    for (int i = 0; i < 5000; i++) {
        t = random_transform(&r, false);
        ember_vec3 p = random_vec3(&r, 5.0f);
        exact_mat  m = exact_from_transform(&t);
        assert_at_most(exact_distance(exact_from_vec3(ember_transform_point(&t, p)),
                                      exact_point(&m, exact_from_vec3(p))),
                       2e-5);
    }
}
