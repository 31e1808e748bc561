/* SPDX-License-Identifier: MIT */
/* What the example games are made of, made by code: the demo's walking character with a body of boxes, a
   robot's arm of three rigid parts, a sword, and a chain in a format of its own. */
#ifndef EMBER_GAME_ASSETS_H
#define EMBER_GAME_ASSETS_H

#include <ember/rom.h>

#define GAME_ASSETS_MOST 24u

typedef struct game_assets {
    ember_arena     arena; /* skeletons, frames and vertices on their way */
    ember_buffer    files[GAME_ASSETS_MOST];
    ember_rom_asset assets[GAME_ASSETS_MOST]; /* the i-th points into the i-th file */
    uint32_t        count;
} game_assets;

/* Free it in any case. */
ember_status game_assets_make(game_assets *out, ember_error *err);
void         game_assets_free(game_assets *assets);

/* A ROM of all of them and, if `wasm` is not NULL, a game. */
ember_status game_assets_rom(ember_buffer *out, const char *title, const void *wasm, size_t wasm_size,
                             ember_error *err);

#endif
