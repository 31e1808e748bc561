/* SPDX-License-Identifier: MIT */
/* Transforms, poses and single bones, against values worked out by hand.
   Covers: pose_bind.c, transform_stack.c. */
#include "world.h"

#define CLOSE(a, b) assert_float_equal((a), (b), 1e-5)

/* The transform that a draw gets now. */
static ember_mat34 current(world *w)
{
    emberi_host_draw_mesh(w->h.c, w->mesh);
    ember_console_end(w->h.c);
    const ember_draw_list *list = ember_console_draws(w->h.c);
    ember_mat34            m = list->draws[list->draw_count - 1].transform;
    ember_console_begin(w->h.c, EMBER_PHASE_RENDER, NULL);
    return m;
}

static void is_point(const ember_mat34 *m, ember_vec3 p, float x, float y, float z)
{
    ember_vec3 q = ember_mat34_point(m, p);
    CLOSE(q.x, x);
    CLOSE(q.y, y);
    CLOSE(q.z, z);
}

static void is_vec(const world *w, uint32_t at, const float *expected, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        CLOSE(world_float(w, at, i), expected[i]);
}

/* Where a bone is in the world now. */
static void is_bone(world *w, uint32_t bone, float x, float y, float z)
{
    emberi_host_bone_get_world_trs(w->h.c, bone, AT_OUT, AT_OUT_2, AT_OUT_3);
    is_vec(w, AT_OUT, (const float[]){x, y, z}, 3);
}

/* ---- transforms ---- */

TEST(pushes_multiply_the_nearest_to_the_vertices_last)
{
    world w;
    world_open_render(&w);
    emberi_host_push_translate(w.h.c, 1, 2, 3);
    emberi_host_push_rotate_y(w.h.c, 90);
    emberi_host_push_scale(w.h.c, 2, 3, 4);
    ember_mat34 m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 1, 2, 1); /* (2, 0, 0), turned to (0, 0, -2), moved */
    is_point(&m, (ember_vec3){0, 0, 1}, 5, 2, 3); /* (0, 0, 4), turned to (4, 0, 0), moved */
    emberi_host_push_rotate_x(w.h.c, 90);
    m = current(&w);
    is_point(&m, (ember_vec3){0, 1, 0}, 0, 0, 1);
    emberi_host_push_rotate_z(w.h.c, -270 - 3600);
    m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 0, 1, 0);
    emberi_host_push_rotate(w.h.c, 120, 5, 5, 5); /* x to y to z to x */
    m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 0, 1, 0);
    is_point(&m, (ember_vec3){0, 1, 0}, 0, 0, 1);
    emberi_host_push_scale_uniform(w.h.c, 3);
    emberi_host_push_identity(w.h.c);
    m = current(&w);
    is_point(&m, (ember_vec3){1, 1, 1}, 1, 1, 1);
    emberi_host_push_scale_uniform(w.h.c, 3);
    emberi_host_transform_set(w.h.c, AT_MATRIX);
    m = current(&w);
    is_point(&m, (ember_vec3){0, 0, 0}, 7, 8, 9);
    is_point(&m, (ember_vec3){1, 1, 1}, 8, 9, 10);
    world_close(&w);
}

TEST(trs_functions_set_apply_push_and_pop)
{
    world w;
    world_open_render(&w);
    /* TRS: twice the size, a quarter turn about y, then by (1, 2, 3). */
    emberi_host_transform_set_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    ember_mat34 m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 1, 2, 1);
    emberi_host_push_translate(w.h.c, 10, 0, 0);
    emberi_host_apply_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 11, 2, 1);
    emberi_host_push_translate(w.h.c, 10, 0, 0);
    emberi_host_push_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    emberi_host_push_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    emberi_host_transform_set(w.h.c, AT_MATRIX); /* what is on the stack stays */
    emberi_host_transform_pop(w.h.c);
    m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 11, 2, 1);
    emberi_host_push_translate(w.h.c, 10, 0, 0);
    emberi_host_push_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    emberi_host_transform_pop(w.h.c);
    m = current(&w);
    is_point(&m, (ember_vec3){0, 0, 0}, 10, 0, 0);
    world_close(&w);
}

