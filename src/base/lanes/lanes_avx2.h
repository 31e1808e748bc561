/* SPDX-License-Identifier: MIT */
/* Eight lanes in AVX2 registers, halves by F16C. Bone k shares a register with bone k + 4, so that every
   shuffle stays within its half of 128 bits. What each word means is said in lanes_scalar.h. */
#ifndef EMBER_BASE_LANES_AVX2_H
#define EMBER_BASE_LANES_AVX2_H

#include <immintrin.h>

#define LANES_WIDTH 8u

/* ---- lanes ---- */

typedef __m256  lanes;
typedef __m256i lanes_bits;

EMBERI_INLINE lanes lanes_set(float value) { return _mm256_set1_ps(value); }
EMBERI_INLINE void  lanes_store(float *p, lanes a) { _mm256_storeu_ps(p, a); }
EMBERI_INLINE lanes lanes_add(lanes a, lanes b) { return _mm256_add_ps(a, b); }
EMBERI_INLINE lanes lanes_sub(lanes a, lanes b) { return _mm256_sub_ps(a, b); }
EMBERI_INLINE lanes lanes_mul(lanes a, lanes b) { return _mm256_mul_ps(a, b); }
EMBERI_INLINE lanes lanes_div(lanes a, lanes b) { return _mm256_div_ps(a, b); }
EMBERI_INLINE lanes lanes_sqrt(lanes a) { return _mm256_sqrt_ps(a); }
EMBERI_INLINE lanes lanes_max(lanes a, lanes b) { return _mm256_max_ps(a, b); } /* a > b ? a : b */
EMBERI_INLINE lanes lanes_flip(lanes a, lanes b)
{
    return _mm256_xor_ps(a, _mm256_and_ps(b, _mm256_set1_ps(-0.0f)));
}
EMBERI_INLINE lanes lanes_abs(lanes a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }

EMBERI_INLINE __m256 lanes_above_zero(lanes a) { return _mm256_cmp_ps(a, _mm256_setzero_ps(), _CMP_GT_OQ); }
EMBERI_INLINE lanes  lanes_where_positive(lanes a, lanes factor)
{
    return _mm256_and_ps(a, lanes_above_zero(factor));
}

EMBERI_INLINE lanes_bits lanes_positive(lanes a) { return _mm256_castps_si256(lanes_above_zero(a)); }
EMBERI_INLINE lanes      lanes_select(lanes a, lanes b, lanes_bits choice)
{
    return _mm256_blendv_ps(a, b, _mm256_castsi256_ps(choice));
}

#define lanes_bits_left(a, n) _mm256_slli_epi32((a), (n))
#define lanes_bits_right(a, n) _mm256_srli_epi32((a), (n))
EMBERI_INLINE lanes_bits lanes_bits_and(lanes_bits a, uint32_t mask)
{
    return _mm256_and_si256(a, _mm256_set1_epi32((int)mask));
}
EMBERI_INLINE lanes lanes_bits_number(lanes_bits a) { return _mm256_cvtepi32_ps(a); }

EMBERI_INLINE __m256 lanes_pair(const float *low, const float *high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1);
}

EMBERI_INLINE __m256i lanes_bits_pair(const uint8_t *low, const uint8_t *high)
{
    __m128i first = _mm_loadu_si128((const __m128i *)(const void *)low);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first),
                                   _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

EMBERI_INLINE lanes_bits lanes_bits_heads(const uint8_t *records, size_t count)
{
    __m256i pair[4];
    LANES_UNROLL
    for (size_t k = 0; k < 4; k++)
        pair[k] =
            lanes_bits_pair(records + 16 * LANES_CLAMP(k, count), records + 16 * LANES_CLAMP(k + 4, count));
    return _mm256_unpacklo_epi64(_mm256_unpacklo_epi32(pair[0], pair[1]),
                                 _mm256_unpacklo_epi32(pair[2], pair[3]));
}

/* Through a register, as a load would have to wait for floats that were stored one by one. */
EMBERI_INLINE lanes lanes_load_some(const float *p, size_t count)
{
    if (count == LANES_WIDTH)
        return _mm256_loadu_ps(p);
    const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), end = _mm256_set1_epi32((int)count);
    __m256        some = _mm256_maskload_ps(p, _mm256_cmpgt_epi32(end, places));
    __m256i       last = _mm256_add_epi32(end, _mm256_set1_epi32(-1));
    return _mm256_permutevar8x32_ps(some, _mm256_min_epi32(places, last));
}

/* By shufps alone, which newer processors do on two ports; unpack and permute instructions have one. */
EMBERI_INLINE void lanes_transpose(__m256 q[4])
{
    __m256 ab_low = _mm256_shuffle_ps(q[0], q[1], 0x44), ab_high = _mm256_shuffle_ps(q[0], q[1], 0xee);
    __m256 cd_low = _mm256_shuffle_ps(q[2], q[3], 0x44), cd_high = _mm256_shuffle_ps(q[2], q[3], 0xee);
    q[0] = _mm256_shuffle_ps(ab_low, cd_low, 0x88);
    q[1] = _mm256_shuffle_ps(ab_low, cd_low, 0xdd);
    q[2] = _mm256_shuffle_ps(ab_high, cd_high, 0x88);
    q[3] = _mm256_shuffle_ps(ab_high, cd_high, 0xdd);
}

