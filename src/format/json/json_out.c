/* SPDX-License-Identifier: MIT */
/* The JSON emitter. It only ever appends; the first append that fails makes it silent. */
#include "format/json/json_out.h"

#include <stdio.h>
#include <string.h>

#include "base/maths.h"
#include "format/ops.h"

static void json_put(emberi_json_out *out, const char *text, size_t size)
{
    if (!out->failed && !ember_buffer_append(out->buffer, text, size))
        out->failed = true;
}

static void json_break(emberi_json_out *out)
{
    static const char spaces[] = "        ";
    out->line = false;
    if (out->compact)
        return;
    json_put(out, "\n", 1);
    for (uint32_t left = out->depth; left != 0;) {
        uint32_t step = left < sizeof(spaces) - 1 ? left : (uint32_t)sizeof(spaces) - 1;
        json_put(out, spaces, step);
        left -= step;
    }
}

/* What comes before any key or value. */
static void json_begin(emberi_json_out *out)
{
    if (out->comma)
        json_put(out, ",", 1);
    if (out->line)
        json_break(out);
    out->comma = true;
}

static void json_open(emberi_json_out *out, char bracket)
{
    json_begin(out);
    json_put(out, &bracket, 1);
    out->comma = false;
    out->depth++;
}

static void json_close(emberi_json_out *out, char bracket)
{
    out->depth--;
    if (out->line)
        json_break(out);
    json_put(out, &bracket, 1);
    out->comma = true;
}

void emberi_json_object(emberi_json_out *out) { json_open(out, '{'); }

void emberi_json_object_end(emberi_json_out *out) { json_close(out, '}'); }

void emberi_json_array(emberi_json_out *out) { json_open(out, '['); }

void emberi_json_array_end(emberi_json_out *out) { json_close(out, ']'); }

void emberi_json_line(emberi_json_out *out) { out->line = true; }

static void json_put_character(emberi_json_out *out, const char *c, size_t size)
{
    char escape[8];
    if (size == 0)
        json_put(out, "\xef\xbf\xbd", 3);
    else if (*c == '"' || *c == '\\') {
        json_put(out, "\\", 1);
        json_put(out, c, 1);
    } else if (size == 1 && ((unsigned char)*c < 0x20u || *c == 0x7f)) {
        snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)(unsigned char)*c);
        json_put(out, escape, 6);
    } else
        json_put(out, c, size);
}

static void json_put_quoted(emberi_json_out *out, const char *text)
{
    size_t left = strlen(text);
    json_put(out, "\"", 1);
    while (left != 0) {
        size_t size = emberi_utf8_size(text, left), step = size != 0 ? size : 1;
        json_put_character(out, text, size);
        text += step;
        left -= step;
    }
    json_put(out, "\"", 1);
}

void emberi_json_key(emberi_json_out *out, const char *key)
{
    json_begin(out);
    json_put_quoted(out, key);
    json_put(out, ":", 1);
    out->comma = false;
}

void emberi_json_string(emberi_json_out *out, const char *text)
{
    json_begin(out);
    json_put_quoted(out, text);
}

void emberi_json_bool(emberi_json_out *out, bool value)
{
    json_begin(out);
    json_put(out, value ? "true" : "false", value ? 4 : 5);
}

void emberi_json_null(emberi_json_out *out)
{
    json_begin(out);
    json_put(out, "null", 4);
}

void emberi_json_integer(emberi_json_out *out, int64_t value)
{
    char text[EMBERI_NUMBER_SIZE];
    int  size = snprintf(text, sizeof(text), "%jd", (intmax_t)value);
    json_begin(out);
    json_put(out, text, (size_t)size);
}

static const char *json_not_finite(double value)
{
    return value > 0.0 ? "Infinity" : value < 0.0 ? "-Infinity" : "NaN";
}

void emberi_json_number(emberi_json_out *out, double value)
{
    char text[EMBERI_NUMBER_SIZE];
    if (value - value != 0.0) {
        emberi_json_string(out, json_not_finite(value));
        return;
    }
    size_t size = emberi_double_text(text, value);
    json_begin(out);
    json_put(out, text, size);
}

void emberi_json_float(emberi_json_out *out, float value)
{
    char text[EMBERI_NUMBER_SIZE];
    if (!emberi_is_finite(value)) {
        emberi_json_string(out, json_not_finite((double)value));
        return;
    }
    size_t size = emberi_float_text(text, value);
    json_begin(out);
    json_put(out, text, size);
}

void emberi_json_transform(emberi_json_out *out, const ember_transform *transform)
{
    float values[10];
    memcpy(values, transform, sizeof(values));
    emberi_json_array(out);
    for (int i = 0; i < 10; i++)
        emberi_json_float(out, values[i]);
    emberi_json_array_end(out);
}

/* ---- a key and its value ---- */

void emberi_json_put_string(emberi_json_out *out, const char *key, const char *text)
{
    emberi_json_key(out, key);
    emberi_json_string(out, text);
}

void emberi_json_put_bool(emberi_json_out *out, const char *key, bool value)
{
    emberi_json_key(out, key);
    emberi_json_bool(out, value);
}

void emberi_json_put_integer(emberi_json_out *out, const char *key, int64_t value)
{
    emberi_json_key(out, key);
    emberi_json_integer(out, value);
}

void emberi_json_put_number(emberi_json_out *out, const char *key, double value)
{
    emberi_json_key(out, key);
    emberi_json_number(out, value);
}
