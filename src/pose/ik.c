/* SPDX-License-Identifier: MIT */
/* Reaching and looking. Both jobs are solved in the space of the parent of the bone they turn, where a local
   rotation is a rotation whatever scales stand above it; what cannot be solved is left as it was, and no
   number that a job accepts becomes a NaN. */
#include "base/hierarchy.h"
#include "ember/pose.h"
#include "pose/vec.h"

/* ---- what both need ---- */

/* The hierarchy, of a rig or as it comes with the job. */
typedef struct ik_bones {
    const int16_t *parents;
    uint32_t       count;
    bool           checked;
} ik_bones;

static ik_bones ik_bones_of(const ember_rig *rig, const int16_t *parents, uint32_t bone_count)
{
    return rig != NULL ? (ik_bones){rig->parents, rig->bone_count, true}
                       : (ik_bones){parents, bone_count, false};
}

static bool ik_parent_is_right(const ik_bones *bones, uint32_t bone)
{
    return bones->checked || emberi_parent_valid(bones->parents[bone], bone);
}

/* Model space to the space of the bone's parent; false where that has none. */
static bool ik_parent_space(ember_mat34 *out, const ember_mat34 *model, const int16_t *parents, uint32_t bone)
{
    *out = ember_mat34_identity;
    return parents[bone] == EMBER_NO_PARENT || ember_mat34_inverse(out, &model[parents[bone]]);
}

/* From one unit vector to another about an axis at right angles to both; also by half a turn. */
static ember_quat ik_turn(ember_vec3 from, ember_vec3 to, ember_vec3 axis)
{
    float cosine = emberi_vec3_dot(from, to), sine = emberi_vec3_dot(axis, emberi_vec3_cross(from, to));
    float length = emberi_sqrt(cosine * cosine + sine * sine);
    if (!(length > 1e-6f))
        return ember_transform_identity.rotation;
    cosine /= length;
    sine /= length;
    emberi_half_angle(&cosine, &sine);
    return emberi_quat_from_parts(emberi_vec3_scale(axis, sine), cosine);
}

static void ik_write(ember_quat *rotation, ember_quat solved, float weight)
{
    *rotation = weight == 1.0f ? solved : ember_quat_slerp(*rotation, solved, weight);
}

static bool ik_fraction(float x) { return x >= 0.0f && x <= 1.0f; }

/* ---- two bones ---- */

/* The limb in the space of its start's parent, seen from the start joint. */
typedef struct limb {
    ember_transform start, mid; /* local; only the rotations change. The start's position is taken out */
    ember_mat34     between;    /* from mid's parent to the start's own axes */
    ember_vec3      end;        /* in mid's own axes */
    /* unit: where the end is to lie, seen from the start; zero where any direction will do */
    ember_vec3      goal;
    float           distance; /* of the target */
    ember_vec3      normal;   /* unit: of the plane the limb bends in */
} limb;

/* What follows from that. */
typedef struct limb_state {
    ember_mat34 space, back;     /* from mid's parent to the limb's space, and back */
    ember_vec3  upper, lower;    /* from joint to joint; `lower` in the space of mid's parent */
    ember_vec3  along;           /* unit, of `upper` */
    float       lower_size;      /* in the space of mid's parent */
    float       upper_length;    /* in the limb's space, and so are the two below */
    float       straight_length; /* the lower segment's, when it goes on in the upper one's direction */
    float       reach;
} limb_state;

static ember_mat34 limb_chain(const ember_transform *pose, const int16_t *parents, uint32_t bone,
                              uint32_t ancestor)
{
    ember_mat34 out = ember_mat34_identity;
    for (; bone != ancestor; bone = (uint32_t)parents[bone]) {
        ember_mat34 local = ember_mat34_from_transform(&pose[bone]);
        out = ember_mat34_mul(&local, &out);
    }
    return out;
}

static ember_vec3 limb_lower(const limb *l)
{
    return ember_quat_rotate(l->mid.rotation, emberi_vec3_mul(l->mid.scale, l->end));
}

/* False where a segment has no length or is lost beside the other, or the space has no inverse. */
static bool limb_measure(limb_state *out, const limb *l)
{
    ember_mat34 start = ember_mat34_from_transform(&l->start);
    out->space = ember_mat34_mul(&start, &l->between);
    if (!ember_mat34_inverse(&out->back, &out->space))
        return false;
    out->upper = ember_mat34_point(&out->space, l->mid.position);
    out->lower = limb_lower(l);
    if (!emberi_vec3_unit(&out->along, out->upper))
        return false;
    out->upper_length = emberi_vec3_length(out->upper);
    out->lower_size = emberi_vec3_length(out->lower);
    out->straight_length =
        out->lower_size / emberi_vec3_length(ember_mat34_direction(&out->back, out->along));
    out->reach = out->upper_length + out->straight_length;
    float least = 1e-6f * out->reach;
    return out->upper_length > least && out->straight_length > least;
}

