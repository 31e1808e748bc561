/* SPDX-License-Identifier: MIT */
/* Decoding one row of a small block. Loads are clamped to the block, every number is checked against its
   range, and a row that runs beyond the block is an error. */
#include "squeeze/small/small.h"

/* ---- bits ---- */

/* Most significant first. */
typedef struct small_bits {
    const uint8_t *data;
    uint64_t       at;
    uint64_t       last; /* byte that the last load may start at */
    uint32_t       bad;  /* not 0 once a number was out of its range */
} small_bits;

/* The 57 bits from the place on at least, the first of them on top; zeros beyond the block. */
EMBERI_INLINE uint64_t small_peek(const small_bits *bits)
{
    return emberi_get_bits_big(bits->data, bits->at, bits->last);
}

EMBERI_INLINE uint32_t small_take(small_bits *bits, uint32_t count)
{
    const uint32_t value = (uint32_t)(small_peek(bits) >> (64 - count));
    bits->at += count;
    return value;
}

EMBERI_INLINE int32_t small_signed(uint32_t number)
{
    return (int32_t)(number >> 1) ^ -(int32_t)(number & 1u);
}

#define SMALL_ESCAPE INT32_MIN

/* One residual of a tree row, or SMALL_ESCAPE, from the top of the window; adds the bits it took. No branch
   but for the escape: which symbol it is nobody foresees. */
EMBERI_INLINE int32_t small_single(uint32_t *used, uint32_t *bad, uint64_t window, uint32_t code,
                                   uint32_t width)
{
    const uint32_t entry = emberi_small_single_decode[code][window >> (64 - SMALL_SINGLE_BITS)];
    const uint32_t symbol = entry >> 4, length = entry & 15u, plain = small_symbol_bits(symbol);
    if (symbol == SMALL_SINGLE_SYMBOLS - 1) {
        *used += length;
        return SMALL_ESCAPE;
    }
    const uint32_t number = small_symbol_number(symbol, (uint32_t)(window << length >> 1 >> (63 - plain)));
    *used += length + plain;
    *bad |= number >> width;
    return small_signed(number);
}

#define SMALL_LONGEST_RUN 16u

/* A residual of a key row, in exponential Golomb code: zeros, as many bits more than the parameter as there
   were zeros. */
EMBERI_INLINE int32_t small_golomb(small_bits *bits, uint32_t parameter, uint32_t width)
{
    const uint64_t window = small_peek(bits);
    const uint32_t run = emberi_leading_zeros64(window | 1u);
    if (run > SMALL_LONGEST_RUN) {
        bits->bad = 1;
        return 0;
    }
    const uint32_t number = (uint32_t)(window << run >> (63 - run - parameter)) - (1u << parameter);
    bits->at += 2 * run + 1 + parameter;
    bits->bad |= number >> width;
    return small_signed(number);
}

/* ---- vectors ---- */

/* The fields of a rotation, one by one; false for the escape. A field takes at most 9 and 8 bits, so one load
   has all three. */
EMBERI_INLINE bool small_fields(int32_t out[3], small_bits *bits, const uint16_t expected[3], int32_t expect)
{
    const uint64_t window = small_peek(bits);
    const uint32_t shared = small_single_shared(expect);
    uint32_t       used = 0;
    for (uint32_t j = 0; j < 3; j++) {
        out[j] = small_single(&used, &bits->bad, window << (used & 63u),
                              small_single_code(expected[j], shared), 10);
        if (out[j] == SMALL_ESCAPE) {
            bits->at += used;
            bits->bad |= j != 0;
            return false;
        }
    }
    bits->at += used;
    return true;
}

