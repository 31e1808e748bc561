/* SPDX-License-Identifier: MIT */
/* Skinning: values by hand, the bits of the scalar kernels on every path and for every shape of job, not one
   byte outside of the vertices, and one test for each rule. */
#include "poses.h"

#include "pose/kernels/kernels.h"

#define MATRICES 60
#define MOST 40
#define GUARD_BYTE 0xa5

/* ---- values by hand ---- */

static ember_mat44 matrix(float scale, float x, float y, float z)
{
    return (ember_mat44){
        {scale, 0.0f, 0.0f, 0.0f, 0.0f, scale, 0.0f, 0.0f, 0.0f, 0.0f, scale, 0.0f, x, y, z, 1.0f}};
}

static void check_vec3(const float *got, float x, float y, float z)
{
    assert_float_equal(got[0], x, 1e-5f);
    assert_float_equal(got[1], y, 1e-5f);
    assert_float_equal(got[2], z, 1e-5f);
}

TEST(skin_mixes_matrices_by_weight)
{
    const ember_mat44 palette[4] = {matrix(1.0f, 0.0f, 0.0f, 0.0f), matrix(2.0f, 4.0f, 0.0f, 0.0f),
                                    matrix(3.0f, 0.0f, 8.0f, 0.0f), matrix(4.0f, 0.0f, 0.0f, 16.0f)};
    const float       position[3] = {1.0f, 10.0f, 100.0f}, normal[3] = {0.0f, 1.0f, 2.0f};
    const uint8_t     joints[4] = {3, 1, 0, 2};
    const float       weights[4] = {0.25f, 0.5f, 0.125f, 0.125f};
    float             out[3], out_normal[3];
    ember_skin_job    job = {.out_positions = out,
                             .out_normals = out_normal,
                             .positions = position,
                             .normals = normal,
                             .joints = joints,
                             .weights = weights,
                             .influences = 4,
                             .palette = palette,
                             .palette_count = 4,
                             .vertex_count = 1};
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    /* scale 0.25*4 + 0.5*2 + 0.125*1 + 0.125*3 = 2.5; moved by 0.5*4, 0.125*8, 0.25*16 */
    check_vec3(out, 2.5f + 2.0f, 25.0f + 1.0f, 250.0f + 4.0f);
    check_vec3(out_normal, 0.0f, 2.5f, 5.0f);
    job.influences = 3; /* without the last: 1 + 1 + 0.125 = 2.125; moved by 2, 0, 4 */
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    check_vec3(out, 2.125f + 2.0f, 21.25f, 212.5f + 4.0f);
    job.influences = 2; /* 1 + 1 = 2; moved by 2, 0, 4 */
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    check_vec3(out, 4.0f, 20.0f, 204.0f);
    job.influences = 1; /* matrix 3 itself */
    job.weights = NULL;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    check_vec3(out, 4.0f, 40.0f, 416.0f);
    job.influences = 0; /* matrix 2 for all */
    job.rigid_bone = 2;
    job.joints = NULL;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    check_vec3(out, 3.0f, 38.0f, 300.0f);
    check_vec3(out_normal, 0.0f, 3.0f, 6.0f);
}

TEST(skin_takes_bytes_as_parts_of_255)
{
    const ember_mat44 palette[2] = {matrix(1.0f, 0.0f, 0.0f, 0.0f), matrix(1.0f, 255.0f, 510.0f, 0.0f)};
    const float       positions[6] = {1.0f, 2.0f, 3.0f, 1.0f, 2.0f, 3.0f};
    const uint8_t     joints[8] = {0, 1, 0, 0, 1, 0, 0, 0}, weights[8] = {155, 100, 0, 0, 255, 0, 0, 0};
    float             out[6];
    ember_skin_job    job = {.out_positions = out,
                             .positions = positions,
                             .joints = joints,
                             .weights = weights,
                             .weights_kind = EMBER_WEIGHTS_UNORM8,
                             .influences = 4,
                             .palette = palette,
                             .palette_count = 2,
                             .vertex_count = 2};
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_float_equal(out[0], 101.0f, 1e-4f);
    assert_float_equal(out[1], 202.0f, 1e-4f);
    assert_float_equal(out[2], 3.0f, 1e-4f);
    assert_true(out[3] == 256.0f && out[4] == 512.0f && out[5] == 3.0f); /* 255 is exactly 1 */
}

