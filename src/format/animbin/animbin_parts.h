/* SPDX-License-Identifier: MIT */
/* ANIMBIN inside: a clip as the file stores it, and the steps between the file, that form and the model's
   frames. The raw form is what a clip's `raw` points to where its format is EMBER_FORMAT_ANIMBIN. */
#ifndef EMBER_FORMAT_ANIMBIN_PARTS_H
#define EMBER_FORMAT_ANIMBIN_PARTS_H

#include "ember/animbin.h"
#include "format/ops.h"

#define EMBERI_ANIMBIN_MAGIC "ANIMBIN"
#define EMBERI_ANIMBIN_VERSION 1u
#define EMBERI_ANIMBIN_UNIT 4096 /* FP12: the length of a rotation, and of a translation by 1 */
#define EMBERI_ANIMBIN_FPS 60.0  /* one frame is one vertical blank; the file itself has no rate */

enum {
    EMBERI_ANIMBIN_HEADER_SIZE = 9,
    EMBERI_ANIMBIN_ANIMATION_SIZE = 42,
    EMBERI_ANIMBIN_TRACK_SIZE = 4,
    EMBERI_ANIMBIN_KEY_SIZE = 3, /* without the value */
    EMBERI_ANIMBIN_ROTATION_SIZE = 8,
    EMBERI_ANIMBIN_TRANSLATION_SIZE = 12,
    EMBERI_ANIMBIN_MARKER_SIZE = 34,
    EMBERI_ANIMBIN_NAME_SIZE = 32, /* of which the last byte is best left for the terminator */
    EMBERI_ANIMBIN_MAX_ANIMATIONS = 255,
    EMBERI_ANIMBIN_MAX_JOINTS = 256
};

enum { EMBERI_ANIMBIN_ROTATION = 0, EMBERI_ANIMBIN_TRANSLATION = 1, EMBERI_ANIMBIN_TYPES = 2 };

#define EMBERI_ANIMBIN_LOOPED 1u

typedef struct emberi_animbin_key {
    uint16_t frame;
    uint8_t  type;     /* what the value is; a track may hold keys of both types */
    int32_t  value[4]; /* rotation: w, x, y, z in 16 bits each; translation: x, y, z */
} emberi_animbin_key;

typedef struct emberi_animbin_track {
    uint8_t                   type;
    uint8_t                   joint;
    uint16_t                  key_count;
    const emberi_animbin_key *keys;
} emberi_animbin_track;

typedef struct emberi_animbin_raw {
    uint32_t                    flags;
    uint16_t                    length; /* frames */
    uint16_t                    track_count;
    const emberi_animbin_track *tracks;
} emberi_animbin_raw;

static inline uint32_t emberi_animbin_value_count(uint8_t type)
{
    return type == EMBERI_ANIMBIN_ROTATION ? 4u : 3u;
}

static inline size_t emberi_animbin_key_size(uint8_t type)
{
    return (size_t)EMBERI_ANIMBIN_KEY_SIZE +
           (type == EMBERI_ANIMBIN_ROTATION ? EMBERI_ANIMBIN_ROTATION_SIZE : EMBERI_ANIMBIN_TRANSLATION_SIZE);
}

/* The clip's raw part, or NULL if it has none of this format. */
static inline const emberi_animbin_raw *emberi_animbin_raw_of(const ember_clip *clip)
{
    return clip->raw.format == EMBER_FORMAT_ANIMBIN ? (const emberi_animbin_raw *)clip->raw.data : NULL;
}

/* ---- the file ---- */

typedef struct emberi_animbin_animation {
    const char        *name;
    bool               name_open; /* all 32 bytes are in use: no terminator */
    emberi_animbin_raw raw;
    uint32_t           marker_count;
    ember_marker      *markers;      /* frames as stored, maybe beyond the length */
    bool              *markers_open; /* of each: as name_open */
} emberi_animbin_animation;

typedef struct emberi_animbin_file {
    uint32_t                  animation_count;
    emberi_animbin_animation *animations;
} emberi_animbin_file;

/* Takes the whole file apart. What has no meaning in the format is an error; what is merely odd is left for
   the caller. */
ember_status emberi_animbin_parse(emberi_animbin_file *out, const emberi_source *source);

/* EMBER_E_LIMIT where the options' skeleton, if there is one, has no such joint. */
ember_status emberi_animbin_check_joints(const emberi_animbin_file *file, const emberi_source *source);

