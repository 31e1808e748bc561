/* SPDX-License-Identifier: MIT */
/* What the two halves of the mutator for FBX share. */
#ifndef EMBER_FUZZ_MUTATE_FBX_H
#define EMBER_FUZZ_MUTATE_FBX_H

#include "fuzz.h"

#define MUTATE_CHOICE(random, list) ((list)[fuzz_random_below((random), sizeof(list) / sizeof((list)[0]))])

/* A string that FBX files give a meaning to. */
const char *mutate_fbx_word(fuzz_random *random);

/* The text with a few changes, in place; its new size. */
size_t mutate_fbx_text(uint8_t *data, size_t size, size_t room, fuzz_random *random);

#endif
