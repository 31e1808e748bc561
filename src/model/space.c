/* SPDX-License-Identifier: MIT */
/* Changing a clip's space, frame by frame through matrices. What a transform cannot hold, shear, is measured
   and left to the caller to say. */
#include "model/space.h"
#include "base/fail.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "model/note.h"
#include "model/place.h"

/* q and -q turn alike; staying on the side of the frame before keeps interpolation the short way. */
static void space_keep_sign(ember_quat *q, const ember_quat *before)
{
    if (q->x * before->x + q->y * before->y + q->z * before->z + q->w * before->w < 0.0f)
        *q = (ember_quat){-q->x, -q->y, -q->z, -q->w};
}

static void space_note_shear(ember_space_losses *out, float shear, int32_t bone, uint32_t frame)
{
    if (shear > out->shear) {
        out->shear = shear;
        out->shear_bone = bone;
        out->shear_frame = frame;
    }
}

static ember_status space_to_model(ember_space_losses *out, ember_transform *frames, const ember_model *model,
                                   const ember_clip *clip, ember_arena *arena)
{
    ember_mat34 *matrices = EMBER_PUSH(arena, ember_mat34, clip->bone_count);
    if (matrices == NULL)
        return EMBER_E_NOMEM;
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        ember_status status = ember_clip_matrices(matrices, model, clip, f);
        if (status != EMBER_OK)
            return status;
        for (uint32_t b = 0; b < clip->bone_count; b++)
            space_note_shear(out,
                             ember_mat34_decompose(&frames[(size_t)f * clip->bone_count + b], &matrices[b]),
                             (int32_t)ember_clip_bone(clip, b), f);
    }
    return EMBER_OK;
}

typedef struct space_scratch {
    ember_mat34     *model; /* one per bone of the skeleton */
    ember_mat34     *rest;  /* the same in local space; bones that the clip does not move stay there */
    ember_transform *local;
    uint32_t        *slot; /* the clip's bone plus one, 0 where the clip has none */
} space_scratch;

static bool space_scratch_make(space_scratch *scratch, const ember_skeleton *skeleton, const ember_clip *clip,
                               ember_arena *arena)
{
    scratch->model = EMBER_PUSH(arena, ember_mat34, skeleton->bone_count);
    scratch->rest = EMBER_PUSH(arena, ember_mat34, skeleton->bone_count);
    scratch->local = EMBER_PUSH(arena, ember_transform, skeleton->bone_count);
    scratch->slot = EMBER_PUSH(arena, uint32_t, skeleton->bone_count);
    if (scratch->model == NULL || scratch->rest == NULL || scratch->local == NULL || scratch->slot == NULL)
        return false;
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const ember_transform *rest = skeleton->rest != NULL ? &skeleton->rest[i] : &ember_transform_identity;
        scratch->rest[i] = ember_mat34_from_transform(rest);
    }
    for (uint32_t b = 0; b < clip->bone_count; b++)
        scratch->slot[ember_clip_bone(clip, b)] = b + 1;
    return true;
}

static void space_fill_model(ember_space_losses *out, const space_scratch *scratch,
                             const ember_skeleton *skeleton, const ember_transform *frame, uint32_t f)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        int16_t     parent = skeleton->parents[i];
        ember_mat34 inverse;
        if (scratch->slot[i] != 0)
            scratch->model[i] = ember_mat34_from_transform(&frame[scratch->slot[i] - 1]);
        else if (parent >= 0)
            scratch->model[i] = ember_mat34_mul(&scratch->model[parent], &scratch->rest[i]);
        else
            scratch->model[i] = scratch->rest[i];
        if (scratch->slot[i] != 0 && parent >= 0 && !ember_mat34_inverse(&inverse, &scratch->model[parent])) {
            if (out->lost_count++ == 0) {
                out->lost_bone = i;
                out->lost_frame = f;
            }
        }
    }
}

static ember_status space_to_local(ember_space_losses *out, ember_transform *frames,
                                   const ember_skeleton *skeleton, const ember_clip *clip, ember_arena *arena)
{
    space_scratch scratch;
    if (!space_scratch_make(&scratch, skeleton, clip, arena))
        return EMBER_E_NOMEM;
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        size_t start = (size_t)f * clip->bone_count;
        float  shear = 0.0f;
        space_fill_model(out, &scratch, skeleton, &clip->frames[start], f);
        ember_decompose_job job = {scratch.local, scratch.model,        skeleton->parents,
                                   &shear,        skeleton->bone_count, NULL};
        ember_status        status = ember_decompose_run(&job);
        if (status != EMBER_OK)
            return status;
        for (uint32_t b = 0; b < clip->bone_count; b++)
            frames[start + b] = scratch.local[ember_clip_bone(clip, b)];
        space_note_shear(out, shear, -1, f);
    }
    return EMBER_OK;
}

/* The clip's number, where it is one of the model's. */
static int32_t space_index_of(const ember_model *model, const ember_clip *clip)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (&model->clips[i] == clip)
            return (int32_t)i;
    return -1;
}

static emberi_place space_place(const ember_model *model, const ember_clip *clip)
{
    emberi_place where = emberi_place_clip(clip, 0);
    where.clip = space_index_of(model, clip);
    return where;
}

static bool space_finite(const float *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!emberi_is_finite(numbers[i]))
            return false;
    return true;
}

/* A copy of the frames with unit rotations. Numbers that are not finite, or a rotation of length 0, would
   spoil a bone and all that hangs on it in silence: an error that says where. */
