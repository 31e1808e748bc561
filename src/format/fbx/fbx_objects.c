/* SPDX-License-Identifier: MIT */
/* The objects of a document, and how they are found: by binary search, so that ten thousand of one name or
   id cost no more than others. Of two with one id the first counts. */
#include "format/fbx/fbx_document.h"

#include <stdlib.h>
#include <string.h>

/* No program has more classes. */
#define DEFINITIONS_MAX 512u

/* ---- what it is ---- */

static fbx_kind kind_of_deformer(fbx_text sub_class)
{
    return emberi_fbx_text_is(sub_class, "Skin")                ? FBX_SKIN
           : emberi_fbx_text_is(sub_class, "Cluster")           ? FBX_CLUSTER
           : emberi_fbx_text_is(sub_class, "BlendShapeChannel") ? FBX_OTHER
                                                                : FBX_SHAPES;
}

static fbx_kind kind_of(const fbx_file *file, uint32_t record, fbx_text sub_class)
{
    static const struct {
        const char *name;
        fbx_kind    kind;
    } kinds[] = {
        {"Model", FBX_MODEL},          {"Geometry", FBX_GEOMETRY},    {"NodeAttribute", FBX_ATTRIBUTE},
        {"Material", FBX_MATERIAL},    {"Texture", FBX_TEXTURE},      {"LayeredTexture", FBX_LAYERED_TEXTURE},
        {"Video", FBX_VIDEO},          {"AnimationStack", FBX_STACK}, {"AnimStack", FBX_STACK},
        {"AnimationLayer", FBX_LAYER}, {"AnimLayer", FBX_LAYER},      {"AnimationCurveNode", FBX_CURVE_NODE},
        {"AnimationCurve", FBX_CURVE}, {"Constraint", FBX_CONSTRAINT}};
    if (emberi_fbx_record_is(file, record, "Deformer"))
        return kind_of_deformer(sub_class);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (emberi_fbx_record_is(file, record, kinds[i].name))
            return kinds[i].kind;
    return FBX_OTHER;
}

fbx_text emberi_fbx_bare_name(const fbx_file *file, fbx_text key)
{
    size_t step = 2;
    for (size_t i = 0; i + 1 < key.size; i++) {
        const char *p = key.data + i;
        if (file->is_text && p[0] == ':' && p[1] == ':')
            return (fbx_text){p + step, key.size - i - step};
        if (!file->is_text && p[0] == '\0' && p[1] == '\1')
            return (fbx_text){key.data, i};
    }
    return key;
}

/* ---- templates ---- */

/* The properties that a class has by default. Definitions list a few dozen classes. */
static uint32_t defaults_of(const fbx_file *file, uint32_t definitions, const fbx_record *object)
{
    uint32_t left = DEFINITIONS_MAX;
    for (uint32_t type = emberi_fbx_first(file, definitions); type != FBX_NONE && left != 0;
         type = emberi_fbx_next_record(file, type), left--) {
        fbx_text name = emberi_fbx_string(file, type, 0);
        if (emberi_fbx_record_is(file, type, "ObjectType") &&
            emberi_fbx_same_text(name, (fbx_text){object->name, object->name_size}))
            return emberi_fbx_child(file, type, "PropertyTemplate");
    }
    return FBX_NONE;
}

/* ---- reading ---- */

static void object_read(fbx_document *doc, fbx_object *out, uint32_t record)
{
    fbx_cursor cursor = emberi_fbx_values(&doc->file, record);
    fbx_value  values[3] = {{.kind = FBX_VALUE_COUNT}, {.kind = FBX_VALUE_COUNT}, {.kind = FBX_VALUE_COUNT}};
    uint32_t   first = doc->by_name ? 0 : 1;
    for (uint32_t i = 0; i < 3 && emberi_fbx_next(&cursor, &values[i]); i++)
        ;
    out->record = record;
    out->id = values[0].integer;
    if (values[first].kind == FBX_VALUE_TEXT)
        out->key = values[first].text;
    if (values[first + 1].kind == FBX_VALUE_TEXT)
        out->sub_class = values[first + 1].text;
    out->name = emberi_fbx_bare_name(&doc->file, out->key);
    out->kind = kind_of(&doc->file, record, out->sub_class);
}

