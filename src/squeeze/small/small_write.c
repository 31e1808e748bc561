/* SPDX-License-Identifier: MIT */
/* Writing small blocks. In model space each bone is predicted from its parent or in time, whichever leaves
   less. Records may hold any bits; what is written never exceeds ember_squeeze_bound. */
#include "squeeze/small/small.h"

typedef struct small_writer {
    const ember_squeeze_job *job;
    small_bones              bones;
    small_row               *rows; /* of every frame, and at the end the rest */
    uint8_t                 *out;
    size_t                   capacity;
    uint64_t                 at; /* in bits */
    bool                     full;
    uint16_t                 triples[SMALL_TRIPLE_CODES][SMALL_TRIPLE_SYMBOLS]; /* the bits of each symbol */
    uint16_t                 singles[SMALL_SINGLE_CODES][SMALL_SINGLE_SYMBOLS];
} small_writer;

/* ---- bits ---- */

static void small_put(small_writer *w, uint32_t value, uint32_t count)
{
    for (uint32_t i = count; i-- > 0; w->at++) {
        const size_t byte = (size_t)(w->at >> 3);
        if (byte >= w->capacity) {
            w->full = true;
            return;
        }
        if ((w->at & 7u) == 0)
            w->out[byte] = 0;
        w->out[byte] |= (uint8_t)((value >> i & 1u) << (7u - (w->at & 7u)));
    }
}

static void small_align(small_writer *w) { w->at = (w->at + 7) & ~(uint64_t)7; }

static uint32_t small_number(int32_t residual)
{
    return residual < 0 ? (uint32_t)-residual * 2 - 1 : (uint32_t)residual * 2;
}

/* Zeros before the first one. */
static uint32_t small_run(uint32_t number, uint32_t parameter)
{
    return 31u - emberi_leading_zeros32(number + (1u << parameter)) - parameter;
}

static uint32_t small_length(int32_t residual, uint32_t parameter)
{
    return 2 * small_run(small_number(residual), parameter) + 1 + parameter;
}

static void small_put_golomb(small_writer *w, int32_t residual, uint32_t parameter)
{
    const uint32_t number = small_number(residual), run = small_run(number, parameter);
    small_put(w, 0, run);
    small_put(w, number + (1u << parameter), run + 1 + parameter);
}

/* Shorter codes first, then by symbol. */
static void small_code_make(uint16_t *out, const uint8_t *lengths, uint32_t symbols, uint32_t longest)
{
    uint32_t code = 0;
    for (uint32_t length = 1; length <= longest; length++, code <<= 1)
        for (uint32_t symbol = 0; symbol < symbols; symbol++)
            if (lengths[symbol] == length)
                out[symbol] = (uint16_t)code++;
}

static void small_codes_make(small_writer *w)
{
    for (uint32_t c = 0; c < SMALL_TRIPLE_CODES; c++)
        small_code_make(w->triples[c], emberi_small_triple_lengths[c], SMALL_TRIPLE_SYMBOLS,
                        SMALL_TRIPLE_BITS);
    for (uint32_t c = 0; c < SMALL_SINGLE_CODES; c++)
        small_code_make(w->singles[c], emberi_small_single_lengths[c], SMALL_SINGLE_SYMBOLS,
                        SMALL_SINGLE_BITS);
}

static void small_put_single(small_writer *w, int32_t residual, uint32_t code)
{
    const uint32_t number = small_number(residual);
    uint32_t       symbol = number, plain = 0;
    if (number >= 4) {
        plain = 30u - emberi_leading_zeros32(number);
        symbol = 2 * plain + (number >> plain);
    }
    small_put(w, w->singles[code][symbol], emberi_small_single_lengths[code][symbol]);
    small_put(w, number, plain);
}

/* ---- vectors ---- */

static void small_components_write(small_writer *w, const int32_t residuals[3], const uint16_t expected[3],
                                   uint32_t axes, int32_t expect)
{
    for (uint32_t j = 0; j < 3; j++)
        if ((axes >> j & 1u) != 0)
            small_put_single(w, residuals[j], small_single_code(expected[j], small_single_shared(expect)));
}

