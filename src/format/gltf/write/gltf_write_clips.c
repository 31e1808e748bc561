/* SPDX-License-Identifier: MIT */
/* Clips as glTF animations: every clip's bones brought to local space, each changing channel reduced to its
   keys. Numbers that are not finite are an error that says where. */
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/maths.h"
#include "base/sizes.h"
#include "format/gltf/write/gltf_write_parts.h"
#include "model/skeleton.h"

/* ---- transforms ---- */

/* A finite, non-zero rotation made unit length if it is not; false if it is neither. */
static bool clips_unit(float q[4])
{
    double exact[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    double square = emberi_real_quat_dot(exact, exact);
    /* What is of unit length but for rounding keeps its bits. */
    if (square > 1.0 - 1e-6 && square < 1.0 + 1e-6)
        return true;
    if (!emberi_real_quat_normalize(exact))
        return false;
    for (int i = 0; i < 4; i++)
        q[i] = (float)exact[i];
    return true;
}

static real_trs clips_trs(const ember_transform *t)
{
    real_trs trs = emberi_real_trs_from(t);
    if (!emberi_real_quat_normalize(trs.r))
        memcpy(trs.r, emberi_real_trs_identity.r, sizeof(trs.r));
    return trs;
}

static bool clips_finite(const ember_transform *t)
{
    float sum = t->rotation.x * 0.0f + t->rotation.y * 0.0f + t->rotation.z * 0.0f + t->rotation.w * 0.0f +
                t->position.x * 0.0f + t->position.y * 0.0f + t->position.z * 0.0f + t->scale.x * 0.0f +
                t->scale.y * 0.0f + t->scale.z * 0.0f;
    return sum == 0.0f;
}

/* ---- from model space to the parents' ---- */

typedef struct clips_local {
    real_mat *model;   /* of every bone, in this frame */
    real_mat *inverse; /* of bones that are parents */
    bool     *invertible;
    double    shear; /* the largest so far */
} clips_local;

static bool clips_local_make(clips_local *local, gltf_writer *writer)
{
    uint32_t count = writer->model->skeleton.bone_count;
    local->model = EMBER_PUSH(&writer->scratch, real_mat, count);
    local->inverse = EMBER_PUSH(&writer->scratch, real_mat, count);
    local->invertible = EMBER_PUSH(&writer->scratch, bool, count);
    local->shear = 0.0;
    return local->model != NULL && local->inverse != NULL && local->invertible != NULL;
}

/* One frame of a model-space clip: bones that it does not move rest on their parents. `slots` is the clip's
   bone of each of the skeleton's, or -1; `rest` may be NULL. Roots keep their very numbers. */
static void clips_local_frame(ember_transform *out, clips_local *local, const ember_skeleton *skeleton,
                              const ember_transform *frame, const int32_t *slots, const ember_transform *rest,
                              const ember_transform *before)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        int32_t  parent = skeleton->parents[i], slot = slots[i];
        real_trs own = emberi_real_trs_identity;
        if (slot >= 0)
            own = clips_trs(&frame[slot]);
        else if (rest != NULL)
            own = clips_trs(&rest[i]);
        local->model[i] = emberi_real_mat_from_trs(&own);
        if (slot < 0 && parent >= 0)
            local->model[i] = emberi_real_mat_mul(&local->model[parent], &local->model[i]);
        local->invertible[i] = emberi_real_mat_inverse(&local->inverse[i], &local->model[i]);
        if (slot < 0)
            continue;
        out[slot] = frame[slot];
        if (parent >= 0 && local->invertible[parent]) {
            real_mat from_parent = emberi_real_mat_mul(&local->inverse[parent], &local->model[i]);
            real_trs trs, like = before != NULL ? clips_trs(&before[slot]) : own;
            double   shear = emberi_real_mat_decompose(&trs, &from_parent, &like);
            local->shear = shear > local->shear ? shear : local->shear;
            out[slot] = emberi_real_trs_to_float(&trs);
        }
    }
}

