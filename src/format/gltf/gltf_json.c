/* SPDX-License-Identifier: MIT */
/* The document's JSON, read through calls that check type and range and say where something is wrong: nothing
   else in the reader looks at a JSON value of the file directly. */
#include "format/gltf/gltf.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const section_names[GLTF_SECTION_COUNT] = {"buffers", "bufferViews", "accessors",
                                                              "nodes",   "skins",       "animations",
                                                              "meshes",  "materials",   "textures",
                                                              "images",  "scenes"};
static const char *const section_nouns[GLTF_SECTION_COUNT] = {"buffer",  "bufferView", "accessor", "node",
                                                              "skin",    "animation",  "mesh",     "material",
                                                              "texture", "image",      "scene"};

/* ---- errors ---- */

ember_status emberi_gltf_fail(const gltf_doc *doc, ember_status status, gltf_where where, const char *key,
                              const char *format, ...)
{
    char    text[256], part[48] = "";
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (where.part != NULL)
        (void)snprintf(part, sizeof(part), ".%s[%u]", where.part, where.part_index);
    return emberi_failf(doc->source->err, status, EMBER_NO_OFFSET, "%s[%u]%s%s%s: %s",
                        section_names[where.section], where.index, part, key != NULL ? "." : "",
                        key != NULL ? key : "", text);
}

/* ---- values ---- */

bool emberi_gltf_whole(uint64_t *out, const json_t *value)
{
    const double limit = 9007199254740992.0; /* 2^53: beyond it a double is no longer a count */
    double       real = json_is_number(value) ? json_number_value(value) : -1.0;
    if (!(real >= 0.0 && real <= limit) || (double)(uint64_t)real != real)
        return false;
    *out = (uint64_t)real;
    return true;
}

const json_t *emberi_gltf_item(const gltf_doc *doc, gltf_section section, uint32_t index)
{
    return json_array_get(doc->lists[section].items, index);
}

/* A list's items are objects, and few enough to be counted by a u32 less the "none". */
static ember_status list_check(gltf_list *out, const json_t *value, size_t *bad)
{
    *bad = 0;
    out->items = value;
    out->count = 0;
    if (value == NULL)
        return EMBER_OK;
    if (!json_is_array(value) || json_array_size(value) >= GLTF_NONE) {
        *bad = SIZE_MAX;
        return EMBER_E_MALFORMED;
    }
    out->count = (uint32_t)json_array_size(value);
    for (; *bad < out->count; ++*bad) {
        if (!json_is_object(json_array_get(value, *bad)))
            return EMBER_E_MALFORMED;
    }
    return EMBER_OK;
}

/* What any item may have, and must have in the right type, whether somebody asks for it or not. */
static ember_status item_check(const gltf_doc *doc, gltf_section section, uint32_t index)
{
    const char   *name;
    const json_t *object, *item = emberi_gltf_item(doc, section, index);
    gltf_where    where = {section, index, NULL, 0};
    ember_status  status = emberi_gltf_get_text(doc, &name, item, "name", where);
    return status != EMBER_OK ? status : emberi_gltf_get_object(doc, &object, item, "extensions", where);
}

/* The lists at the top of the document; there is no `where` above them. */
static ember_status section_open(gltf_doc *doc, gltf_section section)
{
    size_t       bad;
    const char  *name = section_names[section];
    ember_status status = list_check(&doc->lists[section], json_object_get(doc->root, name), &bad);
    for (uint32_t i = 0; status == EMBER_OK && i < doc->lists[section].count; i++)
        status = item_check(doc, section, i);
    if (status == EMBER_OK || doc->source->err->status != EMBER_OK)
        return status;
    if (bad == SIZE_MAX)
        return emberi_failf(doc->source->err, status, EMBER_NO_OFFSET, "%s: a list expected", name);
    return emberi_failf(doc->source->err, status, EMBER_NO_OFFSET, "%s[%zu]: an object expected", name, bad);
}

