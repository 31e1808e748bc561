/* SPDX-License-Identifier: MIT */
/* What Ember itself wrote into a document's extras, so that a model comes back as it was: rate, loop, bones,
   markers and raw values of a clip, and which mesh is only a picture of the bones. Extras are anybody's: what
   makes no sense there is ignored, with a warning. */
#include "format/gltf/gltf.h"

#include <string.h>

static const json_t *extras_of(const gltf_doc *doc, gltf_section section, uint32_t index)
{
    return json_object_get(json_object_get(emberi_gltf_item(doc, section, index), "extras"), "ember");
}

bool emberi_gltf_extras_bone_shapes(const gltf_doc *doc, uint32_t mesh)
{
    return json_is_true(json_object_get(extras_of(doc, GLTF_MESHES, mesh), "bone_shapes"));
}

void emberi_gltf_extras_read(gltf_extras *out, const gltf_doc *doc, uint32_t animation)
{
    const json_t *object = extras_of(doc, GLTF_ANIMATIONS, animation);
    uint64_t      count = 0;
    memset(out, 0, sizeof(*out));
    out->there = json_is_object(object);
    out->fps = json_number_value(json_object_get(object, "fps"));
    if (!(out->fps > 0.0 && out->fps < 1e6))
        out->fps = 0.0;
    out->loop = json_is_true(json_object_get(object, "loop"));
    if (emberi_gltf_whole(&count, json_object_get(object, "frame_count")) && count < UINT32_MAX)
        out->frame_count = (uint32_t)count;
    out->markers = json_object_get(object, "markers");
    out->bones = json_object_get(object, "bones");
    out->raw = json_object_get(object, "raw");
}

/* ---- markers ---- */

/* Frames are counted at the rate the clip had; now it may have another, and another beginning. */
static ember_status extras_markers(gltf_doc *doc, ember_clip *clip, const gltf_extras *extras, double fps,
                                   double start_s)
{
    ember_marker *markers;
    size_t        lost = 0;
    double        ratio = fps / (extras->fps > 0.0 ? extras->fps : EMBER_DEFAULT_FPS);
    ember_status  status = GLTF_PUSH_MODEL(doc, &markers, ember_marker, json_array_size(extras->markers));
    for (size_t i = 0; status == EMBER_OK && i < json_array_size(extras->markers); i++) {
        const json_t *item = json_array_get(extras->markers, i);
        const char   *name = json_string_value(json_object_get(item, "name"));
        uint64_t      stored;
        bool          good = name != NULL && emberi_gltf_whole(&stored, json_object_get(item, "frame"));
        double        frame = good ? (double)stored * ratio - start_s * fps + 0.5 : -1.0;
        if (!good || !(frame >= 0.0 && frame < (double)clip->frame_count)) {
            lost++;
            continue;
        }
        ember_marker *marker = &markers[clip->marker_count++];
        marker->frame = (uint32_t)frame;
        marker->name = emberi_copy_name(doc->source->arena, name, strlen(name));
        if (marker->name == NULL)
            status = emberi_fail_memory(doc->source->err);
    }
    clip->markers = clip->marker_count != 0 ? markers : NULL;
    if (lost != 0)
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "%zu %s of its extras on none of its frames", lost, lost == 1 ? "marker" : "markers");
    return status;
}

/* ---- bones ---- */

/* Joints by their place in the skin to bones; false where the list is not one of joints, each once. */
static bool extras_bone_list(uint16_t *bones, uint8_t *taken, const gltf_rig *rig, const uint32_t *joints,
                             uint32_t joint_count, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        uint64_t place;
        if (!emberi_gltf_whole(&place, json_array_get(list, i)) || place >= joint_count ||
            taken[place]++ != 0)
            return false;
        bones[i] = (uint16_t)rig->nodes[rig->of_node[joints[place]]].bone;
    }
    return true;
}

/* The clip keeps the bones that it had. The frames are still this reader's own, to be made
   smaller in place. */
static ember_status extras_bones(gltf_doc *doc, ember_clip *clip, const gltf_extras *extras,
                                 const gltf_rig *rig, ember_transform *frames)
{
    uint32_t *joints, joint_count, count = (uint32_t)json_array_size(extras->bones);
    uint16_t *bones;
    uint8_t  *taken;
    if (rig->skin == GLTF_NONE || count == 0 || count > rig->bone_count)
        return EMBER_OK;
    ember_status status = emberi_gltf_skin_joints(doc, &joints, &joint_count, rig->skin);
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &bones, uint16_t, count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_PASS(doc, &taken, uint8_t, joint_count);
    if (status != EMBER_OK)
        return status;
    if (!extras_bone_list(bones, taken, rig, joints, joint_count, extras->bones)) {
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "the bones of its extras are no list of joints");
        return EMBER_OK;
    }
    ember_transform *row;
    status = GLTF_PUSH_PASS(doc, &row, ember_transform, rig->bone_count);
    for (uint32_t i = 0; status == EMBER_OK && i < clip->frame_count; i++) {
        memcpy(row, frames + (size_t)i * rig->bone_count, rig->bone_count * sizeof(*row));
        for (uint32_t k = 0; k < count; k++)
            frames[(size_t)i * count + k] = row[bones[k]];
    }
    clip->bones = bones;
    clip->bone_count = count;
    return status;
}

/* ---- raw values ---- */

/* They belong to the frames as they were: only where those are all there do they still say the same. */
static ember_status extras_raw(gltf_doc *doc, ember_clip *clip, const gltf_extras *extras, bool as_it_was)
{
    const char              *name = json_string_value(json_object_get(extras->raw, "format"));
    const ember_format_info *info = name != NULL ? ember_format_by_name(name) : NULL;
    const emberi_format_ops *ops = info != NULL ? emberi_format_ops_of(info->format) : NULL;
    if (as_it_was && ops != NULL && ops->raw_read != NULL)
        return ops->raw_read(&clip->raw, extras->raw, doc->source);
    emberi_notef(&doc->source->options->notes, EMBER_NOTE_DETAIL, clip->name, NULL,
                 "raw values in its extras %s",
                 as_it_was ? "are of no known format" : "belong to other frames");
    return EMBER_OK;
}

ember_status emberi_gltf_extras_apply(gltf_doc *doc, ember_clip *clip, const gltf_extras *extras,
                                      const gltf_rig *rig, ember_transform *frames)
{
    const ember_read_options *options = doc->source->options;
    bool                      same_rate =
        options->fps <= 0.0 || options->fps == (extras->fps > 0.0 ? extras->fps : EMBER_DEFAULT_FPS);
    bool as_it_was = same_rate && options->start_s == 0.0 && options->end_s == 0.0 &&
                     clip->frame_count == extras->frame_count &&
                     (options->scale == 0.0 || options->scale == 1.0);
    ember_status status = EMBER_OK;
    if (extras->markers != NULL)
        status = extras_markers(doc, clip, extras, clip->fps, options->start_s);
    if (status == EMBER_OK && extras->bones != NULL)
        status = extras_bones(doc, clip, extras, rig, frames);
    if (status == EMBER_OK && extras->raw != NULL)
        status = extras_raw(doc, clip, extras, as_it_was);
    clip->loop = clip->loop || extras->loop;
    if (extras->there && extras->fps == 0.0 && options->fps == 0.0)
        clip->fps = 0.0; /* it had none */
    return status;
}