static int32_t *clips_slots(gltf_writer *writer, const ember_clip *clip)
{
    uint32_t count = writer->model->skeleton.bone_count;
    int32_t *slots = EMBER_PUSH(&writer->scratch, int32_t, count);
    if (slots == NULL)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        slots[i] = -1;
    for (uint32_t i = 0; i < clip->bone_count; i++)
        slots[ember_clip_bone(clip, i)] = (int32_t)i;
    return slots;
}

/* The clip's frames in local space: its own, or a copy that was brought there. */
static ember_status clips_local_frames(gltf_writer *writer, const ember_clip *clip, uint32_t frame_count,
                                       const ember_transform *rest, const ember_transform **out)
{
    clips_local      local;
    ember_transform *frames = NULL;
    size_t           count;
    *out = clip->frames;
    if (clip->space == EMBER_SPACE_LOCAL)
        return EMBER_OK;
    int32_t *slots = clips_slots(writer, clip);
    if (emberi_mul_size(&count, frame_count, clip->bone_count))
        frames = EMBER_PUSH(&writer->scratch, ember_transform, count);
    if (slots == NULL || frames == NULL || !clips_local_make(&local, writer))
        return emberi_fail_memory(writer->err);
    for (uint32_t i = 0; i < frame_count; i++) {
        ember_transform *to = frames + (size_t)i * clip->bone_count;
        clips_local_frame(to, &local, &writer->model->skeleton, clip->frames + (size_t)i * clip->bone_count,
                          slots, rest, i != 0 ? to - clip->bone_count : NULL);
    }
    if (local.shear > 0.01)
        emberi_notef(&writer->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "under parents of uneven scale %.1f %% of shear are left out", local.shear * 100.0);
    *out = frames;
    return EMBER_OK;
}

/* ---- the rest pose ---- */

static const ember_clip *clips_first(const ember_model *model)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (model->clips[i].frame_count != 0 && model->clips[i].bone_count != 0)
            return &model->clips[i];
    return NULL;
}

static ember_status clips_rest_source(gltf_writer *writer)
{
    const ember_skeleton  *skeleton = &writer->model->skeleton;
    const ember_clip      *clip = clips_first(writer->model);
    const ember_transform *frame;
    if (skeleton->rest != NULL) {
        memcpy(writer->rest, skeleton->rest, skeleton->bone_count * sizeof(*writer->rest));
        return EMBER_OK;
    }
    if (skeleton->inverse_binds != NULL)
        return emberi_skeleton_rest_from_binds(writer->rest, skeleton, &writer->scratch)
                   ? EMBER_OK
                   : emberi_fail_memory(writer->err);
    if (clip == NULL)
        return EMBER_OK;
    ember_status status = clips_local_frames(writer, clip, 1, NULL, &frame);
    for (uint32_t i = 0; i < clip->bone_count && status == EMBER_OK; i++)
        writer->rest[ember_clip_bone(clip, i)] = frame[i];
    if (status == EMBER_OK)
        emberi_notef(&writer->options->notes, EMBER_NOTE_DETAIL, clip->name, NULL,
                     "no rest pose: its first frame is taken for it");
    return status;
}

ember_status emberi_gltfw_rest(gltf_writer *writer)
{
    const ember_skeleton *skeleton = &writer->model->skeleton;
    writer->rest = EMBER_PUSH(&writer->scratch, ember_transform, skeleton->bone_count);
    if (writer->rest == NULL)
        return emberi_fail_memory(writer->err);
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        writer->rest[i] = ember_transform_identity;
    ember_status status = clips_rest_source(writer);
    for (uint32_t i = 0; i < skeleton->bone_count && status == EMBER_OK; i++) {
        ember_transform *rest = &writer->rest[i];
        float            q[4] = {rest->rotation.x, rest->rotation.y, rest->rotation.z, rest->rotation.w};
        if (!clips_finite(rest) || !clips_unit(q))
            return emberi_fail_at(writer->err, EMBER_E_RANGE, emberi_place_bone(skeleton, i),
                                  "its rest is not finite, or its rotation zero");
        rest->rotation = (ember_quat){q[0], q[1], q[2], q[3]};
    }
    return status;
}