/* The scalars of a vector that move, one by one. */
EMBERI_INLINE void small_scalars(int32_t out[3], small_bits *bits, const uint16_t expected[3], uint32_t axes,
                                 int32_t expect)
{
    const uint32_t shared = small_single_shared(expect);
    for (uint32_t j = 0; j < 3; j++) {
        uint32_t used = 0;
        out[j] = 0;
        if ((axes >> j & 1u) == 0)
            continue;
        out[j] =
            small_single(&used, &bits->bad, small_peek(bits), small_single_code(expected[j], shared), 16);
        bits->at += used;
        if (out[j] == SMALL_ESCAPE) {
            out[j] = 0;
            bits->bad = 1;
        }
    }
}

static const int8_t small_triples[SMALL_TRIPLE_SYMBOLS - 1][4] = {
    {-1, -1, -1, 0}, {-1, -1, 0, 0}, {-1, -1, 1, 0}, {-1, 0, -1, 0}, {-1, 0, 0, 0}, {-1, 0, 1, 0},
    {-1, 1, -1, 0},  {-1, 1, 0, 0},  {-1, 1, 1, 0},  {0, -1, -1, 0}, {0, -1, 0, 0}, {0, -1, 1, 0},
    {0, 0, -1, 0},   {0, 0, 0, 0},   {0, 0, 1, 0},   {0, 1, -1, 0},  {0, 1, 0, 0},  {0, 1, 1, 0},
    {1, -1, -1, 0},  {1, -1, 0, 0},  {1, -1, 1, 0},  {1, 0, -1, 0},  {1, 0, 0, 0},  {1, 0, 1, 0},
    {1, 1, -1, 0},   {1, 1, 0, 0},   {1, 1, 1, 0},
};

/* Three small residuals in one symbol; false if they are coded one by one. `window` holds the
   bits at bits->at. */
EMBERI_INLINE bool small_triple(int32_t out[3], small_bits *bits, uint64_t window, int32_t expect)
{
    const uint32_t entry =
        emberi_small_triple_decode[emberi_small_triple_class[expect]][window >> (64 - SMALL_TRIPLE_BITS)];
    const uint32_t symbol = entry >> 4;
    bits->at += entry & 15u;
    if (symbol == SMALL_TRIPLE_SYMBOLS - 1)
        return false;
    for (int j = 0; j < 3; j++)
        out[j] = small_triples[symbol][j];
    return true;
}

EMBERI_INLINE void small_rotation_read(int32_t residuals[3], small_rotation *rotation, small_bits *bits,
                                       const small_node *above, int32_t expect)
{
    uint64_t window = small_peek(bits);
    if (rotation->near) {
        uint32_t used = 1;
        if (window >> 63 != 0) {
            const bool other = (window >> 62 & 1u) != 0;
            small_rotation_turn(rotation, other ? (uint32_t)(window >> 60) & 3u : rotation->second);
            used = other ? 4 : 2;
        }
        window <<= used;
        bits->at += used;
    }
    if (expect < SMALL_TRIPLE_LIMIT && small_triple(residuals, bits, window, expect))
        return;
    if (small_fields(residuals, bits, above->expected, expect))
        return;
    small_rotation_turn(rotation, small_take(bits, 2));
    if (!small_fields(residuals, bits, above->expected, expect)) {
        bits->bad = 1;
        residuals[0] = residuals[1] = residuals[2] = 0;
    }
}

EMBERI_INLINE void small_vector_read(int32_t residuals[3], small_bits *bits, const uint16_t expected[3],
                                     uint32_t axes, int32_t expect)
{
    if (axes == 7 && expect < SMALL_TRIPLE_LIMIT && small_triple(residuals, bits, small_peek(bits), expect))
        return;
    small_scalars(residuals, bits, expected, axes, expect);
}

/* The same in a key row: nothing is expected, a class says how large the residuals are. A rotation's index
   may differ. */
