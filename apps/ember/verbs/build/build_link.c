/* SPDX-License-Identifier: MIT */
/* All files' assets put together. Ids are unique over all of them; textures that several files bring are
   stored once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/text.h"
#include "codec/ewzmesh_header.h"
#include "scene/program.h"
#include "verbs/build/build.h"

typedef struct link_asset {
    ember_rom_asset     asset;
    build_file         *file;
    const build_origin *origin; /* or NULL */
    bool                dropped;
    uint32_t            bone_count, frame_count; /* of a clip */
    const uint8_t      *frames;                  /* of a clip that becomes a lean one; or NULL */
    float               error;                   /* of a lean clip */
} link_asset;

typedef struct linker {
    build_job  *job;
    link_asset *list;
    size_t      count, room;
    ember_arena arena;
    bool        failed;
} linker;

static place link_place(const link_asset *a)
{
    return (place){a->file->full, a->origin != NULL ? a->origin->name : NULL, NULL};
}

static int link_compare_origins(const void *x, const void *y)
{
    const build_origin *a = x, *b = y;
    return a->kind != b->kind ? (a->kind < b->kind ? -1 : 1) : strcmp(a->id, b->id);
}

/* The origins are sorted by then. */
static const build_origin *link_origin(const build_file *file, const ember_rom_entry *entry)
{
    char         id[EMBER_ROM_MAX_ID + 1];
    build_origin key = {.kind = (ember_rom_kind)entry->kind, .id = id};
    (void)snprintf(id, sizeof(id), "%s", entry->id);
    return file->origin_count != 0
               ? bsearch(&key, file->origins, file->origin_count, sizeof(key), link_compare_origins)
               : NULL;
}

/* ---- out of the files' own ROMs ---- */

static bool link_memory(linker *l)
{
    l->failed = true;
    say_error(l->job->say, (place){NULL, NULL, NULL}, "out of memory");
    return false;
}

/* The rig as a skeleton; NULL stays NULL where nothing is known of the bones. */
static bool link_skeleton(linker *l, const ember_skeleton **out, const ember_rom_rig *rig)
{
    ember_skeleton *skeleton = EMBER_PUSH(&l->arena, ember_skeleton, 1);
    const char    **names = EMBER_PUSH(&l->arena, const char *, rig->bone_count);
    if (skeleton == NULL || names == NULL)
        return link_memory(l);
    for (uint32_t i = 0; i < rig->bone_count; i++)
        names[i] = ember_rom_rig_name(rig, i);
    *skeleton =
        (ember_skeleton){rig->bone_count, rig->parents, rig->names != NULL ? names : NULL, rig->rest, NULL};
    *out = skeleton;
    return true;
}

static bool link_clip(linker *l, link_asset *a, const ember_rom_entry *entry)
{
    ember_rom_clip clip;
    ember_buffer   bytes = {.allocator = ember_heap()};
    bool           good = ember_rom_clip_open(&clip, a->file->rom, entry, NULL) == EMBER_OK &&
                ember_rom_clip_file(&bytes, &clip, NULL) == EMBER_OK;
    uint8_t      *data = good ? ember_arena_push(&l->arena, bytes.size, 1, 16) : NULL;
    ember_marker *markers = good ? EMBER_PUSH(&l->arena, ember_marker, clip.marker_count) : NULL;
    good = data != NULL && markers != NULL;
    if (good) {
        memcpy(data, bytes.data, bytes.size);
        a->asset.data = data;
        a->asset.size = bytes.size;
        a->asset.space = clip.space;
        a->asset.fps = clip.fps;
        a->asset.loop = clip.loop;
        a->asset.marker_count = clip.marker_count;
        a->asset.markers = markers;
        a->asset.method = a->origin != NULL ? a->origin->method : EMBER_SQUEEZE_RAW;
        a->bone_count = clip.bone_count;
        a->frame_count = clip.frame_count;
        for (uint32_t i = 0; i < clip.marker_count; i++)
            ember_rom_clip_marker(&markers[i], &clip, i);
    }
    ember_buffer_free(&bytes);
    if (!good)
        return link_memory(l);
    ember_rom_entry frames;
    size_t          size = (size_t)clip.bone_count * clip.frame_count * sizeof(ember_transform);
    const char     *id = a->origin != NULL ? a->origin->frames : NULL;
    /* The file's own ROM was checked, and its frames are of its own making. */
    if (id != NULL && ember_rom_find(&frames, a->file->rom, EMBER_ROM_DATA, id, strlen(id)) &&
        frames.size == size)
        a->frames = frames.data;
    return link_skeleton(l, &a->asset.skeleton, &clip.rig);
}

