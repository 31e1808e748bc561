/* SPDX-License-Identifier: MIT */
/* A clip of a ROM with its companions. The library checks what is read. */
#include "files/rom_model.h"

#include <string.h>

#include "files/rom_input.h"

bool rom_model_list(const ember_clip **clips, const uint32_t **entries, uint32_t *count, const ember_rom *rom,
                    ember_arena *arena)
{
    uint32_t        most = ember_rom_entry_count(rom);
    ember_clip     *names = EMBER_PUSH(arena, ember_clip, most);
    uint32_t       *indices = EMBER_PUSH(arena, uint32_t, most);
    ember_rom_entry entry;
    *count = 0;
    for (uint32_t i = 0; names != NULL && indices != NULL && i < most; i++)
        if (ember_rom_entry_at(&entry, rom, i) && entry.kind == EMBER_ROM_KEYFRAMES) {
            names[*count].name = entry.id;
            indices[(*count)++] = i;
        }
    *clips = names;
    *entries = indices;
    return names != NULL && indices != NULL;
}

typedef struct rom_parts {
    const ember_rom *rom;
    const char      *file;
    app_say         *say;
    ember_arena     *arena;
    const char      *id;     /* of the clip */
    size_t           prefix; /* how much of it its companions share: up to the last slash */
    ember_mesh      *meshes;
    uint32_t         mesh_count;
} rom_parts;

/* How many bones a clip must have to move the mesh; 0 if it stands still. */
static uint32_t rom_bones_of(const ember_mesh *mesh)
{
    uint32_t most = mesh->bone >= 0 ? (uint32_t)mesh->bone + 1 : 0;
    for (uint32_t v = 0; mesh->joints != NULL && v < mesh->vertex_count; v++)
        for (int k = 0; k < 4; k++)
            if (mesh->weights[v][k] > 0.0f && mesh->joints[v][k] >= most)
                most = mesh->joints[v][k] + 1u;
    return most;
}

static bool rom_belongs(const rom_parts *r, const ember_rom_entry *entry)
{
    return strncmp(entry->id, r->id, r->prefix) == 0 &&
           (r->prefix == 0 || entry->id[r->prefix] == '/' || entry->id[r->prefix] == '\0');
}

/* By a number of bones: the fewest that a clip beside this one has and that are not fewer; 0 if
   none has so many. */
static void rom_fewest_bones(const rom_parts *r, uint32_t fewest[EMBER_MAX_BONES + 1])
{
    ember_rom_entry entry;
    ember_rom_clip  clip;
    memset(fewest, 0, (EMBER_MAX_BONES + 1) * sizeof(*fewest));
    for (uint32_t i = 0; i < ember_rom_entry_count(r->rom); i++)
        if (ember_rom_entry_at(&entry, r->rom, i) && entry.kind == EMBER_ROM_KEYFRAMES &&
            rom_belongs(r, &entry) && ember_rom_clip_open(&clip, r->rom, &entry, NULL) == EMBER_OK &&
            clip.bone_count <= EMBER_MAX_BONES)
            fewest[clip.bone_count] = clip.bone_count;
    for (uint32_t i = EMBER_MAX_BONES; i-- > 0;)
        if (fewest[i] == 0)
            fewest[i] = fewest[i + 1];
}

/* Keeps the meshes of this clip's model, or all where none is surely of it. */
static void rom_choose_meshes(rom_parts *r, uint32_t bones)
{
    uint32_t fewest[EMBER_MAX_BONES + 1], kept = 0;
    rom_fewest_bones(r, fewest);
    for (uint32_t i = 0; i < r->mesh_count; i++) {
        uint32_t needed = rom_bones_of(&r->meshes[i]);
        if (needed == 0 || needed > EMBER_MAX_BONES || fewest[needed] != bones)
            continue;
        ember_mesh of_another = r->meshes[kept];
        r->meshes[kept++] = r->meshes[i];
        r->meshes[i] = of_another;
    }
    if (kept == 0 || kept == r->mesh_count)
        return;
    say_note(r->say, (place){r->file, r->id, NULL},
             "%u of %u meshes are left out: they stand still or are of clips with fewer or more bones",
             (unsigned)(r->mesh_count - kept), (unsigned)r->mesh_count);
    r->mesh_count = kept;
}

static void rom_add_mesh(rom_parts *r, const ember_rom_entry *entry)
{
    ember_read_options options = {.format = ember_rom_kind_format(EMBER_ROM_MESH)};
    ember_error        err = EMBER_ERROR_INIT;
    ember_rom_entry    texture;
    ember_model        model;
    ember_rom_mesh     bytes;
    if (ember_rom_mesh_open(&bytes, r->rom, entry, &err) != EMBER_OK ||
        ember_model_read(&model, bytes.data, bytes.size, &options, r->arena, &err) != EMBER_OK ||
        model.mesh_count == 0) {
        say_warning(r->say, (place){r->file, NULL, NULL}, "mesh %s is left out: %s", entry->id,
                    emberi_error_line_of(&err).text);
        return;
    }
    ember_mesh *mesh = &r->meshes[r->mesh_count++];
    *mesh = model.meshes[0];
    mesh->bone = bytes.bone >= 0 ? bytes.bone : mesh->bone;
    mesh->name = entry->id;
    if (ember_rom_texture(&texture, r->rom, entry)) {
        mesh->texture = texture.data;
        mesh->texture_size = texture.size;
    }
}

