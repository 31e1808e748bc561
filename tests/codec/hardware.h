/* SPDX-License-Identifier: MIT */
/* Half floats as the machine itself converts them, to compare with: the F16C instructions where the CPU has
   them, otherwise the compiler's _Float16, otherwise nothing. */
#ifndef EMBER_TESTS_HARDWARE_H
#define EMBER_TESTS_HARDWARE_H

#include "testing.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <immintrin.h>
#define HARDWARE_F16C 1
#else
#define HARDWARE_F16C 0
#endif

#define HARDWARE_BLOCK 16u /* values per call */

typedef struct hardware_half {
    const char *name; /* NULL: there is nothing to compare with */
    void (*to_half)(uint16_t out[HARDWARE_BLOCK], const float in[HARDWARE_BLOCK]);
    void (*to_float)(float out[HARDWARE_BLOCK], const uint16_t in[HARDWARE_BLOCK]);
} hardware_half;

#if HARDWARE_F16C
#define HARDWARE_WITH_F16C __attribute__((target("avx,f16c")))

HARDWARE_WITH_F16C static void f16c_to_half(uint16_t out[HARDWARE_BLOCK], const float in[HARDWARE_BLOCK])
{
    for (unsigned i = 0; i < HARDWARE_BLOCK; i += 8)
        _mm_storeu_si128((__m128i *)(void *)(out + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
}

HARDWARE_WITH_F16C static void f16c_to_float(float out[HARDWARE_BLOCK], const uint16_t in[HARDWARE_BLOCK])
{
    for (unsigned i = 0; i < HARDWARE_BLOCK; i += 8)
        _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(in + i))));
}

static bool f16c_is_there(void)
{
    unsigned a, b, c = 0, d;
    return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

#if defined(__FLT16_MANT_DIG__)
__extension__ typedef _Float16 hardware_float16;

static void float16_to_half(uint16_t out[HARDWARE_BLOCK], const float in[HARDWARE_BLOCK])
{
    for (unsigned i = 0; i < HARDWARE_BLOCK; i++) {
        hardware_float16 half = (hardware_float16)in[i];
        memcpy(out + i, &half, sizeof(half));
    }
}

static void float16_to_float(float out[HARDWARE_BLOCK], const uint16_t in[HARDWARE_BLOCK])
{
    for (unsigned i = 0; i < HARDWARE_BLOCK; i++) {
        hardware_float16 half;
        memcpy(&half, in + i, sizeof(half));
        out[i] = (float)half;
    }
}
#endif

static inline hardware_half hardware_find(void)
{
#if HARDWARE_F16C
    if (f16c_is_there())
        return (hardware_half){"F16C", f16c_to_half, f16c_to_float};
#endif
#if defined(__FLT16_MANT_DIG__)
    return (hardware_half){"_Float16", float16_to_half, float16_to_float};
#else
    return (hardware_half){NULL, NULL, NULL};
#endif
}

#endif
