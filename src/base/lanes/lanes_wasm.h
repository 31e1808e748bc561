/* SPDX-License-Identifier: MIT */
/* Four floats in a WebAssembly simd128 value. */
#ifndef EMBER_BASE_LANES_WASM_H
#define EMBER_BASE_LANES_WASM_H

#include <wasm_simd128.h>

typedef v128_t quad;
typedef v128_t quad_bits;

EMBERI_INLINE quad quad_load(const float *p) { return wasm_v128_load(p); }
EMBERI_INLINE void quad_store(float *p, quad a) { wasm_v128_store(p, a); }
EMBERI_INLINE quad quad_set(float value) { return wasm_f32x4_splat(value); }
EMBERI_INLINE quad quad_add(quad a, quad b) { return wasm_f32x4_add(a, b); }
EMBERI_INLINE quad quad_sub(quad a, quad b) { return wasm_f32x4_sub(a, b); }
EMBERI_INLINE quad quad_mul(quad a, quad b) { return wasm_f32x4_mul(a, b); }
EMBERI_INLINE quad quad_div(quad a, quad b) { return wasm_f32x4_div(a, b); }
EMBERI_INLINE quad quad_sqrt(quad a) { return wasm_f32x4_sqrt(a); }
EMBERI_INLINE quad quad_max(quad a, quad b) { return wasm_f32x4_pmax(b, a); } /* a > b ? a : b */
EMBERI_INLINE quad quad_flip(quad a, quad b)
{
    return wasm_v128_xor(a, wasm_v128_and(b, wasm_f32x4_splat(-0.0f)));
}
EMBERI_INLINE quad quad_abs(quad a) { return wasm_f32x4_abs(a); }

/* Masks are all ones or all zeros in each lane. */
EMBERI_INLINE quad_bits quad_positive(quad a) { return wasm_f32x4_gt(a, wasm_f32x4_splat(0.0f)); }
EMBERI_INLINE quad_bits quad_is_zero(quad a) { return wasm_f32x4_eq(a, wasm_f32x4_splat(0.0f)); }
EMBERI_INLINE quad_bits quad_top_mask(quad_bits a) { return wasm_i32x4_shr(a, 31); }
EMBERI_INLINE quad      quad_keep(quad a, quad_bits mask) { return wasm_v128_and(a, mask); }
EMBERI_INLINE quad quad_choose(quad a, quad b, quad_bits mask) { return wasm_v128_bitselect(b, a, mask); }

#define quad_bits_left(a, n) wasm_i32x4_shl((a), (n))
#define quad_bits_right(a, n) wasm_u32x4_shr((a), (n))
EMBERI_INLINE quad_bits quad_bits_and(quad_bits a, uint32_t mask)
{
    return wasm_v128_and(a, wasm_i32x4_splat((int32_t)mask));
}
EMBERI_INLINE quad quad_bits_number(quad_bits a) { return wasm_f32x4_convert_i32x4(a); }

EMBERI_INLINE quad_bits quad_bits_heads(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                        const uint8_t *d)
{
    quad_bits ab = wasm_i32x4_shuffle(wasm_v128_load(a), wasm_v128_load(b), 0, 4, 0, 4);
    quad_bits cd = wasm_i32x4_shuffle(wasm_v128_load(c), wasm_v128_load(d), 0, 4, 0, 4);
    return wasm_i64x2_shuffle(ab, cd, 0, 2);
}

/* Lower and upper 16 bits of four words. */
#define QUAD_JOIN_LOW(lower, upper) wasm_i16x8_shuffle((lower), (upper), 0, 8, 1, 9, 2, 10, 3, 11)
#define QUAD_JOIN_HIGH(lower, upper) wasm_i16x8_shuffle((lower), (upper), 4, 12, 5, 13, 6, 14, 7, 15)

/* The halves 2..5 and 4..7 of a keyframe record as floats, by six_half's arithmetic (lanes_scalar.h), done
   on the upper and lower 16 bits of the floats as far as it goes. A NaN comes from integer operations alone,
   as WebAssembly leaves open which one arithmetic makes. The first two halves belong to the rotation and
   come to nothing. */
