/* SPDX-License-Identifier: MIT */
/* The arena: what it gives out, what it refuses, and that a restore or a free gives every block back. */
#include "fixtures/allocator.h"

static bool all_zero(const void *memory, size_t size)
{
    const uint8_t *bytes = memory;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static bool aligned_to(const void *memory, size_t align) { return ((uintptr_t)memory & (align - 1)) == 0; }

TEST(fixed_arena_gives_exactly_its_bytes)
{
    uint8_t    *memory = test_alloc(64);
    ember_arena arena = ember_arena_fixed(memory, 64);
    memset(memory, 0xcd, 64);
    uint8_t *a = ember_arena_push(&arena, 40, 1, 1);
    uint8_t *b = ember_arena_push(&arena, 24, 1, 1);
    assert_ptr_equal(a, memory);
    assert_ptr_equal(b, memory + 40);
    assert_true(all_zero(memory, 64));
    assert_null(ember_arena_push(&arena, 1, 1, 1));
    assert_non_null(ember_arena_push(&arena, 0, 1, 1));
    free(memory);
}

TEST(fixed_arena_refuses_what_does_not_fit_and_stays_usable)
{
    uint8_t     memory[32];
    ember_arena arena = ember_arena_fixed(memory, sizeof(memory));
    assert_null(ember_arena_push(&arena, 33, 1, 1));
    assert_ptr_equal(ember_arena_push(&arena, 32, 1, 1), memory);
}

TEST(fixed_arena_without_memory_refuses_everything)
{
    ember_arena arena = ember_arena_fixed(NULL, 100);
    assert_null(ember_arena_push(&arena, 1, 1, 1));
}

TEST(pushes_are_aligned)
{
    _Alignas(64) uint8_t memory[512];
    for (size_t offset = 0; offset < 16; offset++) {
        for (size_t align = 1; align <= 64; align *= 2) {
            ember_arena arena = ember_arena_fixed(memory + offset, sizeof(memory) - offset);
            assert_non_null(ember_arena_push(&arena, 1, 1, 1));
            void *p = ember_arena_push(&arena, 3, 8, align);
            assert_non_null(p);
            assert_true(aligned_to(p, align));
            assert_true((uint8_t *)p >= memory + offset + 1 && (uint8_t *)p + 24 <= memory + sizeof(memory));
        }
    }
}

TEST(padding_counts_against_the_room)
{
    _Alignas(16) uint8_t memory[32];
    ember_arena          arena = ember_arena_fixed(memory, sizeof(memory));
    assert_non_null(ember_arena_push(&arena, 1, 1, 1));
    assert_null(ember_arena_push(&arena, 17, 1, 16)); /* only 16 are left behind the padding */
    assert_ptr_equal(ember_arena_push(&arena, 16, 1, 16), memory + 16);
}

TEST(growing_arena_is_aligned_and_zeroed)
{
    fixture_heap heap = {0};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
    for (size_t i = 0; i < 300; i++) {
        size_t align = (size_t)1 << (i % 13); /* up to 4096, more than malloc promises */
        size_t size = (i * 37) % 5000;
        void  *p = ember_arena_push(&arena, size, 1, align);
        assert_non_null(p);
        assert_true(aligned_to(p, align));
        assert_true(all_zero(p, size));
        memset(p, 0xee, size);
    }
    assert_int_equal(heap.resized, 0);                /* what was given out stays where it is */
    assert_true(heap.blocks > 1 && heap.blocks < 12); /* they double: 700 kB are a handful */
    ember_arena_free(&arena);
    assert_int_equal(heap.blocks, 0);
    assert_int_equal(heap.held, 0);
}

TEST(growing_arena_keeps_what_it_gave_out)
{
    fixture_heap heap = {0};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
    uint32_t    *kept[200];
    for (uint32_t i = 0; i < 200; i++) {
        kept[i] = EMBER_PUSH(&arena, uint32_t, 100 + i);
        assert_non_null(kept[i]);
        for (uint32_t k = 0; k < 100 + i; k++)
            kept[i][k] = i;
    }
    for (uint32_t i = 0; i < 200; i++)
        for (uint32_t k = 0; k < 100 + i; k++)
            assert_int_equal(kept[i][k], i);
    ember_arena_free(&arena);
}

TEST(growing_arena_stays_below_its_limit)
{
    fixture_heap heap = {0};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 100000);
    assert_null(ember_arena_push(&arena, 100000, 1, 1)); /* the block's own header does not fit beside it */
    assert_int_equal(heap.calls, 0);
    size_t given = 0;
    while (ember_arena_push(&arena, 1000, 1, 1) != NULL)
        given += 1000;
    assert_true(heap.held <= 100000);
    assert_true(given >= 90000); /* and most of the limit is of use */
    assert_null(ember_arena_push(&arena, 1000, 1, 1));
    ember_arena_free(&arena);
    assert_non_null(ember_arena_push(&arena, 1000, 1, 1)); /* freed means empty, not dead */
    ember_arena_free(&arena);
    assert_int_equal(heap.blocks, 0);
}

