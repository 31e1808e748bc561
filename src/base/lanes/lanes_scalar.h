/* SPDX-License-Identifier: MIT */
/* One lane, in plain C: the reference for all others, and what runs where there is nothing better. */
#ifndef EMBER_BASE_LANES_SCALAR_H
#define EMBER_BASE_LANES_SCALAR_H

#define LANES_WIDTH 1u

/* ---- lanes ---- */

typedef float    lanes;
typedef uint32_t lanes_bits;

EMBERI_INLINE lanes lanes_set(float value) { return value; }
EMBERI_INLINE void  lanes_store(float *p, lanes a) { *p = a; }
EMBERI_INLINE lanes lanes_add(lanes a, lanes b) { return a + b; }
EMBERI_INLINE lanes lanes_sub(lanes a, lanes b) { return a - b; }
EMBERI_INLINE lanes lanes_mul(lanes a, lanes b) { return a * b; }
EMBERI_INLINE lanes lanes_div(lanes a, lanes b) { return a / b; }
EMBERI_INLINE lanes lanes_sqrt(lanes a) { return emberi_sqrt(a); }
EMBERI_INLINE lanes lanes_max(lanes a, lanes b) { return emberi_max(a, b); }

/* a, with its sign turned where b's sign bit is set. */
EMBERI_INLINE lanes lanes_flip(lanes a, lanes b)
{
    return emberi_float_of(emberi_bits_of(a) ^ (emberi_bits_of(b) & 0x80000000u));
}

EMBERI_INLINE lanes lanes_abs(lanes a) { return emberi_float_of(emberi_bits_of(a) & 0x7fffffffu); }

/* a where `factor` is above 0, else +0, whatever a is. */
EMBERI_INLINE lanes lanes_where_positive(lanes a, lanes factor) { return factor > 0.0f ? a : 0.0f; }

/* All ones where a is above 0. */
EMBERI_INLINE lanes_bits lanes_positive(lanes a) { return a > 0.0f ? 0xffffffffu : 0u; }

/* b where bit 31 of `choice` is set, else a. */
EMBERI_INLINE lanes lanes_select(lanes a, lanes b, lanes_bits choice) { return choice >> 31 != 0 ? b : a; }

#define lanes_bits_left(a, n) ((a) << (n))
#define lanes_bits_right(a, n) ((a) >> (n))
EMBERI_INLINE lanes_bits lanes_bits_and(lanes_bits a, uint32_t mask) { return a & mask; }
/* The number as a float; bit 31 must be clear. */
EMBERI_INLINE lanes      lanes_bits_number(lanes_bits a) { return (float)(int32_t)a; }

/* The first word of each 16-byte record. */
EMBERI_INLINE lanes_bits lanes_bits_heads(const uint8_t *records, size_t count)
{
    (void)count;
    return emberi_get_u32(records);
}

EMBERI_INLINE lanes lanes_load_some(const float *p, size_t count)
{
    (void)count;
    return *p;
}

/* Four floats of each bone, the bones `stride` floats apart, as four lanes; and back. */
EMBERI_INLINE void lanes_load4(lanes out[4], const float *p, size_t stride, size_t count)
{
    (void)stride, (void)count;
    for (int k = 0; k < 4; k++)
        out[k] = p[k];
}

EMBERI_INLINE void lanes_store4(float *p, size_t stride, size_t count, const lanes in[4])
{
    (void)stride, (void)count;
    for (int k = 0; k < 4; k++)
        p[k] = in[k];
}

/* ---- six ---- */

typedef struct six {
    float f[6];
} six;

#define SIX_EACH(expression)          \
    do {                              \
        six each;                     \
        for (int k = 0; k < 6; k++)   \
            each.f[k] = (expression); \
        return each;                  \
    } while (0)

/* Half to float without a float denormal on the way: 2^-14 plus the digits, less 2^-14. NaN becomes quiet, as
   F16C does it. */
EMBERI_INLINE float six_half(uint32_t half)
{
    uint32_t digits = (half & 0x7fffu) << 13, small = digits < 1u << 23 ? 0xffffffffu : 0u;
    uint32_t scaled = digits + (112u << 23) + (small & 1u << 23);
    uint32_t bits = emberi_bits_of(emberi_float_of(scaled) - emberi_float_of(small & 113u << 23));
    bits |= digits >= 31u << 23 ? 0x7f800000u : 0u;
    bits |= digits > 31u << 23 ? 0x00400000u : 0u;
    return emberi_float_of(bits | (half & 0x8000u) << 16);
}

