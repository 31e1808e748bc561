/* SPDX-License-Identifier: MIT */
/* `ember diff`: how far the clips of one file are from those of another, in model space, by
   bone and frame. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json_text.h"
#include "cli/table.h"
#include "cli/text.h"
#include "ember/ember.h"
#include "files/input.h"
#include "files/pick.h"
#include "verbs/verbs.h"

typedef struct diff_job {
    const app_args    *args;
    app_say           *say;
    ember_read_options reading;
    input_formats      formats;
    input              skeleton;
    input              a, b;
    bool               json, bones, frames;
    double             shell; /* metres; 0: by the size of a */
    double             tolerance;
    bool               tolerance_set;
    json_t            *clips; /* NULL in text */
    json_t            *only_a, *only_b;
    bool               failed;
    size_t             compared;
} diff_job;

/* One pair of clips and what came of it; the arrays belong to the job of ember_compare_run. */
typedef struct diff_pair {
    const ember_clip *a, *b;
    ember_compare_job found;
    uint32_t         *order; /* a's bones, the worst first */
    bool             *met;   /* of b's bones: it was compared */
    bool              units; /* lengths are Final Fantasy VII's, not metres */
} diff_pair;

/* ---- one pair ---- */

/* qsort has no user pointer, so the errors travel with the bones. */
typedef struct diff_rank {
    double   error;
    uint32_t bone;
} diff_rank;

static int diff_worse(const void *x, const void *y)
{
    const diff_rank *a = x, *b = y;
    if (a->error != b->error)
        return a->error < b->error ? 1 : -1;
    return (a->bone > b->bone) - (a->bone < b->bone);
}

static void diff_sort(diff_pair *pair)
{
    uint32_t   count = pair->a->bone_count;
    diff_rank *ranks = must_alloc(count, sizeof(*ranks));
    pair->order = must_alloc(count, sizeof(*pair->order));
    for (uint32_t i = 0; i < count; i++)
        ranks[i] = (diff_rank){pair->found.bone_max[i], i};
    qsort(ranks, count, sizeof(*ranks), diff_worse);
    for (uint32_t i = 0; i < count; i++)
        pair->order[i] = ranks[i].bone;
    free(ranks);
}

/* The name of bone i of a's clip, or its number. Free it. */
static char *diff_bone(const diff_job *job, const ember_clip *clip, uint32_t i)
{
    uint32_t    bone = ember_clip_bone(clip, i);
    const char *name = ember_skeleton_name(&job->a.model.skeleton, bone);
    return name != NULL ? text_make("%s", name) : text_make("bone %u", (unsigned)bone);
}

static bool diff_same_shape(const diff_pair *pair)
{
    return pair->a->bone_count == pair->b->bone_count && pair->found.bone_count == pair->a->bone_count &&
           pair->a->frame_count == pair->b->frame_count;
}

static void diff_print_bones(const diff_job *job, const diff_pair *pair)
{
    enum { SHOWN = 10 };
    app_table table = {"lrr", NULL, 0, 0};
    char      max[TEXT_NUMBER_SIZE], mean[TEXT_NUMBER_SIZE];
    uint32_t  shown = 0;
    table_cell(&table, "bone");
    table_cell(&table, "max");
    table_cell(&table, "mean");
    for (uint32_t i = 0; i < pair->a->bone_count && (job->bones || shown < SHOWN); i++) {
        uint32_t bone = pair->order[i];
        double   error = pair->found.bone_max[bone];
        if (!job->bones && !(error > 0.0))
            break;
        char *name = diff_bone(job, pair->a, bone);
        table_cell(&table, "%s", name);
        table_cell(&table, "%s", error < 0.0 ? "only in A" : text_span(max, error, pair->units));
        table_cell(&table, "%s",
                   error < 0.0 ? "" : text_span(mean, pair->found.bone_mean[bone], pair->units));
        free(name);
        shown++;
    }
    if (shown != 0)
        table_print(&table, "  ");
    else
        table_drop(&table);
}

static void diff_print_frames(const diff_pair *pair)
{
    app_table table = {"rr", NULL, 0, 0};
    char      max[TEXT_NUMBER_SIZE];
    table_cell(&table, "frame");
    table_cell(&table, "max");
    for (uint32_t f = 0; f < pair->a->frame_count; f++) {
        table_cell(&table, "%u", (unsigned)f);
        table_cell(&table, "%s",
                   pair->found.frame_max[f] < 0.0 ? "only in A"
                                                  : text_span(max, pair->found.frame_max[f], pair->units));
    }
    table_print(&table, "  ");
}

