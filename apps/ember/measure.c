/* SPDX-License-Identifier: MIT */
/* Measuring what was written. The file is read back as anybody would read it; what its format does not store,
   the skeleton and which of its bones the clip has, is put back from the source. */
#include "measure.h"

#include <math.h>

#include "ember/pose.h"

/* The skeleton of just the clip's bones, in its order, for the formats that need rest lengths to be read. */
static bool measure_skeleton(ember_skeleton *out, const ember_skeleton *whole, const ember_clip *clip,
                             ember_arena *arena)
{
    int16_t         *parents = EMBER_PUSH(arena, int16_t, clip->bone_count);
    ember_transform *rest = EMBER_PUSH(arena, ember_transform, clip->bone_count);
    if (parents == NULL || rest == NULL)
        return false;
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        parents[i] = EMBER_NO_PARENT;
        if (whole->rest != NULL)
            rest[i] = whole->rest[ember_clip_bone(clip, i)];
    }
    *out = (ember_skeleton){.bone_count = clip->bone_count,
                            .parents = parents,
                            .rest = whole->rest != NULL ? rest : NULL};
    return true;
}

static bool measure_in(measured *out, const ember_model *model, const ember_clip *source,
                       const ember_clip *written, ember_format format, const void *data, size_t size,
                       ember_arena *arena)
{
    ember_skeleton     skeleton;
    ember_model        again;
    ember_read_options options = {.format = format,
                                  .space = written->space,
                                  .fps = written->fps,
                                  .skeleton = &skeleton};
    if (!measure_skeleton(&skeleton, &model->skeleton, written, arena) ||
        ember_model_read(&again, data, size, &options, arena, NULL) != EMBER_OK || again.clip_count != 1 ||
        again.clips[0].bone_count != written->bone_count)
        return false;

    ember_clip clip = again.clips[0];
    clip.bones = written->bones;
    again.skeleton = model->skeleton;
    ember_compare_job job = {.a_model = model, .b_model = &again, .a = source, .b = &clip};
    if (ember_compare_run(&job, arena, NULL) != EMBER_OK || !isfinite(job.max) || job.bone_count == 0)
        return false;
    out->max = job.max;
    out->mean = job.mean;
    out->size = (double)job.size;
    out->frame = job.max_frame;
    out->bone_index = ember_clip_bone(source, job.max_bone);
    out->bone = ember_skeleton_name(&model->skeleton, out->bone_index);
    return true;
}

bool measure_written(measured *out, const ember_model *model, const ember_clip *source,
                     const ember_clip *written, ember_format format, const void *data, size_t size)
{
    ember_arena arena = ember_arena_growing(ember_heap(), 0);
    bool        done = measure_in(out, model, source, written, format, data, size, &arena);
    ember_arena_free(&arena);
    return done;
}
