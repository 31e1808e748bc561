/* SPDX-License-Identifier: MIT */
/* Reading FBX through assimp, in two halves. The child, a process with limits, lets assimp parse the file
   and turns what it gives into a binary glTF with the quirks repaired: bytes that anybody could have
   sent. The parent reads those with the glTF reader, which trusts nothing; so a file that crashes assimp
   costs one line. */
#ifndef EMBER_FORMAT_FBX_PARTS_H
#define EMBER_FORMAT_FBX_PARTS_H

#include "base/real.h"
#include "format/json/json_out.h"
#include "format/ops.h"

#include <assimp/scene.h>

#define FBX_NONE UINT32_MAX

/* ---- the glTF that is made ---- */

typedef enum fbx_list {
    FBX_NODES = 0,
    FBX_SKINS,
    FBX_ANIMATIONS,
    FBX_MESHES,
    FBX_MATERIALS,
    FBX_TEXTURES,
    FBX_IMAGES,
    FBX_ACCESSORS,
    FBX_VIEWS,
    FBX_LIST_COUNT
} fbx_list;

/* Every list of the document grows by itself; they are joined at the end. */
typedef struct fbx_out {
    ember_buffer    texts[FBX_LIST_COUNT];
    emberi_json_out lists[FBX_LIST_COUNT];
    uint32_t        counts[FBX_LIST_COUNT];
    ember_buffer    bin;
    ember_buffer    notes;  /* lines that the user is told */
    bool            failed; /* no memory */
} fbx_out;

void             emberi_fbx_out_make(fbx_out *out);
void             emberi_fbx_out_free(fbx_out *out);
/* The object that begins; end it with emberi_json_object_end. Its index is the list's count before. */
emberi_json_out *emberi_fbx_add(fbx_out *out, fbx_list list);
void             emberi_fbx_put_index(emberi_json_out *json, const char *key, uint32_t index);
/* Accessors over numbers that go into the buffer; what is returned is the accessor's index. */
uint32_t         emberi_fbx_floats(fbx_out *out, const float *values, size_t count, uint32_t components);
uint32_t         emberi_fbx_joints(fbx_out *out, const uint16_t (*joints)[4], size_t count);
uint32_t         emberi_fbx_indices(fbx_out *out, const uint32_t *indices, size_t count);
uint32_t         emberi_fbx_view(fbx_out *out, const void *data, size_t size);
void             emberi_fbx_note(fbx_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The whole file. */
ember_status     emberi_fbx_finish(ember_buffer *glb, fbx_out *out, ember_error *err);

/* ---- the scene ---- */

/* A node of assimp's tree, parents first. A helper is one of those that assimp puts above a node, or below
   it, for the parts of FBX's transformation that are not translation, rotation and scale. */
typedef struct fbx_node {
    const struct aiNode *node;
    const char          *name;    /* of a helper: the name of the node it serves */
    uint32_t             parent;  /* or FBX_NONE */
    bool                 helper;  /* above the node that it serves */
    bool                 inverse; /* below it: takes back what a helper did to it */
    /* a helper that is part of the node it serves: it has no node of its own */
    bool                 folded;
    bool                 is_bone;      /* of a mesh */
    bool                 limb;         /* what only a bone can be */
    bool                 above_joint;  /* a node above a joint */
    uint32_t             joint;        /* in the skin, or FBX_NONE */
    uint32_t             gltf;         /* its node in the document */
    uint32_t             scaled_by;    /* the node whose scale is taken back above this one, or FBX_NONE */
    uint32_t             compensation; /* the node of the document that does so, or FBX_NONE */
    real_mat             own;          /* from the parent, folded helpers included */
    real_mat             world;        /* in the file's axes and units */
    double               scale[3];     /* its own, at rest */
} fbx_node;

typedef struct fbx_scene {
    const struct aiScene *scene;
    ember_arena          *arena;
    uint32_t              node_count;
    fbx_node             *nodes;
    uint32_t             *by_name; /* those that are no helpers, by name */
    uint32_t              name_count;
    uint32_t              gltf_count; /* nodes of the document */
    uint32_t              joint_count;
    uint32_t             *joints; /* nodes */
    real_mat              axes;   /* from the file's axes to y up, z to the front */
    double                unit;   /* metres that a unit of the file has */
    /* what lengths below the root are multiplied by: unit, or 1 where the root is scaled by it */
    double                length;
    real_mat              to_model; /* axes and unit */
} fbx_scene;

/* The node of that name; FBX_NONE if there is none. Of several the first. */
uint32_t     emberi_fbx_find(const fbx_scene *scene, const char *name);
ember_status emberi_fbx_scene_make(fbx_scene *out, const struct aiScene *scene, ember_arena *arena,
                                   fbx_out *notes, ember_error *err);
real_mat     emberi_fbx_matrix(const struct aiMatrix4x4 *m);
/* The helper above a node whose part of the transformation is called so, or FBX_NONE. */
uint32_t     emberi_fbx_helper(const fbx_scene *scene, uint32_t node, const char *part);
/* The channel that scales a node, its own or its helper's; NULL if there is none. */
const struct aiNodeAnim *emberi_fbx_scale_channel(const struct aiAnimation *animation, const char *name);

/* Gives every node its number in the document. */
void         emberi_fbx_number_nodes(fbx_scene *scene);
ember_status emberi_fbx_nodes(fbx_out *out, fbx_scene *scene, const uint32_t *meshes, const uint32_t *skins,
                              ember_error *err);
ember_status emberi_fbx_clips(fbx_out *out, const fbx_scene *scene, ember_error *err);
/* The meshes and skins; of every node which mesh it shows and by which skin, or FBX_NONE. */
ember_status emberi_fbx_meshes(fbx_out *out, const fbx_scene *scene, uint32_t *meshes, uint32_t *skins,
                               ember_error *err);

/* ---- the two halves ---- */

/* What runs in the child: assimp's scene as binary glTF. notes: lines. */
ember_status emberi_fbx_convert(ember_buffer *glb, ember_buffer *notes, const void *data, size_t size,
                                ember_error *err);

/* Runs it in a child with limits; it may take `memory` bytes beside what assimp needs for any file. */
ember_status emberi_fbx_run_child(ember_buffer *glb, ember_buffer *notes, const void *data, size_t size,
                                  size_t memory, ember_error *err);

#endif
