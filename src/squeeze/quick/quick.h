/* SPDX-License-Identifier: MIT */
/* What reader and writer of quick blocks share: the shape of the block and the widths of its fields. */
#ifndef EMBER_SQUEEZE_QUICK_H
#define EMBER_SQUEEZE_QUICK_H

#include "squeeze/squeeze_parts.h"

#define QUICK_TRACKS_AT (SQUEEZE_HEADER_SIZE + 1u) /* behind the byte that holds the longest span */
/* Residuals wrap around, so that none is wider than its value and any bits give a value. */
#define QUICK_WIDEST_FIELD 10u
#define QUICK_WIDEST_SCALAR 16u

/* A rotation's 16 bits: base widths of the three fields, the slope, whether its index changes in the span. */
#define QUICK_SLOPE_AT 12u
#define QUICK_TURNS (1u << 14)
/* A scalar's 8 bits: base width and slope. */
#define QUICK_SCALAR_SLOPE_AT 5u

/* Rows nearer to the root span more frames and have larger residuals: a field is this much wider there than
   on the last level. */
EMBERI_INLINE uint32_t quick_extra(uint32_t slope, uint32_t level, uint32_t levels)
{
    return (slope * (levels - 1 - level) + 1) >> 1;
}

/* Where nothing moves there is nothing to span. */
EMBERI_INLINE uint32_t quick_span_count(uint32_t track_count, uint32_t frame_count, uint32_t longest)
{
    return track_count == 0 ? 0 : squeeze_span_count(frame_count, longest);
}

/* Places in ember_squeezed.parts. */
enum { QUICK_PART_ROTATIONS, QUICK_PART_SCALARS, QUICK_PART_CONSTANTS_END, QUICK_PART_SPAN_COUNT };

typedef struct quick_clip {
    const ember_squeezed *block;
    uint32_t              rotation_count, scalar_count, track_count;
    uint32_t              span_count;
    const uint8_t        *keys, *table;
    size_t                key_size;
} quick_clip;

EMBERI_INLINE quick_clip quick_clip_of(const ember_squeezed *block)
{
    quick_clip clip = {.block = block,
                       .rotation_count = block->parts[QUICK_PART_ROTATIONS],
                       .scalar_count = block->parts[QUICK_PART_SCALARS],
                       .span_count = block->parts[QUICK_PART_SPAN_COUNT]};
    clip.track_count = 3 * clip.rotation_count + clip.scalar_count;
    clip.key_size = 4 * (size_t)clip.rotation_count + 2 * (size_t)clip.scalar_count;
    clip.keys = block->data + block->parts[QUICK_PART_CONSTANTS_END];
    clip.table = clip.keys + (clip.span_count + 1) * clip.key_size;
    return clip;
}

EMBERI_INLINE size_t quick_widths_size(const quick_clip *clip)
{
    return 2 * (size_t)clip->rotation_count + clip->scalar_count;
}

ember_status emberi_squeeze_quick_open(ember_squeezed *block, ember_error *err);

#endif
