/* SPDX-License-Identifier: MIT */
/* glTF 2.0, written: nodes and a skin from the skeleton, an animation per clip, the meshes or a
   picture of the bones. The same model gives the same bytes; Khronos' validator finds nothing to
   complain about in them. */
#include "format/gltf/write/gltf_write.h"

#include <string.h>

#include "base/bytes.h"
#include "base/maths.h"
#include "ember/pose.h"
#include "format/gltf/write/gltf_write_parts.h"
#include "model/skeleton.h"

#define GLB_HEADER_SIZE 12u
#define GLB_CHUNK_SIZE 8u

/* ---- containers ---- */

/* The buffer as a data URI, ended by 0; NULL if there is no memory. */
static const char *write_base64(ember_buffer *text, const ember_buffer *bytes)
{
    static const char prefix[] = "data:application/octet-stream;base64,";
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t            size = (bytes->size + 2) / 3 * 4;
    if (!ember_buffer_append(text, prefix, sizeof(prefix) - 1))
        return NULL;
    char *room = (char *)ember_buffer_grow(text, size + 1);
    if (room == NULL)
        return NULL;
    for (size_t i = 0; i < bytes->size; i += 3) {
        size_t   left = bytes->size - i;
        uint32_t bits = (uint32_t)bytes->data[i] << 16 | (left > 1 ? (uint32_t)bytes->data[i + 1] << 8 : 0u) |
                        (left > 2 ? bytes->data[i + 2] : 0u);
        *room++ = digits[bits >> 18];
        *room++ = digits[bits >> 12 & 63u];
        *room++ = left > 1 ? digits[bits >> 6 & 63u] : '=';
        *room++ = left > 2 ? digits[bits & 63u] : '=';
    }
    *room = '\0';
    return (const char *)text->data;
}

static ember_status write_gltf(ember_buffer *out, gltf_writer *writer)
{
    ember_buffer text = {.allocator = out->allocator};
    const char  *uri = write_base64(&text, &writer->bin);
    ember_status status = uri != NULL ? emberi_gltfw_document(out, writer, writer->options->compact, uri)
                                      : emberi_fail_memory(writer->err);
    if (status == EMBER_OK && !writer->options->compact && !ember_buffer_append(out, "\n", 1))
        status = emberi_fail_memory(writer->err);
    ember_buffer_free(&text);
    return status;
}

/* Chunks are padded to multiples of 4: the document with spaces, the buffer with zeros. */
static ember_status write_chunk(ember_buffer *out, const ember_buffer *bytes, uint32_t kind, uint8_t padding,
                                ember_error *err)
{
    size_t   size = (bytes->size + 3) / 4 * 4;
    uint8_t *room = ember_buffer_grow(out, GLB_CHUNK_SIZE + size);
    if (room == NULL)
        return emberi_fail_memory(err);
    emberi_put_u32(room, (uint32_t)size);
    emberi_put_u32(room + 4, kind);
    if (bytes->size != 0)
        memcpy(room + GLB_CHUNK_SIZE, bytes->data, bytes->size);
    memset(room + GLB_CHUNK_SIZE + bytes->size, padding, size - bytes->size);
    return EMBER_OK;
}

ember_status emberi_glb_join(ember_buffer *out, const ember_buffer *text, const ember_buffer *bin,
                             ember_error *err)
{
    size_t start = out->size;
    if ((uint64_t)text->size + bin->size + 64 > UINT32_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "the file would have more than 4 GiB");
    if (ember_buffer_grow(out, GLB_HEADER_SIZE) == NULL)
        return emberi_fail_memory(err);
    ember_status status = write_chunk(out, text, 0x4e4f534au, ' ', err); /* "JSON" */
    if (status == EMBER_OK && bin->size != 0)
        status = write_chunk(out, bin, 0x004e4942u, 0, err); /* "BIN" */
    if (status != EMBER_OK)
        return status;
    uint8_t *header = out->data + start;
    emberi_put_u32(header, 0x46546c67u); /* "glTF" */
    emberi_put_u32(header + 4, 2);
    emberi_put_u32(header + 8, (uint32_t)(out->size - start));
    return EMBER_OK;
}

