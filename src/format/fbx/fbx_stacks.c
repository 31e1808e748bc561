/* SPDX-License-Identifier: MIT */
/* The takes of version 7: animation stacks, their layers, and which node's property each curve node moves.
   Connections may form cycles; nothing here follows them further than the four steps from stack to curve. */
#include "format/fbx/fbx_scene.h"

#include <stdlib.h>
#include <string.h>

/* Limits on what a file can ask for by naming the same things again and again. */
#define TAKES_MAX 4096u
#define CHANNELS_MAX (1u << 22)

/* ---- spans ---- */

static bool span_of_take(const fbx_document *doc, fbx_take *take)
{
    const fbx_file *file = &doc->file;
    uint32_t        takes = emberi_fbx_child(file, 0, "Takes");
    uint32_t        left = TAKES_MAX;
    for (uint32_t r = emberi_fbx_first(file, takes); r != FBX_NONE && left != 0;
         r = emberi_fbx_next_record(file, r), left--) {
        uint32_t span = emberi_fbx_child(file, r, "LocalTime");
        if (span == FBX_NONE || !emberi_fbx_record_is(file, r, "Take") ||
            !emberi_fbx_same_text(emberi_fbx_string(file, r, 0), take->name))
            continue;
        take->start = emberi_fbx_whole(file, span, 0, 0);
        take->stop = emberi_fbx_whole(file, span, 1, 0);
        return true;
    }
    return false;
}

static void take_span(const fbx_document *doc, fbx_take *take)
{
    int64_t  local[2] = {0, 0}, reference[2] = {0, 0};
    fbx_want wants[] = {{.name = "LocalStart", .whole = &local[0]},
                        {.name = "LocalStop", .whole = &local[1]},
                        {.name = "ReferenceStart", .whole = &reference[0]},
                        {.name = "ReferenceStop", .whole = &reference[1]}};
    emberi_fbx_record_properties(doc, doc->objects[take->object].record, wants, 4);
    const int64_t *span = wants[1].found ? local : reference;
    take->has_span = wants[1].found || wants[3].found;
    if (take->has_span) {
        take->start = span[0];
        take->stop = span[1];
    } else {
        take->has_span = span_of_take(doc, take);
    }
    take->has_span = take->has_span && take->stop > take->start;
}

/* ---- layers ---- */

static bool curve_has_keys(const fbx_document *doc, uint32_t record)
{
    const fbx_file *file = &doc->file;
    uint32_t        times = emberi_fbx_child(file, record, "KeyTime");
    uint32_t        inner = emberi_fbx_child(file, times, "a");
    fbx_cursor      cursor = emberi_fbx_values(file, inner != FBX_NONE ? inner : times);
    fbx_value       value;
    while (emberi_fbx_next(&cursor, &value)) {
        if (value.kind == FBX_VALUE_ARRAY)
            return memcmp(value.text.data, "\0\0\0\0", 4) != 0; /* its count */
        if (value.kind <= FBX_VALUE_REAL)
            return true;
    }
    return false;
}

/* The curves and values of a curve node; returns whether any has keys. */
static bool channel_fill(const fbx_document *doc, fbx_channel *channel, uint32_t curve_node)
{
    static const char *const parts[3] = {"d|X", "d|Y", "d|Z"};
    fbx_links                links = emberi_fbx_children(doc, curve_node);
    bool                     any = false;
    fbx_want                 wants[3];
    for (int k = 0; k < 3; k++) {
        wants[k] = (fbx_want){.name = parts[k], .reals = &channel->defaults[k], .count = 1};
        channel->curves[k] = FBX_NONE;
    }
    emberi_fbx_properties(doc, curve_node, wants, 3);
    for (uint32_t i = 0; i < links.count; i++) {
        const fbx_connection *link = emberi_fbx_link(doc, links, i);
        for (int k = 0; k < 3; k++) {
            uint32_t record = doc->objects[link->child].record;
            if (link->property.data == NULL || doc->objects[link->child].kind != FBX_CURVE ||
                !emberi_fbx_text_is(link->property, parts[k]) || !curve_has_keys(doc, record))
                continue;
            channel->curves[k] = record;
            any = true;
        }
    }
    return any;
}

