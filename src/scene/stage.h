/* SPDX-License-Identifier: MIT */
/* A place to show actors on: a renderer with the shapes that previews need, and the list of what
   is drawn next. */
#ifndef EMBER_SCENE_STAGE_H
#define EMBER_SCENE_STAGE_H

#include "ember/image.h"
#include "ember/renderer.h"
#include "scene/actor.h"
#include "scene/program.h"
#include "scene/textures.h"

#define STAGE_BACKGROUND 0x23282FFFu

typedef struct stage {
    scene_listener  listener;
    const char     *file; /* what is shown, for messages; or NULL */
    ember_renderer *renderer;
    textures        textures;
    uint32_t        width, height;
    uint32_t        bone_mesh, ball_mesh; /* numbers of the renderer's */
    uint32_t        ground_mesh, lines_mesh;
    bool            has_ground;
    float           ground_y, cell; /* the ground's height and the side of a square on it */
    float           ground_size;    /* of the model that the ground is for */
    ember_mat34     up;             /* turns the model's up to y */
    ember_vec3      light;          /* where it comes from; shadows fall the other way */
    uint32_t        background;     /* 0xRRGGBBAA; set it before the ground */
    bool            in_front;       /* draws that follow hide all that is drawn without it, wherever it is */
    ember_mat34     nearer;
    ember_draw_list list;
    ember_draw     *draws;
    ember_mat34    *bones;
    uint32_t        draw_room, bone_room;
} stage;

/* Tells the listener what is wrong and gives false where nothing can be drawn. Close it in any case.
   headless: as the renderer's. */
bool stage_open(stage *s, uint32_t width, uint32_t height, bool headless, scene_listener listener);
void stage_close(stage *s);
/* Takes bodies, ground and textures away; the renderer stays. */
bool stage_clear(stage *s);

/* The ground below a model of that size; again for another. */
bool stage_set_ground(stage *s, float y, float size);

/* An actor's meshes on the renderer. */
typedef struct stage_body {
    uint32_t first_mesh, mesh_count;
    int32_t  skeleton;
} stage_body;
bool stage_add_body(stage *s, stage_body *out, const actor *a, const char *file);

/* The light comes from over the camera's right shoulder when it has turned this far around the
   model, in radians. */
void     stage_light(stage *s, double turn);
void     stage_begin(stage *s, const ember_mat34 *view, const ember_mat44 *projection);
void     stage_draw_ground(stage *s, ember_vec3 around);
/* Matrices for the draws that follow; gives the first one's number. */
uint32_t stage_add_bones(stage *s, const ember_mat34 *matrices, uint32_t count);
/* All of the body's meshes in that pose, and their shadow where there is a ground and `shadow` is true. */
void stage_draw_body(stage *s, const stage_body *body, const actor *a, uint32_t first_bone, uint32_t color,
                     bool shadow);
void stage_draw_mesh(stage *s, uint32_t mesh, const ember_mat34 *transform, uint32_t color, bool shadow);
/* Draws the list. */
bool stage_show(stage *s);
/* Draws the list and reads it: width * height pixels. */
bool stage_end(stage *s, ember_image *out);

#endif
