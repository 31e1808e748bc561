/* SPDX-License-Identifier: MIT */
/* Reading glTF 2.0, in layers: the document (container, JSON, buffers, accessors, nodes), the rig (which
   nodes are bones), the curves and clips sampled from it, the meshes. All of it is private to the
   format; the file's bytes, and the files it names, are hostile: every index, count and offset is
   checked before it is used. */
#ifndef EMBER_FORMAT_GLTF_H
#define EMBER_FORMAT_GLTF_H

#include "base/json/json_tree.h"
#include "base/real.h"
#include "format/ops.h"

#define GLTF_NONE UINT32_MAX

/* ---- the document ---- */

typedef enum gltf_section {
    GLTF_BUFFERS = 0,
    GLTF_VIEWS,
    GLTF_ACCESSORS,
    GLTF_NODES,
    GLTF_SKINS,
    GLTF_ANIMATIONS,
    GLTF_MESHES,
    GLTF_MATERIALS,
    GLTF_TEXTURES,
    GLTF_IMAGES,
    GLTF_SCENES,
    GLTF_SECTION_COUNT
} gltf_section;

/* A place in the document, for error texts: nodes[3], or animations[0].samplers[2]. */
typedef struct gltf_where {
    gltf_section section;
    uint32_t     index;
    const char  *part; /* or NULL */
    uint32_t     part_index;
} gltf_where;

typedef struct gltf_list {
    const json_t *items; /* an array of objects; NULL if the document has none */
    uint32_t      count;
} gltf_list;

typedef struct gltf_bytes {
    const uint8_t *data;
    size_t         size;
} gltf_bytes;

typedef struct gltf_buffer {
    gltf_bytes   bytes;
    ember_buffer file; /* where the bytes came from another file */
    bool         loaded;
} gltf_buffer;

typedef struct gltf_view {
    gltf_bytes bytes;
    size_t     stride; /* 0: packed */
    bool       loaded;
} gltf_view;

typedef struct gltf_image {
    gltf_bytes bytes; /* the model's; empty if there is none */
    bool       loaded;
} gltf_image;

typedef struct gltf_node {
    const char *name;   /* or NULL; the document's */
    uint32_t    parent; /* or GLTF_NONE */
    uint32_t    mesh, skin;
    bool        exact; /* the matrix is what the TRS says */
    real_trs    trs;
    real_mat    mat;
    double      shear;      /* what the TRS leaves out of a matrix */
    uint32_t    joint_list; /* the last list of joints that named it */
    bool        elsewhere;  /* in other scenes than the default one */
} gltf_node;

struct gltf_carried; /* gltf_carry.h */

typedef struct gltf_doc {
    const emberi_source *source;
    const json_t        *root;
    gltf_bytes           text; /* the JSON */
    gltf_bytes           bin;  /* the binary chunk */
    bool                 has_bin;
    ember_arena          scratch; /* lives as long as the document */
    ember_arena          pass;    /* what one clip needs on the way */
    gltf_list            lists[GLTF_SECTION_COUNT];
    gltf_buffer         *buffers;
    gltf_view           *views;
    gltf_image          *images;
    gltf_node           *nodes;
    uint32_t            *order;       /* the nodes, parents first */
    bool                 file_failed; /* a buffer that another file has could not be read */
    uint8_t             *times_rise;  /* by accessor: known to be finite and rising */
    uint32_t             joint_list;  /* how many lists of joints have been read */
    double              *starts;      /* by animation: the second of the clip's first frame */
    struct gltf_carried *carried;     /* or NULL */
} gltf_doc;

/* The files that its buffers and images are in. */
ember_status emberi_gltf_references(const char *const **paths, uint32_t *count, const emberi_source *source);
ember_status emberi_gltf_open(gltf_doc *doc, const emberi_source *source);
void         emberi_gltf_close(gltf_doc *doc);
bool         emberi_gltf_is_glb(const uint8_t *data, size_t size);

/* Zeroed memory of the model (source's arena), of the document (scratch) or of what is soon given back
   (pass); NULL, and the error is set, where there is none left or the file has had too much. */
void *emberi_gltf_push(gltf_doc *doc, ember_arena *arena, size_t count, size_t size, size_t align);
#define GLTF_PUSH(doc, out, arena, type, count)                                                            \
    ((*(out) = emberi_gltf_push((doc), (arena), (count), sizeof(type), _Alignof(type))) != NULL ? EMBER_OK \
     : (doc)->source->err->status != EMBER_OK ? (doc)->source->err->status                                 \
                                              : EMBER_E_NOMEM)
