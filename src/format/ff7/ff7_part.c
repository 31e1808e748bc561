/* SPDX-License-Identifier: MIT */
/* The integers of one chunk from a model's frames: what has not moved keeps the integers it had, the rest is
   rounded, each rotation on the branch that is nearest to the frame before. Numbers that are not finite or
   too large are errors. */
#include <string.h>

#include "format/ff7/ff7_write.h"

/* What has moved by less than a quarter of a step would be rounded back anyway. In positions, and as the
   squared chord between unit quaternions. */
#define STILL_POSITION 0.25
#define STILL_CHORD (0.25 * EMBERI_REAL_PI / EMBERI_FF7_TURN * (0.25 * EMBERI_REAL_PI / EMBERI_FF7_TURN))

/* ---- other axes ---- */

/* Programs like Blender turn the axes of bones as they see fit: the rest pose is the same, but its rotations
   are not. In FF7's rest pose no bone is turned, but all of them by the half turn above the root; so what a
   bone's rest has beyond that are its axes. */

static real_trs axes_turn(const ember_quat *q)
{
    real_trs trs = emberi_real_trs_identity;
    if (q != NULL) {
        emberi_real_quat_from(trs.r, *q);
        if (!emberi_real_quat_normalize(trs.r))
            trs = emberi_real_trs_identity;
    }
    return trs;
}

static real_trs axes_inverse(real_trs trs)
{
    for (int i = 0; i < 3; i++)
        trs.r[i] = -trs.r[i];
    return trs;
}

bool emberi_ff7_axes_find(emberi_ff7_writing *w)
{
    static const ember_quat back = {-1.0f, 0.0f, 0.0f, 0.0f};
    const ember_skeleton   *skeleton = &w->model->skeleton;
    double                  largest = 0.0;
    if (w->rig.top < 0 || skeleton->rest == NULL || !emberi_bone_is_named(skeleton, (uint32_t)w->rig.top))
        return true;
    real_trs *axes = EMBER_PUSH(&w->arena, real_trs, skeleton->bone_count);
    if (axes == NULL)
        return false;
    for (uint32_t i = 0; i < skeleton->bone_count; i++) {
        real_trs own = axes_turn(&skeleton->rest[i].rotation);
        real_trs above = skeleton->parents[i] >= 0 ? axes[skeleton->parents[i]] : axes_turn(&back);
        axes[i] = emberi_real_trs_mul(&above, &own);
        for (int k = 0; k < 3; k++)
            largest = emberi_real_abs(axes[i].r[k]) > largest ? emberi_real_abs(axes[i].r[k]) : largest;
    }
    w->axes = largest > 1e-5 ? axes : NULL;
    return true;
}

/* A bone's local transform about FF7's axes. */
static ember_transform axes_apply(const emberi_ff7_writing *w, const ember_transform *t, uint32_t bone)
{
    int32_t  parent = w->model->skeleton.parents[bone];
    real_trs own = axes_turn(&t->rotation), above = parent >= 0 ? w->axes[parent] : emberi_real_trs_identity;
    real_trs under = axes_inverse(w->axes[bone]);
    const double    at[3] = {(double)t->position.x, (double)t->position.y, (double)t->position.z};
    ember_transform out = *t;
    memcpy(own.t, at, sizeof(at));
    own = emberi_real_trs_mul(&above, &own);
    own = emberi_real_trs_mul(&own, &under);
    out.rotation = emberi_real_quat_to_float(own.r);
    out.position = (ember_vec3){(float)own.t[0], (float)own.t[1], (float)own.t[2]};
    return out;
}

/* ---- the numbers ---- */

static bool part_still(ember_quat rotation, ember_quat was)
{
    double a[4], b[4], less, more;
    emberi_real_quat_from(a, was);
    emberi_real_quat_from(b, rotation);
    if (!emberi_real_quat_normalize(a) || !emberi_real_quat_normalize(b))
        return false;
    emberi_real_quat_chords(&less, &more, a, b);
    return (less < more ? less : more) < STILL_CHORD;
}

static ember_transform part_transform(const emberi_ff7_writing *w, const emberi_ff7_part *p, uint32_t frame,
                                      uint32_t triple)
{
    ember_transform t = ember_transform_identity;
    if (p->slots[triple] >= 0)
        t = p->clip->frames[(size_t)frame * p->clip->bone_count + (uint32_t)p->slots[triple]];
    else if (w->model->skeleton.rest != NULL)
        t = w->model->skeleton.rest[p->bones[triple]];
    if (w->axes != NULL)
        return axes_apply(w, &t, p->bones[triple]);
    return triple == 0 && w->rig.top < 0 ? emberi_ff7_turned_back(&t) : t;
}

