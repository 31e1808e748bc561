/* SPDX-License-Identifier: MIT */
/* Reaching with two bones: where the elbow goes, and how far by easing and weight. */
#include "ik_rig.h"

/* ---- the pole, the twist ---- */

TEST(two_bone_bends_to_the_pole)
{
    test_random r = {107};
    rig         g;
    for (int i = 0; i < 2000; i++) {
        rig_random(&g, &r);
        g.job.target = target_in_reach(&g, &r, (double)test_random_float(&r, 0.1f, 0.9f));
        g.job.pole = random_vec3(&r, 5.0f);
        rig_reach(&g);
        check_arrives(&g);
        assert_at_most(exact_distance(elbow_side(&g), across(&g, exact_from_vec3(g.job.pole))), 0.01);
    }
}

TEST(two_bone_bends_as_the_pose_does_without_a_pole)
{
    rig g;
    rig_plain(&g, 0.7); /* the elbow is below the line to the hand */
    g.job.target = (ember_vec3){2.5f, 0, 0};
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, -1, 0}), 1e-4);
    rig_plain(&g, -0.7);
    g.job.target = (ember_vec3){2.5f, 0, 0};
    rig_reach(&g);
    assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, 1, 0}), 1e-4);
}

TEST(two_bone_ignores_a_pole_along_the_limb)
{
    rig g;
    rig_plain(&g, 0.7);
    g.job.target = (ember_vec3){2.5f, 0, 0};
    g.job.pole = (ember_vec3){-3, 0, 0};
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, -1, 0}), 1e-4);
}

/* Straight, nearly straight and folded limbs have no bend of their own: the pole gives it, or
   anything does. */
TEST(two_bone_bends_a_straight_limb_to_the_pole)
{
    static const double bends[] = {0.0, 1e-7, -1e-7, 1e-5, -1e-4, 3.14159265, 3.1415};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        rig g;
        rig_plain(&g, bends[i]);
        g.job.target = (ember_vec3){2, 0, 0.5f};
        g.job.pole = (ember_vec3){0, 1, 0};
        rig_reach(&g);
        check_arrives(&g);
        check_lengths(&g);
        assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, 1, 0}), 1e-4);

        rig_plain(&g, bends[i]);
        g.job.target = (ember_vec3){2, 0, 0.5f};
        rig_reach(&g);
        check_arrives(&g);
        check_lengths(&g);
    }
}

/* A limb that is straight, or was bent the other way by next to nothing, turns about nothing but its joints'
   axes across: no roll comes in. */
TEST(two_bone_does_not_roll_a_straight_limb)
{
    static const double bends[] = {0.0, 1e-6, 5e-4, -5e-4};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        rig g;
        rig_plain(&g, bends[i]);
        g.job.target = (ember_vec3){2.5f, 0, 0};
        g.job.pole = (ember_vec3){0, 1, 0};
        rig_reach(&g);
        check_arrives(&g);
        assert_near(exact_column(&g.now[START], 2).z, 1.0, 1e-6);
        assert_near(exact_column(&g.now[MID], 2).z, 1.0, 1e-6);
    }
}

/* What little bend there is need not be in the plane of the pole. */
TEST(two_bone_bends_a_straight_limb_across_its_bend)
{
    static const double bends[] = {1e-6, 1e-4, 9e-4, -9e-4};
    for (size_t i = 0; i < sizeof bends / sizeof *bends; i++) {
        rig g;
        rig_plain(&g, bends[i]);
        g.job.target = (ember_vec3){2.5f, 0, 0};
        g.job.pole = (ember_vec3){0, 0, 1};
        rig_reach(&g);
        check_arrives(&g);
        assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, 0, 1}), 1e-4);
    }
}

TEST(two_bone_twists_about_the_line_to_the_target)
{
    static const double twists[] = {0.5, -1.0, 1.5707963, 3.0};
    for (int i = 0; i < 8; i++) {
        double twist = twists[i % 4];
        rig    g;
        rig_plain(&g, 0.7);
        g.job.target = (ember_vec3){2.5f, 0, 0};
        g.job.twist = (float)twist;
        if (i >= 4)
            g.job.pole = (ember_vec3){1, -1, 0}; /* where it bends already */
        rig_reach(&g);
        check_arrives(&g);
        /* -y, turned about x */
        assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, -cos(twist), -sin(twist)}), 1e-4);
    }
}

