/* SPDX-License-Identifier: MIT */
/* A child process that may use so much and no more: of the processor, of memory, of the disk, of time. What
   it starts dies with it. */
#define _GNU_SOURCE /* pipe2, environ */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/child.h"
#include "platform/clock.h"

#define CHILD_OUTPUT 16384 /* of what it says; the rest is read and forgotten */
#define CHILD_FILES 256
/* times its processor time, on the clock: a process that only sleeps ends, too */
#define CHILD_PATIENCE 20.0
#define CHILD_LOOK_MS 20 /* between two looks at whether it was cancelled */

/* A small environment: nothing in the user's may change what the compiler does. */
typedef struct child_environment {
    char        text[4][1200];
    const char *list[8];
} child_environment;

static void environment_make(child_environment *e, const char *folder)
{
    static const char *const kept[] = {"PATH", "HOME", "LD_LIBRARY_PATH"};
    size_t                   count = 0;
    e->list[count++] = "LC_ALL=C";
    snprintf(e->text[0], sizeof(e->text[0]), "TMPDIR=%s", folder);
    e->list[count++] = e->text[0];
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        const char *value = getenv(kept[i]);
        char       *text = e->text[1 + i];
        if (value != NULL &&
            (size_t)snprintf(text, sizeof(e->text[0]), "%s=%s", kept[i], value) < sizeof(e->text[0]))
            e->list[count++] = text;
    }
    e->list[count] = NULL;
}

/* A little later the end comes without a warning. */
static void child_limit(int resource, uint64_t most, uint64_t later)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0 || limit.rlim_max < most + later)
        return;
    limit.rlim_cur = (rlim_t)most;
    limit.rlim_max = (rlim_t)(most + later);
    (void)setrlimit((__rlimit_resource_t)resource, &limit);
}

/* After the fork, before the program: only what a signal handler may call as well. */
static _Noreturn void child_become(const emberi_child *child, const child_environment *environment,
                                   int output, int nothing)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_DFL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)signal(SIGXCPU, SIG_DFL);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir(child->folder) != 0)
        _exit(126);
    for (int fd = 3; fd < CHILD_FILES; fd++)
        (void)close(fd);
    child_limit(RLIMIT_NOFILE, CHILD_FILES, 0);
    child_limit(RLIMIT_CORE, 0, 0);
    child_limit(RLIMIT_CPU, (uint64_t)(child->seconds + 0.999), 2);
    child_limit(RLIMIT_AS, child->memory_size, 0);
    child_limit(RLIMIT_FSIZE, child->file_size, 0);
    emberi_child_confine();
    execve(child->arguments[0], (char *const *)(uintptr_t)child->arguments,
           (char *const *)(uintptr_t)environment->list);
    _exit(127);
}

/* The process between the host and the program: the host's own child, but one whose end is announced by no
   signal and seen by no wait of the host for all its children. It waits for the program and reports its
   status. Everything here is plain system calls: other threads of the host may have held any lock. */
static _Noreturn void child_keep(const emberi_child *child, const child_environment *environment, int output,
                                 int nothing, int report)
{
    sigset_t all;
    int      status = -1;
    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    (void)signal(SIGCHLD, SIG_DFL);
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    long pid = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    if (pid == 0)
        child_become(child, environment, output, nothing);
    (void)close(output);
    if (pid > 0)
        while (waitpid((pid_t)pid, &status, 0) < 0 && errno == EINTR)
            continue;
    (void)!write(report, &status, sizeof(status));
    _exit(0);
}

/* Until everybody who holds the other end is gone. False when the time is up or it was cancelled. */
static bool child_listen(int fd, double until, const atomic_bool *cancelled, char *text, size_t most,
                         size_t *used)
{
    char unheard[4096];
    for (;;) {
        double        left = until - emberi_clock_s();
        struct pollfd wanted = {fd, POLLIN, 0};
        if (left <= 0.0 || (cancelled != NULL && atomic_load(cancelled)))
            return false;
        int ready = poll(&wanted, 1,
                         cancelled != NULL ? CHILD_LOOK_MS
                         : left > 1000.0   ? 1000000
                                           : (int)(left * 1000.0) + 1);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready <= 0)
            continue;
        bool    keep = *used < most;
        ssize_t got = read(fd, keep ? text + *used : unheard, keep ? most - *used : sizeof(unheard));
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (got > 0 && keep)
            *used += (size_t)got;
    }
}

static void child_pick_line(emberi_child_end *out, char *text, size_t used)
{
    const char *best = NULL;
    text[used] = '\0';
    for (char *line = text, *next; line != NULL && *line != '\0'; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (best == NULL || (strstr(best, "error:") == NULL && strstr(line, "error:") != NULL))
            best = line;
    }
    snprintf(out->first_line, sizeof(out->first_line), "%.*s", (int)sizeof(out->first_line) - 1,
             best != NULL ? best : "");
}

static ember_status child_no_start(ember_error *err, const char *why)
{
    char text[128];
    snprintf(text, sizeof(text), "a process to compile the game could not be started%s", why);
    return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, text);
}

/* Follows the keeper to its end, and ends whatever the program left behind. */
static void child_follow(emberi_child_end *out, const emberi_child *child, pid_t keeper, int output,
                         int report)
{
    char   text[CHILD_OUTPUT + 1], status[sizeof(int)];
    size_t used = 0, got = 0;
    double until = emberi_clock_s() + CHILD_PATIENCE * child->seconds;
    (void)setpgid(keeper, keeper); /* both do it, so that it is done whoever comes first */
    out->timed_out = !child_listen(output, until, child->cancelled, text, CHILD_OUTPUT, &used) ||
                     !child_listen(report, until, child->cancelled, status, sizeof(status), &got);
    (void)kill(-keeper, SIGKILL);
    while (waitpid(keeper, NULL, __WALL) < 0 && errno == EINTR)
        continue;
    out->status = -1;
    if (got == sizeof(status))
        memcpy(&out->status, status, sizeof(status));
    out->done = !out->timed_out && out->status == 0;
    child_pick_line(out, text, used);
}

ember_status emberi_child_run(emberi_child_end *out, const emberi_child *child, ember_error *err)
{
    child_environment environment;
    int               output[2] = {-1, -1}, report[2] = {-1, -1};
    memset(out, 0, sizeof(*out));
    environment_make(&environment, child->folder);
    int  nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    bool ready = nothing >= 0 && pipe2(output, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0;
    long keeper = ready ? syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L) : -1;
    if (keeper == 0)
        child_keep(child, &environment, output[1], nothing, report[1]);
    const int mine[] = {nothing, output[1], report[1]}, theirs[] = {output[0], report[0]};
    for (size_t i = 0; i < 3; i++)
        if (mine[i] >= 0)
            close(mine[i]);
    if (keeper > 0)
        child_follow(out, child, (pid_t)keeper, output[0], report[0]);
    for (size_t i = 0; i < 2; i++)
        if (theirs[i] >= 0)
            close(theirs[i]);
    return keeper > 0 ? EMBER_OK : child_no_start(err, ready ? "" : ": no pipe");
}
