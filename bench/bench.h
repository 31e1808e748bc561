/* SPDX-License-Identifier: MIT */
/* The benchmark: things that are timed, and rows that set one of them against another. Each room has a file
   of rows; to add one, write a `void bench_<room>(bench *b)` that calls the functions below, and name it in
   main.c.

   All timed things of a stage take turns in one process, pinned to one processor, and the shortest time of
   each counts: ratios of such minima hold on a busy machine, too, where single times do not. */
#ifndef EMBER_BENCH_H
#define EMBER_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ember/ember.h"

typedef struct bench bench;

/* Something to time. */
typedef struct bench_timed bench_timed;

/* `run` does `items` pieces of work; the time of one piece is what counts. */
bench_timed *bench_time(bench *b, void (*run)(void *user), void *user, size_t items);

/* The same for buffers that may lie in many places: `run` is timed with each of the users, and the median of
   their shortest times counts. The users are kept, not copied. */
bench_timed *bench_time_placed(bench *b, void (*run)(void *user), void **users, size_t count, size_t items);

/* What is registered from here on takes turns by itself, once the rest is done: for things that run so long
   that others would not find the processor as they left it. A row's two sides must be of one stage. */
void bench_stage(bench *b);

typedef enum bench_limit {
    BENCH_NO_LIMIT = 0,
    BENCH_AT_MOST, /* ratio <= limit */
    BENCH_AT_LEAST
} bench_limit;

/* A row: the time of one piece of `timed`, and its ratio to one piece of `unit` (NULL: no ratio). With
   BENCH_AT_LEAST the ratio is how many times faster `timed` is. Limits are promises for AVX2. Names are kept,
   not copied. */
void bench_row(bench *b, const char *name, const bench_timed *timed, const bench_timed *unit,
               bench_limit kind, double limit);

/* Something timed, and what it is compared with. */
typedef struct bench_pair {
    const bench_timed *timed, *unit;
} bench_pair;

typedef enum bench_pick { BENCH_MEDIAN, BENCH_WORST, BENCH_MEAN } bench_pick;

/* A row of the pair whose ratio is the median of all, or the largest, or of the geometric mean of all ratios;
   at most `limit`, 0 for none. The pairs are kept, not copied. */
void bench_row_of(bench *b, const char *name, const bench_pair *pairs, size_t count, bench_pick pick,
                  double limit);

/* A unit for rows whose limit is a time: the ratio is then the nanoseconds themselves. */
const bench_timed *bench_nanosecond(void);

/* A row of something that is not a matter of time: its value stands in the ratio's column, and the limit
   always counts. */
void bench_value(bench *b, const char *name, const bench_timed *timed, double value, bench_limit kind,
                 double limit);

/* A line of text under the table. */
void bench_note(bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory that lives as long as the process, `offset` bytes (below 4096) behind the start of a page. A
   load that shares its low 12 address bits with a store that is still on its way waits for it in vain. So an
   output is to lie where no load of the same run meets its stores: beside the input if both fit in a page,
   else, where it advances no slower than the input, a kilobyte before it. */
void *bench_memory(size_t size, size_t offset);

/* The same numbers on every run. */
uint32_t bench_random(bench *b);
float    bench_random_float(bench *b, float low, float high);

double bench_now_ns(void);

/* ---- the rooms' files ---- */

void bench_pose(bench *b);
void bench_jobs(bench *b);
void bench_codec(bench *b);
void bench_ff7(bench *b);
void bench_console(bench *b); /* only where games can be built for wasm32 */
void bench_binds(bench *b);
void bench_machine(bench *b); /* likewise */
void bench_games(bench *b);   /* likewise */
void bench_export(bench *b);
void bench_squeeze(bench *b);
void bench_lean(bench *b);
void bench_gpu(bench *b);
void bench_fbx(bench *b);

#endif
