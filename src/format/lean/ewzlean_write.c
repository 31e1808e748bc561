/* SPDX-License-Identifier: MIT */
/* Writing files of lean clips: one rig for all clips of the model, each clip within the error that
   the options ask for. What the encoder reached is stored with the clip; a bound that cannot be kept
   is a warning. */
#include <string.h>

#include "base/maths.h"
#include "ember/format_options.h"
#include "format/lean/ewzlean.h"
#include "model/compare.h"

/* What all clips of a file share on the way. */
typedef struct ewzlean_writer {
    const ember_model         *model;
    const ember_write_options *options;
    ember_buffer              *out;
    const ember_transform    **frames; /* of each clip, all bones of the skeleton in each frame */
    ember_lean_rig             rig;
    float                      bound;
    ember_arena                arena;
    ember_error               *err;
} ewzlean_writer;

/* ---- checks ---- */

static ember_status ewzlean_check_name(const char *name, emberi_place place, ember_error *err)
{
    if (name != NULL && strlen(name) > UINT16_MAX)
        return emberi_fail_at(err, EMBER_E_LIMIT, place, "a name has %zu bytes, at most 65535 are possible",
                              strlen(name));
    return EMBER_OK;
}

static ember_status ewzlean_check_clip(const ember_clip *clip, uint32_t index, ember_error *err)
{
    const emberi_place place = emberi_place_clip(clip, index);
    EMBERI_TRY(ewzlean_check_name(clip->name, place, err));
    if (clip->frame_count == 0 || clip->frame_count > EMBER_MAX_FRAMES)
        return emberi_fail_at(err, EMBER_E_LIMIT, place, "%u frames, must be 1 to %u",
                              (unsigned)clip->frame_count, EMBER_MAX_FRAMES);
    if (clip->marker_count > UINT16_MAX)
        return emberi_fail_at(err, EMBER_E_LIMIT, place, "%u markers, at most 65535 are possible",
                              (unsigned)clip->marker_count);
    for (uint32_t i = 0; i < clip->marker_count; i++)
        EMBERI_TRY(ewzlean_check_name(clip->markers[i].name, place, err));
    return EMBER_OK;
}

static ember_status ewzlean_check_rest(const ember_skeleton *skeleton, uint32_t bone, ember_error *err)
{
    const ember_quat *q = &skeleton->rest[bone].rotation;
    float             v[10];
    memcpy(v, &skeleton->rest[bone], sizeof(v));
    for (size_t k = 0; k < 10; k++)
        if (!emberi_is_finite(v[k]))
            return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_bone(skeleton, bone),
                                  "the rest transform is not finite");
    if (q->x == 0.0f && q->y == 0.0f && q->z == 0.0f && q->w == 0.0f)
        return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_bone(skeleton, bone),
                              "the rest transform has no rotation");
    return EMBER_OK;
}

static ember_status ewzlean_check(const ember_model *model, ember_error *err)
{
    const ember_skeleton *skeleton = &model->skeleton;
    if (skeleton->bone_count == 0 || skeleton->bone_count > EMBER_MAX_BONES)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%u bones, must be 1 to %u",
                            (unsigned)skeleton->bone_count, EMBER_MAX_BONES);
    if (model->clip_count == 0 || model->clip_count > UINT16_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%u clips, must be 1 to 65535",
                            (unsigned)model->clip_count);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        EMBERI_TRY(ewzlean_check_name(ember_skeleton_name(skeleton, i), emberi_place_bone(skeleton, i), err));
        if (skeleton->rest != NULL)
            EMBERI_TRY(ewzlean_check_rest(skeleton, i, err));
    }
    for (uint32_t i = 0; i < model->clip_count; i++)
        EMBERI_TRY(ewzlean_check_clip(&model->clips[i], i, err));
    return EMBER_OK;
}

/* ---- the parts before the clips ---- */

