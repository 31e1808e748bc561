/* What madnight's player makes of ANIMBIN clips: limits that it does not check, so that one key too many corrupts its memory, and
   places where it plays something else than the file says. Each rule has a code that stays its own. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/animbin.h"
#include "format/animbin_madnight.h"

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

typedef struct check {
    const ember_model    *model;
    const ember_clip     *clip; /* NULL: the whole file */
    const ember_findings *findings;
} check;

__attribute__((format(printf, 4, 5))) static void check_say(const check *c, const rule *r, const tally *at, const char *format,
                                                            ...)
{
    char    text[256], number[24];
    va_list arguments;
    if (at->count == 0)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ember_finding finding = {r->code, r->severity, c->clip != NULL ? c->clip->name : NULL, NULL, at->frame, at->count, text};
    if (at->joint >= 0) {
        snprintf(number, sizeof(number), "joint %d", (int)at->joint);
        finding.bone = (uint32_t)at->joint < c->model->skeleton.bone_count
                           ? ember_skeleton_name(&c->model->skeleton, (uint32_t)at->joint)
                           : NULL;
        finding.bone = finding.bone != NULL ? finding.bone : number;
    }
    c->findings->take(c->findings->user, &finding);
}

static tally once_if(bool broken)
{
    return (tally){broken ? 1u : 0u, -1, -1};
}

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

/* Only what lies within the clip's length is ever between two keys. */
static bool leaves_gap(const emberi_animbin_track *track, uint32_t index, uint32_t length)
{
    const emberi_animbin_key *key = &track->keys[index], *next = &track->keys[index + 1];
    return next->frame - key->frame > 1 && key->frame + 1u < length && memcmp(key->value, next->value, sizeof(key->value)) != 0;
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
        tally_add(&all->unit, rotation && !emberi_animbin_is_unit(emberi_animbin_length_squared(key)), joint, key->frame);
        if (k + 1 == track->key_count)
            continue;
        tally_add(&all->flips, flips(key, key + 1), joint, key[1].frame);
        tally_add(&all->steps, rotation && leaves_gap(track, k, raw->length), joint, key->frame);
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
              "a track of more than %d keys: the player writes the others behind it, over what comes next", EMBERI_MADNIGHT_KEYS);
    check_say(c, &far_joint, &all.joints, "a track for joint %d, and the player's skeleton ends at %d: it writes behind it",
              (int)all.joints.joint, EMBERI_MADNIGHT_BONES - 1);
    check_say(c, &no_keys, &all.empty, "a track without keys: the player reads one before the first");
    check_say(c, &mixed_keys, &all.mixed, "translation and rotation keys in one track: the player takes one for the other");
    check_say(c, &steps, &all.steps, "no key on every frame: the player does not interpolate but steps from key to key");
    check_say(c, &translations, &all.translations, "translations: the player reads them and never applies them");
    check_say(c, &sign_flips, &all.flips, "the rotation changes its sign: the player does not go the short way round");
    check_say(c, &not_unit, &all.unit, "the rotation is not unit: the player normalises it, with less precision");
    check_say(c, &two_tracks, &all.twice, "a second track for what another already moves: the last one counts");
    check_say(c, &late_keys, &all.late, "a key beyond the length of %u frames is never reached", (unsigned)raw->length);
}

/* ---- a clip ---- */

static void check_name(const check *c, uint32_t index)
{
    const char *name = c->clip->name;
    bool        is_long = strlen(name) >= EMBERI_ANIMBIN_NAME_SIZE, stored = c->model->format == EMBER_FORMAT_ANIMBIN;
    tally       open = once_if(is_long && stored), cut = once_if(is_long && !stored), same = once_if(false);
    for (uint32_t i = 0; i < index && same.count == 0; i++)
        same = once_if(strcmp(c->model->clips[i].name, name) == 0);
    check_say(c, &open_name, &open, "the name fills all 32 bytes: the player reads on into the flags, and finds no such name");
    check_say(c, &cut_name, &cut, "the name of %zu bytes is cut to 31, by which the game must ask for it", strlen(name));
    check_say(c, &same_name, &same, "another clip has the same name: the player finds the first");
}

static ember_status check_clip(check *c, uint32_t index, const ember_write_options *options, ember_arena *arena, ember_error *err)
{
    ember_error             local = EMBER_ERROR_INIT;
    emberi_animbin_make_job job = {.model = c->model, .clip = index, .options = options, .arena = arena, .err = &local};
    emberi_animbin_raw      raw = {.flags = 0};
    c->clip = &c->model->clips[index];
    ember_status status = emberi_animbin_view_of(&job.view, &options->animbin, 0.0, err);
    if (status != EMBER_OK)
        return status;
    check_name(c, index);
    status = emberi_animbin_make(&raw, &job);
    if (status == EMBER_E_NOMEM || status == EMBER_E_ARG) {
        if (err != NULL)
            *err = local;
        return status;
    }
    tally  failed = once_if(status != EMBER_OK), markers = once_if(c->clip->marker_count > EMBERI_MADNIGHT_MARKERS);
    double fps = c->clip->fps;
    tally  rate = once_if(fps > 0.0 && fps != EMBERI_ANIMBIN_FPS && fps != 50.0);
    check_say(c, &not_storable, &failed, "not storable as ANIMBIN: %s", local.text);
    check_say(c, &many_markers, &markers, "%u markers, the player has room for %d and writes the others behind it",
              (unsigned)c->clip->marker_count, EMBERI_MADNIGHT_MARKERS);
    check_say(c, &other_rate, &rate, "%g frames a second; the player shows one each vertical blank, 60 or 50 a second", fps);
    if (status != EMBER_OK)
        return EMBER_OK;
    tally tracks = once_if(raw.track_count > EMBERI_MADNIGHT_TRACKS), flags = once_if((raw.flags & ~EMBERI_ANIMBIN_LOOPED) != 0);
    check_say(c, &many_tracks, &tracks, "%u tracks, the player has room for %d and writes the others behind it",
              (unsigned)raw.track_count, EMBERI_MADNIGHT_TRACKS);
    check_say(c, &other_flags, &flags, "flags are 0x%x; the player knows bit 0 only, looping", (unsigned)raw.flags);
    check_keys(c, &raw);
    return EMBER_OK;
}

ember_status ember_animbin_check(const ember_model *model, const ember_write_options *options, const ember_findings *findings,
                                 ember_error *err)
{
    check               c = {.model = model, .findings = findings};
    ember_write_options silent = *options;
    tally               many = once_if(model->clip_count > EMBERI_MADNIGHT_CLIPS), none = once_if(model->clip_count == 0);
    ember_status        status = ember_model_check(model, err);
    if (status != EMBER_OK)
        return status;
    silent.notes.take = NULL;
    check_say(&c, &many_clips, &many, "%u animations, the player has room for %d and writes the others behind it",
              (unsigned)model->clip_count, EMBERI_MADNIGHT_CLIPS);
    check_say(&c, &no_clips, &none, "there is no animation in it");
    for (uint32_t i = 0; i < model->clip_count && status == EMBER_OK; i++) {
        ember_arena arena = ember_arena_growing(ember_heap(), 0);
        status = check_clip(&c, i, &silent, &arena, err);
        ember_arena_free(&arena);
    }
    return status;
}
