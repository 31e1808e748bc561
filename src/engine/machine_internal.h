/* SPDX-License-Identifier: MIT */
/* What a machine is made of, for the files that run games: the part that all kinds of games share, and the
   few functions in which the engines differ. */
#ifndef EMBER_ENGINE_MACHINE_INTERNAL_H
#define EMBER_ENGINE_MACHINE_INTERNAL_H

#include <setjmp.h>

#include "ember/machine.h"
#include "engine/float_env.h"

/* One engine. Memory is the guest's; the state is what lies outside of it and belongs into a snapshot, in a
   form that is the same on every engine and system: each mutable global in index order as 8 bytes,
   little-endian, i32 and f32 with zeros above; then, if the module's code uses data segments, a byte for each
   of them: 1 if nothing can be copied from it (any more), else 0. Functions that an engine does not need may
   be NULL, but for call, memory and destroy. */
typedef struct emberi_machine_ops {
    /* Runs the export; returns normally or traps. Nothing to do where the game does not have it. */
    void (*call)(ember_machine *machine, ember_phase phase);
    uint8_t *(*memory)(const ember_machine *machine, uint32_t *size);
    /* Makes the memory as large as it was, up or down, within the machine's limits; what a restore fills
       comes afterwards. False, and nothing changed, where the system has no memory. */
    bool (*resize)(ember_machine *machine, uint32_t size);
    size_t (*state_size)(const ember_machine *machine);
    void (*state_save)(const ember_machine *machine, void *out);
    void (*state_restore)(ember_machine *machine, const void *state);
    /* Around a call, for the watchdog; `leave` also after a trap. */
    void (*enter)(ember_machine *machine);
    void (*leave)(ember_machine *machine);
    void (*destroy)(ember_machine *machine); /* everything but the machine's own block and the console */
} emberi_machine_ops;

#define EMBERI_TRAP_TEXT 232

/* How long a call may take: seconds of processor time on the object engine, steps (interp.h) on the
   interpreter. The trap's text is the same on both. */
#define EMBERI_WATCHDOG_S 2.0 /* unless the options say otherwise */
#define EMBERI_WATCHDOG_MAX_S 1e6
#define EMBERI_STEPS_PER_S 100000000

typedef struct emberi_overlong {
    char text[96];
} emberi_overlong;

emberi_overlong emberi_machine_overlong(double watchdog_s);

/* The first member of the struct of an engine that keeps its own things in the machine's block. */
struct ember_machine {
    const emberi_machine_ops *ops;
    void                     *engine;    /* what an engine keeps outside of the machine's block */
    struct emberi_successor  *successor; /* the engine that is made meanwhile; or NULL */
    size_t                    size;      /* of the whole block */
    ember_allocator           allocator;
    ember_console            *console;
    uint64_t                  game_hash; /* 0 of a native one */
    const void               *native;    /* a native game's memory: what tells it from others; or NULL */
    uint32_t                  memory_least, memory_most; /* bytes, of what a snapshot may bring */
    bool                      initialised, trapped;
    void (*log)(void *user, const char *text, size_t size);
    void            *log_user;
    /* While a game runs. */
    ember_machine   *outer; /* the one that ran on this thread before: a log function may run another game */
    emberi_float_env host_floats; /* the mode that the host was in */
    sigjmp_buf       point;
    const char      *engine_text; /* of a trap that the engine found; the console gives it its form */
    char             trap_text[EMBERI_TRAP_TEXT];
};

/* Makes the block (`size` bytes, zeroed) and the console. On failure *out is NULL and nothing is left. */
ember_status emberi_machine_create(ember_machine **out, size_t size, const emberi_machine_ops *ops,
                                   const ember_machine_options *options, ember_error *err);

/* Between two frames: changes to the successor if it is ready. Call only where there is one. */
void emberi_successor_poll(ember_machine *machine);
void emberi_successor_free(ember_machine *machine);

/* The machine whose game runs on this thread, or NULL. */
ember_machine *emberi_machine_running(void);

/* Leaves the game that runs on this thread with a trap; `text` must stay. Fit for signal handlers that do not
   block their signal, where the game may be left. Never returns. */
_Noreturn void emberi_machine_trap(const char *text);

/* Runs `work` as if it were an export, without the console's begin and end: what loading runs. EMBER_OK,
   EMBER_E_TRAP or, with EMBER_PHASE_NONE, EMBER_E_NOMEM with the trap's text. */
ember_status emberi_machine_protect(ember_machine *machine,
                                    void (*work)(ember_machine *machine, ember_phase phase),
                                    ember_phase phase, ember_error *err);

#endif
