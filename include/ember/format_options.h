/* SPDX-License-Identifier: MIT */
/* Options that only one format takes, for formats that need nothing else of their own: ember_read_options and
   ember_write_options point to them. All zero is what a NULL means. */
#ifndef EMBER_FORMAT_OPTIONS_H
#define EMBER_FORMAT_OPTIONS_H

#include <stdbool.h>

#include "codec.h"

/* Reading BVH. */
typedef struct ember_bvh_options {
    bool drop_tpose; /* leave out a first frame that is the T-pose */
} ember_bvh_options;

/* Writing eza. */
typedef struct ember_eza_options {
    bool         record_set; /* false: the smallest that holds the clip's scales: B, A, or C */
    ember_record record;     /* EWZ is the draft's C */
} ember_eza_options;

/* Writing ewzmesh. */
typedef struct ember_ewzmesh_options {
    bool unpacked; /* vertices as floats, not in the packed form that a ROM holds */
} ember_ewzmesh_options;

#endif
