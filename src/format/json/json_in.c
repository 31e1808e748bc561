/* SPDX-License-Identifier: MIT */
/* Strict access to a parsed JSON document. What the parser of src/base/json lets through is JSON; everything
   beyond syntax is checked here. */
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

const json_t *emberi_json_load(const emberi_source *source, ember_arena *memory)
{
    emberi_json_fault fault;
    const json_t     *document =
        emberi_json_parse(source->data, source->size, EMBERI_JSON_UNIQUE | EMBERI_JSON_NUL, memory, &fault);
    if (document == NULL)
        (void)emberi_json_fault_fail(&fault, "", source->err);
    return document;
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
    if (key == NULL)
        return true;
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
    if (source->options->notes.take == NULL)
        return;
    for (size_t i = 0; i < json_object_size(object); i++) {
        const char *key = json_object_key(object, i);
        if (!json_is_known(key, known))
            emberi_json_note(source, EMBER_NOTE_DETAIL, EMBERI_JSON_KEY(at, key), "not known, ignored");
    }
}
