/* SPDX-License-Identifier: MIT */
/* Reading quick blocks: two key rows and at most five rows of residuals of fixed widths give any frame. Rows
   are bounded when a block is opened, loads are clamped to the block, and widths that cannot be and rows that
   do not end where they should are errors. */
#include "squeeze/quick/quick.h"

/* ---- work memory ---- */

/* Of a rotation whose index changes in the span: all four components, and the index. */
typedef struct quick_turn {
    int16_t u[4];
    int16_t index;
} quick_turn;

#define QUICK_KEPT_ROWS (2u + SQUEEZE_MAX_LEVELS) /* two key rows and the way down */
#define QUICK_FRESH_ROWS 3u                       /* two ends and what is between them */
#define QUICK_MAX_TRACKS (9u * EMBER_MAX_BONES)

/* Values of a row: fields a of all rotations, then all b, all c, then the scalars; and the turning rotations
   once more. */
typedef struct quick_row {
    int16_t    *values;
    quick_turn *turns;
} quick_row;

typedef struct quick_work {
    quick_row rows[QUICK_KEPT_ROWS];
    uint8_t  *bases; /* widths of the tracks on the last level */
    uint8_t  *slopes;
    uint8_t  *turning;   /* rotations whose index changes in the span */
    uint16_t *places;    /* where in a frame each rotation, then each scalar, goes */
    uint8_t  *constants; /* a frame of what does not move; only in a cursor's memory */
    uint32_t  turn_count;
} quick_work;

/* Divides a cursor's memory; with NULL only the size counts. */
static size_t quick_work_divide(quick_work *work, uint8_t *memory, const quick_clip *clip)
{
    const size_t tracks = clip->track_count, rotations = clip->rotation_count;
    size_t       at = 0, places, bases, slopes, turning, constants;
    for (uint32_t i = 0; i < QUICK_KEPT_ROWS; i++) {
        const size_t values = squeeze_piece(&at, tracks * sizeof(int16_t)),
                     turns = squeeze_piece(&at, rotations * sizeof(quick_turn));
        if (memory != NULL)
            work->rows[i] =
                (quick_row){(int16_t *)(void *)(memory + values), (quick_turn *)(void *)(memory + turns)};
    }
    places = squeeze_piece(&at, (rotations + clip->scalar_count) * sizeof(uint16_t));
    bases = squeeze_piece(&at, tracks);
    slopes = squeeze_piece(&at, tracks);
    turning = squeeze_piece(&at, rotations + 1); /* the list's end is written ahead */
    constants = squeeze_piece(&at, (size_t)clip->block->bone_count * EMBER_KEYFRAME_SIZE);
    if (memory != NULL) {
        work->places = (uint16_t *)(void *)(memory + places);
        work->bases = memory + bases;
        work->slopes = memory + slopes;
        work->turning = memory + turning;
        work->constants = memory + constants;
    }
    return at;
}

static size_t quick_cursor_size(const ember_squeezed *block)
{
    const quick_clip clip = quick_clip_of(block);
    quick_work       work;
    return quick_work_divide(&work, NULL, &clip);
}

/* ---- rows ---- */

static void quick_turn_set(quick_turn *turn, uint32_t code)
{
    int32_t quad[4];
    squeeze_quad(quad, code);
    for (int i = 0; i < 4; i++)
        turn->u[i] = (int16_t)quad[i];
    turn->index = (int16_t)(code & 3u);
}

static const uint8_t *quick_key(const quick_clip *clip, uint32_t k)
{
    return clip->keys + k * clip->key_size;
}

static void quick_key_read(const quick_row *row, const quick_clip *clip, uint32_t k)
{
    const uint8_t *key = quick_key(clip, k);
    const uint32_t rotations = clip->rotation_count;
    int16_t       *values = row->values;
    for (uint32_t i = 0; i < rotations; i++) {
        uint32_t code = emberi_get_u32(key + 4 * (size_t)i);
        values[i] = (int16_t)(code >> 22);
        values[rotations + i] = (int16_t)(code >> 12 & 1023u);
        values[2 * rotations + i] = (int16_t)(code >> 2 & 1023u);
    }
    key += 4 * (size_t)rotations;
    values += 3 * (size_t)rotations;
    for (uint32_t i = 0; i < clip->scalar_count; i++)
        values[i] = (int16_t)emberi_get_u16(key + 2 * (size_t)i);
}

