/* SPDX-License-Identifier: MIT */
/* Rows of Final Fantasy VII packs: decoding against the specification's way, which takes one bit after the
   other, and encoding. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/ff7.h"

#define TRIPLES 26
/* So many that a processor does not learn the jumps of the clip by heart, as it does with 120 frames: in a
   game a clip is decoded once. */
#define FRAMES 1300
#define TRIPLE_COUNT ((size_t)TRIPLES * FRAMES)
#define TRANSFORM_SIZE 40.0 /* what a triple becomes in the model */
#define TIMES 400

typedef struct ff7_data {
    ember_ff7_triple positions[FRAMES], rotations[TRIPLE_COUNT];
    ember_ff7_triple out[TRIPLE_COUNT], out_positions[FRAMES];
    ember_ff7_clip   clip;
    ember_buffer     pack, again;
    ember_ff7_pack   view;
    ember_arena      arena, scratch;
} ff7_data;

/* ---- one bit after the other: the specification's functions, line by line ---- */

/* The specification gives this one in assembler, with a jump for every bit. A compiler makes arithmetic of
   it, which is faster; the empty statement keeps the jump. */
#define KEEP_JUMP() __asm__ volatile("")

__attribute__((noinline)) static int32_t slow_fixed(const uint8_t *buffer, int32_t *start, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        value <<= 1;
        uint8_t byte = buffer[*start / 8];
        if ((byte & 1 << (7 - (*start & 7))) != 0) {
            KEEP_JUMP();
            value++;
        }
        (*start)++;
    }
    value <<= 32u - count; /* NOLINT(clang-analyzer-core.uninitialized.Assign): the count is 1 to 16 */
    int32_t extended;
    memcpy(&extended, &value, sizeof(extended));
    return extended >> (32u - count);
}

static int32_t slow_rotation(const uint8_t *buffer, int32_t *start)
{
    if (slow_fixed(buffer, start, 1) == 0)
        return 0;
    uint32_t type = (uint32_t)slow_fixed(buffer, start, 3) & 7u;
    if (type == 0)
        return -1;
    if (type == 7)
        return slow_fixed(buffer, start, 12);
    int32_t value = slow_fixed(buffer, start, type);
    return value < 0 ? value - (1 << (type - 1)) : value + (1 << (type - 1));
}

static int32_t slow_position(const uint8_t *buffer, int32_t *start)
{
    return slow_fixed(buffer, start, slow_fixed(buffer, start, 1) != 0 ? 16 : 7);
}

static void time_slow(void *user)
{
    ff7_data      *data = user;
    const uint8_t *bits = data->view.chunks[0].values;
    int32_t        bit = 0;
    for (int f = 0; f < FRAMES; f++) {
        int16_t *p = &data->out_positions[f].x, *q = &data->out[(size_t)f * TRIPLES].x;
        for (int i = 0; i < 3; i++)
            p[i] = (int16_t)(f == 0 ? slow_fixed(bits, &bit, 16) : p[i - 3] + slow_position(bits, &bit));
        for (int i = 0; i < TRIPLES * 3; i++)
            q[i] = (int16_t)(f == 0 ? slow_fixed(bits, &bit, 12)
                                    : q[i - TRIPLES * 3] + slow_rotation(bits, &bit));
    }
}

/* ---- the library ---- */

static void time_decode(void *user)
{
    ff7_data        *data = user;
    ember_arena_mark mark = ember_arena_save(&data->scratch);
    ember_ff7_clip   clip;
    if (ember_ff7_decode(&clip, &data->view.chunks[0], &data->scratch, NULL) != EMBER_OK)
        exit(2);
    ember_arena_restore(&data->scratch, mark);
}

static void time_encode(void *user)
{
    ff7_data *data = user;
    data->again.size = 0;
    if (ember_ff7_encode(&data->again, &data->clip, 0, NULL, NULL) != EMBER_OK)
        exit(2);
}

static void time_model(void *user)
{
    ff7_data          *data = user;
    ember_arena_mark   mark = ember_arena_save(&data->scratch);
    ember_read_options reading = {.format = EMBER_FORMAT_FF7};
    ember_model        model;
    if (ember_model_read(&model, data->pack.data, data->pack.size, &reading, &data->scratch, NULL) !=
        EMBER_OK)
        exit(2);
    ember_arena_restore(&data->scratch, mark);
}

