/* SPDX-License-Identifier: MIT */
/* Words on top of a window's picture. */
#include "verbs/run/window_panel.h"

#include <string.h>

#include "scene/canvas.h"

#define PANEL_GROUND 0x14171BFFu
#define PANEL_ALPHA 0xD0u
#define PANEL_MARGIN 10

/* How many characters of the text stand on the next line, at most `most`: up to a line break, or the last
   space that fits. */
static size_t panel_line(const char *text, size_t most)
{
    size_t size = strcspn(text, "\n");
    if (size <= most)
        return size;
    for (size_t i = most; i > most / 2; i--)
        if (text[i] == ' ')
            return i;
    return most;
}

ember_image window_panel(const char *text, uint32_t width, int scale, uint32_t color)
{
    size_t most = (width - 2 * PANEL_MARGIN) / (uint32_t)(CANVAS_LETTER_WIDTH * scale), lines = 0;
    int    step = (CANVAS_LETTER_HEIGHT + 2) * scale;
    most = most < 8 ? 8 : most > 400 ? 400 : most;
    for (const char *at = text; *at != '\0'; lines++) {
        at += panel_line(at, most);
        at += *at == '\n' || *at == ' ' ? 1 : 0;
    }
    ember_image panel = canvas_make(width, (uint32_t)(2 * PANEL_MARGIN + (int)lines * step), PANEL_GROUND);
    int         y = PANEL_MARGIN;
    for (const char *at = text; *at != '\0'; y += step) {
        char   line[512];
        size_t size = panel_line(at, most);
        memcpy(line, at, size);
        line[size] = '\0';
        canvas_text(&panel, PANEL_MARGIN, y, scale, color, line);
        at += size;
        at += *at == '\n' || *at == ' ' ? 1 : 0;
    }
    for (size_t i = 0; i < (size_t)panel.width * panel.height; i++)
        if (panel.pixels[i * 4] == (PANEL_GROUND >> 24) &&
            panel.pixels[i * 4 + 1] == (PANEL_GROUND >> 16 & 0xFFu))
            panel.pixels[i * 4 + 3] = PANEL_ALPHA;
    return panel;
}
