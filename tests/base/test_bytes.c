/* SPDX-License-Identifier: MIT */
/* The bounded reader, the little-endian values, the checked sizes and the hash. */
#include "fixtures/prefix.h"

#include "base/bytes.h"
#include "base/hash.h"
#include "base/sizes.h"

TEST(values_are_little_endian)
{
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

TEST(values_are_big_endian_where_the_name_says_so)
{
    const uint8_t bytes[8] = {0x12, 0x34, 0x56, 0xf8, 0x9a, 0xbc, 0xde, 0xf0};
    assert_int_equal(emberi_get_u32_big(bytes), 0x123456f8u);
    assert_true(emberi_get_u64_big(bytes) == UINT64_C(0x123456f89abcdef0));
    assert_true(emberi_get_u64(bytes) == UINT64_C(0xf0debc9af8563412));
}

TEST(float_bits_go_both_ways)
{
    assert_int_equal(emberi_bits_of(1.0f), 0x3f800000u);
    assert_int_equal(emberi_bits_of(-0.0f), 0x80000000u);
    assert_int_equal(emberi_bits_of(emberi_float_of(0x7fc12345u)), 0x7fc12345u);
    assert_true(emberi_float_of(0x40490fdbu) == 3.14159274f);
}

TEST(reader_reads_in_order)
{
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

TEST(reader_survives_every_prefix)
{
    const uint8_t data[7] = {1, 2, 3, 4, 5, 6, 7};
    for (fixture_prefix p = fixture_prefixes(data, sizeof(data)); fixture_prefix_next(&p);) {
        emberi_reader r = emberi_reader_init(p.data, p.size);
        (void)emberi_reader_u8(&r);
        (void)emberi_reader_u16(&r);
        (void)emberi_reader_u32(&r);
        assert_int_equal(r.status, EMBER_E_TRUNCATED);
        assert_true(emberi_reader_offset(&r) <= p.size);
    }
}

TEST(reader_fails_for_good)
{
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

TEST(reader_takes_no_size_that_wraps)
{
    const uint8_t data[3] = {1, 2, 3};
    emberi_reader r = emberi_reader_init(data, sizeof(data));
    assert_int_equal(emberi_reader_u8(&r), 1);
    assert_null(emberi_reader_take(&r, SIZE_MAX));
    assert_int_equal(r.status, EMBER_E_TRUNCATED);
}

TEST(reader_of_nothing_is_empty)
{
    emberi_reader r = emberi_reader_init(NULL, 100);
    assert_int_equal(emberi_reader_left(&r), 0);
    assert_int_equal(emberi_reader_u8(&r), 0);
    assert_int_equal(r.status, EMBER_E_TRUNCATED);
}

TEST(sizes_refuse_to_wrap)
{
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
TEST(hash_is_fnv_1a)
{
    assert_true(emberi_hash(EMBERI_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(emberi_hash(EMBERI_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(emberi_hash(EMBERI_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(emberi_hash(emberi_hash(EMBERI_HASH_START, "foo", 3), "bar", 3) ==
                UINT64_C(0x85944171f73967e8));
}
