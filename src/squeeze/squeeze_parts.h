/* SPDX-License-Identifier: MIT */
/* What the methods of squeezing share: a block's header, its modes and constants, and numbers in the form
   that prediction wants. A block's modes are only trusted after emberi_squeeze_tracks_open has looked at
   them. docs/formats/squeeze.md is the normative text. */
#ifndef EMBER_SQUEEZE_PARTS_H
#define EMBER_SQUEEZE_PARTS_H

#include "base/bytes.h"
#include "base/check.h"
#include "base/hierarchy.h"
#include "base/maths.h"
#include "ember/squeeze.h"

#define SQUEEZE_HEADER_SIZE 4u /* method, bones, frames */
#define SQUEEZE_MAX_SPAN 32u   /* frames from one key row to the next */
#define SQUEEZE_MAX_LEVELS 5u  /* of the rows between them */

/* A bone's mode byte. The upper three say that the constant of a track that does not move is stored, as it is
   not the rig's. */
enum {
    MODE_ROTATION = 1,
    MODE_X = 2,
    MODE_POSITION = 14, /* x, y and z, a bit each */
    MODE_SCALE = 16,    /* all three */
    MODE_MOVES = 31,
    MODE_OWN_ROTATION = 32,
    MODE_OWN_POSITION = 64, /* the axes that do not move */
    MODE_OWN_SCALE = 128,
    MODE_OWN = 224
};

/* ---- the shape of a block ---- */

typedef struct squeeze_tracks {
    const uint8_t *modes;
    const uint8_t *constants;
    uint32_t       rotation_count;
    uint32_t       scalar_count;
    size_t         end; /* where the constants end, from the block's start */
} squeeze_tracks;

/* Finds the modes at `offset` and the constants behind them. */
ember_status emberi_squeeze_tracks_open(squeeze_tracks *out, const ember_squeezed *block, size_t offset,
                                        ember_error *err);

/* A frame of the rig's rest with the block's constants in their places. */
void emberi_squeeze_constants(uint8_t *out, const ember_squeezed *block, const squeeze_tracks *tracks);

/* The encoder's side: modes and constants of a clip, 17 bytes a bone at the most. Returns their size. */
size_t emberi_squeeze_tracks_write(uint8_t *out, const ember_squeeze_job *job);

/* ---- spans: a clip's frames between key rows ---- */

/* How many spans of at most `span` steps cover the frames; the key rows are one more. */
EMBERI_INLINE uint32_t squeeze_span_count(uint32_t frame_count, uint32_t span)
{
    return frame_count == 0 ? 0 : (frame_count - 1 + span - 1) / span;
}

/* The frame of key row k. */
EMBERI_INLINE uint32_t squeeze_key_frame(uint32_t k, uint32_t frame_count, uint32_t span_count)
{
    return span_count == 0 ? 0 : (uint32_t)((uint64_t)k * (frame_count - 1) / span_count);
}

/* The last span that begins at the frame or before it. */
EMBERI_INLINE uint32_t squeeze_span_of(uint32_t frame, uint32_t frame_count, uint32_t span_count)
{
    if (frame + 1 >= frame_count)
        return span_count == 0 ? 0 : span_count - 1;
    return (uint32_t)((((uint64_t)frame + 1) * span_count - 1) / (frame_count - 1));
}

/* Rows of a span of `steps` frames form a binary tree; this many levels has it. */
EMBERI_INLINE uint32_t squeeze_levels(uint32_t steps)
{
    uint32_t levels = 0;
    while (steps > 1u << levels)
        levels++;
    return levels;
}

/* Rows on a level: all its intervals are split, but on the last one only those of two steps. */
EMBERI_INLINE uint32_t squeeze_level_rows(uint32_t steps, uint32_t level, uint32_t levels)
{
    return level + 1 < levels ? 1u << level : steps - (1u << level);
}

/* An interval of the tree on the way to a frame, and the row in its middle. */
typedef struct squeeze_node {
    uint32_t low, high, middle; /* frames of the span */
    uint32_t place;             /* among the intervals of its level */
    int32_t  weight;            /* of the high end, of 16384 */
} squeeze_node;

EMBERI_INLINE squeeze_node squeeze_node_make(uint32_t low, uint32_t high, uint32_t place)
{
    uint32_t middle = (low + high) >> 1, length = high - low;
    return (squeeze_node){low, high, middle, place,
                          (int32_t)(((middle - low) * 16384u + (length >> 1)) / length)};
}

EMBERI_INLINE squeeze_node squeeze_node_root(uint32_t steps) { return squeeze_node_make(0, steps, 0); }

EMBERI_INLINE squeeze_node squeeze_node_child(const squeeze_node *node, bool right)
{
    return right ? squeeze_node_make(node->middle, node->high, node->place * 2 + 1)
                 : squeeze_node_make(node->low, node->middle, node->place * 2);
}

/* ---- numbers ---- */

/* Half floats as integers of the same order, and back: the function is its own inverse. */
EMBERI_INLINE int16_t squeeze_ordered(uint16_t half)
{
    return (int16_t)(uint16_t)(half ^ ((half >> 15) * 0x7fffu));
}

EMBERI_INLINE uint16_t squeeze_half(int16_t ordered)
{
    uint16_t bits = (uint16_t)ordered;
    return (uint16_t)(bits ^ ((bits >> 15) * 0x7fffu));
}

/* Arithmetic shifts of negative numbers: C leaves them to the compiler, and all of ours do this. */
EMBERI_INLINE int32_t squeeze_mix(int32_t low, int32_t high, int32_t weight)
{
    return (low * (16384 - weight) + high * weight + 8192) >> 14;
}

