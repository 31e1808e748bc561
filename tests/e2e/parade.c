/* SPDX-License-Identifier: MIT */
/* A game that shows one character with all its meshes in all its clips, one clip after the other, each for as
   many frames as it has. Which there are it reads from the ROM's data `parade.txt`: the skeleton's id, then
   those of the meshes, an empty line, those of the clips; a line each. */
#include "ember_game.h"

#define MOST 200

static struct {
    uint32_t skeleton, meshes[MOST], clips[MOST], frames[MOST], mesh_count, clip_count;
    uint32_t clip, frame;
    char     list[16384];
} game;

/* The next line's length; *at is moved behind it. */
static uint32_t line(uint32_t *at, uint32_t size, const char **text)
{
    uint32_t start = *at;
    *text = game.list + start;
    while (*at < size && game.list[*at] != '\n')
        ++*at;
    uint32_t length = *at - start;
    ++*at;
    return length;
}

GAME_EXPORT(init)
{
    uint32_t    size = rom_data(GAME_ID("parade.txt"), game.list, sizeof(game.list)), at = 0, length;
    const char *text;
    length = line(&at, size, &text);
    game.skeleton = rom_skeleton(text, length);
    while (game.mesh_count < MOST && (length = line(&at, size, &text)) != 0)
        game.meshes[game.mesh_count++] = rom_mesh(text, length);
    while (game.clip_count < MOST && at < size) {
        length = line(&at, size, &text);
        game.clips[game.clip_count] = rom_keyframes(text, length);
        game.frames[game.clip_count] = keyframes_frame_count(game.clips[game.clip_count]);
        game.clip_count++;
    }
}

GAME_EXPORT(update)
{
    if (++game.frame >= game.frames[game.clip]) {
        game.frame = 0;
        game.clip = (game.clip + 1) % game.clip_count;
    }
}

GAME_EXPORT(render)
{
    /* From the front, a little above the ground. */
    const float view[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1.2f, -6.5f, 1};
    view_set(view);
    projection_perspective(40.0f, 0.1f, 50.0f);
    clear_color(0x30485AFFu);
    skeleton_bind(game.skeleton);
    keyframe_bind(game.clips[game.clip], game.frame);
    for (uint32_t i = 0; i < game.mesh_count; i++)
        draw_mesh(game.meshes[i]);
}

GAME(game, init, update, render)
