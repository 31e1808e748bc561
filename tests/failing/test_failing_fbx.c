/* SPDX-License-Identifier: MIT */
/* Reading FBX in want of memory at each place: whole, or not at all. The files are those that the fuzz target
   begins with. */
#include "failing.h"

#include <stdio.h>

static ember_status read_run(void *user, ember_error *err)
{
    const ember_buffer *file = user;
    fixture_heap        heap = {0};
    ember_arena         arena = ember_arena_growing(fixture_allocator(&heap), 0);
    ember_read_options  options = {.format = EMBER_FORMAT_FBX};
    ember_model         model;
    ember_status        status = ember_model_read(&model, file->data, file->size, &options, &arena, err);
    assert_true(status == EMBER_OK ? model.clip_count == 1 : model.clips == NULL && arena.total == 0);
    ember_arena_free(&arena);
    assert_int_equal(heap.held, 0);
    return status;
}

TEST(models_are_read_whole_or_not)
{
    static const char *const names[] = {"text-7400", "text-6100", "binary-7500", "binary-6100"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        ember_buffer file = {.allocator = ember_heap()};
        ember_error  err = EMBER_ERROR_INIT;
        char         path[4096];
        snprintf(path, sizeof(path), EMBER_FBX_SEEDS "/%s", names[i]);
        assert_int_equal(ember_file_read(&file, path, 0, &err), EMBER_OK);
        assert_in_range(failing_every(read_run, &file, FAILING_MEMORY), 10, 20000);
        ember_buffer_free(&file);
    }
}
