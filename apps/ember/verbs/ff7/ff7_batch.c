/* SPDX-License-Identifier: MIT */
/* One action on every pack that was named or lies in a folder that was: each is written whole or not at all,
   a broken one does not stop the others, and a line at the end sums up. */
#include "verbs/ff7/ff7_batch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "files/output.h"
#include "platform/folders.h"
#include "verbs/ff7/ff7_pack_file.h"
#include "verbs/ff7/ff7_stage.h"

typedef ember_status batch_action(ember_buffer *out, const ff7_pack *file, ember_ff7_report *report,
                                  void *user, const ember_notes *notes, ember_error *err);

typedef struct batch {
    const app_args *args;
    app_say        *say;
    batch_action   *action;
    void           *user;
    const char     *skeleton;
    const char     *tail;  /* what becomes of bytes behind the last chunk */
    bool            tells; /* the action itself says what else is wrong with the pack as a whole */
    char          **paths; /* of all packs */
    size_t          count, room;
    bool            to_folder, staged;
    ff7_stage       stage;
    size_t          done, failed, clips, changed, repaired, lost_frames;
    uint64_t        before, after;
} batch;

/* ---- which packs ---- */

static void batch_add(batch *b, char *path)
{
    if (b->count == b->room) {
        b->room = b->room * 2 + 16;
        b->paths = must_resize(b->paths, b->room, sizeof(*b->paths));
    }
    b->paths[b->count++] = path;
}

static int batch_order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Every file of the folder that is called like a pack, in the order of their names. */
static bool batch_add_folder(batch *b, const char *folder)
{
    emberi_folder *entries = emberi_folder_open(folder);
    size_t         first = b->count;
    if (entries == NULL) {
        say_error(b->say, (place){folder, NULL, NULL}, "cannot be read: %s", strerror(errno));
        return false;
    }
    for (const char *name; (name = emberi_folder_next(entries)) != NULL;) {
        if (!ff7_pack_is_named(name))
            continue;
        size_t size = strlen(folder);
        char  *path = text_make("%s%s%s", folder, size > 0 && folder[size - 1] == '/' ? "" : "/", name);
        if (emberi_path_is(path) == EMBERI_PATH_FILE)
            batch_add(b, path);
        else
            free(path);
    }
    int error = errno;
    emberi_folder_close(entries);
    if (error != 0) {
        say_error(b->say, (place){folder, NULL, NULL}, "cannot be read to its end: %s", strerror(error));
        return false;
    }
    if (b->count == first) {
        say_error(b->say, (place){folder, NULL, NULL}, "has no packs in it (files called ??da or *.a00)");
        return false;
    }
    qsort(b->paths + first, b->count - first, sizeof(*b->paths), batch_order);
    return true;
}

static const char *batch_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int batch_name_order(const void *a, const void *b)
{
    return strcmp(batch_name(*(char *const *)a), batch_name(*(char *const *)b));
}

/* In the output folder there is room for one pack of a name: another would be written over it. */
static bool batch_names_differ(const batch *b)
{
    const char **sorted = must_alloc(b->count + 1, sizeof(*sorted));
    size_t       same = 0;
    for (size_t i = 0; i < b->count; i++)
        sorted[i] = b->paths[i];
    qsort(sorted, b->count, sizeof(*sorted), batch_name_order);
    for (size_t i = 1; i < b->count && same == 0; i++)
        same = strcmp(batch_name(sorted[i - 1]), batch_name(sorted[i])) == 0 ? i : 0;
    if (same != 0)
        say_error(b->say, (place){sorted[same], NULL, NULL},
                  "has the name of %s, and both would be written to the same file", sorted[same - 1]);
    free(sorted);
    return same == 0;
}

static bool batch_collect(batch *b)
{
    bool good = true;
    for (size_t i = 0; i < b->args->file_count; i++) {
        const char *path = b->args->files[i];
        if (strcmp(path, "-") != 0 && emberi_path_is(path) == EMBERI_PATH_FOLDER) {
            b->to_folder = true;
            good = batch_add_folder(b, path) && good;
        } else {
            batch_add(b, text_make("%s", path));
        }
    }
    b->to_folder = b->to_folder || b->count > 1;
    return good;
}

/* ---- one pack ---- */

static char *batch_target(const batch *b, const char *path)
{
    const char *out = args_value(b->args, "output");
    size_t      size = strlen(out);
    if (!b->to_folder && !output_is_folder(out))
        return text_make("%s", out);
    if (b->staged)
        return ff7_stage_path(&b->stage, batch_name(path));
    return text_make("%s%s%s", out, size > 0 && out[size - 1] == '/' ? "" : "/", batch_name(path));
}

static void batch_sum(batch *b, const ember_ff7_report *report)
{
    b->done++;
    b->clips += report->clip_count;
    b->changed += report->changed;
    b->repaired += report->repaired;
    b->lost_frames += report->lost_frames;
    b->before += report->before;
    b->after += report->after;
}

