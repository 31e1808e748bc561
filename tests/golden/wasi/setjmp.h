/* SPDX-License-Identifier: MIT */
/* For golden_play on wasm32, whose C library has no jumps: a game that traps ends the program, which no
   example game does. */
#ifndef EMBER_GOLDEN_SETJMP_H
#define EMBER_GOLDEN_SETJMP_H

typedef int sigjmp_buf[1];
#define sigsetjmp(point, mask) ((void)(point), 0)
#define siglongjmp(point, value) __builtin_trap()

#endif
