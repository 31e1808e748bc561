/* SPDX-License-Identifier: MIT */
/* Closed-loop quantisation: a local clip's records, each bone fitted against its parents as they will
   decode, so that errors do not add up down a chain. A clip that was decoded from records gets those very
   records back. */
#ifndef EMBER_FORMAT_FIT_H
#define EMBER_FORMAT_FIT_H

#include "ember/codec.h"
#include "ember/model.h"

/* Everything is indexed by the skeleton's bones; those that the clip does not move keep their rest. */
typedef struct emberi_fit {
    const ember_model *model;
    const ember_clip  *clip;
    ember_record       record; /* of 16 bytes */
    ember_transform   *source;
    ember_mat34       *wanted;  /* model space, of the source */
    ember_mat34       *decoded; /* model space, of the records so far */
    bool              *exact;   /* decoded is wanted, bit for bit, all the way up */
    int32_t           *slots;   /* the clip's index of a bone, or -1 */
    double             shell;   /* where errors are measured */
    double             worst;   /* the largest one so far */
} emberi_fit;

/* False if there is no memory. The model passes ember_model_check and the clip is local. */
bool emberi_fit_make(emberi_fit *fit, ember_arena *arena, const ember_model *model, const ember_clip *clip,
                     ember_record record);

/* clip->bone_count records of 16 bytes. On EMBER_E_RANGE *bad_bone is the clip's bone that a
   record cannot hold. */
ember_status emberi_fit_frame(uint8_t *records, uint32_t *bad_bone, emberi_fit *fit, uint32_t frame);

#endif
