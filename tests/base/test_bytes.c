/* SPDX-License-Identifier: MIT */
/* The bounded reader, the little-endian values, the checked sizes and the hash. */
#include "testing.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/sizes.h"

static void values_are_little_endian(void **state)
{
    (void)state;
    const uint8_t bytes[4] = {0x12, 0x34, 0x56, 0xf8};
    uint8_t       out[6] = {0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa};
    assert_int_equal(emberi_get_u16(bytes), 0x3412);
    assert_int_equal(emberi_get_u16(bytes + 2), 0xf856);
    assert_int_equal(emberi_get_u32(bytes), 0xf8563412u);
    emberi_put_u32(out + 1, 0xf8563412u);
    assert_memory_equal(out, "\xaa\x12\x34\x56\xf8\xaa", 6);
    emberi_put_u16(out, 0xbeef);
    assert_memory_equal(out, "\xef\xbe\x34\x56\xf8\xaa", 6);
}

static void float_bits_go_both_ways(void **state)
{
    (void)state;
    assert_int_equal(emberi_bits_of(1.0f), 0x3f800000u);
    assert_int_equal(emberi_bits_of(-0.0f), 0x80000000u);
    assert_int_equal(emberi_bits_of(emberi_float_of(0x7fc12345u)), 0x7fc12345u);
    assert_true(emberi_float_of(0x40490fdbu) == 3.14159274f);
}

static void reader_reads_in_order(void **state)
{
    (void)state;
    const uint8_t data[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    uint8_t      *copy = test_exact_copy(data, sizeof(data));
    emberi_reader r = emberi_reader_init(copy, sizeof(data));
    assert_int_equal(emberi_reader_u8(&r), 1);
    assert_int_equal(emberi_reader_u16(&r), 0x0302);
    assert_int_equal(emberi_reader_offset(&r), 3);
    assert_int_equal(emberi_reader_u32(&r), 0x07060504);
    assert_int_equal(emberi_reader_left(&r), 2);
    assert_ptr_equal(emberi_reader_take(&r, 2), copy + 7);
    assert_int_equal(emberi_reader_left(&r), 0);
    assert_true(emberi_reader_ok(&r));
    assert_non_null(emberi_reader_take(&r, 0)); /* nothing of nothing is no fault */
    assert_true(emberi_reader_ok(&r));
    free(copy);
}

static void reader_survives_every_prefix(void **state)
{
    (void)state;
    const uint8_t data[7] = {1, 2, 3, 4, 5, 6, 7};
    for (size_t size = 0; size < sizeof(data); size++) {
        uint8_t      *copy = test_exact_copy(data, size);
        emberi_reader r = emberi_reader_init(copy, size);
        (void)emberi_reader_u8(&r);
        (void)emberi_reader_u16(&r);
        (void)emberi_reader_u32(&r);
        assert_int_equal(r.status, EMBER_E_TRUNCATED);
        assert_true(emberi_reader_offset(&r) <= size);
        free(copy);
    }
}

static void reader_fails_for_good(void **state)
{
    (void)state;
    const uint8_t data[3] = {1, 2, 3};
    uint8_t      *copy = test_exact_copy(data, sizeof(data));
    emberi_reader r = emberi_reader_init(copy, sizeof(data));
    assert_int_equal(emberi_reader_u8(&r), 1);
    assert_int_equal(emberi_reader_u32(&r), 0);
    assert_int_equal(r.status, EMBER_E_TRUNCATED);
    assert_int_equal(emberi_reader_offset(&r), 1); /* where the bad read began */
    assert_int_equal(emberi_reader_u8(&r), 0);     /* though a byte is there */
    assert_int_equal(emberi_reader_u16(&r), 0);
    assert_null(emberi_reader_take(&r, 0));
    assert_int_equal(emberi_reader_offset(&r), 1);
    assert_false(emberi_reader_ok(&r));
    free(copy);
}

static void reader_takes_no_size_that_wraps(void **state)
{
    (void)state;
    const uint8_t data[3] = {1, 2, 3};
    emberi_reader r = emberi_reader_init(data, sizeof(data));
    assert_int_equal(emberi_reader_u8(&r), 1);
    assert_null(emberi_reader_take(&r, SIZE_MAX));
    assert_int_equal(r.status, EMBER_E_TRUNCATED);
}

static void reader_of_nothing_is_empty(void **state)
{
    (void)state;
    emberi_reader r = emberi_reader_init(NULL, 100);
    assert_int_equal(emberi_reader_left(&r), 0);
    assert_int_equal(emberi_reader_u8(&r), 0);
    assert_int_equal(r.status, EMBER_E_TRUNCATED);
}

static void sizes_refuse_to_wrap(void **state)
{
    (void)state;
    size_t out = 5;
    assert_true(emberi_mul_size(&out, 6, 7));
    assert_int_equal(out, 42);
    assert_true(emberi_mul_size(&out, 0, SIZE_MAX));
    assert_int_equal(out, 0);
    assert_true(emberi_mul_size(&out, SIZE_MAX, 1));
    assert_true(out == SIZE_MAX);
    assert_true(emberi_add_size(&out, SIZE_MAX - 1, 1));
    assert_true(out == SIZE_MAX);
    out = 5;
    assert_false(emberi_mul_size(&out, SIZE_MAX / 2 + 1, 2));
    assert_false(emberi_add_size(&out, SIZE_MAX, 1));
    assert_int_equal(out, 5);
}

/* The vectors that the inventors of FNV publish for 64 bits, variant 1a. */
static void hash_is_fnv_1a(void **state)
{
    (void)state;
    assert_true(emberi_hash(EMBERI_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(emberi_hash(EMBERI_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(emberi_hash(EMBERI_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(emberi_hash(emberi_hash(EMBERI_HASH_START, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_little_endian),
        cmocka_unit_test(float_bits_go_both_ways),
        cmocka_unit_test(reader_reads_in_order),
        cmocka_unit_test(reader_survives_every_prefix),
        cmocka_unit_test(reader_fails_for_good),
        cmocka_unit_test(reader_takes_no_size_that_wraps),
        cmocka_unit_test(reader_of_nothing_is_empty),
        cmocka_unit_test(sizes_refuse_to_wrap),
        cmocka_unit_test(hash_is_fnv_1a),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
