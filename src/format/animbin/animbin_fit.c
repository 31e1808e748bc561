/* SPDX-License-Identifier: MIT */
/* Clips brought within what madnight's player holds. Nothing is taken out in silence, and nothing without
   which the animation would be another one. */
#include <string.h>

#include "format/animbin/animbin_parts.h"
#include "format/animbin/madnight.h"
#include "format/known_options.h"

typedef struct fit {
    const ember_model         *model;
    const ember_write_options *options;
    const ember_notes         *notes;
    emberi_animbin_view        view;
    ember_arena               *arena;
    ember_error               *err;
} fit;

/* ---- tracks ---- */

/* What the tracks of a clip hold, by joint. */
typedef struct joints {
    /* the track whose rotations count, the last that has any; -1: none */
    int32_t  source[EMBERI_ANIMBIN_MAX_JOINTS];
    bool     moved[EMBERI_ANIMBIN_MAX_JOINTS]; /* has translations */
    uint32_t rotation_tracks, empty_tracks;
} joints;

static void joints_find(joints *out, const emberi_animbin_raw *raw)
{
    *out = (joints){.rotation_tracks = 0};
    for (int i = 0; i < EMBERI_ANIMBIN_MAX_JOINTS; i++)
        out->source[i] = -1;
    for (uint32_t i = 0; i < raw->track_count; i++) {
        const emberi_animbin_track *track = &raw->tracks[i];
        bool                        rotates = false;
        for (uint32_t k = 0; k < track->key_count; k++) {
            rotates = rotates || track->keys[k].type == EMBERI_ANIMBIN_ROTATION;
            out->moved[track->joint] =
                out->moved[track->joint] || track->keys[k].type == EMBERI_ANIMBIN_TRANSLATION;
        }
        if (rotates)
            out->source[track->joint] = (int32_t)i;
        out->rotation_tracks += rotates ? 1u : 0u;
        out->empty_tracks += track->key_count == 0 ? 1u : 0u;
    }
}

/* Rotations are brought from keys to keys, so they need not be turned on the way. */
static const emberi_animbin_view fit_plain = {EMBERI_ANIMBIN_UNIT, false};

/* Unit, and on the side of the key before it. */
static void fit_tidy(emberi_animbin_key *key, const emberi_animbin_key *before)
{
    if (!emberi_animbin_is_unit(emberi_animbin_length_squared(key)))
        emberi_animbin_store_rotation(key, emberi_animbin_rotation(key, &fit_plain, false), &fit_plain, false,
                                      EMBER_ROUND_NEAREST);
    if (before != NULL)
        emberi_animbin_keep_sign(key, before);
}

/* What was dropped of a clip, all tracks together. */
typedef struct dropped {
    uint32_t tracks, translations, most_keys, late;
    uint32_t filled; /* tracks that got keys on every frame */
} dropped;

/* The player does not interpolate, so what lies between two keys that differ has to be keyed. */
static bool fit_has_gaps(const emberi_animbin_track *track, uint32_t length)
{
    const emberi_animbin_key *before = NULL;
    for (uint32_t k = 0; k < track->key_count; k++) {
        const emberi_animbin_key *key = &track->keys[k];
        if (key->type != EMBERI_ANIMBIN_ROTATION)
            continue;
        /* NOLINTNEXTLINE(readability-suspicious-call-argument): here `key` is the next one */
        if (before != NULL && emberi_animbin_leaves_gap(before, key, length))
            return true;
        before = key;
    }
    return false;
}

/* A key on every frame, all of them between the first and the last. False if there is no memory. */
static bool fit_fill(emberi_animbin_key *keys, const emberi_animbin_track *in, uint32_t length,
                     ember_arena *arena)
{
    ember_arena_mark mark = ember_arena_save(arena);
    ember_transform *pose = EMBER_PUSH(arena, ember_transform, length);
    if (pose == NULL)
        return false;
    emberi_animbin_sample_track(pose, 1, length, in, EMBERI_ANIMBIN_ROTATION, &fit_plain, false);
    for (uint32_t frame = 0; frame < length; frame++) {
        keys[frame].frame = (uint16_t)frame;
        emberi_animbin_store_rotation(&keys[frame], pose[frame].rotation, &fit_plain, false,
                                      EMBER_ROUND_NEAREST);
    }
    ember_arena_restore(arena, mark);
    return true;
}

