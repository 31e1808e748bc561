/* SPDX-License-Identifier: MIT */
/* The translation of all functions, one pass over each body. The check has proved that the bytes are whole
   and that every index is in range; types are proved here, and a body that breaks a rule of the specification
   is refused. */
#include "engine/interp/interp_translate.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/fail.h"

void emberi_translate_fail(emberi_translator *t, ember_status status, const char *format, ...)
{
    uint64_t offset = emberi_reader_offset(&t->c.r);
    char     text[160];
    va_list  arguments;
    if (t->status != EMBER_OK)
        return;
    t->status = status;
    if (status == EMBER_E_NOMEM) {
        emberi_fail_memory(t->c.err);
        return;
    }
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    emberi_failf(t->c.err, status, offset, "function %u of the module is not valid: %s",
                 (unsigned)t->function, text);
}

/* ---- variables ---- */

/* The value goes into the variable; whatever was to be taken from it later is taken first. True if the last
   instruction writes it there itself. */
static void translate_set(emberi_translator *t, uint32_t local, const emberi_entry *value, uint32_t at)
{
    emberi_settle_local(t, local);
    if (t->dead || (!value->is_constant && value->reg == local && value->add == 0))
        return;
    if (emberi_is_last(t, value, at))
        emberi_emitted(t, t->last)->i.a = (uint16_t)local;
    else
        emberi_emit_value(t, local, value);
}

static void translate_local(emberi_translator *t, uint8_t opcode)
{
    uint32_t local = emberi_wasm_u32(&t->c.r);
    uint8_t  type = t->local_types[local];
    if (opcode == 0x20) {
        emberi_push_entry(t, (emberi_entry){.reg = (uint16_t)local, .type = type});
        return;
    }
    emberi_entry value = emberi_pop(t, type);
    translate_set(t, local, &value, t->height);
    if (opcode == 0x22) {
        if (value.is_constant)
            emberi_push_entry(t, value);
        else
            emberi_push_entry(t, (emberi_entry){.reg = (uint16_t)local, .type = type});
    }
}

static void translate_global(emberi_translator *t, uint8_t opcode)
{
    uint32_t global = emberi_wasm_u32(&t->c.r);
    uint8_t  type = t->program->global_types[global];
    if (opcode == 0x23) {
        emberi_emit(t, EMBERI_OP_GLOBAL_GET, emberi_push(t, type), global, 0);
        return;
    }
    if (!t->program->global_variable[global])
        emberi_translate_fail(t, EMBER_E_MALFORMED, "it changes a global that is constant");
    emberi_entry value = emberi_pop(t, type);
    emberi_emit_effect(t, emberi_is_wide(type) ? EMBERI_OP_GLOBAL_SET_64 : EMBERI_OP_GLOBAL_SET_32, 0,
                       emberi_register(t, &value, t->height), global);
}

/* ---- calls ---- */

static void translate_results(emberi_translator *t, const emberi_signature *type)
{
    emberi_emit_label(t);
    emberi_push_types(t, type->results, type->result_count);
}

static void translate_call(emberi_translator *t)
{
    uint32_t                callee = emberi_wasm_u32(&t->c.r);
    const emberi_function  *function = &t->program->functions[callee];
    const emberi_signature *type = &t->program->types[function->type];
    emberi_place_operands(t, type->param_count);
    emberi_pop_types(t, type->params, type->param_count);
    (void)emberi_emit_long(t, function->host != NULL ? EMBERI_OP_CALL_HOST : EMBERI_OP_CALL,
                           emberi_own(t, t->height), 0, 0, (int32_t)callee, 0);
    translate_results(t, type);
}

static void translate_call_indirect(emberi_translator *t)
{
    const emberi_signature *type = &t->program->types[emberi_wasm_u32(&t->c.r)];
    (void)emberi_wasm_u32(&t->c.r); /* the table */
    emberi_entry index = emberi_pop(t, EMBERI_I32);
    uint32_t     b = emberi_register(t, &index, t->height);
    /* The arguments' own slots lie below the index's. */
    emberi_place_operands(t, type->param_count);
    emberi_pop_types(t, type->params, type->param_count);
    (void)emberi_emit_long(t, EMBERI_OP_CALL_INDIRECT, emberi_own(t, t->height), b, 0, type->same, 0);
    translate_results(t, type);
}

/* ---- the rest ---- */

