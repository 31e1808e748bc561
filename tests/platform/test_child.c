/* SPDX-License-Identifier: MIT */
/* Child processes: their end is known whatever the host does with SIGCHLD, they can be cancelled, and have no
   more rights than they need.
   Covers: child.c, child_confine.c. */
#define _GNU_SOURCE /* sigaction, __WALL */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/child.h"
#include "platform/clock.h"
#include "testing.h"

static emberi_child_end run_shell(const char *script, double seconds, const atomic_bool *cancelled)
{
    const char *const arguments[] = {"/bin/sh", "-c", script, NULL};
    emberi_child      child = {arguments, "/tmp", seconds, (size_t)1 << 30, (size_t)1 << 20, cancelled};
    emberi_child_end  end;
    ember_error       err = EMBER_ERROR_INIT;
    assert_int_equal(emberi_child_run(&end, &child, &err), EMBER_OK);
    return end;
}

TEST(a_childs_end_and_its_first_line_are_known)
{
    emberi_child_end end = run_shell("echo one; echo two", 10.0, NULL);
    assert_true(end.done);
    assert_string_equal(end.first_line, "one");
    end = run_shell("echo one; echo error: two; exit 3", 10.0, NULL);
    assert_false(end.done);
    assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 3);
    assert_string_equal(end.first_line, "error: two");
    end = run_shell("kill -9 $$", 10.0, NULL);
    assert_true(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL);
    assert_false(end.timed_out);
}

static volatile sig_atomic_t reaped;

static void reap_all(int number)
{
    int error = errno;
    (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        reaped++;
    errno = error;
}

TEST(a_host_that_ignores_or_takes_sigchld_is_no_problem)
{
    struct sigaction ignored = {.sa_handler = SIG_IGN}, taken = {.sa_handler = reap_all}, old;
    assert_int_equal(sigaction(SIGCHLD, &ignored, &old), 0);
    emberi_child_end end = run_shell("exit 4", 10.0, NULL);
    assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 4);
    assert_int_equal(sigaction(SIGCHLD, &taken, NULL), 0);
    for (int i = 0; i < 10; i++) {
        end = run_shell("echo yes", 10.0, NULL);
        assert_true(end.done);
    }
    assert_int_equal(reaped, 0);
    assert_int_equal(sigaction(SIGCHLD, &old, NULL), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG | __WALL), -1); /* nobody is left */
    assert_int_equal(errno, ECHILD);
}

TEST(processor_time_ends_a_child_and_waiting_does_not)
{
    double           start = emberi_clock_s();
    emberi_child_end end = run_shell("sleep 3; echo slept", 1.0, NULL);
    assert_true(end.done);
    assert_true(emberi_clock_s() - start > 2.5);
    end = run_shell("while :; do :; done", 1.0, NULL);
    assert_false(end.done);
    assert_true(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGXCPU);
}

static void *cancel_soon(void *user)
{
    const struct timespec moment = {0, 200000000};
    nanosleep(&moment, NULL);
    atomic_store((atomic_bool *)user, true);
    return NULL;
}

TEST(a_cancelled_child_is_gone_at_once_with_all_that_it_started)
{
    atomic_bool cancelled = false;
    pthread_t   thread;
    double      start = emberi_clock_s();
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &cancelled), 0);
    emberi_child_end end = run_shell("sleep 50 & sleep 50", 10.0, &cancelled);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(end.timed_out);
    assert_false(end.done);
    assert_true(emberi_clock_s() - start < 5.0);
}

TEST(a_child_gains_no_rights_and_opens_no_connections)
{
#if defined(__linux__)
    emberi_child_end end = run_shell("grep NoNewPrivs: /proc/self/status", 10.0, NULL);
    assert_string_equal(end.first_line, "NoNewPrivs:\t1");
    end = run_shell("grep Seccomp: /proc/self/status", 10.0, NULL);
    if (end.first_line[0] != '\0') /* a kernel that has filters */
        assert_string_equal(end.first_line, "Seccomp:\t2");
    end = run_shell("command -v python3 > /dev/null || exit 9; python3 -c 'import socket; socket.socket()'",
                    10.0, NULL);
    assert_false(end.done);
#endif
}
