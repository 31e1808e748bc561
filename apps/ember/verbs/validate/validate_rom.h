/* SPDX-License-Identifier: MIT */
/* Is a ROM whole: by every hash that is in it, and by reading all that it holds. */
#ifndef EMBER_APP_VALIDATE_ROM_H
#define EMBER_APP_VALIDATE_ROM_H

#include "cli/findings.h"
#include "files/input.h"

void validate_rom(findings *out, const input *in);

#endif