TEST(the_stack_is_64_deep)
{
    world w;
    world_open_render(&w);
    for (int i = 0; i < 64; i++)
        emberi_host_push_trs(w.h.c, AT_POSE + 16, AT_POSE, AT_POSE + 28); /* by (0, 1, 0) */
    HOST_TRAPS(&w.h, emberi_host_push_trs(w.h.c, AT_POSE + 16, AT_POSE, AT_POSE + 28),
               "push_trs: the transform stack is full: 64 deep, in render, frame 1");
    for (int i = 0; i < 64; i++)
        emberi_host_transform_pop(w.h.c);
    HOST_TRAPS(&w.h, emberi_host_transform_pop(w.h.c),
               "transform_pop: the transform stack is empty, in render, frame 1");
    ember_mat34 m = current(&w);
    is_point(&m, (ember_vec3){0, 0, 0}, 0, 0, 0);
    world_close(&w);
}

TEST(rotations_need_not_be_of_unit_length_but_not_zero)
{
    static const float longer[4] = {0, 3, 0, 3}, zero[4] = {0, 0, 0, 0};
    world              w;
    world_open_render(&w);
    host_put(&w.h, AT_ROTATION, longer, 16);
    emberi_host_transform_set_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    ember_mat34 m = current(&w);
    is_point(&m, (ember_vec3){1, 0, 0}, 1, 2, 1);
    host_put(&w.h, AT_ROTATION, zero, 16);
    HOST_TRAPS(&w.h, emberi_host_transform_set_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE),
               "transform_set_trs: the rotation is zero, in render, frame 1");
    HOST_TRAPS(&w.h, emberi_host_push_rotate(w.h.c, 90, 0, 0, 0),
               "push_rotate: the axis is zero, in render, frame 1");
    world_close(&w);
}

TEST(a_transform_that_would_overflow_traps)
{
    world w;
    world_open_render(&w);
    emberi_host_push_scale_uniform(w.h.c, 1e30f);
    HOST_TRAPS(&w.h, emberi_host_push_scale_uniform(w.h.c, 1e30f),
               "push_scale_uniform: the transform would not be finite, in render, frame 1");
    ember_mat34 m = current(&w);
    assert_true(m.m[0] == 1e30f);
    world_close(&w);
}

TEST(perspective_is_openGLs_for_a_screen_of_16_to_9)
{
    world w;
    world_open_render(&w);
    emberi_host_projection_perspective(w.h.c, 90, 1, 3);
    emberi_host_view_set(w.h.c, AT_MATRIX);
    ember_console_end(w.h.c);
    const ember_draw_list *list = ember_console_draws(w.h.c);
    static const float     expected[16] = {0.5625f, 0, 0, 0, 0, 1, 0, 0, 0, 0, -2, -1, 0, 0, -3, 0};
    for (int i = 0; i < 16; i++)
        CLOSE(list->projection.m[i], expected[i]);
    assert_true(list->view.m[3] == 7.0f && list->view.m[7] == 8.0f && list->view.m[11] == 9.0f);
    ember_console_begin(w.h.c, EMBER_PHASE_RENDER, NULL);
    emberi_host_projection_set(w.h.c, AT_MATRIX);
    ember_console_end(w.h.c);
    assert_true(list->projection.m[12] == 7.0f && list->projection.m[15] == 1.0f);
    ember_console_begin(w.h.c, EMBER_PHASE_RENDER, NULL);
    static const float bad[][3] = {{0, 1, 3}, {180, 1, 3}, {-1, 1, 3}, {60, 0, 3}, {60, 3, 3}, {60, 3, 1}};
    for (size_t i = 0; i < 6; i++) {
        HOST_TRY(&w.h, emberi_host_projection_perspective(w.h.c, bad[i][0], bad[i][1], bad[i][2]));
        assert_non_null(strstr(w.h.text, "projection_perspective: "));
    }
    world_close(&w);
}

