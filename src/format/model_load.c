/* SPDX-License-Identifier: MIT */
/* A model straight from a file. The bytes are read whole, within the limit of ember_file_read,
   and given back. */
#include "base/fail.h"
#include "format/known_options.h"

ember_status ember_model_load(ember_model *out, const char *path, const ember_read_options *options,
                              ember_arena *arena, ember_error *err)
{
    ember_buffer        file = {.allocator = ember_heap()};
    emberi_read_options with_path;
    *out = (ember_model){0};
    EMBERI_TRY(emberi_read_options_take(&with_path, options, err));
    if (with_path.all.path == NULL)
        with_path.all.path = path;
    ember_status status = ember_file_read(&file, path, 0, err);
    if (status == EMBER_OK)
        status = ember_model_read(out, file.data, file.size, &with_path.all, arena, err);
    ember_buffer_free(&file);
    return status;
}
