/* SPDX-License-Identifier: MIT */
/* Clips that become lean ones: their frames go from bone to parent and stay floats until all clips of the
   skeleton are known. The frames are a reader's, which checked them. */
#include <stdlib.h>

#include "cli/text.h"
#include "codec/ewzanim.h"
#include "ember/pose.h"
#include "verbs/build/maker.h"

bool maker_is_lean(const input *in, const build_choice *choice)
{
    return in->info->stores.names && choice->error.kind != BUILD_LOSSLESS &&
           (choice->error.kind != BUILD_ERROR_UNSET || !choice->squeeze_set);
}

static bool maker_change_space(maker *m, ember_clip *clip, const ember_model *model, ember_space space)
{
    ember_space_losses losses;
    ember_error        err = EMBER_ERROR_INIT;
    if (ember_clip_to_space(clip, &losses, model, clip, space, &m->arena, &err) != EMBER_OK)
        return say_library_at(&m->say, (place){NULL, clip->name, NULL}, &err), false;
    if (losses.shear > EMBER_SHEAR_LIMIT)
        say_warning(&m->say, (place){NULL, clip->name, NULL},
                    "shear of up to %.3f is left out, at frame %u first", (double)losses.shear,
                    (unsigned)losses.shear_frame);
    return true;
}

/* The clip's frames from its bones' parents, those that the clip has. */
static bool maker_to_local(maker *m, const maker_lean *job)
{
    const ember_model *model = job->model;
    ember_clip        *clip = job->clip;
    if (!ember_skeleton_is_known(&model->skeleton) || (clip->space == EMBER_SPACE_LOCAL && job->orphan < 0))
        return true;
    if (!maker_change_space(m, clip, model, EMBER_SPACE_MODEL))
        return false;
    ember_model part = {.format = model->format, .skeleton = *job->bones, .clips = clip, .clip_count = 1};
    clip->bones = NULL;
    return maker_change_space(m, clip, &part, EMBER_SPACE_LOCAL);
}

/* The largest side of the box around the bones at rest; where that is a point, of all that the clip shows. */
static double maker_size(maker *m, const ember_model *model, const ember_clip *clip,
                         const ember_skeleton *bones)
{
    ember_mat34      *placed = EMBER_PUSH(&m->arena, ember_mat34, bones->bone_count);
    double            size = 0.0;
    ember_compose_job compose = {.out = placed,
                                 .pose = bones->rest,
                                 .parents = bones->parents,
                                 .bone_count = bones->bone_count};
    if (placed != NULL && bones->rest != NULL && ember_compose_run(&compose) == EMBER_OK)
        for (int axis = 3; axis < 12; axis += 4) {
            float low = placed[0].m[axis], high = low;
            for (uint32_t i = 1; i < bones->bone_count; i++) {
                low = placed[i].m[axis] < low ? placed[i].m[axis] : low;
                high = placed[i].m[axis] > high ? placed[i].m[axis] : high;
            }
            size = (double)(high - low) > size ? (double)(high - low) : size;
        }
    ember_compare_job all = {.a_model = model, .b_model = model, .a = clip, .b = clip};
    if (!(size > 0.0) && ember_compare_run(&all, &m->arena, NULL) == EMBER_OK)
        size = (double)all.size;
    return size > 0.0 ? size : 1.0;
}

void maker_lean_clip(maker *m, const maker_lean *job)
{
    size_t   count = (size_t)job->clip->bone_count * job->clip->frame_count;
    uint8_t *records =
        ember_arena_push(&m->arena, emberi_ewzanim_size(job->clip->bone_count, job->clip->frame_count), 1,
                         16);
    if (records == NULL) {
        say_error(&m->say, maker_nowhere, "out of memory");
        return;
    }
    if (job->clip->frame_count == 0 || job->clip->frame_count > UINT16_MAX) {
        say_error(&m->say, (place){NULL, job->clip->name, NULL}, "%u frames, 1 to %u are possible",
                  (unsigned)job->clip->frame_count, UINT16_MAX);
        return;
    }
    double size = maker_size(m, job->model, job->clip, job->bones);
    if (!maker_to_local(m, job))
        return;
    emberi_ewzanim_put(records, job->clip->bone_count, job->clip->frame_count);
    for (size_t i = 0; i < count; i++)
        (void)ember_record_encode(records + EMBERI_EWZANIM_HEADER_SIZE + i * EMBER_KEYFRAME_SIZE,
                                  EMBER_RECORD_EWZ, &ember_transform_identity);
    job->asset->data = records;
    job->asset->size = (size_t)emberi_ewzanim_size(job->clip->bone_count, job->clip->frame_count);
    char    *id = maker_part_id(m, job->choice, job->clip->name, job->index, job->model->clip_count);
    uint32_t before = m->count;
    job->asset->id = id;
    maker_add(m, *job->asset, job->clip->name, job->index);
    free(id);
    if (m->count == before)
        return;
    m->assets[before].method = EMBER_SQUEEZE_QUICK;
    build_origin *origin = &m->file->origins[m->file->origin_count - 1];
    origin->frames = text_make("frames/%u", (unsigned)before);
    origin->error = job->choice->error;
    origin->size = size;
    m->assets = must_grow(m->assets, m->count, sizeof(*m->assets));
    m->assets[m->count++] = (ember_rom_asset){.kind = EMBER_ROM_DATA,
                                              .id = origin->frames,
                                              .data = job->clip->frames,
                                              .size = count * sizeof(*job->clip->frames)};
}
