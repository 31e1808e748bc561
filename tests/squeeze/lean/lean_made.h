/* SPDX-License-Identifier: MIT */
/* Clips made for the tests of lean clips: from still ones to noise, with spins, mirrors and shear; and their
   error, measured without the library's help. */
#ifndef EMBER_TESTS_LEAN_MADE_H
#define EMBER_TESTS_LEAN_MADE_H

#include "testing.h"

#include <math.h>

#include "ember/lean.h"

typedef enum lean_made_kind {
    LEAN_MADE_SWAY,   /* smooth motion, some positions with it */
    LEAN_MADE_SPIN,   /* bones that turn round and round */
    LEAN_MADE_MIRROR, /* negative scales on the way */
    LEAN_MADE_SHEAR,  /* scales that differ by axis, and change */
    LEAN_MADE_STILL,  /* nothing moves, half of the bones are not at rest */
    LEAN_MADE_NOISE,  /* another pose in every frame */
    LEAN_MADE_STEPS,  /* poses that are held, then jump */
    LEAN_MADE_KINDS
} lean_made_kind;

typedef struct lean_made {
    uint32_t         bone_count, frame_count;
    ember_transform *frames;
    int16_t         *parents;
    uint8_t         *rig_data;
    ember_lean_rig   rig;
    uint8_t         *data; /* encoded, exactly size bytes */
    size_t           size;
    ember_lean_job   job; /* as it came back */
} lean_made;

static inline ember_quat lean_made_turn(float x, float y, float z, float angle)
{
    const float length = sqrtf(x * x + y * y + z * z), s = sinf(angle / 2) / length;
    return (ember_quat){x * s, y * s, z * s, cosf(angle / 2)};
}

static inline ember_transform lean_made_bone(lean_made_kind kind, uint32_t bone, uint32_t frame,
                                             test_random *random)
{
    const float     b = (float)bone, time = (float)frame / 30.0f;
    const float     held = kind == LEAN_MADE_STEPS ? floorf(time * 3.0f) : time;
    ember_transform t = {lean_made_turn(1.0f, 0.3f * b, 0.5f, 0.7f * sinf(2.0f * held + b)),
                         {0.1f, bone % 3 == 1 ? 0.2f + 0.05f * sinf(3.0f * held + b) : 0.2f, 0.02f * b},
                         {1.0f, 1.0f, 1.0f}};
    switch (kind) {
    case LEAN_MADE_SPIN:
        t.rotation = lean_made_turn(0.2f, 1.0f, 0.1f * b, (3.0f + b) * time);
        break;
    case LEAN_MADE_MIRROR:
        t.scale = (ember_vec3){bone % 3 == 0 ? -1.0f : 1.0f, bone % 4 == 1 ? -1.0f : 1.0f,
                               bone % 5 == 2 ? -1.0f : 1.0f};
        break;
    case LEAN_MADE_SHEAR:
        t.scale = (ember_vec3){1.0f + 0.3f * sinf(time + b), 0.7f, bone % 2 != 0 ? 1.4f : 1.0f};
        break;
    case LEAN_MADE_STILL:
        t = (ember_transform){lean_made_turn(1.0f, 2.0f, 3.0f, bone % 2 != 0 ? 1.0f : 0.0f),
                              {0.1f, 0.2f, 0.3f},
                              {1.0f, bone % 4 == 3 ? 2.0f : 1.0f, 1.0f}};
        break;
    case LEAN_MADE_NOISE:
        t.rotation = lean_made_turn(test_random_float(random, -1, 1), test_random_float(random, -1, 1), 1.1f,
                                    test_random_float(random, -6, 6));
        t.position.x = test_random_float(random, -1, 1);
        t.scale.y = test_random_float(random, 0.5f, 1.5f);
        break;
    default:
        break;
    }
    if (kind != LEAN_MADE_NOISE && bone % 4 == 3) /* some bones stand still */
        t.rotation = lean_made_turn(0.0f, 1.0f, 0.0f, 0.5f);
    return t;
}

