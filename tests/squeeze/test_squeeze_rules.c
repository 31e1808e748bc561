/* SPDX-License-Identifier: MIT */
/* The rules of the squeeze interface, one test each.
   Covers: squeeze_blocks.c, squeeze_rig.c, squeeze_tracks.c. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze_made.h"

/* ---- opening ---- */

static ember_status open_bytes(const uint8_t *bytes, size_t size, uint32_t bones)
{
    static const uint8_t rest[4 * 16];
    ember_squeeze_rig    rig = {.bone_count = bones, .rest = rest};
    ember_squeezed       block;
    return ember_squeeze_open(&block, bytes, size, &rig, NULL);
}

TEST(open_tells_what_is_wrong)
{
    assert_int_equal(open_bytes((const uint8_t[]){0, 0, 5, 0}, 4, 0), EMBER_OK);
    assert_int_equal(open_bytes((const uint8_t[]){0, 0, 5, 0}, 3, 0), EMBER_E_TRUNCATED);
    assert_int_equal(open_bytes((const uint8_t[]){0}, 0, 0), EMBER_E_TRUNCATED);
    assert_int_equal(open_bytes((const uint8_t[]){3, 0, 5, 0}, 4, 0), EMBER_E_VERSION);
    assert_int_equal(open_bytes((const uint8_t[]){0, 0, 5, 0, 0}, 5, 0), EMBER_E_MALFORMED);
    assert_int_equal(open_bytes((const uint8_t[]){0, 2, 5, 0}, 4, 1), EMBER_E_ARG);
    assert_int_equal(open_bytes((const uint8_t[]){0, 1, 1, 0}, 4, 1), EMBER_E_TRUNCATED);
    /* quick, one frame of one bone: the span's length, the mode. */
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 4, 0}, 6, 1), EMBER_OK);
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 4, 0, 0}, 7, 1), EMBER_E_MALFORMED);
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 0, 0}, 6, 1), EMBER_E_MALFORMED);
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 33, 0}, 6, 1), EMBER_E_MALFORMED);
    /* moves and is constant */
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 4, 0x21}, 6, 1), EMBER_E_MALFORMED);
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 4, 0x20, 1, 2, 3}, 9, 1), EMBER_E_TRUNCATED);
    assert_int_equal(open_bytes((const uint8_t[]){1, 1, 1, 0, 4, 0x20, 1, 2, 3, 4}, 10, 1), EMBER_OK);
    /* small: flags, the mode. */
    assert_int_equal(open_bytes((const uint8_t[]){2, 1, 1, 0, 0, 0}, 6, 1), EMBER_OK);
    assert_int_equal(open_bytes((const uint8_t[]){2, 1, 1, 0, 2, 0}, 6, 1), EMBER_E_MALFORMED);
    assert_int_equal(open_bytes((const uint8_t[]){2, 1, 1, 0, 0, 0, 0}, 7, 1), EMBER_E_MALFORMED);
}

TEST(open_refuses_a_rig_that_is_not_valid)
{
    static const uint8_t bytes[] = {0, 2, 0, 0}, rest[32];
    static const int16_t good[] = {-1, 0}, itself[] = {-1, 1}, later[] = {1, -1}, odd[] = {-2, 0};
    ember_squeezed       block;
    ember_squeeze_rig    rig = {.bone_count = 2, .rest = rest, .parents = good};
    assert_int_equal(ember_squeeze_open(&block, bytes, 4, &rig, NULL), EMBER_OK);
    rig.parents = itself;
    assert_int_equal(ember_squeeze_open(&block, bytes, 4, &rig, NULL), EMBER_E_ARG);
    rig.parents = later;
    assert_int_equal(ember_squeeze_open(&block, bytes, 4, &rig, NULL), EMBER_E_ARG);
    rig.parents = odd;
    assert_int_equal(ember_squeeze_open(&block, bytes, 4, &rig, NULL), EMBER_E_ARG);
    rig.parents = NULL;
    rig.rest = NULL;
    assert_int_equal(ember_squeeze_open(&block, bytes, 4, &rig, NULL), EMBER_E_ARG);
    assert_int_equal(ember_squeeze_open(&block, bytes, 4, NULL, NULL), EMBER_E_ARG);
}

TEST(raw_blocks_show_their_records)
{
    uint8_t        bytes[4 + 32] = {0, 1, 2, 0};
    static uint8_t rest[16];
    ember_squeezed block;
    assert_int_equal(ember_squeeze_open(&block, bytes, sizeof(bytes),
                                        &(ember_squeeze_rig){.bone_count = 1, .rest = rest}, NULL),
                     EMBER_OK);
    assert_ptr_equal(block.data, bytes + 4);
    assert_int_equal(block.size, 32);
    assert_int_equal(ember_squeeze_cursor_size(&block), 0);
}

