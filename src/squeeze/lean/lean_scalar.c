/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips in plain C: the reference for all others. */
#define LANES_SCALAR 1
#define LEAN_KERNELS emberi_lean_scalar
#define LEAN_NAME "scalar"
#include "squeeze/lean/lean_kernels.inl"
