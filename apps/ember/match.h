/* SPDX-License-Identifier: MIT */
/* Clips of one file on the bones of another: matched by name. */
#ifndef EMBER_APP_MATCH_H
#define EMBER_APP_MATCH_H

#include "ember/model.h"
#include "say.h"

/* The model's clips with the skeleton's bones, in its order and with its rest; bones that the clips do not
   have keep the rest. A bone of the model that the skeleton lacks, or that either has twice, is an error that
   lists the names. With -v the map is said. False with one line said. */
bool match_bones(ember_model *out, const ember_model *model, const ember_skeleton *skeleton, const char *file,
                 app_say *say, ember_arena *arena);

#endif
