/* SPDX-License-Identifier: MIT */
/* Merging bones into their parents, the least important first. What a bone carries is a box in the bind
   pose; a merge costs how far its corners go astray in any frame. The model is one that passes
   ember_model_check. */
#include "ember/reduce.h"

#include <string.h>

#include "base/fail.h"
#include "base/real.h"
#include "base/sizes.h"
#include "ember/pose.h"
#include "model/place.h"

#define REDUCE_NONE UINT32_MAX
#define REDUCE_BONE_SHARE 0.02 /* half a bone's box without meshes, of the size of the model */

typedef struct reduce_box {
    double low[3], high[3];
    bool   filled;
} reduce_box;

typedef struct reducer {
    const ember_model *model;
    ember_arena       *arena;
    ember_error       *err;
    uint32_t           bones;
    size_t             frames;      /* of all clips */
    real_mat          *binds;       /* from the bind pose to each bone */
    real_mat          *poses;       /* frames * bones: of vertices in the bind pose */
    reduce_box        *own, *boxes; /* what a bone carries itself, and with those merged into it */
    uint32_t          *into;        /* the bone that carries what this one carried: itself at first */
    double            *costs;
    uint32_t           kept;
    uint32_t          *number; /* new number of each kept bone */
} reducer;

static bool reduce_is_kept(const reducer *r, uint32_t bone) { return r->into[bone] == bone; }

/* The nearest bone above that is still there; REDUCE_NONE for roots. */
static uint32_t reduce_parent(const reducer *r, uint32_t bone)
{
    int32_t parent = r->model->skeleton.parents[bone];
    while (parent >= 0 && !reduce_is_kept(r, (uint32_t)parent))
        parent = r->model->skeleton.parents[parent];
    return parent >= 0 ? (uint32_t)parent : REDUCE_NONE;
}

/* ---- what bones carry ---- */

static void box_add(reduce_box *box, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = !box->filled || p[k] < box->low[k] ? p[k] : box->low[k];
        box->high[k] = !box->filled || p[k] > box->high[k] ? p[k] : box->high[k];
    }
    box->filled = true;
}

static void box_corner(double out[3], const reduce_box *box, int corner)
{
    for (int k = 0; k < 3; k++)
        out[k] = (corner >> k & 1) != 0 ? box->high[k] : box->low[k];
}

static void reduce_mesh_boxes(reducer *r, const ember_mesh *mesh)
{
    real_mat out = emberi_real_mat_identity;
    if (mesh->joints == NULL && mesh->bone >= 0)
        (void)emberi_real_mat_inverse(&out, &r->binds[mesh->bone]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const ember_vec3 *at = &mesh->positions[v];
        double            p[3] = {(double)at->x, (double)at->y, (double)at->z};
        if (mesh->joints == NULL && mesh->bone >= 0) {
            double placed[3];
            emberi_real_mat_point(placed, &out, p);
            box_add(&r->own[mesh->bone], placed);
        }
        for (int k = 0; k < 4 && mesh->joints != NULL; k++)
            if (mesh->weights[v][k] > 0.0f)
                box_add(&r->own[mesh->joints[v][k]], p);
    }
}

/* Without meshes every bone counts, by a small box around it. */
static void reduce_bone_boxes(reducer *r, const real_mat *rest)
{
    reduce_box all = {.filled = false};
    double     half = 0.0;
    for (uint32_t i = 0; i < r->bones; i++)
        box_add(&all, (double[3]){rest[i].m[0][3], rest[i].m[1][3], rest[i].m[2][3]});
    for (int k = 0; k < 3; k++)
        half = all.high[k] - all.low[k] > half ? all.high[k] - all.low[k] : half;
    half = half > 0.0 ? half * REDUCE_BONE_SHARE : 1.0;
    for (uint32_t i = 0; i < r->bones; i++)
        for (int side = -1; side <= 1; side += 2)
            box_add(&r->own[i], (double[3]){rest[i].m[0][3] + side * half, rest[i].m[1][3] + side * half,
                                            rest[i].m[2][3] + side * half});
}

