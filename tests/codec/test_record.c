/* SPDX-License-Identifier: MIT */
/* The five keyframe records: the specification's test vectors with the corrected rotations, byte tables by
   hand, what each record drops, what is refused, and that any bytes decode and come back. */
#include "rotations.h"

static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;

static void encode_ok(uint8_t *out, ember_record record, const ember_transform *t)
{
    assert_int_equal(ember_record_encode(out, record, t), EMBER_OK);
}

static void assert_near(float got, double wanted, double tolerance)
{
    assert_true(fabs((double)got - wanted) < tolerance);
}

TEST(record_sizes_are_the_specifications)
{
    assert_int_equal(ember_record_size(EMBER_RECORD_EWZ), 16);
    assert_int_equal(ember_record_size(EMBER_RECORD_EWZ), EMBER_KEYFRAME_SIZE);
    assert_int_equal(ember_record_size(EMBER_RECORD_A), 12);
    assert_int_equal(ember_record_size(EMBER_RECORD_B), 10);
    assert_int_equal(ember_record_size(EMBER_RECORD_D), 8);
    assert_int_equal(ember_record_size(EMBER_RECORD_E), 20);
    assert_int_equal(ember_record_size(EMBER_RECORD_C), 16);
    assert_int_equal(ember_record_size(EMBER_RECORD_COUNT), 0);
    assert_int_equal(ember_record_size((ember_record)1000), 0);
}

/* ---- the specification's vectors ---- */

TEST(vector_1_identity)
{
    const uint8_t expected[16] = {0x03, 0x08, 0x20, 0x80, 0,    0,    0,    0,
                                  0,    0,    0x00, 0x3c, 0x00, 0x3c, 0x00, 0x3c};
    uint8_t       bytes[16];
    encode_ok(bytes, EMBER_RECORD_EWZ, &identity);
    assert_memory_equal(bytes, expected, 16);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_EWZ, NULL);
    assert_near(t.rotation.w, 1.0, 0.002);
    assert_true(t.position.x == 0.0f && t.position.y == 0.0f && t.position.z == 0.0f);
    assert_true(t.scale.x == 1.0f && t.scale.y == 1.0f && t.scale.z == 1.0f);
}

TEST(vector_2_typical_pose)
{
    const ember_transform input = {{0.270598f, 0.0f, 0.0f, 0.962728f},
                                   {1.5f, 2.25f, -0.75f},
                                   {1.0f, 1.0f, 1.0f}};
    /* (0.270598 * 1.414214 + 1) * 511.5 = 707.24 = 0x2c3; halves: 1.5 3e00, 2.25 4080, -0.75 ba00. The
       input's squared length is 1.00007, so it is taken as it is. */
    const uint8_t         expected[16] = {0x03, 0x08, 0xe0, 0xb0, 0x00, 0x3e, 0x80, 0x40,
                                          0x00, 0xba, 0x00, 0x3c, 0x00, 0x3c, 0x00, 0x3c};
    uint8_t               bytes[16];
    encode_ok(bytes, EMBER_RECORD_EWZ, &input);
    assert_memory_equal(bytes, expected, 16);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_EWZ, NULL);
    double          dot = (double)(input.rotation.x * t.rotation.x + input.rotation.w * t.rotation.w);
    assert_true(fabs(dot) > 0.9999);
    assert_true(t.position.x == 1.5f && t.position.y == 2.25f && t.position.z == -0.75f);
    assert_true(t.scale.x == 1.0f && t.scale.y == 1.0f && t.scale.z == 1.0f);
}

TEST(vector_3_extreme_values)
{
    const ember_transform input = {{0.707107f, 0.0f, 0.707107f, 0.0f},
                                   {1000.0f, -500.0f, 0.001f},
                                   {0.5f, 1.0f, 2.5f}};
    /* the tie goes to z: a 1023, b and c 512, index 2; 0.001 is 1.024 * 2^-10: 0x1419 */
    const uint8_t         expected[16] = {0x02, 0x08, 0xe0, 0xff, 0xd0, 0x63, 0xd0, 0xdf,
                                          0x19, 0x14, 0x00, 0x38, 0x00, 0x3c, 0x00, 0x41};
    uint8_t               bytes[16];
    encode_ok(bytes, EMBER_RECORD_EWZ, &input);
    assert_memory_equal(bytes, expected, 16);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_EWZ, NULL);
    assert_near(t.position.x, 1000.0, 1.0);
    assert_near(t.position.y, -500.0, 0.5);
    assert_near(t.position.z, 0.001, 1e-6);
    assert_true(t.scale.x == 0.5f && t.scale.y == 1.0f && t.scale.z == 2.5f);
    assert_true(degrees_between(t.rotation, input.rotation) < 0.275);
}

