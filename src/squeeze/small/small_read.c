/* SPDX-License-Identifier: MIT */
/* Reading small blocks: key rows and a tree of rows between them, all in prefix codes. Loads are clamped to
   the block, every number is checked against its range, and a row that runs beyond its part of the block is
   an error. */
#include "squeeze/small/small.h"

/* Places in ember_squeezed.parts. */
enum { PART_PREDICTORS, PART_TABLE, PART_ROWS, PART_SPAN_COUNT };

/* ---- opening ---- */

static ember_status small_check_table(const ember_squeezed *block, ember_error *err)
{
    const uint32_t spans = block->parts[PART_SPAN_COUNT], table = block->parts[PART_TABLE];
    uint32_t       before = block->parts[PART_ROWS];
    for (uint32_t k = 0; k + 1 < spans; k++) {
        const uint32_t at = emberi_get_u32(block->data + table + 4 * (size_t)k);
        if (at < before || at > block->size)
            return ember_fail(err, EMBER_E_MALFORMED, table + 4 * (uint64_t)k,
                              "squeezed clip has a span at the wrong place");
        before = at;
    }
    return EMBER_OK;
}

/* A bit beyond the block reads as 0; that the section fits is checked once its size is known. */
static uint32_t small_bit(const uint8_t *data, size_t size, uint32_t at)
{
    return at >> 3 < size ? (uint32_t)data[at >> 3] >> (7u - (at & 7u)) & 1u : 0u;
}

/* A bone's predictors: one bit for its rotation, one or two for its position; bones without a parent have
   none. Returns the place behind them. */
static uint32_t small_predictor_read(uint32_t *out, const uint8_t *data, size_t size, uint32_t at,
                                     uint32_t mode, bool has_parent)
{
    *out = 0;
    if (has_parent && (mode & MODE_ROTATION) != 0)
        *out |= small_bit(data, size, at++) != 0 ? SMALL_TURNS_WITH_PARENT : 0u;
    if (has_parent && (mode & MODE_POSITION) != 0 && small_bit(data, size, at++) != 0)
        *out |= SMALL_MOVES_WITH_PARENT | (small_bit(data, size, at++) != 0 ? SMALL_OWN_OFFSET : 0u);
    return at;
}

static bool small_has_parents(const ember_squeezed *block) { return block->data[SQUEEZE_HEADER_SIZE] != 0; }

/* All predictors, or with NULL only the size of their part. */
static size_t small_predictors_read(uint8_t *out, const ember_squeezed *block, size_t offset)
{
    const ember_squeeze_rig *rig = &block->rig;
    const uint8_t           *modes = block->data + SMALL_TRACKS_AT;
    uint32_t                 at = 0;
    if (!small_has_parents(block))
        return 0;
    for (uint32_t bone = 0; bone < block->bone_count; bone++) {
        uint32_t predictor;
        at = small_predictor_read(&predictor, block->data + offset, block->size - offset, at, modes[bone],
                                  rig->parents != NULL && rig->parents[bone] >= 0);
        if (out != NULL)
            out[bone] = (uint8_t)predictor;
    }
    return (at + 7) / 8;
}

static ember_status small_open(ember_squeezed *block, ember_error *err)
{
    squeeze_tracks tracks;
    if (block->size < SMALL_TRACKS_AT || block->size > UINT32_MAX)
        return ember_fail(err, EMBER_E_TRUNCATED, block->size, "squeezed clip ends inside of its header");
    if (block->data[SQUEEZE_HEADER_SIZE] > SMALL_FLAG_PARENTS)
        return ember_fail(err, EMBER_E_MALFORMED, SQUEEZE_HEADER_SIZE,
                          "squeezed clip has flags that are not known");
    ember_status status = emberi_squeeze_tracks_open(&tracks, block, SMALL_TRACKS_AT, err);
    if (status != EMBER_OK)
        return status;

    const bool     moves = tracks.rotation_count + tracks.scalar_count != 0;
    const uint32_t spans = moves ? squeeze_span_count(block->frame_count, SMALL_SPAN) : 0;
    const uint64_t table = tracks.end + (uint64_t)small_predictors_read(NULL, block, tracks.end);
    const uint64_t rows = table + (spans > 1 ? 4 * (uint64_t)(spans - 1) : 0);
    if (block->size < rows)
        return ember_fail(err, EMBER_E_TRUNCATED, block->size, "squeezed clip ends inside of its table");
    if (!moves && block->size != rows)
        return ember_fail(err, EMBER_E_MALFORMED, rows, "squeezed clip has extra bytes");
    block->parts[PART_PREDICTORS] = (uint32_t)tracks.end;
    block->parts[PART_TABLE] = (uint32_t)table;
    block->parts[PART_ROWS] = (uint32_t)rows;
    block->parts[PART_SPAN_COUNT] = spans;
    return small_check_table(block, err);
}

