/* SPDX-License-Identifier: MIT */
/* Loading clips: v2's keyframes and the draft's clips from a game's memory, both from the ROM. A clip is read
   to its end here, once: its records are kept for those who read them, and every frame's model-space matrices
   are made, so that a bind is an index. What is broken traps, and leaves nothing behind. */
#include <string.h>

#include "console/guest_memory.h"
#include "format/keyframes/keyframes.h"

/* ---- frames ---- */

static const ember_vec3 *clip_rest(const host_clip *clip, uint32_t bone)
{
    return bone < clip->rest_count ? &clip->rest[bone].position : NULL;
}

void emberi_host_decode(ember_transform *out, const host_clip *clip, uint32_t frame)
{
    size_t         size = (size_t)clip->bone_count * clip->record_size;
    const uint8_t *records = clip->records + frame * size;
    if (clip->record == EMBER_RECORD_EWZ) {
        ember_decode_job job = {.out = out,
                                .out_count = clip->bone_count,
                                .frame = records,
                                .frame_size = size,
                                .bone_count = clip->bone_count};
        (void)ember_decode_run(&job); /* its rules hold: counts and sizes were checked at the load */
        return;
    }
    for (uint32_t i = 0; i < clip->bone_count; i++)
        out[i] =
            ember_record_decode(records + (size_t)i * clip->record_size, clip->record, clip_rest(clip, i));
}

void emberi_host_check_frame(ember_console *c, const char *function, const host_clip *clip, uint32_t frame)
{
    if (frame >= clip->frame_count)
        emberi_host_trap(c, function, "frame index %u >= frame_count %u", (unsigned)frame,
                         (unsigned)clip->frame_count);
}

/* ---- loading ---- */

typedef struct clip_load {
    ember_console   *c;
    const char      *function;
    ember_arena_mark mark;
    ember_error      err;
    host_clip        clip;
    bool             local;
    size_t           size; /* of what was pushed so far */
} clip_load;

static void clip_load_begin(clip_load *load, ember_console *c, const char *function)
{
    emberi_host_begin_load(c, function, &c->clips, sizeof(host_clip));
    *load = (clip_load){.c = c,
                        .function = function,
                        .mark = ember_arena_save(&c->arena),
                        .err = EMBER_ERROR_INIT};
}

static _Noreturn void clip_load_failed(clip_load *load)
{
    emberi_host_load_failed(load->c, load->function, load->mark, &load->err);
}

/* Room from the arena, within what clips may take. */
static void *clip_load_push(clip_load *load, size_t count, size_t size)
{
    /* 255 bones, 65,535 frames and 48 bytes stay far below SIZE_MAX. */
    size_t left = HOST_CLIPS_LIMIT - load->c->clips_size - load->size;
    if (count * size > left) {
        (void)ember_fail(&load->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                         "decoded keyframes take more than 256 MiB");
        clip_load_failed(load);
    }
    void *memory = ember_arena_push(&load->c->arena, count, size, 16);
    if (memory == NULL) {
        (void)emberi_fail_memory(&load->err);
        clip_load_failed(load);
    }
    load->size += count * size;
    return memory;
}

static bool clip_frame_is_finite(const ember_mat34 *matrices, uint32_t bone_count, uint32_t *bone)
{
    for (*bone = 0; *bone < bone_count; ++*bone)
        if (!emberi_host_matrix_is_finite(&matrices[*bone]))
            return false;
    return true;
}

/* All frames in model space. A clip that holds infinities, or becomes infinite when it is composed, cannot be
   drawn, and its bits would not be the same everywhere. */