static ember_vec3 limb_end(const limb_state *s, ember_vec3 lower)
{
    return emberi_vec3_add(s->upper, ember_mat34_direction(&s->space, lower));
}

/* The plane that the pose bends in; a limb that is straight, or folded back on itself, bends to the pole
   instead, and without one to whatever side. */
static ember_vec3 limb_bend_normal(const limb_state *s, ember_vec3 pole)
{
    ember_vec3 lower = ember_mat34_direction(&s->space, s->lower), normal;
    emberi_vec3_unit(&lower, lower);
    ember_vec3 cross = emberi_vec3_cross(s->along, lower);
    float      sine = emberi_vec3_length(cross);
    bool       bent = sine > 1e-3f || (sine > 1e-6f && emberi_vec3_is_zero(pole));
    if (bent && emberi_vec3_across(&normal, cross, s->along))
        return normal;
    if (emberi_vec3_across(&normal, pole, s->along))
        return emberi_vec3_cross(normal, s->along);
    return emberi_vec3_perpendicular(s->along);
}

/* How far from the start the end is to lie: where the target is, as far as the limb goes, and eased
   before its full length by da + ds*(1 - (1 + x/4)^-4), which leaves the straight line without a kink and
   never arrives. */
static float limb_extent(const limb_state *s, float distance, float soften)
{
    float from = soften * s->reach, rest = s->reach - from;
    if (distance > from && rest > 0.0f) {
        float x = 1.0f + 0.25f * ((distance - from) / rest), x2 = x * x;
        distance = from + rest * (1.0f - 1.0f / (x2 * x2));
    }
    return emberi_clamp(distance, emberi_abs(s->upper_length - s->straight_length), s->reach);
}

/* The plane of the bend in the space of mid's parent: where the lower segment goes on straight, and where it
   bends to. */
typedef struct bend {
    ember_vec3 straight, aside;
    float      cosine, sine;
} bend;

static ember_vec3 bend_lower(const bend *b, float size)
{
    return emberi_vec3_add(emberi_vec3_scale(b->straight, size * b->cosine),
                           emberi_vec3_scale(b->aside, size * b->sine));
}

static float bend_extent(const bend *b, const limb_state *s)
{
    return emberi_vec3_length(limb_end(s, bend_lower(b, s->lower_size)));
}

/* The angle at which the end is `extent` away from the start, by the law of cosines, written as two products
   of which neither cancels where the limb is straight or folded. */
static void bend_solve(bend *b, const limb_state *s, float extent)
{
    float u = s->upper_length / s->reach, v = s->straight_length / s->reach, d = extent / s->reach,
          k = 0.5f / (u * v);
    float straight = emberi_clamp((1.0f - d) * (1.0f + d) * k, 0.0f, 2.0f);
    float folded = emberi_clamp((d - emberi_abs(u - v)) * (d + emberi_abs(u - v)) * k, 0.0f, 2.0f);
    b->cosine = straight < folded ? 1.0f - straight : folded - 1.0f;
    b->sine = emberi_sqrt(straight * folded);
}

/* The same where the scales between start and mid are not even, so that the lower segment changes its length
   as it turns: no law, but somewhere between straight and folded it fits. */
static void bend_search(bend *b, const limb_state *s, float extent)
{
    bend longer = *b, shorter = *b;
    longer.cosine = 1.0f;
    shorter.cosine = -1.0f;
    longer.sine = shorter.sine = 0.0f;
    b->cosine = 0.0f;
    b->sine = 1.0f;
    for (int i = 0; i < 26; i++) { /* half of half a turn, down to a float's last digit */
        if (bend_extent(b, s) > extent)
            longer = *b;
        else
            shorter = *b;
        float x = longer.cosine + shorter.cosine, y = longer.sine + shorter.sine,
              length = emberi_sqrt(x * x + y * y);
        b->cosine = x / length;
        b->sine = y / length;
    }
}

