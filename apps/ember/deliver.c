/* SPDX-License-Identifier: MIT */
/* Writing one output. The bytes are made in memory first, so nothing is written of what cannot be
   written whole. */
#include "deliver.h"

#include <stdio.h>
#include <stdlib.h>

#include "animbin_options.h"
#include "input.h"
#include "text.h"

ember_space deliver_space(ember_format to)
{
    /* Who reads a file that does not say its space takes it to be model space. */
    if (!input_states_space(to))
        return EMBER_SPACE_MODEL;
    return to == EMBER_FORMAT_ANIMBIN || to == EMBER_FORMAT_FF7 ? EMBER_SPACE_LOCAL : EMBER_SPACE_UNSTATED;
}

bool deliver_is_slot(const ember_clip *clip, ember_format to)
{
    return clip->frame_count == 0 && clip->raw.format == EMBER_FORMAT_FF7 && to != EMBER_FORMAT_FF7 &&
           to != EMBER_FORMAT_JSON;
}

void deliver_warn_of_space(app_say *say, const char *path, const ember_model *model,
                           const space_result *result)
{
    const char *name = result->clip.name;
    const char *to = result->clip.space == EMBER_SPACE_MODEL ? "model" : "local";
    if (result->shear > SPACE_SHEAR_LIMIT) {
        place where = {path, name, NULL};
        if (result->shear_bone != SPACE_NO_BONE)
            where.bone = ember_skeleton_name(&model->skeleton, result->shear_bone);
        say_warning(say, where, "in %s space there is shear of %.1f %% (frame %u), which is left out", to,
                    (double)result->shear * 100.0, (unsigned)result->shear_frame);
    }
    if (result->lost_count != 0)
        say_warning(say, (place){path, name, ember_skeleton_name(&model->skeleton, result->lost_bone)},
                    "lost because the parent's scale is zero (frame %u, %llu times in all)",
                    (unsigned)result->lost_frame, (unsigned long long)result->lost_count);
}

static bool deliver_clips(deliver *d, ember_clip *clips, const deliver_part *part, const char *path,
                          ember_arena *arena)
{
    for (uint32_t i = 0; i < part->count; i++) {
        const ember_clip *clip = &part->model->clips[part->clips[i]];
        ember_error       err = EMBER_ERROR_INIT;
        space_result      result;
        ember_space       space = d->space == EMBER_SPACE_UNSTATED ? clip->space : d->space;
        if (space_convert(&result, part->model, clip, space, arena, &err) != EMBER_OK) {
            const char *bone =
                err.bone >= 0 ? ember_skeleton_name(&part->model->skeleton, (uint32_t)err.bone) : NULL;
            say_error(d->say, (place){part->source, clip->name, bone}, "%s", err.text);
            return false;
        }
        deliver_warn_of_space(d->say, path, part->model, &result);
        clips[i] = result.clip;
    }
    return true;
}

/* "max error 0.41 mm at hand.l frame 12". Free it. */
static char *deliver_error_text(bool is_measured, const measured *error)
{
    char length[TEXT_NUMBER_SIZE], number[24];
    if (!is_measured)
        return text_make("%s", "error not measured");
    if (error->max == 0.0)
        return text_make("%s", "exact");
    snprintf(number, sizeof(number), "bone %u", (unsigned)error->bone_index);
    return text_make("max error %s at %s frame %u", text_length(length, error->max),
                     error->bone != NULL ? error->bone : number, (unsigned)error->frame);
}

/* With -v, what the other way of rounding a local clip would have cost. */
static void deliver_compare_fits(deliver *d, const char *path, const deliver_part *part,
                                 const ember_clip *clip)
{
    char                length[TEXT_NUMBER_SIZE];
    measured            other;
    ember_model         model = *part->model;
    ember_buffer        bytes = {.allocator = ember_heap()};
    ember_write_options options = {.format = d->to->format,
                                   .record = d->writing.record,
                                   .record_set = d->writing.record_set};
    options.fit = d->writing.fit == EMBER_FIT_CLOSED ? EMBER_FIT_PLAIN : EMBER_FIT_CLOSED;
    model.clips = clip;
    model.clip_count = 1;
    if (ember_model_write(&bytes, &model, &options, NULL) == EMBER_OK &&
        measure_written(&other, part->model, &part->model->clips[part->clips[0]], clip, d->to->format,
                        bytes.data, bytes.size))
        say_detail(d->say, (place){path, NULL, NULL}, "with --fit %s the max error would be %s",
                   options.fit == EMBER_FIT_PLAIN ? "plain" : "closed", text_length(length, other.max));
    ember_buffer_free(&bytes);
}

