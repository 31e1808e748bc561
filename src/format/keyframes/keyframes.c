/* SPDX-License-Identifier: MIT */
/* Frames of records to clips and back. The counts of a header are held against the bytes that are there
   before anything is allocated; what a record cannot hold is an error that names the number and its place. */
#include "format/keyframes/keyframes.h"

#include <stdio.h>

#include "base/maths.h"
#include "format/keyframes/fit.h"
#include "model/skeleton.h"

uint64_t emberi_keyframes_size(const emberi_keyframes *keyframes)
{
    return keyframes->header_size +
           (uint64_t)keyframes->bone_count * keyframes->frame_count * ember_record_size(keyframes->record);
}

/* ---- reading ---- */

ember_status emberi_keyframes_check_size(const emberi_keyframes *keyframes, size_t size, ember_error *err)
{
    uint64_t need = emberi_keyframes_size(keyframes);
    if (size < need)
        return emberi_failf(err, EMBER_E_TRUNCATED, size, "animation data truncated: %zu of %ju bytes", size,
                            (uintmax_t)need);
    if (size > need)
        return emberi_failf(err, EMBER_E_MALFORMED, need, "animation data has %ju extra %s",
                            (uintmax_t)(size - need), size - need == 1 ? "byte" : "bytes");
    return EMBER_OK;
}

/* Rest of a bone for record D, which needs its length; NULL for bones without one. */
static const ember_vec3 *keyframes_rest(const ember_skeleton *given, uint32_t bone)
{
    if (given == NULL || given->rest == NULL || bone >= given->bone_count)
        return NULL;
    return &given->rest[bone].position;
}

static ember_transform *keyframes_decode(const emberi_keyframes *keyframes, const emberi_source *source)
{
    size_t           count = (size_t)keyframes->bone_count * keyframes->frame_count;
    size_t           size = ember_record_size(keyframes->record);
    const uint8_t   *data = source->data + keyframes->header_size;
    const float      scale = emberi_source_scale(source);
    ember_transform *frames = EMBER_PUSH(source->arena, ember_transform, count);
    if (frames == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++, data += size) {
        uint32_t bone = (uint32_t)(i % keyframes->bone_count);
        frames[i] =
            ember_record_decode(data, keyframes->record, keyframes_rest(source->options->skeleton, bone));
        frames[i].position.x *= scale;
        frames[i].position.y *= scale;
        frames[i].position.z *= scale;
    }
    return frames;
}

static void keyframes_note(const ember_model *model, const ember_clip *clip, ember_record record,
                           const emberi_source *source)
{
    const ember_notes    *notes = &source->options->notes;
    const ember_skeleton *given = source->options->skeleton;
    if (given != NULL && given->bone_count != clip->bone_count)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL, "the clip has %u bones, the skeleton %u",
                     (unsigned)clip->bone_count, (unsigned)given->bone_count);
    if (record == EMBER_RECORD_D && keyframes_rest(given, 0) == NULL)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "z of all positions is 0: record D needs a skeleton with a rest pose");
    emberi_note_not_finite(notes, &model->skeleton, clip);
}

ember_status emberi_keyframes_read(ember_model *out, const emberi_keyframes *keyframes,
                                   const emberi_source *source)
{
    EMBERI_ASSERT(emberi_keyframes_size(keyframes) == source->size);
    ember_clip *clip = EMBER_PUSH(source->arena, ember_clip, 1);
    if (clip == NULL || !emberi_skeleton_copy(&out->skeleton, source->options->skeleton,
                                              keyframes->bone_count, source->arena))
        return emberi_fail_memory(source->err);
    clip->name = emberi_name_from_path(source->arena, source->options->path);
    clip->fps = emberi_source_fps(source, keyframes->fps);
    clip->loop = keyframes->loop || source->options->loop;
    clip->space = emberi_source_space(source, EMBER_SPACE_MODEL);
    clip->bone_count = keyframes->bone_count;
    clip->frame_count = keyframes->frame_count;
    clip->frames = keyframes_decode(keyframes, source);
    if (clip->name == NULL || clip->frames == NULL)
        return emberi_fail_memory(source->err);
    out->clip_count = 1;
    out->clips = clip;
    keyframes_note(out, clip, keyframes->record, source);
    return EMBER_OK;
}

/* ---- writing ---- */

ember_status emberi_keyframes_check_counts(const ember_clip *clip, ember_error *err)
{
    if (clip->bone_count == 0 || clip->bone_count > EMBER_MAX_BONES)
        return emberi_fail_at(err, EMBER_E_LIMIT, emberi_place_clip(clip, 0), "%u bones, must be 1 to %u",
                              (unsigned)clip->bone_count, EMBER_MAX_BONES);
    if (clip->frame_count == 0 || clip->frame_count > EMBER_MAX_FRAMES)
        return emberi_fail_at(err, EMBER_E_LIMIT, emberi_place_clip(clip, 0), "%u frames, must be 1 to %u",
                              (unsigned)clip->frame_count, EMBER_MAX_FRAMES);
    return EMBER_OK;
}

