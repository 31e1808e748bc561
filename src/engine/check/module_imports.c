/* SPDX-License-Identifier: MIT */
/* What a game may import: functions of "env" that the console has, with exactly its signatures. */
#include <string.h>

#include "console/functions.h"
#include "engine/check/module_check.h"

typedef struct host_function {
    const char *name, *signature; /* "ii>i" */
} host_function;

#define HOST_ROW(result, name, signature, parameters, arguments) {#name, signature},
static const host_function host_functions[] = {EMBERI_HOST_FUNCTIONS(HOST_ROW)};
#undef HOST_ROW

enum { HOST_COUNT = sizeof(host_functions) / sizeof(host_functions[0]) };

typedef struct signature_text {
    char text[72];
} signature_text;

static size_t signature_add(signature_text *out, size_t at, const char *word)
{
    size_t size = strlen(word), room = sizeof(out->text) - 5; /* for "..." */
    if (at >= room)
        return at;
    if (at + size > room) {
        word = "...";
        size = 3;
    }
    memcpy(out->text + at, word, size + 1);
    return word[0] == '.' ? room : at + size;
}

/* "(i32, f32) -> i32" of a module's type. */
static signature_text signature_of_type(emberi_reader r)
{
    static const char *const names[] = {"f64", "f32", "i64", "i32"};
    signature_text           out = {""};
    size_t                   at = signature_add(&out, 0, "(");
    for (int part = 0; part < 2; part++) {
        uint32_t count = emberi_wasm_u32(&r);
        if (part == 1)
            at = signature_add(&out, at, count == 0 ? ") -> ()" : ") -> ");
        for (uint32_t i = 0; i < count; i++) {
            uint8_t type = emberi_reader_u8(&r);
            at = signature_add(&out, at, i != 0 ? ", " : "");
            at = signature_add(&out, at, names[(type - 0x7cu) & 3u]);
        }
    }
    return out;
}

static signature_text signature_of_host(const char *signature)
{
    signature_text out = {""};
    size_t         at = signature_add(&out, 0, "(");
    bool           first = true;
    for (const char *s = signature; *s != '\0'; s++) {
        if (*s == '>') {
            at = signature_add(&out, at, s[1] != '\0' ? ") -> " : ") -> ()");
            first = true;
            continue;
        }
        at = signature_add(&out, at, first ? "" : ", ");
        at = signature_add(&out, at, *s == 'i' ? "i32" : *s == 'f' ? "f32" : "i64");
        first = false;
    }
    return out;
}

/* A letter's type in the module. */
static uint8_t signature_type(char letter) { return letter == 'i' ? 0x7f : letter == 'f' ? 0x7d : 0x7e; }

static bool signature_equal(emberi_reader r, const char *signature)
{
    for (int part = 0; part < 2; part++) {
        uint32_t count = emberi_wasm_u32(&r);
        for (uint32_t i = 0; i < count; i++, signature++)
            if (*signature == '\0' || *signature == '>' || emberi_reader_u8(&r) != signature_type(*signature))
                return false;
        if (part == 0 && *signature++ != '>')
            return false;
    }
    return *signature == '\0';
}

static const host_function *host_find(const char *name, uint32_t size)
{
    for (size_t i = 0; i < HOST_COUNT; i++)
        if (strlen(host_functions[i].name) == size && memcmp(host_functions[i].name, name, size) == 0)
            return &host_functions[i];
    return NULL;
}

static ember_status imports_function(emberi_wasm_checker *c, const char *name, uint32_t size)
{
    emberi_wasm_module  *m = c->module;
    uint32_t             type = emberi_wasm_u32(&c->r);
    const host_function *host = host_find(name, size);
    if (!emberi_reader_ok(&c->r) || type >= m->type_count)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the import %.*s has no type", (int)size, name);
    if (host == NULL)
        return emberi_wasm_fail(c, EMBER_E_UNSUPPORTED,
                                "the game imports %.*s, which the console does not have", (int)size, name);
    if (!signature_equal(emberi_wasm_type(m, type), host->signature)) {
        signature_text wanted = signature_of_type(emberi_wasm_type(m, type)),
                       has = signature_of_host(host->signature);
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the game imports %s as %s, the console has it as %s",
                                host->name, wanted.text, has.text);
    }
    m->import_count++;
    return EMBER_OK;
}

ember_status emberi_wasm_check_imports(emberi_wasm_checker *c)
{
    uint32_t count = emberi_wasm_u32(&c->r);
    if (!emberi_reader_ok(&c->r) || count > EMBERI_WASM_MAX_FUNCTIONS)
        return emberi_wasm_fail(c, EMBER_E_LIMIT, "the game has %u imports, at most %d are allowed",
                                (unsigned)count, EMBERI_WASM_MAX_FUNCTIONS);
    for (uint32_t i = 0; i < count; i++) {
        const char *module, *name;
        uint32_t    module_size, size;
        if (!emberi_wasm_name(c, &module, &module_size, "an import's module") ||
            !emberi_wasm_name(c, &name, &size, "an import"))
            return c->err->status;
        uint8_t kind = emberi_reader_u8(&c->r);
        if (!emberi_reader_ok(&c->r))
            return emberi_wasm_fail(c, EMBER_E_TRUNCATED, "cut off");
        if (module_size != 3 || memcmp(module, "env", 3) != 0 || kind != 0)
            return emberi_wasm_fail(c, EMBER_E_UNSUPPORTED,
                                    "the game imports %.*s.%.*s: only functions of env are offered%s",
                                    (int)module_size, module, (int)size, name,
                                    kind == 2   ? ", link without --import-memory"
                                    : kind == 1 ? ", link without --import-table"
                                                : "");
        ember_status status = imports_function(c, name, size);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}
