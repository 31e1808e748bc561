/* SPDX-License-Identifier: MIT */
/* Matching bones by name, and the part of a skeleton that a clip has. Local transforms go over as they are,
   so a bone's parent should be the same in both files; where it is not, that is said. */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "ember/pose.h"
#include "model/names.h"
#include "model/note.h"

/* ---- a part of a skeleton ---- */

bool ember_skeleton_is_known(const ember_skeleton *skeleton)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        if (skeleton->parents[i] >= 0 || emberi_bone_is_named(skeleton, i))
            return true;
    return skeleton->rest != NULL;
}

ember_status ember_skeleton_of_clip(ember_skeleton *out, int32_t *orphan, const ember_skeleton *skeleton,
                                    const ember_clip *clip, ember_arena *arena)
{
    int32_t none;
    if (orphan == NULL)
        orphan = &none;
    *orphan = -1;
    *out = *skeleton;
    if (clip->bones == NULL && clip->bone_count == skeleton->bone_count)
        return EMBER_OK;
    int16_t         *parents = EMBER_PUSH(arena, int16_t, clip->bone_count);
    const char     **names = EMBER_PUSH(arena, const char *, clip->bone_count);
    ember_transform *rest = EMBER_PUSH(arena, ember_transform, clip->bone_count);
    /* the clip's bone plus one, of those that came before */
    uint32_t        *slots = EMBER_PUSH(arena, uint32_t, skeleton->bone_count);
    if (parents == NULL || names == NULL || rest == NULL || slots == NULL)
        return EMBER_E_NOMEM;
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t bone = ember_clip_bone(clip, i);
        int16_t  parent = skeleton->parents[bone];
        names[i] = ember_skeleton_name(skeleton, bone);
        if (skeleton->rest != NULL)
            rest[i] = skeleton->rest[bone];
        parents[i] = parent >= 0 && slots[parent] != 0 ? (int16_t)(slots[parent] - 1) : EMBER_NO_PARENT;
        if (parent >= 0 && parents[i] == EMBER_NO_PARENT && *orphan < 0)
            *orphan = (int32_t)bone;
        slots[bone] = i + 1;
    }
    *out = (ember_skeleton){clip->bone_count, parents, skeleton->names != NULL ? names : NULL,
                            skeleton->rest != NULL ? rest : NULL, NULL};
    return EMBER_OK;
}

/* ---- clips on other bones ---- */

enum { MATCH_MISSING = -1, MATCH_SEVERAL = -2 };

#define MATCH_LISTED 12

/* "a, b, c and 4 more" of the bones without a match. */
static void match_list(char *out, size_t size, const ember_skeleton *bones, const int32_t *map, int32_t kind)
{
    size_t   used = 0;
    uint32_t count = 0, listed = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < bones->bone_count; i++) {
        const char *name = ember_skeleton_name(bones, i);
        const char *text = name != NULL ? name : "a bone without a name";
        if (map[i] != kind)
            continue;
        count++;
        size_t need = strlen(text) + (listed != 0 ? 2 : 0);
        if (count - 1 != listed || listed == MATCH_LISTED || need >= size - used - sizeof(" and 32767 more"))
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s%s", listed != 0 ? ", " : "", text);
        listed++;
    }
    if (count > listed)
        (void)snprintf(out + used, size - used, "%s%u more", listed != 0 ? " and " : "",
                       (unsigned)(count - listed));
}

/* map[i]: the skeleton's bone of the model's bone i, or why there is none. */
static ember_status match_map(int32_t *map, const ember_skeleton *bones, const ember_skeleton *skeleton,
                              ember_error *err)
{
    bool missing = false, several = false;
    for (uint32_t i = 0; i < bones->bone_count; i++) {
        const char *name = ember_skeleton_name(bones, i);
        map[i] = name != NULL ? ember_skeleton_find(skeleton, name) : MATCH_MISSING;
        if (name != NULL && ember_skeleton_find(bones, name) == MATCH_SEVERAL)
            map[i] = MATCH_SEVERAL;
        missing = missing || map[i] == MATCH_MISSING;
        several = several || map[i] == MATCH_SEVERAL;
    }
    if (!missing && !several)
        return EMBER_OK;
    char list[160];
    match_list(list, sizeof(list), bones, map, several ? MATCH_SEVERAL : MATCH_MISSING);
    return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                        several ? "bones cannot be matched, these names are there twice: %s"
                                : "bones cannot be matched, the skeleton has none called: %s",
                        list);
}

static void match_note(const ember_notes *notes, const int32_t *map, const ember_skeleton *bones,
                       const ember_skeleton *skeleton)
{
    for (uint32_t i = 0; i < bones->bone_count; i++) {
        int32_t     parent = bones->parents[i], other = skeleton->parents[map[i]];
        const char *name = ember_skeleton_name(bones, i);
        emberi_notef(notes, EMBER_NOTE_DETAIL, NULL, name, "bone %u is the skeleton's %d", (unsigned)i,
                     (int)map[i]);
        if ((parent < 0) != (other < 0) || (parent >= 0 && map[parent] != other))
            emberi_notef(notes, EMBER_NOTE_WARNING, NULL, name,
                         "hangs on another bone in the skeleton, where it will move otherwise");
    }
}

/* Frames of all of the skeleton's bones; NULL if there is no memory. */
static ember_transform *match_frames(const ember_clip *clip, const int32_t *map,
                                     const ember_skeleton *skeleton, ember_arena *arena)
{
    ember_transform *frames =
        EMBER_PUSH(arena, ember_transform, (size_t)clip->frame_count * skeleton->bone_count);
    for (uint32_t f = 0; frames != NULL && f < clip->frame_count; f++) {
        ember_transform *pose = frames + (size_t)f * skeleton->bone_count;
        for (uint32_t i = 0; i < skeleton->bone_count; i++)
            pose[i] = skeleton->rest != NULL ? skeleton->rest[i] : ember_transform_identity;
        for (uint32_t i = 0; i < clip->bone_count; i++)
            pose[map[ember_clip_bone(clip, i)]] = clip->frames[(size_t)f * clip->bone_count + i];
    }
    return frames;
}

ember_status ember_model_match(ember_model *out, const ember_model *model, const ember_skeleton *skeleton,
                               const ember_notes *notes, ember_arena *arena, ember_error *err)
{
    int32_t    *map = EMBER_PUSH(arena, int32_t, model->skeleton.bone_count);
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, model->clip_count);
    if (map == NULL || clips == NULL)
        return emberi_fail_memory(err);
    ember_status status = match_map(map, &model->skeleton, skeleton, err);
    if (status != EMBER_OK)
        return status;
    match_note(notes, map, &model->skeleton, skeleton);
    for (uint32_t c = 0; c < model->clip_count; c++) {
        clips[c] = model->clips[c];
        clips[c].frames = match_frames(&model->clips[c], map, skeleton, arena);
        if (clips[c].frames == NULL)
            return emberi_fail_memory(err);
        clips[c].bone_count = skeleton->bone_count;
        clips[c].bones = NULL;
        clips[c].raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN, .data = NULL};
    }
    *out = *model;
    out->skeleton = *skeleton;
    out->clips = clips;
    return EMBER_OK;
}
