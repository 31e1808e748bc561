/* SPDX-License-Identifier: MIT */
/* The scene of an FBX document on its way to the model: nodes with their whole chain of transforms, which of
   them are bones, the curves that move them, the skins and meshes on them. */
#ifndef EMBER_FORMAT_FBX_SCENE_H
#define EMBER_FORMAT_FBX_SCENE_H

#include "base/real.h"
#include "ember/format_options.h"
#include "format/fbx/fbx_document.h"

/* ---- settings ---- */

typedef struct fbx_settings {
    real_mat axes;      /* from the file's axes to x right, y up, z to the front */
    double   unit;      /* metres */
    double   fps;       /* of the time mode */
    bool     fps_known; /* the file has a time mode */
} fbx_settings;

void emberi_fbx_settings_read(const fbx_document *doc, fbx_settings *out);

/* ---- nodes ---- */

typedef enum fbx_path { FBX_TRANSLATION = 0, FBX_ROTATION, FBX_SCALING, FBX_PATH_COUNT } fbx_path;

typedef struct fbx_node {
    uint32_t object;
    uint32_t parent;                 /* node, or FBX_NONE */
    uint32_t bone;                   /* or FBX_NONE */
    uint32_t above;                  /* the nearest node above that is a bone, or FBX_NONE */
    double   own[FBX_PATH_COUNT][3]; /* Lcl Translation, Rotation (degrees), Scaling */
    double   pre[4], post[4];        /* PreRotation, and PostRotation's inverse */
    double   rotation_offset[3], rotation_pivot[3], scaling_offset[3], scaling_pivot[3];
    real_mat geometric;
    uint8_t  order;       /* 0..5: XYZ, XZY, YZX, YXZ, ZXY, ZYX */
    uint8_t  inherit;     /* 0..2 */
    bool     counts;      /* is a bone, or above one */
    bool     limb;        /* is a bone by its class */
    bool     joint;       /* a cluster refers to it */
    bool     keyed;       /* some take has keys for it */
    bool     moves;       /* and they are not all its own value */
    fbx_text moves_in;    /* the first take in which it does */
    bool     shows;       /* a mesh hangs on it or below it */
    bool     shows_rigid; /* a mesh hangs on it and no skin moves all of it */
} fbx_node;

typedef struct fbx_scene {
    fbx_document  *doc;
    fbx_settings   settings;
    fbx_node      *nodes; /* parents first */
    uint32_t       node_count;
    uint32_t      *of_object; /* the node of an object, or FBX_NONE */
    uint32_t       skin;      /* whose joints are the bones, or FBX_NONE: all skins' and the limbs */
    uint32_t       bone_count;
    uint32_t      *bones; /* nodes */
    real_mat       root;  /* what stands above all nodes */
    real_trs       root_trs;
    bool           root_exact;
    double         length; /* what lengths are multiplied by below that */
    ember_skeleton skeleton;
    real_mat      *rest; /* by node: the world at rest */
} fbx_scene;

ember_status emberi_fbx_nodes_read(fbx_scene *scene);
/* The first geometry of a node: an object, or in version 6 the model itself; FBX_NONE if there is none. */
uint32_t     emberi_fbx_node_geometry(const fbx_scene *scene, uint32_t node);

/* ---- transforms ---- */

/* A rotation by three angles in degrees, in one of the six orders, and back. */
void emberi_fbx_euler_to_quat(double out[4], const double degrees[3], uint8_t order);
void emberi_fbx_quat_to_euler(double degrees[3], const double q[4], uint8_t order);

/* A node at some time: from the origin, and from the nearest bone above it. */
typedef struct fbx_place {
    real_mat world;
    double   handed_on[3]; /* the scale that children of inherit type 0 and 2 see */
    double   taken[3];     /* the part of it that is not the node's own */
    real_trs trs;          /* from the bone above; of bones what is stored */
    real_mat mat;
    real_mat shown; /* of bones: where what is stored puts it */
    bool     exact; /* the TRS is the whole truth */
    bool     off;   /* of bones: shown is not world */
    double   shear; /* of bones: what the stored transform leaves out */
    bool     lost;  /* of bones: nothing can be placed below a scale of zero */
} fbx_place;

/* The place of node `index` from its parent's, which is there already, and its three values at the time. */
void emberi_fbx_place(fbx_place *places, const fbx_scene *scene, uint32_t index,
                      double own[FBX_PATH_COUNT][3]);
/* All places of the rest pose; places has node_count. */
void emberi_fbx_rest(fbx_place *places, const fbx_scene *scene);
/* Sets what stands above all nodes, and whether the unit is a scale there or lengths are multiplied by it. */
void emberi_fbx_root(fbx_scene *scene, bool unit_as_scale);
/* As the model stores it; false where a number is not finite or too large. */
bool emberi_fbx_store(ember_transform *out, const real_trs *trs);

/* ---- the rig ---- */

ember_status emberi_fbx_rig_make(fbx_scene *scene);

/* ---- curves ---- */

/* Keys from `first` on, up to the next run's, have these flags and data (facts in docs/formats/fbx.md). */
typedef struct fbx_run {
    uint32_t first;
    uint32_t flags;
    float    right, next_left;               /* slopes, or biases, or tension and continuity */
    float    right_weight, next_left_weight; /* or bias */
} fbx_run;

enum {
    FBX_KEY_CONSTANT = 0x2,
    FBX_KEY_LINEAR = 0x4,
    FBX_KEY_CUBIC = 0x8,
    FBX_KEY_NEXT = 0x100, /* with constant */
    FBX_KEY_TCB = 0x200,
    FBX_KEY_USER = 0x400,
    FBX_KEY_CLAMP = 0x1000,
    FBX_KEY_TIME_INDEPENDENT = 0x2000,
    FBX_KEY_CLAMP_PROGRESSIVE = 0x4000,
    FBX_KEY_RIGHT_WEIGHT = 0x1000000,
    FBX_KEY_NEXT_LEFT_WEIGHT = 0x2000000
};

