/* SPDX-License-Identifier: MIT */
/* The rules of the squeeze interface, one test each, and blocks whose bytes are worked out by hand from
   docs/formats/squeeze.md. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "squeeze_made.h"

#include "codec/squeeze_small_codes.h"

/* ---- opening ---- */

static ember_status open_bytes(const uint8_t *bytes, size_t size, uint32_t bones)
{
    static const uint8_t rest[4 * 16];
    ember_squeeze_rig    rig = {.bone_count = bones, .rest = rest};
    ember_squeezed       block;
    return ember_squeeze_open(&block, bytes, size, &rig, NULL);
}

static void open_tells_what_is_wrong(void **state)
{
    (void)state;
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

static void open_refuses_a_rig_that_is_not_valid(void **state)
{
    (void)state;
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

static void raw_blocks_show_their_records(void **state)
{
    (void)state;
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

static void read_keeps_its_rules(void **state)
{
    (void)state;
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

static void encode_stays_within_any_capacity(void **state)
{
    (void)state;
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

static void encode_survives_any_size_of_its_arena(void **state)
{
    (void)state;
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

static void encode_refuses_what_it_cannot_do(void **state)
{
    (void)state;
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

static void methods_have_names(void **state)
{
    (void)state;
    assert_string_equal(ember_squeeze_method_name(EMBER_SQUEEZE_RAW), "raw");
    assert_string_equal(ember_squeeze_method_name(EMBER_SQUEEZE_QUICK), "quick");
    assert_string_equal(ember_squeeze_method_name(EMBER_SQUEEZE_SMALL), "small");
    assert_string_equal(ember_squeeze_method_name((ember_squeeze_method)77), "unknown");
}

/* One bone, three frames: only x moves, from 1.0 over 1.5 + a step to 2.0. All bytes are by hand. */
static void a_quick_block_is_as_the_text_says(void **state)
{
    (void)state;
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
    free(block.data);
}

/* The same clip. Key rows: residuals 15360 and 1024, of which class 3 (parameter 9) is the shortest for the
   first: number 30720, 31232 with 512, in 15 bits with 5 zeros before; for the second 2048, 2560, in 12 bits
   with 2 zeros. The row between expects nothing of y and z, so x comes alone: its residual 1. */
static void a_small_block_is_as_the_text_says(void **state)
{
    (void)state;
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

static void the_tables_for_decoding_follow_from_the_lengths(void **state)
{
    (void)state;
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

/* ---- the rig ---- */

static void rig_make_takes_what_most_clips_hold_still(void **state)
{
    (void)state;
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
static void rig_make_means_the_places_in_the_parents_axes(void **state)
{
    (void)state;
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

static void rig_make_keeps_its_rules(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_tells_what_is_wrong),
        cmocka_unit_test(open_refuses_a_rig_that_is_not_valid),
        cmocka_unit_test(raw_blocks_show_their_records),
        cmocka_unit_test(read_keeps_its_rules),
        cmocka_unit_test(encode_stays_within_any_capacity),
        cmocka_unit_test(encode_survives_any_size_of_its_arena),
        cmocka_unit_test(encode_refuses_what_it_cannot_do),
        cmocka_unit_test(methods_have_names),
        cmocka_unit_test(a_quick_block_is_as_the_text_says),
        cmocka_unit_test(a_small_block_is_as_the_text_says),
        cmocka_unit_test(the_tables_for_decoding_follow_from_the_lengths),
        cmocka_unit_test(rig_make_takes_what_most_clips_hold_still),
        cmocka_unit_test(rig_make_means_the_places_in_the_parents_axes),
        cmocka_unit_test(rig_make_keeps_its_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
