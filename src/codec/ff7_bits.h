/* SPDX-License-Identifier: MIT */
/* The bit codes of Final Fantasy VII's battle animations: frames of 16-bit values to and from bits, most
   significant first. Knows nothing of chunks and headers, nor of what the values mean:
   format/ff7/ff7_rotation.c makes quaternions of them. Reading stops for good at the first frame that is not
   whole; nothing past `size` is touched. */
#ifndef EMBER_CODEC_FF7_BITS_H
#define EMBER_CODEC_FF7_BITS_H

#include "ember/base.h"

#define EMBERI_FF7_MAX_KEY 11u /* a rotation has 12 - key bits, at least one */

/* ---- out of bits ---- */

typedef struct emberi_ff7_reader {
    const uint8_t *data;
    size_t         size;
    uint64_t       bit;         /* where the next frame begins */
    uint32_t       key;         /* 0..EMBERI_FF7_MAX_KEY */
    uint32_t       value_count; /* rotation values of a frame: three per triple */
    bool           begun;       /* the first frame, which has no frame before it, has been read */
} emberi_ff7_reader;

/* The next frame: 3 position values and value_count rotation values, accumulated over the frame before (NULL
   for the first). False, and the reader does not move, where the frame is not whole; what was written so far
   has no meaning then. */
bool emberi_ff7_read_frame(emberi_ff7_reader *reader, int16_t position[3], int16_t *rotations,
                           const int16_t before_position[3], const int16_t *before);

/* The same without the values. */
bool emberi_ff7_skip_frame(emberi_ff7_reader *reader);

/* ---- into bits ---- */

typedef struct emberi_ff7_writer {
    uint8_t *data; /* NULL: bits are only counted */
    size_t   size;
    uint64_t bit;
    uint64_t pending; /* the last bits, not stored yet */
    uint32_t pending_count;
    uint32_t key;
    uint32_t value_count;
} emberi_ff7_writer;

/* Bytes that are enough for any frame. */
static inline size_t emberi_ff7_frame_bound(uint32_t value_count) { return 8 + (size_t)value_count * 2; }

/* Appends a frame in the shortest codes. `before` is the frame before as it was given, not as it was rounded;
   NULL for the first. The writer's size must have room: emberi_ff7_frame_bound for every frame, and 8. */
void emberi_ff7_write_frame(emberi_ff7_writer *writer, const int16_t position[3], const int16_t *rotations,
                            const int16_t before_position[3], const int16_t *before);

/* Stores the bits of the last byte, filled up with zeros; returns the size in bytes. */
size_t emberi_ff7_write_end(emberi_ff7_writer *writer);

/* A rotation value as it will be read, modulo 4096: rounded to what the key leaves. */
static inline int16_t emberi_ff7_rounded(int16_t value, uint32_t key)
{
    int32_t half = key != 0 ? 1 << (key - 1) : 0;
    return (int16_t)(((value + half) >> key) * (1 << key));
}

#endif
