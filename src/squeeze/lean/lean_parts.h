/* SPDX-License-Identifier: MIT */
/* What the files of lean clips share: the tables, an opened clip, and where a time lies in it. Nothing here
   reads a clip's bytes before lean_open.c has proved that they are there. docs/formats/lean.md is the
   normative text. */
#ifndef EMBER_SQUEEZE_LEAN_PARTS_H
#define EMBER_SQUEEZE_LEAN_PARTS_H

#include "base/bytes.h"
#include "base/check.h"
#include "base/maths.h"
#include "ember/lean.h"

#define LEAN_VERSION 1u
#define LEAN_RIG_HEADER 8u
#define LEAN_RIG_BONE 24u /* bytes; with scales 12 more */
#define LEAN_CLIP_HEADER 6u
#define LEAN_PADDING 8u  /* zero bytes at a clip's end, so that loads of 8 bytes stay inside */
#define LEAN_LONGEST 16u /* steps of a block */
#define LEAN_SERIES 15u  /* coefficients of a block */
#define LEAN_TEMPLATES 256u
#define LEAN_STEPS 128u
#define LEAN_LANES 8u     /* tracks of a group */
#define LEAN_MOST_KEY 24u /* bits */
#define LEAN_MOST_MIN 25u
#define LEAN_KEY_STEP 0.625f   /* of a track's step */
#define LEAN_LEAST_NORM 1e-30f /* squared length below which a rotation counts as none */

/* ---- tables ---- */

/* How the bits of a component's coefficients lie in a block. */
typedef struct lean_template {
    uint64_t mask[4];  /* where the bits of each four go, in lanes of 16 */
    int16_t  bias[16]; /* what is taken from each */
    uint8_t  move[16]; /* how far each of the four goes up to get there */
    uint8_t  code[16]; /* width + 32 * shift */
    uint8_t  start[4]; /* bits before each four */
    uint8_t  bits;     /* of all */
    uint8_t  quarters; /* up to the last that has any */
} lean_template;

#define LEAN_WIDTH(code) ((code)&31u)
#define LEAN_FIELD(code, lane) ((((uint64_t)1 << LEAN_WIDTH(code)) - 1u) << (16 * (lane) + ((code) >> 5)))
#define LEAN_BIAS(code) \
    ((int16_t)(((1 << LEAN_WIDTH(code) >> 1) - (LEAN_WIDTH(code) != 0 ? 1 : 0)) << ((code) >> 5)))
#define LEAN_MOVE(code, lane, before) ((uint8_t)(16 * (lane) + ((code) >> 5) - (before)))
#define LEAN_SUM4(a, b, c, d) (LEAN_WIDTH(a) + LEAN_WIDTH(b) + LEAN_WIDTH(c) + LEAN_WIDTH(d))
#define LEAN_MASK4(a, b, c, d) (LEAN_FIELD(a, 0) | LEAN_FIELD(b, 1) | LEAN_FIELD(c, 2) | LEAN_FIELD(d, 3))
#define LEAN_MOVE4(a, b, c, d)                                                                    \
    LEAN_MOVE(a, 0, 0), LEAN_MOVE(b, 1, LEAN_WIDTH(a)), LEAN_MOVE(c, 2, LEAN_SUM4(a, b, 0u, 0u)), \
        LEAN_MOVE(d, 3, LEAN_SUM4(a, b, c, 0u))

