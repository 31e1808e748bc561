/* SPDX-License-Identifier: MIT */
/* Lean clips: those of equal skeletons are encoded against one rig, made from all of them, in as many threads
   as there are cores. What was encoded before comes out of the cache; an entry is a ROM, checked like one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "ember/pose.h"
#include "verbs/build/build.h"

/* The distance from a bone at which errors are measured, of the model's size: as `ember diff` has it. */
#define LEAN_SHELL_PART (1.0 / 60.0)

typedef struct lean_group {
    uint64_t key;
    float    shell;
    bool     done; /* it was in the cache */
    uint8_t *rig_data;
    size_t   rig_size;
} lean_group;

typedef struct lean_job {
    build_job      *job;
    build_lean     *clips;
    size_t          count;
    lean_group     *groups;
    uint32_t        group_count;
    ember_arena    *arena;
    pthread_mutex_t lock;
    size_t          next;
    bool            failed; /* out of memory */
} lean_job;

/* ---- groups ---- */

static bool lean_same_names(const ember_skeleton *a, const ember_skeleton *b)
{
    for (uint32_t i = 0; i < a->bone_count; i++) {
        const char *x = ember_skeleton_name(a, i), *y = ember_skeleton_name(b, i);
        if (x == NULL || y == NULL ? x != y : strcmp(x, y) != 0)
            return false;
    }
    return true;
}

static bool lean_same_skeleton(const ember_skeleton *a, const ember_skeleton *b)
{
    size_t count = a->bone_count;
    return a == b ||
           (count == b->bone_count && memcmp(a->parents, b->parents, count * sizeof(*a->parents)) == 0 &&
            (a->rest == NULL) == (b->rest == NULL) &&
            (a->rest == NULL || memcmp(a->rest, b->rest, count * sizeof(*a->rest)) == 0) &&
            lean_same_names(a, b));
}

static void lean_group_all(lean_job *l)
{
    l->groups = must_alloc(l->count, sizeof(*l->groups));
    for (size_t i = 0; i < l->count; i++) {
        build_lean *clip = &l->clips[i];
        size_t      k = 0;
        while (k < i && !lean_same_skeleton(l->clips[k].asset->skeleton, clip->asset->skeleton))
            k++;
        clip->group = k < i ? l->clips[k].group : l->group_count++;
        lean_group *group = &l->groups[clip->group];
        float       shell = (float)(clip->size * LEAN_SHELL_PART);
        if (shell > group->shell)
            group->shell = shell;
    }
    for (size_t i = 0; i < l->count; i++) {
        build_lean *clip = &l->clips[i];
        double      part = clip->error.kind == BUILD_ERROR_UNSET ? BUILD_ERROR_DEFAULT : clip->error.value;
        clip->max_error =
            (float)(clip->error.kind == BUILD_ERROR_LENGTH ? clip->error.value : part * clip->size);
    }
}

static size_t lean_frames_size(const build_lean *clip)
{
    return (size_t)clip->frame_count * clip->asset->skeleton->bone_count * sizeof(*clip->frames);
}

/* ---- the cache ---- */

/* Of all that the group's clips are made of, in their order. */
static uint64_t lean_key(const lean_job *l, uint32_t group)
{
    uint64_t key = ember_rom_hash(&l->job->tool, sizeof(l->job->tool));
    for (size_t i = 0; i < l->count; i++) {
        const build_lean *clip = &l->clips[i];
        if (clip->group != group)
            continue;
        const ember_skeleton *bones = clip->asset->skeleton;
        struct lean_key_part {
            uint64_t before, frames, parents, rest;
            uint32_t bone_count, frame_count;
            float    max_error, shell;
        } part = {.before = key,
                  .frames = ember_rom_hash(clip->frames, lean_frames_size(clip)),
                  .parents = ember_rom_hash(bones->parents, bones->bone_count * sizeof(*bones->parents)),
                  .rest = bones->rest != NULL
                              ? ember_rom_hash(bones->rest, bones->bone_count * sizeof(*bones->rest))
                              : 0,
                  .bone_count = bones->bone_count,
                  .frame_count = clip->frame_count,
                  .max_error = clip->max_error,
                  .shell = l->groups[group].shell};
        key = ember_rom_hash(&part, sizeof(part));
    }
    return key != 0 ? key : 1;
}

static char *lean_cache_path(const lean_job *l, uint64_t key)
{
    return text_make("%s/%016jx.ewz", l->job->cache, (uintmax_t)key);
}

static void *lean_keep(lean_job *l, const void *data, size_t size)
{
    void *copy = ember_arena_push(l->arena, size, 1, 16);
    if (copy != NULL)
        memcpy(copy, data, size);
    else
        l->failed = true;
    return copy;
}

