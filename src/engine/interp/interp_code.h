/* SPDX-License-Identifier: MIT */
/* What a module is translated to: instructions of 8 bytes that work on the registers of a frame, and what a
   call needs to know of a function. Made by the translator alone, which proves that every register, offset
   and index in it is in range; so the interpreter checks only what a game's own numbers decide. */
#ifndef EMBER_ENGINE_INTERP_CODE_H
#define EMBER_ENGINE_INTERP_CODE_H

#include "engine/check/module_check.h"

/* A register. A value of 32 bits leaves the upper half as it is. */
typedef union emberi_slot {
    uint32_t u32;
    int32_t  s32;
    uint64_t u64;
    int64_t  s64;
    float    f32;
    double   f64;
} emberi_slot;

/* An instruction, or the word behind one that needs more: an offset (of a branch: in words, from this word
   on) and another number. */
typedef union emberi_word {
    struct {
        uint16_t op, a, b, c;
    } i;
    struct {
        int32_t x, y;
    } d;
    uint64_t all;
} emberi_word;

/* A host function: takes its parameters from the slots and puts its result into the first. */
typedef void (*emberi_thunk)(ember_console *console, emberi_slot *slots);

/* A frame is parameters, other variables, constants, operands, and begins at the caller's first argument; the
   results come back to its first slots. */
typedef struct emberi_function {
    const emberi_word *code;      /* NULL: the host's */
    const emberi_slot *constants; /* put behind the variables on entry */
    emberi_thunk       host;
    uint16_t           frame; /* slots */
    uint16_t           params, zeros, constant_count;
    uint16_t           type; /* equal signatures have equal numbers */
} emberi_function;

typedef struct emberi_signature {
    const uint8_t *params, *results; /* types, in the module's bytes */
    uint8_t        param_count, result_count;
    uint16_t       same; /* the first type with this signature */
} emberi_signature;

typedef struct emberi_segment {
    const uint8_t *bytes; /* in the program's copy */
    uint32_t       size, start;
    bool           active; /* goes to `start` when the game begins */
} emberi_segment;

enum { EMBERI_NO_FUNCTION = UINT16_MAX };

/* A module, translated. */
typedef struct emberi_program {
    ember_allocator   allocator;
    emberi_signature *types; /* only while the module's bytes are there */
    emberi_function  *functions;
    emberi_word      *code;
    emberi_slot      *constants;
    emberi_slot      *globals; /* first values; those of 32 bits have nothing above */
    uint8_t          *global_types, *global_variable;
    uint16_t         *table;
    emberi_segment   *segments; /* those that code may still copy: none unless it copies any */
    uint8_t          *segment_bytes;
    uint32_t          type_count, function_count, global_count, variable_count, table_size, segment_count;
    uint32_t          code_count, code_room, constant_count, constant_room;
    size_t            segment_size;
    uint32_t          pages, max_pages;
    uint32_t          largest_frame;
    int32_t           exports[EMBER_PHASE_COUNT];
} emberi_program;

/* Translates a module that passed the check, with all that the specification asks of operands. On failure
   nothing is left. */
ember_status emberi_program_make(emberi_program *out, const emberi_wasm_module *module,
                                 ember_allocator allocator, ember_error *err);
void         emberi_program_free(emberi_program *program);

/* The code of all functions; program.c calls it when all else is there. */
ember_status emberi_program_translate(emberi_program *program, const emberi_wasm_module *module,
                                      ember_error *err);

/* By a name that the console has. */
emberi_thunk emberi_thunk_find(const char *name, uint32_t size);

/* ---- running ---- */

typedef enum emberi_trap {
    EMBERI_TRAP_NONE,
    EMBERI_TRAP_MEMORY,
    EMBERI_TRAP_OVERFLOW,
    EMBERI_TRAP_DIVISION,
    EMBERI_TRAP_CONVERSION,
    EMBERI_TRAP_UNREACHABLE,
    EMBERI_TRAP_INDIRECT,
    EMBERI_TRAP_DEPTH,
    EMBERI_TRAP_FUEL
} emberi_trap;

typedef struct emberi_call {
    const emberi_word *pc; /* where the caller goes on */
    emberi_slot       *frame;
} emberi_call;

/* What a game needs while it runs. */
typedef struct emberi_thread {
    const emberi_function *functions;
    const uint16_t        *table;
    uint32_t               table_size;
    uint32_t               max_pages;
    emberi_slot           *globals;
    const emberi_segment  *segments;
    uint8_t               *dropped;
    uint8_t               *memory;
    uint32_t               memory_size;
    ember_console         *console;
    emberi_slot           *stack, *stack_end;
    emberi_call           *calls, *calls_end, *call; /* call: the next free one */
    int64_t                fuel;                     /* for one call from the host */
} emberi_thread;

/* Runs a function without parameters and results until it returns or traps. A host function may leave it by a
   jump: nothing is held. */
emberi_trap emberi_interp_run(emberi_thread *thread, uint32_t function);

#endif
