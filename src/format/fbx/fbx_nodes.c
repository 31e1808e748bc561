/* SPDX-License-Identifier: MIT */
/* The nodes of the document: one for each of the scene's, but for helpers that are part of the node they
   serve, and one more where a parent's scale is taken back. */
#include "format/fbx/fbx_parts.h"

#include <string.h>

/* The nearest node above that has one in the document. */
static uint32_t nodes_above(const fbx_scene *scene, uint32_t node)
{
    uint32_t above = scene->nodes[node].parent;
    while (above != FBX_NONE && scene->nodes[above].folded)
        above = scene->nodes[above].parent;
    return above;
}

static void nodes_put_matrix(emberi_json_out *json, const real_mat *m)
{
    emberi_json_key(json, "matrix");
    emberi_json_array(json);
    for (int i = 0; i < 16; i++)
        emberi_json_number(json, i % 4 == 3 ? (i == 15 ? 1.0 : 0.0) : m->m[i % 4][i / 4]);
    emberi_json_array_end(json);
}

/* Where the node is, seen from its parent, in metres. */
static real_mat nodes_matrix(const fbx_scene *scene, uint32_t node)
{
    real_mat m = scene->nodes[node].own;
    for (int r = 0; r < 3; r++)
        m.m[r][3] *= scene->length;
    if (node != 0)
        return m;
    m = emberi_real_mat_mul(&scene->axes, &m);
    for (int i = 0; scene->length != scene->unit && i < 12; i++)
        m.m[i / 4][i % 4] *= scene->unit;
    return m;
}

/* Children by node of the document, in the scene's order. */
typedef struct nodes_tree {
    uint32_t *first, *next, *last;
} nodes_tree;

static void nodes_link(nodes_tree *tree, uint32_t parent, uint32_t child)
{
    if (tree->first[parent] == FBX_NONE)
        tree->first[parent] = child;
    else
        tree->next[tree->last[parent]] = child;
    tree->last[parent] = child;
}

void emberi_fbx_number_nodes(fbx_scene *scene)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        fbx_node *node = &scene->nodes[i];
        if (node->folded)
            continue;
        if (node->scaled_by != FBX_NONE)
            node->compensation = count++;
        node->gltf = count++;
    }
    scene->gltf_count = count;
}

static bool nodes_tree_make(nodes_tree *tree, const fbx_scene *scene)
{
    uint32_t count = scene->gltf_count;
    tree->first = EMBER_PUSH(scene->arena, uint32_t, count);
    tree->next = EMBER_PUSH(scene->arena, uint32_t, count);
    tree->last = EMBER_PUSH(scene->arena, uint32_t, count);
    if (tree->first == NULL || tree->next == NULL || tree->last == NULL)
        return false;
    memset(tree->first, 0xff, count * sizeof(uint32_t));
    memset(tree->next, 0xff, count * sizeof(uint32_t));
    for (uint32_t i = 1; i < scene->node_count; i++) {
        const fbx_node *node = &scene->nodes[i];
        if (node->folded)
            continue;
        uint32_t above = scene->nodes[nodes_above(scene, i)].gltf;
        if (node->compensation != FBX_NONE) {
            nodes_link(tree, above, node->compensation);
            above = node->compensation;
        }
        nodes_link(tree, above, node->gltf);
    }
    return true;
}

static void nodes_put_children(emberi_json_out *json, const nodes_tree *tree, uint32_t node)
{
    if (tree->first[node] == FBX_NONE)
        return;
    emberi_json_key(json, "children");
    emberi_json_array(json);
    for (uint32_t child = tree->first[node]; child != FBX_NONE; child = tree->next[child])
        emberi_json_integer(json, child);
    emberi_json_array_end(json);
}

/* The node that takes a parent's scale back. Above a joint it holds the joint's translation too, which that
   scale does move. */
static void nodes_put_compensation(fbx_out *out, const fbx_scene *scene, const nodes_tree *tree,
                                   fbx_node *node, real_mat *own)
{
    emberi_json_out *json = emberi_fbx_add(out, FBX_NODES);
    const double    *scale = scene->nodes[node->scaled_by].scale;
    real_mat         m = emberi_real_mat_identity;
    for (int r = 0; r < 3; r++) {
        m.m[r][r] = 1.0 / scale[r];
        if (node->helper)
            continue;
        m.m[r][3] = own->m[r][3];
        own->m[r][3] = 0.0;
    }
    nodes_put_matrix(json, &m);
    nodes_put_children(json, tree, node->compensation);
    emberi_json_object_end(json);
}

ember_status emberi_fbx_nodes(fbx_out *out, fbx_scene *scene, const uint32_t *meshes, const uint32_t *skins,
                              ember_error *err)
{
    nodes_tree tree;
    if (!nodes_tree_make(&tree, scene))
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        fbx_node *node = &scene->nodes[i];
        if (node->folded)
            continue;
        real_mat own = nodes_matrix(scene, i);
        if (node->compensation != FBX_NONE)
            nodes_put_compensation(out, scene, &tree, node, &own);
        emberi_json_out *json = emberi_fbx_add(out, FBX_NODES);
        if (!node->helper && !node->inverse && node->name[0] != '\0') {
            emberi_json_put_string(json, "name", node->name);
        }
        if (memcmp(&own, &emberi_real_mat_identity, sizeof(own)) != 0)
            nodes_put_matrix(json, &own);
        emberi_fbx_put_index(json, "mesh", meshes[i]);
        emberi_fbx_put_index(json, "skin", skins[i]);
        nodes_put_children(json, &tree, node->gltf);
        emberi_json_object_end(json);
    }
    return EMBER_OK;
}
