/* SPDX-License-Identifier: MIT */
/* Hostile packs: cut anywhere, flipped anywhere. Whatever comes of it, nothing is read past the end (the
   blocks are exact, for a sanitizer to see), every frame counted is there, and what can be read can be
   written and repaired. */
#include "ff7_packs.h"
#include "fixtures/notes.h"
#include "fixtures/prefix.h"

#define FLIPS 100000

/* The bits of a frame are never fewer than this, so there are never more frames than fit. */
static void check_frames_are_there(const ember_ff7_pack *pack)
{
    for (uint32_t i = 0; i < pack->chunk_count; i++) {
        const ember_ff7_chunk *chunk = &pack->chunks[i];
        uint64_t               bits = (uint64_t)chunk->values_size * 8;
        assert_true(chunk->bit_count <= bits);
        assert_true(chunk->payload >= pack->data &&
                    chunk->payload + chunk->payload_size <= pack->data + pack->size);
        assert_true(chunk->values_size <= chunk->payload_size);
        if (chunk->frame_count != 0)
            assert_true(48 + (uint64_t)(chunk->frame_count - 1) * (24 + 3 * (uint64_t)chunk->triple_count) <=
                        bits);
    }
}

static void repair_and_read_again(const ember_ff7_pack *pack)
{
    ember_buffer   out = {.allocator = ember_heap()};
    ember_arena    arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_pack again;
    if (ember_ff7_repair(&out, pack, NULL, NULL, NULL) == EMBER_OK) {
        assert_int_equal(ember_ff7_pack_read(&again, out.data, out.size, NULL, &arena, NULL), EMBER_OK);
        assert_int_equal(again.chunk_count, again.count_field);
        for (uint32_t i = 0; i < again.chunk_count; i++)
            assert_int_equal(again.chunks[i].odd &
                                 (EMBER_FF7_ODD_FEWER | EMBER_FF7_ODD_CUT | EMBER_FF7_ODD_SIZE |
                                  EMBER_FF7_ODD_NOTHING | EMBER_FF7_ODD_HEADER | EMBER_FF7_ODD_KEY),
                             0);
    }
    ember_arena_free(&arena);
    ember_buffer_free(&out);
}

static const ember_ff7_bone     bones[3] = {{-1, -10.0f, true}, {0, -10.0f, true}, {1, -10.0f, false}};
static const ember_ff7_skeleton skeleton = {.bone_count = 3, .bones = bones};

/* Everything that may be done with bytes that are no pack. Returns whether they were read; *warned, whether
   anything was said. */
static bool survive(const uint8_t *data, size_t size, bool all, bool *warned)
{
    ember_arena        arena = ember_arena_growing(ember_heap(), (size_t)64 << 20);
    fixture_notes      notes;
    ember_read_options reading = {.format = EMBER_FORMAT_FF7,
                                  .notes = fixture_listen(&notes),
                                  .ff7 = &(ember_ff7_options){.skeleton = &skeleton}};
    ember_model        model;
    ember_error        err = EMBER_ERROR_INIT;
    ember_status       status = ember_model_read(&model, data, size, &reading, &arena, &err);
    ember_ff7_pack     pack;
    if (status != EMBER_OK)
        assert_true(err.text[0] != '\0');
    else if (all) {
        ember_buffer        out = {.allocator = ember_heap()};
        ember_write_options writing = {.format = EMBER_FORMAT_FF7};
        (void)ember_model_write(&out, &model, &writing, NULL);
        ember_buffer_free(&out);
    }
    if (ember_ff7_pack_read(&pack, data, size, NULL, &arena, NULL) == EMBER_OK) {
        check_frames_are_there(&pack);
        for (uint32_t i = 0; all && i < pack.chunk_count; i++)
            (void)ember_ff7_codes_wasted(&pack.chunks[i]);
        if (all)
            repair_and_read_again(&pack);
    }
    ember_arena_free(&arena);
    *warned = notes.count[EMBER_NOTE_WARNING] != 0;
    return status == EMBER_OK;
}

