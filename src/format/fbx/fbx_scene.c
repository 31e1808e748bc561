/* SPDX-License-Identifier: MIT */
/* What assimp's scene means: which nodes are helpers, which are joints, what the axes and the unit are. Names
   in it come from the file and may be anything, also twice the same. */
#include "format/fbx/fbx_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/metadata.h>

static const char scene_tag[] = "_$AssimpFbx$_";

real_mat emberi_fbx_matrix(const struct aiMatrix4x4 *m)
{
    real_mat out = {{{(double)m->a1, (double)m->a2, (double)m->a3, (double)m->a4},
                     {(double)m->b1, (double)m->b2, (double)m->b3, (double)m->b4},
                     {(double)m->c1, (double)m->c2, (double)m->c3, (double)m->c4}}};
    return out;
}

/* ---- what the file says beside its nodes ---- */

static bool meta_get(const struct aiMetadata *data, const char *key, double *out)
{
    for (unsigned i = 0; data != NULL && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry *entry = &data->mValues[i];
        if (strcmp(data->mKeys[i].data, key) != 0 || entry->mData == NULL)
            continue;
        switch (entry->mType) {
        case AI_BOOL:
            *out = *(const bool *)entry->mData ? 1.0 : 0.0;
            return true;
        case AI_INT32:
            *out = *(const int32_t *)entry->mData;
            return true;
        case AI_FLOAT:
            *out = (double)*(const float *)entry->mData;
            return true;
        case AI_DOUBLE:
            *out = *(const double *)entry->mData;
            return true;
        default:
            return false;
        }
    }
    return false;
}

/* Where the file's axes go: CoordAxis to x, UpAxis to y, FrontAxis to z. Any other three than a turned frame
   are not believed. */
static real_mat scene_axes(const struct aiMetadata *data)
{
    static const char *const        names[3] = {"CoordAxis", "UpAxis", "FrontAxis"},
                             *const signs[3] = {"CoordAxisSign", "UpAxisSign", "FrontAxisSign"};
    real_mat                        axes = {{{0}}};
    for (int row = 0; row < 3; row++) {
        double axis = row, sign = 1.0;
        meta_get(data, names[row], &axis);
        meta_get(data, signs[row], &sign);
        if (axis == 0.0 || axis == 1.0 || axis == 2.0)
            axes.m[row][(int)axis] = sign < 0.0 ? -1.0 : 1.0;
    }
    return emberi_real_mat_det(&axes) != 0.0 ? axes : emberi_real_mat_identity;
}

static double scene_unit(const struct aiMetadata *data)
{
    double factor = 1.0; /* centimetres, FBX's own unit */
    meta_get(data, "UnitScaleFactor", &factor);
    return factor > 1e-9 && factor < 1e9 ? factor / 100.0 : 0.01;
}

/* ---- the nodes ---- */

/* Assimp recursed over the same nodes to make them, and this process is only for that. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static uint32_t scene_count(const struct aiNode *node)
{
    uint32_t count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++)
        count += scene_count(node->mChildren[i]);
    return count;
}

/* NOLINTNEXTLINE(misc-no-recursion): as above */
static ember_status scene_list(fbx_scene *scene, const struct aiNode *node, uint32_t parent, ember_error *err)
{
    uint32_t    index = scene->node_count++;
    fbx_node   *out = &scene->nodes[index];
    const char *tag = strstr(node->mName.data, scene_tag);
    *out = (fbx_node){.node = node,
                      .name = node->mName.data,
                      .parent = parent,
                      .joint = FBX_NONE,
                      .gltf = FBX_NONE,
                      .scaled_by = FBX_NONE,
                      .compensation = FBX_NONE};
    if (tag != NULL) {
        char *name = EMBER_PUSH(scene->arena, char, (size_t)(tag - node->mName.data) + 1);
        if (name == NULL)
            return emberi_fail_memory(err);
        memcpy(name, node->mName.data, (size_t)(tag - node->mName.data));
        out->name = name;
        out->inverse = strstr(tag, "Inverse") != NULL;
        out->helper = !out->inverse;
    }
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        ember_status status = scene_list(scene, node->mChildren[i], index, err);
        if (status != EMBER_OK)
            return status;
    }
    return EMBER_OK;
}

typedef struct scene_name {
    const char *name;
    uint32_t    node;
} scene_name;

static int scene_compare(const void *a, const void *b)
{
    const scene_name *x = a, *y = b;
    int               order = strcmp(x->name, y->name);
    return order != 0 ? order : x->node < y->node ? -1 : 1;
}