TEST(skin_weights_of_bytes_are_products)
{
    for (int i = 0; i < 256; i++) {
        volatile float byte = (float)i, part = 1.0f / 255.0f;
        assert_true(emberi_unorm8_weights[i] == byte * part);
    }
    assert_true(emberi_unorm8_weights[255] == 1.0f);
}

/* ---- the same bits on every path ---- */

typedef struct mesh {
    ember_mat44 palette[MATRICES];
    float       positions[MOST * 3], normals[MOST * 3], weights[MOST * 4];
    uint8_t     joints[MOST * 4], bytes[MOST * 4];
} mesh;

static void mesh_fill(mesh *m, test_random *r, test_kind kind)
{
    test_numbers(r, kind, m->palette[0].m, MATRICES * 16, -1.0f, 1.0f);
    test_numbers(r, kind, m->positions, MOST * 3, -1.0f, 1.0f);
    test_numbers(r, kind, m->normals, MOST * 3, -1.0f, 1.0f);
    test_numbers(r, kind, m->weights, MOST * 4, 0.0f, 1.0f);
    for (int i = 0; i < MOST * 4; i++) {
        m->joints[i] = (uint8_t)(test_random_u32(r) % MATRICES);
        m->bytes[i] = (uint8_t)(test_random_u32(r) % 3 == 0 ? 0 : test_random_u32(r));
    }
}

typedef struct shape {
    unsigned influences;
    bool     bytes, normals, apart; /* apart: gaps between the vertices of every stream */
    size_t   count;
} shape;

/* A stream of `count` elements in a block that ends with the last one. */
static void *stream_make(const void *data, size_t element_size, size_t stride, size_t count,
                         size_t data_stride)
{
    uint8_t *stream = test_alloc(stride * (count - 1) + element_size);
    memset(stream, GUARD_BYTE, stride * (count - 1) + element_size);
    for (size_t i = 0; i < count; i++)
        memcpy(stream + i * stride, (const uint8_t *)data + i * data_stride, element_size);
    return stream;
}

/* Output of the kernel in a block of exactly its size, guards in the gaps; the caller frees. */
static uint8_t *shape_run(const emberi_kernels *kernels, const mesh *m, const shape *s, size_t *out_size)
{
    const size_t   weight_size = s->bytes ? 1 : 4, gap = s->apart ? 8 : 0, out_stride = s->apart ? 28 : 12;
    const size_t   each = out_stride * (s->count - 1) + 12;
    ember_skin_job job = {
        .positions_stride = 12 + gap,
        .normals_stride = 12 + 2 * gap,
        .joints_stride = s->influences + gap,
        .weights_stride = s->influences * weight_size + gap,
        .out_positions_stride = out_stride,
        .out_normals_stride = out_stride,
        .weights_kind = s->bytes ? EMBER_WEIGHTS_UNORM8 : EMBER_WEIGHTS_F32,
        .influences = s->influences,
        .rigid_bone = 7,
        .palette_count = MATRICES,
        .vertex_count = (uint32_t)s->count,
    };
    float   *positions = stream_make(m->positions, 12, job.positions_stride, s->count, 12);
    float   *normals = stream_make(m->normals, 12, job.normals_stride, s->count, 12);
    uint8_t *joints = stream_make(m->joints, s->influences, job.joints_stride, s->count, 4);
    void *weights = stream_make(s->bytes ? (const void *)m->bytes : m->weights, s->influences * weight_size,
                                job.weights_stride, s->count, 4 * weight_size);
    void *palette = test_exact_copy(m->palette, sizeof(m->palette));
    uint8_t *out = test_alloc(2 * each);
    memset(out, GUARD_BYTE, 2 * each);
    job.positions = positions;
    job.joints = s->influences > 0 ? joints : NULL;
    job.weights = s->influences > 1 ? weights : NULL;
    job.palette = palette;
    job.out_positions = (float *)(void *)out;
    if (s->normals) {
        job.normals = normals;
        job.out_normals = (float *)(void *)(out + each);
    }
    kernels->skin(&job);
    free(positions);
    free(normals);
    free(joints);
    free(weights);
    free(palette);
    *out_size = 2 * each;
    return out;
}

