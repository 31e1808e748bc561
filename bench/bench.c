/* SPDX-License-Identifier: MIT */
/* Times everything that the rooms registered, prints the table, and writes it as JSON. Exit 1 if a limit does
   not hold.

   bench [--json FILE] [--only ROOM] */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench.h"

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_TIMED 320
#define MAX_ROWS 256
#define MAX_NOTES 16
#define BATCH_NS 15000.0
#define BATCHES 80 /* of each timed thing, in one round */
#define LONG_NS 2e6
#define LONG_EVERY 40 /* batches, of what takes long */
#define ROUNDS_AT_LEAST 4
/* more rounds only while a row does not hold: the minima need a quiet moment on both sides */
#define ROUNDS_AT_MOST 24

struct bench_timed {
    void (*run)(void *user);
    void   *user;
    size_t  items;
    size_t  repeats; /* of `run` in a batch */
    size_t  stage;
    double  best_ns; /* of one item */
    bool    is_long; /* one run takes milliseconds: few are enough */
    void  **users;   /* NULL: `user` alone */
    double *bests;   /* of each user, one item; then the same to be sorted */
    size_t  user_count, turn;
};

typedef struct row {
    const char        *name;
    const bench_timed *timed, *unit;
    bool               is_value;
    double             value;
    bench_limit        kind;
    double             limit;
    const bench_pair  *pairs; /* NULL: timed and unit alone */
    size_t             pair_count;
    bench_pick         pick;
} row;

struct bench {
    bench_timed timed[MAX_TIMED];
    row         rows[MAX_ROWS];
    char        notes[MAX_NOTES][200];
    size_t      timed_count, row_count, note_count;
    size_t      stage; /* of what is registered now */
    uint64_t    random;
    bool        limits_count;
};

static void fail(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(2);
}

/* ---- registering ---- */

bench_timed *bench_time(bench *b, void (*run)(void *user), void *user, size_t items)
{
    if (b->timed_count == MAX_TIMED)
        fail("too many timed things");
    bench_timed *timed = &b->timed[b->timed_count++];
    *timed = (bench_timed){.run = run,
                           .user = user,
                           .items = items,
                           .repeats = 1,
                           .stage = b->stage,
                           .best_ns = 1e30};
    return timed;
}

bench_timed *bench_time_placed(bench *b, void (*run)(void *user), void **users, size_t count, size_t items)
{
    bench_timed *timed = bench_time(b, run, users[0], items);
    timed->users = users;
    timed->user_count = count;
    timed->bests = bench_memory(2 * count * sizeof(*timed->bests), 0);
    for (size_t i = 0; i < count; i++)
        timed->bests[i] = 1e30;
    return timed;
}

void bench_stage(bench *b) { b->stage++; }

const bench_timed *bench_nanosecond(void)
{
    static const bench_timed one = {.items = 1, .repeats = 1, .best_ns = 1.0};
    return &one;
}

static row *bench_new_row(bench *b)
{
    if (b->row_count == MAX_ROWS)
        fail("too many rows");
    return &b->rows[b->row_count++];
}

void bench_row(bench *b, const char *name, const bench_timed *timed, const bench_timed *unit,
               bench_limit kind, double limit)
{
    *bench_new_row(b) = (row){.name = name, .timed = timed, .unit = unit, .kind = kind, .limit = limit};
}

void bench_row_of(bench *b, const char *name, const bench_pair *pairs, size_t count, bench_pick pick,
                  double limit)
{
    *bench_new_row(b) = (row){.name = name,
                              .timed = pairs[0].timed,
                              .unit = pairs[0].unit,
                              .kind = limit > 0.0 ? BENCH_AT_MOST : BENCH_NO_LIMIT,
                              .limit = limit,
                              .pairs = pairs,
                              .pair_count = count,
                              .pick = pick};
}

void bench_value(bench *b, const char *name, const bench_timed *timed, double value, bench_limit kind,
                 double limit)
{
    *bench_new_row(b) =
        (row){.name = name, .timed = timed, .is_value = true, .value = value, .kind = kind, .limit = limit};
}

void bench_note(bench *b, const char *format, ...)
{
    va_list arguments;
    if (b->note_count == MAX_NOTES)
        fail("too many notes");
    va_start(arguments, format);
    vsnprintf(b->notes[b->note_count++], sizeof(b->notes[0]), format, arguments);
    va_end(arguments);
}

void *bench_memory(size_t size, size_t offset)
{
    size_t whole = (offset + size + 4095) / 4096 * 4096;
    char  *memory = aligned_alloc(4096, whole);
    if (memory == NULL)
        fail("out of memory");
    memset(memory, 0, whole);
    return memory + offset;
}

uint32_t bench_random(bench *b)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 16);
}

