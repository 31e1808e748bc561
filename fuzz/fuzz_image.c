/* Pictures with any bytes: pixels or an error, and no more memory than the pixels need. What is written is read back pixel for
 * pixel. */
#include "fuzz.h"

#include <stdlib.h>

#include "ember/image.h"

/* What libpng and libjpeg may want beside the pixels comes from their own heap, which libFuzzer's limit watches. */
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
