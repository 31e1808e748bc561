/* SPDX-License-Identifier: MIT */
/* `ember export animation|skeleton|mesh`, also as `ember-export`: from the files that artists make to the
   console's. Animations are here, the rest in export_parts.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "cli/table.h"
#include "cli/text.h"
#include "ember/rom.h"
#include "files/lean_options.h"
#include "files/pick.h"
#include "verbs/export/export.h"
#include "verbs/verbs.h"

/* ---- animations ---- */

static int export_list(export *e)
{
    bool      layers = e->in.layer_count > e->model.clip_count;
    app_table table = {.align = layers ? "rlrrrrl" : "rlrrrr"};
    if (e->model.clip_count == 0)
        return say_error(e->say, (place){e->in.name, NULL, NULL}, "there are no animations in it");
    static const char *const heads[] = {"#", "animation", "frames", "bones", "fps", "seconds", "layers"};
    for (size_t i = 0; i < (layers ? 7u : 6u); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < e->model.clip_count; i++) {
        const ember_clip *clip = &e->model.clips[i];
        uint32_t steps = clip->loop ? clip->frame_count : clip->frame_count > 0 ? clip->frame_count - 1 : 0;
        char    *name = text_escape(clip->name);
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", name);
        table_cell(&table, "%u", (unsigned)clip->frame_count);
        table_cell(&table, "%u", (unsigned)clip->bone_count);
        table_cell(&table, "%g", ember_clip_fps(clip));
        table_cell(&table, "%.2f", (double)steps / ember_clip_fps(clip));
        free(name);
        if (!layers)
            continue;
        char *list = input_layers_of(&e->in, i);
        char *shown = list != NULL ? text_escape(list) : text_make("-");
        table_cell(&table, "%s", shown);
        free(shown);
        free(list);
    }
    table_print(&table, "");
    return EXIT_DONE;
}

static void export_note_error(void *user, const delivered *what)
{
    export *e = user;
    if (e->report == NULL)
        return;
    json_t *row = json_object();
    json_put(row, "clip", json_text(what->clip->name));
    json_put(row, "file", json_text(what->path));
    json_put(row, "bones", json_count(what->clip->bone_count));
    json_put(row, "frames", json_count(what->clip->frame_count));
    json_put(row, "bytes", json_count(what->size));
    json_put(row, "space", json_text(what->space == EMBER_SPACE_MODEL ? "model" : "local"));
    json_put(row, "max_error", what->measured ? json_number(what->error.max) : json_null());
    json_put(row, "mean_error", what->measured ? json_number(what->error.mean) : json_null());
    json_put(row, "size", what->measured ? json_number(what->error.size) : json_null());
    json_put(row, "max_bone", what->measured ? json_text(what->bone) : json_null());
    json_put(row, "max_frame", what->measured ? json_count(what->error.frame) : json_null());
    json_add(e->report, row);
}

static int export_write_report(export *e, const char *path)
{
    json_t     *root = json_object();
    ember_error err = EMBER_ERROR_INIT;
    json_put(root, "source", json_text(e->in.name));
    json_put(root, "clips", e->report);
    e->report = NULL;
    char *text = json_wide_text(root);
    int   code = EXIT_DONE;
    if (ember_file_write(path, text, strlen(text), &err) != EMBER_OK)
        code = say_library(e->say, path, &err);
    free(text);
    json_free(root);
    return code;
}

/* --range a:b in seconds; either may be missing: without b, end_s stays 0, which is the end. */
static int export_read_range(export *e)
{
    const char *value = args_value(&e->args, "range");
    if (value == NULL)
        return EXIT_DONE;
    const char *colon = strchr(value, ':');
    char       *first = colon != NULL ? text_make("%.*s", (int)(colon - value), value) : NULL;
    bool        right = colon != NULL && (*first == '\0' || text_read_double(&e->reading.start_s, first)) &&
                 (colon[1] == '\0' || text_read_double(&e->reading.end_s, colon + 1)) &&
                 e->reading.start_s >= 0.0 && (colon[1] == '\0' || e->reading.end_s > e->reading.start_s);
    free(first);
    return right ? EXIT_DONE : args_usage(&e->args, e->say, "--range is a:b in seconds, not '%s'", value);
}

