/* SPDX-License-Identifier: MIT */
/* Animated PNG: libpng compresses each frame as a file of its own, and the chunks are put together here.
   Players that do not know acTL show the first frame. */
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "ember/file.h"
#include "image/image_parts.h"

#define APNG_ACTL_SIZE 20u /* size, type, two numbers, check */

static void apng_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void apng_u16(uint8_t *out, uint32_t value)
{
    out[0] = (uint8_t)(value >> 8);
    out[1] = (uint8_t)value;
}

/* A chunk whose data is `head`, then `data`. */
static bool apng_chunk(ember_buffer *out, const char *type, const uint8_t *head, size_t head_size,
                       const uint8_t *data, size_t size)
{
    uint8_t *chunk = ember_buffer_grow(out, 12 + head_size + size);
    if (chunk == NULL)
        return false;
    apng_u32(chunk, (uint32_t)(head_size + size));
    memcpy(chunk + 4, type, 4);
    if (head_size != 0)
        memcpy(chunk + 8, head, head_size);
    if (size != 0)
        memcpy(chunk + 8 + head_size, data, size);
    apng_u32(chunk + 8 + head_size + size, (uint32_t)crc32(0, chunk + 4, (uInt)(4 + head_size + size)));
    return true;
}

static bool apng_control(ember_film *film, uint32_t sequence, const emberi_box *box)
{
    uint8_t data[26] = {0};
    apng_u32(data, sequence);
    apng_u32(data + 4, box->width);
    apng_u32(data + 8, box->height);
    apng_u32(data + 12, box->left);
    apng_u32(data + 16, box->top);
    /* Seconds as a fraction of 16-bit numbers: a thousandth of a frame is fine enough up to 65
       frames a second. */
    double fps = film->options.fps;
    bool   fine = fps * 1000.0 <= 65535.0;
    apng_u16(data + 20, fine ? 1000 : 1);
    apng_u16(data + 22, fine            ? (uint32_t)(fps * 1000.0 + 0.5)
                        : fps < 65535.0 ? (uint32_t)(fps + 0.5)
                                        : 65535u);
    /* the last two bytes: nothing is disposed of, nothing blended */
    return apng_chunk(&film->bytes, "fcTL", data, sizeof(data), NULL, 0);
}

/* The PNG file's chunks before the image data. */
static bool apng_begin(ember_film *film, const uint8_t *png, size_t size)
{
    uint8_t unknown[8] = {0}; /* frames, filled in at the end; plays, 0 is endlessly */
    if (!ember_buffer_append(&film->bytes, png, 8 + 25) ||
        !apng_chunk(&film->bytes, "acTL", unknown, sizeof(unknown), NULL, 0))
        return false;
    for (size_t at = 33; at + 12 <= size && memcmp(png + at + 4, "IDAT", 4) != 0;
         at += 12 + (size_t)emberi_get_u32_big(png + at))
        if (!ember_buffer_append(&film->bytes, png + at, 12 + (size_t)emberi_get_u32_big(png + at)))
            return false;
    return true;
}

static bool apng_frame(ember_film *film, const ember_buffer *png, const emberi_box *box)
{
    uint32_t sequence = film->frame_count == 0 ? 0 : 2 * film->frame_count - 1;
    bool     done = film->frame_count != 0 || apng_begin(film, png->data, png->size);
    done = done && apng_control(film, sequence, box);
    ember_buffer data = {.allocator = film->options.allocator};
    for (size_t at = 8; done && at + 12 <= png->size; at += 12 + (size_t)emberi_get_u32_big(png->data + at))
        if (memcmp(png->data + at + 4, "IDAT", 4) == 0)
            done = ember_buffer_append(&data, png->data + at + 8, emberi_get_u32_big(png->data + at));
    uint8_t number[4];
    apng_u32(number, sequence + 1);
    if (film->frame_count == 0)
        done = done && apng_chunk(&film->bytes, "IDAT", NULL, 0, data.data, data.size);
    else
        done = done && apng_chunk(&film->bytes, "fdAT", number, sizeof(number), data.data, data.size);
    ember_buffer_free(&data);
    return done;
}

ember_status emberi_apng_add(ember_film *film, const uint8_t *rgba, ember_error *err)
{
    uint32_t     width = film->options.width;
    emberi_box   box = {0, 0, width, film->options.height};
    ember_buffer png = {.allocator = film->options.allocator};
    size_t       had = film->bytes.size;
    if (film->frame_count != 0)
        box = emberi_changed(film->before, rgba, width, film->options.height, 4);
    emberi_view  view = {rgba + ((size_t)box.top * width + box.left) * 4, (size_t)width * 4, box.width,
                         box.height};
    ember_status status = emberi_png_write_view(&png, &view, err);
    if (status == EMBER_OK && !apng_frame(film, &png, &box)) {
        film->bytes.size = had;
        status = emberi_fail_memory(err);
    }
    ember_buffer_free(&png);
    return status;
}

ember_status emberi_apng_finish(ember_film *film, ember_buffer *out, ember_error *err)
{
    uint8_t *control = film->bytes.data + 33; /* behind the signature and IHDR */
    apng_u32(control + 8, film->frame_count);
    apng_u32(control + APNG_ACTL_SIZE - 4, (uint32_t)crc32(0, control + 4, 12));
    if (!apng_chunk(&film->bytes, "IEND", NULL, 0, NULL, 0) ||
        !ember_buffer_append(out, film->bytes.data, film->bytes.size))
        return emberi_fail_memory(err);
    return EMBER_OK;
}