/* Which rotations turn depends on the span, so this comes after the widths. */
static void quick_key_turns(const quick_row *row, const quick_work *work, const quick_clip *clip, uint32_t k)
{
    const uint8_t *key = quick_key(clip, k);
    for (uint32_t i = 0; i < work->turn_count; i++)
        quick_turn_set(&row->turns[i], emberi_get_u32(key + 4 * (size_t)work->turning[i]));
}

/* Widths of a span. Bits that have no meaning must be 0. */
static ember_status quick_widths_read(quick_work *work, const quick_clip *clip, const uint8_t *at)
{
    const uint32_t rotations = clip->rotation_count;
    uint32_t       unknown = 0, turn_count = 0;
    for (uint32_t i = 0; i < rotations; i++) {
        const uint32_t bits = emberi_get_u16(at + 2 * (size_t)i);
        const uint8_t  slope = bits >> QUICK_SLOPE_AT & 3u;
        for (uint32_t j = 0; j < 3; j++) {
            work->bases[j * rotations + i] = bits >> 4 * j & 15u;
            work->slopes[j * rotations + i] = slope;
        }
        unknown |= bits & 0x8000u;
        work->turning[turn_count] = (uint8_t)i;
        turn_count += bits >> 14 & 1u;
    }
    at += 2 * (size_t)rotations;
    for (uint32_t i = 0; i < clip->scalar_count; i++) {
        work->bases[3 * rotations + i] = at[i] & 31u;
        work->slopes[3 * rotations + i] = at[i] >> QUICK_SCALAR_SLOPE_AT & 3u;
        unknown |= at[i] & 0x80u;
    }
    work->turn_count = turn_count;
    return unknown == 0 ? EMBER_OK : EMBER_E_MALFORMED;
}

/* Where a row of residuals is, and how far it has been read. */
typedef struct quick_bits {
    const uint8_t *data;
    uint64_t       at;   /* in bits */
    uint64_t       last; /* byte that the last load may start at */
} quick_bits;

EMBERI_INLINE uint64_t quick_peek(const quick_bits *bits, uint64_t at)
{
    return emberi_get_bits(bits->data, at, bits->last);
}

#define QUICK_CHUNK 64u

/* Residuals of `count` tracks; false where one is wider than it can be. */
static bool quick_residuals(int16_t *out, quick_bits *bits, const uint8_t *bases, const uint8_t *slopes,
                            uint32_t count, uint32_t depth, uint32_t widest)
{
    uint8_t  widths[QUICK_CHUNK];
    uint8_t  wide = 0;
    uint64_t at = bits->at;
    for (uint32_t i = 0; i < count; i++) {
        widths[i] = (uint8_t)(bases[i] + ((slopes[i] * depth + 1u) >> 1));
        wide |= widths[i] > widest;
    }
    if (wide != 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t top = 1u << widths[i], half = top >> 1;
        out[i] = (int16_t)((((uint32_t)quick_peek(bits, at) & (top - 1u)) ^ half) - half);
        at += widths[i];
    }
    bits->at = at;
    return true;
}

/* Between two rows, plus residuals: apart from the rest, so that compilers take eight at a time. */
static void quick_mix(int16_t *restrict out, const int16_t *restrict low, const int16_t *restrict high,
                      const int16_t *restrict residuals, uint32_t count, int16_t high_weight, int16_t mask)
{
    const int16_t low_weight = (int16_t)(16384 - high_weight);
    for (uint32_t i = 0; i < count; i++) {
        int32_t mixed = (low[i] * low_weight + high[i] * high_weight + 8192) >> 14;
        out[i] = (int16_t)((mixed + residuals[i]) & mask);
    }
}

/* The values between two rows. The turning rotations among them come out wrong here and are done anew by
   quick_turns_mix. */
static ember_status quick_values_mix(int16_t *out, const int16_t *low, const int16_t *high, int32_t weight,
                                     quick_bits *bits, const quick_work *work, const quick_clip *clip,
                                     uint32_t depth)
{
    const uint32_t fields = 3 * clip->rotation_count;
    int16_t        residuals[QUICK_CHUNK];
    for (uint32_t start = 0, count; start < clip->track_count; start += count) {
        const bool     is_field = start < fields;
        const uint32_t left = (is_field ? fields : clip->track_count) - start;
        count = left < QUICK_CHUNK ? left : QUICK_CHUNK;
        if (!quick_residuals(residuals, bits, work->bases + start, work->slopes + start, count, depth,
                             is_field ? QUICK_WIDEST_FIELD : QUICK_WIDEST_SCALAR))
            return EMBER_E_MALFORMED;
        quick_mix(out + start, low + start, high + start, residuals, count, (int16_t)weight,
                  is_field ? 1023 : -1);
    }
    return EMBER_OK;
}