/* ---- bones ---- */

TEST(a_bones_place_in_the_world_goes_through_the_current_transform)
{
    static const float quarter[4] = {0, 0.70710678f, 0, 0.70710678f}, twice[3] = {2, 2, 2},
                       one[3] = {1, 1, 1};
    world w;
    world_open_render(&w);
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    is_bone(&w, 1, 4, 5, 6);
    is_vec(&w, AT_OUT_2, (const float[]){0, 0, 0, 1}, 4);
    is_vec(&w, AT_OUT_3, one, 3);
    emberi_host_transform_set_trs(w.h.c, AT_POSITION, AT_ROTATION, AT_SCALE);
    is_bone(&w, 1, 13, 12, -5); /* (8, 10, 12), turned to (12, 10, -8), moved by (1, 2, 3) */
    is_vec(&w, AT_OUT_2, quarter, 4);
    is_vec(&w, AT_OUT_3, twice, 3);
    HOST_TRAPS(&w.h, emberi_host_bone_get_world_trs(w.h.c, 2, AT_OUT, AT_OUT_2, AT_OUT_3),
               "bone_get_world_trs: bone index 2 >= bone_count 2, in render, frame 1");
    world_close(&w);
}

TEST(set_bones_takes_columns_of_three_and_of_four_and_rows_of_four)
{
    /* A quarter turn about z: x to y, y to -x; then by (1, 2, 3). */
    static const float columns_3[12] = {0, 1, 0, -1, 0, 0, 0, 0, 1, 1, 2, 3};
    static const float columns_4[16] = {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1};
    static const float rows[12] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 3};
    world              w;
    world_open_render(&w);
    for (int pass = 0; pass < 3; pass++) {
        host_put(&w.h, AT_OUT,
                 pass == 0   ? columns_3
                 : pass == 1 ? columns_4
                             : rows,
                 pass == 1 ? sizeof(columns_4) : sizeof(columns_3));
        if (pass == 0)
            emberi_host_set_bones(w.h.c, AT_OUT, 1);
        else if (pass == 1)
            emberi_host_set_bones_4x4(w.h.c, AT_OUT, 1);
        else
            emberi_host_set_bones_rows(w.h.c, AT_OUT, 1);
        emberi_host_draw_mesh(w.h.c, w.skinned);
        ember_console_end(w.h.c);
        assert_memory_equal(ember_console_draws(w.h.c)->bones[0].m, rows, sizeof(rows));
        ember_console_begin(w.h.c, EMBER_PHASE_RENDER, NULL);
    }
    HOST_TRAPS(&w.h, emberi_host_set_bones(w.h.c, AT_BONES, 256),
               "set_bones: 256 bones, at most 255 are possible, in render, frame 1");
    HOST_TRAPS(&w.h, emberi_host_set_bones_rows(w.h.c, AT_BONES, 256),
               "set_bones_rows: 256 bones, at most 255 are possible, in render, frame 1");
    emberi_host_set_bones(w.h.c, AT_BONES, 255);
    emberi_host_set_bones(w.h.c, 0, 0); /* no bones are no pose */
    HOST_TRAPS(&w.h, emberi_host_bone_set_trs(w.h.c, 0, AT_POSITION, AT_ROTATION, AT_SCALE),
               "bone_set_trs: no pose is bound, in render, frame 1");
    world_close(&w);
}