static void clip_load_matrices(clip_load *load)
{
    host_clip       *clip = &load->clip;
    ember_transform *pose = load->c->scratch[0];
    ember_mat34     *matrices =
        clip_load_push(load, (size_t)clip->bone_count * clip->frame_count, sizeof(*matrices));
    clip->matrices = matrices;
    for (uint32_t frame = 0; frame < clip->frame_count; frame++, matrices += clip->bone_count) {
        ember_compose_job  compose = {.out = matrices,
                                      .pose = pose,
                                      .parents = clip->parents,
                                      .bone_count = clip->bone_count};
        ember_matrices_job plain = {.out = matrices, .pose = pose, .bone_count = clip->bone_count};
        uint32_t           bone;
        emberi_host_decode(pose, clip, frame);
        ember_status status = load->local ? ember_compose_run(&compose) : ember_matrices_run(&plain);
        if (status != EMBER_OK)
            (void)emberi_failf(&load->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                               "invalid animation header: parents do not come before their bones");
        else if (!clip_frame_is_finite(matrices, clip->bone_count, &bone))
            (void)emberi_failf(&load->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
                               "invalid animation data: bone %u of frame %u is not finite", (unsigned)bone,
                               (unsigned)frame);
        if (load->err.status != EMBER_OK)
            clip_load_failed(load);
    }
}

static uint32_t clip_load_end(clip_load *load)
{
    ember_console *c = load->c;
    host_clip     *clips = c->clips.items;
    c->clips_size += load->size;
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
    const uint8_t *file = emberi_host_span(c, function, data, size);
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
    if (keyframes.record == EMBER_RECORD_D && c->state.skeleton >= 0) {
        const host_skeleton *skeletons = c->skeletons.items;
        clip->rest = skeletons[c->state.skeleton].rest;
        clip->rest_count = clip->rest != NULL ? skeletons[c->state.skeleton].bone_count : 0;
    }
    clip_load_matrices(&load);
    return clip_load_end(&load);
}

uint32_t emberi_host_keyframes_load(ember_console *c, uint32_t data, uint32_t size)
{
    return clip_load_embedded(c, HOST_NAME, data, size, emberi_ewzanim_check);
}

uint32_t emberi_host_load_clip(ember_console *c, uint32_t data, uint32_t size)
{
    return clip_load_embedded(c, HOST_NAME, data, size, emberi_eza_check);
}

/* ---- clips of the ROM ---- */

/* Squeezed frames one after the other, which is what they are squeezed for. */
static void clip_load_squeezed(clip_load *load, uint8_t *records)
{
    const ember_squeezed *block = &load->clip.rom->block;
    size_t                frame_size = (size_t)load->clip.bone_count * EMBER_KEYFRAME_SIZE,
           cursor_size = ember_squeeze_cursor_size(block);
    ember_arena_mark     mark = ember_arena_save(&load->c->arena);
    void                *memory = ember_arena_push(&load->c->arena, cursor_size, 1, 16);
    ember_squeeze_cursor cursor;
    ember_status         status =
        memory != NULL ? ember_squeeze_cursor_init(&cursor, block, memory, cursor_size) : EMBER_E_NOMEM;
    for (uint32_t frame = 0; status == EMBER_OK && frame < load->clip.frame_count; frame++)
        status = ember_squeeze_read(records + frame * frame_size, frame_size, &cursor, frame);
    if (status == EMBER_E_NOMEM)
        (void)emberi_fail_memory(&load->err);
    else if (status != EMBER_OK)
        (void)ember_fail(&load->err, status, EMBER_NO_OFFSET, "animation data is damaged");
    if (status != EMBER_OK)
        clip_load_failed(load);
    ember_arena_restore(&load->c->arena, mark);
}

uint32_t emberi_host_rom_keyframes(ember_console *c, uint32_t id, uint32_t id_size)
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
    load.local = rom->space == EMBER_SPACE_LOCAL && clip->parents != NULL;
    size_t count = (size_t)clip->bone_count * clip->frame_count;
    if (rom->block.method == EMBER_SQUEEZE_RAW) {
        if (rom->block.size / EMBER_KEYFRAME_SIZE < count) {
            (void)ember_fail(&load.err, EMBER_E_TRUNCATED, EMBER_NO_OFFSET, "animation data truncated");
            clip_load_failed(&load);
        }
        clip->records = rom->block.data;
    } else {
        uint8_t *records = clip_load_push(&load, count, EMBER_KEYFRAME_SIZE);
        clip_load_squeezed(&load, records);
        clip->records = records;
    }
    clip_load_matrices(&load);
    return clip_load_end(&load);
}
