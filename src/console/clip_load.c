/* SPDX-License-Identifier: MIT */
/* Loading clips: v2's keyframes and the draft's clips from a game's memory, both from the ROM. The clip's
   header is checked and where its frames are; they are decoded when they are asked for (clip_frames.c). What
   is broken traps, and leaves nothing behind. */
#include <string.h>

#include "base/check.h"
#include "console/guest_memory.h"
#include "format/keyframes/keyframes.h"

/* ---- loading ---- */

typedef struct clip_load {
    ember_console   *c;
    const char      *function;
    ember_arena_mark mark;
    ember_error      err;
    host_clip        clip;
} clip_load;

/* With the first clip comes the cache of decoded frames. */
static void clip_load_cache(ember_console *c, const char *function)
{
    if (c->cache != NULL)
        return;
    c->cache = c->options.allocator.resize(c->options.allocator.user, NULL, 0, sizeof(*c->cache));
    if (c->cache == NULL)
        emberi_host_trap(c, function, "out of memory");
    c->cache->clock = 0;
    for (uint32_t i = 0; i < HOST_CACHE_SETS; i++)
        for (uint32_t j = 0; j < HOST_CACHE_WAYS; j++)
            c->cache->keys[i][j] = (struct host_cached){HOST_NO_BONES, HOST_NO_BONES, 0};
}

static void clip_load_begin(clip_load *load, ember_console *c, const char *function)
{
    emberi_host_begin_load(c, function, &c->clips, sizeof(host_clip));
    clip_load_cache(c, function);
    *load = (clip_load){.c = c,
                        .function = function,
                        .mark = ember_arena_save(&c->arena),
                        .err = EMBER_ERROR_INIT};
}

static _Noreturn void clip_load_failed(clip_load *load)
{
    emberi_host_load_failed(load->c, load->function, load->mark, &load->err);
}

static void *clip_load_push(clip_load *load, size_t count, size_t size)
{
    void *memory = ember_arena_push(&load->c->arena, count, size, 32); /* as lean clips want it */
    if (memory == NULL) {
        (void)emberi_fail_memory(&load->err);
        clip_load_failed(load);
    }
    return memory;
}

/* Records in memory are looked at once: a clip that holds infinities cannot be drawn, and its bits would not
   be the same everywhere. */
static void clip_load_check(clip_load *load)
{
    host_clip       *clip = &load->clip;
    ember_transform *pose = load->c->scratch[0];
    for (uint32_t frame = 0; frame < clip->frame_count; frame++) {
        (void)clip->form->pose(pose, load->c, clip, frame); /* never fails for records */
        if (emberi_host_pose_is_finite(pose, clip->bone_count))
            continue;
        uint32_t bone = 0;
        while (emberi_host_pose_is_finite(&pose[bone], 1))
            bone++;
        (void)emberi_failf(&load->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                           "invalid animation data: bone %u of frame %u is not finite", (unsigned)bone,
                           (unsigned)frame);
        clip_load_failed(load);
    }
    clip->finite = true;
}

static uint32_t clip_load_end(clip_load *load)
{
    if (load->clip.records != NULL)
        clip_load_check(load);
    ember_console *c = load->c;
    host_clip     *clips = c->clips.items;
    clips[c->clips.count] = load->clip;
    return emberi_host_handle(HOST_CLIP, c->clips.count++);
}

/* ---- embedded clips ---- */

/* The file is in the game's memory: the records are copied. */
static uint32_t clip_load_embedded(ember_console *c, const char *function, uint32_t data, uint32_t size,
                                   ember_status (*open)(emberi_keyframes *, const uint8_t *, size_t,
                                                        ember_error *))
{
    clip_load        load;
    emberi_keyframes keyframes;
    clip_load_begin(&load, c, function);
    const uint8_t *file = emberi_host_in(c, function, data, size);
    if (open(&keyframes, file, size, &load.err) != EMBER_OK)
        clip_load_failed(&load);
    host_clip *clip = &load.clip;
    clip->record = keyframes.record;
    clip->record_size = (uint32_t)ember_record_size(keyframes.record);
    clip->bone_count = keyframes.bone_count;
    clip->frame_count = keyframes.frame_count;
    clip->fps = keyframes.fps;
    clip->loop = keyframes.loop;
    uint8_t *records = clip_load_push(&load, (size_t)clip->bone_count * clip->frame_count, clip->record_size);
    memcpy(records, file + keyframes.header_size, size - keyframes.header_size);
    clip->records = records;
    clip->form = keyframes.record == EMBER_RECORD_EWZ ? &emberi_host_form_records : &emberi_host_form_draft;
    if (keyframes.record == EMBER_RECORD_D && c->state.skeleton >= 0) {
        const host_skeleton *skeletons = c->skeletons.items;
        clip->rest = skeletons[c->state.skeleton].rest;
        clip->rest_count = clip->rest != NULL ? skeletons[c->state.skeleton].bone_count : 0;
    }
    return clip_load_end(&load);
}

