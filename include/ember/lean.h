/* SPDX-License-Identifier: MIT */
/* Lean clips: poses of a clip in local space in about a byte per bone and frame, with an error that has a
   maximum. A pose at any time costs the same, however long the clip is. Nothing allocates but the encoder's
   arena. Clips and rigs may be hostile: a damaged one is an error, never a read outside it, and every number
   that comes out is finite. The same bytes give the same bits on every machine. docs/formats/lean.md has the
   bits.

   Errors are distances in model space, in the model's own unit: of the three points that lie `shell` away
   from a bone along its own axes, and of the bone itself, between the clip as given and as it decodes. The
   maximum is over all bones and all stored frames. Between frames rotations are mixed by nlerp and the
   rest linearly. */
#ifndef EMBER_LEAN_H
#define EMBER_LEAN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the rig: what all clips of a skeleton share ---- */

/* A rig that ember_lean_rig_open has checked; it points into the bytes, which must stay. Clips can be encoded
   against a rig at any time, also clips that it was not made from: they come out larger, not worse. The
   fields are for reading. */
typedef struct ember_lean_rig {
    const uint8_t *data;
    size_t         size;
    uint32_t       bone_count; /* 1..255 */
    float          shell;      /* where errors are measured, in model units; 0 or more */
    /* positions are stored in steps of 2^unit and finer */
    int32_t        unit;
} ember_lean_rig;

/* Checks all of a rig's bytes. EMBER_E_TRUNCATED, EMBER_E_MALFORMED (also for bytes behind the rig),
   EMBER_E_VERSION. */
EMBER_API ember_status ember_lean_rig_open(ember_lean_rig *out, const void *data, size_t size,
                                           ember_error *err);

/* Where a bone is that no clip moves. Rules: bone < rig->bone_count. */
EMBER_API ember_transform ember_lean_rig_rest(const ember_lean_rig *rig, uint32_t bone);

/* Makes a rig out of the clips that will be stored with it, or as many of them as are known: from each bone's
   usual rotation, the axes it mostly turns about, and its usual position and scale.
   Rules: out_capacity >= ember_lean_rig_bound(bone_count); bone_count 1..255; clip_count 0 or more; clips[i]
   has frame_counts[i] * bone_count transforms; rest or at least one frame is given; shell finite, 0 or more.
   EMBER_E_RANGE for a number that is not finite, with the clip, bone and frame in the error. */
typedef struct ember_lean_rig_job {
    uint8_t                      *out;
    size_t                        out_capacity;
    size_t                        out_size; /* written by the run */
    const ember_transform *const *clips;
    const uint32_t               *frame_counts;
    uint32_t                      clip_count;
    /* the skeleton's, used where a bone has no frames; or NULL */
    const ember_transform        *rest;
    uint32_t                      bone_count;
    /* distance from each bone at which errors count; 3 cm suits figures of 1.7 m */
    float                         shell;
} ember_lean_rig_job;
EMBER_API size_t       ember_lean_rig_bound(uint32_t bone_count);
EMBER_API ember_status ember_lean_rig_make(ember_lean_rig_job *job, ember_arena *scratch, ember_error *err);

/* ---- reading ---- */

/* A clip that ember_lean_open has looked at; it points into the clip's bytes and the memory given with them,
   which must both stay. The rig may go. Many threads may read one clip. The fields are for reading. */
typedef struct ember_lean_clip {
    uint32_t bone_count;
    uint32_t frame_count; /* 1..65535 */
    /* the maximum error that the encoder measured, rounded up; a promise about the source, not a check */
    float    error;
    void    *parts; /* in the caller's memory */
} ember_lean_clip;

/* What a clip's first bytes say: its frames and its error. False where they are too few, or there are no
   frames; nothing else is checked. */
EMBER_API bool ember_lean_peek(uint32_t *frame_count, float *error, const void *data, size_t size);

/* How many bytes ember_lean_open needs for this clip, aligned to 32. Any input is fine: what cannot be opened
   gives some size, too. */
