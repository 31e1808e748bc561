/* SPDX-License-Identifier: MIT */
/* The rig, and from an animator's pose to local transforms. */
#include "walker.h"

#include <string.h>

#define DEGREES 0.017453292519943295f

static const ember_vec3 axis_x = {1.0f, 0.0f, 0.0f}, axis_y = {0.0f, 1.0f, 0.0f}, axis_z = {0.0f, 0.0f, 1.0f};

typedef struct bone_plan {
    const char *name;
    int16_t     parent;
    ember_vec3  head, tail; /* of the left side, model space */
} bone_plan;

static const bone_plan plans[WALKER_BONES] = {
    [ROOT] = {"root", EMBER_NO_PARENT, {0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}},
    [HIPS] = {"hips", ROOT, {0.0f, 0.95f, 0.0f}, {0.0f, 1.08f, 0.0f}},
    [SPINE] = {"spine", HIPS, {0.0f, 1.08f, 0.0f}, {0.0f, 1.28f, -0.01f}},
    [CHEST] = {"chest", SPINE, {0.0f, 1.28f, -0.01f}, {0.0f, 1.50f, 0.0f}},
    [NECK] = {"neck", CHEST, {0.0f, 1.50f, 0.0f}, {0.0f, 1.60f, 0.015f}},
    [HEAD] = {"head", NECK, {0.0f, 1.60f, 0.015f}, {0.0f, 1.80f, 0.02f}},
    [SHOULDER_L] = {"shoulder.l", CHEST, {0.04f, 1.44f, 0.0f}, {0.17f, 1.43f, 0.0f}},
    [UPPER_ARM_L] = {"upper_arm.l", SHOULDER_L, {0.17f, 1.43f, 0.0f}, {0.20f, 1.15f, -0.015f}},
    [FOREARM_L] = {"forearm.l", UPPER_ARM_L, {0.20f, 1.15f, -0.015f}, {0.22f, 0.90f, 0.02f}},
    [HAND_L] = {"hand.l", FOREARM_L, {0.22f, 0.90f, 0.02f}, {0.225f, 0.81f, 0.035f}},
    [FINGERS_L] = {"fingers.l", HAND_L, {0.225f, 0.81f, 0.035f}, {0.227f, 0.73f, 0.05f}},
    [SHOULDER_R] = {"shoulder.r", CHEST, {0}, {0}},
    [UPPER_ARM_R] = {"upper_arm.r", SHOULDER_R, {0}, {0}},
    [FOREARM_R] = {"forearm.r", UPPER_ARM_R, {0}, {0}},
    [HAND_R] = {"hand.r", FOREARM_R, {0}, {0}},
    [FINGERS_R] = {"fingers.r", HAND_R, {0}, {0}},
    [THIGH_L] = {"thigh.l", HIPS, {0.10f, 0.92f, 0.0f}, {0.105f, 0.50f, 0.015f}},
    [SHIN_L] = {"shin.l", THIGH_L, {0.105f, 0.50f, 0.015f}, {0.11f, 0.085f, -0.02f}},
    [FOOT_L] = {"foot.l", SHIN_L, {0.11f, 0.085f, -0.02f}, {0.115f, 0.02f, 0.12f}},
    [TOE_L] = {"toe.l", FOOT_L, {0.115f, 0.02f, 0.12f}, {0.117f, 0.015f, 0.20f}},
    [THIGH_R] = {"thigh.r", HIPS, {0}, {0}},
    [SHIN_R] = {"shin.r", THIGH_R, {0}, {0}},
    [FOOT_R] = {"foot.r", SHIN_R, {0}, {0}},
    [TOE_R] = {"toe.r", FOOT_R, {0}, {0}},
};

float walker_sin_turn(float turns)
{
    /* A turn by twice the angle has the angle's sine in its quaternion. */
    return ember_quat_from_axis_angle(axis_z, turns * 720.0f * DEGREES).z;
}

ember_quat walker_turn(float x_degrees, float y_degrees, float z_degrees)
{
    ember_quat x = ember_quat_from_axis_angle(axis_x, x_degrees * DEGREES);
    ember_quat y = ember_quat_from_axis_angle(axis_y, y_degrees * DEGREES);
    ember_quat z = ember_quat_from_axis_angle(axis_z, z_degrees * DEGREES);
    return ember_quat_mul(z, ember_quat_mul(y, x));
}

