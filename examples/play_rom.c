/* SPDX-License-Identifier: MIT */
/* play_rom ROM CLIP: plays a clip of a ROM, which is mapped and never unpacked. */
#include <ember/ember.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    ember_arena     arena = ember_arena_growing(ember_heap(), 0);
    ember_error     err = EMBER_ERROR_INIT;
    ember_rom      *rom = NULL;
    ember_motion    clip;
    ember_transform pose[EMBER_MAX_BONES];
    ember_mat34     model[EMBER_MAX_BONES];
    if (argc != 3 || ember_rom_open_file(&rom, argv[1], ember_heap(), &err) != EMBER_OK ||
        ember_motion_from_rom(&clip, rom, argv[2], &arena, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 3 ? "usage: play_rom ROM CLIP" : err.text), 1;
    for (double time_s = 0.0; time_s < ember_motion_duration(&clip); time_s += 1.0 / 60.0) {
        if (ember_motion_sample(&clip, pose, EMBER_MAX_BONES, time_s) != EMBER_OK ||
            ember_motion_matrices(&clip, model, pose) != EMBER_OK)
            return fprintf(stderr, "the ROM is damaged\n"), 1;
        const float *last = model[clip.bone_count - 1].m;
        printf("%.3f s: the last bone is at %.3f %.3f %.3f\n", time_s, last[3], last[7], last[11]);
    }
    ember_rom_close(rom);
    ember_arena_free(&arena);
}