TEST(every_truncation_is_said)
{
    made m = made_pack(11);
    for (fixture_prefix p = fixture_prefixes(m.data, m.size); fixture_prefix_next(&p);) {
        bool warned;
        if (survive(p.data, p.size, true, &warned))
            assert_true(warned);
    }
    bool warned;
    assert_true(survive(m.data, m.size, true, &warned));
    assert_false(warned);
    free(m.data);
}

TEST(random_flips_are_survived)
{
    test_random r = {12};
    unsigned    read = 0, said = 0;
    for (int round = 0; round < FLIPS / 1000; round++) {
        made     m = made_pack(100 + (uint64_t)round);
        uint8_t *copy = test_exact_copy(m.data, m.size);
        for (int i = 0; i < 1000; i++) {
            bool   warned;
            size_t at[3];
            int    count = 1 + (int)(test_random_u32(&r) % 3);
            for (int k = 0; k < count; k++) {
                at[k] = test_random_u32(&r) % m.size;
                copy[at[k]] = (uint8_t)test_random_u32(&r);
            }
            bool good = survive(copy, m.size, i % 16 == 0, &warned);
            read += good ? 1u : 0u;
            said += warned || !good ? 1u : 0u;
            for (int k = 0; k < count; k++)
                copy[at[k]] = m.data[at[k]];
        }
        free(copy);
        free(m.data);
    }
    print_message("%d flips: %u read, something said of %u\n", FLIPS, read, said);
    assert_true(read > FLIPS / 2);
    assert_true(said > FLIPS / 20);
}

TEST(every_failing_allocation_is_survived)
{
    made m = made_pack(13);
    for (size_t limit = 64;; limit += limit / 8) {
        void              *memory = test_alloc(limit);
        ember_arena        arena = ember_arena_fixed(memory, limit);
        ember_read_options reading = {.format = EMBER_FORMAT_FF7};
        ember_model        model;
        ember_status       status = ember_model_read(&model, m.data, m.size, &reading, &arena, NULL);
        free(memory);
        if (status == EMBER_OK)
            break;
        assert_int_equal(status, EMBER_E_NOMEM);
        assert_true(limit < (size_t)1 << 24);
    }
    free(m.data);
}

TEST(hostile_skeletons_are_refused)
{
    uint8_t     aa[52 + 12 * 3];
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(aa, 0, sizeof(aa));
    aa[0x0C] = 3;
    memset(aa + 52, 0xFF, 4);
    aa[52 + 24] = 1;
    ember_ff7_skeleton read;
    assert_int_equal(ember_ff7_skeleton_read(&read, aa, sizeof(aa), &arena, NULL), EMBER_OK);
    assert_int_equal(read.bones[0].parent, -1);
    assert_int_equal(read.bones[2].parent, 1);
    for (fixture_prefix p = fixture_prefixes(aa, sizeof(aa)); fixture_prefix_next(&p);)
        assert_int_equal(ember_ff7_skeleton_read(&read, p.data, p.size, &arena, NULL), EMBER_E_TRUNCATED);
    aa[52 + 12] = 1; /* its own parent */
    assert_int_equal(ember_ff7_skeleton_read(&read, aa, sizeof(aa), &arena, NULL), EMBER_E_MALFORMED);
    aa[52 + 12] = 0;
    memset(aa + 52 + 4, 0xFF, 4); /* not a number */
    assert_int_equal(ember_ff7_skeleton_read(&read, aa, sizeof(aa), &arena, NULL), EMBER_E_RANGE);
    aa[0x0F] = 0x80; /* fewer than none */
    assert_int_equal(ember_ff7_skeleton_read(&read, aa, sizeof(aa), &arena, NULL), EMBER_E_LIMIT);
    ember_arena_free(&arena);
}
