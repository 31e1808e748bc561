/* SPDX-License-Identifier: MIT */
/* Matching bones by name. Local transforms go over as they are, so a bone's parent should be the same in both
   files; where it is not, that is said. */
#include "match.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

#define MATCH_LISTED 12

/* "a, b, c and 4 more" of the bones without a match. Free it. */
static char *match_list(const ember_skeleton *bones, const int32_t *map, int32_t kind)
{
    char    *list = text_make("%s", "");
    uint32_t count = 0;
    for (uint32_t i = 0; i < bones->bone_count; i++) {
        if (map[i] != kind)
            continue;
        if (count++ < MATCH_LISTED) {
            const char *name = ember_skeleton_name(bones, i);
            char       *longer = text_make("%s%s%s", list, count > 1 ? ", " : "",
                                     name != NULL ? name : "a bone without a name");
            free(list);
            list = longer;
        }
    }
    if (count > MATCH_LISTED) {
        char *longer = text_make("%s and %u more", list, (unsigned)(count - MATCH_LISTED));
        free(list);
        list = longer;
    }
    return list;
}

/* map[i]: the skeleton's bone of the model's bone i; -1 if there is none, -2 if its name is there twice. */
static bool match_map(int32_t *map, const ember_model *model, const ember_skeleton *skeleton,
                      const char *file, app_say *say)
{
    bool missing = false, several = false;
    for (uint32_t i = 0; i < model->skeleton.bone_count; i++) {
        const char *name = ember_skeleton_name(&model->skeleton, i);
        map[i] = name != NULL ? ember_skeleton_find(skeleton, name) : -1;
        if (name != NULL && ember_skeleton_find(&model->skeleton, name) == -2)
            map[i] = -2;
        missing = missing || map[i] == -1;
        several = several || map[i] == -2;
    }
    if (!missing && !several)
        return true;
    char *list = match_list(&model->skeleton, map, several ? -2 : -1);
    say_error(say, (place){file, NULL, NULL},
              several ? "bones cannot be matched, these names are there twice: %s"
                      : "bones cannot be matched, the skeleton has none called: %s",
              list);
    free(list);
    return false;
}

static void match_say(const int32_t *map, const ember_model *model, const ember_skeleton *skeleton,
                      const char *file, app_say *say)
{
    for (uint32_t i = 0; i < model->skeleton.bone_count; i++) {
        int32_t     parent = model->skeleton.parents[i], other = skeleton->parents[map[i]];
        const char *name = ember_skeleton_name(&model->skeleton, i);
        say_detail(say, (place){file, NULL, name}, "bone %u is the skeleton's %d", (unsigned)i, (int)map[i]);
        if ((parent < 0) != (other < 0) || (parent >= 0 && map[parent] != other))
            say_warning(say, (place){file, NULL, name},
                        "hangs on another bone in the skeleton, where it will move otherwise");
    }
}

bool match_bones(ember_model *out, const ember_model *model, const ember_skeleton *skeleton, const char *file,
                 app_say *say, ember_arena *arena)
{
    int32_t    *map = EMBER_PUSH(arena, int32_t, model->skeleton.bone_count);
    ember_clip *clips = EMBER_PUSH(arena, ember_clip, model->clip_count);
    if (map == NULL || clips == NULL)
        return say_error(say, (place){file, NULL, NULL}, "out of memory"), false;
    if (!match_map(map, model, skeleton, file, say))
        return false;
    match_say(map, model, skeleton, file, say);

    static const ember_transform identity = EMBER_TRANSFORM_IDENTITY;
    for (uint32_t c = 0; c < model->clip_count; c++) {
        const ember_clip *clip = &model->clips[c];
        ember_transform  *frames =
            EMBER_PUSH(arena, ember_transform, (size_t)clip->frame_count * skeleton->bone_count);
        if (frames == NULL)
            return say_error(say, (place){file, clip->name, NULL}, "out of memory"), false;
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            ember_transform *pose = frames + (size_t)f * skeleton->bone_count;
            for (uint32_t i = 0; i < skeleton->bone_count; i++)
                pose[i] = skeleton->rest != NULL ? skeleton->rest[i] : identity;
            for (uint32_t i = 0; i < clip->bone_count; i++)
                pose[map[ember_clip_bone(clip, i)]] = clip->frames[(size_t)f * clip->bone_count + i];
        }
        clips[c] = *clip;
        clips[c].bone_count = skeleton->bone_count;
        clips[c].bones = NULL;
        clips[c].frames = frames;
        clips[c].raw = (ember_raw){EMBER_FORMAT_UNKNOWN, NULL};
    }
    *out = *model;
    out->skeleton = *skeleton;
    out->clips = clips;
    return true;
}
