/* SPDX-License-Identifier: MIT */
/* Playing, fading, mixing by hand, layers: arithmetic over x = 10 clip + time. Covers: player_pose.c. */
#include <math.h>

#include "player_stage.h"

static void expect_weights(const ember_player_layer *layer, uint32_t count, float a, float b, float c)
{
    const float wanted[3] = {a, b, c};
    assert_int_equal(layer->track_count, count);
    for (uint32_t i = 0; i < count; i++)
        assert_float_equal(layer->tracks[i].weight, wanted[i], 1e-6);
}

TEST(a_player_of_nothing_is_at_rest)
{
    player_stage s;
    stage_make(&s);
    stage_step(&s, 1.0);
    stage_expect(&s, 0.0f, 0.0f);
    s.set.rest = NULL;
    assert_int_equal(ember_player_pose(&s.player, &s.set, s.pose, s.scratch), EMBER_OK);
    assert_true(s.pose[1].position.y == 0.0f && s.pose[1].rotation.w == 1.0f && s.pose[1].scale.z == 1.0f);
}

TEST(a_clip_plays_and_loops)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 1, 0.0f);
    stage_expect(&s, 10.0f, 10.0f);
    stage_step(&s, 0.75);
    stage_expect(&s, 10.75f, 10.75f);
    stage_step(&s, 2.5); /* 3.25 is 0.25 of the fourth round */
    stage_expect(&s, 10.25f, 10.25f);
    s.player.layers[0].tracks[0].speed = -2.0f;
    stage_step(&s, 0.25);
    stage_expect(&s, 10.75f, 10.75f);
}

TEST(a_clip_that_does_not_loop_holds_its_ends)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 3, 0.0f);
    stage_step(&s, 7.0);
    stage_expect(&s, 31.0f, 31.0f);
    s.player.layers[0].tracks[0].speed = -1.0f;
    stage_step(&s, 7.0);
    stage_expect(&s, 30.0f, 30.0f);
}

TEST(a_cross_fade_is_linear_and_ends)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    stage_play(&s, 0, 1, 0.5f);
    stage_step(&s, 0.125);
    expect_weights(&s.player.layers[0], 2, 0.75f, 0.25f, 0.0f);
    stage_expect(&s, 0.125f + 2.5f, 0.125f + 2.5f);
    stage_step(&s, 0.375);
    expect_weights(&s.player.layers[0], 1, 1.0f, 0.0f, 0.0f);
    assert_int_equal(s.player.layers[0].tracks[0].clip, 1);
}

/* 0.5 and 0.5 go to 0 while the third goes to 1: after half the time 0.25, 0.25 and 0.5. */
TEST(a_fade_that_is_interrupted_does_not_jump)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    stage_play(&s, 0, 1, 0.5f);
    stage_step(&s, 0.25);
    stage_play(&s, 0, 2, 1.0f);
    stage_expect(&s, 5.25f, 5.25f);
    stage_step(&s, 0.5);
    expect_weights(&s.player.layers[0], 3, 0.25f, 0.25f, 0.5f);
    stage_step(&s, 0.5);
    expect_weights(&s.player.layers[0], 1, 1.0f, 0.0f, 0.0f);
}

TEST(of_too_many_clips_the_lightest_ends)
{
    player_stage s;
    stage_make(&s);
    ember_player_clip five[5];
    memcpy(five, s.clips, sizeof(s.clips));
    five[4] = five[0];
    s.set.clips = five;
    s.set.clip_count = 5;
    stage_play(&s, 0, 0, 0.0f);
    for (uint32_t i = 1; i < 4; i++) {
        stage_play(&s, 0, i, 1.0f);
        stage_step(&s, 0.25);
    }
    assert_int_equal(s.player.layers[0].track_count, 4);
    /* 0.75 of 0.75 of 0.75, then 0.25 less of each: clip 1 has 0.25 * 0.75 * 0.75 */
    stage_play(&s, 0, 4, 1.0f);
    assert_int_equal(s.player.layers[0].track_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(s.player.layers[0].tracks[i].clip != 1);
    assert_int_equal(s.player.layers[0].tracks[3].clip, 4);
}

TEST(weights_by_hand_are_a_mean)
{
    player_stage s;
    stage_make(&s);
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 0, 0.25f, 0.0f), EMBER_OK);
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 1, 0.75f, 0.0f), EMBER_OK);
    stage_expect(&s, 7.5f, 7.5f);
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 1, 0.25f, 0.0f), EMBER_OK);
    stage_expect(&s, 5.0f, 5.0f); /* a quarter each */
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 0, 0.0f, 0.0f), EMBER_OK);
    expect_weights(&s.player.layers[0], 1, 0.25f, 0.0f, 0.0f);
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 1, 1.0f, 3.0f), EMBER_OK);
    stage_step(&s, 1.0);
    expect_weights(&s.player.layers[0], 1, 0.5f, 0.0f, 0.0f);
}

