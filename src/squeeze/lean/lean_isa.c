/* SPDX-License-Identifier: MIT */
/* Which kernels read lean clips: those of the instruction set that poses use (pose/isa.c), and with AVX2
   those with pdep where the processor does it in one step. */
#include "squeeze/lean/lean_kernels.h"

#if defined(LEAN_HAS_X86)
#include <cpuid.h>

/* AMD's processors before Zen 3 (family 19h) have pdep, but take hundreds of cycles for it. */
static bool lean_has_pdep(void)
{
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    if (!__builtin_cpu_supports("bmi2") || __get_cpuid(0, &eax, &ebx, &ecx, &edx) == 0)
        return false;
    if (ebx != 0x68747541u) /* "Auth" of AuthenticAMD */
        return true;
    if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0)
        return false;
    return (eax >> 8 & 15u) + (eax >> 20 & 255u) >= 0x19u;
}
#endif

static const lean_kernels *lean_kernels_choose(void)
{
    switch (ember_isa_used()) {
#if defined(LEAN_HAS_X86)
    case EMBER_ISA_SSE2:
        return &emberi_lean_sse2;
    case EMBER_ISA_AVX2:
        return lean_has_pdep() ? &emberi_lean_bmi2 : &emberi_lean_avx2;
#endif
#if defined(LEAN_HAS_NEON)
    case EMBER_ISA_NEON:
        return &emberi_lean_neon;
#endif
#if defined(LEAN_HAS_WASM)
    case EMBER_ISA_WASM:
        return &emberi_lean_wasm;
#endif
    default:
        return &emberi_lean_scalar;
    }
}

const lean_kernels *emberi_lean_kernels_used(void)
{
    /* As pose/isa.c keeps its choice; threads that come here together all store the same. */
    static const lean_kernels *_Atomic chosen;
    const lean_kernels                *kernels = chosen;
    if (kernels == NULL)
        chosen = kernels = lean_kernels_choose();
    return kernels;
}

const lean_kernels *emberi_lean_kernels_at(uint32_t index)
{
    const lean_kernels *all[4] = {&emberi_lean_scalar, NULL, NULL, NULL};
#if defined(LEAN_HAS_X86)
    uint32_t count = 1;
    all[count++] = &emberi_lean_sse2;
    if (ember_isa_runs(EMBER_ISA_AVX2)) {
        all[count++] = &emberi_lean_avx2;
        if (__builtin_cpu_supports("bmi2"))
            all[count++] = &emberi_lean_bmi2;
    }
#elif defined(LEAN_HAS_NEON)
    all[1] = &emberi_lean_neon;
#elif defined(LEAN_HAS_WASM)
    all[1] = &emberi_lean_wasm;
#endif
    return index < 4 ? all[index] : NULL;
}
