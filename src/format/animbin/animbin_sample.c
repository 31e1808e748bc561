/* SPDX-License-Identifier: MIT */
/* Between ANIMBIN's stored integers and the model's numbers: single values, and whole clips sampled from
   their keys. Only operations with the same bits everywhere are used, so that frames which nobody touched can
   be told from a second sampling. */
#include <math.h>
#include <string.h>

#include "base/maths.h"
#include "ember/codec.h"
#include "ember/pose.h"
#include "format/animbin/animbin_parts.h"

/* ---- single values ---- */

/* A half turn about x is diag(1, -1, -1). These two are each other's inverse to the bit, where two half turns
   would negate. */
static ember_quat quat_to_psx(ember_quat q) { return (ember_quat){q.w, -q.z, q.y, -q.x}; }

static ember_quat quat_from_psx(ember_quat q) { return (ember_quat){-q.w, q.z, -q.y, q.x}; }

static ember_vec3 vec3_psx(ember_vec3 v) { return (ember_vec3){v.x, -v.y, -v.z}; }

static ember_quat rotation_of(const int32_t value[4])
{
    ember_quat q = {ember_f32_from_fp12(value[1]), ember_f32_from_fp12(value[2]),
                    ember_f32_from_fp12(value[3]), ember_f32_from_fp12(value[0])};
    return ember_quat_normalize(q);
}

ember_quat emberi_animbin_rotation(const emberi_animbin_key *key, const emberi_animbin_view *view, bool root)
{
    ember_quat q = rotation_of(key->value);
    return root && view->psx ? quat_from_psx(q) : q;
}

ember_vec3 emberi_animbin_position(const emberi_animbin_key *key, const emberi_animbin_view *view, bool root)
{
    ember_vec3 v = {(float)(key->value[0] / view->unit), (float)(key->value[1] / view->unit),
                    (float)(key->value[2] / view->unit)};
    return root && view->psx ? vec3_psx(v) : v;
}

/* In double: what lies between two large positions must not be as coarse as their difference. */
ember_vec3 emberi_animbin_position_between(const emberi_animbin_key *a, const emberi_animbin_key *b,
                                           uint32_t frame, const emberi_animbin_view *view, bool root)
{
    float  out[3];
    double t = (double)(frame - a->frame) / (double)(b->frame - a->frame);
    for (int i = 0; i < 3; i++)
        out[i] = (float)((a->value[i] + ((double)b->value[i] - a->value[i]) * t) / view->unit);
    ember_vec3 v = {out[0], out[1], out[2]};
    return root && view->psx ? vec3_psx(v) : v;
}

/* The whole numbers that are read as these floats, up to their last bits, if there are any: what was read
   once is stored again as it was. Plain rounding does not promise that, as what it and truncation leave is a
   little longer or shorter than 4096, and reading normalises it. */
static bool store_again(int32_t out[4], const float parts[4])
{
    enum { REACH = 3, SLACK = 3 };
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (emberi_abs(parts[i]) > emberi_abs(parts[largest]))
            largest = i;
    int32_t nearest = ember_fp12_s16_from_f32(parts[largest], EMBER_ROUND_NEAREST);
    for (int32_t step = 0; step <= 2 * REACH; step++) { /* 0, 1, -1, 2, -2, ... */
        int32_t whole = nearest + (step % 2 != 0 ? (step + 1) / 2 : -step / 2);
        double  length = whole / (double)parts[largest], off = 0.0;
        for (int i = 0; i < 4; i++) {
            double part = (double)parts[i] * length;
            out[i] = (int32_t)(part + (part < 0.0 ? -0.5 : 0.5));
            off = fabs(part - out[i]) > off ? fabs(part - out[i]) : off;
        }
        if (off > 0.002 || fabs(length - EMBERI_ANIMBIN_UNIT) > SLACK)
            continue;
        ember_quat  q = rotation_of(out);
        const float read[4] = {q.w, q.x, q.y, q.z};
        bool        same = true;
        for (int i = 0; i < 4; i++)
            same = same && emberi_abs(read[i] - parts[i]) <= 0x1p-22f;
        if (same)
            return true;
    }
    return false;
}

void emberi_animbin_store_rotation(emberi_animbin_key *key, ember_quat rotation,
                                   const emberi_animbin_view *view, bool root, ember_rounding rounding)
{
    ember_quat  q = root && view->psx ? quat_to_psx(rotation) : rotation;
    const float parts[4] = {q.w, q.x, q.y, q.z};
    key->type = EMBERI_ANIMBIN_ROTATION;
    if (rounding == EMBER_ROUND_NEAREST && store_again(key->value, parts))
        return;
    for (int i = 0; i < 4; i++)
        key->value[i] = ember_fp12_s16_from_f32(parts[i], rounding);
}