static uint8_t *ewzlean_grow(ewzlean_writer *w, size_t size)
{
    uint8_t *room = ember_buffer_grow(w->out, size);
    if (room == NULL)
        (void)emberi_fail_memory(w->err);
    return room;
}

/* A size of two bytes, then the text. */
static ember_status ewzlean_put_name(ewzlean_writer *w, const char *name)
{
    const size_t size = name != NULL ? strlen(name) : 0;
    uint8_t     *room = ewzlean_grow(w, 2 + size);
    if (room == NULL)
        return EMBER_E_NOMEM;
    emberi_put_u16(room, (uint16_t)size);
    if (size != 0)
        memcpy(room + 2, name, size);
    return EMBER_OK;
}

static ember_status ewzlean_put_rest(ewzlean_writer *w)
{
    const ember_skeleton *skeleton = &w->model->skeleton;
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const ember_transform *t = &skeleton->rest[i];
        float                  v[10];
        uint8_t               *room = ewzlean_grow(w, EWZLEAN_TRANSFORM_SIZE);
        if (room == NULL)
            return EMBER_E_NOMEM;
        memcpy(v, t, sizeof(v));
        for (size_t k = 0; k < 10; k++)
            emberi_put_u32(room + k * 4, emberi_bits_of(v[k]));
    }
    return EMBER_OK;
}

static ember_status ewzlean_put_skeleton(ewzlean_writer *w)
{
    const ember_skeleton *skeleton = &w->model->skeleton;
    const uint32_t        bones = skeleton->bone_count;
    uint8_t              *header = ewzlean_grow(w, EWZLEAN_HEADER_SIZE + (size_t)bones * 2);
    if (header == NULL)
        return EMBER_E_NOMEM;
    memcpy(header, EWZLEAN_MAGIC, 4);
    emberi_put_u16(header + 4, EWZLEAN_VERSION);
    emberi_put_u16(header + 6, (uint16_t)((skeleton->rest != NULL ? EWZLEAN_HAS_REST : 0u) |
                                          (skeleton->names != NULL ? EWZLEAN_HAS_NAMES : 0u)));
    emberi_put_u16(header + 8, (uint16_t)bones);
    emberi_put_u16(header + 10, (uint16_t)w->model->clip_count);
    emberi_put_u32(header + 12, (uint32_t)w->rig.size);
    for (uint32_t i = 0; i < bones; i++)
        emberi_put_u16(header + EWZLEAN_HEADER_SIZE + (size_t)i * 2,
                       skeleton->parents[i] < 0 ? 0xffffu : (uint16_t)skeleton->parents[i]);
    if (skeleton->rest != NULL)
        EMBERI_TRY(ewzlean_put_rest(w));
    for (uint32_t i = 0; skeleton->names != NULL && i < bones; i++)
        EMBERI_TRY(ewzlean_put_name(w, skeleton->names[i]));
    uint8_t *rig = ewzlean_grow(w, w->rig.size);
    if (rig == NULL)
        return EMBER_E_NOMEM;
    memcpy(rig, w->rig.data, w->rig.size);
    return EMBER_OK;
}

/* ---- frames, bound and rig ---- */

/* What the encoder has found in a clip, with the names of its place. */
static ember_status ewzlean_fail(const ewzlean_writer *w, ember_status status, const ember_error *failed,
                                 uint32_t index)
{
    const ember_model *model = w->model;
    emberi_place       place = EMBERI_PLACE_INIT;
    if (index < model->clip_count)
        place = failed->bone >= 0 ? emberi_place_clip_bone(&model->skeleton, &model->clips[index], index,
                                                           (size_t)failed->bone)
                                  : emberi_place_clip(&model->clips[index], index);
    place.frame = failed->frame;
    return emberi_fail_at(w->err, status, place, "%s", failed->text);
}

