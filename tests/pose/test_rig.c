/* SPDX-License-Identifier: MIT */
/* Rigs: what makes one and what does not, the order of the bones, and jobs that take a rig: the same bits as
   by parents, and neither parents nor bone_count looked at. */
#include "poses.h"

#define MOST 300
#define MAX_BONES 32767u

static uint16_t memory[4 * MOST];

static ember_rig made(const int16_t *parents, uint32_t count)
{
    ember_rig rig;
    assert_int_equal(ember_rig_make(&rig, parents, count, memory, sizeof(memory)), EMBER_OK);
    assert_int_equal(rig.bone_count, count);
    return rig;
}

static void check_refused(const int16_t *parents, uint32_t count, ember_status status)
{
    ember_rig rig, before;
    memset(&rig, 0x5a, sizeof(rig));
    memcpy(&before, &rig, sizeof(rig));
    assert_int_equal(ember_rig_make(&rig, parents, count, memory, sizeof(memory)), status);
    assert_memory_equal(&rig, &before, sizeof(rig));
}

/* By recursion, as one would say it. */
static int depth_of(const int16_t *parents, int bone)
{
    return parents[bone] < 0 ? 0 : 1 + depth_of(parents, parents[bone]);
}

/* Every bone once, roots first, levels in turn, each with its own parent. */
static void check_order(const ember_rig *rig, const int16_t *parents, uint32_t count)
{
    uint8_t *seen = test_alloc(count);
    uint32_t roots = 0;
    memset(seen, 0, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bone = rig->order[i];
        assert_true(bone < count && seen[bone] == 0);
        seen[bone] = 1;
        roots += parents[bone] == EMBER_NO_PARENT;
        if (i > 0)
            assert_true(depth_of(parents, rig->order[i - 1]) <= depth_of(parents, (int)bone));
        if (i >= rig->root_count) {
            assert_int_equal(rig->steps[i - rig->root_count].bone, bone);
            assert_int_equal(rig->steps[i - rig->root_count].parent, parents[bone]);
        }
    }
    assert_int_equal(rig->root_count, roots);
    assert_memory_equal(rig->parents, parents, count * sizeof(*parents));
    free(seen);
}

/* ---- making one ---- */

TEST(rig_goes_by_levels)
{
    /*                               0   1  2  3  4   5  6  7 */
    static const int16_t  tree[8] = {-1, 0, 1, 0, 3, -1, 5, 2};
    static const uint16_t levels[8] = {0, 5, 1, 3, 6, 2, 4, 7};
    ember_rig             rig = made(tree, 8);
    assert_int_equal(rig.root_count, 2);
    assert_memory_equal(rig.order, levels, sizeof(levels));
    check_order(&rig, tree, 8);
}

TEST(rig_takes_one_bone)
{
    static const int16_t alone[1] = {-1};
    ember_rig            rig = made(alone, 1);
    assert_int_equal(rig.root_count, 1);
    assert_int_equal(rig.order[0], 0);
}

TEST(rig_takes_no_bones)
{
    ember_rig rig;
    assert_int_equal(ember_rig_size(0), 0);
    assert_int_equal(ember_rig_make(&rig, NULL, 0, NULL, 0), EMBER_OK);
    assert_int_equal(rig.bone_count, 0);
}

TEST(rig_takes_bones_that_are_all_roots)
{
    int16_t roots[40];
    for (int i = 0; i < 40; i++)
        roots[i] = EMBER_NO_PARENT;
    ember_rig rig = made(roots, 40);
    assert_int_equal(rig.root_count, 40);
    check_order(&rig, roots, 40);
}

TEST(rig_takes_children_before_their_parents)
{
    static const int16_t backwards[5] = {1, 2, 3, 4, -1}, mixed[6] = {3, 0, -1, 5, 2, -1};
    ember_rig            rig = made(backwards, 5);
    check_order(&rig, backwards, 5);
    rig = made(mixed, 6);
    check_order(&rig, mixed, 6);
}

TEST(rig_takes_any_tree)
{
    test_random r = {77};
    int16_t     tree[MOST], shuffled[MOST];
    uint16_t    place[MOST];
    for (int round = 0; round < 200; round++) {
        uint32_t count = 1 + test_random_u32(&r) % MOST;
        test_parents(&r, tree, count);
        ember_rig rig = made(tree, count);
        check_order(&rig, tree, count);
        for (uint32_t i = 0; i < count; i++) /* the same tree with its bones in another order */
            place[i] = (uint16_t)i;
        for (uint32_t i = count; i-- > 1;) {
            uint32_t k = test_random_u32(&r) % (i + 1);
            uint16_t other = place[i];
            place[i] = place[k];
            place[k] = other;
        }
        for (uint32_t i = 0; i < count; i++)
            shuffled[place[i]] = tree[i] < 0 ? EMBER_NO_PARENT : (int16_t)place[tree[i]];
        rig = made(shuffled, count);
        check_order(&rig, shuffled, count);
    }
}

