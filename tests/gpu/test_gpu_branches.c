/* SPDX-License-Identifier: MIT */
/* The three branches: static, rigid and skinned meshes are where the specifications' equations say, by double
   precision on the processor.
   Covers: gpu_mesh.c, gpu_program.c, renderer.c. */
#include "scene.h"

#define BONES 4

/* A skeleton whose bones are all in different places, turned and moved in the pose; what each branch makes of
   a point differs for every marker. */
static void bones_make(mat pose[BONES], mat binds[BONES])
{
    for (int i = 0; i < BONES; i++) {
        pose[i] = mat_mul(mat_move(-1.8 + 1.2 * i, 0.9 - 0.5 * i, 0.1 * i), mat_turn_z(0.4 + 0.7 * i));
        binds[i] = mat_mul(mat_turn_z(-0.3 * i), mat_move(0.4 - 0.3 * i, -0.5 + 0.35 * i, 0.0));
    }
}

static void bones_f32(ember_mat34 poses[BONES], ember_mat34 inverse[BONES], const mat pose[BONES],
                      const mat binds[BONES])
{
    for (int i = 0; i < BONES; i++) {
        poses[i] = mat_f32(pose[i]);
        inverse[i] = mat_f32(binds[i]);
    }
}

static const marker body[5] = {
    {{0.0, 0.0, 0.0}, 0xFF0000FFu, {0, 0, 0, 0}, {1.0, 0.0, 0.0, 0.0}},
    {{0.6, 0.5, 0.0}, 0x00FF00FFu, {1, 0, 0, 0}, {1.0, 0.0, 0.0, 0.0}},
    {{-1.1, 1.6, 0.2}, 0x0000FFFFu, {2, 1, 0, 0}, {0.75, 0.25, 0.0, 0.0}},
    {{0.2, -0.9, 0.0}, 0xFFFF00FFu, {3, 2, 1, 0}, {0.4, 0.3, 0.2, 0.1}},
    {{-0.8, -0.4, 0.0}, 0xFF00FFFFu, {3, 0, 0, 0}, {1.0, 0.0, 0.0, 0.0}},
};
enum { BODY = sizeof(body) / sizeof(body[0]) };

/* v2: the sum of weight * bone * inverse bind * position. */
static void skinned_at(double out[3], const marker *m, const mat *pose, uint32_t pose_count, const mat *binds,
                       uint32_t bind_count, const mat *model)
{
    double sum[3] = {0, 0, 0}, p[3], q[3];
    for (int k = 0; k < 4; k++) {
        uint32_t j = m->joints[k];
        mat      bone = j < pose_count ? pose[j] : mat_identity,
            bind = binds != NULL && j < bind_count ? binds[j] : mat_identity;
        if (binds != NULL && j >= bind_count)
            bone = mat_identity; /* bones beyond the skeleton do not count */
        mat_point(&bind, m->at, p);
        mat_point(&bone, p, q);
        for (int axis = 0; axis < 3; axis++)
            sum[axis] += m->weights[k] * q[axis];
    }
    mat_point(model, sum, out);
}

typedef struct branch_case {
    uint32_t pose_count, bind_count;
    bool     bound, from_clip;
} branch_case;

static void run_skinned(branch_case c)
{
    scene       s;
    mat         pose[BONES], binds[BONES], model = mat_mul(mat_move(0.3, -0.2, 0.0), mat_turn_z(-0.2));
    ember_mat34 poses[2 * BONES], inverse[BONES];
    marker_mesh mesh;
    expected    e = {0};
    ember_error err = EMBER_ERROR_INIT;
    uint32_t    skeleton = 0;
    if (!scene_open_with(&s, 1))
        skip();
    bones_make(pose, binds);
    for (uint32_t i = 0; i < c.pose_count; i++) {
        poses[i] = mat_f32(mat_move(9, 9, 9)); /* frame 0: out of the picture */
        poses[c.pose_count + i] = mat_f32(pose[i]);
    }
    for (int i = 0; i < BONES; i++)
        inverse[i] = mat_f32(binds[i]);
    markers_make(&mesh, body, BODY, true);
    ember_draw *draw = scene_draw(&s, EMBER_DRAW_SKINNED, scene_add(&s, &mesh.mesh));
    assert_int_equal(ember_renderer_add_skeleton(s.renderer, inverse, c.bind_count, &skeleton, &err),
                     EMBER_OK);
    draw->transform = mat_f32(model);
    draw->skeleton = c.bound ? (int32_t)skeleton : -1;
    draw->pose = c.from_clip ? EMBER_DRAW_POSE_CLIP : EMBER_DRAW_POSE_BONES;
    draw->frame = 1;
    draw->first_bone = c.pose_count;
    draw->bone_count = c.pose_count;
    s.list.bones = poses;
    s.list.bone_count = 2 * c.pose_count;
    scene_show(&s);
    for (int i = 0; i < BODY; i++) {
        double at[3];
        skinned_at(at, &body[i], pose, c.pose_count, c.bound ? binds : NULL, c.bind_count, &model);
        expect(&e, at, body[i].color);
    }
    check_markers(&s, &e, MARKER_REACH);
    scene_close(&s);
}

