/* SPDX-License-Identifier: MIT */
/* Emberware Z meshes, .ewzmesh and .nczxmesh: twelve bytes of header, vertices, indices. Whether the vertices
   are packed is told by the file's size, which must be exactly that of one of the two forms; every index and
   number is checked. */
#include "format/mesh/ewzmesh.h"

#include <string.h>

#include "base/bytes.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "model/skeleton.h"

typedef struct ewzmesh_header {
    emberi_ewzmesh_parts parts; /* the counts and kinds */
    uint8_t              reserved;
    uint64_t             packed_size, plain_size; /* of the whole file */
} ewzmesh_header;

static ewzmesh_header ewzmesh_header_get(const uint8_t *data)
{
    ewzmesh_header header = {.reserved = data[11]};
    header.parts.vertex_count = emberi_get_u32(data);
    header.parts.index_count = emberi_get_u32(data + 4);
    header.parts.format = data[8];
    header.parts.is_rigid = data[9];
    header.parts.attached_bone = data[10];
    uint64_t other = EWZMESH_HEADER_SIZE + (uint64_t)header.parts.index_count * 2;
    header.packed_size =
        other + (uint64_t)header.parts.vertex_count * emberi_ewzmesh_stride(header.parts.format, true);
    header.plain_size =
        other + (uint64_t)header.parts.vertex_count * emberi_ewzmesh_stride(header.parts.format, false);
    return header;
}

/* The first fault in the order of the bytes' weight; `offset` is where the file's header has it. */
static const char *ewzmesh_parts_fault(const emberi_ewzmesh_parts *parts, uint64_t *offset)
{
    *offset = 8;
    if (parts->format > EWZMESH_ALL)
        return "unknown bits in the vertex format";
    if ((parts->format & (EWZMESH_NORMAL | EWZMESH_TANGENT)) == EWZMESH_TANGENT)
        return "tangents without normals";
    *offset = 9;
    if (parts->is_rigid > 1)
        return "is_rigid is neither 0 nor 1";
    if (parts->is_rigid == 1 && (parts->format & EWZMESH_SKINNED) != 0)
        return "it is both rigid and skinned";
    *offset = 10;
    if (parts->is_rigid == 0 && parts->attached_bone != 0)
        return "attached_bone without is_rigid";
    *offset = 0;
    if (parts->vertex_count == 0)
        return "there are no vertices";
    *offset = 4;
    if ((parts->index_count != 0 ? parts->index_count : parts->vertex_count) % 3 != 0)
        return "the last triangle is not complete";
    return NULL;
}

const char *emberi_ewzmesh_fault(const emberi_ewzmesh_parts *parts)
{
    uint64_t unused;
    return ewzmesh_parts_fault(parts, &unused);
}

static const char *ewzmesh_header_fault(const ewzmesh_header *header, uint64_t *offset)
{
    const char *fault = ewzmesh_parts_fault(&header->parts, offset);
    if ((fault == NULL || *offset < 8) && header->reserved != 0) {
        *offset = 11;
        return "the last byte is not 0";
    }
    return fault;
}

static emberi_likeness ewzmesh_sniff(const uint8_t *data, size_t size)
{
    uint64_t unused;
    if (size < EWZMESH_HEADER_SIZE)
        return EMBERI_UNLIKE;
    ewzmesh_header header = ewzmesh_header_get(data);
    bool           plausible = (size == header.packed_size || size == header.plain_size) &&
                     ewzmesh_header_fault(&header, &unused) == NULL;
    return plausible ? EMBERI_PLAUSIBLE : EMBERI_UNLIKE;
}

/* ---- reading ---- */

typedef struct ewzmesh_arrays {
    ember_vec3 *positions, *normals;
    float (*uvs)[2];
    float (*colors)[4];
    float (*tangents)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
} ewzmesh_arrays;

typedef struct ewzmesh_decoder {
    const emberi_ewzmesh_parts *parts;
    ember_arena                *arena;
    ember_error                *err;
    emberi_reader               reader; /* of the vertices */
    ewzmesh_arrays              arrays;
    emberi_ewzmesh_report       report;
} ewzmesh_decoder;