static void diff_print(diff_job *job, const diff_pair *pair)
{
    const ember_compare_job *found = &pair->found;
    char  max[TEXT_NUMBER_SIZE], mean[TEXT_NUMBER_SIZE], shell[TEXT_NUMBER_SIZE], size[TEXT_NUMBER_SIZE];
    char *bone = diff_bone(job, pair->a, found->max_bone);
    char *where = text_make("%s:%s and %s:%s", job->a.name, pair->a->name, job->b.name, pair->b->name);
    char *line = text_escape(where), *safe_bone = text_escape(bone);

    printf("%s%s\n", job->compared > 0 ? "\n" : "", line);
    if (pair->a->bone_count != pair->b->bone_count || found->bone_count != pair->a->bone_count)
        printf("  bones: %u and %u, %u compared\n", (unsigned)pair->a->bone_count,
               (unsigned)pair->b->bone_count, (unsigned)found->bone_count);
    if (pair->a->frame_count != pair->b->frame_count)
        printf("  frames: %u and %u, %u compared\n", (unsigned)pair->a->frame_count,
               (unsigned)pair->b->frame_count, (unsigned)found->frame_count);
    if (found->max == 0.0)
        printf("  no difference: %u %s, %u %s\n", (unsigned)found->bone_count,
               found->bone_count == 1 ? "bone" : "bones", (unsigned)found->frame_count,
               found->frame_count == 1 ? "frame" : "frames");
    else
        printf("  max error   %s at %s frame %u\n  mean error  %s\n", text_span(max, found->max, pair->units),
               safe_bone, (unsigned)found->max_frame, text_span(mean, found->mean, pair->units));
    if (found->max != 0.0)
        printf("  measured %s around the bones of a model of %s\n",
               text_span(shell, (double)found->used_shell, pair->units),
               text_span(size, (double)found->size, pair->units));
    if (found->max != 0.0 || job->bones)
        diff_print_bones(job, pair);
    if (job->frames)
        diff_print_frames(pair);
    free(bone);
    free(where);
    free(line);
    free(safe_bone);
}

static json_t *diff_side_json(const ember_clip *clip)
{
    json_t *side = json_object();
    json_put(side, "clip", json_text(clip->name));
    json_put(side, "bone_count", json_count(clip->bone_count));
    json_put(side, "frame_count", json_count(clip->frame_count));
    return side;
}

static json_t *diff_value_json(double error) { return error < 0.0 ? json_null() : json_number(error); }

static json_t *diff_pair_json(const diff_job *job, const diff_pair *pair)
{
    const ember_compare_job *found = &pair->found;
    json_t                  *object = json_object(), *bones = json_array(), *frames = json_array();
    json_put(object, "a", diff_side_json(pair->a));
    json_put(object, "b", diff_side_json(pair->b));
    json_put(object, "bone_count", json_count(found->bone_count));
    json_put(object, "frame_count", json_count(found->frame_count));
    json_put(object, "max", json_number(found->max));
    json_put(object, "mean", json_number(found->mean));
    json_put(object, "max_bone",
             found->max > 0.0 ? json_count(ember_clip_bone(pair->a, found->max_bone)) : json_null());
    json_put(object, "max_frame", found->max > 0.0 ? json_count(found->max_frame) : json_null());
    json_put(object, "shell", json_float(found->used_shell));
    json_put(object, "size", json_float(found->size));
    for (uint32_t i = 0; i < pair->a->bone_count; i++) {
        uint32_t at = pair->order[i], bone = ember_clip_bone(pair->a, at);
        json_t  *entry = json_object();
        json_put(entry, "bone", json_count(bone));
        json_put(entry, "name", json_text(ember_skeleton_name(&job->a.model.skeleton, bone)));
        json_put(entry, "max", diff_value_json(found->bone_max[at]));
        json_put(entry, "mean", diff_value_json(found->bone_mean[at]));
        json_add(bones, entry);
    }
    json_put(object, "bones", bones);
    for (uint32_t f = 0; f < pair->a->frame_count; f++)
        json_add(frames, diff_value_json(found->frame_max[f]));
    json_put(object, "frame_max", frames);
    return object;
}

static bool diff_is_finite(const ember_clip *clip)
{
    size_t count = (size_t)clip->frame_count * clip->bone_count;
    for (size_t i = 0; i < count; i++) {
        float values[10];
        memcpy(values, &clip->frames[i], sizeof(values));
        for (int k = 0; k < 10; k++)
            if (!isfinite(values[k]))
                return false;
    }
    return true;
}

