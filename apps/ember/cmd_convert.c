/* `ember convert`: any format to any. Each output is written whole or not at all; what its format cannot hold is said, and what
   storing it cost is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/ember.h"
#include "input.h"
#include "measure.h"
#include "output.h"
#include "pick.h"
#include "space.h"
#include "text.h"
#include "verbs.h"

typedef struct convert {
    const app_args     *args;
    app_say            *say;
    input_options       reading;
    input               skeleton; /* --skeleton, or empty */
    output              out;
    ember_space         space; /* UNSTATED: what the target takes */
    ember_write_options writing;
    bool               *hits;       /* one per --clip: it has met a clip */
    char               *names_seen; /* the clips of the first input, for the message that nothing matched */
    size_t              written;
    bool                failed;
    bool                folder_made;
} convert;

/* Clips of one source that go into one output. */
typedef struct convert_part {
    const char        *source; /* for messages */
    const ember_model *model;
    uint32_t          *clips;
    uint32_t           count;
} convert_part;

/* ---- options ---- */

static int convert_read_record(convert *c)
{
    static const char *const  names[] = {"A", "B", "C", "D", "E", "a", "b", "c", "d", "e", NULL};
    static const ember_record records[] = {EMBER_RECORD_A, EMBER_RECORD_B, EMBER_RECORD_EWZ, EMBER_RECORD_D, EMBER_RECORD_E};
    const char               *value = args_value(c->args, "record");
    if (value == NULL)
        return EXIT_DONE;
    if (c->out.to->format != EMBER_FORMAT_EZA)
        return args_usage(c->args, c->say, "--record is for eza, not for %s", c->out.to->name);
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], value) == 0) {
            c->writing.record = records[i % 5];
            c->writing.record_set = true;
            return EXIT_DONE;
        }
    return args_usage(c->args, c->say, "--record is A, B, C, D or E, not '%s'", value);
}

static int convert_read_fit(convert *c)
{
    const char *value = args_value(c->args, "fit");
    if (value == NULL || strcmp(value, "closed") == 0)
        c->writing.fit = EMBER_FIT_CLOSED;
    else if (strcmp(value, "plain") == 0)
        c->writing.fit = EMBER_FIT_PLAIN;
    else
        return args_usage(c->args, c->say, "--fit is closed or plain, not '%s'", value);
    return EXIT_DONE;
}

static int convert_read_options(convert *c)
{
    const app_args *args = c->args;
    int             code = input_options_read(&c->reading, args, c->say);
    if (code == EXIT_DONE)
        code = output_plan(&c->out, args, c->say);
    if (code == EXIT_DONE)
        code = args_space(args, c->say, "space", &c->space);
    if (code == EXIT_DONE)
        code = convert_read_record(c);
    if (code == EXIT_DONE)
        code = convert_read_fit(c);
    if (code != EXIT_DONE)
        return code;
    if (args_has(args, "all") && args_has(args, "clip"))
        return args_usage(args, c->say, "--all and --clip exclude each other");
    if (args_has(args, "compact") && c->out.to->format != EMBER_FORMAT_JSON)
        return args_usage(args, c->say, "--compact is for json, not for %s", c->out.to->name);
    c->writing.format = c->out.to->format;
    c->writing.compact = args_has(args, "compact");
    /* Who reads a file that does not say its space takes it to be model space. */
    if (c->space == EMBER_SPACE_UNSTATED && !input_states_space(c->out.to->format))
        c->space = EMBER_SPACE_MODEL;
    return EXIT_DONE;
}

static bool convert_open_skeleton(convert *c)
{
    const char *path = args_value(c->args, "skeleton");
    if (path == NULL)
        return true;
    input_options plain = {.from = NULL};
    if (!input_open(&c->skeleton, path, &plain, c->say))
        return false;
    if (c->skeleton.model.skeleton.bone_count == 0) {
        say_error(c->say, (place){c->skeleton.name, NULL, NULL}, "there are no bones in it to take for a skeleton");
        return false;
    }
    c->reading.skeleton = &c->skeleton.model.skeleton;
    return true;
}

/* ---- choosing ---- */

