/* SPDX-License-Identifier: MIT */
/* Rigs and clips of a ROM to be: clips with equal bones in the same space share a rig, whose rest records are
   made from all of them. The assets were checked before, so every clip is as long as its header says. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "codec/ewzanim.h"
#include "ember/model.h"
#include "rom/rom_writer.h"

static const ember_rom_asset *rigs_asset(const rom_writer *w, const rom_item *item)
{
    return &w->content->assets[item->asset];
}

static uint32_t rigs_bones(const rom_writer *w, const rom_item *item)
{
    const ember_rom_asset *asset = rigs_asset(w, item);
    ember_lean_rig         rig = {.bone_count = 0};
    if (asset->lean_rig == NULL)
        return emberi_ewzanim_get(item->data).bone_count;
    (void)ember_lean_rig_open(&rig, asset->lean_rig, asset->lean_rig_size, NULL); /* it was checked */
    return rig.bone_count;
}

static uint32_t       rigs_frames(const rom_item *item) { return emberi_ewzanim_get(item->data).frame_count; }
static const uint8_t *rigs_records(const rom_item *item) { return item->data + EMBERI_EWZANIM_HEADER_SIZE; }

/* ---- the payload of a rig ---- */

static size_t rigs_names_size(const ember_skeleton *skeleton, uint32_t count)
{
    size_t size = 0;
    bool   any = false;
    for (uint32_t i = 0; skeleton != NULL && i < count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        if (name != NULL && name[0] != '\0') {
            size += strlen(name) + 1;
            any = true;
        }
    }
    return any ? count * 4 + size : 0;
}

static void rigs_put_names(uint8_t *out, const ember_skeleton *skeleton, uint32_t count)
{
    size_t at = (size_t)count * 4;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = ember_skeleton_name(skeleton, i);
        if (name == NULL || name[0] == '\0')
            continue;
        size_t size = strlen(name) + 1;
        emberi_put_u32(out + (size_t)i * 4, (uint32_t)at);
        memcpy(out + at, name, size);
        at += size;
    }
}

static void rigs_put_rest(uint8_t *out, const ember_transform *rest, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float numbers[10];
        memcpy(numbers, &rest[i], sizeof(numbers));
        for (size_t k = 0; k < 10; k++)
            emberi_put_u32(out + (size_t)i * sizeof(numbers) + k * 4, emberi_bits_of(numbers[k]));
    }
}

/* All that the skeleton knows; what the clips bring, rest records and offsets, is still zero. */
static bool rigs_serialise(rom_group *out, const ember_rom_asset *asset, uint32_t count, ember_arena *arena)
{
    const ember_skeleton *skeleton = asset->skeleton;
    bool                  lean = asset->lean_rig != NULL, rest = skeleton != NULL && skeleton->rest != NULL;
    bool                  offsets = asset->space == EMBER_SPACE_MODEL && !lean;
    size_t names = rigs_names_size(skeleton, count), parents_size = emberi_rom_align4(count * 2u);
    size_t fixed = RIG_HEADER_SIZE + (lean ? 0 : (size_t)count * EMBER_KEYFRAME_SIZE);
    size_t lean_size = lean ? asset->lean_rig_size : 0;
    out->is_lean = lean;
    out->size = fixed + parents_size + (offsets ? count * sizeof(ember_vec3) : 0) +
                (rest ? count * sizeof(ember_transform) : 0) + names + lean_size;
    uint8_t *p = out->payload = ember_arena_push(arena, out->size, 1, ROM_ALIGN);
    if (p == NULL)
        return false;
    emberi_put_u16(p + RIG_AT_BONES, (uint16_t)count);
    p[RIG_AT_SPACE] = (uint8_t)asset->space;
    p[RIG_AT_PARTS] = (uint8_t)((rest ? RIG_HAS_REST : 0u) | (names != 0 ? RIG_HAS_NAMES : 0u) |
                                (offsets ? RIG_HAS_OFFSETS : 0u) | (lean ? RIG_HAS_LEAN : 0u));
    emberi_put_u32(p + RIG_AT_NAMES_SIZE, (uint32_t)names);
    emberi_put_u32(p + RIG_AT_LEAN_SIZE, (uint32_t)lean_size);
    p += fixed;
    for (uint32_t i = 0; i < count; i++)
        emberi_put_u16(p + (size_t)i * 2, (uint16_t)(skeleton != NULL ? skeleton->parents[i] : -1));
    p += parents_size + (offsets ? count * sizeof(ember_vec3) : 0);
    if (rest)
        rigs_put_rest(p, skeleton->rest, count);
    p += rest ? count * sizeof(ember_transform) : 0;
    if (names != 0)
        rigs_put_names(p, skeleton, count);
    if (lean)
        memcpy(p + names, asset->lean_rig, lean_size);
    out->hash = ember_rom_hash(out->payload, out->size);
    return true;
}

