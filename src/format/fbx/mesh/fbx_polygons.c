/* SPDX-License-Identifier: MIT */
/* The polygons of a mesh: points, what lies on the corners, vertices made of both, triangles. Polygons with
   points that do not exist are left out, and that is reported. */
#include "format/fbx/mesh/fbx_mesh_job.h"

#include <string.h>

/* How many vertices of one control point are compared before a new one is made all the same. */
#define WELD_STEPS 64

/* ---- what there is ---- */

static ember_status geometry_read(mesh_job *job)
{
    fbx_scene *scene = job->scene;
    fbx_file  *file = &scene->doc->file;
    uint32_t   record = scene->doc->objects[job->geometry].record;
    void      *points, *polygons;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &points, &job->point_count,
                                  emberi_fbx_child(file, record, "Vertices"), FBX_F32));
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &polygons, &job->corner_count,
                                  emberi_fbx_child(file, record, "PolygonVertexIndex"), FBX_I32));
    job->points = points;
    job->point_count /= 3;
    job->polygons = polygons;
    if (job->corner_count > UINT32_MAX / 4 || job->point_count > UINT32_MAX / 4)
        return emberi_failf(file->source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "fbx: mesh %s has more corners than can be counted",
                            emberi_fbx_quote(scene->doc->objects[scene->nodes[job->node].object].name).text);
    EMBERI_TRY(emberi_fbx_element_read(scene, &job->normals, job->geometry, "LayerElementNormal", "Normals",
                                       "NormalsIndex", 3));
    EMBERI_TRY(
        emberi_fbx_element_read(scene, &job->uvs, job->geometry, "LayerElementUV", "UV", "UVIndex", 2));
    EMBERI_TRY(emberi_fbx_element_read(scene, &job->colors, job->geometry, "LayerElementColor", "Colors",
                                       "ColorIndex", 4));
    return emberi_fbx_materials_read(scene, &job->material_mapping, &job->material_indexes,
                                     &job->material_count, job->geometry);
}

static ember_status materials_read(mesh_job *job)
{
    fbx_file *file = &job->scene->doc->file;
    uint32_t  count = emberi_fbx_material_count(job->scene, job->node);
    job->materials_there = count != 0 && count < 4096 ? count : 1;
    EMBERI_TRY(FBX_PUSH(file, &job->materials, &file->pass, fbx_material, job->materials_there));
    for (uint32_t i = 0; i < job->materials_there; i++) {
        emberi_fbx_material_get(job->scene, &job->materials[i], job->node, i);
        job->tinted = job->tinted || memcmp(job->materials[i].color, job->materials[0].color,
                                            sizeof(job->materials[i].color)) != 0;
    }
    job->has_colors = job->tinted || job->colors.mapping != FBX_MAP_NONE;
    return EMBER_OK;
}

ember_status emberi_fbx_polygons_read(mesh_job *job)
{
    EMBERI_TRY(geometry_read(job));
    return materials_read(job);
}

static const fbx_material *material_of(const mesh_job *job, uint32_t polygon)
{
    size_t  at = job->material_mapping == FBX_MAP_POLYGON ? polygon : 0;
    int32_t index =
        job->material_mapping != FBX_MAP_NONE && at < job->material_count ? job->material_indexes[at] : 0;
    return &job->materials[index >= 0 && (uint32_t)index < job->materials_there ? index : 0];
}

/* ---- vertices ---- */

static mesh_vertex vertex_of(const mesh_job *job, const fbx_corner *at)
{
    mesh_vertex  v = {.point = at->point, .next = FBX_NONE};
    const float *normal = emberi_fbx_element_get(&job->normals, at),
                *uv = emberi_fbx_element_get(&job->uvs, at);
    const float *color = emberi_fbx_element_get(&job->colors, at),
                *tint = material_of(job, at->polygon)->color;
    for (int k = 0; k < 3 && normal != NULL; k++)
        v.normal[k] = normal[k];
    if (uv != NULL) {
        v.uv[0] = uv[0];
        v.uv[1] = 1.0f - uv[1]; /* upwards in FBX, downwards in the model */
    }
    for (int k = 0; k < 4 && job->has_colors; k++) {
        float c = color != NULL ? color[k] : 1.0f;
        v.color[k] = (c > 0.0f ? c < 1.0f ? c : 1.0f : 0.0f) * (job->tinted ? tint[k] : 1.0f);
    }
    return v;
}

