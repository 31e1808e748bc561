/* SPDX-License-Identifier: MIT */
/* The takes of version 6: a tree of channels below the name of each model. One take has one layer. */
#include "format/fbx/fbx_scene.h"

static uint32_t channel_named(const fbx_file *file, uint32_t record, const char *name)
{
    for (uint32_t r = emberi_fbx_first(file, record); r != FBX_NONE; r = emberi_fbx_next_record(file, r))
        if (emberi_fbx_record_is(file, r, "Channel") &&
            emberi_fbx_text_is(emberi_fbx_string(file, r, 0), name))
            return r;
    return FBX_NONE;
}

/* False where no component has a key. */
static bool channel_read(const fbx_scene *scene, fbx_channel *out, uint32_t record)
{
    static const char *const parts[3] = {"X", "Y", "Z"};
    const fbx_file          *file = &scene->doc->file;
    bool                     any = false;
    for (int k = 0; k < 3; k++) {
        uint32_t part = channel_named(file, record, parts[k]);
        out->defaults[k] = emberi_fbx_real(file, emberi_fbx_child(file, part, "Default"), 0,
                                           scene->nodes[out->node].own[out->path][k]);
        bool keyed = emberi_fbx_whole(file, emberi_fbx_child(file, part, "KeyCount"), 0, 0) > 0 &&
                     emberi_fbx_child(file, part, "Key") != FBX_NONE;
        out->curves[k] = keyed ? part : FBX_NONE;
        any = any || keyed;
    }
    return any;
}

static void take_model(fbx_scene *scene, fbx_take *take, uint32_t record)
{
    static const char *const paths[FBX_PATH_COUNT] = {"T", "R", "S"};
    const fbx_file          *file = &scene->doc->file;
    uint32_t                 object = emberi_fbx_find_key(scene->doc, emberi_fbx_string(file, record, 0));
    uint32_t                 transform = channel_named(file, record, "Transform");
    if (object == FBX_NONE || scene->of_object[object] == FBX_NONE)
        return;
    for (int path = 0; path < FBX_PATH_COUNT; path++) {
        uint32_t channel = channel_named(file, transform, paths[path]);
        if (channel == FBX_NONE)
            continue;
        if (take->channels != NULL) {
            fbx_channel *out = &take->channels[take->channel_count];
            out->node = scene->of_object[object];
            out->path = (fbx_path)path;
            if (channel_read(scene, out, channel))
                scene->nodes[out->node].keyed = true;
        }
        take->channel_count++;
    }
}

static void take_models(fbx_scene *scene, fbx_take *take)
{
    const fbx_file *file = &scene->doc->file;
    take->channel_count = 0;
    for (uint32_t r = emberi_fbx_first(file, take->record); r != FBX_NONE;
         r = emberi_fbx_next_record(file, r))
        if (emberi_fbx_record_is(file, r, "Model"))
            take_model(scene, take, r);
}

static ember_status take_read(fbx_scene *scene, fbx_take *take)
{
    fbx_file *file = &scene->doc->file;
    uint32_t  span = emberi_fbx_child(file, take->record, "LocalTime");
    if (span == FBX_NONE)
        span = emberi_fbx_child(file, take->record, "ReferenceTime");
    take->object = FBX_NONE;
    take->name = emberi_fbx_string(file, take->record, 0);
    take->start = emberi_fbx_whole(file, span, 0, 0);
    take->stop = emberi_fbx_whole(file, span, 1, 0);
    take->has_span = take->stop > take->start;
    EMBERI_TRY(FBX_PUSH(file, &take->layers, &file->scratch, fbx_layer, 1));
    take->layers[0] = (fbx_layer){.object = FBX_NONE, .weight = 1.0, .weight_curve = FBX_NONE};
    take->layer_count = 1;
    take_models(scene, take);
    EMBERI_TRY(FBX_PUSH(file, &take->channels, &file->scratch, fbx_channel, take->channel_count));
    take_models(scene, take);
    return emberi_fbx_channels_sort(scene, take);
}

ember_status emberi_fbx_old_takes_read(fbx_scene *scene, fbx_takes *out)
{
    fbx_file *file = &scene->doc->file;
    uint32_t  takes = emberi_fbx_child(file, 0, "Takes"), count = 0;
    for (uint32_t r = emberi_fbx_first(file, takes); r != FBX_NONE; r = emberi_fbx_next_record(file, r))
        count += emberi_fbx_record_is(file, r, "Take") ? 1u : 0u;
    EMBERI_TRY(FBX_PUSH(file, &out->items, &file->scratch, fbx_take, count));
    for (uint32_t r = emberi_fbx_first(file, takes); r != FBX_NONE; r = emberi_fbx_next_record(file, r)) {
        if (!emberi_fbx_record_is(file, r, "Take"))
            continue;
        out->items[out->count].record = r;
        EMBERI_TRY(take_read(scene, &out->items[out->count++]));
    }
    return EMBER_OK;
}
