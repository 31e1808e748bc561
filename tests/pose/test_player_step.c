/* SPDX-License-Identifier: MIT */
/* Markers, ends and travel of a step. Clip 0 is a second of four frames that loop, with markers at 0 and at
   half a second. */
#include "player_stage.h"

static void expect_markers(const player_stage *s, uint32_t count, uint32_t a, uint32_t b)
{
    const uint32_t wanted[2] = {a, b};
    assert_int_equal(s->out.event_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(s->events[i].kind, EMBER_PLAYER_MARKER);
        assert_int_equal(s->events[i].marker, wanted[i]);
    }
}

TEST(a_step_lists_the_markers_that_it_passed)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    stage_step(&s, 0.25);
    expect_markers(&s, 1, 0, 0); /* where it began */
    stage_step(&s, 0.25);
    expect_markers(&s, 1, 1, 0); /* exactly at half a second */
    stage_step(&s, 0.25);
    expect_markers(&s, 0, 0, 0);
    stage_step(&s, 0.25);
    expect_markers(&s, 1, 0, 0); /* the end of the round is the start of the next */
    stage_step(&s, 0.25);
    expect_markers(&s, 0, 0, 0);
    stage_step(&s, 5.0);
    expect_markers(&s, 2, 0, 1); /* each once */
    stage_step(&s, 0.0);
    expect_markers(&s, 0, 0, 0);
}

TEST(a_step_backwards_passes_markers_too)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    stage_step(&s, 0.75);
    s.player.layers[0].tracks[0].speed = -1.0f;
    stage_step(&s, 0.25);
    expect_markers(&s, 1, 1, 0);
    stage_step(&s, 0.25);
    expect_markers(&s, 0, 0, 0);
    stage_step(&s, 0.25);
    expect_markers(&s, 1, 0, 0);
    stage_step(&s, 0.25);
    expect_markers(&s, 0, 0, 0);
}

TEST(a_clip_without_a_loop_ends_once)
{
    static const uint32_t last[1] = {4};
    player_stage          s;
    stage_make(&s);
    s.clips[3].markers = last;
    s.clips[3].marker_count = 1;
    stage_play(&s, 2, 3, 0.0f);
    stage_step(&s, 0.75);
    assert_int_equal(s.out.event_count, 0);
    stage_step(&s, 0.75);
    assert_int_equal(s.out.event_count, 2);
    assert_int_equal(s.events[0].kind, EMBER_PLAYER_MARKER);
    assert_int_equal(s.events[1].kind, EMBER_PLAYER_END);
    assert_int_equal(s.events[1].layer, 2);
    assert_int_equal(s.events[1].clip, 3);
    assert_true(s.events[1].weight == 1.0f);
    stage_step(&s, 0.75);
    assert_int_equal(s.out.event_count, 0);
}

TEST(events_beyond_the_capacity_are_counted)
{
    player_stage s;
    stage_make(&s);
    stage_play(&s, 0, 0, 0.0f);
    s.out.event_capacity = 1;
    s.events[1].marker = 77;
    stage_step(&s, 1.0);
    assert_int_equal(s.out.event_count, 2);
    assert_int_equal(s.events[1].marker, 77);
}

static void expect_travel(const player_stage *s, float x, float z)
{
    assert_float_equal(s->out.travel.position.x, x, 1e-4);
    assert_float_equal(s->out.travel.position.y, 0.0f, 1e-4);
    assert_float_equal(s->out.travel.position.z, z, 1e-4);
}

/* 0 1 2 3, and the step back to the start is 1 too: 4 in a second. */
TEST(travel_goes_on_over_the_loop)
{
    player_stage s;
    stage_make(&s);
    s.clips[0].travel = s.travel;
    s.clips[0].travel_count = 4;
    stage_play(&s, 0, 0, 0.0f);
    stage_step(&s, 0.5);
    expect_travel(&s, 2.0f, 0.0f);
    stage_step(&s, 2.25);
    expect_travel(&s, 9.0f, 0.0f);
    s.player.layers[0].tracks[0].speed = -1.0f;
    stage_step(&s, 1.5);
    expect_travel(&s, -6.0f, 0.0f);
}

/* A round is 1 along x and then a quarter turn about y, which turns x to -z: two rounds end at 1 0 -1. */
TEST(travel_turns_with_the_character)
{
    player_stage s;
    stage_make(&s);
    for (uint32_t i = 0; i < 5; i++)
        s.travel[i] = ember_transform_identity;
    s.travel[4].position.x = 1.0f;
    s.travel[4].rotation = (ember_quat){0.0f, 0.70710678f, 0.0f, 0.70710678f};
    s.clips[0].travel = s.travel;
    s.clips[0].travel_count = 5;
    stage_play(&s, 0, 0, 0.0f);
    stage_step(&s, 2.0);
    expect_travel(&s, 1.0f, -1.0f);
    assert_float_equal(s.out.travel.rotation.y, 1.0f, 1e-5);
    stage_step(&s, 2.0);
    expect_travel(&s, 1.0f, -1.0f); /* in the character's own axes again */
}

TEST(travel_is_mixed_by_weight_and_only_of_layer_0)
{
    player_stage s;
    stage_make(&s);
    s.clips[0].travel = s.clips[3].travel = s.travel;
    s.clips[0].travel_count = 4;
    s.clips[3].travel_count = 5;
    stage_play(&s, 0, 1, 0.0f); /* stays where it is */
    stage_play(&s, 0, 0, 1.0f);
    stage_play(&s, 1, 3, 0.0f);
    stage_step(&s, 0.25);
    expect_travel(&s, 0.25f, 0.0f); /* a quarter of 1 */
    s.clips[0].travel_count = 3;
    assert_int_equal(ember_player_step(&s.player, &s.set, 0.25, &s.out), EMBER_E_ARG);
}
