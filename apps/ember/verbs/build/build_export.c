/* SPDX-License-Identifier: MIT */
/* From one file to its assets. What artists make is exported as `ember export` does it; what is the console's
   already goes in as it is, checked. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/text.h"
#include "codec/ewzanim.h"
#include "codec/quat32.h"
#include "files/deliver.h"
#include "files/ff7_options.h"
#include "files/input.h"
#include "verbs/build/build.h"
#include "verbs/validate/validate_ewz.h"

/* The model as it reads with one rate and loop: clips may have other ones than their file. */
typedef struct maker_reading {
    double rate;
    bool   loop;
    input  in;
} maker_reading;

typedef struct maker {
    const build_job    *job;
    build_file         *file;
    const ember_buffer *bytes;
    app_say             say;
    ember_arena         arena;
    char               *id; /* the file's */
    ember_rom_asset    *assets;
    uint32_t            count;
    maker_reading      *readings;
    size_t              reading_count;
    input               skeleton; /* of the file that ember.json names for its bones, or that lies beside */
    ember_ff7_skeleton  ff7;      /* the same, where it is one of Final Fantasy VII's; no bones: none */
    bool                local;    /* a clip in local space was made */
} maker;

static const place maker_nowhere = {NULL, NULL, NULL};

/* ---- assets ---- */

/* One of which no other can have the id. */
static void maker_put(maker *m, ember_rom_asset asset, const char *name, uint32_t number)
{
    build_origin_add(m->file, asset.kind, asset.id, name, asset.method);
    m->file->origins[m->file->origin_count - 1].number = number;
    asset.id = m->file->origins[m->file->origin_count - 1].id; /* lives as long as the file */
    asset.method = EMBER_SQUEEZE_RAW;
    m->assets = must_grow(m->assets, m->count, sizeof(*m->assets));
    m->assets[m->count++] = asset;
}

static void maker_add(maker *m, ember_rom_asset asset, const char *name, uint32_t number)
{
    for (size_t i = 0; i < m->file->origin_count; i++) {
        const build_origin *other = &m->file->origins[i];
        if (other->kind == asset.kind && strcmp(other->id, asset.id) == 0) {
            say_error(&m->say, (place){NULL, name, NULL},
                      "the %s id '%s' is also that of '%s': give #%u or #%u another \"id\" in ember.json",
                      ember_rom_kind_name(asset.kind), asset.id, other->name != NULL ? other->name : "",
                      (unsigned)number, (unsigned)other->number);
            return;
        }
    }
    maker_put(m, asset, name, number);
}

/* Bytes that live as long as the maker. */
static const uint8_t *maker_keep(maker *m, const ember_buffer *bytes)
{
    uint8_t *copy = ember_arena_push(&m->arena, bytes->size, 1, 16);
    if (copy == NULL)
        say_error(&m->say, maker_nowhere, "out of memory");
    else if (bytes->size != 0)
        memcpy(copy, bytes->data, bytes->size);
    return copy;
}

static void maker_take_note(void *user, const ember_note *note)
{
    maker *m = user;
    place  where = {NULL, note->clip, note->bone};
    /* What a single file does not hold, the ROM does. */
    if (note->kind == EMBER_NOTE_WARNING)
        say_warning(&m->say, where, "%s", note->text);
}

/* Writes the model as a file of the asset's kind and keeps the bytes; false with a message. */
static bool maker_write(maker *m, ember_rom_asset *asset, const ember_model *model, ember_fit fit,
                        const char *name)
{
    ember_buffer        bytes = {.allocator = ember_heap()};
    ember_error         err = EMBER_ERROR_INIT;
    ember_write_options options = {.format = ember_rom_kind_format(asset->kind),
                                   .space = asset->space,
                                   .fit = fit};
    options.notes = (ember_notes){maker_take_note, m};
    asset->data = NULL;
    if (ember_model_write(&bytes, model, &options, &err) != EMBER_OK)
        say_library_at(&m->say, (place){NULL, name, NULL}, &err);
    else
        asset->data = maker_keep(m, &bytes);
    asset->size = bytes.size;
    ember_buffer_free(&bytes);
    return asset->data != NULL;
}

