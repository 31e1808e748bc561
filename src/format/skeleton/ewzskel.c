/* SPDX-License-Identifier: MIT */
/* Emberware Z skeletons, .ewzskel and .nczxskel: inverse binds, then Ember's own part with parents, rest pose
   and names, which readers that do not know it skip. Counts and sizes are held against the bytes before
   anything is allocated; every parent and number is checked. docs/formats/ewzskel.md has the tables. */
#include <string.h>

#include "base/bytes.h"
#include "base/hierarchy.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "format/ops.h"
#include "model/skeleton.h"

#define EWZSKEL_HEADER_SIZE 8u
#define EWZSKEL_MATRIX_SIZE 48u
#define EWZSKEL_TAIL_SIZE 12u /* of the part before the parents */
#define EWZSKEL_TRANSFORM_SIZE 40u
#define EWZSKEL_VERSION 1u
#define EWZSKEL_HAS_REST 1u
#define EWZSKEL_HAS_NAMES 2u

static const uint8_t ewzskel_magic[4] = {'E', 'M', 'B', 'S'};

static size_t ewzskel_parents_size(uint32_t bone_count)
{
    return ((size_t)bone_count + 1) / 2 * 4; /* a multiple of 4 */
}

static emberi_likeness ewzskel_sniff(const uint8_t *data, size_t size)
{
    if (size < EWZSKEL_HEADER_SIZE)
        return EMBERI_UNLIKE;
    uint32_t bone_count = emberi_get_u32(data);
    if (bone_count == 0 || bone_count > EMBER_MAX_BONES || emberi_get_u32(data + 4) != 0)
        return EMBERI_UNLIKE;
    size_t binds = EWZSKEL_HEADER_SIZE + bone_count * EWZSKEL_MATRIX_SIZE;
    if (size == binds)
        return EMBERI_PLAUSIBLE;
    if (size >= binds + EWZSKEL_TAIL_SIZE && memcmp(data + binds, ewzskel_magic, 4) == 0)
        return EMBERI_CERTAIN;
    return EMBERI_UNLIKE;
}

/* ---- reading ---- */

typedef struct ewzskel_file {
    const emberi_source *source;
    emberi_reader        reader;
    float                scale;
    ember_skeleton       skeleton;
} ewzskel_file;

static ember_status ewzskel_truncated(const ewzskel_file *file, const char *what)
{
    return emberi_failf(file->source->err, EMBER_E_TRUNCATED, file->source->size,
                        "skeleton data truncated: %zu bytes end in %s", file->source->size, what);
}

/* Names come last in the file: while numbers are read, a bone has none. */
static emberi_place ewzskel_place(uint32_t bone, uint64_t offset)
{
    emberi_place place = EMBERI_PLACE_INIT;
    place.bone = (int32_t)bone;
    place.offset = offset;
    return place;
}

static ember_status ewzskel_floats(ewzskel_file *file, float *out, size_t count, uint32_t bone,
                                   const char *what)
{
    for (size_t i = 0; i < count; i++) {
        out[i] = emberi_float_of(emberi_reader_u32(&file->reader));
        if (!emberi_is_finite(out[i]) || !emberi_is_finite(out[i] * file->scale))
            return emberi_fail_at(file->source->err, EMBER_E_RANGE,
                                  ewzskel_place(bone, emberi_reader_offset(&file->reader) - 4),
                                  "a number of its %s is not finite", what);
    }
    return EMBER_OK;
}

static ember_status ewzskel_read_binds(ewzskel_file *file)
{
    const emberi_source *source = file->source;
    uint32_t             bone_count = emberi_reader_u32(&file->reader);
    uint32_t             reserved = emberi_reader_u32(&file->reader);
    if (!emberi_reader_ok(&file->reader))
        return ewzskel_truncated(file, "the header");
    if (bone_count == 0 || bone_count > EMBER_MAX_BONES)
        return emberi_failf(source->err, bone_count == 0 ? EMBER_E_MALFORMED : EMBER_E_LIMIT, 0,
                            "invalid skeleton header: %u bones, must be 1 to %u", (unsigned)bone_count,
                            EMBER_MAX_BONES);
    if (reserved != 0)
        return emberi_failf(source->err, EMBER_E_MALFORMED, 4,
                            "invalid skeleton header: the reserved word is %u, must be 0",
                            (unsigned)reserved);
    if (emberi_reader_left(&file->reader) < (size_t)bone_count * EWZSKEL_MATRIX_SIZE)
        return ewzskel_truncated(file, "the inverse binds");
    ember_mat34 *binds = EMBER_PUSH(source->arena, ember_mat34, bone_count);
    if (binds == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < bone_count; i++) {
        ember_mat43 columns;
        EMBERI_TRY(ewzskel_floats(file, columns.m, 12, i, "inverse bind"));
        for (int k = 9; k < 12; k++)
            columns.m[k] *= file->scale;
        binds[i] = ember_mat34_from_mat43(&columns);
    }
    file->skeleton.bone_count = bone_count;
    file->skeleton.inverse_binds = binds;
    return EMBER_OK;
}

