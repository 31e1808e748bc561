/* SPDX-License-Identifier: MIT */
/* What reader and writer of small blocks share: nodes, predictions and contexts, so that both sides do the
   very same arithmetic. */
#ifndef EMBER_SQUEEZE_SMALL_H
#define EMBER_SQUEEZE_SMALL_H

#include "squeeze/small/small_codes.h"
#include "squeeze/squeeze_model.h"

#define SMALL_TRACKS_AT (SQUEEZE_HEADER_SIZE + 1u) /* behind the byte of flags */
/* predictors follow the constants: bones are predicted from their parents */
#define SMALL_FLAG_PARENTS 1u
#define SMALL_SPAN SQUEEZE_MAX_SPAN

/* How a bone is predicted, beside between the ends in time. */
enum {
    SMALL_TURNS_WITH_PARENT = 1, /* rotation: the parent's, times what was between them */
    SMALL_MOVES_WITH_PARENT = 2, /* position: the parent's and the rig's offset in its axes */
    SMALL_OWN_OFFSET = 4,        /* with the former: the offset is between those of the ends */
    SMALL_IS_PARENT =
        /* not stored: another bone is predicted from this one, so that its place is kept though it
           does not move */
    8
};

/* A bone in a row. Residuals of rotation, position and scale are kept by size, as the rows below take them
   for what to expect: `expected` is twice this row's and once that of the row above. */
typedef struct small_record {
    uint32_t code;
    int16_t  values[6]; /* position and scale, ordered */
} small_record;

typedef struct small_node {
    small_record record;
    uint16_t     sizes[9];
    uint16_t     expected[9];
} small_node;

#define SMALL_LARGEST_SIZE 16383u /* larger residuals count as this, so that `expected` stays in 16 bits */

/* The same bone for predictions from parents. */
typedef struct small_place {
    squeeze_quat rotation;
    squeeze_quat local; /* in the parent's axes; only where the bone is predicted from them */
    squeeze_vec  position;
    squeeze_vec  offset; /* likewise */
} small_place;

typedef struct small_row {
    small_node  *nodes;
    small_place *places; /* NULL where no bone is predicted from its parent */
} small_row;

/* What a clip's bones are, in arrays of one per bone. */
typedef struct small_bones {
    uint32_t       count;
    const uint8_t *modes;
    const int16_t *parents;    /* NULL: none */
    const uint8_t *predictors; /* NULL: in time */
    const uint8_t *offsets;    /* the rig's */
} small_bones;

EMBERI_INLINE int32_t small_parent(const small_bones *bones, uint32_t bone)
{
    return bones->parents != NULL ? bones->parents[bone] : -1;
}

EMBERI_INLINE uint32_t small_size(int32_t residual)
{
    uint32_t size = (uint32_t)(residual < 0 ? -residual : residual);
    return size < SMALL_LARGEST_SIZE ? size : SMALL_LARGEST_SIZE;
}

/* ---- rotations ---- */

typedef struct small_rotation {
    int32_t  fields[3];
    int32_t  quad[4];
    uint32_t index, second; /* the largest component and the one after it */
    bool     near;          /* so little apart that the index is stored */
    bool     has_quad;
} small_rotation;

/* The largest component is left out; of equal ones the later. A knock-out of the four: the second is the
   other of the winner's pair, or the other pair's winner. */
