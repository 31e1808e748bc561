/* SPDX-License-Identifier: MIT */
/* A module's program: types, functions, globals, table and segments as the interpreter needs them, and then
   its code. The check has read every section before: all of it is whole and in range. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "engine/interp/interp_code.h"

static emberi_reader program_section(const emberi_wasm_module *module, int section, uint32_t *count)
{
    emberi_reader r = emberi_reader_init(module->wasm, module->sections[section].end);
    (void)emberi_reader_take(&r, module->sections[section].start);
    *count = module->sections[section].end != 0 ? emberi_wasm_u32(&r) : 0;
    return r;
}

static void *program_take(emberi_program *p, size_t count, size_t size)
{
    void *memory = p->allocator.resize(p->allocator.user, NULL, 0, (count != 0 ? count : 1) * size);
    if (memory != NULL)
        emberi_fill(memory, 0, (count != 0 ? count : 1) * size);
    return memory;
}

static void program_give(emberi_program *p, void *memory, size_t count, size_t size)
{
    if (memory != NULL)
        p->allocator.resize(p->allocator.user, memory, (count != 0 ? count : 1) * size, 0);
}

/* ---- types ---- */

enum { PROGRAM_BUCKETS = 2 * EMBERI_WASM_MAX_TYPES };

static bool program_equal(const emberi_signature *a, const emberi_signature *b)
{
    return a->param_count == b->param_count && a->result_count == b->result_count &&
           __builtin_memcmp(a->params, b->params, a->param_count) == 0 &&
           __builtin_memcmp(a->results, b->results, a->result_count) == 0;
}

/* The first type with the same signature, by a table of hashes: the number of the type and 1, or 0. */
static uint16_t program_same(const emberi_signature *types, uint32_t index, uint16_t *buckets)
{
    const emberi_signature *type = &types[index];
    uint64_t                hash =
        XXH3_64bits_withSeed(type->results, type->result_count, XXH3_64bits(type->params, type->param_count));
    uint32_t at = (uint32_t)hash % PROGRAM_BUCKETS;
    while (buckets[at] != 0 && !program_equal(&types[buckets[at] - 1], type))
        at = (at + 1) % PROGRAM_BUCKETS;
    if (buckets[at] == 0)
        buckets[at] = (uint16_t)(index + 1);
    return (uint16_t)(buckets[at] - 1);
}

static bool program_types(emberi_program *p, const emberi_wasm_module *module)
{
    uint16_t     *buckets = program_take(p, PROGRAM_BUCKETS, sizeof(*buckets));
    uint32_t      count;
    emberi_reader r = program_section(module, EMBERI_WASM_TYPE_SECTION, &count);
    p->types = program_take(p, module->type_count, sizeof(*p->types));
    p->type_count = module->type_count;
    for (uint32_t i = 0; p->types != NULL && buckets != NULL && i < count; i++) {
        emberi_signature *type = &p->types[i];
        (void)emberi_reader_u8(&r); /* 0x60 */
        type->param_count = (uint8_t)emberi_wasm_u32(&r);
        type->params = emberi_reader_take(&r, type->param_count);
        type->result_count = (uint8_t)emberi_wasm_u32(&r);
        type->results = emberi_reader_take(&r, type->result_count);
        type->same = program_same(p->types, i, buckets);
    }
    program_give(p, buckets, PROGRAM_BUCKETS, sizeof(*buckets));
    return p->types != NULL && buckets != NULL;
}

/* ---- functions ---- */

