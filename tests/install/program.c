/* SPDX-License-Identifier: MIT */
/* Fifteen lines with the library: one frame of a clip, as matrices. */
#include <ember/ember.h>
#include <stdio.h>

int main(void)
{
    static const uint8_t file[] = {1, 0, 1, 0, 3, 8, 32, 128, 0, 60, 0, 64, 0, 66, 0, 60, 0, 60, 0, 60};
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    ember_error          error = EMBER_ERROR_INIT;
    ember_model          model;
    ember_mat34          bone;
    if (ember_model_read(&model, file, sizeof(file), NULL, &arena, &error) != EMBER_OK ||
        ember_clip_matrices(&bone, &model, &model.clips[0], 0) != EMBER_OK)
        return fprintf(stderr, "%s\n", error.text), 1;
    printf("%.1f %.1f %.1f\n", (double)bone.m[3], (double)bone.m[7], (double)bone.m[11]);
    ember_arena_free(&arena);
    return 0;
}
