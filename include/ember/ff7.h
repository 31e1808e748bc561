/* SPDX-License-Identifier: MIT */
/* Final Fantasy VII battle animations (PC): packs (`rtda`, `*.a00`) as they are in the file, one clip at a
   time as integers, and what modders do with them. The common model (format.h) goes through the same
   functions. Packs may be hostile: whatever the bytes are, nothing is read past their end and no frame is
   made up. docs/formats/ff7.md is the normative table. */
#ifndef EMBER_FF7_H
#define EMBER_FF7_H

#include "base.h"
#include "format.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_FF7_FPS 15.0
#define EMBER_FF7_MAX_TRIPLES 1024u /* of a clip; real ones have up to about 100 */

/* ---- values ---- */

/* A position or a rotation as the game accumulates it: 16 bits, signed, wrapping. 4096 rotation units are a
   full turn. */
typedef struct ember_ff7_triple {
    int16_t x, y, z;
} ember_ff7_triple;

/* The specification's other two forms of a rotation value: 0..4095, and degrees in 0..360 (exclusive). */
static inline int32_t ember_ff7_int(int16_t value) { return (int32_t)((uint32_t)value & 0xFFFu); }
static inline float   ember_ff7_degrees(int16_t value)
{
    return (float)ember_ff7_int(value) * (360.0f / 4096.0f);
}

/* R = Ry * Rx * Rz as a unit quaternion, w not negative for the triple (0, 0, 0). */
EMBER_API ember_quat ember_ff7_quat(ember_ff7_triple rotation);

/* The triple of a rotation (of unit length), on the branch that is nearest to `near`: each value is the one
   next to near's, also beyond -2048..2047. */
EMBER_API ember_ff7_triple ember_ff7_from_quat(ember_quat rotation, ember_ff7_triple near);

/* ---- skeletons: **aa ---- */

typedef struct ember_ff7_bone {
    int32_t parent; /* -1: the root */
    float   length; /* negative; a bone's children are at (0, 0, length) */
    bool    has_model;
} ember_ff7_bone;

typedef struct ember_ff7_skeleton {
    uint32_t              bone_count; /* 0: a battle location */
    uint32_t              joint_count, texture_count;
    uint32_t              body_clips; /* of the pack: the first ones; weapon clips follow */
    uint32_t              weapon_count, weapon_clips;
    const ember_ff7_bone *bones; /* parents first */
} ember_ff7_skeleton;

/* Bones are in the arena; nothing points into `data`. */
EMBER_API ember_status ember_ff7_skeleton_read(ember_ff7_skeleton *out, const void *data, size_t size,
                                               ember_arena *arena, ember_error *err);

/* ---- packs ---- */

typedef enum ember_ff7_kind {
    EMBER_FF7_BODY = 0,
    EMBER_FF7_WEAPON, /* one triple per frame, in model space */
    EMBER_FF7_SPECIAL /* an empty slot: four bytes that are no animation */
} ember_ff7_kind;

EMBER_API const char *ember_ff7_kind_name(ember_ff7_kind kind); /* "body", "weapon", "special" */

/* What is odd about a chunk. */
enum {
    /* frames_field and frames_short disagree (not counted for single-bone models) */
    EMBER_FF7_ODD_COUNTERS = 1 << 0,
    EMBER_FF7_ODD_FEWER = 1 << 1, /* fewer whole frames are there than frames_short says */
    EMBER_FF7_ODD_MORE = 1 << 2,  /* more whole frames are there than frames_short says */
    EMBER_FF7_ODD_SIZE = 1 << 3,  /* size_short goes beyond the chunk */
    EMBER_FF7_ODD_KEY = 1 << 4,   /* not 0, 2 or 4 */
    /* damaged: frames_short is missing, size_short and key are where it should be */
    EMBER_FF7_ODD_HEADER = 1 << 5,
    EMBER_FF7_ODD_CUT = 1 << 6,     /* the file ends inside the chunk */
    EMBER_FF7_ODD_BONES = 1 << 7,   /* bones_field is not what the skeleton, or the values, say */
    EMBER_FF7_ODD_NOTHING = 1 << 8, /* not one whole frame in what is no special chunk */
    /* bytes behind the values that are more than padding to 4, or not zero */
    EMBER_FF7_ODD_TRAILING = 1 << 9,
    /* the values are not in the shortest codes; set by ember_ff7_codes_wasted only */
    EMBER_FF7_ODD_CODES = 1 << 10
};

