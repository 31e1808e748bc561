/* SPDX-License-Identifier: MIT */
/* Meshes and skeletons, from a game's memory or from the ROM. */
#include <string.h>

#include "console/guest_memory.h"
#include "format/mesh/ewzmesh.h"

/* ---- skeletons ---- */

static uint32_t skeleton_add(ember_console *c, const host_skeleton *skeleton)
{
    host_skeleton *all = c->skeletons.items;
    all[c->skeletons.count] = *skeleton;
    return emberi_host_handle(HOST_SKELETON, c->skeletons.count++);
}

uint32_t emberi_host_load_skeleton(ember_console *c, guest_in matrices, uint32_t count)
{
    ember_mat43 columns[EMBER_MAX_BONES];
    emberi_host_begin_load(c, HOST_NAME, &c->skeletons, sizeof(host_skeleton));
    if (count == 0 || count > EMBER_MAX_BONES)
        emberi_host_trap(c, HOST_NAME, "%u bones, must be 1 to %u", (unsigned)count, EMBER_MAX_BONES);
    emberi_host_floats(columns[0].m, c, HOST_NAME, matrices, count * 12);
    ember_mat34 *binds = EMBER_PUSH(&c->arena, ember_mat34, count);
    if (binds == NULL)
        emberi_host_trap(c, HOST_NAME, "out of memory");
    for (uint32_t i = 0; i < count; i++)
        binds[i] = ember_mat34_from_mat43(&columns[i]);
    return skeleton_add(c, &(host_skeleton){.bone_count = count, .inverse_binds = binds});
}

uint32_t emberi_host_rom_skeleton(ember_console *c, guest_in id, uint32_t id_size)
{
    emberi_host_begin_load(c, HOST_NAME, &c->skeletons, sizeof(host_skeleton));
    ember_arena_mark   mark = ember_arena_save(&c->arena);
    ember_rom_entry    entry = emberi_host_asset(c, HOST_NAME, EMBER_ROM_SKELETON, "skeleton", id, id_size);
    ember_read_options options = {.format = EMBER_FORMAT_EWZSKEL};
    ember_error        err = EMBER_ERROR_INIT;
    ember_model        model;
    if (ember_model_read(&model, entry.data, entry.size, &options, &c->arena, &err) != EMBER_OK)
        emberi_host_load_failed(c, HOST_NAME, mark, &err);
    const ember_skeleton *s = &model.skeleton;
    return skeleton_add(c, &(host_skeleton){s->bone_count, s->inverse_binds, s->parents, s->rest});
}

/* ---- meshes ---- */

static uint32_t mesh_add(ember_console *c, const ember_mesh *mesh)
{
    ember_mesh *all = c->meshes.items;
    all[c->meshes.count] = *mesh;
    return emberi_host_handle(HOST_MESH, c->meshes.count++);
}

typedef struct mesh_arguments {
    uint32_t data, vertex_count, indices, index_count, format;
    bool     indexed, packed;
} mesh_arguments;

static uint32_t mesh_load(ember_console *c, const char *function, const mesh_arguments *a)
{
    emberi_host_begin_load(c, function, &c->meshes, sizeof(ember_mesh));
    if (a->format > EWZMESH_ALL)
        emberi_host_trap(c, function, "unknown bits in the vertex format");
    if (a->indexed && a->index_count == 0)
        emberi_host_trap(c, function, "there are no indices");
    emberi_ewzmesh_parts parts = {.vertex_count = a->vertex_count,
                                  .index_count = a->index_count,
                                  .packed = a->packed,
                                  .scale = 1.0f};
    parts.format = (uint8_t)a->format;
    const char *fault = emberi_ewzmesh_fault(&parts);
    if (fault != NULL)
        emberi_host_trap(c, function, "%s", fault);
    parts.vertices =
        emberi_host_in(c, function, a->data,
                       (uint64_t)a->vertex_count * emberi_ewzmesh_stride(parts.format, a->packed));
    parts.indices = emberi_host_in(c, function, a->indices, (uint64_t)a->index_count * 2);
    ember_arena_mark      mark = ember_arena_save(&c->arena);
    emberi_ewzmesh_report report;
    ember_error           err = EMBER_ERROR_INIT;
    ember_mesh            mesh = {.name = ""};
    if (emberi_ewzmesh_decode(&mesh, &report, &parts, &c->arena, &err) != EMBER_OK)
        emberi_host_load_failed(c, function, mark, &err);
    return mesh_add(c, &mesh);
}

uint32_t emberi_host_load_mesh(ember_console *c, guest_in data, uint32_t vertex_count, uint32_t format)
{
    return mesh_load(c, HOST_NAME, &(mesh_arguments){data, vertex_count, 0, 0, format, false, false});
}

