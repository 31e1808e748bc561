/* SPDX-License-Identifier: MIT */
/* What games do with clips that are loaded: read, bind and sample frames, ask for names and markers, unload;
   and the draft's clips and data.
   Covers: clip_frames.c. */
#include "base/bytes.h"
#include "world.h"

#define CLOSE(a, b) assert_float_equal((a), (b), 1e-6)

/* ---- reading ---- */

TEST(a_clip_of_the_rom_reads_as_it_was_packed)
{
    for (int m = 0; m < EMBER_SQUEEZE_METHOD_COUNT; m++) {
        world w;
        world_open(&w, (ember_squeeze_method)m);
        host_phase(&w.h, EMBER_PHASE_UPDATE);
        for (uint32_t frame = 0; frame < WALK_FRAMES; frame++) {
            const uint8_t *records = w.made.clips[0] + 4 + frame * SKELETON_BONES * 16;
            emberi_host_keyframe_read(w.h.c, w.walk, frame, AT_OUT);
            emberi_host_read_frame(w.h.c, w.walk, frame, AT_OUT_2);
            assert_memory_equal(w.h.memory + AT_OUT_2, records, SKELETON_BONES * 16);
            for (uint32_t bone = 0; bone < SKELETON_BONES; bone++) {
                ember_transform t = ember_record_decode(records + bone * 16, EMBER_RECORD_EWZ, NULL);
                assert_memory_equal(w.h.memory + AT_OUT + bone * 40, &t, 40);
            }
        }
        emberi_host_read_frames(w.h.c, w.walk, 3, 4, AT_OUT); /* 3 4 0 1 */
        for (uint32_t i = 0; i < 4; i++)
            assert_memory_equal(w.h.memory + AT_OUT + i * SKELETON_BONES * 16,
                                w.made.clips[0] + 4 + (3 + i) % WALK_FRAMES * SKELETON_BONES * 16,
                                SKELETON_BONES * 16);
        world_close(&w);
    }
}

/* The frame that is bound, as it is drawn, against the clip's records composed here. */
static void check_drawn_walk(world *w, uint32_t frame)
{
    host_phase(&w->h, EMBER_PHASE_RENDER);
    emberi_host_draw_mesh(w->h.c, w->skinned);
    ember_console_end(w->h.c);
    const ember_draw_list *list = ember_console_draws(w->h.c);
    ember_mat34            model[SKELETON_BONES];
    assert_int_equal(list->bone_count, SKELETON_BONES);
    for (uint32_t bone = 0; bone < SKELETON_BONES; bone++) {
        ember_transform t = ember_record_decode(w->made.clips[0] + 4 + (frame * SKELETON_BONES + bone) * 16,
                                                EMBER_RECORD_EWZ, NULL);
        ember_mat34     local = ember_mat34_from_transform(&t);
        model[bone] =
            skeleton_parents[bone] < 0 ? local : ember_mat34_mul(&model[skeleton_parents[bone]], &local);
        for (int k = 0; k < 12; k++)
            CLOSE(list->bones[bone].m[k], model[bone].m[k]);
    }
    ember_console_begin(w->h.c, EMBER_PHASE_UPDATE, NULL);
}

TEST(a_local_clip_is_composed_where_it_is_bound)
{
    static const uint32_t frames[8] = {0, 1, 2, 3, 4, 2, 0, 4};
    for (int m = 0; m < EMBER_SQUEEZE_METHOD_COUNT; m++) {
        world w;
        world_open(&w, (ember_squeeze_method)m);
        host_phase(&w.h, EMBER_PHASE_UPDATE);
        for (uint32_t i = 0; i < 8; i++) {
            emberi_host_keyframe_bind(w.h.c, w.walk, frames[i]);
            check_drawn_walk(&w, frames[i]);
        }
        world_close(&w);
    }
}

/* A state that was saved in another console, which never decoded the frame, and one that the cache has
   long forgotten. */
