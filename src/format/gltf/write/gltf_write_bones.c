/* SPDX-License-Identifier: MIT */
/* A mesh for skeletons that have none, so that any viewer shows them: an octahedron from every bone to
   its children, as Blender draws them, weighted to that bone alone. It has no normals, so viewers
   shade it flat. */
#include <string.h>

#include "base/maths.h"
#include "format/gltf/write/gltf_write_parts.h"
#include "model/skeleton.h"

#define BONES_CORNERS 6u
#define BONES_INDICES 24u

typedef struct bones_shape {
    ember_vec3 head, tail;
} bones_shape;

static ember_vec3 bones_add(ember_vec3 a, ember_vec3 b, float times)
{
    return (ember_vec3){a.x + b.x * times, a.y + b.y * times, a.z + b.z * times};
}

static ember_vec3 bones_cross(ember_vec3 a, ember_vec3 b)
{
    return (ember_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static float bones_dot(ember_vec3 a, ember_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static float bones_length(ember_vec3 v) { return emberi_sqrt(bones_dot(v, v)); }

/* `or_else` where there is no direction in it. */
static ember_vec3 bones_unit(ember_vec3 v, ember_vec3 or_else)
{
    float length = bones_length(v);
    return length > 1e-30f && emberi_is_finite(length)
               ? (ember_vec3){v.x / length, v.y / length, v.z / length}
               : or_else;
}

static ember_vec3 bones_head(const ember_mat34 *m) { return (ember_vec3){m->m[3], m->m[7], m->m[11]}; }

/* The largest side of the box around all bones; 1 where they are all in one place. */
static float bones_extent(const ember_mat34 *rest, uint32_t bone_count)
{
    float extent = 0.0f;
    for (int axis = 0; axis < 3; axis++) {
        float low = rest[0].m[axis * 4 + 3], high = low;
        for (uint32_t i = 1; i < bone_count; i++) {
            low = emberi_min(rest[i].m[axis * 4 + 3], low);
            high = emberi_max(rest[i].m[axis * 4 + 3], high);
        }
        extent = emberi_max(high - low, extent);
    }
    return extent > 0.0f && emberi_is_finite(extent) ? extent : 1.0f;
}

/* Where a bone's children are: their mean, or, where that is the bone itself, the farthest of them. */
typedef struct bones_children {
    ember_vec3 sum, farthest;
    float      distance;
    uint32_t   count;
} bones_children;

static void bones_count_child(bones_children *children, ember_vec3 head, ember_vec3 child)
{
    float distance = bones_length(bones_add(child, head, -1.0f));
    children->sum = bones_add(children->sum, child, 1.0f);
    if (children->count++ == 0 || distance > children->distance) {
        children->distance = distance;
        children->farthest = child;
    }
}

static bones_shape bones_place(const ember_skeleton *skeleton, const ember_mat34 *rest,
                               const bones_children *children, uint32_t bone, float extent)
{
    static const ember_vec3 up = {0.0f, 1.0f, 0.0f};
    bones_shape             shape = {bones_head(&rest[bone]), {0.0f, 0.0f, 0.0f}};
    ember_vec3              own_y = {rest[bone].m[1], rest[bone].m[5], rest[bone].m[9]};
    int32_t                 parent = skeleton->parents[bone];
    float                   least = extent * 0.01f;
    if (children->count != 0) {
        shape.tail = bones_add((ember_vec3){0.0f, 0.0f, 0.0f}, children->sum, 1.0f / (float)children->count);
        if (bones_length(bones_add(shape.tail, shape.head, -1.0f)) < least)
            shape.tail = children->farthest;
        if (bones_length(bones_add(shape.tail, shape.head, -1.0f)) >= least)
            return shape;
    }
    /* At the end of a chain it goes on as far again as half the way from the parent; without one along its
       own y axis. */
    ember_vec3 way = parent >= 0 ? bones_add(shape.head, bones_head(&rest[parent]), -1.0f)
                                 : (ember_vec3){0.0f, 0.0f, 0.0f};
    float      length = 0.5f * bones_length(way);
    if (length >= least) {
        shape.tail = bones_add(shape.head, way, 0.5f);
        return shape;
    }
    shape.tail = bones_add(shape.head, bones_unit(own_y, up), extent * 0.05f);
    return shape;
}

typedef struct bones_mesh {
    ember_vec3 *positions;
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
} bones_mesh;

/* Head, a ring of four about the waist, tail. Triangles go round counter-clockwise seen from outside. */
static void bones_octahedron(ember_vec3 out[BONES_CORNERS], const bones_shape *shape)
{
    static const ember_vec3 x = {1.0f, 0.0f, 0.0f}, y = {0.0f, 1.0f, 0.0f};
    ember_vec3              way = bones_add(shape->tail, shape->head, -1.0f), along = bones_unit(way, y);
    ember_vec3              side = bones_unit(bones_cross(along, emberi_abs(along.x) < 0.9f ? x : y), x);
    ember_vec3              other = bones_cross(along, side);
    ember_vec3              waist = bones_add(shape->head, way, 0.15f);
    float                   radius = 0.1f * bones_length(way);
    out[0] = shape->head;
    out[1] = bones_add(waist, side, radius);
    out[2] = bones_add(waist, other, radius);
    out[3] = bones_add(waist, side, -radius);
    out[4] = bones_add(waist, other, -radius);
    out[5] = shape->tail;
}

static const uint32_t bones_order[BONES_INDICES] = {0, 2, 1, 0, 3, 2, 0, 4, 3, 0, 1, 4,
                                                    5, 1, 2, 5, 2, 3, 5, 3, 4, 5, 4, 1};

static bool bones_mesh_make(bones_mesh *mesh, ember_arena *arena, uint32_t bone_count)
{
    size_t count = (size_t)bone_count * BONES_CORNERS;
    mesh->positions = EMBER_PUSH(arena, ember_vec3, count);
    mesh->joints = ember_arena_push(arena, count, sizeof(*mesh->joints), _Alignof(uint16_t));
    mesh->weights = ember_arena_push(arena, count, sizeof(*mesh->weights), _Alignof(float));
    mesh->indices = EMBER_PUSH(arena, uint32_t, (size_t)bone_count * BONES_INDICES);
    return mesh->positions != NULL && mesh->joints != NULL && mesh->weights != NULL && mesh->indices != NULL;
}

bool emberi_gltfw_bone_shapes(gltf_writer *writer, ember_mesh *out)
{
    const ember_skeleton *skeleton = &writer->model->skeleton;
    uint32_t              count = skeleton->bone_count;
    ember_arena          *arena = &writer->scratch;
    ember_mat34          *rest = EMBER_PUSH(arena, ember_mat34, count);
    bones_children       *children = EMBER_PUSH(arena, bones_children, count);
    bones_mesh            mesh;
    if (rest == NULL || children == NULL || !bones_mesh_make(&mesh, arena, count))
        return false;
    emberi_skeleton_rest_matrices(rest, skeleton, writer->rest);
    for (uint32_t i = 0; i < count; i++)
        if (skeleton->parents[i] >= 0)
            bones_count_child(&children[skeleton->parents[i]], bones_head(&rest[skeleton->parents[i]]),
                              bones_head(&rest[i]));
    float extent = bones_extent(rest, count);
    for (uint32_t i = 0; i < count; i++) {
        bones_shape shape = bones_place(skeleton, rest, &children[i], i, extent);
        bones_octahedron(mesh.positions + (size_t)i * BONES_CORNERS, &shape);
        for (uint32_t k = i * BONES_CORNERS; k < (i + 1) * BONES_CORNERS; k++) {
            mesh.joints[k][0] = (uint16_t)i;
            mesh.weights[k][0] = 1.0f;
        }
        for (uint32_t k = 0; k < BONES_INDICES; k++)
            mesh.indices[i * BONES_INDICES + k] = i * BONES_CORNERS + bones_order[k];
    }
    *out = (ember_mesh){.name = "bones",
                        .vertex_count = count * BONES_CORNERS,
                        .positions = mesh.positions,
                        .joints = (const uint16_t(*)[4])mesh.joints,
                        .weights = (const float(*)[4])mesh.weights,
                        .index_count = count * BONES_INDICES,
                        .indices = mesh.indices,
                        .bone = -1,
                        .base_color = {0.8f, 0.8f, 0.8f, 1.0f}};
    return true;
}