static ember_status reduce_boxes(reducer *r)
{
    const ember_skeleton *skeleton = &r->model->skeleton;
    real_mat             *rest = EMBER_PUSH(r->arena, real_mat, r->bones);
    if (rest == NULL)
        return emberi_fail_memory(r->err);
    for (uint32_t i = 0; i < r->bones; i++) {
        real_trs trs =
            skeleton->rest != NULL ? emberi_real_trs_from(&skeleton->rest[i]) : emberi_real_trs_identity;
        rest[i] = emberi_real_mat_from_trs(&trs);
        if (skeleton->parents[i] >= 0)
            rest[i] = emberi_real_mat_mul(&rest[skeleton->parents[i]], &rest[i]);
        for (int k = 0; k < 12 && skeleton->inverse_binds != NULL; k++)
            r->binds[i].m[k / 4][k % 4] = (double)skeleton->inverse_binds[i].m[k];
        if (skeleton->inverse_binds == NULL && !emberi_real_mat_inverse(&r->binds[i], &rest[i]))
            r->binds[i] = emberi_real_mat_identity;
    }
    for (uint32_t i = 0; i < r->model->mesh_count; i++)
        reduce_mesh_boxes(r, &r->model->meshes[i]);
    if (r->model->mesh_count == 0)
        reduce_bone_boxes(r, rest);
    memcpy(r->boxes, r->own, r->bones * sizeof(*r->boxes));
    return EMBER_OK;
}

/* ---- how bones move ---- */

/* One frame: from the bind pose to where each bone takes it. Bones that the clip does not move rest. */
static ember_status reduce_frame(reducer *r, real_mat *out, const ember_clip *clip, uint32_t index,
                                 uint32_t frame, ember_mat34 *matrices)
{
    const ember_skeleton *skeleton = &r->model->skeleton;
    bool                 *moved = EMBER_PUSH(r->arena, bool, r->bones);
    if (moved == NULL)
        return emberi_fail_memory(r->err);
    if (ember_clip_matrices(matrices, r->model, clip, frame) != EMBER_OK) {
        emberi_place place = emberi_place_clip(clip, index);
        place.frame = (int32_t)frame;
        return emberi_fail_at(r->err, EMBER_E_RANGE, place, "the frame cannot be composed");
    }
    memset(moved, 0, r->bones * sizeof(*moved));
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t bone = ember_clip_bone(clip, i);
        moved[bone] = true;
        for (int k = 0; k < 12; k++)
            out[bone].m[k / 4][k % 4] = (double)matrices[i].m[k];
    }
    for (uint32_t i = 0; i < r->bones; i++) {
        if (moved[i])
            continue;
        real_trs trs =
            skeleton->rest != NULL ? emberi_real_trs_from(&skeleton->rest[i]) : emberi_real_trs_identity;
        out[i] = emberi_real_mat_from_trs(&trs);
        if (skeleton->parents[i] >= 0)
            out[i] = emberi_real_mat_mul(&out[skeleton->parents[i]], &out[i]);
    }
    for (uint32_t i = 0; i < r->bones; i++)
        out[i] = emberi_real_mat_mul(&out[i], &r->binds[i]);
    return EMBER_OK;
}

static ember_status reduce_poses(reducer *r)
{
    ember_mat34 *matrices = EMBER_PUSH(r->arena, ember_mat34, r->bones);
    size_t       count, at = 0;
    for (uint32_t i = 0; i < r->model->clip_count; i++)
        r->frames += r->model->clips[i].frame_count;
    r->poses = emberi_mul_size(&count, r->frames, r->bones) ? EMBER_PUSH(r->arena, real_mat, count) : NULL;
    if (matrices == NULL || r->poses == NULL)
        return emberi_fail_memory(r->err);
    for (uint32_t i = 0; i < r->model->clip_count; i++)
        for (uint32_t f = 0; f < r->model->clips[i].frame_count; f++) {
            ember_arena_mark mark = ember_arena_save(r->arena);
            ember_status     status =
                reduce_frame(r, r->poses + at++ * r->bones, &r->model->clips[i], i, f, matrices);
            ember_arena_restore(r->arena, mark);
            if (status != EMBER_OK)
                return status;
        }
    return EMBER_OK;
}

