/* The verbs of the command, each in its own file. */
#ifndef EMBER_APP_VERBS_H
#define EMBER_APP_VERBS_H

#include "args.h"

extern const app_verb verb_convert, verb_diff, verb_export, verb_formats, verb_info, verb_preview, verb_validate;

#endif
