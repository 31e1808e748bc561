/* SPDX-License-Identifier: MIT */
/* Affine matrices: in the orders that the specifications use, multiplied, inverted, and taken apart again.
   Any numbers may come in; where a matrix is not finite, nothing that comes out is taken from it. */
#include "ember/pose.h"
#include "pose/vec.h"

/* ---- from one form to another ---- */

ember_mat34 ember_mat34_from_transform(const ember_transform *t)
{
    ember_quat q = t->rotation;
    ember_vec3 s = t->scale;
    float      x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float      xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    float      xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float      wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return (ember_mat34){{
        (1.0f - (yy + zz)) * s.x, (xy - wz) * s.y, (xz + wy) * s.z, t->position.x, //
        (xy + wz) * s.x, (1.0f - (xx + zz)) * s.y, (yz - wx) * s.z, t->position.y, //
        (xz - wy) * s.x, (yz + wx) * s.y, (1.0f - (xx + yy)) * s.z, t->position.z, //
    }};
}

ember_mat43 ember_mat43_from_mat34(const ember_mat34 *m)
{
    ember_mat43 out;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out.m[3 * column + row] = m->m[4 * row + column];
    return out;
}

ember_mat34 ember_mat34_from_mat43(const ember_mat43 *m)
{
    ember_mat34 out;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out.m[4 * row + column] = m->m[3 * column + row];
    return out;
}

