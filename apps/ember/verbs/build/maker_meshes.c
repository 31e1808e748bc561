/* SPDX-License-Identifier: MIT */
/* Meshes of a model and their textures as assets of a ROM. Equal textures become one asset. */
#include <stdlib.h>
#include <string.h>

#include "verbs/build/maker.h"

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
    if (!maker_image_is_whole(m, mesh->texture, mesh->texture_size, mesh->name))
        return NULL;
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

void maker_meshes(maker *m, const ember_model *model)
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
