/* SPDX-License-Identifier: MIT */
/* The viewer behind its page: what is open, what is shown of it, and the words about it. Everything here is
   exported to the page's script (page/engine.js), which owns time, input and layout; answers with more than a
   number are JSON in `out`. Files may be hostile: the readers check them. */
#ifndef EMBER_VIEWER_H
#define EMBER_VIEWER_H

#include "cli/say.h"
#include "ember/rom.h"
#include "files/input.h"
#include "format/json/json_out.h"
#include "scene/camera.h"
#include "scene/errors.h"
#include "scene/show.h"
#include "scene/stage.h"

/* A file that the page has handed over. */
typedef struct viewer_file {
    char    *name;
    uint8_t *data;
    size_t   size;
    uint32_t batch, order; /* which files were opened together, and when */
    bool     looked;       /* for bones that others may take; how many were found */
    uint32_t bone_count;
    uint32_t bones; /* the file whose bones were chosen for it, or BONES_AUTO or BONES_NONE */
    uint32_t lent;  /* the last one that it was compared with; UINT32_MAX: none */
} viewer_file;

#define BONES_NONE UINT32_MAX
#define BONES_AUTO (UINT32_MAX - 1)

/* An open one. */
typedef struct document {
    uint32_t           file;
    bool               open;
    input              in;
    /* whose skeleton and meshes it uses, for want of its own; info is NULL where there is none */
    input              helper;
    uint32_t           helper_file;
    bool               poor; /* it has so many bones, but knows nothing of them */
    uint32_t           poor_bones;
    ember_ff7_options  ff7;
    ember_rom         *rom;
    const ember_clip  *names; /* of the ROM's clips, and their entries */
    const uint32_t    *entries;
    uint32_t           clip_count;
    ember_arena        clip_arena; /* the chosen clip of a ROM */
    ember_model        rom_model;
    ember_buffer       rom_bytes; /* it as .ewzanim */
    /* What is chosen. */
    const ember_model *model;
    const ember_clip  *clip; /* NULL: there are none */
    actor              actor;
} document;

enum { SHOW_MESH = 1, SHOW_BONES = 2, SHOW_AXES = 4, SHOW_ONION = 8, SHOW_REST = 16, SHOW_REFERENCE = 32 };

typedef struct viewer {
    app_say      say;
    ember_buffer messages; /* JSON values, a comma behind each */
    ember_buffer out;      /* the last answer: JSON, or a converted file */
    viewer_file *files;
    uint32_t     file_count, file_order;
    document     shown, reference;
    actor        rest;
    stage        stage;
    stage_body   body, no_body;
    camera       camera;
    bool         staged, framed;
    uint32_t     width, height, background, flags, crowd;
    const char  *up;
    int32_t      marked; /* bone */
    errors       errors;
    ember_mat34 *pose;
    uint32_t    *colors;
    float       *places; /* of the bones in the picture, x and y; NaN: behind the camera */
} viewer;

/* ---- documents: document.c ---- */

bool        document_open(document *d, viewer *v, uint32_t file);
void        document_close(document *d);
bool        document_select(document *d, viewer *v, uint32_t clip);
/* The chosen clip's number; UINT32_MAX where there is none. */
uint32_t    document_chosen(const document *d);
const char *document_clip_name(const document *d, uint32_t clip);

/* A file's bytes as an input; its arena is to be freed. */
void input_of_file(input *in, const viewer_file *file);

/* ---- bones of another file: bones.c ---- */

/* Reads the file, for the sake of its bones. False where it has none. */
bool     bones_read(input *out, viewer *v, uint32_t file);
void     bones_let_go(input *in);
/* Whether the file has bones that fit. */
bool     bones_offered(const document *d, viewer *v, uint32_t file);
/* Whose bones a file without any gets: the chosen one's, the reference's, or of those that fit the one whose
   bones are as long as the clip's, was opened together with it, is nearest in the order of opening.
   BONES_NONE: nobody's. */
uint32_t bones_wanted(const document *d, viewer *v);
void     bones_take(document *d, viewer *v);

/* ---- answers ---- */

/* Begins a JSON answer, in place of the one before. */
emberi_json_out viewer_answer(viewer *v);

/* The bytes of a file that the page has, for the readers: page_files.c. */
void viewer_offer_files(const viewer *v);

#endif
