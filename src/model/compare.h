/* SPDX-License-Identifier: MIT */
/* What error means, for those who measure it and those who keep it small. */
#ifndef EMBER_MODEL_COMPARE_H
#define EMBER_MODEL_COMPARE_H

#include "ember/model.h"

/* The largest side of the box around all of the clip's bones in all frames and its model's meshes in the
   first; 0 for a point. The model passes ember_model_check. */
ember_status emberi_clip_size(float *out, const ember_model *model, const ember_clip *clip,
                              ember_arena *scratch);

/* How far from a bone the points are that are measured, in a clip of this size. */
float emberi_shell_of(float size);

/* Of the three points at the shell, how far the farthest is from its twin. The shell is a length in model
   space, so the scale of a, which is the source, does not move its points out or in. Infinite where a number
   is not finite. */
double emberi_displacement(const ember_mat34 *a, const ember_mat34 *b, double shell);

#endif
