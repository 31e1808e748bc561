/* SPDX-License-Identifier: MIT */
/* The range that options cut out of a clip, the frame that a loop has too many, and images beside a file.
   Covers: images.c, sampling.c. */
#include "fixture.h"
#include "format/images.h"

static const ember_transform still = {{0, 0, 0, 1}, {0, 2, 0}, {1, 1, 1}};

static emberi_source source_of(const ember_read_options *options, ember_error *err)
{
    *err = (ember_error)EMBER_ERROR_INIT;
    return (emberi_source){NULL, 0, options, NULL, err, NULL};
}

TEST(a_range_must_be_one)
{
    const double ranges[][3] = {{0, 0, 1}, {1, 2, 1}, {2, 1, 0}, {1, 1, 0}, {-1, 0, 0}, {0, 1e10, 0}};
    ember_error  err;
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        ember_read_options options = {.start_s = ranges[i][0], .end_s = ranges[i][1]};
        emberi_source      source = source_of(&options, &err);
        assert_int_equal(emberi_sampling_check(&source), ranges[i][2] != 0.0 ? EMBER_OK : EMBER_E_ARG);
    }
}

TEST(a_range_cuts_from_the_clips_start)
{
    ember_read_options options = {.start_s = 0.5, .end_s = 1.5};
    ember_error        err;
    emberi_source      source = source_of(&options, &err);
    double             start = 2.0, end = 4.0;
    emberi_place       place = EMBERI_PLACE_INIT;
    assert_int_equal(emberi_sampling_cut(&source, &start, &end, place), EMBER_OK);
    assert_true(start == 2.5 && end == 3.5);
    start = 2.0;
    end = 2.25;
    assert_int_equal(emberi_sampling_cut(&source, &start, &end, place), EMBER_E_ARG);
}

TEST(a_loop_drops_a_last_frame_that_repeats_the_first)
{
    ember_read_options options = {.loop = true};
    ember_error        err;
    emberi_source      source = source_of(&options, &err);
    ember_transform    frames[3] = {still, still, still};
    assert_int_equal(emberi_sampling_close_loop(&source, "a", frames, 3, 1), 2);
    frames[2].rotation = (ember_quat){0, 0, 0, -1}; /* the same rotation */
    assert_int_equal(emberi_sampling_close_loop(&source, "a", frames, 3, 1), 2);
    frames[2].position.y = 2.01f;
    assert_int_equal(emberi_sampling_close_loop(&source, "a", frames, 3, 1), 3);
    options.loop = false;
    frames[2] = still;
    assert_int_equal(emberi_sampling_close_loop(&source, "a", frames, 3, 1), 3);
}

TEST(images_are_png_and_jpeg)
{
    assert_true(emberi_image_is_known((const uint8_t *)"\x89PNG\r\n\x1a\n", 8));
    assert_true(emberi_image_is_known((const uint8_t *)"\xff\xd8\xff\xe0", 4));
    assert_false(emberi_image_is_known((const uint8_t *)"\x89PNG\r\n\x1a", 7));
    assert_false(emberi_image_is_known((const uint8_t *)"BM", 2));
}

TEST(files_beside_are_in_the_files_folder)
{
    ember_read_options options = {.path = "models/hero.fbx"};
    ember_error        err;
    emberi_source      source = source_of(&options, &err);
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    assert_string_equal(emberi_image_path(&source, &arena, "a/b.png"), "models/a/b.png");
    options.path = "hero.fbx";
    assert_string_equal(emberi_image_path(&source, &arena, "b.png"), "./b.png");
    ember_arena_free(&arena);
}