EMBERI_INLINE void small_rotation_from_quad(small_rotation *r, int32_t margin)
{
    int32_t size[4];
    for (int i = 0; i < 4; i++)
        size[i] = (r->quad[i] ^ r->quad[i] >> 31) - (r->quad[i] >> 31);
    const bool    front_later = size[1] >= size[0], back_later = size[3] >= size[2];
    const int32_t front = front_later, back = 2 + back_later;
    const int32_t front_size = squeeze_choose(front_later, size[1], size[0]),
                  front_less = squeeze_choose(front_later, size[0], size[1]);
    const int32_t back_size = squeeze_choose(back_later, size[3], size[2]),
                  back_less = squeeze_choose(back_later, size[2], size[3]);
    const bool    is_back = back_size >= front_size;
    const int32_t first_size = squeeze_choose(is_back, back_size, front_size),
                  other_size = squeeze_choose(is_back, front_size, back_size);
    const int32_t pair_size = squeeze_choose(is_back, back_less, front_less);
    /* of equal ones the later, and the back pair is */
    const bool    from_pair = pair_size >= other_size + !is_back;
    r->index = (uint32_t)squeeze_choose(is_back, back, front);
    r->second = (uint32_t)squeeze_choose(from_pair, squeeze_choose(is_back, 5 - back, 1 - front),
                                         squeeze_choose(is_back, front, back));
    r->near = first_size - squeeze_choose(from_pair, pair_size, other_size) < margin;
    r->has_quad = true;
    squeeze_quad_fields(r->fields, r->quad, r->index);
}

EMBERI_INLINE void small_rotation_between(small_rotation *r, uint32_t low, uint32_t high, int32_t weight,
                                          int32_t margin)
{
    if (((low ^ high) & 3u) != 0) {
        int32_t from[4], to[4];
        squeeze_quad(from, low);
        squeeze_quad(to, high);
        squeeze_quad_mix(r->quad, from, to, weight);
        small_rotation_from_quad(r, margin);
        return;
    }
    int32_t  rest = 2093058, largest = -1;
    uint32_t which = 0;
    for (uint32_t j = 0; j < 3; j++) {
        r->fields[j] = squeeze_mix(squeeze_field(low, j), squeeze_field(high, j), weight);
        const int32_t u = 2 * r->fields[j] - 1023, size = u < 0 ? -u : u;
        rest -= u * u;
        which = size >= largest ? j : which;
        largest = size >= largest ? size : largest;
    }
    r->index = low & 3u;
    r->second = squeeze_axis(low & 3u, which);
    r->near = rest < (largest + margin) * (largest + margin);
    r->has_quad = false;
    for (int i = 0; i < 4; i++)
        r->quad[i] = 0;
}

/* From the parent's rotation and what was between parent and bone at the ends. The length is brought to 1 by
   the root's series, which is near enough. */
EMBERI_INLINE void small_rotation_with_parent(small_rotation *r, const small_place *low,
                                              const small_place *high, const small_place *parent,
                                              int32_t weight, int32_t margin)
{
    squeeze_quat local = low->local;
    if (weight != 0) {
        const float *a = low->local.v, *b = high->local.v;
        const float  dot = ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
        const float  part = (float)weight * (1.0f / 16384.0f), high_part = dot < 0.0f ? -part : part,
                    low_part = 1.0f - part;
        for (int i = 0; i < 4; i++)
            local.v[i] = a[i] * low_part + b[i] * high_part;
    }
    const squeeze_quat q = squeeze_multiply(parent->rotation, local);
    const float        n = ((q.v[0] * q.v[0] + q.v[1] * q.v[1]) + q.v[2] * q.v[2]) + q.v[3] * q.v[3];
    const float        scale = SQUEEZE_UNIT * (1.875f - n * (1.25f - 0.375f * n));
    for (int i = 0; i < 4; i++) {
        const float x = q.v[i] * scale;
        const float half = emberi_float_of((emberi_bits_of(x) & 0x80000000u) | 0x3f000000u); /* of x's sign */
        r->quad[i] = (int32_t)(x + half);
    }
    small_rotation_from_quad(r, margin);
}

/* The same prediction if another component is the one left out. */
EMBERI_INLINE void small_rotation_turn(small_rotation *r, uint32_t index)
{
    if (index == r->index)
        return;
    if (!r->has_quad) {
        squeeze_quad(r->quad, squeeze_code(r->fields, r->index));
        r->has_quad = true;
    }
    r->index = index;
    squeeze_quad_fields(r->fields, r->quad, index);
}

/* ---- positions ---- */

