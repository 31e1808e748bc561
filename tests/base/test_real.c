/* SPDX-License-Identifier: MIT */
/* The double-precision mathematics: sine and arc tangent against the C library in long double, exact
   identities, slerp by its definition, matrices put together and taken apart. */
#define _XOPEN_SOURCE 700 /* M_PI */

#include "testing.h"

#include "base/real.h"

#include <float.h>
#include <math.h>

/* How far a result is from the true value, in units of the last place of that value. */
static double ulps(double got, long double want)
{
    int exponent;
    (void)frexpl(want, &exponent);
    return (double)(fabsl((long double)got - want) / ldexpl(1.0L, exponent - DBL_MANT_DIG));
}

static double random_double(test_random *random, double low, double high)
{
    double fine = (double)test_random_float(random, 0.0f, 1.0f) * 0x1p-23;
    return low + (high - low) * ((double)test_random_float(random, 0.0f, 1.0f) + fine);
}

/* ---- angles ---- */

#define SAMPLES 200000

TEST(sine_and_cosine_are_precise)
{
    test_random random = {3};
    for (int i = 0; i < SAMPLES; i++) {
        double near = random_double(&random, 0.0, M_PI_4), right = random_double(&random, 0.0, M_PI_2);
        double turn = random_double(&random, -7.0, 7.0), far = random_double(&random, -1e6, 1e6);
        assert_true(ulps(emberi_real_sin(near), sinl(near)) < 1.2);
        assert_true(ulps(emberi_real_cos(near), cosl(near)) < 1.2);
        assert_true(ulps(emberi_real_sin(right), sinl(right)) < 1.5);
        assert_true(fabsl(emberi_real_sin(turn) - sinl(turn)) < 1.7e-16L);
        assert_true(fabsl(emberi_real_cos(turn) - cosl(turn)) < 1.7e-16L);
        assert_true(fabsl(emberi_real_sin(far) - sinl(far)) < 1.7e-16L);
    }
}

TEST(sine_keeps_its_identities)
{
    test_random random = {4};
    assert_true(emberi_real_sin(0.0) == 0.0 && emberi_real_cos(0.0) == 1.0);
    assert_true(emberi_real_sin(M_PI_2) == 1.0 && emberi_real_cos(M_PI) == -1.0);
    for (int i = 0; i < SAMPLES; i++) {
        double x = random_double(&random, -7.0, 7.0), s = emberi_real_sin(x), c = emberi_real_cos(x);
        assert_true(emberi_real_sin(-x) == -s && emberi_real_cos(-x) == c);
        assert_true(fabs(s * s + c * c - 1.0) < 5e-16);
        assert_true(fabs(emberi_real_sin(2.0 * x) - 2.0 * s * c) < 5e-16);
    }
}

