/* SPDX-License-Identifier: MIT */
/* What formats with textures share: which images are kept, and where a file that is named beside another one
   is. Whether that file may be read is emberi_file_read_beside's to say. */
#include "format/images.h"

#include <string.h>

bool emberi_image_is_known(const uint8_t *data, size_t size)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    static const uint8_t jpeg[3] = {0xff, 0xd8, 0xff};
    return (size >= sizeof(png) && memcmp(data, png, sizeof(png)) == 0) ||
           (size >= sizeof(jpeg) && memcmp(data, jpeg, sizeof(jpeg)) == 0);
}

char *emberi_image_path(const emberi_source *source, ember_arena *arena, const char *name)
{
    const char *path = source->options->path;
    const char *slash = strrchr(path, '/');
    const char *folder = slash != NULL ? path : "./";
    size_t      folder_size = slash != NULL ? (size_t)(slash - path) + 1 : 2;
    size_t      name_size = strlen(name);
    char       *out = ember_arena_push(arena, folder_size + name_size + 1, 1, 1);
    if (out != NULL) {
        memcpy(out, folder, folder_size);
        memcpy(out + folder_size, name, name_size);
    }
    return out;
}
