/* SPDX-License-Identifier: MIT */
/* Packs taken apart: what the facts about real files say, each by bytes made by hand or bit by bit.
   Covers: ff7_clip.c, ff7_read.c. */
#include "ff7_packs.h"

typedef struct opened {
    ember_arena    arena;
    ember_ff7_pack pack;
    uint8_t       *data;
} opened;

static opened open_bytes(const made *m, const ember_ff7_skeleton *skeleton)
{
    opened o = {.arena = ember_arena_growing(ember_heap(), 0), .data = test_exact_copy(m->data, m->size)};
    assert_int_equal(ember_ff7_pack_read(&o.pack, o.data, m->size, skeleton, &o.arena, NULL), EMBER_OK);
    return o;
}

static void close_all(opened *o, made *m)
{
    ember_arena_free(&o->arena);
    free(o->data);
    free(m->data);
}

static ember_ff7_clip decode(opened *o, uint32_t index)
{
    ember_ff7_clip clip;
    assert_int_equal(ember_ff7_decode(&clip, &o->pack.chunks[index], &o->arena, NULL), EMBER_OK);
    return clip;
}

static void assert_triple(ember_ff7_triple t, int x, int y, int z)
{
    assert_int_equal(t.x, x);
    assert_int_equal(t.y, y);
    assert_int_equal(t.z, z);
}

/* ---- codes, from the specification's tables ---- */

/* A weapon clip of two frames: zeros, then these bits. */
static made two_frames(unsigned key, const char *bits)
{
    made m = {NULL, 0, 0, 0};
    for (int i = 0; i < 5; i++)
        made_byte(&m, 0);
    m.data[0] = 2;
    m.data[4] = (uint8_t)key;
    made_bits(&m, 0, 24);
    made_bits(&m, 0, 24);
    for (int i = 0; i < 3; i++)
        made_bits(&m, 0, 12 - key);
    for (; *bits != '\0'; bits++)
        if (*bits != ' ')
            made_bits(&m, *bits == '1', 1);
    m.data[2] = (uint8_t)(m.size - 5);
    made pack = made_one(1, 2, m.data, m.size);
    free(m.data);
    return pack;
}

TEST(codes_of_the_specification_are_read)
{
    made           m = two_frames(0, "00000000 00000000 00000000  0  1 000  1 011 111");
    opened         o = open_bytes(&m, NULL);
    ember_ff7_clip clip = decode(&o, 0);
    assert_int_equal(clip.frame_count, 2);
    assert_triple(clip.rotations[1], 0, -1, -5);
    close_all(&o, &m);
    m = two_frames(0, "00000000 00000000 00000000  1 100 0111  1 111 000010000000  1 100 1011");
    o = open_bytes(&m, NULL);
    clip = decode(&o, 0);
    assert_triple(clip.rotations[1], 15, 128, -13);
    close_all(&o, &m);
    /* With a key of 2 everything is four times as much; type 7 has ten bits then, and is a change
       like the others. */
    m = two_frames(2, "01111111 11000000000000000 01000000  1 100 1011  1 111 1000000000  1 000");
    o = open_bytes(&m, NULL);
    clip = decode(&o, 0);
    assert_triple(clip.positions[1], -1, -32768, -64);
    assert_triple(clip.rotations[1], -52, -2048, -4);
    close_all(&o, &m);
}

