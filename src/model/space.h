/* SPDX-License-Identifier: MIT */
/* Poses of one space in another, for those who read clips frame by frame. */
#ifndef EMBER_MODEL_SPACE_H
#define EMBER_MODEL_SPACE_H

#include "ember/model.h"

/* Makes a pose in local space one in model space, in place. Shear is left out, as a transform has none.
   parents: valid as ember_hierarchy_valid says; bone_count: EMBER_MAX_BONES at most. */
void emberi_pose_to_model(ember_transform *pose, const int16_t *parents, uint32_t bone_count);

/* A weight between two frames as lean clips take it: 65536ths, rounded down, below 65536. */
static inline uint32_t emberi_lean_fraction(float t) { return t < 1.0f ? (uint32_t)(t * 65536.0f) : 65535u; }

#endif
