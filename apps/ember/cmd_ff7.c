/* `ember ff7`: what modders do with Final Fantasy VII packs as they are: look at them, take clips out and put them in, more
   frames a second, shorter codes, repair. Each output is written whole or not at all; what is not touched stays byte for byte. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ember/ff7.h"
#include "say.h"
#include "table.h"
#include "text.h"
#include "verbs.h"

/* ---- packs ---- */

typedef struct ff7_pack {
    const char    *path;
    const char    *name; /* for messages */
    ember_buffer   bytes;
    ember_arena    arena;
    ember_ff7_pack pack;
} ff7_pack;

typedef struct ff7_job {
    const app_args    *args;
    app_say           *say;
    ember_arena        arena;
    ember_ff7_skeleton skeleton; /* no bones: none */
    const char        *out;      /* -o, or NULL */
    bool               folder;   /* which is one */
    char             **paths;    /* of the packs; folders are opened */
    size_t             path_count;
    /* Over all packs. */
    size_t   pack_count, failed;
    uint64_t before, after;
    uint64_t clips, changed;
} ff7_job;

typedef struct ff7_action {
    const char *name;
    bool (*each)(ff7_job *job, const ff7_pack *p); /* for any number of packs; or NULL: one pack, then numbers */
    bool        writes;
    size_t      least, most; /* words behind the pack */
    const char *words;
} ff7_action;

static bool pack_open(ff7_pack *p, const ff7_job *job, const char *path)
{
    ember_error               err = EMBER_ERROR_INIT;
    const ember_ff7_skeleton *skeleton = job->skeleton.bone_count != 0 ? &job->skeleton : NULL;
    memset(p, 0, sizeof(*p));
    p->path = path;
    p->name = say_input_name(path);
    p->bytes.allocator = ember_heap();
    p->arena = ember_arena_growing(ember_heap(), 0);
    if (ember_file_read(&p->bytes, path, 0, &err) == EMBER_OK &&
        ember_ff7_pack_read(&p->pack, p->bytes.data, p->bytes.size, skeleton, &p->arena, &err) == EMBER_OK)
        return true;
    say_library(job->say, p->name, NULL, &err);
    return false;
}

static void pack_close(ff7_pack *p)
{
    ember_buffer_free(&p->bytes);
    ember_arena_free(&p->arena);
}

static bool pack_number(const ff7_job *job, const ff7_pack *p, const char *word, uint32_t limit, uint32_t *out)
{
    if (text_read_u32(out, word) && *out < limit)
        return true;
    say_error(job->say, (place){p->name, NULL, NULL}, "'%s' is none of its clips: they are 0 to %u", word,
              limit != 0 ? (unsigned)limit - 1 : 0u);
    return false;
}

/* "OUT", or the pack's own name in the folder OUT. Free it. */
static char *out_path(const ff7_job *job, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t      size = strlen(job->out);
    if (!job->folder)
        return text_make("%s", job->out);
    return text_make("%s%s%s", job->out, job->out[size - 1] == '/' ? "" : "/", slash != NULL ? slash + 1 : path);
}

static bool out_write(const ff7_job *job, const char *path, const ember_buffer *bytes)
{
    ember_error err = EMBER_ERROR_INIT;
    if (ember_file_write(path, bytes->data, bytes->size, &err) == EMBER_OK)
        return true;
    say_library(job->say, say_output_name(path), NULL, &err);
    return false;
}

static bool path_is_folder(const char *path)
{
    struct stat info;
    size_t      size = strlen(path);
    return (size != 0 && path[size - 1] == '/') || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* ---- which packs ---- */

static void paths_add(ff7_job *job, char *path)
{
    job->paths = must_resize(job->paths, job->path_count + 1, sizeof(*job->paths));
    job->paths[job->path_count++] = path;
}

static int paths_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of a folder that have a pack's name, in the order of their names. */
static bool paths_add_folder(ff7_job *job, const char *folder)
{
    DIR   *stream = opendir(folder);
    size_t first = job->path_count, size = strlen(folder);
    if (stream == NULL)
        return say_error(job->say, (place){folder, NULL, NULL}, "the folder cannot be read") == EXIT_DONE;
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        const ember_format_info *info = ember_format_by_path(entry->d_name);
        if (info == NULL || info->format != EMBER_FORMAT_FF7)
            continue;
        char *path = text_make("%s%s%s", folder, folder[size - 1] == '/' ? "" : "/", entry->d_name);
        if (path_is_folder(path))
            free(path);
        else
            paths_add(job, path);
    }
    closedir(stream);
    if (job->path_count == first)
        return say_error(job->say, (place){folder, NULL, NULL}, "there are no packs in it (??da, *.a00)") == EXIT_DONE;
    qsort(job->paths + first, job->path_count - first, sizeof(*job->paths), paths_order);
    return true;
}

