/* SPDX-License-Identifier: MIT */
/* One clip out of a ROM as a model to look at, with the skeleton and the meshes that were built from the same
   file: those whose ids begin like the clip's. Nothing in a ROM says which of several models in a folder a
   mesh is of: it goes with the clips that have the fewest bones of those that have all of its bones. */
#ifndef EMBER_APP_ROM_MODEL_H
#define EMBER_APP_ROM_MODEL_H

#include "cli/say.h"
#include "ember/rom.h"

/* The ROM's clips by their ids alone, nothing else filled in, and the entry of each. False if
   there is no room. */
bool rom_model_list(const ember_clip **clips, const uint32_t **entries, uint32_t *count, const ember_rom *rom,
                    ember_arena *arena);

/* The clip of that entry; memory_limit is --max-memory's, or 0. Textures point into the ROM. False with the
   reason in *err; meshes that cannot be read are said and left out. */
bool rom_model_open(ember_model *out, const ember_rom *rom, uint32_t entry, size_t memory_limit,
                    const char *file, app_say *say, ember_arena *arena, ember_error *err);

/* Gives a model of ROM clips the meshes and inverse binds that go with the clip of that id. False if there is
   no memory. */
bool rom_model_companions(ember_model *out, const ember_rom *rom, const char *id, const char *file,
                          app_say *say, ember_arena *arena);

/* Clips of one rig as a model, without meshes: what conversions take. Every entry is held against its
   hash; *left bytes are left for the frames, less then. False, with one line said, where it cannot be. */
bool rom_model_clips(ember_model *out, const ember_rom *rom, const ember_rom_entry *entries, uint32_t count,
                     size_t *left, const char *file, app_say *say, ember_arena *arena);

#endif