EMBERI_INLINE void small_key_vector_read(int32_t residuals[3], small_rotation *rotation, small_bits *bits,
                                         uint32_t axes)
{
    const uint32_t width = rotation != NULL ? 10 : 16;
    residuals[0] = residuals[1] = residuals[2] = 0;
    const uint64_t window = small_peek(bits);
    if (window >> 63 == 0) {
        bits->at += 1;
        return;
    }
    const uint32_t parameter = emberi_small_key_parameters[window >> 61 & 3u] + (rotation != NULL ? 0u : 2u);
    bits->at += rotation != NULL ? 4 : 3;
    if (rotation != NULL && (window >> 60 & 1u) != 0) {
        small_rotation_turn(rotation, (uint32_t)(window >> 58) & 3u);
        bits->at += 2;
    }
    for (uint32_t j = 0; j < 3; j++)
        if ((axes >> j & 1u) != 0)
            residuals[j] = small_golomb(bits, parameter, width);
}

/* ---- rows ---- */

EMBERI_INLINE void small_bone_rotation(const small_step *step, const small_bones *bones, small_bits *bits,
                                       uint32_t bone, int32_t parent, const small_place *parent_place,
                                       bool parents, bool key)
{
    const small_node *low = &step->low.nodes[bone], *high = &step->high.nodes[bone],
                     *above = key ? NULL : &step->above[bone];
    small_node    *node = &step->out.nodes[bone];
    small_rotation rotation;
    int32_t        residuals[3], expect = 0;
    if (!key)
        expect = small_expect(above->expected, above->sizes, 7,
                              small_parent_rotation_sum(bones, parent, step->out.nodes));
    if (parents && (bones->predictors[bone] & SMALL_TURNS_WITH_PARENT) != 0)
        small_rotation_with_parent(&rotation, &step->low.places[bone], &step->high.places[bone], parent_place,
                                   step->weight, small_margin(expect));
    else
        small_rotation_between(&rotation, low->record.code, high->record.code, step->weight,
                               small_margin(expect));
    if (key)
        small_key_vector_read(residuals, &rotation, bits, 7);
    else
        small_rotation_read(residuals, &rotation, bits, above, expect);
    for (int j = 0; j < 3; j++)
        rotation.fields[j] = (rotation.fields[j] + residuals[j]) & 1023;
    node->record.code = squeeze_code(rotation.fields, rotation.index);
    small_note(node, above, 0, residuals);
}

/* Position (1) or scale (2). */
EMBERI_INLINE void small_bone_vector(const small_step *step, const small_bones *bones, small_bits *bits,
                                     uint32_t bone, int32_t parent, const small_place *parent_place,
                                     uint32_t vector, bool parents, bool key)
{
    const small_node *low = &step->low.nodes[bone], *high = &step->high.nodes[bone],
                     *above = key ? NULL : &step->above[bone];
    small_node    *node = &step->out.nodes[bone];
    const uint32_t axes = small_axes(bones->modes[bone], vector), at = 3 * vector;
    int32_t        predicted[3], residuals[3];
    if (parents && vector == 1 && (bones->predictors[bone] & SMALL_MOVES_WITH_PARENT) != 0)
        small_position_with_parent(predicted, bones, bone, &step->low.places[bone], &step->high.places[bone],
                                   parent_place, step->weight, bones->predictors[bone]);
    else
        for (uint32_t j = 0; j < 3; j++)
            predicted[j] =
                squeeze_mix(low->record.values[at - 3 + j], high->record.values[at - 3 + j], step->weight);
    if (key)
        small_key_vector_read(residuals, NULL, bits, axes);
    else {
        const int32_t sum =
            vector == 1 ? small_parent_position_sum(bones, parent, step->out.nodes, axes) : -1;
        small_vector_read(residuals, bits, above->expected + at, axes,
                          small_expect(above->expected + at, above->sizes + at, axes, sum));
    }
    for (uint32_t j = 0; j < 3; j++)
        if ((axes >> j & 1u) != 0)
            node->record.values[at - 3 + j] = (int16_t)(predicted[j] + residuals[j]);
    small_note(node, above, at, residuals);
}

