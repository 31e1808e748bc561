/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips: one table per instruction set, all compiled from lean_kernels.inl and giving the
   same bits. They trust their caller: places are checked, buffers are large enough and aligned to 32. */
#ifndef EMBER_SQUEEZE_LEAN_KERNELS_H
#define EMBER_SQUEEZE_LEAN_KERNELS_H

#include "ember/pose.h"
#include "squeeze/lean/lean_parts.h"

#define LEAN_GROUP_KEYS 64u  /* floats: of each component 8 values and 8 differences */
#define LEAN_GROUP_FRAME 32u /* floats: 8 of each component */

typedef struct lean_kernels {
    const char *name;
    /* A pose from nothing; t is the fraction in 0..1. */
    void (*pose)(ember_transform *out, const lean_opened *opened, const lean_place *place, float t,
                 uint32_t bone_count);
    /* A whole block's coefficients, 16 for each slot, and keys. */
    void (*unpack)(int16_t *series, float *keys, const lean_opened *opened, const lean_place *place);
    /* One frame of an unpacked block, by component. */
    void (*frame)(float *out, const lean_opened *opened, const int16_t *series, const float *keys,
                  const lean_place *place);
    /* The pose between two such frames. */
    void (*mix)(ember_transform *out, const lean_opened *opened, const float *a, const float *b, float t,
                bool wraps, uint32_t bone_count);
    /* Tracks that do not move, each at its min. */
    void (*still)(ember_transform *out, const lean_group *group);
} lean_kernels;

/* The best set that ember_isa_used allows. */
const lean_kernels *emberi_lean_kernels_used(void);

/* All sets that run here, for tests: NULL from the count of them on. */
const lean_kernels *emberi_lean_kernels_at(uint32_t index);

#if !defined(EMBERI_NO_SIMD) && defined(__x86_64__)
#define LEAN_HAS_X86 1
#elif !defined(EMBERI_NO_SIMD) && defined(__aarch64__)
#define LEAN_HAS_NEON 1
#elif !defined(EMBERI_NO_SIMD) && defined(__wasm_simd128__)
#define LEAN_HAS_WASM 1
#endif

extern const lean_kernels emberi_lean_scalar;
extern const lean_kernels emberi_lean_sse2;
extern const lean_kernels emberi_lean_avx2;
extern const lean_kernels emberi_lean_bmi2; /* AVX2 and a fast pdep */
extern const lean_kernels emberi_lean_neon;
extern const lean_kernels emberi_lean_wasm;

#endif
