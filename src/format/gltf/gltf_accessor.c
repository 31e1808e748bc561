/* SPDX-License-Identifier: MIT */
/* Buffers, the views into them, and the accessors that say what the bytes mean. An accessor that is given out
   has been proved to lie inside its bytes, so fetching an element below its count is always safe. */
#include "base/bytes.h"
#include "base/sizes.h"
#include "format/gltf/gltf.h"

#include <string.h>

/* Elements that no bytes stand behind are only a number in the file; this is as many as one
   accessor may claim. */
#define ZERO_ELEMENTS_LIMIT ((uint32_t)1 << 20)

/* ---- buffers and views ---- */

static ember_status buffer_load(gltf_doc *doc, gltf_buffer *buffer, uint32_t index)
{
    gltf_where    where = {GLTF_BUFFERS, index, NULL, 0};
    const json_t *object = emberi_gltf_item(doc, GLTF_BUFFERS, index);
    const char   *uri;
    uint64_t      size;
    ember_status  status = emberi_gltf_get_text(doc, &uri, object, "uri", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &size, object, "byteLength", 0, where);
    if (status != EMBER_OK)
        return status;
    if (uri == NULL && (index != 0 || !doc->has_bin))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, NULL, "no uri, and no binary chunk for it");
    if (uri == NULL)
        buffer->bytes = doc->bin;
    else
        status = emberi_gltf_uri_load(doc, &buffer->bytes, &buffer->file, uri, where);
    doc->file_failed = doc->file_failed || status != EMBER_OK;
    if (status != EMBER_OK)
        return status;
    if (size > buffer->bytes.size)
        return emberi_gltf_fail(doc, EMBER_E_TRUNCATED, where, "byteLength", "%llu bytes, %zu are there",
                                (unsigned long long)size, buffer->bytes.size);
    buffer->bytes.size = (size_t)size;
    buffer->loaded = true;
    return EMBER_OK;
}

ember_status emberi_gltf_buffer_get(gltf_doc *doc, gltf_bytes *out, uint32_t index)
{
    gltf_buffer *buffer = &doc->buffers[index];
    ember_status status = buffer->loaded ? EMBER_OK : buffer_load(doc, buffer, index);
    *out = buffer->bytes;
    return status;
}

ember_status emberi_gltf_range_get(gltf_doc *doc, gltf_bytes *out, const json_t *object, gltf_where where)
{
    gltf_bytes   bytes = {NULL, 0};
    uint32_t     buffer;
    uint64_t     offset, size;
    ember_status status = emberi_gltf_get_index(doc, &buffer, object, "buffer", GLTF_BUFFERS, where);
    if (status == EMBER_OK && buffer == GLTF_NONE)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "buffer", "missing");
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &offset, object, "byteOffset", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &size, object, "byteLength", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_buffer_get(doc, &bytes, buffer);
    if (status != EMBER_OK)
        return status;
    if (offset > bytes.size || size > bytes.size - offset)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, NULL, "bytes %llu to %llu of a buffer of %zu",
                                (unsigned long long)offset, (unsigned long long)offset + size, bytes.size);
    out->data = bytes.data + offset;
    out->size = (size_t)size;
    return EMBER_OK;
}

static ember_status view_load(gltf_doc *doc, gltf_view *view, uint32_t index)
{
    gltf_where    where = {GLTF_VIEWS, index, NULL, 0};
    const json_t *object = emberi_gltf_item(doc, GLTF_VIEWS, index);
    const json_t *packed;
    uint64_t      stride;
    ember_status  status = emberi_gltf_get_uint(doc, &stride, object, "byteStride", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_extension(doc, &packed, object, "EXT_meshopt_compression", where);
    if (status == EMBER_OK && packed == NULL)
        status = emberi_gltf_get_extension(doc, &packed, object, "KHR_meshopt_compression", where);
    if (status == EMBER_OK && stride > UINT32_MAX)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "byteStride", "%llu bytes",
                                (unsigned long long)stride);
    if (status == EMBER_OK)
        status = packed != NULL ? emberi_gltf_meshopt_load(doc, &view->bytes, packed, where)
                                : emberi_gltf_range_get(doc, &view->bytes, object, where);
    view->stride = (size_t)stride;
    view->loaded = status == EMBER_OK;
    return status;
}

ember_status emberi_gltf_view_get(gltf_doc *doc, gltf_view *out, uint32_t index)
{
    gltf_view   *view = &doc->views[index];
    ember_status status = view->loaded ? EMBER_OK : view_load(doc, view, index);
    *out = *view;
    return status;
}

/* ---- what an element looks like ---- */

