/* SPDX-License-Identifier: MIT */
/* Damaged blocks: cut at every length, with every byte changed, with many bytes changed, and made up. Each
   lies in a block of exactly its size, so that the sanitizers see the first byte read outside; whatever is
   read, it ends with an error or with frames. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze_made.h"

/* Reads all frames, from nothing and in order; how many failed. */
static uint32_t read_all(const uint8_t *data, size_t size, const ember_squeeze_rig *rig)
{
    uint8_t       *exact = test_exact_copy(data, size);
    ember_squeezed block;
    ember_error    err = EMBER_ERROR_INIT;
    ember_status   status = ember_squeeze_open(&block, exact, size, rig, &err);
    uint32_t       failed = 0;
    if (status != EMBER_OK) {
        assert_int_equal(err.status, status);
        assert_true(err.text[0] != '\0');
        free(exact);
        return 1;
    }
    const size_t         frame_size = (size_t)block.bone_count * 16;
    uint8_t             *out = test_alloc(frame_size);
    ember_squeeze_cursor cursor;
    void                *memory = made_cursor(&cursor, &block);
    for (int fresh = 0; fresh < 2; fresh++)
        for (uint32_t frame = 0; frame < block.frame_count && frame < 200; frame++) {
            if (fresh != 0)
                ember_squeeze_cursor_reset(&cursor);
            status = ember_squeeze_read(out, frame_size, &cursor, frame);
            assert_true(status == EMBER_OK || status == EMBER_E_MALFORMED);
            failed += status != EMBER_OK;
        }
    if (block.method != EMBER_SQUEEZE_SMALL) {
        assert_int_equal(ember_squeeze_cursor_init(&cursor, &block, NULL, 0), EMBER_OK);
        for (uint32_t frame = 0; frame < block.frame_count && frame < 200; frame++)
            failed += ember_squeeze_read(out, frame_size, &cursor, frame) != EMBER_OK;
    }
    free(memory);
    free(out);
    free(exact);
    return failed;
}

typedef struct hostile_case {
    made_kind kind;
    uint32_t  bones, frames;
    uint64_t  seed; /* odd: model space */
} hostile_case;