static uint32_t weight_curve(const fbx_document *doc, uint32_t layer)
{
    fbx_links links = emberi_fbx_children(doc, layer);
    for (uint32_t i = 0; i < links.count; i++) {
        const fbx_connection *link = emberi_fbx_link(doc, links, i);
        if (doc->objects[link->child].kind != FBX_CURVE_NODE || link->property.data == NULL ||
            !emberi_fbx_text_is(link->property, "Weight"))
            continue;
        fbx_links below = emberi_fbx_children(doc, link->child);
        for (uint32_t k = 0; k < below.count; k++) {
            uint32_t curve = emberi_fbx_link(doc, below, k)->child;
            if (doc->objects[curve].kind == FBX_CURVE && curve_has_keys(doc, doc->objects[curve].record))
                return doc->objects[curve].record;
        }
    }
    return FBX_NONE;
}

static void layer_read(const fbx_document *doc, fbx_layer *out, uint32_t object)
{
    double   weight = 100.0;
    fbx_want wants[] = {{.name = "Weight", .reals = &weight, .count = 1},
                        {.name = "BlendMode", .whole = &out->mode},
                        {.name = "RotationAccumulationMode", .whole = &out->rotation_mode},
                        {.name = "ScaleAccumulationMode", .whole = &out->scale_mode}};
    out->object = object;
    emberi_fbx_properties(doc, object, wants, 4);
    out->weight = weight / 100.0;
    out->weight_curve = weight_curve(doc, object);
}

/* ---- channels ---- */

static fbx_path path_of(fbx_text property)
{
    return emberi_fbx_text_is(property, "Lcl Translation") ? FBX_TRANSLATION
           : emberi_fbx_text_is(property, "Lcl Rotation")  ? FBX_ROTATION
           : emberi_fbx_text_is(property, "Lcl Scaling")   ? FBX_SCALING
                                                           : FBX_PATH_COUNT;
}

/* The channels of one curve node: counted, or filled where the take has room for them. */
static void channels_of(fbx_scene *scene, fbx_take *take, uint32_t layer, uint32_t curve_node)
{
    const fbx_document *doc = scene->doc;
    fbx_links           links = emberi_fbx_parents(doc, curve_node);
    for (uint32_t i = 0; i < links.count; i++) {
        const fbx_connection *link = emberi_fbx_link(doc, links, i);
        fbx_path              path = link->property.data != NULL ? path_of(link->property) : FBX_PATH_COUNT;
        if (link->property.data == NULL || doc->objects[link->parent].kind != FBX_MODEL)
            continue;
        if (path == FBX_PATH_COUNT) {
            if (take->channels == NULL && !emberi_fbx_text_is(link->property, "Visibility")) {
                take->others++;
                take->layers[layer].others++;
            }
            continue;
        }
        if (take->channels != NULL) {
            fbx_channel *channel = &take->channels[take->channel_count];
            channel->node = scene->of_object[link->parent];
            channel->layer = layer;
            channel->path = path;
            if (channel_fill(doc, channel, curve_node))
                scene->nodes[channel->node].keyed = true;
        }
        take->channel_count++;
    }
}

static void take_channels(fbx_scene *scene, fbx_take *take)
{
    const fbx_document *doc = scene->doc;
    take->channel_count = 0;
    for (uint32_t layer = 0; layer < take->layer_count; layer++) {
        fbx_links links = emberi_fbx_children(doc, take->layers[layer].object);
        for (uint32_t i = 0; i < links.count && take->channel_count <= CHANNELS_MAX; i++) {
            const fbx_connection *link = emberi_fbx_link(doc, links, i);
            if (link->property.data == NULL && doc->objects[link->child].kind == FBX_CURVE_NODE)
                channels_of(scene, take, layer, link->child);
        }
    }
}

static int compare_channels(const void *a, const void *b)
{
    const fbx_channel *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return x->layer < y->layer ? -1 : x->layer > y->layer;
}

/* Of two channels for one property in one layer one is left. */
ember_status emberi_fbx_channels_sort(fbx_scene *scene, fbx_take *take)
{
    uint32_t count = 0;
    (void)scene;
    if (take->channel_count > 1)
        qsort(take->channels, take->channel_count, sizeof(*take->channels), compare_channels);
    for (uint32_t i = 0; i < take->channel_count; i++) {
        if (count == 0 || compare_channels(&take->channels[count - 1], &take->channels[i]) != 0)
            count++;
        take->channels[count - 1] = take->channels[i];
    }
    take->channel_count = count;
    return EMBER_OK;
}

