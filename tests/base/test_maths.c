/* SPDX-License-Identifier: MIT */
/* Own mathematics against the C library in double precision, on dense grids; and the promises about
   quadrants, signs, NaN and infinities. */
#include "testing.h"

#include <math.h>

#include "base/bytes.h"
#include "base/maths.h"

/* Every 2003rd float: all exponents, a million values of each sign. */
#define GRID_STRIDE 2003u
/* and no more than one value in a million: the C library's doubles are not always the nearest either */
#define MAX_ULP 1

/* How many floats lie between the two, 0 if they are equal; -0 and +0 are one apart, so that
   signs are seen. */
static int64_t ulps_between(float a, float b)
{
    int64_t  order[2];
    uint32_t bits[2] = {emberi_bits_of(a), emberi_bits_of(b)};
    for (int i = 0; i < 2; i++)
        order[i] = bits[i] >> 31 != 0 ? -1 - (int64_t)(bits[i] & 0x7fffffffu) : (int64_t)bits[i];
    return order[0] < order[1] ? order[1] - order[0] : order[0] - order[1];
}

typedef struct error_count {
    int64_t  worst;
    uint64_t tried, wrong;
} error_count;

static void error_add(error_count *count, float got, double expected)
{
    int64_t ulps = ulps_between(got, (float)expected);
    count->tried++;
    count->wrong += ulps != 0;
    if (ulps > count->worst)
        count->worst = ulps;
}

static void error_check(const char *name, error_count count)
{
    print_message("%s: %llu values, %llu not the nearest float, worst %lld ulp\n", name,
                  (unsigned long long)count.tried, (unsigned long long)count.wrong, (long long)count.worst);
    assert_true(count.worst <= MAX_ULP);
    assert_true(count.wrong * 1000000 <= count.tried);
}

TEST(sin_and_cos_are_the_nearest_floats)
{
    error_count sines = {0}, cosines = {0};
    for (uint32_t bits = 0; bits < 0x7f800000u; bits += GRID_STRIDE) { /* also far beyond 2^20 */
        for (uint32_t sign = 0; sign < 2; sign++) {
            float x = emberi_float_of(bits | sign << 31);
            error_add(&sines, emberi_sin(x), sin((double)x));
            error_add(&cosines, emberi_cos(x), cos((double)x));
        }
    }
    for (int i = -200000; i <= 200000; i++) {
        float x = (float)i * 0.001f;
        error_add(&sines, emberi_sin(x), sin((double)x));
        error_add(&cosines, emberi_cos(x), cos((double)x));
    }
    error_check("sin", sines);
    error_check("cos", cosines);
}

/* The floats around multiples of a quarter turn, where most digits cancel. */
TEST(sin_and_cos_hold_near_quarter_turns)
{
    error_count sines = {0}, cosines = {0};
    for (int quarter = -700000; quarter <= 700000; quarter += 7) {
        uint32_t bits = emberi_bits_of((float)(quarter * 1.5707963267948966));
        for (uint32_t i = 0; i < 5; i++) {
            float x = emberi_float_of(quarter == 0 ? i : bits - 2 + i);
            error_add(&sines, emberi_sin(x), sin((double)x));
            error_add(&cosines, emberi_cos(x), cos((double)x));
        }
    }
    error_check("sin near quarter turns", sines);
    error_check("cos near quarter turns", cosines);
}

TEST(sin_squared_and_cos_squared_make_one)
{
    for (uint32_t bits = 0; bits < 0x7f800000u; bits += 10007u) {
        double s = (double)emberi_sin(emberi_float_of(bits)), c = (double)emberi_cos(emberi_float_of(bits));
        assert_true(s >= -1.0 && s <= 1.0 && c >= -1.0 && c <= 1.0);
        assert_true(fabs(s * s + c * c - 1.0) < 1.3e-7);
    }
}

TEST(sin_is_odd_and_cos_is_even)
{
    for (uint32_t bits = 0; bits < 0x7f800000u; bits += 10007u) {
        float x = emberi_float_of(bits);
        assert_int_equal(emberi_bits_of(emberi_sin(-x)), emberi_bits_of(-emberi_sin(x)));
        assert_int_equal(emberi_bits_of(emberi_cos(-x)), emberi_bits_of(emberi_cos(x)));
    }
}