/* ---- groups ---- */

/* A table of groups by hash: open addressing, never full. */
typedef struct rigs_table {
    uint32_t *slots; /* group + 1 */
    uint32_t  room;  /* a power of two */
} rigs_table;

static uint32_t *rigs_slot(const rom_writer *w, const rigs_table *table, const rom_group *group)
{
    for (uint32_t at = (uint32_t)group->hash;; at++) {
        uint32_t *slot = &table->slots[at & (table->room - 1)];
        if (*slot == 0)
            return slot;
        const rom_group *other = &w->groups[*slot - 1];
        if (other->hash == group->hash && other->size == group->size &&
            memcmp(other->payload, group->payload, group->size) == 0)
            return slot;
    }
}

/* The group of a clip, a new one if its rig was not met before. */
static ember_status rigs_place(rom_writer *w, rigs_table *table, rom_item *clip, uint32_t *group)
{
    rom_group        made = {.payload = NULL};
    ember_arena_mark mark = ember_arena_save(&w->arena);
    if (!rigs_serialise(&made, rigs_asset(w, clip), rigs_bones(w, clip), &w->arena))
        return emberi_fail_memory(w->err);
    uint32_t *slot = rigs_slot(w, table, &made);
    if (*slot != 0) {
        ember_arena_restore(&w->arena, mark);
    } else {
        w->groups[w->group_count] = made;
        *slot = ++w->group_count;
    }
    *group = *slot - 1;
    w->groups[*group].clip_count++;
    return EMBER_OK;
}

static ember_status rigs_group(rom_writer *w)
{
    uint32_t   count = w->content->asset_count;
    rigs_table table = {.room = 4};
    while (table.room < count * 2)
        table.room *= 2;
    table.slots = EMBER_PUSH(&w->arena, uint32_t, table.room);
    uint32_t *groups = EMBER_PUSH(&w->arena, uint32_t, count);
    w->groups = EMBER_PUSH(&w->arena, rom_group, count);
    if (table.slots == NULL || groups == NULL || w->groups == NULL)
        return emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < count; i++) {
        ember_status status = w->assets[i].kind == EMBER_ROM_KEYFRAMES
                                  ? rigs_place(w, &table, &w->assets[i], &groups[i])
                                  : EMBER_OK;
        if (status != EMBER_OK)
            return status;
    }
    for (uint32_t i = 0; i < w->group_count; i++) {
        w->groups[i].clips = EMBER_PUSH(&w->arena, rom_item *, w->groups[i].clip_count);
        w->groups[i].clip_count = 0;
        if (w->groups[i].clips == NULL)
            return emberi_fail_memory(w->err);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (w->assets[i].kind != EMBER_ROM_KEYFRAMES)
            continue;
        rom_group *group = &w->groups[groups[i]];
        group->clips[group->clip_count++] = &w->assets[i];
    }
    return EMBER_OK;
}

/* ---- what the clips bring to their rig ---- */

static ember_squeeze_rig rigs_view(const rom_group *group)
{
    uint32_t count = emberi_get_u16(group->payload + RIG_AT_BONES);
    uint8_t *rest = group->payload + RIG_HEADER_SIZE, *parents = rest + (size_t)count * EMBER_KEYFRAME_SIZE;
    bool     model = group->payload[RIG_AT_SPACE] == EMBER_SPACE_MODEL;
    return (ember_squeeze_rig){.bone_count = count,
                               .rest = rest,
                               .parents = (const void *)parents,
                               .offsets = model ? parents + emberi_rom_align4(count * 2u) : NULL,
                               .model_space = model};
}