/* ---- a cursor's memory ---- */

#define SMALL_ROWS (3u + SQUEEZE_MAX_LEVELS) /* the first frame, two key rows, the way down */

/* Where the rows below one on the way down begin. */
typedef struct small_level {
    uint32_t middle;
    uint32_t left, right; /* bytes of the block */
} small_level;

typedef struct small_work {
    small_row    rows[SMALL_ROWS];
    small_level *levels;
    small_lists *lists;
    uint8_t     *predictors;
    uint8_t     *constants; /* a frame of the rig's rest and what does not move */
    small_bones  bones;
} small_work;

static size_t small_work_divide(small_work *work, uint8_t *memory, const ember_squeezed *block)
{
    const size_t count = block->bone_count;
    const bool   parents = small_has_parents(block);
    size_t       at = 0;
    for (uint32_t i = 0; i < SMALL_ROWS; i++) {
        const size_t nodes = squeeze_piece(&at, count * sizeof(small_node));
        const size_t places = squeeze_piece(&at, parents ? count * sizeof(small_place) : 0);
        if (memory != NULL)
            work->rows[i] = (small_row){(small_node *)(void *)(memory + nodes),
                                        parents ? (small_place *)(void *)(memory + places) : NULL};
    }
    const size_t levels = squeeze_piece(&at, SQUEEZE_MAX_LEVELS * sizeof(small_level));
    const size_t lists = squeeze_piece(&at, sizeof(small_lists));
    const size_t predictors = squeeze_piece(&at, parents ? count : 0);
    const size_t constants = squeeze_piece(&at, count * EMBER_KEYFRAME_SIZE);
    if (memory != NULL) {
        work->levels = (small_level *)(void *)(memory + levels);
        work->lists = (small_lists *)(void *)(memory + lists);
        work->predictors = memory + predictors;
        work->constants = memory + constants;
        work->bones = (small_bones){block->bone_count, block->data + SMALL_TRACKS_AT, block->rig.parents,
                                    parents ? work->predictors : NULL, block->rig.offsets};
    }
    return at;
}

static size_t small_cursor_size(const ember_squeezed *block)
{
    small_work work;
    return small_work_divide(&work, NULL, block);
}

/* Places in ember_squeeze_cursor.state. */
enum {
    STATE_READY,    /* the first frame is read */
    STATE_KEYS,     /* two words: which key rows rows 1 and 2 hold, 0 for none */
    STATE_ENDS = 3, /* two words: where they end in the block */
    STATE_FIRST_END = 5,
    STATE_SPAN, /* of the way down */
    STATE_DEPTH
};

static void small_cursor_reset(ember_squeeze_cursor *cursor)
{
    for (uint32_t i = 0; i < 8; i++)
        cursor->state[i] = 0;
}

/* ---- reading rows ---- */

/* The rig's rest as a row, from which the first frame is predicted; and, for predictions from them, parents
   that do not move. */
static void small_rest_make(const small_row *row, const small_work *work)
{
    const small_bones *bones = &work->bones;
    for (uint32_t i = 0; i < work->lists->moving_count; i++) {
        const uint32_t bone = work->lists->moving[i];
        small_node_load(&row->nodes[bone], work->constants + (size_t)bone * EMBER_KEYFRAME_SIZE);
    }
    for (uint32_t bone = 0; bone < bones->count && bones->predictors != NULL; bone++) {
        const small_place *from =
            &row->places[small_parent(bones, bone) >= 0 ? small_parent(bones, bone) : 0];
        if ((bones->modes[bone] & MODE_MOVES) == 0 && bones->predictors[bone] == 0)
            continue;
        if ((bones->modes[bone] & MODE_MOVES) == 0)
            small_node_load(&row->nodes[bone], work->constants + (size_t)bone * EMBER_KEYFRAME_SIZE);
        small_place_turn(&row->places[bone], &row->nodes[bone], from, bones->predictors[bone], true);
        small_place_move(&row->places[bone], &row->nodes[bone], from, bones->predictors[bone], true);
    }
}

