/* SPDX-License-Identifier: MIT */
/* What sampling a squeezed clip needs beside the clip: made once, in the caller's arena. It is behind a
   pointer, so that copies of a motion agree on where the cursor is. */
#ifndef EMBER_MOTION_CURSOR_H
#define EMBER_MOTION_CURSOR_H

#include "ember/motion.h"

struct ember_motion_cursor {
    ember_rom_clip       clip;
    ember_squeeze_cursor at;
    uint8_t             *records;   /* of the two frames that were read last */
    uint32_t             frames[2]; /* their numbers; EMBERI_NO_FRAME: none */
};

#define EMBERI_NO_FRAME UINT32_MAX

#endif