/* The plan of a bone of the right side is that of its left twin in the mirror. */
static void plan_ends(uint32_t bone, ember_vec3 *head, ember_vec3 *tail)
{
    uint32_t left = bone;
    if (bone >= SHOULDER_R && bone <= FINGERS_R)
        left = bone - ARM_TWIN;
    else if (bone >= THIGH_R)
        left = bone - LEG_TWIN;
    *head = plans[left].head;
    *tail = plans[left].tail;
    if (left != bone) {
        head->x = -head->x;
        tail->x = -tail->x;
    }
}

void walker_rig_make(walker_rig *rig)
{
    for (uint32_t i = 0; i < WALKER_BONES; i++) {
        ember_vec3 head, tail;
        plan_ends(i, &head, &tail);
        rig->names[i] = plans[i].name;
        rig->parents[i] = plans[i].parent;
        ember_vec3      along = {tail.x - head.x, tail.y - head.y, tail.z - head.z};
        ember_transform model = EMBER_TRANSFORM_IDENTITY;
        model.position = head;
        model.rotation = ember_quat_between(axis_y, along); /* a bone's own y points at its tail */
        rig->rest_model[i] = model;
        if (plans[i].parent == EMBER_NO_PARENT) {
            rig->rest[i] = model;
        } else {
            ember_transform from_parent = ember_transform_inverse(&rig->rest_model[plans[i].parent]);
            rig->rest[i] = ember_transform_mul(&from_parent, &model);
        }
    }
}

walker_pose walker_pose_rest(void)
{
    walker_pose      pose;
    const ember_quat none = ember_transform_identity.rotation;
    memset(&pose, 0, sizeof(pose));
    for (uint32_t i = 0; i < WALKER_BONES; i++)
        pose.turn[i] = none;
    return pose;
}

static void compose(ember_mat34 model[WALKER_BONES], const walker_rig *rig,
                    const ember_transform local[WALKER_BONES])
{
    ember_compose_run(&(
        ember_compose_job){.out = model, .pose = local, .parents = rig->parents, .bone_count = WALKER_BONES});
}

/* Bends one leg and lays its foot at its pitch. */
static void solve_leg(ember_transform local[WALKER_BONES], const walker_rig *rig, const walker_pose *pose,
                      uint32_t side)
{
    ember_mat34 model[WALKER_BONES];
    uint32_t    thigh = THIGH_L + side * LEG_TWIN, shin = SHIN_L + side * LEG_TWIN,
             foot = FOOT_L + side * LEG_TWIN;
    ember_vec3 rest = rig->rest_model[foot].position, moved = pose->ankle[side];
    compose(model, rig, local);
    ember_ik_two_bone_run(&(ember_ik_two_bone_job){
        .pose = local,
        .model = model,
        .parents = rig->parents,
        .bone_count = WALKER_BONES,
        .start = thigh,
        .mid = shin,
        .end = foot,
        .target = {rest.x + moved.x, rest.y + moved.y, rest.z + moved.z},
        .pole = {0.0f, 0.0f, 1.0f},
        .soften = 0.97f,
        .weight = 1.0f,
    });
    compose(model, rig, local);
    ember_transform shin_model;
    ember_mat34_decompose(&shin_model, &model[shin]);
    ember_quat pitch = ember_quat_from_axis_angle(axis_x, pose->foot_pitch[side]);
    ember_quat wanted = ember_quat_mul(pitch, rig->rest_model[foot].rotation);
    local[foot].rotation =
        ember_quat_normalize(ember_quat_mul(ember_quat_conjugate(shin_model.rotation), wanted));
}

void walker_pose_solve(ember_transform out[WALKER_BONES], const walker_rig *rig, const walker_pose *pose)
{
    for (uint32_t i = 0; i < WALKER_BONES; i++) {
        ember_quat parent = ember_transform_identity.rotation;
        if (rig->parents[i] != EMBER_NO_PARENT)
            parent = rig->rest_model[rig->parents[i]].rotation;
        ember_quat turned = ember_quat_mul(pose->turn[i], rig->rest_model[i].rotation);
        out[i] = rig->rest[i];
        out[i].rotation = ember_quat_normalize(ember_quat_mul(ember_quat_conjugate(parent), turned));
    }
    out[HIPS].position.x += pose->hips.x; /* the root's axes are the model's */
    out[HIPS].position.y += pose->hips.y;
    out[HIPS].position.z += pose->hips.z;
    for (uint32_t side = 0; side < 2; side++)
        solve_leg(out, rig, pose, side);
}
