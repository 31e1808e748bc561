/* SPDX-License-Identifier: MIT */
/* The JSON reader: what a text becomes, what is refused, and where it says that a mistake is. What is
   expected is RFC 8259's, or counted by hand. Covers: json_fault.c, json_keys.c, json_parse.c. */
#include "testing.h"

#include "base/json/json_tree.h"

static const json_t *parse_with(ember_arena *arena, const char *text, size_t size, unsigned flags,
                                emberi_json_fault *fault)
{
    /* a block of the exact size, so that a look past its end is seen */
    uint8_t *exact = malloc(size != 0 ? size : 1);
    if (size != 0)
        memcpy(exact, text, size);
    const json_t *root = emberi_json_parse(exact, size, flags, arena, fault);
    free(exact);
    return root;
}

static const json_t *parse(ember_arena *arena, const char *text)
{
    emberi_json_fault fault = {.status = EMBER_OK};
    const json_t *root = parse_with(arena, text, strlen(text), EMBERI_JSON_UNIQUE | EMBERI_JSON_NUL, &fault);
    if (root == NULL)
        fail_msg("%s: line %u, column %u: %s", text, fault.line, fault.column, fault.text);
    return root;
}

TEST(json_parse_makes_a_tree)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    const json_t *root =
        parse(&arena, " \t\r\n{\"a\":[1,-2.5e1,\"x\",true,false,null,{},[]],\"\":{\"b\":[[3]]}} ");
    const json_t *a = json_object_get(root, "a");
    assert_int_equal(json_object_size(root), 2);
    assert_string_equal(json_object_key(root, 0), "a");
    assert_string_equal(json_object_key(root, 1), "");
    assert_null(json_object_key(root, 2));
    assert_ptr_equal(json_object_value(root, 0), a);
    assert_null(json_object_value(root, 2));
    assert_int_equal(json_array_size(a), 8);
    assert_true(json_number_value(json_array_get(a, 0)) == 1.0);
    assert_true(json_number_value(json_array_get(a, 1)) == -25.0);
    assert_string_equal(json_string_value(json_array_get(a, 2)), "x");
    assert_true(json_is_true(json_array_get(a, 3)) && json_is_boolean(json_array_get(a, 3)));
    assert_true(json_is_false(json_array_get(a, 4)) && json_is_boolean(json_array_get(a, 4)));
    assert_true(json_is(json_array_get(a, 5), JSON_NULL));
    assert_int_equal(json_object_size(json_array_get(a, 6)), 0);
    assert_true(json_is_object(json_array_get(a, 6)));
    assert_true(json_is_array(json_array_get(a, 7)));
    assert_null(json_array_get(a, 8));
    const json_t *deep = json_object_get(json_object_get(root, ""), "b");
    assert_int_equal(json_integer_value(json_array_get(json_array_get(deep, 0), 0)), 3);
    ember_arena_free(&arena);
}

TEST(json_walk_takes_values_of_another_type)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    const json_t *root = parse(&arena, "[1.5,\"x\"]");
    assert_null(json_object_get(root, "x"));
    assert_null(json_object_get(NULL, "x"));
    assert_null(json_string_value(json_array_get(root, 0)));
    assert_null(json_array_get(json_array_get(root, 1), 0));
    assert_int_equal(json_string_length(root), 0);
    assert_true(json_number_value(json_array_get(root, 1)) == 0.0);
    assert_false(json_is_integer(json_array_get(root, 0)));
    assert_false(json_is_integer(json_array_get(root, 1)));
    assert_int_equal(json_integer_value(json_array_get(root, 0)), 0);
    ember_arena_free(&arena);
}

