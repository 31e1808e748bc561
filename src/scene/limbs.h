/* SPDX-License-Identifier: MIT */
/* Bones to look at: an octahedron from each to its children, a ball at each joint. */
#ifndef EMBER_SCENE_LIMBS_H
#define EMBER_SCENE_LIMBS_H

#include "scene/stage.h"

/* The usual colours: left bones, right bones by their names, and those in the middle. `colors` holds
   bone_count values. */
void limbs_colors(uint32_t *colors, const ember_skeleton *skeleton);

/* How good a bone is, from green over yellow to red: 0..1. */
uint32_t limbs_error_color(double part);

/* `alpha` replaces that of the colours; size is the actor's. */
void limbs_draw(stage *s, const actor *a, const ember_mat34 *pose, const uint32_t *colors, uint32_t alpha,
                float size, bool shadow);

#endif