static ember_status ewzmesh_allocate(ewzmesh_decoder *file)
{
    ember_arena    *arena = file->arena;
    ewzmesh_arrays *a = &file->arrays;
    size_t          count = file->parts->vertex_count, format = file->parts->format;
    size_t          indices = file->parts->index_count != 0 ? file->parts->index_count : count;
    /* What is not there takes no room, and an empty request is never NULL for lack of it. */
    a->positions = EMBER_PUSH(arena, ember_vec3, count);
    a->normals = EMBER_PUSH(arena, ember_vec3, (format & EWZMESH_NORMAL) != 0 ? count : 0);
    a->uvs =
        ember_arena_push(arena, (format & EWZMESH_UV) != 0 ? count : 0, sizeof(*a->uvs), _Alignof(float));
    a->colors = ember_arena_push(arena, (format & EWZMESH_COLOR) != 0 ? count : 0, sizeof(*a->colors),
                                 _Alignof(float));
    a->tangents = ember_arena_push(arena, (format & EWZMESH_TANGENT) != 0 ? count : 0, sizeof(*a->tangents),
                                   _Alignof(float));
    a->joints = ember_arena_push(arena, (format & EWZMESH_SKINNED) != 0 ? count : 0, sizeof(*a->joints),
                                 _Alignof(uint16_t));
    a->weights = ember_arena_push(arena, (format & EWZMESH_SKINNED) != 0 ? count : 0, sizeof(*a->weights),
                                  _Alignof(float));
    a->indices = EMBER_PUSH(arena, uint32_t, indices);
    bool all = a->positions != NULL && a->normals != NULL && a->uvs != NULL && a->colors != NULL &&
               a->tangents != NULL && a->joints != NULL && a->weights != NULL && a->indices != NULL;
    return all ? EMBER_OK : emberi_fail_memory(file->err);
}

static void ewzmesh_get_floats(ewzmesh_decoder *file, float *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = emberi_float_of(emberi_reader_u32(&file->reader));
}

static void ewzmesh_get_position(ewzmesh_decoder *file, float out[3])
{
    if (!file->parts->packed) {
        ewzmesh_get_floats(file, out, 3);
    } else {
        for (int i = 0; i < 3; i++)
            out[i] = ember_f32_from_f16(emberi_reader_u16(&file->reader));
        emberi_reader_u16(&file->reader); /* w, 1 */
    }
    for (int i = 0; i < 3; i++)
        out[i] *= file->parts->scale;
}

static void ewzmesh_get_skin(ewzmesh_decoder *file, uint16_t joints[4], float weights[4])
{
    unsigned sum = 0;
    for (int i = 0; i < 4; i++)
        joints[i] = emberi_reader_u8(&file->reader);
    if (!file->parts->packed)
        ewzmesh_get_floats(file, weights, 4);
    for (int i = 0; i < 4 && file->parts->packed; i++) {
        uint8_t weight = emberi_reader_u8(&file->reader);
        weights[i] = (float)weight / 255.0f;
        sum += weight;
    }
    float total = weights[0] + weights[1] + weights[2] + weights[3];
    bool  off = file->parts->packed ? sum != 255 : !(emberi_abs(total - 1.0f) < 1e-5f);
    file->report.off_weights += off ? 1u : 0u;
    emberi_weights_tidy(joints, weights);
    for (int i = 0; i < 4; i++)
        file->report.bone_count =
            joints[i] >= file->report.bone_count ? joints[i] + 1u : file->report.bone_count;
}

/* One vertex, in the order of the format; the bytes are known to be there. */
static void ewzmesh_get_vertex(ewzmesh_decoder *file, uint32_t i, float numbers[17])
{
    ewzmesh_arrays *a = &file->arrays;
    uint8_t         format = file->parts->format;
    emberi_reader  *reader = &file->reader;
    ewzmesh_get_position(file, numbers);
    a->positions[i] = (ember_vec3){numbers[0], numbers[1], numbers[2]};
    if ((format & EWZMESH_UV) != 0) {
        if (!file->parts->packed)
            ewzmesh_get_floats(file, a->uvs[i], 2);
        for (int k = 0; k < 2 && file->parts->packed; k++)
            a->uvs[i][k] = (float)emberi_reader_u16(reader) / 65535.0f;
        memcpy(numbers + 3, a->uvs[i], sizeof(a->uvs[i]));
    }
    if ((format & EWZMESH_COLOR) != 0) {
        a->colors[i][3] = 1.0f;
        if (!file->parts->packed)
            ewzmesh_get_floats(file, a->colors[i], 3);
        for (int k = 0; k < 4 && file->parts->packed; k++)
            a->colors[i][k] = (float)emberi_reader_u8(reader) / 255.0f;
        memcpy(numbers + 5, a->colors[i], sizeof(a->colors[i]));
    }
    if ((format & EWZMESH_NORMAL) != 0) {
        if (!file->parts->packed)
            ewzmesh_get_floats(file, numbers + 9, 3);
        a->normals[i] = file->parts->packed ? emberi_oct_decode(emberi_reader_u32(reader))
                                            : (ember_vec3){numbers[9], numbers[10], numbers[11]};
    }
    if ((format & EWZMESH_TANGENT) != 0) {
        if (!file->parts->packed)
            ewzmesh_get_floats(file, a->tangents[i], 4);
        else
            emberi_oct_decode_tangent(a->tangents[i], emberi_reader_u32(reader));
        memcpy(numbers + 12, a->tangents[i], sizeof(a->tangents[i]));
    }
    if ((format & EWZMESH_SKINNED) != 0)
        ewzmesh_get_skin(file, a->joints[i], a->weights[i]);
}

