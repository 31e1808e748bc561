/* SPDX-License-Identifier: MIT */
/* The check of a module's code: every instruction is known, its numbers are in range, blocks are closed, and
   nothing is used that the console does not run. */

#include "engine/check/module_check.h"

/* One function. */
typedef struct code_body {
    emberi_wasm_checker *c;
    uint32_t             function; /* index, for messages */
    uint32_t             local_count;
    uint32_t             nesting; /* open blocks, the function's own included */
    /* For `else`: whether the block is an `if` that has none yet. */
    uint8_t              is_if[(EMBERI_WASM_MAX_NESTING + 8) / 8];
} code_body;

static void body_mark(code_body *b, bool is_if)
{
    uint8_t  bit = (uint8_t)(1u << (b->nesting % 8u));
    uint8_t *byte = &b->is_if[b->nesting / 8u];
    *byte = (uint8_t)(is_if ? *byte | bit : *byte & ~bit);
}

static bool body_is_if(const code_body *b)
{
    return ((unsigned)b->is_if[b->nesting / 8u] >> (b->nesting % 8u) & 1u) != 0;
}

static ember_status body_bad(code_body *b, const char *what)
{
    return emberi_wasm_fail(b->c, EMBER_E_MALFORMED, "function %u of the module has %s",
                            (unsigned)b->function, what);
}

static ember_status body_index(code_body *b, uint32_t limit, const char *what)
{
    uint32_t index = emberi_wasm_u32(&b->c->r);
    return emberi_reader_ok(&b->c->r) && index < limit ? EMBER_OK : body_bad(b, what);
}

static ember_status body_zero(code_body *b, const char *what) { return body_index(b, 1, what); }

static ember_status body_open(code_body *b, uint8_t opcode)
{
    emberi_reader at = b->c->r;
    int64_t       type = emberi_wasm_s33(&b->c->r);
    if (!emberi_reader_ok(&b->c->r) || (type >= 0 && type >= b->c->module->type_count))
        return body_bad(b, "a block of an unknown type");
    if (type < 0 && type != -64) {
        b->c->r = at;
        ember_status status = emberi_wasm_value_type(b->c);
        if (status != EMBER_OK)
            return status;
    }
    if (b->nesting >= EMBERI_WASM_MAX_NESTING)
        return emberi_wasm_fail(b->c, EMBER_E_LIMIT,
                                "function %u of the module has more than %d blocks inside each other",
                                (unsigned)b->function, EMBERI_WASM_MAX_NESTING);
    b->nesting++;
    body_mark(b, opcode == 0x04);
    return EMBER_OK;
}

static ember_status body_br_table(code_body *b)
{
    uint32_t count = emberi_wasm_u32(&b->c->r);
    if (!emberi_reader_ok(&b->c->r) || count > emberi_reader_left(&b->c->r))
        return body_bad(b, "a branch table that is cut off");
    for (uint32_t i = 0; i <= count; i++)
        if (body_index(b, b->nesting, "a branch to nowhere") != EMBER_OK)
            return b->c->err->status;
    return EMBER_OK;
}

static ember_status body_memory_argument(code_body *b)
{
    uint32_t align = emberi_wasm_u32(&b->c->r);
    if (emberi_reader_ok(&b->c->r) && (align & 64u) != 0)
        return emberi_wasm_unsupported(b->c, EMBERI_WASM_MULTI_MEMORY);
    (void)emberi_wasm_u32(&b->c->r);
    return emberi_reader_ok(&b->c->r) && align <= 3 && b->c->module->has_memory
               ? EMBER_OK
               : body_bad(b, "a bad memory access");
}

static ember_status body_prefixed(code_body *b)
{
    emberi_wasm_module *m = b->c->module;
    uint32_t            opcode = emberi_wasm_u32(&b->c->r);
    if (!emberi_reader_ok(&b->c->r))
        return body_bad(b, "an instruction that is cut off");
    m->uses_segments = m->uses_segments || opcode == 8 || opcode == 9;
    switch (opcode) {
    case 8: /* memory.init */
        if (body_index(b, m->has_data_count ? m->data_count : 0, "memory.init of no data segment") !=
            EMBER_OK)
            return b->c->err->status;
        return body_zero(b, "a memory that is not there");
    case 9: /* data.drop */
        return body_index(b, m->has_data_count ? m->data_count : 0, "data.drop of no data segment");
    case 10: /* memory.copy */
        if (body_zero(b, "a memory that is not there") != EMBER_OK)
            return b->c->err->status;
        return body_zero(b, "a memory that is not there");
    case 11: /* memory.fill */
        return body_zero(b, "a memory that is not there");
    case 12: /* table.init, elem.drop, table.copy, table.grow, table.fill */
    case 13:
    case 14:
    case 15:
    case 17:
        return emberi_wasm_unsupported(b->c, EMBERI_WASM_TABLE_CHANGES);
    case 16: /* table.size */
        return body_index(b, m->has_table ? 1 : 0, "a table that is not there");
    default: /* up to 7: saturating conversions */
        return opcode <= 7 ? EMBER_OK : body_bad(b, "an unknown instruction");
    }
}

