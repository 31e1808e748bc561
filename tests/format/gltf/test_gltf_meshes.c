/* SPDX-License-Identifier: MIT */
/* Meshes from glTF: which nodes give one, what moves it, and what becomes of its vertices, triangles, weights
   and material.
   Covers: gltf_material.c, gltf_primitive.c. */
#include "gltf_made.h"

#include "format/gltf/gltf.h"

#include <math.h>

#define NEAR(a, b) assert_true(fabs((double)(a) - (double)(b)) < 1e-6)

static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

static void assert_at(ember_vec3 v, double x, double y, double z)
{
    NEAR(v.x, x);
    NEAR(v.y, y);
    NEAR(v.z, z);
}

static void assert_indices(const ember_mesh *mesh, uint32_t count, const uint32_t *wanted)
{
    assert_int_equal(mesh->index_count, count);
    assert_memory_equal(mesh->indices, wanted, count * sizeof(uint32_t));
}

/* ---- where a mesh is ---- */

/* Static, on a joint, and below one; `below` is mirrored. Node 3 is the joint's child with a mesh. */
TEST(node_transforms_are_applied)
{
    static const float up[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned             p = made_floats(&m, "VEC3", 4, square), n = made_floats(&m, "VEC3", 4, up);
    static const uint8_t corners[6] = {0, 1, 2, 0, 2, 3};
    unsigned             i = made_values(&m, "SCALAR", 5121, 6, corners, 6, "");
    made_rest(
        &m,
        ",'nodes':[{'name':'still','mesh':0,'translation':[10,0,0],'rotation':[1,0,0,0]},{'children':[2]},"
        "{'name':'joint','mesh':0,'translation':[5,5,5],'children':[3]},{'mesh':0,'scale':[-2,1,1],'"
        "translation':[0,0,1]}],"
        "'skins':[{'joints':[2]}],'meshes':[{'name':'plate','primitives':[{'attributes':{'POSITION':%u,'"
        "NORMAL':%u},'"
        "indices':%u}]}]",
        p, n, i);
    ember_model model = made_read(&m, (ember_read_options){.scale = 2.0}, &arena);
    assert_int_equal(model.mesh_count, 3);
    const ember_mesh *still = &model.meshes[0], *on = &model.meshes[1], *below = &model.meshes[2];
    assert_string_equal(still->name, "still");
    assert_int_equal(still->bone, -1);
    assert_at(still->positions[2], 22, -2, 0); /* half a turn about x, then 10 aside, twice as large */
    assert_at(still->normals[2], 0, 0, -1);
    assert_indices(still, 6, (const uint32_t[]){0, 1, 2, 0, 2, 3});
    assert_int_equal(on->bone, 0);
    assert_at(on->positions[2], 2, 2, 0);      /* in the joint's own axes */
    assert_string_equal(below->name, "plate"); /* its node has no name */
    assert_int_equal(below->bone, 0);
    assert_at(below->positions[1], -4, 0, 2);
    assert_at(below->normals[1], 0, 0, 1);
    assert_indices(below, 6, (const uint32_t[]){0, 2, 1, 0, 3, 2}); /* a mirror turns triangles round */
    assert_null(on->joints);
    ember_arena_free(&arena);
}

/* diag(2, 1, 1): the normal of a slope leans the other way than the slope itself. The tangent lies
   in the slope. */
TEST(normals_go_through_the_inverse_transpose)
{
    const float h = (float)sqrt(0.5);
    const float slope[9] = {0, 0, 0, 1, 1, 0, 0, 0, 1}, normals[9] = {-h, h, 0, -h, h, 0, -h, h, 0},
                tangents[12] = {h, h, 0, 1, h, h, 0, 1, h, h, 0, 1};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        memset(&m, 0, sizeof(m));
        unsigned p = made_floats(&m, "VEC3", 3, slope), n = made_floats(&m, "VEC3", 3, normals),
                 t = made_floats(&m, "VEC4", 3, tangents);
        made_rest(&m,
                  ",'nodes':[{'mesh':0,'scale':[2,1,%d]}],'meshes':[{'primitives':[{'attributes':{'POSITION':"
                  "%u,'NORMAL':%u,'"
                  "TANGENT':%u}}]}]",
                  mirrored ? -1 : 1, p, n, t);
        ember_mesh mesh = made_read(&m, (ember_read_options){.path = NULL}, &arena).meshes[0];
        assert_at(mesh.normals[0], -1 / sqrt(5), 2 / sqrt(5), 0);
        NEAR(mesh.tangents[0][0], 2 / sqrt(5));
        NEAR(mesh.tangents[0][1], 1 / sqrt(5));
        NEAR(mesh.tangents[0][3], mirrored ? -1 : 1);
    }
    ember_arena_free(&arena);
}

