/* SPDX-License-Identifier: MIT */
/* The guard around running games: threads that do not disturb each other, games inside games, and faults that
   are not a game's. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "engine/games.h"

static const char       counter[] =
    "(module " GAME_ENV GAME_MEMORY "(func (export \"update\") (local i32) (loop (i32.store (i32.const 8) "
    "(i32.add (i32.load (i32.const 8)) (call $random)))"
    "(local.set 0 (i32.add (local.get 0) (i32.const 1))) (br_if 0 (i32.lt_u (local.get 0) (i32.const "
    "1000))))))";
static const char endless[] = "(module " GAME_ENV GAME_MEMORY "(func (export \"update\") (loop (br 0))))";
static const char                                 deep[] =
    "(module " GAME_MEMORY "(func $f (param i32) (result i32) (i32.add (i32.const 1) (call $f (local.get "
    "0)))) (func (export \"update\") (drop (call $f (i32.const 1)))))";
static const char outside[] =
    "(module " GAME_MEMORY "(func (export \"update\") (i32.store (i32.const 70000) (i32.const 1))))";

/* ---- threads ---- */

typedef struct task {
    const char *wat;
    int         frames;
    bool        traps;
    bool        blocks_signals;
    uint64_t    hash;
    bool        ok;
} task;

/* cmocka's assertions are the main thread's. */
static void *task_run(void *user)
{
    task           *t = user;
    ember_machine  *machine = NULL;
    ember_snapshot *snapshot = NULL, *start = NULL;
    if (t->blocks_signals) {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
    }
    machine = game_load(t->wat);
    t->ok = ember_snapshot_create(&snapshot, ember_heap()) == EMBER_OK &&
            ember_snapshot_create(&start, ember_heap()) == EMBER_OK &&
            ember_machine_save(start, machine) == EMBER_OK;
    for (int i = 0; i < t->frames && t->ok; i++) {
        ember_error  err = EMBER_ERROR_INIT;
        ember_status status = ember_machine_update(machine, game_no_inputs, &err);
        t->ok = status == (t->traps ? EMBER_E_TRAP : EMBER_OK) &&
                (!t->traps || ember_machine_restore(machine, start) == EMBER_OK);
    }
    t->ok = t->ok && ember_machine_save(snapshot, machine) == EMBER_OK;
    t->hash = ember_snapshot_hash(snapshot);
    ember_snapshot_destroy(snapshot);
    ember_snapshot_destroy(start);
    ember_machine_unload(machine);
    return NULL;
}

TEST(games_on_several_threads_do_not_disturb_each_other)
{
    task tasks[] = {
        {counter, 300, false, false, 0, false}, {counter, 300, false, false, 0, false},
        {endless, 3, true, false, 0, false},    {outside, 200, true, false, 0, false},
        {deep, 50, true, false, 0, false},      {endless, 2, true, true, 0, false},
    };
    enum { COUNT = sizeof(tasks) / sizeof(tasks[0]) };
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        ember_machine_unload(game_load(tasks[i].wat)); /* compiled */
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, task_run, &tasks[i]), 0);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < COUNT; i++)
        assert_true(tasks[i].ok);
    assert_true(tasks[0].hash == tasks[1].hash);
}

/* Loaded on one thread, run on others. */
static void *run_elsewhere(void *user)
{
    ember_error err = EMBER_ERROR_INIT;
    return (void *)(uintptr_t)ember_machine_update(user, game_no_inputs, &err);
}

TEST(a_machine_may_go_from_thread_to_thread)
{
    ember_machine *machine = game_load(counter), *stuck = game_load(endless);
    for (int i = 0; i < 4; i++) {
        pthread_t thread;
        void     *result;
        assert_int_equal(pthread_create(&thread, NULL, run_elsewhere, i < 3 ? machine : stuck), 0);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_int_equal((uintptr_t)result, i < 3 ? EMBER_OK : EMBER_E_TRAP);
    }
    ember_machine_unload(machine);
    ember_machine_unload(stuck);
}