TEST(a_restored_bind_draws_the_same)
{
    world a, b;
    world_open(&a, EMBER_SQUEEZE_SMALL);
    world_open(&b, EMBER_SQUEEZE_SMALL);
    uint8_t *bytes = test_alloc(ember_console_state_size(a.h.c));
    host_phase(&a.h, EMBER_PHASE_UPDATE);
    host_phase(&b.h, EMBER_PHASE_UPDATE);
    emberi_host_keyframe_bind(a.h.c, a.walk, 3);
    ember_console_state_save(a.h.c, bytes);
    assert_int_equal(ember_console_state_restore(b.h.c, bytes), EMBER_OK);
    check_drawn_walk(&b, 3);
    check_drawn_walk(&a, 3);
    assert_int_equal(ember_console_hash(a.h.c), ember_console_hash(b.h.c));
    free(bytes);
    world_close(&a);
    world_close(&b);
}

/* Beyond the memory for cursors clips share one: they are read in turns, forth and back. */
TEST(clips_without_a_cursor_of_their_own_read_the_same)
{
    enum { MANY = 60000, TRIED = 40 };
    world w;
    world_open(&w, EMBER_SQUEEZE_SMALL);
    uint32_t last = 0;
    for (int i = 0; i < MANY; i++)
        last = emberi_host_rom_keyframes(w.h.c, AT_WALK, 4);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    for (uint32_t i = 0; i < TRIED; i++) {
        uint32_t frame = i * 3 % WALK_FRAMES;
        emberi_host_read_frame(w.h.c, last - i % 3, frame, AT_OUT);
        assert_memory_equal(w.h.memory + AT_OUT, w.made.clips[0] + 4 + frame * SKELETON_BONES * 16,
                            SKELETON_BONES * 16);
    }
    world_close(&w);
}

TEST(sampling_mixes_two_frames_and_keeps_to_the_clip)
{
    world w;
    world_open_update(&w);
    /* Bone 0 is at (frame, 0, 0), bone 1 at (frame, 1, 0); the draft's copy loops. */
    emberi_host_keyframe_sample(w.h.c, w.keyframes, 0.25f, AT_OUT);
    CLOSE(world_float(&w, AT_OUT, 4), 0.25f);
    CLOSE(world_float(&w, AT_OUT, 15), 1.0f);
    emberi_host_keyframe_sample(w.h.c, w.keyframes, 1.0f, AT_OUT);
    emberi_host_keyframe_read(w.h.c, w.keyframes, 1, AT_OUT_2);
    assert_memory_equal(w.h.memory + AT_OUT, w.h.memory + AT_OUT_2, 80);
    emberi_host_keyframe_sample(w.h.c, w.keyframes, 7.5f, AT_OUT); /* beyond the end: the last frame */
    CLOSE(world_float(&w, AT_OUT, 4), 2.0f);
    emberi_host_keyframe_sample(w.h.c, w.keyframes, -3.0f, AT_OUT);
    CLOSE(world_float(&w, AT_OUT, 4), 0.0f);
    emberi_host_keyframe_sample(w.h.c, w.clip, 2.5f, AT_OUT); /* from 2 back to 0 */
    CLOSE(world_float(&w, AT_OUT, 4), 1.0f);
    emberi_host_keyframe_sample(w.h.c, w.clip, -2.5f, AT_OUT); /* = 0.5 */
    CLOSE(world_float(&w, AT_OUT, 4), 0.5f);
    emberi_host_keyframe_sample(w.h.c, w.clip, 3e38f, AT_OUT); /* somewhere in the clip */
    assert_true(world_float(&w, AT_OUT, 4) >= 0.0f && world_float(&w, AT_OUT, 4) <= 2.0f);
    world_close(&w);
}

