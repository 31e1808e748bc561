/* SPDX-License-Identifier: MIT */
/* Meshes: one for every node that shows one, all its primitives merged; skinned, hung on a bone, or standing
   still. A mesh that the chosen bones cannot move is left out, and that is said. */
#include "format/gltf/gltf_carry.h"

#include <string.h>

/* A skin seen from the rig's bones. */
typedef struct skin_map {
    bool      made;
    bool      serves; /* every joint is a bone */
    uint32_t  joint_count;
    uint32_t *bones;
    real_mat  before; /* what vertices go through so that the rig's inverse binds are right for them */
    bool      moves;  /* `before` is not identity */
} skin_map;

typedef struct mesh_reader {
    gltf_doc       *doc;
    const gltf_rig *rig;
    skin_map       *skins;
    real_mat       *below; /* by node: where it is, seen from the bone it hangs on or from the origin */
    uint32_t       *owner; /* by node: that bone, or GLTF_NONE */
    uint32_t        others, no_triangles, morphs, textures, odd_numbers, without_weights; /* for notes */
    uint32_t        elsewhere, bad;
    ember_error     why; /* of the first bad one */
} mesh_reader;

/* ---- skins ---- */

/* Another skin of the same joints serves as well if all of its inverse binds differ from the rig's by one and
   the same matrix: the vertices can go through that beforehand. */
static bool skin_compare(const mesh_reader *reader, skin_map *map, const real_mat *binds)
{
    map->before = emberi_real_mat_identity;
    for (uint32_t i = 0; i < map->joint_count; i++) {
        real_mat inverse, apart;
        if (!emberi_real_mat_inverse(&inverse, &reader->rig->binds[map->bones[i]]))
            return false;
        apart = emberi_real_mat_mul(&inverse, &binds[i]);
        if (i == 0)
            map->before = apart;
        else if (!emberi_real_mat_agree(&map->before, &apart))
            return false;
    }
    map->moves = !emberi_real_mat_agree(&emberi_real_mat_identity, &map->before);
    return true;
}

static ember_status skin_map_make(mesh_reader *reader, skin_map *map, uint32_t skin)
{
    const gltf_rig *rig = reader->rig;
    uint32_t       *joints;
    real_mat       *binds;
    ember_status    status = emberi_gltf_skin_joints(reader->doc, &joints, &map->joint_count, skin);
    map->made = true;
    map->serves = status == EMBER_OK;
    for (uint32_t i = 0; status == EMBER_OK && i < map->joint_count; i++) {
        uint32_t node = rig->of_node[joints[i]];
        joints[i] = node != GLTF_NONE ? rig->nodes[node].bone : GLTF_NONE;
        map->serves = map->serves && joints[i] != GLTF_NONE;
    }
    if (status != EMBER_OK)
        return status;
    map->bones = joints;
    if (!map->serves)
        return EMBER_OK;
    status = emberi_gltf_skin_binds(reader->doc, &binds, map->joint_count, skin);
    if (status == EMBER_OK && skin != rig->skin)
        map->serves = skin_compare(reader, map, binds);
    return status;
}

static ember_status skin_map_get(mesh_reader *reader, skin_map **out, uint32_t skin)
{
    *out = &reader->skins[skin];
    return (*out)->made ? EMBER_OK : skin_map_make(reader, *out, skin);
}

/* ---- one mesh ---- */

/* The primitives of a mesh before they are merged. */
typedef struct mesh_parts {
    gltf_primitive *items;
    uint32_t        count;
    uint64_t        vertex_count, corner_count;
    bool            normals, tangents, uvs, colors, weights, tinted;
    uint32_t        image;
} mesh_parts;

static void parts_add(mesh_reader *reader, mesh_parts *parts, const gltf_primitive *item)
{
    parts->vertex_count += item->position.count;
    parts->corner_count += item->corner_count;
    parts->normals = parts->normals || item->normal.data != NULL;
    parts->tangents = parts->tangents || item->tangent.data != NULL;
    parts->uvs = parts->uvs || item->uv.data != NULL;
    parts->colors = parts->colors || item->color.data != NULL;
    parts->weights = parts->weights || item->set_count != 0;
    parts->tinted = parts->tinted || memcmp(item->material.color, parts->items[0].material.color,
                                            sizeof(item->material.color)) != 0;
    if (parts->image == GLTF_NONE)
        parts->image = item->material.image;
    else if (item->material.image != GLTF_NONE && item->material.image != parts->image)
        reader->textures++;
}

