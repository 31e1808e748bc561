/* SPDX-License-Identifier: MIT */
/* The pose seen in a mirror. How a bone moved from rest is a matrix of model space; that is mirrored and
   handed to the bone's partner, so the two sides' own axes need not match. */
#include "ember/pose.h"
#include "pose/vec.h"

static bool mirror_hierarchy_is_right(const ember_mirror_job *job)
{
    return job->rig != NULL || (job->parents != NULL && job->bone_count <= INT16_MAX &&
                                ember_hierarchy_valid(job->parents, job->bone_count));
}

static bool mirror_valid(const ember_mirror_job *job, uint32_t bone_count)
{
    if (job->axis != EMBER_AXIS_X && job->axis != EMBER_AXIS_Y && job->axis != EMBER_AXIS_Z)
        return false;
    if (bone_count == 0)
        return true;
    if (job->out == NULL || job->pose == NULL || job->rest == NULL || job->pairs == NULL ||
        job->scratch == NULL || job->out == job->pose)
        return false;
    if (!mirror_hierarchy_is_right(job))
        return false;
    for (uint32_t i = 0; i < bone_count; i++)
        if (job->pairs[i] >= bone_count || job->pairs[job->pairs[i]] != i)
            return false;
    return true;
}

/* Mirror, matrix, mirror: the entries that one of the two changes and the other does not back. */
static void mirror_matrix(ember_mat34 *m, ember_axis axis)
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            if ((row == (int)axis) != (column == (int)axis))
                m->m[4 * row + column] = -m->m[4 * row + column];
}

/* Two signs of the scale are half a turn about the third axis. Of the ways to write the same transform the
   one is taken that is like the rest pose, so that mirrored poses blend with others. */
static void mirror_write_like(ember_transform *t, const ember_transform *rest)
{
    bool x = emberi_sign_bit(t->scale.x) != emberi_sign_bit(rest->scale.x);
    bool y = emberi_sign_bit(t->scale.y) != emberi_sign_bit(rest->scale.y);
    bool z = emberi_sign_bit(t->scale.z) != emberi_sign_bit(rest->scale.z);
    if (x + y + z == 2) {
        ember_quat half_turn = {x ? 0.0f : 1.0f, y ? 0.0f : 1.0f, z ? 0.0f : 1.0f, 0.0f};
        ember_vec3 signs = {x ? -1.0f : 1.0f, y ? -1.0f : 1.0f, z ? -1.0f : 1.0f};
        t->rotation = ember_quat_mul(t->rotation, half_turn);
        t->scale = emberi_vec3_mul(t->scale, signs);
    }
    t->rotation =
        emberi_quat_scale(t->rotation, emberi_xor_sign(1.0f, emberi_quat_dot(t->rotation, rest->rotation)));
}

static ember_status mirror_compose(ember_mat34 *out, const ember_mirror_job *job, const ember_transform *pose)
{
    ember_compose_job compose = {.out = out,
                                 .pose = pose,
                                 .parents = job->parents,
                                 .rig = job->rig,
                                 .bone_count = job->bone_count};
    return ember_compose_run(&compose);
}

ember_status ember_mirror_run(const ember_mirror_job *job)
{
    const uint32_t count = job->rig != NULL ? job->rig->bone_count : job->bone_count;
    const int16_t *parents = job->rig != NULL ? job->rig->parents : job->parents;
    if (!mirror_valid(job, count))
        return EMBER_E_ARG;
    if (count == 0)
        return EMBER_OK;
    ember_mat34 *rest = job->scratch, *pose = rest + count, *mirrored = pose + count;
    ember_status status = mirror_compose(rest, job, job->rest);
    if (status == EMBER_OK)
        status = mirror_compose(pose, job, job->pose);
    if (status != EMBER_OK)
        return status;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t    from = job->pairs[i];
        ember_mat34 moved;
        mirrored[i] = rest[i];
        if (!ember_mat34_inverse(&moved, &rest[from]))
            continue; /* how it moved from rest cannot be told: it stays there */
        moved = ember_mat34_mul(&pose[from], &moved);
        mirror_matrix(&moved, job->axis);
        mirrored[i] = ember_mat34_mul(&moved, &rest[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        ember_transform like = job->rest[i];
        ember_mat34     local = mirrored[i], back;
        job->out[i] = ember_transform_identity;
        if (parents[i] != EMBER_NO_PARENT) {
            if (!ember_mat34_inverse(&back, &mirrored[parents[i]]))
                continue;
            local = ember_mat34_mul(&back, &local);
        }
        ember_mat34_decompose(&job->out[i], &local);
        mirror_write_like(&job->out[i], &like);
    }
    return EMBER_OK;
}
