/* SPDX-License-Identifier: MIT */
/* What the two keyframe formats share: a header in front, then frame after frame one record per bone. */
#ifndef EMBER_FORMAT_KEYFRAMES_H
#define EMBER_FORMAT_KEYFRAMES_H

#include "ember/codec.h"
#include "format/ops.h"

typedef struct emberi_keyframes {
    size_t       header_size;
    ember_record record;
    uint32_t     bone_count;  /* 1 or more, from the header */
    uint32_t     frame_count; /* 1 or more */
    double       fps;         /* 0 if unknown */
    bool         loop;
} emberi_keyframes;

/* Reads a file that passed its check as one clip named after it; bones come from the options' skeleton where
   there is one. */
ember_status emberi_keyframes_read(ember_model *out, const emberi_keyframes *keyframes,
                                   const emberi_source *source);

/* The file's size by its counts; it cannot overflow with 16-bit counts. */
uint64_t emberi_keyframes_size(const emberi_keyframes *keyframes);

/* Whether the file is exactly as long as its header says. */
ember_status emberi_keyframes_check_size(const emberi_keyframes *keyframes, size_t size, ember_error *err);

/* v2's four rules for an .ewzanim: bones, flags, frames, size. *out is what its header says. */
ember_status emberi_ewzanim_check(emberi_keyframes *out, const uint8_t *data, size_t size, ember_error *err);
/* The same for the draft's .eza. */
ember_status emberi_eza_check(emberi_keyframes *out, const uint8_t *data, size_t size, ember_error *err);

/* EMBER_E_LIMIT, saying how many there are, unless the clip has 1..255 bones and 1..65535 frames. */
ember_status emberi_keyframes_check_counts(const ember_clip *clip, ember_error *err);

/* Appends all records of the clip; a number that does not fit is EMBER_E_RANGE, naming it and its place.
   `fit` counts for local clips in records of 16 bytes; all others are rounded plainly. */
ember_status emberi_keyframes_write(ember_buffer *out, const ember_model *model, const ember_clip *clip,
                                    ember_record record, ember_fit fit, ember_error *err);

#endif