TEST(rig_takes_as_many_bones_as_parents_can_name)
{
    size_t   size = ember_rig_size(MAX_BONES);
    int16_t *chain = test_alloc((MAX_BONES + 1) * sizeof(*chain));
    void    *large = test_alloc(size);
    assert_int_equal(size, 8 * MAX_BONES);
    for (uint32_t i = 0; i < MAX_BONES; i++) /* from the last to the first: the longest walk there is */
        chain[i] = (int16_t)(i + 1 < MAX_BONES ? (int)i + 1 : -1);
    chain[MAX_BONES] = EMBER_NO_PARENT;
    ember_rig rig;
    assert_int_equal(ember_rig_make(&rig, chain, MAX_BONES, large, size), EMBER_OK);
    assert_int_equal(rig.root_count, 1);
    for (uint32_t i = 0; i < MAX_BONES; i++)
        assert_int_equal(rig.order[i], MAX_BONES - 1 - i);
    assert_int_equal(ember_rig_size(MAX_BONES + 1), 0);
    assert_int_equal(ember_rig_make(&rig, chain, MAX_BONES + 1, large, size), EMBER_E_ARG);
    free(chain);
    free(large);
}

TEST(rig_rejects_cycles)
{
    static const int16_t self[1] = {0}, two[3] = {-1, 2, 1}, all[4] = {1, 2, 3, 0},
                         below[5] = {-1, 0, 4, 2, 3}, behind[4] = {1, 2, 1, -1};
    check_refused(self, 1, EMBER_E_ARG);
    check_refused(two, 3, EMBER_E_ARG);
    check_refused(all, 4, EMBER_E_ARG);
    check_refused(below, 5, EMBER_E_ARG);
    check_refused(behind, 4, EMBER_E_ARG);
}

/* Every tree of three bones there could be, with every number around the ends. */
TEST(rig_accepts_exactly_the_forests)
{
    static const int16_t numbers[] = {-32768, -2, -1, 0, 1, 2, 3, 32767};
    const int            n = sizeof(numbers) / sizeof(*numbers);
    int                  accepted = 0;
    for (int i = 0; i < n * n * n; i++) {
        int16_t   parents[3] = {numbers[i % n], numbers[i / n % n], numbers[i / n / n]};
        ember_rig rig;
        accepted += ember_rig_make(&rig, parents, 3, memory, sizeof(memory)) == EMBER_OK;
    }
    assert_int_equal(accepted, 16); /* rooted forests of three labelled nodes: (n + 1)^(n - 1) */
}

TEST(rig_rejects_missing_parents) { check_refused(NULL, 3, EMBER_E_ARG); }

TEST(rig_rejects_memory_that_is_too_small)
{
    static const int16_t tree[3] = {-1, 0, 0};
    ember_rig            rig;
    for (size_t size = 0; size < 24; size++) {
        void *exact = test_alloc(size != 0 ? size : 1);
        assert_int_equal(ember_rig_make(&rig, tree, 3, exact, size), EMBER_E_SPACE);
        free(exact);
    }
    void *exact = test_alloc(24);
    assert_int_equal(ember_rig_make(&rig, tree, 3, exact, 24), EMBER_OK);
    free(exact);
    assert_int_equal(ember_rig_make(&rig, tree, 3, NULL, 24), EMBER_E_SPACE);
    assert_int_equal(ember_rig_make(&rig, tree, 3, (uint8_t *)memory + 1, 24), EMBER_E_ARG);
}

/* ---- jobs that take one ---- */

#define BONES 41

static ember_transform pose[BONES], rest[BONES], got[BONES], expected[BONES];
static int16_t         parents[BONES];
static ember_mat34     model[BONES], model_expected[BONES];

static ember_rig fresh(void)
{
    test_random r = {4712};
    test_pose(&r, TEST_REALISTIC, pose, BONES);
    test_pose(&r, TEST_REALISTIC, rest, BONES);
    test_parents(&r, parents, BONES);
    return made(parents, BONES);
}

/* What the jobs must not look at where there is a rig. */
static const int16_t wrong_parents[1] = {7};

