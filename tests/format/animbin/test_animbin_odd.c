/* SPDX-License-Identifier: MIT */
/* ANIMBIN read that is odd but has a meaning: it is taken, mostly with a warning. */
#include "animbin_bytes.h"

static file_bytes    file; /* too big for the stack of some systems */
static fixture_notes noise;

static void read_with_ears(ember_model *model, ember_arena *arena)
{
    ember_read_options options = {.notes = fixture_listen(&noise)};
    read_file(model, &file, &options, arena);
}

TEST(animbin_sample_is_read_without_a_word)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    read_with_ears(&model, &arena);
    assert_string_equal(noise.text, "");
    ember_arena_free(&arena);
}

TEST(animbin_key_of_another_type_than_its_track_is_honoured_with_a_warning)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 2, 1, 0);
    put_track(&file, 0, 0, 3);
    put_rotation(&file, 0, 0, 4096, 0, 0);
    put_translation(&file, 0, 4096, 0, 0); /* 12 bytes, in a track of rotations */
    put_rotation(&file, 1, 0, 0, 4096, 0);
    read_with_ears(&model, &arena);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(strstr(noise.text, "1 key is not of the type of its track"));
    assert_string_equal(noise.clip, "a");
    assert_quat(at(&model.clips[0], 0, 0)->rotation, 1, 0, 0, 0);
    assert_quat(at(&model.clips[0], 1, 0)->rotation, 0, 1, 0, 0);
    assert_vec3(at(&model.clips[0], 1, 0)->position, 1, 0, 0);
    ember_arena_free(&arena);
}

TEST(animbin_key_beyond_the_length_is_aimed_at_with_a_warning)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 2, 1, 0);
    put_track(&file, 1, 0, 2);
    put_translation(&file, 0, 0, 0, 0);
    put_translation(&file, 4, 4096, 0, 0);
    read_with_ears(&model, &arena);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(strstr(noise.text, "beyond the length of 2"));
    assert_int_equal(model.clips[0].frame_count, 2);
    assert_vec3(at(&model.clips[0], 1, 0)->position, 0.25f, 0, 0);
    ember_arena_free(&arena);
}

TEST(animbin_of_two_tracks_for_one_thing_the_last_counts_with_a_warning)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 2, 0);
    put_track(&file, 0, 3, 1);
    put_rotation(&file, 0, 0, 4096, 0, 0);
    put_track(&file, 0, 3, 1);
    put_rotation(&file, 0, 0, 0, 4096, 0);
    read_with_ears(&model, &arena);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(strstr(noise.text, "first of joint 3"));
    assert_quat(at(&model.clips[0], 0, 3)->rotation, 0, 1, 0, 0);
    ember_arena_free(&arena);
}

TEST(animbin_rotations_that_are_not_unit_are_normalised_with_a_warning)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 2, 1, 0);
    put_track(&file, 0, 0, 2);
    put_rotation(&file, 0, 4094, 0, 0, 0); /* what truncation leaves is no reason for a word */
    put_rotation(&file, 1, 0, 0, 0, 2048);
    read_with_ears(&model, &arena);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(strstr(noise.text, "1 rotation is not unit, of length 2048 to 2048"));
    assert_quat(at(&model.clips[0], 0, 0)->rotation, 0, 0, 0, 1);
    assert_quat(at(&model.clips[0], 1, 0)->rotation, 0, 0, 1, 0);
    ember_arena_free(&arena);
}

TEST(animbin_names_may_fill_all_32_bytes)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "0123456789abcdef0123456789abcdef", 0x01010101u, 1, 0, 1);
    put_marker(&file, "0123456789abcdef0123456789ABCDEF", 0);
    read_with_ears(&model, &arena);
    assert_string_equal(model.clips[0].name, "0123456789abcdef0123456789abcdef");
    assert_string_equal(model.clips[0].markers[0].name, "0123456789abcdef0123456789ABCDEF");
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 2);
    assert_non_null(strstr(noise.text, "the name fills all 32 bytes"));
    assert_non_null(strstr(noise.text, "1 marker's name fills all 32 bytes"));
    ember_arena_free(&arena);
}

TEST(animbin_marker_beyond_the_end_moves_to_the_last_frame_with_a_warning)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 3, 0, 3);
    put_marker(&file, "in", 2);
    put_marker(&file, "out", 3);
    put_marker(&file, "far out", 65535);
    read_with_ears(&model, &arena);
    assert_int_equal(noise.count[EMBER_NOTE_WARNING], 1);
    assert_non_null(
        strstr(noise.text,
               "2 markers are beyond the length of 3, first \"out\" on frame 3; moved to the last frame"));
    assert_int_equal(model.clips[0].markers[0].frame, 2);
    assert_int_equal(model.clips[0].markers[1].frame, 2);
    assert_int_equal(model.clips[0].markers[2].frame, 2);
    ember_arena_free(&arena);
}

TEST(animbin_empty_track_moves_nothing_with_a_warning)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 0, 0, 0);
    read_with_ears(&model, &arena);
    assert_non_null(strstr(noise.text, "1 track has no keys"));
    assert_quat(at(&model.clips[0], 0, 0)->rotation, 0, 0, 0, 1);
    ember_arena_free(&arena);
}
