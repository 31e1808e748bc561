/* SPDX-License-Identifier: MIT */
/* Motions of models and of .ewzanim files. Expected poses are by hand.
   Covers: motion.c, motion_sample.c. */
#include <math.h>

#include "fixtures/chain_model.h"
#include "fixtures/error.h"

#define NEAR 1e-6f

static ember_motion walk_of(fixture_model *f)
{
    ember_motion motion;
    fixture_fill(f);
    assert_int_equal(ember_motion_from_model(&motion, &f->model, "walk", NULL), EMBER_OK);
    return motion;
}

static void assert_position(const ember_transform *t, float x, float y, float z)
{
    assert_true(fabsf(t->position.x - x) < NEAR && fabsf(t->position.y - y) < NEAR &&
                fabsf(t->position.z - z) < NEAR);
}

TEST(motion_from_model_says_what_the_clip_says)
{
    fixture_model f;
    ember_motion  motion = walk_of(&f);
    assert_int_equal(motion.bone_count, 3);
    assert_int_equal(motion.frame_count, 4);
    assert_true(motion.fps == 24.0 && motion.loop);
    assert_int_equal(motion.space, EMBER_SPACE_LOCAL);
    assert_ptr_equal(motion.parents, f.parents);
    assert_true(ember_motion_duration(&motion) == 4.0 / 24.0); /* the last frame runs into the first */
    motion.loop = false;
    assert_true(ember_motion_duration(&motion) == 3.0 / 24.0);
}

TEST(motion_without_a_rate_has_30)
{
    fixture_model f;
    ember_motion  motion;
    fixture_fill(&f);
    f.clip.fps = 0.0;
    assert_int_equal(ember_motion_from_model(&motion, &f.model, NULL, NULL), EMBER_OK);
    assert_true(motion.fps == 30.0);
}

/* Bone b of frame f is at x = 0.25 * (3 f + b). */
TEST(motion_sample_lies_between_two_frames)
{
    fixture_model   f;
    ember_motion    motion = walk_of(&f);
    ember_transform pose[3];
    assert_int_equal(ember_motion_sample(&motion, pose, 3, 1.5 / 24.0), EMBER_OK);
    for (uint32_t b = 0; b < 3; b++)
        assert_position(&pose[b], 0.25f * (4.5f + (float)b), 0.0f, -1.5f);
}

TEST(motion_that_loops_runs_from_its_last_frame_into_its_first)
{
    fixture_model   f;
    ember_motion    motion = walk_of(&f);
    ember_transform pose[3];
    assert_int_equal(ember_motion_sample(&motion, pose, 3, 3.5 / 24.0), EMBER_OK);
    assert_position(&pose[0], 0.25f * 4.5f, 0.0f, -1.5f); /* half of 9 */
    motion.loop = false;
    assert_int_equal(ember_motion_sample(&motion, pose, 3, 9.0), EMBER_OK);
    assert_position(&pose[0], 0.25f * 9.0f, 0.0f, -1.5f);
    assert_int_equal(ember_motion_sample(&motion, pose, 3, -9.0), EMBER_OK);
    assert_position(&pose[0], 0.0f, 0.0f, -1.5f);
}

/* With a rate in 32 bits, frame 60,000 of a clip at 29.97 would be a thousandth of a frame off. */
TEST(motion_sample_hits_frames_late_in_a_long_clip)
{
    enum { COUNT = 60001 };
    fixture_model    f;
    ember_transform  pose;
    ember_transform *frames = calloc(COUNT, sizeof(*frames));
    assert_non_null(frames);
    for (uint32_t i = 0; i < COUNT; i++) {
        frames[i] = ember_transform_identity;
        frames[i].position.x = (float)i;
    }
    fixture_fill(&f);
    f.clip.fps = 30000.0 / 1001.0;
    f.clip.bone_count = f.model.skeleton.bone_count = 1;
    f.clip.frame_count = COUNT;
    f.clip.frames = frames;
    ember_motion motion;
    assert_int_equal(ember_motion_from_model(&motion, &f.model, NULL, NULL), EMBER_OK);
    assert_int_equal(ember_motion_sample(&motion, &pose, 1, 59999.0 * 1001.0 / 30000.0), EMBER_OK);
    assert_true(fabsf(pose.position.x - 59999.0f) < 1e-4f);
    free(frames);
}

