/* SPDX-License-Identifier: MIT */
/* zlib streams (RFC 1950, 1951) of known size. Every code, distance and length is checked against what is
   there; the output is exactly as long as the caller says, or the stream is refused. */
#include "base/bytes.h"
#include "format/fbx/container/fbx_container.h"

#include <string.h>

#define CODE_BITS_MAX 15
#define FAST_BITS 10
#define LITERALS 288
#define DISTANCES 30

/* A canonical Huffman code: short codes by a table, long ones by counting. An entry of the table is
   symbol * 16 + length, 0 where the code is long or none. */
typedef struct inflate_code {
    unsigned bits; /* of the table: no more than the longest code */
    uint16_t fast[1 << FAST_BITS];
    uint16_t count[CODE_BITS_MAX + 1];
    uint16_t symbols[LITERALS];
} inflate_code;

typedef struct inflate_state {
    const uint8_t *at, *end;
    uint64_t       bits; /* the next one at the bottom */
    unsigned       bit_count;
    unsigned       missing; /* zero bytes that stand for some behind the end */
    uint8_t       *out, *cursor, *out_end;
    bool           fixed; /* the codes are the format's own, which need no tables */
    inflate_code   literals, distances;
} inflate_state;

/* ---- bits ---- */

/* At least 48 of them, zeros behind the end. */
static inline void bits_fill(inflate_state *s)
{
    if (s->end - s->at >= 8) {
        s->bits |= emberi_get_u64(s->at) << s->bit_count;
        s->at += (63 - s->bit_count) >> 3;
        s->bit_count |= 56;
        return;
    }
    while (s->bit_count <= 56) {
        if (s->at < s->end)
            s->bits |= (uint64_t)*s->at++ << s->bit_count;
        else
            s->missing++;
        s->bit_count += 8;
    }
}

static inline uint32_t bits_take(inflate_state *s, unsigned count)
{
    uint32_t value = (uint32_t)(s->bits & (((uint64_t)1 << count) - 1));
    s->bits >>= count;
    s->bit_count -= count;
    return value;
}

/* Whether more was taken than there is. */
static bool bits_overrun(const inflate_state *s) { return s->missing * 8 > s->bit_count; }

/* ---- codes ---- */

/* The lowest `length` bits in the other order; up to 16. */
static inline uint32_t code_reversed(uint32_t code, unsigned length)
{
    code = (code & 0x5555u) << 1 | (code >> 1 & 0x5555u);
    code = (code & 0x3333u) << 2 | (code >> 2 & 0x3333u);
    code = (code & 0x0f0fu) << 4 | (code >> 4 & 0x0f0fu);
    code = (code & 0x00ffu) << 8 | (code >> 8 & 0x00ffu);
    return code >> (16 - length);
}

/* False if the lengths are no code. One that leaves codes unused is refused too, unless it has one symbol. */
static bool code_make(inflate_code *code, const uint8_t *lengths, unsigned count)
{
    uint16_t offsets[CODE_BITS_MAX + 2] = {0};
    uint32_t next[CODE_BITS_MAX + 1] = {0};
    int32_t  left = 1;
    unsigned used = 0;
    code->bits = 1;
    memset(code->count, 0, sizeof(code->count));
    for (unsigned i = 0; i < count; i++)
        code->count[lengths[i]]++;
    code->count[0] = 0;
    for (unsigned length = 1; length <= CODE_BITS_MAX; length++) {
        left = left * 2 - code->count[length];
        if (left < 0)
            return false;
        used += code->count[length];
        if (code->count[length] != 0)
            code->bits = length < FAST_BITS ? length : FAST_BITS;
        offsets[length + 1] = (uint16_t)(offsets[length] + code->count[length]);
        next[length] = (next[length - 1] + code->count[length - 1]) << 1;
    }
    if (left != 0 && used > 1)
        return false;
    memset(code->fast, 0, sizeof(code->fast[0]) << code->bits);
    for (unsigned i = 0; i < count; i++) {
        unsigned length = lengths[i];
        if (length == 0)
            continue;
        code->symbols[offsets[length]++] = (uint16_t)i;
        uint32_t bits = code_reversed(next[length]++, length);
        for (; length <= code->bits && bits < 1u << code->bits; bits += 1u << length)
            code->fast[bits] = (uint16_t)(i << 4 | length);
    }
    return true;
}