static int export_read_rate(export *e)
{
    const char *value = args_value(&e->args, "frame-rate");
    if (value != NULL && strcmp(value, "source") == 0)
        e->reading.fps = EMBER_FPS_SOURCE;
    else
        return args_positive(&e->args, e->say, "frame-rate", &e->reading.fps);
    return EXIT_DONE;
}

static int export_read_clip_options(export *e)
{
    static const char *const fits[] = {"closed", "plain", NULL};
    size_t                   fit = 0;
    int                      code = export_read_rate(e);
    if (code == EXIT_DONE)
        code = export_read_range(e);
    if (code == EXIT_DONE)
        code = args_space(&e->args, e->say, "space", &e->deliver.writing.space);
    if (code == EXIT_DONE)
        code = args_choice(&e->args, e->say, "fit", fits, &fit);
    e->deliver.writing.fit = fit == 1 ? EMBER_FIT_PLAIN : EMBER_FIT_CLOSED;
    e->reading.loop = args_has(&e->args, "loop");
    if (code == EXIT_DONE && args_has(&e->args, "all") && args_has(&e->args, "animation"))
        code = args_usage(&e->args, e->say, "--all and --animation exclude each other");
    return code;
}

static bool export_on_skeleton(export *e)
{
    if (e->skeleton.info == NULL || !e->in.info->stores.names)
        return true;
    ember_error  err = EMBER_ERROR_INIT;
    say_listener listener = {.say = e->say, .file = e->in.name, .one_clip = false};
    ember_notes  notes = say_notes(&listener);
    if (ember_model_match(&e->model, &e->model, &e->skeleton.model.skeleton, &notes, &e->in.arena, &err) ==
        EMBER_OK)
        return true;
    say_library(e->say, e->in.name, &err);
    return false;
}

/* The clips to write: the first, those that --animation means, or all. */
static bool export_wants(void *user, const ember_model *model, uint32_t clip)
{
    const export *e = user;
    const char   *word = args_value(&e->args, "animation");
    return args_has(&e->args, "all") || (word == NULL && clip == 0) ||
           (word != NULL && pick_matches(model, clip, word));
}

/* Which they are. Free it. */
static uint32_t *export_choose(export *e, uint32_t *count)
{
    uint32_t *chosen = must_alloc((size_t)e->model.clip_count + 1, sizeof(*chosen));
    uint32_t  slots = 0;
    *count = 0;
    for (uint32_t i = 0; i < e->model.clip_count; i++)
        if (export_wants(e, &e->model, i) && deliver_is_slot(&e->model.clips[i], e->out.to))
            slots++;
        else if (export_wants(e, &e->model, i))
            chosen[(*count)++] = i;
    if (slots != 0)
        say_note(e->say, (place){e->in.name, NULL, NULL}, "%u empty %s left out", (unsigned)slots,
                 slots == 1 ? "slot is" : "slots are");
    return chosen;
}

