/* SPDX-License-Identifier: MIT */
/* Machines, snapshots and the test of rollback in want of memory at each place. */
#include "failing.h"

#include "ember/machine.h"

#include "../game/ember_game.h"

static struct {
    uint32_t mesh, skeleton, clip, count;
} game;

static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                   binds[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
static const uint8_t frames[4 + 2 * 16] = {1, 0,    2, 0,    0x03, 0x08, 0x20, 0x80, 0,    0,    0,    0,
                                           0, 0,    0, 0x3c, 0,    0x3c, 0,    0x3c, 0x03, 0x08, 0x20, 0x80,
                                           0, 0x3c, 0, 0,    0,    0,    0,    0x3c, 0,    0x3c, 0,    0x3c};

GAME_EXPORT(init)
{
    game.mesh = load_mesh(triangle, 3, 0);
    game.skeleton = load_skeleton(binds, 1);
    game.clip = keyframes_load(frames, sizeof(frames));
}

GAME_EXPORT(update) { game.count++; }

GAME_EXPORT(render)
{
    keyframe_bind(game.clip, game.count % 2);
    draw_mesh(game.mesh);
}

GAME(game, init, update, render)

/* From loading to two frames of rollback. */
static ember_status life(ember_allocator allocator, ember_error *err)
{
    static const uint32_t none[EMBER_CONSOLE_PLAYERS];
    ember_machine_options options = {.allocator = allocator, .seed = 3};
    ember_machine        *machine = NULL;
    ember_snapshot       *snapshot = NULL;
    ember_synctest       *test = NULL;
    ember_status          status = ember_machine_load_native(&machine, &ember_game_game, &options, err);
    if (status == EMBER_OK)
        status = ember_machine_init(machine, err);
    if (status == EMBER_OK && (status = ember_snapshot_create(&snapshot, allocator)) != EMBER_OK)
        (void)ember_fail(err, status, EMBER_NO_OFFSET, "no snapshot");
    if (status == EMBER_OK && (status = ember_machine_save(snapshot, machine)) != EMBER_OK)
        (void)ember_fail(err, status, EMBER_NO_OFFSET, "not saved");
    if (status == EMBER_OK && (status = ember_synctest_create(&test, 2, allocator)) != EMBER_OK)
        (void)ember_fail(err, status, EMBER_NO_OFFSET, "no test");
    for (int i = 0; i < 4 && status == EMBER_OK; i++)
        status = ember_synctest_frame(test, machine, none, err);
    if (status == EMBER_OK) {
        assert_int_equal(game.count, 4);
        assert_false(ember_synctest_replaying(test));
        assert_int_equal(ember_machine_restore(machine, snapshot), EMBER_OK);
        assert_int_equal(game.count, 0);
    }
    ember_synctest_destroy(test);
    ember_snapshot_destroy(snapshot);
    ember_machine_unload(machine);
    return status;
}

/* A game that gets no memory for what it loads or draws traps, which is the console's way of saying so. */
static void assert_told(ember_status status, const ember_error *err)
{
    assert_true(status == EMBER_E_NOMEM || (status == EMBER_E_TRAP && strstr(err->text, "memory") != NULL));
}

TEST(a_machine_without_memory_says_so_and_holds_nothing)
{
    for (size_t fail_at = 1, done = 0; done == 0; fail_at++) {
        fixture_heap heap = {.fail_at = fail_at};
        ember_error  err = EMBER_ERROR_INIT;
        ember_status status = life(fixture_allocator(&heap), &err);
        done = heap.calls < fail_at;
        if (done != 0)
            assert_int_equal(status, EMBER_OK);
        else
            assert_told(status, &err);
        assert_int_equal(heap.held, 0);
        assert_in_range(fail_at, 1, 200);
    }
}

TEST(a_game_whose_arena_is_full_traps)
{
    bool came = true;
    for (size_t nth = 1; came; nth++) {
        fixture_heap heap = {0};
        ember_error  err = EMBER_ERROR_INIT;
        failing_start(FAILING_MEMORY, nth);
        ember_status status = life(fixture_allocator(&heap), &err);
        came = failing_stop();
        if (came)
            assert_told(status, &err);
        else
            assert_int_equal(status, EMBER_OK);
        assert_int_equal(heap.held, 0);
        assert_in_range(nth, 1, 500);
    }
}

TEST(machines_refuse_what_makes_no_sense)
{
    ember_machine_options options = {.allocator = ember_heap()};
    ember_machine        *machine = NULL;
    ember_synctest       *test = NULL;
    ember_error           err = EMBER_ERROR_INIT;
    assert_int_equal(ember_synctest_create(&test, 0, ember_heap()), EMBER_E_ARG);
    assert_int_equal(ember_synctest_create(&test, EMBER_SYNCTEST_MAX + 1, ember_heap()), EMBER_E_ARG);
    assert_int_equal(ember_machine_load_native(&machine, &ember_game_game, &options, &err), EMBER_OK);
    assert_int_equal(ember_machine_init(machine, &err), EMBER_OK);
    assert_int_equal(ember_machine_init(machine, &err), EMBER_E_ARG);
    assert_string_equal(err.text, "init has run already");
    ember_machine_unload(machine);
    ember_snapshot_destroy(NULL);
}
