/* SPDX-License-Identifier: MIT */
/* Every instruction of the interpreter, once: the lists name it and say what it computes, and the enum, the
   table of handlers and the handlers come from them. RR takes two registers, RI a register and a number of 16
   bits with a sign; the order inside a list is part of the translator's rules. */
#ifndef EMBER_ENGINE_INTERP_OPS_H
#define EMBER_ENGINE_INTERP_OPS_H

/* clang-format off */

/* X(T, name, sign, operator), T: I32 or I64. A comparison and its opposite stand beside each other. */
#define EMBERI_COMPARES_RR(X, T) \
    X(T, EQ, U, ==) X(T, NE, U, !=) X(T, LT_S, S, <) X(T, GE_S, S, >=) X(T, LT_U, U, <) X(T, GE_U, U, >=)
#define EMBERI_COMPARES_RI(X, T) \
    EMBERI_COMPARES_RR(X, T) X(T, GT_S, S, >) X(T, LE_S, S, <=) X(T, GT_U, U, >) X(T, LE_U, U, <=)

/* X(T, name, what of x and y), all unsigned. */
#define EMBERI_BINARIES_RI(X, T) \
    X(T, ADD, x + y) X(T, MUL, x * y) X(T, AND, x & y) X(T, OR, x | y) X(T, XOR, x ^ y) \
    X(T, SHL, x << (y & MASK_##T)) X(T, SHR_S, SHIFT_RIGHT_##T(x, y & MASK_##T)) \
    X(T, SHR_U, x >> (y & MASK_##T)) \
    X(T, ROTL, x << (y & MASK_##T) | x >> ((0u - y) & MASK_##T)) \
    X(T, ROTR, x >> (y & MASK_##T) | x << ((0u - y) & MASK_##T))
#define EMBERI_BINARIES_RR(X, T) EMBERI_BINARIES_RI(X, T) X(T, SUB, x - y)

/* X(T, name): they trap. */
#define EMBERI_DIVISIONS(X, T) X(T, DIV_S) X(T, DIV_U) X(T, REM_S) X(T, REM_U)

/* X(T, name, operator), T: F32 or F64. */
#define EMBERI_FLOAT_COMPARES(X, T) X(T, EQ, ==) X(T, NE, !=) X(T, LT, <) X(T, LE, <=)
/* Branches where it holds, and where it does not: a NaN is neither less nor not less. */
#define EMBERI_FLOAT_BRANCHES(X, T) \
    X(T, EQ, ==, ) X(T, NE, !=, ) X(T, LT, <, ) X(T, NLT, <, !) X(T, LE, <=, ) X(T, NLE, <=, !)

/* X(T, name, what of x and y): arithmetic, whose NaNs are the canonical one. */
#define EMBERI_FLOAT_BINARIES(X, T) \
    X(T, ADD, x + y) X(T, SUB, x - y) X(T, MUL, x * y) X(T, DIV, x / y) \
    X(T, MIN, emberi_min_##T(x, y)) X(T, MAX, emberi_max_##T(x, y))
#define EMBERI_FLOAT_UNARIES(X, T) \
    X(T, CEIL, emberi_ceil_##T(x)) X(T, FLOOR, emberi_floor_##T(x)) X(T, TRUNC, emberi_trunc_##T(x)) \
    X(T, NEAREST, emberi_nearest_##T(x)) X(T, SQRT, emberi_sqrt_##T(x))
/* A product and a third value z: two roundings. */
#define EMBERI_FLOAT_PRODUCTS(X, T) X(T, MUL_ADD, p + z) X(T, MUL_SUB, p - z) X(T, SUB_MUL, z - p)

/* X(name, field of the result, field of the operand,
   what of x): no arithmetic on floats that could make a NaN. */
#define EMBERI_UNARIES(X) \
    X(I32_CLZ, u32, u32, emberi_clz32(x)) X(I32_CTZ, u32, u32, emberi_ctz32(x)) \
    X(I32_POPCNT, u32, u32, emberi_popcnt32(x)) \
    X(I64_CLZ, u64, u64, emberi_clz64(x)) X(I64_CTZ, u64, u64, emberi_ctz64(x)) \
    X(I64_POPCNT, u64, u64, emberi_popcnt64(x)) \
    X(I32_EXTEND8_S, s32, u32, (int8_t)x) X(I32_EXTEND16_S, s32, u32, (int16_t)x) \
    X(I64_EXTEND8_S, s64, u64, (int8_t)x) X(I64_EXTEND16_S, s64, u64, (int16_t)x) \
    X(I64_EXTEND32_S, s64, u32, (int32_t)x) X(I64_EXTEND32_U, u64, u32, x) \
    X(F32_ABS, u32, u32, x & 0x7fffffffu) X(F32_NEG, u32, u32, x ^ 0x80000000u) \
    X(F64_ABS, u64, u64, x & ~EMBERI_SIGN64) X(F64_NEG, u64, u64, x ^ EMBERI_SIGN64) \
    X(F32_CONVERT_I32_S, f32, s32, (float)x) X(F32_CONVERT_I32_U, f32, u32, (float)x) \
    X(F32_CONVERT_I64_S, f32, s64, (float)x) X(F32_CONVERT_I64_U, f32, u64, (float)x) \
    X(F64_CONVERT_I32_S, f64, s32, (double)x) X(F64_CONVERT_I32_U, f64, u32, (double)x) \
    X(F64_CONVERT_I64_S, f64, s64, (double)x) X(F64_CONVERT_I64_U, f64, u64, (double)x)

/* X(name, field of the result, its type, field of the operand, whether x is in range, least result,
   greatest): each
   as an instruction that traps and, with _SAT, as one that gives the nearest. In the format's order. */
#define EMBERI_TRUNCATIONS(X) \
    X(I32_TRUNC_F32_S, s32, int32_t, f32, x >= -2147483648.0f && x < 2147483648.0f, INT32_MIN, INT32_MAX) \
    X(I32_TRUNC_F32_U, u32, uint32_t, f32, x > -1.0f && x < 4294967296.0f, 0, UINT32_MAX) \
    X(I32_TRUNC_F64_S, s32, int32_t, f64, x > -2147483649.0 && x < 2147483648.0, INT32_MIN, INT32_MAX) \
    X(I32_TRUNC_F64_U, u32, uint32_t, f64, x > -1.0 && x < 4294967296.0, 0, UINT32_MAX) \
    X(I64_TRUNC_F32_S, s64, int64_t, f32, x >= -9223372036854775808.0f && x < 9223372036854775808.0f, \
      INT64_MIN, INT64_MAX) \
    X(I64_TRUNC_F32_U, u64, uint64_t, f32, x > -1.0f && x < 18446744073709551616.0f, 0, UINT64_MAX) \
    X(I64_TRUNC_F64_S, s64, int64_t, f64, x >= -9223372036854775808.0 && x < 9223372036854775808.0, \
      INT64_MIN, INT64_MAX) \
    X(I64_TRUNC_F64_U, u64, uint64_t, f64, x > -1.0 && x < 18446744073709551616.0, 0, UINT64_MAX)

/* X(name, field of the register, type in memory). Floats are loaded and stored as integers. */
#define EMBERI_LOADS(X) \
    X(LOAD_I32, u32, uint32_t) X(LOAD_I64, u64, uint64_t) \
    X(LOAD_I32_8S, s32, int8_t) X(LOAD_I32_8U, u32, uint8_t) X(LOAD_I32_16S, s32, int16_t) \
    X(LOAD_I32_16U, u32, uint16_t) \
    X(LOAD_I64_8S, s64, int8_t) X(LOAD_I64_8U, u64, uint8_t) X(LOAD_I64_16S, s64, int16_t) \
    X(LOAD_I64_16U, u64, uint16_t) \
    X(LOAD_I64_32S, s64, int32_t) X(LOAD_I64_32U, u64, uint32_t)
#define EMBERI_STORES(X) \
    X(STORE_32, u32, uint32_t) X(STORE_64, u64, uint64_t) X(STORE_8, u32, uint8_t) X(STORE_16, u32, uint16_t)

/* X(name): written out one by one. */
#define EMBERI_OTHERS(X) \
    X(EXIT) X(UNREACHABLE) X(BR) X(BR_TABLE) X(CALL) X(CALL_HOST) X(CALL_INDIRECT) X(RETURN) \
    X(RETURN_32) X(RETURN_64) \
    X(MOVE_32) X(MOVE_64) X(CONST_16) X(CONST) X(SELECT_32) X(SELECT_64) \
    X(GLOBAL_GET) X(GLOBAL_SET_32) X(GLOBAL_SET_64) \
    X(MEMORY_SIZE) X(MEMORY_GROW) X(MEMORY_COPY) X(MEMORY_FILL) X(MEMORY_INIT) X(DATA_DROP) \
    X(F32_COPYSIGN) X(F64_COPYSIGN) X(F64_PROMOTE) X(F32_DEMOTE) \
    X(SHIFT_ADD_1) X(SHIFT_ADD_2) X(SHIFT_ADD_3) X(I32_MUL_ADD)

/* Names from rows. */
#define EMBERI_NAME_RR(T, NAME, ...) EMBERI_OP(T##_##NAME##_RR)
#define EMBERI_NAME_RI(T, NAME, ...) EMBERI_OP(T##_##NAME##_RI)
#define EMBERI_NAME_BR_RR(T, NAME, ...) EMBERI_OP(BR_##T##_##NAME##_RR)
#define EMBERI_NAME_BR_RI(T, NAME, ...) EMBERI_OP(BR_##T##_##NAME##_RI)
#define EMBERI_NAME_STEP_RR(T, NAME, ...) EMBERI_OP(STEP_##T##_##NAME##_RR)
#define EMBERI_NAME_STEP_RI(T, NAME, ...) EMBERI_OP(STEP_##T##_##NAME##_RI)
#define EMBERI_NAME_BR(T, NAME, ...) EMBERI_OP(BR_##T##_##NAME)
#define EMBERI_NAME_OF(T, NAME, ...) EMBERI_OP(T##_##NAME)
#define EMBERI_NAME(NAME, ...) EMBERI_OP(NAME)
#define EMBERI_NAME_ONE(NAME) EMBERI_OP(NAME)
#define EMBERI_NAME_TWO(T, NAME) EMBERI_OP(T##_##NAME)
#define EMBERI_NAME_BOTH(NAME, ...) EMBERI_OP(NAME) EMBERI_OP(NAME##_SAT)
#define EMBERI_NAME_FORMS(NAME, ...) EMBERI_OP(NAME) EMBERI_OP(NAME##_WIDE) EMBERI_OP(NAME##_INDEX)

/* EMBERI_OP(name) for every instruction,
   in the order of their numbers. The branches follow in the order of the
   comparisons,
   EMBERI_BRANCH_OF instructions later; those that first count a variable of a loop, STEP, in the order
   of the branches on i32. */
#define EMBERI_ALL_OPS \
    EMBERI_COMPARES_RR(EMBERI_NAME_RR, I32) EMBERI_COMPARES_RI(EMBERI_NAME_RI, I32) \
    EMBERI_COMPARES_RR(EMBERI_NAME_RR, I64) EMBERI_COMPARES_RI(EMBERI_NAME_RI, I64) \
    EMBERI_COMPARES_RR(EMBERI_NAME_BR_RR, I32) EMBERI_COMPARES_RI(EMBERI_NAME_BR_RI, I32) \
    EMBERI_COMPARES_RR(EMBERI_NAME_BR_RR, I64) EMBERI_COMPARES_RI(EMBERI_NAME_BR_RI, I64) \
    EMBERI_COMPARES_RR(EMBERI_NAME_STEP_RR, I32) EMBERI_COMPARES_RI(EMBERI_NAME_STEP_RI, I32) \
    EMBERI_FLOAT_COMPARES(EMBERI_NAME_OF, F32) EMBERI_FLOAT_COMPARES(EMBERI_NAME_OF, F64) \
    EMBERI_FLOAT_BRANCHES(EMBERI_NAME_BR, F32) EMBERI_FLOAT_BRANCHES(EMBERI_NAME_BR, F64) \
    EMBERI_BINARIES_RR(EMBERI_NAME_RR, I32) EMBERI_BINARIES_RI(EMBERI_NAME_RI, I32) \
    EMBERI_BINARIES_RR(EMBERI_NAME_RR, I64) EMBERI_BINARIES_RI(EMBERI_NAME_RI, I64) \
    EMBERI_DIVISIONS(EMBERI_NAME_TWO, I32) EMBERI_DIVISIONS(EMBERI_NAME_TWO, I64) \
    EMBERI_FLOAT_BINARIES(EMBERI_NAME_OF, F32) EMBERI_FLOAT_BINARIES(EMBERI_NAME_OF, F64) \
    EMBERI_FLOAT_UNARIES(EMBERI_NAME_OF, F32) EMBERI_FLOAT_UNARIES(EMBERI_NAME_OF, F64) \
    EMBERI_FLOAT_PRODUCTS(EMBERI_NAME_OF, F32) EMBERI_FLOAT_PRODUCTS(EMBERI_NAME_OF, F64) \
    EMBERI_UNARIES(EMBERI_NAME) EMBERI_TRUNCATIONS(EMBERI_NAME_BOTH) \
    EMBERI_LOADS(EMBERI_NAME_FORMS) EMBERI_STORES(EMBERI_NAME_FORMS) EMBERI_OTHERS(EMBERI_NAME_ONE)

#define EMBERI_OP(name) EMBERI_OP_##name,
enum { EMBERI_ALL_OPS EMBERI_OP_COUNT };
#undef EMBERI_OP
enum { EMBERI_BRANCH_OF = EMBERI_OP_BR_I32_EQ_RR - EMBERI_OP_I32_EQ_RR,
       EMBERI_STEP_OF = EMBERI_OP_STEP_I32_EQ_RR - EMBERI_OP_BR_I32_EQ_RR };

/* clang-format on */
#endif
