/* SPDX-License-Identifier: MIT */
/* What a document has and a model has no place for, in one line, so that whoever writes the model can say
   what is lost. Only counts and names of the document are looked at, and it was parsed within a budget. */
#include "format/gltf/gltf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct left_out {
    char   text[400];
    size_t used;
} left_out;

static void left_out_add(left_out *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void left_out_add(left_out *l, const char *format, ...)
{
    va_list arguments;
    if (l->used != 0 && l->used < sizeof(l->text) - 2)
        l->used += (size_t)snprintf(l->text + l->used, sizeof(l->text) - l->used, ", ");
    va_start(arguments, format);
    int size = vsnprintf(l->text + l->used, sizeof(l->text) - l->used, format, arguments);
    va_end(arguments);
    l->used += size > 0 ? (size_t)size : 0;
    if (l->used >= sizeof(l->text))
        l->used = sizeof(l->text) - 1;
}

static void left_out_count(left_out *l, size_t count, const char *one, const char *many)
{
    if (count != 0)
        left_out_add(l, "%zu %s", count, count == 1 ? one : many);
}

/* Whether the material says more than a base colour. */
static bool left_out_of_material(const json_t *material)
{
    static const char *const more[] = {"roughnessFactor", "metallicRoughnessTexture"};
    const json_t            *surface = json_object_get(material, "pbrMetallicRoughness");
    /* Ember's own materials are not metal. */
    bool                     rich = json_number_value(json_object_get(surface, "metallicFactor")) != 0.0;
    for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
        rich = rich || json_object_get(surface, more[i]) != NULL;
    return rich || json_object_size(material) > (surface != NULL ? 1u : 0u);
}

/* Foreign extras of the document's objects; Ember's own are read. */
static size_t left_out_extras(const gltf_doc *doc)
{
    size_t count = json_object_get(doc->root, "extras") != NULL;
    for (int section = 0; section < GLTF_SECTION_COUNT; section++)
        for (uint32_t i = 0; i < doc->lists[section].count; i++) {
            const json_t *extras = json_object_get(emberi_gltf_item(doc, (gltf_section)section, i), "extras");
            count +=
                extras != NULL && (json_object_size(extras) != 1 || json_object_get(extras, "ember") == NULL);
        }
    return count;
}

static void left_out_extensions(left_out *l, const gltf_doc *doc)
{
    static const char *const read[] = {"KHR_mesh_quantization", "KHR_texture_transform",
                                       "EXT_meshopt_compression", "KHR_meshopt_compression",
                                       "KHR_draco_mesh_compression"};
    const json_t            *names = json_object_get(doc->root, "extensionsUsed");
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        bool        known = name == NULL;
        for (size_t k = 0; !known && k < sizeof(read) / sizeof(read[0]); k++)
            known = strcmp(name, read[k]) == 0;
        if (!known)
            left_out_add(l, "%s", emberi_quote(name).text);
    }
}

ember_status emberi_gltf_left_out(gltf_doc *doc, ember_model *model)
{
    left_out l = {.used = 0};
    size_t   materials = 0, images = 0;
    for (uint32_t i = 0; i < doc->lists[GLTF_MATERIALS].count; i++)
        materials += left_out_of_material(emberi_gltf_item(doc, GLTF_MATERIALS, i));
    for (uint32_t i = 0; i < doc->lists[GLTF_IMAGES].count; i++)
        images += doc->images[i].bytes.data == NULL;
    left_out_count(&l, materials, "material but for its base colour", "materials but for their base colours");
    left_out_count(&l, images, "image", "images");
    left_out_count(&l, json_array_size(json_object_get(doc->root, "samplers")), "texture sampler",
                   "texture samplers");
    left_out_count(&l, json_array_size(json_object_get(doc->root, "cameras")), "camera", "cameras");
    left_out_count(&l, left_out_extras(doc), "object's extras", "objects' extras");
    left_out_extensions(&l, doc);
    if (l.used == 0)
        return EMBER_OK;
    model->left_out = emberi_copy_text(doc->source->arena, l.text);
    return model->left_out != NULL ? EMBER_OK : emberi_fail_memory(doc->source->err);
}
