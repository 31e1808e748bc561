/* SPDX-License-Identifier: MIT */
/* A clip's frames made ready to be stored as ANIMBIN: brought to local space, cleared of what the format does
   not hold, each of these losses said, and then keyed. A clip whose keys were read and whose frames nobody
   touched keeps those keys. */
#include <math.h>
#include <string.h>

#include "base/maths.h"
#include "ember/pose.h"
#include "format/animbin/animbin_parts.h"

/* Scales that differ by less than this are the same to any eye; so is motion of less than this part of how
   far bones are apart. */
#define SCALE_SLACK 1e-3f
#define STILL_PART 2e-4

typedef struct make {
    emberi_animbin_work            work;
    const emberi_animbin_make_job *job;
    const ember_skeleton          *skeleton;
    const ember_clip              *clip;
    const ember_notes             *notes;
    uint16_t                      *order;
    int16_t                       *up;
    ember_mat34                   *link;
    bool                          *root;
    bool                          *moves;
    bool                          *stands;
    ember_transform               *local;
} make;

/* ---- checks ---- */

static ember_status make_fail(const make *m, ember_status status, size_t index, const char *what)
{
    uint32_t bone = (uint32_t)(index % m->clip->bone_count), frame = (uint32_t)(index / m->clip->bone_count);
    return emberi_fail_at(m->job->err, status,
                          emberi_place_frame(m->skeleton, m->clip, m->job->clip, bone, frame), "%s", what);
}

static ember_status make_check_counts(const make *m)
{
    const ember_clip *clip = m->clip;
    if (clip->frame_count == 0 || clip->frame_count > UINT16_MAX)
        return emberi_fail_at(m->job->err, EMBER_E_LIMIT, emberi_place_clip(clip, m->job->clip),
                              "%u frames, ANIMBIN holds 1 to %u", (unsigned)clip->frame_count,
                              (unsigned)UINT16_MAX);
    for (uint32_t i = 0; i < clip->bone_count; i++)
        if (ember_clip_bone(clip, i) >= EMBERI_ANIMBIN_MAX_JOINTS)
            return emberi_fail_at(
                m->job->err, EMBER_E_LIMIT,
                emberi_place_clip_bone(m->skeleton, clip, m->job->clip, ember_clip_bone(clip, i)),
                "the clip moves this bone, number %u; ANIMBIN's joints are numbered 0 to %d",
                (unsigned)ember_clip_bone(clip, i), EMBERI_ANIMBIN_MAX_JOINTS - 1);
    return EMBER_OK;
}

static bool vec3_finite(ember_vec3 v)
{
    return emberi_is_finite(v.x) && emberi_is_finite(v.y) && emberi_is_finite(v.z);
}

static ember_status make_check_values(const make *m)
{
    size_t count = (size_t)m->clip->frame_count * m->clip->bone_count;
    for (size_t i = 0; i < count; i++) {
        const ember_transform *t = &m->clip->frames[i];
        ember_vec3             axis = {t->rotation.x, t->rotation.y, t->rotation.z};
        if (!vec3_finite(t->position) || !vec3_finite(t->scale) || !vec3_finite(axis) ||
            !emberi_is_finite(t->rotation.w))
            return make_fail(m, EMBER_E_RANGE, i, "a number is not finite");
        if (axis.x == 0.0f && axis.y == 0.0f && axis.z == 0.0f && t->rotation.w == 0.0f)
            return make_fail(m, EMBER_E_RANGE, i, "rotation is (0, 0, 0, 0), which has no direction");
    }
    return EMBER_OK;
}

/* ---- the hierarchy among the clip's own bones ---- */

static ember_mat34 make_rest(const make *m, uint32_t bone)
{
    return m->skeleton->rest != NULL ? ember_mat34_from_transform(&m->skeleton->rest[bone])
                                     : ember_mat34_identity;
}

static void make_hierarchy(make *m)
{
    emberi_animbin_slots slots = emberi_animbin_slots_of(m->clip);
    uint32_t             count = 0;
    for (int bone = 0; bone < EMBERI_ANIMBIN_MAX_JOINTS; bone++) {
        int16_t slot = slots.of[bone], parent;
        if (slot < 0)
            continue;
        m->order[count++] = (uint16_t)slot;
        m->root[slot] = m->skeleton->parents[bone] == EMBER_NO_PARENT;
        m->link[slot] = ember_mat34_identity;
        for (parent = m->skeleton->parents[bone]; parent >= 0 && slots.of[parent] < 0;
             parent = m->skeleton->parents[parent]) {
            ember_mat34 rest = make_rest(m, (uint32_t)parent);
            m->link[slot] = ember_mat34_mul(&rest, &m->link[slot]);
        }
        m->up[slot] = (int16_t)(parent >= 0 ? slots.of[parent] : -1);
    }
}

