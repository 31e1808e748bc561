/* SPDX-License-Identifier: MIT */
/* game-rom OUT.ewz [GAME.wasm]: a ROM of the example games' assets, with a game in it if one is given. */
#include <stdio.h>

#include "assets.h"

int main(int argc, char **argv)
{
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer wasm = {.allocator = ember_heap()}, rom = {.allocator = ember_heap()};
    const char  *file = argc > 1 ? argv[1] : "";
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: game-rom OUT.ewz [GAME.wasm]\n");
        return 2;
    }
    ember_status status = EMBER_OK;
    if (argc == 3) {
        file = argv[2];
        status = ember_file_read(&wasm, file, 0, &err);
    }
    if (status == EMBER_OK) {
        file = argv[1];
        status = game_assets_rom(&rom, "Ember example", argc == 3 ? wasm.data : NULL, wasm.size, &err);
    }
    if (status == EMBER_OK)
        status = ember_file_write(file, rom.data, rom.size, &err);
    if (status != EMBER_OK) {
        char line[EMBER_ERROR_LINE_SIZE];
        (void)ember_error_format(line, sizeof(line), NULL, &err);
        fprintf(stderr, "game-rom: %s: %s\n", file, line);
    }
    ember_buffer_free(&wasm);
    ember_buffer_free(&rom);
    return status == EMBER_OK ? 0 : 1;
}