TEST(motion_of_some_bones_keeps_the_rest_of_the_others)
{
    static const uint16_t foot_and_hip[2] = {2, 0};
    fixture_model         f;
    ember_motion          motion;
    ember_transform       pose[3];
    fixture_fill(&f);
    f.clip.bones = foot_and_hip;
    f.clip.bone_count = 2;
    assert_int_equal(ember_motion_from_model(&motion, &f.model, "walk", NULL), EMBER_OK);
    assert_int_equal(motion.bone_count, 3);
    assert_int_equal(ember_motion_sample(&motion, pose, 3, 0.5 / 24.0), EMBER_OK);
    assert_position(&pose[0], 0.25f * 2.0f, 0.0f, -1.5f); /* the clip's second bone, between 1 and 3 */
    assert_position(&pose[1], 0.0f, -0.5f, 0.0f);
    assert_position(&pose[2], 0.25f * 1.0f, 0.0f, -1.5f); /* its first, between 0 and 2 */
}

TEST(motion_of_some_bones_in_model_space_carries_the_others_along)
{
    static const uint16_t hip[1] = {0};
    fixture_model         f;
    ember_motion          motion;
    ember_transform       pose[3];
    fixture_fill(&f);
    f.clip.bones = hip;
    f.clip.bone_count = 1;
    f.clip.space = EMBER_SPACE_MODEL;
    f.frames[0] = f.frames[1] = ember_transform_identity;
    f.frames[0].position.x = f.frames[1].position.x = 2.0f;
    /* A quarter turn about z takes the legs, which hang down by 0.5 each, to the right. */
    f.frames[0].rotation = f.frames[1].rotation = (ember_quat){0.0f, 0.0f, 0.70710678f, 0.70710678f};
    assert_int_equal(ember_motion_from_model(&motion, &f.model, NULL, NULL), EMBER_OK);
    assert_int_equal(ember_motion_sample(&motion, pose, 3, 0.0), EMBER_OK);
    assert_position(&pose[0], 2.0f, 0.0f, 0.0f);
    assert_position(&pose[1], 2.5f, 0.0f, 0.0f);
    assert_position(&pose[2], 3.0f, 0.0f, 0.0f);
}

TEST(motion_matrices_compose_a_local_pose)
{
    fixture_model f;
    ember_motion  motion = walk_of(&f);
    ember_mat34   out[3];
    assert_int_equal(ember_motion_matrices(&motion, out, f.rest), EMBER_OK);
    assert_true(out[2].m[7] == 0.0f); /* 1 - 0.5 - 0.5 */
    motion.space = EMBER_SPACE_MODEL;
    assert_int_equal(ember_motion_matrices(&motion, out, f.rest), EMBER_OK);
    assert_true(out[2].m[7] == -0.5f);
    motion.space = EMBER_SPACE_LOCAL;
    motion.parents = NULL;
    assert_int_equal(ember_motion_matrices(&motion, out, f.rest), EMBER_E_ARG);
}

TEST(motion_matrices_compose_by_a_rig)
{
    fixture_model f;
    ember_motion  motion = walk_of(&f);
    ember_mat34   out[3];
    uint16_t      memory[12];
    ember_rig     rig, other;
    assert_int_equal(ember_rig_make(&rig, motion.parents, 3, memory, sizeof(memory)), EMBER_OK);
    motion.rig = &rig;
    motion.parents = NULL;
    assert_int_equal(ember_motion_matrices(&motion, out, f.rest), EMBER_OK);
    assert_true(out[2].m[7] == 0.0f);
    other = rig;
    other.bone_count = 4;
    motion.rig = &other;
    assert_int_equal(ember_motion_matrices(&motion, out, f.rest), EMBER_E_ARG);
}

TEST(motion_sample_refuses_a_small_pose_and_a_time_that_is_no_number)
{
    fixture_model   f;
    ember_motion    motion = walk_of(&f);
    ember_transform pose[3] = {{{9, 9, 9, 9}, {9, 9, 9}, {9, 9, 9}}}, before = pose[0];
    assert_int_equal(ember_motion_sample(&motion, pose, 2, 0.0), EMBER_E_ARG);
    assert_int_equal(ember_motion_sample(&motion, NULL, 3, 0.0), EMBER_E_ARG);
    assert_int_equal(ember_motion_sample(&motion, pose, 3, (double)NAN), EMBER_E_ARG);
    assert_int_equal(ember_motion_sample(&motion, pose, 3, (double)INFINITY), EMBER_E_ARG);
    motion.fps = 0.0;
    assert_int_equal(ember_motion_sample(&motion, pose, 3, 0.0), EMBER_E_ARG);
    assert_memory_equal(&pose[0], &before, sizeof(before));
}

