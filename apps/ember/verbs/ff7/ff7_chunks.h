/* SPDX-License-Identifier: MIT */
/* `ember ff7 list|extract|replace|remove|insert`: one pack, chunk by chunk. What is not touched
   keeps its bytes. */
#ifndef EMBER_APP_FF7_CHUNKS_H
#define EMBER_APP_FF7_CHUNKS_H

#include "cli/args.h"

/* Each gets the arguments without the action's own word. */
int ff7_list(const app_args *args, app_say *say);
int ff7_extract(const app_args *args, app_say *say);
int ff7_replace(const app_args *args, app_say *say);
int ff7_remove(const app_args *args, app_say *say);
int ff7_insert(const app_args *args, app_say *say);

#endif
