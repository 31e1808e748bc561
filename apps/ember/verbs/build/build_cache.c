/* SPDX-License-Identifier: MIT */
/* What was exported before. An entry's name is the hash of all that its making depends on: the file, the
   files it is made of, its options and this program. An entry is a ROM and is checked like one, so that a
   damaged one is just made anew. */
#include "cli/json_text.h"
#include "verbs/build/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/text.h"
#include "platform/folders.h"

/* Parts of a key, hashed one by one and then together. */
typedef struct cache_key {
    uint64_t *parts;
    size_t    count;
} cache_key;

static void cache_add(cache_key *key, const void *data, size_t size)
{
    key->parts = must_grow(key->parts, key->count, sizeof(*key->parts));
    key->parts[key->count++] = ember_rom_hash(data, size);
}

static void cache_add_text(cache_key *key, const char *text) { cache_add(key, text, strlen(text)); }

static void cache_add_file(cache_key *key, const char *path)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    cache_add_text(key, path);
    if (emberi_path_is(path) == EMBERI_PATH_FILE && ember_file_read(&bytes, path, 0, NULL) == EMBER_OK)
        cache_add(key, bytes.data, bytes.size);
    else
        cache_add_text(key, "missing");
    ember_buffer_free(&bytes);
}

/* A model and the files it is made of. */
static void cache_add_model(cache_key *key, const char *path, const ember_buffer *bytes)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    const char *const *paths;
    uint32_t           count = 0;
    cache_add(key, bytes->data, bytes->size);
    if (ember_model_references(&paths, &count, bytes->data, bytes->size, path, &arena))
        for (uint32_t i = 0; i < count; i++)
            cache_add_file(key, paths[i]);
    ember_arena_free(&arena);
}

uint64_t build_cache_tool(void)
{
    cache_key    key = {NULL, 0};
    ember_buffer program = {.allocator = ember_heap()};
    cache_add_text(&key, "ember build " EMBER_VERSION);
    /* Where the system cannot show us our own program, the version has to do. */
    if (ember_file_read(&program, "/proc/self/exe", 0, NULL) == EMBER_OK)
        cache_add(&key, program.data, program.size);
    uint64_t hash = ember_rom_hash(key.parts, key.count * sizeof(*key.parts));
    ember_buffer_free(&program);
    free(key.parts);
    return hash;
}

uint64_t build_cache_key(const build_job *job, const build_file *file, const ember_buffer *bytes)
{
    cache_key key = {NULL, 0};
    char     *options = json_compact_text(file->options);
    cache_add(&key, &job->tool, sizeof(job->tool));
    cache_add_text(&key, file->path);
    cache_add_text(&key, options);
    cache_add_model(&key, file->full, bytes);
    if (file->choice.skeleton != NULL) {
        char        *path = text_make("%s/%s", job->folder, file->choice.skeleton);
        ember_buffer skeleton = {.allocator = ember_heap()};
        (void)ember_file_read(&skeleton, path, 0, NULL);
        cache_add_model(&key, path, &skeleton);
        ember_buffer_free(&skeleton);
        free(path);
    }
    uint64_t hash = ember_rom_hash(key.parts, key.count * sizeof(*key.parts));
    free(key.parts);
    free(options);
    return hash != 0 ? hash : 1;
}

static char *cache_path(const build_job *job, uint64_t key)
{
    return text_make("%s/%016jx.ewz", job->cache, (uintmax_t)key);
}

bool build_cache_load(const build_job *job, build_file *file)
{
    char *path = cache_path(job, file->key);
    bool  there = access(path, R_OK) == 0;
    bool  good =
        there && ember_file_read(&file->bytes, path, UINT32_MAX, NULL) == EMBER_OK && build_file_unpack(file);
    file->cache_damaged = there && !good;
    free(path);
    return good;
}

void build_cache_save(const build_job *job, build_file *file)
{
    char       *path = cache_path(job, file->key);
    ember_error err = EMBER_ERROR_INIT;
    app_say     say = build_file_say(file);
    int         failed = emberi_folder_make(job->cache, false);
    if (failed != 0)
        say_detail(&say, (place){NULL, NULL, NULL}, "not put into the cache %s: %s", job->cache,
                   strerror(failed));
    else if (ember_file_write(path, file->bytes.data, file->bytes.size, &err) != EMBER_OK)
        say_detail(&say, (place){NULL, NULL, NULL}, "not put into the cache %s: %s", job->cache,
                   emberi_error_line_of(&err).text);
    free(path);
}

static bool cache_is_used(const build_job *job, uint64_t key)
{
    for (size_t i = 0; i < job->list.count; i++)
        if (job->list.files[i].key == key)
            return true;
    for (size_t i = 0; i < job->lean_key_count; i++)
        if (job->lean_keys[i] == key)
            return true;
    return false;
}

void build_cache_sweep(const build_job *job)
{
    emberi_folder *folder = emberi_folder_open(job->cache);
    const char    *name;
    while (folder != NULL && (name = emberi_folder_next(folder)) != NULL) {
        char              *end;
        unsigned long long key = strtoull(name, &end, 16);
        size_t             size = strlen(name);
        /* What a build that was killed has left; one that runs now can do without its copy. */
        if (strncmp(name, ".ember-", 7) == 0 && size > 11 && strcmp(name + size - 4, ".tmp") == 0) {
            char *left = text_make("%s/%s", job->cache, name);
            (void)unlink(left);
            free(left);
            continue;
        }
        if (end != name + 16 || strcmp(end, ".ewz") != 0 || cache_is_used(job, key))
            continue;
        char *path = cache_path(job, key);
        (void)unlink(path);
        free(path);
    }
    emberi_folder_close(folder);
}
