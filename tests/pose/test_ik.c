/* Reaching and looking: every result is composed again in double and measured. */
#include "exact.h"

#define BONES 9u

/* A limb with a bone in between on both segments, on a body that may stand, be turned and be scaled as it likes. */
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

static exact_vec place(const exact_mat *m)
{
    return exact_column(m, 3);
}

/* Takes the pose as it is now for the one to start from. */
static void rig_settle(rig *g)
{
    exact_compose(g->then, g->pose, g->parents, BONES);
    for (uint32_t i = 0; i < BONES; i++)
        g->model[i] = exact_to_mat34(&g->then[i]);
    memcpy(g->before, g->pose, sizeof g->pose);
}

static void rig_jobs(rig *g)
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
static void rig_random(rig *g, test_random *r)
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

/* A straight limb along x from the origin, segments 2 and 1, bent at the elbow by `bend` towards y (so that the elbow lies
 * towards -y). */
static void rig_plain(rig *g, double bend)
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

static double upper_length(const exact_mat *m)
{
    return exact_distance(place(&m[START]), place(&m[MID]));
}

static double lower_length(const exact_mat *m)
{
    return exact_distance(place(&m[MID]), place(&m[END]));
}

/* Runs and composes again; nothing but the rotations of start and mid may have changed. */
static void rig_reach(rig *g)
{
    assert_int_equal(ember_ik_two_bone_run(&g->job), EMBER_OK);
    for (uint32_t i = 0; i < BONES; i++) {
        if (i == START || i == MID)
            assert_memory_equal(&g->pose[i].position, &g->before[i].position, 2 * sizeof(ember_vec3));
        else
            assert_memory_equal(&g->pose[i], &g->before[i], sizeof(ember_transform));
        ember_quat q = g->pose[i].rotation;
        assert_near(
            sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z + (double)q.w * (double)q.w),
            1.0, 1e-6);
    }
    exact_compose(g->now, g->pose, g->parents, BONES);
}

static void check_lengths(const rig *g)
{
    assert_near(upper_length(g->now) / upper_length(g->then), 1.0, 1e-5);
    assert_near(lower_length(g->now) / lower_length(g->then), 1.0, 1e-5);
}

/* The distance of the end from its target, in lengths of the limb. */
static double miss(const rig *g)
{
    double limb = upper_length(g->then) + lower_length(g->then);
    return exact_distance(place(&g->now[END]), exact_from_vec3(g->job.target)) / limb;
}

static void check_arrives(const rig *g)
{
    assert_true(g->reached);
    assert_at_most(miss(g), 1e-5);
}

/* A target at a fraction of the way from the least reach to the full one, in any direction. */
static ember_vec3 target_in_reach(const rig *g, test_random *r, double fraction)
{
    double    a = upper_length(g->then), b = lower_length(g->then), d = fabs(a - b) + fraction * (a + b - fabs(a - b));
    exact_vec u = exact_scaled(exact_unit(exact_from_vec3(random_vec3(r, 1.0f))), d), s = place(&g->then[START]);
    return (ember_vec3){(float)(s.x + u.x), (float)(s.y + u.y), (float)(s.z + u.z)};
}

/* The part of a model-space vector across the line from the start to the target, unit. */
static exact_vec across(const rig *g, exact_vec v)
{
    exact_vec axis = exact_unit(exact_sub(exact_from_vec3(g->job.target), place(&g->then[START])));
    return exact_unit(exact_sub(v, exact_scaled(axis, exact_dot(axis, v))));
}

static exact_vec elbow_side(const rig *g)
{
    return across(g, exact_sub(place(&g->now[MID]), place(&g->now[START])));
}

/* ---- arriving ---- */

