/* SPDX-License-Identifier: MIT */
/* The double-precision mathematics of real.h, and nothing that a file's bytes reach unchecked: any numbers
   may come in, and what is not finite stays so. */
#include "base/real.h"

const real_trs emberi_real_trs_identity = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0}};
const real_mat emberi_real_mat_identity = {
    {{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};

/* ---- angles ---- */

/* The sine of x plus `turn` quarter turns. */
static double real_sin_turned(double x, uint32_t turn)
{
    if (!(emberi_real_abs(x) <= 0x1p20))
        return __builtin_nan("");
    real_angle angle = emberi_real_reduce(x);
    angle.quadrant += turn;
    return emberi_real_angle_sin(angle);
}

double emberi_real_sin(double x) { return real_sin_turned(x, 0); }

double emberi_real_cos(double x) { return real_sin_turned(x, 1); }

/* The angle of the point (x, y), 0..pi, for y >= 0. The point is mirrored into the lowest eighth of the
   circle and then turned back by the nearest of nine angles whose tangents are k/8, which leaves a tangent of
   at most 1/16 for Taylor's series; the first term left out is 1e-18 of the sum. */
static double real_angle_of(double y, double x)
{
    static const double steps[9] = {0.0,
                                    0x1.fd5ba9aac2f6ep-4,
                                    0x1.f5b75f92c80ddp-3,
                                    0x1.6f61941e4def1p-2,
                                    0x1.dac670561bb4fp-2,
                                    0x1.1e00babdefeb4p-1,
                                    0x1.4978fa3269ee1p-1,
                                    0x1.700a7c5784634p-1,
                                    0x1.921fb54442d18p-1};
    static const double series[6] = {1.0 / 13.0, -1.0 / 11.0, 1.0 / 9.0, -1.0 / 7.0, 1.0 / 5.0, -1.0 / 3.0};
    double              side = x < 0.0 ? -x : x;
    double              low = y < side ? y : side, high = y < side ? side : y, slope = low / high;
    if (!(slope <= 1.0)) /* 0/0, two infinities, or NaN */
        return high == 0.0 ? 0.0 : __builtin_nan("");
    int    step = (int)(slope * 8.0 + 0.5);
    double tangent = (double)step * 0.125;
    double u = (low - tangent * high) / (high + tangent * low);
    double z = u * u;
    double angle = steps[step] + (u + u * (z * emberi_real_polynomial(z, series, 6)));
    if (y > side)
        angle = EMBERI_REAL_HALF_PI - angle;
    return x < 0.0 ? EMBERI_REAL_PI - angle : angle;
}

double emberi_real_atan2(double y, double x)
{
    double angle = real_angle_of(emberi_real_abs(y), x);
    return y < 0.0 ? -angle : angle;
}

double emberi_real_atan(double x) { return emberi_real_atan2(x, 1.0); }

/* ---- quaternions ---- */

double emberi_real_quat_dot(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

bool emberi_real_quat_normalize(double q[4])
{
    double square = emberi_real_quat_dot(q, q);
    if (!(square > 1e-24) || !emberi_real_is_finite(square))
        return false;
    double inverse = 1.0 / emberi_real_sqrt(square);
    for (int i = 0; i < 4; i++)
        q[i] *= inverse;
    return true;
}

void emberi_real_quat_chords(double *apart, double *together, const double a[4], const double b[4])
{
    double less = 0.0, more = 0.0;
    for (int i = 0; i < 4; i++) {
        less += (a[i] - b[i]) * (a[i] - b[i]);
        more += (a[i] + b[i]) * (a[i] + b[i]);
    }
    *apart = less;
    *together = more;
}

void emberi_real_quat_slerp(double out[4], const double a[4], const double b[4], double t)
{
    bool   far = emberi_real_quat_dot(a, b) < 0.0; /* -b is the same rotation, and nearer */
    double apart, together, from = 1.0 - t, to = t;
    emberi_real_quat_chords(&apart, &together, a, b);
    double angle = 2.0 * emberi_real_atan(emberi_real_sqrt(far ? together / apart : apart / together));
    if (angle > 1e-7) { /* of the two sines only the ratio matters, as the sum is normalised */
        from = emberi_real_sin(from * angle);
        to = emberi_real_sin(to * angle);
    }
    for (int i = 0; i < 4; i++)
        out[i] = from * a[i] + (far ? -to : to) * b[i];
    (void)emberi_real_quat_normalize(out);
}

void emberi_real_quat_mul(double out[4], const double a[4], const double b[4])
{
    const double q[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    for (int i = 0; i < 4; i++)
        out[i] = q[i];
}

/* ---- matrices ---- */

real_mat emberi_real_mat_from_trs(const real_trs *trs)
{
    double   x = trs->r[0], y = trs->r[1], z = trs->r[2], w = trs->r[3];
    real_mat m = {{{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w), trs->t[0]},
                   {2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w), trs->t[1]},
                   {2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y), trs->t[2]}}};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            m.m[row][column] *= trs->s[column];
    }
    return m;
}