TEST(codes_of_the_specification_are_written)
{
    static const struct {
        int         x, y, z;
        const char *bits;
    } cases[] = {
        {0, -1, -5, "00000000 00000000 00000000  0  1 000  1 011 111"},
        {15, 128, -13, "00000000 00000000 00000000  1 100 0111  1 111 000010000000  1 100 1011"},
        {1, -2, 63, "00000000 00000000 00000000  1 001 0  1 001 1  1 110 011111"},
        {-64, 64, -65, "00000000 00000000 00000000  1 110 100000  1 111 000001000000  1 111 111110111111"},
        {3000, -1096, 4096, "00000000 00000000 00000000  1 111 101110111000  1 111 101110111000  0"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ember_ff7_triple positions[2] = {{0, 0, 0}, {0, 0, 0}};
        ember_ff7_triple rotations[2] = {{0, 0, 0},
                                         {(int16_t)cases[i].x, (int16_t)cases[i].y, (int16_t)cases[i].z}};
        ember_ff7_clip   clip = {.kind = EMBER_FF7_WEAPON,
                                 .bones_field = 1,
                                 .triple_count = 1,
                                 .frame_count = 2};
        ember_buffer     out = {.allocator = ember_heap()};
        clip.positions = positions;
        clip.rotations = rotations;
        assert_int_equal(ember_ff7_encode(&out, &clip, EMBER_FF7_KEY_AUTO, NULL, NULL), EMBER_OK);
        made m = two_frames(0, cases[i].bits);
        assert_true(out.size >= m.size - 4);
        assert_memory_equal(out.data + 12, m.data + 16, m.size - 16);
        assert_int_equal(out.size % 4, 0);
        for (size_t k = m.size - 4; k < out.size; k++)
            assert_int_equal(out.data[k], 0);
        free(m.data);
        ember_buffer_free(&out);
    }
}

TEST(the_first_frame_of_the_specification_is_read)
{
    static const uint8_t payload[] = {1,    0,    11,   0,    0,    0x00, 0x00, 0xFE,
                                      0x2E, 0x00, 0x00, 0x00, 0x18, 0x00, 0x7F, 0xF0};
    made                 m = made_one(1, 1, payload, sizeof(payload));
    opened               o = open_bytes(&m, NULL);
    ember_ff7_clip       clip = decode(&o, 0);
    assert_int_equal(clip.frame_count, 1);
    assert_triple(clip.positions[0], 0, -466, 0);
    assert_triple(clip.rotations[0], 1, -2048, 2047);
    assert_int_equal(ember_ff7_int(clip.rotations[0].y), 2048);
    assert_true(ember_ff7_degrees(clip.rotations[0].y) == 180.0f);
    assert_int_equal(ember_ff7_int(-5000), 3192); /* 2 * 4096 - 5000 */
    close_all(&o, &m);
}

/* ---- chunks ---- */

TEST(chunks_follow_each_other_by_their_sizes)
{
    made   m = made_pack(7);
    opened o = open_bytes(&m, NULL);
    assert_int_equal(o.pack.chunk_count, 8);
    assert_int_equal(o.pack.tail_offset, m.size);
    assert_int_equal(o.pack.first_weapon, 4);
    static const int kinds[8] = {0, 0, 2, 0, 1, 1, 2, 1};
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(o.pack.chunks[i].kind, kinds[i]);
        assert_int_equal(o.pack.chunks[i].odd & ~(unsigned)EMBER_FF7_ODD_TRAILING, 0);
    }
    assert_int_equal(o.pack.chunks[1].odd, EMBER_FF7_ODD_TRAILING);
    assert_int_equal(o.pack.chunks[3].frame_count, 9);
    assert_int_equal(o.pack.chunks[3].triple_count, 4);
    assert_int_equal(ember_ff7_partner(&o.pack, 0), 4);
    assert_int_equal(ember_ff7_partner(&o.pack, 7), 3);
    assert_int_equal(ember_ff7_partner(&o.pack, 2), UINT32_MAX);
    assert_int_equal(ember_ff7_partner(&o.pack, 8), UINT32_MAX);
    close_all(&o, &m);
}

TEST(sizes_are_unsigned)
{
    test_random r = {3};
    made        m = {NULL, 0, 0, 0};
    made_u32(&m, 1);
    made_add(&m, &(made_clip){30, 30, 400, 0, false, 0, 0}, &r);
    opened o = open_bytes(&m, NULL);
    assert_true(o.pack.chunks[0].size_short > 32767);
    assert_int_equal(o.pack.chunks[0].frame_count, 400);
    assert_int_equal(o.pack.chunks[0].odd, 0);
    close_all(&o, &m);
}

TEST(models_of_one_bone_store_one_triple)
{
    test_random        r = {5};
    ember_ff7_skeleton skeleton = {.bone_count = 1};
    made               m = {NULL, 0, 0, 0};
    made_u32(&m, 2);
    made_add(&m, &(made_clip){2, 1, 7, 0, false, 0, 0}, &r);
    made_add(&m, &(made_clip){2, 2, 7, 0, false, 0, 0}, &r);
    for (int given = 0; given < 2; given++) {
        opened o = open_bytes(&m, given ? &skeleton : NULL);
        assert_int_equal(o.pack.chunks[0].triple_count, 1);
        assert_int_equal(o.pack.chunks[0].frame_count, 7);
        assert_int_equal(o.pack.chunks[0].odd, 0);
        /* Somebody stores both all the same: the values say so. */
        assert_int_equal(o.pack.chunks[1].triple_count, 2);
        assert_int_equal(o.pack.chunks[1].frame_count, 7);
        ember_arena_free(&o.arena);
        free(o.data);
    }
    free(m.data);
}

