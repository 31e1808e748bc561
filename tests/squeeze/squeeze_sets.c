/* SPDX-License-Identifier: MIT */
/* Reading models and rounding their clips to records as the exporter does. */
#include "squeeze_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ember/pose.h"

#define RATE 30.0
#define EWZANIM_HEADER 4u

static bool set_fail(const char *name, const char *text)
{
    fprintf(stderr, "%s: %s\n", name, text);
    return false;
}

static bool set_clip_make(set_clip *out, const ember_model *model, const ember_clip *source, set_form form,
                          ember_arena *arena)
{
    ember_clip          clip = *source;
    ember_error         err = EMBER_ERROR_INIT;
    ember_buffer        file = {.allocator = ember_heap()};
    ember_write_options options = {.format = EMBER_FORMAT_EWZANIM,
                                   .space = form == SET_MODEL ? EMBER_SPACE_MODEL : EMBER_SPACE_LOCAL,
                                   .fit = form == SET_LOCAL_CLOSED ? EMBER_FIT_CLOSED : EMBER_FIT_PLAIN};
    clip.raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    ember_model one = *model;
    one.clips = &clip;
    one.clip_count = 1;
    one.mesh_count = 0;
    bool     done = ember_model_write(&file, &one, &options, &err) == EMBER_OK;
    uint8_t *frames = done ? EMBER_PUSH(arena, uint8_t, file.size - EWZANIM_HEADER) : NULL;
    if (frames != NULL)
        memcpy(frames, file.data + EWZANIM_HEADER, file.size - EWZANIM_HEADER);
    *out = (set_clip){frames, clip.frame_count};
    ember_buffer_free(&file);
    return frames != NULL || set_fail(clip.name, err.text);
}

static bool set_rig_make(clip_set *set, const int16_t *parents, bool model_space, ember_arena *arena)
{
    const uint32_t  bones = set->rig.bone_count;
    uint8_t        *rest = EMBER_PUSH(arena, uint8_t, (size_t)bones * EMBER_KEYFRAME_SIZE);
    uint8_t        *offsets = EMBER_PUSH(arena, uint8_t, (size_t)bones * 12);
    const uint8_t **clips = EMBER_PUSH(arena, const uint8_t *, set->clip_count);
    uint32_t       *frame_counts = EMBER_PUSH(arena, uint32_t, set->clip_count);
    if (rest == NULL || offsets == NULL || clips == NULL || frame_counts == NULL)
        return false;
    for (uint32_t i = 0; i < set->clip_count; i++) {
        clips[i] = set->clips[i].frames;
        frame_counts[i] = set->clips[i].frame_count;
    }
    ember_squeeze_rig_job job = {.out_rest = rest,
                                 .out_offsets = model_space ? offsets : NULL,
                                 .parents = parents,
                                 .bone_count = bones,
                                 .clips = clips,
                                 .frame_counts = frame_counts,
                                 .clip_count = set->clip_count};
    set->rig = (ember_squeeze_rig){bones, rest, parents, model_space ? offsets : NULL, model_space};
    return ember_squeeze_rig_make(&job, arena) == EMBER_OK;
}

bool clip_set_make(clip_set *out, const ember_model *model, const char *name, set_form form,
                   ember_arena *arena)
{
    set_clip *clips = EMBER_PUSH(arena, set_clip, model->clip_count);
    *out = (clip_set){.name = name,
                      .clips = clips,
                      .clip_count = model->clip_count,
                      .rig = {.bone_count = model->skeleton.bone_count}};
    if (clips == NULL)
        return set_fail(name, "out of memory");
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (!set_clip_make(&clips[i], model, &model->clips[i], form, arena))
            return false;
    return set_rig_make(out, model->skeleton.parents, form == SET_MODEL, arena) || set_fail(name, "no rig");
}

/* ---- the corpus ---- */

static bool set_read(ember_model *out, const char *folder, const char *file, ember_arena *arena)
{
    char         path[1024];
    ember_error  err = EMBER_ERROR_INIT;
    ember_buffer bytes = {.allocator = ember_heap()};
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    ember_read_options options = {.path = path};
    bool               done = ember_file_read(&bytes, path, 0, &err) == EMBER_OK &&
                ember_model_read(out, bytes.data, bytes.size, &options, arena, &err) == EMBER_OK;
    ember_buffer_free(&bytes);
    return done || set_fail(path, err.text);
}

/* Several files of one skeleton; their clips at 30 frames a second. */
static bool set_read_all(ember_model *out, const char *folder, const char *const *files, ember_arena *arena)
{
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, 128);
    uint32_t    count = 0;
    for (; *files != NULL; files++) {
        ember_model model;
        if (clips == NULL || !set_read(&model, folder, *files, arena))
            return false;
        for (uint32_t i = 0; i < model.clip_count && count < 128; i++) {
            clips[count] = model.clips[i];
            if (model.clips[i].fps != RATE &&
                ember_clip_resample(&clips[count], &model.clips[i], RATE, arena) != EMBER_OK)
                return set_fail(*files, "cannot be resampled");
            count++;
        }
        *out = model;
    }
    out->clips = clips;
    out->clip_count = count;
    return true;
}

typedef struct set_source {
    const char *name;
    bool        train;
    const char *files[12];
} set_source;

static const set_source set_sources[] =
    {{"Knight", false, {"gltf/Knight.glb"}},
     {"RobotExpressive", false, {"gltf/RobotExpressive.glb"}},
     {"Fox", false, {"gltf/Fox.glb"}},
     {"CesiumMan", false, {"gltf/CesiumMan.glb"}},
     {"CMU", false, {"bvh/cmu_02_01.bvh", "bvh/cmu_05_02.bvh", "bvh/cmu_35_01.bvh", "bvh/cmu_49_02.bvh"}},
     {"Med", true, {"train/Med_CombatMelee.glb", "train/Med_General.glb", "train/Med_MovementAdvanced.glb"}},
     {"CMU2",
      true,
      {"train/cmu_05_10.bvh", "train/cmu_09_01.bvh", "train/cmu_102_03.bvh", "train/cmu_118_20.bvh",
       "train/cmu_141_14.bvh", "train/cmu_143_04.bvh", "train/cmu_16_11.bvh", "train/cmu_85_02.bvh",
       "train/cmu_88_01.bvh", "train/cmu_90_02.bvh"}}};

int model_sets_corpus(model_set *out, int capacity, bool train, ember_arena *arena)
{
    const char *folder = getenv("EMBER_CORPUS");
    int         count = 0;
    if (folder == NULL || folder[0] == '\0')
        return 0;
    for (size_t i = 0; i < sizeof(set_sources) / sizeof(set_sources[0]) && count < capacity; i++) {
        const set_source *source = &set_sources[i];
        if (source->train && !train)
            continue;
        out[count] = (model_set){.name = source->name, .train = source->train};
        if (!set_read_all(&out[count].model, folder, source->files, arena))
            return -1;
        count++;
    }
    return count;
}

int clip_sets_corpus(clip_set *out, int capacity, set_form form, ember_arena *arena)
{
    model_set models[8];
    const int count = model_sets_corpus(models, capacity < 8 ? capacity : 8, false, arena);
    for (int i = 0; i < count; i++)
        if (!clip_set_make(&out[i], &models[i].model, models[i].name, form, arena))
            return -1;
    return count;
}
