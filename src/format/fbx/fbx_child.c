/* SPDX-License-Identifier: MIT */
/* A child process for what cannot be trusted: it has limits of memory and time, no terminal to write to, and
   ends without a trace. What it sends is checked like any file. */
#define _POSIX_C_SOURCE 200809L /* pipe, fork, sigaction */

#include "format/fbx/fbx_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"

/* What assimp takes for a file that holds next to nothing; addresses, most of which are never
   used, are cheaper. */
#define CHILD_FREE ((rlim_t)32 << 20)
#define CHILD_ADDRESSES ((rlim_t)4 << 30)
#define CHILD_SECONDS 60
#define CHILD_ANSWER_LIMIT ((size_t)1 << 30)

/* The answer: status, then the sizes of three texts, then they: the error, the notes, the file. */
enum { CHILD_HEADER_SIZE = 16 };

/* ---- the child's side ---- */

static void child_limit(int what, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(what, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > most)
        limit.rlim_cur = limit.rlim_max = most;
    (void)setrlimit(what, &limit);
}

/* Nothing is open but the pipe: not the parent's files, nor the pipes of other children, whose ends would
   stay open with them. */
static void child_close_others(int pipe_end)
{
    long most = sysconf(_SC_OPEN_MAX);
    int  nothing = open("/dev/null", O_RDWR);
    for (int fd = 0; nothing >= 0 && fd <= 2; fd++)
        (void)dup2(nothing, fd);
    for (int fd = 3; fd < (most > 0 && most < 4096 ? (int)most : 4096); fd++)
        if (fd != pipe_end)
            (void)close(fd);
}

#ifdef EMBERI_COUNTED
void __gcov_dump(void); /* of gcc, which has no header for it: _exit alone would lose what has run here */
#endif

#ifndef __SANITIZE_ADDRESS__
/* The data that a child begins with is the parent's, and none of its own. */
static rlim_t child_data(void)
{
    enum { FIELD = 5 }; /* of /proc/self/statm: the pages of data and stack */
    char    text[128];
    char   *field = text, *end = text;
    rlim_t  pages = 0;
    int     fd = open("/proc/self/statm", O_RDONLY);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
    text[size > 0 ? size : 0] = '\0';
    if (fd >= 0)
        (void)close(fd);
    for (int i = 0; i <= FIELD; i++) {
        field = end;
        pages = (rlim_t)strtoull(field, &end, 10);
    }
    return end != field ? pages * (rlim_t)sysconf(_SC_PAGESIZE) : RLIM_INFINITY;
}
#endif

static void child_confine(size_t memory)
{
    child_limit(RLIMIT_CORE, 0);
    child_limit(RLIMIT_CPU, CHILD_SECONDS);
#ifndef EMBERI_COUNTED /* its counts are files */
    child_limit(RLIMIT_FSIZE, 0);
#endif
#ifdef __SANITIZE_ADDRESS__ /* its shadow takes more than any limit */
    (void)memory;
#else
    rlim_t data = child_data();
    child_limit(RLIMIT_AS, CHILD_ADDRESSES > memory ? CHILD_ADDRESSES : RLIM_INFINITY);
    if (data != RLIM_INFINITY)
        child_limit(RLIMIT_DATA, data + CHILD_FREE + memory);
#endif
    for (int number = 1; number < 32; number++)
        if (number != SIGKILL && number != SIGSTOP)
            (void)signal(number, SIG_DFL);
}