/* A template from the codes of its 15 coefficients. */
#define LEAN_TEMPLATE(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14)             \
    {                                                                                              \
        {LEAN_MASK4(c0, c1, c2, c3), LEAN_MASK4(c4, c5, c6, c7), LEAN_MASK4(c8, c9, c10, c11),     \
         LEAN_MASK4(c12, c13, c14, 0)},                                                            \
            {LEAN_BIAS(c0),  LEAN_BIAS(c1),  LEAN_BIAS(c2),  LEAN_BIAS(c3),                        \
             LEAN_BIAS(c4),  LEAN_BIAS(c5),  LEAN_BIAS(c6),  LEAN_BIAS(c7),                        \
             LEAN_BIAS(c8),  LEAN_BIAS(c9),  LEAN_BIAS(c10), LEAN_BIAS(c11),                       \
             LEAN_BIAS(c12), LEAN_BIAS(c13), LEAN_BIAS(c14), 0},                                   \
            {LEAN_MOVE4(c0, c1, c2, c3), LEAN_MOVE4(c4, c5, c6, c7), LEAN_MOVE4(c8, c9, c10, c11), \
             LEAN_MOVE4(c12, c13, c14, 0)},                                                        \
            {c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, 0},                  \
            {0, LEAN_SUM4(c0, c1, c2, c3), LEAN_SUM4(c0, c1, c2, c3) + LEAN_SUM4(c4, c5, c6, c7),  \
             LEAN_SUM4(c0, c1, c2, c3) + LEAN_SUM4(c4, c5, c6, c7) + LEAN_SUM4(c8, c9, c10, c11)}, \
            LEAN_SUM4(c0, c1, c2, c3) + LEAN_SUM4(c4, c5, c6, c7) + LEAN_SUM4(c8, c9, c10, c11) +  \
                LEAN_SUM4(c12, c13, c14, 0u),                                                      \
            LEAN_SUM4(c12, c13, c14, 0u) != 0  ? 4                                                 \
            : LEAN_SUM4(c8, c9, c10, c11) != 0 ? 3                                                 \
            : LEAN_SUM4(c4, c5, c6, c7) != 0   ? 2                                                 \
                                               : 1                                                 \
    }

extern const lean_template emberi_lean_templates[LEAN_TEMPLATES];
/* round(16384 sin(pi j f / N)) at [N][f][j - 1], 0 from j = N on */
extern const int16_t       emberi_lean_sines[LEAN_LONGEST + 1][LEAN_LONGEST + 1][16];
/* sqrt(2 / N) / 16384 */
extern const float         emberi_lean_norms[LEAN_LONGEST + 1];

/* 2^(-index / 4 + unit): the steps that a track can have. */
EMBERI_INLINE float lean_step(uint32_t index, int32_t unit)
{
    static const float quarter[4] = {1.0f, 0.84089642f, 0.70710678f, 0.59460356f};
    return quarter[index & 3u] * emberi_float_of((uint32_t)(127 + unit - (int32_t)(index >> 2)) << 23);
}

/* A clip's error as it is stored: 6 bits of exponent, 10 of digits; 0 is 0. */
EMBERI_INLINE float lean_error_value(uint32_t stored)
{
    return stored == 0
               ? 0.0f
               : (float)(1024u + (stored & 1023u)) * emberi_float_of((127u + (stored >> 10) - 50u) << 23);
}

/* ---- a clip's tracks ---- */

/* What a bone's mode byte says of each of rotation, position and scale. */
enum { LEAN_REST = 0, LEAN_CONSTANT, LEAN_MOVES, LEAN_MOVES4 };

/* A track is the rotation, position or scale of one bone. All that is stored of tracks goes by class,
   then by bone. */
typedef enum lean_class {
    LEAN_ROTATION3 = 0, /* three components, tan(angle / 4) * axis */
    LEAN_ROTATION4,     /* four: a quaternion of any length */
    LEAN_POSITION,
    LEAN_SCALE,
    LEAN_MOVING, /* so many classes move */
    LEAN_STILL_ROTATION = LEAN_MOVING,
    LEAN_STILL_POSITION,
    LEAN_STILL_SCALE,
    LEAN_CLASSES
} lean_class;

/* Which bits of a mode byte a class is about, and what they say then. */
EMBERI_INLINE bool lean_class_has(lean_class which, uint8_t mode)
{
    static const uint8_t shift[LEAN_CLASSES] = {0, 0, 2, 4, 0, 2, 4};
    static const uint8_t value[LEAN_CLASSES] = {LEAN_MOVES,    LEAN_MOVES4,   LEAN_MOVES,   LEAN_MOVES,
                                                LEAN_CONSTANT, LEAN_CONSTANT, LEAN_CONSTANT};
    return (mode >> shift[which] & 3) == value[which];
}

