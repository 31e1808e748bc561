/* SPDX-License-Identifier: MIT */
/* The parts of the FBX reader by themselves, with values from the format's formulas by hand, and one small
   document through all of them. Covers: fbx_clips.c, fbx_connections.c, fbx_document.c, fbx_layers.c,
   fbx_nodes.c, fbx_objects.c, fbx_old_keys.c, fbx_old_takes.c, fbx_read.c, fbx_rig.c, fbx_settings.c,
   fbx_stacks.c, fbx_tangents.c. */
#include "format/fbx/mesh/fbx_mesh.h"
#include "format/fixture.h"

#include <math.h>

#define SECOND INT64_C(46186158000)
#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-6)

/* ---- curves ---- */

static double sample(fbx_run run, const float *values, double seconds)
{
    static const int64_t times[3] = {0, SECOND, 3 * SECOND};
    fbx_curve            curve = {.key_count = 3,
                                  .times = times,
                                  .values = values,
                                  .runs = &run,
                                  .run_count = 1,
                                  .ticks = (double)SECOND,
                                  .before = {'C', -1},
                                  .after = {'C', -1},
                                  .segment = {.key = FBX_NONE}};
    return emberi_fbx_curve_sample(&curve, (int64_t)(seconds * (double)SECOND));
}

static const float zigzag[3] = {0.0f, 2.0f, -2.0f};

TEST(keys_hold_or_join_by_lines)
{
    assert_true(sample((fbx_run){.flags = FBX_KEY_CONSTANT}, zigzag, 0.5) == 0.0);
    assert_true(sample((fbx_run){.flags = FBX_KEY_CONSTANT | FBX_KEY_NEXT}, zigzag, 0.5) == 2.0);
    assert_true(sample((fbx_run){.flags = FBX_KEY_LINEAR}, zigzag, 0.5) == 1.0);
    assert_true(sample((fbx_run){.flags = 0}, zigzag, 2.0) == 0.0);
    assert_true(sample((fbx_run){.flags = FBX_KEY_LINEAR}, zigzag, 9.0) == -2.0);
}

/* Hermite's form at the middle: (v0 + v1) / 2 + (m0 - m1) / 8 times the length. */
TEST(user_tangents_bend)
{
    fbx_run run = {.flags = FBX_KEY_CUBIC | FBX_KEY_USER,
                   .right = 4.0f,
                   .next_left = -2.0f,
                   .right_weight = 1.0f / 3.0f,
                   .next_left_weight = 1.0f / 3.0f};
    assert_near(sample(run, zigzag, 0.5), 1.0 + 6.0 / 8.0);
    assert_near(sample(run, zigzag, 2.0), 0.0 + 2.0 * 6.0 / 8.0);
}

/* The slope at the middle key is (-2 - 0) / 3, at the first that of its line. */
TEST(automatic_tangents_follow_the_neighbours)
{
    fbx_run run = {.flags = FBX_KEY_CUBIC | 0x100 | FBX_KEY_TIME_INDEPENDENT,
                   .right_weight = 1.0f / 3.0f,
                   .next_left_weight = 1.0f / 3.0f};
    assert_near(sample(run, zigzag, 0.5), 1.0 + (2.0 + 2.0 / 3.0) / 8.0);
    run.flags |= FBX_KEY_CLAMP_PROGRESSIVE; /* a peak is flat, ends are */
    assert_near(sample(run, zigzag, 0.5), 1.0);
}

/* ---- angles and layers ---- */

TEST(angles_survive_every_order)
{
    for (uint8_t order = 0; order < 6; order++) {
        const double degrees[3] = {20.0, -35.0, 50.0};
        double       q[4], again[3];
        emberi_fbx_euler_to_quat(q, degrees, order);
        emberi_fbx_quat_to_euler(again, q, order);
        for (int k = 0; k < 3; k++)
            assert_near(again[k], degrees[k]);
    }
}