static bool paths_find(ff7_job *job, const ff7_action *action)
{
    size_t count = action->each != NULL ? job->args->file_count - 1 : 1;
    for (size_t i = 0; i < count; i++) {
        const char *path = job->args->files[1 + i];
        if (action->each == NULL || !path_is_folder(path))
            paths_add(job, text_make("%s", path));
        else if (!paths_add_folder(job, path))
            return false;
    }
    return true;
}

/* ---- list ---- */

static bool list_pack(ff7_job *job, const ff7_pack *p)
{
    static const char *const heads[] = {"#", "kind", "with", "frames", "triples", "key", "bytes", "odd"};
    app_table                table = {"rlrrrrrl", NULL, 0, 0};
    printf("%s: %u clips, %zu B\n", p->name, (unsigned)p->pack.chunk_count, p->pack.size);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        table_cell(&table, "%s", heads[i]);
    for (uint32_t i = 0; i < p->pack.chunk_count; i++) {
        const ember_ff7_chunk *chunk = &p->pack.chunks[i];
        uint32_t               partner = ember_ff7_partner(&p->pack, i);
        table_cell(&table, "%u", (unsigned)i);
        table_cell(&table, "%s", ember_ff7_kind_name(chunk->kind));
        table_cell(&table, partner != UINT32_MAX ? "%u" : "-", (unsigned)partner);
        table_cell(&table, "%u", (unsigned)chunk->frame_count);
        table_cell(&table, "%u", (unsigned)chunk->triple_count);
        table_cell(&table, "%u", (unsigned)chunk->key);
        table_cell(&table, "%u", (unsigned)chunk->payload_size);
        table_cell(&table, "%s", chunk->odd != 0 ? ember_ff7_odd_text(chunk, chunk->odd).text : "-");
    }
    table_print(&table, "  ");
    job->clips += p->pack.chunk_count;
    return true;
}

/* ---- repack, repair, fps ---- */

typedef ember_status (*pack_change)(ember_buffer *out, const ff7_job *job, const ff7_pack *p, ember_ff7_report *report,
                                    const ember_notes *notes, ember_error *err);

static ember_status change_repack(ember_buffer *out, const ff7_job *job, const ff7_pack *p, ember_ff7_report *report,
                                  const ember_notes *notes, ember_error *err)
{
    (void)job;
    return ember_ff7_repack(out, &p->pack, report, notes, err);
}

static ember_status change_repair(ember_buffer *out, const ff7_job *job, const ff7_pack *p, ember_ff7_report *report,
                                  const ember_notes *notes, ember_error *err)
{
    (void)job;
    return ember_ff7_repair(out, &p->pack, report, notes, err);
}

static ember_status change_fps(ember_buffer *out, const ff7_job *job, const ff7_pack *p, ember_ff7_report *report,
                               const ember_notes *notes, ember_error *err)
{
    const char       *loop = args_value(job->args, "loop");
    ember_ff7_fps_job work = {.pack = &p->pack, .notes = *notes};
    work.factor = strcmp(args_value(job->args, "to"), "60") == 0 ? 4 : 2;
    if (loop != NULL && strcmp(loop, "never") == 0)
        work.looping = EMBER_FF7_LOOP_NEVER;
    else if (loop != NULL && text_read_u32(&work.loop_index, loop))
        work.looping = EMBER_FF7_LOOP_ONLY;
    ember_status status = ember_ff7_fps_run(out, &work, err);
    *report = work.report;
    return status;
}