static int export_deliver(export *e, const char *path, const deliver_part *part)
{
    bool good = !output_refuses(path, &e->args, e->say) && deliver_write(&e->deliver, path, part);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int export_clip(export *e, uint32_t *clip)
{
    deliver_part part = {e->in.name, &e->model, clip, 1};
    if (e->out.kind == OUTPUT_FILE)
        return export_deliver(e, e->out.path, &part);
    bool  again = false;
    char *path = output_path(&e->out, e->model.clips[*clip].name, &again);
    if (again)
        say_note(e->say, (place){e->in.name, e->model.clips[*clip].name, NULL},
                 "the name is taken, written as %s", path);
    int code = export_deliver(e, path, &part);
    free(path);
    return code;
}

static int export_clips(export *e)
{
    uint32_t  count;
    uint32_t *chosen = export_choose(e, &count);
    int       code = EXIT_DONE;
    if (count == 0 || (count > 1 && e->out.kind == OUTPUT_FILE && e->out.to->one_clip)) {
        char *names = pick_names(&e->model);
        place where = {e->in.name, NULL, NULL};
        if (e->model.clip_count == 0)
            code = say_error(e->say, where, "there are no animations in it%s",
                             e->in.info->format == EMBER_FORMAT_OBJ ? ": OBJ holds meshes only" : "");
        else if (count == 0 && !args_has(&e->args, "animation"))
            code = say_error(e->say, where, "the first animation has no frames: choose one with --animation");
        else if (count == 0)
            code = say_error(e->say, where, "no animation matches '%s': there are %s",
                             args_value(&e->args, "animation"), names);
        else
            code = say_error(e->say, where, "%u animations for one file: put {clip} in the output's name",
                             (unsigned)count);
        free(names);
    } else if (!e->out.to->one_clip && e->out.kind == OUTPUT_FILE) {
        deliver_part part = {e->in.name, &e->model, chosen, count};
        code = export_deliver(e, e->out.path, &part);
    } else {
        progress_start(&e->say->bar, count);
        for (uint32_t i = 0; i < count; i++) {
            if (export_clip(e, &chosen[i]) != EXIT_DONE)
                code = EXIT_FAILED;
            progress_step(&e->say->bar);
        }
    }
    free(chosen);
    return code;
}

static int export_animation(export *e)
{
    int code = export_read_clip_options(e);
    if (code != EXIT_DONE)
        return code;
    if (args_has(&e->args, "list"))
        return export_open(e) == EXIT_DONE ? export_list(e) : EXIT_FAILED;
    if ((code = output_plan(&e->out, &e->args, ember_format_get(ember_rom_kind_format(EMBER_ROM_KEYFRAMES)),
                            e->say)) != EXIT_DONE)
        return code;
    if ((code = lean_options_read(&e->ewzlean, e->out.to, &e->args, e->say)) != EXIT_DONE)
        return code;
    if (e->out.to->default_space == EMBER_SPACE_LOCAL && e->deliver.writing.space == EMBER_SPACE_MODEL)
        return args_usage(&e->args, e->say, "%s holds clips in local space, not in model space",
                          e->out.to->name);
    e->deliver.to = e->out.to;
    e->deliver.writing.ewzlean = &e->ewzlean;
    e->deliver.keep_rate = args_has(&e->args, "frame-rate");
    e->reading.fps_else = e->out.to->default_fps;
    const char *report = args_value(&e->args, "error-report");
    if (report != NULL &&
        (strcmp(report, e->out.path) == 0 || output_overwrites(&e->out, report, 0) != SIZE_MAX))
        return args_usage(&e->args, e->say, "--error-report would overwrite '%s'", report);
    e->reading.wants = export_wants;
    e->reading.wants_user = e;
    if (!export_open_skeleton(e) || export_open(e) != EXIT_DONE || !export_on_skeleton(e))
        return EXIT_FAILED;
    if (report != NULL)
        e->report = json_array();
    code = export_clips(e);
    if (report != NULL && code == EXIT_DONE)
        code = export_write_report(e, report);
    return code;
}

/* ---- the verb ---- */

/* What only one of the three takes, as the options' texts say; the rest is for all. */
static const char *const export_for_animation[] = {"animation", "all",   "take",         "frame-rate",
                                                   "space",     "fit",   "loop",         "range",
                                                   "skeleton",  "error", "error-report", NULL};
static const char *const export_for_mesh[] = {"mesh", "packed", "unpacked", "skinned", NULL};

static int export_refuse(const app_args *args, app_say *say, const char *const *options, const char *owner,
                         const char *kind)
{
    for (; strcmp(kind, owner) != 0 && *options != NULL; options++)
        if (args_has(args, *options))
            return args_usage(args, say, "--%s is for export %s, not for %s", *options, owner, kind);
    return EXIT_DONE;
}

static int export_check_kind(const app_args *args, app_say *say, const char *kind)
{
    int code = export_refuse(args, say, export_for_animation, "animation", kind);
    if (code == EXIT_DONE)
        code = export_refuse(args, say, export_for_mesh, "mesh", kind);
    if (code == EXIT_DONE && strcmp(kind, "skeleton") == 0 && args_has(args, "list"))
        code = args_usage(args, say, "--list is for export animation and mesh: a file has one skeleton");
    return code;
}

static int export_run(const app_args *args, app_say *say)
{
    static const struct {
        const char *name;
        int (*run)(export *e);
    } kinds[] = {{"animation", export_animation}, {"skeleton", export_skeleton}, {"mesh", export_mesh}};
    export e = {.args = *args, .say = say};
    int code = EXIT_USAGE;
    e.args.files++;
    e.args.file_count--;
    e.deliver = (deliver){.say = say, .ready = export_make_folder, .told = export_note_error, .user = &e};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(args->files[0], kinds[i].name) != 0)
            continue;
        code = export_check_kind(args, say, kinds[i].name);
        if (code == EXIT_DONE)
            code = input_options_read(&e.reading, &e.formats, &e.args, say);
        if (code == EXIT_DONE)
            code = kinds[i].run(&e);
        json_free(e.report);
        input_close(&e.in);
        input_close(&e.skeleton);
        output_free(&e.out);
        return code;
    }
    return args_usage(args, say, "first comes animation, skeleton or mesh, not '%s'", args->files[0]);
}

