/* SPDX-License-Identifier: MIT */
/* Would it crash or distort in Final Fantasy VII. */
#ifndef EMBER_APP_VALIDATE_FF7_H
#define EMBER_APP_VALIDATE_FF7_H

#include "cli/findings.h"
#include "ember/ff7.h"

/* The file could not be read at all, and why. */
void validate_ff7_unreadable(findings *out, const ember_error *why);

/* A pack as it is, with the model's skeleton or NULL; *clip_count is how many chunks there are. False with
   the reason in *err. */
bool validate_ff7_file(findings *out, uint32_t *clip_count, const ember_buffer *bytes,
                       const ember_ff7_skeleton *skeleton, ember_error *err);

#endif
