/* SPDX-License-Identifier: MIT */
/* What is written: PNG and animated PNG come back pixel for pixel, GIF within what 255 colours allow, with
   the background exactly.
   Covers: apng.c, film.c, gif.c, palette.c. */
#define _GNU_SOURCE /* memmem */
#include "testing.h"

#include <gif_lib.h>
#include <zlib.h>

#include "ember/image.h"
#include "format/fixture.h"

#define WIDTH 60u
#define HEIGHT 40u
#define FRAMES 7u

/* A disc with shades that moves over a flat background. */
static void frame_make(uint8_t *out, uint32_t frame)
{
    for (int y = 0; y < (int)HEIGHT; y++)
        for (int x = 0; x < (int)WIDTH; x++) {
            uint8_t *p = out + ((size_t)y * WIDTH + (size_t)x) * 4;
            int      dx = x - 12 - 5 * (int)frame, dy = y - 20;
            bool     inside = dx * dx + dy * dy < 100;
            p[0] = inside ? (uint8_t)(150 + dx * 9) : 35;
            p[1] = inside ? (uint8_t)(120 + dy * 9) : 40;
            p[2] = inside ? (uint8_t)(100 + (dx + dy) * 4) : 47;
            p[3] = 255;
        }
}

static uint32_t get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static uint32_t get_u16(const uint8_t *p) { return (uint32_t)p[0] << 8 | p[1]; }

static ember_buffer film_make(ember_film_kind kind, double fps)
{
    ember_film_options options = {.allocator = ember_heap(),
                                  .kind = kind,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .fps = fps};
    ember_error        err = EMBER_ERROR_INIT;
    ember_buffer       out = {.allocator = ember_heap()};
    ember_film        *film;
    uint8_t            pixels[WIDTH * HEIGHT * 4];
    assert_int_equal(ember_film_create(&film, &options, &err), EMBER_OK);
    for (uint32_t i = 0; i < FRAMES; i++) {
        frame_make(pixels, i == 4 ? 3 : i); /* one that is as the one before */
        assert_int_equal(ember_film_add(film, pixels, &err), EMBER_OK);
    }
    assert_int_equal(ember_film_finish(film, &out, &err), EMBER_OK);
    assert_int_equal(ember_film_finish(film, &out, &err), EMBER_E_ARG);
    assert_int_equal(ember_film_add(film, pixels, &err), EMBER_E_ARG);
    ember_film_destroy(film);
    return out;
}

TEST(png_comes_back)
{
    uint8_t      pixels[WIDTH * HEIGHT * 4];
    ember_image  image = {WIDTH, HEIGHT, pixels}, back;
    ember_buffer out = {.allocator = ember_heap()};
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_error  err = EMBER_ERROR_INIT;
    frame_make(pixels, 2);
    assert_int_equal(ember_png_write(&out, &image, &err), EMBER_OK);
    assert_int_equal(get_u32(out.data + 16), WIDTH);
    assert_int_equal(get_u32(out.data + 20), HEIGHT);
    assert_int_equal(ember_image_read(&back, out.data, out.size, &arena, &err), EMBER_OK);
    assert_memory_equal(back.pixels, pixels, sizeof(pixels));
    image.width = 0;
    assert_int_equal(ember_png_write(&out, &image, &err), EMBER_E_ARG);
    ember_buffer_free(&out);
    ember_arena_free(&arena);
}

/* ---- animated PNG, chunk by chunk as its specification says ---- */

typedef struct apng {
    uint8_t  canvas[WIDTH * HEIGHT * 4];
    uint32_t frames, next_sequence, controls;
    uint32_t box[4]; /* width, height, left, top */
    double   seconds;
} apng;

/* The rows behind the filters: RGB, 8 bits. */
static void apng_unpack(apng *a, const uint8_t *data, size_t size)
{
    uint32_t width = a->box[0], height = a->box[1];
    size_t   row = (size_t)width * 3;
    uLongf   raw_size = (uLongf)((row + 1) * height);
    uint8_t *raw = test_alloc(raw_size), *before = calloc(row, 1);
    assert_int_equal(uncompress(raw, &raw_size, data, (uLong)size), Z_OK);
    assert_int_equal(raw_size, (row + 1) * height);
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *line = raw + y * (row + 1), filter = line[0];
        line++;
        for (size_t i = 0; i < row; i++) {
            int left = i >= 3 ? line[i - 3] : 0, up = before[i], corner = i >= 3 ? before[i - 3] : 0,
                guess = 0;
            int p = left + up - corner, pa = abs(p - left), pb = abs(p - up), pc = abs(p - corner);
            if (filter == 1)
                guess = left;
            else if (filter == 2)
                guess = up;
            else if (filter == 3)
                guess = (left + up) / 2;
            else if (filter == 4)
                guess = pa <= pb && pa <= pc ? left : pb <= pc ? up : corner;
            line[i] = (uint8_t)(line[i] + guess);
        }
        memcpy(before, line, row);
        for (uint32_t x = 0; x < width; x++)
            memcpy(a->canvas + ((size_t)(a->box[3] + y) * WIDTH + a->box[2] + x) * 4, line + x * 3, 3);
    }
    free(raw);
    free(before);
}

