/* SPDX-License-Identifier: MIT */
/* A file of lean clips by hand, after docs/formats/ewzlean.md and docs/formats/lean.md. */
#ifndef EMBER_TESTS_EWZLEAN_MADE_H
#define EMBER_TESTS_EWZLEAN_MADE_H

#include "format/fixture.h"

static const ember_read_options  as_ewzlean = {.format = EMBER_FORMAT_EWZLEAN};
static const ember_write_options to_ewzlean = {.format = EMBER_FORMAT_EWZLEAN};

#define ZERO 0x00, 0x00, 0x00, 0x00
#define ONE 0x00, 0x00, 0x80, 0x3F
#define HALF 0x00, 0x00, 0x00, 0x3F

/* Two bones at rest, one clip of one frame. */
/* clang-format off */
static const uint8_t ewzlean_golden[] = {
    'E', 'W', 'Z', 'L', 1, 0, 3, 0,                         /* version 1; rest, names */
    2, 0, 1, 0, 56, 0, 0, 0,                                /* two bones, one clip, 56 bytes of rig */
    0xFF, 0xFF, 0, 0,                                       /* parents */
    ZERO, ZERO, ZERO, ONE, ZERO, ONE, ZERO, ONE, ONE, ONE,  /* rest: rotation, position, scale */
    ZERO, ZERO, ZERO, ONE, ZERO, HALF, ZERO, ONE, ONE, ONE,
    3, 0, 'h', 'i', 'p', 4, 0, 'k', 'n', 'e', 'e',          /* names */
    1, 2, 0, 0, HALF,                                       /* rig: two bones, no scales, unit 0, shell 0.5 */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ZERO, ONE, ZERO,    /* A, C, position */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ZERO, HALF, ZERO,
    4, 0, 'w', 'a', 'l', 'k',                               /* the clip's name */
    0, 0, 0, 0, 0, 0, 0x38, 0x40, 1, 0, 1, 0,               /* 24 frames a second, loops, one marker */
    ZERO, 2, 0, 'u', 'p',                                   /* at frame 0 */
    16, 0, 0, 0,                                            /* 16 bytes of clip */
    1, 0, 0, 0x78, 16, 0,                                   /* one frame, error 1/1024, blocks of 16 */
    0, 0,                                                   /* modes: both at rest */
    0, 0, 0, 0, 0, 0, 0, 0,
};
/* clang-format on */

/* Where the parts begin. */
enum {
    EWZLEAN_PARENTS = 16,
    EWZLEAN_REST = 20,
    EWZLEAN_NAMES = 100,
    EWZLEAN_RIG = 111,
    EWZLEAN_CLIP = 167,
    EWZLEAN_RATE = 173,
    EWZLEAN_FLAGS = 181,
    EWZLEAN_MARKER = 185,
    EWZLEAN_SIZE = 193,
    EWZLEAN_BODY = 197
};

#endif
