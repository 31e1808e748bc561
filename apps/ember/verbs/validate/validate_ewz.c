/* SPDX-License-Identifier: MIT */
/* The rules of the target `ewz`. Files are looked at as they are stored where the model cannot tell, and as
   they would be stored where they are of another format. */
#include "verbs/validate/validate_ewz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/text.h"
#include "codec/ewzanim.h"
#include "codec/quat32.h"
#include "ember/ember.h"

/* What a whole ROM holds. */
#define EWZ_ROM_SIZE (UINT64_C(16) * 1024 * 1024)
/* Where half floats step by more than a centimetre. */
#define EWZ_COARSE_POSITION 16.0f
/* Longer or shorter rotations than this are no rounding. */
#define EWZ_UNIT_TOLERANCE 0.01f

static const finding_rule ewz_unreadable = {"EWZ001", true};
static const finding_rule ewz_short_header = {"EWZ002", true};
static const finding_rule ewz_no_bones = {"EWZ003", true};
static const finding_rule ewz_no_frames = {"EWZ004", true};
static const finding_rule ewz_flags = {"EWZ005", true};
static const finding_rule ewz_truncated = {"EWZ006", true};
static const finding_rule ewz_extra = {"EWZ007", true};
static const finding_rule ewz_no_clips = {"EWZ008", true};
static const finding_rule ewz_no_parents = {"EWZ009", true};
static const finding_rule ewz_many_bones = {"EWZ010", true};
static const finding_rule ewz_many_frames = {"EWZ011", true};
static const finding_rule ewz_not_finite = {"EWZ012", true};
static const finding_rule ewz_far_position = {"EWZ013", true};
static const finding_rule ewz_big_scale = {"EWZ014", true};
static const finding_rule ewz_zero_rotation = {"EWZ015", true};
static const finding_rule ewz_over_rom = {"EWZ016", true};
static const finding_rule ewz_odd_code = {"EWZ101", false};
static const finding_rule ewz_not_unit = {"EWZ102", false};
static const finding_rule ewz_zero_scale = {"EWZ103", false};
static const finding_rule ewz_negative_scale = {"EWZ104", false};
static const finding_rule ewz_loop_repeats = {"EWZ105", false};
static const finding_rule ewz_coarse = {"EWZ106", false};
static const finding_rule ewz_shear = {"EWZ107", false};
static const finding_rule ewz_unnamed = {"EWZ108", false};
static const finding_rule ewz_same_name = {"EWZ109", false};
static const finding_rule ewz_misprint = {"EWZ110", false};

static const finding_place ewz_whole_file = {NULL, NULL, FINDING_NO_FRAME, 1};

/* ---- places that come up again and again: one finding for all of them ---- */

typedef struct ewz_tally {
    uint64_t count;
    uint32_t bone, frame; /* of the first; the clip's bone */
} ewz_tally;

static void ewz_count(ewz_tally *tally, bool broken, uint32_t bone, uint32_t frame)
{
    if (broken && tally->count++ == 0) {
        tally->bone = bone;
        tally->frame = frame;
    }
}

static void ewz_report(findings *out, const finding_rule *rule, const ewz_tally *tally,
                       const ember_model *model, const ember_clip *clip, const char *text)
{
    if (tally->count == 0)
        return;
    char        number[24];
    uint32_t    bone = ember_clip_bone(clip, tally->bone);
    const char *name = ember_skeleton_name(&model->skeleton, bone);
    snprintf(number, sizeof(number), "bone %u", (unsigned)bone);
    finding_place where = {clip->name, name != NULL ? name : number, tally->frame, tally->count};
    findings_add(out, rule, where, "%s", text);
}

/* ---- bytes of .ewzanim ---- */

const char validate_ewz_misprint[] =
    "the stored rotation is a word that version 2.0 of the specification misprints, and decodes to another";

void validate_ewz_unreadable(findings *out, const ember_error *why)
{
    findings_add_error(out, &ewz_unreadable, why);
}

