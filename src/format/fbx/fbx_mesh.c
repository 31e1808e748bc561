/* SPDX-License-Identifier: MIT */
/* Meshes: one for every node that shows one, its polygons cut to triangles; skinned, hung on a bone, or
   standing still. Polygons with points that do not exist are left out, and that is reported. */
#include "format/fbx/fbx_mesh.h"

#include <string.h>

/* How many vertices of one control point are compared before a new one is made all the same. */
#define WELD_STEPS 64

/* What there is to warn of: how often, and the first node. */
typedef enum mesh_note {
    NOTE_BAD_POLYGONS,
    NOTE_DROPPED_WEIGHTS,
    NOTE_OTHER_TEXTURES,
    NOTE_BLENDED,
    NOTE_MOVED,
    NOTE_MOVES,
    NOTE_DUAL,
    NOTE_COUNT
} mesh_note;

typedef struct mesh_notes {
    uint32_t count[NOTE_COUNT], node[NOTE_COUNT];
} mesh_notes;

/* A corner's own data. Vertices with the same are one. */
typedef struct mesh_vertex {
    uint32_t point;
    uint32_t next; /* of the same control point, or FBX_NONE */
    float    normal[3], uv[2], color[4];
} mesh_vertex;

typedef struct mesh_job {
    fbx_scene     *scene;
    mesh_notes    *notes;
    uint32_t       node, geometry;
    const float   *points;
    size_t         point_count;
    const int32_t *polygons; /* the last point of each is stored as -1 - i */
    size_t         corner_count;
    fbx_element    normals, uvs, colors;
    fbx_mapping    material_mapping;
    const int32_t *material_indexes;
    size_t         material_count;
    fbx_material  *materials;
    uint32_t       materials_there;
    bool           tinted, has_colors;
    mesh_vertex   *vertices;
    uint32_t       vertex_count;
    uint32_t      *first; /* by control point: its first vertex, or FBX_NONE */
    uint32_t      *indices;
    size_t         index_count;
} mesh_job;

static void note_add(const mesh_job *job, mesh_note note, uint32_t count)
{
    if (count != 0 && job->notes->count[note] == 0)
        job->notes->node[note] = job->node;
    job->notes->count[note] += count;
}

real_mat emberi_fbx_geometric(const fbx_scene *scene, uint32_t node)
{
    real_mat m = scene->nodes[node].geometric;
    for (int k = 0; k < 12; k++)
        m.m[k / 4][k % 4] *= scene->length;
    return m;
}

/* ---- what there is ---- */

static ember_status job_read(mesh_job *job)
{
    fbx_scene *scene = job->scene;
    fbx_file  *file = &scene->doc->file;
    uint32_t   record = scene->doc->objects[job->geometry].record;
    void      *points, *polygons;
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &points, &job->point_count,
                                  emberi_fbx_child(file, record, "Vertices"), FBX_F32));
    EMBERI_TRY(emberi_fbx_numbers(file, &file->pass, &polygons, &job->corner_count,
                                  emberi_fbx_child(file, record, "PolygonVertexIndex"), FBX_I32));
    job->points = points;
    job->point_count /= 3;
    job->polygons = polygons;
    if (job->corner_count > UINT32_MAX / 4 || job->point_count > UINT32_MAX / 4)
        return emberi_failf(file->source->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "fbx: mesh %s has more corners than can be counted",
                            emberi_fbx_quote(scene->doc->objects[scene->nodes[job->node].object].name).text);
    EMBERI_TRY(emberi_fbx_element_read(scene, &job->normals, job->geometry, "LayerElementNormal", "Normals",
                                       "NormalsIndex", 3));
    EMBERI_TRY(
        emberi_fbx_element_read(scene, &job->uvs, job->geometry, "LayerElementUV", "UV", "UVIndex", 2));
    EMBERI_TRY(emberi_fbx_element_read(scene, &job->colors, job->geometry, "LayerElementColor", "Colors",
                                       "ColorIndex", 4));
    return emberi_fbx_materials_read(scene, &job->material_mapping, &job->material_indexes,
                                     &job->material_count, job->geometry);
}

