/* SPDX-License-Identifier: MIT */
/* play_ewzanim FILE: every frame of an .ewzanim at 60 a second, straight from its bytes. */
#include <ember/ember.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    ember_buffer    file = {.allocator = ember_heap()};
    ember_error     err = EMBER_ERROR_INIT;
    ember_motion    walk;
    ember_transform pose[EMBER_MAX_BONES]; /* an .ewzanim cannot have more */
    if (argc != 2 || ember_file_read(&file, argv[1], 0, &err) != EMBER_OK ||
        ember_motion_from_ewzanim(&walk, file.data, file.size, 30.0, &err) != EMBER_OK)
        return fprintf(stderr, "%s\n", argc != 2 ? "usage: play_ewzanim FILE" : err.text), 1;
    walk.loop = true; /* the file does not say */
    for (double time_s = 0.0; time_s < ember_motion_duration(&walk); time_s += 1.0 / 60.0)
        if (ember_motion_sample(&walk, pose, EMBER_MAX_BONES, time_s) == EMBER_OK)
            printf("%.3f s: %g %g %g\n", time_s, pose[0].position.x, pose[0].position.y, pose[0].position.z);
    ember_buffer_free(&file);
}
