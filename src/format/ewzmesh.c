/* Emberware Z meshes, .ewzmesh and .nczxmesh: twelve bytes of header, vertices, indices. Whether the vertices are packed is told
   by the file's size, which must be exactly that of one of the two forms; every index and number is checked. */
#include "format/ewzmesh.h"

#include <string.h>

#include "base/bytes.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "format/skeleton.h"

typedef struct ewzmesh_header {
    uint32_t vertex_count, index_count;
    uint8_t  format, is_rigid, attached_bone, reserved;
    uint64_t packed_size, plain_size; /* of the whole file */
} ewzmesh_header;

static ewzmesh_header ewzmesh_header_get(const uint8_t *data)
{
    ewzmesh_header header = {emberi_get_u32(data), emberi_get_u32(data + 4), data[8], data[9], data[10], data[11], 0, 0};
    uint64_t       other = EWZMESH_HEADER_SIZE + (uint64_t)header.index_count * 2;
    header.packed_size = other + (uint64_t)header.vertex_count * emberi_ewzmesh_stride(header.format, true);
    header.plain_size = other + (uint64_t)header.vertex_count * emberi_ewzmesh_stride(header.format, false);
    return header;
}

/* What is wrong with it, at which byte; NULL if nothing is. */
static const char *ewzmesh_header_fault(const ewzmesh_header *header, uint64_t *offset)
{
    *offset = 8;
    if (header->format > EWZMESH_ALL)
        return "unknown bits in the vertex format";
    if ((header->format & (EWZMESH_NORMAL | EWZMESH_TANGENT)) == EWZMESH_TANGENT)
        return "tangents without normals";
    *offset = 9;
    if (header->is_rigid > 1)
        return "is_rigid is neither 0 nor 1";
    if (header->is_rigid == 1 && (header->format & EWZMESH_SKINNED) != 0)
        return "it is both rigid and skinned";
    *offset = 10;
    if (header->is_rigid == 0 && header->attached_bone != 0)
        return "attached_bone without is_rigid";
    *offset = 11;
    if (header->reserved != 0)
        return "the last byte is not 0";
    *offset = 0;
    if (header->vertex_count == 0)
        return "there are no vertices";
    *offset = 4;
    /* Without indices every three vertices are a triangle. */
    if ((header->index_count != 0 ? header->index_count : header->vertex_count) % 3 != 0)
        return "the last triangle is not complete";
    return NULL;
}

