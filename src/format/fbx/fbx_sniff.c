/* SPDX-License-Identifier: MIT */
/* FBX as far as this library knows it: how it is told from other files. Who wants to read it brings a reader,
   ember-fbx's for example. */
#include <string.h>

#include "format/ops.h"

/* Binary files begin with a name; texts with a comment that says the version, perhaps behind others. */
static emberi_likeness fbx_sniff(const uint8_t *data, size_t size)
{
    static const char binary[] = "Kaydara FBX Binary  ", text[] = "; FBX ", header[] = "FBXHeaderExtension:";
    size_t            start = size < 1024 ? size : 1024;
    if (size >= sizeof(binary) && memcmp(data, binary, sizeof(binary)) == 0)
        return EMBERI_CERTAIN;
    if (size >= sizeof(text) && memcmp(data, text, sizeof(text) - 1) == 0)
        return EMBERI_CERTAIN;
    if (size == 0 || data[0] != ';')
        return EMBERI_UNLIKE;
    for (size_t i = 0; i + sizeof(header) <= start; i++)
        if (memcmp(data + i, header, sizeof(header) - 1) == 0)
            return EMBERI_CERTAIN;
    return EMBERI_UNLIKE;
}

const emberi_format_ops emberi_fbx_ops = {
    .info = {.format = EMBER_FORMAT_FBX,
             .name = "fbx",
             .title = "FBX",
             .extensions = "fbx",
             .reads = true,
             .needs_reader = true,
             .curves = true,
             .stores = {.clips = true,
                        .names = true,
                        .parents = true,
                        .rest = true,
                        .inverse_binds = true,
                        .meshes = true,
                        .bones = true,
                        .space = true}},
    .sniff = fbx_sniff,
};