static bool program_functions(emberi_program *p, const emberi_wasm_module *module)
{
    uint32_t count;
    p->function_count = module->function_count;
    p->functions = program_take(p, p->function_count, sizeof(*p->functions));
    if (p->functions == NULL)
        return false;
    emberi_reader r = program_section(module, EMBERI_WASM_IMPORT_SECTION, &count);
    for (uint32_t i = 0; i < module->import_count; i++) {
        (void)emberi_reader_take(&r, emberi_wasm_u32(&r)); /* env */
        uint32_t    size = emberi_wasm_u32(&r);
        const char *name = (const char *)emberi_reader_take(&r, size);
        (void)emberi_reader_u8(&r); /* a function */
        p->functions[i].type = p->types[emberi_wasm_u32(&r)].same;
        p->functions[i].host = emberi_thunk_find(name, size);
    }
    r = program_section(module, EMBERI_WASM_FUNCTION_SECTION, &count);
    for (uint32_t i = module->import_count; i < module->function_count; i++)
        p->functions[i].type = p->types[emberi_wasm_u32(&r)].same;
    for (int i = 0; i < EMBER_PHASE_COUNT; i++)
        p->exports[i] = module->exports[i];
    return true;
}

/* ---- globals, memory, table ---- */

/* One constant; the check let nothing else through. Its type. */
static uint8_t program_constant(emberi_reader *r, uint64_t *value)
{
    uint8_t opcode = emberi_reader_u8(r);
    if (opcode == 0x41)
        *value = (uint32_t)emberi_wasm_s32(r);
    else if (opcode == 0x42)
        *value = (uint64_t)emberi_wasm_s64(r);
    else
        *value = emberi_reader_u32(r);
    if (opcode == 0x44)
        *value |= (uint64_t)emberi_reader_u32(r) << 32;
    (void)emberi_reader_u8(r); /* end */
    return (uint8_t)(0x7f - (opcode - 0x41));
}

static ember_status program_globals(emberi_program *p, const emberi_wasm_module *module, ember_error *err)
{
    uint32_t      count;
    emberi_reader r = program_section(module, EMBERI_WASM_GLOBAL_SECTION, &count);
    p->global_count = count;
    p->globals = program_take(p, count, sizeof(*p->globals));
    p->global_types = program_take(p, count, 1);
    p->global_variable = program_take(p, count, 1);
    if (p->globals == NULL || p->global_types == NULL || p->global_variable == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        p->global_types[i] = emberi_reader_u8(&r);
        p->global_variable[i] = emberi_reader_u8(&r);
        p->variable_count += p->global_variable[i];
        if (program_constant(&r, &p->globals[i].u64) != p->global_types[i])
            return emberi_failf(err, EMBER_E_MALFORMED, emberi_reader_offset(&r),
                                "global %u of the module begins with a value of another type", (unsigned)i);
    }
    return EMBER_OK;
}

static void program_memory(emberi_program *p, const emberi_wasm_module *module)
{
    uint32_t      count;
    emberi_reader r = program_section(module, EMBERI_WASM_MEMORY_SECTION, &count);
    uint8_t       flags = emberi_reader_u8(&r);
    p->pages = emberi_wasm_u32(&r);
    p->max_pages = (flags & 1u) != 0 ? emberi_wasm_u32(&r) : EMBERI_WASM_MAX_PAGES;
    if (p->max_pages > EMBERI_WASM_MAX_PAGES)
        p->max_pages = EMBERI_WASM_MAX_PAGES;
}

static bool program_table(emberi_program *p, const emberi_wasm_module *module)
{
    uint32_t segments;
    p->table_size = module->table_size;
    p->table = program_take(p, p->table_size, sizeof(*p->table));
    if (p->table == NULL)
        return false;
    for (uint32_t i = 0; i < p->table_size; i++)
        p->table[i] = EMBERI_NO_FUNCTION;
    emberi_reader r = program_section(module, EMBERI_WASM_ELEMENT_SECTION, &segments);
    for (; segments > 0; segments--) {
        uint64_t start;
        uint32_t flags = emberi_wasm_u32(&r);
        if (flags == 2)
            (void)emberi_wasm_u32(&r); /* table 0 */
        (void)program_constant(&r, &start);
        if (flags == 2)
            (void)emberi_reader_u8(&r); /* of functions */
        uint32_t count = emberi_wasm_u32(&r);
        for (uint32_t i = 0; i < count; i++)
            p->table[start + i] = (uint16_t)emberi_wasm_u32(&r);
    }
    return true;
}

