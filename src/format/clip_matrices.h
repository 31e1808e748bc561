/* ember_clip_matrices for callers that want many frames: what it needs beside the output is made once. */
#ifndef EMBER_FORMAT_CLIP_MATRICES_H
#define EMBER_FORMAT_CLIP_MATRICES_H

#include <math.h>

#include "ember/model.h"

/* The transform with the rotation that its quaternion stands for: of unit length, as every writer stores it. One that is off by no more
   than rounding stays as it is, bit for bit; so does one that stands for nothing, zero or not finite. */
static inline ember_transform emberi_with_unit_rotation(const ember_transform *t)
{
    ember_transform out = *t;
    double          x = (double)t->rotation.x, y = (double)t->rotation.y, z = (double)t->rotation.z, w = (double)t->rotation.w;
    double          squared = (x * x + y * y) + (z * z + w * w);
    if (fabs(squared - 1.0) > 1e-4 && squared > 0.0 && squared < 1e80) {
        double factor = 1.0 / sqrt(squared);
        out.rotation = (ember_quat){(float)(x * factor), (float)(y * factor), (float)(z * factor), (float)(w * factor)};
    }
    return out;
}

/* The pose with unit rotations: the clip's bones, or all of the skeleton's where a local clip moves only some of them. */
typedef struct emberi_clip_scratch {
    ember_transform *pose;
    ember_mat34     *matrices; /* of all of the skeleton, or NULL */
} emberi_clip_scratch;

bool emberi_clip_scratch_make(emberi_clip_scratch *scratch, ember_arena *arena, const ember_model *model, const ember_clip *clip);

/* frame < clip->frame_count and the model passes ember_model_check. */
ember_status emberi_clip_matrices(ember_mat34 *out, const ember_model *model, const ember_clip *clip, uint32_t frame,
                                  emberi_clip_scratch *scratch);

#endif
