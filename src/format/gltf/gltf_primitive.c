/* SPDX-License-Identifier: MIT */
/* One primitive of a mesh: its accessors checked against each other, then its vertices and triangles written
   where the merged mesh wants them. Every index is checked as it is copied. */
#include "format/gltf/gltf.h"

#include <stdio.h>
#include <string.h>

#define MODE_TRIANGLES 4u
#define MODE_STRIP 5u
#define MODE_FAN 6u

/* ---- reading ---- */

static ember_status attribute_read(gltf_doc *doc, gltf_accessor *out, const json_t *attributes,
                                   const char *name, uint32_t components, uint32_t or_components,
                                   uint32_t count, gltf_where where)
{
    if (json_object_get(attributes, name) == NULL)
        return EMBER_OK;
    ember_status status =
        emberi_gltf_accessor_of(doc, out, attributes, name, components, or_components, where);
    if (status == EMBER_OK && out->count != count)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, name, "%u elements for %u vertices",
                                out->count, count);
    return status;
}

static ember_status weights_read(gltf_doc *doc, gltf_primitive *out, const json_t *attributes,
                                 gltf_where where)
{
    for (uint32_t set = 0; set < GLTF_WEIGHT_SETS; set++) {
        char joints[16], weights[16];
        (void)snprintf(joints, sizeof(joints), "JOINTS_%u", set);
        (void)snprintf(weights, sizeof(weights), "WEIGHTS_%u", set);
        if (json_object_get(attributes, joints) == NULL || json_object_get(attributes, weights) == NULL)
            break;
        ember_status status =
            attribute_read(doc, &out->joints[set], attributes, joints, 4, 4, out->position.count, where);
        if (status == EMBER_OK)
            status = attribute_read(doc, &out->weights[set], attributes, weights, 4, 4, out->position.count,
                                    where);
        if (status != EMBER_OK)
            return status;
        gltf_component type = out->joints[set].type;
        if (type != GLTF_U8 && type != GLTF_U16 && type != GLTF_U32)
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, joints, "whole numbers expected");
        out->set_count++;
    }
    return EMBER_OK;
}

static ember_status vertices_read(gltf_doc *doc, gltf_primitive *out, const json_t *attributes,
                                  gltf_where where)
{
    char         uv[16];
    uint32_t     count = out->position.count;
    ember_status status = attribute_read(doc, &out->normal, attributes, "NORMAL", 3, 3, count, where);
    (void)snprintf(uv, sizeof(uv), "TEXCOORD_%u", out->material.uv);
    if (status == EMBER_OK)
        status = attribute_read(doc, &out->tangent, attributes, "TANGENT", 4, 4, count, where);
    if (status == EMBER_OK)
        status = attribute_read(doc, &out->uv, attributes, uv, 2, 2, count, where);
    if (status == EMBER_OK)
        status = attribute_read(doc, &out->color, attributes, "COLOR_0", 4, 3, count, where);
    return status == EMBER_OK ? weights_read(doc, out, attributes, where) : status;
}

/* How many corners the triangles have that this many indices (or vertices) make. */
static uint32_t corners_of(uint32_t mode, uint32_t count)
{
    if (mode == MODE_TRIANGLES)
        return count / 3 * 3;
    return count >= 3 && count - 2 <= UINT32_MAX / 3 ? (count - 2) * 3 : 0;
}

/* Whether the vertices are only there compressed: the accessors describe them, and no view has them. */
static ember_status draco_check(gltf_doc *doc, const json_t *object, const json_t *attributes,
                                gltf_where where)
{
    const json_t *packed;
    uint32_t      position;
    ember_status  status =
        emberi_gltf_get_extension(doc, &packed, object, "KHR_draco_mesh_compression", where);
    if (status == EMBER_OK && packed != NULL)
        status = emberi_gltf_get_index(doc, &position, attributes, "POSITION", GLTF_ACCESSORS, where);
    if (status != EMBER_OK || packed == NULL || position == GLTF_NONE ||
        json_object_get(emberi_gltf_item(doc, GLTF_ACCESSORS, position), "bufferView") != NULL)
        return status;
    return emberi_gltf_fail(doc, EMBER_E_UNSUPPORTED, where, NULL,
                            "it is compressed by Draco (KHR_draco_mesh_compression), which is not read");
}