/* Turns mid so that the end is `extent` away from the start. */
static void limb_bend(limb *l, const limb_state *s, float extent)
{
    bend       b;
    ember_vec3 from, to, normal,
        side = ember_mat34_direction(&s->back, emberi_vec3_cross(l->normal, s->along));
    if (!emberi_vec3_unit(&b.straight, ember_mat34_direction(&s->back, s->along)) ||
        !emberi_vec3_across(&b.aside, side, b.straight))
        return;
    bend_solve(&b, s, extent);
    if (emberi_abs(bend_extent(&b, s) - extent) > 1e-5f * s->reach)
        bend_search(&b, s, extent);

    normal = emberi_vec3_cross(b.straight, b.aside);
    if (!emberi_vec3_unit(&from, s->lower) || !emberi_vec3_unit(&to, bend_lower(&b, 1.0f)))
        return;
    /* About the normal, also by half a turn; then what the segment lay beside the plane. */
    ember_quat turn = ik_turn(from, to, normal);
    turn = ember_quat_mul(ember_quat_between(ember_quat_rotate(turn, from), to), turn);
    l->mid.rotation = ember_quat_normalize(ember_quat_mul(turn, l->mid.rotation));
}

static void limb_turn_start(limb *l, ember_quat turn)
{
    l->start.rotation = ember_quat_normalize(ember_quat_mul(turn, l->start.rotation));
    l->normal = ember_quat_rotate(turn, l->normal);
}

/* Brings the end from its direction to the goal's by the shortest way; to the very opposite, within the
   limb's plane. */
static void limb_swing(limb *l, ember_vec3 end)
{
    if (emberi_vec3_dot(end, l->goal) < -0.9999f) {
        limb_turn_start(l, emberi_quat_from_parts(l->normal, 0.0f));
        end = emberi_vec3_negate(end);
    }
    limb_turn_start(l, ember_quat_between(end, l->goal));
}

/* Brings the middle joint to the pole's side of the line from start to goal, if there is a pole across it;
   then twists. */
static void limb_roll(limb *l, ember_vec3 pole, float twist)
{
    ember_vec3 now, side;
    if (!emberi_vec3_across(&now, emberi_vec3_cross(l->goal, l->normal), l->goal))
        return;
    side = now;
    emberi_vec3_across(&side, pole, l->goal);
    limb_turn_start(l, ik_turn(now, ember_quat_rotate(ember_quat_from_axis_angle(l->goal, twist), side),
                               l->goal));
}

static bool limb_solve(limb *l, bool *reached, ember_vec3 pole, float twist, float soften)
{
    limb_state s;
    if (!limb_measure(&s, l))
        return false;
    float tolerance = 1e-6f * s.reach;
    *reached = l->distance <= s.reach + tolerance &&
               l->distance >= emberi_abs(s.upper_length - s.straight_length) - tolerance;

    l->normal = limb_bend_normal(&s, pole);
    limb_bend(l, &s, limb_extent(&s, l->distance, soften));
    ember_vec3 end = s.along;
    emberi_vec3_unit(&end, limb_end(&s, limb_lower(l)));
    limb_swing(l, end);
    limb_roll(l, pole, twist);
    return true;
}

static bool two_bone_in_line(const ik_bones *bones, uint32_t ancestor, uint32_t bone)
{
    do {
        if (!ik_parent_is_right(bones, bone) || bones->parents[bone] == EMBER_NO_PARENT)
            return false;
        bone = (uint32_t)bones->parents[bone];
    } while (bone != ancestor);
    return true;
}

static bool two_bone_valid(const ember_ik_two_bone_job *job, const ik_bones *bones)
{
    if (job->pose == NULL || job->model == NULL || bones->parents == NULL)
        return false;
    if (job->end >= bones->count)
        return false;
    if (!two_bone_in_line(bones, job->mid, job->end) || !two_bone_in_line(bones, job->start, job->mid))
        return false;
    return ik_parent_is_right(bones, job->start) && ik_fraction(job->weight) && ik_fraction(job->soften) &&
           emberi_vec3_is_finite(job->target) && emberi_vec3_is_finite(job->pole);
}

/* A rotation about a direction keeps its sense when both go through an affine map, unless that mirrors. */
static bool mat34_mirrors(const ember_mat34 *m)
{
    ember_vec3 x = {0.0f, 0.0f, 0.0f}, y = x, z = x;
    emberi_vec3_unit(&x, emberi_mat34_column(m, 0));
    emberi_vec3_unit(&y, emberi_mat34_column(m, 1));
    emberi_vec3_unit(&z, emberi_mat34_column(m, 2));
    return emberi_vec3_dot(emberi_vec3_cross(x, y), z) < 0.0f;
}

