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
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/child.h"
#include "platform/clock.h"

#define CHILD_OUTPUT 16384 /* of what it says; the rest is read and forgotten */
#define CHILD_FILES 256

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
    (void)setpgid(0, 0);
    if (dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || chdir(child->folder) != 0)
        _exit(126);
    for (int fd = 3; fd < CHILD_FILES; fd++)
        (void)close(fd);
    child_limit(RLIMIT_NOFILE, CHILD_FILES, 0);
    child_limit(RLIMIT_CORE, 0, 0);
    child_limit(RLIMIT_CPU, (uint64_t)(child->seconds + 0.999), 2);
    child_limit(RLIMIT_AS, child->memory_size, 0);
    child_limit(RLIMIT_FSIZE, child->file_size, 0);
    execve(child->arguments[0], (char *const *)(uintptr_t)child->arguments,
           (char *const *)(uintptr_t)environment->list);
    _exit(127);
}

/* Until everybody who holds the other end is gone. False when the time is up. */
static bool child_listen(int fd, double until, char *text, size_t *used)
{
    char unheard[4096];
    for (;;) {
        double        left = until - emberi_clock_s();
        struct pollfd wanted = {fd, POLLIN, 0};
        if (left <= 0.0)
            return false;
        int ready = poll(&wanted, 1, left > 1000.0 ? 1000000 : (int)(left * 1000.0) + 1);
        if (ready < 0 && errno != EINTR)
            return false;
        if (ready <= 0)
            continue;
        bool    keep = *used < CHILD_OUTPUT;
        ssize_t got = read(fd, keep ? text + *used : unheard, keep ? CHILD_OUTPUT - *used : sizeof(unheard));
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (got > 0 && keep)
            *used += (size_t)got;
    }
}

/* Once it says no more it is about to end. False when the time is up; it is not reaped, so that its number
   stays its own. */
static bool child_ends(pid_t pid, double until)
{
    const struct timespec moment = {0, 1000000};
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        int       result = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT);
        if (result == 0 && info.si_pid == pid)
            return true;
        if ((result != 0 && errno != EINTR) || emberi_clock_s() >= until)
            return false;
        (void)nanosleep(&moment, NULL);
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
        if (best == NULL || (strstr(best, "error") == NULL && strstr(line, "error") != NULL))
            best = line;
    }
    snprintf(out->first_line, sizeof(out->first_line), "%.*s", (int)sizeof(out->first_line) - 1,
             best != NULL ? best : "");
}

ember_status emberi_child_run(emberi_child_end *out, const emberi_child *child, ember_error *err)
{
    child_environment environment;
    char              text[CHILD_OUTPUT + 1];
    size_t            used = 0;
    int               ends[2] = {-1, -1};
    memset(out, 0, sizeof(*out));
    environment_make(&environment, child->folder);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        if (nothing >= 0)
            close(nothing);
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET,
                          "a process to compile the game could not be started: no pipe");
    }
    pid_t pid = fork();
    if (pid == 0)
        child_become(child, &environment, ends[1], nothing);
    close(ends[1]);
    close(nothing);
    if (pid > 0) {
        (void)setpgid(pid, pid); /* both do it, so that it is done whoever comes first */
        double until = emberi_clock_s() + 2.0 * child->seconds;
        out->timed_out = !child_listen(ends[0], until, text, &used) || !child_ends(pid, until);
        (void)kill(-pid, SIGKILL); /* what it left behind, or all of it */
        while (waitpid(pid, &out->status, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    if (pid < 0)
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET,
                          "a process to compile the game could not be started");
    out->done = !out->timed_out && WIFEXITED(out->status) && WEXITSTATUS(out->status) == 0;
    child_pick_line(out, text, used);
    return EMBER_OK;
}
