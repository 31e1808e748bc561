/* SPDX-License-Identifier: MIT */
/* Names of the status codes, the record of a first failure, and the line that shows it.
   Covers: fail.c. */
#include "testing.h"

#define TEXT_ROOM (sizeof(((ember_error *)0)->text) - 1) /* bytes of text beside the end mark */

TEST(every_status_has_its_own_name)
{
    for (int i = 0; i < EMBER_STATUS_COUNT; i++) {
        const char *name = ember_status_name((ember_status)i);
        assert_non_null(name);
        assert_true(name[0] != '\0');
        assert_string_not_equal(name, "unknown status");
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name, ember_status_name((ember_status)k));
    }
    assert_string_equal(ember_status_name(EMBER_OK), "ok");
    assert_string_equal(ember_status_name(EMBER_E_TRUNCATED), "truncated");
    assert_string_equal(ember_status_name(EMBER_E_MALFORMED), "malformed");
    assert_string_equal(ember_status_name(EMBER_E_IO), "input/output");
    assert_string_equal(ember_status_name(EMBER_E_TRAP), "trap");
}

TEST(status_out_of_range_has_a_name_too)
{
    assert_string_equal(ember_status_name(EMBER_STATUS_COUNT), "unknown status");
    assert_string_equal(ember_status_name((ember_status)1000000), "unknown status");
    assert_string_equal(ember_status_name((ember_status)0x7fffffff), "unknown status");
}

TEST(error_starts_empty)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(err.status, EMBER_OK);
    assert_true(err.offset == EMBER_NO_OFFSET);
    assert_int_equal(err.clip, -1);
    assert_int_equal(err.bone, -1);
    assert_int_equal(err.frame, -1);
    assert_string_equal(err.text, "");
    assert_string_equal(err.clip_name, "");
    assert_string_equal(err.bone_name, "");
}

TEST(fail_records_and_returns_the_status)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_fail(&err, EMBER_E_TRUNCATED, 17, "animation data truncated"), EMBER_E_TRUNCATED);
    assert_int_equal(err.status, EMBER_E_TRUNCATED);
    assert_int_equal(err.offset, 17);
    assert_int_equal(err.bone, -1);
    assert_string_equal(err.text, "animation data truncated");
}

TEST(fail_lets_the_first_failure_win)
{
    ember_error err = EMBER_ERROR_INIT;
    ember_fail(&err, EMBER_E_RANGE, 4, "first");
    assert_int_equal(ember_fail(&err, EMBER_E_NOMEM, 9, "second"), EMBER_E_NOMEM);
    assert_int_equal(err.status, EMBER_E_RANGE);
    assert_int_equal(err.offset, 4);
    assert_string_equal(err.text, "first");
}

TEST(fail_takes_no_error_at_all)
{
    assert_int_equal(ember_fail(NULL, EMBER_E_IO, 0, "nobody listens"), EMBER_E_IO);
}

TEST(fail_keeps_a_text_that_just_fits)
{
    ember_error err = EMBER_ERROR_INIT;
    char        text[TEXT_ROOM + 1];
    memset(text, 'a', TEXT_ROOM);
    text[TEXT_ROOM] = '\0';
    ember_fail(&err, EMBER_E_ARG, 0, text);
    assert_string_equal(err.text, text);
}

TEST(fail_keeps_a_last_character_that_just_fits)
{
    ember_error err = EMBER_ERROR_INIT;
    char        text[TEXT_ROOM + 1];
    memset(text, 'a', TEXT_ROOM);
    memcpy(text + TEXT_ROOM - 2, "\xc3\xa9", 3); /* e with an accent, two bytes, ends in the last place */
    ember_fail(&err, EMBER_E_ARG, 0, text);
    assert_string_equal(err.text, text);
}

/* A character of 1 to 4 bytes put so that it begins `into` bytes before the room ends; more text follows. */
static void check_cut(const char *character, size_t into, size_t expected_size)
{
    ember_error err = EMBER_ERROR_INIT;
    char        text[TEXT_ROOM + 64];
    memset(text, 'a', sizeof(text));
    memcpy(text + TEXT_ROOM - into, character, strlen(character));
    text[sizeof(text) - 1] = '\0';
    ember_fail(&err, EMBER_E_ARG, 0, text);
    assert_int_equal(strlen(err.text), expected_size);
    assert_memory_equal(err.text, text, expected_size);
}

TEST(fail_cuts_long_texts_at_a_character)
{
    static const char *const characters[4] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x94\xa5"};
    for (size_t size = 1; size <= 4; size++) {
        for (size_t into = 0; into <= size; into++)
            check_cut(characters[size - 1], into, into == size ? TEXT_ROOM : TEXT_ROOM - into);
    }
    check_cut("a", 1, TEXT_ROOM);
}

/* ---- the line ---- */

static void check_line(const ember_error *err, const char *file, const char *wanted)
{
    char line[256];
    assert_int_equal(ember_error_format(line, sizeof(line), file, err), strlen(wanted));
    assert_string_equal(line, wanted);
}

