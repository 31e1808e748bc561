/* SPDX-License-Identifier: MIT */
/* Meshes made by code: a bone, a ball, the ground with its squares. */
#ifndef EMBER_SCENE_SHAPES_H
#define EMBER_SCENE_SHAPES_H

#include "ember/model.h"

typedef struct shape {
    ember_mesh  mesh;
    ember_vec3 *positions, *normals;
    float (*colors)[4];
    uint32_t *indices;
    uint32_t  vertex_room, index_room;
} shape;

void shape_free(shape *s);

/* An octahedron from the origin to (0, 1, 0), at its widest 1 from side to side. */
void  shape_bone(shape *s);
/* Radius 1. */
void  shape_ball(shape *s);
/* A round ground and lines on it for a model of that size, both fading into the background (0xRRGGBBAA).
   Returns the side of a square: 1, 2 or 5 times a power of ten. */
float shape_ground(shape *ground, shape *lines, float size, uint32_t background);

#endif
