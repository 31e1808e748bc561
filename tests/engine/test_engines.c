/* SPDX-License-Identifier: MIT */
/* The engines under one machine: they give the same states, a game changes from one to the other in the
   middle of itself and nothing shows it, and without a compiler it goes on.
   Covers: machine_load.c, object_behind.c. */
#include <time.h>

#include "engine/games.h"

/* Memory that grows, globals of each type, a segment that is dropped, random numbers, floats. */
static const char busy[] =
    "(module " GAME_ENV "(import \"env\" \"input_held\" (func $held (param i32) (result i32)))"
    "(memory (export \"memory\") 1 4)"
    "(global $a (mut i32) (i32.const 1)) (global $b (mut i64) (i64.const 2)) (global $c (mut f32) (f32.const "
    "0.5)) (global $d (mut f64) (f64.const 0.25)) (global $k i32 (i32.const 3)) (data $p \"once\") (data $q "
    "\"twice\")"
    "(func (export \"update\") (local $at i32)"
    " (local.set $at (i32.and (call $random) (i32.const 0xfffc)))"
    " (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (global.get $a)))"
    " (global.set $a (i32.add (i32.mul (global.get $a) (i32.const 31)) (call $held (i32.const 0))))"
    " (global.set $b (i64.add (global.get $b) (i64.extend_i32_u (call $frame))))"
    " (global.set $c (f32.div (f32.add (global.get $c) (f32.const 0.125)) (f32.sub (global.get $c) "
    "(f32.const "
    "1))))"
    " (global.set $d (f64.sqrt (f64.sub (f64.mul (global.get $d) (f64.const 1.5)) (f64.const 0.3))))"
    " (if (i32.eq (call $frame) (i32.const 4)) (then (memory.init $p (i32.const 100) (i32.const 0) "
    "(i32.const "
    "4)) (data.drop $p)))"
    " (if (i32.eq (call $frame) (i32.const 6)) (then (drop (memory.grow (i32.const 2))) (i32.store "
    "(i32.const "
    "196000) (global.get $a)))))"
    "(func (export \"render\") (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))))";

enum { FRAMES = 60 };

