/* SPDX-License-Identifier: MIT */
/* What madnight's player makes of ANIMBIN clips: limits that it does not check, so that one key too many
   corrupts its memory, and places where it plays something else than the file says. Each rule has a code that
   stays its own. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/animbin/animbin_parts.h"
#include "format/animbin/madnight.h"
#include "format/known_options.h"

typedef struct rule {
    const char    *code;
    ember_severity severity;
} rule;

static const rule many_clips = {"MAD002", EMBER_SEVERITY_ERROR};
static const rule many_tracks = {"MAD003", EMBER_SEVERITY_ERROR};
static const rule many_keys = {"MAD004", EMBER_SEVERITY_ERROR};
static const rule many_markers = {"MAD005", EMBER_SEVERITY_ERROR};
static const rule far_joint = {"MAD006", EMBER_SEVERITY_ERROR};
static const rule no_keys = {"MAD007", EMBER_SEVERITY_ERROR};
static const rule open_name = {"MAD008", EMBER_SEVERITY_ERROR};
static const rule mixed_keys = {"MAD009", EMBER_SEVERITY_ERROR};
static const rule not_storable = {"MAD010", EMBER_SEVERITY_ERROR};
static const rule open_marker = {"MAD011", EMBER_SEVERITY_ERROR};
static const rule steps = {"MAD101", EMBER_SEVERITY_WARNING};
static const rule translations = {"MAD102", EMBER_SEVERITY_WARNING};
static const rule sign_flips = {"MAD103", EMBER_SEVERITY_WARNING};
static const rule not_unit = {"MAD104", EMBER_SEVERITY_WARNING};
static const rule two_tracks = {"MAD105", EMBER_SEVERITY_WARNING};
static const rule late_keys = {"MAD106", EMBER_SEVERITY_WARNING};
static const rule other_rate = {"MAD107", EMBER_SEVERITY_WARNING};
static const rule same_name = {"MAD108", EMBER_SEVERITY_WARNING};
static const rule cut_name = {"MAD109", EMBER_SEVERITY_WARNING};
static const rule other_flags = {"MAD110", EMBER_SEVERITY_WARNING};
static const rule no_clips = {"MAD111", EMBER_SEVERITY_WARNING};
static const rule late_marker = {"MAD112", EMBER_SEVERITY_WARNING};

/* One rule broken in many places of a clip is one finding, at the first of them. */
typedef struct tally {
    uint64_t count;
    int32_t  joint; /* -1: none */
    int64_t  frame; /* -1: none */
} tally;

static void tally_add(tally *t, bool broken, int32_t joint, int64_t frame)
{
    if (broken && t->count++ == 0) {
        t->joint = joint;
        t->frame = frame;
    }
}

/* A clip as it is, or will be, in a file. */
typedef struct subject {
    const char               *name;
    const emberi_animbin_raw *raw; /* NULL: it cannot be stored */
    const ember_marker       *markers;
    uint32_t                  marker_count;
    double                    fps; /* 0: none */
    bool                      name_is_long;
    const bool               *marker_is_long; /* of each marker's name; NULL: by how long they are */
    /* long names are in the file like that; else they will be cut */
    bool                      stored;
} subject;

typedef struct check {
    const ember_skeleton *skeleton; /* NULL: nothing is known of the bones */
    const subject        *clip;     /* NULL: the whole file */
    const ember_findings *findings;
} check;

