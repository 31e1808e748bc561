/* SPDX-License-Identifier: MIT */
/* Kernels that blend any number of poses, over the lane vocabulary and the blocks of kernels_pose.inl.
   Included once per instruction set by kernels_all.inl. */

/* The sign that brings b to the running sum's side. A sum of zero has no side: + 0 makes its -0 a +0, and b
   stays as it is. */
EMBERI_INLINE lanes blend_side(const lanes sum[4], const lanes b[4])
{
    return lanes_add(quat_dot(sum, b), lanes_set(0.0f));
}

/* A layer that has a weight, and its share of the sum of all weights. */
typedef struct blend_part {
    const float *pose;
    float        share;
} blend_part;

EMBERI_INLINE six blend_six(const blend_part *part, size_t at)
{
    return six_mul(six_load(part->pose + at), six_set(part->share));
}

/* Few layers: `part_count` is a constant of each call, and what is known once is out of the loop. */
EMBERI_INLINE void blend_few_block(lanes sum[4], float *out, const blend_part *parts, size_t part_count,
                                   size_t first, size_t in_block)
{
    lanes        q[4];
    const size_t at = BONE_FLOATS * first;
    lanes_load4(sum, parts[0].pose + at, BONE_FLOATS, in_block);
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        sum[k] = lanes_mul(sum[k], lanes_set(parts[0].share));
    LANES_UNROLL
    for (size_t i = 1; i < part_count; i++) {
        lanes_load4(q, parts[i].pose + at, BONE_FLOATS, in_block);
        lanes turned = lanes_flip(lanes_set(parts[i].share), blend_side(sum, q));
        LANES_UNROLL
        for (int k = 0; k < 4; k++)
            sum[k] = lanes_add(sum[k], lanes_mul(q[k], turned));
    }
    LANES_UNROLL
    for (size_t k = 0; k < LANES_WIDTH; k++)
        if (k < in_block) {
            six sums = blend_six(&parts[0], at + BONE_FLOATS * k);
            LANES_UNROLL
            for (size_t i = 1; i < part_count; i++)
                sums = six_add(sums, blend_six(&parts[i], at + BONE_FLOATS * k));
            six_store(out + at + BONE_FLOATS * k, sums);
        }
}

/* Any number of layers, of which the first has a weight. */
EMBERI_INLINE void blend_many_block(lanes sum[4], float *out, const ember_blend_layer *layers,
                                    size_t layer_count, float total, size_t first, size_t in_block)
{
    lanes        q[4];
    six          sums[LANES_WIDTH];
    const float *pose = (const float *)(layers[0].pose + first);
    float        share = layers[0].weight / total;
    lanes_load4(sum, pose, BONE_FLOATS, in_block);
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        sum[k] = lanes_mul(sum[k], lanes_set(share));
    LANES_UNROLL
    for (size_t k = 0; k < LANES_WIDTH; k++)
        sums[k] = six_mul(six_load(pose + BONE_FLOATS * LANES_CLAMP(k, in_block)), six_set(share));
    for (size_t i = 1; i < layer_count; i++) {
        if (layers[i].weight == 0.0f)
            continue;
        pose = (const float *)(layers[i].pose + first);
        share = layers[i].weight / total;
        lanes_load4(q, pose, BONE_FLOATS, in_block);
        lanes turned = lanes_flip(lanes_set(share), blend_side(sum, q));
        LANES_UNROLL
        for (int k = 0; k < 4; k++)
            sum[k] = lanes_add(sum[k], lanes_mul(q[k], turned));
        LANES_UNROLL
        for (size_t k = 0; k < LANES_WIDTH; k++)
            sums[k] = six_add(sums[k], six_mul(six_load(pose + BONE_FLOATS * LANES_CLAMP(k, in_block)),
                                               six_set(share)));
    }
    FOR_BONES(in_block, six_store(out + BONE_FLOATS * k, sums[k]));
}

/* A layer's number is a constant here, so that the parts need no memory, which the poses might overlap as far
   as the compiler knows. */
EMBERI_INLINE blend_part blend_part_of(const ember_blend_layer *layer, float total)
{
    return (blend_part){(const float *)layer->pose, layer->weight / total};
}

