/* SPDX-License-Identifier: MIT */
/* glTF around clips that came from glTF: the document as it was read, byte for byte where nobody touched it,
   with the model's clips for its animations. Where skeleton or meshes are others than those that were read,
   the model is written from scratch, and a note lists what that loses. */
#include "format/gltf/write/gltf_write_carried.h"

#include <string.h>

/* ---- small pieces ---- */

bool emberi_gltfw_carried_number(uint64_t *out, const json_t *object, const char *key, uint64_t limit)
{
    return emberi_gltf_whole(out, json_object_get(object, key)) && *out < limit;
}

void emberi_gltfw_carried_set(carried_document *d, json_t *object, const char *key, uint64_t value)
{
    d->failed = json_object_set_new(object, key, json_integer((json_int_t)value)) != 0 || d->failed;
}

void emberi_gltfw_carried_map(carried_document *d, json_t *object, const char *key, const uint32_t *map,
                              uint32_t count)
{
    uint64_t index;
    if (emberi_gltfw_carried_number(&index, object, key, count) && map[index] != GLTF_NONE)
        emberi_gltfw_carried_set(d, object, key, map[index]);
}

/* ---- whether it can be carried ---- */

static bool carried_is_untouched(const gltf_carried *carried, const ember_model *model)
{
    const ember_skeleton *now = &model->skeleton, *then = &carried->skeleton;
    bool                  same = now->bone_count == then->bone_count && now->parents == then->parents &&
                now->names == then->names && now->rest == then->rest &&
                now->inverse_binds == then->inverse_binds && model->meshes == carried->meshes &&
                model->mesh_count == carried->mesh_count;
    for (uint32_t i = 0; i < model->clip_count && same; i++)
        same = model->clips[i].space == EMBER_SPACE_LOCAL && model->clips[i].bones == NULL &&
               model->clips[i].bone_count == now->bone_count;
    return same;
}

const gltf_carried *emberi_gltfw_carried_of(const ember_model *model, const ember_notes *notes)
{
    const gltf_carried *carried = model->carried.format == EMBER_FORMAT_GLTF ? model->carried.data : NULL;
    if (carried == NULL || carried_is_untouched(carried, model))
        return carried;
    if (carried->left_out != NULL)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL, "not kept: %s", carried->left_out);
    return NULL;
}

/* ---- clips on the document's nodes ---- */

/* A bone's place, as the clip has it, to its node's own transform. */
static ember_transform carried_transform(const gltf_carried_bone *bone, const ember_transform *place,
                                         const ember_transform *at_rest)
{
    if (memcmp(place, at_rest, sizeof(*place)) == 0)
        return bone->rest;
    real_trs trs = emberi_real_trs_from(place), like = emberi_real_trs_from(&bone->rest);
    real_mat mat = emberi_real_mat_from_trs(&trs);
    mat = emberi_real_mat_mul(&bone->below, &mat);
    like.s[0] = trs.s[0];
    like.s[1] = trs.s[1];
    like.s[2] = trs.s[2];
    (void)emberi_real_mat_decompose(&trs, &mat, &like);
    return emberi_real_trs_to_float(&trs);
}

static ember_status carried_clips(gltf_writer *writer, const gltf_carried *carried, ember_clip *clips)
{
    const ember_model *model = writer->model;
    uint32_t           bones = model->skeleton.bone_count;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        clips[i] = model->clips[i];
        ember_transform *frames = ember_arena_push(&writer->scratch, clips[i].frame_count,
                                                   bones * sizeof(*frames), _Alignof(float));
        if (frames == NULL)
            return emberi_fail_memory(writer->err);
        if (clips[i].frame_count != 0)
            memcpy(frames, clips[i].frames, (size_t)clips[i].frame_count * bones * sizeof(*frames));
        for (uint32_t b = 0; b < bones; b++)
            for (size_t f = 0; carried->bones[b].apart && f < clips[i].frame_count; f++)
                frames[f * bones + b] =
                    carried_transform(&carried->bones[b], &frames[f * bones + b], &model->skeleton.rest[b]);
        clips[i].frames = frames;
    }
    return EMBER_OK;
}

/* The keys of all clips, in the writer's records; their channels name nodes of the document. */
static ember_status carried_keys(gltf_writer *writer, const gltf_carried *carried)
{
    uint32_t    bones = writer->model->skeleton.bone_count;
    ember_clip *clips = EMBER_PUSH(&writer->scratch, ember_clip, writer->model->clip_count);
    writer->rest = EMBER_PUSH(&writer->scratch, ember_transform, bones);
    writer->all_bones = !carried->skinned;
    if (clips == NULL || writer->rest == NULL)
        return emberi_fail_memory(writer->err);
    for (uint32_t i = 0; i < bones; i++)
        writer->rest[i] = carried->bones[i].rest;
    ember_status       status = carried_clips(writer, carried, clips);
    const ember_model *model = writer->model;
    ember_model        moved = *model;
    moved.clips = clips;
    writer->model = &moved;
    if (status == EMBER_OK)
        status = emberi_gltfw_clips(writer);
    writer->model = model;
    for (uint32_t i = 0; i < GLTFW_COUNT(writer->channels, gltfw_channel); i++) {
        gltfw_channel *channel = GLTFW_AT(writer->channels, gltfw_channel, i);
        channel->node = carried->bones[channel->node].node;
    }
    return status;
}