ember_mat44 ember_mat44_from_mat34(const ember_mat34 *m)
{
    ember_mat44 out;
    for (int column = 0; column < 4; column++) {
        for (int row = 0; row < 3; row++)
            out.m[4 * column + row] = m->m[4 * row + column];
        out.m[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
    }
    return out;
}

ember_mat34 ember_mat34_from_mat44(const ember_mat44 *m)
{
    ember_mat34 out;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            out.m[4 * row + column] = m->m[4 * column + row];
    return out;
}

/* ---- products and inverses ---- */

ember_mat34 ember_mat34_mul(const ember_mat34 *a, const ember_mat34 *b)
{
    const float *l = b->m;
    ember_mat34  out;
    for (int row = 0; row < 3; row++) {
        const float *p = a->m + 4 * row;
        for (int i = 0; i < 3; i++)
            out.m[4 * row + i] = (p[0] * l[i] + p[1] * l[4 + i]) + p[2] * l[8 + i];
        out.m[4 * row + 3] = (p[0] * l[3] + p[1] * l[7]) + (p[2] * l[11] + p[3]);
    }
    return out;
}

ember_vec3 ember_mat34_point(const ember_mat34 *m, ember_vec3 p)
{
    const float *a = m->m;
    return (ember_vec3){(a[0] * p.x + a[1] * p.y) + (a[2] * p.z + a[3]),
                        (a[4] * p.x + a[5] * p.y) + (a[6] * p.z + a[7]),
                        (a[8] * p.x + a[9] * p.y) + (a[10] * p.z + a[11])};
}

ember_vec3 ember_mat34_direction(const ember_mat34 *m, ember_vec3 v)
{
    const float *a = m->m;
    return (ember_vec3){(a[0] * v.x + a[1] * v.y) + a[2] * v.z, (a[4] * v.x + a[5] * v.y) + a[6] * v.z,
                        (a[8] * v.x + a[9] * v.y) + a[10] * v.z};
}

/* In double, a determinant of floats can neither overflow nor vanish by underflow, and its sign
   can be trusted. */
static double mat34_cofactor(const float *a, int row, int column)
{
    static const int next[3] = {1, 2, 0}, after[3] = {2, 0, 1};
    int              r0 = 4 * next[row], r1 = 4 * after[row], c0 = next[column], c1 = after[column];
    return (double)a[r0 + c0] * (double)a[r1 + c1] - (double)a[r0 + c1] * (double)a[r1 + c0];
}

static double mat34_determinant(const ember_mat34 *m)
{
    const float *a = m->m;
    return ((double)a[0] * mat34_cofactor(a, 0, 0) + (double)a[1] * mat34_cofactor(a, 0, 1)) +
           (double)a[2] * mat34_cofactor(a, 0, 2);
}

/* The determinant is at most this large, whatever the angles between the columns, or between
   the rows, are. */
static double mat34_determinant_bound(const ember_mat34 *m)
{
    const float *a = m->m;
    double       columns = 1.0, rows = 1.0;
    for (int i = 0; i < 3; i++) {
        columns *= (double)emberi_vec3_length(emberi_mat34_column(m, i));
        rows *= (double)emberi_vec3_length(emberi_vec3(a[4 * i], a[4 * i + 1], a[4 * i + 2]));
    }
    return columns < rows ? columns : rows;
}

/* Flatter than this, the rounding of the matrix's own numbers decides what its determinant is. */
#define MAT34_FLAT 1e-6

bool ember_mat34_inverse(ember_mat34 *out, const ember_mat34 *m)
{
    ember_mat34 source = *m;
    *out = ember_mat34_identity;
    double determinant = mat34_determinant(&source), bound = MAT34_FLAT * mat34_determinant_bound(&source);
    if (!(determinant > bound || determinant < -bound))
        return false;

    ember_mat34 inverse;
    for (int row = 0; row < 3; row++) {
        double r[3];
        for (int i = 0; i < 3; i++) {
            r[i] = mat34_cofactor(source.m, i, row) / determinant;
            inverse.m[4 * row + i] = (float)r[i];
        }
        double moved =
            (r[0] * (double)source.m[3] + r[1] * (double)source.m[7]) + r[2] * (double)source.m[11];
        inverse.m[4 * row + 3] = (float)(0.0 - moved);
    }
    if (!emberi_mat34_is_finite(&inverse))
        return false;
    *out = inverse;
    return true;
}

/* ---- taking apart ---- */

typedef struct axes3 {
    ember_vec3 column[3];
} axes3;

/* Of an orthonormal, right-handed basis. The largest of the four components is found first, so that none of
   the branches divides by a small number. */
static ember_quat axes_rotation(const axes3 *a)
{
    float      m00 = a->column[0].x, m10 = a->column[0].y, m20 = a->column[0].z;
    float      m01 = a->column[1].x, m11 = a->column[1].y, m21 = a->column[1].z;
    float      m02 = a->column[2].x, m12 = a->column[2].y, m22 = a->column[2].z;
    ember_quat q;
    if (m22 < 0.0f) {
        if (m00 > m11)
            q = (ember_quat){1.0f + (m00 - m11) - m22, m10 + m01, m02 + m20, m21 - m12};
        else
            q = (ember_quat){m10 + m01, 1.0f + (m11 - m00) - m22, m21 + m12, m02 - m20};
    } else {
        if (m00 < -m11)
            q = (ember_quat){m02 + m20, m21 + m12, 1.0f + (m22 - m00) - m11, m10 - m01};
        else
            q = (ember_quat){m21 - m12, m02 - m20, m10 - m01, 1.0f + (m00 + m11) + m22};
    }
    return ember_quat_normalize(q);
}

static axes3 axes_of_rotation(ember_quat q)
{
    ember_transform t = {q, {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    ember_mat34     m = ember_mat34_from_transform(&t);
    return (axes3){{emberi_mat34_column(&m, 0), emberi_mat34_column(&m, 1), emberi_mat34_column(&m, 2)}};
}

/* The columns by length, the longest first; equal ones in their own order. */
static void axes_order(int order[3], const axes3 *a)
{
    for (int i = 0; i < 3; i++) {
        float length = emberi_vec3_dot(a->column[i], a->column[i]);
        int   at = i;
        for (; at > 0; at--) {
            const ember_vec3 *before = &a->column[order[at - 1]];
            if (emberi_vec3_dot(*before, *before) >= length)
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* A first rotation: exact for the longest column and the plane of the next that has a direction of its own.
   With one direction only, the shortest turn that takes its axis there. */
static ember_quat axes_first_rotation(const axes3 *a)
{
    static const ember_vec3 unit[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    axes3                   basis;
    int                     order[3] = {0, 1, 2};
    axes_order(order, a);
    int first = order[0];
    if (!emberi_vec3_unit(&basis.column[first], a->column[first]))
        return ember_transform_identity.rotation;
    for (int i = 1; i < 3; i++) {
        int second = order[i], third = 3 - first - second;
        if (!emberi_vec3_across(&basis.column[second], a->column[second], basis.column[first]))
            continue;
        ember_vec3 cross = emberi_vec3_cross(basis.column[first], basis.column[second]);
        basis.column[third] = second == (first + 1) % 3 ? cross : emberi_vec3_negate(cross);
        return axes_rotation(&basis);
    }
    return ember_quat_between(unit[first], basis.column[first]);
}

/* Turns the basis in the plane of its axes i and j to where the two columns lie along their axes as far as
   they can: the largest ii*ii + jj*jj, in closed form. Returns the sine of twice the angle. */
static float axes_turn_plane(ember_quat *q, const axes3 *a, int i, int j)
{
    axes3 basis = axes_of_rotation(*q);
    float ii = emberi_vec3_dot(basis.column[i], a->column[i]),
          ij = emberi_vec3_dot(basis.column[i], a->column[j]);
    float ji = emberi_vec3_dot(basis.column[j], a->column[i]),
          jj = emberi_vec3_dot(basis.column[j], a->column[j]);
    float y = 2.0f * (ii * ji - jj * ij), x = (ii * ii + jj * jj) - (ji * ji + ij * ij);
    float length = emberi_sqrt(x * x + y * y);
    if (!(length > 0.0f))
        return 0.0f;
    float cosine = x / length, sine = y / length, twice = sine;
    emberi_half_angle(&cosine, &sine);
    emberi_half_angle(&cosine, &sine);
    ember_quat turn = {0.0f, 0.0f, 0.0f, cosine};
    if (j - i == 2)
        turn.y = -sine;
    else if (i == 0)
        turn.z = sine;
    else
        turn.x = sine;
    *q = ember_quat_normalize(ember_quat_mul(*q, turn));
    return twice;
}

/* The rotation R that leaves the least of the matrix over: for a given R the best scales are the columns'
   lengths along R's axes, so it is the one with the largest sum of their squares. Plane by plane, each time
   the best there is. Pure TRS stop after the first round, the shear of ordinary rigs after five; twelve leave
   less than a thousandth even of wild ones. */
static ember_quat axes_best_rotation(const axes3 *a)
{
    ember_quat q = axes_first_rotation(a);
    for (int round = 0; round < 12; round++) {
        float xy = axes_turn_plane(&q, a, 0, 1), xz = axes_turn_plane(&q, a, 0, 2),
              yz = axes_turn_plane(&q, a, 1, 2);
        if (emberi_max(emberi_max(emberi_abs(xy), emberi_abs(xz)), emberi_abs(yz)) < 4e-7f)
            break;
    }
    return q;
}

static float axes_shear(const axes3 *a)
{
    ember_vec3 unit[3];
    float      shear = 0.0f;
    for (int i = 0; i < 3; i++) {
        unit[i] = emberi_vec3(0.0f, 0.0f, 0.0f);
        emberi_vec3_unit(&unit[i], a->column[i]);
    }
    for (int i = 0; i < 3; i++)
        shear = emberi_max(shear, emberi_abs(emberi_vec3_dot(unit[i], unit[(i + 1) % 3])));
    return emberi_min(shear, 1.0f);
}

/* The power of two that brings the largest number of a column to 1..4; less if that is denormal. */
static float axes_guard(ember_vec3 c)
{
    float    largest = emberi_max(emberi_max(emberi_abs(c.x), emberi_abs(c.y)), emberi_abs(c.z));
    uint32_t exponent = emberi_bits_of(largest) >> 23;
    exponent = exponent < 1u ? 1u : exponent > 253u ? 253u : exponent;
    return emberi_float_of((254u - exponent) << 23);
}

/* The factors by which columns of any size can be squared and compared. One that is less than 1/16384 of the
   longest counts as that much: it would not be heard beside it, but is still to have its place. */
static void axes_guards(float guards[3], const axes3 *a)
{
    for (int i = 0; i < 3; i++)
        guards[i] = axes_guard(a->column[i]);
    float least = emberi_min(emberi_min(guards[0], guards[1]), guards[2]);
    for (int i = 0; i < 3; i++)
        guards[i] *= emberi_max(least / guards[i], 0x1p-14f);
}

float ember_mat34_decompose(ember_transform *out, const ember_mat34 *m)
{
    *out = ember_transform_identity;
    if (!emberi_mat34_is_finite(m))
        return 1.0f;
    axes3 a = {{emberi_mat34_column(m, 0), emberi_mat34_column(m, 1), emberi_mat34_column(m, 2)}};
    float shear = axes_shear(&a), guards[3];
    axes_guards(guards, &a);
    if (mat34_determinant(m) < -MAT34_FLAT * mat34_determinant_bound(m))
        guards[0] = -guards[0];
    for (int i = 0; i < 3; i++)
        a.column[i] = emberi_vec3_scale(a.column[i], guards[i]);

    out->rotation = axes_best_rotation(&a);
    axes3 basis = axes_of_rotation(out->rotation);
    out->scale.x = emberi_vec3_dot(basis.column[0], a.column[0]) / guards[0];
    out->scale.y = emberi_vec3_dot(basis.column[1], a.column[1]) / guards[1];
    out->scale.z = emberi_vec3_dot(basis.column[2], a.column[2]) / guards[2];
    out->position = emberi_mat34_translation(m);
    return shear;
}

ember_status ember_decompose_run(const ember_decompose_job *job)
{
    const int16_t *parents = job->rig != NULL ? job->rig->parents : job->parents;
    const uint32_t count = job->rig != NULL ? job->rig->bone_count : job->bone_count;
    if (count != 0 && (job->out == NULL || job->model == NULL || parents == NULL))
        return EMBER_E_ARG;
    if (job->rig == NULL && count != 0 && !ember_hierarchy_valid(parents, count))
        return EMBER_E_ARG;
    float shear = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        ember_mat34 local = job->model[i], back;
        if (parents[i] != EMBER_NO_PARENT) {
            if (!ember_mat34_inverse(&back, &job->model[parents[i]])) {
                job->out[i] = ember_transform_identity;
                continue;
            }
            local = ember_mat34_mul(&back, &local);
        }
        shear = emberi_max(shear, ember_mat34_decompose(&job->out[i], &local));
    }
    if (job->shear != NULL)
        *job->shear = shear;
    return EMBER_OK;
}
