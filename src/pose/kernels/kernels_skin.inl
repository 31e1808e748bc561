/* SPDX-License-Identifier: MIT */
/* The skinning kernel, over the lane vocabulary: one vertex after the other, as a vertex's matrices fill the
   registers by themselves. Included once per instruction set by kernels_all.inl.

   The mix of matrices is (w0*M0 + w1*M1) + (w2*M2 + w3*M3); with three (w0*M0 + w1*M1) + w2*M2, with two
   w0*M0 + w1*M1, with one M0 itself. */

/* Plain C, which compilers turn into the widest steps that the set has. */
static uint8_t kernel_largest_byte(const uint8_t *bytes, size_t count)
{
    uint8_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = bytes[i] > largest ? bytes[i] : largest;
    return largest;
}

static uint16_t kernel_largest_short(const uint16_t *shorts, size_t count)
{
    uint16_t largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = shorts[i] > largest ? shorts[i] : largest;
    return largest;
}

/* Where the vertex in hand is, in each stream. */
typedef struct skin_cursor {
    const uint8_t *position, *normal, *joints, *weights;
    uint8_t       *out_position, *out_normal;
} skin_cursor;

/* Weight k of the vertex, in memory. */
EMBERI_INLINE const float *skin_weight(const uint8_t *weights, unsigned k, int unorm8)
{
    return unorm8 ? &emberi_unorm8_weights[weights[k]] : (const float *)(const void *)weights + k;
}

EMBERI_INLINE size_t skin_joint(const uint8_t *joints, unsigned k, int shorts)
{
    return shorts ? ((const uint16_t *)(const void *)joints)[k] : joints[k];
}

EMBERI_INLINE columns skin_mix(const float *palette, const skin_cursor *at, unsigned influences, int shorts,
                               int unorm8)
{
#define SKIN_MATRIX(k) (palette + COLUMNS_FLOATS * skin_joint(at->joints, (k), shorts))
#define SKIN_PART(k) columns_weigh(SKIN_MATRIX(k), skin_weight(at->weights, (k), unorm8))
    if (influences == 1)
        return columns_load(SKIN_MATRIX(0));
    columns mix = columns_add(SKIN_PART(0), SKIN_PART(1));
    if (influences == 3)
        mix = columns_add(mix, SKIN_PART(2));
    if (influences == 4)
        mix = columns_add(mix, columns_add(SKIN_PART(2), SKIN_PART(3)));
    return mix;
#undef SKIN_PART
#undef SKIN_MATRIX
}

/* Loads and stores are wide where a fourth float may be read or written beyond the three. */
EMBERI_INLINE void skin_vertex(const skin_cursor *at, const columns *mix, int with_normals, int wide_loads,
                               int wide_stores)
{
    point position = point_load((const float *)(const void *)at->position, wide_loads);
    placed_store((float *)(void *)at->out_position, columns_point(mix, position), wide_stores);
    if (with_normals) {
        point normal = point_load((const float *)(const void *)at->normal, wide_loads);
        placed_store((float *)(void *)at->out_normal, columns_direction(mix, normal), wide_stores);
    }
}

/* The parameters after the job are constants of each call, so that every case becomes a loop of its own.
   Loads may be wide for all vertices but the last, as the next one's bytes follow; stores only where the next
   vertex overwrites what they spill. */
EMBERI_INLINE void skin_range(const ember_skin_job *job, unsigned influences, int shorts, int unorm8,
                              int with_normals, int packed)
{
    skin_cursor        at = {(const uint8_t *)job->positions,
                             (const uint8_t *)job->normals,
                             job->joints,
                             job->weights,
                             (uint8_t *)job->out_positions,
                             (uint8_t *)job->out_normals};
    /* Copies, because the compiler cannot know that the floats written are not the job's own fields. */
    const float *const palette = job->palette->m;
    const size_t       position_stride = job->positions_stride, normal_stride = job->normals_stride;
    const size_t       joint_stride = job->joints_stride, weight_stride = job->weights_stride;
    const size_t       out_position_stride = packed ? 12 : job->out_positions_stride;
    const size_t       out_normal_stride = packed ? 12 : job->out_normals_stride;
    columns            mix = columns_load(palette + COLUMNS_FLOATS * (size_t)job->rigid_bone);

    for (size_t left = job->vertex_count - 1; left > 0; left--) {
        if (influences > 0)
            mix = skin_mix(palette, &at, influences, shorts, unorm8);
        skin_vertex(&at, &mix, with_normals, 1, packed);
        at.position += position_stride;
        at.out_position += out_position_stride;
        if (with_normals) {
            at.normal += normal_stride;
            at.out_normal += out_normal_stride;
        }
        if (influences > 0)
            at.joints += joint_stride;
        if (influences > 1)
            at.weights += weight_stride;
    }
    if (influences > 0)
        mix = skin_mix(palette, &at, influences, shorts, unorm8);
    skin_vertex(&at, &mix, with_normals, 0, 0);
}

EMBERI_INLINE void skin_outputs(const ember_skin_job *job, unsigned influences, int shorts, int unorm8)
{
    int packed = job->out_positions_stride == 12 && (job->normals == NULL || job->out_normals_stride == 12);
    if (job->normals == NULL) {
        if (packed)
            skin_range(job, influences, shorts, unorm8, 0, 1);
        else
            skin_range(job, influences, shorts, unorm8, 0, 0);
    } else {
        if (packed)
            skin_range(job, influences, shorts, unorm8, 1, 1);
        else
            skin_range(job, influences, shorts, unorm8, 1, 0);
    }
}

/* A function for each, as all of them in one would be more than a compiler likes to see. */
#define SKIN_CASE(name, influences, shorts, unorm8) \
    static void name(const ember_skin_job *job) { skin_outputs(job, influences, shorts, unorm8); }
SKIN_CASE(skin_rigid, 0, 0, 0)
SKIN_CASE(skin_one, 1, 0, 0)
SKIN_CASE(skin_two, 2, 0, 0)
SKIN_CASE(skin_two_unorm8, 2, 0, 1)
SKIN_CASE(skin_three, 3, 0, 0)
SKIN_CASE(skin_three_unorm8, 3, 0, 1)
SKIN_CASE(skin_four, 4, 0, 0)
SKIN_CASE(skin_four_unorm8, 4, 0, 1)
SKIN_CASE(skin_one_short, 1, 1, 0)
SKIN_CASE(skin_two_short, 2, 1, 0)
SKIN_CASE(skin_two_short_unorm8, 2, 1, 1)
SKIN_CASE(skin_three_short, 3, 1, 0)
SKIN_CASE(skin_three_short_unorm8, 3, 1, 1)
SKIN_CASE(skin_four_short, 4, 1, 0)
SKIN_CASE(skin_four_short_unorm8, 4, 1, 1)

static void kernel_skin(const ember_skin_job *job)
{
    static void (*const cases[5][2][2])(const ember_skin_job *job) = {
        {{skin_rigid, skin_rigid}, {skin_rigid, skin_rigid}},
        {{skin_one, skin_one}, {skin_one_short, skin_one_short}},
        {{skin_two, skin_two_unorm8}, {skin_two_short, skin_two_short_unorm8}},
        {{skin_three, skin_three_unorm8}, {skin_three_short, skin_three_short_unorm8}},
        {{skin_four, skin_four_unorm8}, {skin_four_short, skin_four_short_unorm8}},
    };
    cases[job->influences][job->joints_kind == EMBER_JOINTS_U16][job->weights_kind == EMBER_WEIGHTS_UNORM8](
        job);
}
