/* SPDX-License-Identifier: MIT */
/* Lean clips of a file to the model: every frame decoded. Memory is pushed for the frames that a clip states,
   so that the reader's limit ends what a hostile count begins; damaged blocks are errors. */
#include <string.h>

#include "base/maths.h"
#include "format/lean/ewzlean.h"

static emberi_likeness ewzlean_sniff(const uint8_t *data, size_t size)
{
    return size >= 4 && memcmp(data, EWZLEAN_MAGIC, 4) == 0 ? EMBERI_CERTAIN : EMBERI_UNLIKE;
}

/* ---- the skeleton ---- */

static ember_transform ewzlean_transform(const uint8_t *data, float scale)
{
    float v[10];
    for (size_t k = 0; k < 10; k++)
        v[k] = emberi_float_of(emberi_get_u32(data + k * 4));
    return (ember_transform){.rotation = {v[0], v[1], v[2], v[3]},
                             .position = {v[4] * scale, v[5] * scale, v[6] * scale},
                             .scale = {v[7], v[8], v[9]}};
}

static bool ewzlean_read_names(ember_skeleton *out, const emberi_ewzlean *file, ember_arena *arena)
{
    const char   **names = EMBER_PUSH(arena, const char *, file->bone_count);
    const uint8_t *at = file->names;
    if (names == NULL)
        return false;
    for (uint32_t i = 0; i < file->bone_count; i++) {
        const size_t size = emberi_get_u16(at);
        if (size != 0 && (names[i] = emberi_copy_name(arena, (const char *)at + 2, size)) == NULL)
            return false;
        at += 2 + size;
    }
    out->names = names;
    return true;
}

static ember_status ewzlean_read_skeleton(ember_skeleton *out, const emberi_ewzlean *file,
                                          const emberi_source *source)
{
    const float      scale = emberi_source_scale(source);
    int16_t         *parents = EMBER_PUSH(source->arena, int16_t, file->bone_count);
    ember_transform *rest =
        file->rest != NULL ? EMBER_PUSH(source->arena, ember_transform, file->bone_count) : NULL;
    if (parents == NULL || (file->rest != NULL && rest == NULL))
        return emberi_fail_memory(source->err);
    *out = (ember_skeleton){.bone_count = file->bone_count, .parents = parents, .rest = rest};
    for (uint32_t i = 0; i < file->bone_count; i++) {
        parents[i] = emberi_ewzlean_parent(file, i);
        if (rest == NULL)
            continue;
        rest[i] = ewzlean_transform(file->rest + (size_t)i * EWZLEAN_TRANSFORM_SIZE, scale);
        const ember_vec3 *p = &rest[i].position;
        if (!emberi_is_finite(p->x) || !emberi_is_finite(p->y) || !emberi_is_finite(p->z))
            return emberi_fail_at(source->err, EMBER_E_RANGE, emberi_place_bone(out, i),
                                  "the rest position is not finite when scaled");
    }
    if (file->names != NULL && !ewzlean_read_names(out, file, source->arena))
        return emberi_fail_memory(source->err);
    return EMBER_OK;
}

/* ---- clips ---- */

static ember_status ewzlean_read_markers(ember_clip *out, const emberi_ewzlean_clip *clip, uint32_t index,
                                         const emberi_source *source)
{
    ember_marker *markers = EMBER_PUSH(source->arena, ember_marker, clip->marker_count);
    emberi_reader reader = clip->markers;
    if (markers == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        markers[i].frame = emberi_reader_u32(&reader);
        const size_t size = emberi_reader_u16(&reader);
        const char  *name = (const char *)emberi_reader_take(&reader, size);
        markers[i].name = name != NULL ? emberi_copy_name(source->arena, name, size) : NULL;
        if (markers[i].name == NULL)
            return emberi_fail_memory(source->err);
        if (markers[i].frame >= out->frame_count)
            return emberi_fail_at(source->err, EMBER_E_MALFORMED, emberi_place_clip(out, index),
                                  "marker %u is at frame %u of %u", (unsigned)i, (unsigned)markers[i].frame,
                                  (unsigned)out->frame_count);
    }
    out->markers = markers;
    out->marker_count = clip->marker_count;
    return EMBER_OK;
}

/* All frames of an opened clip, one after the other. */
static ember_status ewzlean_decode(ember_transform *frames, ember_lean_cursor *cursor, float scale,
                                   ember_error *err)
{
    const uint32_t bones = cursor->clip->bone_count;
    for (uint32_t f = 0; f < cursor->clip->frame_count; f++) {
        ember_transform *pose = frames + (size_t)f * bones;
        if (ember_lean_cursor_sample(pose, bones, cursor, f, 0) != EMBER_OK)
            return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "a block of the clip is damaged");
        for (uint32_t i = 0; scale != 1.0f && i < bones; i++) {
            ember_vec3 *p = &pose[i].position;
            *p = (ember_vec3){p->x * scale, p->y * scale, p->z * scale};
            if (!emberi_is_finite(p->x) || !emberi_is_finite(p->y) || !emberi_is_finite(p->z))
                return emberi_failf(err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                                    "a position is not finite when scaled");
        }
    }
    return EMBER_OK;
}