TEST(skinned_meshes_go_through_inverse_binds_and_bones)
{
    run_skinned((branch_case){BONES, BONES, true, false});
}

TEST(skinned_meshes_follow_a_clips_frame) { run_skinned((branch_case){BONES, BONES, true, true}); }

TEST(skinned_meshes_without_a_skeleton_are_raw)
{
    run_skinned((branch_case){BONES, BONES, false, true});
    run_skinned((branch_case){BONES, BONES, false, false});
}

TEST(bones_that_the_clip_lacks_are_identity)
{
    run_skinned((branch_case){2, BONES, true, true});
    run_skinned((branch_case){2, BONES, true, false});
    run_skinned((branch_case){2, BONES, false, true});
}

TEST(bones_beyond_the_skeleton_do_not_count) { run_skinned((branch_case){BONES, 2, true, true}); }

TEST(without_a_pose_every_bone_is_identity) { run_skinned((branch_case){0, BONES, true, false}); }

/* The same mesh drawn by all three branches, with a skeleton bound: each is where its own equation says, so
   no two can change places. */
TEST(each_branch_has_its_own_equation)
{
    static const marker   one[1] = {{{1.4, -1.6, 0.0}, 0xFFFFFFFFu, {1, 0, 0, 0}, {1.0, 0.0, 0.0, 0.0}}};
    static const uint32_t colors[3] = {0xFF8040FFu, 0x40FF80FFu, 0x8040FFFFu};
    scene                 s;
    mat                   pose[BONES], binds[BONES];
    ember_mat34           poses[BONES], inverse[BONES];
    marker_mesh           mesh;
    expected              e = {0};
    double                at[3];
    ember_error           err = EMBER_ERROR_INIT;
    uint32_t              skeleton, number;
    if (!scene_open_with(&s, 1))
        skip();
    bones_make(pose, binds);
    bones_f32(poses, inverse, pose, binds);
    markers_make(&mesh, one, 1, true);
    number = scene_add(&s, &mesh.mesh);
    assert_int_equal(ember_renderer_add_skeleton(s.renderer, inverse, BONES, &skeleton, &err), EMBER_OK);
    for (uint32_t branch = 0; branch < 3; branch++) {
        ember_draw *draw = scene_draw(&s, (ember_draw_branch)branch, number);
        draw->pose = EMBER_DRAW_POSE_BONES;
        draw->bone_count = BONES;
        draw->skeleton = (int32_t)skeleton;
        draw->bone = 2;
        draw->color = colors[branch];
    }
    s.list.bones = poses;
    s.list.bone_count = BONES;
    scene_show(&s);
    expect(&e, one[0].at, colors[EMBER_DRAW_STATIC]);
    skinned_at(at, &one[0], pose, BONES, binds, BONES, &mat_identity);
    expect(&e, at, colors[EMBER_DRAW_SKINNED]);
    mat_point(&pose[2], one[0].at, at);
    expect(&e, at, colors[EMBER_DRAW_RIGID]);
    for (int i = 0; i < 3; i++) /* the test itself: no two may be in one place */
        for (int k = 0; k < i; k++)
            assert_true(hypot(e.at[i].x - e.at[k].x, e.at[i].y - e.at[k].y) > 3 * MARKER_REACH);
    check_markers(&s, &e, MARKER_REACH);
    scene_close(&s);
}

/* The rigid proposal's scene: a skinned body, a sword on bone 3 that no inverse bind touches, and the same
   sword once more by bone_bind on bone 1; the last bone of a draw is beyond the pose. */
