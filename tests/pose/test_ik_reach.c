/* SPDX-License-Identifier: MIT */
/* Reaching with two bones: whether the end arrives, and what happens where it cannot. */
#include "ik_rig.h"

/* ---- arriving ---- */

TEST(two_bone_bends_a_right_angle)
{
    rig g;
    rig_plain(&g, 0.5);
    g.job.target = (ember_vec3){2, 1, 0}; /* two along x, then one along y: the elbow stays where it is */
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){2, 0, 0}), 1e-5);
    g.job.target = (ember_vec3){0, 0, -2.5f}; /* elsewhere, and the limb as it is now to start from */
    rig_settle(&g);
    rig_reach(&g);
    check_arrives(&g);
    check_lengths(&g);
}

TEST(two_bone_reaches_every_target_in_reach)
{
    test_random r = {101};
    rig         g;
    for (int i = 0; i < 3000; i++) {
        rig_random(&g, &r);
        g.job.target = target_in_reach(&g, &r, (double)test_random_float(&r, 0.02f, 0.98f));
        if (i % 2 == 0)
            g.job.pole = random_vec3(&r, 5.0f);
        rig_reach(&g);
        check_lengths(&g);
        check_arrives(&g);
    }
}

TEST(two_bone_works_below_scaled_and_mirrored_parents)
{
    static const float sizes[] = {0.01f, 0.5f, 3.0f, 100.0f};
    test_random        r = {102};
    rig                g;
    for (int i = 0; i < 2000; i++) {
        float s = sizes[i % 4];
        rig_random(&g, &r);
        g.pose[ROOT].scale = (ember_vec3){i % 3 == 0 ? -s : s, s, s};
        g.pose[SPINE].scale = (ember_vec3){0.5f, 0.5f, 0.5f};
        g.pose[START].scale = (ember_vec3){1.5f, 1.5f, 1.5f};
        g.pose[MID].scale = (ember_vec3){0.7f, 0.7f, -0.7f};
        rig_settle(&g);
        g.job.target = target_in_reach(&g, &r, (double)test_random_float(&r, 0.02f, 0.98f));
        g.job.pole = random_vec3(&r, 1.0f);
        rig_reach(&g);
        check_lengths(&g);
        assert_true(g.reached);
        assert_at_most(miss(&g), 1e-4); /* small limbs far from the origin: the matrices hold no more */
        assert_at_most(exact_distance(elbow_side(&g), across(&g, exact_from_vec3(g.job.pole))), 0.02);
    }
}

/* A scale above the limb that is not even makes its space a stretched one, in which the bones' own lengths
   are kept. */
TEST(two_bone_reaches_below_parents_that_are_not_scaled_evenly)
{
    test_random r = {103};
    rig         g;
    for (int i = 0; i < 1000; i++) {
        rig_random(&g, &r);
        g.job.target = target_in_reach(&g, &r, (double)test_random_float(&r, 0.1f, 0.9f));
        exact_vec target = exact_from_vec3(g.job.target);
        /* the same reach, seen through a stretched root */
        exact_mat back = exact_inverse(&g.then[ROOT]);
        g.pose[ROOT].scale = (ember_vec3){1.0f, 2.0f, 0.4f};
        rig_settle(&g);
        target = exact_point(&g.then[ROOT], exact_point(&back, target));
        g.job.target = (ember_vec3){(float)target.x, (float)target.y, (float)target.z};
        rig_reach(&g);
        assert_true(g.reached);
        assert_at_most(exact_distance(place(&g.now[END]), target), 2e-5);
    }
}

/* Scales inside the limb that are not even change its lengths as it bends; it arrives all the same. */
TEST(two_bone_reaches_with_bones_that_are_not_scaled_evenly)
{
    test_random r = {104};
    int         arrived = 0;
    rig         g;
    for (int i = 0; i < 1000; i++) {
        rig_random(&g, &r);
        g.pose[START].scale = (ember_vec3){1.0f, 1.7f, 0.7f};
        g.pose[MID].scale = (ember_vec3){1.1f, 0.9f, 1.0f};
        rig_settle(&g);
        g.job.target = target_in_reach(&g, &r, 0.5);
        if (i % 2 == 0)
            g.job.pole = random_vec3(&r, 5.0f);
        rig_reach(&g);
        if (g.reached)
            assert_at_most(miss(&g), 1e-5);
        arrived += g.reached ? 1 : 0;
    }
    assert_true(arrived >= 900); /* the others were measured too long before they bent */
}

TEST(two_bone_takes_rotations_that_are_not_unit)
{
    test_random r = {110};
    rig         g;
    for (int i = 0; i < 200; i++) {
        rig_random(&g, &r);
        ember_quat *rotation = &g.pose[i % 2 == 0 ? START : MID].rotation;
        *rotation =
            (ember_quat){1.1f * rotation->x, 1.1f * rotation->y, 1.1f * rotation->z, 1.1f * rotation->w};
        rig_settle(&g);
        g.job.target = target_in_reach(&g, &r, 0.5);
        rig_reach(&g);
        check_arrives(&g);
    }
}