/* The twist is one of model space, also where a parent mirrors. */
TEST(two_bone_twists_the_same_way_below_a_mirror)
{
    rig g;
    rig_plain(&g, 0.7);
    g.pose[ROOT].scale.z = -1.0f;
    rig_settle(&g);
    g.job.target = (ember_vec3){2.5f, 0, 0};
    g.job.twist = 0.5f;
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, -cos(0.5), -sin(0.5)}), 1e-4);
}

/* ---- easing, weight ---- */

static double eased_extent(float soften, double distance)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.soften = soften;
    g.job.target = (ember_vec3){0, (float)distance, 0};
    rig_reach(&g);
    check_lengths(&g);
    exact_vec end = place(&g.now[END]);
    assert_at_most(fabs(end.x) + fabs(end.z), 1e-5);
    assert_true(g.reached == (distance <= 3.0)); /* easing does not change what is within reach */
    return end.y;
}

TEST(two_bone_eases_in_before_full_reach)
{
    assert_near(eased_extent(0.8f, 2.0), 2.0, 1e-5); /* before 80 % of 3 nothing changes */
    assert_near(eased_extent(0.8f, 2.39), 2.39, 1e-5);
    double last = 2.39;
    /* then always further, never straight, at most as fast as the target */
    for (double d = 2.41; d < 5.0; d += 0.1) {
        double now = eased_extent(0.8f, d);
        assert_true(now > last && now < 3.0);
        assert_at_most(now - last, 0.1 + 1e-5);
        last = now;
    }
    assert_at_most(fabs(eased_extent(0.8f, 2.45) - 2.45), 0.005); /* without a kink where it begins */
    assert_at_most(2.99, eased_extent(0.8f, 8.0));
}

TEST(two_bone_without_easing_goes_straight)
{
    assert_near(eased_extent(0.0f, 2.999), 2.999, 1e-5);
    assert_near(eased_extent(1.0f, 2.999), 2.999, 1e-5);
    assert_near(eased_extent(0.0f, 3.5), 3.0, 1e-5);
}

TEST(two_bone_of_weight_zero_changes_no_bit)
{
    test_random r = {108};
    rig         g;
    for (int i = 0; i < 100; i++) {
        rig_random(&g, &r);
        g.pose[START].rotation.x *= 1.01f; /* not even its length */
        rig_settle(&g);
        g.job.target = target_in_reach(&g, &r, 0.5);
        g.job.weight = 0.0f;
        assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
        assert_memory_equal(g.pose, g.before, sizeof g.pose);
        assert_true(g.reached); /* it would be */
    }
}

TEST(two_bone_goes_part_of_the_way_by_its_weight)
{
    test_random r = {109};
    rig         g;
    for (int i = 0; i < 200; i++) {
        double angle[5];
        rig_random(&g, &r);
        g.job.target = target_in_reach(&g, &r, 0.5);
        g.job.pole = random_vec3(&r, 1.0f);
        for (int k = 0; k < 5; k++) {
            memcpy(g.pose, g.before, sizeof g.pose);
            g.job.weight = (float)k / 4.0f;
            rig_reach(&g);
            ember_quat a = g.before[MID].rotation, b = g.pose[MID].rotation;
            double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                         (double)a.w * (double)b.w;
            angle[k] = acos(fmin(fabs(dot), 1.0));
            assert_true(dot >= 0.0);
            a = g.before[START].rotation;
            b = g.pose[START].rotation;
            assert_true(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w >= 0.0f);
        }
        for (int k = 0; k < 5; k++)
            assert_near(angle[k], angle[4] * k / 4.0, 2e-3);
    }
}

TEST(two_bone_needs_no_place_for_reached)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){0, 2, 0};
    g.job.reached = NULL;
    rig_reach(&g);
    assert_at_most(exact_distance(place(&g.now[END]), (exact_vec){0, 2, 0}), 1e-5);
}

TEST(two_bone_takes_a_start_without_parent)
{
    rig g;
    rig_plain(&g, 1.0);
    g.job.start = ROOT; /* all of the body's bones are at the origin */
    g.job.target = (ember_vec3){0, 2, 0};
    assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
    exact_compose(g.now, g.pose, g.parents, BONES);
    assert_at_most(exact_distance(place(&g.now[END]), (exact_vec){0, 2, 0}), 1e-5);
    assert_memory_equal(&g.pose[START], &g.before[START], sizeof g.pose[START]);
}