#define GLTF_PUSH_MODEL(doc, out, type, count) GLTF_PUSH((doc), (out), (doc)->source->arena, type, (count))
#define GLTF_PUSH_SCRATCH(doc, out, type, count) GLTF_PUSH((doc), (out), &(doc)->scratch, type, (count))
#define GLTF_PUSH_PASS(doc, out, type, count) GLTF_PUSH((doc), (out), &(doc)->pass, type, (count))

/* ---- JSON, checked ---- */

/* "nodes[3].children[1]: message"; key may be NULL. Returns status. */
ember_status emberi_gltf_fail(const gltf_doc *doc, ember_status status, gltf_where where, const char *key,
                              const char *format, ...) __attribute__((format(printf, 5, 6)));

const json_t *emberi_gltf_item(const gltf_doc *doc, gltf_section section, uint32_t index);
/* The array of objects `key`; an absent one is empty. */
ember_status  emberi_gltf_get_list(const gltf_doc *doc, gltf_list *out, const json_t *object, const char *key,
                                   gltf_where where);
/* An index below the section's count; GLTF_NONE where the key is absent. */
ember_status  emberi_gltf_get_index(const gltf_doc *doc, uint32_t *out, const json_t *object, const char *key,
                                    gltf_section into, gltf_where where);
ember_status  emberi_gltf_get_uint(const gltf_doc *doc, uint64_t *out, const json_t *object, const char *key,
                                   uint64_t absent, gltf_where where);
/* `count` numbers; *there false, and out untouched, where the key is absent. */
ember_status  emberi_gltf_get_numbers(const gltf_doc *doc, double *out, size_t count, bool *there,
                                      const json_t *object, const char *key, gltf_where where);
/* NULL where the key is absent. */
ember_status  emberi_gltf_get_text(const gltf_doc *doc, const char **out, const json_t *object,
                                   const char *key, gltf_where where);
/* The object below `key`, NULL where it is absent. */
ember_status  emberi_gltf_get_object(const gltf_doc *doc, const json_t **out, const json_t *object,
                                     const char *key, gltf_where where);
/* The extension's object, NULL where it is absent. */
ember_status  emberi_gltf_get_extension(const gltf_doc *doc, const json_t **out, const json_t *object,
                                        const char *name, gltf_where where);
ember_status  emberi_gltf_index_of(const gltf_doc *doc, uint32_t *out, const json_t *value, const char *key,
                                   gltf_section into, gltf_where where);
ember_status  emberi_gltf_sections_open(gltf_doc *doc);
ember_status  emberi_gltf_nodes_read(gltf_doc *doc);
/* A whole number in 0..2^53, also if it is written as 1.0. */
bool          emberi_gltf_whole(uint64_t *out, const json_t *value);

/* ---- URIs ---- */

/* The bytes of a data URI, or of a file in the document's folder. *file holds the latter and is freed
   by the caller. */
ember_status emberi_gltf_uri_load(gltf_doc *doc, gltf_bytes *out, ember_buffer *file, const char *uri,
                                  gltf_where where);
/* Strict RFC 4648: padded, no other characters, unused bits zero. False if `text` is not that; out holds size
   / 4 * 3 bytes. */
bool         emberi_gltf_base64_decode(uint8_t *out, size_t *out_size, const char *text, size_t size);
/* Percent-decodes a relative path in place; false if it could lead out of the folder or is no path. */
bool         emberi_gltf_uri_unescape(char *uri);

/* ---- buffers, views, accessors ---- */

ember_status emberi_gltf_buffer_get(gltf_doc *doc, gltf_bytes *out, uint32_t index);
ember_status emberi_gltf_view_get(gltf_doc *doc, gltf_view *out, uint32_t index);
/* The bytes that an object's buffer, byteOffset and byteLength name. */
ember_status emberi_gltf_range_get(gltf_doc *doc, gltf_bytes *out, const json_t *object, gltf_where where);
/* The bytes of a view that is compressed by EXT_meshopt_compression. */
ember_status emberi_gltf_meshopt_load(gltf_doc *doc, gltf_bytes *out, const json_t *extension,
                                      gltf_where where);
bool         emberi_gltf_meshopt_built(void);

typedef enum gltf_component {
    GLTF_I8 = 5120,
    GLTF_U8 = 5121,
    GLTF_I16 = 5122,
    GLTF_U16 = 5123,
    GLTF_U32 = 5125,
    GLTF_F32 = 5126
} gltf_component;

typedef struct gltf_accessor {
    const uint8_t *data;
    size_t         stride; /* 0: every element is the same zeros */
    uint32_t       count;
    uint32_t       components; /* 1..16 */
    gltf_component type;
    bool           normalized;
} gltf_accessor;

