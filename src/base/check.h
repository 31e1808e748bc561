/* SPDX-License-Identifier: MIT */
/* Assertions on the caller's duties, which no input from a file or a game can trip; and the few compiler
   words that the rest of the library would otherwise have to know. */
#ifndef EMBER_BASE_CHECK_H
#define EMBER_BASE_CHECK_H

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <assert.h>
#define EMBERI_ASSERT(condition) assert(condition)
#else
#define EMBERI_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#endif

/* Core has no string.h when it is compiled freestanding; the compiler knows these by heart. */
#define emberi_copy(to, from, size) ((void)__builtin_memcpy((to), (from), (size)))
#define emberi_move(to, from, size) ((void)__builtin_memmove((to), (from), (size)))
#define emberi_fill(to, byte, size) ((void)__builtin_memset((to), (byte), (size)))
#define emberi_equal(a, b, size) (__builtin_memcmp((a), (b), (size)) == 0)

/* Zero bits above the highest one; the number is not 0. */
#define emberi_leading_zeros32(number) ((uint32_t)__builtin_clz(number))
#define emberi_leading_zeros64(number) ((uint32_t)__builtin_clzll(number))

#ifndef EMBERI_INLINE
#define EMBERI_INLINE static inline __attribute__((always_inline))
#endif

#endif
