/* SPDX-License-Identifier: MIT */
/* Bones merged into their parents, with values by hand. */
#include "ember/reduce.h"

#include "format/fixture.h"

/* A chain along y: root, arm, hand, finger, each 1 above the one before; a vertex at each joint. In frame 1
   the arm turns by a quarter about z, the hand moves 0.5 along x, the finger 0.01 along x. */
typedef struct chain {
    ember_transform rest[4], frames[8];
    int16_t         parents[4];
    const char     *names[4];
    ember_mat34     binds[4];
    ember_vec3      positions[4];
    uint16_t        joints[4][4];
    float           weights[4][4];
    uint32_t        indices[3];
    ember_clip      clip;
    ember_mesh      mesh;
    ember_model     model;
} chain;

static void chain_fill(chain *c)
{
    static const char *const names[4] = {"root", "arm", "hand", "finger"};
    memset(c, 0, sizeof(*c));
    for (int i = 0; i < 4; i++) {
        c->rest[i] = ember_transform_identity;
        c->rest[i].position.y = i > 0 ? 1.0f : 0.0f;
        c->frames[i] = c->frames[4 + i] = c->rest[i];
        c->parents[i] = (int16_t)(i - 1);
        c->names[i] = names[i];
        c->binds[i] = (ember_mat34){{1, 0, 0, 0, 0, 1, 0, -(float)i, 0, 0, 1, 0}};
        c->positions[i] = (ember_vec3){0.0f, (float)i, 0.0f};
        c->joints[i][0] = (uint16_t)i;
        c->weights[i][0] = 1.0f;
    }
    c->frames[5].rotation = (ember_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
    c->frames[6].position.x = 0.5f;
    c->frames[7].position.x = 0.01f;
    c->indices[1] = 1;
    c->indices[2] = 2;
    c->clip = (ember_clip){.name = "wave",
                           .fps = 30,
                           .space = EMBER_SPACE_LOCAL,
                           .bone_count = 4,
                           .frame_count = 2,
                           .frames = c->frames};
    c->mesh = (ember_mesh){.name = "skin",
                           .vertex_count = 4,
                           .positions = c->positions,
                           .joints = (const uint16_t(*)[4])c->joints,
                           .weights = (const float(*)[4])c->weights,
                           .index_count = 3,
                           .indices = c->indices,
                           .bone = -1,
                           .base_color = {1, 1, 1, 1}};
    c->model = (ember_model){.skeleton = {4, c->parents, c->names, c->rest, c->binds},
                             .clip_count = 1,
                             .clips = &c->clip,
                             .mesh_count = 1,
                             .meshes = &c->mesh};
}

TEST(the_bone_that_costs_least_goes_first)
{
    chain           c;
    ember_reduction report;
    ember_model     out;
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    chain_fill(&c);
    for (int i = 0; i < 4; i++)
        c.positions[i].x = 0.2f; /* beside the joints: at its own, the arm's turn would move nothing */
    assert_int_equal(ember_model_reduce(&out, &report, &c.model, 3, &arena, NULL), EMBER_OK);
    assert_int_equal(ember_model_check(&out, NULL), EMBER_OK);
    assert_int_equal(out.skeleton.bone_count, 3);
    assert_string_equal(out.skeleton.names[2], "hand");
    assert_int_equal(report.merged_count, 1);
    assert_int_equal(report.merged[0].bone, 3);
    assert_int_equal(report.merged[0].into, 2);
    assert_float_equal(report.merged[0].error, 0.01, 1e-6);
    assert_int_equal(report.merged[0].frame, 1);
    /* the finger's vertex is the hand's */
    assert_int_equal(out.meshes[0].joints[3][0], 2);
    assert_float_equal(out.meshes[0].weights[3][0], 1.0, 0.0);
    ember_arena_free(&arena);
}

TEST(children_move_as_before)
{
    chain       c;
    ember_model out;
    ember_mat34 before[4], after[3];
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    chain_fill(&c);
    /* the hand carries nothing: it goes, and the finger hangs on the arm */
    c.joints[2][0] = 1;
    c.frames[7].position.x = 3.0f;
    assert_int_equal(ember_model_reduce(&out, NULL, &c.model, 3, &arena, NULL), EMBER_OK);
    assert_string_equal(out.skeleton.names[2], "finger");
    assert_int_equal(out.skeleton.parents[2], 1);
    assert_float_equal(out.skeleton.rest[2].position.y, 2.0, 1e-6);
    assert_int_equal(ember_clip_matrices(before, &c.model, &c.clip, 1), EMBER_OK);
    assert_int_equal(ember_clip_matrices(after, &out, &out.clips[0], 1), EMBER_OK);
    /* by hand: the arm at (0, 1) turned a quarter to the left; the finger 3.5 along its x, 2 along its y */
    assert_float_equal(after[2].m[3], -2.0, 1e-5);
    assert_float_equal(after[2].m[7], 4.5, 1e-5);
    for (int k = 0; k < 12; k++)
        assert_float_equal(after[2].m[k], before[3].m[k], 1e-5);
    ember_arena_free(&arena);
}

TEST(weights_of_both_are_added_and_sorted)
{
    chain       c;
    ember_model out;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    chain_fill(&c);
    const uint16_t joints[4] = {1, 2, 3, 0};
    const float    weights[4] = {0.4f, 0.35f, 0.25f, 0.0f};
    memcpy(c.joints[3], joints, sizeof(joints));
    memcpy(c.weights[3], weights, sizeof(weights));
    assert_int_equal(ember_model_reduce(&out, NULL, &c.model, 3, &arena, NULL), EMBER_OK);
    assert_int_equal(out.meshes[0].joints[3][0], 2);
    assert_float_equal(out.meshes[0].weights[3][0], 0.6, 1e-6);
    assert_int_equal(out.meshes[0].joints[3][1], 1);
    assert_float_equal(out.meshes[0].weights[3][1], 0.4, 1e-6);
    assert_float_equal(out.meshes[0].weights[3][2], 0.0, 0.0);
    ember_arena_free(&arena);
}

TEST(a_rigid_mesh_goes_to_the_axes_of_the_parent)
{
    chain       c;
    ember_model out;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    chain_fill(&c);
    c.mesh.joints = NULL;
    c.mesh.weights = NULL;
    c.mesh.bone = 3;
    ember_reduction report;
    assert_int_equal(ember_model_reduce(&out, &report, &c.model, 1, &arena, NULL), EMBER_OK);
    assert_int_equal(report.merged_count, 3);
    assert_int_equal(out.meshes[0].bone, 0);
    /* 3 above the root */
    assert_float_equal(out.meshes[0].positions[0].y, 3.0, 1e-6);
    assert_float_equal(out.meshes[0].positions[2].y, 5.0, 1e-6);
    /* bones without vertices cost nothing; the finger's box from y 3 to 6 turns about (0, 1): its end, 5 from
       there, goes from (0, 6) to (-5, 1 + 0.51) */
    assert_float_equal(report.merged[1].error, 0.0, 0.0);
    assert_int_equal(report.worst, 2);
    assert_float_equal(report.merged[2].error, 6.720126, 1e-4); /* sqrt(5^2 + 4.49^2) */
    ember_arena_free(&arena);
}

TEST(rules)
{
    chain       c;
    ember_model out;
    ember_error err = EMBER_ERROR_INIT;
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    chain_fill(&c);
    assert_int_equal(ember_model_reduce(&out, NULL, &c.model, 0, &arena, NULL), EMBER_E_ARG);
    assert_int_equal(ember_model_reduce(&out, NULL, &c.model, 4, &arena, NULL), EMBER_OK);
    assert_ptr_equal(out.clips, c.model.clips);
    c.parents[2] = EMBER_NO_PARENT;
    assert_int_equal(ember_model_reduce(&out, NULL, &c.model, 1, &arena, &err), EMBER_E_LIMIT);
    assert_non_null(strstr(err.text, "2 roots"));
    ember_arena_free(&arena);
}
