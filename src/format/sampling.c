/* SPDX-License-Identifier: MIT */
/* What formats that hold curves share: the part of a clip that the options ask for, and the frame that a loop
   has too many. */
#include "base/real.h"
#include "format/ops.h"

/* How nearly a last frame must repeat the first to be dropped: of the largest length, of 1, and 1 - cos(0.1
   degrees / 2). */
#define SEAM_POSITION 1e-3
#define SEAM_SCALE 1e-3
#define SEAM_ROTATION 3.8e-7

ember_status emberi_sampling_check(const emberi_source *source)
{
    double start = source->options->start_s, end = source->options->end_s;
    if (!(start >= 0.0) || !(end >= 0.0) || !(start < 1e9) || !(end < 1e9) || (end != 0.0 && start >= end))
        return emberi_failf(source->err, EMBER_E_ARG, EMBER_NO_OFFSET, "the range %g:%g is none", start, end);
    return EMBER_OK;
}

ember_status emberi_sampling_cut(const emberi_source *source, double *start, double *end, emberi_place place)
{
    const ember_read_options *options = source->options;
    double                    first = *start, last = *end;
    if (options->end_s > 0.0 && first + options->end_s < last)
        *end = first + options->end_s;
    *start = first + options->start_s;
    if (*start > last)
        return emberi_fail_at(source->err, EMBER_E_ARG, place,
                              "it lasts %g s and ends before the range begins", last - first);
    return EMBER_OK;
}

/* ---- the seam of a loop ---- */

static double length_of(ember_vec3 v) { return emberi_real_length((double)v.x, (double)v.y, (double)v.z); }

static ember_vec3 difference(ember_vec3 a, ember_vec3 b)
{
    return (ember_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static bool frames_repeat(const ember_transform *a, const ember_transform *b, uint32_t bone_count)
{
    double size = 0.0;
    for (uint32_t i = 0; i < bone_count; i++)
        size = length_of(a[i].position) > size ? length_of(a[i].position) : size;
    for (uint32_t i = 0; i < bone_count; i++) {
        double qa[4], qb[4];
        emberi_real_quat_from(qa, a[i].rotation);
        emberi_real_quat_from(qb, b[i].rotation);
        double dot = emberi_real_quat_dot(qa, qb);
        if (length_of(difference(a[i].position, b[i].position)) > size * SEAM_POSITION ||
            length_of(difference(a[i].scale, b[i].scale)) > SEAM_SCALE ||
            1.0 - (dot < 0.0 ? -dot : dot) > SEAM_ROTATION)
            return false;
    }
    return true;
}

uint32_t emberi_sampling_close_loop(const emberi_source *source, const char *clip,
                                    const ember_transform *frames, uint32_t count, uint32_t bone_count)
{
    const ember_notes *notes = &source->options->notes;
    uint32_t           last = count - 1;
    if (!source->options->loop || last == 0)
        return count;
    if (!frames_repeat(frames, frames + (size_t)last * bone_count, bone_count)) {
        emberi_notef(notes, EMBER_NOTE_WARNING, clip, NULL,
                     "the last frame is not the first again: the loop keeps it");
        return count;
    }
    emberi_notef(notes, EMBER_NOTE_DETAIL, clip, NULL, "the last frame repeats the first and is dropped");
    return last;
}