uint32_t emberi_host_load_mesh_packed(ember_console *c, guest_in data, uint32_t vertex_count, uint32_t format)
{
    return mesh_load(c, HOST_NAME, &(mesh_arguments){data, vertex_count, 0, 0, format, false, true});
}

uint32_t emberi_host_load_mesh_indexed(ember_console *c, guest_in data, uint32_t vertex_count,
                                       guest_in indices, uint32_t index_count, uint32_t format)
{
    return mesh_load(c, HOST_NAME,
                     &(mesh_arguments){data, vertex_count, indices, index_count, format, true, false});
}

uint32_t emberi_host_load_mesh_indexed_packed(ember_console *c, guest_in data, uint32_t vertex_count,
                                              guest_in indices, uint32_t index_count, uint32_t format)
{
    return mesh_load(c, HOST_NAME,
                     &(mesh_arguments){data, vertex_count, indices, index_count, format, true, true});
}

/* ---- meshes of the ROM ---- */

/* One more, by its entry. A failure takes back all of them from `first` on. */
static void mesh_load_entry(ember_console *c, const char *function, const ember_rom_entry *entry,
                            ember_arena_mark mark, uint32_t first)
{
    ember_rom_entry    texture;
    ember_read_options options = {.format = EMBER_FORMAT_EWZMESH};
    ember_error        err = EMBER_ERROR_INIT;
    ember_model        model;
    ember_rom_mesh     bytes;
    if (ember_rom_mesh_open(&bytes, c->options.rom, entry, &err) != EMBER_OK ||
        ember_model_read(&model, bytes.data, bytes.size, &options, &c->arena, &err) != EMBER_OK) {
        c->meshes.count = first;
        emberi_host_load_failed(c, function, mark, &err);
    }
    ember_mesh mesh = model.meshes[0];
    mesh.bone = bytes.bone >= 0 ? bytes.bone : mesh.bone;
    if (ember_rom_texture(&texture, c->options.rom, entry)) {
        mesh.texture = texture.data;
        mesh.texture_size = texture.size;
    }
    (void)mesh_add(c, &mesh);
}

/* Whether the entry is one of the meshes of the file that id names: `id/`, and no further `/`. */
static bool mesh_is_part(const ember_rom_entry *entry, const char *id, uint32_t id_size)
{
    return entry->kind == EMBER_ROM_MESH && entry->id_size > id_size + 1 && entry->id[id_size] == '/' &&
           memcmp(entry->id, id, id_size) == 0 &&
           memchr(entry->id + id_size + 1, '/', entry->id_size - id_size - 1) == NULL;
}

/* Makes room first, so that what may trap does so before anything is there. */
static uint32_t mesh_load_parts(ember_console *c, const char *function, const char *id, uint32_t id_size)
{
    ember_rom_entry entry;
    uint32_t        count = 0, first = c->meshes.count;
    for (uint32_t i = 0; id_size != 0 && i < ember_rom_entry_count(c->options.rom); i++)
        if (ember_rom_entry_at(&entry, c->options.rom, i) && mesh_is_part(&entry, id, id_size)) {
            emberi_host_verify(c, function, &entry);
            count++;
        }
    if (count == 0)
        emberi_host_no_asset(c, function, EMBER_ROM_MESH, "mesh", id, id_size);
    ember_arena_mark mark = ember_arena_save(&c->arena);
    emberi_host_begin_load(c, function, &c->models, sizeof(host_model));
    emberi_host_reserve(c, function, &c->meshes, count, sizeof(ember_mesh));
    for (uint32_t i = 0; i < ember_rom_entry_count(c->options.rom); i++)
        if (ember_rom_entry_at(&entry, c->options.rom, i) && mesh_is_part(&entry, id, id_size))
            mesh_load_entry(c, function, &entry, mark, first);
    host_model *models = c->models.items;
    models[c->models.count] = (host_model){first, count};
    return emberi_host_handle(HOST_MODEL, c->models.count++);
}

uint32_t emberi_host_rom_mesh(ember_console *c, guest_in id, uint32_t id_size)
{
    emberi_host_begin_load(c, HOST_NAME, &c->meshes, sizeof(ember_mesh));
    const char      *text = (const char *)emberi_host_in(c, HOST_NAME, id, id_size);
    ember_arena_mark mark = ember_arena_save(&c->arena);
    ember_rom_entry  entry;
    if (c->options.rom == NULL)
        emberi_host_no_asset(c, HOST_NAME, EMBER_ROM_MESH, "mesh", text, id_size);
    if (!ember_rom_find(&entry, c->options.rom, EMBER_ROM_MESH, text, id_size))
        return mesh_load_parts(c, HOST_NAME, text, id_size);
    emberi_host_verify(c, HOST_NAME, &entry);
    mesh_load_entry(c, HOST_NAME, &entry, mark, c->meshes.count);
    return emberi_host_handle(HOST_MESH, c->meshes.count - 1);
}
