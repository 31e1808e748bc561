/* SPDX-License-Identifier: MIT */
/* A small block whose bits are worked out by hand from docs/formats/squeeze.md, and its codes. Both methods
   together are in tests/squeeze.
   Covers: small_codes.c, small_decode_table.c, small_read.c, small_rows.c, small_write.c. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze/squeeze_made.h"

#include "squeeze/small/small_codes.h"

/* One bone, three frames: only x moves, from 1.0 over 1.5 + a step to 2.0. Key rows: residuals 15360 and
   1024, of which class 3 (parameter 9) is the shortest for the first: number 30720, 31232 with 512, in 15
   bits with 5 zeros before; for the second 2048, 2560, in 12 bits with 2 zeros. The row between expects
   nothing of y and z, so x comes alone: its residual 1. */
TEST(a_small_block_is_as_the_text_says)
{
    static const uint8_t rest[16] = {0x03, 0x08, 0x20, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x3c, 0, 0x3c, 0, 0x3c};
    uint8_t              frames[3 * 16], expected[32] = {2, 1, 3, 0, 0, 2};
    uint32_t             at = 6 * 8;
    for (int i = 0; i < 3; i++)
        memcpy(frames + 16 * i, rest, 16);
    emberi_put_u16(frames + 4, 0x3c00);
    emberi_put_u16(frames + 20, 0x3e01);
    emberi_put_u16(frames + 36, 0x4000);
    made_clip      clip = {.bone_count = 1,
                           .frame_count = 3,
                           .frames = frames,
                           .rig = {.bone_count = 1, .rest = rest}};
    made_block     block = made_clip_squeeze(&clip, EMBER_SQUEEZE_SMALL);
    /* The outlook is 3 * 1024, the vector's 3 * (2 * 3072 + 1024) = 21504; 2 * 3072 + 21504 * 3 / 32 = 8160
       reaches all seven limits: the last code. */
    const uint8_t *lengths = emberi_small_single_lengths[7];
    uint32_t       code = 0, symbol = 2; /* the number of residual 1 */
    for (uint32_t i = 0; i < SMALL_SINGLE_SYMBOLS; i++)
        if (lengths[i] < lengths[symbol] || (lengths[i] == lengths[symbol] && i < symbol))
            code += 1u << (lengths[symbol] - lengths[i]);
    const struct {
        uint32_t value, bits;
    } parts[] = {{7, 3}, {31232, 20}, {0, 1}, {7, 3}, {2560, 14}, {0, 7}, {code, lengths[symbol]}};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        for (uint32_t bit = parts[i].bits; bit-- > 0; at++)
            expected[at / 8] |= (uint8_t)((parts[i].value >> bit & 1u) << (7 - at % 8));
    assert_int_equal(block.size, (at + 7) / 8);
    assert_memory_equal(block.data, expected, block.size);

    ember_squeezed       opened;
    ember_squeeze_cursor cursor;
    uint8_t              out[16];
    assert_int_equal(ember_squeeze_open(&opened, block.data, block.size, &clip.rig, NULL), EMBER_OK);
    void *memory = made_cursor(&cursor, &opened);
    for (uint32_t i = 3; i-- > 0;) {
        assert_int_equal(ember_squeeze_read(out, sizeof(out), &cursor, i), EMBER_OK);
        assert_memory_equal(out, frames + 16 * i, 16);
    }
    free(memory);
    free(block.data);
}

/* ---- codes ---- */

static void expect_code(const uint8_t *lengths, const uint16_t *decode, uint32_t symbols, uint32_t bits)
{
    uint32_t code = 0, filled = 0;
    for (uint32_t length = 1; length <= bits; length++, code <<= 1)
        for (uint32_t symbol = 0; symbol < symbols; symbol++)
            if (lengths[symbol] == length) {
                for (uint32_t i = code << (bits - length); i < (code + 1) << (bits - length); i++, filled++)
                    assert_int_equal(decode[i], symbol << 4 | length);
                code++;
            }
    assert_int_equal(filled, 1u << bits); /* every code is whole: no bits are left without a meaning */
}

TEST(the_tables_for_decoding_follow_from_the_lengths)
{
    static const uint32_t limits[] = {1, 32, 112, 320, 640, 1792, 7168};
    for (uint32_t x = 1; x < 10000; x++) {
        uint32_t reached = 0;
        for (uint32_t i = 0; i < 7; i++)
            reached += x >= limits[i];
        assert_int_equal(emberi_small_single_class[x / 16 < SMALL_CLASSES ? x / 16 : SMALL_CLASSES - 1],
                         reached);
    }
    for (uint32_t c = 0; c < SMALL_TRIPLE_CODES; c++)
        expect_code(emberi_small_triple_lengths[c], emberi_small_triple_decode[c], SMALL_TRIPLE_SYMBOLS,
                    SMALL_TRIPLE_BITS);
    for (uint32_t c = 0; c < SMALL_SINGLE_CODES; c++)
        expect_code(emberi_small_single_lengths[c], emberi_small_single_decode[c], SMALL_SINGLE_SYMBOLS,
                    SMALL_SINGLE_BITS);
}