static void apng_check_frame(apng *a)
{
    uint8_t want[WIDTH * HEIGHT * 4];
    frame_make(want, a->frames == 4 ? 3 : a->frames);
    assert_memory_equal(a->canvas, want, sizeof(want));
    a->frames++;
}

static void apng_control(apng *a, const uint8_t *data)
{
    assert_int_equal(get_u32(data), a->next_sequence++);
    for (int i = 0; i < 4; i++)
        a->box[i] = get_u32(data + 4 + 4 * i);
    assert_true(a->box[2] + a->box[0] <= WIDTH && a->box[3] + a->box[1] <= HEIGHT && a->box[0] > 0 &&
                a->box[1] > 0);
    a->seconds += (double)get_u16(data + 20) / get_u16(data + 22);
    a->controls++;
}

TEST(animated_png_has_every_frame_exactly)
{
    ember_buffer file = film_make(EMBER_FILM_APNG, 29.97);
    apng         a = {.frames = 0};
    size_t       at = 8;
    for (size_t i = 3; i < sizeof(a.canvas); i += 4)
        a.canvas[i] = 255;
    while (at < file.size) {
        uint32_t       size = get_u32(file.data + at);
        const uint8_t *type = file.data + at + 4, *data = file.data + at + 8;
        assert_true(at + 12 + size <= file.size);
        assert_int_equal(get_u32(data + size), crc32(0, type, 4 + size));
        if (memcmp(type, "acTL", 4) == 0) {
            assert_int_equal(get_u32(data), FRAMES);
            assert_int_equal(get_u32(data + 4), 0);
            assert_int_equal(a.controls, 0); /* before any image data */
        } else if (memcmp(type, "fcTL", 4) == 0) {
            apng_control(&a, data);
        } else if (memcmp(type, "IDAT", 4) == 0) {
            assert_int_equal(a.frames, 0);
            apng_unpack(&a, data, size);
            apng_check_frame(&a);
        } else if (memcmp(type, "fdAT", 4) == 0) {
            assert_int_equal(get_u32(data), a.next_sequence++);
            apng_unpack(&a, data + 4, size - 4);
            apng_check_frame(&a);
        }
        at += 12 + size;
    }
    assert_memory_equal(file.data + file.size - 8, "IEND", 4);
    assert_int_equal(a.frames, FRAMES);
    assert_int_equal(a.controls, FRAMES);
    assert_true(a.seconds > FRAMES / 29.97 * 0.999 && a.seconds < FRAMES / 29.97 * 1.001);
    ember_buffer_free(&file);
}

/* ---- GIF, by giflib's reader ---- */

typedef struct gif_source {
    const uint8_t *data;
    size_t         size, at;
} gif_source;

static int gif_take(GifFileType *gif, GifByteType *out, int size)
{
    gif_source *source = gif->UserData;
    size_t      count = (size_t)size < source->size - source->at ? (size_t)size : source->size - source->at;
    memcpy(out, source->data + source->at, count);
    source->at += count;
    return (int)count;
}

static void gif_paint(const GifFileType *gif, int frame, uint8_t *canvas)
{
    const SavedImage    *image = &gif->SavedImages[frame];
    GraphicsControlBlock control;
    assert_int_equal(DGifSavedExtensionToGCB((GifFileType *)gif, frame, &control), GIF_OK);
    for (int y = 0; y < image->ImageDesc.Height; y++)
        for (int x = 0; x < image->ImageDesc.Width; x++) {
            int index = image->RasterBits[y * image->ImageDesc.Width + x];
            if (index == control.TransparentColor)
                continue;
            uint8_t *to =
                canvas +
                ((size_t)(image->ImageDesc.Top + y) * WIDTH + (size_t)(image->ImageDesc.Left + x)) * 4;
            to[0] = gif->SColorMap->Colors[index].Red;
            to[1] = gif->SColorMap->Colors[index].Green;
            to[2] = gif->SColorMap->Colors[index].Blue;
        }
}

