/* SPDX-License-Identifier: MIT */
/* The check of modules: what games may be made of, each refusal with its own words, and no byte read beyond
   the end whatever the bytes are.
   Covers: module_basics.c, module_code.c, module_imports.c, module_strip.c. */
#include "engine/games.h"
#include "fixtures/prefix.h"

#define PLAIN "(func (export \"init\"))"

static ember_status check(const char *flags, const char *wat, ember_error *err)
{
    size_t   size;
    uint8_t *wasm = game_assemble_with(flags, wat, &size);
    *err = (ember_error)EMBER_ERROR_INIT;
    ember_status status = ember_wasm_check(wasm, size, err);
    free(wasm);
    return status;
}

static void accepts(const char *wat)
{
    ember_error err;
    if (check("", wat, &err) != EMBER_OK)
        fail_msg("%s: %s", wat, err.text);
}

static void refuses(const char *flags, const char *wat, ember_status status, const char *part)
{
    ember_error err;
    assert_int_equal(check(flags, wat, &err), status);
    assert_int_equal(err.status, status);
    assert_says(err.text, part);
}

TEST(plain_games_pass)
{
    accepts("(module " GAME_MEMORY PLAIN ")");
    accepts("(module " GAME_ENV GAME_MEMORY "(func (export \"update\")) (func (export \"render\")))");
    /* No maximum, and one beyond what the console has: the host has its own. */
    accepts("(module (memory (export \"memory\") 64)" PLAIN ")");
    accepts("(module (memory (export \"memory\") 0 65536)" PLAIN ")");
    /* Other exports are nobody's business. */
    accepts("(module " GAME_MEMORY PLAIN
            "(global (export \"__heap_base\") i32 (i32.const 66560)) (func (export \"helper\") "
            "(param i64) (result f64) (f64.const 1)) (table (export \"t\") 1 funcref))");
    /* One function under two names. */
    accepts("(module " GAME_MEMORY "(func (export \"init\") (export \"update\")))");
    /* Bulk memory, sign extension, saturating conversions, several results, passive data. */
    accepts("(module " GAME_MEMORY "(data $p \"abc\") (func $two (result i32 f32) (i32.const 1) (f32.const "
            "2)) (func (export \"init\") (local i32) "
            "(memory.init $p (i32.const 0) (i32.const 0) (i32.const 3)) (data.drop $p)"
            "(drop (i32.extend8_s (i32.const 200))) (drop (i32.trunc_sat_f32_s (f32.const 1e20))) (drop "
            "(drop (call $two)))"
            "(block (block (block (br_table 0 1 2 (local.get 0))))) (if (local.get 0) (then nop) (else nop)) "
            "(drop (select "
            "(result i64) (i64.const -1) (i64.const 1) (local.get 0))) (drop (memory.size)) ))");
}

TEST(no_module_is_told_from_a_broken_one)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_wasm_check("", 0, &err), EMBER_E_MALFORMED);
    assert_says(err.text, "no WebAssembly module");
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_wasm_check("\0asm\2\0\0\0", 8, &err), EMBER_E_VERSION);
    assert_says(err.text, "version 2");
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_wasm_check("\0asm\x0d\0\1\0", 8, &err), EMBER_E_VERSION);
    assert_says(err.text, "component");
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_wasm_check("\0asm\1\0\0\0", 8, &err), EMBER_E_MALFORMED);
    assert_says(err.text, "does not export its memory");
    assert_int_equal(ember_wasm_check("\0asm\1\0\0\0", 8, NULL), EMBER_E_MALFORMED);
}