/* The accessor that `key` names, which must be there and have one of two numbers of components. */
ember_status emberi_gltf_accessor_of(gltf_doc *doc, gltf_accessor *out, const json_t *object, const char *key,
                                     uint32_t components, uint32_t or_components, gltf_where where);
/* All components of one element as numbers, normalised where the accessor says so. index < count. */
void         emberi_gltf_fetch(double *out, const gltf_accessor *accessor, uint32_t index);
/* One component as it is stored; 0 for floats. */
uint32_t     emberi_gltf_fetch_uint(const gltf_accessor *accessor, uint32_t index, uint32_t component);

/* ---- channels ---- */

typedef enum gltf_mode { GLTF_STEP = 0, GLTF_LINEAR, GLTF_CUBICSPLINE } gltf_mode;

typedef enum gltf_path { GLTF_TRANSLATION = 0, GLTF_ROTATION, GLTF_SCALE, GLTF_PATH_COUNT } gltf_path;

/* A channel's target and sampler. */
typedef struct gltf_channel {
    uint32_t  node; /* or GLTF_NONE */
    gltf_path path; /* GLTF_PATH_COUNT: one that does not move nodes */
    uint32_t  sampler;
} gltf_channel;

ember_status emberi_gltf_channel_read(gltf_doc *doc, gltf_channel *out, const json_t *object,
                                      uint32_t animation, uint32_t index);

/* ---- the rig: which nodes are bones ---- */

/* A bone, or a node above one that is none itself and whose transform counts all the same. */
typedef struct gltf_rig_node {
    uint32_t node;
    uint32_t parent; /* in the rig, or GLTF_NONE */
    uint32_t bone;   /* or GLTF_NONE */
} gltf_rig_node;

/* Where a rig's node is, seen from the nearest bone above it. */
typedef struct gltf_place {
    real_trs trs;
    real_mat mat;   /* of nodes that are no bones */
    bool     exact; /* the TRS is the whole truth */
} gltf_place;

typedef struct gltf_rig {
    uint32_t       skin; /* or GLTF_NONE */
    uint32_t       node_count;
    gltf_rig_node *nodes; /* parents first */
    gltf_place    *rest;
    uint32_t      *of_node; /* the document's node to the rig's, or GLTF_NONE */
    uint32_t       bone_count;
    uint32_t      *bones;       /* bone to rig node */
    uint32_t      *joints;      /* with a skin: its nodes, and those of the skins that share its hierarchy */
    real_mat      *joint_binds; /* their inverse binds */
    real_mat      *binds;       /* the same by bone */
    ember_skeleton skeleton;
} gltf_rig;

ember_status emberi_gltf_rig_make(gltf_doc *doc, gltf_rig *out);
/* A skin's joints, each a node that is there once, and their inverse binds; both in the scratch. */
ember_status emberi_gltf_skin_joints(gltf_doc *doc, uint32_t **nodes, uint32_t *count, uint32_t skin);
ember_status emberi_gltf_skin_binds(gltf_doc *doc, real_mat **binds, uint32_t count, uint32_t skin);
/* The joints and inverse binds of the rig's skin, and those of further skins that it can serve too. */
ember_status emberi_gltf_skins_join(gltf_doc *doc, gltf_rig *rig);
/* The skin that the options ask for; GLTF_NONE if there are none and none is asked for. */
ember_status emberi_gltf_skin_choose(gltf_doc *doc, uint32_t *out);
/* The place of a rig's node from its parent's place (NULL: none counts) and its own transform; returns the
   shear left out. */
double emberi_gltf_rig_place(gltf_place *out, const gltf_place *parent, const gltf_place *own, bool is_bone);
/* The place that counts for a rig's node: its parent's, unless that is a bone. */
static inline const gltf_place *emberi_gltf_rig_above(const gltf_rig *rig, const gltf_place *places,
                                                      uint32_t node)
{
    uint32_t parent = rig->nodes[node].parent;
    return parent == GLTF_NONE || rig->nodes[parent].bone != GLTF_NONE ? NULL : &places[parent];
}
/* As the model stores it; false where a number does not fit. */
bool                 emberi_gltf_store(ember_transform *out, const real_trs *trs, double scale);
/* How much larger than the file the model is to be. */
static inline double emberi_gltf_scale(const gltf_doc *doc)
{
    return doc->source->options->scale != 0.0 ? doc->source->options->scale : 1.0;
}
static inline bool emberi_gltf_fits_float(double x)
{
    return x >= -3.4028234663852886e38 && x <= 3.4028234663852886e38;
}

/* ---- curves and clips ---- */