/* "hero", or "hero/walk" where the file has several; what ember.json says goes before. Free it. */
static char *maker_part_id(const maker *m, const build_choice *choice, const char *name, uint32_t index,
                           uint32_t count)
{
    if (choice->id != NULL)
        return text_make("%s", choice->id);
    if (count == 1)
        return text_make("%s", m->id);
    char *part = name[0] != '\0' ? build_id(name) : text_make("%u", (unsigned)index);
    char *id = text_make("%s/%s", m->id, part);
    free(part);
    return id;
}

/* ---- reading ---- */

static bool maker_match(maker *m, input *in)
{
    ember_error  err = EMBER_ERROR_INIT;
    say_listener listener = {.say = &m->say, .file = NULL, .one_clip = false};
    ember_notes  notes = say_notes(&listener);
    if (ember_model_match(&in->model, &in->model, &m->skeleton.model.skeleton, &notes, &in->arena, &err) ==
        EMBER_OK)
        return true;
    say_library(&m->say, NULL, &err);
    return false;
}

static bool maker_parse(maker *m, maker_reading *reading)
{
    input              *in = &reading->in;
    const build_choice *choice = &m->file->choice;
    ember_error         err = EMBER_ERROR_INIT;
    ember_read_options  options = {.scale = choice->scale,
                                   .skin = choice->skin,
                                   .loop = reading->loop,
                                   .space = choice->space,
                                   .memory_limit = m->job->memory_limit};
    in->path = in->name = m->file->full;
    in->bytes = *m->bytes; /* lent */
    in->arena = ember_arena_growing(ember_heap(), 0);
    if (!input_tell(in, &options, &err))
        return say_library(&m->say, NULL, &err), false;
    options.fps = in->info->curves ? reading->rate : 0.0;
    /* Without names there is nothing to match: their bones are the skeleton's, by number. */
    bool              numbered = !in->info->stores.names;
    ember_ff7_options ff7 = {.skeleton = m->ff7.bone_count != 0 ? &m->ff7 : NULL};
    options.ff7 = &ff7;
    if (numbered && m->skeleton.info != NULL)
        options.skeleton = &m->skeleton.model.skeleton;
    /* What the first reading had to say need not be said again. */
    app_say silent = {.quiet = true};
    if (!input_parse(in, &options, m->reading_count == 1 ? &m->say : &silent, &err))
        return say_library(&m->say, NULL, &err), false;
    if (!numbered && m->skeleton.info != NULL)
        return maker_match(m, in);
    return true;
}

/* The file as it reads with this rate and loop; NULL with a message. */
static const input *maker_read(maker *m, double rate, bool loop)
{
    for (size_t i = 0; i < m->reading_count; i++)
        if (m->readings[i].rate == rate && m->readings[i].loop == loop)
            return &m->readings[i].in;
    m->readings = must_grow(m->readings, m->reading_count, sizeof(*m->readings));
    maker_reading *reading = &m->readings[m->reading_count++];
    *reading = (maker_reading){.rate = rate, .loop = loop};
    return maker_parse(m, reading) ? &reading->in : NULL;
}

static bool maker_open_skeleton(maker *m)
{
    const char        *path = m->file->choice.skeleton;
    ember_read_options plain = {.memory_limit = m->job->memory_limit,
                                .skip_meshes = true,
                                .skip_clips = true};
    ember_error        err = EMBER_ERROR_INIT;
    if (path == NULL)
        return true;
    char *full = text_make("%s/%s", m->job->folder, path);
    bool  good = input_read(&m->skeleton, full, &plain, &m->say, &err);
    if (!good)
        say_error(&m->say, maker_nowhere, "its skeleton %s: %s", path, emberi_error_line_of(&err).text);
    else if (m->skeleton.model.skeleton.bone_count == 0)
        good =
            say_error(&m->say, maker_nowhere, "its skeleton %s: there are no bones in it", path) == EXIT_DONE;
    else if (!ff7_skeleton_of(&m->ff7, &m->skeleton, &m->arena, &err))
        good = say_error(&m->say, maker_nowhere, "its skeleton %s: %s", path,
                         emberi_error_line_of(&err).text) == EXIT_DONE;
    m->skeleton.path = m->skeleton.name = NULL;
    free(full);
    return good;
}

