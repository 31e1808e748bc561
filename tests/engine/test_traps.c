/* SPDX-License-Identifier: MIT */
/* Every trap of a game, with a real module: one line that names what happened, the export and the frame; and
   the host goes on.
   Covers: machine.c. */
#include <time.h>

#include "games.h"

/* Runs init, one update and another; the one that is said to trap must, with that text. */
static void traps_in(const char *wat, ember_phase phase, const char *text)
{
    ember_machine *machine = game_load(wat);
    ember_error    err = EMBER_ERROR_INIT;
    ember_status   status = ember_machine_init(machine, &err);
    if (phase != EMBER_PHASE_INIT) {
        assert_int_equal(status, EMBER_OK);
        status = ember_machine_update(machine, game_no_inputs, &err);
    }
    if (phase == EMBER_PHASE_RENDER) {
        assert_int_equal(status, EMBER_OK);
        status = ember_machine_render(machine, &err);
    }
    assert_int_equal(status, EMBER_E_TRAP);
    assert_string_equal(err.text, text);
    /* It does not run on. */
    ember_error again = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &again), EMBER_E_ARG);
    ember_machine_unload(machine);

    /* Another game runs. */
    machine = game_load("(module " GAME_ENV GAME_MEMORY
                        "(func (export \"update\") (i32.store (i32.const 8) (call $frame))))");
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
    ember_machine_unload(machine);
}

TEST(a_division_by_zero_traps)
{
    traps_in("(module " GAME_MEMORY
             "(func (export \"init\") (drop (i32.div_u (i32.const 1) (i32.load (i32.const 0))))))",
             EMBER_PHASE_INIT, "integer division by zero, in init, frame 0");
    traps_in("(module " GAME_MEMORY
             "(func (export \"update\") (drop (i64.rem_s (i64.const 1) (i64.load (i32.const 0))))))",
             EMBER_PHASE_UPDATE, "integer division by zero, in update, frame 1");
}

TEST(an_integer_overflow_traps)
{
    traps_in("(module " GAME_MEMORY "(func (export \"init\") (drop (i32.div_s (i32.const 0x80000000) "
             "(i32.sub (i32.load (i32.const 0)) (i32.const 1))))))",
             EMBER_PHASE_INIT, "integer overflow, in init, frame 0");
    traps_in("(module " GAME_MEMORY "(func (export \"init\") (drop (i32.trunc_f32_s (f32.add (f32.load "
             "(i32.const 0)) (f32.const 1e10))))))",
             EMBER_PHASE_INIT, "integer overflow, in init, frame 0");
}

TEST(a_nan_made_an_integer_traps)
{
    traps_in("(module " GAME_MEMORY "(func (export \"render\") (drop (i32.trunc_f32_s (f32.div (f32.load "
             "(i32.const 0)) (f32.load (i32.const 0)))))))",
             EMBER_PHASE_RENDER, "a number that is not one, converted to an integer, in render, frame 1");
}

TEST(unreachable_traps)
{
    traps_in(
        "(module " GAME_MEMORY "(func (export \"render\") unreachable))", EMBER_PHASE_RENDER,
        "unreachable code was reached: a failed assertion, an abort or a missing return, in render, frame 1");
}

TEST(memory_out_of_bounds_traps_at_every_edge)
{
    static const char *const accesses[] = {
        "(i32.store (i32.const 65533) (i32.const 1))",
        "(i32.store8 (i32.const 65536) (i32.const 1))",
        "(drop (i32.load (i32.const -4)))",
        "(drop (i64.load offset=4294967295 (i32.const -1)))",
        "(drop (f64.load offset=65529 (i32.const 0)))",
        "(memory.fill (i32.const 65000) (i32.const 0) (i32.const 537))",
        "(memory.fill (i32.const 0) (i32.const 0) (i32.const -1))",
        "(memory.copy (i32.const 1) (i32.const 0) (i32.const 65536))",
        "(memory.copy (i32.const 0) (i32.const -1) (i32.const 2))",
    };
    for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++) {
        char wat[400];
        snprintf(wat, sizeof(wat), "(module " GAME_MEMORY "(func (export \"init\") %s))", accesses[i]);
        traps_in(wat, EMBER_PHASE_INIT, "memory access out of bounds, in init, frame 0");
    }
}

