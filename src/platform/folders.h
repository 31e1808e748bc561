/* SPDX-License-Identifier: MIT */
/* Folders: what a path is, making folders, and the names in one. */
#ifndef EMBER_PLATFORM_FOLDERS_H
#define EMBER_PLATFORM_FOLDERS_H

#include <stdbool.h>

typedef enum emberi_path_kind {
    EMBERI_PATH_NOTHING = 0, /* nothing is there, or it cannot be looked at */
    EMBERI_PATH_FILE,
    EMBERI_PATH_FOLDER,
    EMBERI_PATH_OTHER /* a device, a pipe, a socket */
} emberi_path_kind;

/* Links are followed. */
emberi_path_kind emberi_path_is(const char *path);

/* Makes the folder and those above it that are missing; one that is there already is fine. `secret`: for the
   user alone. Returns 0 or errno's value. */
int emberi_folder_make(const char *path, bool secret);

typedef struct emberi_folder emberi_folder;

/* NULL, and errno says why, where it cannot be read. Close with emberi_folder_close, which takes NULL too. */
emberi_folder *emberi_folder_open(const char *path);
/* The next name, without "." and "..", in no order; valid until the next call. NULL at the end, with errno 0,
   or where the rest cannot be read, with errno's value. */
const char    *emberi_folder_next(emberi_folder *folder);
void           emberi_folder_close(emberi_folder *folder);

#endif
