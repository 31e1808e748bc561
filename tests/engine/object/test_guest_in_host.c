/* SPDX-License-Identifier: MIT */
/* A machine is a guest in its program: the program's signals stay its own, a frame costs no system call, and
   machines come and go on any thread.
   Covers: watchdog.c. */
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/games.h"

static const char quiet[] = "(module " GAME_ENV GAME_MEMORY "(func (export \"update\") (i32.store (i32.const "
                            "8) (call $random))) (func (export \"render\")))";
static const char endless[] = "(module " GAME_MEMORY "(func (export \"update\") (loop (br 0))))";
static const char outside[] =
    "(module " GAME_MEMORY "(func (export \"update\") (i32.store (i32.const 70000) (i32.const 1))))";
static const char deep[] =
    "(module " GAME_MEMORY "(func $f (param i32) (result i32) (i32.add (i32.const 1) (call $f (local.get "
    "0)))) (func (export \"update\") (drop (call $f (i32.const 1)))))";
static const char divides[] =
    "(module " GAME_MEMORY "(func (export \"update\") (drop (i32.div_s (i32.const -2147483648) (i32.load "
    "(i32.const 0)))))  (data (i32.const 0) \"\\ff\\ff\\ff\\ff\"))";

/* ---- signals ---- */

static void host_handler(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
}

TEST(every_signal_is_the_hosts_again_after_the_last_machine)
{
    struct sigaction before[NSIG], after, ours = {.sa_sigaction = host_handler, .sa_flags = SA_SIGINFO};
    struct sigaction old_segv, old_timer;
    assert_int_equal(sigaction(SIGSEGV, &ours, &old_segv), 0);
    assert_int_equal(sigaction(SIGVTALRM, &ours, &old_timer), 0);
    for (int i = 1; i < NSIG; i++)
        (void)sigaction(i, NULL, &before[i]);
    ember_machine *a = game_load(quiet), *b = game_load(outside);
    ember_error    err = EMBER_ERROR_INIT;
    for (int i = 1; i < NSIG; i++) /* while there are machines: faults, and nothing else */
        if (i != SIGSEGV && i != SIGBUS && sigaction(i, NULL, &after) == 0)
            assert_ptr_equal(after.sa_sigaction, before[i].sa_sigaction);
    ember_machine_unload(a);
    assert_int_equal(ember_machine_update(b, game_no_inputs, &err), EMBER_E_TRAP);
    ember_machine_unload(b);
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &after) == 0) {
            assert_ptr_equal(after.sa_sigaction, before[i].sa_sigaction);
            /* the C library adds one flag of its own to whatever is set */
            assert_int_equal(after.sa_flags & ~0x04000000, before[i].sa_flags & ~0x04000000);
        }
    assert_int_equal(sigaction(SIGSEGV, &old_segv, NULL), 0);
    assert_int_equal(sigaction(SIGVTALRM, &old_timer, NULL), 0);
}

/* A program that handles the overflow of its own stack, on another one. */
static void overflow_handler(int number)
{
    (void)number;
    _exit(42);
}

static int overflow(int depth);
static int (*volatile overflow_again)(int depth) = overflow;

static int overflow(int depth)
{
    volatile char room[4096];
    room[depth % 4096] = 1;
    return overflow_again(depth + 1) + room[0];
}

