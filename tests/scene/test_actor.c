/* SPDX-License-Identifier: MIT */
/* Actors: where bones are in a frame, what a clip leaves out, and where vertices go. All
   places are by hand. */
#include "stick.h"

static void expect_place(const ember_mat34 *m, float x, float y, float z)
{
    assert_float_equal(m->m[3], x, 1e-6);
    assert_float_equal(m->m[7], y, 1e-6);
    assert_float_equal(m->m[11], z, 1e-6);
}

TEST(a_frame_is_composed_down_the_bones)
{
    ember_clip  clip = stick_clip();
    ember_model model = stick_model(&clip);
    actor       a;
    ember_mat34 pose[3];
    actor_open(&a, &model, &clip, NULL);
    assert_int_equal(a.frame_count, 2);
    assert_true(a.linked);
    assert_true(actor_pose(&a, 1, pose));
    expect_place(&pose[0], 4.0f, 0.0f, 0.0f);
    expect_place(&pose[1], 4.0f, 1.0f, 0.0f);
    expect_place(&pose[2], 4.0f, 3.0f, 0.0f);
    actor_close(&a);
}

TEST(without_a_clip_there_is_one_frame_of_rest)
{
    ember_clip  clip = stick_clip();
    ember_model model = stick_model(&clip);
    actor       a;
    ember_mat34 pose[3];
    actor_open(&a, &model, NULL, NULL);
    assert_int_equal(a.frame_count, 1);
    assert_true(actor_pose(&a, 0, pose));
    expect_place(&pose[2], 0.0f, 3.0f, 0.0f);
    actor_close(&a);
}

TEST(bones_that_a_clip_does_not_have_follow_their_parents)
{
    static const ember_transform frames[2] = {STICK_AT(0.0f, 0.0f, 0.0f), STICK_AT(0.0f, 0.0f, 7.0f)};
    ember_clip                   clip = stick_clip();
    clip.bone_count = 1;
    clip.frames = frames;
    ember_model model = stick_model(&clip);
    actor       a;
    ember_mat34 pose[3];
    actor_open(&a, &model, &clip, NULL);
    assert_true(actor_pose(&a, 1, pose));
    expect_place(&pose[0], 0.0f, 0.0f, 7.0f);
    expect_place(&pose[2], 0.0f, 3.0f, 7.0f);
    actor_close(&a);
}

/* The tip's parent is 2 below it: half of that is 1, and 0.06 of a size of 10 is less. */
TEST(only_bones_without_children_go_beyond_their_joint)
{
    ember_clip  clip = stick_clip();
    ember_model model = stick_model(&clip);
    actor       a;
    ember_mat34 pose[3];
    ember_vec3  along;
    actor_open(&a, &model, &clip, NULL);
    assert_true(actor_pose(&a, 0, pose));
    assert_false(actor_end(&a, pose, 0, 10.0f, &along));
    assert_false(actor_end(&a, pose, 1, 10.0f, &along));
    assert_true(actor_end(&a, pose, 2, 10.0f, &along));
    assert_float_equal(along.x, 0.0f, 1e-6);
    assert_float_equal(along.y, 0.6f, 1e-6);
    assert_true(actor_end(&a, pose, 2, 1000.0f, &along));
    assert_float_equal(along.y, 1.0f, 1e-6);
    actor_close(&a);
}

TEST(a_rigid_vertex_follows_its_bone)
{
    static const ember_vec3 positions[1] = {{0.0f, 0.5f, 0.0f}};
    ember_clip              clip = stick_clip();
    ember_model             model = stick_model(&clip);
    ember_mesh              mesh = {.name = "", .vertex_count = 1, .positions = positions, .bone = 1};
    actor                   a;
    ember_mat34             pose[3];
    actor_open(&a, &model, &clip, &model);
    assert_true(actor_pose(&a, 1, pose));
    ember_vec3 at = actor_vertex(&a, &mesh, 0, pose);
    assert_float_equal(at.x, 4.0f, 1e-6);
    assert_float_equal(at.y, 1.5f, 1e-6);
    actor_close(&a);
}
