/* SPDX-License-Identifier: MIT */
/* The check of a whole module, section by section in the order that the format prescribes. */
#include "engine/check/module_check.h"

#include <string.h>

static ember_status check_cut(emberi_wasm_checker *c)
{
    return emberi_wasm_fail(c, EMBER_E_TRUNCATED, "the module is cut off");
}

/* How many there are of something that takes at least a byte each. */
static bool check_count(emberi_wasm_checker *c, uint32_t *count, uint32_t limit, const char *what)
{
    *count = emberi_wasm_u32(&c->r);
    if (emberi_reader_ok(&c->r) && *count <= limit && *count <= emberi_reader_left(&c->r))
        return true;
    if (emberi_reader_ok(&c->r) && *count <= limit)
        c->r.status = EMBER_E_TRUNCATED;
    emberi_wasm_fail(c, EMBER_E_LIMIT, "the game has %u %s, at most %u are allowed", (unsigned)*count, what,
                     (unsigned)limit);
    return false;
}

/* ---- sections ---- */

static ember_status check_types(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    uint32_t            count;
    if (!check_count(c, &count, EMBERI_WASM_MAX_TYPES, "types"))
        return c->err->status;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t both = 0;
        uint8_t  form = emberi_reader_u8(&c->r);
        if (emberi_reader_ok(&c->r) && form != 0x60)
            return form >= 0x4e && form < 0x60
                       ? emberi_wasm_unsupported(c, EMBERI_WASM_GC)
                       : emberi_wasm_fail(c, EMBER_E_MALFORMED, "type %u of the module is no function's",
                                          (unsigned)i);
        for (int part = 0; part < 2; part++) {
            uint32_t values;
            if (!check_count(c, &values, EMBERI_WASM_MAX_PARAMS,
                             part == 0 ? "parameters in a function" : "results in a function"))
                return c->err->status;
            for (uint32_t k = 0; k < values; k++)
                if (emberi_wasm_value_type(c) != EMBER_OK)
                    return c->err->status;
            if (part == 0)
                m->params[i] = (uint8_t)values;
            both += values;
        }
        m->longest_type = both > m->longest_type ? both : m->longest_type;
    }
    m->type_count = count;
    return EMBER_OK;
}

static ember_status check_functions(emberi_wasm_checker *c)
{
    uint32_t count;
    if (!check_count(c, &count, EMBERI_WASM_MAX_FUNCTIONS - c->module->import_count, "functions"))
        return c->err->status;
    for (uint32_t i = 0; i < count; i++)
        if (emberi_wasm_u32(&c->r) >= c->module->type_count && emberi_reader_ok(&c->r))
            return emberi_wasm_fail(c, EMBER_E_MALFORMED, "function %u of the module has no type",
                                    (unsigned)(c->module->import_count + i));
    c->module->function_count = c->module->import_count + count;
    return EMBER_OK;
}

/* Minimum and maximum of a memory or a table, UINT32_MAX where there is none. */
static ember_status check_limits(emberi_wasm_checker *c, uint32_t *least, uint32_t *most)
{
    uint8_t flags = emberi_reader_u8(&c->r);
    if (emberi_reader_ok(&c->r) && (flags & 4u) != 0)
        return emberi_wasm_unsupported(c, EMBERI_WASM_MEMORY64);
    if (emberi_reader_ok(&c->r) && (flags & 2u) != 0)
        return emberi_wasm_unsupported(c, EMBERI_WASM_THREADS);
    *least = emberi_wasm_u32(&c->r);
    *most = (flags & 1u) != 0 ? emberi_wasm_u32(&c->r) : UINT32_MAX;
    if (!emberi_reader_ok(&c->r) || flags > 7 || *most < *least)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the module has limits that make no sense");
    return EMBER_OK;
}

static ember_status check_table(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    uint32_t            count = emberi_wasm_u32(&c->r);
    if (!emberi_reader_ok(&c->r) || count > 1)
        return emberi_wasm_fail(
            c, EMBER_E_UNSUPPORTED,
            "the game has %u tables, the console has one: build with -mno-reference-types", (unsigned)count);
    if (count == 0)
        return EMBER_OK;
    uint8_t type = emberi_reader_u8(&c->r);
    if (emberi_reader_ok(&c->r) && type != 0x70)
        return emberi_wasm_unsupported(c, EMBERI_WASM_REFERENCES);
    uint32_t     most; /* does not matter: nothing makes a table grow */
    ember_status status = check_limits(c, &m->table_size, &most);
    if (status == EMBER_OK && m->table_size > EMBERI_WASM_MAX_TABLE)
        return emberi_wasm_fail(c, EMBER_E_LIMIT,
                                "the game has a table of %u functions, at most %d are allowed",
                                (unsigned)m->table_size, EMBERI_WASM_MAX_TABLE);
    m->has_table = true;
    return status;
}