static ember_status parts_read(mesh_reader *reader, mesh_parts *out, uint32_t mesh)
{
    gltf_doc    *doc = reader->doc;
    gltf_where   where = {GLTF_MESHES, mesh, NULL, 0};
    gltf_list    primitives;
    bool         morphs = false;
    ember_status status =
        emberi_gltf_get_list(doc, &primitives, emberi_gltf_item(doc, GLTF_MESHES, mesh), "primitives", where);
    memset(out, 0, sizeof(*out));
    out->image = GLTF_NONE;
    if (status == EMBER_OK)
        status = GLTF_PUSH_PASS(doc, &out->items, gltf_primitive, primitives.count);
    for (uint32_t i = 0; status == EMBER_OK && i < primitives.count; i++) {
        bool usable;
        morphs =
            morphs || json_array_size(json_object_get(json_array_get(primitives.items, i), "targets")) != 0;
        status = emberi_gltf_primitive_read(doc, &out->items[out->count], &usable, mesh, i);
        if (status != EMBER_OK)
            return status;
        if (usable)
            parts_add(reader, out, &out->items[out->count++]);
        else
            reader->no_triangles++;
    }
    reader->morphs += morphs;
    if (out->vertex_count > UINT32_MAX || out->corner_count > UINT32_MAX)
        return emberi_gltf_fail(doc, EMBER_E_LIMIT, where, NULL,
                                "more vertices or triangles than can be counted");
    return status;
}

static ember_status mesh_allocate(gltf_mesh_job *job, const mesh_parts *parts)
{
    gltf_doc    *doc = job->doc;
    size_t       count = (size_t)parts->vertex_count;
    ember_status status = GLTF_PUSH_MODEL(doc, &job->positions, ember_vec3, count);
    if (status == EMBER_OK && parts->normals)
        status = GLTF_PUSH_MODEL(doc, &job->normals, ember_vec3, count);
    if (status == EMBER_OK && parts->tangents)
        status = GLTF_PUSH_MODEL(doc, &job->tangents, float[4], count);
    if (status == EMBER_OK && parts->uvs)
        status = GLTF_PUSH_MODEL(doc, &job->uvs, float[2], count);
    if (status == EMBER_OK && (parts->colors || parts->tinted))
        status = GLTF_PUSH_MODEL(doc, &job->colors, float[4], count);
    if (status == EMBER_OK && job->bones != NULL)
        status = GLTF_PUSH_MODEL(doc, &job->joints, uint16_t[4], count);
    if (status == EMBER_OK && job->bones != NULL)
        status = GLTF_PUSH_MODEL(doc, &job->weights, float[4], count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &job->indices, uint32_t, (size_t)parts->corner_count);
    return status;
}

