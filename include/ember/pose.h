/* SPDX-License-Identifier: MIT */
/* What a pose is and what you do with it: decode, sample, blend, compose, skin, reach. Nothing allocates and
   nothing is kept: every job is a plain struct over the caller's buffers, zero-initialised fields mean the
   default, and the same job gives the same bits on every machine (of finite input; the bits of a NaN are the
   processor's). Rotations are unit quaternions, and no job normalises what it reads: what is not of unit
   length scales and shears.

   A job's `run` checks the job's rules first and returns EMBER_E_ARG, with nothing written, where one
   is broken. A pose is an array of ember_transform, one per bone. Buffers that are only read may be
   shared; an output may be the very same array as an input of the same type, but must not overlap one
   in any other way. */
#ifndef EMBER_POSE_H
#define EMBER_POSE_H

#include "base.h"
#include "codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- which kernels run ---- */

typedef enum ember_isa {
    EMBER_ISA_SCALAR = 0,
    EMBER_ISA_SSE2,
    EMBER_ISA_AVX2, /* with F16C */
    EMBER_ISA_NEON,
    EMBER_ISA_WASM, /* simd128 */
    EMBER_ISA_COUNT
} ember_isa;

/* The instruction set in use: the best of this build and machine, or what the environment's EMBER_ISA names
   (scalar, sse2, avx2, neon, wasm) if it can run here. Chosen at the first call and kept. */
EMBER_API ember_isa   ember_isa_used(void);
EMBER_API bool        ember_isa_runs(ember_isa isa); /* compiled in, and this processor has it */
EMBER_API const char *ember_isa_name(ember_isa isa); /* "avx2"; never NULL */

/* ---- one transform at a time ---- */

EMBER_API ember_quat ember_quat_mul(ember_quat a, ember_quat b); /* first b, then a */
EMBER_API ember_quat ember_quat_conjugate(ember_quat q);
EMBER_API ember_quat ember_quat_normalize(ember_quat q); /* zero or not finite: identity */
/* Takes the short way; at 0 and 1 the result is a and b but for their length. */
EMBER_API ember_quat ember_quat_nlerp(ember_quat a, ember_quat b, float t);
EMBER_API ember_quat ember_quat_slerp(ember_quat a, ember_quat b,
                                      float t); /* the short way, constant speed */
EMBER_API ember_vec3 ember_quat_rotate(ember_quat q, ember_vec3 v);
/* The axis need not have length 1; zero gives identity. */
EMBER_API ember_quat ember_quat_from_axis_angle(ember_vec3 axis, float radians);
/* The shortest arc. Opposite vectors give some half turn; a zero vector gives identity. */
EMBER_API ember_quat ember_quat_between(ember_vec3 from, ember_vec3 to);

/* Linear in position and scale, nlerp in rotation: the console's trs_lerp. */
EMBER_API ember_transform ember_transform_lerp(const ember_transform *a, const ember_transform *b, float t);
/* First b, then a. Exact where a's scale is uniform; otherwise the shear that a TRS cannot
   hold is dropped. */
EMBER_API ember_transform ember_transform_mul(const ember_transform *a, const ember_transform *b);
/* Exact where the scale is uniform; a zero scale gives zero. */
EMBER_API ember_transform ember_transform_inverse(const ember_transform *t);
EMBER_API ember_vec3      ember_transform_point(const ember_transform *t, ember_vec3 p);

EMBER_API ember_mat34 ember_mat34_from_transform(const ember_transform *t);
EMBER_API ember_mat43 ember_mat43_from_mat34(const ember_mat34 *m);
EMBER_API ember_mat34 ember_mat34_from_mat43(const ember_mat43 *m);
EMBER_API ember_mat44 ember_mat44_from_mat34(const ember_mat34 *m);
EMBER_API ember_mat34 ember_mat34_from_mat44(const ember_mat44 *m); /* the last row is taken to be 0 0 0 1 */
EMBER_API ember_mat34 ember_mat34_mul(const ember_mat34 *a, const ember_mat34 *b); /* first b, then a */
EMBER_API ember_vec3  ember_mat34_point(const ember_mat34 *m, ember_vec3 p);
EMBER_API ember_vec3  ember_mat34_direction(const ember_mat34 *m, ember_vec3 v);
/* False, and *out identity, where the matrix has no inverse or is not finite. */
EMBER_API bool        ember_mat34_inverse(ember_mat34 *out, const ember_mat34 *m);

