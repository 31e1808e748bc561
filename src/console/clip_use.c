/* SPDX-License-Identifier: MIT */
/* What a game asks of its clips and data: counts, frames as they are stored, frames decoded, names and
   markers, chunks of its own formats. */
#include <string.h>

#include "base/bytes.h"
#include "console/guest_memory.h"
#include "model/names.h"

#define CLIP_NAME_WORK UINT64_C(16) /* bytes of one bone's name, about */

static double clip_fps(const host_clip *clip) { return clip->fps > 0.0 ? clip->fps : EMBER_DEFAULT_FPS; }

/* ---- counts ---- */

uint32_t emberi_host_keyframes_bone_count(ember_console *c, uint32_t clip)
{
    return emberi_host_keyframes(c, HOST_NAME, clip)->bone_count;
}

uint32_t emberi_host_keyframes_frame_count(ember_console *c, uint32_t clip)
{
    return emberi_host_keyframes(c, HOST_NAME, clip)->frame_count;
}

float emberi_host_keyframes_fps(ember_console *c, uint32_t clip)
{
    return (float)clip_fps(emberi_host_keyframes(c, HOST_NAME, clip));
}

uint32_t emberi_host_keyframes_loop(ember_console *c, uint32_t clip)
{
    return emberi_host_keyframes(c, HOST_NAME, clip)->loop ? 1 : 0;
}

/* The draft's ClipInfo: u16 bones, u16 frames, f32 rate, u32 flags: 1 has scale, 2 loops, as in its files. */
void emberi_host_clip_info(ember_console *c, uint32_t clip, guest_out out)
{
    const host_clip *k = emberi_host_clip(c, HOST_NAME, clip);
    uint8_t         *info = emberi_host_out(c, HOST_NAME, out, 12);
    bool             has_scale = k->record != EMBER_RECORD_B && k->record != EMBER_RECORD_D;
    emberi_put_u16(info, (uint16_t)k->bone_count);
    emberi_put_u16(info + 2, (uint16_t)k->frame_count);
    emberi_put_u32(info + 4, emberi_bits_of((float)clip_fps(k)));
    emberi_put_u32(info + 8, (has_scale ? 1u : 0u) | (k->loop ? 2u : 0u));
}

/* ---- decoded frames ---- */

/* Straight into the game's memory where the address allows it. */
static void clip_decode_to(ember_console *c, const char *function, uint8_t *to, host_clip *clip,
                           uint32_t frame)
{
    if (((uintptr_t)to & (_Alignof(ember_transform) - 1)) == 0) {
        emberi_host_pose((ember_transform *)(void *)to, c, function, clip, frame);
    } else {
        emberi_host_pose(c->scratch[0], c, function, clip, frame);
        memcpy(to, c->scratch[0], clip->bone_count * sizeof(ember_transform));
    }
}

void emberi_host_keyframe_read(ember_console *c, uint32_t clip, uint32_t frame, guest_out out)
{
    host_clip *k = emberi_host_keyframes(c, HOST_NAME, clip);
    emberi_host_check_frame(c, HOST_NAME, k, frame);
    uint8_t *to = emberi_host_out(c, HOST_NAME, out, (uint64_t)k->bone_count * sizeof(ember_transform));
    clip_decode_to(c, HOST_NAME, to, k, frame);
}

void emberi_host_keyframe_sample(ember_console *c, uint32_t clip, float frame, guest_out out)
{
    host_clip         *k = emberi_host_keyframes(c, HOST_NAME, clip);
    ember_sample_point point;
    emberi_host_finite(c, HOST_NAME, "frame", frame);
    uint8_t *to = emberi_host_out(c, HOST_NAME, out, (uint64_t)k->bone_count * sizeof(ember_transform));
    (void)ember_sample_locate(&point, k->frame_count, 1.0f, (double)frame,
                              k->loop); /* its rules hold: one frame or more, a finite time */
    if (point.t == 0.0f) {
        clip_decode_to(c, HOST_NAME, to, k, point.frame);
        return;
    }
    emberi_host_pose_between(c->scratch[0], c, HOST_NAME, k, point);
    emberi_host_check_pose(c, HOST_NAME, c->scratch[0], k->bone_count);
    memcpy(to, c->scratch[0], k->bone_count * sizeof(ember_transform));
}

/* ---- stored frames: the draft's, whose indices wrap ---- */

/* A frame may turn out to be damaged, but not after others were written: so all of them are tried first. */
static void clip_try_frames(ember_console *c, const char *function, host_clip *clip, uint32_t first,
                            uint32_t count)
{
    uint8_t records[EMBER_MAX_BONES * EMBER_KEYFRAME_SIZE];
    count = count < clip->frame_count ? count : clip->frame_count;
    for (uint32_t i = 0; i < count; i++)
        emberi_host_records(records, c, function, clip, (first + i) % clip->frame_count);
}

void emberi_host_read_frames(ember_console *c, uint32_t clip, uint32_t first, uint32_t count, guest_out out)
{
    host_clip *k = emberi_host_clip(c, HOST_NAME, clip);
    size_t     size = (size_t)k->bone_count * k->record_size;
    uint8_t   *to = emberi_host_out(c, HOST_NAME, out, (uint64_t)count * size);
    uint32_t   frame = first % k->frame_count;
    if (k->records == NULL && count > 1)
        clip_try_frames(c, HOST_NAME, k, frame, count);
    for (uint32_t i = 0; i < count; i++, to += size) {
        emberi_host_records(to, c, HOST_NAME, k, frame);
        frame = frame + 1 < k->frame_count ? frame + 1 : 0;
    }
}

