/* SPDX-License-Identifier: MIT */
/* What the kernels of lean clips need beyond base/lanes/lanes.h: sums of products of 16-bit integers, fields
   spread to lanes, keys out of rows of bits, and stores to single bones. Integers wrap, so that their order
   does not matter.

   wide  eight int16
   sums  four int32 */
#ifndef EMBER_SQUEEZE_LEAN_LANES_H
#define EMBER_SQUEEZE_LEAN_LANES_H

#include "base/lanes/lanes.h"
#include "squeeze/lean/lean_kernels.h"

/* ---- fields to lanes ---- */

/* Four fields, which the stream has from bit `at` on, in four lanes of 16 bits. The padding behind a clip
   makes the load safe. */
EMBERI_INLINE uint64_t lean_spread(const uint8_t *bits, uint64_t at, const lean_template *t, uint32_t quarter)
{
    const uint64_t v = emberi_get_u64(bits + (at >> 3)) >> (at & 7u), mask = t->mask[quarter];
#if defined(LEAN_PDEP)
    return _pdep_u64(v, mask);
#else
    const uint8_t *move = t->move + 4 * quarter;
    return (((v << move[0]) & 0xffffu) | ((v << move[1]) & 0xffff0000u) |
            ((v << move[2]) & (0xffffull << 32)) | ((v << move[3]) & (0xffffull << 48))) &
           mask;
#endif
}

/* ---- sums of products ---- */

#if defined(LANES_SSE2) || defined(LANES_AVX2)

typedef __m128i wide;
typedef __m128i sums;

EMBERI_INLINE wide wide_make(uint64_t low, uint64_t high)
{
    return _mm_unpacklo_epi64(_mm_cvtsi64_si128((long long)low), _mm_cvtsi64_si128((long long)high));
}
EMBERI_INLINE wide wide_load(const int16_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
EMBERI_INLINE void wide_store(int16_t *p, wide a) { _mm_storeu_si128((__m128i *)(void *)p, a); }
EMBERI_INLINE wide wide_sub(wide a, wide b) { return _mm_sub_epi16(a, b); }
EMBERI_INLINE sums wide_products(wide a, wide b) { return _mm_madd_epi16(a, b); }
EMBERI_INLINE sums sums_add(sums a, sums b) { return _mm_add_epi32(a, b); }
EMBERI_INLINE void sums_clear(int32_t out[4])
{
    _mm_storeu_si128((__m128i *)(void *)out, _mm_setzero_si128());
}

/* The four totals of four sums. */
EMBERI_INLINE void sums_store(int32_t out[4], sums a, sums b, sums c, sums d)
{
    const __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
    const __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
    _mm_storeu_si128((__m128i *)(void *)out,
                     _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd)));
}

#elif defined(LANES_NEON)

typedef int16x8_t wide;
typedef int32x4_t sums;

EMBERI_INLINE wide wide_make(uint64_t low, uint64_t high)
{
    return vreinterpretq_s16_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}
EMBERI_INLINE wide wide_load(const int16_t *p) { return vld1q_s16(p); }
EMBERI_INLINE void wide_store(int16_t *p, wide a) { vst1q_s16(p, a); }
EMBERI_INLINE wide wide_sub(wide a, wide b) { return vsubq_s16(a, b); }
EMBERI_INLINE sums wide_products(wide a, wide b)
{
    return vmlal_high_s16(vmull_s16(vget_low_s16(a), vget_low_s16(b)), a, b);
}
EMBERI_INLINE sums sums_add(sums a, sums b) { return vaddq_s32(a, b); }
EMBERI_INLINE void sums_clear(int32_t out[4]) { vst1q_s32(out, vdupq_n_s32(0)); }
EMBERI_INLINE void sums_store(int32_t out[4], sums a, sums b, sums c, sums d)
{
    vst1q_s32(out, vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d)));
}

#elif defined(LANES_WASM)

typedef v128_t wide;
typedef v128_t sums;

