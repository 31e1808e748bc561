/* SPDX-License-Identifier: MIT */
/* Loads, stores, copies and fills. An address is a register and an offset; a register and a number that is
   added before the offset; or a sum that was computed just before. */
#include "engine/interp/interp_translate.h"

typedef struct memory_row {
    uint8_t  type, size_log2;
    uint16_t op;
} memory_row;

static const memory_row memory_rows[] = {
    /* 0x28: loads */
    {EMBERI_I32, 2, EMBERI_OP_LOAD_I32},
    {EMBERI_I64, 3, EMBERI_OP_LOAD_I64},
    {EMBERI_F32, 2, EMBERI_OP_LOAD_I32},
    {EMBERI_F64, 3, EMBERI_OP_LOAD_I64},
    {EMBERI_I32, 0, EMBERI_OP_LOAD_I32_8S},
    {EMBERI_I32, 0, EMBERI_OP_LOAD_I32_8U},
    {EMBERI_I32, 1, EMBERI_OP_LOAD_I32_16S},
    {EMBERI_I32, 1, EMBERI_OP_LOAD_I32_16U},
    {EMBERI_I64, 0, EMBERI_OP_LOAD_I64_8S},
    {EMBERI_I64, 0, EMBERI_OP_LOAD_I64_8U},
    {EMBERI_I64, 1, EMBERI_OP_LOAD_I64_16S},
    {EMBERI_I64, 1, EMBERI_OP_LOAD_I64_16U},
    {EMBERI_I64, 2, EMBERI_OP_LOAD_I64_32S},
    {EMBERI_I64, 2, EMBERI_OP_LOAD_I64_32U},
    /* 0x36: stores */
    {EMBERI_I32, 2, EMBERI_OP_STORE_32},
    {EMBERI_I64, 3, EMBERI_OP_STORE_64},
    {EMBERI_F32, 2, EMBERI_OP_STORE_32},
    {EMBERI_F64, 3, EMBERI_OP_STORE_64},
    {EMBERI_I32, 0, EMBERI_OP_STORE_8},
    {EMBERI_I32, 1, EMBERI_OP_STORE_16},
    {EMBERI_I64, 0, EMBERI_OP_STORE_8},
    {EMBERI_I64, 1, EMBERI_OP_STORE_16},
    {EMBERI_I64, 2, EMBERI_OP_STORE_32},
};
_Static_assert(sizeof(memory_rows) / sizeof(memory_rows[0]) == 0x3e - 0x28 + 1, "one for each opcode");

enum { MEMORY_WIDE = 1, MEMORY_INDEX = 2 }; /* the forms of an instruction, behind the plain one */

static uint32_t memory_offset(emberi_translator *t, const memory_row *row)
{
    uint32_t align = emberi_wasm_u32(&t->c.r), offset = emberi_wasm_u32(&t->c.r);
    if (align > row->size_log2)
        emberi_translate_fail(t, EMBER_E_MALFORMED, "a memory access of it is aligned to more than its size");
    return offset;
}

/* A sum that was computed just before, as the two registers and the shift of the second one. */
static bool memory_sum(emberi_translator *t, const emberi_entry *address, uint32_t at, emberi_word *sum,
                       int32_t *shift)
{
    if (!emberi_is_last(t, address, at))
        return false;
    *sum = *emberi_emitted(t, t->last);
    bool plain = sum->i.op == EMBERI_OP_I32_ADD_RR;
    if (!plain && (sum->i.op < EMBERI_OP_SHIFT_ADD_1 || sum->i.op > EMBERI_OP_SHIFT_ADD_3))
        return false;
    *shift = plain ? 0 : sum->i.op - EMBERI_OP_SHIFT_ADD_1 + 1;
    return true;
}

