/* SPDX-License-Identifier: MIT */
/* The check of a WASM module before anything else touches it: what wasm2c, the C compiler and the loader may
   be shown. It walks over every byte but the contents of custom sections; types of operands are left to
   wasm2c's own validator, which runs in a limited process. */
#ifndef EMBER_ENGINE_MODULE_CHECK_H
#define EMBER_ENGINE_MODULE_CHECK_H

#include "base/bytes.h"
#include "ember/format.h"
#include "ember/machine.h"

/* More than games need, less than it takes to keep a compiler busy for minutes. */
enum {
    EMBERI_WASM_MAX_TYPES = 2048,
    EMBERI_WASM_MAX_PARAMS = 200, /* of a signature; results too */
    EMBERI_WASM_MAX_FUNCTIONS = 20000,
    EMBERI_WASM_MAX_LOCALS = 4000, /* of a function, with its parameters */
    /* of all functions, beside one for each byte of code: who uses a variable spends more */
    EMBERI_WASM_FREE_LOCALS = 16000,
    EMBERI_WASM_MAX_NESTING = 2000,
    EMBERI_WASM_MAX_BODY = 128 << 10,
    EMBERI_WASM_MAX_CODE = 2 << 20,
    EMBERI_WASM_MAX_GLOBALS = 1000,
    EMBERI_WASM_MAX_EXPORTS = 1000,
    EMBERI_WASM_MAX_SEGMENTS = 20000, /* of data or elements */
    EMBERI_WASM_MAX_TABLE = 65536,
    EMBERI_WASM_MAX_NAME = 63,
    EMBERI_WASM_PAGE = 65536,
    EMBERI_WASM_MAX_PAGES = EMBER_CONSOLE_MEMORY / 65536,
    EMBERI_WASM_MAX_SIZE = 16 << 20
};

/* The numbers that sections have in the format. */
enum {
    EMBERI_WASM_CUSTOM_SECTION = 0,
    EMBERI_WASM_TYPE_SECTION,
    EMBERI_WASM_IMPORT_SECTION,
    EMBERI_WASM_FUNCTION_SECTION,
    EMBERI_WASM_TABLE_SECTION,
    EMBERI_WASM_MEMORY_SECTION,
    EMBERI_WASM_GLOBAL_SECTION,
    EMBERI_WASM_EXPORT_SECTION,
    EMBERI_WASM_START_SECTION,
    EMBERI_WASM_ELEMENT_SECTION,
    EMBERI_WASM_CODE_SECTION,
    EMBERI_WASM_DATA_SECTION,
    EMBERI_WASM_DATA_COUNT_SECTION,
    EMBERI_WASM_TAG_SECTION
};

enum { EMBERI_WASM_SECTIONS = EMBERI_WASM_TAG_SECTION };

/* What is known of a module that passed. */
typedef struct emberi_wasm_module {
    const uint8_t *wasm;
    size_t         size;
    struct emberi_wasm_span {
        size_t start, end; /* of the contents; both 0 where there is no such section */
    } sections[EMBERI_WASM_SECTIONS];
    uint32_t type_count, function_count, import_count; /* functions: imported ones first, all of them */
    uint32_t longest_type;                             /* parameters and results together */
    uint32_t global_count, export_count, data_count;
    uint32_t pages, max_pages; /* at the start, and how far the memory may grow */
    uint32_t table_size;       /* of the only table */
    bool     has_memory, has_table, has_data_count;
    /* its code copies or drops data segments; else they matter only at the start */
    bool     uses_segments;
    int32_t  exports[EMBER_PHASE_COUNT]; /* function index, by phase; -1: not exported */
    bool     exports_memory;
    uint8_t  params[EMBERI_WASM_MAX_TYPES];           /* how many, by type */
    uint8_t  mutable_widths[EMBERI_WASM_MAX_GLOBALS]; /* bytes of a global that can change: 4, 8; else 0 */
} emberi_wasm_module;

ember_status emberi_wasm_check(emberi_wasm_module *out, const void *wasm, size_t size, ember_error *err);

/* Appends the module with nothing in it that does not matter to the compiler: no custom sections, of the
   exports only those of the console, and no data unless the code uses its segments. So a game that only
   changed its data need not be compiled again. */
ember_status emberi_wasm_strip(ember_buffer *out, const emberi_wasm_module *module, ember_error *err);

/* Puts the data where it belongs in memory of the module's first size. Nothing to do where
   strip left it in. */
void emberi_wasm_put_data(const emberi_wasm_module *module, uint8_t *memory);

/* The data segments one by one, of a module that was checked: data_count of them, or as many as there are. */
typedef struct emberi_wasm_segment {
    bool           passive; /* copied by the game's code, not at the start */
    uint32_t       start, size;
    const uint8_t *bytes;
} emberi_wasm_segment;

/* Behind the section's count; at the end where there is no section. */
emberi_reader       emberi_wasm_data(const emberi_wasm_module *module);
emberi_wasm_segment emberi_wasm_next_segment(emberi_reader *r);

/* ---- between the files of the check ---- */

typedef struct emberi_wasm_checker {
    emberi_wasm_module  *module;
    emberi_reader        r;
    ember_error         *err;
    const ember_imports *imports;                  /* who is told of each import; or NULL */
    size_t               local_count, local_limit; /* variables of all functions so far */
} emberi_wasm_checker;

/* LEB128 of at most 32 or 64 bits. A number that is too long or cut off makes the reader fail; look at it
   before using the value. */
uint32_t emberi_wasm_u32(emberi_reader *r);
int32_t  emberi_wasm_s32(emberi_reader *r);
int64_t  emberi_wasm_s64(emberi_reader *r);
int64_t  emberi_wasm_s33(emberi_reader *r);

/* Fails at the reader's place: with what the reader found wrong, or else with the text. */
ember_status emberi_wasm_fail(emberi_wasm_checker *c, ember_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "uses SIMD, which the console does not run: build with -mno-simd128" */
typedef enum emberi_wasm_feature {
    EMBERI_WASM_SIMD,
    EMBERI_WASM_THREADS,
    EMBERI_WASM_TAIL_CALLS,
    EMBERI_WASM_MEMORY64,
    EMBERI_WASM_EXCEPTIONS,
    EMBERI_WASM_EXTENDED_CONST,
    EMBERI_WASM_REFERENCES,
    EMBERI_WASM_TABLE_CHANGES,
    EMBERI_WASM_MULTI_MEMORY,
    EMBERI_WASM_GC
} emberi_wasm_feature;
ember_status emberi_wasm_unsupported(emberi_wasm_checker *c, emberi_wasm_feature feature);

/* One of the four numeric types. */
ember_status emberi_wasm_value_type(emberi_wasm_checker *c);

/* The code section, the reader being at its start. */
ember_status emberi_wasm_check_code(emberi_wasm_checker *c);

/* The import section: functions of "env" that the console has, with its signatures. */
ember_status emberi_wasm_check_imports(emberi_wasm_checker *c);

/* Whether a type is () -> (). The index is in range. */
bool emberi_wasm_type_is_plain(const emberi_wasm_module *module, uint32_t type);

/* A reader of the type's parameters and results: count, types, count, types. */
emberi_reader emberi_wasm_type(const emberi_wasm_module *module, uint32_t type);

/* A name that may become part of C code. False and failed otherwise. */
bool emberi_wasm_name(emberi_wasm_checker *c, const char **name, uint32_t *size, const char *what);

#endif
