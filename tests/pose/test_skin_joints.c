/* SPDX-License-Identifier: MIT */
/* Skinning with joints of 16 bits, as a mesh has them when it was read, and by one matrix: the bits of the
   other forms, palettes of more than 256 matrices, and one test for each rule. Covers: skin.c. */
#include "poses.h"

#include "pose/kernels/kernels.h"

#define MATRICES 400
#define SMALL 60 /* so many of them can be named by bytes, too */
#define MOST 21

static ember_mat44 palette[MATRICES];
static float       positions[MOST * 3], normals[MOST * 3], weights[MOST * 4];
static uint8_t     bytes[MOST * 4], joints8[MOST * 4];
static uint16_t    joints16[MOST * 4];

static void fresh(void)
{
    test_random r = {3131};
    test_numbers(&r, TEST_REALISTIC, palette[0].m, MATRICES * 16, -1.0f, 1.0f);
    test_numbers(&r, TEST_REALISTIC, positions, MOST * 3, -1.0f, 1.0f);
    test_numbers(&r, TEST_REALISTIC, normals, MOST * 3, -1.0f, 1.0f);
    test_numbers(&r, TEST_REALISTIC, weights, MOST * 4, 0.0f, 1.0f);
    for (int i = 0; i < MOST * 4; i++) {
        joints16[i] = joints8[i] = (uint8_t)(test_random_u32(&r) % SMALL);
        bytes[i] = (uint8_t)test_random_u32(&r);
    }
}

/* ---- the same bits as with bytes ---- */

typedef struct outputs {
    float positions[MOST * 3], normals[MOST * 3];
} outputs;

static ember_skin_job job_into(outputs *out, uint32_t influences, bool unorm8, uint32_t count)
{
    memset(out, 0x5a, sizeof(*out));
    return (ember_skin_job){.out_positions = out->positions,
                            .out_positions_stride = 12,
                            .out_normals = out->normals,
                            .out_normals_stride = 12,
                            .positions = positions,
                            .positions_stride = 12,
                            .normals = normals,
                            .normals_stride = 12,
                            .joints = joints8,
                            .joints_stride = 4,
                            .weights = unorm8 ? (const void *)bytes : weights,
                            .weights_stride = unorm8 ? 4 : 16,
                            .weights_kind = unorm8 ? EMBER_WEIGHTS_UNORM8 : EMBER_WEIGHTS_F32,
                            .influences = influences,
                            .palette = palette,
                            .palette_count = SMALL,
                            .vertex_count = count};
}

/* The joints in a block that ends with the last one, `stride` bytes apart. */
static uint16_t *spread(uint32_t influences, size_t stride, uint32_t count)
{
    uint8_t *block = test_alloc(stride * (count - 1) + 2 * influences);
    memset(block, 0xff, stride * (count - 1) + 2 * influences);
    for (uint32_t i = 0; i < count; i++)
        memcpy(block + stride * i, joints16 + (size_t)4 * i, 2 * influences);
    return (uint16_t *)(void *)block;
}

static void check_shape(const emberi_kernels *kernels, uint32_t influences, bool unorm8, size_t gap,
                        uint32_t count)
{
    outputs        by_bytes, by_shorts;
    ember_skin_job job = job_into(&by_bytes, influences, unorm8, count);
    kernels->skin(&job);
    job = job_into(&by_shorts, influences, unorm8, count);
    job.joints_stride = 2 * influences + gap;
    uint16_t *exact = spread(influences, job.joints_stride, count);
    job.joints = exact;
    job.joints_kind = EMBER_JOINTS_U16;
    kernels->skin(&job);
    assert_memory_equal(&by_shorts, &by_bytes, sizeof(by_bytes));
    memset(&by_shorts, 0x5a, sizeof(by_shorts));
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_memory_equal(&by_shorts, &by_bytes, sizeof(by_bytes));
    free(exact);
}

TEST(skin_with_16_bits_has_the_bits_of_8)
{
    fresh();
    for (int isa = 0; isa < EMBER_ISA_COUNT; isa++) {
        const emberi_kernels *kernels = emberi_kernels_for((ember_isa)isa);
        for (uint32_t shape = 0; kernels != NULL && shape < 16; shape++)
            for (uint32_t count = 1; count <= MOST; count++)
                check_shape(kernels, 1 + shape % 4, (shape & 4) != 0, (shape & 8) != 0 ? 6 : 0, count);
    }
}

TEST(skin_with_16_bits_takes_four_of_them_by_default)
{
    outputs by_bytes, by_shorts;
    fresh();
    ember_skin_job job = job_into(&by_bytes, 4, false, MOST);
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    job = job_into(&by_shorts, 4, false, MOST);
    job.joints = joints16;
    job.joints_stride = 0;
    job.joints_kind = EMBER_JOINTS_U16;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_memory_equal(&by_shorts, &by_bytes, sizeof(by_bytes));
}

