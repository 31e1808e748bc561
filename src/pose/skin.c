/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of a range of vertices. Strides, alignment and every joint are checked before the
   first vertex is written. */
#include "base/bytes.h"
#include "base/check.h"
#include "pose/kernels/kernels.h"

#define SKIN_VEC3_SIZE 12u

static void skin_default(size_t *stride, size_t size)
{
    if (*stride == 0)
        *stride = size;
}

static size_t skin_weight_size(const ember_skin_job *job)
{
    return job->weights_kind == EMBER_WEIGHTS_F32 ? sizeof(float) : 1;
}

static size_t skin_joint_size(const ember_skin_job *job)
{
    return job->joints_kind == EMBER_JOINTS_U8 ? 1 : sizeof(uint16_t);
}

static void skin_fill_defaults(ember_skin_job *job)
{
    skin_default(&job->positions_stride, SKIN_VEC3_SIZE);
    skin_default(&job->normals_stride, SKIN_VEC3_SIZE);
    skin_default(&job->out_positions_stride, SKIN_VEC3_SIZE);
    skin_default(&job->out_normals_stride, SKIN_VEC3_SIZE);
    skin_default(&job->joints_stride, 4 * skin_joint_size(job));
    skin_default(&job->weights_stride, 4 * skin_weight_size(job));
}

/* Three floats per vertex. */
static bool skin_stream_is_right(const float *stream, size_t stride)
{
    return stream != NULL && stride >= SKIN_VEC3_SIZE && ((uintptr_t)stream | stride) % sizeof(float) == 0;
}

static bool skin_streams_are_right(const ember_skin_job *job)
{
    if (!skin_stream_is_right(job->positions, job->positions_stride) ||
        !skin_stream_is_right(job->out_positions, job->out_positions_stride))
        return false;
    if ((job->normals == NULL) != (job->out_normals == NULL))
        return false;
    return job->normals == NULL || (skin_stream_is_right(job->normals, job->normals_stride) &&
                                    skin_stream_is_right(job->out_normals, job->out_normals_stride));
}

/* So many elements per vertex, side by side. */
static bool skin_elements_are_right(const void *stream, size_t stride, uint32_t count, size_t size)
{
    return stream != NULL && stride >= count * size && ((uintptr_t)stream | stride) % size == 0;
}

static bool skin_influences_are_right(const ember_skin_job *job)
{
    if (job->influences > 4)
        return false;
    if (job->influences == 0)
        return true;
    if (job->joints_kind != EMBER_JOINTS_U8 && job->joints_kind != EMBER_JOINTS_U16)
        return false;
    if (!skin_elements_are_right(job->joints, job->joints_stride, job->influences, skin_joint_size(job)))
        return false;
    if (job->influences == 1)
        return true;
    if (job->weights_kind != EMBER_WEIGHTS_F32 && job->weights_kind != EMBER_WEIGHTS_UNORM8)
        return false;
    return skin_elements_are_right(job->weights, job->weights_stride, job->influences, skin_weight_size(job));
}

/* The joints of one vertex as the bytes of a word; absent ones are 0. */
static uint32_t skin_joints(const uint8_t *joints, uint32_t influences)
{
    uint32_t word = 0;
    for (uint32_t k = 0; k < influences; k++)
        word |= (uint32_t)joints[k] << 8 * k;
    return word;
}

/* All four at once: what is added to a byte carries out of it if the joint is beyond the palette. */
EMBERI_INLINE uint32_t skin_carried(uint32_t word, uint32_t palette_count)
{
    const uint32_t step = (256u - palette_count) * 0x00010001u;
    return (((word & 0x00ff00ffu) + step) | ((word >> 8 & 0x00ff00ffu) + step)) & 0x01000100u;
}

/* Joints in words of their own or between other data, at least four bytes apart: whole words are read but for
   the last vertex, whose word may not be there. */
EMBERI_INLINE uint32_t skin_words_carried(const ember_skin_job *job, size_t stride)
{
    const uint32_t mask = job->influences == 4 ? UINT32_MAX : (1u << 8 * job->influences) - 1u,
                   palette_count = job->palette_count;
    const uint8_t *joints = job->joints;
    const size_t   last = job->vertex_count - 1;
    uint32_t       carried = 0;
    for (size_t i = 0; i < last; i++)
        carried |= skin_carried(emberi_get_u32(joints + i * stride) & mask, palette_count);
    return carried | skin_carried(skin_joints(joints + last * stride, job->influences), palette_count);
}

static bool skin_bytes_are_in(const ember_skin_job *job)
{
    const uint8_t *joints = job->joints;
    uint32_t       carried = 0;
    if (job->palette_count > 255) /* no byte goes beyond */
        return true;
    if (job->joints_stride == job->influences) /* nothing between them */
        return emberi_kernels_used()->largest_byte(joints, job->vertex_count * job->joints_stride) <
               job->palette_count;
    if (job->joints_stride == 4)
        carried = skin_words_carried(job, 4);
    else if (job->joints_stride > 4)
        carried = skin_words_carried(job, job->joints_stride);
    else
        for (size_t i = 0; i < job->vertex_count; i++)
            carried |= skin_carried(skin_joints(joints + i * job->joints_stride, job->influences),
                                    job->palette_count);
    return carried == 0;
}

static bool skin_shorts_are_in(const ember_skin_job *job)
{
    const uint16_t *joints = job->joints;
    const size_t    step = job->joints_stride / sizeof(*joints);
    uint32_t        largest = 0;
    if (step == job->influences)
        return emberi_kernels_used()->largest_short(joints, job->vertex_count * step) < job->palette_count;
    for (size_t i = 0; i < job->vertex_count; i++)
        for (uint32_t k = 0; k < job->influences; k++)
            largest = joints[i * step + k] > largest ? joints[i * step + k] : largest;
    return largest < job->palette_count;
}

static bool skin_joints_are_in(const ember_skin_job *job)
{
    if (job->influences == 0)
        return true;
    return job->joints_kind == EMBER_JOINTS_U8 ? skin_bytes_are_in(job) : skin_shorts_are_in(job);
}

ember_status ember_skin_run(const ember_skin_job *job)
{
    EMBERI_ASSERT(job != NULL);
    if (job->vertex_count == 0)
        return EMBER_OK;
    ember_skin_job full = *job;
    ember_mat44    one;
    if (job->rigid != NULL) {
        one = ember_mat44_from_mat34(job->rigid);
        full.palette = &one;
        full.palette_count = 1;
        full.influences = full.rigid_bone = 0;
    }
    skin_fill_defaults(&full);
    if (full.palette == NULL || full.rigid_bone >= full.palette_count || !skin_streams_are_right(&full) ||
        !skin_influences_are_right(&full))
        return EMBER_E_ARG;
    if (!skin_joints_are_in(&full))
        return EMBER_E_RANGE;
    emberi_kernels_used()->skin(&full);
    return EMBER_OK;
}
