/* SPDX-License-Identifier: MIT */
/* The current pose: bound from a clip, handed over by the game, or changed bone by bone. It is replaced as a
   whole or not at all. */
#include <string.h>

#include "base/check.h"
#include "console/guest_memory.h"

const ember_mat34 *emberi_host_pose_matrices(ember_console *c, const char *function)
{
    const host_state *s = &c->state;
    if (s->pose == EMBER_DRAW_POSE_NONE)
        return NULL;
    if (s->pose == EMBER_DRAW_POSE_BONES)
        return c->bones;
    return emberi_host_frame_matrices(c, function, (uint32_t)s->pose_clip, s->pose_frame);
}

static void pose_set(ember_console *c, ember_draw_pose pose, int32_t clip, uint32_t frame, uint32_t bones)
{
    c->state.pose = pose;
    c->state.pose_clip = clip;
    c->state.pose_frame = frame;
    c->state.pose_bones = bones;
    c->bones_at = HOST_NO_BONES;
}

void emberi_host_no_pose(ember_console *c) { pose_set(c, EMBER_DRAW_POSE_NONE, -1, 0, 0); }

/* Traps unless the bone is one of the pose's. */
static void pose_check_bone(ember_console *c, const char *function, uint32_t bone)
{
    if (c->state.pose == EMBER_DRAW_POSE_NONE)
        emberi_host_trap(c, function, "no pose is bound");
    if (bone >= c->state.pose_bones)
        emberi_host_trap(c, function, "bone index %u >= bone_count %u", (unsigned)bone,
                         (unsigned)c->state.pose_bones);
}

/* ---- whole poses ---- */

/* Decodes the frame here, so that one that cannot be decoded traps here. frame < the clip's. */
static void pose_bind(ember_console *c, const char *function, uint32_t clip, uint32_t frame)
{
    const host_clip *clips = c->clips.items;
    (void)emberi_host_frame_matrices(c, function, clip, frame);
    pose_set(c, EMBER_DRAW_POSE_CLIP, (int32_t)clip, frame, clips[clip].bone_count);
}

/* 0 is no clip, whatever the frame: no pose, as Nethercore has it. */
void emberi_host_keyframe_bind(ember_console *c, uint32_t clip, uint32_t frame)
{
    if (clip == 0) {
        emberi_host_no_pose(c);
        return;
    }
    emberi_host_check_frame(c, HOST_NAME, emberi_host_keyframes(c, HOST_NAME, clip), frame);
    pose_bind(c, HOST_NAME, emberi_host_index(HOST_CLIP, clip), frame);
}

void emberi_host_set_bones_from_clip(ember_console *c, uint32_t clip, uint32_t frame)
{
    uint32_t frame_count = emberi_host_clip(c, HOST_NAME, clip)->frame_count;
    pose_bind(c, HOST_NAME, emberi_host_index(HOST_CLIP, clip), frame % frame_count);
}

/* 0 is no skeleton: raw mode, as v2 and Nethercore have it. */
void emberi_host_skeleton_bind(ember_console *c, uint32_t skeleton)
{
    if (skeleton != 0)
        (void)emberi_host_skeleton(c, HOST_NAME, skeleton);
    c->state.skeleton = skeleton != 0 ? (int32_t)emberi_host_index(HOST_SKELETON, skeleton) : -1;
}

static void pose_check_count(ember_console *c, const char *function, uint32_t count)
{
    if (count > EMBER_MAX_BONES)
        emberi_host_trap(c, function, "%u bones, at most %u are possible", (unsigned)count, EMBER_MAX_BONES);
}

void emberi_host_set_bones(ember_console *c, guest_in matrices, uint32_t count)
{
    ember_mat43 columns[EMBER_MAX_BONES];
    pose_check_count(c, HOST_NAME, count);
    emberi_host_floats(columns[0].m, c, HOST_NAME, matrices, count * 12);
    for (uint32_t i = 0; i < count; i++)
        c->bones[i] = ember_mat34_from_mat43(&columns[i]);
    pose_set(c, count != 0 ? EMBER_DRAW_POSE_BONES : EMBER_DRAW_POSE_NONE, -1, 0, count);
}

void emberi_host_set_bones_4x4(ember_console *c, guest_in matrices, uint32_t count)
{
    ember_mat44 columns[EMBER_MAX_BONES];
    pose_check_count(c, HOST_NAME, count);
    emberi_host_floats(columns[0].m, c, HOST_NAME, matrices, count * 16);
    for (uint32_t i = 0; i < count; i++)
        c->bones[i] = ember_mat34_from_mat44(&columns[i]);
    pose_set(c, count != 0 ? EMBER_DRAW_POSE_BONES : EMBER_DRAW_POSE_NONE, -1, 0, count);
}