static ember_status rigs_fill(rom_writer *w, rom_group *group)
{
    ember_arena_mark  mark = ember_arena_save(&w->scratch);
    const uint8_t   **clips = EMBER_PUSH(&w->scratch, const uint8_t *, group->clip_count);
    uint32_t         *frames = EMBER_PUSH(&w->scratch, uint32_t, group->clip_count);
    ember_squeeze_rig rig = rigs_view(group);
    ember_status      status = clips != NULL && frames != NULL ? EMBER_OK : emberi_fail_memory(w->err);
    for (uint32_t i = 0; i < group->clip_count && status == EMBER_OK; i++) {
        clips[i] = rigs_records(group->clips[i]);
        frames[i] = rigs_frames(group->clips[i]);
    }
    if (status == EMBER_OK) {
        ember_squeeze_rig_job job = {.out_rest = (uint8_t *)(uintptr_t)rig.rest,
                                     .out_offsets = (uint8_t *)(uintptr_t)rig.offsets,
                                     .parents = rig.parents,
                                     .bone_count = rig.bone_count,
                                     .clips = clips,
                                     .frame_counts = frames,
                                     .clip_count = group->clip_count};
        status = ember_squeeze_rig_make(&job, &w->scratch);
        if (status != EMBER_OK)
            emberi_failf(w->err, status, EMBER_NO_OFFSET, "what the clips share cannot be made: %s",
                         ember_status_name(status));
    }
    ember_arena_restore(&w->scratch, mark);
    return status;
}

ember_status emberi_rom_rigs_make(rom_writer *w)
{
    ember_status status = rigs_group(w);
    for (uint32_t i = 0; i < w->group_count && status == EMBER_OK; i++) {
        rom_group *group = &w->groups[i];
        if (!group->is_lean)
            status = rigs_fill(w, group);
        snprintf(group->id, sizeof(group->id), "%016jx",
                 (uintmax_t)ember_rom_hash(group->payload, group->size));
        group->item = (rom_item){.kind = EMBER_ROM_RIG,
                                 .id = group->id,
                                 .id_size = 16,
                                 .data = group->payload,
                                 .size = group->size,
                                 .asset = ROM_NO_ASSET};
        for (uint32_t k = 0; k < group->clip_count; k++)
            group->clips[k]->link = &group->item;
    }
    return status;
}

/* ---- clips ---- */

static size_t rigs_markers_size(const ember_rom_asset *asset)
{
    size_t size = (size_t)asset->marker_count * CLIP_MARKER_SIZE;
    for (uint32_t i = 0; i < asset->marker_count; i++)
        size += strlen(asset->markers[i].name) + 1;
    return size;
}

static void rigs_put_markers(uint8_t *out, const ember_rom_asset *asset)
{
    size_t at = (size_t)asset->marker_count * CLIP_MARKER_SIZE;
    for (uint32_t i = 0; i < asset->marker_count; i++) {
        size_t size = strlen(asset->markers[i].name) + 1;
        emberi_put_u32(out + (size_t)i * CLIP_MARKER_SIZE, asset->markers[i].frame);
        emberi_put_u32(out + (size_t)i * CLIP_MARKER_SIZE + 4, (uint32_t)at);
        memcpy(out + at, asset->markers[i].name, size);
        at += size;
    }
}

/* Squeezes into scratch memory; where that gains nothing, the records stay as they are. */
static ember_status rigs_squeeze(rom_writer *w, ember_squeeze_job *job, const ember_rom_asset *asset)
{
    ember_status status;
    job->out_capacity = ember_squeeze_bound(job->rig->bone_count, job->frame_count);
    job->out = ember_arena_push(&w->scratch, job->out_capacity, 1, ROM_ALIGN);
    if (job->out == NULL)
        return emberi_fail_memory(w->err);
    job->method = asset->method;
    status = ember_squeeze_encode(job, &w->scratch);
    size_t records = (size_t)job->rig->bone_count * job->frame_count * EMBER_KEYFRAME_SIZE;
    if (status == EMBER_OK && job->method != EMBER_SQUEEZE_RAW && job->out_size > records) {
        job->method = EMBER_SQUEEZE_RAW;
        status = ember_squeeze_encode(job, &w->scratch);
    }
    if (status != EMBER_OK)
        emberi_failf(w->err, status, EMBER_NO_OFFSET, "%s cannot be squeezed: %s",
                     emberi_rom_label_of(asset->kind, asset->id).text, ember_status_name(status));
    return status;
}

