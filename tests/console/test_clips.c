/* SPDX-License-Identifier: MIT */
/* Clips and data: what v2's table of errors asks for, what is read back, and what the draft's functions do
   with it.
   Covers: clip_load.c, clip_use.c. */
#include "base/bytes.h"
#include "fixtures/allocator.h"
#include "world.h"

#define CLOSE(a, b) assert_float_equal((a), (b), 1e-6)

/* ---- v2's table of errors ---- */

TEST(invalid_handles_and_frames_trap_in_the_words_of_the_specification)
{
    world w;
    world_open_update(&w);
    HOST_TRAPS(&w.h, emberi_host_keyframe_bind(w.h.c, 0, 0),
               "keyframe_bind: invalid keyframe handle, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_keyframe_bind(w.h.c, w.keyframes, 999),
               "keyframe_bind: frame index 999 >= frame_count 3, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_keyframe_read(w.h.c, w.keyframes, 3, AT_OUT),
               "keyframe_read: frame index 3 >= frame_count 3, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_keyframe_read(w.h.c, w.keyframes, 2, HOSTED_MEMORY - 79),
               "keyframe_read: WASM memory access violation: 80 bytes at 0x00010fb4, there are 69635, in "
               "update, frame 1");
    emberi_host_keyframe_read(w.h.c, w.keyframes, 2, HOSTED_MEMORY - 80);
    world_close(&w);
}

TEST(assets_that_are_not_there_trap_with_their_id)
{
    world w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    host_put(&w.h, AT_OUT, "missing", 7);
    HOST_TRAPS(&w.h, emberi_host_rom_keyframes(w.h.c, AT_OUT, 7),
               "rom_keyframes: keyframe asset not found: missing, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_rom_skeleton(w.h.c, AT_OUT, 7),
               "rom_skeleton: skeleton asset not found: missing, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_rom_mesh(w.h.c, AT_OUT, 7),
               "rom_mesh: mesh asset not found: missing, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_rom_data_len(w.h.c, AT_OUT, 7),
               "rom_data_len: data asset not found: missing, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_rom_data(w.h.c, AT_OUT, 0, AT_OUT, 9),
               "rom_data: data asset not found: , in init, frame 0");
    host_put(&w.h, AT_OUT, "a\n\x1b[1mb", 7);
    HOST_TRAPS(&w.h, emberi_host_rom_mesh(w.h.c, AT_OUT, 7),
               "rom_mesh: mesh asset not found: a??[1mb, in init, frame 0");
    memset(w.h.memory + AT_OUT, 'x', 300);
    HOST_TRAPS(&w.h, emberi_host_rom_mesh(w.h.c, AT_OUT, 300),
               "rom_mesh: mesh asset not found: "
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..., in init, frame 0");
    /* A kind has its own ids: the walk is no mesh. */
    HOST_TRAPS(&w.h, emberi_host_rom_mesh(w.h.c, AT_WALK, 4),
               "rom_mesh: mesh asset not found: walk, in init, frame 0");
    world_close(&w);
}

TEST(a_console_without_a_rom_has_no_assets)
{
    host h;
    host_open(&h, NULL);
    host_put(&h, AT_OUT, "walk", 4);
    HOST_TRAPS(&h, emberi_host_rom_keyframes(h.c, AT_OUT, 4),
               "rom_keyframes: keyframe asset not found: walk, in init, frame 0");
    host_close(&h);
}

TEST(broken_files_trap_in_the_words_of_the_specification)
{
    world w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    uint8_t *file = w.h.memory + AT_KEYFRAMES;
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE - 1),
               "keyframes_load: animation data truncated: 99 of 100 bytes, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, 0),
               "keyframes_load: animation data truncated: 0 of at least 4 bytes, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE + 1),
               "keyframes_load: animation data has 1 extra byte, in init, frame 0");
    file[1] = 1;
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE),
               "keyframes_load: invalid animation header: flags is 0x01, must be 0, in init, frame 0");
    file[1] = 0;
    file[0] = 0;
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE),
               "keyframes_load: invalid animation header: bone_count is 0, in init, frame 0");
    file[0] = 2;
    file[2] = 0;
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE),
               "keyframes_load: invalid animation header: frame_count is 0, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_clip(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE),
               "load_clip: invalid animation header: does not start with EWZA, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_load_clip(w.h.c, AT_CLIP, CLIP_SIZE - 1),
               "load_clip: animation data truncated: 87 of 88 bytes, in init, frame 0");
    /* An infinite x in the second bone of the last frame. */
    file[2] = BOX_FRAMES;
    file[4 + 5 * 16 + 4] = 0x00;
    file[4 + 5 * 16 + 5] = 0x7c;
    HOST_TRAPS(&w.h, emberi_host_keyframes_load(w.h.c, AT_KEYFRAMES, KEYFRAMES_SIZE),
               "keyframes_load: invalid animation data: bone 1 of frame 2 is not finite, in init, frame 0");
    world_close(&w);
}

