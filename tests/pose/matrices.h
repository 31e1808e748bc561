/* SPDX-License-Identifier: MIT */
/* Matrices that several tests of this room start from. */
#ifndef EMBER_TESTS_POSE_MATRICES_H
#define EMBER_TESTS_POSE_MATRICES_H

#include "exact.h"

static const ember_mat34 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
static const ember_mat34 counting = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};

static inline double linear_determinant(const ember_mat34 *m)
{
    exact_mat e = exact_from_mat34(m);
    return exact_dot(exact_cross(exact_column(&e, 0), exact_column(&e, 1)), exact_column(&e, 2));
}

#endif
