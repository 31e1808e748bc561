/* SPDX-License-Identifier: MIT */
/* The model: one test per rule of the check, the look-up of bones, and frames as matrices.
   Covers: skeleton.c. */
#include <math.h>

#include "fixtures/triangle.h"
#include "format/fixture.h"

static void check_refuses(const fixture_model *f, const char *text)
{
    ember_error err = EMBER_ERROR_INIT;
    assert_int_not_equal(ember_model_check(&f->model, &err), EMBER_OK);
    assert_string_equal(fixture_error_line(&err).text, text);
    assert_int_not_equal(ember_model_check(&f->model, NULL), EMBER_OK);
}

TEST(check_takes_a_good_model)
{
    fixture_model f;
    ember_model   empty = {.clip_count = 0};
    fixture_fill(&f);
    assert_int_equal(ember_model_check(&f.model, NULL), EMBER_OK);
    assert_int_equal(ember_model_check(&empty, NULL), EMBER_OK);
}

TEST(check_has_a_rule_for_the_skeleton)
{
    fixture_model f;
    fixture_fill(&f);
    f.parents[1] = 1;
    check_refuses(&f, "knee: parent is 1, must be -1 or a bone before it");
    f.parents[1] = -2;
    check_refuses(&f, "knee: parent is -2, must be -1 or a bone before it");
    fixture_fill(&f);
    f.names[2] = "\xc3";
    check_refuses(&f, "?: name is not UTF-8");
    fixture_fill(&f);
    f.model.skeleton.parents = NULL;
    check_refuses(&f, "skeleton has no parents");
    fixture_fill(&f);
    f.model.skeleton.bone_count = 32768;
    check_refuses(&f, "skeleton has 32768 bones, at most 32767 are possible");
}

TEST(check_has_a_rule_for_clips)
{
    static const uint16_t twice[3] = {0, 1, 1}, beyond[3] = {0, 1, 3};
    fixture_model         f;
    fixture_fill(&f);
    f.model.clips = NULL;
    check_refuses(&f, "model has no clips, or too many");
    fixture_fill(&f);
    f.clip.name = NULL;
    check_refuses(&f, "clip 0: name is not UTF-8");
    f.clip.name = "w\xff";
    check_refuses(&f, "w?: name is not UTF-8");
    fixture_fill(&f);
    f.clip.fps = -1.0;
    check_refuses(&f, "walk: rate is -1");
    f.clip.fps = 1e308 * 10.0;
    check_refuses(&f, "walk: rate is inf");
    fixture_fill(&f);
    f.clip.space = EMBER_SPACE_UNSTATED;
    check_refuses(&f, "walk: neither in model nor in local space");
    fixture_fill(&f);
    f.clip.frames = NULL;
    check_refuses(&f, "walk: no frames");
    fixture_fill(&f);
    f.clip.bone_count = 4;
    check_refuses(&f, "walk: 4 bones, its skeleton has 3");
    fixture_fill(&f);
    f.clip.bones = twice;
    check_refuses(&f, "walk: its bone 2 is the skeleton's 1, which is there twice");
    f.clip.bones = beyond;
    check_refuses(&f, "walk: its bone 2 is the skeleton's 3, which is not there");
    fixture_fill(&f);
    f.clip.raw.format = EMBER_FORMAT_JSON;
    check_refuses(&f, "walk: raw data without a format, or none");
}

TEST(check_has_a_rule_for_markers)
{
    fixture_model f;
    fixture_fill(&f);
    f.markers[1].frame = FIXTURE_FRAMES;
    check_refuses(&f, "walk: marker 1: frame 4 of 4");
    f.markers[0].name = NULL;
    check_refuses(&f, "walk: marker 0: name is not UTF-8");
    f.clip.markers = NULL;
    check_refuses(&f, "walk: no markers");
}

TEST(check_has_a_rule_for_meshes)
{
    static const uint32_t beyond[3] = {0, 1, 3};
    static const uint16_t joints[3][4] = {{0}, {0}, {0, 0, 0, 3}};
    static const float    weights[3][4];
    const ember_mesh      good = fixture_triangle();
    ember_mesh            mesh = good;
    fixture_model         f;
    fixture_fill(&f);
    f.model.mesh_count = 1;
    check_refuses(&f, "model has no meshes");
    f.model.meshes = &mesh;
    assert_int_equal(ember_model_check(&f.model, NULL), EMBER_OK);
    mesh.name = NULL;
    check_refuses(&f, "mesh 0: name is not UTF-8");
    mesh = good;
    mesh.positions = NULL;
    check_refuses(&f, "mesh 0: no positions");
    mesh = good;
    mesh.indices = beyond;
    check_refuses(&f, "mesh 0: an index is beyond the vertices");
    mesh = good;
    mesh.index_count = 2;
    check_refuses(&f, "mesh 0: indices are not whole triangles");
    mesh = good;
    mesh.bone = 3;
    check_refuses(&f, "mesh 0: follows a bone that is not there");
    mesh = good;
    mesh.joints = joints;
    check_refuses(&f, "mesh 0: joints without weights, or weights without joints");
    mesh.weights = weights;
    check_refuses(&f, "mesh 0: a joint is not in the skeleton");
    mesh = good;
    mesh.texture_size = 1;
    check_refuses(&f, "mesh 0: no texture");
}