TEST(imports_must_be_the_consoles)
{
    refuses("", "(module (import \"env\" \"keyframe_bind\" (func (param i32)))" GAME_MEMORY PLAIN ")",
            EMBER_E_MALFORMED,
            "imports keyframe_bind as (i32) -> (), the console has it as (i32, i32) -> ()");
    refuses("",
            "(module (import \"env\" \"delta_time\" (func (param i64 f64) (result i32)))" GAME_MEMORY PLAIN
            ")",
            EMBER_E_MALFORMED, "imports delta_time as (i64, f64) -> i32, the console has it as () -> f32");
    refuses("", "(module (import \"env\" \"random\" (func (result i32 i32)))" GAME_MEMORY PLAIN ")",
            EMBER_E_MALFORMED, "imports random as () -> i32, i32, the console has it as () -> i32");
    refuses("", "(module (import \"env\" \"system\" (func (param i32) (result i32)))" GAME_MEMORY PLAIN ")",
            EMBER_E_UNSUPPORTED, "imports system, which the console does not have");
    refuses("",
            "(module (import \"wasi_snapshot_preview1\" \"fd_write\" (func (param i32 i32 i32 i32) (result "
            "i32)))" GAME_MEMORY PLAIN ")",
            EMBER_E_UNSUPPORTED, "imports wasi_snapshot_preview1.fd_write: only functions of env");
    refuses("", "(module (import \"env\" \"memory\" (memory 1))" PLAIN ")", EMBER_E_UNSUPPORTED,
            "--import-memory");
    refuses("", "(module (import \"env\" \"t\" (table 1 funcref))" GAME_MEMORY PLAIN ")", EMBER_E_UNSUPPORTED,
            "--import-table");
    refuses("", "(module (import \"env\" \"g\" (global i32))" GAME_MEMORY PLAIN ")", EMBER_E_UNSUPPORTED,
            "only functions of env");
}

#define IMPORT(name, type) "(import \"env\" \"" name "\" (func" type "))"

TEST(all_missing_imports_are_listed_with_near_names)
{
    refuses("", "(module " IMPORT("keyframe_bnd", " (param i32 i32)") GAME_MEMORY PLAIN ")",
            EMBER_E_UNSUPPORTED,
            "imports keyframe_bnd, which the console does not have; near: keyframe_bind");
    /* A wrong signature between them does not hide the rest. */
    refuses("",
            "(module " IMPORT("darw_mesh", " (param i32)") IMPORT("random", "") IMPORT("system", "")
                IMPORT("delta_time", " (result f32)") "(import \"wasi\" \"exit\" (func))" IMPORT("puhs_trs",
                                                                                                 "")
                    GAME_MEMORY PLAIN ")",
            EMBER_E_UNSUPPORTED,
            "does not have 4 of the game's imports: darw_mesh (near: draw_mesh), system, wasi.exit, puhs_trs "
            "(near: push_trs)");
    /* More than fit on a line. */
    refuses("",
            "(module " IMPORT("first_of_many_names_that_are_long", "")
                IMPORT("second_of_many_names_that_are_long", "")
                    IMPORT("third_of_many_names_that_are_long", "")
                        IMPORT("fourth_of_many_names_that_are_long", "")
                            IMPORT("fifth_of_many_names_that_are_long", "")
                                IMPORT("sixth_of_many_names_that_are_long", "") GAME_MEMORY PLAIN ")",
            EMBER_E_UNSUPPORTED,
            "third_of_many_names_that_are_long, fourth_of_many_names_that_are_long, 2 more");
}

TEST(names_cannot_carry_code)
{
    refuses("", "(module (import \"env\" \"*/ int x = system(\\\"id\\\"); /*\" (func))" GAME_MEMORY PLAIN ")",
            EMBER_E_MALFORMED, "letters, digits and underscores");
    refuses("", "(module (import \"env\\n\" \"random\" (func (result i32)))" GAME_MEMORY PLAIN ")",
            EMBER_E_MALFORMED, "the name of an import's module");
    refuses("",
            "(module " GAME_MEMORY PLAIN
            "(func (export \"*/ __attribute__((constructor)) void f(void) { } /*\")))",
            EMBER_E_MALFORMED, "the name of an export");
    refuses("", "(module " GAME_MEMORY PLAIN "(func (export \"\")))", EMBER_E_MALFORMED,
            "the name of an export");
    refuses("", "(module " GAME_MEMORY PLAIN "(func (export \"a\\00b\")))", EMBER_E_MALFORMED,
            "the name of an export");
    refuses("",
            "(module " GAME_MEMORY PLAIN "(func (export \""
            "0123456789012345678901234567890123456789012345678901234567890123"
            "\")))",
            EMBER_E_MALFORMED, "1 to 63");
    accepts("(module " GAME_MEMORY PLAIN "(func (export \""
            "012345678901234567890123456789012345678901234567890123456789012"
            "\")))");
}

