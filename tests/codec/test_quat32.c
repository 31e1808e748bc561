/* SPDX-License-Identifier: MIT */
/* The 32-bit smallest-three form: the corrected vectors of the specification, its algorithm written
   out again, ties, signs, normalising, refusals, precision, and that what was decoded once is stored
   again as it was. */
#include "rotations.h"

#include "base/bytes.h"
#include "codec/quat32.h"

/* ---- the specification's two algorithms, word for word ---- */

static uint32_t spec_encode(ember_quat input)
{
    const float    sqrt2 = 1.41421356237309504880f;
    float          q[4] = {input.x, input.y, input.z, input.w}, abs_q[4];
    volatile float step; /* one rounding per operation, whatever the compiler fancies */
    uint32_t       packed = 0;
    int            idx;
    for (int i = 0; i < 4; i++)
        abs_q[i] = fabsf(q[i]);
    if (abs_q[0] > abs_q[1] && abs_q[0] > abs_q[2] && abs_q[0] > abs_q[3])
        idx = 0;
    else if (abs_q[1] > abs_q[2] && abs_q[1] > abs_q[3])
        idx = 1;
    else if (abs_q[2] > abs_q[3])
        idx = 2;
    else
        idx = 3;
    float sign = q[idx] < 0.0f ? -1.0f : 1.0f;
    for (int i = 0, shift = 22; i < 4; i++) {
        if (i == idx)
            continue;
        step = q[i] * sign * sqrt2;
        step = step + 1.0f;
        step = step * 511.5f;
        float rounded = roundf(step); /* half away from zero */
        rounded = rounded < 0.0f ? 0.0f : rounded > 1023.0f ? 1023.0f : rounded;
        packed |= (uint32_t)rounded << shift;
        shift -= 10;
    }
    return packed | (uint32_t)idx;
}

static ember_quat spec_decode(uint32_t packed)
{
    volatile float step, v[3], rest = 1.0f;
    for (int i = 0; i < 3; i++) {
        step = (float)((packed >> (22 - 10 * i)) & 0x3ffu) * (1.0f / 511.5f);
        step = step - 1.0f;
        v[i] = step * (1.0f / 1.41421356237309504880f);
        step = v[i] * v[i];
        rest = rest - step;
    }
    float largest = rest > 0.0f ? sqrtf(rest) : 0.0f;
    float out[4];
    for (uint32_t i = 0, k = 0; i < 4; i++)
        out[i] = i == (packed & 3u) ? largest : v[k++];
    return (ember_quat){out[0], out[1], out[2], out[3]};
}

static uint32_t encode(ember_quat q)
{
    uint32_t packed = 0;
    assert_int_equal(ember_quat32_encode(&packed, q), EMBER_OK);
    return packed;
}

static void assert_same_bits(ember_quat a, ember_quat b) { assert_memory_equal(&a, &b, sizeof(a)); }

/* ---- */

static const struct {
    ember_quat q;
    uint32_t   packed, published; /* what the layout gives, and what the specification's table says */
} vectors[] = {
    {{0.0f, 0.0f, 0.0f, 1.0f}, 0x80200803u, 0x80080003u},
    {{1.0f, 0.0f, 0.0f, 0.0f}, 0x80200800u, 0x80080000u},
    {{0.0f, 1.0f, 0.0f, 0.0f}, 0x80200801u, 0x80080001u},
    {{0.0f, 0.0f, 1.0f, 0.0f}, 0x80200802u, 0x80080002u},
    {{0.5f, 0.5f, 0.5f, 0.5f}, 0xda769da7u, 0xb6db6db3u},
    {{0.707107f, 0.0f, 0.0f, 0.707107f}, 0xffe00803u, 0xbff00003u},
    {{-0.5f, -0.5f, -0.5f, 0.5f}, 0x2589625bu, 0x49249243u},
};
#define VECTOR_COUNT (sizeof(vectors) / sizeof(vectors[0]))

TEST(quat32_encodes_the_corrected_vectors)
{
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        assert_int_equal(encode(vectors[i].q), vectors[i].packed);
        assert_true(degrees_between(vectors[i].q, ember_quat32_decode(vectors[i].packed)) < 0.275);
    }
}