TEST(a_full_layer_takes_no_more_weights)
{
    player_stage      s;
    ember_player_clip five[5];
    stage_make(&s);
    for (uint32_t i = 0; i < 5; i++)
        five[i] = s.clips[0];
    s.set.clips = five;
    s.set.clip_count = 5;
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, i, 1.0f, 0.0f), EMBER_OK);
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 4, 1.0f, 0.0f), EMBER_E_LIMIT);
}

TEST(a_layer_with_a_mask_moves_only_its_bones)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    stage_play(&s, 1, 2, 0.0f);
    s.player.layers[1].mask = 1;
    s.player.layers[1].weight = 0.5f;
    stage_expect(&s, 0.0f, 10.0f);
    s.player.layers[1].mask = 0;
    stage_expect(&s, 10.0f, 10.0f);
}

TEST(a_layer_fades_in_with_its_clips)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    s.player.layers[0].tracks[0].speed = 0.0f;
    stage_play(&s, 2, 1, 1.0f);
    s.player.layers[2].tracks[0].speed = 0.0f;
    stage_step(&s, 0.25);
    stage_expect(&s, 2.5f, 2.5f);
}

TEST(an_additive_layer_adds_its_difference_from_rest)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 1, 0.0f);
    stage_play(&s, 1, 2, 0.0f);
    s.player.layers[1].additive = 1;
    s.player.layers[1].weight = 0.25f;
    stage_expect(&s, 15.0f, 15.0f); /* 10 and a quarter of 20; y stays, being that of rest */
    s.player.layers[1].mask = 1;
    stage_expect(&s, 10.0f, 15.0f);
}

TEST(wrong_calls_change_nothing)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    ember_player before = s.player;
    assert_int_equal(ember_player_play(&s.player, &s.set, 4, 0, 0.0f), EMBER_E_ARG);
    assert_int_equal(ember_player_play(&s.player, &s.set, 0, 4, 0.0f), EMBER_E_ARG);
    assert_int_equal(ember_player_play(&s.player, &s.set, 0, 0, -1.0f), EMBER_E_ARG);
    assert_int_equal(ember_player_weigh(&s.player, &s.set, 0, 0, 1.5f, 0.0f), EMBER_E_ARG);
    assert_int_equal(ember_player_step(&s.player, &s.set, -1.0, NULL), EMBER_E_ARG);
    assert_int_equal(ember_player_step(&s.player, &s.set, (double)INFINITY, NULL), EMBER_E_ARG);
    assert_int_equal(ember_player_step(&s.player, &s.set, 1e300, NULL), EMBER_E_ARG);
    s.clips[1].fps = 0.0;
    assert_int_equal(ember_player_play(&s.player, &s.set, 0, 1, 0.0f), EMBER_E_ARG);
    assert_memory_equal(&before, &s.player, sizeof(before));
    s.player.layers[3].additive = 1;
    s.set.rest = NULL;
    assert_int_equal(ember_player_pose(&s.player, &s.set, s.pose, s.scratch), EMBER_E_ARG);
    s.player = before;
    s.player.layers[0].mask = 2;
    assert_int_equal(ember_player_step(&s.player, &s.set, 0.0, NULL), EMBER_E_ARG);
}
