/* SPDX-License-Identifier: MIT */
/* Decoding 16-byte keyframes, one frame or two in a mix. Any bytes decode; sizes are checked before the first
   one is read. */
#include "base/check.h"
#include "pose/kernels/kernels.h"

static bool decode_frame_fits(const uint8_t *frame, size_t size, uint32_t bone_count)
{
    return (frame != NULL || bone_count == 0) && size / EMBER_KEYFRAME_SIZE >= bone_count;
}

ember_status ember_decode_run(const ember_decode_job *job)
{
    EMBERI_ASSERT(job != NULL);
    const size_t count = job->bone_count;
    if ((job->out == NULL && count != 0) || job->out_count < count ||
        !decode_frame_fits(job->frame, job->frame_size, job->bone_count))
        return EMBER_E_ARG;
    if (job->next != NULL && (!decode_frame_fits(job->next, job->next_size, job->bone_count) ||
                              !(job->t >= 0.0f && job->t <= 1.0f)))
        return EMBER_E_ARG;

    /* At the ends the frame is what it is, without the rounding of a mix. */
    const emberi_kernels *kernels = emberi_kernels_used();
    if (job->next == NULL || job->t == 0.0f)
        kernels->decode(job->out, job->frame, count);
    else if (job->t == 1.0f)
        kernels->decode(job->out, job->next, count);
    else
        kernels->decode_lerp(job->out, job->frame, job->next, job->t, count);
    return EMBER_OK;
}
