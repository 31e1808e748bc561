/* SPDX-License-Identifier: MIT */
/* From one file to its assets. What artists make is exported as `ember export` does it; what is the console's
   already goes in as it is, checked. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/text.h"
#include "codec/ewzanim.h"
#include "codec/quat32.h"
#include "verbs/build/maker.h"
#include "verbs/validate/validate_ewz.h"

/* Files made by hand from v2's table hold words that it has wrong. */
static void maker_check_words(maker *m)
{
    uint64_t count = 0;
    for (size_t at = EMBERI_EWZANIM_HEADER_SIZE;
         m->bytes->size >= EMBER_KEYFRAME_SIZE && at <= m->bytes->size - EMBER_KEYFRAME_SIZE;
         at += EMBER_KEYFRAME_SIZE)
        count += emberi_quat32_is_misprint(emberi_get_u32(m->bytes->data + at)) ? 1u : 0u;
    if (count != 0)
        say_warning(&m->say, maker_nowhere, "EWZ110: %s (%ju in all)", validate_ewz_misprint,
                    (uintmax_t)count);
}

static void maker_keyframes(maker *m)
{
    const build_choice *choice = &m->file->choice;
    ember_rom_asset     asset = {.kind = EMBER_ROM_KEYFRAMES,
                                 .id = m->id,
                                 .data = m->bytes->data,
                                 .size = m->bytes->size};
    asset.space = choice->space == EMBER_SPACE_LOCAL ? EMBER_SPACE_LOCAL : EMBER_SPACE_MODEL;
    asset.fps = choice->rate > 0.0 ? choice->rate : 0.0;
    asset.loop = choice->loop == 1;
    asset.method = choice->squeeze >= 0               ? (ember_squeeze_method)choice->squeeze
                   : asset.space == EMBER_SPACE_LOCAL ? EMBER_SQUEEZE_QUICK
                                                      : EMBER_SQUEEZE_SMALL;
    maker_check_words(m);
    if (!maker_open_skeleton(m))
        return;
    uint32_t bones = m->skeleton.model.skeleton.bone_count;
    uint32_t wanted =
        m->bytes->size >= EMBERI_EWZANIM_HEADER_SIZE ? emberi_ewzanim_get(m->bytes->data).bone_count : bones;
    if (m->skeleton.info != NULL && bones != wanted) {
        say_error(&m->say, maker_nowhere, "the clip has %u bones, its skeleton %s has %u", (unsigned)wanted,
                  choice->skeleton, (unsigned)bones);
        return;
    }
    if (m->skeleton.info != NULL)
        asset.skeleton = &m->skeleton.model.skeleton;
    else if (asset.space == EMBER_SPACE_LOCAL)
        say_error(&m->say, maker_nowhere,
                  "in local space a clip needs its bones' parents: name a file that has them as \"skeleton\" "
                  "in ember.json");
    maker_add(m, asset, NULL, 0);
}

/* Vertices as floats take twice the room, and a ROM has them packed. */
static void maker_mesh_file(maker *m)
{
    ember_rom_asset    asset = {.kind = EMBER_ROM_MESH,
                                .id = m->id,
                                .data = m->bytes->data,
                                .size = m->bytes->size};
    ember_read_options options = {.format = ember_rom_kind_format(asset.kind)};
    ember_rom_asset    packed = asset;
    ember_model        model;
    if (ember_model_read(&model, m->bytes->data, m->bytes->size, &options, &m->arena, NULL) == EMBER_OK &&
        maker_write(m, &packed, &model, EMBER_FIT_CLOSED, NULL) && packed.size < asset.size)
        asset = packed;
    maker_add(m, asset, NULL, 0);
}

/* Data that ember.json wants in pieces: id/0, id/1 and so on. */
static void maker_data(maker *m)
{
    size_t chunk = m->file->choice.chunk;
    if (m->file->choice.as == NULL && build_needs_skeleton(m->file->path))
        say_note(&m->say, maker_nowhere,
                 "stored as data: its clips need a skeleton, as \"skeleton\" in ember.json or in a file of "
                 "the same name");
    ember_rom_asset asset = {.kind = EMBER_ROM_DATA,
                             .id = m->id,
                             .data = m->bytes->data,
                             .size = m->bytes->size};
    if (chunk == 0 || m->bytes->size <= chunk) {
        maker_add(m, asset, NULL, 0);
        return;
    }
    size_t pieces = (m->bytes->size - 1) / chunk + 1;
    if (pieces > EMBER_ROM_MAX_ENTRIES) {
        say_error(&m->say, maker_nowhere,
                  "would be %zu pieces of %zu B, a ROM has %u entries at most: make \"chunk\" larger", pieces,
                  chunk, EMBER_ROM_MAX_ENTRIES);
        return;
    }
    for (size_t at = 0, i = 0; at < m->bytes->size; at += chunk, i++) {
        char *id = text_make("%s/%zu", m->id, i);
        asset.id = id;
        asset.data = m->bytes->data + at;
        asset.size = m->bytes->size - at < chunk ? m->bytes->size - at : chunk;
        maker_put(m, asset, NULL, 0);
        free(id);
    }
}

static void maker_plain(maker *m, ember_rom_kind kind)
{
    ember_rom_asset asset = {.kind = kind,
                             .id = kind == EMBER_ROM_GAME ? "game" : m->id,
                             .data = m->bytes->data,
                             .size = m->bytes->size};
    if (kind != EMBER_ROM_TEXTURE || maker_image_is_whole(m, asset.data, asset.size, NULL))
        maker_add(m, asset, NULL, 0);
}

static void maker_run(maker *m)
{
    switch (m->file->way) {
    case BUILD_EXPORT:
        maker_model(m);
        break;
    case BUILD_KEYFRAMES:
        maker_keyframes(m);
        break;
    case BUILD_SKELETON:
        maker_plain(m, EMBER_ROM_SKELETON);
        break;
    case BUILD_MESH:
        maker_mesh_file(m);
        break;
    case BUILD_TEXTURE:
        maker_plain(m, EMBER_ROM_TEXTURE);
        break;
    case BUILD_GAME:
        maker_plain(m, EMBER_ROM_GAME);
        break;
    default:
        maker_data(m);
        break;
    }
}

bool build_export(const build_job *job, build_file *file, const ember_buffer *bytes)
{
    maker m = {.job = job, .file = file, .bytes = bytes, .say = build_file_say(file)};
    char *stem = file->way == BUILD_DATA ? text_make("%s", file->path) : build_stem(file->path);
    m.id = file->choice.id != NULL ? text_make("%s", file->choice.id) : build_id(stem);
    m.arena = ember_arena_growing(ember_heap(), 0);
    maker_run(&m);
    bool good = !file->failed && build_file_pack(file, m.assets, m.count);
    for (size_t i = 0; i < m.reading_count; i++) {
        memset(&m.readings[i].in.bytes, 0, sizeof(m.readings[i].in.bytes)); /* lent */
        input_close(&m.readings[i].in);
    }
    input_close(&m.skeleton);
    ember_arena_free(&m.arena);
    free(m.readings);
    free(m.assets);
    free(m.id);
    free(stem);
    return good;
}
