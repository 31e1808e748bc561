/* SPDX-License-Identifier: MIT */
/* `ember ff7 fps|repack|repair`: whole packs, and whole folders of them. */
#ifndef EMBER_APP_FF7_BATCH_H
#define EMBER_APP_FF7_BATCH_H

#include "cli/args.h"

/* Each gets the arguments without the action's own word. */
int ff7_fps(const app_args *args, app_say *say);
int ff7_repack(const app_args *args, app_say *say);
int ff7_repair(const app_args *args, app_say *say);

#endif
