/* SPDX-License-Identifier: MIT */
/* What every instruction does, for interp_run.c, which includes this where its way of dispatch wants it and
   defines HANDLER, NEXT, JUMP, TRAP and the names that the handlers use: pc, r (the frame), memory,
   memory_size, fuel, thread; A, B, C (registers) and IMMEDIATE (c as a number with a sign). No guard: one
   inclusion, inside a function or outside. */

/* NOLINTBEGIN(bugprone-macro-parentheses): types, operators and whole statements are arguments here */
#define FIELD_I32_U u32
#define FIELD_I32_S s32
#define FIELD_I64_U u64
#define FIELD_I64_S s64
#define UNSIGNED_I32 uint32_t
#define UNSIGNED_I64 uint64_t
#define TYPE_I32_U uint32_t
#define TYPE_I32_S int32_t
#define TYPE_I64_U uint64_t
#define TYPE_I64_S int64_t
#define FIELD_F32 f32
#define FIELD_F64 f64
#define TYPE_F32 float
#define TYPE_F64 double
#define BITS_F32 u32
#define BITS_F64 u64
#define NAN_F32 EMBERI_NAN32
#define NAN_F64 EMBERI_NAN64
#define MASK_I32 31u
#define MASK_I64 63u
/* Right shifts of negative numbers keep the sign with every compiler that Ember is built with. */
#define SHIFT_RIGHT_I32(x, n) (uint32_t)((int32_t)(x) >> (n))
#define SHIFT_RIGHT_I64(x, n) (uint64_t)((int64_t)(x) >> (n))

/* A result of arithmetic: if it is a NaN, it is the canonical one. Stored first: a choice of two values would
   become masks that every result has to wait for. */
#define STORE_FLOAT(T, value)         \
    do {                              \
        TYPE_##T result = (value);    \
        A.FIELD_##T = result;         \
        if (UNLIKELY(IS_NAN(result))) \
            A.BITS_##T = NAN_##T;     \
    } while (0)
#ifdef EMBERI_ANY_NANS /* the benchmark's, to tell what the rule costs */
#define IS_NAN(x) ((void)(x), 0)
#else
#define IS_NAN(x) ((x) != (x))
#endif

/* ---- comparisons and branches on them ---- */