static void two_bone_bends_a_right_angle(void **state)
{
    (void)state;
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

static void two_bone_reaches_every_target_in_reach(void **state)
{
    (void)state;
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

static void two_bone_works_below_scaled_and_mirrored_parents(void **state)
{
    (void)state;
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

/* A scale above the limb that is not even makes its space a stretched one, in which the bones' own lengths are kept. */
static void two_bone_reaches_below_parents_that_are_not_scaled_evenly(void **state)
{
    (void)state;
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
static void two_bone_reaches_with_bones_that_are_not_scaled_evenly(void **state)
{
    (void)state;
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

static void two_bone_takes_rotations_that_are_not_unit(void **state)
{
    (void)state;
    test_random r = {110};
    rig         g;
    for (int i = 0; i < 200; i++) {
        rig_random(&g, &r);
        ember_quat *rotation = &g.pose[i % 2 == 0 ? START : MID].rotation;
        *rotation = (ember_quat){1.1f * rotation->x, 1.1f * rotation->y, 1.1f * rotation->z, 1.1f * rotation->w};
        rig_settle(&g);
        g.job.target = target_in_reach(&g, &r, 0.5);
        rig_reach(&g);
        check_arrives(&g);
    }
}

static void two_bone_leaves_what_is_reached_where_it_is(void **state)
{
    (void)state;
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

static void two_bone_stretches_towards_a_target_beyond_reach(void **state)
{
    (void)state;
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

static void two_bone_folds_towards_a_target_too_near(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){0, 0.5f, 0}; /* segments of 2 and 1 come no nearer than 1 */
    rig_reach(&g);
    assert_false(g.reached);
    check_lengths(&g);
    assert_at_most(exact_distance(place(&g.now[END]), (exact_vec){0, 1, 0}), 1e-5);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){0, 2, 0}), 1e-5);
}

static void two_bone_takes_a_target_at_the_start_joint(void **state)
{
    (void)state;
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

static void two_bone_takes_a_target_exactly_at_full_reach(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){0, 3, 0};
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){0, 2, 0}), 1e-3);
}

static void two_bone_takes_a_target_at_the_largest_float(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){3.4e38f, -3.4e38f, 3.4e38f};
    g.job.pole = (ember_vec3){3.4e38f, 3.4e38f, 3.4e38f};
    rig_reach(&g);
    assert_false(g.reached);
    check_lengths(&g);
}

static void two_bone_swings_right_round(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    exact_vec end = place(&g.then[END]);
    g.job.target = (ember_vec3){(float)-end.x, (float)-end.y, 0}; /* opposite: stays in the plane it bends in */
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(place(&g.now[MID]), (exact_vec){-2, 0, 0}), 1e-4);
}

/* ---- the pole, the twist ---- */