TEST(memory_up_to_the_edge_is_fine)
{
    ember_machine *machine =
        game_load("(module " GAME_MEMORY "(func (export \"init\") (i32.store (i32.const 65532) (i32.const "
                  "1)) (i64.store offset=65528 (i32.const 0) (i64.const 1))"
                  "(memory.fill (i32.const 65000) (i32.const 7) (i32.const 536)) (memory.copy (i32.const 0) "
                  "(i32.const 0) (i32.const "
                  "65536))))");
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    ember_machine_unload(machine);
}

TEST(a_bad_indirect_call_traps)
{
    static const char text[] = "an indirect call to no function, or to one of another type, in init, frame 0";
#define TABLE                                                                                                \
    "(type $v (func)) (type $i (func (param i32))) (table 3 funcref) (elem (i32.const 0) $random $f) (func " \
    "$f (param i32))"
    traps_in("(module " GAME_ENV GAME_MEMORY TABLE
             "(func (export \"init\") (call_indirect (type $v) (i32.const 0))))",
             EMBER_PHASE_INIT, text);
    traps_in("(module " GAME_ENV GAME_MEMORY TABLE
             "(func (export \"init\") (call_indirect (type $v) (i32.const 1))))",
             EMBER_PHASE_INIT, text);
    traps_in("(module " GAME_ENV GAME_MEMORY TABLE
             "(func (export \"init\") (call_indirect (type $v) (i32.const 2))))",
             EMBER_PHASE_INIT, text);
    traps_in("(module " GAME_ENV GAME_MEMORY TABLE
             "(func (export \"init\") (call_indirect (type $v) (i32.const 3))))",
             EMBER_PHASE_INIT, text);
    traps_in("(module " GAME_ENV GAME_MEMORY TABLE
             "(func (export \"init\") (call_indirect (type $v) (i32.const -1))))",
             EMBER_PHASE_INIT, text);
}

