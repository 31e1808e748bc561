/* SPDX-License-Identifier: MIT */
/* Pictures and films of a game without a window. */
#include "verbs/run/run_pictures.h"

#include <string.h>

#include "cli/text.h"
#include "scene/canvas.h"

#define PICTURE_WIDTH 960u
#define PICTURE_HEIGHT 540u
#define FILM_EVERY 2u /* of the console's sixty frames a second: more than thirty few players show */
#define FILM_FPS 30.0

/* Which film a path's extension means: false if none. */
static bool run_film_kind(const char *path, ember_film_kind *kind)
{
    const char *dot = strrchr(path, '.');
    if (dot == NULL)
        return false;
    *kind = strcmp(dot, ".gif") == 0 ? EMBER_FILM_GIF : EMBER_FILM_APNG;
    return strcmp(dot, ".gif") == 0 || strcmp(dot, ".apng") == 0 || strcmp(dot, ".png") == 0;
}

static bool run_is_png(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".png") == 0;
}

int run_pictures_read(run_pictures *p, const app_args *args, app_say *say)
{
    ember_film_kind kind;
    memset(p, 0, sizeof(*p));
    p->say = say;
    p->screenshot = args_value(args, "screenshot");
    p->record = args_value(args, "record");
    p->width = PICTURE_WIDTH;
    p->height = PICTURE_HEIGHT;
    if (p->screenshot != NULL && strcmp(p->screenshot, "-") != 0 && !run_is_png(p->screenshot))
        return args_usage(args, say, "screenshots are .png, not '%s'", p->screenshot);
    if (p->record != NULL && !run_film_kind(p->record, &kind))
        return args_usage(args, say, "films are .png (animated), .apng or .gif, not '%s'", p->record);
    if (p->screenshot != NULL && p->record != NULL && strcmp(p->screenshot, p->record) == 0)
        return args_usage(args, say, "--screenshot and --record would both write '%s'", p->record);
    return args_size(args, say, &p->width, &p->height);
}

bool run_pictures_wanted(const run_pictures *p) { return p->screenshot != NULL || p->record != NULL; }

bool run_pictures_open(run_pictures *p, ember_error *err)
{
    if (!run_pictures_wanted(p))
        return true;
    if (!screen_open(&p->screen, p->width, p->height, true, p->say, err))
        return false;
    if (p->record == NULL)
        return true;
    ember_film_options options = {.allocator = ember_heap(),
                                  .width = p->width,
                                  .height = p->height,
                                  .fps = FILM_FPS};
    (void)run_film_kind(p->record, &options.kind);
    return ember_film_create(&p->film, &options, err) == EMBER_OK;
}

bool run_pictures_frame(run_pictures *p, const ember_console *console, uint32_t frame, bool last,
                        ember_error *err)
{
    bool        filmed = p->film != NULL && frame % FILM_EVERY == 0, done = true;
    ember_image image;
    if (!filmed && !(last && p->screenshot != NULL))
        return true;
    if (!screen_show(&p->screen, console, err))
        return false;
    if (filmed) {
        done = screen_picture(&p->screen, p->width, p->height, &image, err) &&
               ember_film_add(p->film, image.pixels, err) == EMBER_OK;
        canvas_free(&image);
    }
    return done;
}

bool run_pictures_write(run_pictures *p, const char **path, ember_error *err)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    bool         done = true;
    *path = p->screenshot;
    if (p->screenshot != NULL)
        done = screen_save(&p->screen, p->width, p->height, p->screenshot, err);
    if (!done || p->film == NULL)
        return done;
    *path = p->record;
    done = ember_film_finish(p->film, &bytes, err) == EMBER_OK &&
           ember_file_write(p->record, bytes.data, bytes.size, err) == EMBER_OK;
    ember_buffer_free(&bytes);
    return done;
}

void run_pictures_close(run_pictures *p)
{
    ember_film_destroy(p->film);
    screen_close(&p->screen);
    memset(p, 0, sizeof(*p));
}
