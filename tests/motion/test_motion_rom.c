/* SPDX-License-Identifier: MIT */
/* Motions of ROMs: the same poses as the .ewzanim files they were made from, however they are stored, in
   whatever order they are read. */
#include "fixtures/allocator.h"
#include "rom/rom_made.h"

static const char *const clip_ids[3] = {"walk", "run", "walk-model"};

/* The same pose, sampled from the file's own records. */
static void assert_like_file(ember_motion *motion, const uint8_t *file, uint32_t frames, double time_s)
{
    ember_transform  got[SKELETON_BONES], expected[SKELETON_BONES];
    ember_sample_job job = {.out = expected,
                            .out_count = SKELETON_BONES,
                            .frames = file + 4,
                            .frames_size = (size_t)frames * SKELETON_BONES * EMBER_KEYFRAME_SIZE,
                            .bone_count = SKELETON_BONES,
                            .frame_count = frames,
                            .fps = 30.0f,
                            .time_s = time_s,
                            .loop = motion->loop};
    assert_int_equal(ember_sample_run(&job), EMBER_OK);
    assert_int_equal(ember_motion_sample(motion, got, SKELETON_BONES, time_s), EMBER_OK);
    assert_memory_equal(got, expected, sizeof(expected));
}

TEST(motion_from_rom_plays_the_clip_in_every_stored_form)
{
    static const double times[] = {0.0, 0.01, 0.05, 0.11, 0.02, 0.2, 0.1999, -0.3, 7.77, 0.066666};
    for (int method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        made_content m;
        ember_arena  arena = ember_arena_growing(ember_heap(), 0);
        made_content_make(&m, (ember_squeeze_method)method);
        ember_buffer bytes = made_rom(&m.content);
        ember_rom   *rom = made_open(&bytes);
        for (uint32_t i = 0; i < 3; i++) {
            ember_motion motion;
            assert_int_equal(ember_motion_from_rom(&motion, rom, clip_ids[i], &arena, NULL), EMBER_OK);
            assert_int_equal(motion.space, i == 2 ? EMBER_SPACE_MODEL : EMBER_SPACE_LOCAL);
            assert_int_equal(motion.loop, i == 0);
            assert_int_equal(motion.frame_count, 5 + i);
            ember_motion copy = motion;
            for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
                assert_like_file(&motion, m.clips[i], 5 + i, times[t]);
                assert_like_file(&copy, m.clips[i], 5 + i, times[t] * 0.5);
            }
        }
        ember_arena_free(&arena);
        ember_rom_close(rom);
        ember_buffer_free(&bytes);
        made_content_free(&m);
    }
}

/* What the library for lean clips gives for the same bytes, from nothing. */
static void lean_pose(ember_transform *out, const made_content *m, uint32_t clip, uint32_t frame,
                      uint32_t fraction)
{
    static _Alignas(32) uint8_t memory[65536];
    const ember_rom_asset      *asset = &m->assets[clip];
    ember_lean_rig              rig;
    ember_lean_clip             opened;
    assert_int_equal(ember_lean_rig_open(&rig, asset->lean_rig, asset->lean_rig_size, NULL), EMBER_OK);
    assert_int_equal(ember_lean_open(&opened, asset->data, asset->size, &rig, memory, sizeof(memory), NULL),
                     EMBER_OK);
    assert_int_equal(ember_lean_sample(out, SKELETON_BONES, &opened, frame, fraction), EMBER_OK);
}

TEST(motion_from_rom_plays_lean_clips_in_either_space)
{
    /* of 30 frames a second: times, and where they are in a clip that loops after 5 and one of 6 that
       does not */
    static const struct lean_time {
        double   time_s;
        uint32_t at[2][2];
    } times[] = {{0.0, {{0, 0}, {0, 0}}},
                 {1.25 / 30.0, {{1, 0x4000}, {1, 0x4000}}},
                 {4.5 / 30.0, {{4, 0x8000}, {4, 0x8000}}},
                 {5.0 / 30.0, {{0, 0}, {5, 0}}},
                 {-1.0 / 30.0, {{4, 0}, {0, 0}}},
                 {7.0, {{0, 0}, {5, 0}}}};
    made_content    m;
    ember_transform got[SKELETON_BONES], expected[SKELETON_BONES];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    made_content_make(&m, MADE_LEAN);
    ember_buffer bytes = made_rom(&m.content);
    ember_rom   *rom = made_open(&bytes);
    for (uint32_t i = 0; i < 2; i++) {
        ember_motion motion;
        assert_int_equal(ember_motion_from_rom(&motion, rom, clip_ids[i], &arena, NULL), EMBER_OK);
        assert_int_equal(motion.space, EMBER_SPACE_LOCAL);
        for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
            ember_mat34 local[SKELETON_BONES], model[SKELETON_BONES];
            lean_pose(expected, &m, i, times[t].at[i][0], times[t].at[i][1]);
            motion.space = EMBER_SPACE_LOCAL;
            assert_int_equal(ember_motion_sample(&motion, got, SKELETON_BONES, times[t].time_s), EMBER_OK);
            assert_memory_equal(got, expected, sizeof(expected));
            assert_int_equal(ember_motion_matrices(&motion, local, got), EMBER_OK);
            motion.space = EMBER_SPACE_MODEL;
            assert_int_equal(ember_motion_sample(&motion, got, SKELETON_BONES, times[t].time_s), EMBER_OK);
            assert_int_equal(ember_motion_matrices(&motion, model, got), EMBER_OK);
            for (uint32_t b = 0; b < SKELETON_BONES; b++)
                for (int k = 0; k < 12; k++)
                    assert_float_equal(model[b].m[k], local[b].m[k], 1e-6);
        }
    }
    ember_motion motion;
    assert_int_equal(ember_motion_from_rom(&motion, rom, "walk-model", &arena, NULL), EMBER_OK);
    assert_int_equal(motion.space, EMBER_SPACE_MODEL);
    ember_arena_free(&arena);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

