/* SPDX-License-Identifier: MIT */
/* Four floats in an SSE2 register: the words that lanes_four.h is made of. AVX2 takes the narrow ones from
   here, too. */
#ifndef EMBER_BASE_LANES_SSE2_H
#define EMBER_BASE_LANES_SSE2_H

#include <emmintrin.h>

typedef __m128  quad;
typedef __m128i quad_bits;

EMBERI_INLINE quad quad_load(const float *p) { return _mm_loadu_ps(p); }
EMBERI_INLINE void quad_store(float *p, quad a) { _mm_storeu_ps(p, a); }
EMBERI_INLINE quad quad_set(float value) { return _mm_set1_ps(value); }
EMBERI_INLINE quad quad_add(quad a, quad b) { return _mm_add_ps(a, b); }
EMBERI_INLINE quad quad_sub(quad a, quad b) { return _mm_sub_ps(a, b); }
EMBERI_INLINE quad quad_mul(quad a, quad b) { return _mm_mul_ps(a, b); }
EMBERI_INLINE quad quad_div(quad a, quad b) { return _mm_div_ps(a, b); }
EMBERI_INLINE quad quad_sqrt(quad a) { return _mm_sqrt_ps(a); }
EMBERI_INLINE quad quad_max(quad a, quad b) { return _mm_max_ps(a, b); } /* a > b ? a : b */
EMBERI_INLINE quad quad_flip(quad a, quad b) { return _mm_xor_ps(a, _mm_and_ps(b, _mm_set1_ps(-0.0f))); }
EMBERI_INLINE quad quad_abs(quad a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }

/* Masks are all ones or all zeros in each lane. */
EMBERI_INLINE quad_bits quad_positive(quad a) { return _mm_castps_si128(_mm_cmpgt_ps(a, _mm_setzero_ps())); }
EMBERI_INLINE quad_bits quad_is_zero(quad a) { return _mm_castps_si128(_mm_cmpeq_ps(a, _mm_setzero_ps())); }
EMBERI_INLINE quad_bits quad_top_mask(quad_bits a) { return _mm_srai_epi32(a, 31); }
EMBERI_INLINE quad      quad_keep(quad a, quad_bits mask) { return _mm_and_ps(a, _mm_castsi128_ps(mask)); }
EMBERI_INLINE quad      quad_choose(quad a, quad b, quad_bits mask)
{
    return _mm_or_ps(quad_keep(b, mask), _mm_andnot_ps(_mm_castsi128_ps(mask), a));
}

#define quad_bits_left(a, n) _mm_slli_epi32((a), (n))
#define quad_bits_right(a, n) _mm_srli_epi32((a), (n))
EMBERI_INLINE quad_bits quad_bits_and(quad_bits a, uint32_t mask)
{
    return _mm_and_si128(a, _mm_set1_epi32((int)mask));
}
EMBERI_INLINE quad quad_bits_number(quad_bits a) { return _mm_cvtepi32_ps(a); }

EMBERI_INLINE quad_bits quad_bits_heads(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                        const uint8_t *d)
{
    __m128i ab = _mm_unpacklo_epi32(_mm_loadu_si128((const __m128i *)(const void *)a),
                                    _mm_loadu_si128((const __m128i *)(const void *)b));
    __m128i cd = _mm_unpacklo_epi32(_mm_loadu_si128((const __m128i *)(const void *)c),
                                    _mm_loadu_si128((const __m128i *)(const void *)d));
    return _mm_unpacklo_epi64(ab, cd);
}

/* The halves 2..5 and 4..7 of a keyframe record as floats, by six_half's arithmetic (lanes_scalar.h), done on
   the upper and lower 16 bits of the floats as far as it goes. The first two halves belong to the rotation
   and come to nothing. */
