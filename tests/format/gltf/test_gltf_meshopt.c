/* SPDX-License-Identifier: MIT */
/* EXT_meshopt_compression, and by its later name KHR_meshopt_compression: every mode and filter, packed by
   meshoptimizer's own encoder and read by the glTF reader. */
#include "gltf_made.h"

#include <math.h>
#include <meshoptimizer.h>

#define NEAR(a, b, e) assert_true(fabs((double)(a) - (double)(b)) < (e))

enum { PACKED_MOST = 1024, RAW_MOST = 256 };

static const float positions[4][3] = {{0, 0, 0}, {1.5f, 0, 0}, {1.5f, -2.0f, 0}, {0, -2.0f, 0.25f}};
static const float normals[4][4] = {{0, 0, 1, 0}, {0, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, -1, 0}};
static const float turns[2][4] = {{0, 0, 0, 1}, {0, 0.6f, 0, 0.8f}};

static const char *extension = "EXT_meshopt_compression";

/* A view whose bytes are in the buffer as the extension has them. */
static unsigned packed_view(made *m, const uint8_t *packed, size_t size, unsigned count, unsigned stride,
                            const char *words)
{
    assert_true(size != 0 && m->bin_size + size + 4 <= sizeof(m->bin));
    memcpy(m->bin + m->bin_size, packed, size);
    made_line(m->views, sizeof(m->views),
              ",{'buffer':0,'byteLength':%u%s,'extensions':{'%s':{'buffer':0,'"
              "byteOffset':%zu,'byteLength':%"
              "zu,'byteStride':%u,'count':%u,%s}}}",
              count * stride,
              strstr(words, "ATTRIBUTES") == NULL ? ""
              : stride == 12                      ? ",'byteStride':12"
              : stride == 8                       ? ",'byteStride':8"
                                                  : ",'byteStride':4",
              extension, m->bin_size, size, stride, count, words);
    m->bin_size = (m->bin_size + size + 3) & ~(size_t)3;
    return m->view_count++;
}

static unsigned packed_vertices(made *m, const void *data, unsigned count, unsigned stride, const char *words)
{
    uint8_t packed[PACKED_MOST];
    size_t  size = meshopt_encodeVertexBuffer(packed, sizeof(packed), data, count, stride);
    return packed_view(m, packed, size, count, stride, words);
}

static unsigned accessor_of(made *m, unsigned view, const char *type, unsigned component, unsigned count,
                            const char *more)
{
    char members[128];
    snprintf(members, sizeof(members), ",'bufferView':%u%s", view, more);
    return made_accessor(m, type, component, count, members);
}

/* A quad that turns: its positions by exponents, its normals on the octahedron, its rotation as a quaternion,
   its corners by `mode`. */
static void quad_make(made *m, const char *mode, unsigned index_stride)
{
    static const unsigned corners[6] = {0, 1, 2, 0, 2, 3};
    static const float    times[2] = {0, 1};
    uint8_t               raw[RAW_MOST], packed[PACKED_MOST];
    memset(m, 0, sizeof(*m));
    memset(raw, 0, sizeof(raw));
    (void)made_view(m, raw, sizeof(raw), ""); /* what a view without the extension would show */
    meshopt_encodeFilterExp(raw, 4, 12, 20, positions[0]);
    unsigned at = accessor_of(m, packed_vertices(m, raw, 4, 12, "'mode':'ATTRIBUTES','filter':'EXPONENTIAL'"),
                              "VEC3", 5126, 4, "");
    meshopt_encodeFilterOct(raw, 4, 8, 16, normals[0]);
    unsigned wide = accessor_of(m, packed_vertices(m, raw, 4, 8, "'mode':'ATTRIBUTES','filter':'OCTAHEDRAL'"),
                                "VEC3", 5122, 4, ",'normalized':true");
    meshopt_encodeFilterOct(raw, 4, 4, 8, normals[0]);
    unsigned narrow =
        accessor_of(m, packed_vertices(m, raw, 4, 4, "'mode':'ATTRIBUTES','filter':'OCTAHEDRAL'"), "VEC3",
                    5120, 4, ",'normalized':true");
    meshopt_encodeFilterQuat(raw, 2, 8, 16, turns[0]);
    unsigned turn = accessor_of(m, packed_vertices(m, raw, 2, 8, "'mode':'ATTRIBUTES','filter':'QUATERNION'"),
                                "VEC4", 5122, 2, ",'normalized':true");
    unsigned time =
        accessor_of(m, packed_vertices(m, times, 2, 4, "'mode':'ATTRIBUTES'"), "SCALAR", 5126, 2, "");
    size_t   size = mode[8] == 'T' ? meshopt_encodeIndexBuffer(packed, sizeof(packed), corners, 6)
                                   : meshopt_encodeIndexSequence(packed, sizeof(packed), corners, 6);
    unsigned index = accessor_of(m, packed_view(m, packed, size, 6, index_stride, mode), "SCALAR",
                                 index_stride == 2 ? 5123 : 5125, 6, "");
    made_rest(m,
              ",'extensionsUsed':['%s'],'extensionsRequired':['%s']"
              ",'nodes':[{'name':'"
              "n','mesh':0},{'mesh':1}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':%u,'NORMAL':%u},'indices':%u}]},{'"
              "primitives':[{'attributes':{'"
              "POSITION':%u,'NORMAL':%u},'indices':%u}]}],"
              "'animations':[{'name':'a','channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}],'"
              "samplers':[{'input':%"
              "u,'output':%u}]}]",
              extension, extension, at, wide, index, at, narrow, index, time, turn);
}

