/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE */
#include "failing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    unsigned kinds;
    size_t   left; /* calls until the one that fails; 0: it has been */
    int      number;
} failing = {.number = EIO};

static bool failing_now(unsigned kind)
{
    if ((failing.kinds & kind) == 0 || failing.left == 0)
        return false;
    return --failing.left == 0;
}

/* ---- in place of the library's ---- */

void *__real_ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align);
void *__wrap_ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align);
void *__wrap_ember_arena_push(ember_arena *arena, size_t count, size_t elem_size, size_t align)
{
    return failing_now(FAILING_PUSH) ? NULL : __real_ember_arena_push(arena, count, elem_size, align);
}

uint8_t *__real_ember_buffer_grow(ember_buffer *buffer, size_t size);
uint8_t *__wrap_ember_buffer_grow(ember_buffer *buffer, size_t size);
uint8_t *__wrap_ember_buffer_grow(ember_buffer *buffer, size_t size)
{
    return failing_now(FAILING_BUFFER) ? NULL : __real_ember_buffer_grow(buffer, size);
}

bool __real_ember_buffer_append(ember_buffer *buffer, const void *data, size_t size);
bool __wrap_ember_buffer_append(ember_buffer *buffer, const void *data, size_t size);
bool __wrap_ember_buffer_append(ember_buffer *buffer, const void *data, size_t size)
{
    return failing_now(FAILING_BUFFER) ? false : __real_ember_buffer_append(buffer, data, size);
}

/* ---- in place of the system's ---- */

static bool failing_system(void)
{
    if (!failing_now(FAILING_SYSTEM))
        return false;
    errno = failing.number;
    return true;
}

int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode); /* the mode is not there where it does not count */
int __wrap_open(const char *path, int flags, mode_t mode)
{
    if ((failing.kinds & FAILING_NAMELESS) != 0 && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return failing_system() ? -1 : __real_open(path, flags, mode);
}

ssize_t __real_read(int fd, void *data, size_t size);
ssize_t __wrap_read(int fd, void *data, size_t size);
ssize_t __wrap_read(int fd, void *data, size_t size)
{
    return failing_system() ? -1 : __real_read(fd, data, size);
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    size_t most = (failing.kinds & FAILING_SHORT) != 0 && size > 3 ? 3 : size;
    return failing_system() ? -1 : __real_write(fd, data, most);
}

/* A file is closed whatever close says. */
int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    int done = __real_close(fd);
    return failing_system() ? -1 : done;
}

int __real_fstat(int fd, struct stat *out);
int __wrap_fstat(int fd, struct stat *out);
int __wrap_fstat(int fd, struct stat *out) { return failing_system() ? -1 : __real_fstat(fd, out); }

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) { return failing_system() ? -1 : __real_fsync(fd); }

int __real_fchown(int fd, uid_t owner, gid_t group);
int __wrap_fchown(int fd, uid_t owner, gid_t group);
int __wrap_fchown(int fd, uid_t owner, gid_t group)
{
    return failing_system() ? -1 : __real_fchown(fd, owner, group);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    return failing_system() ? -1 : __real_rename(from, to);
}

int __real_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags);
int __wrap_linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    return failing_system() ? -1 : __real_linkat(from_folder, from, to_folder, to, flags);
}

ssize_t __real_readlink(const char *path, char *out, size_t size);
ssize_t __wrap_readlink(const char *path, char *out, size_t size);
ssize_t __wrap_readlink(const char *path, char *out, size_t size)
{
    return failing_system() ? -1 : __real_readlink(path, out, size);
}

/* ---- for the tests ---- */

void failing_start(unsigned kinds, size_t nth)
{
    failing.kinds = kinds;
    failing.left = nth;
}

void failing_set_errno(int number) { failing.number = number; }

bool failing_stop(void)
{
    bool came = failing.left == 0;
    failing.kinds = 0;
    return came;
}

size_t failing_every(failing_run *run, void *job, unsigned kinds)
{
    for (size_t nth = 1;; nth++) {
        ember_error err = EMBER_ERROR_INIT;
        failing_start(kinds, nth);
        ember_status status = run(job, &err);
        bool         came = failing_stop();
        if (status != (came ? EMBER_E_NOMEM : EMBER_OK))
            print_error("call %zu that could fail: %s: %s\n", nth, ember_status_name(status), err.text);
        if (!came) {
            assert_int_equal(status, EMBER_OK);
            return nth - 1;
        }
        assert_int_equal(status, EMBER_E_NOMEM);
        assert_int_equal(err.status, EMBER_E_NOMEM);
        assert_true(err.text[0] != '\0');
    }
}
