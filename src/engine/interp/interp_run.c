/* SPDX-License-Identifier: MIT */
/* The interpreter's loop, in one of two ways from one list of handlers: computed gotos, or a switch. What it
   trusts was proved by the translator; what a game's numbers decide (addresses, divisors, table indices,
   depth, fuel) is checked here. */
#include "console/host.h"
#include "engine/interp/interp_code.h"
#include "engine/interp/interp_numeric.h"
#include "engine/interp/interp_ops.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the interpreter needs a little-endian machine: registers of 32 bits are the lower halves of 64"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0
#error "the interpreter needs arithmetic in the operands' own precision: build with -msse2 -mfpmath=sse"
#endif

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

static uint32_t emberi_run_grow(emberi_thread *thread, uint32_t pages)
{
    uint32_t old = thread->memory_size / EMBERI_WASM_PAGE;
    if (pages > thread->max_pages - old)
        return UINT32_MAX;
    uint32_t size = (old + pages) * EMBERI_WASM_PAGE;
    emberi_fill(thread->memory + thread->memory_size, 0, size - thread->memory_size);
    thread->memory_size = size;
    ember_console_set_memory(thread->console, thread->memory, size);
    return old;
}

#define A r[A_NUMBER]
#define B r[B_NUMBER]
#define C r[OFFSET]
#define A_NUMBER (pc->i.a)
#define B_NUMBER (pc->i.b)
#define OFFSET (pc->i.c)
#define IMMEDIATE ((int16_t)pc->i.c)

/* A branch: from the word that holds the offset. Only branches to loops go back. */
#define JUMP_FROM(word, offset)      \
    do {                             \
        int64_t distance = (offset); \
        pc = (word) + distance;      \
        fuel += distance >> 63;      \
        if (UNLIKELY(fuel < 0))      \
            TRAP(EMBERI_TRAP_FUEL);  \
        NEXT(0);                     \
    } while (0)
#define JUMP() JUMP_FROM(pc + 1, pc[1].d.x)

/* NOLINTNEXTLINE(readability-function-size): every handler is in it */
static emberi_trap run_from(const emberi_word *pc, emberi_slot *r, uint8_t *memory, uint64_t memory_size,
                            int64_t fuel, emberi_thread *thread)
{
#define TRAP(kind) return (kind)
#if defined(__GNUC__) && !defined(EMBERI_INTERP_SWITCH)
/* Addresses of labels are no standard C. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define EMBERI_OP(name) &&run_##name,
    static const void *const handlers[] = {EMBERI_ALL_OPS};
#undef EMBERI_OP
#define HANDLER(name) run_##name:
#define NEXT(words)               \
    do {                          \
        pc += (words);            \
        goto *handlers[pc->i.op]; \
    } while (0)
    NEXT(0);
#include "engine/interp/interp_handlers.h"
#pragma GCC diagnostic pop
#else
#define HANDLER(name) case EMBERI_OP_##name:
#define NEXT(words)    \
    {                  \
        pc += (words); \
        goto next;     \
    }
next:
    switch (pc->i.op) {
#include "engine/interp/interp_handlers.h"
    }
    return EMBERI_TRAP_UNREACHABLE;
#endif
}

emberi_trap emberi_interp_run(emberi_thread *thread, uint32_t function)
{
    static const emberi_word start[2] = {{.i = {EMBERI_OP_EXIT, 0, 0, 0}}};
    const emberi_function   *callee = &thread->functions[function];
    emberi_slot             *frame = thread->stack;
    if (thread->stack_end - frame < callee->frame)
        return EMBERI_TRAP_DEPTH;
    thread->call = thread->calls;
    *thread->call++ = (emberi_call){start, frame};
    for (uint32_t i = 0; i < callee->zeros; i++)
        (frame++)->u64 = 0;
    for (uint32_t i = 0; i < callee->constant_count; i++)
        frame[i].u64 = callee->constants[i].u64;
    return run_from(callee->code, thread->stack, thread->memory, thread->memory_size, thread->fuel, thread);
}