TEST(the_skeleton_says_how_many_bones_there_are)
{
    test_random        r = {6};
    ember_ff7_skeleton skeleton = {.bone_count = 3, .body_clips = 1, .weapon_clips = 1};
    made               m = {NULL, 0, 0, 0};
    made_u32(&m, 2);
    made_add(&m, &(made_clip){9, 4, 7, 0, false, 0, 0}, &r);
    made_add_special(&m, 0);
    opened o = open_bytes(&m, &skeleton);
    assert_int_equal(o.pack.chunks[0].triple_count, 4);
    assert_int_equal(o.pack.chunks[0].frame_count, 7);
    assert_int_equal(o.pack.chunks[0].odd, EMBER_FF7_ODD_BONES);
    assert_int_equal(o.pack.first_weapon, 1);
    close_all(&o, &m);
}

TEST(counters_that_disagree_are_told_with_both_numbers)
{
    test_random r = {8};
    made        m = {NULL, 0, 0, 0};
    made_u32(&m, 3);
    size_t a = made_add(&m, &(made_clip){4, 4, 7, 0, false, 0, 0}, &r);
    size_t b = made_add(&m, &(made_clip){4, 4, 7, 0, false, 0, 0}, &r);
    size_t c = made_add(&m, &(made_clip){4, 4, 7, 0, false, 0, 0}, &r);
    made_set_u32(&m, a + 4, 9);
    m.data[b + 12] = 5;
    m.data[c + 12] = 11;
    opened o = open_bytes(&m, NULL);
    assert_int_equal(o.pack.chunks[0].frame_count, 7);
    assert_int_equal(o.pack.chunks[0].odd, EMBER_FF7_ODD_COUNTERS);
    ember_ff7_text text = ember_ff7_odd_text(&o.pack.chunks[0], EMBER_FF7_ODD_COUNTERS);
    assert_non_null(strstr(text.text, "9 frames"));
    assert_non_null(strstr(text.text, "7 "));
    assert_int_equal(o.pack.chunks[1].frame_count, 7);
    assert_int_equal(o.pack.chunks[1].odd, EMBER_FF7_ODD_COUNTERS | EMBER_FF7_ODD_MORE);
    assert_int_equal(o.pack.chunks[2].frame_count, 7);
    assert_int_equal(o.pack.chunks[2].odd, EMBER_FF7_ODD_COUNTERS | EMBER_FF7_ODD_FEWER);
    for (uint32_t odd = 1; odd <= EMBER_FF7_ODD_CODES; odd <<= 1)
        assert_true(strlen(ember_ff7_odd_text(&o.pack.chunks[2], odd).text) > 10);
    close_all(&o, &m);
}

/* sSize where sFrames should be, then the key, the values, two bytes of padding; dwFrames says 4. */
TEST(the_damaged_clip_has_all_of_its_frames)
{
    test_random r = {9};
    made        whole = {NULL, 0, 0, 0}, m = {NULL, 0, 0, 0};
    made_u32(&whole, 1);
    made_add(&whole, &(made_clip){5, 5, 33, 0, false, 0, 0}, &r);
    size_t size = (size_t)whole.data[4 + 14] + (size_t)whole.data[4 + 15] * 256u;
    made_u32(&m, 2);
    made_u32(&m, 5);
    made_u32(&m, 4);
    made_u32(&m, (uint32_t)size + 5);
    made_u16(&m, (unsigned)size);
    made_byte(&m, 0);
    for (size_t i = 0; i < size; i++)
        made_byte(&m, whole.data[4 + 17 + i]);
    made_u16(&m, 0);
    made_add_special(&m, 5);
    opened         o = open_bytes(&m, NULL), good = open_bytes(&whole, NULL);
    ember_ff7_clip clip = decode(&o, 0), same = decode(&good, 0);
    assert_int_equal(o.pack.chunks[0].odd, EMBER_FF7_ODD_HEADER);
    assert_int_equal(clip.frame_count, 33);
    assert_true(ember_ff7_same(&clip, &same));
    assert_int_equal(o.pack.chunks[1].kind, EMBER_FF7_SPECIAL);
    close_all(&o, &m);
    close_all(&good, &whole);
}