/* Element i of each half in all places of that half. The integer instruction, for the same reason. */
#define LANES_SPLAT(a, i) _mm256_castsi256_ps(_mm256_shuffle_epi32(_mm256_castps_si256(a), (i)*0x55))

EMBERI_INLINE void lanes_load4(lanes out[4], const float *p, size_t stride, size_t count)
{
    LANES_UNROLL
    for (size_t k = 0; k < 4; k++)
        out[k] = lanes_pair(p + LANES_CLAMP(k, count) * stride, p + LANES_CLAMP(k + 4, count) * stride);
    lanes_transpose(out);
}

EMBERI_INLINE void lanes_store4(float *p, size_t stride, size_t count, const lanes in[4])
{
    lanes bones[4] = {in[0], in[1], in[2], in[3]};
    lanes_transpose(bones);
    LANES_UNROLL
    for (size_t k = 0; k < 4; k++) {
        if (k < count)
            _mm_storeu_ps(p + k * stride, _mm256_castps256_ps128(bones[k]));
        if (k + 4 < count)
            _mm_storeu_ps(p + (k + 4) * stride, _mm256_extractf128_ps(bones[k], 1));
    }
}

/* ---- six: the floats 2..9 of a transform ---- */

/* The first two belong to the rotation, which is stored afterwards. */

typedef __m256 six;

EMBERI_INLINE six  six_load(const float *bone) { return _mm256_loadu_ps(bone + 2); }
EMBERI_INLINE void six_store(float *bone, six a) { _mm256_storeu_ps(bone + 2, a); }
EMBERI_INLINE six  six_decode(const uint8_t *record)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)record));
}
EMBERI_INLINE six six_set(float value) { return _mm256_set1_ps(value); }
EMBERI_INLINE six six_add(six a, six b) { return _mm256_add_ps(a, b); }
EMBERI_INLINE six six_sub(six a, six b) { return _mm256_sub_ps(a, b); }
EMBERI_INLINE six six_mul(six a, six b) { return _mm256_mul_ps(a, b); }
EMBERI_INLINE six six_quotient(six a, six b)
{
    __m256 is_zero = _mm256_cmp_ps(b, _mm256_setzero_ps(), _CMP_EQ_OQ);
    return _mm256_blendv_ps(_mm256_div_ps(a, b), _mm256_set1_ps(1.0f), is_zero);
}
EMBERI_INLINE six six_where_positive(six a, six factor) { return lanes_where_positive(a, factor); }
EMBERI_INLINE six six_join(six position, six scale) { return _mm256_blend_ps(position, scale, 0xe0); }

/* ---- rows: two in one register, the third in a narrow one ---- */

typedef struct rows {
    __m256 row01;
    __m128 row2;
} rows;

/* Loaded in the same widths as stored, as a load that spans two stores in flight has to wait for both. */
EMBERI_INLINE rows rows_load(const float *p) { return (rows){_mm256_loadu_ps(p), _mm_loadu_ps(p + 8)}; }

EMBERI_INLINE void rows_store(float *p, rows a)
{
    _mm256_storeu_ps(p, a.row01);
    _mm_storeu_ps(p + 8, a.row2);
}

/* The third row's elements come in all places already. */
EMBERI_INLINE rows rows_mul_splat(rows a, __m128 x2, __m128 y2, __m128 z2, const float *b)
{
    __m256 b0 = _mm256_broadcast_ps((const __m128 *)(const void *)b);
    __m256 b1 = _mm256_broadcast_ps((const __m128 *)(const void *)(b + 4));
    __m256 b2 = _mm256_broadcast_ps((const __m128 *)(const void *)(b + 8));
    __m256 last01 = _mm256_blend_ps(_mm256_set1_ps(-0.0f), a.row01, 0x88);
    __m128 last2 = _mm_blend_ps(_mm_set1_ps(-0.0f), a.row2, 0x8);
    __m256 xy01 =
        _mm256_add_ps(_mm256_mul_ps(LANES_SPLAT(a.row01, 0), b0), _mm256_mul_ps(LANES_SPLAT(a.row01, 1), b1));
    __m256 zw01 = _mm256_add_ps(_mm256_mul_ps(LANES_SPLAT(a.row01, 2), b2), last01);
    __m128 xy2 =
        _mm_add_ps(_mm_mul_ps(x2, _mm256_castps256_ps128(b0)), _mm_mul_ps(y2, _mm256_castps256_ps128(b1)));
    __m128 zw2 = _mm_add_ps(_mm_mul_ps(z2, _mm256_castps256_ps128(b2)), last2);
    return (rows){_mm256_add_ps(xy01, zw01), _mm_add_ps(xy2, zw2)};
}

