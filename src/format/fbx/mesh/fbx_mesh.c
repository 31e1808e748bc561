/* SPDX-License-Identifier: MIT */
/* Meshes: one for every node that shows one; skinned, hung on a bone, or standing still. What is lost on the
   way is reported once for all of them. */
#include "format/fbx/mesh/fbx_mesh_job.h"

real_mat emberi_fbx_geometric(const fbx_scene *scene, uint32_t node)
{
    real_mat m = scene->nodes[node].geometric;
    for (int k = 0; k < 12; k++)
        m.m[k / 4][k % 4] *= scene->length;
    return m;
}

/* ---- how it follows the bones ---- */

/* From the bone above, or from the origin where there is none. */
static void rigid_place(const mesh_job *job, mesh_places *out, ember_mesh *mesh)
{
    const fbx_scene *scene = job->scene;
    const fbx_node  *node = &scene->nodes[job->node];
    uint32_t         bone = node->bone != FBX_NONE ? job->node : node->above;
    real_mat geometric = emberi_fbx_geometric(scene, job->node), from = scene->rest[job->node], inverse;
    mesh->bone = -1;
    if (bone != FBX_NONE) {
        mesh->bone = (int32_t)scene->nodes[bone].bone;
        from = emberi_real_mat_identity;
        if (bone != job->node) {
            if (!emberi_real_mat_inverse(&inverse, &scene->rest[bone]))
                inverse = emberi_real_mat_identity;
            from = emberi_real_mat_mul(&inverse, &scene->rest[job->node]);
        }
    }
    out->whole = emberi_real_mat_mul(&from, &geometric);
}

static void skin_notes(const mesh_job *job, const fbx_skin *skin, const mesh_places *places)
{
    const fbx_scene *scene = job->scene;
    fbx_text         type =
        emberi_fbx_string(&scene->doc->file,
                          emberi_fbx_child(&scene->doc->file, scene->doc->objects[skin->object].record,
                                           "SkinningType"),
                          0);
    bool     moves = false;
    real_mat geometric = emberi_fbx_geometric(scene, job->node);
    real_mat now = emberi_real_mat_mul(&scene->rest[job->node], &geometric);
    for (uint32_t n = job->node; n != FBX_NONE && !scene->nodes[n].counts; n = scene->nodes[n].parent)
        moves = moves || scene->nodes[n].moves;
    emberi_fbx_mesh_note(job, NOTE_MOVES, moves ? 1u : 0u);
    emberi_fbx_mesh_note(job, NOTE_MOVED,
                         !moves && !emberi_real_mat_agree(&now, &places->clusters[0]) ? 1u : 0u);
    emberi_fbx_mesh_note(job, NOTE_DUAL,
                         emberi_fbx_text_is(type, "DualQuaternion") || emberi_fbx_text_is(type, "Blend")
                             ? 1u
                             : 0u);
}

static ember_status skin_places(const mesh_job *job, mesh_places *out, const fbx_skin *skin,
                                const real_mat *binds)
{
    fbx_scene      *scene = job->scene;
    fbx_file       *file = &scene->doc->file;
    const fbx_node *node = &scene->nodes[job->node];
    EMBERI_TRY(FBX_PUSH(file, &out->clusters, &file->pass, real_mat, skin->count));
    EMBERI_TRY(FBX_PUSH(file, &out->joints, &file->pass, uint16_t, skin->count));
    EMBERI_TRY(FBX_PUSH(file, &out->weights, &file->pass, fbx_weights, job->point_count));
    for (uint32_t i = 0; i < skin->count; i++) {
        emberi_fbx_skin_place(scene, binds, &skin->clusters[i], job->node, &out->clusters[i]);
        out->joints[i] = (uint16_t)scene->nodes[skin->clusters[i].node].bone;
        out->differ = out->differ || !emberi_real_mat_agree(&out->clusters[0], &out->clusters[i]);
    }
    if (node->bone != FBX_NONE) {
        real_mat geometric = emberi_fbx_geometric(scene, job->node);
        out->own = (uint16_t)node->bone;
        out->whole = emberi_real_mat_mul(&binds[node->bone], &geometric);
    }
    skin_notes(job, skin, out);
    uint32_t     dropped = 0;
    ember_status status = emberi_fbx_skin_weights(scene, skin, out->weights, job->point_count, &dropped);
    emberi_fbx_mesh_note(job, NOTE_DROPPED_WEIGHTS, dropped);
    return status;
}

/* ---- one mesh ---- */

static ember_status mesh_texture(mesh_job *job, ember_mesh *out, fbx_image *images)
{
    uint32_t texture = FBX_NONE;
    for (uint32_t i = 0; i < job->materials_there; i++) {
        uint32_t other = job->materials[i].texture;
        emberi_fbx_mesh_note(job, NOTE_OTHER_TEXTURES,
                             texture != FBX_NONE && other != FBX_NONE && other != texture ? 1u : 0u);
        texture = texture == FBX_NONE ? other : texture;
    }
    if (texture == FBX_NONE)
        return EMBER_OK;
    if (!images[texture].loaded)
        EMBERI_TRY(emberi_fbx_image_get(job->scene, &images[texture], texture));
    out->texture = images[texture].data;
    out->texture_size = images[texture].size;
    return EMBER_OK;
}

