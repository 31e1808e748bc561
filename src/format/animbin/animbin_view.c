/* SPDX-License-Identifier: MIT */
/* How ANIMBIN's stored numbers relate to the model's: lengths, by what the options say or what suits the
   skeleton, and the keys behind a frame. */
#include <math.h>

#include "base/real.h"
#include "ember/pose.h"
#include "format/animbin/animbin_parts.h"

/* Half a stored unit is to be no more than an 8000th of the model's size. */
#define UNITS_IN_SIZE 4000.0
/* Positions a few times as far away as at rest still fit 32 bits. */
#define UNITS_MOST 0x1p28

/* The longest that the matrix makes a length of 1 along an axis. */
static double scale_of(const ember_mat34 *m)
{
    double most = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double scale = emberi_real_length((double)m->m[axis], (double)m->m[4 + axis], (double)m->m[8 + axis]);
        most = scale > most ? scale : most;
    }
    return most;
}

/* What a rest pose says of lengths. */
typedef struct extent {
    double size;  /* the largest side of the box around all bones */
    double scale; /* the largest that a bone's parents put on its position */
    double reach; /* the largest number in a local position */
} extent;

static extent extent_of(const ember_skeleton *skeleton, ember_mat34 *matrices)
{
    extent e = {0.0, 1.0, 0.0};
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        const ember_transform *rest = &skeleton->rest[i];
        const float            at[3] = {rest->position.x, rest->position.y, rest->position.z};
        matrices[i] = ember_mat34_from_transform(rest);
        if (skeleton->parents[i] >= 0) {
            const ember_mat34 *parent = &matrices[skeleton->parents[i]];
            double             scale = scale_of(parent);
            e.scale = scale > e.scale ? scale : e.scale;
            matrices[i] = ember_mat34_mul(parent, &matrices[i]);
        }
        for (int axis = 0; axis < 3; axis++) {
            double place = (double)matrices[i].m[axis * 4 + 3];
            low[axis] = place < low[axis] ? place : low[axis];
            high[axis] = place > high[axis] ? place : high[axis];
            e.reach = fabs((double)at[axis]) > e.reach ? fabs((double)at[axis]) : e.reach;
        }
    }
    for (int axis = 0; axis < 3; axis++)
        e.size = high[axis] - low[axis] > e.size ? high[axis] - low[axis] : e.size;
    return e;
}

ember_status emberi_animbin_unit_by_skeleton(double *out, const ember_skeleton *skeleton,
                                             ember_arena *scratch, ember_error *err)
{
    if (skeleton == NULL || skeleton->rest == NULL)
        return ember_fail(
            err, EMBER_E_ARG, EMBER_NO_OFFSET,
            "a unit by the skeleton needs a rest pose, and there is none: name a skeleton, or the unit");
    ember_arena_mark mark = ember_arena_save(scratch);
    ember_mat34     *matrices = EMBER_PUSH(scratch, ember_mat34, skeleton->bone_count);
    if (matrices == NULL)
        return emberi_fail_memory(err);
    extent e = extent_of(skeleton, matrices);
    ember_arena_restore(scratch, mark);
    double unit = EMBERI_ANIMBIN_UNIT;
    /* Written so that a size of 0, and numbers that are not finite, end it. */
    while (e.size > 0.0 && unit * e.size < UNITS_IN_SIZE * e.scale && 2.0 * unit * e.reach <= UNITS_MOST &&
           unit < UNITS_MOST)
        unit *= 2.0;
    *out = unit;
    return EMBER_OK;
}

ember_status emberi_animbin_view_of(emberi_animbin_view *out, const ember_animbin_options *options,
                                    const ember_skeleton *skeleton, ember_arena *scratch, ember_error *err)
{
    const ember_animbin_options asked = emberi_animbin_asked(options);
    if ((unsigned)asked.basis > EMBER_ANIMBIN_BASIS_PSX)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "%d is not a basis", (int)asked.basis);
    out->psx = asked.basis == EMBER_ANIMBIN_BASIS_PSX;
    if (asked.unit == EMBER_ANIMBIN_UNIT_AUTO)
        return emberi_animbin_unit_by_skeleton(&out->unit, skeleton, scratch, err);
    if (!(asked.unit >= 0.0) || asked.unit - asked.unit != 0.0)
        return emberi_failf(err, EMBER_E_ARG, EMBER_NO_OFFSET, "a unit of %g is not possible", asked.unit);
    out->unit = asked.unit > 0.0 ? asked.unit : (double)EMBERI_ANIMBIN_UNIT;
    return EMBER_OK;
}

bool ember_animbin_key_at(ember_animbin_key *out, const ember_clip *clip, uint32_t joint, bool translation,
                          uint32_t frame)
{
    const emberi_animbin_raw *raw = emberi_animbin_raw_of(clip);
    bool                      found = false;
    for (uint32_t t = 0; raw != NULL && t < raw->track_count; t++)
        for (uint32_t k = 0; raw->tracks[t].joint == joint && k < raw->tracks[t].key_count; k++) {
            const emberi_animbin_key *key = &raw->tracks[t].keys[k];
            if ((key->type == EMBERI_ANIMBIN_TRANSLATION) != translation || key->frame > frame ||
                (found && key->frame < out->frame))
                continue;
            out->frame = key->frame;
            for (uint32_t i = 0; i < 4; i++)
                out->value[i] = key->value[i];
            found = true;
        }
    return found;
}