float bench_random_float(bench *b, float low, float high)
{
    return low + (high - low) * ((float)(bench_random(b) >> 8) / 16777216.0f);
}

/* ---- timing ---- */

double bench_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void pin_to_one_processor(void)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return;
    for (size_t cpu = CPU_SETSIZE; cpu-- > 0;) /* the last: the first often serves interrupts */
        if (CPU_ISSET(cpu, &allowed)) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            (void)sched_setaffinity(0, sizeof(one), &one);
            return;
        }
}

/* The time of one item, in the shortest of a few single runs, tells how many runs make a batch. */
static void timed_calibrate(bench_timed *timed)
{
    double best = 1e30;
    for (int i = 0; i < 10; i++) {
        double start = bench_now_ns();
        timed->run(timed->user);
        double ns = bench_now_ns() - start;
        best = ns < best ? ns : best;
    }
    timed->is_long = best > LONG_NS;
    timed->repeats = best < BATCH_NS ? (size_t)(BATCH_NS / (best + 1.0)) + 1 : 1;
}

static double timed_once(bench_timed *timed, void *user)
{
    timed->run(user); /* warm up */
    double start = bench_now_ns();
    for (size_t i = 0; i < timed->repeats; i++)
        timed->run(user);
    return (bench_now_ns() - start) / ((double)timed->repeats * (double)timed->items);
}

static int timed_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* All users in a few batches; a batch has a share of them, or all would be timed too often. */
static void timed_batch_placed(bench_timed *timed)
{
    const size_t share = (timed->user_count + 3) / 4;
    for (size_t i = 0; i < share; i++, timed->turn = (timed->turn + 1) % timed->user_count) {
        double ns = timed_once(timed, timed->users[timed->turn]);
        if (ns < timed->bests[timed->turn])
            timed->bests[timed->turn] = ns;
    }
    double *sorted = timed->bests + timed->user_count;
    memcpy(sorted, timed->bests, timed->user_count * sizeof(*sorted));
    qsort(sorted, timed->user_count, sizeof(*sorted), timed_order);
    timed->best_ns = sorted[timed->user_count / 2];
}

static void timed_batch(bench_timed *timed)
{
    if (timed->users != NULL) {
        timed_batch_placed(timed);
        return;
    }
    double ns = timed_once(timed, timed->user);
    timed->best_ns = ns < timed->best_ns ? ns : timed->best_ns;
}

/* ---- rows ---- */

static bool row_has_ratio(const row *r) { return r->is_value || r->unit != NULL; }

static double pair_ratio(const bench_pair *pair) { return pair->timed->best_ns / pair->unit->best_ns; }

/* The pair that fewer than half of the others, or none, are above. */
static const bench_pair *row_pick(const row *r)
{
    const bench_pair *best = NULL;
    for (size_t i = 0; i < r->pair_count; i++) {
        size_t above = 0;
        for (size_t k = 0; k < r->pair_count; k++)
            above += pair_ratio(&r->pairs[k]) > pair_ratio(&r->pairs[i]) ? 1u : 0u;
        if (above <= (r->pick == BENCH_WORST ? 0 : (r->pair_count - 1) / 2) &&
            (best == NULL || pair_ratio(&r->pairs[i]) < pair_ratio(best)))
            best = &r->pairs[i];
    }
    return best;
}

static double row_mean(const row *r)
{
    double sum = 0.0;
    for (size_t i = 0; i < r->pair_count; i++)
        sum += log(pair_ratio(&r->pairs[i]));
    return exp(sum / (double)r->pair_count);
}

static double row_ns(const row *r)
{
    return r->pairs != NULL ? row_pick(r)->timed->best_ns : r->timed->best_ns;
}

static double row_ratio(const row *r)
{
    if (r->is_value)
        return r->value;
    if (r->pairs != NULL)
        return r->pick == BENCH_MEAN ? row_mean(r) : pair_ratio(row_pick(r));
    return r->kind == BENCH_AT_LEAST ? r->unit->best_ns / r->timed->best_ns
                                     : r->timed->best_ns / r->unit->best_ns;
}

static bool row_holds(const row *r)
{
    if (r->kind == BENCH_NO_LIMIT)
        return true;
    return r->kind == BENCH_AT_MOST ? row_ratio(r) <= r->limit : row_ratio(r) >= r->limit;
}

static bool stage_holds(const bench *b, size_t stage)
{
    for (size_t i = 0; i < b->row_count; i++)
        if (b->rows[i].timed->stage == stage && !row_holds(&b->rows[i]) &&
            (b->limits_count || b->rows[i].is_value))
            return false;
    return true;
}

static bool all_hold(const bench *b)
{
    for (size_t stage = 0; stage <= b->stage; stage++)
        if (!stage_holds(b, stage))
            return false;
    return true;
}

