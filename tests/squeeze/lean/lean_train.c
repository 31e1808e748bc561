/* SPDX-License-Identifier: MIT */
/* Trains the templates of lean clips on EMBER_CORPUS, and prints what they come to on sets that they were not
   trained on.

   lean_train --table      prints a table for docs/formats/lean.md, trained on all sets
   lean_train --left-out   trains once for each set, without it, and prints that set's bytes; fails where the
                           corpus is above 1.08 bytes per bone and frame at 1.0 mm or 1.65 at 0.2 mm
   lean_train --format     prints each set's bytes with the format's own table */
#include "lean_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VECTORS 1000000u
#define SAMPLE 60000u /* vectors that one training looks at */
#define ROUNDS 48
#define LAMBDA 0.10f
#define FIXED 12u /* templates that are not trained: none, and equal widths for what nobody foresees */

static const double errors_mm[] = {0.2, 0.5, 1.0, 2.0, 4.0};
#define ERRORS (sizeof(errors_mm) / sizeof(errors_mm[0]))

typedef struct vectors {
    float (*rows)[LEAN_SERIES];
    uint8_t *sets; /* which one it came from */
    uint32_t count;
    int      set;
} vectors;

typedef struct table {
    uint8_t widths[LEAN_TEMPLATES][16];
} table;

static uint32_t train_random(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

static void see(void *user, const float series[LEAN_SERIES])
{
    vectors *v = user;
    if (v->count == MOST_VECTORS)
        return;
    /* what no template holds makes blocks shorter, and would outweigh all others */
    for (uint32_t j = 0; j < LEAN_SERIES; j++)
        if (series[j] > 4000.0f || series[j] < -4000.0f)
            return;
    memcpy(v->rows[v->count], series, sizeof(v->rows[0]));
    v->sets[v->count++] = (uint8_t)v->set;
}

/* ---- costs ---- */

static uint32_t width_for(float x)
{
    uint32_t width = 0;
    x = x < 0.0f ? -x : x;
    if (x < 0.5f)
        return 0;
    for (width = 2; width < 16 && (float)((1 << (width - 1)) - 1) + 0.5f < x; width++) {
    }
    return width;
}

/* The squared error of a coefficient in so many bits, between 1 - 2^(w - 1) and 2^(w - 1). */
static float error_of(float x, uint32_t width)
{
    const float high = width == 0 ? 0.0f : (float)(1 << (width - 1)), low = width == 0 ? 0.0f : 1.0f - high;
    float       z = (float)(int32_t)(x < 0.0f ? x - 0.5f : x + 0.5f);
    z = z < low ? low : z > high ? high : z;
    return (x - z) * (x - z);
}

static float cost_of(const float *row, const uint8_t *widths, float limit)
{
    float cost = LAMBDA * 8.0f;
    for (uint32_t j = 0; j < LEAN_SERIES && cost < limit; j++)
        cost += error_of(row[j], widths[j]) + LAMBDA * (float)widths[j];
    return cost;
}

static uint32_t nearest(const float *row, const table *t, float *cost)
{
    uint32_t best = 0;
    *cost = 3e38f;
    for (uint32_t i = 0; i < LEAN_TEMPLATES; i++) {
        const float own = cost_of(row, t->widths[i], *cost);
        if (own < *cost) {
            *cost = own;
            best = i;
        }
    }
    return best;
}

/* No quarter may be wider than one load. */
static bool fits(const uint8_t *widths)
{
    for (uint32_t g = 0; g < 16; g += 4)
        if (widths[g] + widths[g + 1] + widths[g + 2] + widths[g + 3] > 56)
            return false;
    return true;
}

static void cap(uint8_t *widths)
{
    while (!fits(widths))
        for (uint32_t j = 0; j < LEAN_SERIES; j++)
            widths[j] = widths[j] > 13 ? (uint8_t)(widths[j] - 1) : widths[j];
}

/* ---- training ---- */

static void start(table *t, const vectors *v, const uint32_t *sample, uint32_t count, uint32_t *random)
{
    memset(t, 0, sizeof(*t));
    for (uint32_t i = 1; i < FIXED; i++)
        memset(t->widths[i], (int)i + 2, LEAN_SERIES);
    memset(t->widths[FIXED - 1], 14, LEAN_SERIES);
    for (uint32_t i = FIXED; i < LEAN_TEMPLATES; i++) {
        const float *row = v->rows[sample[train_random(random) % count]];
        for (uint32_t j = 0; j < LEAN_SERIES; j++)
            t->widths[i][j] = (uint8_t)width_for(row[j]);
        cap(t->widths[i]);
    }
}

/* The best width of each coefficient for the vectors of each template. */
static void improve(table *t, const vectors *v, const uint32_t *sample, const uint8_t *owner, uint32_t count)
{
    static float sums[LEAN_TEMPLATES][LEAN_SERIES][17];
    memset(sums, 0, sizeof(sums));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < LEAN_SERIES; j++)
            for (uint32_t w = 0; w < 17; w++)
                sums[owner[i]][j][w] += error_of(v->rows[sample[i]][j], w) + LAMBDA * (float)w;
    for (uint32_t i = FIXED; i < LEAN_TEMPLATES; i++) {
        for (uint32_t j = 0; j < LEAN_SERIES; j++) {
            uint32_t best = 0;
            for (uint32_t w = 1; w < 17; w++)
                best = sums[i][j][w] < sums[i][j][best] ? w : best;
            t->widths[i][j] = (uint8_t)(best > 14 ? 14 : best);
        }
        cap(t->widths[i]);
    }
}

