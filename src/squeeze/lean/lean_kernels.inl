/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips, over the words of lean_lanes.h. A file that includes this has defined one of the
   sets of base/lanes/lanes.h, LEAN_KERNELS for the name of the table, and LEAN_NAME. */
#include "squeeze/lean/lean_lanes.h"

/* ---- coefficients ---- */

/* The frame behind a place, or its own at the block's end. */
EMBERI_INLINE uint32_t lean_next(const lean_place *place)
{
    return place->at + (place->at < place->steps ? 1u : 0u);
}

/* The weights of two frames, or of one twice. */
typedef struct lean_weights {
    wide a[2], b[2];
} lean_weights;

EMBERI_INLINE lean_weights lean_weights_make(const lean_place *place)
{
    const int16_t(*sines)[16] = emberi_lean_sines[place->steps];
    const int16_t *a = sines[place->at], *b = sines[lean_next(place)];
    return (lean_weights){{wide_load(a), wide_load(a + 8)}, {wide_load(b), wide_load(b + 8)}};
}

EMBERI_INLINE wide lean_series(const lean_template *t, const uint8_t *bits, uint64_t at, uint32_t half)
{
    const uint64_t low = lean_spread(bits, half == 0 ? at : at + t->start[2 * half], t, 2 * half);
    const uint64_t high = lean_spread(bits, at + t->start[2 * half + 1], t, 2 * half + 1);
    return wide_sub(wide_make(low, high), wide_load(t->bias + 8 * half));
}

EMBERI_INLINE void lean_dots(sums *a, sums *b, const lean_template *t, const uint8_t *bits, uint64_t at,
                             const lean_weights *weights)
{
    const wide low = lean_series(t, bits, at, 0);
    *a = wide_products(low, weights->a[0]);
    *b = wide_products(low, weights->b[0]);
    if (t->quarters > 2) {
        const wide high = lean_series(t, bits, at, 1);
        *a = sums_add(*a, wide_products(high, weights->a[1]));
        *b = sums_add(*b, wide_products(high, weights->b[1]));
    }
}

EMBERI_INLINE void lean_scatter(int32_t *sum, const uint8_t *slots, const int32_t *four)
{
    sum[slots[0]] = four[0];
    sum[slots[1]] = four[1];
    sum[slots[2]] = four[2];
    sum[slots[3]] = four[3];
}

/* One store after another: compilers make a slow loop of memset. */
EMBERI_INLINE void lean_clear(int32_t *sum)
{
    LANES_UNROLL
    for (uint32_t i = 0; i < LEAN_NO_SLOT; i += 4)
        sums_clear(sum + i);
}

/* Both frames' sums of one group; returns the bit where the next group's begin. */
EMBERI_INLINE uint64_t lean_sums(int32_t *sum_a, int32_t *sum_b, const lean_opened *opened,
                                 const lean_group *g, const uint8_t *block, const uint8_t *slots, uint64_t at,
                                 const lean_weights *weights)
{
    const uint8_t *ids = block + g->active_first, *bits = block + opened->active_count;
    lean_clear(sum_a);
    lean_clear(sum_b);
    for (uint32_t i = 0; i < g->active_count; i += 4) {
        sums    a[4], b[4];
        int32_t four[4];
        LANES_UNROLL
        for (uint32_t k = 0; k < 4; k++) {
            const lean_template *t = &opened->templates[i + k < g->active_count ? ids[i + k] : 0];
            lean_dots(&a[k], &b[k], t, bits, at, weights);
            at += t->bits;
        }
        sums_store(four, a[0], a[1], a[2], a[3]);
        lean_scatter(sum_a, slots + i, four);
        sums_store(four, b[0], b[1], b[2], b[3]);
        lean_scatter(sum_b, slots + i, four);
    }
    return at;
}

/* ---- values ---- */

/* The numbers that all groups of a frame share. */
typedef struct lean_mixing {
    lanes along; /* the frame's place between the keys, 0..1 */
    lanes norm;
} lean_mixing;

EMBERI_INLINE lanes lean_value(lanes value, lanes difference, const int32_t *sum, lanes step,
                               const lean_mixing *mixing)
{
    const lanes key_step = lanes_mul(step, lanes_set(LEAN_KEY_STEP));
    const lanes line = lanes_mul(key_step, lanes_add(value, lanes_mul(difference, mixing->along)));
    return lanes_add(line, lanes_mul(lanes_mul(step, mixing->norm), lean_numbers(sum)));
}