/* The rotations as they are; those that are never reached are left out. Returns how many there are. */
static uint32_t fit_copy(emberi_animbin_key *keys, const emberi_animbin_track *in, uint32_t length,
                         dropped *lost)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < in->key_count; k++) {
        if (in->keys[k].type != EMBERI_ANIMBIN_ROTATION)
            continue;
        if (in->keys[k].frame < length || count == 0) {
            keys[count] = in->keys[k];
            /* The first is held from the start, so where it is does not matter. */
            if (keys[count].frame >= length)
                keys[count].frame = 0;
            count++;
        } else {
            lost->late++;
        }
    }
    return count;
}

static bool fit_track(emberi_animbin_track *out, const emberi_animbin_track *in, uint32_t length,
                      ember_arena *arena, dropped *lost)
{
    bool                gaps = fit_has_gaps(in, length);
    uint32_t            count = length > in->key_count ? length : in->key_count;
    emberi_animbin_key *keys = EMBER_PUSH(arena, emberi_animbin_key, gaps ? count : in->key_count);
    if (keys == NULL || (gaps && !fit_fill(keys, in, length, arena)))
        return false;
    count = gaps ? length : fit_copy(keys, in, length, lost);
    lost->filled += gaps ? 1u : 0u;
    if (count > lost->most_keys)
        lost->most_keys = count;
    if (count > EMBERI_MADNIGHT_KEYS) {
        for (uint32_t i = 0; i < EMBERI_MADNIGHT_KEYS; i++)
            keys[i] = keys[(i * (count - 1) + (EMBERI_MADNIGHT_KEYS - 1) / 2) / (EMBERI_MADNIGHT_KEYS - 1)];
        count = EMBERI_MADNIGHT_KEYS;
    }
    for (uint32_t i = 0; i < count; i++)
        fit_tidy(&keys[i], i > 0 ? &keys[i - 1] : NULL);
    *out = (emberi_animbin_track){EMBERI_ANIMBIN_ROTATION, in->joint, (uint16_t)count, keys};
    return true;
}

static void fit_note_tracks(const fit *f, const ember_clip *clip, const dropped *lost)
{
    if (lost->translations != 0)
        emberi_notef(f->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "translations of %u %s dropped: the player never applies them",
                     (unsigned)lost->translations, lost->translations == 1 ? "joint are" : "joints are");
    if (lost->tracks != 0)
        emberi_notef(f->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "%u %s dropped: without keys, or another counts", (unsigned)lost->tracks,
                     lost->tracks == 1 ? "track is" : "tracks are");
    if (lost->late != 0)
        emberi_notef(f->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "%u %s dropped: beyond the length of %u, never reached", (unsigned)lost->late,
                     lost->late == 1 ? "key is" : "keys are", (unsigned)clip->frame_count);
    if (lost->filled != 0)
        emberi_notef(f->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "%u %s keyed on every frame: the player does not interpolate", (unsigned)lost->filled,
                     lost->filled == 1 ? "track is" : "tracks are");
    if (lost->most_keys > EMBERI_MADNIGHT_KEYS)
        emberi_notef(f->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                     "thinned evenly from %u to %d keys a track: it plays in steps of about %.1f frames",
                     (unsigned)lost->most_keys, EMBERI_MADNIGHT_KEYS,
                     (double)lost->most_keys / EMBERI_MADNIGHT_KEYS);
}

static ember_status fit_tracks(emberi_animbin_raw *out, const fit *f, const ember_clip *clip, uint32_t index,
                               const emberi_animbin_raw *raw)
{
    joints                found;
    emberi_animbin_track *tracks = EMBER_PUSH(f->arena, emberi_animbin_track, EMBERI_MADNIGHT_BONES);
    if (tracks == NULL)
        return emberi_fail_memory(f->err);
    *out = (emberi_animbin_raw){raw->flags & EMBERI_ANIMBIN_LOOPED, raw->length, 0, tracks};
    joints_find(&found, raw);
    dropped lost = {.tracks = found.rotation_tracks + found.empty_tracks};
    for (uint32_t joint = 0; joint < EMBERI_ANIMBIN_MAX_JOINTS; joint++) {
        lost.translations += found.moved[joint] ? 1u : 0u;
        if (found.source[joint] < 0)
            continue;
        if (joint >= EMBERI_MADNIGHT_BONES)
            return emberi_fail_at(
                f->err, EMBER_E_LIMIT, emberi_place_clip_bone(&f->model->skeleton, clip, index, joint),
                "the clip turns this bone, number %u; the player's skeleton ends at number %d",
                (unsigned)joint, EMBERI_MADNIGHT_BONES - 1);
        if (!fit_track(&tracks[out->track_count++], &raw->tracks[found.source[joint]], raw->length, f->arena,
                       &lost))
            return emberi_fail_memory(f->err);
    }
    lost.tracks -= out->track_count;
    fit_note_tracks(f, clip, &lost);
    return EMBER_OK;
}

