/* SPDX-License-Identifier: MIT */
/* What a game may import: functions of "env" that the console has, with exactly its signatures. All that it
   lacks is reported together. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
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

/* ---- what is wrong with an import ---- */

/* The console's function whose name is nearest, or NULL if none is near. */
static const char *imports_near(const char *name, uint32_t size)
{
    const char *best = NULL;
    unsigned    best_distance = emberi_word_tolerance(size) + 1;
    for (size_t i = 0; i < HOST_COUNT; i++) {
        const char *candidate = host_functions[i].name;
        unsigned    distance = emberi_word_distance(name, size, candidate, strlen(candidate));
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

typedef struct imports_faults {
    char     list[180]; /* ": name (near: other), name" */
    size_t   used;
    uint32_t lacking, listed, odd;
    char     first[200]; /* what is wrong with the first that lacks; if none does, with the first odd one */
} imports_faults;

static void imports_list(imports_faults *all, const ember_import *import)
{
    char item[160];
    int  size = snprintf(item, sizeof(item), "%s%s%s%s%s", all->lacking == 0 ? "" : ", ", import->name,
                        import->near != NULL ? " (near: " : "", import->near != NULL ? import->near : "",
                        import->near != NULL ? ")" : "");
    if (all->lacking++ == 0)
        snprintf(all->first, sizeof(all->first), "%s", import->text);
    if (size < 0 || all->listed + 1 != all->lacking || all->used + (size_t)size >= sizeof(all->list) - 20)
        return;
    memcpy(all->list + all->used, item, (size_t)size + 1);
    all->used += (size_t)size;
    all->listed++;
}

/* Tells who wants to know, and keeps it for the failure. */
static void imports_report(emberi_wasm_checker *c, imports_faults *all, const ember_import *import)
{
    if (c->imports != NULL)
        c->imports->take(c->imports->user, import);
    if (import->fault == EMBER_IMPORT_MISSING || import->fault == EMBER_IMPORT_FOREIGN)
        imports_list(all, import);
    else if (import->fault == EMBER_IMPORT_SIGNATURE && all->odd++ == 0 && all->lacking == 0)
        snprintf(all->first, sizeof(all->first), "%s", import->text);
}

static ember_status imports_result(emberi_wasm_checker *c, const imports_faults *all)
{
    char more[32] = "";
    if (all->lacking == 0 && all->odd == 0)
        return EMBER_OK;
    if (all->lacking <= 1)
        return emberi_wasm_fail(c, all->lacking != 0 ? EMBER_E_UNSUPPORTED : EMBER_E_MALFORMED, "%s",
                                all->first);
    if (all->lacking > all->listed)
        snprintf(more, sizeof(more), ", %u more", (unsigned)(all->lacking - all->listed));
    return emberi_wasm_fail(c, EMBER_E_UNSUPPORTED,
                            "the console does not have %u of the game's imports: %s%s",
                            (unsigned)all->lacking, all->list, more);
}

/* ---- the section ---- */

static ember_status imports_function(emberi_wasm_checker *c, imports_faults *all, const char *name,
                                     uint32_t size)
{
    emberi_wasm_module  *m = c->module;
    uint32_t             type = emberi_wasm_u32(&c->r);
    const host_function *host = host_find(name, size);
    char                 shown[EMBERI_WASM_MAX_NAME + 1], text[232] = "";
    if (!emberi_reader_ok(&c->r) || type >= m->type_count)
        return emberi_wasm_fail(c, EMBER_E_MALFORMED, "the import %.*s has no type", (int)size, name);
    snprintf(shown, sizeof(shown), "%.*s", (int)size, name);
    ember_import import = {.name = shown, .text = text};
    if (host == NULL) {
        import.fault = EMBER_IMPORT_MISSING;
        import.near = imports_near(name, size);
        snprintf(text, sizeof(text), "the game imports %s, which the console does not have%s%s", shown,
                 import.near != NULL ? "; near: " : "", import.near != NULL ? import.near : "");
    } else if (!signature_equal(emberi_wasm_type(m, type), host->signature)) {
        signature_text wanted = signature_of_type(emberi_wasm_type(m, type)),
                       has = signature_of_host(host->signature);
        import.fault = EMBER_IMPORT_SIGNATURE;
        snprintf(text, sizeof(text), "the game imports %s as %s, the console has it as %s", host->name,
                 wanted.text, has.text);
    }
    imports_report(c, all, &import);
    m->import_count++;
    return EMBER_OK;
}

/* Of another module, or no function. The types of what is not a function are not read: it is the last import
   that is looked at. */
static ember_status imports_foreign(emberi_wasm_checker *c, imports_faults *all, const char *name,
                                    uint8_t kind)
{
    char text[232];
    snprintf(text, sizeof(text), "the game imports %s: only functions of env are offered%s", name,
             kind == 2   ? ", link without --import-memory"
             : kind == 1 ? ", link without --import-table"
                         : "");
    ember_import import = {.name = name, .fault = EMBER_IMPORT_FOREIGN, .text = text};
    imports_report(c, all, &import);
    if (kind != 0)
        return imports_result(c, all);
    (void)emberi_wasm_u32(&c->r); /* its type */
    return EMBER_OK;
}

ember_status emberi_wasm_check_imports(emberi_wasm_checker *c)
{
    imports_faults all = {"", 0, 0, 0, 0, ""};
    uint32_t       count = emberi_wasm_u32(&c->r);
    if (!emberi_reader_ok(&c->r) || count > EMBERI_WASM_MAX_FUNCTIONS)
        return emberi_wasm_fail(c, EMBER_E_LIMIT, "the game has %u imports, at most %d are allowed",
                                (unsigned)count, EMBERI_WASM_MAX_FUNCTIONS);
    for (uint32_t i = 0; i < count; i++) {
        const char *module, *name;
        uint32_t    module_size, size;
        char        whole[2 * EMBERI_WASM_MAX_NAME + 2];
        if (!emberi_wasm_name(c, &module, &module_size, "an import's module") ||
            !emberi_wasm_name(c, &name, &size, "an import"))
            return c->err->status;
        uint8_t kind = emberi_reader_u8(&c->r);
        if (!emberi_reader_ok(&c->r))
            return emberi_wasm_fail(c, EMBER_E_TRUNCATED, "cut off");
        bool ours = module_size == 3 && memcmp(module, "env", 3) == 0 && kind == 0;
        snprintf(whole, sizeof(whole), "%.*s.%.*s", (int)module_size, module, (int)size, name);
        ember_status status =
            ours ? imports_function(c, &all, name, size) : imports_foreign(c, &all, whole, kind);
        if (status != EMBER_OK)
            return status;
    }
    return imports_result(c, &all);
}
