/* SPDX-License-Identifier: MIT */
/* ANIMBIN that is refused: without a meaning, of another layout, or too much.
   Covers: animbin_prerelease.c. */
#include "animbin_bytes.h"

static file_bytes file; /* too big for the stack of some systems */

/* ---- without a meaning ---- */

TEST(animbin_read_rejects_bad_header)
{
    put_sample(&file);
    file.data[7] = 2;
    refuse_file(&file, EMBER_E_VERSION, "version 2");
    put_sample(&file);
    file.data[8] = 3;
    refuse_file(&file, EMBER_E_TRUNCATED, "clip 2: the file ends inside its header");
    put_header(&file, 1);
    put_animation(&file, "a", 0, 0, 0, 0);
    refuse_file(&file, EMBER_E_MALFORMED, "length of 0");

    const ember_read_options options = {.format = EMBER_FORMAT_ANIMBIN};
    ember_arena              arena = test_arena();
    ember_model              model;
    ember_error              err = EMBER_ERROR_INIT;
    put_sample(&file);
    file.data[6] = 'M';
    assert_int_equal(ember_model_read(&model, file.data, file.size, &options, &arena, &err),
                     EMBER_E_MALFORMED);
    assert_non_null(strstr(err.text, "does not begin with ANIMBIN"));
    ember_arena_free(&arena);
}

TEST(animbin_read_rejects_extra_bytes)
{
    put_sample(&file);
    put_u8(&file, 0);
    refuse_file(&file, EMBER_E_MALFORMED, "1 extra byte ");
    put_u8(&file, 0);
    refuse_file(&file, EMBER_E_MALFORMED, "2 extra bytes");
}

TEST(animbin_read_rejects_types_that_do_not_exist)
{
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 2, 0, 0);
    refuse_file(&file, EMBER_E_MALFORMED, "track 0 has type 2");
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 0, 0, 1);
    put_rotation(&file, 0, 4096, 0, 0, 0);
    file.data[9 + 42 + 4 + 2] = 2;
    refuse_file(&file, EMBER_E_MALFORMED, "key 0 has type 2");
}

TEST(animbin_read_rejects_keys_out_of_order)
{
    for (int second = 4; second <= 5; second++) { /* before the first, and on the same frame */
        put_header(&file, 1);
        put_animation(&file, "a", 0, 9, 1, 0);
        put_track(&file, 0, 0, 2);
        put_rotation(&file, 5, 4096, 0, 0, 0);
        put_rotation(&file, second, 4096, 0, 0, 0);
        refuse_file(&file, EMBER_E_MALFORMED, "must be in order");
    }
}

TEST(animbin_read_rejects_rotations_of_zero)
{
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 0, 0, 1);
    put_rotation(&file, 0, 0, 0, 0, 0);
    refuse_file(&file, EMBER_E_MALFORMED, "no direction");
}

/* u32 frames, the number of markers behind the tracks, rotations times 32767. */
static void put_prerelease(file_bytes *f, int markers)
{
    put_header(f, 1);
    put_name(f, "WaveArm");
    put_u32(f, 1);
    put_u16(f, 3);
    put_u16(f, 2);
    for (unsigned track = 0; track < 2; track++) {
        put_track(f, 0, 7 + track, 3);
        for (int frame = 0; frame < 3; frame++) {
            put_u32(f, frame);
            put_u8(f, 0);
            put_u16(f, 28377); /* cos and sin of 30 degrees */
            put_u16(f, 0);
            put_u16(f, 0);
            put_u16(f, 16383);
        }
    }
    put_u16(f, markers);
    for (int i = 0; i < markers; i++) {
        put_name(f, "step");
        put_u32(f, i);
    }
}

TEST(animbin_read_says_what_the_pre_release_layout_is)
{
    for (int markers = 0; markers < 3; markers++) {
        put_prerelease(&file, markers);
        refuse_file(&file, EMBER_E_VERSION, "before its release");
    }
    for (int off = -1; off <= 1; off += 2) { /* not to the last byte: just a broken file */
        ember_arena arena = test_arena();
        ember_model model;
        ember_error err = EMBER_ERROR_INIT;
        put_prerelease(&file, 1);
        size_t size = off < 0 ? file.size - 1 : file.size + 1;
        assert_int_not_equal(ember_model_read(&model, file.data, size, NULL, &arena, &err), EMBER_OK);
        assert_null(strstr(err.text, "before its release"));
        ember_arena_free(&arena);
    }
}

