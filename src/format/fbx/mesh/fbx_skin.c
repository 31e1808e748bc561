/* SPDX-License-Identifier: MIT */
/* Skins: which nodes clusters bind a mesh to, how much of each vertex, and where all of them were when they
   were bound. Weights of vertices that do not exist, and weights that are not above zero, count for nothing.
 */
#include "format/fbx/mesh/fbx_mesh.h"

#include <string.h>

/* ---- clusters ---- */

static uint32_t cluster_bone(const fbx_scene *scene, uint32_t cluster)
{
    uint32_t object = emberi_fbx_child_of_kind(scene->doc, cluster, FBX_MODEL);
    return object != FBX_NONE ? scene->of_object[object] : FBX_NONE;
}

/* Sixteen numbers, column after column; false where they are missing or all zero. */
static ember_status matrix_read(fbx_document *doc, real_mat *out, bool *there, uint32_t record,
                                const char *name)
{
    fbx_file        *file = &doc->file;
    ember_arena_mark mark = ember_arena_save(&file->pass);
    void            *list;
    size_t           count;
    ember_status     status =
        emberi_fbx_numbers(file, &file->pass, &list, &count, emberi_fbx_child(file, record, name), FBX_F64);
    const double *numbers = list;
    *there = false;
    for (int i = 0; status == EMBER_OK && count == 16 && i < 12; i++) {
        double value = numbers[i % 4 * 4 + i / 4];
        out->m[i / 4][i % 4] = value;
        *there = *there || value != 0.0;
    }
    ember_arena_restore(&file->pass, mark);
    return status;
}

static ember_status cluster_read(fbx_scene *scene, fbx_cluster *out, uint32_t object)
{
    fbx_document *doc = scene->doc;
    uint32_t      record = doc->objects[object].record;
    out->object = object;
    out->node = cluster_bone(scene, object);
    EMBERI_TRY(matrix_read(doc, &out->transform, &out->has_transform, record, "Transform"));
    return matrix_read(doc, &out->link, &out->has_link, record, "TransformLink");
}

static uint32_t skin_of(const fbx_scene *scene, uint32_t node, uint32_t geometry)
{
    uint32_t skin = emberi_fbx_child_of_kind(scene->doc, geometry, FBX_SKIN);
    return skin != FBX_NONE ? skin
                            : emberi_fbx_child_of_kind(scene->doc, scene->nodes[node].object, FBX_SKIN);
}

ember_status emberi_fbx_skin_read(fbx_scene *scene, fbx_skin *out, uint32_t node, uint32_t geometry)
{
    fbx_document *doc = scene->doc;
    memset(out, 0, sizeof(*out));
    out->object = skin_of(scene, node, geometry);
    if (out->object == FBX_NONE)
        return EMBER_OK;
    fbx_links links = emberi_fbx_children(doc, out->object);
    EMBERI_TRY(FBX_PUSH(&doc->file, &out->clusters, &doc->file.pass, fbx_cluster, links.count));
    for (uint32_t i = 0; i < links.count; i++) {
        uint32_t child = emberi_fbx_link(doc, links, i)->child;
        if (doc->objects[child].kind == FBX_CLUSTER && cluster_bone(scene, child) != FBX_NONE)
            EMBERI_TRY(cluster_read(scene, &out->clusters[out->count++], child));
    }
    return EMBER_OK;
}

/* ---- weights ---- */

typedef struct weight_list {
    const int32_t *indexes;
    const double  *weights;
    size_t         count;
} weight_list;

static ember_status weights_read(fbx_document *doc, weight_list *out, uint32_t cluster)
{
    fbx_file *file = &doc->file;
    uint32_t  record = doc->objects[cluster].record;
    void     *indexes, *weights;
    size_t    count;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &indexes, &out->count,
                                  emberi_fbx_child(file, record, "Indexes"), FBX_I32));
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &weights, &count,
                                  emberi_fbx_child(file, record, "Weights"), FBX_F64));
    out->indexes = indexes;
    out->weights = weights;
    out->count = count < out->count ? count : out->count;
    return EMBER_OK;
}

/* Into the four largest so far, sorted; what is pushed out is gone. */
static void weights_insert(fbx_weights *to, uint32_t cluster, float weight)
{
    for (int k = 0; k < 4; k++) {
        if (weight <= to->weight[k])
            continue;
        float    smaller = to->weight[k];
        uint32_t other = to->cluster[k];
        to->weight[k] = weight;
        to->cluster[k] = cluster;
        weight = smaller;
        cluster = other;
    }
}

ember_status emberi_fbx_skin_weights(fbx_scene *scene, const fbx_skin *skin, fbx_weights *out,
                                     size_t vertex_count, uint32_t *dropped)
{
    fbx_document *doc = scene->doc;
    for (uint32_t c = 0; c < skin->count; c++) {
        ember_arena_mark mark = ember_arena_save(&doc->file.pass);
        weight_list      list;
        ember_status     status = weights_read(doc, &list, skin->clusters[c].object);
        for (size_t i = 0; status == EMBER_OK && i < list.count; i++) {
            float weight = (float)list.weights[i];
            if (list.indexes[i] < 0 || (size_t)list.indexes[i] >= vertex_count || !(weight > 0.0f) ||
                weight - weight != 0.0f)
                continue;
            fbx_weights *to = &out[list.indexes[i]];
            *dropped += to->weight[3] > 0.0f ? 1u : 0u;
            weights_insert(to, c, weight);
        }
        ember_arena_restore(&doc->file.pass, mark);
        if (status != EMBER_OK)
            return status;
    }
    for (size_t v = 0; v < vertex_count; v++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++)
            sum += (double)out[v].weight[k];
        for (int k = 0; k < 4 && sum > 0.0; k++)
            out[v].weight[k] = (float)((double)out[v].weight[k] / sum);
    }
    return EMBER_OK;
}

