/* SPDX-License-Identifier: MIT */
/* blend_and_skin FILE CLIP CLIP: two clips mixed, composed and put on the first skinned mesh. Everything is
   loaded once; the frame itself allocates nothing. */
#include <ember/ember.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    ember_arena           arena = ember_arena_growing(ember_heap(), 0);
    ember_error           err = EMBER_ERROR_INIT;
    ember_model           hero;
    ember_motion          walk, run;
    const ember_skeleton *skeleton = &hero.skeleton;
    if (argc != 4 || ember_model_load(&hero, argv[1], NULL, &arena, &err) != EMBER_OK ||
        ember_motion_from_model(&walk, &hero, argv[2], &err) != EMBER_OK ||
        ember_motion_from_model(&run, &hero, argv[3], &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 4 ? "usage: blend_and_skin FILE CLIP CLIP" : err.text), 1;

    const ember_mesh *body = NULL;
    for (uint32_t i = 0; i < hero.mesh_count && body == NULL; i++)
        body = hero.meshes[i].joints != NULL ? &hero.meshes[i] : NULL;
    uint32_t    bones = skeleton->bone_count;
    ember_vec3 *skinned = body != NULL ? EMBER_PUSH(&arena, ember_vec3, body->vertex_count) : NULL;
    if (skinned == NULL || bones > EMBER_MAX_BONES || skeleton->inverse_binds == NULL)
        return fprintf(stderr, "no skinned mesh, or too many bones\n"), 1;

    static ember_transform a[EMBER_MAX_BONES], b[EMBER_MAX_BONES], pose[EMBER_MAX_BONES];
    static ember_mat34     model[EMBER_MAX_BONES];
    static ember_mat44     palette[EMBER_MAX_BONES];
    ember_lerp_job         lerp = {.out = pose, .a = a, .b = b, .t = 0.25f, .bone_count = bones};
    ember_palette_job      bind = {.columns = palette,
                                   .model = model,
                                   .inverse_binds = skeleton->inverse_binds,
                                   .bone_count = bones};
    ember_skin_job         skin = {.out_positions = &skinned->x,
                                   .positions = &body->positions->x,
                                   .joints = body->joints,
                                   .joints_kind = EMBER_JOINTS_U16,
                                   .weights = body->weights,
                                   .influences = 4,
                                   .palette = palette,
                                   .palette_count = bones,
                                   .vertex_count = body->vertex_count};
    if (ember_motion_sample(&walk, a, bones, 0.5) != EMBER_OK ||
        ember_motion_sample(&run, b, bones, 0.3) != EMBER_OK || ember_lerp_run(&lerp) != EMBER_OK ||
        ember_motion_matrices(&walk, model, pose) != EMBER_OK || ember_palette_run(&bind) != EMBER_OK ||
        ember_skin_run(&skin) != EMBER_OK)
        return 1;
    printf("vertex 0 is at %.3f %.3f %.3f\n", skinned[0].x, skinned[0].y, skinned[0].z);
    ember_arena_free(&arena);
}