static int code_decode_long(inflate_state *s, const inflate_code *code)
{
    int32_t value = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= CODE_BITS_MAX; length++) {
        value |= (int32_t)bits_take(s, 1);
        int32_t count = code->count[length];
        if (value - count < first)
            return code->symbols[index + (value - first)];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    return -1;
}

static inline int code_decode(inflate_state *s, const inflate_code *code)
{
    uint16_t entry = code->fast[s->bits & ((1u << code->bits) - 1)];
    if (entry == 0)
        return code_decode_long(s, code);
    bits_take(s, entry & 15u);
    return entry >> 4;
}

/* The fixed code: 256 to 279 have seven bits, 0 to 143 and 280 to 287 eight, 144 to 255 nine. */
static inline int fixed_literal(inflate_state *s)
{
    uint32_t code = code_reversed((uint32_t)s->bits & 511u, 9);
    unsigned length = code < 24u << 2 ? 7 : code < 200u << 1 ? 8 : 9;
    bits_take(s, length);
    code >>= 9 - length;
    return (int)(length == 7 ? code + 256 : length == 9 ? code - 256 : code < 192 ? code - 48 : code + 88);
}

static inline int literal_decode(inflate_state *s)
{
    return s->fixed ? fixed_literal(s) : code_decode(s, &s->literals);
}

/* Five bits each; two of the 32 stand for nothing, and are refused when they come. */
static inline int distance_decode(inflate_state *s)
{
    return s->fixed ? (int)code_reversed(bits_take(s, 5), 5) : code_decode(s, &s->distances);
}

/* ---- blocks ---- */

static bool inflate_stored(inflate_state *s)
{
    bits_take(s, s->bit_count & 7u);
    /* Whole bytes that were taken in advance go back. */
    unsigned ahead = s->bit_count / 8;
    if (s->missing > ahead)
        return false;
    s->at -= ahead - s->missing;
    s->bits = 0;
    s->bit_count = s->missing = 0;
    if (s->end - s->at < 4)
        return false;
    uint32_t size = emberi_get_u16(s->at), check = emberi_get_u16(s->at + 2);
    s->at += 4;
    if ((size ^ check) != 0xffffu || (size_t)(s->end - s->at) < size ||
        (size_t)(s->out_end - s->cursor) < size)
        return false;
    if (size != 0)
        memcpy(s->cursor, s->at, size);
    s->at += size;
    s->cursor += size;
    return true;
}

static bool inflate_copy(inflate_state *s, size_t distance, size_t length)
{
    if (distance > (size_t)(s->cursor - s->out) || length > (size_t)(s->out_end - s->cursor))
        return false;
    if (distance >= length) {
        memcpy(s->cursor, s->cursor - distance, length);
        s->cursor += length;
        return true;
    }
    for (const uint8_t *end = s->cursor + length; s->cursor < end; s->cursor++)
        *s->cursor = *(s->cursor - distance);
    return true;
}

static bool inflate_match(inflate_state *s, unsigned symbol)
{
    static const uint16_t bases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t  extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    if (symbol > 28)
        return false;
    size_t length = bases[symbol] + bits_take(s, extra[symbol]);
    bits_fill(s);
    int code = distance_decode(s);
    if (code < 0 || code >= DISTANCES)
        return false;
    /* Bases double every two codes: 1 2 3 4 5 7 9 13 ... */
    unsigned more = code < 4 ? 0 : (unsigned)code / 2 - 1;
    size_t   distance = code < 4 ? (size_t)code + 1 : ((size_t)(2 + (code & 1)) << more) + 1;
    return inflate_copy(s, distance + bits_take(s, more), length);
}