/* Up to 8 tracks of one class side by side, as the kernels take them. */
typedef struct lean_group {
    _Alignas(32) float step[LEAN_LANES];
    float    base[4][LEAN_LANES]; /* A of rotations; rest of positions and scales */
    float    turn[4][LEAN_LANES]; /* C of rotations */
    int32_t  min[4][LEAN_LANES];
    uint32_t mask[4][LEAN_LANES]; /* of a key's bits */
    /* where they begin in a row of keys: bytes, and bits of the first */
    uint32_t byte[4][LEAN_LANES];
    uint32_t shift[4][LEAN_LANES];
    uint32_t lift[4][LEAN_LANES]; /* 2^(8 - shift), for sets without a shift by lane */
    /* For a shuffle of bytes: the four that hold each key, counted from the first byte of each four lanes.
       Only where `near` says so are they in reach. */
    uint8_t  window[4][4 * LEAN_LANES];
    uint16_t first[4][2];
    uint16_t bone[LEAN_LANES]; /* lanes that are not used name the first */
    uint32_t near;
    uint32_t count;
    uint32_t which;        /* lean_class, one of the four that move */
    uint32_t active_first; /* of all components that have coefficients */
    uint32_t active_count;
} lean_group;

/* What ember_lean_clip's `parts` points to. */
typedef struct lean_opened {
    const uint8_t       *data;
    size_t               end; /* of the last block */
    const uint8_t       *keys;
    const uint8_t       *offsets;
    uint32_t             block_count;
    uint32_t             key_bits; /* of a row */
    uint32_t             key_size;
    uint32_t             active_count;
    uint32_t             group_count;
    uint32_t             slot_count;
    const lean_template *templates;
    lean_group          *groups;
    ember_transform     *still; /* what does not move, and rest */
    /* of each active component, 8 * component + lane; each group's end with LEAN_NO_SLOT, up to a
       multiple of 4 */
    uint8_t             *slots;
    _Atomic(uint8_t)    *checked; /* a bit for each block that was found sound */
} lean_opened;

#define LEAN_NO_SLOT 32u
#define LEAN_SLOTS 40u /* sums of a group, those that nobody wants included */

/* How many slots a group with so many active components has. */
EMBERI_INLINE uint32_t lean_slots(uint32_t active) { return (active + 3u) & ~3u; }

/* Opens with other templates than the format's, which is for those who train them. */
ember_status emberi_lean_open_with(ember_lean_clip *out, const void *data, size_t size,
                                   const ember_lean_rig *rig, void *memory, size_t memory_size,
                                   const lean_template *templates, ember_error *err);

/* ---- places ---- */

/* Where a frame and the one after it are. */
typedef struct lean_place {
    const uint8_t *key_a, *key_b; /* rows of keys at the block's ends */
    const uint8_t *block;         /* its templates; NULL: there are no coefficients to look at */
    uint32_t       index;         /* of the block */
    uint32_t       steps, at;     /* of the block; 0..steps */
    bool           wraps;         /* from the last frame into the first */
} lean_place;

/* The place of frame and fraction; false where the block is damaged. The clip has two frames or more. */
bool emberi_lean_locate(lean_place *out, const ember_lean_clip *clip, uint32_t frame, uint32_t fraction);

/* A block's templates, or NULL if it is damaged. */
const uint8_t *emberi_lean_block(const lean_opened *opened, uint32_t index);

/* ---- rigs ---- */

/* One bone of a rig as numbers. */
typedef struct lean_bone {
    float base[4], turn[4]; /* A and C */
    float position[3], scale[3];
} lean_bone;
void emberi_lean_bone(lean_bone *out, const ember_lean_rig *rig, uint32_t bone);

#endif