TEST(a_small_stack_is_not_run_over)
{
    pthread_attr_t attributes;
    pthread_t      thread;
    void          *result;
    ember_machine *machine = game_load(deep);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 320 << 10), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_elsewhere, machine), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_int_equal((uintptr_t)result, EMBER_E_TRAP);
    pthread_attr_destroy(&attributes);
    ember_machine_unload(machine);
}

/* ---- games inside games ---- */

typedef struct inner {
    ember_machine *machine;
    ember_status   status;
    ember_error    err;
} inner;

static void log_runs_another(void *user, const char *text, size_t size)
{
    inner *in = user;
    (void)text;
    (void)size;
    in->err = (ember_error)EMBER_ERROR_INIT;
    in->status = ember_machine_update(in->machine, game_no_inputs, &in->err);
}

TEST(a_log_function_may_run_another_game_that_traps)
{
    const char *const       inners[] = {outside, endless, deep, counter};
    ember_machine_options   options = game_options();
    size_t                  size;
    static const char       outer[] =
        "(module " GAME_ENV GAME_MEMORY "(func (export \"update\")"
        " (call $log (i32.const 16) (i32.const 4))"
        " (i32.store (i32.const 8) (call $frame))"
        " (i32.store (i32.add (i32.const 65532) (i32.mul (call $frame) (i32.const 4)))"
        " (i32.const 1))))";
    uint8_t                *wasm = game_assemble(outer, &size);
    for (int i = 0; i < 4; i++) {
        inner          in = {game_load(inners[i]), EMBER_OK, EMBER_ERROR_INIT};
        ember_machine *machine;
        ember_error    err = EMBER_ERROR_INIT;
        options.log = log_runs_another;
        options.user = &in;
        options.watchdog_s = 5.0;
        assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
        /* its own, after the other's */
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err), EMBER_E_TRAP);
        assert_string_equal(err.text, "memory access out of bounds, in update, frame 1");
        assert_int_equal(in.status, i < 3 ? EMBER_E_TRAP : EMBER_OK);
        ember_machine_unload(machine);
        ember_machine_unload(in.machine);
    }
    free(wasm);
}

/* ---- faults of the host's own ---- */

static sigjmp_buf           host_point;
static volatile const void *host_address;
static uint8_t *volatile nowhere;

static void host_handler(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    host_address = info->si_addr;
    siglongjmp(host_point, 1);
}

static void log_faults(void *user, const char *text, size_t size)
{
    (void)user;
    (void)text;
    (void)size;
    *nowhere = 1;
}

TEST(a_fault_of_the_host_goes_to_the_hosts_handler)
{
    struct sigaction      ours = {.sa_sigaction = host_handler, .sa_flags = SA_SIGINFO}, old;
    ember_machine_options options = game_options();
    size_t                size;
    static const char logs[] = "(module " GAME_ENV GAME_MEMORY
                               "(func (export \"update\") (call $log (i32.const 16) (i32.const 4))))";
    uint8_t       *wasm = game_assemble(logs, &size);
    ember_machine *machine;
    ember_error    err = EMBER_ERROR_INIT;
    nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(nowhere != MAP_FAILED);
    assert_int_equal(sigaction(SIGSEGV, &ours, &old), 0);
    options.log = log_faults;
    assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);

    /* Outside of a game. */
    if (sigsetjmp(host_point, 1) == 0) {
        *nowhere = 1;
        fail_msg("%s", "nothing happened");
    }
    assert_ptr_equal(host_address, nowhere);

    /* Inside of a host function that a game called: it is no trap. */
    host_address = NULL;
    if (sigsetjmp(host_point, 1) == 0) {
        (void)ember_machine_update(machine, game_no_inputs, &err);
        fail_msg("%s", "it was taken for a trap");
    }
    assert_ptr_equal(host_address, nowhere);
    /* The machine was left in the middle of a call by another way than its own; it is not used any more, and
       not unloaded. */
    assert_int_equal(sigaction(SIGSEGV, &old, NULL), 0);
    munmap(nowhere, 4096);
    free(wasm);
}