/* ---- triangles ---- */

TEST(strips_and_fans_become_triangles)
{
    float       line[15] = {0};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 5, line);
    made_rest(&m,
              ",'nodes':[{'mesh':0},{'mesh':1},{'mesh':2},{'mesh':3}],'meshes':[{'primitives':[{'mode':5,'"
              "attributes':{'POSITION'"
              ":%u}}]},"
              "{'primitives':[{'mode':6,'attributes':{'POSITION':%u}}]},{'primitives':[{'attributes':{'"
              "POSITION':%u}}]},"
              "{'primitives':[{'mode':1,'attributes':{'POSITION':%u}},{'mode':0,'attributes':{'POSITION':%u}}"
              ",{}]}]",
              p, p, p, p, p);
    fixture_notes notes;
    ember_model   model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_int_equal(model.mesh_count, 3);
    assert_indices(&model.meshes[0], 9, (const uint32_t[]){0, 1, 2, 1, 3, 2, 2, 3, 4});
    assert_indices(&model.meshes[1], 9, (const uint32_t[]){1, 2, 0, 2, 3, 0, 3, 4, 0});
    assert_indices(&model.meshes[2], 3, (const uint32_t[]){0, 1, 2});
    assert_non_null(strstr(notes.text, "W 3 primitives have no triangles and are left out"));
    ember_arena_free(&arena);
}

/* Two primitives of different make: what one lacks is filled in, and colours that differ go to
   the vertices. */
TEST(primitives_are_merged)
{
    static const float    normals[9] = {1, 0, 0, 1, 0, 0, 1, 0, 0}, uvs[6] = {0, 0, 1, 0, 0, 1};
    static const uint16_t tints[12] = {65535, 0, 0, 65535, 0, 65535, 0, 65535, 0, 0, 65535, 0};
    static const uint32_t wide[3] = {2, 1, 0};
    made                  m;
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 4, square), q = made_floats(&m, "VEC3", 3, square),
             n = made_floats(&m, "VEC3", 3, normals);
    unsigned u = made_floats(&m, "VEC2", 3, uvs),
             c = made_values(&m, "VEC4", 5123, 3, tints, 24, ",'normalized':true");
    unsigned i = made_values(&m, "SCALAR", 5125, 3, wide, 12, "");
    made_rest(&m,
              ",'nodes':[{'mesh':0}],'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[0.5,0.25,1,1]}}"
              ",{}],'meshes':[{'"
              "primitives':["
              "{'attributes':{'POSITION':%u},'material':0},{'attributes':{'POSITION':%u,'NORMAL':%u,'"
              "TEXCOORD_0':%u,'COLOR_0':%u}"
              ",'indices':%u,'material':1}]}]",
              p, q, n, u, c, i);
    ember_mesh mesh = made_read(&m, (ember_read_options){.path = NULL}, &arena).meshes[0];
    assert_int_equal(mesh.vertex_count, 7);
    assert_indices(&mesh, 6, (const uint32_t[]){0, 1, 2, 6, 5, 4});
    assert_at(mesh.normals[0], 0, 0, 1); /* its own triangle's */
    assert_at(mesh.normals[4], 1, 0, 0);
    NEAR(mesh.uvs[0][0], 0);
    NEAR(mesh.uvs[5][0], 1);
    NEAR(mesh.colors[0][0], 0.5);
    NEAR(mesh.colors[0][1], 0.25);
    NEAR(mesh.colors[5][1], 1.0);
    NEAR(mesh.colors[6][3], 0.0);
    NEAR(mesh.base_color[0], 1.0);
    assert_null(mesh.tangents);
    ember_arena_free(&arena);
}