static ember_status check_memory(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    uint32_t            count = emberi_wasm_u32(&c->r);
    if (emberi_reader_ok(&c->r) && count > 1)
        return emberi_wasm_unsupported(c, EMBERI_WASM_MULTI_MEMORY);
    if (!emberi_reader_ok(&c->r) || count == 0)
        return emberi_reader_ok(&c->r) ? EMBER_OK : check_cut(c);
    ember_status status = check_limits(c, &m->pages, &m->max_pages);
    if (status == EMBER_OK && m->pages > EMBERI_WASM_MAX_PAGES)
        return emberi_wasm_fail(
            c, EMBER_E_LIMIT,
            "the game wants %u KiB of memory, the console has %u: less data, or a smaller -z stack-size",
            (unsigned)m->pages * 64u, EMBER_CONSOLE_MEMORY / 1024u);
    if (m->max_pages > EMBERI_WASM_MAX_PAGES)
        m->max_pages = EMBERI_WASM_MAX_PAGES;
    m->has_memory = true;
    return status;
}

/* An initial value: one constant. `number`, if not NULL, must be an i32's. */
static ember_status check_constant(emberi_wasm_checker *c, uint32_t *number)
{
    uint8_t opcode = emberi_reader_u8(&c->r);
    if (opcode == 0x41) {
        int32_t value = emberi_wasm_s32(&c->r);
        if (number != NULL)
            *number = (uint32_t)value;
    } else if (opcode == 0x42 && number == NULL) {
        (void)emberi_wasm_s64(&c->r);
    } else if ((opcode == 0x43 || opcode == 0x44) && number == NULL) {
        (void)emberi_reader_take(&c->r, opcode == 0x43 ? 4 : 8);
    } else if (emberi_reader_ok(&c->r)) {
        if (opcode == 0xd0 || opcode == 0xd2)
            return emberi_wasm_unsupported(c, EMBERI_WASM_REFERENCES);
        if (opcode == 0xfd)
            return emberi_wasm_unsupported(c, EMBERI_WASM_SIMD);
        return emberi_wasm_unsupported(c, EMBERI_WASM_EXTENDED_CONST);
    }
    uint8_t end = emberi_reader_u8(&c->r);
    if (emberi_reader_ok(&c->r) && end != 0x0b)
        return emberi_wasm_unsupported(c, EMBERI_WASM_EXTENDED_CONST);
    return emberi_reader_ok(&c->r) ? EMBER_OK : check_cut(c);
}

static ember_status check_globals(emberi_wasm_checker *c)
{
    uint32_t count;
    if (!check_count(c, &count, EMBERI_WASM_MAX_GLOBALS, "globals"))
        return c->err->status;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *type = c->r.cursor;
        if (emberi_wasm_value_type(c) != EMBER_OK)
            return c->err->status;
        bool    wide = *type == 0x7e || *type == 0x7c; /* i64, f64 */
        uint8_t flags = emberi_reader_u8(&c->r);
        if (emberi_reader_ok(&c->r) && flags > 1)
            return flags <= 3 ? emberi_wasm_unsupported(c, EMBERI_WASM_THREADS)
                              : emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                                 "global %u of the module is neither constant nor variable",
                                                 (unsigned)i);
        ember_status status = check_constant(c, NULL);
        if (status != EMBER_OK)
            return status;
        c->module->mutable_widths[i] = (uint8_t)(flags == 0 ? 0 : wide ? 8 : 4);
    }
    c->module->global_count = count;
    return EMBER_OK;
}

/* ---- exports ---- */

static bool check_is(const char *name, uint32_t size, const char *word)
{
    return strlen(word) == size && memcmp(name, word, size) == 0;
}

/* The type of a function that the module defines. */
static uint32_t check_type_of(const emberi_wasm_module *m, uint32_t function)
{
    emberi_reader r = emberi_reader_init(m->wasm, m->sections[EMBERI_WASM_FUNCTION_SECTION].end);
    (void)emberi_reader_take(&r, m->sections[EMBERI_WASM_FUNCTION_SECTION].start);
    (void)emberi_wasm_u32(&r);
    for (uint32_t i = m->import_count; i < function; i++)
        (void)emberi_wasm_u32(&r);
    return emberi_wasm_u32(&r);
}