static bool change_pack(ff7_job *job, const ff7_pack *p, pack_change change)
{
    ember_buffer     out = {.allocator = ember_heap()};
    ember_error      err = EMBER_ERROR_INIT;
    say_listener     listener = {job->say, p->name, false};
    ember_notes      notes = say_notes(&listener);
    ember_ff7_report report = {.before = 0};
    char            *path = out_path(job, p->path);
    bool             done = change(&out, job, p, &report, &notes, &err) == EMBER_OK;
    if (!done)
        say_library(job->say, p->name, NULL, &err);
    done = done && out_write(job, path, &out);
    if (done) {
        job->before += report.before;
        job->after += report.after;
        job->clips += report.clip_count;
        job->changed += report.changed;
    }
    free(path);
    ember_buffer_free(&out);
    return done;
}

static bool run_repack(ff7_job *job, const ff7_pack *p)
{
    return change_pack(job, p, change_repack);
}
static bool run_repair(ff7_job *job, const ff7_pack *p)
{
    return change_pack(job, p, change_repair);
}
static bool run_fps(ff7_job *job, const ff7_pack *p)
{
    return change_pack(job, p, change_fps);
}

static void change_tell(const ff7_job *job)
{
    char   before[TEXT_NUMBER_SIZE], after[TEXT_NUMBER_SIZE];
    double more = job->before != job->after ? 100.0 * (double)job->after / (double)job->before - 100.0 : 0.0;
    say_line(job->say, "%zu %s, %llu of %llu clips changed, %s B before, %s B after (%+.1f %%)", job->pack_count,
             job->pack_count == 1 ? "pack" : "packs", (unsigned long long)job->changed, (unsigned long long)job->clips,
             text_count(before, job->before), text_count(after, job->after), more);
}

/* ---- clips in and out ---- */

/* The items that are there, to be changed and written. */
static ember_ff7_item *items_of(const ff7_pack *p, uint32_t room)
{
    ember_ff7_item *items = must_alloc(p->pack.chunk_count + room, sizeof(*items));
    for (uint32_t i = 0; i < p->pack.chunk_count; i++)
        items[i] = (ember_ff7_item){&p->pack.chunks[i], NULL, 0};
    return items;
}

static bool items_write(const ff7_job *job, const ff7_pack *p, const ember_ff7_item *items, uint32_t count, bool tail)
{
    ember_buffer out = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    char        *path = out_path(job, p->path);
    size_t       rest = tail ? p->pack.size - p->pack.tail_offset : 0;
    bool         done = ember_ff7_pack_write(&out, items, count, p->pack.data + p->pack.tail_offset, rest, &err) == EMBER_OK;
    if (!done)
        say_library(job->say, p->name, NULL, &err);
    done = done && out_write(job, path, &out);
    free(path);
    ember_buffer_free(&out);
    return done;
}

/* extract PACK N..., remove PACK N...: `words` are the numbers. */
static bool run_some(const ff7_job *job, const ff7_pack *p, const char *const *words, size_t word_count, bool keep)
{
    uint32_t        count = 0, number = 0;
    ember_ff7_item *items = must_alloc(p->pack.chunk_count + word_count, sizeof(*items));
    bool           *chosen = must_alloc(p->pack.chunk_count + 1, sizeof(*chosen));
    bool            good = true;
    for (size_t i = 0; i < word_count && good; i++) {
        good = pack_number(job, p, words[i], p->pack.chunk_count, &number);
        chosen[good ? number : 0] = true;
        if (good && keep)
            items[count++] = (ember_ff7_item){&p->pack.chunks[number], NULL, 0};
    }
    for (uint32_t i = 0; i < p->pack.chunk_count && good && !keep; i++)
        if (!chosen[i])
            items[count++] = (ember_ff7_item){&p->pack.chunks[i], NULL, 0};
    good = good && items_write(job, p, items, count, !keep);
    free(chosen);
    free(items);
    return good;
}