/* True if the bytes are, to the last one, a layout that was in use before the first release. */
bool emberi_animbin_is_prerelease(const uint8_t *data, size_t size);

/* True if a rotation of this many squared units comes from x 32767 instead of x 4096. */
bool emberi_animbin_is_prerelease_length(int64_t squared);

/* Of a rotation: the squares of 32-bit numbers would not fit. */
int64_t emberi_animbin_length_squared(const emberi_animbin_key *key);

/* True if a rotation's length is 4096 as near as any rounding leaves it. */
bool emberi_animbin_is_unit(int64_t squared);

/* ---- rules that hold for a raw part wherever it comes from (file, JSON, memory) ---- */

/* Keys[index] comes behind the keys before it, and is a rotation if it says so. `track` is put before the
   text: "track 3". */
ember_status emberi_animbin_check_key(ember_error *err, emberi_place place, const char *track,
                                      const emberi_animbin_key *keys, uint32_t index);

/* Two keys of one type have frames between them, within the length, on which something else is meant than the
   first key. */
bool emberi_animbin_leaves_gap(const emberi_animbin_key *key, const emberi_animbin_key *next,
                               uint32_t length);

/* ---- stored numbers and the model's ---- */

/* How the file's lengths and directions relate to the model's. */
typedef struct emberi_animbin_view {
    double unit; /* stored units in a length of 1 */
    bool   psx;  /* roots are turned by diag(1, -1, -1) in the file */
} emberi_animbin_view;

/* What the caller asks for, or the defaults. */
static inline ember_animbin_options emberi_animbin_asked(const ember_animbin_options *options)
{
    return options != NULL ? *options : (ember_animbin_options){.keys = EMBER_ANIMBIN_KEYS_KEPT};
}

/* The view that options, or NULL, ask for. EMBER_E_ARG where that cannot be: a unit below 0 or not finite, or
   one by a skeleton that has no rest pose. `skeleton` may be NULL; the arena is as before. */
ember_status emberi_animbin_view_of(emberi_animbin_view *out, const ember_animbin_options *options,
                                    const ember_skeleton *skeleton, ember_arena *scratch, ember_error *err);

/* EMBER_ANIMBIN_UNIT_AUTO's. */
ember_status emberi_animbin_unit_by_skeleton(double *out, const ember_skeleton *skeleton,
                                             ember_arena *scratch, ember_error *err);

ember_quat emberi_animbin_rotation(const emberi_animbin_key *key, const emberi_animbin_view *view, bool root);
ember_vec3 emberi_animbin_position(const emberi_animbin_key *key, const emberi_animbin_view *view, bool root);

/* On a frame between two keys. */
ember_vec3 emberi_animbin_position_between(const emberi_animbin_key *a, const emberi_animbin_key *b,
                                           uint32_t frame, const emberi_animbin_view *view, bool root);

/* The other way. False where a position does not fit 32 bits; *key is not touched then. Rotations
   must be unit. */
void emberi_animbin_store_rotation(emberi_animbin_key *key, ember_quat rotation,
                                   const emberi_animbin_view *view, bool root, ember_rounding rounding);
bool emberi_animbin_store_position(emberi_animbin_key *key, ember_vec3 position,
                                   const emberi_animbin_view *view, bool root, ember_rounding rounding);

/* Negates the key's rotation where that brings it nearer to the one before it. */
void emberi_animbin_keep_sign(emberi_animbin_key *key, const emberi_animbin_key *before);

/* The bones of a clip by joint id: which of the clip's bones it is, or -1. */
typedef struct emberi_animbin_slots {
    int16_t of[EMBERI_ANIMBIN_MAX_JOINTS];
} emberi_animbin_slots;
emberi_animbin_slots emberi_animbin_slots_of(const ember_clip *clip);

/* One track's keys of one type over all frames, written to every `bone_count`-th transform from `out` on;
   nothing where the track has no key of that type. Held before the first and after the last key, slerp and
   lerp between. */
void emberi_animbin_sample_track(ember_transform *out, size_t bone_count, uint32_t frame_count,
                                 const emberi_animbin_track *track, uint8_t type,
                                 const emberi_animbin_view *view, bool root);

/* All frames of a clip from its raw part: the rest (identity where there is none), then the tracks in their
   order, so that of two tracks for one thing the later counts. out: raw->length * clip->bone_count. Joints
   that the clip does not have are left out. */
