/* SPDX-License-Identifier: MIT */
/* Stamp: a walking character at twelve frames a second, without any interpolation. The host knows all frames;
   the game only says which one. v2's first example. */
#include "ember_game.h"

#define FRAME_DURATION (1.0f / 12.0f)

static struct {
    uint32_t player_mesh, skeleton, walk_anim;
    float    frame_timer;
    uint32_t current_frame;
} game;

GAME_EXPORT(init)
{
    game.player_mesh = rom_mesh(GAME_ID("player"));
    game.skeleton = rom_skeleton(GAME_ID("player"));
    game.walk_anim = rom_keyframes(GAME_ID("walk"));
}

GAME_EXPORT(render)
{
    game.frame_timer += delta_time();
    if (game.frame_timer >= FRAME_DURATION) {
        game.frame_timer -= FRAME_DURATION;
        game.current_frame = (game.current_frame + 1) % keyframes_frame_count(game.walk_anim);
    }

    skeleton_bind(game.skeleton);
    keyframe_bind(game.walk_anim, game.current_frame);
    draw_mesh(game.player_mesh);
}

GAME(game, init, NULL, render)