/* x by 90 degrees, then z by 90: y goes to z and stays there; in the other order it goes to -x. */
TEST(the_first_letter_turns_first)
{
    const double degrees[3] = {90.0, 0.0, 90.0}, y[3] = {0.0, 1.0, 0.0};
    double       out[3];
    for (uint8_t order = 0; order < 6; order += 5) {
        real_trs trs = emberi_real_trs_identity;
        emberi_fbx_euler_to_quat(trs.r, degrees, order);
        real_mat m = emberi_real_mat_from_trs(&trs);
        emberi_real_mat_point(out, &m, y);
        assert_near(out[order == 0 ? 2 : 0], order == 0 ? 1.0 : -1.0);
    }
}

TEST(layers_mix_by_their_mode)
{
    fbx_layer    additive = {.mode = 0, .rotation_mode = 1}, passing = {.mode = 2}, over = {.mode = 1};
    const double top[3] = {4.0, 8.0, 16.0};
    double       value[3] = {1.0, 2.0, 3.0};
    emberi_fbx_layer_blend(value, top, &additive, 0.5, FBX_TRANSLATION, 0);
    assert_true(value[0] == 3.0 && value[1] == 6.0 && value[2] == 11.0);
    double scale[3] = {9.0, 2.0, 1.0};
    emberi_fbx_layer_blend(scale, top, &passing, 0.5, FBX_SCALING, 0); /* roots of the products */
    assert_near(scale[0], 6.0);
    assert_near(scale[1], 4.0);
    emberi_fbx_layer_blend(scale, top, &over, 0.1, FBX_SCALING, 0);
    assert_true(scale[2] == 16.0);
}

/* ---- polygons ---- */

static double area(const ember_vec3 *p, const uint32_t *t)
{
    return 0.5 * ((double)(p[t[1]].x - p[t[0]].x) * (double)(p[t[2]].y - p[t[0]].y) -
                  (double)(p[t[2]].x - p[t[0]].x) * (double)(p[t[1]].y - p[t[0]].y));
}

/* A concave polygon's triangles all turn the same way and have its area. */
TEST(concave_polygons_are_cut_inside)
{
    static const ember_vec3 star[] = {{0, 0, 0}, {4, 0, 0}, {4, 3, 0}, {2, 1, 0}, {0, 3, 0}};
    static const ember_vec3 dart[] = {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}, {0, 4, 0}};
    uint32_t                triangles[9], room[5];
    double                  sum = 0.0;
    emberi_fbx_triangulate(triangles, star, 5, room);
    for (int i = 0; i < 3; i++) {
        assert_true(area(star, triangles + 3 * i) > 0.0);
        sum += area(star, triangles + 3 * i);
    }
    assert_near(sum, 8.0);
    emberi_fbx_triangulate(triangles, dart, 4, room);
    assert_true(area(dart, triangles) > 0.0 && area(dart, triangles + 3) > 0.0);
    assert_near(area(dart, triangles) + area(dart, triangles + 3), 4.0);
}

/* ---- a document ---- */

