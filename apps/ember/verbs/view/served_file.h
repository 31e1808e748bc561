/* SPDX-License-Identifier: MIT */
/* A file that the viewer's server may hand out: a regular one, and where another file has named it, below
   that one's folder. */
#ifndef EMBER_APP_SERVED_FILE_H
#define EMBER_APP_SERVED_FILE_H

#include <stddef.h>

/* `path` is as it was given; `folder` is where it must lie once all links are followed, or NULL
   for anywhere. */
typedef struct served_file {
    const char *path;
    const char *folder;
} served_file;

/* Opens it for reading, and never waits for it: pipes and devices are refused. The descriptor, or -1 with the
   reason in `why`. */
#define SERVED_FILE_WHY 160
int served_file_open(const served_file *file, size_t *size, char why[SERVED_FILE_WHY]);

#endif
