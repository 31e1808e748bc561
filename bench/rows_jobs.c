/* SPDX-License-Identifier: MIT */
/* Rows of the pose room's jobs as engines run them: with buffers wherever the allocator put them, for rigs of
   31, 41, 64 and 67 bones, in multiples of decoding a frame of the same bones; and for 10,000 characters with
   buffers of their own, in multiples of copying as many bytes. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BONES 67
#define PLACES 60
#define SIZES 4
#define CROWD 10000
#define CROWD_BONES 64

/* ---- rigs ---- */

/* A figure of motion capture, one with two fingers on each hand, and one with five. */
static const int16_t capture[31] = {-1, 0,  1,  2,  3,  4,  0,  6,  7,  8,  9,  0,  11, 12, 13, 14,
                                    15, 13, 17, 18, 19, 20, 21, 20, 13, 24, 25, 26, 27, 28, 27};
static const int16_t soldier[41] = {-1, 0,  1,  2,  3,  4,  5,  3,  7,  8,  9,  10, 11, 12,
                                    13, 10, 15, 16, 17, 3,  19, 20, 21, 22, 23, 24, 25, 22,
                                    27, 28, 29, 0,  31, 32, 33, 34, 0,  36, 37, 38, 39};
static const int16_t person[67] = {-1, 0,  1,  2,  3,  4,  5,  6,  6,  8,  9,  10, 11, 12, 13, 14, 12,
                                   16, 17, 18, 12, 20, 21, 22, 12, 24, 25, 26, 12, 28, 29, 30, 6,  32,
                                   33, 34, 35, 36, 37, 38, 36, 40, 41, 42, 36, 44, 45, 46, 36, 48, 49,
                                   50, 36, 52, 53, 54, 1,  56, 57, 58, 59, 1,  61, 62, 63, 64, 65};

static const struct {
    const int16_t *parents;
    uint32_t       bone_count;
} sizes[SIZES] = {{capture, 31}, {soldier, 41}, {person, 64}, {person, 67}};

static void rig_of(ember_rig *out, const int16_t *parents, uint32_t bone_count)
{
    size_t size = ember_rig_size(bone_count);
    if (ember_rig_make(out, parents, bone_count, bench_memory(size, 0), size) != EMBER_OK)
        exit(2);
}

/* ---- one character ---- */

typedef struct character {
    uint32_t         count;
    ember_rig        rig;
    uint8_t         *frames[2];
    ember_transform *poses[4], *out;
    float           *mask;
    ember_mat34     *model, *binds, *out_model;
    ember_mat44     *palette;
} character;

static ember_quat any_rotation(bench *b)
{
    return ember_quat_normalize(
        (ember_quat){bench_random_float(b, -1.0f, 1.0f), bench_random_float(b, -1.0f, 1.0f),
                     bench_random_float(b, -1.0f, 1.0f), bench_random_float(b, 0.1f, 1.0f)});
}

static void pose_fill(bench *b, ember_transform *pose, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        pose[i].rotation = any_rotation(b);
        pose[i].position = (ember_vec3){bench_random_float(b, -0.2f, 0.2f), 0.1f, 0.05f};
        pose[i].scale = (ember_vec3){1.0f, bench_random_float(b, 0.95f, 1.05f), 1.0f};
    }
}

/* At any address that a float may have. */
static void *placed(bench *b, size_t size) { return bench_memory(size, bench_random(b) % 1024 * 4); }

static character *character_make(bench *b, const int16_t *parents, uint32_t count)
{
    character *c = bench_memory(sizeof(*c), 0);
    c->count = count;
    rig_of(&c->rig, parents, count);
    for (int i = 0; i < 4; i++) {
        c->poses[i] = placed(b, count * sizeof(*c->poses[i]));
        pose_fill(b, c->poses[i], count);
    }
    for (int i = 0; i < 2; i++) {
        c->frames[i] = placed(b, (size_t)count * 16);
        for (uint32_t k = 0; k < count; k++)
            (void)ember_record_encode(c->frames[i] + (size_t)16 * k, EMBER_RECORD_EWZ, &c->poses[i][k]);
    }
    c->mask = placed(b, count * sizeof(*c->mask));
    for (uint32_t i = 0; i < count; i++)
        c->mask[i] = bench_random_float(b, 0.0f, 1.0f);
    c->out = placed(b, count * sizeof(*c->out));
    c->model = placed(b, count * sizeof(*c->model));
    c->binds = placed(b, count * sizeof(*c->binds));
    c->out_model = placed(b, count * sizeof(*c->out_model));
    c->palette = placed(b, count * sizeof(*c->palette));
    ember_matrices_run(&(ember_matrices_job){c->model, c->poses[0], count});
    ember_matrices_run(&(ember_matrices_job){c->binds, c->poses[1], count});
    return c;
}

