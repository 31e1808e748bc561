/* SPDX-License-Identifier: MIT */
/* The kernels for WebAssembly with simd128. */
#define LANES_WASM 1
#define KERNELS_ISA EMBER_ISA_WASM
#define KERNELS_TABLE emberi_kernels_wasm
#include "pose/kernels/kernels_all.inl"
