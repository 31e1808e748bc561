/* SPDX-License-Identifier: MIT */
/* Clips from local to model space and back. */
#ifndef EMBER_APP_SPACE_H
#define EMBER_APP_SPACE_H

#include "ember/model.h"

/* More shear than this cannot pass unsaid: a transform has none, so it is left out. */
#define SPACE_SHEAR_LIMIT 0.01f
#define SPACE_NO_BONE UINT32_MAX

typedef struct space_result {
    ember_clip clip;       /* in the wanted space; frames in the arena */
    float      shear;      /* the largest that was left out, 0..1 */
    uint32_t   shear_bone; /* of the skeleton; SPACE_NO_BONE where only the frame is known */
    uint32_t   shear_frame;
    /* bones, all frames together, that got identity because their parent has no inverse */
    uint64_t   lost_count;
    uint32_t   lost_bone, lost_frame; /* the first of them */
} space_result;

/* The clip as it is if it already is in that space. A clip whose skeleton has neither names nor parents
   cannot change its space: EMBER_E_UNSUPPORTED, and the text says what to do. Numbers that are not
   finite and rotations of length 0 are EMBER_E_RANGE, with the skeleton's bone in err; other rotations
   are normalised. */
ember_status space_convert(space_result *out, const ember_model *model, const ember_clip *clip,
                           ember_space space, ember_arena *arena, ember_error *err);

#endif
