/* SPDX-License-Identifier: MIT */
/* golden_play: plays every example game for 600 frames with the same random buttons, under the test of
   rollback, and prints a line with hashes for each: what was drawn, what was loaded (frames, inverse binds,
   meshes), the last snapshot. Before them the hash of the games' assets, which it makes itself.

     golden_play                              games that are linked in
     golden_play --modules FOLDER CC CACHE    FOLDER/NAME.wasm, compiled by CC; their snapshots hold all of a
                                              module's memory
     golden_play --interp FOLDER              the same, interpreted
     golden_play --isa                        the name of the kernels in use

   Where a game traps or a rollback comes out differently, its line says so instead, and the exit is 1. */
#include <stdio.h>
#include <string.h>

#include "assets.h"
#include "base/hash.h"
#include "ember/machine.h"
#include "ember/pose.h"
#include "engine/interp/interp.h"

#define PLAY_FRAMES 600u
#define PLAY_DEPTH 8u /* frames to go back, every frame */

#define GAMES(X) X(crossfade) X(crowd) X(draft) X(raw) X(robot) X(stamp)
#define GAME_DECLARE(name) extern const ember_native_game ember_game_##name;
GAMES(GAME_DECLARE)

static const struct play_game {
    const char              *name;
    const ember_native_game *game;
} games[] = {
#define GAME_ROW(name) {#name, &ember_game_##name},
    GAMES(GAME_ROW)};

typedef struct play {
    const ember_rom *rom;
    const char      *folder, *compiler, *cache; /* NULL: linked in */
    uint64_t         drawn, loaded, snapshot;
} play;

/* Random bits from a number, the same everywhere. */
static uint32_t play_mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Each of twelve buttons is held at random, a quarter of the time, for four frames or more. */
static void play_inputs(uint32_t inputs[EMBER_CONSOLE_PLAYERS], uint32_t frame)
{
    for (uint32_t player = 0; player < EMBER_CONSOLE_PLAYERS; player++) {
        uint32_t random = play_mix((frame + player) / 4 * EMBER_CONSOLE_PLAYERS + player + 1);
        inputs[player] = random & random >> 12 & 0xfffu;
    }
}

static uint64_t play_hash_draws(uint64_t hash, const ember_draw_list *list)
{
    hash = emberi_hash(hash, &list->frame, sizeof(list->frame));
    hash = emberi_hash(hash, &list->view, sizeof(list->view));
    hash = emberi_hash(hash, &list->projection, sizeof(list->projection));
    hash = emberi_hash(hash, &list->clear_color, sizeof(list->clear_color));
    hash = emberi_hash(hash, list->draws, list->draw_count * sizeof(*list->draws));
    return emberi_hash(hash, list->bones, list->bone_count * sizeof(*list->bones));
}

static uint64_t play_hash_mesh(uint64_t hash, const ember_mesh *mesh)
{
    const struct {
        const void *data;
        size_t      size;
    } streams[] = {{mesh->positions, sizeof(*mesh->positions)},
                   {mesh->normals, sizeof(*mesh->normals)},
                   {mesh->uvs, sizeof(*mesh->uvs)},
                   {mesh->colors, sizeof(*mesh->colors)},
                   {mesh->joints, sizeof(*mesh->joints)},
                   {mesh->weights, sizeof(*mesh->weights)}};
    for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
        if (streams[i].data != NULL)
            hash = emberi_hash(hash, streams[i].data, streams[i].size * mesh->vertex_count);
    hash = emberi_hash(hash, &mesh->bone, sizeof(mesh->bone));
    return emberi_hash(hash, mesh->indices, mesh->index_count * sizeof(*mesh->indices));
}

static uint64_t play_hash_loaded(const ember_console *console)
{
    uint64_t hash = EMBERI_HASH_START;
    uint32_t bones;
    for (uint32_t i = 0; i < ember_console_skeleton_count(console); i++) {
        const ember_mat34 *binds = ember_console_inverse_binds(console, i, &bones);
        hash = emberi_hash(hash, binds, bones * sizeof(*binds));
    }
    for (uint32_t i = 0; i < ember_console_mesh_count(console); i++)
        hash = play_hash_mesh(hash, ember_console_mesh(console, i));
    return hash;
}