void emberi_host_read_frame(ember_console *c, uint32_t clip, uint32_t frame, guest_out out)
{
    host_clip *k = emberi_host_clip(c, HOST_NAME, clip);
    uint8_t   *to = emberi_host_out(c, HOST_NAME, out, (uint64_t)k->bone_count * k->record_size);
    emberi_host_records(to, c, HOST_NAME, k, frame % k->frame_count);
}

/* Its bytes stay: a snapshot may bring it back. */
void emberi_host_unload_clip(ember_console *c, uint32_t clip)
{
    host_clip *k = emberi_host_clip(c, HOST_NAME, clip);
    k->unloaded = true;
    if (c->state.pose_clip == (int32_t)emberi_host_index(HOST_CLIP, clip))
        emberi_host_no_pose(c);
}

/* ---- names and markers, which only the ROM knows ---- */

uint32_t emberi_host_keyframes_marker_count(ember_console *c, uint32_t clip)
{
    const host_clip *k = emberi_host_keyframes(c, HOST_NAME, clip);
    return k->rom != NULL ? k->rom->marker_count : 0;
}

/* As much of the text as fits, whole characters, always with its end. */
static void clip_put_text(uint8_t *out, size_t out_size, const char *text)
{
    size_t used = 0, size = strlen(text);
    for (size_t next;
         used < size && (next = emberi_utf8_size(text + used, size - used)) != 0 && used + next < out_size;
         used += next)
        memcpy(out + used, text + used, next);
    memset(out + used, 0, out_size - used);
}

uint32_t emberi_host_keyframes_marker(ember_console *c, uint32_t clip, uint32_t index, guest_out name,
                                      uint32_t name_size)
{
    const host_clip *k = emberi_host_keyframes(c, HOST_NAME, clip);
    uint32_t         count = k->rom != NULL ? k->rom->marker_count : 0;
    ember_marker     marker = {"", 0};
    if (index >= count)
        emberi_host_trap(c, HOST_NAME, "marker index %u >= marker_count %u", (unsigned)index,
                         (unsigned)count);
    uint8_t *out = emberi_host_out(c, HOST_NAME, name, name_size);
    if (!ember_rom_clip_marker(&marker, k->rom, index))
        emberi_host_trap(c, HOST_NAME, "marker %u is damaged", (unsigned)index);
    if (name_size != 0)
        clip_put_text(out, name_size, marker.name != NULL ? marker.name : "");
    return marker.frame;
}

uint32_t emberi_host_bone_index(ember_console *c, uint32_t clip, guest_in name, uint32_t name_size)
{
    const host_clip *k = emberi_host_keyframes(c, HOST_NAME, clip);
    const uint8_t   *wanted = emberi_host_in(c, HOST_NAME, name, name_size);
    emberi_host_work(c, k->bone_count * CLIP_NAME_WORK);
    for (uint32_t i = 0; k->rom != NULL && name_size != 0 && i < k->bone_count; i++) {
        const char *bone = ember_rom_rig_name(&k->rom->rig, i);
        if (bone != NULL && strlen(bone) == name_size && memcmp(bone, wanted, name_size) == 0)
            return i;
    }
    return UINT32_MAX;
}

/* ---- data of the game's own ---- */

uint32_t emberi_host_load_data(ember_console *c, guest_in data, uint32_t size, uint32_t chunk_size)
{
    emberi_host_begin_load(c, HOST_NAME, &c->data, sizeof(host_data));
    const uint8_t *from = emberi_host_in(c, HOST_NAME, data, size);
    uint8_t       *bytes = EMBER_PUSH(&c->arena, uint8_t, size);
    if (bytes == NULL)
        emberi_host_trap(c, HOST_NAME, "out of memory");
    memcpy(bytes, from, size);
    host_data *all = c->data.items;
    uint32_t   chunk = chunk_size != 0 && chunk_size < size ? chunk_size : size;
    uint32_t   count = chunk != 0 ? (size - 1) / chunk + 1 : 1;
    all[c->data.count] = (host_data){bytes, size, chunk, count, false};
    return emberi_host_handle(HOST_DATA, c->data.count++);
}

void emberi_host_read_data(ember_console *c, uint32_t handle, uint32_t index, guest_out out)
{
    const host_data *data = emberi_host_data(c, HOST_NAME, handle);
    if (index >= data->chunk_count)
        emberi_host_trap(c, HOST_NAME, "chunk index %u >= chunk_count %u", (unsigned)index,
                         (unsigned)data->chunk_count);
    uint32_t at = index * data->chunk_size, left = data->size - at;
    uint32_t size = left < data->chunk_size ? left : data->chunk_size;
    memcpy(emberi_host_out(c, HOST_NAME, out, size), data->bytes + at, size);
}

void emberi_host_unload_data(ember_console *c, uint32_t handle)
{
    emberi_host_data(c, HOST_NAME, handle)->unloaded = true;
}

uint32_t emberi_host_rom_data(ember_console *c, guest_in id, uint32_t id_size, guest_out out,
                              uint32_t out_size)
{
    ember_rom_entry entry = emberi_host_asset(c, HOST_NAME, EMBER_ROM_DATA, "data", id, id_size);
    uint32_t        size = entry.size < out_size ? (uint32_t)entry.size : out_size;
    memcpy(emberi_host_out(c, HOST_NAME, out, out_size), entry.data, size);
    return size;
}

uint32_t emberi_host_rom_data_len(ember_console *c, guest_in id, uint32_t id_size)
{
    return (uint32_t)emberi_host_asset(c, HOST_NAME, EMBER_ROM_DATA, "data", id, id_size).size;
}
