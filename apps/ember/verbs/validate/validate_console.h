/* SPDX-License-Identifier: MIT */
/* The target `console`: whether a game's module finds all that it imports. */
#ifndef EMBER_APP_VALIDATE_CONSOLE_H
#define EMBER_APP_VALIDATE_CONSOLE_H

#include "cli/findings.h"
#include "files/input.h"

/* A module, or a ROM's game; *functions: how many of the console's functions it uses. */
void validate_console(findings *out, const input *in, uint32_t *functions);

#endif
