/* SPDX-License-Identifier: MIT */
/* Whether the keys of an object are different: each with each where there are few, sorted where there are
   many, so that no object takes longer than its size times the logarithm of its keys. */
#include "base/json/json_parts.h"

#define KEYS_FEW 24u

static int keys_compare(const json_t *pairs, uint32_t a, uint32_t b)
{
    const json_t *x = &pairs[2 * (size_t)a], *y = &pairs[2 * (size_t)b];
    uint32_t      size = x->count < y->count ? x->count : y->count;
    int           order = __builtin_memcmp(x->at.text, y->at.text, size);
    if (order == 0 && x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return order;
}

/* As a sorted list has it: equal keys in the order of the text. */
static bool keys_before(const json_t *pairs, uint32_t a, uint32_t b)
{
    int order = keys_compare(pairs, a, b);
    return order < 0 || (order == 0 && a < b);
}

static void keys_sink(uint32_t *heap, uint32_t at, uint32_t count, const json_t *pairs)
{
    for (;;) {
        uint32_t largest = at, left = 2 * at + 1;
        for (uint32_t child = left; child < left + 2 && child < count; child++)
            if (keys_before(pairs, heap[largest], heap[child]))
                largest = child;
        if (largest == at)
            return;
        uint32_t swapped = heap[at];
        heap[at] = heap[largest];
        heap[largest] = swapped;
        at = largest;
    }
}

static void keys_sort(uint32_t *list, uint32_t count, const json_t *pairs)
{
    for (uint32_t i = 0; i < count; i++)
        list[i] = i;
    for (uint32_t i = count / 2; i-- > 0;)
        keys_sink(list, i, count, pairs);
    for (uint32_t i = count; i-- > 1;) {
        uint32_t swapped = list[0];
        list[0] = list[i];
        list[i] = swapped;
        keys_sink(list, 0, i, pairs);
    }
}

/* The first pair whose key was there before; `count` if there is none. */
static uint32_t keys_repeated_few(const json_t *pairs, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (pairs[2 * i].count == pairs[2 * k].count &&
                emberi_equal(pairs[2 * i].at.text, pairs[2 * k].at.text, pairs[2 * i].count))
                return i;
    return count;
}

static uint32_t keys_repeated_sorted(const uint32_t *list, const json_t *pairs, uint32_t count)
{
    uint32_t first = count;
    for (uint32_t i = 1; i < count; i++)
        if (list[i] < first && keys_compare(pairs, list[i - 1], list[i]) == 0)
            first = list[i];
    return first;
}

static const uint8_t *keys_skip_string(const uint8_t *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Where the key of a pair begins. The object has been read: it is whole. */
static const uint8_t *keys_locate(const uint8_t *at, uint32_t index)
{
    uint32_t depth = 0, pair = 0;
    bool     is_key = true;
    for (;;) {
        if (*at == '"') {
            if (depth == 0 && is_key && pair == index)
                return at;
            is_key = is_key && depth != 0;
            at = keys_skip_string(at);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        if (*at == '}' || *at == ']')
            depth--;
        if (*at == ',' && depth == 0) {
            pair++;
            is_key = true;
        }
        at++;
    }
}

bool emberi_json_keys_differ(json_parser *p, const json_t *pairs, uint32_t count, const uint8_t *start)
{
    uint32_t repeated;
    if (count <= KEYS_FEW) {
        repeated = keys_repeated_few(pairs, count);
    } else {
        ember_arena_mark mark = ember_arena_save(p->arena);
        uint32_t        *list = EMBER_PUSH(p->arena, uint32_t, count);
        if (list == NULL)
            return emberi_json_no_memory(p);
        keys_sort(list, count, pairs);
        repeated = keys_repeated_sorted(list, pairs, count);
        ember_arena_restore(p->arena, mark);
    }
    if (repeated == count)
        return true;
    const uint8_t *key = keys_locate(start, repeated);
    return emberi_json_wrong(p, EMBER_E_MALFORMED, key, keys_skip_string(key), "duplicate object key");
}