/* replace and insert PACK N FROM [M]: chunk M of FROM (its only one, or N) takes place N. */
static bool run_put(const ff7_job *job, const ff7_pack *p, const char *const *words, size_t word_count, bool insert)
{
    uint32_t at = 0, from = 0, count = p->pack.chunk_count;
    ff7_pack other;
    bool     good = pack_number(job, p, words[0], count + (insert ? 1u : 0u), &at) && pack_open(&other, job, words[1]);
    if (!good)
        return false;
    from = other.pack.chunk_count == 1 ? 0 : at;
    if (word_count > 2)
        good = pack_number(job, &other, words[2], other.pack.chunk_count, &from);
    else if (from >= other.pack.chunk_count)
        good =
            say_error(job->say, (place){other.name, NULL, NULL}, "it has no clip %u: say which one", (unsigned)from) == EXIT_DONE;
    ember_ff7_item *items = items_of(p, 1);
    if (good && insert) {
        memmove(&items[at + 1], &items[at], (count - at) * sizeof(*items));
        count++;
    }
    if (good) {
        items[at] = (ember_ff7_item){&other.pack.chunks[from], NULL, 0};
        good = items_write(job, p, items, count, true);
    }
    free(items);
    pack_close(&other);
    return good;
}

/* ---- the verb ---- */

static const ff7_action ff7_actions[] = {
    {"list", list_pack, false, 0, 0, "PACK..."},
    {"repack", run_repack, true, 0, 0, "PACK... -o OUT"},
    {"repair", run_repair, true, 0, 0, "PACK... -o OUT"},
    {"fps", run_fps, true, 0, 0, "PACK... --to 30|60 -o OUT"},
    {"extract", NULL, true, 1, SIZE_MAX, "PACK N... -o OUT"},
    {"remove", NULL, true, 1, SIZE_MAX, "PACK N... -o OUT"},
    {"replace", NULL, true, 2, 3, "PACK N FROM [M] -o OUT"},
    {"insert", NULL, true, 2, 3, "PACK N FROM [M] -o OUT"},
};

static const ff7_action *ff7_find(const char *word)
{
    for (size_t i = 0; i < sizeof(ff7_actions) / sizeof(ff7_actions[0]); i++)
        if (strcmp(ff7_actions[i].name, word) == 0)
            return &ff7_actions[i];
    return NULL;
}

static int ff7_check(ff7_job *job, const ff7_action *action)
{
    static const char *const rates[] = {"30", "60", NULL};
    const app_args          *args = job->args;
    size_t                   words = args->file_count - 2, rate = SIZE_MAX;
    uint32_t                 number;
    const char              *loop = args_value(args, "loop");
    bool                     fps = strcmp(action->name, "fps") == 0;
    if (action->each == NULL && (words < action->least || words > action->most))
        return args_usage(args, job->say, "ff7 %s takes %s", action->name, action->words);
    job->out = args_value(args, "output");
    if (action->writes && job->out == NULL)
        return args_usage(args, job->say, "-o OUT is missing: ff7 %s takes %s", action->name, action->words);
    if ((args_has(args, "to") || loop != NULL) && !fps)
        return args_usage(args, job->say, "--to and --loop are for ff7 fps");
    int code = args_choice(args, job->say, "to", rates, &rate);
    if (code == EXIT_DONE && fps && rate == SIZE_MAX)
        code = args_usage(args, job->say, "--to 30 or --to 60 is missing");
    if (code == EXIT_DONE && loop != NULL && strcmp(loop, "auto") != 0 && strcmp(loop, "never") != 0 &&
        !text_read_u32(&number, loop))
        code = args_usage(args, job->say, "--loop is auto, never or a clip's number, not '%s'", loop);
    job->folder = job->out != NULL && path_is_folder(job->out);
    bool several = words != 0 || path_is_folder(args->files[1]);
    if (code == EXIT_DONE && action->each != NULL && action->writes && several && !job->folder)
        code = args_usage(args, job->say, "several packs go into a folder, '%s' is none", job->out);
    return code;
}

