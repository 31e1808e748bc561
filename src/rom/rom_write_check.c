/* SPDX-License-Identifier: MIT */
/* What may go into a ROM: ids, and files that their own readers take. Every asset that may not is told, not
   only the first. */
#include <string.h>

#include "base/fail.h"
#include "base/maths.h"
#include "format/keyframes/keyframes.h"
#include "rom/rom_writer.h"

void emberi_rom_problem(rom_writer *w, const ember_rom_asset *asset, ember_status status, const char *text)
{
    const char *id = asset->id != NULL ? asset->id : "";
    if (w->failed++ == 0)
        emberi_failf(w->err, status, EMBER_NO_OFFSET, "%s: %s", emberi_rom_label_of(asset->kind, id).text,
                     text);
    if (w->problems != NULL)
        emberi_notef(w->problems, EMBER_NOTE_WARNING, id, NULL, "%s: %s", ember_rom_kind_name(asset->kind),
                     text);
}

/* ---- by kind ---- */

static ember_status check_markers(const ember_rom_asset *asset, uint32_t frame_count, ember_error *err)
{
    if (asset->marker_count > UINT16_MAX)
        return emberi_failf(err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "%u markers, at most 65535 are possible",
                            (unsigned)asset->marker_count);
    for (uint32_t i = 0; i < asset->marker_count; i++) {
        const ember_marker *marker = &asset->markers[i];
        if (marker->name == NULL || !emberi_utf8_valid(marker->name))
            return emberi_failf(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "marker %u: its name is not UTF-8",
                                (unsigned)i);
        if (marker->frame >= frame_count)
            return emberi_failf(err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                                "marker %u is at frame %u, there are %u frames", (unsigned)i,
                                (unsigned)marker->frame, (unsigned)frame_count);
    }
    return EMBER_OK;
}

static ember_status check_bones(const ember_rom_asset *asset, uint32_t bone_count, ember_error *err)
{
    const ember_skeleton *skeleton = asset->skeleton;
    if (skeleton == NULL)
        return EMBER_OK;
    if (skeleton->bone_count != bone_count)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                            "the clip has %u bones, the skeleton given with it %u", (unsigned)bone_count,
                            (unsigned)skeleton->bone_count);
    ember_model  model = {.skeleton = *skeleton};
    ember_status status = ember_model_check(&model, err);
    for (uint32_t i = 0; i < bone_count && skeleton->rest != NULL && status == EMBER_OK; i++) {
        float numbers[10];
        memcpy(numbers, &skeleton->rest[i], sizeof(numbers));
        for (int k = 0; k < 10; k++)
            if (!emberi_is_finite(numbers[k]))
                return emberi_fail_at(err, EMBER_E_RANGE, emberi_place_bone(skeleton, i),
                                      "a number of its rest is not finite");
    }
    return status;
}

/* A lean clip with its rig, all blocks of it; sets how many frames it has. */
static ember_status check_lean(rom_writer *w, const ember_rom_asset *asset, emberi_keyframes *out,
                               ember_error *err)
{
    ember_lean_rig   rig;
    ember_lean_clip  clip;
    ember_arena_mark mark = ember_arena_save(&w->scratch);
    EMBERI_TRY(ember_lean_rig_open(&rig, asset->lean_rig, asset->lean_rig_size, err));
    size_t       size = ember_lean_open_size(asset->data, asset->size, &rig);
    void        *memory = ember_arena_push(&w->scratch, size, 1, 32);
    ember_status status = memory != NULL
                              ? ember_lean_open(&clip, asset->data, asset->size, &rig, memory, size, err)
                              : emberi_fail_memory(err);
    if (status == EMBER_OK)
        status = ember_lean_check(&clip, err);
    if (status == EMBER_OK)
        *out = (emberi_keyframes){.bone_count = clip.bone_count, .frame_count = clip.frame_count};
    ember_arena_restore(&w->scratch, mark);
    return status;
}

static ember_status check_keyframes(rom_writer *w, const ember_rom_asset *asset, ember_error *err)
{
    emberi_keyframes keyframes;
    ember_status     status = asset->lean_rig != NULL
                                  ? check_lean(w, asset, &keyframes, err)
                                  : emberi_ewzanim_check(&keyframes, asset->data, asset->size, err);
    if (status != EMBER_OK)
        return status;
    if (asset->space != EMBER_SPACE_MODEL && asset->space != EMBER_SPACE_LOCAL)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "neither model nor local space is said");
    if (!(asset->fps >= 0.0) || asset->fps - asset->fps != 0.0)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a rate of %g is not possible", asset->fps);
    if ((unsigned)asset->method >= EMBER_SQUEEZE_METHOD_COUNT)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "%d is not a way to squeeze",
                            (int)asset->method);
    status = check_markers(asset, keyframes.frame_count, err);
    return status == EMBER_OK ? check_bones(asset, keyframes.bone_count, err) : status;
}

static ember_status check_texture(const ember_rom_asset *asset, ember_error *err)
{
    static const uint8_t png[8] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a}, jpeg[3] = {0xff, 0xd8, 0xff};
    bool                 known = (asset->size >= sizeof(png) && memcmp(asset->data, png, sizeof(png)) == 0) ||
                 (asset->size >= sizeof(jpeg) && memcmp(asset->data, jpeg, sizeof(jpeg)) == 0);
    return known ? EMBER_OK : ember_fail(err, EMBER_E_MALFORMED, 0, "neither a PNG nor a JPEG image");
}

static ember_status check_game(const ember_rom_asset *asset, ember_error *err)
{
    static const uint8_t wasm[8] = {0, 'a', 's', 'm', 1, 0, 0, 0};
    if (strcmp(asset->id, "game") != 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the game's id is 'game'");
    if (asset->size < sizeof(wasm) || memcmp(asset->data, wasm, sizeof(wasm)) != 0)
        return ember_fail(err, EMBER_E_MALFORMED, 0, "not a WASM module of version 1");
    return EMBER_OK;
}

static ember_status check_asset(rom_writer *w, const ember_rom_asset *asset, ember_error *err)
{
    if (asset->id == NULL || !ember_rom_id_valid(asset->id, strlen(asset->id)))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                            "the id is not 1 to %u characters of A-Z a-z 0-9 _ . / -", EMBER_ROM_MAX_ID);
    if (asset->size > UINT32_MAX || (asset->data == NULL && asset->size != 0))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "there are no bytes, or too many");
    switch (asset->kind) {
    case EMBER_ROM_KEYFRAMES:
        return check_keyframes(w, asset, err);
    case EMBER_ROM_SKELETON:
    case EMBER_ROM_MESH:
        return emberi_rom_model_check(asset->data, asset->size, ember_rom_kind_format(asset->kind),
                                      &w->scratch, err);
    case EMBER_ROM_TEXTURE:
        return check_texture(asset, err);
    case EMBER_ROM_GAME:
        return check_game(asset, err);
    case EMBER_ROM_DATA:
        return EMBER_OK;
    default:
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                          "this kind is made by the ROM's writer itself, or is none");
    }
}

void emberi_rom_assets_check(rom_writer *w)
{
    for (uint32_t i = 0; i < w->content->asset_count; i++) {
        ember_error  err = EMBER_ERROR_INIT;
        ember_status status = check_asset(w, &w->content->assets[i], &err);
        if (status != EMBER_OK)
            emberi_rom_problem(w, &w->content->assets[i], status, emberi_error_line_of(&err).text);
    }
}
