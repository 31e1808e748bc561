/* SPDX-License-Identifier: MIT */
/* Changing a JSON tree in an arena. Lists that grow double their room; what they had before stays
   in the arena. */
#include "base/json/json_edit.h"

#include "base/utf8.h"

json_t emberi_json_edit_number(double number) { return (json_t){.type = JSON_REAL, .at.number = number}; }

json_t emberi_json_edit_text(const char *text)
{
    return (json_t){.type = JSON_STRING, .count = (uint32_t)emberi_text_size(text), .at.text = text};
}

json_t emberi_json_edit_list(json_type type)
{
    static const json_t none;
    return (json_t){.type = (uint16_t)type, .at.items = &none};
}

static json_t *edit_items(const json_t *list) { return (json_t *)(uintptr_t)list->at.items; }

static size_t edit_used(const json_t *list)
{
    return (size_t)list->count * (list->type == JSON_OBJECT ? 2u : 1u);
}

/* A place of its own for a list's values, with room for two to the `room`. */
static bool edit_move(ember_arena *arena, json_t *list, uint16_t room)
{
    json_t *items = EMBER_PUSH(arena, json_t, (size_t)1 << room);
    if (items == NULL)
        return false;
    emberi_copy(items, list->at.items, edit_used(list) * sizeof(*items));
    list->at.items = items;
    list->room = room;
    return true;
}

static uint16_t edit_room_for(size_t count)
{
    uint16_t room = 3;
    while ((size_t)1 << room < count)
        room++;
    return room;
}

static bool edit_append(ember_arena *arena, json_t *list, const json_t *values, size_t count)
{
    size_t used = edit_used(list), room = list->room != 0 ? (size_t)1 << list->room : used;
    if (list->count == UINT32_MAX / 4 ||
        (used + count > room && !edit_move(arena, list, edit_room_for(2 * (used + count)))))
        return false;
    emberi_copy(edit_items(list) + used, values, count * sizeof(*values));
    list->count++;
    return true;
}

bool emberi_json_edit_add(ember_arena *arena, json_t *array, json_t value)
{
    return json_is_array(array) && edit_append(arena, array, &value, 1);
}

bool emberi_json_edit_set(ember_arena *arena, json_t *object, const char *key, json_t value)
{
    json_t *there = json_edit_get(object, key);
    json_t  pair[2] = {emberi_json_edit_text(key), value};
    if (there != NULL)
        *there = value;
    return there != NULL || (json_is_object(object) && edit_append(arena, object, pair, 2));
}

bool emberi_json_edit_copy(ember_arena *arena, json_t *out, const json_t *value)
{
    if (value == NULL)
        return false;
    *out = *value;
    if (!json_is_array(value) && !json_is_object(value))
        return true;
    return edit_move(arena, out, edit_room_for(edit_used(value)));
}

void emberi_json_edit_remove(json_t *object, const char *key)
{
    json_t *value = json_edit_get(object, key);
    if (value == NULL)
        return;
    json_t *end = edit_items(object) + edit_used(object);
    emberi_move(value - 1, value + 1, (size_t)(end - (value + 1)) * sizeof(*value));
    object->count--;
}