TEST(two_bone_leaves_what_is_reached_where_it_is)
{
    test_random r = {105};
    rig         g;
    for (int i = 0; i < 500; i++) {
        rig_random(&g, &r);
        exact_vec end = place(&g.then[END]);
        g.job.target = (ember_vec3){(float)end.x, (float)end.y, (float)end.z};
        rig_reach(&g);
        for (uint32_t b = 0; b < BONES; b++)
            assert_at_most(exact_distance(place(&g.now[b]), place(&g.then[b])), 2e-4);
    }
}

/* ---- out of reach ---- */

TEST(two_bone_stretches_towards_a_target_beyond_reach)
{
    static const double fractions[] = {1.001, 1.5, 10.0, 1e6};
    test_random         r = {106};
    rig                 g;
    for (int i = 0; i < 1000; i++) {
        rig_random(&g, &r);
        g.job.target = target_in_reach(&g, &r, fractions[i % 4]);
        if (i % 2 == 0)
            g.job.pole = random_vec3(&r, 5.0f);
        g.reached = true;
        rig_reach(&g);
        assert_false(g.reached);
        check_lengths(&g);
        exact_vec s = place(&g.now[START]), line = exact_unit(exact_sub(exact_from_vec3(g.job.target), s));
        double    a = upper_length(g.then), b = lower_length(g.then);
        assert_at_most(exact_distance(exact_sub(place(&g.now[MID]), s), exact_scaled(line, a)), 5e-6);
        assert_at_most(exact_distance(exact_sub(place(&g.now[END]), s), exact_scaled(line, a + b)), 5e-6);
    }
}

TEST(two_bone_folds_towards_a_target_too_near)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){0, 0.5f, 0}; /* segments of 2 and 1 come no nearer than 1 */
    rig_reach(&g);
    assert_false(g.reached);
    check_lengths(&g);
    assert_at_most(exact_distance(place(&g.now[END]), (exact_vec){0, 1, 0}), 1e-5);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){0, 2, 0}), 1e-5);
}

TEST(two_bone_takes_a_target_at_the_start_joint)
{
    rig g;
    rig_plain(&g, 1.0);
    rig_reach(&g); /* the target is at the origin, and so is the shoulder */
    assert_false(g.reached);
    check_lengths(&g);
    assert_near(exact_length(place(&g.now[END])), 1.0, 1e-5);

    rig_plain(&g, 1.0);
    g.pose[END].position.x = 2.0f; /* equal segments can fold up to their own start */
    rig_settle(&g);
    rig_reach(&g);
    assert_true(g.reached);
    check_lengths(&g);
    assert_at_most(exact_length(place(&g.now[END])), 1e-5);

    rig_settle(&g); /* and unfold again, from where the end and the start have no direction */
    g.job.target = (ember_vec3){0, 0, 3};
    rig_reach(&g);
    check_arrives(&g);
    check_lengths(&g);
}

TEST(two_bone_takes_a_target_exactly_at_full_reach)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){0, 3, 0};
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){0, 2, 0}), 1e-3);
}

TEST(two_bone_takes_a_target_at_the_largest_float)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){3.4e38f, -3.4e38f, 3.4e38f};
    g.job.pole = (ember_vec3){3.4e38f, 3.4e38f, 3.4e38f};
    rig_reach(&g);
    assert_false(g.reached);
    check_lengths(&g);
}

TEST(two_bone_swings_right_round)
{
    rig g;
    rig_plain(&g, 1.0);
    exact_vec end = place(&g.then[END]);
    /* opposite: stays in the plane it bends in */
    g.job.target = (ember_vec3){(float)-end.x, (float)-end.y, 0};
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){-2, 0, 0}), 1e-4);
}

/* ---- what cannot be solved ---- */

static void check_untouched(rig *g)
{
    g->reached = true;
    g->job.target = (ember_vec3){0, 2, 0};
    assert_int_equal(ember_ik_two_bone_run(&g->job), EMBER_OK);
    assert_memory_equal(g->pose, g->before, sizeof g->pose);
    assert_false(g->reached);
}

TEST(two_bone_without_length_does_not_move)
{
    rig g;
    rig_plain(&g, 1.0);
    g.pose[MID].position.x = 0.0f;
    rig_settle(&g);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.pose[END].position.x = 0.0f;
    rig_settle(&g);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.pose[START].scale = (ember_vec3){0, 0, 0};
    rig_settle(&g);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.pose[MID].position.x = 5e-7f; /* nothing beside the other's 1 */
    rig_settle(&g);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.pose[END].position.x = 5e-7f;
    rig_settle(&g);
    check_untouched(&g);
}

TEST(two_bone_below_a_flat_parent_does_not_move)
{
    rig g;
    rig_plain(&g, 1.0);
    g.pose[SPINE].scale.z = 0.0f;
    rig_settle(&g);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.pose[ROLL].scale.z = 0.0f;
    rig_settle(&g);
    check_untouched(&g);
}

TEST(two_bone_of_a_pose_that_is_not_finite_does_not_move)
{
    rig g;
    rig_plain(&g, 1.0);
    g.pose[MID].position.y = NAN;
    memcpy(g.before, g.pose, sizeof g.pose);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.pose[WRIST].scale.x = INFINITY;
    memcpy(g.before, g.pose, sizeof g.pose);
    check_untouched(&g);
    rig_plain(&g, 1.0);
    g.model[SPINE].m[0] = NAN;
    check_untouched(&g);
}
