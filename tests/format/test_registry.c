/* SPDX-License-Identifier: MIT */
/* Formats by name, extension and content, and the two doors that every file goes through. */
#include "fixture.h"

static const uint8_t ewzanim[20] = {1, 0, 1, 0, 0x03, 0x08, 0x20, 0x80};
static const uint8_t eza[4] = {'E', 'W', 'Z', 'A'};
static const char    json[] = " \n{ \"version\": 1, \"format\": \"ember-clip\" }";

static ember_format sniff(const void *data, size_t size, const char *path)
{
    const ember_format_info *info = ember_format_sniff(data, size, path);
    return info != NULL ? info->format : EMBER_FORMAT_UNKNOWN;
}

static void formats_are_found_by_name(void **state)
{
    (void)state;
    assert_int_equal(ember_format_by_name("ewzanim")->format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_format_by_name("eza")->format, EMBER_FORMAT_EZA);
    assert_int_equal(ember_format_by_name("json")->format, EMBER_FORMAT_JSON);
    assert_null(ember_format_by_name("wav"));
    assert_null(ember_format_get(EMBER_FORMAT_UNKNOWN));
    assert_in_range(ember_format_count(), 3, 100);
    for (size_t i = 0; i < ember_format_count(); i++) {
        const ember_format_info *info = ember_format_at(i);
        assert_ptr_equal(ember_format_get(info->format), info);
        assert_ptr_equal(ember_format_by_name(info->name), info);
    }
    assert_null(ember_format_at(ember_format_count()));
}

static void formats_are_found_by_extension_in_any_case(void **state)
{
    (void)state;
    assert_int_equal(ember_format_by_path("a.b/walk.ewzanim")->format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_format_by_path("WALK.NCZXANIM")->format, EMBER_FORMAT_EWZANIM);
    assert_int_equal(ember_format_by_path("x.y.Eza")->format, EMBER_FORMAT_EZA);
    assert_int_equal(ember_format_by_path("c.json")->format, EMBER_FORMAT_JSON);
    assert_null(ember_format_by_path("json"));
    assert_null(ember_format_by_path(".json"));
    assert_null(ember_format_by_path("a.json/b"));
    assert_null(ember_format_by_path("a.jso"));
    assert_null(ember_format_by_path("a.jsonn"));
    assert_null(ember_format_by_path("a."));
    assert_null(ember_format_by_path(""));
}

static void content_goes_before_the_extension(void **state)
{
    (void)state;
    assert_int_equal(sniff(eza, sizeof(eza), "a.json"), EMBER_FORMAT_EZA);
    assert_int_equal(sniff(json, sizeof(json) - 1, "a.eza"), EMBER_FORMAT_JSON);
    assert_int_equal(sniff(ewzanim, sizeof(ewzanim), "a.json"), EMBER_FORMAT_EWZANIM);
    assert_int_equal(sniff(ewzanim, sizeof(ewzanim), NULL), EMBER_FORMAT_EWZANIM);
}

