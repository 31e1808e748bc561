/* SPDX-License-Identifier: MIT */
/* The geometry of poses once more, in double and by the textbook: what the tests of this room compare with.
   Nothing here calls the library. */
#ifndef EMBER_TESTS_POSE_EXACT_H
#define EMBER_TESTS_POSE_EXACT_H

#include <math.h>

#include "fixtures/rotation.h"

typedef struct exact_vec {
    double x, y, z;
} exact_vec;

typedef struct exact_mat {
    double m[3][4];
} exact_mat;

static inline exact_vec exact_from_vec3(ember_vec3 v)
{
    return (exact_vec){(double)v.x, (double)v.y, (double)v.z};
}

static inline exact_vec exact_sub(exact_vec a, exact_vec b)
{
    return (exact_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline exact_vec exact_scaled(exact_vec a, double k) { return (exact_vec){a.x * k, a.y * k, a.z * k}; }

static inline double exact_dot(exact_vec a, exact_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline double exact_length(exact_vec a) { return sqrt(exact_dot(a, a)); }

static inline double exact_distance(exact_vec a, exact_vec b) { return exact_length(exact_sub(a, b)); }

static inline exact_vec exact_cross(exact_vec a, exact_vec b)
{
    return (exact_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline exact_vec exact_unit(exact_vec a) { return exact_scaled(a, 1.0 / exact_length(a)); }

/* v turned by q, by the formula of Rodrigues from q's axis and angle; q of any length. */
static inline exact_vec exact_rotate(ember_quat q, exact_vec v)
{
    exact_vec axis = {(double)q.x, (double)q.y, (double)q.z};
    double    sine = exact_length(axis), angle = 2.0 * atan2(sine, (double)q.w);
    if (sine == 0.0)
        return v;
    axis = exact_scaled(axis, 1.0 / sine);
    exact_vec cross = exact_cross(axis, v);
    double    along = exact_dot(axis, v) * (1.0 - cos(angle));
    return (exact_vec){v.x * cos(angle) + cross.x * sin(angle) + axis.x * along,
                       v.y * cos(angle) + cross.y * sin(angle) + axis.y * along,
                       v.z * cos(angle) + cross.z * sin(angle) + axis.z * along};
}

static inline exact_mat exact_from_transform(const ember_transform *t)
{
    exact_vec x = exact_rotate(t->rotation, (exact_vec){(double)t->scale.x, 0, 0});
    exact_vec y = exact_rotate(t->rotation, (exact_vec){0, (double)t->scale.y, 0});
    exact_vec z = exact_rotate(t->rotation, (exact_vec){0, 0, (double)t->scale.z});
    return (exact_mat){{{x.x, y.x, z.x, (double)t->position.x},
                        {x.y, y.y, z.y, (double)t->position.y},
                        {x.z, y.z, z.z, (double)t->position.z}}};
}

static inline exact_mat exact_from_mat34(const ember_mat34 *m)
{
    exact_mat out;
    for (int i = 0; i < 12; i++)
        out.m[i / 4][i % 4] = (double)m->m[i];
    return out;
}

static inline ember_mat34 exact_to_mat34(const exact_mat *m)
{
    ember_mat34 out;
    for (int i = 0; i < 12; i++)
        out.m[i] = (float)m->m[i / 4][i % 4];
    return out;
}

static inline exact_mat exact_mul(const exact_mat *a, const exact_mat *b)
{
    exact_mat out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) {
            out.m[r][c] = c == 3 ? a->m[r][3] : 0.0;
            for (int k = 0; k < 3; k++)
                out.m[r][c] += a->m[r][k] * b->m[k][c];
        }
    return out;
}

static inline exact_vec exact_column(const exact_mat *m, int i)
{
    return (exact_vec){m->m[0][i], m->m[1][i], m->m[2][i]};
}

static inline exact_vec exact_direction(const exact_mat *m, exact_vec v)
{
    return (exact_vec){m->m[0][0] * v.x + m->m[0][1] * v.y + m->m[0][2] * v.z,
                       m->m[1][0] * v.x + m->m[1][1] * v.y + m->m[1][2] * v.z,
                       m->m[2][0] * v.x + m->m[2][1] * v.y + m->m[2][2] * v.z};
}

static inline exact_vec exact_point(const exact_mat *m, exact_vec p)
{
    exact_vec out = exact_direction(m, p);
    return (exact_vec){out.x + m->m[0][3], out.y + m->m[1][3], out.z + m->m[2][3]};
}

/* Gauss and Jordan, with the largest pivot; the matrix must have an inverse. */
static inline exact_mat exact_inverse(const exact_mat *m)
{
    double a[3][7] = {{0}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            a[r][c] = m->m[r][c];
        a[r][3 + r] = 1.0;
        a[r][6] = -m->m[r][3];
    }
    for (int c = 0; c < 3; c++) {
        int best = c;
        for (int r = c + 1; r < 3; r++)
            if (fabs(a[r][c]) > fabs(a[best][c]))
                best = r;
        for (int k = 0; k < 7; k++) {
            double swap = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = swap;
        }
        double pivot = a[c][c];
        for (int k = 0; k < 7; k++)
            a[c][k] /= pivot;
        for (int r = 0; r < 3; r++) {
            double factor = a[r][c];
            for (int k = 0; k < 7 && r != c; k++)
                a[r][k] -= factor * a[c][k];
        }
    }
    exact_mat out;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
            out.m[r][c] = a[r][3 + c];
    return out;
}

static inline void exact_compose(exact_mat *out, const ember_transform *pose, const int16_t *parents,
                                 uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        exact_mat local = exact_from_transform(&pose[i]);
        out[i] = parents[i] < 0 ? local : exact_mul(&out[parents[i]], &local);
    }
}

/* The largest difference of two matrices' numbers. */
static inline double exact_difference(const exact_mat *a, const exact_mat *b)
{
    double worst = 0.0;
    for (int i = 0; i < 12; i++)
        worst = fmax(worst, fabs(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    return worst;
}

/* As printf shows it when it fails, which assert_true does not. */
#define assert_near(value, expected, tolerance)                                  \
    do {                                                                         \
        double near_value = (value), near_expected = (expected);                 \
        if (!(fabs(near_value - near_expected) <= (tolerance)))                  \
            fail_msg("%s is %.9g, not %.9g", #value, near_value, near_expected); \
    } while (0)

#define assert_at_most(value, limit) assert_near_below((value), (limit), #value, __LINE__)

static inline void assert_near_below(double value, double limit, const char *text, int line)
{
    if (!(value <= limit))
        fail_msg("line %d: %s is %.9g, more than %.9g", line, text, value, limit);
}

/* Each number is drawn in a statement of its own: the order within one is the compiler's, and these are to be
   the same everywhere. */

static inline ember_vec3 random_in_box(test_random *r, float low, float high)
{
    ember_vec3 v;
    v.x = test_random_float(r, low, high);
    v.y = test_random_float(r, low, high);
    v.z = test_random_float(r, low, high);
    return v;
}

static inline ember_vec3 random_vec3(test_random *r, float size) { return random_in_box(r, -size, size); }

/* Positions up to `size`; scale 1. */
static inline ember_transform random_placed(test_random *r, float size)
{
    ember_transform t = EMBER_TRANSFORM_IDENTITY;
    t.rotation = random_rotation(r);
    t.position = random_vec3(r, size);
    return t;
}

#endif