static void small_lists_make(small_lists *lists, const small_bones *bones)
{
    uint32_t moving = 0, rotations = 0, positions = 0, scales = 0;
    for (uint32_t bone = 0; bone < bones->count; bone++) {
        const uint32_t mode = bones->modes[bone];
        lists->moving[moving] = lists->rotations[rotations] = lists->positions[positions] =
            lists->scales[scales] = (uint8_t)bone;
        moving += (mode & MODE_MOVES) != 0;
        rotations += (mode & MODE_ROTATION) != 0;
        positions += (mode & MODE_POSITION) != 0;
        scales += (mode & MODE_SCALE) != 0;
    }
    lists->moving_count = (uint8_t)moving;
    lists->rotation_count = (uint8_t)rotations;
    lists->position_count = (uint8_t)positions;
    lists->scale_count = (uint8_t)scales;
}

static void small_parents_mark(small_work *work)
{
    for (uint32_t bone = 0; bone < work->bones.count; bone++)
        if ((work->predictors[bone] & (SMALL_TURNS_WITH_PARENT | SMALL_MOVES_WITH_PARENT)) != 0)
            work->predictors[work->bones.parents[bone]] |= SMALL_IS_PARENT;
}

static ember_status small_first_read(small_work *work, uint32_t state[8], const ember_squeezed *block)
{
    const squeeze_tracks tracks = {.modes = work->bones.modes,
                                   .constants = work->bones.modes + block->bone_count};
    const small_row     *rest = &work->rows[1], *first = &work->rows[0];
    const small_step     step = {*first, *rest, *rest, NULL, first, 0, true};
    emberi_squeeze_constants(work->constants, block, &tracks);
    if (work->bones.predictors != NULL) {
        (void)small_predictors_read(work->predictors, block, block->parts[PART_PREDICTORS]);
        small_parents_mark(work);
    }
    small_lists_make(work->lists, &work->bones);
    small_rest_make(rest, work);
    for (uint32_t bone = 0; bone < block->bone_count && work->bones.predictors != NULL; bone++)
        if ((work->bones.modes[bone] & MODE_MOVES) == 0 && work->predictors[bone] != 0)
            first->places[bone] = rest->places[bone];
    ember_status status = emberi_small_row_read(&state[STATE_FIRST_END], &step, &work->bones, work->lists,
                                                block, block->parts[PART_ROWS], true);
    state[STATE_READY] = status == EMBER_OK;
    return status;
}

/* Where key row k, not the first, begins. */
static uint32_t small_key_at(const uint32_t state[8], const ember_squeezed *block, uint32_t k)
{
    return k == 1 ? state[STATE_FIRST_END]
                  : emberi_get_u32(block->data + block->parts[PART_TABLE] + 4 * (size_t)(k - 2));
}

/* The row that holds key row k; it is read, if need be, over one that is not `kept`. */
static ember_status small_key_read(uint32_t *row, small_work *work, uint32_t state[8],
                                   const ember_squeezed *block, uint32_t k, uint32_t kept)
{
    *row = 0;
    if (k == 0)
        return EMBER_OK;
    for (*row = 1; *row <= 2; ++*row)
        if (state[STATE_KEYS + *row - 1] == k)
            return EMBER_OK;
    *row = kept == 1 ? 2 : 1;
    const small_step step = {work->rows[*row], work->rows[0], work->rows[0], NULL, &work->rows[0], 0, true};
    state[STATE_KEYS + *row - 1] = k;
    return emberi_small_row_read(&state[STATE_ENDS + *row - 1], &step, &work->bones, work->lists, block,
                                 small_key_at(state, block, k), true);
}

/* The size of the rows of the left half, which stands before a row that has some; at most 4
   bytes of 7 bits. */
static bool small_left_size(uint32_t *out, uint32_t *at, const ember_squeezed *block)
{
    uint32_t size = 0;
    for (uint32_t shift = 0; shift < 28; shift += 7) {
        if (*at >= block->size)
            return false;
        const uint32_t byte = block->data[(*at)++];
        size |= (byte & 127u) << shift;
        if (byte < 128) {
            *out = size;
            return true;
        }
    }
    return false;
}

