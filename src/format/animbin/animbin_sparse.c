/* SPDX-License-Identifier: MIT */
/* Few keys: for readers that interpolate. Bones are taken parents first. A bone's keys are laid greedily:
   from each key the next is set as far on as a doubling and halving search finds the span between them to
   hold, which is near the fewest, not proved to be. A span holds if no point at the shell around the bone, in
   any direction, and around all that hangs on it, moved along stiffly, leaves its place in the model by more
   than the bone's share of the tolerance. Shares grow from the root to the leaves, where they are all of it,
   so what comes out is within the tolerance by construction; it is measured once more all the same. How they
   grow is tried in a few ways, of which the one with the fewest keys is taken. */
#include <math.h>
#include <string.h>

#include "ember/pose.h"
#include "format/animbin/animbin_parts.h"

/* Of the model's size, as when clips are compared: 3 cm of a person's 1.8 m. */
#define SHELL_PART (1.0 / 60.0)
#define SHELL_OF_A_POINT 0.03
#define TOLERANCE_PART (1.0 / 500.0)
#define TOLERANCE_OF_A_POINT 0.001
/* Matrices are floats; the last measurement must not fail for their last bits. */
#define STAGE_PART 0.995
/* Of a bone's share, for its rotation alone where it moves as well. */
#define ROTATION_PART 0.9

typedef struct sparse {
    const emberi_animbin_work *work;
    ember_mat34               *wanted; /* frame after frame, in model space */
    ember_mat34               *made;
    uint32_t                  *depth, *deepest; /* of a bone, and of the deepest below it */
    double                     shell, tolerance;
    /* shares are the depth's part of the deepest, its square root taken this often */
    int                        roots;
    /* Of the bone in hand. */
    uint32_t                   bone;
    uint32_t                  *below; /* itself and all that hangs on it */
    uint32_t                   below_count;
    double                    *reach;         /* of each frame: how far from the bone anything on it is */
    ember_mat34               *parent;        /* one per frame, as it will be read */
    ember_mat34               *parent_wanted; /* as it should be */
    ember_mat34               *back;          /* of where the bone should be */
    bool                      *has_back;
    ember_transform           *pose; /* the bone as it will be read, as far as it is decided */
    emberi_animbin_key        *all;  /* the value for a key on each frame */
    emberi_animbin_key        *keys; /* those that were picked */
    double                     limit;
    uint32_t                   missed; /* frames where even a key of their own is beyond the limit */
    bool                       corrected;
} sparse;

static const ember_transform *sparse_source(const sparse *s, uint32_t frame)
{
    return &s->work->local[(size_t)frame * s->work->bone_count + s->bone];
}

/* ---- measuring one bone on one frame ---- */

/* What is wrong with a matrix: a point p that should stay goes to p + turn * p + by. */
typedef struct drift {
    double turn[3][3], by[3];
    double stretch; /* at least the square of what turn makes of any unit vector */
} drift;

/* The largest eigenvalue of the symmetric matrix, or a little more: Newton's steps from above it, where the
   polynomial has no more turns, never pass it. A rotation has it twice, so that they only halve the distance;
   seven leave less than a hundredth. */
static double largest_eigenvalue(double m[3][3])
{
    double a = m[0][0] + m[1][1] + m[2][2];
    double b = m[0][0] * m[1][1] - m[0][1] * m[0][1] + m[0][0] * m[2][2] - m[0][2] * m[0][2] +
               m[1][1] * m[2][2] - m[1][2] * m[1][2];
    double c = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
               m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
               m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
    double at = a / 3.0 + 2.0 / 3.0 * sqrt(a * a > 3.0 * b ? a * a - 3.0 * b : 0.0);
    for (int i = 0; i < 7; i++) {
        double value = ((at - a) * at + b) * at - c, slope = (3.0 * at - 2.0 * a) * at + b;
        if (!(value > 0.0) || !(slope > 0.0))
            break;
        at -= value / slope;
    }
    return at;
}

static drift drift_of(const ember_mat34 *error)
{
    drift  d;
    double square[3][3];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            d.turn[row][column] = (double)error->m[row * 4 + column] - (row == column ? 1.0 : 0.0);
        d.by[row] = (double)error->m[row * 4 + 3];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            square[i][k] =
                d.turn[0][i] * d.turn[0][k] + d.turn[1][i] * d.turn[1][k] + d.turn[2][i] * d.turn[2][k];
    d.stretch = largest_eigenvalue(square);
    return d;
}

