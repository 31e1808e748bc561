/* SPDX-License-Identifier: MIT */
/* Walking the tree that page/json.js makes of what the browser's parser read. The tree is our own making and
   is trusted; the text it came from is not. */
#include <jansson.h>
#include <string.h>

/* The tree in memory of our own allocator, or NULL: a mistake in the text, keys that repeat where they must
   not, a NUL where there may be none, nesting too deep, no memory. */
json_t *page_json_parse(const char *text, size_t size, size_t flags)
    __attribute__((import_module("env"), import_name("json_parse")));

json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error)
{
    json_t *tree = page_json_parse(text, size, flags);
    if (tree == NULL &&
        !json_fault(error, text, size, (unsigned)flags & (FAULT_REJECT_DUPLICATES | FAULT_ALLOW_NUL))) {
        memset(error, 0, sizeof(*error));
        error->code = FAULT_NO_MEMORY;
    }
    return tree;
}

static const json_t *inside(const json_t *value)
{
    return (const json_t *)(const void *)((const char *)value + value->at.offset);
}

/* The readers hand the tree around as const where they should; jansson's own functions do not. */
static json_t *plain(const json_t *value) { return (json_t *)(uintptr_t)value; }

size_t json_object_size(const json_t *object) { return json_is_object(object) ? object->count : 0; }

json_t *json_object_get(const json_t *object, const char *key)
{
    const json_t *pair = json_is_object(object) ? inside(object) : NULL;
    size_t        size = strlen(key);
    for (uint32_t i = 0; pair != NULL && i < object->count; i++, pair += 2)
        if (pair[0].count == size && memcmp(inside(&pair[0]), key, size) == 0)
            return plain(&pair[1]);
    return NULL;
}

void *json_object_iter(json_t *object)
{
    return json_object_size(object) != 0 ? plain(inside(object)) : NULL;
}

void *json_object_iter_next(json_t *object, void *iter)
{
    const json_t *next = (const json_t *)iter + 2;
    return next < inside(object) + 2 * (size_t)object->count ? plain(next) : NULL;
}

const char *json_object_iter_key(void *iter) { return json_string_value(iter); }

size_t json_array_size(const json_t *array) { return json_is_array(array) ? array->count : 0; }

json_t *json_array_get(const json_t *array, size_t index)
{
    return index < json_array_size(array) ? plain(inside(array) + index) : NULL;
}

const char *json_string_value(const json_t *string)
{
    return json_is_string(string) ? (const char *)string + string->at.offset : NULL;
}

size_t json_string_length(const json_t *string) { return json_is_string(string) ? string->count : 0; }

double json_real_value(const json_t *real) { return json_is_real(real) ? real->at.number : 0.0; }

double json_number_value(const json_t *number) { return json_real_value(number); }
