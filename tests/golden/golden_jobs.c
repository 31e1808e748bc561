/* SPDX-License-Identifier: MIT */
/* Golden hashes of the jobs that run on lanes: every kernel, for numbers of bones that fill blocks and that
   do not. */
#include "golden.h"

#include "pose/kernels/kernels.h"

#define MOST 67
#define ROUNDS 6

static ember_transform a[MOST], b[MOST], c[MOST], d[MOST], rest[MOST], out[MOST];
static uint8_t         frame[MOST * 16], next[MOST * 16];
static float           weights[MOST], mask[MOST];
static ember_mat34     model[MOST], binds[MOST], rows[MOST];
static ember_mat44     columns[MOST];
static int16_t         parents[MOST];
static ember_rig_step  rig_memory[2 * MOST];
static float           t;

static void jobs_fill(bool awkward)
{
    golden_pose(a, MOST, awkward);
    golden_pose(b, MOST, awkward);
    golden_pose(c, MOST, awkward);
    golden_pose(d, MOST, awkward);
    golden_pose(rest, MOST, awkward);
    golden_frame(frame, MOST);
    golden_frame(next, MOST);
    golden_parents(parents, MOST);
    t = golden_between(0.0f, 1.0f);
    for (int i = 0; i < MOST; i++) {
        weights[i] = golden_between(0.0f, 1.0f);
        mask[i] = golden_u32() % 3 == 0 ? 0.0f : golden_between(0.0f, 2.0f);
        for (int k = 0; k < 12; k++) {
            model[i].m[k] = golden_number(-1.0f, 1.0f, awkward);
            binds[i].m[k] = golden_number(-1.0f, 1.0f, awkward);
        }
    }
}

static void job_decode(uint32_t n)
{
    ember_decode_job one = {out, n, frame, n * 16, NULL, 0, 0.0f, n};
    golden_status(ember_decode_run(&one));
    golden_transforms(out, n);
}

static void job_decode_two(uint32_t n)
{
    ember_decode_job two = {out, n, frame, n * 16, next, n * 16, t, n};
    golden_status(ember_decode_run(&two));
    golden_transforms(out, n);
}

static void job_sample(uint32_t n)
{
    for (int i = 0; i < 24; i++) { /* the two frames as a clip of as many as fit */
        ember_sample_job job = {out,       n,        frame, sizeof(frame),
                                n,         MOST / n, 12.0f, (double)golden_between(-3.0f, 3.0f),
                                i % 2 == 0};
        golden_status(ember_sample_run(&job));
        golden_transforms(out, n);
    }
}

static void job_lerp_by(uint32_t n, const float *each, ember_blend_method method)
{
    ember_lerp_job job = {out, a, b, each, t, method, n};
    golden_status(ember_lerp_run(&job));
    golden_transforms(out, n);
}

static void job_lerp(uint32_t n) { job_lerp_by(n, NULL, EMBER_BLEND_NLERP); }
static void job_lerp_each(uint32_t n) { job_lerp_by(n, weights, EMBER_BLEND_NLERP); }
static void job_slerp(uint32_t n) { job_lerp_by(n, NULL, EMBER_BLEND_SLERP); }
static void job_slerp_each(uint32_t n) { job_lerp_by(n, weights, EMBER_BLEND_SLERP); }

static void job_blend_by(uint32_t n, const float *masks, const ember_transform *fallback)
{
    const ember_blend_layer layers[5] = {{d, 0.0f, NULL},
                                         {a, 0.4f, masks},
                                         {b, t, NULL},
                                         {c, 2.0f, masks},
                                         {d, 0.1f, masks}};
    ember_blend_job         job = {out, layers, 5, fallback, n};
    golden_status(ember_blend_run(&job));
    golden_transforms(out, n);
}

static void job_blend(uint32_t n) { job_blend_by(n, NULL, NULL); }

static void job_blend_masked(uint32_t n)
{
    const ember_blend_layer layers[2] = {{a, 0.4f, mask}, {b, 0.7f, mask}};
    ember_blend_job         job = {out, layers, 2, rest, n};
    job_blend_by(n, mask, rest);
    golden_status(ember_blend_run(&job));
    golden_transforms(out, n);
}

static void job_additive_make(uint32_t n)
{
    ember_additive_make_job job = {out, a, b, n};
    golden_status(ember_additive_make_run(&job));
    golden_transforms(out, n);
}

static void job_additive_by(uint32_t n, const float *each)
{
    ember_additive_job job = {out, a, b, each, 3.0f * t - 1.0f, n};
    golden_status(ember_additive_run(&job));
    golden_transforms(out, n);
}

static void job_additive(uint32_t n) { job_additive_by(n, NULL); }
static void job_additive_masked(uint32_t n) { job_additive_by(n, mask); }

static void job_matrices(uint32_t n)
{
    ember_matrices_job job = {rows, a, n};
    golden_status(ember_matrices_run(&job));
    golden_mat34s(rows, n);
}

static void job_compose(uint32_t n)
{
    ember_compose_job job = {rows, a, parents, NULL, n};
    golden_status(ember_compose_run(&job));
    golden_mat34s(rows, n);
}

static void job_compose_rig(uint32_t n)
{
    ember_rig         rig;
    ember_compose_job job = {.out = rows, .pose = a, .rig = &rig};
    golden_status(ember_rig_make(&rig, parents, n, rig_memory, sizeof(rig_memory)));
    golden_status(ember_compose_run(&job));
    golden_mat34s(rows, n);
}

static void job_palette(uint32_t n)
{
    ember_palette_job both = {rows, columns, model, binds, n, NULL},
                      only_rows = {rows, NULL, model, binds, n, NULL},
                      only_columns = {NULL, columns, model, binds, n, NULL};
    golden_status(ember_palette_run(&both));
    golden_mat34s(rows, n);
    golden_floats(columns[0].m, n * 16);
    golden_status(ember_palette_run(&only_rows));
    golden_mat34s(rows, n);
    golden_status(ember_palette_run(&only_columns));
    golden_floats(columns[0].m, n * 16);
}

static void job_columns(uint32_t n)
{
    emberi_kernels_used()->columns(columns, model, n);
    golden_floats(columns[0].m, n * 16);
}

void golden_jobs(void)
{
    static const struct {
        const char *name;
        void (*run)(uint32_t n);
    } jobs[] = {
        {"decode", job_decode},
        {"decode_two", job_decode_two},
        {"sample", job_sample},
        {"lerp", job_lerp},
        {"lerp_each", job_lerp_each},
        {"slerp", job_slerp},
        {"slerp_each", job_slerp_each},
        {"blend", job_blend},
        {"blend_masked", job_blend_masked},
        {"additive_make", job_additive_make},
        {"additive", job_additive},
        {"additive_masked", job_additive_masked},
        {"matrices", job_matrices},
        {"compose", job_compose},
        {"compose_rig", job_compose_rig},
        {"palette", job_palette},
        {"columns", job_columns},
    };
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 21, 64, MOST};
    for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
        golden_begin(jobs[i].name);
        golden_seed(40 + (uint32_t)i);
        for (int round = 0; round < ROUNDS; round++)
            for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++) {
                jobs_fill(round % 2 != 0);
                jobs[i].run(counts[k]);
            }
    }
}
