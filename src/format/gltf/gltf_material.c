/* SPDX-License-Identifier: MIT */
/* What of a material goes into the model: the base colour, its image as it is in the file, and where on it a
   vertex is. A missing image is no error: the model is there without it. */
#include "format/gltf/gltf_carry.h"
#include "format/images.h"

#include <string.h>

/* ---- textures ---- */

/* KHR_texture_transform without its rotation: gltfpack stores coordinates that mean nothing without offset
   and scale. */
static ember_status texture_transform(gltf_doc *doc, gltf_material *out, const json_t *object,
                                      gltf_where where)
{
    bool         there;
    uint64_t     set;
    ember_status status = emberi_gltf_get_numbers(doc, out->uv_offset, 2, &there, object, "offset", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_numbers(doc, out->uv_scale, 2, &there, object, "scale", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &set, object, "texCoord", out->uv, where);
    if (status != EMBER_OK)
        return status;
    out->uv = set < 16 ? (uint32_t)set : 0;
    if (json_number_value(json_object_get(object, "rotation")) != 0.0)
        emberi_notef(&doc->source->options->notes, emberi_gltf_note_kind(doc), NULL, NULL,
                     "materials[%u]: the rotation of its texture is ignored", where.index);
    return EMBER_OK;
}

static ember_status material_texture(gltf_doc *doc, gltf_material *out, const json_t *info, gltf_where where)
{
    uint32_t      texture;
    uint64_t      set;
    const json_t *transform;
    ember_status  status = emberi_gltf_get_index(doc, &texture, info, "index", GLTF_TEXTURES, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &set, info, "texCoord", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_extension(doc, &transform, info, "KHR_texture_transform", where);
    if (status != EMBER_OK)
        return status;
    out->uv = set < 16 ? (uint32_t)set : 0;
    if (transform != NULL)
        status = texture_transform(doc, out, transform, where);
    if (status != EMBER_OK || texture == GLTF_NONE)
        return status;
    gltf_where at = {GLTF_TEXTURES, texture, NULL, 0};
    return emberi_gltf_get_index(doc, &out->image, emberi_gltf_item(doc, GLTF_TEXTURES, texture), "source",
                                 GLTF_IMAGES, at);
}

/* The other textures are not taken, but a document that is wrong there may be wrong anywhere. */
static ember_status material_others(gltf_doc *doc, const json_t *object, gltf_where where)
{
    static const char *const textures[][2] = {{"normalTexture", "scale"},
                                              {"occlusionTexture", "strength"},
                                              {"emissiveTexture", "scale"}};
    for (size_t i = 0; i < sizeof(textures) / sizeof(textures[0]); i++) {
        const json_t *texture, *number;
        ember_status  status = emberi_gltf_get_object(doc, &texture, object, textures[i][0], where);
        if (status != EMBER_OK)
            return status;
        number = json_object_get(texture, textures[i][1]);
        if (number != NULL && !json_is_number(number))
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, textures[i][0], "%s: a number expected",
                                    textures[i][1]);
    }
    return EMBER_OK;
}

ember_status emberi_gltf_material_get(gltf_doc *doc, gltf_material *out, uint32_t index)
{
    gltf_where    where = {GLTF_MATERIALS, index, NULL, 0};
    const json_t *surface, *texture = NULL;
    double        color[4] = {1.0, 1.0, 1.0, 1.0};
    bool          there;
    memset(out, 0, sizeof(*out));
    out->image = GLTF_NONE;
    out->uv_scale[0] = out->uv_scale[1] = 1.0;
    for (int i = 0; i < 4; i++)
        out->color[i] = 1.0f;
    if (index == GLTF_NONE)
        return EMBER_OK;
    const json_t *object = emberi_gltf_item(doc, GLTF_MATERIALS, index);
    ember_status  status = emberi_gltf_get_object(doc, &surface, object, "pbrMetallicRoughness", where);
    if (status == EMBER_OK)
        status = material_others(doc, object, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_numbers(doc, color, 4, &there, surface, "baseColorFactor", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_object(doc, &texture, surface, "baseColorTexture", where);
    if (status != EMBER_OK)
        return status;
    for (int i = 0; i < 4; i++)
        out->color[i] = (float)(color[i] > 0.0 ? color[i] < 1.0 ? color[i] : 1.0 : 0.0);
    return texture != NULL ? material_texture(doc, out, texture, where) : EMBER_OK;
}

/* ---- images ---- */

static ember_status image_load(gltf_doc *doc, gltf_bytes *out, ember_buffer *file, uint32_t index)
{
    gltf_where    where = {GLTF_IMAGES, index, NULL, 0};
    const json_t *object = emberi_gltf_item(doc, GLTF_IMAGES, index);
    const char   *uri;
    uint32_t      view_index;
    gltf_view     view;
    ember_status  status = emberi_gltf_get_text(doc, &uri, object, "uri", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_index(doc, &view_index, object, "bufferView", GLTF_VIEWS, where);
    if (status != EMBER_OK || (uri == NULL && view_index == GLTF_NONE))
        return status;
    if (uri != NULL)
        return emberi_gltf_uri_load(doc, out, file, uri, where);
    status = emberi_gltf_view_get(doc, &view, view_index);
    *out = view.bytes;
    return status;
}

static ember_status image_keep(gltf_doc *doc, gltf_image *image, gltf_bytes bytes)
{
    uint8_t     *copy;
    ember_status status = GLTF_PUSH_MODEL(doc, &copy, uint8_t, bytes.size);
    if (status != EMBER_OK)
        return status;
    if (bytes.size != 0)
        memcpy(copy, bytes.data, bytes.size);
    image->bytes = (gltf_bytes){copy, bytes.size};
    return EMBER_OK;
}

ember_status emberi_gltf_image_get(gltf_doc *doc, const uint8_t **data, size_t *size, uint32_t index)
{
    gltf_image  *image = &doc->images[index];
    gltf_bytes   bytes = {NULL, 0};
    ember_buffer file = {.data = NULL};
    ember_error *err = doc->source->err;
    if (!image->loaded) {
        ember_status status = image_load(doc, &bytes, &file, index);
        /* A file that is not there or may not be read is only said, once. */
        if (status == EMBER_E_IO || status == EMBER_E_UNSUPPORTED) {
            emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                         "%s: the texture is left out", emberi_error_line_of(err).text);
            *err = (ember_error)EMBER_ERROR_INIT;
            status = EMBER_OK;
        } else if (status == EMBER_OK && !emberi_image_is_known(bytes.data, bytes.size)) {
            emberi_notef(&doc->source->options->notes, emberi_gltf_note_kind(doc), NULL, NULL,
                         "images[%u] is neither PNG nor JPEG: the texture is left out", index);
        } else if (status == EMBER_OK) {
            status = image_keep(doc, image, bytes);
        }
        ember_buffer_free(&file);
        if (status != EMBER_OK)
            return status;
        image->loaded = true;
    }
    *data = image->bytes.data;
    *size = image->bytes.size;
    return EMBER_OK;
}