static ember_status ewzlean_read_frames(ember_clip *out, const emberi_ewzlean *file,
                                        const emberi_ewzlean_clip *clip, const emberi_source *source,
                                        ember_arena *scratch, ember_error *err)
{
    const float       scale = emberi_source_scale(source);
    ember_lean_clip   opened;
    ember_lean_cursor cursor;
    size_t            size = ember_lean_open_size(clip->data, clip->size, &file->rig);
    void             *memory = ember_arena_push(scratch, size, 1, 32);
    if (memory == NULL)
        return emberi_fail_memory(err);
    EMBERI_TRY(ember_lean_open(&opened, clip->data, clip->size, &file->rig, memory, size, err));
    EMBERI_TRY(ember_lean_check(&opened, err));
    size = ember_lean_cursor_size(&opened);
    memory = ember_arena_push(scratch, size, 1, 32);
    ember_transform *frames =
        EMBER_PUSH(source->arena, ember_transform, (size_t)opened.frame_count * opened.bone_count);
    if (memory == NULL || frames == NULL)
        return emberi_fail_memory(err);
    EMBERI_TRY(ember_lean_cursor_init(&cursor, &opened, memory, size));
    out->bone_count = opened.bone_count;
    out->frame_count = opened.frame_count;
    out->frames = frames;
    out->error = opened.error * scale;
    return ewzlean_decode(frames, &cursor, scale, err);
}

static ember_status ewzlean_read_clip(ember_clip *out, emberi_ewzlean *file, const emberi_source *source,
                                      ember_arena *scratch)
{
    emberi_ewzlean_clip clip;
    const uint32_t      index = file->next;
    EMBERI_TRY(emberi_ewzlean_next(&clip, file, source->err));
    *out = (ember_clip){.name = emberi_copy_name(source->arena, (const char *)clip.name, clip.name_size),
                        .fps = emberi_source_fps(source, clip.fps),
                        .loop = clip.loop || source->options->loop,
                        .space = emberi_source_space(source, EMBER_SPACE_LOCAL)};
    if (out->name == NULL)
        return emberi_fail_memory(source->err);
    ember_error  failed = EMBER_ERROR_INIT;
    ember_status status = ewzlean_read_frames(out, file, &clip, source, scratch, &failed);
    if (status != EMBER_OK) {
        emberi_place place = emberi_place_clip(out, index);
        place.frame = failed.frame;
        place.offset = failed.offset != EMBER_NO_OFFSET ? failed.offset + (uint64_t)(clip.data - source->data)
                                                        : EMBER_NO_OFFSET;
        return emberi_fail_at(source->err, status, place, "%s", failed.text);
    }
    return ewzlean_read_markers(out, &clip, index, source);
}

static ember_status ewzlean_read(ember_model *out, const emberi_source *source)
{
    emberi_ewzlean file;
    EMBERI_TRY(emberi_ewzlean_open(&file, source->data, source->size, source->err));
    EMBERI_TRY(ewzlean_read_skeleton(&out->skeleton, &file, source));
    if (source->options->skip_clips)
        return EMBER_OK;
    ember_clip *clips = EMBER_PUSH(source->arena, ember_clip, file.clip_count);
    if (clips == NULL)
        return emberi_fail_memory(source->err);
    ember_arena  scratch = ember_arena_growing(emberi_source_heap(source), SIZE_MAX);
    ember_status status = EMBER_OK;
    for (uint32_t i = 0; i < file.clip_count && status == EMBER_OK; i++) {
        const ember_arena_mark mark = ember_arena_save(&scratch);
        status = ewzlean_read_clip(&clips[i], &file, source, &scratch);
        ember_arena_restore(&scratch, mark);
    }
    ember_arena_free(&scratch);
    out->clips = clips;
    out->clip_count = status == EMBER_OK ? file.clip_count : 0;
    return status;
}

const emberi_format_ops emberi_ewzlean_ops = {
    .info = {.format = EMBER_FORMAT_EWZLEAN,
             .name = "ewzlean",
             .title = "Emberware Z lean clips",
             .extensions = "ewzlean",
             .reads = true,
             .writes = true,
             .default_space = EMBER_SPACE_LOCAL,
             .takes = EMBER_TAKES_EWZLEAN,
             .stores = {.names = true,
                        .parents = true,
                        .rest = true,
                        .clips = true,
                        .rate = true,
                        .loop = true,
                        .markers = true,
                        .space = true}},
    .sniff = ewzlean_sniff,
    .read = ewzlean_read,
    .write = emberi_ewzlean_write,
};