ember_status emberi_gltf_primitive_read(gltf_doc *doc, gltf_primitive *out, bool *usable, uint32_t mesh,
                                        uint32_t index)
{
    gltf_where    where = {GLTF_MESHES, mesh, "primitives", index};
    const json_t *object =
        json_array_get(json_object_get(emberi_gltf_item(doc, GLTF_MESHES, mesh), "primitives"), index);
    const json_t *attributes;
    uint64_t      mode;
    uint32_t      material;
    memset(out, 0, sizeof(*out));
    *usable = false;
    out->where = where;
    ember_status status = emberi_gltf_get_uint(doc, &mode, object, "mode", MODE_TRIANGLES, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_object(doc, &attributes, object, "attributes", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_index(doc, &material, object, "material", GLTF_MATERIALS, where);
    if (status == EMBER_OK)
        status = emberi_gltf_material_get(doc, &out->material, material);
    if (status != EMBER_OK)
        return status;
    if (mode > MODE_FAN)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "mode", "%llu is none",
                                (unsigned long long)mode);
    if (mode < MODE_TRIANGLES || json_object_get(attributes, "POSITION") == NULL)
        return EMBER_OK;
    out->mode = (uint32_t)mode;
    EMBERI_TRY(draco_check(doc, object, attributes, where));
    status = emberi_gltf_accessor_of(doc, &out->position, attributes, "POSITION", 3, 3, where);
    if (status == EMBER_OK)
        status = vertices_read(doc, out, attributes, where);
    if (status == EMBER_OK && json_object_get(object, "indices") != NULL) {
        status = emberi_gltf_accessor_of(doc, &out->indices, object, "indices", 1, 1, where);
        if (status == EMBER_OK &&
            (out->indices.type == GLTF_F32 || out->indices.type == GLTF_I8 || out->indices.type == GLTF_I16))
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "indices",
                                    "whole numbers, 0 or more, expected");
    }
    out->corner_count =
        corners_of(out->mode, out->indices.data != NULL ? out->indices.count : out->position.count);
    *usable = out->corner_count != 0;
    return status;
}

/* ---- vertices ---- */

/* Broken exporters leave NaN in normals and tangents of empty triangles; only positions must be right. */
static bool numbers_clean(gltf_mesh_job *job, double *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (emberi_gltf_fits_float(numbers[i]))
            continue;
        for (uint32_t k = 0; k < count; k++)
            numbers[k] = 0.0;
        job->odd_numbers++;
        return false;
    }
    return true;
}

static void direction_normalize(double v[3])
{
    double length = emberi_real_length(v[0], v[1], v[2]);
    for (int i = 0; length > 0.0 && i < 3; i++)
        v[i] /= length;
}

static void normal_turn(const gltf_mesh_job *job, double n[3])
{
    double out[3];
    emberi_real_mat_normal(out, &job->place, n);
    direction_normalize(out);
    for (int i = 0; i < 3; i++)
        n[i] = job->mirrored ? -out[i] : out[i];
}

static ember_status fill_positions(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first)
{
    double scale = emberi_gltf_scale(job->doc), p[3];
    for (uint32_t i = 0; i < primitive->position.count; i++) {
        emberi_gltf_fetch(p, &primitive->position, i);
        if (job->placed)
            emberi_real_mat_point(p, &job->place, (const double[3]){p[0], p[1], p[2]});
        for (int k = 0; k < 3; k++)
            p[k] *= scale;
        if (!emberi_gltf_fits_float(p[0]) || !emberi_gltf_fits_float(p[1]) || !emberi_gltf_fits_float(p[2]))
            return emberi_gltf_fail(job->doc, EMBER_E_RANGE, primitive->where, "POSITION",
                                    "vertex %u is not finite", i);
        job->positions[first + i] = (ember_vec3){(float)p[0], (float)p[1], (float)p[2]};
    }
    return EMBER_OK;
}