/* A chunk of the pack: every field as stored, and what is really there. */
typedef struct ember_ff7_chunk {
    ember_ff7_kind kind;
    uint32_t       index;
    uint64_t       offset;                    /* of its 12-byte header, in the file */
    uint32_t       bones_field, frames_field; /* dwBones, dwFrames */
    uint32_t       size_field;                /* dwChunkSize */
    const uint8_t *payload;                   /* in the pack's bytes */
    uint32_t       payload_size;              /* size_field, or less where the file ends before */
    uint16_t       frames_short, size_short;  /* sFrames, sSize; of special chunks 0 */
    uint8_t        key;
    const uint8_t *values; /* in the payload: where the bits begin */
    uint32_t       values_size;
    uint32_t       triple_count; /* rotation triples per frame */
    uint32_t       frame_count;  /* whole frames within size_short, whatever the counters say */
    uint32_t       bit_count;    /* of these frames */
    uint32_t       odd;          /* EMBER_FF7_ODD_... */
} ember_ff7_chunk;

typedef struct ember_ff7_pack {
    const uint8_t         *data; /* the caller's, not copied */
    size_t                 size;
    uint32_t               count_field; /* what the file says */
    uint32_t               chunk_count; /* what is there: less where the file ends before */
    const ember_ff7_chunk *chunks;
    size_t                 tail_offset;  /* behind the last chunk; `size` where nothing follows */
    uint32_t               first_weapon; /* weapon clip i is chunk first_weapon + i; chunk_count: none */
} ember_ff7_pack;

/* Takes a pack apart and counts the frames of every chunk. `skeleton` (or NULL) decides how many triples a
   frame has and where weapon clips begin; without it bones_field and the first chunk with bones_field 1 do. A
   pack that ends early gives the chunks that are there; EMBER_E_TRUNCATED only where not even one chunk's
   header is there (a pack with a count of 0 is fine). Only `chunks` is in the arena. */
EMBER_API ember_status ember_ff7_pack_read(ember_ff7_pack *out, const void *data, size_t size,
                                           const ember_ff7_skeleton *skeleton, ember_arena *arena,
                                           ember_error *err);

/* The body chunk that plays with a weapon chunk and the other way round; UINT32_MAX where there is none.
   Special chunks have no partner. */
EMBER_API uint32_t ember_ff7_partner(const ember_ff7_pack *pack, uint32_t chunk);

/* One line that says what is odd, with both numbers where two disagree, for the lowest bit of `odd`. */
typedef struct ember_ff7_text {
    char text[160];
} ember_ff7_text;
EMBER_API ember_ff7_text ember_ff7_odd_text(const ember_ff7_chunk *chunk, uint32_t odd);

/* ---- one clip ---- */

/* A clip as integers: what a chunk decodes to, what is encoded, and what a model's clip has as its raw part
   (ember_raw with EMBER_FORMAT_FF7, data: this). A special clip has no frames and only bytes. */
typedef struct ember_ff7_clip {
    ember_ff7_kind          kind;
    int32_t                 index; /* of its chunk, -1 where unknown */
    uint32_t                bones_field, frames_field;
    uint16_t                frames_short, size_short; /* as read; writing makes its own */
    uint8_t                 key;                      /* as read */
    uint32_t                odd;                      /* of its chunk */
    uint32_t                triple_count, frame_count;
    const ember_ff7_triple *positions; /* one per frame */
    const ember_ff7_triple *rotations; /* frame_count * triple_count; the first of each frame is the root's */
    /* The payload as it was read, 5-byte header and trailing bytes included; NULL where there is none. Always
       there for special chunks. It is written again as it is where the values have not changed. */
    const uint8_t          *bytes;
    uint32_t                byte_count;
    /* What follows the last chunk of a pack, with its last clip. */
    const uint8_t          *after;
    size_t                  after_size;
    /* The weapon clip that plays with this body clip where a reader was asked to pair them, or NULL. */
    const struct ember_ff7_clip *weapon;
} ember_ff7_clip;

