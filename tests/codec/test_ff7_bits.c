/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII's bit codes, frame by frame: bits written out from the specification's tables, both ways.
   Whole packs are in tests/format/ff7. */
#include "testing.h"

#include "codec/ff7_bits.h"

typedef struct bits_case {
    uint32_t    key;
    int16_t     position[3], rotations[3]; /* of the second frame; the first is all zeros */
    const char *bits;                      /* of the second frame */
} bits_case;

/* Positions: 0 and 7 bits, or 1 and 16. Rotations: 0; or 1, a type, and as many bits as the type says: 0 is
   -1, 1 to 6 are that many bits about the powers of two, 7 is 12 bits less the key. */
static const bits_case cases[] = {
    {0, {0, 0, 0}, {0, -1, -5}, "00000000 00000000 00000000  0  1 000  1 011 111"},
    {0, {0, 0, 0}, {15, 128, -13}, "00000000 00000000 00000000  1 100 0111  1 111 000010000000  1 100 1011"},
    {0, {1, -1, 63}, {1, -2, 63}, "00000001 01111111 00111111  1 001 0  1 001 1  1 110 011111"},
    {0,
     {0, -64, 64},
     {-64, 64, -65},
     "00000000 01000000 10000000001000000  1 110 100000  1 111 000001000000  1 111 111110111111"},
    {2,
     {-1, -32768, -64},
     {-52, -2048, -4},
     "01111111 11000000000000000 01000000  1 100 1011  1 111 1000000000  1 000"},
};

static size_t bits_put(uint8_t *out, size_t at, const char *bits)
{
    for (; *bits != '\0'; bits++)
        if (*bits != ' ') {
            out[at / 8] |= (uint8_t)((*bits == '1' ? 1u : 0u) << (7 - at % 8));
            at++;
        }
    return at;
}

/* Both frames; returns their bits. The first has 3 values of 16 bits and 3 of 12 less the key. */
static size_t bits_of(uint8_t out[32], const bits_case *c)
{
    memset(out, 0, 32);
    return bits_put(out, 48 + 3 * (12 - c->key), c->bits);
}

TEST(frames_are_read_by_the_tables)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t           data[32];
        size_t            bits = bits_of(data, &cases[i]);
        emberi_ff7_reader reader = {.data = data,
                                    .size = (bits + 7) / 8,
                                    .key = cases[i].key,
                                    .value_count = 3};
        int16_t           positions[2][3], rotations[2][3];
        assert_true(emberi_ff7_read_frame(&reader, positions[0], rotations[0], NULL, NULL));
        assert_true(emberi_ff7_read_frame(&reader, positions[1], rotations[1], positions[0], rotations[0]));
        assert_int_equal(reader.bit, bits);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(positions[0][k], 0);
            assert_int_equal(rotations[0][k], 0);
            assert_int_equal(positions[1][k], cases[i].position[k]);
            assert_int_equal(rotations[1][k], cases[i].rotations[k]);
        }
        emberi_ff7_reader skipped = {.data = data,
                                     .size = (bits + 7) / 8,
                                     .key = cases[i].key,
                                     .value_count = 3};
        assert_true(emberi_ff7_skip_frame(&skipped));
        assert_true(emberi_ff7_skip_frame(&skipped));
        assert_int_equal(skipped.bit, bits);
    }
}

TEST(frames_are_written_in_the_shortest_codes)
{
    static const int16_t zeros[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t           expected[32], data[64] = {0};
        size_t            bits = bits_of(expected, &cases[i]);
        emberi_ff7_writer writer = {.data = data,
                                    .size = sizeof(data),
                                    .key = cases[i].key,
                                    .value_count = 3};
        emberi_ff7_write_frame(&writer, zeros, zeros, NULL, NULL);
        emberi_ff7_write_frame(&writer, cases[i].position, cases[i].rotations, zeros, zeros);
        assert_int_equal(emberi_ff7_write_end(&writer), (bits + 7) / 8);
        assert_memory_equal(data, expected, (bits + 7) / 8);
    }
}

TEST(a_frame_that_is_cut_off_is_not_read)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint8_t data[32];
        size_t  bits = bits_of(data, &cases[i]), first = 48 + 3 * (12 - cases[i].key);
        for (size_t size = 0; size < (bits + 7) / 8; size++) {
            uint8_t          *exact = test_exact_copy(data, size);
            emberi_ff7_reader reader = {.data = exact, .size = size, .key = cases[i].key, .value_count = 3};
            int16_t           position[3], rotations[3], before[3] = {0, 0, 0};
            bool              whole = emberi_ff7_read_frame(&reader, position, rotations, NULL, NULL);
            assert_int_equal(whole, size * 8 >= first);
            assert_false(whole && emberi_ff7_read_frame(&reader, position, rotations, before, before));
            assert_int_equal(reader.bit, whole ? first : 0);
            free(exact);
        }
    }
}

TEST(a_key_rounds_to_the_nearest)
{
    assert_int_equal(emberi_ff7_rounded(5, 0), 5);
    assert_int_equal(emberi_ff7_rounded(5, 2), 4);
    assert_int_equal(emberi_ff7_rounded(6, 2), 8);
    assert_int_equal(emberi_ff7_rounded(-5, 2), -4);
    assert_int_equal(emberi_ff7_rounded(-7, 2), -8);
}
