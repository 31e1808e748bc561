/* SPDX-License-Identifier: MIT */
/* Four lanes, over the words of a four-wide register: SSE2, NEON and WebAssembly share this. What each word
   means is said in lanes_scalar.h. */
#ifndef EMBER_BASE_LANES_FOUR_H
#define EMBER_BASE_LANES_FOUR_H

#define LANES_WIDTH 4u

/* ---- lanes ---- */

typedef quad      lanes;
typedef quad_bits lanes_bits;

EMBERI_INLINE lanes lanes_set(float value) { return quad_set(value); }
EMBERI_INLINE void  lanes_store(float *p, lanes a) { quad_store(p, a); }
EMBERI_INLINE lanes lanes_add(lanes a, lanes b) { return quad_add(a, b); }
EMBERI_INLINE lanes lanes_sub(lanes a, lanes b) { return quad_sub(a, b); }
EMBERI_INLINE lanes lanes_mul(lanes a, lanes b) { return quad_mul(a, b); }
EMBERI_INLINE lanes lanes_div(lanes a, lanes b) { return quad_div(a, b); }
EMBERI_INLINE lanes lanes_sqrt(lanes a) { return quad_sqrt(a); }
EMBERI_INLINE lanes lanes_max(lanes a, lanes b) { return quad_max(a, b); }
EMBERI_INLINE lanes lanes_flip(lanes a, lanes b) { return quad_flip(a, b); }
EMBERI_INLINE lanes lanes_abs(lanes a) { return quad_abs(a); }
EMBERI_INLINE lanes lanes_where_positive(lanes a, lanes factor)
{
    return quad_keep(a, quad_positive(factor));
}

EMBERI_INLINE lanes_bits lanes_positive(lanes a) { return quad_positive(a); }
EMBERI_INLINE lanes      lanes_select(lanes a, lanes b, lanes_bits choice)
{
    return quad_choose(a, b, quad_top_mask(choice));
}

#define lanes_bits_left(a, n) quad_bits_left(a, n)
#define lanes_bits_right(a, n) quad_bits_right(a, n)
EMBERI_INLINE lanes_bits lanes_bits_and(lanes_bits a, uint32_t mask) { return quad_bits_and(a, mask); }
EMBERI_INLINE lanes      lanes_bits_number(lanes_bits a) { return quad_bits_number(a); }

EMBERI_INLINE lanes_bits lanes_bits_heads(const uint8_t *records, size_t count)
{
    return quad_bits_heads(records, records + 16 * LANES_CLAMP(1, count),
                           records + 16 * LANES_CLAMP(2, count), records + 16 * LANES_CLAMP(3, count));
}

EMBERI_INLINE lanes lanes_load_some(const float *p, size_t count)
{
    if (count == LANES_WIDTH)
        return quad_load(p);
    const float some[4] = {p[0], p[LANES_CLAMP(1, count)], p[LANES_CLAMP(2, count)],
                           p[LANES_CLAMP(3, count)]};
    return quad_load(some);
}

EMBERI_INLINE void lanes_load4(lanes out[4], const float *p, size_t stride, size_t count)
{
    LANES_UNROLL
    for (size_t k = 0; k < 4; k++)
        out[k] = quad_load(p + LANES_CLAMP(k, count) * stride);
    quad_transpose(out);
}

EMBERI_INLINE void lanes_store4(float *p, size_t stride, size_t count, const lanes in[4])
{
    lanes bones[4] = {in[0], in[1], in[2], in[3]};
    quad_transpose(bones);
    LANES_UNROLL
    for (size_t k = 0; k < 4; k++)
        if (k < count)
            quad_store(p + k * stride, bones[k]);
}

/* ---- six: the floats 4..7 and 6..9 of a transform, two of them in both ---- */

typedef struct six {
    quad low, high;
} six;

EMBERI_INLINE six six_load(const float *bone) { return (six){quad_load(bone + 4), quad_load(bone + 6)}; }

EMBERI_INLINE void six_store(float *bone, six a)
{
    quad_store(bone + 4, a.low);
    quad_store(bone + 6, a.high);
}

EMBERI_INLINE six six_decode(const uint8_t *record)
{
    six out;
    quad_record_halves(&out.low, &out.high, record);
    return out;
}

EMBERI_INLINE quad quad_quotient(quad a, quad b)
{
    return quad_choose(quad_div(a, b), quad_set(1.0f), quad_is_zero(b));
}

