/* SPDX-License-Identifier: MIT */
/* The kernels for NEON, which every AArch64 has. */
#define LANES_NEON 1
#define KERNELS_ISA EMBER_ISA_NEON
#define KERNELS_TABLE emberi_kernels_neon
#include "pose/kernels/kernels_all.inl"