/* The line about an output: what is in it, how big it is, what storing it cost. */
static void deliver_report(deliver *d, const char *path, const deliver_part *part, const ember_clip *clips,
                           const ember_buffer *bytes)
{
    char size[TEXT_NUMBER_SIZE];
    text_count(size, bytes->size);
    if (!d->to->one_clip) {
        if (d->say->verbose)
            say_line(d->say, "%s  %u %s  %s B", path, (unsigned)part->count,
                     part->count == 1 ? "clip" : "clips", size);
        return;
    }
    if (d->say->quiet && d->told == NULL)
        return;
    const ember_clip *source = &part->model->clips[part->clips[0]];
    delivered         what = {.path = path, .clip = &clips[0], .size = bytes->size};
    what.measured =
        measure_written(&what.error, part->model, source, &clips[0], d->to->format, bytes->data, bytes->size);
    char *error = deliver_error_text(what.measured, &what.error);
    say_line(d->say, "%s  %u %s × %u %s  %s B  %s", path, (unsigned)clips[0].bone_count,
             clips[0].bone_count == 1 ? "bone" : "bones", (unsigned)clips[0].frame_count,
             clips[0].frame_count == 1 ? "frame" : "frames", size, error);
    free(error);
    if (d->say->verbose && clips[0].space == EMBER_SPACE_LOCAL && d->to->format == EMBER_FORMAT_EWZANIM)
        deliver_compare_fits(d, path, part, &clips[0]);
    if (d->told != NULL)
        d->told(d->user, &what);
}

bool deliver_make(deliver *d, const char *name, const deliver_part *part, ember_arena *arena,
                  ember_buffer *bytes, const ember_clip **made)
{
    say_listener listener = {d->say, name, d->to->one_clip};
    ember_error  err = EMBER_ERROR_INIT;
    ember_clip  *clips = EMBER_PUSH(arena, ember_clip, part->count);
    *made = clips;
    if (clips == NULL)
        return say_error(d->say, (place){name, NULL, NULL}, "out of memory"), false;
    if (!deliver_clips(d, clips, part, name, arena))
        return false;

    ember_model         model = *part->model;
    ember_write_options options = d->writing;
    model.clips = clips;
    model.clip_count = part->count;
    options.format = d->to->format;
    options.notes = say_notes(&listener);
    if (d->madnight && !animbin_options_fit(&model, &options, arena, &err))
        return say_library(d->say, part->source, &model, &err), false;
    if (ember_model_write(bytes, &model, &options, &err) != EMBER_OK)
        return say_library(d->say, part->source, &model, &err), false;
    return true;
}

static bool deliver_write_in(deliver *d, const char *path, const deliver_part *part, ember_arena *arena,
                             ember_buffer *bytes)
{
    const char       *name = say_output_name(path);
    ember_error       err = EMBER_ERROR_INIT;
    const ember_clip *clips;
    if (!deliver_make(d, name, part, arena, bytes, &clips))
        return false;
    if (d->ready != NULL && !d->ready(d->user))
        return false;
    if (ember_file_write(path, bytes->data, bytes->size, &err) != EMBER_OK)
        return say_library(d->say, name, NULL, &err), false;
    deliver_report(d, name, part, clips, bytes);
    return true;
}

bool deliver_write(deliver *d, const char *path, const deliver_part *part)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer bytes = {.allocator = ember_heap()};
    bool         done = deliver_write_in(d, path, part, &arena, &bytes);
    ember_buffer_free(&bytes);
    ember_arena_free(&arena);
    return done;
}
