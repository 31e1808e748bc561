/* SPDX-License-Identifier: MIT */
/* Loading clips: what v2's table of errors asks for, limits, memory that fails.
   Covers: clip_load.c. */
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
