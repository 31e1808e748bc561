/* SPDX-License-Identifier: MIT */
/* Golden hashes of squeezed blocks: the same clip gives the same bytes everywhere, and the bytes give the
   clip back. */
#include "golden.h"

#include "base/bytes.h"
#include "ember/squeeze.h"

#define BONES 12u
#define FRAMES 75u
#define FRAME_SIZE (BONES * EMBER_KEYFRAME_SIZE)

static uint8_t frames[FRAMES * FRAME_SIZE];
static uint8_t block[FRAMES * BONES * 64 + 8192];
static uint8_t scratch_memory[1 << 20];
static _Alignas(16) uint8_t cursor_memory[1 << 16];

/* Bones that sway between three poses; in model space they go along with their parents. */
static void squeeze_clip(const int16_t *parents, bool model)
{
    ember_transform poses[3][BONES], pose[BONES];
    ember_mat34     matrices[BONES];
    for (int i = 0; i < 3; i++)
        golden_pose(poses[i], BONES, false);
    for (uint32_t bone = 0; bone < BONES; bone++)
        for (int i = 0; i < 3; i++) {
            poses[i][bone].scale = (ember_vec3){1.0f, 1.0f, bone == 5 && !model ? 1.0f + (float)i : 1.0f};
            if (bone % 3 == 2)
                poses[i][bone] = poses[0][bone];
        }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const uint32_t       from = frame / 38;
        const ember_lerp_job mix = {.out = pose,
                                    .a = poses[from],
                                    .b = poses[from + 1],
                                    .t = (float)(frame % 38) / 38.0f,
                                    .bone_count = BONES};
        golden_status(ember_lerp_run(&mix));
        if (model) {
            const ember_compose_job compose = {.out = matrices,
                                               .pose = pose,
                                               .parents = parents,
                                               .bone_count = BONES};
            golden_status(ember_compose_run(&compose));
            for (uint32_t bone = 0; bone < BONES; bone++)
                (void)ember_mat34_decompose(&pose[bone], &matrices[bone]);
        }
        for (uint32_t bone = 0; bone < BONES; bone++)
            golden_status(ember_record_encode(frames + frame * FRAME_SIZE + bone * EMBER_KEYFRAME_SIZE,
                                              EMBER_RECORD_EWZ, &pose[bone]));
    }
}

static void squeeze_method(const ember_squeeze_rig *rig, ember_squeeze_method method)
{
    ember_arena          scratch = ember_arena_fixed(scratch_memory, sizeof(scratch_memory));
    ember_squeeze_job    job = {.out = block,
                                .out_capacity = sizeof(block),
                                .frames = frames,
                                .frame_count = FRAMES,
                                .rig = rig,
                                .method = method};
    ember_squeezed       opened;
    ember_squeeze_cursor cursor;
    uint8_t              out[FRAME_SIZE];
    golden_status(ember_squeeze_encode(&job, &scratch));
    golden_bytes(block, job.out_size);
    golden_status(ember_squeeze_open(&opened, block, job.out_size, rig, NULL));
    golden_status(ember_squeeze_cursor_init(&cursor, &opened, cursor_memory, sizeof(cursor_memory)));
    for (uint32_t i = 0; i < FRAMES; i++) {
        golden_status(ember_squeeze_read(out, sizeof(out), &cursor, i * 31 % FRAMES));
        golden_bytes(out, sizeof(out));
    }
}

static void squeeze_space(const char *const names[3], bool model)
{
    int16_t           parents[BONES];
    uint8_t           rest[FRAME_SIZE], offsets[BONES * 12];
    const uint8_t    *clips[1] = {frames};
    const uint32_t    counts[1] = {FRAMES};
    ember_arena       scratch = ember_arena_fixed(scratch_memory, sizeof(scratch_memory));
    ember_squeeze_rig rig = {BONES, rest, parents, model ? offsets : NULL, model};
    golden_begin(names[0]);
    golden_seed(model ? 61 : 60);
    golden_parents(parents, BONES);
    squeeze_clip(parents, model);
    const ember_squeeze_rig_job job = {.out_rest = rest,
                                       .out_offsets = offsets,
                                       .parents = parents,
                                       .bone_count = BONES,
                                       .clips = clips,
                                       .frame_counts = counts,
                                       .clip_count = 1};
    golden_status(ember_squeeze_rig_make(&job, &scratch));
    golden_bytes(rest, sizeof(rest));
    golden_bytes(offsets, sizeof(offsets));
    golden_begin(names[1]);
    squeeze_method(&rig, EMBER_SQUEEZE_QUICK);
    golden_begin(names[2]);
    squeeze_method(&rig, EMBER_SQUEEZE_SMALL);
}

void golden_squeeze(void)
{
    static const char *const local[3] = {"squeeze_rig_local", "squeeze_quick_local", "squeeze_small_local"};
    static const char *const model[3] = {"squeeze_rig_model", "squeeze_quick_model", "squeeze_small_model"};
    squeeze_space(local, false);
    squeeze_space(model, true);
}