/* By hand: the float next to pi/2 is 4.37e-8 below it, that next to pi 8.74e-8 above. */
TEST(sin_and_cos_at_known_places)
{
    assert_int_equal(emberi_bits_of(emberi_sin(0.0f)), 0);
    assert_int_equal(emberi_bits_of(emberi_sin(-0.0f)), 0x80000000u);
    assert_true(emberi_cos(0.0f) == 1.0f && emberi_cos(-0.0f) == 1.0f);
    assert_true(emberi_sin(1.57079637f) == 1.0f && emberi_sin(-1.57079637f) == -1.0f);
    assert_true(emberi_cos(1.57079637f) == -4.37113883e-8f);
    assert_true(emberi_sin(3.14159274f) == -8.74227766e-8f);
    assert_true(emberi_cos(3.14159274f) == -1.0f);
    assert_true(emberi_sin(0.523598790f) == 0.5f); /* pi/6 and 1.5e-8 */
    assert_true(emberi_sin(1e-30f) == 1e-30f);
    assert_true(emberi_sin(emberi_float_of(1)) == emberi_float_of(1)); /* the smallest float of all */
}

TEST(acos_is_the_nearest_float)
{
    error_count count = {0};
    for (uint32_t bits = 0; bits <= 0x3f800000u; bits += 997u) {
        for (uint32_t sign = 0; sign < 2; sign++) {
            float x = emberi_float_of(bits | sign << 31);
            error_add(&count, emberi_acos(x), acos((double)x));
        }
    }
    for (uint32_t i = 0; i < 100000; i++) { /* next to 1 and -1 the curve is steepest */
        float x = emberi_float_of(0x3f800000u - i);
        error_add(&count, emberi_acos(x), acos((double)x));
        error_add(&count, emberi_acos(-x), acos(-(double)x));
    }
    error_check("acos", count);
}

TEST(acos_clamps_and_ends_well)
{
    assert_int_equal(emberi_bits_of(emberi_acos(1.0f)), 0);
    assert_true(emberi_acos(-1.0f) == EMBERI_PI);
    assert_true(emberi_acos(0.0f) == 1.57079637f && emberi_acos(-0.0f) == 1.57079637f);
    assert_true(emberi_acos(0.5f) == 1.04719755f);
    assert_int_equal(emberi_bits_of(emberi_acos(1.0000001f)), 0);
    assert_int_equal(emberi_bits_of(emberi_acos(INFINITY)), 0);
    assert_true(emberi_acos(-1e30f) == EMBERI_PI);
    assert_true(emberi_acos(-INFINITY) == EMBERI_PI);
}

TEST(atan2_is_the_nearest_float)
{
    error_count count = {0};
    test_random random = {0x9e3779b97f4a7c15u};
    for (int i = 0; i < 1000000; i++) { /* any two floats: mostly of very different size */
        float y = emberi_float_of(test_random_u32(&random)), x = emberi_float_of(test_random_u32(&random));
        if (y == y && x == x)
            error_add(&count, emberi_atan2(y, x), atan2((double)y, (double)x));
    }
    for (int i = 0; i < 1000000; i++) {
        float y = test_random_float(&random, -1.0f, 1.0f), x = test_random_float(&random, -1.0f, 1.0f);
        error_add(&count, emberi_atan2(y, x), y == 0.0f && x == 0.0f ? 0.0 : atan2((double)y, (double)x));
    }
    for (int k = -400; k <= 400; k++) /* around the borders of the sixteenths that the series is cut into */
        for (int i = -20; i <= 20; i++) {
            float y = (float)k / 16.0f, x = 1.0f + (float)i * 0x1p-23f;
            error_add(&count, emberi_atan2(y, x), atan2((double)y, (double)x));
            error_add(&count, emberi_atan2(x, y), atan2((double)x, (double)y));
        }
    error_check("atan2", count);
}

