/* SPDX-License-Identifier: MIT */
/* What `ember run` shows without a window: a picture of the last frame, a film of all of them. */
#ifndef EMBER_APP_RUN_PICTURES_H
#define EMBER_APP_RUN_PICTURES_H

#include "cli/args.h"
#include "verbs/run/screen.h"

typedef struct run_pictures {
    app_say    *say;
    const char *screenshot, *record; /* paths, or NULL */
    uint32_t    width, height;
    screen      screen;
    ember_film *film;
} run_pictures;

/* --screenshot, --record and --size. EXIT_DONE or EXIT_USAGE. */
int  run_pictures_read(run_pictures *p, const app_args *args, app_say *say);
/* Whether anything of it was asked for. */
bool run_pictures_wanted(const run_pictures *p);

/* Opens what is needed; nothing where nothing was asked for. Close it in any case. */
bool run_pictures_open(run_pictures *p, ember_error *err);
/* After each frame's render; `frame` counts from 0. */
bool run_pictures_frame(run_pictures *p, const ember_console *console, uint32_t frame, bool last,
                        ember_error *err);
/* Writes the files. *path is the one that failed. */
bool run_pictures_write(run_pictures *p, const char **path, ember_error *err);
void run_pictures_close(run_pictures *p);

#endif