static const hostile_case cases[] = {
    {MADE_MOTION, 5, 12, 2}, {MADE_MOTION, 5, 12, 3}, {MADE_SCALE, 3, 70, 4}, {MADE_SCALE, 3, 70, 5},
    {MADE_NOISE, 2, 9, 7},   {MADE_STILL, 4, 3, 1},   {MADE_MOTION, 1, 1, 1}, {MADE_DRIFT, 2, 40, 2},
    {MADE_MOTION, 1, 2, 2},  {MADE_MOTION, 0, 4, 1},
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

TEST(a_block_cut_at_any_length_fails)
{
    for (size_t c = 0; c < CASES; c++)
        for (uint32_t method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
            made_clip  clip = made_clip_make(cases[c].kind, cases[c].bones, cases[c].frames, cases[c].seed);
            made_block block = made_clip_squeeze(&clip, (ember_squeeze_method)method);
            assert_int_equal(read_all(block.data, block.size, &clip.rig), 0);
            for (size_t size = 0; size < block.size; size++)
                if (read_all(block.data, size, &clip.rig) == 0)
                    fail_msg("case %u, method %u: cut at %u of %u bytes nothing fails", (unsigned)c,
                             (unsigned)method, (unsigned)size, (unsigned)block.size);
            free(block.data);
            made_clip_free(&clip);
        }
}

TEST(a_block_with_any_byte_changed_does_no_harm)
{
    static const uint8_t masks[] = {0x01, 0x90};
    for (size_t c = 0; c < CASES; c++)
        for (uint32_t method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
            made_clip  clip = made_clip_make(cases[c].kind, cases[c].bones, cases[c].frames, cases[c].seed);
            made_block block = made_clip_squeeze(&clip, (ember_squeeze_method)method);
            for (size_t at = 0; at < block.size; at++)
                for (size_t m = 0; m < sizeof(masks); m++) {
                    block.data[at] ^= masks[m];
                    (void)read_all(block.data, block.size, &clip.rig);
                    block.data[at] ^= masks[m];
                }
            free(block.data);
            made_clip_free(&clip);
        }
}

TEST(a_block_with_many_bytes_changed_does_no_harm)
{
    test_random random = {77};
    for (uint32_t round = 0; round < 1500; round++) {
        const hostile_case *c = &cases[round % CASES];
        made_clip           clip = made_clip_make(c->kind, c->bones, c->frames, c->seed);
        made_block          block = made_clip_squeeze(&clip, (ember_squeeze_method)(1 + round / CASES % 2));
        const uint32_t      changes = 1 + test_random_u32(&random) % 16;
        for (uint32_t i = 0; i < changes && block.size > 5; i++)
            block.data[4 + test_random_u32(&random) % (block.size - 4)] = (uint8_t)test_random_u32(&random);
        (void)read_all(block.data, block.size, &clip.rig);
        free(block.data);
        made_clip_free(&clip);
    }
}

TEST(a_made_up_block_does_no_harm)
{
    test_random random = {78};
    for (uint32_t round = 0; round < 8000; round++) {
        const uint32_t bones = test_random_u32(&random) % 4, size = 5 + test_random_u32(&random) % 120;
        made_clip      clip = made_clip_make(MADE_MOTION, bones, 1, round);
        uint8_t       *data = test_alloc(size);
        for (uint32_t i = 0; i < size; i++)
            data[i] = (uint8_t)(test_random_u32(&random) & (test_random_u32(&random) % 3 == 0 ? 255u : 17u));
        data[0] = (uint8_t)(1 + round % 2);
        data[1] = (uint8_t)bones;
        data[2] = (uint8_t)(test_random_u32(&random) % 80);
        data[3] = 0;
        data[4] =
            (uint8_t)(round % 2 == 0 ? 1 + test_random_u32(&random) % 32 : test_random_u32(&random) % 2);
        (void)read_all(data, size, &clip.rig);
        free(data);
        made_clip_free(&clip);
    }
}

/* A reader may be given another rig than the writer had; offsets that are no numbers must not matter. */
TEST(a_rig_of_anything_does_no_harm)
{
    test_random random = {79};
    made_clip   clip = made_clip_make(MADE_MOTION, 9, 50, 3);
    made_block  block = made_clip_squeeze(&clip, EMBER_SQUEEZE_SMALL);
    for (uint32_t round = 0; round < 200; round++) {
        for (size_t i = 0; i < 9 * 12; i++)
            clip.offsets[i] = (uint8_t)test_random_u32(&random);
        for (size_t i = 0; i < 9 * 16; i++)
            clip.rest[i] = (uint8_t)test_random_u32(&random);
        for (uint32_t bone = 1; bone < 9; bone++)
            clip.parents[bone] = (int16_t)(test_random_u32(&random) % (bone + 1)) - 1;
        clip.rig.offsets = round % 3 == 0 ? NULL : clip.offsets;
        clip.rig.parents = round % 5 == 0 ? NULL : clip.parents;
        (void)read_all(block.data, block.size, &clip.rig);
    }
    free(block.data);
    made_clip_free(&clip);
}

TEST(a_failed_read_leaves_the_cursor_usable)
{
    made_clip            clip = made_clip_make(MADE_MOTION, 5, 70, 2);
    made_block           made = made_clip_squeeze(&clip, EMBER_SQUEEZE_SMALL);
    ember_squeezed       block;
    ember_squeeze_cursor cursor;
    uint8_t              out[5 * 16];
    assert_int_equal(ember_squeeze_open(&block, made.data, made.size, &clip.rig, NULL), EMBER_OK);
    void *memory = made_cursor(&cursor, &block);
    block.size -= 1; /* the last row is cut */
    uint32_t failed = 0;
    for (uint32_t frame = 0; frame < 70; frame++)
        failed += ember_squeeze_read(out, sizeof(out), &cursor, frame) != EMBER_OK;
    assert_true(failed > 0);
    for (uint32_t frame = 0; frame < 8; frame++) {
        assert_int_equal(ember_squeeze_read(out, sizeof(out), &cursor, frame), EMBER_OK);
        assert_memory_equal(out, clip.frames + frame * sizeof(out), sizeof(out));
    }
    free(memory);
    free(made.data);
    made_clip_free(&clip);
}