TEST(exports_must_be_as_the_console_wants_them)
{
    refuses("", "(module (memory 1)" PLAIN ")", EMBER_E_MALFORMED, "does not export its memory");
    refuses("", "(module" PLAIN ")", EMBER_E_MALFORMED, "does not export its memory");
    refuses("", "(module (func (export \"memory\"))" PLAIN "(memory 1))", EMBER_E_MALFORMED,
            "as memory that is none");
    refuses("", "(module " GAME_MEMORY ")", EMBER_E_MALFORMED, "none of init, update and render");
    refuses("", "(module " GAME_MEMORY "(func (export \"update\") (param i32)))", EMBER_E_MALFORMED,
            "void update(void)");
    refuses("", "(module " GAME_MEMORY "(func (export \"render\") (result i32) (i32.const 1)))",
            EMBER_E_MALFORMED, "void render(void)");
    refuses("", "(module " GAME_MEMORY "(global (export \"init\") i32 (i32.const 1)))", EMBER_E_MALFORMED,
            "as init that is no function");
    refuses("",
            "(module (import \"env\" \"push_identity\" (func $p)) (export \"init\" (func $p))" GAME_MEMORY
            ")",
            EMBER_E_MALFORMED, "as init that is no function of its own");
    refuses("--no-check", "(module " GAME_MEMORY PLAIN "(func (export \"x\")) (func (export \"x\")))",
            EMBER_E_MALFORMED, "exports x twice");
    refuses("", "(module " GAME_MEMORY PLAIN "(start 0))", EMBER_E_UNSUPPORTED, "start function");
}

TEST(limits_hold)
{
    refuses("", "(module (memory (export \"memory\") 65)" PLAIN ")", EMBER_E_LIMIT,
            "wants 4160 KiB of memory, the console has 4096");
    refuses("", "(module " GAME_MEMORY PLAIN "(table 65537 funcref))", EMBER_E_LIMIT,
            "a table of 65537 functions");
    refuses("--no-check", "(module " GAME_MEMORY PLAIN "(data (i32.const 65534) \"abc\"))", EMBER_E_MALFORMED,
            "data segment 0");
    refuses("--no-check", "(module " GAME_MEMORY PLAIN "(data (i32.const -1) \"abc\"))", EMBER_E_MALFORMED,
            "data segment 0");
    refuses("--no-check",
            "(module " GAME_MEMORY
            "(func $f (export \"init\")) (table 2 funcref) (elem (i32.const 1) $f $f))",
            EMBER_E_MALFORMED, "element segment 0");
    accepts("(module " GAME_MEMORY PLAIN "(data (i32.const 65533) \"abc\"))");
}

TEST(what_is_not_supported_is_named_with_the_flag_against_it)
{
    refuses("", "(module " GAME_MEMORY "(func (export \"init\") (drop (v128.const i32x4 0 0 0 0))))",
            EMBER_E_UNSUPPORTED, "SIMD, which the console does not run: build with -mno-simd128");
    refuses("", "(module " GAME_MEMORY "(func (export \"init\") (local v128)))", EMBER_E_UNSUPPORTED, "SIMD");
    refuses("", "(module " GAME_MEMORY PLAIN "(func (param v128)))", EMBER_E_UNSUPPORTED, "SIMD");
    refuses("--enable-threads",
            "(module " GAME_MEMORY "(func (export \"init\") (drop (i32.atomic.load (i32.const 0)))))",
            EMBER_E_UNSUPPORTED, "threads");
    refuses("--enable-threads", "(module (memory (export \"memory\") 1 2 shared)" PLAIN ")",
            EMBER_E_UNSUPPORTED, "-pthread");
    refuses("--enable-tail-call",
            "(module " GAME_MEMORY "(func $f) (func (export \"init\") (return_call $f)))",
            EMBER_E_UNSUPPORTED, "-mno-tail-call");
    refuses("--enable-memory64", "(module (memory (export \"memory\") i64 1)" PLAIN ")", EMBER_E_UNSUPPORTED,
            "64-bit memory");
    refuses("--enable-exceptions", "(module " GAME_MEMORY "(tag) " PLAIN ")", EMBER_E_UNSUPPORTED,
            "-fno-exceptions");
    refuses("--enable-exceptions",
            "(module " GAME_MEMORY "(func (export \"init\") (try (do nop) (catch_all nop))))",
            EMBER_E_UNSUPPORTED, "-fno-exceptions");
    refuses("--enable-extended-const",
            "(module " GAME_MEMORY PLAIN "(global i32 (i32.add (i32.const 1) (i32.const 2))))",
            EMBER_E_UNSUPPORTED, "-mno-extended-const");
    refuses("--enable-multi-memory", "(module " GAME_MEMORY "(memory 1)" PLAIN ")", EMBER_E_UNSUPPORTED,
            "more than one memory");
    refuses("", "(module " GAME_MEMORY PLAIN "(table 1 externref))", EMBER_E_UNSUPPORTED, "reference types");
    refuses("", "(module " GAME_MEMORY PLAIN "(table 1 funcref) (table 1 funcref))", EMBER_E_UNSUPPORTED,
            "2 tables");
    refuses("", "(module " GAME_MEMORY PLAIN "(global (mut funcref) (ref.null func)))", EMBER_E_UNSUPPORTED,
            "reference types");
    refuses("",
            "(module " GAME_MEMORY
            "(table 1 funcref) (func (export \"init\") (drop (table.grow 0 (ref.null func) (i32.const 1)))))",
            EMBER_E_UNSUPPORTED, "reference types");
    refuses(
        "",
        "(module " GAME_MEMORY
        "(table 1 funcref) (func (export \"init\") (table.copy (i32.const 0) (i32.const 0) (i32.const 1))))",
        EMBER_E_UNSUPPORTED, "change a table");
}