static void lean_count_finding(void *user, const ember_finding *finding)
{
    (void)finding;
    ++*(size_t *)user;
}

/* The group's clips are called by their number in it. */
static bool lean_take(lean_job *l, uint32_t group, const ember_rom *rom)
{
    uint32_t number = 0;
    for (size_t i = 0; i < l->count && !l->failed; i++) {
        build_lean     *clip = &l->clips[i];
        ember_rom_entry entry;
        ember_rom_clip  found;
        char            id[16];
        if (clip->group != group)
            continue;
        (void)snprintf(id, sizeof(id), "%u", (unsigned)number++);
        if (!ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, id, strlen(id)) ||
            ember_rom_clip_open(&found, rom, &entry, NULL) != EMBER_OK || found.form != EMBER_ROM_LEAN ||
            found.frame_count != clip->frame_count || found.bone_count != clip->asset->skeleton->bone_count)
            return false;
        lean_group *shared = &l->groups[group];
        if (shared->rig_data == NULL) {
            shared->rig_data = lean_keep(l, found.lean.rig.data, found.lean.rig.size);
            shared->rig_size = found.lean.rig.size;
        }
        clip->asset->data = lean_keep(l, found.lean.data, found.lean.size);
        clip->asset->size = found.lean.size;
        clip->reached = found.lean.error;
    }
    return !l->failed;
}

static void lean_cache_load(lean_job *l, uint32_t group)
{
    lean_group    *g = &l->groups[group];
    char          *path = lean_cache_path(l, g->key), *key = text_make("%016jx", (uintmax_t)g->key);
    ember_rom     *rom = NULL;
    size_t         found = 0;
    ember_findings findings = {lean_count_finding, &found};
    g->done = ember_rom_open_file(&rom, path, ember_heap(), NULL) == EMBER_OK &&
              ember_rom_check(rom, ember_heap(), &findings, NULL) == EMBER_OK && found == 0 &&
              strcmp(ember_rom_title(rom), key) == 0 && lean_take(l, group, rom);
    if (!g->done)
        g->rig_data = NULL;
    ember_rom_close(rom);
    free(key);
    free(path);
}

/* Not if a clip is over its bound: that has to be said again the next time. */
static void lean_cache_save(lean_job *l, uint32_t group)
{
    lean_group      *g = &l->groups[group];
    ember_rom_asset *assets = must_alloc(l->count, sizeof(*assets));
    char(*ids)[16] = must_alloc(l->count, sizeof(*ids));
    char             *path = lean_cache_path(l, g->key), *key = text_make("%016jx", (uintmax_t)g->key);
    ember_buffer      bytes = {.allocator = ember_heap()};
    ember_rom_content content = {.title = key, .assets = assets, .limit_size = UINT32_MAX};
    bool              good = true;
    for (size_t i = 0; i < l->count; i++) {
        const build_lean *clip = &l->clips[i];
        if (clip->group != group)
            continue;
        (void)snprintf(ids[content.asset_count], sizeof(ids[0]), "%u", (unsigned)content.asset_count);
        assets[content.asset_count] = *clip->asset;
        assets[content.asset_count].marker_count = 0;
        assets[content.asset_count].id = ids[content.asset_count];
        content.asset_count++;
        good = good && !clip->exceeded;
    }
    if (good && ember_rom_write(&bytes, &content, NULL, NULL, NULL) == EMBER_OK)
        (void)ember_file_write(path, bytes.data, bytes.size, NULL); /* it is made again the next time */
    ember_buffer_free(&bytes);
    free(key);
    free(path);
    free(ids);
    free(assets);
}

/* ---- rigs ---- */

static bool lean_rig_make(lean_job *l, uint32_t group)
{
    lean_group             *g = &l->groups[group];
    const ember_transform **frames = must_alloc(l->count, sizeof(*frames));
    uint32_t               *counts = must_alloc(l->count, sizeof(*counts));
    ember_arena             scratch = ember_arena_growing(ember_heap(), SIZE_MAX / 2);
    ember_error             err = EMBER_ERROR_INIT;
    size_t                  first = l->count;
    ember_lean_rig_job      job = {.clips = frames, .frame_counts = counts, .shell = g->shell};
    for (size_t i = 0; i < l->count; i++) {
        if (l->clips[i].group != group)
            continue;
        first = first < i ? first : i;
        frames[job.clip_count] = l->clips[i].frames;
        counts[job.clip_count++] = l->clips[i].frame_count;
    }
    job.bone_count = l->clips[first].asset->skeleton->bone_count;
    job.rest = l->clips[first].asset->skeleton->rest;
    job.out_capacity = ember_lean_rig_bound(job.bone_count);
    job.out = g->rig_data = ember_arena_push(l->arena, job.out_capacity, 1, 16);
    bool good = job.out != NULL && ember_lean_rig_make(&job, &scratch, &err) == EMBER_OK;
    if (!good)
        say_error(l->job->say, (place){l->clips[first].asset->id, NULL, NULL}, "%s",
                  job.out != NULL ? emberi_error_line_of(&err).text : "out of memory");
    g->rig_size = job.out_size;
    ember_arena_free(&scratch);
    free(frames);
    free(counts);
    return good;
}