/* ---- channels ---- */

typedef struct clips_job {
    gltf_writer           *writer;
    const ember_clip      *clip;
    uint32_t               clip_index;
    const ember_transform *frames; /* local */
    float                 *times;  /* of every frame */
    float                 *some;   /* of the kept ones */
    float                 *packed; /* values of the kept ones */
    uint32_t              *kept;
    gltfw_track            track;
    bool                   whole; /* a channel has keys at both ends */
    /* the first channel of one key, put off until it is known how many it needs */
    uint32_t               still_bone;
    gltf_path              still_path;
} clips_job;

static void clips_value(float out[4], const ember_transform *t, gltf_path path)
{
    const float values[GLTF_PATH_COUNT][4] = {{t->position.x, t->position.y, t->position.z, 0.0f},
                                              {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w},
                                              {t->scale.x, t->scale.y, t->scale.z, 0.0f}};
    memcpy(out, values[path], sizeof(values[path]));
}

static ember_status clips_gather(clips_job *job, uint32_t bone, gltf_path path)
{
    job->track.path = path;
    for (uint32_t i = 0; i < job->clip->frame_count; i++) {
        float *value = job->track.values[i];
        clips_value(value, &job->frames[(size_t)i * job->clip->bone_count + bone], path);
        if (path != GLTF_ROTATION)
            continue;
        if (!clips_unit(value))
            return emberi_fail_at(job->writer->err, EMBER_E_RANGE,
                                  emberi_place_frame(&job->writer->model->skeleton, job->clip,
                                                     job->clip_index, bone, i),
                                  "the rotation is zero");
        const float *before = i != 0 ? job->track.values[i - 1] : value;
        if (value[0] * before[0] + value[1] * before[1] + value[2] * before[2] + value[3] * before[3] < 0.0f)
            for (int k = 0; k < 4; k++)
                value[k] = -value[k];
    }
    return EMBER_OK;
}

static bool clips_same_times(const gltf_writer *writer, const gltfw_times *known, const float *times,
                             size_t count)
{
    if (known->count != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (emberi_get_u32(writer->bin.data + known->offset + i * 4) != emberi_bits_of(times[i]))
            return false;
    return true;
}

/* An accessor over the times of the kept frames; the same times are stored once in the file. */
static ember_status clips_times(clips_job *job, uint32_t count, uint32_t *accessor)
{
    gltf_writer *writer = job->writer;
    for (uint32_t i = 0; i < count; i++)
        job->some[i] = job->times[job->kept[i]];
    size_t   at = writer->bin.size;
    uint64_t hash = emberi_hash(EMBERI_HASH_START, job->some, count * sizeof(float));
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->times, gltfw_times); i++) {
        const gltfw_times *known = GLTFW_AT(writer->times, gltfw_times, i);
        if (known->hash == hash && clips_same_times(writer, known, job->some, count)) {
            *accessor = known->accessor;
            return EMBER_OK;
        }
    }
    ember_status status =
        emberi_gltfw_floats(writer, writer->animation_view, job->some, count, 1, true, accessor);
    gltfw_times *record = GLTFW_ADD(&writer->times, gltfw_times);
    if (status == EMBER_OK && record == NULL)
        return emberi_fail_memory(writer->err);
    if (status == EMBER_OK)
        *record = (gltfw_times){hash, *accessor, at, count};
    return status;
}