TEST(quat32_decodes_the_published_wrong_values)
{
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        ember_quat q = ember_quat32_decode(vectors[i].published);
        assert_true(quat_is_finite(q));
        assert_same_bits(q, spec_decode(vectors[i].published));
    }
}

/* By hand: 512/511.5 - 1 is 1/1023, times 1/sqrt2 0.000691209; the largest is the root of 1 less three
   squares of it. */
TEST(quat32_decodes_identity_by_hand)
{
    ember_quat q = ember_quat32_decode(0x80200803u);
    assert_true(fabs((double)q.x - 0.000691209) < 1e-7);
    assert_true(q.y == q.x && q.z == q.x);
    assert_true(fabs((double)q.w - 0.999999283) < 1e-7);
    assert_true(fabs(degrees_between(q, (ember_quat){0.0f, 0.0f, 0.0f, 1.0f}) - 0.137) < 0.001);
}

TEST(quat32_puts_the_largest_where_the_index_says)
{
    /* codes 0, 511 and 1023: -0.7071, -0.0007, 0.7071; their squares make 1, so nothing is left
       for the largest */
    for (uint32_t index = 0; index < 4; index++) {
        ember_quat   q = ember_quat32_decode(0u << 22 | 511u << 12 | 1023u << 2 | index);
        const float  v[4] = {q.x, q.y, q.z, q.w};
        const double expected[3] = {-0.707107, -0.000691, 0.707107};
        for (uint32_t i = 0, k = 0; i < 4; i++) {
            double wanted = i == index ? 0.0 : expected[k++];
            assert_true(fabs((double)v[i] - wanted) < (i == index ? 1e-3 : 1e-6));
        }
    }
}

TEST(quat32_encodes_as_the_specification)
{
    test_random random = {1};
    for (int i = 0; i < 1000000; i++) {
        ember_quat q = random_rotation(&random);
        assert_int_equal(encode(q), spec_encode(q));
    }
}

TEST(quat32_decodes_as_the_specification)
{
    test_random random = {2};
    for (int i = 0; i < 1000000; i++) {
        uint32_t packed = test_random_u32(&random);
        assert_same_bits(ember_quat32_decode(packed), spec_decode(packed));
    }
}

/* All 1024 codes of a component, at each place and index. */
TEST(quat32_decodes_every_code)
{
    for (uint32_t code = 0; code < 1024; code++) {
        for (uint32_t shift = 2; shift <= 22; shift += 10) {
            for (uint32_t index = 0; index < 4; index++) {
                uint32_t   packed = (0x80200800u & ~(0x3ffu << shift)) | code << shift | index;
                ember_quat q = ember_quat32_decode(packed);
                assert_same_bits(q, spec_decode(packed));
                assert_true(quat_is_finite(q));
            }
        }
    }
}

/* The kernels multiply by the float next to 1/sqrt2; the specification by one over the float next to sqrt2.
   They are one. */
TEST(both_ways_to_one_over_sqrt2_are_the_same_float)
{
    volatile float sqrt2 = 1.41421356237309504880f;
    assert_int_equal(emberi_bits_of(1.0f / sqrt2), 0x3f3504f3u);
    assert_int_equal(emberi_bits_of(0.70710678118654752f), 0x3f3504f3u);
}

TEST(quat32_gives_ties_to_the_later_component)
{
    const float h = 0.70710677f, t = 0.57735026f;
    static const struct {
        uint8_t  components; /* bit i set: component i is one of the equal largest */
        uint32_t index;
    } rows[] = {{0x3, 1}, {0x5, 2}, {0x9, 3}, {0x6, 2}, {0xa, 3}, {0xc, 3},
                {0x7, 2}, {0xb, 3}, {0xd, 3}, {0xe, 3}, {0xf, 3}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned bits = rows[i].components,
                 count = (bits & 1u) + (bits >> 1 & 1u) + (bits >> 2 & 1u) + (bits >> 3);
        float size = count == 2 ? h : count == 3 ? t : 0.5f;
        for (unsigned signs = 0; signs < 16; signs++) { /* a tie is one of absolute values */
            float v[4];
            for (unsigned k = 0; k < 4; k++)
                v[k] = ((bits >> k) & 1u) != 0 ? (((signs >> k) & 1u) != 0 ? -size : size) : 0.0f;
            assert_int_equal(encode((ember_quat){v[0], v[1], v[2], v[3]}) & 3u, rows[i].index);
        }
    }
}

