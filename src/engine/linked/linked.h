/* SPDX-License-Identifier: MIT */
/* A game linked into the program: its functions call the console's with pointers, which the console does not
   take. What they point to goes through a guest memory of the machine's own, so that a native game and a WASM
   one are checked by the same code. */
#ifndef EMBER_ENGINE_LINKED_H
#define EMBER_ENGINE_LINKED_H

#include "engine/machine_internal.h"

typedef struct linked_machine {
    ember_machine     machine;
    ember_native_game game;
    uint8_t          *memory; /* EMBER_CONSOLE_MEMORY bytes that arguments pass through */
    uint8_t          *first;  /* the game's memory as the program started with it */
} linked_machine;

/* The one whose game runs on this thread; a call from anywhere else ends the program, because there is nobody
   to tell. */
linked_machine *emberi_linked_running(void);

#endif
