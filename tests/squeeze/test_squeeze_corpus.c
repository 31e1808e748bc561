/* SPDX-License-Identifier: MIT */
/* Every frame of every clip of EMBER_CORPUS, in all spaces and by all methods, comes back byte for byte: in
   order, at random, from nothing and, where that can be, without memory. Skips where there is no corpus. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze_made.h"

#include "squeeze_sets.h"

static void expect_frame(ember_squeeze_cursor *cursor, const set_clip *clip, const clip_set *set,
                         uint32_t frame)
{
    uint8_t      out[EMBER_MAX_BONES * 16];
    const size_t size = (size_t)set->rig.bone_count * 16;
    assert_int_equal(ember_squeeze_read(out, size, cursor, frame), EMBER_OK);
    if (memcmp(out, clip->frames + frame * size, size) != 0)
        fail_msg("%s: frame %u of %u differs", set->name, (unsigned)frame, (unsigned)clip->frame_count);
}

static void expect_clip(const set_clip *source, const clip_set *set, ember_squeeze_method method)
{
    made_clip            clip = {.bone_count = set->rig.bone_count,
                                 .frame_count = source->frame_count,
                                 .frames = (uint8_t *)(uintptr_t)source->frames,
                                 .rig = set->rig};
    made_block           made = made_clip_squeeze(&clip, method);
    ember_squeezed       block;
    ember_squeeze_cursor cursor;
    test_random          random = {7};
    assert_int_equal(ember_squeeze_open(&block, made.data, made.size, &set->rig, NULL), EMBER_OK);
    void *memory = made_cursor(&cursor, &block);
    for (uint32_t frame = 0; frame < source->frame_count; frame++)
        expect_frame(&cursor, source, set, frame);
    for (uint32_t i = 0; i < source->frame_count; i++)
        expect_frame(&cursor, source, set, test_random_u32(&random) % source->frame_count);
    for (uint32_t frame = 0; frame < source->frame_count; frame++) {
        ember_squeeze_cursor_reset(&cursor);
        expect_frame(&cursor, source, set, frame);
    }
    if (method != EMBER_SQUEEZE_SMALL) {
        assert_int_equal(ember_squeeze_cursor_init(&cursor, &block, NULL, 0), EMBER_OK);
        for (uint32_t frame = 0; frame < source->frame_count; frame++)
            expect_frame(&cursor, source, set, frame);
    }
    free(memory);
    free(made.data);
}

static void expect_corpus(set_form form)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    clip_set    sets[8];
    uint32_t    clips = 0;
    const int   count = clip_sets_corpus(sets, 8, form, &arena);
    assert_true(count >= 0);
    if (count == 0) {
        print_message("EMBER_CORPUS is not set\n");
        skip();
    }
    for (int i = 0; i < count; i++)
        for (uint32_t c = 0; c < sets[i].clip_count; c++, clips++)
            for (uint32_t method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++)
                expect_clip(&sets[i].clips[c], &sets[i], (ember_squeeze_method)method);
    assert_int_equal(clips, 76 + 14 + 3 + 1 + 4);
    ember_arena_free(&arena);
}

TEST(every_local_frame_comes_back) { expect_corpus(SET_LOCAL_PLAIN); }

TEST(every_local_frame_fitted_in_a_closed_loop_comes_back) { expect_corpus(SET_LOCAL_CLOSED); }

TEST(every_frame_in_model_space_comes_back) { expect_corpus(SET_MODEL); }
