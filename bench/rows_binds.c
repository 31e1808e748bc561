/* SPDX-License-Identifier: MIT */
/* Rows of binding frames: what keyframe_bind costs the host in each form that a ROM stores clips in, for the
   next frame and for one at random. The clip is longer than the console's cache, so every bind decodes. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/ewzanim.h"
#include "console/functions.h"

#define BONES 40u
#define FRAMES 600u
#define BINDS 600u
#define MEMORY 65536u
#define FORMS 6
#define LEAN_ERROR 0.001f /* of a figure about as tall as 2 */

/* The limits are for what ember build stores clips in unless it is told otherwise: those that come as floats
   lean, keyframe files in local space quick. */
static const struct bind_form {
    const char          *next, *random, *id;
    ember_squeeze_method method;
    ember_space          space;
    bool                 limited, lean;
} bind_forms[FORMS] = {
    {"keyframe_bind, ns: records, next frame", "keyframe_bind, ns: records, random frame", "records",
     EMBER_SQUEEZE_RAW, EMBER_SPACE_MODEL, false, false},
    {"keyframe_bind, ns: local records, next frame", "keyframe_bind, ns: local records, random frame",
     "local-records", EMBER_SQUEEZE_RAW, EMBER_SPACE_LOCAL, false, false},
    {"keyframe_bind, ns: quick, next frame", "keyframe_bind, ns: quick, random frame", "quick",
     EMBER_SQUEEZE_QUICK, EMBER_SPACE_LOCAL, true, false},
    {"keyframe_bind, ns: small, next frame", "keyframe_bind, ns: small, random frame", "small",
     EMBER_SQUEEZE_SMALL, EMBER_SPACE_MODEL, false, false},
    {"keyframe_bind, ns: local small, next frame", "keyframe_bind, ns: local small, random frame",
     "local-small", EMBER_SQUEEZE_SMALL, EMBER_SPACE_LOCAL, false, false},
    {"keyframe_bind, ns: lean, next frame", "keyframe_bind, ns: lean, random frame", "lean",
     EMBER_SQUEEZE_RAW, EMBER_SPACE_LOCAL, true, true},
};

typedef struct binds {
    ember_console *console;
    uint32_t       clip;
    uint32_t       order[BINDS];
} binds;

static void binds_fail(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(2);
}

static void binds_trap(void *user, const ember_trap *trap)
{
    (void)user;
    binds_fail(trap->text);
}

static void time_next(void *user)
{
    binds *d = user;
    for (uint32_t i = 0; i < BINDS; i++)
        emberi_host_keyframe_bind(d->console, d->clip, i);
}

static void time_random(void *user)
{
    binds *d = user;
    for (uint32_t i = 0; i < BINDS; i++)
        emberi_host_keyframe_bind(d->console, d->clip, d->order[i]);
}

/* ---- the clip: every bone turns, the root moves ---- */

/* A spine, then limbs of four from its bones. */
static void binds_parents(int16_t parents[BONES])
{
    for (uint32_t i = 0; i < BONES; i++)
        parents[i] = (int16_t)(i == 0 ? -1 : i < 8 || i % 4 != 0 ? (int)i - 1 : (int)(i / 4) % 8);
}

/* A slow wave between -1 and 1 without libm: a parabola's arcs. */
static float binds_wave(float turns)
{
    float part = turns - (float)(int)turns;
    return part < 0.5f ? 16.0f * part * (0.5f - part) : -16.0f * (part - 0.5f) * (1.0f - part);
}

static void binds_frame(ember_transform pose[BONES], uint32_t frame)
{
    for (uint32_t i = 0; i < BONES; i++) {
        float      t = (float)frame / 30.0f, speed = 0.4f + 0.05f * (float)(i % 7), at = 0.13f * (float)i;
        ember_quat q = {0.3f * binds_wave(at + t * speed), 0.2f * binds_wave(2.0f * at + t * speed * 0.7f),
                        0.25f * binds_wave(at + 0.3f + t * speed * 1.3f), 1.0f};
        pose[i] =
            (ember_transform){ember_quat_normalize(q), {0.0f, 0.12f, 0.01f * (float)(i % 3)}, {1, 1, 1}};
    }
    pose[0].position = (ember_vec3){0.3f * binds_wave((float)frame / 90.0f), 1.0f, (float)frame * 0.004f};
}

static uint8_t *binds_file(ember_space space, const int16_t *parents)
{
    uint8_t *file = bench_memory(emberi_ewzanim_size(BONES, FRAMES), 0), *record = file;
    record += EMBERI_EWZANIM_HEADER_SIZE;
    emberi_ewzanim_put(file, BONES, FRAMES);
    for (uint32_t f = 0; f < FRAMES; f++) {
        ember_transform   pose[BONES];
        ember_mat34       model[BONES];
        ember_compose_job compose = {.out = model, .pose = pose, .parents = parents, .bone_count = BONES};
        binds_frame(pose, f);
        if (space == EMBER_SPACE_MODEL && ember_compose_run(&compose) == EMBER_OK)
            for (uint32_t i = 0; i < BONES; i++)
                (void)ember_mat34_decompose(&pose[i], &model[i]);
        for (uint32_t i = 0; i < BONES; i++, record += EMBER_KEYFRAME_SIZE)
            (void)ember_record_encode(record, EMBER_RECORD_EWZ, &pose[i]);
    }
    return file;
}