TEST(rig_composes_to_the_same_bits)
{
    for (uint32_t count = 0; count <= BONES; count++) {
        fresh();
        ember_rig         rig = made(parents, count);
        ember_compose_job by_parents = {.out = model_expected,
                                        .pose = pose,
                                        .parents = parents,
                                        .bone_count = count};
        ember_compose_job by_rig = {.out = model, .pose = pose, .rig = &rig, .bone_count = 9999};
        memset(model, 0x5a, sizeof(model));
        memset(model_expected, 0x5a, sizeof(model_expected));
        by_rig.parents = wrong_parents;
        assert_int_equal(ember_compose_run(&by_parents), EMBER_OK);
        assert_int_equal(ember_compose_run(&by_rig), EMBER_OK);
        assert_memory_equal(model, model_expected, sizeof(model));
    }
}

TEST(rig_composes_children_that_come_before_their_parents)
{
    static const int16_t backwards[3] = {1, 2, -1};
    ember_rig            rig = made(backwards, 3);
    ember_compose_job    job = {.out = model, .pose = pose, .rig = &rig};
    test_random          r = {5};
    test_pose(&r, TEST_REALISTIC, pose, 3);
    assert_int_equal(ember_compose_run(&job), EMBER_OK);
    for (int i = 2; i >= 0; i--) {
        ember_mat34 matrix = ember_mat34_from_transform(&pose[i]);
        if (i < 2)
            matrix = ember_mat34_mul(&model[i + 1], &matrix);
        assert_memory_equal(&model[i], &matrix, sizeof(matrix));
    }
}

TEST(rig_compose_rejects_missing_buffers)
{
    ember_rig         rig = fresh();
    ember_compose_job no_out = {.pose = pose, .rig = &rig}, no_pose = {.out = model, .rig = &rig};
    assert_int_equal(ember_compose_run(&no_out), EMBER_E_ARG);
    assert_int_equal(ember_compose_run(&no_pose), EMBER_E_ARG);
}

TEST(rig_counts_the_bones_of_a_palette)
{
    ember_rig          rig = fresh();
    static ember_mat34 binds[BONES], rows[BONES], rows_expected[BONES];
    ember_matrices_job matrices = {binds, rest, BONES};
    ember_compose_job  compose = {.out = model, .pose = pose, .rig = &rig};
    assert_int_equal(ember_matrices_run(&matrices), EMBER_OK);
    assert_int_equal(ember_compose_run(&compose), EMBER_OK);
    ember_palette_job by_count = {rows_expected, NULL, model, binds, BONES, NULL},
                      by_rig = {rows, NULL, model, binds, 3, &rig};
    assert_int_equal(ember_palette_run(&by_count), EMBER_OK);
    assert_int_equal(ember_palette_run(&by_rig), EMBER_OK);
    assert_memory_equal(rows, rows_expected, sizeof(rows));
}

TEST(rig_decomposes_to_the_same_bits)
{
    ember_rig         rig = fresh();
    float             shear = 0.0f, shear_expected = 0.0f;
    ember_compose_job compose = {.out = model, .pose = pose, .rig = &rig};
    assert_int_equal(ember_compose_run(&compose), EMBER_OK);
    ember_decompose_job by_parents = {expected, model, parents, &shear_expected, BONES, NULL},
                        by_rig = {got, model, wrong_parents, &shear, 9999, &rig};
    assert_int_equal(ember_decompose_run(&by_parents), EMBER_OK);
    assert_int_equal(ember_decompose_run(&by_rig), EMBER_OK);
    assert_memory_equal(got, expected, sizeof(got));
    assert_true(shear == shear_expected);
}

/* A spine with an arm, once with parents first and once with the bones the other way round. */
#define ARM 5
static const int16_t arm[ARM] = {-1, 0, 1, 2, 3};
static const int16_t arm_backwards[ARM] = {1, 2, 3, 4, -1};

