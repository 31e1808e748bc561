/* SPDX-License-Identifier: MIT */
/* How far one clip is from another: the displacement of points around the bones, in model space. Numbers that
   are not finite count as infinitely far unless both sides have the very same. */
#include "model/compare.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/real.h"
#include "ember/pose.h"
#include "model/clip_matrices.h"
#include "model/names.h"

/* 3 cm for a person of 1.8 m; and, where a clip has no size, a person's. */
#define COMPARE_SHELL_PART (1.0f / 60.0f)
#define COMPARE_SHELL_OF_A_POINT 0.03f

typedef struct compare_side {
    const ember_model  *model;
    const ember_clip   *clip;
    emberi_clip_scratch scratch;
    ember_mat34        *matrices;
} compare_side;

static bool compare_side_make(compare_side *side, const ember_model *model, const ember_clip *clip,
                              ember_arena *arena)
{
    side->model = model;
    side->clip = clip;
    side->matrices = EMBER_PUSH(arena, ember_mat34, clip->bone_count);
    return side->matrices != NULL && emberi_clip_scratch_make(&side->scratch, arena, model, clip);
}

static ember_status compare_side_frame(compare_side *side, uint32_t frame)
{
    if (side->clip->bone_count == 0)
        return EMBER_OK;
    return emberi_clip_matrices(side->matrices, side->model, side->clip, frame, &side->scratch);
}

/* ---- matching bones ---- */

static bool compare_has_names(const ember_model *model, const ember_clip *clip)
{
    for (uint32_t i = 0; i < clip->bone_count; i++)
        if (emberi_bone_is_named(&model->skeleton, ember_clip_bone(clip, i)))
            return true;
    return false;
}

static bool compare_same_name(const ember_compare_job *job, uint32_t a, uint32_t b)
{
    const char *a_name = ember_skeleton_name(&job->a_model->skeleton, ember_clip_bone(job->a, a));
    const char *b_name = ember_skeleton_name(&job->b_model->skeleton, ember_clip_bone(job->b, b));
    if (a_name == NULL || b_name == NULL)
        return a_name == b_name && a == b;
    return strcmp(a_name, b_name) == 0;
}

/* The bone of b's clip for bone i of a's; -1 if there is none, or several of which none is in
   the same place. */
static int32_t compare_match(const ember_compare_job *job, uint32_t i, bool by_name)
{
    int32_t found = -1;
    if (i < job->b->bone_count && (!by_name || compare_same_name(job, i, i)))
        return (int32_t)i;
    for (uint32_t k = 0; by_name && k < job->b->bone_count; k++) {
        if (!compare_same_name(job, i, k))
            continue;
        if (found >= 0)
            return -1;
        found = (int32_t)k;
    }
    return found;
}

static uint32_t compare_match_all(int32_t *matches, const ember_compare_job *job)
{
    bool     by_name = compare_has_names(job->a_model, job->a) && compare_has_names(job->b_model, job->b);
    uint32_t count = 0;
    for (uint32_t i = 0; job->met != NULL && i < job->b->bone_count; i++)
        job->met[i] = false;
    for (uint32_t i = 0; i < job->a->bone_count; i++) {
        matches[i] = compare_match(job, i, by_name);
        if (job->met != NULL && matches[i] >= 0)
            job->met[matches[i]] = true;
        count += matches[i] >= 0 ? 1u : 0u;
    }
    return count;
}

/* ---- measuring ---- */

typedef struct compare_box {
    float low[3], high[3];
} compare_box;

static void box_add(compare_box *box, float x, float y, float z)
{
    const float at[3] = {x, y, z};
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(at[axis]))
            continue;
        box->low[axis] = at[axis] < box->low[axis] ? at[axis] : box->low[axis];
        box->high[axis] = at[axis] > box->high[axis] ? at[axis] : box->high[axis];
    }
}

/* What takes a bone's vertices to the frame that the side has its matrices of, by the skeleton's bones; bones
   that the clip does not move have none, and their vertices are left out. */
typedef struct compare_palette {
    ember_mat34 *matrices; /* of skinned meshes */
    int32_t     *slots;    /* the clip's bone, or -1 */
} compare_palette;

