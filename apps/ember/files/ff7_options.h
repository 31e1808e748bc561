/* SPDX-License-Identifier: MIT */
/* What Final Fantasy VII packs need beside the common options: the pack's own skeleton file, the pack that
   clips go back into, and the key. */
#ifndef EMBER_APP_FF7_OPTIONS_H
#define EMBER_APP_FF7_OPTIONS_H

#include "cli/args.h"
#include "ember/ff7.h"
#include "files/input.h"

typedef struct ff7_files {
    ember_arena        arena;
    ember_ff7_skeleton skeleton; /* no bones: none */
    ember_buffer       bytes;    /* of the base */
    ember_ff7_pack     pack;
} ff7_files;

/* --key, and that it and --base are for ff7. EXIT_DONE or EXIT_USAGE. */
int ff7_options_read(ember_ff7_options *out, const ember_format_info *to, const app_args *args, app_say *say);

/* Takes the file apart if it is a skeleton of FF7's; any other one has no bones for packs. False with the
   reason in *err. */
bool ff7_skeleton_of(ember_ff7_skeleton *out, const input *skeleton, ember_arena *arena, ember_error *err);

/* Takes the skeleton file apart once more if it is one of FF7's, and reads --base. False with one line said;
   free it in any case. */
bool ff7_files_open(ff7_files *files, const input *skeleton, const app_args *args, app_say *say);
void ff7_files_close(ff7_files *files);

#endif
