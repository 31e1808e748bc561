/* SPDX-License-Identifier: MIT */
/* How a local clip is rounded. Rounding each value by itself leaves every bone to inherit the errors of all
   bones above it; here a bone's transform is chosen so that it ends up, behind the rounded parents, as near
   as it can to where the source has it. */
#include "format/keyframes/fit.h"

#include <string.h>

#include "base/bytes.h"
#include "codec/quat32.h"
#include "ember/pose.h"
#include "model/compare.h"

/* Codes beside the nearest are only looked at for bones that are nearly as far off as the worst so far: the
   others do not show, and looking takes fifty times as long as rounding. */
#define FIT_WORTH_A_SEARCH 0.8
#define FIT_FAR_OFF 0.015 /* of the shell, which is a sixtieth of the model: 0.025 % of its size */
#define FIT_ROUNDS 3

bool emberi_fit_make(emberi_fit *fit, ember_arena *arena, const ember_model *model, const ember_clip *clip,
                     ember_record record)
{
    uint32_t count = model->skeleton.bone_count;
    memset(fit, 0, sizeof(*fit));
    fit->model = model;
    fit->clip = clip;
    fit->record = record;
    fit->source = EMBER_PUSH(arena, ember_transform, count);
    fit->wanted = EMBER_PUSH(arena, ember_mat34, count);
    fit->decoded = EMBER_PUSH(arena, ember_mat34, count);
    fit->exact = EMBER_PUSH(arena, bool, count);
    fit->slots = EMBER_PUSH(arena, int32_t, count);
    if (fit->source == NULL || fit->wanted == NULL || fit->decoded == NULL || fit->exact == NULL ||
        fit->slots == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        fit->source[i] = model->skeleton.rest != NULL ? model->skeleton.rest[i] : ember_transform_identity;
        fit->slots[i] = -1;
    }
    for (uint32_t i = 0; i < clip->bone_count; i++)
        fit->slots[ember_clip_bone(clip, i)] = (int32_t)i;
    float        size = 0.0f;
    ember_status status = emberi_clip_size(&size, model, clip, arena);
    fit->shell = (double)emberi_shell_of(size);
    return status != EMBER_E_NOMEM;
}

static float fit_sign(float scale) { return scale < 0.0f ? -1.0f : 1.0f; }

/* The local transform that takes the decoded parent to the wanted place. A mirrored bone keeps its signs in
   the axes where the source has them: the same rotation with other signs would be as right, but not beside
   the next frame's. */
static ember_transform fit_target(const ember_transform *source, const ember_mat34 *parent,
                                  const ember_mat34 *wanted)
{
    ember_mat34 back, local;
    if (!ember_mat34_inverse(&back, parent))
        return *source;
    local = ember_mat34_mul(&back, wanted);
    const float signs[3] = {fit_sign(source->scale.x), fit_sign(source->scale.y), fit_sign(source->scale.z)};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            local.m[row * 4 + column] *= signs[column];
    ember_transform target;
    ember_mat34_decompose(&target, &local);
    target.scale.x *= signs[0];
    target.scale.y *= signs[1];
    target.scale.z *= signs[2];
    return target;
}

/* ---- codes beside the nearest ---- */

/* A record for one bone, what it decodes to, and how far off the bone is then. */
typedef struct fit_choice {
    uint8_t         record[EMBER_KEYFRAME_SIZE];
    ember_transform decoded;
    ember_mat34     world;
    double          error;
} fit_choice;

static void fit_judge(fit_choice *choice, const emberi_fit *fit, uint32_t bone)
{
    int16_t     parent = fit->model->skeleton.parents[bone];
    ember_mat34 local;
    choice->decoded = ember_record_decode(choice->record, fit->record, NULL);
    local = ember_mat34_from_transform(&choice->decoded);
    choice->world = parent == EMBER_NO_PARENT ? local : ember_mat34_mul(&fit->decoded[parent], &local);
    choice->error = emberi_displacement(&fit->wanted[bone], &choice->world, fit->shell);
}

/* One of the three codes of a rotation, some steps up or down; false at the end of its range. */
static bool fit_step_rotation(uint8_t *record, int which, int step)
{
    unsigned shift = 2u + 10u * (unsigned)which;
    uint32_t packed = emberi_get_u32(record), code = packed >> shift & 1023u;
    if ((int)code + step < 0 || (int)code + step > 1023)
        return false;
    emberi_put_u32(record, (packed & ~(UINT32_C(1023) << shift)) | (uint32_t)((int)code + step) << shift);
    return true;
}

/* The half float of a position's axis, to the next one up or down; false where that is infinite. */
static bool fit_step_position(uint8_t *record, int axis, int step)
{
    uint8_t *half = record + 4 + 2 * axis;
    int      bits = emberi_get_u16(half), order = (bits & 0x8000) != 0 ? -(bits & 0x7fff) : bits;
    order += step;
    if (order <= -0x7c00 || order >= 0x7c00)
        return false;
    emberi_put_u16(half, (uint16_t)(order < 0 ? 0x8000 | -order : order));
    return true;
}