static void job_decode(void *user)
{
    character *c = user;
    ember_decode_run(&(ember_decode_job){.out = c->out,
                                         .out_count = c->count,
                                         .frame = c->frames[0],
                                         .frame_size = (size_t)c->count * 16,
                                         .bone_count = c->count});
}

static void job_decode_two(void *user)
{
    character *c = user;
    ember_decode_run(&(ember_decode_job){.out = c->out,
                                         .out_count = c->count,
                                         .frame = c->frames[0],
                                         .frame_size = (size_t)c->count * 16,
                                         .next = c->frames[1],
                                         .next_size = (size_t)c->count * 16,
                                         .t = 0.3f,
                                         .bone_count = c->count});
}

static void lerp_by(character *c, const float *weights, ember_blend_method method)
{
    ember_lerp_run(&(ember_lerp_job){.out = c->out,
                                     .a = c->poses[0],
                                     .b = c->poses[1],
                                     .weights = weights,
                                     .t = 0.3f,
                                     .method = method,
                                     .bone_count = c->count});
}

static void job_lerp(void *user) { lerp_by(user, NULL, EMBER_BLEND_NLERP); }
static void job_slerp(void *user) { lerp_by(user, NULL, EMBER_BLEND_SLERP); }
static void job_lerp_each(void *user)
{
    character *c = user;
    lerp_by(c, c->mask, EMBER_BLEND_NLERP);
}

static void blend_by(character *c, uint32_t layer_count, const float *mask)
{
    const ember_blend_layer layers[4] = {{c->poses[0], 0.4f, mask},
                                         {c->poses[1], 0.3f, NULL},
                                         {c->poses[2], 0.2f, NULL},
                                         {c->poses[3], 0.1f, mask}};
    ember_blend_run(&(ember_blend_job){.out = c->out,
                                       .layers = layers,
                                       .layer_count = layer_count,
                                       .bone_count = c->count});
}

static void job_blend_two(void *user) { blend_by(user, 2, NULL); }
static void job_blend_four(void *user) { blend_by(user, 4, NULL); }
static void job_blend_masked(void *user)
{
    character *c = user;
    blend_by(c, 4, c->mask);
}

static void additive_by(character *c, const float *mask)
{
    ember_additive_run(&(ember_additive_job){.out = c->out,
                                             .base = c->poses[0],
                                             .delta = c->poses[1],
                                             .mask = mask,
                                             .weight = 0.3f,
                                             .bone_count = c->count});
}

static void job_additive(void *user) { additive_by(user, NULL); }
static void job_additive_masked(void *user)
{
    character *c = user;
    additive_by(c, c->mask);
}

static void job_compose(void *user)
{
    character *c = user;
    ember_compose_run(&(ember_compose_job){.out = c->out_model, .pose = c->poses[0], .rig = &c->rig});
}

static void job_palette(void *user)
{
    character *c = user;
    ember_palette_run(&(ember_palette_job){.columns = c->palette,
                                           .model = c->model,
                                           .inverse_binds = c->binds,
                                           .rig = &c->rig});
}

/* The worst of the four sizes, each the median of all places. */
static void rows_placed(bench *b)
{
    static const struct {
        const char *name;
        void (*run)(void *user);
        double limit;
    } rows[] = {
        {"placed: decode two and interpolate", job_decode_two, 2.65},
        {"placed: blend two, ember_lerp_run", job_lerp, 1.6},
        {"placed: blend two, ember_blend_run", job_blend_two, 1.6},
        {"placed: blend two, per-bone weights", job_lerp_each, 1.9},
        {"placed: blend two, slerp", job_slerp, 2.8},
        {"placed: blend four", job_blend_four, 3.1},
        {"placed: blend four, two of them masked", job_blend_masked, 6.0},
        {"placed: additive", job_additive, 2.1},
        {"placed: additive, masked", job_additive_masked, 2.5},
        {"placed: pose to model, with a rig", job_compose, 3.4},
        {"placed: palette to 4x4", job_palette, 1.7},
    };
    const size_t row_count = sizeof(rows) / sizeof(*rows);
    bench_pair  *pairs = bench_memory(row_count * SIZES * sizeof(*pairs), 0);
    for (size_t s = 0; s < SIZES; s++) {
        void **places = bench_memory(PLACES * sizeof(*places), 0);
        for (int i = 0; i < PLACES; i++)
            places[i] = character_make(b, sizes[s].parents, sizes[s].bone_count);
        const bench_timed *decode = bench_time_placed(b, job_decode, places, PLACES, sizes[s].bone_count);
        for (size_t i = 0; i < row_count; i++)
            pairs[i * SIZES + s] =
                (bench_pair){bench_time_placed(b, rows[i].run, places, PLACES, sizes[s].bone_count), decode};
    }
    for (size_t i = 0; i < row_count; i++)
        bench_row_of(b, rows[i].name, pairs + i * SIZES, SIZES, BENCH_WORST, rows[i].limit);
}

