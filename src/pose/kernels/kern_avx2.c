/* SPDX-License-Identifier: MIT */
/* The kernels for AVX2 and F16C; compiled with -mavx2 -mf16c, and without -mfma, which would
   change the bits. */
#define LANES_AVX2 1
#define KERNELS_ISA EMBER_ISA_AVX2
#define KERNELS_TABLE emberi_kernels_avx2
#include "pose/kernels/kernels_all.inl"