TEST(json_parse_decodes_strings)
{
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    const json_t *root = parse(
        &arena,
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u00e9\\u20AC\\ud83d\\ude00z\",\"\xc3\xa4-\xf0\x9f\x98\x80\","
        "\"a\\u0000b\",\"\"]");
    assert_string_equal(json_string_value(json_array_get(root, 0)), "\"\\/\b\f\n\r\t");
    assert_string_equal(json_string_value(json_array_get(root, 1)), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");
    assert_string_equal(json_string_value(json_array_get(root, 2)), "\xc3\xa4-\xf0\x9f\x98\x80");
    assert_int_equal(json_string_length(json_array_get(root, 3)), 3);
    assert_memory_equal(json_string_value(json_array_get(root, 3)), "a\0b", 4);
    assert_string_equal(json_string_value(json_array_get(root, 4)), "");
    ember_arena_free(&arena);
}

TEST(json_parse_keeps_long_lists_and_strings)
{
    enum { COUNT = 30000 };
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    char       *text = malloc(COUNT * 16 + 64), *to = text;
    *to++ = '[';
    for (int i = 0; i < COUNT; i++)
        to += sprintf(to, "[%d],", i);
    *to++ = '"';
    memset(to, 'y', COUNT);
    to += COUNT;
    memcpy(to, "\"]", 3);
    const json_t *root = parse(&arena, text);
    assert_int_equal(json_array_size(root), COUNT + 1);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(json_integer_value(json_array_get(json_array_get(root, (size_t)i), 0)), i);
    assert_int_equal(json_string_length(json_array_get(root, COUNT)), COUNT);
    free(text);
    ember_arena_free(&arena);
}

TEST(json_parse_keeps_large_whole_numbers_where_it_is_asked_to)
{
    static const char text[] = "[9007199254740993,-9223372036854775807,9223372036854775808,1e300,5]";
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    emberi_json_fault fault;
    const json_t     *root = parse_with(&arena, text, sizeof(text) - 1, EMBERI_JSON_WHOLE, &fault);
    assert_true(json_integer_value(json_array_get(root, 0)) == INT64_C(9007199254740993));
    assert_true(json_integer_value(json_array_get(root, 1)) == -INT64_C(9223372036854775807));
    assert_true(json_number_value(json_array_get(root, 2)) == 0x1p63); /* 64 bits do not hold it */
    assert_true(json_number_value(json_array_get(root, 3)) == 1e300);
    assert_true(json_is_number(json_array_get(root, 4)));
    root = parse_with(&arena, text, sizeof(text) - 1, 0, &fault);
    assert_true(json_number_value(json_array_get(root, 0)) == 0x1p53); /* the nearest double */
    ember_arena_free(&arena);
}

/* ---- what is refused ---- */

typedef struct wrong {
    const char  *text;
    ember_status status;
    uint32_t     line, column;
    const char  *words;
} wrong;

static void check_wrong(const wrong *w, unsigned flags)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    emberi_json_fault fault = {.status = EMBER_OK};
    const json_t     *root = parse_with(&arena, w->text, strlen(w->text), flags, &fault);
    if (root != NULL || fault.status != w->status || fault.line != w->line || fault.column != w->column ||
        strcmp(fault.text, w->words) != 0)
        fail_msg("%s: %s, line %u, column %u: %s", w->text, ember_status_name(fault.status), fault.line,
                 fault.column, root != NULL ? "fine" : fault.text);
    ember_arena_free(&arena);
}

