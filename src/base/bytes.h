/* SPDX-License-Identifier: MIT */
/* Bounded little-endian reader and writer. The reader never reads past its end: the first bad read makes it
   fail for good, and every later one returns 0 or NULL and does not move. */
#ifndef EMBER_BASE_BYTES_H
#define EMBER_BASE_BYTES_H

#include "base/check.h"
#include "ember/base.h"

/* ---- single values in memory that is known to be there ---- */

static inline uint16_t emberi_get_u16(const uint8_t *p)
{
    return (uint16_t)((uint32_t)p[0] | (uint32_t)p[1] << 8);
}

static inline uint32_t emberi_get_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Written out, so that every compiler makes one load of it. */
EMBERI_INLINE uint64_t emberi_get_u64(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

/* Most significant byte first. */
static inline uint32_t emberi_get_u32_big(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

/* The first byte on top: a window into a stream of bits. */
EMBERI_INLINE uint64_t emberi_get_u64_big(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
           (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | (uint64_t)p[7];
}

/* At least 57 bits of a stream from bit `at` on, the first of them at the bottom or on top. No load starts
   beyond byte `last`. */
EMBERI_INLINE uint64_t emberi_get_bits(const uint8_t *data, uint64_t at, uint64_t last)
{
    uint64_t byte = at >> 3 < last ? at >> 3 : last;
    return emberi_get_u64(data + byte) >> ((at - 8 * byte) & 63u);
}

EMBERI_INLINE uint64_t emberi_get_bits_big(const uint8_t *data, uint64_t at, uint64_t last)
{
    uint64_t byte = at >> 3 < last ? at >> 3 : last;
    return emberi_get_u64_big(data + byte) << ((at - 8 * byte) & 63u);
}

static inline void emberi_put_u16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void emberi_put_u32(uint8_t *p, uint32_t v)
{
    emberi_put_u16(p, (uint16_t)v);
    emberi_put_u16(p + 2, (uint16_t)(v >> 16));
}

static inline void emberi_put_u64(uint8_t *p, uint64_t v)
{
    emberi_put_u32(p, (uint32_t)v);
    emberi_put_u32(p + 4, (uint32_t)(v >> 32));
}

static inline uint32_t emberi_bits_of(float f)
{
    uint32_t u;
    emberi_copy(&u, &f, sizeof(u));
    return u;
}

static inline float emberi_float_of(uint32_t u)
{
    float f;
    emberi_copy(&f, &u, sizeof(f));
    return f;
}

/* ---- the reader ---- */

typedef struct emberi_reader {
    const uint8_t *base;
    const uint8_t *cursor;
    const uint8_t *end;
    ember_status   status;
} emberi_reader;

static inline emberi_reader emberi_reader_init(const void *data, size_t size)
{
    static const uint8_t empty[1] = {0};
    const uint8_t       *p = data != NULL ? (const uint8_t *)data : empty;
    emberi_reader        r = {p, p, p + (data != NULL ? size : 0), EMBER_OK};
    return r;
}

static inline size_t   emberi_reader_left(const emberi_reader *r) { return (size_t)(r->end - r->cursor); }
static inline uint64_t emberi_reader_offset(const emberi_reader *r)
{
    return (uint64_t)(r->cursor - r->base);
}
static inline bool emberi_reader_ok(const emberi_reader *r) { return r->status == EMBER_OK; }

static inline const uint8_t *emberi_reader_take(emberi_reader *r, size_t size)
{
    if (r->status != EMBER_OK)
        return NULL;
    if (size > emberi_reader_left(r)) {
        r->status = EMBER_E_TRUNCATED;
        return NULL;
    }
    const uint8_t *p = r->cursor;
    r->cursor += size;
    return p;
}

static inline uint8_t emberi_reader_u8(emberi_reader *r)
{
    const uint8_t *p = emberi_reader_take(r, 1);
    return p != NULL ? p[0] : (uint8_t)0;
}

static inline uint16_t emberi_reader_u16(emberi_reader *r)
{
    const uint8_t *p = emberi_reader_take(r, 2);
    return p != NULL ? emberi_get_u16(p) : (uint16_t)0;
}

static inline uint32_t emberi_reader_u32(emberi_reader *r)
{
    const uint8_t *p = emberi_reader_take(r, 4);
    return p != NULL ? emberi_get_u32(p) : 0u;
}

#endif