TEST(values_wrap_at_16_bits)
{
    ember_ff7_triple positions[12], rotations[12];
    ember_buffer     out = {.allocator = ember_heap()};
    for (int i = 0; i < 12; i++) {
        positions[i] = (ember_ff7_triple){(int16_t)(i * 30000), (int16_t)(i * -20000), (int16_t)i};
        rotations[i] = (ember_ff7_triple){(int16_t)(i * 2000), (int16_t)(i * -2048), (int16_t)(i * 2047)};
    }
    ember_ff7_clip clip = {.kind = EMBER_FF7_WEAPON, .bones_field = 1, .triple_count = 1, .frame_count = 12};
    clip.positions = positions;
    clip.rotations = rotations;
    ember_ff7_item item = {NULL, &clip, EMBER_FF7_KEY_AUTO};
    assert_int_equal(ember_ff7_pack_write(&out, &item, 1, NULL, 0, NULL), EMBER_OK);
    made           m = {out.data, out.size, 0, 0};
    opened         o = open_bytes(&m, NULL);
    ember_ff7_clip back = decode(&o, 0);
    assert_int_equal(back.frame_count, 12);
    assert_memory_equal(back.positions, positions, sizeof(positions));
    assert_memory_equal(back.rotations, rotations, sizeof(rotations)); /* -2048 at a time: past -32768 */
    m.data = NULL;
    close_all(&o, &m);
    ember_buffer_free(&out);
}

TEST(keys_round_absolute_values_to_nearest)
{
    ember_ff7_triple positions[64], rotations[64];
    for (int i = 0; i < 64; i++) {
        positions[i] = (ember_ff7_triple){1, 2, 3};
        rotations[i] = (ember_ff7_triple){(int16_t)i, (int16_t)(-3 * i), (int16_t)(i * 5)};
    }
    ember_ff7_clip clip = {.kind = EMBER_FF7_WEAPON, .bones_field = 1, .triple_count = 1, .frame_count = 64};
    clip.positions = positions;
    clip.rotations = rotations;
    for (uint32_t key = 0; key <= 4; key += 2) {
        ember_buffer      out = {.allocator = ember_heap()};
        ember_ff7_item    item = {NULL, &clip, key};
        ember_ff7_encoded info;
        assert_int_equal(ember_ff7_encode(&out, &clip, key, &info, NULL), EMBER_OK);
        assert_int_equal(info.key, key);
        assert_int_equal(info.worst, key == 0 ? 0 : 1 << (key - 1));
        ember_buffer_free(&out);
        assert_int_equal(ember_ff7_pack_write(&out, &item, 1, NULL, 0, NULL), EMBER_OK);
        made           m = {out.data, out.size, 0, 0};
        opened         o = open_bytes(&m, NULL);
        ember_ff7_clip back = decode(&o, 0);
        int            unit = 1 << key;
        for (int i = 0; i < 64; i++) {
            assert_int_equal(back.rotations[i].x % unit, 0);
            assert_true(abs(back.rotations[i].x - i) * 2 <= unit &&
                        abs(back.rotations[i].y + 3 * i) * 2 <= unit &&
                        abs(back.rotations[i].z - 5 * i) * 2 <= unit);
        }
        m.data = NULL;
        close_all(&o, &m);
        ember_buffer_free(&out);
    }
}

