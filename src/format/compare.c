/* How far one clip is from another: the displacement of points around the bones, in model space. Numbers that are not finite
   count as infinitely far unless both sides have the very same. */
#include <math.h>
#include <string.h>

#include "ember/pose.h"
#include "format/clip_matrices.h"
#include "format/ops.h"

/* 3 cm for a person of 1.8 m; and, where a clip has no size, a person's. */
#define COMPARE_SHELL_PART (1.0f / 60.0f)
#define COMPARE_SHELL_OF_A_POINT 0.03f

typedef struct compare_side {
    const ember_model  *model;
    const ember_clip   *clip;
    emberi_clip_scratch scratch;
    ember_mat34        *matrices;
} compare_side;

static bool compare_side_make(compare_side *side, const ember_model *model, const ember_clip *clip, ember_arena *arena)
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

/* The bone of b's clip for bone i of a's; -1 if there is none, or several of which none is in the same place. */
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
    for (uint32_t i = 0; i < job->a->bone_count; i++) {
        matches[i] = compare_match(job, i, by_name);
        count += matches[i] >= 0 ? 1u : 0u;
    }
    return count;
}

/* ---- measuring ---- */

/* The largest side of the box around all bones of a in all frames. */
static ember_status compare_size(float *out, compare_side *a)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *out = 0.0f;
    for (uint32_t frame = 0; frame < a->clip->frame_count; frame++) {
        ember_status status = compare_side_frame(a, frame);
        if (status != EMBER_OK)
            return status;
        for (uint32_t i = 0; i < a->clip->bone_count; i++)
            for (int axis = 0; axis < 3; axis++) {
                float at = a->matrices[i].m[axis * 4 + 3];
                if (!isfinite(at))
                    continue;
                low[axis] = at < low[axis] ? at : low[axis];
                high[axis] = at > high[axis] ? at : high[axis];
            }
    }
    for (int axis = 0; axis < 3; axis++)
        if (high[axis] - low[axis] > *out)
            *out = high[axis] - low[axis];
    return EMBER_OK;
}

/* Of the three points at the shell, the one that is farthest away from its twin. The shell is a length in model space, so a bone's own
   scale does not move its points out or in. In double, so that what is measured is not the measuring. */
static double compare_displacement(const ember_mat34 *a, const ember_mat34 *b, double shell)
{
    double largest = 0.0;
    if (memcmp(a, b, sizeof(*a)) == 0)
        return 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double squared = 0.0, x = (double)a->m[axis], y = (double)a->m[4 + axis], z = (double)a->m[8 + axis];
        double scale = sqrt(x * x + y * y + z * z);
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
    return sqrt(largest);
}

static void compare_frame(ember_compare_job *job, const compare_side *a, const compare_side *b, const int32_t *matches,
                          uint32_t frame)
{
    double frame_max = 0.0;
    for (uint32_t i = 0; i < job->a->bone_count; i++) {
        if (matches[i] < 0)
            continue;
        double off = compare_displacement(&a->matrices[i], &b->matrices[matches[i]], (double)job->used_shell);
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
    ember_status status = compare_size(&job->size, &a);
    job->used_shell = job->shell > 0.0f ? job->shell : job->size * COMPARE_SHELL_PART;
    if (!(job->used_shell > 0.0f) || !isfinite(job->used_shell))
        job->used_shell = COMPARE_SHELL_OF_A_POINT;
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
    if (job->a_model == NULL || job->b_model == NULL || job->a == NULL || job->b == NULL || !isfinite(job->shell) ||
        job->shell < 0.0f)
        return ember_fail(err, EMBER_E_ARG, EMBER_NO_OFFSET, "comparing takes two clips of two models and a shell of 0 or more");
    ember_arena_mark mark = ember_arena_save(scratch);
    ember_status     status = compare_all(job, scratch, err);
    ember_arena_restore(scratch, mark);
    return status;
}
