/* SPDX-License-Identifier: MIT */
/* Kernels on poses, over the lane vocabulary: decoding, blending, additive layers. Included once per
   instruction set by kernels_all.inl.

   A block is LANES_WIDTH bones. Only rotations are turned into lanes, as their parts depend on each other;
   position and scale go through element by element. A block's rotations are loaded before its first store, so
   that the output may be an input. */

/* ---- rotations in lanes: x, y, z, w; see also kernels_quat.inl ---- */

/* First b, then a. */
EMBERI_INLINE void quat_mul(lanes out[4], const lanes a[4], const lanes b[4])
{
    out[0] = lanes_add(lanes_add(lanes_mul(a[3], b[0]), lanes_mul(a[0], b[3])),
                       lanes_sub(lanes_mul(a[1], b[2]), lanes_mul(a[2], b[1])));
    out[1] = lanes_add(lanes_add(lanes_mul(a[3], b[1]), lanes_mul(a[1], b[3])),
                       lanes_sub(lanes_mul(a[2], b[0]), lanes_mul(a[0], b[2])));
    out[2] = lanes_add(lanes_add(lanes_mul(a[3], b[2]), lanes_mul(a[2], b[3])),
                       lanes_sub(lanes_mul(a[0], b[1]), lanes_mul(a[1], b[0])));
    out[3] = lanes_sub(lanes_sub(lanes_mul(a[3], b[3]), lanes_mul(a[0], b[0])),
                       lanes_add(lanes_mul(a[1], b[1]), lanes_mul(a[2], b[2])));
}

EMBERI_INLINE lanes quat_expand(lanes_bits code)
{
    lanes scaled = lanes_sub(lanes_mul(lanes_bits_number(code), lanes_set(1.0f / 511.5f)), lanes_set(1.0f));
    return lanes_mul(scaled, lanes_set(0.70710678118654752f));
}

/* Smallest-three in 32 bits, by the arithmetic of ember_quat32_decode. */
EMBERI_INLINE void quat_unpack(lanes out[4], lanes_bits packed)
{
    lanes a = quat_expand(lanes_bits_right(packed, 22));
    lanes b = quat_expand(lanes_bits_and(lanes_bits_right(packed, 12), 0x3ff));
    lanes c = quat_expand(lanes_bits_and(lanes_bits_right(packed, 2), 0x3ff));
    lanes left =
        lanes_sub(lanes_sub(lanes_sub(lanes_set(1.0f), lanes_mul(a, a)), lanes_mul(b, b)), lanes_mul(c, c));
    lanes largest = lanes_sqrt(lanes_max(left, lanes_set(0.0f)));

    /* The two bits of the index, each moved to bit 31, choose: 0 labc, 1 albc, 2 ablc, 3 abcl. */
    lanes_bits high = lanes_bits_left(packed, 30), low = lanes_bits_left(packed, 31);
    out[0] = lanes_select(lanes_select(largest, a, low), a, high);
    out[1] = lanes_select(lanes_select(a, largest, low), b, high);
    out[2] = lanes_select(b, lanes_select(largest, c, low), high);
    out[3] = lanes_select(c, lanes_select(c, largest, low), high);
}

/* ---- blocks ---- */

#define BONE_FLOATS 10u
#define RECORD_SIZE 16u

/* Runs `statement` for whole blocks, where `in_block` is a constant and the tests for short ones fold away,
   then for the rest; `first` is the block's first bone. */
#define FOR_BLOCKS(count, statement)                                   \
    do {                                                               \
        size_t first = 0;                                              \
        for (; first + LANES_WIDTH <= (count); first += LANES_WIDTH) { \
            const size_t in_block = LANES_WIDTH;                       \
            statement;                                                 \
        }                                                              \
        if (LANES_WIDTH > 1 && first < (count)) {                      \
            const size_t in_block = (count)-first;                     \
            statement;                                                 \
        }                                                              \
    } while (0)

/* The same for kernels that mix rotations: `statement` leaves a block's sums in `q`, and they are normalised
   and stored one block later. Root and division take so long that a processor would otherwise wait for them,
   as it cannot look ahead as far as the next block's end. */