#define OBJECTS_7                                                                                           \
    "FBXHeaderExtension: {\nFBXVersion: 7400\n}\n"                                                          \
    "GlobalSettings: {\nProperties70: {\nP: \"UnitScaleFactor\",\"double\",\"\",\"\",100\n"                 \
    "P: \"TimeMode\",\"enum\",\"\",\"\",11\n}\n}\nObjects: {\n"                                             \
    "Model: 1, \"Model::hip\", \"LimbNode\" {\nProperties70: {\nP: \"Lcl "                                  \
    "Translation\",\"\",\"\",\"A\",0,1,0\n}\n}\n"                                                           \
    "Model: 2, \"Model::knee\", \"LimbNode\" {\nProperties70: {\nP: \"Lcl "                                 \
    "Translation\",\"\",\"\",\"A\",0,-0.5,0\n"                                                              \
    "P: \"PreRotation\",\"\",\"\",\"\",0,0,90\n}\n}\n"                                                      \
    "Model: 3, \"Model::body\", \"Mesh\" {\n}\n"                                                            \
    "Geometry: 4, \"Geometry::\", \"Mesh\" {\nVertices: *9 {\na: 0,0,0,1,0,0,0,1,0\n}\n"                    \
    "PolygonVertexIndex: *3 {\na: 0,1,-3\n}\nLayerElementUV: 0 {\nMappingInformationType: "                 \
    "\"ByPolygonVertex\"\n"                                                                                 \
    "ReferenceInformationType: \"IndexToDirect\"\nUV: *4 {\na: 0,0,0.25,1\n}\nUVIndex: *3 {\na: "           \
    "0,1,0\n}\n}\n}\n"                                                                                      \
    "Deformer: 5, \"Deformer::\", \"Skin\" {\n}\nDeformer: 6, \"SubDeformer::\", \"Cluster\" {\n"           \
    "Indexes: *3 {\na: 0,1,2\n}\nWeights: *3 {\na: 1,1,0.5\n}\n}\n"                                         \
    "Material: 7, \"Material::skin\", \"\" {\nProperties70: {\nP: "                                         \
    "\"DiffuseColor\",\"\",\"\",\"A\",0.5,0.25,1\n"                                                         \
    "P: \"DiffuseFactor\",\"\",\"\",\"A\",0.5\n}\n}\n"                                                      \
    "AnimationStack: 8, \"AnimStack::walk\", \"\" {\nProperties70: {\nP: "                                  \
    "\"LocalStop\",\"KTime\",\"\",\"\",92372316000\n"                                                       \
    "}\n}\nAnimationLayer: 9, \"AnimLayer::Base\", \"\" {\n}\n"                                             \
    "AnimationCurveNode: 10, \"AnimCurveNode::R\", \"\" {\n}\n"                                             \
    "AnimationCurve: 11, \"AnimCurve::\", \"\" {\nKeyTime: *2 {\na: 0,46186158000\n}\n"                     \
    "KeyValueFloat: *2 {\na: 0,90\n}\nKeyAttrFlags: *1 {\na: 4\n}\nKeyAttrDataFloat: *4 {\na: 0,0,0,0\n}\n" \
    "KeyAttrRefCount: *1 {\na: 2\n}\n}\n"                                                                   \
    "Texture: 12, \"Texture::t\", \"\" {\nRelativeFilename: \"a.png\"\n}\n"                                 \
    "Video: 13, \"Video::t\", \"Clip\" {\nContent: , \"iVBORw0KGgo=\"\n}\n}\n"
#define CONNECTIONS_7                                                                                \
    "Connections: {\nC: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,0\nC: \"OO\",4,3\nC: \"OO\",5,4\nC: " \
    "\"OO\",6,5\n"                                                                                   \
    "C: \"OO\",2,6\nC: \"OO\",7,3\nC: \"OO\",9,8\nC: \"OO\",10,9\nC: \"OP\",10,1,\"Lcl Rotation\"\n" \
    "C: \"OP\",11,10,\"d|X\"\nC: \"OO\",99,98\n"

