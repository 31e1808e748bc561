/* SPDX-License-Identifier: MIT */
/* Writing Emberware Z meshes, packed as a ROM holds them or as plain floats. What the format cannot hold is
   an error that says how much there is, or a note that says what became of it. */
#include <string.h>

#include "base/bytes.h"
#include "base/maths.h"
#include "ember/format_options.h"
#include "format/mesh/ewzmesh.h"

typedef struct ewzmesh_out {
    const ember_mesh *mesh;
    uint8_t           format;
    bool              packed;
    float (*uvs)[2];
    uint32_t zero_normals, odd_weights;
    bool     alpha_lost;
    float    error; /* the largest step from a position to the half float beside it */
} ewzmesh_out;

/* ---- what does not fit ---- */

static ember_status ewzmesh_check_mesh(const ember_mesh *mesh, const ember_skeleton *skeleton, bool packed,
                                       ember_error *err)
{
    emberi_quoted name = emberi_quote(mesh->name);
    if (mesh->vertex_count == 0 || mesh->vertex_count > 65535u)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "mesh %s has %u vertices, must be 1 to 65535", name.text,
                            (unsigned)mesh->vertex_count);
    if (mesh->index_count == 0)
        return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "mesh %s has no triangles", name.text);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        ember_vec3 p = mesh->positions[i];
        float      most = emberi_max(emberi_max(emberi_abs(p.x), emberi_abs(p.y)), emberi_abs(p.z));
        if (!emberi_is_finite(p.x) || !emberi_is_finite(p.y) || !emberi_is_finite(p.z) ||
            (packed && most >= 65520.0f))
            return emberi_failf(err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                                "mesh %s: vertex %u is at (%g, %g, %g), %s", name.text, (unsigned)i,
                                (double)p.x, (double)p.y, (double)p.z,
                                packed ? "half floats end at 65504" : "which is not finite");
    }
    if (mesh->joints == NULL && mesh->bone > 255)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "mesh %s follows bone %s, number %d: at most 255 is possible", name.text,
                            emberi_quote_bone(skeleton, (uint32_t)mesh->bone).text, (int)mesh->bone);
    for (uint32_t i = 0; mesh->joints != NULL && i < mesh->vertex_count; i++)
        for (int k = 0; k < 4; k++)
            if (mesh->weights[i][k] > 0.0f && mesh->joints[i][k] > 255)
                return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                                    "mesh %s: vertex %u follows bone %u: at most 255 is possible", name.text,
                                    (unsigned)i, (unsigned)mesh->joints[i][k]);
    return EMBER_OK;
}

static ember_status ewzmesh_check_floats(const ember_mesh *mesh, ember_error *err)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        bool good = true;
        if (mesh->normals != NULL)
            good = emberi_is_finite(mesh->normals[i].x) && emberi_is_finite(mesh->normals[i].y) &&
                   emberi_is_finite(mesh->normals[i].z);
        for (int k = 0; k < 4; k++) {
            good = good && (mesh->tangents == NULL || emberi_is_finite(mesh->tangents[i][k]));
            good = good && (mesh->colors == NULL || emberi_is_finite(mesh->colors[i][k]));
            good = good && (mesh->uvs == NULL || k >= 2 || emberi_is_finite(mesh->uvs[i][k % 2]));
        }
        if (!good)
            return emberi_failf(err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                                "mesh %s: vertex %u: a number is not finite", emberi_quote(mesh->name).text,
                                (unsigned)i);
    }
    return EMBER_OK;
}

/* ---- vertices ---- */

static uint8_t *ewzmesh_put_floats(uint8_t *to, const float *values, int count)
{
    for (int i = 0; i < count; i++)
        emberi_put_u32(to + i * 4, emberi_bits_of(values[i]));
    return to + count * 4;
}

static uint8_t *ewzmesh_put_position(ewzmesh_out *out, uint8_t *to, ember_vec3 p)
{
    const float values[4] = {p.x, p.y, p.z, 1.0f};
    if (!out->packed)
        return ewzmesh_put_floats(to, values, 3);
    for (int i = 0; i < 4; i++) {
        uint16_t half = ember_f16_from_f32(values[i]);
        out->error = emberi_max(emberi_abs(ember_f32_from_f16(half) - values[i]), out->error);
        emberi_put_u16(to + i * 2, half);
    }
    return to + 8;
}