/* ---- clips ---- */

/* The skeleton of just the clip's bones; false where a local clip would lose a parent. */
static bool maker_clip_bones(maker *m, ember_skeleton *out, const ember_skeleton *whole,
                             const ember_clip *clip, ember_space space)
{
    int32_t orphan;
    if (ember_skeleton_of_clip(out, &orphan, whole, clip, &m->arena) != EMBER_OK)
        return say_error(&m->say, maker_nowhere, "out of memory"), false;
    if (orphan < 0 || space != EMBER_SPACE_LOCAL)
        return true;
    say_error(&m->say, (place){NULL, clip->name, ember_skeleton_name(whole, (uint32_t)orphan)},
              "the clip does not have the bone's parent, which a clip in local space needs");
    return false;
}

/* Frames at the wanted rate; files of curves were sampled at it already, and keyframe files keep theirs
   unless ember.json says otherwise. */
static bool maker_resample(maker *m, ember_clip *clip, const input *in, const build_choice *choice)
{
    bool kept = in->info->curves || choice->rate == EMBER_FPS_SOURCE ||
                (in->info->record_offset != 0 && !choice->rate_set);
    if (kept)
        return true;
    ember_clip  source = *clip;
    ember_error err = EMBER_ERROR_INIT;
    double      rate = choice->rate > 0.0 ? choice->rate : EMBER_DEFAULT_FPS;
    if (input_resample(clip, in, &source, rate, &m->arena, &err) == EMBER_OK)
        return true;
    say_library_at(&m->say, (place){NULL, source.name, NULL}, &err);
    return false;
}

static void maker_clip(maker *m, const input *in, uint32_t index, const build_choice *choice)
{
    const ember_model *model = &in->model;
    ember_clip         clip = model->clips[index];
    ember_skeleton    *bones = EMBER_PUSH(&m->arena, ember_skeleton, 1);
    place              where = {NULL, clip.name, NULL};
    clip.loop = choice->loop >= 0 ? choice->loop != 0 : clip.loop;
    if (!maker_resample(m, &clip, in, choice) || bones == NULL)
        return;
    ember_space space = choice->space == EMBER_SPACE_LOCAL ? EMBER_SPACE_LOCAL : EMBER_SPACE_MODEL;
    bool        known = ember_skeleton_is_known(&model->skeleton);
    if (!known && space == EMBER_SPACE_LOCAL) {
        say_error(&m->say, where,
                  "in local space a clip needs its bones' parents: name a file that has them as \"skeleton\" "
                  "in ember.json");
        return;
    }
    m->local = m->local || space == EMBER_SPACE_LOCAL;
    if (!maker_clip_bones(m, bones, &model->skeleton, &clip, space))
        return;
    ember_model     only = {.format = model->format,
                            .skeleton = model->skeleton,
                            .clip_count = 1,
                            .clips = &clip};
    ember_rom_asset asset = {.kind = EMBER_ROM_KEYFRAMES, .space = space, .fps = clip.fps, .loop = clip.loop};
    if (!maker_write(m, &asset, &only, choice->fit, clip.name))
        return;
    asset.skeleton = known ? bones : NULL;
    asset.marker_count = clip.marker_count;
    asset.markers = clip.markers;
    asset.method = choice->squeeze >= 0         ? (ember_squeeze_method)choice->squeeze
                   : space == EMBER_SPACE_LOCAL ? EMBER_SQUEEZE_QUICK
                                                : EMBER_SQUEEZE_SMALL;
    char *id = maker_part_id(m, choice, clip.name, index, model->clip_count);
    asset.id = id;
    maker_add(m, asset, clip.name, index);
    free(id);
}

