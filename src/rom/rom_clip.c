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
        emberi_get_u64(data + CLIP_AT_FORM) >= EMBER_ROM_FORM_COUNT)
        return emberi_rom_fail(err, entry, "its header is not one");
    out->form = (ember_rom_form)data[CLIP_AT_FORM];
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

static ember_status clip_read_rig(emberi_rom_rig *out, const ember_rom_clip *clip, const ember_rom *rom,
                                  const ember_rom_entry *entry, ember_error *err)
{
    ember_rom_entry rig;
    if (!ember_rom_entry_at(&rig, rom, entry->link) || rig.kind != EMBER_ROM_RIG)
        return emberi_rom_fail(err, entry, "its rig is not there");
    EMBERI_TRY(emberi_rom_rig_read(out, &rig, err));
    if (out->rig.bone_count != clip->bone_count || out->space != clip->space)
        return emberi_rom_fail(err, entry, "its rig is one of other bones or of another space");
    if (out->is_lean != (clip->form == EMBER_ROM_LEAN))
        return emberi_rom_fail(err, entry,
                               out->is_lean ? "its rig is one of lean clips, it is not lean"
                                            : "it is lean, its rig is not one of lean clips");
    return EMBER_OK;
}

/* What can be checked of the frames without decoding any. */
static ember_status clip_open_block(ember_rom_clip *out, const emberi_rom_rig *rig, const uint8_t *data,
                                    size_t size, ember_error *err)
{
    if (out->form == EMBER_ROM_LEAN) {
        out->lean = (ember_rom_lean){.rig = rig->lean, .data = data, .size = size};
        if (!ember_lean_peek(&out->block.frame_count, &out->lean.error, data, size))
            return ember_fail(err, EMBER_E_TRUNCATED, EMBER_NO_OFFSET,
                              "the lean clip ends inside its header");
        out->block.bone_count = rig->lean.bone_count;
        return EMBER_OK;
    }
    return ember_squeeze_open(&out->block, data, size, &rig->squeeze, err);
}

ember_status ember_rom_clip_open(ember_rom_clip *out, const ember_rom *rom, const ember_rom_entry *entry,
                                 ember_error *err)
{
    emberi_rom_rig rig;
    memset(out, 0, sizeof(*out));
    if (entry->kind != EMBER_ROM_KEYFRAMES)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the entry is not of keyframes");
    EMBERI_TRY(clip_read_header(out, entry, err));
    EMBERI_TRY(clip_read_rig(&rig, out, rom, entry, err));
    out->rig = rig.rig;
    size_t block_size = emberi_get_u32(entry->data + CLIP_AT_BLOCK_SIZE),
           room = entry->size - CLIP_HEADER_SIZE;
    if (block_size > room ||
        out->markers_size !=
            room - (emberi_rom_align4(block_size) < room ? emberi_rom_align4(block_size) : room))
        return emberi_rom_fail(err, entry, "its size is not that of its parts");
    out->markers = entry->data + entry->size - out->markers_size;
    if (!clip_markers_valid(out))
        return emberi_rom_fail(err, entry, "a marker is not inside");
    EMBERI_TRY(clip_open_block(out, &rig, entry->data + CLIP_HEADER_SIZE, block_size, err));
    if (out->block.frame_count != out->frame_count || out->block.bone_count != out->bone_count)
        return emberi_rom_fail(err, entry, "its frames are not as many as its header says");
    return EMBER_OK;
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
