/* SPDX-License-Identifier: MIT */
/* JSON output. Keys come in the order in which they were put, so that the same input gives the same bytes.
   The values are those of the reader, in memory of their own. */
#include "cli/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/text.h"
#include "ember/file.h"

/* ---- making ---- */

static json_t *json_make(int type)
{
    json_t *value = must_alloc(1, sizeof(*value));
    value->type = (uint16_t)type;
    return value;
}

static json_t json_string_of(const char *text, size_t size)
{
    char *copy = must_alloc(size + 1, 1);
    if (size != 0)
        memcpy(copy, text, size);
    return (json_t){.type = JSON_STRING, .count = (uint32_t)size, .at.text = copy};
}

json_t *json_null(void) { return json_make(JSON_NULL); }
json_t *json_boolean(bool value) { return json_make(value ? JSON_TRUE : JSON_FALSE); }
json_t *json_object(void) { return json_make(JSON_OBJECT); }
json_t *json_array(void) { return json_make(JSON_ARRAY); }

json_t *json_text(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *value = json_make(JSON_STRING);
    char   *escaped = emberi_utf8_valid(text) ? NULL : text_escape(text);
    *value = json_string_of(escaped != NULL ? escaped : text, strlen(escaped != NULL ? escaped : text));
    free(escaped);
    return value;
}

json_t *json_number(double value)
{
    if (isnan(value))
        return json_text("NaN");
    if (isinf(value))
        return json_text(value > 0.0 ? "Infinity" : "-Infinity");
    json_t *number = json_make(JSON_REAL);
    number->at.number = value;
    return number;
}

json_t *json_float(float value) { return json_number(text_float_value(value)); }

json_t *json_integer(int64_t value)
{
    json_t *number = json_make(JSON_WHOLE);
    number->at.whole = value;
    return number;
}

json_t *json_count(uint64_t value) { return json_integer((int64_t)value); }

json_t *json_transform(const ember_transform *t)
{
    const float values[10] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w, t->position.x,
                              t->position.y, t->position.z, t->scale.x,    t->scale.y,    t->scale.z};
    json_t     *array = json_array();
    for (size_t i = 0; i < 10; i++)
        json_add(array, json_float(values[i]));
    return array;
}

/* ---- putting together ---- */

/* What the reader hands out is const; what is made here is on the heap. */
static json_t *json_items(const json_t *list) { return (json_t *)(uintptr_t)list->at.items; }

/* The values in a list: an object's keys are some, too. */
static size_t json_item_count(const json_t *list)
{
    return list->type == JSON_OBJECT ? 2 * (size_t)list->count : list->type == JSON_ARRAY ? list->count : 0;
}

static void json_append(json_t *list, json_t *items, size_t used, size_t count)
{
    json_t *now = json_items(list);
    if (used == 0 || (used >= 8 && (used & (used - 1)) == 0)) /* room doubles */
        now = must_resize(now, used == 0 ? 8 : 2 * used, sizeof(*now));
    memcpy(now + used, items, count * sizeof(*items));
    list->at.items = now;
    list->count++;
}

static void json_free_inner(json_t *value);

void json_put(json_t *object, const char *key, json_t *value)
{
    json_t *there = (json_t *)(uintptr_t)json_object_get(object, key);
    if (there != NULL) {
        json_free_inner(there);
        *there = *value;
    } else {
        json_t pair[2] = {json_string_of(key, strlen(key)), *value};
        json_append(object, pair, 2 * (size_t)object->count, 2);
    }
    free(value);
}

void json_add(json_t *array, json_t *value)
{
    json_append(array, value, array->count, 1);
    free(value);
}

/* NOLINTNEXTLINE(misc-no-recursion): the reader lets nothing through that is deeper than 2,048 */
static json_t json_copy_inner(const json_t *value)
{
    json_t copy = *value;
    size_t count = json_item_count(value);
    if (value->type == JSON_STRING)
        return json_string_of(value->at.text, value->count);
    if (value->type != JSON_ARRAY && value->type != JSON_OBJECT)
        return copy;
    size_t room = 8;
    while (room < count)
        room *= 2;
    json_t *items = count != 0 ? must_alloc(room, sizeof(*items)) : NULL;
    for (size_t i = 0; i < count; i++)
        items[i] = json_copy_inner(&value->at.items[i]);
    copy.at.items = items;
    return copy;
}

json_t *json_copy(const json_t *value)
{
    json_t *copy = json_make(JSON_NULL);
    *copy = json_copy_inner(value);
    return copy;
}