static size_t component_size(gltf_component type)
{
    switch (type) {
    case GLTF_I8:
    case GLTF_U8:
        return 1;
    case GLTF_I16:
    case GLTF_U16:
        return 2;
    case GLTF_U32:
    case GLTF_F32:
        return 4;
    }
    return 0;
}

static size_t element_size(const gltf_accessor *accessor)
{
    return accessor->components * component_size(accessor->type);
}

/* Smaller matrices, whose columns may be padded, occur nowhere. */
static bool accessor_shape(gltf_accessor *out, const char *type)
{
    static const struct {
        char     name[8];
        uint32_t components;
    } shapes[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type != NULL && i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (strcmp(type, shapes[i].name) == 0) {
            out->components = shapes[i].components;
            return true;
        }
    }
    return false;
}

static ember_status accessor_type(const gltf_doc *doc, gltf_accessor *out, const json_t *object,
                                  gltf_where where)
{
    uint64_t      component, count;
    const char   *type;
    const json_t *normalized = json_object_get(object, "normalized");
    ember_status  status = emberi_gltf_get_uint(doc, &component, object, "componentType", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &count, object, "count", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_text(doc, &type, object, "type", where);
    if (status != EMBER_OK)
        return status;
    out->type = (gltf_component)component;
    if (component > GLTF_F32 || component_size(out->type) == 0)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "componentType", "%llu is none",
                                (unsigned long long)component);
    if (!accessor_shape(out, type))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "type", "%s is none that is read",
                                type != NULL ? emberi_quote(type).text : "nothing");
    if (normalized != NULL && !json_is_boolean(normalized))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "normalized", "true or false expected");
    out->normalized = json_is_true(normalized);
    if (out->normalized && component_size(out->type) == 4)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "normalized",
                                "not possible with 32-bit components");
    if (count >= GLTF_NONE)
        return emberi_gltf_fail(doc, EMBER_E_LIMIT, where, "count", "%llu elements are too many",
                                (unsigned long long)count);
    out->count = (uint32_t)count;
    return EMBER_OK;
}

/* Points `out` into a view after proving that all of its elements are inside. */
static ember_status accessor_place(gltf_doc *doc, gltf_accessor *out, const json_t *object, gltf_where where,
                                   const char *part)
{
    gltf_view    view;
    uint32_t     index;
    uint64_t     offset;
    size_t       size = element_size(out), need;
    ember_status status = emberi_gltf_get_index(doc, &index, object, "bufferView", GLTF_VIEWS, where);
    if (status == EMBER_OK && index == GLTF_NONE)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, part, "no bufferView");
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &offset, object, "byteOffset", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_view_get(doc, &view, index);
    if (status != EMBER_OK)
        return status;
    out->stride = view.stride != 0 && part == NULL ? view.stride : size;
    if (out->stride < size)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, part,
                                "elements of %zu bytes in a bufferView with a stride of %zu", size,
                                out->stride);
    bool fits = offset <= view.bytes.size;
    if (out->count != 0)
        fits = fits && emberi_mul_size(&need, out->count - 1, out->stride) &&
               emberi_add_size(&need, need, size) && need <= view.bytes.size - (size_t)offset;
    if (!fits)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, part,
                                "%u elements do not fit into bufferView %u of %zu bytes", out->count, index,
                                view.bytes.size);
    out->data = view.bytes.data + offset;
    return EMBER_OK;
}

/* ---- sparse ---- */

/* Everything at its own place in one block, since most of the reader wants to jump about in it. */
static ember_status sparse_copy(gltf_doc *doc, gltf_accessor *out)
{
    uint8_t     *bytes;
    size_t       size = element_size(out);
    ember_status status = GLTF_PUSH_SCRATCH(doc, &bytes, uint8_t, (size_t)out->count * size);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; out->stride != 0 && i < out->count; i++)
        memcpy(bytes + i * size, out->data + i * out->stride, size);
    out->data = bytes;
    out->stride = size;
    return EMBER_OK;
}

static ember_status sparse_apply(gltf_doc *doc, gltf_accessor *out, const json_t *sparse, gltf_where where)
{
    gltf_accessor indices = {.components = 1}, values = *out;
    const json_t *indices_object, *values_object;
    uint64_t      count, component;
    ember_status  status = emberi_gltf_get_uint(doc, &count, sparse, "count", 0, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_object(doc, &indices_object, sparse, "indices", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_object(doc, &values_object, sparse, "values", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &component, indices_object, "componentType", 0, where);
    if (status != EMBER_OK)
        return status;
    if (count > out->count)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "sparse.count", "%llu of %u elements",
                                (unsigned long long)count, out->count);
    if (component != GLTF_U8 && component != GLTF_U16 && component != GLTF_U32)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "sparse.indices", "componentType %llu",
                                (unsigned long long)component);
    indices.type = (gltf_component)component;
    indices.count = values.count = (uint32_t)count;
    status = accessor_place(doc, &indices, indices_object, where, "sparse.indices");
    if (status == EMBER_OK)
        status = accessor_place(doc, &values, values_object, where, "sparse.values");
    if (status == EMBER_OK)
        status = sparse_copy(doc, out);
    if (status != EMBER_OK)
        return status;
    uint8_t *bytes = (uint8_t *)(uintptr_t)out->data;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = emberi_gltf_fetch_uint(&indices, i, 0);
        if (index >= out->count || (i != 0 && index <= emberi_gltf_fetch_uint(&indices, i - 1, 0)))
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "sparse.indices",
                                    "element %u of %u, or not in order", index, out->count);
        memcpy(bytes + index * out->stride, values.data + i * values.stride, out->stride);
    }
    return EMBER_OK;
}