/* The channel of the gathered track, with keys at job->kept. */
static ember_status clips_channel(clips_job *job, uint32_t bone, uint32_t count)
{
    gltf_writer *writer = job->writer;
    uint32_t     input, output, components = job->track.path == GLTF_ROTATION ? 4 : 3;
    ember_status status = clips_times(job, count, &input);
    for (size_t i = 0; i < count; i++)
        memcpy(job->packed + i * components, job->track.values[job->kept[i]], components * sizeof(float));
    if (status == EMBER_OK)
        status = emberi_gltfw_floats(writer, writer->animation_view, job->packed, count, components, false,
                                     &output);
    if (status != EMBER_OK)
        return status;
    gltfw_channel *channel = GLTFW_ADD(&writer->channels, gltfw_channel);
    if (channel == NULL)
        return emberi_fail_memory(writer->err);
    *channel = (gltfw_channel){ember_clip_bone(job->clip, bone), job->track.path, input, output};
    job->whole = job->whole || job->kept[count - 1] == job->clip->frame_count - 1;
    return EMBER_OK;
}

static ember_status clips_bone(clips_job *job, uint32_t bone)
{
    const ember_transform *rest = &job->writer->rest[ember_clip_bone(job->clip, bone)];
    uint32_t               before = GLTFW_COUNT(job->writer->channels, gltfw_channel);
    for (int path = 0; path < GLTF_PATH_COUNT; path++) {
        float        at_rest[4];
        ember_status status = clips_gather(job, bone, (gltf_path)path);
        if (status != EMBER_OK)
            return status;
        clips_value(at_rest, rest, (gltf_path)path);
        if (emberi_gltfw_track_rests(&job->track, at_rest))
            continue;
        uint32_t count = emberi_gltfw_keys(job->kept, &job->track);
        if (count == 1 && job->still_bone == GLTF_NONE) {
            job->still_bone = bone;
            job->still_path = (gltf_path)path;
            continue;
        }
        status = clips_channel(job, bone, count);
        if (status != EMBER_OK)
            return status;
    }
    if (!job->writer->all_bones || job->clip_index != 0 || job->still_bone == bone ||
        GLTFW_COUNT(job->writer->channels, gltfw_channel) != before)
        return EMBER_OK;
    job->kept[0] = 0;
    ember_status status = clips_gather(job, bone, GLTF_TRANSLATION);
    return status == EMBER_OK ? clips_channel(job, bone, 1) : status;
}

/* A clip lasts as long as its longest channel: where none has a key at the end, one that stands
   still gets one. */
static ember_status clips_still(clips_job *job)
{
    bool none = GLTFW_COUNT(job->writer->channels, gltfw_channel) ==
                GLTFW_AT(job->writer->animations, gltfw_animation,
                         GLTFW_COUNT(job->writer->animations, gltfw_animation) - 1)
                    ->first_channel;
    if (job->still_bone == GLTF_NONE && !none)
        return EMBER_OK;
    if (job->still_bone == GLTF_NONE) {
        job->still_bone = 0;
        job->still_path = GLTF_TRANSLATION;
    }
    ember_status status = clips_gather(job, job->still_bone, job->still_path);
    job->kept[0] = 0;
    bool longer = !job->whole && job->clip->frame_count > 1;
    if (longer)
        job->kept[1] = job->clip->frame_count - 1;
    return status == EMBER_OK ? clips_channel(job, job->still_bone, longer ? 2 : 1) : status;
}

/* ---- one clip, all clips ---- */

static ember_status clips_check(gltf_writer *writer, const ember_clip *clip, uint32_t index)
{
    for (uint32_t frame = 0; frame < clip->frame_count; frame++)
        for (uint32_t i = 0; i < clip->bone_count; i++)
            if (!clips_finite(&clip->frames[(size_t)frame * clip->bone_count + i]))
                return emberi_fail_at(writer->err, EMBER_E_RANGE,
                                      emberi_place_frame(&writer->model->skeleton, clip, index, i, frame),
                                      "a number is not finite");
    return EMBER_OK;
}