TEST(missing_normals_stay_missing)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 4, square);
    made_rest(
        &m,
        ",'nodes':[{'mesh':0}],'materials':[{'pbrMetallicRoughness':{'baseColorFactor':[0.5,0.25,1,2]}}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':%u},'material':0}]}]",
        p);
    ember_mesh mesh = made_read(&m, (ember_read_options){.path = NULL}, &arena).meshes[0];
    assert_null(mesh.normals);
    assert_null(mesh.uvs);
    assert_null(mesh.colors);
    NEAR(mesh.base_color[1], 0.25);
    NEAR(mesh.base_color[3], 1.0);
    assert_string_equal(mesh.name, "");
    ember_arena_free(&arena);
}

TEST(broken_meshes_are_refused)
{
    static const uint8_t corners[3] = {0, 1, 4};
    const float          far[9] = {0, 0, 0, 0, (float)INFINITY, 0, 0, 0, 0};
    ember_read_options   options = {.path = NULL};
    made                 m;
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 4, square), i = made_values(&m, "SCALAR", 5121, 3, corners, 3, ""),
             f = made_floats(&m, "VEC3", 3, far);
    static const struct {
        const char  *members, *words;
        ember_status status;
    } list[] = {
        {"'attributes':{'POSITION':0},'indices':1", "meshes[0].primitives[0].indices: vertex 4 of 4",
         EMBER_E_MALFORMED},
        {"'attributes':{'POSITION':0},'indices':0",
         "meshes[0].primitives[0].indices: accessor 0 has 3 numbers an element, 1 expected",
         EMBER_E_MALFORMED},
        {"'attributes':{'POSITION':0,'NORMAL':2}",
         "meshes[0].primitives[0].NORMAL: 3 elements for 4 vertices", EMBER_E_MALFORMED},
        {"'attributes':{'POSITION':2}", "meshes[0].primitives[0].POSITION: vertex 1 is not finite",
         EMBER_E_RANGE},
        {"'attributes':{'POSITION':1}",
         "meshes[0].primitives[0].POSITION: accessor 1 has 1 numbers an element, 3 expected",
         EMBER_E_MALFORMED},
        {"'attributes':3", "meshes[0].primitives[0].attributes: an object expected", EMBER_E_MALFORMED},
        {"'attributes':{'POSITION':0},'material':0", "materials[0].index: texture 3 of 0", EMBER_E_MALFORMED},
    };
    assert_int_equal(p, 0);
    assert_int_equal(i, 1);
    assert_int_equal(f, 2);
    for (size_t k = 0; k < sizeof(list) / sizeof(list[0]); k++) {
        m.rest[0] = '\0';
        made_rest(&m,
                  ",'nodes':[{'mesh':0}],'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':3}"
                  "}}],'meshes':[{'"
                  "primitives':[{%s}]}]",
                  list[k].members);
        made_refuse(&m, options, list[k].status, list[k].words);
    }
}

/* Normals and the like that are not finite are no reason to lose a model. */
TEST(odd_normals_become_zero)
{
    const float   normals[12] = {0, 0, 1, (float)NAN, 0, 0, 0, 0, 1, 0, 0, 1};
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 4, square), n = made_floats(&m, "VEC3", 4, normals);
    made_rest(&m,
              ",'nodes':[{'mesh':0}],'meshes':[{'primitives':[{'attributes':{'POSITION':%u,'NORMAL':%u}}]}]",
              p, n);
    ember_mesh mesh = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena).meshes[0];
    assert_at(mesh.normals[1], 0, 0, 0);
    assert_at(mesh.normals[2], 0, 0, 1);
    assert_non_null(strstr(notes.text, "W 1 normal, tangent, colour or weight was not finite and is zero"));
    ember_arena_free(&arena);
}

/* As KHR_mesh_quantization stores them: positions of bytes as they are, normals of bytes that are not quite
   of length 1. */