TEST(quat32_of_both_hemispheres_is_the_same)
{
    test_random random = {3};
    for (int i = 0; i < 300000; i++) {
        ember_quat q = random_rotation(&random);
        assert_int_equal(encode(q), encode(quat_negated(q)));
    }
    for (size_t i = 0; i < VECTOR_COUNT; i++)
        assert_int_equal(encode(quat_negated(vectors[i].q)), vectors[i].packed);
}

/* Zero is 511.5, which goes away from zero to 512; then the floats around every border between two codes. */
TEST(quat32_rounds_half_away_from_zero)
{
    assert_int_equal(encode((ember_quat){0.0f, -0.0f, 0.0f, 1.0f}), 0x80200803u);
    for (uint32_t code = 150; code < 873; code++) { /* where a component can be without being the largest */
        float at = (float)((((double)code + 0.5) / 511.5 - 1.0) / 1.4142135623730951);
        for (int i = -3; i <= 3; i++) {
            float      v = at + (float)i * 3e-8f;
            ember_quat q = {v, 0.0f, 0.0f, sqrtf(1.0f - v * v)};
            assert_int_equal(encode(q), spec_encode(q));
        }
    }
}

TEST(quat32_clamps_at_both_ends)
{
    /* squared length within the tolerance, so not normalised; 0.70713 is beyond 1/sqrt2 */
    assert_int_equal(encode((ember_quat){0.70713f, 0.0f, 0.0f, 0.70713f}), 0xffe00803u);
    assert_int_equal(encode((ember_quat){-0.70713f, 0.0f, 0.0f, 0.70713f}), 0x00200803u);
}

TEST(quat32_normalises_any_length)
{
    static const float sizes[] = {2.0f, 0.5f, 1e-3f, 1e3f, 1e-20f, 1e19f, 3e38f, 1e-38f};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        assert_int_equal(encode((ember_quat){0.0f, 0.0f, 0.0f, sizes[i]}), 0x80200803u);
        assert_int_equal(encode((ember_quat){0.0f, -sizes[i], 0.0f, 0.0f}), 0x80200801u);
        assert_int_equal(encode(quat_times((ember_quat){0.5f, 0.5f, 0.5f, 0.5f}, sizes[i])), 0xda769da7u);
    }
    ember_quat smallest = {emberi_float_of(1), 0.0f, 0.0f, 0.0f};
    assert_int_equal(encode(smallest), 0x80200800u);
}

/* A quaternion whose code is 945.51 at unit length and 945.49 when it is shorter by 4 in 100,000. Its squared
   length is off by 8e-5 then, and it is stored as it is; off by 2e-4, it is normalised first. */
TEST(quat32_normalises_only_beyond_the_tolerance)
{
    const double a = 434.010 / (511.5 * 1.4142135623730951), w = sqrt(1.0 - a * a);
    ember_quat   unit = {(float)a, 0.0f, 0.0f, (float)w};
    ember_quat   inside = {(float)(a * 0.99996), 0.0f, 0.0f, (float)(w * 0.99996)};
    ember_quat   outside = {(float)(a * 0.9999), 0.0f, 0.0f, (float)(w * 0.9999)};
    assert_int_equal(encode(unit) >> 22, 946);
    assert_int_equal(encode(inside) >> 22, 945);
    assert_int_equal(encode(outside) >> 22, 946);
}

TEST(quat32_rejects_zero_and_what_is_not_finite)
{
    for (size_t i = 0; i < BAD_ROTATION_COUNT; i++) {
        uint32_t out = 0x12345678u;
        assert_int_equal(ember_quat32_encode(&out, bad_rotations[i]), EMBER_E_RANGE);
        assert_int_equal(ember_quat32_encode_again(&out, bad_rotations[i]), EMBER_E_RANGE);
        assert_int_equal(out, 0x12345678u);
    }
}

