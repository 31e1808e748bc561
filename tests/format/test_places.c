/* SPDX-License-Identifier: MIT */
/* Where an error is: every reader and writer gives the clip, the bone and the frame as fields and names, and
   its text says only what is wrong. The lines are written by hand. */
#include <math.h>

#include "format/fixture.h"

static void check_place(const ember_error *err, int32_t clip, int32_t bone, int32_t frame, const char *line)
{
    assert_string_equal(fixture_error_line(err).text, line);
    assert_int_equal(err->clip, clip);
    assert_int_equal(err->bone, bone);
    assert_int_equal(err->frame, frame);
}

static ember_error write_error(const ember_model *model, ember_format format)
{
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = format, .space = EMBER_SPACE_LOCAL};
    assert_int_not_equal(ember_model_write(&buffer, model, &options, &err), EMBER_OK);
    ember_buffer_free(&buffer);
    return err;
}

static ember_error read_error(const void *data, size_t size, ember_format format)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_error        err = EMBER_ERROR_INIT;
    ember_read_options options = {.format = format};
    ember_model        model;
    assert_int_not_equal(ember_model_read(&model, data, size, &options, &arena, &err), EMBER_OK);
    ember_arena_free(&arena);
    return err;
}

/* ---- writers ---- */

TEST(writers_place_a_number_that_is_not_finite)
{
    static const struct {
        ember_format format;
        const char  *line;
    } writers[] = {
        {EMBER_FORMAT_EWZANIM, "walk: foot: frame 2: position.x is NaN, not a finite number"},
        {EMBER_FORMAT_EZA, "walk: foot: frame 2: position.x is NaN, not a finite number"},
        {EMBER_FORMAT_GLB, "walk: foot: frame 2: a number is not finite"},
        {EMBER_FORMAT_ANIMBIN, "walk: foot: frame 2: a number is not finite"},
    };
    static const uint16_t bones[2] = {2, 0};
    for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
        fixture_model f;
        fixture_fill(&f);
        f.clip.bones = bones;
        f.clip.bone_count = 2;
        f.frames[2 * 2].position.x = NAN;
        ember_error err = write_error(&f.model, writers[i].format);
        check_place(&err, 0, 2, 2, writers[i].line);
    }
}

TEST(ff7_places_a_number_that_is_not_finite)
{
    fixture_model f;
    fixture_fill(&f);
    f.names[0] = "root";
    f.names[1] = "bone_00"; /* a pack takes no rig of which most bones would be lost */
    f.frames[3 * FIXTURE_BONES + 1].rotation.y = INFINITY;
    ember_error err = write_error(&f.model, EMBER_FORMAT_FF7);
    check_place(&err, 0, 1, 3, "walk: bone_00: frame 3: a number is not finite");
}

TEST(writers_place_a_clip_that_is_too_long)
{
    fixture_model    f;
    ember_transform *frames = test_alloc(65536 * sizeof(*frames));
    for (size_t i = 0; i < 65536; i++)
        frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
    fixture_fill(&f);
    f.clip.bone_count = 1;
    f.clip.frame_count = 65536;
    f.clip.frames = frames;
    ember_error ewzanim = write_error(&f.model, EMBER_FORMAT_EWZANIM),
                animbin = write_error(&f.model, EMBER_FORMAT_ANIMBIN);
    check_place(&ewzanim, 0, -1, -1, "walk: 65536 frames, must be 1 to 65535");
    check_place(&animbin, 0, -1, -1, "walk: 65536 frames, ANIMBIN holds 1 to 65535");
    free(frames);
}

TEST(writers_place_a_bad_rest)
{
    fixture_model f;
    fixture_fill(&f);
    f.rest[1].position.x = NAN;
    ember_error glb = write_error(&f.model, EMBER_FORMAT_GLB);
    check_place(&glb, -1, 1, -1, "knee: its rest is not finite, or its rotation zero");
}

/* ---- readers ---- */

TEST(ewzskel_places_a_bone_and_its_byte)
{
    uint8_t file[8 + 48] = {1};
    memcpy(file + 8 + 4, "\x00\x00\x80\x7f", 4); /* the second number is infinite */
    ember_error err = read_error(file, sizeof(file), EMBER_FORMAT_EWZSKEL);
    check_place(&err, -1, 0, -1, "bone 0: a number of its inverse bind is not finite");
    assert_int_equal(err.offset, 12);
}

TEST(animbin_places_a_clip_and_its_byte)
{
    uint8_t     file[9 + 42] = "ANIMBIN\x01\x01walk";
    ember_error err = read_error(file, sizeof(file), EMBER_FORMAT_ANIMBIN);
    check_place(&err, 0, -1, -1, "walk: a length of 0 frames");
    assert_int_equal(err.offset, 9 + 0x24);
    file[9 + 0x24] = 1;
    file[9 + 0x26] = 1; /* one track, which is not there */
    err = read_error(file, sizeof(file), EMBER_FORMAT_ANIMBIN);
    check_place(&err, 0, -1, -1, "walk: the file ends inside the tracks");
}

TEST(bvh_places_a_joint)
{
    static const char text[] =
        "HIERARCHY ROOT hip { OFFSET 0 1e39 0 CHANNELS 1 Xrotation End Site { OFFSET 0 1 0 } }\n"
        "MOTION\nFrames: 1\nFrame Time: 1\n0\n";
    ember_error err = read_error(text, strlen(text), EMBER_FORMAT_BVH);
    check_place(&err, -1, 0, -1, "hip: bvh: its OFFSET is too far away");
}
