/* SPDX-License-Identifier: MIT */
/* Looking: a bone is turned until its line of sight meets the target. */
#include "ik_rig.h"

/* Runs and composes again; nothing but the bone's rotation may have changed. */
static void rig_aim(rig *g)
{
    assert_int_equal(ember_ik_aim_run(&g->aim), EMBER_OK);
    for (uint32_t i = 0; i < BONES; i++) {
        if (i == g->aim.bone)
            assert_memory_equal(&g->pose[i].position, &g->before[i].position, 2 * sizeof(ember_vec3));
        else
            assert_memory_equal(&g->pose[i], &g->before[i], sizeof(ember_transform));
    }
    assert_near(rotation_length(g->pose[g->aim.bone].rotation), 1.0, 1e-6);
    exact_compose(g->now, g->pose, g->parents, BONES);
}

/* How far the target is off the line of sight, as a sine; and that it is in front. */
static double aim_error(const rig *g)
{
    const exact_mat *m = &g->now[g->aim.bone];
    exact_vec        from = exact_point(m, exact_from_vec3(g->aim.offset));
    exact_vec        sight = exact_unit(exact_direction(m, exact_from_vec3(g->aim.forward)));
    exact_vec        wanted = exact_unit(exact_sub(exact_from_vec3(g->aim.target), from));
    return exact_distance(sight, wanted);
}

TEST(aim_points_forward_at_the_target)
{
    test_random r = {201};
    rig         g;
    for (int i = 0; i < 3000; i++) {
        rig_random(&g, &r);
        g.aim.forward = random_vec3(&r, 3.0f);
        g.aim.target = random_vec3(&r, 20.0f);
        rig_aim(&g);
        assert_at_most(aim_error(&g), 5e-6);
    }
}

TEST(aim_starts_its_line_of_sight_at_the_offset)
{
    test_random r = {202};
    rig         g;
    for (int i = 0; i < 3000; i++) {
        rig_random(&g, &r);
        g.aim.forward = random_vec3(&r, 3.0f);
        g.aim.offset = random_vec3(&r, 0.5f);
        double    distance = (double)test_random_float(&r, 1.0f, 5.0f);
        exact_vec d = exact_scaled(exact_unit(exact_from_vec3(random_vec3(&r, 1.0f))), distance);
        exact_vec p = place(&g.then[END]);
        g.aim.target = (ember_vec3){(float)(p.x + d.x), (float)(p.y + d.y), (float)(p.z + d.z)};
        g.aim.up = random_vec3(&r, 1.0f);
        g.aim.pole = random_vec3(&r, 1.0f);
        rig_aim(&g);
        assert_at_most(aim_error(&g), 1e-5);
    }
}

TEST(aim_works_below_scaled_mirrored_and_uneven_parents)
{
    test_random r = {203};
    rig         g;
    for (int i = 0; i < 2000; i++) {
        rig_random(&g, &r);
        g.pose[ROOT].scale = (ember_vec3){i % 2 == 0 ? -2.0f : 2.0f, 2.0f, i % 3 == 0 ? 1.0f : 2.0f};
        g.pose[END].scale = (ember_vec3){1.0f, 0.5f, 2.0f};
        rig_settle(&g);
        g.aim.forward = random_vec3(&r, 3.0f);
        g.aim.target = random_vec3(&r, 30.0f);
        rig_aim(&g);
        assert_at_most(aim_error(&g), 2e-5);
    }
}

TEST(aim_brings_up_to_the_pole)
{
    test_random r = {204};
    rig         g;
    for (int i = 0; i < 3000; i++) {
        rig_random(&g, &r);
        g.aim.forward = random_vec3(&r, 3.0f);
        g.aim.target = random_vec3(&r, 20.0f);
        g.aim.up = random_vec3(&r, 2.0f);
        g.aim.pole = random_vec3(&r, 2.0f);
        rig_aim(&g);
        assert_at_most(aim_error(&g), 5e-6);
        /* as near as it can: up, pole and the line of sight in one plane, up and pole on the same side */
        const exact_mat *m = &g.now[END];
        exact_vec        sight = exact_unit(exact_direction(m, exact_from_vec3(g.aim.forward)));
        exact_vec up = exact_direction(m, exact_from_vec3(g.aim.up)), pole = exact_from_vec3(g.aim.pole);
        up = exact_sub(up, exact_scaled(sight, exact_dot(up, sight)));
        pole = exact_sub(pole, exact_scaled(sight, exact_dot(pole, sight)));
        if (exact_length(up) > 0.05 && exact_length(pole) > 0.05)
            assert_at_most(exact_distance(exact_unit(up), exact_unit(pole)), 2e-4);
    }
}

