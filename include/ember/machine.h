/* SPDX-License-Identifier: MIT */
/* A game on the console: a checked WASM module, translated, compiled once, loaded and watched; or a native C
   game through the same functions. A module may be hostile: it is refused with one line that says why, or it
   traps, and the host goes on. */
#ifndef EMBER_MACHINE_H
#define EMBER_MACHINE_H

#include "base.h"
#include "console.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ember_machine ember_machine;

/* A game linked into the program, as GAME of game/ember_game.h makes it. Its state lives in the `memory`
   block alone: that is what snapshots hold; several machines must not run one game at a time. NULL functions
   are left out, as exports may be. */
typedef struct ember_native_game {
    void (*init)(void);
    void (*update)(void);
    void (*render)(void);
    void    *memory;
    uint32_t memory_size;
} ember_native_game;

/* What runs a module. The states, traps and hashes are the same on all of them; the speed is not. */
typedef enum ember_engine {
    /* The interpreter from the first frame on; the compiled object from the frame on before which it is
       ready. Without a compiler it stays with the interpreter. */
    EMBER_ENGINE_AUTO = 0,
    EMBER_ENGINE_INTERP,
    /* Compiled when it is loaded, which may take seconds the first time. Needs wasm2c and a C compiler. */
    EMBER_ENGINE_OBJECT
} ember_engine;

typedef struct ember_machine_options {
    ember_allocator  allocator; /* resize NULL: the heap */
    const ember_rom *rom;
    uint64_t         seed;
    ember_engine     engine;
    /* What each call may take; 0: 2 s. The object engine measures processor time. The interpreter counts
       steps, 100 million for each second: a call that takes too long ends at the same state everywhere. */
    double           watchdog_s;
    const char      *cache_folder; /* NULL: by XDG_CACHE_HOME, else ~/.cache, /ember; "" : no cache */
    const char      *compiler;     /* NULL: the compiler of the build, else cc */
    double           build_s;      /* processor time that translating and compiling may take each; 0: 120 s */
    /* The program handles SIGSEGV and SIGBUS itself, and calls ember_machine_fault for them. */
    bool             host_faults;
    void (*log)(void *user, const char *text, size_t size);
    void *user;
} ember_machine_options;

/* True where this build can run WASM games. */
bool ember_machine_runs_wasm(void);

typedef enum ember_import_fault {
    EMBER_IMPORT_FINE = 0,
    EMBER_IMPORT_MISSING,   /* the console has no function of that name */
    EMBER_IMPORT_SIGNATURE, /* it has, with other parameters or another result */
    EMBER_IMPORT_FOREIGN    /* of another module than env, or no function */
} ember_import_fault;

typedef struct ember_import {
    const char        *name; /* "keyframe_bind"; a foreign one's with its module, "wasi.fd_write" */
    ember_import_fault fault;
    const char        *near; /* MISSING: the console's function that was perhaps meant, or NULL */
    const char        *text; /* one line that says what is wrong, "" if nothing; valid during the call */
} ember_import;

typedef struct ember_imports {
    void (*take)(void *user, const ember_import *import);
    void *user;
} ember_imports;

/* Checks the module alone: names, imports, signatures, memory, what is not supported. EMBER_OK or one clear
   line, which lists all imports that the console lacks, as far as they fit. */
ember_status ember_wasm_check(const void *wasm, size_t size, ember_error *err);
/* The same, and `imports`, if not NULL, is told of every import, good or bad, in the module's order. */
ember_status ember_wasm_imports(const void *wasm, size_t size, const ember_imports *imports,
                                ember_error *err);

/* Checks and loads, by the engine of the options. Does not run anything of the game yet. The module's bytes
   are copied where they are needed later. */
ember_status ember_machine_load_wasm(ember_machine **out, const void *wasm, size_t size,
                                     const ember_machine_options *options, ember_error *err);
/* Unloading puts the game's memory back as loading found it, so that it begins anew with every load. Not
   watched: an endless loop hangs the program. */
ember_status ember_machine_load_native(ember_machine **out, const ember_native_game *game,
                                       const ember_machine_options *options, ember_error *err);
void         ember_machine_unload(ember_machine *machine);

/* Runs an export. EMBER_OK, or EMBER_E_TRAP with the trap's text; after a trap only restore, unload and
   looking are allowed. */
