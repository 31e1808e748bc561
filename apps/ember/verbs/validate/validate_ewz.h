/* SPDX-License-Identifier: MIT */
/* Does it fit Emberware Z: v2's rules for .ewzanim files, and what the console can hold and draw. */
#ifndef EMBER_APP_VALIDATE_EWZ_H
#define EMBER_APP_VALIDATE_EWZ_H

#include "cli/findings.h"
#include "ember/format.h"

/* The file could not be read at all, and why. */
void validate_ewz_unreadable(findings *out, const ember_error *why);

/* Whether files of this format are what the console loads, so that their own bytes can be checked. */
bool validate_ewz_is_stored(ember_format format);

/* What EWZ110 says, in `ember build` too. */
extern const char validate_ewz_misprint[];

/* A .ewzanim file's own bytes: header, size, and rotations that no encoder writes. True if the
   header is good. */
bool validate_ewz_bytes(findings *out, const char *clip, const uint8_t *data, size_t size);

/* What was read of any file. `space` is what will be written: MODEL, or LOCAL where the game composes. */
void validate_ewz_model(findings *out, const ember_model *model, ember_space space);

/* Bytes of all clips as .ewzanim files. */
uint64_t validate_ewz_size(const ember_model *model);

#endif