static bool child_send(int fd, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size != 0) {
        ssize_t put = write(fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

static _Noreturn void child_run(int fd, const void *data, size_t size, size_t memory)
{
    ember_buffer glb = {.allocator = ember_heap()}, notes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    uint8_t      header[CHILD_HEADER_SIZE];
    child_close_others(fd);
    child_confine(memory);
    ember_status status = emberi_fbx_convert(&glb, &notes, data, size, &err);
    if (status == EMBER_OK && (glb.size > CHILD_ANSWER_LIMIT || notes.size > CHILD_ANSWER_LIMIT))
        status = emberi_failf(&err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                              "what the file holds has more than %zu bytes", CHILD_ANSWER_LIMIT);
    size_t text = status != EMBER_OK ? strlen(err.text) : 0;
    emberi_put_u32(header, (uint32_t)status);
    emberi_put_u32(header + 4, (uint32_t)text);
    emberi_put_u32(header + 8, status == EMBER_OK ? (uint32_t)notes.size : 0);
    emberi_put_u32(header + 12, status == EMBER_OK ? (uint32_t)glb.size : 0);
    bool sent = child_send(fd, header, sizeof(header)) && child_send(fd, err.text, text);
    if (sent && status == EMBER_OK)
        sent = child_send(fd, notes.data, notes.size) && child_send(fd, glb.data, glb.size);
#ifdef EMBERI_COUNTED
    __gcov_dump();
#endif
    _exit(sent ? 0 : 1); /* nothing that the parent has set up for its own end is run here */
}

/* ---- the parent's side ---- */

static ember_status child_receive(ember_buffer *answer, int fd, ember_error *err)
{
    for (;;) {
        enum { STEP = 1 << 16 };
        size_t   used = answer->size;
        uint8_t *room = used <= CHILD_ANSWER_LIMIT * 2 ? ember_buffer_grow(answer, STEP) : NULL;
        if (room == NULL)
            return emberi_fail_memory(err);
        ssize_t got;
        do
            got = read(fd, room, STEP);
        while (got < 0 && errno == EINTR);
        answer->size = used + (got > 0 ? (size_t)got : 0);
        if (got <= 0)
            return EMBER_OK;
    }
}

static ember_status child_ended(int end, ember_error *err)
{
    int number = WIFSIGNALED(end) ? WTERMSIG(end) : 0;
    if (number == SIGXCPU)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "assimp, which reads FBX, was stopped after %d seconds with this file",
                            CHILD_SECONDS);
    return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                        "assimp, which reads FBX, broke down over this file (%s %d)",
                        number != 0 ? "signal" : "exit", number != 0 ? number : WEXITSTATUS(end));
}

static ember_status child_answer(ember_buffer *glb, ember_buffer *notes, const ember_buffer *answer, int end,
                                 ember_error *err)
{
    if (!WIFEXITED(end) || WEXITSTATUS(end) != 0 || answer->size < CHILD_HEADER_SIZE)
        return child_ended(end, err);
    uint32_t status = emberi_get_u32(answer->data), text = emberi_get_u32(answer->data + 4);
    uint32_t note_size = emberi_get_u32(answer->data + 8), size = emberi_get_u32(answer->data + 12);
    if ((uint64_t)text + note_size + size + CHILD_HEADER_SIZE != answer->size || status >= EMBER_STATUS_COUNT)
        return child_ended(end, err);
    const uint8_t *at = answer->data + CHILD_HEADER_SIZE;
    if (status != EMBER_OK)
        return emberi_failf(err, (ember_status)status, EMBER_NO_OFFSET, "%.*s", (int)text, (const char *)at);
    if (!ember_buffer_append(notes, at + text, note_size) ||
        !ember_buffer_append(glb, at + text + note_size, size))
        return emberi_fail_memory(err);
    return EMBER_OK;
}

ember_status emberi_fbx_run_child(ember_buffer *glb, ember_buffer *notes, const void *data, size_t size,
                                  size_t memory, ember_error *err)
{
    ember_buffer answer = {.allocator = ember_heap()};
    int          ends[2], end = 0;
    if (pipe(ends) != 0)
        return emberi_failf(err, EMBER_E_IO, EMBER_NO_OFFSET, "no pipe to read FBX through: %s",
                            strerror(errno));
    fflush(NULL); /* or the child would have the parent's words in its buffers as well */
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        child_run(ends[1], data, size, memory);
    }
    int error = errno;
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return emberi_failf(err, EMBER_E_IO, EMBER_NO_OFFSET, "no process to read FBX in: %s",
                            strerror(error));
    }
    ember_status status = child_receive(&answer, ends[0], err);
    close(ends[0]);
    while (waitpid(child, &end, 0) < 0 && errno == EINTR)
        continue;
    if (status == EMBER_OK)
        status = child_answer(glb, notes, &answer, end, err);
    ember_buffer_free(&answer);
    return status;
}