static const app_option export_options[] = {
    {"output", 'o', "OUT", "a file, a folder, or a name with {clip} in it (needed unless --list)"},
    {"list", 0, NULL, "animation, mesh: say what there is to choose from, on standard output"},
    {"animation", 0, "N|NAME", "animation: which one, by number (from 0), name or glob; else the first"},
    {"all", 0, NULL, "animation: every one, into a folder or a name with {clip}"},
    {"frame-rate", 0, "N|source", "animation: frames a second, or those of the source's keys; else 30"},
    {"skin", 0, "N|NAME", "whose joints are the bones (default: glTF the first skin, FBX all)"},
    INPUT_TAKE,
    {"space", 0, "model|local", "animation: model space, as the console draws it, or local; else model"},
    {"fit", 0, "closed|plain",
     "animation: local clips rounded against their parents (closed), or each value by itself"},
    {"loop", 0, NULL, "animation: leave out the last frame where it repeats the first"},
    {"range", 0, "A:B", "animation: only that part, in seconds; either may be left out"},
    {"skeleton", 0, "FILE", "animation: on that file's bones, matched by name (-v prints the map)"},
    {"scale", 0, "N", "multiply all lengths; 0.01 makes metres of centimetres"},
    LEAN_OPTIONS_ERROR("animation, "),
    {"error-report", 0, "FILE", "animation: what storing each cost, as JSON"},
    {"mesh", 0, "N|NAME", "mesh: which one; else the first"},
    {"packed", 0, NULL, "mesh: small vertices, as the console's ROM has them; so it is without --unpacked"},
    {"unpacked", 0, NULL, "mesh: vertices as floats"},
    {"tpose", 0, "keep|drop", "BVH: the T-pose that many captures begin with; else kept"},
    {"skinned", 0, NULL, "mesh: keep a mesh that follows one bone skinned"},
    OUTPUT_IN_PLACE,
    {"from", 0, "FMT", "the input's format; else by content, then by extension"},
    INPUT_MAX_MEMORY,
    {"to", 0, "FMT", "the output's format; else by OUT's extension"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_export = {
    .name = "export",
    .summary = "animations, skeleton and meshes of a model file for the console",
    .usage = "animation|skeleton|mesh IN -o OUT [options]",
    .about = "Animations are sampled from the first to the last key that moves the bones, each frame 1/rate "
             "after the one\n"
             "before. A skeleton keeps inverse binds, parents, names and rest pose. A mesh without weights "
             "that hangs on a\n"
             "bone is stored rigid, without skinning data.",
    .options = export_options,
    .example = "ember export animation hero.glb --all -o '{clip}.ewzanim'",
    .least_files = 2,
    .most_files = 2,
    .files = "animation, skeleton or mesh, and an input file",
    .run = export_run,
};
