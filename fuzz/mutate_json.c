/* SPDX-License-Identifier: MIT */
/* The mutator for files that are JSON or, as .glb, have it in them: the document stays JSON and the chunks'
   lengths stay right, while numbers, indices, names and whole members change. Bytes that are no document are
   changed as bytes. */
#include "fuzz.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define GLB_HEADER_SIZE 12u
#define CHUNK_HEADER_SIZE 8u

/* ---- values ---- */

static json_t *number_make(fuzz_random *random, const json_t *now)
{
    /* clang-format off */
    static const double edges[] = {
        0, 1, 2, 3, -1, 4, 255, 256, 5120, 5121, 5122, 5123, 5125, 5126, 65535, 65536, 2147483647,
        -0.5, 0.5, 1e-9, 1e9, 1e30, 1e300, 1e-40, -1e300, 4294967295.0, 4096, 16777216.0,
        4294967296.0, 1e18, 34962, 8, 12, 16, 32767, 32768, 100, 1000, 0.1
    };
    /* clang-format on */
    const double value = json_number_value(now);
    if (fuzz_random_below(random, 3) == 0)
        return json_integer((json_int_t)(value > -1e9 && value < 1e9 ? value : 0) +
                            (json_int_t)fuzz_random_below(random, 5) - 2);
    const double edge = edges[fuzz_random_below(random, sizeof(edges) / sizeof(edges[0]))];
    if (edge >= -1e9 && edge <= 1e10 && edge == (double)(json_int_t)edge)
        return json_integer((json_int_t)edge);
    return json_real(fuzz_random_below(random, 4) == 0 ? value * 1.5 : edge);
}

static json_t *string_make(fuzz_random *random, const json_t *now)
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
    if (choice < sizeof(texts) / sizeof(texts[0]))
        return json_string(texts[choice]);
    if (!json_is_string(now))
        return json_string("?");
    const size_t size = json_string_length(now);
    char        *text = malloc(size + 9);
    fuzz_require(text != NULL, "out of memory");
    memcpy(text, json_string_value(now), size);
    json_t *changed =
        /* NULL if it is not UTF-8 any more */
        json_stringn(text, LLVMFuzzerMutate((uint8_t *)text, size, size + 8));
    free(text);
    return changed != NULL ? changed : json_string("?");
}

static json_t *value_make(fuzz_random *random, const json_t *now)
{
    switch (fuzz_random_below(random, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_array();
    case 2:
        return json_object();
    case 3:
        return json_boolean(fuzz_random_below(random, 2));
    case 4:
        return string_make(random, now);
    default:
        return number_make(random, now);
    }
}

/* ---- the tree ---- */

/* One value of the document: the `left`-th that is met. `parent` is where it hangs. */
typedef struct place {
    json_t     *parent, *value;
    const char *key;
    size_t      index;
} place;

/* NOLINTNEXTLINE(misc-no-recursion): jansson's parser lets nothing through that is deeper than 2,048 */
static size_t tree_count(const json_t *value)
{
    size_t      count = 1, i;
    const char *key;
    json_t     *child;
    if (json_is_object(value))
        json_object_foreach((json_t *)value, key, child)
            count += tree_count(child);
    else
        json_array_foreach(value, i, child)
            count += tree_count(child);
    return count;
}

/* NOLINTNEXTLINE(misc-no-recursion): as above */
static bool tree_find(place *out, json_t *value, size_t *left)
{
    const char *key;
    json_t     *child;
    size_t      i;
    if (json_is_object(value)) {
        json_object_foreach(value, key, child) {
            if ((*left)-- == 0) {
                *out = (place){value, child, key, 0};
                return true;
            }
            if (tree_find(out, child, left))
                return true;
        }
        return false;
    }
    json_array_foreach(value, i, child) {
        if ((*left)-- == 0) {
            *out = (place){value, child, NULL, i};
            return true;
        }
        if (tree_find(out, child, left))
            return true;
    }
    return false;
}

static bool tree_pick(place *out, json_t *root, fuzz_random *random)
{
    size_t left = fuzz_random_below(random, (uint32_t)tree_count(root) - 1);
    return tree_find(out, root, &left);
}

/* Takes the reference. */
static void place_set(const place *p, json_t *value)
{
    if (p->key != NULL)
        json_object_set_new_nocheck(p->parent, p->key, value);
    else
        json_array_set_new(p->parent, p->index, value);
}

static void place_remove(const place *p)
{
    if (p->key != NULL)
        json_object_del(p->parent, p->key);
    else
        json_array_remove(p->parent, p->index);
}

static void tree_change(json_t *root, fuzz_random *random)
{
    place at, other;
    if (!tree_pick(&at, root, random))
        return;
    const uint32_t what = fuzz_random_below(random, 16);
    if (what == 0) {
        place_remove(&at);
    } else if (what == 1) {
        place_set(&at, value_make(random, at.value));
    } else if (what == 2 && tree_pick(&other, root, random)) {
        /* the copy is made first, so nothing ever hangs in itself */
        place_set(&at, json_deep_copy(other.value));
    } else if (what == 3 && at.key == NULL) {
        for (uint32_t n = 1 + fuzz_random_below(random, 3); n > 0; n--)
            json_array_insert_new(at.parent, at.index, json_deep_copy(at.value));
    } else if (json_is_number(at.value)) {
        place_set(&at, number_make(random, at.value));
    } else if (json_is_string(at.value)) {
        place_set(&at, string_make(random, at.value));
    } else if (json_is_boolean(at.value)) {
        place_set(&at, json_boolean(!json_boolean_value(at.value)));
    }
}

/* The text with a few changes, in place; 0 if it is no document or has no room. */
static size_t text_change(uint8_t *data, size_t size, size_t room, fuzz_random *random)
{
    json_t *root = json_loadb((const char *)data, size, 0, NULL);
    if (root == NULL)
        return 0;
    for (uint32_t n = 1 + fuzz_random_below(random, 4); n > 0; n--)
        tree_change(root, random);
    const size_t now = json_dumpb(root, (char *)data, room, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(root);
    return now <= room ? now : 0;
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
    if (now == 0) { /* a dump that found no room has left its beginning */
        memcpy(data, keep, size);
        now = LLVMFuzzerMutate(data, size, room);
    }
    free(keep);
    return now;
}
