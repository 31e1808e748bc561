/* SPDX-License-Identifier: MIT */
/* The frames of a ROM's clips, whatever their form: poses, and the files that records were made from. Frames
   may be damaged; they are checked while they are read. */
#include <string.h>

#include "base/bytes.h"
#include "base/fail.h"
#include "codec/ewzanim.h"
#include "ember/file.h"
#include "ember/pose.h"
#include "model/space.h"
#include "rom/rom_layout.h"

const char *ember_rom_clip_method(const ember_rom_clip *clip)
{
    return clip->form == EMBER_ROM_LEAN ? "lean" : ember_squeeze_method_name(clip->block.method);
}

static ember_status frames_fail(ember_error *err, ember_status status, const ember_rom_clip *clip,
                                const char *what)
{
    return emberi_failf(err, status, EMBER_NO_OFFSET, "%s: %s",
                        emberi_rom_label_of(EMBER_ROM_KEYFRAMES, clip->id).text, what);
}

/* ---- poses ---- */

static ember_status frames_open_lean(ember_rom_frames *out, ember_arena *arena, ember_error *err)
{
    const ember_rom_lean *lean = &out->clip->lean;
    ember_error           local = EMBER_ERROR_INIT;
    size_t                size = ember_lean_open_size(lean->data, lean->size, &lean->rig);
    void                 *memory = ember_arena_push(arena, size, 1, 32);
    if (memory == NULL)
        return emberi_fail_memory(err);
    ember_status status =
        ember_lean_open(&out->lean, lean->data, lean->size, &lean->rig, memory, size, &local);
    if (status != EMBER_OK)
        return frames_fail(err, status, out->clip, local.text);
    size = ember_lean_cursor_size(&out->lean);
    memory = ember_arena_push(arena, size, 1, 32);
    if (memory == NULL)
        return emberi_fail_memory(err);
    return ember_lean_cursor_init(&out->cursor, &out->lean, memory, size);
}

static ember_status frames_open_records(ember_rom_frames *out, ember_arena *arena, ember_error *err)
{
    const ember_squeezed *block = &out->clip->block;
    size_t                size = ember_squeeze_cursor_size(block);
    void                 *memory = ember_arena_push(arena, size, 1, 16);
    out->record_bytes = EMBER_PUSH(arena, uint8_t, (size_t)block->bone_count * EMBER_KEYFRAME_SIZE);
    if (memory == NULL || out->record_bytes == NULL)
        return emberi_fail_memory(err);
    return ember_squeeze_cursor_init(&out->records, block, memory, size);
}

ember_status ember_rom_frames_open(ember_rom_frames *out, const ember_rom_clip *clip, ember_arena *arena,
                                   ember_error *err)
{
    ember_arena_mark mark = ember_arena_save(arena);
    memset(out, 0, sizeof(*out));
    out->clip = clip;
    ember_status status = clip->form == EMBER_ROM_LEAN ? frames_open_lean(out, arena, err)
                                                       : frames_open_records(out, arena, err);
    if (status != EMBER_OK)
        ember_arena_restore(arena, mark);
    return status;
}

ember_status ember_rom_frames_read(ember_transform *out, size_t out_count, ember_rom_frames *frames,
                                   uint32_t frame, ember_error *err)
{
    const ember_rom_clip *clip = frames->clip;
    size_t                size = (size_t)clip->bone_count * EMBER_KEYFRAME_SIZE;
    ember_status          status;
    if (out == NULL || out_count < clip->bone_count || frame >= clip->frame_count)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                          "the frame is not one of the clip's, or there is no room for its bones");
    if (clip->form == EMBER_ROM_LEAN) {
        status = ember_lean_cursor_sample(out, out_count, &frames->cursor, frame, 0);
    } else {
        status = ember_squeeze_read(frames->record_bytes, size, &frames->records, frame);
        ember_decode_job job = {.out = out,
                                .out_count = out_count,
                                .frame = frames->record_bytes,
                                .frame_size = size,
                                .bone_count = clip->bone_count};
        if (status == EMBER_OK)
            status = ember_decode_run(&job);
    }
    if (status != EMBER_OK) {
        emberi_place where = EMBERI_PLACE_INIT;
        where.clip_name = clip->id;
        where.frame = (int32_t)frame;
        return emberi_fail_at(err, status, where, "its frames are damaged");
    }
    if (clip->form == EMBER_ROM_LEAN && clip->space == EMBER_SPACE_MODEL)
        emberi_pose_to_model(out, clip->rig.parents, clip->bone_count);
    return EMBER_OK;
}

/* ---- the file it was made from ---- */

static ember_status frames_read_records(uint8_t *out, const ember_rom_clip *clip, ember_arena *arena,
                                        ember_error *err)
{
    ember_rom_frames frames;
    size_t           frame_size = (size_t)clip->bone_count * EMBER_KEYFRAME_SIZE;
    ember_status     status = ember_rom_frames_open(&frames, clip, arena, err);
    for (uint32_t i = 0; i < clip->frame_count && status == EMBER_OK; i++) {
        status = ember_squeeze_read(out + i * frame_size, frame_size, &frames.records, i);
        if (status != EMBER_OK)
            (void)frames_fail(err, status, clip, "its frames are damaged");
    }
    return status;
}

/* Rounded as the exporter does it. */
static ember_status frames_write_lean(ember_buffer *out, const ember_rom_clip *clip, ember_arena *arena,
                                      ember_error *err)
{
    ember_rom_frames frames;
    ember_transform *poses = EMBER_PUSH(arena, ember_transform, (size_t)clip->bone_count * clip->frame_count);
    if (poses == NULL)
        return emberi_fail_memory(err);
    EMBERI_TRY(ember_rom_frames_open(&frames, clip, arena, err));
    for (uint32_t i = 0; i < clip->frame_count; i++)
        EMBERI_TRY(
            ember_rom_frames_read(poses + (size_t)i * clip->bone_count, clip->bone_count, &frames, i, err));
    ember_skeleton      skeleton = {.bone_count = clip->bone_count,
                                    .parents = clip->rig.parents,
                                    .rest = clip->rig.rest};
    ember_clip          shown = {.name = clip->id,
                                 .fps = clip->fps,
                                 .loop = clip->loop,
                                 .space = clip->space,
                                 .bone_count = clip->bone_count,
                                 .frame_count = clip->frame_count,
                                 .frames = poses};
    ember_model         model = {.skeleton = skeleton, .clips = &shown, .clip_count = 1};
    ember_write_options options = {.format = ember_rom_kind_format(EMBER_ROM_KEYFRAMES),
                                   .space = clip->space};
    return ember_model_write(out, &model, &options, err);
}

ember_status ember_rom_clip_file(ember_buffer *out, const ember_rom_clip *clip, ember_error *err)
{
    size_t       start = out->size;
    ember_arena  arena = ember_arena_growing(out->allocator, 0);
    ember_status status;
    if (clip->form == EMBER_ROM_LEAN) {
        status = frames_write_lean(out, clip, &arena, err);
    } else {
        uint8_t *room =
            ember_buffer_grow(out, (size_t)emberi_ewzanim_size(clip->bone_count, clip->frame_count));
        status = room != NULL ? EMBER_OK : emberi_fail_memory(err);
        if (room != NULL) {
            emberi_ewzanim_put(room, clip->bone_count, clip->frame_count);
            status = frames_read_records(room + EMBERI_EWZANIM_HEADER_SIZE, clip, &arena, err);
        }
    }
    ember_arena_free(&arena);
    if (status != EMBER_OK)
        out->size = start;
    return status;
}