/* A turning rotation's row: its residuals are what quick_values_mix added to a prediction that
   did not count. */
static void quick_turns_mix(const quick_row *out, const quick_row *low, const quick_row *high, int32_t weight,
                            const quick_bits *indices, const quick_work *work, uint32_t rotations)
{
    for (uint32_t i = 0; i < work->turn_count; i++) {
        const quick_turn *a = &low->turns[i], *b = &high->turns[i];
        const uint32_t    index = (uint32_t)quick_peek(indices, indices->at + 2 * i) & 3u;
        int32_t           from[4], to[4], quad[4], fields[3];
        for (int j = 0; j < 4; j++) {
            from[j] = a->u[j];
            to[j] = b->u[j];
        }
        squeeze_quad_mix(quad, from, to, weight);
        squeeze_quad_fields(fields, quad, index);
        for (uint32_t j = 0; j < 3; j++) {
            const size_t at = j * rotations + work->turning[i];
            fields[j] =
                (fields[j] + out->values[at] - squeeze_mix(low->values[at], high->values[at], weight)) & 1023;
            out->values[at] = (int16_t)fields[j];
        }
        quick_turn_set(&out->turns[i], squeeze_code(fields, index));
    }
}

/* Where a span's rows are. */
typedef struct quick_span {
    uint32_t first, steps, levels;
    size_t   at; /* of its row sizes */
} quick_span;

static quick_span quick_span_at(const quick_clip *clip, uint32_t k)
{
    const uint32_t frames = clip->block->frame_count;
    quick_span     span = {.first = squeeze_key_frame(k, frames, clip->span_count)};
    span.steps = squeeze_key_frame(k + 1, frames, clip->span_count) - span.first;
    span.levels = squeeze_levels(span.steps);
    span.at = emberi_get_u32(clip->table + 4 * (size_t)k);
    return span;
}

static ember_status quick_row_read(const quick_row *out, const quick_row *low, const quick_row *high,
                                   const squeeze_node *node, uint32_t level, const quick_span *span,
                                   const quick_work *work, const quick_clip *clip)
{
    const ember_squeezed *block = clip->block;
    const uint8_t        *sizes = block->data + span->at;
    size_t                at = span->at + 2 * (size_t)span->levels + quick_widths_size(clip);
    for (uint32_t i = 0; i < level; i++)
        at +=
            (size_t)squeeze_level_rows(span->steps, i, span->levels) * emberi_get_u16(sizes + 2 * (size_t)i);
    /* On the last level those intervals have rows that are two steps long; the others before this one are one
       step long. */
    const size_t size = emberi_get_u16(sizes + 2 * (size_t)level);
    at += size * (level + 1 < span->levels ? node->place : node->low - node->place);

    quick_bits       bits = {block->data, 8 * (uint64_t)at, block->size - 8};
    const quick_bits indices = bits;
    bits.at += 2 * (uint64_t)work->turn_count;
    ember_status status = quick_values_mix(out->values, low->values, high->values, node->weight, &bits, work,
                                           clip, span->levels - 1 - level);
    if (status != EMBER_OK || (bits.at + 7) / 8 != at + size)
        return EMBER_E_MALFORMED;
    quick_turns_mix(out, low, high, node->weight, &indices, work, clip->rotation_count);
    return EMBER_OK;
}

/* ---- frames ---- */

/* Where each track goes in a frame. */
static void quick_places_make(quick_work *work, const quick_clip *clip)
{
    const uint8_t *modes = clip->block->data + QUICK_TRACKS_AT;
    uint16_t      *rotation = work->places, *scalar = work->places + clip->rotation_count;
    for (uint32_t bone = 0; bone < clip->block->bone_count; bone++) {
        const uint32_t mode = modes[bone], at = bone * EMBER_KEYFRAME_SIZE;
        if ((mode & MODE_MOVES) == 0)
            continue;
        if ((mode & MODE_ROTATION) != 0)
            *rotation++ = (uint16_t)at;
        if ((mode & (MODE_POSITION | MODE_SCALE)) == 0)
            continue;
        for (uint32_t axis = 0; axis < 3; axis++)
            if ((mode & (uint32_t)MODE_X << axis) != 0)
                *scalar++ = (uint16_t)(at + 4 + 2 * axis);
        if ((mode & MODE_SCALE) != 0)
            for (uint32_t axis = 0; axis < 3; axis++)
                *scalar++ = (uint16_t)(at + 10 + 2 * axis);
    }
}

