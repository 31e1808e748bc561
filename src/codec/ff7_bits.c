/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII's frames and their bits. Bits are looked at through a window of 64, and ten of them at a
   time are up to three codes by one look at a table: most changes between frames are small. Any bytes may
   come in: what lies behind their end reads as zeros and is never taken for a frame. */
#include "codec/ff7_bits.h"

#include "base/bytes.h"
#include "codec/ff7_table.h"

#define ROTATION_BITS 12u
#define TABLE_SHIFT 54u   /* the window's first ten bits */
#define FIRST_TYPE_7 960u /* indices from 1111000000b on */
#define LOOKS 3           /* at the table after one refill: 3 codes of at most 16 bits, and 57 are there */

/* ---- the window ---- */

static uint64_t window_slow(const emberi_ff7_reader *r, uint64_t byte)
{
    uint64_t window = 0;
    for (uint64_t i = 0; i < 8; i++)
        window = window << 8 | (byte + i < r->size ? r->data[byte + i] : 0u);
    return window;
}

/* The bits from `bit` on, the first on top. */
EMBERI_INLINE uint64_t window_at(const emberi_ff7_reader *r, uint64_t bit)
{
    uint64_t byte = bit >> 3;
    if (byte + 8 > r->size)
        return window_slow(r, byte) << (bit & 7u);
    return emberi_get_u64_big(r->data + byte) << (bit & 7u);
}

/* The window's first `count` bits as a signed number; count is 1..32. */
EMBERI_INLINE int32_t window_signed(uint64_t window, uint32_t count)
{
    int64_t top;
    emberi_copy(&top, &window, sizeof(top));
    return (int32_t)(top >> (64u - count));
}

/* ---- out of bits ---- */

/* Three position values; returns the bit behind them. */
EMBERI_INLINE uint64_t read_position(const emberi_ff7_reader *r, uint64_t bit, int16_t out[3],
                                     const int16_t before[3])
{
    uint64_t window = window_at(r, bit);
    for (int i = 0; i < 3; i++) {
        bool     wide = window >> 63 != 0;
        int32_t  delta = window_signed(window << 1, wide ? 16u : 7u);
        uint32_t used = wide ? 17u : 8u;
        out[i] = (int16_t)(before[i] + delta);
        window <<= used;
        bit += used;
    }
    return bit;
}

/* A window that is filled up behind the bits that are still in it. The load waits for no code
   to be decoded. */
typedef struct sliding {
    uint64_t bits;
    uint64_t count; /* bits that are there, from the top */
    uint64_t byte;  /* the first that is not in it */
} sliding;

EMBERI_INLINE sliding sliding_at(const emberi_ff7_reader *r, uint64_t bit)
{
    sliding s = {window_at(r, bit), 64u - (bit & 7u), (bit >> 3) + 8};
    return s;
}

/* At least 57 bits are there after it. */
EMBERI_INLINE void sliding_fill(sliding *s, const emberi_ff7_reader *r)
{
    uint64_t more = (64u - s->count) >> 3;
    s->bits |= window_at(r, s->byte * 8) >> 1 >> (s->count - 1u);
    s->byte += more;
    s->count += more * 8;
}

/* The codes at the top of the window, as the table has them; of type 7 one, made here. */
EMBERI_INLINE uint64_t codes_at(uint64_t bits, uint32_t wide_bits)
{
    uint32_t index = (uint32_t)(bits >> TABLE_SHIFT);
    if (__builtin_expect(index < FIRST_TYPE_7, 1))
        return ff7_codes[index];
    return (uint64_t)(uint16_t)window_signed(bits << 4, wide_bits) << 16 | 1u << 8 | (4u + wide_bits);
}

/* Three values are stored, as many are taken as the entry has. Returns that number. */
EMBERI_INLINE uint32_t codes_store(int16_t *out, uint64_t codes)
{
    out[0] = (int16_t)(codes >> 16);
    out[1] = (int16_t)(codes >> 32);
    out[2] = (int16_t)(codes >> 48);
    return (uint32_t)(codes >> 8) & 0xFFu;
}

/* One code at the top of the window: its bits. */
EMBERI_INLINE uint32_t code_bits(uint64_t bits, uint32_t wide_bits)
{
    uint32_t type = (uint32_t)(bits >> 60);
    return type < 8 ? 1u : type == 15 ? 4u + wide_bits : 4u + (type & 7u);
}

