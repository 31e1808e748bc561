/* SPDX-License-Identifier: MIT */
/* A quick block whose bytes are worked out by hand from docs/formats/squeeze.md. Both methods together are in
   tests/squeeze.
   Covers: quick_open.c, quick_read.c, quick_write.c. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze/squeeze_made.h"

/* One bone, three frames: only x moves, from 1.0 over 1.5 + a step to 2.0. All bytes are by hand. */
TEST(a_quick_block_is_as_the_text_says)
{
    static const uint8_t rest[16] = {0x03, 0x08, 0x20, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x3c, 0, 0x3c, 0, 0x3c};
    static const uint8_t expected[] = {
        1,    1,    3, 0, /* quick, 1 bone, 3 frames */
        4,                /* spans of at most 4 */
        2,                /* x moves */
        0x00, 0x3c,       /* key row of frame 0: 1.0 */
        0x00, 0x40,       /* of frame 2: 2.0 */
        14,   0,    0, 0, /* where the span begins */
        1,    0,          /* its only level's rows take a byte */
        2,                /* x: width 2, slope 0 */
        0x01,             /* the middle of 3c00 and 4000 is 3e00; 3e01 is one more */
    };
    uint8_t frames[3 * 16];
    for (int i = 0; i < 3; i++)
        memcpy(frames + 16 * i, rest, 16);
    emberi_put_u16(frames + 4, 0x3c00);
    emberi_put_u16(frames + 20, 0x3e01);
    emberi_put_u16(frames + 36, 0x4000);
    made_clip  clip = {.bone_count = 1,
                       .frame_count = 3,
                       .frames = frames,
                       .rig = {.bone_count = 1, .rest = rest}};
    made_block block = made_clip_squeeze(&clip, EMBER_SQUEEZE_QUICK);
    assert_int_equal(block.size, sizeof(expected));
    assert_memory_equal(block.data, expected, sizeof(expected));

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
