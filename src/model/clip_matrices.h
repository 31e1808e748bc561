/* SPDX-License-Identifier: MIT */
/* ember_clip_matrices for callers that want many frames: what it needs beside the output is made once. */
#ifndef EMBER_MODEL_CLIP_MATRICES_H
#define EMBER_MODEL_CLIP_MATRICES_H

#include "ember/model.h"

/* The pose with unit rotations: the clip's bones, or all of the skeleton's where a local clip moves only some
   of them. */
typedef struct emberi_clip_scratch {
    ember_transform *pose;
    ember_mat34     *matrices; /* of all of the skeleton, or NULL */
} emberi_clip_scratch;

bool emberi_clip_scratch_make(emberi_clip_scratch *scratch, ember_arena *arena, const ember_model *model,
                              const ember_clip *clip);

/* frame < clip->frame_count and the model passes ember_model_check. */
ember_status emberi_clip_matrices(ember_mat34 *out, const ember_model *model, const ember_clip *clip,
                                  uint32_t frame, emberi_clip_scratch *scratch);

#endif