/* One channel's keys and the place of the last look-up: times asked for must not go back. */
typedef struct gltf_curve {
    gltf_accessor times, values;
    gltf_mode     mode;
    gltf_path     path;
    uint32_t      sampler;
    uint32_t      key; /* the last one that is not after the time asked for */
    double        first, last;
    double        key_time, next_time;
} gltf_curve;

ember_status emberi_gltf_curve_make(gltf_doc *doc, gltf_curve *out, uint32_t animation, uint32_t sampler,
                                    const json_t *object, gltf_path path);
/* The value at a time; false where a rotation has no direction. */
bool         emberi_gltf_curve_sample(double *out, gltf_curve *curve, double time);

/* The rate of the keys at these times (sorted here), 0 if they are on no grid up to 480 Hz. */
double emberi_gltf_key_rate(double *times, size_t count);

/* What Ember wrote into an animation's extras. */
typedef struct gltf_extras {
    bool          there;
    double        fps; /* 0: none */
    bool          loop;
    uint32_t      frame_count; /* 0: none */
    const json_t *markers, *bones, *raw;
} gltf_extras;

void         emberi_gltf_extras_read(gltf_extras *out, const gltf_doc *doc, uint32_t animation);
/* Gives a clip that has been sampled its markers, bones and raw values back; `frames` are the clip's own. */
ember_status emberi_gltf_extras_apply(gltf_doc *doc, ember_clip *clip, const gltf_extras *extras,
                                      const gltf_rig *rig, ember_transform *frames);
/* The mesh is only a picture of the bones. */
bool         emberi_gltf_extras_bone_shapes(const gltf_doc *doc, uint32_t mesh);

/* Gives the model the line that says what of the document it does not have; clips and meshes
   have been read. */
ember_status emberi_gltf_left_out(gltf_doc *doc, ember_model *model);

ember_status emberi_gltf_clips_read(gltf_doc *doc, ember_model *model, const gltf_rig *rig);

/* ---- meshes ---- */

typedef struct gltf_material {
    float    color[4];
    uint32_t image; /* or GLTF_NONE */
    uint32_t uv;    /* which TEXCOORD */
    double   uv_scale[2], uv_offset[2];
} gltf_material;

ember_status emberi_gltf_material_get(gltf_doc *doc, gltf_material *out, uint32_t index);
/* The image's bytes in the model's arena; *data NULL, with a note, where they are missing or neither
   PNG nor JPEG. */
ember_status emberi_gltf_image_get(gltf_doc *doc, const uint8_t **data, size_t *size, uint32_t index);

/* One primitive of a mesh, its accessors resolved and agreeing with each other. */
#define GLTF_WEIGHT_SETS 4u
typedef struct gltf_primitive {
    gltf_where    where;
    uint32_t      mode;                                          /* 4 triangles, 5 strip, 6 fan */
    gltf_accessor position, normal, tangent, uv, color, indices; /* data is NULL where there is none */
    gltf_accessor joints[GLTF_WEIGHT_SETS], weights[GLTF_WEIGHT_SETS];
    uint32_t      set_count;
    gltf_material material;
    uint32_t      corner_count; /* of the triangles it becomes */
} gltf_primitive;

/* *usable is false, with nothing else set, where it has no triangles. */
ember_status emberi_gltf_primitive_read(gltf_doc *doc, gltf_primitive *out, bool *usable, uint32_t mesh,
                                        uint32_t index);

/* What a mesh's vertices go through on their way into the model. */
typedef struct gltf_mesh_job {
    gltf_doc       *doc;
    const uint32_t *bones; /* of the joints of its skin; NULL: not skinned */
    uint32_t        joint_count;
    real_mat        place;
    bool            placed;   /* the matrix is not identity */
    bool            mirrored; /* it turns triangles round */
    bool            tinted;   /* base colours go into the vertices' colours */
    /* The mesh's arrays; NULL where no primitive has them. */
    ember_vec3     *positions, *normals;
    float (*tangents)[4];
    float (*uvs)[2];
    float (*colors)[4];
    uint16_t (*joints)[4];
    float (*weights)[4];
    uint32_t *indices;
    /* Counted on the way. */
    uint32_t  odd_numbers, without_weights;
} gltf_mesh_job;

/* Writes a primitive's vertices and triangles from these places on. */
ember_status emberi_gltf_primitive_fill(gltf_mesh_job *job, const gltf_primitive *primitive,
                                        uint32_t first_vertex, uint32_t first_corner);

ember_status emberi_gltf_meshes_read(gltf_doc *doc, ember_model *model, const gltf_rig *rig);

#endif
