/* SPDX-License-Identifier: MIT */
/* One thing to play, wherever its frames are: in a model, in an .ewzanim, in an .ewzlean, in a ROM. Make a
   motion once, then sample it at any time; sampling never allocates.

       ember_model  hero;
       ember_motion walk;
       if (ember_model_load(&hero, "hero.glb", NULL, &arena, &err) == EMBER_OK &&
           ember_motion_from_model(&walk, &hero, "walk", &err) == EMBER_OK)
           ember_motion_sample(&walk, pose, EMBER_MAX_BONES, time_s); */
#ifndef EMBER_MOTION_H
#define EMBER_MOTION_H

#include "base.h"
#include "model.h"
#include "pose.h"
#include "rom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the frames are. Private. */
typedef struct ember_motion_source {
    const ember_clip           *clip;    /* of a model: its bones may be a part of the skeleton's */
    const ember_transform      *rest;    /* of the skeleton; or NULL: identity */
    const uint8_t              *records; /* 16 bytes per bone, frame after frame */
    struct ember_motion_cursor *cursor;  /* of a squeezed clip */
    ember_lean_cursor          *lean;    /* of a lean one */
} ember_motion_source;

/* A motion points into what it was made from, and is valid as long as that is. It may be copied; copies of
   one that was made from a ROM or an .ewzlean share a cursor, so only one thread at a time may sample them.
   The first seven fields may be changed: the rate, the loop, the rig, and where the source does not store
   them (an .ewzanim) the space and the parents. A lean clip gives its poses in either space: set the one that
   is wanted; local ones are cheaper. */
typedef struct ember_motion {
    uint32_t            bone_count, frame_count; /* both at least 1 */
    double              fps;                     /* above 0; EMBER_DEFAULT_FPS where the source has none */
    bool                loop;
    ember_space         space;   /* of the poses */
    const int16_t      *parents; /* NULL: not known */
    /* of the same bones: composing then does not check the parents again. A ROM's motion that has parents has
       one; for others make one with ember_rig_make. Or NULL */
    const ember_rig    *rig;
    ember_motion_source source;
} ember_motion;

/* The model's clip of that name, or its first clip if `name` is NULL. Poses have all bones of the skeleton:
   bones that the clip does not move keep their rest. EMBER_E_ARG where the model has no such clip, with the
   names it has in the text, and where the clip has no frames. err may be NULL. */
EMBER_API ember_status ember_motion_from_model(ember_motion *out, const ember_model *model, const char *name,
                                               ember_error *err);

/* The bytes of an .ewzanim, checked in full: the header, and that there are exactly as many bytes as it says.
   The file stores neither rate, loop, space nor parents: fps is the rate (0: EMBER_DEFAULT_FPS), the motion
   does not loop, is in model space and has no parents until the caller sets them. EMBER_E_ARG if fps is
   negative or not finite. The bytes must stay. err may be NULL. */
EMBER_API ember_status ember_motion_from_ewzanim(ember_motion *out, const void *data, size_t size, double fps,
                                                 ember_error *err);

/* The clip of that name out of the bytes of an .ewzlean, or its first clip if `name` is NULL. Opening takes
   time in proportion to the clips before it and its bones, not to its frames: nothing is expanded, and a
   block of frames is checked when it is first played. Takes all the memory that sampling needs from the
   arena; on failure the arena is as it was. The bytes must stay. As of a ROM's lean clips, poses come in
   either space. EMBER_E_ARG if there is no such clip. err may be NULL. */
EMBER_API ember_status ember_motion_from_ewzlean(ember_motion *out, const void *data, size_t size,
                                                 const char *name, ember_arena *arena, ember_error *err);

/* The clip with that id. Takes all the memory that sampling needs from the arena; on failure the arena is as
   it was. EMBER_E_ARG if there is no such clip. Between frames a lean clip is mixed in local space, and the
   time is rounded down to 1/65536 of a frame. err may be NULL. */
EMBER_API ember_status ember_motion_from_rom(ember_motion *out, const ember_rom *rom, const char *id,
                                             ember_arena *arena, ember_error *err);

/* In seconds: (frame_count - 1) / fps, or frame_count / fps if it loops. */
EMBER_API double ember_motion_duration(const ember_motion *motion);

/* The pose at a time, which may be any finite number: a motion that does not loop holds its ends. Between two
   frames positions and scales are linear, rotations by nlerp, the short way; rotations have unit length.
   EMBER_E_ARG, with nothing written, if pose_count is below bone_count, the time is not finite, or the rate
   is not above 0. EMBER_E_MALFORMED if a ROM's frames are damaged; `pose` is not to be used then. motion: not
   const, because its cursor moves. */
EMBER_API ember_status ember_motion_sample(ember_motion *motion, ember_transform *pose, size_t pose_count,
                                           double time_s);

/* The pose as model-space matrices, composed if the motion is in local space. out and pose: bone_count
   elements. EMBER_E_ARG for a local motion that has neither parents nor a rig, or a rig of another
   number of bones. */
EMBER_API ember_status ember_motion_matrices(const ember_motion *motion, ember_mat34 *out,
                                             const ember_transform *pose);

/* What a player's set samples with (ember/player.h): `motions` is an array of ember_motion, one for each clip
   of the set, with as many bones as the set. */
EMBER_API ember_status ember_player_sample_motions(void *motions, uint32_t clip, double time_s,
                                                   ember_transform *pose);

#ifdef __cplusplus
}
#endif
#endif
