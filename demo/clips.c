/* SPDX-License-Identifier: MIT */
/* Five clips: idle, walk, run, wave and jump. Each is a function from a phase in 0..1 to a pose. */
#include "walker.h"

typedef struct key {
    float phase, value;
} key;

/* A smooth curve through keys. A looping one has its first key again behind its last; others
   hold their ends. */
static float curve(const key *keys, uint32_t count, float phase, bool loop)
{
    uint32_t i = 0;
    if (loop)
        while (phase >= 1.0f)
            phase -= 1.0f;
    while (i + 1 < count && keys[i + 1].phase <= phase)
        i++;
    if (!loop && (i + 1 == count || phase <= keys[0].phase))
        return phase <= keys[0].phase ? keys[0].value : keys[count - 1].value;
    key before = i > 0 ? keys[i - 1] : loop ? keys[count - 1] : keys[0];
    key from = keys[i];
    key to = i + 1 < count ? keys[i + 1] : keys[0];
    key after = i + 2 < count ? keys[i + 2] : loop ? keys[(i + 2) % count] : to;
    if (loop) {
        before.phase -= i > 0 ? 0.0f : 1.0f;
        to.phase += i + 1 < count ? 0.0f : 1.0f;
        after.phase += i + 2 < count ? 0.0f : 1.0f;
    }
    float span = to.phase - from.phase, t = (phase - from.phase) / span;
    float slope0 =
        to.phase > before.phase ? (to.value - before.value) / (to.phase - before.phase) * span : 0.0f;
    float slope1 =
        after.phase > from.phase ? (after.value - from.value) / (after.phase - from.phase) * span : 0.0f;
    if (!loop && i == 0)
        slope0 = 0.0f;
    if (!loop && i + 2 >= count)
        slope1 = 0.0f;
    float t2 = t * t, t3 = t2 * t;
    return from.value * (2.0f * t3 - 3.0f * t2 + 1.0f) + slope0 * (t3 - 2.0f * t2 + t) +
           to.value * (3.0f * t2 - 2.0f * t3) + slope1 * (t3 - t2);
}

#define CURVE(keys, phase, loop) curve((keys), (uint32_t)(sizeof(keys) / sizeof((keys)[0])), (phase), (loop))

static float other_side(float phase) { return phase < 0.5f ? phase + 0.5f : phase - 0.5f; }

static walker_pose idle(float phase)
{
    walker_pose pose = walker_pose_rest();
    float       breath = walker_sin_turn(phase * 2.0f), sway = walker_sin_turn(phase);
    pose.hips = (ember_vec3){0.012f * sway, -0.02f + 0.004f * breath, 0.0f};
    pose.turn[HIPS] = walker_turn(0.0f, 1.5f * sway, -0.8f * sway);
    pose.turn[SPINE] = walker_turn(1.0f + 0.8f * breath, 0.0f, 0.8f * sway);
    pose.turn[CHEST] = walker_turn(-1.0f - 1.2f * breath, -1.0f * sway, 0.0f);
    pose.turn[HEAD] = walker_turn(1.0f * breath, 8.0f * walker_sin_turn(phase + 0.1f), 0.0f);
    for (uint32_t side = 0; side < 2; side++) {
        float out = side == 0 ? 1.0f : -1.0f;
        pose.turn[SHOULDER_L + side * ARM_TWIN] = walker_turn(0.0f, 0.0f, out * 1.2f * breath);
        pose.turn[UPPER_ARM_L + side * ARM_TWIN] = walker_turn(2.0f * sway, 0.0f, out * (4.0f + breath));
        pose.turn[FOREARM_L + side * ARM_TWIN] = walker_turn(-10.0f - 2.0f * breath, 0.0f, 0.0f);
    }
    return pose;
}

/* One leg's share of a gait; the other leg runs half a cycle later. */
typedef struct gait {
    const key *forward, *lift, *pitch;
    uint32_t   forward_count, lift_count, pitch_count;
} gait;

static void gait_step(walker_pose *pose, const gait *g, float phase)
{
    for (uint32_t side = 0; side < 2; side++) {
        float p = side == 0 ? phase : other_side(phase);
        pose->ankle[side].x = side == 0 ? -0.03f : 0.03f; /* feet pass under the body, not beside it */
        pose->ankle[side].z = curve(g->forward, g->forward_count, p, true);
        pose->ankle[side].y = curve(g->lift, g->lift_count, p, true);
        pose->foot_pitch[side] = curve(g->pitch, g->pitch_count, p, true) * 0.017453292f;
    }
}

#define COUNT(keys) (uint32_t)(sizeof(keys) / sizeof((keys)[0]))

