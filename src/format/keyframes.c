/* SPDX-License-Identifier: MIT */
/* Frames of records to clips and back. The counts of a header are held against the bytes that are there
   before anything is allocated; what a record cannot hold is an error that names the number and its place. */
#include "format/keyframes.h"

#include <stdio.h>

#include "base/maths.h"
#include "format/fit.h"

static const ember_transform keyframes_identity = EMBER_TRANSFORM_IDENTITY;

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
        return emberi_failf(err, EMBER_E_MALFORMED, need, "animation data has %ju extra bytes",
                            (uintmax_t)(size - need));
    return EMBER_OK;
}

static bool keyframes_copy_names(ember_skeleton *out, const ember_skeleton *given, ember_arena *arena)
{
    const char **names = EMBER_PUSH(arena, const char *, out->bone_count);
    if (names == NULL)
        return false;
    for (uint32_t i = 0; i < given->bone_count; i++) {
        if (given->names[i] != NULL && (names[i] = emberi_copy_text(arena, given->names[i])) == NULL)
            return false;
    }
    out->names = names;
    return true;
}

static bool keyframes_copy_rest(ember_skeleton *out, const ember_skeleton *given, ember_arena *arena)
{
    ember_transform *rest = EMBER_PUSH(arena, ember_transform, out->bone_count);
    for (uint32_t i = 0; rest != NULL && i < out->bone_count; i++)
        rest[i] = i < given->bone_count ? given->rest[i] : keyframes_identity;
    out->rest = rest;
    return rest != NULL;
}

static bool keyframes_copy_binds(ember_skeleton *out, const ember_skeleton *given, ember_arena *arena)
{
    static const ember_mat34 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    ember_mat34             *binds = EMBER_PUSH(arena, ember_mat34, out->bone_count);
    for (uint32_t i = 0; binds != NULL && i < out->bone_count; i++)
        binds[i] = i < given->bone_count ? given->inverse_binds[i] : identity;
    out->inverse_binds = binds;
    return binds != NULL;
}

/* As many bones as the clip or the given skeleton has, whichever has more; those the skeleton
   lacks are roots. */
static bool keyframes_make_skeleton(ember_skeleton *out, uint32_t bone_count, const emberi_source *source)
{
    const ember_skeleton *given = source->options->skeleton;
    out->bone_count = given != NULL && given->bone_count > bone_count ? given->bone_count : bone_count;
    int16_t *parents = EMBER_PUSH(source->arena, int16_t, out->bone_count);
    if (parents == NULL)
        return false;
    for (uint32_t i = 0; i < out->bone_count; i++)
        parents[i] = (int16_t)(given != NULL && i < given->bone_count ? given->parents[i] : -1);
    out->parents = parents;
    if (given == NULL)
        return true;
    return (given->names == NULL || keyframes_copy_names(out, given, source->arena)) &&
           (given->rest == NULL || keyframes_copy_rest(out, given, source->arena)) &&
           (given->inverse_binds == NULL || keyframes_copy_binds(out, given, source->arena));
}

/* Rest of a bone for record D, which needs its length; NULL for bones without one. */
static const ember_vec3 *keyframes_rest(const ember_skeleton *given, uint32_t bone)
{
    return given != NULL && given->rest != NULL && bone < given->bone_count ? &given->rest[bone].position
                                                                            : NULL;
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
    if (clip == NULL || !keyframes_make_skeleton(&out->skeleton, keyframes->bone_count, source))
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
        return emberi_fail_at(err, EMBER_E_LIMIT, 0, -1, -1, "clip %s has %u bones, must be 1 to %u",
                              emberi_quote(clip->name).text, (unsigned)clip->bone_count, EMBER_MAX_BONES);
    if (clip->frame_count == 0 || clip->frame_count > EMBER_MAX_FRAMES)
        return emberi_fail_at(err, EMBER_E_LIMIT, 0, -1, -1, "clip %s has %u frames, must be 1 to %u",
                              emberi_quote(clip->name).text, (unsigned)clip->frame_count, EMBER_MAX_FRAMES);
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
    return emberi_fail_at(err, EMBER_E_RANGE, 0, (int32_t)i, (int32_t)frame, "clip %s, bone %s, frame %u: %s",
                          emberi_quote(clip->name).text,
                          emberi_quote_bone(&model->skeleton, ember_clip_bone(clip, i)).text, (unsigned)frame,
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
                                           ember_allocator allocator, ember_error *err)
{
    emberi_fit   fit;
    uint32_t     bone = 0;
    ember_status status = EMBER_OK;
    ember_arena  arena = ember_arena_growing(allocator, 0);
    if (!emberi_fit_make(&fit, &arena, model, clip))
        status = emberi_fail_memory(err);
    for (uint32_t frame = 0; frame < clip->frame_count && status == EMBER_OK; frame++) {
        size_t first = (size_t)frame * clip->bone_count;
        status = emberi_fit_frame(room + first * EMBER_KEYFRAME_SIZE, &bone, &fit, frame);
        if (status != EMBER_OK)
            keyframes_fail(model, clip, first + bone, EMBER_RECORD_EWZ, err);
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
    if (record == EMBER_RECORD_EWZ && clip->space == EMBER_SPACE_LOCAL && fit == EMBER_FIT_CLOSED)
        return keyframes_write_fitted(room, model, clip, out->allocator, err);
    return keyframes_write_plain(room, model, clip, record, err);
}
