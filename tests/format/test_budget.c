/* SPDX-License-Identifier: MIT */
/* What reading a file may cost: 6 MiB and 1 KiB for each byte of the file, 1 GiB at most, or what
   the options say. */
#include "fixture.h"
#include "format/ops.h"

TEST(the_limit_follows_from_the_files_size)
{
    assert_int_equal(ember_memory_limit(0), 6u << 20);
    assert_int_equal(ember_memory_limit(1024), 7u << 20);
    assert_int_equal(ember_memory_limit((size_t)1 << 20), (size_t)1 << 30);
    assert_int_equal(ember_memory_limit(SIZE_MAX), (size_t)1 << 30);
}

/* One bone, 1000 frames: the model's frames alone take 40000 bytes. */
TEST(a_limit_of_the_options_is_kept)
{
    enum { FRAMES = 1000, SIZE = 4 + FRAMES * 16 };
    uint8_t *file = test_alloc(SIZE);
    memset(file, 0, SIZE);
    file[0] = 1;
    file[2] = FRAMES & 255;
    file[3] = FRAMES >> 8;
    fixture_refuse(file, SIZE, (ember_read_options){.format = EMBER_FORMAT_EWZANIM, .memory_limit = 30000},
                   EMBER_E_LIMIT, "memory");
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model =
        fixture_read(file, SIZE,
                     (ember_read_options){.format = EMBER_FORMAT_EWZANIM, .memory_limit = 1u << 20}, &arena);
    assert_int_equal(model.clips[0].frame_count, FRAMES);
    ember_arena_free(&arena);
    free(file);
}

TEST(what_is_taken_counts_until_it_is_given_back)
{
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    ember_error              err = EMBER_ERROR_INIT;
    const ember_read_options options = {.path = NULL};
    emberi_budget            budget;
    emberi_source            source = {NULL, 0, &options, &arena, &err, &budget};
    emberi_budget_open(&budget, 1000, 0, &arena);
    assert_int_equal(emberi_source_limit(&source), 1000);
    assert_true(emberi_source_take(&source, 10, 60));
    assert_false(emberi_source_take(&source, 10, 60));
    assert_int_equal(err.status, EMBER_E_LIMIT);
    emberi_source_give_back(&source, 600);
    assert_true(emberi_source_take(&source, 1000, 1));
    assert_false(emberi_source_take(&source, SIZE_MAX, 2));
    emberi_budget_close(&budget, &arena);
    ember_arena_free(&arena);
}