static emberi_likeness ewzmesh_sniff(const uint8_t *data, size_t size)
{
    uint64_t unused;
    if (size < EWZMESH_HEADER_SIZE)
        return EMBERI_UNLIKE;
    ewzmesh_header header = ewzmesh_header_get(data);
    bool plausible = (size == header.packed_size || size == header.plain_size) && ewzmesh_header_fault(&header, &unused) == NULL;
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

typedef struct ewzmesh_file {
    const emberi_source *source;
    ewzmesh_header       header;
    bool                 packed;
    float                scale;
    emberi_reader        reader;
    ewzmesh_arrays       arrays;
    uint32_t             off_weights; /* vertices whose weights did not sum to 1 */
    uint32_t             bone_count;  /* that the mesh asks for */
} ewzmesh_file;

static ember_status ewzmesh_check(ewzmesh_file *file)
{
    const emberi_source *source = file->source;
    uint64_t             offset, size = source->size;
    if (size < EWZMESH_HEADER_SIZE)
        return emberi_failf(source->err, EMBER_E_TRUNCATED, size, "mesh data truncated: %zu of at least %u bytes", source->size,
                            EWZMESH_HEADER_SIZE);
    file->header = ewzmesh_header_get(source->data);
    const ewzmesh_header *header = &file->header;
    const char           *fault = ewzmesh_header_fault(header, &offset);
    if (fault != NULL)
        return emberi_failf(source->err, EMBER_E_MALFORMED, offset, "invalid mesh header: %s", fault);
    file->packed = size == header->packed_size;
    if (file->packed || size == header->plain_size)
        return EMBER_OK;
    if (size < header->packed_size)
        return emberi_failf(source->err, EMBER_E_TRUNCATED, size, "mesh data truncated: %zu of %ju bytes", source->size,
                            (uintmax_t)header->packed_size);
    if (size > header->plain_size)
        return emberi_failf(source->err, EMBER_E_MALFORMED, header->plain_size, "mesh data has %ju extra bytes",
                            (uintmax_t)(size - header->plain_size));
    return emberi_failf(source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                        "mesh data has %zu bytes, must have %ju if packed or %ju if not", source->size,
                        (uintmax_t)header->packed_size, (uintmax_t)header->plain_size);
}

static ember_status ewzmesh_allocate(ewzmesh_file *file)
{
    ember_arena    *arena = file->source->arena;
    ewzmesh_arrays *a = &file->arrays;
    size_t          count = file->header.vertex_count, format = file->header.format;
    size_t          indices = file->header.index_count != 0 ? file->header.index_count : count;
    /* What is not there takes no room, and an empty request is never NULL for lack of it. */
    a->positions = EMBER_PUSH(arena, ember_vec3, count);
    a->normals = EMBER_PUSH(arena, ember_vec3, (format & EWZMESH_NORMAL) != 0 ? count : 0);
    a->uvs = ember_arena_push(arena, (format & EWZMESH_UV) != 0 ? count : 0, sizeof(*a->uvs), _Alignof(float));
    a->colors = ember_arena_push(arena, (format & EWZMESH_COLOR) != 0 ? count : 0, sizeof(*a->colors), _Alignof(float));
    a->tangents = ember_arena_push(arena, (format & EWZMESH_TANGENT) != 0 ? count : 0, sizeof(*a->tangents), _Alignof(float));
    a->joints = ember_arena_push(arena, (format & EWZMESH_SKINNED) != 0 ? count : 0, sizeof(*a->joints), _Alignof(uint16_t));
    a->weights = ember_arena_push(arena, (format & EWZMESH_SKINNED) != 0 ? count : 0, sizeof(*a->weights), _Alignof(float));
    a->indices = EMBER_PUSH(arena, uint32_t, indices);
    bool all = a->positions != NULL && a->normals != NULL && a->uvs != NULL && a->colors != NULL && a->tangents != NULL &&
               a->joints != NULL && a->weights != NULL && a->indices != NULL;
    return all ? EMBER_OK : emberi_fail_memory(file->source->err);
}

static void ewzmesh_get_floats(ewzmesh_file *file, float *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = emberi_float_of(emberi_reader_u32(&file->reader));
}

static void ewzmesh_get_position(ewzmesh_file *file, float out[3])
{
    if (!file->packed) {
        ewzmesh_get_floats(file, out, 3);
    } else {
        for (int i = 0; i < 3; i++)
            out[i] = ember_f32_from_f16(emberi_reader_u16(&file->reader));
        emberi_reader_u16(&file->reader); /* w, 1 */
    }
    for (int i = 0; i < 3; i++)
        out[i] *= file->scale;
}

static void ewzmesh_get_skin(ewzmesh_file *file, uint16_t joints[4], float weights[4])
{
    unsigned sum = 0;
    for (int i = 0; i < 4; i++)
        joints[i] = emberi_reader_u8(&file->reader);
    if (!file->packed)
        ewzmesh_get_floats(file, weights, 4);
    for (int i = 0; i < 4 && file->packed; i++) {
        uint8_t weight = emberi_reader_u8(&file->reader);
        weights[i] = (float)weight / 255.0f;
        sum += weight;
    }
    float total = weights[0] + weights[1] + weights[2] + weights[3];
    bool  off = file->packed ? sum != 255 : !(emberi_abs(total - 1.0f) < 1e-5f);
    file->off_weights += off ? 1u : 0u;
    emberi_weights_tidy(joints, weights);
    for (int i = 0; i < 4; i++)
        file->bone_count = joints[i] >= file->bone_count ? joints[i] + 1u : file->bone_count;
}

/* One vertex, in the order of the format; the bytes are known to be there. */
static void ewzmesh_get_vertex(ewzmesh_file *file, uint32_t i, float numbers[17])
{
    ewzmesh_arrays *a = &file->arrays;
    uint8_t         format = file->header.format;
    emberi_reader  *reader = &file->reader;
    ewzmesh_get_position(file, numbers);
    a->positions[i] = (ember_vec3){numbers[0], numbers[1], numbers[2]};
    if ((format & EWZMESH_UV) != 0) {
        if (!file->packed)
            ewzmesh_get_floats(file, a->uvs[i], 2);
        for (int k = 0; k < 2 && file->packed; k++)
            a->uvs[i][k] = (float)emberi_reader_u16(reader) / 65535.0f;
        memcpy(numbers + 3, a->uvs[i], sizeof(a->uvs[i]));
    }
    if ((format & EWZMESH_COLOR) != 0) {
        a->colors[i][3] = 1.0f;
        if (!file->packed)
            ewzmesh_get_floats(file, a->colors[i], 3);
        for (int k = 0; k < 4 && file->packed; k++)
            a->colors[i][k] = (float)emberi_reader_u8(reader) / 255.0f;
        memcpy(numbers + 5, a->colors[i], sizeof(a->colors[i]));
    }
    if ((format & EWZMESH_NORMAL) != 0) {
        if (!file->packed)
            ewzmesh_get_floats(file, numbers + 9, 3);
        a->normals[i] =
            file->packed ? emberi_oct_decode(emberi_reader_u32(reader)) : (ember_vec3){numbers[9], numbers[10], numbers[11]};
    }
    if ((format & EWZMESH_TANGENT) != 0) {
        if (!file->packed)
            ewzmesh_get_floats(file, a->tangents[i], 4);
        else
            emberi_oct_decode_tangent(a->tangents[i], emberi_reader_u32(reader));
        memcpy(numbers + 12, a->tangents[i], sizeof(a->tangents[i]));
    }
    if ((format & EWZMESH_SKINNED) != 0)
        ewzmesh_get_skin(file, a->joints[i], a->weights[i]);
}

static ember_status ewzmesh_get_vertices(ewzmesh_file *file)
{
    for (uint32_t i = 0; i < file->header.vertex_count; i++) {
        float    numbers[17] = {0.0f};
        uint64_t at = emberi_reader_offset(&file->reader);
        ewzmesh_get_vertex(file, i, numbers);
        for (int k = 0; k < 16; k++)
            if (!emberi_is_finite(numbers[k]))
                return emberi_failf(file->source->err, EMBER_E_RANGE, at, "vertex %u: a number is not finite", (unsigned)i);
    }
    return EMBER_OK;
}

static ember_status ewzmesh_get_indices(ewzmesh_file *file)
{
    uint32_t *indices = file->arrays.indices;
    for (uint32_t i = 0; file->header.index_count == 0 && i < file->header.vertex_count; i++)
        indices[i] = i;
    for (uint32_t i = 0; i < file->header.index_count; i++) {
        indices[i] = emberi_reader_u16(&file->reader);
        if (indices[i] >= file->header.vertex_count)
            return emberi_failf(file->source->err, EMBER_E_MALFORMED, emberi_reader_offset(&file->reader) - 2,
                                "index %u is %u, there are %u vertices", (unsigned)i, (unsigned)indices[i],
                                (unsigned)file->header.vertex_count);
    }
    EMBERI_ASSERT(emberi_reader_ok(&file->reader) && emberi_reader_left(&file->reader) == 0);
    return EMBER_OK;
}

/* The bones that the mesh speaks of: the given skeleton's, or as many as it takes, with nothing known of them. */
static ember_status ewzmesh_skeleton(ewzmesh_file *file, ember_skeleton *out)
{
    const emberi_source  *source = file->source;
    const ember_skeleton *given = source->options->skeleton;
    if (file->header.is_rigid != 0)
        file->bone_count = file->header.attached_bone + 1u;
    if (given != NULL) {
        if (file->bone_count > given->bone_count)
            return emberi_failf(source->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                                "the mesh follows bone %u, the skeleton has %u bones", (unsigned)file->bone_count - 1,
                                (unsigned)given->bone_count);
        return emberi_skeleton_copy(out, given, source->arena) ? EMBER_OK : emberi_fail_memory(source->err);
    }
    if (file->bone_count == 0)
        return EMBER_OK;
    int16_t *parents = EMBER_PUSH(source->arena, int16_t, file->bone_count);
    if (parents == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < file->bone_count; i++)
        parents[i] = EMBER_NO_PARENT;
    out->bone_count = file->bone_count;
    out->parents = parents;
    return EMBER_OK;
}

static void ewzmesh_fill(const ewzmesh_file *file, ember_mesh *mesh)
{
    const ewzmesh_arrays *a = &file->arrays;
    uint8_t               format = file->header.format;
    mesh->vertex_count = file->header.vertex_count;
    mesh->index_count = file->header.index_count != 0 ? file->header.index_count : file->header.vertex_count;
    mesh->indices = a->indices;
    mesh->positions = a->positions;
    mesh->normals = (format & EWZMESH_NORMAL) != 0 ? a->normals : NULL;
    mesh->uvs = (format & EWZMESH_UV) != 0 ? (const float(*)[2])a->uvs : NULL;
    mesh->colors = (format & EWZMESH_COLOR) != 0 ? (const float(*)[4])a->colors : NULL;
    mesh->tangents = (format & EWZMESH_TANGENT) != 0 ? (const float(*)[4])a->tangents : NULL;
    mesh->joints = (format & EWZMESH_SKINNED) != 0 ? (const uint16_t(*)[4])a->joints : NULL;
    mesh->weights = (format & EWZMESH_SKINNED) != 0 ? (const float(*)[4])a->weights : NULL;
    mesh->bone = file->header.is_rigid != 0 ? file->header.attached_bone : -1;
    for (int i = 0; i < 4; i++)
        mesh->base_color[i] = 1.0f;
}

static ember_status ewzmesh_read(ember_model *out, const emberi_source *source)
{
    ewzmesh_file file = {.source = source, .scale = source->options->scale != 0.0 ? (float)source->options->scale : 1.0f};
    ember_status status = ewzmesh_check(&file);
    if (status == EMBER_OK)
        status = ewzmesh_allocate(&file);
    if (status != EMBER_OK)
        return status;
    file.reader = emberi_reader_init(source->data, source->size);
    emberi_reader_take(&file.reader, EWZMESH_HEADER_SIZE);
    status = ewzmesh_get_vertices(&file);
    if (status == EMBER_OK)
        status = ewzmesh_get_indices(&file);
    if (status == EMBER_OK)
        status = ewzmesh_skeleton(&file, &out->skeleton);
    if (status != EMBER_OK)
        return status;
    ember_mesh *mesh = EMBER_PUSH(source->arena, ember_mesh, 1);
    if (mesh == NULL || (mesh->name = emberi_name_from_path(source->arena, source->options->path)) == NULL)
        return emberi_fail_memory(source->err);
    ewzmesh_fill(&file, mesh);
    out->meshes = mesh;
    out->mesh_count = 1;
    if (file.off_weights != 0)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "weights of %u vertices do not sum to 1, and are made to", (unsigned)file.off_weights);
    return EMBER_OK;
}

const emberi_format_ops emberi_ewzmesh_ops = {
    .info = {EMBER_FORMAT_EWZMESH, "ewzmesh", "Emberware Z mesh", "ewzmesh nczxmesh", true, true, false},
    .sniff = ewzmesh_sniff,
    .read = ewzmesh_read,
    .write = emberi_ewzmesh_write,
};