ember_mat34 emberi_animbin_model_matrix(const emberi_animbin_work *work, uint32_t bone,
                                        const ember_mat34 *matrices, const ember_transform *local)
{
    ember_mat34 own = ember_mat34_from_transform(local);
    ember_mat34 out = ember_mat34_mul(&work->link[bone], &own);
    return work->up[bone] >= 0 ? ember_mat34_mul(&matrices[work->up[bone]], &out) : out;
}

/* ---- what is not stored ---- */

static bool vec3_differs(ember_vec3 a, ember_vec3 b, double slack)
{
    return fabs((double)a.x - (double)b.x) > slack || fabs((double)a.y - (double)b.y) > slack ||
           fabs((double)a.z - (double)b.z) > slack;
}

/* What a reader takes for a bone that has no track. */
static ember_transform make_reference(const make *m, uint32_t bone)
{
    return m->skeleton->rest != NULL ? m->skeleton->rest[ember_clip_bone(m->clip, bone)]
                                     : ember_transform_identity;
}

static void make_note(const make *m, uint32_t count, const char *what, const char *why)
{
    if (count != 0)
        emberi_notef(m->notes, EMBER_NOTE_LOSS, m->clip->name, NULL, "%s of %u %s is not stored: %s", what,
                     (unsigned)count, count == 1 ? "bone" : "bones", why);
}

/* Motion below this is taken for none: half a stored unit, but never more than a small part of how far bones
   are apart, as a coarse unit is no reason to drop what can be seen. */
static double make_slack(const make *m)
{
    double reach = 0.0, half = 0.5 / m->job->view.unit;
    for (size_t i = 0; i < (size_t)m->clip->bone_count * m->clip->frame_count; i++) {
        const float at[3] = {m->local[i].position.x, m->local[i].position.y, m->local[i].position.z};
        for (int k = 0; k < 3; k++)
            reach = fabs((double)at[k]) > reach ? fabs((double)at[k]) : reach;
    }
    return half < reach * STILL_PART ? half : reach * STILL_PART;
}

/* Decides which bones get translation tracks, and sets what the others will have instead. */
static void make_settle(make *m)
{
    ember_animbin_translations asked = emberi_animbin_asked(m->job->options->animbin).translations;
    uint32_t                   kept_still = 0, scaled = 0, bones = m->clip->bone_count;
    double                     slack = make_slack(m);
    for (uint32_t i = 0; i < bones; i++) {
        ember_transform reference = make_reference(m, i);
        ember_vec3      scale = reference.scale, start = m->local[i].position;
        bool            moves = false, scales = false;
        m->stands[i] = asked != EMBER_ANIMBIN_TRANSLATIONS_ALWAYS;
        for (uint32_t frame = 0; frame < m->clip->frame_count; frame++) {
            const ember_transform *t = &m->local[(size_t)frame * bones + i];
            moves = moves || vec3_differs(t->position, reference.position, slack);
            scales = scales || vec3_differs(t->scale, scale, (double)SCALE_SLACK);
            m->stands[i] = m->stands[i] && memcmp(&t->position, &start, sizeof(start)) == 0;
        }
        m->moves[i] = asked == EMBER_ANIMBIN_TRANSLATIONS_ALWAYS ||
                      (moves && asked != EMBER_ANIMBIN_TRANSLATIONS_NEVER);
        kept_still += moves && !m->moves[i] ? 1u : 0u;
        scaled += scales ? 1u : 0u;
        for (uint32_t frame = 0; frame < m->clip->frame_count; frame++) {
            ember_transform *t = &m->local[(size_t)frame * bones + i];
            t->rotation = ember_quat_normalize(t->rotation);
            t->position = m->moves[i] ? t->position : reference.position;
            t->scale = scale;
        }
    }
    make_note(m, kept_still, m->skeleton->rest != NULL ? "motion from the rest position" : "the position",
              "no translations were asked for");
    make_note(m, scaled, "the scale", "ANIMBIN has none");
}

/* ---- all of it ---- */

static bool make_allocate(make *m)
{
    ember_arena *arena = m->job->arena;
    uint32_t     bones = m->clip->bone_count;
    m->order = EMBER_PUSH(arena, uint16_t, bones);
    m->up = EMBER_PUSH(arena, int16_t, bones);
    m->link = EMBER_PUSH(arena, ember_mat34, bones);
    m->root = EMBER_PUSH(arena, bool, bones);
    m->moves = EMBER_PUSH(arena, bool, bones);
    m->stands = EMBER_PUSH(arena, bool, bones);
    m->local = EMBER_PUSH(arena, ember_transform, (size_t)m->clip->frame_count * bones);
    return m->order != NULL && m->up != NULL && m->link != NULL && m->root != NULL && m->moves != NULL &&
           m->stands != NULL && m->local != NULL;
}

