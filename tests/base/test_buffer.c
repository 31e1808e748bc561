/* SPDX-License-Identifier: MIT */
/* Bytes that grow: what was appended stays, and a buffer that cannot grow keeps what it has. */
#include "fixtures/allocator.h"

TEST(appended_bytes_follow_each_other)
{
    ember_buffer buffer = {.allocator = ember_heap()};
    uint8_t      expected[10000];
    for (size_t i = 0; i < sizeof(expected); i++) {
        expected[i] = (uint8_t)(i * 7);
        assert_true(ember_buffer_append(&buffer, &expected[i], 1));
    }
    assert_true(ember_buffer_append(&buffer, NULL, 0));
    assert_int_equal(buffer.size, sizeof(expected));
    assert_memory_equal(buffer.data, expected, sizeof(expected));
    ember_buffer_free(&buffer);
    assert_null(buffer.data);
    assert_int_equal(buffer.size + buffer.capacity, 0);
}

TEST(a_buffer_ends_at_its_limit)
{
    ember_buffer buffer = {.allocator = ember_heap(), .limit = 5};
    assert_true(ember_buffer_append(&buffer, "abc", 3));
    assert_false(ember_buffer_append(&buffer, "def", 3));
    assert_true(ember_buffer_append(&buffer, "de", 2));
    assert_null(ember_buffer_grow(&buffer, 1));
    assert_null(ember_buffer_grow(&buffer, SIZE_MAX));
    assert_int_equal(buffer.size, 5);
    assert_memory_equal(buffer.data, "abcde", 5);
    ember_buffer_free(&buffer);
}

TEST(a_failing_allocation_leaves_the_buffer_as_it_was)
{
    fixture_heap heap = {.fail_at = 2};
    ember_buffer buffer = {.allocator = {fixture_heap_resize, &heap}};
    assert_true(ember_buffer_append(&buffer, "abc", 3));
    assert_null(ember_buffer_grow(&buffer, 1000000));
    assert_int_equal(buffer.size, 3);
    assert_memory_equal(buffer.data, "abc", 3);
    ember_buffer_free(&buffer);
    assert_int_equal(heap.blocks, 0);
}

TEST(a_buffer_without_an_allocator_does_not_grow)
{
    ember_buffer buffer = {.size = 0};
    assert_null(ember_buffer_grow(&buffer, 1));
    ember_buffer_free(&buffer);
}
