/* SPDX-License-Identifier: MIT */
/* Crowd: four hundred characters, each at its own place, pace and moment. One bind and one draw each; the
   frames are on the GPU already. */
#include "ember_game.h"

#define ROWS 20
#define CROWD (ROWS * ROWS)

static struct {
    uint32_t mesh, skeleton, clips[3], frame_counts[3];
    struct {
        float    x, z, heading, phase, pace;
        uint32_t clip, color;
    } who[CROWD];
} game;

/* From five above and five before the first row, down by 25 degrees. */
static const float view[16] = {1.0f, 0.0f,      0.0f,     0.0f, 0.0f, 0.90631f,  0.42262f,  0.0f,
                               0.0f, -0.42262f, 0.90631f, 0.0f, 0.0f, -2.41845f, -6.64463f, 1.0f};

/* 0 up to 1. */
static float chance(void) { return (float)(game_random() >> 8) / 16777216.0f; }

GAME_EXPORT(init)
{
    view_set(view);
    game.mesh = rom_mesh(GAME_ID("player"));
    game.skeleton = rom_skeleton(GAME_ID("player"));
    game.clips[0] = rom_keyframes(GAME_ID("idle"));
    game.clips[1] = rom_keyframes(GAME_ID("walk"));
    game.clips[2] = rom_keyframes(GAME_ID("run"));
    for (uint32_t i = 0; i < 3; i++)
        game.frame_counts[i] = keyframes_frame_count(game.clips[i]);
    for (uint32_t i = 0; i < CROWD; i++) {
        game.who[i].x = ((float)(i % ROWS) - 9.5f) * 1.2f + chance() * 0.5f;
        game.who[i].z = -2.0f - (float)(i / ROWS) * 1.2f + chance() * 0.5f;
        game.who[i].heading = chance() * 60.0f - 30.0f;
        game.who[i].clip = game_random() % 3;
        game.who[i].phase = chance() * (float)game.frame_counts[game.who[i].clip];
        game.who[i].pace = 0.4f + chance() * 0.2f; /* frames of the clip in each update: about 30 a second */
        game.who[i].color = 0x808080FFu + (game_random() & 0x7f7f7f00u);
    }
}

/* A held button lets everybody run. */
GAME_EXPORT(update)
{
    float speed = input_held(0) != 0 ? 2.0f : 1.0f;
    for (uint32_t i = 0; i < CROWD; i++) {
        float count = (float)game.frame_counts[game.who[i].clip];
        game.who[i].phase += game.who[i].pace * speed;
        if (game.who[i].phase >= count)
            game.who[i].phase -= count;
    }
}

GAME_EXPORT(render)
{
    skeleton_bind(game.skeleton);
    for (uint32_t i = 0; i < CROWD; i++) {
        push_identity();
        push_translate(game.who[i].x, 0.0f, game.who[i].z);
        push_rotate_y(game.who[i].heading);
        set_color(game.who[i].color);
        keyframe_bind(game.clips[game.who[i].clip], (uint32_t)game.who[i].phase);
        draw_mesh(game.mesh);
    }
}

GAME(game, init, update, render)
