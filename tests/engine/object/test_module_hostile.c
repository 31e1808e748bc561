/* SPDX-License-Identifier: MIT */
/* Games that mean harm: they are refused or they trap, and the host goes on.
   Covers: object_machine.c, object_memory.c. */
#include <pthread.h>

#include "console/functions.h"
#include "engine/games.h"

/* The console still runs a harmless game. */
static void assert_host_goes_on(void)
{
    ember_machine *machine = game_load("(module " GAME_ENV GAME_MEMORY
                                       "(func (export \"update\") (i32.store (i32.const 8) (call $frame))))");
    ember_error    err = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
    assert_int_equal(ember_machine_render(machine, &err), EMBER_OK);
    ember_machine_unload(machine);
}

TEST(names_with_c_code_never_reach_the_compiler)
{
    ember_error err =
        game_refused("", "(module (import \"env\" \"*/ __attribute__((constructor)) static void x(void) { "
                         "puts(\\\"owned\\\"); } /*\" (func))" GAME_MEMORY "(func (export \"init\")))");
    assert_says(err.text, "letters, digits and underscores");
    err = game_refused("", "(module " GAME_MEMORY "(func (export \"init\")) (func (export \"*/ "
                           "__attribute__((constructor)) static void x(void) { } /*\")))");
    assert_says(err.text, "letters, digits and underscores");
    /* Names of the debugging kind are dropped with their section. */
    static const char     evil[] = "(module $evil (memory $m (export \"memory\") 1)"
                                   " (func $__attribute__constructor (export \"init\") (local $main i32)))";
    size_t                size;
    uint8_t              *wasm = game_assemble_with("--debug-names", evil, &size);
    ember_machine        *machine;
    ember_machine_options options = game_options();
    ember_error           load = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &load), EMBER_OK);
    ember_machine_unload(machine);
    free(wasm);
    assert_host_goes_on();
}

TEST(memory_without_a_maximum_ends_at_four_mebibytes)
{
    /* Grows page by page; init traps if it gets more than 63 pages, or fewer. */
    ember_machine *machine =
        game_load("(module " GAME_MEMORY "(func (export \"init\") (local i32)"
                  "(block (loop (br_if 1 (i32.eq (memory.grow (i32.const 1)) (i32.const -1))) (local.set 0 "
                  "(i32.add (local.get 0) (i32.const 1))) (br 0)))"
                  "(if (i32.ne (local.get 0) (i32.const 63)) (then unreachable)) (if (i32.ne (memory.size) "
                  "(i32.const 64)) (then unreachable))"
                  "(if (i32.ne (memory.grow (i32.const -1)) (i32.const -1)) (then unreachable)) (i32.store "
                  "(i32.const 4194300) (i32.const 1)))"
                  "(func (export \"update\") (i32.store8 (i32.const 4194304) (i32.const 1))))");
    ember_error err = EMBER_ERROR_INIT;
    if (ember_machine_init(machine, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_TRAP);
    assert_says(err.text, "memory access out of bounds");
    ember_machine_unload(machine);
    assert_host_goes_on();
}

TEST(table_growth_is_refused)
{
    ember_error err =
        game_refused("", "(module " GAME_MEMORY "(table 1 funcref) (func (export \"init\") (drop (table.grow "
                         "0 (ref.null func) (i32.const 1000000)))))");
    assert_says(err.text, "-mno-reference-types");
    assert_host_goes_on();
}

/* ---- compile bombs ---- */

typedef struct text {
    char  *bytes;
    size_t size, room;
} text;

static void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void text_add(text *t, const char *format, ...)
{
    va_list arguments;
    if (t->room - t->size < 400) {
        t->room = t->room * 2 + 4096;
        t->bytes = realloc(t->bytes, t->room);
        assert_non_null(t->bytes);
    }
    va_start(arguments, format);
    t->size += (size_t)vsnprintf(t->bytes + t->size, t->room - t->size, format, arguments);
    va_end(arguments);
}

TEST(six_thousand_live_locals_are_refused_at_once)
{
    text t = {NULL, 0, 0};
    text_add(&t, "(module " GAME_ENV GAME_MEMORY "(func (export \"init\") (local");
    for (int i = 0; i < 6000; i++)
        text_add(&t, " i32");
    text_add(&t, ")");
    for (int i = 0; i < 6000; i++)
        text_add(&t, "(local.set %d (call $random))", i);
    text_add(&t, "))");
    ember_error err = game_refused("", t.bytes);
    assert_says(err.text, "more than 4000 local variables");
    free(t.bytes);
    assert_host_goes_on();
}

/* Six thousand values on the operand stack, which are no locals: the compiler is stopped by its time. */
TEST(a_compiler_that_takes_too_long_is_stopped)
{
    text t = {NULL, 0, 0};
    text_add(&t, "(module " GAME_ENV GAME_MEMORY "(func (export \"init\")");
    for (int i = 0; i < 20000; i++)
        text_add(&t, " (call $random)");
    for (int i = 1; i < 20000; i++)
        text_add(&t, i % 2 != 0 ? " i32.add" : " i32.mul");
    text_add(&t, " drop))");
    size_t                size;
    uint8_t              *wasm = game_assemble(t.bytes, &size);
    ember_machine        *machine;
    ember_machine_options options = game_options();
    ember_error           err = EMBER_ERROR_INIT;
    options.engine = EMBER_ENGINE_OBJECT;
    options.build_s = 1.0;
    options.cache_folder = "";
    assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_E_LIMIT);
    assert_says(err.text, "takes more than 1 s to compile");
    free(wasm);
    free(t.bytes);
    assert_host_goes_on();
}