/* `count` rotation changes, not shifted by the key yet; returns the bit behind them. No store goes beyond
   `count` values. */
static uint64_t read_changes(const emberi_ff7_reader *r, uint64_t bit, int16_t *out, uint32_t count)
{
    const uint32_t wide_bits = ROTATION_BITS - r->key;
    uint32_t       n = 0;
    sliding        window = sliding_at(r, bit);
    while (n + 3 * LOOKS <= count) {
        uint64_t used = 0;
        sliding_fill(&window, r);
        for (int i = 0; i < LOOKS; i++) {
            uint64_t codes = codes_at(window.bits, wide_bits);
            n += codes_store(out + n, codes);
            window.bits <<= codes & 63u;
            used += codes & 63u;
        }
        window.count -= used;
        bit += used;
    }
    while (n < count) {
        sliding_fill(&window, r);
        uint64_t codes = codes_at(window.bits, wide_bits);
        uint64_t used = codes & 63u;
        if (n + 3 <= count) {
            n += codes_store(out + n, codes);
        } else { /* one at a time */
            out[n++] = (int16_t)(codes >> 16);
            used = code_bits(window.bits, wide_bits);
        }
        window.bits <<= used;
        window.count -= used;
        bit += used;
    }
    return bit;
}

static uint64_t read_first(const emberi_ff7_reader *r, uint64_t bit, int16_t position[3], int16_t *rotations)
{
    uint64_t window = window_at(r, bit);
    uint32_t bits = ROTATION_BITS - r->key;
    for (int i = 0; i < 3; i++)
        position[i] = (int16_t)window_signed(window << (16 * i), 16u);
    bit += 48;
    for (uint32_t i = 0; i < r->value_count; i++) {
        rotations[i] = (int16_t)(window_signed(window_at(r, bit), bits) * (1 << r->key));
        bit += bits;
    }
    return bit;
}

bool emberi_ff7_read_frame(emberi_ff7_reader *r, int16_t position[3], int16_t *rotations,
                           const int16_t before_position[3], const int16_t *before)
{
    uint64_t bit, end = (uint64_t)r->size * 8;
    /* Even the shortest frame must be there before its values are looked at one by one: their number
       may be anything. */
    uint64_t least =
        r->begun ? 24u + (uint64_t)r->value_count : 48u + (uint64_t)r->value_count * (ROTATION_BITS - r->key);
    if (r->bit > end || end - r->bit < least)
        return false;
    if (!r->begun) {
        bit = read_first(r, r->bit, position, rotations);
    } else {
        bit = read_position(r, r->bit, position, before_position);
        bit = read_changes(r, bit, rotations, r->value_count);
        for (uint32_t i = 0; i < r->value_count; i++)
            rotations[i] = (int16_t)(before[i] + rotations[i] * (1 << r->key));
    }
    if (bit > end)
        return false;
    r->bit = bit;
    r->begun = true;
    return true;
}

/* ---- only the lengths ---- */

static uint64_t skip_changes(const emberi_ff7_reader *r, uint64_t bit, uint32_t count)
{
    const uint32_t wide_bits = ROTATION_BITS - r->key;
    uint32_t       n = 0;
    sliding        window = sliding_at(r, bit);
    while (n < count) {
        sliding_fill(&window, r);
        uint64_t codes = codes_at(window.bits, wide_bits);
        uint32_t many = (uint32_t)(codes >> 8) & 0xFFu;
        uint64_t used = codes & 63u;
        if (n + many > count) {
            many = 1;
            used = code_bits(window.bits, wide_bits);
        }
        window.bits <<= used;
        window.count -= used;
        n += many;
        bit += used;
    }
    return bit;
}

bool emberi_ff7_skip_frame(emberi_ff7_reader *r)
{
    uint64_t bit = r->bit, end = (uint64_t)r->size * 8;
    uint64_t least =
        r->begun ? 24u + (uint64_t)r->value_count : 48u + (uint64_t)r->value_count * (ROTATION_BITS - r->key);
    if (bit > end || end - bit < least)
        return false;
    if (!r->begun) {
        bit += least;
    } else {
        for (int i = 0; i < 3; i++)
            bit += window_at(r, bit) >> 63 != 0 ? 17u : 8u;
        bit = skip_changes(r, bit, r->value_count);
    }
    if (bit > end)
        return false;
    r->bit = bit;
    r->begun = true;
    return true;
}