static void maker_check_seen(maker *m, const char *what, const json_t *parts, const bool *seen)
{
    const char *name;
    json_t     *value;
    size_t      at = 0;
    for (size_t i = 0; i < json_array_size(parts); i++)
        if (!seen[i])
            say_error(&m->say, maker_nowhere, "ember.json wants its %s '%s', there is none", what,
                      json_string_value(json_array_get(parts, i)));
    json_object_foreach((json_t *)(uintptr_t)parts, name, value)
        if (!seen[at++])
            say_error(&m->say, maker_nowhere, "ember.json speaks of its %s '%s', there is none", what, name);
}

static void maker_clips(maker *m, const input *in)
{
    const json_t *parts = json_object_get(m->file->options, "clips");
    bool         *seen = must_alloc(json_array_size(parts) + json_object_size(parts), sizeof(*seen));
    uint32_t      slots = 0;
    for (uint32_t i = 0; i < in->model.clip_count && !m->file->choice.no_clips; i++) {
        const char  *name = in->model.clips[i].name;
        build_choice choice = build_choice_of_part(&m->file->choice, parts, name, i, seen);
        if (choice.skip)
            continue;
        if (deliver_is_slot(&in->model.clips[i],
                            ember_format_get(ember_rom_kind_format(EMBER_ROM_KEYFRAMES)))) {
            slots++;
            continue;
        }
        const input *own = maker_read(m, choice.rate, choice.loop == 1);
        if (own != NULL && i < own->model.clip_count)
            maker_clip(m, own, i, &choice);
    }
    if (slots != 0)
        say_note(&m->say, maker_nowhere, "%u empty %s left out", (unsigned)slots,
                 slots == 1 ? "slot is" : "slots are");
    maker_check_seen(m, "clip", parts, seen);
    free(seen);
}

/* ---- meshes ---- */

/* A base colour that is not white goes into the vertices: a mesh file has no other place for it. */
static bool maker_tint(maker *m, ember_mesh *mesh)
{
    typedef float four[4];
    const float  *base = mesh->base_color;
    if (base[0] == 1.0f && base[1] == 1.0f && base[2] == 1.0f && base[3] == 1.0f)
        return true;
    four *colors = EMBER_PUSH(&m->arena, four, mesh->vertex_count);
    for (uint32_t i = 0; colors != NULL && i < mesh->vertex_count; i++)
        for (int k = 0; k < 4; k++)
            colors[i][k] = base[k] * (mesh->colors != NULL ? mesh->colors[i][k] : 1.0f);
    mesh->colors = (const float(*)[4])colors;
    for (int k = 0; k < 4; k++)
        mesh->base_color[k] = 1.0f;
    return colors != NULL || say_error(&m->say, maker_nowhere, "out of memory") == EXIT_DONE;
}

static bool maker_same_texture(const ember_mesh *a, const ember_mesh *b)
{
    return a->texture != NULL && b->texture != NULL && a->texture_size == b->texture_size &&
           memcmp(a->texture, b->texture, a->texture_size) == 0;
}

/* The id of the mesh's texture, which becomes an asset with the first mesh that has it; NULL
   if it has none. */
static const char *maker_texture(maker *m, const ember_model *model, const ember_mesh *mesh,
                                 uint32_t mesh_index, const char *mesh_id)
{
    bool only = true; /* the file has no other texture */
    if (mesh->texture == NULL)
        return NULL;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->assets[i].kind == EMBER_ROM_TEXTURE && m->assets[i].size == mesh->texture_size &&
            memcmp(m->assets[i].data, mesh->texture, mesh->texture_size) == 0)
            return m->assets[i].id;
    for (uint32_t i = 0; i < model->mesh_count; i++)
        only = only && (model->meshes[i].texture == NULL || maker_same_texture(&model->meshes[i], mesh));
    ember_buffer    bytes = {.data = (uint8_t *)(uintptr_t)mesh->texture, .size = mesh->texture_size};
    ember_rom_asset asset = {.kind = EMBER_ROM_TEXTURE, .id = only ? m->id : mesh_id, .size = bytes.size};
    asset.data = maker_keep(m, &bytes);
    if (asset.data == NULL)
        return NULL;
    uint32_t before = m->count;
    maker_add(m, asset, mesh->name, mesh_index);
    return m->count > before ? m->assets[before].id : NULL;
}