/* In double: a position in units other than 4096 may need more bits than a float has. */
static bool store_length(int32_t *out, double stored, ember_rounding rounding)
{
    if (rounding == EMBER_ROUND_NEAREST)
        stored += stored < 0.0 ? -0.5 : 0.5;
    if (!(stored > -2147483649.0 && stored < 2147483648.0))
        return false;
    *out = (int32_t)stored;
    return true;
}

bool emberi_animbin_store_position(emberi_animbin_key *key, ember_vec3 position,
                                   const emberi_animbin_view *view, bool root, ember_rounding rounding)
{
    ember_vec3 v = root && view->psx ? vec3_psx(position) : position;
    int32_t    value[3];
    if (!store_length(&value[0], (double)v.x * view->unit, rounding) ||
        !store_length(&value[1], (double)v.y * view->unit, rounding) ||
        !store_length(&value[2], (double)v.z * view->unit, rounding))
        return false;
    key->type = EMBERI_ANIMBIN_TRANSLATION;
    memcpy(key->value, value, sizeof(value));
    key->value[3] = 0;
    return true;
}

void emberi_animbin_keep_sign(emberi_animbin_key *key, const emberi_animbin_key *before)
{
    int64_t dot = 0;
    for (int i = 0; i < 4; i++)
        dot += (int64_t)key->value[i] * before->value[i];
    for (int i = 0; dot < 0 && i < 4; i++)
        key->value[i] = -key->value[i];
}

/* ---- one track ---- */

/* The next key of the type from `index` on; track->key_count if there is none. */
static uint32_t track_next(const emberi_animbin_track *track, uint32_t index, uint8_t type)
{
    while (index < track->key_count && track->keys[index].type != type)
        index++;
    return index;
}

typedef struct span {
    const emberi_animbin_key  *a, *b; /* b is NULL behind the last key */
    const emberi_animbin_view *view;
    bool                       root;
    ember_quat                 from, to; /* of rotations */
} span;

static void span_set(span *s, const emberi_animbin_key *a, const emberi_animbin_key *b)
{
    s->a = a;
    s->b = b;
    if (a->type != EMBERI_ANIMBIN_ROTATION)
        return;
    s->from = emberi_animbin_rotation(a, s->view, s->root);
    s->to = b != NULL ? emberi_animbin_rotation(b, s->view, s->root) : s->from;
}

static void span_sample(ember_transform *out, const span *s, uint32_t frame)
{
    bool held = s->b == NULL || frame <= s->a->frame;
    if (s->a->type == EMBERI_ANIMBIN_TRANSLATION)
        out->position = held ? emberi_animbin_position(s->a, s->view, s->root)
                             : emberi_animbin_position_between(s->a, s->b, frame, s->view, s->root);
    else if (held)
        out->rotation = s->from;
    else
        out->rotation = ember_quat_slerp(s->from, s->to,
                                         (float)(frame - s->a->frame) / (float)(s->b->frame - s->a->frame));
}

void emberi_animbin_sample_track(ember_transform *out, size_t bone_count, uint32_t frame_count,
                                 const emberi_animbin_track *track, uint8_t type,
                                 const emberi_animbin_view *view, bool root)
{
    uint32_t first = track_next(track, 0, type);
    if (first == track->key_count)
        return;
    uint32_t next = track_next(track, first + 1, type);
    span     s = {.view = view, .root = root};
    span_set(&s, &track->keys[first], next < track->key_count ? &track->keys[next] : NULL);
    for (uint32_t frame = 0; frame < frame_count; frame++) {
        while (s.b != NULL && frame >= s.b->frame) {
            next = track_next(track, next + 1, type);
            span_set(&s, s.b, next < track->key_count ? &track->keys[next] : NULL);
        }
        span_sample(out + (size_t)frame * bone_count, &s, frame);
    }
}

/* ---- a clip ---- */

emberi_animbin_slots emberi_animbin_slots_of(const ember_clip *clip)
{
    emberi_animbin_slots slots;
    for (int i = 0; i < EMBERI_ANIMBIN_MAX_JOINTS; i++)
        slots.of[i] = -1;
    for (uint32_t i = 0; i < clip->bone_count; i++)
        if (ember_clip_bone(clip, i) < EMBERI_ANIMBIN_MAX_JOINTS)
            slots.of[ember_clip_bone(clip, i)] = (int16_t)i;
    return slots;
}

