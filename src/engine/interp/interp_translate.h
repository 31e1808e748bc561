/* SPDX-License-Identifier: MIT */
/* Between the files of the translator: one pass over each function's body checks the types of all operands
   and writes instructions. Operands are not computed when they are named: the stack at translation time says
   where a value lies, and the instruction that uses it takes it from there. */
#ifndef EMBER_ENGINE_INTERP_TRANSLATE_H
#define EMBER_ENGINE_INTERP_TRANSLATE_H

#include "engine/interp/interp_code.h"
#include "engine/interp/interp_ops.h"

enum {
    EMBERI_I32 = 0x7f,
    EMBERI_I64 = 0x7e,
    EMBERI_F32 = 0x7d,
    EMBERI_F64 = 0x7c,
    EMBERI_ANY = 0, /* of unreachable code, or no matter which */
    EMBERI_POOL = 48,
    EMBERI_FRAME_SLOTS = 65535
};

#define EMBERI_NOWHERE UINT32_MAX

/* A value on the operand stack: a constant, or a register and a number that is still to be added (i32 alone).
   The register is a variable or the entry's own slot, which is its height's. */
typedef struct emberi_entry {
    uint64_t constant;
    uint16_t reg;
    int16_t  add;
    uint8_t  type;
    bool     is_constant;
} emberi_entry;

typedef enum emberi_label_kind {
    EMBERI_LABEL_FUNCTION,
    EMBERI_LABEL_BLOCK,
    EMBERI_LABEL_LOOP,
    EMBERI_LABEL_IF,
    EMBERI_LABEL_ELSE
} emberi_label_kind;

typedef struct emberi_label {
    const uint8_t    *params, *results;
    uint8_t           param_count, result_count;
    emberi_label_kind kind;
    bool              polymorphic; /* behind a branch: an empty stack gives what is asked for */
    bool              outer_dead;  /* the block itself is never reached */
    bool              reached;     /* by a branch to its end */
    uint32_t          height;      /* of the stack, without the parameters */
    uint32_t          start;       /* of a loop */
    /* the last of the offsets that lead to its end; each holds the one before */
    uint32_t          cells;
    uint32_t          else_word;   /* the word whose offset leads to the else */
    uint32_t          table, stub; /* the br_table that met it last, and where that goes first */
} emberi_label;

typedef struct emberi_translator {
    emberi_program     *program;
    emberi_wasm_checker c; /* its reader is in the body */
    ember_status        status;
    uint32_t            function;
    const uint8_t      *results;
    uint32_t            local_count;
    /* code */
    bool                dead; /* nothing that follows is ever reached: it is checked and not written */
    uint32_t            last, before; /* the last two instructions since the last label, or NOWHERE */
    /* operands */
    uint32_t            height, highest;
    uint32_t            settled;  /* below it no entry is in a variable */
    uint32_t            stack_at; /* the first operand's slot */
    uint32_t            pool_at, pool_room, pool_count;
    uint64_t            pool[EMBERI_POOL];
    uint32_t            label_count;
    uint8_t             local_types[EMBERI_WASM_MAX_LOCALS];
    uint32_t            local_uses[EMBERI_WASM_MAX_LOCALS]; /* entries that lie in it */
    emberi_label        labels[EMBERI_WASM_MAX_NESTING + 1];
    emberi_entry        stack[EMBERI_FRAME_SLOTS + 1];
} emberi_translator;

static inline bool emberi_is_wide(uint8_t type) { return type == EMBERI_I64 || type == EMBERI_F64; }
static inline bool emberi_fits_16(uint64_t constant, uint8_t type)
{
    int64_t value = type == EMBERI_I32 ? (int32_t)(uint32_t)constant : (int64_t)constant;
    return value >= INT16_MIN && value <= INT16_MAX;
}

/* ---- failures ---- */