TEST(quantised_vertices_are_read)
{
    static const int8_t points[12] = {-128, 1, 2, 0, 3, 4, 5, 0, 6, 7, 127, 0},
                        normals[12] = {90, 90, 0, 0, 0, 0, 127, 0, 0, 0, 127, 0};
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    char     members[64];
    unsigned view = made_view(&m, points, 12, ",'byteStride':4"),
             normal_view = made_view(&m, normals, 12, ",'byteStride':4");
    snprintf(members, sizeof(members), ",'bufferView':%u", view);
    unsigned p = made_accessor(&m, "VEC3", 5120, 3, members);
    snprintf(members, sizeof(members), ",'bufferView':%u,'normalized':true", normal_view);
    unsigned n = made_accessor(&m, "VEC3", 5120, 3, members);
    made_rest(&m,
              ",'extensionsRequired':['KHR_mesh_quantization'],'nodes':[{'mesh':0}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':%u,'NORMAL':%u}}]}]",
              p, n);
    ember_mesh mesh = made_read(&m, (ember_read_options){.path = NULL}, &arena).meshes[0];
    assert_at(mesh.positions[0], -128, 1, 2);
    assert_at(mesh.positions[2], 6, 7, 127);
    assert_at(mesh.normals[0], sqrt(0.5), sqrt(0.5), 0);
    assert_at(mesh.normals[1], 0, 0, 1);
    ember_arena_free(&arena);
}

/* ---- skinning ---- */

/* A skinned mesh with one vertex per case. Joints 0, 1, 2 are the bones 2, 0, 1 after reordering. */
static void skin_make(made *m, const uint8_t (*joints)[4], const float (*weights)[4], unsigned count,
                      const char *more)
{
    static const float points[12] = {1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    memset(m, 0, sizeof(*m));
    unsigned p = made_floats(m, "VEC3", count, points),
             j = made_values(m, "VEC4", 5121, count, joints, count * 4, "");
    unsigned w = made_floats(m, "VEC4", count, weights[0]);
    made_rest(m,
              ",'nodes':[{'children':[1]},{'children':[2]},{},{'mesh':0,'skin':0,'translation':[100,0,0]}],'"
              "skins':[{'joints':[2,"
              "0,1]}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':%u,'JOINTS_0':%u,'WEIGHTS_0':%u%s}}]}]",
              p, j, w, more);
}

TEST(weights_are_sorted_and_sum_to_one)
{
    static const uint8_t joints[4][4] = {{0, 1, 2, 0}, {1, 1, 0, 2}, {2, 9, 9, 9}, {1, 0, 0, 0}};
    static const float   weights[4][4] = {{0.1f, 0.2f, 0.1f, 0.0f},
                                          {0.25f, 0.25f, 0.4f, 0.1f},
                                          {1, 0, 0, 0},
                                          {0, 0, 0, 0}};
    made                 m;
    fixture_notes        notes;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    skin_make(&m, joints, weights, 4, "");
    ember_mesh mesh = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena).meshes[0];
    assert_int_equal(mesh.bone, -1);
    assert_at(mesh.positions[0], 1, 2, 3); /* the node's own transform does not count */
    static const uint16_t bones[4][4] = {{0, 2, 1, 0}, {0, 2, 1, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}};
    static const double wanted[4][4] = {{0.5, 0.25, 0.25, 0}, {0.5, 0.4, 0.1, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            assert_int_equal(mesh.joints[i][k], bones[i][k]);
            NEAR(mesh.weights[i][k], wanted[i][k]);
        }
    }
    assert_non_null(strstr(notes.text, "W 1 vertex has no weights and follows the joint it names first"));
    ember_arena_free(&arena);
}

