/* SPDX-License-Identifier: MIT */
/* Games over lean clips of a ROM: the poses of either space, binds, records made of them, damage. What is
   expected comes from the clip's own reader, frame by frame, and is composed here. Covers: clip_frames.c. */
#include "world.h"

#include "base/bytes.h"
#include "console/host.h"
#include "rom/rom_layout.h"

#define CLOSE_AT(a, b) assert_float_equal(a, b, 2e-6)

/* The local pose of the ROM's clip, from nothing. */
static void stored_pose(ember_transform *out, const world *w, uint32_t clip, uint32_t frame,
                        uint32_t fraction)
{
    static _Alignas(32) uint8_t memory[65536];
    const ember_rom_asset      *asset = &w->made.assets[clip];
    ember_lean_rig              rig;
    ember_lean_clip             lean;
    assert_int_equal(ember_lean_rig_open(&rig, asset->lean_rig, asset->lean_rig_size, NULL), EMBER_OK);
    assert_int_equal(ember_lean_open(&lean, asset->data, asset->size, &rig, memory, sizeof(memory), NULL),
                     EMBER_OK);
    assert_int_equal(ember_lean_sample(out, SKELETON_BONES, &lean, frame, fraction), EMBER_OK);
}

static void compose(ember_mat34 *out, const ember_transform *pose)
{
    for (uint32_t b = 0; b < SKELETON_BONES; b++) {
        ember_mat34 local = ember_mat34_from_transform(&pose[b]);
        out[b] = skeleton_parents[b] < 0 ? local : ember_mat34_mul(&out[skeleton_parents[b]], &local);
    }
}

static uint32_t load(world *w, const char *id)
{
    host_put(&w->h, AT_OUT_3, id, strlen(id));
    return emberi_host_rom_keyframes(w->h.c, AT_OUT_3, (uint32_t)strlen(id));
}

static void open_update(world *w, uint32_t *model)
{
    world_open(w, MADE_LEAN);
    *model = load(w, "walk-model");
    host_phase(&w->h, EMBER_PHASE_UPDATE);
}

TEST(a_local_lean_clip_gives_a_game_what_is_stored)
{
    world    w;
    uint32_t model;
    open_update(&w, &model);
    for (uint32_t i = 0; i < 12; i++) {
        uint32_t        frame = i * 3 % WALK_FRAMES;
        ember_transform expected[SKELETON_BONES];
        stored_pose(expected, &w, 0, frame, 0);
        emberi_host_keyframe_read(w.h.c, w.walk, frame, AT_OUT);
        assert_memory_equal(w.h.memory + AT_OUT, expected, sizeof(expected));
        emberi_host_keyframe_read(w.h.c, w.walk, frame, AT_OUT_2 + 1); /* not aligned */
        assert_memory_equal(w.h.memory + AT_OUT_2 + 1, expected, sizeof(expected));
        emberi_host_keyframe_sample(w.h.c, w.walk, (float)frame + 0.375f, AT_OUT);
        stored_pose(expected, &w, 0, frame, 0x6000);
        assert_memory_equal(w.h.memory + AT_OUT, expected, sizeof(expected));
    }
    world_close(&w);
}

TEST(a_lean_clip_in_model_space_is_composed_for_the_game)
{
    world    w;
    uint32_t model;
    open_update(&w, &model);
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t        frame = i * 3 % 7, fraction = i % 2 != 0 && frame < 6 ? 0x8000 : 0;
        ember_transform pose[SKELETON_BONES], got[SKELETON_BONES];
        ember_mat34     expected[SKELETON_BONES];
        stored_pose(pose, &w, 2, frame, fraction);
        compose(expected, pose);
        if (fraction == 0)
            emberi_host_keyframe_read(w.h.c, model, frame, AT_OUT);
        else
            emberi_host_keyframe_sample(w.h.c, model, (float)frame + 0.5f, AT_OUT);
        memcpy(got, w.h.memory + AT_OUT, sizeof(got));
        for (uint32_t b = 0; b < SKELETON_BONES; b++) {
            ember_mat34 m = ember_mat34_from_transform(&got[b]);
            for (int k = 0; k < 12; k++)
                CLOSE_AT(m.m[k], expected[b].m[k]);
        }
    }
    emberi_host_keyframe_sample(w.h.c, model, 99.0f, AT_OUT); /* the clip does not loop: its end */
    emberi_host_keyframe_read(w.h.c, model, 6, AT_OUT_2);
    assert_memory_equal(w.h.memory + AT_OUT, w.h.memory + AT_OUT_2, SKELETON_BONES * 40);
    world_close(&w);
}

TEST(lean_clips_of_either_space_are_drawn_alike)
{
    static const uint32_t frames[8] = {0, 1, 4, 3, 2, 2, 0, 4};
    world                 w;
    uint32_t              model;
    open_update(&w, &model);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t        frame = frames[i / 2], clip = i % 2 != 0 ? 2 : 0;
        ember_transform pose[SKELETON_BONES];
        ember_mat34     expected[SKELETON_BONES];
        stored_pose(pose, &w, clip, frame, 0);
        compose(expected, pose);
        emberi_host_keyframe_bind(w.h.c, clip != 0 ? model : w.walk, frame);
        host_phase(&w.h, EMBER_PHASE_RENDER);
        emberi_host_draw_mesh(w.h.c, w.skinned);
        ember_console_end(w.h.c);
        const ember_draw_list *list = ember_console_draws(w.h.c);
        assert_int_equal(list->bone_count, SKELETON_BONES);
        for (uint32_t b = 0; b < SKELETON_BONES; b++)
            for (int k = 0; k < 12; k++)
                CLOSE_AT(list->bones[b].m[k], expected[b].m[k]);
        ember_console_begin(w.h.c, EMBER_PHASE_UPDATE, NULL);
    }
    world_close(&w);
}