EMBERI_INLINE void quad_record_halves(quad *low, quad *high, const uint8_t *record)
{
    const v128_t zero = wasm_i16x8_splat(0);
    v128_t       half = wasm_v128_load(record);
    v128_t       digits = wasm_v128_and(half, wasm_i16x8_splat(0x7fff));
    v128_t       small = wasm_i16x8_lt(digits, wasm_i16x8_splat(0x0400));
    v128_t special = wasm_v128_and(wasm_i16x8_gt(digits, wasm_i16x8_splat(0x7bff)), wasm_i16x8_splat(0x7f80));
    v128_t quiet = wasm_v128_and(wasm_i16x8_gt(digits, wasm_i16x8_splat(0x7c00)), wasm_i16x8_splat(0x0040));
    /* with the sign */
    v128_t marks = wasm_v128_or(wasm_v128_xor(half, digits), wasm_v128_or(special, quiet));
    v128_t offset = wasm_v128_and(small, wasm_i16x8_splat(113 << 7));
    v128_t lower = wasm_i16x8_shl(digits, 13);
    v128_t upper = wasm_i16x8_add(wasm_u16x8_shr(digits, 3), wasm_i16x8_splat(112 << 7));
    upper = wasm_i16x8_add(upper, wasm_v128_and(small, wasm_i16x8_splat(1 << 7)));
    v128_t first = wasm_f32x4_sub(QUAD_JOIN_LOW(lower, upper), QUAD_JOIN_LOW(zero, offset));
    v128_t second = wasm_f32x4_sub(QUAD_JOIN_HIGH(lower, upper), QUAD_JOIN_HIGH(zero, offset));
    first = wasm_v128_or(first, QUAD_JOIN_LOW(zero, marks));
    second = wasm_v128_or(second, QUAD_JOIN_HIGH(zero, marks));
    *low = wasm_i64x2_shuffle(first, second, 1, 2);
    *high = second;
}

EMBERI_INLINE void quad_transpose(quad q[4])
{
    quad ab_low = wasm_i32x4_shuffle(q[0], q[1], 0, 4, 1, 5),
         ab_high = wasm_i32x4_shuffle(q[0], q[1], 2, 6, 3, 7);
    quad cd_low = wasm_i32x4_shuffle(q[2], q[3], 0, 4, 1, 5),
         cd_high = wasm_i32x4_shuffle(q[2], q[3], 2, 6, 3, 7);
    q[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
    q[1] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
    q[2] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
    q[3] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
}

/* Element i in all four places. */
#define quad_splat(a, i) wasm_i32x4_shuffle((a), (a), (i), (i), (i), (i))

/* [-0 -0 -0 a3] */
EMBERI_INLINE quad quad_last(quad a) { return wasm_i32x4_shuffle(wasm_f32x4_splat(-0.0f), a, 0, 1, 2, 7); }

/* [0 0 0 1], the row that a 3x4 matrix leaves out. */
EMBERI_INLINE quad quad_unit_w(void) { return wasm_f32x4_make(0.0f, 0.0f, 0.0f, 1.0f); }

/* [a0 a1 a2 b3] and [a0 b1 b2 b3] */
EMBERI_INLINE quad quad_join3(quad a, quad b) { return wasm_i32x4_shuffle(a, b, 0, 1, 2, 7); }
EMBERI_INLINE quad quad_join1(quad a, quad b) { return wasm_i32x4_shuffle(a, b, 0, 5, 6, 7); }

/* Three floats, and not a byte more. */
EMBERI_INLINE quad quad_load3(const float *p)
{
    return wasm_f32x4_replace_lane(wasm_v128_load64_zero(p), 2, p[2]);
}

EMBERI_INLINE void quad_store3(float *p, quad a)
{
    wasm_v128_store64_lane(p, a, 0);
    wasm_v128_store32_lane(p + 2, a, 2);
}

#endif
