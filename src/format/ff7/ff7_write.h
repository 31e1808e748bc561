/* SPDX-License-Identifier: MIT */
/* The writer of packs in two parts: the integers of one chunk (ff7_part.c), and which chunks a pack is made
   of (ff7_write.c). */
#ifndef EMBER_FORMAT_FF7_WRITE_H
#define EMBER_FORMAT_FF7_WRITE_H

#include "base/real.h"
#include "format/ff7/ff7_parts.h"

typedef struct emberi_ff7_writing {
    const ember_model         *model;
    const ember_write_options *options;
    ember_ff7_options          asked; /* of the options, or the defaults */
    ember_error               *err;
    ember_arena                arena;
    emberi_ff7_rig             rig;
    double                     length; /* the longest way between two bones at rest */
    /* of every bone, how its axes are turned from FF7's; NULL: not at all */
    real_trs                  *axes;
} emberi_ff7_writing;

/* One chunk's worth of a model's clip. */
typedef struct emberi_ff7_part {
    const ember_clip     *clip;
    uint32_t              clip_index;
    ember_ff7_kind        kind;
    const ember_ff7_clip *reference; /* what it was, or NULL */
    uint32_t              frame_count;
    uint32_t              triple_count;
    int32_t              *slots;   /* the clip's bone of each triple, -1: rests */
    uint16_t             *bones;   /* the model's bone of each triple */
    bool                  changed; /* from the reference */
} emberi_ff7_part;

/* How the axes of the model's bones are turned from FF7's; false if there is no memory. The rig is
   known already. */
bool emberi_ff7_axes_find(emberi_ff7_writing *w);

/* Whether none of the part's bones moves from that frame on. */
bool emberi_ff7_part_holds(const emberi_ff7_writing *w, const emberi_ff7_part *p, uint32_t frame);

/* The part's integers; p->changed says whether they are not the reference's, and where they are, *out
   has its bytes. */
ember_status emberi_ff7_part_make(emberi_ff7_writing *w, emberi_ff7_part *p, ember_ff7_clip *out);

#endif
