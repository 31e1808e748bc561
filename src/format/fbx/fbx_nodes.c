/* SPDX-License-Identifier: MIT */
/* The models of a document as nodes, parents first. A model below itself is refused by name; one with two
   parents hangs on the first; one with none stands at the root. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* ---- the hierarchy ---- */

typedef struct node_tree {
    uint32_t *parent;              /* by object: another, 0 the root */
    uint32_t *first, *last, *next; /* by object: its children in the order of their connections */
    uint32_t  twice;               /* models with several parents */
    uint32_t  twice_object;
} node_tree;

static void tree_add(node_tree *tree, uint32_t object, uint32_t parent)
{
    tree->parent[object] = parent;
    if (tree->last[parent] != 0)
        tree->next[tree->last[parent]] = object;
    else
        tree->first[parent] = object;
    tree->last[parent] = object;
}

/* In the order of the file, so that children are too. */
static void tree_connect(const fbx_document *doc, node_tree *tree)
{
    for (uint32_t i = 0; i < doc->connection_count; i++) {
        const fbx_connection *link = &doc->connections[i];
        fbx_kind              above = doc->objects[link->parent].kind;
        if (link->property.data != NULL || doc->objects[link->child].kind != FBX_MODEL ||
            (above != FBX_MODEL && above != FBX_ROOT) || tree->parent[link->child] == link->parent)
            continue;
        if (tree->parent[link->child] != FBX_NONE) {
            tree->twice_object = tree->twice == 0 ? link->child : tree->twice_object;
            tree->twice++;
            continue;
        }
        tree_add(tree, link->child, link->parent);
    }
    for (uint32_t i = 1; i < doc->object_count; i++)
        if (doc->objects[i].kind == FBX_MODEL && tree->parent[i] == FBX_NONE)
            tree_add(tree, i, 0);
}

static ember_status tree_make(fbx_document *doc, node_tree *tree)
{
    const fbx_file *file = &doc->file;
    ember_arena    *arena = &doc->file.pass;
    EMBERI_TRY(FBX_PUSH(file, &tree->parent, arena, uint32_t, doc->object_count));
    EMBERI_TRY(FBX_PUSH(file, &tree->first, arena, uint32_t, doc->object_count));
    EMBERI_TRY(FBX_PUSH(file, &tree->last, arena, uint32_t, doc->object_count));
    EMBERI_TRY(FBX_PUSH(file, &tree->next, arena, uint32_t, doc->object_count));
    memset(tree->parent, 0xff, doc->object_count * sizeof(*tree->parent));
    tree_connect(doc, tree);
    if (tree->twice != 0)
        emberi_notef(emberi_fbx_notes(doc), EMBER_NOTE_WARNING, NULL, NULL,
                     "%u model%s several parents (the first: %s): only the first parent counts", tree->twice,
                     tree->twice == 1 ? " has" : "s have",
                     emberi_fbx_quote(doc->objects[tree->twice_object].name).text);
    return EMBER_OK;
}

/* ---- one node ---- */

static void node_limits(const fbx_scene *scene, fbx_node *node, int64_t order, int64_t inherit)
{
    if (order < 0 || order > 5) {
        emberi_notef(emberi_fbx_notes(scene->doc), EMBER_NOTE_WARNING, NULL, NULL,
                     "%s: rotation order %lld is read as XYZ",
                     emberi_fbx_quote(scene->doc->objects[node->object].name).text, (long long)order);
        order = 0;
    }
    node->order = (uint8_t)order;
    node->inherit = inherit >= 0 && inherit <= 2 ? (uint8_t)inherit : 1;
}

static void node_geometric(fbx_node *node, const double t[3], const double r[3], const double s[3])
{
    real_trs trs = {.t = {t[0], t[1], t[2]}, .s = {s[0], s[1], s[2]}};
    emberi_fbx_euler_to_quat(trs.r, r, 0);
    node->geometric = emberi_real_mat_from_trs(&trs);
}

