/* What keys are worth: read back and held against the frames they were made from. */
#include <string.h>

#include "format/animbin.h"

/* From here on a loss of precision is worth a word: a thousandth of the model's size. */
#define MEASURE_LIMIT 1e-3

ember_status emberi_animbin_measure(ember_compare_job *out, const emberi_animbin_work *work, const emberi_animbin_raw *raw,
                                    float shell)
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
        emberi_animbin_sample_track(read + slot, work->bone_count, work->frame_count, track, track->type, &job->view,
                                    work->root[slot]);
    }
    ember_clip source = *work->clip, stored;
    source.space = EMBER_SPACE_LOCAL;
    source.frames = work->local;
    stored = source;
    stored.frames = read;
    *out = (ember_compare_job){.a_model = job->model, .b_model = job->model, .a = &source, .b = &stored, .shell = shell};
    ember_status status = ember_compare_run(out, job->arena, job->err);
    out->a = out->b = NULL; /* they end here */
    ember_arena_restore(job->arena, mark);
    return status;
}

ember_status emberi_animbin_note_error(const emberi_animbin_work *work, const emberi_animbin_raw *raw)
{
    const emberi_animbin_make_job *job = work->job;
    const ember_notes             *notes = &job->options->notes;
    ember_compare_job              found;
    bool                           any_moves = false;
    if (notes->take == NULL || work->bone_count == 0)
        return EMBER_OK;
    ember_status status = emberi_animbin_measure(&found, work, raw, 0.0f);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < work->bone_count; i++)
        any_moves = any_moves || work->moves[i];
    emberi_quoted bone = emberi_quote_bone(&job->model->skeleton, ember_clip_bone(work->clip, found.max_bone));
    if (found.size > 0.0f && found.max > (double)found.size * MEASURE_LIMIT)
        emberi_notef(notes, EMBER_NOTE_WARNING, work->clip->name, NULL,
                     "rounding leaves bone %s off by %.2g %% of the model's size, on frame %u%s", bone.text,
                     100.0 * found.max / (double)found.size, (unsigned)found.max_frame,
                     any_moves ? "; a larger unit stores positions finer" : "");
    else
        emberi_notef(notes, EMBER_NOTE_DETAIL, work->clip->name, NULL, "max error %.3g in a size of %.3g, at bone %s, frame %u",
                     found.max, (double)found.size, bone.text, (unsigned)found.max_frame);
    return EMBER_OK;
}