static bool palette_make(compare_palette *out, const compare_side *side, ember_arena *arena)
{
    const ember_skeleton *skeleton = &side->model->skeleton;
    out->matrices = EMBER_PUSH(arena, ember_mat34, skeleton->bone_count);
    out->slots = EMBER_PUSH(arena, int32_t, skeleton->bone_count);
    if (out->matrices == NULL || out->slots == NULL)
        return false;
    for (uint32_t i = 0; i < skeleton->bone_count; i++)
        out->slots[i] = -1;
    for (uint32_t i = 0; i < side->clip->bone_count; i++) {
        uint32_t bone = ember_clip_bone(side->clip, i);
        out->slots[bone] = (int32_t)i;
        out->matrices[bone] = side->matrices[i];
        if (skeleton->inverse_binds != NULL)
            out->matrices[bone] = ember_mat34_mul(&side->matrices[i], &skeleton->inverse_binds[bone]);
    }
    return true;
}

static void box_add_vertex(compare_box *box, const compare_side *side, const compare_palette *palette,
                           const ember_mesh *mesh, uint32_t i)
{
    ember_vec3 at = mesh->positions[i];
    if (mesh->joints != NULL) {
        ember_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < 4 && mesh->weights[i][k] > 0.0f; k++) {
            if (palette->slots[mesh->joints[i][k]] < 0)
                return;
            ember_vec3 moved = ember_mat34_point(&palette->matrices[mesh->joints[i][k]], at);
            sum.x += mesh->weights[i][k] * moved.x;
            sum.y += mesh->weights[i][k] * moved.y;
            sum.z += mesh->weights[i][k] * moved.z;
        }
        at = sum;
    } else if (mesh->bone >= 0) {
        if (palette->slots[mesh->bone] < 0)
            return;
        at = ember_mat34_point(&side->matrices[palette->slots[mesh->bone]], at);
    }
    box_add(box, at.x, at.y, at.z);
}

static ember_status box_add_meshes(compare_box *box, const compare_side *side, ember_arena *arena)
{
    compare_palette  palette;
    ember_arena_mark mark = ember_arena_save(arena);
    if (side->model->mesh_count == 0)
        return EMBER_OK;
    if (!palette_make(&palette, side, arena))
        return EMBER_E_NOMEM;
    for (uint32_t m = 0; m < side->model->mesh_count; m++)
        for (uint32_t i = 0; i < side->model->meshes[m].vertex_count; i++)
            box_add_vertex(box, side, &palette, &side->model->meshes[m], i);
    ember_arena_restore(arena, mark);
    return EMBER_OK;
}

/* The largest side of the box around all bones of a in all frames, and around its meshes in the first: what
   can be seen of it. */
static ember_status compare_size(float *out, compare_side *a, ember_arena *scratch)
{
    compare_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    *out = 0.0f;
    for (uint32_t frame = 0; frame < a->clip->frame_count; frame++) {
        ember_status status = compare_side_frame(a, frame);
        if (status != EMBER_OK)
            return status;
        for (uint32_t i = 0; i < a->clip->bone_count; i++)
            box_add(&box, a->matrices[i].m[3], a->matrices[i].m[7], a->matrices[i].m[11]);
        if (frame == 0)
            status = box_add_meshes(&box, a, scratch);
        if (status != EMBER_OK)
            return status;
    }
    for (int axis = 0; axis < 3; axis++)
        if (box.high[axis] - box.low[axis] > *out)
            *out = box.high[axis] - box.low[axis];
    return EMBER_OK;
}

ember_status emberi_clip_size(float *out, const ember_model *model, const ember_clip *clip,
                              ember_arena *scratch)
{
    compare_side     side;
    ember_arena_mark mark = ember_arena_save(scratch);
    ember_status     status = EMBER_E_NOMEM;
    if (compare_side_make(&side, model, clip, scratch))
        status = compare_size(out, &side, scratch);
    ember_arena_restore(scratch, mark);
    return status;
}

float emberi_shell_of(float size)
{
    float shell = size * COMPARE_SHELL_PART;
    return shell > 0.0f && isfinite(shell) ? shell : COMPARE_SHELL_OF_A_POINT;
}