static ember_status scene_sort(fbx_scene *scene, fbx_out *out, ember_error *err)
{
    scene_name *names = EMBER_PUSH(scene->arena, scene_name, scene->node_count);
    uint32_t    twice = 0;
    scene->by_name = EMBER_PUSH(scene->arena, uint32_t, scene->node_count);
    if (names == NULL || scene->by_name == NULL)
        return emberi_fail_memory(err);
    for (uint32_t i = 0; i < scene->node_count; i++)
        if (!scene->nodes[i].helper && !scene->nodes[i].inverse)
            names[scene->name_count++] = (scene_name){scene->nodes[i].name, i};
    qsort(names, scene->name_count, sizeof(*names), scene_compare);
    for (uint32_t i = 0; i < scene->name_count; i++) {
        scene->by_name[i] = names[i].node;
        twice += i != 0 && strcmp(names[i].name, names[i - 1].name) == 0 ? 1u : 0u;
    }
    bool told_by_name = scene->scene->mNumAnimations != 0;
    for (unsigned i = 0; i < scene->scene->mNumMeshes; i++)
        told_by_name = told_by_name || scene->scene->mMeshes[i]->mNumBones != 0;
    if (twice != 0 && told_by_name)
        emberi_fbx_note(
            out,
            "%u %s the name of another: clips and skins, which tell nodes by name, move the first of them",
            twice, twice == 1 ? "node has" : "nodes have");
    return EMBER_OK;
}

uint32_t emberi_fbx_find(const fbx_scene *scene, const char *name)
{
    uint32_t low = 0, high = scene->name_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(scene->nodes[scene->by_name[middle]].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scene->name_count && strcmp(scene->nodes[scene->by_name[low]].name, name) == 0
               ? scene->by_name[low]
               : FBX_NONE;
}

uint32_t emberi_fbx_helper(const fbx_scene *scene, uint32_t node, const char *part)
{
    const char *name = scene->nodes[node].name;
    for (uint32_t i = scene->nodes[node].parent;
         i != FBX_NONE && scene->nodes[i].helper && strcmp(scene->nodes[i].name, name) == 0;
         i = scene->nodes[i].parent)
        if (strcmp(scene->nodes[i].node->mName.data + strlen(name) + sizeof(scene_tag) - 1, part) == 0)
            return i;
    return FBX_NONE;
}

/* ---- channels ---- */

/* The channel of that name; NULL if there is none. */
static const struct aiNodeAnim *scene_channel(const struct aiAnimation *animation, const char *name)
{
    for (unsigned i = 0; i < animation->mNumChannels; i++)
        if (strcmp(animation->mChannels[i]->mNodeName.data, name) == 0)
            return animation->mChannels[i];
    return NULL;
}

/* The channel of one of a node's helpers; NULL if there is none. */
static const struct aiNodeAnim *scene_helper_channel(const struct aiAnimation *animation, const char *name,
                                                     const char *part)
{
    size_t size = strlen(name);
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        const char *channel = animation->mChannels[i]->mNodeName.data;
        if (strncmp(channel, name, size) == 0 &&
            strncmp(channel + size, scene_tag, sizeof(scene_tag) - 1) == 0 &&
            strcmp(channel + size + sizeof(scene_tag) - 1, part) == 0)
            return animation->mChannels[i];
    }
    return NULL;
}

/* Marks the nodes whose helpers some clip moves: by name, which is all that a channel has. */
static void scene_mark_moved_helpers(const fbx_scene *scene, uint8_t *moved)
{
    for (unsigned a = 0; a < scene->scene->mNumAnimations; a++) {
        const struct aiAnimation *animation = scene->scene->mAnimations[a];
        for (unsigned i = 0; i < animation->mNumChannels; i++) {
            const char *channel = animation->mChannels[i]->mNodeName.data, *tag = strstr(channel, scene_tag);
            char        name[sizeof(animation->mChannels[i]->mNodeName.data)];
            if (tag == NULL)
                continue;
            memcpy(name, channel, (size_t)(tag - channel));
            name[tag - channel] = '\0';
            uint32_t node = emberi_fbx_find(scene, name);
            if (node != FBX_NONE)
                moved[node] = 1;
        }
    }
}

/* ---- joints ---- */

static bool scene_is_named(const fbx_scene *scene, const char *name)
{
    const struct aiScene *ai = scene->scene;
    for (unsigned i = 0; i < ai->mNumCameras; i++)
        if (strcmp(ai->mCameras[i]->mName.data, name) == 0)
            return true;
    for (unsigned i = 0; i < ai->mNumLights; i++)
        if (strcmp(ai->mLights[i]->mName.data, name) == 0)
            return true;
    return false;
}

/* Nothing marks bones. What is no empty, shows nothing and is neither camera nor light can be
   nothing else. */