static ember_status make_prepare(make *m)
{
    ember_status status = make_check_counts(m);
    if (status == EMBER_OK)
        status = make_check_values(m);
    if (status != EMBER_OK)
        return status;
    if (!make_allocate(m))
        return emberi_fail_memory(m->job->err);
    make_hierarchy(m);
    size_t count = (size_t)m->clip->frame_count * m->clip->bone_count;
    if (count != 0)
        memcpy(m->local, m->clip->frames, count * sizeof(*m->local));
    make_settle(m);
    m->work = (emberi_animbin_work){.job = m->job,
                                    .clip = m->clip,
                                    .bone_count = m->clip->bone_count,
                                    .frame_count = m->clip->frame_count,
                                    .order = m->order,
                                    .up = m->up,
                                    .link = m->link,
                                    .root = m->root,
                                    .moves = m->moves,
                                    .stands = m->stands,
                                    .local = m->local};
    return EMBER_OK;
}

void emberi_animbin_note_losses(const emberi_animbin_make_job *job)
{
    const ember_clip   *clip = &job->model->clips[job->clip];
    ember_format_stores stored = emberi_animbin_ops.info.stores;
    stored.rate = clip->fps == EMBERI_ANIMBIN_FPS; /* what a reader assumes anyway */
    stored.raw = emberi_animbin_raw_of(clip) != NULL;
    emberi_note_losses(&job->options->notes, job->model, clip, stored);
}

static uint32_t make_key_count(const emberi_animbin_raw *raw)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < raw->track_count; i++)
        count += raw->tracks[i].key_count;
    return count;
}

/* As it was read: *out is the raw part. */
static ember_status make_kept(bool *kept, emberi_animbin_raw *out, const make *m)
{
    ember_animbin_options     asked = emberi_animbin_asked(m->job->options->animbin);
    const emberi_animbin_raw *raw = emberi_animbin_raw_of(m->clip);
    bool                      out_of_memory = false;
    *kept = asked.keys == EMBER_ANIMBIN_KEYS_KEPT && asked.translations == EMBER_ANIMBIN_TRANSLATIONS_KEPT &&
            raw != NULL && m->clip->space == EMBER_SPACE_LOCAL &&
            emberi_animbin_untouched(m->job->model, m->clip, &m->job->view, m->job->arena, &out_of_memory);
    if (out_of_memory)
        return emberi_fail_memory(m->job->err);
    if (!*kept && raw != NULL && m->clip->raw.edited && asked.keys == EMBER_ANIMBIN_KEYS_KEPT &&
        asked.translations == EMBER_ANIMBIN_TRANSLATIONS_KEPT) {
        *kept = true;
        emberi_notef(m->notes, EMBER_NOTE_WARNING, m->clip->name, NULL,
                     "its raw values do not give its frames: the raw values are stored");
    }
    if (*kept)
        *out = *raw;
    else if (raw != NULL)
        emberi_notef(m->notes, asked.keys == EMBER_ANIMBIN_KEYS_KEPT ? EMBER_NOTE_WARNING : EMBER_NOTE_DETAIL,
                     m->clip->name, NULL,
                     "its frames have changed, so that the %u keys it was read with are not kept",
                     (unsigned)make_key_count(raw));
    return EMBER_OK;
}

/* A writer gets local clips; those who only look at what it would store have not changed their space yet. */
static ember_status make_localise(make *m)
{
    ember_clip *local = EMBER_PUSH(m->job->arena, ember_clip, 1);
    if (local == NULL)
        return emberi_fail_memory(m->job->err);
    ember_space_losses losses;
    ember_status       status = ember_clip_to_space(local, &losses, m->job->model, m->clip, EMBER_SPACE_LOCAL,
                                                    m->job->arena, m->job->err);
    if (status != EMBER_OK)
        return status;
    emberi_note_space_losses(m->notes, m->job->model, local, &losses);
    m->clip = local;
    return EMBER_OK;
}

ember_status emberi_animbin_make(emberi_animbin_raw *out, const emberi_animbin_make_job *job)
{
    const ember_clip         *clip = &job->model->clips[job->clip];
    const emberi_animbin_raw *raw = emberi_animbin_raw_of(clip);
    make m = {.job = job, .skeleton = &job->model->skeleton, .clip = clip, .notes = &job->options->notes};
    bool kept;
    ember_status status = make_localise(&m);
    if (status == EMBER_OK)
        status = make_kept(&kept, out, &m);
    if (status == EMBER_OK && !kept) {
        status = make_prepare(&m);
        if (status == EMBER_OK)
            status = emberi_animbin_asked(job->options->animbin).keys == EMBER_ANIMBIN_KEYS_SPARSE
                         ? emberi_animbin_sparse(out, &m.work)
                         : emberi_animbin_dense(out, &m.work);
    }
    if (status != EMBER_OK)
        return status;
    out->length = kept ? out->length : (uint16_t)clip->frame_count;
    out->flags =
        (raw != NULL ? raw->flags & ~EMBERI_ANIMBIN_LOOPED : 0u) | (clip->loop ? EMBERI_ANIMBIN_LOOPED : 0u);
    return EMBER_OK;
}
