/* SPDX-License-Identifier: MIT */
/* The double-precision mathematics of the glTF reader: taking matrices apart, and sine and arc tangent
   without the C library. */
#define _XOPEN_SOURCE 700 /* M_PI_2 */

#include "testing.h"

#include "ember/ember.h"
#include "format/gltf.h"

#include <math.h>

/* Random transforms, put together and taken apart again; and the best of a sheared one is a minimum. */
static void decompose_finds_what_was_composed(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 2000; round++) {
        gltf_trs trs, out, like = emberi_gltf_trs_identity;
        double   numbers[10];
        for (int i = 0; i < 10; i++)
            numbers[i] = (double)test_random_float(&random, -2.0f, 2.0f);
        memcpy(trs.t, numbers, sizeof(trs.t));
        memcpy(trs.r, numbers + 3, sizeof(trs.r));
        assert_true(emberi_gltf_quat_normalize(trs.r));
        for (int i = 0; i < 3; i++) {
            trs.s[i] = numbers[7 + i] + (numbers[7 + i] < 0 ? -0.01 : 0.01);
            like.s[i] = trs.s[i];
        }
        gltf_mat mat = emberi_gltf_mat_from_trs(&trs);
        assert_true(emberi_gltf_mat_decompose(&out, &mat, &like) < 1e-9);
        assert_true(fabs(emberi_gltf_quat_dot(out.r, trs.r)) > 1.0 - 1e-12);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(out.s[i] - trs.s[i]) < 1e-9);
    }
}

static double distance(const gltf_mat *a, const gltf_trs *trs)
{
    gltf_mat b = emberi_gltf_mat_from_trs(trs);
    double   sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += (a->m[i / 3][i % 3] - b.m[i / 3][i % 3]) * (a->m[i / 3][i % 3] - b.m[i / 3][i % 3]);
    return sum;
}

static void decompose_is_the_nearest(void **state)
{
    (void)state;
    test_random random = {11};
    for (int round = 0; round < 300; round++) {
        gltf_mat mat = emberi_gltf_mat_identity;
        gltf_trs best;
        for (int i = 0; i < 9; i++)
            mat.m[i / 3][i % 3] += (double)test_random_float(&random, -0.3f, 0.3f);
        assert_true(emberi_gltf_mat_decompose(&best, &mat, &emberi_gltf_trs_identity) > 0.0);
        double least = distance(&mat, &best);
        for (int i = 0; i < 7; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                gltf_trs near = best;
                *(i < 4 ? &near.r[i] : &near.s[i - 4]) += sign * 1e-3;
                assert_true(emberi_gltf_quat_normalize(near.r));
                assert_true(distance(&mat, &near) >= least - 1e-9);
            }
        }
    }
}

static void sine_and_arc_tangent_are_precise(void **state)
{
    (void)state;
    for (int i = 0; i <= 1000; i++) {
        double x = i / 1000.0;
        assert_true(fabs(emberi_gltf_atan(x) - atan(x)) < 1e-15);
        assert_true(fabs(emberi_gltf_sin(x * M_PI_2) - sin(x * M_PI_2)) < 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decompose_finds_what_was_composed),
        cmocka_unit_test(decompose_is_the_nearest),
        cmocka_unit_test(sine_and_arc_tangent_are_precise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