static void check_shape(const emberi_kernels *kernels, const mesh *m, const shape *s, test_kind kind)
{
    size_t   size;
    uint8_t *expected = shape_run(&emberi_kernels_scalar, m, s, &size),
            *got = shape_run(kernels, m, s, &size);
    for (size_t i = 0; i < size; i += 4) {
        uint32_t a, b;
        memcpy(&a, expected + i, 4);
        memcpy(&b, got + i, 4);
        if (a != b && !(kind == TEST_HUGE && test_is_nan(a) && test_is_nan(b)))
            fail_msg("%s, %u influences, bytes %d, normals %d, apart %d, %zu vertices: byte %zu is %08x, "
                     "scalar has %08x",
                     ember_isa_name(kernels->isa), s->influences, s->bytes, s->normals, s->apart, s->count, i,
                     b, a);
    }
    if (s->apart) /* the gaps of the outputs, which the scalar kernels must leave alone, too */
        for (size_t i = 0; i + 1 < s->count; i++)
            for (size_t k = 12; k < 28; k++)
                assert_int_equal(expected[28 * i + k], GUARD_BYTE);
    free(expected);
    free(got);
}

TEST(skin_has_the_bits_of_scalar_in_every_shape)
{
    static mesh m;
    test_random r = {2024};
    for (size_t count = 1; count <= MOST; count++)
        for (int kind = 0; kind < TEST_KIND_COUNT; kind++) {
            mesh_fill(&m, &r, (test_kind)kind);
            for (unsigned bits = 0; bits < 5 * 8; bits++) {
                const shape s = {bits / 8, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, count};
                for (int isa = 0; isa < EMBER_ISA_COUNT; isa++) {
                    const emberi_kernels *kernels = emberi_kernels_for((ember_isa)isa);
                    if (kernels != NULL)
                        check_shape(kernels, &m, &s, (test_kind)kind);
                }
            }
        }
}

/* The rules of the mix, on the job, against a plain reading of them. */
TEST(skin_follows_the_documented_sums)
{
    static mesh m;
    test_random r = {606};
    float       out[MOST * 3];
    mesh_fill(&m, &r, TEST_REALISTIC);
    ember_skin_job job = {.out_positions = out,
                          .positions = m.positions,
                          .joints = m.joints,
                          .weights = m.weights,
                          .influences = 4,
                          .palette = m.palette,
                          .palette_count = MATRICES,
                          .vertex_count = MOST};
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    for (int i = 0; i < MOST; i++) {
        const float *p = m.positions + 3 * i, *w = m.weights + 4 * i;
        const float *a = m.palette[m.joints[4 * i]].m, *b = m.palette[m.joints[4 * i + 1]].m;
        const float *c = m.palette[m.joints[4 * i + 2]].m, *d = m.palette[m.joints[4 * i + 3]].m;
        for (int row = 0; row < 3; row++) {
            volatile float mix[4], x, y;
            for (int column = 0; column < 4; column++) {
                int            k = 4 * column + row;
                volatile float wa = w[0] * a[k], wb = w[1] * b[k], wc = w[2] * c[k], wd = w[3] * d[k],
                               ab = wa + wb, cd = wc + wd;
                mix[column] = ab + cd;
            }
            x = mix[0] * p[0];
            y = mix[2] * p[2];
            x = x + y;
            y = mix[1] * p[1];
            y = y + mix[3];
            x = x + y;
            assert_true(out[3 * i + row] == x);
        }
    }
}

