/* SPDX-License-Identifier: MIT */
/* Images that a model's file contains or names. */
#ifndef EMBER_FORMAT_IMAGES_H
#define EMBER_FORMAT_IMAGES_H

#include "format/ops.h"

/* Whether the bytes begin like PNG or JPEG. */
bool emberi_image_is_known(const uint8_t *data, size_t size);

/* The folder of the file that is read with `name` behind it, in the arena; "./" where it is in no other. NULL
   if there is no room. The source has a path. */
char *emberi_image_path(const emberi_source *source, ember_arena *arena, const char *name);

#endif
