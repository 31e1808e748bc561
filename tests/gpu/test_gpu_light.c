/* SPDX-License-Identifier: MIT */
/* Colours, normals and tangents: what is asked for is what is read, light is mixed as light, and directions
   stand at right angles to their surfaces however they are scaled.
   Covers: gpu_egl.c, gpu_target.c. */
#include "fixtures/skinned_mesh.h"
#include "scene.h"

/* A square from -1 to 1 at z = 0 with a normal and a tangent. */
static void square_make(skinned_mesh *q, ember_vec3 normal, ember_vec3 tangent)
{
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    static const float    at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    memset(q, 0, sizeof(*q));
    for (int i = 0; i < 4; i++) {
        q->positions[i] = (ember_vec3){at[i][0], at[i][1], 0};
        q->normals[i] = normal;
        q->tangents[i][0] = tangent.x;
        q->tangents[i][1] = tangent.y;
        q->tangents[i][2] = tangent.z;
        q->tangents[i][3] = 1.0f;
        q->uvs[i][0] = at[i][0] * 0.5f + 0.5f;
        q->uvs[i][1] = 0.5f - at[i][1] * 0.5f;
    }
    memcpy(q->indices, corners, sizeof(corners));
    skinned_mesh_link(q, "square", 4, 6);
    q->mesh.colors = NULL;
    q->mesh.joints = NULL;
    q->mesh.weights = NULL;
}

TEST(colours_come_out_as_they_went_in)
{
    static const uint32_t colors[6] = {0x010203FFu, 0x7F8081FFu, 0xFFFFFFFFu,
                                       0x0A37C8FFu, 0xFE0100FFu, 0x000000FFu};
    scene                 s;
    skinned_mesh          q;
    if (!scene_open_with(&s, 4))
        skip();
    square_make(&q, (ember_vec3){0, 0, 1}, (ember_vec3){1, 0, 0});
    ember_draw *draw = scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &q.mesh));
    for (int i = 0; i < 6; i++) {
        draw->color = colors[i];
        s.list.clear_color = colors[5 - i];
        scene_show(&s);
        assert_int_equal(scene_pixel(&s, SIDE / 2, SIDE / 2), colors[i]);
        assert_int_equal(scene_pixel(&s, 1, 1), colors[5 - i]);
    }
    scene_close(&s);
}

/* base colour, vertex colour and the draw's colour are multiplied as light. */
TEST(colours_multiply_as_light)
{
    static const float half[4][4] = {{0.5f, 0.25f, 1, 1},
                                     {0.5f, 0.25f, 1, 1},
                                     {0.5f, 0.25f, 1, 1},
                                     {0.5f, 0.25f, 1, 1}};
    scene              s;
    skinned_mesh       q;
    if (!scene_open_with(&s, 1))
        skip();
    square_make(&q, (ember_vec3){0, 0, 1}, (ember_vec3){1, 0, 0});
    q.mesh.base_color[0] = 0.6f;
    q.mesh.base_color[1] = 0.9f;
    q.mesh.colors = half;
    scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &q.mesh))->color = 0x80C0E0FFu;
    scene_show(&s);
    uint32_t want = byte_of(0.6 * 0.5 * linear_of(0x80)) << 24 | byte_of(0.9 * 0.25 * linear_of(0xC0)) << 16 |
                    0xE0u << 8 | 0xFFu;
    assert_true(channel_off(scene_pixel(&s, SIDE / 2, SIDE / 2), want) <= 1);
    scene_close(&s);
}

/* Half of white and half of black is 188, not 128: an edge through the middle of a pixel, and a
   blended square. */
