/* SPDX-License-Identifier: MIT */
/* Which other files a glTF document is made of. Only their names are looked at. */
#include "format/gltf/gltf.h"

#include <string.h>

static ember_status references_add(const gltf_doc *doc, const char **out, const json_t *object)
{
    const char  *uri = json_string_value(json_object_get(object, "uri"));
    ember_arena *arena = doc->source->arena;
    *out = NULL;
    if (uri == NULL || strncmp(uri, "data:", 5) == 0)
        return EMBER_OK;
    char *name = emberi_copy_text(arena, uri);
    if (name == NULL)
        return EMBER_E_NOMEM;
    if (!emberi_gltf_uri_unescape(name))
        return EMBER_OK;
    const char *path = doc->source->options->path, *slash = path != NULL ? strrchr(path, '/') : NULL;
    size_t      folder = slash != NULL ? (size_t)(slash - path) + 1 : 0, size = strlen(name) + 1;
    char       *whole = EMBER_PUSH(arena, char, folder + size);
    if (whole == NULL)
        return EMBER_E_NOMEM;
    if (folder != 0)
        memcpy(whole, path, folder);
    memcpy(whole + folder, name, size);
    *out = whole;
    return EMBER_OK;
}

static ember_status references_list(const gltf_doc *doc, const char *const **paths, uint32_t *count)
{
    uint32_t     buffers = doc->lists[GLTF_BUFFERS].count, images = doc->lists[GLTF_IMAGES].count;
    const char **list = EMBER_PUSH(doc->source->arena, const char *, (size_t)buffers + images);
    ember_status status = list != NULL ? EMBER_OK : EMBER_E_NOMEM;
    for (uint32_t i = 0; i < buffers + images && status == EMBER_OK; i++) {
        const json_t *object = i < buffers ? emberi_gltf_item(doc, GLTF_BUFFERS, i)
                                           : emberi_gltf_item(doc, GLTF_IMAGES, i - buffers);
        const char   *found;
        status = references_add(doc, &found, object);
        if (status == EMBER_OK && found != NULL)
            list[(*count)++] = found;
    }
    *paths = list;
    return status;
}

ember_status emberi_gltf_references(const char *const **paths, uint32_t *count, const emberi_source *source)
{
    gltf_doc     doc;
    ember_status status = emberi_gltf_open(&doc, source);
    if (status == EMBER_OK)
        status = references_list(&doc, paths, count);
    emberi_gltf_close(&doc);
    return status;
}