/* At least the square of how far any point, `shell` away from the matrix's origin in any direction, is off.
   With t the way of the origin and u the direction it is |t + shell turn u|^2, and no more than |t|^2 + 2
   shell |turn^T t| + shell^2 |turn u|^2. */
static double drift_squared(const drift *d, const ember_mat34 *at, double shell)
{
    double t[3], along = 0.0, squared = 0.0;
    for (int row = 0; row < 3; row++) {
        t[row] = d->turn[row][0] * (double)at->m[3] + d->turn[row][1] * (double)at->m[7] +
                 d->turn[row][2] * (double)at->m[11] + d->by[row];
        squared += t[row] * t[row];
    }
    for (int column = 0; column < 3; column++) {
        double part = d->turn[0][column] * t[0] + d->turn[1][column] * t[1] + d->turn[2][column] * t[2];
        along += part * part;
    }
    return squared + 2.0 * shell * sqrt(along) + shell * shell * d->stretch;
}

static bool sparse_frame_holds(const sparse *s, uint32_t frame, const ember_transform *local)
{
    const ember_mat34 *wanted = &s->wanted[(size_t)frame * s->work->bone_count];
    ember_mat34        own = ember_mat34_from_transform(local), error;
    double             limit = s->limit * s->limit;
    own = ember_mat34_mul(&s->parent[frame], &own);
    if (!s->has_back[frame]) /* flattened by a scale of zero: nothing below it is anywhere else */
        return true;
    error = ember_mat34_mul(&own, &s->back[frame]);
    drift  d = drift_of(&error);
    /* Most frames are far from the limit: what is no farther away than the farthest is off by no more than it
       could be. */
    double most =
        sqrt(drift_squared(&d, &wanted[s->bone], 0.0)) + sqrt(d.stretch) * (s->reach[frame] + s->shell);
    if (most <= s->limit)
        return true;
    for (uint32_t i = 0; i < s->below_count; i++)
        if (!(drift_squared(&d, &wanted[s->below[i]], s->shell) <= limit))
            return false;
    return true;
}

/* ---- spans ---- */

typedef struct span {
    const sparse             *s;
    const emberi_animbin_key *a, *b; /* the same where a is held */
    uint8_t                   type;
} span;

static bool span_frame_holds(const span *p, uint32_t frame)
{
    const sparse              *s = p->s;
    const emberi_animbin_view *view = &s->work->job->view;
    const emberi_animbin_key  *a = p->a, *b = p->b;
    bool                       root = s->work->root[s->bone];
    ember_transform            local = s->pose[frame];
    if (p->type == EMBERI_ANIMBIN_TRANSLATION) {
        local.position = a == b ? emberi_animbin_position(a, view, root)
                                : emberi_animbin_position_between(a, b, frame, view, root);
    } else {
        float t = a == b ? 0.0f : (float)(frame - a->frame) / (float)(b->frame - a->frame);
        local.rotation = ember_quat_slerp(emberi_animbin_rotation(a, view, root),
                                          emberi_animbin_rotation(b, view, root), t);
    }
    return sparse_frame_holds(s, frame, &local);
}

/* The frames behind `start` up to `end`, with a key on both, or held from `start` on. The likeliest to fail
   come first. */
static bool span_holds(const sparse *s, uint8_t type, uint32_t start, uint32_t end, bool held)
{
    span p = {.s = s, .a = &s->all[start], .b = &s->all[held ? start : end], .type = type};
    if (!span_frame_holds(&p, end) || !span_frame_holds(&p, start + (end - start + 1) / 2))
        return false;
    for (uint32_t frame = start + 1; frame < end; frame++)
        if (!span_frame_holds(&p, frame))
            return false;
    return true;
}

