/* SPDX-License-Identifier: MIT */
/* What the fuzz targets begin with, all of it made here: fuzz-seeds FOLDER writes FOLDER/<target>/<name>. */
#ifndef EMBER_FUZZ_SEEDS_H
#define EMBER_FUZZ_SEEDS_H

#include "fuzz.h"

typedef struct seeds {
    const char *folder;
    unsigned    count; /* so far */
} seeds;

/* One file for a target. */
void seeds_put(seeds *s, const char *target, const char *name, const void *data, size_t size);

/* A file of that format, by its name: for its reader, and for conversions to a few formats. */
void seeds_put_file(seeds *s, const char *format, const char *name, const void *data, size_t size);

/* Ends the program, with words, where something that must work did not. */
void seeds_must(ember_status status, const ember_error *err);

void seeds_put_models(seeds *s); /* whatever the library itself writes */
void seeds_put_texts(seeds *s);  /* glTF, BVH and OBJ by hand */
void seeds_put_packs(seeds *s);  /* Final Fantasy VII's */
void seeds_put_fbx(seeds *s);    /* in all containers */
void seeds_put_blocks(seeds *s); /* squeezed ones, ROMs, modules, calls, pictures */

#endif