/* The clip's frames with all bones: those that it does not move keep their rest. */
static ember_status ewzlean_frames(const ember_transform **out, ewzlean_writer *w, const ember_clip *clip)
{
    const ember_skeleton *skeleton = &w->model->skeleton;
    const uint32_t        bones = skeleton->bone_count;
    *out = clip->frames;
    if (clip->bones == NULL && clip->bone_count == bones)
        return EMBER_OK;
    ember_transform *frames = EMBER_PUSH(&w->arena, ember_transform, (size_t)clip->frame_count * bones);
    if (frames == NULL)
        return emberi_fail_memory(w->err);
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        ember_transform *pose = frames + (size_t)f * bones;
        for (uint32_t i = 0; i < bones; i++)
            pose[i] = skeleton->rest != NULL ? skeleton->rest[i] : ember_transform_identity;
        for (uint32_t i = 0; i < clip->bone_count; i++)
            pose[ember_clip_bone(clip, i)] = clip->frames[(size_t)f * clip->bone_count + i];
    }
    *out = frames;
    return EMBER_OK;
}

/* The model's size: the largest box around its bones and meshes in the first frame of a clip. A clip that
   travels does not make the model larger. */
static ember_status ewzlean_size(float *out, ewzlean_writer *w)
{
    *out = 0.0f;
    for (uint32_t i = 0; i < w->model->clip_count; i++) {
        ember_clip first = w->model->clips[i];
        float      size = 0.0f;
        first.frame_count = 1;
        if (emberi_clip_size(&size, w->model, &first, &w->arena) == EMBER_E_NOMEM)
            return emberi_fail_memory(w->err);
        if (emberi_is_finite(size) && size > *out)
            *out = size;
    }
    return EMBER_OK;
}

static ember_status ewzlean_make_rig(ewzlean_writer *w, float shell)
{
    const ember_model *model = w->model;
    const size_t       room = ember_lean_rig_bound(model->skeleton.bone_count);
    uint8_t           *memory = EMBER_PUSH(&w->arena, uint8_t, room);
    uint32_t          *counts = EMBER_PUSH(&w->arena, uint32_t, model->clip_count);
    w->frames = EMBER_PUSH(&w->arena, const ember_transform *, model->clip_count);
    if (memory == NULL || counts == NULL || w->frames == NULL)
        return emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < model->clip_count; i++) {
        counts[i] = model->clips[i].frame_count;
        EMBERI_TRY(ewzlean_frames(&w->frames[i], w, &model->clips[i]));
    }
    ember_lean_rig_job job = {.out = memory,
                              .out_capacity = room,
                              .clips = w->frames,
                              .frame_counts = counts,
                              .clip_count = model->clip_count,
                              .rest = model->skeleton.rest,
                              .bone_count = model->skeleton.bone_count,
                              .shell = shell};
    ember_error        failed = EMBER_ERROR_INIT;
    ember_status       status = ember_lean_rig_make(&job, &w->arena, &failed);
    if (status != EMBER_OK)
        return ewzlean_fail(w, status, &failed, (uint32_t)failed.clip);
    return ember_lean_rig_open(&w->rig, memory, job.out_size, w->err);
}

/* ---- clips ---- */

static ember_status ewzlean_put_head(ewzlean_writer *w, const ember_clip *clip)
{
    uint64_t fps;
    memcpy(&fps, &clip->fps, sizeof(fps));
    EMBERI_TRY(ewzlean_put_name(w, clip->name));
    uint8_t *head = ewzlean_grow(w, 12);
    if (head == NULL)
        return EMBER_E_NOMEM;
    emberi_put_u64(head, fps);
    emberi_put_u16(head + 8, clip->loop ? EWZLEAN_LOOPS : 0u);
    emberi_put_u16(head + 10, (uint16_t)clip->marker_count);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        uint8_t *frame = ewzlean_grow(w, 4);
        if (frame == NULL)
            return EMBER_E_NOMEM;
        emberi_put_u32(frame, clip->markers[i].frame);
        EMBERI_TRY(ewzlean_put_name(w, clip->markers[i].name));
    }
    return EMBER_OK;
}

