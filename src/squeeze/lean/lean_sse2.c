/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips for SSE2. */
#define LANES_SSE2 1
#define LEAN_KERNELS emberi_lean_sse2
#define LEAN_NAME "sse2"
#include "squeeze/lean/lean_kernels.inl"
