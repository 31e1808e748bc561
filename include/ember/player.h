/* SPDX-License-Identifier: MIT */
/* The state of playing: which clips play at which weight and time. A player is a plain struct without
   pointers, in the caller's memory; what it plays is a set, which is not part of the state. Nothing
   allocates, nothing calls back, and the same calls give the same bits on every machine.

       ember_player_init(&player);
       ember_player_play(&player, &set, 0, WALK, 0.0f);
       for (;;) {
           ember_player_step(&player, &set, 1.0 / 60.0, &out);
           ember_player_pose(&player, &set, pose, scratch);
       }
*/
#ifndef EMBER_PLAYER_H
#define EMBER_PLAYER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_PLAYER_LAYERS 4u
#define EMBER_PLAYER_TRACKS 4u /* clips of one layer at a time */

/* One clip that can be played. Pointers may be NULL where the count is 0. */
typedef struct ember_player_clip {
    uint32_t               frame_count; /* 1 or more */
    double                 fps;         /* above 0 */
    bool                   loop;
    const uint32_t        *markers; /* the frame of each */
    uint32_t               marker_count;
    /* Where the root has gone since frame 0, at each frame (ember_root_motion_run); 0, frame_count or, of a
       looping clip, frame_count + 1 of them: the last is the way of a whole round. Without it the step from
       the last frame to the first is as far as the step before. */
    const ember_transform *travel;
    uint32_t               travel_count;
} ember_player_clip;

/* All that players play. It is the caller's, and several players may share it. */
typedef struct ember_player_set {
    const ember_player_clip *clips;
    uint32_t                 clip_count;
    const float *const      *masks; /* each bone_count factors of 0..1 */
    uint32_t                 mask_count;
    const ember_transform   *rest; /* what additive layers are compared with; or NULL: there are none */
    uint32_t                 bone_count;
    /* Writes bone_count transforms: the clip's pose at a time between 0 and its length. In libember
       ember_player_sample_motions, with an array of motions as user. */
    ember_status (*sample)(void *user, uint32_t clip, double time_s, ember_transform *pose);
    void *user;
} ember_player_set;

/* A clip that plays. time_s and speed may be changed between two calls. */
typedef struct ember_player_track {
    uint32_t clip;
    uint32_t fresh;                /* 1 until the first step, which meets a marker at the start too */
    double   time_s;               /* 0 to the clip's length */
    float    speed;                /* 1: as made; negative: backwards */
    float    weight, target, rate; /* the weight goes to the target by the rate in a second */
} ember_player_track;

/* Layer 0 is the body; every other layer goes on top of those below it. weight, mask and additive may be
   changed between two calls. */
typedef struct ember_player_layer {
    float    weight;   /* 0..1 */
    uint32_t mask;     /* 0: every bone; else 1 + the index of one of the set's masks */
    uint32_t additive; /* 1: adds what its clips differ from rest; 0: takes the place of what is below */
    uint32_t track_count;
    ember_player_track tracks[EMBER_PLAYER_TRACKS]; /* the oldest first */
} ember_player_layer;

typedef struct ember_player {
    ember_player_layer layers[EMBER_PLAYER_LAYERS];
} ember_player;

/* Nothing plays; all layers have weight 1, no mask, and are not additive. */
EMBER_API void ember_player_init(ember_player *player);

/* Starts a clip from its beginning. Its weight goes from 0 to 1, and that of all other clips of the layer to
   0, within fade_s seconds (0: at once). A clip that plays already starts again from where its weight is. Of
   more clips than EMBER_PLAYER_TRACKS the lightest ends at once.
   EMBER_E_ARG, and nothing changed, for a layer or clip that is not there, or a fade_s that is negative or
   not finite. */
EMBER_API ember_status ember_player_play(ember_player *player, const ember_player_set *set, uint32_t layer,
                                         uint32_t clip, float fade_s);

/* Brings the weight of one clip to a value of 0..1 within fade_s seconds, and leaves the others as they are:
   a mix of walking and running by speed. Starts the clip if it does not play; at 0 it ends. The mix is the
   mean by weight, so weights need not sum to 1. EMBER_E_ARG as above; EMBER_E_LIMIT if the layer is full. */
EMBER_API ember_status ember_player_weigh(ember_player *player, const ember_player_set *set, uint32_t layer,
                                          uint32_t clip, float weight, float fade_s);

typedef enum ember_player_event_kind {
    EMBER_PLAYER_MARKER = 0, /* a marker was passed; once in a step, however often the clip went round */
    EMBER_PLAYER_END         /* a clip that does not loop came to its end, or backwards to its beginning */
} ember_player_event_kind;

typedef struct ember_player_event {
    ember_player_event_kind kind;
    uint32_t                layer, clip;
    uint32_t                marker; /* index in the clip's markers; 0 of an end */
    float                   weight; /* of the clip, after the step */
} ember_player_event;

/* What a step gives beside the new state. Set events and event_capacity; the step writes the rest. */
typedef struct ember_player_out {
    ember_player_event *events; /* by layer, track and marker; or NULL */
    uint32_t            event_capacity;
    uint32_t            event_count; /* of all, those beyond the capacity too */
    ember_transform     travel;      /* of layer 0: from the root before the step to the root after it */
} ember_player_out;

/* Goes on by dt_s seconds, 0 or more: weights, then times. A clip that has faded out is gone afterwards. out
   may be NULL. EMBER_E_ARG, and nothing changed, for a dt_s that is negative or not finite, a player or set
   that breaks the rules of its fields, and a clip that would go round more than 10^15 times. */
EMBER_API ember_status ember_player_step(ember_player *player, const ember_player_set *set, double dt_s,
                                         ember_player_out *out);

/* How many transforms the scratch memory of a pose has. */
#define EMBER_PLAYER_SCRATCH(bone_count) ((EMBER_PLAYER_TRACKS + 2u) * (size_t)(bone_count))

/* The pose of all layers together. Layer 0 counts in full; without a clip it is the rest, or identity.
   Another layer has its weight times the sum of its clips' weights, 1 at most, so that it fades in and out
   with its clips. Rotations are mixed by nlerp. EMBER_E_ARG as of a step; what the set's sample returns
   otherwise. out: bone_count transforms, scratch: EMBER_PLAYER_SCRATCH(bone_count); they must not overlap. */
EMBER_API ember_status ember_player_pose(const ember_player *player, const ember_player_set *set,
                                         ember_transform *out, ember_transform *scratch);

/* ---- saved and restored ---- */

/* Of a saved player: the same bytes for the same state on every machine, little-endian, no pointers.
   docs/formats/player.md has them. */
#define EMBER_PLAYER_SIZE 584u
EMBER_API void ember_player_save(uint8_t out[EMBER_PLAYER_SIZE], const ember_player *player);

/* Bytes that may be hostile: EMBER_E_TRUNCATED, EMBER_E_MALFORMED or EMBER_E_VERSION, with the player as it
   was, where they are not a state that a player of this set can be in. */
EMBER_API ember_status ember_player_restore(ember_player *player, const ember_player_set *set,
                                            const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