TEST(aim_without_up_turns_by_the_shortest_arc)
{
    test_random r = {205};
    rig         g;
    for (int i = 0; i < 1000; i++) {
        rig_random(&g, &r);
        g.aim.target = random_vec3(&r, 20.0f);
        g.aim.pole = random_vec3(&r, 2.0f); /* of no use without an up */
        rig_aim(&g);
        exact_vec a = exact_unit(exact_column(&g.then[END], 2)), b = exact_unit(exact_column(&g.now[END], 2));
        exact_vec axis = exact_cross(a, b); /* stays where it is when the arc is the shortest */
        if (exact_length(axis) < 0.1)
            continue;
        axis = exact_unit(axis);
        exact_mat back = exact_inverse(&g.then[END]);
        exact_vec carried = exact_direction(&g.now[END], exact_direction(&back, axis));
        assert_at_most(exact_distance(carried, axis), 1e-5);
    }
}

TEST(aim_that_points_there_already_stays)
{
    test_random r = {206};
    rig         g;
    for (int i = 0; i < 500; i++) {
        rig_random(&g, &r);
        exact_vec p = exact_point(&g.then[END], (exact_vec){0, 0, 3});
        g.aim.target = (ember_vec3){(float)p.x, (float)p.y, (float)p.z};
        rig_aim(&g);
        assert_at_most(exact_difference(&g.now[END], &g.then[END]), 3e-6);
    }
}

TEST(aim_of_weight_zero_changes_no_bit)
{
    test_random r = {207};
    rig         g;
    rig_random(&g, &r);
    g.pose[END].rotation.x *= 1.01f;
    rig_settle(&g);
    g.aim.target = random_vec3(&r, 20.0f);
    g.aim.weight = 0.0f;
    assert_int_equal(ember_ik_aim_run(&g.aim), EMBER_OK);
    assert_memory_equal(g.pose, g.before, sizeof g.pose);
}

TEST(aim_goes_part_of_the_way_by_its_weight)
{
    rig g;
    for (int k = 0; k <= 4; k++) {
        rig_plain(&g, 0.0);
        g.aim.bone = START;
        g.aim.forward = (ember_vec3){2, 0, 0};
        g.aim.target = (ember_vec3){0, 7, 0};
        g.aim.weight = (float)k / 4.0f;
        rig_aim(&g);
        exact_vec x = exact_column(&g.now[START], 0);
        assert_near(atan2(x.y, x.x), 1.5707963 * k / 4.0, 1e-6);
    }
}

TEST(aim_turns_right_round)
{
    rig g;
    rig_plain(&g, 0.0);
    g.aim.target = (ember_vec3){3, 0, -5}; /* the hand is at 3 0 0 and looks along z */
    rig_aim(&g);
    assert_at_most(aim_error(&g), 1e-6);
    rig_plain(&g, 0.0);
    g.aim.target = (ember_vec3){3, 0, -5};
    g.aim.up = (ember_vec3){0, 1, 0};
    g.aim.pole = (ember_vec3){0, -1, 0};
    rig_aim(&g);
    assert_at_most(aim_error(&g), 1e-6);
    assert_at_most(exact_distance(exact_column(&g.now[END], 1), (exact_vec){0, -1, 0}), 1e-6);
}

TEST(aim_at_its_own_place_only_rolls)
{
    rig g;
    rig_plain(&g, 0.0);
    g.aim.target = (ember_vec3){3, 0, 0};
    rig_aim(&g);
    assert_at_most(exact_difference(&g.now[END], &g.then[END]), 1e-6);
    g.aim.up = (ember_vec3){0, 1, 0};
    g.aim.pole = (ember_vec3){1, 0, 0};
    rig_aim(&g);
    assert_at_most(exact_distance(exact_column(&g.now[END], 2), (exact_vec){0, 0, 1}), 1e-6);
    assert_at_most(exact_distance(exact_column(&g.now[END], 1), (exact_vec){1, 0, 0}), 1e-6);
}