/* ---- accessors ---- */

static ember_status accessor_get(gltf_doc *doc, gltf_accessor *out, uint32_t index)
{
    static const uint8_t zeros[64] = {0};
    gltf_where           where = {GLTF_ACCESSORS, index, NULL, 0};
    const json_t        *sparse, *object = emberi_gltf_item(doc, GLTF_ACCESSORS, index);
    memset(out, 0, sizeof(*out));
    ember_status status = accessor_type(doc, out, object, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_object(doc, &sparse, object, "sparse", where);
    if (status != EMBER_OK)
        return status;
    if (json_object_get(object, "bufferView") != NULL) {
        status = accessor_place(doc, out, object, where, NULL);
    } else {
        out->data = zeros;
        if (out->count > ZERO_ELEMENTS_LIMIT)
            return emberi_gltf_fail(doc, EMBER_E_LIMIT, where, "count",
                                    "%u elements without a bufferView, at most %u", out->count,
                                    ZERO_ELEMENTS_LIMIT);
    }
    return status == EMBER_OK && sparse != NULL ? sparse_apply(doc, out, sparse, where) : status;
}

ember_status emberi_gltf_accessor_of(gltf_doc *doc, gltf_accessor *out, const json_t *object, const char *key,
                                     uint32_t components, uint32_t or_components, gltf_where where)
{
    uint32_t     index;
    ember_status status = emberi_gltf_get_index(doc, &index, object, key, GLTF_ACCESSORS, where);
    if (status == EMBER_OK && index == GLTF_NONE)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "missing");
    if (status == EMBER_OK)
        status = accessor_get(doc, out, index);
    if (status != EMBER_OK)
        return status;
    if (out->components != components && out->components != or_components)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key,
                                "accessor %u has %u numbers an element, %u expected", index, out->components,
                                components);
    return EMBER_OK;
}

/* ---- fetching ---- */

static double component_value(const uint8_t *p, gltf_component type, bool normalized)
{
    double value = 0.0, most = 1.0;
    switch (type) {
    case GLTF_I8:
        value = p[0] < 128 ? p[0] : p[0] - 256;
        most = 127.0;
        break;
    case GLTF_U8:
        value = p[0];
        most = 255.0;
        break;
    case GLTF_I16:
        value = emberi_get_u16(p) < 32768 ? emberi_get_u16(p) : emberi_get_u16(p) - 65536;
        most = 32767.0;
        break;
    case GLTF_U16:
        value = emberi_get_u16(p);
        most = 65535.0;
        break;
    case GLTF_U32:
        return emberi_get_u32(p);
    case GLTF_F32:
        return (double)emberi_float_of(emberi_get_u32(p));
    }
    if (!normalized)
        return value;
    return value / most < -1.0 ? -1.0 : value / most;
}

void emberi_gltf_fetch(double *out, const gltf_accessor *accessor, uint32_t index)
{
    const uint8_t *p = accessor->data + index * accessor->stride;
    if (accessor->type == GLTF_F32) {
        for (uint32_t i = 0; i < accessor->components; i++)
            out[i] = (double)emberi_float_of(emberi_get_u32(p + i * 4));
        return;
    }
    size_t size = component_size(accessor->type);
    for (uint32_t i = 0; i < accessor->components; i++)
        out[i] = component_value(p + i * size, accessor->type, accessor->normalized);
}

uint32_t emberi_gltf_fetch_uint(const gltf_accessor *accessor, uint32_t index, uint32_t component)
{
    const uint8_t *p = accessor->data + index * accessor->stride;
    switch (accessor->type) {
    case GLTF_U8:
        return p[component];
    case GLTF_U16:
        return emberi_get_u16(p + (size_t)component * 2);
    case GLTF_U32:
        return emberi_get_u32(p + (size_t)component * 4);
    case GLTF_I8:
    case GLTF_I16:
    case GLTF_F32:
        break;
    }
    return 0;
}
