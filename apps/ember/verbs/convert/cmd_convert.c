/* SPDX-License-Identifier: MIT */
/* `ember convert`: any format to any. Each output is written whole or not at all; what its format cannot hold
   is said, and what storing it cost is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "files/animbin_options.h"
#include "files/deliver.h"
#include "files/ff7_options.h"
#include "files/input.h"
#include "files/lean_options.h"
#include "files/output.h"
#include "files/pick.h"
#include "files/rom_input.h"
#include "verbs/convert/convert_reduce.h"
#include "verbs/convert/convert_rom.h"
#include "verbs/verbs.h"

typedef struct convert {
    const app_args       *args;
    app_say              *say;
    ember_read_options    reading;
    input_formats         formats; /* for reading and for writing */
    ember_eza_options     eza;
    ember_ewzlean_options ewzlean;
    input                 skeleton; /* --skeleton, or empty */
    ff7_files             ff7;
    output                out;
    deliver               deliver;
    bool                 *hits;       /* one per --clip: it has met a clip */
    char                 *names_seen; /* the clips of the first input, for the message that nothing matched */
    size_t                written;
    bool                  failed;
    bool                  folder_made;
    uint32_t              max_bones; /* 0: as many as there are */
} convert;

/* ---- options ---- */

static int convert_read_record(convert *c)
{
    static const char *const  names[] = {"A", "B", "C", "D", "E", "a", "b", "c", "d", "e", NULL};
    static const ember_record records[] = {EMBER_RECORD_A, EMBER_RECORD_B, EMBER_RECORD_C, EMBER_RECORD_D,
                                           EMBER_RECORD_E};
    const char               *value = args_value(c->args, "record");
    if (value == NULL)
        return EXIT_DONE;
    if ((c->out.to->takes & EMBER_TAKES_EZA) == 0)
        return args_usage(c->args, c->say, "--record is for eza, not for %s", c->out.to->name);
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], value) == 0) {
            c->eza = (ember_eza_options){.record_set = true, .record = records[i % 5]};
            return EXIT_DONE;
        }
    return args_usage(c->args, c->say, "--record is A, B, C, D or E, not '%s'", value);
}

static int convert_read_fit(convert *c)
{
    const char *value = args_value(c->args, "fit");
    if (value == NULL || strcmp(value, "closed") == 0)
        c->deliver.writing.fit = EMBER_FIT_CLOSED;
    else if (strcmp(value, "plain") == 0)
        c->deliver.writing.fit = EMBER_FIT_PLAIN;
    else
        return args_usage(c->args, c->say, "--fit is closed or plain, not '%s'", value);
    return EXIT_DONE;
}

static int convert_read_max_bones(convert *c)
{
    const char *value = args_value(c->args, "max-bones");
    if (value == NULL || (text_read_u32(&c->max_bones, value) && c->max_bones >= 1))
        return EXIT_DONE;
    return args_usage(c->args, c->say, "--max-bones is a number from 1 on, not '%s'", value);
}

static bool convert_wants(void *user, const ember_model *model, uint32_t clip)
{
    const convert *c = user;
    const char    *word;
    bool           wanted = !args_has(c->args, "clip");
    for (size_t k = 0; !wanted && (word = args_value_at(c->args, "clip", k)) != NULL; k++)
        wanted = pick_matches(model, clip, word);
    return wanted;
}

