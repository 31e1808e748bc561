/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips for AArch64. */
#define LANES_NEON 1
#define LEAN_KERNELS emberi_lean_neon
#define LEAN_NAME "neon"
#include "squeeze/lean/lean_kernels.inl"