static void arm_pose(ember_transform *out)
{
    for (int i = 0; i < ARM; i++) {
        out[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        out[i].position = (ember_vec3){i == 3 ? 0.2f : 0.0f, i == 0 ? 0.0f : 1.0f, 0.0f};
    }
}

TEST(rig_reaches_whatever_the_order_of_the_bones)
{
    ember_rig         rig = made(arm_backwards, ARM);
    ember_transform   forward[ARM], backward[ARM];
    ember_mat34       matrices[ARM];
    ember_compose_job compose = {.out = matrices, .pose = forward, .parents = arm, .bone_count = ARM};
    arm_pose(forward);
    assert_int_equal(ember_compose_run(&compose), EMBER_OK);
    ember_ik_two_bone_job reach = {.pose = forward,
                                   .model = matrices,
                                   .parents = arm,
                                   .bone_count = ARM,
                                   .start = 1,
                                   .mid = 3,
                                   .end = 4,
                                   .target = {1.0f, 1.5f, 0.5f},
                                   .weight = 1.0f};
    assert_int_equal(ember_ik_two_bone_run(&reach), EMBER_OK);

    ember_transform straight[ARM];
    arm_pose(straight);
    for (int i = 0; i < ARM; i++)
        backward[i] = straight[ARM - 1 - i];
    compose = (ember_compose_job){.out = matrices, .pose = backward, .rig = &rig};
    assert_int_equal(ember_compose_run(&compose), EMBER_OK);
    reach.pose = backward;
    reach.parents = wrong_parents;
    reach.bone_count = 0;
    reach.rig = &rig;
    reach.start = ARM - 1 - 1;
    reach.mid = ARM - 1 - 3;
    reach.end = ARM - 1 - 4;
    assert_int_equal(ember_ik_two_bone_run(&reach), EMBER_OK);
    for (int i = 0; i < ARM; i++)
        assert_memory_equal(&backward[ARM - 1 - i], &forward[i], sizeof(forward[i]));
    assert_memory_not_equal(&forward[1], &straight[1], sizeof(forward[1]));
}

TEST(rig_reach_rejects_bones_that_are_not_in_line)
{
    static const int16_t  fork[4] = {-1, 0, 0, 2};
    ember_rig             rig = made(fork, 4);
    ember_transform       bones[4];
    ember_mat34           matrices[4];
    ember_ik_two_bone_job reach = {.pose = bones, .model = matrices, .rig = &rig, .weight = 1.0f};
    static const struct {
        uint32_t start, mid, end;
    } wrong[] = {{0, 1, 3}, {1, 2, 3}, {0, 0, 3}, {0, 2, 2}, {3, 2, 0}, {0, 2, 4}, {4, 2, 3}, {0, 4, 3}};
    for (int i = 0; i < 4; i++) {
        bones[i] = (ember_transform)EMBER_TRANSFORM_IDENTITY;
        matrices[i] = ember_mat34_from_transform(&bones[i]);
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        reach.start = wrong[i].start;
        reach.mid = wrong[i].mid;
        reach.end = wrong[i].end;
        assert_int_equal(ember_ik_two_bone_run(&reach), EMBER_E_ARG);
    }
    reach.start = 0;
    reach.mid = 2;
    reach.end = 3;
    assert_int_equal(ember_ik_two_bone_run(&reach), EMBER_OK);
}

TEST(rig_aims_to_the_same_bits)
{
    ember_rig         rig = fresh();
    ember_compose_job compose = {.out = model, .pose = pose, .rig = &rig};
    assert_int_equal(ember_compose_run(&compose), EMBER_OK);
    memcpy(got, pose, sizeof(got));
    memcpy(expected, pose, sizeof(expected));
    ember_ik_aim_job aim = {.pose = expected,
                            .model = model,
                            .parents = parents,
                            .bone_count = BONES,
                            .bone = 17,
                            .target = {3.0f, 1.0f, 2.0f},
                            .forward = {0.0f, 0.0f, 1.0f},
                            .weight = 0.75f};
    assert_int_equal(ember_ik_aim_run(&aim), EMBER_OK);
    aim.pose = got;
    aim.parents = wrong_parents;
    aim.bone_count = 0;
    aim.rig = &rig;
    assert_int_equal(ember_ik_aim_run(&aim), EMBER_OK);
    assert_memory_equal(got, expected, sizeof(got));
    assert_memory_not_equal(got, pose, sizeof(got));
    aim.bone = BONES;
    assert_int_equal(ember_ik_aim_run(&aim), EMBER_E_ARG);
}

TEST(rig_mirrors_to_the_same_bits)
{
    ember_rig          rig = fresh();
    static ember_mat34 scratch[3 * BONES];
    uint16_t           pairs[BONES];
    for (uint16_t i = 0; i < BONES; i++)
        pairs[i] = i;
    ember_mirror_job mirror = {.out = expected,
                               .pose = pose,
                               .rest = rest,
                               .parents = parents,
                               .pairs = pairs,
                               .scratch = scratch,
                               .bone_count = BONES};
    assert_int_equal(ember_mirror_run(&mirror), EMBER_OK);
    mirror.out = got;
    mirror.parents = wrong_parents;
    mirror.bone_count = 1;
    mirror.rig = &rig;
    assert_int_equal(ember_mirror_run(&mirror), EMBER_OK);
    assert_memory_equal(got, expected, sizeof(got));
    pairs[BONES - 1] = 0;
    assert_int_equal(ember_mirror_run(&mirror), EMBER_E_ARG);
}