/* ---- a crowd ---- */

/* Characters stand one behind the other in each buffer. */
typedef struct crowd {
    character first;
    size_t    copied; /* bytes per character, of what a job is compared with */
    void (*run)(void *user);
} crowd;

static void crowd_run(void *user)
{
    const crowd *of = user;
    character    c = of->first;
    for (int i = 0; i < CROWD; i++) {
        of->run(&c);
        for (int k = 0; k < 4; k++)
            c.poses[k] += CROWD_BONES;
        c.frames[0] += CROWD_BONES * 16;
        c.frames[1] += CROWD_BONES * 16;
        c.out += CROWD_BONES;
        c.out_model += CROWD_BONES;
        c.model += CROWD_BONES;
        c.palette += CROWD_BONES;
    }
}

/* Half of what the job reads and writes: a copy reads and writes it. */
static void crowd_copy(void *user)
{
    const crowd   *of = user;
    const uint8_t *from = (const uint8_t *)of->first.poses[0];
    uint8_t       *to = (uint8_t *)of->first.out;
    for (size_t i = 0; i < CROWD; i++)
        memcpy(to + i * of->copied, from + i * of->copied, of->copied);
}

/* One memory for all that is read and one for all that is written, as only one job runs at a time. */
static character crowd_make(bench *b)
{
    const size_t poses = (size_t)CROWD * CROWD_BONES;
    character   *one = character_make(b, person, CROWD_BONES), all = *one;
    for (int i = 0; i < 4; i++) {
        all.poses[i] =
            i == 0 ? bench_memory(4 * poses * sizeof(ember_transform), 0) : all.poses[i - 1] + poses;
        for (size_t k = 0; k < CROWD; k++)
            memcpy(all.poses[i] + k * CROWD_BONES, one->poses[i], CROWD_BONES * sizeof(ember_transform));
    }
    for (int i = 0; i < 2; i++) {
        all.frames[i] = bench_memory(poses * 16, 0);
        for (size_t k = 0; k < CROWD; k++)
            memcpy(all.frames[i] + k * CROWD_BONES * 16, one->frames[i], (size_t)CROWD_BONES * 16);
    }
    all.model = bench_memory(poses * sizeof(ember_mat34), 0);
    for (size_t k = 0; k < CROWD; k++)
        memcpy(all.model + k * CROWD_BONES, one->model, CROWD_BONES * sizeof(ember_mat34));
    all.palette = bench_memory(poses * sizeof(ember_mat44), 0);
    all.out = (ember_transform *)(void *)all.palette;
    all.out_model = (ember_mat34 *)(void *)all.palette;
    return all;
}

static void rows_crowd(bench *b)
{
    static const struct {
        const char *name;
        void (*run)(void *user);
        size_t moved; /* bytes per bone, read and written */
    } rows[] = {
        {"10,000: decode, to a copy", job_decode, 16 + 40},
        {"10,000: decode two and interpolate, to a copy", job_decode_two, 32 + 40},
        {"10,000: blend two, to a copy", job_lerp, 80 + 40},
        {"10,000: blend four, to a copy", job_blend_four, 160 + 40},
        {"10,000: additive, to a copy", job_additive, 80 + 40},
        {"10,000: pose to model, to a copy", job_compose, 40 + 48},
        {"10,000: palette to 4x4, to a copy", job_palette, 48 + 64}, /* the binds are everyone's */
    };
    character all = crowd_make(b);
    bench_stage(b);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        crowd *of = bench_memory(sizeof(*of), 0);
        *of = (crowd){all, rows[i].moved * CROWD_BONES / 2, rows[i].run};
        bench_row(b, rows[i].name, bench_time(b, crowd_run, of, CROWD), bench_time(b, crowd_copy, of, CROWD),
                  BENCH_AT_MOST, 1.3);
    }
}

void bench_jobs(bench *b)
{
    bench_stage(b);
    rows_placed(b);
    rows_crowd(b);
    bench_stage(b);
}
