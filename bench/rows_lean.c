/* SPDX-License-Identifier: MIT */
/* Rows of lean clips: bytes per bone and frame of the corpus, what a pose costs in multiples of decoding a
   frame of 16-byte records, what opening and encoding take, and a crowd. They need EMBER_CORPUS. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "squeeze/lean/lean_kernels.h"
#include "squeeze/lean/lean_sets.h"

#define LEAN_POSES 256u
#define LEAN_CROWD 1000u
#define LEAN_MOST_BONES 96u

/* One clip and what is read of it. */
typedef struct lean_reading {
    const lean_set     *set;
    ember_lean_clip     clip;
    ember_lean_cursor   cursor;
    uint32_t            times[LEAN_POSES]; /* frame << 16 | fraction */
    const lean_kernels *kernels;
    uint8_t            *records; /* a frame of 16 bytes for each bone */
    const uint8_t      *data;
    size_t              size;
    void               *memory;
    size_t              memory_size;
    ember_transform    *pose;
} lean_reading;

static void fail(const char *text)
{
    fprintf(stderr, "bench: %s\n", text);
    exit(2);
}

/* ---- what is timed ---- */

static void time_random(void *user)
{
    lean_reading *r = user;
    for (uint32_t i = 0; i < LEAN_POSES; i++)
        (void)ember_lean_sample(r->pose, LEAN_MOST_BONES, &r->clip, r->times[i] >> 16, r->times[i] & 65535u);
}

/* The same by one set of kernels. */
static void time_kernels(void *user)
{
    lean_reading *r = user;
    for (uint32_t i = 0; i < LEAN_POSES; i++) {
        lean_place place;
        (void)emberi_lean_locate(&place, &r->clip, r->times[i] >> 16, r->times[i] & 65535u);
        r->kernels->pose(r->pose, r->clip.parts, &place, (float)(r->times[i] & 65535u) / 65536.0f,
                         r->clip.bone_count);
    }
}

/* 60 poses a second of a clip with 30 frames a second. */
static void time_in_order(void *user)
{
    lean_reading *r = user;
    for (uint32_t i = 0; i < LEAN_POSES; i++)
        (void)ember_lean_cursor_sample(r->pose, LEAN_MOST_BONES, &r->cursor, i / 2 % r->clip.frame_count,
                                       i % 2 * 32768u);
}

static void time_decode(void *user)
{
    lean_reading          *r = user;
    const ember_decode_job job = {.out = r->pose,
                                  .out_count = LEAN_MOST_BONES,
                                  .frame = r->records,
                                  .frame_size = (size_t)r->clip.bone_count * EMBER_KEYFRAME_SIZE,
                                  .bone_count = r->clip.bone_count};
    for (uint32_t i = 0; i < LEAN_POSES; i++)
        (void)ember_decode_run(&job);
}

static void time_open(void *user)
{
    lean_reading *r = user;
    if (ember_lean_open(&r->clip, r->data, r->size, &r->set->rig, r->memory, r->memory_size, NULL) !=
        EMBER_OK)
        fail("a lean clip cannot be opened");
}

typedef struct lean_encoding {
    const lean_set *set;
    uint32_t        clip;
    double          millimetres;
    ember_arena     arena;
} lean_encoding;

static void time_encode(void *user)
{
    lean_encoding         *e = user;
    const ember_arena_mark mark = ember_arena_save(&e->arena);
    ember_lean_job         job;
    if (!lean_set_encode(&job, e->set, e->clip, e->millimetres, emberi_lean_templates, NULL, &e->arena))
        fail("a clip cannot be encoded");
    ember_arena_restore(&e->arena, mark);
}

typedef struct lean_crowd {
    lean_reading *reading;
    uint32_t      times[LEAN_CROWD];
    ember_mat34  *matrices;
} lean_crowd;

