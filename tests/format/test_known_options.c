/* SPDX-License-Identifier: MIT */
/* Options of callers with other headers: older ones whose structs end earlier, newer ones whose structs go
   on, and sizes that no version ever had. */
#include <stddef.h>

#include "format/fixture.h"

/* One bone, one frame: identity at 1 2 3. */
static const uint8_t still[20] = {1, 0, 1, 0, 3, 8, 32, 128, 0, 60, 0, 64, 0, 66, 0, 60, 0, 60, 0, 60};

/* The structs as a later version may have them. */
typedef struct newer_read {
    ember_read_options known;
    uint64_t           more;
} newer_read;

typedef struct newer_bvh {
    ember_bvh_options known;
    uint64_t          more;
} newer_bvh;

static ember_status try_read(const ember_read_options *options, double *fps, ember_error *err)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_model  model;
    ember_status status = ember_model_read(&model, still, sizeof(still), options, &arena, err);
    *fps = status == EMBER_OK ? model.clips[0].fps : -1.0;
    ember_arena_free(&arena);
    return status;
}

static void refuse_read(const ember_read_options *options, ember_status wanted, const char *text)
{
    double      fps;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(try_read(options, &fps, &err), wanted);
    assert_says(err.text, text);
}

TEST(read_takes_options_with_and_without_a_size)
{
    double             fps;
    ember_read_options options = {.format = EMBER_FORMAT_EWZANIM, .fps = 12.0};
    assert_int_equal(try_read(&options, &fps, NULL), EMBER_OK);
    assert_true(fps == 12.0);
    options.size = sizeof(options);
    options.fps = 24.0;
    assert_int_equal(try_read(&options, &fps, NULL), EMBER_OK);
    assert_true(fps == 24.0);
}

/* What lies behind a struct of exactly the first version's size is not read: a sanitizer sees it. */
TEST(read_takes_nothing_behind_the_struct)
{
    double             fps;
    ember_read_options options = {.format = EMBER_FORMAT_EWZANIM, .fps = 12.0};
    uint8_t           *exact = test_exact_copy(&options, offsetof(ember_read_options, ff7) + sizeof(void *));
    assert_int_equal(try_read((const ember_read_options *)(const void *)exact, &fps, NULL), EMBER_OK);
    assert_true(fps == 12.0);
    free(exact);
}

TEST(read_refuses_sizes_that_no_version_had)
{
    ember_read_options options = {.size = sizeof(options) - 8, .format = EMBER_FORMAT_EWZANIM};
    refuse_read(&options, EMBER_E_ARG, "size is sizeof");
    options.size = SIZE_MAX;
    refuse_read(&options, EMBER_E_ARG, "size is sizeof");
    options.size = 1;
    refuse_read(&options, EMBER_E_ARG, "size is sizeof");
}

TEST(read_takes_newer_options_that_are_not_set)
{
    double     fps;
    newer_read newer = {.known = {.size = sizeof(newer), .format = EMBER_FORMAT_EWZANIM, .fps = 48.0}};
    assert_int_equal(try_read(&newer.known, &fps, NULL), EMBER_OK);
    assert_true(fps == 48.0);
    newer.more = 1;
    refuse_read(&newer.known, EMBER_E_UNSUPPORTED, "version " EMBER_VERSION " of the library lacks");
}

TEST(options_of_single_formats_follow_the_same_rule)
{
    newer_bvh          bvh = {.known = {.size = sizeof(bvh)}, .more = 1};
    ember_read_options options = {.format = EMBER_FORMAT_EWZANIM, .bvh = &bvh.known};
    double             fps;
    refuse_read(&options, EMBER_E_UNSUPPORTED, "an option is set");
    bvh.more = 0;
    assert_int_equal(try_read(&options, &fps, NULL), EMBER_OK);
    bvh.known.size = 3;
    refuse_read(&options, EMBER_E_ARG, "options of 3 bytes");
}

TEST(write_follows_the_same_rule)
{
    fixture_model       f;
    ember_eza_options   eza = {.size = 2};
    ember_write_options options = {.size = 8, .format = EMBER_FORMAT_JSON};
    fixture_fill(&f);
    fixture_refuse_write(&f.model, options, EMBER_E_ARG, "options of 8 bytes");
    options.size = sizeof(options);
    options.eza = &eza;
    fixture_refuse_write(&f.model, options, EMBER_E_ARG, "options of 2 bytes");
    options.eza = NULL;
    ember_buffer sized = fixture_write(&f.model, options);
    options.size = 0;
    ember_buffer plain = fixture_write(&f.model, options);
    assert_int_equal(sized.size, plain.size);
    assert_memory_equal(sized.data, plain.data, plain.size);
    ember_buffer_free(&sized);
    ember_buffer_free(&plain);
}
