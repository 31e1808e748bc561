/* SPDX-License-Identifier: MIT */
/* The code that the translator writes, word by word. Where memory ends, nothing more is written and the
   translation fails. */
#include "base/check.h"
#include "base/fail.h"
#include "engine/interp/interp_translate.h"

#define EMIT_MAX_WORDS (1u << 26)

static emberi_word emit_sink;

static bool emit_room(emberi_translator *t, uint32_t count)
{
    emberi_program *p = t->program;
    if (p->code_room - p->code_count >= count)
        return true;
    size_t room = (size_t)p->code_room * 2 + count;
    if (room > EMIT_MAX_WORDS) {
        emberi_translate_fail(t, EMBER_E_LIMIT, "its translation is too large");
        return false;
    }
    emberi_word *code =
        p->allocator.resize(p->allocator.user, p->code, p->code_room * sizeof(*code), room * sizeof(*code));
    if (code == NULL) {
        emberi_translate_fail(t, EMBER_E_NOMEM, "out of memory");
        return false;
    }
    p->code = code;
    p->code_room = (uint32_t)room;
    return true;
}

static void emit_word(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c)
{
    emberi_program *p = t->program;
    p->code[p->code_count].i.op = op;
    p->code[p->code_count].i.a = (uint16_t)a;
    p->code[p->code_count].i.b = (uint16_t)b;
    p->code[p->code_count].i.c = (uint16_t)c;
    t->before = t->last;
    t->last = p->code_count++;
}

void emberi_emit(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c)
{
    if (!t->dead && emit_room(t, 1))
        emit_word(t, op, a, b, c);
}

uint32_t emberi_emit_long(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c, int32_t x,
                          int32_t y)
{
    if (t->dead || !emit_room(t, 2))
        return EMBERI_NOWHERE;
    emit_word(t, op, a, b, c);
    emberi_program *p = t->program;
    p->code[p->code_count].d.x = x;
    p->code[p->code_count].d.y = y;
    return p->code_count++;
}

uint32_t emberi_emit_branch(emberi_translator *t, uint16_t op, uint32_t b, uint32_t c)
{
    uint32_t word = emberi_emit_long(t, op, 0, b, c, 0, 0);
    emberi_emit_label(t);
    return word;
}

void emberi_emit_effect(emberi_translator *t, uint16_t op, uint32_t a, uint32_t b, uint32_t c)
{
    emberi_emit(t, op, a, b, c);
    emberi_emit_label(t);
}

uint32_t emberi_emit_space(emberi_translator *t, uint32_t count)
{
    if (t->dead || !emit_room(t, count))
        return EMBERI_NOWHERE;
    uint32_t at = t->program->code_count;
    for (uint32_t i = 0; i < count; i++)
        t->program->code[at + i].all = 0;
    t->program->code_count += count;
    return at;
}

emberi_word *emberi_emitted(emberi_translator *t, uint32_t at)
{
    return at != EMBERI_NOWHERE ? &t->program->code[at] : &emit_sink;
}

void emberi_unemit(emberi_translator *t)
{
    if (t->dead)
        return;
    EMBERI_ASSERT(t->last != EMBERI_NOWHERE);
    t->program->code_count = t->last;
    t->last = t->before;
    t->before = EMBERI_NOWHERE;
}

void emberi_emit_label(emberi_translator *t)
{
    t->last = EMBERI_NOWHERE;
    t->before = EMBERI_NOWHERE;
}

void emberi_emit_move(emberi_translator *t, uint32_t to, uint32_t from, uint8_t type)
{
    if (to != from)
        emberi_emit(t, emberi_is_wide(type) ? EMBERI_OP_MOVE_64 : EMBERI_OP_MOVE_32, to, from, 0);
}

void emberi_emit_value(emberi_translator *t, uint32_t to, const emberi_entry *entry)
{
    uint32_t ready = emberi_ready(t, entry);
    if (entry->is_constant && entry->type == EMBERI_I32 && emberi_fits_16(entry->constant, EMBERI_I32))
        emberi_emit(t, EMBERI_OP_CONST_16, to, 0, (uint16_t)entry->constant);
    else if (ready != EMBERI_NOWHERE)
        emberi_emit_move(t, to, ready, entry->type);
    else if (entry->is_constant)
        (void)emberi_emit_long(t, EMBERI_OP_CONST, to, 0, 0, (int32_t)(uint32_t)entry->constant,
                               (int32_t)(uint32_t)(entry->constant >> 32));
    else
        emberi_emit(t, EMBERI_OP_I32_ADD_RI, to, entry->reg, (uint16_t)entry->add);
}