TEST(sine_is_nan_beyond_its_range)
{
    assert_true(fabs(emberi_real_sin(0x1p20)) <= 1.0);
    const double odd[] = {0x1.0000000000001p20, -1e300, (double)INFINITY, -(double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        assert_true(isnan(emberi_real_sin(odd[i])) && isnan(emberi_real_cos(odd[i])));
}

TEST(arc_tangent_is_precise)
{
    test_random random = {5};
    for (int i = 0; i < SAMPLES; i++) {
        double small = random_double(&random, 0.0, 0.0624), x = random_double(&random, -1.0, 1.0);
        double y = random_double(&random, -10.0, 10.0), along = random_double(&random, -10.0, 10.0);
        assert_true(ulps(emberi_real_atan(small), atanl(small)) < 0.6);
        assert_true(ulps(emberi_real_atan(x), atanl(x)) < 2.5);
        assert_true(fabsl(emberi_real_atan(x) - atanl(x)) < 1e-16L);
        assert_true(fabsl(emberi_real_atan2(y, along) - atan2l(y, along)) < 5e-16L);
    }
}

TEST(arc_tangent_knows_all_corners)
{
    assert_true(emberi_real_atan2(0.0, 0.0) == 0.0 && emberi_real_atan2(0.0, 3.0) == 0.0);
    assert_true(emberi_real_atan2(0.0, -3.0) == M_PI && emberi_real_atan2(2.0, 0.0) == M_PI_2);
    assert_true(emberi_real_atan2(-2.0, 0.0) == -M_PI_2 && emberi_real_atan2(5.0, 5.0) == M_PI_4);
    assert_true(emberi_real_atan(1.0) == M_PI_4 && emberi_real_atan(-1.0) == -M_PI_4);
    assert_true(isnan(emberi_real_atan2((double)NAN, 1.0)) && isnan(emberi_real_atan2(1.0, (double)NAN)));
    assert_true(isnan(emberi_real_atan2((double)INFINITY, (double)INFINITY)) &&
                isnan(emberi_real_atan((double)INFINITY)));
}

/* ---- quaternions ---- */

static void random_rotation(double q[4], test_random *random)
{
    do {
        for (int i = 0; i < 4; i++)
            q[i] = random_double(random, -1.0, 1.0);
    } while (!emberi_real_quat_normalize(q));
}

/* By the definition: sin((1-t) h) and sin(t h) over sin(h), the angle by acos, in long double; b or -b,
   whichever is nearer. */
TEST(slerp_is_what_its_definition_says)
{
    test_random random = {6};
    for (int round = 0; round < 20000; round++) {
        double      a[4], b[4], out[4], t = random_double(&random, 0.0, 1.0);
        long double dot = 0.0L;
        random_rotation(a, &random);
        random_rotation(b, &random);
        for (int i = 0; i < 4; i++)
            dot += (long double)a[i] * b[i];
        if (fabsl(dot) > 0.9999L) /* where acos has no digits left */
            continue;
        long double h = acosl(fabsl(dot)), from = sinl((1.0L - t) * h) / sinl(h), to = sinl(t * h) / sinl(h);
        emberi_real_quat_slerp(out, a, b, t);
        for (int i = 0; i < 4; i++)
            assert_true(fabsl(out[i] - (from * a[i] + (dot < 0.0L ? -to : to) * b[i])) < 2e-15L);
    }
}

TEST(slerp_takes_near_and_odd_rotations)
{
    const double a[4] = {0.0, 0.0, 0.0, 1.0}, none[4] = {0.0, 0.0, 0.0, 0.0},
                 odd[4] = {(double)NAN, 0.0, 0.0, 1.0};
    for (double angle = 1e-12; angle < 1e-2; angle *= 3.0) {
        const double b[4] = {sin(angle), 0.0, 0.0, cos(angle)}, other[4] = {-b[0], 0.0, 0.0, -b[3]};
        double       out[4], back[4];
        emberi_real_quat_slerp(out, a, b, 0.25);
        emberi_real_quat_slerp(back, a, other, 0.25);
        assert_true(fabs(out[0] - sin(angle / 4.0)) < 1e-16 + angle * 4e-16);
        assert_memory_equal(out, back, sizeof(out));
    }
    double out[4];
    emberi_real_quat_slerp(out, a, a, 0.5);
    assert_memory_equal(out, a, sizeof(out));
    emberi_real_quat_slerp(out, a, none, 0.5); /* anything but a trap */
    emberi_real_quat_slerp(out, a, odd, 0.5);
    assert_true(isnan(out[0]));
}

TEST(multiplying_turns_one_after_the_other)
{
    test_random random = {8};
    for (int round = 0; round < 2000; round++) {
        real_trs a = emberi_real_trs_identity, b = a, both = a;
        random_rotation(a.r, &random);
        random_rotation(b.r, &random);
        emberi_real_quat_mul(both.r, a.r, b.r);
        real_mat ma = emberi_real_mat_from_trs(&a), mb = emberi_real_mat_from_trs(&b),
                 m = emberi_real_mat_from_trs(&both);
        ma = emberi_real_mat_mul(&ma, &mb);
        for (int i = 0; i < 12; i++)
            assert_true(fabs(ma.m[i / 4][i % 4] - m.m[i / 4][i % 4]) < 1e-14);
    }
}

TEST(normalizing_refuses_what_has_no_direction)
{
    double zero[4] = {0.0, 0.0, 0.0, 0.0}, huge[4] = {1e200, 0.0, 0.0, 0.0},
           odd[4] = {(double)NAN, 0.0, 0.0, 1.0};
    assert_false(emberi_real_quat_normalize(zero));
    assert_false(emberi_real_quat_normalize(huge));
    assert_false(emberi_real_quat_normalize(odd));
    assert_true(huge[0] == 1e200 && odd[3] == 1.0);
}

/* ---- matrices ---- */

TEST(inverse_takes_points_back)
{
    test_random random = {9};
    for (int round = 0; round < 2000; round++) {
        real_mat     m, back;
        const double p[3] = {1.0, -2.0, 3.0};
        double       there[3], again[3];
        for (int i = 0; i < 12; i++)
            m.m[i / 4][i % 4] = random_double(&random, -2.0, 2.0);
        if (fabs(emberi_real_mat_det(&m)) < 0.1)
            continue;
        assert_true(emberi_real_mat_inverse(&back, &m));
        emberi_real_mat_point(there, &m, p);
        emberi_real_mat_point(again, &back, there);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(again[i] - p[i]) < 1e-11);
    }
    real_mat flat = emberi_real_mat_identity, out;
    flat.m[1][1] = 0.0;
    assert_false(emberi_real_mat_inverse(&out, &flat));
}

/* A normal stays at right angles to what it was at right angles to. */
TEST(normals_stay_upright)
{
    test_random random = {10};
    for (int round = 0; round < 2000; round++) {
        real_mat     m;
        const double along[3] = {0.6, 0.8, 0.0}, normal[3] = {-0.8, 0.6, 0.5};
        double       a[3], n[3];
        for (int i = 0; i < 12; i++)
            m.m[i / 4][i % 4] = random_double(&random, -2.0, 2.0);
        emberi_real_mat_direction(a, &m, along);
        emberi_real_mat_normal(n, &m, normal);
        assert_true(fabs(a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) < 1e-13);
    }
}

/* Random transforms, put together and taken apart again; and the best of a sheared one is a minimum. */
TEST(decompose_finds_what_was_composed)
{
    test_random random = {7};
    for (int round = 0; round < 2000; round++) {
        real_trs trs, out, like = emberi_real_trs_identity;
        double   numbers[10];
        for (int i = 0; i < 10; i++)
            numbers[i] = (double)test_random_float(&random, -2.0f, 2.0f);
        memcpy(trs.t, numbers, sizeof(trs.t));
        memcpy(trs.r, numbers + 3, sizeof(trs.r));
        assert_true(emberi_real_quat_normalize(trs.r));
        for (int i = 0; i < 3; i++) {
            trs.s[i] = numbers[7 + i] + (numbers[7 + i] < 0 ? -0.01 : 0.01);
            like.s[i] = trs.s[i];
        }
        real_mat mat = emberi_real_mat_from_trs(&trs);
        assert_true(emberi_real_mat_decompose(&out, &mat, &like) < 1e-9);
        assert_true(fabs(emberi_real_quat_dot(out.r, trs.r)) > 1.0 - 1e-12);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(out.s[i] - trs.s[i]) < 1e-9);
    }
}

static double distance(const real_mat *a, const real_trs *trs)
{
    real_mat b = emberi_real_mat_from_trs(trs);
    double   sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += (a->m[i / 3][i % 3] - b.m[i / 3][i % 3]) * (a->m[i / 3][i % 3] - b.m[i / 3][i % 3]);
    return sum;
}

TEST(decompose_is_the_nearest)
{
    test_random random = {11};
    for (int round = 0; round < 300; round++) {
        real_mat mat = emberi_real_mat_identity;
        real_trs best;
        for (int i = 0; i < 9; i++)
            mat.m[i / 3][i % 3] += (double)test_random_float(&random, -0.3f, 0.3f);
        assert_true(emberi_real_mat_decompose(&best, &mat, &emberi_real_trs_identity) > 0.0);
        double least = distance(&mat, &best);
        for (int i = 0; i < 7; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                real_trs near = best;
                *(i < 4 ? &near.r[i] : &near.s[i - 4]) += sign * 1e-3;
                assert_true(emberi_real_quat_normalize(near.r));
                assert_true(distance(&mat, &near) >= least - 1e-9);
            }
        }
    }
}
