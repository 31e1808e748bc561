/* SPDX-License-Identifier: MIT */
/* The containers of FBX, byte by byte: records, values and lists of numbers of binary files and texts.
   Covers: fbx_binary.c, fbx_file.c, fbx_numbers.c, fbx_text.c, fbx_values.c. */
#include "base/bytes.h"
#include "format/fbx/container/fbx_container.h"
#include "format/fixture.h"

static const ember_read_options plain = {.path = NULL};

typedef struct opened {
    ember_arena   arena;
    ember_error   err;
    emberi_source source;
    fbx_file      file;
} opened;

static ember_status open_bytes(opened *o, const void *data, size_t size)
{
    o->arena = ember_arena_growing(ember_heap(), 0);
    o->err = (ember_error)EMBER_ERROR_INIT;
    o->source = (emberi_source){data, size, &plain, &o->arena, &o->err, NULL};
    return emberi_fbx_open(&o->file, &o->source);
}

static void open_text(opened *o, const char *text)
{
    if (open_bytes(o, text, strlen(text)) != EMBER_OK)
        print_error("%s\n", o->err.text);
    assert_int_equal(o->err.status, EMBER_OK);
}

static void close_file(opened *o)
{
    emberi_fbx_close(&o->file);
    ember_arena_free(&o->arena);
}

static void refuse_text(const char *text, ember_status status, const char *word)
{
    opened o;
    assert_int_equal(open_bytes(&o, text, strlen(text)), status);
    assert_non_null(strstr(o.err.text, word));
    ember_arena_free(&o.arena);
}

/* ---- texts ---- */

TEST(text_has_names_values_and_children)
{
    opened o;
    open_text(&o, "; a comment: { \n\"Tool Settings\": {\n}\nA: 1, -2.5 , \"x &quot;y\"\n  , T {\nB: "
                  "\"one\",\"two\"\nC:\nD: 7 } E: 8");
    uint32_t  a = emberi_fbx_child(&o.file, 0, "A");
    fbx_value value;
    assert_true(emberi_fbx_record_is(&o.file, emberi_fbx_first(&o.file, 0), "Tool Settings"));
    assert_int_equal(emberi_fbx_whole(&o.file, a, 0, 99), 1);
    assert_true(emberi_fbx_real(&o.file, a, 1, 99.0) == -2.5);
    assert_int_equal(emberi_fbx_whole(&o.file, a, 2, 99), 99); /* a string is no number */
    assert_string_equal(emberi_fbx_copy(&o.file, &o.arena, emberi_fbx_string(&o.file, a, 2)), "x \"y");
    fbx_cursor cursor = emberi_fbx_values(&o.file, a);
    for (int i = 0; i < 4; i++)
        assert_true(emberi_fbx_next(&cursor, &value));
    assert_int_equal(emberi_fbx_letter(&value), 'T');
    assert_false(emberi_fbx_next(&cursor, &value));
    assert_true(emberi_fbx_text_is(emberi_fbx_string(&o.file, emberi_fbx_child(&o.file, a, "B"), 1), "two"));
    assert_int_equal(emberi_fbx_string(&o.file, emberi_fbx_child(&o.file, a, "C"), 0).size, 0);
    assert_int_equal(emberi_fbx_whole(&o.file, emberi_fbx_child(&o.file, a, "D"), 0, 0), 7);
    assert_int_equal(emberi_fbx_whole(&o.file, emberi_fbx_child(&o.file, 0, "E"), 0, 0), 8);
    assert_int_equal(emberi_fbx_child(&o.file, a, "E"), FBX_NONE);
    close_file(&o);
}

TEST(text_lists_are_read_with_and_without_a_count)
{
    opened o;
    void  *numbers;
    size_t count;
    open_text(&o, "A: *3 {\na: 1,2.5\n,-3e1\n}\nB: 4,5\nC: *2 {\na: -1036970907,1.5\n}\nD: ,6");
    assert_int_equal(emberi_fbx_numbers(&o.file, &o.file.pass, &numbers, &count,
                                        emberi_fbx_child(&o.file, 0, "A"), FBX_F64),
                     EMBER_OK);
    const double *reals = numbers;
    assert_int_equal(count, 3);
    assert_true(reals[0] == 1.0 && reals[1] == 2.5 && reals[2] == -30.0);
    emberi_fbx_numbers(&o.file, &o.file.pass, &numbers, &count, emberi_fbx_child(&o.file, 0, "B"), FBX_I32);
    const int32_t *whole = numbers;
    assert_int_equal(count, 2);
    assert_int_equal(whole[1], 5);
    emberi_fbx_numbers(&o.file, &o.file.pass, &numbers, &count, emberi_fbx_child(&o.file, 0, "C"), FBX_BITS);
    const float *bits = numbers;
    assert_float_equal(bits[0], -44.2699f, 1e-3f);
    assert_true(bits[1] == 1.5f);
    assert_int_equal(emberi_fbx_whole(&o.file, emberi_fbx_child(&o.file, 0, "D"), 0, 0), 6);
    close_file(&o);
}

TEST(text_numbers_that_are_none_are_zero_and_counted)
{
    opened o;
    open_text(&o, "A: 1.#INF, -1.#IND, nan, -inf, 1e999, 2");
    uint32_t a = emberi_fbx_child(&o.file, 0, "A");
    for (uint32_t i = 0; i < 5; i++)
        assert_true(emberi_fbx_real(&o.file, a, i, 99.0) == 0.0);
    assert_true(emberi_fbx_real(&o.file, a, 5, 99.0) == 2.0);
    assert_int_equal(o.file.odd_numbers, 5);
    close_file(&o);
}

