/* SPDX-License-Identifier: MIT */
/* Which set of kernels runs: the best that is compiled in and that the processor has, unless the environment
   names another. */
#include "pose/kernels/kernels.h"

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <stdlib.h>
#define ISA_ENVIRONMENT() getenv("EMBER_ISA")
#else
#define ISA_ENVIRONMENT() NULL
#endif

#if defined(EMBERI_HAS_AVX2)
#include <cpuid.h>
#endif

static const char *const isa_names[EMBER_ISA_COUNT] = {"scalar", "sse2", "avx2", "neon", "wasm"};

const char *ember_isa_name(ember_isa isa)
{
    return (unsigned)isa < EMBER_ISA_COUNT ? isa_names[isa] : "unknown";
}

#if defined(EMBERI_HAS_AVX2)
/* The builtin also asks whether the system saves the wide registers. It does not know F16C by
   every compiler. */
static bool isa_has_avx2(void)
{
    unsigned eax, ebx, ecx, edx;
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 &&
           (ecx & bit_F16C) != 0;
}
#endif

const emberi_kernels *emberi_kernels_for(ember_isa isa)
{
    switch (isa) {
    case EMBER_ISA_SCALAR:
        return &emberi_kernels_scalar;
#if defined(EMBERI_HAS_SSE2)
    case EMBER_ISA_SSE2:
        return &emberi_kernels_sse2;
#endif
#if defined(EMBERI_HAS_AVX2)
    case EMBER_ISA_AVX2:
        return isa_has_avx2() ? &emberi_kernels_avx2 : NULL;
#endif
#if defined(EMBERI_HAS_NEON)
    case EMBER_ISA_NEON:
        return &emberi_kernels_neon;
#endif
#if defined(EMBERI_HAS_WASM)
    case EMBER_ISA_WASM:
        return &emberi_kernels_wasm;
#endif
    default:
        return NULL;
    }
}

bool ember_isa_runs(ember_isa isa) { return emberi_kernels_for(isa) != NULL; }

static bool isa_is_named(const char *name, ember_isa isa)
{
    const char *other = isa_names[isa];
    while (*name != '\0' && *name == *other) {
        name++;
        other++;
    }
    return *name == *other;
}

/* The later in the list the better; only one family of them runs on a machine. */
static const emberi_kernels *isa_choose(void)
{
    const char           *wanted = ISA_ENVIRONMENT();
    const emberi_kernels *best = &emberi_kernels_scalar;
    for (unsigned i = 0; i < EMBER_ISA_COUNT; i++) {
        const emberi_kernels *kernels = emberi_kernels_for((ember_isa)i);
        if (kernels == NULL)
            continue;
        if (wanted != NULL && isa_is_named(wanted, (ember_isa)i))
            return kernels;
        best = kernels;
    }
    return best;
}

const emberi_kernels *emberi_kernels_used(void)
{
    /* The library's one variable: it spares every job the question to the processor and the environment.
       Threads that come here together all store the same answer. */
    static const emberi_kernels *_Atomic chosen;
    const emberi_kernels                *kernels = chosen;
    if (kernels == NULL)
        chosen = kernels = isa_choose();
    return kernels;
}

ember_isa ember_isa_used(void) { return emberi_kernels_used()->isa; }