/* Takes a matrix apart into the nearest TRS. A mirrored matrix keeps its sign in the scale's x. Returns the
   shear that is left out: the largest dot product of two unit columns, 0 for a pure TRS, 1 for columns that
   fall together. Columns of length zero give scale 0 and the rotation that the others allow. A matrix that is
   not finite gives identity, and 1. */
EMBER_API float ember_mat34_decompose(ember_transform *out, const ember_mat34 *m);

/* ---- decoding and sampling 16-byte keyframes ---- */

/* One frame of v2 records to transforms, or two frames decoded and mixed in one pass.
   Rules: out and frame not NULL unless bone_count is 0; out_count >= bone_count; frame_size >= 16 *
   bone_count; if next is not NULL: next_size >= 16 * bone_count and t is in 0..1. */
typedef struct ember_decode_job {
    ember_transform *out;
    size_t           out_count;
    const uint8_t   *frame;
    size_t           frame_size;
    const uint8_t   *next; /* NULL: `frame` alone */
    size_t           next_size;
    float            t; /* 0 is `frame`, 1 is `next`; rotations by nlerp, the short way */
    uint32_t         bone_count;
} ember_decode_job;
EMBER_API ember_status ember_decode_run(const ember_decode_job *job);

/* The pose of a whole clip at a time.
   Rules: bone_count and frame_count 1 or more; out_count >= bone_count; frames_size >= 16 * bone_count *
   frame_count; fps > 0 and finite; time_s finite. A clamped clip lasts (frame_count - 1) / fps and holds its
   ends; a looping one lasts frame_count / fps, its last frame running into its first. */
typedef struct ember_sample_job {
    ember_transform *out;
    size_t           out_count;
    const uint8_t   *frames; /* frame after frame, as in .ewzanim behind the header */
    size_t           frames_size;
    uint32_t         bone_count;
    uint32_t         frame_count;
    float            fps;
    double           time_s; /* may be negative or beyond the end */
    bool             loop;
} ember_sample_job;
EMBER_API ember_status ember_sample_run(const ember_sample_job *job);

/* The two frames and the weight between them that a time falls on, by the rules of ember_sample_job; for
   callers that keep frames in another form. Rules: the same. */
typedef struct ember_sample_point {
    uint32_t frame, next;
    float    t;
} ember_sample_point;
EMBER_API ember_status ember_sample_locate(ember_sample_point *out, uint32_t frame_count, double fps,
                                           double time_s, bool loop);

/* ---- blending ---- */

typedef enum ember_blend_method { EMBER_BLEND_NLERP = 0, EMBER_BLEND_SLERP } ember_blend_method;

/* From a to b. Rules: out, a, b not NULL unless bone_count is 0; t in 0..1; every weight in 0..1 (not checked
   one by one: others extrapolate). */
typedef struct ember_lerp_job {
    ember_transform       *out;
    const ember_transform *a;
    const ember_transform *b;
    const float           *weights; /* one per bone in place of t, or NULL */
    float                  t;
    ember_blend_method     method;
    uint32_t               bone_count;
} ember_lerp_job;
EMBER_API ember_status ember_lerp_run(const ember_lerp_job *job);

typedef struct ember_blend_layer {
    const ember_transform *pose;
    float                  weight; /* 0 or more */
    const float           *mask;   /* one factor per bone, 0 or more, or NULL for 1 */
} ember_blend_layer;

/* The weighted mean of any number of poses, by nlerp; weights need not sum to 1. A bone on which all weights
   are 0 gets its rest transform, or the first layer's where there is no rest. What a layer holds where its
   weight is 0 does not count.
   Rules: out and every pose not NULL unless bone_count is 0; layers not NULL, layer_count 1 or more; weights
   and their sum finite and 0 or more. */