TEST(a_body_its_sword_and_a_part_bound_to_another_bone)
{
    static const marker   sword[2] = {{{0.3, 0.2, 0.0}, 0x00FFFFFFu, {0}, {0}},
                                      {{0.9, 0.5, 0.0}, 0xFFFFFFFFu, {0}, {0}}};
    static const uint32_t on_bone[3] = {3, 1, 77};
    scene                 s;
    mat                   pose[BONES], binds[BONES], model = mat_move(-0.2, 0.1, 0.0);
    ember_mat34           poses[BONES], inverse[BONES];
    marker_mesh           body_mesh, sword_mesh;
    expected              e = {0};
    double                at[3], out[3];
    ember_error           err = EMBER_ERROR_INIT;
    uint32_t              skeleton;
    if (!scene_open_with(&s, 1))
        skip();
    bones_make(pose, binds);
    bones_f32(poses, inverse, pose, binds);
    markers_make(&body_mesh, body, BODY, true);
    markers_make(&sword_mesh, sword, 2, false);
    uint32_t numbers[2] = {scene_add(&s, &body_mesh.mesh), scene_add(&s, &sword_mesh.mesh)};
    assert_int_equal(ember_renderer_add_skeleton(s.renderer, inverse, BONES, &skeleton, &err), EMBER_OK);
    s.list.bones = poses;
    s.list.bone_count = BONES;
    for (int i = -1; i < 3; i++) {
        ember_draw *draw =
            scene_draw(&s, i < 0 ? EMBER_DRAW_SKINNED : EMBER_DRAW_RIGID, numbers[i < 0 ? 0 : 1]);
        draw->pose = EMBER_DRAW_POSE_CLIP;
        draw->bone_count = BONES;
        draw->skeleton = (int32_t)skeleton;
        draw->transform = mat_f32(model);
        draw->bone = i < 0 ? 0 : on_bone[i];
    }
    scene_show(&s);
    for (int i = 0; i < BODY; i++) {
        skinned_at(at, &body[i], pose, BONES, binds, BONES, &model);
        expect(&e, at, body[i].color);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            mat_point(on_bone[i] < BONES ? &pose[on_bone[i]] : &mat_identity, sword[k].at, at);
            mat_point(&model, at, out);
            expect(&e, out, sword[k].color);
        }
    check_markers(&s, &e, MARKER_REACH);
    scene_close(&s);
}

/* A local clip is composed by the library; where its bones should be comes from the chain of its
   parents, here. */
TEST(a_local_clip_is_composed)
{
    enum { CHAIN = 5 };
    static const int16_t parents[CHAIN] = {-1, 0, 1, 2, 0};
    static const double  angles[CHAIN] = {0.3, 0.5, -0.9, 0.6, -1.1},
                        offsets[CHAIN][2] = {{-1.5, -1.0}, {0.9, 0.2}, {0.8, -0.1}, {0.7, 0.3}, {0.6, -0.9}};
    static const uint32_t colors[CHAIN] = {0xFF0000FFu, 0x00FF00FFu, 0x4040FFFFu, 0xFFFF00FFu, 0xFF00FFFFu};
    ember_transform       frames[CHAIN];
    ember_mat34           matrices[CHAIN];
    mat                   world[CHAIN];
    marker_mesh           meshes[CHAIN];
    scene                 s;
    expected              e = {0};
    if (!scene_open_with(&s, 1))
        skip();
    for (int i = 0; i < CHAIN; i++) {
        mat local = mat_mul(mat_move(offsets[i][0], offsets[i][1], 0), mat_turn_z(angles[i]));
        world[i] = parents[i] >= 0 ? mat_mul(world[parents[i]], local) : local;
        frames[i] = (ember_transform){{0, 0, (float)sin(angles[i] / 2), (float)cos(angles[i] / 2)},
                                      {(float)offsets[i][0], (float)offsets[i][1], 0},
                                      {1, 1, 1}};
    }
    ember_clip  local_clip = {.name = "chain",
                              .space = EMBER_SPACE_LOCAL,
                              .bone_count = CHAIN,
                              .frame_count = 1,
                              .frames = frames};
    ember_model model = {.skeleton = {.bone_count = CHAIN, .parents = parents},
                         .clip_count = 1,
                         .clips = &local_clip};
    assert_int_equal(ember_clip_matrices(matrices, &model, &local_clip, 0), EMBER_OK);
    s.list.bones = matrices;
    s.list.bone_count = CHAIN;
    for (uint32_t i = 0; i < CHAIN; i++) {
        marker one = {{0.2, 0.1, 0.0}, colors[i], {0}, {0}};
        double at[3];
        markers_make(&meshes[i], &one, 1, false);
        ember_draw *draw = scene_draw(&s, EMBER_DRAW_RIGID, scene_add(&s, &meshes[i].mesh));
        draw->pose = EMBER_DRAW_POSE_CLIP;
        draw->bone_count = CHAIN;
        draw->bone = i;
        mat_point(&world[i], one.at, at);
        expect(&e, at, colors[i]);
    }
    scene_show(&s);
    check_markers(&s, &e, MARKER_REACH);
    scene_close(&s);
}
