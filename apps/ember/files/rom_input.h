/* SPDX-License-Identifier: MIT */
/* ROMs on their way in: clips and entries of one as the other verbs know them. */
#ifndef EMBER_APP_ROM_INPUT_H
#define EMBER_APP_ROM_INPUT_H

#include "ember/rom.h"
#include "files/input.h"

/* Whether it is a ROM: by content, or by an extension that says so where the content is broken. */
bool rom_input_is(const input *in);
/* The same of a file that was not read yet; false for standard input, pipes and what is not there. */
bool rom_input_is_file(const char *path);

/* A clip without its frames: what is said of it, in the arena. False if there is no room. */
bool         rom_input_facts(ember_clip *out, ember_skeleton *skeleton, const ember_rom_clip *clip,
                             ember_arena *arena);
/* What frames out of one ROM may take: what --max-memory says, or else as much as its size gives reason for.
   A clip that stands still is stored in next to nothing. */
size_t       rom_input_limit(const ember_rom *rom, size_t memory_limit);
/* The clip's frames too, decoded; *left bytes are left for them, less then. EMBER_E_LIMIT where
   they are too few. */
ember_status rom_input_clip(ember_clip *out, ember_skeleton *skeleton, const ember_rom_clip *clip,
                            size_t *left, ember_arena *arena, ember_error *err);

/* "keyframes:hero/walk". Free it. */
char *rom_input_name(const ember_rom_entry *entry);

#endif
