/* SPDX-License-Identifier: MIT */
/* The text of numbers: short, the same in every locale, and back to the same bits by both ways of reading. */
#include <locale.h>
#include <math.h>

#include "format/fixture.h"

#include "format/json/json_out.h"

static void float_reads_back(float value)
{
    char     text[EMBERI_NUMBER_SIZE];
    uint32_t wanted, direct, through;
    size_t   size = emberi_float_text(text, value);
    assert_int_equal(size, strlen(text));
    float a = strtof(text, NULL), b = (float)strtod(text, NULL);
    memcpy(&wanted, &value, 4);
    memcpy(&direct, &a, 4);
    memcpy(&through, &b, 4);
    if (wanted != direct || wanted != through)
        print_error("%08x as %s\n", (unsigned)wanted, text);
    assert_int_equal(wanted, direct);
    assert_int_equal(wanted, through);
}

TEST(float_text_is_short_and_plain)
{
    static const struct {
        float       value;
        const char *text;
    } cases[] = {{0.0f, "0"},
                 {-0.0f, "-0.0"},
                 {1.0f, "1"},
                 {-1.0f, "-1"},
                 {0.1f, "0.1"},
                 {0.5f, "0.5"},
                 {30.0f, "30"},
                 {100.0f, "100"},
                 {-2.25f, "-2.25"},
                 {16777216.0f, "16777216"},
                 {65504.0f, "65504"},
                 {1e-5f, "0.00001"},
                 {1e-6f, "1e-6"},
                 {1.5e20f, "1.5e20"},
                 {3.4028235e38f, "3.4028235e38"},
                 {1.1754944e-38f, "1.1754944e-38"},
                 {1e-45f, "1e-45"},
                 {0.70710678f, "0.70710677"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[EMBERI_NUMBER_SIZE];
        emberi_float_text(text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(float_text_reads_back_to_the_same_bits)
{
    test_random random = {3};
    for (int i = 0; i < 2000000; i++) {
        /* Most of them of the size that clips have, the others of any. */
        uint32_t bits = test_random_u32(&random);
        if (i % 8 != 0)
            bits = (bits & 0x807fffffu) | (100u + bits % 50u) << 23;
        float value;
        memcpy(&value, &bits, 4);
        if (isfinite(value))
            float_reads_back(value);
    }
}

TEST(float_text_reads_back_around_powers)
{
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        for (int step = -40; step <= 40; step++) {
            uint32_t bits = (exponent << 23) + (uint32_t)step;
            float    value;
            memcpy(&value, &bits, 4);
            if (isfinite(value))
                float_reads_back(value);
        }
    for (int power = -44; power <= 38; power++)
        for (int step = -40; step <= 40; step++) {
            uint32_t bits;
            float    value = strtof("1", NULL) * powf(10.0f, (float)power);
            memcpy(&bits, &value, 4);
            bits += (uint32_t)step;
            memcpy(&value, &bits, 4);
            if (isfinite(value))
                float_reads_back(value);
        }
}

TEST(float_text_has_no_digit_too_many)
{
    test_random random = {11};
    for (int i = 0; i < 20000; i++) {
        char  ours[EMBERI_NUMBER_SIZE], theirs[EMBERI_NUMBER_SIZE];
        float value = test_random_float(&random, -2, 2);
        int   digits = 1, count = 0;
        do
            snprintf(theirs, sizeof(theirs), "%.*e", digits - 1, (double)value);
        while (strtof(theirs, NULL) != value && ++digits <= 9);
        emberi_float_text(ours, value);
        bool leading = true;
        for (const char *c = ours; *c != '\0' && *c != 'e'; c++) {
            leading = leading && (*c < '1' || *c > '9');
            count += !leading && *c >= '0' && *c <= '9';
        }
        assert_in_range(count, 1, digits);
    }
}

TEST(double_text_reads_back)
{
    static const struct {
        double      value;
        const char *text;
    } cases[] = {{30.0, "30"}, {29.97, "29.97"}, {23.976023976023978, "23.976023976023978"},
                 {0.0, "0"},   {-0.0, "-0.0"},   {1e300, "1e300"}};
    char text[EMBERI_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        emberi_double_text(text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
    test_random random = {5};
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = (uint64_t)test_random_u32(&random) << 32 | test_random_u32(&random);
        double   value;
        memcpy(&value, &bits, 8);
        if (!isfinite(value))
            continue;
        emberi_double_text(text, value);
        assert_true(strtod(text, NULL) == value);
    }
}

/* Needs a locale with a comma; where none is installed the other tests have to do. */
TEST(number_text_does_not_heed_the_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE"};
    bool                     found = false;
    char                     text[EMBERI_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    if (!found)
        skip();
    emberi_float_text(text, 1.5e-20f); /* the long way */
    assert_string_equal(text, "1.5e-20");
    emberi_float_text(text, 0.25f);
    assert_string_equal(text, "0.25");
    emberi_double_text(text, 29.97);
    assert_string_equal(text, "29.97");
    setlocale(LC_NUMERIC, "C");
}
