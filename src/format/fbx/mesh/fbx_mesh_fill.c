/* SPDX-License-Identifier: MIT */
/* Vertices and triangles on their way into the model: through the mesh's own place or those of its joints. A
   place that no float can hold is an error. */
#include "format/fbx/mesh/fbx_mesh_job.h"

#include <string.h>

static void add_scaled(real_mat *sum, const real_mat *m, double weight)
{
    for (int k = 0; k < 12; k++)
        sum->m[k / 4][k % 4] += weight * m->m[k / 4][k % 4];
}

static real_mat place_of_point(const mesh_places *places, uint32_t point, uint32_t *blended)
{
    real_mat sum = {{{0}}};
    if (places->weights == NULL || places->weights[point].weight[0] <= 0.0f)
        return places->whole;
    const fbx_weights *w = &places->weights[point];
    if (!places->differ || w->weight[1] <= 0.0f)
        return places->clusters[w->cluster[0]];
    for (int k = 0; k < 4 && w->weight[k] > 0.0f; k++)
        add_scaled(&sum, &places->clusters[w->cluster[k]], (double)w->weight[k]);
    ++*blended;
    return sum;
}

static bool fits_float(const double p[3])
{
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= -3.4028234663852886e38 && p[k] <= 3.4028234663852886e38))
            return false;
    return true;
}

static ember_vec3 unit_vector(const double v[3])
{
    double length = emberi_real_length(v[0], v[1], v[2]);
    if (!(length > 1e-30) || !emberi_real_is_finite(length))
        return (ember_vec3){0.0f, 0.0f, 0.0f};
    return (ember_vec3){(float)(v[0] / length), (float)(v[1] / length), (float)(v[2] / length)};
}

typedef struct mesh_arrays {
    ember_vec3 *positions, *normals;
    float (*uvs)[2];
    float (*colors)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
} mesh_arrays;

static ember_status arrays_make(const mesh_job *job, const mesh_places *places, mesh_arrays *out)
{
    fbx_file    *file = &job->scene->doc->file;
    ember_arena *arena = file->source->arena;
    size_t       count = job->vertex_count;
    memset(out, 0, sizeof(*out));
    EMBERI_TRY(FBX_PUSH(file, &out->positions, arena, ember_vec3, count));
    if (job->normals.mapping != FBX_MAP_NONE)
        EMBERI_TRY(FBX_PUSH(file, &out->normals, arena, ember_vec3, count));
    if (job->uvs.mapping != FBX_MAP_NONE)
        EMBERI_TRY(FBX_PUSH(file, &out->uvs, arena, float[2], count));
    if (job->has_colors)
        EMBERI_TRY(FBX_PUSH(file, &out->colors, arena, float[4], count));
    if (places->weights != NULL) {
        EMBERI_TRY(FBX_PUSH(file, &out->joints, arena, uint16_t[4], count));
        EMBERI_TRY(FBX_PUSH(file, &out->weights, arena, float[4], count));
    }
    return FBX_PUSH(file, &out->indices, arena, uint32_t, job->index_count);
}

static void fill_weights(const mesh_places *places, mesh_arrays *out, uint32_t vertex, uint32_t point)
{
    const fbx_weights *w = &places->weights[point];
    for (int k = 0; k < 4; k++) {
        out->joints[vertex][k] = w->weight[k] > 0.0f ? places->joints[w->cluster[k]] : 0;
        out->weights[vertex][k] = w->weight[k];
    }
    if (w->weight[0] <= 0.0f) {
        out->joints[vertex][0] = places->own;
        out->weights[vertex][0] = 1.0f;
    }
}

static ember_status fill_vertex(const mesh_job *job, const mesh_places *places, mesh_arrays *out, uint32_t i)
{
    const mesh_vertex *v = &job->vertices[i];
    const float       *p = job->points + 3 * (size_t)v->point;
    uint32_t           blended = 0;
    real_mat           place = place_of_point(places, v->point, &blended);
    double             from[3] = {(double)p[0], (double)p[1], (double)p[2]}, to[3];
    emberi_fbx_mesh_note(job, NOTE_BLENDED, blended);
    emberi_real_mat_point(to, &place, from);
    if (!fits_float(to))
        return emberi_failf(
            job->scene->doc->file.source->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
            "fbx: mesh %s: a vertex is too far away",
            emberi_fbx_quote(job->scene->doc->objects[job->scene->nodes[job->node].object].name).text);
    out->positions[i] = (ember_vec3){(float)to[0], (float)to[1], (float)to[2]};
    if (out->normals != NULL) {
        double normal[3] = {(double)v->normal[0], (double)v->normal[1], (double)v->normal[2]};
        emberi_real_mat_normal(to, &place, normal);
        out->normals[i] = unit_vector(to);
    }
    if (out->uvs != NULL)
        memcpy(out->uvs[i], v->uv, sizeof(v->uv));
    if (out->colors != NULL)
        memcpy(out->colors[i], v->color, sizeof(v->color));
    if (places->weights != NULL)
        fill_weights(places, out, i, v->point);
    return EMBER_OK;
}

ember_status emberi_fbx_mesh_fill(const mesh_job *job, const mesh_places *places, ember_mesh *out)
{
    mesh_arrays arrays;
    EMBERI_TRY(arrays_make(job, places, &arrays));
    for (uint32_t i = 0; i < job->vertex_count; i++)
        EMBERI_TRY(fill_vertex(job, places, &arrays, i));
    bool mirrored =
        emberi_real_mat_det(places->clusters != NULL ? &places->clusters[0] : &places->whole) < 0.0;
    for (size_t i = 0; i < job->index_count; i++)
        arrays.indices[i] = job->indices[mirrored ? i / 3 * 3 + 2 - i % 3 : i];
    out->vertex_count = job->vertex_count;
    out->positions = arrays.positions;
    out->normals = arrays.normals;
    out->uvs = (const float(*)[2])arrays.uvs;
    out->colors = (const float(*)[4])arrays.colors;
    out->joints = (const uint16_t(*)[4])arrays.joints;
    out->weights = (const float(*)[4])arrays.weights;
    out->index_count = (uint32_t)job->index_count;
    out->indices = arrays.indices;
    return EMBER_OK;
}