/* Six joints in two sets: the four largest, made to sum to one. */
TEST(four_largest_of_many_weights_are_kept)
{
    static const uint8_t sets[2][4] = {{0, 1, 2, 3}, {4, 5, 0, 0}};
    static const float   weights[2][4] = {{0.05f, 0.3f, 0.1f, 0.15f}, {0.2f, 0.2f, 0, 0}}, point[3] = {0};
    made                 m;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 1, point), j0 = made_values(&m, "VEC4", 5121, 1, sets[0], 4, ""),
             j1 = made_values(&m, "VEC4", 5121, 1, sets[1], 4, "");
    unsigned w0 = made_floats(&m, "VEC4", 1, weights[0]), w1 = made_floats(&m, "VEC4", 1, weights[1]);
    static const uint8_t corners[3] = {0, 0, 0};
    unsigned             i = made_values(&m, "SCALAR", 5121, 3, corners, 3, "");
    made_rest(&m,
              ",'nodes':[{},{},{},{},{},{},{'mesh':0,'skin':0}],'skins':[{'joints':[0,1,2,3,4,5]}],'meshes':["
              "{'primitives':[{'"
              "indices':%u,"
              "'attributes':{'POSITION':%u,'JOINTS_0':%u,'WEIGHTS_0':%u,'JOINTS_1':%u,'WEIGHTS_1':%u}}]}]",
              i, p, j0, w0, j1, w1);
    ember_mesh            mesh = made_read(&m, (ember_read_options){.path = NULL}, &arena).meshes[0];
    static const uint16_t bones[4] = {1, 4, 5, 3};
    static const double   wanted[4] = {0.3 / 0.85, 0.2 / 0.85, 0.2 / 0.85, 0.15 / 0.85};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(mesh.joints[0][k], bones[k]);
        NEAR(mesh.weights[0][k], wanted[k]);
    }
    ember_arena_free(&arena);
}

TEST(joints_beyond_the_skin_are_refused)
{
    static const uint8_t joints[3][4] = {{0}, {0, 3}, {0}};
    static const float   weights[3][4] = {{1}, {0.5f, 0.5f}, {1}};
    made                 m;
    skin_make(&m, joints, weights, 3, "");
    made_refuse(&m, (ember_read_options){.path = NULL}, EMBER_E_MALFORMED,
                "meshes[0].primitives[0].JOINTS: joint 3 of 3 at vertex 1");
}

/* Two skins over the same joints, whose binds differ by one matrix (as after gltfpack): the second mesh's
   vertices go through it. A third one, whose binds differ by more than that, is left out, and so is one with
   other joints. */
TEST(meshes_of_other_skins_are_fitted_or_left_out)
{
    static const float   points[9] = {1, 2, 3, 0, 0, 0, 0, 0, 0}, weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint8_t joints[12] = {0};
    float                binds[3][32] = {{0}};
    unsigned             b[3];
    made                 m;
    fixture_notes        notes;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    for (int i = 0; i < 6; i++) {
        float *bind = binds[i / 2] + i % 2 * 16;
        for (int k = 0; k < 4; k++)
            bind[k * 5] = i / 2 == 1 && k < 3 ? 2.0f : 1.0f;
        bind[12] = i / 2 == 1 ? 5.0f : i == 5 ? 1.0f : 0.0f;
    }
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 3, points), w = made_floats(&m, "VEC4", 3, weights),
             j = made_values(&m, "VEC4", 5121, 3, joints, 12, "");
    for (int i = 0; i < 3; i++)
        b[i] = made_floats(&m, "MAT4", 2, binds[i]);
    made_rest(&m,
              ",'nodes':[{},{},{},{'name':'A','mesh':0,'skin':0},{'name':'B','mesh':0,'skin':1},{'name':'C','"
              "mesh':0,'skin':2},{'"
              "name':'D','mesh':0,'skin':3}],"
              "'skins':[{'joints':[0,1],'inverseBindMatrices':%u},{'joints':[1,0],'inverseBindMatrices':%u},{"
              "'joints':[0,1],'"
              "inverseBindMatrices':%u},{'joints':[2]}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':%u,'JOINTS_0':%u,'WEIGHTS_0':%u}}]}]",
              b[0], b[1], b[2], p, j, w);
    ember_model model = made_read(&m, (ember_read_options){.notes = fixture_listen(&notes)}, &arena);
    assert_int_equal(model.mesh_count, 2);
    assert_string_equal(model.meshes[0].name, "A");
    assert_at(model.meshes[0].positions[0], 1, 2, 3);
    assert_string_equal(model.meshes[1].name, "B");
    assert_at(model.meshes[1].positions[0], 7, 4, 6);
    assert_int_equal(model.meshes[1].joints[0][0], 1); /* its joint 0 is node 1 */
    assert_non_null(strstr(notes.text, "W 2 meshes follow other skins than the bones' and are left out"));
    ember_arena_free(&arena);
}

