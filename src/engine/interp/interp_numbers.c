/* SPDX-License-Identifier: MIT */
/* Numeric instructions: comparisons, arithmetic, conversions. A table says for each of WebAssembly's opcodes
   what it takes, what it gives and which instructions compute it. */
#include "engine/interp/interp_translate.h"

typedef enum numbers_shape {
    NUMBERS_UNARY,
    NUMBERS_BINARY,
    NUMBERS_EQZ,
    NUMBERS_RETYPE /* the same bits; what the upper half holds does not matter */
} numbers_shape;

#define NUMBERS_NONE UINT16_MAX

typedef struct numbers_row {
    uint8_t  shape, in, out;
    bool     swap;     /* rr takes the operands the other way round */
    uint16_t rr;       /* or the only one */
    uint16_t ri;       /* with a constant on the right */
    uint16_t mirrored; /* with it on the left */
} numbers_row;

enum { I32 = EMBERI_I32, I64 = EMBERI_I64, F32 = EMBERI_F32, F64 = EMBERI_F64 };

#define OP(name) EMBERI_OP_##name
#define UNARY(in, out, op)                                                \
    {                                                                     \
        NUMBERS_UNARY, in, out, false, OP(op), NUMBERS_NONE, NUMBERS_NONE \
    }
#define PLAIN(in, out, op)                                                 \
    {                                                                      \
        NUMBERS_BINARY, in, out, false, OP(op), NUMBERS_NONE, NUMBERS_NONE \
    }
#define SWAPPED(in, out, op)                                              \
    {                                                                     \
        NUMBERS_BINARY, in, out, true, OP(op), NUMBERS_NONE, NUMBERS_NONE \
    }
#define RETYPE(in, out)                                               \
    {                                                                 \
        NUMBERS_RETYPE, in, out, false, 0, NUMBERS_NONE, NUMBERS_NONE \
    }