static walker_pose walk(float phase)
{
    static const key  forward[] = {{0.0f, 0.32f},  {0.15f, 0.19f},  {0.3f, 0.05f}, {0.45f, -0.09f},
                                   {0.6f, -0.24f}, {0.68f, -0.26f}, {0.8f, 0.02f}, {0.92f, 0.33f}};
    static const key  lift[] = {{0.0f, 0.015f}, {0.1f, 0.0f},  {0.3f, 0.0f},  {0.45f, 0.005f},
                                {0.6f, 0.09f},  {0.7f, 0.13f}, {0.8f, 0.10f}, {0.92f, 0.05f}};
    static const key  pitch[] = {{0.0f, -16.0f}, {0.1f, 0.0f},  {0.3f, 0.0f},  {0.45f, 6.0f},
                                 {0.6f, 40.0f},  {0.7f, 38.0f}, {0.82f, 2.0f}, {0.93f, -18.0f}};
    static const gait g = {forward, lift, pitch, COUNT(forward), COUNT(lift), COUNT(pitch)};
    walker_pose       pose = walker_pose_rest();
    float             swing = walker_sin_turn(phase + 0.25f); /* 1 with the left leg in front */
    gait_step(&pose, &g, phase);
    pose.hips = (ember_vec3){0.018f * walker_sin_turn(phase),
                             -0.026f - 0.014f * walker_sin_turn(2.0f * phase + 0.30f), 0.0f};
    pose.turn[HIPS] = walker_turn(2.0f, -5.0f * swing, 2.5f * walker_sin_turn(phase));
    pose.turn[SPINE] = walker_turn(2.0f, 4.0f * swing, -1.5f * walker_sin_turn(phase));
    pose.turn[CHEST] = walker_turn(0.0f, 7.0f * swing, -1.0f * walker_sin_turn(phase));
    pose.turn[HEAD] = walker_turn(-2.0f, -5.0f * swing, 0.0f);
    for (uint32_t side = 0; side < 2; side++) {
        float out = side == 0 ? 1.0f : -1.0f;
        pose.turn[UPPER_ARM_L + side * ARM_TWIN] = walker_turn(24.0f * out * swing + 2.0f, 0.0f, out * 5.0f);
        pose.turn[FOREARM_L + side * ARM_TWIN] =
            walker_turn(-16.0f + 10.0f * out * walker_sin_turn(phase + 0.2f), 0.0f, 0.0f);
        pose.turn[FINGERS_L + side * ARM_TWIN] = walker_turn(-12.0f, 0.0f, 0.0f);
        float rolling =
            pose.foot_pitch[side] > 0.1f && pose.ankle[side].z < -0.1f ? pose.foot_pitch[side] * 30.0f : 0.0f;
        pose.turn[TOE_L + side * LEG_TWIN] = walker_turn(-rolling, 0.0f, 0.0f);
    }
    return pose;
}

static walker_pose run(float phase)
{
    static const key  forward[] = {{0.0f, 0.30f},  {0.12f, 0.06f}, {0.24f, -0.22f}, {0.36f, -0.46f},
                                   {0.5f, -0.42f}, {0.68f, 0.02f}, {0.82f, 0.40f},  {0.92f, 0.40f}};
    static const key  lift[] = {{0.0f, 0.02f}, {0.12f, 0.0f},  {0.24f, 0.10f}, {0.36f, 0.26f},
                                {0.5f, 0.42f}, {0.68f, 0.34f}, {0.82f, 0.20f}, {0.92f, 0.10f}};
    static const key  pitch[] = {{0.0f, -8.0f}, {0.12f, 2.0f},  {0.24f, 38.0f}, {0.36f, 75.0f},
                                 {0.5f, 80.0f}, {0.68f, 30.0f}, {0.82f, -8.0f}, {0.92f, -14.0f}};
    static const gait g = {forward, lift, pitch, COUNT(forward), COUNT(lift), COUNT(pitch)};
    walker_pose       pose = walker_pose_rest();
    float             swing = walker_sin_turn(phase + 0.2f);
    gait_step(&pose, &g, phase);
    pose.hips = (ember_vec3){0.0f, -0.04f - 0.05f * walker_sin_turn(2.0f * phase + 0.08f), 0.03f};
    pose.turn[HIPS] = walker_turn(8.0f, -9.0f * swing, 0.0f);
    pose.turn[SPINE] = walker_turn(6.0f, 8.0f * swing, 0.0f);
    pose.turn[CHEST] = walker_turn(3.0f, 12.0f * swing, 0.0f);
    pose.turn[HEAD] = walker_turn(-14.0f, -9.0f * swing, 0.0f);
    for (uint32_t side = 0; side < 2; side++) {
        float out = side == 0 ? 1.0f : -1.0f;
        pose.turn[UPPER_ARM_L + side * ARM_TWIN] =
            walker_turn(44.0f * out * swing + 12.0f, 0.0f, out * 10.0f);
        pose.turn[FOREARM_L + side * ARM_TWIN] = walker_turn(-85.0f + 18.0f * out * swing, 0.0f, -out * 8.0f);
        pose.turn[FINGERS_L + side * ARM_TWIN] = walker_turn(-40.0f, 0.0f, 0.0f);
    }
    return pose;
}

