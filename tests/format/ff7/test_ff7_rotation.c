/* SPDX-License-Identifier: MIT */
/* Rotations both ways: triples of 4096ths of a turn, and quaternions. How bits become triples is in
   tests/codec/test_ff7_bits.c. */
#include <math.h>

#include "ff7_packs.h"

static double angle_degrees(ember_quat a, ember_quat b)
{
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                 (double)a.w * (double)b.w;
    dot = fabs(dot);
    return dot >= 1.0 ? 0.0 : 2.0 * acos(dot) * 57.29577951308232;
}

/* Ry Rx Rz applied to the x axis, with the textbook's matrices. */
TEST(rotations_are_y_after_x_after_z)
{
    test_random r = {21};
    for (int i = 0; i < 1000; i++) {
        uint32_t         u = test_random_u32(&r);
        ember_ff7_triple t = {(int16_t)(u & 0xFFFFu), (int16_t)(u >> 16),
                              (int16_t)(test_random_u32(&r) & 0xFFFFu)};
        double           unit = 6.283185307179586 / 4096.0, x = t.x * unit, y = t.y * unit, z = t.z * unit;
        /* Rz (1, 0, 0) */
        double           a[3] = {cos(z), sin(z), 0.0};
        /* Rx */
        double           b[3] = {a[0], cos(x) * a[1], sin(x) * a[1]};
        /* Ry */
        double           c[3] = {cos(y) * b[0] + sin(y) * b[2], b[1], -sin(y) * b[0] + cos(y) * b[2]};
        ember_quat       q = ember_ff7_quat(t);
        double           qx = (double)q.x, qy = (double)q.y, qz = (double)q.z, qw = (double)q.w;
        double m[3] = {1.0 - 2.0 * (qy * qy + qz * qz), 2.0 * (qx * qy + qz * qw), 2.0 * (qx * qz - qy * qw)};
        for (int k = 0; k < 3; k++)
            assert_true(fabs(m[k] - c[k]) < 1e-6);
    }
}

TEST(triples_come_back_from_quaternions)
{
    test_random r = {22};
    unsigned    same = 0, count = 0;
    for (int x = -1040; x <= 1040; x += 16)
        for (int i = 0; i < 60; i++, count++) {
            uint32_t         u = test_random_u32(&r);
            ember_ff7_triple t = {(int16_t)x, (int16_t)(u & 4095u), (int16_t)(u >> 16 & 4095u)};
            ember_ff7_triple near = {(int16_t)(t.x + 20), (int16_t)(t.y - 30), (int16_t)(t.z + 4096 + 10)};
            ember_ff7_triple back = ember_ff7_from_quat(ember_ff7_quat(t), near);
            assert_true(angle_degrees(ember_ff7_quat(t), ember_ff7_quat(back)) < 0.1);
            /* Next to the one it was asked to be near to, in 16 bits, not only modulo a turn. */
            if (abs(x) < 1000) {
                assert_true(abs(back.x - near.x) < 64 && abs(back.y - near.y) < 64 &&
                            abs(back.z - near.z) < 64);
                same += back.x == t.x && back.y == t.y && back.z == (int16_t)(t.z + 4096);
            }
        }
    assert_true(same > count * 85 / 100);
}

/* At a quarter turn about x only the sum of the others counts: z stays, y takes all. */
TEST(the_pole_keeps_z)
{
    for (int up = -1; up <= 1; up += 2) {
        ember_ff7_triple t = {(int16_t)(up * 1024), 300, 500}, near = {(int16_t)(up * 1020), 250, 450};
        ember_ff7_triple back = ember_ff7_from_quat(ember_ff7_quat(t), near);
        assert_int_equal(back.x, up * 1024);
        assert_int_equal(back.z, 450);
        /* y - z is 200 - 400 = -200 up there, y + z is 800 below */
        assert_int_equal(back.y, up > 0 ? 250 : 350);
    }
}

TEST(a_rotation_of_no_length_stays_where_it_was)
{
    ember_ff7_triple back =
        ember_ff7_from_quat((ember_quat){0.0f, 0.0f, 0.0f, 0.0f}, (ember_ff7_triple){1, 2, 3});
    assert_int_equal(back.x * 100 + back.y * 10 + back.z, 123);
}
