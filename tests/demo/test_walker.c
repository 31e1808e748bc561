/* SPDX-License-Identifier: MIT */
/* The demo's character moves as a person does: legs reach where the clip wants the ankles, a foot on the
   ground neither sinks nor slides, bones keep their lengths, and loops close. What is expected follows from
   bodies and ground, not from the code.
   Covers: character.c, clips.c. */
#include <math.h>
#include <string.h>

#include "testing.h"
#include "walker.h"

enum { STEPS = 120 };

/* Legs that are nearly stretched stop short of their target, so that knees never snap. */
static const float soft = 0.015f;

typedef struct posed {
    ember_transform local[WALKER_BONES], model[WALKER_BONES];
} posed;

static const walker_clip *clip_named(const char *name)
{
    for (uint32_t i = 0; i < walker_clip_count; i++)
        if (strcmp(walker_clips[i].name, name) == 0)
            return &walker_clips[i];
    fail_msg("no clip %s", name);
    return NULL;
}

static posed posed_at(const walker_rig *rig, const walker_clip *clip, float phase)
{
    posed       out;
    walker_pose pose = clip->pose_at(phase);
    walker_pose_solve(out.local, rig, &pose);
    for (uint32_t i = 0; i < WALKER_BONES; i++)
        out.model[i] = rig->parents[i] < 0 ? out.local[i]
                                           : ember_transform_mul(&out.model[rig->parents[i]], &out.local[i]);
    return out;
}

static float apart(ember_vec3 a, ember_vec3 b)
{
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrtf(x * x + y * y + z * z);
}

TEST(there_are_five_clips)
{
    static const char *const names[] = {"idle", "walk", "run", "wave", "jump"};
    assert_int_equal(walker_clip_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(walker_clips[i].name, names[i]);
}

TEST(loops_close)
{
    walker_rig rig;
    walker_rig_make(&rig);
    for (uint32_t i = 0; i < walker_clip_count; i++) {
        if (!walker_clips[i].loop)
            continue;
        posed first = posed_at(&rig, &walker_clips[i], 0.0f), again = posed_at(&rig, &walker_clips[i], 1.0f);
        for (uint32_t k = 0; k < WALKER_BONES; k++)
            assert_true(apart(first.model[k].position, again.model[k].position) < 1e-4f);
    }
}

TEST(bones_keep_their_lengths)
{
    walker_rig rig;
    walker_rig_make(&rig);
    for (uint32_t i = 0; i < walker_clip_count; i++)
        for (int step = 0; step <= STEPS; step++) {
            posed p = posed_at(&rig, &walker_clips[i], (float)step / STEPS);
            for (uint32_t k = SPINE; k < WALKER_BONES; k++)
                assert_true(apart(p.local[k].position, rig.rest[k].position) < 1e-5f);
        }
}

TEST(legs_reach_where_the_walk_wants_the_ankles)
{
    walker_rig         rig;
    const walker_clip *walk = clip_named("walk");
    walker_rig_make(&rig);
    for (int step = 0; step <= STEPS; step++) {
        float       phase = (float)step / STEPS;
        walker_pose pose = walk->pose_at(phase);
        posed       p = posed_at(&rig, walk, phase);
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t   foot = FOOT_L + side * LEG_TWIN;
            ember_vec3 rest = rig.rest_model[foot].position, moved = pose.ankle[side];
            assert_true(apart(p.model[foot].position,
                              (ember_vec3){rest.x + moved.x, rest.y + moved.y, rest.z + moved.z}) < soft);
        }
    }
}

/* From a sixth of the cycle to two fifths the left foot carries the body: the ground below it goes back at
   one speed. */
TEST(the_foot_on_the_ground_neither_sinks_nor_slides)
{
    walker_rig         rig;
    const walker_clip *walk = clip_named("walk");
    walker_rig_make(&rig);
    float ground = rig.rest_model[FOOT_L].position.y, before = 0.0f, slowest = INFINITY, fastest = 0.0f;
    for (int step = STEPS / 6; step <= STEPS * 2 / 5; step++) {
        ember_vec3 foot = posed_at(&rig, walk, (float)step / STEPS).model[FOOT_L].position;
        assert_true(fabsf(foot.y - ground) < soft);
        if (step > STEPS / 6) {
            slowest = fminf(slowest, before - foot.z);
            fastest = fmaxf(fastest, before - foot.z);
        }
        before = foot.z;
    }
    assert_true(slowest > 0.0f && fastest < 1.2f * slowest);
}

TEST(one_foot_is_half_a_step_behind_the_other)
{
    walker_rig         rig;
    const walker_clip *walk = clip_named("walk");
    walker_rig_make(&rig);
    for (int step = 0; step < STEPS / 2; step++) {
        ember_vec3 left = posed_at(&rig, walk, (float)step / STEPS).model[FOOT_L].position;
        ember_vec3 right = posed_at(&rig, walk, (float)step / STEPS + 0.5f).model[FOOT_R].position;
        assert_true(apart(left, (ember_vec3){-right.x, right.y, right.z}) < 1e-3f);
    }
}