TEST(quat32_precision_holds)
{
    test_random random = {0x5eed};
    const int   count = 1000000;
    double      worst = 0.0, sum = 0.0;
    int         beyond = 0;
    for (int i = 0; i < count; i++) {
        ember_quat q = random_rotation(&random);
        double     degrees = degrees_between(q, ember_quat32_decode(encode(q)));
        worst = degrees > worst ? degrees : worst;
        sum += degrees;
        beyond += degrees > 0.24;
    }
    print_message("a million rotations: largest error %.4f degrees, mean %.4f, %d over 0.24\n", worst,
                  sum / count, beyond);
    assert_true(worst <= 0.2745); /* no rotation can be further off: see the next test */
    assert_true(beyond <= 5);     /* one in two million */
    assert_true(sum / count < 0.085);
}

/* Each stored component is off by half a step h = 1/(1023 sqrt2) at most, the largest by three of them where
   all four are near 0.5: 2 sqrt(12) h radians, 0.2744 degrees. This rotation comes close. */
TEST(quat32_worst_case_is_near_its_bound)
{
    const double a = (872.501 / 511.5 - 1.0) / 1.4142135623730951;
    ember_quat   q = {(float)a, (float)a, (float)a, (float)sqrt(1.0 - 3.0 * a * a)};
    double       degrees = degrees_between(q, ember_quat32_decode(encode(q)));
    assert_true(degrees > 0.27 && degrees < 0.2744);
}