EMBER_API size_t ember_lean_open_size(const void *data, size_t size, const ember_lean_rig *rig);

/* Takes time in proportion to the bones, not to the frames: a block of frames is checked when it is first
   read. EMBER_E_TRUNCATED, EMBER_E_MALFORMED, EMBER_E_VERSION for a method not known; EMBER_E_SPACE if the
   memory is too small or not aligned. */
EMBER_API ember_status ember_lean_open(ember_lean_clip *out, const void *data, size_t size,
                                       const ember_lean_rig *rig, void *memory, size_t memory_size,
                                       ember_error *err);

/* Checks all blocks at once, so that no later read can fail: EMBER_E_MALFORMED, with the block's first frame
   in the error. */
EMBER_API ember_status ember_lean_check(const ember_lean_clip *clip, ember_error *err);

/* The pose at `frame + fraction / 65536`, from nothing: for single poses, and crowds where each figure is at
   a time of its own. Behind the last frame a fraction runs back into the first, as in a looping clip; callers
   that hold the end pass 0. ember_sample_locate finds frame and fraction of a time.
   Rules: frame < frame_count, fraction < 65536, out_count >= bone_count; else EMBER_E_ARG, nothing written.
   EMBER_E_MALFORMED for a damaged block, and nothing written. */
EMBER_API ember_status ember_lean_sample(ember_transform *out, size_t out_count, const ember_lean_clip *clip,
                                         uint32_t frame, uint32_t fraction);

/* Where a reader is: poses near the one it read last are cheaper, and the same bits. Memory is the caller's:
   ember_lean_cursor_size bytes, aligned to 32. */
typedef struct ember_lean_cursor {
    const ember_lean_clip *clip;
    void                  *memory;
} ember_lean_cursor;

EMBER_API size_t       ember_lean_cursor_size(const ember_lean_clip *clip);
/* EMBER_E_SPACE if the memory is too small or not aligned. */
EMBER_API ember_status ember_lean_cursor_init(ember_lean_cursor *cursor, const ember_lean_clip *clip,
                                              void *memory, size_t memory_size);

/* As ember_lean_sample, through a cursor. After EMBER_E_MALFORMED the cursor goes on with other frames. */
EMBER_API ember_status ember_lean_cursor_sample(ember_transform *out, size_t out_count,
                                                ember_lean_cursor *cursor, uint32_t frame, uint32_t fraction);

/* ---- encoding ---- */

/* Stores a clip so that its error is at most max_error. What is written is decoded and measured, and coded
   again more finely where it has to be.
   Rules: out_capacity >= ember_lean_bound(rig->bone_count, frame_count); frames has frame_count *
   rig->bone_count transforms; frame_count 1..65535; parents, if given, are valid as ember_hierarchy_valid
   says; max_error finite and above 0.
   EMBER_E_RANGE where max_error cannot be kept: the clip is complete, its `error` above max_error,
   and worst_bone and worst_frame say where; or where a number is not finite: out_size is 0 then.
   Both put the place into err. Scratch memory comes from the arena and is given back. The same
   input gives the same bytes on every machine. */
typedef struct ember_lean_job {
    uint8_t               *out;
    size_t                 out_capacity;
    const ember_transform *frames; /* local space, frame after frame; rotations need not have length 1 */
    uint32_t               frame_count;
    const int16_t         *parents; /* or NULL: every bone is a root */
    const ember_lean_rig  *rig;
    float                  max_error; /* model units */
    /* written by the run */
    size_t                 out_size;
    float                  error;      /* what was reached, rounded up as the clip stores it */
    uint32_t               worst_bone; /* where it was measured */
    uint32_t               worst_frame;
} ember_lean_job;
EMBER_API size_t       ember_lean_bound(uint32_t bone_count, uint32_t frame_count);
EMBER_API ember_status ember_lean_encode(ember_lean_job *job, ember_arena *scratch, ember_error *err);

#ifdef __cplusplus
}
#endif
#endif