/* "function 3 of the module: WHAT, at byte 120"; the first one counts. */
void emberi_translate_fail(emberi_translator *t, ember_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- code: interp_emit.c ---- */

/* Appends an instruction, or nothing in dead code. With a second word: its number, to be used with
   emberi_emit_target. */
void     emberi_emit(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c);
uint32_t emberi_emit_long(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c, int32_t x,
                          int32_t y);
/* A branch; the word of its offset. */
uint32_t emberi_emit_branch(emberi_translator *t, uint16_t op, uint32_t b, uint32_t c);
/* An instruction without a result: none is joined with it, and `a` may be anything. */
void     emberi_emit_effect(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c);
/* `count` words for a br_table's offsets; the first one's number. */
uint32_t emberi_emit_space(emberi_translator *t, uint32_t count);
/* The instruction that `last` or `before` is. */
emberi_word *emberi_emitted(emberi_translator *t, uint32_t at);
/* Takes the last instruction back; what is emitted next stands in its place. */
void         emberi_unemit(emberi_translator *t);
/* A place that branches lead to: nothing is joined over it. */
void         emberi_emit_label(emberi_translator *t);

void emberi_emit_move(emberi_translator *t, uint32_t to, uint32_t from, uint8_t type);
/* Whatever the entry is, into a slot. */
void emberi_emit_value(emberi_translator *t, uint32_t to, const emberi_entry *entry);

/* ---- operands: interp_operands.c ---- */

static inline uint32_t emberi_own(const emberi_translator *t, uint32_t at) { return t->stack_at + at; }

/* A result in its own slot, whose number it returns. */
uint32_t     emberi_push(emberi_translator *t, uint8_t type);
void         emberi_push_entry(emberi_translator *t, emberi_entry entry);
/* The top of the stack; its place was t->height afterwards. */
emberi_entry emberi_pop(emberi_translator *t, uint8_t type);
/* A register that holds the value of an entry that was popped from `at`: code may be written for it. */
uint32_t     emberi_register(emberi_translator *t, const emberi_entry *entry, uint32_t at);
/* The register, where no code is needed for it; or NOWHERE. */
uint32_t     emberi_ready(emberi_translator *t, const emberi_entry *entry);
/* Whether the entry, popped from `at`, is what the last instruction computed. */
bool         emberi_is_last(const emberi_translator *t, const emberi_entry *entry, uint32_t at);
/* Entries in variables go to their slots: all of them; or those of a variable that is about to change. */
void         emberi_settle(emberi_translator *t);
void         emberi_settle_local(emberi_translator *t, uint32_t local);
/* The topmost `count` entries go to their slots, constants too. */
void         emberi_place_operands(emberi_translator *t, uint32_t count);
/* Pops types and pushes them again as results in their slots. */
void         emberi_pop_types(emberi_translator *t, const uint8_t *types, uint32_t count);
void         emberi_push_types(emberi_translator *t, const uint8_t *types, uint32_t count);
/* The topmost entries are of these types; the stack stays. Fails otherwise. */
void         emberi_peek_types(emberi_translator *t, const uint8_t *types, uint32_t count);
void         emberi_drop_to(emberi_translator *t, uint32_t height);

/* ---- instructions: by file ---- */

/* interp_blocks.c: opcodes 0x00 to 0x0f but for nop */
void     emberi_translate_block(emberi_translator *t, uint8_t opcode);
void     emberi_translate_function_label(emberi_translator *t, const emberi_signature *type);
/* interp_branches.c: branches and their conditions */
void     emberi_translate_br(emberi_translator *t);
void     emberi_translate_br_if(emberi_translator *t);
void     emberi_translate_br_table(emberi_translator *t);
void     emberi_translate_return(emberi_translator *t);
void     emberi_dead_end(emberi_translator *t);
/* Emits a branch for when the entry, popped from `at`, is not 0 (or is 0). The word of its offset. */
uint32_t emberi_branch_if(emberi_translator *t, const emberi_entry *entry, uint32_t at, bool when);
/* The offset of that word leads to the label's end, or to a loop's start. */
void     emberi_branch_to(emberi_translator *t, uint32_t word, emberi_label *label);
/* All that lead to the label's end lead here. */
void     emberi_branches_land(emberi_translator *t, emberi_label *label);
/* interp_numbers.c: opcodes 0x45 to 0xc4, and 0xfc 0 to 7 */
void     emberi_translate_number(emberi_translator *t, uint8_t opcode);
void     emberi_translate_saturating(emberi_translator *t, uint32_t opcode);
/* interp_memory.c: loads, stores, copies */
void     emberi_translate_load(emberi_translator *t, uint8_t opcode);
void     emberi_translate_store(emberi_translator *t, uint8_t opcode);
void     emberi_translate_bulk(emberi_translator *t, uint32_t opcode);

#endif
