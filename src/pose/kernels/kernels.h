/* SPDX-License-Identifier: MIT */
/* The kernels: what the jobs do once their rules are checked. One table per instruction set, all compiled
   from the same source over the lane vocabulary (base/lanes/lanes.h), all giving the same bits for finite
   input.

   Kernels trust their caller: counts and buffers are right, parents come first, joints lie in the palette. No
   buffer needs more than the alignment of a float, and no byte outside of the stated elements is read or
   written. An output may be the very same array as an input of the same type. */
#ifndef EMBER_POSE_KERNELS_H
#define EMBER_POSE_KERNELS_H

#include "ember/pose.h"

typedef struct emberi_kernels {
    ember_isa isa;

    void (*decode)(ember_transform *out, const uint8_t *frame, size_t count);
    void (*decode_lerp)(ember_transform *out, const uint8_t *a, const uint8_t *b, float t, size_t count);

    void (*lerp)(ember_transform *out, const ember_transform *a, const ember_transform *b, float t,
                 size_t count);
    void (*lerp_each)(ember_transform *out, const ember_transform *a, const ember_transform *b,
                      const float *weights, size_t count);
    void (*slerp)(ember_transform *out, const ember_transform *a, const ember_transform *b, float t,
                  size_t count);
    void (*slerp_each)(ember_transform *out, const ember_transform *a, const ember_transform *b,
                       const float *weights, size_t count);

    /* Masks are not looked at; `total` is the sum of all weights, first to last, and above 0. Layers of
       weight 0 are not read. */
    void (*blend)(ember_transform *out, const ember_blend_layer *layers, size_t layer_count, float total,
                  size_t count);
    /* `fallback` is for the bones whose weights sum to 0. */
    void (*blend_masked)(ember_transform *out, const ember_blend_layer *layers, size_t layer_count,
                         const ember_transform *fallback, size_t count);

    void (*additive_make)(ember_transform *out, const ember_transform *pose, const ember_transform *reference,
                          size_t count);
    void (*additive)(ember_transform *out, const ember_transform *base, const ember_transform *delta,
                     float weight, size_t count);
    void (*additive_masked)(ember_transform *out, const ember_transform *base, const ember_transform *delta,
                            float weight, const float *mask, size_t count);

    void (*matrices)(ember_mat34 *out, const ember_transform *pose, size_t count);
    /* Local to model space in place, in the bones' own order or by the steps of a rig. */
    void (*compose)(ember_mat34 *matrices, const int16_t *parents, size_t count);
    void (*compose_steps)(ember_mat34 *matrices, const ember_rig_step *steps, size_t count);
    /* rows or columns may be NULL, but not both. */
    void (*palette)(ember_mat34 *rows, ember_mat44 *columns, const ember_mat34 *model,
                    const ember_mat34 *inverse_binds, size_t count);
    void (*columns)(ember_mat44 *out, const ember_mat34 *in, size_t count);

    /* 0 if there are none. */
    uint8_t (*largest_byte)(const uint8_t *bytes, size_t count);
    uint16_t (*largest_short)(const uint16_t *shorts, size_t count);
    /* All strides given, vertex_count 1 or more. */
    void (*skin)(const ember_skin_job *job);
} emberi_kernels;

/* NULL if that set is not compiled in or does not run on this machine. */
const emberi_kernels *emberi_kernels_for(ember_isa isa);

/* The set that ember_isa_used names. */
const emberi_kernels *emberi_kernels_used(void);

/* (float)i * (1.0f/255.0f), the weights that bytes stand for. */
extern const float emberi_unorm8_weights[256];

/* Which sets this build has; the build compiles kern_*.c to match. */
#if !defined(EMBERI_NO_SIMD) && defined(__x86_64__)
#define EMBERI_HAS_SSE2 1
#define EMBERI_HAS_AVX2 1
#elif !defined(EMBERI_NO_SIMD) && defined(__aarch64__)
#define EMBERI_HAS_NEON 1
#elif !defined(EMBERI_NO_SIMD) && defined(__wasm_simd128__)
#define EMBERI_HAS_WASM 1
#endif

extern const emberi_kernels emberi_kernels_scalar;
extern const emberi_kernels emberi_kernels_sse2;
extern const emberi_kernels emberi_kernels_avx2;
extern const emberi_kernels emberi_kernels_neon;
extern const emberi_kernels emberi_kernels_wasm;

#endif