typedef struct deep_run {
    ember_machine *machine;
    ember_status   status;
    ember_error    err;
} deep_run;

static void *deep_run_init(void *user)
{
    deep_run *run = user;
    run->status = ember_machine_init(run->machine, &run->err);
    return NULL;
}

/* Frames so large that the stack ends long before two thousand calls. */
TEST(recursion_with_large_frames_ends_before_the_stack_does)
{
    text t = {NULL, 0, 0};
    text_add(&t, "(module " GAME_ENV GAME_MEMORY "(func $f (param i32) (result i32) (local");
    for (int i = 0; i < 1500; i++)
        text_add(&t, " i64");
    text_add(&t, ")");
    for (int i = 1; i <= 1500; i++)
        text_add(&t, "(local.set %d (i64.extend_i32_u (call $random)))", i);
    /* It might end, and what it returns is stored, or the compiler would know that nothing is
       needed after it. */
    text_add(&t, "(if (i32.ne (call $random) (i32.const 7)) (then (local.set 0 (call $f (local.get 0)))))");
    for (int i = 1; i <= 1500; i++)
        text_add(
            &t,
            "(local.set 0 (i32.mul (i32.add (i32.wrap_i64 (local.get %d)) (local.get 0)) (i32.const 31)))",
            i);
    text_add(&t,
             "(local.get 0)) (func (export \"init\") (i32.store (i32.const 0) (call $f (i32.const 1)))))");
    ember_machine *machine = game_load(t.bytes);
    pthread_attr_t attributes;
    pthread_t      thread;
    deep_run       run = {machine, EMBER_OK, EMBER_ERROR_INIT};
    assert_int_equal(pthread_attr_init(&attributes), 0);
    /* this system's own may be without an end */
    assert_int_equal(pthread_attr_setstacksize(&attributes, 2 << 20), 0);
    assert_int_equal(pthread_create(&thread, &attributes, deep_run_init, &run), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(run.status, EMBER_E_TRAP);
    assert_says(run.err.text, "went too deep");
    pthread_attr_destroy(&attributes);
    ember_machine_unload(machine);
    free(t.bytes);
    assert_host_goes_on();
}

/* ---- every function with every bad number ---- */

/* A game that calls function `memory[0]` of all there are, with arguments from memory[4]: so the test can
   choose them. */
static char *every_function(void)
{
    text        t = {NULL, 0, 0};
    const char *signatures[] = {
#define SIGNATURE(result, name, signature, parameters, arguments) signature,
        EMBERI_HOST_FUNCTIONS(SIGNATURE)};
    const char *names[] = {
#define NAME(result, name, signature, parameters, arguments) #name,
        EMBERI_HOST_FUNCTIONS(NAME)};
    size_t count = sizeof(names) / sizeof(names[0]);
    text_add(&t, "(module ");
    for (size_t i = 0; i < count; i++) {
        text_add(&t, "(import \"env\" \"%s\" (func $f%zu (param", names[i], i);
        const char *s = signatures[i];
        for (; *s != '>'; s++)
            text_add(&t, *s == 'i' ? " i32" : " f32");
        text_add(&t, ") %s))",
                 s[1] == 'i'   ? "(result i32)"
                 : s[1] == 'f' ? "(result f32)"
                 : s[1] == 'l' ? "(result i64)"
                               : "");
    }
    text_add(&t, GAME_MEMORY "(func $all");
    for (size_t i = 0; i < count; i++) {
        const char *s = signatures[i];
        text_add(&t, "(if (i32.eq (i32.load (i32.const 0)) (i32.const %zu)) (then (call $f%zu", i, i);
        for (int k = 0; *s != '>'; s++, k++)
            text_add(&t, " (%s.load (i32.const %d))", *s == 'i' ? "i32" : "f32", 4 + 4 * k);
        text_add(&t, ")%s))", s[1] != '\0' ? " drop" : "");
    }
    text_add(&t, ") (func (export \"init\") (call $all)) (func (export \"update\") (call $all)) (func "
                 "(export \"render\") (call $all)))");
    return t.bytes;
}

static const uint32_t hostile_numbers[] = {0,           1,           2,           4,           65532,
                                           65535,       65536,       0x7fffffffu, 0x80000000u, 0x80000001u,
                                           0xffffffffu, 0xfffffffcu, 0x11000001u, 0x22000001u, 0x33000001u,
                                           0x44000001u, 0x7fc00000u, 0x7f800000u, 0x3f800000u};
enum { HOSTILE_COUNT = sizeof(hostile_numbers) / sizeof(hostile_numbers[0]), MAX_ARGUMENTS = 10 };

/* What the test puts into the game's memory before a call: where it is the snapshot knows, but the test
   writes through the game's own memory. */
#include "engine/machine_internal.h"

static void call_with(ember_machine *machine, const ember_snapshot *start, uint32_t function,
                      const uint32_t *arguments, ember_phase phase)
{
    uint32_t    size;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_restore(machine, start), EMBER_OK);
    uint8_t *memory = machine->ops->memory(machine, &size);
    memcpy(memory, &function, 4);
    memcpy(memory + 4, arguments, 4 * MAX_ARGUMENTS);
    ember_status status = phase == EMBER_PHASE_UPDATE ? ember_machine_update(machine, game_no_inputs, &err)
                                                      : ember_machine_render(machine, &err);
    assert_true(status == EMBER_OK || status == EMBER_E_TRAP);
    const char *place = phase == EMBER_PHASE_UPDATE ? ", in update, frame 1" : ", in render, frame 0";
    if (status != EMBER_OK && strstr(err.text, place) == NULL)
        fail_msg("%s", err.text);
}