ember_status emberi_gltf_sections_open(gltf_doc *doc)
{
    ember_status status = EMBER_OK;
    for (int i = 0; i < GLTF_SECTION_COUNT && status == EMBER_OK; i++)
        status = section_open(doc, (gltf_section)i);
    return status;
}

ember_status emberi_gltf_get_list(const gltf_doc *doc, gltf_list *out, const json_t *object, const char *key,
                                  gltf_where where)
{
    size_t       bad;
    ember_status status = list_check(out, json_object_get(object, key), &bad);
    if (status == EMBER_OK)
        return EMBER_OK;
    if (bad == SIZE_MAX)
        return emberi_gltf_fail(doc, status, where, key, "a list expected");
    where.part = key;
    where.part_index = (uint32_t)bad;
    return emberi_gltf_fail(doc, status, where, NULL, "an object expected");
}

ember_status emberi_gltf_index_of(const gltf_doc *doc, uint32_t *out, const json_t *value, const char *key,
                                  gltf_section into, gltf_where where)
{
    uint64_t index;
    if (!emberi_gltf_whole(&index, value))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "the number of a %s expected",
                                section_nouns[into]);
    if (index >= doc->lists[into].count)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "%s %llu of %u", section_nouns[into],
                                (unsigned long long)index, doc->lists[into].count);
    *out = (uint32_t)index;
    return EMBER_OK;
}

ember_status emberi_gltf_get_index(const gltf_doc *doc, uint32_t *out, const json_t *object, const char *key,
                                   gltf_section into, gltf_where where)
{
    const json_t *value = json_object_get(object, key);
    *out = GLTF_NONE;
    return value == NULL ? EMBER_OK : emberi_gltf_index_of(doc, out, value, key, into, where);
}

ember_status emberi_gltf_get_uint(const gltf_doc *doc, uint64_t *out, const json_t *object, const char *key,
                                  uint64_t absent, gltf_where where)
{
    const json_t *value = json_object_get(object, key);
    *out = absent;
    if (value != NULL && !emberi_gltf_whole(out, value))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "a whole number, 0 or more, expected");
    return EMBER_OK;
}

ember_status emberi_gltf_get_numbers(const gltf_doc *doc, double *out, size_t count, bool *there,
                                     const json_t *object, const char *key, gltf_where where)
{
    const json_t *value = json_object_get(object, key);
    *there = value != NULL;
    if (value == NULL)
        return EMBER_OK;
    bool good = json_is_array(value) && json_array_size(value) == count;
    for (size_t i = 0; good && i < count; i++)
        good = json_is_number(json_array_get(value, i));
    if (!good)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "%zu numbers expected", count);
    for (size_t i = 0; i < count; i++)
        out[i] = json_number_value(json_array_get(value, i));
    return EMBER_OK;
}

ember_status emberi_gltf_get_text(const gltf_doc *doc, const char **out, const json_t *object,
                                  const char *key, gltf_where where)
{
    const json_t *value = json_object_get(object, key);
    *out = NULL;
    if (value != NULL && !json_is_string(value))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "a text expected");
    *out = json_string_value(value);
    return EMBER_OK;
}

ember_status emberi_gltf_get_object(const gltf_doc *doc, const json_t **out, const json_t *object,
                                    const char *key, gltf_where where)
{
    *out = json_object_get(object, key);
    if (*out != NULL && !json_is_object(*out))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, key, "an object expected");
    return EMBER_OK;
}

ember_status emberi_gltf_get_extension(const gltf_doc *doc, const json_t **out, const json_t *object,
                                       const char *name, gltf_where where)
{
    const json_t *extensions;
    ember_status  status = emberi_gltf_get_object(doc, &extensions, object, "extensions", where);
    return status == EMBER_OK ? emberi_gltf_get_object(doc, out, extensions, name, where) : status;
}
