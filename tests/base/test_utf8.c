/* SPDX-License-Identifier: MIT */
/* UTF-8 is recognised as RFC 3629 defines it, and anything else becomes text that can be printed. */
#include "testing.h"

#include "base/utf8.h"

TEST(utf8_takes_what_is_valid_and_no_more)
{
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

TEST(utf8_clean_keeps_whole_characters)
{
    char out[8];
    assert_int_equal(emberi_utf8_clean(out, sizeof(out), "a\n\xff\xc3\xa9", 5), 5);
    assert_string_equal(out, "a??\xc3\xa9");
    /* the second character does not fit beside the end mark */
    assert_int_equal(emberi_utf8_clean(out, 3, "a\xc3\xa9", 3), 3);
    assert_string_equal(out, "a");
    assert_int_equal(emberi_utf8_clean(out, 1, "a", 1), 1);
    assert_string_equal(out, "");
}