static ember_status mesh_name(gltf_doc *doc, const char **out, uint32_t node)
{
    const char *name = doc->nodes[node].name;
    if (name == NULL)
        name = json_string_value(
            json_object_get(emberi_gltf_item(doc, GLTF_MESHES, doc->nodes[node].mesh), "name"));
    *out = emberi_copy_name(doc->source->arena, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
    return *out != NULL ? EMBER_OK : emberi_fail_memory(doc->source->err);
}

static ember_status mesh_merge(gltf_mesh_job *job, const mesh_parts *parts, ember_mesh *out)
{
    uint32_t     vertices = 0, corners = 0;
    ember_status status = mesh_allocate(job, parts);
    for (uint32_t i = 0; status == EMBER_OK && i < parts->count; i++) {
        status = emberi_gltf_primitive_fill(job, &parts->items[i], vertices, corners);
        vertices += parts->items[i].position.count;
        corners += parts->items[i].corner_count;
    }
    out->vertex_count = vertices;
    out->positions = job->positions;
    out->normals = job->normals;
    out->tangents = (const float(*)[4])job->tangents;
    out->uvs = (const float(*)[2])job->uvs;
    out->colors = (const float(*)[4])job->colors;
    out->joints = (const uint16_t(*)[4])job->joints;
    out->weights = (const float(*)[4])job->weights;
    out->index_count = corners;
    out->indices = job->indices;
    for (int i = 0; i < 4; i++)
        out->base_color[i] = job->tinted ? 1.0f : parts->items[0].material.color[i];
    if (status == EMBER_OK && parts->image != GLTF_NONE)
        status = emberi_gltf_image_get(job->doc, &out->texture, &out->texture_size, parts->image);
    return status;
}

/* How the mesh follows the bones: by its skin, on one of them, or not at all. */
static ember_status mesh_attach(mesh_reader *reader, gltf_mesh_job *job, ember_mesh *out,
                                const mesh_parts *parts, uint32_t node, bool *serves)
{
    uint32_t skin = reader->doc->nodes[node].skin;
    *serves = true;
    out->bone = -1;
    if (skin != GLTF_NONE && parts->weights) {
        skin_map    *map;
        ember_status status = skin_map_get(reader, &map, skin);
        *serves = status == EMBER_OK && map->serves;
        job->bones = map->bones;
        job->joint_count = map->joint_count;
        job->place = map->before;
        job->placed = map->moves;
        if (status != EMBER_OK)
            return status;
    } else {
        if (reader->owner[node] != GLTF_NONE)
            out->bone = (int32_t)reader->owner[node];
        job->place = reader->below[node];
        job->placed = memcmp(&job->place, &emberi_real_mat_identity, sizeof(job->place)) != 0;
    }
    job->mirrored = job->placed && emberi_real_mat_det(&job->place) < 0.0;
    return EMBER_OK;
}

static ember_status mesh_read(mesh_reader *reader, ember_mesh *out, bool *kept, uint32_t node)
{
    mesh_parts    parts;
    gltf_mesh_job job = {.doc = reader->doc};
    ember_status  status = parts_read(reader, &parts, reader->doc->nodes[node].mesh);
    *kept = false;
    if (status != EMBER_OK || parts.count == 0)
        return status;
    job.tinted = parts.tinted;
    status = mesh_attach(reader, &job, out, &parts, node, kept);
    if (status != EMBER_OK || !*kept) {
        reader->others++;
        return status;
    }
    status = mesh_name(reader->doc, &out->name, node);
    if (status == EMBER_OK)
        status = mesh_merge(&job, &parts, out);
    reader->odd_numbers += job.odd_numbers;
    reader->without_weights += job.without_weights;
    return status;
}

/* ---- all of them ---- */

static ember_status reader_make(mesh_reader *reader)
{
    gltf_doc    *doc = reader->doc;
    uint32_t     nodes = doc->lists[GLTF_NODES].count;
    ember_status status = GLTF_PUSH_SCRATCH(doc, &reader->skins, skin_map, doc->lists[GLTF_SKINS].count);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &reader->below, real_mat, nodes);
    if (status == EMBER_OK)
        status = GLTF_PUSH_SCRATCH(doc, &reader->owner, uint32_t, nodes);
    for (uint32_t i = 0; status == EMBER_OK && i < nodes; i++) {
        uint32_t node = doc->order[i], parent = doc->nodes[node].parent, in_rig = reader->rig->of_node[node];
        bool     is_bone = in_rig != GLTF_NONE && reader->rig->nodes[in_rig].bone != GLTF_NONE;
        reader->owner[node] = is_bone               ? reader->rig->nodes[in_rig].bone
                              : parent != GLTF_NONE ? reader->owner[parent]
                                                    : GLTF_NONE;
        if (is_bone)
            reader->below[node] = emberi_real_mat_identity;
        else
            reader->below[node] = parent != GLTF_NONE
                                      ? emberi_real_mat_mul(&reader->below[parent], &doc->nodes[node].mat)
                                      : doc->nodes[node].mat;
    }
    return status;
}