static ember_status ewzmesh_get_vertices(ewzmesh_decoder *file)
{
    for (uint32_t i = 0; i < file->parts->vertex_count; i++) {
        float    numbers[17] = {0.0f};
        uint64_t at = file->parts->vertices_at + emberi_reader_offset(&file->reader);
        ewzmesh_get_vertex(file, i, numbers);
        for (int k = 0; k < 16; k++)
            if (!emberi_is_finite(numbers[k]))
                return emberi_failf(file->err, EMBER_E_RANGE, at, "vertex %u: a number is not finite",
                                    (unsigned)i);
    }
    return EMBER_OK;
}

static ember_status ewzmesh_get_indices(ewzmesh_decoder *file)
{
    const emberi_ewzmesh_parts *parts = file->parts;
    uint32_t                   *indices = file->arrays.indices;
    for (uint32_t i = 0; parts->index_count == 0 && i < parts->vertex_count; i++)
        indices[i] = i;
    for (uint32_t i = 0; i < parts->index_count; i++) {
        indices[i] = emberi_get_u16(parts->indices + (size_t)i * 2);
        if (indices[i] >= parts->vertex_count)
            return emberi_failf(file->err, EMBER_E_MALFORMED, parts->indices_at + (uint64_t)i * 2,
                                "index %u is %u, there are %u vertices", (unsigned)i, (unsigned)indices[i],
                                (unsigned)parts->vertex_count);
    }
    return EMBER_OK;
}

static void ewzmesh_fill(const ewzmesh_decoder *file, ember_mesh *mesh)
{
    const ewzmesh_arrays *a = &file->arrays;
    uint8_t               format = file->parts->format;
    mesh->vertex_count = file->parts->vertex_count;
    mesh->index_count = file->parts->index_count != 0 ? file->parts->index_count : file->parts->vertex_count;
    mesh->indices = a->indices;
    mesh->positions = a->positions;
    mesh->normals = (format & EWZMESH_NORMAL) != 0 ? a->normals : NULL;
    mesh->uvs = (format & EWZMESH_UV) != 0 ? (const float(*)[2])a->uvs : NULL;
    mesh->colors = (format & EWZMESH_COLOR) != 0 ? (const float(*)[4])a->colors : NULL;
    mesh->tangents = (format & EWZMESH_TANGENT) != 0 ? (const float(*)[4])a->tangents : NULL;
    mesh->joints = (format & EWZMESH_SKINNED) != 0 ? (const uint16_t(*)[4])a->joints : NULL;
    mesh->weights = (format & EWZMESH_SKINNED) != 0 ? (const float(*)[4])a->weights : NULL;
    mesh->bone = file->parts->is_rigid != 0 ? file->parts->attached_bone : -1;
    for (int i = 0; i < 4; i++)
        mesh->base_color[i] = 1.0f;
}

ember_status emberi_ewzmesh_decode(ember_mesh *out, emberi_ewzmesh_report *report,
                                   const emberi_ewzmesh_parts *parts, ember_arena *arena, ember_error *err)
{
    EMBERI_ASSERT(emberi_ewzmesh_fault(parts) == NULL);
    size_t          size = (size_t)parts->vertex_count * emberi_ewzmesh_stride(parts->format, parts->packed);
    ewzmesh_decoder decoder = {.parts = parts,
                               .arena = arena,
                               .err = err,
                               .reader = emberi_reader_init(parts->vertices, size)};
    ember_status    status = ewzmesh_allocate(&decoder);
    if (status == EMBER_OK)
        status = ewzmesh_get_vertices(&decoder);
    if (status == EMBER_OK)
        status = ewzmesh_get_indices(&decoder);
    if (status != EMBER_OK)
        return status;
    EMBERI_ASSERT(emberi_reader_ok(&decoder.reader) && emberi_reader_left(&decoder.reader) == 0);
    if (parts->is_rigid != 0)
        decoder.report.bone_count = parts->attached_bone + 1u;
    ewzmesh_fill(&decoder, out);
    *report = decoder.report;
    return EMBER_OK;
}