#define COUNT_ONE(result, name, signature, parameters, arguments) +1
enum { FUNCTION_COUNT = 0 EMBERI_HOST_FUNCTIONS(COUNT_ONE) };

TEST(every_function_takes_every_bad_number)
{
    char           *wat = every_function();
    ember_machine  *machine = game_load(wat);
    ember_snapshot *start;
    test_random     random = {77};
    assert_int_equal(ember_snapshot_create(&start, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(start, machine), EMBER_OK);
    for (uint32_t function = 0; function < FUNCTION_COUNT; function++)
        for (int round = 0; round < 2 * (HOSTILE_COUNT + 60); round++) {
            uint32_t arguments[MAX_ARGUMENTS];
            for (int i = 0; i < MAX_ARGUMENTS; i++) /* first all the same, then mixed */
                arguments[i] =
                    hostile_numbers[round / 2 < HOSTILE_COUNT ? (uint32_t)round / 2
                                                              : test_random_u32(&random) % HOSTILE_COUNT];
            call_with(machine, start, function, arguments,
                      round % 2 != 0 ? EMBER_PHASE_UPDATE : EMBER_PHASE_RENDER);
        }
    ember_snapshot_destroy(start);
    ember_machine_unload(machine);
    free(wat);
    assert_host_goes_on();
}

/* Loading is for init, and a machine has one: so many machines. */
TEST(every_function_takes_every_bad_number_in_init)
{
    char                 *wat = every_function();
    size_t                size;
    uint8_t              *wasm = game_assemble(wat, &size);
    ember_machine_options options = game_options();
    for (uint32_t function = 0; function < FUNCTION_COUNT; function++)
        for (int i = 0; i < HOSTILE_COUNT; i++) {
            ember_machine *machine;
            ember_error    err = EMBER_ERROR_INIT;
            uint32_t       memory_size;
            assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
            uint8_t *memory = machine->ops->memory(machine, &memory_size);
            memcpy(memory, &function, 4);
            for (int k = 0; k < MAX_ARGUMENTS; k++)
                memcpy(memory + 4 + 4 * k, &hostile_numbers[i], 4);
            ember_status status = ember_machine_init(machine, &err);
            assert_true(status == EMBER_OK ||
                        (status == EMBER_E_TRAP && strstr(err.text, ", in init, frame 0") != NULL));
            ember_machine_unload(machine);
        }
    free(wasm);
    free(wat);
    assert_host_goes_on();
}
