/* SPDX-License-Identifier: MIT */
/* Own mathematics: built from operations that IEEE 754 rounds exactly, in a fixed order, so that every
   machine and compiler gives the same bits. Arguments may be anything; what is said of NaN and infinities is
   part of the contract. */
#ifndef EMBER_BASE_MATHS_H
#define EMBER_BASE_MATHS_H

#include "base/check.h"

#define EMBERI_PI 3.14159265358979323846f

/* Correctly rounded; one instruction everywhere. Negative: NaN. */
EMBERI_INLINE float emberi_sqrt(float x) { return __builtin_sqrtf(x); }
EMBERI_INLINE float emberi_abs(float x) { return __builtin_fabsf(x); }
/* a > b ? a : b, as the lanes do it: b where either is NaN. */
EMBERI_INLINE float emberi_max(float a, float b) { return a > b ? a : b; }
EMBERI_INLINE float emberi_min(float a, float b) { return a < b ? a : b; }
EMBERI_INLINE float emberi_clamp(float x, float low, float high)
{
    return emberi_min(emberi_max(x, low), high);
}
EMBERI_INLINE int emberi_is_finite(float x) { return x - x == 0.0f; }

/* Radians, of any size; the nearest float (within one unit in the last place is what the tests hold it to).
   NaN for NaN and infinities. */
float emberi_sin(float x);
float emberi_cos(float x);
/* x is clamped to -1..1; 0..pi; NaN gives NaN. */
float emberi_acos(float x);
/* In -pi..pi, all quadrants; atan2(0, 0) is 0. */
float emberi_atan2(float y, float x);

#endif
