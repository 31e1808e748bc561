/* SPDX-License-Identifier: MIT */
/* Branches: conditions joined with the comparison before them, values carried to where the label expects
   them, and offsets that are filled in when the end of a block is reached. */
#include "engine/interp/interp_translate.h"

void emberi_dead_end(emberi_translator *t)
{
    emberi_label *label = &t->labels[t->label_count - 1];
    emberi_drop_to(t, label->height);
    label->polymorphic = true;
    t->dead = true;
    emberi_emit_label(t);
}

/* ---- offsets ---- */

static int32_t *branches_cell(emberi_translator *t, uint32_t cell)
{
    emberi_word *word = &t->program->code[cell / 2];
    return cell % 2 == 0 ? &word->d.x : &word->d.y;
}

static void branches_cell_to(emberi_translator *t, uint32_t cell, emberi_label *label)
{
    if (label->kind == EMBERI_LABEL_LOOP) {
        *branches_cell(t, cell) = (int32_t)label->start - (int32_t)(cell / 2);
        return;
    }
    *branches_cell(t, cell) = (int32_t)label->cells;
    label->cells = cell;
    label->reached = true;
}

void emberi_branch_to(emberi_translator *t, uint32_t word, emberi_label *label)
{
    if (word != EMBERI_NOWHERE)
        branches_cell_to(t, word * 2, label);
}

void emberi_branches_land(emberi_translator *t, emberi_label *label)
{
    while (label->cells != EMBERI_NOWHERE) {
        int32_t *cell = branches_cell(t, label->cells);
        uint32_t next = (uint32_t)*cell;
        *cell = (int32_t)(t->program->code_count - label->cells / 2);
        label->cells = next;
    }
}

/* ---- conditions ---- */

/* The branch of a comparison, or of its opposite; 0xffff if it is none. */
static uint16_t branches_of_compare(uint16_t op, bool when)
{
    static const uint16_t held[] = {0, 1, 2, 4}, not_held[] = {1, 0, 3, 5}; /* EQ, NE, LT, LE */
    if (op < EMBERI_BRANCH_OF)
        return (uint16_t)((when ? op : op ^ 1u) + EMBERI_BRANCH_OF);
    for (int wide = 0; wide < 2; wide++) {
        unsigned from = wide ? EMBERI_OP_F64_EQ : EMBERI_OP_F32_EQ,
                 to = wide ? EMBERI_OP_BR_F64_EQ : EMBERI_OP_BR_F32_EQ;
        if (op >= from && op < from + 4)
            return (uint16_t)(to + (when ? held : not_held)[op - from]);
    }
    return UINT16_MAX;
}

/* A branch on a comparison, joined with the addition of a number to its first operand, if that came just
   before. Of two operands the second must be another. */
static uint32_t branches_emit_compare(emberi_translator *t, uint16_t op, uint32_t b, uint32_t c)
{
    bool     of_i32 = op >= EMBERI_OP_BR_I32_EQ_RR && op <= EMBERI_OP_BR_I32_LE_U_RI;
    bool     number = op >= EMBERI_OP_BR_I32_EQ_RI;
    uint32_t word;
    if (of_i32 && t->last != EMBERI_NOWHERE) {
        emberi_word add = *emberi_emitted(t, t->last);
        if (add.i.op == EMBERI_OP_I32_ADD_RI && add.i.a == b && (number || c != b)) {
            emberi_unemit(t);
            word = emberi_emit_long(t, (uint16_t)(op + EMBERI_STEP_OF), b, add.i.b, add.i.c, 0,
                                    number ? (int16_t)(uint16_t)c : (int32_t)c);
            emberi_emit_label(t);
            return word;
        }
    }
    return emberi_emit_branch(t, op, b, c);
}

uint32_t emberi_branch_if(emberi_translator *t, const emberi_entry *entry, uint32_t at, bool when)
{
    if (t->dead)
        return EMBERI_NOWHERE;
    if (emberi_is_last(t, entry, at)) {
        emberi_word compare = *emberi_emitted(t, t->last);
        uint16_t    op = branches_of_compare(compare.i.op, when);
        /* A float's comparison, and then eqz of it. */
        if (compare.i.op == EMBERI_OP_I32_EQ_RI && compare.i.c == 0 && t->before != EMBERI_NOWHERE) {
            emberi_word inner = *emberi_emitted(t, t->before);
            uint16_t    opposite = branches_of_compare(inner.i.op, !when);
            if (inner.i.a == compare.i.b && inner.i.a == entry->reg && opposite != UINT16_MAX) {
                emberi_unemit(t);
                compare = inner;
                op = opposite;
            }
        }
        if (op != UINT16_MAX) {
            emberi_unemit(t);
            return branches_emit_compare(t, op, compare.i.b, compare.i.c);
        }
    }
    return branches_emit_compare(t, when ? EMBERI_OP_BR_I32_NE_RI : EMBERI_OP_BR_I32_EQ_RI,
                                 emberi_register(t, entry, at), 0);
}

/* ---- values ---- */

static uint32_t branches_count(const emberi_label *label)
{
    return label->kind == EMBERI_LABEL_LOOP ? label->param_count : label->result_count;
}

static const uint8_t *branches_types(const emberi_label *label)
{
    return label->kind == EMBERI_LABEL_LOOP ? label->params : label->results;
}

/* Whether the topmost entries lie elsewhere than the label expects them. */
static bool branches_carry(const emberi_translator *t, const emberi_label *label)
{
    uint32_t count = branches_count(label);
    if (label->kind == EMBERI_LABEL_FUNCTION)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        const emberi_entry *entry = &t->stack[t->height - count + i];
        if (entry->is_constant || entry->add != 0 || entry->reg != emberi_own(t, label->height + i))
            return true;
    }
    return false;
}

