/* SPDX-License-Identifier: MIT */
/* The one model in the middle: a skeleton and its clips, open and plain. Every reader fills it, every writer
   is fed from it. All of it lives in the arena that the reader was given. */
#ifndef EMBER_MODEL_H
#define EMBER_MODEL_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ember_format {
    EMBER_FORMAT_UNKNOWN = 0,
    EMBER_FORMAT_EWZANIM, /* v2's keyframes: .ewzanim, .nczxanim */
    EMBER_FORMAT_EZA,     /* the draft's clips: .eza */
    EMBER_FORMAT_JSON,    /* Ember's own clip form */
    EMBER_FORMAT_GLTF,    /* glTF 2.0: .gltf with its buffers */
    EMBER_FORMAT_GLB,     /* the same in one binary file */
    EMBER_FORMAT_FBX,
    EMBER_FORMAT_BVH,
    EMBER_FORMAT_OBJ,     /* meshes only */
    EMBER_FORMAT_EWZSKEL, /* skeleton: .ewzskel, .nczxskel */
    EMBER_FORMAT_EWZMESH, /* mesh: .ewzmesh, .nczxmesh */
    EMBER_FORMAT_ANIMBIN, /* PlayStation homebrew clips */
    EMBER_FORMAT_FF7,     /* Final Fantasy VII battle animations: **da packs, *.a00 */
    EMBER_FORMAT_FF7AA,   /* their skeletons: **aa */
    EMBER_FORMAT_EWZLEAN, /* lean clips: .ewzlean */
    EMBER_FORMAT_COUNT
} ember_format;

typedef enum ember_space {
    EMBER_SPACE_UNSTATED = 0, /* in options only: what the format says, or its default */
    EMBER_SPACE_MODEL,        /* transforms from the model's origin; parents do not count */
    EMBER_SPACE_LOCAL         /* transforms from the parent bone */
} ember_space;

/* Bones in an order that has parents first. names, rest and inverse_binds are NULL where the
   source has none. */
typedef struct ember_skeleton {
    uint32_t               bone_count;
    const int16_t         *parents; /* EMBER_NO_PARENT for roots; never NULL if there are bones */
    const char *const     *names;   /* UTF-8; a single name may be NULL as well */
    const ember_transform *rest;    /* local, whatever the clips' space */
    const ember_mat34     *inverse_binds;
} ember_skeleton;

typedef struct ember_marker {
    const char *name;
    uint32_t    frame;
} ember_marker;

/* What only the source's format knows of a clip; the format's own reader and writer (and JSON's `raw`)
   understand it. */
typedef struct ember_raw {
    ember_format format;
    const void  *data;
    /* The values were edited after the frames were made from them: a writer of the format stores them, and
       not the frames, where the two differ. */
    bool         edited;
} ember_raw;

typedef struct ember_clip {
    const char            *name; /* UTF-8, never NULL; "" where the source has none */
    double                 fps;  /* 0 where the source has none */
    bool                   loop;
    ember_space            space;      /* MODEL or LOCAL */
    uint32_t               bone_count; /* of this clip: the skeleton's, or fewer */
    /* the skeleton's bone of each of them, or NULL: the first bone_count */
    const uint16_t        *bones;
    uint32_t               frame_count;
    const ember_transform *frames; /* frame_count * bone_count, frame after frame */
    uint32_t               marker_count;
    const ember_marker    *markers;
    ember_raw              raw;
    /* how far the frames are from what the file was made of at most, in model units, where the file states
       it (ewzlean); else 0 */
    float                  error;
} ember_clip;

/* Triangles. Arrays that the source does not have are NULL. A mesh with joints is skinned; one with a bone is
   rigid and follows that bone, its positions in the bone's own axes; one with neither stands still. */
typedef struct ember_mesh {
    const char       *name; /* never NULL */
    uint32_t          vertex_count;
    const ember_vec3 *positions;
    const ember_vec3 *normals;
    const float (*tangents)[4]; /* w is the sign of the bitangent */
    const float (*uvs)[2];
    const float (*colors)[4];    /* linear, 0..1 */
    const uint16_t (*joints)[4]; /* the skeleton's bones */
    const float (*weights)[4];   /* sorted, the largest first; they sum to 1 */
    uint32_t        index_count; /* a multiple of 3 */
    const uint32_t *indices;
    int32_t         bone; /* -1: not rigid */
    float           base_color[4];
    const uint8_t  *texture; /* the base colour's image as it is in the file (PNG or JPEG), or NULL */
    size_t          texture_size;
} ember_mesh;