/* ---- reading ---- */

TEST(read_keeps_its_rules)
{
    for (uint32_t method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        made_clip            clip = made_clip_make(MADE_MOTION, 3, 10, 1);
        made_block           made = made_clip_squeeze(&clip, (ember_squeeze_method)method);
        ember_squeezed       block;
        ember_squeeze_cursor cursor;
        uint8_t              out[48];
        assert_int_equal(ember_squeeze_open(&block, made.data, made.size, &clip.rig, NULL), EMBER_OK);
        void        *memory = made_cursor(&cursor, &block);
        const size_t size = ember_squeeze_cursor_size(&block);
        assert_int_equal(ember_squeeze_read(out, sizeof(out), &cursor, 9), EMBER_OK);
        assert_int_equal(ember_squeeze_read(out, sizeof(out), &cursor, 10), EMBER_E_ARG);
        assert_int_equal(ember_squeeze_read(out, sizeof(out) - 1, &cursor, 9), EMBER_E_SPACE);
        assert_int_equal(ember_squeeze_read(NULL, sizeof(out), &cursor, 9), EMBER_E_ARG);
        assert_int_equal(ember_squeeze_cursor_init(&cursor, &block, (uint8_t *)memory + 1, size),
                         EMBER_E_ARG);
        if (size != 0)
            assert_int_equal(ember_squeeze_cursor_init(&cursor, &block, memory, size - 1), EMBER_E_SPACE);
        assert_int_equal(ember_squeeze_cursor_init(&cursor, &block, NULL, 0),
                         method == EMBER_SQUEEZE_SMALL ? EMBER_E_SPACE : EMBER_OK);
        free(memory);
        free(made.data);
        made_clip_free(&clip);
    }
}

/* ---- encoding ---- */

TEST(encode_stays_within_any_capacity)
{
    made_clip   clip = made_clip_make(MADE_SCALE, 4, 45, 1);
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    for (uint32_t method = 0; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        made_block whole = made_clip_squeeze(&clip, (ember_squeeze_method)method);
        for (size_t capacity = 0; capacity <= whole.size; capacity++) {
            ember_squeeze_job job = {.out = test_alloc(capacity),
                                     .out_capacity = capacity,
                                     .frames = clip.frames,
                                     .frame_count = 45,
                                     .rig = &clip.rig,
                                     .method = (ember_squeeze_method)method};
            assert_int_equal(ember_squeeze_encode(&job, &arena),
                             capacity < whole.size ? EMBER_E_SPACE : EMBER_OK);
            if (capacity == whole.size)
                assert_memory_equal(job.out, whole.data, capacity);
            free(job.out);
        }
        free(whole.data);
    }
    ember_arena_free(&arena);
    made_clip_free(&clip);
}

TEST(encode_survives_any_size_of_its_arena)
{
    made_clip      clip = made_clip_make(MADE_MOTION, 2, 6, 1);
    const size_t   bound = ember_squeeze_bound(2, 6);
    static uint8_t memory[16384];
    for (uint32_t method = 1; method < EMBER_SQUEEZE_METHOD_COUNT; method++) {
        bool done = false;
        for (size_t size = 0; size <= sizeof(memory); size += 8) {
            ember_squeeze_job job = {.out = test_alloc(bound),
                                     .out_capacity = bound,
                                     .frames = clip.frames,
                                     .frame_count = 6,
                                     .rig = &clip.rig,
                                     .method = (ember_squeeze_method)method};
            ember_arena       arena = ember_arena_fixed(memory, size);
            ember_status      status = ember_squeeze_encode(&job, &arena);
            assert_true(status == EMBER_OK || (status == EMBER_E_NOMEM && !done));
            assert_int_equal(arena.used, 0); /* scratch is given back */
            done |= status == EMBER_OK;
            free(job.out);
        }
        assert_true(done);
    }
    made_clip_free(&clip);
}

TEST(encode_refuses_what_it_cannot_do)
{
    uint8_t           out[64], rest[16] = {0}, frames[16] = {0};
    ember_squeeze_rig rig = {.bone_count = 1, .rest = rest};
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_squeeze_job good = {.out = out,
                              .out_capacity = sizeof(out),
                              .frames = frames,
                              .frame_count = 1,
                              .rig = &rig,
                              .method = EMBER_SQUEEZE_QUICK};
    ember_squeeze_job job = good;
    assert_int_equal(ember_squeeze_encode(&job, &arena), EMBER_OK);
    job = good;
    job.frames = NULL;
    assert_int_equal(ember_squeeze_encode(&job, &arena), EMBER_E_ARG);
    job = good;
    job.frame_count = 65536;
    assert_int_equal(ember_squeeze_encode(&job, &arena), EMBER_E_ARG);
    job = good;
    job.method = EMBER_SQUEEZE_METHOD_COUNT;
    assert_int_equal(ember_squeeze_encode(&job, &arena), EMBER_E_ARG);
    job = good;
    job.rig = NULL;
    assert_int_equal(ember_squeeze_encode(&job, &arena), EMBER_E_ARG);
    ember_arena_free(&arena);
}