static void node_read(const fbx_scene *scene, fbx_node *node)
{
    const fbx_document *doc = scene->doc;
    fbx_text            sub_class = doc->objects[node->object].sub_class;
    double              pre[3] = {0, 0, 0}, post[3] = {0, 0, 0}, plain[3] = {0, 0, 0};
    double              gt[3] = {0, 0, 0}, gr[3] = {0, 0, 0}, gs[3] = {1, 1, 1};
    int64_t             order = 0, active = 1, inherit = 1, limit_only = 0;
    for (int k = 0; k < 3; k++)
        node->own[FBX_SCALING][k] = 1.0;
    fbx_want wants[] = {{.name = "Lcl Translation", .reals = node->own[FBX_TRANSLATION], .count = 3},
                        {.name = "Lcl Rotation", .reals = node->own[FBX_ROTATION], .count = 3},
                        {.name = "Lcl Scaling", .reals = node->own[FBX_SCALING], .count = 3},
                        {.name = "PreRotation", .reals = pre, .count = 3},
                        {.name = "PostRotation", .reals = post, .count = 3},
                        {.name = "RotationOffset", .reals = node->rotation_offset, .count = 3},
                        {.name = "RotationPivot", .reals = node->rotation_pivot, .count = 3},
                        {.name = "ScalingOffset", .reals = node->scaling_offset, .count = 3},
                        {.name = "ScalingPivot", .reals = node->scaling_pivot, .count = 3},
                        {.name = "GeometricTranslation", .reals = gt, .count = 3},
                        {.name = "GeometricRotation", .reals = gr, .count = 3},
                        {.name = "GeometricScaling", .reals = gs, .count = 3},
                        {.name = "RotationOrder", .whole = &order},
                        {.name = "RotationActive", .whole = &active},
                        {.name = "InheritType", .whole = &inherit},
                        {.name = "RotationSpaceForLimitOnly", .whole = &limit_only}};
    emberi_fbx_properties(doc, node->object, wants, sizeof(wants) / sizeof(wants[0]));
    if (active == 0 || limit_only != 0)
        order = 0;
    node_limits(scene, node, order, inherit);
    emberi_fbx_euler_to_quat(node->pre, active == 0 || limit_only != 0 ? plain : pre, 0);
    emberi_fbx_euler_to_quat(node->post, active == 0 || limit_only != 0 ? plain : post, 0);
    for (int k = 0; k < 3; k++)
        node->post[k] = -node->post[k];
    node_geometric(node, gt, gr, gs);
    node->limb = emberi_fbx_text_is(sub_class, "LimbNode") || emberi_fbx_text_is(sub_class, "Limb") ||
                 emberi_fbx_text_is(sub_class, "Root");
    node->bone = FBX_NONE;
}

/* ---- all of them ---- */

static ember_status nodes_walk(fbx_scene *scene, const node_tree *tree)
{
    const fbx_document *doc = scene->doc;
    for (uint32_t object = tree->first[0]; object != 0;) {
        fbx_node *node = &scene->nodes[scene->node_count];
        uint32_t  parent = tree->parent[object];
        node->object = object;
        node->parent = parent == 0 ? FBX_NONE : scene->of_object[parent];
        node_read(scene, node);
        scene->of_object[object] = scene->node_count++;
        if (tree->first[object] != 0) {
            object = tree->first[object];
            continue;
        }
        while (object != 0 && tree->next[object] == 0)
            object = tree->parent[object];
        object = object != 0 ? tree->next[object] : 0;
    }
    for (uint32_t i = 1; i < doc->object_count; i++)
        if (doc->objects[i].kind == FBX_MODEL && scene->of_object[i] == FBX_NONE)
            return emberi_failf(doc->file.source->err, EMBER_E_MALFORMED, EMBER_NO_OFFSET,
                                "fbx: model %s is below itself", emberi_fbx_quote(doc->objects[i].name).text);
    return EMBER_OK;
}

ember_status emberi_fbx_nodes_read(fbx_scene *scene)
{
    fbx_document *doc = scene->doc;
    fbx_file     *file = &doc->file;
    node_tree     tree = {.twice = 0};
    uint32_t      count = 0;
    for (uint32_t i = 1; i < doc->object_count; i++)
        count += doc->objects[i].kind == FBX_MODEL ? 1u : 0u;
    EMBERI_TRY(FBX_PUSH(file, &scene->nodes, &file->scratch, fbx_node, count));
    EMBERI_TRY(FBX_PUSH(file, &scene->of_object, &file->scratch, uint32_t, doc->object_count));
    memset(scene->of_object, 0xff, doc->object_count * sizeof(*scene->of_object));
    ember_arena_mark mark = ember_arena_save(&file->pass);
    ember_status     status = tree_make(doc, &tree);
    if (status == EMBER_OK)
        status = nodes_walk(scene, &tree);
    ember_arena_restore(&file->pass, mark);
    return status;
}

uint32_t emberi_fbx_node_geometry(const fbx_scene *scene, uint32_t node)
{
    const fbx_document *doc = scene->doc;
    uint32_t            object = scene->nodes[node].object;
    fbx_links           links = emberi_fbx_children(doc, object);
    if (emberi_fbx_child(&doc->file, doc->objects[object].record, "Vertices") != FBX_NONE)
        return object;
    for (uint32_t i = 0; i < links.count; i++) {
        uint32_t child = emberi_fbx_link(doc, links, i)->child;
        if (doc->objects[child].kind == FBX_GEOMETRY &&
            emberi_fbx_child(&doc->file, doc->objects[child].record, "Vertices") != FBX_NONE)
            return child;
    }
    return FBX_NONE;
}
