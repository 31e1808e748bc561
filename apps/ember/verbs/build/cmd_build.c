/* SPDX-License-Identifier: MIT */
/* `ember build`: a folder of assets to a ROM. Nothing is written unless everything is right, and the old ROM
   stays then. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/text.h"
#include "files/input.h"
#include "verbs/build/build.h"
#include "verbs/verbs.h"

static void build_say_file(build_job *job, const build_file *file)
{
    app_say *say = job->say;
    size_t   clips = 0, meshes = 0, others = 0;
    for (size_t i = 0; i < file->message_count; i++) {
        const build_message *message = &file->messages[i];
        say_at(say, message->level, (place){file->full, message->clip, message->bone}, "%s", message->text);
    }
    if (file->failed)
        return;
    for (size_t i = 0; i < file->origin_count; i++) {
        clips += file->origins[i].kind == EMBER_ROM_KEYFRAMES ? 1 : 0;
        meshes += file->origins[i].kind == EMBER_ROM_MESH ? 1 : 0;
        others +=
            file->origins[i].kind != EMBER_ROM_KEYFRAMES && file->origins[i].kind != EMBER_ROM_MESH ? 1 : 0;
    }
    place where = {file->full, NULL, NULL};
    if (file->cache_damaged)
        say_detail(say, where, "its entry in the cache was damaged");
    if (file->way == BUILD_SKIP)
        say_detail(say, where, "left out");
    else if (file->way == BUILD_EXPORT)
        say_detail(say, where, "%s: clips %zu, meshes %zu, others %zu",
                   file->unchanged ? "unchanged" : "exported", clips, meshes, others);
    else
        say_detail(say, where, "packed");
}

static int build_folder(build_job *job, const app_args *args, build_config *config)
{
    const char  *out = args_value(args, "output") != NULL ? args_value(args, "output") : "game.ewz";
    ember_buffer rom = {.allocator = ember_heap()};
    ember_error  err = EMBER_ERROR_INIT;
    size_t       taken = 0;
    if (!build_config_open(config, job->folder, job->say))
        return EXIT_FAILED;
    if (args_value(args, "error") != NULL && !build_config_set_error(config, args_value(args, "error")))
        return say_error(job->say, (place){job->folder, NULL, NULL}, "out of memory");
    bool good = build_scan(&job->list, job->folder, config, out, job->say);
    for (size_t i = 0; i < job->list.count; i++)
        taken += job->list.files[i].way != BUILD_SKIP ? 1 : 0;
    if (taken == 0)
        return good ? say_error(job->say, (place){job->folder, NULL, NULL}, "there are no assets in it")
                    : EXIT_FAILED;
    /* What ember.json speaks of may be where nothing could be read. */
    good = good && build_config_check_used(config, job->say);
    build_make_all(job);
    for (size_t i = 0; i < job->list.count; i++)
        build_say_file(job, &job->list.files[i]);
    good = build_link(job, config, &rom) && good;
    if (good && ember_file_write(out, rom.data, rom.size, &err) != EMBER_OK)
        good = say_library(job->say, say_output_name(out), &err) == EXIT_DONE;
    if (good && job->cache != NULL)
        build_cache_sweep(job);
    /* Where only the limit was broken there is no ROM, but what would fill it is known. */
    bool sized = false;
    for (size_t i = 0; i < EMBER_ROM_KIND_COUNT; i++)
        sized = sized || job->kinds[i].entries != 0;
    if (sized && !job->say->quiet && strcmp(out, "-") != 0)
        build_report(job, good ? rom.size : 0, out);
    ember_buffer_free(&rom);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int build_run(const app_args *args, app_say *say)
{
    build_job    job = {.say = say, .folder = args->file_count != 0 ? args->files[0] : "assets"};
    build_config config = {.root = NULL};
    double       threads = 0.0;
    int          code = args_positive(args, say, "jobs", &threads);
    if (code == EXIT_DONE)
        code = input_options_memory(&job.memory_limit, args, say);
    if (code == EXIT_DONE && args_has(args, "cache") && args_has(args, "no-cache"))
        code = args_usage(args, say, "--cache and --no-cache exclude each other");
    if (code != EXIT_DONE)
        return code;
    build_error error;
    if (args_value(args, "error") != NULL && !build_error_read(&error, args_value(args, "error")))
        return args_usage(args, say,
                          "--error takes a length as 0.5mm, a part of the model's size as 0.02%%, "
                          "or lossless");
    size_t length = strlen(job.folder);
    char *folder = text_make("%.*s", (int)(length > 1 && job.folder[length - 1] == '/' ? length - 1 : length),
                             job.folder);
    long  cores = sysconf(_SC_NPROCESSORS_ONLN);
    job.folder = folder;
    job.threads = threads >= 1.0 && threads < 1024.0 ? (unsigned)threads : cores > 0 ? (unsigned)cores : 1;
    job.tool = build_cache_tool();
    if (!args_has(args, "no-cache"))
        job.cache = args_has(args, "cache") ? text_make("%s", args_value(args, "cache"))
                                            : text_make("%s/.ember", folder);
    code = build_folder(&job, args, &config);
    build_list_free(&job.list);
    build_config_close(&config);
    free(job.lean_keys);
    free(job.cache);
    free(folder);
    return code;
}

static const app_option build_options[] = {
    {"output", 'o', "GAME.ewz", "the ROM; else game.ewz"},
    {"error", 0, "E",
     "how far clips may be off: 0.5mm, 0.02% of the model's size (default), lossless: 16-byte records"},
    {"cache", 0, "DIR", "where exports are kept for the next time; else .ember in the assets' folder"},
    {"no-cache", 0, NULL, "export everything, keep nothing"},
    {"jobs", 'j', "N", "threads; else one per core"},
    INPUT_MAX_MEMORY,
    {NULL, 0, NULL, NULL},
};

const app_verb verb_build = {
    .name = "build",
    .summary = "a folder of assets and game.wasm to a ROM, with a table of what fills it",
    .usage = "[DIR] [-o GAME.ewz] [options]",
    .about = "DIR is assets if it is not given. Models (.glb .gltf .fbx .bvh) are exported: skeleton, "
             "meshes, textures and every\n"
             "clip; the console's own files (.ewzanim .eza .ewzskel .ewzmesh), images and game.wasm are "
             "checked and packed; other\n"
             "files become data. Ids come from the names of files, clips and meshes. DIR/ember.json can "
             "change ids, rates, spaces\n"
             "and more: docs/build.md. Only what changed is exported again.",
    .options = build_options,
    .example = "ember build assets -o game.ewz",
    .least_files = 0,
    .most_files = 1,
    .files = "a folder",
    .run = build_run,
};