/* Which of the frames took 32 bits, and where the number of markers was, nobody wrote down: every way is
   known for what it is. */
static void put_prerelease_guess(file_bytes *f, unsigned guess)
{
    bool long_length = (guess & 1u) != 0, long_keys = (guess & 2u) != 0, long_markers = (guess & 4u) != 0;
    put_header(f, 2);
    for (int animation = 0; animation < 2; animation++) {
        put_name(f, "WaveArm");
        put_u32(f, 1);
        if (long_length)
            put_u32(f, 3);
        else
            put_u16(f, 3);
        put_u16(f, 1);
        if ((guess & 8u) == 0)
            put_u16(f, 2);
        put_track(f, 0, 7, 2);
        for (int key = 0; key < 2; key++) {
            if (long_keys)
                put_u32(f, key);
            else
                put_u16(f, key);
            put_u8(f, 0);
            put_u16(f, 32767);
            put_u16(f, 0);
            put_u16(f, 0);
            put_u16(f, 0);
        }
        if ((guess & 8u) != 0)
            put_u16(f, 2);
        for (int marker = 0; marker < 2; marker++) {
            put_name(f, "step");
            if (long_markers)
                put_u32(f, marker);
            else
                put_u16(f, marker);
        }
    }
}

TEST(animbin_read_names_every_guess_of_the_pre_release_layout)
{
    for (unsigned guess = 0; guess < 16; guess++) {
        put_prerelease_guess(&file, guess);
        /* of the layout, or of the rotations where the layout is as it is now */
        refuse_file(&file, EMBER_E_VERSION, "32767");
    }
}

TEST(animbin_read_refuses_rotations_times_32767)
{
    put_header(&file, 1);
    put_animation(&file, "a", 0, 1, 1, 0);
    put_track(&file, 0, 0, 1);
    put_rotation(&file, 0, 28377, 0, 0, 16383);
    refuse_file(&file, EMBER_E_VERSION, "times 32767");
}

/* ---- how much it becomes ---- */

/* `count` animations of `length` frames, each with one key for the joint. */
static void put_long(unsigned count, int length, unsigned joint)
{
    put_header(&file, count);
    for (unsigned i = 0; i < count; i++) {
        put_animation(&file, "a", 0, length, 1, 0);
        put_track(&file, 0, joint, 1);
        put_rotation(&file, 0, 4096, 0, 0, 0);
    }
}

/* Of 1 KB no more than 64 MiB are made, whatever its counts say. */
TEST(animbin_small_files_stay_small)
{
    static const struct {
        unsigned count, joint;
        int      length;
    } cases[] = {{1, 255, 65535}, {17, 0, 65535}, {17, 255, 65535},
                 {3, 0, 65535},   {1, 255, 813},  {17, 9, 1000}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ember_arena arena = test_arena();
        ember_model model;
        ember_error err = EMBER_ERROR_INIT;
        put_long(cases[i].count, cases[i].length, cases[i].joint);
        assert_true(file.size < 1024);
        uint64_t     need = (uint64_t)cases[i].count * (unsigned)cases[i].length * (cases[i].joint + 1) * 40;
        ember_status status = ember_model_read(&model, file.data, file.size, NULL, &arena, &err);
        assert_int_equal(status, need > (6 << 20) + file.size * 1024 ? EMBER_E_LIMIT : EMBER_OK);
        assert_true(arena.total < 64 << 20);
        ember_arena_free(&arena);
    }
    put_long(1, 65535, 255);
    refuse_file(
        &file, EMBER_E_LIMIT,
        "65535 frames of 256 bones take 640 MiB, more than the limit of 6 MiB for a file of 66 bytes");
}

TEST(animbin_frames_have_a_limit_that_can_be_set)
{
    ember_arena        arena = test_arena();
    ember_model        model;
    ember_error        err = EMBER_ERROR_INIT;
    ember_read_options options = {.memory_limit = 65535 * 40 * 10 + 65536};
    put_long(2, 65535, 4);
    refuse_file(&file, EMBER_E_LIMIT, "131070 frames of 5 bones");
    read_file(&model, &file, &options, &arena);
    assert_int_equal(model.clips[1].frame_count, 65535);
    options.memory_limit = 65535 * 40 * 10 - 1;
    assert_int_equal(ember_model_read(&model, file.data, file.size, &options, &arena, &err), EMBER_E_LIMIT);
    ember_arena_free(&arena);
}
