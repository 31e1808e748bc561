/* SPDX-License-Identifier: MIT */
/* Strict access to a parsed JSON document. The parser is jansson's: its memory is bounded by the input's
   size, its nesting by a constant; everything beyond syntax is checked here. */
#include "format/json/json_in.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* From here on a double rounds to a float beyond the largest one. */
#define JSON_FLOAT_END 0x1.ffffffp+127

/* ---- complaints ---- */

/* NOLINTNEXTLINE(misc-no-recursion): a path has the depth of our own calls */
static size_t json_path_text(char *out, size_t size, const emberi_json_path *at)
{
    if (at == NULL)
        return 0;
    size_t used = json_path_text(out, size, at->up);
    if (used >= size)
        return used;
    int more = at->key != NULL ? snprintf(out + used, size - used, "%s%s", used != 0 ? "." : "", at->key)
                               : snprintf(out + used, size - used, "[%zu]", at->index);
    return used + (more > 0 ? (size_t)more : 0);
}

static void json_complaint(char *out, size_t size, const emberi_json_path *at, const char *format,
                           va_list arguments)
{
    size_t used = json_path_text(out, size, at);
    if (used == 0)
        used = (size_t)snprintf(out, size, "document");
    if (used + 2 >= size)
        return; /* nothing but a hostile key is that long */
    memcpy(out + used, ": ", 3);
    vsnprintf(out + used + 2, size - used - 2, format, arguments);
}

ember_status emberi_json_fail(const emberi_source *source, ember_status status, const emberi_json_path *at,
                              const char *format, ...)
{
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    json_complaint(text, sizeof(text), at, format, arguments);
    va_end(arguments);
    return emberi_failf(source->err, status, EMBER_NO_OFFSET, "%s", text);
}

void emberi_json_note(const emberi_source *source, ember_note_kind kind, const emberi_json_path *at,
                      const char *format, ...)
{
    char    text[512];
    va_list arguments;
    if (source->options->notes.take == NULL)
        return;
    va_start(arguments, format);
    json_complaint(text, sizeof(text), at, format, arguments);
    va_end(arguments);
    emberi_notef(&source->options->notes, kind, NULL, NULL, "%s", text);
}

/* ---- the document ---- */

static ember_status json_status_of(const json_error_t *error)
{
    switch (json_error_code(error)) {
    case json_error_premature_end_of_input:
        return EMBER_E_TRUNCATED;
    case json_error_stack_overflow:
        return EMBER_E_LIMIT;
    case json_error_out_of_memory:
        return EMBER_E_NOMEM;
    default:
        /* jansson says nothing where its own allocations fail. */
        return error->text[0] != '\0' ? EMBER_E_MALFORMED : EMBER_E_NOMEM;
    }
}

/* What jansson makes of a text, rounded up: values and their places in lists and tables by the characters
   that begin or divide them. */
enum { JSON_VALUE = 64, JSON_LIST = 160, JSON_TABLE = 320, JSON_PAIR = 112 };

bool emberi_json_affordable(const emberi_source *source, const uint8_t *text, size_t size)
{
    uint64_t cost = JSON_VALUE + (uint64_t)size;
    for (size_t i = 0; i < size; i++)
        cost += text[i] == ','   ? JSON_VALUE
                : text[i] == '[' ? JSON_LIST
                : text[i] == '{' ? JSON_TABLE
                : text[i] == ':' ? JSON_PAIR
                                 : 0u;
    return emberi_source_take(source, (size_t)cost, 1);
}

json_t *emberi_json_load(const emberi_source *source)
{
    size_t       skip = source->size >= 3 && memcmp(source->data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    json_error_t error = {.line = 0}; /* jansson leaves its code unset where it has no words */
    if (!emberi_json_affordable(source, source->data, source->size))
        return NULL;
    json_t *document = json_loadb((const char *)source->data + skip, source->size - skip,
                                  JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
    if (document != NULL)
        return document;
    ember_status status = json_status_of(&error);
    if (status == EMBER_E_NOMEM)
        emberi_fail_memory(source->err);
    else
        emberi_failf(source->err, status, error.position > 0 ? (uint64_t)error.position + skip : skip,
                     "line %d, column %d: %s", error.line, error.column, error.text);
    return NULL;
}

/* ---- values ---- */

static const char *json_type_words(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    default:
        return "null";
    }
}

ember_status emberi_json_want(const json_t *value, json_type type, const emberi_json_path *at,
                              const emberi_source *source)
{
    if (value == NULL)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "missing, must be %s", json_type_words(type));
    if (json_typeof(value) != type)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%s, must be %s",
                                json_type_words(json_typeof(value)), json_type_words(type));
    return EMBER_OK;
}

