/* SPDX-License-Identifier: MIT */
/* Meshes made by code have the sizes that they say, and bones get the colours of their sides.
   Covers: limbs.c. */
#include "scene/limbs.h"
#include "scene/shapes.h"

#include <math.h>

#include "stick.h"

TEST(a_bone_goes_from_the_origin_to_one)
{
    shape s;
    float low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
    shape_bone(&s);
    for (uint32_t i = 0; i < s.mesh.vertex_count; i++) {
        const float at[3] = {s.positions[i].x, s.positions[i].y, s.positions[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = fminf(low[k], at[k]);
            high[k] = fmaxf(high[k], at[k]);
        }
    }
    assert_float_equal(low[1], 0.0f, 1e-6);
    assert_float_equal(high[1], 1.0f, 1e-6);
    assert_float_equal(high[0] - low[0], 1.0f, 1e-6);
    assert_float_equal(high[2] - low[2], 1.0f, 1e-6);
    assert_int_equal(s.mesh.index_count, 8 * 3); /* an octahedron */
    shape_free(&s);
}

TEST(a_ball_has_radius_one_and_looks_outwards)
{
    shape s;
    shape_ball(&s);
    assert_true(s.mesh.vertex_count > 0);
    for (uint32_t i = 0; i < s.mesh.vertex_count; i++) {
        ember_vec3 p = s.positions[i], n = s.normals[i];
        assert_float_equal(p.x * p.x + p.y * p.y + p.z * p.z, 1.0f, 1e-5);
        assert_float_equal(p.x * n.x + p.y * n.y + p.z * n.z, 1.0f, 1e-5);
    }
    for (uint32_t i = 0; i < s.mesh.index_count; i++)
        assert_true(s.indices[i] < s.mesh.vertex_count);
    shape_free(&s);
}

TEST(squares_of_the_ground_are_round_numbers)
{
    for (float size = 1e-3f; size < 1e4f; size *= 1.7f) {
        shape ground, lines;
        float side = shape_ground(&ground, &lines, size, 0x202020FFu), digits = side;
        while (digits < 0.95f)
            digits *= 10.0f;
        while (digits > 9.5f)
            digits /= 10.0f;
        assert_true(fabsf(digits - 1.0f) < 1e-3f || fabsf(digits - 2.0f) < 1e-3f ||
                    fabsf(digits - 5.0f) < 1e-3f);
        shape_free(&ground);
        shape_free(&lines);
    }
}

TEST(bones_have_the_colours_of_their_sides)
{
    static const char *const names[3] = {"hip", "hand.l", "hand.r"};
    ember_skeleton           skeleton = {.bone_count = 3, .parents = stick_parents, .names = names};
    uint32_t                 colors[3];
    limbs_colors(colors, &skeleton);
    assert_true(colors[0] != colors[1] && colors[1] != colors[2] && colors[0] != colors[2]);
}

TEST(errors_go_from_green_to_red)
{
    uint32_t good = limbs_error_color(0.0), bad = limbs_error_color(1.0);
    assert_true((good >> 16 & 255u) > (good >> 24));
    assert_true((bad >> 24) > (bad >> 16 & 255u));
    assert_int_equal(limbs_error_color(-1.0), good);
    assert_int_equal(limbs_error_color(2.0), bad);
    assert_int_equal(limbs_error_color((double)NAN), good);
}