/* A rotation's field: a, b or c. */
EMBERI_INLINE int32_t squeeze_field(uint32_t code, uint32_t which)
{
    return (int32_t)(code >> (22u - 10u * which)) & 1023;
}

EMBERI_INLINE uint32_t squeeze_code(const int32_t fields[3], uint32_t index)
{
    return (uint32_t)fields[0] << 22 | (uint32_t)fields[1] << 12 | (uint32_t)fields[2] << 2 | index;
}

/* The axis, x to w, that field `which` of a code with this index stands for. */
EMBERI_INLINE uint32_t squeeze_axis(uint32_t index, uint32_t which)
{
    return which + (which >= index ? 1u : 0u);
}

/* One or the other without a branch: which of them nobody foresees, so a branch would be guessed wrong half
   of the time. */
EMBERI_INLINE int32_t squeeze_choose(bool first, int32_t a, int32_t b)
{
    return b ^ ((a ^ b) & -(int32_t)first);
}

/* Four components by axis, of the three kept ones and the one left out. */
EMBERI_INLINE void squeeze_spread(int32_t out[4], uint32_t index, const int32_t kept[3], int32_t left_out)
{
    out[0] = squeeze_choose(index == 0, left_out, kept[0]);
    out[1] = squeeze_choose(index == 0, kept[0], squeeze_choose(index == 1, left_out, kept[1]));
    out[2] = squeeze_choose(index <= 1, kept[1], squeeze_choose(index == 2, left_out, kept[2]));
    out[3] = squeeze_choose(index == 3, left_out, kept[2]);
}

/* All four components, in units of which 2 are a step of a field. The root is exact: its argument is below
   2^21. */
EMBERI_INLINE void squeeze_quad(int32_t out[4], uint32_t code)
{
    const uint32_t index = code & 3u;
    const int32_t  kept[3] = {2 * squeeze_field(code, 0) - 1023, 2 * squeeze_field(code, 1) - 1023,
                              2 * squeeze_field(code, 2) - 1023};
    const int32_t  rest = 2093058 - kept[0] * kept[0] - kept[1] * kept[1] - kept[2] * kept[2];
    const int32_t  root = (int32_t)emberi_sqrt((float)(rest > 0 ? rest : 0));
    squeeze_spread(out, index, kept, root);
}

/* The components between two ends, the second turned to the side of the first. */
EMBERI_INLINE void squeeze_quad_mix(int32_t out[4], const int32_t low[4], const int32_t high[4],
                                    int32_t weight)
{
    int32_t dot = 0;
    for (int i = 0; i < 4; i++)
        dot += low[i] * high[i];
    for (int i = 0; i < 4; i++)
        out[i] = squeeze_mix(low[i], dot < 0 ? -high[i] : high[i], weight);
}

EMBERI_INLINE int32_t squeeze_field_of(int32_t u, int32_t sign)
{
    const int32_t field = ((u ^ sign) - sign + 1023) >> 1;
    return squeeze_choose(field < 0, 0, squeeze_choose(field > 1023, 1023, field));
}

/* The fields that stand for the components if the one of the index is left out, and made positive. */
EMBERI_INLINE void squeeze_quad_fields(int32_t out[3], const int32_t quad[4], uint32_t index)
{
    const int32_t left_out = squeeze_choose(index <= 1, squeeze_choose(index == 0, quad[0], quad[1]),
                                            squeeze_choose(index == 2, quad[2], quad[3]));
    const int32_t sign = left_out >> 31;
    out[0] = squeeze_field_of(squeeze_choose(index == 0, quad[1], quad[0]), sign);
    out[1] = squeeze_field_of(squeeze_choose(index <= 1, quad[2], quad[1]), sign);
    out[2] = squeeze_field_of(squeeze_choose(index <= 2, quad[3], quad[2]), sign);
}

/* Wraps a difference around 0: fields are 10 bits wide, halves 16. */
EMBERI_INLINE int32_t squeeze_wrapped(int32_t difference, uint32_t bits)
{
    const int32_t half = 1 << (bits - 1);
    return ((difference + half) & (2 * half - 1)) - half;
}

/* ---- memory and rigs ---- */

/* Where the next piece of that size begins in a cursor's memory; *at moves on. */
EMBERI_INLINE size_t squeeze_piece(size_t *at, size_t size)
{
    const size_t start = *at;
    *at += (size + 15) & ~(size_t)15;
    return start;
}

/* No parents at all are fine here. */
EMBERI_INLINE bool squeeze_parents_valid(const int16_t *parents, uint32_t bone_count)
{
    return parents == NULL || emberi_hierarchy_valid(parents, bone_count);
}

/* ---- the methods ---- */

/* One method's functions behind the public ones, which have checked the header, the arguments and the rig,
   and dealt with blocks that have no bones or no frames. */
typedef struct squeeze_method {
    ember_status (*open)(ember_squeezed *block, ember_error *err);
    size_t (*cursor_size)(const ember_squeezed *block);
    void (*cursor_reset)(ember_squeeze_cursor *cursor);
    ember_status (*read)(uint8_t *out, ember_squeeze_cursor *cursor, uint32_t frame);
    ember_status (*encode)(ember_squeeze_job *job, ember_arena *scratch); /* the header is written */
} squeeze_method;

extern const squeeze_method emberi_squeeze_quick;
extern const squeeze_method emberi_squeeze_small;

/* The encoders have files of their own. */
ember_status emberi_squeeze_quick_encode(ember_squeeze_job *job, ember_arena *scratch);
ember_status emberi_squeeze_small_encode(ember_squeeze_job *job, ember_arena *scratch);

#endif
