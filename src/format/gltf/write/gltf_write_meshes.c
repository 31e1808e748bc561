/* SPDX-License-Identifier: MIT */
/* Meshes, materials and images of the glTF writer. What the format forbids (vectors that are not of unit
   length, colours beyond 1, weights that do not sum to 1) is repaired, what cannot be stored at all is an
   error or a note. */
#include <string.h>

#include "base/maths.h"
#include "format/gltf/write/gltf_write_parts.h"
#include "format/mesh/ewzmesh.h"

/* ---- numbers ---- */

static ember_status meshes_floats(gltf_writer *writer, const ember_mesh *mesh, const float *values,
                                  size_t count, const char *what)
{
    for (size_t i = 0; values != NULL && i < count; i++)
        if (!emberi_is_finite(values[i]))
            return emberi_failf(writer->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                                "mesh %s: a number of its %s is not finite", emberi_quote(mesh->name).text,
                                what);
    return EMBER_OK;
}

static ember_status meshes_check(gltf_writer *writer, const ember_mesh *mesh)
{
    size_t       count = mesh->vertex_count;
    ember_status status = meshes_floats(writer, mesh, (const float *)mesh->positions, count * 3, "positions");
    if (status == EMBER_OK)
        status = meshes_floats(writer, mesh, (const float *)mesh->normals, count * 3, "normals");
    if (status == EMBER_OK)
        status = meshes_floats(writer, mesh, (const float *)mesh->tangents, count * 4, "tangents");
    if (status == EMBER_OK)
        status = meshes_floats(writer, mesh, (const float *)mesh->uvs, count * 2, "texture coordinates");
    if (status == EMBER_OK)
        status = meshes_floats(writer, mesh, (const float *)mesh->colors, count * 4, "colours");
    return status;
}

/* Makes a direction of unit length; what has none becomes `or_else`, and is counted. */
static uint32_t meshes_unit(float v[3], const float or_else[3])
{
    double square = (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
    double length = __builtin_sqrt(square);
    for (int i = 0; i < 3; i++)
        v[i] = square > 1e-30 ? (float)((double)v[i] / length) : or_else[i];
    return square > 1e-30 ? 0u : 1u;
}

static ember_status meshes_normals(gltf_writer *writer, const ember_mesh *mesh, uint32_t *accessor)
{
    static const float up[3] = {0.0f, 1.0f, 0.0f};
    float(*normals)[3] =
        ember_arena_push(&writer->scratch, mesh->vertex_count, sizeof(*normals), _Alignof(float));
    uint32_t odd = 0;
    if (normals == NULL)
        return emberi_fail_memory(writer->err);
    memcpy(normals, mesh->normals, mesh->vertex_count * sizeof(*normals));
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        odd += meshes_unit(normals[i], up);
    if (odd != 0)
        emberi_notef(&writer->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "mesh %s: %u normals have no direction and point upwards", emberi_quote(mesh->name).text,
                     (unsigned)odd);
    return emberi_gltfw_vertices(writer, normals[0], mesh->vertex_count, 3, false, accessor);
}

static ember_status meshes_tangents(gltf_writer *writer, const ember_mesh *mesh, uint32_t *accessor)
{
    static const float side[3] = {1.0f, 0.0f, 0.0f};
    float(*tangents)[4] =
        ember_arena_push(&writer->scratch, mesh->vertex_count, sizeof(*tangents), _Alignof(float));
    if (tangents == NULL)
        return emberi_fail_memory(writer->err);
    memcpy(tangents, mesh->tangents, mesh->vertex_count * sizeof(*tangents));
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        (void)meshes_unit(tangents[i], side);
        tangents[i][3] = tangents[i][3] < 0.0f ? -1.0f : 1.0f;
    }
    return emberi_gltfw_vertices(writer, tangents[0], mesh->vertex_count, 4, false, accessor);
}

