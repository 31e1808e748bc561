/* SPDX-License-Identifier: MIT */
/* The interpreter as a machine: the traps and their texts, depth, fuel, NaNs, state, memory, and modules that
   are refused. What instructions compute is compared with the specification's tests and other engines in
   test_spec.py and test_random.py.
   Covers: interp_machine.c, interp_program.c, interp_translate.c, interp_operands.c, interp_emit.c,
   interp_blocks.c, interp_branches.c, interp_numbers.c, interp_memory.c, interp_host.c, interp_run.c. */
#include <time.h>

#include "engine/games.h"
#include "engine/interp/interp.h"
#include "engine/machine_internal.h"

static ember_machine *interp_load_with(const char *wat, const ember_machine_options *options)
{
    ember_machine *machine = NULL;
    ember_error    err = EMBER_ERROR_INIT;
    size_t         size;
    uint8_t       *wasm = game_assemble(wat, &size);
    if (emberi_interp_load(&machine, wasm, size, options, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    free(wasm);
    return machine;
}

static ember_machine *interp_load(const char *wat)
{
    ember_machine_options options = game_options();
    return interp_load_with(wat, &options);
}

static void traps_with(const char *body, const char *text)
{
    char wat[1200];
    snprintf(wat, sizeof(wat),
             "(module " GAME_ENV GAME_MEMORY
             "(type $v (func)) (table 3 funcref) (elem (i32.const 0) $random $f)"
             "(func $f (param i32)) (func (export \"init\") %s))",
             body);
    ember_machine *machine = interp_load(wat);
    ember_error    err = EMBER_ERROR_INIT, again = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_init(machine, &err), EMBER_E_TRAP);
    assert_string_equal(err.text, text);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &again), EMBER_E_ARG);
    ember_machine_unload(machine);
}

TEST(traps_have_the_texts_of_the_object_engine)
{
    static const char division[] = "integer division by zero, in init, frame 0",
                      overflow[] = "integer overflow, in init, frame 0",
                      memory[] = "memory access out of bounds, in init, frame 0",
                      indirect[] =
                          "an indirect call to no function, or to one of another type, in init, frame 0";
    traps_with("(drop (i32.div_u (i32.const 1) (i32.load (i32.const 0))))", division);
    traps_with("(drop (i64.rem_s (i64.const 1) (i64.load (i32.const 0))))", division);
    traps_with("(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))", overflow);
    traps_with("(drop (i64.trunc_f64_u (f64.const -1)))", overflow);
    traps_with("(drop (i32.trunc_f32_s (f32.const nan)))",
               "a number that is not one, converted to an integer, in init, frame 0");
    traps_with("unreachable", "unreachable code was reached: a failed assertion, an abort or a missing "
                              "return, in init, frame 0");
    traps_with("(i32.store (i32.const 65533) (i32.const 1))", memory);
    traps_with("(drop (i64.load offset=4294967295 (i32.const -1)))", memory);
    traps_with("(drop (f64.load offset=65529 (i32.const 0)))", memory);
    traps_with("(local i32) (drop (i32.load offset=8 (i32.add (local.get 0) (i32.const -4))))", memory);
    traps_with("(memory.fill (i32.const 65000) (i32.const 0) (i32.const 537))", memory);
    traps_with("(memory.copy (i32.const 0) (i32.const -1) (i32.const 2))", memory);
    for (int i = 0; i <= 4; i++) {
        char body[100];
        snprintf(body, sizeof(body), "(call_indirect (type $v) (i32.const %d))", i == 4 ? -1 : i);
        traps_with(body, indirect);
    }
    traps_with(
        "(call $log (i32.const 65530) (i32.const 10))",
        "log: WASM memory access violation: 10 bytes at 0x0000fffa, there are 65536, in init, frame 0");
}

