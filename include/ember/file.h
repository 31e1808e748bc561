/* SPDX-License-Identifier: MIT */
/* Whole files in and out, and the bytes between: a buffer that grows, and the C library's heap behind the
   allocator hook. */
#ifndef EMBER_FILE_H
#define EMBER_FILE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* malloc, realloc and free behind the allocator hook. */
EMBER_API ember_allocator ember_heap(void);

/* Bytes that grow. Set the allocator and leave the rest zero; free with ember_buffer_free. */
typedef struct ember_buffer {
    ember_allocator allocator;
    uint8_t        *data;
    size_t          size;
    size_t          capacity;
    size_t          limit; /* 0: 4 GiB, or what size_t holds */
} ember_buffer;
/* Room for `size` more bytes, which the caller fills in; NULL if there is no memory. */
EMBER_API uint8_t *ember_buffer_grow(ember_buffer *buffer, size_t size);
EMBER_API bool     ember_buffer_append(ember_buffer *buffer, const void *data, size_t size);
EMBER_API void     ember_buffer_free(ember_buffer *buffer);

/* The whole file; folders, and files over `limit_size` (0: 1 GiB), are errors. "-" is standard input. */
EMBER_API ember_status ember_file_read(ember_buffer *out, const char *path, size_t limit_size,
                                       ember_error *err);

/* Writes a file so that the path holds either what it held before or all of the new bytes: to a temporary
   name beside it, then renamed. "-" is standard output, and is simply written. A path that is a device or a
   pipe is written in place. */
EMBER_API ember_status ember_file_write(const char *path, const void *data, size_t size, ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