typedef struct fbx_beyond {
    char    type;   /* C constant, K slope, R repeat, M mirror, A repeat relative */
    int64_t rounds; /* -1: for ever */
} fbx_beyond;

/* The piece between two keys that was looked at last. */
typedef struct fbx_segment {
    uint32_t key; /* its first; FBX_NONE: none yet */
    uint32_t flags;
    double   from, to;    /* values */
    double   right, left; /* slopes a second at its ends */
    double   right_weight, left_weight;
} fbx_segment;

typedef struct fbx_curve {
    uint32_t       key_count; /* 0: nothing */
    const int64_t *times;     /* ticks, rising */
    const float   *values;
    const fbx_run *runs;
    uint32_t       run_count;
    double         ticks; /* of a second */
    fbx_beyond     before, after;
    fbx_segment    segment;
} fbx_curve;

/* What the curve before had, as the file stores it and as it was read. Curves of one take mostly have the
   same times and attributes, and share them then. */
typedef struct fbx_known {
    fbx_text       times_stored, runs_stored[3];
    const int64_t *times;
    const fbx_run *runs;
    uint32_t       time_count, run_count;
    uint32_t       key_count; /* of the curve that the runs are of */
} fbx_known;

/* A curve of version 7 (its object's record) or 6 (its channel's); in the file's pass. A curve that is
   damaged comes without keys and *damaged is set. `known` is of curves that live in the same pass;
   NULL: nothing is shared. */
ember_status emberi_fbx_curve_read(fbx_document *doc, fbx_curve *out, uint32_t record, fbx_known *known,
                                   bool *damaged);
/* The same for who only wants to know when it has keys: there are no values. */
ember_status emberi_fbx_curve_times(fbx_document *doc, fbx_curve *out, uint32_t record, bool *damaged);
ember_status emberi_fbx_old_keys_read(fbx_document *doc, fbx_curve *out, uint32_t record, bool *damaged);
/* The value at a time; a curve without keys must not be asked. */
double       emberi_fbx_curve_sample(fbx_curve *curve, int64_t time);
/* The tangents and flags of the piece that begins with a key. */
void         emberi_fbx_segment_make(fbx_segment *out, const fbx_curve *curve, uint32_t key);
static inline bool emberi_fbx_curve_goes_on(const fbx_curve *curve)
{
    return curve->key_count > 1 && (curve->before.type != 'C' || curve->after.type != 'C');
}

/* ---- takes ---- */

/* One property of a node in one layer of a take. */
typedef struct fbx_channel {
    uint32_t node;
    uint32_t layer; /* of the take */
    fbx_path path;
    double   defaults[3];
    uint32_t curves[3]; /* records, or FBX_NONE */
} fbx_channel;

typedef struct fbx_layer {
    uint32_t object;
    double   weight;                    /* 0..1 */
    uint32_t weight_curve;              /* record, or FBX_NONE */
    int64_t  mode;                      /* 0 additive, 1 override, 2 override-passthrough */
    int64_t  rotation_mode, scale_mode; /* 0: by layer, multiply */
    uint32_t others;                    /* animated properties that are left out */
} fbx_layer;

typedef struct fbx_take {
    fbx_text     name;
    uint32_t     object; /* AnimationStack, or FBX_NONE */
    uint32_t     record; /* of Takes, or FBX_NONE */
    bool         has_span;
    int64_t      start, stop; /* ticks */
    fbx_layer   *layers;
    uint32_t     layer_count;
    fbx_channel *channels; /* sorted by node, path and layer */
    uint32_t     channel_count;
    uint32_t     others; /* animated properties that are no transforms, and pivots */
} fbx_take;

typedef struct fbx_takes {
    fbx_take *items;
    uint32_t  count;
} fbx_takes;

/* All takes with their channels, in the file's scratch; marks the nodes that have keys. */
ember_status emberi_fbx_takes_read(fbx_scene *scene, fbx_takes *out);
ember_status emberi_fbx_old_takes_read(fbx_scene *scene, fbx_takes *out);
ember_status emberi_fbx_channels_sort(fbx_scene *scene, fbx_take *take);
/* Sets `moves` of the nodes whose keys are not all their own value. */
ember_status emberi_fbx_takes_mark(fbx_scene *scene, const fbx_takes *takes);

bool         emberi_fbx_take_is_keyed(const fbx_take *take);
/* Leaves the one take that the options want, or one layer of it alone; all where they want none. */
ember_status emberi_fbx_take_choose(fbx_scene *scene, fbx_takes *takes);

/* A value of a layer on top of those below, at weight 0..1. */
void emberi_fbx_layer_blend(double value[3], const double on_top[3], const fbx_layer *layer, double weight,
                            fbx_path path, uint8_t order);

ember_status emberi_fbx_clips_read(fbx_scene *scene, const fbx_takes *takes, ember_model *model);

/* ---- skins, meshes, materials ---- */

/* Sets the scene's skin as the options want. */
ember_status emberi_fbx_skin_choose(fbx_scene *scene);
/* Marks joints, and nodes with meshes that no skin moves. */
ember_status emberi_fbx_skins_mark(fbx_scene *scene);
ember_status emberi_fbx_meshes_read(fbx_scene *scene, ember_model *model);

/* The files beside this one that its textures are in. */
ember_status emberi_fbx_references(const char *const **paths, uint32_t *count, const emberi_source *source);

/* Warns in one line each of what this reader does not know. */
void emberi_fbx_note_unsupported(const fbx_scene *scene);

#endif
