/* SPDX-License-Identifier: MIT */
/* Golden hashes of lean clips: the same clip gives the same bytes everywhere, and the bytes the same poses,
   from nothing and by a cursor. */
#include "golden.h"

#include "../fixtures/lean_rig.h"

#define BONES 21u
#define FRAMES 90u

static ember_transform frames[FRAMES * BONES];
static uint8_t         clip_data[FRAMES * BONES * 40 + 8192];
static uint8_t         rig_data[BONES * 36 + 64];
static uint8_t         scratch_memory[1 << 21];
static _Alignas(32) uint8_t opened_memory[1 << 16];
static _Alignas(32) uint8_t cursor_memory[1 << 16];

/* Bones that sway between poses; one spins, one is mirrored, one stretches. */
static void lean_source(void)
{
    ember_transform poses[4][BONES];
    for (int i = 0; i < 4; i++)
        golden_pose(poses[i], BONES, false);
    for (uint32_t bone = 0; bone < BONES; bone++)
        for (int i = 0; i < 4; i++) {
            poses[i][bone].scale =
                (ember_vec3){bone == 7 ? -1.0f : 1.0f, bone == 9 ? 1.0f + 0.2f * (float)i : 1.0f, 1.0f};
            if (bone % 3 == 2)
                poses[i][bone] = poses[0][bone];
        }
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const uint32_t       from = frame / 30;
        ember_transform     *out = frames + frame * BONES;
        const ember_lerp_job mix = {.out = out,
                                    .a = poses[from],
                                    .b = poses[from + 1],
                                    .t = (float)(frame % 30) / 30.0f,
                                    .bone_count = BONES};
        golden_status(ember_lerp_run(&mix));
        out[4].rotation = ember_quat_from_axis_angle((ember_vec3){1.0f, 2.0f, 3.0f}, 0.4f * (float)frame);
    }
}

static void lean_poses(const ember_lean_clip *clip)
{
    ember_lean_cursor cursor;
    ember_transform   pose[BONES];
    golden_status(ember_lean_cursor_init(&cursor, clip, cursor_memory, sizeof(cursor_memory)));
    for (uint32_t i = 0; i < 2 * FRAMES; i++) {
        const uint32_t frame = i * 31 % FRAMES, fraction = i * 7919 % 65536;
        golden_status(ember_lean_sample(pose, BONES, clip, frame, fraction));
        golden_transforms(pose, BONES);
        golden_status(ember_lean_cursor_sample(pose, BONES, &cursor, i / 2, i % 2 * 32768u));
        golden_transforms(pose, BONES);
    }
}

void golden_lean(void)
{
    static const char *const  names[2] = {"lean_coarse", "lean_fine"};
    static const float        bounds[2] = {0.01f, 0.0005f};
    int16_t                   parents[BONES];
    const fixture_lean_source source = {frames, FRAMES, BONES, rig_data, sizeof(rig_data)};
    ember_arena               scratch = ember_arena_fixed(scratch_memory, sizeof(scratch_memory));
    ember_lean_rig            rig;
    golden_begin("lean_rig");
    golden_seed(70);
    golden_parents(parents, BONES);
    lean_source();
    golden_status(fixture_lean_rig(&rig, &source, &scratch, NULL));
    golden_bytes(rig_data, rig.size);
    golden_status(ember_lean_rig_open(&rig, rig_data, rig.size, NULL));
    for (int i = 0; i < 2; i++) {
        ember_lean_clip clip;
        ember_lean_job  job = {.out = clip_data,
                               .out_capacity = sizeof(clip_data),
                               .frames = frames,
                               .frame_count = FRAMES,
                               .parents = parents,
                               .rig = &rig,
                               .max_error = bounds[i]};
        golden_begin(names[i]);
        golden_status(ember_lean_encode(&job, &scratch, NULL));
        golden_bytes(clip_data, job.out_size);
        golden_status(ember_lean_open(&clip, clip_data, job.out_size, &rig, opened_memory,
                                      sizeof(opened_memory), NULL));
        lean_poses(&clip);
    }
}
