/* SPDX-License-Identifier: MIT */
/* FP12 fixed point: values by hand, both roundings, clamping at the ends of both types, NaN, and every 16-bit
   value back. */
#include "testing.h"

#include <math.h>

#define NEAREST EMBER_ROUND_NEAREST
#define TRUNCATE EMBER_ROUND_TRUNCATE

TEST(fp12_values_by_hand)
{
    assert_int_equal(ember_fp12_s16_from_f32(1.0f, NEAREST), 4096);
    assert_int_equal(ember_fp12_s16_from_f32(-1.0f, NEAREST), -4096);
    assert_int_equal(ember_fp12_s16_from_f32(0.0f, NEAREST), 0);
    assert_int_equal(ember_fp12_s16_from_f32(-0.0f, TRUNCATE), 0);
    assert_int_equal(ember_fp12_s16_from_f32(0.5f, TRUNCATE), 2048);
    assert_int_equal(ember_fp12_s16_from_f32(0.70710678f, NEAREST), 2896); /* 2896.31 */
    assert_int_equal(ember_fp12_s32_from_f32(1000.25f, NEAREST), 4097024);
    assert_true(ember_f32_from_fp12(4096) == 1.0f);
    assert_true(ember_f32_from_fp12(-6144) == -1.5f);
    assert_true(ember_f32_from_fp12(1) == 0.000244140625f);
}

TEST(fp12_rounds_half_away_from_zero)
{
    const float half = 0.5f / 4096.0f;
    assert_int_equal(ember_fp12_s16_from_f32(half, NEAREST), 1);
    assert_int_equal(ember_fp12_s16_from_f32(-half, NEAREST), -1);
    assert_int_equal(ember_fp12_s16_from_f32(3 * half, NEAREST), 2);
    assert_int_equal(ember_fp12_s16_from_f32(-3 * half, NEAREST), -2);
    assert_int_equal(ember_fp12_s16_from_f32(5 * half, NEAREST), 3);
    assert_int_equal(ember_fp12_s16_from_f32(nextafterf(half, 0.0f), NEAREST), 0);
    assert_int_equal(ember_fp12_s16_from_f32(nextafterf(-half, 0.0f), NEAREST), 0);
    assert_int_equal(ember_fp12_s32_from_f32(nextafterf(3 * half, 0.0f), NEAREST), 1);
    assert_int_equal(ember_fp12_s32_from_f32(2047.9998779296875f, NEAREST), 8388608); /* 8388607.5 */
}

TEST(fp12_truncates_towards_zero)
{
    assert_int_equal(ember_fp12_s16_from_f32(0.9999f, TRUNCATE), 4095);
    assert_int_equal(ember_fp12_s16_from_f32(-0.9999f, TRUNCATE), -4095);
    assert_int_equal(ember_fp12_s16_from_f32(1.9f / 4096.0f, TRUNCATE), 1);
    assert_int_equal(ember_fp12_s16_from_f32(-1.9f / 4096.0f, TRUNCATE), -1);
    assert_int_equal(ember_fp12_s32_from_f32(-0.7f / 4096.0f, TRUNCATE), 0);
}

TEST(fp12_clamps_to_16_bits)
{
    static const ember_rounding both[2] = {NEAREST, TRUNCATE};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ember_fp12_s16_from_f32(32767.0f / 4096.0f, both[i]), 32767);
        assert_int_equal(ember_fp12_s16_from_f32(8.0f, both[i]), 32767);
        assert_int_equal(ember_fp12_s16_from_f32(-8.0f, both[i]), -32768);
        assert_int_equal(ember_fp12_s16_from_f32(-8.5f, both[i]), -32768);
        assert_int_equal(ember_fp12_s16_from_f32(1e30f, both[i]), 32767);
        /* times 4096 is no float any more */
        assert_int_equal(ember_fp12_s16_from_f32(3e38f, both[i]), 32767);
        assert_int_equal(ember_fp12_s16_from_f32(INFINITY, both[i]), 32767);
        assert_int_equal(ember_fp12_s16_from_f32(-INFINITY, both[i]), -32768);
    }
    assert_int_equal(ember_fp12_s16_from_f32(32767.5f / 4096.0f, NEAREST), 32767);
    assert_int_equal(ember_fp12_s16_from_f32(32766.5f / 4096.0f, NEAREST), 32767);
    assert_int_equal(ember_fp12_s16_from_f32(32766.5f / 4096.0f, TRUNCATE), 32766);
    assert_int_equal(ember_fp12_s16_from_f32(-32767.5f / 4096.0f, NEAREST), -32768);
}

TEST(fp12_clamps_to_32_bits)
{
    static const ember_rounding both[2] = {NEAREST, TRUNCATE};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ember_fp12_s32_from_f32(524288.0f, both[i]), INT32_MAX);
        /* the float before 2^31 */
        assert_int_equal(ember_fp12_s32_from_f32(524287.97f, both[i]), 2147483520);
        assert_int_equal(ember_fp12_s32_from_f32(-524288.0f, both[i]), INT32_MIN);
        assert_int_equal(ember_fp12_s32_from_f32(-1e30f, both[i]), INT32_MIN);
        assert_int_equal(ember_fp12_s32_from_f32(INFINITY, both[i]), INT32_MAX);
        assert_int_equal(ember_fp12_s32_from_f32(-INFINITY, both[i]), INT32_MIN);
    }
}

TEST(fp12_of_nan_is_zero)
{
    assert_int_equal(ember_fp12_s16_from_f32(NAN, NEAREST), 0);
    assert_int_equal(ember_fp12_s16_from_f32(-NAN, TRUNCATE), 0);
    assert_int_equal(ember_fp12_s32_from_f32(NAN, NEAREST), 0);
}

TEST(fp12_roundtrips_all_16_bit_values)
{
    for (int32_t fixed = INT16_MIN; fixed <= INT16_MAX; fixed++) {
        float value = ember_f32_from_fp12(fixed);
        assert_true((double)value == (double)fixed / 4096.0);
        assert_int_equal(ember_fp12_s16_from_f32(value, NEAREST), fixed);
        assert_int_equal(ember_fp12_s16_from_f32(value, TRUNCATE), fixed);
        assert_int_equal(ember_fp12_s32_from_f32(value, TRUNCATE), fixed);
    }
}

TEST(fp12_roundtrips_32_bit_values_of_24_digits)
{
    test_random random = {21};
    for (int i = 0; i < 1000000; i++) {
        uint32_t bits = test_random_u32(&random);
        int32_t  fixed = (int32_t)(bits >> 8) - 8388608;
        fixed *= 1 << (bits & 7u);
        float value = ember_f32_from_fp12(fixed);
        assert_true((double)value == (double)fixed / 4096.0);
        assert_int_equal(ember_fp12_s32_from_f32(value, NEAREST), fixed);
    }
    assert_true(ember_f32_from_fp12(16777217) == 4096.0f); /* a tie, to even */
    assert_true(ember_f32_from_fp12(16777219) == 4096.0009765625f);
    assert_true(ember_f32_from_fp12(INT32_MAX) == 524288.0f);
    assert_true(ember_f32_from_fp12(INT32_MIN) == -524288.0f);
}