/* One symbol if the vector has one; true if that was all. */
static bool small_triple_write(small_writer *w, const int32_t residuals[3], int32_t expect, bool escape)
{
    uint32_t symbol = 0;
    for (int j = 0; j < 3; j++)
        symbol = residuals[j] < -1 || residuals[j] > 1 || symbol == SMALL_TRIPLE_SYMBOLS - 1
                     ? SMALL_TRIPLE_SYMBOLS - 1
                     : 3 * symbol + (uint32_t)(residuals[j] + 1);
    if (escape)
        symbol = SMALL_TRIPLE_SYMBOLS - 1;
    const uint32_t code = emberi_small_triple_class[expect];
    small_put(w, w->triples[code][symbol], emberi_small_triple_lengths[code][symbol]);
    return symbol != SMALL_TRIPLE_SYMBOLS - 1;
}

static void small_key_vector_write(small_writer *w, const int32_t residuals[3], uint32_t axes,
                                   bool is_rotation, bool turns, uint32_t index)
{
    uint32_t best = 0, best_length = UINT32_MAX;
    if (!turns && residuals[0] == 0 && residuals[1] == 0 && residuals[2] == 0) {
        small_put(w, 0, 1);
        return;
    }
    for (uint32_t class_ = 0; class_ < 4; class_++) {
        uint32_t length = 0;
        for (uint32_t j = 0; j < 3; j++)
            if ((axes >> j & 1u) != 0)
                length +=
                    small_length(residuals[j], emberi_small_key_parameters[class_] + (is_rotation ? 0u : 2u));
        if (length < best_length) {
            best_length = length;
            best = class_;
        }
    }
    small_put(w, 1, 1);
    small_put(w, best, 2);
    if (is_rotation) {
        small_put(w, turns ? 1 : 0, 1);
        if (turns)
            small_put(w, index, 2);
    }
    for (uint32_t j = 0; j < 3; j++)
        if ((axes >> j & 1u) != 0)
            small_put_golomb(w, residuals[j], emberi_small_key_parameters[best] + (is_rotation ? 0u : 2u));
}

/* ---- rows ---- */

/* What a row is predicted from, by rows of the writer. */
typedef struct small_task {
    size_t  row, low, high, above;
    int32_t weight;
    bool    key;
} small_task;

static void small_predict_rotation(small_rotation *out, const small_writer *w, const small_task *t,
                                   uint32_t bone, bool with_parent, int32_t margin)
{
    const small_row *low = &w->rows[t->low], *high = &w->rows[t->high];
    if (with_parent)
        small_rotation_with_parent(out, &low->places[bone], &high->places[bone],
                                   &w->rows[t->row].places[w->bones.parents[bone]], t->weight, margin);
    else
        small_rotation_between(out, low->nodes[bone].record.code, high->nodes[bone].record.code, t->weight,
                               margin);
}

static void small_rotation_residuals(int32_t out[3], small_rotation *rotation, uint32_t code)
{
    small_rotation_turn(rotation, code & 3u);
    for (uint32_t j = 0; j < 3; j++)
        out[j] = squeeze_wrapped(squeeze_field(code, j) - rotation->fields[j], 10);
}

