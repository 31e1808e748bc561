/* SPDX-License-Identifier: MIT */
/* The exporter as its users run it: a process that reads a character with 76 clips and writes each as a file,
   against reading and parsing the character once. What counts is the processor's time: writing waits for
   disks, and other processes. */
#define _GNU_SOURCE /* wait4 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "format/gltf/gltf.h"

#define EXPORT_RUNS 7
#define EXPORT_CLIPS 76

typedef struct character {
    char         path[512];
    ember_buffer bytes;
} character;

/* The container, the JSON and its nodes; no clip is sampled. */
static void parse(void *user)
{
    character         *c = user;
    ember_error        err = EMBER_ERROR_INIT;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_read_options options = {.path = c->path};
    c->bytes.size = 0;
    if (ember_file_read(&c->bytes, c->path, 0, &err) == EMBER_OK) {
        emberi_source source = {c->bytes.data, c->bytes.size, &options, &arena, &err, NULL};
        gltf_doc      doc;
        if (emberi_gltf_open(&doc, &source) != EMBER_OK) {
            char line[EMBER_ERROR_LINE_SIZE];
            (void)ember_error_format(line, sizeof(line), c->path, &err);
            fprintf(stderr, "bench: %s\n", line);
        }
        emberi_gltf_close(&doc);
    }
    ember_arena_free(&arena);
}

static double parse_seconds(character *c)
{
    double best = 1e30;
    for (int i = 0; i < EXPORT_RUNS; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        parse(c);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* The processor's seconds of one export; 0 where it failed. */
static double export_once(const character *c, const char *folder, const char *space)
{
    char          out[600];
    int           end = 0;
    struct rusage used;
    snprintf(out, sizeof(out), "%s/{clip}.ewzanim", folder);
    pid_t child = fork();
    if (child == 0) {
        execl(EMBER_COMMAND, "ember", "export", "animation", c->path, "--all", "-q", "--space", space, "-o",
              out, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &end, 0, &used) != child || !WIFEXITED(end) || WEXITSTATUS(end) != 0)
        return 0.0;
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static void export_row(bench *b, character *c, const bench_timed *parsed, double parsing, const char *folder,
                       const char *space, const char *name)
{
    double best = 1e30;
    for (int i = 0; i < EXPORT_RUNS; i++) {
        double seconds = export_once(c, folder, space);
        best = seconds < best ? seconds : best;
    }
    if (best == 0.0) {
        bench_note(b, "export: %s could not export %s", EMBER_COMMAND, c->path);
        best = 1e9;
    }
    bench_value(b, name, parsed, best / parsing, BENCH_AT_MOST, 8.0);
    bench_note(b, "%s: %.2f ms a clip, %.1f MB/s of the source", name, best * 1e3 / EXPORT_CLIPS,
               (double)c->bytes.size / 1e6 / best);
}

void bench_export(bench *b)
{
    static character c = {.path = ""};
    const char      *corpus = getenv("EMBER_CORPUS");
    char             folder[] = "/tmp/ember-bench-XXXXXX", command[64];
    c.bytes.allocator = ember_heap();
    if (corpus == NULL ||
        (size_t)snprintf(c.path, sizeof(c.path), "%s/gltf/Knight.glb", corpus) >= sizeof(c.path) ||
        access(c.path, R_OK) != 0) {
        bench_note(b, "export: left out, EMBER_CORPUS names no folder with gltf/Knight.glb");
        return;
    }
    if (mkdtemp(folder) == NULL)
        return;
    double             parsing = parse_seconds(&c);
    const bench_timed *parsed = bench_time(b, parse, &c, 1);
    bench_row(b, "export: read and parse Knight.glb once", parsed, NULL, BENCH_NO_LIMIT, 0.0);
    export_row(b, &c, parsed, parsing, folder, "model", "export: its 76 clips, model space, times parsing");
    export_row(b, &c, parsed, parsing, folder, "local", "export: its 76 clips, local space, times parsing");
    snprintf(command, sizeof(command), "rm -r '%s'", folder);
    if (system(command) != 0) /* NOLINT(cert-env33-c): the name is mkdtemp's */
        bench_note(b, "export: %s is left behind", folder);
}
