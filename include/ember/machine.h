/* A game on the console: a checked WASM module, translated, compiled once, loaded and watched; or a native C game through the same functions. A module may be hostile: it is
   refused with one line that says why, or it traps, and the host goes on. */
#ifndef EMBER_MACHINE_H
#define EMBER_MACHINE_H

#include "base.h"
#include "console.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ember_machine ember_machine;

/* A game linked into the program. Its state lives in the `memory` block alone; NULL functions are left out, as exports may be. */
typedef struct ember_native_game {
    void (*init)(void);
    void (*update)(void);
    void (*render)(void);
} ember_native_game;

typedef struct ember_machine_options {
    ember_allocator  allocator;
    const ember_rom *rom;
    uint64_t         seed;
    double           watchdog_s;   /* of each call; 0: 2 s */
    const char      *cache_folder; /* NULL: by XDG_CACHE_HOME, else ~/.cache, /ember; "" : no cache */
    const char      *compiler;     /* NULL: $CC of the build, else cc */
    void (*log)(void *user, const char *text, size_t size);
    void *user;
} ember_machine_options;

/* True where this build can run WASM games (wasm2c and a compiler are looked for when a game is loaded). */
bool ember_machine_runs_wasm(void);

/* Checks the module alone: names, imports, signatures, memory, what is not supported. EMBER_OK or one clear line. */
ember_status ember_wasm_check(const void *wasm, size_t size, ember_error *err);

/* Checks, translates, compiles (or finds it in the cache), loads. Does not run anything of the game yet. */
ember_status ember_machine_load_wasm(ember_machine **out, const void *wasm, size_t size, const ember_machine_options *options, ember_error *err);
ember_status ember_machine_load_native(ember_machine **out, const ember_native_game *game, const ember_machine_options *options, ember_error *err);
void         ember_machine_unload(ember_machine *machine);

/* Runs an export. EMBER_OK, or EMBER_E_MALFORMED with the trap's text; after a trap only restore, unload and looking are allowed. */
ember_status ember_machine_init(ember_machine *machine, ember_error *err);
ember_status ember_machine_update(ember_machine *machine, const uint32_t inputs[EMBER_CONSOLE_PLAYERS], ember_error *err);
ember_status ember_machine_render(ember_machine *machine, ember_error *err);

ember_console *ember_machine_console(ember_machine *machine);

/* ---- snapshots ---- */

typedef struct ember_snapshot ember_snapshot;

/* Memory, globals, tables and the console's state. The first save into a snapshot allocates, later ones do not. */
ember_status ember_snapshot_create(ember_snapshot **out, ember_allocator allocator);
void         ember_snapshot_destroy(ember_snapshot *snapshot);
ember_status ember_machine_save(ember_snapshot *snapshot, const ember_machine *machine);
ember_status ember_machine_restore(ember_machine *machine, const ember_snapshot *snapshot);
uint64_t     ember_snapshot_hash(const ember_snapshot *snapshot); /* XXH3 of everything in it */

#ifdef __cplusplus
}
#endif
#endif
