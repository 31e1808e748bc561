/* SPDX-License-Identifier: MIT */
/* The notes that all writers share: what a format does not store of a model, and numbers that
   are not finite. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/maths.h"
#include "format/ops.h"

/* ---- losses ---- */

typedef struct losses {
    char text[11][72];
    int  count;
    bool plural; /* of the last one */
} losses;

static void losses_add(losses *list, bool plural, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void losses_add(losses *list, bool plural, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(list->text[list->count++], sizeof(list->text[0]), format, arguments);
    va_end(arguments);
    list->plural = plural;
}

static unsigned losses_named_bones(const ember_model *model, const ember_clip *clip)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < clip->bone_count; i++)
        count += emberi_bone_is_named(&model->skeleton, ember_clip_bone(clip, i)) ? 1u : 0u;
    return count;
}

static bool losses_has_parents(const ember_skeleton *skeleton)
{
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        if (skeleton->parents[i] >= 0)
            return true;
    return false;
}

static bool losses_has_rest(const ember_skeleton *skeleton)
{
    for (uint32_t i = 0; skeleton->rest != NULL && i < skeleton->bone_count; i++)
        if (memcmp(&skeleton->rest[i], &ember_transform_identity, sizeof(ember_transform_identity)) != 0)
            return true;
    return false;
}

static void losses_of_skeleton(losses *list, const ember_model *model, const ember_clip *clip,
                               ember_format_stores stored)
{
    const ember_skeleton *skeleton = &model->skeleton;
    unsigned              named = stored.names ? 0 : losses_named_bones(model, clip);
    if (named != 0)
        losses_add(list, named != 1, named == 1 ? "the name of %u bone" : "names of %u bones", named);
    if (!stored.parents && losses_has_parents(skeleton))
        losses_add(list, false, "the hierarchy");
    if (!stored.rest && losses_has_rest(skeleton))
        losses_add(list, false, "the rest pose");
    if (clip == model->clips && !stored.inverse_binds && skeleton->inverse_binds != NULL)
        losses_add(list, true, "the inverse binds");
    if (clip == model->clips && !stored.meshes && model->mesh_count != 0)
        losses_add(list, model->mesh_count != 1, model->mesh_count == 1 ? "%u mesh" : "%u meshes",
                   (unsigned)model->mesh_count);
    if (!stored.bones && (clip->bones != NULL || clip->bone_count < skeleton->bone_count))
        losses_add(list, false, "which of the skeleton's %u bones its %u are", (unsigned)skeleton->bone_count,
                   (unsigned)clip->bone_count);
}

static void losses_of_clip(losses *list, const ember_clip *clip, ember_format_stores stored)
{
    if (!stored.markers && clip->marker_count != 0)
        losses_add(list, clip->marker_count != 1, clip->marker_count == 1 ? "%u marker" : "%u markers",
                   (unsigned)clip->marker_count);
    if (!stored.rate && clip->fps > 0.0)
        losses_add(list, false, "the rate");
    if (!stored.loop && clip->loop)
        losses_add(list, false, "the loop flag");
    if (!stored.space && clip->space == EMBER_SPACE_LOCAL)
        losses_add(list, false, "that it is in local space");
    if (!stored.raw && clip->raw.format != EMBER_FORMAT_UNKNOWN) {
        const ember_format_info *source = ember_format_get(clip->raw.format);
        losses_add(list, true, "the values as %s has them", source != NULL ? source->name : "the source");
    }
}

void emberi_note_losses(const ember_notes *notes, const ember_model *model, const ember_clip *clip,
                        ember_format_stores stored)
{
    losses list = {.count = 0};
    char   text[sizeof(list.text)];
    size_t used = 0;
    losses_of_skeleton(&list, model, clip, stored);
    losses_of_clip(&list, clip, stored);
    if (list.count == 0)
        return;
    for (int i = 0; i < list.count; i++) {
        const char *before = i == 0 ? "" : i == list.count - 1 ? " and " : ", ";
        int         size = snprintf(text + used, sizeof(text) - used, "%s%s", before, list.text[i]);
        used += size > 0 ? (size_t)size : 0;
        if (used >= sizeof(text))
            used = sizeof(text) - 1;
    }
    emberi_notef(notes, EMBER_NOTE_LOSS, clip->name, NULL, "%s %s not stored", text,
                 list.count > 1 || list.plural ? "are" : "is");
}

void emberi_note_losses_without_clips(const ember_notes *notes, const ember_model *model,
                                      ember_format_stores stored)
{
    const ember_clip none = {.bone_count = model->skeleton.bone_count};
    ember_model      bare = *model;
    bare.clips = &none;
    emberi_note_losses(notes, &bare, &none, stored);
}

/* ---- odd numbers ---- */

void emberi_note_not_finite(const ember_notes *notes, const ember_skeleton *skeleton, const ember_clip *clip)
{
    size_t count = 0, first = 0, total = (size_t)clip->frame_count * clip->bone_count;
    if (notes->take == NULL)
        return;
    for (size_t i = 0; i < total; i++) {
        float values[10];
        memcpy(values, &clip->frames[i], sizeof(values));
        for (int k = 0; k < 10; k++) {
            if (emberi_is_finite(values[k]))
                continue;
            if (count++ == 0)
                first = i;
        }
    }
    if (count == 0)
        return;
    uint32_t bone = ember_clip_bone(clip, (uint32_t)(first % clip->bone_count));
    emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL,
                 "%zu %s not finite, first in bone %s of frame %zu", count,
                 count == 1 ? "number is" : "numbers are", emberi_quote_bone(skeleton, bone).text,
                 first / clip->bone_count);
}