static void two_bone_bends_to_the_pole(void **state)
{
    (void)state;
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

static void two_bone_bends_as_the_pose_does_without_a_pole(void **state)
{
    (void)state;
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

static void two_bone_ignores_a_pole_along_the_limb(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 0.7);
    g.job.target = (ember_vec3){2.5f, 0, 0};
    g.job.pole = (ember_vec3){-3, 0, 0};
    rig_reach(&g);
    check_arrives(&g);
    assert_at_most(exact_distance(elbow_side(&g), (exact_vec){0, -1, 0}), 1e-4);
}

/* Straight, nearly straight and folded limbs have no bend of their own: the pole gives it, or anything does. */
static void two_bone_bends_a_straight_limb_to_the_pole(void **state)
{
    (void)state;
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

/* A limb that is straight, or was bent the other way by next to nothing, turns about nothing but its joints' axes across: no
   roll comes in. */
static void two_bone_does_not_roll_a_straight_limb(void **state)
{
    (void)state;
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
static void two_bone_bends_a_straight_limb_across_its_bend(void **state)
{
    (void)state;
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

static void two_bone_twists_about_the_line_to_the_target(void **state)
{
    (void)state;
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
static void two_bone_twists_the_same_way_below_a_mirror(void **state)
{
    (void)state;
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

static void two_bone_eases_in_before_full_reach(void **state)
{
    (void)state;
    assert_near(eased_extent(0.8f, 2.0), 2.0, 1e-5); /* before 80 % of 3 nothing changes */
    assert_near(eased_extent(0.8f, 2.39), 2.39, 1e-5);
    double last = 2.39;
    for (double d = 2.41; d < 5.0; d += 0.1) { /* then always further, never straight, at most as fast as the target */
        double now = eased_extent(0.8f, d);
        assert_true(now > last && now < 3.0);
        assert_at_most(now - last, 0.1 + 1e-5);
        last = now;
    }
    assert_at_most(fabs(eased_extent(0.8f, 2.45) - 2.45), 0.005); /* without a kink where it begins */
    assert_at_most(2.99, eased_extent(0.8f, 8.0));
}

static void two_bone_without_easing_goes_straight(void **state)
{
    (void)state;
    assert_near(eased_extent(0.0f, 2.999), 2.999, 1e-5);
    assert_near(eased_extent(1.0f, 2.999), 2.999, 1e-5);
    assert_near(eased_extent(0.0f, 3.5), 3.0, 1e-5);
}

static void two_bone_of_weight_zero_changes_no_bit(void **state)
{
    (void)state;
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

static void two_bone_goes_part_of_the_way_by_its_weight(void **state)
{
    (void)state;
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
            double     dot =
                (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z + (double)a.w * (double)b.w;
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

static void two_bone_needs_no_place_for_reached(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.target = (ember_vec3){0, 2, 0};
    g.job.reached = NULL;
    rig_reach(&g);
    assert_at_most(exact_distance(place(&g.now[END]), (exact_vec){0, 2, 0}), 1e-5);
}

static void two_bone_takes_a_start_without_parent(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.start = ROOT; /* all of the body's bones are at the origin */
    g.job.target = (ember_vec3){0, 2, 0};
    assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
    exact_compose(g.now, g.pose, g.parents, BONES);
    assert_at_most(exact_distance(place(&g.now[END]), (exact_vec){0, 2, 0}), 1e-5);
    assert_memory_equal(&g.pose[START], &g.before[START], sizeof g.pose[START]);
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

static void two_bone_without_length_does_not_move(void **state)
{
    (void)state;
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

static void two_bone_below_a_flat_parent_does_not_move(void **state)
{
    (void)state;
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

static void two_bone_of_a_pose_that_is_not_finite_does_not_move(void **state)
{
    (void)state;
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

/* ---- rules ---- */

static void check_refused(rig *g)
{
    g->reached = true;
    assert_int_equal(ember_ik_two_bone_run(&g->job), EMBER_E_ARG);
    assert_memory_equal(g->pose, g->before, sizeof g->pose);
    assert_true(g->reached);
    rig_jobs(g);
    g->job.target = (ember_vec3){0, 2, 0};
}

static void two_bone_refuses_null(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.pose = NULL;
    check_refused(&g);
    g.job.model = NULL;
    check_refused(&g);
    g.job.parents = NULL;
    check_refused(&g);
    assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
}

static void two_bone_refuses_bones_beyond_the_count(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 1.0);
    g.job.end = BONES;
    check_refused(&g);
    g.job.mid = BONES;
    check_refused(&g);
    g.job.start = UINT32_MAX;
    check_refused(&g);
    g.job.bone_count = END; /* the hand is the first that is not there */
    check_refused(&g);
    g.job.bone_count = 0;
    check_refused(&g);
}

static void two_bone_refuses_bones_that_are_not_in_one_line(void **state)
{
    (void)state;
    static const uint32_t bad[][3] = {{MID, START, END},   {START, END, MID}, {START, START, END}, {START, MID, MID},
                                      {START, MID, OTHER}, {OTHER, MID, END}, {ROLL, START, END},  {START, OTHER, END}};
    rig                   g;
    rig_plain(&g, 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.job.start = bad[i][0];
        g.job.mid = bad[i][1];
        g.job.end = bad[i][2];
        check_refused(&g);
    }
    static const int16_t parents[] = {WRIST, END, BONES, INT16_MAX, -2, INT16_MIN};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        g.parents[WRIST] = parents[i]; /* its own, later, outside, before none */
        check_refused(&g);
    }
    g.parents[WRIST] = MID;
    g.parents[START] = BONES;
    check_refused(&g);
    g.parents[START] = SPINE;
    assert_int_equal(ember_ik_two_bone_run(&g.job), EMBER_OK);
}

static void two_bone_refuses_weights_and_softening_outside_0_to_1(void **state)
{
    (void)state;
    const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.job.weight = bad[i];
        check_refused(&g);
        g.job.soften = bad[i];
        check_refused(&g);
    }
}

static void two_bone_refuses_a_target_or_pole_that_is_not_finite(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 1.0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.job.target.x = bad[i];
        check_refused(&g);
        g.job.target.y = bad[i];
        check_refused(&g);
        g.job.target.z = bad[i];
        check_refused(&g);
        g.job.pole.x = bad[i];
        check_refused(&g);
        g.job.pole.y = bad[i];
        check_refused(&g);
        g.job.pole.z = bad[i];
        check_refused(&g);
    }
}

/* ---- aim ---- */

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
    ember_quat q = g->pose[g->aim.bone].rotation;
    assert_near(
        sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y + (double)q.z * (double)q.z + (double)q.w * (double)q.w), 1.0,
        1e-6);
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

static void aim_points_forward_at_the_target(void **state)
{
    (void)state;
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

static void aim_starts_its_line_of_sight_at_the_offset(void **state)
{
    (void)state;
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

static void aim_works_below_scaled_mirrored_and_uneven_parents(void **state)
{
    (void)state;
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

static void aim_brings_up_to_the_pole(void **state)
{
    (void)state;
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
        exact_vec        up = exact_direction(m, exact_from_vec3(g.aim.up)), pole = exact_from_vec3(g.aim.pole);
        up = exact_sub(up, exact_scaled(sight, exact_dot(up, sight)));
        pole = exact_sub(pole, exact_scaled(sight, exact_dot(pole, sight)));
        if (exact_length(up) > 0.05 && exact_length(pole) > 0.05)
            assert_at_most(exact_distance(exact_unit(up), exact_unit(pole)), 2e-4);
    }
}

static void aim_without_up_turns_by_the_shortest_arc(void **state)
{
    (void)state;
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

static void aim_that_points_there_already_stays(void **state)
{
    (void)state;
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

static void aim_of_weight_zero_changes_no_bit(void **state)
{
    (void)state;
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

static void aim_goes_part_of_the_way_by_its_weight(void **state)
{
    (void)state;
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

static void aim_turns_right_round(void **state)
{
    (void)state;
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

static void aim_at_its_own_place_only_rolls(void **state)
{
    (void)state;
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

static void aim_with_up_or_pole_along_forward_does_not_roll(void **state)
{
    (void)state;
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

/* A line of sight that passes the joint at a distance cannot be turned at what is nearer than that: it comes as near as it can.
 */
static void aim_past_a_target_that_is_too_near_comes_closest(void **state)
{
    (void)state;
    static const float along[] = {0.0f, -2.0f, -0.1f}; /* the line is always 1 away from the joint */
    for (int i = 0; i < 3; i++) {
        rig g;
        rig_plain(&g, 0.0);
        g.aim.offset = (ember_vec3){0, 1, along[i]};
        g.aim.target = (ember_vec3){3.5f, 0, 0};
        rig_aim(&g);
        exact_vec from = exact_point(&g.now[END], exact_from_vec3(g.aim.offset)), sight = exact_column(&g.now[END], 2);
        exact_vec gap = exact_sub((exact_vec){3.5, 0, 0}, from);
        assert_near(exact_length(exact_cross(gap, sight)), 0.5, 1e-5);
    }
}

/* Nor at what lies behind where it starts: the start is brought as near to it as it can. */
static void aim_from_beyond_the_target_brings_its_start_there(void **state)
{
    (void)state;
    static const ember_vec3 offsets[] = {{0, 0, 1}, {0, 0.6f, 0.8f}, {-0.6f, 0, 0.8f}};
    for (int i = 0; i < 3; i++) {
        rig g;
        rig_plain(&g, 0.0);
        g.aim.offset = offsets[i];
        g.aim.target = (ember_vec3){3, 0.9f, 0};
        rig_aim(&g);
        assert_at_most(exact_distance(exact_point(&g.now[END], exact_from_vec3(offsets[i])), (exact_vec){3, 1, 0}), 1e-5);
    }
}

static void aim_takes_the_largest_and_the_smallest_floats(void **state)
{
    (void)state;
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

static void aim_that_cannot_be_solved_does_not_move(void **state)
{
    (void)state;
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

static void aim_takes_a_bone_without_parent(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 0.0);
    g.aim.bone = ROOT;
    g.aim.target = (ember_vec3){4, 0, 0};
    rig_aim(&g);
    assert_at_most(aim_error(&g), 1e-6);
}

static void check_aim_refused(rig *g)
{
    assert_int_equal(ember_ik_aim_run(&g->aim), EMBER_E_ARG);
    assert_memory_equal(g->pose, g->before, sizeof g->pose);
    rig_jobs(g);
    g->aim.target = (ember_vec3){0, 2, 0};
}

static void aim_refuses_null(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 0.3);
    g.aim.pose = NULL;
    check_aim_refused(&g);
    g.aim.model = NULL;
    check_aim_refused(&g);
    g.aim.parents = NULL;
    check_aim_refused(&g);
    assert_int_equal(ember_ik_aim_run(&g.aim), EMBER_OK);
}

static void aim_refuses_a_bone_beyond_the_count(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 0.3);
    g.aim.bone = BONES;
    check_aim_refused(&g);
    g.aim.bone_count = END;
    check_aim_refused(&g);
    g.aim.bone_count = 0;
    g.aim.bone = 0;
    check_aim_refused(&g);
    g.parents[END] = BONES; /* nor a parent there */
    check_aim_refused(&g);
    g.parents[END] = -2;
    check_aim_refused(&g);
}

static void aim_refuses_forward_zero(void **state)
{
    (void)state;
    rig g;
    rig_plain(&g, 0.3);
    g.aim.forward = (ember_vec3){0, -0.0f, 0};
    check_aim_refused(&g);
}

static void aim_refuses_a_weight_outside_0_to_1(void **state)
{
    (void)state;
    const float bad[] = {-0.001f, 1.001f, NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 0.3);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        g.aim.weight = bad[i];
        check_aim_refused(&g);
    }
}

static void aim_refuses_vectors_that_are_not_finite(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    rig         g;
    rig_plain(&g, 0.3);
    for (int i = 0; i < 45; i++) {
        ember_vec3 *vectors[] = {&g.aim.target, &g.aim.forward, &g.aim.up, &g.aim.pole, &g.aim.offset};
        float      *numbers[] = {&vectors[i / 9]->x, &vectors[i / 9]->y, &vectors[i / 9]->z};
        *numbers[i % 3] = bad[i / 3 % 3];
        check_aim_refused(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bone_bends_a_right_angle),
        cmocka_unit_test(two_bone_reaches_every_target_in_reach),
        cmocka_unit_test(two_bone_works_below_scaled_and_mirrored_parents),
        cmocka_unit_test(two_bone_reaches_below_parents_that_are_not_scaled_evenly),
        cmocka_unit_test(two_bone_reaches_with_bones_that_are_not_scaled_evenly),
        cmocka_unit_test(two_bone_takes_rotations_that_are_not_unit),
        cmocka_unit_test(two_bone_leaves_what_is_reached_where_it_is),
        cmocka_unit_test(two_bone_stretches_towards_a_target_beyond_reach),
        cmocka_unit_test(two_bone_folds_towards_a_target_too_near),
        cmocka_unit_test(two_bone_takes_a_target_at_the_start_joint),
        cmocka_unit_test(two_bone_takes_a_target_exactly_at_full_reach),
        cmocka_unit_test(two_bone_takes_a_target_at_the_largest_float),
        cmocka_unit_test(two_bone_swings_right_round),
        cmocka_unit_test(two_bone_bends_to_the_pole),
        cmocka_unit_test(two_bone_bends_as_the_pose_does_without_a_pole),
        cmocka_unit_test(two_bone_ignores_a_pole_along_the_limb),
        cmocka_unit_test(two_bone_bends_a_straight_limb_to_the_pole),
        cmocka_unit_test(two_bone_does_not_roll_a_straight_limb),
        cmocka_unit_test(two_bone_bends_a_straight_limb_across_its_bend),
        cmocka_unit_test(two_bone_twists_about_the_line_to_the_target),
        cmocka_unit_test(two_bone_twists_the_same_way_below_a_mirror),
        cmocka_unit_test(two_bone_eases_in_before_full_reach),
        cmocka_unit_test(two_bone_without_easing_goes_straight),
        cmocka_unit_test(two_bone_of_weight_zero_changes_no_bit),
        cmocka_unit_test(two_bone_goes_part_of_the_way_by_its_weight),
        cmocka_unit_test(two_bone_needs_no_place_for_reached),
        cmocka_unit_test(two_bone_takes_a_start_without_parent),
        cmocka_unit_test(two_bone_without_length_does_not_move),
        cmocka_unit_test(two_bone_below_a_flat_parent_does_not_move),
        cmocka_unit_test(two_bone_of_a_pose_that_is_not_finite_does_not_move),
        cmocka_unit_test(two_bone_refuses_null),
        cmocka_unit_test(two_bone_refuses_bones_beyond_the_count),
        cmocka_unit_test(two_bone_refuses_bones_that_are_not_in_one_line),
        cmocka_unit_test(two_bone_refuses_weights_and_softening_outside_0_to_1),
        cmocka_unit_test(two_bone_refuses_a_target_or_pole_that_is_not_finite),
        cmocka_unit_test(aim_points_forward_at_the_target),
        cmocka_unit_test(aim_starts_its_line_of_sight_at_the_offset),
        cmocka_unit_test(aim_works_below_scaled_mirrored_and_uneven_parents),
        cmocka_unit_test(aim_brings_up_to_the_pole),
        cmocka_unit_test(aim_without_up_turns_by_the_shortest_arc),
        cmocka_unit_test(aim_that_points_there_already_stays),
        cmocka_unit_test(aim_of_weight_zero_changes_no_bit),
        cmocka_unit_test(aim_goes_part_of_the_way_by_its_weight),
        cmocka_unit_test(aim_turns_right_round),
        cmocka_unit_test(aim_at_its_own_place_only_rolls),
        cmocka_unit_test(aim_with_up_or_pole_along_forward_does_not_roll),
        cmocka_unit_test(aim_past_a_target_that_is_too_near_comes_closest),
        cmocka_unit_test(aim_from_beyond_the_target_brings_its_start_there),
        cmocka_unit_test(aim_takes_the_largest_and_the_smallest_floats),
        cmocka_unit_test(aim_that_cannot_be_solved_does_not_move),
        cmocka_unit_test(aim_takes_a_bone_without_parent),
        cmocka_unit_test(aim_refuses_null),
        cmocka_unit_test(aim_refuses_a_bone_beyond_the_count),
        cmocka_unit_test(aim_refuses_forward_zero),
        cmocka_unit_test(aim_refuses_a_weight_outside_0_to_1),
        cmocka_unit_test(aim_refuses_vectors_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