EMBERI_INLINE wide wide_make(uint64_t low, uint64_t high)
{
    return wasm_i64x2_make((int64_t)low, (int64_t)high);
}
EMBERI_INLINE wide wide_load(const int16_t *p) { return wasm_v128_load(p); }
EMBERI_INLINE void wide_store(int16_t *p, wide a) { wasm_v128_store(p, a); }
EMBERI_INLINE wide wide_sub(wide a, wide b) { return wasm_i16x8_sub(a, b); }
EMBERI_INLINE sums wide_products(wide a, wide b) { return wasm_i32x4_dot_i16x8(a, b); }
EMBERI_INLINE sums sums_add(sums a, sums b) { return wasm_i32x4_add(a, b); }
EMBERI_INLINE void sums_clear(int32_t out[4]) { wasm_v128_store(out, wasm_i32x4_splat(0)); }
EMBERI_INLINE void sums_store(int32_t out[4], sums a, sums b, sums c, sums d)
{
    const v128_t ab =
        wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), wasm_i32x4_shuffle(a, b, 2, 6, 3, 7));
    const v128_t cd =
        wasm_i32x4_add(wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), wasm_i32x4_shuffle(c, d, 2, 6, 3, 7));
    wasm_v128_store(out, wasm_i32x4_add(wasm_i64x2_shuffle(ab, cd, 0, 2), wasm_i64x2_shuffle(ab, cd, 1, 3)));
}

#else

typedef struct wide {
    int16_t lane[8];
} wide;
typedef uint32_t sums;

EMBERI_INLINE wide wide_make(uint64_t low, uint64_t high)
{
    wide out;
    for (int i = 0; i < 4; i++) {
        out.lane[i] = (int16_t)(uint16_t)(low >> 16 * i);
        out.lane[4 + i] = (int16_t)(uint16_t)(high >> 16 * i);
    }
    return out;
}
EMBERI_INLINE wide wide_load(const int16_t *p)
{
    wide out;
    emberi_copy(out.lane, p, sizeof(out.lane));
    return out;
}
EMBERI_INLINE void wide_store(int16_t *p, wide a) { emberi_copy(p, a.lane, sizeof(a.lane)); }
EMBERI_INLINE wide wide_sub(wide a, wide b)
{
    for (int i = 0; i < 8; i++)
        a.lane[i] = (int16_t)(uint16_t)((uint32_t)a.lane[i] - (uint32_t)b.lane[i]);
    return a;
}
EMBERI_INLINE sums wide_products(wide a, wide b)
{
    uint32_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += (uint32_t)((int32_t)a.lane[i] * b.lane[i]);
    return sum;
}
EMBERI_INLINE sums sums_add(sums a, sums b) { return a + b; }
EMBERI_INLINE void sums_clear(int32_t out[4]) { out[0] = out[1] = out[2] = out[3] = 0; }
EMBERI_INLINE void sums_store(int32_t out[4], sums a, sums b, sums c, sums d)
{
    out[0] = (int32_t)a;
    out[1] = (int32_t)b;
    out[2] = (int32_t)c;
    out[3] = (int32_t)d;
}

#endif

/* ---- numbers and keys ---- */

EMBERI_INLINE lanes lean_load(const float *p) { return lanes_load_some(p, LANES_WIDTH); }

#if defined(LANES_AVX2)

EMBERI_INLINE lanes lean_numbers(const int32_t *p)
{
    return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

EMBERI_INLINE __m256i lean_words(const void *p) { return _mm256_load_si256((const __m256i *)p); }

/* The bytes that hold the keys of a component: by a shuffle where they are near each other. A gather takes
   several times as long. */
EMBERI_INLINE __m256i lean_key_bytes(const lean_group *g, uint32_t k, const uint8_t *row)
{
    if (g->near == 0)
        return _mm256_i32gather_epi32((const int *)(const void *)row, lean_words(g->byte[k]), 1);
    const __m128i low = _mm_loadu_si128((const __m128i *)(const void *)(row + g->first[k][0]));
    const __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(row + g->first[k][1]));
    return _mm256_shuffle_epi8(_mm256_set_m128i(high, low), lean_words(g->window[k]));
}

/* The keys of a component in the first row, and how much more they are in the second. */
EMBERI_INLINE void lean_keys(lanes *value, lanes *difference, const lean_group *g, uint32_t k, uint32_t lane,
                             const uint8_t *row_a, const uint8_t *row_b)
{
    const __m256i shift = lean_words(g->shift[k] + lane), mask = lean_words(g->mask[k] + lane);
    const __m256i a = _mm256_and_si256(_mm256_srlv_epi32(lean_key_bytes(g, k, row_a), shift), mask);
    const __m256i b = _mm256_and_si256(_mm256_srlv_epi32(lean_key_bytes(g, k, row_b), shift), mask);
    *value = _mm256_cvtepi32_ps(_mm256_add_epi32(a, lean_words(g->min[k] + lane)));
    *difference = _mm256_cvtepi32_ps(_mm256_sub_epi32(b, a));
}

#else

