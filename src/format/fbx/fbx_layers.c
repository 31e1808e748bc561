/* SPDX-License-Identifier: MIT */
/* Layers of a take on top of each other. Scales are mixed by powers, for which this file has its own
   logarithm and exponential, so that every machine gives the same bits. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* ---- powers ---- */

#define LN_2 0.69314718055994530942

/* x > 0 and finite: the exponent, and twice the series of the inverse hyperbolic tangent for the rest. */
static double layer_log(double x)
{
    int exponent = 0;
    for (; x > 1.4142135623730951; exponent++)
        x *= 0.5;
    for (; x < 0.70710678118654752; exponent--)
        x *= 2.0;
    double t = (x - 1.0) / (x + 1.0), square = t * t, sum = 0.0;
    for (int k = 25; k >= 1; k -= 2)
        sum = sum * square + 1.0 / (double)k;
    return 2.0 * t * sum + (double)exponent * LN_2;
}

static double layer_exp(double x)
{
    if (!(x > -700.0 && x < 700.0))
        return x > 0.0 ? 1e300 : 0.0;
    int    steps = (int)(x / LN_2 + (x < 0.0 ? -0.5 : 0.5));
    double rest = x - (double)steps * LN_2, sum = 1.0;
    for (int k = 18; k >= 1; k--)
        sum = 1.0 + sum * rest / (double)k;
    for (; steps > 0; steps--)
        sum *= 2.0;
    for (; steps < 0; steps++)
        sum *= 0.5;
    return sum;
}

/* Keeps the sign of the base. */
static double layer_power(double base, double exponent)
{
    double size = emberi_real_abs(base);
    if (!(size > 1e-300) || !(size < 1e300) || exponent == 1.0)
        return base;
    if (exponent == 0.0)
        return base < 0.0 ? -1.0 : 1.0;
    double power = layer_exp(exponent * layer_log(size));
    return base < 0.0 ? -power : power;
}

/* ---- blending ---- */

static void blend_rotations(double value[3], const double on_top[3], double weight, bool additive,
                            uint8_t order)
{
    static const double still[4] = {0.0, 0.0, 0.0, 1.0};
    double              a[4], b[4], mixed[4];
    emberi_fbx_euler_to_quat(a, value, order);
    emberi_fbx_euler_to_quat(b, on_top, order);
    if (additive) {
        emberi_real_quat_slerp(mixed, still, b, weight);
        emberi_real_quat_mul(mixed, a, mixed);
    } else {
        emberi_real_quat_slerp(mixed, a, b, weight);
    }
    emberi_fbx_quat_to_euler(value, mixed, order);
}

void emberi_fbx_layer_blend(double value[3], const double on_top[3], const fbx_layer *layer, double weight,
                            fbx_path path, uint8_t order)
{
    bool additive = layer->mode == 0;
    if (layer->mode == 1) {
        memcpy(value, on_top, 3 * sizeof(*value));
        return;
    }
    if (path == FBX_ROTATION && layer->rotation_mode == 0) {
        blend_rotations(value, on_top, weight, additive, order);
        return;
    }
    for (int k = 0; k < 3; k++) {
        if (path == FBX_SCALING && layer->scale_mode == 0)
            value[k] = layer_power(value[k], additive ? 1.0 : 1.0 - weight) * layer_power(on_top[k], weight);
        else
            value[k] = (additive ? value[k] : value[k] * (1.0 - weight)) + weight * on_top[k];
    }
}
