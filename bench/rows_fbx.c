/* SPDX-License-Identifier: MIT */
/* Reading FBX: a control rig written here, 200 limbs with six curves of 60 keys each, against reading the
   same skeleton and clip as glTF. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

#define LIMBS 200
#define KEYS 60
#define SECOND INT64_C(46186158000)

/* ---- writing ---- */

static void put_bytes(ember_buffer *out, const void *data, size_t size)
{
    if (!ember_buffer_append(out, data, size))
        out->size = 0; /* the reading will say so */
}

static void set_number(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static void put_number(ember_buffer *out, uint64_t value, size_t size)
{
    uint8_t bytes[8];
    set_number(bytes, value, size);
    put_bytes(out, bytes, size);
}

/* A record of version 7400: three numbers that are set later, and its name. */
typedef struct record {
    size_t   start, values;
    uint32_t count;
} record;

static record record_open(ember_buffer *out, const char *name)
{
    record r = {.start = out->size};
    put_number(out, 0, 8);
    put_number(out, 0, 4);
    put_number(out, strlen(name), 1);
    put_bytes(out, name, strlen(name));
    r.values = out->size;
    return r;
}

static void put_whole(ember_buffer *out, record *r, int64_t value)
{
    put_bytes(out, "L", 1);
    put_number(out, (uint64_t)value, 8);
    r->count++;
}

static void put_real(ember_buffer *out, record *r, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    put_bytes(out, "D", 1);
    put_number(out, bits, 8);
    r->count++;
}

/* A name with its class: "hip", zero, one, "Model". */
static void put_text(ember_buffer *out, record *r, const char *text, const char *kind)
{
    size_t size = strlen(text) + (kind != NULL ? 2 + strlen(kind) : 0);
    put_bytes(out, "S", 1);
    put_number(out, size, 4);
    put_bytes(out, text, strlen(text));
    if (kind != NULL) {
        put_bytes(out, "\0\1", 2);
        put_bytes(out, kind, strlen(kind));
    }
    r->count++;
}

static void values_end(ember_buffer *out, const record *r)
{
    if (out->size < r->values)
        return;
    set_number(out->data + r->start + 4, r->count, 4);
    set_number(out->data + r->start + 8, out->size - r->values, 4);
}

static void record_close(ember_buffer *out, const record *r, bool has_children)
{
    if (has_children)
        for (int i = 0; i < 13; i++)
            put_number(out, 0, 1);
    if (out->size >= r->values)
        set_number(out->data + r->start, out->size, 4);
}

static void put_array(ember_buffer *out, const char *name, char type, const void *data, uint32_t count,
                      size_t size)
{
    record r = record_open(out, name);
    put_bytes(out, &type, 1);
    put_number(out, count, 4);
    put_number(out, 0, 4);
    put_number(out, count * size, 4);
    put_bytes(out, data, count * size);
    r.count = 1;
    values_end(out, &r);
    record_close(out, &r, false);
}

/* ---- the rig ---- */

enum { LIMB_ID = 1000, NODE_ID = 100000, CURVE_ID = 200000, STACK_ID = 1, LAYER_ID = 2 };

static record object_open(ember_buffer *out, const char *kind, int64_t id, const char *name,
                          const char *label, const char *sub_class)
{
    record r = record_open(out, kind);
    put_whole(out, &r, id);
    put_text(out, &r, name, label);
    put_text(out, &r, sub_class, NULL);
    values_end(out, &r);
    return r;
}

static void put_limb(ember_buffer *out, int limb)
{
    char name[32];
    snprintf(name, sizeof(name), "control %d", limb);
    record r = object_open(out, "Model", LIMB_ID + limb, name, "Model", "LimbNode");
    record list = record_open(out, "Properties70");
    values_end(out, &list);
    record p = record_open(out, "P");
    put_text(out, &p, "Lcl Translation", NULL);
    for (int i = 0; i < 3; i++)
        put_text(out, &p, i == 2 ? "A" : "Lcl Translation", NULL);
    for (int i = 0; i < 3; i++)
        put_real(out, &p, 0.1 * (double)(limb % (i + 2)));
    values_end(out, &p);
    record_close(out, &p, false);
    record_close(out, &list, true);
    record_close(out, &r, true);
}

static void put_curve(bench *b, ember_buffer *out, int64_t id)
{
    static const int32_t flags[1] = {0x2108}, counts[1] = {KEYS};
    static const float   data[4] = {0.0f};
    int64_t              times[KEYS];
    float                values[KEYS], value = 0.0f;
    for (int i = 0; i < KEYS; i++) {
        value += bench_random_float(b, -3.0f, 3.0f);
        times[i] = SECOND * i / 30;
        values[i] = value;
    }
    record r = object_open(out, "AnimationCurve", id, "", "AnimCurve", "");
    put_array(out, "KeyTime", 'l', times, KEYS, sizeof(*times));
    put_array(out, "KeyValueFloat", 'f', values, KEYS, sizeof(*values));
    put_array(out, "KeyAttrFlags", 'i', flags, 1, sizeof(*flags));
    put_array(out, "KeyAttrDataFloat", 'f', data, 4, sizeof(*data));
    put_array(out, "KeyAttrRefCount", 'i', counts, 1, sizeof(*counts));
    record_close(out, &r, true);
}

static void put_link(ember_buffer *out, int64_t child, int64_t parent, const char *property)
{
    record r = record_open(out, "C");
    put_text(out, &r, property != NULL ? "OP" : "OO", NULL);
    put_whole(out, &r, child);
    put_whole(out, &r, parent);
    if (property != NULL)
        put_text(out, &r, property, NULL);
    values_end(out, &r);
    record_close(out, &r, false);
}

static void put_objects(bench *b, ember_buffer *out)
{
    record objects = record_open(out, "Objects"), r;
    values_end(out, &objects);
    r = object_open(out, "AnimationStack", STACK_ID, "walk", "AnimStack", "");
    record_close(out, &r, false);
    r = object_open(out, "AnimationLayer", LAYER_ID, "base", "AnimLayer", "");
    record_close(out, &r, false);
    for (int limb = 0; limb < LIMBS; limb++) {
        put_limb(out, limb);
        for (int path = 0; path < 2; path++) {
            r = object_open(out, "AnimationCurveNode", NODE_ID + 2 * limb + path, "T", "AnimCurveNode", "");
            record_close(out, &r, false);
            for (int k = 0; k < 3; k++)
                put_curve(b, out, CURVE_ID + 6 * limb + 3 * path + k);
        }
    }
    record_close(out, &objects, true);
}

static void put_links(ember_buffer *out)
{
    static const char *const paths[2] = {"Lcl Translation", "Lcl Rotation"}, *const parts[3] = {"d|X", "d|Y",
                                                                                                "d|Z"};
    record links = record_open(out, "Connections");
    values_end(out, &links);
    put_link(out, LAYER_ID, STACK_ID, NULL);
    for (int limb = 0; limb < LIMBS; limb++) {
        put_link(out, LIMB_ID + limb, limb != 0 ? LIMB_ID + limb / 2 : 0, NULL);
        for (int path = 0; path < 2; path++) {
            int64_t node = NODE_ID + 2 * limb + path;
            put_link(out, node, LAYER_ID, NULL);
            put_link(out, node, LIMB_ID + limb, paths[path]);
            for (int k = 0; k < 3; k++)
                put_link(out, CURVE_ID + 6 * limb + 3 * path + k, node, parts[k]);
        }
    }
    record_close(out, &links, true);
}

static void put_rig(bench *b, ember_buffer *out)
{
    put_bytes(out, "Kaydara FBX Binary  \0\x1a\0", 23);
    put_number(out, 7400, 4);
    put_objects(b, out);
    put_links(out);
    for (int i = 0; i < 13; i++)
        put_number(out, 0, 1);
}

/* ---- reading ---- */

static void read_whole(void *user)
{
    const ember_buffer *file = user;
    ember_arena         arena = ember_arena_growing(ember_heap(), 0);
    ember_model         model;
    ember_error         err = EMBER_ERROR_INIT;
    if (ember_model_read(&model, file->data, file->size, NULL, &arena, &err) != EMBER_OK ||
        model.skeleton.bone_count != LIMBS || model.clip_count != 1 || model.clips[0].frame_count != KEYS)
        fprintf(stderr, "bench: the control rig is not read: %s\n", err.text);
    ember_arena_free(&arena);
}

void bench_fbx(bench *b)
{
    static ember_buffer fbx, glb;
    ember_arena         arena = ember_arena_growing(ember_heap(), 0);
    ember_model         model;
    fbx.allocator = glb.allocator = ember_heap();
    put_rig(b, &fbx);
    if (ember_model_read(&model, fbx.data, fbx.size, NULL, &arena, NULL) != EMBER_OK ||
        ember_model_write(&glb, &model, &(ember_write_options){.format = EMBER_FORMAT_GLB}, NULL) !=
            EMBER_OK) {
        bench_note(b, "fbx: the control rig could not be made");
        ember_arena_free(&arena);
        return;
    }
    ember_arena_free(&arena);
    const bench_timed *gltf = bench_time(b, read_whole, &glb, 1), *read = bench_time(b, read_whole, &fbx, 1);
    bench_row(b, "fbx: the same clip as glTF, read", gltf, NULL, BENCH_NO_LIMIT, 0.0);
    bench_row(b, "fbx: a control rig of 1200 curves, read", read, gltf, BENCH_AT_MOST, 1.25);
    bench_note(b, "fbx: the file has %.2f MB", (double)fbx.size * 1e-6);
}
