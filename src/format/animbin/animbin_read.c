/* SPDX-License-Identifier: MIT */
/* ANIMBIN into the model: bones by joint id, every frame sampled from the keys, the keys themselves kept
   as the raw part. What is odd but has a meaning is told as a warning; docs/formats/animbin.md lists
   what is which. */
#include <math.h>
#include <string.h>

#include "format/animbin/animbin_parts.h"
#include "model/skeleton.h"

emberi_likeness emberi_animbin_sniff(const uint8_t *data, size_t size)
{
    size_t magic_size = sizeof(EMBERI_ANIMBIN_MAGIC) - 1;
    if (size >= magic_size && memcmp(data, EMBERI_ANIMBIN_MAGIC, magic_size) == 0)
        return EMBERI_CERTAIN;
    return EMBERI_UNLIKE;
}

/* ---- the skeleton ---- */

static const char *plural(uint32_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static uint32_t read_joint_count(const emberi_animbin_file *file)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < file->animation_count; a++)
        for (uint32_t t = 0; t < file->animations[a].raw.track_count; t++)
            if (file->animations[a].raw.tracks[t].joint >= count)
                count = file->animations[a].raw.tracks[t].joint + 1u;
    return count;
}

ember_status emberi_animbin_check_joints(const emberi_animbin_file *file, const emberi_source *source)
{
    const ember_skeleton *given = source->options->skeleton;
    uint32_t              joints = read_joint_count(file);
    if (given == NULL || joints <= given->bone_count)
        return EMBER_OK;
    return emberi_failf(source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                        "there is a track for joint %u, but the skeleton has %u %s", (unsigned)(joints - 1),
                        (unsigned)given->bone_count, plural(given->bone_count, "bone", "bones"));
}

static ember_status read_skeleton(ember_skeleton *out, const emberi_animbin_file *file,
                                  const emberi_source *source)
{
    const ember_skeleton *given = source->options->skeleton;
    uint32_t              joints = read_joint_count(file);
    ember_status          status = emberi_animbin_check_joints(file, source);
    if (status != EMBER_OK)
        return status;
    return emberi_skeleton_copy(out, given, joints, source->arena) ? EMBER_OK
                                                                   : emberi_fail_memory(source->err);
}

/* ---- how much it becomes ---- */

/* A key that is held costs a file nothing, so that its frames are most of what it takes: said in their words,
   and before anything is made. */
static ember_status read_check_frames(const emberi_animbin_file *file, uint32_t bone_count,
                                      const emberi_source *source)
{
    uint64_t frames = 0, limit = emberi_source_limit(source);
    for (uint32_t i = 0; i < file->animation_count; i++)
        frames += file->animations[i].raw.length;
    uint64_t size = frames * bone_count * sizeof(ember_transform);
    if (size <= limit)
        return EMBER_OK;
    return emberi_failf(
        source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
        "%llu frames of %u %s take %llu MiB, more than the limit of %llu MiB for a file of %zu bytes",
        (unsigned long long)frames, (unsigned)bone_count, plural(bone_count, "bone", "bones"),
        (unsigned long long)((size + 0xfffff) >> 20), (unsigned long long)(limit >> 20), source->size);
}

/* ---- what is odd ---- */

typedef struct oddities {
    uint32_t late_keys, strange_keys, empty_tracks, twice, not_unit;
    uint32_t first_late, first_twice;
    double   length_low, length_high;
} oddities;

static void oddities_of_key(oddities *odd, const emberi_animbin_raw *raw, const emberi_animbin_track *track,
                            const emberi_animbin_key *key)
{
    if (key->frame >= raw->length && odd->late_keys++ == 0)
        odd->first_late = key->frame;
    odd->strange_keys += key->type != track->type ? 1u : 0u;
    if (key->type != EMBERI_ANIMBIN_ROTATION)
        return;
    int64_t squared = emberi_animbin_length_squared(key);
    if (!emberi_animbin_is_unit(squared)) {
        double length = sqrt((double)squared);
        odd->length_low = odd->not_unit == 0 || length < odd->length_low ? length : odd->length_low;
        odd->length_high = odd->not_unit == 0 || length > odd->length_high ? length : odd->length_high;
        odd->not_unit++;
    }
}

static oddities oddities_of(const emberi_animbin_raw *raw)
{
    oddities odd = {.late_keys = 0};
    bool     seen[EMBERI_ANIMBIN_MAX_JOINTS][EMBERI_ANIMBIN_TYPES] = {{false}};
    for (uint32_t t = 0; t < raw->track_count; t++) {
        const emberi_animbin_track *track = &raw->tracks[t];
        if (seen[track->joint][track->type] && odd.twice++ == 0)
            odd.first_twice = track->joint;
        seen[track->joint][track->type] = true;
        odd.empty_tracks += track->key_count == 0 ? 1u : 0u;
        for (uint32_t k = 0; k < track->key_count; k++)
            oddities_of_key(&odd, raw, track, &track->keys[k]);
    }
    return odd;
}