/* Templates that few use become those of vectors that cost much. */
static void replace(table *t, const vectors *v, const uint32_t *sample, const uint32_t *uses,
                    const float *costs, uint32_t count, uint32_t *random)
{
    for (uint32_t i = FIXED; i < LEAN_TEMPLATES; i++) {
        uint32_t worst = 0;
        if (uses[i] * 1200u > count)
            continue;
        for (int k = 0; k < 12; k++) {
            const uint32_t other = train_random(random) % count;
            worst = k == 0 || costs[other] > costs[worst] ? other : worst;
        }
        for (uint32_t j = 0; j < LEAN_SERIES; j++)
            t->widths[i][j] = (uint8_t)width_for(v->rows[sample[worst]][j]);
        cap(t->widths[i]);
    }
}

static uint32_t total_bits(const uint8_t *widths)
{
    uint32_t sum = 0;
    for (uint32_t j = 0; j < LEAN_SERIES; j++)
        sum += widths[j];
    return sum;
}

static int by_bits(const void *a, const void *b)
{
    const uint32_t x = total_bits(a), y = total_bits(b);
    return x != y ? (x < y ? -1 : 1) : memcmp(a, b, 16);
}

static void train(table *t, const vectors *v, int without)
{
    uint32_t *sample = malloc(SAMPLE * sizeof(*sample)), count = 0, all = 0, random = 4711;
    uint8_t  *owner = malloc(SAMPLE);
    float    *costs = malloc(SAMPLE * sizeof(*costs));
    if (sample == NULL || owner == NULL || costs == NULL)
        exit(1);
    for (uint32_t i = 0; i < v->count; i++)
        all += v->sets[i] != without;
    for (uint32_t i = 0; i < v->count && count < SAMPLE; i++)
        if (v->sets[i] != without && train_random(&random) / 4294967296.0 * all < SAMPLE)
            sample[count++] = i;
    start(t, v, sample, count, &random);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t uses[LEAN_TEMPLATES] = {0};
        double   sum = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            owner[i] = (uint8_t)nearest(v->rows[sample[i]], t, &costs[i]);
            uses[owner[i]]++;
            sum += (double)costs[i];
        }
        if (round % 12 == 0 || round + 1 == ROUNDS)
            fprintf(stderr, "round %d: %.4f\n", round, sum / count);
        improve(t, v, sample, owner, count);
        if (round % 4 == 3 && round + 6 < ROUNDS)
            replace(t, v, sample, uses, costs, count, &random);
    }
    qsort(t->widths, LEAN_TEMPLATES, sizeof(t->widths[0]), by_bits);
    free(costs);
    free(owner);
    free(sample);
}

/* ---- templates of a table ---- */

static void templates_make(lean_template *out, const table *t)
{
    for (uint32_t i = 0; i < LEAN_TEMPLATES; i++) {
        uint32_t bits = 0;
        out[i] = (lean_template){.quarters = 1};
        for (uint32_t j = 0; j < 16; j++) {
            const uint32_t width = j < LEAN_SERIES ? t->widths[i][j] : 0, lane = j % 4;
            if (lane == 0)
                out[i].start[j / 4] = (uint8_t)bits;
            out[i].code[j] = (uint8_t)width;
            out[i].mask[j / 4] |= LEAN_FIELD(width, lane);
            out[i].bias[j] = LEAN_BIAS(width);
            out[i].move[j] = (uint8_t)(16 * lane - (bits - out[i].start[j / 4]));
            bits += width;
            out[i].quarters = width != 0 ? (uint8_t)(j / 4 + 1) : out[i].quarters;
        }
        out[i].bits = (uint8_t)bits;
    }
}