static ember_status small_tree_read(small_level *level, const small_step *step, const squeeze_node *node,
                                    const small_work *work, const ember_squeezed *block, uint32_t at)
{
    uint32_t left_size = 0, end = 0;
    if (node->middle - node->low >= 2 && !small_left_size(&left_size, &at, block))
        return EMBER_E_MALFORMED;
    ember_status status = emberi_small_row_read(&end, step, &work->bones, work->lists, block, at, false);
    if (status != EMBER_OK)
        return status;
    if (left_size > block->size - end)
        return EMBER_E_MALFORMED;
    *level = (small_level){node->middle, end, end + left_size};
    return EMBER_OK;
}

/* From the root of the span's tree down to the frame; rows of the way that were read before are
   taken as they are. */
static ember_status small_descend(uint32_t *out, small_work *work, uint32_t state[8],
                                  const ember_squeezed *block, uint32_t steps, uint32_t frame, uint32_t low,
                                  uint32_t high)
{
    squeeze_node node = squeeze_node_root(steps);
    uint32_t     at = state[STATE_ENDS + high - 1], above = high;
    for (uint32_t depth = 0;; depth++) {
        small_level   *level = &work->levels[depth];
        const uint32_t row = 3 + depth;
        if (depth >= state[STATE_DEPTH] || level->middle != node.middle) {
            const small_step step = {work->rows[row],         work->rows[low], work->rows[high],
                                     work->rows[above].nodes, &work->rows[0],  node.weight,
                                     node.high - node.low > 2};
            state[STATE_DEPTH] = depth;
            ember_status status = small_tree_read(level, &step, &node, work, block, at);
            if (status != EMBER_OK)
                return status;
            state[STATE_DEPTH] = depth + 1;
        }
        *out = row;
        if (frame == node.middle)
            return EMBER_OK;
        const bool right = frame > node.middle;
        at = right ? level->right : level->left;
        *(right ? &low : &high) = row;
        above = row;
        node = squeeze_node_child(&node, right);
    }
}

/* ---- frames ---- */

static ember_status small_find(uint32_t *row, small_work *work, uint32_t state[8],
                               const ember_squeezed *block, uint32_t frame)
{
    const uint32_t spans = block->parts[PART_SPAN_COUNT],
                   k = squeeze_span_of(frame, block->frame_count, spans);
    uint32_t       low = 0, high = 0;
    const uint32_t first = squeeze_key_frame(k, block->frame_count, spans);
    if (spans == 0)
        return EMBER_OK;
    const uint32_t steps = squeeze_key_frame(k + 1, block->frame_count, spans) - first;
    if (frame == first || frame == first + steps)
        return small_key_read(row, work, state, block, frame == first ? k : k + 1, 0);
    const uint32_t kept = state[STATE_KEYS] == k + 1 ? 1 : 2;
    ember_status   status = small_key_read(&low, work, state, block, k, kept);
    if (status == EMBER_OK)
        status = small_key_read(&high, work, state, block, k + 1, low);
    if (status != EMBER_OK)
        return status;
    if (state[STATE_SPAN] != k) {
        state[STATE_SPAN] = k;
        state[STATE_DEPTH] = 0;
    }
    return small_descend(row, work, state, block, steps, frame - first, low, high);
}

static ember_status small_read(uint8_t *out, ember_squeeze_cursor *cursor, uint32_t frame)
{
    const ember_squeezed *block = cursor->block;
    small_work            work;
    uint32_t              row = 0;
    (void)small_work_divide(&work, cursor->memory, block);
    ember_status status =
        cursor->state[STATE_READY] != 0 ? EMBER_OK : small_first_read(&work, cursor->state, block);
    if (status == EMBER_OK)
        status = small_find(&row, &work, cursor->state, block, frame);
    if (status != EMBER_OK)
        return status;
    emberi_copy(out, work.constants, (size_t)block->bone_count * EMBER_KEYFRAME_SIZE);
    for (uint32_t i = 0; i < work.lists->moving_count; i++) {
        const uint32_t    bone = work.lists->moving[i];
        const small_node *node = &work.rows[row].nodes[bone];
        uint8_t          *record = out + (size_t)bone * EMBER_KEYFRAME_SIZE;
        emberi_put_u32(record, node->record.code);
        for (uint32_t j = 0; j < 6; j++)
            emberi_put_u16(record + 4 + 2 * j, squeeze_half(node->record.values[j]));
    }
    return EMBER_OK;
}

const squeeze_method emberi_squeeze_small = {small_open, small_cursor_size, small_cursor_reset, small_read,
                                             emberi_squeeze_small_encode};