/* Offsets of a rig that are no numbers of a sensible size count as none. */
EMBERI_INLINE squeeze_vec small_rig_offset(const small_bones *bones, uint32_t bone)
{
    squeeze_vec offset = {{0.0f, 0.0f, 0.0f}};
    for (uint32_t i = 0; i < 3 && bones->offsets != NULL; i++) {
        const float value = emberi_float_of(emberi_get_u32(bones->offsets + 12 * (size_t)bone + 4 * i));
        offset.v[i] = value >= -131072.0f && value <= 131072.0f ? value : 0.0f;
    }
    return offset;
}

EMBERI_INLINE void small_position_with_parent(int32_t out[3], const small_bones *bones, uint32_t bone,
                                              const small_place *low, const small_place *high,
                                              const small_place *parent, int32_t weight, uint32_t predictor)
{
    squeeze_vec offset;
    if ((predictor & SMALL_OWN_OFFSET) != 0) {
        const float part = (float)weight * (1.0f / 16384.0f), low_part = 1.0f - part;
        for (int i = 0; i < 3; i++)
            offset.v[i] = low->offset.v[i] * low_part + high->offset.v[i] * part;
    } else
        offset = small_rig_offset(bones, bone);
    const squeeze_vec turned = squeeze_rotate(parent->rotation, offset);
    for (int i = 0; i < 3; i++)
        out[i] = squeeze_ordered(squeeze_half_of(parent->position.v[i] + turned.v[i]));
}

/* Once a bone's rotation is known, and once its position is: what its children in this row, and as an end of
   an interval the bone itself in other rows, are predicted from. */
EMBERI_INLINE void small_place_turn(small_place *place, const small_node *node, const small_place *parent,
                                    uint32_t predictor, bool is_end)
{
    place->rotation = squeeze_quat_of(node->record.code);
    if (is_end && (predictor & SMALL_TURNS_WITH_PARENT) != 0)
        place->local = squeeze_multiply(squeeze_conjugate(parent->rotation), place->rotation);
}

EMBERI_INLINE void small_place_move(small_place *place, const small_node *node, const small_place *parent,
                                    uint32_t predictor, bool is_end)
{
    for (int i = 0; i < 3; i++)
        place->position.v[i] = squeeze_float(squeeze_half(node->record.values[i]));
    if (is_end && (predictor & SMALL_OWN_OFFSET) != 0)
        place->offset = squeeze_local_place(parent->rotation, parent->position, place->position);
}

/* ---- contexts ---- */

/* What is expected of a vector, 21 times the mean size of a component: `parent_sum` is that of the parent
   bone's sizes in this row, or negative. */
EMBERI_INLINE int32_t small_expect(const uint16_t expected[3], const uint16_t sizes[3], uint32_t axes,
                                   int32_t parent_sum)
{
    int32_t above = 0, size = 0, count = 0;
    if (axes == 7) {
        above = expected[0] + expected[1] + expected[2];
        size = sizes[0] + sizes[1] + sizes[2];
        count = 3;
    } else
        for (uint32_t j = 0; j < 3; j++)
            if ((axes >> j & 1u) != 0) {
                above += expected[j];
                size += sizes[j];
                count++;
            }
    const int32_t sum = 2 * above + (parent_sum >= 0 ? parent_sum : size);
    return count == 3 ? sum : count == 2 ? sum * 3 >> 1 : sum * 3;
}

/* How far the two largest components may be apart for the index to be stored. */
EMBERI_INLINE int32_t small_margin(int32_t expect) { return (expect >> 1) + 6; }

/* Which code a component is in: by what its own residuals and its vector's let expect. `shared` is the
   vector's part. */
EMBERI_INLINE uint32_t small_single_shared(int32_t expect) { return (uint32_t)expect * 3 >> 5; }
EMBERI_INLINE uint32_t small_single_code(uint16_t expected, uint32_t shared)
{
    const uint32_t x = 2u * expected + shared, sixteenth = x >> 4;
    const uint32_t code =
        emberi_small_single_class[sixteenth < SMALL_CLASSES - 1 ? sixteenth : SMALL_CLASSES - 1];
    return code & (0u - (x != 0 ? 1u : 0u));
}