/* The encoder may begin a triangle with another of its corners. */
static void assert_triangle(const uint32_t *got, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t first = got[0] == a ? 0 : got[1] == a ? 1 : 2;
    assert_int_equal(got[first], a);
    assert_int_equal(got[(first + 1) % 3], b);
    assert_int_equal(got[(first + 2) % 3], c);
}

TEST(every_mode_and_filter_is_read)
{
    static const char *const modes[] = {"'mode':'TRIANGLES'", "'mode':'INDICES','filter':'NONE'"};
    for (int i = 0; i < 8; i++) {
        extension = i < 4 ? "EXT_meshopt_compression" : "KHR_meshopt_compression";
        made       *m = test_alloc(sizeof(*m));
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        quad_make(m, modes[i % 2], i / 2 % 2 == 0 ? 2 : 4);
        ember_model model = made_read(m, (ember_read_options){.fps = 1.0}, &arena);
        assert_int_equal(model.mesh_count, 2);
        for (uint32_t k = 0; k < 2; k++) {
            const ember_mesh *mesh = &model.meshes[k];
            assert_int_equal(mesh->vertex_count, 4);
            for (int v = 0; v < 4; v++) {
                NEAR(mesh->positions[v].x, positions[v][0], 1e-4);
                NEAR(mesh->positions[v].y, positions[v][1], 1e-4);
                NEAR(mesh->positions[v].z, positions[v][2], 1e-4);
                NEAR(mesh->normals[v].x, normals[v][0], 0.01);
                NEAR(mesh->normals[v].y, normals[v][1], 0.01);
                NEAR(mesh->normals[v].z, normals[v][2], 0.01);
            }
            assert_int_equal(mesh->index_count, 6);
            assert_triangle(mesh->indices, 0, 1, 2);
            assert_triangle(mesh->indices + 3, 0, 2, 3);
        }
        assert_int_equal(model.clips[0].frame_count, 2);
        NEAR(model.clips[0].frames[model.clips[0].bone_count].rotation.y, 0.6, 1e-3);
        NEAR(model.clips[0].frames[model.clips[0].bone_count].rotation.w, 0.8, 1e-3);
        ember_arena_free(&arena);
        free(m);
    }
}

TEST(damaged_bytes_are_refused)
{
    made *m = test_alloc(sizeof(*m));
    extension = "EXT_meshopt_compression";
    quad_make(m, "'mode':'TRIANGLES'", 2);
    m->bin[RAW_MOST] ^= 0x50; /* the first byte of the positions, which says what they are */
    made_refuse(m, (ember_read_options){.fps = 1.0}, EMBER_E_MALFORMED,
                "bufferViews[1].EXT_meshopt_compression: the compressed bytes are damaged");
    free(m);
}
