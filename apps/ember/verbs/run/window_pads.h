/* SPDX-License-Identifier: MIT */
/* Keyboard and controllers as what the players hold. */
#ifndef EMBER_APP_WINDOW_PADS_H
#define EMBER_APP_WINDOW_PADS_H

#include <SDL.h>

#include "verbs/run/window.h"

typedef struct window_pads {
    /* a controller keeps its player until it is pulled out */
    SDL_GameController *open[EMBER_CONSOLE_PLAYERS];
} window_pads;

/* Controllers come and go. */
void window_pads_event(window_pads *pads, const SDL_Event *event);
/* The first controller is player 1, with the keyboard; the second half of the keyboard is player 2. */
void window_pads_held(const window_pads *pads, uint32_t held[EMBER_CONSOLE_PLAYERS]);
void window_pads_close(window_pads *pads);

#endif