static void translate_select(emberi_translator *t, uint8_t opcode)
{
    uint8_t type = EMBERI_ANY;
    if (opcode == 0x1c) {
        (void)emberi_wasm_u32(&t->c.r); /* 1 */
        type = emberi_reader_u8(&t->c.r);
    }
    emberi_entry condition = emberi_pop(t, EMBERI_I32), y = emberi_pop(t, type),
                 x = emberi_pop(t, type == EMBERI_ANY ? y.type : type);
    uint32_t at = t->height;
    uint8_t  result = x.type != EMBERI_ANY ? x.type : y.type;
    if (type != EMBERI_ANY)
        result = type;
    uint32_t b = emberi_register(t, &x, at), c = emberi_register(t, &y, at + 1),
             test = emberi_register(t, &condition, at + 2);
    uint32_t to = emberi_push(t, result);
    (void)emberi_emit_long(t, emberi_is_wide(result) ? EMBERI_OP_SELECT_64 : EMBERI_OP_SELECT_32, to, b, c,
                           (int32_t)test, 0);
}

static void translate_grow(emberi_translator *t)
{
    (void)emberi_wasm_u32(&t->c.r);
    emberi_entry pages = emberi_pop(t, EMBERI_I32);
    uint32_t     reg = emberi_register(t, &pages, t->height);
    emberi_emit(t, EMBERI_OP_MEMORY_GROW, emberi_push(t, EMBERI_I32), reg, 0);
}

static void translate_constant(emberi_translator *t, uint8_t opcode)
{
    emberi_entry entry = {.is_constant = true, .type = (uint8_t)(EMBERI_I32 - (opcode - 0x41))};
    switch (opcode) {
    case 0x41:
        entry.constant = (uint32_t)emberi_wasm_s32(&t->c.r);
        break;
    case 0x42:
        entry.constant = (uint64_t)emberi_wasm_s64(&t->c.r);
        break;
    case 0x43:
        entry.constant = emberi_reader_u32(&t->c.r);
        break;
    default:
        entry.constant = emberi_reader_u32(&t->c.r);
        entry.constant |= (uint64_t)emberi_reader_u32(&t->c.r) << 32;
        break;
    }
    emberi_push_entry(t, entry);
}

static void translate_other(emberi_translator *t, uint8_t opcode)
{
    switch (opcode) {
    case 0x01:
        break;
    case 0x10:
        translate_call(t);
        break;
    case 0x11:
        translate_call_indirect(t);
        break;
    case 0x1a:
        (void)emberi_pop(t, EMBERI_ANY);
        break;
    case 0x1b:
    case 0x1c:
        translate_select(t, opcode);
        break;
    case 0x3f:
        (void)emberi_wasm_u32(&t->c.r);
        emberi_emit(t, EMBERI_OP_MEMORY_SIZE, emberi_push(t, EMBERI_I32), 0, 0);
        break;
    case 0x40:
        translate_grow(t);
        break;
    default: { /* 0xfc */
        uint32_t more = emberi_wasm_u32(&t->c.r);
        if (more < 8)
            emberi_translate_saturating(t, more);
        else
            emberi_translate_bulk(t, more);
    }
    }
}

static void translate_instruction(emberi_translator *t)
{
    uint8_t opcode = emberi_reader_u8(&t->c.r);
    if (opcode >= 0x45 && opcode <= 0xc4)
        emberi_translate_number(t, opcode);
    else if (opcode >= 0x28 && opcode <= 0x35)
        emberi_translate_load(t, opcode);
    else if (opcode >= 0x36 && opcode <= 0x3e)
        emberi_translate_store(t, opcode);
    else if (opcode >= 0x20 && opcode <= 0x22)
        translate_local(t, opcode);
    else if (opcode >= 0x41 && opcode <= 0x44)
        translate_constant(t, opcode);
    else if (opcode == 0x23 || opcode == 0x24)
        translate_global(t, opcode);
    else if (opcode <= 0x0f && opcode != 0x01)
        emberi_translate_block(t, opcode);
    else
        translate_other(t, opcode);
}

/* ---- functions ---- */

static void translate_locals(emberi_translator *t, const emberi_signature *type)
{
    t->local_count = 0;
    for (uint32_t i = 0; i < type->param_count; i++)
        t->local_types[t->local_count++] = type->params[i];
    for (uint32_t groups = emberi_wasm_u32(&t->c.r); groups > 0; groups--) {
        uint32_t count = emberi_wasm_u32(&t->c.r);
        uint8_t  value = emberi_reader_u8(&t->c.r);
        for (; count > 0; count--)
            t->local_types[t->local_count++] = value;
    }
    for (uint32_t i = 0; i < t->local_count; i++)
        t->local_uses[i] = 0;
}

