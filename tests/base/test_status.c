/* SPDX-License-Identifier: MIT */
/* Names of the status codes, and the record of a first failure. */
#include "testing.h"

#define TEXT_ROOM (sizeof(((ember_error *)0)->text) - 1) /* bytes of text beside the end mark */

static void every_status_has_its_own_name(void **state)
{
    (void)state;
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
}

static void status_out_of_range_has_a_name_too(void **state)
{
    (void)state;
    assert_string_equal(ember_status_name(EMBER_STATUS_COUNT), "unknown status");
    assert_string_equal(ember_status_name((ember_status)1000000), "unknown status");
    assert_string_equal(ember_status_name((ember_status)0x7fffffff), "unknown status");
}

static void error_starts_empty(void **state)
{
    (void)state;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(err.status, EMBER_OK);
    assert_true(err.offset == EMBER_NO_OFFSET);
    assert_int_equal(err.clip, -1);
    assert_int_equal(err.bone, -1);
    assert_int_equal(err.frame, -1);
    assert_string_equal(err.text, "");
}

static void fail_records_and_returns_the_status(void **state)
{
    (void)state;
    ember_error err = EMBER_ERROR_INIT;
    assert_int_equal(ember_fail(&err, EMBER_E_TRUNCATED, 17, "animation data truncated"), EMBER_E_TRUNCATED);
    assert_int_equal(err.status, EMBER_E_TRUNCATED);
    assert_int_equal(err.offset, 17);
    assert_int_equal(err.bone, -1);
    assert_string_equal(err.text, "animation data truncated");
}

static void fail_lets_the_first_failure_win(void **state)
{
    (void)state;
    ember_error err = EMBER_ERROR_INIT;
    ember_fail(&err, EMBER_E_RANGE, 4, "first");
    assert_int_equal(ember_fail(&err, EMBER_E_NOMEM, 9, "second"), EMBER_E_NOMEM);
    assert_int_equal(err.status, EMBER_E_RANGE);
    assert_int_equal(err.offset, 4);
    assert_string_equal(err.text, "first");
}

static void fail_takes_no_error_at_all(void **state)
{
    (void)state;
    assert_int_equal(ember_fail(NULL, EMBER_E_IO, 0, "nobody listens"), EMBER_E_IO);
}

static void fail_keeps_a_text_that_just_fits(void **state)
{
    (void)state;
    ember_error err = EMBER_ERROR_INIT;
    char        text[TEXT_ROOM + 1];
    memset(text, 'a', TEXT_ROOM);
    text[TEXT_ROOM] = '\0';
    ember_fail(&err, EMBER_E_ARG, 0, text);
    assert_string_equal(err.text, text);
}

static void fail_keeps_a_last_character_that_just_fits(void **state)
{
    (void)state;
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

static void fail_cuts_long_texts_at_a_character(void **state)
{
    (void)state;
    static const char *const characters[4] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x94\xa5"};
    for (size_t size = 1; size <= 4; size++) {
        for (size_t into = 0; into <= size; into++)
            check_cut(characters[size - 1], into, into == size ? TEXT_ROOM : TEXT_ROOM - into);
    }
    check_cut("a", 1, TEXT_ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_own_name),
        cmocka_unit_test(status_out_of_range_has_a_name_too),
        cmocka_unit_test(error_starts_empty),
        cmocka_unit_test(fail_records_and_returns_the_status),
        cmocka_unit_test(fail_lets_the_first_failure_win),
        cmocka_unit_test(fail_takes_no_error_at_all),
        cmocka_unit_test(fail_keeps_a_text_that_just_fits),
        cmocka_unit_test(fail_keeps_a_last_character_that_just_fits),
        cmocka_unit_test(fail_cuts_long_texts_at_a_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
