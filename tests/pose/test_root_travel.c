/* SPDX-License-Identifier: MIT */
/* Root motion: what is taken out and what is left make up the clip again. */
#include "exact.h"

#define BONES 3u
#define FRAMES 24u
#define ROOT 1u

typedef struct clip {
    ember_transform       frames[FRAMES * BONES], before[FRAMES * BONES], motion[FRAMES + 1];
    ember_root_motion_job job;
} clip;

static void clip_settle(clip *c)
{
    memcpy(c->before, c->frames, sizeof c->before);
    memset(c->motion, 0x55, sizeof c->motion);
    c->job = (ember_root_motion_job){.frames = c->frames,
                                     .motion = c->motion,
                                     .frame_count = FRAMES,
                                     .bone_count = BONES,
                                     .root = ROOT,
                                     .axes = 5,
                                     .up = EMBER_AXIS_Y};
}

static void clip_random(clip *c, test_random *r)
{
    for (uint32_t i = 0; i < FRAMES * BONES; i++) {
        c->frames[i] = random_placed(r, 10.0f);
        c->frames[i].scale = random_in_box(r, 0.5f, 2.0f);
    }
    clip_settle(c);
}

static const ember_transform *left_of(const clip *c, uint32_t frame)
{
    return &c->frames[frame * BONES + ROOT];
}

static const ember_transform *was_of(const clip *c, uint32_t frame)
{
    return &c->before[frame * BONES + ROOT];
}

static double part(ember_vec3 v, uint32_t axis) { return (double)(axis == 0 ? v.x : axis == 1 ? v.y : v.z); }

static ember_quat turn_about(ember_axis axis, double angle)
{
    float s = (float)sin(angle / 2);
    return (ember_quat){axis == EMBER_AXIS_X ? s : 0, axis == EMBER_AXIS_Y ? s : 0,
                        axis == EMBER_AXIS_Z ? s : 0, (float)cos(angle / 2)};
}

/* Runs, and sees that nothing but the root's frames changed, that motion has scale 1, that frame 0 stays, and
   that motion times left is the root as it was. */
static void clip_run(clip *c, double tolerance)
{
    assert_int_equal(ember_root_motion_run(&c->job), EMBER_OK);
    const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    ember_transform       guard;
    memset(&guard, 0x55, sizeof guard);
    assert_memory_equal(&c->motion[0], &identity, sizeof identity);
    assert_memory_equal(left_of(c, 0), was_of(c, 0), sizeof identity);
    assert_memory_equal(&c->motion[FRAMES], &guard, sizeof guard);
    for (uint32_t i = 0; i < FRAMES; i++) {
        for (uint32_t b = 0; b < BONES; b++)
            if (b != ROOT)
                assert_memory_equal(&c->frames[i * BONES + b], &c->before[i * BONES + b], sizeof identity);
        assert_memory_equal(&c->motion[i].scale, &identity.scale, sizeof identity.scale);
        assert_memory_equal(&left_of(c, i)->scale, &was_of(c, i)->scale, sizeof identity.scale);
        exact_mat gone = exact_from_transform(&c->motion[i]), left = exact_from_transform(left_of(c, i));
        exact_mat was = exact_from_transform(was_of(c, i)), both = exact_mul(&gone, &left);
        assert_at_most(exact_difference(&both, &was), tolerance);
    }
}

/* ---- travel ---- */

TEST(root_motion_takes_the_chosen_axes_and_leaves_the_others)
{
    test_random r = {401};
    for (uint32_t axes = 0; axes < 8; axes++)
        for (int up = 0; up < 3; up++) { /* of no use without a turn */
            clip c;
            clip_random(&c, &r);
            c.job.axes = axes;
            c.job.up = (ember_axis)up;
            clip_run(&c, 1e-5);
            for (uint32_t i = 0; i < FRAMES; i++) {
                for (uint32_t k = 0; k < 3; k++) {
                    double was = part(was_of(&c, i)->position, k), first = part(was_of(&c, 0)->position, k);
                    bool   taken = (axes >> k & 1u) != 0;
                    assert_near(part(c.motion[i].position, k), taken ? was - first : 0.0, 2e-6);
                    assert_near(part(left_of(&c, i)->position, k), taken ? first : was, 0.0);
                }
                assert_memory_equal(&left_of(&c, i)->rotation, &was_of(&c, i)->rotation, sizeof(ember_quat));
                assert_memory_equal(&c.motion[i].rotation, &c.motion[0].rotation, sizeof(ember_quat));
            }
        }
}

