/* SPDX-License-Identifier: MIT */
/* Poses, matrices and frames for the tests of this room: ordinary ones and awkward ones, the same on
   every machine. */
#ifndef EMBER_TESTS_POSES_H
#define EMBER_TESTS_POSES_H

#include "fixtures/rotation.h"

typedef enum test_kind {
    TEST_REALISTIC,
    TEST_SMALL, /* zeros of both signs, denormals, and a few large ones between ordinary numbers */
    TEST_HUGE,  /* so large that infinities and NaN arise on the way */
    TEST_KIND_COUNT
} test_kind;

static inline float test_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline bool test_is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

static inline float test_number(test_random *r, test_kind kind, float low, float high)
{
    if (kind == TEST_REALISTIC)
        return test_random_float(r, low, high);
    switch (test_random_u32(r) % 10) {
    case 0:
        return -0.0f;
    case 1:
        return 0.0f;
    case 2: /* denormal */
        return test_float_of(test_random_u32(r) & 0x807fffffu);
    case 3: /* around the smallest normal */
        return test_float_of(test_random_u32(r) & 0x80ffffffu);
    case 4:
        return test_random_float(r, -1e-6f, 1e-6f);
    case 5:
        return kind == TEST_HUGE ? test_float_of((test_random_u32(r) & 0x807fffffu) | 0x7e000000u)
                                 : test_random_float(r, -1e6f, 1e6f);
    case 6:
        return -1.0f;
    default:
        return test_random_float(r, low, high);
    }
}

static inline void test_numbers(test_random *r, test_kind kind, float *out, size_t count, float low,
                                float high)
{
    for (size_t i = 0; i < count; i++)
        out[i] = test_number(r, kind, low, high);
}

static inline ember_transform test_transform(test_random *r, test_kind kind)
{
    ember_transform t;
    if (kind == TEST_REALISTIC)
        t.rotation = random_rotation(r);
    else
        test_numbers(r, kind, &t.rotation.x, 4, -1.0f, 1.0f);
    test_numbers(r, kind, &t.position.x, 3, -2.0f, 2.0f);
    test_numbers(r, kind, &t.scale.x, 3, 0.5f, 1.5f);
    return t;
}

static inline void test_pose(test_random *r, test_kind kind, ember_transform *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = test_transform(r, kind);
}

/* Keyframe records: realistic ones have halves of ordinary size, the others any bits whose halves are finite
   (huge: infinite, too). */
static inline void test_frame(test_random *r, test_kind kind, uint8_t *out, size_t count)
{
    for (size_t i = 0; i < count * 8; i++) {
        uint32_t half = test_random_u32(r) & 0xffffu;
        if (i % 8 >= 2) {
            if (kind == TEST_REALISTIC)
                half = (half & 0x83ffu) | 0x3800u;
            else if ((half & 0x7c00u) == 0x7c00u)
                half &= kind == TEST_HUGE ? 0xfc00u : 0xbfffu;
        }
        out[2 * i] = (uint8_t)half;
        out[2 * i + 1] = (uint8_t)(half >> 8);
    }
}

static inline void test_parents(test_random *r, int16_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t dice = test_random_u32(r) % 16;
        if (i == 0 || dice == 0)
            out[i] = EMBER_NO_PARENT;
        else /* half of them follow their parent at once, as in most rigs */
            out[i] = (int16_t)(dice < 8 ? i - 1 : test_random_u32(r) % (uint32_t)i);
    }
}

#endif
