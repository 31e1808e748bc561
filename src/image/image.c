/* SPDX-License-Identifier: MIT */
/* Telling images apart, and what this build can do with them. */
#include "image/image_parts.h"

#include <string.h>

#include "base/fail.h"
#include "base/sizes.h"
#include "ember/file.h"

/* A plain texture of 1024 x 1024 is a few hundred bytes; beyond that pixels have to be paid for. */
#define IMAGE_FREE ((size_t)8 << 20)
#define IMAGE_PER_BYTE 4096u

bool emberi_image_affordable(uint32_t width, uint32_t height, size_t size, ember_error *err)
{
    size_t need = (size_t)width * height * 4, paid;
    if (need <= IMAGE_FREE || !emberi_mul_size(&paid, size, IMAGE_PER_BYTE) || need - IMAGE_FREE <= paid)
        return true;
    (void)emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                       "%u x %u pixels are too many for an image of %zu bytes", width, height, size);
    return false;
}

#ifndef EMBER_HAVE_PNG
#define PNG_HINT "this build has no PNG (on Debian: apt-get install libpng-dev, then build again)"

ember_status emberi_png_read(ember_image *out, const uint8_t *data, size_t size, ember_arena *arena,
                             ember_error *err)
{
    (void)out, (void)data, (void)size, (void)arena;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, PNG_HINT);
}

ember_status ember_png_write(ember_buffer *out, const ember_image *image, ember_error *err)
{
    (void)out, (void)image;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, PNG_HINT);
}

ember_status emberi_apng_add(ember_film *film, const uint8_t *rgba, ember_error *err)
{
    (void)film, (void)rgba;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, PNG_HINT);
}

ember_status emberi_apng_finish(ember_film *film, ember_buffer *out, ember_error *err)
{
    (void)film, (void)out;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, PNG_HINT);
}
#endif

#ifndef EMBER_HAVE_JPEG
ember_status emberi_jpeg_read(ember_image *out, const uint8_t *data, size_t size, ember_arena *arena,
                              ember_error *err)
{
    (void)out, (void)data, (void)size, (void)arena;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                      "this build has no JPEG (on Debian: apt-get install libjpeg-dev, then build again)");
}
#endif

#ifndef EMBER_HAVE_GIF
#define GIF_HINT "this build has no GIF (on Debian: apt-get install libgif-dev, then build again)"

ember_status emberi_gif_open(ember_film *film, ember_error *err)
{
    (void)film;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, GIF_HINT);
}

ember_status emberi_gif_add(ember_film *film, const uint8_t *rgba, ember_error *err)
{
    (void)film, (void)rgba;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, GIF_HINT);
}

ember_status emberi_gif_finish(ember_film *film, ember_buffer *out, ember_error *err)
{
    (void)film, (void)out;
    return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, GIF_HINT);
}
#endif

ember_status ember_image_read(ember_image *out, const void *data, size_t size, ember_arena *arena,
                              ember_error *err)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'}, jpeg[3] = {0xFF, 0xD8, 0xFF};
    ember_arena_mark     mark = ember_arena_save(arena);
    ember_status         status;
    memset(out, 0, sizeof(*out));
    if (size >= sizeof(png) && memcmp(data, png, sizeof(png)) == 0)
        status = emberi_png_read(out, data, size, arena, err);
    else if (size >= sizeof(jpeg) && memcmp(data, jpeg, sizeof(jpeg)) == 0)
        status = emberi_jpeg_read(out, data, size, arena, err);
    else
        status = ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, "neither a PNG nor a JPEG image");
    if (status != EMBER_OK) {
        memset(out, 0, sizeof(*out));
        ember_arena_restore(arena, mark);
    }
    return status;
}
