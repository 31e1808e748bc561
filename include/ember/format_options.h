/* SPDX-License-Identifier: MIT */
/* Options that only one format takes, for formats that need nothing else of their own: ember_read_options and
   ember_write_options point to them. All zero is what a NULL means. */
#ifndef EMBER_FORMAT_OPTIONS_H
#define EMBER_FORMAT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec.h"

/* Reading BVH. */
typedef struct ember_bvh_options {
    size_t size;       /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    bool   drop_tpose; /* leave out a first frame that is the T-pose */
} ember_bvh_options;

/* Reading FBX. */
typedef struct ember_fbx_options {
    size_t      size; /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    /* The one take that becomes a clip: its name, or its number among the takes with keys. "TAKE:LAYER", with
       a layer's name or number, is that layer by itself, as if the take had no other. NULL: all takes, each
       with all its layers. */
    const char *take;
    /* Told the layers of each clip, in their order, while the model is read; or NULL. The name is valid
       during the call. */
    void (*layer)(void *user, uint32_t clip, const char *name);
    void *layer_user;
} ember_fbx_options;

/* Writing eza. */
typedef struct ember_eza_options {
    size_t       size;       /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    bool         record_set; /* false: the smallest that holds the clip's scales: B, A, or C */
    ember_record record;     /* EWZ is the draft's C */
} ember_eza_options;

/* Writing ewzlean: the largest error that a clip may have, as ember/lean.h measures it. */
typedef struct ember_ewzlean_options {
    size_t size;     /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    double error;    /* in model units; 0: EMBER_LEAN_DEFAULT_SHARE of the model's size */
    bool   relative; /* error is a share of the model's size */
} ember_ewzlean_options;

/* 0.02 % of the model's size. */
#define EMBER_LEAN_DEFAULT_SHARE 0.0002

/* Writing ewzmesh. */
typedef struct ember_ewzmesh_options {
    size_t size;     /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    bool   unpacked; /* vertices as floats, not in the packed form that a ROM holds */
} ember_ewzmesh_options;

#endif
