/* SPDX-License-Identifier: MIT */
/* The mutator for files that are JSON or, as .glb, have it in them: the document stays JSON and the chunks'
   lengths stay right, while numbers, indices, names and whole members change. Bytes that are no document are
   changed as bytes. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/json/decimal.h"
#include "base/json/json_tree.h"
#include "ember/file.h"

#define GLB_HEADER_SIZE 12u
#define CHUNK_HEADER_SIZE 8u

/* ---- the document's values ---- */

/* One value, as it stands in the text. `whole` is where its key begins, or itself in an array. */
typedef struct span {
    size_t whole, start, end;
    bool   member; /* of an object */
} span;

typedef struct spans {
    span  *list;
    size_t count;
} spans;

static size_t skip_string(const uint8_t *text, size_t at)
{
    for (at++; text[at] != '"'; at++)
        at += text[at] == '\\';
    return at + 1;
}

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* All values of a text that is JSON, but for the document itself; as many as there are
   characters, at most. */
static spans spans_find(const uint8_t *text, size_t size)
{
    spans   found = {calloc(size + 1, sizeof(span)), 0};
    size_t *open = calloc(size + 1, sizeof(*open)), depth = 0, key = 0;
    bool    has_key = false;
    fuzz_require(found.list != NULL && open != NULL, "out of memory");
    for (size_t at = 0; at < size;) {
        size_t start = at;
        if (is_blank(text[at]) || text[at] == ',' || text[at] == ':') {
            at++;
            continue;
        }
        if (text[at] == ']' || text[at] == '}') {
            found.list[open[--depth]].end = ++at;
            continue;
        }
        if (text[at] == '"')
            at = skip_string(text, at);
        else if (text[at] == '{' || text[at] == '[')
            at++;
        else
            while (at < size && strchr(",]} \t\r\n", text[at]) == NULL)
                at++;
        bool inside = depth != 0 && text[found.list[open[depth - 1]].start] == '{';
        if (inside && !has_key) {
            key = start;
            has_key = true;
            continue;
        }
        has_key = false;
        found.list[found.count] = (span){inside ? key : start, start, at, inside};
        if (text[start] == '{' || text[start] == '[')
            open[depth++] = found.count;
        found.count++;
    }
    free(open);
    return found;
}

/* ---- new values, as text ---- */

static size_t number_make(char *out, size_t room, fuzz_random *random, double value)
{
    /* clang-format off */
    static const double edges[] = {
        0, 1, 2, 3, -1, 4, 255, 256, 5120, 5121, 5122, 5123, 5125, 5126, 65535, 65536, 2147483647,
        -0.5, 0.5, 1e-9, 1e9, 1e30, 1e300, 1e-40, -1e300, 4294967295.0, 4096, 16777216.0,
        4294967296.0, 1e18, 34962, 8, 12, 16, 32767, 32768, 100, 1000, 0.1
    };
    /* clang-format on */
    if (fuzz_random_below(random, 3) == 0)
        value =
            (double)(int64_t)(value > -1e9 && value < 1e9 ? value : 0) + fuzz_random_below(random, 5) - 2.0;
    else if (fuzz_random_below(random, 4) == 0 && value > -1e300 && value < 1e300)
        value *= 1.5;
    else
        value = edges[fuzz_random_below(random, sizeof(edges) / sizeof(edges[0]))];
    return (size_t)snprintf(out, room, "%.9g", value);
}

