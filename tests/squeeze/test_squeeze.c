/* SPDX-License-Identifier: MIT */
/* Squeezing without loss: every frame of clips of all kinds comes back byte for byte, in order, at random and
   from nothing; and one test for each rule of the interface. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze_made.h"

static const ember_squeeze_method methods[] = {EMBER_SQUEEZE_RAW, EMBER_SQUEEZE_QUICK, EMBER_SQUEEZE_SMALL};
#define METHODS (sizeof(methods) / sizeof(methods[0]))

static void expect_frame(const made_clip *clip, ember_squeeze_cursor *cursor, uint32_t frame)
{
    const size_t size = (size_t)clip->bone_count * 16;
    uint8_t     *out = test_alloc(size);
    assert_int_equal(ember_squeeze_read(out, size, cursor, frame), EMBER_OK);
    if (memcmp(out, clip->frames + frame * size, size) != 0)
        fail_msg("frame %u of %u, %u bones differs", (unsigned)frame, (unsigned)clip->frame_count,
                 (unsigned)clip->bone_count);
    free(out);
}

static void expect_all(const made_clip *clip, ember_squeeze_method method)
{
    made_block           made = made_clip_squeeze(clip, method);
    ember_squeezed       block;
    ember_error          err = EMBER_ERROR_INIT;
    ember_squeeze_cursor cursor;
    test_random          random = {99};
    assert_int_equal(ember_squeeze_open(&block, made.data, made.size, &clip->rig, &err), EMBER_OK);
    assert_int_equal(block.bone_count, clip->bone_count);
    assert_int_equal(block.frame_count, clip->frame_count);
    assert_int_equal(block.method, method);
    void *memory = made_cursor(&cursor, &block);
    for (uint32_t i = 0; i < clip->frame_count; i++)
        expect_frame(clip, &cursor, i);
    for (uint32_t i = clip->frame_count; i-- > 0;)
        expect_frame(clip, &cursor, i);
    for (uint32_t i = 0; i < clip->frame_count && i < 64; i++)
        expect_frame(clip, &cursor, test_random_u32(&random) % clip->frame_count);
    for (uint32_t i = 0; i < clip->frame_count; i++) {
        ember_squeeze_cursor_reset(&cursor);
        expect_frame(clip, &cursor, i);
    }
    if (method != EMBER_SQUEEZE_SMALL) {
        assert_int_equal(ember_squeeze_cursor_init(&cursor, &block, NULL, 0), EMBER_OK);
        for (uint32_t i = 0; i < clip->frame_count; i++)
            expect_frame(clip, &cursor, i);
    }
    free(memory);
    free(made.data);
}

TEST(every_kind_of_clip_comes_back)
{
    for (uint32_t round = 0; round < 210; round++) {
        const uint32_t bones = 1 + round * 5 % 41, frames = 1 + round * 7 % 71;
        made_clip      clip = made_clip_make((made_kind)(round % MADE_KINDS), bones, frames, round);
        for (size_t m = 0; m < METHODS; m++)
            expect_all(&clip, methods[m]);
        made_clip_free(&clip);
    }
}

TEST(every_number_of_frames_comes_back)
{
    for (uint32_t frames = 0; frames <= 140; frames++) {
        made_clip clip = made_clip_make(frames % 3 == 0 ? MADE_SCALE : MADE_MOTION, 5, frames, frames);
        for (size_t m = 0; m < METHODS; m++)
            expect_all(&clip, methods[m]);
        made_clip_free(&clip);
    }
}

TEST(no_bones_one_bone_and_the_most_bones_come_back)
{
    static const uint32_t counts[] = {0, 1, 254, 255};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (uint32_t kind = 0; kind < MADE_KINDS; kind++)
            for (uint32_t frames = 0; frames <= 40; frames += 20) {
                made_clip clip = made_clip_make((made_kind)kind, counts[i], frames, kind + frames / 20);
                for (size_t m = 0; m < METHODS; m++)
                    expect_all(&clip, methods[m]);
                made_clip_free(&clip);
            }
}

TEST(the_most_frames_come_back)
{
    made_clip clip = made_clip_make(MADE_MOTION, 2, EMBER_MAX_FRAMES, 1);
    for (size_t m = 0; m < METHODS; m++)
        expect_all(&clip, methods[m]);
    made_clip_free(&clip);
}