/* All neighbours of the best choice in the three codes of its rotation or its position. */
static bool fit_search(fit_choice *best, const emberi_fit *fit, uint32_t bone,
                       bool (*step)(uint8_t *, int, int))
{
    fit_choice start = *best;
    for (int i = 0; i < 27; i++) {
        const int  steps[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        fit_choice trial = start;
        bool       there = true;
        for (int k = 0; there && k < 3; k++)
            there = steps[k] == 0 || step(trial.record, k, steps[k]);
        if (!there)
            continue;
        fit_judge(&trial, fit, bone);
        if (trial.error < best->error)
            *best = trial;
    }
    return best->error < start.error;
}

/* Every rotation up to two steps away with every neighbour of the position: what is left where one after the
   other ends in a dead end. */
static void fit_search_pairs(fit_choice *best, const emberi_fit *fit, uint32_t bone)
{
    const fit_choice start = *best;
    for (int i = 0; i < 125; i++) {
        const int  steps[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
        fit_choice trial = start;
        bool       there = true;
        for (int k = 0; there && k < 3; k++)
            there = steps[k] == 0 || fit_step_rotation(trial.record, k, steps[k]);
        if (!there)
            continue;
        fit_judge(&trial, fit, bone);
        fit_search(&trial, fit, bone, fit_step_position);
        if (trial.error < best->error)
            *best = trial;
    }
}

/* Position and rotation are rounded together: an error of one may make up for the other's where the points
   are that are measured. */
static void fit_refine(fit_choice *choice, emberi_fit *fit, uint32_t bone)
{
    bool better = choice->error > fit->worst * FIT_WORTH_A_SEARCH;
    for (int round = 0; better && round < FIT_ROUNDS; round++) {
        better = fit_search(choice, fit, bone, fit_step_rotation);
        better = fit_search(choice, fit, bone, fit_step_position) || better;
    }
    /* The clip's error is that of its worst bone and frame, so only those that would be it, and that are far
       off, are worth 3375 trials. */
    if (choice->error > fit->worst && choice->error > fit->shell * FIT_FAR_OFF)
        fit_search_pairs(choice, fit, bone);
    if (choice->error > fit->worst && choice->error < 1e30)
        fit->worst = choice->error;
}

/* One bone that the clip moves; its parent is done. */
static ember_status fit_bone(uint8_t *record, emberi_fit *fit, uint32_t bone)
{
    int16_t                parent = fit->model->skeleton.parents[bone];
    const ember_transform *source = &fit->source[bone];
    bool                   parent_exact = parent == EMBER_NO_PARENT || fit->exact[parent];
    ember_transform        target =
        parent_exact ? *source : fit_target(source, &fit->decoded[parent], &fit->wanted[bone]);
    fit_choice   choice;
    ember_status status = ember_record_encode(choice.record, fit->record, &target);
    if (status != EMBER_OK)
        return status;
    ember_quat rotation = ember_record_decode(choice.record, fit->record, NULL).rotation;
    uint32_t   nearest;
    if (memcmp(&rotation, &target.rotation, sizeof(rotation)) != 0 &&
        emberi_quat32_encode_nearest(&nearest, target.rotation, emberi_record_is_draft(fit->record)) ==
            EMBER_OK)
        emberi_put_u32(choice.record, nearest);
    fit_judge(&choice, fit, bone);
    bool stored = memcmp(&choice.decoded, &target, sizeof(target)) == 0;
    if (!stored)
        fit_refine(&choice, fit, bone);
    memcpy(record, choice.record, sizeof(choice.record));
    fit->decoded[bone] = choice.world;
    fit->exact[bone] = parent_exact && stored;
    return EMBER_OK;
}

ember_status emberi_fit_frame(uint8_t *records, uint32_t *bad_bone, emberi_fit *fit, uint32_t frame)
{
    const ember_skeleton  *skeleton = &fit->model->skeleton;
    const ember_transform *pose = fit->clip->frames + (size_t)frame * fit->clip->bone_count;
    for (uint32_t i = 0; i < fit->clip->bone_count; i++) {
        const ember_quat q = pose[i].rotation;
        if (q.x == 0.0f && q.y == 0.0f && q.z == 0.0f && q.w == 0.0f) {
            *bad_bone = i; /* made to unit length it would become identity */
            return EMBER_E_RANGE;
        }
        fit->source[ember_clip_bone(fit->clip, i)] = ember_transform_with_unit_rotation(&pose[i]);
    }

    for (uint32_t bone = 0; bone < skeleton->bone_count; bone++) {
        int16_t     parent = skeleton->parents[bone];
        ember_mat34 local = ember_mat34_from_transform(&fit->source[bone]);
        fit->wanted[bone] = parent == EMBER_NO_PARENT ? local : ember_mat34_mul(&fit->wanted[parent], &local);
        /* not stored, so nothing is lost here; but what the parent lost stays lost */
        if (fit->slots[bone] < 0) {
            fit->decoded[bone] =
                parent == EMBER_NO_PARENT ? local : ember_mat34_mul(&fit->decoded[parent], &local);
            fit->exact[bone] = parent == EMBER_NO_PARENT || fit->exact[parent];
            continue;
        }
        uint32_t     slot = (uint32_t)fit->slots[bone];
        ember_status status = fit_bone(records + (size_t)slot * EMBER_KEYFRAME_SIZE, fit, bone);
        if (status != EMBER_OK) {
            *bad_bone = slot;
            return status;
        }
    }
    return EMBER_OK;
}
