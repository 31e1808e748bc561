/* The sizes of madnight's tables. It does not check them: what is beyond overwrites what lies behind. */
#ifndef EMBER_FORMAT_ANIMBIN_MADNIGHT_H
#define EMBER_FORMAT_ANIMBIN_MADNIGHT_H

enum {
    EMBERI_MADNIGHT_CLIPS = 5,
    EMBERI_MADNIGHT_TRACKS = 50,
    EMBERI_MADNIGHT_KEYS = 30,
    EMBERI_MADNIGHT_MARKERS = 5,
    EMBERI_MADNIGHT_BONES = 15
};

#endif