/* ---- clips ---- */

static void lean_encode(lean_job *l, build_lean *clip)
{
    const lean_group *group = &l->groups[clip->group];
    ember_lean_rig    rig;
    ember_arena       scratch = ember_arena_growing(ember_heap(), SIZE_MAX / 2);
    ember_error       err = EMBER_ERROR_INIT;
    size_t            room = ember_lean_bound(clip->asset->skeleton->bone_count, clip->frame_count);
    ember_lean_job    job = {.out = malloc(room),
                             .out_capacity = room,
                             .frames = clip->frames,
                             .frame_count = clip->frame_count,
                             .parents = clip->asset->skeleton->parents,
                             .rig = &rig,
                             .max_error = clip->max_error};
    ember_status      status = job.out != NULL ? EMBER_OK : EMBER_E_NOMEM;
    if (status == EMBER_OK)
        status = ember_lean_rig_open(&rig, group->rig_data, group->rig_size, &err);
    if (status == EMBER_OK)
        status = ember_lean_encode(&job, &scratch, &err);
    pthread_mutex_lock(&l->lock);
    if (status == EMBER_OK || (status == EMBER_E_RANGE && job.out_size != 0)) {
        clip->asset->data = lean_keep(l, job.out, job.out_size);
        clip->asset->size = job.out_size;
        clip->reached = job.error;
        clip->worst_bone = job.worst_bone;
        clip->worst_frame = job.worst_frame;
        clip->exceeded = status != EMBER_OK;
    } else {
        l->failed = true;
        say_error(l->job->say, (place){clip->asset->id, NULL, NULL}, "%s",
                  job.out != NULL ? emberi_error_line_of(&err).text : "out of memory");
    }
    pthread_mutex_unlock(&l->lock);
    free(job.out);
    ember_arena_free(&scratch);
}

static void *lean_work(void *user)
{
    lean_job *l = user;
    for (;;) {
        pthread_mutex_lock(&l->lock);
        while (l->next < l->count && l->groups[l->clips[l->next].group].done)
            l->next++;
        build_lean *clip = l->next < l->count ? &l->clips[l->next++] : NULL;
        pthread_mutex_unlock(&l->lock);
        if (clip == NULL)
            return NULL;
        lean_encode(l, clip);
    }
}

static void lean_run(lean_job *l)
{
    pthread_t *threads = must_alloc(l->job->threads, sizeof(*threads));
    unsigned   count = 0;
    /* this thread works, too */
    while (count + 1 < l->job->threads && count + 1 < l->count &&
           pthread_create(&threads[count], NULL, lean_work, l) == 0)
        count++;
    lean_work(l);
    while (count-- > 0)
        pthread_join(threads[count], NULL);
    free(threads);
}

bool build_lean_all(build_job *job, build_lean *clips, size_t count, ember_arena *arena)
{
    lean_job l = {.job = job, .clips = clips, .count = count, .arena = arena};
    lean_group_all(&l);
    pthread_mutex_init(&l.lock, NULL);
    for (uint32_t i = 0; i < l.group_count && !l.failed; i++) {
        l.groups[i].key = lean_key(&l, i);
        if (job->cache != NULL)
            lean_cache_load(&l, i);
        l.failed = l.failed || (!l.groups[i].done && !lean_rig_make(&l, i));
    }
    if (!l.failed)
        lean_run(&l);
    for (size_t i = 0; i < count; i++) {
        clips[i].asset->lean_rig = l.groups[clips[i].group].rig_data;
        clips[i].asset->lean_rig_size = l.groups[clips[i].group].rig_size;
    }
    job->lean_keys = must_alloc(l.group_count, sizeof(*job->lean_keys));
    for (uint32_t i = 0; i < l.group_count && !l.failed; i++) {
        job->lean_keys[job->lean_key_count++] = l.groups[i].key;
        if (!l.groups[i].done && job->cache != NULL)
            lean_cache_save(&l, i);
    }
    pthread_mutex_destroy(&l.lock);
    free(l.groups);
    return !l.failed;
}
