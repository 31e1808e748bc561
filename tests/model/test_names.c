/* SPDX-License-Identifier: MIT */
/* Names from anywhere become names that can be printed; messages stay one line. */
#include "format/fixture.h"

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

TEST(copied_names_have_no_control_characters)
{
    assert_string_equal(copied("hip", 3), "hip");
    assert_string_equal(copied("h\0p", 3), "h?p");
    assert_string_equal(copied("a\nb\x1b\x7f", 5), "a?b??");
    assert_string_equal(copied("\xc2\x9b!", 3), "?!");
    assert_string_equal(copied("\xff\xc3\xa9\xc3", 4), "?\xc3\xa9?");
    assert_string_equal(copied("", 0), "");
}

TEST(a_clip_is_called_after_its_file)
{
    assert_string_equal(from_path("/a/b/walk.ewzanim"), "walk");
    assert_string_equal(from_path("walk"), "walk");
    assert_string_equal(from_path("a.b/walk.x.eza"), "walk.x");
    assert_string_equal(from_path(".eza"), ".eza");
    assert_string_equal(from_path("a/"), "clip");
    assert_string_equal(from_path("-"), "clip");
    assert_string_equal(from_path(""), "clip");
    assert_string_equal(from_path(NULL), "clip");
}

TEST(quoted_names_are_cut_between_characters)
{
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

TEST(failures_are_one_line)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(emberi_failf(&err, EMBER_E_IO, 5, "%s", "a\nb\x1b"), EMBER_E_IO);
    assert_string_equal(err.text, "a?b?");
    assert_int_equal(err.offset, 5);
    assert_int_equal(emberi_fail_at(&err, EMBER_E_ARG, (emberi_place){9, 1, 2, 3, "walk", "hip"}, "later"),
                     EMBER_E_ARG);
    assert_int_equal(err.bone, -1);
    assert_string_equal(err.bone_name, "");
    assert_int_equal(emberi_failf(NULL, EMBER_E_IO, 0, "%d", 1), EMBER_E_IO);
}
