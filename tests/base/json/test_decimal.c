/* SPDX-License-Identifier: MIT */
/* Decimal text becomes the double that the C library's strtod finds, to the bit: on numbers as files have
   them, on numbers in the middle between two doubles and next to it, and at both ends of the range. */
#include "testing.h"

#include "base/json/decimal.h"

static void check_text(const char *text)
{
    /* a block of the exact size, so that a look past its end is seen */
    size_t   size = strlen(text);
    uint8_t *exact = malloc(size);
    double   got = 12345.0, wanted = strtod(text, NULL);
    memcpy(exact, text, size);
    size_t taken = emberi_decimal_read(&got, exact, exact + size);
    free(exact);
    if (taken != size || memcmp(&got, &wanted, sizeof(got)) != 0)
        fail_msg("'%.80s': %zu of %zu bytes, %a where strtod says %a", text, taken, size, got, wanted);
}

TEST(decimal_reads_hard_numbers)
{
    static const char *const texts[] =
        {"0",
         "-0",
         "0.0",
         "0e5",
         "-0.000e-400",
         "1",
         "-1",
         "10",
         "0.1",
         "0.3",
         "123456789012345678901234567890",
         "9007199254740993",
         "9007199254740992",
         "9007199254740991",
         "9007199254740995",
         "1e22",
         "1e23",
         "1e-22",
         "1e-23",
         "4.9406564584124654e-324",
         "2.4703282292062327208e-324",
         "2.4703282292062328e-324",
         "2.2250738585072011e-308",
         "2.2250738585072014e-308",
         "2.2250738585072012e-308",
         "1.7976931348623157e308",
         "1.7976931348623158e308",
         "1.7976931348623159e308",
         "1e308",
         "1e309",
         "-1e309",
         "1e99999999999999999999",
         "1e-99999999999999999999",
         "0.70710678118654757",
         "6.9294956446009195e15",
         "8.41e21",
         "9.9e22",
         "3.518437208883201171875e13",
         "1e-325",
         "3e-324",
         "100000000000000016777215",
         "100000000000000016777216",
         "7.2057594037927933e16",
         "1E+5",
         "1e+05",
         "0.000000000000000000000000000000000000000000000000000000000000000000000000001e75",
         "100000000000000000000000000000000000000000000000000000000000000000000000e-70",
         "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207"
         "096"
         "330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475"
         "730"
         "270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880904173"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        check_text(texts[i]);
}

TEST(decimal_reads_any_digits)
{
    test_random random = {1};
    for (int round = 0; round < 400000; round++) {
        char     text[64];
        uint32_t digits = 1 + test_random_u32(&random) % 24, at = 0;
        if (test_random_u32(&random) % 2 != 0)
            text[at++] = '-';
        text[at++] = (char)('1' + test_random_u32(&random) % 9);
        text[at++] = '.';
        for (uint32_t i = 0; i < digits; i++)
            text[at++] = (char)('0' + test_random_u32(&random) % 10);
        int range = round % 2 != 0 ? 340 : 30;
        (void)snprintf(text + at, sizeof(text) - at, "e%d",
                       (int)(test_random_u32(&random) % (uint32_t)(2 * range)) - range);
        check_text(text);
    }
}

TEST(decimal_reads_what_printf_writes)
{
    test_random random = {2};
    for (int round = 0; round < 200000; round++) {
        char     text[64];
        uint64_t bits = (uint64_t)test_random_u32(&random) << 32 | test_random_u32(&random);
        double   value;
        float    single;
        memcpy(&value, &bits, sizeof(value));
        memcpy(&single, &bits, sizeof(single));
        if (value - value == 0.0) {
            (void)snprintf(text, sizeof(text), "%.*e", 14 + round % 5, value);
            check_text(text);
        }
        if (single - single == 0.0f) {
            (void)snprintf(text, sizeof(text), "%.*e", 6 + round % 12, (double)single);
            check_text(text);
        }
    }
}

/* The digits of a number that is exact in long double, then one that is a hair off. */
static void check_around(long double value)
{
    static char text[1300];
    int         digits = 1;
    for (; digits < 1100; digits = digits * 2 + 20) { /* as many as it takes */
        (void)snprintf(text, sizeof(text), "%.*Le", digits, value);
        if (strtold(text, NULL) == value && digits > 780)
            break;
    }
    check_text(text);
    char *mark = strchr(text, 'e'), tail[16];
    (void)snprintf(tail, sizeof(tail), "%s", mark);
    (void)snprintf(mark, 64, "0000000000000000001%s", tail);
    check_text(text);
    char *last = mark - 1;
    while (*last == '0' || *last == '.')
        last--;
    --*last;
    check_text(text);
}

TEST(decimal_decides_the_middle_between_two_doubles)
{
    test_random random = {3};
    for (int round = 0; round < 3000; round++) {
        uint64_t bits = (uint64_t)test_random_u32(&random) << 32 | test_random_u32(&random);
        double   low, high;
        bits &= UINT64_C(0x7fffffffffffffff);
        if (round % 3 == 0)
            bits >>= 11 + test_random_u32(&random) % 50; /* denormal, or next to it */
        if (round % 3 == 1) /* numbers of everyday size, whose middles are short */
            bits = (bits & UINT64_C(0x000fffff00000000)) | (uint64_t)(1000 + test_random_u32(&random) % 90)
                                                               << 52;
        memcpy(&low, &bits, sizeof(low));
        bits++;
        memcpy(&high, &bits, sizeof(high));
        if (high - high != 0.0)
            continue;
        check_around(((long double)low + (long double)high) / 2);
    }
}

TEST(decimal_takes_no_more_than_a_number)
{
    static const struct {
        const char *text;
        size_t      size;
    } cases[] = {{"", 0},    {"-", 0},    {".5", 0},   {"+1", 0},  {"x", 0},     {"-a", 0},
                 {"01", 1},  {"1.", 1},   {"1.e5", 1}, {"1e", 1},  {"1e+", 1},   {"1e+x", 1},
                 {"-0x", 2}, {"1.5,", 3}, {"2e3]", 3}, {"1 2", 1}, {"1.2.3", 3}, {"1e5e6", 3}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double         value;
        const uint8_t *text = (const uint8_t *)cases[i].text;
        assert_int_equal(emberi_decimal_read(&value, text, text + strlen(cases[i].text)), cases[i].size);
    }
}
