/* SPDX-License-Identifier: MIT */
/* The verbs of the command, each in its own file. */
#ifndef EMBER_APP_VERBS_H
#define EMBER_APP_VERBS_H

#include "cli/args.h"

extern const app_verb verb_build;
extern const app_verb verb_completion;
extern const app_verb verb_convert;
extern const app_verb verb_diff;
extern const app_verb verb_export;
extern const app_verb verb_ff7;
extern const app_verb verb_formats;
extern const app_verb verb_info;
extern const app_verb verb_preview;
extern const app_verb verb_run;
extern const app_verb verb_validate;
extern const app_verb verb_view;

/* All of them, in the order of the help; NULL behind the last. */
const app_verb *verbs_at(size_t index);

#endif
