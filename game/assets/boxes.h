/* SPDX-License-Identifier: MIT */
/* Meshes of boxes, each with a colour and, in skinned ones, a bone. */
#ifndef EMBER_GAME_BOXES_H
#define EMBER_GAME_BOXES_H

#include <ember/ember.h>

typedef struct boxes {
    bool        ok; /* false: there was no memory */
    uint32_t    count, most;
    bool        skinned;
    ember_vec3 *positions, *normals;
    float (*colors)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
} boxes;

boxes      boxes_begin(ember_arena *arena, uint32_t most, bool skinned);
/* From one corner to the other, in the axes of `place` (NULL: the mesh's own). */
void       boxes_add(boxes *b, ember_vec3 low, ember_vec3 high, const ember_mat34 *place, uint32_t rgba,
                     uint16_t bone);
ember_mesh boxes_mesh(const boxes *b, int32_t bone); /* points into b */

#endif
