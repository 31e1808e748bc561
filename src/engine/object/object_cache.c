/* SPDX-License-Identifier: MIT */
/* Games that were compiled before: one file each in a folder that belongs to the user alone. A file is the
   object, the module it was made from, and a footer with hashes, so that a file that is damaged, cut off or
   another's is found out before it is loaded; it is made anew then. Files appear under their names by
   renaming, so any number of processes may share the folder. */
#define _GNU_SOURCE /* memfd_create, mkdtemp, openat, unlinkat, fdopendir */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "ember/file.h"
#include "engine/object/object_parts.h"
#include "platform/folders.h"

#define CACHE_PATH 1024
#define CACHE_FILE ((size_t)64 << 20) /* of an object */
#define CACHE_UNUSED_S (90 * 24 * 3600)
#define CACHE_WORK_S (24 * 3600)

typedef struct cache_footer {
    char     magic[8];
    uint64_t object_size, module_size;
    uint64_t hash; /* of all before the footer */
} cache_footer;

static const char cache_magic[8] = {'E', 'm', 'b', 'e', 'r', 'S', 'O', '1'};

/* ---- folders ---- */

/* Whoever can write into the folder can run code in this process. */
static bool cache_is_private(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 022) == 0;
}

/* False: there is no cache. */
static bool cache_folder(char out[CACHE_PATH], const char *wanted)
{
    const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int         size;
    if (wanted != NULL && wanted[0] == '\0')
        return false;
    if (wanted != NULL)
        size = snprintf(out, CACHE_PATH, "%s", wanted);
    else if (xdg != NULL && xdg[0] == '/')
        size = snprintf(out, CACHE_PATH, "%s/ember", xdg);
    else if (home != NULL && home[0] == '/')
        size = snprintf(out, CACHE_PATH, "%s/.cache/ember", home);
    else
        return false;
    if (size <= 0 || size >= CACHE_PATH - 64)
        return false;
    return emberi_folder_make(out, true) == 0 && cache_is_private(out);
}

static void cache_remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (folder != NULL) {
        for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                (void)unlinkat(dirfd(folder), entry->d_name, 0);
        closedir(folder);
    }
    (void)rmdir(path);
}

/* What nobody used for long, and what a process that was killed left behind. */
static void cache_sweep(const char *cache)
{
    emberi_folder *folder = emberi_folder_open(cache);
    time_t         now = time(NULL);
    if (folder == NULL)
        return;
    for (const char *name = emberi_folder_next(folder); name != NULL; name = emberi_folder_next(folder)) {
        struct stat info;
        char        path[CACHE_PATH + 300];
        bool        work = strncmp(name, "work-", 5) == 0,
             object = strlen(name) == 35 && strcmp(name + 32, ".so") == 0;
        snprintf(path, sizeof(path), "%s/%s", cache, name);
        if ((!work && !object) || lstat(path, &info) != 0)
            continue;
        if (work && S_ISDIR(info.st_mode) && now - info.st_mtim.tv_sec > CACHE_WORK_S)
            cache_remove_folder(path);
        if (object && S_ISREG(info.st_mode) && now - info.st_mtim.tv_sec > CACHE_UNUSED_S)
            (void)unlink(path);
    }
    emberi_folder_close(folder);
}

/* A private folder to work in. */
static bool cache_make_work(char out[CACHE_PATH], const char *place)
{
    return (size_t)snprintf(out, CACHE_PATH, "%s/work-XXXXXX", place) < CACHE_PATH && mkdtemp(out) != NULL;
}

/* ---- files ---- */

static bool cache_file_is_whole(const ember_buffer *file, const emberi_object_job *job)
{
    cache_footer footer;
    if (file->size < sizeof(footer))
        return false;
    size_t before = file->size - sizeof(footer);
    memcpy(&footer, file->data + before, sizeof(footer));
    return memcmp(footer.magic, cache_magic, sizeof(cache_magic)) == 0 &&
           footer.module_size == job->stripped->size && footer.object_size <= before &&
           footer.module_size == before - footer.object_size &&
           footer.hash == XXH3_64bits(file->data, before) &&
           memcmp(file->data + footer.object_size, job->stripped->data, job->stripped->size) == 0;
}

/* Loads an object, from its file or, where files of that folder must not be executed, from memory. */
static void *cache_dlopen(const char *path, const uint8_t *object, size_t size)
{
    char  name[64];
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL)
        return handle;
    int fd = memfd_create("ember-game", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    for (size_t at = 0; at < size;) {
        ssize_t written = write(fd, object + at, size - at);
        if (written <= 0 && errno != EINTR)
            break;
        at += written > 0 ? (size_t)written : 0;
    }
    handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    close(fd);
    return handle;
}

