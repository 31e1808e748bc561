/* The verbs of the command, each in its own file. */
#ifndef EMBER_APP_VERBS_H
#define EMBER_APP_VERBS_H

#include "args.h"

extern const app_verb verb_build, verb_convert, verb_diff, verb_export, verb_formats, verb_info, verb_run, verb_validate, verb_completion;

/* All of them, in the order of the help; NULL behind the last. */
const app_verb *verbs_at(size_t index);

#endif