TEST(json_parse_says_what_is_wrong_and_where)
{
    static const wrong list[] = {
        {"", EMBER_E_TRUNCATED, 1, 0, "'[' or '{' expected near end of file"},
        {" \n ", EMBER_E_TRUNCATED, 2, 1, "'[' or '{' expected near end of file"},
        {"5", EMBER_E_MALFORMED, 1, 1, "'[' or '{' expected near '5'"},
        {"\"x\"", EMBER_E_MALFORMED, 1, 3, "'[' or '{' expected near '\"x\"'"},
        {"[1,]", EMBER_E_MALFORMED, 1, 4, "unexpected token near ']'"},
        {"[1 2]", EMBER_E_MALFORMED, 1, 4, "']' expected near '2'"},
        {"[1,2\n,tru]", EMBER_E_MALFORMED, 2, 4, "invalid token near 'tru'"},
        {"[truex]", EMBER_E_MALFORMED, 1, 6, "invalid token near 'truex'"},
        {"{\"a\":1,}", EMBER_E_MALFORMED, 1, 8, "string or '}' expected near '}'"},
        {"{1:2}", EMBER_E_MALFORMED, 1, 2, "string or '}' expected near '1'"},
        {"{\"a\" 1}", EMBER_E_MALFORMED, 1, 6, "':' expected near '1'"},
        {"{\"a\":1 \"b\":2}", EMBER_E_MALFORMED, 1, 10, "'}' expected near '\"b\"'"},
        {"[1}", EMBER_E_MALFORMED, 1, 3, "']' expected near '}'"},
        {"[01]", EMBER_E_MALFORMED, 1, 3, "invalid token near '01'"},
        {"[1.]", EMBER_E_MALFORMED, 1, 3, "invalid token near '1.'"},
        {"[1e+]", EMBER_E_MALFORMED, 1, 4, "invalid token near '1e+'"},
        {"[-]", EMBER_E_MALFORMED, 1, 2, "invalid token near '-'"},
        {"[NaN]", EMBER_E_MALFORMED, 1, 4, "invalid token near 'NaN'"},
        {"[1e999]", EMBER_E_MALFORMED, 1, 6, "real number overflow near '1e999'"},
        {"[1] x", EMBER_E_MALFORMED, 1, 5, "end of file expected near 'x'"},
        {"[\"a\\q\"]", EMBER_E_MALFORMED, 1, 5, "invalid escape near '\"a\\q'"},
        {"[\"\\u12\"]", EMBER_E_MALFORMED, 1, 4, "invalid escape near '\"\\u'"},
        {"[\"\\uD800\"]", EMBER_E_MALFORMED, 1, 8, "invalid Unicode '\\uD800' near '\"\\uD800'"},
        {"[\"\\uD800\\u0041\"]", EMBER_E_MALFORMED, 1, 8, "invalid Unicode '\\uD800' near '\"\\uD800'"},
        {"[\"\\uDC00\"]", EMBER_E_MALFORMED, 1, 8, "invalid Unicode '\\uDC00' near '\"\\uDC00'"},
        {"[\"a\nb\"]", EMBER_E_MALFORMED, 1, 3, "unexpected newline near '\"a'"},
        {"[\"a\tb\"]", EMBER_E_MALFORMED, 1, 3, "control character 0x9 near '\"a'"},
        {"[\"\xc3\x28\"]", EMBER_E_MALFORMED, 1, 2, "unable to decode byte 0xc3 near '\"'"},
        {"[\xff]", EMBER_E_MALFORMED, 1, 1, "unable to decode byte 0xff"},
        {"[\xc3\xa4]", EMBER_E_MALFORMED, 1, 2, "invalid token near '\xc3\xa4'"},
        {"[\"\xc3\xa4\" x]", EMBER_E_MALFORMED, 1, 6, "']' expected near 'x'"},
        {"[\"abc", EMBER_E_TRUNCATED, 1, 5, "premature end of input near '\"abc'"},
        {"[\"\\", EMBER_E_TRUNCATED, 1, 3, "premature end of input near '\"\\'"},
        {"{\"a\":", EMBER_E_TRUNCATED, 1, 5, "unexpected token near end of file"},
        {"[[1]", EMBER_E_TRUNCATED, 1, 4, "']' expected near end of file"},
        {"{\"a longer key than is quoted\" 1}", EMBER_E_MALFORMED, 1, 32, "':' expected near '1'"},
        {"[1 \"a longer text than is quoted\"]", EMBER_E_MALFORMED, 1, 33, "']' expected"},
        {"\xef\xbb\xbf[x]", EMBER_E_MALFORMED, 1, 2, "invalid token near 'x'"},
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        for (unsigned flags = 0; flags < 4; flags++)
            check_wrong(&list[i], flags);
}

TEST(json_parse_refuses_nul_where_it_is_told_to)
{
    static const wrong value = {"[\"a\\u0000b\"]", EMBER_E_MALFORMED, 1, 11,
                                "NUL byte in string not supported near '\"a\\u0000b\"'"};
    static const wrong key = {"{\"\\u0000\":1}", EMBER_E_MALFORMED, 1, 9,
                              "NUL byte in object key not supported near '\"\\u0000\"'"};
    emberi_json_fault  fault;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    check_wrong(&value, 0);
    check_wrong(&key, EMBERI_JSON_NUL);
    assert_null(parse_with(&arena, "[\"a\0b\"]", 7, EMBERI_JSON_NUL, &fault)); /* as a byte, never */
    assert_string_equal(fault.text, "control character 0x0 near '\"a'");
    assert_null(parse_with(&arena, "[\0]", 3, EMBERI_JSON_NUL, &fault));
    ember_arena_free(&arena);
}

TEST(json_parse_finds_keys_that_are_there_twice)
{
    static const wrong list[] = {
        {"{\"a\":1,\"a\":2}", EMBER_E_MALFORMED, 1, 10, "duplicate object key near '\"a\"'"},
        {"{\"a\":{\"a\":[{\"a\":1}]},\n\"b\":\"\\\"}\",\"b\":3,\"a\":1}", EMBER_E_MALFORMED, 2, 13,
         "duplicate object key near '\"b\"'"},
        {"{\"x\":{\"\\u0061\":1,\"b\":2,\"a\":2}}", EMBER_E_MALFORMED, 1, 26,
         "duplicate object key near '\"a\"'"},
    };
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    emberi_json_fault fault;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
        check_wrong(&list[i], EMBERI_JSON_UNIQUE);
    const json_t *last = parse_with(&arena, list[0].text, strlen(list[0].text), 0, &fault);
    assert_int_equal(json_integer_value(json_object_get(last, "a")), 2); /* as others read it */
    ember_arena_free(&arena);
}

/* In no order, and never the same: the modulus is prime. */
static uint32_t key_number(uint32_t i) { return (uint32_t)((uint64_t)i * 7919 % 1000003); }

/* An object of many keys, one of which is there again at the end or not at all. */
static void check_many_keys(uint32_t count, bool repeated)
{
    char    *text = malloc((size_t)count * 24 + 64), *to = text;
    uint32_t again = count / 3;
    *to++ = '{';
    for (uint32_t i = 0; i < count; i++)
        to += sprintf(to, "\"k%u\":{},", key_number(i));
    to += sprintf(to, repeated ? "\"k%u\":0}" : "\"z%u\":0}", key_number(again));
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    emberi_json_fault fault;
    const json_t     *root = parse_with(&arena, text, (size_t)(to - text), EMBERI_JSON_UNIQUE, &fault);
    assert_int_equal(root == NULL, repeated);
    if (repeated) {
        assert_says(fault.text, "duplicate object key near '\"k");
        assert_int_equal(fault.column, to - text - 3); /* the end of the last key */
    }
    free(text);
    ember_arena_free(&arena);
}

TEST(json_parse_compares_many_keys_in_little_time)
{
    static const uint32_t counts[] = {23, 24, 25, 26, 1000, 200000};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        check_many_keys(counts[i], false);
        check_many_keys(counts[i], true);
    }
}

