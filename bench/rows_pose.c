/* SPDX-License-Identifier: MIT */
/* Rows of the pose room: the jobs as a caller runs them, in multiples of decoding one frame; then the kernels
   of other sets and other sizes, which have no limits. */
#include "bench.h"

#include <math.h>
#include <string.h>

#include "pose/kernels/kernels.h"

#define BONES 64
#define MOST_BONES 67
#define VERTICES 3000

/* Where outputs lie in their page (bench.h): a decoded pose has room beside its frames, the others do not. */
#define OUTPUT 3072
#define OUTPUT_DECODED 1344

/* The hierarchy of a person with hands: parents of 67 bones, depth first. */
static const int16_t person[MOST_BONES] = {-1, 0,  1,  2,  3,  4,  5,  6,  6,  8,  9,  10, 11, 12, 13, 14, 12,
                                           16, 17, 18, 12, 20, 21, 22, 12, 24, 25, 26, 12, 28, 29, 30, 6,  32,
                                           33, 34, 35, 36, 37, 38, 36, 40, 41, 42, 36, 44, 45, 46, 36, 48, 49,
                                           50, 36, 52, 53, 54, 1,  56, 57, 58, 59, 1,  61, 62, 63, 64, 65};

typedef struct pose_data {
    const emberi_kernels *kernels; /* NULL: the jobs */
    size_t                count;
    uint8_t              *frame, *next;
    ember_transform      *a, *b, *c, *d, *out, *decoded;
    float                *weights;
    ember_mat34          *local, *model, *binds, *out_matrices;
    ember_mat44          *palette, *out_palette;
    ember_rig             rig;
    float                *positions, *normals, *vertex_weights, *out_positions, *out_normals;
    float                *mesh, *out_mesh; /* interleaved: 48 and 32 bytes a vertex */
    uint8_t              *joints, *bytes;
} pose_data;

/* ---- data ---- */

static void pose_fill(bench *b, ember_transform *pose)
{
    for (int i = 0; i < MOST_BONES; i++) {
        float q[4], squared = 0.0f;
        for (int k = 0; k < 4; k++) {
            q[k] = bench_random_float(b, -1.0f, 1.0f);
            squared += q[k] * q[k];
        }
        float inverse = 1.0f / sqrtf(squared + 1e-9f);
        pose[i].rotation = (ember_quat){q[0] * inverse, q[1] * inverse, q[2] * inverse, q[3] * inverse};
        pose[i].position =
            (ember_vec3){bench_random_float(b, -0.2f, 0.2f), bench_random_float(b, -0.2f, 0.2f),
                         bench_random_float(b, -0.2f, 0.2f)};
        pose[i].scale = (ember_vec3){bench_random_float(b, 0.95f, 1.05f), bench_random_float(b, 0.95f, 1.05f),
                                     bench_random_float(b, 0.95f, 1.05f)};
    }
}

static void frame_fill(uint8_t *frame, const ember_transform *pose)
{
    for (int i = 0; i < MOST_BONES; i++)
        (void)ember_record_encode(frame + 16 * i, EMBER_RECORD_EWZ, &pose[i]);
}

static void mesh_fill(bench *b, pose_data *p)
{
    for (int i = 0; i < VERTICES; i++) {
        uint32_t left = 255;
        for (int k = 0; k < 4; k++) {
            uint32_t part = k == 3 ? left : bench_random(b) % (left + 1);
            left -= part;
            p->joints[4 * i + k] = (uint8_t)(bench_random(b) % BONES);
            p->bytes[4 * i + k] = (uint8_t)part;
            p->vertex_weights[4 * i + k] = (float)part / 255.0f;
        }
        for (int k = 0; k < 3; k++) {
            p->positions[3 * i + k] = bench_random_float(b, -1.0f, 1.0f);
            p->normals[3 * i + k] = bench_random_float(b, -1.0f, 1.0f);
        }
        float *vertex = p->mesh + 12 * i;
        memcpy(vertex, p->positions + 3 * i, 12);
        memcpy(vertex + 3, p->normals + 3 * i, 12);
        memcpy(vertex + 6, p->joints + 4 * i, 4);
        memcpy(vertex + 7, p->bytes + 4 * i, 4);
    }
}

