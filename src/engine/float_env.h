/* SPDX-License-Identifier: MIT */
/* The floating-point environment around a game: rounding to nearest, subnormal numbers kept, no exception
   raised, whatever mode the host is in. The host's own mode comes back on every way out of a game. */
#ifndef EMBER_ENGINE_FLOAT_ENV_H
#define EMBER_ENGINE_FLOAT_ENV_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__SSE2__)

typedef uint32_t emberi_float_env;

#define EMBERI_FLOAT_DEFAULT 0x1F80u /* MXCSR: all exceptions masked, to nearest, no FTZ, no DAZ */

static inline emberi_float_env emberi_float_get(void) { return __builtin_ia32_stmxcsr(); }
static inline void             emberi_float_set(emberi_float_env env) { __builtin_ia32_ldmxcsr(env); }

#elif defined(__aarch64__)

typedef uint64_t emberi_float_env;

#define EMBERI_FLOAT_DEFAULT 0u /* FPCR */

static inline emberi_float_env emberi_float_get(void)
{
    uint64_t env;
    __asm__ volatile("mrs %0, fpcr" : "=r"(env));
    return env;
}

static inline void emberi_float_set(emberi_float_env env) { __asm__ volatile("msr fpcr, %0" ::"r"(env)); }

#elif defined(__wasm__)

/* WebAssembly has one environment, and it is the default one. */
typedef int emberi_float_env;

#define EMBERI_FLOAT_DEFAULT 0

static inline emberi_float_env emberi_float_get(void) { return 0; }
static inline void             emberi_float_set(emberi_float_env env) { (void)env; }

#else

#include <fenv.h>

typedef struct emberi_float_env {
    fenv_t host;
    int    is_default;
} emberi_float_env;

#define EMBERI_FLOAT_DEFAULT ((emberi_float_env){.is_default = 1})

static inline emberi_float_env emberi_float_get(void)
{
    emberi_float_env env = {.is_default = 0};
    (void)fegetenv(&env.host);
    return env;
}

static inline void emberi_float_set(emberi_float_env env)
{
    (void)fesetenv(env.is_default ? FE_DFL_ENV : &env.host);
}

#endif

#endif
