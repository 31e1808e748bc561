/* SPDX-License-Identifier: MIT */
/* The options of a call as this library knows them, whichever version of the headers the caller was
   compiled with. */
#ifndef EMBER_FORMAT_KNOWN_OPTIONS_H
#define EMBER_FORMAT_KNOWN_OPTIONS_H

#include "ember/animbin.h"
#include "ember/ff7.h"
#include "ember/format.h"
#include "ember/format_options.h"

typedef struct emberi_read_options {
    ember_read_options    all;
    ember_animbin_options animbin;
    ember_bvh_options     bvh;
    ember_fbx_options     fbx;
    ember_ff7_options     ff7;
} emberi_read_options;

typedef struct emberi_write_options {
    ember_write_options   all;
    ember_animbin_options animbin;
    ember_ewzlean_options ewzlean;
    ember_ewzmesh_options ewzmesh;
    ember_eza_options     eza;
    ember_ff7_options     ff7;
} emberi_write_options;

/* Copies the caller's options, and those of single formats, into `out`; what the caller does not have is
   zero. `out->all` points into `out`. NULL options are all zero. EMBER_E_ARG for a size that no version had,
   EMBER_E_UNSUPPORTED where members are set that only a newer library has. */
ember_status emberi_read_options_take(emberi_read_options *out, const ember_read_options *options,
                                      ember_error *err);
ember_status emberi_write_options_take(emberi_write_options *out, const ember_write_options *options,
                                       ember_error *err);

#endif
