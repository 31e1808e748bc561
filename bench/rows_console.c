/* Rows of the console: the host's side of what a game does in every frame. What the call itself costs a WASM game is the engine's
 * row. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "console/functions.h"

#define BONES 40
#define FRAMES 60
#define CROWD 1000
#define MEMORY 65536u
#define AT_FILE 64u
#define AT_OUT 60000u

typedef struct console_data {
    ember_console *c;
    uint8_t       *memory;
    uint32_t       clip, mesh, frame;
    uint8_t       *file;
    void          *state;
} console_data;

static void console_trap(void *user, const ember_trap *trap)
{
    (void)user;
    (void)trap;
    abort();
}

static void console_open(bench *b, console_data *d)
{
    static const float    vertices[3][8] = {{0, 0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0}, {0, 1, 0, 0, 1, 0, 0, 0}};
    ember_console_options options = {.allocator = ember_heap(), .trap = console_trap};
    const uint8_t         header[4] = {BONES, 0, FRAMES, 0};
    d->memory = bench_memory(MEMORY, 0);
    memcpy(d->memory + AT_FILE, header, 4);
    for (size_t i = 0; i < (size_t)BONES * FRAMES; i++) {
        ember_transform t = EMBER_TRANSFORM_IDENTITY;
        t.rotation = ember_quat_normalize(
            (ember_quat){bench_random_float(b, -1, 1), bench_random_float(b, -1, 1), bench_random_float(b, -1, 1), 1.0f});
        t.position = (ember_vec3){bench_random_float(b, -1, 1), bench_random_float(b, -1, 1), bench_random_float(b, -1, 1)};
        (void)ember_record_encode(d->memory + AT_FILE + 4 + i * 16, EMBER_RECORD_EWZ, &t);
    }
    if (ember_console_create(&d->c, &options, NULL) != EMBER_OK)
        abort();
    ember_console_set_memory(d->c, d->memory, MEMORY);
    ember_console_begin(d->c, EMBER_PHASE_INIT, NULL);
    d->clip = emberi_host_keyframes_load(d->c, AT_FILE, 4 + BONES * FRAMES * 16);
    memcpy(d->memory + AT_OUT, vertices, sizeof(vertices)); /* joints are bytes of zero, weights 1 0 0 0 */
    d->mesh = emberi_host_load_mesh(d->c, AT_OUT, 3, 8);
    ember_console_end(d->c);
    ember_console_begin(d->c, EMBER_PHASE_RENDER, NULL);
    d->file = bench_memory(BONES * FRAMES * 16, 0);
    memcpy(d->file, d->memory + AT_FILE + 4, BONES * FRAMES * 16);
    d->state = bench_memory(ember_console_state_size(d->c), 0);
}

static void time_bind(void *user)
{
    console_data *d = user;
    for (uint32_t i = 0; i < FRAMES; i++)
        emberi_host_keyframe_bind(d->c, d->clip, i);
}

static void time_read(void *user)
{
    console_data *d = user;
    for (uint32_t i = 0; i < FRAMES; i++)
        emberi_host_keyframe_read(d->c, d->clip, i, AT_OUT);
}

/* The same frames to the same place, without a console. */
static void time_decode(void *user)
{
    console_data *d = user;
    for (uint32_t i = 0; i < FRAMES; i++) {
        ember_decode_job job = {.out = (ember_transform *)(void *)(d->memory + AT_OUT),
                                .out_count = BONES,
                                .frame = d->file + (size_t)i * BONES * 16,
                                .frame_size = BONES * 16,
                                .bone_count = BONES};
        (void)ember_decode_run(&job);
    }
}

static void time_crowd(void *user)
{
    console_data *d = user;
    ember_console_end(d->c);
    ember_console_begin(d->c, EMBER_PHASE_RENDER, NULL);
    for (uint32_t i = 0; i < CROWD; i++) {
        emberi_host_push_identity(d->c);
        emberi_host_push_translate(d->c, (float)i, 0.0f, 0.0f);
        emberi_host_keyframe_bind(d->c, d->clip, i % FRAMES);
        emberi_host_draw_mesh(d->c, d->mesh);
    }
}

static void time_state(void *user)
{
    console_data *d = user;
    ember_console_state_save(d->c, d->state);
    ember_console_state_restore(d->c, d->state);
}

/* The shortest of many batches, for a promise in nanoseconds. */
static double shortest_ns(void (*run)(void *), void *user, double items)
{
    double best = 1e30;
    for (int i = 0; i < 2000; i++) {
        double start = bench_now_ns();
        run(user);
        double ns = (bench_now_ns() - start) / items;
        best = ns < best ? ns : best;
    }
    return best;
}

void bench_console(bench *b)
{
    console_data *d = bench_memory(sizeof(*d), 0);
    console_open(b, d);
    bench_timed *bind = bench_time(b, time_bind, d, FRAMES), *decode = bench_time(b, time_decode, d, FRAMES);
    bench_timed *read = bench_time(b, time_read, d, FRAMES);
    bench_value(b, "keyframe_bind, in ns", bind, shortest_ns(time_bind, d, FRAMES), BENCH_AT_MOST, 20.0);
    bench_row(b, "keyframe_read of 40 bones / decode", read, decode, BENCH_AT_MOST, 1.5);
    bench_row(b, "a crowd of 1000 stamped, each / decode of 40", bench_time(b, time_crowd, d, CROWD), decode, BENCH_NO_LIMIT,
              0.0);
    bench_row(b, "console state, saved and restored / decode of 40", bench_time(b, time_state, d, 1), decode, BENCH_NO_LIMIT,
              0.0);
}
