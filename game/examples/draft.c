/* SPDX-License-Identifier: MIT */
/* Draft: the first specification's two examples side by side. Left, a stamp: the host sets the bones from the
   clip's frame. Right, a blend: the game reads two stored frames of twelve bytes a bone, decodes them itself,
   mixes them and hands over matrices. */
#include "ember_game.h"

#define MAX_BONES 32
#define RECORD_SIZE 12
#define FRAME_DURATION (1.0f / 12.0f)

static struct {
    uint32_t         mesh, skeleton, clip;
    clip_information info;
    float            frame_timer, time;
    uint32_t         current_frame;
    uint8_t          file[16384]; /* while it is loaded */
    uint8_t          frame_a[MAX_BONES * RECORD_SIZE], frame_b[MAX_BONES * RECORD_SIZE];
    float            matrices[MAX_BONES][12];
} game;

GAME_EXPORT(init)
{
    uint32_t size = rom_data(GAME_ID("walk.eza"), game.file, sizeof(game.file));
    game.clip = load_clip(game.file, size);
    clip_info(game.clip, &game.info);
    game.mesh = rom_mesh(GAME_ID("player"));
    game.skeleton = rom_skeleton(GAME_ID("player"));
}

/* ---- the stamp ---- */

static void update_animation_stamp(void)
{
    game.frame_timer += delta_time();
    if (game.frame_timer >= FRAME_DURATION) {
        game.frame_timer -= FRAME_DURATION;
        game.current_frame += 1;
        if (game.current_frame >= game.info.frame_count)
            game.current_frame = 0;
    }
    set_bones_from_clip(game.clip, game.current_frame);
}

/* ---- the blend ---- */

/* One scale for all axes. */
typedef struct draft_transform {
    float rotation[4], position[3], scale;
} draft_transform;

static float f16_bits_to_f32(uint32_t bits)
{
    union {
        uint32_t bits;
        float    value;
    } out;
    uint32_t exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    if (exponent == 0) {
        out.value = (float)mantissa / 16777216.0f; /* denormals are multiples of 2^-24 */
        out.bits |= (bits & 0x8000) << 16;
    } else {
        out.bits = (bits & 0x8000) << 16 | (exponent + 112) << 23 | mantissa << 13;
    }
    return out.value;
}

static uint32_t get_u16(const uint8_t *p) { return (uint32_t)p[0] | (uint32_t)p[1] << 8; }

static void decode_quat_smallest_three(float out[4], uint32_t packed)
{
    uint32_t largest = packed & 3;
    float    sum = 0.0f;
    for (uint32_t i = 0, k = 0; i < 4; i++)
        if (i != largest) {
            int32_t ten = (int32_t)(packed >> (22 - 10 * k++) & 0x3ff) - 512;
            out[i] = (float)ten * (0.70710678f / 511.0f);
            sum += out[i] * out[i];
        }
    out[largest] = sum < 1.0f ? game_sqrt(1.0f - sum) : 0.0f;
}

static draft_transform decode_keyframe(const uint8_t *data)
{
    draft_transform t;
    decode_quat_smallest_three(t.rotation, get_u16(data) | get_u16(data + 2) << 16);
    for (int i = 0; i < 3; i++)
        t.position[i] = f16_bits_to_f32(get_u16(data + 4 + 2 * i));
    t.scale = f16_bits_to_f32(get_u16(data + 10));
    return t;
}

static float lerp(float a, float b, float t) { return a + (b - a) * t; }

static void slerp(float out[4], const float a[4], const float b[4], float t)
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = dot < 0.0f ? -1.0f : 1.0f,
          squared = 0.0f;
    for (int i = 0; i < 4; i++) {
        out[i] = lerp(a[i], sign * b[i], t);
        squared += out[i] * out[i];
    }
    for (int i = 0; i < 4; i++)
        out[i] /= game_sqrt(squared);
}

/* Rows, as the draft has them. */
static void build_bone_matrix(float m[12], const draft_transform *t)
{
    float x = t->rotation[0], y = t->rotation[1], z = t->rotation[2], w = t->rotation[3], s = t->scale;
    m[0] = s * (1.0f - 2.0f * (y * y + z * z));
    m[1] = s * (2.0f * (x * y - w * z));
    m[2] = s * (2.0f * (x * z + w * y));
    m[3] = t->position[0];
    m[4] = s * (2.0f * (x * y + w * z));
    m[5] = s * (1.0f - 2.0f * (x * x + z * z));
    m[6] = s * (2.0f * (y * z - w * x));
    m[7] = t->position[1];
    m[8] = s * (2.0f * (x * z - w * y));
    m[9] = s * (2.0f * (y * z + w * x));
    m[10] = s * (1.0f - 2.0f * (x * x + y * y));
    m[11] = t->position[2];
}

static void update_animation_blend(void)
{
    game.time += delta_time();
    float    frame_f = game.time * game.info.fps;
    uint32_t frame_a = (uint32_t)frame_f, frame_b = frame_a + 1; /* both wrap in the host */
    float    blend = frame_f - (float)frame_a;
    read_frame(game.clip, frame_a, game.frame_a);
    read_frame(game.clip, frame_b, game.frame_b);
    for (uint32_t i = 0; i < game.info.bone_count; i++) {
        draft_transform a = decode_keyframe(game.frame_a + i * RECORD_SIZE),
                        b = decode_keyframe(game.frame_b + i * RECORD_SIZE), blended;
        slerp(blended.rotation, a.rotation, b.rotation, blend);
        for (int k = 0; k < 3; k++)
            blended.position[k] = lerp(a.position[k], b.position[k], blend);
        blended.scale = lerp(a.scale, b.scale, blend);
        build_bone_matrix(game.matrices[i], &blended);
    }
    set_bones_rows(game.matrices[0], game.info.bone_count);
}

GAME_EXPORT(render)
{
    skeleton_bind(game.skeleton);
    push_translate(-1.0f, 0.0f, 0.0f);
    update_animation_stamp();
    draw_mesh(game.mesh);
    push_translate(2.0f, 0.0f, 0.0f);
    update_animation_blend();
    draw_mesh(game.mesh);
}

GAME(game, init, NULL, render)
