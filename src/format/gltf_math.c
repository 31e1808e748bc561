/* SPDX-License-Identifier: MIT */
/* The double-precision mathematics of sampling and folding. Built from operations that IEEE 754 rounds
   exactly, so that a file gives the same bytes on every machine; any numbers may come in, and what is not
   finite stays so. */
#include "format/gltf.h"

#define sqrt_of(x) __builtin_sqrt(x)
#define abs_of(x) __builtin_fabs(x)

const gltf_trs emberi_gltf_trs_identity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0}};
const gltf_mat emberi_gltf_mat_identity = {
    {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};

/* ---- rotations ---- */

/* Taylor's series: at pi/2 the first term left out is 2e-21. */
double emberi_gltf_sin(double x)
{
    double y = x * x, sum = 1.0;
    for (int n = 22; n >= 2; n -= 2)
        sum = 1.0 - sum * y / (double)(n * (n + 1));
    return x * sum;
}

/* Two halvings of the angle bring x below 0.2, where the series ends quickly. */
double emberi_gltf_atan(double x)
{
    for (int i = 0; i < 2; i++)
        x /= 1.0 + sqrt_of(1.0 + x * x);
    double y = x * x, sum = 0.0;
    for (int n = 25; n >= 1; n -= 2)
        sum = 1.0 / (double)n - y * sum;
    return 4.0 * x * sum;
}

double emberi_gltf_quat_dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

bool emberi_gltf_quat_normalize(double q[4])
{
    double square = emberi_gltf_quat_dot(q, q);
    if (!(square > 1e-24) || !(square - square == 0.0))
        return false;
    double inverse = 1.0 / sqrt_of(square);
    for (int i = 0; i < 4; i++)
        q[i] *= inverse;
    return true;
}

/* The angle comes from the chord, not from acos of the dot product, which has no digits left for
   small angles. */
void emberi_gltf_quat_slerp(double out[4], const double a[4], const double b[4], double t)
{
    double sign = emberi_gltf_quat_dot(a, b) < 0.0 ? -1.0 : 1.0;
    double apart = 0.0, together = 0.0;
    for (int i = 0; i < 4; i++) {
        double c = sign * b[i];
        apart += (c - a[i]) * (c - a[i]);
        together += (c + a[i]) * (c + a[i]);
    }
    double angle = 2.0 * emberi_gltf_atan(sqrt_of(apart / together));
    double from = 1.0 - t, to = t;
    if (angle > 1e-7) {
        double sine = emberi_gltf_sin(angle);
        from = emberi_gltf_sin(from * angle) / sine;
        to = emberi_gltf_sin(to * angle) / sine;
    }
    for (int i = 0; i < 4; i++)
        out[i] = from * a[i] + sign * to * b[i];
    (void)emberi_gltf_quat_normalize(out);
}

static void quat_mul(double out[4], const double a[4], const double b[4])
{
    const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    for (int i = 0; i < 4; i++)
        out[i] = q[i];
}

/* ---- matrices ---- */

gltf_mat emberi_gltf_mat_from_trs(const gltf_trs *trs)
{
    double   x = trs->r[0], y = trs->r[1], z = trs->r[2], w = trs->r[3];
    gltf_mat m = {{{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w), trs->t[0]},
                   {2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w), trs->t[1]},
                   {2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y), trs->t[2]}}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m.m[row][column] *= trs->s[column];
    }
    return m;
}

gltf_mat emberi_gltf_mat_mul(const gltf_mat *a, const gltf_mat *b)
{
    gltf_mat out;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? a->m[row][3] : 0.0;
            for (int i = 0; i < 3; i++)
                sum += a->m[row][i] * b->m[i][column];
            out.m[row][column] = sum;
        }
    }
    return out;
}