static uint8_t *ewzmesh_put_color(ewzmesh_out *out, uint8_t *to, const float color[4])
{
    if (!out->packed) {
        out->alpha_lost = out->alpha_lost || color[3] < 1.0f;
        return ewzmesh_put_floats(to, color, 3);
    }
    for (int i = 0; i < 4; i++)
        to[i] = emberi_unorm8(color[i]);
    return to + 4;
}

static uint8_t *ewzmesh_put_normal(ewzmesh_out *out, uint8_t *to, ember_vec3 n)
{
    const float values[3] = {n.x, n.y, n.z};
    out->zero_normals += n.x == 0.0f && n.y == 0.0f && n.z == 0.0f ? 1u : 0u;
    if (!out->packed)
        return ewzmesh_put_floats(to, values, 3);
    emberi_put_u32(to, emberi_oct_encode(n));
    return to + 4;
}

static uint8_t *ewzmesh_put_skin(ewzmesh_out *out, uint8_t *to, uint32_t vertex)
{
    uint16_t joints[4];
    float    weights[4];
    memcpy(joints, out->mesh->joints[vertex], sizeof(joints));
    memcpy(weights, out->mesh->weights[vertex], sizeof(weights));
    out->odd_weights += emberi_weights_tidy(joints, weights) ? 0u : 1u;
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)joints[i];
    if (!out->packed)
        return ewzmesh_put_floats(to + 4, weights, 4);
    emberi_weights_encode(to + 4, weights);
    /* A weight that rounds to nothing leaves no bone behind. */
    for (int i = 0; i < 4; i++)
        if (to[4 + i] == 0)
            to[i] = 0;
    return to + 8;
}

static uint8_t *ewzmesh_put_vertex(ewzmesh_out *out, uint8_t *to, uint32_t i)
{
    const ember_mesh *mesh = out->mesh;
    to = ewzmesh_put_position(out, to, mesh->positions[i]);
    if ((out->format & EWZMESH_UV) != 0 && !out->packed)
        to = ewzmesh_put_floats(to, mesh->uvs[i], 2);
    if ((out->format & EWZMESH_UV) != 0 && out->packed) {
        emberi_put_u16(to, emberi_unorm16(out->uvs[i][0]));
        emberi_put_u16(to + 2, emberi_unorm16(out->uvs[i][1]));
        to += 4;
    }
    if ((out->format & EWZMESH_COLOR) != 0)
        to = ewzmesh_put_color(out, to, mesh->colors[i]);
    if ((out->format & EWZMESH_NORMAL) != 0)
        to = ewzmesh_put_normal(out, to, mesh->normals[i]);
    if ((out->format & EWZMESH_TANGENT) != 0 && !out->packed)
        to = ewzmesh_put_floats(to, mesh->tangents[i], 4);
    if ((out->format & EWZMESH_TANGENT) != 0 && out->packed) {
        emberi_put_u32(to, emberi_oct_encode_tangent(mesh->tangents[i]));
        to += 4;
    }
    if ((out->format & EWZMESH_SKINNED) != 0)
        to = ewzmesh_put_skin(out, to, i);
    return to;
}

static ember_status ewzmesh_put(ewzmesh_out *out, ember_buffer *buffer, ember_error *err)
{
    const ember_mesh *mesh = out->mesh;
    size_t            stride = emberi_ewzmesh_stride(out->format, out->packed);
    uint8_t          *to = ember_buffer_grow(buffer, EWZMESH_HEADER_SIZE + mesh->vertex_count * stride +
                                                         (size_t)mesh->index_count * 2);
    bool              rigid = mesh->joints == NULL && mesh->bone >= 0;
    if (to == NULL)
        return emberi_fail_memory(err);
    emberi_put_u32(to, mesh->vertex_count);
    emberi_put_u32(to + 4, mesh->index_count);
    to[8] = out->format;
    to[9] = rigid ? 1 : 0;
    to[10] = rigid ? (uint8_t)mesh->bone : (uint8_t)0;
    to[11] = 0;
    to += EWZMESH_HEADER_SIZE;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        to = ewzmesh_put_vertex(out, to, i);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        emberi_put_u16(to + (size_t)i * 2, (uint16_t)mesh->indices[i]);
    return EMBER_OK;
}

