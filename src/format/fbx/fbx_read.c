/* SPDX-License-Identifier: MIT */
/* The reader of FBX: the file goes through assimp in a child, what comes back is read as glTF. */
#include "ember/fbx.h"

#include <string.h>

#include "format/fbx/fbx_parts.h"

static void read_tell(const ember_notes *notes, ember_buffer *lines)
{
    char *line = (char *)lines->data;
    for (size_t i = 0; i < lines->size; i++)
        if (lines->data[i] == '\n') {
            lines->data[i] = '\0';
            emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL, "%s", line);
            line = (char *)lines->data + i + 1;
        }
}

static ember_status read_fbx(ember_model *out, const void *data, size_t size,
                             const ember_read_options *options, ember_arena *arena, ember_error *err)
{
    ember_allocator    heap = arena->allocator.resize != NULL ? arena->allocator : ember_heap();
    ember_buffer       glb = {.allocator = heap}, lines = {.allocator = ember_heap()};
    ember_read_options as_glb = *options;
    as_glb.format = EMBER_FORMAT_GLB;
    as_glb.reader_count = 0;
    ember_status status =
        emberi_fbx_run_child(&glb, &lines, data, size,
                             options->memory_limit != 0 ? options->memory_limit : ember_memory_limit(size),
                             err);
    if (status == EMBER_OK)
        status = ember_model_read(out, glb.data, glb.size, &as_glb, arena, err);
    if (status == EMBER_OK)
        read_tell(&options->notes, &lines);
    ember_buffer_free(&glb);
    ember_buffer_free(&lines);
    return status;
}

const ember_reader ember_fbx_reader = {EMBER_FORMAT_FBX, read_fbx};
