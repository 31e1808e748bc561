/* SPDX-License-Identifier: MIT */
/* Rows of the renderer and of a crowd on the console: what stamping and sorting a thousand characters cost
   the host, and how long pictures of them take. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/ewzanim.h"
#include "console/functions.h"
#include "ember/renderer.h"
#include "gpu/sorting.h"

#define BONES 40u
#define FRAMES 30u
#define CROWD 1000u
#define SECTORS 12u
#define MEMORY (1u << 20)
#define STAMP_LIMIT_MS 0.3
#define PICTURES 8 /* the shortest of so many counts */

/* ---- the host: a game that stamps, as far as the console sees it ---- */

typedef struct crowd {
    ember_console *console;
    uint32_t       mesh, skeleton, clip;
} crowd;

static void crowd_trap(void *user, const ember_trap *trap)
{
    (void)user;
    fprintf(stderr, "bench: %s\n", trap->text);
    exit(2);
}

static void crowd_open(crowd *c, uint8_t *memory)
{
    const uint32_t        keyframes = 16, mesh = 65536, binds = 131072;
    ember_console_options options = {.allocator = ember_heap(), .trap = crowd_trap};
    ember_error           err = EMBER_ERROR_INIT;
    uint8_t              *record = memory + keyframes + EMBERI_EWZANIM_HEADER_SIZE;
    const float           identity[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    if (ember_console_create(&c->console, &options, &err) != EMBER_OK) {
        fprintf(stderr, "bench: %s\n", err.text);
        exit(2);
    }
    emberi_ewzanim_put(memory + keyframes, BONES, FRAMES);
    for (uint32_t i = 0; i < BONES * FRAMES; i++, record += EMBER_KEYFRAME_SIZE) {
        ember_transform still = EMBER_TRANSFORM_IDENTITY;
        (void)ember_record_encode(record, EMBER_RECORD_EWZ, &still);
    }
    for (uint32_t i = 0; i < BONES; i++)
        memcpy(memory + binds + i * sizeof(identity), identity, sizeof(identity));
    ember_console_set_memory(c->console, memory, MEMORY);
    ember_console_begin(c->console, EMBER_PHASE_INIT, NULL);
    c->clip = emberi_host_keyframes_load(c->console, keyframes, (uint32_t)emberi_ewzanim_size(BONES, FRAMES));
    c->mesh = emberi_host_load_mesh(c->console, mesh, 3, 8);
    c->skeleton = emberi_host_load_skeleton(c->console, binds, BONES);
    ember_console_end(c->console);
}

static void time_stamp(void *user)
{
    crowd         *c = user;
    ember_console *k = c->console;
    ember_console_begin(k, EMBER_PHASE_RENDER, NULL);
    emberi_host_skeleton_bind(k, c->skeleton);
    for (uint32_t i = 0; i < CROWD; i++) {
        emberi_host_push_identity(k);
        /* NOLINTNEXTLINE(bugprone-integer-division): whole rows are meant */
        emberi_host_push_translate(k, (float)(i % 32), 0.0f, (float)(i / 32));
        emberi_host_push_rotate_y(k, (float)i);
        emberi_host_set_color(k, 0x808080FFu + (i << 8));
        emberi_host_keyframe_bind(k, c->clip, i % FRAMES);
        emberi_host_draw_mesh(k, c->mesh);
    }
    ember_console_end(k);
}

/* ---- pictures: a tube of forty rings, each on a bone of its own ---- */

typedef struct tube {
    ember_vec3 positions[BONES * SECTORS], normals[BONES * SECTORS];
    uint16_t   joints[BONES * SECTORS][4];
    float      weights[BONES * SECTORS][4];
    uint32_t   indices[(BONES - 1) * SECTORS * 6];
} tube;

static ember_mesh tube_make(tube *t)
{
    uint32_t *index = t->indices;
    for (uint32_t i = 0; i < BONES * SECTORS; i++) {
        float turn = 6.2831853f * (float)(i % SECTORS) / SECTORS;
        t->normals[i] = (ember_vec3){cosf(turn), 0.0f, sinf(turn)};
        uint32_t row = i / SECTORS;
        t->positions[i] =
            (ember_vec3){0.2f * t->normals[i].x, 1.8f * (float)row / BONES, 0.2f * t->normals[i].z};
        t->joints[i][0] = (uint16_t)row;
        t->joints[i][1] = (uint16_t)(row != 0 ? row - 1 : 0);
        t->weights[i][0] = 0.75f;
        t->weights[i][1] = 0.25f;
    }
    for (uint32_t ring = 0; ring + 1 < BONES; ring++)
        for (uint32_t s = 0; s < SECTORS; s++) {
            uint32_t       a = ring * SECTORS + s, b = ring * SECTORS + (s + 1) % SECTORS;
            const uint32_t corners[6] = {a, a + SECTORS, b, b, a + SECTORS, b + SECTORS};
            memcpy(index, corners, sizeof(corners));
            index += 6;
        }
    return (ember_mesh){.name = "tube",
                        .vertex_count = BONES * SECTORS,
                        .positions = t->positions,
                        .normals = t->normals,
                        .joints = (const uint16_t(*)[4])t->joints,
                        .weights = (const float(*)[4])t->weights,
                        .index_count = (BONES - 1) * SECTORS * 6,
                        .indices = t->indices,
                        .bone = -1,
                        .base_color = {1, 1, 1, 1}};
}

typedef struct stage {
    ember_renderer *renderer;
    ember_draw      draws[CROWD];
    ember_draw_list list;
    uint8_t         pixels[640 * 360 * 4];
} stage;

static bool stage_open(stage *s, ember_error *err)
{
    static tube            t;
    static ember_mat34     matrices[FRAMES * BONES], binds[BONES];
    const ember_mat34      identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    ember_renderer_options options = {.allocator = ember_heap(),
                                      .width = 640,
                                      .height = 360,
                                      .headless = true};
    ember_mesh             mesh = tube_make(&t);
    uint32_t               number;
    for (uint32_t i = 0; i < FRAMES * BONES; i++)
        matrices[i] = binds[i % BONES] = identity;
    if (ember_renderer_create(&s->renderer, &options, err) != EMBER_OK ||
        ember_renderer_add_mesh(s->renderer, &mesh, &number, err) != EMBER_OK ||
        ember_renderer_add_skeleton(s->renderer, binds, BONES, &number, err) != EMBER_OK)
        return false;
    for (uint32_t i = 0; i < CROWD; i++) {
        s->draws[i] = (ember_draw){.branch = EMBER_DRAW_SKINNED,
                                   .pose = EMBER_DRAW_POSE_CLIP,
                                   .frame = i % FRAMES,
                                   .first_bone = i % FRAMES * BONES,
                                   .bone_count = BONES,
                                   .transform = identity,
                                   .color = 0xC0C0C0FFu};
        s->draws[i].transform.m[3] = ((float)(i % 40) - 19.5f) * 0.8f;
        /* NOLINTNEXTLINE(bugprone-integer-division): whole rows are meant */
        s->draws[i].transform.m[11] = -2.0f - (float)(i / 40) * 0.8f;
    }
    /* From a little above, 60 degrees wide. */
    s->list = (ember_draw_list){.view = {{1, 0, 0, 0, 0, 1, 0, -3, 0, 0, 1, -3}},
                                .clear_color = 0x203040FFu,
                                .draws = s->draws,
                                .bones = matrices,
                                .bone_count = FRAMES * BONES};
    s->list.projection = (ember_mat44){{0.974f, 0, 0, 0, 0, 1.732f, 0, 0, 0, 0, -1.002f, -1, 0, 0, -0.2f, 0}};
    return true;
}

/* Reading the picture waits for it. */
static double stage_ms(stage *s, uint32_t characters)
{
    double best = 1e30;
    s->list.draw_count = characters;
    for (int i = 0; i < (characters < CROWD ? PICTURES : 2); i++) {
        double start = bench_now_ns();
        (void)ember_renderer_draw(s->renderer, &s->list, NULL);
        (void)ember_renderer_read(s->renderer, s->pixels, sizeof(s->pixels));
        double ms = (bench_now_ns() - start) * 1e-6;
        best = ms < best ? ms : best;
    }
    return best;
}

static void time_sort(void *user)
{
    stage *s = user;
    s->list.draw_count = CROWD;
    (void)emberi_batches_make(s->renderer, &s->list, NULL);
}

void bench_gpu(bench *b)
{
    static crowd c;
    static stage s;
    ember_error  err = EMBER_ERROR_INIT;
    double       best = 1e30;
    crowd_open(&c, bench_memory(MEMORY, 0));
    for (int i = 0; i < 200; i++) {
        double start = bench_now_ns();
        time_stamp(&c);
        double ms = (bench_now_ns() - start) * 1e-6;
        best = ms < best ? ms : best;
    }
    bench_value(b, "host: stamp 1000 characters; value: ms a frame", bench_time(b, time_stamp, &c, CROWD),
                best, BENCH_AT_MOST, STAMP_LIMIT_MS);
    if (!stage_open(&s, &err)) {
        bench_note(b, "pictures are not timed: %.150s", err.text);
        return;
    }
    bench_row(b, "gpu: check and sort a draw, of 1000", bench_time(b, time_sort, &s, CROWD), NULL,
              BENCH_NO_LIMIT, 0.0);
    double one = stage_ms(&s, 1), hundred = stage_ms(&s, 100), crowd_ms = stage_ms(&s, CROWD);
    bench_note(b,
               "pictures of 640 x 360, 4 samples, on one processor: 1 character of 40 bones and 936 "
               "triangles %.2f ms, 100 %.2f ms, 1000 %.2f ms in %u call",
               one, hundred, crowd_ms, (unsigned)ember_renderer_last(s.renderer).calls);
}