static void scene_mark_limbs(fbx_scene *scene)
{
    for (uint32_t i = 1; i < scene->node_count; i++) {
        fbx_node *node = &scene->nodes[i];
        double    empty = 0.0;
        if (node->helper || node->inverse || node->node->mNumMeshes != 0 ||
            !meta_get(node->node->mMetaData, "IsNull", &empty))
            continue;
        node->limb = empty == 0.0 && !scene_is_named(scene, node->name);
    }
}

static bool scene_mark_bones(fbx_scene *scene)
{
    bool any = false;
    for (unsigned m = 0; m < scene->scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->scene->mMeshes[m];
        for (unsigned i = 0; i < mesh->mNumBones; i++) {
            uint32_t node = emberi_fbx_find(scene, mesh->mBones[i]->mName.data);
            if (node != FBX_NONE)
                scene->nodes[node].is_bone = any = true;
        }
    }
    return any;
}

/* The node above that is no helper. */
static uint32_t scene_above(const fbx_scene *scene, uint32_t node)
{
    uint32_t above = scene->nodes[node].parent;
    while (above != FBX_NONE && (scene->nodes[above].helper || scene->nodes[above].inverse))
        above = scene->nodes[above].parent;
    return above;
}

static bool scene_moves_limbs(const fbx_scene *scene)
{
    for (unsigned a = 0; a < scene->scene->mNumAnimations; a++)
        for (unsigned i = 0; i < scene->scene->mAnimations[a]->mNumChannels; i++) {
            uint32_t node =
                emberi_fbx_find(scene, scene->scene->mAnimations[a]->mChannels[i]->mNodeName.data);
            if (node != FBX_NONE && scene->nodes[node].limb)
                return true;
        }
    return false;
}

/* Joints are the bones of meshes, the limbs above and below them, and what lies between; without a skin the
   limbs, if any moves. */
static ember_status scene_choose_joints(fbx_scene *scene, ember_error *err)
{
    uint8_t *is_joint = EMBER_PUSH(scene->arena, uint8_t, scene->node_count);
    uint8_t *below = EMBER_PUSH(scene->arena, uint8_t, scene->node_count); /* a bone is below */
    scene->joints = EMBER_PUSH(scene->arena, uint32_t, scene->node_count);
    if (is_joint == NULL || below == NULL || scene->joints == NULL)
        return emberi_fail_memory(err);
    bool skinned = scene_mark_bones(scene), limbs = !skinned && scene_moves_limbs(scene);
    for (uint32_t i = scene->node_count; i-- > 1;) {
        fbx_node *node = &scene->nodes[i];
        below[i] = below[i] || node->is_bone;
        below[node->parent] = below[node->parent] || below[i];
    }
    for (uint32_t i = 1; i < scene->node_count; i++) {
        fbx_node *node = &scene->nodes[i];
        uint32_t  above = scene_above(scene, i);
        bool      hangs = above != FBX_NONE && is_joint[above];
        if (node->helper || node->inverse)
            continue;
        is_joint[i] = skinned ? node->is_bone || (node->limb && (below[i] || hangs)) || (hangs && below[i])
                              : limbs && node->limb;
        if (!is_joint[i])
            continue;
        node->joint = scene->joint_count;
        scene->joints[scene->joint_count++] = i;
        for (uint32_t up = node->parent; up != FBX_NONE && !scene->nodes[up].above_joint;
             up = scene->nodes[up].parent)
            scene->nodes[up].above_joint = true;
    }
    return EMBER_OK;
}

/* ---- places ---- */

/* The scale of the nodes by themselves, helpers and all: what their children may have to take back. */
static void scene_scales(fbx_scene *scene)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        fbx_node *node = &scene->nodes[i];
        real_mat  m = emberi_fbx_matrix(&node->node->mTransformation);
        for (uint32_t up = node->parent; up != FBX_NONE && scene->nodes[up].helper;
             up = scene->nodes[up].parent) {
            real_mat above = emberi_fbx_matrix(&scene->nodes[up].node->mTransformation);
            m = emberi_real_mat_mul(&above, &m);
        }
        for (int c = 0; c < 3; c++)
            node->scale[c] = emberi_real_length(m.m[0][c], m.m[1][c], m.m[2][c]);
    }
}

static bool scale_is_one(double x, double y, double z)
{
    return fabs(x - 1.0) < 1e-6 && fabs(y - 1.0) < 1e-6 && fabs(z - 1.0) < 1e-6;
}

const struct aiNodeAnim *emberi_fbx_scale_channel(const struct aiAnimation *animation, const char *name)
{
    const struct aiNodeAnim *channel = scene_channel(animation, name);
    return channel != NULL ? channel : scene_helper_channel(animation, name, "Scaling");
}

