/* SPDX-License-Identifier: MIT */
/* `ember validate`: whether files fit a target, as findings with stable codes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/findings.h"
#include "cli/json_text.h"
#include "cli/text.h"
#include "ember/ember.h"
#include "files/ff7_options.h"
#include "files/input.h"
#include "files/output.h"
#include "files/rom_input.h"
#include "verbs/validate/validate_console.h"
#include "verbs/validate/validate_ewz.h"
#include "verbs/validate/validate_ff7.h"
#include "verbs/validate/validate_madnight.h"
#include "verbs/validate/validate_rom.h"
#include "verbs/verbs.h"

typedef enum validate_target { TARGET_EWZ, TARGET_FF7, TARGET_MADNIGHT, TARGET_CONSOLE } validate_target;

/* What the bytes of a file that fits are. */
static const char *const validate_stored[] = {"keyframes", "pack", "animbin", "module"};

static const char *const validate_targets[] = {"ewz", "ff7", "madnight", "console", NULL};

typedef struct validate_job {
    validate_target    target;
    const app_args    *args;
    app_say           *say;
    ember_read_options reading;
    input_formats      formats;
    input              skeleton;
    ff7_files          ff7; /* the skeleton once more, if it is one of FF7's */
    ember_space        space;
    bool               json;
    json_t            *files;
    bool               failed;
    findings_sums      sums; /* warnings of several files */
} validate_job;

static void validate_unreadable(const validate_job *job, findings *found, const ember_error *why)
{
    if (job->target == TARGET_MADNIGHT)
        validate_madnight_unreadable(found, why);
    else if (job->target == TARGET_FF7)
        validate_ff7_unreadable(found, why);
    else
        validate_ewz_unreadable(found, why);
}

/* What a file that fits comes to. */
typedef struct validate_sum {
    uint32_t clip_count;
    uint32_t function_count; /* of the console's, which a game uses */
    uint64_t size;
} validate_sum;

/* ANIMBIN for its own player: the bytes are what it gets, so no frame has to be sampled. */
static void validate_animbin(validate_job *job, input *in, findings *found, validate_sum *sum)
{
    ember_error err = EMBER_ERROR_INIT;
    sum->size = in->bytes.size;
    if (!validate_madnight_file(found, &sum->clip_count, &in->bytes, job->reading.skeleton, &err))
        validate_unreadable(job, found, &err);
}

/* A pack for its game, by its bytes too; other formats have no packs to look at. */
static void validate_pack(validate_job *job, input *in, findings *found, validate_sum *sum)
{
    ember_error err = EMBER_ERROR_INIT;
    sum->size = in->bytes.size;
    if (in->info->format != EMBER_FORMAT_FF7)
        ember_fail(&err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET, "is no battle pack of Final Fantasy VII");
    else
        validate_ff7_file(found, &sum->clip_count, &in->bytes,
                          job->ff7.skeleton.bone_count != 0 ? &job->ff7.skeleton : NULL, &err);
    if (err.status != EMBER_OK)
        validate_unreadable(job, found, &err);
}

static void validate_read(validate_job *job, input *in, findings *found, validate_sum *sum)
{
    ember_error err = EMBER_ERROR_INIT;
    app_say     silent = *job->say; /* what reading warns of is among the findings */
    silent.quiet = true;
    if (job->target == TARGET_CONSOLE) {
        validate_console(found, in, &sum->function_count);
        return;
    }
    if (job->target == TARGET_EWZ && !args_has(job->args, "from") && rom_input_is(in)) {
        validate_rom(found, in);
        return;
    }
    if (!input_tell(in, &job->reading, &err)) {
        validate_unreadable(job, found, &err);
        return;
    }
    if (job->target == TARGET_FF7) {
        validate_pack(job, in, found, sum);
        return;
    }
    if (job->target == TARGET_MADNIGHT && in->info->format == EMBER_FORMAT_ANIMBIN) {
        validate_animbin(job, in, found, sum);
        return;
    }
    if (job->target == TARGET_EWZ && validate_ewz_is_stored(in->info->format)) {
        char *clip = output_stem(in->path);
        bool  good = validate_ewz_bytes(found, strcmp(in->path, "-") == 0 ? "clip" : clip, in->bytes.data,
                                        in->bytes.size);
        free(clip);
        if (!good)
            return;
    }
    if (!input_parse(in, &job->reading, &silent, &err)) {
        validate_unreadable(job, found, &err);
        return;
    }
    if (job->target == TARGET_EWZ)
        validate_ewz_model(found, &in->model, job->space);
    else if (!validate_madnight_model(found, &in->model, &job->formats.animbin, &err))
        validate_unreadable(job, found, &err);
    sum->clip_count = in->model.clip_count;
    if (found->errors == 0)
        sum->size = job->target == TARGET_EWZ ? validate_ewz_size(&in->model)
                                              : validate_madnight_size(&in->model, &job->formats.animbin);
}

static void validate_print(validate_job *job, const input *in, const findings *found, const validate_sum *sum)
{
    char  size[TEXT_NUMBER_SIZE];
    char *name = text_escape(in->name);
    bool  many = job->args->file_count > 1 && !job->say->verbose;
    findings_print(found, in->name, !many, job->say);
    if (many)
        findings_sum_add(&job->sums, found, in->name);
    if (found->errors == 0 && job->target == TARGET_CONSOLE) {
        printf("%s: fits console: uses %u of its functions\n", name, (unsigned)sum->function_count);
    } else if (found->errors == 0 && in->info == NULL) {
        printf("%s: a whole ROM, %s B of 16 MiB\n", name, text_count(size, in->bytes.size));
    } else if (found->errors == 0) {
        printf("%s: fits %s: %u %s, %s B of %s\n", name, validate_targets[job->target],
               (unsigned)sum->clip_count, sum->clip_count == 1 ? "clip" : "clips",
               text_count(size, sum->size), validate_stored[job->target]);
    }
    free(name);
}

