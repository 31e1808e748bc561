/* SPDX-License-Identifier: MIT */
/* Mathematics in double precision: sine, arc tangent, quaternions, affine matrices, transforms. Built from
   operations that IEEE 754 rounds exactly, in a fixed order, so that every machine and compiler gives the
   same bits. Any numbers may come in; what is not finite stays so. */
#ifndef EMBER_BASE_REAL_H
#define EMBER_BASE_REAL_H

#include "base/check.h"
#include "ember/base.h"

#define EMBERI_REAL_PI 3.14159265358979323846
#define EMBERI_REAL_HALF_PI 1.57079632679489661923

/* ---- numbers ---- */

EMBERI_INLINE double emberi_real_sqrt(double x) { return __builtin_sqrt(x); }
EMBERI_INLINE double emberi_real_abs(double x) { return __builtin_fabs(x); }
EMBERI_INLINE bool   emberi_real_is_finite(double x) { return x - x == 0.0; }
EMBERI_INLINE double emberi_real_length(double x, double y, double z)
{
    return emberi_real_sqrt(x * x + y * y + z * z);
}

/* ---- angles ---- */

/* An angle as quadrant * pi/2 + rest, |rest| at most a hair over pi/4; only the quadrant's two
   lowest bits count. */
typedef struct real_angle {
    double   rest;
    uint32_t quadrant;
} real_angle;

/* For |x| up to 2^20. The high part of pi/2 has 33 bits, so that its product with a quadrant count of 20 bits
   is exact; the low part brings what is missing to 86 bits. */
EMBERI_INLINE real_angle emberi_real_reduce(double x)
{
    const double high = 0x1.921fb544p+0, low = 0x1.0b4611a626331p-34;
    int32_t      quadrant = (int32_t)(x * 0.6366197723675814 + (x < 0.0 ? -0.5 : 0.5));
    double       n = (double)quadrant;
    return (real_angle){(x - n * high) - n * low, (uint32_t)quadrant};
}

/* A polynomial in z by Horner's rule, the highest power's coefficient first. */
EMBERI_INLINE double emberi_real_polynomial(double z, const double *coefficients, int count)
{
    double sum = coefficients[0];
    for (int i = 1; i < count; i++)
        sum = sum * z + coefficients[i];
    return sum;
}

/* Taylor's series, with the coefficients 1/n! rounded by the compiler: nothing is divided at run time. On |r|
   <= pi/4 the first term left out is 1e-19 of the sum: a thousandth of a double's last bit. */
