/* SPDX-License-Identifier: MIT */
/* Changing a JSON tree in an arena. A value that is put into a list is copied there, with what it holds
   shared; a pointer to a value of a list is good until something is added to that list. */
#ifndef EMBER_BASE_JSON_EDIT_H
#define EMBER_BASE_JSON_EDIT_H

#include "base/json/json_tree.h"

/* What the walking functions find, to be changed. */
static inline json_t *json_edit_get(const json_t *object, const char *key)
{
    return (json_t *)(uintptr_t)json_object_get(object, key);
}
static inline json_t *json_edit_at(const json_t *array, size_t index)
{
    return (json_t *)(uintptr_t)json_array_get(array, index);
}
static inline json_t *json_edit_value(const json_t *object, size_t index)
{
    return (json_t *)(uintptr_t)json_object_value(object, index);
}

/* Values of their own; texts are not copied. */
json_t emberi_json_edit_number(double number);
json_t emberi_json_edit_text(const char *text);
json_t emberi_json_edit_list(json_type type); /* an array or object without values */

/* All of these are false where there is no memory, or `list` is not what it must be. */
bool emberi_json_edit_add(ember_arena *arena, json_t *array, json_t value);
bool emberi_json_edit_set(ember_arena *arena, json_t *object, const char *key, json_t value);
/* The value with a list of its own, whose values are shared. */
bool emberi_json_edit_copy(ember_arena *arena, json_t *out, const json_t *value);
void emberi_json_edit_remove(json_t *object, const char *key);

#endif
