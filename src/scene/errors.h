/* SPDX-License-Identifier: MIT */
/* How far one clip is off another, bone by bone and frame by frame: for colours and curves. */
#ifndef EMBER_SCENE_ERRORS_H
#define EMBER_SCENE_ERRORS_H

#include "scene/actor.h"

typedef struct errors {
    /* b's frames times b's bones of the skeleton, metres; -1: not in a. NULL: nothing is compared */
    double  *by_bone;
    double   worst, mean;
    double   red; /* the error that is shown red */
    float    shell;
    uint32_t frame_count;             /* compared frames: the shorter clip's */
    uint32_t worst_bone, worst_frame; /* of b's skeleton */
} errors;

/* b against a, the reference; both have clips. False with the reason in *err. Free by_bone. */
bool errors_make(errors *out, const actor *a, const actor *b, ember_error *err);

#endif