EMBERI_INLINE double emberi_real_sin_near_zero(double r)
{
    static const double coefficients[8] =
        {1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
         1.0 / 362880.0,          -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
    double z = r * r;
    /* not r + r*z*p, which loses the sign of zero */
    return r * (1.0 + z * emberi_real_polynomial(z, coefficients, 8));
}

/* As above; here the first term left out is 3e-18, a fortieth of the last bit. */
EMBERI_INLINE double emberi_real_cos_near_zero(double r)
{
    static const double coefficients[8] =
        {1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
         1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0,        -0.5};
    double z = r * r;
    return 1.0 + z * emberi_real_polynomial(z, coefficients, 8);
}

EMBERI_INLINE double emberi_real_angle_sin(real_angle angle)
{
    double value = (angle.quadrant & 1u) != 0 ? emberi_real_cos_near_zero(angle.rest)
                                              : emberi_real_sin_near_zero(angle.rest);
    return (angle.quadrant & 2u) != 0 ? -value : value;
}

/* Radians, within 2^20 either way; NaN beyond. Off by at most 1.6e-16: of 0..pi/2 that is 1.5 units in the
   sine's last place. */
double emberi_real_sin(double x);
double emberi_real_cos(double x);
/* Within 2.5 units in the last place, and for |x| <= 1 within 1e-16; NaN for infinities too. */
double emberi_real_atan(double x);
/* In -pi..pi, all quadrants; atan2(0, 0) is 0; NaN where either is not finite. */
double emberi_real_atan2(double y, double x);

/* ---- quaternions: x y z w ---- */

EMBERI_INLINE void emberi_real_quat_from(double out[4], ember_quat q)
{
    out[0] = (double)q.x;
    out[1] = (double)q.y;
    out[2] = (double)q.z;
    out[3] = (double)q.w;
}

EMBERI_INLINE ember_quat emberi_real_quat_to_float(const double q[4])
{
    return (ember_quat){(float)q[0], (float)q[1], (float)q[2], (float)q[3]};
}

double emberi_real_quat_dot(const double a[4], const double b[4]);
/* The squared lengths of a - b and of a + b. Of unit quaternions the smaller over the larger is the squared
   tangent of a quarter of the angle between them, exact where the cosine is not. */
void   emberi_real_quat_chords(double *apart, double *together, const double a[4], const double b[4]);
/* first b, then a; out may be either */
void   emberi_real_quat_mul(double out[4], const double a[4], const double b[4]);
/* False, and q untouched, where the length is zero or not finite. */
bool   emberi_real_quat_normalize(double q[4]);
/* The short way between unit quaternions; t in 0..1. */
void   emberi_real_quat_slerp(double out[4], const double a[4], const double b[4], double t);

/* ---- matrices and transforms ---- */

typedef struct real_trs {
    double t[3];
    double r[4]; /* x y z w */
    double s[3];
} real_trs;

/* Three rows of four; the last column is the translation. */
typedef struct real_mat {
    double m[3][4];
} real_mat;

extern const real_trs emberi_real_trs_identity;
extern const real_mat emberi_real_mat_identity;

EMBERI_INLINE real_trs emberi_real_trs_from(const ember_transform *t)
{
    return (real_trs){{(double)t->position.x, (double)t->position.y, (double)t->position.z},
                      {(double)t->rotation.x, (double)t->rotation.y, (double)t->rotation.z,
                       (double)t->rotation.w},
                      {(double)t->scale.x, (double)t->scale.y, (double)t->scale.z}};
}

EMBERI_INLINE ember_transform emberi_real_trs_to_float(const real_trs *trs)
{
    return (ember_transform){emberi_real_quat_to_float(trs->r),
                             {(float)trs->t[0], (float)trs->t[1], (float)trs->t[2]},
                             {(float)trs->s[0], (float)trs->s[1], (float)trs->s[2]}};
}

real_mat emberi_real_mat_from_trs(const real_trs *trs);
real_mat emberi_real_mat_mul(const real_mat *a, const real_mat *b); /* first b, then a */
double   emberi_real_mat_det(const real_mat *m);                    /* of the 3x3 part */
/* False where there is no inverse, or none in finite numbers. */
bool     emberi_real_mat_inverse(real_mat *out, const real_mat *m);
/* The same but for what floats lose on the way: a ten-thousandth of the largest number. */
bool     emberi_real_mat_agree(const real_mat *a, const real_mat *b);
void     emberi_real_mat_point(double out[3], const real_mat *m, const double p[3]);
void     emberi_real_mat_direction(double out[3], const real_mat *m, const double v[3]);
/* Normals go through the inverse's transpose; this is a multiple of it, which also exists where there
   is no inverse. */
void     emberi_real_mat_normal(double out[3], const real_mat *m, const double n[3]);
/* a after b; exact where a's scale is uniform. */
real_trs emberi_real_trs_mul(const real_trs *a, const real_trs *b);
/* The nearest TRS (least squares). Signs of the scale, and the rotation where the matrix has none, are taken
   from `like`; a mirrored matrix that `like` does not explain gets its sign in x. Returns the shear: the
   largest cosine between two columns. */
double   emberi_real_mat_decompose(real_trs *out, const real_mat *m, const real_trs *like);

#endif