static void small_rotation_write(small_writer *w, const small_task *t, uint32_t bone)
{
    small_node       *node = &w->rows[t->row].nodes[bone];
    const small_node *above = t->key ? NULL : &w->rows[t->above].nodes[bone];
    const uint32_t    index = node->record.code & 3u;
    small_rotation    rotation;
    int32_t           residuals[3], expect = 0;
    if (!t->key)
        expect = small_expect(above->expected, above->sizes, 7,
                              small_parent_rotation_sum(&w->bones, small_parent(&w->bones, bone),
                                                        w->rows[t->row].nodes));
    const bool with_parent =
        w->bones.predictors != NULL && (w->bones.predictors[bone] & SMALL_TURNS_WITH_PARENT) != 0;
    small_predict_rotation(&rotation, w, t, bone, with_parent, small_margin(expect));
    const bool     turns = rotation.index != index;
    const uint32_t second = rotation.second;
    if (!t->key && rotation.near) {
        small_put(w, turns ? 1 : 0, 1);
        if (turns)
            small_put(w, index == second ? 0 : 4 + index, index == second ? 1 : 3);
    }
    small_rotation_residuals(residuals, &rotation, node->record.code);
    if (t->key)
        small_key_vector_write(w, residuals, 7, true, turns, index);
    else {
        const bool escape = turns && !rotation.near;
        if (expect >= SMALL_TRIPLE_LIMIT || !small_triple_write(w, residuals, expect, escape)) {
            if (escape) {
                const uint32_t code = small_single_code(above->expected[0], small_single_shared(expect)),
                               symbol = SMALL_SINGLE_SYMBOLS - 1;
                small_put(w, w->singles[code][symbol], emberi_small_single_lengths[code][symbol]);
                small_put(w, index, 2);
            }
            small_components_write(w, residuals, above->expected, 7, expect);
        }
    }
    small_note(node, above, 0, residuals);
}

static void small_vector_residuals(int32_t out[3], const small_writer *w, const small_task *t, uint32_t bone,
                                   uint32_t vector, uint32_t predictor)
{
    const small_node *node = &w->rows[t->row].nodes[bone];
    const small_row  *low = &w->rows[t->low], *high = &w->rows[t->high];
    const uint32_t    axes = small_axes(w->bones.modes[bone], vector);
    int32_t           predicted[3];
    if (vector == 1 && (predictor & SMALL_MOVES_WITH_PARENT) != 0)
        small_position_with_parent(predicted, &w->bones, bone, &low->places[bone], &high->places[bone],
                                   &w->rows[t->row].places[w->bones.parents[bone]], t->weight, predictor);
    else
        for (uint32_t j = 0; j < 3; j++)
            predicted[j] = squeeze_mix(low->nodes[bone].record.values[3 * vector - 3 + j],
                                       high->nodes[bone].record.values[3 * vector - 3 + j], t->weight);
    for (uint32_t j = 0; j < 3; j++)
        out[j] = (axes >> j & 1u) != 0
                     ? squeeze_wrapped(node->record.values[3 * vector - 3 + j] - predicted[j], 16)
                     : 0;
}

static void small_vector_write(small_writer *w, const small_task *t, uint32_t bone, uint32_t vector)
{
    small_node       *node = &w->rows[t->row].nodes[bone];
    const small_node *above = t->key ? NULL : &w->rows[t->above].nodes[bone];
    const uint32_t    axes = small_axes(w->bones.modes[bone], vector), at = 3 * vector;
    int32_t           residuals[3];
    small_vector_residuals(residuals, w, t, bone, vector,
                           w->bones.predictors != NULL ? w->bones.predictors[bone] : 0);
    if (t->key)
        small_key_vector_write(w, residuals, axes, false, false, 0);
    else {
        const int32_t sum = vector == 1 ? small_parent_position_sum(&w->bones, small_parent(&w->bones, bone),
                                                                    w->rows[t->row].nodes, axes)
                                        : -1;
        const int32_t expect = small_expect(above->expected + at, above->sizes + at, axes, sum);
        if (axes != 7 || expect >= SMALL_TRIPLE_LIMIT || !small_triple_write(w, residuals, expect, false))
            small_components_write(w, residuals, above->expected + at, axes, expect);
    }
    small_note(node, above, at, residuals);
}

/* All rotations, all positions, all scales. */
static void small_row_write(small_writer *w, const small_task *t)
{
    for (uint32_t bone = 0; bone < w->bones.count; bone++)
        if ((w->bones.modes[bone] & MODE_ROTATION) != 0)
            small_rotation_write(w, t, bone);
    for (uint32_t vector = 1; vector <= 2; vector++)
        for (uint32_t bone = 0; bone < w->bones.count; bone++)
            if (small_axes(w->bones.modes[bone], vector) != 0)
                small_vector_write(w, t, bone, vector);
    small_align(w);
}

