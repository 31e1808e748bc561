/* SPDX-License-Identifier: MIT */
/* Names from anywhere become names that can be printed; messages stay one line. */
#include "fixture.h"

#include "format/ops.h"

static char memory[4096];

static const char *copied(const char *text, size_t size)
{
    ember_arena arena = ember_arena_fixed(memory, sizeof(memory));
    return emberi_copy_name(&arena, text, size);
}

static const char *from_path(const char *path)
{
    ember_arena arena = ember_arena_fixed(memory, sizeof(memory));
    return emberi_name_from_path(&arena, path);
}

static void utf8_takes_what_is_valid_and_no_more(void **state)
{
    (void)state;
    static const char *const good[] =
        {"", "a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x94\xa5", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] =
        {"\x80",     "\xc3",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x80\x80",
         "\xe2\x82", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
         "a\xff"};
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(emberi_utf8_valid(good[i]));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(emberi_utf8_valid(bad[i]));
}

static void copied_names_have_no_control_characters(void **state)
{
    (void)state;
    assert_string_equal(copied("hip", 3), "hip");
    assert_string_equal(copied("h\0p", 3), "h?p");
    assert_string_equal(copied("a\nb\x1b\x7f", 5), "a?b??");
    assert_string_equal(copied("\xc2\x9b!", 3), "?!");
    assert_string_equal(copied("\xff\xc3\xa9\xc3", 4), "?\xc3\xa9?");
    assert_string_equal(copied("", 0), "");
}

static void a_clip_is_called_after_its_file(void **state)
{
    (void)state;
    assert_string_equal(from_path("/a/b/walk.ewzanim"), "walk");
    assert_string_equal(from_path("walk"), "walk");
    assert_string_equal(from_path("a.b/walk.x.eza"), "walk.x");
    assert_string_equal(from_path(".eza"), ".eza");
    assert_string_equal(from_path("a/"), "clip");
    assert_string_equal(from_path("-"), "clip");
    assert_string_equal(from_path(""), "clip");
    assert_string_equal(from_path(NULL), "clip");
}

static void quoted_names_are_cut_between_characters(void **state)
{
    (void)state;
    char name[200];
    assert_string_equal(emberi_quote("hip").text, "\"hip\"");
    memset(name, 'x', 58);
    name[58] = '\0';
    assert_int_equal(strlen(emberi_quote(name).text), 60);
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    assert_int_equal(strlen(emberi_quote(name).text), 63);
    assert_string_equal(emberi_quote(name).text + 59, "...\"");
    for (size_t i = 0; i + 2 < sizeof(name); i += 2)
        memcpy(name + i, "\xc3\xa9", 2);
    name[198] = '\0';
    assert_true(emberi_utf8_valid(emberi_quote(name).text));
}

static void failures_are_one_line(void **state)
{
    (void)state;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(emberi_failf(&err, EMBER_E_IO, 5, "%s", "a\nb\x1b"), EMBER_E_IO);
    assert_string_equal(err.text, "a?b?");
    assert_int_equal(err.offset, 5);
    assert_int_equal(emberi_fail_at(&err, EMBER_E_ARG, 1, 2, 3, "later"), EMBER_E_ARG);
    assert_int_equal(err.bone, -1);
    assert_int_equal(emberi_failf(NULL, EMBER_E_IO, 0, "%d", 1), EMBER_E_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_takes_what_is_valid_and_no_more),
        cmocka_unit_test(copied_names_have_no_control_characters),
        cmocka_unit_test(a_clip_is_called_after_its_file),
        cmocka_unit_test(quoted_names_are_cut_between_characters),
        cmocka_unit_test(failures_are_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