static ember_status check_export(emberi_wasm_checker *c, const char *name, uint32_t size, uint8_t kind,
                                 uint32_t index)
{
    emberi_wasm_module *m = c->module;
    if (check_is(name, size, "memory")) {
        if (kind != 2)
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "the game exports something as memory that is none");
        m->exports_memory = true;
        return EMBER_OK;
    }
    for (int phase = EMBER_PHASE_INIT; phase < EMBER_PHASE_COUNT; phase++) {
        const char *wanted = phase == EMBER_PHASE_INIT     ? "init"
                             : phase == EMBER_PHASE_UPDATE ? "update"
                                                           : "render";
        if (!check_is(name, size, wanted))
            continue;
        if (kind != 0 || index < m->import_count)
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "the game exports something as %s that is no function of its own",
                                    wanted);
        if (!emberi_wasm_type_is_plain(m, check_type_of(m, index)))
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "the game's %s must take and return nothing: void %s(void)", wanted,
                                    wanted);
        m->exports[phase] = (int32_t)index;
    }
    return EMBER_OK;
}

/* Whether a name stands in the section before. */
static bool check_is_second(const emberi_wasm_checker *c, uint32_t before, const char *name, uint32_t size)
{
    emberi_reader r = c->r;
    r.cursor = r.base + c->module->sections[EMBERI_WASM_EXPORT_SECTION].start;
    (void)emberi_wasm_u32(&r);
    for (uint32_t i = 0; i < before; i++) {
        uint32_t       other = emberi_wasm_u32(&r);
        const uint8_t *bytes = emberi_reader_take(&r, other);
        (void)emberi_reader_u8(&r);
        (void)emberi_wasm_u32(&r);
        if (bytes != NULL && other == size && memcmp(bytes, name, size) == 0)
            return true;
    }
    return false;
}

static ember_status check_exports(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    uint32_t            count;
    const uint32_t      limits[4] = {m->function_count, m->has_table ? 1 : 0, m->has_memory ? 1 : 0,
                                     m->global_count};
    if (!check_count(c, &count, EMBERI_WASM_MAX_EXPORTS, "exports"))
        return c->err->status;
    for (uint32_t i = 0; i < count; i++) {
        const char *name;
        uint32_t    size;
        if (!emberi_wasm_name(c, &name, &size, "an export"))
            return c->err->status;
        uint8_t  kind = emberi_reader_u8(&c->r);
        uint32_t index = emberi_wasm_u32(&c->r);
        if (emberi_reader_ok(&c->r) && kind == 4)
            return emberi_wasm_unsupported(c, EMBERI_WASM_EXCEPTIONS);
        if (!emberi_reader_ok(&c->r) || kind > 3 || index >= limits[kind])
            return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the game exports as %.*s what is not there",
                                    (int)size, name);
        if (check_is_second(c, i, name, size))
            return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the game exports %.*s twice", (int)size, name);
        ember_status status = check_export(c, name, size, kind, index);
        if (status != EMBER_OK)
            return status;
    }
    m->export_count = count;
    return EMBER_OK;
}

/* ---- segments ---- */

static ember_status check_elements(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    uint32_t            count;
    if (!check_count(c, &count, EMBERI_WASM_MAX_SEGMENTS, "element segments"))
        return c->err->status;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flags = emberi_wasm_u32(&c->r), table = flags == 2 ? emberi_wasm_u32(&c->r) : 0, start = 0,
                 functions;
        if (!emberi_reader_ok(&c->r) || (flags != 0 && flags != 2) || table != 0 || !m->has_table)
            return emberi_reader_ok(&c->r) ? emberi_wasm_unsupported(c, EMBERI_WASM_REFERENCES)
                                           : check_cut(c);
        if (check_constant(c, &start) != EMBER_OK)
            return c->err->status;
        if (flags == 2 && emberi_reader_u8(&c->r) != 0)
            return emberi_wasm_unsupported(c, EMBERI_WASM_REFERENCES);
        if (!check_count(c, &functions, EMBERI_WASM_MAX_TABLE, "functions in its table"))
            return c->err->status;
        if (start > m->table_size || functions > m->table_size - start)
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "element segment %u of the module does not fit into the table",
                                    (unsigned)i);
        for (uint32_t k = 0; k < functions; k++)
            if (emberi_wasm_u32(&c->r) >= m->function_count && emberi_reader_ok(&c->r))
                return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                        "element segment %u of the module has an unknown function",
                                        (unsigned)i);
    }
    return EMBER_OK;
}