#if defined(LANES_SCALAR)

EMBERI_INLINE lanes lean_numbers(const int32_t *p) { return (float)*p; }

EMBERI_INLINE void lean_keys(lanes *value, lanes *difference, const lean_group *g, uint32_t k, uint32_t lane,
                             const uint8_t *row_a, const uint8_t *row_b)
{
    const uint32_t byte = g->byte[k][lane], shift = g->shift[k][lane], mask = g->mask[k][lane];
    const uint32_t a = emberi_get_u32(row_a + byte) >> shift & mask;
    const uint32_t b = emberi_get_u32(row_b + byte) >> shift & mask;
    *value = (float)((int32_t)a + g->min[k][lane]);
    *difference = (float)((int32_t)b - (int32_t)a);
}

#else

/* A key has 24 bits at most and begins in the first byte, so that 8 bits more than it needs are left: it is
   lifted by 8 less its shift, and lowered by 8, where lanes cannot be shifted each by its own number. */
#if defined(LANES_SSE2)

typedef __m128i lean_words4;

EMBERI_INLINE lean_words4 words_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
EMBERI_INLINE lean_words4 words_make(const uint8_t *row, const uint32_t *byte)
{
    return _mm_set_epi32((int)emberi_get_u32(row + byte[3]), (int)emberi_get_u32(row + byte[2]),
                         (int)emberi_get_u32(row + byte[1]), (int)emberi_get_u32(row + byte[0]));
}
EMBERI_INLINE lean_words4 words_lower(lean_words4 a, const lean_group *g, uint32_t k, uint32_t lane)
{
    const __m128i lift = words_load(g->lift[k] + lane);
    const __m128i even = _mm_srli_epi64(_mm_mul_epu32(a, lift), 8);
    const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(lift, 32));
    return _mm_or_si128(even, _mm_slli_epi64(_mm_srli_epi64(odd, 8), 32));
}
EMBERI_INLINE lean_words4 words_and(lean_words4 a, lean_words4 b) { return _mm_and_si128(a, b); }
EMBERI_INLINE lean_words4 words_add(lean_words4 a, lean_words4 b) { return _mm_add_epi32(a, b); }
EMBERI_INLINE lean_words4 words_sub(lean_words4 a, lean_words4 b) { return _mm_sub_epi32(a, b); }
EMBERI_INLINE lanes       words_numbers(lean_words4 a) { return _mm_cvtepi32_ps(a); }

#elif defined(LANES_NEON)

typedef uint32x4_t lean_words4;

EMBERI_INLINE lean_words4 words_load(const void *p) { return vreinterpretq_u32_u8(vld1q_u8(p)); }
EMBERI_INLINE lean_words4 words_make(const uint8_t *row, const uint32_t *byte)
{
    const uint32_t words[4] = {emberi_get_u32(row + byte[0]), emberi_get_u32(row + byte[1]),
                               emberi_get_u32(row + byte[2]), emberi_get_u32(row + byte[3])};
    return vld1q_u32(words);
}
EMBERI_INLINE lean_words4 words_lower(lean_words4 a, const lean_group *g, uint32_t k, uint32_t lane)
{
    return vshlq_u32(a, vnegq_s32(vreinterpretq_s32_u32(words_load(g->shift[k] + lane))));
}
EMBERI_INLINE lean_words4 words_and(lean_words4 a, lean_words4 b) { return vandq_u32(a, b); }
EMBERI_INLINE lean_words4 words_add(lean_words4 a, lean_words4 b) { return vaddq_u32(a, b); }
EMBERI_INLINE lean_words4 words_sub(lean_words4 a, lean_words4 b) { return vsubq_u32(a, b); }
EMBERI_INLINE lanes       words_numbers(lean_words4 a) { return vcvtq_f32_s32(vreinterpretq_s32_u32(a)); }

#else

typedef v128_t lean_words4;

EMBERI_INLINE lean_words4 words_load(const void *p) { return wasm_v128_load(p); }
EMBERI_INLINE lean_words4 words_make(const uint8_t *row, const uint32_t *byte)
{
    v128_t out = wasm_v128_load32_zero(row + byte[0]);
    out = wasm_v128_load32_lane(row + byte[1], out, 1);
    out = wasm_v128_load32_lane(row + byte[2], out, 2);
    return wasm_v128_load32_lane(row + byte[3], out, 3);
}
EMBERI_INLINE lean_words4 words_lower(lean_words4 a, const lean_group *g, uint32_t k, uint32_t lane)
{
    return wasm_u32x4_shr(wasm_i32x4_mul(a, words_load(g->lift[k] + lane)), 8);
}
EMBERI_INLINE lean_words4 words_and(lean_words4 a, lean_words4 b) { return wasm_v128_and(a, b); }
EMBERI_INLINE lean_words4 words_add(lean_words4 a, lean_words4 b) { return wasm_i32x4_add(a, b); }
EMBERI_INLINE lean_words4 words_sub(lean_words4 a, lean_words4 b) { return wasm_i32x4_sub(a, b); }
EMBERI_INLINE lanes       words_numbers(lean_words4 a) { return wasm_f32x4_convert_i32x4(a); }