typedef struct ember_blend_job {
    ember_transform         *out;
    const ember_blend_layer *layers;
    uint32_t                 layer_count;
    const ember_transform   *rest; /* or NULL */
    uint32_t                 bone_count;
} ember_blend_job;
EMBER_API ember_status ember_blend_run(const ember_blend_job *job);

/* What `pose` adds to `reference`: position differences, rotation and scale quotients (1 where the
   reference's scale is 0).
   Rules: out, pose, reference not NULL unless bone_count is 0. */
typedef struct ember_additive_make_job {
    ember_transform       *out;
    const ember_transform *pose;
    const ember_transform *reference;
    uint32_t               bone_count;
} ember_additive_make_job;
EMBER_API ember_status ember_additive_make_run(const ember_additive_make_job *job);

/* base with `weight` times a delta on top: position added, scale multiplied by 1 + (delta - 1) * weight,
   rotation nlerp(identity, delta, weight) * base.
   Rules: out, base, delta not NULL unless bone_count is 0; weight finite. */
typedef struct ember_additive_job {
    ember_transform       *out;
    const ember_transform *base;
    const ember_transform *delta;
    const float           *mask; /* one factor of the weight per bone, or NULL */
    float                  weight;
    uint32_t               bone_count;
} ember_additive_job;
EMBER_API ember_status ember_additive_run(const ember_additive_job *job);

/* ---- matrices and the hierarchy ---- */

/* Rules: out and pose not NULL unless bone_count is 0. */
typedef struct ember_matrices_job {
    ember_mat34           *out;
    const ember_transform *pose;
    uint32_t               bone_count;
} ember_matrices_job;
EMBER_API ember_status ember_matrices_run(const ember_matrices_job *job);

/* True if every parent is EMBER_NO_PARENT or an index smaller than its bone's: the order that jobs ask for
   where they take parents without a rig. */
EMBER_API bool ember_hierarchy_valid(const int16_t *parents, uint32_t bone_count);

/* A bone and the parent that it is composed on. Private. */
typedef struct ember_rig_step {
    uint16_t bone, parent;
} ember_rig_step;

/* A hierarchy that was checked and ordered once. Jobs that take a rig take their parents and the number of
   bones from it, check neither again, and compose faster than by parents alone; the results are the same.
   Made by ember_rig_make: read it, do not change it. It is valid as long as the memory it was made in, may be
   copied, and threads may share it. */
typedef struct ember_rig {
    uint32_t              bone_count;
    uint32_t              root_count; /* bones without a parent: the first of `order` */
    const int16_t        *parents;    /* a copy */
    const uint16_t       *order;      /* every bone once, level by level: parents before their children */
    const ember_rig_step *steps;      /* private: in that order, without the roots */
} ember_rig;

/* The bytes that a rig of so many bones needs: 8 for each. 0 if there can be none, above 32767 bones. */
EMBER_API size_t ember_rig_size(uint32_t bone_count);

/* Makes a rig in the caller's memory, once per skeleton; takes time in proportion to the bones. The bones may
   come in any order, also children before their parents, and there may be several roots. On failure *out is
   not changed. EMBER_E_ARG if there are more than 32767 bones, a parent is neither a bone nor
   EMBER_NO_PARENT, bones are their own ancestors, or parents is NULL while there are bones; EMBER_E_SPACE if
   the memory is too small.
   memory: ember_rig_size(bone_count) bytes at an even address; must not overlap parents. */
EMBER_API ember_status ember_rig_make(ember_rig *out, const int16_t *parents, uint32_t bone_count,
                                      void *memory, size_t memory_size);

/* Local pose to model-space matrices.
   Rules: out and pose not NULL unless there are no bones; without a rig: parents not NULL unless bone_count
   is 0, bone_count <= 32767, parents valid. */
