/* SPDX-License-Identifier: MIT */
/* The rig: which nodes are bones, and the skeleton with its rest pose. Bones are limbs, what clusters refer
   to, what moves a mesh, and what lies between; where there is none of these, the nodes that have
   keys and all below them. Where one skin is wanted, they are its joints. */
#include "format/fbx/fbx_scene.h"

#include <string.h>

/* ---- which nodes ---- */

/* Nodes that move and have a mesh below that no bone carries. */
static void mark_carriers(fbx_scene *scene, uint8_t *is_bone)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (!scene->nodes[i].shows_rigid)
            continue;
        for (uint32_t n = i; n != FBX_NONE && !is_bone[n]; n = scene->nodes[n].parent)
            is_bone[n] = scene->nodes[n].moves ? 2 : 0;
    }
}

static void mark_between(const fbx_scene *scene, uint8_t *is_bone, uint8_t *above, uint8_t *below)
{
    const fbx_node *nodes = scene->nodes;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t parent = nodes[i].parent;
        above[i] = parent != FBX_NONE && (above[parent] || is_bone[parent]);
    }
    for (uint32_t i = scene->node_count; i-- > 0;) {
        uint32_t parent = nodes[i].parent;
        if (parent != FBX_NONE && (below[i] || is_bone[i]))
            below[parent] = 1;
    }
    /* One skin alone has the bones that it names, and no others. */
    for (uint32_t i = 0; i < scene->node_count && scene->skin == FBX_NONE; i++)
        is_bone[i] = is_bone[i] || (above[i] && below[i]);
}

static ember_status rig_choose(fbx_scene *scene)
{
    fbx_file *file = &scene->doc->file;
    uint8_t  *is_bone, *above, *below;
    uint32_t  count = scene->node_count;
    bool      any = false;
    EMBERI_TRY(FBX_PUSH(file, &is_bone, &file->pass, uint8_t, count));
    EMBERI_TRY(FBX_PUSH(file, &above, &file->pass, uint8_t, count));
    EMBERI_TRY(FBX_PUSH(file, &below, &file->pass, uint8_t, count));
    for (uint32_t i = 0; i < count; i++) {
        is_bone[i] = (scene->nodes[i].limb && scene->skin == FBX_NONE) || scene->nodes[i].joint;
        any = any || is_bone[i];
    }
    if (any && scene->skin == FBX_NONE)
        mark_carriers(scene, is_bone);
    for (uint32_t i = 0; i < count && !any; i++) {
        uint32_t parent = scene->nodes[i].parent;
        is_bone[i] = scene->nodes[i].keyed || (parent != FBX_NONE && is_bone[parent]);
    }
    mark_between(scene, is_bone, above, below);
    for (uint32_t i = 0; i < count; i++) {
        fbx_node *node = &scene->nodes[i];
        node->counts = is_bone[i] || below[i];
        if (node->parent != FBX_NONE)
            node->above = is_bone[node->parent] ? node->parent : scene->nodes[node->parent].above;
        else
            node->above = FBX_NONE;
        if (is_bone[i])
            node->bone = scene->bone_count++;
    }
    if (scene->bone_count > INT16_MAX)
        return emberi_failf(file->source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET, "fbx: %u bones, at most %d",
                            scene->bone_count, INT16_MAX);
    EMBERI_TRY(FBX_PUSH(file, &scene->bones, &file->scratch, uint32_t, scene->bone_count));
    for (uint32_t i = 0; i < count; i++)
        if (scene->nodes[i].bone != FBX_NONE)
            scene->bones[scene->nodes[i].bone] = i;
    return EMBER_OK;
}

/* ---- the rest pose ---- */

/* Blender writes centimetres and scales what stands above the bones by 100: there the unit is taken
   as a scale as well, and the two cancel out. Elsewhere lengths take it, and bones have no scale that
   is not theirs. */
static void rig_units(fbx_scene *scene, fbx_place *places)
{
    emberi_fbx_root(scene, false);
    emberi_fbx_rest(places, scene);
    uint32_t parent = scene->bone_count != 0 ? scene->nodes[scene->bones[0]].parent : FBX_NONE;
    if (parent == FBX_NONE)
        return;
    const real_mat *m = &places[parent].world;
    double          scale = emberi_real_length(m->m[0][0], m->m[1][0], m->m[2][0]);
    if (emberi_real_abs(scale * scene->settings.unit - 1.0) > 1e-3 || emberi_real_abs(scale - 1.0) < 1e-3)
        return;
    emberi_fbx_root(scene, true);
    emberi_fbx_rest(places, scene);
}

static ember_status rig_rest(fbx_scene *scene, const fbx_place *places, ember_transform *rest)
{
    const emberi_source *source = scene->doc->file.source;
    double               worst = 0.0;
    uint32_t             worst_bone = 0;
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const fbx_place *place = &places[scene->bones[i]];
        if (!emberi_fbx_store(&rest[i], &place->trs))
            return emberi_fail_at(source->err, EMBER_E_RANGE, emberi_place_bone(&scene->skeleton, i),
                                  "fbx: a number is not finite or too large for a float");
        if (place->shear > worst) {
            worst = place->shear;
            worst_bone = i;
        }
    }
    if (worst > 1e-3)
        emberi_notef(&source->options->notes, EMBER_NOTE_WARNING, NULL,
                     ember_skeleton_name(&scene->skeleton, worst_bone),
                     "the rest pose is sheared by %.1f %%: the nearest rotation and scale are taken",
                     worst * 100.0);
    return EMBER_OK;
}

/* ---- the skeleton ---- */

static ember_status rig_skeleton(fbx_scene *scene, const fbx_place *places)
{
    fbx_file        *file = &scene->doc->file;
    ember_arena     *arena = file->source->arena;
    ember_transform *rest;
    const char     **names;
    int16_t         *parents;
    scene->skeleton.bone_count = scene->bone_count;
    EMBERI_TRY(FBX_PUSH(file, &parents, arena, int16_t, scene->bone_count));
    EMBERI_TRY(FBX_PUSH(file, &names, arena, const char *, scene->bone_count));
    EMBERI_TRY(FBX_PUSH(file, &rest, arena, ember_transform, scene->bone_count));
    scene->skeleton.parents = parents;
    scene->skeleton.names = names;
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const fbx_node *node = &scene->nodes[scene->bones[i]];
        parents[i] =
            node->above != FBX_NONE ? (int16_t)scene->nodes[node->above].bone : (int16_t)EMBER_NO_PARENT;
        names[i] = emberi_fbx_name(scene->doc, arena, scene->doc->objects[node->object].name);
        if (names[i] == NULL)
            return EMBER_E_NOMEM;
    }
    scene->skeleton.rest = rest;
    return rig_rest(scene, places, rest);
}

ember_status emberi_fbx_rig_make(fbx_scene *scene)
{
    fbx_file        *file = &scene->doc->file;
    ember_arena_mark mark = ember_arena_save(&file->pass);
    fbx_place       *places;
    EMBERI_TRY(FBX_PUSH(file, &scene->rest, &file->scratch, real_mat, scene->node_count));
    ember_status status = rig_choose(scene);
    if (status == EMBER_OK)
        status = FBX_PUSH(file, &places, &file->pass, fbx_place, scene->node_count);
    if (status == EMBER_OK) {
        rig_units(scene, places);
        for (uint32_t i = 0; i < scene->node_count; i++)
            scene->rest[i] = places[i].world;
        status = rig_skeleton(scene, places);
    }
    ember_arena_restore(&file->pass, mark);
    return status;
}