TEST(push_refuses_sizes_that_overflow)
{
    fixture_heap heap = {0};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), SIZE_MAX);
    assert_null(ember_arena_push(&arena, SIZE_MAX / 2, 3, 1));
    assert_null(ember_arena_push(&arena, SIZE_MAX, SIZE_MAX, 1));
    assert_null(ember_arena_push(&arena, SIZE_MAX, 1, 1));
    assert_null(ember_arena_push(&arena, SIZE_MAX - 40, 1, 64));
    assert_int_equal(heap.calls, 0);
    uint8_t     memory[16];
    ember_arena fixed = ember_arena_fixed(memory, sizeof(memory));
    assert_null(ember_arena_push(&fixed, SIZE_MAX / 8 + 3, 8, 1)); /* wraps to 16 */
}

TEST(push_survives_every_failing_allocation)
{
    for (size_t fail_at = 1; fail_at <= 6; fail_at++) {
        fixture_heap heap = {.fail_at = fail_at, .fail_once = true};
        ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
        size_t       refused = 0;
        for (int i = 0; i < 64; i++)
            if (ember_arena_push(&arena, 10000, 1, 8) == NULL)
                refused++;
        /* a block for many pushes is not there: one for this push alone is asked for */
        assert_int_equal(refused, 0);
        ember_arena_free(&arena);
        assert_int_equal(heap.blocks, 0);
    }
}

TEST(push_of_a_whole_block_fails_with_its_allocation)
{
    fixture_heap heap = {.fail_at = 1, .fail_once = true};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
    assert_null(ember_arena_push(&arena, 100000, 1, 8));
    assert_int_equal(heap.blocks, 0);
    assert_non_null(ember_arena_push(&arena, 100000, 1, 8)); /* the next asks anew */
    ember_arena_free(&arena);
    assert_int_equal(heap.blocks, 0);
}

TEST(restore_frees_the_blocks_begun_since)
{
    fixture_heap heap = {0};
    ember_arena  arena = ember_arena_growing(fixture_allocator(&heap), 0);
    uint8_t     *kept = ember_arena_push(&arena, 100, 1, 1);
    assert_non_null(kept);
    memset(kept, 7, 100);
    ember_arena_mark mark = ember_arena_save(&arena);
    size_t           blocks = heap.blocks, bytes = heap.held;
    uint8_t         *next = ember_arena_push(&arena, 8, 1, 1);
    for (int i = 0; i < 50; i++)
        assert_non_null(ember_arena_push(&arena, 9000, 1, 16));
    assert_true(heap.blocks > blocks);

    ember_arena_restore(&arena, mark);
    assert_int_equal(heap.blocks, blocks);
    assert_int_equal(heap.held, bytes);
    for (int i = 0; i < 100; i++)
        assert_int_equal(kept[i], 7);
    assert_ptr_equal(ember_arena_push(&arena, 8, 1, 1), next); /* the same place is given out again */
    ember_arena_free(&arena);
    assert_int_equal(heap.blocks, 0);
}

TEST(restore_to_the_very_start_leaves_no_block)
{
    fixture_heap     heap = {0};
    ember_arena      arena = ember_arena_growing(fixture_allocator(&heap), 0);
    ember_arena_mark mark = ember_arena_save(&arena);
    assert_non_null(ember_arena_push(&arena, 50000, 1, 1));
    ember_arena_restore(&arena, mark);
    assert_int_equal(heap.blocks, 0);
    assert_non_null(ember_arena_push(&arena, 1, 1, 1));
    ember_arena_free(&arena);
}

TEST(restore_gives_room_back_in_a_fixed_arena)
{
    uint8_t     memory[32];
    ember_arena arena = ember_arena_fixed(memory, sizeof(memory));
    assert_non_null(ember_arena_push(&arena, 8, 1, 1));
    ember_arena_mark mark = ember_arena_save(&arena);
    uint8_t         *p = ember_arena_push(&arena, 24, 1, 1);
    assert_non_null(p);
    memset(p, 0xff, 24);
    ember_arena_restore(&arena, mark);
    assert_ptr_equal(ember_arena_push(&arena, 24, 1, 1), p);
    assert_true(all_zero(p, 24));
    ember_arena_free(&arena);
    assert_ptr_equal(ember_arena_push(&arena, 32, 1, 1), memory);
}
