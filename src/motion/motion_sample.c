/* SPDX-License-Identifier: MIT */
/* The pose of a motion at a time. Nothing here allocates; damaged frames of a ROM are an error. */
#include "ember/motion.h"

#include <string.h>

#include "model/skeleton.h"
#include "model/space.h"
#include "motion/motion_cursor.h"

double ember_motion_duration(const ember_motion *motion)
{
    return (double)(motion->loop ? motion->frame_count : motion->frame_count - 1) / motion->fps;
}

static const ember_transform *motion_rest(const ember_motion *motion, uint32_t bone)
{
    return motion->source.rest != NULL ? &motion->source.rest[bone] : &ember_transform_identity;
}

/* A clip that moves only some of the bones. The others keep their rest; in model space that is the rest as
   the parent carries it. */
static void motion_sample_part(const ember_motion *motion, ember_transform *pose, const ember_transform *a,
                               const ember_transform *b, float t)
{
    const ember_clip *clip = motion->source.clip;
    uint8_t           moved[EMBERI_MODEL_MAX_BONES / 8 + 1];
    memset(moved, 0, motion->bone_count / 8 + 1);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t bone = ember_clip_bone(clip, i);
        pose[bone] = ember_transform_lerp(&a[i], &b[i], t);
        moved[bone / 8] |= (uint8_t)(1u << bone % 8);
    }
    for (uint32_t i = 0; i < motion->bone_count; i++) {
        int16_t parent = motion->parents[i];
        if ((moved[i / 8] & 1u << i % 8) != 0)
            continue;
        pose[i] = *motion_rest(motion, i);
        if (clip->space == EMBER_SPACE_MODEL && parent >= 0)
            pose[i] = ember_transform_mul(&pose[parent], &pose[i]);
    }
}

static ember_status motion_sample_clip(const ember_motion *motion, ember_transform *pose,
                                       ember_sample_point at)
{
    const ember_clip      *clip = motion->source.clip;
    const ember_transform *a = clip->frames + (size_t)at.frame * clip->bone_count;
    const ember_transform *b = clip->frames + (size_t)at.next * clip->bone_count;
    if (clip->bones != NULL || clip->bone_count != motion->bone_count) {
        motion_sample_part(motion, pose, a, b, at.t);
        return EMBER_OK;
    }
    ember_lerp_job job = {.out = pose, .a = a, .b = b, .t = at.t, .bone_count = motion->bone_count};
    return ember_lerp_run(&job);
}

static ember_status motion_decode(ember_transform *pose, const uint8_t *a, const uint8_t *b, float t,
                                  uint32_t bone_count)
{
    size_t           size = (size_t)bone_count * EMBER_KEYFRAME_SIZE;
    ember_decode_job job = {.out = pose,
                            .out_count = bone_count,
                            .frame = a,
                            .frame_size = size,
                            .next = b,
                            .next_size = size,
                            .t = t,
                            .bone_count = bone_count};
    return ember_decode_run(&job);
}

/* The records of a frame, in the half of the cursor's room that does not hold `keep`. */
static ember_status motion_read_frame(const uint8_t **out, struct ember_motion_cursor *cursor, uint32_t frame,
                                      uint32_t keep)
{
    size_t   size = (size_t)cursor->clip.bone_count * EMBER_KEYFRAME_SIZE;
    uint32_t half = cursor->frames[1] == frame || (cursor->frames[0] != frame && cursor->frames[0] == keep);
    *out = cursor->records + half * size;
    if (cursor->frames[half] == frame)
        return EMBER_OK;
    cursor->frames[half] = EMBERI_NO_FRAME;
    ember_status status = ember_squeeze_read(cursor->records + half * size, size, &cursor->at, frame);
    if (status == EMBER_OK)
        cursor->frames[half] = frame;
    return status;
}

static ember_status motion_sample_lean(const ember_motion *motion, ember_transform *pose,
                                       ember_sample_point at)
{
    ember_status status = ember_lean_cursor_sample(pose, motion->bone_count, motion->source.lean, at.frame,
                                                   emberi_lean_fraction(at.t));
    if (status == EMBER_OK && motion->space == EMBER_SPACE_MODEL)
        emberi_pose_to_model(pose, motion->parents, motion->bone_count);
    return status;
}

ember_status ember_motion_sample(ember_motion *motion, ember_transform *pose, size_t pose_count,
                                 double time_s)
{
    ember_sample_point at;
    const uint8_t     *a, *b;
    if (pose == NULL || pose_count < motion->bone_count ||
        ember_sample_locate(&at, motion->frame_count, motion->fps, time_s, motion->loop) != EMBER_OK)
        return EMBER_E_ARG;
    if (motion->source.clip != NULL)
        return motion_sample_clip(motion, pose, at);
    if (motion->source.lean != NULL)
        return motion_sample_lean(motion, pose, at);
    if (motion->source.cursor != NULL) {
        ember_status status = motion_read_frame(&a, motion->source.cursor, at.frame, at.next);
        if (status == EMBER_OK)
            status = motion_read_frame(&b, motion->source.cursor, at.next, at.frame);
        return status == EMBER_OK ? motion_decode(pose, a, b, at.t, motion->bone_count) : status;
    }
    size_t size = (size_t)motion->bone_count * EMBER_KEYFRAME_SIZE;
    return motion_decode(pose, motion->source.records + at.frame * size,
                         motion->source.records + at.next * size, at.t, motion->bone_count);
}

ember_status ember_player_sample_motions(void *motions, uint32_t clip, double time_s, ember_transform *pose)
{
    ember_motion *motion = (ember_motion *)motions + clip;
    return ember_motion_sample(motion, pose, motion->bone_count, time_s);
}

ember_status ember_motion_matrices(const ember_motion *motion, ember_mat34 *out, const ember_transform *pose)
{
    if (motion->space == EMBER_SPACE_LOCAL) {
        ember_compose_job job = {.out = out,
                                 .pose = pose,
                                 .parents = motion->parents,
                                 .rig = motion->rig,
                                 .bone_count = motion->bone_count};
        if (motion->rig != NULL && motion->rig->bone_count != motion->bone_count)
            return EMBER_E_ARG;
        return ember_compose_run(&job);
    }
    ember_matrices_job job = {.out = out, .pose = pose, .bone_count = motion->bone_count};
    return ember_matrices_run(&job);
}