static bool batch_write(const batch *b, const char *path, const ember_buffer *bytes)
{
    ember_error err = EMBER_ERROR_INIT;
    char       *target = batch_target(b, path);
    bool        good = ember_file_write(target, bytes->data, bytes->size, &err) == EMBER_OK;
    if (!good)
        say_library(b->say, say_output_name(target), &err);
    free(target);
    return good;
}

static void batch_one(batch *b, const char *path)
{
    ff7_pack         file;
    ember_buffer     bytes = {.allocator = ember_heap()};
    ember_ff7_report report = {0};
    ember_error      err = EMBER_ERROR_INIT;
    bool             good = ff7_pack_open(&file, path, b->skeleton, b->say);
    if (good) {
        say_listener listener = {.say = b->say, .file = file.name, .one_clip = false};
        ember_notes  notes = say_notes(&listener);
        ff7_pack_tell(&file, !b->tells, b->tail, b->say);
        good = b->action(&bytes, &file, &report, b->user, &notes, &err) == EMBER_OK;
        if (!good)
            say_library(b->say, file.name, &err);
    }
    good = good && batch_write(b, path, &bytes);
    if (good)
        batch_sum(b, &report);
    else
        b->failed++;
    ember_buffer_free(&bytes);
    ff7_pack_close(&file);
}

/* ---- all of them ---- */

static void batch_tell(const batch *b, const char *did)
{
    char   before[TEXT_NUMBER_SIZE], after[TEXT_NUMBER_SIZE], change[48] = "";
    double percent = b->before > 0 ? 100.0 * ((double)b->after - (double)b->before) / (double)b->before : 0.0;
    if (b->after != b->before)
        snprintf(change, sizeof(change), " (%+.1f %%)", percent);
    say_line(b->say, "%zu %s %s: %zu of %zu chunks changed, %s -> %s B%s", b->done,
             b->done == 1 ? "pack" : "packs", did, b->changed, b->clips, text_count(before, b->before),
             text_count(after, b->after), change);
    if (b->repaired > 0 || b->lost_frames > 0)
        say_line(b->say, "%zu %s repaired, %zu counted %s not there", b->repaired,
                 b->repaired == 1 ? "chunk" : "chunks", b->lost_frames,
                 b->lost_frames == 1 ? "frame was" : "frames were");
    if (b->failed > 0)
        say_line(b->say, "%zu %s left alone", b->failed, b->failed == 1 ? "pack was" : "packs were");
}

/* No pack may go where one is read from, unless that is asked for. */
static bool batch_may_write(const batch *b)
{
    bool may = true;
    for (size_t i = 0; i < b->count && may; i++) {
        char *target = batch_target(b, b->paths[i]);
        may = !output_refused(target, b->paths[i], b->args, b->say);
        free(target);
    }
    return may;
}

/* Makes the folder, and one in it where the packs stay until all are made. */
static bool batch_stage(batch *b, const char *did, bool *finished)
{
    output folder = {.kind = OUTPUT_FOLDER, .path = args_value(b->args, "output")};
    if (!b->to_folder && !output_is_folder(folder.path))
        return true;
    b->staged =
        output_make_folder(&folder, b->say) && ff7_stage_open(&b->stage, folder.path, did, b->say, finished);
    return b->staged;
}

/* The packs by name, so that one that cannot be written is left as it was; then all at once to
   their places. */
static bool batch_all(batch *b, const char *did)
{
    bool good = true;
    progress_start(&b->say->bar, b->count);
    for (size_t i = 0; i < b->count; i++) {
        batch_one(b, b->paths[i]);
        progress_step(&b->say->bar);
    }
    progress_hide(&b->say->bar);
    if (b->staged && b->done > 0)
        good = ff7_stage_commit(&b->stage, did);
    if (good && (b->done > 0 || b->count > 1))
        batch_tell(b, did);
    return good;
}

/* A folder comes out as a folder, if its name is free. */
static bool batch_makes_folder(const batch *b)
{
    bool folder = false;
    for (size_t i = 0; i < b->args->file_count; i++)
        folder = folder || output_is_folder(b->args->files[i]);
    return folder && emberi_path_is(args_value(b->args, "output")) == EMBERI_PATH_NOTHING;
}

