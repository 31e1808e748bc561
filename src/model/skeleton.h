/* SPDX-License-Identifier: MIT */
/* What several formats do with a skeleton: copy it, and find the bind pose that its source did not say. */
#ifndef EMBER_MODEL_SKELETON_H
#define EMBER_MODEL_SKELETON_H

#include "ember/model.h"

/* As many as ember_model_check lets through: parents are int16_t. */
#define EMBERI_MODEL_MAX_BONES 32767u

/* A deep copy in the arena; false if there is no room. It has at least `least` bones: those that `from`
   lacks, all of them where it is NULL, are roots without a name, at identity. */
bool emberi_skeleton_copy(ember_skeleton *out, const ember_skeleton *from, uint32_t least,
                          ember_arena *arena);

/* The model-space matrices of the rest pose (identity where the skeleton has none). */
void emberi_skeleton_rest_matrices(ember_mat34 *out, const ember_skeleton *skeleton,
                                   const ember_transform *rest);

/* The skeleton's inverse binds, or those of the given rest pose where it has none. Returns how many bones
   have no inverse (a scale of zero) and got identity. out: bone_count matrices; rest may be NULL. */
uint32_t emberi_skeleton_inverse_binds(ember_mat34 *out, const ember_skeleton *skeleton,
                                       const ember_transform *rest);

/* The local rest pose that the inverse binds imply. Bones whose matrices have no inverse get identity. False
   if there is no memory; scratch is only used inside. */
bool emberi_skeleton_rest_from_binds(ember_transform *out, const ember_skeleton *skeleton,
                                     ember_arena *scratch);

#endif