static ember_status job_materials(mesh_job *job)
{
    fbx_file *file = &job->scene->doc->file;
    uint32_t  count = emberi_fbx_material_count(job->scene, job->node);
    job->materials_there = count != 0 && count < 4096 ? count : 1;
    EMBERI_TRY(FBX_PUSH(file, &job->materials, &file->pass, fbx_material, job->materials_there));
    for (uint32_t i = 0; i < job->materials_there; i++) {
        emberi_fbx_material_get(job->scene, &job->materials[i], job->node, i);
        job->tinted = job->tinted || memcmp(job->materials[i].color, job->materials[0].color,
                                            sizeof(job->materials[i].color)) != 0;
    }
    job->has_colors = job->tinted || job->colors.mapping != FBX_MAP_NONE;
    return EMBER_OK;
}

static const fbx_material *material_of(const mesh_job *job, uint32_t polygon)
{
    size_t  at = job->material_mapping == FBX_MAP_POLYGON ? polygon : 0;
    int32_t index =
        job->material_mapping != FBX_MAP_NONE && at < job->material_count ? job->material_indexes[at] : 0;
    return &job->materials[index >= 0 && (uint32_t)index < job->materials_there ? index : 0];
}

/* ---- vertices ---- */

static mesh_vertex vertex_of(const mesh_job *job, const fbx_corner *at)
{
    mesh_vertex  v = {.point = at->point, .next = FBX_NONE};
    const float *normal = emberi_fbx_element_get(&job->normals, at),
                *uv = emberi_fbx_element_get(&job->uvs, at);
    const float *color = emberi_fbx_element_get(&job->colors, at),
                *tint = material_of(job, at->polygon)->color;
    for (int k = 0; k < 3 && normal != NULL; k++)
        v.normal[k] = normal[k];
    if (uv != NULL) {
        v.uv[0] = uv[0];
        v.uv[1] = 1.0f - uv[1]; /* upwards in FBX, downwards in the model */
    }
    for (int k = 0; k < 4 && job->has_colors; k++) {
        float c = color != NULL ? color[k] : 1.0f;
        v.color[k] = (c > 0.0f ? c < 1.0f ? c : 1.0f : 0.0f) * (job->tinted ? tint[k] : 1.0f);
    }
    return v;
}

static uint32_t vertex_add(mesh_job *job, const fbx_corner *at)
{
    mesh_vertex v = vertex_of(job, at);
    uint32_t    i = job->first[at->point];
    for (int step = 0; i != FBX_NONE && step < WELD_STEPS; step++, i = job->vertices[i].next)
        if (memcmp(job->vertices[i].normal, v.normal, sizeof(v.normal)) == 0 &&
            memcmp(job->vertices[i].uv, v.uv, sizeof(v.uv)) == 0 &&
            memcmp(job->vertices[i].color, v.color, sizeof(v.color)) == 0)
            return i;
    v.next = job->first[at->point];
    job->vertices[job->vertex_count] = v;
    job->first[at->point] = job->vertex_count;
    return job->vertex_count++;
}

/* ---- polygons ---- */

static uint32_t polygon_point(int32_t stored) { return (uint32_t)(stored < 0 ? -1 - stored : stored); }

typedef struct polygon_room {
    ember_vec3 *points;
    uint32_t   *corners, *triangles, *ring;
} polygon_room;

static void polygon_cut(mesh_job *job, const polygon_room *room, size_t start, uint32_t count,
                        uint32_t polygon)
{
    for (uint32_t i = 0; i < count; i++) {
        fbx_corner   at = {(uint32_t)start + i, polygon_point(job->polygons[start + i]), polygon};
        const float *p = job->points + 3 * (size_t)at.point;
        room->points[i] = (ember_vec3){p[0], p[1], p[2]};
        room->corners[i] = vertex_add(job, &at);
    }
    emberi_fbx_triangulate(room->triangles, room->points, count, room->ring);
    for (uint32_t i = 0; i < 3 * (count - 2); i++)
        job->indices[job->index_count++] = room->corners[room->triangles[i]];
}

/* The size of the polygon that begins there; 0 where the list ends inside of it. */
static size_t polygon_size(const mesh_job *job, size_t start)
{
    for (size_t i = start; i < job->corner_count; i++)
        if (job->polygons[i] < 0)
            return i - start + 1;
    return 0;
}

static bool polygon_is_good(const mesh_job *job, size_t start, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (polygon_point(job->polygons[start + i]) >= job->point_count)
            return false;
    return size >= 3;
}