#define FOR_MIXED_BLOCKS(out, count, statement)                              \
    do {                                                                     \
        lanes  q[4], held[4] = {lanes_set(0.0f)};                            \
        size_t first = 0;                                                    \
        for (; first + LANES_WIDTH <= (count); first += LANES_WIDTH) {       \
            const size_t in_block = LANES_WIDTH;                             \
            statement;                                                       \
            if (first != 0)                                                  \
                mixed_store((out) + first - LANES_WIDTH, held, in_block);    \
            mixed_hold(held, q);                                             \
        }                                                                    \
        if (LANES_WIDTH > 1 && first < (count)) {                            \
            const size_t in_block = (count)-first;                           \
            statement;                                                       \
            if (first != 0)                                                  \
                mixed_store((out) + first - LANES_WIDTH, held, LANES_WIDTH); \
            mixed_store((out) + first, q, in_block);                         \
        } else if (first != 0) {                                             \
            mixed_store((out) + first - LANES_WIDTH, held, LANES_WIDTH);     \
        }                                                                    \
    } while (0)

EMBERI_INLINE void mixed_hold(lanes held[4], const lanes q[4])
{
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        held[k] = q[k];
}

EMBERI_INLINE void mixed_store(ember_transform *out, lanes q[4], size_t in_block)
{
    quat_normalize(q);
    lanes_store4((float *)out, BONE_FLOATS, in_block, q);
}

/* Runs `statement` for each bone of a block; `k` is the bone. */
#define FOR_BONES(in_block, statement)           \
    do {                                         \
        LANES_UNROLL                             \
        for (size_t k = 0; k < LANES_WIDTH; k++) \
            if (k < (in_block)) {                \
                statement;                       \
            }                                    \
    } while (0)

/* ---- decoding ---- */

EMBERI_INLINE void decode_block(float *out, const uint8_t *frame, size_t in_block)
{
    lanes      q[4];
    lanes_bits packed = lanes_bits_heads(frame, in_block);
    FOR_BONES(in_block, six_store(out + BONE_FLOATS * k, six_decode(frame + RECORD_SIZE * k)));
    quat_unpack(q, packed);
    lanes_store4(out, BONE_FLOATS, in_block, q);
}

static void kernel_decode(ember_transform *out, const uint8_t *frame, size_t count)
{
    float *o = (float *)out;
    FOR_BLOCKS(count, decode_block(o + BONE_FLOATS * first, frame + RECORD_SIZE * first, in_block));
}

EMBERI_INLINE void decode_lerp_block(lanes q[4], float *out, const uint8_t *a, const uint8_t *b, float from,
                                     float to, size_t in_block)
{
    lanes qa[4], qb[4];
    six   six_from = six_set(from), six_to = six_set(to);
    quat_unpack(qa, lanes_bits_heads(a, in_block));
    quat_unpack(qb, lanes_bits_heads(b, in_block));
    FOR_BONES(in_block,
              six_store(out + BONE_FLOATS * k, six_add(six_mul(six_decode(a + RECORD_SIZE * k), six_from),
                                                       six_mul(six_decode(b + RECORD_SIZE * k), six_to))));
    quat_nlerp(q, qa, qb, lanes_set(from), lanes_set(to));
}

static void kernel_decode_lerp(ember_transform *out, const uint8_t *a, const uint8_t *b, float t,
                               size_t count)
{
    float *o = (float *)out;
    float  from = 1.0f - t;
    FOR_MIXED_BLOCKS(out, count,
                     decode_lerp_block(q, o + BONE_FLOATS * first, a + RECORD_SIZE * first,
                                       b + RECORD_SIZE * first, from, t, in_block));
}

/* ---- two poses ---- */

EMBERI_INLINE void quat_interpolate(lanes out[4], const lanes a[4], const lanes b[4], lanes from, lanes to,
                                    int slerp)
{
    if (slerp)
        quat_slerp(out, a, b, from, to);
    else
        quat_nlerp(out, a, b, from, to);
}

