/* SPDX-License-Identifier: MIT */
/* What time does to a player: weights, times, markers that were passed, the root's travel. The player is
   checked as a whole before the first change. */
#include "ember/player.h"
#include "ember/pose.h"
#include "pose/player_rules.h"

/* Rounds of a clip that one step may take: whole numbers of a double. */
#define STEP_MOST_ROUNDS 1e15

static double step_floor(double x)
{
    double whole = (double)(int64_t)x;
    return whole > x ? whole - 1.0 : whole;
}

static double step_ceil(double x) { return -step_floor(-x); }

/* ---- markers ---- */

/* Whether a time of the clip lies behind `from`, up to and with `to`; a fresh track's start counts too. */
static bool step_passes(const ember_player_clip *clip, double from, double to, bool fresh, double at)
{
    double length = emberi_player_length(clip);
    if (!clip->loop) {
        if (fresh && at == from)
            return true;
        return to >= from ? at > from && at <= to : at < from && at >= to;
    }
    double before = (from - at) / length, after = (to - at) / length;
    if (fresh && step_floor(before) == before)
        return true;
    return after >= before ? step_floor(after) > step_floor(before) : step_ceil(after) < step_ceil(before);
}

static void step_event(ember_player_out *out, ember_player_event event)
{
    if (out == NULL)
        return;
    if (out->events != NULL && out->event_count < out->event_capacity)
        out->events[out->event_count] = event;
    out->event_count++;
}

/* ---- travel ---- */

static ember_transform travel_apart(const ember_transform *from, const ember_transform *to)
{
    ember_transform back = ember_transform_inverse(from);
    return ember_transform_mul(&back, to);
}

static ember_transform travel_round(const ember_player_clip *clip)
{
    uint32_t last = clip->frame_count - 1;
    if (clip->travel_count > clip->frame_count)
        return clip->travel[clip->frame_count];
    if (last == 0)
        return ember_transform_identity;
    ember_transform step = travel_apart(&clip->travel[last - 1], &clip->travel[last]);
    return ember_transform_mul(&clip->travel[last], &step);
}

static ember_transform travel_at(const ember_player_clip *clip, const ember_transform *whole, double time_s)
{
    double   place = time_s * clip->fps, frame = step_floor(place);
    uint32_t last = clip->frame_count - 1;
    uint32_t i = frame >= (double)last ? last : (uint32_t)frame;
    if (i == last && !clip->loop)
        return clip->travel[last];
    double t = place - (double)i;
    return ember_transform_lerp(&clip->travel[i], i < last ? &clip->travel[i + 1] : whole,
                                (float)(t < 1.0 ? t : 1.0));
}

/* From the place at one time of the clip to that at another, `rounds` rounds on. */
static ember_transform travel_between(const ember_player_clip *clip, double from, double to, double rounds)
{
    if (clip->travel_count == 0)
        return ember_transform_identity;
    ember_transform whole = travel_round(clip);
    ember_transform a = travel_at(clip, &whole, from), b = travel_at(clip, &whole, to);
    ember_transform power = rounds < 0.0 ? ember_transform_inverse(&whole) : whole;
    for (uint64_t n = (uint64_t)(rounds < 0.0 ? -rounds : rounds); n != 0; n >>= 1) {
        if ((n & 1) != 0)
            b = ember_transform_mul(&power, &b);
        power = ember_transform_mul(&power, &power);
    }
    ember_transform way = travel_apart(&a, &b);
    way.rotation = ember_quat_normalize(way.rotation);
    return way;
}

/* ---- a track ---- */

static void track_weigh(ember_player_track *track, double dt_s)
{
    double left = (double)track->target - (double)track->weight, way = (double)track->rate * dt_s;
    if (way >= (left < 0.0 ? -left : left) || track->rate == 0.0f) {
        track->weight = track->target;
        track->rate = 0.0f;
    } else {
        track->weight = (float)((double)track->weight + (left < 0.0 ? -way : way));
    }
}

/* The time after the step, within the clip, and the rounds that went by. */
static double track_time(const ember_player_clip *clip, double to, double *rounds)
{
    double length = emberi_player_length(clip);
    *rounds = 0.0;
    if (!clip->loop)
        return to < 0.0 ? 0.0 : to > length ? length : to;
    *rounds = step_floor(to / length);
    double rest = to - *rounds * length;
    if (rest < 0.0)
        rest = 0.0;
    if (rest >= length) {
        rest = 0.0;
        *rounds += 1.0;
    }
    return rest;
}

static ember_transform track_step(ember_player_track *track, const ember_player_set *set, uint32_t layer,
                                  double dt_s, ember_player_out *out)
{
    const ember_player_clip *clip = &set->clips[track->clip];
    double                   rounds, from = track->time_s, to = from + dt_s * (double)track->speed;
    track_weigh(track, dt_s);
    ember_player_event event = {EMBER_PLAYER_MARKER, layer, track->clip, 0, track->weight};
    double             now = track_time(clip, to, &rounds);
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        event.marker = i;
        if (step_passes(clip, from, clip->loop ? to : now, track->fresh != 0,
                        (double)clip->markers[i] / clip->fps))
            step_event(out, event);
    }
    double length = emberi_player_length(clip);
    if (!clip->loop && ((to >= length && from < length) || (to <= 0.0 && from > 0.0))) {
        event.kind = EMBER_PLAYER_END;
        event.marker = 0;
        step_event(out, event);
    }
    track->fresh = 0;
    track->time_s = now;
    return travel_between(clip, from, now, rounds);
}

/* ---- all of it ---- */

static bool step_fits(const ember_player *player, const ember_player_set *set, double dt_s)
{
    if (!(dt_s >= 0.0) || dt_s - dt_s != 0.0 || !emberi_player_fits(player, set))
        return false;
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++)
        for (uint32_t i = 0; i < player->layers[l].track_count; i++) {
            const ember_player_track *track = &player->layers[l].tracks[i];
            const ember_player_clip  *clip = &set->clips[track->clip];
            double rounds = dt_s * (double)track->speed * clip->fps / (double)clip->frame_count;
            if (!(rounds > -STEP_MOST_ROUNDS && rounds < STEP_MOST_ROUNDS))
                return false;
        }
    return true;
}

ember_status ember_player_step(ember_player *player, const ember_player_set *set, double dt_s,
                               ember_player_out *out)
{
    ember_transform   ways[EMBER_PLAYER_TRACKS];
    ember_blend_layer mix[EMBER_PLAYER_TRACKS];
    if (!step_fits(player, set, dt_s))
        return EMBER_E_ARG;
    if (out != NULL) {
        out->event_count = 0;
        out->travel = ember_transform_identity;
    }
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++) {
        ember_player_layer *layer = &player->layers[l];
        float               sum = 0.0f;
        for (uint32_t i = 0; i < layer->track_count; i++) {
            ways[i] = track_step(&layer->tracks[i], set, l, dt_s, out);
            mix[i] = (ember_blend_layer){&ways[i], layer->tracks[i].weight, NULL};
            sum += layer->tracks[i].weight;
        }
        if (l == 0 && out != NULL && sum > 0.0f) {
            ember_blend_job job = {&out->travel, mix, layer->track_count, NULL, 1};
            (void)ember_blend_run(&job);
        }
        emberi_player_sweep(layer);
    }
    return EMBER_OK;
}
