/* SPDX-License-Identifier: MIT */
/* One mesh of an FBX scene on its way: what of its geometry was read, and how it follows the bones. */
#ifndef EMBER_FORMAT_FBX_MESH_JOB_H
#define EMBER_FORMAT_FBX_MESH_JOB_H

#include "format/fbx/mesh/fbx_mesh.h"

/* What there is to warn of: how often, and the first node. */
typedef enum mesh_note {
    NOTE_BAD_POLYGONS,
    NOTE_DROPPED_WEIGHTS,
    NOTE_OTHER_TEXTURES,
    NOTE_BLENDED,
    NOTE_MOVED,
    NOTE_MOVES,
    NOTE_DUAL,
    NOTE_OTHER_SKIN,
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

static inline void emberi_fbx_mesh_note(const mesh_job *job, mesh_note note, uint32_t count)
{
    if (count != 0 && job->notes->count[note] == 0)
        job->notes->node[note] = job->node;
    job->notes->count[note] += count;
}

/* How control points come to be where the model wants them. */
typedef struct mesh_places {
    real_mat     whole;    /* of rigid meshes, and of points without weights */
    real_mat    *clusters; /* of skinned ones, by cluster */
    fbx_weights *weights;  /* by control point; NULL: rigid */
    uint16_t    *joints;   /* bone of each cluster */
    uint16_t     own;      /* the node's bone, for points without weights */
    bool         differ;   /* clusters were bound at different places */
} mesh_places;

/* Reads the geometry's points, polygons and what lies on their corners, with the node's materials. */
ember_status emberi_fbx_polygons_read(mesh_job *job);
/* Cuts the polygons to triangles and makes their vertices. */
ember_status emberi_fbx_polygons_cut(mesh_job *job);
/* Vertices and triangles into the model, in the places given. */
ember_status emberi_fbx_mesh_fill(const mesh_job *job, const mesh_places *places, ember_mesh *out);

#endif