/* ---- turns ---- */

TEST(root_motion_with_turn_makes_up_the_clip_again)
{
    test_random r = {402};
    for (int n = 0; n < 240; n++) {
        clip c;
        clip_random(&c, &r);
        c.job.axes = (uint32_t)n % 8;
        c.job.up = (ember_axis)(n / 8 % 3);
        c.job.turn = true;
        clip_run(&c, 3e-5);
        for (uint32_t i = 0; i < FRAMES; i++)
            for (uint32_t k = 0; k < 3; k++) {
                const float turn[3] = {c.motion[i].rotation.x, c.motion[i].rotation.y,
                                       c.motion[i].rotation.z};
                if (k != (uint32_t)c.job.up)
                    assert_near((double)turn[k], 0.0, 0.0); /* about the up axis and no other */
                if ((c.job.axes >> k & 1u) == 0)
                    assert_near(part(c.motion[i].position, k), 0.0, 0.0);
            }
    }
}

/* A walk round a corner: the root starts off the origin, leaning, and turns as it goes. What is left walks on
   the spot. */
TEST(root_motion_with_turn_leaves_a_walk_on_the_spot)
{
    for (int up = 0; up < 3; up++) {
        ember_axis axis = (ember_axis)up;
        clip       c;
        memset(&c, 0, sizeof c);
        ember_quat lean = ember_quat_normalize((ember_quat){0.1f, -0.2f, 0.15f, 1.0f});
        for (uint32_t i = 0; i < FRAMES; i++)
            for (uint32_t b = 0; b < BONES; b++) {
                ember_transform *t = &c.frames[i * BONES + b];
                *t = (ember_transform)EMBER_TRANSFORM_IDENTITY;
                t->rotation = ember_quat_mul(turn_about(axis, 0.1 * i), lean);
                t->position =
                    (ember_vec3){1.0f + 0.3f * (float)i, 2.0f + 0.1f * (float)i, 3.0f - 0.2f * (float)i};
            }
        clip_settle(&c);
        c.job.axes = 7u & ~(1u << up); /* travel on the ground; what goes up and down stays */
        c.job.up = axis;
        c.job.turn = true;
        clip_run(&c, 1e-5);
        for (uint32_t i = 0; i < FRAMES; i++) {
            ember_quat t = turn_about(axis, 0.1 * i), m = c.motion[i].rotation;
            assert_near((double)m.x, (double)t.x, 1e-6);
            assert_near((double)m.y, (double)t.y, 1e-6);
            assert_near((double)m.z, (double)t.z, 1e-6);
            assert_near((double)m.w, (double)t.w, 1e-6);
            assert_near((double)left_of(&c, i)->rotation.x, (double)lean.x, 1e-6);
            assert_near((double)left_of(&c, i)->rotation.y, (double)lean.y, 1e-6);
            assert_near((double)left_of(&c, i)->rotation.z, (double)lean.z, 1e-6);
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t from = k == (uint32_t)up ? i : 0; /* up and down as it was, else where it started */
                assert_near(part(left_of(&c, i)->position, k), part(was_of(&c, from)->position, k), 1e-5);
            }
        }
    }
}

/* Two full turns in one clip, some of its quaternions in the other hemisphere: the motion's never jump. */
TEST(root_motion_turns_on_without_a_jump)
{
    clip c;
    memset(&c, 0, sizeof c);
    for (uint32_t i = 0; i < FRAMES * BONES; i++) {
        c.frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        double turns = 2.0 * (double)(i / BONES) / FRAMES + (i / BONES % 3 == 1 ? 1.0 : 0.0);
        c.frames[i].rotation = turn_about(EMBER_AXIS_Y, 2.0 * 3.14159265358979 * turns);
    }
    clip_settle(&c);
    c.job.turn = true;
    clip_run(&c, 1e-6);
    for (uint32_t i = 1; i < FRAMES; i++) {
        ember_quat a = c.motion[i - 1].rotation, b = c.motion[i].rotation;
        assert_true(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w > 0.9f);
        assert_near(fabs((double)left_of(&c, i)->rotation.w), 1.0, 1e-6);
    }
}

