/* SPDX-License-Identifier: MIT */
/* Measuring what was written. The file is read back as anybody would read it; what its format does not store,
   the skeleton and which of its bones the clip has, is put back from the source. */
#include "format/known_options.h"
#include "format/ops.h"

static bool measure_in(ember_measured *out, const ember_model *model, const ember_clip *source,
                       const ember_write_options *options, const void *data, size_t size, ember_arena *arena)
{
    ember_skeleton     skeleton; /* formats that leave out lengths take them from the rest */
    ember_model        again;
    ember_read_options reading = {.format = options->format,
                                  .space = emberi_stored_space(options, source),
                                  .fps = source->fps,
                                  .skeleton = &skeleton};
    if (ember_skeleton_of_clip(&skeleton, NULL, &model->skeleton, source, arena) != EMBER_OK ||
        ember_model_read(&again, data, size, &reading, arena, NULL) != EMBER_OK || again.clip_count != 1 ||
        again.clips[0].bone_count != source->bone_count)
        return false;

    ember_clip clip = again.clips[0];
    clip.bones = source->bones;
    again.skeleton = model->skeleton;
    ember_compare_job job = {.a_model = model, .b_model = &again, .a = source, .b = &clip};
    if (ember_compare_run(&job, arena, NULL) != EMBER_OK || job.max - job.max != 0.0 || job.bone_count == 0)
        return false;
    *out = (ember_measured){job.max, job.mean, (double)job.size, ember_clip_bone(source, job.max_bone),
                            job.max_frame};
    return true;
}

bool ember_measure_written(ember_measured *out, const ember_model *model, const ember_clip *clip,
                           const ember_write_options *options, const void *data, size_t size)
{
    ember_arena          arena = ember_arena_growing(ember_heap(), 0);
    emberi_write_options known;
    bool done = options != NULL && emberi_write_options_take(&known, options, NULL) == EMBER_OK &&
                measure_in(out, model, clip, &known.all, data, size, &arena);
    ember_arena_free(&arena);
    return done;
}
