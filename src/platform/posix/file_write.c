/* SPDX-License-Identifier: MIT */
/* Writing whole files: a path holds either what it held before or all of the new bytes; every error of the
   system is reported with its own words, and no temporary file stays behind. */
#define _GNU_SOURCE /* O_TMPFILE, and POSIX: open, fstat, readlink, fsync */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "ember/file.h"

#define FILE_LINK_SIZE ((size_t)1 << 16) /* where the system does not say */
#define FILE_WRITE_STEP ((size_t)1 << 20)
#define FILE_MAX_LINKS 40
#define FILE_MAX_TEMPS 1000

/* ---- signals: while a temporary name is on the disk, those that end a process wait until it is gone ---- */

static const int file_ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { FILE_ENDS = sizeof(file_ends) / sizeof(file_ends[0]) };

static void file_hold_ends(sigset_t *before)
{
    sigset_t ends;
    sigemptyset(&ends);
    for (int i = 0; i < FILE_ENDS; i++)
        sigaddset(&ends, file_ends[i]);
    (void)pthread_sigmask(SIG_BLOCK, &ends, before);
}

/* Whether one of them waits because of us, and will not be ignored. */
static bool file_is_ended(const sigset_t *before)
{
    sigset_t         waiting;
    struct sigaction action;
    if (before == NULL || sigpending(&waiting) != 0)
        return false;
    for (int i = 0; i < FILE_ENDS; i++) {
        if (sigismember(&waiting, file_ends[i]) == 1 && sigismember(before, file_ends[i]) == 0 &&
            sigaction(file_ends[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            return true;
    }
    return false;
}

/* ---- writing in place: devices, pipes, standard output ---- */

/* Where signals are held (`before` is what was held before, else NULL), they do not wait for
   more than a step. */
static ember_status file_write_all(int fd, const uint8_t *data, size_t size, const sigset_t *before,
                                   ember_error *err)
{
    while (size != 0) {
        if (file_is_ended(before))
            return emberi_fail_system(err, "cannot write", EINTR);
        ssize_t put = write(fd, data, size < FILE_WRITE_STEP ? size : FILE_WRITE_STEP);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return emberi_fail_system(err, "cannot write", errno);
        data += put;
        size -= (size_t)put;
    }
    return EMBER_OK;
}

static ember_status file_close(int fd, ember_status status, ember_error *err)
{
    if (close(fd) != 0 && status == EMBER_OK && errno != EINTR)
        return emberi_fail_system(err, "cannot write", errno);
    return status;
}

static ember_status file_write_in_place(const char *path, const uint8_t *data, size_t size, ember_error *err)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return emberi_fail_system(err, "cannot open for writing", errno);
    return file_close(fd, file_write_all(fd, data, size, NULL, err), err);
}

/* The descriptor that a path like /dev/stdout or /dev/fd/3 stands for, or -1. It is written to as it is:
   opened anew, a file behind it would be cut, and what was appended to lost. */
static int file_descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        size_t      size = strlen(folders[i]);
        const char *digits = path + size;
        if (strncmp(path, folders[i], size) != 0 || *digits == '\0' ||
            strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 6)
            continue;
        return (int)strtol(digits, NULL, 10);
    }
    return -1;
}

/* ---- writing beside, then renaming ---- */

/* All paths of one write; they are as long as they need to be. */
typedef struct file_paths {
    ember_arena arena;
    const char *target; /* behind all symbolic links */
    char       *temp;
} file_paths;