EMBERI_INLINE six six_set(float value) { return (six){quad_set(value), quad_set(value)}; }
EMBERI_INLINE six six_add(six a, six b) { return (six){quad_add(a.low, b.low), quad_add(a.high, b.high)}; }
EMBERI_INLINE six six_sub(six a, six b) { return (six){quad_sub(a.low, b.low), quad_sub(a.high, b.high)}; }
EMBERI_INLINE six six_mul(six a, six b) { return (six){quad_mul(a.low, b.low), quad_mul(a.high, b.high)}; }
EMBERI_INLINE six six_quotient(six a, six b)
{
    return (six){quad_quotient(a.low, b.low), quad_quotient(a.high, b.high)};
}

EMBERI_INLINE six six_where_positive(six a, six factor)
{
    quad_bits mask = quad_positive(factor.low); /* a factor is the same in all six */
    return (six){quad_keep(a.low, mask), quad_keep(a.high, mask)};
}

EMBERI_INLINE six six_join(six position, six scale)
{
    return (six){quad_join3(position.low, scale.low), quad_join1(position.high, scale.high)};
}

/* ---- rows ---- */

typedef struct rows {
    quad row[3];
} rows;

EMBERI_INLINE rows rows_load(const float *p)
{
    return (rows){{quad_load(p), quad_load(p + 4), quad_load(p + 8)}};
}

EMBERI_INLINE void rows_store(float *p, rows a)
{
    quad_store(p, a.row[0]);
    quad_store(p + 4, a.row[1]);
    quad_store(p + 8, a.row[2]);
}

EMBERI_INLINE quad rows_mul_row(quad a, quad b0, quad b1, quad b2)
{
    return quad_add(quad_add(quad_mul(quad_splat(a, 0), b0), quad_mul(quad_splat(a, 1), b1)),
                    quad_add(quad_mul(quad_splat(a, 2), b2), quad_last(a)));
}

EMBERI_INLINE rows rows_mul(rows a, const float *b)
{
    quad b0 = quad_load(b), b1 = quad_load(b + 4), b2 = quad_load(b + 8);
    return (rows){{rows_mul_row(a.row[0], b0, b1, b2), rows_mul_row(a.row[1], b0, b1, b2),
                   rows_mul_row(a.row[2], b0, b1, b2)}};
}

EMBERI_INLINE rows rows_mul_at(const float *a, const float *b) { return rows_mul(rows_load(a), b); }

EMBERI_INLINE void rows_store_columns(float *p, rows a)
{
    quad column[4] = {a.row[0], a.row[1], a.row[2], quad_unit_w()};
    quad_transpose(column);
    LANES_UNROLL
    for (int c = 0; c < 4; c++)
        quad_store(p + 4 * c, column[c]);
}

EMBERI_INLINE void rows_product_columns2(float *p, const float *a, const float *b)
{
    rows_store_columns(p, rows_mul_at(a, b));
    rows_store_columns(p + 16, rows_mul_at(a + 12, b + 12));
}

/* ---- columns and points ---- */

typedef struct columns {
    quad c[4];
} columns;

typedef quad point;
typedef quad placed;

EMBERI_INLINE columns columns_load(const float *p)
{
    return (columns){{quad_load(p), quad_load(p + 4), quad_load(p + 8), quad_load(p + 12)}};
}

EMBERI_INLINE columns columns_weigh(const float *p, const float *weight)
{
    columns m = columns_load(p);
    quad    factor = quad_set(*weight);
    LANES_UNROLL
    for (int c = 0; c < 4; c++)
        m.c[c] = quad_mul(factor, m.c[c]);
    return m;
}

EMBERI_INLINE columns columns_add(columns a, columns b)
{
    LANES_UNROLL
    for (int c = 0; c < 4; c++)
        a.c[c] = quad_add(a.c[c], b.c[c]);
    return a;
}

EMBERI_INLINE point point_load(const float *p, int wide) { return wide ? quad_load(p) : quad_load3(p); }

EMBERI_INLINE placed columns_point(const columns *m, point p)
{
    quad xz = quad_add(quad_mul(m->c[0], quad_splat(p, 0)), quad_mul(m->c[2], quad_splat(p, 2)));
    return quad_add(xz, quad_add(quad_mul(m->c[1], quad_splat(p, 1)), m->c[3]));
}

EMBERI_INLINE placed columns_direction(const columns *m, point p)
{
    quad xz = quad_add(quad_mul(m->c[0], quad_splat(p, 0)), quad_mul(m->c[2], quad_splat(p, 2)));
    return quad_add(xz, quad_mul(m->c[1], quad_splat(p, 1)));
}

#endif
