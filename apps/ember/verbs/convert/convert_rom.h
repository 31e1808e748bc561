/* SPDX-License-Identifier: MIT */
/* `ember convert` out of a ROM: clips to any format, and entries as they are. */
#ifndef EMBER_APP_CONVERT_ROM_H
#define EMBER_APP_CONVERT_ROM_H

#include "files/deliver.h"
#include "files/output.h"

typedef struct rom_convert {
    const app_args *args;
    app_say        *say;
    output         *out;     /* planned, for clips */
    deliver        *deliver; /* for clips */
    size_t          written;
    size_t          memory_limit; /* --max-memory, or 0 */
    bool            failed;
} rom_convert;

/* The clips that --clip means, or all, to what -o says. */
void convert_rom_clips(rom_convert *c, const char *path);

/* --entry KIND:ID: the payload, for keyframes the .ewzanim, to the file, folder or name with {clip} that -o
   says. EXIT_DONE, EXIT_FAILED or EXIT_USAGE. */
int convert_rom_entries(rom_convert *c, const char *path);

#endif
