/* SPDX-License-Identifier: MIT */
/* Raw: a format of the game's own. The ROM holds bytes that only this game understands: for each frame eight
   links of a chain that moves in a plane, each as the cosine and sine of its angle and its place, four 16-bit
   numbers. The host keeps them and gives out one frame at a time. */
#include "ember_game.h"

#define LINKS 8
#define FRAME_SIZE (LINKS * 8)
#define MAX_FRAMES 64

static struct {
    uint32_t link_mesh, frames, frame_count;
    uint8_t  buffer[MAX_FRAMES * FRAME_SIZE]; /* all frames while they are loaded, then the current one */
    float    matrices[LINKS][12];
} game;

static float signed_16(const uint8_t *at)
{
    uint32_t bits = (uint32_t)at[0] | (uint32_t)at[1] << 8;
    return (float)(bits < 32768 ? (int32_t)bits : (int32_t)bits - 65536);
}

GAME_EXPORT(init)
{
    uint32_t size = rom_data(GAME_ID("chain"), game.buffer, sizeof(game.buffer));
    game.frames = load_data(game.buffer, size, FRAME_SIZE);
    game.frame_count = size / FRAME_SIZE;
    game.link_mesh = rom_mesh(GAME_ID("link"));
}

/* Columns: where x, y and z go, then where the origin goes. */
static void decode(float m[12], const uint8_t *at)
{
    float cosine = signed_16(at) / 32767.0f, sine = signed_16(at + 2) / 32767.0f;
    m[0] = cosine;
    m[1] = sine;
    m[2] = 0.0f;
    m[3] = -sine;
    m[4] = cosine;
    m[5] = 0.0f;
    m[6] = 0.0f;
    m[7] = 0.0f;
    m[8] = 1.0f;
    m[9] = signed_16(at + 4) / 1024.0f;
    m[10] = signed_16(at + 6) / 1024.0f;
    m[11] = 0.0f;
}

GAME_EXPORT(render)
{
    read_data(game.frames, game_frame() / 2 % game.frame_count, game.buffer);
    for (uint32_t i = 0; i < LINKS; i++)
        decode(game.matrices[i], game.buffer + i * 8);
    set_bones(game.matrices[0], LINKS);
    /* One mesh for all links: each draw follows another bone. */
    for (uint32_t i = 0; i < LINKS; i++) {
        set_color(0xFF2020FFu + i * 0x00180000u);
        bone_bind(i);
        draw_mesh(game.link_mesh);
    }
}

GAME(game, init, NULL, render)