TEST(text_that_does_not_end_is_refused)
{
    char deep[400] = "";
    refuse_text("A: \"x", EMBER_E_TRUNCATED, "string");
    refuse_text("A: {\nB: 1\n", EMBER_E_TRUNCATED, "braces");
    refuse_text("A: 1\n}\n", EMBER_E_MALFORMED, "line 2");
    refuse_text("A", EMBER_E_TRUNCATED, "name");
    refuse_text("A B: 1", EMBER_E_MALFORMED, "colon");
    for (int i = 0; i < 70; i++)
        strcat(deep, "A: {");
    refuse_text(deep, EMBER_E_LIMIT, "64");
}

/* ---- binary files ---- */

/* A header and one record of version 7400 or 7500 with what is given for properties. */
static size_t binary_make(uint8_t *out, uint32_t version, uint32_t property_count, const void *properties,
                          size_t size)
{
    size_t word = version < 7500 ? 4 : 8, at = 27, end = at + 3 * word + 2 + size;
    memset(out, 0, 27);
    memcpy(out, "Kaydara FBX Binary  \0\x1a", 22);
    emberi_put_u32(out + 23, version);
    const uint64_t words[3] = {end, property_count, size};
    memset(out + at, 0, 3 * word);
    for (size_t i = 0; i < 3; i++)
        emberi_put_u32(out + at + i * word, (uint32_t)words[i]);
    out[at + 3 * word] = 1;
    out[at + 3 * word + 1] = 'A';
    memcpy(out + at + 3 * word + 2, properties, size);
    memset(out + end, 0, 3 * word + 1);
    return end + 3 * word + 1;
}

TEST(binary_values_of_every_type_are_read)
{
    static const char properties[] = "C\x54Y\xfe\xffI\xfd\xff\xff\xffL\1\0\0\0\1\0\0\0F\0\0\x20\x40"
                                     "D\0\0\0\0\0\0\x08\xc0S\2\0\0\0hiR\3\0\0\0a\0b";
    for (uint32_t version = 7400; version <= 7500; version += 100) {
        uint8_t bytes[200];
        opened  o;
        size_t  size = binary_make(bytes, version, 8, properties, sizeof(properties) - 1);
        assert_int_equal(open_bytes(&o, bytes, size), EMBER_OK);
        uint32_t a = emberi_fbx_child(&o.file, 0, "A");
        assert_int_equal(emberi_fbx_whole(&o.file, a, 0, 0), 'T');
        assert_int_equal(emberi_fbx_whole(&o.file, a, 1, 0), -2);
        assert_int_equal(emberi_fbx_whole(&o.file, a, 2, 0), -3);
        assert_true(emberi_fbx_whole(&o.file, a, 3, 0) == INT64_C(0x100000001));
        assert_true(emberi_fbx_real(&o.file, a, 4, 0.0) == 2.5);
        assert_true(emberi_fbx_real(&o.file, a, 5, 0.0) == -3.0);
        assert_true(emberi_fbx_text_is(emberi_fbx_string(&o.file, a, 6), "hi"));
        close_file(&o);
        for (size_t i = 27; i < size; i++) {
            uint8_t *part = malloc(i);
            memcpy(part, bytes, i);
            assert_int_not_equal(open_bytes(&o, part, i), EMBER_OK);
            ember_arena_free(&o.arena);
            free(part);
        }
    }
}

static ember_status array_read(const char *properties, size_t size, fbx_number_kind kind, double *last)
{
    uint8_t bytes[200];
    opened  o;
    void   *numbers = NULL;
    size_t  count = 0;
    assert_int_equal(open_bytes(&o, bytes, binary_make(bytes, 7400, 1, properties, size)), EMBER_OK);
    ember_status status =
        emberi_fbx_numbers(&o.file, &o.file.pass, &numbers, &count, emberi_fbx_child(&o.file, 0, "A"), kind);
    if (status == EMBER_OK && count != 0) {
        *last = kind == FBX_F64 ? ((double *)numbers)[count - 1] : (double)((int32_t *)numbers)[count - 1];
    }
    close_file(&o);
    return status;
}

TEST(binary_arrays_are_read_as_any_kind)
{
    double last = 0.0;
    assert_int_equal(array_read("i\2\0\0\0\0\0\0\0\x08\0\0\0\1\0\0\0\xfe\xff\xff\xff", 21, FBX_F64, &last),
                     EMBER_OK);
    assert_true(last == -2.0);
    assert_int_equal(array_read("f\1\0\0\0\0\0\0\0\x04\0\0\0\0\0\x40\x40", 17, FBX_I32, &last), EMBER_OK);
    assert_true(last == 3.0);
}

TEST(binary_arrays_that_lie_are_refused)
{
    double last;
    /* a raw one of another size; an encoding that is none; a bomb; a stream that is none */
    assert_int_equal(array_read("i\3\0\0\0\0\0\0\0\x08\0\0\0\1\0\0\0\2\0\0\0", 21, FBX_I32, &last),
                     EMBER_E_MALFORMED);
    assert_int_equal(array_read("i\1\0\0\0\2\0\0\0\x04\0\0\0\1\0\0\0", 17, FBX_I32, &last),
                     EMBER_E_UNSUPPORTED);
    assert_int_equal(array_read("d\xff\xff\xff\x0f\1\0\0\0\x04\0\0\0\1\0\0\0", 17, FBX_F64, &last),
                     EMBER_E_MALFORMED);
    assert_int_equal(array_read("d\1\0\0\0\1\0\0\0\x04\0\0\0\1\0\0\0", 17, FBX_F64, &last),
                     EMBER_E_MALFORMED);
}
