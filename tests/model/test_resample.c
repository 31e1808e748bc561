/* SPDX-License-Identifier: MIT */
/* A clip at another rate: counts, times, ends, loops, markers. Expected values are by hand. */
#include <math.h>

#include "testing.h"

#define DEGREE 0.017453292519943295f

/* One bone that goes along x by 1 a frame and turns about y by 10 degrees a frame. */
static ember_clip travel(ember_transform *frames, uint32_t count, double fps, bool loop)
{
    for (uint32_t i = 0; i < count; i++) {
        frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        frames[i].position.x = (float)i;
        frames[i].rotation = ember_quat_from_axis_angle((ember_vec3){0, 1, 0}, 10.0f * DEGREE * (float)i);
    }
    return (ember_clip){.name = "travel",
                        .fps = fps,
                        .loop = loop,
                        .space = EMBER_SPACE_LOCAL,
                        .bone_count = 1,
                        .frame_count = count,
                        .frames = frames};
}

static ember_clip resampled(const ember_clip *clip, double fps, ember_arena *arena)
{
    ember_clip out;
    assert_int_equal(ember_clip_resample(&out, clip, fps, arena), EMBER_OK);
    return out;
}

TEST(resampling_to_half_the_rate_takes_every_other_frame)
{
    ember_transform frames[9];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 9, 60.0, false), out = resampled(&clip, 30.0, &arena);
    assert_int_equal(out.frame_count, 5); /* 8/60 s at 30 a second are 4 steps */
    for (uint32_t i = 0; i < 5; i++)
        assert_memory_equal(&out.frames[i], &frames[2 * i], sizeof(frames[0]));
    assert_true(out.fps == 30.0);
    ember_arena_free(&arena);
}

TEST(resampling_to_twice_the_rate_lies_half_way)
{
    ember_transform frames[3];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 3, 15.0, false), out = resampled(&clip, 30.0, &arena);
    assert_int_equal(out.frame_count, 5);
    ember_quat five = ember_quat_from_axis_angle((ember_vec3){0, 1, 0}, 5.0f * DEGREE);
    assert_true(fabsf(out.frames[1].position.x - 0.5f) < 1e-6f);
    assert_true(fabsf(out.frames[1].rotation.y - five.y) < 1e-6f);
    assert_true(fabsf(out.frames[3].position.x - 1.5f) < 1e-6f);
    ember_arena_free(&arena);
}

TEST(the_last_frame_is_the_end_even_off_the_grid)
{
    ember_transform frames[8];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 8, 60.0, false), out = resampled(&clip, 24.0, &arena);
    assert_int_equal(out.frame_count, 4);          /* 7/60 s * 24 = 2.8, so 3 steps */
    assert_true(out.frames[3].position.x == 7.0f); /* frame 3 would be at 7.5 */
    assert_true(fabsf(out.frames[2].position.x - 5.0f) < 1e-5f);
    ember_arena_free(&arena);
}

TEST(a_loop_runs_from_its_last_frame_into_its_first)
{
    ember_transform frames[4];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 4, 30.0, true), out = resampled(&clip, 60.0, &arena);
    assert_int_equal(out.frame_count, 8);
    assert_true(fabsf(out.frames[7].position.x - 1.5f) < 1e-6f); /* half way from 3 to 0 */
    assert_true(out.loop);
    ember_arena_free(&arena);
}

TEST(markers_go_to_the_nearest_frame)
{
    ember_transform frames[9];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 9, 60.0, false);
    ember_marker    markers[] = {{"a", 0}, {"b", 3}, {"c", 8}};
    clip.markers = markers;
    clip.marker_count = 3;
    ember_clip out = resampled(&clip, 30.0, &arena);
    assert_int_equal(out.markers[0].frame, 0);
    assert_int_equal(out.markers[1].frame, 2); /* 1.5 */
    assert_int_equal(out.markers[2].frame, 4);
    ember_arena_free(&arena);
}

TEST(clips_without_rate_or_frames_stay_as_they_are)
{
    ember_transform frames[2];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 2, 0.0, false), out = resampled(&clip, 24.0, &arena);
    assert_int_equal(out.frame_count, 2);
    assert_ptr_equal(out.frames, frames);
    clip = (ember_clip){.name = "empty", .fps = 30.0, .space = EMBER_SPACE_LOCAL};
    out = resampled(&clip, 24.0, &arena);
    assert_int_equal(out.frame_count, 0);
    ember_arena_free(&arena);
}

TEST(rates_that_cannot_be_are_refused)
{
    ember_transform frames[2];
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_clip      clip = travel(frames, 2, 30.0, false), out;
    assert_int_equal(ember_clip_resample(&out, &clip, 0.0, &arena), EMBER_E_ARG);
    assert_int_equal(ember_clip_resample(&out, &clip, -1.0, &arena), EMBER_E_ARG);
    assert_int_equal(ember_clip_resample(&out, &clip, (double)NAN, &arena), EMBER_E_ARG);
    assert_int_equal(ember_clip_resample(&out, &clip, 1e12, &arena), EMBER_E_LIMIT);
    ember_arena_free(&arena);
}
