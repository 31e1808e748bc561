/* SPDX-License-Identifier: MIT */
/* Golden hashes of the player: its bytes, events, travel and poses after every step of a long, random play.
 */
#include "ember/player.h"
#include "golden.h"

#define BONES 13u
#define CLIPS 4u
#define FRAMES 9u
#define STEPS 400u

static ember_transform frames[CLIPS][FRAMES][BONES], travel[CLIPS][FRAMES], rest[BONES];
static ember_transform pose[BONES], scratch[EMBER_PLAYER_SCRATCH(BONES)];
static float           mask[BONES];

static ember_status player_sample(void *user, uint32_t clip, double time_s, ember_transform *out)
{
    const ember_player_clip *clips = user;
    ember_sample_point       at;
    ember_status             status =
        ember_sample_locate(&at, clips[clip].frame_count, clips[clip].fps, time_s, clips[clip].loop);
    ember_lerp_job job = {out,  frames[clip][at.frame], frames[clip][at.next], NULL, at.t, EMBER_BLEND_NLERP,
                          BONES};
    return status == EMBER_OK ? ember_lerp_run(&job) : status;
}

static void player_do(ember_player *player, const ember_player_set *set)
{
    uint32_t layer = golden_u32() % EMBER_PLAYER_LAYERS;
    uint32_t clip = golden_u32() % CLIPS;
    float    fade_s = golden_between(0.0f, 0.5f);
    float    weight = golden_between(0.0f, 1.0f);
    switch (golden_u32() % 24) {
    case 0:
        golden_status(ember_player_play(player, set, layer, clip, fade_s));
        break;
    case 1:
        golden_status(ember_player_weigh(player, set, layer, clip, weight, fade_s));
        break;
    case 2:
        player->layers[layer].weight = weight;
        player->layers[layer].mask = golden_u32() % 2;
        player->layers[layer].additive = layer >= 2;
        break;
    case 3:
        if (player->layers[layer].track_count != 0)
            player->layers[layer].tracks[0].speed = golden_between(-2.0f, 2.0f);
        break;
    default:
        break;
    }
}

void golden_player(void)
{
    static const uint32_t markers[3] = {0, 4, 8};
    const float          *masks[1] = {mask};
    ember_player_clip     clips[CLIPS];
    ember_player_event    events[16];
    ember_player_out      out = {events, 16, 0, EMBER_TRANSFORM_IDENTITY};
    uint8_t               bytes[EMBER_PLAYER_SIZE];
    ember_player          player;
    golden_seed(25);
    golden_begin("player");
    golden_pose(rest, BONES, false);
    for (uint32_t i = 0; i < BONES; i++)
        mask[i] = golden_between(0.0f, 1.0f);
    for (uint32_t c = 0; c < CLIPS; c++) {
        golden_pose(frames[c][0], FRAMES * BONES, false);
        golden_pose(travel[c], FRAMES, false);
        for (uint32_t i = 0; i < FRAMES; i++)
            travel[c][i].scale = (ember_vec3){1.0f, 1.0f, 1.0f};
        clips[c] =
            (ember_player_clip){FRAMES, 10.0 + c, c != 3, markers, 3, travel[c], c % 2 == 0 ? FRAMES : 0};
    }
    ember_player_set set = {clips, CLIPS, masks, 1, rest, BONES, player_sample, clips};
    ember_player_init(&player);
    for (uint32_t i = 0; i < STEPS; i++) {
        player_do(&player, &set);
        golden_status(ember_player_step(&player, &set, (double)golden_between(0.0f, 0.1f), &out));
        golden_status(ember_player_pose(&player, &set, pose, scratch));
        ember_player_save(bytes, &player);
        golden_bytes(bytes, sizeof(bytes));
        golden_transforms(&out.travel, 1);
        golden_transforms(pose, BONES);
        for (uint32_t k = 0; k < out.event_count && k < 16; k++) {
            uint8_t event[4] = {(uint8_t)events[k].kind, (uint8_t)events[k].layer, (uint8_t)events[k].clip,
                                (uint8_t)events[k].marker};
            golden_bytes(event, sizeof(event));
        }
    }
}
