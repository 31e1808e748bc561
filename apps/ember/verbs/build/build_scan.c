/* SPDX-License-Identifier: MIT */
/* Which files a folder has, and what becomes of each. Names that begin with a dot are left alone, so are
   folders that are links; files that glTF documents are made of are theirs. */
#include "verbs/build/build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/text.h"
#include "platform/folders.h"

/* ---- ways ---- */

static bool scan_same(const char *lower, const char *text)
{
    for (; *text != '\0'; lower++, text++)
        if (*lower != (*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text))
            return false;
    return *lower == '\0';
}

/* Pictures are not formats of models: the registry does not know them. */
static bool scan_is_texture(const char *path)
{
    static const char *const extensions[] = {"png", "jpg", "jpeg"};
    const char              *slash = strrchr(path, '/');
    const char              *base = slash != NULL ? slash + 1 : path;
    const char              *dot = strrchr(base, '.');
    for (size_t i = 0; dot != NULL && dot != base && i < sizeof(extensions) / sizeof(extensions[0]); i++)
        if (scan_same(extensions[i], dot + 1))
            return true;
    return false;
}

/* Files of the formats that a ROM stores go in as they are. */
static build_way scan_way_of_format(const ember_format_info *info)
{
    static const struct {
        ember_rom_kind kind;
        build_way      way;
    } stored[] = {{EMBER_ROM_KEYFRAMES, BUILD_KEYFRAMES},
                  {EMBER_ROM_SKELETON, BUILD_SKELETON},
                  {EMBER_ROM_MESH, BUILD_MESH}};
    for (size_t i = 0; i < sizeof(stored) / sizeof(stored[0]); i++)
        if (info->format == ember_rom_kind_format(stored[i].kind))
            return stored[i].way;
    return info->data_in_rom ? BUILD_DATA : BUILD_EXPORT;
}

static build_way scan_way(const char *path, const build_choice *choice)
{
    const ember_format_info *info = ember_format_by_path(path);
    if (choice->skip)
        return BUILD_SKIP;
    if (choice->as != NULL)
        return strcmp(choice->as, "data") == 0 ? BUILD_DATA : BUILD_EXPORT;
    if (strcmp(path, "game.wasm") == 0)
        return BUILD_GAME;
    if (scan_is_texture(path))
        return BUILD_TEXTURE;
    return info != NULL ? scan_way_of_format(info) : BUILD_DATA;
}

/* ---- folders ---- */

typedef struct scan_job {
    build_list *list;
    const char *folder;
    struct stat except;
    bool        has_except;
    app_say    *say;
    bool        failed;
} scan_job;

static void scan_add(scan_job *job, const char *path)
{
    build_list *list = job->list;
    if (list->count == list->room) {
        list->room = list->room != 0 ? list->room * 2 : 64;
        list->files = must_resize(list->files, list->room, sizeof(*list->files));
    }
    build_file *file = &list->files[list->count++];
    memset(file, 0, sizeof(*file));
    file->path = text_make("%s", path);
    file->full = text_make("%s/%s", job->folder, path);
    file->bytes.allocator = ember_heap();
}

/* The output is no asset where it is the ROM of the last time. Anything else there is somebody's work, that
   the ROM would replace. */
static bool scan_is_output(scan_job *job, const char *full, const struct stat *info)
{
    uint8_t start[8];
    FILE   *file;
    if (!job->has_except || info->st_dev != job->except.st_dev || info->st_ino != job->except.st_ino)
        return false;
    file = fopen(full, "rb");
    if (info->st_size != 0 &&
        (file == NULL || !ember_rom_sniff(start, fread(start, 1, sizeof(start), file)))) {
        say_error(job->say, (place){full, NULL, NULL},
                  "is a file of the assets' folder and no ROM: it is not written over");
        job->failed = true;
    }
    if (file != NULL)
        fclose(file);
    return true;
}

/* A file that cannot be asked for is taken too: that it cannot be read is said when it is its turn. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as a path is long, which the system limits */
static void scan_folder(scan_job *job, const char *below)
{
    char *path = below[0] != '\0' ? text_make("%s/%s", job->folder, below) : text_make("%s", job->folder);
    emberi_folder *folder = emberi_folder_open(path);
    const char    *entry;
    if (folder == NULL) {
        say_error(job->say, (place){path, NULL, NULL}, "the folder cannot be read: %s", strerror(errno));
        job->failed = true;
    }
    while (folder != NULL && (entry = emberi_folder_next(folder)) != NULL) {
        struct stat link, info;
        if (entry[0] == '.')
            continue;
        char *name = below[0] != '\0' ? text_make("%s/%s", below, entry) : text_make("%s", entry);
        char *full = text_make("%s/%s", job->folder, name);
        bool  known = lstat(full, &link) == 0 && stat(full, &info) == 0;
        if (known && S_ISDIR(link.st_mode))
            scan_folder(job, name);
        else if (!(known && (!S_ISREG(info.st_mode) || scan_is_output(job, full, &info))) &&
                 strcmp(name, "ember.json") != 0)
            scan_add(job, name);
        free(name);
        free(full);
    }
    if (folder != NULL && errno != 0) {
        say_error(job->say, (place){path, NULL, NULL}, "the folder cannot be read to its end: %s",
                  strerror(errno));
        job->failed = true;
    }
    emberi_folder_close(folder);
    free(path);
}

static int scan_compare(const void *a, const void *b)
{
    return strcmp(((const build_file *)a)->path, ((const build_file *)b)->path);
}

/* ---- what belongs to glTF documents ---- */

static void scan_claim(build_list *list, const char *full)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->files[i].way == BUILD_DATA && list->files[i].choice.as == NULL &&
            strcmp(list->files[i].full, full) == 0)
            list->files[i].way = BUILD_SKIP;
}

/* A document that cannot be read would leave its buffers to be taken for data. */
static void scan_claim_references(scan_job *job, build_file *file)
{
    ember_error        err = EMBER_ERROR_INIT;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_buffer       bytes = {.allocator = ember_heap()};
    const char *const *paths;
    uint32_t           count = 0;
    bool               read = ember_file_read(&bytes, file->full, 0, &err) == EMBER_OK;
    if (read && !ember_model_references(&paths, &count, bytes.data, bytes.size, file->full, &arena))
        (void)ember_fail(&err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    for (uint32_t i = 0; i < count; i++)
        scan_claim(job->list, paths[i]);
    if (err.status != EMBER_OK) {
        say_library(job->say, file->full, &err);
        job->failed = true;
        file->way = BUILD_SKIP; /* it has been said */
    }
    ember_buffer_free(&bytes);
    ember_arena_free(&arena);
}

bool build_scan(build_list *list, const char *folder, build_config *config, const char *except, app_say *say)
{
    scan_job job = {.list = list, .folder = folder, .say = say};
    job.has_except = except != NULL && stat(except, &job.except) == 0;
    scan_folder(&job, "");
    if (list->count != 0)
        qsort(list->files, list->count, sizeof(*list->files), scan_compare);
    for (size_t i = 0; i < list->count; i++) {
        build_file *file = &list->files[i];
        file->options = build_config_of_file(config, file->path);
        file->choice = build_choice_of(file->options);
        file->way = scan_way(file->path, &file->choice);
    }
    build_find_skeletons(list);
    for (size_t i = 0; i < list->count; i++)
        if (list->files[i].way == BUILD_EXPORT)
            scan_claim_references(&job, &list->files[i]);
    return !job.failed;
}

void build_list_free(build_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        build_file_free(&list->files[i]);
    free(list->files);
    memset(list, 0, sizeof(*list));
}
