/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII battle animations inside the format room: what its files share and ff7.h
   does not show. */
#ifndef EMBER_FORMAT_FF7_PARTS_H
#define EMBER_FORMAT_FF7_PARTS_H

#include "ember/ff7.h"
#include "format/ops.h"

enum {
    EMBERI_FF7_COUNT_SIZE = 4, /* before the first chunk */
    EMBERI_FF7_HEADER_SIZE = 12,
    EMBERI_FF7_MINI_SIZE = 5,   /* sFrames, sSize, key */
    EMBERI_FF7_BARE_SIZE = 3,   /* of the damaged chunk: sSize, key */
    EMBERI_FF7_LEAST_SIZE = 11, /* a chunk of fewer bytes is special: it has no room for a position */
    EMBERI_FF7_TURN = 4096,
    EMBERI_FF7_WEAPON_BONES = 1, /* bones_field of weapon clips */
    /* bones_field of models with one bone, which store one triple all the same */
    EMBERI_FF7_SINGLE_BONES = 2
};

/* What the caller asks for, or the defaults. */
static inline ember_ff7_options emberi_ff7_asked(const ember_ff7_options *options)
{
    return options != NULL ? *options : (ember_ff7_options){.skeleton = NULL};
}

/* What stands in an empty slot. */
extern const uint8_t emberi_ff7_empty_slot[4];

/* ---- rotations ---- */

/* The angle between two rotations, in units of 4096 to a turn; lengths need not be 1. */
double emberi_ff7_angle_between(ember_quat a, ember_quat b);

/* value, or the same modulo 4096 that is nearest to `near`; wraps like the game's 16 bits. */
static inline int16_t emberi_ff7_next_to(int32_t value, int16_t near)
{
    int32_t apart = (value - near) & (EMBERI_FF7_TURN - 1);
    return (int16_t)(near + (apart >= EMBERI_FF7_TURN / 2 ? apart - EMBERI_FF7_TURN : apart));
}

/* ---- chunks ---- */

/* The keys that the game's own files have. */
static inline bool emberi_ff7_key_known(uint32_t key) { return key == 0 || key == 2 || key == 4; }

/* What a chunk's clip is called: "body_07". */
typedef struct emberi_ff7_name {
    char text[24];
} emberi_ff7_name;
emberi_ff7_name emberi_ff7_name_of(ember_ff7_kind kind, uint32_t index);

/* Hands on what `cause` says of that clip. */
ember_status emberi_ff7_fail_clip(ember_error *err, ember_status status, const ember_error *cause,
                                  ember_ff7_kind kind, uint32_t index);

/* A header and a payload as they are; false if there is no memory. */
bool emberi_ff7_put_chunk(ember_buffer *out, uint32_t bones_field, uint32_t frames_field,
                          const uint8_t *payload, size_t size);

/* ---- skeletons ---- */

/* The model's skeleton: "ff7", "root", "bone_00" and on, and "weapon" where there is one. `bone_count` is at
   least the skeleton's; more hang on the root. skeleton NULL: a chain. */
ember_status emberi_ff7_skeleton_make(ember_skeleton *out, const ember_ff7_skeleton *skeleton,
                                      uint32_t bone_count, bool weapon, float scale, ember_arena *arena,
                                      ember_error *err);

/* Which of a model's bones are what: found by name, without names by their order. */
typedef struct emberi_ff7_rig {
    int32_t   top;    /* "ff7", the turned parent of root and weapon; -1: none, they are turned themselves */
    int32_t   root;   /* -1: none */
    int32_t   weapon; /* -1: none */
    uint32_t  bone_count;
    uint16_t *bones; /* the model's bone of each of FF7's */
} emberi_ff7_rig;
ember_status emberi_ff7_rig_find(emberi_ff7_rig *out, const ember_skeleton *skeleton, ember_arena *arena,
                                 ember_error *err);

/* A transform turned half about x from outside, and back: y down to y up where no bone does it. */
ember_transform emberi_ff7_turned(const ember_transform *t);
ember_transform emberi_ff7_turned_back(const ember_transform *t);

/* ---- the table's entries ---- */

ember_status emberi_ff7_write(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                              ember_error *err);
ember_status emberi_ff7_raw_write(struct emberi_json_out *out, const ember_clip *clip, ember_error *err);
ember_status emberi_ff7_raw_read(ember_raw *out, const struct json_t *object, const emberi_source *source);

#endif