static void the_extension_tells_where_content_does_not(void **state)
{
    (void)state;
    assert_int_equal(sniff(ewzanim, 19, NULL), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(sniff(ewzanim, 19, "a.ewzanim"), EMBER_FORMAT_EWZANIM);
    assert_int_equal(sniff("{}", 2, "a.json"), EMBER_FORMAT_JSON);
    assert_int_equal(sniff("{}", 2, NULL), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(sniff(NULL, 0, "a.eza"), EMBER_FORMAT_EZA);
    assert_int_equal(sniff(NULL, 0, NULL), EMBER_FORMAT_UNKNOWN);
}

static void json_is_told_within_four_kibibytes(void **state)
{
    (void)state;
    char text[6000];
    memset(text, ' ', sizeof(text));
    text[0] = '{';
    memcpy(text + 4096 - 12, "\"ember-clip\"", 12);
    assert_int_equal(sniff(text, sizeof(text), NULL), EMBER_FORMAT_JSON);
    memset(text + 1, ' ', sizeof(text) - 1);
    memcpy(text + 4096 - 11, "\"ember-clip\"", 12);
    assert_int_equal(sniff(text, sizeof(text), NULL), EMBER_FORMAT_UNKNOWN);
}

static void reading_what_nothing_tells_is_an_error(void **state)
{
    (void)state;
    ember_read_options none = {.path = "a.txt"};
    fixture_refuse("hello", 5, none, EMBER_E_UNSUPPORTED,
                   "unknown format: neither content nor name tell what it is");
    fixture_refuse("", 0, none, EMBER_E_UNSUPPORTED, "unknown format: there are no bytes");
    fixture_refuse("", 0, (ember_read_options){.format = EMBER_FORMAT_COUNT}, EMBER_E_UNSUPPORTED,
                   "this format cannot be read");
}

static void reading_refuses_options_that_are_impossible(void **state)
{
    (void)state;
    int16_t        bad = 5;
    ember_skeleton skeleton = {.bone_count = 1, .parents = &bad};
    fixture_refuse(ewzanim, 20, (ember_read_options){.fps = -2}, EMBER_E_ARG, "a rate of -2 is not possible");
    fixture_refuse(ewzanim, 20, (ember_read_options){.scale = -1}, EMBER_E_ARG,
                   "a scale of -1 is not possible");
    fixture_refuse(ewzanim, 20, (ember_read_options){.space = (ember_space)7}, EMBER_E_ARG,
                   "7 is not a space");
    fixture_refuse(ewzanim, 20, (ember_read_options){.skeleton = &skeleton}, EMBER_E_MALFORMED,
                   "bone 0: parent is 5");
}

static void reading_takes_the_rate_of_the_source(void **state)
{
    (void)state;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model = fixture_read(ewzanim, 20, (ember_read_options){.fps = EMBER_FPS_SOURCE}, &arena);
    assert_true(model.clips[0].fps == 0.0);
    ember_arena_free(&arena);
}

static void the_first_failure_wins(void **state)
{
    (void)state;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    ember_model model;
    ember_fail(&err, EMBER_E_IO, 3, "earlier");
    assert_int_equal(ember_model_read(&model, eza, 4, NULL, &arena, &err), EMBER_E_TRUNCATED);
    assert_string_equal(err.text, "earlier");
    assert_int_equal(ember_model_read(&model, eza, 4, NULL, &arena, NULL), EMBER_E_TRUNCATED);
    ember_arena_free(&arena);
}

static void writing_checks_the_model_and_the_format(void **state)
{
    (void)state;
    fixture_model       f;
    ember_buffer        buffer = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = EMBER_FORMAT_JSON};
    fixture_fill(&f);
    f.parents[0] = 2;
    assert_int_equal(ember_model_write(&buffer, &f.model, &options, &err), EMBER_E_MALFORMED);
    fixture_fill(&f);
    options.format = EMBER_FORMAT_UNKNOWN;
    assert_int_equal(ember_model_write(&buffer, &f.model, &options, NULL), EMBER_E_UNSUPPORTED);
    assert_int_equal(buffer.size, 0);
    ember_buffer_free(&buffer);
}

static void any_bytes_give_a_model_or_an_error(void **state)
{
    (void)state;
    test_random random = {21};
    for (int round = 0; round < 20000; round++) {
        uint8_t            bytes[64];
        size_t             size = test_random_u32(&random) % sizeof(bytes);
        ember_read_options options = {
            .format = (ember_format)(EMBER_FORMAT_EWZANIM + test_random_u32(&random) % 3)};
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        ember_error err = EMBER_ERROR_INIT;
        ember_model model;
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)test_random_u32(&random);
        if (size > 16 && round % 2 == 0)
            memcpy(bytes, "EWZA\1\0\1\0\1\0\0\0\0\0\0\0", 16);
        uint8_t     *copy = test_exact_copy(bytes, size);
        ember_status status = ember_model_read(&model, copy, size, &options, &arena, &err);
        if (status == EMBER_OK)
            assert_int_equal(ember_model_check(&model, NULL), EMBER_OK);
        else
            assert_true(err.text[0] != '\0' && arena.total == 0);
        ember_arena_free(&arena);
        free(copy);
    }
}

/* ---- formats that need a reader ---- */

static const char fbx_text[] = "; FBX 7.4.0 project file";
static const char fbx_binary[] = "Kaydara FBX Binary  \0\x1a";