static ember_error error_at(int32_t clip, const char *clip_name, int32_t bone, const char *bone_name,
                            int32_t frame)
{
    ember_error err = EMBER_ERROR_INIT;
    ember_fail(&err, EMBER_E_RANGE, 7, "the rotation is zero");
    err.clip = clip;
    err.bone = bone;
    err.frame = frame;
    snprintf(err.clip_name, sizeof(err.clip_name), "%s", clip_name);
    snprintf(err.bone_name, sizeof(err.bone_name), "%s", bone_name);
    return err;
}

TEST(format_puts_the_place_in_front)
{
    ember_error whole = error_at(2, "walk", 12, "hand.l", 3);
    check_line(&whole, "hero.glb", "hero.glb: walk: hand.l: frame 3: the rotation is zero");
    check_line(&whole, NULL, "walk: hand.l: frame 3: the rotation is zero");
    check_line(&whole, "", "walk: hand.l: frame 3: the rotation is zero");
}

TEST(format_leaves_out_what_does_not_apply)
{
    ember_error nowhere = error_at(-1, "", -1, "", -1), bone = error_at(-1, "", 0, "hip", -1),
                frame = error_at(0, "walk", -1, "", 0);
    check_line(&nowhere, NULL, "the rotation is zero");
    check_line(&nowhere, "a.eza", "a.eza: the rotation is zero");
    check_line(&bone, NULL, "hip: the rotation is zero");
    check_line(&frame, NULL, "walk: frame 0: the rotation is zero");
}

TEST(format_numbers_what_has_no_name)
{
    ember_error err = error_at(2, "", 12, "", 65535), last = error_at(INT32_MAX, "", -1, "", -1);
    check_line(&err, NULL, "clip 2: bone 12: frame 65535: the rotation is zero");
    check_line(&last, NULL, "clip 2147483647: the rotation is zero");
}

TEST(format_shows_the_status_where_there_is_no_text)
{
    ember_error err = EMBER_ERROR_INIT;
    check_line(&err, NULL, "ok");
    err.status = EMBER_E_TRUNCATED;
    check_line(&err, "a.eza", "a.eza: truncated");
}

TEST(format_needs_no_room_to_tell_the_length)
{
    ember_error err = error_at(0, "walk", -1, "", -1);
    assert_int_equal(ember_error_format(NULL, 0, NULL, &err), strlen("walk: the rotation is zero"));
}

TEST(format_ends_in_every_size)
{
    static const char wanted[] = "w\xc3\xa9: \xf0\x9f\x94\xa5: the rotation is zero";
    ember_error       err = error_at(0, "w\xc3\xa9", 1, "\xf0\x9f\x94\xa5", -1);
    for (size_t size = 1; size <= sizeof(wanted); size++) {
        char *line = test_alloc(size);
        assert_int_equal(ember_error_format(line, size, NULL, &err), sizeof(wanted) - 1);
        size_t length = strlen(line), border = size - 1;
        while (((unsigned char)wanted[border] & 0xc0u) == 0x80u)
            border--;
        assert_int_equal(length, border);
        assert_memory_equal(line, wanted, length);
        free(line);
    }
}

TEST(format_fits_any_error_into_its_line_size)
{
    ember_error err = error_at(INT32_MAX, "", INT32_MAX, "", INT32_MAX);
    memset(err.text, 'a', sizeof(err.text) - 1);
    memset(err.clip_name, 'b', sizeof(err.clip_name) - 1);
    memset(err.bone_name, 'c', sizeof(err.bone_name) - 1);
    assert_true(ember_error_format(NULL, 0, NULL, &err) < EMBER_ERROR_LINE_SIZE);
}

TEST(control_characters_never_reach_the_line)
{
    ember_error err = EMBER_ERROR_INIT;
    ember_fail(&err, EMBER_E_IO, 0, "two\nlines\x7f, \xc2\x9b and \xc3\xa9");
    assert_string_equal(err.text, "two?lines?, ? and \xc3\xa9");
    snprintf(err.clip_name, sizeof(err.clip_name), "wa\tlk");
    check_line(&err, "a\nb\x1b[31m\xc2\x85", "a?b?[31m?: wa?lk: two?lines?, ? and \xc3\xa9");
}

/* An error that was only zeroed has no place of its own: 0 is a clip, a bone and a frame. */
TEST(fail_leaves_no_place_behind)
{
    ember_error err = {EMBER_OK};
    snprintf(err.bone_name, sizeof(err.bone_name), "old");
    ember_fail(&err, EMBER_E_IO, EMBER_NO_OFFSET, "cannot open");
    check_line(&err, "f", "f: cannot open");
}

TEST(format_takes_no_error_at_all) { check_line(NULL, "f", "f: ok"); }

TEST(version_is_one_number_of_three_parts)
{
    char text[32];
    assert_int_equal(ember_version(), 100);
    assert_int_equal(EMBER_VERSION_NUMBER, 100);
    snprintf(text, sizeof(text), "%d.%d.%d", EMBER_VERSION_MAJOR, EMBER_VERSION_MINOR, EMBER_VERSION_PATCH);
    assert_string_equal(text, EMBER_VERSION);
}
