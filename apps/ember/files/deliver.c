/* SPDX-License-Identifier: MIT */
/* Writing one output. The bytes are made in memory first, so nothing is written of what cannot be
   written whole. */
#include "files/deliver.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/text.h"
#include "ember/ff7.h"
#include "files/animbin_options.h"

bool deliver_is_slot(const ember_clip *clip, const ember_format_info *to)
{
    return clip->frame_count == 0 && ember_ff7_clip_of(clip) != NULL && !to->empty_clips;
}

void deliver_note_left_out(app_say *say, const char *name, const ember_model *model,
                           const ember_format_info *to)
{
    if (model->left_out != NULL && to->stores.meshes)
        say_note(say, (place){name, NULL, NULL}, "not kept: %s", model->left_out);
}

/* "max error 0.41 mm at hand.l frame 12". Free it. */
static char *deliver_error_text(const delivered *what)
{
    char length[TEXT_NUMBER_SIZE], number[24];
    if (!what->measured)
        return text_make("%s", "error not measured");
    if (what->error.max == 0.0)
        return text_make("%s", "exact");
    snprintf(number, sizeof(number), "bone %u", (unsigned)what->error.bone);
    return text_make("max error %s at %s frame %u",
                     text_span(length, what->error.max, ember_ff7_clip_of(what->clip) != NULL),
                     what->bone != NULL ? what->bone : number, (unsigned)what->error.frame);
}

/* With -v, what the other way of rounding a local clip would have cost. */
static void deliver_compare_fits(deliver *d, const char *path, const deliver_part *part,
                                 const ember_clip *clip)
{
    char                length[TEXT_NUMBER_SIZE];
    ember_measured      other;
    ember_model         model = *part->model;
    ember_buffer        bytes = {.allocator = ember_heap()};
    ember_write_options options = d->writing;
    options.format = d->to->format;
    options.notes = (ember_notes){.take = NULL}; /* the output's own writing has told them */
    options.fit = d->writing.fit == EMBER_FIT_CLOSED ? EMBER_FIT_PLAIN : EMBER_FIT_CLOSED;
    model.clips = clip;
    model.clip_count = 1;
    if (ember_model_write(&bytes, &model, &options, NULL) == EMBER_OK &&
        ember_measure_written(&other, part->model, clip, &options, bytes.data, bytes.size))
        say_detail(d->say, (place){path, NULL, NULL}, "with --fit %s the max error would be %s",
                   options.fit == EMBER_FIT_PLAIN ? "plain" : "closed", text_length(length, other.max));
    ember_buffer_free(&bytes);
}

static ember_space deliver_space_of(const deliver *d, const ember_clip *clip)
{
    ember_space space = d->writing.space != EMBER_SPACE_UNSTATED ? d->writing.space : d->to->default_space;
    return space != EMBER_SPACE_UNSTATED ? space : clip->space;
}

/* The line about an output: what is in it, how big it is, what storing it cost. */
static void deliver_report(deliver *d, const char *path, const deliver_part *part, const ember_buffer *bytes)
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
    const ember_clip   *clip = &part->model->clips[part->clips[0]];
    ember_write_options options = d->writing;
    options.format = d->to->format;
    delivered what = {.path = path, .clip = clip, .space = deliver_space_of(d, clip), .size = bytes->size};
    what.measured = ember_measure_written(&what.error, part->model, clip, &options, bytes->data, bytes->size);
    what.bone = what.measured ? ember_skeleton_name(&part->model->skeleton, what.error.bone) : NULL;
    char *error = deliver_error_text(&what);
    say_line(d->say, "%s  %u %s × %u %s  %s B  %s", path, (unsigned)clip->bone_count,
             clip->bone_count == 1 ? "bone" : "bones", (unsigned)clip->frame_count,
             clip->frame_count == 1 ? "frame" : "frames", size, error);
    free(error);
    if (d->say->verbose && what.space == EMBER_SPACE_LOCAL && d->to->fits)
        deliver_compare_fits(d, path, part, clip);
    if (d->told != NULL)
        d->told(d->user, &what);
}

