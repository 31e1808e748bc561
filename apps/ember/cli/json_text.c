/* SPDX-License-Identifier: MIT */
/* JSON output. Keys come in the order in which they were put, so that the same input gives the same bytes. */
#include "cli/json_text.h"

#include <math.h>
#include <stdlib.h>

#include "cli/text.h"

static json_t *json_must(json_t *value)
{
    if (value == NULL) {
        fputs("ember: out of memory\n", stderr);
        exit(1);
    }
    return value;
}

json_t *json_text(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *value = json_string(text);
    if (value == NULL) {
        char *escaped = text_escape(text);
        value = json_string(escaped);
        free(escaped);
    }
    return json_must(value);
}

json_t *json_number(double value)
{
    if (isnan(value))
        return json_text("NaN");
    if (isinf(value))
        return json_text(value > 0.0 ? "Infinity" : "-Infinity");
    return json_must(json_real(value));
}

json_t *json_float(float value) { return json_number(text_float_value(value)); }

json_t *json_count(uint64_t value) { return json_must(json_integer((json_int_t)value)); }

json_t *json_transform(const ember_transform *t)
{
    const float values[10] = {t->rotation.x, t->rotation.y, t->rotation.z, t->rotation.w, t->position.x,
                              t->position.y, t->position.z, t->scale.x,    t->scale.y,    t->scale.z};
    json_t     *array = json_must(json_array());
    for (size_t i = 0; i < 10; i++)
        json_add(array, json_float(values[i]));
    return array;
}

void json_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(json_must(object), key, json_must(value)) != 0)
        json_must(NULL);
}

void json_add(json_t *array, json_t *value)
{
    if (json_array_append_new(json_must(array), json_must(value)) != 0)
        json_must(NULL);
}

static void *json_must_alloc(size_t size) { return must_resize(NULL, size, 1); }

void json_must_have_memory(void) { json_set_alloc_funcs(json_must_alloc, free); }

char *json_must_dump(const json_t *root, size_t flags)
{
    char *text = json_dumps(root, flags);
    if (text == NULL)
        json_must(NULL);
    return text;
}

void json_print(json_t *root)
{
    /* A failure to write is seen when standard output is flushed. */
    (void)json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
}