TEST(aim_with_up_or_pole_along_forward_does_not_roll)
{
    static const ember_vec3 ups[] = {{0, 0, 2}, {0, 0, -1}, {0, 1, 0}, {0, 1, 0}};
    static const ember_vec3 poles[] = {{0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 4; i++) {
        rig g, h;
        rig_plain(&g, 0.0);
        rig_plain(&h, 0.0);
        g.aim.target = h.aim.target = (ember_vec3){9, 0, 0};
        g.aim.up = ups[i];
        g.aim.pole = poles[i];
        rig_aim(&g);
        rig_aim(&h);
        assert_at_most(aim_error(&g), 1e-6);
        assert_at_most(exact_difference(&g.now[END], &h.now[END]), 1e-6);
    }
}

/* A line of sight that passes the joint at a distance cannot be turned at what is nearer than that: it comes
   as near as it can. */
TEST(aim_past_a_target_that_is_too_near_comes_closest)
{
    static const float along[] = {0.0f, -2.0f, -0.1f}; /* the line is always 1 away from the joint */
    for (int i = 0; i < 3; i++) {
        rig g;
        rig_plain(&g, 0.0);
        g.aim.offset = (ember_vec3){0, 1, along[i]};
        g.aim.target = (ember_vec3){3.5f, 0, 0};
        rig_aim(&g);
        exact_vec from = exact_point(&g.now[END], exact_from_vec3(g.aim.offset)),
                  sight = exact_column(&g.now[END], 2);
        exact_vec gap = exact_sub((exact_vec){3.5, 0, 0}, from);
        assert_near(exact_length(exact_cross(gap, sight)), 0.5, 1e-5);
    }
}

/* Nor at what lies behind where it starts: the start is brought as near to it as it can. */
TEST(aim_from_beyond_the_target_brings_its_start_there)
{
    static const ember_vec3 offsets[] = {{0, 0, 1}, {0, 0.6f, 0.8f}, {-0.6f, 0, 0.8f}};
    for (int i = 0; i < 3; i++) {
        rig g;
        rig_plain(&g, 0.0);
        g.aim.offset = offsets[i];
        g.aim.target = (ember_vec3){3, 0.9f, 0};
        rig_aim(&g);
        assert_at_most(exact_distance(exact_point(&g.now[END], exact_from_vec3(offsets[i])),
                                      (exact_vec){3, 1, 0}),
                       1e-5);
    }
}

TEST(aim_takes_the_largest_and_the_smallest_floats)
{
    static const float sizes[] = {1e-45f, 1e-38f, 1e-20f, 1e20f, 1e30f, 1e38f, 3.4e38f};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rig   g;
        float s = sizes[i];
        rig_plain(&g, 0.3);
        g.aim.forward = (ember_vec3){s, 0, s};
        g.aim.up = (ember_vec3){0, s, 0};
        g.aim.pole = (ember_vec3){s, s, -s};
        g.aim.target = (ember_vec3){-s, s, s};
        rig_aim(&g);
        if (s >= 1e20f && s <= 1e38f) /* the largest do not come through a rotation */
            assert_at_most(aim_error(&g), 1e-5);
        g.aim.offset = (ember_vec3){s, s, s};
        rig_aim(&g);
    }
}

static void check_aim_untouched(rig *g)
{
    g->aim.target = (ember_vec3){0, 2, 0};
    assert_int_equal(ember_ik_aim_run(&g->aim), EMBER_OK);
    assert_memory_equal(g->pose, g->before, sizeof g->pose);
}

TEST(aim_that_cannot_be_solved_does_not_move)
{
    rig g;
    rig_plain(&g, 0.3);
    g.pose[END].scale.z = 0.0f; /* forward is nowhere */
    rig_settle(&g);
    check_aim_untouched(&g);
    rig_plain(&g, 0.3);
    g.pose[MID].scale.z = 0.0f; /* a flat parent */
    rig_settle(&g);
    check_aim_untouched(&g);
    rig_plain(&g, 0.3);
    g.model[WRIST].m[3] = NAN;
    check_aim_untouched(&g);
}

TEST(aim_takes_a_bone_without_parent)
{
    rig g;
    rig_plain(&g, 0.0);
    g.aim.bone = ROOT;
    g.aim.target = (ember_vec3){4, 0, 0};
    rig_aim(&g);
    assert_at_most(aim_error(&g), 1e-6);
}