static void blend_two(ember_transform *out, const ember_blend_layer *layers, float total, size_t count)
{
    const blend_part parts[2] = {blend_part_of(&layers[0], total), blend_part_of(&layers[1], total)};
    FOR_MIXED_BLOCKS(out, count, blend_few_block(q, (float *)out, parts, 2, first, in_block));
}

static void blend_three(ember_transform *out, const ember_blend_layer *layers, float total, size_t count)
{
    const blend_part parts[3] = {blend_part_of(&layers[0], total), blend_part_of(&layers[1], total),
                                 blend_part_of(&layers[2], total)};
    FOR_MIXED_BLOCKS(out, count, blend_few_block(q, (float *)out, parts, 3, first, in_block));
}

static void blend_four(ember_transform *out, const ember_blend_layer *layers, float total, size_t count)
{
    const blend_part parts[4] = {blend_part_of(&layers[0], total), blend_part_of(&layers[1], total),
                                 blend_part_of(&layers[2], total), blend_part_of(&layers[3], total)};
    FOR_MIXED_BLOCKS(out, count, blend_few_block(q, (float *)out, parts, 4, first, in_block));
}

static void blend_many(ember_transform *out, const ember_blend_layer *layers, size_t layer_count, float total,
                       size_t count)
{
    FOR_MIXED_BLOCKS(out, count,
                     blend_many_block(q, (float *)(out + first), layers, layer_count, total, first,
                                      in_block));
}

static void kernel_blend(ember_transform *out, const ember_blend_layer *layers, size_t layer_count,
                         float total, size_t count)
{
    bool all = true; /* have a weight */
    for (; layers[0].weight == 0.0f; layers++)
        layer_count--;
    for (size_t i = 1; i < layer_count; i++)
        all = all && layers[i].weight != 0.0f;
    if (all && layer_count == 2)
        blend_two(out, layers, total, count);
    else if (all && layer_count == 3)
        blend_three(out, layers, total, count);
    else if (all && layer_count == 4)
        blend_four(out, layers, total, count);
    else
        blend_many(out, layers, layer_count, total, count);
}

EMBERI_INLINE lanes blend_weights(const ember_blend_layer *layer, size_t first, size_t in_block)
{
    lanes weight = lanes_set(layer->weight);
    return layer->mask != NULL ? lanes_mul(weight, lanes_load_some(layer->mask + first, in_block)) : weight;
}

/* What a layer holds where it has no weight does not count, even if it is no number. Sums start from -0,
   which an addition leaves as if it were not there. */
EMBERI_INLINE void blend_masked_rotation(lanes sum[4], const float *pose, lanes share, size_t in_block)
{
    lanes q[4];
    lanes_load4(q, pose, BONE_FLOATS, in_block);
    lanes turned = lanes_flip(share, blend_side(sum, q));
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        sum[k] = lanes_add(sum[k], lanes_where_positive(lanes_mul(q[k], turned), share));
}

EMBERI_INLINE six blend_masked_six(six sums, const float *pose, float share)
{
    six factor = six_set(share);
    return six_add(sums, six_where_positive(six_mul(six_load(pose), factor), factor));
}

/* What all sums start from, and the sum of the bones' weights. */
EMBERI_INLINE lanes blend_masked_begin(lanes sum[4], const ember_blend_layer *layers, size_t layer_count,
                                       size_t first, size_t in_block)
{
    lanes total = lanes_set(-0.0f);
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        sum[k] = lanes_set(-0.0f);
    for (size_t i = 0; i < layer_count; i++)
        total = lanes_add(total, blend_weights(&layers[i], first, in_block));
    return total;
}

/* The fallback's rotations, where there is no weight, are not normalised. */
EMBERI_INLINE void blend_masked_end(float *out, lanes sum[4], lanes fallback[4], lanes total, size_t in_block)
{
    quat_normalize(sum);
    LANES_UNROLL
    for (int k = 0; k < 4; k++)
        fallback[k] = lanes_select(fallback[k], sum[k], lanes_positive(total));
    lanes_store4(out, BONE_FLOATS, in_block, fallback);
}