static ember_status mesh_read(mesh_job *job, ember_mesh *out, const real_mat *binds, fbx_image *images)
{
    fbx_scene  *scene = job->scene;
    mesh_places places = {.weights = NULL};
    fbx_skin    skin;
    EMBERI_TRY(emberi_fbx_skin_read(scene, &skin, job->node, job->geometry));
    for (uint32_t i = 0; i < skin.count; i++) {
        if (scene->nodes[skin.clusters[i].node].bone != FBX_NONE)
            continue;
        emberi_fbx_mesh_note(job, NOTE_OTHER_SKIN, 1);
        return EMBER_OK;
    }
    EMBERI_TRY(emberi_fbx_polygons_read(job));
    EMBERI_TRY(emberi_fbx_polygons_cut(job));
    if (job->index_count == 0)
        return EMBER_OK;
    out->bone = -1;
    if (skin.count != 0)
        EMBERI_TRY(skin_places(job, &places, &skin, binds));
    else
        rigid_place(job, &places, out);
    out->name = emberi_fbx_name(scene->doc, scene->doc->file.source->arena,
                                scene->doc->objects[scene->nodes[job->node].object].name);
    if (out->name == NULL)
        return EMBER_E_NOMEM;
    for (int k = 0; k < 4; k++)
        out->base_color[k] = job->tinted ? 1.0f : job->materials[0].color[k];
    EMBERI_TRY(emberi_fbx_mesh_fill(job, &places, out));
    return mesh_texture(job, out, images);
}

/* ---- all of them ---- */

static void notes_say(fbx_scene *scene, const mesh_notes *notes)
{
    static const struct {
        const char *one, *many;
    } lines[NOTE_COUNT] =
        {{"polygon has fewer than three points or one that does not exist, and is left out",
          "polygons have fewer than three points or one that does not exist, and are left out"},
         {"weight is beyond the four largest of its vertex and is left out",
          "weights are beyond the four largest of their vertex and are left out"},
         {"material has another texture than the first of its mesh, which is the one kept",
          "materials have another texture than the first of their mesh, which is the one kept"},
         {"vertex follows bones that were bound at different places: its way between them is near only",
          "vertices follow bones that were bound at different places: their way between them is near only"},
         {"skinned mesh has been moved since it was bound: it follows its joints alone",
          "skinned meshes have been moved since they were bound: they follow their joints alone"},
         {"skinned mesh is on a node that moves: it follows its joints alone",
          "skinned meshes are on nodes that move: they follow their joints alone"},
         {"skin blends dual quaternions: it is read as linear",
          "skins blend dual quaternions: they are read as linear"},
         {"skinned mesh follows bones of another skin and is left out",
          "skinned meshes follow bones of other skins and are left out"}};
    for (int i = 0; i < NOTE_COUNT; i++) {
        if (notes->count[i] == 0)
            continue;
        fbx_text    name = scene->doc->objects[scene->nodes[notes->node[i]].object].name;
        uint32_t    mover = notes->node[i];
        const char *take = NULL;
        while (i == NOTE_MOVES && !scene->nodes[mover].moves)
            mover = scene->nodes[mover].parent;
        if (i == NOTE_MOVES)
            take = emberi_fbx_name(scene->doc, &scene->doc->file.scratch, scene->nodes[mover].moves_in);
        emberi_notef(emberi_fbx_notes(scene->doc), EMBER_NOTE_WARNING, take, NULL, "%u %s (the first: %s)",
                     notes->count[i], notes->count[i] == 1 ? lines[i].one : lines[i].many,
                     emberi_fbx_quote(name).text);
    }
}

static ember_status binds_store(fbx_scene *scene, ember_model *model, const real_mat *binds)
{
    ember_mat34 *out;
    fbx_file    *file = &scene->doc->file;
    EMBERI_TRY(FBX_PUSH(file, &out, file->source->arena, ember_mat34, scene->bone_count));
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        real_mat inverse;
        if (!emberi_real_mat_inverse(&inverse, &binds[i]))
            inverse = emberi_real_mat_identity;
        for (int k = 0; k < 12; k++)
            out[i].m[k] = (float)inverse.m[k / 4][k % 4];
    }
    model->skeleton.inverse_binds = out;
    return EMBER_OK;
}

ember_status emberi_fbx_meshes_read(fbx_scene *scene, ember_model *model)
{
    fbx_file   *file = &scene->doc->file;
    mesh_notes  notes = {0};
    uint32_t    count = 0;
    ember_mesh *meshes;
    real_mat   *binds;
    fbx_image  *images;
    bool        any = false;
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += emberi_fbx_node_geometry(scene, i) != FBX_NONE ? 1u : 0u;
    EMBERI_TRY(FBX_PUSH(file, &meshes, file->source->arena, ember_mesh, count));
    EMBERI_TRY(FBX_PUSH(file, &binds, &file->scratch, real_mat, scene->bone_count));
    EMBERI_TRY(FBX_PUSH(file, &images, &file->scratch, fbx_image, count != 0 ? scene->doc->object_count : 0));
    EMBERI_TRY(emberi_fbx_binds_make(scene, binds, &any));
    if (any)
        EMBERI_TRY(binds_store(scene, model, binds));
    if (file->source->options->skip_meshes)
        return EMBER_OK;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        mesh_job         job = {.scene = scene, .notes = &notes, .node = i};
        ember_arena_mark mark = ember_arena_save(&file->pass);
        ember_status     status = EMBER_OK;
        job.geometry = emberi_fbx_node_geometry(scene, i);
        if (job.geometry != FBX_NONE)
            status = mesh_read(&job, &meshes[model->mesh_count], binds, images);
        model->mesh_count += job.index_count != 0 ? 1u : 0u;
        ember_arena_restore(&file->pass, mark);
        if (status != EMBER_OK)
            return status;
    }
    model->meshes = meshes;
    notes_say(scene, &notes);
    return EMBER_OK;
}
