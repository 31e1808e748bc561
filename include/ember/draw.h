/* SPDX-License-Identifier: MIT */
/* The draw list: what a game wants to be seen in one frame, as plain data. The console fills it, the renderer
   shows it, tests read it. It holds the matrices of every pose that it draws, each once. Nothing in it points
   to a game's memory. Meshes, skeletons and clips are numbers in the order in which they were loaded,
   from 0. */
#ifndef EMBER_DRAW_H
#define EMBER_DRAW_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ember_draw_branch {
    EMBER_DRAW_STATIC = 0, /* position as it is */
    EMBER_DRAW_SKINNED,    /* sum of weight * bone * inverse bind; only with a pose */
    EMBER_DRAW_RIGID       /* one bone's matrix; no inverse bind, skeleton is -1 */
} ember_draw_branch;

typedef enum ember_draw_pose {
    EMBER_DRAW_POSE_NONE = 0, /* every bone is identity */
    EMBER_DRAW_POSE_CLIP,     /* a clip's frame, composed if it is local */
    EMBER_DRAW_POSE_BONES     /* what the game set */
} ember_draw_pose;

typedef struct ember_draw {
    ember_draw_branch branch;
    uint32_t          mesh;
    ember_mat34       transform; /* model to world */
    ember_draw_pose   pose;
    uint32_t          clip, frame; /* POSE_CLIP: where the matrices come from */
    /* in the list's bones, unless POSE_NONE; draws of the same pose share them. Bones beyond are identity */
    uint32_t          first_bone, bone_count;
    /* whose inverse binds count, -1: raw, all are identity. Bones of the pose beyond the skeleton's do not
       count: identity */
    int32_t           skeleton;
    uint32_t          bone;  /* RIGID */
    uint32_t          color; /* 0xRRGGBBAA, multiplied; white is 0xFFFFFFFF */
} ember_draw;

typedef struct ember_draw_list {
    uint64_t           frame;
    ember_mat34        view;
    ember_mat44        projection; /* clip space of OpenGL: z from -1 to 1 */
    uint32_t           clear_color;
    const ember_draw  *draws; /* in the order of the calls */
    uint32_t           draw_count;
    const ember_mat34 *bones; /* model-space matrices, not yet multiplied by inverse binds */
    uint32_t           bone_count;
} ember_draw_list;

#ifdef __cplusplus
}
#endif
#endif
