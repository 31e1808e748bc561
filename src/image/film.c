/* SPDX-License-Identifier: MIT */
/* What films of all kinds share: checks, the frame before, and what changed since. */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/sizes.h"
#include "ember/file.h"
#include "image/image_parts.h"

#define GIF_MOST_FPS 50.0
#define GIF_MOST_SIDE 65535u

emberi_box emberi_changed(const uint8_t *before, const uint8_t *now, uint32_t width, uint32_t height,
                          uint32_t pixel_size)
{
    size_t   row = (size_t)width * pixel_size;
    uint32_t top = 0, bottom = height, left = width, right = 0;
    while (top < height && memcmp(before + top * row, now + top * row, row) == 0)
        top++;
    if (top == height)
        return (emberi_box){0, 0, 1, 1};
    while (memcmp(before + (bottom - 1) * row, now + (bottom - 1) * row, row) == 0)
        bottom--;
    for (uint32_t y = top; y < bottom; y++) {
        const uint8_t *a = before + y * row, *b = now + y * row;
        for (uint32_t x = 0; x < left; x++)
            if (memcmp(a + (size_t)x * pixel_size, b + (size_t)x * pixel_size, pixel_size) != 0)
                left = x;
        for (uint32_t x = width; x > right; x--)
            if (memcmp(a + (size_t)(x - 1) * pixel_size, b + (size_t)(x - 1) * pixel_size, pixel_size) != 0)
                right = x;
    }
    return (emberi_box){left, top, right - left, bottom - top};
}

ember_status ember_film_create(ember_film **out, const ember_film_options *options, ember_error *err)
{
    ember_film *film;
    uint32_t    most = options->kind == EMBER_FILM_GIF ? GIF_MOST_SIDE : 1u << 20;
    size_t      size;
    *out = NULL;
    if (options->allocator.resize == NULL || !(options->fps > 0.0) || !isfinite(options->fps) ||
        (options->kind == EMBER_FILM_GIF && options->fps > GIF_MOST_FPS) ||
        (options->kind != EMBER_FILM_GIF && options->kind != EMBER_FILM_APNG))
        return ember_fail(
            err, EMBER_E_ARG, EMBER_NO_OFFSET,
            "a film takes an allocator, a kind and a rate above 0; a GIF 50 frames a second at the most");
    if (options->width == 0 || options->height == 0 || options->width > most || options->height > most ||
        !emberi_mul_size(&size, (size_t)options->width * 4, options->height))
        return ember_fail(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "a film of that size cannot be");
    film = options->allocator.resize(options->allocator.user, NULL, 0, sizeof(*film));
    if (film == NULL)
        return emberi_fail_memory(err);
    memset(film, 0, sizeof(*film));
    film->options = *options;
    film->bytes.allocator = options->allocator;
    film->before = options->allocator.resize(options->allocator.user, NULL, 0, size);
    ember_status status = film->before == NULL              ? emberi_fail_memory(err)
                          : options->kind == EMBER_FILM_GIF ? emberi_gif_open(film, err)
                                                            : EMBER_OK;
    if (film->before == NULL || status != EMBER_OK) {
        ember_film_destroy(film);
        return status;
    }
    memset(film->before, 0, size);
    *out = film;
    return EMBER_OK;
}

ember_status ember_film_add(ember_film *film, const uint8_t *rgba, ember_error *err)
{
    if (film->finished)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the film is finished");
    ember_status status = film->options.kind == EMBER_FILM_GIF ? emberi_gif_add(film, rgba, err)
                                                               : emberi_apng_add(film, rgba, err);
    if (status != EMBER_OK)
        return status;
    memcpy(film->before, rgba, (size_t)film->options.width * film->options.height * 4);
    film->frame_count++;
    return EMBER_OK;
}

ember_status ember_film_finish(ember_film *film, ember_buffer *out, ember_error *err)
{
    size_t had = out->size;
    if (film->finished || film->frame_count == 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the film has no frames or is finished");
    film->finished = true;
    ember_status status = film->options.kind == EMBER_FILM_GIF ? emberi_gif_finish(film, out, err)
                                                               : emberi_apng_finish(film, out, err);
    if (status != EMBER_OK)
        out->size = had;
    return status;
}

static void film_release(const ember_film *film, void *memory, size_t size)
{
    if (memory != NULL)
        film->options.allocator.resize(film->options.allocator.user, memory, size, 0);
}

void ember_film_destroy(ember_film *film)
{
    if (film == NULL)
        return;
    ember_buffer_free(&film->bytes);
    film_release(film, film->before, (size_t)film->options.width * film->options.height * 4);
    film_release(film, film->bins, EMBERI_PALETTE_BINS * sizeof(emberi_bin));
    film_release(film, film->scratch, film->scratch_size);
    film_release(film, film, sizeof(*film));
}
