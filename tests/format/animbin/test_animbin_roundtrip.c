/* SPDX-License-Identifier: MIT */
/* ANIMBIN that was read is written to the byte as it was; what was changed in between is keyed anew.
   Covers: animbin_json.c. */
#include <math.h>

#include "animbin_rig.h"

static file_bytes file, again; /* too big for the stack of some systems */

TEST(animbin_roundtrips)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);

    put_header(&file, 0);
    read_file(&model, &file, NULL, &arena);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

/* Keys of mixed types, beyond the length, of odd lengths; tracks without keys and for the same joint; no
   bones at all. */
TEST(animbin_roundtrips_what_is_odd)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_header(&file, 2);
    put_animation(&file, "odd", 0xdeadbeefu, 3, 5, 0);
    put_track(&file, 0, 4, 3);
    put_translation(&file, 0, 1, 2, 3);
    put_rotation(&file, 1, 1, 2, 3, 4);
    put_translation(&file, 60000, INT32_MIN, 0, INT32_MAX);
    put_track(&file, 1, 4, 1);
    put_rotation(&file, 2, -32768, 32767, 0, 1);
    put_track(&file, 0, 4, 0);
    put_track(&file, 1, 1, 0);
    put_track(&file, 0, 9, 1);
    put_rotation(&file, 65535, 4096, 0, 0, 0);
    put_animation(&file, "", 0, 65535, 0, 1);
    put_marker(&file, "", 65534);
    const ember_read_options reading = {.memory_limit = (size_t)32 << 20};
    read_file(&model, &file, &reading, &arena);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

TEST(animbin_roundtrips_under_every_unit_and_basis)
{
    const ember_animbin_options ways[] = {{.unit = 128.0},
                                          {.basis = EMBER_ANIMBIN_BASIS_PSX},
                                          {.unit = 3.7, .basis = EMBER_ANIMBIN_BASIS_PSX}};
    put_sample(&file);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        ember_arena         arena = test_arena();
        ember_model         model;
        ember_read_options  reading = {.animbin = &ways[i]};
        ember_write_options writing = {.animbin = &ways[i]};
        read_file(&model, &file, &reading, &arena);
        write_file(&again, &model, &writing);
        assert_same_file(&file, &again);
        ember_arena_free(&arena);
    }
}

TEST(animbin_roundtrips_through_json)
{
    ember_arena         arena = test_arena();
    ember_model         model;
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        json = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_JSON};
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    assert_int_equal(ember_model_write(&json, &model, &options, &err), EMBER_OK);
    assert_int_equal(ember_model_read(&model, json.data, json.size, NULL, &arena, &err), EMBER_OK);
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_buffer_free(&json);
    ember_arena_free(&arena);
}

/* A name, the loop flag and markers may change without the keys being made anew. */
TEST(animbin_keeps_keys_of_frames_that_nobody_touched)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    ember_clip clip = model.clips[1];
    model.clips = &clip;
    model.clip_count = 1;
    clip.name = "new";
    clip.loop = true;
    write_file(&again, &model, NULL);

    put_header(&file, 1);
    put_animation(&file, "new", 0x80000001u, 2, 1, 0);
    put_track(&file, 0, 1, 1);
    put_rotation(&file, 0, -2048, 2048, -2048, 2048);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

TEST(animbin_keys_frames_anew_that_were_touched)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    ember_clip       clip = model.clips[0];
    size_t           count = (size_t)clip.bone_count * clip.frame_count;
    ember_transform *frames = EMBER_PUSH(&arena, ember_transform, count);
    memcpy(frames, clip.frames, count * sizeof(*frames));
    frames[3 * clip.bone_count + 1].rotation = (ember_quat){1, 0, 0, 0};
    clip.frames = frames;
    model.clips = &clip;
    model.clip_count = 1;
    write_file(&again, &model, NULL);
    /* Four keys each for three joints, and for the one that moves. */
    assert_int_equal(again.size, 9 + 42 + 3 * (4 + 4 * 11) + (4 + 4 * 15) + 2 * 34);
    assert_rotation(track_at(&again, 1, 3, 4) + 4 + 2 * 11, 2, 4096, 0, 0, 0);
    assert_rotation(track_at(&again, 1, 3, 4) + 4 + 3 * 11, 3, 0, 4096, 0, 0);
    assert_translation(track_at(&again, 3, 3, 4) + 4 + 1 * 15, 1, 4096, 4096, 30904);
    ember_arena_free(&arena);
}

TEST(animbin_keys_a_clip_anew_that_was_cut)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    ember_clip clip = model.clips[0];
    clip.frame_count = 2;
    clip.marker_count = 0;
    model.clips = &clip;
    model.clip_count = 1;
    write_file(&again, &model, NULL);
    assert_int_equal(again.size, 9 + 42 + 3 * (4 + 2 * 11) + (4 + 2 * 15));
    ember_arena_free(&arena);
}

/* Numbers that were stored once are stored again as they were, though their lengths are not quite 4096. */
TEST(animbin_stores_again_what_it_once_decoded)
{
    ember_arena arena = test_arena();
    ember_model model;
    test_random random = {77};
    put_header(&file, 1);
    put_animation(&file, "a", 0, 200, 1, 0);
    put_track(&file, 0, 0, 200);
    double before[4] = {1, 0, 0, 0};
    for (int i = 0; i < 200; i++) {
        double q[4], length = 0, dot = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = (double)test_random_float(&random, -1, 1);
            length += q[k] * q[k];
            dot += q[k] * before[k];
        }
        for (int k = 0; k < 4; k++)
            before[k] = q[k] *= (dot < 0 ? -4096.0 : 4096.0) / sqrt(length);
        if (i % 2 == 0) /* rounded and truncated, as both kinds of writers leave them */
            put_rotation(&file, i, (int)lround(q[0]), (int)lround(q[1]), (int)lround(q[2]),
                         (int)lround(q[3]));
        else
            put_rotation(&file, i, (int)q[0], (int)q[1], (int)q[2], (int)q[3]);
    }
    read_file(&model, &file, NULL, &arena);
    ember_clip clip = model.clips[0];
    clip.raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    model.clips = &clip;
    write_file(&again, &model, NULL);
    assert_same_file(&file, &again);
    ember_arena_free(&arena);
}

/* ---- memory ---- */

TEST(animbin_survives_every_failing_allocation)
{
    put_sample(&file);
    fixture_every_allocation(file.data, file.size, (ember_read_options){.path = NULL});
}

TEST(animbin_survives_every_arena_size)
{
    put_sample(&file);
    fixture_every_arena(file.data, file.size, (ember_read_options){.path = NULL});
}

/* Of keys that are kept, that are made, and that are sought. */
TEST(animbin_survives_every_output_size)
{
    ember_arena arena = test_arena();
    ember_model model;
    put_sample(&file);
    read_file(&model, &file, NULL, &arena);
    for (int keys = EMBER_ANIMBIN_KEYS_KEPT; keys <= EMBER_ANIMBIN_KEYS_SPARSE; keys++) {
        ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN,
                                       .animbin = &(ember_animbin_options){.keys = (ember_animbin_keys)keys}};
        fixture_every_output_size(&model, options);
    }
    ember_arena_free(&arena);
}
