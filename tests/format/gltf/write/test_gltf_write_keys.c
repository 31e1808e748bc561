/* SPDX-License-Identifier: MIT */
/* Writing glTF: which keys are kept. */
#include <math.h>

#include "testing.h"

#include "format/gltf/write/gltf_write_parts.h"

static uint32_t keys_of(uint32_t *kept, gltf_path path, float (*values)[4], uint32_t count)
{
    gltfw_track track = {path, values, count};
    return emberi_gltfw_keys(kept, &track);
}

TEST(keys_of_a_straight_line_are_its_ends)
{
    float    values[50][4] = {{0}};
    uint32_t kept[50];
    for (int i = 0; i < 50; i++) {
        values[i][0] = 3.0f + 0.1f * (float)i; /* rounded, so not quite straight */
        values[i][1] = -0.25f * (float)i;
    }
    assert_int_equal(keys_of(kept, GLTF_TRANSLATION, values, 50), 2);
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[1], 49);
}

TEST(keys_are_kept_at_bends)
{
    float    values[30][4] = {{0}};
    uint32_t kept[30];
    for (int i = 0; i < 30; i++)
        values[i][2] = i < 10 ? 0.0f : i < 20 ? (float)(i - 10) : 9.0f;
    assert_int_equal(keys_of(kept, GLTF_SCALE, values, 30), 4);
    assert_int_equal(kept[1], 10);
    assert_int_equal(kept[2], 19);
    assert_int_equal(kept[3], 29);
    /* A single frame out of line needs its neighbours too. */
    for (int i = 0; i < 30; i++)
        values[i][2] = i == 15 ? 1.0f : 0.0f;
    assert_int_equal(keys_of(kept, GLTF_SCALE, values, 30), 5);
    assert_int_equal(kept[1], 14);
    assert_int_equal(kept[2], 15);
    assert_int_equal(kept[3], 16);
}

/* A curve that never leaves its chord by much still leaves it: no drift by many small steps. */
TEST(keys_do_not_drift)
{
    static float    values[2000][4];
    static uint32_t kept[2000];
    for (int i = 0; i < 2000; i++)
        values[i][0] = (float)(1.0 + 1e-10 * (double)i * (double)i);
    uint32_t count = keys_of(kept, GLTF_TRANSLATION, values, 2000);
    assert_in_range(count, 3, 200);
    for (uint32_t k = 1; k < count; k++)
        for (uint32_t i = kept[k - 1]; i <= kept[k]; i++) {
            double t = (double)(i - kept[k - 1]) / (double)(kept[k] - kept[k - 1]);
            double line = (1.0 - t) * (double)values[kept[k - 1]][0] + t * (double)values[kept[k]][0];
            assert_true(fabs(line - (double)values[i][0]) < 2.6e-7 * 1.0005);
        }
}

TEST(keys_of_what_stands_still_are_one)
{
    float values[20][4], rest[4] = {0.5f, 0.5f, 0.5f, 0.5f}, other[4] = {0.5f, 0.5f, 0.5f, -0.5f},
                         minus[4] = {-0.5f, -0.5f, -0.5f, -0.5f};
    uint32_t kept[20];
    for (int i = 0; i < 20; i++)
        memcpy(values[i], rest, sizeof(rest));
    assert_int_equal(keys_of(kept, GLTF_ROTATION, values, 20), 1);
    gltfw_track track = {GLTF_ROTATION, values, 20};
    assert_true(emberi_gltfw_track_rests(&track, rest));
    assert_true(emberi_gltfw_track_rests(&track, minus));
    assert_false(emberi_gltfw_track_rests(&track, other));
    values[7][0] = 0.50001f;
    assert_false(emberi_gltfw_track_rests(&track, rest));
    assert_int_not_equal(keys_of(kept, GLTF_ROTATION, values, 20), 1);
    track.path = GLTF_TRANSLATION;
    values[7][0] = 0.5f + 6e-8f;
    assert_true(emberi_gltfw_track_rests(&track, rest));
}

/* A steady turn: slerp between the kept frames gives all others, and no two kept ones are more than 0.05
   radians apart. */
TEST(keys_of_a_steady_turn_are_few)
{
    static float    values[1001][4];
    static uint32_t kept[1001];
    for (int sign = 0; sign < 2; sign++) {
        for (int i = 0; i < 1001; i++) {
            double angle = 0.002 * (double)i, s = sin(angle / 2.0) / 3.0;
            double q[4] = {s, 2.0 * s, -2.0 * s, cos(angle / 2.0)};
            for (int k = 0; k < 4; k++)
                values[i][k] = (float)(sign != 0 ? -q[k] : q[k]);
        }
        uint32_t count = keys_of(kept, GLTF_ROTATION, values, 1001);
        assert_in_range(count, 41, 45); /* 2 radians by 0.05 */
        assert_int_equal(kept[0], 0);
        assert_int_equal(kept[count - 1], 1000);
        for (uint32_t k = 1; k < count; k++)
            assert_true((double)(kept[k] - kept[k - 1]) * 0.002 <= 0.0501);
    }
    /* Frames that are further apart by themselves are all kept; so is a jump to the other side
       of the sphere. */
    for (int i = 0; i < 1001; i++) {
        double angle = 0.2 * (double)i;
        values[i][0] = (float)sin(angle / 2.0);
        values[i][1] = values[i][2] = 0.0f;
        values[i][3] = (float)cos(angle / 2.0);
    }
    assert_int_equal(keys_of(kept, GLTF_ROTATION, values, 1001), 1001);
}

TEST(keys_of_noise_are_all)
{
    static float    values[500][4];
    static uint32_t kept[500];
    test_random     random = {77};
    for (int i = 0; i < 500; i++)
        for (int k = 0; k < 3; k++)
            values[i][k] = test_random_float(&random, -1.0f, 1.0f);
    assert_int_equal(keys_of(kept, GLTF_TRANSLATION, values, 500), 500);
    assert_int_equal(kept[499], 499);
}
