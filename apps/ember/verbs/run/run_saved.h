/* SPDX-License-Identifier: MIT */
/* Saved games of `ember run`: --save and --load. */
#ifndef EMBER_VERBS_RUN_SAVED_H
#define EMBER_VERBS_RUN_SAVED_H

#include "cli/args.h"
#include "cli/say.h"
#include "ember/machine.h"

/* Behind init, if --load was given. Nothing changes where the file is none of this game's. */
int run_saved_load(ember_machine *machine, const app_args *args, app_say *say);

/* If --save was given. */
int run_saved_write(const ember_machine *machine, const app_args *args, app_say *say);

#endif
