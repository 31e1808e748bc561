/* SPDX-License-Identifier: MIT */
/* Names for ANIMBIN's fields of 32 bytes. However many there are, and whatever they have in common, the time
   is in proportion to their number. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "format/animbin/animbin_parts.h"

/* A clip has no more than 65535 markers, and a file fewer clips, so that no number gets a sixth digit. */
enum { NAME_MOST = EMBERI_ANIMBIN_NAME_SIZE - 1, DIGITS_MOST = 5 };

/* ---- texts and a number for each ---- */

typedef struct map_entry {
    const char *key; /* NULL: free */
    uint32_t    value;
} map_entry;

typedef struct map {
    map_entry *entries;
    size_t     mask;
} map;

/* Room for `count` keys, of which it never gets more. */
static bool map_make(map *out, ember_arena *arena, size_t count)
{
    size_t capacity = 8;
    while (capacity < 2 * count)
        capacity *= 2;
    out->entries = EMBER_PUSH(arena, map_entry, capacity);
    out->mask = capacity - 1;
    return out->entries != NULL;
}

/* The key's entry, or the free one where it goes. */
static map_entry *map_at(const map *m, const char *key)
{
    uint64_t hash = emberi_hash(EMBERI_HASH_START, key, strlen(key));
    size_t   at = (size_t)(hash ^ hash >> 32) & m->mask;
    while (m->entries[at].key != NULL && strcmp(m->entries[at].key, key) != 0)
        at = (at + 1) & m->mask;
    return &m->entries[at];
}

/* ---- shortening ---- */

typedef struct shortening {
    ember_arena *arena;
    map          taken;   /* all names of the result */
    map          cut;     /* long names and which of the result they became */
    map          numbers; /* what numbered names begin with, and the next number for it */
} shortening;

/* The most bytes of `name` up to `room` that end between two characters. */
static size_t name_cut(const char *name, size_t room)
{
    size_t size = strlen(name), used = 0;
    while (used < size) {
        size_t step = emberi_utf8_size(name + used, size - used);
        step = step != 0 ? step : 1;
        if (used + step > room)
            break;
        used += step;
    }
    return used;
}

static bool name_is_long(const char *name) { return strlen(name) > NAME_MOST; }

/* Ends the name with the first number from `low` and below `high` that makes it free; *found says whether
   there is one. Numbers that were tried once for the same beginning are not tried again. False if there
   is no memory. */
static bool name_number(char out[EMBERI_ANIMBIN_NAME_SIZE], bool *found, shortening *s, const char *name,
                        int digits, uint32_t low, uint32_t high)
{
    size_t used = name_cut(name, (size_t)(NAME_MOST - 1 - digits));
    memcpy(out, name, used);
    snprintf(out + used, EMBERI_ANIMBIN_NAME_SIZE - used, "~%d", digits);
    map_entry *next = map_at(&s->numbers, out);
    if (next->key == NULL) {
        next->key = emberi_copy_text(s->arena, out);
        next->value = low;
        if (next->key == NULL)
            return false;
    }
    for (*found = false; next->value < high && !*found; next->value++) {
        snprintf(out + used, EMBERI_ANIMBIN_NAME_SIZE - used, "~%u", (unsigned)next->value);
        *found = map_at(&s->taken, out)->key == NULL;
    }
    return true;
}

/* NULL if there is no memory. */
static const char *name_shorten(shortening *s, const char *name)
{
    char *out = EMBER_PUSH(s->arena, char, EMBERI_ANIMBIN_NAME_SIZE);
    if (out == NULL)
        return NULL;
    memcpy(out, name, name_cut(name, NAME_MOST));
    bool found = map_at(&s->taken, out)->key == NULL;
    for (uint32_t digits = 1, low = 2, high = 10; !found; digits++, low = high, high *= 10) {
        memset(out, 0, EMBERI_ANIMBIN_NAME_SIZE);
        if (!name_number(out, &found, s, name, (int)digits, low, high))
            return NULL;
    }
    map_at(&s->taken, out)->key = out;
    return out;
}

const char **emberi_animbin_short_names(ember_arena *arena, const char *const *names, uint32_t count)
{
    const char **out = EMBER_PUSH(arena, const char *, count);
    shortening   s = {.arena = arena};
    size_t       long_count = 0;
    for (uint32_t i = 0; i < count && out != NULL; i++) {
        out[i] = names[i];
        long_count += name_is_long(names[i]) ? 1u : 0u;
    }
    if (out == NULL || long_count == 0)
        return out;
    if (!map_make(&s.taken, arena, count) || !map_make(&s.cut, arena, long_count) ||
        !map_make(&s.numbers, arena, long_count * DIGITS_MOST))
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (!name_is_long(names[i]))
            map_at(&s.taken, names[i])->key = names[i];
    for (uint32_t i = 0; i < count; i++) {
        map_entry *known = name_is_long(names[i]) ? map_at(&s.cut, names[i]) : NULL;
        if (known == NULL)
            continue;
        out[i] = known->key != NULL ? out[known->value] : name_shorten(&s, names[i]);
        if (out[i] == NULL)
            return NULL;
        if (known->key == NULL)
            *known = (map_entry){names[i], i};
    }
    return out;
}
