/* SPDX-License-Identifier: MIT */
/* What keys are worth: read back and held against the frames they were made from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "format/animbin/animbin_parts.h"

/* From here on a loss of precision is worth a word: a thousandth of the model's size. */
#define MEASURE_LIMIT 1e-3

ember_status emberi_animbin_measure(ember_compare_job *out, const emberi_animbin_work *work,
                                    const emberi_animbin_raw *raw, float shell)
{
    const emberi_animbin_make_job *job = work->job;
    emberi_animbin_slots           slots = emberi_animbin_slots_of(work->clip);
    size_t                         count = (size_t)work->bone_count * work->frame_count;
    ember_arena_mark               mark = ember_arena_save(job->arena);
    ember_transform               *read = EMBER_PUSH(job->arena, ember_transform, count);
    *out = (ember_compare_job){.max = 0.0};
    if (read == NULL)
        return emberi_fail_memory(job->err);
    if (count != 0)
        memcpy(read, work->local, count * sizeof(*read));
    for (uint32_t i = 0; i < raw->track_count; i++) {
        const emberi_animbin_track *track = &raw->tracks[i];
        int16_t                     slot = slots.of[track->joint];
        emberi_animbin_sample_track(read + slot, work->bone_count, work->frame_count, track, track->type,
                                    &job->view, work->root[slot]);
    }
    ember_clip source = *work->clip, stored;
    source.space = EMBER_SPACE_LOCAL;
    source.frames = work->local;
    stored = source;
    stored.frames = read;
    *out = (ember_compare_job){.a_model = job->model,
                               .b_model = job->model,
                               .a = &source,
                               .b = &stored,
                               .shell = shell};
    ember_status status = ember_compare_run(out, job->arena, job->err);
    out->a = out->b = NULL; /* they end here */
    ember_arena_restore(job->arena, mark);
    return status;
}

/* The unit with which rounding positions costs half of what is worth a word, or the skeleton's where that is
   finer, so that all clips of a file get the same advice: 0 if positions are not what it comes from. */
static ember_status measure_better_unit(double *out, const emberi_animbin_work *work,
                                        const emberi_animbin_raw *raw, const ember_compare_job *found)
{
    emberi_animbin_raw rotations = *raw;
    ember_compare_job  without;
    double             limit = (double)found->size * MEASURE_LIMIT, suits = 0.0;
    *out = 0.0;
    rotations.track_count = (uint16_t)work->bone_count; /* positions come behind them */
    if (raw->track_count == rotations.track_count || !isfinite(found->max))
        return EMBER_OK;
    ember_status status = emberi_animbin_measure(&without, work, &rotations, 0.0f);
    if (status != EMBER_OK || without.max > limit)
        return status;
    *out = work->job->view.unit;
    double part = found->max;
    while (part > limit / 2.0) {
        part /= 2.0;
        *out *= 2.0;
    }
    if (work->job->model->skeleton.rest != NULL)
        status = emberi_animbin_unit_by_skeleton(&suits, &work->job->model->skeleton, work->job->arena,
                                                 work->job->err);
    *out = suits > *out ? suits : *out;
    return status;
}

ember_status emberi_animbin_note_error(const emberi_animbin_work *work, const emberi_animbin_raw *raw)
{
    const emberi_animbin_make_job *job = work->job;
    const ember_notes             *notes = &job->options->notes;
    ember_compare_job              found;
    double                         unit = 0.0;
    char                           advice[64] = "";
    if (notes->take == NULL || work->bone_count == 0)
        return EMBER_OK;
    ember_status status = emberi_animbin_measure(&found, work, raw, 0.0f);
    bool         is_much = found.size > 0.0f && found.max > (double)found.size * MEASURE_LIMIT;
    if (status == EMBER_OK && is_much)
        status = measure_better_unit(&unit, work, raw, &found);
    if (status != EMBER_OK)
        return status;
    if (unit > 0.0)
        snprintf(advice, sizeof(advice), "; a unit of %.0f is fine enough", unit);
    emberi_quoted bone =
        emberi_quote_bone(&job->model->skeleton, ember_clip_bone(work->clip, found.max_bone));
    if (is_much)
        emberi_notef(notes, EMBER_NOTE_WARNING, work->clip->name, NULL,
                     "rounding leaves bone %s off by %.2g %% of the model's size, on frame %u%s", bone.text,
                     100.0 * found.max / (double)found.size, (unsigned)found.max_frame, advice);
    else
        emberi_notef(notes, EMBER_NOTE_DETAIL, work->clip->name, NULL,
                     "max error %.3g in a size of %.3g, at bone %s, frame %u", found.max, (double)found.size,
                     bone.text, (unsigned)found.max_frame);
    return EMBER_OK;
}
