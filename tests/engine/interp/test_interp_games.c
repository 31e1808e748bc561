/* SPDX-License-Identifier: MIT */
/* The example games on the interpreter, on the object engine, and on a machine that changes from one
   to the other: after every one of 600 frames with random inputs the same memory and the same state
   of the console. */
#include <time.h>

#include "engine/games.h"
#include "engine/machine_internal.h"

static ember_buffer games_read(const char *name, const char *suffix)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    char         path[600];
    snprintf(path, sizeof(path), "%s/%s%s", EMBER_GAMES, name, suffix);
    if (ember_file_read(&bytes, path, 0, &err) != EMBER_OK)
        fail_msg("%s: %s", path, err.text);
    return bytes;
}

static void assert_same_state(ember_machine *a, ember_machine *b, uint8_t *room[2], const char *name,
                              int frame)
{
    uint32_t       sizes[2];
    const uint8_t *memories[2] = {a->ops->memory(a, &sizes[0]), b->ops->memory(b, &sizes[1])};
    ember_console_state_save(ember_machine_console(a), room[0]);
    ember_console_state_save(ember_machine_console(b), room[1]);
    if (sizes[0] != sizes[1] || memcmp(memories[0], memories[1], sizes[0]) != 0)
        fail_msg("%s: other memory in frame %d", name, frame);
    if (memcmp(room[0], room[1], ember_console_state_size(ember_machine_console(a))) != 0)
        fail_msg("%s: another console in frame %d", name, frame);
}

static ember_machine *load_on(const char *name, const ember_rom *rom, ember_engine engine)
{
    ember_buffer          wasm = games_read(name, ".wasm");
    ember_machine_options options = game_options();
    ember_error           err = EMBER_ERROR_INIT;
    ember_machine        *machine;
    options.rom = rom;
    options.watchdog_s = 0;
    options.engine = engine;
    if (ember_machine_load_wasm(&machine, wasm.data, wasm.size, &options, &err) != EMBER_OK ||
        ember_machine_init(machine, &err) != EMBER_OK)
        fail_msg("%s: %s", name, err.text);
    ember_buffer_free(&wasm);
    return machine;
}

/* On `auto` it changes when the object is ready: once it has played for a while, it is waited for. */
static void wait_for_object(const ember_machine *machine, int frame)
{
    const struct timespec moment = {0, 20000000};
    if (frame > 100 && ember_machine_engine(machine) == EMBER_ENGINE_INTERP)
        nanosleep(&moment, NULL);
}

enum { INTERPRETED, COMPILED, CHANGING, MACHINES };

static void play(const char *name)
{
    static const ember_engine engines[MACHINES] = {EMBER_ENGINE_INTERP, EMBER_ENGINE_OBJECT,
                                                   EMBER_ENGINE_AUTO};
    ember_error               err = EMBER_ERROR_INIT;
    ember_rom                *rom = NULL;
    ember_machine            *machines[MACHINES];
    char                      path[600];
    test_random               random = {88172645463325252u};
    snprintf(path, sizeof(path), "%s/%s.ewz", EMBER_GAMES, name);
    assert_int_equal(ember_rom_open_file(&rom, path, ember_heap(), &err), EMBER_OK);
    for (int i = 0; i < MACHINES; i++)
        machines[i] = load_on(name, rom, engines[i]);
    assert_int_equal(ember_machine_engine(machines[CHANGING]), EMBER_ENGINE_INTERP);
    size_t   size = ember_console_state_size(ember_machine_console(machines[0]));
    uint8_t *room[2] = {test_alloc(size), test_alloc(size)};
    for (int frame = 0; frame < 600; frame++) {
        uint32_t inputs[EMBER_CONSOLE_PLAYERS];
        for (uint32_t i = 0; i < EMBER_CONSOLE_PLAYERS; i++)
            inputs[i] = test_random_u32(&random);
        wait_for_object(machines[CHANGING], frame);
        for (int i = 0; i < MACHINES; i++) {
            if (ember_machine_update(machines[i], inputs, &err) != EMBER_OK ||
                ember_machine_render(machines[i], &err) != EMBER_OK)
                fail_msg("%s: %s", name, err.text);
            assert_int_equal(ember_console_state_size(ember_machine_console(machines[i])), size);
        }
        assert_same_state(machines[INTERPRETED], machines[COMPILED], room, name, frame);
        assert_same_state(machines[INTERPRETED], machines[CHANGING], room, name, frame);
    }
    assert_int_equal(ember_machine_engine(machines[CHANGING]), EMBER_ENGINE_OBJECT);
    for (int i = 0; i < MACHINES; i++)
        ember_machine_unload(machines[i]);
    free(room[0]);
    free(room[1]);
    ember_rom_close(rom);
}

TEST(example_games_have_the_same_states_on_both_engines_and_where_they_change)
{
    static const char *const names[] = {"stamp", "raw", "robot", "crossfade", "draft", "crowd"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        play(names[i]);
}