static emberi_place clips_place(const clips_job *job, uint32_t frame)
{
    emberi_place place = emberi_place_clip(job->clip, job->clip_index);
    place.frame = (int32_t)frame;
    return place;
}

static ember_status clips_make_times(clips_job *job)
{
    double fps = ember_clip_fps(job->clip);
    for (uint32_t i = 0; i < job->clip->frame_count; i++) {
        job->times[i] = (float)((double)i / fps);
        if (!emberi_is_finite(job->times[i]) || (i != 0 && !(job->times[i] > job->times[i - 1])))
            return emberi_fail_at(job->writer->err, EMBER_E_RANGE, clips_place(job, i),
                                  "at %g frames per second its time does not fit a float", fps);
    }
    return EMBER_OK;
}

static ember_status clips_job_make(clips_job *job, gltf_writer *writer, uint32_t index)
{
    const ember_clip *clip = &writer->model->clips[index];
    ember_arena      *scratch = &writer->scratch;
    size_t            count = clip->frame_count;
    *job = (clips_job){.writer = writer, .clip = clip, .clip_index = index, .still_bone = GLTF_NONE};
    /* Two keys, where one frame's channel is made longer, need no more room: there are two frames then. */
    job->times = EMBER_PUSH(scratch, float, count);
    job->some = EMBER_PUSH(scratch, float, count);
    job->kept = EMBER_PUSH(scratch, uint32_t, count);
    job->packed = ember_arena_push(scratch, count, 4 * sizeof(float), _Alignof(float));
    job->track.values = ember_arena_push(scratch, count, sizeof(*job->track.values), _Alignof(float));
    job->track.frame_count = clip->frame_count;
    if (job->times == NULL || job->some == NULL || job->kept == NULL || job->packed == NULL ||
        job->track.values == NULL)
        return emberi_fail_memory(writer->err);
    ember_status status = clips_make_times(job);
    return status == EMBER_OK
               ? clips_local_frames(writer, clip, clip->frame_count, writer->rest, &job->frames)
               : status;
}

static ember_status clips_clip(gltf_writer *writer, uint32_t index)
{
    const ember_clip *clip = &writer->model->clips[index];
    clips_job         job;
    if (clip->frame_count == 0 || clip->bone_count == 0) {
        emberi_notef(&writer->options->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "a clip without %s is not stored", clip->frame_count == 0 ? "frames" : "bones");
        return EMBER_OK;
    }
    gltfw_animation *animation = GLTFW_ADD(&writer->animations, gltfw_animation);
    if (animation == NULL)
        return emberi_fail_memory(writer->err);
    animation->clip = index;
    animation->first_channel = GLTFW_COUNT(writer->channels, gltfw_channel);
    ember_arena_mark mark = ember_arena_save(&writer->scratch);
    ember_status     status = clips_check(writer, clip, index);
    if (status == EMBER_OK)
        status = clips_job_make(&job, writer, index);
    for (uint32_t bone = 0; bone < clip->bone_count && status == EMBER_OK; bone++)
        status = clips_bone(&job, bone);
    if (status == EMBER_OK)
        status = clips_still(&job);
    animation->channel_count = GLTFW_COUNT(writer->channels, gltfw_channel) - animation->first_channel;
    ember_arena_restore(&writer->scratch, mark);
    return status;
}

ember_status emberi_gltfw_clips(gltf_writer *writer)
{
    if (clips_first(writer->model) == NULL)
        return EMBER_OK;
    ember_status status = emberi_gltfw_view_begin(writer, 0, &writer->animation_view);
    for (uint32_t i = 0; i < writer->model->clip_count && status == EMBER_OK; i++)
        status = clips_clip(writer, i);
    if (status == EMBER_OK)
        emberi_gltfw_view_end(writer, writer->animation_view);
    return status;
}
