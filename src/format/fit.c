/* How a local clip is rounded. Rounding each value by itself leaves every bone to inherit the errors of all bones above it; here
   a bone's transform is chosen so that it ends up, behind the rounded parents, as near as it can to where the source has it. */
#include "format/fit.h"

#include <string.h>

#include "base/bytes.h"
#include "ember/pose.h"
#include "format/clip_matrices.h"

bool emberi_fit_make(emberi_fit *fit, ember_arena *arena, const ember_model *model, const ember_clip *clip)
{
    static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    uint32_t                     count = model->skeleton.bone_count;
    memset(fit, 0, sizeof(*fit));
    fit->model = model;
    fit->clip = clip;
    fit->source = EMBER_PUSH(arena, ember_transform, count);
    fit->wanted = EMBER_PUSH(arena, ember_mat34, count);
    fit->decoded = EMBER_PUSH(arena, ember_mat34, count);
    fit->exact = EMBER_PUSH(arena, bool, count);
    fit->slots = EMBER_PUSH(arena, int32_t, count);
    if (fit->source == NULL || fit->wanted == NULL || fit->decoded == NULL || fit->exact == NULL || fit->slots == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        fit->source[i] = model->skeleton.rest != NULL ? model->skeleton.rest[i] : identity;
        fit->slots[i] = -1;
    }
    for (uint32_t i = 0; i < clip->bone_count; i++)
        fit->slots[ember_clip_bone(clip, i)] = (int32_t)i;
    return true;
}

static float fit_sign(float scale)
{
    return scale < 0.0f ? -1.0f : 1.0f;
}

/* The local transform that takes the decoded parent to the wanted place. A mirrored bone keeps its signs in the axes where the
   source has them: the same rotation with other signs would be as right, but not beside the next frame's. */
static ember_transform fit_target(const ember_transform *source, const ember_mat34 *parent, const ember_mat34 *wanted)
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

/* One bone that the clip moves; its parent is done. */
static ember_status fit_bone(uint8_t *record, emberi_fit *fit, uint32_t bone)
{
    int16_t                parent = fit->model->skeleton.parents[bone];
    const ember_transform *source = &fit->source[bone];
    bool                   parent_exact = parent == EMBER_NO_PARENT || fit->exact[parent];
    ember_transform        target = parent_exact ? *source : fit_target(source, &fit->decoded[parent], &fit->wanted[bone]);
    ember_status           status = ember_record_encode(record, EMBER_RECORD_EWZ, &target);
    if (status != EMBER_OK)
        return status;
    ember_transform decoded = ember_record_decode(record, EMBER_RECORD_EWZ, NULL);
    uint32_t        nearest;
    if (memcmp(&decoded.rotation, &target.rotation, sizeof(target.rotation)) != 0 &&
        ember_quat32_encode_nearest(&nearest, target.rotation) == EMBER_OK) {
        emberi_put_u32(record, nearest);
        decoded.rotation = ember_quat32_decode(nearest);
    }
    ember_mat34     local = ember_mat34_from_transform(&decoded);
    fit->decoded[bone] = parent == EMBER_NO_PARENT ? local : ember_mat34_mul(&fit->decoded[parent], &local);
    fit->exact[bone] = parent_exact && memcmp(&decoded, source, sizeof(decoded)) == 0;
    return EMBER_OK;
}

ember_status emberi_fit_frame(uint8_t *records, uint32_t *bad_bone, emberi_fit *fit, uint32_t frame)
{
    const ember_skeleton  *skeleton = &fit->model->skeleton;
    const ember_transform *pose = fit->clip->frames + (size_t)frame * fit->clip->bone_count;
    for (uint32_t i = 0; i < fit->clip->bone_count; i++)
        fit->source[ember_clip_bone(fit->clip, i)] = emberi_with_unit_rotation(&pose[i]);

    for (uint32_t bone = 0; bone < skeleton->bone_count; bone++) {
        int16_t     parent = skeleton->parents[bone];
        ember_mat34 local = ember_mat34_from_transform(&fit->source[bone]);
        fit->wanted[bone] = parent == EMBER_NO_PARENT ? local : ember_mat34_mul(&fit->wanted[parent], &local);
        if (fit->slots[bone] < 0) { /* not stored, so nothing is lost here; but what the parent lost stays lost */
            fit->decoded[bone] = parent == EMBER_NO_PARENT ? local : ember_mat34_mul(&fit->decoded[parent], &local);
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