/* How far a box is off at most if one bone carries it in place of another, and in which frame. */
static double reduce_cost(const reducer *r, const reduce_box *box, uint32_t bone, uint32_t other,
                          size_t *where)
{
    double worst = 0.0;
    *where = 0;
    for (size_t f = 0; f < r->frames && box->filled; f++)
        for (int corner = 0; corner < 8; corner++) {
            double p[3], a[3], b[3];
            box_corner(p, box, corner);
            emberi_real_mat_point(a, &r->poses[f * r->bones + bone], p);
            emberi_real_mat_point(b, &r->poses[f * r->bones + other], p);
            double apart = emberi_real_length(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
            if (apart > worst) {
                worst = apart;
                *where = f;
            }
        }
    return worst;
}

/* ---- choosing ---- */

static void reduce_price(reducer *r, uint32_t bone)
{
    size_t   where;
    uint32_t parent = reduce_parent(r, bone);
    r->costs[bone] = parent != REDUCE_NONE ? reduce_cost(r, &r->boxes[bone], bone, parent, &where) : -1.0;
}

static void reduce_merge(reducer *r, uint32_t bone)
{
    uint32_t parent = reduce_parent(r, bone);
    for (int corner = 0; corner < 8 && r->boxes[bone].filled; corner++) {
        double p[3];
        box_corner(p, &r->boxes[bone], corner);
        box_add(&r->boxes[parent], p);
    }
    for (uint32_t i = 0; i < r->bones; i++)
        r->into[i] = r->into[i] == bone ? parent : r->into[i];
    r->kept--;
    reduce_price(r, parent);
    for (uint32_t i = bone + 1; i < r->bones; i++)
        if (reduce_is_kept(r, i) && reduce_parent(r, i) == parent)
            reduce_price(r, i);
}

/* Of equals the last one, which is furthest from the root. */
static ember_status reduce_choose(reducer *r, uint32_t max_bones)
{
    uint32_t roots = 0;
    for (uint32_t i = 0; i < r->bones; i++) {
        roots += r->model->skeleton.parents[i] < 0;
        r->into[i] = i;
    }
    if (roots > max_bones)
        return emberi_failf(r->err, EMBER_E_LIMIT, EMBER_NO_OFFSET,
                            "%u roots cannot become %u bones: a root has no parent to be merged into", roots,
                            max_bones);
    for (uint32_t i = 0; i < r->bones; i++)
        reduce_price(r, i);
    r->kept = r->bones;
    while (r->kept > max_bones) {
        uint32_t least = REDUCE_NONE;
        for (uint32_t i = 0; i < r->bones; i++)
            if (reduce_is_kept(r, i) && r->costs[i] >= 0.0 &&
                (least == REDUCE_NONE || r->costs[i] <= r->costs[least]))
                least = i;
        reduce_merge(r, least);
    }
    r->kept = 0;
    for (uint32_t i = 0; i < r->bones; i++)
        r->number[i] = reduce_is_kept(r, i) ? r->kept++ : REDUCE_NONE;
    return EMBER_OK;
}

static ember_status reduce_report(reducer *r, ember_reduction *report)
{
    ember_merged_bone *merged = EMBER_PUSH(r->arena, ember_merged_bone, r->bones - r->kept);
    *report = (ember_reduction){.merged = merged};
    if (merged == NULL)
        return emberi_fail_memory(r->err);
    for (uint32_t i = 0; i < r->bones; i++) {
        if (reduce_is_kept(r, i))
            continue;
        size_t             where;
        ember_merged_bone *one = &merged[report->merged_count];
        *one = (ember_merged_bone){.bone = i, .into = r->into[i]};
        one->error = reduce_cost(r, &r->own[i], i, r->into[i], &where);
        while (one->clip + 1 < r->model->clip_count && where >= r->model->clips[one->clip].frame_count)
            where -= r->model->clips[one->clip++].frame_count;
        one->frame = (uint32_t)where;
        report->worst = one->error > merged[report->worst].error ? report->merged_count : report->worst;
        report->merged_count++;
    }
    return EMBER_OK;
}

/* ---- the new model ---- */

/* A bone's transform from its new parent: the product of those in between, which are local. */
static ember_transform reduce_local(const reducer *r, uint32_t bone, const ember_transform *frame,
                                    const int32_t *slots)
{
    const ember_skeleton *skeleton = &r->model->skeleton;
    ember_transform       own = frame != NULL && slots[bone] >= 0 ? frame[slots[bone]]
                                : skeleton->rest != NULL          ? skeleton->rest[bone]
                                                                  : ember_transform_identity;
    int32_t               parent = skeleton->parents[bone];
    if (parent < 0 || reduce_is_kept(r, (uint32_t)parent))
        return own;
    real_trs like = emberi_real_trs_from(&own), out;
    real_mat mat = emberi_real_mat_from_trs(&like);
    for (; parent >= 0 && !reduce_is_kept(r, (uint32_t)parent); parent = skeleton->parents[parent]) {
        ember_transform above = slots[parent] >= 0       ? frame[slots[parent]]
                                : skeleton->rest != NULL ? skeleton->rest[parent]
                                                         : ember_transform_identity;
        real_trs        trs = emberi_real_trs_from(&above);
        real_mat        step = emberi_real_mat_from_trs(&trs);
        mat = emberi_real_mat_mul(&step, &mat);
        like = emberi_real_trs_mul(&trs, &like);
    }
    (void)emberi_real_mat_decompose(&out, &mat, &like);
    return emberi_real_trs_to_float(&out);
}

static ember_status reduce_skeleton(reducer *r, ember_skeleton *out)
{
    const ember_skeleton *old = &r->model->skeleton;
    int16_t              *parents = EMBER_PUSH(r->arena, int16_t, r->kept);
    const char          **names = EMBER_PUSH(r->arena, const char *, r->kept);
    ember_transform      *rest = EMBER_PUSH(r->arena, ember_transform, r->kept);
    ember_mat34          *binds = EMBER_PUSH(r->arena, ember_mat34, r->kept);
    int32_t              *slots = EMBER_PUSH(r->arena, int32_t, r->bones);
    if (parents == NULL || names == NULL || rest == NULL || binds == NULL || slots == NULL)
        return emberi_fail_memory(r->err);
    memset(slots, 0xff, r->bones * sizeof(*slots));
    for (uint32_t i = 0; i < r->bones; i++) {
        uint32_t at = r->number[i], parent = reduce_parent(r, i);
        if (at == REDUCE_NONE)
            continue;
        parents[at] = parent != REDUCE_NONE ? (int16_t)r->number[parent] : (int16_t)EMBER_NO_PARENT;
        names[at] = ember_skeleton_name(old, i);
        rest[at] = reduce_local(r, i, NULL, slots);
        if (old->inverse_binds != NULL)
            binds[at] = old->inverse_binds[i];
    }
    *out = (ember_skeleton){.bone_count = r->kept,
                            .parents = parents,
                            .names = old->names != NULL ? names : NULL,
                            .rest = old->rest != NULL ? rest : NULL,
                            .inverse_binds = old->inverse_binds != NULL ? binds : NULL};
    return EMBER_OK;
}

static ember_status reduce_clip(reducer *r, ember_clip *out, const ember_clip *clip)
{
    int32_t         *slots = EMBER_PUSH(r->arena, int32_t, r->bones);
    uint16_t        *bones = EMBER_PUSH(r->arena, uint16_t, clip->bone_count);
    size_t           count = 0;
    ember_transform *frames;
    *out = *clip;
    out->raw = (ember_raw){.format = EMBER_FORMAT_UNKNOWN};
    out->bone_count = 0;
    if (slots == NULL || bones == NULL)
        return emberi_fail_memory(r->err);
    memset(slots, 0xff, r->bones * sizeof(*slots));
    for (uint32_t i = 0; i < clip->bone_count; i++)
        slots[ember_clip_bone(clip, i)] = (int32_t)i;
    for (uint32_t i = 0; i < clip->bone_count; i++) {
        uint32_t number = r->number[ember_clip_bone(clip, i)];
        if (number != REDUCE_NONE)
            bones[out->bone_count++] = (uint16_t)number;
    }
    frames = emberi_mul_size(&count, clip->frame_count, out->bone_count)
                 ? EMBER_PUSH(r->arena, ember_transform, count)
                 : NULL;
    if (frames == NULL)
        return emberi_fail_memory(r->err);
    count = 0;
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        const ember_transform *frame = clip->frames + (size_t)f * clip->bone_count;
        for (uint32_t i = 0; i < clip->bone_count; i++) {
            uint32_t bone = ember_clip_bone(clip, i);
            if (r->number[bone] != REDUCE_NONE)
                frames[count++] =
                    clip->space == EMBER_SPACE_LOCAL ? reduce_local(r, bone, frame, slots) : frame[i];
        }
    }
    out->frames = frames;
    out->bones = clip->bones != NULL || clip->bone_count != r->bones ? bones : NULL;
    return EMBER_OK;
}

