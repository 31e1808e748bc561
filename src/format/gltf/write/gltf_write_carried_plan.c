/* SPDX-License-Identifier: MIT */
/* What of a carried document's accessors, views and bytes is still used when its animations are others. Only
   where every extension is known can anything be dropped: others may name what they like. The document is
   anybody's: an index that names nothing stays as it is. */
#include <stdlib.h>
#include <string.h>

#include "format/gltf/write/gltf_write_carried.h"

/* Extensions of which it is known what they name: nothing, or what is looked at here. */
static bool plan_knows(const char *name)
{
    static const char *const names[] = {"KHR_mesh_quantization",   "KHR_texture_transform",
                                        "KHR_lights_punctual",     "KHR_texture_basisu",
                                        "KHR_node_visibility",     "KHR_animation_pointer",
                                        "KHR_materials_variants",  "KHR_draco_mesh_compression",
                                        "KHR_meshopt_compression", "EXT_meshopt_compression",
                                        "EXT_texture_webp",        "EXT_texture_avif",
                                        "KHR_xmp_json_ld",         "VRMC_vrm"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "KHR_materials_", 14) == 0;
}

static bool plan_prunes(const carried_document *d)
{
    const json_t *used = json_object_get(d->root, "extensionsUsed");
    for (size_t i = 0; i < json_array_size(used); i++) {
        const char *name = json_string_value(json_array_get(used, i));
        if (name == NULL || !plan_knows(name))
            return false;
    }
    return true;
}

/* ---- which are used ---- */

static void plan_use(uint32_t *map, uint32_t count, const json_t *object, const char *key)
{
    uint64_t index;
    if (emberi_gltfw_carried_number(&index, object, key, count))
        map[index] = 0;
}

static void plan_use_all(uint32_t *map, uint32_t count, const json_t *object)
{
    for (size_t i = 0; i < json_object_size(object); i++)
        plan_use(map, count, object, json_object_key(object, i));
}

static void plan_primitive(carried_document *d, const json_t *primitive)
{
    const json_t *targets = json_object_get(primitive, "targets");
    const json_t *draco =
        json_object_get(json_object_get(primitive, "extensions"), "KHR_draco_mesh_compression");
    plan_use(d->accessors, d->accessor_count, primitive, "indices");
    plan_use_all(d->accessors, d->accessor_count, json_object_get(primitive, "attributes"));
    for (size_t i = 0; i < json_array_size(targets); i++)
        plan_use_all(d->accessors, d->accessor_count, json_array_get(targets, i));
    plan_use(d->views, d->view_count, draco, "bufferView");
}

static void plan_animation(carried_document *d, const json_t *animation)
{
    const json_t *channels = json_object_get(animation, "channels");
    const json_t *samplers = json_object_get(animation, "samplers");
    for (size_t i = 0; i < json_array_size(channels); i++) {
        const json_t *channel = json_array_get(channels, i);
        uint64_t      sampler;
        if (!emberi_gltfw_carried_foreign(d->carried, channel) ||
            !emberi_gltfw_carried_number(&sampler, channel, "sampler", json_array_size(samplers)))
            continue;
        plan_use(d->accessors, d->accessor_count, json_array_get(samplers, (size_t)sampler), "input");
        plan_use(d->accessors, d->accessor_count, json_array_get(samplers, (size_t)sampler), "output");
    }
}

static void plan_accessors(carried_document *d)
{
    const json_t *meshes = json_object_get(d->root, "meshes"), *skins = json_object_get(d->root, "skins");
    const json_t *animations = json_object_get(d->root, "animations");
    for (size_t i = 0; i < json_array_size(meshes); i++) {
        const json_t *primitives = json_object_get(json_array_get(meshes, i), "primitives");
        for (size_t k = 0; k < json_array_size(primitives); k++)
            plan_primitive(d, json_array_get(primitives, k));
    }
    for (size_t i = 0; i < json_array_size(skins); i++)
        plan_use(d->accessors, d->accessor_count, json_array_get(skins, i), "inverseBindMatrices");
    for (size_t i = 0; i < json_array_size(animations); i++)
        plan_animation(d, json_array_get(animations, i));
}

static void plan_views(carried_document *d)
{
    const json_t *accessors = json_object_get(d->root, "accessors"),
                 *images = json_object_get(d->root, "images");
    for (uint32_t i = 0; i < d->accessor_count; i++) {
        const json_t *accessor = json_array_get(accessors, i), *sparse = json_object_get(accessor, "sparse");
        if (d->accessors[i] == GLTF_NONE)
            continue;
        plan_use(d->views, d->view_count, accessor, "bufferView");
        plan_use(d->views, d->view_count, json_object_get(sparse, "indices"), "bufferView");
        plan_use(d->views, d->view_count, json_object_get(sparse, "values"), "bufferView");
    }
    for (size_t i = 0; i < json_array_size(images); i++)
        plan_use(d->views, d->view_count, json_array_get(images, i), "bufferView");
}

