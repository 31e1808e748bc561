/* SPDX-License-Identifier: MIT */
/* Channels and their curves: STEP, LINEAR and CUBICSPLINE as glTF 2.0 defines them. A curve that is given out
   has times that rise and as many values as its mode asks for; every key is proved to be there. */
#include "format/gltf/gltf.h"

#include <string.h>

/* ---- reading ---- */

ember_status emberi_gltf_channel_read(gltf_doc *doc, gltf_channel *out, const json_t *object,
                                      uint32_t animation, uint32_t index)
{
    static const char *const paths[GLTF_PATH_COUNT] = {"translation", "rotation", "scale"};
    gltf_where               where = {GLTF_ANIMATIONS, animation, "channels", index};
    const json_t            *target;
    const char              *path;
    uint64_t                 sampler;
    ember_status             status = emberi_gltf_get_object(doc, &target, object, "target", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_index(doc, &out->node, target, "node", GLTF_NODES, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_text(doc, &path, target, "path", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_uint(doc, &sampler, object, "sampler", GLTF_NONE, where);
    if (status != EMBER_OK)
        return status;
    if (path == NULL)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "target", "no path");
    out->sampler = sampler < GLTF_NONE ? (uint32_t)sampler : GLTF_NONE;
    int which = 0;
    while (which < GLTF_PATH_COUNT && strcmp(path, paths[which]) != 0)
        which++;
    out->path = (gltf_path)which;
    return EMBER_OK;
}

static double curve_time(const gltf_curve *curve, uint32_t key)
{
    double time;
    emberi_gltf_fetch(&time, &curve->times, key);
    return time;
}

static ember_status curve_mode(const gltf_doc *doc, gltf_mode *out, const json_t *object, gltf_where where)
{
    static const char *const modes[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    const char              *mode;
    ember_status             status = emberi_gltf_get_text(doc, &mode, object, "interpolation", where);
    *out = GLTF_LINEAR;
    if (status != EMBER_OK || mode == NULL)
        return status;
    for (int i = 0; i < 3; i++) {
        if (strcmp(mode, modes[i]) == 0) {
            *out = (gltf_mode)i;
            return EMBER_OK;
        }
    }
    return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "interpolation", "%s is none",
                            emberi_quote(mode).text);
}

/* Many curves share their times: each list is walked once. */
static ember_status curve_check_times(gltf_doc *doc, const gltf_curve *curve, uint32_t accessor,
                                      gltf_where where)
{
    double before = 0.0;
    for (uint32_t i = 0; i < curve->times.count && !doc->times_rise[accessor]; i++) {
        double time = curve_time(curve, i);
        if (!emberi_gltf_fits_float(time))
            return emberi_gltf_fail(doc, EMBER_E_RANGE, where, "input", "the time of key %u is not finite",
                                    i);
        if (i != 0 && !(time > before))
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "input",
                                    "key %u at %g s is not after key %u at %g s", i, time, i - 1, before);
        before = time;
    }
    doc->times_rise[accessor] = 1;
    return EMBER_OK;
}

static ember_status curve_check(gltf_doc *doc, const gltf_curve *curve, uint32_t accessor, gltf_where where)
{
    static const char *const modes[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    uint64_t                 need = (uint64_t)curve->times.count * (curve->mode == GLTF_CUBICSPLINE ? 3 : 1);
    if (curve->times.count == 0)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "input", "no keys");
    if (curve->values.count != need)
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "output",
                                "%u values, %u keys and %s need %llu", curve->values.count,
                                curve->times.count, modes[curve->mode], (unsigned long long)need);
    return curve_check_times(doc, curve, accessor, where);
}