static void validate_add(validate_job *job, const input *in, const findings *found)
{
    json_t *file = json_object();
    json_put(file, "path", json_text(in->path));
    json_put(file, "format",
             in->info != NULL                ? json_text(in->info->name)
             : rom_input_is(in)              ? json_text("ewz")
             : job->target == TARGET_CONSOLE ? json_text("wasm")
                                             : json_null());
    json_put(file, "fits", json_boolean(found->errors == 0));
    json_put(file, "errors", json_count(found->errors));
    json_put(file, "warnings", json_count(found->warnings));
    json_put(file, "findings", findings_json(found));
    json_add(job->files, file);
}

static void validate_file(validate_job *job, const char *path)
{
    input        in;
    findings     found = {NULL, 0, 0, 0, 0};
    validate_sum sum = {0, 0, 0};
    ember_error  err = EMBER_ERROR_INIT;
    if (!input_load(&in, path, &err)) {
        say_library(job->say, in.name, &err);
        job->failed = true;
        if (job->json) {
            json_t *file = json_object();
            json_put(file, "path", json_text(path));
            json_put(file, "error", json_text(emberi_error_line_of(&err).text));
            json_add(job->files, file);
        }
    } else {
        validate_read(job, &in, &found, &sum);
        job->failed = job->failed || found.errors != 0;
        if (job->json)
            validate_add(job, &in, &found);
        else
            validate_print(job, &in, &found, &sum);
    }
    findings_free(&found);
    input_close(&in);
}

static int validate_read_options(validate_job *job)
{
    const app_args *args = job->args;
    size_t          target = 0;
    /* A ROM is for one console alone. */
    bool            needs_target = false;
    for (size_t i = 0; i < args->file_count; i++)
        needs_target = needs_target || !rom_input_is_file(args->files[i]);
    if (!args_has(args, "target") && needs_target)
        return args_usage(args, job->say, "--target is missing: ewz, ff7, madnight or console");
    int code = args_choice(args, job->say, "target", validate_targets, &target);
    job->target = (validate_target)target;
    if (code == EXIT_DONE)
        code = input_options_read(&job->reading, &job->formats, args, job->say);
    job->reading.leave_bad_meshes = false;
    if (code == EXIT_DONE)
        code = args_space(args, job->say, "space", &job->space);
    if (code == EXIT_DONE)
        code = args_report(args, job->say, &job->json);
    return code;
}

static bool validate_open_skeleton(validate_job *job)
{
    const char        *path = args_value(job->args, "skeleton");
    ember_read_options plain = {.memory_limit = job->reading.memory_limit,
                                .skip_meshes = true,
                                .skip_clips = true};
    if (path != NULL && !input_open(&job->skeleton, path, &plain, job->say))
        return false;
    if (path != NULL)
        job->reading.skeleton = &job->skeleton.model.skeleton;
    return ff7_files_open(&job->ff7, &job->skeleton, job->args, job->say);
}

static int validate_run(const app_args *args, app_say *say)
{
    validate_job job = {.args = args, .say = say, .space = EMBER_SPACE_MODEL};
    int          code = validate_read_options(&job);
    if (code == EXIT_DONE && !validate_open_skeleton(&job))
        code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        job.files = job.json ? json_array() : NULL;
        for (size_t i = 0; i < args->file_count; i++)
            validate_file(&job, args->files[i]);
        findings_sums_print(&job.sums, say);
        if (job.json) {
            json_t *root = json_object();
            json_put(root, "format", json_text("ember-validate"));
            json_put(root, "version", json_count(1));
            json_put(root, "target", json_text(validate_targets[job.target]));
            json_put(root, "files", job.files);
            json_print(root);
        }
        code = job.failed ? EXIT_FAILED : EXIT_DONE;
    }
    ff7_files_close(&job.ff7);
    input_close(&job.skeleton);
    return code;
}

static const app_option validate_options[] = {
    {"target", 0, "ewz|ff7|madnight|console",
     "what it has to fit; console is for games and what they import (default for ROMs: ewz)"},
    {"format", 0, "text|json", "how to print it; text is the default"},
    {"fps", 0, "N", "the rate, in place of the files': curves (glTF) are sampled at it; else 30"},
    {"space", 0, "model|local", "ewz: the space in which the clips will be stored; else model"},
    {"unit", 0, "N|auto", "animbin: stored units that make a length of 1, or by the skeleton; else 4096"},
    {"basis", 0, "same|psx", "animbin: with psx its roots are turned by diag(1, -1, -1)"},
    {"from", 0, "FMT", "the files' format; else by content, then by extension"},
    {"source-space", 0, "model|local", "the space of files that do not say (.ewzanim, .eza); else model"},
    {"skeleton", 0, "FILE", "names, parents and rest of the bones for files without them"},
    INPUT_MAX_MEMORY,
    {NULL, 0, NULL, NULL},
};

const app_verb verb_validate = {
    .name = "validate",
    .summary = "whether a file fits a target, as findings with codes",
    .usage = "FILE... --target ewz|ff7|madnight|console [options]",
    .about = "Findings are lines `file:clip:bone: error CODE: text`; docs/commands.md explains the codes. "
             "Exit status 1\n"
             "if there is an error, 0 if there are only warnings. Of a ROM every byte is looked at, and what "
             "is damaged is named.",
    .options = validate_options,
    .example = "ember validate --target ewz walk.ewzanim hero.json",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "a file",
    .run = validate_run,
};
