/* SPDX-License-Identifier: MIT */
/* Clips out of ROMs. The library checks what is read; this only puts it into the model's form. */
#include "files/rom_input.h"

#include <stdio.h>
#include <string.h>

#include "cli/text.h"
#include "platform/folders.h"

static bool rom_is_named(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".ewz") == 0 || strcmp(dot, ".EWZ") == 0);
}

bool rom_input_is(const input *in)
{
    return ember_rom_sniff(in->bytes.data, in->bytes.size) || rom_is_named(in->path);
}

bool rom_input_is_file(const char *path)
{
    uint8_t first[8];
    /* What a pipe has given is gone. */
    if (strcmp(path, "-") == 0)
        return false;
    emberi_path_kind kind = emberi_path_is(path);
    if (kind == EMBERI_PATH_NOTHING)
        return rom_is_named(path); /* who opens it will be told why that cannot be */
    if (kind != EMBERI_PATH_FILE)
        return false;
    if (rom_is_named(path))
        return true;
    FILE *file = fopen(path, "rb");
    bool  is = file != NULL && fread(first, 1, sizeof(first), file) == sizeof(first) &&
              ember_rom_sniff(first, sizeof(first));
    if (file != NULL)
        fclose(file);
    return is;
}

bool rom_input_facts(ember_clip *out, ember_skeleton *skeleton, const ember_rom_clip *clip,
                     ember_arena *arena)
{
    ember_marker *markers = EMBER_PUSH(arena, ember_marker, clip->marker_count);
    const char  **names = EMBER_PUSH(arena, const char *, clip->bone_count);
    if (markers == NULL || names == NULL)
        return false;
    for (uint32_t i = 0; i < clip->marker_count; i++)
        ember_rom_clip_marker(&markers[i], clip, i);
    for (uint32_t i = 0; i < clip->bone_count; i++)
        names[i] = ember_rom_rig_name(&clip->rig, i);
    *skeleton = (ember_skeleton){clip->bone_count, clip->rig.parents, clip->rig.names != NULL ? names : NULL,
                                 clip->rig.rest, NULL};
    *out = (ember_clip){.name = clip->id,
                        .fps = clip->fps,
                        .loop = clip->loop,
                        .space = clip->space,
                        .bone_count = clip->bone_count,
                        .frame_count = clip->frame_count,
                        .marker_count = clip->marker_count,
                        .markers = markers};
    return true;
}

size_t rom_input_limit(const ember_rom *rom, size_t memory_limit)
{
    return memory_limit != 0 ? memory_limit : ember_memory_limit(ember_rom_size(rom));
}

static ember_status rom_input_pay(const ember_rom_clip *clip, size_t *left, ember_error *err)
{
    size_t need = (size_t)clip->bone_count * clip->frame_count * sizeof(ember_transform);
    if (need <= *left) {
        *left -= need;
        return EMBER_OK;
    }
    emberi_place where = EMBERI_PLACE_INIT;
    where.clip_name = clip->id;
    return emberi_fail_at(err, EMBER_E_LIMIT, where,
                          "%u frames of %u bones take %zu MiB, %zu are left of what its ROM may take",
                          (unsigned)clip->frame_count, (unsigned)clip->bone_count, (need + 0xfffff) >> 20,
                          *left >> 20);
}

/* A lean clip's poses as they decode; not by way of records, which would round them. */
static ember_status rom_input_lean(ember_clip *out, const ember_rom_clip *clip, ember_arena *arena,
                                   ember_error *err)
{
    ember_rom_frames frames;
    ember_transform *poses = EMBER_PUSH(arena, ember_transform, (size_t)clip->bone_count * clip->frame_count);
    if (poses == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    ember_status status = ember_rom_frames_open(&frames, clip, arena, err);
    for (uint32_t i = 0; i < clip->frame_count && status == EMBER_OK; i++)
        status =
            ember_rom_frames_read(poses + (size_t)i * clip->bone_count, clip->bone_count, &frames, i, err);
    out->frames = poses;
    return status;
}

ember_status rom_input_clip(ember_clip *out, ember_skeleton *skeleton, const ember_rom_clip *clip,
                            size_t *left, ember_arena *arena, ember_error *err)
{
    ember_buffer       bytes = {.allocator = ember_heap()};
    ember_read_options options = {.format = ember_rom_kind_format(EMBER_ROM_KEYFRAMES), .space = clip->space};
    ember_model        model;
    ember_status       status = rom_input_pay(clip, left, err);
    if (status == EMBER_OK && clip->form == EMBER_ROM_LEAN) {
        if (!rom_input_facts(out, skeleton, clip, arena))
            return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
        return rom_input_lean(out, clip, arena, err);
    }
    if (status == EMBER_OK)
        status = ember_rom_clip_file(&bytes, clip, err);
    if (status == EMBER_OK)
        status = ember_model_read(&model, bytes.data, bytes.size, &options, arena, err);
    ember_buffer_free(&bytes);
    if (status == EMBER_OK && !rom_input_facts(out, skeleton, clip, arena))
        status = ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory");
    if (status == EMBER_OK)
        out->frames = model.clips[0].frames;
    return status;
}

char *rom_input_name(const ember_rom_entry *entry)
{
    return text_make("%s:%s", ember_rom_kind_name((ember_rom_kind)entry->kind), entry->id);
}
