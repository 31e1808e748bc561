/* SPDX-License-Identifier: MIT */
/* What the files of `ember preview` share. */
#ifndef EMBER_APP_PREVIEW_H
#define EMBER_APP_PREVIEW_H

#include "cli/args.h"
#include "ember/rom.h"
#include "files/input.h"
#include "scene/actor.h"
#include "scene/camera.h"
#include "scene/errors.h"
#include "scene/stage.h"

typedef struct preview {
    const app_args    *args;
    app_say           *say;
    ember_read_options reading;
    input_formats      formats;
    input              in, other, skeleton;
    ember_rom         *rom;  /* that `in` came out of, or NULL */
    actor              a, b; /* b where something is compared */
    bool               comparing, bones, names, onion;
    uint32_t           width, height;
    double             turn, pitch; /* degrees */
    bool               film;        /* words stand in the picture itself */
    stage              stage;
    stage_body         body;
    camera             camera;
    errors             error;
    ember_mat34       *pose;
    uint32_t          *colors;
    /* The picture drawn last in a film, and what it shows: one that would look the same is
       not drawn again. */
    ember_image        last;
    ember_mat34       *last_pose;
    ember_mat34        last_view;
    uint32_t           drawn; /* pictures */
} preview;

/* One picture to show: a frame, and how far the model is turned if nothing moves. */
typedef struct preview_shot {
    uint32_t frame;
    double   turn; /* degrees, on top */
} preview_shot;

/* The first clip that the word means; NULL with one line said. */
const ember_clip *preview_pick(preview *p, const ember_model *model, const char *word);

/* preview_rom.c: fills in.model with a clip and what belongs to it; false with one line said. */
bool preview_open_rom(preview *p);

/* preview_error.c: fills error from a and b; false with one line said. */
bool preview_compare(preview *p);
bool preview_plot(preview *p, const char *path);

/* preview_show.c: opens the stage and frames the camera; then shows. */
bool        preview_stage(preview *p);
bool        preview_draw(preview *p, const preview_shot *shot, ember_image *out);
/* The last part of a path, for words in a picture. */
const char *preview_file(const char *path);
/* `label` at the bottom of a picture. */
void        preview_label(const preview *p, const preview_shot *shot, ember_image *out, int x, int y);
/* The line above: file, clip, frames, rate, and what colours mean. */
void        preview_header(const preview *p, ember_image *out, int scale);

#endif
