/* SPDX-License-Identifier: MIT */
/* Ember's JSON clip form, written: one bone per line, so that two versions of a clip can be compared line by
   line. The same model gives the same bytes. */
#include <stdio.h>

#include "base/hash.h"
#include "format/json/json.h"
#include "format/json/json_out.h"

static void json_write_bones(emberi_json_out *out, const ember_skeleton *skeleton)
{
    emberi_json_key(out, "bones");
    emberi_json_array(out);
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        emberi_json_line(out);
        emberi_json_object(out);
        emberi_json_put_string(out, "name", name != NULL ? name : emberi_make_name(i).text);
        emberi_json_put_integer(out, "parent", skeleton->parents[i]);
        emberi_json_key(out, "rest");
        emberi_json_transform(out, skeleton->rest != NULL ? &skeleton->rest[i] : &ember_transform_identity);
        emberi_json_object_end(out);
    }
    emberi_json_array_end(out);
}

/* All bones in the skeleton's order need no list. */
static bool json_needs_bones(const ember_clip *clip, const ember_skeleton *skeleton)
{
    bool in_order = clip->bone_count == skeleton->bone_count;
    for (uint32_t i = 0; i < clip->bone_count && in_order; i++)
        in_order = ember_clip_bone(clip, i) == i;
    return !in_order;
}

static void json_write_clip_bones(emberi_json_out *out, const ember_clip *clip)
{
    emberi_json_line(out);
    emberi_json_key(out, "bones");
    emberi_json_array(out);
    for (uint32_t i = 0; i < clip->bone_count; i++)
        emberi_json_integer(out, ember_clip_bone(clip, i));
    emberi_json_array_end(out);
}

static void json_write_frames(emberi_json_out *out, const ember_clip *clip)
{
    emberi_json_line(out);
    emberi_json_key(out, "frames");
    emberi_json_array(out);
    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        emberi_json_line(out);
        emberi_json_array(out);
        for (uint32_t i = 0; i < clip->bone_count; i++) {
            if (i != 0)
                emberi_json_line(out);
            emberi_json_transform(out, &clip->frames[(size_t)frame * clip->bone_count + i]);
        }
        emberi_json_array_end(out);
        if (out->failed)
            break;
    }
    emberi_json_array_end(out);
}

static void json_write_markers(emberi_json_out *out, const ember_clip *clip)
{
    emberi_json_line(out);
    emberi_json_key(out, "markers");
    emberi_json_array(out);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        emberi_json_object(out);
        emberi_json_put_string(out, "name", clip->markers[i].name);
        emberi_json_put_integer(out, "frame", clip->markers[i].frame);
        emberi_json_object_end(out);
    }
    emberi_json_array_end(out);
}

ember_status emberi_json_raw_check(char out[EMBERI_JSON_CHECK_SIZE], const ember_clip *clip,
                                   const emberi_format_ops *ops, ember_allocator allocator, ember_error *err)
{
    ember_buffer    text = {.allocator = allocator};
    emberi_json_out json = {.buffer = &text, .compact = true};
    emberi_json_object(&json);
    ember_status status = ops->raw_write(&json, clip, err);
    emberi_json_object_end(&json);
    if (status == EMBER_OK && json.failed)
        status = emberi_fail_memory(err);
    snprintf(out, EMBERI_JSON_CHECK_SIZE, "%016jx",
             (uintmax_t)emberi_hash(EMBERI_HASH_START, text.data, text.size));
    ember_buffer_free(&text);
    return status;
}

static ember_status json_write_raw(emberi_json_out *out, const ember_clip *clip, const emberi_format_ops *ops,
                                   ember_error *err)
{
    ember_status status = EMBER_OK;
    emberi_json_key(out, "raw");
    emberi_json_object(out);
    if (ops != NULL) {
        char check[EMBERI_JSON_CHECK_SIZE];
        EMBERI_TRY(emberi_json_raw_check(check, clip, ops, out->buffer->allocator, err));
        emberi_json_put_string(out, "format", ops->info.name);
        if (!clip->raw.edited)
            emberi_json_put_string(out, "check", check);
        status = ops->raw_write(out, clip, err);
    }
    emberi_json_object_end(out);
    return status;
}

static ember_status json_write_clip(emberi_json_out *out, const ember_model *model, const ember_clip *clip,
                                    const ember_notes *notes, ember_error *err)
{
    const emberi_format_ops *raw = emberi_format_ops_of(clip->raw.format);
    if (raw != NULL && raw->raw_write == NULL)
        raw = NULL;
    emberi_json_line(out);
    emberi_json_object(out);
    emberi_json_put_string(out, "name", clip->name);
    emberi_json_put_number(out, "fps", ember_clip_fps(clip));
    emberi_json_put_bool(out, "loop", clip->loop);
    emberi_json_put_string(out, "space", clip->space == EMBER_SPACE_LOCAL ? "local" : "model");
    emberi_json_put_integer(out, "frame_count", clip->frame_count);
    if (json_needs_bones(clip, &model->skeleton))
        json_write_clip_bones(out, clip);
    json_write_frames(out, clip);
    json_write_markers(out, clip);
    ember_status status = json_write_raw(out, clip, raw, err);
    emberi_json_object_end(out);
    ember_format_stores stored = emberi_json_ops.info.stores;
    stored.raw = raw != NULL;
    emberi_note_losses(notes, model, clip, stored);
    return status;
}

static ember_status json_write(ember_buffer *out, const ember_model *model,
                               const ember_write_options *options, ember_error *err)
{
    emberi_json_out json = {.buffer = out, .compact = options->compact};
    ember_status    status = EMBER_OK;
    emberi_json_object(&json);
    emberi_json_put_string(&json, "format", EMBERI_JSON_FORMAT);
    emberi_json_put_integer(&json, "version", EMBERI_JSON_VERSION);
    emberi_json_line(&json);
    json_write_bones(&json, &model->skeleton);
    emberi_json_line(&json);
    emberi_json_key(&json, "clips");
    emberi_json_array(&json);
    for (uint32_t i = 0; i < model->clip_count && status == EMBER_OK && !json.failed; i++)
        status = json_write_clip(&json, model, &model->clips[i], &options->notes, err);
    emberi_json_array_end(&json);
    emberi_json_object_end(&json);
    if (status == EMBER_OK && (json.failed || (!options->compact && !ember_buffer_append(out, "\n", 1))))
        status = emberi_fail_memory(err);
    return status;
}

const emberi_format_ops emberi_json_ops = {
    .info = {.format = EMBER_FORMAT_JSON,
             .name = "json",
             .title = "Ember's JSON clips",
             .extensions = "json",
             .reads = true,
             .writes = true,
             .data_in_rom = true,
             .empty_clips = true,
             .stores = {.names = true,
                        .parents = true,
                        .rest = true,
                        .clips = true,
                        .bones = true,
                        .rate = true,
                        .loop = true,
                        .markers = true,
                        .raw = true,
                        .space = true}},
    .sniff = emberi_json_sniff,
    .read = emberi_json_read,
    .write = json_write,
};