/* ---- the document ---- */

static void carried_load(carried_document *d)
{
    const char  *text = (const char *)d->carried->text.data;
    ember_buffer made = {.allocator = d->writer->bin.allocator};
    d->root = json_loadb(text, d->carried->text.size, 0, NULL);
    if (d->root == NULL) /* whole numbers that are too large for that */
        d->root = json_loadb(text, d->carried->text.size, JSON_DECODE_INT_AS_REAL, NULL);
    if (emberi_gltfw_records(&made, d->writer) == EMBER_OK)
        d->made = json_loadb((const char *)made.data, made.size, 0, NULL);
    ember_buffer_free(&made);
    d->failed = d->failed || d->root == NULL || d->made == NULL;
}

/* A node that is animated has no matrix. */
static void carried_nodes(carried_document *d)
{
    json_t *nodes = json_object_get(d->root, "nodes");
    for (uint32_t i = 0; i < GLTFW_COUNT(d->writer->channels, gltfw_channel); i++) {
        json_t *node = json_array_get(nodes, GLTFW_AT(d->writer->channels, gltfw_channel, i)->node);
        if (json_object_get(node, "matrix") == NULL)
            continue;
        const gltf_carried_bone *bone = d->carried->bones;
        while (bone->node != GLTFW_AT(d->writer->channels, gltfw_channel, i)->node)
            bone++;
        const ember_transform *t = &bone->rest;
        json_t                *rotation = json_pack("[ffff]", (double)t->rotation.x, (double)t->rotation.y,
                                                    (double)t->rotation.z, (double)t->rotation.w);
        json_t                *position =
            json_pack("[fff]", (double)t->position.x, (double)t->position.y, (double)t->position.z);
        json_t *scale = json_pack("[fff]", (double)t->scale.x, (double)t->scale.y, (double)t->scale.z);
        d->failed = json_object_del(node, "matrix") != 0 || d->failed;
        d->failed = json_object_set_new(node, "translation", position) != 0 || d->failed;
        d->failed = json_object_set_new(node, "rotation", rotation) != 0 || d->failed;
        d->failed = json_object_set_new(node, "scale", scale) != 0 || d->failed;
    }
}

static void carried_asset(carried_document *d)
{
    json_t *asset = json_object_get(d->root, "asset");
    d->failed =
        json_object_set_new(asset, "generator", json_string("Ember " EMBER_VERSION)) != 0 || d->failed;
}

ember_status emberi_gltfw_carried_fill(gltf_writer *writer, const gltf_carried *carried)
{
    carried_document d = {.writer = writer, .carried = carried};
    ember_status     status = carried_keys(writer, carried);
    if (status != EMBER_OK)
        return status;
    carried_load(&d);
    if (!d.failed)
        emberi_gltfw_carried_plan(&d);
    if (!d.failed)
        emberi_gltfw_carried_join(&d);
    if (!d.failed)
        emberi_gltfw_carried_animate(&d);
    if (!d.failed)
        carried_nodes(&d);
    if (!d.failed)
        carried_asset(&d);
    json_decref(d.made);
    writer->document = d.root;
    if (d.late != 0)
        emberi_notef(&writer->options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "%u %s of other things than bones not kept: the clip does not begin at second 0", d.late,
                     d.late == 1 ? "channel is" : "channels are");
    return d.failed ? emberi_fail_memory(writer->err) : EMBER_OK;
}

/* ---- text ---- */

static void carried_emit(emberi_json_out *json, const json_t *value, int depth)
{
    const char *key;
    json_t     *item;
    size_t      index;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        emberi_json_object(json);
        json_object_foreach((json_t *)(uintptr_t)value, key, item) {
            if (depth == 0)
                emberi_json_line(json);
            emberi_json_key(json, key);
            carried_emit(json, item, depth + 1);
        }
        if (depth == 0)
            emberi_json_line(json);
        emberi_json_object_end(json);
        break;
    case JSON_ARRAY:
        emberi_json_array(json);
        json_array_foreach(value, index, item) {
            if (depth == 1 && json_is_object(item))
                emberi_json_line(json);
            carried_emit(json, item, depth + 1);
        }
        emberi_json_array_end(json);
        break;
    case JSON_STRING:
        emberi_json_string(json, json_string_value(value));
        break;
    case JSON_INTEGER:
        emberi_json_integer(json, (int64_t)json_integer_value(value));
        break;
    case JSON_REAL:
        emberi_json_number(json, json_real_value(value));
        break;
    case JSON_NULL:
        emberi_json_null(json);
        break;
    default:
        emberi_json_bool(json, json_is_true(value));
        break;
    }
}

ember_status emberi_gltfw_carried_text(ember_buffer *out, gltf_writer *writer, bool compact, const char *uri)
{
    emberi_json_out json = {.buffer = out, .compact = compact};
    json_t         *buffer = json_array_get(json_object_get(writer->document, "buffers"), 0);
    if (uri != NULL && writer->bin.size != 0 &&
        json_object_set_new(buffer, "uri", json_string_nocheck(uri)) != 0)
        return emberi_fail_memory(writer->err);
    carried_emit(&json, writer->document, 0);
    return json.failed ? emberi_fail_memory(writer->err) : EMBER_OK;
}
