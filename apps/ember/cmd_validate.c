/* `ember validate`: whether files fit a target, as findings with stable codes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/ember.h"
#include "findings.h"
#include "input.h"
#include "json_text.h"
#include "output.h"
#include "text.h"
#include "validate_ewz.h"
#include "verbs.h"

typedef struct validate_job {
    const app_args *args;
    app_say        *say;
    input_options   reading;
    input           skeleton;
    ember_space     space;
    bool            json;
    json_t         *files;
    bool            failed;
} validate_job;

static void validate_read(validate_job *job, input *in, findings *found)
{
    ember_error err = EMBER_ERROR_INIT;
    app_say     silent = *job->say; /* what reading warns of is among the findings */
    silent.quiet = true;
    if (!input_tell(in, &job->reading, &err)) {
        validate_ewz_unreadable(found, err.text);
        return;
    }
    if (in->info->format == EMBER_FORMAT_EWZANIM) {
        char *clip = output_stem(in->path);
        bool  good = validate_ewz_bytes(found, strcmp(in->path, "-") == 0 ? "clip" : clip, in->bytes.data, in->bytes.size);
        free(clip);
        if (!good)
            return;
    }
    if (!input_parse(in, &job->reading, &silent, &err)) {
        validate_ewz_unreadable(found, err.text);
        return;
    }
    validate_ewz_model(found, &in->model, job->space);
}

static void validate_print(const validate_job *job, const input *in, const findings *found)
{
    char  size[TEXT_NUMBER_SIZE];
    char *name = text_escape(in->name);
    findings_print(found, in->name, job->say);
    if (found->errors == 0)
        printf("%s: fits ewz: %u %s, %s B of keyframes\n", name, (unsigned)in->model.clip_count,
               in->model.clip_count == 1 ? "clip" : "clips", text_count(size, validate_ewz_size(&in->model)));
    free(name);
}

static void validate_add(validate_job *job, const input *in, const findings *found)
{
    json_t *file = json_object();
    json_put(file, "path", json_text(in->path));
    json_put(file, "format", in->info != NULL ? json_text(in->info->name) : json_null());
    json_put(file, "fits", json_boolean(found->errors == 0));
    json_put(file, "errors", json_count(found->errors));
    json_put(file, "warnings", json_count(found->warnings));
    json_put(file, "findings", findings_json(found));
    json_add(job->files, file);
}

static void validate_file(validate_job *job, const char *path)
{
    input       in;
    findings    found = {NULL, 0, 0, 0, 0};
    ember_error err = EMBER_ERROR_INIT;
    if (!input_load(&in, path, &err)) {
        say_library(job->say, in.name, NULL, &err);
        job->failed = true;
        if (job->json) {
            json_t *file = json_object();
            json_put(file, "path", json_text(path));
            json_put(file, "error", json_text(err.text));
            json_add(job->files, file);
        }
    } else {
        validate_read(job, &in, &found);
        job->failed = job->failed || found.errors != 0;
        if (job->json)
            validate_add(job, &in, &found);
        else
            validate_print(job, &in, &found);
    }
    findings_free(&found);
    input_close(&in);
}

static int validate_read_options(validate_job *job)
{
    static const char *const targets[] = {"ewz", NULL};
    const app_args          *args = job->args;
    size_t                   target = 0;
    if (!args_has(args, "target"))
        return args_usage(args, job->say, "--target is missing: ewz");
    int code = args_choice(args, job->say, "target", targets, &target);
    if (code == EXIT_DONE)
        code = input_options_read(&job->reading, args, job->say);
    if (code == EXIT_DONE)
        code = args_space(args, job->say, "space", &job->space);
    if (code == EXIT_DONE)
        code = args_report(args, job->say, &job->json);
    return code;
}

static bool validate_open_skeleton(validate_job *job)
{
    const char   *path = args_value(job->args, "skeleton");
    input_options plain = {.from = NULL};
    if (path == NULL)
        return true;
    job->reading.skeleton = &job->skeleton.model.skeleton;
    return input_open(&job->skeleton, path, &plain, job->say);
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
        if (job.json) {
            json_t *root = json_object();
            json_put(root, "format", json_text("ember-validate"));
            json_put(root, "version", json_count(1));
            json_put(root, "target", json_text("ewz"));
            json_put(root, "files", job.files);
            json_print(root);
        }
        code = job.failed ? EXIT_FAILED : EXIT_DONE;
    }
    input_close(&job.skeleton);
    return code;
}

static const app_option validate_options[] = {
    {"target", 0, "ewz", "what it has to fit: ewz is Emberware Z (needed)"},
    {"format", 0, "text|json", "how to print it; text is the default"},
    {"space", 0, "model|local", "the space in which the clips will be stored; else model"},
    {"from", 0, "FMT", "the files' format; else by content, then by extension"},
    {"source-space", 0, "model|local", "the space of files that do not say (.ewzanim, .eza); else model"},
    {"skeleton", 0, "FILE", "names, parents and rest of the bones for files without them"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_validate = {
    .name = "validate",
    .summary = "whether a file fits a target, as findings with codes",
    .usage = "FILE... --target ewz [options]",
    .about = "Findings are lines `file:clip:bone: error CODE: text`; docs/commands.md explains the codes. Exit status 1\n"
             "if there is an error, 0 if there are only warnings.",
    .options = validate_options,
    .example = "ember validate --target ewz walk.ewzanim hero.json",
    .least_files = 1,
    .most_files = ARGS_ANY_COUNT,
    .files = "a file",
    .run = validate_run,
};
