/* SPDX-License-Identifier: MIT */
/* The two faces of glTF 2.0 for the registry: how they are told from other files, read and written. */
#include "format/gltf/gltf_carry.h"
#include "format/gltf/write/gltf_write.h"

#include <string.h>

static ember_status gltf_read(ember_model *out, const emberi_source *source)
{
    gltf_doc     doc;
    gltf_rig     rig;
    ember_status status = emberi_gltf_open(&doc, source);
    if (status == EMBER_OK)
        status = emberi_gltf_rig_make(&doc, &rig);
    if (status == EMBER_OK)
        status = emberi_gltf_carry_begin(&doc, &rig);
    if (status == EMBER_OK) {
        out->skeleton = rig.skeleton;
        if (!source->options->skip_clips)
            status = emberi_gltf_clips_read(&doc, out, &rig);
    }
    if (status == EMBER_OK && !source->options->skip_meshes)
        status = emberi_gltf_meshes_read(&doc, out, &rig);
    if (status == EMBER_OK)
        status = emberi_gltf_left_out(&doc, out);
    if (status == EMBER_OK)
        status = emberi_gltf_carry_end(&doc, out);
    emberi_gltf_close(&doc);
    return status;
}

/* ---- telling it from others ---- */

static emberi_likeness glb_sniff(const uint8_t *data, size_t size)
{
    return emberi_gltf_is_glb(data, size) ? EMBERI_CERTAIN : EMBERI_UNLIKE;
}

static size_t skip_space(const uint8_t *data, size_t size, size_t at)
{
    while (at < size && (data[at] == ' ' || data[at] == '\t' || data[at] == '\r' || data[at] == '\n'))
        at++;
    return at;
}

/* An object with an "asset" object in it: every glTF document has one, and must. */
static emberi_likeness gltf_sniff(const uint8_t *data, size_t size)
{
    static const char key[] = "\"asset\"";
    const size_t      key_size = sizeof(key) - 1;
    size_t            at = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    at = skip_space(data, size, at);
    if (at >= size || data[at] != '{')
        return EMBERI_UNLIKE;
    while (at + key_size < size) {
        const uint8_t *quote = memchr(data + at, '"', size - at - key_size);
        if (quote == NULL)
            break;
        at = (size_t)(quote - data) + 1;
        if (memcmp(quote, key, key_size) != 0)
            continue;
        size_t colon = skip_space(data, size, at + key_size - 1);
        if (colon < size && data[colon] == ':') {
            size_t brace = skip_space(data, size, colon + 1);
            if (brace < size && data[brace] == '{')
                return EMBERI_CERTAIN;
        }
    }
    return EMBERI_UNLIKE;
}

/* The extras of Ember store what glTF has no place for. */
#define GLTF_STORES                                                                                         \
    {                                                                                                       \
        .names = true, .parents = true, .rest = true, .inverse_binds = true, .meshes = true, .clips = true, \
        .bones = true, .rate = true, .loop = true, .markers = true, .raw = true, .space = true              \
    }

const emberi_format_ops emberi_gltf_ops = {
    .info = {.format = EMBER_FORMAT_GLTF,
             .name = "gltf",
             .title = "glTF 2.0",
             .extensions = "gltf",
             .reads = true,
             .writes = true,
             .carries = true,
             .curves = true,
             .stores = GLTF_STORES},
    .sniff = gltf_sniff,
    .read = gltf_read,
    .references = emberi_gltf_references,
    .write = emberi_gltf_write,
};

const emberi_format_ops emberi_glb_ops = {
    .info = {.format = EMBER_FORMAT_GLB,
             .name = "glb",
             .title = "glTF 2.0 in one file",
             .extensions = "glb vrm",
             .reads = true,
             .writes = true,
             .carries = true,
             .curves = true,
             .stores = GLTF_STORES},
    .sniff = glb_sniff,
    .read = gltf_read,
    .references = emberi_gltf_references,
    .write = emberi_glb_write,
};
