/* SPDX-License-Identifier: MIT */
/* Rows of the codecs: how far a rotation is off after 32 bits. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROTATIONS 10000000
/* What the formula can be off at the most, by arithmetic (tests/codec/test_quat32.c); one rotation in a
   million is beyond 0.24. */
#define QUAT32_LIMIT 0.2745
#define QUAT32_NEAREST_LIMIT 0.24

/* Uniform on the sphere: points of the cube that lie in the ball, brought to length 1. */
static ember_quat codec_rotation(bench *b)
{
    for (;;) {
        double x = (double)bench_random_float(b, -1.0f, 1.0f), y = (double)bench_random_float(b, -1.0f, 1.0f);
        double z = (double)bench_random_float(b, -1.0f, 1.0f), w = (double)bench_random_float(b, -1.0f, 1.0f);
        double squared = x * x + y * y + z * z + w * w;
        if (squared > 1.0 || squared < 1e-3)
            continue;
        double inverse = 1.0 / sqrt(squared);
        return (ember_quat){(float)(x * inverse), (float)(y * inverse), (float)(z * inverse),
                            (float)(w * inverse)};
    }
}

/* The angle between two rotations, by the sine of its half, which is exact where the cosine is not: near
   0. */
static double codec_degrees(ember_quat p, ember_quat q)
{
    const double a[4] = {(double)p.x, (double)p.y, (double)p.z, (double)p.w},
                 c[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    double dot = 0.0, aa = 0.0, cc = 0.0, apart = 0.0;
    for (int i = 0; i < 4; i++) {
        dot += a[i] * c[i];
        aa += a[i] * a[i];
        cc += c[i] * c[i];
    }
    double sign = dot < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) {
        double difference = a[i] / sqrt(aa) - sign * c[i] / sqrt(cc);
        apart += difference * difference;
    }
    return 4.0 * asin(sqrt(apart) / 2.0) * 57.29577951308232;
}

#define ROTATIONS_TIMED 256

typedef struct codec_data {
    ember_quat rotations[ROTATIONS_TIMED];
} codec_data;

static void time_quat32(void *user)
{
    codec_data *data = user;
    for (int i = 0; i < ROTATIONS_TIMED; i++) {
        uint32_t packed = 0;
        (void)ember_quat32_encode(&packed, data->rotations[i]);
        data->rotations[i] = ember_quat32_decode(packed);
    }
}

static void time_quat32_nearest(void *user)
{
    codec_data *data = user;
    for (int i = 0; i < ROTATIONS_TIMED; i++) {
        uint32_t packed = 0;
        (void)ember_quat32_encode_nearest(&packed, data->rotations[i]);
        data->rotations[i] = ember_quat32_decode(packed);
    }
}

typedef struct codec_error {
    double largest, sum;
} codec_error;

static void codec_measure(codec_error *error, ember_status (*encode)(uint32_t *, ember_quat), ember_quat q)
{
    uint32_t packed = 0;
    if (encode(&packed, q) != EMBER_OK) {
        fprintf(stderr, "bench: a unit quaternion was refused\n");
        exit(2);
    }
    double degrees = codec_degrees(q, ember_quat32_decode(packed));
    error->largest = degrees > error->largest ? degrees : error->largest;
    error->sum += degrees;
}

void bench_codec(bench *b)
{
    codec_data *data = bench_memory(sizeof(*data), 0);
    codec_error formula = {0}, nearest = {0};
    for (int i = 0; i < ROTATIONS_TIMED; i++)
        data->rotations[i] = codec_rotation(b);
    for (int i = 0; i < ROTATIONS; i++) {
        ember_quat q = codec_rotation(b);
        codec_measure(&formula, ember_quat32_encode, q);
        codec_measure(&nearest, ember_quat32_encode_nearest, q);
    }
    bench_value(b, "quat32: degrees off at most, 10 million rotations",
                bench_time(b, time_quat32, data, ROTATIONS_TIMED), formula.largest, BENCH_AT_MOST,
                QUAT32_LIMIT);
    bench_value(b, "quat32, nearest code: degrees off at most",
                bench_time(b, time_quat32_nearest, data, ROTATIONS_TIMED), nearest.largest, BENCH_AT_MOST,
                QUAT32_NEAREST_LIMIT);
    bench_note(b, "quat32: %.4f degrees off at most, %.4f on average; nearest code: %.4f and %.4f",
               formula.largest, formula.sum / ROTATIONS, nearest.largest, nearest.sum / ROTATIONS);
}
