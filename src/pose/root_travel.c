/* SPDX-License-Identifier: MIT */
/* Root motion (ember_root_motion_run): where a character goes is taken out of its clip, so that a game can
   move it there itself. */
#include "ember/pose.h"
#include "pose/vec.h"

static bool travel_valid(const ember_root_motion_job *job)
{
    if (job->frames == NULL || job->motion == NULL || job->frame_count == 0 || job->root >= job->bone_count)
        return false;
    return job->axes <= 7u && (job->up == EMBER_AXIS_X || job->up == EMBER_AXIS_Y || job->up == EMBER_AXIS_Z);
}

/* The part of a rotation that turns about an axis, in the hemisphere of the frame before; a half turn about
   an axis across it has none, and keeps the frame before's. */
static ember_quat travel_turn(ember_quat q, ember_axis up, ember_quat before)
{
    ember_quat turn = {up == EMBER_AXIS_X ? q.x : 0.0f, up == EMBER_AXIS_Y ? q.y : 0.0f,
                       up == EMBER_AXIS_Z ? q.z : 0.0f, q.w};
    if (!(emberi_quat_dot(turn, turn) > 1e-12f))
        return before;
    turn = ember_quat_normalize(turn);
    return emberi_quat_scale(turn, emberi_xor_sign(1.0f, emberi_quat_dot(turn, before)));
}

static ember_vec3 travel_select(uint32_t axes, ember_vec3 chosen, ember_vec3 other)
{
    return emberi_vec3((axes & 1u) != 0 ? chosen.x : other.x, (axes & 2u) != 0 ? chosen.y : other.y,
                       (axes & 4u) != 0 ? chosen.z : other.z);
}

ember_status ember_root_motion_run(const ember_root_motion_job *job)
{
    if (!travel_valid(job))
        return EMBER_E_ARG;
    const ember_vec3      nowhere = {0.0f, 0.0f, 0.0f};
    const ember_transform first = job->frames[job->root];
    const ember_quat      back = ember_quat_conjugate(ember_quat_normalize(first.rotation));
    ember_transform       motion = EMBER_TRANSFORM_IDENTITY;
    job->motion[0] = motion;
    for (uint32_t i = 1; i < job->frame_count; i++) {
        ember_transform *root = &job->frames[(size_t)i * job->bone_count + job->root];
        if (job->turn) {
            motion.rotation = travel_turn(ember_quat_mul(root->rotation, back), job->up, motion.rotation);
            ember_quat undo = ember_quat_conjugate(motion.rotation);
            ember_vec3 gone =
                emberi_vec3_sub(root->position, ember_quat_rotate(motion.rotation, first.position));
            motion.position = travel_select(job->axes, gone, nowhere);
            root->rotation = ember_quat_mul(undo, root->rotation);
            root->position = ember_quat_rotate(undo, emberi_vec3_sub(root->position, motion.position));
        } else {
            motion.position =
                travel_select(job->axes, emberi_vec3_sub(root->position, first.position), nowhere);
            root->position = travel_select(job->axes, first.position, root->position);
        }
        job->motion[i] = motion;
    }
    return EMBER_OK;
}