#define HANDLE_RR(T, name, sign, operator)                          \
    HANDLER(T##_##name##_RR)                                        \
    {                                                               \
        A.u32 = B.FIELD_##T##_##sign operator C.FIELD_##T##_##sign; \
        NEXT(1);                                                    \
    }
#define HANDLE_RI(T, name, sign, operator)                                  \
    HANDLER(T##_##name##_RI)                                                \
    {                                                                       \
        A.u32 = B.FIELD_##T##_##sign operator(TYPE_##T##_##sign) IMMEDIATE; \
        NEXT(1);                                                            \
    }
#define HANDLE_BR_RR(T, name, sign, operator)                   \
    HANDLER(BR_##T##_##name##_RR)                               \
    {                                                           \
        if (B.FIELD_##T##_##sign operator C.FIELD_##T##_##sign) \
            JUMP();                                             \
        NEXT(2);                                                \
    }
#define HANDLE_BR_RI(T, name, sign, operator)                           \
    HANDLER(BR_##T##_##name##_RI)                                       \
    {                                                                   \
        if (B.FIELD_##T##_##sign operator(TYPE_##T##_##sign) IMMEDIATE) \
            JUMP();                                                     \
        NEXT(2);                                                        \
    }
/* A variable of a loop is counted, compared and branched on. */
#define HANDLE_STEP_RR(T, name, sign, operator)               \
    HANDLER(STEP_##T##_##name##_RR)                           \
    {                                                         \
        uint32_t          x = B.u32, y = (uint32_t)IMMEDIATE; \
        TYPE_##T##_##sign value = (TYPE_##T##_##sign)(x + y); \
        A.FIELD_##T##_##sign = value;                         \
        if (value operator r[pc[1].d.y].FIELD_##T##_##sign)   \
            JUMP();                                           \
        NEXT(2);                                              \
    }
#define HANDLE_STEP_RI(T, name, sign, operator)               \
    HANDLER(STEP_##T##_##name##_RI)                           \
    {                                                         \
        uint32_t          x = B.u32, y = (uint32_t)IMMEDIATE; \
        TYPE_##T##_##sign value = (TYPE_##T##_##sign)(x + y); \
        A.FIELD_##T##_##sign = value;                         \
        if (value operator(TYPE_##T##_##sign) pc[1].d.y)      \
            JUMP();                                           \
        NEXT(2);                                              \
    }
EMBERI_COMPARES_RR(HANDLE_STEP_RR, I32)
EMBERI_COMPARES_RI(HANDLE_STEP_RI, I32)
EMBERI_COMPARES_RR(HANDLE_RR, I32)
EMBERI_COMPARES_RI(HANDLE_RI, I32)
EMBERI_COMPARES_RR(HANDLE_RR, I64)
EMBERI_COMPARES_RI(HANDLE_RI, I64)
EMBERI_COMPARES_RR(HANDLE_BR_RR, I32)
EMBERI_COMPARES_RI(HANDLE_BR_RI, I32)
EMBERI_COMPARES_RR(HANDLE_BR_RR, I64)
EMBERI_COMPARES_RI(HANDLE_BR_RI, I64)

#define HANDLE_FLOAT_COMPARE(T, name, operator)   \
    HANDLER(T##_##name)                           \
    {                                             \
        A.u32 = B.FIELD_##T operator C.FIELD_##T; \
        NEXT(1);                                  \
    }
#define HANDLE_FLOAT_BRANCH(T, name, operator, not) \
    HANDLER(BR_##T##_##name)                        \
    {                                               \
        if (not(B.FIELD_##T operator C.FIELD_##T))  \
            JUMP();                                 \
        NEXT(2);                                    \
    }
EMBERI_FLOAT_COMPARES(HANDLE_FLOAT_COMPARE, F32)
EMBERI_FLOAT_COMPARES(HANDLE_FLOAT_COMPARE, F64)
EMBERI_FLOAT_BRANCHES(HANDLE_FLOAT_BRANCH, F32)
EMBERI_FLOAT_BRANCHES(HANDLE_FLOAT_BRANCH, F64)

/* ---- integers ---- */

#define HANDLE_BINARY_RR(T, name, what)                        \
    HANDLER(T##_##name##_RR)                                   \
    {                                                          \
        UNSIGNED_##T x = B.FIELD_##T##_U, y = C.FIELD_##T##_U; \
        A.FIELD_##T##_U = what;                                \
        NEXT(1);                                               \
    }
#define HANDLE_BINARY_RI(T, name, what)                                \
    HANDLER(T##_##name##_RI)                                           \
    {                                                                  \
        UNSIGNED_##T x = B.FIELD_##T##_U, y = (UNSIGNED_##T)IMMEDIATE; \
        A.FIELD_##T##_U = what;                                        \
        NEXT(1);                                                       \
    }
EMBERI_BINARIES_RR(HANDLE_BINARY_RR, I32)
EMBERI_BINARIES_RI(HANDLE_BINARY_RI, I32)
EMBERI_BINARIES_RR(HANDLE_BINARY_RR, I64)
EMBERI_BINARIES_RI(HANDLE_BINARY_RI, I64)

#define HANDLE_DIVISIONS(T, MIN)                               \
    HANDLER(T##_DIV_S)                                         \
    {                                                          \
        TYPE_##T##_S x = B.FIELD_##T##_S, y = C.FIELD_##T##_S; \
        if (UNLIKELY(y == 0))                                  \
            TRAP(EMBERI_TRAP_DIVISION);                        \
        if (UNLIKELY(x == MIN && y == -1))                     \
            TRAP(EMBERI_TRAP_OVERFLOW);                        \
        A.FIELD_##T##_S = x / y;                               \
        NEXT(1);                                               \
    }                                                          \
    HANDLER(T##_DIV_U)                                         \
    {                                                          \
        if (UNLIKELY(C.FIELD_##T##_U == 0))                    \
            TRAP(EMBERI_TRAP_DIVISION);                        \
        A.FIELD_##T##_U = B.FIELD_##T##_U / C.FIELD_##T##_U;   \
        NEXT(1);                                               \
    }                                                          \
    HANDLER(T##_REM_S)                                         \
    {                                                          \
        TYPE_##T##_S x = B.FIELD_##T##_S, y = C.FIELD_##T##_S; \
        if (UNLIKELY(y == 0))                                  \
            TRAP(EMBERI_TRAP_DIVISION);                        \
        A.FIELD_##T##_S = y == -1 ? 0 : x % y;                 \
        NEXT(1);                                               \
    }                                                          \
    HANDLER(T##_REM_U)                                         \
    {                                                          \
        if (UNLIKELY(C.FIELD_##T##_U == 0))                    \
            TRAP(EMBERI_TRAP_DIVISION);                        \
        A.FIELD_##T##_U = B.FIELD_##T##_U % C.FIELD_##T##_U;   \
        NEXT(1);                                               \
    }
HANDLE_DIVISIONS(I32, INT32_MIN)
HANDLE_DIVISIONS(I64, INT64_MIN)

#define HANDLE_SHIFT_ADD(n)           \
    HANDLER(SHIFT_ADD_##n)            \
    {                                 \
        A.u32 = B.u32 + (C.u32 << n); \
        NEXT(1);                      \
    }
HANDLE_SHIFT_ADD(1)
HANDLE_SHIFT_ADD(2)
HANDLE_SHIFT_ADD(3)

HANDLER(I32_MUL_ADD)
{
    A.u32 = B.u32 * C.u32 + r[pc[1].d.x].u32;
    NEXT(2);
}

/* ---- floats ---- */

#define HANDLE_FLOAT_BINARY(T, name, what)         \
    HANDLER(T##_##name)                            \
    {                                              \
        TYPE_##T x = B.FIELD_##T, y = C.FIELD_##T; \
        STORE_FLOAT(T, what);                      \
        NEXT(1);                                   \
    }
#define HANDLE_FLOAT_UNARY(T, name, what) \
    HANDLER(T##_##name)                   \
    {                                     \
        TYPE_##T x = B.FIELD_##T;         \
        STORE_FLOAT(T, what);             \
        NEXT(1);                          \
    }
/* A NaN in gives a NaN out: only the last result is looked at. */
#define HANDLE_FLOAT_PRODUCT(T, name, what)                                 \
    HANDLER(T##_##name)                                                     \
    {                                                                       \
        TYPE_##T p = B.FIELD_##T * C.FIELD_##T, z = r[pc[1].d.x].FIELD_##T; \
        STORE_FLOAT(T, what);                                               \
        NEXT(2);                                                            \
    }
EMBERI_FLOAT_BINARIES(HANDLE_FLOAT_BINARY, F32)
EMBERI_FLOAT_BINARIES(HANDLE_FLOAT_BINARY, F64)
EMBERI_FLOAT_UNARIES(HANDLE_FLOAT_UNARY, F32)
EMBERI_FLOAT_UNARIES(HANDLE_FLOAT_UNARY, F64)
EMBERI_FLOAT_PRODUCTS(HANDLE_FLOAT_PRODUCT, F32)
EMBERI_FLOAT_PRODUCTS(HANDLE_FLOAT_PRODUCT, F64)

HANDLER(F32_COPYSIGN)
{
    A.u32 = (B.u32 & 0x7fffffffu) | (C.u32 & 0x80000000u);
    NEXT(1);
}
HANDLER(F64_COPYSIGN)
{
    A.u64 = (B.u64 & ~EMBERI_SIGN64) | (C.u64 & EMBERI_SIGN64);
    NEXT(1);
}
HANDLER(F64_PROMOTE)
{
    STORE_FLOAT(F64, (double)B.f32);
    NEXT(1);
}
HANDLER(F32_DEMOTE)
{
    STORE_FLOAT(F32, (float)B.f64);
    NEXT(1);
}

/* ---- conversions ---- */

#define HANDLE_UNARY(name, to, from, what) \
    HANDLER(name)                          \
    {                                      \
        __typeof__(B.from) x = B.from;     \
        A.to = what;                       \
        NEXT(1);                           \
    }
EMBERI_UNARIES(HANDLE_UNARY)

#define HANDLE_TRUNCATION(name, to, type, from, fits, least, most)   \
    HANDLER(name)                                                    \
    {                                                                \
        __typeof__(B.from) x = B.from;                               \
        if (UNLIKELY(x != x))                                        \
            TRAP(EMBERI_TRAP_CONVERSION);                            \
        if (UNLIKELY(!(fits)))                                       \
            TRAP(EMBERI_TRAP_OVERFLOW);                              \
        A.to = (type)x;                                              \
        NEXT(1);                                                     \
    }                                                                \
    HANDLER(name##_SAT)                                              \
    {                                                                \
        __typeof__(B.from) x = B.from;                               \
        A.to = (fits) ? (type)x : x != x ? 0 : x < 0 ? least : most; \
        NEXT(1);                                                     \
    }
EMBERI_TRUNCATIONS(HANDLE_TRUNCATION)

/* ---- memory ---- */

/* The address of `size` bytes that are all there, or a trap. */
#define REACH(address, offset, size)                                  \
    uint64_t at = (uint64_t)(uint32_t)(address) + (uint32_t)(offset); \
    if (UNLIKELY(at + (size) > memory_size))                          \
    TRAP(EMBERI_TRAP_MEMORY)

#define WIDE_ADDRESS B.u32 + (uint32_t)pc[1].d.y
#define INDEX_ADDRESS B.u32 + (C.u32 << ((uint32_t)pc[1].d.y & 31u))

#define HANDLE_LOAD_FORM(name, field, type, address, offset, words) \
    HANDLER(name)                                                   \
    {                                                               \
        type value;                                                 \
        REACH(address, offset, sizeof(value));                      \
        emberi_copy(&value, memory + at, sizeof(value));            \
        A.field = value;                                            \
        NEXT(words);                                                \
    }
#define HANDLE_LOAD(name, field, type)                                     \
    HANDLE_LOAD_FORM(name, field, type, B.u32, OFFSET, 1)                  \
    HANDLE_LOAD_FORM(name##_WIDE, field, type, WIDE_ADDRESS, pc[1].d.x, 2) \
    HANDLE_LOAD_FORM(name##_INDEX, field, type, INDEX_ADDRESS, pc[1].d.x, 2)
EMBERI_LOADS(HANDLE_LOAD)

#define HANDLE_STORE_FORM(name, field, type, address, offset, words) \
    HANDLER(name)                                                    \
    {                                                                \
        type value = (type)A.field;                                  \
        REACH(address, offset, sizeof(value));                       \
        emberi_copy(memory + at, &value, sizeof(value));             \
        NEXT(words);                                                 \
    }
#define HANDLE_STORE(name, field, type)                                     \
    HANDLE_STORE_FORM(name, field, type, B.u32, OFFSET, 1)                  \
    HANDLE_STORE_FORM(name##_WIDE, field, type, WIDE_ADDRESS, pc[1].d.x, 2) \
    HANDLE_STORE_FORM(name##_INDEX, field, type, INDEX_ADDRESS, pc[1].d.x, 2)
EMBERI_STORES(HANDLE_STORE)

HANDLER(MEMORY_SIZE)
{
    A.u32 = (uint32_t)(memory_size / EMBERI_WASM_PAGE);
    NEXT(1);
}
HANDLER(MEMORY_GROW)
{
    A.u32 = emberi_run_grow(thread, B.u32);
    memory_size = thread->memory_size;
    NEXT(1);
}

/* Copies and fills: the bytes must be there, and then paid for. */
#define PAY(size)                    \
    fuel -= (int64_t)((size) / 64u); \
    if (UNLIKELY(fuel < 0))          \
    TRAP(EMBERI_TRAP_FUEL)

HANDLER(MEMORY_COPY)
{
    uint64_t to = A.u32, from = B.u32, size = C.u32;
    if (UNLIKELY(to + size > memory_size || from + size > memory_size))
        TRAP(EMBERI_TRAP_MEMORY);
    PAY(size);
    emberi_move(memory + to, memory + from, size);
    NEXT(2);
}
HANDLER(MEMORY_FILL)
{
    uint64_t to = A.u32, size = C.u32;
    if (UNLIKELY(to + size > memory_size))
        TRAP(EMBERI_TRAP_MEMORY);
    PAY(size);
    emberi_fill(memory + to, (int)(B.u32 & 0xffu), size);
    NEXT(2);
}
HANDLER(MEMORY_INIT)
{
    uint64_t              to = A.u32, from = B.u32, size = C.u32;
    const emberi_segment *segment = &thread->segments[pc[1].d.x];
    uint64_t              there = thread->dropped[pc[1].d.x] ? 0 : segment->size;
    if (UNLIKELY(to + size > memory_size || from + size > there))
        TRAP(EMBERI_TRAP_MEMORY);
    PAY(size);
    if (size != 0)
        emberi_copy(memory + to, segment->bytes + from, size);
    NEXT(2);
}
HANDLER(DATA_DROP)
{
    thread->dropped[pc[1].d.x] = 1;
    NEXT(2);
}

/* ---- registers ---- */

HANDLER(MOVE_32)
{
    A.u32 = B.u32;
    NEXT(1);
}
HANDLER(MOVE_64)
{
    A.u64 = B.u64;
    NEXT(1);
}
HANDLER(CONST_16)
{
    A.s32 = IMMEDIATE;
    NEXT(1);
}
HANDLER(CONST)
{
    A.u64 = pc[1].all;
    NEXT(2);
}
HANDLER(SELECT_32)
{
    A.u32 = r[pc[1].d.x].u32 != 0 ? B.u32 : C.u32;
    NEXT(2);
}
HANDLER(SELECT_64)
{
    A.u64 = r[pc[1].d.x].u32 != 0 ? B.u64 : C.u64;
    NEXT(2);
}
HANDLER(GLOBAL_GET)
{
    A.u64 = thread->globals[B_NUMBER].u64;
    NEXT(1);
}
HANDLER(GLOBAL_SET_32)
{
    thread->globals[OFFSET].u64 = B.u32;
    NEXT(1);
}
HANDLER(GLOBAL_SET_64)
{
    thread->globals[OFFSET].u64 = B.u64;
    NEXT(1);
}

/* ---- control ---- */

HANDLER(UNREACHABLE) { TRAP(EMBERI_TRAP_UNREACHABLE); }
HANDLER(EXIT) { TRAP(EMBERI_TRAP_NONE); }
HANDLER(BR) { JUMP(); }
HANDLER(BR_TABLE)
{
    uint32_t           count = (uint32_t)pc[1].d.x, index = B.u32 < count ? B.u32 : count;
    const emberi_word *cell = pc + 2 + index / 2;
    int32_t            offset = index % 2 == 0 ? cell->d.x : cell->d.y;
    JUMP_FROM(cell, offset);
}

/* A frame begins at the first argument. */
#define ENTER(function, first, words)                                                         \
    do {                                                                                      \
        const emberi_function *callee = (function);                                           \
        emberi_slot           *frame = (first);                                               \
        emberi_call           *call = thread->call;                                           \
        if (UNLIKELY(call == thread->calls_end || thread->stack_end - frame < callee->frame)) \
            TRAP(EMBERI_TRAP_DEPTH);                                                          \
        call->pc = pc + (words);                                                              \
        call->frame = r;                                                                      \
        thread->call = call + 1;                                                              \
        r = frame;                                                                            \
        pc = callee->code;                                                                    \
        frame += callee->params;                                                              \
        for (uint32_t left = callee->zeros; left > 0; left--)                                 \
            (frame++)->u64 = 0;                                                               \
        for (uint32_t k = 0; k < callee->constant_count; k++)                                 \
            frame[k].u64 = callee->constants[k].u64;                                          \
    } while (0)

HANDLER(CALL)
{
    if (UNLIKELY(--fuel < 0))
        TRAP(EMBERI_TRAP_FUEL);
    ENTER(&thread->functions[pc[1].d.x], r + A_NUMBER, 2);
    NEXT(0);
}

/* What a function of the host went over is known, and paid for, when it returns. */
#define CALL_HOST(function)                              \
    do {                                                 \
        thread->console->work = 0;                       \
        (function)->host(thread->console, r + A_NUMBER); \
        PAY(thread->console->work);                      \
    } while (0)

HANDLER(CALL_HOST)
{
    if (UNLIKELY(--fuel < 0))
        TRAP(EMBERI_TRAP_FUEL);
    CALL_HOST(&thread->functions[pc[1].d.x]);
    NEXT(2);
}
HANDLER(CALL_INDIRECT)
{
    uint32_t index = B.u32;
    if (UNLIKELY(index >= thread->table_size || thread->table[index] == EMBERI_NO_FUNCTION))
        TRAP(EMBERI_TRAP_INDIRECT);
    const emberi_function *target = &thread->functions[thread->table[index]];
    if (UNLIKELY(target->type != (uint32_t)pc[1].d.x))
        TRAP(EMBERI_TRAP_INDIRECT);
    if (UNLIKELY(--fuel < 0))
        TRAP(EMBERI_TRAP_FUEL);
    if (target->host != NULL) {
        CALL_HOST(target);
        NEXT(2);
    }
    ENTER(target, r + A_NUMBER, 2);
    NEXT(0);
}

#define LEAVE()                             \
    do {                                    \
        emberi_call *call = --thread->call; \
        pc = call->pc;                      \
        r = call->frame;                    \
    } while (0)

HANDLER(RETURN)
{
    LEAVE();
    NEXT(0);
}
HANDLER(RETURN_32)
{
    r[0].u32 = B.u32;
    LEAVE();
    NEXT(0);
}
HANDLER(RETURN_64)
{
    r[0].u64 = B.u64;
    LEAVE();
    NEXT(0);
}
/* NOLINTEND(bugprone-macro-parentheses) */