TEST(json_parse_limits_the_depth)
{
    static char       text[5000];
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    emberi_json_fault fault;
    memset(text, '[', 2048);
    memset(text + 2048, ']', 2048);
    assert_non_null(parse_with(&arena, text, 4096, 0, &fault));
    memset(text, '[', sizeof(text));
    assert_null(parse_with(&arena, text, sizeof(text), 0, &fault));
    assert_int_equal(fault.status, EMBER_E_LIMIT);
    assert_int_equal(fault.column, 2049);
    assert_string_equal(fault.text, "maximum parsing depth reached near '['");
    ember_arena_free(&arena);
}

static const char good[] =
    "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"\\ud83d\\ude00\\n\\/\",\"\xc3\xa4\":-0.5e+3}";

TEST(json_parse_survives_every_prefix)
{
    for (size_t size = 0; size < sizeof(good) - 1; size++) {
        ember_arena       arena = ember_arena_growing(ember_heap(), 0);
        emberi_json_fault fault = {.status = EMBER_OK};
        assert_null(parse_with(&arena, good, size, EMBERI_JSON_UNIQUE, &fault));
        /* what is cut inside a number, a word, an escape or a character is wrong as it is */
        assert_true(fault.status == EMBER_E_TRUNCATED || fault.status == EMBER_E_MALFORMED);
        assert_true(fault.text[0] != '\0');
        ember_arena_free(&arena);
    }
}

TEST(json_parse_survives_damaged_texts)
{
    static const char letters[] = "{}[]:,\"\\u0123456789abcdefnrtlsE+-. \n\t\xc3\xa4\xff\xe2\x82\xac\x01";
    test_random       random = {5};
    for (int round = 0; round < 60000; round++) {
        char   text[128];
        size_t size = sizeof(good) - 1;
        memcpy(text, good, size);
        for (uint32_t change = test_random_u32(&random) % 4 + 1; change > 0; change--)
            text[test_random_u32(&random) % size] = letters[test_random_u32(&random) % sizeof(letters)];
        ember_arena       arena = ember_arena_growing(ember_heap(), 0);
        emberi_json_fault fault = {.status = EMBER_OK};
        const json_t     *root = parse_with(&arena, text, size, test_random_u32(&random) % 4, &fault);
        assert_int_equal(root == NULL, fault.status != EMBER_OK);
        assert_in_range(fault.column, 0, size);
        ember_arena_free(&arena);
    }
}

TEST(json_parse_survives_every_arena)
{
    static _Alignas(16) uint8_t memory[200000];
    bool                        fits = false;
    for (size_t size = 0; size < sizeof(memory); size += size < 20000 ? 64 : 512) {
        ember_arena       arena = ember_arena_fixed(memory, size);
        emberi_json_fault fault = {.status = EMBER_OK};
        const json_t     *root = parse_with(&arena, good, sizeof(good) - 1, 0, &fault);
        assert_int_equal(root == NULL ? fault.status : EMBER_OK, root == NULL ? EMBER_E_NOMEM : EMBER_OK);
        assert_false(fits && root == NULL);
        fits = root != NULL;
    }
    assert_true(fits);
}