/* Fills part->clips with what --clip asks of the model, all without it, and notes which words have met something. */
static void convert_choose(convert *c, convert_part *part)
{
    const ember_model *model = part->model;
    const char        *word;
    part->clips = must_alloc(model->clip_count, sizeof(*part->clips));
    part->count = 0;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        bool wanted = !args_has(c->args, "clip");
        for (size_t k = 0; (word = args_value_at(c->args, "clip", k)) != NULL; k++)
            if (pick_matches(model, i, word))
                wanted = c->hits[k] = true;
        if (wanted)
            part->clips[part->count++] = i;
    }
    if (c->names_seen == NULL)
        c->names_seen = pick_names(model);
}

/* A --clip that met nothing in any input is an error; the names are those of the first. */
static void convert_check_hits(convert *c)
{
    const char *word;
    for (size_t k = 0; (word = args_value_at(c->args, "clip", k)) != NULL; k++) {
        if (c->hits[k] || c->names_seen == NULL)
            continue;
        if (c->args->file_count == 1)
            say_error(c->say, (place){say_input_name(c->args->files[0]), NULL, NULL}, "no clip matches '%s': the clips are %s",
                      word, c->names_seen);
        else
            say_error(c->say, (place){NULL, NULL, NULL}, "no clip of any input matches '%s': those of the first are %s", word,
                      c->names_seen);
        c->failed = true;
    }
}

/* ---- writing one output ---- */

static void convert_warn_of_space(convert *c, const char *path, const ember_model *model, const space_result *result)
{
    const char *name = result->clip.name;
    const char *to = result->clip.space == EMBER_SPACE_MODEL ? "model" : "local";
    if (result->shear > SPACE_SHEAR_LIMIT) {
        place where = {path, name, NULL};
        if (result->shear_bone != SPACE_NO_BONE)
            where.bone = ember_skeleton_name(&model->skeleton, result->shear_bone);
        say_warning(c->say, where, "in %s space there is shear of %.1f %% (frame %u), which is left out", to,
                    (double)result->shear * 100.0, (unsigned)result->shear_frame);
    }
    if (result->lost_count != 0)
        say_warning(c->say, (place){path, name, ember_skeleton_name(&model->skeleton, result->lost_bone)},
                    "lost because the parent's scale is zero (frame %u, %llu times in all)", (unsigned)result->lost_frame,
                    (unsigned long long)result->lost_count);
}

static bool convert_clips(convert *c, ember_clip *clips, const convert_part *part, const char *path, ember_arena *arena)
{
    for (uint32_t i = 0; i < part->count; i++) {
        const ember_clip *clip = &part->model->clips[part->clips[i]];
        ember_error       err = EMBER_ERROR_INIT;
        space_result      result;
        if (space_convert(&result, part->model, clip, c->space, arena, &err) != EMBER_OK) {
            say_error(c->say, (place){part->source, clip->name, NULL}, "%s", err.text);
            return false;
        }
        convert_warn_of_space(c, path, part->model, &result);
        clips[i] = result.clip;
    }
    return true;
}

/* The line about an output: what is in it, how big it is, what storing it cost. */
static void convert_report(convert *c, const char *path, const convert_part *part, const ember_clip *clips,
                           const ember_buffer *bytes)
{
    char size[TEXT_NUMBER_SIZE], length[TEXT_NUMBER_SIZE];
    text_count(size, bytes->size);
    if (!c->out.to->one_clip) {
        if (c->say->verbose)
            say_line(c->say, "%s  %u %s  %s B", path, (unsigned)part->count, part->count == 1 ? "clip" : "clips", size);
        return;
    }
    if (c->say->quiet)
        return;
    const ember_clip *source = &part->model->clips[part->clips[0]];
    measured          found = {.max = 0.0};
    char             *error = NULL;
    char              number[24];
    if (!measure_written(&found, part->model, source, &clips[0], c->out.to->format, bytes->data, bytes->size)) {
        error = text_make("%s", "error not measured");
    } else if (found.max == 0.0) {
        error = text_make("%s", "exact");
    } else {
        snprintf(number, sizeof(number), "bone %u", (unsigned)found.bone_index);
        error = text_make("max error %s at %s frame %u", text_length(length, found.max), found.bone != NULL ? found.bone : number,
                          (unsigned)found.frame);
    }
    say_line(c->say, "%s  %u %s × %u %s  %s B  %s", path, (unsigned)clips[0].bone_count,
             clips[0].bone_count == 1 ? "bone" : "bones", (unsigned)clips[0].frame_count,
             clips[0].frame_count == 1 ? "frame" : "frames", size, error);
    free(error);
}