/* The same clip, as ember build stores what comes as floats. */
static void binds_lean(ember_rom_asset *asset, const int16_t *parents)
{
    ember_transform       *frames = bench_memory(sizeof(*frames) * BONES * FRAMES, 0);
    const ember_transform *clips[1] = {frames};
    const uint32_t         counts[1] = {FRAMES};
    ember_arena            scratch = ember_arena_growing(ember_heap(), 0);
    ember_lean_rig         rig;
    ember_lean_rig_job     make = {.out_capacity = ember_lean_rig_bound(BONES),
                                   .clips = clips,
                                   .frame_counts = counts,
                                   .clip_count = 1,
                                   .bone_count = BONES,
                                   .shell = 0.03f};
    ember_lean_job         job = {.out_capacity = ember_lean_bound(BONES, FRAMES),
                                  .frames = frames,
                                  .frame_count = FRAMES,
                                  .parents = parents,
                                  .rig = &rig,
                                  .max_error = LEAN_ERROR};
    for (uint32_t f = 0; f < FRAMES; f++)
        binds_frame(frames + (size_t)f * BONES, f);
    make.out = bench_memory(make.out_capacity, 0);
    job.out = bench_memory(job.out_capacity, 0);
    if (ember_lean_rig_make(&make, &scratch, NULL) != EMBER_OK ||
        ember_lean_rig_open(&rig, make.out, make.out_size, NULL) != EMBER_OK ||
        ember_lean_encode(&job, &scratch, NULL) != EMBER_OK)
        binds_fail("the clip cannot be stored lean");
    ember_arena_free(&scratch);
    asset->data = job.out;
    asset->size = job.out_size;
    asset->lean_rig = make.out;
    asset->lean_rig_size = make.out_size;
}

static ember_rom *binds_rom(void)
{
    static int16_t        parents[BONES];
    static ember_buffer   bytes;
    static ember_skeleton skeleton = {.bone_count = BONES, .parents = parents};
    ember_rom_asset       assets[FORMS];
    ember_rom            *rom;
    ember_error           err = EMBER_ERROR_INIT;
    binds_parents(parents);
    for (int i = 0; i < FORMS; i++) {
        assets[i] = (ember_rom_asset){.kind = EMBER_ROM_KEYFRAMES,
                                      .id = bind_forms[i].id,
                                      .data = binds_file(bind_forms[i].space, parents),
                                      .size = emberi_ewzanim_size(BONES, FRAMES),
                                      .space = bind_forms[i].space,
                                      .fps = 30.0,
                                      .skeleton = &skeleton,
                                      .method = bind_forms[i].method};
        if (bind_forms[i].lean)
            binds_lean(&assets[i], parents);
    }
    bytes.allocator = ember_heap();
    if (ember_rom_write(&bytes, &(ember_rom_content){.assets = assets, .asset_count = FORMS}, NULL, NULL,
                        &err) != EMBER_OK)
        binds_fail(err.text);
    uint8_t *aligned = bench_memory(bytes.size, 0);
    memcpy(aligned, bytes.data, bytes.size);
    if (ember_rom_open_memory(&rom, aligned, bytes.size, ember_heap(), &err) != EMBER_OK)
        binds_fail(err.text);
    return rom;
}

void bench_binds(bench *b)
{
    static binds          all[FORMS];
    uint8_t              *memory = bench_memory(MEMORY, 0);
    ember_console_options options = {.allocator = ember_heap(), .trap = binds_trap, .rom = binds_rom()};
    ember_error           err = EMBER_ERROR_INIT;
    ember_console        *console;
    if (ember_console_create(&console, &options, &err) != EMBER_OK)
        binds_fail(err.text);
    ember_console_set_memory(console, memory, MEMORY);
    ember_console_begin(console, EMBER_PHASE_INIT, NULL);
    for (int i = 0; i < FORMS; i++) {
        memcpy(memory + 64, bind_forms[i].id, strlen(bind_forms[i].id));
        all[i].console = console;
        all[i].clip = emberi_host_rom_keyframes(console, 64, (uint32_t)strlen(bind_forms[i].id));
        for (uint32_t k = 0; k < BINDS; k++)
            all[i].order[k] = bench_random(b) % FRAMES;
        bench_row(b, bind_forms[i].next, bench_time(b, time_next, &all[i], BINDS), bench_nanosecond(),
                  bind_forms[i].limited ? BENCH_AT_MOST : BENCH_NO_LIMIT, 600.0);
        bench_row(b, bind_forms[i].random, bench_time(b, time_random, &all[i], BINDS), bench_nanosecond(),
                  bind_forms[i].limited ? BENCH_AT_MOST : BENCH_NO_LIMIT, 2000.0);
    }
}
