/* SPDX-License-Identifier: MIT */
/* Games for tests: WebAssembly as text, assembled by wabt's wat2wasm, on a machine with a
   cache of its own. */
#ifndef EMBER_TESTS_ENGINE_GAMES_H
#define EMBER_TESTS_ENGINE_GAMES_H

#include <stdlib.h>
#include <unistd.h>

#include "ember/machine.h"
#include "testing.h"

/* What most games begin with. */
#define GAME_ENV                                              \
    "(import \"env\" \"random\" (func $random (result i32)))" \
    "(import \"env\" \"log\" (func $log (param i32 i32)))"    \
    "(import \"env\" \"frame\" (func $frame (result i32)))"
#define GAME_MEMORY "(memory (export \"memory\") 1)"

/* A path for mkstemps or mkdtemp, in the folder of temporary files; free it. */
static inline char *game_temporary_name(const char *suffix)
{
    const char *folder = getenv("TMPDIR");
    char       *path = test_alloc(256);
    folder = folder != NULL && folder[0] != '\0' ? folder : "/tmp";
    assert_in_range(snprintf(path, 256, "%s/ember-test-XXXXXX%s", folder, suffix), 1, 100);
    return path;
}

static inline char *game_temporary(const char *suffix)
{
    char *path = game_temporary_name(suffix);
    int   fd = mkstemps(path, (int)strlen(suffix));
    assert_true(fd >= 0);
    close(fd);
    return path;
}

/* The bytes of a module; free them. `flags` for wat2wasm. */
static inline uint8_t *game_assemble_with(const char *flags, const char *wat, size_t *size)
{
    char *text = game_temporary(".wat"), *binary = game_temporary(".wasm"), command[1024];
    FILE *file = fopen(text, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(wat, 1, strlen(wat), file), strlen(wat));
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof(command), "%s %s %s -o %s", EMBER_WAT2WASM, flags, text, binary);
    assert_int_equal(system(command), 0);
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    assert_int_equal(ember_file_read(&bytes, binary, 0, &err), EMBER_OK);
    uint8_t *exact = test_exact_copy(bytes.data, bytes.size);
    *size = bytes.size;
    ember_buffer_free(&bytes);
    unlink(text);
    unlink(binary);
    free(text);
    free(binary);
    return exact;
}

static inline uint8_t *game_assemble(const char *wat, size_t *size)
{
    return game_assemble_with("", wat, size);
}

/* The tests run once on each engine. */
static inline bool game_is_interpreted(void)
{
    const char *engine = getenv("EMBER_TEST_ENGINE");
    return engine != NULL && strcmp(engine, "interp") == 0;
}

static inline ember_machine_options game_options(void)
{
    ember_machine_options options = {
        .engine = game_is_interpreted() ? EMBER_ENGINE_INTERP : EMBER_ENGINE_OBJECT,
        .watchdog_s = 0.2,
        .cache_folder = EMBER_TEST_CACHE,
    };
    return options;
}

/* Loads a game that must load. */
static inline ember_machine *game_load_with_watchdog(const char *wat, double watchdog_s)
{
    ember_machine_options options = game_options();
    ember_machine        *machine = NULL;
    ember_error           err = EMBER_ERROR_INIT;
    size_t                size;
    uint8_t              *wasm = game_assemble(wat, &size);
    options.watchdog_s = watchdog_s;
    ember_status status = ember_machine_load_wasm(&machine, wasm, size, &options, &err);
    if (status != EMBER_OK)
        fail_msg("%s", err.text);
    free(wasm);
    return machine;
}

static inline ember_machine *game_load(const char *wat) { return game_load_with_watchdog(wat, 0.2); }

/* The error of a game that must not load. */
static inline ember_error game_refused(const char *flags, const char *wat)
{
    ember_machine_options options = game_options();
    ember_machine        *machine = NULL;
    ember_error           err = EMBER_ERROR_INIT;
    size_t                size;
    uint8_t              *wasm = game_assemble_with(flags, wat, &size);
    assert_int_not_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
    assert_null(machine);
    free(wasm);
    return err;
}

static const uint32_t game_no_inputs[EMBER_CONSOLE_PLAYERS] = {0};

#endif
