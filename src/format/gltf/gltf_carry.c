/* SPDX-License-Identifier: MIT */
/* Keeping a document for the writer: its text, the bytes of its buffers and of images in other files, and
   which node is which bone. Everything was checked by the readers before, or is checked here before it is
   kept; the memory counts as the model's. */
#include "format/gltf/gltf_carry.h"

#include <string.h>

/* ---- bones ---- */

/* The way back from a bone's place to its node's own transform. Only what stretches evenly
   leaves no shear. */
static bool carry_bone(gltf_carried_bone *out, const gltf_doc *doc, const gltf_rig *rig, uint32_t bone)
{
    uint32_t          at = rig->bones[bone];
    const gltf_place *above = emberi_gltf_rig_above(rig, rig->rest, at);
    out->node = rig->nodes[at].node;
    out->below = emberi_real_mat_identity;
    if (!emberi_gltf_store(&out->rest, &doc->nodes[out->node].trs, 1.0))
        return false;
    if (above == NULL || memcmp(&above->mat, &emberi_real_mat_identity, sizeof(above->mat)) == 0)
        return true;
    const double *s = above->trs.s, slack = s[0] * 1e-6;
    bool          even = s[0] > 0.0 && s[1] - s[0] <= slack && s[0] - s[1] <= slack && s[2] - s[0] <= slack &&
                s[0] - s[2] <= slack;
    out->apart = true;
    return even && above->exact && emberi_real_mat_inverse(&out->below, &above->mat);
}

static ember_status carry_bones(gltf_doc *doc, gltf_carried *carried, const gltf_rig *rig, bool *good)
{
    ember_status status = GLTF_PUSH_MODEL(doc, &carried->bones, gltf_carried_bone, rig->bone_count);
    carried->node_count = doc->lists[GLTF_NODES].count;
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &carried->in_rig, uint8_t, carried->node_count);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < rig->bone_count; i++)
        *good = carry_bone(&carried->bones[i], doc, rig, i) && *good;
    for (uint32_t i = 0; i < carried->node_count; i++)
        carried->in_rig[i] = rig->of_node[i] != GLTF_NONE;
    carried->skinned = rig->skin != GLTF_NONE;
    return EMBER_OK;
}

/* ---- bytes ---- */

static ember_status carry_bytes(gltf_doc *doc, gltf_bytes *out, gltf_bytes bytes)
{
    uint8_t     *copy;
    ember_status status = GLTF_PUSH_MODEL(doc, &copy, uint8_t, bytes.size + 1);
    if (status != EMBER_OK)
        return status;
    if (bytes.size != 0)
        memcpy(copy, bytes.data, bytes.size);
    *out = (gltf_bytes){copy, bytes.size};
    return EMBER_OK;
}

/* Failures that mean no more than that something cannot be carried. */
static bool carry_forgives(gltf_doc *doc, ember_status status)
{
    if (status == EMBER_E_NOMEM || status == EMBER_E_LIMIT)
        return false;
    *doc->source->err = (ember_error)EMBER_ERROR_INIT;
    return true;
}

/* A buffer without bytes of its own: the binary chunk is the first one's. */
static bool carry_is_fallback(const gltf_doc *doc, uint32_t index)
{
    const json_t *object = emberi_gltf_item(doc, GLTF_BUFFERS, index);
    return json_object_get(object, "uri") == NULL && (index != 0 || !doc->has_bin) &&
           json_object_get(object, "extensions") != NULL;
}

static ember_status carry_buffers(gltf_doc *doc, gltf_carried *carried, bool *good)
{
    carried->buffer_count = doc->lists[GLTF_BUFFERS].count;
    ember_status status = GLTF_PUSH_MODEL(doc, &carried->buffers, gltf_bytes, carried->buffer_count);
    for (uint32_t i = 0; status == EMBER_OK && *good && i < carried->buffer_count; i++) {
        gltf_bytes bytes = {NULL, 0};
        if (carry_is_fallback(doc, i))
            continue;
        bool failed = doc->file_failed;
        status = emberi_gltf_buffer_get(doc, &bytes, i);
        doc->file_failed = failed;
        if (status == EMBER_OK)
            status = carry_bytes(doc, &carried->buffers[i], bytes);
        else if (carry_forgives(doc, status)) {
            *good = false;
            status = EMBER_OK;
        }
    }
    return status;
}