static ember_status objects_list(fbx_document *doc, uint32_t section)
{
    fbx_file *file = &doc->file;
    uint32_t  definitions = emberi_fbx_child(file, 0, "Definitions"), count = 1;
    for (uint32_t r = emberi_fbx_first(file, section); r != FBX_NONE; r = emberi_fbx_next_record(file, r))
        count++;
    EMBERI_TRY(FBX_PUSH(file, &doc->objects, &file->scratch, fbx_object, count));
    doc->objects[0] = (fbx_object){.kind = FBX_ROOT, .record = FBX_NONE, .defaults = FBX_NONE};
    doc->object_count = 1;
    const fbx_record *last = NULL;
    uint32_t          defaults = FBX_NONE;
    for (uint32_t r = emberi_fbx_first(file, section); r != FBX_NONE; r = emberi_fbx_next_record(file, r)) {
        const fbx_record *record = emberi_fbx_record(file, r);
        fbx_object       *object = &doc->objects[doc->object_count++];
        object_read(doc, object, r);
        if (object->kind == FBX_OTHER) {
            object->defaults = FBX_NONE;
            continue;
        }
        /* Objects of one class mostly follow each other. */
        if (last == NULL || last->name_size != record->name_size ||
            memcmp(last->name, record->name, record->name_size) != 0)
            defaults = defaults_of(file, definitions, record);
        last = record;
        object->defaults = defaults;
    }
    return EMBER_OK;
}

/* ---- finding ---- */

static int compare_texts(fbx_text a, fbx_text b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int    order = size != 0 ? memcmp(a.data, b.data, size) : 0;
    return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size;
}

static int compare_objects(const fbx_document *doc, uint32_t a, uint32_t b)
{
    const fbx_object *x = &doc->objects[a], *y = &doc->objects[b];
    int order = doc->by_name ? compare_texts(x->key, y->key) : x->id < y->id ? -1 : x->id > y->id;
    return order != 0 ? order : a < b ? -1 : a > b;
}

/* Merges runs of growing length: no recursion, and never more than n log n whatever the file has. */
static void sort_objects(const fbx_document *doc, uint32_t *list, uint32_t *other, uint32_t count)
{
    for (uint64_t run = 1; run < count; run *= 2) {
        for (uint64_t start = 0; start < count; start += 2 * run) {
            uint64_t a = start, middle = start + run < count ? start + run : count, b = middle;
            uint64_t end = middle + run < count ? middle + run : count;
            for (uint64_t i = start; i < end; i++)
                other[i] = a < middle && (b == end || compare_objects(doc, list[a], list[b]) <= 0)
                               ? list[a++]
                               : list[b++];
        }
        memcpy(list, other, count * sizeof(*list));
    }
}

/* The first of the sorted ones that is not before what is looked for. */
static uint32_t find_object(const fbx_document *doc, int64_t id, fbx_text key)
{
    uint32_t low = 0, high = doc->object_count;
    while (low < high) {
        uint32_t          middle = low + (high - low) / 2;
        const fbx_object *object = &doc->objects[doc->sorted[middle]];
        if (doc->by_name ? compare_texts(object->key, key) < 0 : object->id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < doc->object_count ? doc->sorted[low] : FBX_NONE;
}

uint32_t emberi_fbx_find_id(const fbx_document *doc, int64_t id)
{
    uint32_t found = find_object(doc, id, (fbx_text){"", 0});
    return found != FBX_NONE && doc->objects[found].id == id ? found : FBX_NONE;
}

uint32_t emberi_fbx_find_key(const fbx_document *doc, fbx_text key)
{
    uint32_t found = find_object(doc, 0, key);
    return found != FBX_NONE && emberi_fbx_same_text(doc->objects[found].key, key) ? found : FBX_NONE;
}

ember_status emberi_fbx_objects_read(fbx_document *doc)
{
    fbx_file *file = &doc->file;
    uint32_t *other;
    EMBERI_TRY(objects_list(doc, emberi_fbx_child(file, 0, "Objects")));
    if (doc->by_name)
        doc->objects[0].key =
            file->is_text ? (fbx_text){"Model::Scene", 12} : (fbx_text){"Scene\0\1Model", 12};
    EMBERI_TRY(FBX_PUSH(file, &doc->sorted, &file->scratch, uint32_t, doc->object_count));
    EMBERI_TRY(FBX_PUSH(file, &other, &file->pass, uint32_t, doc->object_count));
    for (uint32_t i = 0; i < doc->object_count; i++)
        doc->sorted[i] = i;
    sort_objects(doc, doc->sorted, other, doc->object_count);
    return EMBER_OK;
}
