/* SPDX-License-Identifier: MIT */
/* Which results of a function need a test for NaN: those whose bits somebody may see. The text is walked from
   its end to its start with the set of variables whose bits are seen from there on; loops are walked until
   nothing changes. A function that is too large, or not written as expected, has all its results tested. */
#define _GNU_SOURCE /* memmem */

#include <string.h>

#include "engine/object/object_edit.h"

#define NANS_MAX_PASSES 8
#define NANS_MAX_WORDS ((size_t)2 << 20) /* of all sets together */

/* Names and their numbers: variables, labels. */
typedef struct names {
    struct name {
        const char *text; /* NULL: free */
        size_t      size;
        uint32_t    number;
    } * slots;
    size_t   capacity; /* a power of two */
    uint32_t count;
} names;

typedef struct nans {
    emberi_text_body *body;
    ember_allocator   allocator;
    names             variables, labels;
    size_t            words; /* of a set */
    uint64_t         *sets;  /* one for each label, then two for each open brace */
    size_t            set_count, depth;
    uint64_t         *seen; /* the current set: whose bits are seen later */
    bool              changed, odd;
} nans;

/* ---- names ---- */

static struct name *names_find(const names *n, const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    for (size_t i = (size_t)(hash ^ hash >> 32);; i++) {
        struct name *slot = &n->slots[i & (n->capacity - 1)];
        if (slot->text == NULL || (slot->size == size && memcmp(slot->text, text, size) == 0))
            return slot;
    }
}

static void names_add(names *n, const char *text, size_t size)
{
    struct name *slot = names_find(n, text, size);
    if (slot->text == NULL)
        *slot = (struct name){text, size, n->count++};
}

static bool names_make(names *n, ember_allocator allocator, size_t most)
{
    n->capacity = 16;
    while (n->capacity < 2 * most)
        n->capacity *= 2;
    n->slots = allocator.resize(allocator.user, NULL, 0, n->capacity * sizeof(*n->slots));
    if (n->slots != NULL)
        memset(n->slots, 0, n->capacity * sizeof(*n->slots));
    return n->slots != NULL;
}

static void names_free(names *n, ember_allocator allocator)
{
    if (n->slots != NULL)
        allocator.resize(allocator.user, n->slots, n->capacity * sizeof(*n->slots), 0);
}

/* ---- sets ---- */

static uint64_t *set_at(const nans *n, size_t index) { return n->sets + index * n->words; }

static void set_copy(const nans *n, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, n->words * sizeof(*to));
}