TEST(a_document_becomes_a_model)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model m =
        fixture_read(OBJECTS_7 CONNECTIONS_7 "}\n", sizeof(OBJECTS_7 CONNECTIONS_7 "}\n") - 1,
                     (ember_read_options){.format = EMBER_FORMAT_FBX, .fps = EMBER_FPS_SOURCE}, &arena);
    assert_int_equal(m.skeleton.bone_count, 2);
    assert_string_equal(m.skeleton.names[1], "knee");
    assert_int_equal(m.skeleton.parents[1], 0);
    assert_float_equal(m.skeleton.rest[1].position.y, -0.5f, 1e-7f);
    assert_float_equal(m.skeleton.rest[1].rotation.z, 0.70710678f, 1e-6f);
    assert_int_equal(m.clip_count, 1);
    assert_string_equal(m.clips[0].name, "walk");
    assert_int_equal(m.clips[0].frame_count, 25); /* one second of keys at the time mode's 24 */
    assert_float_equal(m.clips[0].frames[2 * 12].rotation.x, 0.38268343f, 1e-6f);
    assert_float_equal(m.clips[0].frames[2 * 24].rotation.x, 0.70710678f, 1e-6f);
    assert_int_equal(m.mesh_count, 1);
    assert_int_equal(m.meshes[0].index_count, 3);
    assert_int_equal(m.meshes[0].joints[0][0], 1);
    assert_true(m.meshes[0].weights[2][0] == 1.0f);
    assert_true(m.meshes[0].uvs[1][0] == 0.25f && m.meshes[0].uvs[1][1] == 0.0f);
    assert_true(m.meshes[0].base_color[0] == 0.25f && m.meshes[0].base_color[2] == 0.5f);
    assert_null(m.meshes[0].texture);
    ember_arena_free(&arena);
}

TEST(a_texture_that_is_embedded_is_kept)
{
    static const char text[] =
        OBJECTS_7     CONNECTIONS_7 "C: \"OP\",12,7,\"DiffuseColor\"\nC: \"OO\",13,12\n}\n";
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_model       m =
        fixture_read(text, sizeof(text) - 1, (ember_read_options){.format = EMBER_FORMAT_FBX}, &arena);
    assert_int_equal(m.meshes[0].texture_size, 8);
    assert_memory_equal(m.meshes[0].texture, "\x89PNG\r\n\x1a\n", 8);
    assert_true(m.meshes[0].base_color[0] == 1.0f);
    ember_arena_free(&arena);
}

TEST(a_model_below_itself_is_named)
{
    static const char text[] =
        "FBXHeaderExtension: {\nFBXVersion: 7400\n}\nObjects: {\nModel: 1, \"Model::a\", \"Null\" {\n}\n"
        "Model: 2, \"Model::b\", \"Null\" {\n}\n}\nConnections: {\nC: \"OO\",1,2\nC: \"OO\",2,1\n}\n";
    fixture_refuse(text, sizeof(text) - 1, (ember_read_options){.format = EMBER_FORMAT_FBX},
                   EMBER_E_MALFORMED, "\"a\"");
}

TEST(version_6_tells_objects_by_name)
{
    static const char text[] =
        "FBXHeaderExtension: {\nFBXVersion: 6100\n}\nObjects: {\nModel: \"Model::hip\", \"Limb\" "
        "{\nProperties60: {\n"
        "Property: \"Lcl Translation\", \"Lcl Translation\", \"A+\",100,0,0\n}\n}\n}\n"
        "Connections: {\nConnect: \"OO\", \"Model::hip\", \"Model::Scene\"\n}\n"
        "Takes: {\nTake: \"jump\" {\nLocalTime: 0,46186158000\nModel: \"Model::hip\" {\nChannel: "
        "\"Transform\" {\n"
        "Channel: \"T\" {\nChannel: \"X\" {\nDefault: 100\n}\nChannel: \"Y\" {\nDefault: 0\nKeyCount: 2\n"
        "Key: 0,0,U,s,400,-200,n,46186158000,200,L\n}\nChannel: \"Z\" {\nDefault: 50\n}\n}\n}\n}\n}\n}\n";
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_model m = fixture_read(text, sizeof(text) - 1,
                                 (ember_read_options){.format = EMBER_FORMAT_FBX, .fps = 2.0}, &arena);
    assert_int_equal(m.clip_count, 1);
    assert_string_equal(m.clips[0].name, "jump");
    assert_int_equal(m.clips[0].frame_count, 3);
    ember_vec3 middle = m.clips[0].frames[1].position;
    assert_float_equal(middle.x, 1.0f, 1e-6f);
    assert_float_equal(middle.y, 1.0f + 0.01f * 600.0f / 8.0f, 1e-6f);
    assert_float_equal(middle.z, 0.5f, 1e-6f);
    ember_arena_free(&arena);
}
