/* SPDX-License-Identifier: MIT */
/* Posing a clip's model, whatever the clip leaves out: bones that it does not have follow their parent as the
   rest pose says. */
#include "scene/actor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ember/pose.h"
#include "scene/program.h"

/* The rest in model space: as the skeleton says, or else where the inverse binds take it back from. */
static void actor_rest(actor *a)
{
    const ember_skeleton *skeleton = &a->model->skeleton;
    for (uint32_t i = 0; i < a->bone_count; i++) {
        a->rest[i] = ember_mat34_identity;
        if (skeleton->rest != NULL) {
            ember_transform local = skeleton->rest[i];
            local.rotation = ember_quat_normalize(local.rotation);
            a->rest[i] = ember_mat34_from_transform(&local);
            if (skeleton->parents[i] >= 0)
                a->rest[i] = ember_mat34_mul(&a->rest[skeleton->parents[i]], &a->rest[i]);
        } else if (skeleton->inverse_binds != NULL) {
            (void)ember_mat34_inverse(&a->rest[i], &skeleton->inverse_binds[i]);
        }
    }
}

void actor_open(actor *a, const ember_model *model, const ember_clip *clip, const ember_model *bodies)
{
    memset(a, 0, sizeof(*a));
    a->model = model;
    a->clip = clip;
    a->bodies = bodies;
    a->bone_count = model->skeleton.bone_count;
    a->frame_count = clip != NULL && clip->frame_count != 0 ? clip->frame_count : 1;
    a->fps = clip != NULL ? ember_clip_fps(clip) : EMBER_DEFAULT_FPS;
    a->rest = must_alloc(a->bone_count, sizeof(*a->rest));
    a->moved = must_alloc(a->bone_count, sizeof(*a->moved));
    a->ends = must_alloc(a->bone_count, sizeof(*a->ends));
    a->of_clip = must_alloc(clip != NULL ? clip->bone_count : 0, sizeof(*a->of_clip));
    memset(a->moved, 0, a->bone_count * sizeof(*a->moved));
    for (uint32_t i = 0; i < a->bone_count; i++) { /* parents come first */
        int16_t parent = model->skeleton.parents[i];
        a->linked = a->linked || parent >= 0;
        a->ends[i] = parent >= 0;
        if (parent >= 0)
            a->ends[parent] = false;
    }
    for (uint32_t i = 0; clip != NULL && clip->frame_count != 0 && i < clip->bone_count; i++)
        a->moved[ember_clip_bone(clip, i)] = true;
    actor_rest(a);
}

void actor_close(actor *a)
{
    free(a->rest);
    free(a->moved);
    free(a->ends);
    free(a->of_clip);
    memset(a, 0, sizeof(*a));
}

bool actor_end(const actor *a, const ember_mat34 *pose, uint32_t bone, float size, ember_vec3 *along)
{
    if (!a->ends[bone])
        return false;
    const float *here = pose[bone].m, *there = pose[a->model->skeleton.parents[bone]].m;
    ember_vec3   way = {here[3] - there[3], here[7] - there[7], here[11] - there[11]};
    float        length = sqrtf(way.x * way.x + way.y * way.y + way.z * way.z);
    float        part = fminf(length * 0.5f, size * 0.06f) / length;
    *along = (ember_vec3){way.x * part, way.y * part, way.z * part};
    return isfinite(length) && isfinite(part);
}

bool actor_pose(actor *a, uint32_t frame, ember_mat34 *out)
{
    const ember_skeleton *skeleton = &a->model->skeleton;
    if (a->clip != NULL && a->clip->frame_count != 0) {
        if (ember_clip_matrices(a->of_clip, a->model, a->clip, frame) != EMBER_OK)
            return false;
        for (uint32_t i = 0; i < a->clip->bone_count; i++)
            out[ember_clip_bone(a->clip, i)] = a->of_clip[i];
    }
    for (uint32_t i = 0; i < a->bone_count; i++) {
        int16_t parent = skeleton->parents[i];
        if (a->moved[i])
            continue;
        out[i] = a->rest[i];
        if (parent >= 0 && skeleton->rest != NULL) {
            ember_transform local = skeleton->rest[i];
            local.rotation = ember_quat_normalize(local.rotation);
            ember_mat34 from_parent = ember_mat34_from_transform(&local);
            out[i] = ember_mat34_mul(&out[parent], &from_parent);
        }
    }
    return true;
}

ember_vec3 actor_vertex(const actor *a, const ember_mesh *mesh, uint32_t vertex, const ember_mat34 *matrices)
{
    ember_vec3         at = mesh->positions[vertex], sum = {0.0f, 0.0f, 0.0f};
    const ember_mat34 *binds = a->bodies->skeleton.inverse_binds;
    if (mesh->joints == NULL || mesh->weights == NULL)
        return mesh->bone >= 0 && (uint32_t)mesh->bone < a->bone_count
                   ? ember_mat34_point(&matrices[mesh->bone], at)
                   : at;
    for (int k = 0; k < 4; k++) {
        uint32_t   bone = mesh->joints[vertex][k];
        float      weight = mesh->weights[vertex][k];
        ember_vec3 p = at;
        if (weight == 0.0f)
            continue;
        if (bone < a->bone_count) {
            if (binds != NULL && bone < a->bodies->skeleton.bone_count)
                p = ember_mat34_point(&binds[bone], p);
            p = ember_mat34_point(&matrices[bone], p);
        }
        sum = (ember_vec3){sum.x + weight * p.x, sum.y + weight * p.y, sum.z + weight * p.z};
    }
    return sum;
}
