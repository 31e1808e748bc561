/* SPDX-License-Identifier: MIT */
/* Does it fit madnight, the PlayStation engine that ANIMBIN comes from. */
#ifndef EMBER_APP_VALIDATE_MADNIGHT_H
#define EMBER_APP_VALIDATE_MADNIGHT_H

#include "cli/findings.h"
#include "ember/animbin.h"

/* The file could not be read at all, and why. */
void validate_madnight_unreadable(findings *out, const ember_error *why);

/* An ANIMBIN file as it is; *clip_count is how many clips there are. False with the reason in *err: it cannot
   be read. */
bool validate_madnight_file(findings *out, uint32_t *clip_count, const ember_buffer *bytes,
                            const ember_skeleton *skeleton, ember_error *err);

/* What was read of any file, as it would be stored. False with the reason in *err. */
bool validate_madnight_model(findings *out, const ember_model *model, const ember_animbin_options *options,
                             ember_error *err);

/* Bytes of all clips in one ANIMBIN file; 0 if they cannot be stored. */
uint64_t validate_madnight_size(const ember_model *model, const ember_animbin_options *options);

#endif