static bool ewz_check_header(findings *out, const uint8_t *data, size_t size)
{
    if (size < EMBERI_EWZANIM_HEADER_SIZE) {
        findings_add(out, &ewz_short_header, ewz_whole_file,
                     "animation data truncated: %zu of the header's %u bytes", size,
                     EMBERI_EWZANIM_HEADER_SIZE);
        return false;
    }
    size_t                before = out->errors;
    emberi_ewzanim_header header = emberi_ewzanim_get(data);
    uint64_t              expected = emberi_ewzanim_size(header.bone_count, header.frame_count);
    if (header.bone_count == 0)
        findings_add(out, &ewz_no_bones, ewz_whole_file, "invalid animation header: no bones");
    if (header.frame_count == 0)
        findings_add(out, &ewz_no_frames, ewz_whole_file, "invalid animation header: no frames");
    if (header.flags != 0)
        findings_add(out, &ewz_flags, ewz_whole_file,
                     "invalid animation header: flags are %u, they must be 0", (unsigned)header.flags);
    if (out->errors == before && size < expected)
        findings_add(out, &ewz_truncated, ewz_whole_file, "animation data truncated: %zu of %llu bytes", size,
                     (unsigned long long)expected);
    if (out->errors == before && size > expected)
        findings_add(out, &ewz_extra, ewz_whole_file, "animation data has %llu extra %s",
                     (unsigned long long)(size - expected), size - expected == 1 ? "byte" : "bytes");
    return out->errors == before;
}

bool validate_ewz_is_stored(ember_format format) { return format == EMBER_FORMAT_EWZANIM; }

bool validate_ewz_bytes(findings *out, const char *clip, const uint8_t *data, size_t size)
{
    ewz_tally odd = {0, 0, 0}, printed = {0, 0, 0};
    char      bone[24];
    if (!ewz_check_header(out, data, size))
        return false;
    uint32_t bones = emberi_ewzanim_get(data).bone_count;
    for (size_t at = EMBERI_EWZANIM_HEADER_SIZE, i = 0; at < size; at += EMBER_KEYFRAME_SIZE, i++) {
        uint32_t word = emberi_get_u32(data + at), b = (uint32_t)(i % bones), frame = (uint32_t)(i / bones);
        ewz_count(&odd, !emberi_quat32_is_unit(word), b, frame);
        ewz_count(&printed, emberi_quat32_is_misprint(word), b, frame);
    }
    if (printed.count != 0) {
        snprintf(bone, sizeof(bone), "bone %u", (unsigned)printed.bone);
        findings_add(out, &ewz_misprint, (finding_place){clip, bone, printed.frame, printed.count}, "%s",
                     validate_ewz_misprint);
    }
    if (odd.count != 0) {
        snprintf(bone, sizeof(bone), "bone %u", (unsigned)odd.bone);
        findings_add(
            out, &ewz_odd_code, (finding_place){clip, bone, odd.frame, odd.count},
            "the stored rotation is not one that an encoder writes, and does not decode to unit length");
    }
    return true;
}

/* ---- clips ---- */

static bool ewz_is_finite(const ember_transform *t)
{
    return isfinite(t->rotation.x) && isfinite(t->rotation.y) && isfinite(t->rotation.z) &&
           isfinite(t->rotation.w) && isfinite(t->position.x) && isfinite(t->position.y) &&
           isfinite(t->position.z) && isfinite(t->scale.x) && isfinite(t->scale.y) && isfinite(t->scale.z);
}

static bool ewz_is_counted_right(findings *out, const ember_clip *clip)
{
    finding_place where = {clip->name, NULL, FINDING_NO_FRAME, 1};
    size_t        before = out->errors;
    uint64_t      size = emberi_ewzanim_size(clip->bone_count, clip->frame_count);
    char          text[TEXT_NUMBER_SIZE];
    if (clip->bone_count == 0)
        findings_add(out, &ewz_no_bones, where, "no bones");
    if (clip->frame_count == 0)
        findings_add(out, &ewz_no_frames, where, "no frames");
    if (clip->bone_count > EMBER_MAX_BONES)
        findings_add(out, &ewz_many_bones, where, "%u bones, more than %u", (unsigned)clip->bone_count,
                     EMBER_MAX_BONES);
    if (clip->frame_count > EMBER_MAX_FRAMES)
        findings_add(out, &ewz_many_frames, where, "%u frames, more than %u", (unsigned)clip->frame_count,
                     EMBER_MAX_FRAMES);
    if (out->errors == before && size > EWZ_ROM_SIZE)
        findings_add(out, &ewz_over_rom, where, "%s B as keyframes, more than a whole ROM of 16 MiB",
                     text_count(text, size));
    return out->errors == before;
}