TEST(methods_have_names)
{
    assert_string_equal(ember_squeeze_method_name(EMBER_SQUEEZE_RAW), "raw");
    assert_string_equal(ember_squeeze_method_name(EMBER_SQUEEZE_QUICK), "quick");
    assert_string_equal(ember_squeeze_method_name(EMBER_SQUEEZE_SMALL), "small");
    assert_string_equal(ember_squeeze_method_name((ember_squeeze_method)77), "unknown");
}

/* ---- the rig ---- */

TEST(rig_make_takes_what_most_clips_hold_still)
{
    uint8_t        a[2 * 16] = {0}, b[16] = {0}, c[16] = {0}, rest[16];
    const uint8_t *clips[] = {a, b, c};
    const uint32_t counts[] = {2, 1, 1};
    a[0] = 1;
    a[16] = 1;       /* a holds its rotation at 1 */
    b[0] = c[0] = 2; /* b and c at 2 */
    a[4] = 9;        /* a's x moves from 9 to 0, so only b and c count */
    b[4] = c[4] = 7;
    a[10] = a[26] = 5; /* one clip each: 5, 6, 6 */
    b[10] = c[10] = 6;
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_squeeze_rig_job job = {.out_rest = rest,
                                 .bone_count = 1,
                                 .clips = clips,
                                 .frame_counts = counts,
                                 .clip_count = 3};
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_OK);
    assert_memory_equal(rest, ((const uint8_t[]){2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 0}), 16);
    ember_arena_free(&arena);
}

/* A parent turned by half about z: what is at (1, 0, 0) from it in the model is at (-1, 0, 0) in its axes.
   Two frames, 1 and 2 away: 1.5. */
TEST(rig_make_means_the_places_in_the_parents_axes)
{
    uint8_t         frames[4 * 16], rest[32], offsets[24];
    const int16_t   parents[] = {-1, 0};
    ember_transform t = EMBER_TRANSFORM_IDENTITY;
    for (int frame = 0; frame < 2; frame++) {
        t.rotation = (ember_quat){0.0f, 0.0f, 1.0f, 0.0f};
        t.position = (ember_vec3){5.0f, 0.0f, 0.0f};
        assert_int_equal(ember_record_encode(frames + 32 * frame, EMBER_RECORD_EWZ, &t), EMBER_OK);
        t.position.x = 6.0f + (float)frame;
        assert_int_equal(ember_record_encode(frames + 32 * frame + 16, EMBER_RECORD_EWZ, &t), EMBER_OK);
    }
    const uint8_t        *clips[] = {frames};
    const uint32_t        counts[] = {2};
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_squeeze_rig_job job = {.out_rest = rest,
                                 .out_offsets = offsets,
                                 .parents = parents,
                                 .bone_count = 2,
                                 .clips = clips,
                                 .frame_counts = counts,
                                 .clip_count = 1};
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_OK);
    assert_true(emberi_float_of(emberi_get_u32(offsets)) == 0.0f); /* a root has no parent */
    const float x = emberi_float_of(emberi_get_u32(offsets + 12)),
                y = emberi_float_of(emberi_get_u32(offsets + 16));
    assert_true(x > -1.505f && x < -1.495f);
    assert_true(y > -0.01f && y < 0.01f); /* the record's rotation is off by a tenth of a degree */
    ember_arena_free(&arena);
}

TEST(rig_make_keeps_its_rules)
{
    uint8_t               rest[16], frames[16] = {0};
    const uint8_t        *clips[] = {frames};
    uint32_t              counts[] = {1};
    const int16_t         itself[] = {0};
    ember_arena           arena = ember_arena_growing(ember_heap(), 0), none = ember_arena_fixed(NULL, 0);
    ember_squeeze_rig_job good = {.out_rest = rest,
                                  .bone_count = 1,
                                  .clips = clips,
                                  .frame_counts = counts,
                                  .clip_count = 1};
    ember_squeeze_rig_job job = good;
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_OK);
    assert_int_equal(ember_squeeze_rig_make(&job, &none), EMBER_E_NOMEM);
    job.bone_count = 256;
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_E_ARG);
    job = good;
    job.parents = itself;
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_E_ARG);
    job = good;
    counts[0] = 65536;
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_E_ARG);
    job = good;
    job.clip_count = 0;
    assert_int_equal(ember_squeeze_rig_make(&job, &arena), EMBER_OK); /* no clips: all 0 */
    assert_memory_equal(rest, ((const uint8_t[16]){0}), 16);
    ember_arena_free(&arena);
}