/* The numbers 0 to 3 are symbols themselves, from then on two symbols share each power of two, and bits
   follow. 1 for all symbols but the first two, in a way that no compiler makes a branch of; */
EMBERI_INLINE uint32_t small_symbol_shares(uint32_t symbol) { return (symbol + 30u) >> 5; }
/* the bits that follow; */
EMBERI_INLINE uint32_t small_symbol_bits(uint32_t symbol)
{
    return (symbol >> 1) - small_symbol_shares(symbol);
}
/* and the number that symbol and bits stand for. */
EMBERI_INLINE uint32_t small_symbol_number(uint32_t symbol, uint32_t bits)
{
    return ((2u + (symbol & 1u)) << small_symbol_bits(symbol) | bits) - 2u + 2u * small_symbol_shares(symbol);
}

/* The sum of sizes of the parent bone's vector in this row, or -1 where it does not move alike: rotations
   beside rotations, positions beside positions if both move on all axes. */
EMBERI_INLINE int32_t small_parent_rotation_sum(const small_bones *bones, int32_t parent,
                                                const small_node *nodes)
{
    if (parent < 0 || (bones->modes[parent] & MODE_ROTATION) == 0)
        return -1;
    return nodes[parent].sizes[0] + nodes[parent].sizes[1] + nodes[parent].sizes[2];
}

EMBERI_INLINE int32_t small_parent_position_sum(const small_bones *bones, int32_t parent,
                                                const small_node *nodes, uint32_t axes)
{
    if (parent < 0 || axes != 7 || (bones->modes[parent] & MODE_POSITION) != MODE_POSITION)
        return -1;
    return nodes[parent].sizes[3] + nodes[parent].sizes[4] + nodes[parent].sizes[5];
}

/* ---- rows ---- */

EMBERI_INLINE void small_node_load(small_node *node, const uint8_t *record)
{
    node->record.code = emberi_get_u32(record);
    for (uint32_t i = 0; i < 6; i++)
        node->record.values[i] = squeeze_ordered(emberi_get_u16(record + 4 + 2 * i));
}

/* Components that are coded of vector 1 (position) or 2 (scale). */
EMBERI_INLINE uint32_t small_axes(uint32_t mode, uint32_t vector)
{
    return vector == 1 ? mode >> 1 & 7u : (mode & MODE_SCALE) != 0 ? 7u : 0u;
}

/* Residuals become what the rows below expect; those right under a key row have only its. */
EMBERI_INLINE void small_note(small_node *node, const small_node *above, uint32_t at,
                              const int32_t residuals[3])
{
    for (uint32_t j = 0; j < 3; j++) {
        const uint32_t size = small_size(residuals[j]);
        node->sizes[at + j] = (uint16_t)size;
        node->expected[at + j] = (uint16_t)(2 * size + (above != NULL ? above->sizes[at + j] : size));
    }
}

/* ---- decoding ---- */

/* A row and what it is predicted from. */
typedef struct small_step {
    small_row         out;
    small_row         low, high;
    const small_node *above; /* the row whose residuals tell what to expect; NULL in a key row */
    const small_row  *still; /* of the bones that do not move */
    int32_t           weight;
    bool              is_end; /* rows are predicted from this one */
} small_step;

/* Bones by what moves; so a row's loops meet no bone in vain. */
typedef struct small_lists {
    uint8_t moving[EMBER_MAX_BONES], rotations[EMBER_MAX_BONES], positions[EMBER_MAX_BONES],
        scales[EMBER_MAX_BONES];
    uint8_t moving_count, rotation_count, position_count, scale_count;
} small_lists;

/* Reads one row at a byte of the block; *end is where the next one may begin. */
ember_status emberi_small_row_read(uint32_t *end, const small_step *step, const small_bones *bones,
                                   const small_lists *lists, const ember_squeezed *block, uint32_t at,
                                   bool key);

#endif