TEST(edges_and_blends_mix_light)
{
    scene        s;
    skinned_mesh q;
    if (!scene_open_with(&s, 4))
        skip();
    square_make(&q, (ember_vec3){0, 0, 1}, (ember_vec3){1, 0, 0});
    uint32_t    number = scene_add(&s, &q.mesh);
    ember_draw *draw = scene_draw(&s, EMBER_DRAW_STATIC, number);
    double      pixel = 2 * REACH / SIDE;
    s.list.clear_color = 0x000000FFu;
    /* its left edge half a pixel beyond pixel SIDE/2 + 10 */
    draw->transform = mat_f32(mat_move(1.0 + 10.5 * pixel, 0, 0));
    scene_show(&s);
    assert_int_equal(scene_pixel(&s, SIDE / 2 + 9, SIDE / 2), 0x000000FFu);
    assert_int_equal(scene_pixel(&s, SIDE / 2 + 11, SIDE / 2), 0xFFFFFFFFu);
    assert_true(channel_off(scene_pixel(&s, SIDE / 2 + 10, SIDE / 2), 0xBCBCBCFFu) <= 1);

    uint32_t seen = byte_of(128.0 / 255.0);
    for (int twice = 0; twice < 2; twice++) { /* two in the same place are one surface */
        if (twice == 0)
            *draw = *scene_draw(&s, EMBER_DRAW_STATIC, number), s.list.draw_count = 1;
        else
            scene_draw(&s, EMBER_DRAW_STATIC, number)->color = 0xFFFFFF80u;
        draw->color = 0xFFFFFF80u;
        scene_show(&s);
        assert_true(channel_off(scene_pixel(&s, SIDE / 2, SIDE / 2),
                                seen << 24 | seen << 16 | seen << 8 | 0xFFu) <= 1);
    }
    scene_close(&s);
}

/* Of two blended surfaces only the nearer is seen, whichever came first; an opaque one in
   front hides both. */
TEST(the_nearest_blended_surface_is_seen)
{
    scene        s;
    skinned_mesh q;
    if (!scene_open_with(&s, 1))
        skip();
    square_make(&q, (ember_vec3){0, 0, 1}, (ember_vec3){1, 0, 0});
    uint32_t number = scene_add(&s, &q.mesh);
    s.list.clear_color = 0x000000FFu;
    for (int order = 0; order < 2; order++) {
        s.list.draw_count = 0;
        for (int i = 0; i < 2; i++) {
            ember_draw *draw = scene_draw(&s, EMBER_DRAW_STATIC, number);
            bool        near = (i == 0) == (order == 0);
            draw->transform = mat_f32(mat_move(0, 0, near ? 1.0 : -1.0));
            draw->color = near ? 0xFF000080u : 0x00FF0080u;
        }
        scene_show(&s);
        uint32_t red = byte_of(128.0 / 255.0);
        assert_true(channel_off(scene_pixel(&s, SIDE / 2, SIDE / 2), red << 24 | 0xFFu) <= 1);
    }
    ember_draw *front = scene_draw(&s, EMBER_DRAW_STATIC, number);
    front->transform = mat_f32(mat_move(0, 0, 2));
    front->color = 0x3060C0FFu;
    scene_show(&s);
    assert_int_equal(scene_pixel(&s, SIDE / 2, SIDE / 2), 0x3060C0FFu);
    scene_close(&s);
}

