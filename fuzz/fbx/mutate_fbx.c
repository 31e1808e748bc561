/* SPDX-License-Identifier: MIT */
/* The mutator for FBX: records of binary files are deleted, doubled, moved, exchanged and given other values
   while all offsets stay right. Text goes to mutate_fbx_text.c; bytes that are neither are changed as bytes.
 */
#include "mutate_fbx.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_SIZE 27u
#define RECORDS_MOST 8192u
#define DEPTH_MOST 60u
#define SPARE_SIZE 65536u

/* ---- numbers and names that mean something ---- */

static const char *const fbx_names[] = {"Model",
                                        "Geometry",
                                        "Deformer",
                                        "C",
                                        "P",
                                        "Properties70",
                                        "AnimationCurve",
                                        "AnimationCurveNode",
                                        "AnimationLayer",
                                        "AnimationStack",
                                        "KeyTime",
                                        "KeyValueFloat",
                                        "KeyAttrFlags",
                                        "KeyAttrRefCount",
                                        "KeyAttrDataFloat",
                                        "Vertices",
                                        "PolygonVertexIndex",
                                        "Indexes",
                                        "Weights",
                                        "Transform",
                                        "TransformLink",
                                        "Key",
                                        "KeyCount",
                                        "Channel",
                                        "Take",
                                        "LayerElementUV",
                                        "UV",
                                        "UVIndex",
                                        "Objects",
                                        "Connections",
                                        "GlobalSettings",
                                        "Content",
                                        "Video",
                                        "Texture",
                                        "Material",
                                        "PropertyTemplate",
                                        "Type",
                                        "Repetition"};

static uint64_t integer_edge(fuzz_random *random)
{
    static const uint64_t edges[] = {0,           1,           2,
                                     3,           4,           5,
                                     6,           14,          100,
                                     1000,        1001,        6100,
                                     7400,        65535,       65536,
                                     0x7fffffff,  0x80000000,  0xffffffff,
                                     46186158000, 0x100000000, 0x108,
                                     0x408,       0x1006108,   0x3000408,
                                     UINT64_MAX,  INT64_MAX,   UINT64_C(1) << 63};
    return MUTATE_CHOICE(random, edges);
}

static double real_edge(fuzz_random *random)
{
    static const double edges[] = {0,   1,    -1,    0.5,   2,      90,     180, 360,  1e-9,
                                   1e9, 1e30, -1e30, 1e300, -1e300, 1e-300, 100, 2.54, 0.01};
    const uint32_t      choice = fuzz_random_below(random, 20);
    const uint64_t      odd = choice == 0 ? UINT64_C(0x7ff0000000000000)
                                          : UINT64_C(0x7ff8000000000001); /* infinite, not a number */
    double              value = MUTATE_CHOICE(random, edges);
    if (choice < 2)
        memcpy(&value, &odd, sizeof(value));
    return value;
}

/* ---- binary: the tree ---- */

typedef struct record {
    const uint8_t *name, *props;
    size_t         name_size, props_size;
    uint64_t       prop_count;
    int32_t        first, next; /* child and sibling, -1: none */
    bool           list;        /* it has a list of children, which may be empty */
} record;

typedef struct document {
    const uint8_t *data;
    size_t         size;
    bool           wide, big;
    record        *records;
    uint32_t       count;
    int32_t        first;
    uint8_t       *spare; /* for property lists that are new */
    size_t         spare_used;
    fuzz_random   *random;
} document;

static uint64_t word_get(const document *d, const uint8_t *p, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)p[d->big ? size - 1 - i : i] << (8 * i);
    return value;
}

