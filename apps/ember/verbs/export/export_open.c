/* SPDX-License-Identifier: MIT */
/* What animations, skeletons and meshes share on their way in: the file read once, cut and resampled as the
   options want. */
#include "verbs/export/export.h"

#include "files/ff7_options.h"

bool export_make_folder(void *user)
{
    export *e = user;
    if (e->out.kind == OUTPUT_FOLDER && !e->folder_made)
        e->folder_made = output_make_folder(&e->out, e->say);
    return e->out.kind != OUTPUT_FOLDER || e->folder_made;
}

/* The frames within --range, as many as the clip has; markers outside are dropped. False if none is left. */
static bool export_crop(const export *e, ember_clip *clip, ember_arena *arena)
{
    double last = clip->frame_count > 0 ? (double)(clip->frame_count - 1) : 0.0;
    double start = e->reading.start_s * ember_clip_fps(clip), end = e->reading.end_s * ember_clip_fps(clip);
    if ((e->reading.start_s <= 0.0 && e->reading.end_s <= 0.0) || clip->frame_count == 0)
        return true;
    if (start > last)
        return false;
    bool     cut = end > 0.0 && end < last;
    uint32_t first = (uint32_t)(start + 0.5), stop = cut ? (uint32_t)(end + 0.5) : clip->frame_count - 1,
             kept = 0;
    ember_marker *markers = EMBER_PUSH(arena, ember_marker, clip->marker_count);
    for (uint32_t i = 0; markers != NULL && i < clip->marker_count; i++)
        if (clip->markers[i].frame >= first && clip->markers[i].frame <= stop)
            markers[kept++] = (ember_marker){clip->markers[i].name, clip->markers[i].frame - first};
    clip->frames += (size_t)first * clip->bone_count;
    clip->frame_count = stop - first + 1;
    clip->markers = markers;
    clip->marker_count = kept;
    clip->loop = e->reading.loop;
    clip->raw = (ember_raw){.data = NULL};
    return true;
}

/* Formats that hold frames, not curves, are read as they are; what the options want of them is
   done afterwards. */
static bool export_resample(export *e, double fps)
{
    ember_clip *clips = EMBER_PUSH(&e->in.arena, ember_clip, e->model.clip_count);
    if (clips == NULL)
        return say_error(e->say, (place){e->in.name, NULL, NULL}, "out of memory"), false;
    for (uint32_t i = 0; i < e->model.clip_count; i++) {
        ember_clip clip = e->model.clips[i];
        if (!export_crop(e, &clip, &e->in.arena))
            return say_error(e->say, (place){e->in.name, clip.name, NULL}, "ends before --range begins"),
                   false;
        clips[i] = clip;
        if (fps == EMBER_FPS_SOURCE || clip.frame_count == 0)
            continue;
        ember_error err = EMBER_ERROR_INIT;
        if (input_resample(&clips[i], &e->in, &clip,
                           fps > 0.0                   ? fps
                           : e->reading.fps_else > 0.0 ? e->reading.fps_else
                                                       : EMBER_DEFAULT_FPS,
                           &e->in.arena, &err) != EMBER_OK)
            return say_library_at(e->say, (place){e->in.name, e->model.clips[i].name, NULL}, &err), false;
    }
    e->model.clips = clips;
    return true;
}

bool export_open_skeleton(export *e)
{
    const char *path = args_value(&e->args, "skeleton");
    if (path == NULL)
        return true;
    ember_read_options plain = {.memory_limit = e->reading.memory_limit,
                                .skip_meshes = true,
                                .skip_clips = true};
    ember_error        err = EMBER_ERROR_INIT;
    if (!input_open(&e->skeleton, path, &plain, e->say))
        return false;
    if (!ember_skeleton_is_known(&e->skeleton.model.skeleton))
        return say_error(e->say, (place){e->skeleton.name, NULL, NULL},
                         "there are no bones with names in it"),
               false;
    if (!ff7_skeleton_of(&e->ff7, &e->skeleton, &e->skeleton.arena, &err))
        return say_library(e->say, e->skeleton.name, &err), false;
    e->formats.ff7.skeleton = e->ff7.bone_count != 0 ? &e->ff7 : NULL;
    return true;
}

int export_open(export *e)
{
    ember_error err = EMBER_ERROR_INIT;
    double      fps = e->reading.fps;
    bool        told = input_load(&e->in, e->args.files[0], &err) && input_tell(&e->in, &e->reading, &err);
    bool        curves = told && e->in.info->curves;
    if (!curves)
        e->reading.fps = 0.0;
    /* Without names there is nothing to match: the bones are the skeleton's, by number. */
    if (told && e->skeleton.info != NULL && !e->in.info->stores.names)
        e->reading.skeleton = &e->skeleton.model.skeleton;
    if (told && !input_takes_take(&e->in, &e->reading, e->say))
        return EXIT_FAILED;
    if (!told || !input_parse(&e->in, &e->reading, e->say, &err))
        return say_library(e->say, e->in.name, &err);
    e->model = e->in.model;
    return curves || export_resample(e, fps) ? EXIT_DONE : EXIT_FAILED;
}
