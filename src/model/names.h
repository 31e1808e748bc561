/* SPDX-License-Identifier: MIT */
/* Names: copied, quoted and made up. Bytes from files become names here and nowhere else, as valid UTF-8
   without control characters. */
#ifndef EMBER_MODEL_NAMES_H
#define EMBER_MODEL_NAMES_H

#include "base/utf8.h"
#include "ember/model.h"

/* A copy in the arena; NULL if there is no room. `text` of emberi_copy_name need not be valid UTF-8: what is
   not becomes '?', control characters too, so that names can be printed anywhere. */
char *emberi_copy_text(ember_arena *arena, const char *text);
char *emberi_copy_name(ember_arena *arena, const char *text, size_t size);

/* "walk" of "/a/b/walk.ewzanim", "clip" where there is no path: what a file's only clip is called. NULL if
   there is no room. */
char *emberi_name_from_path(ember_arena *arena, const char *path);

/* A name inside a message: in quotes, cut where it is long. */
typedef struct emberi_quoted {
    char text[64];
} emberi_quoted;
emberi_quoted emberi_quote(const char *name);
/* its number where it has no name */
emberi_quoted emberi_quote_bone(const ember_skeleton *skeleton, uint32_t bone);

/* The name that a bone without one gets where a format needs one: "bone_12". */
typedef struct emberi_made_name {
    char text[24];
} emberi_made_name;
emberi_made_name emberi_make_name(uint32_t bone);

/* Has a name of its own, not none or the made one. */
bool emberi_bone_is_named(const ember_skeleton *skeleton, uint32_t bone);

#endif
