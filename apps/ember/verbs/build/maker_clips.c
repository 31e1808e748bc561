/* SPDX-License-Identifier: MIT */
/* Clips of a model as keyframes of a ROM, at the rate and in the space that ember.json wants. Clips that lack
   a bone's parent are refused where they need it. */
#include <stdlib.h>

#include "files/deliver.h"
#include "verbs/build/maker.h"

/* The skeleton of just the clip's bones; false where a local clip would lose a parent. orphan: the first bone
   whose parent the clip does not have, or -1. */
static bool maker_clip_bones(maker *m, ember_skeleton *out, int32_t *orphan, const ember_skeleton *whole,
                             const ember_clip *clip, ember_space space)
{
    if (ember_skeleton_of_clip(out, orphan, whole, clip, &m->arena) != EMBER_OK)
        return say_error(&m->say, maker_nowhere, "out of memory"), false;
    if (*orphan < 0 || space != EMBER_SPACE_LOCAL)
        return true;
    say_error(&m->say, (place){NULL, clip->name, ember_skeleton_name(whole, (uint32_t)*orphan)},
              "the clip does not have the bone's parent, which a clip in local space needs");
    return false;
}

/* Frames at the wanted rate; files of curves were sampled at it already, and keyframe files keep theirs
   unless ember.json says otherwise. */
static bool maker_resample(maker *m, ember_clip *clip, const input *in, const build_choice *choice)
{
    bool kept = in->info->curves || choice->rate == EMBER_FPS_SOURCE ||
                (in->info->record_offset != 0 && !choice->rate_set);
    if (kept)
        return true;
    ember_clip  source = *clip;
    ember_error err = EMBER_ERROR_INIT;
    double      rate = choice->rate > 0.0 ? choice->rate : EMBER_DEFAULT_FPS;
    if (input_resample(clip, in, &source, rate, &m->arena, &err) == EMBER_OK)
        return true;
    say_library_at(&m->say, (place){NULL, source.name, NULL}, &err);
    return false;
}

static void maker_clip(maker *m, const input *in, uint32_t index, const build_choice *choice)
{
    const ember_model *model = &in->model;
    ember_clip         clip = model->clips[index];
    ember_skeleton    *bones = EMBER_PUSH(&m->arena, ember_skeleton, 1);
    place              where = {NULL, clip.name, NULL};
    clip.loop = choice->loop >= 0 ? choice->loop != 0 : clip.loop;
    if (!maker_resample(m, &clip, in, choice) || bones == NULL)
        return;
    ember_space space = choice->space == EMBER_SPACE_LOCAL ? EMBER_SPACE_LOCAL : EMBER_SPACE_MODEL;
    bool        known = ember_skeleton_is_known(&model->skeleton);
    if (!known && space == EMBER_SPACE_LOCAL) {
        say_error(&m->say, where,
                  "in local space a clip needs its bones' parents: name a file that has them as \"skeleton\" "
                  "in ember.json");
        return;
    }
    m->local = m->local || space == EMBER_SPACE_LOCAL;
    int32_t orphan;
    if (!maker_clip_bones(m, bones, &orphan, &model->skeleton, &clip, space))
        return;
    ember_model     only = {.format = model->format,
                            .skeleton = model->skeleton,
                            .clip_count = 1,
                            .clips = &clip};
    ember_rom_asset asset = {.kind = EMBER_ROM_KEYFRAMES, .space = space, .fps = clip.fps, .loop = clip.loop};
    asset.skeleton = known ? bones : NULL;
    asset.marker_count = clip.marker_count;
    asset.markers = clip.markers;
    if (maker_is_lean(in, choice)) {
        maker_lean job = {model, &clip, &asset, bones, orphan, choice, index};
        maker_lean_clip(m, &job);
        return;
    }
    if (!maker_write(m, &asset, &only, choice->fit, clip.name))
        return;
    asset.method = choice->squeeze >= 0         ? (ember_squeeze_method)choice->squeeze
                   : space == EMBER_SPACE_LOCAL ? EMBER_SQUEEZE_QUICK
                                                : EMBER_SQUEEZE_SMALL;
    char *id = maker_part_id(m, choice, clip.name, index, model->clip_count);
    asset.id = id;
    maker_add(m, asset, clip.name, index);
    free(id);
}

void maker_clips(maker *m, const input *in)
{
    const json_t *parts = json_object_get(m->file->options, "clips");
    bool         *seen = must_alloc(json_array_size(parts) + json_object_size(parts), sizeof(*seen));
    uint32_t      slots = 0;
    for (uint32_t i = 0; i < in->model.clip_count && !m->file->choice.no_clips; i++) {
        const char  *name = in->model.clips[i].name;
        build_choice choice = build_choice_of_part(&m->file->choice, parts, name, i, seen);
        if (choice.skip)
            continue;
        if (deliver_is_slot(&in->model.clips[i],
                            ember_format_get(ember_rom_kind_format(EMBER_ROM_KEYFRAMES)))) {
            slots++;
            continue;
        }
        const input *own = maker_read(m, choice.rate, choice.loop == 1);
        if (own != NULL && i < own->model.clip_count)
            maker_clip(m, own, i, &choice);
    }
    if (slots != 0)
        say_note(&m->say, maker_nowhere, "%u empty %s left out", (unsigned)slots,
                 slots == 1 ? "slot is" : "slots are");
    maker_check_seen(m, "clip", parts, seen);
    free(seen);
}
