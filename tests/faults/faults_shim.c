/* SPDX-License-Identifier: MIT */
/* Stands between the command and the system (LD_PRELOAD): counts the calls of each kind that Ember makes and
   fails, shortens or dies at the one that is asked for. It also keeps the books of memory, so that a run says
   what it has not given back and how much it had at most.

   It is a server: loading the command's many libraries takes longer than most runs, so the process stops
   before main() and forks for each request that comes in on descriptor 3; answers go out on 4. A request is
   its size (u32) and words that each end in a zero: the folder, the file for standard output, the one for
   standard error, what goes wrong ("" or HOW:N, see the table `hows` of faults_calls.c), "named" where there
   shall be no files without a name (O_TMPFILE), as on many network file systems, or "", then the command's
   words. An answer is a run_answer. */
#define _GNU_SOURCE

#include "faults_shim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- one run ---- */

enum { SHOWN = 8, MOST_WORDS = 64, MOST_REQUEST = 16384, MOST_SECONDS = 60 };

/* Shared by a run and the server. */
typedef struct run_answer {
    int32_t  status; /* of waitpid */
    /* whether the run came to its end and closed the books: not so if a signal ended it */
    int32_t  is_closed;
    /* the command called exit() in the middle, when all memory is given back at once */
    int32_t  left_by_exit;
    int32_t  zero;
    /* most bytes on the heap, whoever asked for them, beyond what there was before main() */
    uint64_t peak;
    uint64_t own_peak; /* of Ember's alone */
    uint64_t live;     /* blocks of Ember's that were not freed, and who asked for the first of them */
    uint64_t callers[SHOWN];
    uint64_t counts[KINDS];
} run_answer;

static run_answer *answer;

static bool is_run;

__attribute__((destructor)) static void run_end(void)
{
    if (!is_run)
        return;
    shim_books books = shim_books_close(answer->callers, SHOWN);
    answer->left_by_exit = books.left_by_exit;
    answer->peak = books.peak;
    answer->own_peak = books.own_peak;
    answer->live = books.live;
    for (int i = 0; i < KINDS; i++)
        answer->counts[i] = atomic_load(&shim_counts[i]);
    answer->is_closed = 1;
}

static bool run_redirect(const char *path, int to)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    return fd >= 0 && dup2(fd, to) == to && syscall(SYS_close, fd) == 0;
}

/* In the child: sets the stage. False if it cannot be. */
static bool run_begin(char **words)
{
    if (chdir(words[0]) != 0 || !run_redirect(words[1], 1) || !run_redirect(words[2], 2) ||
        !shim_ask(words[3]))
        return false;
    shim_named_only = words[4][0] != '\0';
    (void)syscall(SYS_close, 3);
    (void)syscall(SYS_close, 4);
    (void)alarm(MOST_SECONDS);
    shim_books_open();
    is_run = true;
    return true;
}

/* ---- the server ---- */

static int (*command)(int, char **, char **);

static bool serve_whole(int fd, void *data, size_t size, bool in)
{
    for (size_t done = 0; done < size;) {
        long got = syscall(in ? SYS_read : SYS_write, fd, (char *)data + done, size - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static int serve(int count, char **words, char **variables)
{
    static char request[MOST_REQUEST];
    uint32_t    size;
    (void)count;
    while (serve_whole(3, &size, sizeof(size), true) && size < sizeof(request) &&
           serve_whole(3, request, size, true)) {
        char *given[MOST_WORDS + 1];
        int   given_count = 0;
        for (char *word = request; word < request + size && given_count < MOST_WORDS;
             word += strlen(word) + 1)
            given[given_count++] = word;
        given[given_count] = NULL;
        memset(answer, 0, sizeof(*answer));
        pid_t run = fork();
        if (run == 0) {
            if (!run_begin(given))
                _exit(99);
            given[4] = words[0];
            return command(given_count - 4, given + 4, variables);
        }
        if (run < 0 || waitpid(run, &answer->status, 0) != run ||
            !serve_whole(4, answer, sizeof(*answer), false))
            return 1;
    }
    return 0;
}

SHIM int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void),
                           void (*fini)(void), void (*loader)(void), void       *stack)
{
    BEHIND(int, "__libc_start_main", int (*)(int, char **, char **), int, char **, void (*)(void),
           void (*)(void), void (*)(void), void *)
    shim_find_own();
    answer = mmap(NULL, sizeof(*answer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    command = main;
    return real(serve, count, words, init, fini, loader, stack);
}