static bool convert_write_in(convert *c, const char *path, const convert_part *part, ember_arena *arena, ember_buffer *bytes)
{
    const char  *name = say_output_name(path);
    say_listener listener = {c->say, name, c->out.to->one_clip};
    ember_error  err = EMBER_ERROR_INIT;
    ember_clip  *clips = EMBER_PUSH(arena, ember_clip, part->count);
    if (clips == NULL)
        return say_error(c->say, (place){name, NULL, NULL}, "out of memory"), false;
    if (!convert_clips(c, clips, part, name, arena))
        return false;

    ember_model         model = *part->model;
    ember_write_options options = c->writing;
    model.clips = clips;
    model.clip_count = part->count;
    options.notes = say_notes(&listener);
    if (ember_model_write(bytes, &model, &options, &err) != EMBER_OK)
        return say_library(c->say, part->source, &model, &err), false;
    if (c->out.kind == OUTPUT_FOLDER && !c->folder_made) {
        c->folder_made = output_make_folder(&c->out, c->say);
        if (!c->folder_made)
            return false;
    }
    if (ember_file_write(path, bytes->data, bytes->size, &err) != EMBER_OK)
        return say_library(c->say, name, NULL, &err), false;
    convert_report(c, name, part, clips, bytes);
    return true;
}

static void convert_write(convert *c, const char *path, const convert_part *part)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer bytes = {.allocator = ember_heap()};
    if (convert_write_in(c, path, part, &arena, &bytes))
        c->written++;
    else
        c->failed = true;
    ember_buffer_free(&bytes);
    ember_arena_free(&arena);
}

/* ---- many outputs: {clip} or a folder ---- */

static void convert_write_named(convert *c, const char *stem, const convert_part *part, size_t next_input)
{
    bool   again = false;
    char  *path = output_path(&c->out, stem, &again);
    size_t victim = output_overwrites(&c->out, path, next_input);
    if (victim != SIZE_MAX) {
        say_error(c->say, (place){path, NULL, NULL}, "not written: it would overwrite the input %s before that is read",
                  c->args->files[victim]);
        c->failed = true;
    } else {
        if (again)
            say_note(c->say, (place){part->source, stem, NULL}, "the name is taken, written as %s", path);
        convert_write(c, path, part);
    }
    free(path);
}

/* Writes what was chosen of one input; `next_input` is the first that is not read yet. */
static void convert_spread(convert *c, const input *in, const convert_part *part, size_t next_input)
{
    bool per_clip = c->out.kind == OUTPUT_PER_CLIP || (c->out.to->one_clip && in->model.clip_count != 1);
    if (!per_clip) {
        char *stem = strcmp(in->path, "-") == 0 ? text_make("%s", part->count > 0 ? in->model.clips[part->clips[0]].name : "clip")
                                                : output_stem(in->path);
        convert_write_named(c, stem, part, next_input);
        free(stem);
        return;
    }
    if (c->args->file_count == 1)
        progress_start(&c->say->bar, part->count);
    for (uint32_t i = 0; i < part->count; i++) {
        convert_part one = {part->source, part->model, &part->clips[i], 1};
        convert_write_named(c, in->model.clips[part->clips[i]].name, &one, next_input);
        if (c->args->file_count == 1)
            progress_step(&c->say->bar);
    }
}