/* A text that is known, or the string that is there with other bytes in it. */
static size_t string_make(char *out, size_t room, fuzz_random *random, const uint8_t *now, size_t size)
{
    static const char *const texts[] = {"",
                                        "SCALAR",
                                        "VEC2",
                                        "VEC3",
                                        "VEC4",
                                        "MAT4",
                                        "MAT3",
                                        "LINEAR",
                                        "STEP",
                                        "CUBICSPLINE",
                                        "weights",
                                        "translation",
                                        "scale",
                                        "rotation",
                                        "local",
                                        "model",
                                        "ff7",
                                        "animbin",
                                        "root",
                                        "bone_00",
                                        "walk",
                                        "POSITION",
                                        "2.0",
                                        "JOINTS_0",
                                        "data:application/octet-stream;base64,AAAAAAAAgD8AAAAAAACAPw==",
                                        "a\\u0000b",
                                        "\xc3\xa4",
                                        "ATTRIBUTES",
                                        "TRIANGLES",
                                        "INDICES",
                                        "OCTAHEDRAL",
                                        "QUATERNION",
                                        "EXPONENTIAL",
                                        "EXT_meshopt_compression",
                                        "KHR_mesh_quantization",
                                        "image/png",
                                        "weapon"};
    uint32_t                 choice = fuzz_random_below(random, sizeof(texts) / sizeof(texts[0]) + 8);
    if (choice < sizeof(texts) / sizeof(texts[0]) || size < 2 || now[0] != '"' || size + 8 > room)
        return (size_t)snprintf(out, room, "\"%s\"", texts[choice % (sizeof(texts) / sizeof(texts[0]))]);
    memcpy(out, now, size);
    size_t inner = LLVMFuzzerMutate((uint8_t *)out + 1, size - 2, size + 5);
    for (size_t i = 1; i <= inner; i++) /* still a string, though maybe not UTF-8 any more */
        if (out[i] == '"' || out[i] == '\\' || (uint8_t)out[i] < 0x20)
            out[i] = '?';
    out[inner + 1] = '"';
    return inner + 2;
}

static size_t value_make(char *out, size_t room, fuzz_random *random, const uint8_t *now, size_t size)
{
    static const char *const plain[] = {"null", "[]", "{}", "true", "false"};
    uint32_t                 choice = fuzz_random_below(random, 9);
    if (choice < 5)
        return (size_t)snprintf(out, room, "%s", plain[choice]);
    return choice == 5 ? string_make(out, room, random, now, size) : number_make(out, room, random, 1.0);
}

/* ---- changing the text ---- */

/* Puts `with` in the place of the bytes from `start` up to `end`; the size then, 0 if there is no room. */
static size_t text_replace(uint8_t *data, size_t size, size_t room, size_t start, size_t end,
                           const void *with, size_t with_size)
{
    if (with_size > room || size - (end - start) > room - with_size)
        return 0;
    memmove(data + start + with_size, data + end, size - end);
    memcpy(data + start, with, with_size);
    return size - (end - start) + with_size;
}

/* Takes a value away, with its key and a comma. */
static size_t text_remove(uint8_t *data, size_t size, size_t room, const span *at)
{
    size_t start = at->whole, end = at->end;
    while (end < size && is_blank(data[end]))
        end++;
    if (end < size && data[end] == ',') {
        end++;
    } else {
        while (start > 0 && is_blank(data[start - 1]))
            start--;
        start -= start > 0 && data[start - 1] == ',' ? 1 : 0;
    }
    return text_replace(data, size, room, start, end, "", 0);
}

static size_t span_change(uint8_t *data, size_t size, size_t room, const span *at, const span *other,
                          fuzz_random *random)
{
    const uint8_t *now = data + at->start;
    size_t         now_size = at->end - at->start, other_size = other->end - other->start, made = 0;
    size_t         most = 512 + now_size + other_size;
    char          *text = malloc(most);
    fuzz_require(text != NULL, "out of memory");
    const uint32_t what = fuzz_random_below(random, 16);
    if (what == 0) {
        free(text);
        return text_remove(data, size, room, at);
    }
    if (what == 1) {
        made = value_make(text, most, random, now, now_size);
    } else if (what == 2) {
        memcpy(text, data + other->start, made = other_size);
    } else if (what == 3 && !at->member) { /* once more */
        memcpy(text, now, now_size);
        text[now_size] = ',';
        size = text_replace(data, size, room, at->start, at->start, text, now_size + 1);
        free(text);
        return size;
    } else if (now[0] == '"') {
        made = string_make(text, most, random, now, now_size);
    } else if (now[0] == 't' || now[0] == 'f') {
        made = (size_t)snprintf(text, most, "%s", now[0] == 't' ? "false" : "true");
    } else if (now[0] == '-' || (now[0] >= '0' && now[0] <= '9')) {
        double value = 0.0;
        (void)emberi_decimal_read(&value, now, now + now_size);
        made = number_make(text, most, random, value);
    }
    size = made != 0 ? text_replace(data, size, room, at->start, at->end, text, made) : size;
    free(text);
    return size;
}