static int batch_run(batch *b, const char *did)
{
    bool good = batch_collect(b), finished = false, usage = false;
    if (good && b->to_folder && !output_is_folder(args_value(b->args, "output")) && !batch_makes_folder(b)) {
        args_usage(b->args, b->say, "several packs need a folder as output: -o %s/",
                   args_value(b->args, "output"));
        usage = true;
    }
    good = good && !usage && batch_names_differ(b) && batch_may_write(b) && batch_stage(b, did, &finished);
    if (good && !finished)
        good = batch_all(b, did);
    ff7_stage_close(&b->stage, !good && b->done > 0);
    for (size_t i = 0; i < b->count; i++)
        free(b->paths[i]);
    free(b->paths);
    if (usage)
        return EXIT_USAGE;
    return good && b->failed == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* ---- the three actions ---- */

static ember_status batch_repack(ember_buffer *out, const ff7_pack *file, ember_ff7_report *report,
                                 void *user, const ember_notes *notes, ember_error *err)
{
    (void)user;
    return ember_ff7_repack(out, &file->pack, report, notes, err);
}

static ember_status batch_repair(ember_buffer *out, const ff7_pack *file, ember_ff7_report *report,
                                 void *user, const ember_notes *notes, ember_error *err)
{
    (void)user;
    return ember_ff7_repair(out, &file->pack, report, notes, err);
}

typedef struct fps_user {
    const batch      *b;
    ember_ff7_fps_job job;
} fps_user;

/* --loop N means a body clip. One pack without it is a mistake; of a folder some may have it
   and others not. */
static ember_status batch_check_loop(const fps_user *user, const ff7_pack *file, ember_error *err)
{
    char     text[64];
    uint32_t at = user->job.loop_index;
    if (user->job.looping != EMBER_FF7_LOOP_ONLY)
        return EMBER_OK;
    if (at < file->pack.chunk_count && file->pack.chunks[at].kind == EMBER_FF7_BODY &&
        file->pack.chunks[at].frame_count != 0)
        return EMBER_OK;
    snprintf(text, sizeof(text), "there is no body clip %u for --loop", (unsigned)at);
    if (user->b->count == 1)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, text);
    say_warning(user->b->say, (place){file->name, NULL, NULL}, "%s: none of its clips is taken for a loop",
                text);
    return EMBER_OK;
}

/* The game plays 15 frames a second; more are made once. */
static ember_status batch_check_again(const fps_user *user, const ff7_pack *file, ember_error *err)
{
    char         text[128];
    uint32_t     factor = 1;
    ember_status status = EMBER_OK;
    if (!args_has(user->b->args, "again"))
        status = ember_ff7_interpolated(&factor, &file->pack, err);
    if (status != EMBER_OK || factor == 1)
        return status;
    snprintf(text, sizeof(text), "has been brought to %g fps before: --again interpolates it once more",
             EMBER_FF7_FPS * factor);
    return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, text);
}

static ember_status batch_fps(ember_buffer *out, const ff7_pack *file, ember_ff7_report *report, void *user,
                              const ember_notes *notes, ember_error *err)
{
    ember_ff7_fps_job job = ((const fps_user *)user)->job;
    job.pack = &file->pack;
    job.notes = *notes;
    ember_status status = batch_check_loop(user, file, err);
    if (status == EMBER_OK)
        status = batch_check_again(user, file, err);
    if (status == EMBER_OK)
        status = ember_ff7_fps_run(out, &job, err);
    *report = job.report;
    return status;
}

int ff7_repack(const app_args *args, app_say *say)
{
    batch b = {.args = args,
               .say = say,
               .action = batch_repack,
               .skeleton = args_value(args, "skeleton"),
               .tail = "dropped"};
    return batch_run(&b, "repacked");
}

int ff7_repair(const app_args *args, app_say *say)
{
    batch b = {.args = args,
               .say = say,
               .action = batch_repair,
               .skeleton = args_value(args, "skeleton"),
               .tail = "kept",
               .tells = true};
    return batch_run(&b, "looked at");
}

int ff7_fps(const app_args *args, app_say *say)
{
    static const char *const rates[] = {"30", "60", NULL};
    size_t                   rate = SIZE_MAX;
    ember_ff7_fps_job        job = {.looping = EMBER_FF7_LOOP_AUTO};
    const char              *loop = args_value(args, "loop");
    int                      code = args_choice(args, say, "to", rates, &rate);
    if (code == EXIT_DONE && rate == SIZE_MAX)
        code = args_usage(args, say, "--to is missing: 30 or 60");
    if (code != EXIT_DONE)
        return code;
    if (loop != NULL && strcmp(loop, "never") == 0) {
        job.looping = EMBER_FF7_LOOP_NEVER;
    } else if (loop != NULL && strcmp(loop, "always") == 0) {
        job.looping = EMBER_FF7_LOOP_ALWAYS;
    } else if (loop != NULL && strcmp(loop, "auto") != 0) {
        job.looping = EMBER_FF7_LOOP_ONLY;
        if (!text_read_u32(&job.loop_index, loop))
            return args_usage(args, say, "--loop takes auto, never, always or a chunk's number, not '%s'",
                              loop);
    }
    job.factor = rate == 0 ? 2 : 4;
    batch    b = {.args = args,
                  .say = say,
                  .action = batch_fps,
                  .skeleton = args_value(args, "skeleton"),
                  .tail = "kept"};
    fps_user user = {&b, job};
    b.user = &user;
    return batch_run(&b, rate == 0 ? "brought to 30 fps" : "brought to 60 fps");
}