TEST(a_key_is_taken_only_where_a_clip_would_be_too_large)
{
    enum { FRAMES = 900, TRIPLES = 20 };
    ember_ff7_triple *positions = test_alloc(FRAMES * sizeof(*positions));
    ember_ff7_triple *rotations = test_alloc(FRAMES * TRIPLES * sizeof(*rotations));
    ember_ff7_clip    clip = {.kind = EMBER_FF7_BODY, .bones_field = TRIPLES, .triple_count = TRIPLES};
    clip.positions = positions;
    clip.rotations = rotations;
    /* Changes of 12: eight bits each with a key of 0, seven with 2 (3 units), five with 4 (one
       unit, mostly). */
    for (int f = 0; f < FRAMES; f++) {
        positions[f] = (ember_ff7_triple){0, 0, 0};
        for (int i = 0; i < TRIPLES; i++)
            rotations[f * TRIPLES + i] =
                (ember_ff7_triple){(int16_t)(f * 12), (int16_t)(f * 12), (int16_t)(f * 12)};
    }
    ember_buffer      out = {.allocator = ember_heap()};
    ember_ff7_encoded info;
    clip.frame_count = 800;
    assert_int_equal(ember_ff7_encode(&out, &clip, EMBER_FF7_KEY_AUTO, &info, NULL), EMBER_OK);
    assert_int_equal(info.key, 0);
    assert_int_equal(info.size_short, 6 + (20 * 3 * 12 + 799 * (24 + 60 * 8)) / 8);
    clip.frame_count = FRAMES;
    /* now 600: type 7, 16 bits with 0, 14 with 2, and 38 units with 4: ten */
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < TRIPLES; i++)
            rotations[f * TRIPLES + i] =
                (ember_ff7_triple){(int16_t)(f * 608), (int16_t)(f * 608), (int16_t)(f * 608)};
    ember_error err = EMBER_ERROR_INIT;
    clip.frame_count = 600;
    assert_int_equal(ember_ff7_encode(&out, &clip, EMBER_FF7_KEY_AUTO, &info, NULL), EMBER_OK);
    assert_int_equal(info.key, 2); /* 600 * 984 bits are 73800 bytes, 600 * 864 are 64800 */
    clip.frame_count = 700;
    assert_int_equal(ember_ff7_encode(&out, &clip, EMBER_FF7_KEY_AUTO, &info, NULL), EMBER_OK);
    assert_int_equal(info.key, 4);
    clip.frame_count = FRAMES; /* 900 * 624 bits are 70200 bytes */
    size_t before = out.size;
    assert_int_equal(ember_ff7_encode(&out, &clip, EMBER_FF7_KEY_AUTO, &info, &err), EMBER_E_LIMIT);
    assert_non_null(strstr(err.text, "65535"));
    assert_int_equal(out.size, before);
    ember_buffer_free(&out);
    free(positions);
    free(rotations);
}

TEST(what_cannot_be_stored_is_refused)
{
    ember_ff7_triple zero[1] = {{0, 0, 0}};
    ember_ff7_clip   clip = {.kind = EMBER_FF7_BODY, .bones_field = 1, .triple_count = 1, .frame_count = 1};
    ember_buffer     out = {.allocator = ember_heap()};
    clip.positions = clip.rotations = zero;
    assert_int_equal(ember_ff7_encode(&out, &clip, 3, NULL, NULL), EMBER_E_ARG);
    clip.frame_count = 65536;
    assert_int_equal(ember_ff7_encode(&out, &clip, 0, NULL, NULL), EMBER_E_LIMIT);
    clip.frame_count = 0;
    assert_int_equal(ember_ff7_encode(&out, &clip, 0, NULL, NULL), EMBER_E_ARG);
    clip.frame_count = 1;
    clip.triple_count = EMBER_FF7_MAX_TRIPLES + 1;
    assert_int_equal(ember_ff7_encode(&out, &clip, 0, NULL, NULL), EMBER_E_LIMIT);
    assert_int_equal(out.size, 0);
    ember_buffer_free(&out);
}

TEST(packs_of_nothing_are_told_from_no_packs)
{
    static const uint8_t none[4] = {0, 0, 0, 0}, lies[8] = {1, 0, 0, 0, 9, 9, 9, 9};
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    ember_ff7_pack       pack;
    assert_int_equal(ember_ff7_pack_read(&pack, none, 4, NULL, &arena, NULL), EMBER_OK);
    assert_int_equal(pack.chunk_count, 0);
    assert_int_equal(ember_ff7_pack_read(&pack, none, 3, NULL, &arena, NULL), EMBER_E_TRUNCATED);
    assert_int_equal(ember_ff7_pack_read(&pack, lies, 8, NULL, &arena, NULL), EMBER_E_TRUNCATED);
    ember_arena_free(&arena);
}
