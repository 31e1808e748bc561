/* SPDX-License-Identifier: MIT */
/* Half floats: the table of the specification, every half in both directions, every rounding border, ties by
   hand, NaN. */
#include "hardware.h"

#include <math.h>

#include "base/bytes.h"

/* Straight from IEEE 754: (-1)^sign * 2^(exponent - 15) * 1.digits, or * 0.digits where the exponent is 0. */
static double half_by_definition(uint16_t half)
{
    int    exponent = (half >> 10) & 0x1f, digits = half & 0x3ff;
    double sign = (half & 0x8000u) != 0 ? -1.0 : 1.0;
    if (exponent == 31)
        return digits == 0 ? sign * (double)INFINITY : (double)NAN;
    if (exponent == 0)
        return sign * ldexp((double)digits, -24);
    return sign * ldexp((double)(1024 + digits), exponent - 25);
}

static bool half_is_nan(uint32_t half) { return (half & 0x7fffu) > 0x7c00u; }

TEST(f16_holds_the_table_of_the_specification)
{
    static const struct {
        float    value;
        uint16_t half;
    } rows[] = {
        {0.0f, 0x0000},      {-0.0f, 0x8000},
        {1.0f, 0x3c00},      {-1.0f, 0xbc00},
        {0.5f, 0x3800},      {2.0f, 0x4000},
        {-2.0f, 0xc000},     {65504.0f, 0x7bff},
        {-65504.0f, 0xfbff}, {0.00006103515625f, 0x0400},
        {INFINITY, 0x7c00},  {-INFINITY, 0xfc00},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(ember_f16_from_f32(rows[i].value), rows[i].half);
        assert_int_equal(emberi_bits_of(ember_f32_from_f16(rows[i].half)), emberi_bits_of(rows[i].value));
    }
}

TEST(every_half_is_what_the_definition_says)
{
    for (uint32_t half = 0; half <= 0xffffu; half++) {
        if (half_is_nan(half))
            continue;
        float expected = (float)half_by_definition((uint16_t)half); /* exact: a float holds every half */
        assert_int_equal(emberi_bits_of(ember_f32_from_f16((uint16_t)half)), emberi_bits_of(expected));
        assert_int_equal(ember_f16_from_f32(expected), half);
    }
}

/* Between two neighbouring halves the middle goes to the even one, and the floats beside the middle to the
   nearer one. The last border is 65520, halfway to what would be 65536. */
TEST(every_border_rounds_to_nearest_even)
{
    for (uint32_t half = 0; half < 0x7c00u; half++) {
        double   low = half_by_definition((uint16_t)half);
        double   high = half == 0x7bffu ? 65536.0 : half_by_definition((uint16_t)(half + 1));
        float    middle = (float)((low + high) / 2); /* exact: one digit more than a half */
        uint32_t bits = emberi_bits_of(middle);
        uint32_t even = (half & 1u) == 0 ? half : half + 1;
        for (uint32_t sign = 0; sign <= 1; sign++) {
            assert_int_equal(ember_f16_from_f32(emberi_float_of((bits - 1) | sign << 31)), half | sign << 15);
            assert_int_equal(ember_f16_from_f32(emberi_float_of(bits | sign << 31)), even | sign << 15);
            assert_int_equal(ember_f16_from_f32(emberi_float_of((bits + 1) | sign << 31)),
                             (half + 1) | sign << 15);
        }
    }
}

