/* SPDX-License-Identifier: MIT */
/* The kernels of lean clips for WebAssembly with simd128. */
#define LANES_WASM 1
#define LEAN_KERNELS emberi_lean_wasm
#define LEAN_NAME "wasm"
#include "squeeze/lean/lean_kernels.inl"
