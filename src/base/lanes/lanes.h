/* SPDX-License-Identifier: MIT */
/* The lane vocabulary: the words that the kernels are written in, once for all instruction sets. A file that
   includes this defines one of LANES_SCALAR, LANES_SSE2, LANES_AVX2, LANES_NEON and LANES_WASM first.

   Every word rounds as IEEE 754 says or only moves bits: no fused multiply-add, no estimates, no sums across
   lanes. So each lane computes what plain C would, and all sets give the same bits. The words, by what they
   speak of:

   lanes      LANES_WIDTH floats side by side, one of each bone of a block
   lanes_bits the same number of 32-bit words
   six        position and scale of one bone: they need no lanes, as nothing mixes them
   rows       a 3x4 matrix, three rows of four
   columns    a 4x4 matrix, column-major
   point      a position or a direction on its way through `columns`; `placed` is what comes out

   The last block of a pose may be short. Words that take a `count` of bones read the last one again in the
   place of those that are missing and write nothing for them; `count` is the constant LANES_WIDTH in the main
   loops, where all that folds away. */
#ifndef EMBER_BASE_LANES_H
#define EMBER_BASE_LANES_H

#include "base/bytes.h"
#include "base/check.h"
#include "base/maths.h"

#define LANES_CLAMP(k, count) ((k) < (count) ? (k) : (count)-1)

/* Arrays of registers stay in registers only where their loops are unrolled, which -O2 does not do by itself.
   The scalar set leaves its loops to the compiler, as unrolling would keep it from vectorising them. */
#if defined(LANES_SCALAR)
#define LANES_UNROLL
#elif defined(__clang__)
#define LANES_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LANES_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(LANES_SCALAR)
#include "base/lanes/lanes_scalar.h"
#elif defined(LANES_SSE2)
#include "base/lanes/lanes_sse2.h"

#include "base/lanes/lanes_four.h"
#elif defined(LANES_AVX2)
#include "base/lanes/lanes_sse2.h"

#include "base/lanes/lanes_avx2.h"
#elif defined(LANES_NEON)
#include "base/lanes/lanes_neon.h"

#include "base/lanes/lanes_four.h"
#elif defined(LANES_WASM)
#include "base/lanes/lanes_wasm.h"

#include "base/lanes/lanes_four.h"
#else
#error "define one of LANES_SCALAR, LANES_SSE2, LANES_AVX2, LANES_NEON, LANES_WASM"
#endif

#if !defined(LANES_SCALAR)
/* In all of these sets what is placed is four floats in a register. */
EMBERI_INLINE void placed_store(float *p, placed a, int wide)
{
    if (wide)
        quad_store(p, a);
    else
        quad_store3(p, a);
}
#endif

#endif