/* tan(angle / 4) * axis to a unit quaternion. */
EMBERI_INLINE void lean_relative(lanes q[4])
{
    const lanes one = lanes_set(1.0f);
    const lanes s = lanes_add(lanes_add(lanes_mul(q[0], q[0]), lanes_mul(q[1], q[1])), lanes_mul(q[2], q[2]));
    const lanes inverse = lanes_div(one, lanes_add(one, s));
    q[0] = lanes_mul(lanes_add(q[0], q[0]), inverse);
    q[1] = lanes_mul(lanes_add(q[1], q[1]), inverse);
    q[2] = lanes_mul(lanes_add(q[2], q[2]), inverse);
    q[3] = lanes_mul(lanes_sub(one, s), inverse);
}

EMBERI_INLINE void lean_product(lanes out[4], const lanes a[4], const lanes b[4])
{
    out[0] =
        lanes_sub(lanes_add(lanes_add(lanes_mul(a[3], b[0]), lanes_mul(a[0], b[3])), lanes_mul(a[1], b[2])),
                  lanes_mul(a[2], b[1]));
    out[1] =
        lanes_add(lanes_add(lanes_sub(lanes_mul(a[3], b[1]), lanes_mul(a[0], b[2])), lanes_mul(a[1], b[3])),
                  lanes_mul(a[2], b[0]));
    out[2] =
        lanes_add(lanes_sub(lanes_add(lanes_mul(a[3], b[2]), lanes_mul(a[0], b[1])), lanes_mul(a[1], b[0])),
                  lanes_mul(a[2], b[3]));
    out[3] =
        lanes_sub(lanes_sub(lanes_sub(lanes_mul(a[3], b[3]), lanes_mul(a[0], b[0])), lanes_mul(a[1], b[1])),
                  lanes_mul(a[2], b[2]));
}

EMBERI_INLINE lanes lean_dot(const lanes a[4], const lanes b[4])
{
    return lanes_add(lanes_add(lanes_add(lanes_mul(a[0], b[0]), lanes_mul(a[1], b[1])),
                               lanes_mul(a[2], b[2])),
                     lanes_mul(a[3], b[3]));
}

EMBERI_INLINE void lean_load4(lanes out[4], const float in[4][LEAN_LANES], uint32_t lane)
{
    LANES_UNROLL
    for (uint32_t k = 0; k < 4; k++)
        out[k] = lean_load(in[k] + lane);
}

/* Where the values belong: rotations as A * r * C with length 1, or identity where there is no length; the
   others added to rest. */
EMBERI_INLINE void lean_finish(ember_transform *out, const lean_group *g, uint32_t which, uint32_t lane,
                               const lanes r[4])
{
    lanes base[4], turn[4], q[4];
    lean_load4(base, g->base, lane);
    if (which <= LEAN_ROTATION4) {
        const lanes least = lanes_set(LEAN_LEAST_NORM), none = lanes_set(0.0f), one = lanes_set(1.0f);
        lean_load4(turn, g->turn, lane);
        lean_product(q, base, r);
        lean_product(q, (const lanes[4]){q[0], q[1], q[2], q[3]}, turn);
        const lanes      length = lean_dot(q, q);
        const lanes      inverse = lanes_div(one, lanes_sqrt(lanes_max(length, least)));
        const lanes_bits some = lanes_positive(lanes_sub(length, least));
        LANES_UNROLL
        for (uint32_t k = 0; k < 4; k++)
            q[k] = lanes_select(k < 3 ? none : one, lanes_mul(q[k], inverse), some);
        lean_store_rotations(out, g->bone + lane, q);
    } else {
        LANES_UNROLL
        for (uint32_t k = 0; k < 3; k++)
            q[k] = lanes_add(r[k], base[k]);
        q[3] = q[2];
        lean_store_triples(which == LEAN_POSITION ? &out->position.x : &out->scale.x, g->bone + lane, q);
    }
}

/* From a to b, on b's near side if asked for. */
EMBERI_INLINE void lean_between(lanes out[4], const lanes a[4], const lanes b[4], lanes t, bool near)
{
    const lanes side = near ? lean_dot(a, b) : lanes_set(0.0f);
    LANES_UNROLL
    for (uint32_t k = 0; k < 4; k++)
        out[k] = lanes_add(a[k], lanes_mul(lanes_sub(lanes_flip(b[k], side), a[k]), t));
}

EMBERI_INLINE uint32_t lean_components(uint32_t which) { return which == LEAN_ROTATION4 ? 4 : 3; }

/* Calls a function with the group's class as a constant, so that its loops unroll. */
#define LEAN_BY_CLASS(g, call)               \
    do {                                     \
        switch ((g)->which) {                \
        case LEAN_ROTATION3: {               \
            enum { WHICH = LEAN_ROTATION3 }; \
            call;                            \
            break;                           \
        }                                    \
        case LEAN_ROTATION4: {               \
            enum { WHICH = LEAN_ROTATION4 }; \
            call;                            \
            break;                           \
        }                                    \
        case LEAN_POSITION: {                \
            enum { WHICH = LEAN_POSITION };  \
            call;                            \
            break;                           \
        }                                    \
        default: {                           \
            enum { WHICH = LEAN_SCALE };     \
            call;                            \
            break;                           \
        }                                    \
        }                                    \
    } while (0)

