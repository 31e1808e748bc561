/* SPDX-License-Identifier: MIT */
/* What may be served. A pipe would hold the server for good, and a link may lead anywhere: both are looked at
   when the file is opened, not by its name before. */
#include "verbs/view/served_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool lies_below(const char *real, const char *folder)
{
    char  *top = realpath(folder, NULL);
    size_t size = top != NULL ? strlen(top) : 0;
    bool   below = top != NULL && strncmp(real, top, size) == 0 &&
                 (real[size] == '/' || (size > 0 && top[size - 1] == '/'));
    free(top);
    return below;
}

int served_file_open(const served_file *file, size_t *size, char why[SERVED_FILE_WHY])
{
    struct stat about;
    char       *real = realpath(file->path, NULL);
    int         fd = -1;
    if (real != NULL && file->folder != NULL && !lies_below(real, file->folder)) {
        snprintf(why, SERVED_FILE_WHY, "a link leads out of the folder");
        free(real);
        return -1;
    }
    if (real != NULL)
        fd = open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    int  number = errno;
    bool told = fd >= 0 && fstat(fd, &about) == 0;
    free(real);
    if (told && S_ISREG(about.st_mode) && (uintmax_t)about.st_size <= SIZE_MAX) {
        *size = (size_t)about.st_size;
        return fd;
    }
    if (fd < 0)
        snprintf(why, SERVED_FILE_WHY, "cannot open: %s", strerror(number));
    else
        snprintf(why, SERVED_FILE_WHY, "%s",
                 told && S_ISDIR(about.st_mode) ? "cannot read: it is a folder"
                                                : "cannot read: it is not a regular file");
    if (fd >= 0)
        close(fd);
    return -1;
}