static ember_status ewzskel_read_parents(ewzskel_file *file)
{
    const emberi_source *source = file->source;
    uint32_t             bone_count = file->skeleton.bone_count;
    uint64_t             at = emberi_reader_offset(&file->reader);
    const uint8_t       *data = emberi_reader_take(&file->reader, ewzskel_parents_size(bone_count));
    int16_t             *parents = EMBER_PUSH(source->arena, int16_t, bone_count);
    if (data == NULL)
        return ewzskel_truncated(file, "the parents");
    if (parents == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < bone_count; i++) {
        uint16_t stored = emberi_get_u16(data + (size_t)i * 2);
        int32_t  parent = stored == 0xffffu ? EMBER_NO_PARENT : (int32_t)stored;
        if (!emberi_parent_valid(parent, i))
            return emberi_fail_at(source->err, EMBER_E_MALFORMED, ewzskel_place(i, at + (uint64_t)i * 2),
                                  "parent is %u, must be none or a bone before it", (unsigned)stored);
        parents[i] = (int16_t)parent;
    }
    if (bone_count % 2 != 0 && emberi_get_u16(data + (size_t)bone_count * 2) != 0)
        return emberi_failf(source->err, EMBER_E_MALFORMED, at + (uint64_t)bone_count * 2,
                            "the bytes after the last parent are not 0");
    file->skeleton.parents = parents;
    return EMBER_OK;
}

static ember_status ewzskel_read_rest(ewzskel_file *file)
{
    const emberi_source *source = file->source;
    uint32_t             bone_count = file->skeleton.bone_count;
    if (emberi_reader_left(&file->reader) < (size_t)bone_count * EWZSKEL_TRANSFORM_SIZE)
        return ewzskel_truncated(file, "the rest pose");
    ember_transform *rest = EMBER_PUSH(source->arena, ember_transform, bone_count);
    if (rest == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < bone_count; i++) {
        float    v[10];
        uint64_t at = emberi_reader_offset(&file->reader);
        EMBERI_TRY(ewzskel_floats(file, v, 10, i, "rest transform"));
        if (v[0] == 0.0f && v[1] == 0.0f && v[2] == 0.0f && v[3] == 0.0f)
            return emberi_fail_at(source->err, EMBER_E_RANGE, ewzskel_place(i, at),
                                  "the rotation of its rest is zero");
        rest[i].rotation = (ember_quat){v[0], v[1], v[2], v[3]};
        rest[i].position = (ember_vec3){v[4] * file->scale, v[5] * file->scale, v[6] * file->scale};
        rest[i].scale = (ember_vec3){v[7], v[8], v[9]};
    }
    file->skeleton.rest = rest;
    return EMBER_OK;
}

static ember_status ewzskel_read_names(ewzskel_file *file)
{
    const emberi_source *source = file->source;
    const char         **names = EMBER_PUSH(source->arena, const char *, file->skeleton.bone_count);
    if (names == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < file->skeleton.bone_count; i++) {
        size_t         size = emberi_reader_u16(&file->reader);
        const uint8_t *text = emberi_reader_take(&file->reader, size);
        if (text == NULL)
            return ewzskel_truncated(file, "the names");
        if (size != 0 && (names[i] = emberi_copy_name(source->arena, (const char *)text, size)) == NULL)
            return emberi_fail_memory(source->err);
    }
    file->skeleton.names = names;
    return EMBER_OK;
}