typedef struct ember_compose_job {
    ember_mat34           *out;
    const ember_transform *pose;
    const int16_t         *parents;
    const ember_rig       *rig; /* in place of parents and bone_count; or NULL */
    uint32_t               bone_count;
} ember_compose_job;
EMBER_API ember_status ember_compose_run(const ember_compose_job *job);

/* Model-space matrices back to a local pose; *shear, if not NULL, is the largest shear met
   (ember_mat34_decompose). A bone whose parent has no inverse gets identity.
   Rules: out, model and parents not NULL unless bone_count is 0; parents valid. */
typedef struct ember_decompose_job {
    ember_transform   *out;
    const ember_mat34 *model;
    const int16_t     *parents;
    float             *shear;
    uint32_t           bone_count;
    const ember_rig   *rig; /* in place of parents and bone_count; or NULL */
} ember_decompose_job;
EMBER_API ember_status ember_decompose_run(const ember_decompose_job *job);

/* Skinning palette: model * inverse_bind, per bone. Rules: model and inverse_binds not NULL and at least one
   output not NULL, unless bone_count is 0. */
typedef struct ember_palette_job {
    ember_mat34       *rows;    /* three rows of four, or NULL */
    ember_mat44       *columns; /* column-major 4x4, what skinning wants; or NULL */
    const ember_mat34 *model;
    const ember_mat34 *inverse_binds;
    uint32_t           bone_count;
    const ember_rig   *rig; /* in place of bone_count; or NULL */
} ember_palette_job;
EMBER_API ember_status ember_palette_run(const ember_palette_job *job);

/* ---- skinning ---- */

typedef enum ember_weights {
    EMBER_WEIGHTS_F32 = 0,
    EMBER_WEIGHTS_UNORM8 /* (float)byte * (1.0f/255.0f); 255 is exactly 1 */
} ember_weights;

typedef enum ember_joints { EMBER_JOINTS_U8 = 0, EMBER_JOINTS_U16 } ember_joints;

/* Linear blend skinning of a range of vertices: the matrices are mixed, then positions and normals go through
   the mix. Normals are turned by the matrix itself and not normalised again. Vertices are independent, so
   threads may share one mesh in ranges.
   Rules: positions, out_positions and palette (or rigid) not NULL unless vertex_count is 0; normals and
   out_normals both or neither; strides at least 12 (positions, normals, both sides), influences * the size of
   a joint, and influences * the size of a weight; pointers and strides are multiples of the size of what they
   lead to; influences 0..4: 0 is rigid, every vertex by `rigid_bone` and neither joints nor weights are read;
   1 reads joints only, with weight 1; 2..4 read joints and weights; palette_count >= 1 and rigid_bone <
   palette_count. A joint beyond the palette is EMBER_E_RANGE, found before anything is written. Outputs must
   not overlap inputs. */
typedef struct ember_skin_job {
    float             *out_positions;
    size_t             out_positions_stride; /* bytes; 0 means 12, tightly packed */
    float             *out_normals;          /* or NULL */
    size_t             out_normals_stride;
    const float       *positions;
    size_t             positions_stride;
    const float       *normals; /* or NULL */
    size_t             normals_stride;
    const void        *joints;
    size_t             joints_stride; /* 0 means 4 or 8, by the kind */
    ember_joints       joints_kind;
    const void        *weights;
    size_t             weights_stride; /* 0 means 16 or 4, by the kind */
    ember_weights      weights_kind;
    uint32_t           influences;
    uint32_t           rigid_bone;
    const ember_mat44 *palette; /* fastest at addresses that are multiples of 64 */
    uint32_t           palette_count;
    uint32_t           vertex_count;
    /* a rigid mesh: every vertex by this matrix; in place of the palette, joints and weights. Or NULL */
    const ember_mat34 *rigid;
} ember_skin_job;
EMBER_API ember_status ember_skin_run(const ember_skin_job *job);

/* ---- reaching and looking ---- */

/* Bends a limb of two segments so that its end reaches for a target. Works on the local pose; give it the
   model-space matrices of the same pose, and compose again afterwards.
   Rules: pose, model and parents not NULL; start, mid, end below bone_count and in one line: start an
   ancestor of mid, mid of end; weight in 0..1; soften in 0..1; target and pole finite. Segments of length 0:
   nothing moves, *reached false. */
