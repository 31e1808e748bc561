/* SPDX-License-Identifier: MIT */
/* Accessors of glTF: every kind of number, strides, sparse ones and those without bytes, seen through a
   channel that reads them.
   Covers: gltf_accessor.c. */
#include "gltf_made.h"

#include <math.h>

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-6)

/* ---- numbers ---- */

static ember_vec3 first_move(made *m, const char *type, unsigned component, const void *data, size_t size,
                             const char *more)
{
    static const float time = 0.0f;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(m, 0, sizeof(*m));
    unsigned input = made_floats(m, "SCALAR", 1, &time),
             output = made_values(m, type, component, 1, data, size, more);
    channel_make(m, "translation", input, output, "");
    ember_clip clip = clip_of(m, (ember_read_options){.path = NULL}, &arena);
    ember_vec3 position = clip.frames[0].position;
    assert_int_equal(clip.frame_count, 1);
    ember_arena_free(&arena);
    return position;
}

TEST(every_component_type_is_read)
{
    static const uint8_t bytes[] = {0x80, 0x81, 0x7f, 0, 0x01, 0xff, 0x02, 0x80, 0xff, 0x7f, 0xff, 0xff};
    const uint32_t       words[3] = {0, 7, 4000000000u};
    made                 m;
    ember_vec3           v = first_move(&m, "VEC3", 5120, bytes, 3, "");
    NEAR(v.x, -128);
    NEAR(v.y, -127);
    NEAR(v.z, 127);
    /* max(c / 127, -1), c / 255, max(c / 32767, -1), c / 65535. */
    v = first_move(&m, "VEC3", 5120, bytes, 3, ",'normalized':true");
    NEAR(v.x, -1.0);
    NEAR(v.y, -1.0);
    NEAR(v.z, 1.0);
    v = first_move(&m, "VEC3", 5121, bytes, 3, ",'normalized':true");
    NEAR(v.x, 128.0 / 255);
    NEAR(v.y, 129.0 / 255);
    v = first_move(&m, "VEC3", 5122, bytes + 6, 6, "");
    NEAR(v.x, -32766);
    NEAR(v.y, 32767);
    NEAR(v.z, -1);
    v = first_move(&m, "VEC3", 5122, bytes + 6, 6, ",'normalized':true");
    NEAR(v.x, -32766.0 / 32767);
    NEAR(v.y, 1.0);
    NEAR(v.z, -1.0 / 32767);
    v = first_move(&m, "VEC3", 5123, bytes + 4, 6, ",'normalized':true");
    NEAR(v.x, 65281.0 / 65535);
    NEAR(v.y, 32770.0 / 65535);
    NEAR(v.z, 32767.0 / 65535);
    v = first_move(&m, "VEC3", 5125, words, 12, "");
    NEAR(v.y, 7);
    NEAR(v.z, 4e9);
}

/* Keys of 16 bits are not quite of length 1; what is stored is. */
TEST(quantised_rotations_are_normalised)
{
    static const float   time = 0.0f;
    static const int16_t key[4] = {0, 0, 23170, 23170};
    made                 m;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned input = made_floats(&m, "SCALAR", 1, &time),
             output = made_values(&m, "VEC4", 5122, 1, key, 8, ",'normalized':true");
    channel_make(&m, "rotation", input, output, "");
    ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    assert_true(fabs((double)clip.frames[0].rotation.z - sqrt(0.5)) < 1e-7);
    ember_arena_free(&arena);
}

/* Positions in every second slot of a view, from its second byte on. */
TEST(strides_and_offsets_are_kept)
{
    static const float times[2] = {0.0f, 1.0f};
    float              slots[13] = {-1, 1, 2, 3, -1, -1, -1, 4, 5, 6, -1, -1, -1};
    char               members[64];
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned input = made_floats(&m, "SCALAR", 2, times),
             view = made_view(&m, slots, sizeof(slots), ",'byteStride':24");
    snprintf(members, sizeof(members), ",'bufferView':%u,'byteOffset':4", view);
    channel_make(&m, "translation", input, made_accessor(&m, "VEC3", 5126, 2, members), "");
    ember_clip clip = clip_of(&m, (ember_read_options){.fps = 1.0}, &arena);
    NEAR(clip.frames[0].position.z, 3);
    NEAR(clip.frames[1].position.x, 4);
    NEAR(clip.frames[1].position.z, 6);
    ember_arena_free(&arena);
}

