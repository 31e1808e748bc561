/* SPDX-License-Identifier: MIT */
/* The nodes and the tree they make: transforms, parents, and an order that has parents first. A child that
   is not there, a node with two parents or a circle is an error; after it the tree can be walked without
   further checks. */
#include "format/gltf/gltf.h"

static ember_status node_transform(const gltf_doc *doc, gltf_node *node, const json_t *object,
                                   gltf_where where)
{
    double       columns[16];
    bool         has_matrix, has_t, has_r, has_s;
    ember_status status = emberi_gltf_get_numbers(doc, columns, 16, &has_matrix, object, "matrix", where);
    node->trs = emberi_real_trs_identity;
    if (status == EMBER_OK)
        status = emberi_gltf_get_numbers(doc, node->trs.t, 3, &has_t, object, "translation", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_numbers(doc, node->trs.r, 4, &has_r, object, "rotation", where);
    if (status == EMBER_OK)
        status = emberi_gltf_get_numbers(doc, node->trs.s, 3, &has_s, object, "scale", where);
    if (status != EMBER_OK)
        return status;
    if (!emberi_real_quat_normalize(node->trs.r))
        return emberi_gltf_fail(doc, EMBER_E_RANGE, where, "rotation", "a quaternion of length zero");
    if (has_matrix && !has_t && !has_r && !has_s) {
        for (int i = 0; i < 12; i++)
            node->mat.m[i % 3][i / 3] = columns[i / 3 * 4 + i % 3];
        node->shear = emberi_real_mat_decompose(&node->trs, &node->mat, &emberi_real_trs_identity);
        node->exact = node->shear < 1e-12;
        return EMBER_OK;
    }
    if (has_matrix)
        emberi_notef(
            &doc->source->options->notes, EMBER_NOTE_WARNING, NULL, node->name,
            "nodes[%u] has a matrix and also a translation, rotation or scale: the matrix is ignored",
            where.index);
    node->mat = emberi_real_mat_from_trs(&node->trs);
    node->exact = true;
    return EMBER_OK;
}

static ember_status node_children(const gltf_doc *doc, uint32_t parent, const json_t *object)
{
    gltf_where    where = {GLTF_NODES, parent, NULL, 0};
    const json_t *children = json_object_get(object, "children");
    if (children != NULL && !json_is_array(children))
        return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, "children", "a list expected");
    for (size_t i = 0; i < json_array_size(children); i++) {
        uint32_t     child;
        gltf_where   at = {GLTF_NODES, parent, "children", (uint32_t)i};
        ember_status status =
            emberi_gltf_index_of(doc, &child, json_array_get(children, i), NULL, GLTF_NODES, at);
        if (status != EMBER_OK)
            return status;
        if (doc->nodes[child].parent != GLTF_NONE)
            return emberi_gltf_fail(doc, EMBER_E_MALFORMED, at, NULL, "node %u has two parents, %u and %u",
                                    child, doc->nodes[child].parent, parent);
        doc->nodes[child].parent = parent;
    }
    return EMBER_OK;
}

/* Level by level from the roots, through the children's lists; who is not met hangs in a circle. */
static ember_status nodes_order(gltf_doc *doc)
{
    uint32_t count = doc->lists[GLTF_NODES].count, used = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (doc->nodes[i].parent == GLTF_NONE)
            doc->order[used++] = i;
    }
    for (uint32_t done = 0; done < used; done++) {
        const json_t *children =
            json_object_get(emberi_gltf_item(doc, GLTF_NODES, doc->order[done]), "children");
        for (size_t i = 0; i < json_array_size(children); i++) {
            uint64_t child = 0;
            if (emberi_gltf_whole(&child, json_array_get(children, i)))
                doc->order[used++] = (uint32_t)child;
        }
    }
    if (used == count)
        return EMBER_OK;

    /* The lowest node of a circle: from any node that was not met, as many steps up as there are
       nodes end in one. */
    uint8_t     *met;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &met, uint8_t, count);
    if (status != EMBER_OK)
        return status;
    for (uint32_t i = 0; i < used; i++)
        met[doc->order[i]] = 1;
    uint32_t node = 0;
    while (met[node])
        node++;
    for (uint32_t i = 0; i < count; i++)
        node = doc->nodes[node].parent;
    gltf_where where = {GLTF_NODES, node, NULL, 0};
    return emberi_gltf_fail(doc, EMBER_E_MALFORMED, where, NULL, "the node is its own ancestor");
}

/* With several scenes: which nodes are only in others than the default one. The lists have been checked. */
static ember_status nodes_mark_scenes(gltf_doc *doc)
{
    enum { IN_DEFAULT = 1, IN_OTHER = 2 };
    uint32_t     scenes = doc->lists[GLTF_SCENES].count, count = doc->lists[GLTF_NODES].count;
    uint64_t     chosen = 0, node = 0;
    uint8_t     *where;
    ember_status status = scenes > 1 ? GLTF_PUSH_SCRATCH(doc, &where, uint8_t, count) : EMBER_OK;
    if (status != EMBER_OK || scenes < 2)
        return status;
    (void)emberi_gltf_whole(&chosen, json_object_get(doc->root, "scene"));
    for (uint32_t i = 0; i < scenes; i++) {
        const json_t *nodes = json_object_get(emberi_gltf_item(doc, GLTF_SCENES, i), "nodes");
        for (size_t k = 0; k < json_array_size(nodes); k++)
            if (emberi_gltf_whole(&node, json_array_get(nodes, k)))
                where[node] |= i == chosen ? IN_DEFAULT : IN_OTHER;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = doc->order[i], parent = doc->nodes[at].parent;
        where[at] |= parent != GLTF_NONE ? where[parent] : 0;
        doc->nodes[at].elsewhere = where[at] == IN_OTHER;
    }
    return EMBER_OK;
}

ember_status emberi_gltf_nodes_read(gltf_doc *doc)
{
    uint32_t     count = doc->lists[GLTF_NODES].count;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &doc->nodes, gltf_node, count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &doc->order, uint32_t, count);
    for (uint32_t i = 0; status == EMBER_OK && i < count; i++)
        doc->nodes[i].parent = GLTF_NONE;
    for (uint32_t i = 0; status == EMBER_OK && i < count; i++) {
        const json_t *object = emberi_gltf_item(doc, GLTF_NODES, i);
        gltf_where    where = {GLTF_NODES, i, NULL, 0};
        status = emberi_gltf_get_text(doc, &doc->nodes[i].name, object, "name", where);
        if (status == EMBER_OK)
            status = emberi_gltf_get_index(doc, &doc->nodes[i].mesh, object, "mesh", GLTF_MESHES, where);
        if (status == EMBER_OK)
            status = emberi_gltf_get_index(doc, &doc->nodes[i].skin, object, "skin", GLTF_SKINS, where);
        if (status == EMBER_OK)
            status = node_transform(doc, &doc->nodes[i], object, where);
        if (status == EMBER_OK)
            status = node_children(doc, i, object);
    }
    if (status == EMBER_OK)
        status = nodes_order(doc);
    return status == EMBER_OK ? nodes_mark_scenes(doc) : status;
}