ember_status ember_ik_two_bone_run(const ember_ik_two_bone_job *job)
{
    const ik_bones bones = ik_bones_of(job->rig, job->parents, job->bone_count);
    if (!two_bone_valid(job, &bones))
        return EMBER_E_ARG;
    bool        ignored, *reached = job->reached != NULL ? job->reached : &ignored;
    ember_mat34 space;
    *reached = false;
    if (!ik_parent_space(&space, job->model, bones.parents, job->start))
        return EMBER_OK;

    limb        l = {.start = job->pose[job->start], .mid = job->pose[job->mid]};
    ember_mat34 below = limb_chain(job->pose, bones.parents, job->end, job->mid);
    ember_vec3  to_target = emberi_vec3_sub(ember_mat34_point(&space, job->target), l.start.position);
    l.end = emberi_mat34_translation(&below);
    l.between = limb_chain(job->pose, bones.parents, (uint32_t)bones.parents[job->mid], job->start);
    l.start.position = emberi_vec3(0.0f, 0.0f, 0.0f);
    l.start.rotation = ember_quat_normalize(l.start.rotation);
    l.mid.rotation = ember_quat_normalize(l.mid.rotation);
    l.distance = emberi_vec3_length(to_target);
    l.goal = emberi_vec3(0.0f, 0.0f, 0.0f);
    emberi_vec3_unit(&l.goal, to_target);

    bool       in_reach = false;
    ember_vec3 pole = ember_mat34_direction(&space, job->pole);
    float      twist = mat34_mirrors(&space) ? -job->twist : job->twist;
    if (!limb_solve(&l, &in_reach, pole, twist, job->soften == 0.0f ? 1.0f : job->soften))
        return EMBER_OK;
    *reached = in_reach;
    if (job->weight > 0.0f) {
        ik_write(&job->pose[job->start].rotation, l.start.rotation, job->weight);
        ik_write(&job->pose[job->mid].rotation, l.mid.rotation, job->weight);
    }
    return EMBER_OK;
}

/* ---- aim ---- */

static bool aim_valid(const ember_ik_aim_job *job, const ik_bones *bones)
{
    if (job->pose == NULL || job->model == NULL || bones->parents == NULL || job->bone >= bones->count)
        return false;
    if (!emberi_vec3_is_finite(job->target) || !emberi_vec3_is_finite(job->forward) ||
        !emberi_vec3_is_finite(job->up) || !emberi_vec3_is_finite(job->pole) ||
        !emberi_vec3_is_finite(job->offset))
        return false;
    return ik_parent_is_right(bones, job->bone) && !emberi_vec3_is_zero(job->forward) &&
           ik_fraction(job->weight);
}

/* The point of the line of sight that can be turned to lie at `distance` from the joint: a ray cut with a
   sphere. A target that the ray cannot come to, being nearer to the joint than the ray or behind its start,
   takes the ray's nearest point. */
static ember_vec3 aim_sight_point(ember_vec3 offset, ember_vec3 forward, float distance)
{
    float along = emberi_vec3_dot(offset, forward);
    float squared = (distance * distance - emberi_vec3_dot(offset, offset)) + along * along;
    if (squared > 1e30f)
        return forward; /* so far away that the square is near overflow: the offset is nothing */
    float at = emberi_max(emberi_sqrt(emberi_max(squared, 0.0f)) - along, 0.0f);
    return emberi_vec3_add(offset, emberi_vec3_scale(forward, at));
}

ember_status ember_ik_aim_run(const ember_ik_aim_job *job)
{
    const ik_bones bones = ik_bones_of(job->rig, job->parents, job->bone_count);
    if (!aim_valid(job, &bones))
        return EMBER_E_ARG;
    ember_mat34      space;
    ember_transform *bone = &job->pose[job->bone];
    ember_vec3       forward;
    if (!ik_parent_space(&space, job->model, bones.parents, job->bone) ||
        !emberi_vec3_unit(&forward, emberi_vec3_mul(bone->scale, job->forward)) || job->weight == 0.0f)
        return EMBER_OK;

    ember_quat rotation = ember_quat_normalize(bone->rotation);
    ember_vec3 offset = emberi_vec3_mul(bone->scale, job->offset),
               axis = ember_quat_rotate(rotation, forward), now, wanted;
    ember_vec3 to_target = emberi_vec3_sub(ember_mat34_point(&space, job->target), bone->position);
    ember_vec3 sight = aim_sight_point(offset, forward, emberi_vec3_length(to_target));
    if (emberi_vec3_unit(&wanted, to_target) && emberi_vec3_unit(&now, ember_quat_rotate(rotation, sight))) {
        rotation = ember_quat_normalize(ember_quat_mul(ember_quat_between(now, wanted), rotation));
        axis = wanted;
    }
    ember_vec3 up = ember_quat_rotate(rotation, emberi_vec3_mul(bone->scale, job->up));
    if (emberi_vec3_across(&now, up, axis) &&
        emberi_vec3_across(&wanted, ember_mat34_direction(&space, job->pole), axis))
        rotation = ember_quat_normalize(ember_quat_mul(ik_turn(now, wanted, axis), rotation));
    ik_write(&bone->rotation, rotation, job->weight);
    return EMBER_OK;
}