/* `bone` is the first float of a transform, `record` the first byte of a keyframe record. */
EMBERI_INLINE six  six_load(const float *bone) { SIX_EACH(bone[4 + k]); }
EMBERI_INLINE void six_store(float *bone, six a) { emberi_copy(bone + 4, a.f, sizeof(a.f)); }
EMBERI_INLINE six  six_decode(const uint8_t *record)
{
    SIX_EACH(six_half(emberi_get_u16(record + 4 + 2 * k)));
}
EMBERI_INLINE six six_set(float value) { SIX_EACH(value); }
EMBERI_INLINE six six_add(six a, six b) { SIX_EACH(a.f[k] + b.f[k]); }
EMBERI_INLINE six six_sub(six a, six b) { SIX_EACH(a.f[k] - b.f[k]); }
EMBERI_INLINE six six_mul(six a, six b) { SIX_EACH(a.f[k] * b.f[k]); }
/* a/b, and 1 where b is 0. */
EMBERI_INLINE six six_quotient(six a, six b) { SIX_EACH(b.f[k] == 0.0f ? 1.0f : a.f[k] / b.f[k]); }
/* a where `factor` is above 0, else +0, whatever a is. */
EMBERI_INLINE six six_where_positive(six a, six factor) { SIX_EACH(factor.f[k] > 0.0f ? a.f[k] : 0.0f); }
/* The position of the one and the scale of the other. */
EMBERI_INLINE six six_join(six position, six scale) { SIX_EACH(k < 3 ? position.f[k] : scale.f[k]); }

/* ---- rows ---- */

typedef struct rows {
    float m[12];
} rows;

EMBERI_INLINE rows rows_load(const float *p)
{
    rows out;
    emberi_copy(out.m, p, sizeof(out.m));
    return out;
}

EMBERI_INLINE void rows_store(float *p, rows a) { emberi_copy(p, a.m, sizeof(a.m)); }

/* a times the matrix at `b`, each row (a0*b0 + a1*b1) + (a2*b2 + [-0 -0 -0 a3]); adding -0 changes nothing
   and is left out. */
EMBERI_INLINE rows rows_mul(rows a, const float *b)
{
    rows out;
    for (int r = 0; r < 12; r += 4) {
        for (int c = 0; c < 3; c++)
            out.m[r + c] = (a.m[r] * b[c] + a.m[r + 1] * b[4 + c]) + a.m[r + 2] * b[8 + c];
        out.m[r + 3] = (a.m[r] * b[3] + a.m[r + 1] * b[7]) + (a.m[r + 2] * b[11] + a.m[r + 3]);
    }
    return out;
}

/* The same with both in memory. */
EMBERI_INLINE rows rows_mul_at(const float *a, const float *b) { return rows_mul(rows_load(a), b); }

EMBERI_INLINE void rows_store_columns(float *p, rows a)
{
    for (int c = 0; c < 4; c++) {
        p[4 * c] = a.m[c];
        p[4 * c + 1] = a.m[4 + c];
        p[4 * c + 2] = a.m[8 + c];
        p[4 * c + 3] = c == 3 ? 1.0f : 0.0f;
    }
}

/* Two matrices at `a`, one after the other, times the two at `b`, as columns. */
EMBERI_INLINE void rows_product_columns2(float *p, const float *a, const float *b)
{
    rows_store_columns(p, rows_mul_at(a, b));
    rows_store_columns(p + 16, rows_mul_at(a + 12, b + 12));
}

/* ---- columns and points ---- */

typedef struct columns {
    float m[16];
} columns;

typedef struct point {
    float x, y, z;
} point;

typedef point placed;

EMBERI_INLINE columns columns_load(const float *p)
{
    columns out;
    emberi_copy(out.m, p, sizeof(out.m));
    return out;
}

EMBERI_INLINE columns columns_weigh(const float *p, const float *weight)
{
    columns out;
    for (int k = 0; k < 16; k++)
        out.m[k] = *weight * p[k];
    return out;
}

EMBERI_INLINE columns columns_add(columns a, columns b)
{
    columns out;
    for (int k = 0; k < 16; k++)
        out.m[k] = a.m[k] + b.m[k];
    return out;
}

/* Exactly three floats unless `wide`, which allows a fourth to be read or written and lost. */
EMBERI_INLINE point point_load(const float *p, int wide)
{
    (void)wide;
    return (point){p[0], p[1], p[2]};
}

EMBERI_INLINE void placed_store(float *p, placed a, int wide)
{
    (void)wide;
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}

/* (c0*x + c2*z) + (c1*y + c3) */
EMBERI_INLINE placed columns_point(const columns *m, point p)
{
    const float *c = m->m;
    return (placed){(c[0] * p.x + c[8] * p.z) + (c[4] * p.y + c[12]),
                    (c[1] * p.x + c[9] * p.z) + (c[5] * p.y + c[13]),
                    (c[2] * p.x + c[10] * p.z) + (c[6] * p.y + c[14])};
}

/* (c0*x + c2*z) + c1*y */
EMBERI_INLINE placed columns_direction(const columns *m, point p)
{
    const float *c = m->m;
    return (placed){(c[0] * p.x + c[8] * p.z) + c[4] * p.y, (c[1] * p.x + c[9] * p.z) + c[5] * p.y,
                    (c[2] * p.x + c[10] * p.z) + c[6] * p.y};
}

#endif
