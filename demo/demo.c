/* SPDX-License-Identifier: MIT */
/* Writes the demo's character with all its clips as one JSON file. */
#include "walker.h"

#include <stdio.h>
#include <stdlib.h>

static ember_transform *clip_frames(const walker_clip *clip, const walker_rig *rig)
{
    ember_transform *frames = malloc((size_t)clip->frame_count * WALKER_BONES * sizeof(*frames));
    if (frames == NULL)
        return NULL;
    for (uint32_t i = 0; i < clip->frame_count; i++) {
        uint32_t    steps = clip->loop ? clip->frame_count : clip->frame_count - 1;
        walker_pose pose = clip->pose_at((float)i / (float)steps);
        walker_pose_solve(frames + (size_t)i * WALKER_BONES, rig, &pose);
    }
    return frames;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: demo-character OUT.json\n");
        return 2;
    }
    walker_rig rig;
    walker_rig_make(&rig);

    ember_clip clips[8];
    int        result = 1;
    uint32_t   made = 0;
    for (; made < walker_clip_count; made++) {
        const walker_clip *w = &walker_clips[made];
        clips[made] = (ember_clip){.name = w->name,
                                   .fps = w->fps,
                                   .loop = w->loop,
                                   .space = EMBER_SPACE_LOCAL,
                                   .bone_count = WALKER_BONES,
                                   .frame_count = w->frame_count,
                                   .frames = clip_frames(w, &rig),
                                   .marker_count = w->marker_count,
                                   .markers = w->markers};
        if (clips[made].frames == NULL) {
            fprintf(stderr, "demo-character: out of memory\n");
            goto done;
        }
    }
    ember_model model = {.format = EMBER_FORMAT_JSON,
                         .skeleton = {.bone_count = WALKER_BONES,
                                      .parents = rig.parents,
                                      .names = rig.names,
                                      .rest = rig.rest},
                         .clip_count = walker_clip_count,
                         .clips = clips};

    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer file = {.allocator = ember_heap()};
    if (ember_model_write(&file, &model, &(ember_write_options){.format = EMBER_FORMAT_JSON}, &err) ==
            EMBER_OK &&
        ember_file_write(argv[1], file.data, file.size, &err) == EMBER_OK)
        result = 0;
    else {
        char line[EMBER_ERROR_LINE_SIZE];
        (void)ember_error_format(line, sizeof(line), NULL, &err);
        fprintf(stderr, "demo-character: %s: %s\n", argv[1], line);
    }
    ember_buffer_free(&file);
done:
    while (made-- > 0)
        free((void *)(uintptr_t)clips[made].frames);
    return result;
}
