/* SPDX-License-Identifier: MIT */
/* Draw lists: cameras, crowds, textures of matrices that grow, numbers that are wrong, memory that is not
   there.
   Covers: gpu_batch.c, gpu_pool.c, gpu_portion.c. */
#include "fixtures/allocator.h"
#include "scene.h"

/* A perspective camera that is turned and moved, against the pinhole formula in double. */
TEST(perspective_is_as_a_pinhole_has_it)
{
    static const marker four[4] = {{{1.0, 0.5, -1.0}, 0xFF0000FFu, {0}, {0}},
                                   {{-1.2, 0.8, 0.5}, 0x00FF00FFu, {0}, {0}},
                                   {{0.3, -1.0, 1.2}, 0x4060FFFFu, {0}, {0}},
                                   {{-0.8, -0.7, -2.0}, 0xFFFF00FFu, {0}, {0}}};
    scene               s;
    marker_mesh         mesh;
    expected            e = {0};
    double              near = 0.5, far = 40.0, focal = 1.7;
    mat                 view = mat_mul(mat_move(0.2, -0.1, -7.0), mat_mul(mat_turn_z(0.2), mat_turn_y(-0.5)));
    if (!scene_open_with(&s, 1))
        skip();
    markers_make(&mesh, four, 4, false);
    scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &mesh.mesh));
    s.list.view = mat_f32(view);
    s.list.projection = (ember_mat44){{(float)focal, 0, 0, 0, 0, (float)focal, 0, 0, 0, 0,
                                       (float)((far + near) / (near - far)), -1, 0, 0,
                                       (float)(2 * far * near / (near - far)), 0}};
    scene_show(&s);
    for (int i = 0; i < 4; i++) {
        double p[3], at[3];
        mat_point(&view, four[i].at, p);
        at[0] = p[0] * focal / -p[2] * REACH;
        at[1] = p[1] * focal / -p[2] * REACH;
        at[2] = 0;
        expect(&e, at, four[i].color);
    }
    check_markers(&s, &e, MARKER_REACH * 2);
    scene_close(&s);
}

/* More skeletons than the first rows hold, with numbers of bones that do not divide a row: all of them are
   still right after the texture grew, the first as well. */