static uint32_t vertex_add(mesh_job *job, const fbx_corner *at)
{
    mesh_vertex v = vertex_of(job, at);
    uint32_t    i = job->first[at->point];
    for (int step = 0; i != FBX_NONE && step < WELD_STEPS; step++, i = job->vertices[i].next)
        if (memcmp(job->vertices[i].normal, v.normal, sizeof(v.normal)) == 0 &&
            memcmp(job->vertices[i].uv, v.uv, sizeof(v.uv)) == 0 &&
            memcmp(job->vertices[i].color, v.color, sizeof(v.color)) == 0)
            return i;
    v.next = job->first[at->point];
    job->vertices[job->vertex_count] = v;
    job->first[at->point] = job->vertex_count;
    return job->vertex_count++;
}

/* ---- polygons ---- */

static uint32_t polygon_point(int32_t stored) { return (uint32_t)(stored < 0 ? -1 - stored : stored); }

typedef struct polygon_room {
    ember_vec3 *points;
    uint32_t   *corners, *triangles, *ring;
} polygon_room;

static void polygon_cut(mesh_job *job, const polygon_room *room, size_t start, uint32_t count,
                        uint32_t polygon)
{
    for (uint32_t i = 0; i < count; i++) {
        fbx_corner   at = {(uint32_t)start + i, polygon_point(job->polygons[start + i]), polygon};
        const float *p = job->points + 3 * (size_t)at.point;
        room->points[i] = (ember_vec3){p[0], p[1], p[2]};
        room->corners[i] = vertex_add(job, &at);
    }
    emberi_fbx_triangulate(room->triangles, room->points, count, room->ring);
    for (uint32_t i = 0; i < 3 * (count - 2); i++)
        job->indices[job->index_count++] = room->corners[room->triangles[i]];
}

/* The size of the polygon that begins there; 0 where the list ends inside of it. */
static size_t polygon_size(const mesh_job *job, size_t start)
{
    for (size_t i = start; i < job->corner_count; i++)
        if (job->polygons[i] < 0)
            return i - start + 1;
    return 0;
}

static bool polygon_is_good(const mesh_job *job, size_t start, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (polygon_point(job->polygons[start + i]) >= job->point_count)
            return false;
    return size >= 3;
}

ember_status emberi_fbx_polygons_cut(mesh_job *job)
{
    fbx_file    *file = &job->scene->doc->file;
    ember_arena *arena = &file->pass;
    polygon_room room;
    size_t       largest = 3, size;
    for (size_t at = 0; (size = polygon_size(job, at)) != 0; at += size)
        largest = size > largest ? size : largest;
    EMBERI_TRY(FBX_PUSH(file, &room.points, arena, ember_vec3, largest));
    EMBERI_TRY(FBX_PUSH(file, &room.corners, arena, uint32_t, largest));
    EMBERI_TRY(FBX_PUSH(file, &room.triangles, arena, uint32_t, 3 * largest));
    EMBERI_TRY(FBX_PUSH(file, &room.ring, arena, uint32_t, largest));
    EMBERI_TRY(FBX_PUSH(file, &job->vertices, arena, mesh_vertex, job->corner_count));
    EMBERI_TRY(FBX_PUSH(file, &job->first, arena, uint32_t, job->point_count));
    EMBERI_TRY(FBX_PUSH(file, &job->indices, arena, uint32_t, 3 * job->corner_count));
    memset(job->first, 0xff, job->point_count * sizeof(*job->first));
    uint32_t polygon = 0;
    for (size_t at = 0; (size = polygon_size(job, at)) != 0; at += size, polygon++) {
        if (polygon_is_good(job, at, size))
            polygon_cut(job, &room, at, (uint32_t)size, polygon);
        else
            emberi_fbx_mesh_note(job, NOTE_BAD_POLYGONS, 1);
    }
    return EMBER_OK;
}
