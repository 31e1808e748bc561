/* SPDX-License-Identifier: MIT */
/* Four floats in a NEON register of AArch64, whose halves convert in hardware. */
#ifndef EMBER_BASE_LANES_NEON_H
#define EMBER_BASE_LANES_NEON_H

#include <arm_neon.h>

typedef float32x4_t quad;
typedef uint32x4_t  quad_bits;

EMBERI_INLINE quad quad_load(const float *p) { return vld1q_f32(p); }
EMBERI_INLINE void quad_store(float *p, quad a) { vst1q_f32(p, a); }
EMBERI_INLINE quad quad_set(float value) { return vdupq_n_f32(value); }
EMBERI_INLINE quad quad_add(quad a, quad b) { return vaddq_f32(a, b); }
EMBERI_INLINE quad quad_sub(quad a, quad b) { return vsubq_f32(a, b); }
EMBERI_INLINE quad quad_mul(quad a, quad b) { return vmulq_f32(a, b); }
EMBERI_INLINE quad quad_div(quad a, quad b) { return vdivq_f32(a, b); }
EMBERI_INLINE quad quad_sqrt(quad a) { return vsqrtq_f32(a); }
/* a > b ? a : b; the instruction of that name treats NaN otherwise. */
EMBERI_INLINE quad quad_max(quad a, quad b) { return vbslq_f32(vcgtq_f32(a, b), a, b); }
EMBERI_INLINE quad quad_flip(quad a, quad b)
{
    quad_bits sign = vandq_u32(vreinterpretq_u32_f32(b), vdupq_n_u32(0x80000000u));
    return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(a), sign));
}
EMBERI_INLINE quad quad_abs(quad a) { return vabsq_f32(a); }

/* Masks are all ones or all zeros in each lane. */
EMBERI_INLINE quad_bits quad_positive(quad a) { return vcgtzq_f32(a); }
EMBERI_INLINE quad_bits quad_is_zero(quad a) { return vceqzq_f32(a); }
EMBERI_INLINE quad_bits quad_top_mask(quad_bits a)
{
    return vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(a), 31));
}
EMBERI_INLINE quad quad_keep(quad a, quad_bits mask)
{
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), mask));
}
EMBERI_INLINE quad quad_choose(quad a, quad b, quad_bits mask) { return vbslq_f32(mask, b, a); }

#define quad_bits_left(a, n) vshlq_n_u32((a), (n))
#define quad_bits_right(a, n) vshrq_n_u32((a), (n))
EMBERI_INLINE quad_bits quad_bits_and(quad_bits a, uint32_t mask) { return vandq_u32(a, vdupq_n_u32(mask)); }
EMBERI_INLINE quad      quad_bits_number(quad_bits a) { return vcvtq_f32_s32(vreinterpretq_s32_u32(a)); }

EMBERI_INLINE quad_bits quad_bits_heads(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                        const uint8_t *d)
{
    quad_bits out = vdupq_n_u32(emberi_get_u32(a));
    out = vsetq_lane_u32(emberi_get_u32(b), out, 1);
    out = vsetq_lane_u32(emberi_get_u32(c), out, 2);
    return vsetq_lane_u32(emberi_get_u32(d), out, 3);
}

/* The halves 2..5 and 4..7 of a keyframe record. */
EMBERI_INLINE void quad_record_halves(quad *low, quad *high, const uint8_t *record)
{
    *low = vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(record + 4)));
    *high = vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(record + 8)));
}

EMBERI_INLINE float64x2_t quad_pairs(quad a) { return vreinterpretq_f64_f32(a); }

EMBERI_INLINE void quad_transpose(quad q[4])
{
    float64x2_t ab_even = quad_pairs(vtrn1q_f32(q[0], q[1])), ab_odd = quad_pairs(vtrn2q_f32(q[0], q[1]));
    float64x2_t cd_even = quad_pairs(vtrn1q_f32(q[2], q[3])), cd_odd = quad_pairs(vtrn2q_f32(q[2], q[3]));
    q[0] = vreinterpretq_f32_f64(vtrn1q_f64(ab_even, cd_even));
    q[1] = vreinterpretq_f32_f64(vtrn1q_f64(ab_odd, cd_odd));
    q[2] = vreinterpretq_f32_f64(vtrn2q_f64(ab_even, cd_even));
    q[3] = vreinterpretq_f32_f64(vtrn2q_f64(ab_odd, cd_odd));
}

/* Element i in all four places. */
#define quad_splat(a, i) vdupq_laneq_f32((a), (i))

/* [-0 -0 -0 a3] */
EMBERI_INLINE quad quad_last(quad a) { return vcopyq_laneq_f32(vdupq_n_f32(-0.0f), 3, a, 3); }

/* [0 0 0 1], the row that a 3x4 matrix leaves out. */
EMBERI_INLINE quad quad_unit_w(void) { return vsetq_lane_f32(1.0f, vdupq_n_f32(0.0f), 3); }

/* [a0 a1 a2 b3] and [a0 b1 b2 b3] */
EMBERI_INLINE quad quad_join3(quad a, quad b) { return vcopyq_laneq_f32(a, 3, b, 3); }
EMBERI_INLINE quad quad_join1(quad a, quad b) { return vcopyq_laneq_f32(b, 0, a, 0); }

/* Three floats, and not a byte more. */
EMBERI_INLINE quad quad_load3(const float *p)
{
    return vcombine_f32(vld1_f32(p), vset_lane_f32(p[2], vdup_n_f32(0.0f), 0));
}

EMBERI_INLINE void quad_store3(float *p, quad a)
{
    vst1_f32(p, vget_low_f32(a));
    vst1q_lane_f32(p + 2, a, 2);
}

#endif