/* The draft's matrices: its set_bones takes what version 2's would draw in pieces. */
void emberi_host_set_bones_rows(ember_console *c, guest_in matrices, uint32_t count)
{
    ember_mat34 rows[EMBER_MAX_BONES];
    pose_check_count(c, HOST_NAME, count);
    emberi_host_floats(rows[0].m, c, HOST_NAME, matrices, count * 12);
    memcpy(c->bones, rows, count * sizeof(*rows));
    pose_set(c, count != 0 ? EMBER_DRAW_POSE_BONES : EMBER_DRAW_POSE_NONE, -1, 0, count);
}

/* ---- single bones ---- */

/* Who hangs below whom in the current pose: the clip knows, or else the bound skeleton. NULL
   where nobody does. */
static const int16_t *pose_parents(const ember_console *c, uint32_t *count)
{
    const host_clip     *clips = c->clips.items;
    const host_skeleton *skeletons = c->skeletons.items;
    if (c->state.pose_clip >= 0 && clips[c->state.pose_clip].parents != NULL) {
        *count = clips[c->state.pose_clip].bone_count;
        return clips[c->state.pose_clip].parents;
    }
    *count = c->state.skeleton >= 0 ? skeletons[c->state.skeleton].bone_count : 0;
    return c->state.skeleton >= 0 ? skeletons[c->state.skeleton].parents : NULL;
}

/* Everything below the bone moves along with it, as if it were nailed to it. */
static void pose_move_below(const ember_console *c, ember_mat34 *bones, uint32_t bone,
                            const ember_mat34 *motion)
{
    uint32_t       parent_count;
    const int16_t *parents = pose_parents(c, &parent_count);
    bool           below[EMBER_MAX_BONES] = {false};
    uint32_t       count = c->state.pose_bones < parent_count ? c->state.pose_bones : parent_count;
    below[bone] = true;
    for (uint32_t i = bone + 1; parents != NULL && i < count; i++) {
        below[i] = parents[i] >= 0 && below[parents[i]];
        if (below[i])
            bones[i] = ember_mat34_mul(motion, &bones[i]);
    }
}

void emberi_host_bone_set_trs(ember_console *c, uint32_t bone, guest_in position, guest_in rotation,
                              guest_in scale)
{
    ember_mat34 bones[EMBER_MAX_BONES], back, motion;
    pose_check_bone(c, HOST_NAME, bone);
    ember_transform    trs = emberi_host_trs(c, HOST_NAME, position, rotation, scale);
    ember_mat34        place = ember_mat34_from_transform(&trs);
    const ember_mat34 *pose = emberi_host_pose_matrices(c, HOST_NAME);
    uint32_t           count = c->state.pose_bones;
    EMBERI_ASSERT(pose != NULL); /* or the bone would not have been there */
    emberi_host_work(c, count * sizeof(*bones));
    memcpy(bones, pose, count * sizeof(*bones));
    if (ember_mat34_inverse(&back, &bones[bone])) {
        motion = ember_mat34_mul(&place, &back);
        pose_move_below(c, bones, bone, &motion);
    }
    bones[bone] = place;
    for (uint32_t i = bone; i < count; i++)
        if (!emberi_host_matrix_is_finite(&bones[i]))
            emberi_host_trap(c, HOST_NAME, "bone %u would not be finite", (unsigned)i);
    memcpy(c->bones, bones, count * sizeof(*bones));
    pose_set(c, EMBER_DRAW_POSE_BONES, c->state.pose_clip, c->state.pose_frame, count);
}

/* Decomposed, so that a shear which the pose may have is left out. */
void emberi_host_bone_get_world_trs(ember_console *c, uint32_t bone, guest_out position, guest_out rotation,
                                    guest_out scale)
{
    ember_transform world;
    pose_check_bone(c, HOST_NAME, bone);
    uint8_t           *p = emberi_host_out(c, HOST_NAME, position, 12);
    uint8_t           *q = emberi_host_out(c, HOST_NAME, rotation, 16);
    uint8_t           *s = emberi_host_out(c, HOST_NAME, scale, 12);
    const ember_mat34 *pose = emberi_host_pose_matrices(c, HOST_NAME);
    EMBERI_ASSERT(pose != NULL);
    ember_mat34 matrix = ember_mat34_mul(&c->state.transform, &pose[bone]);
    if (!emberi_host_matrix_is_finite(&matrix))
        emberi_host_trap(c, HOST_NAME, "the bone's place in the world is not finite");
    (void)ember_mat34_decompose(&world, &matrix);
    emberi_host_check_pose(c, HOST_NAME, &world, 1);
    memcpy(p, &world.position, 12);
    memcpy(q, &world.rotation, 16);
    memcpy(s, &world.scale, 12);
}