static emberi_place part_place(const emberi_ff7_writing *w, const emberi_ff7_part *p, uint32_t bone,
                               uint32_t frame)
{
    emberi_place place = emberi_place_clip_bone(&w->model->skeleton, p->clip, p->clip_index, bone);
    place.frame = (int32_t)frame;
    return place;
}

static ember_status part_position(emberi_ff7_writing *w, const emberi_ff7_part *p, ember_ff7_triple *out,
                                  uint32_t frame, ember_vec3 at, bool *moved)
{
    const double values[3] = {(double)at.x, (double)at.y, (double)at.z};
    int16_t      rounded[3], was[3] = {0, 0, 0};
    bool         known = p->reference != NULL && frame < p->reference->frame_count;
    if (known)
        memcpy(was, &p->reference->positions[frame], sizeof(was));
    for (int i = 0; i < 3; i++) {
        double apart = values[i] - was[i];
        if (known && apart > -STILL_POSITION && apart < STILL_POSITION) {
            rounded[i] = was[i];
            continue;
        }
        if (!(values[i] > -32768.5 && values[i] < 32767.5))
            return emberi_fail_at(w->err, EMBER_E_RANGE, part_place(w, p, p->bones[0], frame),
                                  "%g is no position that 16 bits hold", values[i]);
        rounded[i] = (int16_t)(int32_t)(values[i] < 0.0 ? values[i] - 0.5 : values[i] + 0.5);
        *moved = true;
    }
    memcpy(out, rounded, sizeof(rounded));
    return EMBER_OK;
}

static ember_status part_frame(emberi_ff7_writing *w, emberi_ff7_part *p, ember_ff7_triple *position,
                               ember_ff7_triple *row, uint32_t frame)
{
    static const ember_ff7_triple zero = {0, 0, 0};
    const ember_ff7_clip         *was = p->reference;
    for (uint32_t i = 0; i < p->triple_count; i++) {
        ember_transform t = part_transform(w, p, frame, i);
        bool            known = was != NULL && frame < was->frame_count && i < was->triple_count;
        ember_status    status =
            i == 0 ? part_position(w, p, position, frame, t.position, &p->changed) : EMBER_OK;
        if (status != EMBER_OK)
            return status;
        const ember_ff7_triple *old = known ? &was->rotations[(size_t)frame * was->triple_count + i] : NULL;
        if (known && part_still(t.rotation, ember_ff7_quat(*old))) {
            row[i] = *old;
            continue;
        }
        row[i] = ember_ff7_from_quat(t.rotation,
                                     frame != 0 ? row[(ptrdiff_t)i - (ptrdiff_t)p->triple_count] : zero);
        p->changed = true;
    }
    return EMBER_OK;
}

/* Numbers that are not finite have no place in a pack. */
static ember_status part_check(emberi_ff7_writing *w, const emberi_ff7_part *p)
{
    size_t count = (size_t)p->clip->frame_count * p->clip->bone_count;
    for (size_t i = 0; i < count; i++) {
        const ember_transform *t = &p->clip->frames[i];
        float                  sum = t->rotation.x * 0.0f + t->rotation.y * 0.0f + t->rotation.z * 0.0f +
                    t->rotation.w * 0.0f + t->position.x * 0.0f + t->position.y * 0.0f + t->position.z * 0.0f;
        if (sum != 0.0f)
            return emberi_fail_at(w->err, EMBER_E_RANGE,
                                  emberi_place_frame(&w->model->skeleton, p->clip, p->clip_index,
                                                     (uint32_t)(i % p->clip->bone_count),
                                                     i / p->clip->bone_count),
                                  "a number is not finite");
    }
    return EMBER_OK;
}

/* ---- what is lost ---- */

/* Bones have the length that the skeleton gives them, and no scale. */
static void part_note_moves(const emberi_ff7_writing *w, const emberi_ff7_part *p)
{
    uint32_t moved = 0, scaled = 0;
    double   limit = w->length * 1e-3;
    for (uint32_t i = 0; i < p->triple_count; i++) {
        bool moves = false, scales = false;
        if (p->slots[i] < 0)
            continue;
        ember_vec3 rest = {0.0f, 0.0f, 0.0f};
        if (w->model->skeleton.rest != NULL)
            rest = w->model->skeleton.rest[p->bones[i]].position;
        for (uint32_t f = 0; f < p->frame_count; f++) {
            const ember_transform *t =
                &p->clip->frames[(size_t)f * p->clip->bone_count + (uint32_t)p->slots[i]];
            double x = (double)(t->position.x - rest.x), y = (double)(t->position.y - rest.y),
                   z = (double)(t->position.z - rest.z);
            double s = (double)t->scale.x + (double)t->scale.y + (double)t->scale.z - 3.0;
            moves = moves || (i != 0 && x * x + y * y + z * z > limit * limit);
            scales = scales || s > 3e-3 || s < -3e-3;
        }
        moved += moves ? 1u : 0u;
        scaled += scales ? 1u : 0u;
    }
    if (moved != 0)
        emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, p->clip->name, NULL,
                     "%u %s from the place the skeleton gives %s, not stored", (unsigned)moved,
                     moved == 1 ? "bone moves" : "bones move", moved == 1 ? "it" : "them");
    if (scaled != 0)
        emberi_notef(&w->options->notes, EMBER_NOTE_LOSS, p->clip->name, NULL,
                     "scales of %u %s are not stored", (unsigned)scaled, scaled == 1 ? "bone" : "bones");
}

