/* SPDX-License-Identifier: MIT */
/* Rows of the console: what it costs a WASM game to call the host, to read and to bind keyframes, to draw a
   crowd, and what a snapshot of it costs. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/machine.h"

#define CALLS 10000 /* as in bench_game.c */
#define READS 200
#define CROWD 1000
#define BONES 40
#define FRAMES 60
#define MEMORY ((size_t)4 << 20)

extern const uint8_t bench_bench_game_text[];
extern const size_t  bench_bench_game_size;

typedef struct console_data {
    ember_machine  *machine, *large; /* the second has all the memory there is */
    ember_snapshot *snapshot;
    uint32_t        work[3][EMBER_CONSOLE_PLAYERS];
    uint8_t        *from, *to;
    uint8_t        *frames; /* records of 16 bytes, all zero */
    ember_transform pose[BONES];
    struct counter {
        uint64_t frame;
    } counter;
    uint32_t (*volatile call)(struct counter *c);
    uint32_t seen;
} console_data;

static void must(ember_status status, const ember_error *err)
{
    if (status != EMBER_OK) {
        fprintf(stderr, "bench: %s\n", err->text);
        exit(2);
    }
}

static void run_update(console_data *d, int work)
{
    ember_error err = EMBER_ERROR_INIT;
    must(ember_machine_update(d->machine, d->work[work], &err), &err);
}

static void time_calls(void *user) { run_update(user, 0); }
static void time_binds(void *user) { run_update(user, 1); }
static void time_reads(void *user) { run_update(user, 2); }

static void time_crowd(void *user)
{
    console_data *d = user;
    ember_error   err = EMBER_ERROR_INIT;
    must(ember_machine_render(d->machine, &err), &err);
}

/* What the console's `frame` does, through a pointer that the compiler knows nothing of. */
static uint32_t native_frame(struct counter *c) { return (uint32_t)c->frame; }

static void time_native_calls(void *user)
{
    console_data *d = user;
    for (int i = 0; i < CALLS; i++)
        d->seen += d->call(&d->counter);
}

static void time_native_reads(void *user)
{
    console_data *d = user;
    for (int i = 0; i < READS; i++)
        ember_decode_run(&(ember_decode_job){.out = d->pose,
                                             .out_count = BONES,
                                             .frame = d->frames + (size_t)(i % FRAMES) * BONES * 16,
                                             .frame_size = (size_t)BONES * 16,
                                             .bone_count = BONES});
}

static void time_snapshot(void *user)
{
    console_data *d = user;
    if (ember_machine_save(d->snapshot, d->large) != EMBER_OK ||
        ember_machine_restore(d->large, d->snapshot) != EMBER_OK)
        exit(2);
}

static void time_copies(void *user)
{
    console_data *d = user;
    memcpy(d->to, d->from, MEMORY);
    memcpy(d->from, d->to, MEMORY);
}

/* A game of 64 pages of memory and an init that does nothing. */
static const uint8_t large_game[] = {0,   'a', 's', 'm', 1,   0,   0,   0,   1,   4, 1,  0x60,
                                     0,   0,   3,   2,   1,   0,   5,   3,   1,   0, 64, 7,
                                     17,  2,   6,   'm', 'e', 'm', 'o', 'r', 'y', 2, 0,  4,
                                     'i', 'n', 'i', 't', 0,   0,   10,  4,   1,   2, 0,  0x0b};

void bench_console(bench *b)
{
    static console_data   d;
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT, .watchdog_s = 10.0};
    ember_error           err = EMBER_ERROR_INIT;
    must(ember_machine_load_wasm(&d.machine, bench_bench_game_text, bench_bench_game_size, &options, &err),
         &err);
    must(ember_machine_load_wasm(&d.large, large_game, sizeof(large_game), &options, &err), &err);
    must(ember_snapshot_create(&d.snapshot, ember_heap()), &err);
    must(ember_machine_init(d.machine, &err), &err);
    for (uint32_t i = 0; i < 3; i++)
        d.work[i][0] = i + 1;
    d.from = bench_memory(MEMORY, 0);
    d.to = bench_memory(MEMORY, 64);
    d.frames = bench_memory((size_t)BONES * FRAMES * 16, 0);
    d.call = native_frame;

    bench_timed *native_calls = bench_time(b, time_native_calls, &d, CALLS),
                *native_reads = bench_time(b, time_native_reads, &d, READS);
    bench_timed *copies = bench_time(b, time_copies, &d, 1);
    bench_row(b, "native call through a pointer", native_calls, NULL, BENCH_NO_LIMIT, 0.0);
    bench_row(b, "game calls the host", bench_time(b, time_calls, &d, CALLS), native_calls, BENCH_AT_MOST,
              2.4);
    bench_row(b, "keyframe_bind from a game, in ns", bench_time(b, time_binds, &d, CALLS), bench_nanosecond(),
              BENCH_AT_MOST, 9.0);
    bench_row(b, "keyframe_read of 40 bones, to native decode", bench_time(b, time_reads, &d, READS),
              native_reads, BENCH_AT_MOST, 1.5);
    bench_row(b, "a crowd of 1,000 stamped in a frame, each", bench_time(b, time_crowd, &d, CROWD), NULL,
              BENCH_NO_LIMIT, 0.0);
    bench_row(b, "snapshot and restore of 4 MiB, to two memcpy", bench_time(b, time_snapshot, &d, 1), copies,
              BENCH_AT_MOST, 1.35);
}