TEST(an_overlong_call_ends_at_the_same_step_wherever_it_spends_them)
{
    static const char text[] =
        "the call took more than 1e-05 s or 1000 steps (an endless loop?), in init, frame 0";
    /* Fuel for a thousand units: branches back, calls, and 64 bytes that are copied or that a function of the
       host goes over. Then the count in memory. A clip of 4 bones is bound as matrices of 48 bytes. */
    static const struct {
        const char *body;
        uint32_t    count;
    } rows[] = {
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1))) (br 0))", 1001},
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(drop (call $random)) (br 0))",
         501},
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(memory.fill (i32.const 64) (i32.const 1) (i32.const 639)) (br 0))",
         101},
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(memory.copy (i32.const 64) (i32.const 128) (i32.const 63)) (br 0))",
         1001},
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(call $log (i32.const 64) (i32.const 703)) (br 0))",
         84},
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(call_indirect (param i32 i32) (i32.const 64) (i32.const 703) (i32.const 0)) (br 0))",
         84},
        {"(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(call $log (i32.const 64) (i32.const 63)) (br 0))",
         501},
        {"(local $clip i32) (i32.store8 (i32.const 64) (i32.const 4)) (i32.store8 (i32.const 66) (i32.const "
         "1))"
         "(local.set $clip (call $keyframes_load (i32.const 64) (i32.const 68)))"
         "(loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))"
         "(call $keyframe_bind (local.get $clip) (i32.const 0)) (br 0))",
         200},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ember_machine_options options = {.watchdog_s = 1000.0 / EMBERI_STEPS_PER_S};
        char                  wat[1400];
        uint32_t              size, count;
        ember_error           err = EMBER_ERROR_INIT;
        snprintf(wat, sizeof(wat),
                 "(module " GAME_ENV
                 "(import \"env\" \"keyframes_load\" (func $keyframes_load (param i32 i32) (result i32)))"
                 "(import \"env\" \"keyframe_bind\" (func $keyframe_bind (param i32 i32)))" GAME_MEMORY
                 "(table 1 funcref) (elem (i32.const 0) $log) (func (export \"init\") %s))",
                 rows[i].body);
        ember_machine *machine = interp_load_with(wat, &options);
        assert_int_equal(ember_machine_init(machine, &err), EMBER_E_TRAP);
        assert_string_equal(err.text, text);
        memcpy(&count, machine->ops->memory(machine, &size), sizeof(count));
        assert_int_equal(count, rows[i].count);
        ember_machine_unload(machine);
    }
}

TEST(large_frames_inside_each_other_end_at_the_bound_of_the_stack)
{
    /* 3,000 variables each: 2 Mi slots hold 699 of them and no more. */
    char  *wat = test_alloc(40000);
    size_t at = (size_t)sprintf(wat, "(module " GAME_MEMORY "(func $f (param i32) (local");
    for (int i = 0; i < 2999; i++)
        at += (size_t)sprintf(wat + at, " i64");
    sprintf(wat + at,
            ") (i32.store (i32.const 0) (local.get 0)) (call $f (i32.add (local.get 0) (i32.const 1))))"
            "(func (export \"init\") (call $f (i32.const 1))))");
    ember_machine *machine = interp_load(wat);
    ember_error    err = EMBER_ERROR_INIT;
    uint32_t       size, depth;
    assert_int_equal(ember_machine_init(machine, &err), EMBER_E_TRAP);
    assert_says(err.text, "went too deep");
    memcpy(&depth, machine->ops->memory(machine, &size), sizeof(depth));
    assert_in_range(depth, EMBERI_INTERP_SLOTS / 3010, EMBERI_INTERP_SLOTS / 3000);
    ember_machine_unload(machine);
    free(wat);
}

