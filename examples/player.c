/* SPDX-License-Identifier: MIT */
/* player FILE CLIP CLIP: plays the first clip, fades to the second within a quarter of a second, and prints
   the markers that were passed. The frame itself allocates nothing. */
#include <ember/ember.h>
#include <stdio.h>

static ember_transform pose[EMBER_MAX_BONES], scratch[EMBER_PLAYER_SCRATCH(EMBER_MAX_BONES)];

int main(int argc, char **argv)
{
    ember_arena       arena = ember_arena_growing(ember_heap(), 0);
    ember_error       err = EMBER_ERROR_INIT;
    ember_model       hero;
    ember_motion      motions[2];
    ember_player_clip clips[2];
    if (argc != 4 || ember_model_load(&hero, argv[1], NULL, &arena, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 4 ? "usage: player FILE CLIP CLIP" : err.text), 1;
    for (int i = 0; i < 2; i++) {
        if (ember_motion_from_model(&motions[i], &hero, argv[2 + i], &err) != EMBER_OK)
            return fprintf(stderr, "%s\n", err.text), 1;
        const ember_clip *clip = ember_model_clip(&hero, argv[2 + i]);
        uint32_t         *markers = EMBER_PUSH(&arena, uint32_t, clip->marker_count);
        for (uint32_t m = 0; markers != NULL && m < clip->marker_count; m++)
            markers[m] = clip->markers[m].frame;
        clips[i] = (ember_player_clip){.frame_count = motions[i].frame_count,
                                       .fps = motions[i].fps,
                                       .loop = motions[i].loop,
                                       .markers = markers,
                                       .marker_count = markers != NULL ? clip->marker_count : 0};
    }
    ember_player_set   set = {.clips = clips,
                              .clip_count = 2,
                              .rest = hero.skeleton.rest,
                              .bone_count = hero.skeleton.bone_count,
                              .sample = ember_player_sample_motions,
                              .user = motions};
    ember_player       player;
    ember_player_event events[8];
    ember_player_out   out = {.events = events, .event_capacity = 8};
    if (set.bone_count > EMBER_MAX_BONES)
        return fprintf(stderr, "too many bones\n"), 1;
    ember_player_init(&player);
    (void)ember_player_play(&player, &set, 0, 0, 0.0f);
    for (int frame = 1; frame <= 60; frame++) {
        if (frame == 31)
            (void)ember_player_play(&player, &set, 0, 1, 0.25f);
        if (ember_player_step(&player, &set, 1.0 / 60.0, &out) != EMBER_OK ||
            ember_player_pose(&player, &set, pose, scratch) != EMBER_OK)
            return 1;
        for (uint32_t i = 0; i < out.event_count && i < 8; i++)
            printf("frame %d: %s %s\n", frame, argv[2 + events[i].clip],
                   events[i].kind == EMBER_PLAYER_MARKER ? "passed a marker" : "ended");
    }
    printf("bone 0 is at %.4f %.4f %.4f\n", pose[0].position.x, pose[0].position.y, pose[0].position.z);
    ember_arena_free(&arena);
}