static ember_status check_data(emberi_wasm_checker *c)
{
    emberi_wasm_module *m = c->module;
    uint64_t            room = (uint64_t)m->pages * EMBERI_WASM_PAGE;
    uint32_t            count;
    if (!check_count(c, &count, EMBERI_WASM_MAX_SEGMENTS, "data segments"))
        return c->err->status;
    if (m->has_data_count && count != m->data_count)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the module has %u data segments, not the %u it says",
                                (unsigned)count, (unsigned)m->data_count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t flags = emberi_wasm_u32(&c->r), memory = flags == 2 ? emberi_wasm_u32(&c->r) : 0, start = 0;
        if (!emberi_reader_ok(&c->r) || flags > 2 || memory != 0 || (flags != 1 && !m->has_memory))
            return emberi_wasm_fail(c, EMBER_E_MALFORMED, "data segment %u of the module goes into no memory",
                                    (unsigned)i);
        if (flags != 1 && check_constant(c, &start) != EMBER_OK)
            return c->err->status;
        uint32_t size = emberi_wasm_u32(&c->r);
        if (emberi_reader_take(&c->r, size) == NULL)
            return check_cut(c);
        if (flags != 1 && (uint64_t)start + size > room)
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "data segment %u of the module does not fit into the memory",
                                    (unsigned)i);
    }
    return EMBER_OK;
}

static ember_status check_data_count(emberi_wasm_checker *c)
{
    c->module->data_count = emberi_wasm_u32(&c->r);
    c->module->has_data_count = true;
    if (!emberi_reader_ok(&c->r) || c->module->data_count > EMBERI_WASM_MAX_SEGMENTS)
        return emberi_wasm_fail(c, EMBER_E_LIMIT, "the game has %u data segments, at most %d are allowed",
                                (unsigned)c->module->data_count, EMBERI_WASM_MAX_SEGMENTS);
    return EMBER_OK;
}

/* ---- the whole ---- */

static ember_status check_contents(emberi_wasm_checker *c, uint8_t id)
{
    switch (id) {
    case EMBERI_WASM_TYPE_SECTION:
        return check_types(c);
    case EMBERI_WASM_IMPORT_SECTION: {
        ember_status status = emberi_wasm_check_imports(c);
        c->module->function_count = c->module->import_count;
        return status;
    }
    case EMBERI_WASM_FUNCTION_SECTION:
        return check_functions(c);
    case EMBERI_WASM_TABLE_SECTION:
        return check_table(c);
    case EMBERI_WASM_MEMORY_SECTION:
        return check_memory(c);
    case EMBERI_WASM_GLOBAL_SECTION:
        return check_globals(c);
    case EMBERI_WASM_EXPORT_SECTION:
        return check_exports(c);
    case EMBERI_WASM_START_SECTION:
        return emberi_wasm_fail(c, EMBER_E_UNSUPPORTED,
                                "the game has a start function; games begin in init: link with --no-entry");
    case EMBERI_WASM_ELEMENT_SECTION:
        return check_elements(c);
    case EMBERI_WASM_CODE_SECTION:
        return emberi_wasm_check_code(c);
    case EMBERI_WASM_DATA_SECTION:
        return check_data(c);
    case EMBERI_WASM_DATA_COUNT_SECTION:
        return check_data_count(c);
    case EMBERI_WASM_TAG_SECTION:
        return emberi_wasm_unsupported(c, EMBERI_WASM_EXCEPTIONS);
    default:
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the module has a section of unknown kind, %u",
                                (unsigned)id);
    }
}

