/* SPDX-License-Identifier: MIT */
/* Rotations and transforms one at a time. They compute what the kernels compute for a whole pose, with the
   same operations in the same order, so that a single bone and a lane of eight have equal bits. */
#define LANES_SCALAR 1
#include "base/lanes/lanes.h"
#include "ember/pose.h"
#include "pose/vec.h"

#include "pose/kernels/kernels_quat.inl"

/* ---- rotations ---- */

ember_quat ember_quat_mul(ember_quat a, ember_quat b)
{
    ember_quat out;
    out.x = (a.w * b.x + a.x * b.w) + (a.y * b.z - a.z * b.y);
    out.y = (a.w * b.y + a.y * b.w) + (a.z * b.x - a.x * b.z);
    out.z = (a.w * b.z + a.z * b.w) + (a.x * b.y - a.y * b.x);
    out.w = (a.w * b.w - a.x * b.x) - (a.y * b.y + a.z * b.z);
    return out;
}

ember_quat ember_quat_conjugate(ember_quat q) { return (ember_quat){-q.x, -q.y, -q.z, q.w}; }

ember_quat ember_quat_normalize(ember_quat q)
{
    q = emberi_quat_scale(q, emberi_square_guard(emberi_quat_dot(q, q)));
    float squared = emberi_quat_dot(q, q);
    if (!(squared > 0.0f) || !emberi_is_finite(squared))
        return ember_transform_identity.rotation;
    return emberi_quat_scale(q, 1.0f / emberi_sqrt(squared));
}

ember_quat ember_quat_nlerp(ember_quat a, ember_quat b, float t)
{
    const lanes from[4] = {a.x, a.y, a.z, a.w}, to[4] = {b.x, b.y, b.z, b.w};
    lanes       out[4];
    quat_nlerp(out, from, to, 1.0f - t, t);
    quat_normalize(out);
    return (ember_quat){out[0], out[1], out[2], out[3]};
}

ember_quat ember_quat_slerp(ember_quat a, ember_quat b, float t)
{
    const lanes from[4] = {a.x, a.y, a.z, a.w}, to[4] = {b.x, b.y, b.z, b.w};
    lanes       out[4];
    quat_slerp(out, from, to, 1.0f - t, t);
    quat_normalize(out);
    return (ember_quat){out[0], out[1], out[2], out[3]};
}

ember_vec3 ember_quat_rotate(ember_quat q, ember_vec3 v)
{
    ember_vec3 axis = {q.x, q.y, q.z};
    ember_vec3 turn = emberi_vec3_cross(axis, v);
    turn = emberi_vec3_add(turn, turn);
    return emberi_vec3_add(emberi_vec3_add(v, emberi_vec3_scale(turn, q.w)), emberi_vec3_cross(axis, turn));
}

ember_quat ember_quat_from_axis_angle(ember_vec3 axis, float radians)
{
    ember_vec3 unit;
    if (!emberi_vec3_unit(&unit, axis) || !emberi_is_finite(radians))
        return ember_transform_identity.rotation;
    float half = radians * 0.5f;
    return emberi_quat_from_parts(emberi_vec3_scale(unit, emberi_sin(half)), emberi_cos(half));
}

/* Beyond a right angle the usual cross product loses its direction; so the axis is found in the plane at
   right angles to `a`, where it lies by construction and any half turn is as good as another. */
static ember_quat quat_between_far(ember_vec3 a, ember_vec3 b)
{
    ember_vec3 u = emberi_vec3_perpendicular(a), v = emberi_vec3_cross(a, u), axis = u;
    float      along_u = emberi_vec3_dot(b, u), along_v = emberi_vec3_dot(b, v);
    emberi_vec3_unit(&axis, emberi_vec3_sub(emberi_vec3_scale(v, along_u), emberi_vec3_scale(u, along_v)));
    float sine = emberi_vec3_length(emberi_vec3_sub(a, b)),
          cosine = emberi_vec3_length(emberi_vec3_add(a, b));
    return ember_quat_normalize(emberi_quat_from_parts(emberi_vec3_scale(axis, sine), cosine));
}

ember_quat ember_quat_between(ember_vec3 from, ember_vec3 to)
{
    ember_vec3 a, b;
    if (!emberi_vec3_unit(&a, from) || !emberi_vec3_unit(&b, to))
        return ember_transform_identity.rotation;
    float dot = emberi_vec3_dot(a, b);
    if (dot < 0.0f)
        return quat_between_far(a, b);
    return ember_quat_normalize(emberi_quat_from_parts(emberi_vec3_cross(a, b), 1.0f + dot));
}

/* ---- transforms ---- */

static bool scale_is_uniform(ember_vec3 s) { return s.x == s.y && s.y == s.z; }

ember_transform ember_transform_lerp(const ember_transform *a, const ember_transform *b, float t)
{
    float           u = 1.0f - t;
    ember_transform out;
    out.rotation = ember_quat_nlerp(a->rotation, b->rotation, t);
    out.position = emberi_vec3_add(emberi_vec3_scale(a->position, u), emberi_vec3_scale(b->position, t));
    out.scale = emberi_vec3_add(emberi_vec3_scale(a->scale, u), emberi_vec3_scale(b->scale, t));
    return out;
}

ember_transform ember_transform_mul(const ember_transform *a, const ember_transform *b)
{
    ember_transform out;
    if (scale_is_uniform(a->scale)) {
        out.rotation = ember_quat_mul(a->rotation, b->rotation);
        out.scale = emberi_vec3_mul(a->scale, b->scale);
    } else {
        ember_mat34 left = ember_mat34_from_transform(a), right = ember_mat34_from_transform(b);
        ember_mat34 product = ember_mat34_mul(&left, &right);
        ember_mat34_decompose(&out, &product);
    }
    out.position = ember_transform_point(a, b->position);
    return out;
}

static float scale_inverse(float s) { return s == 0.0f ? 0.0f : 1.0f / s; }

ember_transform ember_transform_inverse(const ember_transform *t)
{
    ember_vec3      s = {scale_inverse(t->scale.x), scale_inverse(t->scale.y), scale_inverse(t->scale.z)};
    ember_quat      back = ember_quat_conjugate(t->rotation);
    ember_transform out = {back, {0.0f, 0.0f, 0.0f}, s};
    if (!scale_is_uniform(t->scale)) {
        /* Scale comes last now: a TRS holds that only as far as it needs no shear. */
        ember_transform rotation = {back, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
        ember_mat34     m = ember_mat34_from_transform(&rotation);
        for (int i = 0; i < 3; i++) {
            m.m[i] *= s.x;
            m.m[4 + i] *= s.y;
            m.m[8 + i] *= s.z;
        }
        ember_mat34_decompose(&out, &m);
    }
    out.position = emberi_vec3_sub(out.position, emberi_vec3_mul(s, ember_quat_rotate(back, t->position)));
    return out;
}

ember_vec3 ember_transform_point(const ember_transform *t, ember_vec3 p)
{
    return emberi_vec3_add(ember_quat_rotate(t->rotation, emberi_vec3_mul(t->scale, p)), t->position);
}