/* ---- files ---- */

typedef struct ewzmesh_file {
    const emberi_source  *source;
    ewzmesh_header        header;
    emberi_ewzmesh_report report;
} ewzmesh_file;

static ember_status ewzmesh_check(ewzmesh_file *file)
{
    const emberi_source *source = file->source;
    uint64_t             offset, size = source->size;
    if (size < EWZMESH_HEADER_SIZE)
        return emberi_failf(source->err, EMBER_E_TRUNCATED, size,
                            "mesh data truncated: %zu of at least %u bytes", source->size,
                            EWZMESH_HEADER_SIZE);
    file->header = ewzmesh_header_get(source->data);
    const ewzmesh_header *header = &file->header;
    const char           *fault = ewzmesh_header_fault(header, &offset);
    if (fault != NULL)
        return emberi_failf(source->err, EMBER_E_MALFORMED, offset, "invalid mesh header: %s", fault);
    file->header.parts.packed = size == header->packed_size;
    if (header->parts.packed || size == header->plain_size)
        return EMBER_OK;
    if (size < header->packed_size)
        return emberi_failf(source->err, EMBER_E_TRUNCATED, size, "mesh data truncated: %zu of %ju bytes",
                            source->size, (uintmax_t)header->packed_size);
    if (size > header->plain_size)
        return emberi_failf(source->err, EMBER_E_MALFORMED, header->plain_size, "mesh data has %ju extra %s",
                            (uintmax_t)(size - header->plain_size),
                            size - header->plain_size == 1 ? "byte" : "bytes");
    return emberi_failf(source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                        "mesh data has %zu bytes, must have %ju if packed or %ju if not", source->size,
                        (uintmax_t)header->packed_size, (uintmax_t)header->plain_size);
}

/* The bones that the mesh speaks of: the given skeleton's, or as many as it takes, with nothing
   known of them. */
static ember_status ewzmesh_skeleton(ewzmesh_file *file, ember_skeleton *out)
{
    const emberi_source  *source = file->source;
    const ember_skeleton *given = source->options->skeleton;
    uint32_t              bone_count = file->report.bone_count;
    if (given != NULL && bone_count > given->bone_count)
        return emberi_failf(source->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                            "the mesh follows bone %u, the skeleton has %u bones", (unsigned)bone_count - 1,
                            (unsigned)given->bone_count);
    if (given == NULL && bone_count == 0)
        return EMBER_OK;
    if (!emberi_skeleton_copy(out, given, bone_count, source->arena))
        return emberi_fail_memory(source->err);
    return EMBER_OK;
}

static ember_status ewzmesh_read(ember_model *out, const emberi_source *source)
{
    ewzmesh_file file = {.source = source};
    ember_status status = ewzmesh_check(&file);
    if (status != EMBER_OK)
        return status;
    emberi_ewzmesh_parts *parts = &file.header.parts;
    size_t vertices_size = (size_t)parts->vertex_count * emberi_ewzmesh_stride(parts->format, parts->packed);
    parts->vertices_at = EWZMESH_HEADER_SIZE;
    parts->indices_at = EWZMESH_HEADER_SIZE + vertices_size;
    parts->vertices = source->data + EWZMESH_HEADER_SIZE;
    parts->indices = parts->vertices + vertices_size;
    parts->scale = source->options->scale != 0.0 ? (float)source->options->scale : 1.0f;
    ember_mesh *mesh = EMBER_PUSH(source->arena, ember_mesh, 1);
    if (mesh == NULL || (mesh->name = emberi_name_from_path(source->arena, source->options->path)) == NULL)
        return emberi_fail_memory(source->err);
    status = emberi_ewzmesh_decode(mesh, &file.report, parts, source->arena, source->err);
    if (status == EMBER_OK)
        status = ewzmesh_skeleton(&file, &out->skeleton);
    if (status != EMBER_OK)
        return status;
    out->meshes = mesh;
    out->mesh_count = 1;
    if (file.report.off_weights != 0)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "weights of %u vertices do not sum to 1, and are made to",
                     (unsigned)file.report.off_weights);
    return EMBER_OK;
}

const emberi_format_ops emberi_ewzmesh_ops = {
    .info = {.format = EMBER_FORMAT_EWZMESH,
             .name = "ewzmesh",
             .title = "Emberware Z mesh",
             .extensions = "ewzmesh nczxmesh nczmesh",
             .reads = true,
             .writes = true,
             .takes = EMBER_TAKES_EWZMESH,
             .stores = {.meshes = true}},
    .sniff = ewzmesh_sniff,
    .read = ewzmesh_read,
    .write = emberi_ewzmesh_write,
};