void emberi_host_bone_bind(ember_console *c, uint32_t bone)
{
    if (bone >= EMBER_MAX_BONES)
        emberi_host_trap(c, HOST_NAME, "bone index %u >= %u", (unsigned)bone, EMBER_MAX_BONES);
    c->state.bone = (int32_t)bone;
}

/* ---- poses in the game's memory ---- */

static float pose_weight(ember_console *c, const char *function, float t)
{
    emberi_host_finite(c, function, "t", t);
    return t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
}

void emberi_host_trs_lerp(ember_console *c, guest_in a_position, guest_in a_rotation, guest_in a_scale,
                          guest_in b_position, guest_in b_rotation, guest_in b_scale, float t,
                          guest_out position, guest_out rotation, guest_out scale)
{
    float           weight = pose_weight(c, HOST_NAME, t);
    ember_transform a = emberi_host_trs(c, HOST_NAME, a_position, a_rotation, a_scale);
    ember_transform b = emberi_host_trs(c, HOST_NAME, b_position, b_rotation, b_scale);
    uint8_t        *p = emberi_host_out(c, HOST_NAME, position, 12);
    uint8_t        *q = emberi_host_out(c, HOST_NAME, rotation, 16);
    uint8_t        *s = emberi_host_out(c, HOST_NAME, scale, 12);
    ember_transform out = ember_transform_lerp(&a, &b, weight);
    emberi_host_check_pose(c, HOST_NAME, &out, 1);
    memcpy(p, &out.position, 12);
    memcpy(q, &out.rotation, 16);
    memcpy(s, &out.scale, 12);
}

static void pose_get(ember_transform *out, ember_console *c, const char *function, uint32_t address,
                     uint32_t count)
{
    _Static_assert(sizeof(ember_transform) == 40, "v2's BoneTransform");
    emberi_host_floats(&out->rotation.x, c, function, address, count * 10);
}

void emberi_host_pose_blend(ember_console *c, guest_out out, guest_in a, guest_in b, float t, uint32_t count)
{
    float weight = pose_weight(c, HOST_NAME, t);
    pose_check_count(c, HOST_NAME, count);
    pose_get(c->scratch[0], c, HOST_NAME, a, count);
    pose_get(c->scratch[1], c, HOST_NAME, b, count);
    uint8_t       *to = emberi_host_out(c, HOST_NAME, out, (uint64_t)count * sizeof(ember_transform));
    ember_lerp_job job = {.out = c->scratch[2],
                          .a = c->scratch[0],
                          .b = c->scratch[1],
                          .t = weight,
                          .bone_count = count};
    (void)ember_lerp_run(&job); /* its rules hold */
    emberi_host_check_pose(c, HOST_NAME, c->scratch[2], count);
    memcpy(to, c->scratch[2], count * sizeof(ember_transform));
}

void emberi_host_pose_compose(ember_console *c, guest_out out_matrices, guest_in pose, uint32_t count,
                              uint32_t skeleton)
{
    const host_skeleton *s = emberi_host_skeleton(c, HOST_NAME, skeleton);
    ember_mat34          model[EMBER_MAX_BONES];
    if (count > s->bone_count)
        emberi_host_trap(c, HOST_NAME, "%u bones, the skeleton has %u", (unsigned)count,
                         (unsigned)s->bone_count);
    pose_get(c->scratch[0], c, HOST_NAME, pose, count);
    uint8_t          *to = emberi_host_out(c, HOST_NAME, out_matrices, (uint64_t)count * sizeof(ember_mat43));
    ember_compose_job compose = {.out = model,
                                 .pose = c->scratch[0],
                                 .parents = s->parents,
                                 .bone_count = count};
    ember_matrices_job roots = {.out = model, .pose = c->scratch[0], .bone_count = count};
    (void)(s->parents != NULL ? ember_compose_run(&compose)
                              : ember_matrices_run(&roots)); /* a loaded skeleton's parents are valid */
    if (!emberi_host_matrices_are_finite(model, count))
        emberi_host_trap(c, HOST_NAME, "the result would not be finite");
    for (uint32_t i = 0; i < count; i++) {
        ember_mat43 columns = ember_mat43_from_mat34(&model[i]);
        memcpy(to + i * sizeof(columns), &columns, sizeof(columns));
    }
}