TEST(a_damaged_asset_of_the_rom_traps)
{
    world w;
    world_open(&w, EMBER_SQUEEZE_RAW);
    ember_rom_entry entry;
    assert_true(ember_rom_find(&entry, w.rom, EMBER_ROM_KEYFRAMES, "run", 3));
    w.aligned[(size_t)(entry.data - w.aligned) + entry.size / 2] ^= 1;
    host_put(&w.h, AT_OUT, "run", 3);
    HOST_TRY(&w.h, emberi_host_rom_keyframes(w.h.c, AT_OUT, 3));
    assert_non_null(strstr(w.h.text, "rom_keyframes: "));
    assert_non_null(strstr(w.h.text, "run"));
    world_close(&w);
}

/* ---- limits ---- */

TEST(the_smallest_and_the_largest_files_load)
{
    static const uint8_t smallest[20] = {1,    0,    1,    0,    0x03, 0x08, 0x20, 0x80, 0x00, 0x3c,
                                         0x00, 0x40, 0x00, 0xc0, 0x00, 0x3c, 0x00, 0x3c, 0x00, 0x3c};
    const uint32_t       size = 2u << 20;
    host                 h;
    uint32_t             clip = 0;
    host_open(&h, NULL);
    uint8_t *memory = test_alloc(size);
    memset(memory, 0, size);
    ember_console_set_memory(h.c, memory, size);
    memcpy(memory + 64, smallest, sizeof(smallest));
    clip = emberi_host_keyframes_load(h.c, 64, 20);
    assert_int_equal(emberi_host_keyframes_bone_count(h.c, clip), 1);
    emberi_host_keyframe_read(h.c, clip, 0, 128);
    /* v2's byte-level vector: identity as it is stored, 512/511.5 - 1 over the root of two a component; then
       1, 2, -2 and scale 1. */
    float read[10];
    memcpy(read, memory + 128, sizeof(read));
    for (int i = 0; i < 3; i++)
        assert_float_equal(read[i], 0.000691206, 1e-7);
    assert_float_equal(read[3], 1.0, 1e-5);
    assert_true(read[4] == 1.0f && read[5] == 2.0f && read[6] == -2.0f && read[7] == 1.0f &&
                read[8] == 1.0f && read[9] == 1.0f);
    memset(memory, 0, size);
    memcpy(memory + 64, (const uint8_t[4]){255, 0, 1, 0}, 4);
    clip = emberi_host_keyframes_load(h.c, 64, 4 + 255 * 16);
    assert_int_equal(emberi_host_keyframes_bone_count(h.c, clip), 255);
    memcpy(memory + 64, (const uint8_t[4]){1, 0, 255, 255}, 4);
    clip = emberi_host_keyframes_load(h.c, 64, 1048564);
    assert_int_equal(emberi_host_keyframes_frame_count(h.c, clip), 65535);
    emberi_host_keyframe_bind(h.c, clip, 65534);
    free(memory);
    host_close(&h);
}

TEST(clips_beyond_the_limit_of_the_host_trap)
{
    const uint32_t size = EMBER_CONSOLE_MEMORY, frames = 1027; /* 255 bones of 16 bytes: just below 4 MiB */
    host           h;
    volatile int   loaded = 0;
    host_open(&h, NULL);
    uint8_t *memory = test_alloc(size);
    memset(memory, 0, size);
    ember_console_set_memory(h.c, memory, size);
    memcpy(memory + 64, (const uint8_t[4]){255, 0, (uint8_t)frames, (uint8_t)(frames >> 8)}, 4);
    HOST_TRY(&h, for (;; loaded++) emberi_host_keyframes_load(h.c, 64, 4 + 255 * frames * 16));
    assert_string_equal(h.text, "keyframes_load: decoded keyframes take more than 256 MiB, in init, frame 0");
    assert_int_equal(loaded, 16); /* 16 and 48 bytes a bone and frame: 16.7 million bytes each */
    assert_int_equal(ember_console_clip_count(h.c), 16);
    free(memory);
    host_close(&h);
}

TEST(more_handles_than_there_are_numbers_for_trap)
{
    host         h;
    volatile int loaded = 0;
    host_open(&h, NULL);
    HOST_TRY(&h, for (;; loaded++) emberi_host_load_data(h.c, 0, 0, 0));
    assert_string_equal(h.text, "load_data: no more than 65535 can be loaded, in init, frame 0");
    assert_int_equal(loaded, 65535);
    host_close(&h);
}

