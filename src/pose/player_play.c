/* SPDX-License-Identifier: MIT */
/* The state of playing: starting, fading, and what time does to it. Every call checks the whole player, whose
   fields are open, before it changes anything. */
#include "ember/player.h"

#include "base/maths.h"
#include "pose/player_rules.h"

/* ---- rules ---- */

static bool player_clip_fits(const ember_player_clip *clip)
{
    return clip->frame_count != 0 && clip->fps > 0.0 && clip->fps - clip->fps == 0.0 &&
           (clip->markers != NULL || clip->marker_count == 0) &&
           (clip->travel_count == 0 ||
            (clip->travel != NULL && (clip->travel_count == clip->frame_count ||
                                      (clip->loop && clip->travel_count == clip->frame_count + 1))));
}

static bool player_share_fits(float share) { return share >= 0.0f && share <= 1.0f; }

static bool player_track_fits(const ember_player_track *track, const ember_player_set *set)
{
    return track->clip < set->clip_count && player_clip_fits(&set->clips[track->clip]) && track->fresh <= 1 &&
           track->time_s >= 0.0 && track->time_s <= emberi_player_length(&set->clips[track->clip]) &&
           emberi_is_finite(track->speed) && player_share_fits(track->weight) &&
           player_share_fits(track->target) && track->rate >= 0.0f && emberi_is_finite(track->rate);
}

bool emberi_player_fits(const ember_player *player, const ember_player_set *set)
{
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++) {
        const ember_player_layer *layer = &player->layers[l];
        if (!player_share_fits(layer->weight) || layer->mask > set->mask_count || layer->additive > 1 ||
            (layer->additive == 1 && set->rest == NULL) || layer->track_count > EMBER_PLAYER_TRACKS)
            return false;
        for (uint32_t i = 0; i < layer->track_count; i++)
            if (!player_track_fits(&layer->tracks[i], set))
                return false;
    }
    return true;
}

/* ---- starting ---- */

void ember_player_init(ember_player *player)
{
    static const ember_player nothing = {{{0.0f, 0, 0, 0, {{0, 0, 0.0, 0.0f, 0.0f, 0.0f, 0.0f}}}}};
    *player = nothing;
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++)
        player->layers[l].weight = 1.0f;
}

static ember_player_track *player_find(ember_player_layer *layer, uint32_t clip)
{
    for (uint32_t i = 0; i < layer->track_count; i++)
        if (layer->tracks[i].clip == clip)
            return &layer->tracks[i];
    return NULL;
}

static void player_remove(ember_player_layer *layer, uint32_t index)
{
    static const ember_player_track none = {0, 0, 0.0, 0.0f, 0.0f, 0.0f, 0.0f};
    layer->track_count--;
    for (uint32_t i = index; i < layer->track_count; i++)
        layer->tracks[i] = layer->tracks[i + 1];
    layer->tracks[layer->track_count] = none;
}

static ember_player_track *player_add(ember_player_layer *layer, uint32_t clip)
{
    ember_player_track *track = &layer->tracks[layer->track_count++];
    *track = (ember_player_track){.clip = clip, .fresh = 1, .speed = 1.0f};
    return track;
}

/* In double, so that all weights of a cross-fade arrive together to the last bit of a float. */
static void player_aim(ember_player_track *track, float target, float fade_s)
{
    double way = (double)target - (double)track->weight;
    double rate = fade_s > 0.0f ? (way < 0.0 ? -way : way) / (double)fade_s : 0.0;
    track->target = target;
    track->rate = (float)rate;
    if (fade_s == 0.0f || !emberi_is_finite(track->rate)) {
        track->weight = target;
        track->rate = 0.0f;
    }
}

static bool player_call_fits(const ember_player *player, const ember_player_set *set, uint32_t layer,
                             uint32_t clip, float fade_s)
{
    return layer < EMBER_PLAYER_LAYERS && clip < set->clip_count && player_clip_fits(&set->clips[clip]) &&
           fade_s >= 0.0f && emberi_is_finite(fade_s) && emberi_player_fits(player, set);
}

void emberi_player_sweep(ember_player_layer *layer)
{
    for (uint32_t i = layer->track_count; i-- > 0;)
        if (layer->tracks[i].weight == 0.0f && layer->tracks[i].target == 0.0f)
            player_remove(layer, i);
}

ember_status ember_player_play(ember_player *player, const ember_player_set *set, uint32_t layer,
                               uint32_t clip, float fade_s)
{
    if (!player_call_fits(player, set, layer, clip, fade_s))
        return EMBER_E_ARG;
    ember_player_layer *on = &player->layers[layer];
    for (uint32_t i = 0; i < on->track_count; i++)
        player_aim(&on->tracks[i], 0.0f, fade_s);
    ember_player_track *track = player_find(on, clip);
    if (track == NULL && on->track_count == EMBER_PLAYER_TRACKS) {
        uint32_t lightest = 0;
        for (uint32_t i = 1; i < on->track_count; i++)
            if (on->tracks[i].weight < on->tracks[lightest].weight)
                lightest = i;
        player_remove(on, lightest);
    }
    track = track != NULL ? track : player_add(on, clip);
    track->time_s = 0.0;
    track->fresh = 1;
    player_aim(track, 1.0f, fade_s);
    emberi_player_sweep(on);
    return EMBER_OK;
}

ember_status ember_player_weigh(ember_player *player, const ember_player_set *set, uint32_t layer,
                                uint32_t clip, float weight, float fade_s)
{
    if (!player_call_fits(player, set, layer, clip, fade_s) || !player_share_fits(weight))
        return EMBER_E_ARG;
    ember_player_layer *on = &player->layers[layer];
    ember_player_track *track = player_find(on, clip);
    if (track == NULL && on->track_count == EMBER_PLAYER_TRACKS)
        return EMBER_E_LIMIT;
    player_aim(track != NULL ? track : player_add(on, clip), weight, fade_s);
    emberi_player_sweep(on);
    return EMBER_OK;
}
