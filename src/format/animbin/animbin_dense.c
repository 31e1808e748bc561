/* SPDX-License-Identifier: MIT */
/* A rotation key on every frame, one track per bone: what ANIMBIN's own player needs. Each bone is fitted
   against its parents as they will be read back, so that rounding errors do not add up down a chain;
   truncating, and fitting plainly, take each value by itself. */
#include <string.h>

#include "ember/pose.h"
#include "format/animbin/animbin_parts.h"

typedef struct dense {
    const emberi_animbin_work *work;
    emberi_animbin_key        *rotations; /* bone after bone, frame_count each */
    emberi_animbin_key        *positions; /* the same, only of bones that move */
    ember_mat34               *wanted;    /* of one frame */
    ember_mat34               *stored;    /* of the same, as it will be read */
    bool                       closed;
} dense;

static ember_mat34 parent_of(const emberi_animbin_work *work, uint32_t bone, const ember_mat34 *matrices)
{
    return work->up[bone] >= 0 ? ember_mat34_mul(&matrices[work->up[bone]], &work->link[bone])
                               : work->link[bone];
}

ember_transform emberi_animbin_correct(const ember_transform *source, const ember_mat34 *wanted_parent,
                                       const ember_mat34 *stored_parent)
{
    ember_transform target = *source, turn;
    ember_mat34     back;
    if (memcmp(wanted_parent, stored_parent, sizeof(*wanted_parent)) == 0 ||
        !ember_mat34_inverse(&back, stored_parent))
        return target;
    /* Close to identity, whatever scales and mirrors the parents have. */
    ember_mat34 correction = ember_mat34_mul(&back, wanted_parent);
    ember_mat34_decompose(&turn, &correction);
    target.rotation = ember_quat_normalize(ember_quat_mul(turn.rotation, source->rotation));
    target.position = ember_mat34_point(&correction, source->position);
    return target;
}

ember_status emberi_animbin_fail_position(const emberi_animbin_work *work, uint32_t bone, uint32_t frame,
                                          ember_vec3 at)
{
    const emberi_animbin_make_job *job = work->job;
    return emberi_fail_at(job->err, EMBER_E_RANGE,
                          emberi_place_frame(&job->model->skeleton, work->clip, job->clip, bone, frame),
                          "position (%g, %g, %g) times the unit of %g does not fit 32 bits", (double)at.x,
                          (double)at.y, (double)at.z, job->view.unit);
}

static ember_status dense_bone(dense *d, uint32_t bone, uint32_t frame)
{
    const emberi_animbin_work *work = d->work;
    const emberi_animbin_view *view = &work->job->view;
    ember_rounding             rounding = emberi_animbin_asked(work->job->options->animbin).rounding;
    const ember_transform     *source = &work->local[(size_t)frame * work->bone_count + bone];
    ember_mat34                wanted_parent = parent_of(work, bone, d->wanted),
                stored_parent = parent_of(work, bone, d->stored);
    ember_transform target =
        d->closed ? emberi_animbin_correct(source, &wanted_parent, &stored_parent) : *source;
    emberi_animbin_key *rotation = &d->rotations[(size_t)bone * work->frame_count + frame];
    ember_transform     read = *source;

    rotation->frame = (uint16_t)frame;
    emberi_animbin_store_rotation(rotation, target.rotation, view, work->root[bone], rounding);
    if (frame > 0)
        emberi_animbin_keep_sign(rotation, rotation - 1);
    read.rotation = emberi_animbin_rotation(rotation, view, work->root[bone]);
    if (work->moves[bone]) {
        bool                held = work->stands[bone];
        ember_vec3          at = held ? source->position : target.position;
        emberi_animbin_key *position = &d->positions[(size_t)bone * work->frame_count + (held ? 0 : frame)];
        position->frame = (uint16_t)(held ? 0 : frame);
        if (!emberi_animbin_store_position(position, at, view, work->root[bone], rounding))
            return emberi_animbin_fail_position(work, bone, frame, at);
        read.position = emberi_animbin_position(position, view, work->root[bone]);
    }
    d->wanted[bone] = emberi_animbin_model_matrix(work, bone, d->wanted, source);
    d->stored[bone] = emberi_animbin_model_matrix(work, bone, d->stored, &read);
    return EMBER_OK;
}

bool emberi_animbin_tracks_make(emberi_animbin_raw *out, emberi_animbin_track **tracks,
                                const emberi_animbin_work *work)
{
    uint32_t count = work->bone_count, at = 0;
    for (uint32_t i = 0; i < work->bone_count; i++)
        count += work->moves[i] ? 1u : 0u;
    *tracks = EMBER_PUSH(work->job->arena, emberi_animbin_track, count);
    if (*tracks == NULL)
        return false;
    for (int type = 0; type < EMBERI_ANIMBIN_TYPES; type++)
        for (uint32_t i = 0; i < work->bone_count; i++)
            if (type == EMBERI_ANIMBIN_ROTATION || work->moves[work->order[i]])
                (*tracks)[at++] =
                    (emberi_animbin_track){.type = (uint8_t)type,
                                           .joint = (uint8_t)ember_clip_bone(work->clip, work->order[i])};
    out->tracks = *tracks;
    out->track_count = (uint16_t)count;
    return true;
}

ember_status emberi_animbin_dense(emberi_animbin_raw *out, const emberi_animbin_work *work)
{
    const emberi_animbin_make_job *job = work->job;
    emberi_animbin_track          *tracks;
    dense                          d = {.work = work};
    size_t                         count = (size_t)work->bone_count * work->frame_count;
    bool                           any_moves = false;
    for (uint32_t i = 0; i < work->bone_count; i++)
        any_moves = any_moves || work->moves[i];
    d.closed = job->options->fit == EMBER_FIT_CLOSED &&
               emberi_animbin_asked(job->options->animbin).rounding == EMBER_ROUND_NEAREST;
    d.rotations = EMBER_PUSH(job->arena, emberi_animbin_key, count);
    d.positions = EMBER_PUSH(job->arena, emberi_animbin_key, any_moves ? count : 0);
    d.wanted = EMBER_PUSH(job->arena, ember_mat34, work->bone_count);
    d.stored = EMBER_PUSH(job->arena, ember_mat34, work->bone_count);
    if (d.rotations == NULL || d.positions == NULL || d.wanted == NULL || d.stored == NULL ||
        !emberi_animbin_tracks_make(out, &tracks, work))
        return emberi_fail_memory(job->err);

    for (uint32_t frame = 0; frame < work->frame_count; frame++)
        for (uint32_t i = 0; i < work->bone_count; i++) {
            ember_status status = dense_bone(&d, work->order[i], frame);
            if (status != EMBER_OK)
                return status;
        }
    emberi_animbin_slots slots = emberi_animbin_slots_of(work->clip);
    for (uint32_t i = 0; i < out->track_count; i++) {
        int16_t slot = slots.of[tracks[i].joint];
        bool    turns = tracks[i].type == EMBERI_ANIMBIN_ROTATION;
        tracks[i].key_count = turns || !work->stands[slot] ? (uint16_t)work->frame_count : 1;
        tracks[i].keys = (turns ? d.rotations : d.positions) + (size_t)slot * work->frame_count;
    }
    return emberi_animbin_note_error(work, out);
}