EMBERI_INLINE const small_place *small_parent_place(const small_step *step, const small_bones *bones,
                                                    int32_t parent)
{
    static const small_place nowhere = {{{0.0f, 0.0f, 0.0f, 1.0f}},
                                        {{0.0f, 0.0f, 0.0f, 1.0f}},
                                        {{0.0f, 0.0f, 0.0f}},
                                        {{0.0f, 0.0f, 0.0f}}};
    if (parent < 0)
        return &nowhere;
    return (bones->modes[parent] & MODE_MOVES) != 0 ? &step->out.places[parent]
                                                    : &step->still->places[parent];
}

EMBERI_INLINE void small_row_bones(const small_step *step, const small_bones *bones, const small_lists *lists,
                                   small_bits *out_bits, bool parents, bool key)
{
    small_bits bits = *out_bits;
    for (uint32_t i = 0; i < lists->moving_count; i++) {
        const uint32_t bone = lists->moving[i];
        step->out.nodes[bone].record = step->low.nodes[bone].record;
        if (parents) {
            step->out.places[bone].rotation = step->low.places[bone].rotation;
            step->out.places[bone].position = step->low.places[bone].position;
        }
    }
    for (uint32_t i = 0; i < lists->rotation_count; i++) {
        const uint32_t     bone = lists->rotations[i];
        const int32_t      parent = small_parent(bones, bone);
        const small_place *place = parents ? small_parent_place(step, bones, parent) : NULL;
        small_bone_rotation(step, bones, &bits, bone, parent, place, parents, key);
        if (parents)
            small_place_turn(&step->out.places[bone], &step->out.nodes[bone], place, bones->predictors[bone],
                             step->is_end);
    }
    for (uint32_t i = 0; i < lists->position_count; i++) {
        const uint32_t     bone = lists->positions[i];
        const int32_t      parent = small_parent(bones, bone);
        const small_place *place = parents ? small_parent_place(step, bones, parent) : NULL;
        small_bone_vector(step, bones, &bits, bone, parent, place, 1, parents, key);
        if (parents)
            small_place_move(&step->out.places[bone], &step->out.nodes[bone], place, bones->predictors[bone],
                             step->is_end);
    }
    for (uint32_t i = 0; i < lists->scale_count; i++)
        small_bone_vector(step, bones, &bits, lists->scales[i], -1, NULL, 2, parents, key);
    *out_bits = bits;
}

#define SMALL_ROW_FUNCTION(name, parents, key)                                                   \
    static void name(const small_step *step, const small_bones *bones, const small_lists *lists, \
                     small_bits *bits)                                                           \
    {                                                                                            \
        small_row_bones(step, bones, lists, bits, parents, key);                                 \
    }
SMALL_ROW_FUNCTION(small_row_in_time, false, false)
SMALL_ROW_FUNCTION(small_row_with_parents, true, false)
SMALL_ROW_FUNCTION(small_key_in_time, false, true)
SMALL_ROW_FUNCTION(small_key_with_parents, true, true)

/* ---- one row ---- */

ember_status emberi_small_row_read(uint32_t *end, const small_step *step, const small_bones *bones,
                                   const small_lists *lists, const ember_squeezed *block, uint32_t at,
                                   bool key)
{
    uint8_t    tiny[8] = {0}; /* blocks may be shorter than a load */
    small_bits bits = {block->data, 8 * (uint64_t)at, block->size - 8, 0};
    const bool parents = bones->predictors != NULL;
    if (block->size < sizeof(tiny)) {
        emberi_copy(tiny, block->data, block->size);
        bits.data = tiny;
        bits.last = 0;
    }
    if (key)
        (parents ? small_key_with_parents : small_key_in_time)(step, bones, lists, &bits);
    else
        (parents ? small_row_with_parents : small_row_in_time)(step, bones, lists, &bits);
    const uint64_t after = (bits.at + 7) / 8;
    if (bits.bad != 0 || after > block->size)
        return EMBER_E_MALFORMED;
    *end = (uint32_t)after;
    return EMBER_OK;
}