static bool ff7_open_skeleton(ff7_job *job)
{
    const char  *path = args_value(job->args, "skeleton");
    ember_buffer bytes = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    if (path == NULL)
        return true;
    bool good = ember_file_read(&bytes, path, 0, &err) == EMBER_OK &&
                ember_ff7_skeleton_read(&job->skeleton, bytes.data, bytes.size, &job->arena, &err) == EMBER_OK;
    if (!good)
        say_library(job->say, say_input_name(path), NULL, &err);
    ember_buffer_free(&bytes);
    return good;
}

static bool ff7_run_one(ff7_job *job, const ff7_action *action, const ff7_pack *p)
{
    const char *const *words = job->args->files + 2;
    size_t             count = job->args->file_count - 2;
    if (action->each != NULL)
        return action->each(job, p);
    if (action->least == 1)
        return run_some(job, p, words, count, strcmp(action->name, "extract") == 0);
    return run_put(job, p, words, count, strcmp(action->name, "insert") == 0);
}

static void ff7_run_all(ff7_job *job, const ff7_action *action)
{
    progress_start(&job->say->bar, job->path_count);
    for (size_t i = 0; i < job->path_count; i++) {
        ff7_pack p;
        bool     done = pack_open(&p, job, job->paths[i]) && ff7_run_one(job, action, &p);
        job->pack_count += done ? 1u : 0u;
        job->failed += done ? 0u : 1u;
        pack_close(&p);
        progress_step(&job->say->bar);
    }
    progress_hide(&job->say->bar);
    if (action->each != NULL && action->writes && job->pack_count != 0)
        change_tell(job);
}

static int ff7_run(const app_args *args, app_say *say)
{
    ff7_job           job = {.args = args, .say = say, .arena = ember_arena_growing(ember_heap(), 0)};
    const ff7_action *action = ff7_find(args->files[0]);
    if (action == NULL)
        return args_usage(args, say, "first comes list, extract, replace, remove, insert, fps, repack or repair, not '%s'",
                          args->files[0]);
    int code = ff7_check(&job, action);
    if (code == EXIT_DONE && (!ff7_open_skeleton(&job) || !paths_find(&job, action)))
        code = EXIT_FAILED;
    if (code == EXIT_DONE) {
        ff7_run_all(&job, action);
        code = job.failed != 0 ? EXIT_FAILED : EXIT_DONE;
    }
    for (size_t i = 0; i < job.path_count; i++)
        free(job.paths[i]);
    free(job.paths);
    ember_arena_free(&job.arena);
    return code;
}

static const app_option ff7_options[] = {
    {"output", 'o', "OUT", "the new pack, or a folder for packs of the same names (needed, but for list)"},
    {"skeleton", 0, "FILE", "the pack's skeleton (rtaa): how many bones it has, and where weapon clips begin"},
    {"to", 0, "30|60", "fps: frames a second"},
    {"loop", 0, "auto|never|N", "fps: which clips run in a loop: by their seams (auto, the default), none, or clip N alone"},
    {NULL, 0, NULL, NULL},
};

const app_verb verb_ff7 = {
    .name = "ff7",
    .summary = "Final Fantasy VII battle packs: list, take out, put in, interpolate, repack, repair",
    .usage = "list|extract|replace|remove|insert|fps|repack|repair PACK... [options]",
    .about = "list PACK...               every clip: kind, the clip that plays with it, frames, key, bytes, what is odd\n"
             "extract PACK N... -o OUT   a pack of these clips alone (ember convert --clip N for other formats)\n"
             "remove PACK N... -o OUT    without these clips; those behind move up\n"
             "replace PACK N FROM [M]    clip N becomes clip M of another pack (else its only one, or N)\n"
             "insert PACK N FROM [M]     the same before clip N\n"
             "fps PACK... --to 30|60     new frames between those there are, weapons in step with bodies\n"
             "repack PACK...             shortest codes, junk dropped, no value changed\n"
             "repair PACK...             counters, the damaged clip, frames that are only half there\n"
             "list, fps, repack and repair also take folders: all ??da and *.a00 in them. Clips are counted from 0, empty slots "
             "too. What is not changed stays byte for byte.",
    .options = ff7_options,
    .example = "ember ff7 repack rtda -o small/",
    .least_files = 2,
    .most_files = ARGS_ANY_COUNT,
    .files = "what to do and a pack",
    .run = ff7_run,
};
