/* SPDX-License-Identifier: MIT */
/* Fewer bones for players that allow only so many: the library merges, this reports the error of each bone
   and the largest. */
#include "verbs/convert/convert_reduce.h"

#include "cli/text.h"
#include "ember/ff7.h"
#include "ember/reduce.h"

static const char *reduce_bone(const ember_skeleton *skeleton, uint32_t bone)
{
    const char *name = ember_skeleton_name(skeleton, bone);
    return name != NULL ? name : "(no name)";
}

bool convert_reduce(app_say *say, input *in, uint32_t max_bones)
{
    char                  length[TEXT_NUMBER_SIZE];
    ember_error           err = EMBER_ERROR_INIT;
    ember_reduction       report;
    ember_model           whole = in->model;
    const ember_skeleton *bones = &whole.skeleton;
    if (max_bones == 0 || bones->bone_count <= max_bones)
        return true;
    if (ember_model_reduce(&in->model, &report, &whole, max_bones, &in->arena, &err) != EMBER_OK)
        return say_library(say, in->name, &err), false;
    bool units = whole.clip_count != 0 && ember_ff7_clip_of(&whole.clips[0]) != NULL;
    for (uint32_t i = 0; i < report.merged_count; i++)
        say_detail(say, (place){in->name, NULL, reduce_bone(bones, report.merged[i].bone)},
                   "merged into %s, at most %s off", reduce_bone(bones, report.merged[i].into),
                   text_span(length, report.merged[i].error, units));
    const ember_merged_bone *worst = &report.merged[report.worst];
    say_note(say, (place){in->name, NULL, NULL},
             "%u of %u bones are merged into their parents, at most %s off, at %s in frame %u of '%s' (-v "
             "lists them)",
             (unsigned)report.merged_count, (unsigned)bones->bone_count,
             text_span(length, worst->error, units), reduce_bone(bones, worst->bone), (unsigned)worst->frame,
             whole.clip_count != 0 ? whole.clips[worst->clip].name : "");
    return true;
}