static void word_put(const document *d, uint8_t *p, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[d->big ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static size_t record_header(const document *d) { return d->wide ? 25 : 13; }

/* Reads the records of one list from *at on; false if they are not what a writer would write. */
/* NOLINTNEXTLINE(misc-no-recursion): not deeper than DEPTH_MOST */
static bool list_parse(document *d, int32_t *link, size_t *at, size_t end, uint32_t depth)
{
    const size_t word = d->wide ? 8 : 4, header = record_header(d);
    for (;;) {
        if (depth > DEPTH_MOST || d->count >= RECORDS_MOST / 2 || *at > end || end - *at < header)
            return false;
        const uint8_t *p = d->data + *at;
        const uint64_t own_end = word_get(d, p, word), props_size = word_get(d, p + 2 * word, word);
        const size_t   start = *at + header + p[header - 1];
        if (own_end == 0) {
            *at += header;
            return true;
        }
        if (start > end || own_end > end || props_size > own_end || start + props_size > own_end)
            return false;
        const int32_t index = (int32_t)d->count++;
        record       *r = &d->records[index];
        *r = (record){p + header,
                      d->data + start,
                      p[header - 1],
                      (size_t)props_size,
                      word_get(d, p + word, word),
                      -1,
                      -1,
                      false};
        *link = index;
        link = &r->next;
        *at = start + (size_t)props_size;
        if (*at < own_end) {
            r->list = true;
            if (!list_parse(d, &r->first, at, (size_t)own_end, depth + 1) || *at != own_end)
                return false;
        }
    }
}

static bool document_parse(document *d)
{
    size_t at = HEADER_SIZE;
    if (d->size < HEADER_SIZE || memcmp(d->data, "Kaydara FBX Binary", 18) != 0)
        return false;
    d->big = d->data[22] != 0;
    d->wide = word_get(d, d->data + 23, 4) >= 7500;
    d->first = -1;
    return list_parse(d, &d->first, &at, d->size, 0) && d->count != 0;
}

/* Writes a list of records at *at; false if there is no room, which a record that came to lie in
   itself needs too. */
/* NOLINTNEXTLINE(misc-no-recursion): as above */
static bool list_write(const document *d, int32_t index, uint8_t *out, size_t *at, size_t room,
                       uint32_t depth)
{
    const size_t word = d->wide ? 8 : 4, header = record_header(d);
    for (; index >= 0; index = d->records[index].next) {
        const record *r = &d->records[index];
        const size_t  start = *at;
        if (depth > DEPTH_MOST || room - start < header + r->name_size + r->props_size)
            return false;
        word_put(d, out + start + word, r->prop_count, word);
        word_put(d, out + start + 2 * word, r->props_size, word);
        out[start + header - 1] = (uint8_t)r->name_size;
        memcpy(out + start + header, r->name, r->name_size);
        if (r->props_size != 0)
            memcpy(out + start + header + r->name_size, r->props, r->props_size);
        *at += header + r->name_size + r->props_size;
        if (r->list && !list_write(d, r->first, out, at, room, depth + 1))
            return false;
        word_put(d, out + start, *at, word);
    }
    if (room - *at < header)
        return false;
    memset(out + *at, 0, header);
    *at += header;
    return true;
}

/* ---- binary: properties ---- */

/* The size of the property at p, its type's letter with it; 0 if it does not end before `end`. */
static size_t property_size(const document *d, const uint8_t *p, const uint8_t *end)
{
    const size_t left = (size_t)(end - p);
    size_t       size;
    if (left < 5) {
        size = p[0] == 'Y' ? 3 : p[0] == 'C' || p[0] == 'B' || p[0] == 'Z' ? 2 : 0;
        return size <= left ? size : 0;
    }
    switch (p[0]) {
    case 'Y':
        return 3;
    case 'C':
    case 'B':
    case 'Z':
        return 2;
    case 'I':
    case 'F':
        return 5;
    case 'L':
    case 'D':
        return left >= 9 ? 9 : 0;
    case 'S':
    case 'R':
        size = word_get(d, p + 1, 4);
        return size <= left - 5 ? size + 5 : 0;
    default:
        size = left >= 13 ? word_get(d, p + 9, 4) : left;
        return left >= 13 && size <= left - 13 ? size + 13 : 0;
    }
}

/* An id that another record has, so that what is joined with what changes. */
static uint64_t some_id(const document *d)
{
    for (int i = 0; i < 16; i++) {
        const record *r = &d->records[fuzz_random_below(d->random, d->count)];
        if (r->props_size >= 9 && r->props[0] == 'L')
            return word_get(d, r->props + 1, 8);
    }
    return integer_edge(d->random);
}

static void real_put(const document *d, uint8_t *p, size_t size)
{
    const double value = real_edge(d->random);
    const float  narrow = (float)(value < -1e38 || value > 1e38 ? 1e38 : value);
    uint64_t     bits = 0;
    uint32_t     narrow_bits;
    memcpy(&bits, &value, sizeof(bits));
    memcpy(&narrow_bits, &narrow, sizeof(narrow_bits));
    word_put(d, p, size == 8 ? bits : narrow_bits, size);
}

/* Changes an array of `size` bytes, letter and words with it, which has room for twice its elements;
   its new size. */
static size_t array_change(const document *d, uint8_t *p, size_t size)
{
    const size_t width = p[0] == 'd' || p[0] == 'l' ? 8 : p[0] == 'f' || p[0] == 'i' ? 4 : 1;
    const size_t bytes = size - 13, count = bytes / width;
    const bool   raw = word_get(d, p + 5, 4) == 0;
    const size_t at = 13 + width * fuzz_random_below(d->random, (uint32_t)count);
    switch (fuzz_random_below(d->random, raw && count != 0 ? 8 : 3)) {
    case 0:
        word_put(d, p + 1, integer_edge(d->random), 4);
        return size;
    case 1:
        word_put(d, p + 5, fuzz_random_below(d->random, 3), 4);
        return size;
    case 2:
        return bytes != 0 ? 13 + LLVMFuzzerMutate(p + 13, bytes, bytes) : size;
    case 3: /* fewer elements, and the words know it */
    case 4: {
        const size_t fewer = fuzz_random_below(d->random, (uint32_t)count + 1);
        word_put(d, p + 1, fewer, 4);
        word_put(d, p + 9, fewer * width, 4);
        return 13 + fewer * width;
    }
    case 5: /* all of them twice */
        memcpy(p + 13 + bytes, p + 13, bytes);
        word_put(d, p + 1, 2 * count, 4);
        word_put(d, p + 9, 2 * bytes, 4);
        return size + bytes;
    default:
        if (p[0] == 'd' || p[0] == 'f')
            real_put(d, p + at, width);
        else
            word_put(d, p + at, integer_edge(d->random), width);
        return size;
    }
}

static size_t text_change(const document *d, uint8_t *p, size_t size)
{
    size_t now;
    if (size > 5 && fuzz_random_below(d->random, 2) == 0) {
        now = LLVMFuzzerMutate(p + 5, size - 5, size - 5);
    } else {
        const char *text = mutate_fbx_word(d->random);
        now = strlen(text);
        memcpy(p + 5, text, now);
    }
    word_put(d, p + 1, now, 4);
    return 5 + now;
}

/* Changes the property at p, which has room for twice its size and 64 bytes; its new size. */
static size_t property_change(const document *d, uint8_t *p, size_t size)
{
    switch (p[0]) {
    case 'Y':
    case 'C':
    case 'B':
    case 'Z':
    case 'I':
    case 'L':
        word_put(d, p + 1,
                 p[0] == 'L' && fuzz_random_below(d->random, 3) != 0 ? some_id(d) : integer_edge(d->random),
                 size - 1);
        return size;
    case 'F':
    case 'D':
        real_put(d, p + 1, size - 1);
        return size;
    case 'S':
    case 'R':
        return text_change(d, p, size);
    default:
        return size >= 13 ? array_change(d, p, size) : size;
    }
}

/* A new property list for the record: one of them changed, doubled or gone. */
static void properties_change(document *d, record *r)
{
    const uint8_t *end = r->props + r->props_size, *p = r->props;
    uint32_t       left = fuzz_random_below(d->random, (uint32_t)(r->prop_count < 64 ? r->prop_count : 64));
    size_t         size = p < end ? property_size(d, p, end) : 0;
    for (; left > 0 && size != 0 && p + size < end; left--) {
        p += size;
        size = property_size(d, p, end);
    }
    if (size == 0 || SPARE_SIZE - d->spare_used < r->props_size + size + 64)
        return;
    uint8_t       *out = d->spare + d->spare_used;
    const size_t   before = (size_t)(p - r->props), after = r->props_size - before - size;
    const uint32_t what = fuzz_random_below(d->random, 10);
    size_t         now;
    memcpy(out, r->props, before);
    memcpy(out + before, p, size);
    if (what == 0) {
        now = 0;
        r->prop_count--;
    } else if (what == 1) {
        memcpy(out + before + size, p, size);
        now = 2 * size;
        r->prop_count++;
    } else {
        now = property_change(d, out + before, size);
    }
    memcpy(out + before + now, p + size, after);
    r->props = out;
    r->props_size = before + now + after;
    d->spare_used += r->props_size;
}

/* ---- binary: records ---- */

/* What points to the record. */
static int32_t *link_of(document *d, int32_t index)
{
    if (d->first == index)
        return &d->first;
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->records[i].first == index)
            return &d->records[i].first;
        if (d->records[i].next == index)
            return &d->records[i].next;
    }
    return NULL; /* it was deleted before */
}