TEST(a_bone_that_is_set_takes_along_what_hangs_below_it)
{
    static const float lifted[3] = {0, 5, 0}, still[4] = {0, 0, 0, 1}, one[3] = {1, 1, 1};
    world              w;
    float              hip[3], hand[3];
    world_open_render(&w);
    host_put(&w.h, AT_ROTATION, still, 16);
    host_put(&w.h, AT_SCALE, one, 12);
    emberi_host_keyframe_bind(w.h.c, w.walk, 2);
    emberi_host_bone_get_world_trs(w.h.c, 0, AT_OUT, AT_OUT_2, AT_OUT_3);
    memcpy(hip, w.h.memory + AT_OUT, 12);
    emberi_host_bone_get_world_trs(w.h.c, 2, AT_OUT, AT_OUT_2, AT_OUT_3);
    memcpy(hand, w.h.memory + AT_OUT, 12);
    /* The chest, put to where it is but for a step of 10 along x, carries the hand there and
       leaves the hip. */
    emberi_host_bone_get_world_trs(w.h.c, 1, AT_POSITION, AT_ROTATION, AT_SCALE);
    float moved = world_float(&w, AT_POSITION, 0) + 10.0f;
    host_put(&w.h, AT_POSITION, &moved, 4);
    emberi_host_bone_set_trs(w.h.c, 1, AT_POSITION, AT_ROTATION, AT_SCALE);
    is_bone(&w, 0, hip[0], hip[1], hip[2]);
    is_bone(&w, 2, hand[0] + 10.0f, hand[1], hand[2]);
    is_bone(&w, 1, moved, world_float(&w, AT_POSITION, 1), world_float(&w, AT_POSITION, 2));
    /* The hand alone. */
    host_put(&w.h, AT_POSITION, lifted, 12);
    emberi_host_bone_set_trs(w.h.c, 2, AT_POSITION, AT_ROTATION, AT_SCALE);
    is_bone(&w, 2, 0, 5, 0);
    is_bone(&w, 0, hip[0], hip[1], hip[2]);
    /* The next bind brings everything back. */
    emberi_host_keyframe_bind(w.h.c, w.walk, 2);
    is_bone(&w, 2, hand[0], hand[1], hand[2]);
    world_close(&w);
}

TEST(without_parents_only_the_bone_itself_is_set)
{
    world w;
    world_open_render(&w);
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 2); /* embedded: nothing is known of parents */
    emberi_host_bone_set_trs(w.h.c, 0, AT_POSITION, AT_ROTATION, AT_SCALE);
    is_bone(&w, 0, 1, 2, 3);
    is_bone(&w, 1, 2, 1, 0);
    /* With a skeleton that has parents bound, they count: the chest hangs at the hip. */
    emberi_host_skeleton_bind(w.h.c, w.hero_skeleton);
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    emberi_host_bone_set_trs(w.h.c, 0, AT_POSITION, AT_ROTATION,
                             AT_SCALE); /* from (1, 2, 3) to itself, turned and twice as large */
    is_bone(&w, 1, 7, 8, -3);           /* (3, 3, 3): (6, 6, 6), turned to (6, 6, -6), moved */
    world_close(&w);
}

/* ---- poses in the game's memory ---- */

TEST(trs_lerp_is_linear_and_turns_the_short_way)
{
    static const float from[3] = {0, 0, 0}, still[4] = {0, 0, 0, -1}, one[3] = {1, 1, 1};
    world              w;
    world_open_render(&w);
    host_put(&w.h, 0x5000, from, 12);
    host_put(&w.h, 0x5010, still, 16);
    host_put(&w.h, 0x5020, one, 12);
    emberi_host_trs_lerp(w.h.c, 0x5000, 0x5010, 0x5020, AT_POSITION, AT_ROTATION, AT_SCALE, 0.5f, AT_OUT,
                         AT_OUT_2, AT_OUT_3);
    is_vec(&w, AT_OUT, (const float[]){0.5f, 1, 1.5f}, 3);
    /* 45 degrees, on the first one's side */
    is_vec(&w, AT_OUT_2, (const float[]){0, -0.38268343f, 0, -0.92387953f}, 4);
    is_vec(&w, AT_OUT_3, (const float[]){1.5f, 1.5f, 1.5f}, 3);
    emberi_host_trs_lerp(w.h.c, 0x5000, 0x5010, 0x5020, AT_POSITION, AT_ROTATION, AT_SCALE, 7.0f, AT_OUT,
                         AT_OUT_2, AT_OUT_3); /* clamped to 1 */
    is_vec(&w, AT_OUT, (const float[]){1, 2, 3}, 3);
    /* In place. */
    emberi_host_trs_lerp(w.h.c, 0x5000, 0x5010, 0x5020, AT_POSITION, AT_ROTATION, AT_SCALE, 0.5f, 0x5000,
                         0x5010, 0x5020);
    is_vec(&w, 0x5000, (const float[]){0.5f, 1, 1.5f}, 3);
    world_close(&w);
}