/* ---- takes ---- */

static ember_status take_read(fbx_scene *scene, fbx_take *take)
{
    fbx_document *doc = scene->doc;
    fbx_file     *file = &doc->file;
    fbx_links     links = emberi_fbx_children(doc, take->object);
    take->name = doc->objects[take->object].name;
    take_span(doc, take);
    EMBERI_TRY(FBX_PUSH(file, &take->layers, &file->scratch, fbx_layer, links.count));
    for (uint32_t i = 0; i < links.count; i++) {
        const fbx_connection *link = emberi_fbx_link(doc, links, i);
        if (link->property.data == NULL && doc->objects[link->child].kind == FBX_LAYER)
            layer_read(doc, &take->layers[take->layer_count++], link->child);
    }
    take_channels(scene, take);
    if (take->channel_count > CHANNELS_MAX)
        return emberi_failf(file->source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "fbx: take %s has more than %u animated properties",
                            emberi_fbx_quote(take->name).text, CHANNELS_MAX);
    EMBERI_TRY(FBX_PUSH(file, &take->channels, &file->scratch, fbx_channel, take->channel_count));
    take_channels(scene, take);
    return emberi_fbx_channels_sort(scene, take);
}

ember_status emberi_fbx_takes_read(fbx_scene *scene, fbx_takes *out)
{
    fbx_document *doc = scene->doc;
    uint32_t      count = 0;
    if (doc->by_name)
        return emberi_fbx_old_takes_read(scene, out);
    for (uint32_t i = 1; i < doc->object_count; i++)
        count += doc->objects[i].kind == FBX_STACK ? 1u : 0u;
    EMBERI_TRY(FBX_PUSH(&doc->file, &out->items, &doc->file.scratch, fbx_take, count));
    for (uint32_t i = 1; i < doc->object_count; i++) {
        if (doc->objects[i].kind != FBX_STACK)
            continue;
        out->items[out->count].object = i;
        EMBERI_TRY(take_read(scene, &out->items[out->count++]));
    }
    return EMBER_OK;
}

/* ---- what moves ---- */

static bool far_apart(double a, double b)
{
    double size = emberi_real_abs(a) + 1.0;
    return !(emberi_real_abs(a - b) <= 1e-5 * size);
}

static ember_status channel_moves(fbx_scene *scene, const fbx_channel *channel, bool *moves)
{
    fbx_document *doc = scene->doc;
    for (int k = 0; k < 3 && !*moves; k++) {
        double    own = scene->nodes[channel->node].own[channel->path][k];
        bool      damaged;
        fbx_curve curve = {.key_count = 0};
        if (channel->curves[k] != FBX_NONE)
            EMBERI_TRY(emberi_fbx_curve_read(doc, &curve, channel->curves[k], NULL, &damaged));
        for (uint32_t i = 0; i < curve.key_count && !*moves; i++)
            *moves = far_apart(own, (double)curve.values[i]);
    }
    return EMBER_OK;
}

/* Bones are bones whether they move or not; others count where they carry a mesh. */
ember_status emberi_fbx_takes_mark(fbx_scene *scene, const fbx_takes *takes)
{
    fbx_file *file = &scene->doc->file;
    for (uint32_t t = 0; t < takes->count; t++) {
        for (uint32_t i = 0; i < takes->items[t].channel_count; i++) {
            const fbx_channel *channel = &takes->items[t].channels[i];
            fbx_node          *node = &scene->nodes[channel->node];
            ember_arena_mark   mark = ember_arena_save(&file->pass);
            ember_status       status = EMBER_OK;
            if (node->shows && !node->limb && !node->joint && !node->moves)
                status = channel_moves(scene, channel, &node->moves);
            if (node->moves && node->moves_in.data == NULL)
                node->moves_in = takes->items[t].name;
            ember_arena_restore(&file->pass, mark);
            if (status != EMBER_OK)
                return status;
        }
    }
    return EMBER_OK;
}