static void fill_normals(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first)
{
    double n[3];
    for (uint32_t i = 0; primitive->normal.data != NULL && i < primitive->normal.count; i++) {
        emberi_gltf_fetch(n, &primitive->normal, i);
        if (numbers_clean(job, n, 3) && job->placed)
            normal_turn(job, n);
        else if (primitive->normal.type != GLTF_F32)
            direction_normalize(n);
        job->normals[first + i] = (ember_vec3){(float)n[0], (float)n[1], (float)n[2]};
    }
}

static void fill_tangents(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first)
{
    double t[4];
    for (uint32_t i = 0; primitive->tangent.data != NULL && i < primitive->tangent.count; i++) {
        emberi_gltf_fetch(t, &primitive->tangent, i);
        if (numbers_clean(job, t, 4) && job->placed) {
            emberi_real_mat_direction(t, &job->place, (const double[3]){t[0], t[1], t[2]});
            direction_normalize(t);
            t[3] = job->mirrored ? -t[3] : t[3];
        }
        for (int k = 0; k < 4; k++)
            job->tangents[first + i][k] = (float)t[k];
    }
}

static void fill_uvs(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first)
{
    double uv[2];
    for (uint32_t i = 0; primitive->uv.data != NULL && i < primitive->uv.count; i++) {
        emberi_gltf_fetch(uv, &primitive->uv, i);
        for (int k = 0; k < 2; k++)
            uv[k] = uv[k] * primitive->material.uv_scale[k] + primitive->material.uv_offset[k];
        (void)numbers_clean(job, uv, 2);
        job->uvs[first + i][0] = (float)uv[0];
        job->uvs[first + i][1] = (float)uv[1];
    }
}

static void fill_colors(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first)
{
    for (uint32_t i = 0; job->colors != NULL && i < primitive->position.count; i++) {
        double color[4] = {1.0, 1.0, 1.0, 1.0};
        if (primitive->color.data != NULL)
            emberi_gltf_fetch(color, &primitive->color, i);
        (void)numbers_clean(job, color, 4);
        for (int k = 0; k < 4; k++) {
            double value = color[k] * (job->tinted ? (double)primitive->material.color[k] : 1.0);
            job->colors[first + i][k] = (float)(value > 0.0 ? value < 1.0 ? value : 1.0 : 0.0);
        }
    }
}

/* ---- weights ---- */

typedef struct influence {
    uint32_t bone;
    double   weight;
} influence;

/* The same bone twice is one influence; the largest come first, and of equal ones the first. */
static uint32_t influence_add(influence *list, uint32_t count, influence add)
{
    uint32_t at = 0;
    while (at < count && list[at].bone != add.bone)
        at++;
    if (at < count)
        add.weight += list[at].weight;
    else
        count++;
    for (; at > 0 && list[at - 1].weight < add.weight; at--)
        list[at] = list[at - 1];
    list[at] = add;
    return count;
}

static ember_status vertex_weights(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t vertex,
                                   influence *list, uint32_t *count)
{
    *count = 0;
    for (uint32_t set = 0; set < primitive->set_count; set++) {
        double weights[4];
        emberi_gltf_fetch(weights, &primitive->weights[set], vertex);
        (void)numbers_clean(job, weights, 4);
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t joint = emberi_gltf_fetch_uint(&primitive->joints[set], vertex, k);
            if (!(weights[k] > 0.0))
                continue;
            if (joint >= job->joint_count)
                return emberi_gltf_fail(job->doc, EMBER_E_MALFORMED, primitive->where, "JOINTS",
                                        "joint %u of %u at vertex %u", joint, job->joint_count, vertex);
            *count = influence_add(list, *count, (influence){job->bones[joint], weights[k]});
        }
    }
    if (*count != 0)
        return EMBER_OK;
    /* Nothing holds it: it goes with the joint it names first. */
    uint32_t joint = primitive->set_count != 0 ? emberi_gltf_fetch_uint(&primitive->joints[0], vertex, 0) : 0;
    list[0] = (influence){job->bones[joint < job->joint_count ? joint : 0], 1.0};
    *count = 1;
    job->without_weights++;
    return EMBER_OK;
}