/* Half a turn about an axis across has no turn about the up axis at all. */
TEST(root_motion_takes_half_turns_across_the_up_axis)
{
    clip c;
    memset(&c, 0, sizeof c);
    for (uint32_t i = 0; i < FRAMES * BONES; i++) {
        c.frames[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        if (i / BONES == 1)
            c.frames[i].rotation = turn_about(EMBER_AXIS_Y, 0.5);
        if (i / BONES > 1)
            c.frames[i].rotation =
                (ember_quat){i / BONES % 2 == 0 ? 1.0f : 0.6f, 0, i / BONES % 2 == 0 ? 0.0f : -0.8f, 0};
    }
    clip_settle(&c);
    c.job.turn = true;
    clip_run(&c, 1e-6);
    for (uint32_t i = 2; i < FRAMES; i++) /* goes on facing where it faced */
        assert_memory_equal(&c.motion[i].rotation, &c.motion[1].rotation, sizeof(ember_quat));
}

/* A clip that loops: its last frame is its first, gone on by one step; what is left begins and
   ends the same. */
TEST(root_motion_of_a_loop_leaves_a_loop)
{
    clip            c;
    test_random     r = {403};
    ember_transform step = {turn_about(EMBER_AXIS_Y, 1.2), {3, 0, 4}, {1, 1, 1}};
    clip_random(&c, &r);
    ember_transform *last = &c.frames[(FRAMES - 1) * BONES + ROOT];
    *last = ember_transform_mul(&step, &c.frames[ROOT]);
    clip_settle(&c);
    c.job.turn = true;
    clip_run(&c, 3e-5);
    const ember_transform *a = left_of(&c, 0), *b = left_of(&c, FRAMES - 1), *m = &c.motion[FRAMES - 1];
    exact_mat              first = exact_from_transform(a), end = exact_from_transform(b);
    exact_mat              gone = exact_from_transform(m), wanted = exact_from_transform(&step);
    assert_at_most(exact_difference(&first, &end), 1e-5);
    assert_at_most(exact_difference(&gone, &wanted), 1e-5); /* so loop after loop goes on by the step */
}

TEST(root_motion_of_one_frame_is_identity)
{
    test_random           r = {404};
    const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    clip                  c;
    clip_random(&c, &r);
    c.job.frame_count = 1;
    c.job.turn = true;
    c.job.axes = 7;
    assert_int_equal(ember_root_motion_run(&c.job), EMBER_OK);
    assert_memory_equal(&c.motion[0], &identity, sizeof identity);
    assert_memory_equal(c.frames, c.before, sizeof c.frames);
}

/* ---- rules ---- */

static void check_refused(clip *c)
{
    ember_transform guard;
    memset(&guard, 0x55, sizeof guard);
    assert_int_equal(ember_root_motion_run(&c->job), EMBER_E_ARG);
    assert_memory_equal(c->frames, c->before, sizeof c->frames);
    for (uint32_t i = 0; i <= FRAMES; i++)
        assert_memory_equal(&c->motion[i], &guard, sizeof guard);
    clip_settle(c);
}

TEST(root_motion_refuses_null)
{
    test_random r = {405};
    clip        c;
    clip_random(&c, &r);
    c.job.frames = NULL;
    check_refused(&c);
    c.job.motion = NULL;
    check_refused(&c);
    clip_run(&c, 1e-5);
}

TEST(root_motion_refuses_no_frames)
{
    test_random r = {406};
    clip        c;
    clip_random(&c, &r);
    c.job.frame_count = 0;
    check_refused(&c);
}

TEST(root_motion_refuses_no_bones)
{
    test_random r = {407};
    clip        c;
    clip_random(&c, &r);
    c.job.bone_count = 0;
    c.job.root = 0;
    check_refused(&c);
}

TEST(root_motion_refuses_a_root_beyond_the_bones)
{
    test_random r = {408};
    clip        c;
    clip_random(&c, &r);
    c.job.root = BONES;
    check_refused(&c);
    c.job.root = UINT32_MAX;
    check_refused(&c);
}

TEST(root_motion_refuses_axes_that_are_none)
{
    test_random r = {409};
    clip        c;
    clip_random(&c, &r);
    c.job.axes = 8;
    check_refused(&c);
    c.job.axes = UINT32_MAX;
    check_refused(&c);
    c.job.up = (ember_axis)3;
    check_refused(&c);
}