TEST(rates_loops_markers_and_names_come_from_the_rom)
{
    world w;
    world_open_update(&w);
    assert_true(emberi_host_keyframes_fps(w.h.c, w.walk) == 30.0f);
    assert_true(emberi_host_keyframes_fps(w.h.c, w.clip) == 15.0f);
    assert_true(emberi_host_keyframes_fps(w.h.c, w.keyframes) == 30.0f); /* the file does not say */
    assert_int_equal(emberi_host_keyframes_loop(w.h.c, w.walk), 1);
    assert_int_equal(emberi_host_keyframes_loop(w.h.c, w.keyframes), 0);
    assert_int_equal(emberi_host_keyframes_marker_count(w.h.c, w.walk), 2);
    assert_int_equal(emberi_host_keyframes_marker_count(w.h.c, w.keyframes), 0);
    memset(w.h.memory + AT_OUT, '#', 16);
    assert_int_equal(emberi_host_keyframes_marker(w.h.c, w.walk, 0, AT_OUT, 8), 1);
    assert_memory_equal(w.h.memory + AT_OUT, "step\0\0\0\0########", 16);
    assert_int_equal(emberi_host_keyframes_marker(w.h.c, w.walk, 0, AT_OUT, 4), 1);
    assert_memory_equal(w.h.memory + AT_OUT, "ste\0", 4);
    assert_int_equal(emberi_host_keyframes_marker(w.h.c, w.walk, 1, 0, 0), 3);
    HOST_TRAPS(&w.h, emberi_host_keyframes_marker(w.h.c, w.walk, 2, AT_OUT, 4),
               "keyframes_marker: marker index 2 >= marker_count 2, in update, frame 1");
    host_put(&w.h, AT_OUT, "hand.lx", 7);
    assert_int_equal(emberi_host_bone_index(w.h.c, w.walk, AT_CHEST, 5), 1);
    assert_int_equal(emberi_host_bone_index(w.h.c, w.walk, AT_OUT, 6), 2);
    assert_int_equal(emberi_host_bone_index(w.h.c, w.walk, AT_OUT, 7), UINT32_MAX);
    assert_int_equal(emberi_host_bone_index(w.h.c, w.walk, AT_OUT, 0), UINT32_MAX);
    assert_int_equal(emberi_host_bone_index(w.h.c, w.keyframes, AT_CHEST, 5), UINT32_MAX);
    world_close(&w);
}

/* ---- the draft ---- */

TEST(clip_info_has_twelve_bytes)
{
    static const uint8_t expected[13] = {2, 0, 3, 0, 0, 0, 0x70, 0x41 /* 15.0f */, 3, 0, 0, 0, '#'};
    world                w;
    world_open_update(&w);
    memset(w.h.memory + AT_OUT, '#', 16);
    emberi_host_clip_info(w.h.c, w.clip, AT_OUT);
    assert_memory_equal(w.h.memory + AT_OUT, expected, 13);
    world_close(&w);
}

TEST(the_drafts_frames_are_stored_records_and_wrap)
{
    world          w;
    const uint32_t frame_size = 2 * 12;
    world_open_update(&w);
    const uint8_t *records = w.h.memory + AT_CLIP + 16;
    emberi_host_read_frame(w.h.c, w.clip, 3 * 1000 + 1, AT_OUT);
    assert_memory_equal(w.h.memory + AT_OUT, records + frame_size, frame_size);
    emberi_host_read_frame(w.h.c, w.clip, 0xffffffffu, AT_OUT); /* 2^32 - 1 is a multiple of 3 */
    assert_memory_equal(w.h.memory + AT_OUT, records, frame_size);
    emberi_host_read_frames(w.h.c, w.clip, 2, 5, AT_OUT); /* 2 0 1 2 0 */
    for (uint32_t i = 0; i < 5; i++)
        assert_memory_equal(w.h.memory + AT_OUT + i * frame_size, records + (2 + i) % 3 * frame_size,
                            frame_size);
    emberi_host_set_bones_from_clip(w.h.c, w.clip, 5); /* = 2 */
    emberi_host_bone_get_world_trs(w.h.c, 1, AT_OUT, AT_OUT_2, AT_OUT_3);
    CLOSE(world_float(&w, AT_OUT, 0), 2.0f);
    CLOSE(world_float(&w, AT_OUT, 1), 1.0f);
    world_close(&w);
}