TEST(textures_are_srgb_and_upright)
{
    static const uint8_t  image[2 * 2 * 4] = {200, 10, 30,  255, 20,  180, 40,  0,
                                              30,  50, 190, 255, 128, 128, 128, 255};
    static const uint32_t want[4] = {0xC80A1EFFu, 0x14B428FFu, 0x1E32BEFFu, 0x808080FFu};
    scene                 s;
    skinned_mesh          q;
    ember_error           err = EMBER_ERROR_INIT;
    uint32_t              texture;
    if (!scene_open_with(&s, 1))
        skip();
    square_make(&q, (ember_vec3){0, 0, 1}, (ember_vec3){1, 0, 0});
    uint32_t number = scene_add(&s, &q.mesh);
    /* by half a pixel */
    scene_draw(&s, EMBER_DRAW_STATIC, number)->transform =
        mat_f32(mat_mul(mat_move(REACH / SIDE, -REACH / SIDE, 0), mat_scale(3, 3, 1)));
    assert_int_equal(ember_renderer_add_texture(s.renderer, image, 2, 2, &texture, &err), EMBER_OK);
    assert_int_equal(ember_renderer_use_texture(s.renderer, number, texture, &err), EMBER_OK);
    scene_show(&s);
    /* the middle of each texel, where nothing is mixed in; the first row is on top */
    for (int i = 0; i < 4; i++) {
        int x = (int)(SIDE * (0.5 + (i % 2 == 0 ? -1.5 : 1.5) / (2 * REACH))),
            y = (int)(SIDE * (0.5 + (i / 2 == 0 ? -1.5 : 1.5) / (2 * REACH)));
        assert_true(channel_off(scene_pixel(&s, x, y), want[i]) <= 1);
    }
    assert_int_equal(ember_renderer_use_texture(s.renderer, number, texture + 1, &err), EMBER_E_ARG);
    scene_close(&s);
}

/* ---- directions ---- */

static void unit(double v[3])
{
    double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= size;
}

/* n through the inverse transposed, by solving it out: the normal is what is at right angles to
   two moved edges. */
static void moved_normal(const mat *m, const double n[3], double out[3])
{
    double u[3] = {n[1] != 0 || n[2] != 0 ? 0.0 : 1.0, n[2], -n[1]}, v[3], mu[3], mv[3], mn[3];
    if (n[1] == 0 && n[2] == 0)
        u[0] = 0.0, u[1] = 1.0, u[2] = 0.0;
    v[0] = n[1] * u[2] - n[2] * u[1];
    v[1] = n[2] * u[0] - n[0] * u[2];
    v[2] = n[0] * u[1] - n[1] * u[0];
    mat direction = *m;
    for (int r = 0; r < 3; r++)
        direction.m[r][3] = 0.0;
    mat_point(&direction, u, mu);
    mat_point(&direction, v, mv);
    mat_point(&direction, n, mn);
    out[0] = mu[1] * mv[2] - mu[2] * mv[1];
    out[1] = mu[2] * mv[0] - mu[0] * mv[2];
    out[2] = mu[0] * mv[1] - mu[1] * mv[0];
    if (out[0] * mn[0] + out[1] * mn[1] + out[2] * mn[2] < 0)
        for (int i = 0; i < 3; i++)
            out[i] = -out[i];
    unit(out);
}

static void check_direction(const scene *s, const double want[3])
{
    const uint8_t *p = s->pixels + ((SIDE / 2) * SIDE + SIDE / 2) * 4;
    for (int i = 0; i < 3; i++)
        if (fabs((double)p[i] / 255.0 * 2.0 - 1.0 - want[i]) > 0.012)
            fail_msg("the direction is %.3f %.3f %.3f, not %.3f %.3f %.3f", p[0] / 127.5 - 1,
                     p[1] / 127.5 - 1, p[2] / 127.5 - 1, want[0], want[1], want[2]);
}