/* Whether that made the set larger. */
static bool set_unite(const nans *n, uint64_t *to, const uint64_t *from)
{
    uint64_t more = 0;
    for (size_t i = 0; i < n->words; i++) {
        more |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return more != 0;
}

static bool seen_has(const nans *n, uint32_t number)
{
    return (n->seen[number / 64] >> number % 64 & 1) != 0;
}
static void seen_add(nans *n, uint32_t number) { n->seen[number / 64] |= UINT64_C(1) << number % 64; }
static void seen_drop(nans *n, uint32_t number) { n->seen[number / 64] &= ~(UINT64_C(1) << number % 64); }

static void seen_add_all(nans *n, emberi_text_line line)
{
    const char *name;
    size_t      at = 0, size;
    while (emberi_text_next_variable(line, &at, &name, &size))
        seen_add(n, names_find(&n->variables, name, size)->number);
}

/* ---- lines ---- */

static emberi_text_line trimmed(emberi_text_line line)
{
    while (line.size > 0 && line.text[0] == ' ') {
        line.text++;
        line.size--;
    }
    while (line.size > 0 && line.text[line.size - 1] == ' ')
        line.size--;
    return line;
}

static bool is(emberi_text_line line, const char *text)
{
    return line.size == strlen(text) && memcmp(line.text, text, line.size) == 0;
}

static bool begins(emberi_text_line line, const char *text)
{
    return line.size >= strlen(text) && memcmp(line.text, text, strlen(text)) == 0;
}

static bool has(emberi_text_line line, const char *text)
{
    return memmem(line.text, line.size, text, strlen(text)) != NULL;
}

/* w2c_L1: or w2c_B0:; */
static bool is_label(emberi_text_line line, size_t *size)
{
    const char *colon = memchr(line.text, ':', line.size);
    if (colon == NULL || !begins(line, "w2c_") || memchr(line.text, ' ', (size_t)(colon - line.text)) != NULL)
        return false;
    *size = (size_t)(colon - line.text);
    return true;
}

/* The label that a line jumps to. */
static bool jumps(emberi_text_line line, const char **name, size_t *size)
{
    const char *at = memmem(line.text, line.size, "goto w2c_", 9);
    if (at == NULL)
        return false;
    *name = at + 5;
    const char *end = memchr(*name, ';', line.size - (size_t)(*name - line.text));
    *size = end != NULL ? (size_t)(end - *name) : 0;
    return end != NULL;
}

static bool is_declaration(emberi_text_line line)
{
    return begins(line, "f32 ") || begins(line, "f64 ") || begins(line, "u32 ") || begins(line, "u64 ");
}

/* Comparisons and conversions to integers see that a NaN is one, not its bits. */
static bool only_compares(emberi_text_line right)
{
    static const char *const operators[] = {" < ", " > ", " <= ", " >= ", " == ", " != "};
    if (begins(right, "I32_TRUNC_") || begins(right, "I64_TRUNC_"))
        return true;
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
        if (has(right, operators[i]) && begins(right, "w2c_") && !has(right, "("))
            return true;
    return false;
}

/* What a line stores goes on with the bits it had: copies, choices, signs. */
static bool only_passes_on(emberi_text_line right)
{
    bool one = begins(right, "w2c_") && memchr(right.text, '(', right.size) == NULL &&
               (memchr(right.text, ' ', right.size) == NULL || has(right, " ? "));
    return one || begins(right, "-(") || begins(right, "wasm_fabs") || begins(right, "copysign");
}

static void nans_statement(nans *n, size_t index, emberi_text_line line)
{
    const char      *name, *equals = memmem(line.text, line.size, " = ", 3);
    size_t           size, at = 0;
    emberi_text_kind kind = emberi_text_kind_of(line, &name, &size);
    if (kind != EMBERI_TEXT_OTHER) {
        uint32_t number = names_find(&n->variables, name, size)->number;
        n->body->tests[index] = kind == EMBERI_TEXT_ARITHMETIC && seen_has(n, number);
        seen_drop(n, number);
        return;
    }
    emberi_text_line right = line;
    bool             stores = false, seen = true;
    if (equals != NULL && begins(line, "w2c_") && memchr(line.text, ' ', line.size) == equals) {
        right = trimmed((emberi_text_line){equals + 3, line.size - (size_t)(equals + 3 - line.text)});
        stores = emberi_text_next_variable((emberi_text_line){line.text, (size_t)(equals - line.text)}, &at,
                                           &name, &size);
        if (!stores && only_compares(right))
            return;
    }
    if (stores) {
        uint32_t number = names_find(&n->variables, name, size)->number;
        seen = !only_passes_on(right) || seen_has(n, number);
        seen_drop(n, number);
    }
    if (seen)
        seen_add_all(n, right);
}

/* Braces, from the end to the start: behind the closing one lies what comes after both branches. */
static bool nans_brace(nans *n, emberi_text_line line)
{
    if (is(line, "}")) { /* there is room: there are as many places as such lines */
        uint64_t *after = set_at(n, n->labels.count + 2 * n->depth);
        set_copy(n, after, n->seen);
        set_copy(n, after + n->words, n->seen);
        n->depth++;
        return true;
    }
    bool other_branch = is(line, "} else {"),
         opens = other_branch || is(line, "{") || (begins(line, "if (") && line.text[line.size - 1] == '{') ||
                 begins(line, "switch (");
    if (!opens)
        return false;
    if (n->depth == 0) {
        n->odd = true;
        return true;
    }
    uint64_t *after = set_at(n, n->labels.count + 2 * (n->depth - 1)), *other = after + n->words;
    if (other_branch) {
        set_copy(n, other, n->seen);
        set_copy(n, n->seen, after);
        return true;
    }
    if (!is(line, "{"))
        (void)set_unite(n, n->seen, other);
    n->depth--;
    return true;
}

static void nans_line(nans *n, size_t index)
{
    emberi_text_line line = trimmed(n->body->lines[index]);
    const char      *name;
    size_t           size;
    if (line.size == 0 || is_declaration(line))
        return;
    if (is_label(line, &size)) {
        uint32_t label = names_find(&n->labels, line.text, size)->number;
        n->changed = set_unite(n, set_at(n, label), n->seen) || n->changed;
        return;
    }
    if (jumps(line, &name, &size)) {
        const uint64_t *target = set_at(n, names_find(&n->labels, name, size)->number);
        if (begins(line, "goto "))
            set_copy(n, n->seen, target);
        else
            (void)set_unite(n, n->seen, target);
        seen_add_all(n, line); /* of a jump that brings values with it */
        return;
    }
    if (nans_brace(n, line))
        return;
    if (begins(line, "return"))
        memset(n->seen, 0, n->words * sizeof(*n->seen));
    nans_statement(n, index, line);
}

/* ---- a function ---- */

static bool nans_collect(nans *n)
{
    size_t variables = 0, labels = 0, braces = 0;
    for (int round = 0; round < 2; round++) {
        if (round == 1 && (!names_make(&n->variables, n->allocator, variables + 1) ||
                           !names_make(&n->labels, n->allocator, labels + 1)))
            return false;
        for (size_t i = 0; i < n->body->count; i++) {
            emberi_text_line line = trimmed(n->body->lines[i]);
            const char      *name;
            size_t           at = 0, size;
            while (emberi_text_next_variable(line, &at, &name, &size)) {
                variables++;
                if (round == 1)
                    names_add(&n->variables, name, size);
            }
            bool label = is_label(line, &size);
            name = line.text;
            if (label || jumps(line, &name, &size)) {
                labels++;
                if (round == 1)
                    names_add(&n->labels, name, size);
            }
            braces += round == 0 && is(line, "}");
        }
    }
    n->words = (n->variables.count + 63) / 64 + 1;
    n->set_count = n->labels.count + 2 * braces + 1;
    return true;
}

static bool nans_pass(nans *n)
{
    n->changed = false;
    n->depth = 0;
    memset(n->seen, 0, n->words * sizeof(*n->seen));
    for (size_t i = n->body->count; i > 0 && !n->odd; i--)
        nans_line(n, i - 1);
    return n->changed;
}

static void nans_test_all(emberi_text_body *body)
{
    for (size_t i = 0; i < body->count; i++) {
        const char *name;
        size_t      size;
        body->tests[i] = emberi_text_kind_of(body->lines[i], &name, &size) == EMBERI_TEXT_ARITHMETIC;
    }
}

bool emberi_text_find_tests(emberi_text_body *body, ember_allocator allocator)
{
    nans n = {.body = body, .allocator = allocator};
    bool ok = nans_collect(&n), settled = false;
    n.odd = ok && n.set_count > NANS_MAX_WORDS / n.words;
    size_t size = ok && !n.odd ? n.set_count * n.words * sizeof(*n.sets) : 0;
    if (size != 0) {
        n.sets = allocator.resize(allocator.user, NULL, 0, size);
        ok = n.sets != NULL;
    }
    if (ok && !n.odd) {
        memset(n.sets, 0, size);
        n.seen = set_at(&n, n.set_count - 1);
        for (int i = 0; i < NANS_MAX_PASSES && !n.odd && !settled; i++)
            settled = !nans_pass(&n);
    }
    if (ok && (n.odd || !settled))
        nans_test_all(body);
    if (n.sets != NULL)
        allocator.resize(allocator.user, n.sets, size, 0);
    names_free(&n.variables, allocator);
    names_free(&n.labels, allocator);
    return ok;
}
