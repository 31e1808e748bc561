/* SPDX-License-Identifier: MIT */
/* The parts of the BVH reader: words and the hierarchy in one file, the motion and the model in the other. */
#ifndef EMBER_FORMAT_BVH_H
#define EMBER_FORMAT_BVH_H

#include "format/ops.h"
#include "format/text_scan.h"

#define BVH_MAX_CHANNELS 6u

typedef struct bvh_joint {
    double  offset[3];
    bool    has_offset, has_channels;
    uint8_t channel_count;
    uint8_t channels[BVH_MAX_CHANNELS]; /* 0..2 positions x y z, 3..5 rotations about x y z */
} bvh_joint;

typedef struct bvh_file {
    emberi_scan          scan;
    const emberi_source *source;
    double               scale;
    bvh_joint           *joints;
    int16_t             *parents;
    const char         **names;
    uint32_t             joint_count;
    uint32_t             joint_room;
    uint32_t             end_sites;
    size_t               channel_count; /* of all joints */
    uint32_t             frame_count;
    double               fps;
} bvh_file;

/* Everything up to and with the word MOTION. */
ember_status emberi_bvh_hierarchy(bvh_file *file);

/* The next word; braces are words of their own, also where they touch another. */
emberi_word   emberi_bvh_word(emberi_scan *scan);
/* The word if it is that one; "Frames:", also "Frames :" and "frames:12". Errors say what should be there. */
ember_status  emberi_bvh_expect(emberi_scan *scan, const char *text);
ember_status  emberi_bvh_label(emberi_scan *scan, const char *label, const char *expected);
/* The cursor goes back to the word, so that the error points at it. */
ember_status  emberi_bvh_fail_word(emberi_scan *scan, emberi_word word, const char *expected);
/* A word inside a message. */
emberi_quoted emberi_bvh_quote(emberi_word word);

/* The rate that a Frame Time means; `digits` is how many follow its point. time_s > 0. */
double emberi_bvh_rate(double time_s, int digits);

#endif