static ember_status write_glb(ember_buffer *out, gltf_writer *writer)
{
    ember_buffer text = {.allocator = out->allocator};
    ember_status status = emberi_gltfw_document(&text, writer, true, NULL);
    if (status == EMBER_OK)
        status = emberi_glb_join(out, &text, &writer->bin, writer->err);
    ember_buffer_free(&text);
    return status;
}

/* ---- the writer ---- */

static ember_status write_inverse_binds(gltf_writer *writer)
{
    const ember_skeleton *skeleton = &writer->model->skeleton;
    uint32_t              view, count = skeleton->bone_count;
    writer->inverse_binds = GLTF_NONE;
    if (count == 0)
        return EMBER_OK;
    ember_mat34 *binds = EMBER_PUSH(&writer->scratch, ember_mat34, count);
    ember_mat44 *columns = EMBER_PUSH(&writer->scratch, ember_mat44, count);
    if (binds == NULL || columns == NULL)
        return emberi_fail_memory(writer->err);
    uint32_t failed = emberi_skeleton_inverse_binds(binds, skeleton, writer->rest);
    if (failed != 0)
        emberi_notef(&writer->options->notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%u bones have a scale of zero at rest: their inverse binds are identity",
                     (unsigned)failed);
    for (uint32_t i = 0; i < count; i++) {
        columns[i] = ember_mat44_from_mat34(&binds[i]);
        for (int k = 0; k < 12; k++)
            if (!emberi_is_finite(binds[i].m[k]))
                return emberi_fail_at(writer->err, EMBER_E_RANGE, emberi_place_bone(skeleton, i),
                                      "its inverse bind is not finite");
    }
    ember_status status = emberi_gltfw_view_begin(writer, 0, &view);
    if (status == EMBER_OK)
        status = emberi_gltfw_floats(writer, view, columns[0].m, count, 16, false, &writer->inverse_binds);
    if (status == EMBER_OK)
        emberi_gltfw_view_end(writer, view);
    return status;
}

static void writer_free(gltf_writer *writer)
{
    ember_buffer *const buffers[] = {&writer->bin,       &writer->views,      &writer->accessors,
                                     &writer->channels,  &writer->animations, &writer->times,
                                     &writer->materials, &writer->images,     &writer->meshes};
    for (size_t i = 0; i < sizeof(buffers) / sizeof(buffers[0]); i++)
        ember_buffer_free(buffers[i]);
    ember_arena_free(&writer->scratch);
}

static ember_status writer_fill(gltf_writer *writer)
{
    ember_status status = emberi_gltfw_rest(writer);
    if (status == EMBER_OK)
        status = write_inverse_binds(writer);
    if (status == EMBER_OK)
        status = emberi_gltfw_clips(writer);
    if (status == EMBER_OK)
        status = emberi_gltfw_meshes(writer);
    if (status == EMBER_OK && writer->bin.size == 0)
        status =
            emberi_failf(writer->err, EMBER_E_ARG, EMBER_NO_OFFSET, "the model has neither bones nor meshes");
    return status;
}

static ember_status writer_run(ember_buffer *out, const ember_model *model,
                               const ember_write_options *options, ember_error *err, bool glb)
{
    ember_buffer               empty = {.allocator = out->allocator};
    gltf_writer                writer = {.model = model,
                                         .options = options,
                                         .err = err,
                                         .scratch = ember_arena_growing(out->allocator, 0),
                                         .bin = empty,
                                         .views = empty,
                                         .accessors = empty,
                                         .channels = empty,
                                         .animations = empty,
                                         .times = empty,
                                         .materials = empty,
                                         .images = empty,
                                         .meshes = empty};
    const struct gltf_carried *carried = emberi_gltfw_carried_of(model, &options->notes);
    ember_status               status =
        carried != NULL ? emberi_gltfw_carried_fill(&writer, carried) : writer_fill(&writer);
    if (status == EMBER_OK)
        status = glb ? write_glb(out, &writer) : write_gltf(out, &writer);
    writer_free(&writer);
    return status;
}

ember_status emberi_gltf_write(ember_buffer *out, const ember_model *model,
                               const ember_write_options *options, ember_error *err)
{
    return writer_run(out, model, options, err, false);
}

ember_status emberi_glb_write(ember_buffer *out, const ember_model *model, const ember_write_options *options,
                              ember_error *err)
{
    return writer_run(out, model, options, err, true);
}
