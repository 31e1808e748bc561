/* SPDX-License-Identifier: MIT */
/* The demo's character: a person of 1.8 m with 24 bones, made and moved by code alone. Metres, y up, looking
   along +z, left is +x. */
#ifndef EMBER_DEMO_WALKER_H
#define EMBER_DEMO_WALKER_H

#include <ember/ember.h>

typedef enum walker_bone {
    ROOT,
    HIPS,
    SPINE,
    CHEST,
    NECK,
    HEAD,
    SHOULDER_L,
    UPPER_ARM_L,
    FOREARM_L,
    HAND_L,
    FINGERS_L,
    SHOULDER_R,
    UPPER_ARM_R,
    FOREARM_R,
    HAND_R,
    FINGERS_R,
    THIGH_L,
    SHIN_L,
    FOOT_L,
    TOE_L,
    THIGH_R,
    SHIN_R,
    FOOT_R,
    TOE_R,
    WALKER_BONES
} walker_bone;

/* A bone's right twin is this much further on. */
#define ARM_TWIN (SHOULDER_R - SHOULDER_L)
#define LEG_TWIN (THIGH_R - THIGH_L)

typedef struct walker_rig {
    const char     *names[WALKER_BONES];
    int16_t         parents[WALKER_BONES];
    ember_transform rest[WALKER_BONES];       /* local */
    ember_transform rest_model[WALKER_BONES]; /* model space */
} walker_rig;

/* How the character is posed, in terms that an animator would use: turns about the model's own axes, on top
   of the rest pose and of what the parent does, and where the ankles are to be. */
typedef struct walker_pose {
    ember_quat turn[WALKER_BONES];
    ember_vec3 hips;          /* moved from rest */
    ember_vec3 ankle[2];      /* left, right: moved from rest, model space */
    float      foot_pitch[2]; /* radians, toes down; the feet keep this whatever the legs do */
} walker_pose;

void walker_rig_make(walker_rig *rig);

/* Resting, both feet on the ground. */
walker_pose walker_pose_rest(void);

/* The pose as local transforms: the legs bent by inverse kinematics so that the ankles are where the pose
   wants them. */
void walker_pose_solve(ember_transform out[WALKER_BONES], const walker_rig *rig, const walker_pose *pose);

typedef struct walker_clip {
    const char *name;
    uint32_t    frame_count;
    double      fps;
    bool        loop;
    /* 0..1 over the clip; 1 is the last frame, or the first again if it loops */
    walker_pose (*pose_at)(float phase);
    ember_marker markers[2];
    uint32_t     marker_count;
} walker_clip;

extern const walker_clip walker_clips[];
extern const uint32_t    walker_clip_count;

/* Mathematics with the same bits everywhere, by way of the library. */
float      walker_sin_turn(float turns);                                   /* of a fraction of a full turn */
ember_quat walker_turn(float x_degrees, float y_degrees, float z_degrees); /* about x first, then y, then z */

#endif