TEST(quat32_decoding_stays_unit_for_what_an_encoder_writes)
{
    test_random random = {4};
    for (int i = 0; i < 300000; i++) {
        ember_quat q = ember_quat32_decode(encode(random_rotation(&random)));
        double squared = (double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                         (double)q.w * (double)q.w;
        assert_true(fabs(squared - 1.0) < 3e-7);
    }
}

TEST(encode_again_finds_what_decodes_to_the_same_floats)
{
    test_random random = {5};
    const int   count = 4000000;
    int         same_code = 0, plain_same_floats = 0;
    for (int i = 0; i < count; i++) {
        uint32_t   code = test_random_u32(&random), again = 0, plain = 0;
        ember_quat q = ember_quat32_decode(code);
        assert_int_equal(ember_quat32_encode_again(&again, q), EMBER_OK);
        assert_same_bits(ember_quat32_decode(again), q);
        same_code += again == code;
        ember_quat other = {0};
        if (ember_quat32_encode(&plain, q) == EMBER_OK)
            other = ember_quat32_decode(plain);
        plain_same_floats += memcmp(&other, &q, sizeof(q)) == 0;
    }
    print_message("%d random codes: the same floats always, the same code %d times; the plain formula: the "
                  "same floats %d times\n",
                  count, same_code, plain_same_floats);
    assert_true(same_code >= count - count / 10000);
    assert_true(plain_same_floats < count); /* otherwise the function would not be needed */
}

TEST(encode_again_keeps_what_an_encoder_wrote)
{
    test_random random = {6};
    const int   count = 1000000;
    int         same_code = 0, plain_same_code = 0;
    for (int i = 0; i < count; i++) {
        uint32_t   code = encode(random_rotation(&random)), again = 0;
        ember_quat q = ember_quat32_decode(code);
        plain_same_code += encode(q) == code;
        assert_int_equal(ember_quat32_encode_again(&again, q), EMBER_OK);
        assert_same_bits(ember_quat32_decode(again), q);
        same_code += again == code;
    }
    print_message("%d encoded rotations: the same code %d times; by the plain formula %d times\n", count,
                  same_code, plain_same_code);
    assert_true(same_code >= count - count / 10000);
}

TEST(encode_again_is_the_formula_for_all_else)
{
    test_random random = {7};
    for (int i = 0; i < 300000; i++) {
        ember_quat q = random_rotation(&random);
        uint32_t   again = 0;
        assert_int_equal(ember_quat32_encode_again(&again, q), EMBER_OK);
        ember_quat decoded = ember_quat32_decode(again);
        if (memcmp(&decoded, &q, sizeof(q)) != 0)
            assert_int_equal(again, encode(q));
    }
    for (size_t i = 0; i < VECTOR_COUNT; i++) {
        uint32_t again = 0;
        assert_int_equal(ember_quat32_encode_again(&again, vectors[i].q), EMBER_OK);
        assert_int_equal(again, vectors[i].packed);
        assert_int_equal(ember_quat32_encode_again(&again, ember_quat32_decode(vectors[i].published)),
                         EMBER_OK);
        assert_int_equal(again, vectors[i].published); /* wrong values survive a round trip too */
    }
}

/* ---- the nearest code ---- */

static uint32_t encode_nearest(ember_quat q)
{
    uint32_t packed = 0;
    assert_int_equal(ember_quat32_encode_nearest(&packed, q), EMBER_OK);
    return packed;
}

/* The least error of all 27 codes around the formula's, the slow way. */
static double least_error_around(ember_quat q)
{
    uint32_t formula = encode(q);
    double   least = 1e9;
    for (int i = 0; i < 27; i++) {
        const int steps[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        uint32_t  packed = formula & 3u;
        bool      inside = true;
        for (int k = 0; k < 3; k++) {
            int code = (int)(formula >> (22 - 10 * k) & 0x3ffu) + steps[k];
            inside = inside && code >= 0 && code <= 1023;
            packed |= ((uint32_t)code & 0x3ffu) << (22 - 10 * k);
        }
        if (!inside)
            continue;
        double degrees = degrees_between(q, ember_quat32_decode(packed));
        least = degrees < least ? degrees : least;
    }
    return least;
}

TEST(encode_nearest_is_never_worse_than_the_formula)
{
    test_random random = {0xfee1};
    double      worst = 0.0;
    int         better = 0;
    for (int i = 0; i < 1000000; i++) {
        ember_quat q = random_rotation(&random);
        if (i % 4 == 0) { /* where the formula is at its worst */
            q = (ember_quat){0.5f + test_random_float(&random, -0.005f, 0.005f),
                             0.5f + test_random_float(&random, -0.005f, 0.005f),
                             0.5f + test_random_float(&random, -0.005f, 0.005f), 0.0f};
            q.w = (float)sqrt(1.0 - (double)q.x * (double)q.x - (double)q.y * (double)q.y -
                              (double)q.z * (double)q.z);
        }
        double near = degrees_between(q, ember_quat32_decode(encode_nearest(q)));
        double formula = degrees_between(q, ember_quat32_decode(encode(q)));
        assert_true(near <= formula + 1e-5);
        better += near < formula - 1e-5;
        worst = near > worst ? near : worst;
    }
    print_message("nearest: largest error %.4f degrees, better than the formula in %d of a million\n", worst,
                  better);
    assert_true(worst <= 0.16);
    assert_true(better > 1000);
}

TEST(encode_nearest_finds_the_best_code_around)
{
    test_random random = {0xbe57};
    for (int i = 0; i < 50000; i++) {
        ember_quat q = random_rotation(&random);
        assert_true(degrees_between(q, ember_quat32_decode(encode_nearest(q))) <=
                    least_error_around(q) + 1e-3);
    }
}

TEST(encode_nearest_refuses_what_the_formula_refuses)
{
    for (size_t i = 0; i < BAD_ROTATION_COUNT; i++) {
        uint32_t out = 0x12345678u;
        assert_int_equal(ember_quat32_encode_nearest(&out, bad_rotations[i]), EMBER_E_RANGE);
        assert_int_equal(out, 0x12345678u);
    }
}

/* By hand: a code c stands for v with v*v = ((2c - 1023)/1023)^2 / 2, and the sum may be 1. */
TEST(codes_are_unit_where_the_three_are_not_longer_than_one)
{
    assert_true(emberi_quat32_is_unit(512u << 22 | 512u << 12 | 512u << 2));
    /* 1/2 and next to nothing */
    assert_true(emberi_quat32_is_unit(1023u << 22 | 512u << 12 | 512u << 2 | 3u));
    /* (1 + 0.816^2 + 0.413^2)/2 = 0.92 */
    assert_true(emberi_quat32_is_unit(0u << 22 | 929u << 12 | 300u << 2));
    assert_false(emberi_quat32_is_unit(0));                                     /* three halves */
    assert_false(emberi_quat32_is_unit(1023u << 22 | 1023u << 12 | 512u << 2)); /* 1 and a trace */
    test_random random = {0x0dd};
    for (int i = 0; i < 100000; i++)
        assert_true(emberi_quat32_is_unit(encode(random_rotation(&random))));
}
