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

void emberi_gltfw_carried_put(carried_document *d, json_t *object, const char *key, json_t value)
{
    d->failed = !emberi_json_edit_set(&d->writer->scratch, object, key, value) || d->failed;
}

void emberi_gltfw_carried_set(carried_document *d, json_t *object, const char *key, uint64_t value)
{
    emberi_gltfw_carried_put(d, object, key, emberi_json_edit_number((double)value));
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

static json_t *carried_parse(carried_document *d, const uint8_t *text, size_t size)
{
    emberi_json_fault fault;
    return (json_t *)(uintptr_t)emberi_json_parse(text, size, EMBERI_JSON_WHOLE, &d->writer->scratch, &fault);
}

static json_t carried_numbers(carried_document *d, const float *values, int count)
{
    json_t list = emberi_json_edit_list(JSON_ARRAY);
    for (int i = 0; i < count; i++)
        d->failed =
            !emberi_json_edit_add(&d->writer->scratch, &list, emberi_json_edit_number((double)values[i])) ||
            d->failed;
    return list;
}

static void carried_load(carried_document *d)
{
    ember_buffer made = {.allocator = d->writer->bin.allocator};
    d->root = carried_parse(d, d->carried->text.data, d->carried->text.size);
    if (emberi_gltfw_records(&made, d->writer) == EMBER_OK)
        d->made = carried_parse(d, made.data, made.size);
    ember_buffer_free(&made);
    d->failed = d->failed || d->root == NULL || d->made == NULL;
}

/* A node that is animated has no matrix. */
static void carried_nodes(carried_document *d)
{
    const json_t *nodes = json_object_get(d->root, "nodes");
    for (uint32_t i = 0; i < GLTFW_COUNT(d->writer->channels, gltfw_channel); i++) {
        json_t *node = json_edit_at(nodes, GLTFW_AT(d->writer->channels, gltfw_channel, i)->node);
        if (json_object_get(node, "matrix") == NULL)
            continue;
        const gltf_carried_bone *bone = d->carried->bones;
        while (bone->node != GLTFW_AT(d->writer->channels, gltfw_channel, i)->node)
            bone++;
        const ember_transform *t = &bone->rest;
        emberi_json_edit_remove(node, "matrix");
        emberi_gltfw_carried_put(d, node, "translation", carried_numbers(d, &t->position.x, 3));
        emberi_gltfw_carried_put(d, node, "rotation", carried_numbers(d, &t->rotation.x, 4));
        emberi_gltfw_carried_put(d, node, "scale", carried_numbers(d, &t->scale.x, 3));
    }
}

static void carried_asset(carried_document *d)
{
    emberi_gltfw_carried_put(d, json_edit_get(d->root, "asset"), "generator",
                             emberi_json_edit_text("Ember " EMBER_VERSION));
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
    writer->document = d.root;
    if (d.late != 0)
        emberi_notef(&writer->options->notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "%u %s of other things than bones not kept: the clip does not begin at second 0", d.late,
                     d.late == 1 ? "channel is" : "channels are");
    return d.failed ? emberi_fail_memory(writer->err) : EMBER_OK;
}

/* ---- text ---- */

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the parser allows, 2,048 */
static void carried_emit(emberi_json_out *json, const json_t *value, int depth)
{
    if (value == NULL)
        return;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        emberi_json_object(json);
        for (size_t i = 0; i < json_object_size(value); i++) {
            if (depth == 0)
                emberi_json_line(json);
            emberi_json_key(json, json_object_key(value, i));
            carried_emit(json, json_object_value(value, i), depth + 1);
        }
        if (depth == 0)
            emberi_json_line(json);
        emberi_json_object_end(json);
        break;
    case JSON_ARRAY:
        emberi_json_array(json);
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (depth == 1 && json_is_object(json_array_get(value, i)))
                emberi_json_line(json);
            carried_emit(json, json_array_get(value, i), depth + 1);
        }
        emberi_json_array_end(json);
        break;
    case JSON_STRING:
        emberi_json_string(json, json_string_value(value));
        break;
    case JSON_WHOLE:
        emberi_json_integer(json, value->at.whole);
        break;
    case JSON_REAL:
        emberi_json_number(json, json_number_value(value));
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
    json_t         *buffer = json_edit_at(json_object_get(writer->document, "buffers"), 0);
    if (uri != NULL && writer->bin.size != 0 &&
        !emberi_json_edit_set(&writer->scratch, buffer, "uri", emberi_json_edit_text(uri)))
        return emberi_fail_memory(writer->err);
    carried_emit(&json, writer->document, 0);
    return json.failed ? emberi_fail_memory(writer->err) : EMBER_OK;
}
