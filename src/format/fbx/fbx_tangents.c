/* SPDX-License-Identifier: MIT */
/* Tangents: the slopes and weights at both ends of the piece between two keys, stored, automatic or by
   tension, continuity and bias. docs/formats/fbx.md has the formulas. */
#include "format/fbx/fbx_scene.h"

#define NEAR_VALUE 0.001 /* a clamped tangent is flat where a neighbour is as near as this */
#define BIAS_LIMIT 5.0   /* from here on bias bends more and more */
#define BIAS_STRENGTH 40.0

static const fbx_run *run_of(const fbx_curve *curve, uint32_t key)
{
    uint32_t low = 0, high = curve->run_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (curve->runs[middle].first <= key)
            low = middle;
        else
            high = middle;
    }
    return &curve->runs[low];
}

/* A key, its neighbours, and what is stored on both sides of it. */
typedef struct tangent_key {
    bool     has_before, has_after;
    double   before, value, after; /* values */
    double   to_before, to_after;  /* seconds */
    double   slope_before, slope_after;
    double   left_weight, right_weight;
    uint32_t flags;
} tangent_key;

static void key_look(tangent_key *out, const fbx_curve *curve, uint32_t key)
{
    const fbx_run *run = run_of(curve, key);
    *out = (tangent_key){.has_before = key != 0,
                         .has_after = key + 1 < curve->key_count,
                         .value = (double)curve->values[key],
                         .flags = run->flags,
                         .left_weight = 1.0 / 3.0,
                         .right_weight = (double)run->right_weight};
    if (out->has_before) {
        out->before = (double)curve->values[key - 1];
        out->to_before = (double)(curve->times[key] - curve->times[key - 1]) / curve->ticks;
        out->slope_before = (out->value - out->before) / out->to_before;
        out->left_weight = (double)run_of(curve, key - 1)->next_left_weight;
    }
    if (out->has_after) {
        out->after = (double)curve->values[key + 1];
        out->to_after = (double)(curve->times[key + 1] - curve->times[key]) / curve->ticks;
        out->slope_after = (out->after - out->value) / out->to_after;
    }
}

/* ---- automatic ---- */

static bool is_near(const tangent_key *key)
{
    return (key->has_before && emberi_real_abs(key->value - key->before) < NEAR_VALUE) ||
           (key->has_after && emberi_real_abs(key->after - key->value) < NEAR_VALUE);
}

/* What a bias beyond its usual range adds. */
static double bias_beyond(double weight, double toward, double bias)
{
    if (weight <= BIAS_LIMIT)
        return 0.0;
    double more = BIAS_STRENGTH * (weight - BIAS_LIMIT) * (weight - BIAS_LIMIT);
    return (emberi_real_abs(toward) < 1e-5 ? bias : toward) < 0.0 ? -more : more;
}

static double biased(const tangent_key *key, double slope, double bias)
{
    double weight = emberi_real_abs(bias) / 100.0;
    double target = bias > 0.0 ? key->slope_after : key->slope_before;
    if (weight <= 1e-6)
        return slope;
    return slope * (1.0 - weight) + target * weight + bias_beyond(weight, target - slope, bias);
}

/* No steeper than what keeps the piece between its keys. */
static double clamped(const tangent_key *key, double slope)
{
    double sign = slope < 0.0 ? -1.0 : 1.0, most = slope * sign;
    double left = sign * (key->value - key->before) / (key->left_weight * key->to_before);
    double right = sign * (key->after - key->value) / (key->right_weight * key->to_after);
    if (!(left > 0.0) || !(right > 0.0))
        return 0.0;
    most = left < most ? left : most;
    most = right < most ? right : most;
    return sign * most;
}

static double slope_auto(const tangent_key *key, double bias)
{
    if ((key->flags & FBX_KEY_CLAMP) != 0 && is_near(key))
        return 0.0;
    if (!key->has_before && !key->has_after)
        return 0.0;
    if (!key->has_before || !key->has_after) {
        if ((key->flags & FBX_KEY_CLAMP_PROGRESSIVE) != 0)
            return 0.0;
        double only = key->has_after ? key->slope_after : key->slope_before;
        if ((key->flags & FBX_KEY_TIME_INDEPENDENT) != 0)
            return only;
        return only + bias_beyond(emberi_real_abs(bias) / 100.0, 0.0, bias);
    }
    double span = key->to_before + key->to_after;
    double slope = (key->after - key->before) / span;
    if ((key->flags & FBX_KEY_TIME_INDEPENDENT) == 0) {
        double d = key->to_before / span;
        slope = slope * 0.5 + (key->slope_before * (1.0 - d) + key->slope_after * d) * 0.5;
        slope = biased(key, slope, bias);
    }
    return (key->flags & FBX_KEY_CLAMP_PROGRESSIVE) != 0 ? clamped(key, slope) : slope;
}

/* ---- tension, continuity, bias ---- */

static double slope_tcb(const tangent_key *key, const fbx_run *run, bool left)
{
    double factor = (key->has_before && key->has_after ? 0.5 : 1.0) * (1.0 - (double)run->right);
    double c = left ? (double)run->next_left : -(double)run->next_left, b = (double)run->right_weight;
    return factor * ((1.0 + b) * (1.0 - c) * key->slope_before + (1.0 - b) * (1.0 + c) * key->slope_after);
}

/* ---- a piece ---- */

static double slope_right(const fbx_curve *curve, uint32_t at)
{
    tangent_key    key;
    const fbx_run *run = run_of(curve, at);
    key_look(&key, curve, at);
    if ((key.flags & FBX_KEY_TCB) != 0)
        return slope_tcb(&key, run, false);
    return (key.flags & FBX_KEY_USER) != 0 ? (double)run->right : slope_auto(&key, (double)run->right);
}

/* What the key before stores for its next one, unless this key has tangents of its own making. */
static double slope_left(const fbx_curve *curve, uint32_t at)
{
    tangent_key    key;
    const fbx_run *run = run_of(curve, at), *before = run_of(curve, at - 1);
    key_look(&key, curve, at);
    if ((key.flags & FBX_KEY_CONSTANT) != 0 || (key.flags & FBX_KEY_CUBIC) == 0)
        return (double)before->next_left;
    if ((key.flags & FBX_KEY_TCB) != 0)
        return slope_tcb(&key, run, true);
    if ((key.flags & FBX_KEY_USER) != 0)
        return (double)before->next_left;
    double right = (double)run->right, left = (double)before->next_left;
    return slope_auto(&key, emberi_real_abs(right + left) <= 1e-4 ? right : -left);
}

void emberi_fbx_segment_make(fbx_segment *out, const fbx_curve *curve, uint32_t key)
{
    const fbx_run *run = run_of(curve, key);
    double         seconds = (double)(curve->times[key + 1] - curve->times[key]) / curve->ticks;
    *out = (fbx_segment){.key = key,
                         .flags = run->flags,
                         .from = (double)curve->values[key],
                         .to = (double)curve->values[key + 1],
                         .right_weight = 1.0 / 3.0,
                         .left_weight = 1.0 / 3.0};
    if ((run->flags & FBX_KEY_CONSTANT) != 0)
        return;
    if ((run->flags & FBX_KEY_CUBIC) == 0) {
        out->right = out->left = (out->to - out->from) / seconds;
        return;
    }
    out->right = slope_right(curve, key);
    out->left = slope_left(curve, key + 1);
    if ((run->flags & FBX_KEY_TCB) == 0)
        out->right_weight = (double)run->right_weight;
    out->left_weight = (double)run->next_left_weight;
}
