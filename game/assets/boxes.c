/* SPDX-License-Identifier: MIT */
/* Boxes with sharp edges: 24 vertices, 12 triangles. */
#include "boxes.h"

#define BOX_VERTICES 24u
#define BOX_INDICES 36u

boxes boxes_begin(ember_arena *arena, uint32_t most, bool skinned)
{
    size_t vertices = (size_t)most * BOX_VERTICES;
    boxes  b = {.most = most, .skinned = skinned};
    b.positions = EMBER_PUSH(arena, ember_vec3, vertices);
    b.normals = EMBER_PUSH(arena, ember_vec3, vertices);
    b.colors = ember_arena_push(arena, vertices, sizeof(*b.colors), _Alignof(float));
    b.joints = ember_arena_push(arena, vertices, sizeof(*b.joints), _Alignof(uint16_t));
    b.weights = ember_arena_push(arena, vertices, sizeof(*b.weights), _Alignof(float));
    b.indices = EMBER_PUSH(arena, uint32_t, (size_t)most * BOX_INDICES);
    b.ok = b.positions != NULL && b.normals != NULL && b.colors != NULL && b.joints != NULL &&
           b.weights != NULL && b.indices != NULL;
    return b;
}

static float box_channel(uint32_t rgba, int shift) { return (float)(rgba >> shift & 0xffu) / 255.0f; }

/* The four corners of a side, counter-clockwise seen from outside: the side's axis, and the two
   that follow it. */
static void box_side(boxes *b, uint32_t first, int axis, bool upper, const float corner[2][3],
                     const ember_mat34 *place)
{
    static const int order[2][4][2] = {{{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    for (uint32_t k = 0; k < 4; k++) {
        float p[3], n[3] = {0.0f, 0.0f, 0.0f};
        p[axis] = corner[upper][axis];
        p[(axis + 1) % 3] = corner[order[upper][k][0]][(axis + 1) % 3];
        p[(axis + 2) % 3] = corner[order[upper][k][1]][(axis + 2) % 3];
        n[axis] = upper ? 1.0f : -1.0f;
        ember_vec3 position = {p[0], p[1], p[2]}, normal = {n[0], n[1], n[2]};
        b->positions[first + k] = place != NULL ? ember_mat34_point(place, position) : position;
        b->normals[first + k] = place != NULL ? ember_mat34_direction(place, normal) : normal;
    }
}

void boxes_add(boxes *b, ember_vec3 low, ember_vec3 high, const ember_mat34 *place, uint32_t rgba,
               uint16_t bone)
{
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    const float           corner[2][3] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
    uint32_t              first = b->count * BOX_VERTICES;
    uint32_t             *index = b->indices + (size_t)b->count * BOX_INDICES;
    if (!b->ok || b->count == b->most)
        return;
    for (uint32_t side = 0; side < 6; side++) {
        box_side(b, first + side * 4, (int)(side / 2), side % 2 != 0, corner, place);
        for (uint32_t k = 0; k < 6; k++)
            *index++ = first + side * 4 + corners[k];
    }
    for (uint32_t i = first; i < first + BOX_VERTICES; i++) {
        for (int k = 0; k < 4; k++)
            b->colors[i][k] = box_channel(rgba, 24 - 8 * k);
        b->joints[i][0] = bone;
        b->weights[i][0] = 1.0f;
    }
    b->count++;
}

ember_mesh boxes_mesh(const boxes *b, int32_t bone)
{
    ember_mesh mesh = {.name = "boxes",
                       .vertex_count = b->count * BOX_VERTICES,
                       .positions = b->positions,
                       .normals = b->normals,
                       .colors = (const float(*)[4])b->colors,
                       .index_count = b->count * BOX_INDICES,
                       .indices = b->indices,
                       .bone = bone,
                       .base_color = {1.0f, 1.0f, 1.0f, 1.0f}};
    if (b->skinned) {
        mesh.joints = (const uint16_t(*)[4])b->joints;
        mesh.weights = (const float(*)[4])b->weights;
    }
    return mesh;
}
