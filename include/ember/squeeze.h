/* SPDX-License-Identifier: MIT */
/* Squeezed keyframes: the 16-byte records of a clip in a tenth of their size, without loss, any frame at any
   time. Nothing allocates; blocks may be hostile: a damaged one is an error and never a read outside it.
   docs/formats/squeeze.md has the bits. */
#ifndef EMBER_SQUEEZE_H
#define EMBER_SQUEEZE_H

#include "base.h"
#include "codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a clip's records are stored; the number is a block's first byte and is never used again for
   another method. */
typedef enum ember_squeeze_method {
    EMBER_SQUEEZE_RAW = 0, /* as they are */
    EMBER_SQUEEZE_QUICK,   /* fixed widths: a frame in tens of nanoseconds */
    /* prefix codes: the smallest; in model space bones are predicted from their parents */
    EMBER_SQUEEZE_SMALL,
    EMBER_SQUEEZE_METHOD_COUNT
} ember_squeeze_method;

EMBER_API const char *ember_squeeze_method_name(ember_squeeze_method method); /* "quick"; never NULL */

/* What the clips of one skeleton share, in one space; stored once and handed to every call. */
typedef struct ember_squeeze_rig {
    uint32_t       bone_count; /* 0..255 */
    const uint8_t *rest;       /* bone_count records of 16 bytes: what constant tracks are compared with */
    const int16_t *parents;    /* or NULL: no bone has one; valid as ember_hierarchy_valid says */
    /* or NULL: bone_count * 3 little-endian f32, each bone's usual place in its parent's axes;
       model space only */
    const uint8_t *offsets;
    bool           model_space; /* small predicts bones from their parents then */
} ember_squeeze_rig;

/* A block that ember_squeeze_open has looked at; it points into the block and into what the rig
   points to, which must stay; the struct may be copied. The
   fields are for reading. */
typedef struct ember_squeezed {
    ember_squeeze_method method;
    uint32_t             bone_count;
    uint32_t             frame_count;
    const uint8_t       *data;     /* the whole block; RAW: its records, frame after frame */
    size_t               size;     /* of data */
    ember_squeeze_rig    rig;      /* as it was given */
    uint32_t             parts[8]; /* the method's own: where its parts begin */
} ember_squeezed;

/* Checks what can be checked without decoding: method, counts, table sizes, every offset. The rest is checked
   while decoding. EMBER_E_TRUNCATED, EMBER_E_MALFORMED, EMBER_E_VERSION for a method not known. A rig that
   does not fit the block's bone count is EMBER_E_ARG. */
EMBER_API ember_status ember_squeeze_open(ember_squeezed *out, const void *data, size_t size,
                                          const ember_squeeze_rig *rig, ember_error *err);

/* Where a reader is: frames near those it read last are cheaper. Memory is the caller's:
   ember_squeeze_cursor_size bytes, aligned to 16; without any (NULL, 0) quick and raw blocks are read as
   well, each frame anew, and small ones are EMBER_E_SPACE. */
typedef struct ember_squeeze_cursor {
    const ember_squeezed *block;
    void                 *memory;
    size_t                size;
    uint32_t              state[8]; /* the method's own */
} ember_squeeze_cursor;

EMBER_API size_t       ember_squeeze_cursor_size(const ember_squeezed *block);
EMBER_API ember_status ember_squeeze_cursor_init(ember_squeeze_cursor *cursor, const ember_squeezed *block,
                                                 void *memory, size_t size);
/* Forgets what it read, so that the next frame is read as from nothing: what a random frame costs. */
EMBER_API void         ember_squeeze_cursor_reset(ember_squeeze_cursor *cursor);

/* The records of one frame, byte for byte as they were given to the encoder. EMBER_E_ARG for a frame beyond
   the clip, EMBER_E_SPACE if out_size is below 16 * bone_count, EMBER_E_MALFORMED for a damaged block (out is
   not to be used then, the cursor forgets). */
EMBER_API ember_status ember_squeeze_read(uint8_t *out, size_t out_size, ember_squeeze_cursor *cursor,
                                          uint32_t frame);

/* ---- encoding ---- */

/* Rules: frames holds frame_count * rig->bone_count records; out_capacity >= ember_squeeze_bound(...) never
   fails for lack of space. Scratch memory comes from the arena and is given back. The same input gives the
   same bytes on every machine. */
typedef struct ember_squeeze_job {
    uint8_t                 *out;
    size_t                   out_capacity;
    size_t                   out_size; /* written by the run */
    const uint8_t           *frames;
    uint32_t                 frame_count; /* 0..65535 */
    const ember_squeeze_rig *rig;
    ember_squeeze_method     method;
} ember_squeeze_job;
EMBER_API size_t       ember_squeeze_bound(uint32_t bone_count, uint32_t frame_count);
EMBER_API ember_status ember_squeeze_encode(ember_squeeze_job *job, ember_arena *scratch);

/* Makes what a rig shares out of its clips: rest records (out_rest, 16 bytes a bone) that most clips hold
   where a track is constant, and for model space (out_offsets, 12 bytes a bone, or NULL) the mean place in
   the parent's axes over all frames. Rules: all clips have bone_count bones. */
typedef struct ember_squeeze_rig_job {
    uint8_t              *out_rest;
    uint8_t              *out_offsets;
    const int16_t        *parents;
    uint32_t              bone_count;
    const uint8_t *const *clips; /* each frame_counts[i] * bone_count records */
    const uint32_t       *frame_counts;
    uint32_t              clip_count;
} ember_squeeze_rig_job;
EMBER_API ember_status ember_squeeze_rig_make(const ember_squeeze_rig_job *job, ember_arena *scratch);

#ifdef __cplusplus
}
#endif
#endif