/* Whether the clip's bone is not the same in all frames. */
static bool diff_moves(const ember_clip *clip, uint32_t bone)
{
    for (uint32_t f = 1; f < clip->frame_count; f++)
        if (memcmp(&clip->frames[(size_t)f * clip->bone_count + bone], &clip->frames[bone],
                   sizeof(*clip->frames)) != 0)
            return true;
    return false;
}

/* Bones that move and have none to compare with, of a and of b. */
static void diff_judge_bones(diff_job *job, const diff_pair *pair)
{
    const ember_compare_job *found = &pair->found;
    uint32_t                 left_a = 0, left_b = 0;
    for (uint32_t i = 0; i < pair->a->bone_count; i++)
        left_a += found->bone_max[i] < 0.0 && diff_moves(pair->a, i) ? 1u : 0u;
    for (uint32_t i = 0; i < pair->b->bone_count; i++)
        left_b += !pair->met[i] && diff_moves(pair->b, i) ? 1u : 0u;
    if (left_a == 0 && left_b == 0)
        return;
    say_error(
        job->say, (place){job->b.name, pair->b->name, NULL},
        "not all was compared: %u bones of %s and %u of %s move and have none of their name in the other",
        (unsigned)left_a, job->a.name, (unsigned)left_b, job->b.name);
    job->failed = true;
}

static void diff_judge(diff_job *job, const diff_pair *pair)
{
    char  max[TEXT_NUMBER_SIZE], limit[TEXT_NUMBER_SIZE];
    place where = {job->b.name, pair->b->name, NULL};
    diff_judge_bones(job, pair);
    if (!isfinite(pair->found.max) || !diff_is_finite(pair->a) || !diff_is_finite(pair->b)) {
        say_error(job->say, where, "cannot be compared everywhere: there are numbers that are not finite");
        job->failed = true;
        return;
    }
    if (!job->tolerance_set)
        return;
    if (!(pair->found.max <= job->tolerance)) {
        say_error(job->say, where, "max error %s is above the tolerance of %s",
                  text_span(max, pair->found.max, pair->units),
                  text_span(limit, job->tolerance, pair->units));
        job->failed = true;
    }
    if (!diff_same_shape(pair)) {
        say_error(job->say, where, "%u bones and %u frames, but %u and %u in %s",
                  (unsigned)pair->b->bone_count, (unsigned)pair->b->frame_count,
                  (unsigned)pair->a->bone_count, (unsigned)pair->a->frame_count, job->a.name);
        job->failed = true;
    }
}

static void diff_compare(diff_job *job, const ember_clip *a, const ember_clip *b)
{
    ember_error err = EMBER_ERROR_INIT;
    ember_arena scratch = ember_arena_growing(ember_heap(), 0);
    diff_pair   pair = {.a = a, .b = b};
    pair.units = ember_ff7_clip_of(a) != NULL || ember_ff7_clip_of(b) != NULL;
    pair.found = (ember_compare_job){
        .a_model = &job->a.model,
        .b_model = &job->b.model,
        .a = a,
        .b = b,
        .shell = (float)job->shell,
        .bone_max = must_alloc(a->bone_count, sizeof(double)),
        .bone_mean = must_alloc(a->bone_count, sizeof(double)),
        .frame_max = must_alloc(a->frame_count, sizeof(double)),
        .met = pair.met = must_alloc(b->bone_count, sizeof(bool)),
    };
    if (ember_compare_run(&pair.found, &scratch, &err) != EMBER_OK) {
        say_error(job->say, (place){job->b.name, b->name, NULL}, "cannot be compared with %s of %s: %s",
                  a->name, job->a.name, emberi_error_line_of(&err).text);
        job->failed = true;
    } else {
        diff_sort(&pair);
        if (job->json)
            json_add(job->clips, diff_pair_json(job, &pair));
        else
            diff_print(job, &pair);
        job->compared++;
        diff_judge(job, &pair);
    }
    free(pair.order);
    free(pair.found.bone_max);
    free(pair.found.bone_mean);
    free(pair.found.frame_max);
    free(pair.met);
    ember_arena_free(&scratch);
}

/* ---- which clips belong together ---- */

static const ember_clip *diff_by_name(const ember_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, name) == 0)
            return &model->clips[i];
    return NULL;
}

