/* SPDX-License-Identifier: MIT */
/* ANIMBIN files that somebody broke: every prefix, and a hundred thousand random changes. A message or a
   model, never anything else. */
#include "animbin_bytes.h"
#include "format/fixture.h"

static file_bytes file; /* too big for the stack of some systems */

enum { FLIPS = 100000 };

/* A larger file, so that changes hit counts, keys and names alike. */
static void put_larger(file_bytes *f, test_random *random)
{
    unsigned animations = 1 + test_random_u32(random) % 3;
    put_header(f, animations);
    for (unsigned a = 0; a < animations; a++) {
        int tracks = (int)(test_random_u32(random) % 5), markers = (int)(test_random_u32(random) % 3);
        put_animation(f, a == 0 ? "walk" : "r\xc3\xbcn", test_random_u32(random), 12, tracks, markers);
        for (int t = 0; t < tracks; t++) {
            unsigned type = test_random_u32(random) % 2, keys = test_random_u32(random) % 6;
            put_track(f, type, test_random_u32(random) % 8, (int)keys);
            for (unsigned k = 0; k < keys; k++) {
                if (type == 0)
                    put_rotation(f, (int)(2 * k), 4096, (int)k, -(int)k, 7);
                else
                    put_translation(f, (int)(2 * k), (int)test_random_u32(random),
                                    (int)test_random_u32(random), INT32_MIN);
            }
        }
        for (int m = 0; m < markers; m++)
            put_marker(f, "step", m);
    }
}

TEST(animbin_survives_every_prefix)
{
    test_random random = {9};
    put_sample(&file);
    for (int round = 0; round < 20; round++) {
        fixture_every_prefix(file.data, file.size, (ember_read_options){.format = EMBER_FORMAT_ANIMBIN});
        put_larger(&file, &random);
    }
}

static void count_finding(void *user, const ember_finding *finding)
{
    assert_true(finding->text[0] != '\0');
    ++*(int *)user;
}

/* What is read must be a good model: it is written again, looked at and fitted, and what comes out
   is read again. */
static void use_model(const ember_model *model)
{
    static fixture_notes      noise;
    ember_error               err = EMBER_ERROR_INIT;
    ember_buffer              buffer = {.allocator = ember_heap()};
    ember_arena               arena = test_arena();
    const ember_write_options options = {.format = EMBER_FORMAT_ANIMBIN, .notes = fixture_listen(&noise)};
    ember_model               other;
    assert_int_equal(ember_model_check(model, &err), EMBER_OK);
    if (ember_model_write(&buffer, model, &options, &err) != EMBER_OK)
        fail_msg("read, but not written: %s", err.text);
    if (ember_model_read(&other, buffer.data, buffer.size, NULL, &arena, &err) != EMBER_OK)
        fail_msg("written, but not read: %s", err.text);
    assert_int_equal(other.clip_count, model->clip_count);
    int                  found = 0;
    const ember_findings findings = {count_finding, &found};
    assert_int_equal(ember_animbin_check(model, &options, &findings, &err), EMBER_OK);
    ember_status status = ember_animbin_fit(&other, model, &options, &arena, &err);
    assert_true(status == EMBER_OK || err.text[0] != '\0');
    ember_buffer_free(&buffer);
    ember_arena_free(&arena);
}

TEST(animbin_survives_a_hundred_thousand_flips)
{
    static fixture_notes noise;
    test_random          random = {31337};
    ember_read_options   options = {.format = EMBER_FORMAT_ANIMBIN};
    size_t               good = 0;
    for (int i = 0; i < FLIPS; i++) {
        if (i % 100 == 0)
            put_larger(&file, &random);
        uint8_t *copy = test_exact_copy(file.data, file.size);
        unsigned changes = 1 + test_random_u32(&random) % 3;
        for (unsigned k = 0; k < changes; k++)
            copy[test_random_u32(&random) % file.size] ^= (uint8_t)(1u << test_random_u32(&random) % 8);
        ember_arena          arena = test_arena();
        ember_model          model;
        ember_error          err = EMBER_ERROR_INIT, judged = EMBER_ERROR_INIT;
        int                  found = 0;
        uint32_t             clip_count;
        const ember_findings findings = {count_finding, &found};
        ember_status         status =
            ember_animbin_check_file(&clip_count, copy, file.size, NULL, &findings, &judged);
        options.notes = fixture_listen(&noise);
        if (ember_model_read(&model, copy, file.size, &options, &arena, &err) == EMBER_OK) {
            good++;
            assert_int_equal(status, EMBER_OK);
            assert_int_equal(clip_count, model.clip_count);
            /* lengths that a change made huge only cost time */
            if (model.clip_count == 0 || model.clips[0].frame_count < 100)
                use_model(&model);
        } else {
            assert_true(err.text[0] != '\0');
            assert_int_equal(arena.total, 0);
            assert_true(err.status == EMBER_E_LIMIT ? status == EMBER_OK
                                                    : strcmp(err.text, judged.text) == 0);
        }
        ember_arena_free(&arena);
        free(copy);
    }
    assert_true(good > FLIPS / 10 && good < FLIPS); /* both ways out were taken */
}