/* Numbers as the file has them, before anything is composed. */
static void ewz_check_source(findings *out, const ember_model *model, const ember_clip *clip)
{
    ewz_tally finite = {0, 0, 0}, zero = {0, 0, 0}, unit = {0, 0, 0};
    for (uint32_t f = 0; f < clip->frame_count; f++)
        for (uint32_t b = 0; b < clip->bone_count; b++) {
            const ember_transform *t = &clip->frames[(size_t)f * clip->bone_count + b];
            const ember_quat       q = t->rotation;
            double                 length = sqrt((double)q.x * (double)q.x + (double)q.y * (double)q.y +
                                                 (double)q.z * (double)q.z + (double)q.w * (double)q.w);
            bool                   good = ewz_is_finite(t);
            ewz_count(&finite, !good, b, f);
            ewz_count(&zero, good && length == 0.0, b, f);
            ewz_count(&unit, good && length > 0.0 && fabs(length - 1.0) > (double)EWZ_UNIT_TOLERANCE, b, f);
        }
    ewz_report(out, &ewz_not_finite, &finite, model, clip, "a number is not finite");
    ewz_report(out, &ewz_zero_rotation, &zero, model, clip, "the rotation is zero");
    /* Of stored codes the bytes have told already, and better. */
    if (!validate_ewz_is_stored(model->format))
        ewz_report(out, &ewz_not_unit, &unit, model, clip,
                   "the rotation is not of unit length and will be normalised");
}

static bool ewz_overflows(float value) { return (ember_f16_from_f32(value) & 0x7fffu) == 0x7c00u; }

static bool ewz_vanishes(float value) { return (ember_f16_from_f32(value) & 0x7fffu) == 0; }

/* Numbers as they will be stored. */
static void ewz_check_stored(findings *out, const ember_model *model, const ember_clip *clip)
{
    ewz_tally far_away = {0, 0, 0}, big = {0, 0, 0}, flat = {0, 0, 0}, negative = {0, 0, 0},
              coarse = {0, 0, 0};
    float farthest = 0.0f;
    for (uint32_t f = 0; f < clip->frame_count; f++)
        for (uint32_t b = 0; b < clip->bone_count; b++) {
            const ember_transform *t = &clip->frames[(size_t)f * clip->bone_count + b];
            float reach = fmaxf(fabsf(t->position.x), fmaxf(fabsf(t->position.y), fabsf(t->position.z)));
            bool  beyond = ewz_overflows(reach);
            ewz_count(&far_away, beyond, b, f);
            ewz_count(&coarse, !beyond && reach >= EWZ_COARSE_POSITION, b, f);
            if (!beyond && reach > farthest)
                farthest = reach;
            ewz_count(&big,
                      ewz_overflows(t->scale.x) || ewz_overflows(t->scale.y) || ewz_overflows(t->scale.z), b,
                      f);
            ewz_count(&flat, ewz_vanishes(t->scale.x) || ewz_vanishes(t->scale.y) || ewz_vanishes(t->scale.z),
                      b, f);
            ewz_count(&negative, t->scale.x < 0.0f || t->scale.y < 0.0f || t->scale.z < 0.0f, b, f);
        }
    ewz_report(out, &ewz_far_position, &far_away, model, clip,
               "the position is beyond 65504, the largest half float");
    ewz_report(out, &ewz_big_scale, &big, model, clip, "the scale is beyond 65504, the largest half float");
    ewz_report(out, &ewz_zero_scale, &flat, model, clip,
               "the scale is zero, so the bone's matrix has no inverse");
    ewz_report(out, &ewz_negative_scale, &negative, model, clip,
               "the scale is negative, outside the console's range of 0 to 65504");
    if (coarse.count != 0) {
        int exponent = 0;
        (void)frexpf(farthest, &exponent);
        char *text = text_make("positions reach %g, where half floats are %g apart", (double)farthest,
                               ldexp(1.0, exponent - 11));
        ewz_report(out, &ewz_coarse, &coarse, model, clip, text);
        free(text);
    }
}