static void maker_mesh(maker *m, const ember_model *model, uint32_t index, const build_choice *choice)
{
    ember_mesh      mesh = model->meshes[index];
    ember_rom_asset asset = {.kind = EMBER_ROM_MESH};
    char           *id = maker_part_id(m, choice, mesh.name, index, model->mesh_count);
    if (maker_tint(m, &mesh)) {
        asset.texture = maker_texture(m, model, &mesh, index, id);
        mesh.texture = NULL;
        mesh.texture_size = 0;
        ember_model only = {.format = model->format,
                            .skeleton = model->skeleton,
                            .mesh_count = 1,
                            .meshes = &mesh};
        asset.id = id;
        if (maker_write(m, &asset, &only, EMBER_FIT_CLOSED, mesh.name))
            maker_add(m, asset, mesh.name, index);
    }
    free(id);
}

static void maker_meshes(maker *m, const ember_model *model)
{
    const json_t *parts = json_object_get(m->file->options, "meshes");
    bool         *seen = must_alloc(json_array_size(parts) + json_object_size(parts), sizeof(*seen));
    for (uint32_t i = 0; i < model->mesh_count && !m->file->choice.no_meshes; i++) {
        build_choice choice = build_choice_of_part(&m->file->choice, parts, model->meshes[i].name, i, seen);
        if (!choice.skip)
            maker_mesh(m, model, i, &choice);
    }
    maker_check_seen(m, "mesh", parts, seen);
    free(seen);
}

/* ---- whole files ---- */

/* Whether nothing in the file needs a skeleton: all meshes follow single bones or stand still, which takes no
   inverse binds, and no clip has to be composed by the game. Parents, names and rest are with the clips. */
static bool maker_is_rigid(const maker *m, const ember_model *model)
{
    bool rigid = false, skinned = false;
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        skinned = skinned || model->meshes[i].joints != NULL;
        rigid = rigid || model->meshes[i].bone >= 0;
    }
    return rigid && !skinned && !m->local && model->clip_count != 0 && !m->file->choice.no_clips &&
           !m->file->choice.no_meshes && !m->file->choice.wants_skeleton;
}

static void maker_skeleton(maker *m, const ember_model *model)
{
    ember_model     bones = {.format = model->format, .skeleton = model->skeleton};
    ember_rom_asset asset = {.kind = EMBER_ROM_SKELETON, .id = m->id};
    /* A file that lies beside becomes assets itself, its bones among them; Final Fantasy VII's does not. */
    if (m->file->beside != NULL && m->ff7.bone_count == 0)
        return;
    if (m->file->choice.no_skeleton || model->skeleton.bone_count == 0 ||
        !ember_skeleton_is_known(&model->skeleton) || maker_is_rigid(m, model))
        return;
    if (maker_write(m, &asset, &bones, EMBER_FIT_CLOSED, NULL))
        maker_add(m, asset, NULL, 0);
}

static void maker_model(maker *m)
{
    const build_choice *choice = &m->file->choice;
    const input        *in = maker_open_skeleton(m) ? maker_read(m, choice->rate, choice->loop == 1) : NULL;
    if (in == NULL)
        return;
    input base = *in; /* further readings may move it */
    if (base.model.skeleton.bone_count > EMBER_MAX_BONES) {
        say_error(&m->say, maker_nowhere, "%u bones, at most %u are possible",
                  (unsigned)base.model.skeleton.bone_count, EMBER_MAX_BONES);
        return;
    }
    maker_meshes(m, &base.model);
    maker_clips(m, &base);
    maker_skeleton(m, &base.model);
    if (m->count == 0 && !m->file->failed)
        say_warning(&m->say, maker_nowhere, "there is nothing in it for a ROM");
}

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
