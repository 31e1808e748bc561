/* SPDX-License-Identifier: MIT */
/* game_run GAME FRAMES [--draws]: runs an example game, by its name natively or as a .wasm file, and prints
   the hash of every frame; with --draws the whole draw list as a line of JSON. game_run --assets FOLDER
   writes the games' assets as files. For the tests written in Python. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "ember/machine.h"

#define GAMES(X) X(stamp) X(crossfade) X(draft) X(raw) X(robot) X(crowd)
#define GAME_DECLARE(name) extern const ember_native_game ember_game_##name;
GAMES(GAME_DECLARE)

static const struct {
    const char              *name;
    const ember_native_game *game;
} games[] = {
#define GAME_ROW(name) {#name, &ember_game_##name},
    GAMES(GAME_ROW)};

static void fail(const ember_error *err)
{
    fprintf(stderr, "game_run: %s\n", err->text);
    exit(1);
}

/* ---- JSON ---- */

static void put_floats(const char *key, const float *values, int count)
{
    printf(",\"%s\":[", key);
    for (int i = 0; i < count; i++)
        printf("%s%.9g", i != 0 ? "," : "", (double)values[i]);
    printf("]");
}

static void put_draws(const ember_draw_list *list)
{
    printf("{\"frame\":%ju,\"clear\":%u", (uintmax_t)list->frame, (unsigned)list->clear_color);
    put_floats("view", list->view.m, 12);
    put_floats("projection", list->projection.m, 16);
    printf(",\"bones\":[");
    for (uint32_t i = 0; i < list->bone_count; i++) {
        printf("%s{\"n\":%u", i != 0 ? "," : "", (unsigned)i);
        put_floats("m", list->bones[i].m, 12);
        printf("}");
    }
    printf("],\"draws\":[");
    for (uint32_t i = 0; i < list->draw_count; i++) {
        const ember_draw *d = &list->draws[i];
        printf("%s{\"branch\":%d,\"mesh\":%u,\"pose\":%d,\"clip\":%u,\"frame\":%u,\"first_bone\":%u,\"bone_"
               "count\":%u,"
               "\"skeleton\":%d,\"bone\":%u,\"color\":%u",
               i != 0 ? "," : "", (int)d->branch, (unsigned)d->mesh, (int)d->pose, (unsigned)d->clip,
               (unsigned)d->frame, (unsigned)d->first_bone, (unsigned)d->bone_count, (int)d->skeleton,
               (unsigned)d->bone, (unsigned)d->color);
        put_floats("transform", d->transform.m, 12);
        printf("}");
    }
    printf("]}\n");
}

/* ---- running ---- */

static ember_machine *load(const char *name, const ember_machine_options *options)
{
    ember_machine *machine = NULL;
    ember_error    err = EMBER_ERROR_INIT;
    ember_buffer   wasm = {.allocator = ember_heap()};
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
        if (strcmp(games[i].name, name) == 0) {
            if (ember_machine_load_native(&machine, games[i].game, options, &err) != EMBER_OK)
                fail(&err);
            return machine;
        }
    if (ember_file_read(&wasm, name, 0, &err) != EMBER_OK ||
        ember_machine_load_wasm(&machine, wasm.data, wasm.size, options, &err) != EMBER_OK)
        fail(&err);
    ember_buffer_free(&wasm);
    return machine;
}

static void log_line(void *user, const char *text, size_t size)
{
    (void)user;
    fprintf(stderr, "game: %.*s\n", (int)size, text);
}

static int run(const char *name, unsigned long frames, bool draws)
{
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_rom   *rom = NULL;
    if (game_assets_rom(&bytes, name, NULL, 0, &err) != EMBER_OK ||
        ember_rom_open_memory(&rom, bytes.data, bytes.size, ember_heap(), &err) != EMBER_OK)
        fail(&err);
    ember_machine_options options = {.allocator = ember_heap(),
                                     .rom = rom,
                                     .seed = 42,
                                     .cache_folder = "",
                                     .log = log_line};
    ember_machine        *machine = load(name, &options);
    ember_console        *console = ember_machine_console(machine);
    ember_status          status = ember_machine_init(machine, &err);
    for (unsigned long i = 0; i < frames && status == EMBER_OK; i++) {
        const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {i / 16 % 2 != 0 ? 1u : 0u, 0, 0, 0};
        status = ember_machine_update(machine, inputs, &err);
        if (status == EMBER_OK)
            status = ember_machine_render(machine, &err);
        if (status == EMBER_OK && draws)
            put_draws(ember_console_draws(console));
        else if (status == EMBER_OK)
            printf("%016jx\n", (uintmax_t)ember_console_hash(console));
    }
    if (status != EMBER_OK)
        fail(&err);
    ember_machine_unload(machine);
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    return 0;
}

static int write_assets(const char *folder)
{
    static const char *const suffixes[EMBER_ROM_KIND_COUNT] = {[EMBER_ROM_SKELETON] = ".ewzskel",
                                                               [EMBER_ROM_MESH] = ".ewzmesh",
                                                               [EMBER_ROM_KEYFRAMES] = ".ewzanim",
                                                               [EMBER_ROM_DATA] = ""};
    game_assets              all;
    ember_error              err = EMBER_ERROR_INIT;
    if (game_assets_make(&all, &err) != EMBER_OK)
        fail(&err);
    for (uint32_t i = 0; i < all.count; i++) {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s%s", folder, all.assets[i].id, suffixes[all.assets[i].kind]);
        if (ember_file_write(path, all.assets[i].data, all.assets[i].size, &err) != EMBER_OK)
            fail(&err);
    }
    game_assets_free(&all);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--assets") == 0)
        return write_assets(argv[2]);
    if (argc == 3 || (argc == 4 && strcmp(argv[3], "--draws") == 0))
        return run(argv[1], strtoul(argv[2], NULL, 10), argc == 4);
    fprintf(stderr, "usage: game_run GAME|FILE.wasm FRAMES [--draws]\n       game_run --assets FOLDER\n");
    return 2;
}