/* ---- clips ---- */

static void fit_markers(const fit *f, ember_clip *clip)
{
    if (clip->marker_count <= EMBERI_MADNIGHT_MARKERS)
        return;
    uint32_t            count = clip->marker_count - EMBERI_MADNIGHT_MARKERS;
    const ember_marker *first = &clip->markers[EMBERI_MADNIGHT_MARKERS];
    emberi_notef(f->notes, EMBER_NOTE_LOSS, clip->name, NULL,
                 "%u %s dropped, first %s on frame %u: the player holds %d", (unsigned)count,
                 count == 1 ? "marker is" : "markers are", emberi_quote(first->name).text,
                 (unsigned)first->frame, EMBERI_MADNIGHT_MARKERS);
    clip->marker_count = EMBERI_MADNIGHT_MARKERS;
}

static ember_status fit_clip(ember_clip *clip, const fit *f, uint32_t index)
{
    emberi_animbin_make_job job = {f->model, index, f->options, f->view, f->arena, f->err};
    emberi_animbin_raw      stored = {.flags = 0}, *raw = EMBER_PUSH(f->arena, emberi_animbin_raw, 1);
    if (raw == NULL)
        return emberi_fail_memory(f->err);
    ember_status status = emberi_animbin_make(&stored, &job);
    if (status == EMBER_OK)
        status = fit_tracks(raw, f, clip, index, &stored);
    if (status != EMBER_OK)
        return status;
    clip->space = EMBER_SPACE_LOCAL;
    clip->raw = (ember_raw){.format = EMBER_FORMAT_ANIMBIN, .data = raw};
    ember_transform *frames =
        EMBER_PUSH(f->arena, ember_transform, (size_t)clip->frame_count * clip->bone_count);
    if (frames == NULL)
        return emberi_fail_memory(f->err);
    emberi_animbin_sample(frames, raw, &f->model->skeleton, clip, &f->view);
    clip->frames = frames;
    fit_markers(f, clip);
    if (!emberi_madnight_shows(clip->fps))
        emberi_notef(f->notes, EMBER_NOTE_WARNING, clip->name, NULL,
                     "%g frames a second will play at 60 or 50: the player shows one each vertical blank",
                     clip->fps);
    return EMBER_OK;
}

static ember_status fit_all(ember_model *out, fit *f)
{
    if (f->model->clip_count > EMBERI_MADNIGHT_CLIPS)
        return emberi_failf(f->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "%u clips, the player holds %d; choose which", (unsigned)f->model->clip_count,
                            EMBERI_MADNIGHT_CLIPS);
    ember_clip *clips = EMBER_PUSH(f->arena, ember_clip, f->model->clip_count);
    if (clips == NULL)
        return emberi_fail_memory(f->err);
    *out = *f->model;
    out->clips = clips;
    for (uint32_t i = 0; i < f->model->clip_count; i++) {
        clips[i] = f->model->clips[i];
        ember_status status = fit_clip(&clips[i], f, i);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}

ember_status ember_animbin_fit(ember_model *out, const ember_model *model, const ember_write_options *options,
                               ember_arena *arena, ember_error *err)
{
    emberi_write_options making;
    EMBERI_TRY(emberi_write_options_take(&making, options, err));
    ember_animbin_options asked = emberi_animbin_asked(making.all.animbin);
    ember_arena_mark      mark = ember_arena_save(arena);
    fit f = {.model = model, .options = &making.all, .notes = &making.all.notes, .arena = arena, .err = err};
    ember_status status = ember_model_check(model, err);
    if (status == EMBER_OK)
        status = emberi_animbin_view_of(&f.view, making.all.animbin, &model->skeleton, arena, err);
    /* Sparse keys play as steps, so whatever was asked, keys come from every frame; those that
       were read stay. */
    if (asked.keys == EMBER_ANIMBIN_KEYS_SPARSE)
        asked.keys = EMBER_ANIMBIN_KEYS_DENSE;
    making.all.animbin = &asked;
    if (status == EMBER_OK)
        status = fit_all(out, &f);
    if (status != EMBER_OK) {
        memset(out, 0, sizeof(*out));
        ember_arena_restore(arena, mark);
    }
    return status;
}