/* What a writer refused. A model without a hierarchy can be helped. */
static bool deliver_failed(deliver *d, const deliver_part *part, const ember_model *model,
                           const ember_error *err)
{
    bool helpless = err->status == EMBER_E_UNSUPPORTED && model->skeleton.bone_count > 1 &&
                    !ember_skeleton_is_known(&model->skeleton);
    emberi_error_words words = emberi_error_words_of(err);
    if (helpless)
        say_error(d->say, (place){part->source, words.clip, NULL}, "%s (--skeleton FILE)", words.text);
    else
        say_library(d->say, part->source, err);
    return false;
}

/* Where the target is played at one rate, clips of other rates would become longer or shorter. */
static bool deliver_retime(deliver *d, const deliver_part *part, ember_clip *clips, ember_arena *arena)
{
    double   rate = d->to->default_fps;
    uint32_t changed = 0;
    if (d->keep_rate || d->to->stores.rate || rate <= 0.0)
        return true;
    for (uint32_t i = 0; i < part->count; i++) {
        ember_clip clip = clips[i];
        bool       same = clip.fps <= 0.0 || (clip.fps < rate + 0.01 && clip.fps > rate - 0.01);
        if (same || clip.frame_count < 2 || clip.raw.format == d->to->format)
            continue;
        ember_clip         local;
        ember_space_losses losses;
        /* Between frames bones turn about their parents; what that would lose the writer tells. */
        if (d->to->default_space == EMBER_SPACE_LOCAL &&
            ember_clip_to_space(&local, &losses, part->model, &clip, EMBER_SPACE_LOCAL, arena, NULL) ==
                EMBER_OK &&
            losses.shear <= EMBER_SHEAR_LIMIT)
            clip = local;
        if ((double)clip.frame_count / clip.fps * rate > (double)EMBER_MAX_FRAMES ||
            ember_clip_resample(&clips[i], &clip, rate, arena) != EMBER_OK)
            return say_error(d->say, (place){part->source, clip.name, NULL},
                             "cannot be brought from %g to %g frames a second", clip.fps, rate),
                   false;
        changed++;
    }
    if (changed > 0)
        say_note(d->say, (place){part->source, NULL, NULL},
                 "%u %s brought to %g frames a second, the rate of %s (--fps keeps the frames)",
                 (unsigned)changed, changed == 1 ? "clip is" : "clips are", rate, d->to->name);
    return true;
}

bool deliver_make(deliver *d, const char *name, const deliver_part *part, ember_arena *arena,
                  ember_buffer *bytes)
{
    say_listener listener = {.say = d->say, .file = name, .one_clip = d->to->one_clip};
    ember_error  err = EMBER_ERROR_INIT;
    ember_clip  *clips = EMBER_PUSH(arena, ember_clip, part->count);
    if (clips == NULL)
        return say_error(d->say, (place){name, NULL, NULL}, "out of memory"), false;
    for (uint32_t i = 0; i < part->count; i++)
        clips[i] = part->model->clips[part->clips[i]];
    if (!deliver_retime(d, part, clips, arena))
        return false;

    ember_model         model = *part->model;
    ember_write_options options = d->writing;
    model.clips = clips;
    model.clip_count = part->count;
    options.format = d->to->format;
    options.notes = say_notes_together(&listener);
    bool good = (!d->madnight || animbin_options_fit(&model, &options, arena, &err)) &&
                ember_model_write(bytes, &model, &options, &err) == EMBER_OK;
    say_notes_end(&listener);
    return good || deliver_failed(d, part, &model, &err);
}

static bool deliver_write_in(deliver *d, const char *path, const deliver_part *part, ember_arena *arena,
                             ember_buffer *bytes)
{
    const char *name = say_output_name(path);
    ember_error err = EMBER_ERROR_INIT;
    if (!deliver_make(d, name, part, arena, bytes))
        return false;
    if (d->ready != NULL && !d->ready(d->user))
        return false;
    if (ember_file_write(path, bytes->data, bytes->size, &err) != EMBER_OK)
        return say_library(d->say, name, &err), false;
    deliver_report(d, name, part, bytes);
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
