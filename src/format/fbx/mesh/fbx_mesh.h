/* SPDX-License-Identifier: MIT */
/* Meshes of an FBX scene on their way to the model: polygons, what lies on their corners, skins
   and materials. */
#ifndef EMBER_FORMAT_FBX_MESH_H
#define EMBER_FORMAT_FBX_MESH_H

#include "format/fbx/fbx_scene.h"

/* ---- skins ---- */

typedef struct fbx_cluster {
    uint32_t object;
    uint32_t node;      /* the bone */
    real_mat transform; /* from the mesh to the bone when they were bound */
    real_mat link;      /* the bone's world then */
    bool     has_transform, has_link;
} fbx_cluster;

typedef struct fbx_skin {
    uint32_t     object; /* or FBX_NONE */
    fbx_cluster *clusters;
    uint32_t     count; /* 0: no skin that counts */
} fbx_skin;

/* The four largest weights of a vertex, sorted; they sum to 1 or are all 0. */
typedef struct fbx_weights {
    uint32_t cluster[4];
    float    weight[4];
} fbx_weights;

/* The first skin of a node's geometry, in the pass. */
ember_status emberi_fbx_skin_read(fbx_scene *scene, fbx_skin *out, uint32_t node, uint32_t geometry);
/* The weights of all control points; `out` is zeroed before. *dropped counts weights beyond the fourth. */
ember_status emberi_fbx_skin_weights(fbx_scene *scene, const fbx_skin *skin, fbx_weights *out,
                                     size_t vertex_count, uint32_t *dropped);
/* Where every bone was when it was bound: the first cluster's word, or the rest pose. *any: there are skins.
 */
ember_status emberi_fbx_binds_make(fbx_scene *scene, real_mat *binds, bool *any);
/* What control points go through so that the bone's inverse bind is right for them. */
void         emberi_fbx_skin_place(const fbx_scene *scene, const real_mat *binds, const fbx_cluster *cluster,
                                   uint32_t node, real_mat *out);
/* The node's geometric transform, in the scene's lengths. */
real_mat     emberi_fbx_geometric(const fbx_scene *scene, uint32_t node);

/* ---- geometry ---- */

/* One kind of data on the corners: normals, coordinates, colours, materials. */
typedef enum fbx_mapping {
    FBX_MAP_NONE = 0,
    FBX_MAP_CORNER,
    FBX_MAP_POINT,
    FBX_MAP_POLYGON,
    FBX_MAP_ALL
} fbx_mapping;

typedef struct fbx_element {
    fbx_mapping    mapping;
    uint32_t       components;
    const float   *data;
    size_t         count; /* elements */
    const int32_t *index; /* NULL: direct */
    size_t         index_count;
} fbx_element;

typedef struct fbx_corner {
    uint32_t corner, point, polygon;
} fbx_corner;

/* The first of that kind; of a mapping that is not known it is as if it were not there. */
ember_status emberi_fbx_element_read(fbx_scene *scene, fbx_element *out, uint32_t geometry, const char *layer,
                                     const char *data, const char *index, uint32_t components);
/* A corner's data; NULL where there is none. */
const float *emberi_fbx_element_get(const fbx_element *element, const fbx_corner *at);
ember_status emberi_fbx_materials_read(fbx_scene *scene, fbx_mapping *mapping, const int32_t **indexes,
                                       size_t *count, uint32_t geometry);

/* Cuts a polygon of n >= 3 points into n - 2 triangles of its corners' numbers. `room` has n numbers. */
void emberi_fbx_triangulate(uint32_t *out, const ember_vec3 *points, uint32_t count, uint32_t *room);

/* ---- materials ---- */

typedef struct fbx_material {
    float    color[4];
    uint32_t texture; /* an object, or FBX_NONE */
} fbx_material;

/* The material `index` of a node, white where it has none. */
void     emberi_fbx_material_get(const fbx_scene *scene, fbx_material *out, uint32_t node, uint32_t index);
uint32_t emberi_fbx_material_count(const fbx_scene *scene, uint32_t node);

typedef struct fbx_image {
    const uint8_t *data;
    size_t         size;
    bool           loaded;
} fbx_image;

/* A file name of a texture or video, as stored; its last part, of a path with slashes. */
fbx_text     emberi_fbx_file_name(const fbx_document *doc, uint32_t object, const char *field);
const char  *emberi_fbx_base_name(const char *path);
/* The four names under which a texture's image may be found, with slashes, in the pass; NULL each. */
ember_status emberi_fbx_image_names(fbx_document *doc, char *names[4], uint32_t texture);
/* The bytes of the image beside the file. */
ember_status emberi_fbx_image_beside(const fbx_document *doc, ember_buffer *out, char *const names[4],
                                     bool *found);
/* The image of a texture in the model's arena; data is NULL, with a note, where it is missing or neither PNG
   nor JPEG. */
ember_status emberi_fbx_image_get(fbx_scene *scene, fbx_image *out, uint32_t texture);

#endif
