/* SPDX-License-Identifier: MIT */
/* reach FILE UPPER LOWER HAND: a hand reaches for a point before the chest. Inverse kinematics changes the
   local pose; it takes the matrices of the same pose, and the pose is composed again afterwards. */
#include <ember/ember.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_error           err = EMBER_ERROR_INIT;
    ember_model           hero;
    const ember_skeleton *s = &hero.skeleton;
    if (argc != 5 || ember_model_load(&hero, argv[1], NULL, &arena, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 5 ? "usage: reach FILE UPPER LOWER HAND" : err.text), 1;
    int32_t   upper = ember_skeleton_find(s, argv[2]), lower = ember_skeleton_find(s, argv[3]);
    int32_t   hand = ember_skeleton_find(s, argv[4]);
    uint16_t  memory[4 * EMBER_MAX_BONES];
    ember_rig rig;
    if (upper < 0 || lower < 0 || hand < 0 || s->rest == NULL ||
        ember_rig_make(&rig, s->parents, s->bone_count, memory, sizeof(memory)) != EMBER_OK)
        return fprintf(stderr, "a bone is missing, or there are too many\n"), 1;

    ember_transform pose[EMBER_MAX_BONES];
    ember_mat34     model[EMBER_MAX_BONES];
    bool            reached = false;
    memcpy(pose, s->rest, s->bone_count * sizeof(*pose));
    ember_compose_job     compose = {.out = model, .pose = pose, .rig = &rig};
    ember_ik_two_bone_job reach = {.pose = pose,
                                   .model = model,
                                   .rig = &rig,
                                   .start = (uint32_t)upper,
                                   .mid = (uint32_t)lower,
                                   .end = (uint32_t)hand,
                                   .target = {0.1f, 1.2f, 0.4f},
                                   .pole = {0.0f, -1.0f, 0.0f},
                                   .weight = 1.0f,
                                   .reached = &reached};
    if (ember_compose_run(&compose) != EMBER_OK || ember_ik_two_bone_run(&reach) != EMBER_OK ||
        ember_compose_run(&compose) != EMBER_OK)
        return 1;
    printf("%s: the hand is at %.3f %.3f %.3f\n", reached ? "reached" : "too far", model[hand].m[3],
           model[hand].m[7], model[hand].m[11]);
    ember_arena_free(&arena);
}
