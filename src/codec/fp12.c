/* SPDX-License-Identifier: MIT */
/* FP12: fixed point with 12 fractional bits in 16 or 32. Any float is a valid argument; what does not
   fit is clamped. */
#include "ember/codec.h"

/* value * 4096 as a whole number in low..high; low and high + 1 must be powers of two, so that
   they are floats. */
static int32_t fp12_fixed(float value, ember_rounding rounding, int32_t low, int32_t high)
{
    float scaled = value * 4096.0f; /* exact, or infinite */
    if (scaled != scaled)
        return 0;
    if (scaled <= (float)low)
        return low;
    if (scaled >= -(float)low)
        return high;
    int32_t whole = (int32_t)scaled;
    if (rounding == EMBER_ROUND_NEAREST) {
        /* exact: where there is a fraction, the whole part has few enough bits */
        float rest = scaled - (float)whole;
        if (rest >= 0.5f)
            whole++;
        else if (rest <= -0.5f)
            whole--;
    }
    return whole > high ? high : whole;
}

int16_t ember_fp12_s16_from_f32(float value, ember_rounding rounding)
{
    return (int16_t)fp12_fixed(value, rounding, INT16_MIN, INT16_MAX);
}

int32_t ember_fp12_s32_from_f32(float value, ember_rounding rounding)
{
    return fp12_fixed(value, rounding, INT32_MIN, INT32_MAX);
}

float ember_f32_from_fp12(int32_t fixed) { return (float)fixed * (1.0f / 4096.0f); }