TEST(ties_go_to_even)
{
    assert_int_equal(ember_f16_from_f32(1.0f + 0x1p-11f), 0x3c00); /* between 1 and 1 + 2^-10 */
    assert_int_equal(ember_f16_from_f32(1.0f + 0x3p-11f), 0x3c02); /* between the next two */
    assert_int_equal(ember_f16_from_f32(1.00048840f), 0x3c01);     /* one float above the first tie */
    assert_int_equal(ember_f16_from_f32(2049.0f), 0x6800);         /* 2048 and 2050 */
    assert_int_equal(ember_f16_from_f32(2051.0f), 0x6802);         /* 2050 and 2052 */
    assert_int_equal(ember_f16_from_f32(-2051.0f), 0xe802);
    assert_int_equal(ember_f16_from_f32(0x1p-25f), 0x0000); /* half of the smallest denormal */
    assert_int_equal(ember_f16_from_f32(0x1.000002p-25f), 0x0001);
    assert_int_equal(ember_f16_from_f32(0x3p-25f), 0x0002);
    /* the last denormal and the first normal */
    assert_int_equal(ember_f16_from_f32(0x1p-14f - 0x1p-25f), 0x0400);
}

TEST(large_values_become_infinity_from_65520_on)
{
    assert_int_equal(ember_f16_from_f32(65519.9961f), 0x7bff);
    assert_int_equal(ember_f16_from_f32(65520.0f), 0x7c00);
    assert_int_equal(ember_f16_from_f32(-65520.0f), 0xfc00);
    assert_int_equal(ember_f16_from_f32(65536.0f), 0x7c00);
    assert_int_equal(ember_f16_from_f32(65600.0f), 0x7c00); /* not a NaN */
    assert_int_equal(ember_f16_from_f32(-131072.0f), 0xfc00);
    assert_int_equal(ember_f16_from_f32(3.4e38f), 0x7c00);
}

TEST(tiny_values_become_zero_with_their_sign)
{
    assert_int_equal(ember_f16_from_f32(emberi_float_of(0x00000001u)), 0x0000);
    assert_int_equal(ember_f16_from_f32(emberi_float_of(0x80000001u)), 0x8000);
    assert_int_equal(ember_f16_from_f32(-0x1p-26f), 0x8000);
}

TEST(nan_stays_nan_quiet_and_keeps_its_upper_payload)
{
    static const struct {
        uint32_t bits;
        uint16_t half;
    } rows[] = {
        {0x7f800001u, 0x7e00}, /* its payload is below what a half holds */
        {0x7fc00000u, 0x7e00}, {0xffc00000u, 0xfe00}, {0x7f802000u, 0x7e01}, {0x7fc02000u, 0x7e01},
        {0x7fa00000u, 0x7f00}, {0x7fffffffu, 0x7fff}, {0xffffffffu, 0xffff},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(ember_f16_from_f32(emberi_float_of(rows[i].bits)), rows[i].half);
    assert_int_equal(emberi_bits_of(ember_f32_from_f16(0x7c01)), 0x7fc02000u); /* signalling becomes quiet */
    assert_int_equal(emberi_bits_of(ember_f32_from_f16(0xfdff)), 0xffffe000u);
    for (uint32_t half = 0; half <= 0xffffu; half++) {
        if (!half_is_nan(half))
            continue;
        uint32_t expected = (half & 0x8000u) << 16 | 0x7fc00000u | (half & 0x3ffu) << 13;
        assert_int_equal(emberi_bits_of(ember_f32_from_f16((uint16_t)half)), expected);
        assert_int_equal(ember_f16_from_f32(ember_f32_from_f16((uint16_t)half)), half | 0x200u);
    }
}

TEST(every_half_is_what_the_machine_says)
{
    hardware_half machine = hardware_find();
    if (machine.name == NULL) {
        print_message("neither F16C nor _Float16 here\n");
        skip();
    }
    for (uint32_t first = 0; first <= 0xffffu; first += HARDWARE_BLOCK) {
        uint16_t halves[HARDWARE_BLOCK];
        float    floats[HARDWARE_BLOCK];
        for (uint32_t i = 0; i < HARDWARE_BLOCK; i++)
            halves[i] = (uint16_t)(first + i);
        machine.to_float(floats, halves);
        for (uint32_t i = 0; i < HARDWARE_BLOCK; i++)
            assert_int_equal(emberi_bits_of(ember_f32_from_f16(halves[i])), emberi_bits_of(floats[i]));
    }
}