TEST(gif_is_near_and_its_background_exact)
{
    ember_buffer file = film_make(EMBER_FILM_GIF, 30.0);
    gif_source   source = {file.data, file.size, 0};
    int          error = 0, hundredths = 0;
    uint8_t      canvas[WIDTH * HEIGHT * 4] = {0}, want[WIDTH * HEIGHT * 4];
    GifFileType *gif = DGifOpen(&source, gif_take, &error);
    assert_non_null(gif);
    assert_int_equal(DGifSlurp(gif), GIF_OK);
    assert_int_equal(gif->ImageCount, FRAMES);
    assert_int_equal(gif->SWidth, WIDTH);
    assert_int_equal(gif->SHeight, HEIGHT);
    assert_non_null(memmem(file.data, file.size, "NETSCAPE2.0\x03\x01\x00\x00\x00", 16)); /* endlessly */
    for (int frame = 0; frame < (int)FRAMES; frame++) {
        GraphicsControlBlock control;
        assert_int_equal(DGifSavedExtensionToGCB(gif, frame, &control), GIF_OK);
        hundredths += control.DelayTime;
        gif_paint(gif, frame, canvas);
        frame_make(want, frame == 4 ? 3u : (uint32_t)frame);
        double total = 0.0;
        for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
            bool background = want[i * 4] == 35 && want[i * 4 + 1] == 40 && want[i * 4 + 2] == 47;
            for (size_t c = 0; c < 3; c++) {
                int off = abs(canvas[i * 4 + c] - want[i * 4 + c]);
                total += off;
                assert_true(off <= (background ? 0 : 16));
            }
        }
        assert_true(total / (WIDTH * HEIGHT * 3) < 1.0);
    }
    assert_int_equal(hundredths, 23); /* 7 frames of a thirtieth of a second, to the hundredth */
    DGifCloseFile(gif, &error);
    ember_buffer_free(&file);
}

TEST(films_check_their_options)
{
    ember_film_options good = {.allocator = ember_heap(),
                               .kind = EMBER_FILM_GIF,
                               .width = 4,
                               .height = 4,
                               .fps = 50.0},
                       bad;
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer out = {.allocator = ember_heap()};
    ember_film  *film;
    assert_int_equal(ember_film_create(&film, &good, &err), EMBER_OK);
    assert_int_equal(ember_film_finish(film, &out, &err), EMBER_E_ARG); /* no frames */
    ember_film_destroy(film);
    bad = good;
    bad.fps = 50.1;
    assert_int_equal(ember_film_create(&film, &bad, NULL), EMBER_E_ARG);
    bad = good;
    bad.fps = 0.0;
    assert_int_equal(ember_film_create(&film, &bad, NULL), EMBER_E_ARG);
    bad = good;
    bad.width = 0;
    assert_int_equal(ember_film_create(&film, &bad, NULL), EMBER_E_LIMIT);
    bad = good;
    bad.height = 65536;
    assert_int_equal(ember_film_create(&film, &bad, NULL), EMBER_E_LIMIT);
    ember_buffer_free(&out);
}

/* ---- memory ---- */

static ember_status film_run(void *job, ember_allocator allocator)
{
    const ember_film_kind *kind = job;
    ember_film_options     options = {.allocator = allocator,
                                      .kind = *kind,
                                      .width = WIDTH,
                                      .height = HEIGHT,
                                      .fps = 20.0};
    ember_buffer           out = {.allocator = allocator};
    ember_error            err = EMBER_ERROR_INIT;
    ember_film            *film;
    uint8_t                pixels[WIDTH * HEIGHT * 4];
    ember_status           status = ember_film_create(&film, &options, &err);
    for (uint32_t i = 0; i < 2 && status == EMBER_OK; i++) {
        frame_make(pixels, i);
        status = ember_film_add(film, pixels, &err);
    }
    if (status == EMBER_OK)
        status = ember_film_finish(film, &out, &err);
    ember_film_destroy(film);
    ember_buffer_free(&out);
    return status;
}

TEST(films_survive_every_failing_allocation)
{
    for (int i = 0; i < 2; i++) {
        ember_film_kind kind = (ember_film_kind)i;
        assert_in_range(fixture_every_failing_allocation(film_run, &kind), 1, 1000);
    }
}