static void rig_of(pose_data *p, uint32_t count)
{
    size_t size = ember_rig_size(count);
    (void)ember_rig_make(&p->rig, person, count, bench_memory(size, 256), size);
}

static pose_data *data_make(bench *b)
{
    pose_data *p = bench_memory(sizeof(*p), 0);
    p->count = BONES;
    p->frame = bench_memory(MOST_BONES * 16, 0);
    p->next = bench_memory(MOST_BONES * 16, 128);
    p->a = bench_memory(MOST_BONES * sizeof(*p->a), 0);
    p->b = bench_memory(MOST_BONES * sizeof(*p->b), 128);
    p->out = bench_memory(MOST_BONES * sizeof(*p->out), OUTPUT);
    p->decoded = bench_memory(MOST_BONES * sizeof(*p->decoded), OUTPUT_DECODED);
    p->c = bench_memory(MOST_BONES * sizeof(*p->c), 256);
    p->d = bench_memory(MOST_BONES * sizeof(*p->d), 384);
    p->weights = bench_memory(MOST_BONES * sizeof(*p->weights), 512);
    p->local = bench_memory(MOST_BONES * sizeof(*p->local), 0);
    p->model = bench_memory(MOST_BONES * sizeof(*p->model), 0);
    p->binds = bench_memory(MOST_BONES * sizeof(*p->binds), 128);
    p->out_matrices = bench_memory(MOST_BONES * sizeof(*p->out_matrices), OUTPUT);
    p->palette = bench_memory(MOST_BONES * sizeof(*p->palette), 0);
    p->out_palette = bench_memory(MOST_BONES * sizeof(*p->out_palette), OUTPUT);
    p->positions = bench_memory(VERTICES * 12, 0);
    p->normals = bench_memory(VERTICES * 12, 128);
    p->vertex_weights = bench_memory(VERTICES * 16, 256);
    p->out_positions = bench_memory(VERTICES * 12, OUTPUT);
    p->out_normals = bench_memory(VERTICES * 12, OUTPUT);
    p->joints = bench_memory(VERTICES * 4, 384);
    p->bytes = bench_memory(VERTICES * 4, 512);
    p->mesh = bench_memory(VERTICES * 48, 0);
    p->out_mesh = bench_memory(VERTICES * 32, OUTPUT);
    pose_fill(b, p->a);
    pose_fill(b, p->b);
    pose_fill(b, p->c);
    pose_fill(b, p->d);
    frame_fill(p->frame, p->a);
    frame_fill(p->next, p->b);
    for (int i = 0; i < MOST_BONES; i++)
        p->weights[i] = bench_random_float(b, 0.0f, 1.0f);
    mesh_fill(b, p);
    ember_matrices_run(&(ember_matrices_job){p->local, p->a, MOST_BONES});
    ember_matrices_run(&(ember_matrices_job){p->binds, p->b, MOST_BONES});
    ember_compose_run(&(ember_compose_job){p->model, p->a, person, NULL, MOST_BONES});
    ember_palette_run(&(ember_palette_job){NULL, p->palette, p->model, p->binds, MOST_BONES, NULL});
    rig_of(p, BONES);
    return p;
}

/* The same data for another set of kernels or another number of bones. */
static pose_data *data_variant(const pose_data *of, const emberi_kernels *kernels, size_t count)
{
    pose_data *p = bench_memory(sizeof(*p), 0);
    *p = *of;
    p->kernels = kernels;
    p->count = count;
    rig_of(p, (uint32_t)count);
    return p;
}

/* ---- what is timed ---- */

static void time_memcpy(void *user)
{
    pose_data *p = user;
    memcpy(p->out, p->a, p->count * sizeof(*p->out));
}

static void time_decode(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->decode(p->decoded, p->frame, p->count);
    else
        ember_decode_run(&(ember_decode_job){.out = p->decoded,
                                             .out_count = p->count,
                                             .frame = p->frame,
                                             .frame_size = p->count * 16,
                                             .bone_count = (uint32_t)p->count});
}

