/* SPDX-License-Identifier: MIT */
/* Words and numbers out of text: against the C library's strtod, and at the edges. */
#include "fixture.h"
#include "format/text_scan.h"

static bool number(const char *text, double *out, int *digits)
{
    ember_error err = EMBER_ERROR_INIT;
    uint8_t    *copy = test_exact_copy(text, strlen(text));
    emberi_scan scan = emberi_scan_init(copy, strlen(text), "text", &err);
    bool        good = emberi_scan_number(&scan, out, digits);
    assert_true(good || scan.cursor == scan.base);
    free(copy);
    return good;
}

TEST(scan_numbers_match_strtod)
{
    test_random random = {5};
    for (int i = 0; i < 100000; i++) {
        char     text[64];
        uint32_t whole = test_random_u32(&random) % 1000000, part = test_random_u32(&random) % 1000000;
        int      power = (int)(test_random_u32(&random) % 40) - 20;
        double   value;
        if (i % 2 == 0)
            snprintf(text, sizeof(text), "%s%u.%06u", i % 4 == 0 ? "-" : "", (unsigned)whole, (unsigned)part);
        else
            snprintf(text, sizeof(text), "%u.%ue%d", (unsigned)(whole % 10), (unsigned)part, power);
        assert_true(number(text, &value, NULL));
        double wanted = strtod(text, NULL), apart = value - wanted;
        /* Fifteen digits and a small exponent are exact; what goes through two powers of ten is off by a few
           parts in 2^53. */
        assert_true(i % 2 == 0 ? apart == 0.0 : (apart <= wanted * 5e-16 && apart >= -wanted * 5e-16));
    }
}

TEST(scan_numbers_take_all_forms)
{
    double value;
    int    digits;
    assert_true(number("+.5", &value, &digits) && value == 0.5 && digits == 1);
    assert_true(number("5.", &value, &digits) && value == 5.0 && digits == 0);
    assert_true(number("-0", &value, NULL) && value == 0.0);
    assert_true(number("1e-3", &value, &digits) && value == 0.001 && digits == 3);
    assert_true(number("25.00E+1", &value, &digits) && value == 250.0 && digits == 1);
    assert_true(number("7}", &value, NULL) && value == 7.0);
    assert_true(number("123456789012345678901234567890", &value, NULL) && value > 1.23456789012345e29 &&
                value < 1.23456789012346e29);
    assert_true(number("0.0000000000000000000000000000000000000000001", &value, NULL) && value > 0.9999e-43 &&
                value < 1.0001e-43);
    assert_true(number("1e-400", &value, NULL) && value == 0.0);
    assert_true(number("0e999999999999", &value, NULL) && value == 0.0);
    assert_true(number("1.7e308", &value, NULL) && value > 1.69e308);
}

TEST(scan_numbers_refuse_the_rest)
{
    static const char *const bad[] = {"",    "-",    "+",   ".",   "e5",  "1e",    "1e+",           "1.2.3",
                                      "1,5", "0x10", "nan", "inf", "--1", "1e309", "1e99999999999", "12a"};
    double                   value = 42.0;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(number(bad[i], &value, NULL));
    assert_true(value == 42.0);
}

TEST(scan_integers_end_where_they_may)
{
    static const struct {
        const char *text;
        bool        good;
        int64_t     value;
    } cases[] = {{"12", true, 12},
                 {"-3/4", true, -3},
                 {"+7 ", true, 7},
                 {"", false, 0},
                 {"-", false, 0},
                 {"1.5", false, 0},
                 {"9x", false, 0},
                 {"9223372036854775807", false, 0},
                 {"922337203685477580", true, 922337203685477580}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ember_error err = EMBER_ERROR_INIT;
        uint8_t    *copy = test_exact_copy(cases[i].text, strlen(cases[i].text));
        emberi_scan scan = emberi_scan_init(copy, strlen(cases[i].text), "text", &err);
        int64_t     value = 0;
        assert_int_equal(emberi_scan_integer(&scan, &value, "/"), cases[i].good);
        assert_true(value == cases[i].value);
        free(copy);
    }
}

TEST(scan_failure_says_line_and_column)
{
    ember_error err = EMBER_ERROR_INIT;
    emberi_scan scan = emberi_scan_init((const uint8_t *)"one\ntwo\n three", 14, "thing", &err);
    for (int i = 0; i < 2; i++) {
        emberi_scan_word(&scan);
        emberi_scan_space(&scan);
    }
    assert_int_equal(emberi_scan_fail(&scan, EMBER_E_MALFORMED, "%d things", 3), EMBER_E_MALFORMED);
    assert_string_equal(err.text, "thing: line 3, column 2: 3 things");
    assert_int_equal(err.offset, 9);
}
