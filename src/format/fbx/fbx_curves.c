/* SPDX-License-Identifier: MIT */
/* Curves: keys as the file has them, and the value at any time, between the keys and beyond. A damaged curve
   has no keys; times rise, or it is damaged. */
#include "format/fbx/fbx_scene.h"

#include "base/bytes.h"

#include <string.h>

/* ---- reading ---- */

static fbx_beyond beyond_read(const fbx_file *file, uint32_t record, const char *name)
{
    uint32_t   list = emberi_fbx_child(file, record, name);
    fbx_cursor cursor = emberi_fbx_values(file, emberi_fbx_child(file, list, "Type"));
    fbx_value  value;
    fbx_beyond out = {'C', emberi_fbx_whole(file, emberi_fbx_child(file, list, "Repetition"), 0, -1)};
    if (list != FBX_NONE && emberi_fbx_next(&cursor, &value))
        out.type = emberi_fbx_letter(&value);
    if (out.type == '\0' || strchr("KRMA", out.type) == NULL || out.rounds == 0)
        out.type = 'C';
    return out;
}

static bool times_rise(const int64_t *times, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (times[i] <= times[i - 1])
            return false;
    return count == 0 || (times[0] > INT64_MIN / 4 && times[count - 1] < INT64_MAX / 4);
}

/* Weights are whole numbers of 1/9999, two in one word. */
static void run_weights(fbx_run *run, float packed)
{
    uint32_t bits = emberi_bits_of(packed);
    run->right_weight =
        (run->flags & FBX_KEY_RIGHT_WEIGHT) != 0 ? (float)(bits & 0xffffu) / 9999.0f : 1.0f / 3.0f;
    run->next_left_weight =
        (run->flags & FBX_KEY_NEXT_LEFT_WEIGHT) != 0 ? (float)(bits >> 16) / 9999.0f : 1.0f / 3.0f;
}

static float finite_or_zero(float x) { return x - x == 0.0f ? x : 0.0f; }

static void run_data(fbx_run *run, const float data[4])
{
    run->right = finite_or_zero(data[0]);
    run->next_left = finite_or_zero(data[1]);
    if ((run->flags & FBX_KEY_CUBIC) != 0 && (run->flags & FBX_KEY_TCB) != 0) {
        run->right_weight = finite_or_zero(data[2]);
        run->next_left_weight = 1.0f / 3.0f;
    } else {
        run_weights(run, data[2]);
    }
}

/* False where the runs do not make up the keys. */
static bool runs_make(fbx_run *runs, const int32_t *flags, const float *data, const int32_t *counts,
                      size_t count, size_t data_count, size_t key_count)
{
    static const float none[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    size_t             first = 0;
    for (size_t i = 0; i < count; i++) {
        if (counts[i] <= 0 || (size_t)counts[i] > key_count - first)
            return false;
        runs[i].first = (uint32_t)first;
        runs[i].flags = (uint32_t)flags[i];
        run_data(&runs[i], i < data_count / 4 ? data + 4 * i : none);
        first += (size_t)counts[i];
    }
    return first == key_count;
}

static ember_status runs_read(fbx_document *doc, fbx_curve *out, const uint32_t records[3], bool *damaged)
{
    fbx_file *file = &doc->file;
    void     *flags, *data, *counts;
    size_t    flag_count, data_count, count_count;
    fbx_run  *runs;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &flags, &flag_count, records[0], FBX_I32));
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &data, &data_count, records[1], FBX_BITS));
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &counts, &count_count, records[2], FBX_I32));
    if (flag_count == 0) {
        /* Without attributes keys are joined by lines. */
        EMBERI_TRY(FBX_PUSH(file, &runs, &file->pass, fbx_run, 1));
        runs[0] = (fbx_run){.flags = FBX_KEY_LINEAR};
        out->runs = runs;
        out->run_count = 1;
        return EMBER_OK;
    }
    EMBERI_TRY(FBX_PUSH(file, &runs, &file->pass, fbx_run, flag_count));
    *damaged = flag_count != count_count ||
               !runs_make(runs, flags, data, counts, flag_count, data_count, out->key_count);
    out->runs = runs;
    out->run_count = (uint32_t)flag_count;
    return EMBER_OK;
}

/* A record's values as the file stores them. */
static fbx_text stored(const fbx_file *file, uint32_t record)
{
    if (file->is_text || record == FBX_NONE)
        return (fbx_text){NULL, 0};
    const fbx_record *r = emberi_fbx_record(file, record);
    return (fbx_text){(const char *)r->values, r->values_size};
}