TEST(record_d_takes_its_depth_from_the_skeleton_that_is_bound_at_the_load)
{
    static const uint8_t header[16] = {'E', 'W', 'Z', 'A', 1, 0, 3, 0, 1, 0, 0, 30, 4, 0, 0, 0};
    world                w;
    uint32_t             with = 0, without = 0;
    world_open(&w, EMBER_SQUEEZE_RAW);
    host_put(&w.h, AT_OUT, header, 16);
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t *record = w.h.memory + AT_OUT + 16 + i * 8;
        emberi_put_u32(record, 0x80200803u);
        emberi_put_u32(record + 4, 0); /* x = y = 0 */
    }
    without = emberi_host_load_clip(w.h.c, AT_OUT, 16 + 24);
    emberi_host_skeleton_bind(w.h.c, w.hero_skeleton);
    with = emberi_host_load_clip(w.h.c, AT_OUT, 16 + 24);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    /* The rest lengths of hip, chest and hand are 1, 0.5 and 0.25. */
    static const float lengths[3] = {1.0f, 0.5f, 0.25f};
    emberi_host_keyframe_read(w.h.c, with, 0, AT_OUT_2);
    emberi_host_keyframe_read(w.h.c, without, 0, AT_OUT_3);
    for (uint32_t i = 0; i < 3; i++) {
        CLOSE(world_float(&w, AT_OUT_2, i * 10 + 6), lengths[i]);
        assert_true(world_float(&w, AT_OUT_3, i * 10 + 6) == 0.0f);
    }
    world_close(&w);
}

TEST(an_unloaded_clip_is_no_handle_any_more_and_is_unbound)
{
    world w;
    world_open_update(&w);
    emberi_host_set_bones_from_clip(w.h.c, w.clip, 1);
    emberi_host_unload_clip(w.h.c, w.clip);
    HOST_TRAPS(&w.h, emberi_host_unload_clip(w.h.c, w.clip),
               "unload_clip: invalid clip handle, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_keyframe_bind(w.h.c, w.clip, 0),
               "keyframe_bind: invalid keyframe handle, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_bone_get_world_trs(w.h.c, 0, AT_OUT, AT_OUT_2, AT_OUT_3),
               "bone_get_world_trs: no pose is bound, in update, frame 1");
    emberi_host_unload_data(w.h.c, w.data);
    HOST_TRAPS(&w.h, emberi_host_read_data(w.h.c, w.data, 0, AT_OUT),
               "read_data: invalid data handle, in update, frame 1");
    world_close(&w);
}

TEST(data_is_read_in_chunks_the_last_one_shorter)
{
    world    w;
    uint32_t whole = 0, empty = 0;
    world_open(&w, EMBER_SQUEEZE_RAW);
    whole = emberi_host_load_data(w.h.c, AT_POSE, 100, 0);
    empty = emberi_host_load_data(w.h.c, 0, 0, 0);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    memset(w.h.memory + AT_OUT, '#', 200);
    emberi_host_read_data(w.h.c, w.data, 2, AT_OUT); /* bytes 80 to 99 */
    assert_memory_equal(w.h.memory + AT_OUT, w.h.memory + AT_POSE + 80, 20);
    assert_int_equal(w.h.memory[AT_OUT + 20], '#');
    emberi_host_read_data(w.h.c, whole, 0, AT_OUT);
    assert_memory_equal(w.h.memory + AT_OUT, w.h.memory + AT_POSE, 100);
    emberi_host_read_data(w.h.c, empty, 0, 0xffffffffu);
    HOST_TRAPS(&w.h, emberi_host_read_data(w.h.c, w.data, 3, AT_OUT),
               "read_data: chunk index 3 >= chunk_count 3, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_read_data(w.h.c, whole, 1, AT_OUT),
               "read_data: chunk index 1 >= chunk_count 1, in update, frame 1");
    assert_int_equal(emberi_host_rom_data_len(w.h.c, AT_LEVEL, 14), 5);
    assert_int_equal(emberi_host_rom_data(w.h.c, AT_LEVEL, 14, AT_OUT, 100), 5);
    assert_memory_equal(w.h.memory + AT_OUT, "level", 5);
    assert_int_equal(emberi_host_rom_data(w.h.c, AT_LEVEL, 14, AT_OUT_2, 2), 2);
    assert_memory_equal(w.h.memory + AT_OUT_2, "le\0", 3);
    world_close(&w);
}
