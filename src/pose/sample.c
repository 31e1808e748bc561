/* SPDX-License-Identifier: MIT */
/* The pose of a clip at a time: which two frames, how far between them, then the decoding of both. Times may
   be any finite number. */
#include "base/check.h"
#include "base/maths.h"
#include "base/sizes.h"
#include "ember/pose.h"

/* From here on a double has no fraction left. */
#define SAMPLE_WHOLE 4503599627370496.0 /* 2^52 */

static double sample_floor(double x)
{
    if (!(x > -SAMPLE_WHOLE && x < SAMPLE_WHOLE))
        return x;
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1.0 : whole;
}

/* The place on the clip's own line of frames: 0..frame_count - 1 if clamped, below frame_count if looping. So
   far out that the rounding is larger than the clip, a loop starts over. */
static double sample_place(double place, double frame_count, bool loop)
{
    if (!loop)
        return place < 0.0 ? 0.0 : place > frame_count - 1.0 ? frame_count - 1.0 : place;
    place -= sample_floor(place / frame_count) * frame_count;
    return place >= 0.0 && place < frame_count ? place : 0.0;
}

ember_status ember_sample_locate(ember_sample_point *out, uint32_t frame_count, double fps, double time_s,
                                 bool loop)
{
    if (out == NULL || frame_count == 0 || !(fps > 0.0) || !(fps - fps == 0.0) || !(time_s - time_s == 0.0))
        return EMBER_E_ARG;

    double place = sample_place(time_s * fps, (double)frame_count, loop);
    out->frame = (uint32_t)place;
    out->next = out->frame + 1;
    out->t = (float)(place - (double)out->frame);
    if (out->next == frame_count)
        out->next = loop ? 0 : out->frame;
    if (out->next == out->frame)
        out->t = 0.0f;
    return EMBER_OK;
}

ember_status ember_sample_run(const ember_sample_job *job)
{
    ember_sample_point point;
    size_t             frame_size, all_size;
    EMBERI_ASSERT(job != NULL);
    if (job->out == NULL || job->frames == NULL || job->bone_count == 0 || job->out_count < job->bone_count)
        return EMBER_E_ARG;
    if (ember_sample_locate(&point, job->frame_count, (double)job->fps, job->time_s, job->loop) != EMBER_OK)
        return EMBER_E_ARG;
    if (!emberi_mul_size(&frame_size, EMBER_KEYFRAME_SIZE, job->bone_count) ||
        !emberi_mul_size(&all_size, frame_size, job->frame_count) || job->frames_size < all_size)
        return EMBER_E_ARG;

    ember_decode_job decode = {
        .out = job->out,
        .out_count = job->out_count,
        .frame = job->frames + frame_size * point.frame,
        .frame_size = frame_size,
        .next = job->frames + frame_size * point.next,
        .next_size = frame_size,
        .t = point.t,
        .bone_count = job->bone_count,
    };
    return ember_decode_run(&decode);
}
