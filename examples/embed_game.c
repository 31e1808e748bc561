/* SPDX-License-Identifier: MIT */
/* embed_game ROM: runs the game of a ROM for a second, without a screen, in a program of your own. */
#include <ember/ember.h>
#include <ember/machine.h>
#include <inttypes.h>
#include <stdio.h>

static void print(void *user, const char *text, size_t size)
{
    (void)user;
    printf("game: %.*s\n", (int)size, text);
}

int main(int argc, char **argv)
{
    ember_error     err = EMBER_ERROR_INIT;
    ember_rom      *rom = NULL;
    ember_rom_entry game;
    ember_machine  *machine = NULL;
    if (argc != 2 || ember_rom_open_file(&rom, argv[1], ember_heap(), &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 2 ? "usage: embed_game ROM" : err.text), 1;
    if (!ember_rom_find(&game, rom, EMBER_ROM_GAME, "game", 4))
        return fprintf(stderr, "the ROM has no game\n"), 1;

    ember_machine_options options = {.rom = rom, .seed = 1, .log = print};
    ember_snapshot       *end = NULL;
    const uint32_t        nothing_pressed[EMBER_CONSOLE_PLAYERS] = {0};
    ember_status          status = ember_machine_load_wasm(&machine, game.data, game.size, &options, &err);
    if (status == EMBER_OK)
        status = ember_machine_init(machine, &err);
    for (int frame = 0; frame < 60 && status == EMBER_OK; frame++) {
        status = ember_machine_update(machine, nothing_pressed, &err);
        if (status == EMBER_OK)
            status = ember_machine_render(machine, &err);
    }
    if (status == EMBER_OK)
        status = ember_snapshot_create(&end, ember_heap());
    if (status == EMBER_OK)
        status = ember_machine_save(end, machine);
    if (status != EMBER_OK)
        return fprintf(stderr, "%s\n", err.text), 1;
    printf("after 60 frames the state is %016" PRIx64 "\n", ember_snapshot_hash(end));
    ember_snapshot_destroy(end);
    ember_machine_unload(machine);
    ember_rom_close(rom);
}