/* A mesh that shares its bytes in the file's own ROM gets some for itself; all are shared anew. */
static bool link_mesh(linker *l, link_asset *a, const ember_rom_entry *entry)
{
    ember_buffer bytes = {.allocator = ember_heap()};
    bool         good = ember_rom_mesh_file(&bytes, a->file->rom, entry, NULL) == EMBER_OK;
    uint8_t     *data = good ? ember_arena_push(&l->arena, bytes.size, 1, 16) : NULL;
    if (data != NULL)
        memcpy(data, bytes.data, bytes.size);
    a->asset.data = data;
    a->asset.size = bytes.size;
    ember_buffer_free(&bytes);
    return data != NULL || link_memory(l);
}

static bool link_entry(linker *l, build_file *file, const ember_rom_entry *entry)
{
    const build_origin *origin = link_origin(file, entry);
    ember_rom_entry     texture;
    /* Rigs and the info are the writer's own; what has no origin is not an asset of the file. */
    if (origin == NULL)
        return true;
    if (l->count == l->room) {
        l->room = l->room != 0 ? l->room * 2 : 256;
        l->list = must_resize(l->list, l->room, sizeof(*l->list));
    }
    link_asset *a = &l->list[l->count++];
    memset(a, 0, sizeof(*a));
    a->file = file;
    a->origin = origin;
    a->asset = (ember_rom_asset){.kind = (ember_rom_kind)entry->kind,
                                 .id = entry->id,
                                 .data = entry->data,
                                 .size = entry->size};
    if (ember_rom_texture(&texture, file->rom, entry))
        a->asset.texture = texture.id;
    if (entry->kind == EMBER_ROM_MESH && entry->size == 0)
        return link_mesh(l, a, entry);
    return entry->kind != EMBER_ROM_KEYFRAMES || link_clip(l, a, entry);
}

static bool link_gather(linker *l)
{
    for (size_t i = 0; i < l->job->list.count; i++) {
        build_file *file = &l->job->list.files[i];
        if (file->origin_count != 0)
            qsort(file->origins, file->origin_count, sizeof(*file->origins), link_compare_origins);
        for (uint32_t k = 0; file->rom != NULL && k < ember_rom_entry_count(file->rom); k++) {
            ember_rom_entry entry;
            if (ember_rom_entry_at(&entry, file->rom, k) && !link_entry(l, file, &entry))
                return false;
        }
    }
    return true;
}

/* ---- textures that are there already ---- */

static void link_rename_texture(linker *l, const build_file *file, const char *from, const char *to)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->list[i].file == file && l->list[i].asset.texture != NULL &&
            strcmp(l->list[i].asset.texture, from) == 0)
            l->list[i].asset.texture = to;
}

/* A texture of the folder's own is kept before one out of a model, and of those the first. */
static void link_share_textures(linker *l)
{
    for (size_t i = 0; i < l->count; i++) {
        link_asset *a = &l->list[i];
        if (a->asset.kind != EMBER_ROM_TEXTURE || a->file->way != BUILD_EXPORT)
            continue;
        for (size_t k = 0; k < l->count; k++) {
            const link_asset *b = &l->list[k];
            bool before = b->file->way == BUILD_TEXTURE || (k < i && b->file->way == BUILD_EXPORT);
            if (!before || b->dropped || b->asset.kind != EMBER_ROM_TEXTURE ||
                b->asset.size != a->asset.size || memcmp(b->asset.data, a->asset.data, a->asset.size) != 0)
                continue;
            say_detail(l->job->say, link_place(a), "its texture is the one of %s, stored once as '%s'",
                       b->file->full, b->asset.id);
            link_rename_texture(l, a->file, a->asset.id, b->asset.id);
            a->dropped = true;
            break;
        }
    }
}

