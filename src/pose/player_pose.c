/* SPDX-License-Identifier: MIT */
/* The pose of a player: the clips of each layer mixed by weight, the layers one on top of the other. The
   player and the set are checked first; poses are the sampler's. */
#include "ember/player.h"
#include "ember/pose.h"
#include "pose/player_rules.h"

/* The mean of the layer's clips, and the sum of their weights. `poses` has room for a pose of each. */
static ember_status pose_mix(ember_transform *out, float *sum, const ember_player_layer *layer,
                             const ember_player_set *set, ember_transform *poses)
{
    ember_blend_layer mix[EMBER_PLAYER_TRACKS];
    uint32_t          count = 0;
    *sum = 0.0f;
    for (uint32_t i = 0; i < layer->track_count; i++) {
        const ember_player_track *track = &layer->tracks[i];
        ember_transform          *pose = poses + (size_t)count * set->bone_count;
        if (track->weight == 0.0f)
            continue;
        ember_status status = set->sample(set->user, track->clip, track->time_s, pose);
        if (status != EMBER_OK)
            return status;
        mix[count++] = (ember_blend_layer){pose, track->weight, NULL};
        *sum += track->weight;
    }
    ember_blend_job job = {out, mix, count, NULL, set->bone_count};
    return count != 0 ? ember_blend_run(&job) : EMBER_OK;
}

static ember_status pose_add(ember_transform *out, ember_transform *mixed, float weight,
                             const ember_player_layer *layer, const ember_player_set *set)
{
    const float            *mask = layer->mask != 0 ? set->masks[layer->mask - 1] : NULL;
    ember_additive_make_job make = {mixed, mixed, set->rest, set->bone_count};
    ember_additive_job      add = {out, out, mixed, mask, weight, set->bone_count};
    ember_status            status = ember_additive_make_run(&make);
    return status == EMBER_OK ? ember_additive_run(&add) : status;
}

static ember_status pose_over(ember_transform *out, const ember_transform *mixed, float weight,
                              const ember_player_layer *layer, const ember_player_set *set, float *weights)
{
    ember_lerp_job lerp = {out, out, mixed, NULL, weight, EMBER_BLEND_NLERP, set->bone_count};
    if (layer->mask != 0) {
        for (uint32_t i = 0; i < set->bone_count; i++)
            weights[i] = weight * set->masks[layer->mask - 1][i];
        lerp.weights = weights;
    }
    return ember_lerp_run(&lerp);
}

ember_status ember_player_pose(const ember_player *player, const ember_player_set *set, ember_transform *out,
                               ember_transform *scratch)
{
    size_t           bones = set->bone_count;
    ember_transform *mixed = scratch + EMBER_PLAYER_TRACKS * bones, *last = mixed + bones;
    if (set->sample == NULL || !emberi_player_fits(player, set))
        return EMBER_E_ARG;
    for (uint32_t i = 0; i < bones; i++)
        out[i] = set->rest != NULL ? set->rest[i] : ember_transform_identity;
    for (uint32_t l = 0; l < EMBER_PLAYER_LAYERS; l++) {
        const ember_player_layer *layer = &player->layers[l];
        float                     sum;
        ember_status              status =
            pose_mix(l == 0 && layer->additive == 0 ? out : mixed, &sum, layer, set, scratch);
        float weight = layer->weight * (sum < 1.0f ? sum : 1.0f);
        if (status == EMBER_OK && weight > 0.0f && layer->additive != 0)
            status = pose_add(out, mixed, weight, layer, set);
        else if (status == EMBER_OK && weight > 0.0f && l != 0)
            status = pose_over(out, mixed, weight, layer, set, &last->rotation.x);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}