#endif

EMBERI_INLINE lanes lean_numbers(const int32_t *p) { return words_numbers(words_load(p)); }

EMBERI_INLINE void lean_keys(lanes *value, lanes *difference, const lean_group *g, uint32_t k, uint32_t lane,
                             const uint8_t *row_a, const uint8_t *row_b)
{
    const uint32_t   *byte = g->byte[k] + lane;
    const lean_words4 mask = words_load(g->mask[k] + lane);
    const lean_words4 a = words_and(words_lower(words_make(row_a, byte), g, k, lane), mask);
    const lean_words4 b = words_and(words_lower(words_make(row_b, byte), g, k, lane), mask);
    *value = words_numbers(words_add(a, words_load(g->min[k] + lane)));
    *difference = words_numbers(words_sub(b, a));
}

#endif

#endif

/* ---- poses ---- */

/* Rotations of bones that need not be neighbours. Lanes that are not used name the first lane's bone, which
   is stored last. */
#if defined(LANES_SCALAR)

EMBERI_INLINE void lean_store_rotations(ember_transform *out, const uint16_t *bone, const lanes in[4])
{
    out[*bone].rotation = (ember_quat){in[0], in[1], in[2], in[3]};
}

EMBERI_INLINE void lean_store_triples(float *out, const uint16_t *bone, const lanes in[4])
{
    float *p = out + 10u * *bone;
    p[0] = in[0];
    p[1] = in[1];
    p[2] = in[2];
}

EMBERI_INLINE void lean_copy(ember_transform *out, const ember_transform *in, uint32_t count)
{
    emberi_copy(out, in, count * sizeof(*in));
}

#else

#if defined(LANES_AVX2)
#define LEAN_TRANSPOSE(bones) lanes_transpose(bones)
#define LEAN_BONE(bones, k) \
    ((k) < 4 ? _mm256_castps256_ps128((bones)[(k)&3u]) : _mm256_extractf128_ps((bones)[(k)&3u], 1))
#else
#define LEAN_TRANSPOSE(bones) quad_transpose(bones)
#define LEAN_BONE(bones, k) ((bones)[k])
#endif

EMBERI_INLINE void lean_store_rotations(ember_transform *out, const uint16_t *bone, const lanes in[4])
{
    lanes bones[4] = {in[0], in[1], in[2], in[3]};
    LEAN_TRANSPOSE(bones);
    LANES_UNROLL
    for (uint32_t k = LANES_WIDTH; k-- > 0;)
        quad_store(&out[bone[k]].rotation.x, LEAN_BONE(bones, k));
}

/* `out` is the first bone's position or scale. */
EMBERI_INLINE void lean_store_triples(float *out, const uint16_t *bone, const lanes in[4])
{
    lanes bones[4] = {in[0], in[1], in[2], in[3]};
    LEAN_TRANSPOSE(bones);
    LANES_UNROLL
    for (uint32_t k = LANES_WIDTH; k-- > 0;)
        quad_store3(out + 10u * bone[k], LEAN_BONE(bones, k));
}

/* Not memcpy, which some processors begin slowly above 2 KB. */
EMBERI_INLINE void lean_copy(ember_transform *out, const ember_transform *in, uint32_t count)
{
    const float *from = &in->rotation.x;
    float *to = &out->rotation.x;
    uint32_t left = count * 10u;
    for (; left >= 2 * LANES_WIDTH; left -= 2 * LANES_WIDTH) {
        const lanes a = lean_load(from), b = lean_load(from + LANES_WIDTH);
        lanes_store(to, a);
        lanes_store(to + LANES_WIDTH, b);
        from += 2 * LANES_WIDTH;
        to += 2 * LANES_WIDTH;
    }
    for (; left >= 2; left -= 2, from += 2, to += 2) {
        to[0] = from[0];
        to[1] = from[1];
    }
}

#endif

#endif