static bool text_is_json(const uint8_t *data, size_t size)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    emberi_json_fault fault;
    bool              good = emberi_json_parse(data, size, EMBERI_JSON_NUL, &arena, &fault) != NULL;
    ember_arena_free(&arena);
    return good && data[0] != 0xef; /* a byte order mark is not walked over */
}

/* The text with a few changes, in place; 0 if it is no document or has no room. */
static size_t text_change(uint8_t *data, size_t size, size_t room, fuzz_random *random)
{
    for (uint32_t n = 1 + fuzz_random_below(random, 4); n > 0 && size != 0; n--) {
        if (!text_is_json(data, size))
            return 0;
        spans found = spans_find(data, size);
        if (found.count > 1) {
            const span *at = &found.list[1 + fuzz_random_below(random, (uint32_t)found.count - 1)];
            const span *other = &found.list[1 + fuzz_random_below(random, (uint32_t)found.count - 1)];
            size = span_change(data, size, room, at, other, random);
        }
        free(found.list);
    }
    return size;
}

/* ---- files ---- */

/* A binary file: either its JSON changes or what is behind it, and the lengths follow. 0 if it is none. */
static size_t glb_change(uint8_t *data, size_t size, size_t room, fuzz_random *random)
{
    const size_t text_at = GLB_HEADER_SIZE + CHUNK_HEADER_SIZE;
    if (size < text_at || memcmp(data, "glTF", 4) != 0)
        return 0;
    const size_t text_size = emberi_get_u32(data + GLB_HEADER_SIZE);
    if (text_size > size - text_at)
        return 0;
    const size_t rest_at = text_at + text_size, rest_size = size - rest_at;
    if (rest_size > CHUNK_HEADER_SIZE && fuzz_random_below(random, 4) == 0) {
        uint8_t     *bin = data + rest_at + CHUNK_HEADER_SIZE;
        const size_t now =
            LLVMFuzzerMutate(bin, rest_size - CHUNK_HEADER_SIZE, rest_size - CHUNK_HEADER_SIZE);
        emberi_put_u32(data + rest_at, (uint32_t)now);
        size = rest_at + CHUNK_HEADER_SIZE + now;
        emberi_put_u32(data + 8, (uint32_t)size);
        return size;
    }
    uint8_t *text = malloc(room), *made = text;
    fuzz_require(text != NULL, "out of memory");
    memcpy(text, data + text_at, text_size);
    size_t now = text_change(text, text_size, room, random);
    while (now % 4 != 0 && now < room)
        text[now++] = ' ';
    if (now == 0 || text_at + now + rest_size > room) {
        free(made);
        return 0;
    }
    memmove(data + text_at + now, data + rest_at, rest_size);
    memcpy(data + text_at, text, now);
    free(made);
    size = text_at + now + rest_size;
    emberi_put_u32(data + 8, (uint32_t)size);
    emberi_put_u32(data + GLB_HEADER_SIZE, (uint32_t)now);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    fuzz_random random = fuzz_random_seed(seed);
    uint8_t    *keep = fuzz_exact_copy(data, size);
    size_t      now = 0;
    if (fuzz_random_below(&random, 12) != 0) {
        now = glb_change(data, size, room, &random);
        if (now == 0)
            now = text_change(data, size, room, &random);
    }
    if (now == 0) { /* a change that found no room has left others */
        memcpy(data, keep, size);
        now = LLVMFuzzerMutate(data, size, room);
    }
    free(keep);
    return now;
}
