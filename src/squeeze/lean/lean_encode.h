/* SPDX-License-Identifier: MIT */
/* What the files of the lean encoder share. A clip is coded bone by bone, written, decoded, measured, and
   where it is not good enough coded again. Double precision throughout, by operations that IEEE 754 rounds
   exactly, so that the same input gives the same bytes everywhere. */
#ifndef EMBER_SQUEEZE_LEAN_ENCODE_H
#define EMBER_SQUEEZE_LEAN_ENCODE_H

#include "base/fail.h"
#include "base/real.h"
#include "squeeze/lean/lean_parts.h"

/* One component of a track that moves. */
typedef struct lean_channel {
    int32_t *keys;   /* block_count + 1 */
    uint8_t *ids;    /* templates, block_count */
    int16_t *series; /* block_count * 16 */
    int32_t  min;
    uint32_t key_bits;
    bool     active; /* some block has coefficients */
    bool     known;  /* coded before: ids are good guesses */
} lean_channel;

/* One track as it will be stored. */
typedef struct lean_coded {
    uint32_t     mode; /* LEAN_REST, LEAN_CONSTANT, LEAN_MOVES, LEAN_MOVES4 */
    uint32_t     step;
    int32_t      constant[3];
    uint32_t     made; /* channels that have memory */
    lean_channel channels[4];
} lean_coded;

typedef enum lean_kind { LEAN_KIND_ROTATION = 0, LEAN_KIND_POSITION, LEAN_KIND_SCALE, LEAN_KINDS } lean_kind;

/* What of a bone has to be coded again: nothing, the rotation as a parent turned, or all. */
enum { LEAN_CLEAN = 0, LEAN_TURNED, LEAN_DIRTY };

/* How far what is decoded is from the source. */
typedef struct lean_measure {
    double   worst;
    uint32_t worst_bone, worst_frame;
    double  *by_bone;
} lean_measure;

/* Sees the exact coefficients of every block, in steps: for those who train templates. */
typedef struct lean_observer {
    void (*see)(void *user, const float series[LEAN_SERIES]);
    void *user;
} lean_observer;

typedef struct lean_encoder {
    ember_lean_job      *job;
    uint32_t             bone_count, frame_count;
    const lean_template *templates;
    const lean_observer *observer; /* or NULL */
    ember_arena         *arena;
    ember_arena_mark     clear;     /* where the memory of channels begins */
    double               bound;     /* that the clip has to keep */
    double               tolerance; /* model units; the bound is about twice that */
    uint32_t             longest, block_count;
    bool                 clipped; /* a coefficient did not fit: blocks must be shorter */
    lean_bone           *bones;
    double              *reach; /* how far a turn of the bone is felt, in model units */
    double              *gain;  /* how much larger a position's error is in model units */
    uint32_t            *finer; /* steps that a bone is finer than the budget asks for */
    uint8_t             *dirty; /* LEAN_CLEAN, LEAN_TURNED, LEAN_DIRTY */
    /* in model space, without scale; F * B */
    ember_quat          *source_turns;
    ember_quat          *decoded_turns;
    /* signs of the scales on the way to a bone, a bit for each axis; or NULL: nothing is mirrored */
    uint8_t             *mirrors;
    double              *values;  /* F * 4: the track that is being coded */
    double              *targets; /* F * 4: its rotations */
    lean_coded          *coded;   /* B * LEAN_KINDS */
} lean_encoder;

/* Takes the next coarser step for a track whose numbers do not fit, from its first component on; false if
   there is none. */
EMBERI_INLINE bool lean_coarser(lean_coded *track, uint32_t *component)
{
    if (track->step == 0)
        return false;
    track->step--;
    *component = 0;
    return true;
}

/* The steps of a kind of track, in model or rotation units. */
EMBERI_INLINE int32_t lean_unit_of(const lean_encoder *e, lean_kind kind)
{
    return kind == LEAN_KIND_POSITION ? e->job->rig->unit : 0;
}

/* The coarsest step that is at most `size`; the finest there is if none is. */
uint32_t emberi_lean_step_for(double size, int32_t unit);
/* The nearest integer, within 2^30 either way. */
int32_t  emberi_lean_round(double x);

/* Codes e->values, F * components, with a step; writes what will be decoded over them. The step may come
   out coarser where the range asks for it. */
ember_status emberi_lean_code_track(lean_encoder *e, lean_coded *track, uint32_t components, uint32_t step,
                                    int32_t unit);
/* Codes rotation, position and scale of a bone. Parents come first. */
ember_status emberi_lean_code_bone(lean_encoder *e, uint32_t bone);
/* The whole clip into job->out, but for its error; EMBER_E_SPACE if it is too large. */
ember_status emberi_lean_write(lean_encoder *e);
/* Opens what was written, decodes and measures it. out->by_bone has room for every bone. */
ember_status emberi_lean_measure(lean_measure *out, const lean_encoder *e);
/* Where the bones of a frame are in model space. */
void         emberi_lean_place_bones(real_mat *out, const ember_transform *pose, const int16_t *parents,
                                     uint32_t bone_count);
/* The error as a clip stores it, rounded up; and the largest stored one that is not above it. */
uint32_t     emberi_lean_error_up(double error);
uint32_t     emberi_lean_error_down(double error);

/* A rotation seen through a mirror: S R S, for S of signs. */
void emberi_lean_mirror(double q[4], uint8_t signs);

/* ember_lean_encode with other templates than the format's, and an observer or NULL. */
ember_status emberi_lean_encode_with(ember_lean_job *job, const lean_template *templates,
                                     const lean_observer *observer, ember_arena *scratch, ember_error *err);

/* True if all of a transform's numbers are finite, and small enough to be worked with. */
bool emberi_lean_transform_sound(const ember_transform *t);
/* The rotation with length 1, or identity where it has none. */
void emberi_lean_rotation(double out[4], ember_quat q);

#endif