/* `a`: the register that is loaded or stored. The address was popped from `at`. */
static void memory_access(emberi_translator *t, uint16_t op, uint32_t a, const emberi_entry *address,
                          uint32_t at, uint32_t offset)
{
    if (!address->is_constant && address->add != 0) {
        (void)emberi_emit_long(t, op + MEMORY_WIDE, a, address->reg, 0, (int32_t)offset, address->add);
        return;
    }
    uint32_t b = emberi_register(t, address, at);
    if (offset <= UINT16_MAX)
        emberi_emit(t, op, a, b, offset);
    else
        (void)emberi_emit_long(t, op + MEMORY_WIDE, a, b, 0, (int32_t)offset, 0);
}

void emberi_translate_load(emberi_translator *t, uint8_t opcode)
{
    const memory_row *row = &memory_rows[opcode - 0x28];
    uint32_t          offset = memory_offset(t, row);
    emberi_entry      address = emberi_pop(t, EMBERI_I32);
    uint32_t          at = t->height, to = emberi_own(t, at);
    emberi_word       sum;
    int32_t           shift;
    if (memory_sum(t, &address, at, &sum, &shift)) {
        emberi_unemit(t);
        (void)emberi_emit_long(t, row->op + MEMORY_INDEX, to, sum.i.b, sum.i.c, (int32_t)offset, shift);
    } else {
        memory_access(t, row->op, to, &address, at, offset);
    }
    (void)emberi_push(t, row->type);
}

void emberi_translate_store(emberi_translator *t, uint8_t opcode)
{
    const memory_row *row = &memory_rows[opcode - 0x28];
    uint32_t          offset = memory_offset(t, row);
    emberi_entry      value = emberi_pop(t, row->type), address = emberi_pop(t, EMBERI_I32);
    uint32_t          at = t->height, ready = emberi_ready(t, &value);
    emberi_word       sum;
    int32_t           shift;
    if (ready != EMBERI_NOWHERE && memory_sum(t, &address, at, &sum, &shift)) {
        emberi_unemit(t);
        (void)emberi_emit_long(t, row->op + MEMORY_INDEX, ready, sum.i.b, sum.i.c, (int32_t)offset, shift);
    } else {
        uint32_t reg = emberi_register(t, &value, at + 1);
        memory_access(t, row->op, reg, &address, at, offset);
    }
    emberi_emit_label(t);
}

static void memory_three(emberi_translator *t, uint16_t op, int32_t segment)
{
    emberi_entry size = emberi_pop(t, EMBERI_I32), from = emberi_pop(t, EMBERI_I32),
                 to = emberi_pop(t, EMBERI_I32);
    uint32_t a = emberi_register(t, &to, t->height), b = emberi_register(t, &from, t->height + 1),
             c = emberi_register(t, &size, t->height + 2);
    (void)emberi_emit_long(t, op, a, b, c, segment, 0);
    emberi_emit_label(t);
}

void emberi_translate_bulk(emberi_translator *t, uint32_t opcode)
{
    emberi_reader *r = &t->c.r;
    uint32_t       first = emberi_wasm_u32(r);
    switch (opcode) {
    case 8: /* memory.init */
        (void)emberi_wasm_u32(r);
        memory_three(t, EMBERI_OP_MEMORY_INIT, (int32_t)first);
        break;
    case 9: /* data.drop */
        (void)emberi_emit_long(t, EMBERI_OP_DATA_DROP, 0, 0, 0, (int32_t)first, 0);
        emberi_emit_label(t);
        break;
    case 10: /* memory.copy */
        (void)emberi_wasm_u32(r);
        memory_three(t, EMBERI_OP_MEMORY_COPY, 0);
        break;
    case 11: /* memory.fill */
        memory_three(t, EMBERI_OP_MEMORY_FILL, 0);
        break;
    default: /* 16: table.size, which never changes */
        emberi_push_entry(t, (emberi_entry){.is_constant = true,
                                            .constant = t->program->table_size,
                                            .type = EMBERI_I32});
        break;
    }
}
