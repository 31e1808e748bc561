/* SPDX-License-Identifier: MIT */
/* Golden hashes of skinning, in every shape of job. */
#include "golden.h"

#define MATRICES 19
#define MOST 33

static ember_mat44 palette[MATRICES];
static float positions[MOST * 3], normals[MOST * 3], weights[MOST * 4], out[MOST * 3], out_normals[MOST * 3];
static float mesh[MOST * 11],
    out_mesh[MOST * 7]; /* interleaved: position, normal, joints, four weights; with gaps on the way out */
static uint8_t joints[MOST * 4], bytes[MOST * 4];

static void skin_fill(bool awkward)
{
    for (int i = 0; i < MATRICES * 16; i++)
        palette[i / 16].m[i % 16] = golden_number(-1.0f, 1.0f, awkward);
    for (int i = 0; i < MOST * 3; i++) {
        positions[i] = golden_number(-1.0f, 1.0f, awkward);
        normals[i] = golden_number(-1.0f, 1.0f, awkward);
    }
    for (int i = 0; i < MOST * 4; i++) {
        joints[i] = (uint8_t)(golden_u32() % MATRICES);
        bytes[i] = (uint8_t)golden_u32();
        weights[i] = golden_number(0.0f, 1.0f, awkward);
    }
    for (int i = 0; i < MOST; i++) {
        emberi_copy(mesh + 11 * i, positions + 3 * i, 12);
        emberi_copy(mesh + 11 * i + 3, normals + 3 * i, 12);
        emberi_copy(mesh + 11 * i + 6, joints + 4 * i, 4);
        emberi_copy(mesh + 11 * i + 7, weights + 4 * i, 16);
    }
}

static ember_skin_job skin_job(uint32_t influences, uint32_t count)
{
    return (ember_skin_job){.out_positions = out,
                            .positions = positions,
                            .joints = joints,
                            .weights = weights,
                            .influences = influences,
                            .rigid_bone = 5,
                            .palette = palette,
                            .palette_count = MATRICES,
                            .vertex_count = count};
}

static void skin_packed(uint32_t influences, uint32_t count, bool use_bytes, bool use_normals)
{
    ember_skin_job job = skin_job(influences, count);
    if (use_bytes) {
        job.weights = bytes;
        job.weights_kind = EMBER_WEIGHTS_UNORM8;
    }
    if (use_normals) {
        job.normals = normals;
        job.out_normals = out_normals;
    }
    golden_status(ember_skin_run(&job));
    golden_floats(out, count * 3);
    if (use_normals)
        golden_floats(out_normals, count * 3);
}

static void skin_interleaved(uint32_t influences, uint32_t count)
{
    ember_skin_job job = skin_job(influences, count);
    job.positions = mesh;
    job.normals = mesh + 3;
    job.joints = (const uint8_t *)(mesh + 6);
    job.weights = mesh + 7;
    job.positions_stride = job.normals_stride = job.joints_stride = job.weights_stride = 44;
    job.out_positions = out_mesh;
    job.out_normals = out_mesh + 3;
    job.out_positions_stride = job.out_normals_stride = 28;
    emberi_fill(out_mesh, 0, sizeof(out_mesh));
    golden_status(ember_skin_run(&job));
    golden_floats(out_mesh, MOST * 7); /* the gaps, too */
}

void golden_skin(void)
{
    static const char *const names[5] = {"skin_rigid", "skin_one", "skin_two", "skin_three", "skin_four"};
    static const uint32_t    counts[] = {1, 2, 3, 8, MOST};
    for (uint32_t influences = 0; influences <= 4; influences++) {
        golden_begin(names[influences]);
        golden_seed(60 + influences);
        for (int round = 0; round < 8; round++)
            for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
                skin_fill(round % 2 != 0);
                for (int shape = 0; shape < 4; shape++)
                    skin_packed(influences, counts[k], (shape & 1) != 0, (shape & 2) != 0);
                skin_interleaved(influences, counts[k]);
            }
    }
}
