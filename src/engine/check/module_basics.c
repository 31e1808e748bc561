/* SPDX-License-Identifier: MIT */
/* The small words of the check: numbers, names, types, and the sentences of what is refused. Nothing is read
   beyond the reader's end. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "engine/check/module_check.h"

/* ---- numbers ---- */

/* Up to `bits` bits; what the last byte has beyond them must be the sign's extension, or nothing. */
static uint64_t leb(emberi_reader *r, unsigned bits, bool is_signed)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t  byte = emberi_reader_u8(r);
        unsigned left = bits - shift;
        value |= (uint64_t)(byte & 0x7fu) << shift;
        if (left < 7) {
            uint8_t unused = (uint8_t)(0x7fu & (0x7fu << left));
            bool    negative = is_signed && ((unsigned)byte >> (left - 1) & 1u) != 0;
            if ((byte & unused) != (negative ? unused : 0u) && r->status == EMBER_OK)
                r->status = EMBER_E_MALFORMED;
        }
        if ((byte & 0x80u) == 0) {
            if (is_signed && (byte & 0x40u) != 0 && shift + 7 < 64)
                value |= ~UINT64_C(0) << (shift + 7);
            return value;
        }
        if (left <= 7) {
            if (r->status == EMBER_OK)
                r->status = EMBER_E_MALFORMED;
            return 0;
        }
    }
}

uint32_t emberi_wasm_u32(emberi_reader *r) { return (uint32_t)leb(r, 32, false); }
int32_t  emberi_wasm_s32(emberi_reader *r) { return (int32_t)(uint32_t)leb(r, 32, true); }
int64_t  emberi_wasm_s33(emberi_reader *r) { return (int64_t)leb(r, 33, true); }
int64_t  emberi_wasm_s64(emberi_reader *r) { return (int64_t)leb(r, 64, true); }

/* ---- failures ---- */

ember_status emberi_wasm_fail(emberi_wasm_checker *c, ember_status status, const char *format, ...)
{
    uint64_t offset = emberi_reader_offset(&c->r);
    char     text[232];
    va_list  arguments;
    if (c->r.status == EMBER_E_TRUNCATED)
        return ember_fail(c->err, EMBER_E_TRUNCATED, offset,
                          "the module is cut off, or a size in it is wrong");
    if (c->r.status != EMBER_OK)
        return emberi_failf(c->err, EMBER_E_MALFORMED, offset,
                            "a number at byte %llu of the module is too long", (unsigned long long)offset);
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return emberi_failf(c->err, status, offset, "%s", text);
}

ember_status emberi_wasm_unsupported(emberi_wasm_checker *c, emberi_wasm_feature feature)
{
    static const char *const texts[] = {
        [EMBERI_WASM_SIMD] = "SIMD, which the console does not run: build with -mno-simd128 (Rust: -C "
                             "target-feature=-simd128)",
        [EMBERI_WASM_THREADS] =
            "threads, which the console does not run: build without -pthread, with -mno-atomics",
        [EMBERI_WASM_TAIL_CALLS] = "tail calls, which the console does not run: build with -mno-tail-call",
        [EMBERI_WASM_MEMORY64] =
            "64-bit memory, which the console does not have: build for wasm32, not wasm64",
        [EMBERI_WASM_EXCEPTIONS] =
            "exceptions, which the console does not run: build with -fno-exceptions (Rust: -C panic=abort)",
        [EMBERI_WASM_EXTENDED_CONST] = "computed initial values, which the console does not run: build with "
                                       "-mno-extended-const, link without -fPIC",
        [EMBERI_WASM_REFERENCES] =
            "values of reference types, which the console does not run: build with -mno-reference-types",
        [EMBERI_WASM_TABLE_CHANGES] = "instructions that change a table, which the console does not run: "
                                      "build with -mno-reference-types, without dynamic linking",
        [EMBERI_WASM_MULTI_MEMORY] =
            "more than one memory, which the console does not have: build with -mno-multimemory",
        [EMBERI_WASM_GC] =
            "garbage-collected types, which the console does not run: use a compiler for plain wasm32",
    };
    return emberi_wasm_fail(c, EMBER_E_UNSUPPORTED, "the game uses %s", texts[feature]);
}

ember_status emberi_wasm_value_type(emberi_wasm_checker *c)
{
    uint8_t type = emberi_reader_u8(&c->r);
    if (!emberi_reader_ok(&c->r))
        return emberi_wasm_fail(c, EMBER_E_TRUNCATED, "cut off");
    if (type >= 0x7c && type <= 0x7f)
        return EMBER_OK;
    if (type == 0x7b)
        return emberi_wasm_unsupported(c, EMBERI_WASM_SIMD);
    if (type == 0x70 || type == 0x6f)
        return emberi_wasm_unsupported(c, EMBERI_WASM_REFERENCES);
    if (type == 0x69 || type == 0x68)
        return emberi_wasm_unsupported(c, EMBERI_WASM_EXCEPTIONS);
    if (type >= 0x60 && type <= 0x74)
        return emberi_wasm_unsupported(c, EMBERI_WASM_GC);
    return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the module has a value of an unknown type, 0x%02x",
                            (unsigned)type);
}

/* ---- types and names ---- */

emberi_reader emberi_wasm_type(const emberi_wasm_module *module, uint32_t type)
{
    emberi_reader r = emberi_reader_init(module->wasm, module->sections[EMBERI_WASM_TYPE_SECTION].end);
    (void)emberi_reader_take(&r, module->sections[EMBERI_WASM_TYPE_SECTION].start);
    (void)emberi_wasm_u32(&r);
    for (;; type--) {
        (void)emberi_reader_u8(&r); /* 0x60 */
        if (type == 0 || !emberi_reader_ok(&r))
            return r;
        (void)emberi_reader_take(&r, emberi_wasm_u32(&r));
        (void)emberi_reader_take(&r, emberi_wasm_u32(&r));
    }
}

bool emberi_wasm_type_is_plain(const emberi_wasm_module *module, uint32_t type)
{
    emberi_reader r = emberi_wasm_type(module, type);
    uint32_t      params = emberi_wasm_u32(&r), results = emberi_wasm_u32(&r);
    return params == 0 && results == 0;
}

bool emberi_wasm_name(emberi_wasm_checker *c, const char **name, uint32_t *size, const char *what)
{
    uint32_t       length = emberi_wasm_u32(&c->r);
    const uint8_t *bytes = emberi_reader_take(&c->r, length);
    bool           legal = length >= 1 && length <= EMBERI_WASM_MAX_NAME;
    for (uint32_t i = 0; bytes != NULL && legal && i < length; i++) {
        uint8_t b = bytes[i];
        legal = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
    }
    if (bytes == NULL || !legal) {
        emberi_wasm_fail(c, EMBER_E_MALFORMED,
                         "the name of %s must be 1 to %d letters, digits and underscores, not '%.*s'", what,
                         EMBERI_WASM_MAX_NAME, bytes != NULL ? (int)(length < 40 ? length : 40) : 0,
                         bytes != NULL ? (const char *)bytes : "");
        return false;
    }
    *name = (const char *)bytes;
    *size = length;
    return true;
}