/* wasm2c 1.0.32 hands such a function another pointer than a direct call does. */
TEST(a_host_function_called_through_a_table_is_the_same_function)
{
    ember_machine *machine =
        game_load("(module " GAME_ENV GAME_MEMORY
                  "(type $r (func (result i32))) (table 1 funcref) (elem (i32.const 0) $frame)"
                  "(func (export \"update\") (if (i32.ne (call_indirect (type $r) (i32.const 0)) (call "
                  "$frame)) (then unreachable))"
                  "(if (i32.ne (call $frame) (i32.const 1)) (then unreachable))))");
    ember_error err = EMBER_ERROR_INIT;
    if (ember_machine_update(machine, game_no_inputs, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    ember_machine_unload(machine);
}

TEST(endless_recursion_traps)
{
    static const char text[] =
        "calls inside each other went too deep (an endless recursion?), in init, frame 0";
    traps_in("(module " GAME_MEMORY
             "(func $f (param i32) (result i32) (i32.add (i32.const 1) (call $f (local.get 0)))) (func "
             "(export \"init\") (drop (call $f (i32.const 1)))))",
             EMBER_PHASE_INIT, text);
    /* As a tail call, and of two through a table. */
    traps_in("(module " GAME_MEMORY "(func $f (call $f)) (func (export \"init\") (call $f)))",
             EMBER_PHASE_INIT, text);
    traps_in("(module " GAME_MEMORY "(type $v (func)) (table 2 funcref) (elem (i32.const 0) $a $b) (func $a "
             "(call_indirect (type $v) (i32.const 1)))"
             "(func $b (call_indirect (type $v) (i32.const 0))) (func (export \"init\") (call $a)))",
             EMBER_PHASE_INIT, text);
}

TEST(calls_two_thousand_deep_are_allowed_and_one_more_is_not)
{
    for (int depth = 1999; depth <= 2000; depth++) { /* and the export itself */
        char wat[400];
        snprintf(wat, sizeof(wat),
                 "(module " GAME_MEMORY "(func $f (param i32) (result i32) (if (result i32) (i32.le_s "
                 "(local.get 0) (i32.const 1)) (then (i32.const 0))"
                 "(else (i32.add (i32.const 1) (call $f (i32.sub (local.get 0) (i32.const 1)))))))"
                 "(func (export \"init\") (drop (call $f (i32.const %d)))))",
                 depth);
        ember_machine *machine = game_load(wat);
        ember_error    err = EMBER_ERROR_INIT;
        assert_int_equal(ember_machine_init(machine, &err), depth == 1999 ? EMBER_OK : EMBER_E_TRAP);
        if (depth == 2000)
            assert_string_equal(
                err.text, "calls inside each other went too deep (an endless recursion?), in init, frame 0");
        ember_machine_unload(machine);
    }
}

TEST(an_endless_loop_traps_wherever_it_spends_its_time)
{
    static const char *const bodies[] = {
        "(loop (br 0))",
        "(loop (drop (call $random)) (br 0))",
        "(drop (memory.grow (i32.const 63))) (loop (memory.fill (i32.const 0) (i32.const 1) (i32.const "
        "4194304)) (br 0))",
        "(drop (memory.grow (i32.const 63))) (loop (memory.copy (i32.const 0) (i32.const 1) (i32.const "
        "4194303)) (br 0))",
        "(loop (drop (memory.grow (i32.const 0))) (br 0))",
        "(loop (call $log (i32.const 1) (i32.const 60000)) (br 0))",
        "(local f32) (loop (local.set 0 (f32.floor (f32.sqrt (f32.nearest (local.get 0))))) (br 0))",
    };
    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        char wat[600];
        snprintf(wat, sizeof(wat), "(module " GAME_ENV GAME_MEMORY "(func (export \"init\") %s))", bodies[i]);
        ember_machine *machine = game_load(wat);
        ember_error    err = EMBER_ERROR_INIT;
        clock_t        start = clock(); /* processor time: the machine may be busy */
        assert_int_equal(ember_machine_init(machine, &err), EMBER_E_TRAP);
        double took = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_string_equal(
            err.text, "the call took more than 0.2 s or 20000000 steps (an endless loop?), in init, frame 0");
        if (took > (game_is_interpreted() ? 2.0 : 0.6))
            fail_msg("loop %zu ended after %g s", i, took);
        ember_machine_unload(machine);
    }
    traps_in("(module " GAME_MEMORY "(func (export \"update\") (loop (br 0))))", EMBER_PHASE_UPDATE,
             "the call took more than 0.2 s or 20000000 steps (an endless loop?), in update, frame 1");
}

TEST(a_bad_pointer_traps_with_the_functions_name)
{
    traps_in(
        "(module " GAME_ENV GAME_MEMORY
        "(func (export \"update\") (call $log (i32.const 65530) (i32.const 10))))",
        EMBER_PHASE_UPDATE,
        "log: WASM memory access violation: 10 bytes at 0x0000fffa, there are 65536, in update, frame 1");
}

TEST(memory_that_grew_is_known_to_the_host_at_once)
{
    ember_machine *machine =
        game_load("(module " GAME_ENV GAME_MEMORY "(func (export \"init\") (drop (memory.grow (i32.const "
                  "1))) (call $log (i32.const 131062) (i32.const 10))))");
    ember_error err = EMBER_ERROR_INIT;
    if (ember_machine_init(machine, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    ember_machine_unload(machine);
}

TEST(a_trapped_game_runs_again_from_a_snapshot)
{
    /* Traps in the third update. */
    ember_machine *machine =
        game_load("(module " GAME_ENV GAME_MEMORY
                  "(func (export \"update\") (if (i32.eq (call $frame) (i32.const 3)) (then unreachable))))");
    ember_error     err = EMBER_ERROR_INIT;
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_TRAP);
        err = (ember_error)EMBER_ERROR_INIT;
        assert_int_equal(ember_machine_restore(machine, snapshot), EMBER_OK);
    }
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(machine);
}
