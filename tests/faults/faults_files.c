/* SPDX-License-Identifier: MIT */
/* The functions of files, folders, threads and processes that stand before the system's. */
#define _GNU_SOURCE

#include "faults_shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool makes(int flags)
{
    return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

static int open_as(const char *path, int flags, unsigned mode, uintptr_t caller)
{
    enum act change = makes(flags) ? shim_change_begin(caller) : 0;
    int      fd = -1;
    if (shim_named_only && (flags & O_TMPFILE) == O_TMPFILE)
        errno = EOPNOTSUPP;
    else if (shim_at(OPEN, caller) != 0)
        errno = makes(flags) ? ENOSPC : EMFILE;
    else
        fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    shim_change_end(change);
    return fd;
}

SHIM int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    unsigned mode = makes(flags) ? va_arg(list, unsigned) : 0;
    va_end(list);
    return open_as(path, flags, mode, CALLER);
}

SHIM int open64(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    unsigned mode = makes(flags) ? va_arg(list, unsigned) : 0;
    va_end(list);
    return open_as(path, flags, mode, CALLER);
}

SHIM ssize_t read(int fd, void *data, size_t size)
{
    enum act act = shim_at(READ, CALLER);
    if (act == FAIL || act == INTERRUPT) {
        errno = act == FAIL ? EIO : EINTR;
        return -1;
    }
    return syscall(SYS_read, fd, data, act == SHORT && size > 1 ? 1 : size);
}

SHIM ssize_t write(int fd, const void *data, size_t size)
{
    enum act change = shim_change_begin(CALLER), act = shim_at(WRITE, CALLER);
    ssize_t  put = -1;
    if (act == FAIL || act == INTERRUPT)
        errno = act == FAIL ? EIO : EINTR;
    else if (act == FAIL_ON && (shim_counts[WRITE] > shim_asked_n || size < 2))
        errno = ENOSPC;
    else
        put = syscall(SYS_write, fd, data, act == FAIL_ON ? size / 2 : act == SHORT && size > 1 ? 1 : size);
    shim_change_end(change);
    return put;
}

SHIM int fsync(int fd)
{
    enum act change = shim_change_begin(CALLER);
    int      result = 0; /* nothing here outlives the machine */
    if (shim_at(SYNC, CALLER) != 0) {
        errno = EIO;
        result = -1;
    }
    (void)fd;
    shim_change_end(change);
    return result;
}

SHIM int close(int fd)
{
    int result = (int)syscall(SYS_close, fd);
    if (shim_at(CLOSE, CALLER) == 0)
        return result;
    errno = EIO;
    return -1;
}

#define FILE_CALL(kind, error, type, name, parameters, call) \
    SHIM type name parameters                                \
    {                                                        \
        enum act change = shim_change_begin(CALLER);         \
        type     result = (type)-1;                          \
        if (shim_at(kind, CALLER) != 0)                      \
            errno = error;                                   \
        else                                                 \
            result = (type)(call);                           \
        shim_change_end(change);                             \
        return result;                                       \
    }

FILE_CALL(RENAME, EIO, int, rename, (const char *from, const char *to),
          syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0))
FILE_CALL(RENAME, ENOSPC, int, linkat, (int a, const char *from, int b, const char *to, int flags),
          syscall(SYS_linkat, a, from, b, to, flags))
FILE_CALL(RENAME, EIO, int, unlink, (const char *path), syscall(SYS_unlinkat, AT_FDCWD, path, 0))
FILE_CALL(FOLDER, ENOSPC, int, mkdir, (const char *path, mode_t mode),
          syscall(SYS_mkdirat, AT_FDCWD, path, mode))

#define LOOK_CALL(error, type, name, parameters, arguments) \
    SHIM type name parameters                               \
    {                                                       \
        BEHIND(type, #name, ARGUMENTS parameters)           \
        if (shim_at(LOOK, CALLER) != 0) {                   \
            errno = error;                                  \
            return (type)-1;                                \
        }                                                   \
        return real arguments;                              \
    }
#define ARGUMENTS(...) __VA_ARGS__

LOOK_CALL(EIO, int, stat, (const char *path, struct stat *out), (path, out))
LOOK_CALL(EIO, int, lstat, (const char *path, struct stat *out), (path, out))
LOOK_CALL(EIO, int, fstat, (int fd, struct stat *out), (fd, out))
LOOK_CALL(EIO, int, fstatat, (int fd, const char *path, struct stat *out, int flags), (fd, path, out, flags))
LOOK_CALL(EIO, ssize_t, readlink, (const char *path, char *out, size_t size), (path, out, size))
LOOK_CALL(EIO, int, access, (const char *path, int mode), (path, mode))
LOOK_CALL(EIO, int, faccessat, (int fd, const char *path, int mode, int flags), (fd, path, mode, flags))

SHIM void *mmap(void *memory, size_t size, int protection, int flags, int fd, off_t offset)
{
    if (shim_at(READ, CALLER) == FAIL) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, memory, size, protection, flags, fd, offset);
}

SHIM FILE *fopen(const char *path, const char *mode)
{
    BEHIND(FILE *, "fopen", const char *, const char *)
    if (shim_at(OPEN, CALLER) != 0) {
        errno = EMFILE;
        return NULL;
    }
    return real(path, mode);
}

SHIM size_t fread(void *data, size_t size, size_t count, FILE *file)
{
    BEHIND(size_t, "fread", void *, size_t, size_t, FILE *)
    if (shim_at(READ, CALLER) == FAIL) {
        errno = EIO;
        return 0;
    }
    return real(data, size, count, file);
}

SHIM DIR *opendir(const char *path)
{
    BEHIND(DIR *, "opendir", const char *)
    if (shim_at(FOLDER, CALLER) != 0) {
        errno = EMFILE;
        return NULL;
    }
    return real(path);
}

SHIM struct dirent *readdir(DIR *folder)
{
    BEHIND(struct dirent *, "readdir", DIR *)
    if (shim_at(FOLDER, CALLER) != 0) {
        errno = EIO;
        return NULL;
    }
    return real(folder);
}

SHIM int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *user)
{
    BEHIND(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    return shim_at(THREAD, CALLER) != 0 ? EAGAIN : real(thread, how, run, user);
}

SHIM pid_t fork(void)
{
    BEHIND(pid_t, "fork", void)
    if (shim_at(THREAD, CALLER) != 0) {
        errno = EAGAIN;
        return -1;
    }
    return real();
}

SHIM int pipe(int ends[2])
{
    BEHIND(int, "pipe", int *)
    if (shim_at(THREAD, CALLER) != 0) {
        errno = EMFILE;
        return -1;
    }
    return real(ends);
}
