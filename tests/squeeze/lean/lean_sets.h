/* SPDX-License-Identifier: MIT */
/* Lean clips of real models, for tests, the benchmark and the training of templates. */
#ifndef EMBER_TESTS_LEAN_SETS_H
#define EMBER_TESTS_LEAN_SETS_H

#include "squeeze/lean/lean_encode.h"
#include "squeeze/squeeze_sets.h"

#define LEAN_SETS 8
#define LEAN_FIGURE 1.7f /* metres that the joints of a figure span; errors are stated for it */
#define LEAN_SHELL 0.03f

/* One skeleton's clips in local space, with their rig. */
typedef struct lean_set {
    const char       *name;
    bool              train;
    uint32_t          clip_count;
    const ember_clip *clips;
    const int16_t    *parents;
    uint32_t          bone_count;
    float             metre; /* in model units */
    ember_lean_rig    rig;
} lean_set;

/* False, with a line on stderr, where something fails. All of it lives in the arena. */
bool lean_set_make(lean_set *out, const ember_model *model, const char *name, ember_arena *arena);

/* The corpus' sets, with those for training if asked for; 0 without EMBER_CORPUS, -1 on failure. */
int lean_sets_corpus(lean_set *out, bool train, ember_arena *arena);

/* A clip encoded into memory of the arena; max_error_mm is for a figure of LEAN_FIGURE. */
bool lean_set_encode(ember_lean_job *out, const lean_set *set, uint32_t clip, double max_error_mm,
                     const lean_template *templates, const lean_observer *observer, ember_arena *arena);

#endif