TEST(find_tells_one_none_and_several)
{
    fixture_model f;
    fixture_fill(&f);
    assert_int_equal(ember_skeleton_find(&f.model.skeleton, "foot"), 2);
    assert_int_equal(ember_skeleton_find(&f.model.skeleton, "Foot"), -1);
    f.names[0] = NULL;
    f.names[1] = "foot";
    assert_int_equal(ember_skeleton_find(&f.model.skeleton, "foot"), -2);
    f.model.skeleton.names = NULL;
    assert_int_equal(ember_skeleton_find(&f.model.skeleton, "foot"), -1);
}

/* All bones turn a quarter about z; the chain of three, each 1 along x from the one before, bends
   round a square. */
static void bend(fixture_model *f)
{
    fixture_fill(f);
    for (uint32_t i = 0; i < FIXTURE_BONES * FIXTURE_FRAMES; i++)
        f->frames[i] = (ember_transform){{0, 0, 0.70710678f, 0.70710678f}, {1, 0, 0}, {1, 1, 1}};
}

static void is_at(const ember_mat34 *m, float x, float y, float z)
{
    assert_float_equal(m->m[3], x, 1e-5f);
    assert_float_equal(m->m[7], y, 1e-5f);
    assert_float_equal(m->m[11], z, 1e-5f);
}

TEST(matrices_of_a_local_clip_are_composed)
{
    fixture_model f;
    ember_mat34   out[FIXTURE_BONES];
    bend(&f);
    assert_int_equal(ember_clip_matrices(out, &f.model, &f.clip, 3), EMBER_OK);
    is_at(&out[0], 1, 0, 0);
    is_at(&out[1], 1, 1, 0);
    is_at(&out[2], 0, 1, 0);
    /* The last has turned three quarters: its x axis points to -y. */
    assert_float_equal(out[2].m[0], 0.0f, 1e-5f);
    assert_float_equal(out[2].m[4], -1.0f, 1e-5f);
}

TEST(matrices_of_a_model_clip_are_not_composed)
{
    fixture_model f;
    ember_mat34   out[FIXTURE_BONES];
    bend(&f);
    f.clip.space = EMBER_SPACE_MODEL;
    assert_int_equal(ember_clip_matrices(out, &f.model, &f.clip, 0), EMBER_OK);
    is_at(&out[0], 1, 0, 0);
    is_at(&out[2], 1, 0, 0);
}

TEST(matrices_take_the_rest_of_bones_that_are_not_in_the_clip)
{
    static const uint16_t bones[2] = {2, 0}; /* not the knee, and not in order */
    fixture_model         f;
    ember_mat34           out[2];
    bend(&f);
    f.clip.bone_count = 2;
    f.clip.bones = bones;
    f.rest[1] = (ember_transform){{0, 0, 0, 1}, {5, 0, 0}, {1, 1, 1}};
    assert_int_equal(ember_clip_matrices(out, &f.model, &f.clip, 0), EMBER_OK);
    /* Hip at (1,0,0) turned to +y; the knee 5 on, the foot 1 more, turned with the hip only until there. */
    is_at(&out[1], 1, 0, 0);
    is_at(&out[0], 1, 6, 0);
    /* Without a rest pose the knee is where the hip is. */
    f.model.skeleton.rest = NULL;
    assert_int_equal(ember_clip_matrices(out, &f.model, &f.clip, 0), EMBER_OK);
    is_at(&out[0], 1, 1, 0);
}

TEST(matrices_refuse_a_frame_beyond_the_end)
{
    fixture_model f;
    ember_mat34   out[FIXTURE_BONES];
    fixture_fill(&f);
    assert_int_equal(ember_clip_matrices(out, &f.model, &f.clip, FIXTURE_FRAMES), EMBER_E_ARG);
}

TEST(rotations_are_made_unit_length_unless_they_nearly_are)
{
    ember_transform t = {{0.0f, 3.0f, 0.0f, 4.0f}, {1.0f, 2.0f, 3.0f}, {-1.0f, 2.0f, 0.5f}};
    ember_transform out = ember_transform_with_unit_rotation(&t);
    assert_true(out.rotation.x == 0.0f && out.rotation.y == 0.6f && out.rotation.z == 0.0f &&
                out.rotation.w == 0.8f);
    assert_memory_equal(&out.position, &t.position, sizeof(t.position));
    assert_memory_equal(&out.scale, &t.scale, sizeof(t.scale));
    /* Off by rounding, of no direction, or no number: as they were, bit for bit. */
    const ember_quat kept[] = {{0.0f, 0.60001f, 0.0f, 0.8f},
                               {0.0f, 0.0f, 0.0f, 0.0f},
                               {NAN, 0.0f, 0.0f, 1.0f},
                               {INFINITY, 0.0f, 0.0f, 0.0f}};
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
        t.rotation = kept[i];
        out = ember_transform_with_unit_rotation(&t);
        assert_memory_equal(&out, &t, sizeof(t));
    }
    t.rotation = (ember_quat){1e-30f, 0.0f, 0.0f, 0.0f};
    assert_true(ember_transform_with_unit_rotation(&t).rotation.x == 1.0f);
}
