/* SPDX-License-Identifier: MIT */
/* What json_fault says of a text is what jansson says: the words, the line, the column, the position, and the
   kind. jansson itself is asked. Covers: fault.c. */
#include <jansson.h>

#include "fault.h"
#include "testing.h"

static json_fault_code code_of(const json_error_t *error, bool syntax)
{
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input:
        return FAULT_PREMATURE_END;
    case json_error_stack_overflow:
        return FAULT_TOO_DEEP;
    default:
        return syntax ? FAULT_SYNTAX : FAULT_OTHER;
    }
}

static void check(const char *text, size_t size, unsigned flags)
{
    /* A block of the exact size, so that a look past its end is seen. */
    char           *exact = malloc(size != 0 ? size : 1);
    json_error_t    error = {.line = 0};
    json_fault_text fault = {.line = 0};
    size_t          wishes = JSON_DECODE_INT_AS_REAL;
    if (size != 0)
        memcpy(exact, text, size);
    wishes |= (flags & FAULT_REJECT_DUPLICATES) != 0 ? JSON_REJECT_DUPLICATES : 0;
    wishes |= (flags & FAULT_ALLOW_NUL) != 0 ? JSON_ALLOW_NUL : 0;
    json_t *document = json_loadb(exact, size, wishes, &error);
    bool    wrong = json_fault(&fault, exact, size, flags);
    if (wrong != (document == NULL) ||
        (wrong && (strcmp(fault.text, error.text) != 0 || fault.line != error.line ||
                   fault.column != error.column || fault.position != error.position ||
                   fault.code != code_of(&error, json_error_code(&error) == json_error_invalid_syntax))))
        fail_msg("flags %u, text '%.*s'\njansson %d:%d at %d: %s\nfault   %d:%d at %d: %s", flags, (int)size,
                 text, error.line, error.column, error.position, document != NULL ? "fine" : error.text,
                 fault.line, fault.column, fault.position, wrong ? fault.text : "fine");
    json_decref(document);
    free(exact);
}

static const char good[] =
    "{\"a\":{\"b\":[1,2,{\"c\":null}]},\"d\":\"\\ud83d\\ude00\\n\\/\",\"\xc3\xa4\":-0.5e+3}";

/* clang-format off */
static const char *const texts[] = {
    "", "  ", "{", "[", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "{\"a\":{\"a\":1},\"b\":2,\"b\":3}",
    "[1e999]", "[-]", "[01]", "[1.]", "[1.e5]", "[1e]", "[1e+]", "tru", "[tru]", "[truefalse]",
    "[\"a\\q\"]", "[\"\\u12\"]", "[\"\\uD800\"]", "[\"\\uD800\\u0041\"]", "[\"\\uDC00\"]",
    "[\"\\u0000\"]", "{\"\\u0000\":1}", "[\"a\nb\"]", "[\"a\tb\"]", "[\xff]", "[\"\xc3\x28\"]",
    "[\xc3\xa4]", "{\"\xe2\x82\xac\":\xe2}", "[1] x", "[1][2]", "{\"a\" 1}", "{\"a\":}", "{1:2}",
    "[\"abc", "\"x\"", "5", "[nulll]", "{\"a key that is longer than what is quoted\" 5}",
    "[\"\xf0\x9f\x98\x80\" 1]", "[1\n,\n2\n x]", good, "[1 2]", "[,]", "{,}", "[}", "{]", "[\"\\",
    "[\"\\u", "[-a]", "[1e400,", "\xef\xbb\xbf{}",
};
/* clang-format on */

TEST(fault_says_what_jansson_says_of_every_prefix)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        for (size_t size = 0; size <= strlen(texts[i]); size++)
            for (unsigned flags = 0; flags < 4; flags++)
                check(texts[i], size, flags);
}

TEST(fault_says_what_jansson_says_of_nuls)
{
    static const char nuls[][8] = {"[\"a\0b\"]", "[\0]", "\0", "[1\0,2]", "[a\0]"};
    for (size_t i = 0; i < sizeof(nuls) / sizeof(nuls[0]); i++)
        for (unsigned flags = 0; flags < 4; flags++)
            check(nuls[i], 7, flags);
}

TEST(fault_finds_nesting_that_is_too_deep)
{
    static char deep[5000];
    memset(deep, '[', sizeof(deep));
    for (size_t size = 2046; size <= 2051; size++)
        check(deep, size, 0);
    check(deep, sizeof(deep), 0);
}

TEST(fault_says_what_jansson_says_of_damaged_texts)
{
    static const char letters[] = "{}[]:,\"\\u0123456789abcdefnrtlsE+-. \n\t\xc3\xa4\xff\xe2\x82\xac\x01";
    srand(1);
    for (int round = 0; round < 60000; round++) {
        char   text[128];
        size_t size = sizeof(good) - 1;
        memcpy(text, good, size);
        for (int change = rand() % 4; change >= 0; change--) {
            size_t at = (size_t)rand() % size;
            char   letter = letters[(size_t)rand() % sizeof(letters)];
            if (rand() % 2 != 0) {
                text[at] = letter;
            } else if (rand() % 2 != 0) {
                memmove(text + at, text + at + 1, size - at - 1);
                size--;
            } else {
                memmove(text + at + 1, text + at, size - at);
                text[at] = letter;
                size++;
            }
        }
        check(text, size, (unsigned)rand() % 4);
    }
}
