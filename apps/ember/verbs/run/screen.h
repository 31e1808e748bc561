/* SPDX-License-Identifier: MIT */
/* The console's screen: what a game loaded goes to the renderer once, then its draw lists are shown. */
#ifndef EMBER_APP_SCREEN_H
#define EMBER_APP_SCREEN_H

#include "cli/say.h"
#include "ember/console.h"
#include "ember/image.h"
#include "ember/renderer.h"
#include "scene/textures.h"

typedef struct screen {
    app_say        *say;
    ember_renderer *renderer;
    textures        textures;
    uint32_t        meshes, skeletons; /* sent so far */
} screen;

/* Headless, or in the window's context that is current. False with the reason in *err; close
   it in any case. */
bool screen_open(screen *s, uint32_t width, uint32_t height, bool headless, app_say *say, ember_error *err);
void screen_close(screen *s);

/* Sends what is new, then draws the console's last list. */
bool screen_show(screen *s, const ember_console *console, ember_error *err);

/* The last picture, as large as the renderer's: free it with canvas_free. */
bool screen_picture(screen *s, uint32_t width, uint32_t height, ember_image *out, ember_error *err);
/* The last picture as a PNG file. */
bool screen_save(screen *s, uint32_t width, uint32_t height, const char *path, ember_error *err);

/* The largest rectangle of the console's shape that fits. */
void screen_fit(uint32_t *width, uint32_t *height);

#endif