/* The raw part of a model's clip, or NULL if it is of another format. */
static inline const ember_ff7_clip *ember_ff7_clip_of(const ember_clip *clip)
{
    return clip->raw.format == EMBER_FORMAT_FF7 ? (const ember_ff7_clip *)clip->raw.data : NULL;
}

/* Decodes the chunk's frames, all that are there. Values are in the arena, bytes
   point into the pack; a special chunk has bytes only. Fails for want of memory only. */
EMBER_API ember_status ember_ff7_decode(ember_ff7_clip *out, const ember_ff7_chunk *chunk, ember_arena *arena,
                                        ember_error *err);

#define EMBER_FF7_KEY_AUTO 255u

typedef struct ember_ff7_encoded {
    size_t   size; /* of header and payload */
    uint8_t  key;
    uint16_t size_short;
    uint32_t worst; /* largest difference of a rotation value, 0 with key 0 */
} ember_ff7_encoded;

/* Appends a whole chunk, header and payload, in the shortest codes, padded with zeros to 4. key: 0, 2, 4 or
   EMBER_FF7_KEY_AUTO (the smallest that fits). bones_field is written as it is, both counters are
   frame_count. Special clips are their bytes. EMBER_E_LIMIT where the clip does not fit 65535 bytes with that
   key, or has more frames than a counter holds. Rotation values come back as they are modulo 4096, positions
   exactly. `info` may be NULL. */
EMBER_API ember_status ember_ff7_encode(ember_buffer *out, const ember_ff7_clip *clip, uint32_t key,
                                        ember_ff7_encoded *info, ember_error *err);

/* True if the two clips show the same: frames, positions, and rotation values modulo 4096. */
EMBER_API bool ember_ff7_same(const ember_ff7_clip *a, const ember_ff7_clip *b);

/* Bits that shorter codes would save in the chunk's values. */
EMBER_API uint64_t ember_ff7_codes_wasted(const ember_ff7_chunk *chunk);

/* ---- a pack from its parts ---- */

/* list, remove, insert and replace are all this: an array of items, copied or encoded, in the
   order wanted. */
typedef struct ember_ff7_item {
    /* copied byte for byte (a cut one is encoded from its whole frames); or NULL */
    const ember_ff7_chunk *chunk;
    const ember_ff7_clip  *clip; /* else encoded */
    uint32_t               key;  /* of an encoded one; EMBER_FF7_KEY_AUTO */
} ember_ff7_item;

/* Appends count, chunks and `tail_size` bytes of `tail`. On failure `out` is as it was and err->clip says
   which item. */
EMBER_API ember_status ember_ff7_pack_write(ember_buffer *out, const ember_ff7_item *items, uint32_t count,
                                            const void *tail, size_t tail_size, ember_error *err);

/* ---- what modders do with whole packs; notes say what was done, clip by clip ---- */

typedef struct ember_ff7_report {
    size_t   before, after;         /* bytes */
    uint32_t clip_count;            /* chunks of the pack */
    uint32_t changed;               /* chunks that are not what they were */
    uint32_t repaired, lost_frames; /* repair: chunks, and frames that were counted but are not there */
} ember_ff7_report;

/* Every clip in the shortest codes with the key it has, trailing bytes dropped; the values stay the same.
   Clips that are not smaller that way, and damaged ones, are copied as they are. */
EMBER_API ember_status ember_ff7_repack(ember_buffer *out, const ember_ff7_pack *pack,
                                        ember_ff7_report *report, const ember_notes *notes, ember_error *err);

