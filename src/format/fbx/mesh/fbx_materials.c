/* SPDX-License-Identifier: MIT */
/* What of a material goes into the model: its base colour and the texture of that. Textures may stand for
   other textures; the way through them is a few steps long, so that cycles end. */
#include "format/fbx/mesh/fbx_mesh.h"

#define TEXTURE_STEPS 8

/* ---- which texture ---- */

/* The file's texture behind one that is made of others. */
static uint32_t texture_resolve(const fbx_document *doc, uint32_t texture)
{
    for (int step = 0; step < TEXTURE_STEPS; step++) {
        uint32_t  inner = FBX_NONE;
        fbx_links links = emberi_fbx_children(doc, texture);
        bool      has_file =
            doc->objects[texture].kind == FBX_TEXTURE &&
            (emberi_fbx_child_of_kind(doc, texture, FBX_VIDEO) != FBX_NONE ||
             emberi_fbx_string(&doc->file,
                               emberi_fbx_child(&doc->file, doc->objects[texture].record, "RelativeFilename"),
                               0)
                     .size != 0);
        for (uint32_t i = 0; i < links.count && !has_file && inner == FBX_NONE; i++) {
            uint32_t child = emberi_fbx_link(doc, links, i)->child;
            if (doc->objects[child].kind == FBX_TEXTURE || doc->objects[child].kind == FBX_LAYERED_TEXTURE)
                inner = child;
        }
        if (inner == FBX_NONE)
            return doc->objects[texture].kind == FBX_TEXTURE ? texture : FBX_NONE;
        texture = inner;
    }
    return FBX_NONE;
}

static uint32_t material_texture(const fbx_document *doc, uint32_t material)
{
    static const char *const names[] = {"DiffuseColor",
                                        "Maya|baseColor",
                                        "Maya|TEX_color_map",
                                        "3dsMax|Parameters|base_color_map",
                                        "3dsMax|main|baseColorMap",
                                        "3dsMax|main|base_color_map"};
    fbx_links                links = emberi_fbx_children(doc, material);
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        for (uint32_t i = 0; i < links.count; i++) {
            const fbx_connection *link = emberi_fbx_link(doc, links, i);
            fbx_kind              kind = doc->objects[link->child].kind;
            if (link->property.data == NULL || (kind != FBX_TEXTURE && kind != FBX_LAYERED_TEXTURE) ||
                !emberi_fbx_text_is(link->property, names[n]))
                continue;
            uint32_t texture = texture_resolve(doc, link->child);
            if (texture != FBX_NONE)
                return texture;
        }
    }
    return FBX_NONE;
}

/* ---- materials ---- */

static uint32_t material_object(const fbx_scene *scene, uint32_t node, uint32_t index, uint32_t *count)
{
    const fbx_document *doc = scene->doc;
    fbx_links           links = emberi_fbx_children(doc, scene->nodes[node].object);
    uint32_t            found = FBX_NONE;
    *count = 0;
    for (uint32_t i = 0; i < links.count; i++) {
        const fbx_connection *link = emberi_fbx_link(doc, links, i);
        if (link->property.data != NULL || doc->objects[link->child].kind != FBX_MATERIAL)
            continue;
        if (*count == index)
            found = link->child;
        ++*count;
    }
    return found;
}

uint32_t emberi_fbx_material_count(const fbx_scene *scene, uint32_t node)
{
    uint32_t count;
    (void)material_object(scene, node, 0, &count);
    return count;
}

void emberi_fbx_material_get(const fbx_scene *scene, fbx_material *out, uint32_t node, uint32_t index)
{
    const fbx_document *doc = scene->doc;
    double              color[3] = {1.0, 1.0, 1.0}, factor = 1.0;
    uint32_t            count, material = material_object(scene, node, index, &count);
    fbx_want            wants[] = {{.name = "Diffuse", .reals = color, .count = 3},
                                   {.name = "DiffuseColor", .reals = color, .count = 3},
                                   {.name = "DiffuseFactor", .reals = &factor, .count = 1}};
    out->texture = FBX_NONE;
    if (material != FBX_NONE) {
        emberi_fbx_properties(doc, material, wants, 3);
        out->texture = material_texture(doc, material);
    }
    /* Version 6 connects textures with the model itself. */
    if (out->texture == FBX_NONE && doc->by_name) {
        uint32_t texture = emberi_fbx_child_of_kind(doc, scene->nodes[node].object, FBX_TEXTURE);
        out->texture = texture != FBX_NONE ? texture_resolve(doc, texture) : FBX_NONE;
    }
    for (int k = 0; k < 4; k++) {
        /* A texture stands for the colour. */
        double value = k == 3 || out->texture != FBX_NONE ? 1.0 : color[k] * factor;
        out->color[k] = (float)(value > 0.0 ? value < 1.0 ? value : 1.0 : 0.0);
    }
}