/* The stores show the bits that arithmetic left. */
TEST(nans_that_arithmetic_makes_are_canonical_and_others_keep_their_bits)
{
    ember_machine *machine = interp_load(
        "(module " GAME_MEMORY "(func (export \"init\") (local f32 f64)"
        "(local.set 0 (f32.const -nan:0x12345)) (local.set 1 (f64.const -nan:0x12345))"
        "(f32.store (i32.const 0) (local.get 0)) (f32.store (i32.const 4) (f32.add (local.get 0) (f32.const "
        "1)))"
        "(f32.store (i32.const 8) (f32.min (local.get 0) (f32.const 1)))"
        "(f32.store (i32.const 12) (f32.sqrt (f32.const -1))) (f32.store (i32.const 16) (f32.neg (local.get "
        "0)))"
        "(f32.store (i32.const 20) (f32.demote_f64 (local.get 1)))"
        "(f32.store (i32.const 24) (f32.nearest (local.get 0)))"
        "(f32.store (i32.const 28) (f32.sub (f32.mul (local.get 0) (f32.const 2)) (f32.const 1)))"
        "(f64.store (i32.const 32) (f64.promote_f32 (local.get 0))) (f64.store (i32.const 40) (local.get 1))"
        "(f64.store (i32.const 48) (f64.div (f64.const 0) (f64.const 0)))))");
    static const uint32_t floats[] = {0xff812345, 0x7fc00000, 0x7fc00000, 0x7fc00000,
                                      0x7f812345, 0x7fc00000, 0x7fc00000, 0x7fc00000};
    static const uint64_t doubles[] = {0x7ff8000000000000, 0xfff0000000012345, 0x7ff8000000000000};
    ember_error           err = EMBER_ERROR_INIT;
    uint32_t              size;
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    const uint8_t *memory = machine->ops->memory(machine, &size);
    for (size_t i = 0; i < 8; i++) {
        uint32_t bits;
        memcpy(&bits, memory + 4 * i, sizeof(bits));
        assert_int_equal(bits, floats[i]);
    }
    assert_memory_equal(memory + 32, doubles, sizeof(doubles));
    ember_machine_unload(machine);
}

TEST(the_state_is_variable_globals_and_dropped_segments)
{
    ember_machine *machine =
        interp_load("(module " GAME_MEMORY "(global i32 (i32.const 1)) (global (mut i32) (i32.const -2))"
                    "(global (mut f64) (f64.const 1)) (global (mut i64) (i64.const 3)) (data \"abc\")"
                    "(data (i32.const 8) \"def\") (func (export \"init\") (global.set 1 (i32.const -5))"
                    "(memory.init 0 (i32.const 0) (i32.const 0) (i32.const 3)) (data.drop 0))"
                    "(func (export \"update\") (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1))))");
    static const uint8_t before[] = {0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                     0,    0xf0, 0x3f, 3,    0, 0, 0, 0, 0, 0, 0, 0, 1};
    uint8_t              after[26];
    ember_error          err = EMBER_ERROR_INIT;
    uint32_t             size;
    assert_int_equal(machine->ops->state_size(machine), sizeof(before));
    machine->ops->state_save(machine, after);
    assert_memory_equal(after, before, sizeof(before));
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    machine->ops->state_save(machine, after);
    assert_int_equal(after[0], 0xfb);
    assert_int_equal(after[24], 1);
    assert_memory_equal(machine->ops->memory(machine, &size), "abc\0\0\0\0\0def", 11);
    /* Back before the drop: the segment can be copied again; after it, it cannot. */
    machine->ops->state_restore(machine, before);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
    machine->ops->state_restore(machine, after);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_TRAP);
    ember_machine_unload(machine);
}

TEST(memory_grows_in_place_and_comes_back_empty_after_a_restore)
{
    ember_machine *machine = interp_load(
        "(module (memory (export \"memory\") 1 3) (func (export \"update\")"
        "(if (i32.eq (memory.grow (i32.const 2)) (i32.const 1)) (then"
        "(if (i32.load (i32.const 131072)) (then unreachable)) (i32.store (i32.const 131072) (i32.const 1))))"
        "(if (i32.ne (memory.grow (i32.const 1)) (i32.const -1)) (then unreachable))))");
    ember_error     err = EMBER_ERROR_INIT;
    ember_snapshot *snapshot;
    uint32_t        size;
    const uint8_t  *memory = machine->ops->memory(machine, &size);
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
        assert_ptr_equal(machine->ops->memory(machine, &size), memory);
        assert_int_equal(size, 3 * 65536);
        assert_int_equal(ember_machine_restore(machine, snapshot), EMBER_OK);
    }
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(machine);
}

