/* SPDX-License-Identifier: MIT */
/* The kernels for SSE2, which every x86-64 has. */
#define LANES_SSE2 1
#define KERNELS_ISA EMBER_ISA_SSE2
#define KERNELS_TABLE emberi_kernels_sse2
#include "pose/kernels/kernels_all.inl"