/* ---- one part ---- */

/* A program that writes the same pose again may do so with other last digits. */
static bool part_same_pose(const ember_transform *a, const ember_transform *b)
{
    double x = (double)(a->position.x - b->position.x), y = (double)(a->position.y - b->position.y);
    double z = (double)(a->position.z - b->position.z);
    return x * x + y * y + z * z < STILL_POSITION * STILL_POSITION && part_still(a->rotation, b->rotation);
}

bool emberi_ff7_part_holds(const emberi_ff7_writing *w, const emberi_ff7_part *p, uint32_t frame)
{
    const ember_clip *clip = p->clip;
    for (uint32_t k = 0; k < clip->bone_count; k++) {
        bool weapon = (int32_t)ember_clip_bone(clip, k) == w->rig.weapon;
        for (uint32_t f = frame + 1; weapon == (p->kind == EMBER_FF7_WEAPON) && f < clip->frame_count; f++)
            if (!part_same_pose(&clip->frames[(size_t)f * clip->bone_count + k],
                                &clip->frames[(size_t)frame * clip->bone_count + k]))
                return false;
    }
    return true;
}

static void part_find_slots(const emberi_ff7_writing *w, emberi_ff7_part *p)
{
    for (uint32_t i = 0; i < p->triple_count; i++) {
        int32_t bone = p->kind == EMBER_FF7_WEAPON ? w->rig.weapon
                       : i == 0                    ? w->rig.root
                                                   : w->rig.bones[i - 1];
        p->bones[i] = (uint16_t)bone;
        p->slots[i] = -1;
        for (uint32_t k = 0; k < p->clip->bone_count; k++)
            if (ember_clip_bone(p->clip, k) == (uint32_t)bone)
                p->slots[i] = (int32_t)k;
    }
}

ember_status emberi_ff7_part_make(emberi_ff7_writing *w, emberi_ff7_part *p, ember_ff7_clip *out)
{
    size_t            count = (size_t)p->frame_count * p->triple_count;
    ember_ff7_triple *positions = EMBER_PUSH(&w->arena, ember_ff7_triple, p->frame_count);
    ember_ff7_triple *rotations = EMBER_PUSH(&w->arena, ember_ff7_triple, count);
    p->slots = EMBER_PUSH(&w->arena, int32_t, p->triple_count);
    p->bones = EMBER_PUSH(&w->arena, uint16_t, p->triple_count);
    if (positions == NULL || rotations == NULL || p->slots == NULL || p->bones == NULL)
        return emberi_fail_memory(w->err);
    part_find_slots(w, p);
    ember_status status = part_check(w, p);
    p->changed = p->reference == NULL || p->reference->frame_count != p->frame_count ||
                 p->reference->triple_count != p->triple_count;
    for (uint32_t i = 0; i < p->frame_count && status == EMBER_OK; i++)
        status = part_frame(w, p, &positions[i], rotations + (size_t)i * p->triple_count, i);
    if (status != EMBER_OK)
        return status;
    part_note_moves(w, p);
    bool single = p->kind == EMBER_FF7_BODY && p->triple_count == 1;
    *out = (ember_ff7_clip){.kind = p->kind,
                            .index = p->reference != NULL ? p->reference->index : -1,
                            .bones_field = p->reference != NULL ? p->reference->bones_field
                                           : single             ? (uint32_t)EMBERI_FF7_SINGLE_BONES
                                                                : p->triple_count,
                            .key = p->reference != NULL ? p->reference->key : 0,
                            .triple_count = p->triple_count,
                            .frame_count = p->frame_count,
                            .positions = positions,
                            .rotations = rotations};
    if (!p->changed && p->reference != NULL) {
        out->bytes = p->reference->bytes;
        out->byte_count = p->reference->byte_count;
        out->frames_field = p->reference->frames_field;
    }
    return EMBER_OK;
}
