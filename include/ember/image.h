/* SPDX-License-Identifier: MIT */
/* Pictures: PNG written; PNG and JPEG read, for textures; moving ones written as animated PNG or GIF. Pixels
   are RGBA bytes, sRGB, the top row first. Images that are read may be hostile: the result is a picture or an
   error, and never more memory than its pixels need. */
#ifndef EMBER_IMAGE_H
#define EMBER_IMAGE_H

#include "base.h"
#include "format.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_IMAGE_MAX_SIDE 16384u

typedef struct ember_image {
    uint32_t width, height;
    uint8_t *pixels; /* width * height * 4 */
} ember_image;

/* PNG or JPEG, by content; at most EMBER_IMAGE_MAX_SIDE pixels a side, and 2 million and 1024 for each byte
   of the file. The pixels live in the arena, which is as it was on failure. EMBER_E_UNSUPPORTED for other
   kinds, and where this build lacks the library. */
ember_status ember_image_read(ember_image *out, const void *data, size_t size, ember_arena *arena,
                              ember_error *err);

/* Appends the picture as a PNG file, without alpha. On failure `out` is as it was. */
ember_status ember_png_write(ember_buffer *out, const ember_image *image, ember_error *err);

/* ---- moving pictures ---- */

typedef enum ember_film_kind {
    EMBER_FILM_APNG = 0, /* lossless */
    EMBER_FILM_GIF       /* 255 colours, the best ones for all frames together */
} ember_film_kind;

typedef struct ember_film_options {
    ember_allocator allocator;
    ember_film_kind kind;
    uint32_t        width, height;
    double          fps; /* above 0; of a GIF 50 at the most, which is all that players do */
} ember_film_options;

typedef struct ember_film ember_film;

ember_status ember_film_create(ember_film **out, const ember_film_options *options, ember_error *err);
/* width * height * 4 bytes; alpha does not count. Only what changed since the frame before is kept. */
ember_status ember_film_add(ember_film *film, const uint8_t *rgba, ember_error *err);
/* Appends the file, which plays endlessly. Once, after one frame or more; nothing can be added then. */
ember_status ember_film_finish(ember_film *film, ember_buffer *out, ember_error *err);
void         ember_film_destroy(ember_film *film); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
