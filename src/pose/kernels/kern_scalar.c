/* SPDX-License-Identifier: MIT */
/* The kernels in plain C: the reference that all other sets equal bit for bit. */
#define LANES_SCALAR 1
#define KERNELS_ISA EMBER_ISA_SCALAR
#define KERNELS_TABLE emberi_kernels_scalar
#include "pose/kernels/kernels_all.inl"