ember_status emberi_gltf_curve_make(gltf_doc *doc, gltf_curve *out, uint32_t animation, uint32_t sampler,
                                    const json_t *object, gltf_path path)
{
    gltf_where where = {GLTF_ANIMATIONS, animation, "samplers", sampler};
    uint32_t   width = path == GLTF_ROTATION ? 4 : 3, accessor;
    memset(out, 0, sizeof(*out));
    out->path = path;
    out->sampler = sampler;
    ember_status status = curve_mode(doc, &out->mode, object, where);
    if (status == EMBER_OK)
        status = emberi_gltf_accessor_of(doc, &out->times, object, "input", 1, 1, where);
    if (status == EMBER_OK)
        status = emberi_gltf_accessor_of(doc, &out->values, object, "output", width, width, where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_index(doc, &accessor, object, "input", GLTF_ACCESSORS, where);
    if (status == EMBER_OK)
        status = curve_check(doc, out, accessor, where);
    if (status != EMBER_OK)
        return status;
    out->first = out->key_time = curve_time(out, 0);
    out->last = curve_time(out, out->times.count - 1);
    out->next_time = curve_time(out, out->times.count > 1 ? 1 : 0);
    return EMBER_OK;
}

/* ---- sampling ---- */

static bool curve_key(double *out, const gltf_curve *curve, uint32_t key)
{
    emberi_gltf_fetch(out, &curve->values, curve->mode == GLTF_CUBICSPLINE ? key * 3 + 1 : key);
    return curve->path != GLTF_ROTATION || emberi_real_quat_normalize(out);
}

/* Frames are counted in double, keys are stored in float: a frame that is meant to fall on a key may miss it
   by this much, which would show a stepped value one frame late. */
static double step_slack(double time) { return 1e-7 + (time < 0.0 ? -time : time) * 5e-7; }

/* Hermite's polynomial through the values of two keys, leaving the first by its out-tangent, reaching the
   second by its in-tangent. Values are taken as they are: only the result is a rotation. */
static bool curve_cubic(double *out, const gltf_curve *curve, double span, double t)
{
    double   from[4], leave[4], arrive[4], to[4], t2 = t * t, t3 = t2 * t;
    uint32_t key = curve->key * 3, width = curve->values.components;
    emberi_gltf_fetch(from, &curve->values, key + 1);
    emberi_gltf_fetch(leave, &curve->values, key + 2);
    emberi_gltf_fetch(arrive, &curve->values, key + 3);
    emberi_gltf_fetch(to, &curve->values, key + 4);
    for (uint32_t i = 0; i < width; i++)
        out[i] = (2.0 * t3 - 3.0 * t2 + 1.0) * from[i] + span * (t3 - 2.0 * t2 + t) * leave[i] +
                 (3.0 * t2 - 2.0 * t3) * to[i] + span * (t3 - t2) * arrive[i];
    /* Keys of opposite sign may meet at zero, where there is no rotation: the last key's stands in. */
    return curve->path != GLTF_ROTATION || emberi_real_quat_normalize(out) ||
           curve_key(out, curve, curve->key);
}

static bool curve_linear(double *out, const gltf_curve *curve, double t)
{
    double from[4], to[4];
    if (!curve_key(from, curve, curve->key) || !curve_key(to, curve, curve->key + 1))
        return false;
    if (curve->path == GLTF_ROTATION) {
        emberi_real_quat_slerp(out, from, to, t);
        return true;
    }
    for (int i = 0; i < 3; i++)
        out[i] = (1.0 - t) * from[i] + t * to[i];
    return true;
}

/* Goes on to the last key that is not after `reach`: mostly the next one, and in growing steps where there
   are many between two frames. */
static void curve_advance(gltf_curve *curve, double reach)
{
    uint32_t last = curve->times.count - 1, key = curve->key, step = 1;
    if (key == last || curve->next_time > reach)
        return;
    while (step <= last - key && curve_time(curve, key + step) <= reach) {
        key += step;
        step = step < UINT32_MAX / 2 ? step * 2 : step;
    }
    for (; step != 0; step /= 2) {
        if (step <= last - key && curve_time(curve, key + step) <= reach)
            key += step;
    }
    curve->key = key;
    curve->key_time = curve_time(curve, key);
    curve->next_time = curve_time(curve, key < last ? key + 1 : key);
}

bool emberi_gltf_curve_sample(double *out, gltf_curve *curve, double time)
{
    uint32_t last = curve->times.count - 1;
    curve_advance(curve, curve->mode == GLTF_STEP ? time + step_slack(time) : time);
    if (curve->key == last || curve->mode == GLTF_STEP || time <= curve->key_time)
        return curve_key(out, curve, curve->key);
    double span = curve->next_time - curve->key_time, t = (time - curve->key_time) / span;
    return curve->mode == GLTF_CUBICSPLINE ? curve_cubic(out, curve, span, t) : curve_linear(out, curve, t);
}

/* ---- the keys' own rate ---- */

static void times_sort(double *times, size_t count)
{
    /* Shell's sort: the lists of several curves, each in order, one behind the other. */
    size_t gap = 1;
    while (gap < count / 3)
        gap = gap * 3 + 1;
    for (; gap != 0; gap /= 3) {
        for (size_t i = gap; i < count; i++) {
            double time = times[i];
            size_t k = i;
            for (; k >= gap && times[k - gap] > time; k -= gap)
                times[k] = times[k - gap];
            times[k] = time;
        }
    }
}

/* Whether every time is a whole number of frames after the first, give or take `slack` of a frame and the
   rounding of times, which are floats. With `fit`, the rate is made better on the way: the more frames have
   gone by, the better is it known. */
static bool times_on_grid(const double *times, size_t count, double *rate, double slack, bool fit)
{
    for (size_t i = 1; i < count; i++) {
        double after = times[i] - times[0], frame = after * *rate;
        double near = slack + 4e-7 * *rate * (times[i] < 0.0 ? -times[i] : times[i]);
        if (!(frame < 1e9) || near > 0.1)
            return false;
        double nearest = (double)(int64_t)(frame + 0.5);
        if (frame - nearest > near || nearest - frame > near)
            return false;
        if (fit && nearest > 0.0)
            *rate = nearest / after;
    }
    return true;
}

/* 29.99997 is 30 and 23.97602 is 24000/1001, where the keys agree with it as well. */
static double rate_rounded(const double *times, size_t count, double rate)
{
    double candidates[2] = {(double)(int64_t)(rate + 0.5),
                            (double)(int64_t)(rate * 1.001 + 0.5) * 1000.0 / 1001.0};
    for (int i = 0; i < 2; i++) {
        double off = candidates[i] / rate - 1.0;
        if (off < 2e-4 && off > -2e-4 && times_on_grid(times, count, &candidates[i], 2e-3, false))
            return candidates[i];
    }
    return rate;
}

/* The smallest gap between keys, and of several about as small the first: it is the most precise. */
static double times_gap(const double *times, size_t count, double least)
{
    double gap = 0.0;
    for (size_t i = 1; i < count; i++) {
        double apart = times[i] - times[i - 1];
        if (apart > least && (gap == 0.0 || apart < gap * 0.99))
            gap = apart;
    }
    return gap;
}

double emberi_gltf_key_rate(double *times, size_t count)
{
    const double fastest = 480.0;
    times_sort(times, count);
    double gap = times_gap(times, count, 1.0 / (fastest * 4.0));
    if (gap == 0.0)
        return 0.0;
    /* The gap is some number of frames: the fewest for which every key falls on a frame. With more than one
       frame to a gap the keys must be nearer to them, or any few keys would find a rate. */
    for (int frames = 1; frames <= 4800 && frames / gap <= fastest * 1.001; frames++) {
        double rate = frames / gap;
        if (times_on_grid(times, count, &rate, frames == 1 ? 2e-3 : 2e-4, true))
            return rate_rounded(times, count, rate);
    }
    return 0.0;
}