static void diff_only(diff_job *job, const input *here, const input *there, const ember_clip *clip)
{
    say_error(job->say, (place){here->name, clip->name, NULL}, "there is no such clip in %s", there->name);
    job->failed = true;
    if (job->json)
        json_add(here == &job->a ? job->only_a : job->only_b, json_text(clip->name));
}

static void diff_match_by_name(diff_job *job)
{
    const ember_model *a = &job->a.model, *b = &job->b.model;
    for (uint32_t i = 0; i < a->clip_count; i++) {
        const ember_clip *twin = diff_by_name(b, a->clips[i].name);
        if (twin != NULL)
            diff_compare(job, &a->clips[i], twin);
        else
            diff_only(job, &job->a, &job->b, &a->clips[i]);
    }
    for (uint32_t i = 0; i < b->clip_count; i++)
        if (diff_by_name(a, b->clips[i].name) == NULL)
            diff_only(job, &job->b, &job->a, &b->clips[i]);
}

static void diff_match_by_index(diff_job *job)
{
    const ember_model *a = &job->a.model, *b = &job->b.model;
    uint32_t           both = a->clip_count < b->clip_count ? a->clip_count : b->clip_count;
    for (uint32_t i = 0; i < both; i++)
        diff_compare(job, &a->clips[i], &b->clips[i]);
    for (uint32_t i = both; i < a->clip_count; i++)
        diff_only(job, &job->a, &job->b, &a->clips[i]);
    for (uint32_t i = both; i < b->clip_count; i++)
        diff_only(job, &job->b, &job->a, &b->clips[i]);
}

static const ember_clip *diff_pick(diff_job *job, const input *in, const char *word)
{
    const ember_clip *clip = pick_first(&in->model, word);
    if (clip == NULL) {
        char *names = pick_names(&in->model);
        say_error(job->say, (place){in->name, NULL, NULL}, "no clip matches '%s': the clips are %s", word,
                  names);
        free(names);
        job->failed = true;
    }
    return clip;
}

/* --clip names a's clip, and b's too, unless --clip-b does or b has only one anyway. */
static void diff_chosen(diff_job *job)
{
    const char       *word_a = args_value(job->args, "clip"), *word_b = args_value(job->args, "clip-b");
    const ember_clip *a = NULL, *b = NULL;
    if (word_a != NULL)
        a = diff_pick(job, &job->a, word_a);
    else if (job->a.model.clip_count == 1)
        a = &job->a.model.clips[0];
    else
        a = diff_pick(job, &job->a, word_b);
    if (a == NULL)
        return;
    if (word_b == NULL && job->b.model.clip_count == 1)
        b = &job->b.model.clips[0];
    else
        b = diff_pick(job, &job->b, word_b != NULL ? word_b : word_a);
    if (b != NULL)
        diff_compare(job, a, b);
}

static void diff_all(diff_job *job)
{
    const ember_model *a = &job->a.model, *b = &job->b.model;
    bool               names_meet = false;
    for (uint32_t i = 0; i < a->clip_count; i++)
        names_meet = names_meet || diff_by_name(b, a->clips[i].name) != NULL;
    if (a->clip_count == 0 || b->clip_count == 0) {
        say_error(job->say, (place){a->clip_count == 0 ? job->a.name : job->b.name, NULL, NULL},
                  "there are no clips in it");
        job->failed = true;
    } else if (names_meet && !(a->clip_count == 1 && b->clip_count == 1)) {
        diff_match_by_name(job);
    } else {
        diff_match_by_index(job);
    }
}

/* ---- the verb ---- */

static int diff_read_options(diff_job *job)
{
    const app_args *args = job->args;
    const char     *tolerance = args_value(args, "tolerance");
    int             code = input_options_read(&job->reading, &job->formats, args, job->say);
    if (code == EXIT_DONE)
        code = args_report(args, job->say, &job->json);
    if (code == EXIT_DONE)
        code = args_positive(args, job->say, "shell", &job->shell);
    if (code != EXIT_DONE || tolerance == NULL)
        return code;
    if (!text_read_double(&job->tolerance, tolerance) || job->tolerance < 0.0)
        return args_usage(args, job->say, "--tolerance is a length in metres, 0 or more, not '%s'",
                          tolerance);
    job->tolerance_set = true;
    return EXIT_DONE;
}

