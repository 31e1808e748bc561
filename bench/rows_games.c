/* SPDX-License-Identifier: MIT */
/* Rows of whole games: frames of the examples on the interpreter and on the object engine, once update and
   render alone, once with the snapshot and hash that rollback takes of every frame; the first frame from
   nothing, also of large modules; a call of the host; and what the object engine itself costs a frame. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/machine.h"

#define GAMES 6
#define CALLS 10000 /* as in bench_game.c */

extern const uint8_t bench_bench_game_text[], bench_bench_kernels_text[];
extern const size_t  bench_bench_game_size, bench_bench_kernels_size;

typedef struct games_job {
    ember_machine  *machine;
    ember_snapshot *snapshot;
    const uint8_t  *wasm; /* for the first frame */
    size_t          size;
    const char     *rom;
    uint64_t        hash;
    uint32_t        inputs[EMBER_CONSOLE_PLAYERS];
} games_job;

static void games_must(ember_status status, const ember_error *err)
{
    if (status != EMBER_OK) {
        fprintf(stderr, "bench: %s\n", err->text);
        exit(2);
    }
}

static void games_frame(games_job *job)
{
    ember_error err = EMBER_ERROR_INIT;
    games_must(ember_machine_update(job->machine, job->inputs, &err), &err);
    games_must(ember_machine_render(job->machine, &err), &err);
}

static void time_frame(void *user) { games_frame(user); }

/* As a host that rolls back runs it: it keeps the state of every frame, and its hash for the others. */
static void time_whole_frame(void *user)
{
    games_job *job = user;
    games_frame(job);
    if (ember_machine_save(job->snapshot, job->machine) != EMBER_OK)
        exit(2);
    job->hash ^= ember_snapshot_hash(job->snapshot);
}

static void time_update(void *user)
{
    games_job  *job = user;
    ember_error err = EMBER_ERROR_INIT;
    games_must(ember_machine_update(job->machine, job->inputs, &err), &err);
}

static ember_machine *games_load(const games_job *job, const ember_rom *rom, ember_engine engine)
{
    ember_machine_options options = {.engine = engine, .rom = rom, .watchdog_s = 10.0};
    ember_machine        *machine;
    ember_error           err = EMBER_ERROR_INIT;
    games_must(ember_machine_load_wasm(&machine, job->wasm, job->size, &options, &err), &err);
    games_must(ember_machine_init(machine, &err), &err);
    return machine;
}

/* From the module's bytes and the ROM's file to the end of the first frame, and all of it freed. */
static void time_first_frame(void *user)
{
    games_job  *job = user;
    ember_rom  *rom = NULL;
    ember_error err = EMBER_ERROR_INIT;
    if (job->rom != NULL)
        games_must(ember_rom_open_file(&rom, job->rom, ember_heap(), &err), &err);
    job->machine = games_load(job, rom, EMBER_ENGINE_INTERP);
    games_frame(job);
    ember_machine_unload(job->machine);
    ember_rom_close(rom);
}

/* ---- the examples ---- */

static void games_examples(bench *b)
{
    static const char *const names[GAMES] = {"crossfade", "crowd", "draft", "raw", "robot", "stamp"};
    static const char *const calls[GAMES] = {"calls of crossfade: interpreter to object",
                                             "calls of crowd: interpreter to object",
                                             "calls of draft: interpreter to object",
                                             "calls of raw: interpreter to object",
                                             "calls of robot: interpreter to object",
                                             "calls of stamp: interpreter to object"};
    static const char *const rows[GAMES] = {"whole frame of crossfade: interpreter to object",
                                            "whole frame of crowd: interpreter to object",
                                            "whole frame of draft: interpreter to object",
                                            "whole frame of raw: interpreter to object",
                                            "whole frame of robot: interpreter to object",
                                            "whole frame of stamp: interpreter to object"};
    static games_job         jobs[GAMES][3];
    static bench_pair        frames[GAMES], firsts[GAMES];
    for (int i = 0; i < GAMES; i++) {
        char        *path = bench_memory(600, 0);
        ember_buffer wasm = {.allocator = ember_heap()};
        ember_rom   *rom;
        ember_error  err = EMBER_ERROR_INIT;
        snprintf(path, 600, "%s/%s.wasm", EMBER_GAMES, names[i]);
        games_must(ember_file_read(&wasm, path, 0, &err), &err);
        snprintf(path, 600, "%s/%s.ewz", EMBER_GAMES, names[i]);
        games_must(ember_rom_open_file(&rom, path, ember_heap(), &err), &err);
        for (int k = 0; k < 3; k++) {
            jobs[i][k] = (games_job){.wasm = wasm.data, .size = wasm.size, .rom = path};
            games_must(ember_snapshot_create(&jobs[i][k].snapshot, ember_heap()), &err);
        }
        jobs[i][0].machine = games_load(&jobs[i][0], rom, EMBER_ENGINE_INTERP);
        jobs[i][1].machine = games_load(&jobs[i][1], rom, EMBER_ENGINE_OBJECT);
        frames[i] = (bench_pair){bench_time(b, time_whole_frame, &jobs[i][0], 1),
                                 bench_time(b, time_whole_frame, &jobs[i][1], 1)};
        firsts[i] = (bench_pair){bench_time(b, time_first_frame, &jobs[i][2], 1), bench_nanosecond()};
        bench_row(b, calls[i], bench_time(b, time_frame, &jobs[i][0], 1),
                  bench_time(b, time_frame, &jobs[i][1], 1), BENCH_NO_LIMIT, 0.0);
        bench_row(b, rows[i], frames[i].timed, frames[i].unit, BENCH_NO_LIMIT, 0.0);
    }
    bench_row_of(b, "whole frame of an example, median of six", frames, GAMES, BENCH_MEDIAN, 1.2);
    bench_row_of(b, "whole frame of an example, worst of six", frames, GAMES, BENCH_WORST, 2.5);
    bench_row_of(b, "first frame of an example, ns, worst of six", firsts, GAMES, BENCH_WORST, 5e6);
}

