/* SPDX-License-Identifier: MIT */
/* Packs for tests, made bit by bit from the format's description, by none of the library's code. */
#ifndef EMBER_TESTS_FF7_PACKS_H
#define EMBER_TESTS_FF7_PACKS_H

#include "testing.h"

/* ---- bytes and bits ---- */

typedef struct made {
    uint8_t *data;
    size_t   size, room;
    size_t   bit; /* of the values that are being written, from the byte `size` on */
} made;

static inline void made_byte(made *m, unsigned byte)
{
    if (m->size == m->room) {
        m->room = m->room * 2 + 64;
        m->data = realloc(m->data, m->room);
        assert_non_null(m->data);
    }
    m->data[m->size++] = (uint8_t)byte;
}

static inline void made_u16(made *m, unsigned value)
{
    made_byte(m, value & 255u);
    made_byte(m, value >> 8 & 255u);
}

static inline void made_u32(made *m, uint32_t value)
{
    made_u16(m, value & 0xFFFFu);
    made_u16(m, value >> 16);
}

static inline void made_set_u32(made *m, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        m->data[at + i] = (uint8_t)(value >> (8 * i));
}

static inline void made_bits(made *m, int32_t value, unsigned count)
{
    for (unsigned i = count; i-- > 0;) {
        if (m->bit % 8 == 0)
            made_byte(m, 0);
        if (((uint32_t)value >> i & 1u) != 0)
            m->data[m->size - 1] |= (uint8_t)(0x80u >> m->bit % 8);
        m->bit++;
    }
}

/* ---- codes ---- */

static inline void made_position(made *m, int32_t change)
{
    change = (int16_t)change;
    made_bits(m, change < -64 || change > 63, 1);
    made_bits(m, change, change < -64 || change > 63 ? 16 : 7);
}

/* masked: every negative change takes the long code, as a tool writes it that loses the sign too early. */
static inline void made_rotation(made *m, int32_t change, unsigned key, bool masked)
{
    int32_t limit = 1 << (12 - key);
    change = ((change % limit) + limit) % limit;
    change = change >= limit / 2 ? change - limit : change;
    if (change == 0) {
        made_bits(m, 0, 1);
        return;
    }
    made_bits(m, 1, 1);
    if (change == -1 && !masked) {
        made_bits(m, 0, 3);
        return;
    }
    for (int n = 1; n <= 6 && !(masked && change < 0); n++) {
        int32_t half = 1 << (n - 1);
        bool    up = change >= half && change < 2 * half, down = change >= -2 * half && change < -half;
        if (!up && !down)
            continue;
        made_bits(m, n, 3);
        made_bits(m, up ? change - half : change + half, (unsigned)n);
        return;
    }
    made_bits(m, 7, 3);
    made_bits(m, change, 12 - key);
}

/* ---- clips ---- */

typedef struct made_clip {
    uint32_t bones_field, triples, frames;
    unsigned key;
    bool     masked;
    int      size;     /* of changes: 0 all kinds, else up to this */
    unsigned trailing; /* bytes of junk behind the padding */
} made_clip;

static inline int32_t made_change(test_random *r, int size)
{
    uint32_t u = test_random_u32(r);
    if (size != 0)
        return (int32_t)(u % (2u * (unsigned)size + 1u)) - size;
    switch (u % 4) {
    case 0:
        return 0;
    case 1:
        return (int32_t)(u >> 8 & 7u) - 4;
    case 2:
        return (int32_t)(u >> 8 & 127u) - 64;
    default:
        return (int32_t)(u >> 8 & 4095u) - 2048;
    }
}

/* Appends a chunk of random values; returns where it begins. */
static inline size_t made_add(made *m, const made_clip *clip, test_random *r)
{
    size_t start = m->size, payload, values;
    made_u32(m, clip->bones_field);
    made_u32(m, clip->frames);
    made_u32(m, 0);
    payload = m->size;
    made_u16(m, clip->frames);
    made_u16(m, 0);
    made_byte(m, clip->key);
    values = m->size;
    m->bit = 0;
    for (uint32_t f = 0; f < clip->frames; f++) {
        for (int i = 0; i < 3; i++) {
            uint32_t any = test_random_u32(r), less = test_random_u32(r) & 15u;
            if (f == 0)
                made_bits(m, (int32_t)(any & 0xFFFFu), 16);
            else
                made_position(m, clip->size != 0 ? made_change(r, clip->size) : (int32_t)(any >> less));
        }
        for (uint32_t i = 0; i < clip->triples * 3; i++) {
            if (f == 0)
                made_bits(m, (int32_t)(test_random_u32(r) & 0xFFFu), 12 - clip->key);
            else
                made_rotation(m, made_change(r, clip->size), clip->key, clip->masked);
        }
    }
    size_t size = m->size - values;
    m->data[payload + 2] = (uint8_t)size;
    m->data[payload + 3] = (uint8_t)(size >> 8);
    while ((m->size - payload) % 4 != 0)
        made_byte(m, 0);
    for (unsigned i = 0; i < clip->trailing; i++)
        made_byte(m, 0xAA);
    made_set_u32(m, start + 8, (uint32_t)(m->size - payload));
    return start;
}

static inline void made_add_special(made *m, uint32_t bones_field)
{
    static const uint8_t slot[4] = {0x0D, 0x0A, 0x00, 0x00};
    made_u32(m, bones_field);
    made_u32(m, 1);
    made_u32(m, 4);
    for (int i = 0; i < 4; i++)
        made_byte(m, slot[i]);
}

/* A pack of a model with three bones and a weapon: every key, a slot in both halves, junk
   behind two clips. */
static inline made made_pack(uint64_t seed)
{
    test_random r = {seed};
    made        m = {NULL, 0, 0, 0};
    made_u32(&m, 8);
    made_add(&m, &(made_clip){4, 4, 6, 0, false, 0, 0}, &r);
    made_add(&m, &(made_clip){4, 4, 5, 2, true, 0, 3}, &r);
    made_add_special(&m, 4);
    made_add(&m, &(made_clip){4, 4, 9, 4, false, 9, 0}, &r);
    made_add(&m, &(made_clip){1, 1, 6, 0, false, 0, 0}, &r);
    made_add(&m, &(made_clip){1, 1, 5, 0, true, 0, 0}, &r);
    made_add_special(&m, 1);
    made_add(&m, &(made_clip){1, 1, 9, 2, false, 0, 5}, &r);
    return m;
}

/* A whole pack of one chunk with that payload. */
static inline made made_one(uint32_t bones_field, uint32_t frames_field, const void *payload, size_t size)
{
    made m = {NULL, 0, 0, 0};
    made_u32(&m, 1);
    made_u32(&m, bones_field);
    made_u32(&m, frames_field);
    made_u32(&m, (uint32_t)size);
    for (size_t i = 0; i < size; i++)
        made_byte(&m, ((const uint8_t *)payload)[i]);
    return m;
}

#endif
