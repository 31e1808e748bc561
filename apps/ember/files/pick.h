/* SPDX-License-Identifier: MIT */
/* Choosing clips: by exact name, by number, or by a glob. */
#ifndef EMBER_APP_PICK_H
#define EMBER_APP_PICK_H

#include <stdbool.h>

#include "ember/model.h"

/* True if the word means this clip: its name; or its number, if no clip is called so; or a glob that its name
   matches, if neither. */
bool pick_matches(const ember_model *model, uint32_t clip, const char *word);

/* The first clip that the word means, or NULL. */
const ember_clip *pick_first(const ember_model *model, const char *word);

/* "idle, walk, run" with at most 20 names, then how many more. Free it. */
char *pick_names(const ember_model *model);

#endif
