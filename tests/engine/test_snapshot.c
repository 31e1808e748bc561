/* SPDX-License-Identifier: MIT */
/* Snapshots: everything a game's next frame depends on comes back, the hash tells, nothing is allocated after
   the first time; and the test of rollback that is built on them.
   Covers: synctest.c. */
#include <malloc.h>
#include <time.h>

#include "engine/machine_internal.h"
#include "fixtures/allocator.h"
#include "games.h"

/* Memory, a global of each type, a dropped segment, memory that grows in frame 3; random numbers decide what
   is written. */
static const char busy[] =
    "(module " GAME_ENV "(import \"env\" \"input_held\" (func $held (param i32) (result i32)))" GAME_MEMORY
    "(global $a (mut i32) (i32.const 1)) (global $b (mut i64) (i64.const 2)) (global $c (mut f32) (f32.const "
    "0.5)) (global $d "
    "(mut f64) (f64.const 0.25)) (data $p \"once\")"
    "(func (export \"update\") (local $at i32)"
    " (local.set $at (i32.and (call $random) (i32.const 0xfffc)))"
    " (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (global.get $a)))"
    " (global.set $a (i32.add (i32.mul (global.get $a) (i32.const 31)) (call $held (i32.const 0))))"
    " (global.set $b (i64.add (global.get $b) (i64.extend_i32_u (call $frame))))"
    " (global.set $c (f32.add (global.get $c) (f32.const 0.125)))"
    " (global.set $d (f64.mul (global.get $d) (f64.const 1.5)))"
    " (if (i32.eq (call $frame) (i32.const 2)) (then (memory.init $p (i32.const 100) (i32.const 0) "
    "(i32.const 4)) (data.drop "
    "$p)))"
    " (if (i32.eq (call $frame) (i32.const 3)) (then (drop (memory.grow (i32.const 2))) (i32.store "
    "(i32.const 196000) "
    "(global.get $a)))))"
    "(func (export \"render\") (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))))";

static uint64_t state_hash(ember_machine *machine)
{
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
    uint64_t hash = ember_snapshot_hash(snapshot);
    ember_snapshot_destroy(snapshot);
    return hash;
}

static void run_frames(ember_machine *machine, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ember_error    err = EMBER_ERROR_INIT;
        const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {(first + i) * 7u};
        if (ember_machine_update(machine, inputs, &err) != EMBER_OK ||
            ember_machine_render(machine, &err) != EMBER_OK)
            fail_msg("%s", err.text);
    }
}

TEST(a_restored_game_goes_the_same_way)
{
    ember_machine  *machine = game_load(busy);
    ember_snapshot *snapshot;
    ember_error     err = EMBER_ERROR_INIT;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    for (uint32_t at = 0; at < 6; at++) { /* before and after the segment is dropped and the memory grows */
        assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
        uint64_t before = ember_snapshot_hash(snapshot);
        run_frames(machine, at, 8);
        uint64_t after = state_hash(machine);
        assert_true(after != before);
        assert_int_equal(ember_machine_restore(machine, snapshot), EMBER_OK);
        assert_true(state_hash(machine) == before);
        run_frames(machine, at, 8);
        assert_true(state_hash(machine) == after);
        assert_int_equal(ember_machine_restore(machine, snapshot), EMBER_OK);
        run_frames(machine, at, 1);
    }
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(machine);
}

/* One that writes a global, one byte, or takes a random number, and nothing else. */
TEST(every_kind_of_change_changes_the_hash)
{
    static const char *const changes[] = {
        "(global.set $a (i32.const 5))",
        "(global.set $b (i64.const 0x100000000))",
        "(global.set $c (f32.const 2))",
        "(global.set $d (f64.const 2))",
        "(i32.store8 (i32.const 65535) (i32.const 1))",
        "(drop (call $random))",
        "(data.drop $p)",
        "(drop (memory.grow (i32.const 1)))",
    };
    for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        char wat[1000];
        snprintf(wat, sizeof(wat),
                 "(module " GAME_ENV GAME_MEMORY "(global $a (mut i32) (i32.const 1)) (global $b (mut i64) "
                 "(i64.const 2)) (global $c (mut f32) (f32.const 0.5))"
                 "(global $d (mut f64) (f64.const 0.25)) (data $p \"once\") (func (export \"init\")) (func "
                 "(export \"render\") %s))",
                 changes[i]);
        ember_machine *machine = game_load(wat);
        ember_error    err = EMBER_ERROR_INIT;
        uint64_t       before = state_hash(machine);
        assert_true(state_hash(machine) == before);
        assert_int_equal(ember_machine_render(machine, &err), EMBER_OK);
        assert_true(state_hash(machine) != before);
        ember_machine_unload(machine);
    }
}