static void time_decode_lerp(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->decode_lerp(p->decoded, p->frame, p->next, 0.3f, p->count);
    else
        ember_decode_run(&(ember_decode_job){.out = p->decoded,
                                             .out_count = p->count,
                                             .frame = p->frame,
                                             .frame_size = p->count * 16,
                                             .next = p->next,
                                             .next_size = p->count * 16,
                                             .t = 0.3f,
                                             .bone_count = (uint32_t)p->count});
}

static void time_lerp(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->lerp(p->out, p->a, p->b, 0.3f, p->count);
    else
        ember_lerp_run(&(ember_lerp_job){.out = p->out,
                                         .a = p->a,
                                         .b = p->b,
                                         .t = 0.3f,
                                         .bone_count = (uint32_t)p->count});
}

static void time_lerp_each(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->lerp_each(p->out, p->a, p->b, p->weights, p->count);
    else
        ember_lerp_run(&(ember_lerp_job){.out = p->out,
                                         .a = p->a,
                                         .b = p->b,
                                         .weights = p->weights,
                                         .bone_count = (uint32_t)p->count});
}

static void time_slerp(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->slerp(p->out, p->a, p->b, 0.3f, p->count);
    else
        ember_lerp_run(&(ember_lerp_job){.out = p->out,
                                         .a = p->a,
                                         .b = p->b,
                                         .t = 0.3f,
                                         .method = EMBER_BLEND_SLERP,
                                         .bone_count = (uint32_t)p->count});
}

static void time_blend_layers(pose_data *p, const float *mask)
{
    const ember_blend_layer layers[4] = {{p->a, 0.4f, mask},
                                         {p->b, 0.3f, NULL},
                                         {p->c, 0.2f, NULL},
                                         {p->d, 0.1f, mask}};
    if (p->kernels != NULL)
        p->kernels->blend(p->out, layers, 4, 1.0f, p->count);
    else
        ember_blend_run(&(ember_blend_job){.out = p->out,
                                           .layers = layers,
                                           .layer_count = 4,
                                           .bone_count = (uint32_t)p->count});
}

static void time_blend(void *user) { time_blend_layers(user, NULL); }

static void time_blend_masked(void *user)
{
    pose_data *p = user;
    time_blend_layers(p, p->weights);
}

static void time_additive(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->additive(p->out, p->a, p->b, 0.3f, p->count);
    else
        ember_additive_run(&(ember_additive_job){.out = p->out,
                                                 .base = p->a,
                                                 .delta = p->b,
                                                 .weight = 0.3f,
                                                 .bone_count = (uint32_t)p->count});
}

static void time_matrices(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->matrices(p->out_matrices, p->a, p->count);
    else
        ember_matrices_run(&(ember_matrices_job){p->out_matrices, p->a, (uint32_t)p->count});
}

static void time_compose(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL) {
        p->kernels->matrices(p->out_matrices, p->a, p->count);
        p->kernels->compose(p->out_matrices, person, p->count);
    } else {
        ember_compose_run(&(ember_compose_job){.out = p->out_matrices,
                                               .pose = p->a,
                                               .parents = person,
                                               .bone_count = (uint32_t)p->count});
    }
}

static void time_compose_rig(void *user)
{
    pose_data *p = user;
    ember_compose_run(&(ember_compose_job){.out = p->out_matrices, .pose = p->a, .rig = &p->rig});
}

static void time_palette_rows(void *user)
{
    pose_data *p = user;
    if (p->kernels != NULL)
        p->kernels->palette(p->out_matrices, NULL, p->model, p->binds, p->count);
    else
        ember_palette_run(
            &(ember_palette_job){p->out_matrices, NULL, p->model, p->binds, (uint32_t)p->count, NULL});
}

static void time_palette_columns(void *user)
{
    pose_data *p = user;
    ember_palette_run(
        &(ember_palette_job){NULL, p->out_palette, p->model, p->binds, (uint32_t)p->count, NULL});
}

static void time_columns(void *user)
{
    pose_data *p = user;
    emberi_kernels_used()->columns(p->out_palette, p->model, p->count);
}

