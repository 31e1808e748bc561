/* SPDX-License-Identifier: MIT */
/* Folders by POSIX. Names come as the system has them: any bytes but '/'. */
#define _POSIX_C_SOURCE 200809L /* strdup, and opendir's kin */
#include "platform/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

emberi_path_kind emberi_path_is(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return EMBERI_PATH_NOTHING;
    return S_ISREG(info.st_mode)   ? EMBERI_PATH_FILE
           : S_ISDIR(info.st_mode) ? EMBERI_PATH_FOLDER
                                   : EMBERI_PATH_OTHER;
}

static int folder_make_one(const char *path, mode_t mode)
{
    return mkdir(path, mode) == 0 || errno == EEXIST ? 0 : errno;
}

int emberi_folder_make(const char *path, bool secret)
{
    mode_t mode = secret ? 0700 : 0777;
    char  *part = strdup(path);
    int    failed = part == NULL ? ENOMEM : 0;
    for (char *p = part; failed == 0 && *p != '\0'; p++) {
        if (*p != '/' || p == part)
            continue;
        *p = '\0';
        failed = folder_make_one(part, mode);
        *p = '/';
    }
    if (failed == 0)
        failed = folder_make_one(part, mode);
    free(part);
    return failed;
}

/* An emberi_folder is a DIR. */
emberi_folder *emberi_folder_open(const char *path) { return (emberi_folder *)opendir(path); }

const char *emberi_folder_next(emberi_folder *folder)
{
    struct dirent *entry;
    do {
        errno = 0;
        entry = readdir((DIR *)folder);
    } while (entry != NULL && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry != NULL ? entry->d_name : NULL;
}

void emberi_folder_close(emberi_folder *folder)
{
    if (folder != NULL)
        (void)closedir((DIR *)folder);
}