static int convert_read_options(convert *c)
{
    const app_args *args = c->args;
    int             code = input_options_read(&c->reading, &c->formats, args, c->say);
    c->reading.wants = convert_wants;
    c->reading.wants_user = c;
    if (code == EXIT_DONE)
        code = output_plan(&c->out, args, NULL, c->say);
    if (code == EXIT_DONE)
        code = args_space(args, c->say, "space", &c->deliver.writing.space);
    if (code == EXIT_DONE)
        code = convert_read_record(c);
    if (code == EXIT_DONE)
        code = convert_read_fit(c);
    if (code == EXIT_DONE)
        code = lean_options_read(&c->ewzlean, c->out.to, args, c->say);
    if (code == EXIT_DONE)
        code = convert_read_max_bones(c);
    if (code == EXIT_DONE)
        code = animbin_options_read(&c->formats.animbin, &c->deliver.madnight, c->out.to, args, c->say);
    if (code == EXIT_DONE)
        code = ff7_options_read(&c->formats.ff7, c->out.to, args, c->say);
    if (code != EXIT_DONE)
        return code;
    if (args_has(args, "all") && args_has(args, "clip"))
        return args_usage(args, c->say, "--all and --clip exclude each other");
    if (args_has(args, "compact") && c->out.to->format != EMBER_FORMAT_JSON)
        return args_usage(args, c->say, "--compact is for json, not for %s", c->out.to->name);
    c->deliver.to = c->out.to;
    c->deliver.keep_rate = args_has(args, "fps");
    c->deliver.writing.compact = args_has(args, "compact");
    c->deliver.writing.animbin = &c->formats.animbin;
    c->deliver.writing.eza = &c->eza;
    c->deliver.writing.ewzlean = &c->ewzlean;
    c->deliver.writing.ff7 = &c->formats.ff7;
    if (c->out.to->default_space == EMBER_SPACE_LOCAL && c->deliver.writing.space == EMBER_SPACE_MODEL)
        return args_usage(args, c->say, "%s holds clips in local space, not in model space", c->out.to->name);
    c->reading.fps_else = c->out.to->default_fps;
    c->reading.carry = c->out.to->carries && !args_has(args, "skeleton") && c->max_bones == 0;
    c->formats.ff7.pair = c->out.to->curves; /* an editor shows a body with its weapon */
    return EXIT_DONE;
}

static bool convert_open_skeleton(convert *c)
{
    const char *path = args_value(c->args, "skeleton");
    if (path == NULL)
        return ff7_files_open(&c->ff7, &c->skeleton, c->args, c->say);
    ember_read_options plain = {.memory_limit = c->reading.memory_limit,
                                .skip_meshes = true,
                                .skip_clips = true};
    if (!input_open(&c->skeleton, path, &plain, c->say))
        return false;
    if (c->skeleton.model.skeleton.bone_count == 0) {
        say_error(c->say, (place){c->skeleton.name, NULL, NULL},
                  "there are no bones in it to take for a skeleton");
        return false;
    }
    c->reading.skeleton = &c->skeleton.model.skeleton;
    if (!ff7_files_open(&c->ff7, &c->skeleton, c->args, c->say))
        return false;
    if (c->ff7.skeleton.bone_count != 0)
        c->formats.ff7.skeleton = &c->ff7.skeleton;
    return true;
}

/* ---- choosing ---- */

/* Fills part->clips with what --clip asks of the model, all without it, and notes which words have
   met something. */
static void convert_choose(convert *c, deliver_part *part)
{
    const ember_model *model = part->model;
    const char        *word;
    uint32_t           slots = 0;
    part->clips = must_alloc(model->clip_count, sizeof(*part->clips));
    part->count = 0;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        bool wanted = !args_has(c->args, "clip");
        for (size_t k = 0; (word = args_value_at(c->args, "clip", k)) != NULL; k++)
            if (pick_matches(model, i, word))
                wanted = c->hits[k] = true;
        if (wanted && deliver_is_slot(&model->clips[i], c->out.to))
            slots++;
        else if (wanted)
            part->clips[part->count++] = i;
    }
    if (slots != 0)
        say_note(c->say, (place){part->source, NULL, NULL}, "%u empty %s left out", (unsigned)slots,
                 slots == 1 ? "slot is" : "slots are");
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
            say_error(c->say, (place){say_input_name(c->args->files[0]), NULL, NULL},
                      "no clip matches '%s': the clips are %s", word, c->names_seen);
        else
            say_error(c->say, (place){NULL, NULL, NULL},
                      "no clip of any input matches '%s': those of the first are %s", word, c->names_seen);
        c->failed = true;
    }
}

/* ---- writing ---- */