ember_status ember_machine_init(ember_machine *machine, ember_error *err);
ember_status ember_machine_update(ember_machine *machine, const uint32_t inputs[EMBER_CONSOLE_PLAYERS],
                                  ember_error *err);
ember_status ember_machine_render(ember_machine *machine, ember_error *err);

/* For a program that handles faults itself (`host_faults`): to be called first in its handlers of SIGSEGV and
   SIGBUS, with what those are given (siginfo_t *, ucontext_t *). Faults of a game do not come back from it:
   the game traps. So the handlers must be installed with SA_SIGINFO and SA_NODEFER, and must hold nothing.
   Returns true where the program should go on as if there was no fault; false: the fault is the program's
   own. Without `host_faults` Ember's handlers do this, pass on what is not a game's, run on the alternate
   stack if there is one, and are removed with the last machine. */
bool ember_machine_fault(int signal_number, void *info, void *context);

ember_console *ember_machine_console(ember_machine *machine);
/* The engine that runs the next call: INTERP or OBJECT; AUTO of a native game. It changes at the begin of an
   update at most, and never after a trap. */
ember_engine   ember_machine_engine(const ember_machine *machine);
/* XXH3 of the module as it was given; 0 of a native game */
uint64_t       ember_machine_game_hash(const ember_machine *machine);

/* ---- snapshots ---- */

typedef struct ember_snapshot ember_snapshot;

/* Of the bytes that are hashed and written to files; another one is another hash for the same state. */
#define EMBER_SNAPSHOT_VERSION 1u

/* A game's whole state between two calls: memory, mutable globals, which data segments were dropped, the
   console's state. Its bytes are the same on every engine and system, so a snapshot may be restored into any
   machine that runs the same module with the same assets. Of a game linked into the program the state is its
   memory block and the console's state. The first save into a snapshot allocates, later ones do not. */
ember_status ember_snapshot_create(ember_snapshot **out, ember_allocator allocator);
void         ember_snapshot_destroy(ember_snapshot *snapshot);
ember_status ember_machine_save(ember_snapshot *snapshot, const ember_machine *machine);
/* EMBER_E_ARG, and nothing changes, where the snapshot is empty, another game's, or not a state that this
   game can be in; EMBER_E_NOMEM where the memory cannot be made as large as it was. */
ember_status ember_machine_restore(ember_machine *machine, const ember_snapshot *snapshot);
/* XXH3-64 of the state: the same for the same state of the same module on every engine and system.
   docs/formats/snapshot.md has the bytes. 0 of an empty snapshot. */
uint64_t     ember_snapshot_hash(const ember_snapshot *snapshot);

/* A saved game as a file (docs/formats/snapshot.md): the head and the hashed bytes. `out` has
   ember_snapshot_file_size bytes, which is 0 for an empty snapshot. */
size_t       ember_snapshot_file_size(const ember_snapshot *snapshot);
void         ember_snapshot_write(void *out, const ember_snapshot *snapshot);
/* EMBER_E_ARG, and the snapshot is as before, for bytes of another version, cut off or damaged ones. Whether
   they are this game's is found out by the restore. */
ember_status ember_snapshot_read(ember_snapshot *snapshot, const void *data, size_t size, ember_error *err);

/* ---- the test of rollback ---- */

typedef struct ember_synctest ember_synctest;

#define EMBER_SYNCTEST_MAX 120u

/* depth: frames to go back, 1 to EMBER_SYNCTEST_MAX; EMBER_E_ARG otherwise. It keeps a snapshot of each. */
ember_status ember_synctest_create(ember_synctest **out, uint32_t depth, ember_allocator allocator);
void         ember_synctest_destroy(ember_synctest *test); /* NULL is fine */

/* Runs a frame, update and render; then goes back `depth` frames, runs them again with the same inputs and
   compares states and draw lists. EMBER_E_TRAP with the trap's text, or EMBER_E_MALFORMED with one that
   begins with "desync: frame N". */
ember_status ember_synctest_frame(ember_synctest *test, ember_machine *machine,
                                  const uint32_t inputs[EMBER_CONSOLE_PLAYERS], ember_error *err);
/* While frames are run again: what the game logs then was said before. */
bool         ember_synctest_replaying(const ember_synctest *test);

#ifdef __cplusplus
}
#endif
#endif