static int run_stage(bench *b, size_t stage)
{
    int round = 0;
    for (size_t i = 0; i < b->timed_count; i++)
        if (b->timed[i].stage == stage)
            timed_calibrate(&b->timed[i]);
    while (round < ROUNDS_AT_LEAST || (round < ROUNDS_AT_MOST && !stage_holds(b, stage))) {
        for (int batch = 0; batch < BATCHES; batch++)
            for (size_t i = 0; i < b->timed_count; i++)
                if (b->timed[i].stage == stage && (!b->timed[i].is_long || batch % LONG_EVERY == 0))
                    timed_batch(&b->timed[i]);
        round++;
    }
    return round;
}

/* The fewest rounds that any stage took. */
static int run_rounds(bench *b)
{
    int fewest = ROUNDS_AT_MOST;
    for (size_t stage = 0; stage <= b->stage; stage++) {
        const int rounds = run_stage(b, stage);
        fewest = rounds < fewest ? rounds : fewest;
    }
    return fewest;
}

static void print_table(const bench *b, int rounds)
{
    printf("%-52s %9s %8s %8s  %s\n", "", "ns", "ratio", "limit", "holds");
    for (size_t i = 0; i < b->row_count; i++) {
        const row *r = &b->rows[i];
        printf("%-52s %9.3f", r->name, row_ns(r));
        if (row_has_ratio(r))
            printf(" %8.3f", row_ratio(r));
        if (r->kind != BENCH_NO_LIMIT)
            printf(" %s%6.2f  %s", r->kind == BENCH_AT_LEAST ? ">=" : "<=", r->limit,
                   row_holds(r) ? "yes" : "NO");
        printf("\n");
    }
    for (size_t i = 0; i < b->note_count; i++)
        printf("%s\n", b->notes[i]);
    printf("shortest of %d batches or more, kernels: %s\n", rounds * BATCHES,
           ember_isa_name(ember_isa_used()));
    if (!b->limits_count)
        printf("the limits on times are for AVX2, which is not in use here\n");
}

/* Names are plain ASCII without quotes, so that they need no escapes. */
static bool write_json(const bench *b, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    fprintf(file, "{\"rows\":[");
    for (size_t i = 0; i < b->row_count; i++) {
        const row *r = &b->rows[i];
        fprintf(file, "%s\n{\"name\":\"%s\",\"ns\":%.4f,", i != 0 ? "," : "", r->name, row_ns(r));
        if (row_has_ratio(r))
            fprintf(file, "\"ratio\":%.4f,", row_ratio(r));
        else
            fprintf(file, "\"ratio\":null,");
        if (r->kind != BENCH_NO_LIMIT)
            fprintf(file, "\"limit\":%g,", r->limit);
        else
            fprintf(file, "\"limit\":null,");
        fprintf(file, "\"holds\":%s}", row_holds(r) ? "true" : "false");
    }
    fprintf(file, "\n]}\n");
    return fclose(file) == 0;
}

typedef struct bench_room {
    const char *name;
    void (*add)(bench *b);
} bench_room;

static const bench_room bench_rooms[] = {{"pose", bench_pose},       {"jobs", bench_jobs},
                                         {"codec", bench_codec},     {"ff7", bench_ff7},
#ifdef EMBER_BENCH_CONSOLE
                                         {"console", bench_console}, {"machine", bench_machine},
                                         {"games", bench_games},
#endif
                                         {"binds", bench_binds},     {"export", bench_export},
                                         {"squeeze", bench_squeeze}, {"lean", bench_lean},
                                         {"gpu", bench_gpu},         {"fbx", bench_fbx}};

int main(int argc, char **argv)
{
    static bench b = {.random = 88172645463325252u};
    const char  *json = NULL, *only = NULL;
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--json") == 0)
            json = argv[i + 1];
        else if (i + 1 < argc && strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
        else {
            fprintf(stderr, "usage: bench [--json FILE] [--only ROOM]\n");
            return 2;
        }
    }
    b.limits_count = ember_isa_used() == EMBER_ISA_AVX2;
    pin_to_one_processor();
    for (size_t i = 0; i < sizeof(bench_rooms) / sizeof(bench_rooms[0]); i++)
        if (only == NULL || strcmp(only, bench_rooms[i].name) == 0)
            bench_rooms[i].add(&b);
#ifndef EMBER_BENCH_CONSOLE
    bench_note(&b, "the console is not timed: there is no clang or no lld to build its game");
#endif
    if (b.row_count == 0) {
        fprintf(stderr, "bench: unknown room\n");
        return 2;
    }
    print_table(&b, run_rounds(&b));
    if (json != NULL && !write_json(&b, json)) {
        fprintf(stderr, "bench: %s cannot be written\n", json);
        return 2;
    }
    if (!all_hold(&b)) {
        fprintf(stderr, "bench: a limit does not hold\n");
        return 1;
    }
    return 0;
}
