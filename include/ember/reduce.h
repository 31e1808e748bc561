/* SPDX-License-Identifier: MIT */
/* A rig of fewer bones: the least important ones are merged into their parents, for players that allow only
   so many. */
#ifndef EMBER_REDUCE_H
#define EMBER_REDUCE_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a merge cost. */
typedef struct ember_merged_bone {
    uint32_t bone; /* of the model that was reduced */
    uint32_t into; /* the bone of that model that carries what it carried */
    /* how far what the bone carries is off at most, in the model's lengths: the box around the vertices
       that follow it, or, in models without meshes, a small box around the bone itself; 0 where no
       vertex follows it */
    double   error;
    uint32_t clip, frame; /* where that is */
} ember_merged_bone;

typedef struct ember_reduction {
    uint32_t                 merged_count;
    const ember_merged_bone *merged; /* in the order of the bones */
    uint32_t                 worst;  /* index of the one with the largest error */
} ember_reduction;

/* The model with at most max_bones bones. One bone after the other is merged into its parent, each time the
   one that costs least in all clips: its vertices follow the parent, with the sum of both weights, and its
   children hang on the parent and move as before. Roots stay. *out shares with the model what did not change
   and is the model itself where nothing has to be merged; raw values of clips are dropped with a change.
   EMBER_E_ARG where max_bones is 0, EMBER_E_LIMIT where there are more roots than that, EMBER_E_UNSUPPORTED
   where the bones' parents are not known, EMBER_E_RANGE for frames that cannot be composed. report and err
   may be NULL. */
EMBER_API ember_status ember_model_reduce(ember_model *out, ember_reduction *report, const ember_model *model,
                                          uint32_t max_bones, ember_arena *arena, ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
