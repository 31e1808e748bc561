/* A clip out of a ROM, with the skeleton and the meshes that were built from the same file: those whose ids begin like the clip's. */
#include <stdlib.h>
#include <string.h>

#include "pick.h"
#include "preview.h"
#include "rom_input.h"
#include "text.h"

typedef struct rom_parts {
    preview      *p;
    ember_clip   *facts;   /* of all clips: names to pick from */
    uint32_t     *indices; /* their entries */
    uint32_t      count;
    const char   *id; /* of the picked one */
    size_t        prefix; /* how much of it its companions share: up to the last slash */
    ember_mesh   *meshes;
    uint32_t      mesh_count;
} rom_parts;

static bool rom_failed(preview *p, const ember_error *err) { return say_library(p->say, p->in.name, NULL, err), false; }

static bool rom_list(rom_parts *r)
{
    preview        *p = r->p;
    uint32_t        entries = ember_rom_entry_count(p->rom);
    ember_rom_entry entry;
    r->facts = EMBER_PUSH(&p->in.arena, ember_clip, entries);
    r->indices = EMBER_PUSH(&p->in.arena, uint32_t, entries);
    if (r->facts == NULL || r->indices == NULL)
        return say_error(p->say, (place){p->in.name, NULL, NULL}, "out of memory"), false;
    for (uint32_t i = 0; i < entries; i++)
        if (ember_rom_entry_at(&entry, p->rom, i) && entry.kind == EMBER_ROM_KEYFRAMES) {
            r->facts[r->count].name = entry.id;
            r->indices[r->count++] = i;
        }
    if (r->count == 0)
        return say_error(p->say, (place){p->in.name, NULL, NULL}, "there are no clips in this ROM"), false;
    return true;
}

static bool rom_pick(rom_parts *r, ember_rom_entry *out)
{
    preview    *p = r->p;
    ember_model names = {.clip_count = r->count, .clips = r->facts};
    const char *word = args_value(p->args, "clip");
    uint32_t    picked = 0;
    if (word != NULL) {
        const ember_clip *clip = preview_pick(p, &names, word);
        if (clip == NULL)
            return false;
        picked = (uint32_t)(clip - r->facts);
    } else if (r->count > 1) {
        say_note(p->say, (place){p->in.name, NULL, NULL}, "it has %u clips, this is '%s' (--clip picks another)", (unsigned)r->count, r->facts[0].name);
    }
    (void)ember_rom_entry_at(out, p->rom, r->indices[picked]);
    const char *slash = strrchr(out->id, '/');
    r->id = out->id;
    r->prefix = slash != NULL ? (size_t)(slash - out->id) : 0;
    return true;
}

static bool rom_belongs(const rom_parts *r, const ember_rom_entry *entry)
{
    return strncmp(entry->id, r->id, r->prefix) == 0 && (r->prefix == 0 || entry->id[r->prefix] == '/' || entry->id[r->prefix] == '\0');
}

static void rom_add_mesh(rom_parts *r, const ember_rom_entry *entry)
{
    ember_read_options options = {.format = EMBER_FORMAT_EWZMESH};
    ember_error        err = EMBER_ERROR_INIT;
    ember_rom_entry    texture;
    ember_model        model;
    if (ember_model_read(&model, entry->data, entry->size, &options, &r->p->in.arena, &err) != EMBER_OK || model.mesh_count == 0) {
        say_warning(r->p->say, (place){r->p->in.name, NULL, NULL}, "mesh %s is not shown: %s", entry->id, err.text);
        return;
    }
    ember_mesh *mesh = &r->meshes[r->mesh_count++];
    *mesh = model.meshes[0];
    mesh->name = entry->id;
    if (ember_rom_texture(&texture, r->p->rom, entry)) {
        mesh->texture = texture.data;
        mesh->texture_size = texture.size;
    }
}

/* Inverse binds for as many bones as the clip has. */
static void rom_add_skeleton(rom_parts *r, const ember_rom_entry *entry, ember_skeleton *skeleton)
{
    ember_read_options options = {.format = EMBER_FORMAT_EWZSKEL};
    ember_model        model;
    if (ember_model_read(&model, entry->data, entry->size, &options, &r->p->in.arena, NULL) == EMBER_OK && model.skeleton.bone_count == skeleton->bone_count)
        skeleton->inverse_binds = model.skeleton.inverse_binds;
}

bool preview_open_rom(preview *p)
{
    rom_parts       r = {.p = p};
    ember_error     err = EMBER_ERROR_INIT;
    ember_rom_entry entry;
    ember_rom_clip  clip;
    ember_clip     *shown;
    if (ember_rom_open_file(&p->rom, p->in.path, ember_heap(), &err) != EMBER_OK)
        return rom_failed(p, &err);
    if (!rom_list(&r) || !rom_pick(&r, &entry))
        return false;
    shown = EMBER_PUSH(&p->in.arena, ember_clip, 1);
    r.meshes = EMBER_PUSH(&p->in.arena, ember_mesh, ember_rom_entry_count(p->rom));
    if (shown == NULL || r.meshes == NULL)
        return say_error(p->say, (place){p->in.name, NULL, NULL}, "out of memory"), false;
    if (ember_rom_verify(p->rom, &entry, &err) != EMBER_OK || ember_rom_clip_open(&clip, p->rom, &entry, &err) != EMBER_OK ||
        rom_input_clip(shown, &p->in.model.skeleton, &clip, &p->in.arena, &err) != EMBER_OK)
        return rom_failed(p, &err);
    for (uint32_t i = 0; i < ember_rom_entry_count(p->rom); i++) {
        if (!ember_rom_entry_at(&entry, p->rom, i) || !rom_belongs(&r, &entry))
            continue;
        if (entry.kind == EMBER_ROM_MESH)
            rom_add_mesh(&r, &entry);
        else if (entry.kind == EMBER_ROM_SKELETON)
            rom_add_skeleton(&r, &entry, &p->in.model.skeleton);
    }
    p->in.model.clips = shown;
    p->in.model.clip_count = 1;
    p->in.model.meshes = r.meshes;
    p->in.model.mesh_count = r.mesh_count;
    return true;
}