/* ---- into bits ---- */

/* Up to 32 bits; those above `count` must be zero. */
EMBERI_INLINE void put(emberi_ff7_writer *w, uint32_t bits, uint32_t count)
{
    w->bit += count;
    w->pending = w->pending << count | bits;
    w->pending_count += count;
    if (w->pending_count < 32)
        return;
    w->pending_count -= 32;
    if (w->data == NULL)
        return;
    uint32_t word = (uint32_t)(w->pending >> w->pending_count);
    uint8_t *p = w->data + (w->bit - w->pending_count) / 8 - 4;
    EMBERI_ASSERT((size_t)(p - w->data) + 4 <= w->size);
    p[0] = (uint8_t)(word >> 24);
    p[1] = (uint8_t)(word >> 16);
    p[2] = (uint8_t)(word >> 8);
    p[3] = (uint8_t)word;
}

EMBERI_INLINE void put_position(emberi_ff7_writer *w, uint16_t change)
{
    int16_t delta = (int16_t)change;
    if (delta >= -64 && delta <= 63)
        put(w, change & 0x7Fu, 8);
    else
        put(w, 0x10000u | change, 17);
}

/* `change` is in the key's units, its sign in bit 31. */
EMBERI_INLINE void put_change(emberi_ff7_writer *w, int32_t change, uint32_t wide_bits)
{
    if (change == 0) {
        put(w, 0, 1);
        return;
    }
    /* The number of bits below the sign: 0 for -1, N for [2^(N-1), 2^N - 1] and [-2^N, -2^(N-1) - 1]. */
    uint32_t magnitude = (uint32_t)(change < 0 ? -change - 1 : change);
    uint32_t n = magnitude != 0 ? 32u - (uint32_t)__builtin_clz(magnitude) : 0u;
    if (n > 6) {
        put(w, 0xFu << wide_bits | ((uint32_t)change & ((1u << wide_bits) - 1u)), 4 + wide_bits);
        return;
    }
    int32_t half = n != 0 ? 1 << (n - 1) : 0;
    int32_t stored = n == 0 ? 0 : change < 0 ? change + half : change - half;
    put(w, (8u | n) << n | ((uint32_t)stored & ((1u << n) - 1u)), 4 + n);
}

/* In the key's units. */
EMBERI_INLINE int32_t quantised(int16_t value, uint32_t key)
{
    return (value + (key != 0 ? 1 << (key - 1) : 0)) >> key;
}

void emberi_ff7_write_frame(emberi_ff7_writer *w, const int16_t position[3], const int16_t *rotations,
                            const int16_t before_position[3], const int16_t *before)
{
    uint32_t key = w->key, bits = ROTATION_BITS - key, above = 32u - bits;
    if (before == NULL) {
        for (int i = 0; i < 3; i++)
            put(w, (uint16_t)position[i], 16);
        for (uint32_t i = 0; i < w->value_count; i++)
            put(w, (uint32_t)quantised(rotations[i], key) & ((1u << bits) - 1u), bits);
        return;
    }
    for (int i = 0; i < 3; i++)
        put_position(w, (uint16_t)(position[i] - before_position[i]));
    for (uint32_t i = 0; i < w->value_count; i++) {
        /* A turn is the same turn modulo 4096: the short way round always fits. */
        uint32_t change = (uint32_t)(quantised(rotations[i], key) - quantised(before[i], key)) << above;
        int32_t  wrapped;
        emberi_copy(&wrapped, &change, sizeof(wrapped));
        put_change(w, wrapped >> above, bits);
    }
}

size_t emberi_ff7_write_end(emberi_ff7_writer *w)
{
    uint64_t left = w->pending_count, at = (w->bit - left) / 8;
    uint32_t rest = (uint32_t)(w->pending << (32u - left));
    for (uint32_t i = 0; i * 8 < left && w->data != NULL; i++) {
        EMBERI_ASSERT(at + i < w->size);
        w->data[at + i] = (uint8_t)(rest >> (24u - 8u * i));
    }
    return (size_t)((w->bit + 7) / 8);
}
