/* SPDX-License-Identifier: MIT */
/* Images that are read: PNG files put together here chunk by chunk, JPEG files by libjpeg, and both cut off
   anywhere.
   Covers: jpeg.c, png.c. */
#include "fixtures/prefix.h"

#include <zlib.h>

#include <jpeglib.h>

#include "ember/image.h"

static void put_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static size_t put_chunk(uint8_t *out, const char *type, const uint8_t *data, size_t size)
{
    put_u32(out, (uint32_t)size);
    memcpy(out + 4, type, 4);
    if (size != 0)
        memcpy(out + 8, data, size);
    put_u32(out + 8 + size, (uint32_t)crc32(0, out + 4, (uInt)(4 + size)));
    return size + 12;
}

/* A PNG of `rows` as they are, each with its filter byte. */
static size_t make_png(uint8_t *out, uint32_t width, uint32_t height, uint8_t depth, uint8_t kind,
                       const uint8_t *rows, size_t rows_size, const uint8_t *palette, size_t palette_size)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    uint8_t              header[13] = {0}, packed[1024];
    uLongf               packed_size = sizeof(packed);
    size_t               at = 8;
    memcpy(out, signature, 8);
    put_u32(header, width);
    put_u32(header + 4, height);
    header[8] = depth;
    header[9] = kind;
    assert_int_equal(compress(packed, &packed_size, rows, (uLong)rows_size), Z_OK);
    at += put_chunk(out + at, "IHDR", header, sizeof(header));
    if (palette != NULL)
        at += put_chunk(out + at, "PLTE", palette, palette_size);
    at += put_chunk(out + at, "IDAT", packed, packed_size);
    return at + put_chunk(out + at, "IEND", NULL, 0);
}

static void check_pixels(const uint8_t *file, size_t size, uint32_t width, uint32_t height,
                         const uint8_t *want)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    ember_image image;
    uint8_t    *exact = test_exact_copy(file, size);
    if (ember_image_read(&image, exact, size, &arena, &err) != EMBER_OK)
        fail_msg("%s", err.text);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_memory_equal(image.pixels, want, (size_t)width * height * 4);
    free(exact);
    ember_arena_free(&arena);
}

TEST(png_of_every_kind_becomes_rgba)
{
    uint8_t       file[2048];
    const uint8_t rgb[] = {0, 255, 0, 0, 10, 20, 30, 0, 1, 2, 3, 4, 5, 6},
                  rgb_want[] = {255, 0, 0, 255, 10, 20, 30, 255, 1, 2, 3, 255, 4, 5, 6, 255};
    check_pixels(file, make_png(file, 2, 2, 8, 2, rgb, sizeof(rgb), NULL, 0), 2, 2, rgb_want);
    const uint8_t rgba[] = {0, 9, 8, 7, 6}, rgba_want[] = {9, 8, 7, 6};
    check_pixels(file, make_png(file, 1, 1, 8, 6, rgba, sizeof(rgba), NULL, 0), 1, 1, rgba_want);
    const uint8_t grey[] = {0, 77, 200}, grey_want[] = {77, 77, 77, 255, 200, 200, 200, 255};
    check_pixels(file, make_png(file, 2, 1, 8, 0, grey, sizeof(grey), NULL, 0), 2, 1, grey_want);
    const uint8_t bits[] = {0, 0xA0}, bits_want[] = {255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255};
    check_pixels(file, make_png(file, 3, 1, 1, 0, bits, sizeof(bits), NULL, 0), 3, 1, bits_want);
    const uint8_t index[] = {0, 1, 0}, palette[] = {11, 12, 13, 21, 22, 23},
                  index_want[] = {21, 22, 23, 255, 11, 12, 13, 255};
    check_pixels(file, make_png(file, 2, 1, 8, 3, index, sizeof(index), palette, sizeof(palette)), 2, 1,
                 index_want);
    const uint8_t deep[] = {0, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC}, deep_want[] = {0x12, 0x56, 0x9A, 255};
    check_pixels(file, make_png(file, 1, 1, 16, 2, deep, sizeof(deep), NULL, 0), 1, 1, deep_want);
    /* The filters Sub and Up: each byte is a difference. */
    const uint8_t filtered[] = {1, 10, 20, 30, 5, 5, 5, 2, 1, 1, 1, 1, 1, 1},
                  filtered_want[] = {10, 20, 30, 255, 15, 25, 35, 255, 11, 21, 31, 255, 16, 26, 36, 255};
    check_pixels(file, make_png(file, 2, 2, 8, 2, filtered, sizeof(filtered), NULL, 0), 2, 2, filtered_want);
}

