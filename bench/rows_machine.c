/* SPDX-License-Identifier: MIT */
/* Rows of the engines: computing, the interpreter against the object engine, in nine kernels. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ember/machine.h"
#include "engine/interp/interp.h"

#define KERNELS 9
#define ROUNDS 25

extern const uint8_t bench_bench_kernels_text[];
extern const size_t  bench_bench_kernels_size;

typedef struct machine_job {
    ember_machine *machine;
    uint32_t       inputs[EMBER_CONSOLE_PLAYERS];
} machine_job;

static void must(ember_status status, const ember_error *err)
{
    if (status != EMBER_OK) {
        fprintf(stderr, "bench: %s\n", err->text);
        exit(2);
    }
}

static void time_update(void *user)
{
    machine_job *job = user;
    ember_error  err = EMBER_ERROR_INIT;
    must(ember_machine_update(job->machine, job->inputs, &err), &err);
}

/* The shortest of many, both in turns. */
static double machine_ratio(machine_job *interp, machine_job *object)
{
    double best[2] = {INFINITY, INFINITY};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 2; i++) {
            double start = bench_now_ns();
            time_update(i == 0 ? interp : object);
            double ns = bench_now_ns() - start;
            best[i] = ns < best[i] ? ns : best[i];
        }
    return best[0] / best[1];
}

void bench_machine(bench *b)
{
    static const char *const names[KERNELS] =
        {"interpreter: matrix, to object", "interpreter: nbody, to object", "interpreter: sha256, to object",
         "interpreter: mandel, to object", "interpreter: sort, to object",  "interpreter: fib, to object",
         "interpreter: sieve, to object",  "interpreter: bones, to object", "interpreter: vm, to object"};
    static machine_job    interp[KERNELS], object[KERNELS];
    ember_machine_options options = {.watchdog_s = 10.0};
    ember_machine        *machines[2];
    ember_error           err = EMBER_ERROR_INIT;
    double                sum = 0.0;
    must(emberi_interp_load(&machines[0], bench_bench_kernels_text, bench_bench_kernels_size, &options, &err),
         &err);
    must(ember_machine_load_wasm(&machines[1], bench_bench_kernels_text, bench_bench_kernels_size, &options,
                                 &err),
         &err);
    for (int i = 0; i < 2; i++)
        must(ember_machine_init(machines[i], &err), &err);
    bench_stage(b);
    bench_timed *first = NULL;
    for (uint32_t i = 0; i < KERNELS; i++) {
        interp[i] = (machine_job){machines[0], {i + 1}};
        object[i] = (machine_job){machines[1], {i + 1}};
        sum += log(machine_ratio(&interp[i], &object[i]));
        bench_timed *timed = bench_time(b, time_update, &interp[i], 1);
        bench_row(b, names[i], timed, bench_time(b, time_update, &object[i], 1), BENCH_NO_LIMIT, 0.0);
        first = first == NULL ? timed : first;
    }
#ifdef __clang__
    bench_value(b, "interpreter to object, geometric mean of nine", first, exp(sum / KERNELS), BENCH_AT_MOST,
                9.0);
#else
    bench_value(b, "interpreter to object, geometric mean of nine", first, exp(sum / KERNELS), BENCH_AT_MOST,
                10.0);
#endif
}
