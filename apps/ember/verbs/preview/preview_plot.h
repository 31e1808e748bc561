/* SPDX-License-Identifier: MIT */
/* Curves of the error of each bone over time, as a picture. */
#ifndef EMBER_APP_PREVIEW_PLOT_H
#define EMBER_APP_PREVIEW_PLOT_H

#include "ember/image.h"

typedef struct plot {
    const char        *title;
    uint32_t           bone_count, frame_count;
    double             fps;
    /* frame_count * bone_count, metres; negative: no such bone in the other clip */
    const double      *errors;
    const char *const *names; /* bone_count; a name may be NULL */
} plot;

/* Free it with canvas_free. */
ember_image plot_draw(const plot *p, uint32_t width, uint32_t height);

#endif
