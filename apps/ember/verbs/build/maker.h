/* SPDX-License-Identifier: MIT */
/* One file on its way to its assets: what the parts of `build_export` share. Bytes are checked by the
   library's readers; what is wrong with a file is a message of its own. */
#ifndef EMBER_VERBS_MAKER_H
#define EMBER_VERBS_MAKER_H

#include "files/input.h"
#include "verbs/build/build.h"

/* The model as it reads with one rate and loop: clips may have other ones than their file. */
typedef struct maker_reading {
    double rate;
    bool   loop;
    input  in;
} maker_reading;

typedef struct maker {
    const build_job    *job;
    build_file         *file;
    const ember_buffer *bytes;
    app_say             say;
    ember_arena         arena;
    char               *id; /* the file's */
    ember_rom_asset    *assets;
    uint32_t            count;
    maker_reading      *readings;
    size_t              reading_count;
    input               skeleton; /* of the file that ember.json names for its bones, or that lies beside */
    ember_ff7_skeleton  ff7;      /* the same, where it is one of Final Fantasy VII's; no bones: none */
    bool                local;    /* a clip in local space was made */
} maker;

static const place maker_nowhere = {NULL, NULL, NULL};

/* ---- maker.c: assets ---- */

/* Adds the asset under an id that no other can have. */
void           maker_put(maker *m, ember_rom_asset asset, const char *name, uint32_t number);
/* Adds the asset, or reports that its id is taken. */
void           maker_add(maker *m, ember_rom_asset asset, const char *name, uint32_t number);
/* Bytes that live as long as the maker. */
const uint8_t *maker_keep(maker *m, const ember_buffer *bytes);
/* Writes the model as a file of the asset's kind and keeps the bytes; false with a message. */
bool maker_write(maker *m, ember_rom_asset *asset, const ember_model *model, ember_fit fit, const char *name);
/* "hero", or "hero/walk" where the file has several; what ember.json says goes before. Free it. */
char *maker_part_id(const maker *m, const build_choice *choice, const char *name, uint32_t index,
                    uint32_t count);
/* Whether the image can be decoded, all of it; false with a message. */
bool  maker_image_is_whole(maker *m, const uint8_t *data, size_t size, const char *name);
/* Errors for what ember.json lists of the file and the file does not contain. */
void  maker_check_seen(maker *m, const char *what, const json_t *parts, const bool *seen);

/* ---- maker_model.c: models, their clips and their meshes ---- */

/* The file that ember.json names for the bones, or that lies beside; false with a message. */
bool         maker_open_skeleton(maker *m);
/* The file as it reads with this rate and loop; NULL with a message. */
const input *maker_read(maker *m, double rate, bool loop);
/* All that a file of a model has for a ROM. */
void         maker_model(maker *m);
/* The clips of the file, each read again where it wants another rate. */
void         maker_clips(maker *m, const input *in);
/* The meshes of the file and their textures. */
void         maker_meshes(maker *m, const ember_model *model);

/* ---- maker_lean.c: clips that are stored with a maximum error ---- */

typedef struct maker_lean {
    const ember_model    *model;
    ember_clip           *clip;   /* at its rate; its frames are changed to local space */
    ember_rom_asset      *asset;  /* all but its bytes and id */
    const ember_skeleton *bones;  /* those of the clip */
    int32_t               orphan; /* the first bone whose parent the clip does not have, or -1 */
    const build_choice   *choice;
    uint32_t              index; /* of the clip */
} maker_lean;

/* Whether the clip becomes a lean one. Files without names hold integers or records: those keep
   what they have. */
bool maker_is_lean(const input *in, const build_choice *choice);
/* Adds the clip in two entries. Its own has all but the frames, for which it has records of identity; the
   frames are data. */
void maker_lean_clip(maker *m, const maker_lean *job);

#endif