TEST(normals_and_tangents_follow_any_scale)
{
    /* A square that faces the camera, its normal leaning; scaled unevenly, turned, mirrored. */
    const double normal[3] = {0.48, 0.36, 0.8}, tangent[3] = {0.8, -0.6, 0.0};
    const mat    models[5] = {
           mat_identity,
           mat_scale(2.0, 0.5, 3.0),
           mat_mul(mat_turn_z(0.7), mat_scale(0.4, 1.9, 0.6)),
           mat_mul(mat_turn_y(0.5), mat_mul(mat_scale(1.5, 1.0, 0.3), mat_turn_z(-0.4))),
           mat_scale(-1.7, 0.8, 1.2),
    };
    scene        s;
    skinned_mesh q;
    if (!scene_open_with(&s, 1))
        skip();
    square_make(&q, (ember_vec3){(float)normal[0], (float)normal[1], (float)normal[2]},
                (ember_vec3){(float)tangent[0], (float)tangent[1], (float)tangent[2]});
    ember_draw *draw = scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &q.mesh));
    for (int branch = 0; branch < 2; branch++) /* by the draw's transform, and by a bone's */
        for (int i = 0; i < 5; i++) {
            ember_mat34 bone = mat_f32(models[i]);
            double      want[3];
            mat         turned = models[i];
            draw->branch = branch == 0 ? EMBER_DRAW_STATIC : EMBER_DRAW_RIGID;
            draw->transform = branch == 0 ? bone : mat_f32(mat_identity);
            draw->pose = EMBER_DRAW_POSE_BONES;
            draw->bone_count = 1;
            s.list.bones = &bone;
            s.list.bone_count = 1;
            ember_renderer_show(s.renderer, EMBER_SHOW_NORMALS);
            scene_show(&s);
            moved_normal(&models[i], normal, want);
            check_direction(&s, want);
            ember_renderer_show(s.renderer, EMBER_SHOW_TANGENTS);
            scene_show(&s);
            for (int r = 0; r < 3; r++)
                turned.m[r][3] = 0.0;
            mat_point(&turned, tangent, want);
            unit(want);
            check_direction(&s, want);
        }
    scene_close(&s);
}

/* Seen from behind, a surface is lit as a surface that looks this way; a mesh without normals
   shows its faces'. */
TEST(the_back_and_bare_faces_turn_to_the_eye)
{
    const double back[3] = {0, 0, 1}, slope[3] = {sin(0.6), 0, cos(0.6)};
    scene        s;
    skinned_mesh q;
    if (!scene_open_with(&s, 1))
        skip();
    ember_renderer_show(s.renderer, EMBER_SHOW_NORMALS);
    square_make(&q, (ember_vec3){0, 0, 1}, (ember_vec3){1, 0, 0});
    ember_draw *draw = scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &q.mesh));
    draw->transform = mat_f32(mat_turn_y(3.14159265358979));
    scene_show(&s);
    check_direction(&s, back);
    q.mesh.normals = NULL;
    draw->mesh = scene_add(&s, &q.mesh);
    draw->transform = mat_f32(mat_turn_y(0.6));
    scene_show(&s);
    check_direction(&s, slope);
    scene_close(&s);
}

/* What faces the light is brighter than what does not, and a normal of zero is not lit at all. */
TEST(light_falls_on_what_faces_it)
{
    scene        s;
    skinned_mesh q;
    uint32_t     seen[2];
    if (!scene_open_with(&s, 1))
        skip();
    ember_renderer_show(s.renderer, EMBER_SHOW_LIT);
    ember_renderer_light(s.renderer, (ember_vec3){0.6f, 0, 0.8f});
    for (int i = 0; i < 2; i++) {
        square_make(&q, i == 0 ? (ember_vec3){0.6f, 0, 0.8f} : (ember_vec3){-0.9f, 0, 0.43f},
                    (ember_vec3){1, 0, 0});
        s.list.draw_count = 0;
        scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &q.mesh))->color = 0xA0A0A0FFu;
        scene_show(&s);
        seen[i] = scene_pixel(&s, SIDE / 2, SIDE / 2) >> 24;
    }
    assert_true(seen[0] > seen[1] + 40);
    square_make(&q, (ember_vec3){0, 0, 0}, (ember_vec3){1, 0, 0});
    s.list.draw_count = 0;
    scene_draw(&s, EMBER_DRAW_STATIC, scene_add(&s, &q.mesh))->color = 0xA0B0C0FFu;
    scene_show(&s);
    assert_int_equal(scene_pixel(&s, SIDE / 2, SIDE / 2), 0xA0B0C0FFu);
    scene_close(&s);
}