/* In double, so that what is measured is not the measuring. */
double emberi_displacement(const ember_mat34 *a, const ember_mat34 *b, double shell)
{
    double largest = 0.0;
    if (memcmp(a, b, sizeof(*a)) == 0)
        return 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double squared = 0.0,
               scale = emberi_real_length((double)a->m[axis], (double)a->m[4 + axis], (double)a->m[8 + axis]);
        double out = scale > 0.0 ? shell / scale : shell;
        for (int row = 0; row < 3; row++) {
            const float *ra = &a->m[row * 4], *rb = &b->m[row * 4];
            double       off = ((double)ra[axis] - (double)rb[axis]) * out + ((double)ra[3] - (double)rb[3]);
            squared += off * off;
        }
        if (!isfinite(squared))
            return INFINITY;
        largest = squared > largest ? squared : largest;
    }
    return emberi_real_sqrt(largest);
}

static void compare_frame(ember_compare_job *job, const compare_side *a, const compare_side *b,
                          const int32_t *matches, uint32_t frame)
{
    double frame_max = 0.0;
    for (uint32_t i = 0; i < job->a->bone_count; i++) {
        if (matches[i] < 0)
            continue;
        double off = emberi_displacement(&a->matrices[i], &b->matrices[matches[i]], (double)job->used_shell);
        job->mean += off;
        if (job->bone_mean != NULL)
            job->bone_mean[i] += off / job->frame_count;
        if (job->bone_max != NULL && off > job->bone_max[i])
            job->bone_max[i] = off;
        if (off > frame_max)
            frame_max = off;
        if (off > job->max) {
            job->max = off;
            job->max_bone = i;
            job->max_frame = frame;
        }
    }
    if (job->frame_max != NULL)
        job->frame_max[frame] = frame_max;
}

static void compare_clear(ember_compare_job *job, const int32_t *matches)
{
    job->max = job->mean = 0.0;
    job->max_bone = job->max_frame = 0;
    for (uint32_t i = 0; i < job->a->bone_count; i++) {
        double start = matches[i] < 0 ? -1.0 : 0.0;
        if (job->bone_max != NULL)
            job->bone_max[i] = start;
        if (job->bone_mean != NULL)
            job->bone_mean[i] = start;
    }
    for (uint32_t i = 0; job->frame_max != NULL && i < job->a->frame_count; i++)
        job->frame_max[i] = -1.0;
}

static ember_status compare_all(ember_compare_job *job, ember_arena *scratch, ember_error *err)
{
    compare_side a, b;
    int32_t     *matches = EMBER_PUSH(scratch, int32_t, job->a->bone_count);
    if (matches == NULL || !compare_side_make(&a, job->a_model, job->a, scratch) ||
        !compare_side_make(&b, job->b_model, job->b, scratch))
        return emberi_fail_memory(err);

    job->bone_count = compare_match_all(matches, job);
    job->frame_count = job->a->frame_count < job->b->frame_count ? job->a->frame_count : job->b->frame_count;
    if (job->bone_count == 0 && (job->a->bone_count != 0 || job->b->bone_count != 0))
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "the two clips have no bone in common");
    ember_status status = compare_size(&job->size, &a, scratch);
    job->used_shell = job->shell > 0.0f ? job->shell : emberi_shell_of(job->size);
    compare_clear(job, matches);

    for (uint32_t frame = 0; frame < job->frame_count && status == EMBER_OK; frame++) {
        status = compare_side_frame(&a, frame);
        if (status == EMBER_OK)
            status = compare_side_frame(&b, frame);
        if (status == EMBER_OK)
            compare_frame(job, &a, &b, matches, frame);
    }
    if (status != EMBER_OK)
        return ember_fail(err, status, EMBER_NO_OFFSET, "the clips cannot be composed");
    if (job->bone_count != 0 && job->frame_count != 0)
        job->mean /= (double)job->bone_count * (double)job->frame_count;
    return EMBER_OK;
}

ember_status ember_compare_run(ember_compare_job *job, ember_arena *scratch, ember_error *err)
{
    if (job->a_model == NULL || job->b_model == NULL || job->a == NULL || job->b == NULL ||
        !isfinite(job->shell) || job->shell < 0.0f)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET,
                          "comparing takes two clips of two models and a shell of 0 or more");
    ember_arena_mark mark = ember_arena_save(scratch);
    ember_status     status = compare_all(job, scratch, err);
    ember_arena_restore(scratch, mark);
    return status;
}