real_mat emberi_real_mat_mul(const real_mat *a, const real_mat *b)
{
    real_mat out;
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

static void mat_linear(double out[3][3], const real_mat *m)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out[row][column] = m->m[row][column];
    }
}

double emberi_real_mat_det(const real_mat *m)
{
    double linear[3][3], cofactors[3][3];
    mat_linear(linear, m);
    mat_cofactors(cofactors, linear);
    return linear[0][0] * cofactors[0][0] + linear[0][1] * cofactors[0][1] + linear[0][2] * cofactors[0][2];
}

bool emberi_real_mat_inverse(real_mat *out, const real_mat *m)
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

bool emberi_real_mat_agree(const real_mat *a, const real_mat *b)
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

void emberi_real_mat_direction(double out[3], const real_mat *m, const double v[3])
{
    double x = v[0], y = v[1], z = v[2];
    for (int row = 0; row < 3; row++)
        out[row] = m->m[row][0] * x + m->m[row][1] * y + m->m[row][2] * z;
}

void emberi_real_mat_point(double out[3], const real_mat *m, const double p[3])
{
    emberi_real_mat_direction(out, m, p);
    for (int row = 0; row < 3; row++)
        out[row] += m->m[row][3];
}

void emberi_real_mat_normal(double out[3], const real_mat *m, const double n[3])
{
    double x = n[0], y = n[1], z = n[2];
    for (int row = 0; row < 3; row++) {
        const double *a = m->m[(row + 1) % 3], *b = m->m[(row + 2) % 3];
        out[row] = (a[1] * b[2] - a[2] * b[1]) * x + (a[2] * b[0] - a[0] * b[2]) * y +
                   (a[0] * b[1] - a[1] * b[0]) * z;
    }
}

real_trs emberi_real_trs_mul(const real_trs *a, const real_trs *b)
{
    real_trs out;
    real_mat m = emberi_real_mat_from_trs(a);
    emberi_real_mat_point(out.t, &m, b->t);
    emberi_real_quat_mul(out.r, a->r, b->r);
    (void)emberi_real_quat_normalize(out.r);
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
        double root = emberi_real_sqrt(trace + 1.0), half = 0.5 / root;
        q[3] = 0.5 * root;
        q[0] = (r[2][1] - r[1][2]) * half;
        q[1] = (r[0][2] - r[2][0]) * half;
        q[2] = (r[1][0] - r[0][1]) * half;
    } else {
        int i = r[1][1] > r[0][0] ? 1 : 0;
        if (r[2][2] > r[i][i])
            i = 2;
        int    j = (i + 1) % 3, k = (i + 2) % 3;
        double root = emberi_real_sqrt(r[i][i] - r[j][j] - r[k][k] + 1.0), half = 0.5 / root;
        q[i] = 0.5 * root;
        q[3] = (r[k][j] - r[j][k]) * half;
        q[j] = (r[j][i] + r[i][j]) * half;
        q[k] = (r[k][i] + r[i][k]) * half;
    }
    if (q[3] < 0.0) {
        for (int i = 0; i < 4; i++)
            q[i] = -q[i];
    }
    if (!emberi_real_quat_normalize(q)) {
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
                change += emberi_real_abs(next - r[row][column]);
                r[row][column] = next;
            }
        }
        if (change < 1e-14)
            break;
    }
    return true;
}

static void columns_scaled(double out[3][3], const real_mat *m, const double scale[3])
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            out[row][column] = m->m[row][column] * scale[column];
    }
}

/* Given the rotation, the best scales; given the scales, the best rotation; a few rounds of this end at the
   least squares. */
static void trs_refine(double r[3][3], double scale[3], const real_mat *m)
{
    for (int round = 0; round < 100; round++) {
        double change = 0.0, weights[3], next[3][3], largest = 0.0;
        for (int i = 0; i < 3; i++) {
            double s = r[0][i] * m->m[0][i] + r[1][i] * m->m[1][i] + r[2][i] * m->m[2][i];
            change += emberi_real_abs(s - scale[i]);
            scale[i] = s;
            largest = emberi_real_abs(s) > largest ? emberi_real_abs(s) : largest;
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

double emberi_real_mat_decompose(real_trs *out, const real_mat *m, const real_trs *like)
{
    double inverse[3], r[3][3], shear = 0.0;
    bool   flat = false;
    double sign = emberi_real_mat_det(m) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 3; i++) {
        double length = emberi_real_length(m->m[0][i], m->m[1][i], m->m[2][i]);
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
        double dot = emberi_real_abs(r[0][i] * r[0][j] + r[1][i] * r[1][j] + r[2][i] * r[2][j]);
        shear = dot > shear ? dot : shear;
    }
    if (!polar_rotation(r))
        return shear; /* columns that fall together */
    if (shear > 1e-12)
        trs_refine(r, out->s, m);
    quat_from_rotation(out->r, r);
    return shear;
}