static ember_skin_job skin_job(const pose_data *p)
{
    return (ember_skin_job){
        .out_positions = p->out_positions,
        .out_positions_stride = 12,
        .out_normals_stride = 12,
        .positions = p->positions,
        .positions_stride = 12,
        .normals_stride = 12,
        .joints = p->joints,
        .joints_stride = 4,
        .weights = p->vertex_weights,
        .weights_stride = 16,
        .influences = 4,
        .palette = p->palette,
        .palette_count = BONES,
        .vertex_count = VERTICES,
    };
}

static void skin_run(const pose_data *p, const ember_skin_job *job)
{
    if (p->kernels != NULL)
        p->kernels->skin(job);
    else
        ember_skin_run(job);
}

static void skin_use_bytes(ember_skin_job *job, const pose_data *p)
{
    job->weights = p->bytes;
    job->weights_stride = 4;
    job->weights_kind = EMBER_WEIGHTS_UNORM8;
}

static void skin_use_normals(ember_skin_job *job, const pose_data *p)
{
    job->normals = p->normals;
    job->out_normals = p->out_normals;
}

static void time_skin(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    skin_run(p, &job);
}

static void time_skin_bytes(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    skin_use_bytes(&job, p);
    skin_run(p, &job);
}

static void time_skin_normals(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    skin_use_normals(&job, p);
    skin_run(p, &job);
}

static void time_skin_bytes_normals(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    skin_use_bytes(&job, p);
    skin_use_normals(&job, p);
    skin_run(p, &job);
}

static void time_skin_rigid(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    job.influences = 0;
    job.rigid_bone = 17;
    skin_run(p, &job);
}

static void time_skin_rigid_normals(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    skin_use_normals(&job, p);
    job.influences = 0;
    job.rigid_bone = 17;
    skin_run(p, &job);
}

static void time_skin_two(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    job.influences = 2;
    skin_run(p, &job);
}

static void time_skin_interleaved(void *user)
{
    pose_data     *p = user;
    ember_skin_job job = skin_job(p);
    job.positions = p->mesh;
    job.normals = p->mesh + 3;
    job.joints = (const uint8_t *)(p->mesh + 6);
    job.weights = p->mesh + 7;
    job.weights_kind = EMBER_WEIGHTS_UNORM8;
    job.positions_stride = job.normals_stride = job.joints_stride = job.weights_stride = 48;
    job.out_positions = p->out_mesh;
    job.out_normals = p->out_mesh + 3;
    job.out_positions_stride = job.out_normals_stride = 32;
    skin_run(p, &job);
}

/* ---- rows ---- */

