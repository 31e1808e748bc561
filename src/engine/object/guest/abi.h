/* SPDX-License-Identifier: MIT */
/* What the host and a game's compiled object agree on. This text is compiled into both: into the host as it
   is, and in front of every translated game. So it needs nothing but the compiler, and whoever changes it
   changes the key under which games are cached. */
#ifndef EMBER_ENGINE_ABI_H
#define EMBER_ENGINE_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls of the game's own functions inside each other: the same on every machine, so that a game that runs on
   one runs on all. */
#define EMBERI_GUEST_DEPTH 2000
/* Stack that is left for the host's functions, and a frame of a game's function at the most. */
#define EMBERI_GUEST_STACK_KEPT (256u << 10)
#define EMBERI_GUEST_FRAME 65536

/* The numbers of the traps in code that wasm2c writes. */
typedef enum {
    WASM_RT_TRAP_NONE,
    WASM_RT_TRAP_OOB,
    WASM_RT_TRAP_INT_OVERFLOW,
    WASM_RT_TRAP_DIV_BY_ZERO,
    WASM_RT_TRAP_INVALID_CONVERSION,
    WASM_RT_TRAP_UNREACHABLE,
    WASM_RT_TRAP_CALL_INDIRECT,
    WASM_RT_TRAP_UNCAUGHT_EXCEPTION,
    WASM_RT_TRAP_EXHAUSTION,
    WASM_RT_TRAP_COUNT
} wasm_rt_trap_t;

typedef void (*wasm_rt_function_ptr_t)(void);

typedef struct {
    uint32_t               func_type;
    wasm_rt_function_ptr_t func;
    void                  *module_instance;
} wasm_rt_funcref_t;

typedef struct {
    uint8_t *data;
    uint32_t pages, max_pages;
    uint32_t size;
} wasm_rt_memory_t;

typedef struct {
    wasm_rt_funcref_t *data;
    uint32_t           max_size;
    uint32_t           size;
} wasm_rt_funcref_table_t;

/* Lies right before the game's instance. */
struct emberi_guest_head {
    void     *console;
    uintptr_t stack_end; /* the stack must not come below it: it grows down */
    uint32_t  depth;
};

/* What the translated code needs from the host, besides the console's functions. */
struct emberi_guest_runtime {
    void (*trap)(uint32_t number); /* does not return */
    void (*allocate_memory)(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages);
    uint32_t (*grow_memory)(wasm_rt_memory_t *memory, uint32_t pages);
    void (*allocate_table)(wasm_rt_funcref_table_t *table, uint32_t size);
};

/* A number of the state inside the instance: a global of 4 or 8 bytes, a segment's flag of 1; 0 bytes: the
   flag of a segment that was used up at the start. */
struct emberi_guest_cell {
    uint32_t offset, size;
};

/* The one symbol of a game's object. Exports that the game does not have are NULL. */
struct emberi_guest {
    size_t instance_size;
    size_t memory_offset;
    /* SIZE_MAX: the game has none */
    size_t table_offset;
    /* before the first instance */
    void (*bind)(const struct emberi_guest_runtime *runtime, const void *functions);
    /* zeroed memory behind a head */
    void (*instantiate)(void *instance);
    void (*init)(void *instance);
    void (*update)(void *instance);
    void (*render)(void *instance);
    /* Globals, then data segments, as machine_internal.h describes a machine's state. */
    size_t                          cell_count;
    const struct emberi_guest_cell *cells;
};

#define EMBERI_GUEST_SYMBOL "emberi_guest"

#endif
