/* SPDX-License-Identifier: MIT */
/* Opening quick blocks: modes, key rows, the table and the size of every span are checked here, so that
   reading a frame need not. */
#include "squeeze/quick/quick.h"

/* Spans follow each other without gaps, each as large as its row sizes say, and end with the block. */
static ember_status quick_check_spans(const quick_clip *clip, size_t at, ember_error *err)
{
    const ember_squeezed *block = clip->block;
    for (uint32_t k = 0; k < clip->span_count; k++) {
        const uint32_t steps = squeeze_key_frame(k + 1, block->frame_count, clip->span_count) -
                               squeeze_key_frame(k, block->frame_count, clip->span_count);
        const uint32_t levels = squeeze_levels(steps);
        if (emberi_get_u32(clip->table + 4 * (size_t)k) != at)
            return ember_fail(err, EMBER_E_MALFORMED, (uint64_t)(clip->table - block->data) + 4 * (uint64_t)k,
                              "squeezed clip has a span at the wrong place");
        size_t left = block->size - at, size = levels != 0 ? 2 * (size_t)levels + quick_widths_size(clip) : 0;
        if (left < size)
            return ember_fail(err, EMBER_E_TRUNCATED, at, "squeezed clip ends inside of a span");
        for (uint32_t level = 0; level < levels; level++)
            size += (size_t)squeeze_level_rows(steps, level, levels) *
                    emberi_get_u16(block->data + at + 2 * (size_t)level);
        if (left < size)
            return ember_fail(err, EMBER_E_TRUNCATED, at, "squeezed clip ends inside of a span");
        at += size;
    }
    if (at != block->size)
        return ember_fail(err, EMBER_E_MALFORMED, at, "squeezed clip has extra bytes");
    return EMBER_OK;
}

ember_status emberi_squeeze_quick_open(ember_squeezed *block, ember_error *err)
{
    squeeze_tracks tracks;
    if (block->size < QUICK_TRACKS_AT || block->size > UINT32_MAX)
        return ember_fail(err, EMBER_E_TRUNCATED, block->size, "squeezed clip ends inside of its header");
    const uint32_t longest = block->data[SQUEEZE_HEADER_SIZE];
    if (longest == 0 || longest > SQUEEZE_MAX_SPAN)
        return ember_fail(err, EMBER_E_MALFORMED, SQUEEZE_HEADER_SIZE,
                          "squeezed clip has spans of a length that cannot be");
    ember_status status = emberi_squeeze_tracks_open(&tracks, block, QUICK_TRACKS_AT, err);
    if (status != EMBER_OK)
        return status;

    block->parts[QUICK_PART_ROTATIONS] = tracks.rotation_count;
    block->parts[QUICK_PART_SCALARS] = tracks.scalar_count;
    block->parts[QUICK_PART_CONSTANTS_END] = (uint32_t)tracks.end;
    block->parts[QUICK_PART_SPAN_COUNT] =
        quick_span_count(tracks.rotation_count + tracks.scalar_count, block->frame_count, longest);
    const quick_clip clip = quick_clip_of(block);
    const uint64_t   spans_at = (uint64_t)tracks.end + ((uint64_t)clip.span_count + 1) * clip.key_size +
                              4 * (uint64_t)clip.span_count;
    if (block->size < spans_at)
        return ember_fail(err, EMBER_E_TRUNCATED, block->size,
                          "squeezed clip ends inside of its key rows or its table");
    return quick_check_spans(&clip, (size_t)spans_at, err);
}