static ember_status check_section(emberi_wasm_checker *c, int *place)
{
    /* Where a section stands among the others; the format's numbers are in the order of their invention. */
    static const uint8_t places[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 11, 6};
    const uint8_t       *end = c->r.end;
    uint8_t              id = emberi_reader_u8(&c->r);
    uint32_t             size = emberi_wasm_u32(&c->r);
    if (!emberi_reader_ok(&c->r) || size > emberi_reader_left(&c->r)) {
        c->r.status = EMBER_E_TRUNCATED;
        return check_cut(c);
    }
    c->r.end = c->r.cursor + size;
    if (id == EMBERI_WASM_CUSTOM_SECTION) {
        (void)emberi_reader_take(&c->r, emberi_wasm_u32(&c->r)); /* its name */
        if (!emberi_reader_ok(&c->r))
            return check_cut(c);
    } else {
        if (id <= EMBERI_WASM_TAG_SECTION && places[id] <= *place)
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "the module has its sections twice or in the wrong order");
        *place = id <= EMBERI_WASM_TAG_SECTION ? places[id] : *place;
        if (id < EMBERI_WASM_SECTIONS) {
            c->module->sections[id].start = (size_t)(c->r.cursor - c->r.base);
            c->module->sections[id].end = c->module->sections[id].start + size;
        }
        ember_status status = check_contents(c, id);
        if (status != EMBER_OK)
            return status;
        if (!emberi_reader_ok(&c->r) || emberi_reader_left(&c->r) != 0)
            return emberi_wasm_fail(c, EMBER_E_MALFORMED,
                                    "section %u of the module has bytes that belong to nothing",
                                    (unsigned)id);
    }
    c->r.cursor = c->r.end;
    c->r.end = end;
    return EMBER_OK;
}

static ember_status check_whole(emberi_wasm_checker *c)
{
    static const uint8_t magic[4] = {0, 'a', 's', 'm'};
    emberi_wasm_module  *m = c->module;
    const uint8_t       *bytes = emberi_reader_take(&c->r, sizeof(magic));
    int                  place = 0;
    if (bytes == NULL || memcmp(bytes, magic, sizeof(magic)) != 0)
        return ember_fail(c->err, EMBER_E_MALFORMED, 0, "this is no WebAssembly module");
    uint32_t version = emberi_reader_u32(&c->r);
    if (!emberi_reader_ok(&c->r) || version != 1)
        return emberi_wasm_fail(c, EMBER_E_VERSION,
                                (version >> 16) != 0 ? "this is a WebAssembly component, not a module"
                                                     : "WebAssembly of version %u is not known",
                                (unsigned)version);
    if (m->size > EMBERI_WASM_MAX_SIZE)
        return emberi_wasm_fail(c, EMBER_E_LIMIT, "the module has %zu bytes, at most %d are allowed", m->size,
                                EMBERI_WASM_MAX_SIZE);
    while (emberi_reader_left(&c->r) != 0) {
        ember_status status = check_section(c, &place);
        if (status != EMBER_OK)
            return status;
    }
    if (m->sections[EMBERI_WASM_CODE_SECTION].end == 0 && m->function_count != m->import_count)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the module declares functions and has no code");
    if (m->has_data_count && m->data_count != 0 && m->sections[EMBERI_WASM_DATA_SECTION].end == 0)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the module counts data segments and has none");
    if (!m->has_memory || !m->exports_memory)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the game does not export its memory");
    if (m->exports[EMBER_PHASE_INIT] < 0 && m->exports[EMBER_PHASE_UPDATE] < 0 &&
        m->exports[EMBER_PHASE_RENDER] < 0)
        return emberi_wasm_fail(
            c, EMBER_E_MALFORMED,
            "the game exports none of init, update and render: link with --export=init and so on");
    return EMBER_OK;
}

static ember_status check_module(emberi_wasm_module *out, const void *wasm, size_t size,
                                 const ember_imports *imports, ember_error *err)
{
    ember_error         own = EMBER_ERROR_INIT; /* the first one counts, and there may be none to write to */
    emberi_wasm_checker c = {.module = out,
                             .r = emberi_reader_init(wasm, size),
                             .err = &own,
                             .imports = imports};
    memset(out, 0, sizeof(*out));
    out->wasm = c.r.base;
    out->size = size;
    for (int i = 0; i < EMBER_PHASE_COUNT; i++)
        out->exports[i] = -1;
    ember_status status = check_whole(&c);
    return status != EMBER_OK ? ember_fail(err, status, own.offset, own.text) : EMBER_OK;
}

ember_status emberi_wasm_check(emberi_wasm_module *out, const void *wasm, size_t size, ember_error *err)
{
    return check_module(out, wasm, size, NULL, err);
}

ember_status ember_wasm_check(const void *wasm, size_t size, ember_error *err)
{
    return ember_wasm_imports(wasm, size, NULL, err);
}

ember_status ember_wasm_imports(const void *wasm, size_t size, const ember_imports *imports, ember_error *err)
{
    emberi_wasm_module module;
    return check_module(&module, wasm, size, imports, err);
}
