/* SPDX-License-Identifier: MIT */
/* The game of the benchmark: each update does one kind of work, which the first player's buttons
   choose, many times. */
#include "ember_game.h"

#define BONES 40
#define FRAMES 60
#define CALLS 10000
#define READS 200
#define CROWD 1000

enum { WORK_CALLS = 1, WORK_BINDS, WORK_READS };

static struct {
    uint32_t clip, mesh, skeleton, seen;
    float    x[CROWD], z[CROWD];
    uint8_t  file[4 + BONES * FRAMES * 16];
} game;

static bone_transform pose[BONES];
static float          binds[BONES][12];
static float          triangle[3][3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};

/* An .ewzanim whose records are all the identity, but for numbers of their own in the position. */
static void make_clip(void)
{
    static const uint8_t identity[16] = {0x03, 0x08, 0x20, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x3c, 0, 0x3c, 0, 0x3c};
    game.file[0] = BONES;
    game.file[2] = FRAMES;
    for (uint32_t i = 0; i < BONES * FRAMES; i++) {
        for (uint32_t k = 0; k < 16; k++)
            game.file[4 + i * 16 + k] = identity[k];
        game.file[4 + i * 16 + 5] = (uint8_t)(0x30 + i % 8);
    }
}

GAME_EXPORT(init)
{
    make_clip();
    game.clip = keyframes_load(game.file, sizeof(game.file));
    game.mesh = load_mesh(triangle, 3, 0);
    for (uint32_t i = 0; i < BONES; i++)
        binds[i][0] = binds[i][4] = binds[i][8] = 1.0f;
    game.skeleton = load_skeleton(binds[0], BONES);
    for (uint32_t i = 0; i < CROWD; i++) {
        game.x[i] = (float)(i % 32);
        game.z[i] = (float)(i / 32);
    }
}

GAME_EXPORT(update)
{
    uint32_t work = input_held(0);
    for (uint32_t i = 0; work == WORK_CALLS && i < CALLS; i++)
        game.seen += game_frame();
    for (uint32_t i = 0; work == WORK_BINDS && i < CALLS; i++)
        keyframe_bind(game.clip, i % FRAMES);
    for (uint32_t i = 0; work == WORK_READS && i < READS; i++)
        keyframe_read(game.clip, i % FRAMES, pose);
}

GAME_EXPORT(render)
{
    skeleton_bind(game.skeleton);
    for (uint32_t i = 0; i < CROWD; i++) {
        push_identity();
        push_translate(game.x[i], 0.0f, game.z[i]);
        keyframe_bind(game.clip, (i + game_frame()) % FRAMES);
        draw_mesh(game.mesh);
    }
}

GAME(game, init, update, render)