static ember_machine *load_on(const char *wat, ember_engine engine, const char *cache)
{
    ember_machine_options options = game_options();
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    size_t                size;
    uint8_t              *wasm = game_assemble(wat, &size);
    options.engine = engine;
    options.cache_folder = cache;
    if (ember_machine_load_wasm(&machine, wasm, size, &options, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    memset(wasm, 0xee, size); /* nobody looks at it any more */
    free(wasm);
    return machine;
}

static uint64_t hash_of(ember_machine *machine)
{
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
    uint64_t hash = ember_snapshot_hash(snapshot);
    ember_snapshot_destroy(snapshot);
    return hash;
}

static uint64_t run_frame(ember_machine *machine, uint32_t frame)
{
    ember_error    err = EMBER_ERROR_INIT;
    const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {frame * 7u};
    if (ember_machine_update(machine, inputs, &err) != EMBER_OK ||
        ember_machine_render(machine, &err) != EMBER_OK)
        fail_msg("frame %u: %s", (unsigned)frame, err.text);
    return hash_of(machine);
}

static void wait_a_moment(void)
{
    const struct timespec moment = {0, 5000000};
    nanosleep(&moment, NULL);
}

TEST(both_engines_give_the_same_hash_in_every_frame)
{
    ember_machine *a = load_on(busy, EMBER_ENGINE_INTERP, EMBER_TEST_CACHE),
                  *b = load_on(busy, EMBER_ENGINE_OBJECT, EMBER_TEST_CACHE);
    assert_int_equal(ember_machine_engine(a), EMBER_ENGINE_INTERP);
    assert_int_equal(ember_machine_engine(b), EMBER_ENGINE_OBJECT);
    assert_true(hash_of(a) == hash_of(b));
    for (uint32_t i = 0; i < FRAMES; i++)
        assert_true(run_frame(a, i) == run_frame(b, i));
    ember_machine_unload(a);
    ember_machine_unload(b);
}

TEST(a_snapshot_goes_from_one_engine_to_the_other_and_back)
{
    ember_machine *a = load_on(busy, EMBER_ENGINE_INTERP, EMBER_TEST_CACHE),
                  *b = load_on(busy, EMBER_ENGINE_OBJECT, EMBER_TEST_CACHE);
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    for (uint32_t i = 0; i < 12; i++) {
        uint64_t expected = run_frame(i % 2 == 0 ? a : b, i);
        assert_int_equal(ember_machine_save(snapshot, i % 2 == 0 ? a : b), EMBER_OK);
        assert_int_equal(ember_machine_restore(i % 2 == 0 ? b : a, snapshot), EMBER_OK);
        assert_true(hash_of(i % 2 == 0 ? b : a) == expected);
    }
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(a);
    ember_machine_unload(b);
}

/* With no cache, so that it is compiled behind: frame after frame until it has changed, wherever that is. */
TEST(changing_the_engine_in_the_middle_changes_nothing)
{
    ember_machine *reference = load_on(busy, EMBER_ENGINE_INTERP, NULL),
                  *machine = load_on(busy, EMBER_ENGINE_AUTO, "");
    uint32_t frame = 0, changed = 0;
    assert_int_equal(ember_machine_engine(machine), EMBER_ENGINE_INTERP);
    for (; frame < 20000 && (changed == 0 || frame < changed + FRAMES); frame++) {
        assert_true(run_frame(machine, frame) == run_frame(reference, frame));
        if (changed == 0 && ember_machine_engine(machine) == EMBER_ENGINE_OBJECT)
            changed = frame + 1;
        if (changed == 0)
            wait_a_moment();
    }
    assert_true(changed > 1);
    ember_machine_unload(machine);
    ember_machine_unload(reference);
}

TEST(a_rollback_over_the_change_is_no_desync)
{
    ember_machine  *machine = load_on(busy, EMBER_ENGINE_AUTO, "");
    ember_synctest *test;
    ember_error     err = EMBER_ERROR_INIT;
    uint32_t        after = 0;
    assert_int_equal(ember_synctest_create(&test, 8, ember_heap()), EMBER_OK);
    for (uint32_t i = 0; i < 20000 && after < 20; i++) {
        const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {i * 11u};
        if (ember_synctest_frame(test, machine, inputs, &err) != EMBER_OK)
            fail_msg("%s", err.text);
        after += ember_machine_engine(machine) == EMBER_ENGINE_OBJECT;
        if (after == 0)
            wait_a_moment();
    }
    assert_int_equal(after, 20);
    ember_synctest_destroy(test);
    ember_machine_unload(machine);
}

TEST(without_a_compiler_the_interpreter_goes_on)
{
    ember_machine_options options = game_options();
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    size_t                size;
    uint8_t              *wasm = game_assemble(busy, &size);
    options.engine = EMBER_ENGINE_AUTO;
    options.compiler = "no-such-compiler";
    assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
    for (uint32_t i = 0; i < 50; i++) {
        (void)run_frame(machine, i);
        wait_a_moment();
    }
    assert_int_equal(ember_machine_engine(machine), EMBER_ENGINE_INTERP);
    ember_machine_unload(machine);
    options.engine = EMBER_ENGINE_OBJECT;
    assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_E_UNSUPPORTED);
    free(wasm);
}

TEST(a_game_that_trapped_keeps_its_engine)
{
    ember_machine *machine = load_on("(module " GAME_MEMORY "(func (export \"update\") unreachable))",
                                     EMBER_ENGINE_AUTO, EMBER_TEST_CACHE);
    ember_error    err = EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_TRAP);
    ember_engine engine = ember_machine_engine(machine);
    for (int i = 0; i < 200; i++) {
        wait_a_moment();
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_ARG);
    }
    assert_int_equal(ember_machine_engine(machine), engine);
    ember_machine_unload(machine);
}

/* Loading waits for nothing, and neither does unloading while the compiler is at work. */
TEST(nobody_waits_for_the_compiler)
{
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < 10; i++)
        ember_machine_unload(load_on(busy, EMBER_ENGINE_AUTO, ""));
    clock_gettime(CLOCK_MONOTONIC, &end);
    double took = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    if (took > 5.0)
        fail_msg("ten machines took %g s", took);
}