/* ---- data ---- */

/* Only where code copies segments; the others are in memory from the start and gone. */
static bool program_segments(emberi_program *p, const emberi_wasm_module *module)
{
    uint32_t      count;
    emberi_reader r = program_section(module, EMBERI_WASM_DATA_SECTION, &count);
    if (!module->uses_segments)
        return true;
    p->segments = program_take(p, count, sizeof(*p->segments));
    p->segment_count = count;
    p->segment_size =
        module->sections[EMBERI_WASM_DATA_SECTION].end - module->sections[EMBERI_WASM_DATA_SECTION].start;
    p->segment_bytes = program_take(p, p->segment_size, 1);
    if (p->segments == NULL || p->segment_bytes == NULL)
        return false;
    emberi_copy(p->segment_bytes, module->wasm + module->sections[EMBERI_WASM_DATA_SECTION].start,
                p->segment_size);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = 0;
        uint32_t flags = emberi_wasm_u32(&r);
        if (flags == 2)
            (void)emberi_wasm_u32(&r);
        if (flags != 1)
            (void)program_constant(&r, &start);
        uint32_t       size = emberi_wasm_u32(&r);
        const uint8_t *bytes = emberi_reader_take(&r, size);
        p->segments[i].bytes = p->segment_bytes + ((size_t)(bytes - module->wasm) -
                                                   module->sections[EMBERI_WASM_DATA_SECTION].start);
        p->segments[i].size = size;
        p->segments[i].start = (uint32_t)start;
        p->segments[i].active = flags != 1;
    }
    return true;
}

/* ---- the whole ---- */

static void program_free_types(emberi_program *p)
{
    program_give(p, p->types, p->type_count, sizeof(*p->types));
    p->types = NULL;
}

void emberi_program_free(emberi_program *p)
{
    program_free_types(p);
    program_give(p, p->functions, p->function_count, sizeof(*p->functions));
    program_give(p, p->code, p->code_room, sizeof(*p->code));
    program_give(p, p->constants, p->constant_room, sizeof(*p->constants));
    program_give(p, p->globals, p->global_count, sizeof(*p->globals));
    program_give(p, p->global_types, p->global_count, 1);
    program_give(p, p->global_variable, p->global_count, 1);
    program_give(p, p->table, p->table_size, sizeof(*p->table));
    program_give(p, p->segments, p->segment_count, sizeof(*p->segments));
    program_give(p, p->segment_bytes, p->segment_size, 1);
    *p = (emberi_program){.allocator = p->allocator};
}

/* Room for the code of a usual module, so that it is rarely moved. */
static bool program_code(emberi_program *p, const emberi_wasm_module *module)
{
    size_t size =
        module->sections[EMBERI_WASM_CODE_SECTION].end - module->sections[EMBERI_WASM_CODE_SECTION].start;
    p->code_room = (uint32_t)(size / 4 + 64);
    p->code = p->allocator.resize(p->allocator.user, NULL, 0, p->code_room * sizeof(*p->code));
    p->code_room = p->code != NULL ? p->code_room : 0;
    return p->code != NULL;
}

ember_status emberi_program_make(emberi_program *out, const emberi_wasm_module *module,
                                 ember_allocator allocator, ember_error *err)
{
    ember_status status = EMBER_OK;
    *out = (emberi_program){.allocator = allocator};
    program_memory(out, module);
    if (!program_types(out, module) || !program_functions(out, module) || !program_table(out, module) ||
        !program_segments(out, module) || !program_code(out, module))
        status = emberi_fail_memory(err);
    if (status == EMBER_OK)
        status = program_globals(out, module, err);
    if (status == EMBER_OK)
        status = emberi_program_translate(out, module, err);
    program_free_types(out);
    if (status != EMBER_OK)
        emberi_program_free(out);
    return status;
}