/* "folder/" of "folder/name", "" of "name". */
static size_t file_folder_size(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static char *file_join(ember_arena *arena, const char *folder, size_t folder_size, const char *name,
                       size_t name_size)
{
    char *path = EMBER_PUSH(arena, char, folder_size + name_size + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, folder, folder_size);
    memcpy(path + folder_size, name, name_size);
    return path;
}

/* Follows symbolic links, also one to a file that is still to be made. *in_place where they lead
   through /proc, as /dev/stdout and /dev/fd do: an open file cannot be replaced, even if what stands
   behind it has a name. */
static ember_status file_follow(file_paths *paths, const char *path, bool *in_place, ember_error *err)
{
    struct stat info;
    for (int links = 0; links <= FILE_MAX_LINKS; links++) {
        paths->target = path;
        *in_place = strncmp(path, "/proc/", 6) == 0;
        if (*in_place || lstat(path, &info) != 0 || !S_ISLNK(info.st_mode))
            return EMBER_OK;
        size_t room = info.st_size > 0 ? (size_t)info.st_size + 1 : FILE_LINK_SIZE;
        char  *link = EMBER_PUSH(&paths->arena, char, room + 1);
        if (link == NULL)
            return emberi_fail_memory(err);
        ssize_t size = readlink(path, link, room);
        if (size < 0)
            return emberi_fail_system(err, "cannot follow the symbolic link", errno);
        link[size] = '\0';
        size_t folder = link[0] == '/' ? 0 : file_folder_size(path);
        path = file_join(&paths->arena, path, folder, link, (size_t)size);
        if (path == NULL)
            return emberi_fail_memory(err);
    }
    return emberi_fail_system(err, "cannot follow the symbolic links", ELOOP);
}

/* The folder that the target is in; NULL if there is no memory for its name. */
static const char *file_folder(file_paths *paths)
{
    size_t size = file_folder_size(paths->target);
    return size != 0 ? file_join(&paths->arena, paths->target, size, "", 0) : ".";
}

/* Where the system can, the file has no name until it is whole: a process that is ended while it writes
   leaves nothing behind. -1 where it cannot; a file without a name gets one through /proc. */
static int file_open_nameless(file_paths *paths, mode_t mode)
{
    const char *folder = file_folder(paths);
#ifdef O_TMPFILE
    if (folder != NULL && access("/proc/self/fd", X_OK) == 0)
        return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC | O_NOCTTY, mode);
#endif
    (void)folder;
    (void)mode;
    return -1;
}

/* Gives the nameless file `fd` that name, or makes one of it if fd is -1. Returns the descriptor, or -1 with
   errno set. */
static int file_name(int fd, const char *name, mode_t mode)
{
    char own[64];
    if (fd < 0)
        return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode);
    snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? fd : -1;
}

/* A temporary name of its own length, because the target's may be as long as a name can be. */
static int file_name_temp(file_paths *paths, int fd, mode_t mode, ember_error *err)
{
    size_t folder = file_folder_size(paths->target);
    for (int i = 0; i < FILE_MAX_TEMPS; i++) {
        char name[64];
        int  size = snprintf(name, sizeof(name), ".ember-%jd-%d.tmp", (intmax_t)getpid(), i);
        paths->temp = file_join(&paths->arena, paths->target, folder, name, (size_t)size);
        if (paths->temp == NULL) {
            emberi_fail_memory(err);
            return -1;
        }
        int named = file_name(fd, paths->temp, mode);
        if (named >= 0)
            return named;
        if (errno != EEXIST)
            break;
    }
    paths->temp = NULL;
    if (errno == ENOENT && fd < 0)
        ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot write: there is no such folder");
    else
        emberi_fail_system(err, "cannot write into the folder", errno);
    return -1;
}

/* The new file gets the owner and the permissions of the one it replaces, as far as the system lets us. */
static void file_keep_owner(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 07777u;
    if (fchown(fd, old->st_uid, old->st_gid) != 0)
        mode &= 0777u; /* set-user-ID is not for another owner */
    (void)fchmod(fd, mode);
}

/* So that the new name survives a power cut too; the bytes are safe already, and not every file
   system can do it. */
static void file_sync_folder(file_paths *paths)
{
    const char *folder = file_folder(paths);
    int         fd = folder != NULL ? open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY) : -1;
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

/* The bytes, safe on the disk. */
static ember_status file_fill(int fd, const uint8_t *data, size_t size, const struct stat *old,
                              const sigset_t *before, ember_error *err)
{
    ember_status status = file_write_all(fd, data, size, before, err);
    if (status == EMBER_OK && old != NULL)
        file_keep_owner(fd, old);
    /* EINVAL: a file system that has nothing to sync. */
    if (status == EMBER_OK && fsync(fd) != 0 && errno != EINVAL)
        status = emberi_fail_system(err, "cannot write", errno);
    return status;
}

