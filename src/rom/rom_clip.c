/* SPDX-License-Identifier: MIT */
/* Clips in a ROM. Everything but the frames themselves is checked when a clip is opened; the frames are
   checked while they are read. */
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "codec/ewzanim.h"
#include "ember/file.h"
#include "rom/rom_layout.h"

static double clip_fps(const uint8_t *data)
{
    uint64_t bits = emberi_get_u64(data + CLIP_AT_FPS);
    double   fps;
    memcpy(&fps, &bits, sizeof(fps));
    return fps;
}

static ember_status clip_read_header(ember_rom_clip *out, const ember_rom_entry *entry, ember_error *err)
{
    const uint8_t *data = entry->data;
    if (entry->size < CLIP_HEADER_SIZE)
        return emberi_rom_fail(err, entry, "shorter than its header");
    out->id = entry->id;
    out->bone_count = emberi_get_u16(data + CLIP_AT_BONES);
    out->frame_count = emberi_get_u16(data + CLIP_AT_FRAMES);
    out->space = (ember_space)data[CLIP_AT_SPACE];
    out->fps = clip_fps(data);
    out->loop = data[CLIP_AT_LOOP] != 0;
    out->marker_count = emberi_get_u16(data + CLIP_AT_MARKERS);
    out->markers_size = emberi_get_u32(data + CLIP_AT_MARKERS_SIZE);
    if (out->bone_count == 0 || out->bone_count > EMBER_MAX_BONES || out->frame_count == 0)
        return emberi_rom_fail(err, entry, "invalid animation header: no bones, no frames, or too many");
    if ((data[CLIP_AT_SPACE] != EMBER_SPACE_MODEL && data[CLIP_AT_SPACE] != EMBER_SPACE_LOCAL) ||
        data[CLIP_AT_LOOP] > 1 || !(out->fps >= 0.0) || out->fps - out->fps != 0.0 ||
        emberi_get_u64(data + 24) != 0)
        return emberi_rom_fail(err, entry, "its header is not one");
    return EMBER_OK;
}

static bool clip_markers_valid(const ember_rom_clip *clip)
{
    size_t rows = (size_t)clip->marker_count * CLIP_MARKER_SIZE;
    if (clip->marker_count == 0)
        return clip->markers_size == 0;
    if (clip->markers_size <= rows || clip->markers[clip->markers_size - 1] != 0)
        return false;
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        const uint8_t *row = clip->markers + (size_t)i * CLIP_MARKER_SIZE;
        uint32_t       at = emberi_get_u32(row + 4);
        if (emberi_get_u32(row) >= clip->frame_count || at < rows || at >= clip->markers_size)
            return false;
    }
    return true;
}

static ember_status clip_read_rig(ember_rom_clip *out, ember_squeeze_rig *squeeze_rig, const ember_rom *rom,
                                  const ember_rom_entry *entry, ember_error *err)
{
    ember_rom_entry rig;
    if (!ember_rom_entry_at(&rig, rom, entry->link) || rig.kind != EMBER_ROM_RIG)
        return emberi_rom_fail(err, entry, "its rig is not there");
    ember_status status = emberi_rom_rig_read(&out->rig, squeeze_rig, &rig, err);
    if (status != EMBER_OK)
        return status;
    if (out->rig.bone_count != out->bone_count ||
        squeeze_rig->model_space != (out->space == EMBER_SPACE_MODEL))
        return emberi_rom_fail(err, entry, "its rig is one of other bones or of another space");
    return EMBER_OK;
}

ember_status ember_rom_clip_open(ember_rom_clip *out, const ember_rom *rom, const ember_rom_entry *entry,
                                 ember_error *err)
{
    ember_squeeze_rig squeeze_rig;
    memset(out, 0, sizeof(*out));
    if (entry->kind != EMBER_ROM_KEYFRAMES)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the entry is not of keyframes");
    ember_status status = clip_read_header(out, entry, err);
    if (status == EMBER_OK)
        status = clip_read_rig(out, &squeeze_rig, rom, entry, err);
    if (status != EMBER_OK)
        return status;
    size_t block_size = emberi_get_u32(entry->data + CLIP_AT_BLOCK_SIZE),
           room = entry->size - CLIP_HEADER_SIZE;
    if (block_size > room ||
        out->markers_size !=
            room - (emberi_rom_align4(block_size) < room ? emberi_rom_align4(block_size) : room))
        return emberi_rom_fail(err, entry, "its size is not that of its parts");
    out->markers = entry->data + entry->size - out->markers_size;
    if (!clip_markers_valid(out))
        return emberi_rom_fail(err, entry, "a marker is not inside");
    status = ember_squeeze_open(&out->block, entry->data + CLIP_HEADER_SIZE, block_size, &squeeze_rig, err);
    if (status == EMBER_OK &&
        (out->block.frame_count != out->frame_count || out->block.bone_count != out->bone_count))
        return emberi_rom_fail(err, entry, "its frames are not as many as its header says");
    return status;
}

bool ember_rom_clip_marker(ember_marker *out, const ember_rom_clip *clip, uint32_t index)
{
    if (index >= clip->marker_count)
        return false;
    const uint8_t *row = clip->markers + (size_t)index * CLIP_MARKER_SIZE;
    out->frame = emberi_get_u32(row);
    out->name = (const char *)clip->markers + emberi_get_u32(row + 4);
    return true;
}

/* ---- the file it was made from ---- */

static ember_status clip_read_frames(uint8_t *out, const ember_rom_clip *clip, ember_allocator allocator,
                                     ember_error *err)
{
    ember_squeeze_cursor cursor;
    size_t               size = ember_squeeze_cursor_size(&clip->block),
           frame_size = (size_t)clip->bone_count * EMBER_KEYFRAME_SIZE;
    void *memory = size != 0 ? allocator.resize(allocator.user, NULL, 0, size) : NULL;
    if (size != 0 && memory == NULL)
        return emberi_fail_memory(err);
    ember_status status = ember_squeeze_cursor_init(&cursor, &clip->block, memory, size);
    for (uint32_t i = 0; i < clip->frame_count && status == EMBER_OK; i++)
        status = ember_squeeze_read(out + i * frame_size, frame_size, &cursor, i);
    if (memory != NULL)
        allocator.resize(allocator.user, memory, size, 0);
    if (status != EMBER_OK)
        emberi_failf(err, status, EMBER_NO_OFFSET, "%s: its frames are damaged",
                     emberi_rom_label_of(EMBER_ROM_KEYFRAMES, clip->id).text);
    return status;
}

ember_status ember_rom_clip_file(ember_buffer *out, const ember_rom_clip *clip, ember_error *err)
{
    size_t   start = out->size;
    uint8_t *room = ember_buffer_grow(out, (size_t)emberi_ewzanim_size(clip->bone_count, clip->frame_count));
    if (room == NULL)
        return emberi_fail_memory(err);
    emberi_ewzanim_put(room, clip->bone_count, clip->frame_count);
    ember_status status = clip_read_frames(room + EMBERI_EWZANIM_HEADER_SIZE, clip, out->allocator, err);
    if (status != EMBER_OK)
        out->size = start;
    return status;
}