/* The last lanes that are used come first: the first lane's bone is stored last. */
#define LEAN_EACH_LANE(lane, g)                                                       \
    for (uint32_t lane = ((g)->count - 1u) / LANES_WIDTH * LANES_WIDTH + LANES_WIDTH; \
         (lane) != 0 && ((lane) -= LANES_WIDTH, true);)

EMBERI_INLINE void lean_pose_group(ember_transform *out, const lean_group *g, uint32_t which,
                                   const int32_t *sum_a, const int32_t *sum_b, const lean_place *place,
                                   const lean_mixing mixing[2], lanes t)
{
    const uint32_t components = lean_components(which);
    LEAN_EACH_LANE(lane, g)
    {
        const lanes step = lean_load(g->step + lane);
        lanes       a[4], b[4];
        a[3] = b[3] = lanes_set(1.0f);
        LANES_UNROLL
        for (uint32_t k = 0; k < components; k++) {
            lanes value, difference;
            lean_keys(&value, &difference, g, k, lane, place->key_a, place->key_b);
            a[k] = lean_value(value, difference, sum_a + 8 * k + lane, step, &mixing[0]);
            b[k] = lean_value(value, difference, sum_b + 8 * k + lane, step, &mixing[1]);
        }
        if (which == LEAN_ROTATION3) {
            lean_relative(a);
            lean_relative(b);
        }
        lean_between(a, (const lanes[4]){a[0], a[1], a[2], a[3]}, b, t,
                     place->wraps && which <= LEAN_ROTATION4);
        lean_finish(out, g, which, lane, a);
    }
}

EMBERI_INLINE lean_mixing lean_mixing_make(const lean_place *place, uint32_t at)
{
    return (lean_mixing){lanes_set((float)at / (float)place->steps),
                         lanes_set(emberi_lean_norms[place->steps])};
}

/* ---- the table ---- */

/* Sums are stored one by one and loaded as lanes, which waits until the stores are through. So the sums of
   the next group come before the values of this one. */
static void lean_pose(ember_transform *out, const lean_opened *opened, const lean_place *place, float t,
                      uint32_t bone_count)
{
    const lean_weights   weights = lean_weights_make(place);
    const lean_mixing    mixing[2] = {lean_mixing_make(place, place->at),
                                      lean_mixing_make(place, lean_next(place))};
    const uint8_t       *slots = opened->slots;
    _Alignas(32) int32_t sum[2][2][LEAN_SLOTS];
    uint64_t             at = 0;
    lean_copy(out, opened->still, bone_count);
    for (uint32_t i = 0; i <= opened->group_count; i++) {
        if (i < opened->group_count) {
            const lean_group *g = &opened->groups[i];
            if (place->block == NULL) {
                lean_clear(sum[i & 1u][0]);
                lean_clear(sum[i & 1u][1]);
            } else
                at = lean_sums(sum[i & 1u][0], sum[i & 1u][1], opened, g, place->block, slots, at, &weights);
            slots += lean_slots(g->active_count);
        }
        if (i > 0) {
            const lean_group *g = &opened->groups[i - 1];
            const int32_t    *sum_a = sum[~i & 1u][0], *sum_b = sum[~i & 1u][1];
            LEAN_BY_CLASS(g, lean_pose_group(out, g, WHICH, sum_a, sum_b, place, mixing, lanes_set(t)));
        }
    }
}

static void lean_unpack(int16_t *series, float *keys, const lean_opened *opened, const lean_place *place)
{
    const uint8_t *bits = place->block + opened->active_count;
    uint64_t       at = 0;
    for (uint32_t i = 0; i < opened->group_count; i++, keys += LEAN_GROUP_KEYS) {
        const lean_group *g = &opened->groups[i];
        for (uint32_t k = 0; k < lean_slots(g->active_count); k++, series += 16) {
            const lean_template *t =
                &opened->templates[k < g->active_count ? place->block[g->active_first + k] : 0];
            wide_store(series, lean_series(t, bits, at, 0));
            wide_store(series + 8, lean_series(t, bits, at, 1));
            at += t->bits;
        }
        for (uint32_t k = 0; k < lean_components(g->which); k++)
            for (uint32_t lane = 0; lane < LEAN_LANES; lane += LANES_WIDTH) {
                lanes value, difference;
                lean_keys(&value, &difference, g, k, lane, place->key_a, place->key_b);
                lanes_store(keys + 16 * k + lane, value);
                lanes_store(keys + 16 * k + 8 + lane, difference);
            }
    }
}