static ember_status job_polygons(mesh_job *job)
{
    fbx_file    *file = &job->scene->doc->file;
    ember_arena *arena = &file->pass;
    polygon_room room;
    size_t       largest = 3, size;
    for (size_t at = 0; (size = polygon_size(job, at)) != 0; at += size)
        largest = size > largest ? size : largest;
    EMBERI_TRY(FBX_PUSH(file, &room.points, arena, ember_vec3, largest));
    EMBERI_TRY(FBX_PUSH(file, &room.corners, arena, uint32_t, largest));
    EMBERI_TRY(FBX_PUSH(file, &room.triangles, arena, uint32_t, 3 * largest));
    EMBERI_TRY(FBX_PUSH(file, &room.ring, arena, uint32_t, largest));
    EMBERI_TRY(FBX_PUSH(file, &job->vertices, arena, mesh_vertex, job->corner_count));
    EMBERI_TRY(FBX_PUSH(file, &job->first, arena, uint32_t, job->point_count));
    EMBERI_TRY(FBX_PUSH(file, &job->indices, arena, uint32_t, 3 * job->corner_count));
    memset(job->first, 0xff, job->point_count * sizeof(*job->first));
    uint32_t polygon = 0;
    for (size_t at = 0; (size = polygon_size(job, at)) != 0; at += size, polygon++) {
        if (polygon_is_good(job, at, size))
            polygon_cut(job, &room, at, (uint32_t)size, polygon);
        else
            note_add(job, NOTE_BAD_POLYGONS, 1);
    }
    return EMBER_OK;
}

/* ---- into the model ---- */

/* How control points come to be where the model wants them. */
typedef struct mesh_places {
    real_mat     whole;    /* of rigid meshes, and of points without weights */
    real_mat    *clusters; /* of skinned ones, by cluster */
    fbx_weights *weights;  /* by control point; NULL: rigid */
    uint16_t    *joints;   /* bone of each cluster */
    uint16_t     own;      /* the node's bone, for points without weights */
    bool         differ;   /* clusters were bound at different places */
} mesh_places;

static void add_scaled(real_mat *sum, const real_mat *m, double weight)
{
    for (int k = 0; k < 12; k++)
        sum->m[k / 4][k % 4] += weight * m->m[k / 4][k % 4];
}

static real_mat place_of_point(const mesh_places *places, uint32_t point, uint32_t *blended)
{
    real_mat sum = {{{0}}};
    if (places->weights == NULL || places->weights[point].weight[0] <= 0.0f)
        return places->whole;
    const fbx_weights *w = &places->weights[point];
    if (!places->differ || w->weight[1] <= 0.0f)
        return places->clusters[w->cluster[0]];
    for (int k = 0; k < 4 && w->weight[k] > 0.0f; k++)
        add_scaled(&sum, &places->clusters[w->cluster[k]], (double)w->weight[k]);
    ++*blended;
    return sum;
}

static bool fits_float(const double p[3])
{
    for (int k = 0; k < 3; k++)
        if (!(p[k] >= -3.4028234663852886e38 && p[k] <= 3.4028234663852886e38))
            return false;
    return true;
}

static ember_vec3 unit_vector(const double v[3])
{
    double length = emberi_real_length(v[0], v[1], v[2]);
    if (!(length > 1e-30) || !emberi_real_is_finite(length))
        return (ember_vec3){0.0f, 0.0f, 0.0f};
    return (ember_vec3){(float)(v[0] / length), (float)(v[1] / length), (float)(v[2] / length)};
}

typedef struct mesh_arrays {
    ember_vec3 *positions, *normals;
    float (*uvs)[2];
    float (*colors)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
} mesh_arrays;

static ember_status arrays_make(const mesh_job *job, const mesh_places *places, mesh_arrays *out)
{
    fbx_file    *file = &job->scene->doc->file;
    ember_arena *arena = file->source->arena;
    size_t       count = job->vertex_count;
    memset(out, 0, sizeof(*out));
    EMBERI_TRY(FBX_PUSH(file, &out->positions, arena, ember_vec3, count));
    if (job->normals.mapping != FBX_MAP_NONE)
        EMBERI_TRY(FBX_PUSH(file, &out->normals, arena, ember_vec3, count));
    if (job->uvs.mapping != FBX_MAP_NONE)
        EMBERI_TRY(FBX_PUSH(file, &out->uvs, arena, float[2], count));
    if (job->has_colors)
        EMBERI_TRY(FBX_PUSH(file, &out->colors, arena, float[4], count));
    if (places->weights != NULL) {
        EMBERI_TRY(FBX_PUSH(file, &out->joints, arena, uint16_t[4], count));
        EMBERI_TRY(FBX_PUSH(file, &out->weights, arena, float[4], count));
    }
    return FBX_PUSH(file, &out->indices, arena, uint32_t, job->index_count);
}

