/* SPDX-License-Identifier: MIT */
/* Clips and data: what v2's table of errors asks for, what is read back, and what the draft's functions do
   with it.
   Covers: clip_frames.c, clip_load.c, clip_use.c. */
#include "base/bytes.h"
#include "fixtures/allocator.h"
#include "world.h"

#define CLOSE(a, b) assert_float_equal((a), (b), 1e-6)

/* ---- v2's table of errors ---- */

TEST(invalid_handles_and_frames_trap_in_the_words_of_the_specification)
{
    world w;
    world_open_update(&w);
    HOST_TRAPS(&w.h, emberi_host_keyframe_bind(w.h.c, 1, 0),
               "keyframe_bind: invalid keyframe handle, in update, frame 1");
    HOST_TRAPS(&w.h, emberi_host_keyframe_read(w.h.c, 0, 0, AT_OUT),
               "keyframe_read: invalid keyframe handle, in update, frame 1");
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

/* The walk with a half that is not finite in the second bone of frame 3, and rotations like infinities. */
static void world_open_odd(world *w, uint32_t half, ember_squeeze_method method)
{
    static const uint16_t odd[6] = {0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x7fff, 0xffff};
    made_content_make(&w->made, method);
    uint8_t *records = w->made.clips[0] + 4;
    emberi_put_u16(records + (3 * SKELETON_BONES + 1) * 16 + 4 + 2 * half, odd[half]);
    emberi_put_u32(records + (2 * SKELETON_BONES + 1) * 16, 0x7c007c00u);
    world_open_made(w);
}

static void try_odd_half(uint32_t half, ember_squeeze_method method)
{
    world    w;
    uint32_t clip = 0;
    world_open_odd(&w, half, method);
    if (method == EMBER_SQUEEZE_RAW) {
        HOST_TRAPS(
            &w.h, emberi_host_rom_keyframes(w.h.c, AT_WALK, 4),
            "rom_keyframes: invalid animation data: bone 1 of frame 3 is not finite, in init, frame 0");
        world_close(&w);
        return;
    }
    clip = emberi_host_rom_keyframes(w.h.c, AT_WALK, 4);
    emberi_host_keyframe_bind(w.h.c, clip, 2);
    HOST_TRAPS(&w.h, emberi_host_keyframe_bind(w.h.c, clip, 3),
               "keyframe_bind: invalid animation data: frame 3 is not finite, in init, frame 0");
    memset(w.h.memory + AT_OUT, '#', 121);
    HOST_TRAPS(&w.h, emberi_host_keyframe_read(w.h.c, clip, 3, AT_OUT),
               "keyframe_read: invalid animation data: frame 3 is not finite, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_keyframe_read(w.h.c, clip, 3, AT_OUT + 1),
               "keyframe_read: invalid animation data: frame 3 is not finite, in init, frame 0");
    HOST_TRAPS(&w.h, emberi_host_keyframe_sample(w.h.c, clip, 2.5f, AT_OUT),
               "keyframe_sample: invalid animation data: frame 3 is not finite, in init, frame 0");
    for (uint32_t k = 0; k < 121; k++)
        assert_int_equal(w.h.memory[AT_OUT + k], '#');
    emberi_host_keyframe_read(w.h.c, clip, 2, AT_OUT);
    emberi_host_bone_get_world_trs(w.h.c, 0, AT_OUT_2, AT_OUT_2 + 16, AT_OUT_3); /* frame 2 is still bound */
    assert_true(world_float(&w, AT_OUT_2, 0) == world_float(&w, AT_OUT, 4));
    emberi_host_read_frame(w.h.c, clip, 3, AT_OUT); /* bytes are bytes */
    assert_memory_equal(w.h.memory + AT_OUT, w.made.clips[0] + 4 + 3 * SKELETON_BONES * 16,
                        SKELETON_BONES * 16);
    world_close(&w);
}

/* Squeezed frames are looked at when they are asked for: one that holds an infinity traps then, and nothing
   else of the clip does. Every half behind the rotation is tried; the rotation may have any bits. */
TEST(a_frame_that_is_not_finite_traps_when_it_is_asked_for)
{
    for (uint32_t i = 0; i < 6 * EMBER_SQUEEZE_METHOD_COUNT; i++)
        try_odd_half(i % 6, (ember_squeeze_method)(i / 6));
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

/* Their matrices would take 318 MB. */
TEST(clips_take_no_more_than_their_records)
{
    const uint32_t size = EMBER_CONSOLE_MEMORY, frames = 1027; /* 255 bones of 16 bytes: just below 4 MiB */
    host           h;
    fixture_heap   heap = {0};
    open_failing(&h, &heap, NULL);
    uint8_t *memory = test_alloc(size);
    memset(memory, 0, size);
    ember_console_set_memory(h.c, memory, size);
    memcpy(memory + 64, (const uint8_t[4]){255, 0, (uint8_t)frames, (uint8_t)(frames >> 8)}, 4);
    for (int i = 0; i < 20; i++)
        (void)emberi_host_keyframes_load(h.c, 64, 4 + 255 * frames * 16);
    assert_int_equal(ember_console_clip_count(h.c), 20);
    assert_in_range(heap.held, 20 * 4190160, 2 * 20 * 4190160);
    free(memory);
    host_close(&h);
}

/* Two clips of 65,535 frames, of which only the root moves: small in the ROM. Decoded they would take 335 MB;
   each is loaded three times. */
TEST(the_longest_clips_of_a_rom_load_without_being_decoded)
{
    enum { BONES = 40, FRAMES = 65535, LAST = FRAMES - 1 };
    static int16_t       parents[BONES];
    const ember_skeleton skeleton = {.bone_count = BONES, .parents = parents};
    size_t               size = 4 + (size_t)BONES * FRAMES * 16;
    world                w = {0};
    fixture_heap         heap = {0};
    ember_error          err = EMBER_ERROR_INIT;
    uint8_t             *file = test_alloc(size), *record = file + 4;
    memcpy(file, (const uint8_t[4]){BONES, 0, 0xff, 0xff}, 4);
    for (uint32_t i = 0; i < BONES * FRAMES; i++, record += 16) {
        ember_transform t = EMBER_TRANSFORM_IDENTITY;
        t.position.x = i % BONES == 0 ? (float)(i / BONES % 1024) : 0.0f; /* NOLINT: the frame */
        t.position.y = 1.0f;
        assert_int_equal(ember_record_encode(record, EMBER_RECORD_EWZ, &t), EMBER_OK);
        parents[i % BONES] = (int16_t)(i % BONES) - 1;
    }
    for (int i = 0; i < 2; i++) {
        w.made.assets[i] = made_clip_asset(i == 0 ? "long" : "longer", file, size);
        w.made.assets[i].skeleton = &skeleton;
        w.made.assets[i].method = EMBER_SQUEEZE_QUICK;
    }
    w.made.content = (ember_rom_content){.assets = w.made.assets, .asset_count = 2};
    w.file = made_rom(&w.made.content);
    assert_in_range(w.file.size, 1, 4 << 20);
    assert_int_equal(ember_rom_open_memory(&w.rom, w.file.data, w.file.size, ember_heap(), &err), EMBER_OK);
    open_failing(&w.h, &heap, w.rom);
    host_put(&w.h, AT_OUT, "longer", 6);
    for (int i = 0; i < 6; i++)
        w.walk = emberi_host_rom_keyframes(w.h.c, AT_OUT, i % 2 == 0 ? 4 : 6);
    assert_in_range(heap.held, 1, 2 << 20);
    /* All bones are one metre above their parent, but for the lean of an identity as it is stored. */
    emberi_host_keyframe_bind(w.h.c, w.walk, LAST);
    emberi_host_bone_get_world_trs(w.h.c, 0, AT_OUT, AT_OUT_2, AT_OUT_3);
    CLOSE(world_float(&w, AT_OUT, 0), (float)(LAST % 1024));
    emberi_host_bone_get_world_trs(w.h.c, BONES - 1, AT_OUT, AT_OUT_2, AT_OUT_3);
    assert_float_equal(world_float(&w, AT_OUT, 1), (float)BONES, 0.5);
    host_close(&w.h);
    ember_rom_close(w.rom);
    ember_buffer_free(&w.file);
    free(file);
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

/* ---- memory ---- */

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