static ember_status fill_weights(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first)
{
    for (uint32_t i = 0; job->joints != NULL && i < primitive->position.count; i++) {
        influence    list[GLTF_WEIGHT_SETS * 4];
        uint32_t     count;
        double       sum = 0.0;
        ember_status status = vertex_weights(job, primitive, i, list, &count);
        if (status != EMBER_OK)
            return status;
        count = count < 4 ? count : 4;
        for (uint32_t k = 0; k < count; k++)
            sum += list[k].weight;
        for (uint32_t k = 0; k < count; k++) {
            job->joints[first + i][k] = (uint16_t)list[k].bone;
            job->weights[first + i][k] = (float)(list[k].weight / sum);
        }
    }
    return EMBER_OK;
}

/* ---- triangles ---- */

static uint32_t corner_source(uint32_t mode, uint32_t corner)
{
    uint32_t triangle = corner / 3, k = corner % 3;
    if (mode == MODE_STRIP)
        return triangle + (k == 0 ? 0 : k == 1 ? 1 + triangle % 2 : 2 - triangle % 2);
    if (mode == MODE_FAN)
        return k == 2 ? 0 : triangle + 1 + k;
    return corner;
}

static ember_status fill_indices(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first_vertex,
                                 uint32_t first_corner)
{
    uint32_t vertices = primitive->position.count;
    for (uint32_t i = 0; i < primitive->corner_count; i++) {
        uint32_t vertex = corner_source(primitive->mode, i);
        if (primitive->indices.data != NULL)
            vertex = emberi_gltf_fetch_uint(&primitive->indices, vertex, 0);
        if (vertex >= vertices)
            return emberi_gltf_fail(job->doc, EMBER_E_MALFORMED, primitive->where, "indices",
                                    "vertex %u of %u", vertex, vertices);
        /* Corners 1 and 2 change places in a mirror. */
        uint32_t to = job->mirrored && i % 3 != 0 ? i / 3 * 3 + 3 - i % 3 : i;
        job->indices[first_corner + to] = first_vertex + vertex;
    }
    return EMBER_OK;
}

/* Where others of the mesh have normals and this primitive has none: those of its triangles, mixed
   by their size. */
static void make_normals(gltf_mesh_job *job, const gltf_primitive *primitive, uint32_t first_vertex,
                         uint32_t first_corner)
{
    for (uint32_t i = 0; i < primitive->corner_count; i += 3) {
        const uint32_t *corners = job->indices + first_corner + i;
        ember_vec3      p = job->positions[corners[0]], q = job->positions[corners[1]],
                   r = job->positions[corners[2]];
        ember_vec3 a = {q.x - p.x, q.y - p.y, q.z - p.z}, b = {r.x - p.x, r.y - p.y, r.z - p.z};
        ember_vec3 n = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
        for (int k = 0; k < 3; k++) {
            ember_vec3 *to = &job->normals[corners[k]];
            *to = (ember_vec3){to->x + n.x, to->y + n.y, to->z + n.z};
        }
    }
    for (uint32_t i = 0; i < primitive->position.count; i++) {
        ember_vec3 *to = &job->normals[first_vertex + i];
        double      n[3] = {(double)to->x, (double)to->y, (double)to->z};
        direction_normalize(n);
        (void)numbers_clean(job, n, 3);
        *to = (ember_vec3){(float)n[0], (float)n[1], (float)n[2]};
    }
}

ember_status emberi_gltf_primitive_fill(gltf_mesh_job *job, const gltf_primitive *primitive,
                                        uint32_t first_vertex, uint32_t first_corner)
{
    ember_status status = fill_positions(job, primitive, first_vertex);
    if (status == EMBER_OK)
        status = fill_weights(job, primitive, first_vertex);
    if (status == EMBER_OK)
        status = fill_indices(job, primitive, first_vertex, first_corner);
    if (status != EMBER_OK)
        return status;
    fill_normals(job, primitive, first_vertex);
    fill_tangents(job, primitive, first_vertex);
    fill_uvs(job, primitive, first_vertex);
    fill_colors(job, primitive, first_vertex);
    if (job->normals != NULL && primitive->normal.data == NULL)
        make_normals(job, primitive, first_vertex, first_corner);
    return EMBER_OK;
}