/* A loop that ends with its first frame shows that frame twice. */
static void ewz_check_loop(findings *out, const ember_clip *clip)
{
    if (!clip->loop || clip->frame_count < 2)
        return;
    const ember_transform *last = &clip->frames[(size_t)(clip->frame_count - 1) * clip->bone_count];
    for (uint32_t b = 0; b < clip->bone_count; b++) {
        uint8_t x[EMBER_KEYFRAME_SIZE], y[EMBER_KEYFRAME_SIZE];
        if (ember_record_encode(x, EMBER_RECORD_EWZ, &clip->frames[b]) != EMBER_OK ||
            ember_record_encode(y, EMBER_RECORD_EWZ, &last[b]) != EMBER_OK || memcmp(x, y, sizeof(x)) != 0)
            return;
    }
    findings_add(out, &ewz_loop_repeats, (finding_place){clip->name, NULL, (int64_t)clip->frame_count - 1, 1},
                 "the last frame of the loop repeats the first, so it is shown twice");
}

static void ewz_check_clip(findings *out, const ember_model *model, const ember_clip *clip, ember_space space)
{
    size_t before = out->errors;
    if (!ewz_is_counted_right(out, clip))
        return;
    ewz_check_source(out, model, clip);
    if (out->errors != before)
        return;

    ember_arena        arena = ember_arena_growing(ember_heap(), 0);
    ember_error        err = EMBER_ERROR_INIT;
    ember_space_losses losses;
    ember_clip         stored;
    if (ember_clip_to_space(&stored, &losses, model, clip, space, &arena, &err) != EMBER_OK) {
        findings_add_error(out, &ewz_no_parents, &err);
    } else {
        if (losses.shear > EMBER_SHEAR_LIMIT) {
            const char *bone = losses.shear_bone >= 0
                                   ? ember_skeleton_name(&model->skeleton, (uint32_t)losses.shear_bone)
                                   : NULL;
            findings_add(out, &ewz_shear, (finding_place){clip->name, bone, losses.shear_frame, 1},
                         "shear of %.1f %% cannot be stored and is left out", (double)losses.shear * 100.0);
        }
        ewz_check_stored(out, model, &stored);
        ewz_check_loop(out, &stored);
    }
    ember_arena_free(&arena);
}

static void ewz_check_names(findings *out, const ember_model *model)
{
    for (uint32_t i = 0; i < model->clip_count; i++) {
        const char *name = model->clips[i].name;
        if (name[0] == '\0')
            findings_add(out, &ewz_unnamed, ewz_whole_file,
                         "clip %u has no name, from which its file and asset id are made", (unsigned)i);
        for (uint32_t k = 0; k < i && name[0] != '\0'; k++)
            if (strcmp(model->clips[k].name, name) == 0) {
                findings_add(out, &ewz_same_name, (finding_place){name, NULL, FINDING_NO_FRAME, 1},
                             "clips %u and %u have the same name", (unsigned)k, (unsigned)i);
                break;
            }
    }
}

void validate_ewz_model(findings *out, const ember_model *model, ember_space space)
{
    if (model->clip_count == 0)
        findings_add(out, &ewz_no_clips, ewz_whole_file, "there are no clips in it");
    ewz_check_names(out, model);
    for (uint32_t i = 0; i < model->clip_count; i++)
        /* A file of keyframes is already what will be loaded: nothing is composed on the way. */
        ewz_check_clip(out, model, &model->clips[i],
                       validate_ewz_is_stored(model->format) ? model->clips[i].space : space);
}

uint64_t validate_ewz_size(const ember_model *model)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < model->clip_count; i++)
        size += emberi_ewzanim_size(model->clips[i].bone_count, model->clips[i].frame_count);
    return size;
}