static const ember_transform *space_tidy(const ember_model *model, const ember_clip *clip, ember_arena *arena,
                                         ember_error *err)
{
    size_t           count = (size_t)clip->frame_count * clip->bone_count;
    ember_transform *tidy = EMBER_PUSH(arena, ember_transform, count);
    if (tidy == NULL) {
        emberi_fail_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        ember_transform t = clip->frames[i];
        const float     numbers[10] = {t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w, t.position.x,
                                       t.position.y, t.position.z, t.scale.x,    t.scale.y,    t.scale.z};
        bool            finite = space_finite(numbers, 10);
        if (!finite ||
            (t.rotation.x == 0.0f && t.rotation.y == 0.0f && t.rotation.z == 0.0f && t.rotation.w == 0.0f)) {
            emberi_place where = emberi_place_frame(&model->skeleton, clip, 0,
                                                    (uint32_t)(i % clip->bone_count), i / clip->bone_count);
            where.clip = space_index_of(model, clip);
            emberi_fail_at(err, EMBER_E_RANGE, where,
                           finite ? "the rotation is zero, which has no direction"
                                  : "a number is not finite, it cannot change its space");
            return NULL;
        }
        tidy[i] = ember_transform_with_unit_rotation(&t);
    }
    return tidy;
}

static ember_status space_change(ember_clip *out, ember_space_losses *losses, const ember_model *model,
                                 const ember_clip *clip, ember_space space, ember_arena *arena,
                                 ember_error *err)
{
    ember_clip tidy = *clip;
    tidy.frames = space_tidy(model, clip, arena, err);
    if (tidy.frames == NULL)
        return err->status;
    ember_transform *frames =
        EMBER_PUSH(arena, ember_transform, (size_t)clip->frame_count * clip->bone_count);
    ember_status status = EMBER_E_NOMEM;
    if (frames != NULL && space == EMBER_SPACE_MODEL)
        status = space_to_model(losses, frames, model, &tidy, arena);
    else if (frames != NULL)
        status = space_to_local(losses, frames, &model->skeleton, &tidy, arena);
    if (status != EMBER_OK)
        return emberi_fail_at(err, status, space_place(model, clip), "%s", ember_status_name(status));

    for (uint32_t f = 1; f < clip->frame_count; f++)
        for (uint32_t b = 0; b < clip->bone_count; b++) {
            size_t at = (size_t)f * clip->bone_count + b;
            space_keep_sign(&frames[at].rotation, &frames[at - clip->bone_count].rotation);
        }
    out->space = space;
    out->frames = frames;
    /* it described the frames as they were */
    out->raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    return EMBER_OK;
}

ember_status ember_clip_to_space(ember_clip *out, ember_space_losses *losses, const ember_model *model,
                                 const ember_clip *clip, ember_space space, ember_arena *arena,
                                 ember_error *err)
{
    ember_error        local = EMBER_ERROR_INIT;
    ember_space_losses lost = {.shear_bone = -1};
    ember_clip         made = *clip;
    ember_status       status = EMBER_OK;
    if (space != clip->space && space != EMBER_SPACE_UNSTATED) {
        /* Files without a skeleton give every bone no parent; composing that would change nothing and be
           wrong in silence. */
        if (model->skeleton.bone_count > 1 && !ember_skeleton_is_known(&model->skeleton))
            status = emberi_fail_at(&local, EMBER_E_UNSUPPORTED, space_place(model, clip),
                                    "changing between local and model space needs the bones' parents: "
                                    "name a skeleton that has them");
        else
            status = space_change(&made, &lost, model, clip, space, arena, &local);
    }
    if (losses != NULL)
        *losses = lost;
    if (status == EMBER_OK)
        *out = made;
    else if (err != NULL && err->status == EMBER_OK)
        *err = local;
    return status;
}

void emberi_note_space_losses(const ember_notes *notes, const ember_model *model, const ember_clip *clip,
                              const ember_space_losses *losses)
{
    const ember_skeleton *skeleton = &model->skeleton;
    if (losses->shear > EMBER_SHEAR_LIMIT)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name,
                     losses->shear_bone >= 0 ? ember_skeleton_name(skeleton, (uint32_t)losses->shear_bone)
                                             : NULL,
                     "in %s space there is shear of %.1f %% (frame %u), which is left out",
                     clip->space == EMBER_SPACE_MODEL ? "model" : "local", (double)losses->shear * 100.0,
                     (unsigned)losses->shear_frame);
    if (losses->lost_count != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, ember_skeleton_name(skeleton, losses->lost_bone),
                     "lost because the parent's scale is zero (frame %u, %llu times in all)",
                     (unsigned)losses->lost_frame, (unsigned long long)losses->lost_count);
}

/* ---- single poses ---- */

static bool space_is_plain(const ember_transform *pose, uint32_t bone_count)
{
    for (uint32_t i = 0; i < bone_count; i++)
        if (!(pose[i].scale.x > 0.0f) || pose[i].scale.x != pose[i].scale.y ||
            pose[i].scale.x != pose[i].scale.z)
            return false;
    return true;
}

void emberi_pose_to_model(ember_transform *pose, const int16_t *parents, uint32_t bone_count)
{
    ember_mat34 matrices[EMBER_MAX_BONES];
    if (space_is_plain(pose, bone_count)) {
        for (uint32_t i = 0; i < bone_count; i++)
            if (parents[i] >= 0)
                pose[i] = ember_transform_mul(&pose[parents[i]], &pose[i]);
        return;
    }
    ember_compose_job job = {.out = matrices, .pose = pose, .parents = parents, .bone_count = bone_count};
    (void)ember_compose_run(&job); /* its rules are the caller's duties */
    for (uint32_t i = 0; i < bone_count; i++)
        (void)ember_mat34_decompose(&pose[i], &matrices[i]);
}