EMBERI_INLINE void quad_record_halves(quad *low, quad *high, const uint8_t *record)
{
    const __m128i zero = _mm_setzero_si128();
    __m128i       half = _mm_loadu_si128((const __m128i *)(const void *)record);
    __m128i       digits = _mm_and_si128(half, _mm_set1_epi16(0x7fff));
    __m128i       small = _mm_cmpgt_epi16(_mm_set1_epi16(0x0400), digits);
    __m128i special = _mm_and_si128(_mm_cmpgt_epi16(digits, _mm_set1_epi16(0x7bff)), _mm_set1_epi16(0x7f80));
    __m128i quiet = _mm_and_si128(_mm_cmpgt_epi16(digits, _mm_set1_epi16(0x7c00)), _mm_set1_epi16(0x0040));
    /* with the sign */
    __m128i marks = _mm_or_si128(_mm_xor_si128(half, digits), _mm_or_si128(special, quiet));
    __m128i offset = _mm_and_si128(small, _mm_set1_epi16(113 << 7));
    __m128i lower = _mm_slli_epi16(digits, 13);
    __m128i upper = _mm_add_epi16(_mm_srli_epi16(digits, 3), _mm_set1_epi16(112 << 7));
    upper = _mm_add_epi16(upper, _mm_and_si128(small, _mm_set1_epi16(1 << 7)));
    __m128 first = _mm_sub_ps(_mm_castsi128_ps(_mm_unpacklo_epi16(lower, upper)),
                              _mm_castsi128_ps(_mm_unpacklo_epi16(zero, offset)));
    __m128 second = _mm_sub_ps(_mm_castsi128_ps(_mm_unpackhi_epi16(lower, upper)),
                               _mm_castsi128_ps(_mm_unpackhi_epi16(zero, offset)));
    first = _mm_or_ps(first, _mm_castsi128_ps(_mm_unpacklo_epi16(zero, marks)));
    second = _mm_or_ps(second, _mm_castsi128_ps(_mm_unpackhi_epi16(zero, marks)));
    *low = _mm_shuffle_ps(first, second, 0x4e);
    *high = second;
}

/* By shufps alone, which newer processors do on two ports; unpack instructions have one. */
EMBERI_INLINE void quad_transpose(quad q[4])
{
    quad ab_low = _mm_shuffle_ps(q[0], q[1], 0x44), ab_high = _mm_shuffle_ps(q[0], q[1], 0xee);
    quad cd_low = _mm_shuffle_ps(q[2], q[3], 0x44), cd_high = _mm_shuffle_ps(q[2], q[3], 0xee);
    q[0] = _mm_shuffle_ps(ab_low, cd_low, 0x88);
    q[1] = _mm_shuffle_ps(ab_low, cd_low, 0xdd);
    q[2] = _mm_shuffle_ps(ab_high, cd_high, 0x88);
    q[3] = _mm_shuffle_ps(ab_high, cd_high, 0xdd);
}

/* Element i in all four places. */
#define quad_splat(a, i) _mm_castsi128_ps(_mm_shuffle_epi32(_mm_castps_si128(a), (i)*0x55))

/* [-0 -0 -0 a3] */
EMBERI_INLINE quad quad_last(quad a)
{
    const quad last = _mm_castsi128_ps(_mm_setr_epi32(0, 0, 0, -1));
    return _mm_or_ps(_mm_and_ps(a, last), _mm_setr_ps(-0.0f, -0.0f, -0.0f, 0.0f));
}

/* [0 0 0 1], the row that a 3x4 matrix leaves out. */
EMBERI_INLINE quad quad_unit_w(void) { return _mm_setr_ps(0.0f, 0.0f, 0.0f, 1.0f); }

/* [a0 a1 a2 b3] and [a0 b1 b2 b3] */
EMBERI_INLINE quad quad_join3(quad a, quad b) { return quad_choose(a, b, _mm_setr_epi32(0, 0, 0, -1)); }
EMBERI_INLINE quad quad_join1(quad a, quad b) { return quad_choose(a, b, _mm_setr_epi32(0, -1, -1, -1)); }

/* Three floats, and not a byte more. */
EMBERI_INLINE quad quad_load3(const float *p)
{
    __m128 xy = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return _mm_movelh_ps(xy, _mm_load_ss(p + 2));
}

EMBERI_INLINE void quad_store3(float *p, quad a)
{
    _mm_storel_epi64((__m128i *)(void *)p, _mm_castps_si128(a));
    _mm_store_ss(p + 2, _mm_movehl_ps(a, a));
}

#endif