/* ---- bytes by hand ---- */

/* All but the code. */
/* clang-format off */
static const uint8_t base_module[] = {
    0, 'a', 's', 'm', 1, 0, 0, 0, /* magic, version */
    1, 4, 1, 0x60, 0, 0,          /* type 0: () -> () */
    3, 2, 1, 0,                   /* function 0 */
    5, 3, 1, 0, 1,                /* memory of one page */
    7, 17, 2, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0, 4, 'i', 'n', 'i', 't', 0, 0, /* exports */
};
/* clang-format on */

/* A module whose init has the body. */
static ember_status check_body(const uint8_t *body, size_t size, ember_error *err)
{
    uint8_t module[512];
    size_t  at = sizeof(base_module);
    memcpy(module, base_module, at);
    module[at++] = 10;
    module[at++] = (uint8_t)(size + 2);
    module[at++] = 1;
    module[at++] = (uint8_t)size;
    memcpy(module + at, body, size);
    uint8_t *exact = test_exact_copy(module, at + size);
    *err = (ember_error)EMBER_ERROR_INIT;
    ember_status status = ember_wasm_check(exact, at + size, err);
    free(exact);
    return status;
}

#define BODY(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

TEST(code_by_hand_is_refused_where_it_is_wrong)
{
    ember_error err;
    assert_int_equal(check_body(BODY(0, 0x0b), &err), EMBER_OK);
    assert_int_equal(check_body(BODY(0, 0x01), &err), EMBER_E_TRUNCATED);       /* no end */
    assert_int_equal(check_body(BODY(0, 0x0b, 0x0b), &err), EMBER_E_MALFORMED); /* behind the end */
    assert_int_equal(check_body(BODY(0, 0x05, 0x0b), &err), EMBER_E_MALFORMED); /* else without if */
    assert_int_equal(check_body(BODY(0, 0x02, 0x40, 0x05, 0x0b, 0x0b), &err), EMBER_E_MALFORMED);
    /* two of them */
    assert_int_equal(check_body(BODY(0, 0x41, 0, 0x04, 0x40, 0x05, 0x05, 0x0b, 0x0b), &err),
                     EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0x0c, 0, 0x0b), &err), EMBER_OK);
    /* branch out of the function */
    assert_int_equal(check_body(BODY(0, 0x0c, 1, 0x0b), &err), EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0x41, 0, 0x0e, 1, 0, 1, 0x0b), &err), EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0x20, 0, 0x1a, 0x0b), &err), EMBER_E_MALFORMED); /* no such local */
    assert_int_equal(check_body(BODY(1, 1, 0x7f, 0x20, 0, 0x1a, 0x0b), &err), EMBER_OK);
    /* no such global */
    assert_int_equal(check_body(BODY(0, 0x23, 0, 0x1a, 0x0b), &err), EMBER_E_MALFORMED);
    /* no such function */
    assert_int_equal(check_body(BODY(0, 0x10, 1, 0x0b), &err), EMBER_E_MALFORMED);
    /* no table */
    assert_int_equal(check_body(BODY(0, 0x11, 0, 0, 0x0b), &err), EMBER_E_MALFORMED);
    /* no such type */
    assert_int_equal(check_body(BODY(0, 0x02, 1, 0x0b, 0x0b), &err), EMBER_E_MALFORMED);
    /* aligned to 16 */
    assert_int_equal(check_body(BODY(0, 0x41, 0, 0x28, 4, 0, 0x1a, 0x0b), &err), EMBER_E_MALFORMED);
    /* another memory */
    assert_int_equal(check_body(BODY(0, 0x41, 0, 0x28, 0x42, 0, 0, 0x1a, 0x0b), &err), EMBER_E_UNSUPPORTED);
    assert_int_equal(check_body(BODY(0, 0x3f, 1, 0x1a, 0x0b), &err), EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0xfc, 18, 0x0b), &err), EMBER_E_MALFORMED); /* unknown */
    assert_int_equal(check_body(BODY(0, 0xc5, 0x0b), &err), EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0xff, 0x0b), &err), EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0xfc, 9, 0, 0x0b), &err), EMBER_E_MALFORMED); /* no data segments */
    assert_int_equal(check_body(BODY(0, 0xfd, 0x0b), &err), EMBER_E_UNSUPPORTED);
    assert_int_equal(check_body(BODY(0, 0xfb, 0x0b), &err), EMBER_E_UNSUPPORTED);
    assert_says(err.text, "garbage-collected");
}

