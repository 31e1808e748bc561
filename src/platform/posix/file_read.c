/* SPDX-License-Identifier: MIT */
/* Whole files in, by reading and by mapping. What a path leads to may be anything: folders, devices and pipes
   that never end are errors or bounded. */
#define _GNU_SOURCE /* open, fstat, realpath, mmap */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "platform/files.h"

#define FILE_READ_LIMIT ((size_t)1 << 30)
#define FILE_READ_STEP ((size_t)1 << 16)

static ember_status file_read_all(ember_buffer *out, int fd, size_t limit, ember_error *err)
{
    size_t start = out->size;
    for (;;) {
        size_t   used = out->size;
        uint8_t *room = ember_buffer_grow(out, FILE_READ_STEP);
        if (room == NULL)
            return emberi_fail_memory(err);
        ssize_t got;
        do
            got = read(fd, room, FILE_READ_STEP);
        while (got < 0 && errno == EINTR);
        out->size = used + (got > 0 ? (size_t)got : 0);
        if (got < 0)
            return emberi_fail_system(err, "cannot read", errno);
        if (out->size - start > limit)
            return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "file has more than %zu bytes", limit);
        if (got == 0)
            return EMBER_OK;
    }
}

static ember_status file_read_fd(ember_buffer *out, int fd, size_t limit, ember_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return emberi_fail_system(err, "cannot read", errno);
    if (S_ISDIR(info.st_mode))
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot read: it is a folder");
    if (S_ISREG(info.st_mode) && info.st_size > 0 && (uintmax_t)info.st_size > limit)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "file has %jd bytes, at most %zu are read",
                            (intmax_t)info.st_size, limit);
    return file_read_all(out, fd, limit, err);
}

ember_status ember_file_read(ember_buffer *out, const char *path, size_t limit_size, ember_error *err)
{
    size_t start = out->size;
    bool   is_stdin = strcmp(path, "-") == 0;
    int    fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return emberi_fail_system(err, "cannot open", errno);
    ember_status status = file_read_fd(out, fd, limit_size != 0 ? limit_size : FILE_READ_LIMIT, err);
    if (status != EMBER_OK)
        out->size = start;
    if (!is_stdin)
        close(fd);
    return status;
}

/* Whether a path, wherever links lead, is a place below the folder of the document. */
static bool file_is_below(const char *document, const char *path)
{
    const char *slash = strrchr(document, '/');
    char       *folder_name = slash == NULL       ? strdup(".")
                              : slash == document ? strdup("/")
                                                  : strndup(document, (size_t)(slash - document));
    char  *folder = folder_name != NULL ? realpath(folder_name, NULL) : NULL, *place = realpath(path, NULL);
    size_t size = folder != NULL ? strlen(folder) : 0;
    bool   below = folder != NULL && place != NULL && strncmp(place, folder, size) == 0 &&
                 (place[size] == '/' || folder[size - 1] == '/');
    free(folder_name);
    free(folder);
    free(place);
    return below;
}

ember_status emberi_file_read_beside(ember_buffer *out, const char *document, const char *path,
                                     size_t limit_size, ember_error *err)
{
    struct stat info;
    size_t      start = out->size;
    /* A pipe without a writer would wait for ever. */
    int         fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return emberi_fail_system(err, "cannot open", errno);
    ember_status status = EMBER_OK;
    if (fstat(fd, &info) != 0)
        status = emberi_fail_system(err, "cannot read", errno);
    else if (!S_ISREG(info.st_mode))
        status = ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot read: it is not a regular file");
    else if (!file_is_below(document, path))
        status = ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                            "a link leads out of the document's folder");
    else
        status = file_read_fd(out, fd, limit_size != 0 ? limit_size : FILE_READ_LIMIT, err);
    if (status != EMBER_OK)
        out->size = start;
    close(fd);
    return status;
}

/* ---- mapping ---- */

static ember_status file_map_fd(emberi_mapped *out, int fd, ember_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return emberi_fail_system(err, "cannot read", errno);
    if (!S_ISREG(info.st_mode))
        return ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET,
                          S_ISDIR(info.st_mode) ? "cannot open: it is a folder"
                                                : "cannot open: it is not a regular file");
    if (info.st_size == 0)
        return EMBER_OK;
    if ((uintmax_t)info.st_size > SIZE_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "file has %jd bytes",
                            (intmax_t)info.st_size);
    void *memory = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (memory == MAP_FAILED)
        return emberi_fail_system(err, "cannot map", errno);
    *out = (emberi_mapped){memory, (size_t)info.st_size};
    return EMBER_OK;
}

ember_status emberi_file_map(emberi_mapped *out, const char *path, ember_error *err)
{
    *out = (emberi_mapped){NULL, 0};
    /* A pipe without a writer would wait for ever. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return emberi_fail_system(err, "cannot open", errno);
    ember_status status = file_map_fd(out, fd, err);
    close(fd);
    return status;
}

void emberi_file_unmap(const emberi_mapped *mapped)
{
    if (mapped->data != NULL)
        munmap((void *)(uintptr_t)mapped->data, mapped->size);
}