static ember_status ewzskel_read_tail(ewzskel_file *file)
{
    const emberi_source *source = file->source;
    emberi_reader       *reader = &file->reader;
    size_t               left = emberi_reader_left(reader);
    uint64_t             at = emberi_reader_offset(reader);
    /* A file that was cut inside the magic is still told from one with foreign bytes behind it. */
    if (memcmp(reader->cursor, ewzskel_magic, left < 4 ? left : 4) != 0)
        return emberi_failf(source->err, EMBER_E_MALFORMED, at, "skeleton data has %zu extra %s", left,
                            left == 1 ? "byte" : "bytes");
    if (emberi_reader_take(reader, 4) == NULL || emberi_reader_left(reader) < EWZSKEL_TAIL_SIZE - 4)
        return ewzskel_truncated(file, "the header of its second part");
    uint16_t version = emberi_reader_u16(reader), flags = emberi_reader_u16(reader);
    uint32_t size = emberi_reader_u32(reader);
    if (version != EWZSKEL_VERSION)
        return emberi_failf(source->err, EMBER_E_VERSION, at + 4,
                            "the skeleton's second part is of version %u, this library knows %u",
                            (unsigned)version, EWZSKEL_VERSION);
    if (flags > (EWZSKEL_HAS_REST | EWZSKEL_HAS_NAMES))
        return emberi_failf(source->err, EMBER_E_MALFORMED, at + 6,
                            "the skeleton's second part has unknown flags: 0x%x", (unsigned)flags);
    if (size > left)
        return emberi_failf(source->err, EMBER_E_TRUNCATED, source->size,
                            "skeleton data truncated: %zu of %u bytes of its second part", left,
                            (unsigned)size);
    EMBERI_TRY(ewzskel_read_parents(file));
    if ((flags & EWZSKEL_HAS_REST) != 0)
        EMBERI_TRY(ewzskel_read_rest(file));
    if ((flags & EWZSKEL_HAS_NAMES) != 0)
        EMBERI_TRY(ewzskel_read_names(file));
    uint64_t end = emberi_reader_offset(reader);
    if (emberi_reader_left(reader) != 0)
        return emberi_failf(source->err, EMBER_E_MALFORMED, end, "skeleton data has %zu extra %s",
                            emberi_reader_left(reader), emberi_reader_left(reader) == 1 ? "byte" : "bytes");
    if (size != left)
        return emberi_failf(source->err, EMBER_E_MALFORMED, at + 8,
                            "the skeleton's second part says it has %u bytes, it has %zu", (unsigned)size,
                            left);
    return EMBER_OK;
}

/* A file of others: the inverse binds alone. What it lacks comes from the options' skeleton, if that fits. */
static ember_status ewzskel_without_tail(ewzskel_file *file)
{
    const emberi_source  *source = file->source;
    const ember_skeleton *given = source->options->skeleton;
    uint32_t              bone_count = file->skeleton.bone_count;
    const ember_mat34    *binds = file->skeleton.inverse_binds;
    bool                  fits = given != NULL && given->bone_count == bone_count;
    if (given != NULL && !fits)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "the given skeleton has %u bones, the file %u: it is not used",
                     (unsigned)given->bone_count, (unsigned)bone_count);
    if (!emberi_skeleton_copy(&file->skeleton, fits ? given : NULL, bone_count, source->arena))
        return emberi_fail_memory(source->err);
    file->skeleton.inverse_binds = binds;
    return EMBER_OK;
}

static ember_status ewzskel_read(ember_model *out, const emberi_source *source)
{
    ewzskel_file file = {.source = source,
                         .reader = emberi_reader_init(source->data, source->size),
                         .scale = source->options->scale != 0.0 ? (float)source->options->scale : 1.0f};
    EMBERI_TRY(ewzskel_read_binds(&file));
    EMBERI_TRY(emberi_reader_left(&file.reader) != 0 ? ewzskel_read_tail(&file)
                                                     : ewzskel_without_tail(&file));
    out->format = EMBER_FORMAT_EWZSKEL;
    out->skeleton = file.skeleton;
    return EMBER_OK;
}

/* ---- writing ---- */

static ember_status ewzskel_check(const ember_skeleton *skeleton, ember_error *err)
{
    if (skeleton->bone_count == 0 || skeleton->bone_count > EMBER_MAX_BONES)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "the skeleton has %u bones, must be 1 to %u",
                            (unsigned)skeleton->bone_count, EMBER_MAX_BONES);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        if (name != NULL && strlen(name) > UINT16_MAX)
            return emberi_fail_at(err, EMBER_E_LIMIT, emberi_place_bone(skeleton, i),
                                  "its name has %zu bytes, at most 65535 are possible", strlen(name));
    }
    return EMBER_OK;
}

static bool ewzskel_put_floats(ember_buffer *out, const float *values, size_t count)
{
    uint8_t *room = ember_buffer_grow(out, count * 4);
    for (size_t i = 0; room != NULL && i < count; i++)
        emberi_put_u32(room + i * 4, emberi_bits_of(values[i]));
    return room != NULL;
}

