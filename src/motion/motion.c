/* SPDX-License-Identifier: MIT */
/* Motions made of what holds frames: a model, an .ewzanim, an .ewzlean, a ROM. Models are trusted as their
   readers checked them; the bytes of files and ROMs are checked here. */
#include "ember/motion.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "format/keyframes/keyframes.h"
#include "format/lean/ewzlean.h"
#include "model/names.h"
#include "motion/motion_cursor.h"

/* ---- of a model ---- */

static ember_status motion_fail_name(ember_error *err, const ember_model *model, const char *name)
{
    char   names[160] = "";
    size_t size = 0;
    for (uint32_t i = 0; i < model->clip_count; i++) {
        emberi_quoted quoted = emberi_quote(model->clips[i].name);
        size_t        more = strlen(quoted.text) + (size != 0 ? 2 : 0);
        if (size + more + sizeof(", ...") > sizeof(names)) {
            memcpy(names + size, ", ...", sizeof(", ..."));
            break;
        }
        (void)snprintf(names + size, sizeof(names) - size, "%s%s", size != 0 ? ", " : "", quoted.text);
        size += more;
    }
    return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "no clip is called %s; there %s %s",
                        emberi_quote(name).text, model->clip_count == 1 ? "is" : "are",
                        model->clip_count != 0 ? names : "none");
}

ember_status ember_motion_from_model(ember_motion *out, const ember_model *model, const char *name,
                                     ember_error *err)
{
    memset(out, 0, sizeof(*out));
    const ember_clip *clip = name != NULL ? ember_model_clip(model, name) : model->clips;
    if (model->clip_count == 0 && name == NULL)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the model has no clips");
    if (clip == NULL)
        return motion_fail_name(err, model, name);
    if (clip->frame_count == 0 || model->skeleton.bone_count == 0)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "clip %s has no %s",
                            emberi_quote(clip->name).text, clip->frame_count == 0 ? "frames" : "bones");
    *out = (ember_motion){.bone_count = model->skeleton.bone_count,
                          .frame_count = clip->frame_count,
                          .fps = ember_clip_fps(clip),
                          .loop = clip->loop,
                          .space = clip->space,
                          .parents = model->skeleton.parents,
                          .source = {.clip = clip, .rest = model->skeleton.rest}};
    return EMBER_OK;
}

/* ---- of a file ---- */

ember_status ember_motion_from_ewzanim(ember_motion *out, const void *data, size_t size, double fps,
                                       ember_error *err)
{
    emberi_keyframes keyframes;
    memset(out, 0, sizeof(*out));
    if (!(fps >= 0.0) || fps - fps != 0.0)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a rate of %g is not possible", fps);
    EMBERI_TRY(emberi_ewzanim_check(&keyframes, data, size, err));
    *out = (ember_motion){.bone_count = keyframes.bone_count,
                          .frame_count = keyframes.frame_count,
                          .fps = fps > 0.0 ? fps : EMBER_DEFAULT_FPS,
                          .space = EMBER_SPACE_MODEL,
                          .source = {.records = (const uint8_t *)data + keyframes.header_size}};
    return EMBER_OK;
}

/* ---- of a file of lean clips ---- */

/* A lean clip opened, with a cursor, in the arena. */
static ember_status motion_lean_make(ember_lean_cursor **out, const uint8_t *data, size_t size,
                                     const ember_lean_rig *rig, ember_arena *arena, ember_error *err)
{
    ember_lean_cursor *cursor = EMBER_PUSH(arena, ember_lean_cursor, 1);
    ember_lean_clip   *opened = EMBER_PUSH(arena, ember_lean_clip, 1);
    size_t             room = ember_lean_open_size(data, size, rig);
    void              *memory = ember_arena_push(arena, room, 1, 32);
    if (cursor == NULL || opened == NULL || memory == NULL)
        return emberi_fail_memory(err);
    EMBERI_TRY(ember_lean_open(opened, data, size, rig, memory, room, err));
    room = ember_lean_cursor_size(opened);
    memory = ember_arena_push(arena, room, 1, 32);
    if (memory == NULL)
        return emberi_fail_memory(err);
    *out = cursor;
    return ember_lean_cursor_init(cursor, opened, memory, room);
}

/* The clip of that name, the first without one. */
static ember_status motion_find_lean(emberi_ewzlean_clip *out, emberi_ewzlean *file, const char *name,
                                     ember_error *err)
{
    const size_t size = name != NULL ? strlen(name) : 0;
    while (file->next < file->clip_count) {
        EMBERI_TRY(emberi_ewzlean_next(out, file, err));
        if (name == NULL || (size == out->name_size && memcmp(out->name, name, size) == 0))
            return EMBER_OK;
    }
    return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "no clip is called %s", emberi_quote(name).text);
}

