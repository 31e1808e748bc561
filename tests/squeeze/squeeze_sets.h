/* SPDX-License-Identifier: MIT */
/* Real clips as records, for the tests and the benchmark of squeezing: the files of EMBER_CORPUS at 30 frames
   a second, or any model. */
#ifndef EMBER_TESTS_SQUEEZE_SETS_H
#define EMBER_TESTS_SQUEEZE_SETS_H

#include "ember/ember.h"

typedef struct set_clip {
    const uint8_t *frames; /* frame_count * bone_count records */
    uint32_t       frame_count;
} set_clip;

/* Clips of one skeleton, in one space. */
typedef struct clip_set {
    const char       *name;
    const set_clip   *clips;
    uint32_t          clip_count;
    ember_squeeze_rig rig;
} clip_set;

typedef enum set_form {
    SET_LOCAL_PLAIN = 0, /* each value rounded by itself */
    SET_LOCAL_CLOSED,    /* each bone fitted against its parents as they decode */
    SET_MODEL,
    SET_FORMS
} set_form;

/* The clips of a model with their rig; false, with a line on stderr, where something fails. All of it lives
   in the arena. */
bool clip_set_make(clip_set *out, const ember_model *model, const char *name, set_form form,
                   ember_arena *arena);

/* The clips of one skeleton at 30 frames a second, as they were read. */
typedef struct model_set {
    const char *name;
    bool        train; /* only for tables */
    ember_model model;
} model_set;

/* The sets of the corpus and, if asked for, those that tables are trained on besides; as below. */
int model_sets_corpus(model_set *out, int capacity, bool train, ember_arena *arena);

/* The sets of the corpus, at most `capacity`: Knight, RobotExpressive, Fox, CesiumMan, and the four CMU files
   as one. 0 where EMBER_CORPUS is not set; failures are as above, and give -1. */
int clip_sets_corpus(clip_set *out, int capacity, set_form form, ember_arena *arena);

#endif