static void fbx_is_told_by_its_content(void **state)
{
    (void)state;
    assert_int_equal(sniff(fbx_text, sizeof(fbx_text) - 1, "a.json"), EMBER_FORMAT_FBX);
    assert_int_equal(sniff(fbx_binary, sizeof(fbx_binary) - 1, NULL), EMBER_FORMAT_FBX);
    assert_int_equal(sniff("; Made by hand\nFBXHeaderExtension:  {\n", 39, NULL), EMBER_FORMAT_FBX);
    assert_int_equal(sniff("; Made by hand\n", 15, NULL), EMBER_FORMAT_UNKNOWN);
    assert_int_equal(sniff("; Made by hand\n", 15, "a.fbx"), EMBER_FORMAT_FBX);
    assert_int_equal(sniff(fbx_binary, 12, NULL), EMBER_FORMAT_UNKNOWN);
}

static void a_format_that_needs_a_reader_says_so_without_one(void **state)
{
    (void)state;
    assert_true(ember_format_needs_reader(EMBER_FORMAT_FBX));
    assert_false(ember_format_needs_reader(EMBER_FORMAT_GLB));
    assert_false(ember_format_needs_reader(EMBER_FORMAT_UNKNOWN));
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model model;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_model_read(&model, fbx_text, sizeof(fbx_text) - 1, NULL, &arena, &err),
                     EMBER_E_UNSUPPORTED);
    assert_non_null(strstr(err.text, "FBX needs a reader"));
    ember_arena_free(&arena);
}

/* One bone, if the bytes and the options are those that were given. */
static ember_status read_one_bone(ember_model *out, const void *data, size_t size,
                                  const ember_read_options *options, ember_arena *arena, ember_error *err)
{
    int16_t *parents = EMBER_PUSH(arena, int16_t, 1);
    if (size != sizeof(fbx_text) - 1 || memcmp(data, fbx_text, size) != 0 || options->fps != 24.0)
        return ember_fail(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "not what was given");
    parents[0] = options->loop ? 7 : -1; /* 7 is a parent that ember_model_check refuses */
    out->skeleton = (ember_skeleton){.bone_count = 1, .parents = parents};
    return EMBER_OK;
}

static void a_reader_that_is_brought_is_used_and_checked(void **state)
{
    (void)state;
    static const ember_reader        reader = {EMBER_FORMAT_FBX, read_one_bone};
    static const ember_reader *const readers[] = {&reader};
    ember_arena                      arena = ember_arena_growing(ember_heap(), 0);
    ember_model                      model;
    ember_error                      err = EMBER_ERROR_INIT;
    ember_read_options               options = {.fps = 24.0, .readers = readers, .reader_count = 1};
    assert_int_equal(ember_model_read(&model, fbx_text, sizeof(fbx_text) - 1, &options, &arena, &err),
                     EMBER_OK);
    assert_int_equal(model.format, EMBER_FORMAT_FBX);
    assert_int_equal(model.skeleton.bone_count, 1);
    options.loop = true;
    assert_int_not_equal(ember_model_read(&model, fbx_text, sizeof(fbx_text) - 1, &options, &arena, &err),
                         EMBER_OK);
    assert_int_equal(model.skeleton.bone_count, 0);
    ember_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_found_by_name),
        cmocka_unit_test(formats_are_found_by_extension_in_any_case),
        cmocka_unit_test(content_goes_before_the_extension),
        cmocka_unit_test(the_extension_tells_where_content_does_not),
        cmocka_unit_test(json_is_told_within_four_kibibytes),
        cmocka_unit_test(reading_what_nothing_tells_is_an_error),
        cmocka_unit_test(reading_refuses_options_that_are_impossible),
        cmocka_unit_test(reading_takes_the_rate_of_the_source),
        cmocka_unit_test(the_first_failure_wins),
        cmocka_unit_test(writing_checks_the_model_and_the_format),
        cmocka_unit_test(any_bytes_give_a_model_or_an_error),
        cmocka_unit_test(fbx_is_told_by_its_content),
        cmocka_unit_test(a_format_that_needs_a_reader_says_so_without_one),
        cmocka_unit_test(a_reader_that_is_brought_is_used_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