static ember_status motion_open_lean(ember_motion *out, emberi_ewzlean *file, const emberi_ewzlean_clip *clip,
                                     ember_arena *arena, ember_error *err)
{
    int16_t           *parents = EMBER_PUSH(arena, int16_t, file->bone_count);
    ember_lean_cursor *cursor = NULL;
    if (parents == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < file->bone_count; i++)
        parents[i] = emberi_ewzlean_parent(file, i);
    ember_status status = motion_lean_make(&cursor, clip->data, clip->size, &file->rig, arena, err);
    if (status != EMBER_OK || cursor == NULL)
        return status;
    *out = (ember_motion){.bone_count = file->bone_count,
                          .frame_count = cursor->clip->frame_count,
                          .fps = clip->fps > 0.0 ? clip->fps : EMBER_DEFAULT_FPS,
                          .loop = clip->loop,
                          .space = EMBER_SPACE_LOCAL,
                          .parents = parents,
                          .source = {.lean = cursor}};
    return EMBER_OK;
}

ember_status ember_motion_from_ewzlean(ember_motion *out, const void *data, size_t size, const char *name,
                                       ember_arena *arena, ember_error *err)
{
    static const uint8_t empty[1] = {0};
    emberi_ewzlean       file;
    emberi_ewzlean_clip  clip;
    memset(out, 0, sizeof(*out));
    EMBERI_TRY(emberi_ewzlean_open(&file, data != NULL ? data : empty, data != NULL ? size : 0, err));
    EMBERI_TRY(motion_find_lean(&clip, &file, name, err));
    const ember_arena_mark mark = ember_arena_save(arena);
    const ember_status     status = motion_open_lean(out, &file, &clip, arena, err);
    if (status != EMBER_OK)
        ember_arena_restore(arena, mark);
    return status;
}

/* ---- of a ROM ---- */

/* The cursor and all that it needs, in the arena. */
static ember_status motion_cursor_make(struct ember_motion_cursor **out, const ember_rom_clip *clip,
                                       ember_arena *arena, ember_error *err)
{
    struct ember_motion_cursor *cursor = EMBER_PUSH(arena, struct ember_motion_cursor, 1);
    size_t                      size = ember_squeeze_cursor_size(&clip->block);
    void                       *memory = ember_arena_push(arena, size, 1, 16);
    uint8_t *records = EMBER_PUSH(arena, uint8_t, 2 * (size_t)clip->bone_count * EMBER_KEYFRAME_SIZE);
    if (cursor == NULL || memory == NULL || records == NULL)
        return emberi_fail_memory(err);
    cursor->clip = *clip;
    cursor->records = records;
    cursor->frames[0] = cursor->frames[1] = EMBERI_NO_FRAME;
    *out = cursor;
    return ember_squeeze_cursor_init(&cursor->at, &cursor->clip.block, memory, size);
}

/* What composing needs. */
static ember_status motion_rig_make(const ember_rig **out, const ember_rom_clip *clip, ember_arena *arena,
                                    ember_error *err)
{
    if (clip->rig.parents == NULL)
        return EMBER_OK;
    ember_rig   *rig = EMBER_PUSH(arena, ember_rig, 1);
    const size_t size = ember_rig_size(clip->bone_count);
    void        *memory = ember_arena_push(arena, size, 1, sizeof(uint16_t));
    if (rig == NULL || memory == NULL)
        return emberi_fail_memory(err);
    *out = rig;
    return ember_rig_make(rig, clip->rig.parents, clip->bone_count, memory, size);
}

ember_status ember_motion_from_rom(ember_motion *out, const ember_rom *rom, const char *id,
                                   ember_arena *arena, ember_error *err)
{
    ember_rom_entry entry;
    ember_rom_clip  clip;
    memset(out, 0, sizeof(*out));
    if (!ember_rom_find(&entry, rom, EMBER_ROM_KEYFRAMES, id, strlen(id)))
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the ROM has no clip %s",
                            emberi_quote(id).text);
    EMBERI_TRY(ember_rom_clip_open(&clip, rom, &entry, err));
    *out = (ember_motion){.bone_count = clip.bone_count,
                          .frame_count = clip.frame_count,
                          .fps = clip.fps > 0.0 ? clip.fps : EMBER_DEFAULT_FPS,
                          .loop = clip.loop,
                          .space = clip.space,
                          .parents = clip.rig.parents};
    ember_arena_mark mark = ember_arena_save(arena);
    ember_status     status = motion_rig_make(&out->rig, &clip, arena, err);
    if (clip.form == EMBER_ROM_RECORDS && clip.block.method == EMBER_SQUEEZE_RAW)
        out->source.records = clip.block.data;
    else if (status == EMBER_OK && clip.form == EMBER_ROM_LEAN)
        status =
            motion_lean_make(&out->source.lean, clip.lean.data, clip.lean.size, &clip.lean.rig, arena, err);
    else if (status == EMBER_OK)
        status = motion_cursor_make(&out->source.cursor, &clip, arena, err);
    if (status != EMBER_OK) {
        ember_arena_restore(arena, mark);
        memset(out, 0, sizeof(*out));
    }
    return status;
}