static void convert_each(convert *c)
{
    progress_start(&c->say->bar, c->args->file_count);
    for (size_t i = 0; i < c->args->file_count; i++) {
        input in;
        if (!input_open(&in, c->args->files[i], &c->reading, c->say)) {
            c->failed = true;
        } else {
            convert_part part = {in.name, &in.model, NULL, 0};
            convert_choose(c, &part);
            bool needs_clips = c->out.to->one_clip || c->out.kind == OUTPUT_PER_CLIP;
            if (in.model.clip_count == 0 && needs_clips) {
                say_error(c->say, (place){in.name, NULL, NULL}, "there are no clips in it");
                c->failed = true;
            } else if (part.count != 0 || in.model.clip_count == 0) {
                convert_spread(c, &in, &part, i + 1);
            } else if (c->args->file_count > 1) {
                say_detail(c->say, (place){in.name, NULL, NULL}, "no clip of it was asked for");
            }
            free(part.clips);
        }
        input_close(&in);
        if (c->args->file_count > 1)
            progress_step(&c->say->bar);
    }
    convert_check_hits(c);
}

/* ---- one output ---- */

/* False, with one line said, if the two skeletons are not the same bones. */
static bool convert_same_bones(convert *c, const input *a, const input *b)
{
    const ember_skeleton *x = &a->model.skeleton, *y = &b->model.skeleton;
    place                 where = {b->name, NULL, NULL};
    const char *way_out = "only files with the same bones go into one, put {clip} in the output's name for one per clip";
    if (x->bone_count != y->bone_count)
        return say_error(c->say, where, "%u bones, but %s has %u: %s", (unsigned)y->bone_count, a->name, (unsigned)x->bone_count,
                         way_out),
               false;
    for (uint32_t i = 0; i < x->bone_count; i++) {
        const char *x_name = ember_skeleton_name(x, i), *y_name = ember_skeleton_name(y, i);
        if ((x_name == NULL) != (y_name == NULL))
            return say_error(c->say, where, "bone %u has %s, but %s in %s: give --skeleton, or put {clip} in the output's name",
                             (unsigned)i, y_name != NULL ? "a name" : "no name", y_name != NULL ? "none" : "one", a->name),
                   false;
        if (x_name != NULL && strcmp(x_name, y_name) != 0)
            return say_error(c->say, where, "bone %u is called %s, but %s in %s: %s", (unsigned)i, y_name, x_name, a->name,
                             way_out),
                   false;
        if (x->parents[i] != y->parents[i])
            return say_error(c->say, where, "bone %u has another parent than in %s: %s", (unsigned)i, a->name, way_out), false;
    }
    if (x->rest != NULL && y->rest != NULL && memcmp(x->rest, y->rest, x->bone_count * sizeof(*x->rest)) != 0)
        say_warning(c->say, where, "the rest pose is not that of %s, which is kept", a->name);
    return true;
}

/* All inputs as one model: the clips of all in the arena, the rest the first input's. */
static bool convert_merge(convert *c, ember_model *out, const input *inputs, const convert_part *parts, size_t count,
                          ember_arena *arena)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        total += parts[i].count;
        if (i > 0 && !convert_same_bones(c, &inputs[0], &inputs[i]))
            return false;
    }
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, total);
    if (clips == NULL || total > UINT32_MAX)
        return say_error(c->say, (place){NULL, NULL, NULL}, "out of memory"), false;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < parts[i].count; k++)
            clips[at++] = inputs[i].model.clips[parts[i].clips[k]];
    *out = inputs[0].model;
    out->clips = clips;
    out->clip_count = (uint32_t)total;
    return true;
}

static void convert_write_merged(convert *c, const input *inputs, const convert_part *parts, size_t count)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model;
    if (!convert_merge(c, &model, inputs, parts, count, &arena)) {
        c->failed = true;
    } else if (c->out.to->one_clip && model.clip_count != 1) {
        char *names = pick_names(&model);
        place where = {count == 1 ? inputs[0].name : say_output_name(c->out.path), NULL, NULL};
        if (model.clip_count == 0)
            say_error(c->say, where, "there are no clips in it");
        else
            say_error(c->say, where,
                      "%s holds one clip, here are %u: %s; choose one with --clip, or put {clip} in the output's name",
                      c->out.to->name, (unsigned)model.clip_count, names);
        free(names);
        c->failed = true;
    } else {
        convert_part whole = {count == 1 ? inputs[0].name : say_output_name(c->out.path), &model, NULL, model.clip_count};
        whole.clips = must_alloc(model.clip_count, sizeof(*whole.clips));
        for (uint32_t i = 0; i < model.clip_count; i++)
            whole.clips[i] = i;
        convert_write(c, c->out.path, &whole);
        free(whole.clips);
    }
    ember_arena_free(&arena);
}