TEST(memory_that_had_grown_is_gone_after_a_restore)
{
    ember_machine *machine =
        game_load("(module " GAME_MEMORY "(func (export \"init\") (drop (memory.grow (i32.const 1))) "
                  "(i32.store (i32.const 65536) (i32.const 7)))"
                  "(func (export \"update\") (drop (i32.load (i32.const 65536))))"
                  "(func (export \"render\") (drop (memory.grow (i32.const 1))) (if (i32.load (i32.const "
                  "65536)) (then unreachable))))");
    ember_snapshot *small, *large;
    ember_error     err = EMBER_ERROR_INIT;
    assert_int_equal(ember_snapshot_create(&small, ember_heap()), EMBER_OK);
    assert_int_equal(ember_snapshot_create(&large, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_save(small, machine), EMBER_OK);
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    assert_int_equal(ember_machine_save(large, machine), EMBER_OK);
    assert_int_equal(ember_machine_restore(machine, small), EMBER_OK);
    /* it cannot be read */
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_TRAP);
    assert_says(err.text, "memory access out of bounds");
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_machine_restore(machine, small), EMBER_OK);
    if (ember_machine_render(machine, &err) != EMBER_OK) /* and is zero when it comes again */
        fail_msg("%s", err.text);
    assert_int_equal(ember_machine_restore(machine, large), EMBER_OK);
    assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_OK);
    ember_snapshot_destroy(small);
    ember_snapshot_destroy(large);
    ember_machine_unload(machine);
}

TEST(instances_of_one_game_do_not_know_of_each_other)
{
    ember_machine  *a = game_load(busy), *b = game_load(busy), *c = game_load(busy);
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    run_frames(a, 0, 20);
    assert_true(state_hash(a) != state_hash(b));
    run_frames(b, 0, 10);
    run_frames(c, 5, 3);
    run_frames(b, 10, 10);
    assert_true(state_hash(a) == state_hash(b));
    /* A snapshot of one goes into another. */
    assert_int_equal(ember_machine_save(snapshot, a), EMBER_OK);
    assert_int_equal(ember_machine_restore(c, snapshot), EMBER_OK);
    ember_machine_unload(a);
    assert_true(state_hash(c) == state_hash(b));
    run_frames(b, 20, 10);
    run_frames(c, 20, 10);
    assert_true(state_hash(c) == state_hash(b));
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(b);
    ember_machine_unload(c);
}

TEST(a_snapshot_of_another_game_is_refused)
{
    ember_machine  *a = game_load(busy), *b = game_load("(module " GAME_MEMORY "(func (export \"init\")))");
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, ember_heap()), EMBER_OK);
    assert_int_equal(ember_machine_restore(b, snapshot), EMBER_E_ARG); /* nothing in it */
    assert_int_equal(ember_machine_save(snapshot, a), EMBER_OK);
    assert_int_equal(ember_machine_restore(b, snapshot), EMBER_E_ARG);
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(a);
    ember_machine_unload(b);
}

TEST(only_the_first_save_allocates)
{
    fixture_heap    count = {0};
    ember_machine  *machine = game_load(busy);
    ember_snapshot *snapshot;
    assert_int_equal(ember_snapshot_create(&snapshot, fixture_allocator(&count)), EMBER_OK);
    assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
    size_t calls = count.calls, held = count.held;
    for (uint32_t i = 0; i < 10; i++) { /* the memory grows meanwhile */
        run_frames(machine, i, 1);
        assert_int_equal(ember_machine_save(snapshot, machine), EMBER_OK);
        assert_int_equal(ember_machine_restore(machine, snapshot), EMBER_OK);
    }
    assert_int_equal(count.calls, calls);
    assert_int_equal(count.held, held);
    ember_snapshot_destroy(snapshot);
    assert_int_equal(count.held, 0);
    ember_machine_unload(machine);
}