/* A tree with a few roots; odd seeds leave every bone without a parent. */
static inline void lean_made_source(lean_made *out, lean_made_kind kind, uint32_t bones, uint32_t frames,
                                    uint64_t seed)
{
    test_random random = {seed * 2 + 1};
    *out = (lean_made){.bone_count = bones,
                       .frame_count = frames,
                       .frames = test_alloc((size_t)bones * frames * sizeof(ember_transform)),
                       .parents = test_alloc(bones * sizeof(int16_t))};
    for (uint32_t bone = 0; bone < bones; bone++)
        out->parents[bone] =
            (int16_t)(seed % 2 != 0 || bone % 11 == 0
                          ? -1
                          : (int)(bone - 1 - test_random_u32(&random) % 2 * (bone % 11 != 1)));
    for (uint32_t f = 0; f < frames; f++)
        for (uint32_t bone = 0; bone < bones; bone++)
            out->frames[(size_t)f * bones + bone] = lean_made_bone(kind, bone, f, &random);
}

static inline void lean_made_rig(lean_made *made)
{
    ember_arena                  arena = ember_arena_growing(ember_heap(), 0);
    const ember_transform *const clips[1] = {made->frames};
    ember_error                  err = EMBER_ERROR_INIT;
    ember_lean_rig_job           job = {.out_capacity = ember_lean_rig_bound(made->bone_count),
                                        .clips = clips,
                                        .frame_counts = &made->frame_count,
                                        .clip_count = 1,
                                        .bone_count = made->bone_count,
                                        .shell = 0.03f};
    job.out = test_alloc(job.out_capacity);
    assert_int_equal(ember_lean_rig_make(&job, &arena, &err), EMBER_OK);
    made->rig_data = test_exact_copy(job.out, job.out_size);
    free(job.out);
    assert_int_equal(ember_lean_rig_open(&made->rig, made->rig_data, job.out_size, &err), EMBER_OK);
    ember_arena_free(&arena);
}

/* Encodes into memory of exactly the bound; the status is the caller's to check. */
static inline ember_status lean_made_encode(lean_made *made, float max_error)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    made->job = (ember_lean_job){.out_capacity = ember_lean_bound(made->bone_count, made->frame_count),
                                 .frames = made->frames,
                                 .frame_count = made->frame_count,
                                 .parents = made->parents,
                                 .rig = &made->rig,
                                 .max_error = max_error};
    made->job.out = test_alloc(made->job.out_capacity);
    memset(made->job.out, 0xa5, made->job.out_capacity);
    const ember_status status = ember_lean_encode(&made->job, &arena, &err);
    assert_int_equal(err.status, status);
    free(made->data);
    made->size = made->job.out_size;
    made->data = test_exact_copy(made->job.out, made->size);
    free(made->job.out);
    made->job.out = NULL;
    ember_arena_free(&arena);
    return status;
}

static inline void lean_made_make(lean_made *out, lean_made_kind kind, uint32_t bones, uint32_t frames,
                                  uint64_t seed, float max_error)
{
    lean_made_source(out, kind, bones, frames, seed);
    lean_made_rig(out);
    assert_int_equal(lean_made_encode(out, max_error), EMBER_OK);
}

static inline void lean_made_free(lean_made *made)
{
    free(made->frames);
    free(made->parents);
    free(made->rig_data);
    free(made->data);
}

/* Opened in memory of exactly the size that it asks for. */
static inline void *lean_made_open(ember_lean_clip *out, const lean_made *made)
{
    const size_t size = ember_lean_open_size(made->data, made->size, &made->rig);
    void        *memory = NULL;
    ember_error  err = EMBER_ERROR_INIT;
    assert_int_equal(posix_memalign(&memory, 32, size), 0);
    memset(memory, 0xcd, size);
    assert_int_equal(ember_lean_open(out, made->data, made->size, &made->rig, memory, size, &err), EMBER_OK);
    return memory;
}