static bool inflate_codes(inflate_state *s)
{
    for (;;) {
        bits_fill(s);
        int symbol = literal_decode(s);
        if (symbol < 0 || bits_overrun(s))
            return false;
        if (symbol == 256)
            return true;
        if (symbol > 256) {
            if (!inflate_match(s, (unsigned)symbol - 257))
                return false;
        } else {
            if (s->cursor == s->out_end)
                return false;
            *s->cursor++ = (uint8_t)symbol;
        }
    }
}

static bool inflate_fixed(inflate_state *s)
{
    s->fixed = true;
    return inflate_codes(s);
}

static bool inflate_lengths(inflate_state *s, uint8_t *lengths, unsigned count)
{
    for (unsigned i = 0; i < count;) {
        bits_fill(s);
        int symbol = code_decode(s, &s->literals);
        if (symbol < 0 || bits_overrun(s))
            return false;
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && i == 0)
            return false;
        uint8_t  value = symbol == 16 ? lengths[i - 1] : 0;
        unsigned repeat = symbol == 16   ? 3 + bits_take(s, 2)
                          : symbol == 17 ? 3 + bits_take(s, 3)
                                         : 11 + bits_take(s, 7);
        if (repeat > count - i)
            return false;
        memset(lengths + i, value, repeat);
        i += repeat;
    }
    return true;
}

static bool inflate_dynamic(inflate_state *s)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t              lengths[LITERALS + 32] = {0}, meta[19] = {0};
    s->fixed = false;
    bits_fill(s);
    unsigned literals = 257 + bits_take(s, 5), distances = 1 + bits_take(s, 5), metas = 4 + bits_take(s, 4);
    if (literals > 286 || distances > DISTANCES)
        return false;
    for (unsigned i = 0; i < metas; i++) {
        bits_fill(s);
        meta[order[i]] = (uint8_t)bits_take(s, 3);
    }
    if (!code_make(&s->literals, meta, 19) || !inflate_lengths(s, lengths, literals + distances))
        return false;
    return lengths[256] != 0 && code_make(&s->literals, lengths, literals) &&
           code_make(&s->distances, lengths + literals, distances) && inflate_codes(s);
}

/* ---- the stream ---- */

static uint32_t adler32(const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    while (size != 0) {
        size_t part = size < 5552 ? size : 5552; /* as many as 32 bits hold */
        for (size_t i = 0; i < part; i++) {
            a += data[i];
            b += a;
        }
        a %= 65521;
        b %= 65521;
        data += part;
        size -= part;
    }
    return b << 16 | a;
}

bool emberi_fbx_inflate(uint8_t *out, size_t size, const uint8_t *data, size_t data_size)
{
    if (data_size < 6 || (data[0] & 15) != 8 || data[0] >> 4 > 7 || (data[0] * 256 + data[1]) % 31 != 0 ||
        (data[1] & 32) != 0)
        return false;
    inflate_state s;
    s.at = data + 2;
    s.end = data + data_size - 4;
    s.bits = 0;
    s.bit_count = s.missing = 0;
    s.out = s.cursor = out;
    s.out_end = out + size;
    for (bool last = false; !last;) {
        bits_fill(&s);
        last = bits_take(&s, 1) != 0;
        uint32_t kind = bits_take(&s, 2);
        bool     good = kind == 0   ? inflate_stored(&s)
                        : kind == 1 ? inflate_fixed(&s)
                        : kind == 2 ? inflate_dynamic(&s)
                                    : false;
        if (!good || bits_overrun(&s))
            return false;
    }
    return s.cursor == s.out_end && adler32(out, size) == emberi_get_u32_big(data + data_size - 4);
}