static void takes_memory_once(ember_squeeze_method method)
{
    made_content m;
    made_content_make(&m, method);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    fixture_heap    heap = {0};
    ember_arena     arena = ember_arena_growing((ember_allocator){fixture_heap_resize, &heap}, 0);
    ember_motion    motion;
    ember_transform pose[SKELETON_BONES];
    assert_int_equal(ember_motion_from_rom(&motion, rom, "walk", &arena, NULL), EMBER_OK);
    size_t calls = heap.calls;
    for (int i = 0; i < 100; i++)
        assert_int_equal(ember_motion_sample(&motion, pose, SKELETON_BONES, 0.013 * i), EMBER_OK);
    assert_int_equal(heap.calls, calls);
    ember_arena_free(&arena);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(motion_from_rom_takes_memory_once)
{
    takes_memory_once(EMBER_SQUEEZE_SMALL);
    takes_memory_once(MADE_LEAN);
}

static void survives_small_arenas(ember_squeeze_method method)
{
    static _Alignas(16) uint8_t memory[65536];
    made_content                m;
    made_content_make(&m, method);
    ember_buffer bytes = made_rom(&m.content);
    ember_rom   *rom = made_open(&bytes);
    ember_motion motion;
    size_t       size = 0;
    for (;; size += 8) {
        ember_error err = EMBER_ERROR_INIT;
        ember_arena arena = ember_arena_fixed(memory, size);
        if (ember_motion_from_rom(&motion, rom, "walk", &arena, &err) == EMBER_OK)
            break;
        assert_int_equal(err.status, EMBER_E_NOMEM);
        assert_int_equal(motion.bone_count, 0);
        assert_true(size < sizeof(memory));
        if (size != 0) /* all of it is there again */
            assert_non_null(ember_arena_push(&arena, size, 1, 1));
    }
    assert_true(size > 0);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(motion_from_rom_survives_every_arena_that_is_too_small)
{
    survives_small_arenas(EMBER_SQUEEZE_SMALL);
    survives_small_arenas(MADE_LEAN);
}

TEST(motion_from_rom_names_a_clip_that_is_not_there)
{
    made_content m;
    ember_error  err = EMBER_ERROR_INIT;
    ember_motion motion;
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    made_content_make(&m, EMBER_SQUEEZE_QUICK);
    ember_buffer bytes = made_rom(&m.content);
    ember_rom   *rom = made_open(&bytes);
    assert_int_equal(ember_motion_from_rom(&motion, rom, "jump", &arena, &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "\"jump\""));
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    ember_arena_free(&arena);
    made_content_free(&m);
}

/* The frames of a squeezed clip are checked while they are read: a damaged one is an error, or other numbers,
   but the next frame is read as if nothing had been. */
static void plays_damaged(ember_squeeze_method method)
{
    made_content m;
    made_content_make(&m, method);
    ember_buffer    bytes = made_rom(&m.content);
    ember_rom      *rom = made_open(&bytes);
    ember_rom_entry entry;
    assert_true(ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, "walk", 4));
    for (size_t i = 0; i < entry.size; i++) {
        uint8_t     *byte = bytes.data + (entry.data - bytes.data) + i;
        ember_arena  arena = ember_arena_growing(ember_heap(), 0);
        ember_motion motion;
        *byte ^= 0x55;
        if (ember_motion_from_rom(&motion, rom, "walk", &arena, NULL) == EMBER_OK) {
            ember_transform pose[EMBER_MAX_BONES];
            for (int f = 0; f < 8; f++)
                (void)ember_motion_sample(&motion, pose, EMBER_MAX_BONES, f / 40.0);
        }
        *byte ^= 0x55;
        ember_arena_free(&arena);
    }
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    made_content_free(&m);
}

TEST(motion_of_a_damaged_rom_fails_or_plays_something)
{
    plays_damaged(EMBER_SQUEEZE_SMALL);
    plays_damaged(MADE_LEAN);
}
