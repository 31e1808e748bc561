/* SPDX-License-Identifier: MIT */
/* Cameras: the whole motion fills the picture up to the margin, and what walks away is followed. */
#include "scene/camera.h"

#include "stick.h"

#define IDENTITY                               \
    {                                          \
        {                                      \
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 \
        }                                      \
    }

/* The motion is 4 wide and 3.18 high (the tip is drawn 0.06 of 3 beyond its joint), all of it at z = 0. So
   seen from the front in a square picture, its sides are where the margin is. */
TEST(the_wider_side_reaches_to_the_margins)
{
    ember_clip  clip = stick_clip();
    ember_model model = stick_model(&clip);
    actor       a;
    camera      c = {.aspect = 1.0, .margin = 0.05, .up = IDENTITY};
    ember_mat34 view;
    ember_mat44 projection;
    ember_vec3  around;
    double      at[2];
    actor_open(&a, &model, &clip, NULL);
    camera_frame(&c, &a, NULL);
    assert_false(c.follows);
    assert_float_equal(c.low, 0.0f, 1e-6);
    assert_float_equal(c.high, 3.18f, 0.02);
    camera_matrices(&c, &a, 0, &view, &projection, &around);
    assert_true(camera_project(&view, &projection, (ember_vec3){0.0f, 0.0f, 0.0f}, 1000.0, 1000.0, at));
    assert_float_equal((float)at[0], 50.0f, 0.1);
    assert_true(at[1] > 500.0 && at[1] < 950.0); /* y is down the picture */
    assert_true(camera_project(&view, &projection, (ember_vec3){4.0f, 3.0f, 0.0f}, 1000.0, 1000.0, at));
    assert_float_equal((float)at[0], 950.0f, 0.1);
    assert_true(at[1] < 500.0 && at[1] > 50.0);
    assert_float_equal(around.x, 2.0f, 1e-3);
    assert_float_equal(around.y, 0.0f, 1e-6);
    actor_close(&a);
}

TEST(what_is_behind_the_camera_is_nowhere)
{
    ember_clip  clip = stick_clip();
    ember_model model = stick_model(&clip);
    actor       a;
    camera      c = {.aspect = 1.0, .margin = 0.05, .up = IDENTITY};
    ember_mat34 view;
    ember_mat44 projection;
    ember_vec3  around;
    double      at[2];
    actor_open(&a, &model, &clip, NULL);
    camera_frame(&c, &a, NULL);
    camera_matrices(&c, &a, 0, &view, &projection, &around);
    assert_false(camera_project(&view, &projection, (ember_vec3){0.0f, 0.0f, 1000.0f}, 100.0, 100.0, at));
    actor_close(&a);
}

TEST(panning_moves_the_picture_by_lengths_of_the_model)
{
    ember_clip  clip = stick_clip();
    ember_model model = stick_model(&clip);
    actor       a;
    camera      c = {.aspect = 1.0, .margin = 0.0, .up = IDENTITY};
    ember_mat34 view;
    ember_mat44 projection;
    ember_vec3  around;
    double      at[2];
    actor_open(&a, &model, &clip, NULL);
    camera_frame(&c, &a, NULL);
    camera_pan(&c, 2.0, 0.0); /* half of the motion's width: its left end leaves by half a picture */
    camera_matrices(&c, &a, 0, &view, &projection, &around);
    assert_true(camera_project(&view, &projection, (ember_vec3){4.0f, 0.0f, 0.0f}, 1000.0, 1000.0, at));
    assert_float_equal((float)at[0], 500.0f, 0.1);
    actor_close(&a);
}

TEST(what_walks_away_is_followed)
{
    ember_transform frames[6];
    ember_clip      clip = stick_clip();
    memcpy(frames, stick_frames, sizeof(frames));
    frames[3].position.x = 40.0f;
    clip.frames = frames;
    ember_model model = stick_model(&clip);
    actor       a;
    camera      c = {.aspect = 1.0, .margin = 0.05, .up = IDENTITY};
    actor_open(&a, &model, &clip, NULL);
    camera_frame(&c, &a, NULL);
    assert_true(c.follows);
    actor_close(&a);
}

TEST(numbers_that_are_not_finite_do_not_count)
{
    ember_transform frames[6];
    ember_clip      clip = stick_clip();
    memcpy(frames, stick_frames, sizeof(frames));
    frames[3].position.x = (float)(1e30 * 1e30);
    clip.frames = frames;
    ember_model model = stick_model(&clip);
    actor       a;
    camera      c = {.aspect = 1.0, .margin = 0.05, .up = IDENTITY};
    actor_open(&a, &model, &clip, NULL);
    camera_frame(&c, &a, NULL);
    assert_true(c.distance > 0.0 && c.distance < 100.0);
    assert_float_equal(c.high, 3.18f, 0.02);
    actor_close(&a);
}