static void fill_weights(const mesh_places *places, mesh_arrays *out, uint32_t vertex, uint32_t point)
{
    const fbx_weights *w = &places->weights[point];
    for (int k = 0; k < 4; k++) {
        out->joints[vertex][k] = w->weight[k] > 0.0f ? places->joints[w->cluster[k]] : 0;
        out->weights[vertex][k] = w->weight[k];
    }
    if (w->weight[0] <= 0.0f) {
        out->joints[vertex][0] = places->own;
        out->weights[vertex][0] = 1.0f;
    }
}

static ember_status fill_vertex(const mesh_job *job, const mesh_places *places, mesh_arrays *out, uint32_t i)
{
    const mesh_vertex *v = &job->vertices[i];
    const float       *p = job->points + 3 * (size_t)v->point;
    uint32_t           blended = 0;
    real_mat           place = place_of_point(places, v->point, &blended);
    double             from[3] = {(double)p[0], (double)p[1], (double)p[2]}, to[3];
    note_add(job, NOTE_BLENDED, blended);
    emberi_real_mat_point(to, &place, from);
    if (!fits_float(to))
        return emberi_failf(
            job->scene->doc->file.source->err, EMBER_E_RANGE, EMBER_NO_OFFSET,
            "fbx: mesh %s: a vertex is too far away",
            emberi_fbx_quote(job->scene->doc->objects[job->scene->nodes[job->node].object].name).text);
    out->positions[i] = (ember_vec3){(float)to[0], (float)to[1], (float)to[2]};
    if (out->normals != NULL) {
        double normal[3] = {(double)v->normal[0], (double)v->normal[1], (double)v->normal[2]};
        emberi_real_mat_normal(to, &place, normal);
        out->normals[i] = unit_vector(to);
    }
    if (out->uvs != NULL)
        memcpy(out->uvs[i], v->uv, sizeof(v->uv));
    if (out->colors != NULL)
        memcpy(out->colors[i], v->color, sizeof(v->color));
    if (places->weights != NULL)
        fill_weights(places, out, i, v->point);
    return EMBER_OK;
}

static ember_status mesh_fill(const mesh_job *job, const mesh_places *places, ember_mesh *out)
{
    mesh_arrays arrays;
    EMBERI_TRY(arrays_make(job, places, &arrays));
    for (uint32_t i = 0; i < job->vertex_count; i++)
        EMBERI_TRY(fill_vertex(job, places, &arrays, i));
    bool mirrored =
        emberi_real_mat_det(places->clusters != NULL ? &places->clusters[0] : &places->whole) < 0.0;
    for (size_t i = 0; i < job->index_count; i++)
        arrays.indices[i] = job->indices[mirrored ? i / 3 * 3 + 2 - i % 3 : i];
    out->vertex_count = job->vertex_count;
    out->positions = arrays.positions;
    out->normals = arrays.normals;
    out->uvs = (const float(*)[2])arrays.uvs;
    out->colors = (const float(*)[4])arrays.colors;
    out->joints = (const uint16_t(*)[4])arrays.joints;
    out->weights = (const float(*)[4])arrays.weights;
    out->index_count = (uint32_t)job->index_count;
    out->indices = arrays.indices;
    return EMBER_OK;
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
    note_add(job, NOTE_MOVES, moves ? 1u : 0u);
    note_add(job, NOTE_MOVED, !moves && !emberi_real_mat_agree(&now, &places->clusters[0]) ? 1u : 0u);
    note_add(job, NOTE_DUAL,
             emberi_fbx_text_is(type, "DualQuaternion") || emberi_fbx_text_is(type, "Blend") ? 1u : 0u);
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
    note_add(job, NOTE_DROPPED_WEIGHTS, dropped);
    return status;
}

/* ---- one mesh ---- */

static ember_status mesh_texture(mesh_job *job, ember_mesh *out, fbx_image *images)
{
    uint32_t texture = FBX_NONE;
    for (uint32_t i = 0; i < job->materials_there; i++) {
        uint32_t other = job->materials[i].texture;
        note_add(job, NOTE_OTHER_TEXTURES,
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
    EMBERI_TRY(job_read(job));
    EMBERI_TRY(job_materials(job));
    EMBERI_TRY(job_polygons(job));
    if (job->index_count == 0)
        return EMBER_OK;
    EMBERI_TRY(emberi_fbx_skin_read(scene, &skin, job->node, job->geometry));
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
    EMBERI_TRY(mesh_fill(job, &places, out));
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
          "skins blend dual quaternions: they are read as linear"}};
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
