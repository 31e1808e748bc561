/* SPDX-License-Identifier: MIT */
/* A model straight from a file. The bytes are read whole, within the limit of ember_file_read,
   and given back. */
#include "ember/format.h"

ember_status ember_model_load(ember_model *out, const char *path, const ember_read_options *options,
                              ember_arena *arena, ember_error *err)
{
    ember_buffer       file = {.allocator = ember_heap()};
    ember_read_options with_path = options != NULL ? *options : (ember_read_options){0};
    if (with_path.path == NULL)
        with_path.path = path;
    *out = (ember_model){0};
    ember_status status = ember_file_read(&file, path, 0, err);
    if (status == EMBER_OK)
        status = ember_model_read(out, file.data, file.size, &with_path, arena, err);
    ember_buffer_free(&file);
    return status;
}
