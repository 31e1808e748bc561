/* SPDX-License-Identifier: MIT */
/* A game in a window, by SDL2. The clock alone decides how many frames of a sixtieth of a second the game
   runs; pictures follow, fewer where they are slow, and no display makes a game run faster. */
#include "verbs/run/window.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "scene/canvas.h"
#include "verbs/run/screen.h"
#include "verbs/run/window_pads.h"
#include "verbs/run/window_panel.h"

#define UPDATES_PER_S 60.0
#define UPDATES_AT_ONCE                                                                                    \
    30                    /* time beyond that is lost, not made up for: a window that was dragged, a sleep \
                           */
#define UPDATES_MAX_S 0.1 /* frames in a row that take longer let a picture in between */
#define NEAR_A_FRAME 0.002
#define TEXT_PLAIN 0xF2EFE6FFu
#define TEXT_TRAP 0xFFB4A8FFu

typedef struct window {
    window_job   *job;
    SDL_Window   *shown;
    SDL_GLContext context;
    screen        screen;
    window_pads   pads;
    bool          closed, paused, step, overlay, wants_picture;
    bool          fresh;         /* the game has drawn a frame that no picture shows */
    bool          stale;         /* the window has to be painted again: uncovered, words on top changed */
    uint32_t      width, height; /* of the console's picture */
    uint32_t      drawable_w, drawable_h; /* of the window, in pixels */
    double        behind_s;               /* time that updates have not caught up with */
    double        last_s, frame_s;        /* frame_s: between two pictures, smoothed */
    double        picture_s;              /* when the last one was shown */
    double        panel_s;                /* when the overlay was last made */
    /* EMBER_REFRESH: between two pictures at least; 0: as the display */
    double        refresh_s;
    ember_error   trap;
} window;

static double window_now(void)
{
    return (double)SDL_GetPerformanceCounter() / (double)SDL_GetPerformanceFrequency();
}

static bool window_failed(ember_error *err, const char *what)
{
    char text[200];
    snprintf(text, sizeof(text), "%s: %s (--headless runs without a window)", what, SDL_GetError());
    ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, text);
    return false;
}

/* ---- life ---- */

static bool window_is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

/* Without a display SDL would go on with one that nobody sees, and libraries would say words of their own;
   that is for those who ask for it. False if there is none. */
static bool window_choose_driver(void)
{
    if (window_is_set("SDL_VIDEODRIVER") || window_is_set("WAYLAND_DISPLAY"))
        return true;
    /* also over a variable that is empty */
    SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "x11", SDL_HINT_OVERRIDE);
    return window_is_set("DISPLAY");
}

/* EMBER_REFRESH stands in for a display of so many pictures a second: 0 is one without vsync. */
static void window_choose_refresh(window *w)
{
    const char *value = getenv("EMBER_REFRESH");
    double      hz = value != NULL ? strtod(value, NULL) : 0.0;
    w->refresh_s = hz > 0.0 ? 1.0 / hz : 0.0;
    (void)SDL_GL_SetSwapInterval(value != NULL ? 0 : 1);
}

static bool window_open(window *w, ember_error *err)
{
    uint32_t flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    SDL_SetHint(SDL_HINT_OPENGL_ES_DRIVER, "1");
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    if (!window_choose_driver()) {
        ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                   "there is no display to open a window on (--headless runs without a window)");
        return false;
    }
    if (SDL_Init(SDL_INIT_VIDEO | SDL_INIT_GAMECONTROLLER) != 0)
        return window_failed(err, "the display does not open");
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
    if (w->job->fullscreen)
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    w->shown = SDL_CreateWindow(w->job->name, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                (int)w->job->width, (int)w->job->height, flags);
    if (w->shown == NULL)
        return window_failed(err, "a window cannot be opened");
    w->context = SDL_GL_CreateContext(w->shown);
    if (w->context == NULL)
        return window_failed(err, "the graphics driver has no OpenGL ES 3.0 for windows");
    window_choose_refresh(w);
    w->width = w->job->width;
    w->height = w->job->height;
    return screen_open(&w->screen, w->width, w->height, false, w->job->say, err);
}

static void window_close(window *w)
{
    screen_close(&w->screen);
    window_pads_close(&w->pads);
    if (w->context != NULL)
        SDL_GL_DeleteContext(w->context);
    if (w->shown != NULL)
        SDL_DestroyWindow(w->shown);
    SDL_Quit();
}

