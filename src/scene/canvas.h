/* SPDX-License-Identifier: MIT */
/* Drawing on pixels by the processor: letters, lines, rectangles. For labels and plots; clipped at the
   picture's edges, so any place is fine. */
#ifndef EMBER_SCENE_CANVAS_H
#define EMBER_SCENE_CANVAS_H

#include "ember/image.h"

/* A letter's cell at scale 1: five pixels and one between, seven and two for what hangs below. */
enum { CANVAS_LETTER_WIDTH = 6, CANVAS_LETTER_HEIGHT = 9 };

/* Colours are 0xRRGGBBAA. Free with canvas_free. */
ember_image canvas_make(uint32_t width, uint32_t height, uint32_t color);
void        canvas_free(ember_image *image);

void canvas_fill(ember_image *image, int x, int y, int width, int height, uint32_t color);
void canvas_put(ember_image *image, int x, int y, const ember_image *from);
/* Smooth at the edges. */
void canvas_line(ember_image *image, double x0, double y0, double x1, double y1, double width,
                 uint32_t color);

/* ASCII; other characters show as a box each. Returns the x behind the last letter. */
int canvas_text(ember_image *image, int x, int y, int scale, uint32_t color, const char *text);
int canvas_text_width(const char *text, int scale);
/* At most `width` pixels wide: what does not fit ends in dots. */
int canvas_text_within(ember_image *image, int x, int y, int scale, int width, uint32_t color,
                       const char *text);

#endif
