/* SPDX-License-Identifier: MIT */
/* Between the files of the WASM engine: a game's object and how it comes about, its memory, and the signals
   that watch over it. */
#ifndef EMBER_ENGINE_OBJECT_PARTS_H
#define EMBER_ENGINE_OBJECT_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "engine/check/module_check.h"
#include "engine/machine_internal.h"
#include "engine/object/guest/abi.h"

/* ---- a game's object ---- */

typedef struct emberi_object_job {
    const emberi_wasm_module *module;
    const ember_buffer       *stripped;                /* emberi_object_make fills it in */
    const char               *cache_folder, *compiler; /* as in the machine's options */
    double                    build_s;
    ember_allocator           allocator;
    const atomic_bool        *cancelled; /* true: give up; or NULL */
} emberi_object_job;

/* The programs that make an object, and everything that they are given but the game itself. */
typedef struct emberi_object_recipe {
    char         translator[1024], compiler[1024]; /* paths */
    ember_buffer runtime;                          /* wasm-rt.h as the game sees it */
    char         key[33];
} emberi_object_recipe;

ember_status emberi_object_plan(emberi_object_recipe *out, const emberi_object_job *job,
                                ember_error *err); /* free runtime in any case */

/* Makes game.so in the folder, which is private and empty; whatever else is left in it, the
   caller removes. */
ember_status emberi_object_build(const char *folder, const emberi_object_recipe *recipe,
                                 const emberi_object_job *job, ember_error *err);

/* Finds it in the cache or builds it, and loads it. Close the handle with dlclose. */
ember_status emberi_object_open(void **handle, const emberi_object_job *job, ember_error *err);

/* The same from the module alone. */
ember_status emberi_object_make(void **handle, const emberi_object_job *job, ember_error *err);

/* ---- a machine that runs such an object ---- */

typedef struct emberi_wasm_machine {
    ember_machine              *machine;
    void                       *object; /* dlopen's */
    const struct emberi_guest  *guest;
    uintptr_t                   text_start, text_end; /* the object's code, whole pages */
    uint8_t                    *block;                /* the head, and behind it the instance */
    size_t                      block_size;
    struct emberi_guest_head   *head;
    uint8_t                    *instance;
    uint8_t                    *memory; /* start of the reservation */
    wasm_rt_funcref_t          *table;
    size_t                      table_bytes;
    bool                        guarded; /* one of those for whom faults are handled */
    /* The watchdog's. */
    double                      watchdog_s;
    emberi_overlong             overlong;
    struct emberi_wasm_machine *next;
    bool                        watched, has_thread;
    pthread_t                   thread; /* that called last */
    _Atomic clockid_t           clock;  /* its processor time */
    atomic_uint                 call;   /* number of the call */
    atomic_bool                 running, overdue;
    uint32_t                    seen_call;
    int64_t                     seen_ns; /* when the watchdog saw that call for the first time */
} emberi_wasm_machine;

extern const emberi_machine_ops emberi_wasm_ops;

/* What the machine needs besides the object; of its options. */
typedef struct emberi_object_limits {
    double watchdog_s;
    bool   host_faults;
} emberi_object_limits;

/* Makes the machine one that runs the object, from the module's start. Whatever engine it had before is still
   there: the caller ends it. On failure the machine is as before; the object is closed in any case. */
ember_status emberi_object_attach(ember_machine *machine, void *object, const emberi_wasm_module *module,
                                  const emberi_object_limits *limits, ember_error *err);

/* ---- its memory ---- */

extern const struct emberi_guest_runtime emberi_guest_runtime_functions;

/* All that a load or a store can reach: an address and an offset of 32 bits each, and the access. */
#define EMBERI_WASM_RESERVED ((size_t)8 << 30 | (size_t)1 << 16)

bool emberi_wasm_resize_memory(emberi_wasm_machine *machine, uint32_t size);
void emberi_wasm_free_memory(emberi_wasm_machine *machine);

static inline wasm_rt_memory_t *emberi_wasm_memory(const emberi_wasm_machine *machine)
{
    return (wasm_rt_memory_t *)(void *)(machine->instance + machine->guest->memory_offset);
}

/* ---- the guard ---- */

/* With every machine, unless the host handles faults itself: the handlers are the process's. Faults that are
   not a game's go to whoever handled them before. */
ember_status emberi_guard_install(emberi_wasm_machine *machine, bool host_faults, ember_error *err);
void         emberi_guard_remove(emberi_wasm_machine *machine);

/* Around a call of the game. */
void emberi_guard_enter(ember_machine *machine);
void emberi_guard_leave(ember_machine *machine);

/* Finds the object's code. */
bool emberi_guard_find_text(emberi_wasm_machine *machine);

/* ---- the watchdog ---- */

ember_status emberi_watchdog_add(emberi_wasm_machine *machine, ember_error *err);
void         emberi_watchdog_remove(emberi_wasm_machine *machine);

void emberi_watchdog_enter(emberi_wasm_machine *machine);
void emberi_watchdog_leave(emberi_wasm_machine *machine);

/* A fault because the code could not be executed: traps, or returns true where the game goes on. */
bool emberi_watchdog_caught(emberi_wasm_machine *machine);

#endif