/* a*(1-t) + b*t rather than a + (b-a)*t: exact at both ends. */
EMBERI_INLINE void lerp_block(lanes q[4], float *out, const float *a, const float *b, float from, float to,
                              size_t in_block, int slerp)
{
    lanes qa[4], qb[4];
    six   six_from = six_set(from), six_to = six_set(to);
    lanes_load4(qa, a, BONE_FLOATS, in_block);
    lanes_load4(qb, b, BONE_FLOATS, in_block);
    FOR_BONES(in_block,
              six_store(out + BONE_FLOATS * k, six_add(six_mul(six_load(a + BONE_FLOATS * k), six_from),
                                                       six_mul(six_load(b + BONE_FLOATS * k), six_to))));
    quat_interpolate(q, qa, qb, lanes_set(from), lanes_set(to), slerp);
}

EMBERI_INLINE void lerp_each_block(lanes q[4], float *out, const float *a, const float *b,
                                   const float *weights, size_t in_block, int slerp)
{
    lanes qa[4], qb[4];
    float each_from[LANES_WIDTH];
    lanes to = lanes_load_some(weights, in_block), from = lanes_sub(lanes_set(1.0f), to);
    lanes_store(each_from, from);
    lanes_load4(qa, a, BONE_FLOATS, in_block);
    lanes_load4(qb, b, BONE_FLOATS, in_block);
    FOR_BONES(in_block, six_store(out + BONE_FLOATS * k,
                                  six_add(six_mul(six_load(a + BONE_FLOATS * k), six_set(each_from[k])),
                                          six_mul(six_load(b + BONE_FLOATS * k), six_set(weights[k])))));
    quat_interpolate(q, qa, qb, from, to, slerp);
}

EMBERI_INLINE void lerp_pose(ember_transform *out, const ember_transform *a, const ember_transform *b,
                             float t, size_t count, int slerp)
{
    float       *o = (float *)out;
    const float *pa = (const float *)a, *pb = (const float *)b;
    float        from = 1.0f - t;
    FOR_MIXED_BLOCKS(out, count,
                     lerp_block(q, o + BONE_FLOATS * first, pa + BONE_FLOATS * first,
                                pb + BONE_FLOATS * first, from, t, in_block, slerp));
}

EMBERI_INLINE void lerp_pose_each(ember_transform *out, const ember_transform *a, const ember_transform *b,
                                  const float *weights, size_t count, int slerp)
{
    float       *o = (float *)out;
    const float *pa = (const float *)a, *pb = (const float *)b;
    FOR_MIXED_BLOCKS(out, count,
                     lerp_each_block(q, o + BONE_FLOATS * first, pa + BONE_FLOATS * first,
                                     pb + BONE_FLOATS * first, weights + first, in_block, slerp));
}

static void kernel_lerp(ember_transform *out, const ember_transform *a, const ember_transform *b, float t,
                        size_t count)
{
    lerp_pose(out, a, b, t, count, 0);
}

static void kernel_lerp_each(ember_transform *out, const ember_transform *a, const ember_transform *b,
                             const float *weights, size_t count)
{
    lerp_pose_each(out, a, b, weights, count, 0);
}

static void kernel_slerp(ember_transform *out, const ember_transform *a, const ember_transform *b, float t,
                         size_t count)
{
    lerp_pose(out, a, b, t, count, 1);
}

static void kernel_slerp_each(ember_transform *out, const ember_transform *a, const ember_transform *b,
                              const float *weights, size_t count)
{
    lerp_pose_each(out, a, b, weights, count, 1);
}

/* ---- additive layers ---- */

EMBERI_INLINE six additive_difference(const float *pose, const float *reference)
{
    six p = six_load(pose), r = six_load(reference);
    return six_join(six_sub(p, r), six_quotient(p, r));
}

EMBERI_INLINE void additive_make_block(lanes q[4], float *out, const float *pose, const float *reference,
                                       size_t in_block)
{
    lanes qp[4], qr[4];
    lanes_load4(qp, pose, BONE_FLOATS, in_block);
    lanes_load4(qr, reference, BONE_FLOATS, in_block);
    LANES_UNROLL
    for (int k = 0; k < 3; k++)
        qr[k] = lanes_flip(qr[k], lanes_set(-0.0f)); /* the conjugate */
    FOR_BONES(in_block, six_store(out + BONE_FLOATS * k,
                                  additive_difference(pose + BONE_FLOATS * k, reference + BONE_FLOATS * k)));
    quat_mul(q, qp, qr);
}