/* ---- reading ---- */

TEST(a_clip_of_the_rom_reads_as_it_was_packed)
{
    static const ember_squeeze_method methods[] = {EMBER_SQUEEZE_RAW, EMBER_SQUEEZE_QUICK};
    for (size_t m = 0; m < 2; m++) {
        world w;
        world_open(&w, methods[m]);
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
        world_close(&w);
    }
}

TEST(a_local_clip_is_composed_once_at_its_load)
{
    world    w;
    uint32_t bones, frames;
    world_open(&w, EMBER_SQUEEZE_QUICK);
    const ember_mat34 *matrices = ember_console_clip_matrices(w.h.c, 2, &bones, &frames);
    assert_int_equal(bones, SKELETON_BONES);
    assert_int_equal(frames, WALK_FRAMES);
    for (uint32_t frame = 0; frame < frames; frame++) {
        ember_mat34 model[SKELETON_BONES];
        for (uint32_t bone = 0; bone < bones; bone++) {
            ember_transform t = ember_record_decode(w.made.clips[0] + 4 + (frame * bones + bone) * 16,
                                                    EMBER_RECORD_EWZ, NULL);
            ember_mat34     local = ember_mat34_from_transform(&t);
            model[bone] =
                skeleton_parents[bone] < 0 ? local : ember_mat34_mul(&model[skeleton_parents[bone]], &local);
            for (int k = 0; k < 12; k++)
                CLOSE(matrices[frame * bones + bone].m[k], model[bone].m[k]);
        }
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
    world    w;
    uint32_t bones, frames;
    world_open_update(&w);
    emberi_host_set_bones_from_clip(w.h.c, w.clip, 1);
    emberi_host_unload_clip(w.h.c, w.clip);
    HOST_TRAPS(&w.h, emberi_host_unload_clip(w.h.c, w.clip),
               "unload_clip: invalid clip handle, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_keyframe_bind(w.h.c, w.clip, 0),
               "keyframe_bind: invalid keyframe handle, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_bone_get_world_trs(w.h.c, 0, AT_OUT, AT_OUT_2, AT_OUT_3),
               "bone_get_world_trs: no pose is bound, in update, frame 1");
    assert_null(ember_console_clip_matrices(w.h.c, 1, &bones, &frames));
    assert_non_null(ember_console_clip_matrices(w.h.c, 0, &bones, &frames));
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

/* ---- memory ---- */

static void open_failing(host *h, fixture_heap *heap, const ember_rom *rom)
{
    ember_error           err = EMBER_ERROR_INIT;
    ember_console_options options = host_options(h, rom);
    memset(h, 0, sizeof(*h));
    options.allocator = fixture_allocator(heap);
    assert_int_equal(ember_console_create(&h->c, &options, &err), EMBER_OK);
    h->memory = test_alloc(HOSTED_MEMORY);
    memset(h->memory, 0, HOSTED_MEMORY);
    ember_console_set_memory(h->c, h->memory, HOSTED_MEMORY);
    ember_console_begin(h->c, EMBER_PHASE_INIT, NULL);
    world_fill(h);
}

TEST(loads_trap_at_every_failing_allocation)
{
    world        w;
    volatile int allocations = 0, done = 0;
    world_open(&w, EMBER_SQUEEZE_QUICK);
    for (; done == 0 && allocations < 100; allocations++) {
        host         h;
        fixture_heap heap = {0};
        open_failing(&h, &heap, w.rom);
        heap.fail_at = heap.calls + (size_t)allocations + 1;
        HOST_TRY(&h, {
            emberi_host_keyframes_load(h.c, AT_KEYFRAMES, KEYFRAMES_SIZE);
            emberi_host_load_clip(h.c, AT_CLIP, CLIP_SIZE);
            emberi_host_rom_keyframes(h.c, AT_WALK, 4);
            emberi_host_load_skeleton(h.c, AT_BINDS, 2);
            emberi_host_rom_skeleton(h.c, AT_HERO, 4);
            emberi_host_load_mesh_indexed(h.c, AT_VERTICES, 3, AT_INDICES, 3, 0);
            emberi_host_rom_mesh(h.c, AT_HERO, 4);
            emberi_host_load_data(h.c, AT_POSE, 60000, 0);
            done = 1;
        });
        if (done == 0)
            assert_non_null(strstr(h.text, ": out of memory, in init, frame 0"));
        host_close(&h);
        assert_int_equal(heap.held, 0);
    }
    assert_int_equal(done, 1);
    assert_true(allocations > 5);
    world_close(&w);
}