ember_status emberi_json_get_bool(bool *out, const json_t *value, const emberi_json_path *at,
                                  const emberi_source *source)
{
    *out = json_is_true(value);
    return json_is_boolean(value) ? EMBER_OK : emberi_json_want(value, JSON_TRUE, at, source);
}

static bool json_is_not_finite(double *out, const char *text)
{
    static const struct {
        const char *text;
        uint64_t    bits;
    } words[] = {{"NaN", UINT64_C(0x7ff8000000000000)},
                 {"Infinity", UINT64_C(0x7ff0000000000000)},
                 {"-Infinity", UINT64_C(0xfff0000000000000)}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(text, words[i].text) != 0)
            continue;
        memcpy(out, &words[i].bits, sizeof(*out));
        return true;
    }
    return false;
}

/* "NaN", "Infinity" and "-Infinity" are numbers too. */
static ember_status json_get_number(double *out, const json_t *value, const emberi_json_path *at,
                                    const emberi_source *source)
{
    if (json_is_string(value)) {
        if (json_is_not_finite(out, json_string_value(value)))
            return EMBER_OK;
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "the string %s, must be a number",
                                emberi_quote(json_string_value(value)).text);
    }
    *out = json_number_value(value);
    return emberi_json_want(value, JSON_REAL, at, source);
}

static ember_status json_get_float(float *out, const json_t *value, const emberi_json_path *at,
                                   const emberi_source *source)
{
    double number;
    EMBERI_TRY(json_get_number(&number, value, at, source));
    if (number - number == 0.0 && (number >= JSON_FLOAT_END || number <= -JSON_FLOAT_END))
        return emberi_json_fail(source, EMBER_E_RANGE, at, "%g, which is beyond 32-bit floats", number);
    *out = (float)number;
    return EMBER_OK;
}

ember_status emberi_json_get_whole(int64_t *out, const json_t *value, int64_t low, int64_t high,
                                   const emberi_json_path *at, const emberi_source *source)
{
    EMBERI_TRY(emberi_json_want(value, JSON_REAL, at, source));
    double number = json_number_value(value);
    if (!(number >= (double)low && number <= (double)high) || number != (double)(int64_t)number)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at,
                                "%.17g, must be a whole number from %jd to %jd", number, (intmax_t)low,
                                (intmax_t)high);
    *out = (int64_t)number;
    return EMBER_OK;
}

ember_status emberi_json_get_name(const char **out, const json_t *value, const emberi_json_path *at,
                                  const emberi_source *source)
{
    EMBERI_TRY(emberi_json_want(value, JSON_STRING, at, source));
    const char *text = json_string_value(value);
    size_t      size = json_string_length(value);
    const char *name = emberi_copy_name(source->arena, text, size);
    if (name == NULL)
        return emberi_fail_memory(source->err);
    if (strlen(name) != size || memcmp(name, text, size) != 0)
        emberi_json_note(source, EMBER_NOTE_WARNING, at, "control characters are replaced by '?'");
    *out = name;
    return EMBER_OK;
}

ember_status emberi_json_get_transform(ember_transform *out, const json_t *value, const emberi_json_path *at,
                                       const emberi_source *source)
{
    float values[10];
    EMBERI_TRY(emberi_json_want(value, JSON_ARRAY, at, source));
    if (json_array_size(value) != 10)
        return emberi_json_fail(source, EMBER_E_MALFORMED, at, "%zu numbers, must be 10",
                                json_array_size(value));
    for (size_t i = 0; i < 10; i++)
        EMBERI_TRY(json_get_float(&values[i], json_array_get(value, i), EMBERI_JSON_INDEX(at, i), source));
    memcpy(out, values, sizeof(*out));
    out->position.x *= emberi_source_scale(source);
    out->position.y *= emberi_source_scale(source);
    out->position.z *= emberi_source_scale(source);
    return EMBER_OK;
}

static bool json_is_known(const char *key, const char *known)
{
    size_t size = strlen(key);
    while (*known != '\0') {
        size_t word = strcspn(known, " ");
        if (word == size && memcmp(known, key, size) == 0)
            return true;
        known += word + (known[word] == ' ' ? 1 : 0);
    }
    return false;
}

void emberi_json_note_unknown(const json_t *object, const char *known, const emberi_json_path *at,
                              const emberi_source *source)
{
    /* jansson's iterators do not know const, but only look. */
    json_t *walked = (json_t *)(uintptr_t)object;
    if (source->options->notes.take == NULL)
        return;
    for (void *i = json_object_iter(walked); i != NULL; i = json_object_iter_next(walked, i)) {
        const char *key = json_object_iter_key(i);
        if (!json_is_known(key, known))
            emberi_json_note(source, EMBER_NOTE_DETAIL, EMBERI_JSON_KEY(at, key), "not known, ignored");
    }
}
