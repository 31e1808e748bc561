/* SPDX-License-Identifier: MIT */
/* What of a module goes on to the compiler, and what goes straight into memory. The module was checked. */
#include <string.h>

#include "base/fail.h"
#include "ember/file.h"
#include "engine/check/module_check.h"

static bool strip_u32(ember_buffer *out, uint32_t value)
{
    uint8_t bytes[5];
    size_t  size = 0;
    do {
        bytes[size] = (uint8_t)((value & 0x7fu) | (value > 0x7fu ? 0x80u : 0u));
        value >>= 7;
        size++;
    } while (value != 0);
    return ember_buffer_append(out, bytes, size);
}

static bool strip_export(ember_buffer *out, const char *name, uint8_t kind, uint32_t index)
{
    size_t size = strlen(name);
    return strip_u32(out, (uint32_t)size) && ember_buffer_append(out, name, size) &&
           ember_buffer_append(out, &kind, 1) && strip_u32(out, index);
}

static bool strip_exports(ember_buffer *out, const emberi_wasm_module *m)
{
    ember_buffer section = {.allocator = out->allocator};
    uint32_t     count = 1;
    uint8_t      id = EMBERI_WASM_EXPORT_SECTION;
    for (int i = EMBER_PHASE_INIT; i < EMBER_PHASE_COUNT; i++)
        count += m->exports[i] >= 0 ? 1u : 0u;
    bool ok = strip_u32(&section, count) && strip_export(&section, "memory", 2, 0);
    for (int i = EMBER_PHASE_INIT; i < EMBER_PHASE_COUNT; i++)
        if (m->exports[i] >= 0)
            ok = ok && strip_export(&section, ember_phase_name((ember_phase)i), 0, (uint32_t)m->exports[i]);
    ok = ok && ember_buffer_append(out, &id, 1) && strip_u32(out, (uint32_t)section.size) &&
         ember_buffer_append(out, section.data, section.size);
    ember_buffer_free(&section);
    return ok;
}

ember_status emberi_wasm_strip(ember_buffer *out, const emberi_wasm_module *m, ember_error *err)
{
    static const uint8_t order[] = {EMBERI_WASM_TYPE_SECTION,       EMBERI_WASM_IMPORT_SECTION,
                                    EMBERI_WASM_FUNCTION_SECTION,   EMBERI_WASM_TABLE_SECTION,
                                    EMBERI_WASM_MEMORY_SECTION,     EMBERI_WASM_GLOBAL_SECTION,
                                    EMBERI_WASM_EXPORT_SECTION,     EMBERI_WASM_ELEMENT_SECTION,
                                    EMBERI_WASM_DATA_COUNT_SECTION, EMBERI_WASM_CODE_SECTION,
                                    EMBERI_WASM_DATA_SECTION};
    bool                 ok = ember_buffer_append(out, m->wasm, 8);
    for (size_t i = 0; i < sizeof(order) && ok; i++) {
        const struct emberi_wasm_span *span = &m->sections[order[i]];
        bool data = order[i] == EMBERI_WASM_DATA_SECTION || order[i] == EMBERI_WASM_DATA_COUNT_SECTION;
        if (order[i] == EMBERI_WASM_EXPORT_SECTION)
            ok = strip_exports(out, m);
        else if (data && !m->uses_segments)
            continue;
        else if (span->end != 0)
            ok = ember_buffer_append(out, &order[i], 1) &&
                 strip_u32(out, (uint32_t)(span->end - span->start)) &&
                 ember_buffer_append(out, m->wasm + span->start, span->end - span->start);
    }
    return ok ? EMBER_OK : emberi_fail_memory(err);
}

/* ---- data ---- */

emberi_reader emberi_wasm_data(const emberi_wasm_module *m)
{
    const struct emberi_wasm_span *span = &m->sections[EMBERI_WASM_DATA_SECTION];
    emberi_reader                  r = emberi_reader_init(m->wasm, span->end);
    (void)emberi_reader_take(&r, span->start);
    if (span->end != 0)
        (void)emberi_wasm_u32(&r);
    return r;
}

/* The section was checked: every segment is whole and fits. */
emberi_wasm_segment emberi_wasm_next_segment(emberi_reader *r)
{
    emberi_wasm_segment segment = {.passive = false};
    uint32_t            flags = emberi_wasm_u32(r);
    if (flags == 2)
        (void)emberi_wasm_u32(r); /* memory 0 */
    segment.passive = flags == 1;
    if (!segment.passive) {
        (void)emberi_reader_u8(r); /* i32.const */
        segment.start = (uint32_t)emberi_wasm_s32(r);
        (void)emberi_reader_u8(r); /* end */
    }
    segment.size = emberi_wasm_u32(r);
    segment.bytes = emberi_reader_take(r, segment.size);
    return segment;
}

void emberi_wasm_put_data(const emberi_wasm_module *m, uint8_t *memory)
{
    emberi_reader r = emberi_wasm_data(m);
    while (!m->uses_segments && emberi_reader_left(&r) > 0 && emberi_reader_ok(&r)) {
        emberi_wasm_segment segment = emberi_wasm_next_segment(&r);
        if (segment.bytes != NULL && !segment.passive &&
            (uint64_t)segment.start + segment.size <= (uint64_t)m->pages * EMBERI_WASM_PAGE)
            memcpy(memory + segment.start, segment.bytes, segment.size);
    }
}
