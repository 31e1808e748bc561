/* SPDX-License-Identifier: MIT */
/* The error that lean clips may have, as --error states it. */
#ifndef EMBER_APP_LEAN_OPTIONS_H
#define EMBER_APP_LEAN_OPTIONS_H

#include "cli/args.h"
#include "ember/format_options.h"

/* "0.5mm", "2cm", "0.001m": a length, where a model unit is a metre. "0.02%": a share of the model's size.
   False for anything else, and for numbers that are not above 0. */
bool lean_options_parse(ember_ewzlean_options *out, const char *text);

/* --error, for verbs that write files. It is wrong usage where the output's format does not take it.
   EXIT_DONE or EXIT_USAGE. */
int lean_options_read(ember_ewzlean_options *out, const ember_format_info *to, const app_args *args,
                      app_say *say);

#define LEAN_OPTIONS_ERROR(kind)                                                                            \
    {                                                                                                       \
        "error", 0, "LENGTH|PERCENT",                                                                       \
            kind "ewzlean: largest error, a length (0.5mm) or a share of the model's size (default: 0.02%)" \
    }

#endif