TEST(atan2_knows_all_quadrants)
{
    const float quarter = 0.785398185f, half = 1.57079637f;
    assert_true(emberi_atan2(1.0f, 1.0f) == quarter);
    assert_true(emberi_atan2(1.0f, -1.0f) == 3 * quarter);
    assert_true(emberi_atan2(-1.0f, -1.0f) == -3 * quarter);
    assert_true(emberi_atan2(-1.0f, 1.0f) == -quarter);
    assert_true(emberi_atan2(2.0f, 0.0f) == half && emberi_atan2(2.0f, -0.0f) == half);
    assert_true(emberi_atan2(-2.0f, 0.0f) == -half && emberi_atan2(-2.0f, -0.0f) == -half);
    assert_int_equal(emberi_bits_of(emberi_atan2(0.0f, 3.0f)), 0);
    assert_int_equal(emberi_bits_of(emberi_atan2(-0.0f, 3.0f)), 0x80000000u);
    assert_true(emberi_atan2(0.0f, -3.0f) == EMBERI_PI);
    assert_true(emberi_atan2(-0.0f, -3.0f) == -EMBERI_PI);
}

TEST(atan2_of_two_zeros_is_zero)
{
    assert_int_equal(emberi_bits_of(emberi_atan2(0.0f, 0.0f)), 0);
    assert_int_equal(emberi_bits_of(emberi_atan2(0.0f, -0.0f)), 0);
    assert_int_equal(emberi_bits_of(emberi_atan2(-0.0f, 0.0f)), 0);
    assert_int_equal(emberi_bits_of(emberi_atan2(-0.0f, -0.0f)), 0);
}

TEST(atan2_takes_infinities)
{
    const float some[4] = {INFINITY, -INFINITY, 1.0f, -1.0f};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            assert_int_equal(emberi_bits_of(emberi_atan2(some[i], some[k])),
                             emberi_bits_of((float)atan2((double)some[i], (double)some[k])));
}

TEST(nan_is_always_the_same_nan)
{
    const float bad[3] = {emberi_float_of(0x7fc00001u), emberi_float_of(0xffc12345u),
                          emberi_float_of(0xffffffffu)};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(emberi_bits_of(emberi_sin(bad[i])), 0x7fc00000u);
        assert_int_equal(emberi_bits_of(emberi_cos(bad[i])), 0x7fc00000u);
        assert_int_equal(emberi_bits_of(emberi_acos(bad[i])), 0x7fc00000u);
        assert_int_equal(emberi_bits_of(emberi_atan2(bad[i], 1.0f)), 0x7fc00000u);
        assert_int_equal(emberi_bits_of(emberi_atan2(INFINITY, bad[i])), 0x7fc00000u);
        assert_int_equal(emberi_bits_of(emberi_atan2(bad[i], 0.0f)), 0x7fc00000u);
    }
    assert_int_equal(emberi_bits_of(emberi_sin(INFINITY)), 0x7fc00000u);
    assert_int_equal(emberi_bits_of(emberi_sin(-INFINITY)), 0x7fc00000u);
    assert_int_equal(emberi_bits_of(emberi_cos(INFINITY)), 0x7fc00000u);
    assert_int_equal(emberi_bits_of(emberi_cos(-INFINITY)), 0x7fc00000u);
}

TEST(small_helpers_do_as_the_lanes)
{
    const float nan = emberi_float_of(0x7fc00000u);
    assert_true(emberi_max(nan, 2.0f) == 2.0f && emberi_min(nan, 2.0f) == 2.0f);
    assert_true(emberi_max(2.0f, nan) != emberi_max(2.0f, nan)); /* b where either is NaN, and b is the NaN */
    assert_int_equal(emberi_bits_of(emberi_max(-0.0f, 0.0f)), 0);
    assert_int_equal(emberi_bits_of(emberi_max(0.0f, -0.0f)), 0x80000000u);
    assert_true(emberi_clamp(5.0f, -1.0f, 1.0f) == 1.0f && emberi_clamp(-5.0f, -1.0f, 1.0f) == -1.0f);
    assert_true(emberi_clamp(0.25f, -1.0f, 1.0f) == 0.25f);
    assert_true(emberi_is_finite(3.4e38f) && emberi_is_finite(-0.0f));
    assert_false(emberi_is_finite(INFINITY) || emberi_is_finite(-INFINITY) || emberi_is_finite(nan));
    assert_true(emberi_sqrt(2.0f) == 1.41421354f && emberi_abs(-3.0f) == 3.0f);
    assert_true(emberi_sqrt(-1.0f) != emberi_sqrt(-1.0f));
}
