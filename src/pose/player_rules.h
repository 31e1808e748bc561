/* SPDX-License-Identifier: MIT */
/* What the files of the player share: the rules of its fields, and where a clip ends. */
#ifndef EMBER_POSE_PLAYER_RULES_H
#define EMBER_POSE_PLAYER_RULES_H

#include "ember/player.h"

/* In seconds: of a looping clip a whole round. */
static inline double emberi_player_length(const ember_player_clip *clip)
{
    return (double)(clip->loop ? clip->frame_count : clip->frame_count - 1) / clip->fps;
}

/* Whether the player is one that this set can play, every number in its range. */
bool emberi_player_fits(const ember_player *player, const ember_player_set *set);

/* Removes the tracks whose weights arrived at 0. */
void emberi_player_sweep(ember_player_layer *layer);

#endif