/* Inverse binds for as many bones as the clip has. */
static void rom_add_skeleton(const rom_parts *r, const ember_rom_entry *entry, ember_skeleton *skeleton)
{
    ember_read_options options = {.format = ember_rom_kind_format(EMBER_ROM_SKELETON)};
    ember_model        model;
    if (ember_model_read(&model, entry->data, entry->size, &options, r->arena, NULL) == EMBER_OK &&
        model.skeleton.bone_count == skeleton->bone_count)
        skeleton->inverse_binds = model.skeleton.inverse_binds;
}

bool rom_model_companions(ember_model *out, const ember_rom *rom, const char *id, const char *file,
                          app_say *say, ember_arena *arena)
{
    rom_parts       r = {.rom = rom, .file = file, .say = say, .arena = arena, .id = id};
    uint32_t        entries = ember_rom_entry_count(rom);
    const char     *slash = strrchr(id, '/');
    ember_rom_entry entry;
    r.meshes = EMBER_PUSH(arena, ember_mesh, entries);
    if (r.meshes == NULL)
        return false;
    r.prefix = slash != NULL ? (size_t)(slash - id) : 0;
    for (uint32_t i = 0; i < entries; i++) {
        if (!ember_rom_entry_at(&entry, rom, i) || !rom_belongs(&r, &entry))
            continue;
        if (entry.kind == EMBER_ROM_MESH)
            rom_add_mesh(&r, &entry);
        else if (entry.kind == EMBER_ROM_SKELETON)
            rom_add_skeleton(&r, &entry, &out->skeleton);
    }
    rom_choose_meshes(&r, out->skeleton.bone_count);
    out->meshes = r.meshes;
    out->mesh_count = r.mesh_count;
    return true;
}

bool rom_model_open(ember_model *out, const ember_rom *rom, uint32_t index, size_t memory_limit,
                    const char *file, app_say *say, ember_arena *arena, ember_error *err)
{
    size_t          left = rom_input_limit(rom, memory_limit);
    ember_rom_entry entry;
    ember_rom_clip  clip;
    ember_clip     *shown = EMBER_PUSH(arena, ember_clip, 1);
    memset(out, 0, sizeof(*out));
    if (shown == NULL)
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory"), false;
    if (!ember_rom_entry_at(&entry, rom, index))
        return ember_fail(err, EMBER_E_MALFORMED, EMBER_NO_OFFSET, "the ROM's table is damaged"), false;
    if (ember_rom_verify(rom, &entry, err) != EMBER_OK ||
        ember_rom_clip_open(&clip, rom, &entry, err) != EMBER_OK ||
        rom_input_clip(shown, &out->skeleton, &clip, &left, arena, err) != EMBER_OK)
        return false;
    if (!rom_model_companions(out, rom, entry.id, file, say, arena))
        return ember_fail(err, EMBER_E_NOMEM, EMBER_NO_OFFSET, "out of memory"), false;
    out->format = ember_rom_kind_format(EMBER_ROM_KEYFRAMES);
    out->clips = shown;
    out->clip_count = 1;
    return true;
}

/* ---- all of them ---- */

/* Whether two clips move the same bones: they share a rig, or have rigs of their own because one is lean. */
static bool rom_same_bones(const ember_rom_clip *a, const ember_rom_clip *b)
{
    size_t count = a->bone_count;
    return count == b->bone_count && a->space == b->space &&
           memcmp(a->rig.parents, b->rig.parents, count * sizeof(*a->rig.parents)) == 0 &&
           (a->rig.rest == NULL) == (b->rig.rest == NULL) &&
           (a->rig.rest == NULL || memcmp(a->rig.rest, b->rig.rest, count * sizeof(*a->rig.rest)) == 0) &&
           a->rig.names_size == b->rig.names_size &&
           (a->rig.names == NULL || memcmp(a->rig.names, b->rig.names, a->rig.names_size) == 0);
}

bool rom_model_clips(ember_model *out, const ember_rom *rom, const ember_rom_entry *entries, uint32_t count,
                     size_t *left, const char *file, app_say *say, ember_arena *arena)
{
    ember_clip    *clips = EMBER_PUSH(arena, ember_clip, count);
    ember_rom_clip first;
    ember_error    err = EMBER_ERROR_INIT;
    memset(out, 0, sizeof(*out));
    out->format = ember_rom_kind_format(EMBER_ROM_KEYFRAMES);
    if (clips == NULL)
        return say_error(say, (place){file, NULL, NULL}, "out of memory"), false;
    for (uint32_t i = 0; i < count; i++) {
        ember_rom_clip clip;
        if (ember_rom_verify(rom, &entries[i], &err) != EMBER_OK ||
            ember_rom_clip_open(&clip, rom, &entries[i], &err) != EMBER_OK)
            return say_library(say, file, &err), false;
        first = i == 0 ? clip : first;
        if (!rom_same_bones(&clip, &first))
            return say_error(
                       say, (place){file, entries[i].id, NULL},
                       "has other bones, or is in another space, than %s: put {clip} in the output's name",
                       entries[0].id),
                   false;
        if (rom_input_clip(&clips[i], &out->skeleton, &clip, left, arena, &err) != EMBER_OK)
            return say_library(say, file, &err), false;
    }
    out->clips = clips;
    out->clip_count = count;
    return true;
}