/* ---- trees ---- */

/* The size of the left half goes before the row: the bytes behind it make room. */
static void small_put_left_size(small_writer *w, size_t at, size_t size)
{
    uint8_t  bytes[4];
    uint32_t count = 0;
    for (bytes[0] = (uint8_t)(size & 127u); (size >>= 7) != 0; bytes[count] = (uint8_t)(size & 127u))
        bytes[count++] |= 128u;
    count++;
    const size_t end = (size_t)(w->at >> 3);
    if (w->full || end + count > w->capacity) {
        w->full = true;
        return;
    }
    emberi_move(w->out + at + count, w->out + at, end - at);
    emberi_copy(w->out + at, bytes, count);
    w->at += 8 * (uint64_t)count;
}

/* The rows of an interval: its middle, then its left half, then its right; at most five deep. `first` is the
   frame the span begins with. */
/* NOLINTNEXTLINE(misc-no-recursion): five deep */
static void small_tree_write(small_writer *w, const squeeze_node *node, size_t first, size_t above)
{
    const size_t     at = (size_t)(w->at >> 3);
    const small_task task = {first + node->middle, first + node->low,
                             first + node->high,   above,
                             node->weight,         false};
    small_row_write(w, &task);
    const size_t row_end = (size_t)(w->at >> 3);
    if (node->middle - node->low >= 2) {
        const squeeze_node left = squeeze_node_child(node, false);
        small_tree_write(w, &left, first, task.row);
        small_put_left_size(w, at, (size_t)(w->at >> 3) - row_end);
    }
    if (node->high - node->middle >= 2) {
        const squeeze_node right = squeeze_node_child(node, true);
        small_tree_write(w, &right, first, task.row);
    }
}

/* ---- predictors ---- */

/* 16 times the logarithm to base 2 of a size and one, by straight lines between the powers. */
static uint32_t small_cost(int32_t residual)
{
    const uint32_t size = (uint32_t)(residual < 0 ? -residual : residual) + 1,
                   top = 31u - emberi_leading_zeros32(size);
    return 16 * top + ((size << 4 >> top) & 15u);
}

/* Costs of a bone's rotation in time and with its parent, and of its position in time, by the rig's offset
   and by its own. */
typedef struct small_costs {
    uint64_t rotation[2], position[3];
} small_costs;

static void small_costs_add(small_costs *costs, const small_writer *w, const small_task *t, uint32_t bone)
{
    static const uint32_t ways[3] = {0, SMALL_MOVES_WITH_PARENT, SMALL_MOVES_WITH_PARENT | SMALL_OWN_OFFSET};
    const uint32_t        mode = w->bones.modes[bone];
    int32_t               residuals[3];
    for (uint32_t way = 0; way < 2 && (mode & MODE_ROTATION) != 0; way++) {
        small_rotation rotation;
        small_predict_rotation(&rotation, w, t, bone, way != 0, 0);
        small_rotation_residuals(residuals, &rotation, w->rows[t->row].nodes[bone].record.code);
        for (int j = 0; j < 3; j++)
            costs->rotation[way] += small_cost(residuals[j]);
    }
    for (uint32_t way = 0; way < 3 && (mode & MODE_POSITION) != 0; way++) {
        small_vector_residuals(residuals, w, t, bone, 1, ways[way]);
        for (int j = 0; j < 3; j++)
            costs->position[way] += small_cost(residuals[j]);
    }
}