static ember_status meshes_colors(gltf_writer *writer, const ember_mesh *mesh, uint32_t *accessor)
{
    float(*colors)[4] =
        ember_arena_push(&writer->scratch, mesh->vertex_count, sizeof(*colors), _Alignof(float));
    if (colors == NULL)
        return emberi_fail_memory(writer->err);
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        for (int k = 0; k < 4; k++)
            colors[i][k] = emberi_clamp(mesh->colors[i][k], 0.0f, 1.0f);
    return emberi_gltfw_vertices(writer, colors[0], mesh->vertex_count, 4, false, accessor);
}

/* No joint twice, none without weight, and a sum of 1. */
static void meshes_influences(uint16_t joints[4], float weights[4])
{
    for (int i = 0; i < 4; i++)
        for (int k = i + 1; k < 4; k++)
            if (joints[k] == joints[i] && weights[k] > 0.0f && weights[i] > 0.0f) {
                weights[i] += weights[k];
                weights[k] = 0.0f;
            }
    (void)emberi_weights_tidy(joints, weights);
    weights[0] = (float)(1.0 - (double)weights[1] - (double)weights[2] - (double)weights[3]);
}

static ember_status meshes_skin(gltf_writer *writer, const ember_mesh *mesh, gltfw_mesh *out)
{
    uint32_t count = mesh->vertex_count;
    uint16_t(*joints)[4] = ember_arena_push(&writer->scratch, count, sizeof(*joints), _Alignof(uint16_t));
    float(*weights)[4] = ember_arena_push(&writer->scratch, count, sizeof(*weights), _Alignof(float));
    if (joints == NULL || weights == NULL)
        return emberi_fail_memory(writer->err);
    memcpy(joints, mesh->joints, count * sizeof(*joints));
    memcpy(weights, mesh->weights, count * sizeof(*weights));
    for (uint32_t i = 0; i < count; i++)
        meshes_influences(joints[i], weights[i]);
    ember_status status = emberi_gltfw_joints(writer, (const uint16_t(*)[4])joints, count, &out->joints);
    return status == EMBER_OK ? emberi_gltfw_vertices(writer, weights[0], count, 4, false, &out->weights)
                              : status;
}

/* ---- materials ---- */

static ember_status meshes_image(gltf_writer *writer, const ember_mesh *mesh, uint32_t *image)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'}, jpeg[3] = {0xff, 0xd8, 0xff};
    bool                 is_png = mesh->texture_size >= 8 && memcmp(mesh->texture, png, 8) == 0;
    uint32_t             view;
    *image = GLTF_NONE;
    if (!is_png && !(mesh->texture_size >= 3 && memcmp(mesh->texture, jpeg, 3) == 0)) {
        emberi_notef(&writer->options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "mesh %s: a texture that is neither PNG nor JPEG is not stored",
                     emberi_quote(mesh->name).text);
        return EMBER_OK;
    }
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->images, gltfw_image); i++) {
        const gltfw_image *known = GLTFW_AT(writer->images, gltfw_image, i);
        if (known->size == mesh->texture_size &&
            (known->data == mesh->texture || memcmp(known->data, mesh->texture, known->size) == 0)) {
            *image = i;
            return EMBER_OK;
        }
    }
    ember_status status = emberi_gltfw_view_begin(writer, 0, &view);
    if (status != EMBER_OK)
        return status;
    gltfw_image *record = GLTFW_ADD(&writer->images, gltfw_image);
    if (record == NULL || !ember_buffer_append(&writer->bin, mesh->texture, mesh->texture_size))
        return emberi_fail_memory(writer->err);
    emberi_gltfw_view_end(writer, view);
    *record = (gltfw_image){mesh->texture, mesh->texture_size, view, is_png};
    *image = GLTFW_COUNT(writer->images, gltfw_image) - 1;
    return EMBER_OK;
}

