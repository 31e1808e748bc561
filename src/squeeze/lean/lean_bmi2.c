/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips for AVX2 and BMI2, whose pdep spreads four fields at once. The build compiles
   this file, and no other, with -mbmi2. */
#define LANES_AVX2 1
#define LEAN_PDEP 1
#define LEAN_KERNELS emberi_lean_bmi2
#define LEAN_NAME "bmi2"
#include "squeeze/lean/lean_kernels.inl"