static ember_status ewzskel_write_binds(ember_buffer *out, const ember_model *model,
                                        const ember_write_options *options, ember_error *err)
{
    const ember_skeleton *skeleton = &model->skeleton;
    ember_mat34           binds[EMBER_MAX_BONES];
    uint8_t              *header = ember_buffer_grow(out, EWZSKEL_HEADER_SIZE);
    uint32_t              failed = emberi_skeleton_inverse_binds(binds, skeleton, skeleton->rest);
    if (header == NULL)
        return emberi_fail_memory(err);
    if (failed != 0)
        emberi_notef(&options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%u bones have a scale of zero at rest: their inverse binds are identity",
                     (unsigned)failed);
    if (skeleton->inverse_binds == NULL)
        emberi_notef(&options->notes, skeleton->rest != NULL ? EMBER_NOTE_DETAIL : EMBER_NOTE_WARNING, NULL,
                     NULL, "the inverse binds are %s",
                     skeleton->rest != NULL ? "made from the rest pose" : "not known: identity is written");
    emberi_put_u32(header, skeleton->bone_count);
    emberi_put_u32(header + 4, 0);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        ember_mat43 columns = ember_mat43_from_mat34(&binds[i]);
        for (int k = 0; k < 12; k++)
            if (!emberi_is_finite(columns.m[k]))
                return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_bone(skeleton, i),
                                      "its inverse bind is not finite");
        if (!ewzskel_put_floats(out, columns.m, 12))
            return emberi_fail_memory(err);
    }
    return EMBER_OK;
}

static ember_status ewzskel_write_rest(ember_buffer *out, const ember_skeleton *skeleton, ember_error *err)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const ember_transform *t = &skeleton->rest[i];
        const float v[10] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w, t->position.x,
                             t->position.y, t->position.z, t->scale.x,    t->scale.y,    t->scale.z};
        bool        good = v[0] != 0.0f || v[1] != 0.0f || v[2] != 0.0f || v[3] != 0.0f;
        for (int k = 0; k < 10; k++)
            good = good && emberi_is_finite(v[k]);
        if (!good)
            return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_bone(skeleton, i),
                                  "its rest is not finite, or its rotation zero");
        if (!ewzskel_put_floats(out, v, 10))
            return emberi_fail_memory(err);
    }
    return EMBER_OK;
}

static bool ewzskel_write_names(ember_buffer *out, const ember_skeleton *skeleton)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        size_t      size = name != NULL ? strlen(name) : 0;
        uint8_t    *room = ember_buffer_grow(out, 2 + size);
        if (room == NULL)
            return false;
        emberi_put_u16(room, (uint16_t)size);
        if (size != 0)
            memcpy(room + 2, name, size);
    }
    return true;
}

static ember_status ewzskel_write_tail(ember_buffer *out, const ember_skeleton *skeleton, ember_error *err)
{
    size_t   start = out->size, parents_size = ewzskel_parents_size(skeleton->bone_count);
    uint8_t *room = ember_buffer_grow(out, EWZSKEL_TAIL_SIZE + parents_size);
    if (room == NULL)
        return emberi_fail_memory(err);
    memset(room, 0, EWZSKEL_TAIL_SIZE + parents_size);
    memcpy(room, ewzskel_magic, 4);
    emberi_put_u16(room + 4, EWZSKEL_VERSION);
    emberi_put_u16(room + 6, (uint16_t)((skeleton->rest != NULL ? EWZSKEL_HAS_REST : 0u) |
                                        (skeleton->names != NULL ? EWZSKEL_HAS_NAMES : 0u)));
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        emberi_put_u16(room + EWZSKEL_TAIL_SIZE + (size_t)i * 2, (uint16_t)skeleton->parents[i]);
    if (skeleton->rest != NULL)
        EMBERI_TRY(ewzskel_write_rest(out, skeleton, err));
    if (skeleton->names != NULL && !ewzskel_write_names(out, skeleton))
        return emberi_fail_memory(err);
    /* 255 names of 65,535 bytes stay far below 32 bits. */
    emberi_put_u32(out->data + start + 8, (uint32_t)(out->size - start));
    return EMBER_OK;
}

static ember_status ewzskel_write(ember_buffer *out, const ember_model *model,
                                  const ember_write_options *options, ember_error *err)
{
    EMBERI_TRY(ewzskel_check(&model->skeleton, err));
    EMBERI_TRY(ewzskel_write_binds(out, model, options, err));
    EMBERI_TRY(ewzskel_write_tail(out, &model->skeleton, err));
    if (model->clip_count != 0)
        emberi_notef(&options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     model->clip_count == 1 ? "%u clip is not stored" : "%u clips are not stored",
                     (unsigned)model->clip_count);
    if (model->mesh_count != 0)
        emberi_notef(&options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     model->mesh_count == 1 ? "%u mesh is not stored" : "%u meshes are not stored",
                     (unsigned)model->mesh_count);
    return EMBER_OK;
}

const emberi_format_ops emberi_ewzskel_ops = {
    .info = {.format = EMBER_FORMAT_EWZSKEL,
             .name = "ewzskel",
             .title = "Emberware Z skeleton",
             .extensions = "ewzskel nczxskel",
             .reads = true,
             .writes = true,
             .stores = {.names = true, .parents = true, .rest = true, .inverse_binds = true}},
    .sniff = ewzskel_sniff,
    .read = ewzskel_read,
    .write = ewzskel_write,
};