TEST(skeletons_survive_growing)
{
    enum { SKELETONS = 30, BONES = 407 };
    scene        s;
    marker_mesh  meshes[SKELETONS];
    expected     e = {0};
    ember_mat34 *binds;
    ember_error  err = EMBER_ERROR_INIT;
    if (!scene_open_with(&s, 1))
        skip();
    binds = test_alloc(BONES * sizeof(*binds));
    for (uint32_t i = 0; i < SKELETONS; i++) {
        uint32_t given;
        for (int k = 0; k < BONES; k++)
            binds[k] = mat_f32(mat_move(100, 100, 0));
        /* Only this bone is in the picture, at a place of its own. */
        uint16_t bone = (uint16_t)((i % 11 * 37 + i * 7 % 37) % BONES);
        double   at[3] = {-3.4 + (i % 6) * 1.3, 3.0 - (i / 6) * 1.4, 0};
        marker   one = {{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {bone, bone, bone, bone}, {1, 0, 0, 0}};
        binds[bone] = mat_f32(mat_move(at[0], at[1], 0));
        markers_make(&meshes[i], &one, 1, true);
        assert_int_equal(ember_renderer_add_skeleton(s.renderer, binds, BONES, &given, &err), EMBER_OK);
        assert_int_equal(given, i);
        ember_draw *draw = scene_draw(&s, EMBER_DRAW_SKINNED, scene_add(&s, &meshes[i].mesh));
        draw->skeleton = (int32_t)i;
        draw->color = 0x203040FFu + i * 0x05070300u;
        expect(&e, at, draw->color);
    }
    scene_show(&s);
    check_markers(&s, &e, MARKER_REACH);
    assert_true(ember_renderer_last(s.renderer).texture_bytes >= (uint64_t)SKELETONS * BONES * 48);
    free(binds);
    scene_close(&s);
}

/* A frame may bring any number of bones; a smaller one afterwards is right as well. */
TEST(a_frame_may_have_thousands_of_bones)
{
    enum { MANY = 5000 };
    static const marker   one[1] = {{{0.1, 0.0, 0.0}, 0xFF8000FFu, {0}, {0}}};
    static const uint32_t shown[4] = {0, 511, 512, MANY - 1};
    scene                 s;
    marker_mesh           mesh;
    expected              e = {0};
    ember_mat34          *bones;
    if (!scene_open_with(&s, 1))
        skip();
    bones = test_alloc(MANY * sizeof(*bones));
    for (int i = 0; i < MANY; i++)
        bones[i] = mat_f32(mat_move(100, 0, 0));
    markers_make(&mesh, one, 1, false);
    uint32_t number = scene_add(&s, &mesh.mesh);
    for (uint32_t i = 0; i < 4; i++) {
        double at[3] = {-2.9 + 1.5 * i, 1.0 - 0.7 * i, 0};
        bones[shown[i]] = mat_f32(mat_move(at[0] - 0.1, at[1], 0));
        ember_draw *draw = scene_draw(&s, EMBER_DRAW_RIGID, number);
        draw->pose = EMBER_DRAW_POSE_BONES;
        draw->first_bone = i < 3 ? 0 : MANY - 3;
        draw->bone_count = i < 3 ? MANY : 3;
        draw->bone = i < 3 ? shown[i] : 2;
        expect(&e, at, 0xFF8000FFu);
    }
    s.list.bones = bones;
    s.list.bone_count = MANY;
    scene_show(&s);
    check_markers(&s, &e, MARKER_REACH);
    s.list.bone_count = 1;
    s.list.draw_count = 1;
    s.draws[0].bone_count = 1;
    e.count = 1;
    scene_show(&s);
    check_markers(&s, &e, MARKER_REACH);
    free(bones);
    scene_close(&s);
}

/* A thousand characters of one mesh and clip are one call; a second mesh and another branch are
   one more each. */
TEST(a_crowd_is_a_handful_of_calls)
{
    enum { CROWD = 1000 };
    static const marker one[1] = {{{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {0, 0, 0, 0}, {1, 0, 0, 0}}};
    scene               s;
    marker_mesh         skinned, rigid;
    ember_mat34         bone = mat_f32(mat_identity);
    ember_draw         *draws;
    ember_error         err = EMBER_ERROR_INIT;
    uint32_t            skeleton;
    if (!scene_open_with(&s, 1))
        skip();
    draws = test_alloc(2 * CROWD * sizeof(*draws));
    markers_make(&skinned, one, 1, true);
    markers_make(&rigid, one, 1, false);
    uint32_t body = scene_add(&s, &skinned.mesh), sword = scene_add(&s, &rigid.mesh);
    assert_int_equal(ember_renderer_add_skeleton(s.renderer, &bone, 1, &skeleton, &err), EMBER_OK);
    for (uint32_t i = 0; i < 2 * CROWD; i++) {
        double x = -3.5 + (i / 2 % 40) * 0.18, y = 3.5 - (i / 2 / 40) * 0.28;
        draws[i] = (ember_draw){.branch = i % 2 == 0 ? EMBER_DRAW_SKINNED : EMBER_DRAW_RIGID,
                                .mesh = i % 2 == 0 ? body : sword,
                                /* where the bones came from makes no second call */
                                .pose = i % 4 < 2 ? EMBER_DRAW_POSE_CLIP : EMBER_DRAW_POSE_BONES,
                                .bone_count = 1,
                                .skeleton = (int32_t)skeleton,
                                .color = 0x80A0C0FFu,
                                .transform = mat_f32(mat_move(x, y, 0))};
    }
    s.list.draws = draws;
    s.list.draw_count = 2 * CROWD;
    s.list.bones = &bone;
    s.list.bone_count = 1;
    scene_show(&s);
    ember_renderer_stats stats = ember_renderer_last(s.renderer);
    assert_int_equal(stats.draws, 2 * CROWD);
    assert_int_equal(stats.calls, 2);
    assert_int_equal(stats.triangles, 2 * 2 * CROWD);
    /* The last of them is there, and nothing below it. */
    assert_int_equal(scene_pixel(&s, (int)((-3.5 + 39 * 0.18) / REACH * SIDE / 2 + SIDE / 2),
                                 (int)(SIDE / 2 - (3.5 - 24 * 0.28) / REACH * SIDE / 2)),
                     0x80A0C0FFu);
    assert_int_equal(scene_pixel(&s, SIDE / 2, SIDE - 2), BACKGROUND);
    free(draws);
    scene_close(&s);
}

TEST(numbers_that_are_not_there_are_refused)
{
    static const marker one[1] = {{{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {0}, {0}}};
    scene               s;
    marker_mesh         mesh;
    ember_mat34         bones[6];
    uint32_t            skeleton, number;
    ember_error         err = EMBER_ERROR_INIT;
    if (!scene_open_with(&s, 1))
        skip();
    for (int i = 0; i < 6; i++)
        bones[i] = mat_f32(mat_identity);
    markers_make(&mesh, one, 1, false);
    number = scene_add(&s, &mesh.mesh);
    assert_int_equal(ember_renderer_add_skeleton(s.renderer, bones, 2, &skeleton, &err), EMBER_OK);
    const ember_draw good = {.branch = EMBER_DRAW_RIGID,
                             .mesh = number,
                             .transform = mat_f32(mat_identity),
                             .pose = EMBER_DRAW_POSE_CLIP,
                             .clip = 7, /* says where the bones came from, and is not looked at */
                             .frame = 2,
                             .first_bone = 4,
                             .bone_count = 2,
                             .skeleton = 0,
                             .bone = 4000000000u,
                             .color = 0xFFFFFFFFu};
    ember_draw       bad[8];
    for (int i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].mesh = 1;
    bad[1].bone_count = 3;
    bad[2].first_bone = 0xFFFFFFFFu;
    bad[3].pose = EMBER_DRAW_POSE_BONES;
    bad[3].first_bone = 5;
    bad[4].skeleton = 1;
    bad[5].pose = EMBER_DRAW_POSE_BONES;
    bad[5].bone_count = 0xFFFFFFFFu;
    bad[6].branch = (ember_draw_branch)3;
    bad[7].pose = (ember_draw_pose)3;
    s.list.bones = bones;
    s.list.bone_count = 6;
    s.draws[0] = good;
    s.list.draw_count = 1;
    scene_show(&s);
    uint32_t seen = scene_pixel(&s, SIDE / 2, SIDE / 2);
    assert_int_equal(seen, 0xFFFFFFFFu);
    s.list.clear_color = 0;
    for (int i = 0; i < 8; i++) {
        ember_error refused = EMBER_ERROR_INIT;
        s.draws[0] = good;
        s.draws[1] = bad[i];
        s.list.draw_count = 2;
        assert_int_equal(ember_renderer_draw(s.renderer, &s.list, &refused), EMBER_E_RANGE);
        assert_non_null(strstr(refused.text, "draw 1"));
    }
    /* Nothing was drawn: the picture is the one before. */
    assert_int_equal(ember_renderer_read(s.renderer, s.pixels, sizeof(s.pixels)), EMBER_OK);
    assert_int_equal(scene_pixel(&s, 1, 1), BACKGROUND);
    assert_int_equal(ember_renderer_read(s.renderer, s.pixels, sizeof(s.pixels) - 1), EMBER_E_SPACE);
    mesh.indices[3] = 4;
    assert_int_equal(ember_renderer_add_mesh(s.renderer, &mesh.mesh, &number, &err), EMBER_E_RANGE);
    scene_close(&s);
}

TEST(two_renderers_do_not_disturb_each_other)
{
    static const marker one[1] = {{{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {0}, {0}}};
    scene               a, b;
    marker_mesh         mesh;
    ember_error         err = EMBER_ERROR_INIT;
    if (!scene_open_with(&a, 1))
        skip();
    markers_make(&mesh, one, 1, false);
    scene_draw(&a, EMBER_DRAW_STATIC, scene_add(&a, &mesh.mesh))->color = 0xFF0000FFu;
    assert_true(scene_open_with(&b, 1));
    scene_draw(&b, EMBER_DRAW_STATIC, scene_add(&b, &mesh.mesh))->color = 0x00FF00FFu;
    scene_show(&a);
    scene_show(&b);
    assert_int_equal(scene_pixel(&a, SIDE / 2, SIDE / 2), 0xFF0000FFu);
    assert_int_equal(scene_pixel(&b, SIDE / 2, SIDE / 2), 0x00FF00FFu);
    scene_close(&b);
    assert_int_equal(ember_renderer_resize(a.renderer, 40, 30, &err), EMBER_OK);
    assert_int_equal(ember_renderer_draw(a.renderer, &a.list, &err), EMBER_OK);
    assert_int_equal(ember_renderer_read(a.renderer, a.pixels, 40 * 30 * 4), EMBER_OK);
    assert_int_equal(a.pixels[(15 * 40 + 20) * 4], 255);
    assert_int_equal(ember_renderer_resize(a.renderer, 0, 30, &err), EMBER_E_LIMIT);
    assert_int_equal(ember_renderer_draw(a.renderer, &a.list, NULL), EMBER_OK);
    scene_close(&a);
}

TEST(a_cleared_renderer_begins_again)
{
    static const marker one[1] = {{{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {0}, {0}}};
    ember_mat34 binds[2] = {{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}, {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}}};
    uint8_t     red[4] = {255, 0, 0, 255};
    scene       s;
    marker_mesh mesh;
    ember_error err = EMBER_ERROR_INIT;
    uint32_t    number = 7;
    if (!scene_open_with(&s, 1))
        skip();
    markers_make(&mesh, one, 1, false);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(scene_add(&s, &mesh.mesh), 0);
        assert_int_equal(ember_renderer_add_skeleton(s.renderer, binds, 2, &number, &err), EMBER_OK);
        assert_int_equal(number, 0);
        assert_int_equal(ember_renderer_add_texture(s.renderer, red, 1, 1, &number, &err), EMBER_OK);
        assert_int_equal(number, 0);
        s.list.draw_count = 0;
        scene_draw(&s, EMBER_DRAW_STATIC, 0)->color = 0x00FF00FFu;
        scene_show(&s);
        assert_int_equal(scene_pixel(&s, SIDE / 2, SIDE / 2), 0x00FF00FFu);
        ember_renderer_clear(s.renderer);
        assert_int_equal(ember_renderer_draw(s.renderer, &s.list, NULL), EMBER_E_RANGE);
    }
    scene_close(&s);
}

/* ---- time ---- */

/* More triangles than the first portion takes. */
TEST(many_draws_come_in_portions_and_end_in_time)
{
    enum { DRAWS = 20000 };
    static const marker    one[1] = {{{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {0}, {0}}};
    static ember_draw      draws[DRAWS];
    ember_error            err = EMBER_ERROR_INIT;
    ember_renderer_options options = {.allocator = ember_heap(),
                                      .width = SIDE,
                                      .height = SIDE,
                                      .samples = 1,
                                      .headless = true};
    marker_mesh            mesh;
    uint32_t               number;
    markers_make(&mesh, one, 1, false);
    for (uint32_t i = 0; i < DRAWS; i++)
        draws[i] = (ember_draw){.branch = EMBER_DRAW_STATIC,
                                .transform = mat_f32(mat_identity),
                                .skeleton = -1,
                                .color = i + 1 == DRAWS ? 0x0000FFFFu : 0xFF0000FFu};
    ember_draw_list list = {.view = mat_f32(mat_identity),
                            .draws = draws,
                            .draw_count = DRAWS,
                            .clear_color = BACKGROUND};
    list.projection = (ember_mat44){
        {(float)(1 / REACH), 0, 0, 0, 0, (float)(1 / REACH), 0, 0, 0, 0, (float)(-1 / REACH), 0, 0, 0, 0, 1}};
    for (int late = 0; late < 2; late++) {
        ember_renderer *renderer;
        options.limit_s = late ? 1e-9 : 0.0;
        if (ember_renderer_create(&renderer, &options, &err) != EMBER_OK) {
            print_message("skipped: %s\n", err.text);
            skip();
        }
        ember_renderer_show(renderer, EMBER_SHOW_FLAT);
        assert_int_equal(ember_renderer_add_mesh(renderer, &mesh.mesh, &number, &err), EMBER_OK);
        ember_status status = ember_renderer_draw(renderer, &list, &err);
        if (late) {
            assert_int_equal(status, EMBER_E_LIMIT);
            assert_string_equal(err.text, "the picture takes longer than 1e-09 s to draw");
        } else {
            static uint8_t pixels[SIDE * SIDE * 4];
            const uint8_t *middle = pixels + ((size_t)SIDE / 2 * SIDE + SIDE / 2) * 4;
            assert_int_equal(status, EMBER_OK);
            assert_true(ember_renderer_last(renderer).calls > 1);
            assert_int_equal(ember_renderer_read(renderer, pixels, sizeof(pixels)), EMBER_OK);
            assert_true(middle[0] == 0x00 && middle[2] == 0xFF); /* the last one lies on top */
        }
        ember_renderer_destroy(renderer);
    }
}

/* ---- memory ---- */

static ember_status use_everything(void *job, ember_allocator allocator)
{
    (void)job;
    static const marker    one[1] = {{{0.0, 0.0, 0.0}, 0xFFFFFFFFu, {0}, {0}}};
    static const uint8_t   image[4] = {1, 2, 3, 4};
    ember_error            err = EMBER_ERROR_INIT;
    ember_renderer_options options = {.allocator = allocator,
                                      .width = 8,
                                      .height = 8,
                                      .samples = 1,
                                      .headless = true};
    ember_renderer        *renderer;
    marker_mesh            mesh;
    ember_mat34            bone = mat_f32(mat_identity);
    uint32_t               number;
    ember_draw             draw = {.branch = EMBER_DRAW_RIGID,
                                   .transform = bone,
                                   .skeleton = -1,
                                   .pose = EMBER_DRAW_POSE_BONES,
                                   .bone_count = 1};
    ember_draw_list list = {.view = bone, .draws = &draw, .draw_count = 1, .bones = &bone, .bone_count = 1};
    ember_status    status = ember_renderer_create(&renderer, &options, &err);
    markers_make(&mesh, one, 1, false);
    if (status == EMBER_OK)
        status = ember_renderer_add_mesh(renderer, &mesh.mesh, &number, &err);
    if (status == EMBER_OK)
        status = ember_renderer_add_skeleton(renderer, &bone, 1, &number, &err);
    if (status == EMBER_OK)
        status = ember_renderer_add_texture(renderer, image, 1, 1, &number, &err);
    if (status == EMBER_OK)
        status = ember_renderer_draw(renderer, &list, &err);
    ember_renderer_destroy(renderer);
    return status;
}

TEST(every_failing_allocation_is_survived)
{
    if (use_everything(NULL, ember_heap()) == EMBER_E_UNSUPPORTED)
        skip();
    assert_in_range(fixture_every_failing_allocation(use_everything, NULL), 7, 1000);
}