/* What a record is, without its place among others. */
static void record_copy(record *out, const record *from)
{
    const int32_t next = out->next;
    *out = *from;
    out->next = next;
}

static void records_change(document *d)
{
    const int32_t index = (int32_t)fuzz_random_below(d->random, d->count),
                  other = (int32_t)fuzz_random_below(d->random, d->count);
    record      *r = &d->records[index], *o = &d->records[other];
    int32_t     *link = link_of(d, index);
    const record kept = *r;
    const char  *name;
    switch (fuzz_random_below(d->random, 24)) {
    case 0: /* gone */
        if (link != NULL)
            *link = r->next;
        return;
    case 1: /* twice */
    case 2:
        if (d->count < RECORDS_MOST) {
            d->records[d->count] = *r;
            r->next = (int32_t)d->count++;
        }
        return;
    case 3: /* the one in place of the other */
        record_copy(r, o);
        record_copy(o, &kept);
        return;
    case 4:
        record_copy(r, o);
        return;
    case 5: /* below another */
        if (link != NULL && index != other) {
            *link = r->next;
            r->next = o->first;
            o->first = index;
            o->list = true;
        }
        return;
    case 6:
        r->props = o->props;
        r->props_size = o->props_size;
        r->prop_count = o->prop_count;
        return;
    case 7:
        name = MUTATE_CHOICE(d->random, fbx_names);
        r->name = (const uint8_t *)name;
        r->name_size = strlen(name);
        return;
    case 8:
        r->prop_count = integer_edge(d->random);
        return;
    default:
        properties_change(d, r);
        return;
    }
}