uint32_t emberi_host_keyframes_load(ember_console *c, guest_in data, uint32_t size)
{
    return clip_load_embedded(c, HOST_NAME, data, size, emberi_ewzanim_check);
}

uint32_t emberi_host_load_clip(ember_console *c, guest_in data, uint32_t size)
{
    return clip_load_embedded(c, HOST_NAME, data, size, emberi_eza_check);
}

/* ---- clips of the ROM ---- */

/* A cursor of its own makes the next frame cheap. Where too many clips have one, the others share one that
   is large enough for each of them. */
static void clip_load_cursor(clip_load *load)
{
    ember_console        *c = load->c;
    const ember_squeezed *block = &load->clip.rom->block;
    size_t                size = ember_squeeze_cursor_size(block);
    load->clip.form = &emberi_host_form_squeezed;
    load->clip.cursor.block = block;
    if (size <= HOST_CURSORS_LIMIT - c->cursors_size) {
        void        *memory = clip_load_push(load, size, 1);
        ember_status status = ember_squeeze_cursor_init(&load->clip.cursor, block, memory, size);
        EMBERI_ASSERT(status == EMBER_OK);
        (void)status;
        c->cursors_size += size;
    } else if (size > c->shared_cursor.size) {
        c->shared_cursor.memory = clip_load_push(load, size, 1);
        c->shared_cursor.size = size;
        c->shared_cursor.cursor.block = NULL;
    }
}

/* As above, but a lean clip without a cursor is read as well. */
static void clip_load_lean(clip_load *load)
{
    ember_console        *c = load->c;
    host_clip            *clip = &load->clip;
    const ember_rom_lean *lean = &clip->rom->lean;
    ember_lean_clip      *opened = clip_load_push(load, 1, sizeof(*opened));
    size_t                size = ember_lean_open_size(lean->data, lean->size, &lean->rig);
    void                 *memory = clip_load_push(load, size, 1);
    if (ember_lean_open(opened, lean->data, lean->size, &lean->rig, memory, size, &load->err) != EMBER_OK)
        clip_load_failed(load);
    clip->form = &emberi_host_form_lean;
    clip->lean = opened;
    clip->composed = !clip->local;
    clip->local = true;
    clip->finite = !clip->composed; /* composing may overflow */
    size = ember_lean_cursor_size(opened);
    if (size > HOST_CURSORS_LIMIT - c->cursors_size)
        return;
    ember_status status =
        ember_lean_cursor_init(&clip->lean_cursor, opened, clip_load_push(load, size, 1), size);
    EMBERI_ASSERT(status == EMBER_OK);
    (void)status;
    c->cursors_size += size;
}

uint32_t emberi_host_rom_keyframes(ember_console *c, guest_in id, uint32_t id_size)
{
    clip_load load;
    clip_load_begin(&load, c, HOST_NAME);
    ember_rom_entry entry = emberi_host_asset(c, HOST_NAME, EMBER_ROM_KEYFRAMES, "keyframe", id, id_size);
    ember_rom_clip *rom = EMBER_PUSH(&c->arena, ember_rom_clip, 1);
    host_clip      *clip = &load.clip;
    if (rom == NULL)
        (void)emberi_fail_memory(&load.err);
    if (rom == NULL || ember_rom_clip_open(rom, c->options.rom, &entry, &load.err) != EMBER_OK)
        clip_load_failed(&load);
    clip->rom = rom;
    clip->record = EMBER_RECORD_EWZ;
    clip->record_size = EMBER_KEYFRAME_SIZE;
    clip->bone_count = rom->bone_count;
    clip->frame_count = rom->frame_count;
    clip->fps = rom->fps;
    clip->loop = rom->loop;
    clip->parents = rom->rig.bone_count >= rom->bone_count ? rom->rig.parents : NULL;
    clip->local = rom->space == EMBER_SPACE_LOCAL && clip->parents != NULL;
    if (rom->form == EMBER_ROM_LEAN) {
        clip_load_lean(&load);
        return clip_load_end(&load);
    }
    if (rom->block.method != EMBER_SQUEEZE_RAW) {
        clip_load_cursor(&load);
        return clip_load_end(&load);
    }
    if (rom->block.size / EMBER_KEYFRAME_SIZE < (size_t)clip->bone_count * clip->frame_count) {
        (void)ember_fail(&load.err, EMBER_E_TRUNCATED, EMBER_NO_OFFSET, "animation data truncated");
        clip_load_failed(&load);
    }
    clip->records = rom->block.data;
    clip->form = &emberi_host_form_records;
    return clip_load_end(&load);
}