TEST(vector_4_bytes)
{
    const uint8_t   bytes[16] = {0x03, 0x08, 0x20, 0x80, 0x00, 0x3c, 0x00, 0x40,
                                 0x00, 0xc0, 0x00, 0x3c, 0x00, 0x3c, 0x00, 0x3c};
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_EWZ, NULL);
    assert_near(t.rotation.w, 1.0, 0.002);
    assert_true(t.position.x == 1.0f && t.position.y == 2.0f && t.position.z == -2.0f);
    assert_true(t.scale.x == 1.0f && t.scale.y == 1.0f && t.scale.z == 1.0f);
    uint8_t again[16];
    encode_ok(again, EMBER_RECORD_EWZ, &t);
    assert_memory_equal(again, bytes, 16);
}

/* The published bytes of the identity are another rotation, but a valid record. */
TEST(published_wrong_identity_still_decodes)
{
    const uint8_t   bytes[16] = {0x03, 0x00, 0x08, 0x80, 0x00, 0x3c, 0x00, 0x40,
                                 0x00, 0xc0, 0x00, 0x3c, 0x00, 0x3c, 0x00, 0x3c};
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_EWZ, NULL);
    assert_true(quat_is_finite(t.rotation));
    uint8_t again[16];
    encode_ok(again, EMBER_RECORD_EWZ, &t);
    assert_memory_equal(again, bytes, 16);
}

/* ---- byte tables of the draft's records ---- */

static const ember_transform posed = {{0.0f, 1.0f, 0.0f, 0.0f}, {1.0f, -2.0f, 0.5f}, {2.0f, 2.0f, 2.0f}};

TEST(record_a_bytes)
{
    const uint8_t expected[12] = {0x01, 0x08, 0x20, 0x80, 0x00, 0x3c, 0x00, 0xc0, 0x00, 0x38, 0x00, 0x40};
    uint8_t       bytes[12];
    encode_ok(bytes, EMBER_RECORD_A, &posed);
    assert_memory_equal(bytes, expected, 12);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_A, NULL);
    assert_memory_equal(&t.position, &posed.position, sizeof(t.position));
    assert_memory_equal(&t.scale, &posed.scale, sizeof(t.scale));
    assert_near(t.rotation.y, 1.0, 0.002);
}

TEST(record_b_bytes)
{
    const uint8_t expected[10] = {0x01, 0x08, 0x20, 0x80, 0x00, 0x3c, 0x00, 0xc0, 0x00, 0x38};
    uint8_t       bytes[10];
    encode_ok(bytes, EMBER_RECORD_B, &posed);
    assert_memory_equal(bytes, expected, 10);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_B, NULL);
    assert_memory_equal(&t.position, &posed.position, sizeof(t.position));
    assert_true(t.scale.x == 1.0f && t.scale.y == 1.0f && t.scale.z == 1.0f);
}

TEST(record_d_bytes)
{
    const uint8_t expected[8] = {0x01, 0x08, 0x20, 0x80, 0x00, 0x3c, 0x00, 0xc0};
    uint8_t       bytes[8];
    encode_ok(bytes, EMBER_RECORD_D, &posed);
    assert_memory_equal(bytes, expected, 8);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_D, NULL);
    assert_true(t.position.x == 1.0f && t.position.y == -2.0f && t.position.z == 0.0f);
    assert_true(t.scale.x == 1.0f && t.scale.y == 1.0f && t.scale.z == 1.0f);
}

TEST(record_e_bytes)
{
    const uint8_t expected[20] = {0x01, 0x08, 0x20, 0x80, 0x00, 0x00, 0x80, 0x3f, 0x00, 0x00,
                                  0x00, 0xc0, 0x00, 0x00, 0x00, 0x3f, 0x00, 0x00, 0x00, 0x40};
    uint8_t       bytes[20];
    encode_ok(bytes, EMBER_RECORD_E, &posed);
    assert_memory_equal(bytes, expected, 20);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_E, NULL);
    assert_memory_equal(&t.position, &posed.position, sizeof(t.position));
    assert_memory_equal(&t.scale, &posed.scale, sizeof(t.scale));
}

