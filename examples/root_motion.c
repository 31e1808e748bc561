/* SPDX-License-Identifier: MIT */
/* root_motion FILE CLIP: takes the travel out of a clip, so that the game moves the character itself. */
#include <ember/ember.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    ember_error err = EMBER_ERROR_INIT;
    ember_model hero;
    if (argc != 3 || ember_model_load(&hero, argv[1], NULL, &arena, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 3 ? "usage: root_motion FILE CLIP" : err.text), 1;
    const ember_clip *clip = ember_model_clip(&hero, argv[2]);
    if (clip == NULL || clip->frame_count == 0)
        return fprintf(stderr, "%s: no such clip\n", argv[2]), 1;

    size_t           count = (size_t)clip->frame_count * clip->bone_count;
    ember_transform *frames = EMBER_PUSH(&arena, ember_transform, count);
    ember_transform *travel = EMBER_PUSH(&arena, ember_transform, clip->frame_count);
    if (frames == NULL || travel == NULL)
        return fprintf(stderr, "no memory\n"), 1;
    memcpy(frames, clip->frames, count * sizeof(*frames)); /* the clip stays as it is */
    ember_root_motion_job job = {.frames = frames,
                                 .motion = travel,
                                 .frame_count = clip->frame_count,
                                 .bone_count = clip->bone_count,
                                 .axes = 1 | 4, /* x and z: the height stays in the clip */
                                 .up = EMBER_AXIS_Y,
                                 .turn = true};
    if (ember_root_motion_run(&job) != EMBER_OK)
        return 1;
    ember_vec3 end = travel[clip->frame_count - 1].position;
    printf("%s goes %.3f %.3f %.3f\n", clip->name, end.x, end.y, end.z);
    ember_arena_free(&arena);
}
