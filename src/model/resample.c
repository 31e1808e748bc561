/* SPDX-License-Identifier: MIT */
/* A clip at another rate. */
#include <math.h>

#include "ember/model.h"
#include "ember/pose.h"

#define RESAMPLE_MOST_FRAMES 16777216.0

static uint32_t resample_nearest(double frame, uint32_t count)
{
    double nearest = floor(frame + 0.5);
    return nearest < (double)count ? (uint32_t)nearest : count - 1;
}

/* `at` in frames of the clip. */
static void resample_pose(ember_transform *out, const ember_clip *clip, double at)
{
    double   whole = floor(at);
    uint32_t from = (uint32_t)whole;
    uint32_t to = from + 1 < clip->frame_count ? from + 1 : clip->loop ? 0 : clip->frame_count - 1;
    float    t = (float)(at - whole);

    ember_lerp_job job = {.out = out,
                          .a = clip->frames + (size_t)from * clip->bone_count,
                          .b = clip->frames + (size_t)to * clip->bone_count,
                          .t = t,
                          .method = EMBER_BLEND_SLERP,
                          .bone_count = clip->bone_count};
    if (t == 0.0f) /* as it is, and not normalised again */
        for (uint32_t i = 0; i < clip->bone_count; i++)
            out[i] = job.a[i];
    else
        (void)ember_lerp_run(&job);
}

ember_status ember_clip_resample(ember_clip *out, const ember_clip *clip, double fps, ember_arena *arena)
{
    *out = *clip;
    if (!(fps > 0.0) || !isfinite(fps))
        return EMBER_E_ARG;
    if (clip->frame_count == 0 || !(clip->fps > 0.0))
        return EMBER_OK;
    double steps = (double)(clip->loop ? clip->frame_count : clip->frame_count - 1);
    double count = floor(steps / clip->fps * fps + 0.5) + (clip->loop ? 0.0 : 1.0);
    if (count < 1.0)
        count = 1.0;
    if (count > RESAMPLE_MOST_FRAMES)
        return EMBER_E_LIMIT;

    uint32_t         frame_count = (uint32_t)count;
    ember_transform *frames = EMBER_PUSH(arena, ember_transform, (size_t)frame_count * clip->bone_count);
    ember_marker    *markers = EMBER_PUSH(arena, ember_marker, clip->marker_count);
    if (frames == NULL || markers == NULL)
        return EMBER_E_NOMEM;
    double last = (double)(clip->frame_count - 1);
    for (uint32_t i = 0; i < frame_count && clip->bone_count != 0; i++) {
        double at = (double)i / fps * clip->fps;
        /* A frame that the rates have in common is met exactly, whatever the division leaves. */
        if (fabs(at - floor(at + 0.5)) < 1e-6)
            at = floor(at + 0.5);
        if (!clip->loop && at > last)
            at = last;
        resample_pose(frames + (size_t)i * clip->bone_count, clip, at < last + 1.0 ? at : last);
    }
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        markers[i] = clip->markers[i];
        markers[i].frame = resample_nearest((double)clip->markers[i].frame / clip->fps * fps, frame_count);
    }
    out->fps = fps;
    out->frame_count = frame_count;
    out->frames = frames;
    out->markers = markers;
    out->raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    return EMBER_OK;
}