TEST(record_e_keeps_float_positions)
{
    ember_transform input = identity;
    input.position = (ember_vec3){123456.789f, -1e-30f, 3.4e38f};
    input.scale = (ember_vec3){0.1f, 0.1f, 0.1f};
    uint8_t bytes[20];
    encode_ok(bytes, EMBER_RECORD_E, &input);
    ember_transform t = ember_record_decode(bytes, EMBER_RECORD_E, NULL);
    assert_memory_equal(&t.position, &input.position, sizeof(t.position));
    assert_memory_equal(&t.scale, &input.scale, sizeof(t.scale));
}

TEST(records_a_and_e_store_the_mean_scale)
{
    ember_transform input = identity;
    input.scale = (ember_vec3){0.5f, 1.0f, 3.0f};
    uint8_t bytes[20];
    encode_ok(bytes, EMBER_RECORD_A, &input);
    assert_true(ember_record_decode(bytes, EMBER_RECORD_A, NULL).scale.y == 1.5f);
    encode_ok(bytes, EMBER_RECORD_E, &input);
    assert_true(ember_record_decode(bytes, EMBER_RECORD_E, NULL).scale.z == 1.5f);
    test_random random = {31};
    for (int i = 0; i < 100000; i++) { /* equal scales are their own mean, to the last bit */
        float s = test_random_float(&random, -300.0f, 300.0f);
        input.scale = (ember_vec3){s, s, s};
        encode_ok(bytes, EMBER_RECORD_E, &input);
        ember_transform t = ember_record_decode(bytes, EMBER_RECORD_E, NULL);
        assert_memory_equal(&t.scale, &input.scale, sizeof(t.scale));
    }
}

/* ---- D's missing z ---- */

static float missing_z(float x, float y, ember_vec3 rest)
{
    ember_transform input = identity;
    uint8_t         bytes[8];
    input.position = (ember_vec3){x, y, 99.0f};
    encode_ok(bytes, EMBER_RECORD_D, &input);
    return ember_record_decode(bytes, EMBER_RECORD_D, &rest).position.z;
}

TEST(record_d_takes_z_from_the_rest_length)
{
    assert_true(missing_z(3.0f, 0.0f, (ember_vec3){0.0f, 0.0f, 5.0f}) == 4.0f);
    assert_true(missing_z(3.0f, 0.0f, (ember_vec3){0.0f, 0.0f, -5.0f}) == -4.0f);
    assert_true(missing_z(2.0f, -3.0f, (ember_vec3){-2.0f, 3.0f, 6.0f}) == 6.0f);
    assert_true(missing_z(0.0f, 0.0f, (ember_vec3){-2.0f, 3.0f, -6.0f}) == -7.0f);
    /* no sign to take: positive */
    assert_true(missing_z(0.0f, 0.0f, (ember_vec3){3.0f, 4.0f, 0.0f}) == 5.0f);
}

TEST(record_d_gives_zero_where_the_bone_is_too_short)
{
    const ember_vec3 rest = {0.0f, 0.0f, -5.0f};
    assert_true(missing_z(5.0f, 0.0f, rest) == 0.0f);
    assert_true(missing_z(5.0f, 5.0f, rest) == 0.0f);
    assert_true(missing_z(1.0f, 0.0f, (ember_vec3){0.0f, 0.0f, 0.0f}) == 0.0f);
    const uint8_t not_numbers[8] = {0x03, 0x08, 0x20, 0x80, 0x00, 0x7c, 0x00, 0x7e}; /* infinity and NaN */
    assert_true(ember_record_decode(not_numbers, EMBER_RECORD_D, &rest).position.z == 0.0f);
}

/* A long bone that lies almost across: the squares of x and of the length differ in their last bits only. */
TEST(record_d_keeps_a_small_z_beside_a_large_x)
{
    float z = missing_z(1024.0f, 0.0f, (ember_vec3){1024.0f, 0.0f, 0.25f});
    assert_true(z == 0.25f);
}

/* ---- refusals ---- */

static void assert_refused(ember_record record, const ember_transform *t)
{
    uint8_t bytes[20], before[20];
    memset(bytes, 0xa5, sizeof(bytes));
    memcpy(before, bytes, sizeof(bytes));
    assert_int_equal(ember_record_encode(bytes, record, t), EMBER_E_RANGE);
    assert_memory_equal(bytes, before, sizeof(bytes));
}