/* ---- ids ---- */

static int link_compare(const void *x, const void *y)
{
    const link_asset *a = *(link_asset *const *)x, *b = *(link_asset *const *)y;
    if (a->asset.kind != b->asset.kind)
        return a->asset.kind < b->asset.kind ? -1 : 1;
    int order = strcmp(a->asset.id, b->asset.id);
    return order != 0 ? order : strcmp(a->file->path, b->file->path);
}

static void link_check_ids(linker *l)
{
    link_asset **sorted = must_alloc(l->count, sizeof(*sorted));
    size_t       count = 0;
    for (size_t i = 0; i < l->count; i++)
        if (!l->list[i].dropped)
            sorted[count++] = &l->list[i];
    if (count != 0)
        qsort(sorted, count, sizeof(*sorted), link_compare);
    for (size_t i = 1; i < count; i++) {
        const link_asset *a = sorted[i - 1];
        link_asset       *b = sorted[i];
        if (a->asset.kind != b->asset.kind || strcmp(a->asset.id, b->asset.id) != 0)
            continue;
        const char *name = a->origin->name;
        say_error(l->job->say, link_place(b),
                  "the %s id '%s' is also that of %s%s%s: give one of them another \"id\" in ember.json",
                  ember_rom_kind_name(a->asset.kind), a->asset.id, a->file->full, name != NULL ? ":" : "",
                  name != NULL ? name : "");
        l->failed = true;
        b->dropped = true;
    }
    free(sorted);
}

/* ---- lean clips ---- */

static void link_tell_lean(linker *l, link_asset *a, const build_lean *clip)
{
    char  reached[TEXT_NUMBER_SIZE], wanted[TEXT_NUMBER_SIZE];
    place where = link_place(a);
    a->error = clip->reached;
    if (!clip->exceeded)
        return;
    where.bone = ember_skeleton_name(a->asset.skeleton, clip->worst_bone);
    say_warning(l->job->say, where,
                "off by %s at frame %u, more than the %s that were asked for: no smaller error can be stored",
                text_length(reached, (double)clip->reached), (unsigned)clip->worst_frame,
                text_length(wanted, (double)clip->max_error));
}

/* Where a clip's skeleton is not known, each of its bones is a root; the ROM gets to know no more. */
static bool link_lean(linker *l)
{
    build_lean  *clips = must_alloc(l->count, sizeof(*clips));
    link_asset **assets = must_alloc(l->count, sizeof(*assets));
    size_t       count = 0;
    for (size_t i = 0; i < l->count; i++) {
        link_asset *a = &l->list[i];
        if (a->dropped || a->frames == NULL)
            continue;
        assets[count] = a;
        clips[count++] = (build_lean){.asset = &a->asset,
                                      .frames = (const void *)a->frames,
                                      .frame_count = a->frame_count,
                                      .error = a->origin->error,
                                      .size = a->origin->size};
    }
    bool good = count == 0 || build_lean_all(l->job, clips, count, &l->arena);
    for (size_t i = 0; i < count && good; i++)
        link_tell_lean(l, assets[i], &clips[i]);
    free(clips);
    free(assets);
    return good;
}

/* ---- the ROM ---- */

static void link_take_problem(void *user, const ember_note *note)
{
    linker *l = user;
    say_error(l->job->say, (place){note->clip, NULL, NULL}, "%s", note->text);
}

/* What the file would have if its rigid meshes were skinned: weights, and a skeleton for them. */
typedef struct link_rigid {
    uint32_t meshes, bones;
    uint64_t vertices;
    bool     skinned, skeleton;
} link_rigid;

static void link_add_rigid(link_rigid *r, const ember_rom_asset *asset)
{
    const uint8_t *header = asset->data;
    r->skeleton = r->skeleton || asset->kind == EMBER_ROM_SKELETON;
    if (asset->kind == EMBER_ROM_KEYFRAMES && asset->skeleton != NULL &&
        asset->skeleton->bone_count > r->bones)
        r->bones = asset->skeleton->bone_count;
    if (asset->kind != EMBER_ROM_MESH || asset->size < EWZMESH_HEADER_SIZE)
        return;
    r->skinned = r->skinned || (header[EWZMESH_AT_FORMAT] & EWZMESH_SKINNED) != 0;
    r->meshes += header[EWZMESH_AT_RIGID];
    r->vertices += header[EWZMESH_AT_RIGID] != 0 ? emberi_get_u32(header) : 0;
}