/* Results in the frame's first slots. Variables lie there, too: so two and more go over their own slots. */
static void branches_emit_return(emberi_translator *t, const emberi_label *label)
{
    uint32_t count = label->result_count, first = t->height - count;
    if (count == 1) {
        const emberi_entry *entry = &t->stack[first];
        emberi_emit(t, emberi_is_wide(entry->type) ? EMBERI_OP_RETURN_64 : EMBERI_OP_RETURN_32, 0,
                    emberi_register(t, entry, first), 0);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const emberi_entry *entry = &t->stack[first + i];
        uint32_t            own = emberi_own(t, first + i);
        if (entry->is_constant || entry->reg != own || entry->add != 0)
            emberi_emit_value(t, own, entry);
    }
    for (uint32_t i = 0; i < count; i++)
        emberi_emit_move(t, i, emberi_own(t, first + i), t->stack[first + i].type);
    emberi_emit(t, EMBERI_OP_RETURN, 0, 0, 0);
}

/* The values, in ascending order: none lies below its target, but in variables, which are no targets. The
   entries stay as they are, for code that goes on behind a condition. */
static void branches_emit(emberi_translator *t, emberi_label *label)
{
    uint32_t count = branches_count(label);
    if (t->dead)
        return;
    if (label->kind == EMBERI_LABEL_FUNCTION) {
        branches_emit_return(t, label);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const emberi_entry *entry = &t->stack[t->height - count + i];
        uint32_t            to = emberi_own(t, label->height + i);
        if (entry->is_constant || entry->reg != to || entry->add != 0)
            emberi_emit_value(t, to, entry);
    }
    emberi_branch_to(t, emberi_emit_branch(t, EMBERI_OP_BR, 0, 0), label);
}

/* ---- instructions ---- */

static emberi_label *branches_label(emberi_translator *t)
{
    return &t->labels[t->label_count - 1 - emberi_wasm_u32(&t->c.r)];
}

void emberi_translate_br(emberi_translator *t)
{
    emberi_label *label = branches_label(t);
    emberi_peek_types(t, branches_types(label), branches_count(label));
    if (t->status != EMBER_OK)
        return;
    branches_emit(t, label);
    emberi_dead_end(t);
}

void emberi_translate_return(emberi_translator *t)
{
    emberi_label *label = &t->labels[0];
    emberi_peek_types(t, label->results, label->result_count);
    if (t->status == EMBER_OK)
        branches_emit(t, label);
}

void emberi_translate_br_if(emberi_translator *t)
{
    emberi_label *label = branches_label(t);
    uint32_t      count = branches_count(label);
    emberi_entry  condition = emberi_pop(t, EMBERI_I32);
    uint32_t      at = t->height;
    emberi_peek_types(t, branches_types(label), count);
    if (t->status != EMBER_OK)
        return;
    if (t->labels[t->label_count - 1].polymorphic) { /* now they have these types */
        emberi_pop_types(t, branches_types(label), count);
        emberi_push_types(t, branches_types(label), count);
        return;
    }
    if (t->dead)
        return;
    if (!branches_carry(t, label)) {
        emberi_branch_to(t, emberi_branch_if(t, &condition, at, true), label);
        return;
    }
    uint32_t over = emberi_branch_if(t, &condition, at, false);
    branches_emit(t, label);
    if (over != EMBERI_NOWHERE)
        t->program->code[over].d.x = (int32_t)(t->program->code_count - over);
    emberi_emit_label(t);
}

/* A br_table meets a label for the first time: the types are checked, and where values have to be carried, a
   stub is written that does so. Once for each label, so that many entries cost no more than they are. */
static void branches_table_meet(emberi_translator *t, emberi_label *label, uint32_t table)
{
    emberi_peek_types(t, branches_types(label), branches_count(label));
    label->table = table;
    label->stub = EMBERI_NOWHERE;
    if (t->dead || t->status != EMBER_OK || !branches_carry(t, label))
        return;
    label->stub = t->program->code_count;
    emberi_emit_label(t);
    branches_emit(t, label);
}

void emberi_translate_br_table(emberi_translator *t)
{
    emberi_entry index = emberi_pop(t, EMBERI_I32);
    uint32_t     count = emberi_wasm_u32(&t->c.r), at = t->height;
    uint32_t     reg = emberi_register(t, &index, at);
    uint32_t     table = emberi_emit_long(t, EMBERI_OP_BR_TABLE, 0, reg, 0, (int32_t)count, 0);
    uint32_t     cells = emberi_emit_space(t, count / 2 + 1), arity = UINT32_MAX;
    for (uint32_t i = 0; i <= count && t->status == EMBER_OK; i++) {
        emberi_label *label = branches_label(t);
        if (arity != UINT32_MAX && branches_count(label) != arity)
            emberi_translate_fail(t, EMBER_E_MALFORMED, "a branch table of it leads to unlike labels");
        else if (t->dead || label->table != table)
            branches_table_meet(t, label, table);
        arity = branches_count(label);
        if (t->dead || t->status != EMBER_OK)
            continue;
        if (label->stub == EMBERI_NOWHERE)
            branches_cell_to(t, cells * 2 + i, label);
        else
            *branches_cell(t, cells * 2 + i) = (int32_t)(label->stub - (cells + i / 2));
    }
    if (t->status == EMBER_OK)
        emberi_dead_end(t);
}