/* Over zeros, and over values of its own. */
TEST(sparse_accessors_are_filled_in)
{
    static const float times[3] = {0.0f, 1.0f, 2.0f}, base[9] = {1, 1, 1, 2, 2, 2, 3, 3, 3},
                       new[6] = {7, 8, 9, 4, 5, 6};
    static const uint8_t places[2] = {0, 2};
    char                 members[256];
    made                 m;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    for (int with_base = 0; with_base < 2; with_base++) {
        memset(&m, 0, sizeof(m));
        unsigned input = made_floats(&m, "SCALAR", 3, times), under = made_view(&m, base, sizeof(base), "");
        unsigned where = made_view(&m, places, 2, ""), what = made_view(&m, new, sizeof(new), "");
        int      used = with_base ? snprintf(members, sizeof(members), ",'bufferView':%u", under) : 0;
        snprintf(members + used, sizeof(members) - (size_t)used,
                 ",'sparse':{'count':2,'indices':{'bufferView':%u,'componentType':5121},'values':{'"
                 "bufferView':%u}}",
                 where, what);
        channel_make(&m, "translation", input, made_accessor(&m, "VEC3", 5126, 3, members), "");
        ember_clip clip = clip_of(&m, (ember_read_options){.fps = 1.0}, &arena);
        NEAR(clip.frames[0].position.x, 7);
        NEAR(clip.frames[0].position.z, 9);
        NEAR(clip.frames[1].position.y, with_base ? 2 : 0);
        NEAR(clip.frames[2].position.x, 4);
    }
    ember_arena_free(&arena);
}

TEST(broken_sparse_accessors_are_refused)
{
    static const float time = 0.0f, value[3] = {1, 2, 3};
    static const struct {
        uint8_t      places[2];
        const char  *sparse, *words;
        ember_status status;
    } list[] = {
        {{0, 0},
         "'count':2,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':2}",
         "accessors[1].sparse.count: 2 of 1 elements",
         EMBER_E_MALFORMED},
        {{1, 0},
         "'count':1,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':2}",
         "accessors[1].sparse.indices: element 1 of 1",
         EMBER_E_MALFORMED},
        {{0, 0},
         "'count':1,'indices':{'bufferView':1,'componentType':5126},'values':{'bufferView':2}",
         "accessors[1].sparse.indices: componentType 5126",
         EMBER_E_MALFORMED},
        {{0, 0},
         "'count':1,'indices':{'componentType':5121},'values':{'bufferView':2}",
         "accessors[1].sparse.indices: no bufferView",
         EMBER_E_MALFORMED},
        {{0, 0},
         "'count':1,'indices':{'bufferView':1,'componentType':5125},'values':{'bufferView':2}",
         "accessors[1].sparse.indices: 1 elements do not fit into bufferView 1 of 2 bytes",
         EMBER_E_MALFORMED},
        {{0, 0},
         "'count':1,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':2,'byteOffset':4}",
         "accessors[1].sparse.values: 1 elements do not fit",
         EMBER_E_MALFORMED},
    };
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        char members[256];
        made m;
        memset(&m, 0, sizeof(m));
        unsigned input = made_floats(&m, "SCALAR", 1, &time);
        (void)made_view(&m, list[i].places, 2, "");
        (void)made_view(&m, value, sizeof(value), "");
        snprintf(members, sizeof(members), ",'sparse':{%s}", list[i].sparse);
        channel_make(&m, "translation", input, made_accessor(&m, "VEC3", 5126, 1, members), "");
        made_refuse(&m, (ember_read_options){.path = NULL}, list[i].status, list[i].words);
    }
}

TEST(sparse_indices_must_rise)
{
    static const float   times[2] = {0.0f, 1.0f}, values[6] = {0};
    static const uint8_t places[2] = {1, 0};
    made                 m;
    memset(&m, 0, sizeof(m));
    unsigned input = made_floats(&m, "SCALAR", 2, times);
    (void)made_view(&m, places, 2, "");
    (void)made_view(&m, values, sizeof(values), "");
    channel_make(&m, "translation", input,
                 made_accessor(&m, "VEC3", 5126, 2,
                               ",'sparse':{'count':2,'indices':{'bufferView':1,'componentType':5121},'values'"
                               ":{'bufferView':2}}"),
                 "");
    made_refuse(&m, (ember_read_options){.path = NULL}, EMBER_E_MALFORMED,
                "accessors[1].sparse.indices: element 0 of 2, or not in order");
}

TEST(accessors_without_bytes_are_zeros)
{
    static const float times[2] = {0.0f, 1.0f};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned input = made_floats(&m, "SCALAR", 2, times);
    channel_make(&m, "scale", input, made_accessor(&m, "VEC3", 5126, 2, ""), "");
    ember_clip clip = clip_of(&m, (ember_read_options){.path = NULL}, &arena);
    NEAR(clip.frames[30].scale.x, 0.0);
    ember_arena_free(&arena);
}