TEST(ten_thousand_frames_take_no_more_memory_than_a_hundred)
{
    fixture_heap          count = {0};
    ember_machine_options options = game_options();
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    size_t                size;
    uint8_t              *wasm = game_assemble(busy, &size);
    options.allocator = fixture_allocator(&count);
    assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
    free(wasm);
    run_frames(machine, 0, 100);
    size_t calls = count.calls, bytes = count.held, heap = mallinfo2().uordblks;
    run_frames(machine, 100, 10000);
    assert_int_equal(count.calls, calls);
    assert_int_equal(count.held, bytes);
    assert_true(mallinfo2().uordblks <= heap);
    ember_machine_unload(machine);
    assert_int_equal(count.held, 0);
}

/* ---- the test of rollback ---- */

TEST(a_game_that_keeps_its_state_in_its_memory_passes)
{
    ember_machine  *machine = game_load(busy);
    ember_synctest *test;
    ember_error     err = EMBER_ERROR_INIT;
    assert_int_equal(ember_synctest_create(&test, 0, ember_heap()), EMBER_E_ARG);
    assert_int_equal(ember_synctest_create(&test, EMBER_SYNCTEST_MAX + 1, ember_heap()), EMBER_E_ARG);
    assert_int_equal(ember_synctest_create(&test, 8, ember_heap()), EMBER_OK);
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {i * 11u};
        if (ember_synctest_frame(test, machine, inputs, &err) != EMBER_OK)
            fail_msg("%s", err.text);
    }
    assert_int_equal(ember_console_frame(ember_machine_console(machine)), 100);
    uint64_t tested = state_hash(machine);
    ember_synctest_destroy(test);
    ember_machine_unload(machine);

    /* It ends where it would have ended without. */
    machine = game_load(busy);
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t inputs[EMBER_CONSOLE_PLAYERS] = {i * 11u};
        assert_int_equal(ember_machine_update(machine, inputs, &err), EMBER_OK);
        assert_int_equal(ember_machine_render(machine, &err), EMBER_OK);
    }
    assert_true(state_hash(machine) == tested);
    ember_machine_unload(machine);
}

/* A kind of game of its own that looks at the clock in one frame: what it did cannot come back. */
typedef struct timely {
    ember_machine base;
    uint64_t      memory[8];
    uint64_t      looks_at; /* in which frame */
} timely;

static void timely_call(ember_machine *machine, ember_phase phase)
{
    timely         *t = (timely *)machine;
    struct timespec now;
    if (phase != EMBER_PHASE_UPDATE)
        return;
    t->memory[0]++;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (ember_console_frame(machine->console) == t->looks_at)
        t->memory[1] = (uint64_t)now.tv_nsec;
}

static uint8_t *timely_memory(const ember_machine *machine, uint32_t *size)
{
    *size = sizeof(((const timely *)machine)->memory);
    return (uint8_t *)(uintptr_t)((const timely *)machine)->memory;
}

static void timely_destroy(ember_machine *machine) { (void)machine; }

static const emberi_machine_ops timely_ops = {.call = timely_call,
                                              .memory = timely_memory,
                                              .destroy = timely_destroy};

TEST(a_game_that_reads_the_hosts_clock_is_caught_and_the_frame_is_named)
{
    ember_machine_options options = {.allocator = ember_heap()};
    ember_machine        *machine;
    ember_synctest       *test;
    ember_error           err = EMBER_ERROR_INIT;
    ember_status          status = EMBER_OK;
    assert_int_equal(emberi_machine_create(&machine, sizeof(timely), &timely_ops, &options, &err), EMBER_OK);
    ((timely *)machine)->looks_at = 13;
    machine->memory_least = machine->memory_most = sizeof(((timely *)machine)->memory);
    assert_int_equal(ember_synctest_create(&test, 4, ember_heap()), EMBER_OK);
    int frames = 0;
    for (; status == EMBER_OK && frames < 100; frames++)
        status = ember_synctest_frame(test, machine, game_no_inputs, &err);
    assert_int_equal(status, EMBER_E_MALFORMED);
    assert_says(err.text, "desync: frame 13 ended differently when it was run again from before frame 10");
    assert_int_equal(frames, 13);
    ember_synctest_destroy(test);
    ember_machine_unload(machine);
}