/* Threads share a mesh in ranges, so a range must not touch its neighbour's first vertex. */
TEST(skin_in_ranges_is_skin_in_one)
{
    static mesh m;
    test_random r = {17};
    float       whole[MOST * 3], parts[MOST * 3 + 1];
    mesh_fill(&m, &r, TEST_REALISTIC);
    ember_skin_job job = {.out_positions = whole,
                          .positions = m.positions,
                          .joints = m.joints,
                          .weights = m.bytes,
                          .weights_kind = EMBER_WEIGHTS_UNORM8,
                          .influences = 4,
                          .palette = m.palette,
                          .palette_count = MATRICES,
                          .vertex_count = MOST};
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    memset(parts, GUARD_BYTE, sizeof(parts));
    for (size_t first = MOST; first > 0;) { /* from behind, so that a spill would be seen */
        size_t count = first < 7 ? first : 7;
        first -= count;
        job.out_positions = parts + 3 * first;
        job.positions = m.positions + 3 * first;
        job.joints = m.joints + 4 * first;
        job.weights = m.bytes + 4 * first;
        job.vertex_count = (uint32_t)count;
        assert_int_equal(ember_skin_run(&job), EMBER_OK);
    }
    assert_memory_equal(whole, parts, sizeof(whole));
    assert_int_equal(((uint8_t *)parts)[sizeof(whole)], GUARD_BYTE);
}

/* ---- rules ---- */

static mesh           rule_mesh;
static float          rule_out[MOST * 3], rule_out_normals[MOST * 3], rule_before[MOST * 3];
static ember_skin_job good(void)
{
    test_random r = {1};
    mesh_fill(&rule_mesh, &r, TEST_REALISTIC);
    memset(rule_out, 0x5a, sizeof(rule_out));
    memset(rule_out_normals, 0x5a, sizeof(rule_out_normals));
    memset(rule_before, 0x5a, sizeof(rule_before));
    return (ember_skin_job){
        .out_positions = rule_out,
        .out_normals = rule_out_normals,
        .positions = rule_mesh.positions,
        .normals = rule_mesh.normals,
        .joints = rule_mesh.joints,
        .weights = rule_mesh.weights,
        .influences = 4,
        .palette = rule_mesh.palette,
        .palette_count = MATRICES,
        .vertex_count = MOST / 2, /* so that wider strides stay inside of the arrays */
    };
}

static void check_refused(const ember_skin_job *job, ember_status status)
{
    assert_int_equal(ember_skin_run(job), status);
    assert_memory_equal(rule_out, rule_before, sizeof(rule_out));
    assert_memory_equal(rule_out_normals, rule_before, sizeof(rule_out_normals));
}

TEST(skin_accepts_what_the_rules_allow)
{
    ember_skin_job job = good();
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_memory_not_equal(rule_out, rule_before, 12);
    assert_memory_not_equal(rule_out_normals, rule_before, 12);
    job = (ember_skin_job){0}; /* no vertices need nothing */
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
}

TEST(skin_rejects_missing_positions)
{
    ember_skin_job job = good();
    job.positions = NULL;
    check_refused(&job, EMBER_E_ARG);
    job = good();
    job.out_positions = NULL;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_a_missing_palette)
{
    ember_skin_job job = good();
    job.palette = NULL;
    check_refused(&job, EMBER_E_ARG);
    job = good();
    job.palette_count = 0;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_normals_on_one_side_only)
{
    ember_skin_job job = good();
    job.normals = NULL;
    check_refused(&job, EMBER_E_ARG);
    job = good();
    job.out_normals = NULL;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_strides_below_three_floats)
{
    for (int which = 0; which < 4; which++) {
        ember_skin_job job = good();
        size_t        *strides[4] = {&job.positions_stride, &job.normals_stride, &job.out_positions_stride,
                                     &job.out_normals_stride};
        *strides[which] = 8;
        check_refused(&job, EMBER_E_ARG);
        *strides[which] = 16;
        assert_int_equal(ember_skin_run(&job), EMBER_OK);
    }
}

TEST(skin_rejects_strides_that_are_no_multiples_of_4)
{
    for (int which = 0; which < 5; which++) {
        ember_skin_job job = good();
        size_t        *strides[5] = {&job.positions_stride, &job.normals_stride, &job.out_positions_stride,
                                     &job.out_normals_stride, &job.weights_stride};
        *strides[which] = 18;
        check_refused(&job, EMBER_E_ARG);
    }
}