static void quick_store(uint8_t *out, const quick_row *row, const uint8_t *key, const quick_work *work,
                        const quick_clip *clip)
{
    const uint32_t  rotations = clip->rotation_count;
    const int16_t  *values = row->values;
    const uint16_t *places = work->places;
    for (uint32_t i = 0; i < rotations; i++) {
        const uint32_t index = key[4 * (size_t)i] & 3u;
        emberi_put_u32(out + places[i], (uint32_t)values[i] << 22 | (uint32_t)values[rotations + i] << 12 |
                                            (uint32_t)values[2 * (size_t)rotations + i] << 2 | index);
    }
    for (uint32_t i = 0; i < work->turn_count; i++) {
        uint8_t *at = out + places[work->turning[i]];
        *at = (uint8_t)((*at & ~3u) | (uint32_t)row->turns[i].index);
    }
    values += 3 * (size_t)rotations;
    places += rotations;
    for (uint32_t i = 0; i < clip->scalar_count; i++)
        emberi_put_u16(out + places[i], squeeze_half(values[i]));
}

/* A frame that is a key row needs nothing else. */
static void quick_store_key(uint8_t *out, uint32_t k, const quick_work *work, const quick_clip *clip)
{
    const uint8_t  *key = quick_key(clip, k);
    const uint16_t *places = work->places;
    for (uint32_t i = 0; i < clip->rotation_count; i++, key += 4)
        emberi_copy(out + *places++, key, 4);
    for (uint32_t i = 0; i < clip->scalar_count; i++, key += 2)
        emberi_put_u16(out + *places++, squeeze_half((int16_t)emberi_get_u16(key)));
}

/* Places in ember_squeeze_cursor.state. */
enum {
    STATE_READY, /* constants and places are made */
    STATE_SPAN,
    STATE_LOW_ROW, /* which of the first two rows is the span's first key row */
    STATE_TURNS,
    STATE_DEPTH, /* how many rows of the path are read */
    STATE_PATH   /* their frames, 8 bits each, in two words */
};
#define STATE_NO_SPAN UINT32_MAX

static void quick_cursor_reset(ember_squeeze_cursor *cursor)
{
    cursor->state[STATE_READY] = 0;
    cursor->state[STATE_SPAN] = STATE_NO_SPAN;
    cursor->state[STATE_DEPTH] = 0;
}

/* Reads the key rows and widths of a span; those of the one before give the first key row. */
static ember_status quick_enter(quick_work *work, uint32_t state[8], const quick_clip *clip,
                                const quick_span *span, uint32_t k)
{
    uint32_t low = 0;
    if (state[STATE_SPAN] != STATE_NO_SPAN && state[STATE_SPAN] + 1 == k)
        low = 1 - state[STATE_LOW_ROW];
    else
        quick_key_read(&work->rows[low], clip, k);
    quick_key_read(&work->rows[1 - low], clip, k + 1);
    ember_status status =
        quick_widths_read(work, clip, clip->block->data + span->at + 2 * (size_t)span->levels);
    if (status != EMBER_OK)
        return status;
    quick_key_turns(&work->rows[low], work, clip, k);
    quick_key_turns(&work->rows[1 - low], work, clip, k + 1);
    state[STATE_SPAN] = k;
    state[STATE_LOW_ROW] = low;
    state[STATE_TURNS] = work->turn_count;
    state[STATE_DEPTH] = 0;
    return EMBER_OK;
}

static uint32_t quick_path_frame(const uint32_t state[8], uint32_t level)
{
    return state[STATE_PATH + level / 4] >> 8 * (level % 4) & 255u;
}

static void quick_path_set(uint32_t state[8], uint32_t level, uint32_t frame)
{
    uint32_t *word = &state[STATE_PATH + level / 4];
    *word = (*word & ~(255u << 8 * (level % 4))) | frame << 8 * (level % 4);
    state[STATE_DEPTH] = level + 1;
}

/* From the root of the span's tree down to the frame; rows of the way that were read before are
   taken as they are. */