static void kernel_additive_make(ember_transform *out, const ember_transform *pose,
                                 const ember_transform *reference, size_t count)
{
    FOR_MIXED_BLOCKS(out, count,
                     additive_make_block(q, (float *)(out + first), (const float *)(pose + first),
                                         (const float *)(reference + first), in_block));
}

/* nlerp(identity, delta, weight) * base, not normalised: once at the end does for both steps. */
EMBERI_INLINE void additive_rotation(lanes out[4], const lanes base[4], const lanes delta[4], lanes rest,
                                     lanes weight)
{
    lanes turned = lanes_flip(weight, delta[3]);
    lanes part[4] = {lanes_mul(delta[0], turned), lanes_mul(delta[1], turned), lanes_mul(delta[2], turned),
                     lanes_add(rest, lanes_mul(delta[3], turned))};
    quat_mul(out, part, base);
}

/* base*1 + delta*weight for the position and base*(rest + delta*weight) + -0 for the scale: one
   multiplication and one addition for both, as 1 and -0 change nothing. */
EMBERI_INLINE six additive_six(const float *base, const float *delta, six rest, six weight)
{
    six part = six_mul(six_load(delta), weight);
    six factor = six_join(six_set(1.0f), six_add(part, rest));
    return six_add(six_mul(six_load(base), factor), six_join(part, six_set(-0.0f)));
}

EMBERI_INLINE void additive_block(lanes q[4], float *out, const float *base, const float *delta, float weight,
                                  size_t in_block)
{
    lanes qb[4], qd[4];
    float rest = 1.0f - weight;
    six   six_weight = six_set(weight), six_rest = six_set(rest);
    lanes_load4(qb, base, BONE_FLOATS, in_block);
    lanes_load4(qd, delta, BONE_FLOATS, in_block);
    FOR_BONES(in_block,
              six_store(out + BONE_FLOATS * k,
                        additive_six(base + BONE_FLOATS * k, delta + BONE_FLOATS * k, six_rest, six_weight)));
    additive_rotation(q, qb, qd, lanes_set(rest), lanes_set(weight));
}

static void kernel_additive(ember_transform *out, const ember_transform *base, const ember_transform *delta,
                            float weight, size_t count)
{
    FOR_MIXED_BLOCKS(out, count,
                     additive_block(q, (float *)(out + first), (const float *)(base + first),
                                    (const float *)(delta + first), weight, in_block));
}

EMBERI_INLINE void additive_masked_block(lanes q[4], float *out, const float *base, const float *delta,
                                         float weight, const float *mask, size_t in_block)
{
    lanes qb[4], qd[4];
    float each_weight[LANES_WIDTH], each_rest[LANES_WIDTH];
    lanes weights = lanes_mul(lanes_set(weight), lanes_load_some(mask, in_block)),
          rest = lanes_sub(lanes_set(1.0f), weights);
    lanes_store(each_weight, weights);
    lanes_store(each_rest, rest);
    lanes_load4(qb, base, BONE_FLOATS, in_block);
    lanes_load4(qd, delta, BONE_FLOATS, in_block);
    FOR_BONES(in_block,
              six_store(out + BONE_FLOATS * k, additive_six(base + BONE_FLOATS * k, delta + BONE_FLOATS * k,
                                                            six_set(each_rest[k]), six_set(each_weight[k]))));
    additive_rotation(q, qb, qd, rest, weights);
}

static void kernel_additive_masked(ember_transform *out, const ember_transform *base,
                                   const ember_transform *delta, float weight, const float *mask,
                                   size_t count)
{
    FOR_MIXED_BLOCKS(out, count,
                     additive_masked_block(q, (float *)(out + first), (const float *)(base + first),
                                           (const float *)(delta + first), weight, mask + first, in_block));
}