typedef struct keyframes_number {
    const char *name;
    float       value;
    bool        half; /* stored as half float in this record */
} keyframes_number;

static void keyframes_explain(char *out, size_t size, const ember_transform *t, ember_record record)
{
    bool                   halves = record != EMBER_RECORD_E;
    const keyframes_number numbers[] = {
        {"rotation.x", t->rotation.x, false},  {"rotation.y", t->rotation.y, false},
        {"rotation.z", t->rotation.z, false},  {"rotation.w", t->rotation.w, false},
        {"position.x", t->position.x, halves}, {"position.y", t->position.y, halves},
        {"position.z", t->position.z, halves}, {"scale.x", t->scale.x, halves},
        {"scale.y", t->scale.y, halves},       {"scale.z", t->scale.z, halves},
    };
    size_t count = record == EMBER_RECORD_D   ? 6
                   : record == EMBER_RECORD_B ? 7
                                              : sizeof(numbers) / sizeof(numbers[0]);
    for (size_t i = 0; i < count; i++) {
        const keyframes_number *n = &numbers[i];
        if (!emberi_is_finite(n->value)) {
            const char *word = n->value > 0.0f ? "Infinity" : n->value < 0.0f ? "-Infinity" : "NaN";
            snprintf(out, size, "%s is %s, not a finite number", n->name, word);
            return;
        }
        /* The first half float beyond 65504 would be 65536; from the middle on, rounding goes there. */
        if (n->half && emberi_abs(n->value) >= 65520.0f) {
            snprintf(out, size, "%s is %.9g, half floats end at 65504", n->name, (double)n->value);
            return;
        }
    }
    snprintf(out, size, "rotation is (%g, %g, %g, %g), which has no direction", (double)t->rotation.x,
             (double)t->rotation.y, (double)t->rotation.z, (double)t->rotation.w);
}

static ember_status keyframes_fail(const ember_model *model, const ember_clip *clip, size_t index,
                                   ember_record record, ember_error *err)
{
    char     what[96];
    uint32_t i = (uint32_t)(index % clip->bone_count), frame = (uint32_t)(index / clip->bone_count);
    keyframes_explain(what, sizeof(what), &clip->frames[index], record);
    return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_frame(&model->skeleton, clip, 0, i, frame), "%s",
                          what);
}

/* Each value by itself. */
static ember_status keyframes_write_plain(uint8_t *room, const ember_model *model, const ember_clip *clip,
                                          ember_record record, ember_error *err)
{
    size_t count = (size_t)clip->bone_count * clip->frame_count;
    size_t size = ember_record_size(record);
    for (size_t i = 0; i < count; i++)
        if (ember_record_encode(room + i * size, record, &clip->frames[i]) != EMBER_OK)
            return keyframes_fail(model, clip, i, record, err);
    return EMBER_OK;
}

/* Each bone against its parents as they will decode. */
static ember_status keyframes_write_fitted(uint8_t *room, const ember_model *model, const ember_clip *clip,
                                           ember_record record, ember_allocator allocator, ember_error *err)
{
    emberi_fit   fit;
    uint32_t     bone = 0;
    ember_status status = EMBER_OK;
    ember_arena  arena = ember_arena_growing(allocator, 0);
    if (!emberi_fit_make(&fit, &arena, model, clip, record))
        status = emberi_fail_memory(err);
    for (uint32_t frame = 0; frame < clip->frame_count && status == EMBER_OK; frame++) {
        size_t first = (size_t)frame * clip->bone_count;
        status = emberi_fit_frame(room + first * EMBER_KEYFRAME_SIZE, &bone, &fit, frame);
        if (status != EMBER_OK)
            keyframes_fail(model, clip, first + bone, record, err);
    }
    ember_arena_free(&arena);
    return status;
}

ember_status emberi_keyframes_write(ember_buffer *out, const ember_model *model, const ember_clip *clip,
                                    ember_record record, ember_fit fit, ember_error *err)
{
    uint8_t *room =
        ember_buffer_grow(out, (size_t)clip->bone_count * clip->frame_count * ember_record_size(record));
    if (room == NULL)
        return emberi_fail_memory(err);
    if (ember_record_size(record) == EMBER_KEYFRAME_SIZE && clip->space == EMBER_SPACE_LOCAL &&
        fit == EMBER_FIT_CLOSED)
        return keyframes_write_fitted(room, model, clip, record, out->allocator, err);
    return keyframes_write_plain(room, model, clip, record, err);
}