static bool convert_make_folder(void *user)
{
    convert *c = user;
    if (c->out.kind == OUTPUT_FOLDER && !c->folder_made)
        c->folder_made = output_make_folder(&c->out, c->say);
    return c->out.kind != OUTPUT_FOLDER || c->folder_made;
}

static void convert_write(convert *c, const char *path, const deliver_part *part)
{
    if (!output_refuses(path, c->args, c->say) && deliver_write(&c->deliver, path, part))
        c->written++;
    else
        c->failed = true;
}

/* ---- many outputs: {clip} or a folder ---- */

static void convert_write_named(convert *c, const char *stem, const deliver_part *part, size_t next_input)
{
    bool   again = false;
    char  *path = output_path(&c->out, stem, &again);
    size_t victim = output_overwrites(&c->out, path, next_input);
    if (victim != SIZE_MAX) {
        say_error(c->say, (place){path, NULL, NULL},
                  "not written: it would overwrite the input %s before that is read", c->args->files[victim]);
        c->failed = true;
    } else {
        if (again)
            say_note(c->say, (place){part->source, stem, NULL}, "the name is taken, written as %s", path);
        convert_write(c, path, part);
    }
    free(path);
}

/* Writes what was chosen of one input; `next_input` is the first that is not read yet. */
static void convert_spread(convert *c, const input *in, const deliver_part *part, size_t next_input)
{
    bool per_clip = c->out.kind == OUTPUT_PER_CLIP || (c->out.to->one_clip && in->model.clip_count != 1);
    if (!per_clip) {
        char *stem = strcmp(in->path, "-") == 0
                         ? text_make("%s", part->count > 0 ? in->model.clips[part->clips[0]].name : "clip")
                         : output_stem(in->path);
        convert_write_named(c, stem, part, next_input);
        free(stem);
        return;
    }
    if (c->args->file_count == 1)
        progress_start(&c->say->bar, part->count);
    for (uint32_t i = 0; i < part->count; i++) {
        deliver_part one = {part->source, part->model, &part->clips[i], 1};
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
        if (!input_open(&in, c->args->files[i], &c->reading, c->say) ||
            !input_takes_space(&in, &c->reading, c->say) || !input_takes_take(&in, &c->reading, c->say) ||
            !convert_reduce(c->say, &in, c->max_bones)) {
            c->failed = true;
        } else {
            deliver_part part = {in.name, &in.model, NULL, 0};
            deliver_note_left_out(c->say, in.name, &in.model, c->out.to);
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
    const char           *way_out =
        "only files with the same bones go into one, put {clip} in the output's name for one per clip";
    if (x->bone_count != y->bone_count)
        return say_error(c->say, where, "%u bones, but %s has %u: %s", (unsigned)y->bone_count, a->name,
                         (unsigned)x->bone_count, way_out),
               false;
    for (uint32_t i = 0; i < x->bone_count; i++) {
        const char *x_name = ember_skeleton_name(x, i), *y_name = ember_skeleton_name(y, i);
        if ((x_name == NULL) != (y_name == NULL))
            return say_error(
                       c->say, where,
                       "bone %u has %s, but %s in %s: give --skeleton, or put {clip} in the output's name",
                       (unsigned)i, y_name != NULL ? "a name" : "no name", y_name != NULL ? "none" : "one",
                       a->name),
                   false;
        if (x_name != NULL && strcmp(x_name, y_name) != 0)
            return say_error(c->say, where, "bone %u is called %s, but %s in %s: %s", (unsigned)i, y_name,
                             x_name, a->name, way_out),
                   false;
        if (x->parents[i] != y->parents[i])
            return say_error(c->say, where, "bone %u has another parent than in %s: %s", (unsigned)i, a->name,
                             way_out),
                   false;
    }
    if (x->rest != NULL && y->rest != NULL && memcmp(x->rest, y->rest, x->bone_count * sizeof(*x->rest)) != 0)
        say_warning(c->say, where, "the rest pose is not that of %s, which is kept", a->name);
    return true;
}

/* All inputs as one model: the clips of all in the arena, the rest the first input's. */
static bool convert_merge(convert *c, ember_model *out, const input *inputs, const deliver_part *parts,
                          size_t count, ember_arena *arena)
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

static void convert_write_merged(convert *c, const input *inputs, const deliver_part *parts, size_t count)
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
                      "%s holds one clip, here are %u: %s; choose one with --clip, or put {clip} in the "
                      "output's name",
                      c->out.to->name, (unsigned)model.clip_count, names);
        free(names);
        c->failed = true;
    } else {
        deliver_part whole = {count == 1 ? inputs[0].name : say_output_name(c->out.path), &model, NULL,
                              model.clip_count};
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
    deliver_part *parts = must_alloc(count, sizeof(*parts));

    progress_start(&c->say->bar, count);
    for (size_t i = 0; i < count; i++) {
        c->reading.carry = c->reading.carry && i == 0; /* the others lend their clips alone */
        if (!input_open(&inputs[i], c->args->files[i], &c->reading, c->say) ||
            !input_takes_space(&inputs[i], &c->reading, c->say) ||
            !input_takes_take(&inputs[i], &c->reading, c->say) ||
            !convert_reduce(c->say, &inputs[i], c->max_bones)) {
            c->failed = true;
            continue;
        }
        deliver_note_left_out(c->say, inputs[i].name, &inputs[i].model, c->out.to);
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

/* ---- out of a ROM ---- */

static bool convert_has_rom(const app_args *args)
{
    for (size_t i = 0; i < args->file_count; i++)
        if (!args_has(args, "from") && rom_input_is_file(args->files[i]))
            return true;
    return false;
}

static int convert_rom(convert *c)
{
    static const char *const others[] = {"source-space", "fps",      "scale",    "skin",
                                         "take",         "skeleton", "max-bones"};
    rom_convert              job = {.args = c->args, .say = c->say, .out = &c->out, .deliver = &c->deliver};
    if (c->args->file_count != 1)
        return args_usage(c->args, c->say, "a ROM is converted alone, without other inputs");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (args_has(c->args, others[i]))
            return args_usage(c->args, c->say, "--%s is not for a ROM, which says all of its clips",
                              others[i]);
    if (args_has(c->args, "entry") && (args_has(c->args, "clip") || args_has(c->args, "all")))
        return args_usage(c->args, c->say, "--entry excludes --clip and --all");
    if (args_has(c->args, "entry"))
        return convert_rom_entries(&job, c->args->files[0]);
    int code = convert_read_options(c);
    if (code != EXIT_DONE)
        return code;
    job.memory_limit = c->reading.memory_limit;
    convert_rom_clips(&job, c->args->files[0]);
    c->written = job.written;
    c->failed = job.failed;
    return EXIT_DONE;
}

/* ---- the verb ---- */

static int convert_run(const app_args *args, app_say *say)
{
    convert c = {.args = args, .say = say};
    c.deliver = (deliver){.say = say, .ready = convert_make_folder, .user = &c};
    size_t words = 0;
    while (args_value_at(args, "clip", words) != NULL)
        words++;
    c.hits = must_alloc(words, sizeof(*c.hits));

    bool rom = convert_has_rom(args);
    int  code = EXIT_DONE;
    if (rom)
        code = convert_rom(&c);
    else if (args_has(args, "entry"))
        code = args_usage(args, say, "--entry is for ROMs (.ewz)");
    else
        code = convert_read_options(&c);
    if (code == EXIT_DONE && !rom) {
        bool opened = convert_open_skeleton(&c);
        if (args_has(args, "base"))
            c.formats.ff7.base = &c.ff7.pack;
        if (!opened)
            c.failed = true;
        else if (c.out.kind == OUTPUT_FILE)
            convert_together(&c);
        else
            convert_each(&c);
    }
    if (code == EXIT_DONE) {
        progress_hide(&say->bar);
        if (say->verbose)
            say_line(say, "%zu %s written", c.written, c.written == 1 ? "file" : "files");
        code = c.failed ? EXIT_FAILED : EXIT_DONE;
    }
    free(c.names_seen);
    free(c.hits);
    input_close(&c.skeleton);
    ff7_files_close(&c.ff7);
    output_free(&c.out);
    return code;
}

static const app_option convert_options[] = {
    {"output", 'o', "OUT", "a file, a folder, a name with {clip} in it, or - (needed)"},
    {"from", 0, "FMT", "the inputs' format; else by content, then by extension"},
    {"to", 0, "FMT", "the output's format; else by OUT's extension"},
    {"clip", 0, "NAME|N|GLOB", "only the clips of that name, number (from 0) or glob; again for more"},
    {"all", 0, NULL, "all clips; so it is without --clip"},
    {"entry", 0, "KIND:ID", "of a ROM (.ewz): that entry as it is, mesh:player or a glob; again for more"},
    {"space", 0, "model|local",
     "write the clips in this space; else .ewzanim and .eza in model space, json as it is"},
    {"source-space", 0, "model|local", "the space of inputs that do not say (.ewzanim, .eza); else model"},
    {"fps", 0, "N",
     "the rate, in place of the inputs': curves (glTF) are sampled at it, frames are not resampled"},
    {"skin", 0, "N|NAME", "glTF, FBX: whose joints are the bones (default: glTF the first, FBX all)"},
    INPUT_TAKE,
    {"tpose", 0, "keep|drop", "BVH: the T-pose that many captures begin with; else kept"},
    {"scale", 0, "N", "multiply all lengths; 0.01 makes metres of centimetres"},
    {"skeleton", 0, "FILE", "names, parents and rest of the bones for inputs without them"},
    {"max-bones", 0, "N", "merge the least important bones into their parents until N are left"},
    {"fit", 0, "closed|plain",
     "how local clips are rounded: each bone against its parents (closed), or by itself (plain)"},
    {"record", 0, "A|B|C|D|E",
     "eza: 12, 10, 16, 8 or 20 bytes a bone; else the smallest of A, B, C that holds the scales"},
    LEAN_OPTIONS_ERROR(""),
    OUTPUT_IN_PLACE,
    {"compact", 0, NULL, "json: no line breaks"},
    {"keys", 0, "dense|sparse",
     "animbin: one on every frame, or few within the tolerance; else those it was read with, or dense"},
    {"tolerance", 0, "M",
     "animbin: how far sparse keys may be off, anywhere; else a 500th of the model's size"},
    {"truncate", 0, NULL, "animbin: round towards zero, as its home writer does; else to nearest"},
    {"translations", 0, "never|auto|always",
     "animbin: for which bones; auto, the default: those that leave their rest"},
    {"unit", 0, "N|auto",
     "animbin, read or written: stored units that make a length of 1, or by the skeleton; else 4096"},
    {"basis", 0, "same|psx", "animbin, read or written: with psx its roots are turned by diag(1, -1, -1)"},
    {"base", 0, "PACK",
     "ff7: the pack that the clips go back into; what has not changed in it stays byte for byte"},
    {"key", 0, "0|2|4",
     "ff7: write rotations with so many bits less; else 0, more only where a clip would be too large"},
    {"target", 0, "madnight", "animbin: fit the clips to that player's limits, and say what was dropped"},
    INPUT_MAX_MEMORY,
    {NULL, 0, NULL, NULL},
};

const app_verb verb_convert = {
    .name = "convert",
    .summary = "any format to any: clips of one or more files to another format",
    .usage = "IN... -o OUT [options]",
    .about = "A name with {clip} gives one file for each clip, a folder (there already, or ending in /) one "
             "for each\n"
             "input. Several inputs with the same bones can go into one json file. What the target does not "
             "store is\n"
             "said, and for one-clip formats the largest error of what was written, in model space, taking "
             "units to\n"
             "be metres. Clips out of a ROM (.ewz) go by their ids, and come out as .ewzanim byte for byte "
             "as they went in.",
    .options = convert_options,
    .example = "ember convert hero.json -o '{clip}.ewzanim'",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "an input file",
    .run = convert_run,
};