static void time_crowd(void *user)
{
    lean_crowd      *crowd = user;
    lean_reading    *r = crowd->reading;
    ember_transform *pose = r->pose;
    for (uint32_t i = 0; i < LEAN_CROWD; i++) {
        const ember_compose_job job = {.out = crowd->matrices + (size_t)i * r->clip.bone_count,
                                       .pose = pose,
                                       .parents = r->set->parents,
                                       .bone_count = r->clip.bone_count};
        (void)ember_lean_sample(pose, LEAN_MOST_BONES, &r->clip, crowd->times[i] >> 16,
                                crowd->times[i] & 65535u);
        (void)ember_compose_run(&job);
    }
}

/* ---- preparing ---- */

static uint32_t longest_clip(const lean_set *set)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < set->clip_count; i++)
        if (set->clips[i].frame_count > set->clips[best].frame_count)
            best = i;
    return best;
}

/* The records that lie beside the poses in the times' unit: any of the same number will do. */
static uint8_t *records_of(const lean_set *set)
{
    uint8_t *out = bench_memory((size_t)set->bone_count * EMBER_KEYFRAME_SIZE, 0);
    for (uint32_t bone = 0; bone < set->bone_count; bone++)
        (void)ember_record_encode(out + bone * EMBER_KEYFRAME_SIZE, EMBER_RECORD_EWZ,
                                  &set->clips[0].frames[bone]);
    return out;
}

static lean_reading *reading_make(bench *b, const lean_set *set, const uint8_t *data, size_t size)
{
    lean_reading *r = bench_memory(sizeof(*r), 0);
    uint8_t      *copy = bench_memory(size, 0);
    memcpy(copy, data, size);
    *r = (lean_reading){.set = set,
                        .data = copy,
                        .size = size,
                        .memory_size = ember_lean_open_size(data, size, &set->rig),
                        .records = records_of(set),
                        .kernels = emberi_lean_kernels_used(),
                        /* where no load meets its stores */
                        .pose = bench_memory(LEAN_MOST_BONES * sizeof(ember_transform), 2048)};
    r->memory = bench_memory(r->memory_size, 0);
    time_open(r);
    const size_t cursor_size = ember_lean_cursor_size(&r->clip);
    if (set->bone_count > LEAN_MOST_BONES ||
        ember_lean_cursor_init(&r->cursor, &r->clip, bench_memory(cursor_size, 0), cursor_size) != EMBER_OK)
        fail("a cursor cannot be made");
    for (uint32_t i = 0; i < LEAN_POSES; i++)
        r->times[i] = bench_random(b) % r->clip.frame_count << 16 | (bench_random(b) & 65535u);
    return r;
}

static lean_reading *reading_of(bench *b, const lean_set *set, uint32_t clip, double millimetres,
                                ember_arena *arena)
{
    ember_lean_job job;
    if (!lean_set_encode(&job, set, clip, millimetres, emberi_lean_templates, NULL, arena))
        fail("a clip cannot be encoded");
    return reading_make(b, set, job.out, job.out_size);
}

/* ---- rows ---- */

/* All clips of a set with their rig, and 4 bytes that a container needs to find each. */
static void bytes_of(double out[2], const lean_set *set, double millimetres, ember_arena *arena)
{
    out[0] += (double)set->rig.size;
    for (uint32_t i = 0; i < set->clip_count; i++) {
        const ember_arena_mark mark = ember_arena_save(arena);
        ember_lean_job         job;
        if (!lean_set_encode(&job, set, i, millimetres, emberi_lean_templates, NULL, arena))
            fail("a clip cannot be encoded");
        out[0] += (double)job.out_size + 4.0;
        out[1] += (double)set->bone_count * (double)job.frame_count;
        ember_arena_restore(arena, mark);
    }
}