/* What only the source's format knows of the whole file (materials, cameras, extensions of glTF), for a
   writer of the same family; ember_read_options.carry asks for it. */
typedef struct ember_carried {
    ember_format format; /* UNKNOWN: nothing */
    const void  *data;
} ember_carried;

typedef struct ember_model {
    ember_format      format; /* what it was read from */
    ember_skeleton    skeleton;
    uint32_t          clip_count;
    const ember_clip *clips;
    uint32_t          mesh_count;
    const ember_mesh *meshes;
    /* What the file has beside and a model has no place for ("2 cameras, 1 material but for its base
       colour"), for whoever writes the model somewhere else; or NULL. */
    const char       *left_out;
    ember_carried     carried;
} ember_model;

/* ---- notes: what was lost, repaired or assumed ---- */

typedef enum ember_note_kind {
    EMBER_NOTE_LOSS = 0, /* the target does not store it */
    EMBER_NOTE_WARNING,  /* the input is odd, or something was assumed */
    EMBER_NOTE_DETAIL,   /* for -v */
    EMBER_NOTE_REPORT    /* what was done, where that is worth a line */
} ember_note_kind;

typedef struct ember_note {
    ember_note_kind kind;
    const char     *clip; /* name, or NULL */
    const char     *bone; /* name, or NULL */
    const char     *text; /* one line; valid during the call */
} ember_note;

typedef struct ember_notes {
    void (*take)(void *user, const ember_note *note); /* NULL: nobody listens */
    void *user;
} ember_notes;

/* ---- clips and skeletons ---- */

/* The rate used where a clip has none of its own. */
#define EMBER_DEFAULT_FPS 30.0

static inline double ember_clip_fps(const ember_clip *clip)
{
    return clip->fps > 0.0 ? clip->fps : EMBER_DEFAULT_FPS;
}

/* The skeleton's bone behind the clip's bone i. */
static inline uint32_t ember_clip_bone(const ember_clip *clip, uint32_t i)
{
    return clip->bones != NULL ? clip->bones[i] : i;
}

/* The bone's name, or NULL. */
static inline const char *ember_skeleton_name(const ember_skeleton *skeleton, uint32_t bone)
{
    return skeleton->names != NULL ? skeleton->names[bone] : NULL;
}

/* The bone of that name; -1 if there is none, -2 if there are several. */
EMBER_API int32_t ember_skeleton_find(const ember_skeleton *skeleton, const char *name);

/* Whether anything is known of the bones but their number: some name of their own, some parent, or a rest
   pose, which a file that tells nothing of the hierarchy does not have. */
EMBER_API bool ember_skeleton_is_known(const ember_skeleton *skeleton);

/* The skeleton of just the clip's bones, in the clip's order: the skeleton itself where it is all of them.
   Arrays that the skeleton has not stay NULL; so do the inverse binds of a part. A bone whose parent is not
   in the clip before it becomes a root, and *orphan the first such bone of the skeleton; -1: there is none.
   orphan may be NULL. EMBER_E_NOMEM. */
EMBER_API ember_status ember_skeleton_of_clip(ember_skeleton *out, int32_t *orphan,
                                              const ember_skeleton *skeleton, const ember_clip *clip,
                                              ember_arena *arena);

/* The model's clip of that name, the first where several have it; NULL if there is none. */
EMBER_API const ember_clip *ember_model_clip(const ember_model *model, const char *name);

/* Checks everything that this header says of a model: counts, parents, bone indices, markers, spaces. Readers
   give only models that pass; use it on models of your own making before writing them. */
EMBER_API ember_status ember_model_check(const ember_model *model, ember_error *err);

/* The transform with the rotation that its quaternion stands for: of unit length, as every writer stores it.
   One that is off by no more than rounding stays as it is, bit for bit; so does one that stands for nothing,
   zero or not finite. */