/* The assets of one file stand together. */
static void link_add_saved(linker *l, size_t from, size_t to)
{
    link_rigid          rigid = {.meshes = 0};
    struct build_saved *saved = &l->job->saved;
    for (size_t i = from; i < to; i++)
        if (!l->list[i].dropped)
            link_add_rigid(&rigid, &l->list[i].asset);
    saved->rigid += rigid.meshes;
    saved->weights += rigid.vertices * EWZMESH_WEIGHTS_SIZE;
    if (rigid.meshes != 0 && !rigid.skinned && !rigid.skeleton) {
        saved->bones += rigid.bones;
        saved->inverse_binds += (uint64_t)rigid.bones * 48;
    }
}

static void link_add_sizes(linker *l, const size_t *sizes)
{
    for (size_t i = 0, from = 0; i < l->count; i++)
        if (i + 1 == l->count || l->list[i + 1].file != l->list[i].file) {
            link_add_saved(l, from, i + 1);
            from = i + 1;
        }
    for (size_t i = 0, k = 0; i < l->count; i++) {
        const link_asset *a = &l->list[i];
        if (a->dropped)
            continue;
        if (a->asset.kind == EMBER_ROM_MESH && sizes[k] == 0) {
            l->job->saved.shared++;
            l->job->saved.shared_size += (a->asset.size + 15) / 16 * 16;
        }
        a->file->size += sizes[k];
        a->file->entries++;
        a->file->clips += a->asset.kind == EMBER_ROM_KEYFRAMES ? 1 : 0;
        a->file->lean_clips += a->frames != NULL ? 1 : 0;
        if ((double)a->error > a->file->error)
            a->file->error = (double)a->error;
        l->job->kinds[a->asset.kind].size += sizes[k++];
        l->job->kinds[a->asset.kind].entries++;
    }
}

static bool link_write(linker *l, const build_config *config, ember_buffer *out)
{
    ember_rom_asset *assets = must_alloc(l->count, sizeof(*assets));
    size_t          *sizes = must_alloc(l->count, sizeof(*sizes));
    uint32_t         count = 0;
    ember_notes      problems = {link_take_problem, l};
    ember_error      err = EMBER_ERROR_INIT;
    for (size_t i = 0; i < l->count; i++)
        if (!l->list[i].dropped)
            assets[count++] = l->list[i].asset;
    ember_rom_content content = {.title = config->title,
                                 .author = config->author,
                                 .assets = assets,
                                 .asset_count = count};
    ember_status      status = ember_rom_write(out, &content, sizes, &problems, &err);
    if (status == EMBER_OK || status == EMBER_E_LIMIT)
        link_add_sizes(l, sizes);
    if (status != EMBER_OK)
        say_library(l->job->say, l->job->folder, &err);
    free(assets);
    free(sizes);
    return status == EMBER_OK;
}

bool build_link(build_job *job, const build_config *config, ember_buffer *out)
{
    linker l = {.job = job};
    bool   good = true, written = false;
    l.arena = ember_arena_growing(ember_heap(), SIZE_MAX / 2);
    for (size_t i = 0; i < job->list.count; i++)
        good = good && !job->list.files[i].failed;
    if (link_gather(&l)) {
        link_share_textures(&l);
        link_check_ids(&l);
        bool encoded = link_lean(&l);
        l.failed = l.failed || !encoded;
        /* What is right may be too much by itself: that is said beside the rest. */
        written = encoded && link_write(&l, config, out);
        good = good && !l.failed;
    }
    if (!good) {
        memset(job->kinds, 0, sizeof(job->kinds));
        memset(&job->saved, 0, sizeof(job->saved));
    }
    good = good && written;
    free(l.list);
    ember_arena_free(&l.arena);
    return good;
}