/* NOLINTNEXTLINE(misc-no-recursion): five deep */
static void small_costs_tree(small_costs *costs, const small_writer *w, const squeeze_node *node,
                             size_t first, uint32_t bone)
{
    const small_task task = {first + node->middle, first + node->low,
                             first + node->high,   0,
                             node->weight,         false};
    small_costs_add(costs, w, &task, bone);
    for (int right = 0; right < 2; right++)
        if ((right != 0 ? node->high - node->middle : node->middle - node->low) >= 2) {
            const squeeze_node child = squeeze_node_child(node, right != 0);
            small_costs_tree(costs, w, &child, first, bone);
        }
}

static uint32_t small_choose(const small_writer *w, uint32_t bone, uint32_t span_count)
{
    const uint32_t frames = w->job->frame_count;
    small_costs    costs = {{0}, {0}};
    uint32_t       predictor = 0;
    for (uint32_t k = 0; k <= span_count; k++) {
        const size_t     first = squeeze_key_frame(k, frames, span_count), base = k == 0 ? frames : 0;
        const small_task key = {first, base, base, 0, 0, true};
        small_costs_add(&costs, w, &key, bone);
        const uint32_t steps =
            k < span_count ? squeeze_key_frame(k + 1, frames, span_count) - (uint32_t)first : 0;
        if (steps >= 2) {
            const squeeze_node root = squeeze_node_root(steps);
            small_costs_tree(&costs, w, &root, first, bone);
        }
    }
    if (costs.rotation[1] < costs.rotation[0])
        predictor |= SMALL_TURNS_WITH_PARENT;
    if (costs.position[1] < costs.position[0] && costs.position[1] <= costs.position[2])
        predictor |= SMALL_MOVES_WITH_PARENT;
    else if (costs.position[2] < costs.position[0])
        predictor |= SMALL_MOVES_WITH_PARENT | SMALL_OWN_OFFSET;
    return predictor;
}

static void small_predictors_write(small_writer *w, uint8_t *predictors, uint32_t span_count)
{
    for (uint32_t bone = 0; bone < w->bones.count; bone++) {
        const uint32_t mode = w->bones.modes[bone];
        if (small_parent(&w->bones, bone) < 0 || (mode & (MODE_ROTATION | MODE_POSITION)) == 0)
            continue;
        const uint32_t predictor = small_choose(w, bone, span_count);
        predictors[bone] = (uint8_t)predictor;
        if ((mode & MODE_ROTATION) != 0)
            small_put(w, predictor & SMALL_TURNS_WITH_PARENT, 1);
        if ((mode & MODE_POSITION) == 0)
            continue;
        small_put(w, (predictor & SMALL_MOVES_WITH_PARENT) != 0, 1);
        if ((predictor & SMALL_MOVES_WITH_PARENT) != 0)
            small_put(w, (predictor & SMALL_OWN_OFFSET) != 0, 1);
    }
    small_align(w);
}

/* ---- the block ---- */

/* All frames, and the rest as a reader knows it before the first frame, as rows, with everything that any
   predictor may ask for. */
static bool small_rows_make(small_writer *w, bool parents, ember_arena *scratch)
{
    const uint32_t frames = w->job->frame_count, count = w->bones.count;
    const size_t   total = (size_t)frames + 1;
    w->rows = EMBER_PUSH(scratch, small_row, total);
    small_node  *nodes = EMBER_PUSH(scratch, small_node, total * count);
    small_place *places = parents ? EMBER_PUSH(scratch, small_place, total * count) : NULL;
    uint8_t     *rest = EMBER_PUSH(scratch, uint8_t, (size_t)count * EMBER_KEYFRAME_SIZE);
    if (w->rows == NULL || nodes == NULL || rest == NULL || (parents && places == NULL))
        return false;
    const ember_squeezed block = {.bone_count = count, .rig = *w->job->rig};
    const squeeze_tracks tracks = {.modes = w->bones.modes, .constants = w->bones.modes + count};
    emberi_squeeze_constants(rest, &block, &tracks);
    for (size_t row = 0; row < total; row++) {
        const uint8_t *records = row < frames ? w->job->frames + row * count * EMBER_KEYFRAME_SIZE : rest;
        w->rows[row] = (small_row){nodes + row * count, parents ? places + row * count : NULL};
        for (uint32_t bone = 0; bone < count; bone++) {
            const int32_t parent = small_parent(&w->bones, bone);
            small_node_load(&w->rows[row].nodes[bone], records + (size_t)bone * EMBER_KEYFRAME_SIZE);
            if (!parents)
                continue;
            small_place       *place = &w->rows[row].places[bone];
            const small_place *from = &w->rows[row].places[parent >= 0 ? parent : 0];
            small_place_turn(place, &w->rows[row].nodes[bone], from,
                             SMALL_IS_PARENT | (parent >= 0 ? SMALL_TURNS_WITH_PARENT : 0u), true);
            small_place_move(place, &w->rows[row].nodes[bone], from,
                             SMALL_IS_PARENT | (parent >= 0 ? SMALL_OWN_OFFSET : 0u), true);
        }
    }
    return true;
}

