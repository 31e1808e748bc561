/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips for AVX2 alone, for processors that have no pdep or a slow one. The build
   compiles this file, and no other, with -mavx2. */
#define LANES_AVX2 1
#define LEAN_KERNELS emberi_lean_avx2
#define LEAN_NAME "avx2"
#include "squeeze/lean/lean_kernels.inl"
