/* SPDX-License-Identifier: MIT */
/* The options for ANIMBIN that verbs share. */
#ifndef EMBER_APP_ANIMBIN_OPTIONS_H
#define EMBER_APP_ANIMBIN_OPTIONS_H

#include "cli/args.h"
#include "ember/animbin.h"

/* --unit and --basis, which reading and writing have in common. EXIT_DONE or EXIT_USAGE. */
int animbin_options_view(ember_animbin_options *out, const app_args *args, app_say *say);

/* All that say how to write it, and --target madnight. Those that mean nothing for the output's format are
   wrong usage. */
int animbin_options_read(ember_animbin_options *out, bool *madnight, const ember_format_info *to,
                         const app_args *args, app_say *say);

/* Puts the model that fits madnight's player in the place of the other, and takes the wishes that it fulfils
   out of the options, which point into the arena then. */
bool animbin_options_fit(ember_model *model, ember_write_options *options, ember_arena *arena,
                         ember_error *err);

#endif
