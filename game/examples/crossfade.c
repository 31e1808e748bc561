/* SPDX-License-Identifier: MIT */
/* Crossfade: between two frames, done by the game itself: it reads both decoded, mixes them, builds matrices
   and hands them over. v2's second example. */
#include "ember_game.h"

#define MAX_BONES 64

static struct {
    uint32_t       player_mesh, skeleton, walk_anim;
    uint32_t       bone_count;
    /* Small working buffers: all the animation that a snapshot has to hold. */
    bone_transform a[MAX_BONES], b[MAX_BONES];
    float          matrices[MAX_BONES][16];
} game;

static float lerp(float a, float b, float t) { return a + (b - a) * t; }

/* The shorter way: of the two quaternions that mean b, the one on a's side. */
static void nlerp(float out[4], const float a[4], const float b[4], float t)
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = dot < 0.0f ? -1.0f : 1.0f,
          squared = 0.0f;
    for (int i = 0; i < 4; i++) {
        out[i] = lerp(a[i], sign * b[i], t);
        squared += out[i] * out[i];
    }
    float length = game_sqrt(squared);
    for (int i = 0; i < 4; i++)
        out[i] /= length;
}

static void build_bone_matrix_4x4(float m[16], const bone_transform *t)
{
    float x = t->rotation[0], y = t->rotation[1], z = t->rotation[2], w = t->rotation[3];
    float sx = t->scale[0], sy = t->scale[1], sz = t->scale[2];
    m[0] = sx * (1.0f - 2.0f * (y * y + z * z));
    m[1] = sx * (2.0f * (x * y + w * z));
    m[2] = sx * (2.0f * (x * z - w * y));
    m[3] = 0.0f;
    m[4] = sy * (2.0f * (x * y - w * z));
    m[5] = sy * (1.0f - 2.0f * (x * x + z * z));
    m[6] = sy * (2.0f * (y * z + w * x));
    m[7] = 0.0f;
    m[8] = sz * (2.0f * (x * z + w * y));
    m[9] = sz * (2.0f * (y * z - w * x));
    m[10] = sz * (1.0f - 2.0f * (x * x + y * y));
    m[11] = 0.0f;
    m[12] = t->position[0];
    m[13] = t->position[1];
    m[14] = t->position[2];
    m[15] = 1.0f;
}

GAME_EXPORT(init)
{
    game.player_mesh = rom_mesh(GAME_ID("player"));
    game.skeleton = rom_skeleton(GAME_ID("player"));
    game.walk_anim = rom_keyframes(GAME_ID("walk"));
    game.bone_count = keyframes_bone_count(game.walk_anim);
}

GAME_EXPORT(render)
{
    float    frame_f = elapsed_time() * 30.0f;
    uint32_t frame_count = keyframes_frame_count(game.walk_anim);
    uint32_t whole = (uint32_t)frame_f;
    uint32_t frame_a = whole % frame_count, frame_b = (frame_a + 1) % frame_count;
    float    blend = frame_f - (float)whole;

    keyframe_read(game.walk_anim, frame_a, game.a);
    keyframe_read(game.walk_anim, frame_b, game.b);

    for (uint32_t i = 0; i < game.bone_count; i++) {
        bone_transform blended;
        nlerp(blended.rotation, game.a[i].rotation, game.b[i].rotation, blend);
        for (int k = 0; k < 3; k++) {
            blended.position[k] = lerp(game.a[i].position[k], game.b[i].position[k], blend);
            blended.scale[k] = lerp(game.a[i].scale[k], game.b[i].scale[k], blend);
        }
        build_bone_matrix_4x4(game.matrices[i], &blended);
    }

    skeleton_bind(game.skeleton);
    set_bones_4x4(game.matrices[0], game.bone_count);
    draw_mesh(game.player_mesh);
}

GAME(game, init, NULL, render)
