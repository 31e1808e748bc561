/* SPDX-License-Identifier: MIT */
/* A limb on a body, for the tests of reaching and looking: the jobs start from it, and what they leave is
   composed again in double and measured. */
#ifndef EMBER_TESTS_POSE_IK_RIG_H
#define EMBER_TESTS_POSE_IK_RIG_H

#include "exact.h"

#define BONES 9u

/* A limb with a bone in between on both segments, on a body that may stand, be turned and be
   scaled as it likes. */
enum { ROOT, SPINE, START, ROLL, MID, WRIST, END, FINGER, OTHER };

static const int16_t rig_parents[BONES] = {-1, ROOT, SPINE, START, ROLL, MID, WRIST, END, SPINE};

typedef struct rig {
    ember_transform       pose[BONES], before[BONES];
    ember_mat34           model[BONES];
    int16_t               parents[BONES];
    exact_mat             then[BONES], now[BONES]; /* model space before and after */
    bool                  reached;
    ember_ik_two_bone_job job;
    ember_ik_aim_job      aim;
} rig;

static inline exact_vec place(const exact_mat *m) { return exact_column(m, 3); }

/* Takes the pose as it is now for the one to start from. */
static inline void rig_settle(rig *g)
{
    exact_compose(g->then, g->pose, g->parents, BONES);
    for (uint32_t i = 0; i < BONES; i++)
        g->model[i] = exact_to_mat34(&g->then[i]);
    memcpy(g->before, g->pose, sizeof g->pose);
}

static inline void rig_jobs(rig *g)
{
    g->reached = false;
    g->job = (ember_ik_two_bone_job){.pose = g->pose,
                                     .model = g->model,
                                     .parents = g->parents,
                                     .bone_count = BONES,
                                     .start = START,
                                     .mid = MID,
                                     .end = END,
                                     .weight = 1.0f,
                                     .reached = &g->reached};
    g->aim = (ember_ik_aim_job){.pose = g->pose,
                                .model = g->model,
                                .parents = g->parents,
                                .bone_count = BONES,
                                .bone = END,
                                .forward = {0, 0, 1},
                                .weight = 1.0f};
}

/* Bones of 0.2 to 0.7 in any direction. */
static inline void rig_random(rig *g, test_random *r)
{
    for (uint32_t i = 0; i < BONES; i++) {
        g->parents[i] = rig_parents[i];
        g->pose[i] = random_placed(r, 1.0f);
        double    length = (double)test_random_float(r, 0.2f, 0.7f);
        exact_vec p = exact_scaled(exact_unit(exact_from_vec3(g->pose[i].position)), length);
        g->pose[i].position = (ember_vec3){(float)p.x, (float)p.y, (float)p.z};
    }
    rig_settle(g);
    rig_jobs(g);
}

/* A straight limb along x from the origin, segments 2 and 1, bent at the elbow by `bend` towards y (so that
   the elbow lies towards -y). */
static inline void rig_plain(rig *g, double bend)
{
    for (uint32_t i = 0; i < BONES; i++) {
        g->parents[i] = rig_parents[i];
        g->pose[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
    }
    g->pose[MID].position.x = 2.0f;
    g->pose[END].position.x = 1.0f;
    g->pose[MID].rotation = (ember_quat){0, 0, (float)sin(bend / 2), (float)cos(bend / 2)};
    rig_settle(g);
    rig_jobs(g);
}

static inline double rotation_length(ember_quat q)
{
    return sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z +
                (double)q.w * (double)q.w);
}

static inline double upper_length(const exact_mat *m)
{
    return exact_distance(place(&m[START]), place(&m[MID]));
}

static inline double lower_length(const exact_mat *m)
{
    return exact_distance(place(&m[MID]), place(&m[END]));
}

/* Runs and composes again; nothing but the rotations of start and mid may have changed. */
static inline void rig_reach(rig *g)
{
    assert_int_equal(ember_ik_two_bone_run(&g->job), EMBER_OK);
    for (uint32_t i = 0; i < BONES; i++) {
        if (i == START || i == MID)
            assert_memory_equal(&g->pose[i].position, &g->before[i].position, 2 * sizeof(ember_vec3));
        else
            assert_memory_equal(&g->pose[i], &g->before[i], sizeof(ember_transform));
        assert_near(rotation_length(g->pose[i].rotation), 1.0, 1e-6);
    }
    exact_compose(g->now, g->pose, g->parents, BONES);
}

static inline void check_lengths(const rig *g)
{
    assert_near(upper_length(g->now) / upper_length(g->then), 1.0, 1e-5);
    assert_near(lower_length(g->now) / lower_length(g->then), 1.0, 1e-5);
}

/* The distance of the end from its target, in lengths of the limb. */
static inline double miss(const rig *g)
{
    double limb = upper_length(g->then) + lower_length(g->then);
    return exact_distance(place(&g->now[END]), exact_from_vec3(g->job.target)) / limb;
}

static inline void check_arrives(const rig *g)
{
    assert_true(g->reached);
    assert_at_most(miss(g), 1e-5);
}

/* A target at a fraction of the way from the least reach to the full one, in any direction. */
static inline ember_vec3 target_in_reach(const rig *g, test_random *r, double fraction)
{
    double a = upper_length(g->then), b = lower_length(g->then),
           d = fabs(a - b) + fraction * (a + b - fabs(a - b));
    exact_vec u = exact_scaled(exact_unit(exact_from_vec3(random_vec3(r, 1.0f))), d),
              s = place(&g->then[START]);
    return (ember_vec3){(float)(s.x + u.x), (float)(s.y + u.y), (float)(s.z + u.z)};
}

/* The part of a model-space vector across the line from the start to the target, unit. */
static inline exact_vec across(const rig *g, exact_vec v)
{
    exact_vec axis = exact_unit(exact_sub(exact_from_vec3(g->job.target), place(&g->then[START])));
    return exact_unit(exact_sub(v, exact_scaled(axis, exact_dot(axis, v))));
}

static inline exact_vec elbow_side(const rig *g)
{
    return across(g, exact_sub(place(&g->now[MID]), place(&g->now[START])));
}

#endif