void emberi_animbin_sample(ember_transform *out, const emberi_animbin_raw *raw,
                           const ember_skeleton *skeleton, const ember_clip *clip,
                           const emberi_animbin_view *view);

/* True if sampling the clip's raw part gives its frames, but for last digits that storing them would round
   away. EMBER_E_NOMEM is told apart
   by *out_of_memory. */
bool emberi_animbin_untouched(const ember_model *model, const ember_clip *clip,
                              const emberi_animbin_view *view, ember_arena *scratch, bool *out_of_memory);

/* ---- from frames to keys ---- */

typedef struct emberi_animbin_make_job {
    const ember_model         *model;
    uint32_t                   clip; /* index */
    const ember_write_options *options;
    emberi_animbin_view        view;
    ember_arena               *arena;
    ember_error               *err;
} emberi_animbin_make_job;

/* The clip as it is to be stored: its own raw part where that is untouched and nothing else is asked for,
   else made from the frames. Says what of the frames is lost. */
ember_status emberi_animbin_make(emberi_animbin_raw *out, const emberi_animbin_make_job *job);

/* Says what the format has no place for: names, parents, the rate. What it leaves out of the frames
   emberi_animbin_make says. */
void emberi_animbin_note_losses(const emberi_animbin_make_job *job);

/* A clip's frames as local transforms with what ANIMBIN will not store taken out of them, and the hierarchy
   among the clip's own bones. Arrays of bones are in the clip's order. */
typedef struct emberi_animbin_work {
    const emberi_animbin_make_job *job;
    const ember_clip              *clip;
    uint32_t                       bone_count, frame_count;
    const uint16_t                *order; /* the clip's bones, parents first */
    const int16_t                 *up;    /* the nearest ancestor that is in the clip, or -1 */
    /* from that ancestor (or the model's origin) to the bone's own parent */
    const ember_mat34             *link;
    const bool                    *root;   /* has no parent in the skeleton */
    const bool                    *moves;  /* gets a translation track */
    const bool                    *stands; /* its position is the same on every frame, and one key will do */
    const ember_transform         *local;  /* frame after frame */
} emberi_animbin_work;

ember_mat34 emberi_animbin_model_matrix(const emberi_animbin_work *work, uint32_t bone,
                                        const ember_mat34 *matrices, const ember_transform *local);

/* The local transform that leads from the parent as it will be read to where the source has the bone. */
ember_transform emberi_animbin_correct(const ember_transform *source, const ember_mat34 *wanted_parent,
                                       const ember_mat34 *stored_parent);

/* Tracks without keys yet: all rotations by joint, then the translations. False if there is no memory. */
bool emberi_animbin_tracks_make(emberi_animbin_raw *out, emberi_animbin_track **tracks,
                                const emberi_animbin_work *work);

ember_status emberi_animbin_fail_position(const emberi_animbin_work *work, uint32_t bone, uint32_t frame,
                                          ember_vec3 at);

/* Keys on every frame; of a position that never changes only the first. */
ember_status emberi_animbin_dense(emberi_animbin_raw *out, const emberi_animbin_work *work);

/* Samples the keys and compares with the frames they were made from, as `ember diff` does;
   `shell` as there. */
ember_status emberi_animbin_measure(ember_compare_job *out, const emberi_animbin_work *work,
                                    const emberi_animbin_raw *raw, float shell);

/* Says how far off dense keys are: a warning where that is much. */
ember_status emberi_animbin_note_error(const emberi_animbin_work *work, const emberi_animbin_raw *raw);

/* Few keys within the options' tolerance. */
ember_status emberi_animbin_sparse(emberi_animbin_raw *out, const emberi_animbin_work *work);

/* ---- the table's entries ---- */

emberi_likeness emberi_animbin_sniff(const uint8_t *data, size_t size);
ember_status    emberi_animbin_read(ember_model *out, const emberi_source *source);
ember_status emberi_animbin_raw_write(struct emberi_json_out *out, const ember_clip *clip, ember_error *err);
ember_status emberi_animbin_raw_read(ember_raw *out, const struct json_t *object,
                                     const emberi_source *source);

/* ---- names ---- */

/* Each name in at most 31 bytes, cut between characters; names that differ still differ. NULL if there is no
   room. The result shares names that were short enough. count: at most 65535. */
const char **emberi_animbin_short_names(ember_arena *arena, const char *const *names, uint32_t count);

#endif