/* What the encoder says of a clip that it could not keep within the bound. */
static void ewzlean_note_bound(const ewzlean_writer *w, const ember_clip *clip, const ember_lean_job *job)
{
    emberi_notef(&w->options->notes, EMBER_NOTE_WARNING, clip->name,
                 ember_skeleton_name(&w->model->skeleton, job->worst_bone),
                 "the error is up to %g in frame %u, %g was asked for", (double)job->error,
                 (unsigned)job->worst_frame, (double)w->bound);
}

static ember_status ewzlean_put_clip(ewzlean_writer *w, uint32_t index)
{
    const ember_clip *clip = &w->model->clips[index];
    const size_t      room = ember_lean_bound(w->rig.bone_count, clip->frame_count);
    uint8_t          *memory = EMBER_PUSH(&w->arena, uint8_t, room);
    if (memory == NULL)
        return emberi_fail_memory(w->err);
    ember_lean_job job = {.out = memory,
                          .out_capacity = room,
                          .frames = w->frames[index],
                          .frame_count = clip->frame_count,
                          .parents = w->model->skeleton.parents,
                          .rig = &w->rig,
                          .max_error = w->bound};
    ember_error    failed = EMBER_ERROR_INIT;
    ember_status   status = ember_lean_encode(&job, &w->arena, &failed);
    if (status == EMBER_E_RANGE && job.out_size != 0)
        ewzlean_note_bound(w, clip, &job);
    else if (status != EMBER_OK)
        return ewzlean_fail(w, status, &failed, index);
    EMBERI_TRY(ewzlean_put_head(w, clip));
    uint8_t *body = ewzlean_grow(w, 4 + job.out_size);
    if (body == NULL)
        return EMBER_E_NOMEM;
    emberi_put_u32(body, (uint32_t)job.out_size);
    memcpy(body + 4, memory, job.out_size);
    emberi_note_losses(&w->options->notes, w->model, clip, emberi_ewzlean_ops.info.stores);
    return EMBER_OK;
}

static ember_status ewzlean_write_all(ewzlean_writer *w)
{
    const ember_ewzlean_options *asked = w->options->ewzlean;
    float                        size = 0.0f;
    EMBERI_TRY(ewzlean_size(&size, w));
    const double share = asked != NULL && asked->error > 0.0 ? asked->error : EMBER_LEAN_DEFAULT_SHARE;
    const bool   absolute = asked != NULL && asked->error > 0.0 && !asked->relative;
    w->bound = (float)(absolute ? share : share * (size > 0.0f ? (double)size : 1.0));
    if (!(w->bound > 0.0f) || !emberi_is_finite(w->bound))
        return emberi_failf(w->err, EMBER_E_ARG, EMBER_NO_OFFSET, "an error of %g is not possible",
                            asked != NULL ? asked->error : 0.0);
    EMBERI_TRY(ewzlean_make_rig(w, emberi_shell_of(size)));
    EMBERI_TRY(ewzlean_put_skeleton(w));
    for (uint32_t i = 0; i < w->model->clip_count; i++) {
        const ember_arena_mark mark = ember_arena_save(&w->arena);
        EMBERI_TRY(ewzlean_put_clip(w, i));
        ember_arena_restore(&w->arena, mark);
    }
    return EMBER_OK;
}

ember_status emberi_ewzlean_write(ember_buffer *out, const ember_model *model,
                                  const ember_write_options *options, ember_error *err)
{
    EMBERI_TRY(ewzlean_check(model, err));
    ewzlean_writer w = {.model = model,
                        .options = options,
                        .out = out,
                        .arena = ember_arena_growing(ember_heap(), SIZE_MAX),
                        .err = err};
    ember_status   status = ewzlean_write_all(&w);
    ember_arena_free(&w.arena);
    return status;
}
