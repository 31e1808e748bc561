/* SPDX-License-Identifier: MIT */
/* play_glb FILE [CLIP]: where bone 0 is a quarter of a second into a clip, of any format that Ember reads.
   The arena owns all that was loaded; here it goes with the process, elsewhere ember_arena_free ends it. */
#include <ember/ember.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    ember_arena  arena = ember_arena_growing(ember_heap(), 0);
    ember_error  err = EMBER_ERROR_INIT;
    ember_model  model;
    ember_motion walk;
    if (argc < 2 || ember_model_load(&model, argv[1], NULL, &arena, &err) != EMBER_OK ||
        ember_motion_from_model(&walk, &model, argv[2], &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc < 2 ? "usage: play_glb FILE [CLIP]" : err.text), 1;
    ember_transform *pose = EMBER_PUSH(&arena, ember_transform, walk.bone_count);
    if (ember_motion_sample(&walk, pose, walk.bone_count, 0.25) == EMBER_OK)
        printf("bone 0 is at %g %g %g\n", pose[0].position.x, pose[0].position.y, pose[0].position.z);
}
