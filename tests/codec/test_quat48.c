/* SPDX-License-Identifier: MIT */
/* The 48-bit smallest-three form: layout by hand, signs, lengths, refusals, precision. */
#include "rotations.h"

static void assert_encodes(ember_quat q, uint16_t a, uint16_t b, uint16_t c)
{
    uint16_t out[3] = {0};
    assert_int_equal(ember_quat48_encode(out, q), EMBER_OK);
    assert_int_equal(out[0], a);
    assert_int_equal(out[1], b);
    assert_int_equal(out[2], c);
}

/* Zero is 16383.5, stored as 16384 = 0x4000; 0.5 is (0.70711 + 1) * 16383.5 = 27968.4, 0x6d40; -0.5 is
   4798.6, 0x12bf; 1/sqrt2 is 0x7fff. The index 3 sets bit 15 of the first two. */
TEST(quat48_layout_is_as_documented)
{
    assert_encodes((ember_quat){1.0f, 0.0f, 0.0f, 0.0f}, 0x4000, 0x4000, 0x4000);
    assert_encodes((ember_quat){0.0f, 1.0f, 0.0f, 0.0f}, 0xc000, 0x4000, 0x4000);
    assert_encodes((ember_quat){0.0f, 0.0f, 1.0f, 0.0f}, 0x4000, 0xc000, 0x4000);
    assert_encodes((ember_quat){0.0f, 0.0f, 0.0f, 1.0f}, 0xc000, 0xc000, 0x4000);
    assert_encodes((ember_quat){0.5f, 0.5f, 0.5f, 0.5f}, 0xed40, 0xed40, 0x6d40);
    assert_encodes((ember_quat){-0.5f, 0.5f, -0.5f, 0.5f}, 0x92bf, 0xed40, 0x12bf);
    assert_encodes((ember_quat){0.707107f, 0.0f, 0.0f, 0.707107f}, 0xffff, 0xc000, 0x4000);
    /* 0.6 is 30285.4, 0x764d */
    assert_encodes((ember_quat){0.0f, -0.6f, 0.0f, -0.8f}, 0xc000, 0xf64d, 0x4000);
}

TEST(quat48_decodes_identity_by_hand)
{
    const uint16_t identity[3] = {0xc000, 0xc000, 0x4000};
    ember_quat     q = ember_quat48_decode(identity);
    assert_true(fabs((double)q.x - 2.158e-5) < 1e-7); /* 1/32767/sqrt2 */
    assert_true(q.y == q.x && q.z == q.x);
    assert_true(q.w == 1.0f);
}

TEST(quat48_ignores_the_last_bit)
{
    const uint16_t clear[3] = {0x1234, 0xa345, 0x3456}, set[3] = {0x1234, 0xa345, 0xb456};
    ember_quat     a = ember_quat48_decode(clear), b = ember_quat48_decode(set);
    assert_memory_equal(&a, &b, sizeof(a));
}

TEST(quat48_decodes_any_bits_to_finite_numbers)
{
    test_random random = {11};
    for (int i = 0; i < 1000000; i++) {
        uint32_t       r = test_random_u32(&random);
        const uint16_t packed[3] = {(uint16_t)r, (uint16_t)(r >> 16), (uint16_t)test_random_u32(&random)};
        assert_true(quat_is_finite(ember_quat48_decode(packed)));
    }
}

TEST(quat48_of_both_hemispheres_is_the_same)
{
    test_random random = {12};
    for (int i = 0; i < 300000; i++) {
        uint16_t   a[3], b[3];
        ember_quat q = random_rotation(&random);
        assert_int_equal(ember_quat48_encode(a, q), EMBER_OK);
        assert_int_equal(ember_quat48_encode(b, quat_negated(q)), EMBER_OK);
        assert_memory_equal(a, b, sizeof(a));
    }
}

TEST(quat48_stores_again_what_it_decoded)
{
    test_random random = {13};
    int         moved = 0;
    for (int i = 0; i < 300000; i++) {
        uint16_t a[3], b[3];
        assert_int_equal(ember_quat48_encode(a, random_rotation(&random)), EMBER_OK);
        ember_quat q = ember_quat48_decode(a);
        assert_int_equal(ember_quat48_encode(b, q), EMBER_OK);
        moved += memcmp(a, b, sizeof(a)) != 0;
        assert_true(degrees_between(q, ember_quat48_decode(b)) <= 0.0086);
    }
    assert_true(moved < 100); /* only where two components are all but equal */
}

TEST(quat48_rejects_zero_and_what_is_not_finite)
{
    for (size_t i = 0; i < BAD_ROTATION_COUNT; i++) {
        uint16_t out[3] = {1, 2, 3};
        assert_int_equal(ember_quat48_encode(out, bad_rotations[i]), EMBER_E_RANGE);
        assert_true(out[0] == 1 && out[1] == 2 && out[2] == 3);
    }
}

TEST(quat48_precision_holds)
{
    test_random random = {0x5eed};
    const int   count = 1000000;
    double      worst = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++) {
        uint16_t   packed[3];
        ember_quat q = random_rotation(&random);
        assert_int_equal(ember_quat48_encode(packed, q), EMBER_OK);
        double degrees = degrees_between(q, ember_quat48_decode(packed));
        worst = degrees > worst ? degrees : worst;
        sum += degrees;
    }
    print_message("a million rotations: largest error %.5f degrees, mean %.5f\n", worst, sum / count);
    assert_true(worst <= 0.0086); /* 2 sqrt(12) half steps and a little for the float */
    assert_true(sum / count < 0.0027);
}

TEST(quat48_precision_holds_for_any_length)
{
    static const float sizes[] = {1.00004f, 0.99996f, 1.001f, 3.0f, 1e-30f, 1e30f};
    test_random        random = {14};
    for (int i = 0; i < 60000; i++) {
        uint16_t   packed[3];
        ember_quat q = random_rotation(&random);
        assert_int_equal(ember_quat48_encode(packed, quat_times(q, sizes[i % 6])), EMBER_OK);
        assert_true(degrees_between(q, ember_quat48_decode(packed)) <= 0.0086);
    }
}