/* NULL where the file is not there or not as it should be. */
static void *cache_load(const char *path, const emberi_object_job *job)
{
    struct stat  info;
    ember_buffer file = {.allocator = job->allocator};
    void        *handle = NULL;
    if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        (info.st_mode & 022) == 0 &&
        ember_file_read(&file, path, CACHE_FILE + 2 * EMBERI_WASM_MAX_SIZE, NULL) == EMBER_OK &&
        cache_file_is_whole(&file, job)) {
        handle = cache_dlopen(path, file.data, file.size);
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* it was used */
    }
    ember_buffer_free(&file);
    return handle;
}

/* Adds the module and the footer to the object; `file` gets all of it. */
static ember_status cache_seal(ember_buffer *file, const char *path, const emberi_object_job *job,
                               ember_error *err)
{
    cache_footer footer = {.module_size = job->stripped->size};
    ember_status status = ember_file_read(file, path, CACHE_FILE, err);
    memcpy(footer.magic, cache_magic, sizeof(cache_magic));
    footer.object_size = file->size;
    if (status == EMBER_OK && !ember_buffer_append(file, job->stripped->data, job->stripped->size))
        status = emberi_fail_memory(err);
    footer.hash = XXH3_64bits(file->data, file->size);
    if (status == EMBER_OK && !ember_buffer_append(file, &footer, sizeof(footer)))
        status = emberi_fail_memory(err);
    if (status == EMBER_OK)
        status = ember_file_write(path, file->data, file->size, err);
    return status == EMBER_OK && chmod(path, 0700) != 0
               ? ember_fail(err, EMBER_E_IO, EMBER_NO_OFFSET, "the compiled game cannot be kept")
               : status;
}

/* Builds it in a folder of its own inside `place`; EMBER_E_IO where that place cannot be used. `path`: where
   it is kept, or NULL. */
static ember_status cache_build_in(void **handle, const char *place, const char *path,
                                   const emberi_object_recipe *recipe, const emberi_object_job *job,
                                   ember_error *err)
{
    char         work[CACHE_PATH], made[CACHE_PATH + 16];
    ember_buffer file = {.allocator = job->allocator};
    if (!cache_make_work(work, place))
        return emberi_failf(err, EMBER_E_IO, EMBER_NO_OFFSET, "no folder to compile the game in: %s",
                            strerror(errno));
    snprintf(made, sizeof(made), "%s/game.so", work);
    ember_status status = emberi_object_build(work, recipe, job, err);
    if (status == EMBER_OK)
        status = cache_seal(&file, made, job, err);
    if (status == EMBER_OK) {
        bool kept = path != NULL && rename(made, path) == 0;
        *handle = cache_dlopen(kept ? path : made, file.data, file.size);
        if (*handle == NULL)
            status = emberi_failf(err, EMBER_E_IO, EMBER_NO_OFFSET, "the compiled game cannot be loaded: %s",
                                  dlerror());
    }
    ember_buffer_free(&file);
    cache_remove_folder(work);
    return status;
}

/* In the cache, so that it can be kept by renaming it; or else, where that is missing, full or must not be
   written to, among the temporary files. */
static ember_status cache_build(void **handle, const char *cache, const char *path,
                                const emberi_object_recipe *recipe, const emberi_object_job *job,
                                ember_error *err)
{
    const char *temporary = getenv("TMPDIR");
    const char *places[] = {cache, temporary != NULL && temporary[0] == '/' ? temporary : "/tmp", "/dev/shm"};
    ember_status status = EMBER_E_IO;
    if (cache != NULL)
        cache_sweep(cache);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]) && status == EMBER_E_IO; i++) {
        ember_error at_last = EMBER_ERROR_INIT;
        if (places[i] == NULL)
            continue;
        status = cache_build_in(handle, places[i], i == 0 ? path : NULL, recipe, job, &at_last);
        if (err != NULL)
            *err = at_last; /* the last place's */
    }
    return status;
}

ember_status emberi_object_open(void **handle, const emberi_object_job *job, ember_error *err)
{
    emberi_object_recipe recipe;
    char                 folder[CACHE_PATH], path[CACHE_PATH + 48];
    ember_status         status = emberi_object_plan(&recipe, job, err);
    *handle = NULL;
    if (status == EMBER_OK) {
        bool cached = cache_folder(folder, job->cache_folder);
        snprintf(path, sizeof(path), "%s/%s.so", cached ? folder : "", recipe.key);
        if (cached)
            *handle = cache_load(path, job);
        if (*handle == NULL)
            status = cache_build(handle, cached ? folder : NULL, path, &recipe, job, err);
    }
    ember_buffer_free(&recipe.runtime);
    return status;
}