/* A skin on the node but no weights in the mesh, or the other way round: it hangs where its node hangs. */
TEST(meshes_without_weights_are_rigid)
{
    made        m;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 4, square);
    made_rest(
        &m,
        ",'nodes':[{'children':[1]},{'mesh':0,'skin':0,'translation':[1,0,0]},{}],'skins':[{'joints':[2,0]}],"
        "'meshes':[{'primitives':[{'attributes':{'POSITION':%u}}]}]",
        p);
    ember_mesh mesh = made_read(&m, (ember_read_options){.path = NULL}, &arena).meshes[0];
    assert_int_equal(mesh.bone, 1);
    assert_null(mesh.joints);
    assert_at(mesh.positions[0], 1, 0, 0);
    ember_arena_free(&arena);
}

/* Without a skin, a mesh on or below an animated node follows it. */
TEST(meshes_follow_animated_nodes)
{
    static const float times[2] = {0.0f, 1.0f}, ways[6] = {0};
    made               m;
    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 4, square), t = made_floats(&m, "SCALAR", 2, times),
             v = made_floats(&m, "VEC3", 2, ways);
    made_rest(&m,
              ",'nodes':[{'mesh':0,'translation':[9,9,9],'children':[1]},{'mesh':0,'translation':[0,0,1]},{'"
              "mesh':0}],"
              "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}],'samplers':"
              "[{'input':%u,'"
              "output':%u}]}],"
              "'meshes':[{'primitives':[{'attributes':{'POSITION':%u}}]}]",
              t, v, p);
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(model.meshes[0].bone, 0);
    assert_at(model.meshes[0].positions[0], 0, 0, 0);
    assert_int_equal(model.meshes[1].bone, 0);
    assert_at(model.meshes[1].positions[0], 0, 0, 1);
    assert_int_equal(model.meshes[2].bone, -1);
    ember_arena_free(&arena);
}

/* ---- textures ---- */

/* An image in a view, its coordinates in a set of their own and moved by KHR_texture_transform. */
TEST(textures_come_with_their_coordinates)
{
    static const uint8_t png[12] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 1, 2, 3, 4};
    static const float   wrong[6] = {9, 9, 9, 9, 9, 9}, right[6] = {0, 0, 1, 0.5f, 0, 0};
    made                 m;
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    memset(&m, 0, sizeof(m));
    unsigned p = made_floats(&m, "VEC3", 3, square), u0 = made_floats(&m, "VEC2", 3, wrong),
             u1 = made_floats(&m, "VEC2", 3, right);
    unsigned view = made_view(&m, png, sizeof(png), "");
    made_rest(&m,
              ",'nodes':[{'mesh':0},{'mesh':0}],'images':[{'bufferView':%u}],'textures':[{'source':0}],'"
              "materials':[{'"
              "pbrMetallicRoughness':"
              "{'baseColorTexture':{'index':0,'texCoord':1,'extensions':{'KHR_texture_transform':{'offset':["
              "0.25,0],'scale':[2,4]"
              "}}}}}],"
              "'meshes':[{'primitives':[{'material':0,'attributes':{'POSITION':%u,'TEXCOORD_0':%u,'TEXCOORD_"
              "1':%u}}]}]",
              view, p, u0, u1);
    ember_model model = made_read(&m, (ember_read_options){.path = NULL}, &arena);
    assert_int_equal(model.meshes[0].texture_size, sizeof(png));
    assert_memory_equal(model.meshes[0].texture, png, sizeof(png));
    assert_ptr_equal(model.meshes[0].texture, model.meshes[1].texture); /* once in memory */
    NEAR(model.meshes[0].uvs[0][0], 0.25);
    NEAR(model.meshes[0].uvs[1][0], 2.25);
    NEAR(model.meshes[0].uvs[1][1], 2.0);
    ember_arena_free(&arena);
}