/* Every view lies in its buffer, and every number that the writer moves is one. */
static bool carry_views_are_sound(gltf_doc *doc, const gltf_carried *carried)
{
    for (uint32_t i = 0; i < doc->lists[GLTF_VIEWS].count; i++) {
        const json_t *object = emberi_gltf_item(doc, GLTF_VIEWS, i);
        uint64_t      buffer, offset = 0, size = 0;
        const json_t *at = json_object_get(object, "byteOffset");
        if (!emberi_gltf_whole(&buffer, json_object_get(object, "buffer")) ||
            buffer >= carried->buffer_count || (at != NULL && !emberi_gltf_whole(&offset, at)) ||
            !emberi_gltf_whole(&size, json_object_get(object, "byteLength")))
            return false;
        const gltf_bytes *bytes = &carried->buffers[buffer];
        if (bytes->data != NULL && (offset > bytes->size || size > bytes->size - offset))
            return false;
    }
    return true;
}

ember_status emberi_gltf_carry_begin(gltf_doc *doc, const gltf_rig *rig)
{
    const ember_read_options *options = doc->source->options;
    gltf_carried             *carried;
    bool                      good = true;
    if (!options->carry || options->skip_meshes || options->skip_clips || emberi_gltf_scale(doc) != 1.0)
        return EMBER_OK;
    ember_status status = GLTF_PUSH_MODEL(doc, &carried, gltf_carried, 1);
    if (status == EMBER_OK)
        status = carry_bones(doc, carried, rig, &good);
    if (status == EMBER_OK && good)
        status = carry_buffers(doc, carried, &good);
    if (status == EMBER_OK && good)
        good = carry_views_are_sound(doc, carried);
    if (status == EMBER_OK && good)
        status = carry_bytes(doc, &carried->text, doc->text);
    if (status == EMBER_OK && good)
        doc->carried = carried;
    return status;
}

/* ---- images ---- */

/* Those that the meshes have use of are there already, and what is wrong with them was said. */
static ember_status carry_image(gltf_doc *doc, gltf_bytes *out, uint32_t index)
{
    gltf_image  *image = &doc->images[index];
    const char  *uri = json_string_value(json_object_get(emberi_gltf_item(doc, GLTF_IMAGES, index), "uri"));
    gltf_bytes   bytes = {NULL, 0};
    ember_buffer file = {.data = NULL};
    if (uri == NULL || strncmp(uri, "data:", 5) == 0)
        return EMBER_OK;
    if (image->loaded) {
        *out = image->bytes;
        return EMBER_OK;
    }
    ember_status status =
        emberi_gltf_uri_load(doc, &bytes, &file, uri, (gltf_where){GLTF_IMAGES, index, NULL, 0});
    if (status == EMBER_OK) {
        status = carry_bytes(doc, out, bytes);
    } else if (status != EMBER_E_NOMEM && status != EMBER_E_LIMIT) {
        emberi_notef(&doc->source->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%s: the image stays where the document says",
                     emberi_error_line_of(doc->source->err).text);
        if (carry_forgives(doc, status))
            status = EMBER_OK;
    }
    ember_buffer_free(&file);
    return status;
}

ember_status emberi_gltf_carry_end(gltf_doc *doc, ember_model *model)
{
    const ember_read_options *options = doc->source->options;
    gltf_carried             *carried = doc->carried;
    if (carried == NULL)
        return EMBER_OK;
    carried->image_count = doc->lists[GLTF_IMAGES].count;
    ember_status status = GLTF_PUSH_MODEL(doc, &carried->images, gltf_bytes, carried->image_count);
    for (uint32_t i = 0; status == EMBER_OK && i < carried->image_count; i++)
        status = carry_image(doc, &carried->images[i], i);
    carried->clip_count = model->clip_count;
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &carried->clips, gltf_carried_clip, carried->clip_count);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < carried->clip_count; i++) {
        carried->clips[i].name = model->clips[i].name;
        carried->clips[i].in_time = doc->starts[i] == 0.0 && options->start_s == 0.0 && options->end_s == 0.0;
    }
    carried->skeleton = model->skeleton;
    carried->meshes = model->meshes;
    carried->mesh_count = model->mesh_count;
    carried->left_out = model->left_out;
    model->left_out = NULL;
    model->carried = (ember_carried){EMBER_FORMAT_GLTF, carried};
    return EMBER_OK;
}