static void bench_lean_sizes(bench *b, const lean_set *sets, int count, const bench_timed *any,
                             ember_arena *arena)
{
    static const char *const names[2][2] = {{"lean, at most 1.0 mm: bytes, corpus",
                                             "lean, at most 1.0 mm: bytes, train"},
                                            {"lean, at most 0.2 mm: bytes, corpus",
                                             "lean, at most 0.2 mm: bytes, train"}};
    static const double      limits[2] = {1.08, 1.65}, millimetres[2] = {1.0, 0.2};
    for (int i = 0; i < 2; i++)
        for (int train = 0; train < 2; train++) {
            double sums[2] = {0.0, 0.0};
            for (int s = 0; s < count; s++)
                if (sets[s].train == (train != 0))
                    bytes_of(sums, &sets[s], millimetres[i], arena);
            bench_value(b, names[i][train], any, sums[0] / sums[1],
                        train == 0 ? BENCH_AT_MOST : BENCH_NO_LIMIT, limits[i]);
        }
}

typedef struct lean_pairs {
    bench_pair random[LEAN_SETS], ordered[LEAN_SETS], sse2[LEAN_SETS], plain[LEAN_SETS];
    size_t     count;
} lean_pairs;

/* The longest clip of a set at 1 mm. */
static lean_reading *bench_lean_set(bench *b, lean_pairs *pairs, const lean_set *set, ember_arena *arena)
{
    lean_reading      *r = reading_of(b, set, longest_clip(set), 1.0, arena);
    const size_t       items = (size_t)LEAN_POSES * set->bone_count, at = pairs->count++;
    const bench_timed *decode = bench_time(b, time_decode, r, items);
    pairs->random[at] = (bench_pair){bench_time(b, time_random, r, items), decode};
    pairs->ordered[at] = (bench_pair){bench_time(b, time_in_order, r, items), decode};
    pairs->sse2[at] = pairs->plain[at] = pairs->random[at];
    for (uint32_t i = 0; emberi_lean_kernels_at(i) != NULL; i++) {
        const lean_kernels *kernels = emberi_lean_kernels_at(i);
        bench_pair         *pair = strcmp(kernels->name, "sse2") == 0   ? &pairs->sse2[at]
                                   : strcmp(kernels->name, "avx2") == 0 ? &pairs->plain[at]
                                                                        : NULL;
        if (pair == NULL)
            continue;
        lean_reading *other = bench_memory(sizeof(*other), 0);
        *other = *r;
        other->kernels = kernels;
        *pair = (bench_pair){bench_time(b, time_kernels, other, items), pairs->random[at].timed};
    }
    return r;
}

/* A clip of 65535 frames: the longest one repeated. */
static const bench_timed *bench_lean_long(bench *b, const lean_set *set, ember_arena *arena)
{
    const uint32_t   clip = longest_clip(set), count = set->clips[clip].frame_count;
    ember_transform *frames = EMBER_PUSH(arena, ember_transform, (size_t)EMBER_MAX_FRAMES * set->bone_count);
    ember_clip      *one = EMBER_PUSH(arena, ember_clip, 1);
    lean_set        *whole = EMBER_PUSH(arena, lean_set, 1);
    if (frames == NULL || one == NULL || whole == NULL)
        fail("out of memory");
    for (uint32_t f = 0; f < EMBER_MAX_FRAMES; f++)
        memcpy(frames + (size_t)f * set->bone_count,
               set->clips[clip].frames + (size_t)(f % count) * set->bone_count,
               set->bone_count * sizeof(*frames));
    *one = set->clips[clip];
    one->frames = frames;
    one->frame_count = EMBER_MAX_FRAMES;
    *whole = *set;
    whole->clips = one;
    whole->clip_count = 1;
    return bench_time(b, time_open, reading_of(b, whole, 0, 1.0, arena), 1);
}