static void print_table(const table *t)
{
    for (uint32_t i = 0; i < LEAN_TEMPLATES; i++) {
        for (uint32_t j = 0; j < LEAN_SERIES; j++)
            printf("%c", "0123456789abcdefg"[t->widths[i][j]]);
        printf("%s", i % 4 == 3 ? "\n" : " ");
    }
}

/* ---- reports ---- */

static double set_bytes(double *bone_frames, const lean_set *set, double mm, const lean_template *templates,
                        const lean_observer *observer, ember_arena *arena)
{
    double bytes = (double)set->rig.size;
    *bone_frames = 0.0;
    for (uint32_t c = 0; c < set->clip_count; c++) {
        const ember_arena_mark mark = ember_arena_save(arena);
        ember_lean_job         job;
        if (!lean_set_encode(&job, set, c, mm, templates, observer, arena))
            exit(1);
        bytes += (double)job.out_size + 4.0;
        *bone_frames += (double)set->bone_count * (double)job.frame_count;
        ember_arena_restore(arena, mark);
    }
    return bytes;
}

/* False where tables that do not know their set miss the corpus' limits. */
static bool report(const lean_set *sets, int count, const vectors *v, ember_arena *arena)
{
    static const double  mm[2] = {1.0, 0.2}, limits[2] = {1.08, 1.65};
    static lean_template templates[LEAN_TEMPLATES];
    double               sums[2][2][2] = {{{0}}};
    for (int s = 0; s < count; s++) {
        table t;
        if (v != NULL) {
            train(&t, v, s);
            templates_make(templates, &t);
        }
        printf("%-16s", sets[s].name);
        for (int i = 0; i < 2; i++) {
            double       bone_frames;
            const double bytes = set_bytes(&bone_frames, &sets[s], mm[i],
                                           v != NULL ? templates : emberi_lean_templates, NULL, arena);
            sums[sets[s].train][i][0] += bytes;
            sums[sets[s].train][i][1] += bone_frames;
            printf("  %.1f mm %.4f", mm[i], bytes / bone_frames);
        }
        printf("\n");
        fflush(stdout);
    }
    for (int part = 0; part < 2; part++)
        printf("%-16s  1.0 mm %.4f  0.2 mm %.4f\n", part == 0 ? "corpus" : "train",
               sums[part][0][0] / sums[part][0][1], sums[part][1][0] / sums[part][1][1]);
    bool kept = true;
    for (int i = 0; i < 2 && v != NULL; i++)
        if (sums[0][i][0] > limits[i] * sums[0][i][1]) {
            fprintf(stderr, "lean_train: the corpus at %.1f mm is above %.2f\n", mm[i], limits[i]);
            kept = false;
        }
    return kept;
}

int main(int argc, char **argv)
{
    static vectors v;
    ember_arena    arena = ember_arena_growing(ember_heap(), 0);
    lean_set       sets[LEAN_SETS];
    const int      count = lean_sets_corpus(sets, true, &arena);
    const char    *what = argc == 2 ? argv[1] : "";
    if (count <= 0 ||
        (strcmp(what, "--table") != 0 && strcmp(what, "--left-out") != 0 && strcmp(what, "--format") != 0)) {
        fprintf(stderr, "usage: EMBER_CORPUS=FOLDER lean_train --table | --left-out | --format\n");
        return 2;
    }
    if (strcmp(what, "--format") == 0) {
        (void)report(sets, count, NULL, &arena);
        return 0;
    }
    v.rows = malloc(MOST_VECTORS * sizeof(*v.rows));
    v.sets = malloc(MOST_VECTORS);
    if (v.rows == NULL || v.sets == NULL)
        return 1;
    for (v.set = 0; v.set < count; v.set++)
        for (size_t i = 0; i < ERRORS; i++) {
            const lean_observer observer = {see, &v};
            double              bone_frames;
            (void)set_bytes(&bone_frames, &sets[v.set], errors_mm[i], emberi_lean_templates, &observer,
                            &arena);
        }
    fprintf(stderr, "%u vectors\n", v.count);
    if (strcmp(what, "--table") == 0) {
        table t;
        train(&t, &v, -1);
        print_table(&t);
    } else if (!report(sets, count, &v, &arena))
        return 1;
    free(v.sets);
    free(v.rows);
    ember_arena_free(&arena);
    return 0;
}