EMBERI_INLINE rows rows_mul(rows a, const float *b)
{
    return rows_mul_splat(a, quad_splat(a.row2, 0), quad_splat(a.row2, 1), quad_splat(a.row2, 2), b);
}

/* Loads have ports of their own, so splats from memory cost less than shuffles. */
EMBERI_INLINE rows rows_mul_at(const float *a, const float *b)
{
    return rows_mul_splat(rows_load(a), _mm_broadcast_ss(a + 8), _mm_broadcast_ss(a + 9),
                          _mm_broadcast_ss(a + 10), b);
}

EMBERI_INLINE void rows_store_columns(float *p, rows a)
{
    quad column[4] = {_mm256_castps256_ps128(a.row01), _mm256_extractf128_ps(a.row01, 1), a.row2,
                      quad_unit_w()};
    quad_transpose(column);
    LANES_UNROLL
    for (int c = 0; c < 4; c++)
        quad_store(p + 4 * c, column[c]);
}

/* Row r of two matrices, one after the other, in one register. */
EMBERI_INLINE __m256 rows_both(const float *p, int r) { return lanes_pair(p + 4 * r, p + 12 + 4 * r); }

EMBERI_INLINE __m256 rows_both_mul(__m256 a, const __m256 b[3])
{
    __m256 xy = _mm256_add_ps(_mm256_mul_ps(LANES_SPLAT(a, 0), b[0]), _mm256_mul_ps(LANES_SPLAT(a, 1), b[1]));
    __m256 last = _mm256_blend_ps(_mm256_set1_ps(-0.0f), a, 0x88);
    return _mm256_add_ps(xy, _mm256_add_ps(_mm256_mul_ps(LANES_SPLAT(a, 2), b[2]), last));
}

EMBERI_INLINE void rows_product_columns2(float *p, const float *a, const float *b)
{
    const __m256 by[3] = {rows_both(b, 0), rows_both(b, 1), rows_both(b, 2)};
    __m256       column[4] = {rows_both_mul(rows_both(a, 0), by), rows_both_mul(rows_both(a, 1), by),
                              rows_both_mul(rows_both(a, 2), by),
                              _mm256_setr_ps(0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 1.0f)};
    lanes_transpose(column);
    _mm256_storeu_ps(p, _mm256_permute2f128_ps(column[0], column[1], 0x20));
    _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(column[2], column[3], 0x20));
    _mm256_storeu_ps(p + 16, _mm256_permute2f128_ps(column[0], column[1], 0x31));
    _mm256_storeu_ps(p + 24, _mm256_permute2f128_ps(column[2], column[3], 0x31));
}

/* ---- columns and points: two columns in a register ---- */

typedef struct columns {
    __m256 c01, c23;
} columns;

/* x in the low half and y in the high one; z in both. */
typedef struct point {
    __m256 xy, z;
} point;

typedef __m128 placed;

EMBERI_INLINE columns columns_load(const float *p)
{
    return (columns){_mm256_loadu_ps(p), _mm256_loadu_ps(p + 8)};
}

EMBERI_INLINE columns columns_weigh(const float *p, const float *weight)
{
    __m256 factor = _mm256_broadcast_ss(weight);
    return (columns){_mm256_mul_ps(factor, _mm256_loadu_ps(p)),
                     _mm256_mul_ps(factor, _mm256_loadu_ps(p + 8))};
}

EMBERI_INLINE columns columns_add(columns a, columns b)
{
    return (columns){_mm256_add_ps(a.c01, b.c01), _mm256_add_ps(a.c23, b.c23)};
}

/* Each element by a load of its own: loads have ports of their own, shuffles would share theirs with
   the arithmetic. */
EMBERI_INLINE point point_load(const float *p, int wide)
{
    (void)wide;
    return (point){_mm256_blend_ps(_mm256_broadcast_ss(p), _mm256_broadcast_ss(p + 1), 0xf0),
                   _mm256_broadcast_ss(p + 2)};
}

EMBERI_INLINE placed columns_point(const columns *m, point p)
{
    __m256 z1 = _mm256_blend_ps(p.z, _mm256_set1_ps(1.0f), 0xf0);
    __m256 sum = _mm256_add_ps(_mm256_mul_ps(m->c01, p.xy), _mm256_mul_ps(m->c23, z1));
    return _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
}

EMBERI_INLINE placed columns_direction(const columns *m, point p)
{
    __m256 xy = _mm256_mul_ps(m->c01, p.xy);
    __m128 z = _mm_mul_ps(_mm256_castps256_ps128(m->c23), _mm256_castps256_ps128(p.z));
    return _mm_add_ps(_mm_add_ps(_mm256_castps256_ps128(xy), z), _mm256_extractf128_ps(xy, 1));
}

#endif