TEST(a_host_that_handles_its_stacks_overflow_still_does)
{
    pid_t pid = fork();
    if (pid == 0) {
        static char      stack[65536];
        stack_t          other = {.ss_sp = stack, .ss_size = sizeof(stack)};
        struct sigaction ours = {.sa_handler = overflow_handler, .sa_flags = SA_ONSTACK};
        sigaltstack(&other, NULL);
        sigaction(SIGSEGV, &ours, NULL);
        (void)game_load(quiet);
        _exit(overflow(0) != 0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
}

/* ---- a host that handles faults itself ---- */

static int host_faults;

static void fault_handler(int number, siginfo_t *info, void *context)
{
    host_faults++;
    if (!ember_machine_fault(number, info, context))
        _exit(43);
}

TEST(a_host_may_handle_faults_itself)
{
    static const char *const wats[] = {outside, endless, quiet};
    struct sigaction ours = {.sa_sigaction = fault_handler, .sa_flags = SA_SIGINFO | SA_NODEFER}, old, now;
    assert_int_equal(sigaction(SIGSEGV, &ours, &old), 0);
    for (int i = 0; i < 3; i++) {
        ember_machine_options options = game_options();
        ember_machine        *machine;
        ember_error           err = EMBER_ERROR_INIT;
        size_t                size;
        uint8_t              *wasm = game_assemble(wats[i], &size);
        options.host_faults = true;
        host_faults = 0;
        assert_int_equal(ember_machine_load_wasm(&machine, wasm, size, &options, &err), EMBER_OK);
        assert_int_equal(sigaction(SIGSEGV, NULL, &now), 0);
        assert_ptr_equal(now.sa_sigaction, fault_handler);
        assert_int_equal(ember_machine_update(machine, game_no_inputs, &err),
                         i < 2 ? EMBER_E_TRAP : EMBER_OK);
        assert_int_equal(host_faults, i < 2 ? 1 : 0);
        ember_machine_unload(machine);
        free(wasm);
    }
    assert_false(ember_machine_fault(SIGSEGV, &(siginfo_t){.si_signo = SIGSEGV}, NULL)); /* no game runs */
    assert_int_equal(sigaction(SIGSEGV, &old, NULL), 0);
}

/* ---- what a frame costs ---- */

/* A thread that may do nothing but read, write and exit: any other system call ends it. */
static void *frames_without_calls(void *user)
{
    ember_machine *machine = ((void **)user)[0];
    int            pipe_end = *(int *)((void **)user)[1];
    ember_error    err = EMBER_ERROR_INIT;
    /* knows the thread */
    bool           ok = ember_machine_update(machine, game_no_inputs, &err) == EMBER_OK;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        ok = errno == EINVAL; /* a kernel without it: nothing is shown */
    for (int i = 0; i < 100 && ok; i++)
        ok = ember_machine_update(machine, game_no_inputs, &err) == EMBER_OK &&
             ember_machine_render(machine, &err) == EMBER_OK;
    (void)!write(pipe_end, ok ? "y" : "n", 1);
    (void)syscall(SYS_exit, 0); /* the C library's own way out makes other calls */
    return NULL;
}

TEST(a_frame_makes_no_system_call)
{
    int            ends[2];
    pthread_t      thread;
    ember_machine *machine = game_load(quiet);
    assert_int_equal(pipe(ends), 0);
    void *arguments[2] = {machine, &ends[1]};
    assert_int_equal(pthread_create(&thread, NULL, frames_without_calls, arguments), 0);
    struct pollfd answer = {.fd = ends[0], .events = POLLIN};
    char          letter = '-';
    assert_int_equal(poll(&answer, 1, 10000), 1);
    assert_int_equal(read(ends[0], &letter, 1), 1);
    assert_int_equal(letter, 'y');
    /* The thread is gone without having been joined; its stack is left to the process. */
    close(ends[0]);
    close(ends[1]);
    ember_machine_unload(machine);
}

/* ---- machines that come and go ---- */

enum { THREADS = 6, ROUNDS = 6, TRAPS = 30 };

static const char *const hostile[] = {outside, endless, deep, divides, outside, deep};

static void *threads_run(void *user)
{
    uintptr_t       id = *(uintptr_t *)user, bad = 0;
    ember_snapshot *start, *end;
    if (ember_snapshot_create(&start, ember_heap()) != EMBER_OK ||
        ember_snapshot_create(&end, ember_heap()) != EMBER_OK)
        return (void *)1;
    for (size_t round = 0; round < ROUNDS; round++) {
        ember_error    err = EMBER_ERROR_INIT;
        const char    *wat = hostile[(id + round) % 6];
        ember_machine *machine = game_load_with_watchdog(wat, 0.02);
        bad += ember_machine_init(machine, &err) != EMBER_OK;
        bad += ember_machine_save(start, machine) != EMBER_OK;
        for (int i = 0; i < (wat == endless ? 3 : TRAPS); i++) {
            bad += ember_machine_update(machine, game_no_inputs, &err) != EMBER_E_TRAP;
            bad += ember_machine_restore(machine, start) != EMBER_OK;
        }
        bad += ember_machine_save(end, machine) != EMBER_OK;
        bad += ember_snapshot_hash(start) != ember_snapshot_hash(end);
        ember_machine_unload(machine);
    }
    ember_snapshot_destroy(start);
    ember_snapshot_destroy(end);
    return (void *)bad;
}

TEST(machines_come_and_go_on_several_threads_and_no_trap_is_lost)
{
    pthread_t threads[THREADS];
    uintptr_t ids[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        ids[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, threads_run, &ids[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *bad;
        assert_int_equal(pthread_join(threads[i], &bad), 0);
        assert_int_equal((uintptr_t)bad, 0);
    }
}