/* Those that the curve before had, or new ones. */
static ember_status runs_find(fbx_document *doc, fbx_curve *out, uint32_t record, fbx_known *known,
                              bool *damaged)
{
    static const char *const names[3] = {"KeyAttrFlags", "KeyAttrDataFloat", "KeyAttrRefCount"};
    uint32_t                 records[3];
    fbx_text                 raw[3];
    bool                     same = known->runs != NULL && known->key_count == out->key_count;
    for (int i = 0; i < 3; i++) {
        records[i] = emberi_fbx_child(&doc->file, record, names[i]);
        raw[i] = stored(&doc->file, records[i]);
        same = same && raw[i].data != NULL && emberi_fbx_same_text(raw[i], known->runs_stored[i]);
    }
    if (same) {
        out->runs = known->runs;
        out->run_count = known->run_count;
        return EMBER_OK;
    }
    EMBERI_TRY(runs_read(doc, out, records, damaged));
    if (*damaged)
        return EMBER_OK;
    memcpy(known->runs_stored, raw, sizeof(raw));
    known->runs = out->runs;
    known->run_count = out->run_count;
    known->key_count = out->key_count;
    return EMBER_OK;
}

static ember_status times_read(fbx_document *doc, fbx_curve *out, uint32_t record, fbx_known *known,
                               bool *damaged)
{
    fbx_file *file = &doc->file;
    void     *times;
    size_t    count;
    uint32_t  list = emberi_fbx_child(file, record, "KeyTime");
    fbx_text  raw = stored(file, list);
    *damaged = false;
    if (known->times != NULL && raw.data != NULL && emberi_fbx_same_text(raw, known->times_stored)) {
        out->times = known->times;
        out->key_count = known->time_count;
        return EMBER_OK;
    }
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &times, &count, list, FBX_I64));
    *damaged = count >= FBX_NONE || !times_rise(times, count);
    out->times = times;
    out->key_count = *damaged ? 0 : (uint32_t)count;
    if (!*damaged) {
        known->times_stored = raw;
        known->times = times;
        known->time_count = out->key_count;
    }
    return EMBER_OK;
}

static ember_status curve_begin(fbx_document *doc, fbx_curve *out, uint32_t record, fbx_known *known,
                                bool *damaged)
{
    memset(out, 0, sizeof(*out));
    out->ticks = (double)doc->ticks;
    out->segment.key = FBX_NONE;
    out->before = beyond_read(&doc->file, record, "Pre-Extrapolation");
    out->after = beyond_read(&doc->file, record, "Post-Extrapolation");
    return doc->by_name ? emberi_fbx_old_keys_read(doc, out, record, damaged)
                        : times_read(doc, out, record, known, damaged);
}

ember_status emberi_fbx_curve_times(fbx_document *doc, fbx_curve *out, uint32_t record, bool *damaged)
{
    fbx_known none = {.times = NULL};
    return curve_begin(doc, out, record, &none, damaged);
}

ember_status emberi_fbx_curve_read(fbx_document *doc, fbx_curve *out, uint32_t record, fbx_known *known,
                                   bool *damaged)
{
    fbx_file *file = &doc->file;
    void     *values;
    size_t    count;
    fbx_known none = {.times = NULL}, *shared = known != NULL ? known : &none;
    EMBERI_TRY(curve_begin(doc, out, record, shared, damaged));
    if (doc->by_name || out->key_count == 0)
        return EMBER_OK;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &values, &count,
                                  emberi_fbx_child(file, record, "KeyValueFloat"), FBX_F32));
    out->values = values;
    *damaged = count != out->key_count;
    ember_status status = *damaged ? EMBER_OK : runs_find(doc, out, record, shared, damaged);
    if (*damaged)
        out->key_count = 0;
    return status;
}

/* ---- between keys ---- */

/* The parameter of a Bezier curve whose x runs 0, right, 1 - left, 1: a bracket that halves where Newton's
   step would leave it. */
static double bezier_parameter(double x, double right, double left)
{
    double low = 0.0, high = 1.0, s = x;
    double a = 3.0 * right, b = 3.0 * (1.0 - left);
    for (int i = 0; i < 80 && high - low > 1e-15; i++) {
        double r = 1.0 - s;
        double at = a * r * r * s + b * r * s * s + s * s * s - x;
        double slope = a * r * (1.0 - 3.0 * s) + b * s * (2.0 - 3.0 * s) + 3.0 * s * s;
        if (at == 0.0)
            return s;
        if (at > 0.0)
            high = s;
        else
            low = s;
        double next = slope > 1e-9 ? s - at / slope : -1.0;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        else if (emberi_real_abs(next - s) < 1e-15)
            return next;
        s = next;
    }
    return s;
}