TEST(skin_with_16_bits_reaches_beyond_256_matrices)
{
    fresh();
    for (int k = 0; k < 16; k++) /* moves by 1, 2, 3, and nothing else */
        palette[300].m[k] = k == 12 ? 1.0f : k == 13 ? 2.0f : k == 14 ? 3.0f : k % 5 == 0 ? 1.0f : 0.0f;
    static const uint16_t far[1] = {300};
    const float           at[3] = {10.0f, 20.0f, 30.0f};
    float                 out[3];
    ember_skin_job        job = {.out_positions = out,
                                 .positions = at,
                                 .joints = far,
                                 .joints_kind = EMBER_JOINTS_U16,
                                 .influences = 1,
                                 .palette = palette,
                                 .palette_count = 301,
                                 .vertex_count = 1};
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_true(out[0] == 11.0f && out[1] == 22.0f && out[2] == 33.0f);
    job.palette_count = 300;
    assert_int_equal(ember_skin_run(&job), EMBER_E_RANGE);
}

/* ---- rules ---- */

static outputs rule_out, rule_before;

static ember_skin_job good(void)
{
    fresh();
    ember_skin_job job = job_into(&rule_out, 4, false, MOST / 2);
    job.joints = joints16;
    job.joints_stride = 8;
    job.joints_kind = EMBER_JOINTS_U16;
    rule_before = rule_out;
    return job;
}

static void check_refused(const ember_skin_job *job, ember_status status)
{
    assert_int_equal(ember_skin_run(job), status);
    assert_memory_equal(&rule_out, &rule_before, sizeof(rule_out));
}

TEST(skin_rejects_16_bits_at_odd_addresses)
{
    ember_skin_job job = good();
    job.joints = (const uint8_t *)joints16 + 1;
    check_refused(&job, EMBER_E_ARG);
    job = good();
    job.joints_stride = 9;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_strides_below_the_joints)
{
    for (uint32_t influences = 1; influences <= 4; influences++) {
        ember_skin_job job = good();
        job.influences = influences;
        job.joints_stride = 2 * influences - 2 + (influences == 1); /* 0 would be the default */
        check_refused(&job, EMBER_E_ARG);
    }
}

TEST(skin_rejects_an_unknown_kind_of_joints)
{
    ember_skin_job job = good();
    job.joints_kind = (ember_joints)2;
    check_refused(&job, EMBER_E_ARG);
}

TEST(skin_rejects_16_bits_beyond_the_palette_anywhere)
{
    for (uint32_t influences = 1; influences <= 4; influences++)
        for (uint32_t i = 0; i < MOST / 2; i++)
            for (uint32_t k = 0; k < influences; k++)
                for (int packed = 0; packed < 2; packed++) {
                    ember_skin_job job = good();
                    uint32_t       step = packed ? influences : 4;
                    job.influences = influences;
                    job.joints_stride = 2 * (size_t)step;
                    joints16[i * step + k] = SMALL;
                    check_refused(&job, EMBER_E_RANGE);
                    joints16[i * step + k] = 65535;
                    check_refused(&job, EMBER_E_RANGE);
                }
}

/* ---- one matrix ---- */

TEST(skin_by_one_matrix_is_skin_by_a_bone)
{
    outputs by_palette, by_matrix;
    fresh();
    for (int column = 0; column < 4; column++) /* the last row of a matrix that moves points */
        palette[17].m[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    ember_skin_job job = job_into(&by_palette, 0, false, MOST);
    job.rigid_bone = 17;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    ember_mat34 matrix = ember_mat34_from_mat44(&palette[17]);
    job = job_into(&by_matrix, 4, false, MOST);
    job.rigid = &matrix;
    job.palette = NULL;
    job.palette_count = 0;
    job.rigid_bone = 99;
    job.joints = NULL;
    job.weights = NULL;
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_memory_equal(&by_matrix, &by_palette, sizeof(by_matrix));
}

TEST(skin_by_one_matrix_moves_by_hand)
{
    const ember_mat34 matrix = {{0.0f, -2.0f, 0.0f, 5.0f, 2.0f, 0.0f, 0.0f, 6.0f, 0.0f, 0.0f, 2.0f, 7.0f}};
    const float       at[3] = {1.0f, 10.0f, 100.0f};
    float             out[3], out_normal[3];
    ember_skin_job    job = {.out_positions = out,
                             .out_normals = out_normal,
                             .positions = at,
                             .normals = at,
                             .rigid = &matrix,
                             .vertex_count = 1};
    assert_int_equal(ember_skin_run(&job), EMBER_OK);
    assert_true(out[0] == -15.0f && out[1] == 8.0f && out[2] == 207.0f);
    assert_true(out_normal[0] == -20.0f && out_normal[1] == 2.0f && out_normal[2] == 200.0f);
    job.positions = NULL;
    assert_int_equal(ember_skin_run(&job), EMBER_E_ARG);
}