/* Counters made right, the damaged header written as it should be, frames that are only half there dropped,
   frames beyond the counter kept and counted, chunks of nothing replaced by an empty slot, a pack that ends
   early ended properly. What is in order is copied byte for byte. */
EMBER_API ember_status ember_ff7_repair(ember_buffer *out, const ember_ff7_pack *pack,
                                        ember_ff7_report *report, const ember_notes *notes, ember_error *err);

/* ---- frame rates ---- */

/* True if the clip's last frame runs into its first like any two neighbours: the step over the seam is not
   larger than twice the larger of the steps on both sides of it. Clips of fewer than three frames do not
   loop, nor those whose last frame is the first again. */
EMBER_API bool ember_ff7_loops(const ember_ff7_clip *clip);

/* The clip at `factor` times its rate: the frames there are stay as they are, factor - 1 new ones go between
   two of them, positions on the straight line, rotations on the short arc. A loop gets frame_count * factor
   frames, any other clip (frame_count - 1) * factor + 1. Special clips stay as they are. `weapon` is not
   followed: hand it in by itself, with the same `loop`. EMBER_E_LIMIT above 65535 frames. */
EMBER_API ember_status ember_ff7_resample(ember_ff7_clip *out, const ember_ff7_clip *clip, uint32_t factor,
                                          bool loop, ember_arena *arena, ember_error *err);

/* The whole pack at `factor` times its rate, weapon clips as loops if their body clips are. loop:
   EMBER_FF7_LOOP_AUTO asks ember_ff7_loops of every body clip; ONLY makes a loop of chunk
   `loop_index` alone. */
typedef enum ember_ff7_looping {
    EMBER_FF7_LOOP_AUTO = 0,
    EMBER_FF7_LOOP_NEVER,
    EMBER_FF7_LOOP_ALWAYS,
    EMBER_FF7_LOOP_ONLY
} ember_ff7_looping;
typedef struct ember_ff7_fps_job {
    const ember_ff7_pack *pack;
    uint32_t              factor;
    ember_ff7_looping     looping;
    uint32_t              loop_index;
    ember_notes           notes;
    ember_ff7_report      report; /* written by the run */
} ember_ff7_fps_job;
EMBER_API ember_status ember_ff7_fps_run(ember_buffer *out, ember_ff7_fps_job *job, ember_error *err);

/* By how much the pack's rate has been multiplied before, by ember_ff7_fps_run or what gives the same: 4, 2,
   or 1 for not at all. It is told by the values: most clips that move, and have frames between others, have
   there what interpolating gives, to the last bit. */
EMBER_API ember_status ember_ff7_interpolated(uint32_t *factor, const ember_ff7_pack *pack, ember_error *err);

/* ---- checking ---- */

/* What would crash the game or look wrong in it; docs/formats/ff7.md lists the codes (FF7001 and on). */
EMBER_API ember_status ember_ff7_check(const ember_ff7_pack *pack, const ember_findings *findings,
                                       ember_error *err);

/* ---- the model ----

   ember_model_read makes a clip of every chunk, in order, called body_00, weapon_47 or special_15 by the
   chunk's number. Its bones are "ff7" (turned half about x, so that y points up), under it "root" (triple 0
   and the position), under that "bone_00" and on (the skeleton's), and, where the pack has weapon clips,
   "weapon" under "ff7". ember_model_write finds them by these names, or, without names, by their order. */

/* What both take; ember_read_options and ember_write_options point to it. */
typedef struct ember_ff7_options {
    size_t size; /* sizeof of this struct, or 0: the members of version 0.1; docs/design/abi.md */
    /* Reading. */
    const ember_ff7_skeleton *skeleton; /* the **aa of the pack, in place of a common skeleton; or NULL */
    bool                      pair; /* a body clip and the weapon clip that plays with it become one clip */
    /* Writing. */
    const ember_ff7_pack     *base; /* the pack whose clips the model's replace; all others stay; or NULL */
    bool                      key_set; /* every clip is encoded again with this key */
    uint8_t                   key;     /* 0, 2, 4 */
} ember_ff7_options;

#ifdef __cplusplus
}
#endif
#endif
