/* SPDX-License-Identifier: MIT */
/* ANIMBIN, the clips of PlayStation homebrew: the options that it alone takes, its keys as the file has them,
   and what its home engine, madnight, makes of a model. Files may be hostile, as for all readers.
   docs/formats/animbin.md is the normative table. */
#ifndef EMBER_ANIMBIN_H
#define EMBER_ANIMBIN_H

#include "base.h"
#include "codec.h"
#include "format.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- options for reading (unit and basis) and for writing (all) ---- */

typedef enum ember_animbin_keys {
    /* those the clip was read with, where its frames are as they were read; else dense */
    EMBER_ANIMBIN_KEYS_KEPT = 0,
    EMBER_ANIMBIN_KEYS_DENSE, /* one on every frame */
    EMBER_ANIMBIN_KEYS_SPARSE /* few, within the tolerance, for readers that interpolate */
} ember_animbin_keys;

typedef enum ember_animbin_translations {
    EMBER_ANIMBIN_TRANSLATIONS_KEPT = 0, /* as the keys are kept; else AUTO */
    /* for bones that leave their rest position, or move where there is no rest */
    EMBER_ANIMBIN_TRANSLATIONS_AUTO,
    EMBER_ANIMBIN_TRANSLATIONS_NEVER,
    EMBER_ANIMBIN_TRANSLATIONS_ALWAYS
} ember_animbin_translations;

typedef enum ember_animbin_basis {
    EMBER_ANIMBIN_BASIS_SAME = 0,
    EMBER_ANIMBIN_BASIS_PSX /* the file's roots are turned by diag(1, -1, -1): y down, z away */
} ember_animbin_basis;

typedef struct ember_animbin_options {
    size_t             size; /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    ember_animbin_keys keys;
    /* of sparse keys: how far any point of the model may be off; 0: a 500th of its size */
    double             tolerance;
    ember_rounding     rounding;
    ember_animbin_translations translations;
    /* stored units that make a length of 1; 0: 4096, FP12. The home engine's metre is 128 */
    double                     unit;
    ember_animbin_basis        basis;
} ember_animbin_options;

/* A unit by the skeleton: 4096, or where the model is small or its bones carry scales the power of two that
   stores rest positions to a 4000th of the model's size. The same skeleton gives the same unit for reading;
   without a rest pose it is an error. */
#define EMBER_ANIMBIN_UNIT_AUTO (-1.0)

/* ---- keys ---- */

/* The key that the clip's file has for a joint at the frame, or the last one before it: a rotation (w, x, y,
   z; 4096 is 1) or a translation (x, y, z). False where there is none, or the clip is not ANIMBIN's. */
typedef struct ember_animbin_key {
    uint32_t frame;
    int32_t  value[4];
} ember_animbin_key;
EMBER_API bool ember_animbin_key_at(ember_animbin_key *out, const ember_clip *clip, uint32_t joint,
                                    bool translation, uint32_t frame);

/* ---- checking against madnight ---- */

/* What madnight, the engine that ANIMBIN comes from, makes of the model's clips: its limits, which it does
   not check itself, and its player's traps. Clips are looked at as ember_model_write would store them with
   these options. Only a lack of memory and options that cannot be are failures; a clip that cannot be stored
   is a finding. docs/formats/animbin.md lists the codes. */
EMBER_API ember_status ember_animbin_check(const ember_model *model, const ember_write_options *options,
                                           const ember_findings *findings, ember_error *err);

/* The same of an ANIMBIN file as it is: its own names and markers, and no frame of it is sampled, so a small
   file costs little whatever its counts say. A file that cannot be read is a failure. `skeleton` gives names
   to the bones, or is NULL; *clip_count is how many animations there are. */
EMBER_API ember_status ember_animbin_check_file(uint32_t *clip_count, const void *data, size_t size,
                                                const ember_skeleton *skeleton,
                                                const ember_findings *findings, ember_error *err);

/* The clips brought within the limits of madnight's player: translations, which it never applies, and
   whatever it would trip over left out, keys thinned evenly, all of it told to options->notes. What would
   take the model's meaning, clips or bones, is not left out but an error that says why it cannot be
   done. *out shares the model's skeleton, and its clips hold the keys that ember_model_write stores if it is
   given the same unit and basis, and no wish about keys or translations. */
EMBER_API ember_status ember_animbin_fit(ember_model *out, const ember_model *model,
                                         const ember_write_options *options, ember_arena *arena,
                                         ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