static ember_status reduce_weights(reducer *r, ember_mesh *out, const ember_mesh *mesh)
{
    uint16_t(*joints)[4] =
        ember_arena_push(r->arena, mesh->vertex_count, sizeof(*joints), _Alignof(uint16_t));
    float(*weights)[4] = ember_arena_push(r->arena, mesh->vertex_count, sizeof(*weights), _Alignof(float));
    if (joints == NULL || weights == NULL)
        return emberi_fail_memory(r->err);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t used = 0;
        memset(joints[v], 0, sizeof(joints[v]));
        memset(weights[v], 0, sizeof(weights[v]));
        for (int k = 0; k < 4; k++) {
            uint16_t joint = (uint16_t)r->number[r->into[mesh->joints[v][k]]];
            uint32_t at = 0;
            while (at < used && joints[v][at] != joint)
                at++;
            if (mesh->weights[v][k] <= 0.0f)
                continue;
            used += at == used;
            joints[v][at] = joint;
            weights[v][at] += mesh->weights[v][k];
        }
        /* the largest first, as a model has them */
        for (uint32_t i = 1; i < used; i++)
            for (uint32_t k = i; k > 0 && weights[v][k] > weights[v][k - 1]; k--) {
                float    weight = weights[v][k];
                uint16_t joint = joints[v][k];
                weights[v][k] = weights[v][k - 1];
                joints[v][k] = joints[v][k - 1];
                weights[v][k - 1] = weight;
                joints[v][k - 1] = joint;
            }
    }
    out->joints = (const uint16_t(*)[4])joints;
    out->weights = (const float(*)[4])weights;
    return EMBER_OK;
}