static void small_spans_write(small_writer *w, uint32_t span_count)
{
    const uint32_t frames = w->job->frame_count;
    const size_t   table = (size_t)(w->at >> 3);
    for (uint32_t k = 0; k + 1 < span_count; k++)
        small_put(w, 0, 32);
    const small_task first = {0, frames, frames, 0, 0, true};
    small_row_write(w, &first);
    for (uint32_t k = 0; k < span_count && !w->full; k++) {
        const uint32_t low = squeeze_key_frame(k, frames, span_count),
                       high = squeeze_key_frame(k + 1, frames, span_count);
        const small_task key = {high, 0, 0, 0, 0, true};
        if (k != 0)
            emberi_put_u32(w->out + table + 4 * (size_t)(k - 1), (uint32_t)(w->at >> 3));
        small_row_write(w, &key);
        if (high - low >= 2) {
            const squeeze_node root = squeeze_node_root(high - low);
            small_tree_write(w, &root, low, high);
        }
    }
}

ember_status emberi_squeeze_small_encode(ember_squeeze_job *job, ember_arena *scratch)
{
    const ember_squeeze_rig *rig = job->rig;
    const bool               parents = rig->model_space && rig->parents != NULL;
    const size_t             capacity = job->out_capacity < UINT32_MAX ? job->out_capacity : UINT32_MAX;
    small_writer             w = {.job = job, .out = job->out, .capacity = capacity};
    uint8_t                 *tracks = EMBER_PUSH(scratch, uint8_t, 17 * (size_t)rig->bone_count);
    uint8_t                 *predictors = EMBER_PUSH(scratch, uint8_t, rig->bone_count);
    bool                     moves = false;
    w.bones = (small_bones){rig->bone_count, tracks, rig->parents, NULL, rig->offsets};
    if (tracks == NULL || predictors == NULL)
        return EMBER_E_NOMEM;
    const size_t tracks_size = emberi_squeeze_tracks_write(tracks, job);
    if (!small_rows_make(&w, parents, scratch))
        return EMBER_E_NOMEM;

    for (uint32_t bone = 0; bone < rig->bone_count; bone++)
        moves |= (tracks[bone] & MODE_MOVES) != 0;
    if (w.capacity < SMALL_TRACKS_AT + tracks_size)
        return EMBER_E_SPACE;
    job->out[SQUEEZE_HEADER_SIZE] = parents && moves ? SMALL_FLAG_PARENTS : 0;
    emberi_copy(job->out + SMALL_TRACKS_AT, tracks, tracks_size);
    w.at = 8 * (uint64_t)(SMALL_TRACKS_AT + tracks_size);
    if (moves) {
        const uint32_t span_count = squeeze_span_count(job->frame_count, SMALL_SPAN);
        small_codes_make(&w);
        if (parents) {
            small_predictors_write(&w, predictors, span_count);
            w.bones.predictors = predictors;
        }
        small_spans_write(&w, span_count);
    }
    if (w.full)
        return EMBER_E_SPACE;
    job->out_size = (size_t)(w.at >> 3);
    return EMBER_OK;
}