static ember_status quick_descend(const quick_row **out, quick_work *work, uint32_t state[8],
                                  const quick_clip *clip, const quick_span *span, uint32_t frame, bool kept)
{
    squeeze_node node = squeeze_node_root(span->steps);
    uint32_t     low = state[STATE_LOW_ROW], high = 1 - low;
    for (uint32_t level = 0;; level++) {
        const uint32_t slot = kept ? 2 + level : 3 - low - high;
        if (level >= state[STATE_DEPTH] || quick_path_frame(state, level) != node.middle) {
            ember_status status = quick_row_read(&work->rows[slot], &work->rows[low], &work->rows[high],
                                                 &node, level, span, work, clip);
            if (status != EMBER_OK)
                return status;
            quick_path_set(state, level, node.middle);
        }
        if (frame == node.middle) {
            *out = &work->rows[slot];
            return EMBER_OK;
        }
        *(frame > node.middle ? &low : &high) = slot;
        node = squeeze_node_child(&node, frame > node.middle);
    }
}

static ember_status quick_frame(uint8_t *out, quick_work *work, uint32_t state[8], const quick_clip *clip,
                                uint32_t frame, bool kept)
{
    const uint32_t   k = squeeze_span_of(frame, clip->block->frame_count, clip->span_count);
    const quick_row *row = NULL;
    if (clip->span_count == 0) {
        quick_store_key(out, 0, work, clip);
        return EMBER_OK;
    }
    const quick_span span = quick_span_at(clip, k);
    if (frame == span.first || frame == span.first + span.steps) {
        quick_store_key(out, frame == span.first ? k : k + 1, work, clip);
        return EMBER_OK;
    }
    ember_status status = state[STATE_SPAN] == k ? EMBER_OK : quick_enter(work, state, clip, &span, k);
    if (status == EMBER_OK)
        status = quick_descend(&row, work, state, clip, &span, frame - span.first, kept);
    if (status == EMBER_OK)
        quick_store(out, row, quick_key(clip, k), work, clip);
    return status;
}

/* Without memory of the caller's: what the largest clip takes, on the stack. */
typedef struct quick_stack {
    int16_t    values[QUICK_FRESH_ROWS][QUICK_MAX_TRACKS];
    quick_turn turns[QUICK_FRESH_ROWS][EMBER_MAX_BONES];
    uint16_t   places[7 * EMBER_MAX_BONES];
    uint8_t    bases[QUICK_MAX_TRACKS], slopes[QUICK_MAX_TRACKS];
    uint8_t    turning[EMBER_MAX_BONES + 1];
} quick_stack;

static ember_status quick_read_fresh(uint8_t *out, const quick_clip *clip, const squeeze_tracks *tracks,
                                     uint32_t frame)
{
    quick_stack stack;
    quick_work  work = {.places = stack.places,
                        .bases = stack.bases,
                        .slopes = stack.slopes,
                        .turning = stack.turning};
    uint32_t    state[8] = {[STATE_SPAN] = STATE_NO_SPAN};
    for (uint32_t i = 0; i < QUICK_FRESH_ROWS; i++)
        work.rows[i] = (quick_row){stack.values[i], stack.turns[i]};
    quick_places_make(&work, clip);
    emberi_squeeze_constants(out, clip->block, tracks);
    return quick_frame(out, &work, state, clip, frame, false);
}

static ember_status quick_read(uint8_t *out, ember_squeeze_cursor *cursor, uint32_t frame)
{
    const ember_squeezed *block = cursor->block;
    const quick_clip      clip = quick_clip_of(block);
    const squeeze_tracks  tracks = {.modes = block->data + QUICK_TRACKS_AT,
                                    .constants = block->data + QUICK_TRACKS_AT + block->bone_count};
    if (cursor->memory == NULL)
        return quick_read_fresh(out, &clip, &tracks, frame);

    quick_work work;
    work.turn_count = cursor->state[STATE_TURNS];
    (void)quick_work_divide(&work, cursor->memory, &clip);
    if (cursor->state[STATE_READY] == 0) {
        quick_places_make(&work, &clip);
        emberi_squeeze_constants(work.constants, block, &tracks);
        cursor->state[STATE_READY] = 1;
    }
    emberi_copy(out, work.constants, (size_t)block->bone_count * EMBER_KEYFRAME_SIZE);
    return quick_frame(out, &work, cursor->state, &clip, frame, true);
}

const squeeze_method emberi_squeeze_quick = {emberi_squeeze_quick_open, quick_cursor_size, quick_cursor_reset,
                                             quick_read, emberi_squeeze_quick_encode};