/* Directions of a rigid mesh in the axes of the bone that it follows now. */
static ember_vec3 reduce_direction(const real_mat *m, ember_vec3 in)
{
    double v[3] = {(double)in.x, (double)in.y, (double)in.z}, moved[3];
    emberi_real_mat_normal(moved, m, v);
    double length = emberi_real_length(moved[0], moved[1], moved[2]);
    return length > 0.0 ? (ember_vec3){(float)(moved[0] / length), (float)(moved[1] / length),
                                       (float)(moved[2] / length)}
                        : in;
}

static ember_status reduce_rigid(reducer *r, ember_mesh *out, const ember_mesh *mesh)
{
    uint32_t    bone = (uint32_t)mesh->bone, into = r->into[bone];
    real_mat    back, move;
    ember_vec3 *positions = EMBER_PUSH(r->arena, ember_vec3, mesh->vertex_count);
    ember_vec3 *normals = EMBER_PUSH(r->arena, ember_vec3, mesh->vertex_count);
    float(*tangents)[4] = ember_arena_push(r->arena, mesh->vertex_count, sizeof(*tangents), _Alignof(float));
    out->bone = (int32_t)r->number[into];
    if (into == bone)
        return EMBER_OK;
    if (positions == NULL || normals == NULL || tangents == NULL)
        return emberi_fail_memory(r->err);
    move = emberi_real_mat_inverse(&back, &r->binds[bone]) ? emberi_real_mat_mul(&r->binds[into], &back)
                                                           : emberi_real_mat_identity;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const ember_vec3 *at = &mesh->positions[v];
        double            p[3] = {(double)at->x, (double)at->y, (double)at->z}, moved[3];
        emberi_real_mat_point(moved, &move, p);
        positions[v] = (ember_vec3){(float)moved[0], (float)moved[1], (float)moved[2]};
        if (mesh->normals != NULL)
            normals[v] = reduce_direction(&move, mesh->normals[v]);
        if (mesh->tangents != NULL) {
            const float *t = mesh->tangents[v];
            ember_vec3   turned = reduce_direction(&move, (ember_vec3){t[0], t[1], t[2]});
            tangents[v][0] = turned.x;
            tangents[v][1] = turned.y;
            tangents[v][2] = turned.z;
            tangents[v][3] = t[3];
        }
    }
    out->positions = positions;
    out->normals = mesh->normals != NULL ? normals : NULL;
    out->tangents = mesh->tangents != NULL ? (const float(*)[4])tangents : NULL;
    return EMBER_OK;
}