/* ---- keys of the window itself ---- */

static void window_key(window *w, const SDL_KeyboardEvent *key)
{
    SDL_Keycode pressed = key->keysym.sym;
    if (key->repeat != 0 && pressed != SDLK_F3)
        return;
    if (pressed == SDLK_ESCAPE) {
        w->closed = true;
    } else if (pressed == SDLK_F1) {
        w->overlay = !w->overlay;
        w->panel_s = 0.0;
    } else if (pressed == SDLK_F2 || pressed == SDLK_PAUSE) {
        w->paused = !w->paused;
    } else if (pressed == SDLK_F3) {
        w->paused = w->step = true;
    } else if (pressed == SDLK_F12) {
        w->wants_picture = true;
    } else if (pressed == SDLK_F11 || (pressed == SDLK_RETURN && (key->keysym.mod & KMOD_ALT) != 0)) {
        bool full = (SDL_GetWindowFlags(w->shown) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
        (void)SDL_SetWindowFullscreen(w->shown, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
    }
}

static void window_events(window *w)
{
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        if (event.type == SDL_QUIT)
            w->closed = true;
        else if (event.type == SDL_WINDOWEVENT)
            w->stale = true;
        else if (event.type == SDL_KEYDOWN)
            window_key(w, &event.key);
        else
            window_pads_event(&w->pads, &event);
    }
}

/* Called after the game and the frame: "robot-000123.png", in the working folder. */
static void window_save(window *w)
{
    ember_error err = EMBER_ERROR_INIT;
    const char *slash = strrchr(w->job->name, '/'), *file = slash != NULL ? slash + 1 : w->job->name,
               *dot = strrchr(file, '.');
    char *path =
        text_make("%.*s-%06u.png", dot != NULL && dot != file ? (int)(dot - file) : (int)strlen(file), file,
                  (unsigned)w->job->frames_run);
    w->wants_picture = false;
    if (screen_save(&w->screen, w->width, w->height, path, &err))
        say_line(w->job->say, "%s", path);
    else
        say_library(w->job->say, path, &err);
    free(path);
}

/* ---- time ---- */

static void window_trap(window *w, const ember_error *err)
{
    w->trap = *err;
    w->job->trapped = true;
    w->panel_s = 0.0;
    say_library(w->job->say, w->job->name, err);
    w->closed = w->closed || w->job->frames != 0; /* one that was to end by itself waits for nobody */
}

static void window_frame(window *w)
{
    uint32_t    held[EMBER_CONSOLE_PLAYERS];
    ember_error err = EMBER_ERROR_INIT;
    window_pads_held(&w->pads, held);
    if (!w->job->frame(w->job->user, held, &err)) {
        window_trap(w, &err);
        return;
    }
    w->fresh = true;
    w->job->frames_run++;
    if (w->job->frames != 0 && w->job->frames_run >= w->job->frames)
        w->closed = true;
}

/* As many frames as have become due. A display of about sixty pictures a second gets exactly one for each,
   or it would stutter. */
static void window_advance(window *w)
{
    double now = window_now(), passed = now - w->last_s, step = 1.0 / UPDATES_PER_S;
    w->last_s = now;
    if (w->job->trapped)
        return;
    if (w->paused) {
        w->behind_s = 0.0;
        if (w->step)
            window_frame(w);
        w->step = false;
        return;
    }
    w->behind_s += passed > step - NEAR_A_FRAME && passed < step + NEAR_A_FRAME ? step : passed;
    if (w->behind_s > UPDATES_AT_ONCE * step)
        w->behind_s = UPDATES_AT_ONCE * step;
    for (; w->behind_s >= step && !w->closed && !w->job->trapped && window_now() - now < UPDATES_MAX_S;
         w->behind_s -= step)
        window_frame(w);
}

/* ---- pictures ---- */

static bool window_size(window *w, ember_error *err)
{
    int      width = 0, height = 0;
    uint32_t before_w = w->width, before_h = w->height;
    SDL_GL_GetDrawableSize(w->shown, &width, &height);
    w->drawable_w = width > 0 ? (uint32_t)width : 1;
    w->drawable_h = height > 0 ? (uint32_t)height : 1;
    if (w->job->trapped) /* its last picture stays as it is */
        return true;
    w->width = w->drawable_w;
    w->height = w->drawable_h;
    screen_fit(&w->width, &w->height);
    if (w->width == before_w && w->height == before_h)
        return true;
    w->fresh = w->job->frames_run != 0; /* the last draw list again, in the new size */
    return ember_renderer_resize(w->screen.renderer, w->width, w->height, err) == EMBER_OK;
}

static char *window_stats(const window *w)
{
    ember_renderer_stats stats = ember_renderer_last(w->screen.renderer);
    char                 triangles[TEXT_NUMBER_SIZE], rom[TEXT_NUMBER_SIZE];
    return text_make("%.1f ms a picture, frame %u%s\n%u draws in %u %s, %s triangles\n%u bones sent, %.1f "
                     "MiB of matrices\nROM %s B of 16 MiB",
                     w->frame_s * 1e3, (unsigned)w->job->frames_run, w->paused ? ", paused" : "",
                     (unsigned)stats.draws, (unsigned)stats.calls, stats.calls == 1 ? "call" : "calls",
                     text_count(triangles, stats.triangles), (unsigned)stats.bones,
                     (double)stats.texture_bytes / 1048576.0, text_count(rom, w->job->rom_size));
}

/* Made again a few times a second only, or nobody could read it. */
static void window_panels(window *w)
{
    double      now = window_now();
    char       *text = NULL;
    ember_image panel;
    if (w->panel_s != 0.0 && now - w->panel_s < 0.25)
        return;
    w->panel_s = now;
    w->stale = true;
    if (w->job->trapped)
        text = text_make("The game has stopped:\n\n%s\n\nEsc closes the window.", w->trap.text);
    else if (w->overlay)
        text = window_stats(w);
    if (text == NULL) {
        (void)ember_renderer_overlay(w->screen.renderer, NULL, 0, 0, NULL);
        return;
    }
    uint32_t wanted = w->job->trapped ? w->drawable_w : 560;
    panel = window_panel(text, wanted < w->drawable_w ? wanted : w->drawable_w, 2,
                         w->job->trapped ? TEXT_TRAP : TEXT_PLAIN);
    (void)ember_renderer_overlay(w->screen.renderer, panel.pixels, panel.width, panel.height, NULL);
    canvas_free(&panel);
    free(text);
}

/* Until the display wants the next picture, where EMBER_REFRESH stands in for one. */
static void window_wait(window *w)
{
    double now = window_now(), next = w->picture_s + w->refresh_s;
    if (!w->closed && now < next) {
        SDL_Delay((uint32_t)((next - now) * 1e3));
        now = window_now();
    }
    w->frame_s += (now - w->picture_s - w->frame_s) * 0.1;
    w->picture_s = now;
}

/* What the last picture does not show yet; without that the display goes on showing it. */
static bool window_picture(window *w, ember_error *err)
{
    if (!window_size(w, err))
        return false;
    window_panels(w);
    if (!w->fresh && !w->stale && !w->wants_picture) {
        SDL_Delay(1);
        return true;
    }
    /* A game that has stopped shows the last picture it made. */
    if (w->fresh && !w->job->trapped && !screen_show(&w->screen, w->job->console, err))
        return false;
    w->fresh = w->stale = false;
    if (ember_renderer_present(w->screen.renderer, w->drawable_w, w->drawable_h) != EMBER_OK) {
        ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                   "the graphics driver cannot draw to the window");
        return false;
    }
    SDL_GL_SwapWindow(w->shown);
    window_wait(w);
    if (w->wants_picture)
        window_save(w);
    return true;
}

bool window_run(window_job *job, ember_error *err)
{
    window w;
    memset(&w, 0, sizeof(w));
    w.job = job;
    bool done = window_open(&w, err);
    w.last_s = w.picture_s = window_now();
    w.frame_s = 1.0 / UPDATES_PER_S;
    w.behind_s = 1.0 / UPDATES_PER_S; /* the first picture shows the first frame */
    if (done && job->trap != NULL)
        window_trap(&w, job->trap);
    while (done && !w.closed) {
        window_events(&w);
        window_advance(&w);
        done = window_picture(&w, err);
    }
    if (done && !job->trapped && job->screenshot != NULL &&
        !screen_save(&w.screen, w.width, w.height, job->screenshot, err))
        done = false;
    window_close(&w);
    return done;
}
