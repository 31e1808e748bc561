/* SPDX-License-Identifier: MIT */
/* A model written as glTF and the document taken apart. */
#ifndef EMBER_TESTS_FORMAT_GLTF_DOCUMENT_H
#define EMBER_TESTS_FORMAT_GLTF_DOCUMENT_H

#include "base/json/json_tree.h"
#include "format/fixture.h"

static const ember_write_options to_glb = {.format = EMBER_FORMAT_GLB};
static const ember_write_options to_gltf = {.format = EMBER_FORMAT_GLTF};

typedef struct document {
    ember_buffer   file;
    ember_arena    memory;
    const json_t  *root;
    const uint8_t *bin;
    size_t         bin_size;
} document;

static inline uint32_t u32_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline const json_t *document_parse(document *d, const uint8_t *text, size_t size)
{
    emberi_json_fault fault;
    d->memory = ember_arena_growing(ember_heap(), 0);
    d->root = emberi_json_parse(text, size, EMBERI_JSON_UNIQUE | EMBERI_JSON_WHOLE, &d->memory, &fault);
    if (d->root == NULL)
        fail_msg("line %u, column %u: %s", fault.line, fault.column, fault.text);
    return d->root;
}

static inline document document_of(const ember_model *model)
{
    document d = {.file = fixture_write(model, to_glb)};
    size_t   text = u32_at(d.file.data + 12);
    (void)document_parse(&d, d.file.data + 20, text);
    d.bin = d.file.data + 20 + text + 8;
    d.bin_size = u32_at(d.file.data + 20 + text);
    return d;
}

static inline void document_free(document *d)
{
    ember_arena_free(&d->memory);
    ember_buffer_free(&d->file);
}

static inline const json_t *list(const document *d, const char *key)
{
    const json_t *array = json_object_get(d->root, key);
    assert_true(json_is_array(array));
    return array;
}

static inline int64_t integer(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static inline const char *text(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_string(value));
    return json_string_value(value);
}

/* Number i of an accessor of floats. */
static inline float number(const document *d, int64_t accessor, size_t i)
{
    const json_t *a = json_array_get(list(d, "accessors"), (size_t)accessor);
    const json_t *view = json_array_get(list(d, "bufferViews"), (size_t)integer(a, "bufferView"));
    size_t        at = (size_t)json_integer_value(json_object_get(view, "byteOffset")) +
                (size_t)json_integer_value(json_object_get(a, "byteOffset"));
    uint32_t bits;
    float    value;
    assert_int_equal(integer(a, "componentType"), 5126);
    assert_true(at + i * 4 + 4 <= d->bin_size);
    bits = u32_at(d->bin + at + i * 4);
    memcpy(&value, &bits, 4);
    return value;
}

static inline const json_t *channel_of(const json_t *animation, int64_t node, const char *path)
{
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *target = json_object_get(json_array_get(channels, i), "target");
        if (integer(target, "node") == node && strcmp(text(target, "path"), path) == 0)
            return json_array_get(json_object_get(animation, "samplers"),
                                  (size_t)integer(json_array_get(channels, i), "sampler"));
    }
    return NULL;
}

static inline size_t count_of(const document *d, const json_t *sampler, const char *key)
{
    return (size_t)integer(json_array_get(list(d, "accessors"), (size_t)integer(sampler, key)), "count");
}

#endif
