/* SPDX-License-Identifier: MIT */
/* The current transform, the stack below it, and the camera. Whatever a game multiplies, the transform stays
   finite or the call traps. */
#include "base/maths.h"
#include "base/real.h"
#include "console/guest_memory.h"

/* ---- the current transform ---- */

static void transform_become(ember_console *c, const char *function, const ember_mat34 *m)
{
    if (!emberi_host_matrix_is_finite(m))
        emberi_host_trap(c, function, "the transform would not be finite");
    c->state.transform = *m;
}

/* Nearer to the vertices than what is there. */
static void transform_multiply(ember_console *c, const char *function, const ember_mat34 *m)
{
    ember_mat34 product = ember_mat34_mul(&c->state.transform, m);
    transform_become(c, function, &product);
}

static ember_mat34 transform_matrix(ember_console *c, const char *function, uint32_t address)
{
    ember_mat44 columns;
    emberi_host_floats(columns.m, c, function, address, 16);
    return ember_mat34_from_mat44(&columns);
}

void emberi_host_transform_set(ember_console *c, guest_in matrix)
{
    c->state.transform = transform_matrix(c, HOST_NAME, matrix);
}

void emberi_host_push_identity(ember_console *c) { c->state.transform = ember_mat34_identity; }

void emberi_host_push_translate(ember_console *c, float x, float y, float z)
{
    ember_mat34 m = {{1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z}};
    transform_multiply(c, HOST_NAME, &m);
}

void emberi_host_push_scale(ember_console *c, float x, float y, float z)
{
    ember_mat34 m = {{x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0}};
    transform_multiply(c, HOST_NAME, &m);
}

void emberi_host_push_scale_uniform(ember_console *c, float s)
{
    ember_mat34 m = {{s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0}};
    transform_multiply(c, HOST_NAME, &m);
}

/* Whole turns are taken off first, exactly, so that large angles are as good as small ones. */
static float transform_radians(float degrees)
{
    double turns = (double)degrees / 360.0;
    double whole = turns > -1e15 && turns < 1e15 ? (double)(int64_t)turns : turns;
    return (float)(((double)degrees - whole * 360.0) * (EMBERI_REAL_PI / 180.0));
}

static void transform_rotate(ember_console *c, const char *function, float degrees, ember_vec3 axis)
{
    emberi_host_finite(c, function, "the angle", degrees);
    ember_transform turn = EMBER_TRANSFORM_IDENTITY;
    turn.rotation = ember_quat_from_axis_angle(axis, transform_radians(degrees));
    ember_mat34 m = ember_mat34_from_transform(&turn);
    transform_multiply(c, function, &m);
}

void emberi_host_push_rotate_x(ember_console *c, float degrees)
{
    transform_rotate(c, HOST_NAME, degrees, (ember_vec3){1.0f, 0.0f, 0.0f});
}

void emberi_host_push_rotate_y(ember_console *c, float degrees)
{
    transform_rotate(c, HOST_NAME, degrees, (ember_vec3){0.0f, 1.0f, 0.0f});
}

void emberi_host_push_rotate_z(ember_console *c, float degrees)
{
    transform_rotate(c, HOST_NAME, degrees, (ember_vec3){0.0f, 0.0f, 1.0f});
}

void emberi_host_push_rotate(ember_console *c, float degrees, float x, float y, float z)
{
    emberi_host_finite(c, HOST_NAME, "x", x);
    emberi_host_finite(c, HOST_NAME, "y", y);
    emberi_host_finite(c, HOST_NAME, "z", z);
    if (x == 0.0f && y == 0.0f && z == 0.0f)
        emberi_host_trap(c, HOST_NAME, "the axis is zero");
    transform_rotate(c, HOST_NAME, degrees, (ember_vec3){x, y, z});
}

/* ---- by parts ---- */

void emberi_host_transform_set_trs(ember_console *c, guest_in position, guest_in rotation, guest_in scale)
{
    ember_transform trs = emberi_host_trs(c, HOST_NAME, position, rotation, scale);
    ember_mat34     m = ember_mat34_from_transform(&trs);
    transform_become(c, HOST_NAME, &m);
}

void emberi_host_apply_trs(ember_console *c, guest_in position, guest_in rotation, guest_in scale)
{
    ember_transform trs = emberi_host_trs(c, HOST_NAME, position, rotation, scale);
    ember_mat34     m = ember_mat34_from_transform(&trs);
    transform_multiply(c, HOST_NAME, &m);
}

void emberi_host_push_trs(ember_console *c, guest_in position, guest_in rotation, guest_in scale)
{
    ember_transform trs = emberi_host_trs(c, HOST_NAME, position, rotation, scale);
    ember_mat34     m = ember_mat34_from_transform(&trs), below = c->state.transform;
    if (c->state.depth == HOST_STACK_DEPTH)
        emberi_host_trap(c, HOST_NAME, "the transform stack is full: %u deep", HOST_STACK_DEPTH);
    transform_multiply(c, HOST_NAME, &m);
    c->stack[c->state.depth++] = below;
}

void emberi_host_transform_pop(ember_console *c)
{
    if (c->state.depth == 0)
        emberi_host_trap(c, HOST_NAME, "the transform stack is empty");
    c->state.transform = c->stack[--c->state.depth];
}

/* ---- the camera ---- */

void emberi_host_view_set(ember_console *c, guest_in matrix)
{
    c->state.view = transform_matrix(c, HOST_NAME, matrix);
}

void emberi_host_projection_set(ember_console *c, guest_in matrix)
{
    ember_mat44 m;
    emberi_host_floats(m.m, c, HOST_NAME, matrix, 16);
    c->state.projection = m;
}

ember_mat44 emberi_host_perspective(float fov_degrees, float near, float far)
{
    float       half = transform_radians(fov_degrees) * 0.5f, focal = emberi_cos(half) / emberi_sin(half);
    ember_mat44 m = {{0}};
    m.m[0] = focal / EMBER_CONSOLE_ASPECT;
    m.m[5] = focal;
    m.m[10] = (near + far) / (near - far);
    m.m[11] = -1.0f;
    m.m[14] = 2.0f * near * far / (near - far);
    return m;
}

void emberi_host_projection_perspective(ember_console *c, float fov_degrees, float near, float far)
{
    if (!(fov_degrees > 0.0f && fov_degrees < 180.0f))
        emberi_host_trap(c, HOST_NAME, "the angle must be above 0 and below 180 degrees");
    if (!(near > 0.0f && near < far && emberi_is_finite(far)))
        emberi_host_trap(c, HOST_NAME, "near must be above 0, far above near and finite");
    ember_mat44 m = emberi_host_perspective(fov_degrees, near, far);
    for (int i = 0; i < 16; i++)
        if (!emberi_is_finite(m.m[i]))
            emberi_host_trap(c, HOST_NAME, "the projection would not be finite");
    c->state.projection = m;
}
