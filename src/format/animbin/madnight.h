/* SPDX-License-Identifier: MIT */
/* The sizes of madnight's tables. It does not check them: what is beyond overwrites what lies behind. */
#ifndef EMBER_FORMAT_MADNIGHT_H
#define EMBER_FORMAT_MADNIGHT_H

#include <stdbool.h>

enum {
    EMBERI_MADNIGHT_CLIPS = 5,
    EMBERI_MADNIGHT_TRACKS = 50,
    EMBERI_MADNIGHT_KEYS = 30,
    EMBERI_MADNIGHT_MARKERS = 5,
    EMBERI_MADNIGHT_BONES = 15
};

/* One frame each vertical blank. A clip without a rate (0) has nothing to contradict it. */
static inline bool emberi_madnight_shows(double fps) { return !(fps > 0.0) || fps == 60.0 || fps == 50.0; }

#endif