static size_t make_jpeg(uint8_t **out, uint8_t r, uint8_t g, uint8_t b)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr       errors;
    unsigned long               size = 0;
    uint8_t                     line[16 * 3], *row = line;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, out, &size);
    jpeg.image_width = 16;
    jpeg.image_height = 8;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    for (int x = 0; x < 16; x++) {
        line[x * 3] = r;
        line[x * 3 + 1] = g;
        line[x * 3 + 2] = b;
    }
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < 8)
        jpeg_write_scanlines(&jpeg, &row, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return size;
}

TEST(jpeg_becomes_rgba)
{
    uint8_t    *file = NULL;
    size_t      size = make_jpeg(&file, 200, 100, 50);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    ember_image image;
    assert_int_equal(ember_image_read(&image, file, size, &arena, &err), EMBER_OK);
    assert_int_equal(image.width, 16);
    assert_int_equal(image.height, 8);
    for (int i = 0; i < 16 * 8; i++) {
        assert_true(abs(image.pixels[i * 4] - 200) <= 3 && abs(image.pixels[i * 4 + 1] - 100) <= 3 &&
                    abs(image.pixels[i * 4 + 2] - 50) <= 3);
        assert_int_equal(image.pixels[i * 4 + 3], 255);
    }
    free(file);
    ember_arena_free(&arena);
}

/* A file that ends early is an error, or (JPEG) a picture of what is there; the arena is as it was
   after an error. */
TEST(image_read_survives_every_prefix)
{
    uint8_t       png[2048], *jpeg = NULL;
    const uint8_t rgb[] = {0, 255, 0, 0, 10, 20, 30, 0, 1, 2, 3, 4, 5, 6};
    size_t        png_size = make_png(png, 2, 2, 8, 2, rgb, sizeof(rgb), NULL, 0),
           jpeg_size = make_jpeg(&jpeg, 1, 2, 3);
    size_t refused = 0;
    for (int kind = 0; kind < 2; kind++)
        for (fixture_prefix p =
                 fixture_prefixes(kind == 0 ? png : jpeg, kind == 0 ? png_size - 12 : jpeg_size);
             fixture_prefix_next(&p);) {
            ember_arena arena = ember_arena_growing(ember_heap(), 0);
            ember_error err = EMBER_ERROR_INIT;
            ember_image image;
            if (ember_image_read(&image, p.data, p.size, &arena, &err) != EMBER_OK) {
                refused++;
                assert_null(image.pixels);
                assert_int_equal(arena.used, 0);
                assert_true(err.text[0] != '\0');
            } else {
                assert_int_equal(kind, 1);
            }
            ember_arena_free(&arena);
        }
    assert_true(refused > png_size - 12 + 100);
    free(jpeg);
}

/* Sizes that only the header claims cost no memory. */
TEST(image_read_refuses_huge_sizes)
{
    uint8_t       png[2048];
    const uint8_t row[] = {0, 1, 2, 3};
    ember_arena   arena = ember_arena_growing(ember_heap(), 1u << 20);
    ember_error   err = EMBER_ERROR_INIT;
    ember_image   image;
    size_t        size = make_png(png, EMBER_IMAGE_MAX_SIDE + 1, 1, 8, 2, row, sizeof(row), NULL, 0);
    assert_int_not_equal(ember_image_read(&image, png, size, &arena, &err), EMBER_OK);
    err = (ember_error)EMBER_ERROR_INIT;
    size = make_png(png, EMBER_IMAGE_MAX_SIDE, EMBER_IMAGE_MAX_SIDE, 8, 2, row, sizeof(row), NULL, 0);
    assert_int_equal(ember_image_read(&image, png, size, &arena, &err), EMBER_E_LIMIT);
    assert_non_null(strstr(err.text, "16384 x 16384 pixels are too many for an image of"));
    err = (ember_error)EMBER_ERROR_INIT;
    size = make_png(png, 1000, 1000, 8, 2, row, sizeof(row), NULL, 0);
    assert_int_equal(ember_image_read(&image, png, size, &arena, &err), EMBER_E_NOMEM);
    err = (ember_error)EMBER_ERROR_INIT;
    assert_int_equal(ember_image_read(&image, "GIF89a", 6, &arena, &err), EMBER_E_UNSUPPORTED);
    ember_arena_free(&arena);
}
