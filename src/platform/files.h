/* SPDX-License-Identifier: MIT */
/* Files, beside what ember/file.h offers: those that a document names, and whole files in memory
   without a copy. */
#ifndef EMBER_PLATFORM_FILES_H
#define EMBER_PLATFORM_FILES_H

#include "ember/file.h"

/* Reads a file that a document names: a regular one, and below the document's folder wherever links lead.
   limit_size 0: 1 GiB. */
ember_status emberi_file_read_beside(ember_buffer *out, const char *document, const char *path,
                                     size_t limit_size, ember_error *err);

/* A regular file that is read in place: its bytes are there until emberi_file_unmap. An empty
   one has no data. */
typedef struct emberi_mapped {
    const uint8_t *data;
    size_t         size;
} emberi_mapped;
ember_status emberi_file_map(emberi_mapped *out, const char *path, ember_error *err);
void         emberi_file_unmap(const emberi_mapped *mapped);

#endif