/* The farthest frame from `start` that a search by doubling and halving finds; the next one at the least. */
static uint32_t span_reach(const sparse *s, uint8_t type, uint32_t start)
{
    uint32_t last = s->work->frame_count - 1, good = start + 1, bad = last + 1;
    for (uint32_t step = 2; good < last; step *= 2) {
        uint32_t end = start + step < last ? start + step : last;
        if (!span_holds(s, type, start, end, false)) {
            bad = end;
            break;
        }
        good = end;
    }
    while (bad - good > 1) {
        uint32_t middle = good + (bad - good) / 2;
        if (span_holds(s, type, start, middle, false))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* Picks from s->all; returns how many went to s->keys. */
static uint32_t sparse_pick(sparse *s, uint8_t type)
{
    uint32_t            last = s->work->frame_count - 1, count = 0, at = 0;
    emberi_animbin_key *keys = s->keys;
    s->missed = span_holds(s, type, 0, 0, true) ? 0 : 1;
    keys[count++] = s->all[0];
    while (at < last && !span_holds(s, type, at, last, true)) {
        uint32_t next = span_reach(s, type, at);
        if (next == at + 1 && !span_holds(s, type, next, next, true))
            s->missed++;
        keys[count] = s->all[next];
        if (type == EMBERI_ANIMBIN_ROTATION)
            emberi_animbin_keep_sign(&keys[count], &keys[count - 1]);
        count++;
        at = next;
    }
    return count;
}

/* ---- one bone ---- */

static ember_status sparse_values(sparse *s, uint8_t type)
{
    const emberi_animbin_work *work = s->work;
    const emberi_animbin_view *view = &work->job->view;
    bool                       root = work->root[s->bone];
    ember_rounding             rounding = emberi_animbin_asked(work->job->options->animbin).rounding;
    for (uint32_t frame = 0; frame < work->frame_count; frame++) {
        ember_transform target = *sparse_source(s, frame);
        if (s->corrected)
            target = emberi_animbin_correct(&target, &s->parent_wanted[frame], &s->parent[frame]);
        s->all[frame].frame = (uint16_t)frame;
        if (type == EMBERI_ANIMBIN_ROTATION)
            emberi_animbin_store_rotation(&s->all[frame], target.rotation, view, root, rounding);
        else if (!emberi_animbin_store_position(&s->all[frame], target.position, view, root, rounding))
            return emberi_animbin_fail_position(work, s->bone, frame, target.position);
    }
    return EMBER_OK;
}

/* Plain values first, which leave a still bone with one key; only where they cannot keep to the limit, values
   that make up for what the parents lost. */
static ember_status sparse_track(sparse *s, emberi_animbin_track *track, double limit)
{
    const emberi_animbin_work *work = s->work;
    s->limit = limit * STAGE_PART;
    for (int pass = 0; pass < 2; pass++) {
        s->corrected = pass == 1;
        ember_status status = sparse_values(s, track->type);
        if (status != EMBER_OK)
            return status;
        track->key_count = (uint16_t)sparse_pick(s, track->type);
        if (s->missed == 0)
            break;
    }
    emberi_animbin_key *keys = EMBER_PUSH(work->job->arena, emberi_animbin_key, track->key_count);
    if (keys == NULL)
        return emberi_fail_memory(work->job->err);
    memcpy(keys, s->keys, track->key_count * sizeof(*keys));
    track->keys = keys;
    emberi_animbin_sample_track(s->pose, 1, work->frame_count, track, track->type, &work->job->view,
                                work->root[s->bone]);
    return EMBER_OK;
}

static double sparse_reach(const sparse *s, const ember_mat34 *wanted)
{
    const ember_mat34 *own = &wanted[s->bone];
    double             largest = 0.0;
    for (uint32_t i = 0; i < s->below_count; i++) {
        double squared = 0.0;
        for (int row = 0; row < 3; row++) {
            double off = (double)wanted[s->below[i]].m[row * 4 + 3] - (double)own->m[row * 4 + 3];
            squared += off * off;
        }
        largest = squared > largest ? squared : largest;
    }
    return sqrt(largest);
}

static void sparse_begin(sparse *s, uint32_t bone)
{
    const emberi_animbin_work *work = s->work;
    s->bone = bone;
    s->below_count = 0;
    for (uint32_t i = 0; i < work->bone_count; i++) {
        int32_t above = work->order[i];
        while (above >= 0 && above != (int32_t)bone)
            above = work->up[above];
        if (above >= 0)
            s->below[s->below_count++] = work->order[i];
    }
    for (uint32_t frame = 0; frame < work->frame_count; frame++) {
        const ember_mat34 *wanted = &s->wanted[(size_t)frame * work->bone_count],
                          *made = &s->made[(size_t)frame * work->bone_count];
        int16_t up = work->up[bone];
        s->parent[frame] = up >= 0 ? ember_mat34_mul(&made[up], &work->link[bone]) : work->link[bone];
        s->parent_wanted[frame] =
            up >= 0 ? ember_mat34_mul(&wanted[up], &work->link[bone]) : work->link[bone];
        s->has_back[frame] = ember_mat34_inverse(&s->back[frame], &wanted[bone]);
        s->reach[frame] = sparse_reach(s, wanted);
        s->pose[frame] = *sparse_source(s, frame);
    }
}

static double sparse_share(const sparse *s, uint32_t bone)
{
    double part = (s->depth[bone] + 1.0) / (s->deepest[bone] + 1.0);
    for (int i = 0; i < s->roots; i++)
        part = sqrt(part);
    return part * s->tolerance;
}

static ember_status sparse_bone(sparse *s, uint32_t bone, emberi_animbin_track *rotation,
                                emberi_animbin_track *position)
{
    const emberi_animbin_work *work = s->work;
    double                     share = sparse_share(s, bone);
    sparse_begin(s, bone);
    ember_status status = sparse_track(s, rotation, position != NULL ? share * ROTATION_PART : share);
    if (status == EMBER_OK && position != NULL)
        status = sparse_track(s, position, share);
    for (uint32_t frame = 0; frame < work->frame_count && status == EMBER_OK; frame++) {
        ember_mat34 own = ember_mat34_from_transform(&s->pose[frame]);
        s->made[(size_t)frame * work->bone_count + bone] = ember_mat34_mul(&s->parent[frame], &own);
    }
    return status;
}

/* ---- the clip ---- */

static bool sparse_allocate(sparse *s)
{
    const emberi_animbin_work *work = s->work;
    ember_arena               *arena = work->job->arena;
    size_t                     bones = work->bone_count, frames = work->frame_count;
    s->wanted = EMBER_PUSH(arena, ember_mat34, bones * frames);
    s->made = EMBER_PUSH(arena, ember_mat34, bones * frames);
    s->depth = EMBER_PUSH(arena, uint32_t, bones);
    s->deepest = EMBER_PUSH(arena, uint32_t, bones);
    s->below = EMBER_PUSH(arena, uint32_t, bones);
    s->reach = EMBER_PUSH(arena, double, frames);
    s->parent = EMBER_PUSH(arena, ember_mat34, frames);
    s->parent_wanted = EMBER_PUSH(arena, ember_mat34, frames);
    s->back = EMBER_PUSH(arena, ember_mat34, frames);
    s->has_back = EMBER_PUSH(arena, bool, frames);
    s->pose = EMBER_PUSH(arena, ember_transform, frames);
    s->all = EMBER_PUSH(arena, emberi_animbin_key, frames);
    s->keys = EMBER_PUSH(arena, emberi_animbin_key, frames);
    return s->wanted != NULL && s->made != NULL && s->depth != NULL && s->deepest != NULL &&
           s->below != NULL && s->reach != NULL && s->parent != NULL && s->parent_wanted != NULL &&
           s->back != NULL && s->has_back != NULL && s->pose != NULL && s->all != NULL && s->keys != NULL;
}

static void sparse_measure(sparse *s)
{
    const emberi_animbin_work *work = s->work;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0.0;
    for (uint32_t frame = 0; frame < work->frame_count; frame++) {
        ember_mat34 *wanted = &s->wanted[(size_t)frame * work->bone_count];
        for (uint32_t i = 0; i < work->bone_count; i++) {
            uint32_t bone = work->order[i];
            wanted[bone] = emberi_animbin_model_matrix(work, bone, wanted,
                                                       &work->local[(size_t)frame * work->bone_count + bone]);
            for (int axis = 0; axis < 3; axis++) {
                double at = (double)wanted[bone].m[axis * 4 + 3];
                low[axis] = at < low[axis] ? at : low[axis];
                high[axis] = at > high[axis] ? at : high[axis];
            }
        }
    }
    for (int axis = 0; axis < 3; axis++)
        size = high[axis] - low[axis] > size ? high[axis] - low[axis] : size;
    double asked = emberi_animbin_asked(work->job->options->animbin).tolerance;
    s->shell = size > 0.0 ? size * SHELL_PART : SHELL_OF_A_POINT;
    s->tolerance = asked > 0.0 ? asked : size > 0.0 ? size * TOLERANCE_PART : TOLERANCE_OF_A_POINT;
}

static void sparse_depths(sparse *s)
{
    const emberi_animbin_work *work = s->work;
    for (uint32_t i = 0; i < work->bone_count; i++) {
        uint32_t bone = work->order[i];
        s->depth[bone] = work->up[bone] >= 0 ? s->depth[work->up[bone]] + 1 : 0;
        for (int32_t above = (int32_t)bone; above >= 0; above = work->up[above])
            if (s->deepest[above] < s->depth[bone])
                s->deepest[above] = s->depth[bone];
    }
}

/* One way of sharing, carried out. */
typedef struct attempt {
    emberi_animbin_raw raw;
    size_t             keys;
    double             max; /* measured */
    uint32_t           bone, frame;
} attempt;

/* The bound on every bone as it came out, which is what keeps the promise. */
static void attempt_bound(attempt *a, const sparse *s)
{
    uint32_t bones = s->work->bone_count;
    for (uint32_t frame = 0; frame < s->work->frame_count; frame++)
        for (uint32_t i = 0; i < bones; i++) {
            const ember_mat34 *wanted = &s->wanted[(size_t)frame * bones + i],
                              *made = &s->made[(size_t)frame * bones + i];
            ember_mat34 back;
            if (memcmp(wanted, made, sizeof(*wanted)) == 0 || !ember_mat34_inverse(&back, wanted))
                continue;
            back = ember_mat34_mul(made, &back);
            drift  d = drift_of(&back);
            double off = sqrt(drift_squared(&d, wanted, s->shell));
            if (off > a->max) {
                a->max = off;
                a->bone = i;
                a->frame = frame;
            }
        }
}

/* Read back and measured once more, as others will: beyond the bound are only bones that are flattened. */
static ember_status attempt_measure(attempt *a, const sparse *s)
{
    ember_compare_job compare;
    ember_status      status = emberi_animbin_measure(&compare, s->work, &a->raw, (float)s->shell);
    for (uint32_t i = 0; i < a->raw.track_count; i++)
        a->keys += a->raw.tracks[i].key_count;
    attempt_bound(a, s);
    if (compare.max > a->max) {
        a->max = compare.max;
        a->bone = compare.max_bone;
        a->frame = compare.max_frame;
    }
    return status;
}

static ember_status attempt_make(attempt *a, sparse *s)
{
    const emberi_animbin_work *work = s->work;
    emberi_animbin_track      *tracks;
    *a = (attempt){.keys = 0};
    if (!emberi_animbin_tracks_make(&a->raw, &tracks, work))
        return emberi_fail_memory(work->job->err);
    for (uint32_t i = 0, moved = work->bone_count; i < work->bone_count; i++) {
        uint32_t     bone = work->order[i];
        ember_status status = sparse_bone(s, bone, &tracks[i], work->moves[bone] ? &tracks[moved++] : NULL);
        if (status != EMBER_OK)
            return status;
    }
    return attempt_measure(a, s);
}

/* Within the tolerance comes first, then fewer keys; of two that are beyond it, the one that is nearer. */
static bool attempt_is_better(const attempt *a, const attempt *b, double tolerance)
{
    bool a_holds = a->max <= tolerance, b_holds = b->max <= tolerance;
    if (a_holds != b_holds)
        return a_holds;
    return a_holds ? a->keys < b->keys : a->max < b->max;
}

static ember_status sparse_fail(const sparse *s, const attempt *a)
{
    const emberi_animbin_work     *work = s->work;
    const emberi_animbin_make_job *job = work->job;
    return emberi_fail_at(
        job->err, EMBER_E_RANGE,
        emberi_place_frame(&job->model->skeleton, work->clip, job->clip, a->bone, a->frame),
        "keys within %g are not possible, rounding leaves the bone off by %g; allow more, or take dense keys",
        s->tolerance, a->max);
}

ember_status emberi_animbin_sparse(emberi_animbin_raw *out, const emberi_animbin_work *work)
{
    enum { WAYS = 3 };
    sparse  s = {.work = work};
    attempt best = {.keys = 0}, next;
    double  asked = emberi_animbin_asked(work->job->options->animbin).tolerance;
    if (!(asked >= 0.0) || isinf(asked))
        return emberi_failf(work->job->err, EMBER_E_ARG, EMBER_NO_OFFSET, "a tolerance of %g is not possible",
                            asked);
    if (!sparse_allocate(&s))
        return emberi_fail_memory(work->job->err);
    sparse_measure(&s);
    sparse_depths(&s);
    for (s.roots = 1; s.roots <= WAYS; s.roots++) {
        ember_status status = attempt_make(&next, &s);
        if (status != EMBER_OK)
            return status;
        if (s.roots == 1 || attempt_is_better(&next, &best, s.tolerance))
            best = next;
    }
    if (best.max > s.tolerance)
        return sparse_fail(&s, &best);
    *out = best.raw;
    emberi_notef(&work->job->options->notes, EMBER_NOTE_DETAIL, work->clip->name, NULL,
                 "%zu keys in place of %zu, off by at most %.3g where %.3g is allowed", best.keys,
                 (size_t)out->track_count * work->frame_count, best.max, s.tolerance);
    return EMBER_OK;
}