static void check_say(const check *c, const rule *r, const tally *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void check_say(const check *c, const rule *r, const tally *at, const char *format, ...)
{
    char    text[256], number[24];
    va_list arguments;
    if (at->count == 0)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ember_finding finding = {r->code,   r->severity, c->clip != NULL ? c->clip->name : NULL, NULL, at->frame,
                             at->count, text};
    if (at->joint >= 0) {
        snprintf(number, sizeof(number), "joint %d", (int)at->joint);
        finding.bone = c->skeleton != NULL && (uint32_t)at->joint < c->skeleton->bone_count
                           ? ember_skeleton_name(c->skeleton, (uint32_t)at->joint)
                           : NULL;
        finding.bone = finding.bone != NULL ? finding.bone : number;
    }
    c->findings->take(c->findings->user, &finding);
}

static tally once_if(bool broken) { return (tally){broken ? 1u : 0u, -1, -1}; }

/* ---- a clip's keys ---- */

typedef struct tallies {
    tally keys, joints, empty, mixed, steps, translations, flips, unit, twice, late;
} tallies;

static bool flips(const emberi_animbin_key *a, const emberi_animbin_key *b)
{
    int64_t dot = 0;
    if (a->type != EMBERI_ANIMBIN_ROTATION || b->type != EMBERI_ANIMBIN_ROTATION)
        return false;
    for (int i = 0; i < 4; i++)
        dot += (int64_t)a->value[i] * b->value[i];
    return dot < 0;
}

bool emberi_animbin_leaves_gap(const emberi_animbin_key *key, const emberi_animbin_key *next, uint32_t length)
{
    return next->frame - key->frame > 1 && key->frame + 1u < length &&
           memcmp(key->value, next->value, sizeof(key->value)) != 0;
}

static void check_track(tallies *all, const emberi_animbin_raw *raw, const emberi_animbin_track *track)
{
    int32_t  joint = track->joint;
    uint32_t of_type[EMBERI_ANIMBIN_TYPES] = {0, 0};
    tally_add(&all->keys, track->key_count > EMBERI_MADNIGHT_KEYS, joint, -1);
    tally_add(&all->joints, track->joint >= EMBERI_MADNIGHT_BONES, joint, -1);
    tally_add(&all->empty, track->key_count == 0, joint, -1);
    for (uint32_t k = 0; k < track->key_count; k++) {
        const emberi_animbin_key *key = &track->keys[k];
        bool                      rotation = key->type == EMBERI_ANIMBIN_ROTATION;
        of_type[key->type]++;
        tally_add(&all->late, key->frame >= raw->length, joint, key->frame);
        tally_add(&all->unit, rotation && !emberi_animbin_is_unit(emberi_animbin_length_squared(key)), joint,
                  key->frame);
        if (k + 1 == track->key_count)
            continue;
        tally_add(&all->flips, flips(key, key + 1), joint, key[1].frame);
        tally_add(&all->steps, rotation && emberi_animbin_leaves_gap(key, key + 1, raw->length), joint,
                  key->frame);
    }
    tally_add(&all->mixed, of_type[0] != 0 && of_type[1] != 0, joint, -1);
    tally_add(&all->translations, of_type[EMBERI_ANIMBIN_TRANSLATION] != 0, joint, -1);
}

static void check_keys(const check *c, const emberi_animbin_raw *raw)
{
    tallies all = {.keys = {.count = 0}};
    bool    seen[EMBERI_ANIMBIN_MAX_JOINTS][EMBERI_ANIMBIN_TYPES] = {{false}};
    for (uint32_t i = 0; i < raw->track_count; i++) {
        const emberi_animbin_track *track = &raw->tracks[i];
        tally_add(&all.twice, seen[track->joint][track->type], track->joint, -1);
        seen[track->joint][track->type] = true;
        check_track(&all, raw, track);
    }
    check_say(c, &many_keys, &all.keys,
              "a track of more than %d keys: the player writes the others behind it, over what comes next",
              EMBERI_MADNIGHT_KEYS);
    check_say(c, &far_joint, &all.joints,
              "a track for joint %d, and the player's skeleton ends at %d: it writes behind it",
              (int)all.joints.joint, EMBERI_MADNIGHT_BONES - 1);
    check_say(c, &no_keys, &all.empty, "a track without keys: the player reads one before the first");
    check_say(c, &mixed_keys, &all.mixed,
              "translation and rotation keys in one track: the player takes one for the other");
    check_say(c, &steps, &all.steps,
              "frames without a key: the player does not interpolate but steps from key to key");
    check_say(c, &translations, &all.translations,
              "translations: the player reads them and never applies them");
    check_say(c, &sign_flips, &all.flips,
              "the rotation changes its sign: the player does not go the short way round");
    check_say(c, &not_unit, &all.unit,
              "the rotation is not unit: the player normalises it, with less precision");
    check_say(c, &two_tracks, &all.twice,
              "a second track for what another already moves: the last one counts");
    check_say(c, &late_keys, &all.late, "a key beyond the length of %u frames is never reached",
              (unsigned)raw->length);
}

/* ---- a clip ---- */

static bool name_is_long(const char *name) { return strlen(name) >= EMBERI_ANIMBIN_NAME_SIZE; }

static void check_name(const check *c, bool taken)
{
    const subject *clip = c->clip;
    tally          open = once_if(clip->name_is_long && clip->stored),
          cut = once_if(clip->name_is_long && !clip->stored);
    tally same = once_if(taken);
    check_say(c, &open_name, &open,
              "the name fills all 32 bytes: the player reads on into the flags, and finds no such name");
    check_say(c, &cut_name, &cut, "the name of %zu bytes is cut to 31, by which the game must ask for it",
              strlen(clip->name));
    check_say(c, &same_name, &same, "another clip has the same name: the player finds the first");
}

static void check_markers(const check *c, uint32_t length)
{
    const subject *clip = c->clip;
    tally many = once_if(clip->marker_count > EMBERI_MADNIGHT_MARKERS), open = once_if(false), late = open;
    const ember_marker *first_open = NULL, *first_late = NULL;
    for (uint32_t i = 0; i < clip->marker_count; i++) {
        const ember_marker *marker = &clip->markers[i];
        bool                is_late = length != 0 && marker->frame >= length;
        bool is_open = clip->marker_is_long != NULL ? clip->marker_is_long[i] : name_is_long(marker->name);
        first_open = first_open == NULL && is_open ? marker : first_open;
        first_late = first_late == NULL && is_late ? marker : first_late;
        tally_add(&open, is_open, -1, marker->frame);
        tally_add(&late, is_late, -1, marker->frame);
    }
    check_say(c, &many_markers, &many,
              "%u markers, the player has room for %d and writes the others behind it",
              (unsigned)clip->marker_count, EMBERI_MADNIGHT_MARKERS);
    if (first_open != NULL && clip->stored)
        check_say(c, &open_marker, &open,
                  "the name of marker %s fills all 32 bytes: the player reads on into its frame number",
                  emberi_quote(first_open->name).text);
    else if (first_open != NULL)
        check_say(c, &cut_name, &open,
                  "the name of marker %s is cut to 31 bytes, by which the game must ask for it",
                  emberi_quote(first_open->name).text);
    if (first_late != NULL)
        check_say(c, &late_marker, &late, "marker %s, beyond the length of %u, is never reached",
                  emberi_quote(first_late->name).text, (unsigned)length);
}

/* All that is to be said of a clip. `taken`: another had its name before; `why` it cannot be stored, if its
   raw part is not there. */
static void check_subject(const check *c, bool taken, const ember_error *why)
{
    const subject            *clip = c->clip;
    const emberi_animbin_raw *raw = clip->raw;
    tally                     failed = {raw == NULL ? 1u : 0u, why->bone, why->frame};
    tally                     rate = once_if(!emberi_madnight_shows(clip->fps));
    check_name(c, taken);
    check_say(c, &not_storable, &failed, "not storable as ANIMBIN: %s", why->text);
    check_markers(c, raw != NULL ? raw->length : 0u);
    check_say(c, &other_rate, &rate,
              "%g frames a second; the player shows one each vertical blank, 60 or 50 a second", clip->fps);
    if (raw == NULL)
        return;
    tally tracks = once_if(raw->track_count > EMBERI_MADNIGHT_TRACKS);
    tally flags = once_if((raw->flags & ~EMBERI_ANIMBIN_LOOPED) != 0);
    check_say(c, &many_tracks, &tracks,
              "%u tracks, the player has room for %d and writes the others behind it",
              (unsigned)raw->track_count, EMBERI_MADNIGHT_TRACKS);
    check_say(c, &other_flags, &flags, "flags are 0x%x; the player knows bit 0 only, looping",
              (unsigned)raw->flags);
    check_keys(c, raw);
}

static void check_count(const check *c, uint32_t clip_count)
{
    tally many = once_if(clip_count > EMBERI_MADNIGHT_CLIPS), none = once_if(clip_count == 0);
    check_say(c, &many_clips, &many,
              "%u animations, the player has room for %d and writes the others behind it",
              (unsigned)clip_count, EMBERI_MADNIGHT_CLIPS);
    check_say(c, &no_clips, &none, "there is no animation in it");
}

/* ---- a model ---- */

/* Names are compared with those of the first clips only: beyond what a file holds it is not
   worth the time. */
static bool model_name_is_taken(const ember_model *model, uint32_t index)
{
    for (uint32_t i = 0; i < index && i < EMBERI_ANIMBIN_MAX_ANIMATIONS; i++)
        if (strcmp(model->clips[i].name, model->clips[index].name) == 0)
            return true;
    return false;
}

static ember_status check_clip(check *c, const ember_model *model, uint32_t index,
                               const ember_write_options *options, ember_arena *arena, ember_error *err)
{
    ember_error             local = EMBER_ERROR_INIT;
    emberi_animbin_make_job job = {.model = model,
                                   .clip = index,
                                   .options = options,
                                   .arena = arena,
                                   .err = &local};
    emberi_animbin_raw      raw = {.flags = 0};
    const ember_clip       *clip = &model->clips[index];
    ember_status status = emberi_animbin_view_of(&job.view, options->animbin, &model->skeleton, arena, err);
    if (status != EMBER_OK)
        return status;
    status = emberi_animbin_make(&raw, &job);
    if (status == EMBER_E_NOMEM || status == EMBER_E_ARG) {
        if (err != NULL)
            *err = local;
        return status;
    }
    const subject whole = {.name = clip->name,
                           .raw = status == EMBER_OK ? &raw : NULL,
                           .markers = clip->markers,
                           .marker_count = clip->marker_count,
                           .fps = clip->fps,
                           .name_is_long = name_is_long(clip->name),
                           .stored = model->format == EMBER_FORMAT_ANIMBIN};
    c->clip = &whole;
    check_subject(c, model_name_is_taken(model, index), &local);
    c->clip = NULL;
    return EMBER_OK;
}

ember_status ember_animbin_check(const ember_model *model, const ember_write_options *options,
                                 const ember_findings *findings, ember_error *err)
{
    check                c = {.skeleton = &model->skeleton, .findings = findings};
    emberi_write_options silent;
    EMBERI_TRY(emberi_write_options_take(&silent, options, err));
    ember_status status = ember_model_check(model, err);
    silent.all.notes.take = NULL;
    if (status != EMBER_OK)
        return status;
    check_count(&c, model->clip_count);
    for (uint32_t i = 0; i < model->clip_count && status == EMBER_OK; i++) {
        /* A few times what the clip takes already, so there is no need for another limit. */
        ember_arena arena = ember_arena_growing(ember_heap(), SIZE_MAX);
        status = check_clip(&c, model, i, &silent.all, &arena, err);
        ember_arena_free(&arena);
    }
    return status;
}

/* ---- a file ---- */

static bool file_name_is_taken(const emberi_animbin_file *file, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(file->animations[i].name, file->animations[index].name) == 0)
            return true;
    return false;
}