static bool diff_open(diff_job *job)
{
    const char        *skeleton = args_value(job->args, "skeleton");
    ember_read_options plain = {.memory_limit = job->reading.memory_limit,
                                .skip_meshes = true,
                                .skip_clips = true};
    if (skeleton != NULL) {
        if (!input_open(&job->skeleton, skeleton, &plain, job->say))
            return false;
        job->reading.skeleton = &job->skeleton.model.skeleton;
    }
    const char *const *files = job->args->files;
    bool               a = input_open(&job->a, files[0], &job->reading, job->say);
    /* What is wrong with a file is said once. */
    bool b = (a || strcmp(files[0], files[1]) != 0) && input_open(&job->b, files[1], &job->reading, job->say);
    /* It is for one of the two at least. */
    return a && b && (!job->b.info->stores.space || input_takes_space(&job->a, &job->reading, job->say)) &&
           ((job->b.info->takes & EMBER_TAKES_FBX) != 0 ||
            input_takes_take(&job->a, &job->reading, job->say));
}

static void diff_print_json(diff_job *job)
{
    json_t *root = json_object();
    json_put(root, "format", json_text("ember-diff"));
    json_put(root, "version", json_count(1));
    json_put(root, "a", json_text(job->args->files[0]));
    json_put(root, "b", json_text(job->args->files[1]));
    json_put(root, "tolerance", job->tolerance_set ? json_number(job->tolerance) : json_null());
    json_put(root, "passed", json_boolean(!job->failed));
    json_put(root, "clips", job->clips);
    json_put(root, "only_a", job->only_a);
    json_put(root, "only_b", job->only_b);
    json_print(root);
}

static int diff_run(const app_args *args, app_say *say)
{
    diff_job job = {.args = args,
                    .say = say,
                    .bones = args_has(args, "bones"),
                    .frames = args_has(args, "frames")};
    int      code = diff_read_options(&job);
    if (code == EXIT_DONE && !diff_open(&job)) {
        code = EXIT_FAILED;
    } else if (code == EXIT_DONE) {
        if (job.json) {
            job.clips = json_array();
            job.only_a = json_array();
            job.only_b = json_array();
        }
        input_share_skeleton(&job.a, &job.b, &job.reading, say);
        input_share_skeleton(&job.b, &job.a, &job.reading, say);
        if (args_has(args, "clip") || args_has(args, "clip-b"))
            diff_chosen(&job);
        else
            diff_all(&job);
        if (job.json)
            diff_print_json(&job);
        code = job.failed ? EXIT_FAILED : EXIT_DONE;
    }
    input_close(&job.a);
    input_close(&job.b);
    input_close(&job.skeleton);
    return code;
}

static const app_option diff_options[] = {
    {"clip", 0, "NAME|N",
     "the clip of A, and of B if it has more than one; else clips are matched by name, or in order"},
    {"clip-b", 0, "NAME|N", "the clip of B"},
    {"tolerance", 0, "M",
     "fail where the error is above that many metres, or bones, frames or clips differ in number"},
    {"shell", 0, "M",
     "how far from the bones errors are measured, in metres; else a sixtieth of the model's size"},
    {"format", 0, "text|json", "how to print it; text is the default"},
    {"bones", 0, NULL, "text: all bones, not the ten worst"},
    {"frames", 0, NULL, "text: the worst error of each frame"},
    {"from", 0, "FMT", "the files' format; else by content, then by extension"},
    {"source-space", 0, "model|local", "the space of files that do not say (.ewzanim, .eza); else model"},
    {"skeleton", 0, "FILE",
     "names, parents and rest of the bones for files without them; else the other file's"},
    {"fps", 0, "N", "the rate at which curves (glTF, FBX) are sampled; else 30"},
    INPUT_TAKE,
    {"unit", 0, "N|auto", "animbin: stored units that make a length of 1, or by the skeleton; else 4096"},
    {"basis", 0, "same|psx", "animbin: with psx its roots are turned by diag(1, -1, -1)"},
    INPUT_MAX_MEMORY,
    {NULL, 0, NULL, NULL},
};

const app_verb verb_diff = {
    .name = "diff",
    .summary = "how far the clips of two files are apart, by bone and frame",
    .usage = "A B [options]",
    .about =
        "The error is how far points around each bone are from where they should be, in model space; units "
        "are\n"
        "taken to be metres. Exit status 1 if something could not be compared or is above the tolerance.",
    .options = diff_options,
    .example = "ember diff --tolerance 0.005 walk.json walk.ewzanim",
    .least_files = 2,
    .most_files = 2,
    .files = "one of the two files",
    .run = diff_run,
};