static void convert_together(convert *c)
{
    size_t        count = c->args->file_count;
    input        *inputs = must_alloc(count, sizeof(*inputs));
    convert_part *parts = must_alloc(count, sizeof(*parts));

    progress_start(&c->say->bar, count);
    for (size_t i = 0; i < count; i++) {
        if (!input_open(&inputs[i], c->args->files[i], &c->reading, c->say)) {
            c->failed = true;
            continue;
        }
        parts[i].source = inputs[i].name;
        parts[i].model = &inputs[i].model;
        convert_choose(c, &parts[i]);
        progress_step(&c->say->bar);
    }
    if (!c->failed)
        convert_check_hits(c);
    if (!c->failed)
        convert_write_merged(c, inputs, parts, count);
    for (size_t i = 0; i < count; i++) {
        free(parts[i].clips);
        input_close(&inputs[i]);
    }
    free(parts);
    free(inputs);
}

/* ---- the verb ---- */

static int convert_run(const app_args *args, app_say *say)
{
    convert c = {.args = args, .say = say};
    size_t  words = 0;
    while (args_value_at(args, "clip", words) != NULL)
        words++;
    c.hits = must_alloc(words, sizeof(*c.hits));

    int code = convert_read_options(&c);
    if (code == EXIT_DONE) {
        if (!convert_open_skeleton(&c))
            c.failed = true;
        else if (c.out.kind == OUTPUT_FILE)
            convert_together(&c);
        else
            convert_each(&c);
        progress_hide(&say->bar);
        if (say->verbose)
            say_line(say, "%zu %s written", c.written, c.written == 1 ? "file" : "files");
        code = c.failed ? EXIT_FAILED : EXIT_DONE;
    }
    free(c.names_seen);
    free(c.hits);
    input_close(&c.skeleton);
    output_free(&c.out);
    return code;
}

static const app_option convert_options[] = {
    {"output", 'o', "OUT", "a file, a folder, a name with {clip} in it, or - (needed)"},
    {"from", 0, "FMT", "the inputs' format; else by content, then by extension"},
    {"to", 0, "FMT", "the output's format; else by OUT's extension"},
    {"clip", 0, "NAME|N|GLOB", "only the clips of that name, number (from 0) or glob; again for more"},
    {"all", 0, NULL, "all clips; so it is without --clip"},
    {"space", 0, "model|local", "write the clips in this space; else .ewzanim and .eza in model space, json as it is"},
    {"source-space", 0, "model|local", "the space of inputs that do not say (.ewzanim, .eza); else model"},
    {"fps", 0, "N", "the rate, in place of the inputs'; frames are not resampled"},
    {"skeleton", 0, "FILE", "names, parents and rest of the bones for inputs without them"},
    {"fit", 0, "closed|plain", "how local clips are rounded: each bone against its parents (closed), or by itself (plain)"},
    {"record", 0, "A|B|C|D|E", "eza: 12, 10, 16, 8 or 20 bytes a bone; else the smallest of A, B, C that holds the scales"},
    {"compact", 0, NULL, "json: no line breaks"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_convert = {
    .name = "convert",
    .summary = "any format to any: clips of one or more files to another format",
    .usage = "IN... -o OUT [options]",
    .about = "A name with {clip} gives one file for each clip, a folder (there already, or ending in /) one for each\n"
             "input. Several inputs with the same bones can go into one json file. What the target does not store is\n"
             "said, and for one-clip formats the largest error of what was written, in model space, taking units to\n"
             "be metres.",
    .options = convert_options,
    .example = "ember convert hero.json -o '{clip}.ewzanim'",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "an input file",
    .run = convert_run,
};