/* The clip's payload, the header and the markers around a block of so many bytes; NULL without memory. */
static uint8_t *rigs_put_clip(rom_writer *w, rom_item *clip, const rom_group *group, uint32_t frame_count,
                              size_t block_size)
{
    const ember_rom_asset *asset = rigs_asset(w, clip);
    size_t                 markers = rigs_markers_size(asset);
    size_t   size = CLIP_HEADER_SIZE + (markers != 0 ? emberi_rom_align4(block_size) : block_size) + markers;
    uint8_t *p = markers <= UINT32_MAX ? ember_arena_push(&w->arena, size, 1, ROM_ALIGN) : NULL;
    uint64_t fps;
    if (p == NULL)
        return NULL;
    memcpy(&fps, &asset->fps, sizeof(fps));
    emberi_put_u16(p + CLIP_AT_BONES, emberi_get_u16(group->payload + RIG_AT_BONES));
    emberi_put_u16(p + CLIP_AT_FRAMES, (uint16_t)frame_count);
    p[CLIP_AT_SPACE] = (uint8_t)asset->space;
    p[CLIP_AT_LOOP] = asset->loop ? 1 : 0;
    emberi_put_u16(p + CLIP_AT_MARKERS, (uint16_t)asset->marker_count);
    emberi_put_u64(p + CLIP_AT_FPS, asset->fps > 0.0 ? fps : 0);
    emberi_put_u32(p + CLIP_AT_MARKERS_SIZE, (uint32_t)markers);
    emberi_put_u32(p + CLIP_AT_BLOCK_SIZE, (uint32_t)block_size);
    p[CLIP_AT_FORM] = group->is_lean ? EMBER_ROM_LEAN : EMBER_ROM_RECORDS;
    if (markers != 0)
        rigs_put_markers(p + size - markers, asset);
    clip->data = p;
    clip->size = size;
    return p + CLIP_HEADER_SIZE;
}

static ember_status rigs_make_lean(rom_writer *w, rom_item *clip, const rom_group *group)
{
    const ember_rom_asset *asset = rigs_asset(w, clip);
    uint32_t               frame_count = 0;
    float                  error;
    (void)ember_lean_peek(&frame_count, &error, asset->data, asset->size); /* it was checked */
    uint8_t *block = rigs_put_clip(w, clip, group, frame_count, asset->size);
    if (block == NULL)
        return emberi_fail_memory(w->err);
    memcpy(block, asset->data, asset->size);
    return EMBER_OK;
}

static ember_status rigs_make_clip(rom_writer *w, rom_item *clip, const rom_group *group)
{
    const ember_rom_asset *asset = rigs_asset(w, clip);
    ember_squeeze_rig      rig = rigs_view(group);
    ember_squeeze_job job = {.frames = rigs_records(clip), .frame_count = rigs_frames(clip), .rig = &rig};
    ember_arena_mark  mark = ember_arena_save(&w->scratch);
    ember_status      status = rigs_squeeze(w, &job, asset);
    uint8_t *block = status == EMBER_OK ? rigs_put_clip(w, clip, group, job.frame_count, job.out_size) : NULL;
    if (status == EMBER_OK && block == NULL)
        status = emberi_fail_memory(w->err);
    if (block != NULL)
        memcpy(block, job.out, job.out_size);
    ember_arena_restore(&w->scratch, mark);
    return status;
}

ember_status emberi_rom_clips_make(rom_writer *w)
{
    ember_status status = EMBER_OK;
    for (uint32_t i = 0; i < w->group_count; i++) {
        const rom_group *group = &w->groups[i];
        for (uint32_t k = 0; k < group->clip_count && status == EMBER_OK; k++)
            status = group->is_lean ? rigs_make_lean(w, group->clips[k], group)
                                    : rigs_make_clip(w, group->clips[k], group);
    }
    return status;
}