static ember_status meshes_material(gltf_writer *writer, const ember_mesh *mesh, uint32_t *out)
{
    gltfw_material material = {.image = GLTF_NONE};
    ember_status   status = EMBER_OK;
    if (mesh->texture != NULL && mesh->uvs != NULL)
        status = meshes_image(writer, mesh, &material.image);
    else if (mesh->texture != NULL)
        emberi_notef(&writer->options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "mesh %s: a texture without texture coordinates is not stored",
                     emberi_quote(mesh->name).text);
    if (status != EMBER_OK)
        return status;
    for (int i = 0; i < 4; i++)
        material.color[i] = emberi_clamp(mesh->base_color[i], 0.0f, 1.0f);
    for (*out = 0; *out < GLTFW_COUNT(writer->materials, gltfw_material); ++*out) {
        const gltfw_material *known = GLTFW_AT(writer->materials, gltfw_material, *out);
        if (known->image == material.image &&
            memcmp(known->color, material.color, sizeof(material.color)) == 0)
            return EMBER_OK;
    }
    gltfw_material *record = GLTFW_ADD(&writer->materials, gltfw_material);
    if (record == NULL)
        return emberi_fail_memory(writer->err);
    *record = material;
    return EMBER_OK;
}

/* ---- meshes ---- */

static ember_status meshes_attributes(gltf_writer *writer, const ember_mesh *mesh, gltfw_mesh *out)
{
    ember_status status =
        emberi_gltfw_vertices(writer, &mesh->positions[0].x, mesh->vertex_count, 3, true, &out->positions);
    if (status == EMBER_OK && mesh->normals != NULL)
        status = meshes_normals(writer, mesh, &out->normals);
    if (status == EMBER_OK && mesh->tangents != NULL && mesh->normals != NULL)
        status = meshes_tangents(writer, mesh, &out->tangents);
    if (status == EMBER_OK && mesh->uvs != NULL)
        status = emberi_gltfw_vertices(writer, mesh->uvs[0], mesh->vertex_count, 2, false, &out->uvs);
    if (status == EMBER_OK && mesh->colors != NULL)
        status = meshes_colors(writer, mesh, &out->colors);
    if (status == EMBER_OK && mesh->joints != NULL)
        status = meshes_skin(writer, mesh, out);
    if (status == EMBER_OK)
        status =
            emberi_gltfw_indices(writer, mesh->indices, mesh->index_count, mesh->vertex_count, &out->indices);
    return status == EMBER_OK ? meshes_material(writer, mesh, &out->material) : status;
}

static ember_status meshes_mesh(gltf_writer *writer, const ember_mesh *mesh, bool bone_shapes)
{
    gltfw_mesh   record = {mesh->name,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                           GLTF_NONE,
                         mesh->joints == NULL ? mesh->bone : -1,
                           bone_shapes};
    ember_status status = meshes_check(writer, mesh);
    if (status != EMBER_OK)
        return status;
    if (mesh->vertex_count == 0 || mesh->index_count == 0) {
        emberi_notef(&writer->options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "mesh %s has no triangles and is not stored", emberi_quote(mesh->name).text);
        return EMBER_OK;
    }
    ember_arena_mark mark = ember_arena_save(&writer->scratch);
    status = meshes_attributes(writer, mesh, &record);
    ember_arena_restore(&writer->scratch, mark);
    gltfw_mesh *out = status == EMBER_OK ? GLTFW_ADD(&writer->meshes, gltfw_mesh) : NULL;
    if (status == EMBER_OK && out == NULL)
        return emberi_fail_memory(writer->err);
    if (out != NULL)
        *out = record;
    return status;
}

ember_status emberi_gltfw_meshes(gltf_writer *writer)
{
    const ember_model *model = writer->model;
    ember_status       status = EMBER_OK;
    ember_mesh         shapes;
    for (uint32_t i = 0; i < model->mesh_count && status == EMBER_OK; i++)
        status = meshes_mesh(writer, &model->meshes[i], false);
    /* Whoever brings a glTF without meshes wants it that way. */
    bool same = model->format == EMBER_FORMAT_GLTF || model->format == EMBER_FORMAT_GLB;
    if (status != EMBER_OK || writer->meshes.size != 0 || model->skeleton.bone_count == 0 || same)
        return status;
    ember_arena_mark mark = ember_arena_save(&writer->scratch);
    if (!emberi_gltfw_bone_shapes(writer, &shapes))
        return emberi_fail_memory(writer->err);
    status = meshes_mesh(writer, &shapes, true);
    ember_arena_restore(&writer->scratch, mark);
    return status;
}