/* Behind the variables: as many constants as a body of that size may have, so that small functions have small
   frames; then the operands. */
static void translate_frame(emberi_translator *t, size_t body_size)
{
    t->pool_at = t->local_count;
    t->pool_room = body_size / 8 < EMBERI_POOL ? (uint32_t)(body_size / 8) : EMBERI_POOL;
    t->pool_count = 0;
    t->stack_at = t->pool_at + t->pool_room;
    t->height = t->highest = t->settled = 0;
    t->dead = false;
    emberi_emit_label(t);
}

static bool translate_keep_constants(emberi_translator *t)
{
    emberi_program *p = t->program;
    if (p->constant_room - p->constant_count < t->pool_count) {
        uint32_t     room = p->constant_room * 2 + EMBERI_POOL;
        emberi_slot *constants =
            p->allocator.resize(p->allocator.user, p->constants, p->constant_room * sizeof(*constants),
                                room * sizeof(*constants));
        if (constants == NULL)
            return false;
        p->constants = constants;
        p->constant_room = room;
    }
    for (uint32_t i = 0; i < t->pool_count; i++)
        p->constants[p->constant_count++].u64 = t->pool[i];
    return true;
}

static void translate_function(emberi_translator *t, uint32_t index, uint32_t body_size)
{
    emberi_program         *p = t->program;
    emberi_function        *function = &p->functions[index];
    const emberi_signature *type = &p->types[function->type];
    t->function = index;
    translate_locals(t, type);
    translate_frame(t, body_size);
    emberi_translate_function_label(t, type);
    while (t->status == EMBER_OK && t->label_count != 0)
        translate_instruction(t);
    if (t->status != EMBER_OK)
        return;
    function->params = type->param_count;
    function->zeros = (uint16_t)(t->local_count - type->param_count);
    function->constant_count = (uint16_t)t->pool_count;
    uint32_t frame = t->stack_at + t->highest;
    function->frame = (uint16_t)frame;
    p->largest_frame = frame > p->largest_frame ? frame : p->largest_frame;
    if (!translate_keep_constants(t))
        emberi_translate_fail(t, EMBER_E_NOMEM, "out of memory");
}

/* Numbers of words and constants become pointers once all is there. Code begins at word 1: 0 stands
   for the host. */
static void translate_link(emberi_program *p, const uint32_t *starts, uint32_t import_count)
{
    uint32_t constants = 0;
    for (uint32_t i = import_count; i < p->function_count; i++) {
        p->functions[i].code = p->code + starts[i];
        p->functions[i].constants = p->functions[i].constant_count != 0 ? p->constants + constants : NULL;
        constants += p->functions[i].constant_count;
    }
}

static void translate_all(emberi_translator *t, const emberi_wasm_module *module, uint32_t *starts)
{
    const struct emberi_wasm_span *span = &module->sections[EMBERI_WASM_CODE_SECTION];
    t->c.r = emberi_reader_init(module->wasm, span->end);
    (void)emberi_reader_take(&t->c.r, span->start);
    if (span->end != 0)
        (void)emberi_wasm_u32(&t->c.r);
    for (uint32_t i = module->import_count; i < module->function_count && t->status == EMBER_OK; i++) {
        uint32_t size = emberi_wasm_u32(&t->c.r);
        starts[i] = t->program->code_count;
        translate_function(t, i, size);
    }
}

ember_status emberi_program_translate(emberi_program *program, const emberi_wasm_module *module,
                                      ember_error *err)
{
    ember_allocator    allocator = program->allocator;
    size_t             starts_size = (module->function_count + 1u) * sizeof(uint32_t);
    emberi_translator *t = allocator.resize(allocator.user, NULL, 0, sizeof(*t));
    uint32_t          *starts = allocator.resize(allocator.user, NULL, 0, starts_size);
    ember_status       status = EMBER_OK;
    if (t == NULL || starts == NULL) {
        status = emberi_fail_memory(err);
    } else {
        t->program = program;
        t->c = (emberi_wasm_checker){.err = err};
        t->status = EMBER_OK;
        translate_all(t, module, starts);
        status = t->status;
    }
    if (status == EMBER_OK)
        translate_link(program, starts, module->import_count);
    if (starts != NULL)
        allocator.resize(allocator.user, starts, starts_size, 0);
    if (t != NULL)
        allocator.resize(allocator.user, t, sizeof(*t), 0);
    return status;
}
