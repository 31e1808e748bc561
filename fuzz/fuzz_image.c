/* SPDX-License-Identifier: MIT */
/* Pictures with any bytes: pixels or an error, and no more memory than the pixels need. What is written is
   read back pixel for pixel. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "ember/image.h"

/* What libpng and libjpeg may want beside the pixels comes from their own heap, which libFuzzer's
   limit watches. */
static void check_picture(const ember_image *image)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer file = {.allocator = ember_heap()};
    ember_image  again;
    ember_error  err = EMBER_ERROR_INIT;
    size_t       count = (size_t)image->width * image->height;
    fuzz_check_error(ember_png_write(&file, image, &err), &err);
    fuzz_check_error(ember_image_read(&again, file.data, file.size, &arena, &err), &err);
    fuzz_require(err.status == EMBER_OK, "a picture that was written cannot be read");
    fuzz_require(again.width == image->width && again.height == image->height, "a picture changed its size");
    for (size_t i = 0; i < count * 4; i++)
        fuzz_require(i % 4 == 3 || again.pixels[i] == image->pixels[i], "a picture changed its pixels");
    ember_buffer_free(&file);
    ember_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_heap    heap = {0, 0};
    ember_arena  arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY / 4);
    ember_image  image;
    ember_error  err = EMBER_ERROR_INIT;
    uint8_t     *exact = fuzz_exact_copy(data, size);
    ember_status status = ember_image_read(&image, exact, size, &arena, &err);
    fuzz_check_error(status, &err);
    free(exact);
    if (status == EMBER_OK) {
        fuzz_require(image.width != 0 && image.height != 0 && image.width <= EMBER_IMAGE_MAX_SIDE &&
                         image.height <= EMBER_IMAGE_MAX_SIDE,
                     "a picture of an impossible size");
        fuzz_touch(image.pixels, (size_t)image.width * image.height * 4);
        if (image.width * image.height <= 1u << 16)
            check_picture(&image);
    } else {
        fuzz_require(arena.total == 0, "a failed reader left something in the arena");
    }
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, SIZE_MAX);
    return 0;
}

/* ---- changing ---- */

#define SIGNATURE_SIZE 8u
#define CHUNK_MORE 12u /* length, type and checksum */

static uint32_t big_u32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put_big_u32(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t chunk_sum(const uint8_t *data, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (0xEDB88320u & (0u - (sum & 1u)));
    }
    return ~sum;
}

/* The chunk that begins there, all of it inside the file. */
static bool chunk_at(size_t *size, const uint8_t *data, size_t file_size, size_t at)
{
    if (file_size < CHUNK_MORE || at > file_size - CHUNK_MORE ||
        big_u32(data + at) > file_size - CHUNK_MORE - at)
        return false;
    *size = big_u32(data + at);
    return true;
}

/* The header's numbers: sides, depth, kind of colours, interlacing. */
static void change_header(uint8_t *header, fuzz_random *random)
{
    static const uint32_t sides[] = {0,  1,   2,     3,     7,     8,           9,
                                     33, 255, 16384, 16385, 65536, 0x7fffffffu, 0xffffffffu};
    static const uint8_t  depths[] = {1, 2, 4, 8, 16}, kinds[] = {0, 2, 3, 4, 6};
    switch (fuzz_random_below(random, 5)) {
    case 0:
        put_big_u32(header, sides[fuzz_random_below(random, sizeof(sides) / sizeof(sides[0]))]);
        break;
    case 1:
        put_big_u32(header + 4, sides[fuzz_random_below(random, sizeof(sides) / sizeof(sides[0]))]);
        break;
    case 2:
        header[8] = depths[fuzz_random_below(random, sizeof(depths))];
        break;
    case 3:
        header[9] = kinds[fuzz_random_below(random, sizeof(kinds))];
        break;
    default:
        header[12] ^= 1;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    static const uint8_t signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    fuzz_random          random = fuzz_random_seed(seed);
    size_t               count = 0, at = SIGNATURE_SIZE, chunk;
    bool                 png = size >= SIGNATURE_SIZE && memcmp(data, signature, SIGNATURE_SIZE) == 0;
    while (png && chunk_at(&chunk, data, size, at)) {
        at += chunk + CHUNK_MORE;
        count++;
    }
    if (count == 0 || fuzz_random_below(&random, 8) == 0)
        return LLVMFuzzerMutate(data, size, room);
    at = SIGNATURE_SIZE;
    for (uint32_t skip = fuzz_random_below(&random, (uint32_t)count);; skip--) {
        (void)chunk_at(&chunk, data, size, at);
        if (skip == 0)
            break;
        at += chunk + CHUNK_MORE;
    }
    if (memcmp(data + at + 4, "IHDR", 4) == 0 && chunk == 13) {
        change_header(data + at + 8, &random);
    } else if (chunk != 0 && fuzz_random_below(&random, 4) != 0) {
        const size_t now = LLVMFuzzerMutate(data + at + 8, chunk, chunk);
        memmove(data + at + 8 + now, data + at + 8 + chunk, size - (at + 8 + chunk));
        size -= chunk - now;
        chunk = now;
        put_big_u32(data + at, (uint32_t)chunk);
    } else {
        static const char types[][5] = {"PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "iCCP", "acTL", "IEND"};
        memcpy(data + at + 4, types[fuzz_random_below(&random, sizeof(types) / sizeof(types[0]))], 4);
    }
    put_big_u32(data + at + 8 + chunk, chunk_sum(data + at + 4, chunk + 4));
    return size;
}
