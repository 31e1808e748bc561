/* SPDX-License-Identifier: MIT */
/* What the scene asks of the program around it: memory that must be there, and somebody who hears
   what went wrong. */
#ifndef EMBER_SCENE_PROGRAM_H
#define EMBER_SCENE_PROGRAM_H

#include "ember/base.h"

/* Like malloc and realloc of count * size bytes, but a program without memory ends with a message. The
   program defines them. */
void *must_alloc(size_t count, size_t size);
void *must_resize(void *memory, size_t count, size_t size);

/* Room for one more than count elements. It doubles when count is a power of two, so that a list needs no
   field for its room; the list must have grown by this alone. */
void *must_grow(void *memory, size_t count, size_t size);

typedef struct scene_listener {
    void (*failed)(void *user, const char *file, const ember_error *err); /* file may be NULL */
    void (*warned)(void *user, const char *file, const char *text);
    void *user;
} scene_listener;

#endif