/* NOLINTNEXTLINE(misc-no-recursion): the same */
static void json_free_inner(json_t *value)
{
    if (value->type == JSON_STRING)
        free((char *)(uintptr_t)value->at.text);
    if (value->type != JSON_ARRAY && value->type != JSON_OBJECT)
        return;
    for (size_t i = 0; i < json_item_count(value); i++)
        json_free_inner(&json_items(value)[i]);
    free(json_items(value));
}

void json_free(json_t *value)
{
    if (value != NULL)
        json_free_inner(value);
    free(value);
}

/* ---- text ---- */

typedef struct json_writer {
    ember_buffer text;
    bool         wide;
} json_writer;

static void json_write(json_writer *w, const char *text, size_t size)
{
    if (ember_buffer_append(&w->text, text, size))
        return;
    fputs("ember: out of memory\n", stderr);
    exit(1);
}

static void json_write_string(json_writer *w, const json_t *string)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char       *at = string->at.text, *end = at + string->count, *start = at;
    json_write(w, "\"", 1);
    for (; at < end; at++) {
        const char *known = *at != '\0' ? strchr(from, *at) : NULL;
        char        escape[8] = {'\\', known != NULL ? to[known - from] : 'u', '\0'};
        if (known == NULL && (unsigned char)*at >= 0x20)
            continue;
        if (known == NULL)
            (void)snprintf(escape, sizeof(escape), "\\u%04X", (unsigned)(unsigned char)*at);
        json_write(w, start, (size_t)(at - start));
        json_write(w, escape, strlen(escape));
        start = at + 1;
    }
    json_write(w, start, (size_t)(at - start));
    json_write(w, "\"", 1);
}

/* Nine digits on a wide page, which are enough for any float, and all of them otherwise. */
static void json_write_real(json_writer *w, double value)
{
    char  text[40], *end;
    int   size = snprintf(text, sizeof(text), "%.*g", w->wide ? 9 : 17, value);
    char *mark = strchr(text, 'e');
    if (mark == NULL) {
        json_write(w, text, (size_t)size);
        if (strchr(text, '.') == NULL)
            json_write(w, ".0", 2);
        return;
    }
    long exponent = strtol(mark + 1, &end, 10); /* without '+' and zeros in front */
    (void)snprintf(mark + 1, 8, "%ld", exponent);
    json_write(w, text, strlen(text));
}

static void json_write_line(json_writer *w, int depth)
{
    if (!w->wide)
        return;
    json_write(w, "\n", 1);
    while (depth-- > 0)
        json_write(w, " ", 1);
}

/* NOLINTNEXTLINE(misc-no-recursion): the same */
static void json_write_value(json_writer *w, const json_t *value, int depth)
{
    char   whole[32];
    bool   object = value->type == JSON_OBJECT;
    size_t step = object ? 2 : 1, count = json_item_count(value);
    switch ((int)value->type) {
    case JSON_STRING:
        json_write_string(w, value);
        return;
    case JSON_REAL:
        json_write_real(w, value->at.number);
        return;
    case JSON_WHOLE:
        json_write(w, whole, (size_t)snprintf(whole, sizeof(whole), "%jd", (intmax_t)value->at.whole));
        return;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    default:
        json_write(w,
                   value->type == JSON_TRUE    ? "true"
                   : value->type == JSON_FALSE ? "false"
                                               : "null",
                   value->type == JSON_FALSE ? 5 : 4);
        return;
    }
    json_write(w, object ? "{" : "[", 1);
    for (size_t i = 0; i < count; i += step) {
        if (i != 0)
            json_write(w, ",", 1);
        json_write_line(w, depth + 1);
        if (object) {
            json_write_string(w, &value->at.items[i]);
            json_write(w, ": ", w->wide ? 2 : 1);
        }
        json_write_value(w, &value->at.items[i + step - 1], depth + 1);
    }
    if (count != 0)
        json_write_line(w, depth);
    json_write(w, object ? "}" : "]", 1);
}

static char *json_write_text(const json_t *root, bool wide)
{
    json_writer w = {.text = {.allocator = ember_heap()}, .wide = wide};
    json_write_value(&w, root, 0);
    json_write(&w, "", 1);
    return (char *)w.text.data;
}

char *json_compact_text(const json_t *root) { return json_write_text(root, false); }
char *json_wide_text(const json_t *root) { return json_write_text(root, true); }

void json_print(json_t *root)
{
    /* A failure to write is seen when standard output is flushed. */
    char *text = json_wide_text(root);
    (void)fputs(text, stdout);
    putchar('\n');
    free(text);
    json_free(root);
}
