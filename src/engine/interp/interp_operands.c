/* SPDX-License-Identifier: MIT */
/* The operand stack at translation time: what type a value has and where it lies. Every operand that a body
   takes is checked against its type here. */
#include "engine/interp/interp_translate.h"

static const char *operands_name(uint8_t type)
{
    static const char *const names[] = {"f64", "f32", "i64", "i32"};
    return type >= EMBERI_F64 && type <= EMBERI_I32 ? names[type - EMBERI_F64] : "unknown";
}

static bool operands_in_local(const emberi_translator *t, const emberi_entry *entry)
{
    return !entry->is_constant && entry->reg < t->local_count;
}

void emberi_push_entry(emberi_translator *t, emberi_entry entry)
{
    if (t->height >= EMBERI_FRAME_SLOTS - t->stack_at) {
        emberi_translate_fail(t, EMBER_E_LIMIT, "it needs more than %d values at a time", EMBERI_FRAME_SLOTS);
        return;
    }
    if (t->dead) {
        entry.is_constant = false;
        entry.add = 0;
        entry.reg = (uint16_t)emberi_own(t, t->height);
    }
    if (operands_in_local(t, &entry))
        t->local_uses[entry.reg]++;
    else if (t->settled == t->height && entry.add == 0)
        t->settled++;
    t->stack[t->height++] = entry;
    if (t->height > t->highest)
        t->highest = t->height;
}

uint32_t emberi_push(emberi_translator *t, uint8_t type)
{
    uint32_t own = emberi_own(t, t->height);
    emberi_push_entry(t, (emberi_entry){.reg = (uint16_t)own, .type = type});
    return own;
}

emberi_entry emberi_pop(emberi_translator *t, uint8_t type)
{
    const emberi_label *label = &t->labels[t->label_count - 1];
    if (t->height == label->height) {
        if (!label->polymorphic)
            emberi_translate_fail(t, EMBER_E_MALFORMED, "it takes a value of type %s where there is none",
                                  operands_name(type));
        return (emberi_entry){.reg = (uint16_t)emberi_own(t, t->height), .type = EMBERI_ANY};
    }
    emberi_entry entry = t->stack[--t->height];
    if (operands_in_local(t, &entry))
        t->local_uses[entry.reg]--;
    if (t->settled > t->height)
        t->settled = t->height;
    if (type != EMBERI_ANY && entry.type != EMBERI_ANY && entry.type != type)
        emberi_translate_fail(t, EMBER_E_MALFORMED, "it takes a value of type %s for one of type %s",
                              operands_name(entry.type), operands_name(type));
    return entry;
}

/* The pool's slot of a constant, or NOWHERE. */
static uint32_t operands_pooled(emberi_translator *t, uint64_t constant)
{
    uint32_t i = 0;
    while (i < t->pool_count && t->pool[i] != constant)
        i++;
    if (i == t->pool_room)
        return EMBERI_NOWHERE;
    if (i == t->pool_count)
        t->pool[t->pool_count++] = constant;
    return t->pool_at + i;
}

uint32_t emberi_ready(emberi_translator *t, const emberi_entry *entry)
{
    if (t->dead)
        return t->stack_at;
    if (entry->is_constant)
        return operands_pooled(t, entry->constant);
    return entry->add == 0 ? entry->reg : EMBERI_NOWHERE;
}

uint32_t emberi_register(emberi_translator *t, const emberi_entry *entry, uint32_t at)
{
    uint32_t ready = emberi_ready(t, entry);
    if (ready != EMBERI_NOWHERE)
        return ready;
    emberi_emit_value(t, emberi_own(t, at), entry);
    return emberi_own(t, at);
}

bool emberi_is_last(const emberi_translator *t, const emberi_entry *entry, uint32_t at)
{
    return !t->dead && t->last != EMBERI_NOWHERE && !entry->is_constant && entry->add == 0 &&
           entry->reg == emberi_own(t, at) && t->program->code[t->last].i.a == entry->reg;
}

/* An entry of the stack into its own slot. */
static void operands_place(emberi_translator *t, uint32_t at)
{
    emberi_entry *entry = &t->stack[at];
    uint32_t      own = emberi_own(t, at);
    if (!entry->is_constant && entry->reg == own && entry->add == 0)
        return;
    emberi_emit_value(t, own, entry);
    if (operands_in_local(t, entry))
        t->local_uses[entry->reg]--;
    *entry = (emberi_entry){.reg = (uint16_t)own, .type = entry->type};
}

void emberi_settle(emberi_translator *t)
{
    for (uint32_t i = t->settled; i < t->height; i++)
        if (!t->stack[i].is_constant)
            operands_place(t, i);
    t->settled = t->height;
}

/* A long way down is gone once: then all are settled. */
void emberi_settle_local(emberi_translator *t, uint32_t local)
{
    for (uint32_t i = t->height; i > t->settled && t->local_uses[local] != 0; i--) {
        if (t->height - i > 64) {
            emberi_settle(t);
            return;
        }
        if (!t->stack[i - 1].is_constant && t->stack[i - 1].reg == local)
            operands_place(t, i - 1);
    }
}

void emberi_place_operands(emberi_translator *t, uint32_t count)
{
    uint32_t base = t->labels[t->label_count - 1].height;
    uint32_t first = t->height - base > count ? t->height - count : base;
    for (uint32_t i = first; i < t->height; i++)
        operands_place(t, i);
}

void emberi_pop_types(emberi_translator *t, const uint8_t *types, uint32_t count)
{
    for (uint32_t i = count; i > 0 && t->status == EMBER_OK; i--)
        (void)emberi_pop(t, types[i - 1]);
}

void emberi_push_types(emberi_translator *t, const uint8_t *types, uint32_t count)
{
    for (uint32_t i = 0; i < count && t->status == EMBER_OK; i++)
        (void)emberi_push(t, types[i]);
}

void emberi_peek_types(emberi_translator *t, const uint8_t *types, uint32_t count)
{
    const emberi_label *label = &t->labels[t->label_count - 1];
    uint32_t            there = t->height - label->height;
    if (there < count && !label->polymorphic) {
        emberi_translate_fail(t, EMBER_E_MALFORMED, "it takes %u values where there are %u", (unsigned)count,
                              (unsigned)there);
        return;
    }
    for (uint32_t i = 0; i < count && i < there; i++) {
        uint8_t type = t->stack[t->height - 1 - i].type, wanted = types[count - 1 - i];
        if (type != EMBERI_ANY && type != wanted)
            emberi_translate_fail(t, EMBER_E_MALFORMED, "it takes a value of type %s for one of type %s",
                                  operands_name(type), operands_name(wanted));
    }
}

void emberi_drop_to(emberi_translator *t, uint32_t height)
{
    while (t->height > height)
        if (operands_in_local(t, &t->stack[--t->height]))
            t->local_uses[t->stack[t->height].reg]--;
    if (t->settled > height)
        t->settled = height;
}
