/* SPDX-License-Identifier: MIT */
/* What the files of this room share. */
#ifndef EMBER_IMAGE_PARTS_H
#define EMBER_IMAGE_PARTS_H

#include "ember/image.h"

ember_status emberi_png_read(ember_image *out, const uint8_t *data, size_t size, ember_arena *arena,
                             ember_error *err);
ember_status emberi_jpeg_read(ember_image *out, const uint8_t *data, size_t size, ember_arena *arena,
                              ember_error *err);

/* Whether a file of that size may say that it holds so many pixels; the error is set where not. Neither
   format can be trusted to hold what its header claims. */
bool emberi_image_affordable(uint32_t width, uint32_t height, size_t size, ember_error *err);

/* A rectangle of a picture whose rows are `stride` bytes apart, as a whole PNG file. */
typedef struct emberi_view {
    const uint8_t *pixels;
    size_t         stride;
    uint32_t       width, height;
} emberi_view;
ember_status emberi_png_write_view(ember_buffer *out, const emberi_view *view, ember_error *err);

/* The part of a picture that differs from the one before; at least one pixel. */
typedef struct emberi_box {
    uint32_t left, top, width, height;
} emberi_box;
emberi_box emberi_changed(const uint8_t *before, const uint8_t *now, uint32_t width, uint32_t height,
                          uint32_t pixel_size);

/* ---- colours: palette.c ---- */

#define EMBERI_PALETTE_BITS 6u /* of each channel, where colours are counted */
#define EMBERI_PALETTE_BINS (1u << (3u * EMBERI_PALETTE_BITS))
#define EMBERI_PALETTE_MOST 255u

typedef struct emberi_bin {
    uint64_t count, sum[3];
} emberi_bin;

static inline uint32_t emberi_bin_of(const uint8_t *rgb)
{
    uint32_t drop = 8u - EMBERI_PALETTE_BITS;
    return (uint32_t)(rgb[0] >> drop) << (2 * EMBERI_PALETTE_BITS) |
           (uint32_t)(rgb[1] >> drop) << EMBERI_PALETTE_BITS | (uint32_t)(rgb[2] >> drop);
}

/* The colours that come nearest to all that were counted; *nearest is the colour of each bin that holds any.
   False without memory. */
bool emberi_palette_make(uint8_t colors[EMBERI_PALETTE_MOST][3], uint32_t *color_count,
                         uint8_t nearest[EMBERI_PALETTE_BINS], const emberi_bin *bins,
                         ember_allocator allocator);

/* ---- films ---- */

struct ember_film {
    ember_film_options options;
    uint32_t           frame_count;
    bool               finished;
    uint8_t           *before;  /* the last frame, RGBA */
    ember_buffer       bytes;   /* APNG: the file so far. GIF: what changed in each frame, deflated */
    emberi_bin        *bins;    /* GIF */
    uint8_t           *scratch; /* GIF: what is deflated, and into what */
    size_t             scratch_size;
};

ember_status emberi_apng_add(ember_film *film, const uint8_t *rgba, ember_error *err);
ember_status emberi_apng_finish(ember_film *film, ember_buffer *out, ember_error *err);
ember_status emberi_gif_open(ember_film *film, ember_error *err);
ember_status emberi_gif_add(ember_film *film, const uint8_t *rgba, ember_error *err);
ember_status emberi_gif_finish(ember_film *film, ember_buffer *out, ember_error *err);

#endif
