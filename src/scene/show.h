/* SPDX-License-Identifier: MIT */
/* Actors on a stage: bodies, bones, ghosts of other frames, errors in colours. What previews and the viewer
   have in common. */
#ifndef EMBER_SCENE_SHOW_H
#define EMBER_SCENE_SHOW_H

#include "scene/camera.h"
#include "scene/errors.h"
#include "scene/stage.h"

typedef struct show {
    stage            *stage;
    const stage_body *body;   /* with no meshes: bones are shown */
    const actor      *bodied; /* whose body it is */
    float             size;   /* the actor's */
    bool              onion;  /* there are ghosts, and the body is in front of them */
    int32_t           marked; /* a bone in another colour, -1: none */
    ember_mat34      *pose;   /* room for the bones of the largest actor; holds the last one's pose then */
    uint32_t         *colors; /* as much room */
} show;

/* What turns the file's up to y: "y", "z" or "-y"; NULL is y. */
ember_mat34 show_up(const char *up);

/* The ground below what the camera has been framed on. */
bool show_ground(stage *s, const camera *c);

/* One frame, the last one where there are fewer. `tint` counts for ghosts, which have an alpha below 0xFF.
   False where the frame cannot be composed. */
bool show_actor(show *s, actor *a, uint32_t frame, uint32_t tint, uint32_t alpha, bool bones_too);
/* Frames before in blue, after in orange. */
bool show_ghosts(show *s, actor *a, uint32_t frame);
/* The bones of b in the colours of their errors. */
bool show_errors(show *s, actor *b, const errors *e, uint32_t frame);

#endif
