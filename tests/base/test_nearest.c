/* SPDX-License-Identifier: MIT */
/* Distances of words, by hand. */
#include "testing.h"

#include "base/nearest.h"

static unsigned apart(const char *a, const char *b)
{
    return emberi_word_distance(a, strlen(a), b, strlen(b));
}

TEST(an_edit_is_a_letter_more_less_or_another_or_two_swapped)
{
    assert_int_equal(apart("", ""), 0);
    assert_int_equal(apart("walk", "walk"), 0);
    assert_int_equal(apart("walk", "walks"), 1);
    assert_int_equal(apart("walk", "wak"), 1);
    assert_int_equal(apart("walk", "talk"), 1);
    assert_int_equal(apart("walk", "wlak"), 1);
    assert_int_equal(apart("draw_mesh", "darw_mseh"), 2);
    assert_int_equal(apart("", "abc"), 3);
    assert_int_equal(apart("kitten", "sitting"), 3);
}

TEST(longer_words_are_near_nothing)
{
    char word[70];
    memset(word, 'a', sizeof(word));
    assert_int_equal(emberi_word_distance(word, 63, word, 63), 0);
    assert_int_equal(emberi_word_distance(word, 64, word, 64), EMBERI_LONGEST_WORD);
    assert_int_equal(emberi_word_distance(word, 3, word, 64), EMBERI_LONGEST_WORD);
}

TEST(longer_words_may_be_further_off)
{
    assert_int_equal(emberi_word_tolerance(3), 1);
    assert_int_equal(emberi_word_tolerance(6), 2);
    assert_int_equal(emberi_word_tolerance(12), 3);
}