/* ---- data ---- */

/* Changes as real clips have them: two in five are none, most of the others small. */
static int ff7_change(bench *b)
{
    uint32_t u = bench_random(b);
    int      most = u % 5 < 2 ? 0 : u % 5 < 4 ? 8 : 40;
    return most == 0 ? 0 : (int)(bench_random(b) % (unsigned)(2 * most + 1)) - most;
}

static void ff7_make(ff7_data *data, bench *b)
{
    int16_t *p = &data->positions[0].x, *q = &data->rotations[0].x;
    for (size_t i = 0; i < FRAMES * 3; i++)
        p[i] = (int16_t)(i < 3 ? 0 : p[i - 3] + ff7_change(b));
    for (size_t i = 0; i < TRIPLE_COUNT * 3; i++)
        q[i] = (int16_t)(i < TRIPLES * 3 ? (int)(bench_random(b) & 4095u) - 2048
                                         : q[i - TRIPLES * 3] + ff7_change(b));
    data->clip = (ember_ff7_clip){.kind = EMBER_FF7_BODY,
                                  .bones_field = TRIPLES,
                                  .triple_count = TRIPLES,
                                  .frame_count = FRAMES,
                                  .positions = data->positions,
                                  .rotations = data->rotations};
    data->pack.allocator = data->again.allocator = ember_heap();
    data->arena = ember_arena_growing(ember_heap(), 0);
    data->scratch = ember_arena_fixed(bench_memory((size_t)32 << 20, 0), (size_t)32 << 20);
    ember_ff7_item item = {NULL, &data->clip, 0};
    if (ember_ff7_pack_write(&data->pack, &item, 1, NULL, 0, NULL) != EMBER_OK ||
        ember_ff7_pack_read(&data->view, data->pack.data, data->pack.size, NULL, &data->arena, NULL) !=
            EMBER_OK)
        exit(2);
    time_slow(data);
    if (memcmp(data->out, data->rotations, sizeof(data->out)) != 0) {
        fprintf(stderr, "bench: bit by bit gives other values\n");
        exit(2);
    }
}

static double ff7_best_ns(void (*run)(void *user), void *user)
{
    double best = 1e30;
    for (int i = 0; i < TIMES; i++) {
        double start = bench_now_ns();
        run(user);
        double took = bench_now_ns() - start;
        best = took < best ? took : best;
    }
    return best;
}

/* Megabytes of transforms a second. */
static double ff7_rate(double ns) { return (double)TRIPLE_COUNT * TRANSFORM_SIZE * 1e3 / ns; }

void bench_ff7(bench *b)
{
    ff7_data *data = bench_memory(sizeof(*data), 0);
    ff7_make(data, b);
    bench_timed *slow = bench_time(b, time_slow, data, TRIPLE_COUNT),
                *fast = bench_time(b, time_decode, data, TRIPLE_COUNT);
    bench_timed *encode = bench_time(b, time_encode, data, TRIPLE_COUNT),
                *model = bench_time(b, time_model, data, TRIPLE_COUNT);
    double decode_rate = ff7_rate(ff7_best_ns(time_decode, data)),
           encode_rate = ff7_rate(ff7_best_ns(time_encode, data));
    double model_rate = ff7_rate(ff7_best_ns(time_model, data));
    bench_row(b, "ff7: decode a rotation triple, against bit by bit", fast, slow, BENCH_AT_LEAST, 10.0);
    bench_value(b, "ff7: read a pack into the model, MB of transforms/s", model, model_rate, BENCH_AT_LEAST,
                950.0);
    bench_value(b, "ff7: encode, MB of transforms/s", encode, encode_rate, BENCH_AT_LEAST, 1050.0);
    bench_note(b,
               "ff7: %.2f bits a value; decoding %.0f, encoding %.0f MB/s of transforms, %.0f and %.0f of "
               "16-bit values",
               (double)data->view.chunks[0].bit_count / (TRIPLE_COUNT * 3.0), decode_rate, encode_rate,
               decode_rate * 6.0 / 40.0, encode_rate * 6.0 / 40.0);
}