/* ---- marking ---- */

/* Whether some vertex has no weight: it follows the mesh's own node then, which has to be a bone. */
static ember_status skin_is_partial(fbx_scene *scene, const fbx_skin *skin, uint32_t geometry, bool *partial)
{
    fbx_document *doc = scene->doc;
    fbx_file     *file = &doc->file;
    void         *vertices;
    size_t        count;
    fbx_weights  *weights;
    uint32_t      dropped = 0;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &vertices, &count,
                                  emberi_fbx_child(file, doc->objects[geometry].record, "Vertices"),
                                  FBX_F32));
    count /= 3;
    EMBERI_TRY(FBX_PUSH(file, &weights, &file->pass, fbx_weights, count));
    EMBERI_TRY(emberi_fbx_skin_weights(scene, skin, weights, count, &dropped));
    for (size_t i = 0; i < count && !*partial; i++)
        *partial = weights[i].weight[0] <= 0.0f;
    return EMBER_OK;
}

static ember_status node_mark(fbx_scene *scene, uint32_t node)
{
    fbx_skin skin;
    uint32_t geometry = emberi_fbx_node_geometry(scene, node);
    if (geometry == FBX_NONE)
        return EMBER_OK;
    for (uint32_t n = node; n != FBX_NONE && !scene->nodes[n].shows; n = scene->nodes[n].parent)
        scene->nodes[n].shows = true;
    EMBERI_TRY(emberi_fbx_skin_read(scene, &skin, node, geometry));
    scene->nodes[node].shows_rigid = skin.count == 0;
    if (scene->skin != FBX_NONE && skin.object != scene->skin)
        return EMBER_OK;
    for (uint32_t i = 0; i < skin.count; i++)
        scene->nodes[skin.clusters[i].node].joint = true;
    bool partial = false;
    if (skin.count != 0)
        EMBERI_TRY(skin_is_partial(scene, &skin, geometry, &partial));
    scene->nodes[node].joint = scene->nodes[node].joint || partial;
    return EMBER_OK;
}

ember_status emberi_fbx_skins_mark(fbx_scene *scene)
{
    fbx_file *file = &scene->doc->file;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        ember_arena_mark mark = ember_arena_save(&file->pass);
        ember_status     status = node_mark(scene, i);
        ember_arena_restore(&file->pass, mark);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}

/* ---- binding ---- */

/* A matrix of the file as the scene has it: its axes and lengths. */
static real_mat bind_world(const fbx_scene *scene, const real_mat *file)
{
    real_mat m = *file;
    for (int k = 0; k < 3; k++)
        m.m[k][3] *= scene->length;
    return emberi_real_mat_mul(&scene->root, &m);
}

static bool has_inverse(const real_mat *m)
{
    real_mat inverse;
    return emberi_real_mat_inverse(&inverse, m);
}

ember_status emberi_fbx_binds_make(fbx_scene *scene, real_mat *binds, bool *any)
{
    fbx_file *file = &scene->doc->file;
    uint8_t  *set;
    EMBERI_TRY(FBX_PUSH(file, &set, &file->pass, uint8_t, scene->bone_count));
    for (uint32_t i = 0; i < scene->bone_count; i++)
        binds[i] = scene->rest[scene->bones[i]];
    for (uint32_t node = 0; node < scene->node_count; node++) {
        ember_arena_mark mark = ember_arena_save(&file->pass);
        uint32_t         geometry = emberi_fbx_node_geometry(scene, node);
        fbx_skin         skin = {.count = 0};
        ember_status     status = EMBER_OK;
        if (geometry != FBX_NONE)
            status = emberi_fbx_skin_read(scene, &skin, node, geometry);
        for (uint32_t i = 0; status == EMBER_OK && i < skin.count; i++) {
            uint32_t bone = scene->nodes[skin.clusters[i].node].bone;
            real_mat world = bind_world(scene, &skin.clusters[i].link);
            *any = *any || bone != FBX_NONE;
            if (bone == FBX_NONE || set[bone] || !skin.clusters[i].has_link || !has_inverse(&world))
                continue;
            binds[bone] = world;
            set[bone] = 1;
        }
        ember_arena_restore(&file->pass, mark);
        if (status != EMBER_OK)
            return status;
    }
    for (uint32_t i = 0; i < scene->bone_count; i++)
        if (!has_inverse(&binds[i]))
            binds[i] = emberi_real_mat_identity;
    return EMBER_OK;
}

void emberi_fbx_skin_place(const fbx_scene *scene, const real_mat *binds, const fbx_cluster *cluster,
                           uint32_t node, real_mat *out)
{
    uint32_t bone = scene->nodes[cluster->node].bone;
    real_mat geometric = emberi_fbx_geometric(scene, node), inverse, world;
    if (cluster->has_transform) {
        real_mat transform = cluster->transform;
        for (int k = 0; k < 3; k++)
            transform.m[k][3] *= scene->length;
        /* lengths were multiplied on both sides of it already */
        world = emberi_real_mat_mul(&transform, &geometric);
        *out = emberi_real_mat_mul(&binds[bone], &world);
        return;
    }
    world = cluster->has_link ? bind_world(scene, &cluster->link) : scene->rest[cluster->node];
    if (!emberi_real_mat_inverse(&inverse, &world))
        inverse = emberi_real_mat_identity;
    inverse = emberi_real_mat_mul(&inverse, &scene->rest[node]);
    inverse = emberi_real_mat_mul(&inverse, &geometric);
    *out = emberi_real_mat_mul(&binds[bone], &inverse);
}
