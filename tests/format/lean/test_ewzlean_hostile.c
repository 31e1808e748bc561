/* SPDX-License-Identifier: MIT */
/* Files of lean clips that were cut, damaged or made to mislead. Covers: ewzlean_open.c. */
#include "format/lean/ewzlean_made.h"

#define GOOD ewzlean_golden, sizeof(ewzlean_golden)

static void refuse(size_t offset, uint8_t value, ember_status wanted, const char *text)
{
    fixture_refuse_changed(GOOD, offset, value, as_ewzlean, wanted, text);
}

static void refuse_two(size_t offset, uint8_t first, uint8_t second, ember_status wanted, const char *text)
{
    uint8_t copy[sizeof(ewzlean_golden)];
    memcpy(copy, ewzlean_golden, sizeof(copy));
    copy[offset] = first;
    fixture_refuse_changed(copy, sizeof(copy), offset + 1, second, as_ewzlean, wanted, text);
}

TEST(ewzlean_read_rejects_bad_header)
{
    refuse(0, 'e', EMBER_E_MALFORMED, "does not start with EWZL");
    refuse(4, 2, EMBER_E_VERSION, "version is 2");
    refuse(6, 4, EMBER_E_MALFORMED, "unknown flags 0x4");
    refuse(8, 0, EMBER_E_MALFORMED, "0 bones");
    refuse(9, 1, EMBER_E_LIMIT, "258 bones");
    refuse(10, 0, EMBER_E_MALFORMED, "no clips");
    refuse(10, 2, EMBER_E_TRUNCATED, "clip 1");
    refuse(12, 55, EMBER_E_TRUNCATED, "");
    refuse(15, 1, EMBER_E_TRUNCATED, "the rig");
}

TEST(ewzlean_read_rejects_bad_skeletons)
{
    refuse(EWZLEAN_PARENTS, 0, EMBER_E_MALFORMED, "bone 0");
    refuse(EWZLEAN_PARENTS + 2, 1, EMBER_E_MALFORMED, "bone 1: the parent is 1");
    refuse(EWZLEAN_REST + 23, 0x7F, EMBER_E_RANGE, "bone 0: the rest transform is not finite");
    refuse_two(EWZLEAN_REST + 54, 0, 0, EMBER_E_RANGE, "bone 1: the rest transform is without a rotation");
    refuse(EWZLEAN_NAMES + 1, 0x7F, EMBER_E_TRUNCATED, "the names");
    refuse(EWZLEAN_RIG, 2, EMBER_E_VERSION, "");
    refuse(EWZLEAN_RIG + 1, 1, EMBER_E_MALFORMED, "");
}

TEST(ewzlean_read_rejects_bad_clips)
{
    refuse(EWZLEAN_RATE + 7, 0xC0, EMBER_E_RANGE, "clip 0: a rate of -24");
    refuse_two(EWZLEAN_RATE + 6, 0xF0, 0x7F, EMBER_E_RANGE, "clip 0: a rate of inf");
    refuse(EWZLEAN_FLAGS, 2, EMBER_E_MALFORMED, "clip 0: unknown flags 0x2");
    refuse(EWZLEAN_MARKER, 1, EMBER_E_MALFORMED, "walk: marker 0 is at frame 1 of 1");
    refuse(EWZLEAN_SIZE, 15, EMBER_E_MALFORMED, "1 extra byte");
    refuse(EWZLEAN_SIZE, 17, EMBER_E_TRUNCATED, "clip 0");
    refuse(EWZLEAN_BODY, 0, EMBER_E_MALFORMED, "walk");
    refuse(EWZLEAN_BODY + 5, 1, EMBER_E_VERSION, "walk");
    refuse(EWZLEAN_BODY + 6, 2, EMBER_E_MALFORMED, "walk");
    refuse(EWZLEAN_BODY + 15, 1, EMBER_E_MALFORMED, "walk");
}

TEST(ewzlean_read_rejects_extra_bytes)
{
    uint8_t longer[sizeof(ewzlean_golden) + 2] = {0};
    memcpy(longer, ewzlean_golden, sizeof(ewzlean_golden));
    fixture_refuse(longer, sizeof(longer), as_ewzlean, EMBER_E_MALFORMED, "2 extra bytes");
}

TEST(ewzlean_read_survives_every_prefix) { fixture_every_prefix(GOOD, as_ewzlean); }

TEST(ewzlean_read_survives_every_arena_size) { fixture_every_arena(GOOD, as_ewzlean); }

TEST(ewzlean_read_survives_every_failing_allocation) { fixture_every_allocation(GOOD, as_ewzlean); }

TEST(ewzlean_read_survives_every_byte_flipped)
{
    for (size_t i = 0; i < sizeof(ewzlean_golden); i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t copy[sizeof(ewzlean_golden)];
            memcpy(copy, ewzlean_golden, sizeof(copy));
            copy[i] ^= (uint8_t)(1u << bit);
            (void)fixture_survive(copy, sizeof(copy), as_ewzlean);
        }
}

/* Four bytes of a clip ask for 65,535 frames of 255 bones: the limit of the reader ends it. */
TEST(ewzlean_read_keeps_to_its_memory)
{
    ember_transform frame[255];
    int16_t         parents[255];
    for (uint32_t i = 0; i < 255; i++) {
        frame[i] = ember_transform_identity;
        parents[i] = EMBER_NO_PARENT;
    }
    ember_clip   clip = {.name = "",
                         .space = EMBER_SPACE_LOCAL,
                         .bone_count = 255,
                         .frame_count = 1,
                         .frames = frame};
    ember_model  model = {.skeleton = {.bone_count = 255, .parents = parents},
                          .clip_count = 1,
                          .clips = &clip};
    ember_buffer file = fixture_write(&model, to_ewzlean);
    assert_int_equal(fixture_survive(file.data, file.size, as_ewzlean), EMBER_OK);
    /* 65,535 frames make blocks, whose offsets are missing here: refused before any frame is read */
    const size_t body = file.size - (6 + 255 + 8);
    file.data[body] = file.data[body + 1] = 0xFF;
    fixture_refuse(file.data, file.size, as_ewzlean, EMBER_E_MALFORMED, "");
    ember_buffer_free(&file);
}

/* A sound clip of many frames in few bytes, with less memory than its frames take. */
TEST(ewzlean_read_stops_at_the_limit)
{
    enum { FRAMES = 20000 };
    fixture_model f;
    fixture_fill(&f);
    ember_transform *frames = calloc((size_t)FRAMES * FIXTURE_BONES, sizeof(*frames));
    assert_non_null(frames);
    for (size_t i = 0; i < (size_t)FRAMES * FIXTURE_BONES; i++)
        frames[i] = f.rest[i % FIXTURE_BONES];
    f.clip.frames = frames;
    f.clip.frame_count = FRAMES;
    ember_buffer       file = fixture_write(&f.model, to_ewzlean);
    ember_read_options options = as_ewzlean;
    options.memory_limit = (size_t)1 << 20;
    fixture_refuse(file.data, file.size, options, EMBER_E_LIMIT, "");
    ember_buffer_free(&file);
    free(frames);
}
