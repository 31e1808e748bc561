/* SPDX-License-Identifier: MIT */
/* One reader with any bytes, compiled once for each format (FUZZ_FORMAT): the model or an error that
   says why; a model that is not too large is written in its own format, where that can be written,
   and read back. */
#include "fuzz.h"

/* The other files that a document names, which a reader without a folder does not open. */
static void list_references(const uint8_t *data, size_t size)
{
    fuzz_heap          heap = {0, 0};
    ember_arena        arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    const char *const *paths;
    uint32_t           count;
    if (ember_model_references(&paths, &count, data, size, "folder/file", &arena))
        for (uint32_t i = 0; i < count; i++)
            fuzz_touch_text(paths[i]);
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_heap           heap = {0, 0};
    ember_arena         arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    ember_read_options  options = {.format = FUZZ_FORMAT};
    ember_write_options same = {.format = FUZZ_FORMAT};
    ember_model         model;
    (void)ember_format_sniff(data, size, NULL);
    list_references(data, size);
    ember_status status = fuzz_model_read(&model, data, size, options, &arena);
    fuzz_require(status != EMBER_E_ARG, "the bytes of a file are blamed on the caller");
    if (status == EMBER_OK && arena.total <= FUZZ_WRITE_MEMORY && ember_format_get(FUZZ_FORMAT)->writes)
        (void)fuzz_model_through(&model, &same, NULL);
    ember_arena_free(&arena);
    arena = ember_arena_growing(fuzz_allocator(&heap), FUZZ_MEMORY);
    options.carry = ember_format_get(FUZZ_FORMAT)->carries;
    if (status == EMBER_OK && options.carry &&
        fuzz_model_read(&model, data, size, options, &arena) == EMBER_OK && arena.total <= FUZZ_WRITE_MEMORY)
        (void)fuzz_model_through(&model, &same, NULL);
    ember_arena_free(&arena);
    fuzz_heap_check(&heap, size);
    return 0;
}