static inline void *lean_made_cursor(ember_lean_cursor *out, const ember_lean_clip *clip)
{
    const size_t size = ember_lean_cursor_size(clip);
    void        *memory = NULL;
    assert_int_equal(posix_memalign(&memory, 32, size), 0);
    memset(memory, 0xcd, size);
    assert_int_equal(ember_lean_cursor_init(out, clip, memory, size), EMBER_OK);
    return memory;
}

/* ---- the error, by the definition ---- */

/* Columns x, y, z and the place, in double precision. */
static inline void lean_made_matrix(double out[4][3], const ember_transform *t)
{
    double       q[4] = {(double)t->rotation.x, (double)t->rotation.y, (double)t->rotation.z,
                         (double)t->rotation.w};
    const double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double s[3] = {(double)t->scale.x, (double)t->scale.y, (double)t->scale.z};
    for (int axis = 0; axis < 3; axis++) {
        /* v + 2 u x (u x v + w v) */
        double v[3] = {axis == 0, axis == 1, axis == 2}, u[3] = {q[0] / n, q[1] / n, q[2] / n}, w = q[3] / n;
        double a[3] = {u[1] * v[2] - u[2] * v[1] + w * v[0], u[2] * v[0] - u[0] * v[2] + w * v[1],
                       u[0] * v[1] - u[1] * v[0] + w * v[2]};
        out[axis][0] = s[axis] * (v[0] + 2 * (u[1] * a[2] - u[2] * a[1]));
        out[axis][1] = s[axis] * (v[1] + 2 * (u[2] * a[0] - u[0] * a[2]));
        out[axis][2] = s[axis] * (v[2] + 2 * (u[0] * a[1] - u[1] * a[0]));
    }
    out[3][0] = (double)t->position.x, out[3][1] = (double)t->position.y, out[3][2] = (double)t->position.z;
}

static inline void lean_made_compose(double (*out)[4][3], const ember_transform *pose, const lean_made *made)
{
    for (uint32_t bone = 0; bone < made->bone_count; bone++) {
        double local[4][3];
        lean_made_matrix(local, &pose[bone]);
        memcpy(out[bone], local, sizeof(local));
        if (made->parents[bone] < 0)
            continue;
        double(*up)[3] = out[made->parents[bone]];
        for (int c = 0; c < 4; c++)
            for (int row = 0; row < 3; row++)
                out[bone][c][row] = up[0][row] * local[c][0] + up[1][row] * local[c][1] +
                                    up[2][row] * local[c][2] + (c == 3 ? up[3][row] : 0.0);
    }
}

static inline double lean_made_error(const lean_made *made, const ember_lean_clip *clip)
{
    double(*want)[4][3] = test_alloc(made->bone_count * sizeof(*want));
    double(*have)[4][3] = test_alloc(made->bone_count * sizeof(*have));
    ember_transform *pose = test_alloc(made->bone_count * sizeof(*pose));
    double           worst = 0.0;
    for (uint32_t f = 0; f < made->frame_count; f++) {
        assert_int_equal(ember_lean_sample(pose, made->bone_count, clip, f, 0), EMBER_OK);
        lean_made_compose(want, made->frames + (size_t)f * made->bone_count, made);
        lean_made_compose(have, pose, made);
        for (uint32_t bone = 0; bone < made->bone_count; bone++)
            for (int point = 0; point < 4; point++) { /* three around the bone, and the bone */
                const double *axis = want[bone][point];
                const double  length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
                double        sum = 0.0;
                for (int row = 0; row < 3; row++) {
                    double d = have[bone][3][row] - want[bone][3][row];
                    if (point < 3 && length > 0.0)
                        d += (have[bone][point][row] - axis[row]) * (double)made->rig.shell / length;
                    sum += d * d;
                }
                worst = sqrt(sum) > worst ? sqrt(sum) : worst;
            }
    }
    free(pose);
    free(have);
    free(want);
    return worst;
}

#endif