static bool scene_is_ever_scaled(const fbx_scene *scene, uint32_t node)
{
    const double *rest = scene->nodes[node].scale;
    if (!scale_is_one(rest[0], rest[1], rest[2]))
        return true;
    for (unsigned a = 0; a < scene->scene->mNumAnimations; a++) {
        const struct aiNodeAnim *channel =
            emberi_fbx_scale_channel(scene->scene->mAnimations[a], scene->nodes[node].name);
        for (unsigned i = 0; channel != NULL && i < channel->mNumScalingKeys; i++) {
            const struct aiVector3D *key = &channel->mScalingKeys[i].mValue;
            if (!scale_is_one((double)key->x, (double)key->y, (double)key->z))
                return true;
        }
    }
    return false;
}

/* Maya's segment scale compensation, InheritType 2: a joint does not inherit its parent's own scale, only
   where that moves it to. It is taken back above the joint, or where the joint's helpers are moved, below the
   one that holds its translation. */
static void scene_compensate(fbx_scene *scene, const uint8_t *moved)
{
    for (uint32_t i = 1; i < scene->node_count; i++) {
        double   inherit = 1.0;
        uint32_t above = scene_above(scene, i), at = i;
        if (scene->nodes[i].helper || scene->nodes[i].inverse || above == FBX_NONE || above == 0 ||
            !meta_get(scene->nodes[i].node->mMetaData, "InheritType", &inherit) || inherit != 2.0 ||
            !scene_is_ever_scaled(scene, above))
            continue;
        while (moved[i] && scene->nodes[scene->nodes[at].parent].helper &&
               emberi_fbx_helper(scene, i, "Translation") != scene->nodes[at].parent)
            at = scene->nodes[at].parent;
        scene->nodes[at].scaled_by = above;
    }
}

static void scene_place(fbx_scene *scene, const uint8_t *moved)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        fbx_node *node = &scene->nodes[i];
        uint32_t  served = node->helper ? emberi_fbx_find(scene, node->name) : FBX_NONE;
        node->own = emberi_fbx_matrix(&node->node->mTransformation);
        node->folded = served != FBX_NONE && !moved[served] && served > i;
        if (node->parent == FBX_NONE) {
            node->world = node->own;
            continue;
        }
        const fbx_node *above = &scene->nodes[node->parent];
        if (above->folded)
            node->own = emberi_real_mat_mul(&above->own, &node->own);
        while (above->folded)
            above = &scene->nodes[above->parent];
        real_mat own = node->own;
        for (int r = 0; node->scaled_by != FBX_NONE && r < 3; r++)
            for (int c = 0; c < (node->helper ? 4 : 3); c++)
                own.m[r][c] /= scene->nodes[node->scaled_by].scale[r];
        node->world = emberi_real_mat_mul(&above->world, &own);
    }
}

/* Blender writes a unit of a centimetre and scales the armature by 100: with the unit at the root all is 1
   again. Where nothing above the joints takes the unit back, it goes into the lengths, so that no bone has a
   scale of 0.01. */
static void scene_place_unit(fbx_scene *scene)
{
    double above = 1.0;
    if (scene->joint_count != 0) {
        uint32_t parent = scene_above(scene, scene->joints[0]);
        if (parent != FBX_NONE)
            above = cbrt(fabs(emberi_real_mat_det(&scene->nodes[parent].world)));
    }
    scene->length = fabs(above * scene->unit - 1.0) < 0.01 ? 1.0 : scene->unit;
    scene->to_model = scene->axes;
    for (int i = 0; i < 9; i++)
        scene->to_model.m[i / 3][i % 3] *= scene->unit;
}

ember_status emberi_fbx_scene_make(fbx_scene *out, const struct aiScene *scene, ember_arena *arena,
                                   fbx_out *notes, ember_error *err)
{
    uint32_t count = scene_count(scene->mRootNode);
    *out = (fbx_scene){.scene = scene, .arena = arena};
    out->nodes = EMBER_PUSH(arena, fbx_node, count);
    uint8_t *moved = EMBER_PUSH(arena, uint8_t, count);
    if (out->nodes == NULL || moved == NULL)
        return emberi_fail_memory(err);
    ember_status status = scene_list(out, scene->mRootNode, FBX_NONE, err);
    if (status == EMBER_OK)
        status = scene_sort(out, notes, err);
    if (status != EMBER_OK)
        return status;
    scene_mark_moved_helpers(out, moved);
    out->axes = scene_axes(scene->mMetaData);
    out->unit = scene_unit(scene->mMetaData);
    scene_scales(out);
    scene_compensate(out, moved);
    scene_place(out, moved);
    scene_mark_limbs(out);
    status = scene_choose_joints(out, err);
    if (status == EMBER_OK)
        scene_place_unit(out);
    return status;
}