TEST(records_of_a_lean_clip_are_made_of_its_poses)
{
    world    w;
    uint32_t model;
    open_update(&w, &model);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t clip = i != 0 ? model : w.walk;
        emberi_host_read_frames(w.h.c, clip, 1, 3, AT_OUT);
        for (uint32_t f = 1; f < 4; f++) {
            ember_transform pose[SKELETON_BONES];
            emberi_host_keyframe_read(w.h.c, clip, f, AT_OUT_2);
            memcpy(pose, w.h.memory + AT_OUT_2, sizeof(pose));
            for (uint32_t b = 0; b < SKELETON_BONES; b++) {
                uint8_t record[16];
                assert_int_equal(ember_record_encode(record, EMBER_RECORD_EWZ, &pose[b]), EMBER_OK);
                assert_memory_equal(w.h.memory + AT_OUT + ((f - 1) * SKELETON_BONES + b) * 16, record, 16);
            }
        }
    }
    world_close(&w);
}

/* Beyond the memory for cursors clips are read without: the same bits. */
TEST(lean_clips_without_a_cursor_read_the_same)
{
    enum { MANY = 40000 };
    world    w;
    uint32_t last = 0;
    world_open(&w, MADE_LEAN);
    for (int i = 0; i < MANY; i++)
        last = emberi_host_rom_keyframes(w.h.c, AT_WALK, 4);
    assert_null(((host_clip *)w.h.c->clips.items)[w.h.c->clips.count - 1].lean_cursor.memory);
    assert_non_null(((host_clip *)w.h.c->clips.items)[2].lean_cursor.memory);
    host_phase(&w.h, EMBER_PHASE_UPDATE);
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t frame = i * 3 % WALK_FRAMES;
        emberi_host_keyframe_sample(w.h.c, last, (float)frame + 0.25f, AT_OUT);
        emberi_host_keyframe_sample(w.h.c, w.walk, (float)frame + 0.25f, AT_OUT_2);
        assert_memory_equal(w.h.memory + AT_OUT, w.h.memory + AT_OUT_2, SKELETON_BONES * 40);
    }
    world_close(&w);
}

TEST(a_restored_bind_of_a_lean_clip_hashes_the_same)
{
    world    a, b;
    uint32_t model;
    open_update(&a, &model);
    open_update(&b, &model);
    uint8_t *bytes = test_alloc(ember_console_state_size(a.h.c));
    for (uint32_t f = 0; f < 7; f++)
        emberi_host_keyframe_bind(b.h.c, model, f); /* its cursor is elsewhere */
    emberi_host_keyframe_bind(a.h.c, model, 3);
    ember_console_state_save(a.h.c, bytes);
    assert_int_equal(ember_console_state_restore(b.h.c, bytes), EMBER_OK);
    world *both[2] = {&a, &b};
    for (int i = 0; i < 2; i++) {
        host_phase(&both[i]->h, EMBER_PHASE_RENDER);
        emberi_host_draw_mesh(both[i]->h.c, both[i]->skinned);
        ember_console_end(both[i]->h.c);
    }
    assert_int_equal(ember_console_hash(a.h.c), ember_console_hash(b.h.c));
    free(bytes);
    world_close(&a);
    world_close(&b);
}

/* Bytes that were damaged on purpose, their hashes made right: a trap at the load or when the frame is asked
   for, or other numbers; all of them finite. */
TEST(damaged_lean_clips_trap_or_give_finite_poses)
{
    volatile size_t trapped = 0;
    made_content    m;
    made_content_make(&m, MADE_LEAN);
    volatile size_t size = m.assets[0].size;
    made_content_free(&m);
    for (volatile size_t at = 0; at < size; at++) {
        world           w;
        ember_rom_entry entry;
        made_content_make(&w.made, MADE_LEAN);
        world_open_made(&w);
        assert_true(ember_rom_find(&entry, w.rom, EMBER_ROM_KEYFRAMES, "walk", 4));
        uint8_t *row = w.aligned + 64 + (size_t)entry.index * 40;
        w.aligned[(size_t)(entry.data - w.aligned) + 32 + at] ^= 0x55;
        emberi_put_u64(row + 24, ember_rom_hash(entry.data, entry.size));
        emberi_put_u32(row + 32, emberi_rom_row_check(row, entry.id, entry.id_size));
        w.h.text[0] = '\0';
        HOST_TRY(&w.h, {
            uint32_t walk = emberi_host_rom_keyframes(w.h.c, AT_WALK, 4);
            host_phase(&w.h, EMBER_PHASE_UPDATE);
            for (uint32_t f = 0; f < WALK_FRAMES; f++) {
                ember_transform pose[SKELETON_BONES];
                emberi_host_keyframe_read(w.h.c, walk, f, AT_OUT);
                memcpy(pose, w.h.memory + AT_OUT, sizeof(pose));
                assert_true(emberi_host_pose_is_finite(pose, SKELETON_BONES));
                emberi_host_keyframe_bind(w.h.c, walk, f);
            }
        });
        trapped += w.h.text[0] != '\0' ? 1 : 0;
        world_close(&w);
    }
    assert_true(trapped > 8); /* at the least the padding */
}
