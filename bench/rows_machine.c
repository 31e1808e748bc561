/* SPDX-License-Identifier: MIT */
/* Rows of the engines: computing, the interpreter against the object engine, in nine kernels; and what the
   rule of NaNs costs each of them, against the same engine without the rule. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, fdopen */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ember/machine.h"
#include "engine/interp/interp.h"

#define KERNELS 9

extern const uint8_t bench_bench_kernels_text[];
extern const size_t  bench_bench_kernels_size;

/* interp_machine.c and interp_run.c once more, without the rule of NaNs. */
ember_status bench_any_nans_load(ember_machine **out, const void *wasm, size_t size,
                                 const ember_machine_options *options, ember_error *err);

typedef struct machine_job {
    ember_machine *machine;
    uint32_t       inputs[EMBER_CONSOLE_PLAYERS];
} machine_job;

static void machine_must(ember_status status, const ember_error *err)
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
    machine_must(ember_machine_update(job->machine, job->inputs, &err), &err);
}

/* The kernels on an engine, timed one by one. */
typedef struct machine_kernels {
    machine_job  jobs[KERNELS];
    bench_timed *timed[KERNELS];
} machine_kernels;

typedef ember_status machine_loader(ember_machine **out, const void *wasm, size_t size,
                                    const ember_machine_options *options, ember_error *err);

/* False: that compiler is not here. */
static bool machine_load(machine_kernels *out, bench *b, machine_loader *load, const char *compiler)
{
    ember_machine_options options = {.engine = EMBER_ENGINE_OBJECT, .watchdog_s = 10.0, .compiler = compiler};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    ember_status status = load(&machine, bench_bench_kernels_text, bench_bench_kernels_size, &options, &err);
    if (status == EMBER_E_UNSUPPORTED && compiler != NULL)
        return false;
    machine_must(status, &err);
    machine_must(ember_machine_init(machine, &err), &err);
    for (uint32_t i = 0; i < KERNELS; i++) {
        out->jobs[i] = (machine_job){machine, {i + 1}};
        out->timed[i] = bench_time(b, time_update, &out->jobs[i], 1);
    }
    return true;
}

static void machine_pairs(bench_pair out[KERNELS], const machine_kernels *a, const machine_kernels *b)
{
    for (int i = 0; i < KERNELS; i++)
        out[i] = (bench_pair){a->timed[i], b->timed[i]};
}

/* A compiler that leaves the rule of NaNs out of objects: a script that is removed at the end. */
static char machine_script[2][256];

static void machine_remove_scripts(void)
{
    for (int i = 0; i < 2; i++)
        if (machine_script[i][0] != '\0')
            unlink(machine_script[i]);
}

static const char *machine_any_nans(int number, const char *compiler)
{
    char       *path = machine_script[number];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof(machine_script[number]), "%s/ember-bench-XXXXXX", folder != NULL ? folder : "/tmp");
    int   descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file == NULL || fprintf(file, "#!/bin/sh\nexec %s -DEMBERI_ANY_NANS \"$@\"\n", compiler) < 0 ||
        fclose(file) != 0 || chmod(path, 0700) != 0) {
        fprintf(stderr, "bench: %s cannot be written\n", path);
        exit(2);
    }
    return path;
}

static void machine_nans(bench *b, int number, const char *compiler, const char *const names[2])
{
    static machine_kernels with[2], without[2];
    static bench_pair      pairs[2][KERNELS];
    if (!machine_load(&with[number], b, ember_machine_load_wasm, compiler) ||
        !machine_load(&without[number], b, ember_machine_load_wasm, machine_any_nans(number, compiler)))
        return;
    machine_pairs(pairs[number], &with[number], &without[number]);
    bench_row_of(b, names[0], pairs[number], KERNELS, BENCH_MEAN, 1.08);
    bench_row_of(b, names[1], pairs[number], KERNELS, BENCH_WORST, 1.35);
}

void bench_machine(bench *b)
{
    static const char *const names[KERNELS] =
        {"interpreter: matrix, to object", "interpreter: nbody, to object", "interpreter: sha256, to object",
         "interpreter: mandel, to object", "interpreter: sort, to object",  "interpreter: fib, to object",
         "interpreter: sieve, to object",  "interpreter: bones, to object", "interpreter: vm, to object"};
    static const char *const compilers[2] = {"gcc", "clang"};
    static const char *const nans[2][2] = {{"NaN rule in objects of gcc, mean of nine",
                                            "NaN rule in objects of gcc, worst of nine"},
                                           {"NaN rule in objects of clang, mean of nine",
                                            "NaN rule in objects of clang, worst of nine"}};
    static machine_kernels   interp, object, any_nans;
    static bench_pair        engines[KERNELS], interp_nans[KERNELS];
#ifdef __clang__
    const double limit = 9.0;
#else
    const double limit = 10.0;
#endif
    bench_stage(b);
    atexit(machine_remove_scripts);
    (void)machine_load(&interp, b, emberi_interp_load, NULL);
    (void)machine_load(&object, b, ember_machine_load_wasm, NULL);
    (void)machine_load(&any_nans, b, bench_any_nans_load, NULL);
    machine_pairs(engines, &interp, &object);
    machine_pairs(interp_nans, &interp, &any_nans);
    for (uint32_t i = 0; i < KERNELS; i++)
        bench_row(b, names[i], interp.timed[i], object.timed[i], BENCH_NO_LIMIT, 0.0);
    bench_row_of(b, "interpreter to object, mean of nine", engines, KERNELS, BENCH_MEAN, limit);
    bench_row_of(b, "NaN rule in the interpreter, mean of nine", interp_nans, KERNELS, BENCH_MEAN, 1.05);
    for (int i = 0; i < 2; i++)
        machine_nans(b, i, compilers[i], nans[i]);
}
