/* SPDX-License-Identifier: MIT */
/* Stands in front of code that wabt's wasm2c 1.0.32 wrote, in place of its wasm-rt.h: what that code expects
   to find, with nothing of the host but the two tables it is given. abi.h and the console's functions, as
   text, come before this. */
#include <math.h>
#include <string.h>

/* With signalling NaNs the compiler's isnan is a call, for which every register is saved. */
#undef isnan
#define isnan(x) ((x) != (x))

/* Where a value may be that must have been loaded; a float that was loaded or chosen stays in a
   register of floats. */
#if defined(__x86_64__)
#define EMBERI_LOADED "rx"
#define EMBERI_FLOATS "+x"
#else
#define EMBERI_LOADED "rw"
#define EMBERI_FLOATS "+w"
#endif

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define wasm_rt_memcpy __builtin_memcpy

/* Loads and stores reach at most 8 GiB beyond the memory's start; all of that is the guest's, and what is not
   memory faults. */
#define WASM_RT_MEMCHECK_SIGNAL_HANDLER 1

#define EMBERI_HEAD(instance) ((struct emberi_guest_head *)(instance))[-1]

/* wasm2c's FUNC_PROLOGUE writes `if (++wasm_rt_call_stack_depth > WASM_RT_MAX_CALL_STACK_DEPTH)`, and every
   function has `instance`. */
#define WASM_RT_USE_STACK_DEPTH_COUNT 1
#define wasm_rt_call_stack_depth (EMBERI_HEAD(instance).depth)
#define WASM_RT_MAX_CALL_STACK_DEPTH \
    EMBERI_GUEST_DEPTH || (uintptr_t)__builtin_frame_address(0) < EMBERI_HEAD(instance).stack_end

/* Behind arithmetic whose result may be seen: a NaN is the canonical one. The empty statement keeps the
   compiler from calculating both ways and choosing, which is slow. On x86 the test of a double by its bits is
   faster than a comparison, that of a float is not. */
#if defined(__x86_64__)
static inline bool emberi_is_nan_d(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof(bits));
    return bits + bits > UINT64_C(0xffe0000000000000); /* without the sign: above infinity */
}
#else
#define emberi_is_nan_d(x) ((x) != (x))
#endif
#define EMBERI_NAN_f(x) EMBERI_NAN(x, (x) != (x), __builtin_nanf(""))
#define EMBERI_NAN_d(x) EMBERI_NAN(x, emberi_is_nan_d(x), __builtin_nan(""))
#ifdef EMBERI_ANY_NANS /* the benchmark's, to tell what the rule costs */
#define EMBERI_NAN(x, is_nan, nan)
#else
#define EMBERI_NAN(x, is_nan, nan)               \
    if (UNLIKELY(is_nan)) {                      \
        (x) = (nan);                             \
        __asm__ volatile("" : EMBERI_FLOATS(x)); \
    }
#endif

typedef enum {
    WASM_RT_I32,
    WASM_RT_I64,
    WASM_RT_F32,
    WASM_RT_F64,
    WASM_RT_FUNCREF,
    WASM_RT_EXTERNREF
} wasm_rt_type_t;

/* Written by wasm2c into every file, used by no game that passed the check. */
typedef void *wasm_rt_externref_t;
typedef struct {
    wasm_rt_externref_t *data;
    uint32_t             max_size, size;
} wasm_rt_externref_table_t;
static const wasm_rt_funcref_t   wasm_rt_funcref_null_value = {0, NULL, NULL};
static const wasm_rt_externref_t wasm_rt_externref_null_value = NULL;

static struct emberi_guest_runtime emberi_runtime;

static inline bool wasm_rt_is_initialized(void) { return true; }

static inline __attribute__((noreturn, cold)) void wasm_rt_trap(wasm_rt_trap_t trap)
{
    emberi_runtime.trap(trap);
    __builtin_unreachable();
}

static inline void wasm_rt_allocate_memory(wasm_rt_memory_t *memory, uint32_t pages, uint32_t max_pages)
{
    emberi_runtime.allocate_memory(memory, pages, max_pages);
}

static inline uint32_t wasm_rt_grow_memory(wasm_rt_memory_t *memory, uint32_t pages)
{
    return emberi_runtime.grow_memory(memory, pages);
}

static inline void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t *table, uint32_t size,
                                                  uint32_t max_size)
{
    (void)max_size;
    emberi_runtime.allocate_table(table, size);
}

/* The host frees both, whatever became of the instance. */
static inline void wasm_rt_free_memory(wasm_rt_memory_t *memory) { (void)memory; }
static inline void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t *table) { (void)table; }

/* Equal signatures get equal numbers, from 1 on. EMBERI_TYPE_COUNT and EMBERI_TYPE_SIZE are the module's. */
static uint32_t wasm_rt_register_func_type(uint32_t params, uint32_t results, ...)
{
    static uint8_t    known[EMBERI_TYPE_COUNT][EMBERI_TYPE_SIZE];
    static uint32_t   count;
    uint8_t           type[EMBERI_TYPE_SIZE] = {(uint8_t)params, (uint8_t)results};
    __builtin_va_list types;
    __builtin_va_start(types, results);
    for (uint32_t i = 0; i < params + results; i++)
        type[2 + i] = (uint8_t) __builtin_va_arg(types, int);
    __builtin_va_end(types);
    for (uint32_t i = 0; i < count; i++)
        if (__builtin_memcmp(known[i], type, sizeof(type)) == 0)
            return i + 1;
    __builtin_memcpy(known[count], type, sizeof(type));
    return ++count;
}

/* Large copies and fills in code of our own: the watchdog may leave a game only where the processor is inside
   its object, and a game may well spend all its time here. The empty statements keep the compiler from making
   a call of libc's function out of the loop. */
typedef uint64_t emberi_chunk __attribute__((vector_size(16), aligned(1), may_alias));

static __attribute__((noinline)) void *emberi_guest_fill(void *to, int value, size_t size)
{
    uint8_t           *d = to;
    const uint64_t     word = (uint8_t)value * UINT64_C(0x0101010101010101);
    const emberi_chunk chunk = {word, word};
    for (; size >= 16; size -= 16, d += 16) {
        *(emberi_chunk *)d = chunk;
        __asm__ volatile("");
    }
    for (; size != 0; size--) {
        *d++ = (uint8_t)value;
        __asm__ volatile("");
    }
    return to;
}

static __attribute__((noinline)) void *emberi_guest_move(void *to, const void *from, size_t size)
{
    uint8_t       *d = to;
    const uint8_t *s = from;
    if ((uintptr_t)d - (uintptr_t)s >= size) { /* to the front, or apart */
        for (; size >= 16; size -= 16, d += 16, s += 16) {
            *(emberi_chunk *)d = *(const emberi_chunk *)s;
            __asm__ volatile("");
        }
        for (; size != 0; size--) {
            *d++ = *s++;
            __asm__ volatile("");
        }
        return to;
    }
    for (; size >= 16; size -= 16) {
        *(emberi_chunk *)(d + size - 16) = *(const emberi_chunk *)(s + size - 16);
        __asm__ volatile("");
    }
    for (; size != 0; size--) {
        d[size - 1] = s[size - 1];
        __asm__ volatile("");
    }
    return to;
}

#define memset(to, value, size) emberi_guest_fill((to), (int)(value), (size))
#define memmove(to, from, size) emberi_guest_move((to), (from), (size))
#define memcpy(to, from, size)                                                           \
    (__builtin_constant_p(size) && (size) <= 16 ? __builtin_memcpy((to), (from), (size)) \
                                                : emberi_guest_move((to), (from), (size)))