EMBERI_INLINE void lean_frame_group(float *out, const lean_group *g, uint32_t which, const int32_t *sum,
                                    const float *keys, const lean_mixing *mixing)
{
    LEAN_EACH_LANE(lane, g)
    {
        const lanes step = lean_load(g->step + lane);
        lanes       r[4];
        r[3] = lanes_set(1.0f);
        LANES_UNROLL
        for (uint32_t k = 0; k < lean_components(which); k++)
            r[k] = lean_value(lean_load(keys + 16 * k + lane), lean_load(keys + 16 * k + 8 + lane),
                              sum + 8 * k + lane, step, mixing);
        if (which == LEAN_ROTATION3)
            lean_relative(r);
        LANES_UNROLL
        for (uint32_t k = 0; k < 4; k++)
            lanes_store(out + 8 * k + lane, r[k]);
    }
}

/* The sums of one group at one frame. */
EMBERI_INLINE void lean_frame_sums(int32_t *sum, const lean_group *g, const int16_t *series,
                                   const uint8_t *slots, const lean_weights *weights)
{
    lean_clear(sum);
    for (uint32_t k = 0; k < g->active_count; k += 4, slots += 4, series += 64) {
        sums    each[4];
        int32_t four[4];
        LANES_UNROLL
        for (uint32_t j = 0; j < 4; j++)
            each[j] = sums_add(wide_products(wide_load(series + 16 * j), weights->a[0]),
                               wide_products(wide_load(series + 16 * j + 8), weights->a[1]));
        sums_store(four, each[0], each[1], each[2], each[3]);
        lean_scatter(sum, slots, four);
    }
}

/* One group's sums ahead, as in lean_pose. */
static void lean_frame(float *out, const lean_opened *opened, const int16_t *series, const float *keys,
                       const lean_place *place)
{
    const lean_weights   weights = lean_weights_make(place);
    const lean_mixing    mixing = lean_mixing_make(place, place->at);
    const uint8_t       *slots = opened->slots;
    _Alignas(32) int32_t sum[2][LEAN_SLOTS];
    for (uint32_t i = 0; i <= opened->group_count; i++) {
        if (i < opened->group_count) {
            const lean_group *g = &opened->groups[i];
            lean_frame_sums(sum[i & 1u], g, series, slots, &weights);
            slots += lean_slots(g->active_count);
            series += 16 * (size_t)lean_slots(g->active_count);
        }
        if (i > 0) {
            const lean_group *g = &opened->groups[i - 1];
            LEAN_BY_CLASS(g, lean_frame_group(out, g, WHICH, sum[~i & 1u], keys, &mixing));
            keys += LEAN_GROUP_KEYS;
            out += LEAN_GROUP_FRAME;
        }
    }
}

EMBERI_INLINE void lean_mix_group(ember_transform *out, const lean_group *g, uint32_t which, const float *a,
                                  const float *b, lanes t, bool wraps)
{
    LEAN_EACH_LANE(lane, g)
    {
        lanes from[4], to[4], r[4];
        LANES_UNROLL
        for (uint32_t k = 0; k < 4; k++) {
            from[k] = lean_load(a + 8 * k + lane);
            to[k] = lean_load(b + 8 * k + lane);
        }
        lean_between(r, from, to, t, wraps && which <= LEAN_ROTATION4);
        lean_finish(out, g, which, lane, r);
    }
}

static void lean_mix(ember_transform *out, const lean_opened *opened, const float *a, const float *b, float t,
                     bool wraps, uint32_t bone_count)
{
    lean_copy(out, opened->still, bone_count);
    for (uint32_t i = 0; i < opened->group_count; i++, a += LEAN_GROUP_FRAME, b += LEAN_GROUP_FRAME) {
        const lean_group *g = &opened->groups[i];
        LEAN_BY_CLASS(g, lean_mix_group(out, g, WHICH, a, b, lanes_set(t), wraps));
    }
}

static void lean_still(ember_transform *out, const lean_group *g)
{
    LEAN_EACH_LANE(lane, g)
    {
        lanes r[4];
        r[3] = lanes_set(1.0f);
        LANES_UNROLL
        for (uint32_t k = 0; k < 3; k++)
            r[k] = lanes_mul(lanes_mul(lean_load(g->step + lane), lanes_set(LEAN_KEY_STEP)),
                             lean_numbers(g->min[k] + lane));
        if (g->which == LEAN_ROTATION3)
            lean_relative(r);
        lean_finish(out, g, g->which, lane, r);
    }
}

const lean_kernels LEAN_KERNELS = {LEAN_NAME, lean_pose, lean_unpack, lean_frame, lean_mix, lean_still};