TEST(records_refuse_bad_rotations)
{
    for (int record = 0; record < EMBER_RECORD_COUNT; record++) {
        for (size_t i = 0; i < BAD_ROTATION_COUNT; i++) {
            ember_transform t = identity;
            t.rotation = bad_rotations[i];
            assert_refused((ember_record)record, &t);
        }
    }
}

/* Each number made bad in turn: refused where the record holds it, no matter where it does not. */
TEST(records_refuse_numbers_that_they_cannot_hold)
{
    static const float bad[] = {NAN, INFINITY, -INFINITY, 65520.0f, -1e10f};
    static const bool  held[EMBER_RECORD_COUNT][6] = {
         [EMBER_RECORD_EWZ] = {true, true, true, true, true, true},
         [EMBER_RECORD_C] = {true, true, true, true, true, true},
         [EMBER_RECORD_A] = {true, true, true, true, true, true},
         [EMBER_RECORD_B] = {true, true, true, false, false, false},
         [EMBER_RECORD_D] = {true, true, false, false, false, false},
         [EMBER_RECORD_E] = {true, true, true, true, true, true},
    };
    for (int record = 0; record < EMBER_RECORD_COUNT; record++) {
        for (int place = 0; place < 6; place++) {
            for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
                ember_transform t = identity;
                float *const    numbers[6] = {&t.position.x, &t.position.y, &t.position.z,
                                              &t.scale.x,    &t.scale.y,    &t.scale.z};
                bool            finite = isfinite(bad[i]);
                *numbers[place] = bad[i];
                /* E has floats, and the mean of 65520, 1 and 1 fits a half again */
                if (!held[record][place] || (finite && record == EMBER_RECORD_E) ||
                    (record == EMBER_RECORD_A && place >= 3 && bad[i] == 65520.0f)) {
                    uint8_t bytes[20];
                    encode_ok(bytes, (ember_record)record, &t);
                } else {
                    assert_refused((ember_record)record, &t);
                }
            }
        }
    }
}

TEST(records_take_what_rounds_to_the_largest_half)
{
    ember_transform t = identity;
    uint8_t         bytes[16];
    t.position.x = 65519.0f;
    t.scale.z = -65519.0f;
    encode_ok(bytes, EMBER_RECORD_EWZ, &t);
    ember_transform back = ember_record_decode(bytes, EMBER_RECORD_EWZ, NULL);
    assert_true(back.position.x == 65504.0f && back.scale.z == -65504.0f);
}

TEST(unknown_records_are_refused)
{
    uint8_t bytes[20] = {0};
    assert_int_equal(ember_record_encode(bytes, EMBER_RECORD_COUNT, &identity), EMBER_E_ARG);
    ember_transform t = ember_record_decode(bytes, (ember_record)77, NULL);
    assert_memory_equal(&t, &identity, sizeof(t));
}

/* ---- any bytes ---- */

/* Blocks of exactly the record's size, so that a sanitizer sees a byte too many; whatever decodes to numbers
   that are all finite is stored again as it was. */
TEST(any_bytes_decode_and_come_back)
{
    test_random random = {32};
    int         came_back = 0;
    for (int record = 0; record < EMBER_RECORD_COUNT; record++) {
        size_t   size = ember_record_size((ember_record)record);
        uint8_t *bytes = test_alloc(size), *again = test_alloc(size);
        for (int i = 0; i < 50000; i++) {
            for (size_t k = 0; k < size; k++)
                bytes[k] = (uint8_t)(test_random_u32(&random) >> 24);
            ember_transform t = ember_record_decode(bytes, (ember_record)record, &posed.position);
            assert_true(quat_is_finite(t.rotation));
            ember_status status = ember_record_encode(again, (ember_record)record, &t);
            if (status != EMBER_OK) {
                assert_int_equal(status, EMBER_E_RANGE);
                continue;
            }
            ember_transform t2 = ember_record_decode(again, (ember_record)record, &posed.position);
            assert_memory_equal(&t2, &t, sizeof(t));
            came_back += memcmp(bytes, again, size) == 0;
        }
        free(bytes);
        free(again);
    }
    assert_true(came_back > 150000); /* the others held an infinity or a NaN */
}