static ember_status body_select(code_body *b)
{
    if (emberi_wasm_u32(&b->c->r) != 1 || !emberi_reader_ok(&b->c->r))
        return body_bad(b, "a select of other than one type");
    return emberi_wasm_value_type(b->c);
}

static ember_status body_call_indirect(code_body *b)
{
    if (body_index(b, b->c->module->type_count, "an indirect call of an unknown type") != EMBER_OK)
        return b->c->err->status;
    return body_index(b, b->c->module->has_table ? 1 : 0, "an indirect call without a table");
}

/* Instructions of what the console does not run; anything else is not known at all. */
static ember_status body_refused(code_body *b, uint8_t opcode)
{
    emberi_wasm_checker *c = b->c;
    if (opcode == 0xfd)
        return emberi_wasm_unsupported(c, EMBERI_WASM_SIMD);
    if (opcode == 0xfe)
        return emberi_wasm_unsupported(c, EMBERI_WASM_THREADS);
    if (opcode == 0xfb || opcode == 0x14 || opcode == 0x15 || (opcode >= 0xd3 && opcode <= 0xd6))
        return emberi_wasm_unsupported(c, EMBERI_WASM_GC);
    if (opcode == 0x12 || opcode == 0x13)
        return emberi_wasm_unsupported(c, EMBERI_WASM_TAIL_CALLS);
    if ((opcode >= 0x06 && opcode <= 0x0a) || opcode == 0x18 || opcode == 0x19 || opcode == 0x1f)
        return emberi_wasm_unsupported(c, EMBERI_WASM_EXCEPTIONS);
    if (opcode == 0x26)
        return emberi_wasm_unsupported(c, EMBERI_WASM_TABLE_CHANGES);
    if (opcode == 0x25 || (opcode >= 0xd0 && opcode <= 0xd2))
        return emberi_wasm_unsupported(c, EMBERI_WASM_REFERENCES);
    return body_bad(b, "an unknown instruction");
}

static ember_status body_control(code_body *b, uint8_t opcode)
{
    switch (opcode) {
    case 0x00: /* unreachable */
    case 0x01: /* nop */
    case 0x0f: /* return */
        return EMBER_OK;
    case 0x02: /* block */
    case 0x03: /* loop */
    case 0x04: /* if */
        return body_open(b, opcode);
    case 0x05: /* else */
        if (!body_is_if(b))
            return body_bad(b, "an else without an if");
        body_mark(b, false);
        return EMBER_OK;
    case 0x0b: /* end */
        b->nesting--;
        return EMBER_OK;
    case 0x0c: /* br */
    case 0x0d: /* br_if */
        return body_index(b, b->nesting, "a branch to nowhere");
    case 0x0e:
        return body_br_table(b);
    case 0x10:
        return body_index(b, b->c->module->function_count, "a call of an unknown function");
    case 0x11:
        return body_call_indirect(b);
    default:
        return body_refused(b, opcode);
    }
}

static ember_status body_other(code_body *b, uint8_t opcode)
{
    emberi_reader *r = &b->c->r;
    switch (opcode) {
    case 0x1a: /* drop */
    case 0x1b: /* select */
        return EMBER_OK;
    case 0x1c:
        return body_select(b);
    case 0x20: /* local.get, set, tee */
    case 0x21:
    case 0x22:
        return body_index(b, b->local_count, "an unknown local variable");
    case 0x23: /* global.get, set */
    case 0x24:
        return body_index(b, b->c->module->global_count, "an unknown global variable");
    case 0x3f: /* memory.size, grow */
    case 0x40:
        return b->c->module->has_memory ? body_zero(b, "a memory that is not there")
                                        : body_bad(b, "a memory that is not there");
    case 0x41:
        (void)emberi_wasm_s32(r);
        break;
    case 0x42:
        (void)emberi_wasm_s64(r);
        break;
    case 0x43:
        (void)emberi_reader_take(r, 4);
        break;
    case 0x44:
        (void)emberi_reader_take(r, 8);
        break;
    case 0xfc:
        return body_prefixed(b);
    default:
        if (opcode >= 0x28 && opcode <= 0x3e)
            return body_memory_argument(b);
        return opcode >= 0x45 && opcode <= 0xc4 ? EMBER_OK : body_refused(b, opcode);
    }
    return emberi_reader_ok(r) ? EMBER_OK : body_bad(b, "a constant that is cut off");
}