TEST(missing_images_are_said)
{
    static const char *const images[][2] =
        {{"'uri':'none.png'", "W images[0].uri: \"none.png\": cannot open"},
         {"'uri':'../x.png'", "is not a file in the document's folder: the texture is left out"},
         {"'uri':'data:image/x;base64,Zm9v'", "W images[0] is neither PNG nor JPEG"},
         {"'name':'empty'", "W images[0] is neither PNG nor JPEG"}};
    made          m;
    fixture_notes notes;
    ember_arena   arena = ember_arena_growing(ember_heap(), 0);
    for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
        memset(&m, 0, sizeof(m));
        unsigned p = made_floats(&m, "VEC3", 4, square);
        made_rest(&m,
                  ",'nodes':[{'mesh':0},{'mesh':0}],'images':[{%s}],'textures':[{'source':0}],'materials':[{'"
                  "pbrMetallicRoughness':"
                  "{'baseColorTexture':{'index':0}}}],'meshes':[{'primitives':[{'material':0,'attributes':{'"
                  "POSITION':%u}}]}]",
                  images[i][0], p);
        ember_model model =
            made_read(&m, (ember_read_options){.path = "/nonexistent/a.glb", .notes = fixture_listen(&notes)},
                      &arena);
        assert_null(model.meshes[0].texture);
        assert_int_equal(model.meshes[0].texture_size, 0);
        assert_non_null(strstr(notes.text, images[i][1]));
        assert_int_equal(notes.count[EMBER_NOTE_WARNING], 1); /* not once per mesh */
    }
    ember_arena_free(&arena);
}

/* ---- compression ---- */

/* Bytes that are no stream, and numbers on which the library's functions would fail. */
TEST(broken_compression_is_refused)
{
    static const char *const list[][2] = {
        {"'count':3,'byteStride':12,'mode':'ATTRIBUTES'", "the compressed bytes are damaged"},
        {"'count':3,'byteStride':12,'mode':'NONSENSE'", "an unknown mode"},
        {"'count':3,'byteStride':13,'mode':'ATTRIBUTES'", "a stride that its mode does not allow"},
        {"'count':3,'byteStride':260,'mode':'ATTRIBUTES'", "a stride that its mode does not allow"},
        {"'count':3,'byteStride':12,'mode':'TRIANGLES'", "a stride that its mode does not allow"},
        {"'count':4,'byteStride':4,'mode':'TRIANGLES'", "triangles without all corners"},
        {"'count':3,'byteStride':4,'mode':'INDICES'", "the compressed bytes are damaged"},
        {"'count':3000000000,'byteStride':12,'mode':'ATTRIBUTES'", "more elements than its bytes can hold"},
        {"'count':9007199254740992,'byteStride':12,'mode':'ATTRIBUTES'",
         "more elements than its bytes can hold"},
        {"'count':3,'byteStride':12,'mode':'ATTRIBUTES','filter':'OCTAHEDRAL'",
         "a stride that its filter does not allow"},
        {"'count':3,'byteStride':12,'mode':'ATTRIBUTES','filter':'QUATERNION'",
         "a stride that its filter does not allow"},
        {"'count':3,'byteStride':12,'mode':'ATTRIBUTES','filter':'MAGIC'", "an unknown filter"},
        {"'count':3,'byteStride':2,'mode':'INDICES','filter':'EXPONENTIAL'", "a filter for indices"},
    };
    made m;
    for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
        char view[256], words[128];
        memset(&m, 0, sizeof(m));
        snprintf(view, sizeof(view),
                 ",'extensions':{'EXT_meshopt_compression':{'buffer':0,'byteLength':36,%s}}", list[i][0]);
        unsigned index = made_view(&m, square, 36, view);
        snprintf(view, sizeof(view), ",'bufferView':%u", index);
        unsigned p = made_accessor(&m, "VEC3", 5126, 3, view);
        made_rest(&m,
                  ",'extensionsRequired':['EXT_meshopt_compression'],'nodes':[{'mesh':0}],"
                  "'meshes':[{'primitives':[{'attributes':{'POSITION':%u}}]}]",
                  p);
        snprintf(words, sizeof(words), "bufferViews[0].EXT_meshopt_compression: %s", list[i][1]);
        if (emberi_gltf_meshopt_built())
            made_refuse(&m, (ember_read_options){.path = NULL}, EMBER_E_MALFORMED, words);
        else
            made_refuse(&m, (ember_read_options){.path = NULL}, EMBER_E_UNSUPPORTED,
                        "requires what is not supported (this build is without meshoptimizer): "
                        "EXT_meshopt_compression");
    }
}