TEST(poses_blend_also_in_place_and_overlapping)
{
    world w;
    world_open_render(&w);
    emberi_host_pose_blend(w.h.c, AT_OUT, AT_POSE, AT_POSE_B, 0.25f, 3);
    is_vec(&w, AT_OUT + 16, (const float[]){0, 1.5f, 0}, 3);
    is_vec(&w, AT_OUT + 40 + 16, (const float[]){0.75f, 0.75f, 0}, 3);
    is_vec(&w, AT_OUT + 80 + 16, (const float[]){0, 0.75f, 0.75f}, 3);
    emberi_host_pose_blend(w.h.c, AT_POSE + 1, AT_POSE, AT_POSE_B, 0.25f, 3);
    assert_memory_equal(w.h.memory + AT_POSE + 1, w.h.memory + AT_OUT, 120);
    emberi_host_pose_blend(w.h.c, 0, 0, 0, 0.5f, 0);
    HOST_TRAPS(&w.h, emberi_host_pose_blend(w.h.c, AT_OUT, AT_POSE, AT_POSE_B, 0.5f, 256),
               "pose_blend: 256 bones, at most 255 are possible, in render, frame 1");
    world_close(&w);
}

TEST(a_pose_is_composed_by_the_skeletons_parents)
{
    static const float columns[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    world              w;
    world_open_render(&w);
    /* hip (0, 1, 0), chest (1, 0, 0) from it, hand (0, 0, 1) from that */
    emberi_host_pose_compose(w.h.c, AT_OUT, AT_POSE, 3, w.hero_skeleton);
    is_vec(&w, AT_OUT + 36, (const float[]){0, 1, 0}, 3);
    is_vec(&w, AT_OUT + 48 + 36, (const float[]){1, 1, 0}, 3);
    is_vec(&w, AT_OUT + 96, columns, 12);
    /* A skeleton of inverse binds alone: every bone is a root. */
    emberi_host_pose_compose(w.h.c, AT_OUT, AT_POSE, 2, w.skeleton);
    is_vec(&w, AT_OUT + 48 + 36, (const float[]){1, 0, 0}, 3);
    HOST_TRAPS(&w.h, emberi_host_pose_compose(w.h.c, AT_OUT, AT_POSE, 3, w.skeleton),
               "pose_compose: 3 bones, the skeleton has 2, in render, frame 1");
    world_close(&w);
}

/* As Nethercore has it; its frame does not count. */
TEST(binding_clip_0_unbinds_the_pose)
{
    world w;
    world_open_update(&w);
    emberi_host_keyframe_bind(w.h.c, w.keyframes, 1);
    assert_true(world_has_pose(&w));
    emberi_host_keyframe_bind(w.h.c, 0, 999);
    assert_false(world_has_pose(&w));
    emberi_host_set_bones(w.h.c, AT_BONES, 2);
    emberi_host_keyframe_bind(w.h.c, 0, 0);
    assert_false(world_has_pose(&w));
    host_phase(&w.h, EMBER_PHASE_RENDER);
    emberi_host_draw_mesh(w.h.c, w.skinned);
    ember_console_end(w.h.c);
    assert_int_equal(ember_console_draws(w.h.c)->draws[0].branch, EMBER_DRAW_STATIC);
    world_close(&w);
}
