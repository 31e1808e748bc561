/* SPDX-License-Identifier: MIT */
/* The two halves of a carried document put together: one buffer for the old bytes and the new keys, one list
   of views and of accessors, and animations that have the clips and what they do not know. */
#include <string.h>

#include "format/gltf/write/gltf_write_carried.h"

/* ---- the buffer ---- */

static bool join_align(ember_buffer *bin)
{
    static const uint8_t zeros[4] = {0, 0, 0, 0};
    return ember_buffer_append(bin, zeros, (4 - bin->size % 4) % 4);
}

/* Where a byte of a source buffer is now; ranges are sorted. */
static bool join_find(const carried_document *d, uint64_t buffer, uint64_t offset, uint64_t *to)
{
    uint32_t low = 0, high = d->range_count;
    while (low < high) {
        uint32_t             middle = low + (high - low) / 2;
        const carried_range *range = &d->ranges[middle];
        if (range->buffer < buffer || (range->buffer == buffer && range->end <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == d->range_count || d->ranges[low].buffer != buffer || d->ranges[low].start > offset)
        return false;
    *to = d->ranges[low].to + (offset - d->ranges[low].start);
    return true;
}

/* The place in a buffer that an object names: in the new buffer, or in one that has no bytes, which stays. */
static void join_place(carried_document *d, json_t *object)
{
    uint64_t buffer, offset = 0, to;
    if (!emberi_gltfw_carried_number(&buffer, object, "buffer", d->carried->buffer_count))
        return;
    if (!emberi_gltfw_carried_number(&offset, object, "byteOffset", UINT64_MAX))
        offset = 0;
    if (d->carried->buffers[buffer].data == NULL) {
        uint64_t index = 1;
        for (uint64_t i = 0; i < buffer; i++)
            index += d->carried->buffers[i].data == NULL;
        emberi_gltfw_carried_set(d, object, "buffer", index);
    } else if (join_find(d, buffer, offset, &to)) {
        emberi_gltfw_carried_set(d, object, "buffer", 0);
        if (to != 0 || json_object_get(object, "byteOffset") != NULL)
            emberi_gltfw_carried_set(d, object, "byteOffset", to);
    }
}

/* ---- lists ---- */

static void join_add(carried_document *d, json_t *array, json_t value)
{
    d->failed = !emberi_json_edit_add(&d->writer->scratch, array, value) || d->failed;
}

/* The list below a key without what the map drops; there is one afterwards. */
static void join_list(carried_document *d, const char *key, const uint32_t *map, uint32_t count)
{
    const json_t *old = json_object_get(d->root, key);
    json_t        list = emberi_json_edit_list(JSON_ARRAY);
    for (uint32_t i = 0; i < count; i++)
        if (map[i] != GLTF_NONE)
            join_add(d, &list, *json_array_get(old, i));
    emberi_gltfw_carried_put(d, d->root, key, list);
}

/* Bytes as a view of their own; its number. */
static uint64_t join_bytes(carried_document *d, ember_buffer *bin, json_t *views, const uint8_t *data,
                           size_t size)
{
    if (!join_align(bin) || !ember_buffer_append(bin, data, size))
        d->failed = true;
    json_t view = emberi_json_edit_list(JSON_OBJECT);
    emberi_gltfw_carried_set(d, &view, "buffer", 0);
    emberi_gltfw_carried_set(d, &view, "byteOffset", bin->size - size);
    emberi_gltfw_carried_set(d, &view, "byteLength", size);
    join_add(d, views, view);
    return json_array_size(views) - 1;
}

/* What an image of another file is; NULL: not known. */
static const char *join_image_type(const gltf_bytes *image, const char *uri)
{
    static const struct {
        const char *magic, *type;
        size_t      at, size;
    } kinds[] = {{"\x89PNG\r\n\x1a\n", "image/png", 0, 8},
                 {"\xff\xd8\xff", "image/jpeg", 0, 3},
                 {"WEBP", "image/webp", 8, 4},
                 {"\xabKTX 20\xbb", "image/ktx2", 0, 8},
                 {"DDS ", "image/vnd-ms.dds", 0, 4}};
    for (size_t i = 0; uri != NULL && i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (image->size >= kinds[i].at + kinds[i].size &&
            memcmp(image->data + kinds[i].at, kinds[i].magic, kinds[i].size) == 0)
            return kinds[i].type;
    return NULL;
}

static void join_images(carried_document *d, ember_buffer *bin, json_t *views)
{
    const json_t *images = json_object_get(d->root, "images");
    for (uint32_t i = 0; i < d->carried->image_count && !d->failed; i++) {
        json_t           *object = json_edit_at(images, i);
        const gltf_bytes *bytes = &d->carried->images[i];
        const char       *uri = json_string_value(json_object_get(object, "uri"));
        emberi_gltfw_carried_map(d, object, "bufferView", d->views, d->view_count);
        const char *type = bytes->data != NULL ? join_image_type(bytes, uri) : NULL;
        if (type == NULL)
            continue;
        emberi_gltfw_carried_set(d, object, "bufferView",
                                 join_bytes(d, bin, views, bytes->data, bytes->size));
        emberi_gltfw_carried_put(d, object, "mimeType", emberi_json_edit_text(type));
        emberi_json_edit_remove(object, "uri");
    }
}

static void join_old_bytes(carried_document *d, ember_buffer *bin, json_t *views)
{
    for (uint32_t i = 0; i < d->range_count && !d->failed; i++) {
        carried_range *range = &d->ranges[i];
        d->failed = !join_align(bin);
        range->to = bin->size;
        d->failed =
            d->failed || !ember_buffer_append(bin, d->carried->buffers[range->buffer].data + range->start,
                                              range->end - range->start);
    }
    for (size_t i = 0; i < json_array_size(views); i++) {
        join_place(d, json_edit_at(views, i));
        const json_t *extensions = json_object_get(json_array_get(views, i), "extensions");
        for (size_t k = 0; k < json_object_size(extensions); k++)
            join_place(d, json_edit_value(extensions, k));
    }
}

/* The views of the clips' keys, and their accessors, behind the others. */
static void join_new(carried_document *d, ember_buffer *bin, json_t *views, json_t *accessors)
{
    const json_t *new_views = json_object_get(d->made, "bufferViews"),
                 *new_accessors = json_object_get(d->made, "accessors");
    uint64_t first_view = json_array_size(views), base, number;
    d->failed = d->failed || !join_align(bin);
    base = bin->size;
    d->failed = d->failed || !ember_buffer_append(bin, d->writer->bin.data, d->writer->bin.size);
    for (size_t i = 0; i < json_array_size(new_views); i++) {
        json_t *view = json_edit_at(new_views, i);
        if (!emberi_gltfw_carried_number(&number, view, "byteOffset", UINT64_MAX))
            number = 0;
        emberi_gltfw_carried_set(d, view, "byteOffset", base + number);
        join_add(d, views, *view);
    }
    for (size_t i = 0; i < json_array_size(new_accessors); i++) {
        json_t *accessor = json_edit_at(new_accessors, i);
        if (emberi_gltfw_carried_number(&number, accessor, "bufferView", UINT64_MAX))
            emberi_gltfw_carried_set(d, accessor, "bufferView", first_view + number);
        join_add(d, accessors, *accessor);
    }
}

/* One buffer with all bytes, and behind it those that have none. */
static void join_buffers(carried_document *d, const ember_buffer *bin)
{
    const json_t *old = json_object_get(d->root, "buffers");
    json_t        list = emberi_json_edit_list(JSON_ARRAY), first = emberi_json_edit_list(JSON_OBJECT);
    bool          found = false;
    for (uint32_t i = 0; i < d->carried->buffer_count && !found; i++) {
        found = d->carried->buffers[i].data != NULL;
        if (found)
            d->failed =
                !emberi_json_edit_copy(&d->writer->scratch, &first, json_array_get(old, i)) || d->failed;
    }
    emberi_json_edit_remove(&first, "uri");
    emberi_gltfw_carried_set(d, &first, "byteLength", bin->size);
    join_add(d, &list, first);
    for (uint32_t i = 0; i < d->carried->buffer_count; i++)
        if (d->carried->buffers[i].data == NULL)
            join_add(d, &list, *json_array_get(old, i));
    emberi_gltfw_carried_put(d, d->root, "buffers", list);
}

/* A list with nothing in it is not allowed. */
static void join_drop_empty(carried_document *d, const char *key)
{
    const json_t *list = json_object_get(d->root, key);
    if (list != NULL && json_array_size(list) == 0)
        emberi_json_edit_remove(d->root, key);
}

/* Each value is the number of an accessor. */
static void join_map_all(carried_document *d, json_t *object)
{
    for (size_t i = 0; i < json_object_size(object); i++)
        emberi_gltfw_carried_map(d, object, json_object_key(object, i), d->accessors, d->accessor_count);
}

static void join_draco(carried_document *d)
{
    const json_t *meshes = json_object_get(d->root, "meshes");
    for (size_t i = 0; i < json_array_size(meshes); i++) {
        const json_t *primitives = json_object_get(json_array_get(meshes, i), "primitives");
        for (size_t k = 0; k < json_array_size(primitives); k++) {
            json_t       *primitive = json_edit_at(primitives, k);
            json_t       *attributes = json_edit_get(primitive, "attributes");
            const json_t *targets = json_object_get(primitive, "targets");
            const json_t *extensions = json_object_get(primitive, "extensions");
            emberi_gltfw_carried_map(d, primitive, "indices", d->accessors, d->accessor_count);
            join_map_all(d, attributes);
            for (size_t t = 0; t < json_array_size(targets); t++)
                join_map_all(d, json_edit_at(targets, t));
            emberi_gltfw_carried_map(d, json_edit_get(extensions, "KHR_draco_mesh_compression"), "bufferView",
                                     d->views, d->view_count);
        }
    }
}

void emberi_gltfw_carried_join(carried_document *d)
{
    ember_buffer bin = {.allocator = d->writer->bin.allocator};
    join_list(d, "accessors", d->accessors, d->accessor_count);
    join_list(d, "bufferViews", d->views, d->view_count);
    json_t *accessors = json_edit_get(d->root, "accessors"), *views = json_edit_get(d->root, "bufferViews");
    const json_t *skins = json_object_get(d->root, "skins");
    if (!d->failed)
        join_old_bytes(d, &bin, views);
    for (size_t i = 0; !d->failed && i < json_array_size(accessors); i++) {
        json_t *accessor = json_edit_at(accessors, i), *sparse = json_edit_get(accessor, "sparse");
        emberi_gltfw_carried_map(d, accessor, "bufferView", d->views, d->view_count);
        emberi_gltfw_carried_map(d, json_edit_get(sparse, "indices"), "bufferView", d->views, d->view_count);
        emberi_gltfw_carried_map(d, json_edit_get(sparse, "values"), "bufferView", d->views, d->view_count);
    }
    for (size_t i = 0; !d->failed && i < json_array_size(skins); i++)
        emberi_gltfw_carried_map(d, json_edit_at(skins, i), "inverseBindMatrices", d->accessors,
                                 d->accessor_count);
    if (!d->failed)
        join_draco(d);
    if (!d->failed)
        join_images(d, &bin, views);
    if (!d->failed)
        join_new(d, &bin, views, accessors);
    if (!d->failed)
        join_buffers(d, &bin);
    ember_buffer_free(&d->writer->bin);
    d->writer->bin = bin;
    if (bin.size == 0)
        emberi_json_edit_remove(d->root, "buffers");
    join_drop_empty(d, "accessors");
    join_drop_empty(d, "bufferViews");
}

/* ---- animations ---- */

bool emberi_gltfw_carried_foreign(const gltf_carried *carried, const json_t *channel)
{
    const json_t *target = json_object_get(channel, "target");
    const char   *path = json_string_value(json_object_get(target, "path"));
    uint64_t      node;
    if (path == NULL ||
        (strcmp(path, "translation") != 0 && strcmp(path, "rotation") != 0 && strcmp(path, "scale") != 0))
        return true;
    return !emberi_gltfw_carried_number(&node, target, "node", carried->node_count) || !carried->in_rig[node];
}

/* The old animation's channels that move other things, behind the new one's. */
static void animate_channels(carried_document *d, json_t *made, const json_t *old, bool in_time)
{
    json_t       *channels = json_edit_get(made, "channels"), *samplers = json_edit_get(made, "samplers");
    const json_t *old_channels = json_object_get(old, "channels"),
                 *old_samplers = json_object_get(old, "samplers");
    for (size_t i = 0; i < json_array_size(old_channels); i++) {
        const json_t *channel = json_array_get(old_channels, i);
        uint64_t      index;
        if (!emberi_gltfw_carried_foreign(d->carried, channel) ||
            !emberi_gltfw_carried_number(&index, channel, "sampler", json_array_size(old_samplers)))
            continue;
        if (!in_time) {
            d->late++;
            continue;
        }
        json_t sampler, copy;
        if (!emberi_json_edit_copy(&d->writer->scratch, &sampler,
                                   json_array_get(old_samplers, (size_t)index)) ||
            !emberi_json_edit_copy(&d->writer->scratch, &copy, channel)) {
            d->failed = true;
            return;
        }
        emberi_gltfw_carried_map(d, &sampler, "input", d->accessors, d->accessor_count);
        emberi_gltfw_carried_map(d, &sampler, "output", d->accessors, d->accessor_count);
        emberi_gltfw_carried_set(d, &copy, "sampler", json_array_size(samplers));
        join_add(d, samplers, sampler);
        join_add(d, channels, copy);
    }
}

/* Members that Ember does not know; of extras, those that are not its own. */
static void animate_members(carried_document *d, json_t *made, const json_t *old)
{
    const json_t *old_extras = json_object_get(old, "extras");
    for (size_t i = 0; i < json_object_size(old); i++) {
        const char *key = json_object_key(old, i);
        if (strcmp(key, "extras") != 0 && json_object_get(made, key) == NULL)
            emberi_gltfw_carried_put(d, made, key, *json_object_value(old, i));
    }
    json_t *extras = json_edit_get(made, "extras");
    for (size_t i = 0; i < json_object_size(old_extras); i++) {
        const char *key = json_object_key(old_extras, i);
        if (strcmp(key, "ember") != 0)
            emberi_gltfw_carried_put(d, extras, key, *json_object_value(old_extras, i));
    }
}

void emberi_gltfw_carried_animate(carried_document *d)
{
    const json_t *made = json_object_get(d->made, "animations"),
                 *old = json_object_get(d->root, "animations");
    uint64_t number, first = 0;
    for (uint32_t i = 0; i < d->accessor_count; i++)
        first += d->accessors[i] != GLTF_NONE;
    for (size_t i = 0; i < json_array_size(made); i++) {
        json_t     *animation = json_edit_at(made, i), *samplers = json_edit_get(animation, "samplers");
        const char *name =
            d->writer->model->clips[GLTFW_AT(d->writer->animations, gltfw_animation, i)->clip].name;
        for (size_t k = 0; k < json_array_size(samplers); k++) {
            json_t *sampler = json_edit_at(samplers, k);
            if (emberi_gltfw_carried_number(&number, sampler, "input", UINT64_MAX))
                emberi_gltfw_carried_set(d, sampler, "input", first + number);
            if (emberi_gltfw_carried_number(&number, sampler, "output", UINT64_MAX))
                emberi_gltfw_carried_set(d, sampler, "output", first + number);
        }
        for (uint32_t k = 0; k < d->carried->clip_count; k++) {
            if (d->carried->clips[k].name != name)
                continue;
            animate_channels(d, animation, json_array_get(old, k), d->carried->clips[k].in_time);
            animate_members(d, animation, json_array_get(old, k));
        }
    }
    if (json_array_size(made) != 0)
        emberi_gltfw_carried_put(d, d->root, "animations", *made);
    else
        emberi_json_edit_remove(d->root, "animations");
}