static ember_status file_rename_nameless(file_paths *paths, int fd, ember_error *err)
{
    sigset_t     before;
    ember_status status = EMBER_OK;
    file_hold_ends(&before);
    if (file_name_temp(paths, fd, 0, err) < 0)
        status = err->status;
    else if (rename(paths->temp, paths->target) != 0)
        status = emberi_fail_system(err, "cannot rename the finished file", errno);
    if (status != EMBER_OK && paths->temp != NULL)
        (void)unlink(paths->temp);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static ember_status file_replace_nameless(file_paths *paths, int fd, const uint8_t *data, size_t size,
                                          const struct stat *old, ember_error *err)
{
    ember_status status = file_fill(fd, data, size, old, NULL, err);
    /* A name that is free can be had at once. */
    if (status == EMBER_OK && (old != NULL || file_name(fd, paths->target, 0) < 0))
        status = file_rename_nameless(paths, fd, err);
    /* Nothing is left to go wrong: the bytes are on the disk, and the name is given. */
    (void)close(fd);
    return status;
}

static ember_status file_replace_named(file_paths *paths, mode_t mode, const uint8_t *data, size_t size,
                                       const struct stat *old, ember_error *err)
{
    sigset_t before;
    file_hold_ends(&before);
    int          fd = file_name_temp(paths, -1, mode, err);
    ember_status status =
        fd >= 0 ? file_close(fd, file_fill(fd, data, size, old, &before, err), err) : err->status;
    if (status == EMBER_OK && rename(paths->temp, paths->target) != 0)
        status = emberi_fail_system(err, "cannot rename the finished file", errno);
    if (status != EMBER_OK && paths->temp != NULL)
        (void)unlink(paths->temp);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static ember_status file_replace(file_paths *paths, const uint8_t *data, size_t size, const struct stat *old,
                                 ember_error *err)
{
    mode_t       mode = old != NULL ? old->st_mode & 0777u : 0666u;
    int          fd = file_open_nameless(paths, mode);
    ember_status status = fd >= 0 ? file_replace_nameless(paths, fd, data, size, old, err)
                                  : file_replace_named(paths, mode, data, size, old, err);
    if (status == EMBER_OK)
        file_sync_folder(paths);
    return status;
}

static ember_status file_write_path(file_paths *paths, const char *path, const uint8_t *data, size_t size,
                                    ember_error *err)
{
    struct stat  info;
    bool         in_place;
    ember_status status = file_follow(paths, path, &in_place, err);
    if (status != EMBER_OK)
        return status;
    if (in_place)
        return file_write_in_place(path, data, size, err);
    if (stat(paths->target, &info) != 0) {
        if (errno != ENOENT)
            return emberi_fail_system(err, "cannot write", errno);
        size_t length = strlen(paths->target);
        if (length == 0 || paths->target[length - 1] == '/')
            return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot write: it is the name of a folder");
        return file_replace(paths, data, size, NULL, err);
    }
    if (S_ISDIR(info.st_mode))
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot write: it is a folder");
    if (!S_ISREG(info.st_mode))
        return file_write_in_place(paths->target, data, size, err);
    /* A folder that may be written lets us replace a file that may not be. */
    if (faccessat(AT_FDCWD, paths->target, W_OK, AT_EACCESS) != 0)
        return emberi_fail_system(err, "cannot write", errno);
    return file_replace(paths, data, size, &info, err);
}

ember_status ember_file_write(const char *path, const void *data, size_t size, ember_error *err)
{
    ember_error  local = EMBER_ERROR_INIT;
    ember_status status;
    int          fd = strcmp(path, "-") == 0 ? STDOUT_FILENO : file_descriptor_of(path);
    if (fd >= 0) {
        /* What the program has printed before comes before. */
        status = fflush(stdout) == 0 ? file_write_all(fd, data, size, NULL, &local)
                                     : emberi_fail_system(&local, "cannot write", errno);
    } else {
        file_paths paths = {.arena = ember_arena_growing(ember_heap(), 0)};
        status = file_write_path(&paths, path, data, size, &local);
        ember_arena_free(&paths.arena);
    }
    if (status != EMBER_OK && err != NULL && err->status == EMBER_OK)
        *err = local;
    return status;
}