typedef struct ember_ik_two_bone_job {
    ember_transform   *pose;
    const ember_mat34 *model;
    const int16_t     *parents;
    uint32_t           bone_count;
    uint32_t           start, mid, end; /* shoulder, elbow, hand */
    ember_vec3         target;          /* model space */
    /* model space: the direction the middle joint bends to; zero: as the pose bends */
    ember_vec3         pole;
    float              twist; /* radians about start to target */
    /* fraction of the reach from which the limb eases in; 0 means 1: no easing */
    float              soften;
    float              weight;  /* of the correction */
    bool              *reached; /* or NULL: the target was within reach */
    const ember_rig   *rig;     /* in place of parents and bone_count; or NULL */
} ember_ik_two_bone_job;
EMBER_API ember_status ember_ik_two_bone_run(const ember_ik_two_bone_job *job);

/* Turns one bone so that its `forward` axis points at a target, `up` as near to `pole` as it can.
   Rules: pose, model and parents not NULL; bone < bone_count; forward not zero; weight in 0..1; all
   vectors finite. A target at the bone's own place, or up along forward: what can be done is done,
   nothing becomes NaN. */
typedef struct ember_ik_aim_job {
    ember_transform   *pose;
    const ember_mat34 *model;
    const int16_t     *parents;
    uint32_t           bone_count;
    uint32_t           bone;
    ember_vec3         target;  /* model space */
    ember_vec3         forward; /* in the bone's own axes */
    ember_vec3         up;      /* in the bone's own axes; zero: no roll correction */
    ember_vec3         pole;    /* model space */
    ember_vec3         offset;  /* in the bone's own axes: where the line of sight starts */
    float              weight;
    const ember_rig   *rig; /* in place of parents and bone_count; or NULL */
} ember_ik_aim_job;
EMBER_API ember_status ember_ik_aim_run(const ember_ik_aim_job *job);

/* ---- mirroring, root motion ---- */

typedef enum ember_axis { EMBER_AXIS_X = 0, EMBER_AXIS_Y, EMBER_AXIS_Z } ember_axis;

/* The pose seen in a mirror: left and right change places. Works on any rig whose rest pose is symmetrical,
   whatever the bones' own axes are: what is mirrored is how each bone moved from rest, in model space.
   Rules: no pointer is NULL unless bone_count is 0; parents valid; pairs[i] < bone_count and pairs[pairs[i]]
   == i (i itself for bones in the middle); out must not be pose; scratch holds 3 * bone_count matrices. */
typedef struct ember_mirror_job {
    ember_transform       *out;
    const ember_transform *pose; /* local */
    const ember_transform *rest; /* local */
    const int16_t         *parents;
    const uint16_t        *pairs;
    ember_mat34           *scratch;
    ember_axis             axis; /* the mirror's normal */
    uint32_t               bone_count;
    const ember_rig       *rig; /* in place of parents and bone_count; or NULL */
} ember_mirror_job;
EMBER_API ember_status ember_mirror_run(const ember_mirror_job *job);

/* Takes the root's travel out of a clip: motion[i] is where the root has gone from frame 0 to frame i on the
   chosen axes (and its turn about the up axis), and the frames keep what is left, so that motion[i] * left[i]
   is the root as it was.
   Rules: frames and motion not NULL; frame_count and bone_count 1 or more; root < bone_count; axes a sum of 1
   (x), 2 (y), 4 (z). */
typedef struct ember_root_motion_job {
    ember_transform *frames; /* frame_count * bone_count, changed in place */
    ember_transform *motion; /* frame_count */
    uint32_t         frame_count;
    uint32_t         bone_count;
    uint32_t         root;
    uint32_t         axes;
    ember_axis       up;
    bool             turn; /* take the turn about `up` too */
} ember_root_motion_job;
EMBER_API ember_status ember_root_motion_run(const ember_root_motion_job *job);

#ifdef __cplusplus
}
#endif
#endif
