/* SPDX-License-Identifier: MIT */
/* A game in a window: sixty updates a second, pictures in between as fast as the display takes them, keyboard
   and controllers, pause, single steps, pictures by key. */
#ifndef EMBER_APP_WINDOW_H
#define EMBER_APP_WINDOW_H

#include "cli/say.h"
#include "ember/console.h"

/* Bits of input_held. */
typedef enum window_button {
    BUTTON_UP = 0,
    BUTTON_DOWN,
    BUTTON_LEFT,
    BUTTON_RIGHT,
    BUTTON_A,
    BUTTON_B,
    BUTTON_X,
    BUTTON_Y,
    BUTTON_L1,
    BUTTON_R1,
    BUTTON_L3,
    BUTTON_R3,
    BUTTON_START,
    BUTTON_SELECT,
    BUTTON_COUNT
} window_button;

typedef struct window_job {
    app_say             *say;
    const char          *name;     /* of the game: the title, and what pictures are called after */
    uint64_t             rom_size; /* bytes, for the overlay; 0: no ROM */
    uint32_t             width, height;
    bool                 fullscreen;
    uint32_t             frames;     /* ends after that many updates; 0: when it is closed */
    const char          *screenshot; /* the last picture goes there; or NULL */
    const ember_error   *trap;       /* the game has trapped already: why; or NULL */
    const ember_console *console;
    /* One update and one render. False with the trap's text in *err: it is shown, and the game
       stands still. */
    bool (*frame)(void *user, const uint32_t held[EMBER_CONSOLE_PLAYERS], ember_error *err);
    void    *user;
    /* Written by the run. */
    uint32_t frames_run;
    bool     trapped;
} window_job;

/* Until the window is closed. False with the reason in *err where none could be opened or drawn to; a game
   that trapped is no such failure. */
bool window_run(window_job *job, ember_error *err);

#endif