static const bench_timed *bench_lean_crowd(bench *b, lean_reading *reading)
{
    lean_crowd *crowd = bench_memory(sizeof(*crowd), 0);
    crowd->reading = reading;
    crowd->matrices = bench_memory((size_t)LEAN_CROWD * reading->clip.bone_count * sizeof(ember_mat34), 0);
    for (uint32_t i = 0; i < LEAN_CROWD; i++)
        crowd->times[i] = bench_random(b) % reading->clip.frame_count << 16 | (bench_random(b) & 65535u);
    return bench_time(b, time_crowd, crowd, (size_t)LEAN_CROWD * reading->clip.bone_count);
}

static const bench_timed *bench_lean_encoding(bench *b, const lean_set *set, double millimetres)
{
    lean_encoding *e = bench_memory(sizeof(*e), 0);
    *e = (lean_encoding){set, longest_clip(set), millimetres, ember_arena_growing(ember_heap(), 0)};
    return bench_time(b, time_encode, e, (size_t)set->bone_count * set->clips[e->clip].frame_count);
}

void bench_lean(bench *b)
{
    ember_arena  *arena = bench_memory(sizeof(*arena), 0); /* lives on: clips point to their rigs */
    lean_set     *sets = bench_memory(LEAN_SETS * sizeof(*sets), 0);
    lean_pairs   *pairs = bench_memory(sizeof(*pairs), 0);
    bench_pair   *encoding = bench_memory(2 * LEAN_SETS * sizeof(*encoding), 0);
    size_t        encodings = 0;
    lean_reading *first = NULL;
    *arena = ember_arena_growing(ember_heap(), (size_t)3 << 30);
    const int count = lean_sets_corpus(sets, true, arena);
    if (count < 0)
        fail("the corpus cannot be read");
    if (count == 0) {
        bench_note(b, "lean clips: EMBER_CORPUS is not set, so they are not measured");
        return;
    }
    for (int s = 0; s < count; s++) {
        lean_reading *r = bench_lean_set(b, pairs, &sets[s], arena);
        first = first == NULL ? r : first;
    }
    const bench_timed *opened = bench_lean_long(b, &sets[0], arena), *crowd = bench_lean_crowd(b, first);
    bench_lean_sizes(b, sets, count, pairs->random[0].timed, arena);
    bench_row_of(b, "lean: a pose at random, in decodes, median set", pairs->random, pairs->count,
                 BENCH_MEDIAN, 14.0);
    bench_row_of(b, "lean: a pose at random, in decodes, worst set", pairs->random, pairs->count, BENCH_WORST,
                 22.0);
    bench_row_of(b, "lean: in order at 60 Hz, in decodes, median set", pairs->ordered, pairs->count,
                 BENCH_MEDIAN, 4.0);
    bench_row_of(b, "lean: in order at 60 Hz, in decodes, worst set", pairs->ordered, pairs->count,
                 BENCH_WORST, 6.0);
    bench_row_of(b, "lean: SSE2 at random, in times of the best, worst", pairs->sse2, pairs->count,
                 BENCH_WORST, 2.5);
    bench_row_of(b, "lean: AVX2 without pdep, the same", pairs->plain, pairs->count, BENCH_WORST, 2.5);
    bench_row(b, "lean: open 65,535 frames, ns", opened, bench_nanosecond(), BENCH_AT_MOST, 20000.0);
    bench_row(b, "lean: crowd of 1,000, sampled and composed, ns", crowd, bench_nanosecond(), BENCH_AT_MOST,
              13.0);
    bench_note(b, "lean: the corpus is what the table was trained on, train is not; `make lean-left-out` "
                  "trains without the set that is measured");
    bench_stage(b);
    for (int s = 0; s < count; s++)
        for (int i = 0; i < 2; i++)
            encoding[encodings++] =
                (bench_pair){bench_lean_encoding(b, &sets[s], i == 0 ? 1.0 : 0.2), bench_nanosecond()};
    bench_row_of(b, "lean: encoding, ns, worst clip", encoding, encodings, BENCH_WORST, 3000.0);
}