static ember_status reduce_model(reducer *r, ember_model *out)
{
    const ember_model *model = r->model;
    ember_clip        *clips = EMBER_PUSH(r->arena, ember_clip, model->clip_count);
    ember_mesh        *meshes = EMBER_PUSH(r->arena, ember_mesh, model->mesh_count);
    ember_skeleton     skeleton;
    if (clips == NULL || meshes == NULL)
        return emberi_fail_memory(r->err);
    EMBERI_TRY(reduce_skeleton(r, &skeleton));
    for (uint32_t i = 0; i < model->clip_count; i++)
        EMBERI_TRY(reduce_clip(r, &clips[i], &model->clips[i]));
    for (uint32_t i = 0; i < model->mesh_count; i++) {
        meshes[i] = model->meshes[i];
        if (meshes[i].joints != NULL)
            EMBERI_TRY(reduce_weights(r, &meshes[i], &model->meshes[i]));
        else if (meshes[i].bone >= 0)
            EMBERI_TRY(reduce_rigid(r, &meshes[i], &model->meshes[i]));
    }
    *out = *model;
    out->skeleton = skeleton;
    out->clips = clips;
    out->meshes = meshes;
    return EMBER_OK;
}

ember_status ember_model_reduce(ember_model *out, ember_reduction *report, const ember_model *model,
                                uint32_t max_bones, ember_arena *arena, ember_error *err)
{
    reducer         r = {.model = model, .arena = arena, .err = err, .bones = model->skeleton.bone_count};
    ember_reduction unheard;
    report = report != NULL ? report : &unheard;
    *report = (ember_reduction){.merged_count = 0};
    if (max_bones == 0)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a rig of no bones is not possible");
    if (r.bones <= max_bones) {
        *out = *model;
        return EMBER_OK;
    }
    if (!ember_skeleton_is_known(&model->skeleton))
        return ember_fail(err, EMBER_E_UNSUPPORTED, EMBER_NO_OFFSET,
                          "bones are merged into their parents, which the file does not have");
    r.binds = EMBER_PUSH(arena, real_mat, r.bones);
    r.own = EMBER_PUSH(arena, reduce_box, r.bones);
    r.boxes = EMBER_PUSH(arena, reduce_box, r.bones);
    r.into = EMBER_PUSH(arena, uint32_t, r.bones);
    r.number = EMBER_PUSH(arena, uint32_t, r.bones);
    r.costs = EMBER_PUSH(arena, double, r.bones);
    if (r.binds == NULL || r.own == NULL || r.boxes == NULL || r.into == NULL || r.number == NULL ||
        r.costs == NULL)
        return emberi_fail_memory(err);
    EMBERI_TRY(reduce_boxes(&r));
    EMBERI_TRY(reduce_poses(&r));
    EMBERI_TRY(reduce_choose(&r, max_bones));
    EMBERI_TRY(reduce_report(&r, report));
    return reduce_model(&r, out);
}