TEST(skin_rejects_floats_at_odd_addresses)
{
    for (int which = 0; which < 5; which++) {
        ember_skin_job job = good();
        if (which == 0)
            job.positions = (const float *)((uintptr_t)job.positions + 2);
        if (which == 1)
            job.normals = (const float *)((uintptr_t)job.normals + 2);
        if (which == 2)
            job.out_positions = (float *)((uintptr_t)job.out_positions + 2);
        if (which == 3)
            job.out_normals = (float *)((uintptr_t)job.out_normals + 2);
        if (which == 4)
            job.weights = (const void *)((uintptr_t)job.weights + 2);
        check_refused(&job, EMBER_E_ARG);
    }
    ember_skin_job job = good(); /* bytes may be anywhere */
    job.weights = rule_mesh.bytes + 1;
    job.weights_stride = 5;
    job.weights_kind = EMBER_WEIGHTS_UNORM8;
    job.joints = rule_mesh.joints + 1;
    job.joints_stride = 5;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
}

TEST(skin_rejects_strides_below_the_influences)
{
    for (uint32_t influences = 2; influences <= 4; influences++) {
        ember_skin_job job = good();
        job.influences = influences;
        job.joints_stride = influences - 1;
        check_refused(&job, EMBER_E_ARG);
        job.joints_stride = influences;
        job.weights_stride = 4 * influences - 4;
        check_refused(&job, EMBER_E_ARG);
        job.weights_kind = EMBER_WEIGHTS_UNORM8;
        job.weights_stride = influences - 1;
        check_refused(&job, EMBER_E_ARG);
        job.weights_stride = influences;
        assert_int_equal(ember_skin_run(&job), EMBER_OK);
    }
}

TEST(skin_rejects_more_than_four_influences)
{
    ember_skin_job job = good();
    job.influences = 5;
    job.joints_stride = 8;
    job.weights_stride = 32;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_missing_joints_and_weights)
{
    for (uint32_t influences = 1; influences <= 4; influences++) {
        ember_skin_job job = good();
        job.influences = influences;
        job.joints = NULL;
        check_refused(&job, EMBER_E_ARG);
        job = good();
        job.influences = influences;
        job.weights = NULL;
        if (influences == 1) /* the one weight is 1 */
            assert_int_equal(ember_skin_run(&job), EMBER_OK);
        else
            check_refused(&job, EMBER_E_ARG);
    }
}

TEST(skin_rejects_an_unknown_kind_of_weights)
{
    ember_skin_job job = good();
    job.weights_kind = (ember_weights)2;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_a_rigid_bone_beyond_the_palette)
{
    ember_skin_job job = good();
    job.influences = 0;
    job.rigid_bone = MATRICES;
    check_refused(&job, EMBER_E_ARG);
    job.rigid_bone = MATRICES - 1;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
}

/* At every vertex and influence, packed and apart, at the border of the palette and far beyond. */
TEST(skin_rejects_joints_beyond_the_palette)
{
    static const size_t  strides[] = {1, 2, 3, 4, 5, 8};
    static const uint8_t bad[] = {MATRICES, MATRICES + 1, 128, 255};
    for (uint32_t influences = 1; influences <= 4; influences++)
        for (size_t s = 0; s < sizeof(strides) / sizeof(*strides); s++)
            for (size_t vertex = 0; vertex < MOST / 2; vertex++)
                for (uint32_t k = 0; k < influences; k++) {
                    ember_skin_job job = good();
                    size_t         stride = strides[s];
                    if (stride < influences)
                        continue;
                    job.influences = influences;
                    job.joints_stride = stride;
                    uint8_t *joints = test_alloc(stride * (MOST / 2 - 1) + influences);
                    /* what is between them does not count */
                    memset(joints, 255, stride * (MOST / 2 - 1) + influences);
                    for (size_t i = 0; i < MOST / 2; i++)
                        memset(joints + i * stride, MATRICES - 1, influences);
                    job.joints = joints;
                    for (size_t b = 0; b < sizeof(bad); b++) {
                        joints[vertex * stride + k] = bad[b];
                        check_refused(&job, EMBER_E_RANGE);
                    }
                    joints[vertex * stride + k] = MATRICES - 1;
                    assert_int_equal(ember_skin_run(&job), EMBER_OK);
                    free(joints);
                }
}

TEST(skin_allows_every_joint_of_a_palette_of_256)
{
    static ember_mat44 palette[256];
    ember_skin_job     job = good();
    job.palette = palette;
    job.palette_count = 256;
    rule_mesh.joints[5] = 255;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    job.palette_count = 255;
    assert_int_equal(ember_skin_run(&job), EMBER_E_RANGE);
}