/* ---- notes ---- */

static void ewzmesh_note_losses(const ember_notes *notes, const ember_model *model, const ewzmesh_out *out)
{
    const ember_mesh *mesh = out->mesh;
    const float      *color = mesh->base_color;
    if (model->clip_count != 0)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL,
                     model->clip_count == 1 ? "%u clip is not stored" : "%u clips are not stored",
                     (unsigned)model->clip_count);
    if (mesh->texture != NULL)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL, "the texture is not stored");
    if (color[0] != 1.0f || color[1] != 1.0f || color[2] != 1.0f || color[3] != 1.0f)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL, "the base colour is not stored");
    if (mesh->tangents != NULL && (out->format & EWZMESH_TANGENT) == 0)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "tangents are not stored: there are no normals with them");
    if (out->alpha_lost)
        emberi_notef(notes, EMBER_NOTE_LOSS, NULL, NULL,
                     "the alpha of colours is not stored in vertices of floats");
}

static void ewzmesh_note(const ember_notes *notes, const ember_model *model, const ewzmesh_out *out,
                         const emberi_uv_moves *moves)
{
    const ember_mesh *mesh = out->mesh;
    ewzmesh_note_losses(notes, model, out);
    if (moves->wrapped != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "texture coordinates of %u vertices are moved into 0..1 by whole numbers",
                     (unsigned)moves->wrapped);
    if (moves->clamped != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "texture coordinates of %u vertices leave 0..1 and are clamped",
                     (unsigned)moves->clamped);
    if (out->zero_normals != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL, "%u normals have no direction",
                     (unsigned)out->zero_normals);
    if (out->odd_weights != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL,
                     "%u vertices have no weights: the first joint gets them", (unsigned)out->odd_weights);
    if (mesh->joints == NULL && mesh->bone >= 0)
        emberi_notef(notes, EMBER_NOTE_DETAIL, NULL, NULL,
                     "rigid on bone %s: %u vertices without joints and weights save %zu bytes",
                     emberi_quote_bone(&model->skeleton, (uint32_t)mesh->bone).text,
                     (unsigned)mesh->vertex_count, (size_t)mesh->vertex_count * (out->packed ? 8u : 20u));
    if (out->packed)
        emberi_notef(notes, EMBER_NOTE_DETAIL, NULL, NULL, "positions are rounded by %g at the most",
                     (double)out->error);
}

ember_status emberi_ewzmesh_write(ember_buffer *buffer, const ember_model *model,
                                  const ember_write_options *options, ember_error *err)
{
    if (model->mesh_count != 1)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "Emberware Z mesh holds exactly one mesh, here are %u",
                            (unsigned)model->mesh_count);
    const ember_mesh *mesh = &model->meshes[0];
    ewzmesh_out       out = {.mesh = mesh, .packed = options->ewzmesh == NULL || !options->ewzmesh->unpacked};
    emberi_uv_moves   moves = {0, 0};
    ember_status      status = ewzmesh_check_mesh(mesh, &model->skeleton, out.packed, err);
    if (status == EMBER_OK)
        status = ewzmesh_check_floats(mesh, err);
    if (status != EMBER_OK)
        return status;
    out.format =
        (uint8_t)((mesh->uvs != NULL ? EWZMESH_UV : 0u) | (mesh->colors != NULL ? EWZMESH_COLOR : 0u) |
                  (mesh->normals != NULL ? EWZMESH_NORMAL : 0u) |
                  (mesh->joints != NULL ? EWZMESH_SKINNED : 0u) |
                  (mesh->tangents != NULL && mesh->normals != NULL ? EWZMESH_TANGENT : 0u));
    ember_arena scratch = ember_arena_growing(buffer->allocator, 0);
    if (mesh->uvs != NULL && out.packed) {
        out.uvs = ember_arena_push(&scratch, mesh->vertex_count, sizeof(*out.uvs), _Alignof(float));
        if (out.uvs == NULL || !emberi_uv_fit(out.uvs, &moves, mesh, &scratch))
            status = emberi_fail_memory(err);
    }
    if (status == EMBER_OK)
        status = ewzmesh_put(&out, buffer, err);
    if (status == EMBER_OK)
        ewzmesh_note(&options->notes, model, &out, &moves);
    ember_arena_free(&scratch);
    return status;
}