static double segment_sample(const fbx_segment *segment, double x, double seconds)
{
    if ((segment->flags & FBX_KEY_CONSTANT) != 0)
        return (segment->flags & FBX_KEY_NEXT) != 0 ? segment->to : segment->from;
    if ((segment->flags & FBX_KEY_CUBIC) == 0)
        return segment->from + (segment->to - segment->from) * x;
    const double third = 1.0 / 3.0;
    double       s = x;
    if (emberi_real_abs(segment->right_weight - third) > 1e-6 ||
        emberi_real_abs(segment->left_weight - third) > 1e-6)
        s = bezier_parameter(x, segment->right_weight, segment->left_weight);
    double r = 1.0 - s;
    double one = segment->from + segment->right * segment->right_weight * seconds;
    double two = segment->to - segment->left * segment->left_weight * seconds;
    return r * r * r * segment->from + 3.0 * r * r * s * one + 3.0 * r * s * s * two +
           s * s * s * segment->to;
}

/* The last key that is not after the time; frames ask in order, so that it is mostly near. */
static uint32_t key_before(const fbx_curve *curve, int64_t time)
{
    uint32_t low = 0, high = curve->key_count, guess = curve->segment.key;
    for (uint32_t i = guess; guess != FBX_NONE && i < curve->key_count && i < guess + 3; i++) {
        if (curve->times[i] > time)
            break;
        if (i + 1 == curve->key_count || curve->times[i + 1] > time)
            return i;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (curve->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The time is not before the first key nor after the last. */
static double curve_inside(fbx_curve *curve, int64_t time)
{
    uint32_t key = key_before(curve, time);
    if (curve->times[key] == time || key + 1 == curve->key_count)
        return (double)curve->values[key];
    if (curve->segment.key != key)
        emberi_fbx_segment_make(&curve->segment, curve, key);
    double length = (double)(curve->times[key + 1] - curve->times[key]);
    return segment_sample(&curve->segment, (double)(time - curve->times[key]) / length,
                          length / curve->ticks);
}

/* ---- beyond them ---- */

static double curve_slope(fbx_curve *curve, int64_t time, bool after)
{
    uint32_t    last = curve->key_count - 1;
    fbx_segment segment;
    emberi_fbx_segment_make(&segment, curve, after ? last - 1 : 0);
    int64_t edge = after ? curve->times[last] : curve->times[0];
    double  value = (double)curve->values[after ? last : 0];
    return value + (after ? segment.left : segment.right) * (double)(time - edge) / curve->ticks;
}

static double curve_beyond(fbx_curve *curve, int64_t time, bool after)
{
    const fbx_beyond *beyond = after ? &curve->after : &curve->before;
    uint32_t          last = curve->key_count - 1;
    int64_t           first = curve->times[0], length = curve->times[last] - first;
    double            edge = (double)curve->values[after ? last : 0];
    if (beyond->type == 'C' || length == 0)
        return edge;
    if (beyond->type == 'K')
        return curve_slope(curve, time, after);
    /* How far beyond, in whole rounds and the rest of one. */
    int64_t distance = after ? time - curve->times[last] : first - time;
    int64_t round = distance / length + 1, rest = distance % length;
    if (beyond->rounds > 0 && round > beyond->rounds) {
        round = beyond->rounds;
        rest = length;
    }
    bool    backwards = (beyond->type == 'M') && (round & 1) != 0;
    int64_t inside = after != backwards ? rest : length - rest;
    double  value = curve_inside(curve, first + inside);
    if (beyond->type == 'A') {
        double gain = (double)curve->values[last] - (double)curve->values[0];
        value += (after ? 1.0 : -1.0) * gain * (double)round;
    }
    return value;
}

double emberi_fbx_curve_sample(fbx_curve *curve, int64_t time)
{
    if (curve->key_count == 1 || time == curve->times[0])
        return curve->key_count == 1 ? (double)curve->values[0] : curve_inside(curve, time);
    if (time < curve->times[0])
        return curve_beyond(curve, time, false);
    if (time > curve->times[curve->key_count - 1])
        return curve_beyond(curve, time, true);
    return curve_inside(curve, time);
}