#define COMPARE(T, name, mirrored)                                                                       \
    {                                                                                                    \
        NUMBERS_BINARY, T, I32, false, OP(T##_##name##_RR), OP(T##_##name##_RI), OP(T##_##mirrored##_RI) \
    }
/* There is no RR of these: a > b is b < a. */
#define COMPARE_SWAPPED(T, name, mirrored)                                                                  \
    {                                                                                                       \
        NUMBERS_BINARY, T, I32, true, OP(T##_##mirrored##_RR), OP(T##_##name##_RI), OP(T##_##mirrored##_RI) \
    }
#define COMMUTES(T, name)                                                                          \
    {                                                                                              \
        NUMBERS_BINARY, T, T, false, OP(T##_##name##_RR), OP(T##_##name##_RI), OP(T##_##name##_RI) \
    }
#define RIGHT(T, name)                                                                      \
    {                                                                                       \
        NUMBERS_BINARY, T, T, false, OP(T##_##name##_RR), OP(T##_##name##_RI), NUMBERS_NONE \
    }
#define DIVIDE(T, name) PLAIN(T, T, T##_##name)
#define INTEGER_COMPARES(T)                                                                                 \
    {NUMBERS_EQZ, T, I32, false, OP(T##_EQ_RI), NUMBERS_NONE, NUMBERS_NONE}, COMPARE(T, EQ, EQ),            \
        COMPARE(T, NE, NE), COMPARE(T, LT_S, GT_S), COMPARE(T, LT_U, GT_U), COMPARE_SWAPPED(T, GT_S, LT_S), \
        COMPARE_SWAPPED(T, GT_U, LT_U), COMPARE_SWAPPED(T, LE_S, GE_S), COMPARE_SWAPPED(T, LE_U, GE_U),     \
        COMPARE(T, GE_S, LE_S), COMPARE(T, GE_U, LE_U)
#define FLOAT_COMPARES(T)                                                                         \
    PLAIN(T, I32, T##_EQ), PLAIN(T, I32, T##_NE), PLAIN(T, I32, T##_LT), SWAPPED(T, I32, T##_LT), \
        PLAIN(T, I32, T##_LE), SWAPPED(T, I32, T##_LE)
#define INTEGERS(T)                                                                                      \
    UNARY(T, T, T##_CLZ), UNARY(T, T, T##_CTZ), UNARY(T, T, T##_POPCNT), COMMUTES(T, ADD),               \
        PLAIN(T, T, T##_SUB_RR), COMMUTES(T, MUL), DIVIDE(T, DIV_S), DIVIDE(T, DIV_U), DIVIDE(T, REM_S), \
        DIVIDE(T, REM_U), COMMUTES(T, AND), COMMUTES(T, OR), COMMUTES(T, XOR), RIGHT(T, SHL),            \
        RIGHT(T, SHR_S), RIGHT(T, SHR_U), RIGHT(T, ROTL), RIGHT(T, ROTR)
#define FLOATS(T)                                                                                      \
    UNARY(T, T, T##_ABS), UNARY(T, T, T##_NEG), UNARY(T, T, T##_CEIL), UNARY(T, T, T##_FLOOR),         \
        UNARY(T, T, T##_TRUNC), UNARY(T, T, T##_NEAREST), UNARY(T, T, T##_SQRT), PLAIN(T, T, T##_ADD), \
        PLAIN(T, T, T##_SUB), PLAIN(T, T, T##_MUL), PLAIN(T, T, T##_DIV), PLAIN(T, T, T##_MIN),        \
        PLAIN(T, T, T##_MAX), PLAIN(T, T, T##_COPYSIGN)

static const numbers_row numbers_rows[] = {
    INTEGER_COMPARES(I32), /* 0x45 */
    INTEGER_COMPARES(I64),
    FLOAT_COMPARES(F32),
    FLOAT_COMPARES(F64),
    INTEGERS(I32), /* 0x67 */
    INTEGERS(I64),
    FLOATS(F32), /* 0x8b */
    FLOATS(F64),
    RETYPE(I64, I32), /* 0xa7: wrap */
    UNARY(F32, I32, I32_TRUNC_F32_S),
    UNARY(F32, I32, I32_TRUNC_F32_U),
    UNARY(F64, I32, I32_TRUNC_F64_S),
    UNARY(F64, I32, I32_TRUNC_F64_U),
    UNARY(I32, I64, I64_EXTEND32_S),
    UNARY(I32, I64, I64_EXTEND32_U),
    UNARY(F32, I64, I64_TRUNC_F32_S),
    UNARY(F32, I64, I64_TRUNC_F32_U),
    UNARY(F64, I64, I64_TRUNC_F64_S),
    UNARY(F64, I64, I64_TRUNC_F64_U),
    UNARY(I32, F32, F32_CONVERT_I32_S),
    UNARY(I32, F32, F32_CONVERT_I32_U),
    UNARY(I64, F32, F32_CONVERT_I64_S),
    UNARY(I64, F32, F32_CONVERT_I64_U),
    UNARY(F64, F32, F32_DEMOTE),
    UNARY(I32, F64, F64_CONVERT_I32_S),
    UNARY(I32, F64, F64_CONVERT_I32_U),
    UNARY(I64, F64, F64_CONVERT_I64_S),
    UNARY(I64, F64, F64_CONVERT_I64_U),
    UNARY(F32, F64, F64_PROMOTE),
    RETYPE(F32, I32), /* 0xbc: reinterpret */
    RETYPE(F64, I64),
    RETYPE(I32, F32),
    RETYPE(I64, F64),
    UNARY(I32, I32, I32_EXTEND8_S),
    UNARY(I32, I32, I32_EXTEND16_S),
    UNARY(I64, I64, I64_EXTEND8_S),
    UNARY(I64, I64, I64_EXTEND16_S),
    UNARY(I64, I64, I64_EXTEND32_S), /* 0xc4 */
};
_Static_assert(sizeof(numbers_rows) / sizeof(numbers_rows[0]) == 0xc4 - 0x45 + 1, "one for each opcode");

/* ---- one operand ---- */

static void numbers_unary(emberi_translator *t, const numbers_row *row)
{
    emberi_entry x = emberi_pop(t, row->in);
    uint32_t     reg = emberi_register(t, &x, t->height);
    uint32_t     to = emberi_push(t, row->out);
    emberi_emit(t, row->rr, to, reg, 0);
}

/* The opposite of a comparison, if there is one just before. */
static void numbers_eqz(emberi_translator *t, const numbers_row *row)
{
    emberi_entry x = emberi_pop(t, row->in);
    if (row->in == I32 && emberi_is_last(t, &x, t->height)) {
        emberi_word *last = emberi_emitted(t, t->last);
        if (last->i.op < EMBERI_BRANCH_OF) {
            last->i.op ^= 1u;
            (void)emberi_push(t, I32);
            return;
        }
    }
    uint32_t reg = emberi_register(t, &x, t->height);
    uint32_t to = emberi_push(t, I32);
    emberi_emit(t, row->rr, to, reg, 0);
}

static void numbers_retype(emberi_translator *t, const numbers_row *row)
{
    emberi_entry x = emberi_pop(t, row->in);
    if (x.add != 0) {
        uint32_t own = emberi_own(t, t->height);
        emberi_emit_value(t, own, &x);
        x = (emberi_entry){.reg = (uint16_t)own};
    }
    x.type = row->out;
    if (!emberi_is_wide(row->out))
        x.constant &= UINT32_MAX;
    emberi_push_entry(t, x);
}

/* ---- two operands ---- */

typedef struct numbers_pair {
    emberi_entry x, y;
    uint32_t     at; /* where x was; y was above */
} numbers_pair;

/* x + constant of i32 stays an entry, if x lies where such an entry may. */
static bool numbers_add_later(emberi_translator *t, const numbers_pair *p, bool minus)
{
    int64_t add = p->x.add;
    if (t->dead || !p->y.is_constant || p->x.is_constant || p->y.type != I32)
        return false;
    add += minus ? -(int64_t)(int32_t)(uint32_t)p->y.constant : (int64_t)(int32_t)(uint32_t)p->y.constant;
    if (add < INT16_MIN || add > INT16_MAX ||
        (p->x.reg >= t->local_count && p->x.reg != emberi_own(t, p->at)))
        return false;
    emberi_entry sum = p->x;
    sum.add = (int16_t)add;
    emberi_push_entry(t, sum);
    return true;
}

/* (a * b) + z and its like, when the product is the last thing computed and z needs no code. */
static bool numbers_product(emberi_translator *t, const numbers_row *row, const numbers_pair *p)
{
    bool     minus = row->rr == OP(F32_SUB) || row->rr == OP(F64_SUB);
    bool     plus = row->rr == OP(F32_ADD) || row->rr == OP(F64_ADD) || row->rr == OP(I32_ADD_RR);
    bool     left = emberi_is_last(t, &p->x, p->at), right = emberi_is_last(t, &p->y, p->at + 1);
    uint16_t op;
    if ((!minus && !plus) || (!left && !right))
        return false;
    emberi_word product = *emberi_emitted(t, t->last);
    uint32_t    z = emberi_ready(t, left ? &p->y : &p->x);
    if (z == EMBERI_NOWHERE)
        return false;
    if (row->in == I32 && product.i.op == OP(I32_SHL_RI) && product.i.c >= 1 && product.i.c <= 3) {
        emberi_unemit(t);
        emberi_emit(t, (uint16_t)(OP(SHIFT_ADD_1) + product.i.c - 1), emberi_push(t, I32), z, product.i.b);
        return true;
    }
    if (row->in == I32)
        op = product.i.op == OP(I32_MUL_RR) ? OP(I32_MUL_ADD) : NUMBERS_NONE;
    else if (product.i.op != (row->in == F32 ? OP(F32_MUL) : OP(F64_MUL)))
        op = NUMBERS_NONE;
    else
        op = (uint16_t)((row->in == F32 ? OP(F32_MUL_ADD) : OP(F64_MUL_ADD)) + (plus ? 0 : left ? 1 : 2));
    if (op == NUMBERS_NONE)
        return false;
    emberi_unemit(t);
    uint32_t to = emberi_push(t, row->in);
    (void)emberi_emit_long(t, op, to, product.i.b, product.i.c, (int32_t)z, 0);
    return true;
}

static void numbers_binary(emberi_translator *t, const numbers_row *row)
{
    numbers_pair p;
    p.y = emberi_pop(t, row->in);
    p.x = emberi_pop(t, row->in);
    p.at = t->height;
    if (row->rr == OP(I32_ADD_RR) && p.x.is_constant && !p.y.is_constant) {
        emberi_entry swap = p.x;
        /* In its slot it would lie one too high: then it is computed. */
        if (p.y.reg < t->local_count) {
            p.x = p.y;
            p.y = swap;
        }
    }
    if ((row->rr == OP(I32_ADD_RR) && numbers_add_later(t, &p, false)) ||
        (row->rr == OP(I32_SUB_RR) && numbers_add_later(t, &p, true)) || numbers_product(t, row, &p))
        return;
    uint16_t op = row->rr;
    uint32_t b, c;
    if (p.y.is_constant && row->ri != NUMBERS_NONE && emberi_fits_16(p.y.constant, row->in)) {
        op = row->ri;
        b = emberi_register(t, &p.x, p.at);
        c = (uint16_t)p.y.constant;
    } else if (p.x.is_constant && row->mirrored != NUMBERS_NONE && emberi_fits_16(p.x.constant, row->in)) {
        op = row->mirrored;
        b = emberi_register(t, &p.y, p.at + 1);
        c = (uint16_t)p.x.constant;
    } else {
        b = emberi_register(t, &p.x, p.at);
        c = emberi_register(t, &p.y, p.at + 1);
        if (row->swap) {
            uint32_t swap = b;
            b = c;
            c = swap;
        }
    }
    uint32_t to = emberi_push(t, row->out);
    emberi_emit(t, op, to, b, c);
}

void emberi_translate_number(emberi_translator *t, uint8_t opcode)
{
    const numbers_row *row = &numbers_rows[opcode - 0x45];
    switch ((numbers_shape)row->shape) {
    case NUMBERS_UNARY:
        numbers_unary(t, row);
        break;
    case NUMBERS_BINARY:
        numbers_binary(t, row);
        break;
    case NUMBERS_EQZ:
        numbers_eqz(t, row);
        break;
    case NUMBERS_RETYPE:
        numbers_retype(t, row);
        break;
    }
}

void emberi_translate_saturating(emberi_translator *t, uint32_t opcode)
{
    const numbers_row row = {.in = opcode % 4 < 2 ? F32 : F64,
                             .out = opcode < 4 ? I32 : I64,
                             .rr = (uint16_t)(OP(I32_TRUNC_F32_S_SAT) + 2 * opcode)};
    numbers_unary(t, &row);
}
