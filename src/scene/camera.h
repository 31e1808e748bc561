/* SPDX-License-Identifier: MIT */
/* A camera that shows a whole motion: as near as every point of every frame allows, going along with what
   walks away. */
#ifndef EMBER_SCENE_CAMERA_H
#define EMBER_SCENE_CAMERA_H

#include "scene/actor.h"

typedef struct camera {
    double      turn, pitch; /* radians: around y from the front, and looking down */
    double      aspect;      /* width / height */
    double      margin;      /* of the picture's side, on either side: 0.05 leaves a tenth of it free */
    double      distance;
    double      target[3]; /* of the middle of the motion, or relative to where the actor is */
    bool        follows;
    /* height of the lowest and highest point; the largest side of the actor in one frame */
    float       low, high, size;
    ember_mat34 up;
} camera;

/* Looks at `a`, and at `b` too if it is not NULL, in frames spread over the clip. */
void camera_frame(camera *c, actor *a, actor *b);

/* For one frame. *around is what the camera turns about, on the ground. */
void camera_matrices(const camera *c, actor *a, uint32_t frame, ember_mat34 *view, ember_mat44 *projection,
                     ember_vec3 *around);

/* Moves what it looks at by lengths of the model, to the right and up as the camera sees them. */
void camera_pan(camera *c, double right, double up);

/* Where a point of the model is in a picture of that size, in pixels; false where it is behind the camera. */
bool camera_project(const ember_mat34 *view, const ember_mat44 *projection, ember_vec3 point, double width,
                    double height, double out[2]);

#endif