TEST(numbers_are_read_to_their_last_bit)
{
    ember_error err;
    /* 2^31 - 1 */
    assert_int_equal(check_body(BODY(0, 0x41, 0xff, 0xff, 0xff, 0xff, 0x07, 0x1a, 0x0b), &err), EMBER_OK);
    /* -2^31 */
    assert_int_equal(check_body(BODY(0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x78, 0x1a, 0x0b), &err), EMBER_OK);
    /* 33 bits */
    assert_int_equal(check_body(BODY(0, 0x41, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x1a, 0x0b), &err),
                     EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x1a, 0x0b), &err),
                     EMBER_E_MALFORMED); /* six bytes */
    assert_int_equal(check_body(BODY(0, 0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f,
                                     0x1a, 0x0b),
                                &err),
                     EMBER_OK);
    assert_int_equal(check_body(BODY(0, 0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01,
                                     0x1a, 0x0b),
                                &err),
                     EMBER_E_MALFORMED);
    assert_int_equal(check_body(BODY(0, 0x41, 0, 0x28, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x1a, 0x0b), &err),
                     EMBER_OK); /* an offset of 2^32 - 1 */
    assert_int_equal(check_body(BODY(0, 0x41, 0, 0x28, 2, 0xff, 0xff, 0xff, 0xff, 0x1f, 0x1a, 0x0b), &err),
                     EMBER_E_MALFORMED);
    /* padded, as linkers do */
    assert_int_equal(check_body(BODY(0, 0x0c, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b), &err), EMBER_OK);
}

TEST(too_many_locals_are_refused)
{
    ember_error err;
    assert_int_equal(check_body(BODY(1, 0xa0, 0x1f, 0x7f, 0x0b), &err), EMBER_OK); /* 4000 */
    assert_int_equal(check_body(BODY(1, 0xa1, 0x1f, 0x7f, 0x0b), &err), EMBER_E_LIMIT);
    assert_says(err.text, "more than 4000 local variables");
    assert_int_equal(check_body(BODY(2, 0xa0, 0x1f, 0x7f, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x7e, 0x0b), &err),
                     EMBER_E_LIMIT);
    assert_int_equal(check_body(BODY(0xff, 0xff, 0xff, 0xff, 0x0f, 0x0b), &err), EMBER_E_TRUNCATED);
}

