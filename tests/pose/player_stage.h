/* SPDX-License-Identifier: MIT */
/* What the tests of the player play: clips whose pose at a time is plain arithmetic. */
#ifndef EMBER_TESTS_POSE_PLAYER_STAGE_H
#define EMBER_TESTS_POSE_PLAYER_STAGE_H

#include "testing.h"

#define STAGE_BONES 2u

/* Four clips of a second: three that loop over 4 frames, one of 5 frames that ends. */
typedef struct player_stage {
    ember_player_clip  clips[4];
    ember_player_set   set;
    ember_player       player;
    ember_transform    rest[STAGE_BONES], pose[STAGE_BONES], scratch[EMBER_PLAYER_SCRATCH(STAGE_BONES)];
    ember_transform    travel[5];
    ember_player_event events[8];
    ember_player_out   out;
} player_stage;

/* Every bone of clip c is at x = 10 c + time, and y = its number. */
static inline ember_status stage_sample(void *user, uint32_t clip, double time_s, ember_transform *pose)
{
    (void)user;
    for (uint32_t i = 0; i < STAGE_BONES; i++) {
        pose[i] = ember_transform_identity;
        pose[i].position = (ember_vec3){10.0f * (float)clip + (float)time_s, (float)i, 0.0f};
    }
    return EMBER_OK;
}

static inline void stage_make(player_stage *s)
{
    static const uint32_t     marks[2] = {0, 2};
    static const float        lower[STAGE_BONES] = {0.0f, 1.0f};
    static const float *const masks[1] = {lower};
    memset(s, 0, sizeof(*s));
    for (uint32_t i = 0; i < 4; i++)
        s->clips[i] = (ember_player_clip){.frame_count = 4, .fps = 4.0, .loop = true};
    s->clips[0].markers = marks;
    s->clips[0].marker_count = 2;
    s->clips[3].frame_count = 5;
    s->clips[3].loop = false;
    for (uint32_t i = 0; i < 5; i++) {
        s->travel[i] = ember_transform_identity;
        s->travel[i].position.x = (float)i;
    }
    for (uint32_t i = 0; i < STAGE_BONES; i++) {
        s->rest[i] = ember_transform_identity;
        s->rest[i].position.y = (float)i;
    }
    s->set = (ember_player_set){.clips = s->clips,
                                .clip_count = 4,
                                .masks = masks,
                                .mask_count = 1,
                                .rest = s->rest,
                                .bone_count = STAGE_BONES,
                                .sample = stage_sample};
    s->out = (ember_player_out){.events = s->events, .event_capacity = 8};
    ember_player_init(&s->player);
}

static inline void stage_play(player_stage *s, uint32_t layer, uint32_t clip, float fade_s)
{
    assert_int_equal(ember_player_play(&s->player, &s->set, layer, clip, fade_s), EMBER_OK);
}

static inline void stage_step(player_stage *s, double dt_s)
{
    assert_int_equal(ember_player_step(&s->player, &s->set, dt_s, &s->out), EMBER_OK);
}

/* The pose's x of both bones. */
static inline void stage_expect(player_stage *s, float x0, float x1)
{
    assert_int_equal(ember_player_pose(&s->player, &s->set, s->pose, s->scratch), EMBER_OK);
    assert_float_equal(s->pose[0].position.x, x0, 1e-5);
    assert_float_equal(s->pose[1].position.x, x1, 1e-5);
    assert_float_equal(s->pose[1].position.y, 1.0, 1e-6);
}

#endif