static walker_pose wave(float phase)
{
    static const key raised[] = {{0.0f, 0.0f}, {0.25f, 1.0f}, {0.75f, 1.0f}, {1.0f, 0.0f}};
    walker_pose      pose = idle(phase);
    float            up = CURVE(raised, phase, false);
    float            shake = up * walker_sin_turn(phase * 5.0f);
    pose.turn[SHOULDER_R] = walker_turn(0.0f, 0.0f, -14.0f * up);
    pose.turn[UPPER_ARM_R] = walker_turn(-14.0f * up, 0.0f, -4.0f - 86.0f * up);
    pose.turn[FOREARM_R] = walker_turn(-10.0f * (1.0f - up), 0.0f, -(78.0f + 22.0f * shake) * up);
    pose.turn[HAND_R] = walker_turn(0.0f, 0.0f, -18.0f * shake);
    pose.turn[HEAD] = ember_quat_mul(walker_turn(0.0f, -12.0f * up, -6.0f * up), pose.turn[HEAD]);
    pose.turn[CHEST] = ember_quat_mul(walker_turn(0.0f, 0.0f, 4.0f * up), pose.turn[CHEST]);
    return pose;
}

static walker_pose jump(float phase)
{
    static const key height[] = {{0.0f, -0.02f}, {0.22f, -0.30f}, {0.34f, 0.0f},
                                 {0.40f, 0.20f}, {0.52f, 0.42f},  {0.64f, 0.20f},
                                 {0.70f, 0.0f},  {0.80f, -0.28f}, {1.0f, -0.02f}};
    static const key feet[] = {{0.34f, 0.0f}, {0.40f, 0.12f}, {0.52f, 0.48f}, {0.64f, 0.16f}, {0.70f, 0.0f}};
    static const key toes[] = {{0.22f, 0.0f}, {0.34f, 30.0f}, {0.42f, 50.0f}, {0.6f, 20.0f}, {0.70f, 0.0f}};
    static const key lean[] = {{0.0f, 0.0f},  {0.22f, 34.0f}, {0.36f, 2.0f}, {0.52f, 12.0f},
                               {0.70f, 6.0f}, {0.80f, 36.0f}, {1.0f, 0.0f}};
    static const key arms[] = {{0.0f, 0.0f},    {0.20f, 50.0f}, {0.36f, -120.0f}, {0.52f, -140.0f},
                               {0.72f, -50.0f}, {0.82f, 20.0f}, {1.0f, 0.0f}};
    walker_pose      pose = walker_pose_rest();
    float            bend = CURVE(lean, phase, false);
    pose.hips = (ember_vec3){0.0f, CURVE(height, phase, false), -0.0022f * bend};
    pose.turn[HIPS] = walker_turn(0.6f * bend, 0.0f, 0.0f);
    pose.turn[SPINE] = walker_turn(0.4f * bend, 0.0f, 0.0f);
    pose.turn[CHEST] = walker_turn(0.2f * bend, 0.0f, 0.0f);
    pose.turn[HEAD] = walker_turn(-0.9f * bend, 0.0f, 0.0f);
    for (uint32_t side = 0; side < 2; side++) {
        float out = side == 0 ? 1.0f : -1.0f;
        pose.ankle[side].y = CURVE(feet, phase, false);
        pose.foot_pitch[side] = CURVE(toes, phase, false) * 0.017453292f;
        pose.turn[UPPER_ARM_L + side * ARM_TWIN] = walker_turn(CURVE(arms, phase, false), 0.0f, out * 10.0f);
        pose.turn[FOREARM_L + side * ARM_TWIN] = walker_turn(-18.0f, 0.0f, 0.0f);
    }
    return pose;
}

const walker_clip walker_clips[] = {
    {"idle", 90, 30.0, true, idle, {{NULL, 0}, {NULL, 0}}, 0},
    {"walk", 32, 30.0, true, walk, {{"step.l", 0}, {"step.r", 16}}, 2},
    {"run", 20, 30.0, true, run, {{"step.l", 0}, {"step.r", 10}}, 2},
    {"wave", 61, 30.0, false, wave, {{"hello", 15}, {NULL, 0}}, 1},
    {"jump", 46, 30.0, false, jump, {{"take_off", 16}, {"land", 31}}, 2},
};
const uint32_t walker_clip_count = sizeof(walker_clips) / sizeof(walker_clips[0]);