/* ---- which bytes ---- */

static void plan_range(carried_document *d, uint64_t buffer, uint64_t start, uint64_t size)
{
    const gltf_bytes *bytes = &d->carried->buffers[buffer];
    if (bytes->data == NULL || start > bytes->size || size > bytes->size - start || size == 0 ||
        d->range_count == d->range_room)
        return;
    /* from a multiple of 4, so that everything stays aligned as it was */
    d->ranges[d->range_count++] =
        (carried_range){(uint32_t)buffer, (size_t)start & ~(size_t)3, (size_t)(start + size), 0};
}

static void plan_range_of(carried_document *d, const json_t *object)
{
    uint64_t buffer, start, size;
    if (!emberi_gltfw_carried_number(&buffer, object, "buffer", d->carried->buffer_count) ||
        !emberi_gltfw_carried_number(&size, object, "byteLength", UINT64_MAX))
        return;
    if (!emberi_gltfw_carried_number(&start, object, "byteOffset", UINT64_MAX))
        start = 0;
    plan_range(d, buffer, start, size);
}

static int plan_compare(const void *a, const void *b)
{
    const carried_range *x = a, *y = b;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : 0;
}

/* Ranges that touch become one, so that no byte goes twice. */
static void plan_merge(carried_document *d)
{
    uint32_t count = 0;
    if (d->range_count != 0)
        qsort(d->ranges, d->range_count, sizeof(*d->ranges), plan_compare);
    for (uint32_t i = 0; i < d->range_count; i++) {
        carried_range *last = count != 0 ? &d->ranges[count - 1] : NULL, *next = &d->ranges[i];
        if (last != NULL && last->buffer == next->buffer && next->start <= last->end)
            last->end = next->end > last->end ? next->end : last->end;
        else
            d->ranges[count++] = *next;
    }
    d->range_count = count;
}

static void plan_bytes(carried_document *d, bool prunes)
{
    const json_t *views = json_object_get(d->root, "bufferViews");
    for (uint32_t i = 0; i < d->carried->buffer_count && !prunes; i++)
        plan_range(d, i, 0, d->carried->buffers[i].size);
    for (uint32_t i = 0; i < d->view_count && prunes; i++) {
        const json_t *view = json_array_get(views, i);
        if (d->views[i] == GLTF_NONE)
            continue;
        plan_range_of(d, view);
        const json_t *extensions = json_object_get(view, "extensions");
        for (size_t k = 0; k < json_object_size(extensions); k++)
            plan_range_of(d, json_object_value(extensions, k));
    }
    plan_merge(d);
}

static size_t plan_range_room(const carried_document *d)
{
    const json_t *views = json_object_get(d->root, "bufferViews");
    size_t        room = d->carried->buffer_count + (size_t)d->view_count;
    for (uint32_t i = 0; i < d->view_count; i++)
        room += json_object_size(json_object_get(json_array_get(views, i), "extensions"));
    return room;
}

void emberi_gltfw_carried_plan(carried_document *d)
{
    ember_arena *scratch = &d->writer->scratch;
    bool         prunes = plan_prunes(d);
    uint32_t     kept = 0;
    d->accessor_count = (uint32_t)json_array_size(json_object_get(d->root, "accessors"));
    d->view_count = (uint32_t)json_array_size(json_object_get(d->root, "bufferViews"));
    d->range_room = (uint32_t)plan_range_room(d);
    d->accessors = EMBER_PUSH(scratch, uint32_t, d->accessor_count);
    d->views = EMBER_PUSH(scratch, uint32_t, d->view_count);
    d->ranges = EMBER_PUSH(scratch, carried_range, d->range_room);
    d->failed = d->accessors == NULL || d->views == NULL || d->ranges == NULL;
    if (d->failed)
        return;
    memset(d->accessors, prunes ? 0xff : 0, d->accessor_count * sizeof(uint32_t));
    memset(d->views, prunes ? 0xff : 0, d->view_count * sizeof(uint32_t));
    if (prunes) {
        plan_accessors(d);
        plan_views(d);
    }
    plan_bytes(d, prunes);
    for (uint32_t i = 0; i < d->accessor_count; i++)
        d->accessors[i] = d->accessors[i] != GLTF_NONE ? kept++ : GLTF_NONE;
    kept = 0;
    for (uint32_t i = 0; i < d->view_count; i++)
        d->views[i] = d->views[i] != GLTF_NONE ? kept++ : GLTF_NONE;
}