static void rows_with_limits(bench *b, pose_data *p, const bench_timed *decode)
{
    const struct {
        const char *name;
        void (*run)(void *user);
        size_t items;
        double limit;
    } rows[] = {
        {"decode two + nlerp", time_decode_lerp, BONES, 3.4},
        {"blend two", time_lerp, BONES, 1.85},
        {"blend two, per-bone weights", time_lerp_each, BONES, 2.2},
        {"blend four", time_blend, BONES, 3.8},
        {"additive", time_additive, BONES, 2.45},
        {"slerp", time_slerp, BONES, 3.25},
        {"TRS to 3x4", time_matrices, BONES, 1.85},
        {"pose to model", time_compose, BONES, 4.1},
        {"palette", time_palette_rows, BONES, 1.65},
        {"skin, float weights", time_skin, VERTICES, 2.75},
        {"skin, unorm8 weights", time_skin_bytes, VERTICES, 2.9},
        {"skin, with normals", time_skin_normals, VERTICES, 3.5},
        {"skin, rigid", time_skin_rigid, VERTICES, 1.0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        bench_row(b, rows[i].name, bench_time(b, rows[i].run, p, rows[i].items), decode, BENCH_AT_MOST,
                  rows[i].limit);
}

static void rows_without(bench *b, pose_data *p, const bench_timed *decode)
{
    const struct {
        const char *name;
        void (*run)(void *user);
        size_t items;
    } rows[] = {
        {"blend four, two of them masked", time_blend_masked, BONES},
        {"pose to model, with a rig", time_compose_rig, BONES},
        {"palette to 4x4", time_palette_columns, BONES},
        {"3x4 to 4x4", time_columns, BONES},
        {"skin, 2 influences", time_skin_two, VERTICES},
        {"skin, unorm8 weights and normals", time_skin_bytes_normals, VERTICES},
        {"skin, unorm8 and normals, interleaved", time_skin_interleaved, VERTICES},
        {"skin, rigid with normals", time_skin_rigid_normals, VERTICES},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        bench_row(b, rows[i].name, bench_time(b, rows[i].run, p, rows[i].items), decode, BENCH_NO_LIMIT, 0.0);
}

/* Numbers of bones that are no multiple of the lanes. */
static void rows_of_size(bench *b, pose_data *p, const bench_timed *decode, const char *const names[4])
{
    bench_row(b, names[0], bench_time(b, time_decode, p, p->count), decode, BENCH_NO_LIMIT, 0.0);
    bench_row(b, names[1], bench_time(b, time_lerp, p, p->count), decode, BENCH_NO_LIMIT, 0.0);
    bench_row(b, names[2], bench_time(b, time_matrices, p, p->count), decode, BENCH_NO_LIMIT, 0.0);
    bench_row(b, names[3], bench_time(b, time_compose, p, p->count), decode, BENCH_NO_LIMIT, 0.0);
}

static void rows_of_sse2(bench *b, pose_data *p, const bench_timed *decode)
{
    const struct {
        const char *name;
        void (*run)(void *user);
        size_t items;
    } rows[] = {
        {"sse2: decode", time_decode, BONES},
        {"sse2: decode two + nlerp", time_decode_lerp, BONES},
        {"sse2: blend two", time_lerp, BONES},
        {"sse2: blend four", time_blend, BONES},
        {"sse2: additive", time_additive, BONES},
        {"sse2: slerp", time_slerp, BONES},
        {"sse2: TRS to 3x4", time_matrices, BONES},
        {"sse2: pose to model", time_compose, BONES},
        {"sse2: palette", time_palette_rows, BONES},
        {"sse2: skin, float weights", time_skin, VERTICES},
        {"sse2: skin, unorm8 weights", time_skin_bytes, VERTICES},
        {"sse2: skin, with normals", time_skin_normals, VERTICES},
        {"sse2: skin, rigid", time_skin_rigid, VERTICES},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        bench_row(b, rows[i].name, bench_time(b, rows[i].run, p, rows[i].items), decode, BENCH_NO_LIMIT, 0.0);
}

void bench_pose(bench *b)
{
    static const char *const names_41[4] = {"decode, 41 bones", "blend two, 41 bones", "TRS to 3x4, 41 bones",
                                            "pose to model, 41 bones"};
    static const char *const names_67[4] = {"decode, 67 bones", "blend two, 67 bones", "TRS to 3x4, 67 bones",
                                            "pose to model, 67 bones"};
    pose_data               *p = data_make(b);
    pose_data               *plain = data_variant(p, emberi_kernels_for(EMBER_ISA_SCALAR), BONES);

    bench_timed *decode = bench_time(b, time_decode, p, BONES);
    bench_timed *decode_plain = bench_time(b, time_decode, plain, BONES);
    bench_timed *copy = bench_time(b, time_memcpy, p, BONES);
    bench_row(b, "decode: times as fast as plain C", decode, decode_plain, BENCH_AT_LEAST, 9.5);
    bench_row(b, "decode: multiples of memcpy of its output", decode, copy, BENCH_AT_MOST, 3.1);
    rows_with_limits(b, p, decode);
    rows_without(b, p, decode);
    rows_of_size(b, data_variant(p, NULL, 41), decode, names_41);
    rows_of_size(b, data_variant(p, NULL, 67), decode, names_67);
    if (ember_isa_runs(EMBER_ISA_SSE2))
        rows_of_sse2(b, data_variant(p, emberi_kernels_for(EMBER_ISA_SSE2), BONES), decode);
    bench_row(b, "scalar: decode", decode_plain, decode, BENCH_NO_LIMIT, 0.0);
}