EMBER_API ember_transform ember_transform_with_unit_rotation(const ember_transform *t);

/* One frame of a clip as model-space matrices, one for each of the clip's bones: composed if the clip is
   local. A local clip's bone whose parent is not in the clip takes the parent's rest. Rotations that are not
   of unit length are normalised. out: clip->bone_count matrices. */
EMBER_API ember_status ember_clip_matrices(ember_mat34 *out, const ember_model *model, const ember_clip *clip,
                                           uint32_t frame);

/* The clip at another rate: round(duration * fps) + 1 frames, frame i at i / fps and the last one at the end
   at the latest, between two frames of the clip linear, rotations by slerp; a looping clip keeps its length
   and gets round(length * fps) frames, its last running into its first. Markers go to the nearest frame, raw
   data is dropped. A clip without frames or without a rate is copied as it is. EMBER_E_ARG if fps is not
   above 0 and finite; EMBER_E_LIMIT above 2^24 frames. */
EMBER_API ember_status ember_clip_resample(ember_clip *out, const ember_clip *clip, double fps,
                                           ember_arena *arena);

/* What a clip could not take along into another space. */
typedef struct ember_space_losses {
    /* the largest that was left out, 0..1: a transform has none. Below EMBER_SHEAR_LIMIT nobody sees it */
    float    shear;
    int32_t  shear_bone; /* of the skeleton; -1 where only the frame is known */
    uint32_t shear_frame;
    /* bones, all frames together, that got identity because their parent has no inverse */
    uint64_t lost_count;
    uint32_t lost_bone, lost_frame; /* the first of them */
} ember_space_losses;
#define EMBER_SHEAR_LIMIT 0.01f

/* The clip in that space, its frames in the arena; as it is if it is there already or the space is UNSTATED.
   Raw data is dropped with a change. losses may be NULL. A skeleton of which only the number of bones is
   known cannot change a clip's space: EMBER_E_UNSUPPORTED. Numbers that are not finite and rotations of
   length 0 are EMBER_E_RANGE, and err has bone and frame; other rotations are normalised. */
EMBER_API ember_status ember_clip_to_space(ember_clip *out, ember_space_losses *losses,
                                           const ember_model *model, const ember_clip *clip,
                                           ember_space space, ember_arena *arena, ember_error *err);

/* The model's clips on the bones of another skeleton, matched by name: in its order and with its rest, which
   bones keep that the clips do not move. *out shares everything else with the model and the skeleton.
   EMBER_E_MALFORMED, with a list of names, where the skeleton lacks a bone of the model or either has a name
   twice. The notes hear which bone became which, and are warned of those that hang on another bone there.
   notes may be NULL, out may be the model. */
EMBER_API ember_status ember_model_match(ember_model *out, const ember_model *model,
                                         const ember_skeleton *skeleton, const ember_notes *notes,
                                         ember_arena *arena, ember_error *err);

/* How far clip b of model b is from clip a of model a: the displacement of three points, `shell` away from
   each bone along its axes, all in model space: a bone's own scale does not count. Bones are matched by name
   where both skeletons have names, else by index. */
typedef struct ember_compare_job {
    const ember_model *a_model, *b_model;
    const ember_clip  *a, *b;
    float              shell; /* 0: a sixtieth of the size of a, as 3 cm are to a person of 1.8 m */
    /* Written by the run. */
    float              used_shell;
    /* the largest side of the box around all of a's bones in all frames and its meshes in the first */
    float              size;
    uint32_t           bone_count;  /* matched bones */
    uint32_t           frame_count; /* compared frames: the shorter clip's */
    double             max, mean;   /* over all bones and frames; mean of the largest displacement of each */
    uint32_t           max_bone, max_frame; /* max_bone is an index of a's bones */
    double            *bone_max;            /* or NULL: a->bone_count values; -1 for bones without a match */
    double            *bone_mean;
    double            *frame_max; /* or NULL: frame_count of a values; -1 for frames that b lacks */
    bool              *met;       /* or NULL: b->bone_count values; whether a bone was compared */
} ember_compare_job;
EMBER_API ember_status ember_compare_run(ember_compare_job *job, ember_arena *scratch, ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
