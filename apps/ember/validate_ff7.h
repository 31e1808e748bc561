/* Does it fit the battles of Final Fantasy VII. */
#ifndef EMBER_APP_VALIDATE_FF7_H
#define EMBER_APP_VALIDATE_FF7_H

#include "findings.h"
#include "input.h"

/* The file could not be read at all, and why. */
void validate_ff7_unreadable(findings *out, const char *why);

/* A pack as it is; `skeleton` is its **aa file, or empty. */
void validate_ff7_pack(findings *out, uint32_t *clip_count, const ember_buffer *bytes, const input *skeleton);

/* What was read of any other file: whether a pack can be made of it. Returns the pack's size, 0 if it cannot. */
uint64_t validate_ff7_model(findings *out, const ember_model *model);

#endif
