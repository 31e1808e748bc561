/* SPDX-License-Identifier: MIT */
/* `ember convert --max-bones N`. */
#ifndef EMBER_APP_CONVERT_REDUCE_H
#define EMBER_APP_CONVERT_REDUCE_H

#include "files/input.h"

/* Merges bones of the input's model until there are max_bones (0: as many as there are), and reports what
   that costs; false with a message. */
bool convert_reduce(app_say *say, input *in, uint32_t max_bones);

#endif
