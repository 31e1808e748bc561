/* SPDX-License-Identifier: MIT */
/* Blocks: what is open, of which types, and where their branches go. The check has proved that they are
   closed, and that a body does not nest them too deep. */
#include "engine/interp/interp_translate.h"

/* The types of a block: none, one value, or a signature. */
static void blocks_types(emberi_translator *t, emberi_label *label)
{
    const uint8_t *at = t->c.r.cursor;
    int64_t        type = emberi_wasm_s33(&t->c.r);
    if (type >= 0) {
        const emberi_signature *signature = &t->program->types[type];
        label->params = signature->params;
        label->param_count = signature->param_count;
        label->results = signature->results;
        label->result_count = signature->result_count;
    } else if (type != -64) {
        label->results = at;
        label->result_count = 1;
    }
}

static emberi_label *blocks_open(emberi_translator *t, emberi_label label)
{
    label.height = t->height;
    label.outer_dead = t->dead;
    label.cells = EMBERI_NOWHERE;
    label.else_word = EMBERI_NOWHERE;
    label.table = EMBERI_NOWHERE;
    t->labels[t->label_count] = label;
    return &t->labels[t->label_count++];
}

void emberi_translate_function_label(emberi_translator *t, const emberi_signature *type)
{
    t->label_count = 0;
    (void)blocks_open(t, (emberi_label){.kind = EMBERI_LABEL_FUNCTION,
                                        .results = type->results,
                                        .result_count = type->result_count});
}

static void blocks_begin(emberi_translator *t, emberi_label_kind kind)
{
    emberi_label label = {.kind = kind};
    emberi_entry condition = {.type = EMBERI_ANY};
    uint32_t     else_word = EMBERI_NOWHERE;
    blocks_types(t, &label);
    if (kind == EMBERI_LABEL_IF)
        condition = emberi_pop(t, EMBERI_I32);
    uint32_t at = t->height;
    /* The condition may be the last instruction, which the branch is to be joined with: so what is settled
       now, before it, must be nothing. */
    bool     joined = kind == EMBERI_LABEL_IF && t->settled == t->height && label.param_count == 0;
    if (joined)
        else_word = emberi_branch_if(t, &condition, at, false);
    emberi_entry kept = condition;
    if (kind == EMBERI_LABEL_IF && !joined) {
        /* Keep it where it is while others move: a variable does not change here. */
        emberi_push_entry(t, kept);
        emberi_place_operands(t, 1);
        kept = emberi_pop(t, EMBERI_I32);
    }
    emberi_settle(t);
    emberi_place_operands(t, label.param_count);
    if (kind == EMBERI_LABEL_IF && !joined)
        else_word = emberi_branch_if(t, &kept, at, false);
    emberi_pop_types(t, label.params, label.param_count);
    emberi_label *open = blocks_open(t, label);
    open->else_word = else_word;
    if (kind == EMBERI_LABEL_LOOP) {
        emberi_emit_label(t);
        open->start = t->program->code_count;
    }
    emberi_push_types(t, label.params, label.param_count);
}

/* What is on the stack are the block's results, and nothing else. */
static void blocks_results(emberi_translator *t, const emberi_label *label)
{
    emberi_peek_types(t, label->results, label->result_count);
    if (t->status == EMBER_OK && t->height - label->height > label->result_count)
        emberi_translate_fail(t, EMBER_E_MALFORMED, "a block of it leaves %u values, not %u",
                              (unsigned)(t->height - label->height), (unsigned)label->result_count);
}

static void blocks_else(emberi_translator *t)
{
    emberi_label *label = &t->labels[t->label_count - 1];
    blocks_results(t, label);
    if (t->status != EMBER_OK)
        return;
    if (!t->dead) {
        emberi_place_operands(t, label->result_count);
        emberi_branch_to(t, emberi_emit_branch(t, EMBERI_OP_BR, 0, 0), label);
    }
    t->dead = label->outer_dead;
    if (label->else_word != EMBERI_NOWHERE)
        t->program->code[label->else_word].d.x = (int32_t)(t->program->code_count - label->else_word);
    label->else_word = EMBERI_NOWHERE;
    label->kind = EMBERI_LABEL_ELSE;
    label->polymorphic = false;
    emberi_emit_label(t);
    emberi_drop_to(t, label->height);
    emberi_push_types(t, label->params, label->param_count);
}

static bool blocks_same_types(const emberi_label *label)
{
    bool same = label->param_count == label->result_count;
    for (uint32_t i = 0; same && i < label->param_count; i++)
        same = label->params[i] == label->results[i];
    return same;
}

/* An if without an else: its parameters are its results, and lie in their slots. */
static void blocks_missing_else(emberi_translator *t, emberi_label *label)
{
    if (!blocks_same_types(label)) {
        emberi_translate_fail(t, EMBER_E_MALFORMED, "an if of it has results and no else");
        return;
    }
    if (!t->dead)
        emberi_place_operands(t, label->result_count);
    if (label->else_word == EMBERI_NOWHERE)
        return;
    t->dead = false;
    t->program->code[label->else_word].d.x = (int32_t)(t->program->code_count - label->else_word);
    label->reached = true;
}

static void blocks_end(emberi_translator *t)
{
    emberi_label *label = &t->labels[t->label_count - 1];
    blocks_results(t, label);
    if (t->status != EMBER_OK)
        return;
    if (label->kind == EMBERI_LABEL_FUNCTION) {
        emberi_translate_return(t);
        t->label_count = 0;
        return;
    }
    if (label->kind == EMBERI_LABEL_IF)
        blocks_missing_else(t, label);
    bool was_dead = t->dead;
    if (label->reached && !was_dead)
        emberi_place_operands(t, label->result_count);
    if (label->reached) {
        emberi_branches_land(t, label);
        emberi_emit_label(t);
        t->dead = label->outer_dead;
    }
    /* Nothing branches here: the values stay where they are. */
    if (label->reached || was_dead) {
        emberi_drop_to(t, label->height);
        t->label_count--;
        emberi_push_types(t, label->results, label->result_count);
    } else {
        t->label_count--;
    }
}

void emberi_translate_block(emberi_translator *t, uint8_t opcode)
{
    switch (opcode) {
    case 0x00:
        emberi_emit(t, EMBERI_OP_UNREACHABLE, 0, 0, 0);
        emberi_dead_end(t);
        break;
    case 0x02:
    case 0x03:
    case 0x04:
        blocks_begin(t, (emberi_label_kind)(EMBERI_LABEL_BLOCK + (opcode - 0x02)));
        break;
    case 0x05:
        blocks_else(t);
        break;
    case 0x0b:
        blocks_end(t);
        break;
    case 0x0c:
        emberi_translate_br(t);
        break;
    case 0x0d:
        emberi_translate_br_if(t);
        break;
    case 0x0e:
        emberi_translate_br_table(t);
        break;
    default: /* 0x0f */
        emberi_translate_return(t);
        emberi_dead_end(t);
        break;
    }
}