/* Of several tracks for one thing the last counts; so all others can be left alone, however
   many there are. */
typedef struct winners {
    int32_t track[EMBERI_ANIMBIN_MAX_JOINTS][EMBERI_ANIMBIN_TYPES]; /* -1: none */
} winners;

static void winners_find(winners *out, const emberi_animbin_raw *raw)
{
    for (int i = 0; i < EMBERI_ANIMBIN_MAX_JOINTS; i++)
        for (int type = 0; type < EMBERI_ANIMBIN_TYPES; type++)
            out->track[i][type] = -1;
    for (uint32_t i = 0; i < raw->track_count; i++)
        for (int type = 0; type < EMBERI_ANIMBIN_TYPES; type++)
            if (track_next(&raw->tracks[i], 0, (uint8_t)type) < raw->tracks[i].key_count)
                out->track[raw->tracks[i].joint][type] = (int32_t)i;
}

void emberi_animbin_sample(ember_transform *out, const emberi_animbin_raw *raw,
                           const ember_skeleton *skeleton, const ember_clip *clip,
                           const emberi_animbin_view *view)
{
    winners found;
    winners_find(&found, raw);
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t               bone = ember_clip_bone(clip, i);
        const ember_transform *rest =
            skeleton->rest != NULL ? &skeleton->rest[bone] : &ember_transform_identity;
        for (uint32_t frame = 0; frame < raw->length; frame++)
            out[(size_t)frame * clip->bone_count + i] = *rest;
        for (uint8_t type = 0; bone < EMBERI_ANIMBIN_MAX_JOINTS && type < EMBERI_ANIMBIN_TYPES; type++)
            if (found.track[bone][type] >= 0)
                emberi_animbin_sample_track(out + i, clip->bone_count, raw->length,
                                            &raw->tracks[found.track[bone][type]], type, view,
                                            skeleton->parents[bone] == EMBER_NO_PARENT);
    }
}

/* Other programs write the same pose with other last digits: less than a quarter of a stored step is none. */
static bool sample_is_near(const float *a, const float *b, int count, double limit)
{
    for (int i = 0; i < count; i++) {
        double apart = (double)a[i] - (double)b[i];
        if (!(apart <= limit && apart >= -limit))
            return false;
    }
    return true;
}

static bool sample_is_same(const ember_transform *a, const ember_transform *b,
                           const emberi_animbin_view *view)
{
    const float p[4] = {a->rotation.x, a->rotation.y, a->rotation.z, a->rotation.w};
    const float q[4] = {b->rotation.x, b->rotation.y, b->rotation.z, b->rotation.w};
    const float back[4] = {-b->rotation.x, -b->rotation.y, -b->rotation.z, -b->rotation.w};
    const float from[3] = {a->position.x, a->position.y, a->position.z};
    const float to[3] = {b->position.x, b->position.y, b->position.z};
    const float big[3] = {a->scale.x, a->scale.y, a->scale.z},
                small[3] = {b->scale.x, b->scale.y, b->scale.z};
    const double step = 0.25 / EMBERI_ANIMBIN_UNIT;
    if (memcmp(a, b, sizeof(*a)) == 0)
        return true;
    return (sample_is_near(p, q, 4, step) || sample_is_near(p, back, 4, step)) &&
           sample_is_near(from, to, 3, 0.25 / view->unit) && sample_is_near(big, small, 3, 1e-5);
}

bool emberi_animbin_untouched(const ember_model *model, const ember_clip *clip,
                              const emberi_animbin_view *view, ember_arena *scratch, bool *out_of_memory)
{
    const emberi_animbin_raw *raw = emberi_animbin_raw_of(clip);
    *out_of_memory = false;
    if (raw == NULL || raw->length != clip->frame_count)
        return false;
    emberi_animbin_slots slots = emberi_animbin_slots_of(clip);
    for (uint32_t i = 0; i < raw->track_count; i++)
        if (slots.of[raw->tracks[i].joint] < 0)
            return false;
    ember_arena_mark mark = ember_arena_save(scratch);
    size_t           count = (size_t)clip->frame_count * clip->bone_count;
    ember_transform *again = EMBER_PUSH(scratch, ember_transform, count);
    if (again == NULL) {
        *out_of_memory = true;
        return false;
    }
    emberi_animbin_sample(again, raw, &model->skeleton, clip, view);
    bool same = true;
    for (size_t i = 0; i < count && same; i++)
        same = sample_is_same(&again[i], &clip->frames[i], view);
    ember_arena_restore(scratch, mark);
    return same;
}
