/* The viewer behind its page: what is open, what is shown of it, and the words about it. Everything here is exported to the page's script (page/engine.js), which owns time,
   input and layout; answers with more than a number are JSON in `out`. Files may be hostile: the readers check them. */
#ifndef EMBER_VIEWER_H
#define EMBER_VIEWER_H

#include "camera.h"
#include "ember/rom.h"
#include "errors.h"
#include "format/json_out.h"
#include "input.h"
#include "say.h"
#include "show.h"
#include "stage.h"

/* A file that the page has handed over. */
typedef struct viewer_file {
    char    *name;
    uint8_t *data;
    size_t   size;
    bool     looked; /* for bones that others may take; what was found */
    uint32_t bone_count;
    bool     has_meshes;
} viewer_file;

/* An open one. */
typedef struct document {
    uint32_t          file;
    bool              open;
    input             in;
    input             helper; /* whose skeleton and meshes it uses, for want of its own; info is NULL where there is none */
    ember_ff7_options ff7;
    ember_rom        *rom;
    const ember_clip *names; /* of the ROM's clips, and their entries */
    const uint32_t   *entries;
    uint32_t          clip_count;
    ember_arena       clip_arena; /* the chosen clip of a ROM */
    ember_model       rom_model;
    ember_buffer      rom_bytes; /* it as .ewzanim */
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
    uint32_t     file_count;
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

bool document_open(document *d, viewer *v, uint32_t file);
void document_close(document *d);
bool document_select(document *d, viewer *v, uint32_t clip);
/* A file without bones of its own takes those of another that is open: the newest with as many, with meshes if there is one. True where it did. */
bool document_find_bones(document *d, viewer *v);
/* The chosen clip's number; UINT32_MAX where there is none. */
uint32_t document_chosen(const document *d);
const char *document_clip_name(const document *d, uint32_t clip);

/* ---- answers ---- */

/* Begins a JSON answer, in place of the one before. */
emberi_json_out viewer_answer(viewer *v);
void            viewer_put_text(emberi_json_out *json, const char *key, const char *text);

/* The bytes of a file that the page has, for the readers: page_files.c. */
void viewer_offer_files(const viewer *v);

#endif
