/* SPDX-License-Identifier: MIT */
/* Which frames of a channel are needed as keys. A frame is left out where the straight line between
   kept neighbours (for rotations the arc) gives it back but for rounding, so that what is played is
   what was there. */
#include "format/gltf/write/gltf_write_parts.h"

/* Of a value's own size, and in radians: some four times what a float's rounding makes. */
#define KEYS_RELATIVE 2.5e-7
#define KEYS_RADIANS 5e-7
/* Tangent of half the arc between two kept rotations. Up to 0.05 radians slerp, which the format asks
   for, and nlerp, which many programs do instead, differ by less than KEYS_RADIANS: so the keys mean the
   same to both. */
#define KEYS_ARC 0.025

/* How far b is from a: the difference, or the axis times the angle of the turn between them. False where the
   turn is too wide. */
static bool keys_delta(double out[3], gltf_path path, const float a[4], const float b[4])
{
    if (path != GLTF_ROTATION) {
        for (int i = 0; i < 3; i++)
            out[i] = (double)b[i] - (double)a[i];
        return true;
    }
    const double p[4] = {-(double)a[0], -(double)a[1], -(double)a[2], (double)a[3]};
    const double q[4] = {(double)b[0], (double)b[1], (double)b[2], (double)b[3]};
    double       turn[4];
    emberi_real_quat_mul(turn, p, q);
    double sine = emberi_real_length(turn[0], turn[1], turn[2]);
    if (!(turn[3] > 0.0) || !(sine <= KEYS_ARC * turn[3]))
        return false;
    double factor = sine > 1e-12 ? 2.0 * emberi_real_atan(sine / turn[3]) / sine : 2.0;
    for (int i = 0; i < 3; i++)
        out[i] = turn[i] * factor;
    return true;
}

static double keys_tolerance(const gltfw_track *track, const float *also)
{
    double most = 0.0;
    if (track->path == GLTF_ROTATION)
        return KEYS_RADIANS;
    for (uint32_t i = 0; i < track->frame_count; i++)
        for (int k = 0; k < 3; k++)
            most = emberi_real_abs((double)track->values[i][k]) > most
                       ? emberi_real_abs((double)track->values[i][k])
                       : most;
    for (int k = 0; k < 3 && also != NULL; k++)
        most = emberi_real_abs((double)also[k]) > most ? emberi_real_abs((double)also[k]) : most;
    return most * KEYS_RELATIVE;
}

static bool keys_same(const gltfw_track *track, const float value[4], double tolerance)
{
    double delta[3];
    for (uint32_t i = 0; i < track->frame_count; i++) {
        float near[4] = {track->values[i][0], track->values[i][1], track->values[i][2], track->values[i][3]};
        float dot = near[0] * value[0] + near[1] * value[1] + near[2] * value[2] + near[3] * value[3];
        for (int k = 0; track->path == GLTF_ROTATION && dot < 0.0f && k < 4; k++)
            near[k] = -near[k];
        if (!keys_delta(delta, track->path, value, near))
            return false;
        for (int k = 0; k < 3; k++)
            if (!(emberi_real_abs(delta[k]) <= tolerance))
                return false;
    }
    return true;
}

bool emberi_gltfw_track_rests(const gltfw_track *track, const float rest[4])
{
    return keys_same(track, rest, keys_tolerance(track, rest));
}

/* The speeds at which a line from the anchor passes all frames so far within the tolerance. */
typedef struct keys_cone {
    double low[3], high[3];
} keys_cone;

static bool keys_cone_has(const keys_cone *cone, const double delta[3], double steps)
{
    for (int k = 0; k < 3; k++)
        if (delta[k] < cone->low[k] * steps || delta[k] > cone->high[k] * steps)
            return false;
    return true;
}

static bool keys_cone_narrow(keys_cone *cone, const double delta[3], double steps, double tolerance)
{
    bool open = true;
    for (int k = 0; k < 3; k++) {
        double low = (delta[k] - tolerance) / steps, high = (delta[k] + tolerance) / steps;
        cone->low[k] = low > cone->low[k] ? low : cone->low[k];
        cone->high[k] = high < cone->high[k] ? high : cone->high[k];
        open = open && cone->low[k] <= cone->high[k];
    }
    return open;
}

/* The last frame that a line from the anchor may go to. */
static uint32_t keys_reach(const gltfw_track *track, uint32_t anchor, double tolerance)
{
    keys_cone cone = {{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}};
    uint32_t  reach = anchor + 1;
    for (uint32_t i = anchor + 1; i < track->frame_count; i++) {
        double delta[3], steps = (double)(i - anchor);
        if (!keys_delta(delta, track->path, track->values[anchor], track->values[i]))
            break;
        if (keys_cone_has(&cone, delta, steps))
            reach = i;
        if (!keys_cone_narrow(&cone, delta, steps, tolerance))
            break;
    }
    return reach;
}

uint32_t emberi_gltfw_keys(uint32_t *kept, const gltfw_track *track)
{
    double   tolerance = keys_tolerance(track, NULL);
    uint32_t count = 1;
    kept[0] = 0;
    if (keys_same(track, track->values[0], tolerance))
        return 1;
    while (kept[count - 1] + 1 < track->frame_count) {
        kept[count] = keys_reach(track, kept[count - 1], tolerance);
        count++;
    }
    return count;
}