/* Few layers: `layer_count` is a constant of each call, at most 4. */
EMBERI_INLINE void blend_masked_few_block(float *out, const ember_blend_layer *layers, size_t layer_count,
                                          const float *fallback, size_t first, size_t in_block)
{
    const size_t at = BONE_FLOATS * first;
    const float *poses[4] = {NULL};
    float        shares[4][LANES_WIDTH], each_total[LANES_WIDTH];
    lanes        sum[4], q[4], total = blend_masked_begin(sum, layers, layer_count, first, in_block);
    lanes_store(each_total, total);
    lanes_load4(q, fallback, BONE_FLOATS, in_block);
    LANES_UNROLL
    for (size_t i = 0; i < layer_count; i++) {
        lanes share = lanes_div(blend_weights(&layers[i], first, in_block), total);
        poses[i] = (const float *)layers[i].pose + at;
        lanes_store(shares[i], share);
        blend_masked_rotation(sum, poses[i], share, in_block);
    }
    LANES_UNROLL
    for (size_t k = 0; k < LANES_WIDTH; k++)
        if (k < in_block) {
            six sums = six_set(-0.0f);
            LANES_UNROLL
            for (size_t i = 0; i < layer_count; i++)
                sums = blend_masked_six(sums, poses[i] + BONE_FLOATS * k, shares[i][k]);
            six_store(out + BONE_FLOATS * k,
                      each_total[k] > 0.0f ? sums : six_load(fallback + BONE_FLOATS * k));
        }
    blend_masked_end(out, sum, q, total, in_block);
}

EMBERI_INLINE void blend_masked_many_block(float *out, const ember_blend_layer *layers, size_t layer_count,
                                           const float *fallback, size_t first, size_t in_block)
{
    six   sums[LANES_WIDTH];
    float each_share[LANES_WIDTH], each_total[LANES_WIDTH];
    lanes sum[4], q[4], total = blend_masked_begin(sum, layers, layer_count, first, in_block);
    LANES_UNROLL
    for (size_t k = 0; k < LANES_WIDTH; k++)
        sums[k] = six_set(-0.0f);
    for (size_t i = 0; i < layer_count; i++) {
        const float *pose = (const float *)(layers[i].pose + first);
        lanes        share = lanes_div(blend_weights(&layers[i], first, in_block), total);
        lanes_store(each_share, share);
        blend_masked_rotation(sum, pose, share, in_block);
        LANES_UNROLL
        for (size_t k = 0; k < LANES_WIDTH; k++)
            sums[k] = blend_masked_six(sums[k], pose + BONE_FLOATS * LANES_CLAMP(k, in_block), each_share[k]);
    }
    lanes_store(each_total, total);
    lanes_load4(q, fallback, BONE_FLOATS, in_block);
    FOR_BONES(in_block, six_store(out + BONE_FLOATS * k,
                                  each_total[k] > 0.0f ? sums[k] : six_load(fallback + BONE_FLOATS * k)));
    blend_masked_end(out, sum, q, total, in_block);
}

#define BLEND_MASKED(name, block, layer_count)                                          \
    static void name(ember_transform *out, const ember_blend_layer *layers, size_t all, \
                     const ember_transform *fallback, size_t count)                     \
    {                                                                                   \
        (void)all;                                                                      \
        FOR_BLOCKS(count, block((float *)(out + first), layers, layer_count,            \
                                (const float *)(fallback + first), first, in_block));   \
    }
BLEND_MASKED(blend_masked_two, blend_masked_few_block, 2)
BLEND_MASKED(blend_masked_three, blend_masked_few_block, 3)
BLEND_MASKED(blend_masked_four, blend_masked_few_block, 4)
BLEND_MASKED(blend_masked_many, blend_masked_many_block, all)

static void kernel_blend_masked(ember_transform *out, const ember_blend_layer *layers, size_t layer_count,
                                const ember_transform *fallback, size_t count)
{
    if (layer_count == 2)
        blend_masked_two(out, layers, layer_count, fallback, count);
    else if (layer_count == 3)
        blend_masked_three(out, layers, layer_count, fallback, count);
    else if (layer_count == 4)
        blend_masked_four(out, layers, layer_count, fallback, count);
    else
        blend_masked_many(out, layers, layer_count, fallback, count);
}