static ember_status body_locals(code_body *b)
{
    emberi_wasm_checker *c = b->c;
    uint32_t             groups = emberi_wasm_u32(&c->r);
    for (uint32_t i = 0; i < groups && emberi_reader_ok(&c->r); i++) {
        uint32_t count = emberi_wasm_u32(&c->r);
        if (!emberi_reader_ok(&c->r) || count > EMBERI_WASM_MAX_LOCALS - b->local_count)
            return emberi_wasm_fail(c, EMBER_E_LIMIT,
                                    "function %u of the module has more than %d local variables",
                                    (unsigned)b->function, EMBERI_WASM_MAX_LOCALS);
        b->local_count += count;
        c->local_count += count;
        if (c->local_count > c->local_limit)
            return emberi_wasm_fail(c, EMBER_E_LIMIT,
                                    "the game has more local variables than its code can use (more than %zu)",
                                    c->local_limit);
        ember_status status = emberi_wasm_value_type(c);
        if (status != EMBER_OK)
            return status;
    }
    return emberi_reader_ok(&c->r) ? EMBER_OK : body_bad(b, "local variables that are cut off");
}

/* The reader's end is the body's. */
static ember_status body_check(code_body *b)
{
    emberi_reader *r = &b->c->r;
    ember_status   status = body_locals(b);
    b->nesting = 1;
    body_mark(b, false);
    while (status == EMBER_OK && b->nesting > 0) {
        uint8_t opcode = emberi_reader_u8(r);
        if (!emberi_reader_ok(r))
            return body_bad(b, "no end");
        status = opcode <= 0x19 || opcode == 0x1f ? body_control(b, opcode) : body_other(b, opcode);
    }
    if (status == EMBER_OK && emberi_reader_left(r) != 0)
        return body_bad(b, "instructions behind its end");
    return status;
}

ember_status emberi_wasm_check_code(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    const uint8_t      *section_end = c->r.end;
    emberi_reader       types = emberi_reader_init(m->wasm, m->sections[EMBERI_WASM_FUNCTION_SECTION].end);
    uint32_t            count = emberi_wasm_u32(&c->r), declared;
    (void)emberi_reader_take(&types, m->sections[EMBERI_WASM_FUNCTION_SECTION].start);
    declared = m->sections[EMBERI_WASM_FUNCTION_SECTION].end != 0 ? emberi_wasm_u32(&types) : 0;
    if (!emberi_reader_ok(&c->r) || count != declared)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                "the module declares %u functions and has the code of %u", (unsigned)declared,
                                (unsigned)count);
    if (emberi_reader_left(&c->r) > EMBERI_WASM_MAX_CODE)
        return emberi_wasm_fail(c, EMBER_E_LIMIT, "the game has %zu bytes of code, at most %d are allowed",
                                emberi_reader_left(&c->r), EMBERI_WASM_MAX_CODE);
    c->local_limit = EMBERI_WASM_FREE_LOCALS + emberi_reader_left(&c->r);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t  size = emberi_wasm_u32(&c->r), type = emberi_wasm_u32(&types);
        code_body body = {.c = c, .function = m->import_count + i, .local_count = m->params[type]};
        if (!emberi_reader_ok(&c->r) || size > emberi_reader_left(&c->r))
            return body_bad(&body, "a size that is wrong");
        if (size > EMBERI_WASM_MAX_BODY)
            return emberi_wasm_fail(c, EMBER_E_LIMIT,
                                    "function %u of the module has %u bytes, at most %d are allowed",
                                    (unsigned)body.function, (unsigned)size, EMBERI_WASM_MAX_BODY);
        c->r.end = c->r.cursor + size;
        ember_status status = body_check(&body);
        if (status != EMBER_OK)
            return status;
        c->r.end = section_end;
    }
    return EMBER_OK;
}