TEST(motion_from_model_names_the_clips_where_one_is_missing)
{
    fixture_model f;
    ember_motion  motion;
    ember_error   err = EMBER_ERROR_INIT;
    fixture_fill(&f);
    assert_int_equal(ember_motion_from_model(&motion, &f.model, "run", &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "\"run\""));
    assert_non_null(strstr(err.text, "\"walk\""));
    err = (ember_error)EMBER_ERROR_INIT;
    f.model.clip_count = 0;
    assert_int_equal(ember_motion_from_model(&motion, &f.model, NULL, &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "no clips"));
}

TEST(motion_from_model_cuts_a_long_list_of_names)
{
    static ember_clip clips[100];
    fixture_model     f;
    ember_motion      motion;
    ember_error       err = EMBER_ERROR_INIT;
    fixture_fill(&f);
    for (uint32_t i = 0; i < 100; i++) {
        clips[i] = f.clip;
        clips[i].name = "a_name_of_some_length";
    }
    f.model.clips = clips;
    f.model.clip_count = 100;
    assert_int_equal(ember_motion_from_model(&motion, &f.model, "run", &err), EMBER_E_ARG);
    assert_string_equal(err.text + strlen(err.text) - 5, ", ...");
}

TEST(motion_from_model_refuses_a_clip_without_frames)
{
    fixture_model f;
    ember_motion  motion;
    ember_error   err = EMBER_ERROR_INIT;
    fixture_fill(&f);
    f.clip.frame_count = 0;
    assert_int_equal(ember_motion_from_model(&motion, &f.model, "walk", &err), EMBER_E_ARG);
    assert_non_null(strstr(err.text, "no frames"));
}

/* ---- .ewzanim ---- */

/* 1 bone, 2 frames: identity at x = 0 and x = 1. The word of identity is errata 2's; 0x3c00
   is 1 as a half. */
/* header */
static const uint8_t two_frames[4 + 32] = {1, 0,    2, 0,    0x03, 0x08, 0x20, 0x80, 0,    0,    0,    0,
                                           0, 0,    0, 0x3c, 0,    0x3c, 0,    0x3c, 0x03, 0x08, 0x20, 0x80,
                                           0, 0x3c, 0, 0,    0,    0,    0,    0x3c, 0,    0x3c, 0,    0x3c};

TEST(motion_from_ewzanim_plays)
{
    ember_motion    motion;
    ember_transform pose;
    assert_int_equal(ember_motion_from_ewzanim(&motion, two_frames, sizeof(two_frames), 10.0, NULL),
                     EMBER_OK);
    assert_int_equal(motion.bone_count, 1);
    assert_int_equal(motion.frame_count, 2);
    assert_int_equal(motion.space, EMBER_SPACE_MODEL);
    assert_false(motion.loop);
    assert_int_equal(ember_motion_sample(&motion, &pose, 1, 0.025), EMBER_OK);
    assert_position(&pose, 0.25f, 0.0f, 0.0f);
    assert_int_equal(ember_motion_from_ewzanim(&motion, two_frames, sizeof(two_frames), 0.0, NULL), EMBER_OK);
    assert_true(motion.fps == 30.0);
}

TEST(motion_from_ewzanim_checks_all_four_rules)
{
    ember_motion motion;
    uint8_t      bad[sizeof(two_frames) + 1];
    for (size_t size = 0; size < sizeof(two_frames); size++)
        assert_int_equal(ember_motion_from_ewzanim(&motion, two_frames, size, 0.0, NULL), EMBER_E_TRUNCATED);
    memcpy(bad, two_frames, sizeof(two_frames));
    assert_int_equal(ember_motion_from_ewzanim(&motion, bad, sizeof(bad), 0.0, NULL), EMBER_E_MALFORMED);
    static const uint8_t headers[3][4] = {{0, 0, 2, 0}, {1, 1, 2, 0}, {1, 0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        memcpy(bad, headers[i], 4);
        assert_int_equal(ember_motion_from_ewzanim(&motion, bad, sizeof(two_frames), 0.0, NULL),
                         EMBER_E_MALFORMED);
    }
}

TEST(motion_from_ewzanim_refuses_a_rate_that_is_none)
{
    ember_motion motion;
    assert_int_equal(ember_motion_from_ewzanim(&motion, two_frames, sizeof(two_frames), -1.0, NULL),
                     EMBER_E_ARG);
    assert_int_equal(ember_motion_from_ewzanim(&motion, two_frames, sizeof(two_frames), (double)NAN, NULL),
                     EMBER_E_ARG);
}