static ember_status play_load(const play *p, const struct play_game *game, ember_machine **out,
                              ember_error *err)
{
    ember_machine_options options = {.allocator = ember_heap(),
                                     .rom = p->rom,
                                     .engine = EMBER_ENGINE_OBJECT,
                                     .seed = 42,
                                     .cache_folder = p->cache,
                                     .compiler = p->compiler};
    if (p->folder == NULL)
        return ember_machine_load_native(out, game->game, &options, err);
    char         path[1024];
    ember_buffer wasm = {.allocator = ember_heap()};
    snprintf(path, sizeof(path), "%s/%s.wasm", p->folder, game->name);
    ember_status status = ember_file_read(&wasm, path, 0, err);
    if (status == EMBER_OK && p->compiler == NULL)
        status = emberi_interp_load(out, wasm.data, wasm.size, &options, err);
#ifndef PLAY_WITHOUT_OBJECTS
    else if (status == EMBER_OK)
        status = ember_machine_load_wasm(out, wasm.data, wasm.size, &options, err);
#endif
    ember_buffer_free(&wasm);
    return status;
}

static ember_status play_frames(play *p, ember_machine *machine, ember_synctest *test, ember_error *err)
{
    ember_status status = ember_machine_init(machine, err);
    p->drawn = EMBERI_HASH_START;
    for (uint32_t i = 0; i < PLAY_FRAMES && status == EMBER_OK; i++) {
        uint32_t inputs[EMBER_CONSOLE_PLAYERS];
        play_inputs(inputs, i);
        status = ember_synctest_frame(test, machine, inputs, err);
        p->drawn = play_hash_draws(p->drawn, ember_console_draws(ember_machine_console(machine)));
    }
    p->loaded = play_hash_loaded(ember_machine_console(machine));
    return status;
}

static bool play_game(play *p, const struct play_game *game)
{
    ember_error     err = EMBER_ERROR_INIT;
    ember_machine  *machine = NULL;
    ember_synctest *test = NULL;
    ember_snapshot *last = NULL;
    ember_status    status = play_load(p, game, &machine, &err);
    if (status == EMBER_OK && (ember_synctest_create(&test, PLAY_DEPTH, ember_heap()) != EMBER_OK ||
                               ember_snapshot_create(&last, ember_heap()) != EMBER_OK))
        status = ember_fail(&err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    if (status == EMBER_OK)
        status = play_frames(p, machine, test, &err);
    if (status == EMBER_OK && ember_machine_save(last, machine) != EMBER_OK)
        status = ember_fail(&err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    if (status == EMBER_OK)
        printf("%s %016llx %016llx %016llx\n", game->name, (unsigned long long)p->drawn,
               (unsigned long long)p->loaded, (unsigned long long)ember_snapshot_hash(last));
    else
        printf("%s %s\n", game->name, err.text);
    ember_snapshot_destroy(last);
    ember_synctest_destroy(test);
    ember_machine_unload(machine);
    return status == EMBER_OK;
}

static int play_all(play *p)
{
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_rom   *rom = NULL;
    bool         ok = true;
    if (game_assets_rom(&bytes, "Ember example", NULL, 0, &err) != EMBER_OK ||
        ember_rom_open_memory(&rom, bytes.data, bytes.size, ember_heap(), &err) != EMBER_OK) {
        printf("assets %s\n", err.text);
        return 1;
    }
    printf("assets %016llx\n", (unsigned long long)emberi_hash(EMBERI_HASH_START, bytes.data, bytes.size));
    p->rom = rom;
    for (size_t i = 0; i < sizeof(games) / sizeof(games[0]); i++)
        ok = play_game(p, &games[i]) && ok;
    ember_rom_close(rom);
    ember_buffer_free(&bytes);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    play p = {0};
    if (argc == 2 && strcmp(argv[1], "--isa") == 0)
        return puts(ember_isa_name(ember_isa_used())) < 0;
    if (argc == 5 && strcmp(argv[1], "--modules") == 0) {
        p.folder = argv[2];
        p.compiler = argv[3];
        p.cache = argv[4];
    } else if (argc == 3 && strcmp(argv[1], "--interp") == 0) {
        p.folder = argv[2];
    } else if (argc != 1) {
        fprintf(stderr, "usage: golden_play [--isa | --modules FOLDER CC CACHE | --interp FOLDER]\n");
        return 2;
    }
    return play_all(&p);
}