static ember_status check_file(uint32_t *clip_count, const emberi_source *source,
                               const ember_findings *findings)
{
    emberi_animbin_file file = {.animation_count = 0};
    check               c = {.skeleton = source->options->skeleton, .findings = findings};
    const ember_error   none = EMBER_ERROR_INIT;
    ember_status        status = emberi_animbin_parse(&file, source);
    if (status == EMBER_OK)
        status = emberi_animbin_check_joints(&file, source);
    if (status != EMBER_OK)
        return status;
    check_count(&c, file.animation_count);
    for (uint32_t i = 0; i < file.animation_count; i++) {
        const emberi_animbin_animation *animation = &file.animations[i];
        const subject                   whole = {.name = animation->name,
                                                 .raw = &animation->raw,
                                                 .markers = animation->markers,
                                                 .marker_count = animation->marker_count,
                                                 .name_is_long = animation->name_open,
                                                 .marker_is_long = animation->markers_open,
                                                 .stored = true};
        c.clip = &whole;
        check_subject(&c, file_name_is_taken(&file, i), &none);
    }
    *clip_count = file.animation_count;
    return EMBER_OK;
}

ember_status ember_animbin_check_file(uint32_t *clip_count, const void *data, size_t size,
                                      const ember_skeleton *skeleton, const ember_findings *findings,
                                      ember_error *err)
{
    static const uint8_t     empty[1] = {0};
    ember_error              local = EMBER_ERROR_INIT;
    const ember_read_options options = {.skeleton = skeleton};
    ember_arena              arena = ember_arena_growing(ember_heap(), 0);
    const emberi_source      source =
        {data != NULL ? data : empty, data != NULL ? size : 0, &options, &arena, &local, NULL};
    *clip_count = 0;
    ember_status status = check_file(clip_count, &source, findings);
    if (status != EMBER_OK && err != NULL && err->status == EMBER_OK)
        *err = local;
    ember_arena_free(&arena);
    return status;
}
