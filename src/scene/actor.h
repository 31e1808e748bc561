/* SPDX-License-Identifier: MIT */
/* A clip on a model, ready to be posed: where every bone of the skeleton is in a frame, and which
   meshes it moves. */
#ifndef EMBER_SCENE_ACTOR_H
#define EMBER_SCENE_ACTOR_H

#include "ember/model.h"

typedef struct actor {
    const ember_model *model;  /* bones and clip */
    const ember_clip  *clip;   /* NULL: the rest pose, one frame */
    const ember_model *bodies; /* whose meshes are shown; its skeleton's bones are the model's, by index */
    uint32_t           bone_count, frame_count;
    double             fps;
    bool               linked;  /* some bone has a parent */
    ember_mat34       *of_clip; /* scratch: the clip's bones */
    ember_mat34       *rest;    /* model space; what the clip does not move follows it */
    bool              *moved;   /* by bone: the clip has it */
    bool              *ends;    /* by bone: it has a parent and no child */
} actor;

/* `bodies` is NULL where there are none. Free with actor_close. */
void actor_open(actor *a, const ember_model *model, const ember_clip *clip, const ember_model *bodies);
void actor_close(actor *a);

/* out: bone_count matrices in model space. False where the clip cannot be composed. */
bool actor_pose(actor *a, uint32_t frame, ember_mat34 *out);

/* How far a bone without children is drawn beyond its joint: a little way in its parent's direction. False
   for all others. `size` is the actor's. */
bool actor_end(const actor *a, const ember_mat34 *pose, uint32_t bone, float size, ember_vec3 *along);

/* Where a vertex of one of the bodies' meshes is. */
ember_vec3 actor_vertex(const actor *a, const ember_mesh *mesh, uint32_t vertex, const ember_mat34 *matrices);

#endif
