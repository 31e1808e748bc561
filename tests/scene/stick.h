/* SPDX-License-Identifier: MIT */
/* A figure of three bones to look at: a root, an upper bone one unit above it, a tip two units above that. In
   the clip's second frame the root has moved by 4 along x. */
#ifndef EMBER_TESTS_SCENE_STICK_H
#define EMBER_TESTS_SCENE_STICK_H

#include "scene/actor.h"
#include "scene/program.h"
#include "testing.h"

#define STICK_AT(x, y, z)                                         \
    {                                                             \
        {0.0f, 0.0f, 0.0f, 1.0f}, {x, y, z}, { 1.0f, 1.0f, 1.0f } \
    }

static const int16_t         stick_parents[3] = {-1, 0, 1};
static const ember_transform stick_rest[3] = {STICK_AT(0.0f, 0.0f, 0.0f), STICK_AT(0.0f, 1.0f, 0.0f),
                                              STICK_AT(0.0f, 2.0f, 0.0f)};
static const ember_transform stick_frames[6] = {STICK_AT(0.0f, 0.0f, 0.0f), STICK_AT(0.0f, 1.0f, 0.0f),
                                                STICK_AT(0.0f, 2.0f, 0.0f), STICK_AT(4.0f, 0.0f, 0.0f),
                                                STICK_AT(0.0f, 1.0f, 0.0f), STICK_AT(0.0f, 2.0f, 0.0f)};

static inline ember_clip stick_clip(void)
{
    return (ember_clip){.name = "stick",
                        .fps = 30.0,
                        .space = EMBER_SPACE_LOCAL,
                        .bone_count = 3,
                        .frame_count = 2,
                        .frames = stick_frames};
}

static inline ember_model stick_model(const ember_clip *clip)
{
    return (ember_model){.skeleton = {.bone_count = 3, .parents = stick_parents, .rest = stick_rest},
                         .clips = clip,
                         .clip_count = 1};
}

/* The program's part. */
void *must_alloc(size_t count, size_t size) { return test_alloc(count * size); }
void *must_resize(void *memory, size_t count, size_t size)
{
    void *grown = realloc(memory, count * size);
    assert_non_null(grown);
    return grown;
}
void *must_grow(void *memory, size_t count, size_t size)
{
    return (count & (count - 1)) == 0 ? must_resize(memory, count != 0 ? count * 2 : 1, size) : memory;
}

#endif
