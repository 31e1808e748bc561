/* SPDX-License-Identifier: MIT */
/* Words on top of a window's picture: how it runs, or why it stopped. */
#ifndef EMBER_APP_WINDOW_PANEL_H
#define EMBER_APP_WINDOW_PANEL_H

#include "ember/image.h"

/* Lines of text, wrapped at `width` pixels, on a dark ground that lets some of the picture through. Free it
   with canvas_free. */
ember_image window_panel(const char *text, uint32_t width, int scale, uint32_t color);

#endif