/* The cofactors of the 3x3 part: its inverse's transpose, times its determinant. */
static void mat_cofactors(double out[3][3], double m[3][3])
{
    for (int row = 0; row < 3; row++) {
        int r1 = (row + 1) % 3, r2 = (row + 2) % 3;
        for (int column = 0; column < 3; column++) {
            int c1 = (column + 1) % 3, c2 = (column + 2) % 3;
            out[row][column] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
    }
}

static void mat_linear(double out[3][3], const gltf_mat *m)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out[row][column] = m->m[row][column];
    }
}

double emberi_gltf_mat_det(const gltf_mat *m)
{
    double linear[3][3], cofactors[3][3];
    mat_linear(linear, m);
    mat_cofactors(cofactors, linear);
    return linear[0][0] * cofactors[0][0] + linear[0][1] * cofactors[0][1] + linear[0][2] * cofactors[0][2];
}

bool emberi_gltf_mat_inverse(gltf_mat *out, const gltf_mat *m)
{
    double linear[3][3], cofactors[3][3];
    mat_linear(linear, m);
    mat_cofactors(cofactors, linear);
    double inverse = 1.0 / (linear[0][0] * cofactors[0][0] + linear[0][1] * cofactors[0][1] +
                            linear[0][2] * cofactors[0][2]);
    bool   finite = inverse - inverse == 0.0;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out->m[row][column] = cofactors[column][row] * inverse;
        out->m[row][3] =
            -(out->m[row][0] * m->m[0][3] + out->m[row][1] * m->m[1][3] + out->m[row][2] * m->m[2][3]);
        finite = finite && out->m[row][3] - out->m[row][3] == 0.0;
    }
    return finite;
}

bool emberi_gltf_mat_agree(const gltf_mat *a, const gltf_mat *b)
{
    double largest = 0.0, apart = 0.0;
    for (int i = 0; i < 12; i++) {
        double x = a->m[i / 4][i % 4], y = b->m[i / 4][i % 4];
        double size = x < 0.0 ? -x : x, off = x < y ? y - x : x - y;
        largest = size > largest ? size : largest;
        apart = off > apart ? off : apart;
    }
    return apart <= largest * 1e-4;
}

void emberi_gltf_mat_direction(double out[3], const gltf_mat *m, const double v[3])
{
    double x = v[0], y = v[1], z = v[2];
    for (int row = 0; row < 3; row++)
        out[row] = m->m[row][0] * x + m->m[row][1] * y + m->m[row][2] * z;
}

void emberi_gltf_mat_point(double out[3], const gltf_mat *m, const double p[3])
{
    emberi_gltf_mat_direction(out, m, p);
    for (int row = 0; row < 3; row++)
        out[row] += m->m[row][3];
}

gltf_trs emberi_gltf_trs_mul(const gltf_trs *a, const gltf_trs *b)
{
    gltf_trs out;
    gltf_mat m = emberi_gltf_mat_from_trs(a);
    emberi_gltf_mat_point(out.t, &m, b->t);
    quat_mul(out.r, a->r, b->r);
    (void)emberi_gltf_quat_normalize(out.r);
    for (int i = 0; i < 3; i++)
        out.s[i] = a->s[i] * b->s[i];
    return out;
}

/* ---- taking a matrix apart ---- */

/* Of an orthonormal matrix with positive determinant; w is not negative. */
static void quat_from_rotation(double q[4], double r[3][3])
{
    double trace = r[0][0] + r[1][1] + r[2][2];
    if (trace > 0.0) {
        double root = sqrt_of(trace + 1.0), half = 0.5 / root;
        q[3] = 0.5 * root;
        q[0] = (r[2][1] - r[1][2]) * half;
        q[1] = (r[0][2] - r[2][0]) * half;
        q[2] = (r[1][0] - r[0][1]) * half;
    } else {
        int i = r[1][1] > r[0][0] ? 1 : 0;
        if (r[2][2] > r[i][i])
            i = 2;
        int    j = (i + 1) % 3, k = (i + 2) % 3;
        double root = sqrt_of(r[i][i] - r[j][j] - r[k][k] + 1.0), half = 0.5 / root;
        q[i] = 0.5 * root;
        q[3] = (r[k][j] - r[j][k]) * half;
        q[j] = (r[j][i] + r[i][j]) * half;
        q[k] = (r[k][i] + r[i][k]) * half;
    }
    if (q[3] < 0.0) {
        for (int i = 0; i < 4; i++)
            q[i] = -q[i];
    }
    if (!emberi_gltf_quat_normalize(q)) {
        q[0] = q[1] = q[2] = 0.0;
        q[3] = 1.0;
    }
}

