/* SPDX-License-Identifier: MIT */
/* FBX as text, for its mutator: lines and whole blocks are deleted, doubled and moved, numbers and strings
   get other values. */
#include "mutate_fbx.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"OO",
                                    "OP",
                                    "PP",
                                    "LimbNode",
                                    "Mesh",
                                    "Null",
                                    "Skin",
                                    "Cluster",
                                    "BlendShape",
                                    "Lcl Translation",
                                    "Lcl Rotation",
                                    "Lcl Scaling",
                                    "d|X",
                                    "d|Y",
                                    "d|Z",
                                    "DiffuseColor",
                                    "RotationOrder",
                                    "InheritType",
                                    "RotationActive",
                                    "PreRotation",
                                    "PostRotation",
                                    "ScalingPivot",
                                    "RotationPivot",
                                    "GeometricScaling",
                                    "UnitScaleFactor",
                                    "UpAxis",
                                    "CoordAxis",
                                    "FrontAxis",
                                    "TimeMode",
                                    "CustomFrameRate",
                                    "LocalStart",
                                    "LocalStop",
                                    "Weight",
                                    "BlendMode",
                                    "RotationAccumulationMode",
                                    "ByPolygonVertex",
                                    "ByVertice",
                                    "ByPolygon",
                                    "AllSame",
                                    "Direct",
                                    "IndexToDirect",
                                    "T",
                                    "R",
                                    "S",
                                    "X",
                                    "Transform",
                                    "",
                                    "..\\a.png"};

static const char *const numbers[] = {"0",
                                      "1",
                                      "2",
                                      "-1",
                                      "3",
                                      "6",
                                      "100",
                                      "1000",
                                      "1001",
                                      "65536",
                                      "2147483647",
                                      "-2147483648",
                                      "4294967296",
                                      "46186158000",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "99999999999999999999999999",
                                      "1e300",
                                      "-1e300",
                                      "1e-300",
                                      "1e999",
                                      "nan",
                                      "1.#INF",
                                      "-1.#IND",
                                      "0.5",
                                      "-0.5",
                                      "7700",
                                      "6100",
                                      "3000",
                                      "264",
                                      "50332936",
                                      "16777224",
                                      "1032",
                                      "*1000000000",
                                      "C",
                                      "U",
                                      "R"};

const char *mutate_fbx_word(fuzz_random *random) { return MUTATE_CHOICE(random, words); }

typedef struct span {
    size_t at, size;
} span;

/* The line that this byte is in, with its end. */
static span line_around(const uint8_t *data, size_t size, size_t at)
{
    size_t start = at, end = at;
    while (start > 0 && data[start - 1] != '\n')
        start--;
    while (end < size && data[end] != '\n')
        end++;
    return (span){start, (end < size ? end + 1 : end) - start};
}

/* The line, and if it opens a block all of that. */
static span block_around(const uint8_t *data, size_t size, size_t at)
{
    span   found = line_around(data, size, at);
    size_t depth = 0;
    for (size_t i = found.at; i < size; i++) {
        if (data[i] == '{')
            depth++;
        if (data[i] == '}' && depth != 0 && --depth == 0) {
            const span last = line_around(data, size, i);
            return (span){found.at, last.at + last.size - found.at};
        }
        if (depth == 0 && i >= found.at + found.size)
            break;
    }
    return found;
}

/* The next number or text from there on; of size 0 if there is none. */
static span token_from(const uint8_t *data, size_t size, size_t at, bool number)
{
    for (; at < size; at++) {
        size_t end = at + 1;
        if (!number && data[at] == '"') {
            while (end < size && data[end] != '"' && data[end] != '\n')
                end++;
            return (span){at + 1, end - at - 1};
        }
        if (number && (data[at] == '-' || (data[at] >= '0' && data[at] <= '9'))) {
            while (end < size && strchr("0123456789.eE+-", data[end]) != NULL && data[end] != '\0')
                end++;
            return (span){at, end - at};
        }
    }
    return (span){size, 0};
}

/* `size` bytes of `with` in place of the span; the new size of all, or the old one if there is no room. */
static size_t span_replace(uint8_t *data, size_t size, size_t room, span where, const void *with,
                           size_t with_size)
{
    if (size - where.size + with_size > room)
        return size;
    memmove(data + where.at + with_size, data + where.at + where.size, size - where.at - where.size);
    memcpy(data + where.at, with, with_size);
    return size - where.size + with_size;
}

static size_t lines_change(uint8_t *data, size_t size, size_t room, fuzz_random *random)
{
    const size_t at = fuzz_random_below(random, (uint32_t)size),
                 to = fuzz_random_below(random, (uint32_t)size);
    const uint32_t what = fuzz_random_below(random, 16);
    if (what >= 4) { /* a value */
        const bool  number = what < 12;
        const char *with = number ? MUTATE_CHOICE(random, numbers) : mutate_fbx_word(random);
        const span  other = token_from(data, size, to, number);
        const span  here = token_from(data, size, at, number);
        uint8_t     kept[64];
        if (what % 3 != 0 || other.size > sizeof(kept))
            return span_replace(data, size, room, here, with, strlen(with));
        memcpy(kept, data + other.at, other.size);
        return span_replace(data, size, room, here, kept, other.size);
    }
    const span   block = what < 2 ? block_around(data, size, at) : line_around(data, size, at);
    const span   before = {line_around(data, size, to).at, 0};
    uint8_t     *kept = fuzz_exact_copy(data + block.at, block.size);
    const size_t now = what % 2 == 0 ? span_replace(data, size, room, block, "", 0) /* gone */
                                     : span_replace(data, size, room, before, kept, block.size);
    free(kept);
    return now;
}

size_t mutate_fbx_text(uint8_t *data, size_t size, size_t room, fuzz_random *random)
{
    for (uint32_t n = 1 + fuzz_random_below(random, 4); n > 0 && size != 0; n--)
        size = lines_change(data, size, room, random);
    return size;
}