static void read_warn(const emberi_animbin_animation *animation, const ember_notes *notes)
{
    const char *name = animation->name;
    oddities    odd = oddities_of(&animation->raw);
    if (animation->name_open)
        emberi_notef(notes, EMBER_NOTE_WARNING, name, NULL,
                     "the name fills all 32 bytes: without its terminator the player reads on");
    if (odd.strange_keys != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, name, NULL,
                     "%u %s not of the type of %s track; taken for what %s", odd.strange_keys,
                     plural(odd.strange_keys, "key is", "keys are"), plural(odd.strange_keys, "its", "their"),
                     plural(odd.strange_keys, "it says", "they say"));
    if (odd.late_keys != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, name, NULL,
                     "%u %s beyond the length of %u, first on frame %u", odd.late_keys,
                     plural(odd.late_keys, "key is", "keys are"), (unsigned)animation->raw.length,
                     odd.first_late);
    if (odd.twice != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, name, NULL,
                     "%u %s for what another already moves, first of joint %u; the last counts", odd.twice,
                     plural(odd.twice, "track is", "tracks are"), odd.first_twice);
    if (odd.empty_tracks != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, name, NULL, "%u %s no keys", odd.empty_tracks,
                     plural(odd.empty_tracks, "track has", "tracks have"));
    if (odd.not_unit != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, name, NULL,
                     "%u %s not unit, of length %.0f to %.0f instead of 4096; normalised", odd.not_unit,
                     plural(odd.not_unit, "rotation is", "rotations are"), odd.length_low, odd.length_high);
}

/* A marker behind the end has no frame in the model: it goes to the last one. However many there are, they
   are one line. */
static void read_markers(ember_clip *clip, emberi_animbin_animation *animation, const ember_notes *notes)
{
    ember_marker first_late = {"", 0};
    const char  *first_open = "";
    uint32_t     late = 0, open = 0;
    for (uint32_t i = 0; i < animation->marker_count; i++) {
        ember_marker *marker = &animation->markers[i];
        if (animation->markers_open[i] && open++ == 0)
            first_open = marker->name;
        if (marker->frame < clip->frame_count)
            continue;
        if (late++ == 0)
            first_late = *marker;
        marker->frame = clip->frame_count - 1;
    }
    clip->marker_count = animation->marker_count;
    clip->markers = animation->markers;
    if (open != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "%u %s all 32 bytes, first %s: without its terminator the player reads on",
                     (unsigned)open, plural(open, "marker's name fills", "markers' names fill"),
                     emberi_quote(first_open).text);
    if (late != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "%u %s beyond the length of %u, first %s on frame %u; moved to the last frame",
                     (unsigned)late, plural(late, "marker is", "markers are"), (unsigned)clip->frame_count,
                     emberi_quote(first_late.name).text, (unsigned)first_late.frame);
}

/* ---- the clips ---- */

static bool read_clip(ember_clip *clip, emberi_animbin_animation *animation, const ember_skeleton *skeleton,
                      const emberi_animbin_view *view, const emberi_source *source)
{
    const ember_notes *notes = &source->options->notes;
    clip->name = animation->name;
    clip->fps = emberi_source_fps(source, EMBERI_ANIMBIN_FPS);
    clip->loop = (animation->raw.flags & EMBERI_ANIMBIN_LOOPED) != 0 || source->options->loop;
    clip->space = emberi_source_space(source, EMBER_SPACE_LOCAL);
    clip->bone_count = skeleton->bone_count;
    clip->frame_count = animation->raw.length;
    clip->raw = (ember_raw){.format = EMBER_FORMAT_ANIMBIN, .data = &animation->raw};
    ember_transform *frames =
        EMBER_PUSH(source->arena, ember_transform, (size_t)clip->frame_count * clip->bone_count);
    if (frames == NULL)
        return false;
    emberi_animbin_sample(frames, &animation->raw, skeleton, clip, view);
    clip->frames = frames;
    read_markers(clip, animation, notes);
    if (notes->take != NULL)
        read_warn(animation, notes);
    return true;
}

ember_status emberi_animbin_read(ember_model *out, const emberi_source *source)
{
    emberi_animbin_file file = {.animation_count = 0};
    emberi_animbin_view view;
    ember_status status = emberi_animbin_view_of(&view, source->options->animbin, source->options->skeleton,
                                                 source->arena, source->err);
    if (status == EMBER_OK)
        status = emberi_animbin_parse(&file, source);
    if (status == EMBER_OK)
        status = read_skeleton(&out->skeleton, &file, source);
    if (status == EMBER_OK)
        status = read_check_frames(&file, out->skeleton.bone_count, source);
    if (status != EMBER_OK)
        return status;
    if (source->options->scale > 0.0)
        view.unit /= source->options->scale;
    ember_clip *clips = EMBER_PUSH(source->arena, ember_clip, file.animation_count);
    if (clips == NULL)
        return emberi_fail_memory(source->err);
    for (uint32_t i = 0; i < file.animation_count; i++)
        if (!read_clip(&clips[i], &file.animations[i], &out->skeleton, &view, source))
            return emberi_fail_memory(source->err);
    out->clips = clips;
    out->clip_count = file.animation_count;
    return EMBER_OK;
}