/* ---- large modules ---- */

typedef struct games_bytes {
    uint8_t *data;
    size_t   size;
} games_bytes;

static void games_put(games_bytes *out, const void *data, size_t size)
{
    memcpy(out->data + out->size, data, size);
    out->size += size;
}

static uint32_t games_number(const uint8_t **at)
{
    uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint32_t)(byte & 0x7fu) << shift;
        if (byte < 0x80)
            return value;
    }
}

static void games_put_number(games_bytes *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        out->data[out->size++] = (uint8_t)(value | 0x80u);
    out->data[out->size++] = (uint8_t)value;
}

/* The kernels' module, its functions as often as it takes to have `size` bytes: real code, of which only the
   first copy is called. */
static games_bytes games_grow(size_t size)
{
    enum { SECTION_FUNCTION = 3, SECTION_CODE = 10 };
    const uint8_t *at = bench_bench_kernels_text + 8,
                  *end = bench_bench_kernels_text + bench_bench_kernels_size;
    uint32_t    times = (uint32_t)(size / bench_bench_kernels_size);
    games_bytes out = {bench_memory(2 * size + 65536, 0), 0};
    games_put(&out, bench_bench_kernels_text, 8);
    while (at < end) {
        uint8_t        id = *at++;
        uint32_t       length = games_number(&at);
        const uint8_t *next = at + length, *from = at;
        bool           grows = id == SECTION_FUNCTION || id == SECTION_CODE;
        uint32_t       count = grows ? games_number(&from) : 0, rest = (uint32_t)(next - from);
        games_bytes    number = {bench_memory(8, 0), 0};
        games_put_number(&number, count * times);
        out.data[out.size++] = id;
        games_put_number(&out, grows ? (uint32_t)number.size + rest * times : length);
        if (grows)
            games_put(&out, number.data, number.size);
        for (uint32_t i = 0; i < (grows ? times : 1); i++)
            games_put(&out, from, rest);
        at = next;
    }
    return out;
}

static void games_large(bench *b)
{
    static games_job jobs[2];
    const size_t     sizes[2] = {82000, 829000};
    for (int i = 0; i < 2; i++) {
        games_bytes module = games_grow(sizes[i]);
        jobs[i] = (games_job){.wasm = module.data, .size = module.size};
        bench_note(b, "large module %d: %zu bytes", i + 1, module.size);
    }
    bench_row(b, "first frame of a module of 82 KB, ns", bench_time(b, time_first_frame, &jobs[0], 1),
              bench_nanosecond(), BENCH_AT_MOST, 10e6);
    bench_row(b, "first frame of a module of 829 KB, ns", bench_time(b, time_first_frame, &jobs[1], 1),
              bench_nanosecond(), BENCH_AT_MOST, 40e6);
}

/* ---- small things ---- */

/* A page of memory, an update and a render that do nothing. */
static const uint8_t empty_game[] = {0,   'a', 's', 'm', 1,   0,   0,   0,    1,   4,   1,   0x60, 0,
                                     0,   3,   3,   2,   0,   0,   5,   3,    1,   0,   1,   7,    28,
                                     3,   6,   'm', 'e', 'm', 'o', 'r', 'y',  2,   0,   6,   'u',  'p',
                                     'd', 'a', 't', 'e', 0,   0,   6,   'r',  'e', 'n', 'd', 'e',  'r',
                                     0,   1,   10,  7,   2,   2,   0,   0x0b, 2,   0,   0x0b};

void bench_games(bench *b)
{
    static games_job calls = {.inputs = {1}}, empty;
    bench_stage(b);
    games_examples(b);
    games_large(b);
    calls.wasm = bench_bench_game_text;
    calls.size = bench_bench_game_size;
    calls.machine = games_load(&calls, NULL, EMBER_ENGINE_INTERP);
    bench_row(b, "host call from the interpreter, ns", bench_time(b, time_update, &calls, CALLS),
              bench_nanosecond(), BENCH_AT_MOST, 10.0);
    empty.wasm = empty_game;
    empty.size = sizeof(empty_game);
    empty.machine = games_load(&empty, NULL, EMBER_ENGINE_OBJECT);
    bench_row(b, "frame of an empty game, object engine, ns", bench_time(b, time_frame, &empty, 1),
              bench_nanosecond(), BENCH_AT_MOST, 1000.0);
}