static void reader_note(const mesh_reader *reader)
{
    const ember_notes *notes = &reader->doc->source->options->notes;
    const struct {
        uint32_t    count;
        const char *one, *many;
    } lines[] = {{reader->others, "mesh follows another skin than the bones' and is left out",
                  "meshes follow other skins than the bones' and are left out"},
                 {reader->elsewhere, "mesh is only in other scenes than the default one and is left out",
                  "meshes are only in other scenes than the default one and are left out"},
                 {reader->no_triangles, "primitive has no triangles and is left out",
                  "primitives have no triangles and are left out"},
                 {reader->morphs, "mesh has morph targets, which are ignored",
                  "meshes have morph targets, which are ignored"},
                 {reader->textures,
                  "primitive has another texture than the first of its mesh, which is the one kept",
                  "primitives have another texture than the first of their mesh, which is the one kept"},
                 {reader->odd_numbers, "normal, tangent, colour or weight was not finite and is zero",
                  "normals, tangents, colours or weights were not finite and are zero"},
                 {reader->without_weights, "vertex has no weights and follows the joint it names first",
                  "vertices have no weights and follow the joint they name first"}};
    if (reader->bad != 0)
        emberi_notef(notes, EMBER_NOTE_WARNING, NULL, NULL, "%u %s: %s", reader->bad,
                     reader->doc->carried != NULL ? "cannot be read and stay as they are, the first"
                     : reader->bad == 1           ? "mesh cannot be read and is left out"
                                                  : "meshes cannot be read and are left out, the first",
                     reader->why.text);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        if (lines[i].count != 0)
            emberi_notef(notes, emberi_gltf_note_kind(reader->doc), NULL, NULL, "%u %s", lines[i].count,
                         lines[i].count == 1 ? lines[i].one : lines[i].many);
    }
}

/* Whether a mesh that failed may be left out; the failure is kept for the note then. */
static bool reader_leaves(mesh_reader *reader, ember_status status)
{
    ember_error *err = reader->doc->source->err;
    bool         stays = reader->doc->carried != NULL && status == EMBER_E_UNSUPPORTED;
    if ((!reader->doc->source->options->leave_bad_meshes && !stays) || status == EMBER_OK ||
        status == EMBER_E_NOMEM || status == EMBER_E_LIMIT || reader->doc->file_failed)
        return false;
    if (reader->bad++ == 0)
        reader->why = *err;
    *err = (ember_error)EMBER_ERROR_INIT;
    return true;
}

ember_status emberi_gltf_meshes_read(gltf_doc *doc, ember_model *model, const gltf_rig *rig)
{
    mesh_reader  reader = {.doc = doc, .rig = rig};
    ember_mesh  *meshes;
    uint32_t     count = 0;
    ember_status status = reader_make(&reader);
    for (uint32_t i = 0; i < doc->lists[GLTF_NODES].count; i++)
        count += doc->nodes[i].mesh != GLTF_NONE;
    if (status == EMBER_OK)
        status = GLTF_PUSH_MODEL(doc, &meshes, ember_mesh, count);
    for (uint32_t i = 0; status == EMBER_OK && i < doc->lists[GLTF_NODES].count; i++) {
        ember_arena_mark mark = ember_arena_save(&doc->pass);
        bool             kept = false;
        bool             shown =
            doc->nodes[i].mesh != GLTF_NONE && !emberi_gltf_extras_bone_shapes(doc, doc->nodes[i].mesh);
        reader.elsewhere += shown && doc->nodes[i].elsewhere;
        if (shown && !doc->nodes[i].elsewhere)
            status = mesh_read(&reader, &meshes[model->mesh_count], &kept, i);
        if (reader_leaves(&reader, status)) {
            memset(&meshes[model->mesh_count], 0, sizeof(*meshes));
            status = EMBER_OK;
            kept = false;
        }
        model->mesh_count += kept && status == EMBER_OK;
        ember_arena_restore(&doc->pass, mark);
    }
    if (status != EMBER_OK)
        return status;
    model->meshes = meshes;
    reader_note(&reader);
    return EMBER_OK;
}