/* The file with a few changes; 0 if it is none that can be changed so. */
static size_t binary_change(uint8_t *data, size_t size, size_t room, fuzz_random *random)
{
    document d = {.data = data, .size = size, .random = random};
    uint8_t *out = malloc(room);
    size_t   now = 0, at = HEADER_SIZE;
    d.records = calloc(RECORDS_MOST, sizeof(*d.records));
    d.spare = malloc(SPARE_SIZE);
    fuzz_require(out != NULL && d.records != NULL && d.spare != NULL, "out of memory");
    if (room >= HEADER_SIZE && document_parse(&d)) {
        for (uint32_t n = 1 + fuzz_random_below(random, 4); n > 0; n--)
            records_change(&d);
        memcpy(out, data, HEADER_SIZE);
        if (fuzz_random_below(random, 64) == 0)
            word_put(&d, out + 23, integer_edge(random), 4);
        if (list_write(&d, d.first, out, &at, room, 0)) {
            memcpy(data, out, at);
            now = at;
        }
    }
    free(d.records);
    free(d.spare);
    free(out);
    return now;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    fuzz_random random = fuzz_random_seed(seed);
    size_t      now = 0;
    if (fuzz_random_below(&random, 12) != 0) {
        now = binary_change(data, size, room, &random);
        if (now == 0 && size != 0 && memchr(data, 0, size < 32 ? size : 32) == NULL)
            now = mutate_fbx_text(data, size, room, &random);
    }
    return now != 0 ? now : LLVMFuzzerMutate(data, size, room);
}