/* wat2wasm lets these through unchecked. */
TEST(operands_of_wrong_types_are_refused)
{
    static const char *const bodies[] = {
        "(drop (i32.add (i32.const 1) (f32.const 1)))",
        "i32.add drop",
        "(i32.const 1)",
        "drop",
        "(local f32) (local.set 0 (i32.const 1))",
        "(block (result i32) (f32.const 1)) drop",
        "(if (result i32) (i32.const 1) (then (i32.const 1))) drop",
        "(call $f (f32.const 1))",
        "(drop (select (i32.const 1) (f32.const 1) (i32.const 1)))",
        "(global.set 0 (i32.const 1))",
        "unreachable (f32.const 1) i32.eqz drop",
        "(block (result i32) (br 0)) drop",
        "i32.const 0 br_if 0 drop",
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        char                  wat[500];
        size_t                size;
        ember_machine_options options = game_options();
        ember_machine        *machine;
        ember_error           err = EMBER_ERROR_INIT;
        snprintf(wat, sizeof(wat),
                 "(module " GAME_MEMORY "(global i32 (i32.const 1)) (func $f (param i32)) (func (export "
                 "\"init\") %s))",
                 bodies[i]);
        uint8_t *wasm = game_assemble_with("--no-check", wat, &size);
        assert_int_equal(emberi_interp_load(&machine, wasm, size, &options, &err), EMBER_E_MALFORMED);
        assert_null(machine);
        assert_says(err.text, "function 1 of the module is not valid");
        free(wasm);
    }
}

/* 30,000 values below thousands of blocks; a branch table of many entries to labels that take values. */
TEST(translation_takes_time_by_the_size_of_the_module)
{
    char  *wat = test_alloc(3000000);
    size_t at = (size_t)sprintf(wat, "(module " GAME_MEMORY "(func (export \"init\") (local i32)");
    for (int i = 0; i < 30000; i++)
        at += (size_t)sprintf(wat + at, " local.get 0");
    for (int i = 0; i < 8000; i++)
        at += (size_t)sprintf(wat + at, " block end");
    for (int i = 0; i < 30000; i++)
        at += (size_t)sprintf(wat + at, " drop");
    at += (size_t)sprintf(wat + at, ") (func");
    for (int i = 0; i < 500; i++)
        at += (size_t)sprintf(wat + at, " (block (result i32)");
    at += (size_t)sprintf(wat + at, " i32.const 1 i32.const 2 br_table");
    for (int i = 0; i < 60000; i++)
        at += (size_t)sprintf(wat + at, " %d", i % 500);
    for (int i = 0; i < 500; i++)
        at += (size_t)sprintf(wat + at, ")");
    sprintf(wat + at, " drop))");
    size_t         size;
    uint8_t       *wasm = game_assemble(wat, &size);
    ember_machine *machine;
    ember_error    err = EMBER_ERROR_INIT;
    clock_t        start = clock();
    if (emberi_interp_load(&machine, wasm, size, NULL, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (took > 0.2)
        fail_msg("%g s for %zu bytes", took, size);
    ember_machine_unload(machine);
    free(wasm);
    free(wat);
}

typedef struct failing {
    int    left;
    size_t held;
} failing;

static void *failing_resize(void *user, void *memory, size_t old_size, size_t new_size)
{
    failing *f = user;
    if (new_size != 0 && f->left-- <= 0)
        return NULL;
    f->held += new_size - old_size;
    if (new_size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, new_size);
}

TEST(interp_load_survives_every_failing_allocation)
{
    size_t   size;
    uint8_t *wasm =
        game_assemble("(module " GAME_ENV GAME_MEMORY "(global (mut i32) (i32.const 0)) (table 2 funcref)"
                      "(elem (i32.const 0) $log) (data \"abc\") (func (export \"init\") (data.drop 0)"
                      "(f64.store (i32.const 0) (f64.const 3.5))))",
                      &size);
    bool loaded = false;
    for (int i = 0; i < 100 && !loaded; i++) {
        failing               f = {i, 0};
        ember_machine_options options = {.allocator = {failing_resize, &f}};
        ember_machine        *machine;
        ember_error           err = EMBER_ERROR_INIT;
        loaded = emberi_interp_load(&machine, wasm, size, &options, &err) == EMBER_OK;
        if (!loaded)
            assert_int_equal(err.status, EMBER_E_NOMEM);
        ember_machine_unload(machine);
        assert_int_equal(f.held, 0);
    }
    assert_true(loaded);
    free(wasm);
}