/* The rotation nearest to a matrix of positive determinant, by Newton's iteration; false where it
   has no inverse. */
static bool polar_rotation(double r[3][3])
{
    for (int step = 0; step < 60; step++) {
        double cofactors[3][3], change = 0.0;
        mat_cofactors(cofactors, r);
        double det = r[0][0] * cofactors[0][0] + r[0][1] * cofactors[0][1] + r[0][2] * cofactors[0][2];
        if (!(det > 1e-12))
            return false;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                double next = 0.5 * (r[row][column] + cofactors[row][column] / det);
                change += abs_of(next - r[row][column]);
                r[row][column] = next;
            }
        }
        if (change < 1e-14)
            break;
    }
    return true;
}

static void columns_scaled(double out[3][3], const gltf_mat *m, const double scale[3])
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out[row][column] = m->m[row][column] * scale[column];
    }
}

/* Given the rotation, the best scales; given the scales, the best rotation; a few rounds of this end at the
   least squares. */
static void trs_refine(double r[3][3], double scale[3], const gltf_mat *m)
{
    for (int round = 0; round < 100; round++) {
        double change = 0.0, weights[3], next[3][3], largest = 0.0;
        for (int i = 0; i < 3; i++) {
            double s = r[0][i] * m->m[0][i] + r[1][i] * m->m[1][i] + r[2][i] * m->m[2][i];
            change += abs_of(s - scale[i]);
            scale[i] = s;
            largest = abs_of(s) > largest ? abs_of(s) : largest;
        }
        if (!(change > 1e-13 * largest))
            return;
        for (int i = 0; i < 3; i++)
            weights[i] = scale[i] / (largest * largest);
        columns_scaled(next, m, weights);
        if (!polar_rotation(next))
            return;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++)
                r[row][column] = next[row][column];
        }
    }
}

double emberi_gltf_mat_decompose(gltf_trs *out, const gltf_mat *m, const gltf_trs *like)
{
    double inverse[3], r[3][3], shear = 0.0;
    bool   flat = false;
    double sign = emberi_gltf_mat_det(m) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        double length = sqrt_of(m->m[0][i] * m->m[0][i] + m->m[1][i] * m->m[1][i] + m->m[2][i] * m->m[2][i]);
        out->t[i] = m->m[i][3];
        out->s[i] = like->s[i] < 0.0 ? -length : length;
        sign *= like->s[i] < 0.0 ? -1.0 : 1.0;
        flat = flat || !(length > 1e-30) || !(length < 1e30);
    }
    for (int i = 0; i < 4; i++)
        out->r[i] = like->r[i];
    if (flat)
        return 0.0; /* an axis without a direction: rotation and signs are what `like` says */
    if (sign < 0.0)
        out->s[0] = -out->s[0];

    for (int i = 0; i < 3; i++)
        inverse[i] = 1.0 / out->s[i];
    columns_scaled(r, m, inverse);
    for (int i = 0; i < 3; i++) {
        int    j = (i + 1) % 3;
        double dot = abs_of(r[0][i] * r[0][j] + r[1][i] * r[1][j] + r[2][i] * r[2][j]);
        shear = dot > shear ? dot : shear;
    }
    if (!polar_rotation(r))
        return shear; /* columns that fall together */
    if (shear > 1e-12)
        trs_refine(r, out->s, m);
    quat_from_rotation(out->r, r);
    return shear;
}
