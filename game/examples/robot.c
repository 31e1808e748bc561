/* SPDX-License-Identifier: MIT */
/* Robot: rigid meshes on bones. An arm of three parts follows its clip without a skeleton; a character,
   skinned, carries a sword that knows which bone it is on; a spark sits at the claw's tip; and once a second
   the arm's claw is taken over by the game. The rigid proposal's examples. */
#include "ember_game.h"

static struct {
    uint32_t arm_base, arm_joint, arm_claw, arm_anim;
    uint32_t body, sword, skeleton, walk_anim;
    uint32_t spark, hand;
} game;

static const float upright[4] = {0.0f, 0.0f, 0.0f, 1.0f}, full_size[3] = {1.0f, 1.0f, 1.0f};

GAME_EXPORT(init)
{
    game.arm_base = rom_mesh(GAME_ID("arm-base"));
    game.arm_joint = rom_mesh(GAME_ID("arm-joint"));
    game.arm_claw = rom_mesh(GAME_ID("arm-claw"));
    game.arm_anim = rom_keyframes(GAME_ID("robot-arm"));
    game.body = rom_mesh(GAME_ID("player"));
    game.sword = rom_mesh(GAME_ID("sword"));
    game.skeleton = rom_skeleton(GAME_ID("player"));
    game.walk_anim = rom_keyframes(GAME_ID("walk"));
    game.spark = rom_mesh(GAME_ID("link"));
    game.hand = bone_index(game.walk_anim, GAME_ID("hand.l"));
}

static void draw_arm(void)
{
    uint32_t frame = (uint32_t)(elapsed_time() * 30.0f) % keyframes_frame_count(game.arm_anim);
    float    position[3], rotation[4], scale[3];
    push_translate(-1.5f, 0.0f, 0.0f);
    keyframe_bind(game.arm_anim, frame);
    if (game_frame() % 60 >= 30) {
        /* The claw by hand: where the clip has it, but turned halfway to upright. */
        bone_get_world_trs(2, position, rotation, scale);
        position[0] += 1.5f; /* back to the arm's own space */
        trs_lerp(position, rotation, scale, position, upright, full_size, 0.5f, position, rotation, scale);
        bone_set_trs(2, position, rotation, scale);
    }
    draw_mesh(game.arm_base);
    draw_mesh(game.arm_joint);
    draw_mesh(game.arm_claw);

    /* Something that is no part of the arm, at the tip of its claw. */
    bone_get_world_trs(2, position, rotation, scale);
    transform_set_trs(position, rotation, full_size);
    push_translate(0.0f, 0.5f, 0.0f);
    push_scale_uniform(0.2f);
    set_color(0xFFD040FFu);
    draw_mesh(game.spark);
    set_color(0xFFFFFFFFu);
}

static void draw_character(void)
{
    const float place[3] = {1.0f, 0.0f, 0.0f};
    push_identity();
    push_trs(place, upright, full_size);
    skeleton_bind(game.skeleton);
    keyframe_bind(game.walk_anim, game_frame() / 2 % keyframes_frame_count(game.walk_anim));
    draw_mesh(game.body);
    draw_mesh(game.sword); /* on the right hand, by its own word */
    bone_bind(game.hand);  /* and once more on the left */
    draw_mesh(game.sword);
    transform_pop();
}

GAME_EXPORT(render)
{
    draw_arm();
    draw_character();
}

GAME(game, init, NULL, render)