/* A module of `count` functions that declare 3,999 variables each and use none. */
static ember_status check_idle_locals(uint32_t count, ember_error *err)
{
    uint8_t              bytes[1024];
    static const uint8_t head[] = {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0},
                         body[] = {5, 1, 0x9f, 0x1f, 0x7f, 0x0b};
    size_t size = sizeof(head);
    assert_true(count < 128);
    memcpy(bytes, head, size);
    bytes[size++] = 3; /* functions, all of type 0 */
    bytes[size++] = (uint8_t)(count + 1);
    bytes[size++] = (uint8_t)count;
    memset(bytes + size, 0, count);
    size += count;
    bytes[size++] = 10; /* their code; its size takes two bytes */
    bytes[size++] = (uint8_t)(0x80 | ((1 + 6 * count) & 0x7f));
    bytes[size++] = (uint8_t)((1 + 6 * count) >> 7);
    bytes[size++] = (uint8_t)count;
    for (uint32_t i = 0; i < count; i++, size += sizeof(body))
        memcpy(bytes + size, body, sizeof(body));
    *err = (ember_error)EMBER_ERROR_INIT;
    return ember_wasm_check(bytes, size, err);
}

/* A compiler would take hundreds of megabytes over variables that cost a few bytes each. */
TEST(variables_that_no_code_can_use_are_refused)
{
    ember_error err;
    /* 15,996 are free; the module lacks what a game has, which is another matter */
    (void)check_idle_locals(4, &err);
    assert_null(strstr(err.text, "local variables"));
    assert_int_equal(check_idle_locals(5, &err), EMBER_E_LIMIT);
    assert_says(err.text, "more local variables than its code can use");
    assert_int_equal(check_idle_locals(100, &err), EMBER_E_LIMIT);
}

/* ---- every byte ---- */

/* A game with something in every section. */
static const char       rich[] =
    "(module " GAME_ENV GAME_MEMORY "(type $v (func)) (table 3 8 funcref) (elem (i32.const 0) $f $random) "
    "(global (mut i32) (i32.const 7)) (global f64 (f64.const 2.5))"
    "(data (i32.const 16) \"hello\") (data $p \"passive\") (func $f (param i32 f32) (result i32) (local "
    "i64 i64) (block (result i32) (i32.const 5)))"
    "(func (export \"init\") (drop (call $f (i32.const 1) (f32.const 2))) (memory.init $p (i32.const 0) "
    "(i32.const 0) (i32.const 3))"
    "(loop (br_if 0 (i32.const 0))) (call_indirect (type $v) (i32.const 0)))"
    "(func (export \"update\") (global.set 0 (call $random))) (func (export \"render\")))";

TEST(survives_every_prefix)
{
    size_t   size;
    uint8_t *wasm = game_assemble(rich, &size);
    assert_int_equal(ember_wasm_check(wasm, size, NULL), EMBER_OK);
    for (fixture_prefix p = fixture_prefixes(wasm, size); fixture_prefix_next(&p);) {
        ember_error err = EMBER_ERROR_INIT;
        assert_int_not_equal(ember_wasm_check(p.data, p.size, &err), EMBER_OK);
        assert_int_not_equal(err.text[0], '\0');
        assert_null(strchr(err.text, '\n'));
    }
    free(wasm);
}

TEST(survives_every_flipped_bit_and_every_byte_set)
{
    size_t   size;
    uint8_t *wasm = game_assemble(rich, &size);
    for (size_t i = 0; i < size; i++) {
        uint8_t kept = wasm[i];
        for (unsigned value = 0; value < 256; value++) {
            ember_error err = EMBER_ERROR_INIT;
            wasm[i] = (uint8_t)value;
            ember_status status = ember_wasm_check(wasm, size, &err);
            assert_int_equal(status == EMBER_OK, err.text[0] == '\0');
        }
        wasm[i] = kept;
    }
    free(wasm);
}

TEST(sections_in_the_wrong_order_or_twice_are_refused)
{
    uint8_t     module[64];
    ember_error err = EMBER_ERROR_INIT;
    memcpy(module, base_module, 14);
    memcpy(module + 14, base_module + 8, 6); /* types again */
    assert_int_equal(ember_wasm_check(module, 20, &err), EMBER_E_MALFORMED);
    assert_says(err.text, "wrong order");
    memcpy(module + 8, base_module + 14, 4); /* functions before types */
    memcpy(module + 12, base_module + 8, 6);
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_wasm_check(module, 18, &err), EMBER_E_MALFORMED);
}
